//! The interface of Fortran over the standard ABI: constants are those of C, and a handle is the
//! INTEGER that `MPI_X_toint` has for it.

use std::ffi::c_void;

use edge::constants::{Constants, Limits, Pairs, STANDARD};
use edge::interface::{Abi, Kind};
use edge::section;
use edge::types::{File, Status};

use crate::sentinel;

/// Fortran over the standard ABI.
pub struct Fortran;

impl Abi for Fortran {
    type Handle = i32;
    type File = i32;
    type Status = Status;
    type Fortran = Fortran;
    type Descriptor = section::Standard;
    const LIMITS: Limits = STANDARD;

    #[inline(always)]
    fn pairs(_group: &'static Constants) -> Pairs {
        &[]
    }

    #[inline(always)]
    fn decode<K: Kind>(handle: i32) -> K {
        K::from_int(handle)
    }

    #[inline(always)]
    fn encode<K: Kind>(handle: K) -> i32 {
        handle.to_int()
    }

    fn decode_file(handle: i32) -> File {
        File::from_int(handle)
    }

    fn encode_file(handle: File) -> i32 {
        handle.to_int()
    }

    #[inline(always)]
    fn buffer(address: *mut c_void) -> *mut c_void {
        sentinel::buffer_at(address)
    }

    fn weights(address: *mut i32) -> *mut i32 {
        sentinel::weights_at(address)
    }

    fn is_ignored(status: *const Status) -> bool {
        let at = status.cast_mut();
        sentinel::status_out(at) != at || sentinel::statuses_out(at) != at
    }

    fn is_absent(list: *const c_void) -> bool {
        sentinel::is_absent(list)
    }

    fn read(status: &Status) -> Status {
        *status
    }

    fn write(from: &Status, to: &mut Status) {
        *to = *from;
    }

    fn error(status: &mut Status) -> &mut i32 {
        &mut status.error
    }
}
