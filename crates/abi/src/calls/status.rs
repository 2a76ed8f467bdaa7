//! The public fields of a status, for languages that cannot name them (MPI 5.0, 3.2.5).

use crate::args::{self, Status};
use crate::failure::Failure;

/// `MPI_Status_get_source`.
pub unsafe fn status_get_source(status: *const Status, source: *mut i32) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a status and a place for an integer.
    unsafe { args::write(source, args::read(status, "status")?.source, "source") }
}

/// `MPI_Status_get_tag`.
pub unsafe fn status_get_tag(status: *const Status, tag: *mut i32) -> Result<(), Failure> {
    // SAFETY: as in `status_get_source`.
    unsafe { args::write(tag, args::read(status, "status")?.tag, "tag") }
}

/// `MPI_Status_get_error`.
pub unsafe fn status_get_error(status: *const Status, error: *mut i32) -> Result<(), Failure> {
    // SAFETY: as in `status_get_source`.
    unsafe { args::write(error, args::read(status, "status")?.error, "err") }
}

/// `MPI_Status_set_source`.
pub unsafe fn status_set_source(status: *mut Status, source: i32) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a status that may be written.
    unsafe { change(status, |status| status.source = source) }
}

/// `MPI_Status_set_tag`.
pub unsafe fn status_set_tag(status: *mut Status, tag: i32) -> Result<(), Failure> {
    // SAFETY: as in `status_set_source`.
    unsafe { change(status, |status| status.tag = tag) }
}

/// `MPI_Status_set_error`.
pub unsafe fn status_set_error(status: *mut Status, error: i32) -> Result<(), Failure> {
    // SAFETY: as in `status_set_source`.
    unsafe { change(status, |status| status.error = error) }
}

/// # Safety
/// A `status` that is not null points to a status that may be written.
unsafe fn change(status: *mut Status, change: impl FnOnce(&mut Status)) -> Result<(), Failure> {
    // SAFETY: the caller promises it; a copy is changed, so that no reference to user memory lives.
    unsafe {
        let mut copy = args::read(status, "status")?;
        change(&mut copy);
        args::write(status, copy, "status")
    }
}
