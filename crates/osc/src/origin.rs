//! Operations of this process in the windows of others.

use ::memory::{Slot, UserBuf};
use base::{Key, PeerId, Rank};
use datatype::{Basic, Buffer, Op};

use crate::lanes::carrier;
use crate::order::Carrier;
use crate::peer::Item;
use crate::permit::Permit;
use crate::runs::{fill, Grain};
use crate::wire::{comparand, Header, Kind, Run, HEADER_BYTES};
use crate::words::Course;
use crate::{Error, Osc, WindowId};

/// Most bytes that one message requests.
pub(crate) const ASKED_MAX: usize = 64 << 10;

/// Identifier of an operation whose outcome the caller will query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OpId(pub(crate) Key);

impl OpId {
    /// Returns it as a number, of which bit 31 is free.
    pub fn bits(self) -> u64 {
        self.0.bits()
    }

    /// Makes an identifier from a number that may be anything.
    pub fn from_bits(bits: u64) -> OpId {
        OpId(Key::from_bits(bits))
    }
}

/// The access of an operation. Buffers stay valid until it is complete.
#[derive(Clone, Debug)]
pub enum Access {
    /// Writes.
    Put {
        /// The data to write.
        from: Buffer,
    },
    /// Reads.
    Get {
        /// The destination.
        into: Buffer,
    },
    /// Combines.
    Accumulate {
        /// The operation.
        op: Op,
        /// The only predefined datatype in both sides' datatypes.
        element: &'static Basic,
        /// The operand; empty for `MPI_NO_OP`.
        from: Buffer,
        /// The destination of the previous content.
        before: Option<Buffer>,
    },
    /// Replaces one element where it equals another.
    CompareAndSwap {
        /// The element's datatype.
        element: &'static Basic,
        /// The element to compare with.
        compare: UserBuf,
        /// The element to write.
        new: UserBuf,
        /// The destination of the previous content.
        before: Buffer,
    },
}

/// The target buffer of an operation: elements by their displacements in the target's window (in a
/// dynamic window by their addresses there). **Only their addresses are used; nothing is read or
/// written.**
#[derive(Clone, Debug)]
pub struct Place(pub Buffer);

/// An operation under way.
pub(crate) struct Operation {
    pub(crate) window: WindowId,
    pub(crate) target: Rank,
    pub(crate) peer: PeerId,
    /// The target's name of the window.
    name: u64,
    pub(crate) access: Access,
    place: Buffer,
    grain: Grain,
    len: usize,
    /// The mark of its epoch in its messages.
    mark: u32,
    /// Packed bytes that were sent or requested, and that arrived.
    sent: usize,
    came: usize,
    /// Whether the target has no such memory.
    strayed: bool,
    /// Whether the caller will query its outcome, and the outcome.
    held: bool,
    pub(crate) ended: Option<Result<(), Error>>,
    /// Whether a lane does it; the lane's unfinished pieces, and whether it has refused one.
    pub(crate) on_lane: bool,
    pub(crate) pieces: usize,
    pub(crate) refused: bool,
    /// Its progress, where a lane changes its one word.
    pub(crate) course: Option<Course>,
}

/// A message of an operation.
pub(crate) struct Piece {
    pub(crate) header: Header,
    pub(crate) at: usize,
    pub(crate) data: usize,
    pub(crate) bytes: usize,
}

impl Access {
    fn kind(&self) -> Kind {
        match self {
            Access::Put { .. } => Kind::Put,
            Access::Get { .. } => Kind::Get,
            Access::Accumulate { before: None, .. } => Kind::Accumulate,
            Access::Accumulate { .. } => Kind::GetAccumulate,
            Access::CompareAndSwap { .. } => Kind::CompareAndSwap,
        }
    }

    pub(crate) fn element(&self) -> Option<&'static Basic> {
        match self {
            Access::Put { .. } | Access::Get { .. } => None,
            Access::Accumulate { element, .. } | Access::CompareAndSwap { element, .. } => {
                Some(element)
            }
        }
    }

    fn op(&self) -> Option<Op> {
        match self {
            Access::Accumulate { op, .. } => Some(*op),
            _ => None,
        }
    }

    /// Whether data goes to the target.
    fn brings(&self) -> bool {
        match self {
            Access::Get { .. } => false,
            Access::Accumulate { op, .. } => *op != Op::NoOp,
            _ => true,
        }
    }

    /// Packed bytes at the target. As with messages, the data may be shorter than the target's
    /// buffer.
    pub(crate) fn len(&self, place: &Buffer) -> usize {
        match self {
            Access::Put { from } => from.len().min(place.len()),
            Access::Accumulate { from, .. } if self.brings() => from.len().min(place.len()),
            _ => place.len(),
        }
    }

    pub(crate) fn result(&self) -> Option<&Buffer> {
        match self {
            Access::Put { .. } => None,
            Access::Get { into } => Some(into),
            Access::Accumulate { before, .. } => before.as_ref(),
            Access::CompareAndSwap { before, .. } => Some(before),
        }
    }
}

/// Returns the error of an operation outside the window of its target.
pub(crate) fn no_such_memory(target: Rank) -> Error {
    let what = "there is no such memory".to_string();
    Error::Range { target, what }
}

fn grain(element: Option<&'static Basic>) -> Grain {
    let Some(element) = element else {
        return Grain::Whole(1);
    };
    let size = element.size as usize;
    let gap = datatype::predefined(element.handle)
        .is_some_and(|datatype| datatype.true_extent() as usize != size);
    match gap {
        true => Grain::Apart(size),
        false => Grain::Whole(size),
    }
}

impl Operation {
    /// Makes an operation on a place of `len` bytes; `name` is the target's name of the window.
    pub(crate) fn new(
        window: WindowId,
        target: Rank,
        (peer, name): (PeerId, u64),
        access: Access,
        place: Buffer,
        (len, held): (usize, bool),
    ) -> Operation {
        let grain = match access {
            // All of its one element is in one message.
            Access::CompareAndSwap { element, .. } => Grain::Whole(element.size as usize),
            _ => grain(access.element()),
        };
        Operation {
            window,
            target,
            peer,
            name,
            grain,
            access,
            place,
            len,
            mark: 0,
            sent: 0,
            came: 0,
            strayed: false,
            held,
            ended: None,
            on_lane: false,
            pieces: 0,
            refused: false,
            course: None,
        }
    }

    /// Whether nobody will query its outcome, and it has none yet.
    pub(crate) fn is_unheard(&self) -> bool {
        !self.held && self.ended.is_none()
    }

    /// Returns the carrier of the operation.
    #[inline]
    pub(crate) fn carrier(&self) -> Carrier {
        match (self.on_lane, self.access.puts()) {
            (false, _) => Carrier::Messages,
            (true, Some(puts)) => carrier(puts),
            (true, None) => Carrier::Word,
        }
    }

    /// Whether the target replies with data, and is written to.
    fn fetches(&self) -> bool {
        self.reads() && self.access.puts().is_none()
    }

    /// Whether the target replies with data.
    pub(crate) fn reads(&self) -> bool {
        self.access.result().is_some()
    }

    /// Cuts the next message, of at most `max` bytes, which requests at most `room` bytes. `None`
    /// when the operation reads, and has too little room now.
    pub(crate) fn cut(&self, max: usize, room: usize, runs: &mut Vec<Run>) -> Option<Piece> {
        let mut len = self.len - self.sent;
        if self.reads() {
            len = len.min(ASKED_MAX);
            if room < len {
                return None;
            }
        }
        let brings = self.access.brings();
        let room = max - HEADER_BYTES;
        let bytes = fill(
            &self.place,
            (self.sent, len),
            self.grain,
            (room, brings),
            runs,
        );
        let (position, data) = match &self.access {
            Access::CompareAndSwap { compare, new, .. } => match comparand(*compare) {
                Some(word) => (word, new.len()),
                None => (0, compare.len() + new.len()),
            },
            _ if brings => (self.sent as u64, bytes),
            _ => (self.sent as u64, 0),
        };
        let header = Header {
            op: self.access.op(),
            element: self
                .access
                .element()
                .map_or(0, |element| element.handle as u16),
            position,
            bytes: bytes as u64,
            status: self.mark,
            ..Header::new(self.access.kind(), self.name)
        };
        Some(Piece {
            header,
            at: self.sent,
            data,
            bytes,
        })
    }

    /// Returns the `len` bytes of data from packed byte `at` on, where they are contiguous.
    pub(crate) fn stretch(&self, at: usize, len: usize) -> Option<UserBuf> {
        match &self.access {
            Access::Put { from } | Access::Accumulate { from, .. } => {
                Some(from.contiguous()?.part(at, len))
            }
            Access::CompareAndSwap { .. } | Access::Get { .. } => None,
        }
    }

    /// Packs the data of a message from packed byte `at` on.
    pub(crate) fn pack(&self, at: usize, slot: &mut Slot<'_>) {
        match &self.access {
            Access::Put { from } | Access::Accumulate { from, .. } => {
                from.pack(at, slot, 0);
            }
            Access::CompareAndSwap { compare, new, .. } => {
                let first = match comparand(*compare) {
                    Some(_) => UserBuf::EMPTY,
                    None => *compare,
                };
                slot.write_user(0, first);
                slot.write_user(first.len(), *new);
            }
            Access::Get { .. } => {}
        }
    }

    /// Whether a message is the operation's last.
    pub(crate) fn ends_with(&self, piece: &Piece) -> bool {
        self.sent + piece.bytes == self.len
    }

    /// Whether there is nothing left to be sent.
    pub(crate) fn is_sent(&self) -> bool {
        self.sent == self.len
    }

    /// Counts `bytes` more as sent. Returns whether those were the last.
    pub(crate) fn sent(&mut self, bytes: usize) -> bool {
        self.sent += bytes;
        self.sent == self.len
    }
}

impl Osc {
    /// Whether an operation on a target may begin; counts it as the epoch's. False when it has to
    /// wait for the target's `MPI_Win_post`, or for its lock.
    ///
    /// # Errors
    /// When no epoch to the target is open.
    pub fn may_begin(&mut self, window: WindowId, rank: Rank) -> Result<bool, Error> {
        let state = self.window(window);
        let target = &state.targets[rank.index()];
        let (peer, locked, waits) = (target.peer, target.lock.is_held(), target.lock.waits());
        let open = state.epochs.operate(rank, locked)?;
        if open && !waits {
            state.epochs.permits().note(rank, Permit::ACCESS);
            return Ok(true);
        }
        self.check_peer(peer)?;
        self.see_posts(window);
        let state = self.window(window);
        Ok(state.epochs.operate(rank, locked)? && !waits)
    }

    /// Begins an operation that [`Osc::may_begin`] allows. With `held` the caller will query its
    /// outcome ([`Osc::is_done`], [`Osc::outcome`]). `None` when it has no bytes.
    pub fn begin(
        &mut self,
        window: WindowId,
        rank: Rank,
        access: Access,
        Place(place): Place,
        held: bool,
    ) -> Option<OpId> {
        let len = access.len(&place);
        if len == 0 {
            return None;
        }
        let state = self.window(window);
        let (mark, checked) = (state.mark(held), state.check.is_some());
        let target = state.target(rank);
        target.open += 1;
        let (peer, name) = (target.peer, target.name);
        let mut operation = Operation::new(window, rank, (peer, name), access, place, (len, held));
        operation.mark = mark;
        target.fetches += u32::from(operation.fetches());
        if checked || !operation.reads() {
            target.unconfirmed.access();
        }
        let key = self.operations.insert(operation);
        match self.check_peer(peer) {
            Ok(()) => {
                self.peer(peer).requests.push_back(Item::Operation(key));
                self.list(peer);
            }
            Err(error) => self.finish(key, Err(error)),
        }
        Some(OpId(key))
    }

    /// Takes bytes that a reading operation requested. False when it did not request them.
    pub(crate) fn came(
        &mut self,
        from: PeerId,
        header: &Header,
        data: ::memory::Payload<'_>,
    ) -> bool {
        let key = Key::from_bits(header.token);
        let Some(operation) = self.operations.get_mut(key) else {
            return false;
        };
        // Without such memory at the target there is no data, and nothing more is asked for.
        let strayed = header.status != crate::wire::status::OK;
        let bytes = match strayed {
            true => header.bytes as usize,
            false => data.len(),
        };
        let expected = operation.peer == from
            && operation.reads()
            && operation.ended.is_none()
            && bytes <= operation.sent - operation.came
            && header.position == operation.came as u64;
        if !expected {
            return false;
        }
        if strayed {
            operation.strayed = true;
            operation.len = operation.sent;
        } else if let Some(result) = operation.access.result() {
            result.unpack(operation.came, data);
        }
        operation.came += bytes;
        let (target, strayed) = (operation.target, operation.strayed);
        let all = operation.came == operation.len;
        let peer = self.peer(from);
        peer.awaited -= bytes;
        if strayed {
            peer.drop_offer(key);
        }
        let result = match strayed {
            true => Err(no_such_memory(target)),
            false => Ok(()),
        };
        if all {
            self.finish(key, result);
        }
        if !self.peer(from).requests.is_empty() {
            // There is room again for what asks.
            self.list(from);
        }
        true
    }

    /// Ends an operation with a result.
    pub(crate) fn finish(&mut self, key: Key, result: Result<(), Error>) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        if operation.ended.is_some() {
            return;
        }
        let (window, rank, held) = (operation.window, operation.target, operation.held);
        // Pieces that a lane still has change nothing any more.
        let (carrier, course) = (operation.carrier(), operation.course);
        let (on_lane, fetches) = (carrier != Carrier::Messages, operation.fetches());
        operation.ended = Some(result.clone());
        if !held {
            self.operations.remove(key);
        }
        self.flush_due |= on_lane && !self.unflushed.is_empty();
        if let Some(window) = self.windows.get_mut(window.0) {
            let target = window.target(rank);
            target.open -= 1;
            match on_lane {
                true => target.leave_lane(carrier),
                false => target.fetches -= u32::from(fetches),
            }
            if let (Err(error), false) = (result, held) {
                target.note(error);
            }
        }
        if let Some(course) = course {
            self.pass_turn(window, rank, &course, key);
        }
    }

    /// Returns the target's process, while an operation is under way.
    pub fn peer_of(&self, operation: OpId) -> Option<PeerId> {
        let known = self.operations.get(operation.0)?;
        known.ended.is_none().then_some(known.peer)
    }

    /// Whether an operation has ended.
    pub fn is_done(&self, operation: OpId) -> bool {
        let known = self.operations.get(operation.0);
        known.is_none_or(|operation| operation.ended.is_some())
    }

    /// Returns how an operation ended, and drops it. `None` while it is under way.
    pub fn outcome(&mut self, operation: OpId) -> Option<Result<(), Error>> {
        if !self.is_done(operation) {
            return None;
        }
        let gone = self.operations.remove(operation.0);
        Some(gone.and_then(|gone| gone.ended).unwrap_or(Ok(())))
    }

    /// Returns how an operation ended, without dropping it.
    pub fn peek_outcome(&self, operation: OpId) -> Option<Result<(), Error>> {
        self.operations.get(operation.0)?.ended.clone()
    }

    /// Declares that nobody will query the outcome of an operation any more.
    pub fn detach_operation(&mut self, operation: OpId) {
        if self.is_done(operation) {
            self.operations.remove(operation.0);
        } else if let Some(operation) = self.operations.get_mut(operation.0) {
            operation.held = false;
        }
    }
}
