//! The accumulate calls (MPI 5.0, 12.3.4 to 12.3.6), under the target's accumulate lock.
//!
//! Vectors are cut into blocks, which bounds the time for which others wait. MPI asks for atomicity
//! of each element only.

use std::sync::Arc;

use datatype::{allowed, predefined, reduce, Basic, Buffer, Class, Datatype, Op};
use memory::{Scratch, UserBuf};
use sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;
use crate::member::{Member, Wait};

/// Most packed bytes that are combined under the lock at once.
pub(crate) const LOCKED_BYTES_MAX: usize = 64 << 10;

/// Attempts to take a held lock before the wait becomes a long one.
const LOOKS: usize = 100;
/// Attempts after which a rank that serves others checks whether the holder is dead.
const LOOKS_FOR_DEAD: usize = 1000;

/// Guard of the accumulate lock of a rank's memory, which is released when it is dropped.
#[derive(Debug)]
#[must_use = "the lock is released when this is dropped"]
pub struct AccumulateGuard<'a>(&'a AtomicU32);

impl Drop for AccumulateGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}

/// One accumulate call: its operation and the memory of its sides.
struct Job<'a> {
    op: Op,
    element: &'a Arc<Datatype>,
    row: &'static Basic,
    origin: &'a Buffer,
    target: Buffer,
    result: Option<&'a Buffer>,
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
        let job = self.job(place, at, count, datatype, op, origin, None)?;
        self.run(&job, || self.hold(wait, place))?;
        self.wake_waiting(place, |rank| wait.wake(rank));
        Ok(())
    }

    /// `MPI_GET_ACCUMULATE`: as [`Member::accumulate`], and stores the target's old elements in
    /// `result`. The origin is ignored with `MPI_NO_OP`.
    ///
    /// # Errors
    /// See [`Member::accumulate`]; also when the result is shorter than the target.
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
        let job = self.job(place, at, count, datatype, op, origin, Some(result))?;
        self.run(&job, || self.hold(wait, place))?;
        self.wake_waiting(place, |rank| wait.wake(rank));
        Ok(())
    }

    /// Accumulates into this rank's own memory, for a rank that asked by a message: without a wait
    /// that moves messages. Afterwards [`Member::wake_waiting`], when others may be woken.
    ///
    /// # Errors
    /// See [`Member::get_accumulate`].
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

    /// `MPI_COMPARE_AND_SWAP` on an element of a predefined datatype.
    ///
    /// # Errors
    /// When the element does not lie in the memory, or is not of an integer type.
    pub fn compare_and_swap(
        &self,
        wait: &impl Wait,
        place: u32,
        at: i64,
        element: &Arc<Datatype>,
        [origin, compare, result]: [UserBuf; 3],
    ) -> Result<(), Error> {
        let bytes = comparable(element)?.size as usize;
        let target = self.bytes(place, at, bytes)?;
        let held = self.hold(wait, place);
        swap(target, [origin, compare, result]);
        drop(held);
        self.stored();
        self.wake_waiting(place, |rank| wait.wake(rank));
        Ok(())
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
    fn run<'a>(
        &self,
        job: &Job,
        mut hold: impl FnMut() -> AccumulateGuard<'a>,
    ) -> Result<(), Error> {
        let size = job.row.size as usize;
        let most = LOCKED_BYTES_MAX / size * size;
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
        self.stored();
        Ok(())
    }

    /// Takes a place's accumulate lock.
    #[inline]
    pub(crate) fn hold(&self, wait: &impl Wait, place: u32) -> AccumulateGuard<'_> {
        if let Some(held) = self.try_hold(place) {
            return held;
        }
        self.await_lock(wait, place);
        AccumulateGuard(self.view.holder(place))
    }

    /// Takes a place's accumulate lock if it is free.
    #[inline]
    pub(crate) fn try_hold(&self, place: u32) -> Option<AccumulateGuard<'_>> {
        let lock = self.view.holder(place);
        // Made only where it is held: dropping one releases the lock.
        try_hold(lock, self.name).then(|| AccumulateGuard(lock))
    }

    #[cold]
    fn await_lock(&self, wait: &impl Wait, place: u32) {
        let (lock, me) = (self.view.holder(place), self.name);
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
            match wait.until(look, |asleep| self.note_sleep(place, asleep)) {
                Ok(()) => return,
                Err(_) => deaths = true,
            }
        }
    }

    /// Takes this rank's own accumulate lock without a wait that moves messages: a holder has it
    /// for a bounded time, or is dead. For a rank that executes others' requests; afterwards
    /// [`Member::wake_waiting`], when others may be woken.
    pub fn hold_here(&self, is_dead: impl Fn(u32) -> bool) -> AccumulateGuard<'_> {
        let (lock, me) = (self.view.holder(self.me), self.name);
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
        AccumulateGuard(lock)
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
    /// Returns the memory of both sides, where the elements of each are contiguous and unpadded.
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
        let count = len / self.row.size as usize;
        Ok(reduce(self.op, self.element, origin, target, count)?)
    }

    /// Combines elements with gaps between them or within, packing them meanwhile; takes the lock.
    #[cold]
    fn combine_packed<'a>(
        &self,
        from: usize,
        len: usize,
        hold: &mut impl FnMut() -> AccumulateGuard<'a>,
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
}

/// Writes `origin` over a target that equals `compare`, and the target's old value into `result`.
/// The lock is held.
#[inline]
pub(crate) fn swap(target: UserBuf, [origin, compare, result]: [UserBuf; 3]) {
    const WIDEST: usize = 16;
    let bytes = target.len();
    let mut seen = [[0u8; WIDEST]; 2];
    let [old, expected] = &mut seen;
    compare.read(0, &mut expected[..bytes]);
    target.read(0, &mut old[..bytes]);
    if old == expected {
        target.copy_from(&origin.part(0, bytes));
    }
    result.write(0, &old[..bytes]);
}

/// Returns the only predefined datatype among the elements.
#[inline]
fn row(datatype: &Datatype) -> Result<&'static Basic, Error> {
    let refused = || datatype::Error::NotPredefined {
        datatype: datatype.name(),
    };
    Ok(datatype.element().ok_or_else(refused)?)
}

/// Returns the only predefined datatype, if it may be compared (MPI 5.0, 12.3.4.5).
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
