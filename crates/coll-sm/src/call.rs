//! The steps of every collective: show data, see the data of others, wait.
//!
//! A collective takes a number of rounds that all ranks compute alike, from arguments that MPI
//! requires to agree. Data is shown with a *head*: the kind of the collective and the bytes of the
//! whole call. So ranks whose calls differ notice it. Such an error is recorded and the rounds go
//! on, so that the ranks stay in step; if they cannot, the segment is given up ([`Call::end`]).
//! Heads do not show the error if ranks wait for each other because they name different roots, or
//! for a rank that has called something else and gone on. So a rank publishes its call before it
//! sleeps, and checks whether the ranks that it waits for have published another one (`strays`).
//!
//! A rank that is about to sleep announces which rank it waits for ([`shm::Sleepers`]); a rank that
//! shows or passes something wakes those that sleep for it.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::Instant;

use coll::{Error, Failure, Function, Mismatch, Operator, Peer, Signature};
use datatype::Buffer;
use memory::{Choice, Scratch, Stores, UserBuf};
use shm::handshake::Joined;
use shm::{Sleepers, WakeOrder};
use sync::rounds::{Corrupt, RoundProgress};

use crate::carriage::Carriage;
use crate::params::Copies;
use crate::segment::{View, INLINE_BYTES};
use crate::tree::Tree;

/// Ranks that read each other's slots in one level, where each has a core. More go by levels.
pub(crate) const RADIX: u32 = 8;

/// Returns how many ranks of a communicator read each other's slots in one level.
pub(crate) fn radix_of(size: u32, crowded: bool) -> u32 {
    match crowded {
        true => size,
        false => RADIX,
    }
}

/// Rounds by which a slot's line is fetched for writing ahead of its use: the fetch takes longer
/// than a short collective does.
const AHEAD: u64 = 2;

/// Waiting and waking, as the driver of the ranks does it.
pub trait Wait {
    /// Returns once `ready` is true. Calls `note_sleep(true)` before a sleep, then `ready` once
    /// more, and `note_sleep(false)` after it.
    ///
    /// # Errors
    /// When one of the ranks has died, which ends the wait.
    fn until(
        &self,
        ready: impl FnMut() -> bool,
        note_sleep: impl FnMut(bool),
    ) -> Result<(), Failure>;

    /// Wakes a rank that sleeps.
    fn wake(&self, rank: u32);

    /// Returns the call signature of this rank's collective; `None` where it is not to be compared.
    fn signature(&self) -> Option<Signature> {
        None
    }

    /// Whether a wait has ended since a process is lost, or the communicator revoked.
    fn has_lost(&self) -> bool {
        false
    }

    /// Takes note that another rank has given up for such a reason, also one that was there before
    /// the segment: the wait ends once this rank learns of it.
    fn expect_loss(&self) {}

    /// Returns the name of a rank of the segment in errors.
    fn name(&self, rank: u32) -> Peer {
        Peer::from(rank)
    }
}

/// One rank of a communicator whose ranks share a segment.
pub struct Member {
    pub(crate) room: View,
    pub(crate) me: u32,
    pub(crate) size: u32,
    pub(crate) turn: RoundProgress,
    /// The choice of stores that fill the own slots for a single reader.
    choice: Choice,
    /// The next round.
    pub(crate) round: u64,
    pub(crate) pids: Vec<u32>,
    /// The order between ranks that sleep and those that wake them.
    pub(crate) order: WakeOrder,
    /// Decides whether data is read directly.
    pub(crate) carriage: Carriage,
    radix: u32,
    /// Memory that direct copies go through, cached for later calls.
    pub(crate) bounce: Option<Scratch>,
    /// Memory for copies of operands, likewise.
    pub(crate) spare: Option<Scratch>,
    /// Whether the ranks are out of step.
    broken: bool,
    /// The measurement of the call under way. Not part of it, since few calls are measured.
    pub(crate) measured: Option<Measured>,
    /// Whether the system did not allow a rank to copy in the call under way.
    pub(crate) refused: bool,
    /// The bits in heads that say which call over several nodes the calls here are steps of; 0 for
    /// calls that are whole.
    whole: u64,
}

/// The kind of a round's data, in a slot's head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    Barrier = 1,
    Bcast,
    Reduce,
    Allreduce,
    Allgather,
    Alltoall,
    Gather,
    Scatter,
    /// The address of a rank's data, in any collective.
    Place,
    /// A rank's direct copies are done, in any collective.
    Copied,
    /// How long a rank was in a measured call.
    Took,
}

impl Kind {
    const FUNCTIONS: [(Kind, Function); 8] = [
        (Kind::Barrier, Function::Barrier),
        (Kind::Bcast, Function::Bcast),
        (Kind::Reduce, Function::Reduce),
        (Kind::Allreduce, Function::Allreduce),
        (Kind::Allgather, Function::Allgather),
        (Kind::Alltoall, Function::Alltoall),
        (Kind::Gather, Function::Gather),
        (Kind::Scatter, Function::Scatter),
    ];

    /// Returns the function that shows a kind, if only one does.
    pub(crate) fn function(kind: u8) -> Option<Function> {
        let found = Kind::FUNCTIONS
            .iter()
            .find(|(known, _)| *known as u8 == kind);
        found.map(|(_, function)| *function)
    }

    /// Returns the kind that a function shows; `None` for one that does not go through memory.
    fn of(function: Function) -> Option<Kind> {
        let found = Kind::FUNCTIONS.iter().find(|(_, known)| *known == function);
        found.map(|(kind, _)| *kind)
    }
}

/// A head: the kind, the operator of a reduction (`Head::op`), and bytes of the call's data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    /// The [`Kind`], which has four bits. Above these are those of the call that this one is a step
    /// of, combined with those of the reader's by xor: 0 where it is the same.
    pub(crate) kind: u8,
    op: u8,
    pub(crate) bytes: usize,
}

const WHOLE_SHIFT: u32 = 60;
const KIND_SHIFT: u32 = 56;
const KIND_BITS: u32 = WHOLE_SHIFT - KIND_SHIFT;
const OP_SHIFT: u32 = 48;
/// Codes in place of a predefined operator: none, and a user's.
const NO_OP: u8 = 0;
const USER_OP: u8 = 1;
/// Value of `says_since` of a rank that has given up.
const GAVE_UP: u64 = u64::MAX;
/// Value of `says_since` of a rank that has given up since a process is lost, or the communicator
/// revoked: the others learn of that as well.
const LOST: u64 = u64::MAX - 1;

impl Head {
    pub(crate) fn new(kind: Kind, bytes: usize) -> Head {
        Head {
            kind: kind as u8,
            op: NO_OP,
            bytes,
        }
    }

    /// Returns the head of a reduction.
    #[inline]
    pub(crate) fn reducing(kind: Kind, operator: &Operator, bytes: usize) -> Head {
        let op = match operator {
            Operator::Predefined(op) => *op as u8,
            Operator::User(_) => USER_OP,
        };
        Head {
            kind: kind as u8,
            op,
            bytes,
        }
    }

    /// Returns the head of a round in which no data of the call is shown.
    pub(crate) fn without_bytes(self) -> Head {
        Head { bytes: 0, ..self }
    }

    fn to_bits(self) -> u64 {
        u64::from(self.kind) << KIND_SHIFT | u64::from(self.op) << OP_SHIFT | self.bytes as u64
    }

    fn of_bits(bits: u64) -> Head {
        Head {
            kind: (bits >> KIND_SHIFT) as u8,
            op: (bits >> OP_SHIFT) as u8,
            bytes: (bits & ((1 << OP_SHIFT) - 1)) as usize,
        }
    }

    /// Returns the call signature of a rank that shows this head to one whose calls are steps of
    /// `whole`, if known.
    fn signature(self, whole: u64) -> Option<Signature> {
        let theirs = self.kind >> KIND_BITS ^ (whole >> WHOLE_SHIFT) as u8;
        if theirs != 0 {
            return Some(Signature::new(Kind::function(theirs)?));
        }
        let kind = self.kind & ((1 << KIND_BITS) - 1);
        let signature = Signature::new(Kind::function(kind)?);
        if self.op == NO_OP {
            return Some(signature);
        }
        let known = datatype::Op::ALL.iter().find(|op| **op as u8 == self.op);
        Some(signature.with_op(known.copied()))
    }
}

impl Member {
    /// Returns rank `me` of the ranks that have joined; `allowed`: whether each may read every
    /// other's memory.
    pub(crate) fn new(
        joined: Joined<View>,
        me: u32,
        copies: Copies,
        allowed: bool,
        crowded: bool,
    ) -> Member {
        let Joined {
            view: room,
            order,
            pids,
        } = joined;
        let size = room.layout().ranks;
        let slot_bytes = room.layout().slot_bytes as usize;
        // Ranks that sleep in nearly every call would pay for a barrier on all cores each time.
        let order = match crowded {
            true => WakeOrder::between(true),
            false => order,
        };
        Member {
            room,
            me,
            size,
            turn: RoundProgress::new(me),
            choice: Choice::default(),
            round: 0,
            pids,
            order,
            carriage: Carriage::new(copies, allowed, crowded, slot_bytes),
            radix: radix_of(size, crowded),
            bounce: None,
            spare: None,
            broken: false,
            measured: None,
            refused: false,
            whole: 0,
        }
    }

    /// Makes the next calls the steps of one over several nodes: a rank of this node that is in a
    /// step of another one calls differently.
    pub fn step_of(&mut self, whole: Function) {
        self.whole = Kind::of(whole).map_or(0, |kind| (kind as u64) << WHOLE_SHIFT);
    }

    /// Gives the segment up after a failure elsewhere, so that no other rank waits for this one.
    pub fn give_up(&mut self, wait: &impl Wait) {
        if let Ok(mut call) = Call::begin(self, wait) {
            call.give_up();
        }
    }

    /// Describes what carries long data, and why; `None` where no long data was carried.
    pub fn account(&self) -> Option<String> {
        (self.carriage).account(|kind| Kind::function(kind).map(Function::name))
    }

    /// Bytes of data in a slot.
    #[inline]
    pub(crate) fn slot_bytes(&self) -> usize {
        self.room.layout().slot_bytes as usize
    }

    /// Counts rounds that all ranks have taken.
    pub(crate) fn advance(&mut self, rounds: u64) {
        self.round += rounds;
    }

    /// Whether the ranks are many and take turns on few cores, so that sleeps and wake-ups cost
    /// most.
    #[inline]
    pub(crate) fn is_crowd(&self) -> bool {
        self.radix > RADIX
    }

    #[inline]
    pub(crate) fn tree(&self) -> Tree {
        Tree {
            rank: self.me,
            size: self.size,
            radix: self.radix,
        }
    }

    pub(crate) fn note_sleep(&self, awaited: Option<u32>) {
        match awaited {
            Some(rank) => self.room.announce_sleep(self.order, self.me, rank),
            None => self.room.end_sleep(self.me),
        }
    }
}

/// A measured call under way.
pub(crate) struct Measured {
    pub(crate) head: Head,
    pub(crate) class: usize,
    pub(crate) mechanism: usize,
    pub(crate) began: Instant,
}

/// A collective under way.
pub(crate) struct Call<'a, W> {
    pub(crate) member: &'a mut Member,
    pub(crate) wait: &'a W,
    /// The first error after which this rank still takes part in the call.
    error: Option<Error>,
}

impl<'a, W: Wait> Call<'a, W> {
    #[inline]
    pub(crate) fn begin(member: &'a mut Member, wait: &'a W) -> Result<Call<'a, W>, Error> {
        if member.broken {
            return Err(Error::Arguments(
                "an earlier collective on this communicator failed, and its ranks are out of step",
            ));
        }
        Ok(Call {
            member,
            wait,
            error: None,
        })
    }

    /// The first round of this collective.
    #[inline]
    pub(crate) fn first(&self) -> u64 {
        self.member.round
    }

    /// Ends the collective, which took `rounds`.
    #[inline]
    pub(crate) fn end(mut self, rounds: u64, mut result: Result<(), Error>) -> Result<(), Error> {
        self.member.round += rounds;
        if self.member.measured.is_some() {
            result = result.and_then(|()| self.settle());
        }
        if result.is_err() {
            self.give_up();
            return result;
        }
        match self.error {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Gives up the segment, and wakes the ranks that wait for this one.
    #[cold]
    pub(crate) fn give_up(&mut self) {
        let Member { room, me, .. } = &*self.member;
        let code = self.wait.signature().map_or(0, |call| call.code());
        room.says_since(*me).store(0, Ordering::Relaxed);
        room.says(*me).store(code.into(), Ordering::Release);
        let why = if self.wait.has_lost() { LOST } else { GAVE_UP };
        room.says_since(*me).store(why, Ordering::SeqCst);
        self.wake_sleepers();
        self.member.broken = true;
    }

    /// Notes an error after which this rank goes on.
    pub(crate) fn note(&mut self, result: Result<(), Error>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }

    /// Fills the own slot of `round` with `len` bytes and shows it.
    #[inline]
    pub(crate) fn show(
        &mut self,
        round: u64,
        head: Head,
        len: usize,
        fill: impl FnOnce(UserBuf, Stores),
    ) -> Result<(), Error> {
        self.await_room(round)?;
        if len > 0 {
            let slot = self.own(round, len);
            match self.member.size {
                2 => (self.member.choice).copy(len, |stores| fill(slot, stores)),
                // Not measured with many readers.
                _ => fill(slot, Stores::Cached),
            }
        }
        let Member {
            room,
            me,
            turn,
            whole,
            ..
        } = &*self.member;
        room.head(*me, round)
            .store(head.to_bits() ^ whole, Ordering::Relaxed);
        turn.show(room, round);
        self.wake_sleepers();
        // One that others may still read is not taken from them.
        if turn.is_free(room, round + AHEAD) {
            room.fetch_for_writing(*me, round + AHEAD);
        }
        Ok(())
    }

    /// Waits until the own slot of `round` may be filled.
    #[inline]
    pub(crate) fn await_room(&mut self, round: u64) -> Result<(), Error> {
        while let Err(rank) = self.member.turn.may_fill(&self.member.room, round) {
            self.await_passed(rank, round)?;
        }
        Ok(())
    }

    /// Shows the packed bytes `from .. from + len` of a buffer.
    #[inline]
    pub(crate) fn show_part(
        &mut self,
        round: u64,
        head: Head,
        buffer: &Buffer,
        from: usize,
        len: usize,
    ) -> Result<(), Error> {
        self.show(round, head, len, |slot, stores| {
            pack(buffer, from, slot, stores)
        })
    }

    /// Waits until `rank` shows its slot of `round`, and returns its head.
    #[inline(always)]
    pub(crate) fn head_of(&mut self, rank: u32, round: u64) -> Result<Head, Error> {
        let Member { room, turn, .. } = &*self.member;
        match turn.shows(room, rank, round) {
            Ok(true) => {}
            Ok(false) => self.await_shown(rank, round)?,
            Err(Corrupt) => return Err(out_of_step()),
        }
        let bits = self.member.room.head(rank, round).load(Ordering::Relaxed);
        Ok(Head::of_bits(bits ^ self.member.whole))
    }

    /// Waits until `rank` shows `head` in its slot of `round`. `None` when it shows something else,
    /// which is noted.
    #[inline]
    pub(crate) fn see(
        &mut self,
        rank: u32,
        round: u64,
        head: Head,
        len: usize,
    ) -> Result<Option<UserBuf>, Error> {
        let seen = self.head_of(rank, round)?;
        if seen != head {
            return self.differs(rank, seen, head).map(|()| None);
        }
        Ok(Some(self.member.room.data(rank, round, len)))
    }

    /// The data in the own slot of `round`.
    pub(crate) fn own(&self, round: u64, len: usize) -> UserBuf {
        self.member.room.data(self.member.me, round, len)
    }

    /// Notes or returns the error of a rank whose head differs.
    #[cold]
    pub(crate) fn differs(&mut self, rank: u32, seen: Head, head: Head) -> Result<(), Error> {
        if seen.kind != head.kind {
            return Err(self.strayed(rank, seen.signature(self.member.whole)));
        }
        let error = match seen.op == head.op {
            false => self.strayed(rank, seen.signature(self.member.whole)),
            true => Error::Length {
                peer: self.wait.name(rank),
                expected: head.bytes,
                received: seen.bytes,
            },
        };
        if seen.bytes == head.bytes {
            self.note(Err(error));
            return Ok(());
        }
        // With as many rounds in spite of that the ranks stay in step.
        let most = match head.op {
            NO_OP => self.member.slot_bytes() / self.member.size as usize,
            // How many rounds a longer vector takes depends on its length.
            _ => INLINE_BYTES,
        };
        let small = |bytes: usize| bytes <= most;
        if !small(seen.bytes) || !small(head.bytes) {
            return Err(error);
        }
        self.note(Err(error));
        Ok(())
    }

    /// Publishes that this rank needs nothing of `round` or earlier ones any more.
    #[inline]
    pub(crate) fn pass(&mut self, round: u64) {
        if self.member.turn.pass(&self.member.room, round) {
            self.wake_sleepers();
        }
    }

    /// Prefetches what `rank` shows after `round`, if it shows that round already: a rank that only
    /// reads is mostly behind, and would wait for a line each time.
    #[inline]
    pub(crate) fn read_ahead(&self, rank: u32, round: u64) {
        let Member { room, turn, .. } = &*self.member;
        if turn.shows(room, rank, round) == Ok(true) {
            room.fetch_for_reading(rank, round + 1);
        }
    }

    /// Notes that all ranks have passed all rounds before this collective.
    #[inline]
    pub(crate) fn all_came(&mut self) {
        let first = self.member.round;
        self.member.turn.all_passed(first);
    }

    #[cold]
    #[inline(never)]
    fn await_shown(&mut self, rank: u32, round: u64) -> Result<(), Error> {
        let member = &*self.member;
        let (slept, mut seen, mut strayed) = (Cell::new(false), Ok(false), None);
        let ready = || {
            seen = member.turn.shows(&member.room, rank, round);
            if seen == Ok(false) && slept.get() {
                strayed = self.strays(rank, true);
                // It may have shown the slot before it went on.
                seen = member.turn.shows(&member.room, rank, round);
            }
            seen != Ok(false) || strayed.is_some()
        };
        let note_sleep = |asleep: bool| {
            slept.set(true);
            self.note_sleep(asleep.then_some(rank));
        };
        let waited = self.wait.until(ready, note_sleep);
        waited.map_err(|why| lost(self.wait.name(rank), why))?;
        match (seen, strayed) {
            (Ok(false), Some(error)) => Err(error),
            (Err(Corrupt), _) => Err(out_of_step()),
            _ => Ok(()),
        }
    }

    #[cold]
    fn await_passed(&mut self, rank: u32, round: u64) -> Result<(), Error> {
        let member = &*self.member;
        let (slept, mut turn, mut strayed) = (Cell::new(false), member.turn, None);
        let ready = || {
            let passed = turn.may_fill(&member.room, round) != Err(rank);
            if !passed && slept.get() {
                strayed = self.strays(rank, false);
            }
            passed || strayed.is_some()
        };
        let note_sleep = |asleep: bool| {
            slept.set(true);
            self.note_sleep(asleep.then_some(rank));
        };
        let waited = self.wait.until(ready, note_sleep);
        waited.map_err(|why| lost(self.wait.name(rank), why))?;
        strayed.map_or(Ok(()), Err)
    }

    /// Publishes this rank's call before it sleeps, and wakes the ranks that sleep for this rank,
    /// so that they check it: they may wait for a call that never comes.
    #[cold]
    fn note_sleep(&self, awaited: Option<u32>) {
        let Member {
            room, me, round, ..
        } = &*self.member;
        let is_published = room.says_since(*me).load(Ordering::Relaxed) == round + 1;
        if let (Some(_), Some(signature), false) = (awaited, self.wait.signature(), is_published) {
            // Never an old call with a new round.
            room.says_since(*me).store(0, Ordering::Relaxed);
            let code = signature.code().into();
            room.says(*me).store(code, Ordering::Release);
            room.says_since(*me).store(round + 1, Ordering::SeqCst);
            self.wake_sleepers();
        }
        self.member.note_sleep(awaited);
    }

    /// Returns the error of a rank that will not come: it has given up, has published another call,
    /// or, where it had to show something first, has gone on.
    #[cold]
    fn strays(&self, rank: u32, had_to_show: bool) -> Option<Error> {
        let Member { room, round, .. } = &*self.member;
        let since = room.says_since(rank).load(Ordering::Acquire);
        let says = room.says(rank).load(Ordering::Acquire);
        let stays = room.says_since(rank).load(Ordering::Acquire) == since;
        if since == LOST {
            self.wait.expect_loss();
            return None;
        }
        let (ours, theirs) = (self.wait.signature(), Signature::of_code(says as u16));
        let differ = ours.is_some() && theirs.is_some() && ours != theirs;
        if since == GAVE_UP && !differ {
            let why = "an error in a collective put it out of step".into();
            return Some(lost(self.wait.name(rank), why));
        }
        let elsewhere = since == round + 1 || since == GAVE_UP;
        let beyond = had_to_show && since > round + 1;
        (stays && differ && elsewhere || stays && beyond).then(|| self.strayed(rank, theirs))
    }

    #[cold]
    fn strayed(&self, rank: u32, theirs: Option<Signature>) -> Error {
        if theirs.is_none() {
            return out_of_step();
        }
        Error::Mismatch(Box::new(Mismatch {
            peer: self.wait.name(rank).to_string(),
            theirs,
            rank: self.wait.name(self.member.me).rank,
            ours: self.wait.signature(),
            ranks: self.member.size,
        }))
    }

    /// Wakes the ranks that sleep for this one.
    #[inline]
    fn wake_sleepers(&self) {
        let Member {
            room, me, order, ..
        } = &*self.member;
        room.wake_sleepers(*order, *me, |rank| self.wait.wake(rank));
    }
}

/// Packs bytes of a buffer from `from` on into a part of a slot, filling it.
#[inline]
pub(crate) fn pack(buffer: &Buffer, from: usize, into: UserBuf, stores: Stores) {
    match buffer.contiguous() {
        Some(memory) => into.copy_from_by(stores, &memory.part(from, into.len())),
        None => {
            buffer.pack_to_user(from, into);
        }
    }
}

/// Unpacks a slot's bytes into a buffer from packed byte `from` on.
#[inline]
pub(crate) fn unpack(buffer: &Buffer, from: usize, bytes: UserBuf) {
    match buffer.contiguous() {
        Some(memory) => memory.part(from, bytes.len()).copy_from(&bytes),
        None => {
            buffer.unpack_from_user(from, bytes);
        }
    }
}

/// Returns how many pieces of at most `most` bytes there are in `bytes`.
#[inline]
pub(crate) fn pieces(bytes: usize, most: usize) -> u64 {
    match bytes <= most {
        // Spares short calls a division.
        true => u64::from(bytes > 0),
        false => bytes.div_ceil(most) as u64,
    }
}

#[cold]
pub(crate) fn lost(peer: Peer, source: Failure) -> Error {
    Error::Message {
        peer,
        sending: false,
        source,
    }
}

#[cold]
pub(crate) fn out_of_step() -> Error {
    Error::Arguments("the ranks of the communicator called different collectives")
}
