//! `MPI_Status`: what its private words hold (MPI 5.0, 3.2.5 and 20.3).
//!
//! Words 0 and 1 hold the number of bytes, word 2 whether the operation was cancelled. The
//! struct is aligned as `int` only, so the bytes are split by hand.

use mpi::Outcome;

use crate::args::Status;
use crate::failure::Failure;
use crate::generated::constants::{MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_PROC_NULL, MPI_SUCCESS};

impl Status {
    /// The status of a null or inactive request, and of a send.
    pub const EMPTY: Status = Status {
        source: MPI_ANY_SOURCE,
        tag: MPI_ANY_TAG,
        error: MPI_SUCCESS,
        internal: [0; 5],
    };

    /// The status of a receive from nobody (MPI 5.0, 3.10).
    pub const PROC_NULL: Status = Status {
        source: MPI_PROC_NULL,
        tag: MPI_ANY_TAG,
        error: MPI_SUCCESS,
        internal: [0; 5],
    };

    /// What is known of a completed operation.
    #[inline]
    pub fn of(known: &pml::Status) -> Status {
        let Some(source) = known.source else {
            let mut status = if known.nobody {
                Status::PROC_NULL
            } else {
                Status::EMPTY
            };
            status.set_cancelled(known.cancelled);
            return status;
        };
        let mut status = Status {
            source: source.0 as i32,
            tag: known.tag as i32,
            ..Status::EMPTY
        };
        status.set_bytes(known.bytes as i64);
        status
    }

    /// What a status that the application filled in says.
    pub fn known(&self) -> pml::Status {
        pml::Status {
            source: u32::try_from(self.source).ok().map(base::Rank),
            tag: self.tag.into(),
            bytes: self.bytes() as u64,
            cancelled: self.cancelled(),
            nobody: self.source == MPI_PROC_NULL,
        }
    }

    /// The bytes received.
    pub fn bytes(&self) -> i64 {
        let low = self.internal[0] as u32 as u64;
        let high = self.internal[1] as u32 as u64;
        (low | (high << 32)) as i64
    }

    /// Sets the bytes received.
    #[inline]
    pub fn set_bytes(&mut self, bytes: i64) {
        self.internal[0] = bytes as i32;
        self.internal[1] = (bytes >> 32) as i32;
    }

    /// Whether the operation was cancelled.
    pub fn cancelled(&self) -> bool {
        self.internal[2] != 0
    }

    /// Says whether the operation was cancelled.
    pub fn set_cancelled(&mut self, cancelled: bool) {
        self.internal[2] = i32::from(cancelled);
    }
}

/// Stores a status without its error field, where the user wants it (MPI 5.0, 3.2.5: calls that
/// return one status leave the field alone).
///
/// # Safety
/// `place` is null or points to a status.
#[inline]
pub unsafe fn store(place: *mut Status, status: &Status) {
    if place.is_null() {
        return;
    }
    // SAFETY: promised by the caller.
    unsafe {
        (*place).source = status.source;
        (*place).tag = status.tag;
        (*place).internal = status.internal;
    }
}

/// Stores the empty status: of no operation, so its error field is set too (MPI 5.0, 3.7.3).
///
/// # Safety
/// `place` is null or points to a status.
#[cold]
pub unsafe fn store_empty(place: *mut Status) {
    if !place.is_null() {
        // SAFETY: promised by the caller.
        unsafe { place.write(Status::EMPTY) };
    }
}

/// Stores what is known of an operation, and tells its failure.
///
/// # Safety
/// `place` is null or points to a status.
pub unsafe fn store_outcome(
    place: *mut Status,
    outcome: &Outcome,
    failure: Option<Failure>,
) -> Result<(), Failure> {
    // SAFETY: promised by the caller.
    unsafe { store(place, &Status::of(&outcome.status)) };
    failure.map_or(Ok(()), Err)
}
