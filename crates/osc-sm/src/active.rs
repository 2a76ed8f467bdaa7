//! Active targets: post, start, complete, wait (MPI 5.0, 12.5.2).
//!
//! Each count only grows, and wraps; it is compared with the count that is awaited.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;
use crate::member::{Member, Wait};

impl Member {
    /// Exposes this rank's memory to those of `origins` (`MPI_WIN_POST`).
    pub fn post(&self, wait: &impl Wait, origins: impl Iterator<Item = u32>) {
        for origin in origins {
            count(&self.expected[origin as usize]);
            count(self.view.posted(origin, self.me));
            self.wake_waiting(origin, |rank| wait.wake(rank));
        }
    }

    /// Begins access to those of `targets` (`MPI_WIN_START`), once they have posted.
    ///
    /// # Errors
    /// When one of them has died before it has.
    pub fn start(
        &self,
        wait: &impl Wait,
        targets: impl Iterator<Item = u32> + Clone,
    ) -> Result<(), Error> {
        for target in targets.clone() {
            count(&self.started[target as usize]);
        }
        let all = || targets.clone().all(|target| self.has_posted(target));
        while !all() {
            let lost = |target: &u32| !self.has_posted(*target) && self.is_gone(wait, *target);
            if let Some(target) = targets.clone().find(lost) {
                let rank = self.rank(target);
                return Err(Error::Died { rank });
            }
            // A death is reported above.
            let _ = wait.until(all, |asleep| self.note_sleep(self.me, asleep));
        }
        Ok(())
    }

    /// Begins access to `targets` if all of them have posted. False, and nothing is done,
    /// otherwise.
    pub fn start_posted(&self, targets: impl Iterator<Item = u32> + Clone) -> bool {
        let all = targets.clone().all(|target| self.posts_ahead(target) > 0);
        if all {
            targets.for_each(|target| count(&self.started[target as usize]));
        }
        all
    }

    /// Whether a target has posted as often as this rank has started.
    pub fn has_posted(&self, target: u32) -> bool {
        self.posts_ahead(target) >= 0
    }

    /// Number of posts of a target less the starts of this rank.
    fn posts_ahead(&self, target: u32) -> i32 {
        let started = self.started[target as usize].load(Ordering::Relaxed);
        let posted = self.view.posted(self.me, target).load(Ordering::Acquire);
        posted.wrapping_sub(started) as i32
    }

    /// Ends access to `targets` (`MPI_WIN_COMPLETE`); a target that sees it sees all accesses.
    pub fn complete(&self, wait: &impl Wait, targets: impl Iterator<Item = u32>) {
        for target in targets {
            count(self.view.completed(target, self.me));
            self.wake_waiting(target, |rank| wait.wake(rank));
        }
    }

    /// Publishes to a place how many messages this rank has sent there, before the ranks
    /// synchronise: in a window whose accesses are messages, and which has no other use for these
    /// counts.
    pub fn publish_sent(&self, place: u32, number: u32) {
        let word = self.view.completed(place, self.me);
        // A count that has not changed stays in both caches.
        if word.load(Ordering::Relaxed) != number {
            word.store(number, Ordering::Release);
        }
    }

    /// Returns the number of messages that a rank has sent here, by its [`Member::publish_sent`].
    pub fn sent_here(&self, place: u32) -> u32 {
        self.view.completed(self.me, place).load(Ordering::Acquire)
    }

    /// Waits until all origins of the exposure epochs have completed (`MPI_WIN_WAIT`).
    ///
    /// # Errors
    /// When one of `origins` has died meanwhile.
    pub fn wait(
        &self,
        wait: &impl Wait,
        origins: impl Iterator<Item = u32> + Clone,
    ) -> Result<(), Error> {
        let all = || self.is_completed();
        while !all() {
            let lost = origins.clone().find(|origin| self.is_gone(wait, *origin));
            // It may have completed before it died.
            if let (Some(origin), false) = (lost, all()) {
                // Nothing is due from it any more.
                let completed = self.view.completed(self.me, origin);
                let count = completed.load(Ordering::Relaxed);
                self.expected[origin as usize].store(count, Ordering::Relaxed);
                let rank = self.rank(origin);
                return Err(Error::Died { rank });
            }
            let _ = wait.until(all, |asleep| self.note_sleep(self.me, asleep));
        }
        Ok(())
    }

    /// Whether all origins of the exposure epochs have completed (`MPI_WIN_TEST`).
    pub fn is_completed(&self) -> bool {
        let has_completed = |(place, due): (u32, &AtomicU32)| {
            let completed = self.view.completed(self.me, place).load(Ordering::Acquire);
            completed.wrapping_sub(due.load(Ordering::Relaxed)) as i32 >= 0
        };
        (0..).zip(&self.expected).all(has_completed)
    }

    fn is_gone(&self, wait: &impl Wait, place: u32) -> bool {
        wait.is_dead(self.rank(place))
    }
}

/// Increments a count that has no other writer.
fn count(word: &AtomicU32) {
    let next = word.load(Ordering::Relaxed).wrapping_add(1);
    word.store(next, Ordering::Release);
}
