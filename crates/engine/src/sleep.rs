//! Sleep, the last rung of the wait ladder: until a transport has an event.
//!
//! A sleeper sets a flag in its segment, runs membarrier(2), polls once more, and then sleeps on a
//! futex, or on descriptors where several transports carry lanes. A sender's check of that flag is
//! a plain load. A futex wakes fastest, and is all that messages need within a node; transports
//! that carry no lane, and the launcher's connection, are then polled between sleeps.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use btl::{Interest, Waker};
use pml::Pml;
use sync::Step;

use crate::engine::{Engine, NO_DESCRIPTOR};
use crate::pml::Core;

/// Longest sleep: a lost wake-up costs at most this.
const SLEEP_MAX: Duration = Duration::from_millis(100);
/// Longest sleep while something waits for a busy lane (which wakes nobody once it is free), while
/// a transport wants to be polled, or while other threads may complete what is waited for.
const NAP: Duration = Duration::from_millis(1);
/// The first of such sleeps, each next one twice as long up to `NAP`: where messages wake nobody, a
/// caller that waits for replies would otherwise wait as long for each.
const NAP_MIN: Duration = Duration::from_micros(125);
/// Sleeps that are shorter than `NAP`.
const SHORT_NAPS: u32 = 3;
/// The others grow by one `NAP` after as many as this, up to `NAP_MAX`: what has been waited for
/// long may be found a little later, and an idle process costs its core next to nothing.
const NAPS_PER_LENGTH: u32 = 3;
/// Naps per length where something waits for a busy lane. It holds up a peer, so the naps stay
/// short for longer; but the lane of a peer that has stopped stays busy for good.
const NAPS_PER_LENGTH_BUSY: u32 = 12;
const NAP_MAX: Duration = Duration::from_millis(20);
/// Longest sleep that the launcher's news do not end, where they are urgent.
const NEWS_NAP: Duration = Duration::from_millis(10);
/// How often sleeps double, from `NAP` on, while a transport without a lane ends none of them.
const IDLE_DOUBLINGS: u32 = 7;
/// Polls before the first sleep that nothing would end: an early message would wait for its end,
/// which is many times as long as a message travels. Others have the core between them.
const POLLS_BEFORE_BLIND_SLEEP: u32 = 200;
/// Polls before a sleep that nothing would end, while something waits for a busy lane, which peers
/// free within a few messages.
const POLLS_BEFORE_BUSY_SLEEP: u32 = 16;
/// Longest sleep of a thread that assists, where not all arrivals wake it: another thread computes
/// meanwhile and counts on it.
const ASSIST_NAP: Duration = Duration::from_millis(8);
/// Longest sleep in a call that is to return at once. A message ends it earlier.
const POLL_NAP: Duration = Duration::from_micros(50);
/// A yield that took longer counts as a sleep.
const LONG_YIELD: Duration = Duration::from_micros(20);
/// Most polls of a thread that assists before it releases the gate.
const ASSISTS_MAX: usize = 64;

impl Engine {
    /// Sleeps until something may have happened. May return at once, also with what is waited for.
    /// `empty_turns` counts the turns of the same wait here since something last happened. At first
    /// this only yields, where nothing would end the sleep.
    #[cold]
    #[expect(
        clippy::disallowed_methods,
        reason = "the sleep of `Engine::wait_until`"
    )]
    pub(crate) fn sleep<T>(
        &self,
        empty_turns: &mut u32,
        condition: &mut impl FnMut(&mut Core) -> Option<T>,
        announce_sleep: &mut impl FnMut(bool),
    ) -> Option<T> {
        let _asleep = Asleep::begin(&self.asleep);
        // It may send, to wake others: so not from within the engine.
        announce_sleep(true);
        let before = *empty_turns;
        *empty_turns = before.saturating_add(1);
        let mut core = self.enter();
        let alarm = self.alarm().descriptor();
        let mut wakers = core.arm_for(alarm);
        // Whatever came before the doorbell was armed must be seen now.
        let happened = core.progress_all() > 0;
        let found = condition(&mut core);
        // So must what other threads wait for: this one polls for them.
        let served = core.serve();
        if happened || found.is_some() || !served.is_empty() {
            core.disarm();
            drop(core);
            served.wake();
            announce_sleep(false);
            *empty_turns = 0;
            self.quiet.end();
            return found;
        }
        let blind = bml::must_look(&wakers);
        let is_busy = core.has_queued() || core.has_accesses() || core.has_faults();
        let yields = match blind {
            true => POLLS_BEFORE_BLIND_SLEEP,
            false if is_busy => POLLS_BEFORE_BUSY_SLEEP,
            false => 0,
        };
        let Some(before) = before.checked_sub(yields) else {
            core.disarm();
            drop(core);
            announce_sleep(false);
            std::thread::yield_now();
            return None;
        };
        let limit = if is_busy {
            nap(before, NAPS_PER_LENGTH_BUSY)
        } else if self.gate.is_shared() || blind || core.awaits_accesses() {
            nap(before, NAPS_PER_LENGTH)
        } else if core.has_idle() && sleeps_on_word(&wakers) {
            idle_nap(before, self.contention.sharers())
        } else {
            SLEEP_MAX
        };
        let limit = limit.min(self.add_watched(&mut wakers));
        wakers.extend(alarm.map(|fd| Waker::Descriptors(vec![(fd, Interest::Readable)])));
        let sleep = core.crowd.fall_asleep(&wakers);
        drop(core);
        self.sleeps.fetch_add(1, Ordering::Relaxed);
        self.counters.waits_slept.add_shared(1);
        bml::sleep_on(&wakers, limit);
        if alarm.is_some() {
            self.alarm().clear();
        }
        let mut core = self.enter();
        // Another thread may poll now, or sleep.
        if core.crowd.wake_up(sleep) {
            core.disarm();
        }
        drop(core);
        announce_sleep(false);
        None
    }

    /// Sleeps for `limit` at most, or until a transport has something; yields where nothing would
    /// end the sleep early.
    #[expect(
        clippy::disallowed_methods,
        reason = "a call that tests and returns sleeps for a moment on a contended core"
    )]
    pub(crate) fn nap(&self, limit: Duration) {
        let mut core = self.enter();
        let wakers = core.arm();
        // Whatever came before the doorbell was armed must be seen now.
        if core.progress_all() > 0 {
            return core.disarm();
        }
        drop(core);
        match bml::must_look(&wakers) {
            true => std::thread::yield_now(),
            false => bml::sleep_on(&wakers, limit),
        }
        self.enter().disarm();
    }

    /// Adds the descriptor that the layer above wants to be woken by, unless the sleep is on a
    /// futex, which nothing else can end: then the descriptor is polled after the sleep. Returns
    /// the longest sleep.
    fn add_watched(&self, wakers: &mut Vec<Waker>) -> Duration {
        let watched = self.watched.load(Ordering::Relaxed);
        if watched == NO_DESCRIPTOR {
            return SLEEP_MAX;
        }
        if sleeps_on_word(wakers) {
            return match self.has_short_sleeps.load(Ordering::Relaxed) {
                true => NEWS_NAP,
                false => SLEEP_MAX,
            };
        }
        wakers.push(Waker::Descriptors(vec![(watched, Interest::Readable)]));
        SLEEP_MAX
    }
}

impl Core {
    /// Prepares for a sleep as [`Pml::arm`] does, on descriptors where `alarm` is one of them.
    fn arm_for(&mut self, alarm: Option<RawFd>) -> Vec<Waker> {
        match (alarm, self.lanes_mut()) {
            (Some(_), Some(lanes)) => lanes.bml.arm_descriptors(),
            _ => self.arm(),
        }
    }
}

impl Engine {
    /// A round of a thread whose only task is that things move while the application computes:
    /// sleeps until a transport has something or `wake` can be read, and then moves everything
    /// that can move. While other threads wait in the engine they see to that. The gate must be
    /// shared.
    #[expect(
        clippy::disallowed_methods,
        reason = "a helper thread sleeps until there is something to move"
    )]
    pub fn assist(&self, wake: RawFd) {
        let mut wakers = vec![Waker::Descriptors(vec![(wake, Interest::Readable)])];
        if self.waiters.load(Ordering::Relaxed) > 0 {
            return bml::sleep_on(&wakers, ASSIST_NAP);
        }
        let mut core = self.enter();
        let armed = core.arm();
        // What a transport cannot ring a bell for beside descriptors is looked after.
        let rings = |waker: &Waker| matches!(waker, Waker::Descriptors(_));
        let limit = match core.has_queued() {
            true => NAP,
            false if core.has_idle() || !armed.iter().all(rings) => ASSIST_NAP,
            false => SLEEP_MAX,
        };
        wakers.extend(armed.into_iter().filter(rings));
        if core.progress_all() == 0 {
            drop(core);
            bml::sleep_on(&wakers, limit);
            core = self.enter();
        } else {
            self.quiet.end();
        }
        core.disarm();
        // Others have their turn between the rounds.
        for _ in 0..ASSISTS_MAX {
            if core.progress_all() == 0 {
                break;
            }
            self.quiet.end();
        }
    }
}

impl Engine {
    /// Yields after an empty poll of a call of the application, where other threads may need the
    /// core. Sleeps only if `may_sleep`, where the call has done no work either.
    #[inline]
    pub fn polled_empty(&self, may_sleep: bool) {
        let step = self.gate.enter().polls.step(&self.contention);
        if self.contention.is_contended() {
            self.settle_doubt();
        }
        if step != Step::Spin {
            self.give_way_after_poll(step, may_sleep);
        }
    }

    /// Gives the core to others. Time has passed where they took it: that counts as a sleep.
    fn yield_after_poll(&self) {
        if self.contention.give_way() > LONG_YIELD {
            self.sleeps.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[cold]
    fn give_way_after_poll(&self, step: Step, may_sleep: bool) {
        if !self.contention.is_contended() {
            // One yield finds out whether another thread wants the core; then the spin restarts.
            self.contention.give_way();
            return self.gate.enter().polls.restart();
        }
        if step == Step::Sleep && may_sleep {
            self.nap(POLL_NAP);
            self.sleeps.fetch_add(1, Ordering::Relaxed);
        } else if self.contention.may_yield() {
            self.yield_after_poll();
        }
        self.gate.enter().polls.begin_burst();
    }
}

/// A thread that sleeps, or is about to.
struct Asleep<'a>(&'a AtomicU32);

impl Asleep<'_> {
    fn begin(count: &AtomicU32) -> Asleep<'_> {
        // Before the alarm's descriptor is looked for; see `Engine::help`.
        count.fetch_add(1, Ordering::SeqCst);
        Asleep(count)
    }
}

impl Drop for Asleep<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns whether a sleep is on a futex, which ends it as nothing else does.
fn sleeps_on_word(wakers: &[Waker]) -> bool {
    matches!(wakers, [Waker::Futex(..)])
}

/// Returns the length of a sleep after `before` others, where what carries no lane ends none: it is
/// polled the less often, the longer nothing has come. Processes that share a core divide the
/// polls: what hundreds of them wait for takes longer than a short nap, which all would end early.
fn idle_nap(before: u32, sharers: usize) -> Duration {
    let doubled = NAP * (1 << before.min(IDLE_DOUBLINGS));
    let sharers = u32::try_from(sharers).unwrap_or(u32::MAX);
    doubled.saturating_mul(sharers).min(SLEEP_MAX)
}

/// The nap after `before` others. As many as `per_length` are equally long, once they have `NAP`.
fn nap(before: u32, per_length: u32) -> Duration {
    match before.checked_sub(SHORT_NAPS) {
        None => NAP_MIN * (1 << before),
        Some(longer) => (NAP * (1 + longer / per_length)).min(NAP_MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeps_begin_short_and_grow_to_the_longest() {
        for per_length in [NAPS_PER_LENGTH, NAPS_PER_LENGTH_BUSY] {
            let naps: Vec<Duration> = (0..300).map(|before| nap(before, per_length)).collect();
            assert!(naps[0] <= NAP / 8 && naps[SHORT_NAPS as usize] == NAP);
            assert!(naps
                .windows(2)
                .all(|two| two[0] <= two[1] && two[1] <= 2 * two[0]));
            assert_eq!(naps[299], NAP_MAX);
        }
    }

    #[test]
    fn idle_naps_are_the_longer_the_more_processes_share_a_core() {
        assert_eq!(idle_nap(0, 1), NAP);
        assert_eq!(idle_nap(1, 2), 4 * NAP);
        assert_eq!(idle_nap(0, 500), SLEEP_MAX);
        assert_eq!(idle_nap(u32::MAX, usize::MAX), SLEEP_MAX);
    }

    #[test]
    fn a_wait_for_a_busy_lane_sleeps_shorter_but_not_for_ever() {
        let in_a_second = |per_length| {
            let mut slept = Duration::ZERO;
            let naps = (0..).map(|before| nap(before, per_length));
            naps.take_while(|nap| {
                slept += *nap;
                slept < Duration::from_secs(1)
            })
            .count()
        };
        assert!(in_a_second(NAPS_PER_LENGTH) < in_a_second(NAPS_PER_LENGTH_BUSY));
        assert!(in_a_second(NAPS_PER_LENGTH_BUSY) < 200);
    }
}
