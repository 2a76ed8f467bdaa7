//! Waits, and sleeps, until a transport has an event.

use std::time::{Duration, Instant};

use btl::{Interest, Sink, SleepKind, Waker};
use sync::{futex, Ladder, Patience, Step};

use crate::Bml;

/// Longest sleep where nothing may wake this process.
const NAP: Duration = Duration::from_millis(1);

impl Bml {
    /// Progresses until something happens or `limit` has passed, by the rungs of `patience`: awake
    /// at first, then asleep. Returns the last result of [`Bml::progress`]; 0 when the time ran
    /// out.
    pub fn wait(&mut self, sink: &mut dyn Sink, patience: Patience, limit: Duration) -> usize {
        let mut ladder = Ladder::new(patience);
        let mut began = None;
        loop {
            let happened = self.progress(sink);
            if happened > 0 {
                return happened;
            }
            let step = ladder.step();
            if step == Step::Spin {
                continue;
            }
            let waited = began.get_or_insert_with(Instant::now).elapsed();
            let left = limit.saturating_sub(waited);
            if left.is_zero() {
                return 0;
            }
            match step {
                Step::Yield if self.backs_off() => {}
                Step::Spin | Step::Yield => std::thread::yield_now(),
                Step::Sleep => {
                    let happened = self.sleep(sink, left);
                    if happened > 0 {
                        return happened;
                    }
                }
            }
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the sleep of a program that has no engine"
    )]
    fn sleep(&mut self, sink: &mut dyn Sink, limit: Duration) -> usize {
        let wakers = self.arm();
        // Events from before the wakers were armed must be seen now.
        let happened = self.progress_all(sink);
        if happened == 0 {
            let blind = self.has_idle() || wakers.is_empty() || must_look(&wakers);
            sleep_on(&wakers, if blind { limit.min(NAP) } else { limit });
        }
        self.disarm();
        happened
    }

    /// Prepares every live transport for sleep: on one futex where a single transport carries lanes
    /// and can, otherwise on descriptors. Empty when nothing can wake this process.
    pub fn arm(&mut self) -> Vec<Waker> {
        let opened = &mut self.lanes.opened;
        let mut carrying = opened
            .iter_mut()
            .filter(|o| o.lanes != 0 && o.transport.is_live());
        if let (Some(only), None) = (carrying.next(), carrying.next()) {
            if let Some(waker @ Waker::Futex(..)) = only.transport.arm(SleepKind::Futex) {
                return self.unsent().chain([waker]).collect();
            }
            only.transport.disarm();
        }
        self.arm_descriptors()
    }

    /// Prepares for a sleep on descriptors alone, so that transports without a lane wake this
    /// process as well. Such wake-ups cost peers more, and take longer.
    pub fn arm_descriptors(&mut self) -> Vec<Waker> {
        let mut wakers: Vec<Waker> = self.unsent().collect();
        let opened = &mut self.lanes.opened;
        let live = opened
            .iter_mut()
            .filter(|opened| opened.transport.is_live());
        wakers.extend(live.filter_map(|o| o.transport.arm(SleepKind::Descriptors)));
        wakers
    }

    /// Whether a peer of this node was last seen on a processor; `None` where no transport knows.
    pub fn has_peer_on(&mut self, processor: usize) -> Option<bool> {
        // Also transports without a lane: one that would carry messages within this node, and knows
        // of no peer there, knows enough.
        let opened = self.lanes.opened.iter_mut();
        let seen = opened.filter_map(|opened| opened.transport.has_peer_on(processor));
        seen.reduce(|any, one| any || one)
    }

    /// A reply that waits for room in a lane wakes nobody when there is some.
    fn unsent(&self) -> impl Iterator<Item = Waker> {
        let unsent = self.emulation.has_unsent().then_some(Waker::Poll);
        unsent.into_iter()
    }

    /// Ends the preparation by [`Bml::arm`].
    pub fn disarm(&mut self) {
        for opened in &mut self.lanes.opened {
            opened.transport.disarm();
        }
    }

    /// Whether a transport without a lane is live: a sleeper then polls it now and then.
    pub fn has_idle(&self) -> bool {
        let mut opened = self.lanes.opened.iter();
        opened.any(|opened| opened.lanes == 0 && opened.transport.is_live())
    }
}

/// Whether something may happen that none of these wakers reports: the sleeper has to poll now and
/// then, and limits its sleep itself.
pub fn must_look(wakers: &[Waker]) -> bool {
    match wakers {
        [Waker::Futex(..)] => false,
        wakers => wakers
            .iter()
            .any(|waker| !matches!(waker, Waker::Descriptors(_))),
    }
}

/// Sleeps until a waker fires or `limit` has passed. May return early.
#[expect(
    clippy::disallowed_methods,
    reason = "the primitive: sleeps until a transport wakes it"
)]
pub fn sleep_on(wakers: &[Waker], limit: Duration) {
    if let [Waker::Futex(word, value)] = wakers {
        return futex::wait(word.word(), *value, Some(limit));
    }
    let descriptors = wakers.iter().filter_map(|waker| match waker {
        Waker::Descriptors(descriptors) => Some(descriptors),
        Waker::Futex(..) | Waker::Poll => None,
    });
    let interests = descriptors.flatten().map(|(fd, interest)| {
        let writable = matches!(interest, Interest::ReadableOrWritable);
        (*fd, writable)
    });
    sync::poll::wait(interests, limit);
}
