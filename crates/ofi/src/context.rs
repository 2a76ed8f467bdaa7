//! Context blocks, which the provider uses while an operation is in flight.
//!
//! Some providers write into the context of an operation (modes `FI_CONTEXT` and `FI_CONTEXT2`),
//! and all return its address with the completion. So a context is a block at a fixed address:
//! blocks are in chunks that never move and are freed only with the table, which an endpoint drops
//! after the provider has closed.
//!
//! | state | owner of the block | left by |
//! |---|---|---|
//! | free | the table | `take` |
//! | lent | the provider | its completion (`give_back`) |
//! | claimed | the caller: a message that a peek claimed | the receive that fetches it |

use std::ptr::NonNull;

use libc::c_void;

/// Blocks of one chunk.
const CHUNK: usize = 64;

/// Names an operation of one endpoint. It goes stale when the operation is complete.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Op {
    index: u32,
    generation: u32,
}

#[repr(C, align(64))]
struct Block {
    /// The part that the provider may write to: `struct fi_context2`.
    lent: [*mut c_void; 8],
    token: u64,
    index: u32,
    /// Odd while lent.
    generation: u32,
    /// Whether the block stays lent after a completion without error.
    claims: bool,
}

/// The blocks of an endpoint.
pub(crate) struct Contexts {
    chunks: Vec<NonNull<[Block; CHUNK]>>,
    free: Vec<NonNull<Block>>,
    taken: usize,
}

// SAFETY: the table owns its blocks; the provider touches the lent part of those that it was
// given, from threads of its own, and nobody reads that part.
unsafe impl Send for Contexts {}

/// The operation of a block that the provider has returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ended {
    pub(crate) op: Op,
    pub(crate) token: u64,
}

impl Contexts {
    pub(crate) fn new() -> Contexts {
        Contexts {
            chunks: Vec::new(),
            free: Vec::new(),
            taken: 0,
        }
    }

    /// Takes a block for an operation.
    #[inline(always)]
    pub(crate) fn take(&mut self, token: u64, claims: bool) -> (Op, *mut c_void) {
        let free = match self.free.pop() {
            Some(free) => free,
            None => self.grow(),
        };
        self.taken += 1;
        // SAFETY: a block of the table, which is free: nobody else has it.
        unsafe {
            let block = &mut *free.as_ptr();
            block.token = token;
            block.claims = claims;
            block.generation = block.generation.wrapping_add(1);
            let (index, generation) = (block.index, block.generation);
            (Op { index, generation }, free.as_ptr().cast())
        }
    }

    /// Takes a block back that the provider refused or completed, by its address. `None` for a null
    /// context and for one that is not lent.
    #[inline]
    pub(crate) fn give_back(&mut self, context: *mut c_void, failed: bool) -> Option<Ended> {
        let block: *mut Block = context.cast();
        if block.is_null() {
            return None;
        }
        // SAFETY: the provider gives back the addresses that it was given (see the crate's
        // documentation), and blocks live as long as the table.
        unsafe {
            let (index, generation) = ((*block).index, (*block).generation);
            let op = Op { index, generation };
            let ended = Ended {
                op,
                token: (*block).token,
            };
            if generation % 2 == 0 {
                return None;
            }
            if !(*block).claims || failed {
                self.release(block);
            }
            Some(ended)
        }
    }

    /// Returns the token that [`Contexts::give_back`] would return for an operation that went well.
    #[inline]
    pub(crate) fn token_of(&self, context: *mut c_void) -> Option<u64> {
        let block: *mut Block = context.cast();
        if block.is_null() {
            return None;
        }
        // SAFETY: as in `give_back`.
        unsafe { ((*block).generation % 2 == 1).then(|| (*block).token) }
    }

    /// Returns the context's address of an operation in flight; `None` when it is complete.
    pub(crate) fn context_of(&self, op: Op) -> Option<*mut c_void> {
        if op.index as usize >= self.chunks.len() * CHUNK {
            return None;
        }
        let block = self.at(op.index);
        // SAFETY: a block of the table; the provider does not touch the generation.
        let lent = unsafe { (*block).generation } == op.generation;
        lent.then_some(block.cast())
    }

    /// Reuses the block of a claimed message, for the receive that fetches it.
    pub(crate) fn reuse(&mut self, op: Op, token: u64) -> Option<*mut c_void> {
        let context = self.context_of(op)?;
        let block: *mut Block = context.cast();
        // SAFETY: as in `context_of`; the operation that claimed is complete, so the provider
        // only keeps the address.
        unsafe {
            (*block).token = token;
            (*block).claims = false;
        }
        Some(context)
    }

    /// Returns the number of operations in flight.
    pub(crate) fn under_way(&self) -> usize {
        self.taken
    }

    /// # Safety
    /// The block is one of this table and lent.
    #[inline]
    unsafe fn release(&mut self, block: *mut Block) {
        // SAFETY: promised by the caller.
        unsafe {
            (*block).generation = (*block).generation.wrapping_add(1);
            self.free.push(NonNull::new_unchecked(block));
        }
        self.taken -= 1;
    }

    fn at(&self, index: u32) -> *mut Block {
        let chunk = self.chunks[index as usize / CHUNK];
        let first: *mut Block = chunk.as_ptr().cast();
        first.wrapping_add(index as usize % CHUNK)
    }

    /// Allocates a chunk; returns the first of its blocks.
    #[cold]
    fn grow(&mut self) -> NonNull<Block> {
        let base = (self.chunks.len() * CHUNK) as u32;
        let block = |n: usize| Block {
            lent: [std::ptr::null_mut(); 8],
            token: 0,
            index: base + n as u32,
            generation: 0,
            claims: false,
        };
        let chunk = NonNull::from(Box::leak(Box::new(std::array::from_fn(block))));
        self.chunks.push(chunk);
        let first: NonNull<Block> = chunk.cast();
        // SAFETY: the chunk has `CHUNK` blocks from the first on.
        let others = (1..CHUNK).map(|n| unsafe { first.add(n) });
        self.free.extend(others.rev());
        first
    }
}

impl Drop for Contexts {
    fn drop(&mut self) {
        for chunk in self.chunks.drain(..) {
            // SAFETY: leaked from a box in `grow`, and freed only here; the endpoint has closed
            // what could still write to a block (`endpoint::Endpoint`, order of fields).
            drop(unsafe { Box::from_raw(chunk.as_ptr()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stay_where_they_are_and_go_stale() {
        let mut contexts = Contexts::new();
        let lent: Vec<_> = (0..200).map(|n| contexts.take(n, false)).collect();
        assert_eq!(contexts.under_way(), 200);
        for (n, &(op, context)) in lent.iter().enumerate() {
            assert_eq!(contexts.context_of(op), Some(context));
            let ended = contexts.give_back(context, false);
            let token = n as u64;
            assert_eq!(ended, Some(Ended { op, token }));
            assert_eq!(contexts.context_of(op), None);
            assert_eq!(contexts.give_back(context, false), None, "given back twice");
        }
        assert_eq!(contexts.give_back(std::ptr::null_mut(), true), None);
        assert_eq!(contexts.under_way(), 0);
    }

    #[test]
    fn a_claimed_block_waits_for_its_receive() {
        let mut contexts = Contexts::new();
        let (op, context) = contexts.take(1, true);
        assert_eq!(contexts.give_back(context, false).map(|e| e.token), Some(1));
        assert_eq!(contexts.reuse(op, 2), Some(context));
        assert_eq!(contexts.give_back(context, false).map(|e| e.token), Some(2));
        assert_eq!(contexts.reuse(op, 3), None);
        let (op, context) = contexts.take(4, true);
        assert!(contexts.give_back(context, true).is_some());
        assert_eq!(contexts.context_of(op), None, "nothing was claimed");
    }
}
