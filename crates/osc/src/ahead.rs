//! The message ahead of the queues: a reply to the message just handled, or a control message.
//!
//! An arrival is handled while the lanes are being polled, so its reply has to wait for the poll's
//! end. One message at a time waits in a slot of its own, whole and numbered. The driver sends it
//! from there ([`Osc::ahead`]), or leaves it, and it goes to its peer's queue as all others do;
//! that takes twice the instructions of the request that it answers. One too long for its lane goes
//! in parts, straight out of the window's memory ([`Osc::cut_ahead`]): the queue would copy it.

use ::memory::{Payload, Slot, UserBuf};
use base::PeerId;

use crate::peer::is_answer;
use crate::wire::{status, Header, HEADER_BYTES};
use crate::Osc;

/// A message for a lane, whose fate the driver reports ([`Osc::ahead_sent`], [`Osc::put_off`]).
#[derive(Debug)]
pub struct Ahead {
    /// The receiver.
    pub peer: PeerId,
    /// The data behind `head`, without what has been sent already.
    data: Data,
    /// Bytes of the data that go now.
    part: usize,
    head: [u8; HEADER_BYTES + WITH_HEADER_MAX],
    /// Bytes behind the header in `head`.
    with_header: usize,
}

/// Most bytes that go with the header, as if part of it: every single element fits.
pub(crate) const WITH_HEADER_MAX: usize = 16;

impl Ahead {
    /// Returns the header, and the data that goes with it.
    #[inline]
    pub fn head(&self) -> &[u8] {
        &self.head[..HEADER_BYTES + self.with_header]
    }

    /// Reserves `len` bytes that go with the header.
    #[inline]
    fn behind_header(&mut self, len: usize) -> &mut [u8] {
        self.with_header = len;
        &mut self.head[HEADER_BYTES..][..len]
    }

    /// Bytes of the message.
    #[allow(clippy::len_without_is_empty)]
    #[inline]
    pub fn len(&self) -> usize {
        self.head().len() + self.part
    }

    /// Returns the data behind the head, where it is memory of this process's window, or empty.
    #[inline]
    pub fn contiguous(&self) -> Option<UserBuf> {
        match &self.data {
            Data::Memory(bytes) => Some(bytes.part(0, self.part)),
            Data::Now(_) | Data::Read(_) => None,
        }
    }

    /// Writes the data behind the head.
    pub fn pack(&self, slot: &mut Slot<'_>) {
        match &self.data {
            Data::Memory(bytes) | Data::Now(bytes) => slot.write_user(0, bytes.part(0, self.part)),
            Data::Read(bytes) => slot.write(0, bytes),
        }
    }

    /// Cuts `part` bytes off the data, with a header that says so.
    #[cold]
    fn cut(&mut self, part: usize, sequence: u32, begun: usize) {
        let Ok(header) = Header::decode(&Payload::from(&self.head[..HEADER_BYTES])) else {
            return debug_assert!(false, "it is one of this process");
        };
        let header = Header {
            sequence,
            position: header.position + begun as u64,
            bytes: part as u64,
            ..header
        };
        self.part = part;
        self.head[..HEADER_BYTES].copy_from_slice(&header.to_bytes());
    }
}

/// The data of a message.
#[derive(Debug)]
pub(crate) enum Data {
    /// Bytes of this process's window, or none, to be read as they are sent.
    Memory(UserBuf),
    /// A few bytes of this process's window, to be read as the reply is made.
    Now(UserBuf),
    /// Bytes of its own, such as the previous content.
    Read(Vec<u8>),
}

impl Data {
    /// No bytes.
    pub(crate) const NONE: Data = Data::Memory(UserBuf::EMPTY);

    /// Returns the number of bytes.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Data::Memory(bytes) | Data::Now(bytes) => bytes.len(),
            Data::Read(bytes) => bytes.len(),
        }
    }
}

impl Osc {
    /// Returns the number of a message to a peer that may wait for the driver ([`Osc::go_ahead`]);
    /// `None` where it has to wait in a queue.
    #[inline]
    pub(crate) fn way_ahead(&self, peer: PeerId) -> Option<u32> {
        let known = self.peers.get(peer.index());
        known.filter(|_| self.ahead.is_none())?.clear()
    }

    /// Leaves a message for the driver, ahead of the queues.
    #[inline(always)]
    pub(crate) fn go_ahead(&mut self, peer: PeerId, sequence: u32, answer: Header, data: Data) {
        let bytes = match answer.status {
            status::OK => data.len() as u64,
            _ => answer.bytes,
        };
        let header = Header {
            sequence,
            bytes,
            ..answer
        };
        // Built in place: words that were just stored are not to be copied by vectors at once.
        let ahead = self.ahead.insert(Ahead {
            peer,
            data: Data::NONE,
            part: 0,
            head: [0; HEADER_BYTES + WITH_HEADER_MAX],
            with_header: 0,
        });
        ahead.head[..HEADER_BYTES].copy_from_slice(&header.to_bytes());
        match data {
            Data::Now(there) => there.read(0, ahead.behind_header(there.len())),
            Data::Read(read) if read.len() <= WITH_HEADER_MAX => {
                ahead.behind_header(read.len()).copy_from_slice(&read);
                self.keep_room(read);
            }
            data => {
                ahead.part = data.len();
                ahead.data = data;
            }
        }
    }

    /// Whether a message waits for the driver.
    #[inline]
    pub fn has_ahead(&self) -> bool {
        self.ahead.is_some()
    }

    /// Returns the message that waits for the driver, once the lanes are free. The sender reports
    /// its fate before anything else happens.
    #[inline]
    pub fn ahead(&self) -> Option<&Ahead> {
        self.ahead.as_ref()
    }

    /// Cuts the message that waits for the driver to `max` bytes, more than a header, if it is a
    /// reply out of memory; the rest waits then, once this part is sent.
    pub fn cut_ahead(&mut self, max: usize) {
        let Some(ahead) = &mut self.ahead else {
            return;
        };
        if ahead.len() > max && matches!(ahead.data, Data::Memory(_)) {
            let sequence = self.peers[ahead.peer.index()].sent();
            ahead.cut(max - HEADER_BYTES, sequence, 0);
        }
    }

    /// Records that the lane has taken the message ahead of the queues.
    #[inline]
    pub fn ahead_sent(&mut self) {
        let Some(ahead) = &mut self.ahead else {
            return;
        };
        let known = &mut self.peers[ahead.peer.index()];
        known.passed();
        match &mut ahead.data {
            Data::Memory(there) if ahead.part < there.len() => {
                let begun = ahead.part;
                *there = there.from(begun);
                let left = there.len();
                ahead.cut(left, known.sent(), begun);
                return;
            }
            _ => {}
        }
        if let Some(Data::Read(room)) = self.ahead.take().map(|ahead| ahead.data) {
            self.keep_room(room);
        }
    }

    /// Moves the message ahead of the queues into its peer's queue, before later ones: the lane has
    /// not taken it, or nobody sends it.
    #[inline]
    pub fn put_off(&mut self) {
        if self.ahead.is_some() {
            self.wait_in_turn();
        }
    }

    #[cold]
    fn wait_in_turn(&mut self) {
        let Some(ahead) = self.ahead.take() else {
            return;
        };
        let with_header = ahead.head()[HEADER_BYTES..].to_vec();
        let Ahead {
            peer, data, head, ..
        } = ahead;
        let data = match data {
            _ if !with_header.is_empty() => with_header,
            Data::Memory(there) | Data::Now(there) => self.copy(there),
            Data::Read(bytes) => bytes,
        };
        match Header::decode(&Payload::from(&head[..])) {
            Ok(header) if is_answer(header.kind) => self.answer_first(peer, header, data),
            Ok(header) => self.ask_first(peer, header),
            Err(_) => debug_assert!(false, "it is one of this process"),
        }
    }

    /// Copies the reply that waits for the driver: the memory that it reads is about to change.
    #[inline]
    pub(crate) fn keep_read(&mut self) {
        let ahead = self.ahead.as_ref();
        if ahead
            .is_some_and(|ahead| matches!(&ahead.data, Data::Memory(there) if !there.is_empty()))
        {
            self.put_off();
        }
    }

    /// Returns the data of a reply out of memory that changes as soon as it is made.
    #[inline]
    pub(crate) fn before(&mut self, there: UserBuf) -> Data {
        match there.len() {
            ..=WITH_HEADER_MAX => Data::Now(there),
            _ => Data::Read(self.copy(there)),
        }
    }

    /// Returns a copy of bytes of a window.
    pub(crate) fn copy(&mut self, there: UserBuf) -> Vec<u8> {
        let mut bytes = self.spare.pop().unwrap_or_default();
        bytes.resize(there.len(), 0);
        there.read(0, &mut bytes);
        bytes
    }
}
