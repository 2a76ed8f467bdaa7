//! Fast paths: accesses to one contiguous run of a target's memory that is known to lie inside, of
//! elements of one predefined datatype without gaps, without contention.
//!
//! They neither wait nor send. After an accumulate the caller wakes the waiting ranks, as on the
//! slow path.

use datatype::{Combining, Op};
use memory::UserBuf;

use crate::accumulate::{swap, LOCKED_BYTES_MAX};
use crate::member::Member;
use crate::word;

impl Member {
    /// Returns `len` bytes of a place's memory from `first` on; `None` where not all lie inside.
    #[inline]
    pub fn range(&self, place: u32, first: u64, len: usize) -> Option<UserBuf> {
        let memory = self.memory(place);
        let room = (memory.len() as u64).checked_sub(first)?;
        (len as u64 <= room).then(|| memory.part(first as usize, len))
    }

    /// Puts as many bytes as `target` has (`MPI_PUT`).
    ///
    /// # Panics
    /// When the origin has fewer.
    #[inline]
    pub fn put_bytes(&self, target: UserBuf, origin: UserBuf) {
        move_bytes(origin, target);
        self.stored();
    }

    /// Gets as many bytes as `target` has (`MPI_GET`).
    ///
    /// # Panics
    /// When the origin has fewer.
    #[inline]
    pub fn get_bytes(&self, target: UserBuf, origin: UserBuf) {
        move_bytes(target, origin.part(0, target.len()));
    }

    /// `MPI_ACCUMULATE`, or with a result `MPI_GET_ACCUMULATE`, of as many elements as `target`,
    /// bytes of a place, has. False, and nothing is done, where the lock is taken or there are too
    /// many.
    ///
    /// # Panics
    /// When the origin or the result has fewer bytes; with `MPI_NO_OP` the origin is
    /// ignored.
    #[inline]
    pub fn combine_bytes(
        &self,
        (place, target): (u32, UserBuf),
        how: Combining,
        origin: UserBuf,
        result: Option<UserBuf>,
        wake: impl FnMut(u32),
    ) -> bool {
        let there = (place, target);
        let done = match target.len() {
            8 if is_word(how, 8) => self.combine_word::<8>(there, how, origin, result),
            4 if is_word(how, 4) => self.combine_word::<4>(there, how, origin, result),
            _ => self.combine_row(there, how, origin, result),
        };
        if done {
            self.stored();
            self.wake_waiting(place, wake);
        }
        done
    }

    #[inline(always)]
    fn combine_word<const BYTES: usize>(
        &self,
        (place, target): (u32, UserBuf),
        how: Combining,
        origin: UserBuf,
        result: Option<UserBuf>,
    ) -> bool {
        let Some(held) = self.try_hold(place) else {
            return false;
        };
        let old = word::load(&target, BYTES);
        if how.op() != Op::NoOp {
            // Read here and not before: the caller's latest stores are there by now.
            let new = word::load(&origin, BYTES);
            let new = word::combine(how.op(), how.element().repr, new, old);
            word::store(&target, BYTES, new);
        }
        drop(held);
        if let Some(result) = result {
            word::store(&result, BYTES, old);
        }
        true
    }

    fn combine_row(
        &self,
        (place, target): (u32, UserBuf),
        how: Combining,
        origin: UserBuf,
        result: Option<UserBuf>,
    ) -> bool {
        let bytes = target.len();
        if bytes == 0 || bytes > LOCKED_BYTES_MAX {
            return false;
        }
        let Some(held) = self.try_hold(place) else {
            return false;
        };
        if let Some(result) = result {
            result.part(0, bytes).copy_from(&target);
        }
        how.run(origin, target);
        drop(held);
        true
    }

    /// `MPI_COMPARE_AND_SWAP` of an element of a place: where it equals the second of three, the
    /// first overwrites it; the third gets its old value. False, and nothing is done, where the
    /// lock is taken.
    ///
    /// # Panics
    /// When one of the three has fewer bytes, or `target` has more than 16.
    #[inline]
    pub fn swap_bytes(
        &self,
        (place, target): (u32, UserBuf),
        buffers: [UserBuf; 3],
        wake: impl FnMut(u32),
    ) -> bool {
        let Some(held) = self.try_hold(place) else {
            return false;
        };
        match target.len() {
            8 => swap_words::<8>(&target, buffers),
            4 => swap_words::<4>(&target, buffers),
            _ => swap(target, buffers),
        }
        drop(held);
        self.stored();
        self.wake_waiting(place, wake);
        true
    }
}

#[inline]
fn is_word(how: Combining, bytes: usize) -> bool {
    word::bytes(how.element().repr) == Some(bytes)
}

#[inline]
fn swap_words<const BYTES: usize>(target: &UserBuf, [origin, compare, result]: [UserBuf; 3]) {
    let old = word::load(target, BYTES);
    if old == word::load(&compare, BYTES) {
        word::store(target, BYTES, word::load(&origin, BYTES));
    }
    word::store(&result, BYTES, old);
}

/// Copies as many bytes; 4 or 8 without a call.
#[inline]
fn move_bytes(from: UserBuf, to: UserBuf) {
    match to.len() {
        8 => word::store(&to, 8, word::load(&from, 8)),
        4 => word::store(&to, 4, word::load(&from, 4)),
        len => to.copy_from(&from.part(0, len)),
    }
}
