//! Reduction whose result every rank gets, bit for bit the same.
//!
//! Of short vectors everybody combines all. Of long ones everybody combines a share: in chunks
//! through the slots, or reading it where it lies and leaving the result where the others read it.

use coll::{Error, Reduction, Vector};
use memory::UserBuf;

use crate::call::{pieces, Call, Head, Kind, Member, Wait};
use crate::direct::Way;
use crate::reduce::Fold;

/// Up to so many bytes everybody combines all.
const WHOLE_BYTES: usize = 4096;
/// Bytes that are copied directly and combined before the next ones: they stay in a cache.
const STEP_BYTES: usize = 128 << 10;

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
        if fold.bytes <= WHOLE_BYTES.min(call.member.slot_bytes()) {
            let levels = call.member.tree().levels();
            let result = call.allreduce_whole(&fold, levels);
            return call.end(u64::from(levels), result);
        }
        if call.member.is_direct(fold.bytes) {
            let result = call.allreduce_direct(&fold);
            return call.end(3, result);
        }
        let chunk = fold.chunk_bytes(call.member.slot_bytes());
        let result = call.allreduce_shared(&fold, chunk);
        call.end(2 * pieces(fold.bytes, chunk), result)
    }
}

impl<W: Wait> Call<'_, W> {
    #[inline]
    fn allreduce_whole(&mut self, fold: &Fold, levels: u32) -> Result<(), Error> {
        let head = Head::new(Kind::Allreduce, fold.bytes);
        let (acc, len) = (fold.result()?, fold.bytes);
        for level in 0..levels {
            let round = self.first() + u64::from(level);
            let partial = if level == 0 { fold.mine(0..len) } else { acc };
            self.show(round, head, len, |slot| slot.copy_from(&partial))?;
            // In place, and above the first level, the own data stands where the result grows.
            let mine = match level == 0 && !fold.in_place {
                true => partial,
                false => self.own(round, len),
            };
            let ranks = self.member.tree().peers(level);
            self.combine_all(round, head, fold, ranks, mine, 0..len, len, acc)?;
            self.pass(round);
        }
        self.all_came();
        Ok(())
    }

    fn allreduce_shared(&mut self, fold: &Fold, chunk: usize) -> Result<(), Error> {
        let head = Head::new(Kind::Allreduce, fold.bytes);
        let (first, into) = (self.first(), fold.result()?);
        let chunks = pieces(fold.bytes, chunk);
        self.show_share_of(first, head, fold, fold.chunk(0, chunk))?;
        for index in 0..chunks {
            let (round, part) = (first + 2 * index, fold.chunk(index, chunk));
            self.combine_share(round, head, fold, part.clone())?;
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

    /// Round 0 shows where the operands lie, round 1 that a share is combined, round 2 that nobody
    /// reads any more.
    fn allreduce_direct(&mut self, fold: &Fold) -> Result<(), Error> {
        let (first, me, size) = (self.first(), self.member.me, self.member.size);
        let (bytes, into) = (fold.bytes, fold.result()?);
        self.show(first, Head::new(Kind::Place, bytes), 16, |slot| {
            let places = [fold.mine(0..bytes), into].map(|memory| memory.address() as u64);
            slot.write(0, &places[0].to_le_bytes());
            slot.write(8, &places[1].to_le_bytes());
        })?;
        let mut places = Vec::with_capacity(size as usize);
        for rank in 0..size {
            places.push(self.two_places(rank, first, bytes)?);
        }
        let combined = self.combine_direct(fold, &places, into);
        self.show_copied(first + 1, combined)?;
        let mut copied = Ok(());
        for rank in (1..size).map(|step| (me + step) % size) {
            self.await_copied(rank, first + 1)?;
            let share = fold.share(bytes, size, rank);
            let remote = places[rank as usize].1.wrapping_add(share.start as u64);
            let room = into.part(share.start, share.len());
            copied = copied.and_then(|()| self.copy(rank, Way::Read, room, remote));
        }
        self.show_copied(first + 2, copied)?;
        self.await_all_copied(first + 2)?;
        self.pass(first + 2);
        self.all_came();
        Ok(())
    }

    fn two_places(&mut self, rank: u32, round: u64, bytes: usize) -> Result<(u64, u64), Error> {
        let shown = self.see(rank, round, Head::new(Kind::Place, bytes), 16)?;
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
        part: std::ops::Range<usize>,
    ) -> Result<(), Error> {
        let me = self.member.me;
        let highest = self.member.size - 1;
        // In place the own operand stands where the first one is read to.
        let mine = match fold.in_place && me != highest {
            false => fold.mine(part.clone()),
            true => self.aside(acc),
        };
        // Reading into place saves a copy, where the order is free to begin with another rank.
        let free = fold.commutes() && !fold.in_place;
        let first = if free && me == highest { 0 } else { highest };
        let remote = |rank: u32| places[rank as usize].0.wrapping_add(part.start as u64);
        if first != me {
            self.copy(first, Way::Read, acc, remote(first))?;
        } else if !fold.in_place {
            acc.copy_from(&mine);
        }
        for rank in (0..=highest).rev().filter(|rank| *rank != first) {
            let operand = match rank == me {
                true => mine,
                false => {
                    let theirs = self.bounce(acc.len());
                    self.copy(rank, Way::Read, theirs, remote(rank))?;
                    theirs
                }
            };
            fold.combine(operand, acc)?;
        }
        Ok(())
    }
}
