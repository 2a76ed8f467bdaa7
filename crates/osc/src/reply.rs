//! The answer to a message that has just come, on its way past the queues.
//!
//! An arrival is handled while the lanes are being polled, so what it is answered has to wait for
//! the poll's end. One answer at a time waits in a place of its own, whole and with its number; the
//! driver sends it from there ([`Osc::reply`]), or leaves it, and it goes to its peer's queue
//! as all others do.

use ::memory::{Payload, Slot, UserBuf};
use base::PeerId;

use crate::wire::{status, Header, HEADER_BYTES};
use crate::Osc;

/// A message for a lane, which is told what came of it ([`Osc::replied`], [`Osc::put_off`]).
#[derive(Debug)]
pub struct Reply {
    /// Whom it is for.
    pub peer: PeerId,
    /// The header.
    pub header: [u8; HEADER_BYTES],
    /// What follows the header.
    pub data: Data,
}

/// What an answer brings.
#[derive(Debug)]
pub enum Data {
    /// Bytes of this process's window, or none.
    Memory(UserBuf),
    /// What was there before.
    Read(Vec<u8>),
}

impl Data {
    /// No bytes.
    pub(crate) const NONE: Data = Data::Memory(UserBuf::EMPTY);

    /// How many bytes they are.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Data::Memory(bytes) => bytes.len(),
            Data::Read(bytes) => bytes.len(),
        }
    }

    /// Writes them.
    pub fn pack(&self, slot: &mut Slot<'_>) {
        match self {
            Data::Memory(bytes) => slot.write_user(0, *bytes),
            Data::Read(bytes) => slot.write(0, bytes),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Osc {
    /// Has an answer wait for the end of the poll. `Err` gives back what has to wait in a queue.
    #[inline]
    pub(crate) fn reply_with(
        &mut self,
        peer: PeerId,
        answer: Header,
        data: Data,
    ) -> Result<(), (Header, Data)> {
        let known = self.peers.get(peer.index());
        let sequence = known.and_then(|known| known.clear());
        let (Some(sequence), None) = (sequence, &self.reply) else {
            return Err((answer, data));
        };
        let bytes = match answer.status {
            status::OK => data.len() as u64,
            _ => answer.bytes,
        };
        let header = Header {
            sequence,
            bytes,
            ..answer
        };
        self.reply = Some(Reply {
            peer,
            header: header.to_bytes(),
            data,
        });
        Ok(())
    }

    /// Whether an answer waits for the end of the poll.
    #[inline]
    pub fn has_reply(&self) -> bool {
        self.reply.is_some()
    }

    /// The answer that waits for the end of the poll, which this is. Whoever sends it says what
    /// came of it before anything else happens.
    #[inline]
    pub fn reply(&self) -> Option<&Reply> {
        self.reply.as_ref()
    }

    /// The lane has taken it.
    #[inline]
    pub fn replied(&mut self) {
        let Some(Reply { peer, data, .. }) = self.reply.take() else {
            return;
        };
        self.peers[peer.index()].passed();
        if let Data::Read(room) = data {
            self.keep_room(room);
        }
    }

    /// The lane has not, or nobody sends it: it waits in its peer's queue, before those that came
    /// after it.
    #[inline]
    pub fn put_off(&mut self) {
        if self.reply.is_some() {
            self.answer_later();
        }
    }

    #[cold]
    fn answer_later(&mut self) {
        let Some(Reply { peer, header, data }) = self.reply.take() else {
            return;
        };
        let data = match data {
            Data::Memory(there) => self.copy(there),
            Data::Read(bytes) => bytes,
        };
        // It is one of this process.
        if let Ok(header) = Header::decode(&Payload::from(&header[..])) {
            self.answer_first(peer, header, data);
        }
    }

    /// Memory is about to change: an answer brings what was there before.
    #[inline]
    pub(crate) fn keep_read(&mut self) {
        let reply = self.reply.as_ref();
        if reply
            .is_some_and(|reply| matches!(&reply.data, Data::Memory(there) if !there.is_empty()))
        {
            self.put_off();
        }
    }

    /// A copy of bytes of a window.
    pub(crate) fn copy(&mut self, there: UserBuf) -> Vec<u8> {
        let mut bytes = self.spare.pop().unwrap_or_default();
        bytes.resize(there.len(), 0);
        there.read(0, &mut bytes);
        bytes
    }
}
