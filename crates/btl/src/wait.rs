//! Wake-up of a sleeping process, and what its peers see of its waiting.

use std::os::fd::RawFd;
use std::sync::atomic::AtomicU32;
use std::sync::Arc;

use base::PeerId;

/// The object that the driver can sleep on: one futex when every live transport can use it,
/// otherwise file descriptors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SleepKind {
    /// One 32-bit word in memory.
    Futex,
    /// Any number of file descriptors.
    Descriptors,
}

/// The object whose change wakes the driver.
#[derive(Clone)]
pub enum Waker {
    /// A futex: sleep while the word equals the value.
    Futex(Arc<dyn FutexWord>, u32),
    /// Descriptors that become readable, or writable, when there is something to do.
    Descriptors(Vec<(RawFd, Interest)>),
    /// Nothing can wake the driver: poll again after at most a millisecond.
    Poll,
}

/// The readiness to wait for on a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interest {
    /// The descriptor can be read.
    Readable,
    /// The descriptor can be read or written.
    ReadableOrWritable,
}

/// Value of [`Presence::helper_word`] while the helper thread sleeps on it.
pub const HELPER_ASLEEP: u32 = 1;

/// A 32-bit futex word, possibly in shared memory, that lives as long as this value.
pub trait FutexWord: Send + Sync {
    /// Returns the futex word.
    fn word(&self) -> &AtomicU32;
}

/// The view that processes sharing memory have of each other's waiting.
///
/// A process that does nothing but wait says so ([`Presence::set_waiting`]): its peers then know
/// that it receives messages at once. One that computes may have a *helper thread* asleep
/// ([`Presence::helper_word`]), which a peer can wake to have messages received meanwhile.
pub trait Presence {
    /// Notifies all peers that this process does nothing from now on but wait for messages
    /// (`true`), or that it no longer does. Only a hint.
    fn set_waiting(&mut self, waits: bool);

    /// Whether a peer says that it waits. It may leave its wait at any moment.
    fn is_waiting(&self, peer: PeerId) -> bool;

    /// Returns the futex word on which this process's helper thread sleeps while the application
    /// computes, for peers to wake it: it sleeps while the word holds [`HELPER_ASLEEP`].
    fn helper_word(&self) -> Arc<dyn FutexWord>;

    /// Wakes the helper thread of a peer's process, if it sleeps, to receive what was sent without
    /// the application's help.
    fn wake_helper(&mut self, peer: PeerId);
}
