//! Reductions of operands that the ranks read directly from each other's memory.
//!
//! Every rank combines a share of the vector, step by step: the steps stay in a cache. Of two ranks
//! the root combines two thirds in a reduction to it, since the other one has to copy twice; and in
//! one for both each combines all, which takes one meeting less than shares do.

use std::ops::Range;

use coll::Error;
use memory::UserBuf;
use shm::Direction;

use crate::call::{Call, Head, Kind, Wait};
use crate::reduce::Fold;

/// Bytes that are copied and combined before the next ones.
const STEP_BYTES: usize = 128 << 10;

/// Where a rank's operand and its result are in its memory.
#[derive(Clone, Copy)]
struct Places {
    operand: u64,
    /// 0 where it has none.
    result: u64,
}

impl<W: Wait> Call<'_, W> {
    /// Returns the rounds that it took with the result. Round 0 shows where the operands are, round
    /// 1 that a share is combined, round 2 that no rank reads any more.
    pub(crate) fn allreduce_direct(&mut self, fold: &Fold) -> (u64, Result<bool, Error>) {
        let (places, into) = match self.all_places(fold) {
            Ok((places, Some(into))) => (places, into),
            Ok((_, None)) => return (3, Err(Error::Arguments("a rank needs a receive buffer"))),
            Err(error) => return (3, Err(error)),
        };
        // In place the result would overwrite what the other still reads.
        let in_place = is_in_place(&places);
        if self.member.size == 2 && !in_place {
            let combined = self.combine_shares(fold, &places, 0..fold.bytes, Some(into));
            return (2, self.meet_copied(self.first() + 1, combined));
        }
        let met = self.allreduce_shares(fold, &places, into);
        (3, whole_operands(met, in_place))
    }

    fn allreduce_shares(
        &mut self,
        fold: &Fold,
        places: &[Places],
        into: UserBuf,
    ) -> Result<bool, Error> {
        let (first, me, size) = (self.first(), self.member.me, self.member.size);
        let own = fold.share(fold.bytes, size, me);
        let combined = self.combine_shares(fold, places, own, Some(into));
        self.show_copied(first + 1, combined)?;
        let mut copied = Ok(());
        for rank in (1..size).map(|step| (me + step) % size) {
            self.await_copied(rank, first + 1)?;
            let share = fold.share(fold.bytes, size, rank);
            let remote = places[rank as usize].result;
            let remote = remote.wrapping_add(share.start as u64);
            let room = into.part(share.start, share.len());
            copied = copied.and_then(|()| self.copy(rank, Direction::Read, room, remote));
        }
        self.meet_copied(first + 2, copied)
    }

    /// Round 0 shows where the operands are, round 1 that the own share is in the root's result and
    /// nothing is read any more.
    pub(crate) fn reduce_direct(&mut self, root: u32, fold: &Fold) -> Result<bool, Error> {
        let (me, size) = (self.member.me, self.member.size);
        let (places, into) = self.all_places(fold)?;
        let own = match (size, me == root) {
            (2, true) => 0..fold.share(fold.bytes, 3, 2).start,
            (2, false) => fold.share(fold.bytes, 3, 2),
            _ => fold.share(fold.bytes, size, me),
        };
        let combined = match me == root {
            true => self.combine_shares(fold, &places, own, into),
            false => self.combine_for(root, fold, &places, own),
        };
        let met = self.meet_copied(self.first() + 1, combined);
        whole_operands(met, is_in_place(&places))
    }

    /// Shows where this rank's operand and result are, and returns where those of all ranks are.
    fn all_places(&mut self, fold: &Fold) -> Result<(Vec<Places>, Option<UserBuf>), Error> {
        let (first, size) = (self.first(), self.member.size);
        let (head, into) = (fold.head(Kind::Place), fold.result().ok());
        let operand = fold.mine(0..fold.bytes).address() as u64;
        let result = into.map_or(0, |into| into.address() as u64);
        self.show(first, head, 16, |slot, _| {
            slot.write(0, &operand.to_le_bytes());
            slot.write(8, &result.to_le_bytes());
        })?;
        let mut places = Vec::with_capacity(size as usize);
        for rank in 0..size {
            places.push(self.places_of(rank, first, head)?);
        }
        Ok((places, into))
    }

    fn places_of(&mut self, rank: u32, round: u64, head: Head) -> Result<Places, Error> {
        let shown = self.see(rank, round, head, 16)?;
        let place = |at| {
            let mut address = [0; 8];
            if let Some(shown) = shown {
                shown.read(at, &mut address);
            }
            u64::from_le_bytes(address)
        };
        Ok(Places {
            operand: place(0),
            result: place(8),
        })
    }

    /// Combines a range of all ranks' operands where the own result is.
    fn combine_shares(
        &mut self,
        fold: &Fold,
        places: &[Places],
        share: Range<usize>,
        into: Option<UserBuf>,
    ) -> Result<(), Error> {
        let into = into.ok_or(Error::Arguments("the root needs a receive buffer"))?;
        for part in steps(fold, share) {
            let acc = into.part(part.start, part.len());
            self.combine_step(fold, places, acc, part)?;
        }
        Ok(())
    }

    /// Combines a range of all ranks' operands, and writes it to the root's result.
    fn combine_for(
        &mut self,
        root: u32,
        fold: &Fold,
        places: &[Places],
        share: Range<usize>,
    ) -> Result<(), Error> {
        for part in steps(fold, share) {
            let acc = self.aside_room(part.len());
            self.combine_step(fold, places, acc, part.clone())?;
            let result = places[root as usize].result;
            let remote = result.wrapping_add(part.start as u64);
            self.copy(root, Direction::Write, acc, remote)?;
        }
        Ok(())
    }

    fn combine_step(
        &mut self,
        fold: &Fold,
        places: &[Places],
        acc: UserBuf,
        part: Range<usize>,
    ) -> Result<(), Error> {
        let (me, size) = (self.member.me, self.member.size);
        let highest = size - 1;
        let remote = |rank: u32| {
            let operand = places[rank as usize].operand;
            operand.wrapping_add(part.start as u64)
        };
        if size == 2 && !fold.in_place {
            let theirs = self.bounce(acc.len());
            self.copy(1 - me, Direction::Read, theirs, remote(1 - me))?;
            let mine = fold.mine(part.clone());
            let [lower, upper] = match me {
                0 => [mine, theirs],
                _ => [theirs, mine],
            };
            return fold.combine_into(lower, upper, acc);
        }
        // In place the own operand lies where the first one is read to.
        let mine = match fold.in_place && me != highest {
            false => fold.mine(part.clone()),
            true => self.aside(acc),
        };
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

/// Whether a rank's result lies where its operand is.
fn is_in_place(places: &[Places]) -> bool {
    places.iter().any(|one| one.operand == one.result)
}

/// Returns an error where not all ranks were allowed to copy and results have overwritten operands:
/// the call cannot begin again.
fn whole_operands(met: Result<bool, Error>, overwritten: bool) -> Result<bool, Error> {
    match met {
        Ok(false) if overwritten => Err(Error::Arguments(
            "the system refused a rank to read the memory of others in the middle of a reduction \
             in place",
        )),
        met => met,
    }
}

/// The parts of a range that are combined one after the other.
fn steps(fold: &Fold, share: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let (step, end) = (fold.chunk_bytes(STEP_BYTES), share.end);
    share
        .step_by(step)
        .map(move |from| from..(from + step).min(end))
}
