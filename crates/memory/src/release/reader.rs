//! The thread that reads events, and what it shares with the subscribers.
//!
//! | shared | writer | readers | pairing |
//! |---|---|---|---|
//! | `released`, `moves` | the reading thread | subscribers, the monitor | the journal's own |
//! | `rounds` | the reading thread: odd before it reads events, even when they are in the journals | `settle` | `round`: Release/Acquire, the journals' records become visible |
//! | `stopping` | the monitor, once | the reading thread, after the wake-up | the wake-up |

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{fence, AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use sync::journal::Journal;

use super::uffd::{Event, Uffd};

/// Releases that a subscriber may be behind before it takes everything for released. 16 bytes
/// each.
const RELEASED_KEPT: usize = 4096;

/// Moves of watched memory that are remembered; beyond them the whole address space is searched
/// at the end.
const MOVES_KEPT: usize = 256;

/// How long [`Shared::settle`] waits for others.
const PATIENCE: Duration = Duration::from_millis(20);

/// The stack of the reading thread, in bytes: it calls a few system calls, with a small array.
const STACK_BYTES: usize = 64 * 1024;

/// `rounds` until the thread has started: odd, for there is no reading yet.
const NOT_YET: u64 = 1;

/// The state that the reading thread and the others share.
#[derive(Debug)]
pub struct Shared {
    pub uffd: Uffd,
    /// Ranges, start and end, that were released.
    pub released: Journal,
    /// Ranges that watched memory was moved to: they are watched now.
    pub moves: Journal,
    rounds: AtomicU64,
    stopping: AtomicBool,
    wake: OwnedFd,
}

impl Shared {
    /// Before the thread has started.
    pub fn new(uffd: Uffd) -> io::Result<Shared> {
        // SAFETY: eventfd takes numbers and gives a descriptor.
        let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Shared {
            uffd,
            released: Journal::new(RELEASED_KEPT),
            moves: Journal::new(MOVES_KEPT),
            rounds: AtomicU64::new(NOT_YET),
            stopping: AtomicBool::new(false),
            // SAFETY: the descriptor is new and belongs to nobody else.
            wake: unsafe { OwnedFd::from_raw_fd(fd) },
        })
    }

    /// Waits until every release that is complete, and every one after which the kernel has
    /// already given the addresses to somebody else, is in the journal. False when that took
    /// too long.
    pub fn settle(&self) -> bool {
        let mut pause = Pause::default();
        while self.uffd.is_changing() {
            if !pause.take() {
                return false;
            }
        }
        // The kernel's count of changes was read before `rounds` is.
        fence(Ordering::SeqCst);
        // round: the records of all rounds that have ended.
        let round = self.rounds.load(Ordering::Acquire);
        while round % 2 == 1 && self.rounds.load(Ordering::Acquire) == round {
            if !pause.take() {
                return false;
            }
        }
        true
    }

    /// Makes the thread end. Nothing is watched any more.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        let one = 1u64;
        // SAFETY: eight bytes of a local value.
        let wake =
            || unsafe { libc::write(self.wake.as_raw_fd(), (&raw const one).cast(), 8) == 8 };
        // The thread is joined, so a wake-up that was denied once is tried again.
        let _woken = (0..3).any(|_| wake());
    }

    /// Reads events until it is stopped. See the invariants in [`super`].
    #[expect(
        clippy::disallowed_methods,
        reason = "the thread that reads events of released memory sleeps for them"
    )]
    fn read_events(&self) {
        self.rounds.store(NOT_YET + 1, Ordering::Release);
        let poll = |fd| libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        };
        let mut watched = [poll(self.uffd.as_raw_fd()), poll(self.wake.as_raw_fd())];
        while !self.stopping.load(Ordering::Acquire) || self.uffd.is_changing() {
            // SAFETY: an array of two, which lives through the call.
            unsafe { libc::poll(watched.as_mut_ptr(), 2, -1) };
            self.round();
        }
    }

    /// Reads some events and writes them down.
    fn round(&self) {
        let round = self.rounds.load(Ordering::Relaxed);
        // Before the events are read, and so before those who wait for that go on.
        self.rounds.store(round + 1, Ordering::SeqCst);
        let mut room = [const { MaybeUninit::uninit() }; 16];
        for event in self.uffd.read(&mut room) {
            match event {
                Event::Released { start, end } => self.released.append([start, end]),
                Event::Moved { start, end, to } => {
                    self.moves.append([to, to.saturating_add(end - start)]);
                    self.released.append([start, end]);
                }
                Event::Other => {}
            }
        }
        // round: what was appended becomes visible.
        self.rounds.store(round + 2, Ordering::Release);
    }
}

/// Starts the thread, and waits until it reads: what a thread does before its first line may
/// allocate. It runs no signal handler.
pub fn start(shared: &Arc<Shared>) -> io::Result<JoinHandle<()>> {
    let mut all = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    // SAFETY: both are places for a set of signals; the first is filled before it is used.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
    }
    let thread = Builder::new()
        .name("oxmpi-memory".into())
        .stack_size(STACK_BYTES)
        .spawn({
            let shared = shared.clone();
            move || shared.read_events()
        });
    // SAFETY: the set was filled by the first call.
    unsafe {
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut());
    }
    while thread.is_ok() && shared.rounds.load(Ordering::Acquire) == NOT_YET {
        std::thread::yield_now();
    }
    thread
}

/// Waiting for somebody who is about to be done: first awake, then leaving the core to others.
#[derive(Default)]
struct Pause {
    taken: u32,
    since: Option<Instant>,
}

impl Pause {
    /// Waits a little; false when it has been long enough.
    #[expect(
        clippy::disallowed_methods,
        reason = "waits a bounded time for that thread to have read an event"
    )]
    fn take(&mut self) -> bool {
        self.taken += 1;
        match self.taken {
            ..50 => std::hint::spin_loop(),
            50..100 => std::thread::yield_now(),
            _ => std::thread::sleep(Duration::from_micros(20)),
        }
        self.since.get_or_insert_with(Instant::now).elapsed() < PATIENCE
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::null_mut;

    use sync::journal::Next;

    use super::*;
    use crate::page_bytes;

    /// The kernel lets go of addresses before it has queued the event, let alone before it is
    /// read: a drain in between must not report that all is settled.
    #[test]
    fn nothing_is_settled_while_somebody_waits_for_an_event_to_be_read() {
        let Ok(uffd) = Uffd::open() else {
            println!("skipped: no userfaultfd");
            return;
        };
        let shared = Shared::new(uffd).unwrap();
        shared.rounds.store(NOT_YET + 1, Ordering::Release);
        let (len, access) = (page_bytes(), libc::PROT_READ | libc::PROT_WRITE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping.
        let at = unsafe { libc::mmap(null_mut(), len, access, flags, -1, 0) } as usize;
        shared.uffd.enroll(&(at..at + len)).unwrap();
        assert!(shared.settle());
        std::thread::scope(|scope| {
            // SAFETY: the mapping just made, which nobody uses.
            scope.spawn(move || unsafe { libc::munmap(at as *mut _, len) });
            while !shared.uffd.is_changing() {
                std::thread::yield_now();
            }
            let settled = shared.settle();
            while shared.uffd.is_changing() {
                shared.round();
            }
            assert!(!settled);
        });
        assert!(shared.settle());
        let mut cursor = Journal::new(1).cursor();
        let gone = [at as u64, (at + len) as u64];
        assert_eq!(shared.released.next(&mut cursor), Next::Record(gone));
    }
}
