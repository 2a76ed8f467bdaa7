//! Conversion of C arguments to Rust values, and of results to C.

use std::ffi::{c_char, c_void, CStr};

use base::PeerId;
use btl::{Atomic, AtomicOp, Width};
use memory::UserBuf;

use crate::failure::{code, Failure};

/// Numbers of peers are below this one: the tables of the layer are indexed by them.
const PEERS_MAX: u32 = 1 << 24;

/// A peer's number.
pub fn peer(number: u32) -> Result<PeerId, Failure> {
    match number < PEERS_MAX {
        true => Ok(PeerId(number)),
        false => Err(Failure::argument(format!(
            "peer {number}: numbers of peers are below {PEERS_MAX}"
        ))),
    }
}

/// `len` bytes at `place`, to be read during the call.
///
/// # Safety
/// They are readable, and nobody changes them, for as long as the slice is used.
pub unsafe fn bytes<'a>(place: *const c_void, len: usize, what: &str) -> Result<&'a [u8], Failure> {
    match (place.is_null(), len) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(null(what)),
        (false, _) if isize::try_from(len).is_ok() => {
            // SAFETY: the caller's promise; a length beyond `isize::MAX` is no object of C.
            Ok(unsafe { std::slice::from_raw_parts(place.cast(), len) })
        }
        (false, _) => Err(Failure::argument(format!(
            "{what}: {len} bytes are no object"
        ))),
    }
}

/// Memory that an operation works on until it is complete.
///
/// # Safety
/// It is valid until then, as the header says at each function.
pub unsafe fn memory(place: *mut c_void, len: usize, what: &str) -> Result<UserBuf, Failure> {
    match (place.is_null(), len) {
        (_, 0) => Ok(UserBuf::EMPTY),
        (true, _) => Err(null(what)),
        // SAFETY: the caller's promise.
        (false, _) => Ok(unsafe { UserBuf::new(place.cast(), len) }),
    }
}

/// A string, or `None` for a null pointer.
///
/// # Safety
/// It ends with a zero and stays as it is for as long as the text is used.
pub unsafe fn text<'a>(place: *const c_char, what: &str) -> Result<Option<&'a str>, Failure> {
    if place.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(place) };
    let text = text.to_str().map_err(|_| {
        let lossy = text.to_string_lossy();
        Failure::argument(format!("{what} `{lossy}` is not UTF-8"))
    })?;
    Ok(Some(text))
}

/// Writes `value` to where C wants it.
///
/// # Safety
/// `place` is null, or valid for a value of its type.
pub unsafe fn give<T>(place: *mut T, value: T, what: &str) -> Result<(), Failure> {
    if place.is_null() {
        return Err(null(what));
    }
    // SAFETY: the caller's promise, and it is not null.
    unsafe { place.write(value) };
    Ok(())
}

/// Writes `bytes` into `room` bytes at `place`, and their number to `len` in any case. A null place
/// without room asks for the number alone.
///
/// # Safety
/// `place` is null or has `room` bytes, and `len` is null or valid.
pub unsafe fn give_bytes(
    bytes: &[u8],
    place: *mut c_void,
    room: usize,
    len: *mut usize,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe { give(len, bytes.len(), "len") }?;
    match (place.is_null(), bytes.len() <= room) {
        (true, _) if room == 0 => Ok(()),
        (true, _) => Err(null("bytes")),
        (false, false) => {
            let text = format!("{} bytes do not fit into {room}", bytes.len());
            Err(Failure::new(code::ERR_TOO_LARGE, text))
        }
        (false, true) => {
            // SAFETY: there is room by the arm's condition and the caller's promise; what is ours
            // and what is the caller's do not overlap.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), place.cast(), bytes.len()) };
            Ok(())
        }
    }
}

/// An atomic operation by its numbers.
pub fn atomic(op: i32, bytes: usize, operand: u64, compare: u64) -> Result<Atomic, Failure> {
    let op = match op {
        0 => AtomicOp::Add,
        1 => AtomicOp::And,
        2 => AtomicOp::Or,
        3 => AtomicOp::Xor,
        4 => AtomicOp::Min,
        5 => AtomicOp::Max,
        6 => AtomicOp::Swap,
        7 => AtomicOp::Read,
        8 => AtomicOp::CompareSwap(compare),
        other => {
            let text = format!("operation {other} is not one of the enum oxmpi_bml_op");
            return Err(Failure::argument(text));
        }
    };
    let width = match bytes {
        4 => Width::Four,
        8 => Width::Eight,
        other => {
            let text = format!("a word of {other} bytes: words have 4 or 8");
            return Err(Failure::argument(text));
        }
    };
    Ok(Atomic { op, width, operand })
}

/// A null pointer where there must be something.
pub fn null(what: &str) -> Failure {
    Failure::argument(format!("{what} is a null pointer"))
}
