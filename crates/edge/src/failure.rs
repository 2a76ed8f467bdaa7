//! Going on after processes have failed (ULFM), by the extensions of the standard library.

use std::mem::transmute;

use crate::generated::types::{Comm, Group};
use crate::handle::HandleOut;
use crate::interface::Abi;
use crate::table;

/// Positions in the table of extensions.
const REVOKE: usize = 14;
const FAILURE_ACK: usize = 15;
const FAILURE_GET_ACKED: usize = 16;
const AGREE: usize = 17;
const SHRINK: usize = 18;

type OfComm = unsafe extern "C" fn(Comm) -> i32;
type WithPlace<T> = unsafe extern "C" fn(Comm, *mut T) -> i32;

/// Returns the extension at a position that takes a communicator.
fn of_comm(at: usize) -> OfComm {
    // SAFETY: the extensions at the positions above have these types, as their functions say.
    unsafe { transmute::<usize, OfComm>(table::extension(at)) }
}

/// Returns the extension at a position that takes a communicator and a place.
fn with_place<T>(at: usize) -> WithPlace<T> {
    // SAFETY: the extensions at the positions above have these types, as their functions say.
    unsafe { transmute::<usize, WithPlace<T>>(table::extension(at)) }
}

/// `MPIX_Comm_revoke`.
pub fn revoke(comm: Comm) -> i32 {
    // SAFETY: the standard library checks the handle.
    unsafe { of_comm(REVOKE)(comm) }
}

/// `MPIX_Comm_failure_ack`.
pub fn ack(comm: Comm) -> i32 {
    // SAFETY: the standard library checks the handle.
    unsafe { of_comm(FAILURE_ACK)(comm) }
}

/// `MPIX_Comm_failure_get_acked`.
///
/// # Safety
/// The address is null or that of a handle.
pub unsafe fn get_acked<A: Abi>(comm: Comm, group: *mut A::Handle) -> i32 {
    // SAFETY: the caller promises a place.
    unsafe { with_place(FAILURE_GET_ACKED)(comm, HandleOut::<A, Group>::new(group).c()) }
}

/// `MPIX_Comm_agree`.
///
/// # Safety
/// The address is null or that of a number.
pub unsafe fn agree(comm: Comm, flag: *mut i32) -> i32 {
    // SAFETY: the caller promises a place.
    unsafe { with_place(AGREE)(comm, flag) }
}

/// `MPIX_Comm_shrink`.
///
/// # Safety
/// The address is null or that of a handle.
pub unsafe fn shrink<A: Abi>(comm: Comm, made: *mut A::Handle) -> i32 {
    // SAFETY: the caller promises a place.
    unsafe { with_place(SHRINK)(comm, HandleOut::<A, Comm>::new(made).c()) }
}
