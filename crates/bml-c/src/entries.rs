//! The C functions of `oxmpi/bml.h`, in its order. The header says what each does, and what its
//! caller promises.

use std::ffi::{c_char, c_int, c_void};
use std::time::Duration;

use base::{wall, AmTag, Key};
use btl::{Access, Emulated, Flow, Reach, Started, Token};

use crate::arguments::{self, store, store_bytes};
use crate::failure::{code, text_of, Failure};
use crate::handlers::{Handler, Message, OnComplete, OnLost, OnMessage, Up, TAGS};
use crate::layer::{enter, leave, Inner, Layer};
use crate::open::Options;

/// The version of the interface.
const VERSION: c_int = 1;

/// `oxmpi_bml_version`.
#[no_mangle]
pub extern "C" fn oxmpi_bml_version() -> c_int {
    VERSION
}

/// `oxmpi_bml_code_text`.
#[no_mangle]
pub extern "C" fn oxmpi_bml_code_text(code: c_int) -> *const c_char {
    text_of(code).as_ptr()
}

/// `oxmpi_bml_open`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_open(
    options: *const Options,
    layer: *mut *mut Layer,
    why: *mut c_char,
    room: usize,
) -> c_int {
    let open = || -> Result<(), Failure> {
        // SAFETY: the caller promises that `layer` is null or valid.
        unsafe { store(layer, std::ptr::null_mut(), "layer") }?;
        // SAFETY: the caller promises that `options` is null or as the header has it.
        let inner = unsafe { Options::read(options)?.open() }?;
        // SAFETY: the caller promises that `layer` is null or valid.
        unsafe { store(layer, Box::into_raw(Layer::new(inner)), "layer") }
    };
    let opened = wall(open, |text| Err(Failure::new(code::ERR_INTERNAL, text)));
    let Err(failure) = opened else {
        return code::OK;
    };
    if !why.is_null() && room > 0 {
        let mut end = failure.text.len().min(room - 1);
        while !failure.text.is_char_boundary(end) {
            end -= 1;
        }
        // SAFETY: the caller promises `room` bytes, of which `end` and a zero are written.
        unsafe {
            std::ptr::copy_nonoverlapping(failure.text.as_ptr().cast(), why, end);
            why.add(end).write(0);
        }
    }
    failure.code
}

/// `oxmpi_bml_close`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_close(layer: *mut Layer) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { leave(layer) }
}

/// `oxmpi_bml_error_text`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_error_text(layer: *mut Layer) -> *const c_char {
    let mut text = std::ptr::null();
    // SAFETY: the caller's promise.
    let entered = unsafe {
        enter(layer, |inner| {
            text = inner.failure_text.as_ptr();
            Ok(code::OK)
        })
    };
    match text.is_null() {
        true => text_of(entered).as_ptr(),
        false => text,
    }
}

/// `oxmpi_bml_address`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_address(
    layer: *mut Layer,
    bytes: *mut c_void,
    room: usize,
    len: *mut usize,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        enter(layer, |inner| {
            store_bytes(&inner.bml.address(), bytes, room, len)?;
            Ok(code::OK)
        })
    }
}

/// `oxmpi_bml_add_peer`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_add_peer(
    layer: *mut Layer,
    peer: u32,
    address: *const c_void,
    len: usize,
) -> c_int {
    let add = |inner: &mut Inner| {
        let peer = arguments::peer(peer)?;
        // SAFETY: the caller's promise.
        let address = unsafe { arguments::bytes(address, len, "address") }?;
        let choice = inner.bml.add_peer(peer, address)?;
        if choice.lane.is_some() {
            return Ok(code::OK);
        }
        let refusals = choice.considered.iter().map(|each| match &each.reach {
            Reach::Unreachable(why) => format!("{}: {why}", each.name),
            Reach::Reachable => format!("{}: it carries no messages", each.name),
        });
        let refusals = refusals.collect::<Vec<_>>().join("; ");
        let text = format!("{peer} cannot be reached; {refusals}");
        Err(Failure::new(code::ERR_UNREACHABLE, text))
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, add) }
}

/// `oxmpi_bml_remove_peer`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_remove_peer(layer: *mut Layer, peer: u32) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        enter(layer, |inner| {
            inner.bml.remove_peer(arguments::peer(peer)?);
            Ok(code::OK)
        })
    }
}

/// `oxmpi_bml_describe`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_describe(
    layer: *mut Layer,
    peer: u32,
    text: *mut c_char,
    room: usize,
    len: *mut usize,
) -> c_int {
    let describe = |inner: &mut Inner| {
        let mut description = described(inner, peer)?.into_bytes();
        description.push(0);
        // SAFETY: the caller's promise.
        unsafe { store_bytes(&description, text.cast(), room, len) }?;
        Ok(code::OK)
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, describe) }
}

/// Describes the transports that carry messages and accesses to a peer.
fn described(inner: &Inner, number: u32) -> Result<String, Failure> {
    let peer = arguments::peer(number)?;
    let unreachable = btl::Error::Unreachable { peer };
    let messages = inner.bml.caps(peer).ok_or(unreachable)?.name;
    let Some(caps) = inner.bml.rma_caps(peer) else {
        return Ok(format!("messages by {messages}"));
    };
    let Emulated { get, put, atomics } = caps.emulated;
    let by_messages = [(get, "get"), (put, "put"), (atomics, "atomics")];
    let by_messages: Vec<&str> = by_messages
        .iter()
        .filter_map(|(emulated, what)| emulated.then_some(*what))
        .collect();
    let memory = format!("messages by {messages}, memory by {}", caps.name);
    Ok(match by_messages.is_empty() {
        true => memory,
        false => format!("{memory} ({} by messages)", by_messages.join(", ")),
    })
}

/// `oxmpi_bml_on_message`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_on_message(
    layer: *mut Layer,
    tag: u8,
    function: Option<OnMessage>,
    user: *mut c_void,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        enter(layer, |inner| {
            let handlers = &mut inner.handlers.messages;
            let place = handlers
                .get_mut(usize::from(tag))
                .ok_or_else(|| bad_tag(tag))?;
            *place = function.map(|function| Handler { function, user });
            Ok(code::OK)
        })
    }
}

/// `oxmpi_bml_on_complete`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_on_complete(
    layer: *mut Layer,
    function: Option<OnComplete>,
    user: *mut c_void,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        enter(layer, |inner| {
            inner.handlers.complete = function.map(|function| Handler { function, user });
            Ok(code::OK)
        })
    }
}

/// `oxmpi_bml_on_lost`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_on_lost(
    layer: *mut Layer,
    function: Option<OnLost>,
    user: *mut c_void,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        enter(layer, |inner| {
            inner.handlers.lost = function.map(|function| Handler { function, user });
            Ok(code::OK)
        })
    }
}

/// `oxmpi_bml_message_max`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_message_max(
    layer: *mut Layer,
    peer: u32,
    most: *mut usize,
) -> c_int {
    let query = |inner: &mut Inner| {
        let peer = arguments::peer(peer)?;
        let caps = inner
            .bml
            .caps(peer)
            .ok_or(btl::Error::Unreachable { peer })?;
        // SAFETY: the caller's promise.
        unsafe { store(most, caps.max_send_size, "most") }?;
        Ok(code::OK)
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, query) }
}

/// `oxmpi_bml_send`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_send(
    layer: *mut Layer,
    peer: u32,
    tag: u8,
    header: *const c_void,
    header_len: usize,
    payload: *const c_void,
    payload_len: usize,
) -> c_int {
    let send = |inner: &mut Inner| {
        if usize::from(tag) >= TAGS {
            return Err(bad_tag(tag));
        }
        let (peer, tag) = (arguments::peer(peer)?, AmTag(AmTag::USER.0 + tag));
        // SAFETY: the caller's promise; `send` only reads, and is done with both when it returns.
        let header = unsafe { arguments::bytes(header, header_len, "header") }?;
        // SAFETY: as above.
        let payload = unsafe { arguments::memory(payload.cast_mut(), payload_len, "payload") }?;
        Ok(flow(inner.bml.send(peer, tag, header, payload)?))
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, send) }
}

/// `oxmpi_bml_message_size`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_message_size(message: *const Message<'_>) -> usize {
    // SAFETY: the caller hands on what a handler was given, during its call.
    unsafe { message.as_ref() }.map_or(0, |message| message.payload.len())
}

/// `oxmpi_bml_message_copy`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_message_copy(
    message: *const Message<'_>,
    offset: usize,
    into: *mut c_void,
    room: usize,
) -> usize {
    // SAFETY: as in `oxmpi_bml_message_size`.
    let Some(message) = (unsafe { message.as_ref() }) else {
        return 0;
    };
    let Some(left) = message.payload.len().checked_sub(offset) else {
        return 0;
    };
    let len = left.min(room);
    // SAFETY: the caller promises `room` bytes.
    let Ok(into) = (unsafe { arguments::memory(into, len, "into") }) else {
        return 0;
    };
    message.payload.part(offset, len).copy_to_user(into);
    len
}

/// `oxmpi_bml_expose`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_expose(
    layer: *mut Layer,
    address: *mut c_void,
    len: usize,
    access: c_int,
    memory: *mut u64,
) -> c_int {
    let expose = |inner: &mut Inner| {
        let access = match access {
            1 => (true, false),
            2 => (false, true),
            3 => (true, true),
            other => {
                let text = format!("access {other}: give OXMPI_BML_READ, _WRITE, or both");
                return Err(Failure::argument(text));
            }
        };
        let (read, write) = access;
        // SAFETY: the caller promises `len` bytes at `address`.
        let buf = unsafe { arguments::memory(address, len, "address") }?;
        // SAFETY: the caller promises that `memory` is null or valid.
        unsafe { store(memory, 0, "memory") }?;
        let exposed = inner.bml.expose(buf, Access { read, write })?;
        let handle = inner.exposed.insert(exposed).bits();
        // SAFETY: as above.
        unsafe { store(memory, handle, "memory") }?;
        Ok(code::OK)
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, expose) }
}

/// `oxmpi_bml_pack`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_pack(
    layer: *mut Layer,
    memory: u64,
    bytes: *mut c_void,
    room: usize,
    len: *mut usize,
) -> c_int {
    let pack = |inner: &mut Inner| {
        let exposed = inner.exposed.get(Key::from_bits(memory));
        let exposed = exposed.ok_or_else(|| not_exposed(memory))?;
        // SAFETY: the caller's promise.
        unsafe { store_bytes(&exposed.pack(), bytes, room, len) }?;
        Ok(code::OK)
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, pack) }
}

/// `oxmpi_bml_withdraw`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_withdraw(layer: *mut Layer, memory: u64) -> c_int {
    let withdraw = |inner: &mut Inner| {
        let exposed = inner.exposed.remove(Key::from_bits(memory));
        inner
            .bml
            .withdraw(exposed.ok_or_else(|| not_exposed(memory))?);
        Ok(code::OK)
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, withdraw) }
}

/// `oxmpi_bml_import`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_import(
    layer: *mut Layer,
    peer: u32,
    pack: *const c_void,
    len: usize,
    remote: *mut u64,
) -> c_int {
    let import = |inner: &mut Inner| {
        let peer = arguments::peer(peer)?;
        // SAFETY: the caller promises `len` bytes at `pack`.
        let pack = unsafe { arguments::bytes(pack, len, "pack") }?;
        // SAFETY: the caller promises that `remote` is null or valid.
        unsafe { store(remote, 0, "remote") }?;
        let imported = inner.bml.import(peer, pack)?;
        let handle = inner.remotes.insert((peer, imported)).bits();
        // SAFETY: as above.
        unsafe { store(remote, handle, "remote") }?;
        Ok(code::OK)
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, import) }
}

/// `oxmpi_bml_forget`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_forget(layer: *mut Layer, remote: u64) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        enter(layer, |inner| {
            inner.remote(remote)?;
            inner.remotes.remove(Key::from_bits(remote));
            Ok(code::OK)
        })
    }
}

/// `oxmpi_bml_get`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_get(
    layer: *mut Layer,
    remote: u64,
    offset: u64,
    local: *mut c_void,
    len: usize,
    token: u64,
) -> c_int {
    let get = |inner: &mut Inner| {
        let (peer, memory) = inner.remote(remote)?;
        // SAFETY: the caller's promise, until the operation is complete.
        let local = unsafe { arguments::memory(local, len, "local") }?;
        Ok(started(inner.bml.get(
            peer,
            local,
            memory.at(offset),
            Token(token),
        )?))
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, get) }
}

/// `oxmpi_bml_put`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_put(
    layer: *mut Layer,
    remote: u64,
    offset: u64,
    local: *const c_void,
    len: usize,
    token: u64,
) -> c_int {
    let put = |inner: &mut Inner| {
        let (peer, memory) = inner.remote(remote)?;
        // SAFETY: the caller's promise, until the operation is complete; it is only read.
        let local = unsafe { arguments::memory(local.cast_mut(), len, "local") }?;
        Ok(started(inner.bml.put(
            peer,
            local,
            memory.at(offset),
            Token(token),
        )?))
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, put) }
}

/// `oxmpi_bml_atomic`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_atomic(
    layer: *mut Layer,
    remote: u64,
    offset: u64,
    op: c_int,
    word_bytes: usize,
    operand: u64,
    compare: u64,
    result: *mut c_void,
    token: u64,
) -> c_int {
    let change = |inner: &mut Inner| {
        let (peer, memory) = inner.remote(remote)?;
        let atomic = arguments::atomic(op, word_bytes, operand, compare)?;
        let result = match result.is_null() {
            true => None,
            // SAFETY: the caller's promise, until the operation is complete.
            false => Some(unsafe { arguments::memory(result, word_bytes, "result") }?),
        };
        let place = memory.at(offset);
        Ok(started(inner.bml.atomic(
            peer,
            atomic,
            result,
            place,
            Token(token),
        )?))
    };
    // SAFETY: the caller's promise.
    unsafe { enter(layer, change) }
}

/// `oxmpi_bml_flush`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_flush(layer: *mut Layer, peer: u32) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        enter(layer, |inner| {
            Ok(flow(inner.bml.flush(arguments::peer(peer)?)?))
        })
    }
}

/// `oxmpi_bml_progress`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_progress(layer: *mut Layer) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { enter(layer, |inner| moved(inner, |bml, up, _| bml.progress(up))) }
}

/// `oxmpi_bml_wait`.
///
/// # Safety
/// The conditions that the header states at this function.
#[no_mangle]
pub unsafe extern "C" fn oxmpi_bml_wait(layer: *mut Layer, limit_ms: u32) -> c_int {
    let limit = Duration::from_millis(limit_ms.into());
    // SAFETY: the caller's promise.
    unsafe {
        enter(layer, |inner| {
            moved(inner, |bml, up, patience| bml.wait(up, patience, limit))
        })
    }
}

/// Progresses, and reports a message that has no handler.
fn moved(
    inner: &mut Inner,
    act: impl FnOnce(&mut bml::Bml, &mut Up<'_>, sync::Patience) -> usize,
) -> Result<c_int, Failure> {
    let mut up = Up {
        handlers: &inner.handlers,
        stray: None,
    };
    let happened = act(&mut inner.bml, &mut up, inner.patience);
    match up.stray {
        Some(text) => Err(Failure::new(code::ERR_PROTOCOL, text)),
        None => Ok(c_int::try_from(happened).unwrap_or(c_int::MAX)),
    }
}

fn flow(flow: Flow) -> c_int {
    match flow {
        Flow::Sent => code::OK,
        Flow::Busy => code::BUSY,
    }
}

fn started(started: Started) -> c_int {
    match started {
        Started::Done => code::OK,
        Started::Pending => code::PENDING,
        Started::Busy => code::BUSY,
    }
}

fn bad_tag(tag: u8) -> Failure {
    Failure::argument(format!("tag {tag}: tags are below {TAGS}"))
}

fn not_exposed(handle: u64) -> Failure {
    Failure::argument(format!(
        "{handle:#x} is no handle of exposed memory (any more)"
    ))
}
