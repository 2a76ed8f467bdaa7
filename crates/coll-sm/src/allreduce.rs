//! Reduction whose result every rank gets, with equal bits.
//!
//! Every rank combines the whole vector if it is short, or if there are only two ranks (in chunks).
//! Otherwise every rank combines a share of the vector: in chunks through the slots, or reading the
//! operands directly from the others' memory and leaving the result where the others read it.

use std::ops::Range;

use coll::{Error, Reduction, Vector};
use memory::UserBuf;
use shm::Direction;

use crate::call::{pieces, radix_of, Call, Head, Kind, Member, Wait};
use crate::params::Settings;
use crate::reduce::Fold;
use crate::segment::INLINE_BYTES;

/// Longest vector, in bytes, that every rank combines as a whole.
const WHOLE_BYTES: usize = 4096;
/// Longest vector, in bytes, that both of two ranks combine as a whole.
const WHOLE_PAIR_BYTES: usize = 256 << 10;
/// Bytes that are copied directly and combined before the next ones: they stay in a cache.
const STEP_BYTES: usize = 128 << 10;

/// Returns how many consecutive ranks are combined before they are combined with others, in a
/// vector of `bytes`: in each group, and of consecutive groups, each lower one is the left operand.
/// `crowded` says whether rank 0 has more ranks beside it than cores.
pub fn radix_for(settings: &Settings, size: u32, crowded: bool, bytes: usize) -> u32 {
    match bytes <= WHOLE_BYTES.min(settings.slot_bytes_for(size)) {
        true => radix_of(size, crowded),
        false => size,
    }
}

impl Member {
    /// `MPI_ALLREDUCE` (MPI 5.0, 6.9.6), of a type that [`crate::can_reduce`] admits.
    ///
    /// # Errors
    /// When a rank has died or was called otherwise, or the operator fails.
    #[inline]
    pub fn allreduce(
        &mut self,
        wait: &impl Wait,
        reduction: &Reduction,
        vector: &Vector,
    ) -> Result<(), Error> {
        let fold = Fold::new(reduction, vector)?;
        let mut call = Call::begin(self, wait)?;
        if fold.bytes == 0 {
            return call.end(0, Ok(()));
        }
        if call.member.size <= call.member.radix() && fold.bytes <= INLINE_BYTES {
            let result = call.allreduce_line(&fold);
            return call.end(1, result);
        }
        let (rounds, result) = call.allreduce_long(&fold);
        call.end(rounds, result)
    }
}

impl<W: Wait> Call<'_, W> {
    /// Reduces vectors that fit into a line, of ranks that all read each other's slots.
    #[inline]
    fn allreduce_line(&mut self, fold: &Fold) -> Result<(), Error> {
        let (round, len) = (self.first(), fold.bytes);
        let head = fold.head(Kind::Allreduce);
        let acc = fold.result()?;
        self.show(round, head, len, |slot, stores| {
            slot.copy_from_by(stores, &fold.mine(0..len))
        })?;
        let mine = self.operand(fold, round, 0..len);
        self.combine_ranks(round, head, fold, mine, 0..len, len, acc)?;
        self.pass(round);
        self.all_came();
        Ok(())
    }

    #[inline(never)]
    fn allreduce_long(&mut self, fold: &Fold) -> (u64, Result<(), Error>) {
        let slot_bytes = self.member.slot_bytes();
        if fold.bytes <= WHOLE_BYTES.min(slot_bytes) {
            let levels = self.member.tree().levels();
            return (u64::from(levels), self.allreduce_levels(fold, levels));
        }
        if self.member.is_direct(fold.bytes) {
            return (3, self.allreduce_direct(fold));
        }
        let chunk = fold.chunk_bytes(slot_bytes);
        let chunks = pieces(fold.bytes, chunk);
        if self.member.size == 2 && fold.bytes <= WHOLE_PAIR_BYTES {
            return (chunks, self.allreduce_whole(fold, chunk));
        }
        (2 * chunks, self.allreduce_shared(fold, chunk))
    }

    /// This rank's operand of a chunk shown in `round`, which the result will not lie on.
    #[inline]
    fn operand(&self, fold: &Fold, round: u64, part: Range<usize>) -> UserBuf {
        // In place the own data lies where the result accumulates.
        match fold.in_place {
            false => fold.mine(part),
            true => self.own(round, part.len()),
        }
    }

    fn allreduce_levels(&mut self, fold: &Fold, levels: u32) -> Result<(), Error> {
        let head = fold.head(Kind::Allreduce);
        let (acc, len) = (fold.result()?, fold.bytes);
        for level in 0..levels {
            let round = self.first() + u64::from(level);
            let partial = if level == 0 { fold.mine(0..len) } else { acc };
            self.show(round, head, len, |slot, stores| {
                slot.copy_from_by(stores, &partial)
            })?;
            // Above the first level the own data lies where the result accumulates.
            let mine = match level {
                0 => self.operand(fold, round, 0..len),
                _ => self.own(round, len),
            };
            let ranks = self.member.tree().peers(level);
            self.combine_all(round, head, fold, ranks, mine, 0..len, len, acc)?;
            self.pass(round);
        }
        self.all_came();
        Ok(())
    }

    /// Combines all on every rank, chunk by chunk; the next one is shown while others still read.
    fn allreduce_whole(&mut self, fold: &Fold, chunk: usize) -> Result<(), Error> {
        let head = fold.head(Kind::Allreduce);
        let (first, into) = (self.first(), fold.result()?);
        let chunks = pieces(fold.bytes, chunk);
        for index in 0..chunks {
            let ahead = if index == 0 { 0..1 } else { 0..0 };
            for shown in ahead.chain(index + 1..(index + 2).min(chunks)) {
                let operand = fold.mine(fold.chunk(shown, chunk));
                let len = operand.len();
                self.show(first + shown, head, len, |slot, stores| {
                    slot.copy_from_by(stores, &operand)
                })?;
            }
            let (round, part) = (first + index, fold.chunk(index, chunk));
            let (len, acc) = (part.len(), into.part(part.start, part.len()));
            let mine = self.operand(fold, round, part);
            self.combine_ranks(round, head, fold, mine, 0..len, len, acc)?;
            self.pass(round);
        }
        self.all_came();
        Ok(())
    }

    fn allreduce_shared(&mut self, fold: &Fold, chunk: usize) -> Result<(), Error> {
        let head = fold.head(Kind::Allreduce);
        let (first, into) = (self.first(), fold.result()?);
        let chunks = pieces(fold.bytes, chunk);
        self.show_share_of(first, head, fold, fold.chunk(0, chunk))?;
        for index in 0..chunks {
            let (round, part) = (first + 2 * index, fold.chunk(index, chunk));
            self.combine_share(round, head, fold, part.clone(), Some(into))?;
            if index + 1 < chunks {
                // While the others still combine.
                let next = fold.chunk(index + 1, chunk);
                self.show_share_of(round + 2, head, fold, next)?;
            }
            self.collect_shares(round + 1, head, fold, part, into)?;
            self.pass(round + 1);
        }
        self.all_came();
        Ok(())
    }

    /// Combines shares read directly: round 0 shows where the operands are, round 1 that a share is
    /// combined, round 2 that no rank reads any more.
    fn allreduce_direct(&mut self, fold: &Fold) -> Result<(), Error> {
        let (first, me, size) = (self.first(), self.member.me, self.member.size);
        let (bytes, into) = (fold.bytes, fold.result()?);
        self.show(first, fold.head(Kind::Place), 16, |slot, _| {
            let places = [fold.mine(0..bytes), into].map(|memory| memory.address() as u64);
            slot.write(0, &places[0].to_le_bytes());
            slot.write(8, &places[1].to_le_bytes());
        })?;
        let mut places = Vec::with_capacity(size as usize);
        for rank in 0..size {
            places.push(self.two_places(rank, first, fold.head(Kind::Place))?);
        }
        let combined = self.combine_direct(fold, &places, into);
        self.show_copied(first + 1, combined)?;
        let mut copied = Ok(());
        for rank in (1..size).map(|step| (me + step) % size) {
            self.await_copied(rank, first + 1)?;
            let share = fold.share(bytes, size, rank);
            let remote = places[rank as usize].1.wrapping_add(share.start as u64);
            let room = into.part(share.start, share.len());
            copied = copied.and_then(|()| self.copy(rank, Direction::Read, room, remote));
        }
        self.show_copied(first + 2, copied)?;
        self.await_all_copied(first + 2)?;
        self.pass(first + 2);
        self.all_came();
        Ok(())
    }

    fn two_places(&mut self, rank: u32, round: u64, head: Head) -> Result<(u64, u64), Error> {
        let shown = self.see(rank, round, head, 16)?;
        let place = |at| {
            let mut address = [0; 8];
            if let Some(shown) = shown {
                shown.read(at, &mut address);
            }
            u64::from_le_bytes(address)
        };
        Ok((place(0), place(8)))
    }

    /// Combines the own share of all ranks' operands where the result goes.
    fn combine_direct(
        &mut self,
        fold: &Fold,
        places: &[(u64, u64)],
        into: UserBuf,
    ) -> Result<(), Error> {
        let (me, size) = (self.member.me, self.member.size);
        let share = fold.share(fold.bytes, size, me);
        let step = fold.chunk_bytes(STEP_BYTES);
        let mut from = share.start;
        while from < share.end {
            let part = from..(from + step).min(share.end);
            self.combine_step(
                fold,
                places,
                into.part(part.start, part.len()),
                part.clone(),
            )?;
            from = part.end;
        }
        Ok(())
    }

    fn combine_step(
        &mut self,
        fold: &Fold,
        places: &[(u64, u64)],
        acc: UserBuf,
        part: Range<usize>,
    ) -> Result<(), Error> {
        let me = self.member.me;
        let highest = self.member.size - 1;
        // In place the own operand lies where the first one is read to.
        let mine = match fold.in_place && me != highest {
            false => fold.mine(part.clone()),
            true => self.aside(acc),
        };
        let remote = |rank: u32| places[rank as usize].0.wrapping_add(part.start as u64);
        if highest != me {
            self.copy(highest, Direction::Read, acc, remote(highest))?;
        }
        for rank in (0..highest).rev() {
            let operand = match rank == me {
                true => mine,
                false => {
                    let theirs = self.bounce(acc.len());
                    self.copy(rank, Direction::Read, theirs, remote(rank))?;
                    theirs
                }
            };
            match me == highest && rank + 1 == me && !fold.in_place {
                true => fold.combine_into(operand, mine, acc)?,
                false => fold.combine(operand, acc)?,
            }
        }
        Ok(())
    }
}
