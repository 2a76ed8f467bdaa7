//! Allocators: assign parts of segments to requests.
//!
//! An allocator manages addresses and accesses no memory, so it serves segments of any kind: huge
//! pages, shared or registered memory. It gets its segments from its owner ([`Allocator::add`]) and
//! says when one is not needed any more ([`Allocator::take_unused`]).
//!
//! * [`Basic`]: the first free block that fits; little waste, for few and large requests.
//! * [`Bucket`]: sizes rounded up to powers of two, a segment for each size; constant effort, for
//!   many requests of similar sizes.
//!
//! ```
//! use memory::allocator::{Allocator, Basic};
//!
//! let mut allocator = Basic::new();
//! allocator.add(0x10000..0x20000);
//! let address = allocator.allocate(1000, 256).unwrap();
//! assert_eq!(allocator.free(address), Ok(1024));
//! assert_eq!(allocator.take_unused(), Some(0x10000..0x20000));
//! ```

mod basic;
mod bucket;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

pub use basic::Basic;
pub use bucket::Bucket;

/// An address that was never given, or was freed already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotGiven(
    /// The address.
    pub usize,
);

impl fmt::Display for NotGiven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "address {:#x} is not that of allocated memory", self.0)
    }
}

impl std::error::Error for NotGiven {}

/// Manages the addresses of segments.
pub trait Allocator {
    /// The length of a segment that has room for a request even if every other is full; `None`
    /// when there is no such number.
    fn segment_bytes(&self, bytes: usize, alignment: usize) -> Option<usize>;

    /// Adds a segment. It overlaps none that was added and not taken.
    fn add(&mut self, segment: Range<usize>);

    /// Gives the address of `bytes` bytes (at least one is taken) at a multiple of `alignment`,
    /// a power of two. `None` when no segment has room.
    fn allocate(&mut self, bytes: usize, alignment: usize) -> Option<usize>;

    /// Takes back what was given; answers how many bytes that makes free.
    ///
    /// # Errors
    /// If nothing is allocated at that address.
    fn free(&mut self, address: usize) -> Result<usize, NotGiven>;

    /// Takes out a segment in which nothing is given.
    fn take_unused(&mut self) -> Option<Range<usize>>;
}
