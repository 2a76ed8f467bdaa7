//! The interface of `/dev/xpmem`, after the header `xpmem_internal.h` of
//! <https://github.com/hpc/xpmem> (LGPL 2.1): the numbers of the requests, and what each takes.

use std::ffi::{c_int, c_ulong, CStr};
use std::io;
use std::mem::offset_of;

use crate::smsc::system::{request, Argument, Device};

pub(super) const PATH: &CStr = c"/dev/xpmem";

/// Length of a segment that is all of an address space.
const WHOLE: usize = usize::MAX;
/// Permissions are those of a file's mode: the only kind there is.
const PERMIT_MODE: c_int = 1;
/// Access of all that the mode admits: reading and writing.
const READ_WRITE: c_int = 2;

/// `_IO('x', number)`.
const fn number(number: u8) -> c_ulong {
    ((b'x' as c_ulong) << 8) | number as c_ulong
}

#[repr(C)]
#[derive(Default)]
struct Make {
    address: u64,
    len: usize,
    permit_type: c_int,
    permit_value: u64,
    segment: i64,
}

#[repr(C)]
struct Remove {
    segment: i64,
}

#[repr(C)]
#[derive(Default)]
struct Get {
    segment: i64,
    flags: c_int,
    permit_type: c_int,
    permit_value: u64,
    permit: i64,
}

#[repr(C)]
struct Release {
    permit: i64,
}

#[repr(C)]
#[derive(Default)]
struct Attach {
    permit: i64,
    offset: i64,
    len: usize,
    address: u64,
    fd: c_int,
    flags: c_int,
}

#[repr(C)]
struct Detach {
    address: u64,
}

#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<Make>() == 40 && offset_of!(Make, permit_value) == 24);
    assert!(offset_of!(Make, segment) == 32);
    assert!(size_of::<Get>() == 32 && offset_of!(Get, permit_value) == 16);
    assert!(offset_of!(Get, permit) == 24);
    assert!(size_of::<Attach>() == 40 && offset_of!(Attach, address) == 24);
    assert!(offset_of!(Attach, fd) == 32);
};

macro_rules! requests {
    ($($argument:ident = $number:literal),*) => {$(
        // SAFETY: integers alone, laid out by `repr(C)` as the header has them (see above).
        unsafe impl Argument for $argument {
            const REQUEST: c_ulong = number($number);
        }
    )*};
}

requests!(
    Make = 1,
    Remove = 2,
    Get = 3,
    Release = 4,
    Attach = 5,
    Detach = 6
);

/// Makes the whole address space a segment, for processes of this user, and returns its name.
pub(super) fn make(device: &dyn Device) -> io::Result<i64> {
    let mut argument = Make {
        len: WHOLE,
        permit_type: PERMIT_MODE,
        permit_value: 0o600,
        ..Make::default()
    };
    request(device, &mut argument)?;
    Ok(argument.segment)
}

/// Ends a segment: attachments of it are void.
pub(super) fn remove(device: &dyn Device, segment: i64) -> io::Result<()> {
    request(device, &mut Remove { segment })
}

/// The permit to attach parts of a segment.
pub(super) fn get(device: &dyn Device, segment: i64) -> io::Result<i64> {
    let mut argument = Get {
        segment,
        flags: READ_WRITE,
        permit_type: PERMIT_MODE,
        ..Get::default()
    };
    request(device, &mut argument)?;
    Ok(argument.permit)
}

/// Gives a permit back.
pub(super) fn release(device: &dyn Device, permit: i64) -> io::Result<()> {
    request(device, &mut Release { permit })
}

/// Maps `len` bytes at `offset` of a segment, both whole pages, and returns the address.
pub(super) fn attach(device: &dyn Device, permit: i64, offset: u64, len: usize) -> io::Result<u64> {
    let mut argument = Attach {
        permit,
        offset: offset as i64,
        len,
        ..Attach::default()
    };
    request(device, &mut argument)?;
    Ok(argument.address)
}

/// Unmaps what was attached at an address.
pub(super) fn detach(device: &dyn Device, address: u64) -> io::Result<()> {
    request(device, &mut Detach { address })
}

/// For tests: what the numbers are.
#[cfg(test)]
pub(super) const NUMBERS: [c_ulong; 6] = [
    Make::REQUEST,
    Remove::REQUEST,
    Get::REQUEST,
    Release::REQUEST,
    Attach::REQUEST,
    Detach::REQUEST,
];
