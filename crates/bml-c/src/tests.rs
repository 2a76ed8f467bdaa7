//! The entry points, called as C would, and the header beside them.
//!
//! Every unsafe block is a call with what the header asks for, or with what it refuses.
#![allow(clippy::undocumented_unsafe_blocks)]

use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use crate::entries::*;
use crate::failure::{code, names};
use crate::{Layer, Message, Options};

const HEADER: &str = include_str!("../../../include/oxmpi/bml.h");
const ENTRIES: &str = include_str!("entries.rs");

fn options(me: u32, transports: &CStr) -> Options {
    static SECRET: [u8; 32] = [7; 32];
    Options {
        size: size_of::<Options>(),
        me,
        neighbours: 2,
        local_rank: me,
        reserved: 0,
        job: 0,
        transports: transports.as_ptr(),
        secret: SECRET.as_ptr(),
        parameters: null(),
    }
}

/// Opens a layer, or gives the code and the text.
fn try_open(options: &Options) -> Result<*mut Layer, (c_int, String)> {
    let (mut layer, mut why) = (null_mut(), [0 as c_char; 400]);
    let answer = unsafe { oxmpi_bml_open(options, &mut layer, why.as_mut_ptr(), why.len()) };
    match answer {
        code::OK => Ok(layer),
        answer => {
            assert!(layer.is_null());
            let text = unsafe { CStr::from_ptr(why.as_ptr()) };
            Err((answer, text.to_string_lossy().into_owned()))
        }
    }
}

fn failure_text(layer: *mut Layer) -> String {
    let text = unsafe { CStr::from_ptr(oxmpi_bml_error_text(layer)) };
    text.to_string_lossy().into_owned()
}

/// The record that a program makes in its handlers.
#[derive(Default)]
struct Notes {
    layer: usize,
    messages: Vec<(u32, Vec<u8>)>,
    ends: Vec<(u64, c_int)>,
    /// The result of a call from inside a handler, and the text then.
    inside: Vec<(c_int, String)>,
    /// The result of another thread's call meanwhile.
    other_thread: c_int,
}

unsafe extern "C" fn on_message(user: *mut c_void, from: u32, message: *const Message<'_>) {
    let notes = unsafe { &mut *user.cast::<Notes>() };
    let mut bytes = vec![0; unsafe { oxmpi_bml_message_size(message) }];
    let half = bytes.len() / 2;
    let (front, back) = bytes.split_at_mut(half);
    for (at, part) in [(0, front), (half, back)] {
        let place = part.as_mut_ptr().cast();
        let copied = unsafe { oxmpi_bml_message_copy(message, at, place, part.len()) };
        assert_eq!(copied, part.len());
    }
    let layer = notes.layer as *mut Layer;
    for answer in [
        unsafe { oxmpi_bml_send(layer, from, 0, null(), 0, null(), 0) },
        unsafe { oxmpi_bml_progress(layer) },
        unsafe { oxmpi_bml_close(layer) },
    ] {
        notes.inside.push((answer, failure_text(layer)));
    }
    let layer = notes.layer;
    let other = std::thread::spawn(move || unsafe { oxmpi_bml_progress(layer as *mut Layer) });
    notes.other_thread = other.join().unwrap();
    notes.messages.push((from, bytes));
}

unsafe extern "C" fn on_complete(user: *mut c_void, token: u64, code: c_int, _: *const c_char) {
    let notes = unsafe { &mut *user.cast::<Notes>() };
    notes.ends.push((token, code));
}

/// Two layers of this process that know each other, with handlers for tag 5.
struct Pair {
    layers: [*mut Layer; 2],
    notes: [Box<Notes>; 2],
}

impl Pair {
    fn new(transports: &CStr) -> Pair {
        let layers = [0, 1].map(|me| try_open(&options(me, transports)).unwrap());
        let mut notes: [Box<Notes>; 2] = Default::default();
        for (layer, notes) in layers.iter().zip(&mut notes) {
            notes.layer = *layer as usize;
            let user = (&raw mut **notes).cast();
            unsafe {
                assert_eq!(oxmpi_bml_on_message(*layer, 5, Some(on_message), user), 0);
                assert_eq!(oxmpi_bml_on_complete(*layer, Some(on_complete), user), 0);
            }
            for (peer, other) in layers.iter().enumerate() {
                let address = bytes(|place, room, len| unsafe {
                    oxmpi_bml_address(*other, place, room, len)
                });
                let answer = unsafe {
                    oxmpi_bml_add_peer(*layer, peer as u32, address.as_ptr().cast(), address.len())
                };
                assert_eq!(answer, code::OK, "{}", failure_text(*layer));
            }
        }
        Pair { layers, notes }
    }

    /// Progresses both until something is so.
    fn until(&mut self, mut so: impl FnMut(&mut Pair) -> bool) {
        let end = Instant::now() + Duration::from_secs(20);
        while !so(self) {
            assert!(Instant::now() < end, "it never comes to that");
            for layer in self.layers {
                let answer = unsafe { oxmpi_bml_progress(layer) };
                assert!(answer >= 0, "{}", failure_text(layer));
            }
        }
    }

    /// Starts an operation of the first layer, waits for its end, and gives that.
    fn complete(&mut self, mut start: impl FnMut(*mut Layer, u64) -> c_int) -> c_int {
        let token = 1000 + self.notes[0].ends.len() as u64;
        let mut answer = code::BUSY;
        self.until(|pair| {
            answer = start(pair.layers[0], token);
            answer != code::BUSY
        });
        if answer != code::PENDING {
            return answer;
        }
        let ended = |pair: &mut Pair| pair.notes[0].ends.last().is_some_and(|end| end.0 == token);
        self.until(ended);
        self.notes[0]
            .ends
            .last()
            .map_or(code::ERR_INTERNAL, |end| end.1)
    }

    fn close(self) {
        for layer in self.layers {
            assert_eq!(unsafe { oxmpi_bml_close(layer) }, code::OK);
        }
    }
}

/// The bytes of a call that gives some: asked for their number first.
fn bytes(call: impl Fn(*mut c_void, usize, *mut usize) -> c_int) -> Vec<u8> {
    let mut len = 0;
    assert_eq!(call(null_mut(), 0, &mut len), code::OK);
    let mut bytes = vec![0; len];
    let short = call(bytes.as_mut_ptr().cast(), len - 1, &mut len);
    assert_eq!(short, code::ERR_TOO_LARGE);
    assert_eq!(call(bytes.as_mut_ptr().cast(), len, &mut len), code::OK);
    bytes
}

#[test]
fn the_header_has_what_the_library_has() {
    let declared = |word: &str| {
        let called = |at: usize| HEADER[at + word.len()..].starts_with('(');
        HEADER.match_indices(word).any(|(at, _)| called(at))
    };
    let functions: Vec<&str> = ENTRIES
        .lines()
        .filter_map(|line| {
            line.strip_prefix("pub unsafe extern \"C\" fn ")
                .or(line.strip_prefix("pub extern \"C\" fn "))
        })
        .filter_map(|line| line.split('(').next())
        .collect();
    assert_eq!(functions.len(), 27, "{functions:?}");
    for name in &functions {
        assert!(declared(name), "{name} is not in the header");
    }
    for (name, code) in names() {
        let written = format!("OXMPI_BML_{name} = {code}");
        assert!(
            HEADER.contains(&written),
            "`{written}` is not in the header"
        );
    }
    let names_of_codes = HEADER.matches("OXMPI_BML_ERR_").count();
    assert!(names_of_codes >= names().count() - 3);
    let version = format!("#define OXMPI_BML_VERSION {}\n", oxmpi_bml_version());
    assert!(HEADER.contains(&version));
    assert_eq!(size_of::<Options>(), 56, "the layout of oxmpi_bml_options");
}

fn messages_and_memory(transports: &CStr) {
    let mut pair = Pair::new(transports);
    message(&mut pair);
    memory(&mut pair);
    pair.close();
}

/// A message arrives whole, and its handler may not call the layer.
fn message(pair: &mut Pair) {
    let (header, payload) = (b"head", vec![9u8; 3000]);
    pair.until(|pair| {
        let (h, p) = (header.as_ptr().cast(), payload.as_ptr().cast());
        let sent = unsafe { oxmpi_bml_send(pair.layers[0], 1, 5, h, 4, p, payload.len()) };
        assert!(sent >= 0, "{}", failure_text(pair.layers[0]));
        sent == code::OK
    });
    pair.until(|pair| !pair.notes[1].messages.is_empty());
    let whole = [&header[..], &payload].concat();
    assert_eq!(pair.notes[1].messages, [(0, whole)]);
    for (answer, text) in &pair.notes[1].inside {
        assert_eq!(*answer, code::ERR_HANDLER);
        assert!(text.contains("a handler may not call the layer"), "{text}");
    }
    assert_eq!(pair.notes[1].other_thread, code::ERR_THREAD);
}

/// Put, flush, get and an addition; a range that is too long, and handles that are no more.
fn memory(pair: &mut Pair) {
    let mut memory = vec![0u64; 1000];
    let (mut exposed, mut remote) = (0, 0);
    let place = memory.as_mut_ptr().cast();
    assert_eq!(
        unsafe { oxmpi_bml_expose(pair.layers[1], place, 8000, 3, &mut exposed) },
        code::OK
    );
    let owner = pair.layers[1];
    let pack =
        bytes(|place, room, len| unsafe { oxmpi_bml_pack(owner, exposed, place, room, len) });
    let layer = pair.layers[0];
    let imported =
        unsafe { oxmpi_bml_import(layer, 1, pack.as_ptr().cast(), pack.len(), &mut remote) };
    assert_eq!(imported, code::OK, "{}", failure_text(layer));

    let sent: Vec<u64> = (0..500).map(|n| n * n).collect();
    let put = |layer, token| unsafe {
        oxmpi_bml_put(layer, remote, 800, sent.as_ptr().cast(), 4000, token)
    };
    assert_eq!(pair.complete(put), code::OK);
    pair.until(|pair| {
        let flushed = unsafe { oxmpi_bml_flush(pair.layers[0], 1) };
        assert!(flushed >= 0, "{}", failure_text(pair.layers[0]));
        flushed == code::OK
    });
    let (mut read, mut before) = (vec![0u64; 500], [5u64; 1]);
    let into = read.as_mut_ptr().cast();
    let get = |layer, token| unsafe { oxmpi_bml_get(layer, remote, 800, into, 4000, token) };
    assert_eq!(pair.complete(get), code::OK);
    assert_eq!(read, sent);
    let result: *mut c_void = before.as_mut_ptr().cast();
    let add =
        |layer, token| unsafe { oxmpi_bml_atomic(layer, remote, 808, 0, 8, 41, 0, result, token) };
    assert_eq!(pair.complete(add), code::OK);
    assert_eq!(before, [1]);
    pair.until(|pair| unsafe { oxmpi_bml_flush(pair.layers[0], 1) } == code::OK);
    let beyond = |layer, token| unsafe { oxmpi_bml_get(layer, remote, 7000, into, 4000, token) };
    assert_eq!(pair.complete(beyond), code::ERR_RANGE);
    unsafe {
        assert_eq!(oxmpi_bml_withdraw(pair.layers[1], exposed), code::OK);
        assert_eq!(
            oxmpi_bml_withdraw(pair.layers[1], exposed),
            code::ERR_ARGUMENT
        );
        assert!(failure_text(pair.layers[1]).contains("no handle of exposed memory"));
        assert_eq!(oxmpi_bml_forget(layer, remote), code::OK);
        assert_eq!(get(layer, 1), code::ERR_ARGUMENT);
    }
    assert_eq!(memory[100..600], {
        let mut wanted = sent.clone();
        wanted[1] += 41;
        wanted
    });
}

#[test]
fn messages_and_memory_over_sm() {
    messages_and_memory(c"self,sm");
}

#[test]
fn messages_and_memory_over_tcp() {
    messages_and_memory(c"self, tcp");
}

#[test]
fn a_message_without_handler_is_reported() {
    let pair = Pair::new(c"sm");
    let [from, to] = pair.layers;
    assert_eq!(
        unsafe { oxmpi_bml_send(from, 1, 6, null(), 0, null(), 0) },
        code::OK
    );
    let end = Instant::now() + Duration::from_secs(20);
    let answer = loop {
        let answer = unsafe { oxmpi_bml_wait(to, 100) };
        assert!(Instant::now() < end);
        if answer != 0 {
            break answer;
        }
    };
    assert_eq!(answer, code::ERR_PROTOCOL);
    assert_eq!(
        failure_text(to),
        "peer 0 sent 0 bytes for tag 6, which has no handler"
    );
    assert_eq!(unsafe { oxmpi_bml_wait(to, 1) }, 0, "it is reported once");
    pair.close();
}

#[test]
fn wrong_arguments_are_refused_with_words() {
    let refused = |options: &Options, part: &str| {
        let (answer, text) = try_open(options).unwrap_err();
        assert_eq!(answer, code::ERR_ARGUMENT, "{text}");
        assert!(text.contains(part), "{text} lacks {part}");
    };
    refused(
        &options(0, c"self,smm"),
        "no transport `smm`; there are self, sm, tcp, ofi",
    );
    refused(&options(0, c"sm,sm"), "names sm twice");
    refused(&options(0, c" , "), "names nothing");
    refused(&options(1 << 24, c"self"), "below 16777216");
    let bare = options(0, c"tcp");
    refused(
        &Options {
            secret: null(),
            ..bare
        },
        "tcp needs 32 bytes",
    );
    refused(&Options { size: 3, ..bare }, "sizeof(oxmpi_bml_options)");
    for (text, part) in [
        ("btl_tcp_eager_limit", "write name=value"),
        (
            "btl_tcp_eager_limt=4k",
            "(from: options.parameters); did you mean btl_tcp_eager_limit?",
        ),
        (
            "btl_tcp_eager_limit=moon",
            "cannot be \"moon\" (from: options.parameters)",
        ),
    ] {
        let text = CString::new(text).unwrap();
        let parameters = [text.as_ptr(), null()];
        let parameters = parameters.as_ptr();
        refused(
            &Options {
                parameters,
                ..options(0, c"self")
            },
            part,
        );
    }
}

#[test]
fn null_pointers_and_stale_numbers_are_refused() {
    unsafe {
        assert_eq!(
            oxmpi_bml_open(null(), null_mut(), null_mut(), 0),
            code::ERR_ARGUMENT
        );
        assert_eq!(oxmpi_bml_progress(null_mut()), code::ERR_ARGUMENT);
        assert_eq!(oxmpi_bml_close(null_mut()), code::ERR_ARGUMENT);
        assert_eq!(oxmpi_bml_message_size(null()), 0);
        let layer = try_open(&options(0, c"self")).unwrap();
        let mut handle = 1;
        let calls = [
            oxmpi_bml_send(layer, 0, 5, null(), 3, null(), 0),
            oxmpi_bml_send(layer, 0, 128, null(), 0, null(), 0),
            oxmpi_bml_address(layer, null_mut(), 0, null_mut()),
            oxmpi_bml_address(layer, null_mut(), 100, &mut 0),
            oxmpi_bml_expose(layer, null_mut(), 8, 3, &mut handle),
            oxmpi_bml_expose(layer, null_mut(), 0, 4, &mut handle),
            oxmpi_bml_put(layer, 77, 0, null(), 0, 0),
            oxmpi_bml_on_message(layer, 128, None, null_mut()),
        ];
        assert_eq!(calls, [code::ERR_ARGUMENT; 8]);
        assert_eq!(
            oxmpi_bml_send(layer, 3, 5, null(), 0, null(), 0),
            code::ERR_UNREACHABLE
        );
        assert_eq!(
            oxmpi_bml_add_peer(layer, 0, c"x".as_ptr().cast(), 1),
            code::ERR_PROTOCOL
        );
        assert_eq!(oxmpi_bml_close(layer), code::OK);
    }
}

/// A later header may have more members: zeros there mean nothing, other values are refused.
#[test]
fn options_of_other_versions_are_understood_or_refused() {
    #[repr(C)]
    struct Later {
        options: Options,
        more: u64,
    }
    for (more, accepted) in [(0, true), (5, false)] {
        let mut options = options(0, c"self");
        options.size = size_of::<Later>();
        let later = Later { options, more };
        let opened = try_open(&later.options);
        assert_eq!(opened.is_ok(), accepted, "{opened:?}");
        if let Ok(layer) = opened {
            assert_eq!(unsafe { oxmpi_bml_close(layer) }, code::OK);
        }
    }
    let mut earlier = options(0, c"self");
    earlier.size = std::mem::offset_of!(Options, transports);
    let layer = try_open(&Options {
        transports: null(),
        ..earlier
    })
    .unwrap_err();
    assert!(
        layer.1.contains("tcp needs 32 bytes"),
        "the usual transports: {layer:?}"
    );
}

#[test]
fn a_panic_ends_at_the_wall_and_the_layer_is_of_no_use_any_more() {
    let layer = try_open(&options(0, c"self")).unwrap();
    let answer = unsafe { crate::layer::enter(layer, |_| panic!("a fault for the test")) };
    assert_eq!(answer, code::ERR_INTERNAL);
    assert_eq!(unsafe { oxmpi_bml_progress(layer) }, code::ERR_INTERNAL);
    assert!(failure_text(layer).contains("a fault of this library"));
    assert_eq!(unsafe { oxmpi_bml_close(layer) }, code::ERR_INTERNAL);
}
