//! The last rung of the wait ladder: sleep until a transport has something.

use std::sync::atomic::Ordering;
use std::time::Duration;

use btl::{Interest, Waker};

use crate::{Engine, NOTHING};

/// Longest sleep: a bell that was lost costs at most this.
const SLEEP_MAX: Duration = Duration::from_millis(100);
/// Longest sleep while something waits for a busy lane (its getting free rings no bell), while a
/// transport wants to be looked after, or while other threads may complete what is waited for.
const NAP: Duration = Duration::from_millis(1);
/// Such sleeps grow by one `NAP` after as many as this, up to `NAP_MAX`: what has been waited for
/// long may be found a little later, and an idle process costs its core next to nothing.
const NAPS_PER_LENGTH: u32 = 8;
const NAP_MAX: Duration = Duration::from_millis(8);

impl Engine {
    /// Sleeps until something may have happened. May return at once. The same wait has slept
    /// `before` times.
    #[cold]
    pub(crate) fn sleep(&self, before: u32) {
        let mut core = self.enter();
        let mut wakers = core.arm();
        // Whatever came before the bell was armed must be seen now.
        if core.progress_all() > 0 {
            core.disarm();
            return;
        }
        // A busy lane is tried again soon: its message holds up a peer.
        let limit = if core.pml.has_frames() {
            NAP
        } else if core.has_idle() || self.gate.is_shared() || bml::must_look(&wakers) {
            nap(before)
        } else {
            SLEEP_MAX
        };
        drop(core);
        self.add_watched(&mut wakers);
        self.sleeps.fetch_add(1, Ordering::Relaxed);
        bml::sleep_on(&wakers, limit);
        self.enter().disarm();
    }

    /// What the layer above wants to be woken by, where the sleep is not on a futex, which nothing
    /// else can end: then it is looked at after the sleep.
    fn add_watched(&self, wakers: &mut Vec<Waker>) {
        let watched = self.watched.load(Ordering::Relaxed);
        if watched != NOTHING && !matches!(wakers[..], [Waker::Futex(..)]) {
            wakers.push(Waker::Descriptors(vec![(watched, Interest::Readable)]));
        }
    }
}

fn nap(before: u32) -> Duration {
    (NAP * (1 + before / NAPS_PER_LENGTH)).min(NAP_MAX)
}
