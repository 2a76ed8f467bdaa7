//! Reduction whose result every rank gets, with equal bits.
//!
//! Every rank combines the whole vector if it is short, or if there are only two ranks (in chunks);
//! of a crowd rank 0 alone combines a short one. Otherwise every rank combines a share of the
//! vector, in chunks through the slots. Operands that are read directly are those of `direct`.

use std::ops::Range;

use coll::{Error, Reduction, Vector};
use memory::UserBuf;

use crate::call::{pieces, radix_of, Call, Kind, Member, Wait, RADIX};
use crate::params::Settings;
use crate::reduce::Fold;
use crate::segment::INLINE_BYTES;

/// Longest vector, in bytes, that every rank combines as a whole.
const WHOLE_BYTES: usize = 4096;
/// Longest vector, in bytes, that both of two ranks combine as a whole.
const WHOLE_PAIR_BYTES: usize = 256 << 10;

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
        if call.member.size <= RADIX && fold.bytes <= INLINE_BYTES {
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
            if self.member.is_crowd() {
                return (2, self.allreduce_at_root(fold));
            }
            let levels = self.member.tree().levels();
            return (u64::from(levels), self.allreduce_levels(fold, levels));
        }
        match self.by_copies(fold.head(Kind::Allreduce)) {
            Ok(true) => {
                let (rounds, met) = self.allreduce_direct(fold);
                if let Some(done) = self.after_copies(rounds, met) {
                    return done;
                }
            }
            Ok(false) => {}
            Err(error) => return (0, Err(error)),
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

    /// Reduces short vectors of a crowd at rank 0, as it meets for a barrier.
    fn allreduce_at_root(&mut self, fold: &Fold) -> Result<(), Error> {
        let head = fold.head(Kind::Allreduce);
        let (round, acc, len) = (self.first(), fold.result()?, fold.bytes);
        let own = fold.mine(0..len);
        if self.member.me == 0 {
            // With MPI_IN_PLACE this rank's data lies where the result is written.
            let mine = match fold.in_place {
                false => own,
                true => self.aside(own),
            };
            self.combine_ranks(round, head, fold, mine, 0..len, len, acc)?;
            self.show(round + 1, head, len, |slot, stores| {
                slot.copy_from_by(stores, &acc)
            })?;
        } else {
            self.show(round, head, len, |slot, stores| {
                slot.copy_from_by(stores, &own)
            })?;
            if let Some(result) = self.see(0, round + 1, head, len)? {
                acc.copy_from(&result);
            }
        }
        self.pass(round + 1);
        self.all_came();
        Ok(())
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
}
