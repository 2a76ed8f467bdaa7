//! Conversion of arguments from C, and of results to C.

use std::ffi::{c_char, c_void, CStr};

use base::PeerId;
use btl::{Atomic, AtomicOp, Width};
use memory::UserBuf;

use crate::failure::{code, Failure};

/// Limit of peer numbers, which index the layer's tables.
const PEERS_MAX: u32 = 1 << 24;

/// Converts the number of a peer.
///
/// # Errors
/// When it is not below [`PEERS_MAX`].
pub fn peer(number: u32) -> Result<PeerId, Failure> {
    match number < PEERS_MAX {
        true => Ok(PeerId(number)),
        false => Err(Failure::argument(format!(
            "peer {number}: peer numbers are below {PEERS_MAX}"
        ))),
    }
}

/// Borrows the `len` bytes at `address`, which the parameter `what` points to.
///
/// # Errors
/// When `address` is null though `len` is not 0, and when `len` exceeds `isize::MAX`.
///
/// # Safety
/// An address that is not null points to `len` bytes that are readable and do not change for `'a`.
pub unsafe fn bytes<'a>(
    address: *const c_void,
    len: usize,
    what: &str,
) -> Result<&'a [u8], Failure> {
    match (address.is_null(), len) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(null(what)),
        (false, _) if isize::try_from(len).is_ok() => {
            // SAFETY: the bytes are readable and do not change (contract of this function), and the
            // length fits `isize`.
            Ok(unsafe { std::slice::from_raw_parts(address.cast(), len) })
        }
        (false, _) => Err(Failure::argument(format!(
            "{what}: {len} bytes, more than memory can have"
        ))),
    }
}

/// Wraps the `len` bytes at `address`, which an operation accesses until it is complete.
///
/// # Errors
/// When `address` is null though `len` is not 0.
///
/// # Safety
/// The memory is valid until the operation is complete, as the header requires at each function.
pub unsafe fn memory(address: *mut c_void, len: usize, what: &str) -> Result<UserBuf, Failure> {
    match (address.is_null(), len) {
        (_, 0) => Ok(UserBuf::EMPTY),
        (true, _) => Err(null(what)),
        // SAFETY: the memory is valid for as long as the operation accesses it (contract of this
        // function).
        (false, _) => Ok(unsafe { UserBuf::new(address.cast(), len) }),
    }
}

/// Borrows the string at `address`; `None` for a null pointer.
///
/// # Errors
/// When the string is not UTF-8.
///
/// # Safety
/// An address that is not null points to a string that ends in a zero byte and does not change for
/// `'a`.
pub unsafe fn text<'a>(address: *const c_char, what: &str) -> Result<Option<&'a str>, Failure> {
    if address.is_null() {
        return Ok(None);
    }
    // SAFETY: the string ends in a zero byte and does not change (contract of this function).
    let text = unsafe { CStr::from_ptr(address) };
    let text = text.to_str().map_err(|_| {
        let lossy = text.to_string_lossy();
        Failure::argument(format!("{what} `{lossy}` is not UTF-8"))
    })?;
    Ok(Some(text))
}

/// Writes `value` to `address`, which the output parameter `what` points to.
///
/// # Errors
/// When `address` is null.
///
/// # Safety
/// An address that is not null points to memory for a `T`.
pub unsafe fn store<T>(address: *mut T, value: T, what: &str) -> Result<(), Failure> {
    if address.is_null() {
        return Err(null(what));
    }
    // SAFETY: the address is not null, so there is memory for a `T` (contract of this function).
    unsafe { address.write(value) };
    Ok(())
}

/// Writes the number of `bytes` to `len`, and the bytes to the buffer of `capacity` bytes at
/// `address`. A caller that wants the number alone passes a null pointer and a capacity of 0.
///
/// # Errors
/// When a pointer is null, and when the bytes do not fit; `len` has their number then as well.
///
/// # Safety
/// An `address` that is not null points to `capacity` writable bytes, which do not overlap `bytes`;
/// a `len` that is not null points to a `usize`.
pub unsafe fn store_bytes(
    bytes: &[u8],
    address: *mut c_void,
    capacity: usize,
    len: *mut usize,
) -> Result<(), Failure> {
    // SAFETY: `len` is null or points to a `usize` (contract of this function).
    unsafe { store(len, bytes.len(), "len") }?;
    match (address.is_null(), bytes.len() <= capacity) {
        (true, _) if capacity == 0 => Ok(()),
        (true, _) => Err(null("bytes")),
        (false, false) => {
            let text = format!("{} bytes do not fit into {capacity}", bytes.len());
            Err(Failure::new(code::ERR_TOO_LARGE, text))
        }
        (false, true) => {
            // SAFETY: the buffer has `capacity` bytes, which do not overlap `bytes` (contract of
            // this function), and the arm's condition says that they suffice.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address.cast(), bytes.len()) };
            Ok(())
        }
    }
}

/// Converts an atomic operation: `op` is a value of `enum oxmpi_bml_op`, `bytes` the size of the
/// operands.
///
/// # Errors
/// When there is no such operation, or none on operands of this size.
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
            let text = format!("operation {other}: not a value of enum oxmpi_bml_op");
            return Err(Failure::argument(text));
        }
    };
    let width = match bytes {
        4 => Width::Four,
        8 => Width::Eight,
        other => {
            let text = format!("operands of {other} bytes: atomic operations have 4 or 8");
            return Err(Failure::argument(text));
        }
    };
    Ok(Atomic { op, width, operand })
}

/// Returns the error for a null pointer passed as `what`.
pub fn null(what: &str) -> Failure {
    Failure::argument(format!("{what} is a null pointer"))
}
