//! System calls of file access: the component `posix` of the framework `fbtl`, and what the
//! framework `fs` knows of file systems.
//!
//! [`OpenFile`] is an open file. Its reads and writes go through interruptions and short transfers,
//! so that a short read means the end of the file. [`Filesystem`] says what a file lies on, by
//! `statfs` or by the prefix of its name ([`split`]). Accesses that do not block their caller go on
//! by the kernel ([`Ring`], the component `uring` of `fbtl`) or by threads ([`Workers`]).
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]

#[cfg(test)]
mod faults;
mod filesystem;
mod lock;
mod lustre;
mod open_file;
mod ring;
mod system;
mod workers;

pub use filesystem::{split, Filesystem};
pub use lock::{LockKind, RangeLock};
pub use lustre::Striping;
pub use open_file::{delete, OpenFile, OpenOptions};
pub use ring::{Ended, Ring, Transfer};
pub use workers::{Job, Workers};
