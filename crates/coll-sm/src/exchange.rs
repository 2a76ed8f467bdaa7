//! Short collectives that do not wait: one algorithm, as a state machine that a driver polls.
//!
//! In a short call the data that a rank has for others fits into one slot. So each call is one
//! *exchange*, whatever the function: every rank shows a slot, and reads the slots of those ranks
//! whose data it needs. A barrier and an allreduce of more ranks than a level has are one such step
//! for each level of the tree.
//!
//! ```text
//! begin     assigns rounds: equally many for every call
//! poll      fills the own slot, once all, this rank too, have passed the last call that used it
//!           takes the data of the others, once all of them show it
//!           the next level, or complete
//! ```
//!
//! All ranks begin the same calls in the same order, and several calls may be under way: each has
//! slots of its own, of which there are as many as a rank has slots. They complete in the order in
//! which they began. The blocking calls of a communicator ([`crate::Member`]) have another segment,
//! so no call that was begun keeps a slot that a blocking one needs.
//!
//! Every rank shows a slot, with data or without, and its head has the call signature: ranks that
//! call differently notice it where they read. Since each call takes equally many rounds, they stay
//! in step nevertheless.
//!
//! A rank shows the next calls before it has read the last ones. So a mark does not say that its
//! owner has passed earlier rounds, as it does among blocking calls (`RoundProgress::all_passed`).

use std::sync::atomic::Ordering;
use std::task::Poll;

use coll::{Blocks, Error, Mismatch, Peer, Reduction, Signature, Vector};
use datatype::Buffer;
use memory::{Stores, UserBuf};
use shm::Sleepers;
use sync::rounds::Corrupt;
use sync::LINE_BYTES;

use crate::alltoall::move_own;
use crate::call::{out_of_step, pack, unpack, Member, RADIX};
use crate::gather::among_others;
use crate::handshake::SLOT_MIN;
use crate::reduce::{Combined, Fold};
use crate::segment::DEPTH;
use crate::{NodeCall, Settings};

/// Most bytes that a rank shows in a short call, among as many ranks as read each other's slots in
/// one level. A call by messages takes two steps or more, whose cost beside copying is that of some
/// KiB.
const SHORT_BYTES: usize = 32 << 10;
/// As many among more ranks, each of which would read and combine the data of all others.
const SHORT_BYTES_MANY: usize = 4096;

fn short_bytes(size: u32) -> usize {
    match size <= RADIX {
        true => SHORT_BYTES,
        false => SHORT_BYTES_MANY,
    }
}

const CODE_SHIFT: u32 = 48;

impl Settings {
    /// Returns the settings of a segment for short calls among `size` ranks.
    pub fn for_short_calls(self, size: u32) -> Settings {
        let slot_bytes = self.slot_bytes.min(short_bytes(size));
        Settings { slot_bytes, ..self }
    }

    /// Returns the settings of a segment for one call of `rank` among `size`, made again and again.
    pub fn for_one_call(self, node_call: &NodeCall, rank: u32, size: u32) -> Settings {
        let shown = node_call.shown_max(rank, size).unwrap_or(short_bytes(size));
        let slot_bytes = shown.next_multiple_of(LINE_BYTES).max(SLOT_MIN);
        let slot_bytes = slot_bytes.min(self.for_short_calls(size).slot_bytes);
        Settings { slot_bytes, ..self }
    }

    /// Whether a call of `rank` among `size` is short. All ranks come to the same answer.
    #[inline]
    pub fn is_short(&self, node_call: &NodeCall, rank: u32, size: u32) -> bool {
        let most = self.slot_bytes_for(size).min(short_bytes(size));
        let Some(shown) = node_call.shown_max(rank, size) else {
            return false;
        };
        shown <= most && node_call.is_served() && node_call.reduced() != Some(0)
    }
}

/// A short call under way.
#[derive(Debug)]
pub struct Exchange {
    /// The round of the first level.
    first: u64,
    level: u32,
    /// Whether the own slot of this level is filled.
    is_shown: bool,
    /// The first error, which does not keep this rank from going on.
    error: Option<Error>,
}

impl Exchange {
    fn round(&self) -> u64 {
        self.first + u64::from(self.level)
    }

    /// Whether this rank shows its data, of the first level at least.
    pub fn is_shown(&self) -> bool {
        self.is_shown || self.level > 0
    }

    fn note(&mut self, result: Result<(), Error>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }
}

/// One rank's end of a sequence of short calls.
pub struct Exchanges {
    member: Member,
    /// Levels of the tree, and rounds of each call.
    levels: u32,
    /// Rounds that this rank has passed: it reads its own slots, too.
    passed: u64,
}

impl Exchanges {
    /// `member` makes no other calls.
    pub fn new(member: Member) -> Exchanges {
        let levels = member.tree().levels();
        Exchanges {
            member,
            levels,
            passed: 0,
        }
    }

    /// Begins the next call, which has to be polled.
    #[inline]
    pub fn begin(&mut self) -> Exchange {
        let first = self.member.round;
        self.member.round += u64::from(self.levels);
        Exchange {
            first,
            level: 0,
            is_shown: false,
            error: None,
        }
    }

    /// Advances a call as far as it can. `node_call` is the same each time, and `wake` wakes a rank
    /// that sleeps. Operators of the application run in here.
    #[inline]
    pub fn poll(
        &mut self,
        exchange: &mut Exchange,
        node_call: &NodeCall,
        wake: impl Fn(u32),
    ) -> Poll<Result<(), Error>> {
        let levels = match node_call {
            NodeCall::Barrier | NodeCall::Allreduce(..) => self.levels,
            _ => 1,
        };
        loop {
            if !self.show(exchange, node_call, &wake) {
                return Poll::Pending;
            }
            match self.missing(exchange, node_call) {
                Ok(None) => {}
                Ok(Some(_)) => return Poll::Pending,
                Err(Corrupt) => return Poll::Ready(Err(out_of_step())),
            }
            self.take(exchange, node_call);
            exchange.level += 1;
            exchange.is_shown = false;
            if exchange.level == levels {
                break;
            }
        }
        self.passed = exchange.first + u64::from(self.levels);
        let Member { room, turn, .. } = &mut self.member;
        if turn.pass(room, self.passed - 1) {
            self.wake_sleepers(&wake);
        }
        Poll::Ready(exchange.error.take().map_or(Ok(()), Err))
    }

    /// Fills the own slot of this level and shows it. Returns false while a rank may still read the
    /// slot's earlier content.
    #[inline]
    pub fn show(
        &mut self,
        exchange: &mut Exchange,
        node_call: &NodeCall,
        wake: impl Fn(u32),
    ) -> bool {
        if exchange.is_shown {
            return true;
        }
        let round = exchange.round();
        let Member { room, turn, .. } = &mut self.member;
        if round >= self.passed + DEPTH || turn.may_fill(room, round).is_err() {
            return false;
        }
        let filled = self.fill(exchange, node_call);
        let bytes = if filled.is_ok() {
            self.bytes(node_call)
        } else {
            0
        };
        exchange.note(filled);
        let Member { room, me, turn, .. } = &self.member;
        let head = head(node_call.signature(), bytes);
        room.head(*me, round).store(head, Ordering::Relaxed);
        turn.show(room, round);
        self.wake_sleepers(wake);
        exchange.is_shown = true;
        let next = round + u64::from(self.levels);
        if turn.is_free(room, next) {
            room.fetch_for_writing(*me, next);
        }
        true
    }

    /// Returns the rank that the oldest call waits for; `None` where it can go on.
    #[inline]
    pub fn awaits(&self, exchange: &Exchange, node_call: &NodeCall) -> Option<u32> {
        if exchange.is_shown {
            return self.missing(exchange, node_call).ok().flatten();
        }
        let mut turn = self.member.turn;
        turn.may_fill(&self.member.room, exchange.round()).err()
    }

    /// Announces that this rank is about to sleep until `awaited` shows or passes a slot. The
    /// caller polls once more before it sleeps.
    pub fn announce_sleep(&self, awaited: u32) {
        self.member.note_sleep(Some(awaited));
    }

    /// Clears the announcement, after the sleep.
    pub fn end_sleep(&self) {
        self.member.note_sleep(None);
    }

    #[inline]
    fn wake_sleepers(&self, wake: impl Fn(u32)) {
        let Member {
            room, me, order, ..
        } = &self.member;
        room.wake_sleepers(*order, *me, wake);
    }

    fn bytes(&self, node_call: &NodeCall) -> usize {
        let Member { me, size, .. } = self.member;
        node_call.shown_max(me, size).unwrap_or(0)
    }
}

/// A call's head: its signature, and the bytes that its ranks show at most.
fn head(signature: Signature, bytes: usize) -> u64 {
    u64::from(signature.code()) << CODE_SHIFT | bytes as u64
}

/// The ranks whose slots a call reads.
enum Sources {
    None,
    Rank(u32),
    All,
}

impl Exchanges {
    #[inline]
    fn sources(&self, node_call: &NodeCall) -> Sources {
        let me = self.member.me;
        match *node_call {
            NodeCall::Bcast(root, _) | NodeCall::Scatter(root, ..) if root != me => {
                Sources::Rank(root)
            }
            NodeCall::Bcast(..) | NodeCall::Scatter(..) => Sources::None,
            NodeCall::Gather(root, ..) | NodeCall::Reduce(root, ..) if root != me => Sources::None,
            _ => Sources::All,
        }
    }

    /// Returns the last rank that a call reads from and that does not show its slot yet: ranks are
    /// woken in order, so whoever sleeps for the last one is mostly woken once.
    #[inline]
    fn missing(&self, exchange: &Exchange, node_call: &NodeCall) -> Result<Option<u32>, Corrupt> {
        let Member { room, turn, me, .. } = &self.member;
        let round = exchange.round();
        let lacks = |rank: u32| turn.shows(room, rank, round).map(|shows| !shows);
        match self.sources(node_call) {
            Sources::None => Ok(None),
            Sources::Rank(rank) => Ok(lacks(rank)?.then_some(rank)),
            Sources::All => {
                let readers = self.readers(exchange, node_call).rev();
                for rank in readers.filter(|rank| rank != me) {
                    if lacks(rank)? {
                        return Ok(Some(rank));
                    }
                }
                Ok(None)
            }
        }
    }

    /// The ranks that read each other in a level, in order.
    #[inline]
    fn readers(
        &self,
        exchange: &Exchange,
        node_call: &NodeCall,
    ) -> impl DoubleEndedIterator<Item = u32> {
        let by_levels = matches!(node_call, NodeCall::Barrier | NodeCall::Allreduce(..));
        let (level, whole) = match by_levels && self.levels > 1 {
            true => (exchange.level, 0),
            false => (0, self.member.size),
        };
        let peers = (whole == 0).then(|| self.member.tree().peers(level));
        (0..whole).chain(peers.into_iter().flatten())
    }

    /// Returns what `rank` shows, of `len` bytes; `None` when it calls differently, which is noted.
    #[inline]
    fn see(
        &self,
        exchange: &mut Exchange,
        node_call: &NodeCall,
        rank: u32,
        len: usize,
    ) -> Option<UserBuf> {
        let (room, round) = (&self.member.room, exchange.round());
        let ours = head(node_call.signature(), self.bytes(node_call));
        let theirs = room.head(rank, round).load(Ordering::Relaxed);
        if ours != theirs {
            exchange.note(Err(self.differs(rank, theirs, node_call)));
            return None;
        }
        Some(room.data(rank, round, len))
    }

    /// Returns the error of a rank that shows another head.
    #[cold]
    fn differs(&self, rank: u32, head: u64, node_call: &NodeCall) -> Error {
        let Member { me, size, .. } = self.member;
        let ours = node_call.signature();
        let Some(theirs) = Signature::of_code((head >> CODE_SHIFT) as u16) else {
            return out_of_step();
        };
        if ours == theirs {
            return Error::Length {
                peer: Peer::from(rank),
                expected: self.bytes(node_call),
                received: (head & ((1 << CODE_SHIFT) - 1)) as usize,
            };
        }
        Error::Mismatch(Box::new(Mismatch {
            peer: Peer::from(rank).to_string(),
            theirs: Some(theirs),
            rank: me,
            ours: Some(ours),
            ranks: size,
        }))
    }
}

/// Fills slots, and takes what other ranks show, call by call.
impl Exchanges {
    /// Returns `len` bytes of the own slot, to be filled.
    fn slot(&self, exchange: &Exchange, len: usize) -> Result<UserBuf, Error> {
        if len > self.member.slot_bytes() {
            return Err(Error::Arguments("a rank has more data than a slot"));
        }
        Ok(self.member.room.data(self.member.me, exchange.round(), len))
    }

    #[inline]
    fn fill(&self, exchange: &Exchange, node_call: &NodeCall) -> Result<(), Error> {
        let me = self.member.me;
        match *node_call {
            NodeCall::Barrier => Ok(()),
            NodeCall::Bcast(root, buffer) if root == me => self.fill_with(exchange, buffer),
            NodeCall::Gather(root, Some(own), _) if root != me => self.fill_with(exchange, own),
            NodeCall::Scatter(root, Some(all), _) if root == me => {
                let blocks = Blocks::even(all.clone(), self.member.size);
                self.fill_blocks(exchange, &blocks)
            }
            NodeCall::Bcast(..) | NodeCall::Gather(..) | NodeCall::Scatter(..) => Ok(()),
            NodeCall::Allgather(Some(own), _) => self.fill_with(exchange, own),
            NodeCall::Allgather(None, all) => self.fill_with(exchange, &all.block(me)),
            NodeCall::Alltoall(send, recv) => self.fill_blocks(exchange, send.unwrap_or(recv)),
            NodeCall::Reduce(_, reduction, vector) | NodeCall::Allreduce(reduction, vector) => {
                let fold = Fold::new(reduction, vector)?;
                let operand = match exchange.level {
                    0 => fold.mine(0..fold.bytes),
                    _ => fold.result()?,
                };
                self.slot(exchange, fold.bytes)?.copy_from(&operand);
                Ok(())
            }
        }
    }

    fn fill_with(&self, exchange: &Exchange, buffer: &Buffer) -> Result<(), Error> {
        let slot = self.slot(exchange, buffer.len())?;
        if !buffer.is_empty() {
            pack(buffer, 0, slot, Stores::Cached);
        }
        Ok(())
    }

    /// Fills the slot with the blocks of all other ranks, in order.
    fn fill_blocks(&self, exchange: &Exchange, blocks: &Blocks) -> Result<(), Error> {
        let Member { me, size, .. } = self.member;
        let part = blocks.block_len(me);
        let slot = self.slot(exchange, part * (size - 1) as usize)?;
        for rank in (0..size).filter(|rank| *rank != me && part > 0) {
            let room = slot.part(among_others(rank, me) * part, part);
            pack(&blocks.block(rank), 0, room, Stores::Cached);
        }
        Ok(())
    }

    /// Takes what the sources of a level show.
    #[inline]
    fn take(&self, exchange: &mut Exchange, node_call: &NodeCall) {
        let me = self.member.me;
        match *node_call {
            NodeCall::Barrier => {
                for rank in self.readers(exchange, node_call).filter(|rank| *rank != me) {
                    self.see(exchange, node_call, rank, 0);
                }
            }
            NodeCall::Bcast(root, buffer) if root != me => {
                self.take_into(exchange, node_call, root, buffer);
            }
            NodeCall::Gather(root, own, Some(all)) if root == me => {
                let blocks = Blocks::even(all.clone(), self.member.size);
                exchange.note(move_own(own, &blocks, me));
                self.take_blocks(exchange, node_call, &blocks);
            }
            NodeCall::Scatter(root, Some(all), own) if root == me => {
                let block = Blocks::even(all.clone(), self.member.size).block(me);
                exchange.note(own.map_or(Ok(()), |own| copy(&block, own)));
            }
            NodeCall::Scatter(root, _, Some(own)) => self.take_part(exchange, node_call, root, own),
            NodeCall::Bcast(..) | NodeCall::Gather(..) | NodeCall::Scatter(..) => {}
            NodeCall::Allgather(own, all) => {
                exchange.note(move_own(own, all, me));
                self.take_blocks(exchange, node_call, all);
            }
            NodeCall::Alltoall(send, recv) => {
                let own = send.map(|send| send.block(me));
                exchange.note(own.map_or(Ok(()), |own| copy(&own, &recv.block(me))));
                for rank in (0..self.member.size).filter(|rank| *rank != me) {
                    self.take_part(exchange, node_call, rank, &recv.block(rank));
                }
            }
            NodeCall::Reduce(root, ..) if root != me => {}
            NodeCall::Reduce(_, reduction, vector) | NodeCall::Allreduce(reduction, vector) => {
                let combined = self.combine(exchange, node_call, reduction, vector);
                exchange.note(combined);
            }
        }
    }

    /// Takes all that `rank` shows.
    fn take_into(&self, exchange: &mut Exchange, node_call: &NodeCall, rank: u32, into: &Buffer) {
        let shown = self.see(exchange, node_call, rank, into.len());
        if let Some(bytes) = shown.filter(|bytes| !bytes.is_empty()) {
            unpack(into, 0, bytes);
        }
    }

    /// Takes a block from each other rank.
    fn take_blocks(&self, exchange: &mut Exchange, node_call: &NodeCall, into: &Blocks) {
        let me = self.member.me;
        for rank in (0..self.member.size).filter(|rank| *rank != me) {
            self.take_into(exchange, node_call, rank, &into.block(rank));
        }
    }

    /// Takes the own part of what `rank` shows for all others.
    fn take_part(&self, exchange: &mut Exchange, node_call: &NodeCall, rank: u32, into: &Buffer) {
        let (part, others) = (into.len(), (self.member.size - 1) as usize);
        let shown = self.see(exchange, node_call, rank, part * others);
        if let Some(bytes) = shown.filter(|_| part > 0) {
            let at = among_others(self.member.me, rank) * part;
            unpack(into, 0, bytes.part(at, part));
        }
    }

    /// Combines what the ranks of a level show, in rank order. The own operand is the one in the
    /// own slot: the result may lie on the other.
    #[inline]
    fn combine(
        &self,
        exchange: &mut Exchange,
        node_call: &NodeCall,
        reduction: &Reduction,
        vector: &Vector,
    ) -> Result<(), Error> {
        let fold = Fold::new(reduction, vector)?;
        let (acc, len) = (fold.result()?, fold.bytes);
        let mut combined = Combined::default();
        for rank in self.readers(exchange, node_call).rev() {
            if let Some(operand) = self.see(exchange, node_call, rank, len) {
                let added = combined.add(&fold, operand, acc);
                exchange.note(added);
            }
        }
        combined.finish(acc);
        Ok(())
    }
}

/// Copies this rank's own block.
fn copy(from: &Buffer, to: &Buffer) -> Result<(), Error> {
    crate::alltoall::check(from.len(), to.len())?;
    if !from.is_empty() {
        datatype::copy(from, to)?;
    }
    Ok(())
}
