//! Types for memory that others own or may write, and management of registered memory.
//!
//! An address from a C caller and an offset from a peer are unchecked claims. Code that can vouch
//! for one converts it once into a type of this crate, and from then on the bytes are accessed only
//! by copying through that type:
//!
//! * [`UserBuf`]: a contiguous run of the application's memory, made by `abi`.
//! * [`Payload`]: bytes borrowed for the duration of a call, which a peer may still write.
//! * [`Slot`]: memory borrowed for the duration of a call, to be filled once.
//! * [`Scratch`]: memory that the library allocates, accessed through a `UserBuf`.
//! * [`Stores`]: the instructions that fill such memory, and [`Choice`], which measures the faster.
//! * [`memcheck`]: notes to valgrind about memory that peers write.
//! * [`headroom`]: checks whether the system has more memory, where a lack must be an error.
//!
//! For networks that require registered memory:
//!
//! * [`rcache`]: registrations that are reused by later operations;
//! * [`release`]: reports of memory that went back to the system, so that no registration is stale;
//! * [`mpool`] and [`allocator`]: memory for the user, on request in huge pages.
//!
//! No `&[u8]` or `&mut [u8]` is ever formed over memory that others may write.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]

pub mod allocator;
mod borrowed;
mod copy;
pub mod headroom;
pub mod heap;
pub mod memcheck;
pub mod mpool;
mod non_temporal;
pub mod rcache;
pub mod release;
mod scratch;
mod stores;
mod user;

pub use borrowed::{Payload, Slot};
pub use scratch::Scratch;
pub use stores::{Choice, Stores};
pub use user::UserBuf;

/// The size of a page in bytes.
pub fn page_bytes() -> usize {
    // SAFETY: sysconf takes a number and gives one.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes).unwrap_or(4096)
}
