//! Active targets: post, start, complete, wait (MPI 5.0, 12.5.2).
//!
//! Counts only grow, and wrap; what is compared is what is due.

use std::sync::atomic::Ordering;

use crate::error::Error;
use crate::member::{Member, Wait};

impl Member {
    /// Exposes this rank's memory to those of `origins` (`MPI_WIN_POST`).
    pub fn post(&self, wait: &impl Wait, origins: &[u32]) {
        self.expected
            .fetch_add(origins.len() as u32, Ordering::Relaxed);
        for origin in origins {
            let posted = self.view.posted(*origin, self.me);
            // Nobody else writes it.
            let count = posted.load(Ordering::Relaxed).wrapping_add(1);
            posted.store(count, Ordering::Release);
            self.wake_waiting(*origin, |rank| wait.wake(rank));
        }
    }

    /// Begins access to those of `targets` (`MPI_WIN_START`), once they have posted.
    ///
    /// # Errors
    /// When one of them has died before it has.
    pub fn start(&self, wait: &impl Wait, targets: &[u32]) -> Result<(), Error> {
        for target in targets {
            self.started[*target as usize].fetch_add(1, Ordering::Relaxed);
        }
        let all = || targets.iter().all(|target| self.has_posted(*target));
        while !all() {
            let lost = |target: &&u32| !self.has_posted(**target) && self.is_gone(wait, **target);
            if let Some(target) = targets.iter().find(lost) {
                let rank = self.rank(*target);
                return Err(Error::Died { rank });
            }
            // Of a death there is word above.
            let _ = wait.until(all, |asleep| self.doze(self.me, asleep));
        }
        Ok(())
    }

    /// Whether a target has posted as often as this rank has started.
    pub fn has_posted(&self, target: u32) -> bool {
        let due = self.started[target as usize].load(Ordering::Relaxed);
        let posted = self.view.posted(self.me, target).load(Ordering::Acquire);
        posted.wrapping_sub(due) as i32 >= 0
    }

    /// Ends access to those of `targets` (`MPI_WIN_COMPLETE`).
    pub fn complete(&self, wait: &impl Wait, targets: &[u32]) {
        for target in targets {
            self.view.completed(*target).fetch_add(1, Ordering::AcqRel);
            self.wake_waiting(*target, |rank| wait.wake(rank));
        }
    }

    /// Waits until all origins of the exposure epochs have completed (`MPI_WIN_WAIT`).
    ///
    /// # Errors
    /// When one of `origins` has died meanwhile.
    pub fn wait(&self, wait: &impl Wait, origins: &[u32]) -> Result<(), Error> {
        let all = || self.is_completed();
        while !all() {
            let lost = origins.iter().find(|origin| self.is_gone(wait, **origin));
            // It may have completed before it died.
            if let (Some(origin), false) = (lost, all()) {
                let rank = self.rank(*origin);
                return Err(Error::Died { rank });
            }
            let _ = wait.until(all, |asleep| self.doze(self.me, asleep));
        }
        Ok(())
    }

    /// Whether all origins of the exposure epochs have completed (`MPI_WIN_TEST`).
    pub fn is_completed(&self) -> bool {
        let due = self.expected.load(Ordering::Relaxed);
        let completed = self.view.completed(self.me).load(Ordering::Acquire);
        completed.wrapping_sub(due) as i32 >= 0
    }

    fn is_gone(&self, wait: &impl Wait, place: u32) -> bool {
        wait.is_dead(self.rank(place))
    }
}
