//! Handles of requests.
//!
//! Most requests are plain messages. Their handles are the engine's own names of them
//! ([`message_of`]), so such a request is stored once. The others have entries in a table.

use std::sync::Arc;

use mpi::Request;
use pml::RequestId;

use crate::args;
use crate::failure::On;
use crate::generated::constants::{MPI_COMM_NULL, MPI_REQUEST_NULL};
use crate::handle_table::Kind;
use crate::stage::Stage;

/// A request, and the communicator whose error handler gets its failure.
pub struct Entry {
    /// The request.
    pub request: Request,
    /// The communicator it was started on, or what [`of_window`] makes of a
    /// window and [`of_file`] of a file.
    pub on: args::Comm,
    /// The copies of its buffers, where a layer above has some.
    pub stage: Option<Arc<Stage>>,
}

impl Entry {
    /// Returns a request as it is made.
    pub fn new(request: Request, on: args::Comm) -> Entry {
        Entry {
            request,
            on,
            stage: None,
        }
    }
}

/// The kind of the handles of plain messages: what stands beside it is the engine's name of the
/// request. See [`crate::handle_table`] for handles and kinds.
const MESSAGE: u64 = 12 << 28;
const KIND_MASK: u64 = 0xF << 28;
/// The kinds of the handles of windows and of files.
const WINDOW: u64 = <args::Win as Kind>::TAG << 28;
const FILE: u64 = <args::File as Kind>::TAG << 28;

/// The plain message that a handle is for, if it is for one.
#[inline]
pub fn message_of(handle: args::Request) -> Option<RequestId> {
    let bits = handle.0 as u64;
    (bits & KIND_MASK == MESSAGE).then(|| RequestId::from_bits(bits & !KIND_MASK))
}

/// Handles of plain messages, by the slot in them.
#[derive(Default)]
pub struct Messages {
    /// The last handle of each slot, and the communicator it was started on.
    slots: Vec<(args::Request, args::Comm)>,
}

impl Messages {
    /// Makes the handle of a message; `None` where its name leaves no room for the kind.
    #[inline]
    pub fn handle(&mut self, message: RequestId, on: args::Comm) -> Option<args::Request> {
        let bits = message.bits();
        if bits & KIND_MASK != 0 {
            return None;
        }
        let slot = bits as u32 as usize;
        let handle = args::Request((bits | MESSAGE) as usize);
        match self.slots.get_mut(slot) {
            Some(known) => *known = (handle, on),
            None => self.grow(slot, (handle, on)),
        }
        Some(handle)
    }

    #[cold]
    fn grow(&mut self, slot: usize, known: (args::Request, args::Comm)) {
        let len = (slot + 1).next_power_of_two();
        self.slots.resize(len, (MPI_REQUEST_NULL, MPI_COMM_NULL));
        self.slots[slot] = known;
    }

    /// The communicator that the message of a handle was started on.
    pub fn on(&self, handle: args::Request) -> args::Comm {
        let slot = (handle.0 as u64 & !KIND_MASK) as u32 as usize;
        self.slots.get(slot).map_or(MPI_COMM_NULL, |known| known.1)
    }

    /// Returns the communicators that the last messages of all slots were started on. Some of these
    /// are over: the next message in the slot takes their place.
    pub fn all_started_on(&self) -> impl Iterator<Item = args::Comm> + '_ {
        self.slots.iter().map(|(_, on)| *on)
    }

    /// Returns the last handles of slots that were started on a communicator.
    pub fn started_on(&self, comm: args::Comm) -> impl Iterator<Item = args::Request> + '_ {
        let own = self.slots.iter().filter(move |(_, on)| *on == comm);
        own.map(|(handle, _)| *handle)
    }

    /// Returns the last handle of a slot, for a number that [`slot_of`] returned.
    pub fn handle_at(&self, slot: usize) -> args::Request {
        let known = self.slots.get(slot);
        known.map_or(args::Request(0), |known| known.0)
    }
}

/// Returns the slot of a plain message.
pub fn slot_of(message: RequestId) -> usize {
    message.bits() as u32 as usize
}

/// The handle of every send that was complete before it had a handle: all of them are alike. Its
/// slot is one that the table never uses.
pub const COMPLETE: args::Request = args::Request((5 << 28) | ((1 << 28) - 1));

/// Marks a request as one of a window's: its errors go to the window's handler.
pub fn of_window(win: args::Win) -> args::Comm {
    args::Comm(win.0)
}

/// Marks a request as one of a file's: its errors go to the file's handler.
pub fn of_file(file: args::File) -> args::Comm {
    args::Comm(file.0)
}

/// Returns the object that a request was started on: a communicator, a window or a file, by the
/// kind in the handle.
pub fn object(on: args::Comm) -> On {
    match on.0 as u64 & KIND_MASK {
        WINDOW => On::Win(args::Win(on.0)),
        FILE => On::File(args::File(on.0)),
        _ => On::Comm(on),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::constants::MPI_COMM_SELF;

    #[test]
    fn a_message_s_handle_says_which_it_is_and_where_it_was_started() {
        let mut messages = Messages::default();
        let message = RequestId::from_bits((7 << 32) | 5);
        let later = RequestId::from_bits((9 << 32) | 5);
        let handle = messages.handle(message, MPI_COMM_SELF).unwrap();
        assert!(handle.0 > 0xFFF);
        assert_eq!(message_of(handle), Some(message));
        assert_eq!(messages.on(handle), MPI_COMM_SELF);
        assert_eq!(messages.handle_at(slot_of(message)), handle);
        let other = messages.handle(later, MPI_COMM_SELF).unwrap();
        assert_ne!(handle, other);
        assert_eq!(messages.handle_at(slot_of(message)), other);
        for bits in [COMPLETE.0, MPI_REQUEST_NULL.0, 0, 5 << 28] {
            let none = args::Request(bits);
            assert_eq!(message_of(none), None);
        }
        assert_eq!(messages.handle_at(1 << 20), args::Request(0));
        let no_room = RequestId::from_bits((7 << 32) | (1 << 28));
        assert_eq!(messages.handle(no_room, MPI_COMM_SELF), None);
    }
}
