//! How a sleeping process is woken by a transport, and what peers see of its waiting.

use std::os::fd::RawFd;
use std::sync::atomic::AtomicU32;
use std::sync::Arc;

use base::PeerId;

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

/// What a word holds while the helper thread sleeps on it ([`Presence::helper_word`]).
pub const HELPER_ASLEEP: u32 = 1;

/// A word of memory, possibly shared, that lives as long as this value.
pub trait FutexWord: Send + Sync {
    /// The word.
    fn word(&self) -> &AtomicU32;
}

/// What processes that share memory see of each other's waiting.
///
/// A process that does nothing but wait says so ([`Presence::set_waiting`]): its peers then know
/// that it takes messages in at once. One that computes may have a *helper thread* asleep
/// ([`Presence::helper_word`]), which a peer can wake to have messages taken in meanwhile.
pub trait Presence {
    /// Says to all peers that this process does nothing from now on but wait for messages (`true`),
    /// or that it no longer does. A hint, and said as such.
    fn set_waiting(&mut self, waits: bool);

    /// Whether a peer says that it waits. It may leave its wait at any moment.
    fn is_waiting(&self, peer: PeerId) -> bool;

    /// Returns the word on which this process's helper thread sleeps, for peers to wake it while
    /// the application computes: it sleeps while the word holds [`HELPER_ASLEEP`].
    fn helper_word(&self) -> Arc<dyn FutexWord>;

    /// Wakes the helper thread of a peer's process, if it sleeps: what was sent is to be taken in
    /// without its application.
    fn wake_helper(&mut self, peer: PeerId);
}
