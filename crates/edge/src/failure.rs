//! Going on after processes have failed (ULFM), by the extensions of the standard library.

use std::mem::transmute;

use crate::generated::types::{Comm, Group};
use crate::handle::{handle_in, HandleOut};
use crate::interface::Abi;
use crate::table;
use crate::value::finish;

/// Positions in the table of extensions.
const REVOKE: usize = 14;
const FAILURE_ACK: usize = 15;
const FAILURE_GET_ACKED: usize = 16;
const AGREE: usize = 17;
const SHRINK: usize = 18;

type OfComm = unsafe extern "C" fn(Comm) -> i32;
type WithPlace<T> = unsafe extern "C" fn(Comm, *mut T) -> i32;

/// `MPIX_Comm_revoke`.
///
/// # Safety
/// The arguments are as the extension asks for them.
pub unsafe fn revoke<A: Abi>(comm: A::Handle) -> i32 {
    // SAFETY: the extension has this type.
    let call = unsafe { transmute::<usize, OfComm>(table::extension(REVOKE)) };
    // SAFETY: as the caller says.
    finish::<A>(unsafe { call(handle_in::<A, Comm>(comm)) })
}

/// `MPIX_Comm_failure_ack`.
///
/// # Safety
/// The arguments are as the extension asks for them.
pub unsafe fn ack<A: Abi>(comm: A::Handle) -> i32 {
    // SAFETY: the extension has this type.
    let call = unsafe { transmute::<usize, OfComm>(table::extension(FAILURE_ACK)) };
    // SAFETY: as the caller says.
    finish::<A>(unsafe { call(handle_in::<A, Comm>(comm)) })
}

/// `MPIX_Comm_failure_get_acked`.
///
/// # Safety
/// The arguments are as the extension asks for them.
pub unsafe fn get_acked<A: Abi>(comm: A::Handle, group: *mut A::Handle) -> i32 {
    // SAFETY: the extension has this type.
    let call = unsafe { transmute::<usize, WithPlace<Group>>(table::extension(FAILURE_GET_ACKED)) };
    let mut made = HandleOut::<A, Group>::new(group);
    // SAFETY: as the caller says.
    finish::<A>(unsafe { call(handle_in::<A, Comm>(comm), made.c()) })
}

/// `MPIX_Comm_agree`.
///
/// # Safety
/// The arguments are as the extension asks for them.
pub unsafe fn agree<A: Abi>(comm: A::Handle, flag: *mut i32) -> i32 {
    // SAFETY: the extension has this type.
    let call = unsafe { transmute::<usize, WithPlace<i32>>(table::extension(AGREE)) };
    // SAFETY: as the caller says.
    finish::<A>(unsafe { call(handle_in::<A, Comm>(comm), flag) })
}

/// `MPIX_Comm_shrink`.
///
/// # Safety
/// The arguments are as the extension asks for them.
pub unsafe fn shrink<A: Abi>(comm: A::Handle, made: *mut A::Handle) -> i32 {
    // SAFETY: the extension has this type.
    let call = unsafe { transmute::<usize, WithPlace<Comm>>(table::extension(SHRINK)) };
    let mut made = HandleOut::<A, Comm>::new(made);
    // SAFETY: as the caller says.
    finish::<A>(unsafe { call(handle_in::<A, Comm>(comm), made.c()) })
}
