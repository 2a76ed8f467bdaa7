//! Fast paths: accesses to one contiguous run of a target's memory that is known to lie inside, of
//! elements of one predefined datatype without gaps, without contention.
//!
//! They neither wait nor send. After an accumulate the caller wakes the waiting ranks, as on the
//! slow path.

use datatype::{Combining, Op};
use memory::UserBuf;

use crate::accumulate::{swap, STRETCH_BYTES};
use crate::member::Member;
use crate::word;

/// A contiguous run of a place's memory.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    member: &'a Member,
    place: u32,
    bytes: UserBuf,
}

impl Member {
    /// Returns `len` bytes of a place's memory from `first` on; `None` where not all lie inside.
    #[inline]
    pub fn spot(&self, place: u32, first: u64, len: usize) -> Option<Spot<'_>> {
        let memory = self.memory(place);
        let room = (memory.len() as u64).checked_sub(first)?;
        (len as u64 <= room).then(|| Spot {
            member: self,
            place,
            bytes: memory.part(first as usize, len),
        })
    }
}

impl Spot<'_> {
    /// `MPI_PUT` of as many bytes.
    ///
    /// # Panics
    /// When the origin has fewer.
    #[inline]
    pub fn put(&self, origin: UserBuf) {
        move_bytes(origin, self.bytes);
        self.member.stored();
    }

    /// `MPI_GET` of as many bytes.
    ///
    /// # Panics
    /// When the origin has fewer.
    #[inline]
    pub fn get(&self, origin: UserBuf) {
        move_bytes(self.bytes, origin.part(0, self.bytes.len()));
    }

    /// `MPI_ACCUMULATE`, or with a result `MPI_GET_ACCUMULATE`, of as many elements as the run has.
    /// False, and nothing is done, where the lock is taken or there are too many.
    ///
    /// # Panics
    /// When the origin or the result has fewer bytes than the run; with `MPI_NO_OP` the origin is
    /// ignored.
    #[inline]
    pub fn combine(
        &self,
        how: Combining,
        origin: UserBuf,
        result: Option<UserBuf>,
        wake: impl FnMut(u32),
    ) -> bool {
        let done = match self.bytes.len() {
            8 if is_word(how, 8) => self.combine_word::<8>(how, origin, result),
            4 if is_word(how, 4) => self.combine_word::<4>(how, origin, result),
            _ => self.combine_row(how, origin, result),
        };
        if done {
            self.member.stored();
            self.member.wake_waiting(self.place, wake);
        }
        done
    }

    #[inline(always)]
    fn combine_word<const BYTES: usize>(
        &self,
        how: Combining,
        origin: UserBuf,
        result: Option<UserBuf>,
    ) -> bool {
        let Some(held) = self.member.try_hold(self.place) else {
            return false;
        };
        let old = word::load(&self.bytes, BYTES);
        if how.op() != Op::NoOp {
            // Read here and not before: the caller's latest stores are there by now.
            let new = word::load(&origin, BYTES);
            let new = word::combine(how.op(), how.element().repr, new, old);
            word::store(&self.bytes, BYTES, new);
        }
        drop(held);
        if let Some(result) = result {
            word::store(&result, BYTES, old);
        }
        true
    }

    fn combine_row(&self, how: Combining, origin: UserBuf, result: Option<UserBuf>) -> bool {
        let bytes = self.bytes.len();
        if bytes == 0 || bytes > STRETCH_BYTES {
            return false;
        }
        let Some(held) = self.member.try_hold(self.place) else {
            return false;
        };
        if let Some(result) = result {
            result.part(0, bytes).copy_from(&self.bytes);
        }
        how.run(origin, self.bytes);
        drop(held);
        true
    }

    /// `MPI_COMPARE_AND_SWAP` of an element: where it equals the second of three, the first
    /// overwrites it; the third gets its old value. False, and nothing is done, where the lock is
    /// taken.
    ///
    /// # Panics
    /// When one of the three has fewer bytes, or the run has more than 16.
    #[inline]
    pub fn swap(&self, buffers: [UserBuf; 3], wake: impl FnMut(u32)) -> bool {
        let Some(held) = self.member.try_hold(self.place) else {
            return false;
        };
        match self.bytes.len() {
            8 => swap_words::<8>(&self.bytes, buffers),
            4 => swap_words::<4>(&self.bytes, buffers),
            _ => swap(self.bytes, buffers),
        }
        drop(held);
        self.member.stored();
        self.member.wake_waiting(self.place, wake);
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
