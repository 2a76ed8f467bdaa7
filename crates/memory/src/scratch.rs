//! Scratch memory: allocated by the library, and accessed through a [`UserBuf`].

use std::alloc::{alloc_zeroed, dealloc, handle_alloc_error, Layout};
use std::ptr::NonNull;

use crate::{Payload, Slot, UserBuf};

/// Alignment of scratch memory, in bytes: a cache line, enough for every datatype.
const ALIGN: usize = 64;

/// A zeroed allocation, aligned for every datatype, whose bytes are reached by address.
///
/// Unlike a `Vec<u8>` no reference to its bytes exists while an operation uses them, so a
/// pending receive may write to it. The owner keeps it alive until the operations that were
/// given [`Scratch::buf`] have completed.
#[derive(Debug)]
pub struct Scratch {
    address: NonNull<u8>,
    len: usize,
}

// SAFETY: the allocation is owned by the value and reached only by raw copies.
unsafe impl Send for Scratch {}
// SAFETY: as stated at `Send`.
unsafe impl Sync for Scratch {}

impl Scratch {
    /// Allocates `len` zeroed bytes.
    pub fn new(len: usize) -> Scratch {
        if len == 0 {
            return Scratch {
                address: NonNull::dangling(),
                len,
            };
        }
        let layout = Scratch::layout(len);
        // SAFETY: the layout has a non-zero size.
        let address = unsafe { alloc_zeroed(layout) };
        match NonNull::new(address) {
            Some(address) => Scratch { address, len },
            None => handle_alloc_error(layout),
        }
    }

    /// The whole allocation.
    pub fn buf(&self) -> UserBuf {
        // SAFETY: the allocation has `len` bytes and lives as long as `self`, which its owner
        // keeps until the operations using it are done (see the type's documentation).
        unsafe { UserBuf::new(self.address.as_ptr(), self.len) }
    }

    /// Returns the first `len` bytes, to be read while no operation that was given [`Scratch::buf`]
    /// writes to them.
    ///
    /// # Panics
    /// When there are fewer.
    pub fn payload(&self, len: usize) -> Payload<'_> {
        assert!(len <= self.len, "{len} bytes of {}", self.len);
        // SAFETY: the allocation has `len` bytes, which were written when it was made, and lives
        // as long as `self`, which is borrowed.
        unsafe { Payload::new(self.address.as_ptr(), len) }
    }

    /// The whole allocation, to be written while no operation uses it.
    pub fn slot(&mut self) -> Slot<'_> {
        // SAFETY: the allocation has `len` bytes and lives as long as `self`, which is borrowed
        // alone.
        unsafe { Slot::new(self.address.as_ptr(), self.len) }
    }

    fn layout(len: usize) -> Layout {
        Layout::from_size_align(len, ALIGN).expect("scratch of less than isize::MAX bytes")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.len != 0 {
            // SAFETY: allocated in `new` with the same layout, and freed only here.
            unsafe { dealloc(self.address.as_ptr(), Scratch::layout(self.len)) }
        }
    }
}
