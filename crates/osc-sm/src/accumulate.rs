//! The accumulate calls (MPI 5.0, 12.3.4 to 12.3.6), under the window's discipline.
//!
//! What is combined is cut into stretches: under a lock that bounds the time for which others wait.
//! MPI asks for atomicity of each element only.

use std::sync::Arc;

use datatype::{allowed, predefined, reduce, Basic, Buffer, Class, Datatype, Op, Repr};
use memory::{Payload, Scratch, UserBuf};
use sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;
use crate::layout::Discipline;
use crate::member::{Member, Wait};
use crate::word;

/// Most packed bytes that are combined under the lock at once.
const STRETCH_BYTES: usize = 64 << 10;

/// Looks at a lock that somebody has before the wait becomes a long one.
const LOOKS: usize = 100;
/// Looks after which who serves others asks whether the holder is dead.
const LOOKS_FOR_DEAD: usize = 1000;

/// A place's accumulate lock, held.
#[derive(Debug)]
#[must_use = "the lock is given back when this is dropped"]
pub struct Held<'a>(&'a AtomicU32);

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}

/// What is combined with what.
struct Job<'a> {
    op: Op,
    element: &'a Arc<Datatype>,
    row: &'static Basic,
    origin: &'a Buffer,
    target: Buffer,
    result: Option<&'a Buffer>,
}

/// One element of at most 8 bytes, and what it is combined with.
struct Word {
    target: UserBuf,
    bytes: usize,
    repr: Repr,
    new: u64,
}

impl Word {
    /// With an origin of one element without gaps.
    #[inline]
    fn with(mut self, op: Op, origin: &Buffer) -> Option<Word> {
        if op != Op::NoOp {
            let origin = origin.contiguous()?;
            if origin.len() != self.bytes {
                return None;
            }
            self.new = word::load(&origin, self.bytes);
        }
        Some(self)
    }
}

impl Member {
    /// `MPI_ACCUMULATE`: combines the origin's elements into `count` of `datatype` in a place's
    /// memory, the first one `at` bytes from its start.
    ///
    /// # Errors
    /// When the target does not lie in the memory, the operation is not defined for its elements,
    /// or the origin has not as many.
    #[inline]
    pub fn accumulate(
        &self,
        wait: &impl Wait,
        place: u32,
        at: i64,
        count: i64,
        datatype: &Arc<Datatype>,
        op: Op,
        origin: &Buffer,
    ) -> Result<(), Error> {
        let word = || self.word(place, at, count, datatype, op)?.with(op, origin);
        if let Some(word) = word() {
            self.fetch(wait, place, op, &word);
            return Ok(());
        }
        let job = self.job(place, at, count, datatype, op, origin, None)?;
        self.run(&job, || self.hold(wait, place))?;
        self.wake_waiting(place, |rank| wait.wake(rank));
        Ok(())
    }

    /// `MPI_GET_ACCUMULATE`: the same, with what was there before. The origin counts for nothing
    /// with `MPI_NO_OP`.
    ///
    /// # Errors
    /// As for [`Member::accumulate`], and when the result is shorter than the target.
    #[inline]
    pub fn get_accumulate(
        &self,
        wait: &impl Wait,
        place: u32,
        at: i64,
        count: i64,
        datatype: &Arc<Datatype>,
        op: Op,
        origin: &Buffer,
        result: &Buffer,
    ) -> Result<(), Error> {
        let word = || self.word(place, at, count, datatype, op)?.with(op, origin);
        if let (Some(word), Some(into)) = (word(), result.contiguous()) {
            if into.len() >= word.bytes {
                let old = self.fetch(wait, place, op, &word);
                word::store(&into, word.bytes, old);
                return Ok(());
            }
        }
        let job = self.job(place, at, count, datatype, op, origin, Some(result))?;
        self.run(&job, || self.hold(wait, place))?;
        self.wake_waiting(place, |rank| wait.wake(rank));
        Ok(())
    }

    /// The same in this rank's own memory, for a rank that asked by a message: without a wait that
    /// moves messages. Afterwards [`Member::wake_waiting`], when others may be woken.
    ///
    /// # Errors
    /// As for [`Member::get_accumulate`].
    pub fn serve(
        &self,
        is_dead: impl Fn(u32) -> bool,
        at: i64,
        count: i64,
        datatype: &Arc<Datatype>,
        op: Op,
        origin: &Buffer,
        result: Option<&Buffer>,
    ) -> Result<(), Error> {
        let job = self.job(self.me, at, count, datatype, op, origin, result)?;
        self.run(&job, || self.hold_here(&is_dead))
    }

    /// `MPI_FETCH_AND_OP` on an element of a predefined datatype, with the buffers' first ones.
    ///
    /// # Errors
    /// As for [`Member::get_accumulate`].
    #[inline]
    pub fn fetch_and_op(
        &self,
        wait: &impl Wait,
        place: u32,
        at: i64,
        element: &Arc<Datatype>,
        op: Op,
        origin: UserBuf,
        result: UserBuf,
    ) -> Result<(), Error> {
        let Some(mut word) = self.word(place, at, 1, element, op) else {
            let [origin, result] = [origin, result].map(Buffer::bytes);
            return self.get_accumulate(wait, place, at, 1, element, op, &origin, &result);
        };
        if op != Op::NoOp {
            word.new = word::load(&origin, word.bytes);
        }
        let old = self.fetch(wait, place, op, &word);
        word::store(&result, word.bytes, old);
        Ok(())
    }

    /// The only element, where it is a word of the target's memory that the operation takes. `None`
    /// where that is to be looked at closer.
    #[inline]
    fn word(&self, place: u32, at: i64, count: i64, datatype: &Datatype, op: Op) -> Option<Word> {
        let row = datatype.predefined().filter(|_| count == 1)?;
        let bytes = word::bytes(row.repr)?;
        let target = self.stretch(place, at, 1, datatype)?;
        let word = Word {
            target,
            bytes,
            repr: row.repr,
            new: 0,
        };
        allowed(op, datatype).then_some(word)
    }

    /// Combines a word, and gives what it was.
    #[inline]
    fn fetch(&self, wait: &impl Wait, place: u32, op: Op, word: &Word) -> u64 {
        let Word {
            target,
            bytes,
            repr,
            new,
        } = *word;
        if self.is_elementwise(&target, bytes) {
            return word::fetch(&target, bytes, op, repr, new);
        }
        let held = self.hold(wait, place);
        let old = word::load(&target, bytes);
        if op != Op::NoOp {
            word::store(&target, bytes, word::combine(op, repr, new, old));
        }
        drop(held);
        self.wake_waiting(place, |rank| wait.wake(rank));
        old
    }

    /// `MPI_COMPARE_AND_SWAP` on an element of a predefined datatype.
    ///
    /// # Errors
    /// When the element does not lie in the memory, or is not of an integer type.
    #[inline]
    pub fn compare_and_swap(
        &self,
        wait: &impl Wait,
        place: u32,
        at: i64,
        element: &Arc<Datatype>,
        origin: UserBuf,
        compare: UserBuf,
        result: UserBuf,
    ) -> Result<(), Error> {
        let row = comparable(element)?;
        let Some(bytes) = word::bytes(row.repr) else {
            return self.compare_wide(wait, place, at, row, [origin, compare, result]);
        };
        let target = self.bytes(place, at, bytes)?;
        let [new, expected] = [origin, compare].map(|buf| word::load(&buf, bytes));
        if self.is_elementwise(&target, bytes) {
            let old = word::exchange(&target, bytes, expected, new);
            word::store(&result, bytes, old);
            return Ok(());
        }
        let held = self.hold(wait, place);
        let old = word::load(&target, bytes);
        if old == expected {
            word::store(&target, bytes, new);
        }
        drop(held);
        word::store(&result, bytes, old);
        self.wake_waiting(place, |rank| wait.wake(rank));
        Ok(())
    }

    /// Of an element that is no word: 16 bytes.
    #[cold]
    fn compare_wide(
        &self,
        wait: &impl Wait,
        place: u32,
        at: i64,
        row: &Basic,
        [origin, compare, result]: [UserBuf; 3],
    ) -> Result<(), Error> {
        const WIDEST: usize = 16;
        let bytes = row.size as usize;
        let target = self.bytes(place, at, bytes)?;
        let mut seen = [[0u8; WIDEST]; 2];
        let [old, expected] = &mut seen;
        compare.read(0, &mut expected[..bytes]);
        let held = self.hold(wait, place);
        target.read(0, &mut old[..bytes]);
        if old == expected {
            target.copy_from(&origin.part(0, bytes));
        }
        drop(held);
        result.write(0, &old[..bytes]);
        self.wake_waiting(place, |rank| wait.wake(rank));
        Ok(())
    }

    /// Whether an element is combined by atomic instructions. It depends on what it is and where it
    /// lies alone.
    #[inline]
    fn is_elementwise(&self, at: &UserBuf, bytes: usize) -> bool {
        self.discipline() == Discipline::Elements && word::is_aligned(at, bytes)
    }

    #[inline]
    fn job<'a>(
        &self,
        place: u32,
        at: i64,
        count: i64,
        datatype: &'a Arc<Datatype>,
        op: Op,
        origin: &'a Buffer,
        result: Option<&'a Buffer>,
    ) -> Result<Job<'a>, Error> {
        let row = row(datatype)?;
        let target = self.elements(place, at, count, datatype)?;
        let element = match datatype.predefined() {
            Some(_) => datatype,
            None => predefined(row.handle).expect("a row of the table is predefined"),
        };
        if !allowed(op, element) {
            return Err(not_allowed(op.name(), row));
        }
        let bytes = target.len();
        let long_enough = |buffer: &Buffer| buffer.len() >= bytes;
        if (op != Op::NoOp && origin.len() != bytes) || !result.is_none_or(long_enough) {
            let others = [origin.len(), result.map_or(bytes, Buffer::len)];
            return Err(lengths(bytes, others[usize::from(origin.len() == bytes)]));
        }
        Ok(Job {
            op,
            element,
            row,
            origin,
            target,
            result,
        })
    }

    #[inline]
    fn run<'a>(&self, job: &Job, mut hold: impl FnMut() -> Held<'a>) -> Result<(), Error> {
        if self.discipline() == Discipline::Elements {
            if let Some(bytes) = word::bytes(job.row.repr) {
                job.run_elements(bytes, &mut hold);
                return Ok(());
            }
        }
        let size = job.row.size as usize;
        let most = STRETCH_BYTES / size * size;
        let bytes = job.target.len();
        let plain = job.plain();
        let mut from = 0;
        while from < bytes {
            let len = most.min(bytes - from);
            match plain {
                Some([origin, target]) => {
                    let held = hold();
                    job.combine_plain(from, len, origin, target)?;
                    drop(held);
                }
                None => job.combine_packed(from, len, &mut hold)?,
            }
            from += len;
        }
        Ok(())
    }

    /// Takes a place's accumulate lock.
    #[inline]
    pub(crate) fn hold(&self, wait: &impl Wait, place: u32) -> Held<'_> {
        let lock = self.view.holder(place);
        if !try_hold(lock, self.rank(self.me)) {
            self.await_lock(wait, place);
        }
        Held(lock)
    }

    #[cold]
    fn await_lock(&self, wait: &impl Wait, place: u32) {
        let (lock, me) = (self.view.holder(place), self.rank(self.me));
        for _ in 0..LOOKS {
            if try_hold(lock, me) {
                return;
            }
            std::hint::spin_loop();
        }
        let mut deaths = self.has_dead(wait);
        loop {
            let look =
                || try_hold(lock, me) || (deaths && take_over(lock, me, |r| wait.is_dead(r)));
            match wait.until(look, |asleep| self.doze(place, asleep)) {
                Ok(()) => return,
                Err(_) => deaths = true,
            }
        }
    }

    /// Takes this rank's own accumulate lock without a wait that moves messages: a holder has it
    /// for a bounded time, or is dead. For who executes what others asked by messages; afterwards
    /// [`Member::wake_waiting`], when others may be woken.
    pub fn hold_here(&self, is_dead: impl Fn(u32) -> bool) -> Held<'_> {
        let (lock, me) = (self.view.holder(self.me), self.rank(self.me));
        for look in 1.. {
            if try_hold(lock, me) {
                break;
            }
            match look {
                ..LOOKS => std::hint::spin_loop(),
                _ if look % LOOKS_FOR_DEAD == 0 && take_over(lock, me, &is_dead) => break,
                _ => std::thread::yield_now(),
            }
        }
        Held(lock)
    }
}

#[inline]
fn try_hold(lock: &AtomicU32, rank: u32) -> bool {
    let held = lock.compare_exchange(0, rank + 1, Ordering::Acquire, Ordering::Relaxed);
    held.is_ok()
}

/// Takes a lock from a holder that is dead.
#[cold]
fn take_over(lock: &AtomicU32, rank: u32, is_dead: impl Fn(u32) -> bool) -> bool {
    let holder = lock.load(Ordering::Relaxed);
    let dead = holder.checked_sub(1).is_some_and(is_dead);
    let take = || lock.compare_exchange(holder, rank + 1, Ordering::Acquire, Ordering::Relaxed);
    dead && take().is_ok()
}

impl Job<'_> {
    /// The memory of both sides, where the elements of each are one stretch, with no padding.
    #[inline]
    fn plain(&self) -> Option<[UserBuf; 2]> {
        let target = self.target.contiguous()?;
        let origin = match self.op {
            Op::NoOp => target,
            _ => self.origin.contiguous()?,
        };
        (self.row.size == self.row.extent).then_some([origin, target])
    }

    /// Combines the packed bytes `from .. from + len`, whole elements. The lock is held.
    #[inline]
    fn combine_plain(
        &self,
        from: usize,
        len: usize,
        origin: UserBuf,
        target: UserBuf,
    ) -> Result<(), Error> {
        let target = target.part(from, len);
        if let Some(result) = self.result {
            result.unpack_from_user(from, target);
        }
        if self.op == Op::NoOp {
            return Ok(());
        }
        let origin = origin.part(from, len);
        let bytes = word::bytes(self.row.repr);
        if let Some(bytes) = bytes.filter(|bytes| *bytes == len) {
            let [new, old] = [origin, target].map(|buf| word::load(&buf, bytes));
            let next = word::combine(self.op, self.row.repr, new, old);
            word::store(&target, bytes, next);
            return Ok(());
        }
        let count = len / self.row.size as usize;
        Ok(reduce(self.op, self.element, origin, target, count)?)
    }

    /// The same for elements with gaps between them or within, which are packed meanwhile.
    #[cold]
    fn combine_packed<'a>(
        &self,
        from: usize,
        len: usize,
        hold: &mut impl FnMut() -> Held<'a>,
    ) -> Result<(), Error> {
        let count = len / self.row.size as usize;
        let room = self.element.span_bytes(count);
        let [packed, new, old] = [len, room, room].map(Scratch::new);
        let [packed, new, old] = [packed.buf(), new.buf(), old.buf()];
        let elements = |room| Buffer::over(room, count, self.element);
        if self.op != Op::NoOp {
            self.origin.pack_to_user(from, packed);
            elements(new)?.unpack_from_user(0, packed);
        }
        let held = hold();
        self.target.pack_to_user(from, packed);
        if let Some(result) = self.result {
            result.unpack_from_user(from, packed);
        }
        if self.op != Op::NoOp {
            elements(old)?.unpack_from_user(0, packed);
            reduce(self.op, self.element, new, old, count)?;
            elements(old)?.pack_to_user(0, packed);
            self.target.unpack_from_user(from, packed);
        }
        drop(held);
        Ok(())
    }

    /// Combines element by element, by atomic instructions where it lies at a multiple of its size.
    fn run_elements<'a>(&self, bytes: usize, hold: &mut impl FnMut() -> Held<'a>) {
        let mut parts = Vec::new();
        self.target.segments(0, self.target.len(), &mut parts);
        let elements = |part: &UserBuf| (0..part.len()).step_by(bytes);
        let places = parts
            .iter()
            .flat_map(|part| elements(part).map(|at| part.part(at, bytes)));
        let mut packed = [0u8; size_of::<u64>()];
        for (index, place) in places.enumerate() {
            let from = index * bytes;
            if self.op != Op::NoOp {
                self.origin.pack_into(from, &mut packed[..bytes]);
            }
            let new = u64::from_le_bytes(packed);
            let old = self.fetch(&place, bytes, new, hold);
            if let Some(result) = self.result {
                result.unpack(from, Payload::from(&old.to_le_bytes()[..bytes]));
            }
        }
    }

    #[inline]
    fn fetch<'a>(
        &self,
        place: &UserBuf,
        bytes: usize,
        new: u64,
        hold: &mut impl FnMut() -> Held<'a>,
    ) -> u64 {
        if word::is_aligned(place, bytes) {
            return word::fetch(place, bytes, self.op, self.row.repr, new);
        }
        let held = hold();
        let old = word::load(place, bytes);
        let next = word::combine(self.op, self.row.repr, new, old);
        word::store(place, bytes, next);
        drop(held);
        old
    }
}

/// The one predefined datatype that all data is of.
#[inline]
fn row(datatype: &Datatype) -> Result<&'static Basic, Error> {
    let refused = || datatype::Error::NotPredefined {
        datatype: datatype.name(),
    };
    Ok(datatype.element().ok_or_else(refused)?)
}

/// The same, of one that may be compared (MPI 5.0, 12.3.4.5).
#[inline]
fn comparable(datatype: &Datatype) -> Result<&'static Basic, Error> {
    use Class::{Byte, CInteger, FortranInteger, Logical, MultiLanguage};
    let row = row(datatype)?;
    let class = row.class;
    match matches!(
        class,
        CInteger | FortranInteger | Logical | MultiLanguage | Byte
    ) {
        true => Ok(row),
        false => Err(not_allowed("MPI_Compare_and_swap", row)),
    }
}

#[cold]
fn not_allowed(op: &'static str, row: &Basic) -> Error {
    let datatype = row.name;
    datatype::Error::NotAllowed { op, datatype }.into()
}

#[cold]
fn lengths(expected: usize, found: usize) -> Error {
    let what = "the bytes of target and origin or result";
    let lengths = datatype::Error::Lengths {
        what,
        expected,
        found,
    };
    lengths.into()
}
