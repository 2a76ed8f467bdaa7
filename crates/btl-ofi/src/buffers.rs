//! Memory for messages: equal slots in chunks that never move, registered where the provider
//! demands it.
//!
//! A slot is free, or belongs to one operation from before it is posted until its completion has
//! been read. Chunks are freed with the pool, after the endpoint has been closed.

use memory::{Scratch, UserBuf};
use ofi::Mr;

/// Slots of one chunk.
const CHUNK: usize = 16;

/// A pool of slots of one size.
pub(crate) struct Buffers {
    slot_bytes: usize,
    slots_max: usize,
    /// The registrations before the memory: they end first.
    chunks: Vec<(Option<Mr>, Scratch)>,
    free: Vec<u32>,
}

/// A slot in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot(u32);

impl Slot {
    /// Returns its index in the pool.
    #[inline]
    pub(crate) fn number(self) -> u64 {
        u64::from(self.0)
    }

    /// Returns the slot at an index that [`Slot::number`] returned.
    #[inline]
    pub(crate) fn numbered(number: u64) -> Slot {
        Slot(number as u32)
    }
}

impl Buffers {
    /// Creates an empty pool that grows up to `slots_max`.
    pub(crate) fn new(slot_bytes: usize, slots_max: usize) -> Buffers {
        Buffers {
            slot_bytes: slot_bytes.next_multiple_of(64),
            slots_max,
            chunks: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Whether every slot is free.
    pub(crate) fn is_idle(&self) -> bool {
        self.free.len() == self.chunks.len() * CHUNK
    }

    /// Takes a slot; `None` when all are in use. `register` registers a new chunk with the
    /// provider, where it demands that.
    #[inline]
    pub(crate) fn take<E>(
        &mut self,
        register: impl FnOnce(UserBuf) -> Result<Option<Mr>, E>,
    ) -> Result<Option<Slot>, E> {
        if let Some(slot) = self.free.pop() {
            return Ok(Some(Slot(slot)));
        }
        self.grow(register)
    }

    /// Whether `count` slots are free, after allocating one more chunk where they are not.
    #[inline]
    pub(crate) fn has<E>(
        &mut self,
        count: usize,
        register: impl FnOnce(UserBuf) -> Result<Option<Mr>, E>,
    ) -> Result<bool, E> {
        if self.free.len() < count {
            if let Some(slot) = self.grow(register)? {
                self.release(slot);
            }
        }
        Ok(self.free.len() >= count)
    }

    #[cold]
    fn grow<E>(
        &mut self,
        register: impl FnOnce(UserBuf) -> Result<Option<Mr>, E>,
    ) -> Result<Option<Slot>, E> {
        let first = self.chunks.len() * CHUNK;
        if first >= self.slots_max {
            return Ok(None);
        }
        let memory = Scratch::new(self.slot_bytes * CHUNK);
        let mr = register(memory.buf())?;
        self.chunks.push((mr, memory));
        self.free
            .extend((first as u32..(first + CHUNK) as u32).rev());
        Ok(self.free.pop().map(Slot))
    }

    /// Releases a slot when its operation is complete.
    #[inline]
    pub(crate) fn release(&mut self, slot: Slot) {
        self.free.push(slot.0);
    }

    /// Returns the memory of a slot and its registration.
    #[inline(always)]
    pub(crate) fn region(&self, slot: Slot) -> (UserBuf, Option<&Mr>) {
        let at = slot.0 as usize;
        let (mr, memory) = &self.chunks[at / CHUNK];
        let start = at % CHUNK * self.slot_bytes;
        (memory.buf().part(start, self.slot_bytes), mr.as_ref())
    }

    /// Returns the memory of a slot.
    #[inline]
    pub(crate) fn memory(&self, slot: Slot) -> UserBuf {
        self.region(slot).0
    }

    /// Ends the registrations.
    pub(crate) fn withdraw(&mut self) {
        self.chunks.iter_mut().for_each(|(mr, _)| *mr = None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_apart_and_bounded() {
        let mut buffers = Buffers::new(100, 20);
        let none = |_: UserBuf| Ok::<_, ()>(None);
        let slots: Vec<_> = (0..32)
            .map(|_| buffers.take(none).unwrap().unwrap())
            .collect();
        assert_eq!(buffers.take(none), Ok(None));
        let mut starts: Vec<_> = slots
            .iter()
            .map(|&slot| buffers.memory(slot).address() as usize)
            .collect();
        starts.sort_unstable();
        assert!(starts.windows(2).all(|pair| pair[1] - pair[0] >= 128));
        assert_eq!(buffers.has(1, none), Ok(false));
        buffers.release(slots[3]);
        assert_eq!(buffers.has(1, none), Ok(true));
        assert_eq!(buffers.has(2, none), Ok(false));
        assert_eq!(buffers.take(none), Ok(Some(slots[3])));
    }
}
