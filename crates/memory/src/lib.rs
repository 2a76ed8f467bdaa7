//! Memory that somebody else owns, and memory that others may write.
//!
//! An address from a C caller and an offset from a peer are allegations. They are turned once
//! into a type of this crate, by whoever can vouch for them, and from then on the bytes are
//! reached only by copying through that type:
//!
//! * [`UserBuf`]: a contiguous run of the application's memory; made by `abi`, used by everybody.
//! * [`Payload`]: bytes lent for the time of a call, which a peer may still be able to write.
//! * [`Slot`]: room lent for the time of a call, to be filled once.
//! * [`Scratch`]: memory of our own that a `UserBuf` can stand for.
//! * [`headroom`]: whether the system would give more memory, where a lack must be an error.
//! * [`Stores`]: how such memory is filled, and [`Choice`], which finds out what is quicker.
//!
//! Networks want memory registered. What that takes is each usable alone:
//!
//! * [`rcache`]: registrations that outlive the operation they were made for;
//! * [`release`]: word of memory that went back to the system, so that none of them is stale;
//! * [`mpool`] and [`allocator`]: memory for the user, in huge pages where they are wanted.
//!
//! No `&[u8]` or `&mut [u8]` is ever formed over memory that others may write.

pub mod allocator;
mod copy;
pub mod headroom;
mod lent;
pub mod mpool;
mod past;
pub mod rcache;
pub mod release;
mod scratch;
mod stores;
mod user;

pub use lent::{Payload, Slot};
pub use scratch::Scratch;
pub use stores::{Choice, Stores};
pub use user::UserBuf;

/// The size of a page in bytes.
pub fn page_bytes() -> usize {
    // SAFETY: sysconf takes a number and gives one.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes).unwrap_or(4096)
}
