//! Partitioned communication (MPI 5.0, chapter 4): a message whose parts travel as they become
//! ready.
//!
//! Sender and receiver exchange nothing beforehand. [`labels`] pairs their requests, and gives each
//! pair message tags of its own.
//!
//! The number of partitions may differ on the two sides, and neither knows that of the other. So
//! the bytes, not the partitions, are cut into [`PIECES`] messages with a tag each. A piece is sent
//! when all partitions that it overlaps are ready; a partition has arrived when all pieces that it
//! overlaps have. If the receive buffer is longer than the message, the pieces arrive at wrong
//! offsets, and are moved once all have arrived.
//!
//! A buffer of a single partition, or of few bytes, travels in one message, with another tag. The
//! sender decides that once, for all starts. At the first start the receiver posts receives for
//! both forms, learns the form from the first message that arrives, and cancels the others.

pub(crate) mod labels;

use std::sync::Arc;

use datatype::Buffer;
use engine::Core;
use memory::{Scratch, UserBuf};
use pml::{Mode, Pattern, Pml, RequestId, Started, Status, Tag};

use self::labels::{label_tag, tag_of, PairForm};
pub use self::labels::{Pairing, Side};
use crate::outcome::Outcome;
use crate::tags::PARTITIONED_TAGS;
use crate::{Comm, Error};
use mpi_local::partition::{begin, touched, CUT_FROM, PIECES};

/// Index of the message that has all bytes; pieces have lower ones.
const WHOLE: usize = PIECES;
const _: () = assert!(WHOLE < 1 << labels::PLACE_BITS);

/// The messages of a partitioned operation that was started.
pub struct Transfers {
    comm: Arc<Comm>,
    pairing: Arc<Pairing>,
    side: Side,
    /// The pieces; empty if the bytes travel in one message.
    pieces: Vec<Transfer>,
    /// The message that has all bytes; `None` if the bytes travel in pieces.
    whole: Option<Transfer>,
    /// The message that carries the label to the receiver, at the first start, and its memory.
    label_message: Option<(Transfer, Scratch)>,
    buffer: Buffer,
    /// The packed bytes of elements with gaps, of which the pieces are cut.
    packed: Option<Scratch>,
    /// All transfers are complete, and the bytes are at their final offsets.
    over: bool,
    /// The reason that no receive could be started.
    lost: Option<Error>,
}

/// A message of a partitioned operation.
enum Transfer {
    /// Not started: this many of the partitions that it overlaps are not ready.
    Waits(usize),
    /// A pending request.
    Started(RequestId),
    /// Complete, with this outcome.
    Ended(pml::Outcome),
}

impl Transfer {
    /// Checks for completion. Returns true the first time that it is complete.
    fn look(&mut self, core: &mut Core) -> bool {
        let Transfer::Started(request) = self else {
            return false;
        };
        let Some(outcome) = core.outcome(*request) else {
            return false;
        };
        *self = Transfer::Ended(outcome);
        true
    }

    /// Returns the outcome; `None` while it is pending, or if it was cancelled.
    fn came(&self) -> Option<&pml::Outcome> {
        match self {
            Transfer::Ended(outcome) if !outcome.status.cancelled => Some(outcome),
            _ => None,
        }
    }

    fn has_ended(&self) -> bool {
        matches!(self, Transfer::Ended(_))
    }

    /// Notes that one more partition is ready. Returns whether all are.
    fn count_down(&mut self) -> bool {
        let Transfer::Waits(left) = self else {
            return false;
        };
        *left = left.saturating_sub(1);
        *left == 0
    }
}

impl From<Started> for Transfer {
    fn from(started: Started) -> Transfer {
        match started {
            Started::Pending(request) => Transfer::Started(request),
            Started::Complete => Transfer::Ended(EMPTY),
        }
    }
}

const EMPTY: pml::Outcome = pml::Outcome {
    status: Status::EMPTY,
    result: Ok(()),
};

impl Transfers {
    /// Returns the transfers of a send, of which no partition is ready yet. A send without
    /// partitions starts immediately.
    pub(crate) fn send(
        core: &mut Core,
        comm: &Arc<Comm>,
        pairing: &Arc<Pairing>,
        buffer: &Buffer,
        partitions: usize,
    ) -> Self {
        let mut made = Transfers::of(comm, pairing, buffer, Side::Send);
        made.send_label(core);
        if partitions <= 1 || buffer.len() < CUT_FROM {
            made.whole = Some(Transfer::Waits(partitions));
            if partitions == 0 {
                made.send_whole(core);
            }
            return made;
        }
        let mut waits = [0; PIECES];
        for partition in 0..partitions {
            for index in touched(buffer.len(), partition, partitions) {
                waits[index] += 1;
            }
        }
        made.pieces = waits.map(Transfer::Waits).into();
        made.pack_apart();
        made
    }

    /// Returns the transfers of a receive, which start once their label is known.
    pub(crate) fn recv(
        core: &mut Core,
        comm: &Arc<Comm>,
        pairing: &Arc<Pairing>,
        buffer: &Buffer,
    ) -> Self {
        let mut made = Transfers::of(comm, pairing, buffer, Side::Recv);
        made.listen(core);
        made
    }

    fn of(comm: &Arc<Comm>, pairing: &Arc<Pairing>, buffer: &Buffer, side: Side) -> Self {
        Transfers {
            comm: comm.clone(),
            pairing: pairing.clone(),
            side,
            pieces: Vec::new(),
            whole: None,
            label_message: None,
            buffer: buffer.clone(),
            packed: None,
            over: false,
            lost: None,
        }
    }

    /// Gives the pair a label and sends it to the peer, unless both sides compute it.
    fn send_label(&mut self, core: &mut Core) {
        if self.pairing.label().is_some() {
            return;
        }
        let (label, bytes) = self.comm.labels().lock().give(&self.pairing);
        self.pairing.set_label(label);
        let started = core.start_send(
            self.comm.planes().remote,
            self.pairing.partner,
            label_tag(),
            Buffer::bytes(bytes.buf()),
            Mode::Standard,
        );
        self.label_message = Some((started.into(), bytes));
    }

    /// Starts the receives, once the label is known.
    fn listen(&mut self, core: &mut Core) {
        if self.whole.is_some() || !self.pieces.is_empty() || self.over {
            return;
        }
        if self.pairing.label().is_none() {
            let plane = self.comm.planes().remote;
            match self
                .comm
                .labels()
                .lock()
                .receive(core, plane, &self.pairing)
            {
                None => return,
                Some(Ok(label)) => self.pairing.set_label(label),
                Some(Err(error)) => {
                    self.lost = Some(error);
                    self.over = true;
                    return;
                }
            }
        }
        let form = self.pairing.form();
        if form != PairForm::Pieces {
            self.whole = Some(self.start_recv(core, WHOLE, self.buffer.clone()));
        }
        match form {
            PairForm::Whole => {}
            // A sender that cuts sends more than this buffer holds. An empty receive for the first
            // piece reports that as a truncation.
            PairForm::Unknown if self.buffer.len() < CUT_FROM => {
                let none = Buffer::bytes(UserBuf::EMPTY);
                self.pieces.push(self.start_recv(core, 0, none));
            }
            _ => {
                self.pack_apart();
                for index in 0..PIECES {
                    let piece = self.start_recv(core, index, Buffer::bytes(self.piece(index)));
                    self.pieces.push(piece);
                }
            }
        }
    }

    fn start_recv(&self, core: &mut Core, at: usize, room: Buffer) -> Transfer {
        let pattern = Pattern {
            source: Some(self.pairing.partner),
            tag: Some(self.tag(at)),
        };
        Transfer::Started(core.start_recv(self.comm.planes().remote, pattern, room))
    }

    /// Returns the tag of a message; its label must be known.
    fn tag(&self, at: usize) -> Tag {
        PARTITIONED_TAGS | tag_of(self.pairing.label().unwrap_or(0), at)
    }

    /// Allocates memory for the packed bytes, if the elements have gaps.
    fn pack_apart(&mut self) {
        if self.buffer.contiguous().is_none() {
            self.packed = Some(Scratch::new(self.buffer.len()));
        }
    }

    /// Returns the memory of one piece.
    fn piece(&self, index: usize) -> UserBuf {
        let bytes = match &self.packed {
            Some(packed) => packed.buf(),
            None => self.buffer.contiguous().unwrap_or(UserBuf::EMPTY),
        };
        let at = begin(bytes.len(), index);
        bytes.part(at, begin(bytes.len(), index + 1) - at)
    }

    /// Marks partition `partition` of `partitions` as ready, and sends the messages that only
    /// waited for it.
    pub(crate) fn ready(&mut self, core: &mut Core, partition: usize, partitions: usize) {
        if let Some(whole) = &mut self.whole {
            if whole.count_down() {
                self.send_whole(core);
            }
            return;
        }
        for index in touched(self.buffer.len(), partition, partitions) {
            if self.pieces[index].count_down() {
                self.send_piece(core, index);
            }
        }
    }

    fn send_whole(&mut self, core: &mut Core) {
        self.whole = Some(self.start_send(core, WHOLE, self.buffer.clone()));
    }

    fn send_piece(&mut self, core: &mut Core, index: usize) {
        let piece = self.piece(index);
        if self.packed.is_some() {
            self.buffer
                .pack_to_user(begin(self.buffer.len(), index), piece);
        }
        self.pieces[index] = self.start_send(core, index, Buffer::bytes(piece));
    }

    fn start_send(&self, core: &mut Core, at: usize, elements: Buffer) -> Transfer {
        let (plane, to) = (self.comm.planes().remote, self.pairing.partner);
        let started = core.start_send(plane, to, self.tag(at), elements, Mode::Standard);
        started.into()
    }

    /// Whether all transfers are complete.
    pub(crate) fn are_over(&mut self, core: &mut Core) -> bool {
        if self.over {
            return true;
        }
        if self.side == Side::Recv {
            self.listen(core);
        }
        self.look(core);
        self.over |= self.all().all(Transfer::has_ended) && self.all().next().is_some();
        if self.over && self.side == Side::Recv && self.pairing.form() == PairForm::Pieces {
            self.move_home();
        }
        self.over
    }

    fn all(&self) -> impl Iterator<Item = &Transfer> {
        let label_message = self.label_message.as_ref().map(|(message, _)| message);
        self.pieces.iter().chain(&self.whole).chain(label_message)
    }

    fn look(&mut self, core: &mut Core) {
        self.look_at_whole(core);
        (0..self.pieces.len()).for_each(|index| self.look_at_piece(core, index));
        // A piece that arrived first may have cancelled this receive just now.
        self.look_at_whole(core);
        if let Some((message, _)) = &mut self.label_message {
            message.look(core);
        }
    }

    /// Checks whether the message with all bytes is complete.
    fn look_at_whole(&mut self, core: &mut Core) {
        let Some(whole) = &mut self.whole else {
            return;
        };
        if whole.look(core) && whole.came().is_some() && self.side == Side::Recv {
            self.learn(core, PairForm::Whole);
        }
    }

    /// Checks whether a piece is complete, and unpacks its bytes.
    fn look_at_piece(&mut self, core: &mut Core, index: usize) {
        if !self.pieces[index].look(core)
            || self.pieces[index].came().is_none()
            || self.side == Side::Send
        {
            return;
        }
        self.learn(core, PairForm::Pieces);
        if self.packed.is_some() {
            let at = begin(self.buffer.len(), index);
            self.buffer.unpack_from_user(at, self.piece(index));
        }
    }

    /// Records the form that the sender has chosen, and cancels the receives for the other.
    fn learn(&mut self, core: &mut Core, form: PairForm) {
        if self.pairing.form() != PairForm::Unknown {
            return;
        }
        self.pairing.set_form(form);
        let whole = self.whole.iter().filter(|_| form == PairForm::Pieces);
        let pieces = self.pieces.iter().filter(|_| form == PairForm::Whole);
        for one in pieces.chain(whole) {
            if let Transfer::Started(request) = one {
                core.cancel(*request);
            }
        }
    }

    /// Returns the number of bytes that piece `index` brought; `None` while it is pending.
    fn came(&self, index: usize) -> Option<usize> {
        let outcome = self.pieces.get(index)?.came()?;
        Some(outcome.status.bytes as usize)
    }

    /// Moves the bytes of pieces that are shorter than their memory to their final offsets.
    fn move_home(&mut self) {
        let room = self.buffer.len();
        let total = (0..PIECES).filter_map(|index| self.came(index)).sum();
        if total == room || self.failure().is_some() {
            return;
        }
        let copy = Scratch::new(room);
        self.buffer.pack_to_user(0, copy.buf());
        for index in 0..PIECES {
            let part = copy.buf().from(begin(room, index));
            let len = self.came(index).unwrap_or(0).min(part.len());
            self.buffer
                .unpack_from_user(begin(total, index), part.part(0, len));
        }
    }

    /// Whether partition `partition` of `partitions` has arrived.
    pub(crate) fn has(&mut self, core: &mut Core, partition: usize, partitions: usize) -> bool {
        self.listen(core);
        self.look_at_whole(core);
        if self.pairing.form() == PairForm::Whole || self.pieces.len() < PIECES {
            return self.are_over(core);
        }
        let len = self.buffer.len();
        let here = touched(len, partition, partitions).all(|index| {
            self.look_at_piece(core, index);
            self.came(index) == Some(begin(len, index + 1) - begin(len, index))
        });
        here || self.are_over(core)
    }

    fn failure(&self) -> Option<&pml::Outcome> {
        let mut ended = self.all().filter_map(|one| match one {
            Transfer::Ended(outcome) => Some(outcome),
            _ => None,
        });
        ended.find(|outcome| outcome.result.is_err())
    }

    /// Returns the outcome of all transfers together.
    pub(crate) fn outcome(&self) -> Outcome {
        if let Some(error) = &self.lost {
            return Outcome::failed(error.clone());
        }
        if self.side == Side::Send {
            return self.failure().cloned().unwrap_or(EMPTY).into();
        }
        let came = self.pieces.iter().chain(&self.whole);
        let came = || came.clone().filter_map(Transfer::came);
        let mut outcome = match (self.failure(), came().next(), self.all().next()) {
            (Some(outcome), ..) | (_, Some(outcome), _) => outcome.clone(),
            (.., Some(Transfer::Ended(outcome))) => outcome.clone(),
            _ => EMPTY,
        };
        outcome.status.tag = self.pairing.tag.into();
        outcome.status.bytes = came().map(|one| one.status.bytes).sum();
        outcome.into()
    }

    /// Calls `act` with the request of each pending transfer.
    pub(crate) fn each(&self, mut act: impl FnMut(RequestId)) {
        for one in self.all() {
            if let Transfer::Started(request) = one {
                act(*request);
            }
        }
    }
}

impl Drop for Transfers {
    /// Leaks the memory that pending messages still use.
    fn drop(&mut self) {
        let mut under_way = false;
        self.each(|_| under_way = true);
        if under_way {
            std::mem::forget(self.packed.take());
            std::mem::forget(self.label_message.take());
        }
    }
}
