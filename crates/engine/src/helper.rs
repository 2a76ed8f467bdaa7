//! The helper thread: makes progress while the application computes.
//!
//! It serves accesses from this node to windows (`--mca osc_standby_thread 0` turns that off): it
//! sleeps until an origin that has polled for a reply without success wakes it (`progress.rs`). And
//! it moves on messages and collectives that the application has started and not waited for
//! (`--mca mpi_standby_thread 0`): as long as some are pending it takes a turn now and then. It
//! starts with the first window that is served by messages, or the first operation that is left
//! pending.
//!
//! User-defined operators always run in the application's own threads, so a collective that has
//! one waits for a call of theirs.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use btl::{FutexWord, HELPER_ASLEEP};
use sync::futex;

use crate::progress::Help;
use crate::progress_thread::Host;

/// The first pause between two turns, and the one after something has moved.
const PAUSE_MIN: Duration = Duration::from_micros(50);
/// The pause to which the others grow soon, and the first one while the application polls: a turn
/// costs five to thirty microseconds, by what a wake-up costs.
const PAUSE: Duration = Duration::from_millis(1);
/// Pauses of that length before they grow further: what has not moved for long may not move for
/// longer still.
const PAUSES: u32 = 32;
const PAUSE_MAX: Duration = Duration::from_millis(8);

/// Value of the word once the application has left an operation pending, and nobody wants a turn
/// at once.
const PENDING: u32 = HELPER_ASLEEP + 1;

/// Whether pending operations are looked after: one of the three states.
#[derive(Default)]
pub struct Watch(AtomicU8);

/// Nobody looks after what is left pending next.
const UNWATCHED: u8 = 0;
/// The helper thread does.
const WATCHED: u8 = 1;
/// Nobody is to.
const OFF: u8 = 2;

impl Watch {
    /// Whether nobody has to be asked to look after an operation that is left pending.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.0.load(Ordering::Relaxed) != UNWATCHED
    }

    /// Asks the helper thread to look after them, once it is awake.
    pub fn ask(&self) {
        self.change(UNWATCHED, WATCHED);
    }

    /// Sets whether they are looked after at all.
    pub fn allow(&self, allowed: bool) {
        match allowed {
            true => self.change(OFF, UNWATCHED),
            false => self.0.store(OFF, Ordering::SeqCst),
        }
    }

    fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst) == WATCHED
    }

    /// Changes one state into another, and leaves the others.
    fn change(&self, from: u8, to: u8) {
        let _ = (self.0).compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst);
    }
}

/// The helper thread. It ends when this is dropped.
pub struct HelperThread {
    stop: Arc<AtomicBool>,
    bed: Arc<dyn FutexWord>,
    thread: Option<JoinHandle<()>>,
}

impl HelperThread {
    /// Starts the thread, which sleeps on `bed`.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn start(
        host: &Arc<impl Host>,
        bed: Arc<dyn FutexWord>,
        watch: Arc<Watch>,
    ) -> std::io::Result<HelperThread> {
        // The first barrier takes milliseconds in a process of several threads.
        sync::barrier::own_threads();
        let stop = Arc::new(AtomicBool::new(false));
        let helper = Helper {
            host: Arc::downgrade(host),
            stop: stop.clone(),
            bed: bed.clone(),
            watch,
        };
        let thread = Some(sync::thread::spawn("oxmpi-helper", move || helper.run())?);
        Ok(HelperThread { stop, bed, thread })
    }

    /// Wakes the thread to look after pending operations, after [`Watch::ask`].
    pub fn watch(&self) {
        self.wake(PENDING);
    }

    fn wake(&self, value: u32) {
        let word = self.bed.word();
        word.swap(value, Ordering::SeqCst);
        futex::wake(word, 1);
    }
}

impl Drop for HelperThread {
    #[expect(
        clippy::disallowed_methods,
        reason = "ends the thread that makes progress while the application computes"
    )]
    fn drop(&mut self) {
        // Either this sees the thread asleep, or the thread sees this before it sleeps.
        self.stop.store(true, Ordering::SeqCst);
        self.wake(0);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A word of this process alone, for a thread that no peer wakes.
#[derive(Default)]
pub struct OwnWord(std::sync::atomic::AtomicU32);

impl FutexWord for OwnWord {
    fn word(&self) -> &std::sync::atomic::AtomicU32 {
        &self.0
    }
}

/// The thread's side.
struct Helper<H> {
    host: Weak<H>,
    stop: Arc<AtomicBool>,
    bed: Arc<dyn FutexWord>,
    watch: Arc<Watch>,
}

impl<H: Host> Helper<H> {
    #[expect(
        clippy::disallowed_methods,
        reason = "that thread sleeps until it is woken, or has to take a turn"
    )]
    fn run(&self) {
        let word = self.bed.word();
        let mut pauses = Pauses::default();
        let mut polls = 0;
        loop {
            word.store(HELPER_ASLEEP, Ordering::SeqCst);
            if self.stop.load(Ordering::SeqCst) {
                return;
            }
            let watches = self.watch.is_on();
            futex::wait(word, HELPER_ASLEEP, watches.then(|| pauses.next()));
            // An origin has woken it.
            let called = word.load(Ordering::SeqCst) == 0;
            if !called && !watches {
                // A signal or a stale wake, or an operation has been left pending.
                continue;
            }
            let Some(host) = self.host.upgrade() else {
                return;
            };
            if called {
                host.engine().stand_in();
            }
            if watches {
                pauses.note(self.help(&*host, &mut polls));
            } else {
                pauses = Pauses::default();
            }
        }
    }

    /// Takes a turn for pending operations, and goes to sleep for good where there are none.
    fn help(&self, host: &H, polls: &mut u64) -> Help {
        // Either the application sees that nobody watches what it starts next, or it is counted
        // as pending here.
        self.watch.change(WATCHED, UNWATCHED);
        let engine = host.engine();
        let help = engine.help(polls, || host.advance_calls());
        if help != Help::NothingPending || host.has_calls() {
            self.watch.ask();
        }
        help
    }
}

/// The pauses between turns.
#[derive(Default)]
struct Pauses {
    /// Turns since something moved.
    idle: u32,
}

/// Turns without anything after which a pause is [`PAUSE`].
const STEPS: u32 = 5;

impl Pauses {
    fn next(&self) -> Duration {
        let pause = PAUSE_MIN.saturating_mul(1 << self.idle.min(16)).min(PAUSE);
        let longer = 1 << (self.idle / PAUSES).min(16);
        pause.saturating_mul(longer).min(PAUSE_MAX)
    }

    fn note(&mut self, help: Help) {
        let idle = self.idle.saturating_add(1);
        self.idle = match help {
            Help::Moved => 0,
            // The application polls by itself, which a wait for room does for as long as it takes.
            Help::Needless => idle.max(STEPS),
            Help::Nothing | Help::NothingPending | Help::Asleep => idle,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_while_nothing_moves_and_begin_anew_when_something_does() {
        let mut pauses = Pauses::default();
        let mut seen = Vec::new();
        for _ in 0..1000 {
            seen.push(pauses.next());
            pauses.note(Help::Nothing);
        }
        assert_eq!((seen[0], seen[1]), (PAUSE_MIN, 2 * PAUSE_MIN));
        assert!(seen.windows(2).all(|two| two[0] <= two[1]));
        assert_eq!((seen[20], seen[999]), (PAUSE, PAUSE_MAX));
        pauses.note(Help::Moved);
        assert_eq!(pauses.next(), PAUSE_MIN);
        pauses.note(Help::Needless);
        assert_eq!(pauses.next(), PAUSE);
        (0..1000).for_each(|_| pauses.note(Help::Needless));
        assert_eq!(pauses.next(), PAUSE_MAX);
    }
}
