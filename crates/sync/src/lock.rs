//! The lock of a gate that threads share: it stays with a thread that goes in and out.
//!
//! What a gate guards is in the cache of the core whose thread was inside last, and threads at
//! `MPI_THREAD_MULTIPLE` go in again and again. To take turns at each entry would move all of it
//! from core to core each time, and would keep more cores busy than have work. So:
//!
//! * A thread that leaves may enter again at once, before those that wait (barging).
//! * A thread that finds the lock taken spins for a moment, then sleeps.
//! * The lock belongs to the thread that enters for a *tenure*. Sleepers are woken when it is over,
//!   one at a time, or earlier where the thread inside has nothing to do ([`Lock::leave_idle`]).
//! * A thread that was woken *claims* the lock: others do not barge until it has entered.
//! * A tenure that ends without a word, since its thread computes, is noticed by a sleeper, which
//!   sleeps no longer than that.
//!
//! The thread inside may enter again; it leaves as often as it has entered.

use std::time::Duration;

use crate::atomic::{pause, AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
#[cfg(not(loom))]
use crate::futex;

/// How long the lock stays with a thread while others sleep: many times what it takes to move the
/// guarded state to another core and to wake a thread there.
const TENURE: Duration = micros(100);
/// How long a thread spins for a lock that is taken: several times what most stay inside.
const SPIN: Duration = micros(1);
/// How long a thread spins for a lock that it has claimed. Longer waits mean that the thread inside
/// has lost its core.
const CLAIM_SPIN: Duration = micros(5);
/// A sleeper that was woken needs about as long to claim the lock; no other is woken meanwhile.
const WAKE_PAUSE: Duration = micros(30);
/// Polls of the lock from one read of the clock to the next.
const POLLS_PER_READ: u32 = if cfg!(loom) { 1 } else { 8 };
/// Times that the lock is left, while others sleep, from one read of the clock to the next.
const TURNS_PER_READ: u32 = if cfg!(loom) { 1 } else { 8 };

/// Returns a time. Loom has none: there everything that takes time is over at once.
const fn micros(micros: u64) -> Duration {
    Duration::from_micros(if cfg!(loom) { 0 } else { micros })
}

/// A lock.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct Lock {
    /// The thread inside; 0 where the lock is free.
    holder: AtomicUsize,
    /// The thread that entered last, written by it.
    tenant: AtomicUsize,
    /// When the tenure began, in nanoseconds.
    since: AtomicU64,
    /// How often the holder has entered beyond once, written by it.
    depth: AtomicU32,
    /// Whether a thread that was woken is about to enter.
    claimed: AtomicBool,
    /// Threads that sleep, or are about to.
    sleepers: AtomicU32,
    /// Wake-ups so far: what sleepers sleep on.
    wakes: AtomicU32,
    /// Times that the lock was left while others slept.
    turns: AtomicU32,
    /// When a sleeper was woken last, in nanoseconds.
    woken: AtomicU64,
}

impl Lock {
    /// Enters.
    #[inline]
    pub(crate) fn enter(&self) {
        let me = this_thread();
        if self.claimed.load(Ordering::Relaxed) || !self.try_take(me) {
            self.enter_contended(me);
        }
    }

    /// Whether the calling thread is inside.
    pub(crate) fn is_held(&self) -> bool {
        // Nobody else stores this thread there.
        self.holder.load(Ordering::Relaxed) == this_thread()
    }

    /// Takes the lock if it is free.
    #[inline]
    fn try_take(&self, me: usize) -> bool {
        // left: what was done inside is seen.
        let taken = self
            .holder
            .compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed);
        if taken.is_err() {
            return false;
        }
        if self.tenant.load(Ordering::Relaxed) != me {
            self.begin_tenure(me);
        }
        true
    }

    #[cold]
    fn begin_tenure(&self, me: usize) {
        self.tenant.store(me, Ordering::Relaxed);
        self.since.store(now(), Ordering::Relaxed);
    }

    #[cold]
    fn enter_contended(&self, me: usize) {
        // Nobody else stores this thread there.
        if self.holder.load(Ordering::Relaxed) == me {
            let depth = self.depth.load(Ordering::Relaxed);
            return self.depth.store(depth + 1, Ordering::Relaxed);
        }
        if self.spin(SPIN, || {
            !self.claimed.load(Ordering::Relaxed) && self.try_take(me)
        }) {
            return;
        }
        let ahead = self.sleepers.fetch_add(1, Ordering::SeqCst);
        loop {
            let wakes = self.wakes.load(Ordering::Acquire);
            if !self.claimed.load(Ordering::Relaxed) && self.try_take(me) {
                break;
            }
            sleep(&self.wakes, wakes, TENURE * (ahead + 1));
            if self.claim(me) {
                break;
            }
        }
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
    }

    /// Enters before all that are awake, unless another sleeper is about to, or the thread inside
    /// stays for long.
    fn claim(&self, me: usize) -> bool {
        let claim =
            self.claimed
                .compare_exchange(false, true, Ordering::Relaxed, Ordering::Relaxed);
        if claim.is_err() {
            return false;
        }
        let taken = self.spin(CLAIM_SPIN, || self.try_take(me));
        self.claimed.store(false, Ordering::Relaxed);
        taken
    }

    /// Polls the lock until it was taken; false where that takes longer than `limit`.
    fn spin(&self, limit: Duration, mut take: impl FnMut() -> bool) -> bool {
        let end = now() + limit.as_nanos() as u64;
        loop {
            for _ in 0..POLLS_PER_READ {
                // Reading takes the line from nobody.
                if self.holder.load(Ordering::Relaxed) == 0 && take() {
                    return true;
                }
                pause();
            }
            if now() >= end {
                return false;
            }
        }
    }

    /// Leaves.
    #[inline]
    pub(crate) fn leave(&self) {
        if self.depth.load(Ordering::Relaxed) > 0 {
            return self.leave_inner();
        }
        self.holder.store(0, Ordering::Release);
        if self.sleepers.load(Ordering::Relaxed) > 0 {
            self.end_tenure(TENURE);
        }
    }

    /// Leaves, since there is nothing to do for the thread inside: others may.
    #[inline]
    pub(crate) fn leave_idle(&self) {
        if self.depth.load(Ordering::Relaxed) > 0 {
            return self.leave_inner();
        }
        self.holder.store(0, Ordering::Release);
        if self.sleepers.load(Ordering::Relaxed) > 0 {
            self.end_tenure(Duration::ZERO);
        }
    }

    #[cold]
    fn leave_inner(&self) {
        let depth = self.depth.load(Ordering::Relaxed);
        self.depth.store(depth - 1, Ordering::Relaxed);
    }

    /// Wakes a sleeper, if the tenure is over: it is compared with the time now and then.
    #[cold]
    fn end_tenure(&self, due: Duration) {
        let turns = self.turns.load(Ordering::Relaxed).wrapping_add(1);
        self.turns.store(turns, Ordering::Relaxed);
        if !turns.is_multiple_of(TURNS_PER_READ) && !due.is_zero() {
            return;
        }
        let now = now();
        let since = |word: &AtomicU64| now.saturating_sub(word.load(Ordering::Relaxed));
        if since(&self.since) < due.as_nanos() as u64
            || since(&self.woken) < WAKE_PAUSE.as_nanos() as u64
            || self.claimed.load(Ordering::Relaxed)
        {
            return;
        }
        self.woken.store(now, Ordering::Relaxed);
        self.wakes.fetch_add(1, Ordering::Release);
        wake(&self.wakes);
    }
}

#[cfg(not(loom))]
use std::thread_local;

#[cfg(loom)]
use loom::thread_local;

// Loom's macro takes no constant initialiser.
#[cfg(not(loom))]
thread_local! {
    /// A byte whose address distinguishes the threads that are alive.
    static THREAD: u8 = const { 0 };
}
#[cfg(loom)]
thread_local! {
    static THREAD: u8 = 0;
}

/// Returns a number of the calling thread that no other one has at the same time; not 0.
#[inline]
fn this_thread() -> usize {
    THREAD.with(|thread| std::ptr::from_ref(thread).addr())
}

/// Returns the time in nanoseconds since some moment.
fn now() -> u64 {
    if cfg!(loom) {
        return 0;
    }
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a place for the time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Sleeps while `word` holds `value`, for `limit` at most.
#[expect(
    clippy::disallowed_methods,
    reason = "waits for a thread that is inside a gate"
)]
fn sleep(word: &AtomicU32, value: u32, limit: Duration) {
    #[cfg(not(loom))]
    futex::wait(word, value, Some(limit));
    // The limit ends a sleep at any time.
    #[cfg(loom)]
    {
        let _ = (word, value, limit);
        loom::thread::yield_now();
    }
}

/// Wakes one sleeper.
fn wake(word: &AtomicU32) {
    #[cfg(not(loom))]
    futex::wake(word, 1);
    #[cfg(loom)]
    let _ = word;
}
