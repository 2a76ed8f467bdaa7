//! The table of communicators: opens and closes them, and interprets their messages.

use std::sync::Arc;

use base::{Key, PeerId, Rank};
use mca::Framework;
use mtl::Envelope;
use pml::{Context, Failure, Status, Tag};

use crate::comm::Comm;
use crate::state::State;

impl State {
    pub(crate) fn open_comm(&mut self, context: Context, peers: Vec<PeerId>) -> Key {
        let folded = (self.fold)(context, self.peers.len(), self.layout.context_bits());
        let bits = self.layout.context(folded);
        let taken = self
            .contexts
            .get(&bits)
            .and_then(|key| self.comms.get(*key));
        let refused = taken.map(|other| {
            let why = format!(
                "the network's labels cannot distinguish communicator {:#x} from {:#x}, which is \
                 open; `--mca mtl_ofi_tag_mode ofi_tag_2` leaves them more bits, \
                 `--mca pml ob1` needs none",
                context.0, other.context.0
            );
            Framework::Pml.error(format_args!("{why}"));
            Arc::from(why)
        });
        let fresh = refused.is_none();
        let comm = Comm::new(context, bits, peers, refused);
        let key = self.comms.insert(comm);
        if fresh {
            self.contexts.insert(bits, key);
        }
        key
    }

    pub(crate) fn close_comm(&mut self, key: Key) {
        if let Some(comm) = self.comms.get_mut(key) {
            comm.closed = true;
            self.drop_if_closed(key);
        }
    }

    /// Lets a communicator go that was closed and that no request needs any more.
    fn drop_if_closed(&mut self, key: Key) {
        let over = |comm: &Comm| comm.closed && comm.users == 0;
        if !self.comms.get(key).is_some_and(over) {
            return;
        }
        if let Some(comm) = self.comms.remove(key) {
            if comm.refused.is_none() {
                self.contexts.remove(&comm.bits);
            }
        }
    }

    /// One request less that needs a communicator.
    #[inline]
    pub(crate) fn leave_comm(&mut self, key: Key) {
        if let Some(comm) = self.comms.get_mut(key) {
            comm.users -= 1;
            if comm.closed {
                self.drop_if_closed(key);
            }
        }
    }

    /// Returns the MPI status of a message.
    #[inline]
    pub(crate) fn status_of(&self, comm: Key, envelope: &Envelope) -> Status {
        let comm = self.comms.get(comm);
        let rank = |from| comm.and_then(|comm| comm.rank_of(from));
        let mark = match (comm, envelope.note) {
            (Some(comm), Some(note)) => note ^ comm.note,
            _ => 0,
        };
        Status {
            source: envelope.from.and_then(rank),
            tag: self.layout.tag_of(envelope.bits) | Tag::from(mark) << 32,
            bytes: envelope.len,
            ..Status::EMPTY
        }
    }

    /// Returns why a receive in a communicator must not have a message, whose sender there is
    /// `source`; `None` where it may.
    #[inline]
    pub(crate) fn mismatch(
        &self,
        comm: Key,
        mark: u16,
        source: Option<Rank>,
        envelope: &Envelope,
    ) -> Option<Failure> {
        let comm = self.comms.get(comm)?;
        let strange = envelope.note.is_some_and(|note| note != comm.note ^ mark);
        if !strange && source.is_some() {
            return None;
        }
        let context = comm.context.0;
        let why = match strange {
            true => format!(
                "a receive in communicator {context:#x} got a message of another one, which \
                 the network's labels do not distinguish; `--mca pml ob1` does"
            ),
            false => format!(
                "a receive in communicator {context:#x} got a message of a process that is not \
                 in it: label {:#x}",
                envelope.bits
            ),
        };
        Some(Failure::Refused { why: why.into() })
    }
}
