//! `MPI_Status`, with the contents of its private integers (MPI 5.0, 3.2.5 and 20.3).
//!
//! Integers 0 and 1 hold the number of bytes, integer 2 whether the operation was cancelled. The
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

    /// Converts the status of a completed operation.
    #[inline]
    pub fn of(known: &pml::Status) -> Status {
        let Some(source) = known.source else {
            let mut status = if known.nobody {
                Status::PROC_NULL
            } else {
                Status::EMPTY
            };
            // An access to a file has data from no rank.
            status.set_bytes(known.bytes as i64);
            status.set_cancelled(known.cancelled);
            return status;
        };
        let mut status = Status {
            source: source.0 as i32,
            tag: known.tag as i32,
            ..Status::EMPTY
        };
        status.set_bytes(known.bytes as i64);
        // Of a message with a source this is never so; of a generalized request it may be.
        status.set_cancelled(known.cancelled);
        status
    }

    /// Converts a status that the application filled in. Its source may be any number, and comes
    /// back from [`Status::of`] as it was.
    pub fn known(&self) -> pml::Status {
        pml::Status {
            source: Some(base::Rank(self.source as u32)),
            tag: self.tag.into(),
            bytes: self.bytes() as u64,
            cancelled: self.cancelled(),
            nobody: false,
            mark: 0,
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

/// A slot for a status that the user wants, or none: `MPI_STATUS_IGNORE` is a null pointer.
#[derive(Clone, Copy, Debug)]
pub struct OutStatus(*mut Status);

/// Room for the statuses that the user wants, or none: `MPI_STATUSES_IGNORE` is a null pointer.
#[derive(Clone, Copy, Debug)]
pub struct OutStatuses {
    first: *mut Status,
    length: usize,
}

impl OutStatus {
    /// Returns the slot that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to a status as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(slot: *mut Status) -> OutStatus {
        OutStatus(slot)
    }

    /// Stores a status without its error field (MPI 5.0, 3.2.5: calls that return one status leave
    /// the field alone).
    #[inline]
    pub fn set(self, status: &Status) {
        let OutStatus(slot) = self;
        if slot.is_null() {
            return;
        }
        // SAFETY: it is not null, so it points to a status (`OutStatus::new`).
        unsafe {
            (*slot).source = status.source;
            (*slot).tag = status.tag;
            (*slot).internal = status.internal;
        }
    }

    /// Stores a status and its error field.
    #[inline]
    pub fn set_with_error(self, status: &Status, error: i32) {
        self.set(status);
        self.set_error(error);
    }

    /// Stores the error field alone.
    #[inline]
    pub fn set_error(self, error: i32) {
        let OutStatus(slot) = self;
        if !slot.is_null() {
            // SAFETY: it is not null, so it points to a status (`OutStatus::new`).
            unsafe { (*slot).error = error };
        }
    }

    /// Stores the empty status: of no operation, so its error field is set too (MPI 5.0, 3.7.3).
    #[cold]
    pub fn set_empty(self) {
        self.set_with_error(&Status::EMPTY, Status::EMPTY.error);
    }

    /// Stores the outcome of an operation, and returns its failure.
    pub fn set_outcome(self, outcome: &Outcome, failure: Option<Failure>) -> Result<(), Failure> {
        self.set(&Status::of(&outcome.status));
        failure.map_or(Ok(()), Err)
    }
}

impl OutStatuses {
    /// Returns the room that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to `length` statuses as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(first: *mut Status, length: i64) -> OutStatuses {
        OutStatuses {
            first,
            length: usize::try_from(length).unwrap_or(0),
        }
    }

    /// Whether the user wants any.
    #[inline]
    pub fn are_wanted(self) -> bool {
        !self.first.is_null()
    }

    /// Returns the slot of one status, or none.
    ///
    /// # Panics
    /// There is no room for a status at this position.
    #[inline]
    pub fn at(self, at: usize) -> OutStatus {
        assert!(at < self.length);
        match self.first.is_null() {
            true => OutStatus(self.first),
            false => OutStatus(self.first.wrapping_add(at)),
        }
    }
}
