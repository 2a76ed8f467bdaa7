//! Reduction to one rank.
//!
//! Data is combined from the highest rank down, with the lower rank as the left operand, so that
//! operators that do not commute see the ranks in order. With two ranks or a short vector the root
//! combines everything, one chunk while the other ranks fill their slots with the next. Otherwise
//! each rank combines a share of every chunk, and the root collects the shares. Operands that are
//! read directly are those of `direct`.

use std::ops::Range;

use coll::{Error, Operator, Reduction, Vector};
use datatype::{Buffer, Datatype};
use memory::UserBuf;

use crate::call::{pieces, Call, Head, Kind, Member, Wait};

/// Most ranks with which the root alone combines a long vector.
const ALONE_RANKS: u32 = 2;
/// Longest vector, in bytes, that the root alone combines whatever the number of ranks.
const ALONE_BYTES: usize = 4096;
/// Alignment of shares, in bytes.
const SHARE_BYTES: usize = 64;

/// Whether reductions of this datatype go through shared memory: only those of predefined datatypes
/// without gaps.
pub fn can_reduce(datatype: &Datatype) -> bool {
    datatype.predefined().is_some() && datatype.is_dense() && datatype.size() > 0
}

impl Member {
    /// `MPI_REDUCE` (MPI 5.0, 6.9.1), of a type that [`can_reduce`] admits.
    ///
    /// # Errors
    /// When a rank has died or was called otherwise, or the operator fails.
    pub fn reduce(
        &mut self,
        wait: &impl Wait,
        root: u32,
        reduction: &Reduction,
        vector: &Vector,
    ) -> Result<(), Error> {
        let fold = Fold::new(reduction, vector)?;
        let mut call = Call::begin(self, wait)?;
        let copies = call.by_copies(fold.head(Kind::Reduce))?;
        if fold.bytes == 0 {
            return call.end(0, Ok(()));
        }
        if copies {
            let met = call.reduce_direct(root, &fold);
            if let Some((rounds, result)) = call.after_copies(2, met) {
                return call.end(rounds, result);
            }
        }
        let chunk = fold.chunk_bytes(call.member.slot_bytes());
        let chunks = pieces(fold.bytes, chunk);
        if call.member.size <= ALONE_RANKS || fold.bytes <= ALONE_BYTES {
            let result = call.reduce_alone(root, &fold, chunk);
            return call.end(chunks, result);
        }
        let result = call.reduce_shared(root, &fold, chunk);
        call.end(2 * chunks, result)
    }
}

impl<W: Wait> Call<'_, W> {
    fn reduce_alone(&mut self, root: u32, fold: &Fold, chunk: usize) -> Result<(), Error> {
        let head = fold.head(Kind::Reduce);
        let is_root = root == self.member.me;
        let mut from = 0;
        for round in self.first()..self.first() + pieces(fold.bytes, chunk) {
            let len = chunk.min(fold.bytes - from);
            let part = from..from + len;
            if !is_root {
                self.show(round, head, len, |slot, stores| {
                    slot.copy_from_by(stores, &fold.mine(part.clone()))
                })?;
            } else {
                // With MPI_IN_PLACE this rank's data lies where the result is written.
                let mine = match fold.in_place {
                    false => fold.mine(part.clone()),
                    true => self.aside(fold.mine(part.clone())),
                };
                let acc = fold.result()?.part(from, len);
                for rank in (0..self.member.size).filter(|rank| *rank != root) {
                    self.read_ahead(rank, round);
                }
                self.combine_ranks(round, head, fold, mine, 0..len, len, acc)?;
            }
            self.pass(round);
            from += len;
        }
        if is_root {
            self.all_came();
        }
        Ok(())
    }

    fn reduce_shared(&mut self, root: u32, fold: &Fold, chunk: usize) -> Result<(), Error> {
        let head = fold.head(Kind::Reduce);
        let (first, me) = (self.first(), self.member.me);
        let chunks = pieces(fold.bytes, chunk);
        for index in 0..chunks {
            let part = fold.chunk(index, chunk);
            let into = match me == root {
                true => Some(fold.result()?),
                false => None,
            };
            self.show_share_of(first + 2 * index, head, fold, part.clone())?;
            self.combine_share(first + 2 * index, head, fold, part.clone(), into)?;
            if let Some(into) = into {
                self.collect_shares(first + 2 * index + 1, head, fold, part, into)?;
            }
            self.pass(first + 2 * index + 1);
        }
        self.all_came();
        Ok(())
    }

    /// Shows this rank's data of a chunk to the ranks that combine its shares.
    pub(crate) fn show_share_of(
        &mut self,
        round: u64,
        head: Head,
        fold: &Fold,
        part: Range<usize>,
    ) -> Result<(), Error> {
        let own = fold.share(part.len(), self.member.size, self.member.me);
        let mine = fold.mine(part.clone());
        self.show(round, head, part.len(), |slot, stores| {
            // No other rank reads the share that this rank combines.
            slot.part(0, own.start).copy_from_by(stores, &mine);
            let rest = mine.from(own.end);
            slot.from(own.end).copy_from_by(stores, &rest);
        })
    }

    /// Combines this rank's share of a chunk, and shows the result in the next round. With `into`,
    /// the whole result vector, the share is stored there as well.
    ///
    /// The share is combined in memory that only this rank uses, and then copied to the slot: a
    /// loop that stores elements fetches each line first, and the lines of a slot are in another
    /// core's cache, whereas a copy need not fetch them.
    pub(crate) fn combine_share(
        &mut self,
        round: u64,
        head: Head,
        fold: &Fold,
        part: Range<usize>,
        into: Option<UserBuf>,
    ) -> Result<(), Error> {
        let (me, size) = (self.member.me, self.member.size);
        let own = fold.share(part.len(), size, me);
        let at = part.start + own.start..part.start + own.end;
        let acc = match into {
            Some(into) => into.part(at.start, own.len()),
            None => self.bounce(own.len()),
        };
        let mine = match fold.in_place && into.is_some() {
            false => fold.mine(at),
            true => self.aside(fold.mine(at)),
        };
        if !own.is_empty() {
            self.combine_all(
                round,
                head,
                fold,
                0..size,
                mine,
                own.clone(),
                part.len(),
                acc,
            )?;
        }
        self.show(round + 1, head, part.len(), |slot, stores| {
            slot.part(own.start, own.len()).copy_from_by(stores, &acc);
        })
    }

    /// Copies the shares of a chunk that the other ranks have combined into `into`.
    pub(crate) fn collect_shares(
        &mut self,
        round: u64,
        head: Head,
        fold: &Fold,
        part: Range<usize>,
        into: UserBuf,
    ) -> Result<(), Error> {
        let (me, size) = (self.member.me, self.member.size);
        for rank in (1..size).map(|step| (me + step) % size) {
            let share = fold.share(part.len(), size, rank);
            if let Some(slot) = self.see(rank, round, head, part.len())? {
                let room = into.part(part.start + share.start, share.len());
                room.copy_from(&slot.part(share.start, share.len()));
            }
        }
        Ok(())
    }

    /// Combines the data that all ranks show in `round` into `acc`; see [`Call::combine_all`].
    #[inline]
    pub(crate) fn combine_ranks(
        &mut self,
        round: u64,
        head: Head,
        fold: &Fold,
        mine: UserBuf,
        at: Range<usize>,
        shown: usize,
        acc: UserBuf,
    ) -> Result<(), Error> {
        let (me, size) = (self.member.me, self.member.size);
        if size > 2 {
            return self.combine_all(round, head, fold, 0..size, mine, at, shown, acc);
        }
        let Some(theirs) = self.see(1 - me, round, head, shown)? else {
            acc.copy_from(&mine);
            return Ok(());
        };
        let theirs = theirs.part(at.start, at.len());
        let [lower, upper] = if me == 0 {
            [mine, theirs]
        } else {
            [theirs, mine]
        };
        let combined = fold.combine_into(lower, upper, acc);
        if combined.is_err() {
            self.note(combined);
        }
        Ok(())
    }

    /// Combines the data that `ranks` show in `round` into `acc`: of each `shown` bytes the range
    /// `at`. `mine` is the data of this rank, which does not overlap with `acc`.
    pub(crate) fn combine_all(
        &mut self,
        round: u64,
        head: Head,
        fold: &Fold,
        ranks: impl DoubleEndedIterator<Item = u32>,
        mine: UserBuf,
        at: Range<usize>,
        shown: usize,
        acc: UserBuf,
    ) -> Result<(), Error> {
        let me = self.member.me;
        let mut combined = Combined::default();
        for rank in ranks.rev() {
            let data = if rank == me {
                mine
            } else {
                match self.see(rank, round, head, shown)? {
                    Some(data) => data.part(at.start, at.len()),
                    None => continue,
                }
            };
            let added = combined.add(fold, data, acc);
            self.note(added);
        }
        combined.finish(acc);
        Ok(())
    }
}

/// Operands that are combined one by one, from the highest rank down.
#[derive(Default)]
pub(crate) struct Combined {
    /// The first operand, of the highest rank.
    highest: Option<UserBuf>,
    /// Whether there were more.
    begun: bool,
}

impl Combined {
    /// Combines `data` with those of higher ranks in `acc`.
    #[inline]
    pub(crate) fn add(&mut self, fold: &Fold, data: UserBuf, acc: UserBuf) -> Result<(), Error> {
        match self.highest {
            None => {
                self.highest = Some(data);
                Ok(())
            }
            Some(highest) if !self.begun => {
                self.begun = true;
                fold.combine_into(data, highest, acc)
            }
            Some(_) => fold.combine(data, acc),
        }
    }

    /// Copies an only operand to `acc`.
    #[inline]
    pub(crate) fn finish(self, acc: UserBuf) {
        if let Some(only) = self.highest.filter(|_| !self.begun) {
            acc.copy_from(&only);
        }
    }
}

/// A reduction and its vectors, which have no gaps.
pub(crate) struct Fold<'a> {
    reduction: &'a Reduction,
    mine: UserBuf,
    result: Option<UserBuf>,
    pub(crate) in_place: bool,
    pub(crate) bytes: usize,
    element: usize,
}

impl<'a> Fold<'a> {
    /// # Errors
    /// When there is no data.
    pub(crate) fn new(reduction: &'a Reduction, vector: &Vector) -> Result<Fold<'a>, Error> {
        let memory = |buffer: &Option<Buffer>| buffer.as_ref().and_then(Buffer::contiguous);
        let (send, result) = (memory(&vector.send), memory(&vector.recv));
        let lacks = || Error::Arguments("a reduction needs a send buffer without gaps");
        let mine = send.or(result).ok_or_else(lacks)?;
        Ok(Fold {
            reduction,
            mine,
            result,
            in_place: send.is_none(),
            bytes: mine.len(),
            element: (reduction.datatype.size() as usize).max(1),
        })
    }

    #[inline]
    pub(crate) fn head(&self, kind: Kind) -> Head {
        Head::reducing(kind, &self.reduction.operator, self.bytes)
    }

    #[inline]
    pub(crate) fn mine(&self, part: Range<usize>) -> UserBuf {
        self.mine.part(part.start, part.len())
    }

    pub(crate) fn result(&self) -> Result<UserBuf, Error> {
        let lacks = || Error::Arguments("this rank needs a receive buffer");
        self.result
            .filter(|result| result.len() == self.bytes)
            .ok_or_else(lacks)
    }

    /// Returns the bytes of a chunk: the elements that fit entirely into a slot.
    pub(crate) fn chunk_bytes(&self, slot: usize) -> usize {
        (slot / self.element).max(1) * self.element
    }

    pub(crate) fn chunk(&self, index: u64, chunk: usize) -> Range<usize> {
        let from = index as usize * chunk;
        from..(from + chunk).min(self.bytes)
    }

    /// Returns the range of a chunk of `len` bytes that `rank` combines. It consists of whole
    /// elements and, where possible, of whole cache lines.
    pub(crate) fn share(&self, len: usize, size: u32, rank: u32) -> Range<usize> {
        let step = match SHARE_BYTES % self.element {
            0 => SHARE_BYTES,
            _ => self.element,
        };
        let steps = len.div_ceil(step);
        let edge = |rank: u32| (steps * rank as usize / size as usize * step).min(len);
        edge(rank)..edge(rank + 1)
    }

    /// Computes `out = lower op upper`; `out` overlaps with neither.
    pub(crate) fn combine_into(
        &self,
        lower: UserBuf,
        upper: UserBuf,
        out: UserBuf,
    ) -> Result<(), Error> {
        let Operator::Predefined(op) = &self.reduction.operator else {
            out.copy_from(&upper);
            return self.combine(lower, out);
        };
        let count = out.len() / self.element;
        let (vectors, datatype) = (self.reduction.vectors, &self.reduction.datatype);
        datatype::reduce_with(vectors, *op, datatype, [lower, upper], out, count)?;
        Ok(())
    }

    /// Computes `inout = source op inout`.
    pub(crate) fn combine(&self, source: UserBuf, inout: UserBuf) -> Result<(), Error> {
        let count = inout.len() / self.element;
        match &self.reduction.operator {
            Operator::Predefined(op) => {
                let (vectors, datatype) = (self.reduction.vectors, &self.reduction.datatype);
                datatype::reduce_with(vectors, *op, datatype, [source, inout], inout, count)?;
                Ok(())
            }
            Operator::User(user) => user
                .combine(&self.reduction.datatype, source, inout, count)
                .map_err(Error::Operator),
        }
    }
}
