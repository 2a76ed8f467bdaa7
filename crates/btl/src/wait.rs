//! How a sleeping process is woken by a transport.

use std::os::fd::RawFd;
use std::sync::atomic::AtomicU32;
use std::sync::Arc;

/// What the driver can sleep on: it sleeps on one futex when every live transport can use it,
/// else on file descriptors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SleepKind {
    /// One 32-bit word in memory.
    Futex,
    /// Any number of file descriptors.
    Descriptors,
}

/// What wakes the driver.
#[derive(Clone)]
pub enum Waker {
    /// A futex: sleep while the word equals the value.
    Futex(Arc<dyn FutexWord>, u32),
    /// Descriptors that become readable, or writable, when there is something to do.
    Descriptors(Vec<(RawFd, Interest)>),
    /// Nothing can wake the driver: poll again after at most a millisecond.
    Poll,
}

/// What to wait for on a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interest {
    /// It can be read.
    Readable,
    /// It can be read or written.
    ReadableOrWritable,
}

/// What a word holds while a thread sleeps on it that stands by (`Transport::standby`).
pub const STANDING_BY: u32 = 1;

/// A word of memory, possibly shared, that lives as long as this value.
pub trait FutexWord: Send + Sync {
    /// The word.
    fn word(&self) -> &AtomicU32;
}
