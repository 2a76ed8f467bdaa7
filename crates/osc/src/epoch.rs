//! The epochs open at this process, and the calls that may follow (MPI 5.0, 12.5).
//!
//! | open                  | `fence` | `start` | `lock`, `lock_all` | operation           |
//! |-----------------------|---------|---------|--------------------|---------------------|
//! | nothing               | yes     | yes     | yes                | no                  |
//! | fence, nothing done   | yes     | yes     | yes                | yes                 |
//! | fence, something done | yes     | no      | no                 | yes                 |
//! | start                 | no      | no      | no                 | to its group        |
//! | lock                  | no      | no      | of another target  | to locked targets   |
//! | lock_all              | no      | no      | no                 | yes                 |
//!
//! The epoch that a fence opens counts for nothing if nothing happens in it. Exposure by `post`
//! goes beside all of these but the fence.

use base::Rank;
use smallvec::SmallVec;

use crate::check::Era;
use crate::permit::Permits;
use crate::Error;

/// The ranks of a group that was posted to or started. Groups are mostly small: up to eight ranks
/// need no allocation.
pub type Ranks = SmallVec<[Rank; 8]>;

/// The open epochs.
#[derive(Default, Debug)]
pub(crate) struct Epochs {
    access: Access,
    /// Decisions that others may act by until their epoch ends.
    permits: Permits,
    exposed: Option<Ranks>,
    /// Whether the user has promised not to lock the window (`no_locks`).
    lockless: bool,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
enum Access {
    #[default]
    None,
    /// Since a fence; whether anything was accessed.
    Fence(bool),
    /// To a group; those whose `MPI_Win_post` has not been seen.
    Started {
        group: Ranks,
        awaited: Ranks,
    },
    /// To this many targets; each [`crate::target::Target`] knows its lock.
    Locked(usize),
    LockedAll,
}

impl Access {
    /// Returns the open epoch, as part of a sentence.
    fn what(&self) -> &'static str {
        match self {
            Access::None => "no epoch is open",
            Access::Fence(_) => "the epoch since MPI_Win_fence is open",
            Access::Started { .. } => "the epoch since MPI_Win_start is open",
            Access::Locked(_) => "an epoch since MPI_Win_lock is open",
            Access::LockedAll => "the epoch since MPI_Win_lock_all is open",
        }
    }
}

impl Epochs {
    fn refuse<T>(&self, missing: &str) -> Result<T, Error> {
        let what = self.access.what();
        Err(Error::Epoch(format!("{missing}; {what}")))
    }

    /// Makes room for the permits of a window of this many processes.
    pub(crate) fn join(&mut self, ranks: usize) {
        self.permits = Permits::new(ranks);
    }

    /// Returns the decisions that others may act by.
    #[inline]
    pub(crate) fn permits(&self) -> &Permits {
        &self.permits
    }

    /// Sets whether the window may be locked.
    pub(crate) fn allow_locks(&mut self, allowed: bool) {
        self.lockless = !allowed;
    }

    fn check_locks(&self, call: &str) -> Result<(), Error> {
        match self.lockless {
            false => Ok(()),
            true => self.refuse(&format!("{call} in a window whose info says `no_locks`")),
        }
    }

    /// Returns the kind of epoch of an access.
    pub(crate) fn era(&self) -> Era {
        match self.access {
            Access::Fence(_) => Era::Fence,
            Access::Started { .. } => Era::Started,
            _ => Era::Passive,
        }
    }

    /// Admits an operation on a target; `locked` says whether that is locked. False when it has to
    /// wait for the target's `MPI_Win_post`.
    pub(crate) fn operate(&mut self, target: Rank, locked: bool) -> Result<bool, Error> {
        match self.operates(target, locked) {
            Some(open) => Ok(open),
            None => self.refuse(&format!("an access to {target} needs an epoch for it")),
        }
    }

    /// Admits an operation on a target; `None` where no epoch to it is open.
    #[inline]
    pub(crate) fn operates(&mut self, target: Rank, locked: bool) -> Option<bool> {
        match &mut self.access {
            Access::LockedAll => Some(true),
            Access::Locked(_) => locked.then_some(true),
            Access::Fence(used) => {
                *used = true;
                Some(true)
            }
            Access::Started { group, awaited } => {
                let ours = group.contains(&target);
                ours.then(|| !awaited.contains(&target))
            }
            Access::None => None,
        }
    }

    /// Checks that a fence may be called.
    pub(crate) fn check_fence(&self) -> Result<(), Error> {
        match (&self.access, &self.exposed) {
            (Access::None | Access::Fence(_), None) => Ok(()),
            (Access::None | Access::Fence(_), Some(_)) => Err(Error::Epoch(
                "MPI_Win_fence comes before the MPI_Win_wait that ends an exposure".into(),
            )),
            _ => self.refuse("MPI_Win_fence cannot be called here"),
        }
    }

    /// Ends a fence; `open` says whether accesses may follow.
    pub(crate) fn fenced(&mut self, open: bool) {
        self.permits.void_all();
        self.access = if open {
            Access::Fence(false)
        } else {
            Access::None
        };
    }

    fn check_idle(&self, call: &str) -> Result<(), Error> {
        match self.access {
            Access::None | Access::Fence(false) => Ok(()),
            _ => self.refuse(&format!("{call} cannot be called here")),
        }
    }

    pub(crate) fn start(&mut self, group: &[Rank], check: bool) -> Result<(), Error> {
        self.check_idle("MPI_Win_start")?;
        let awaited = if check { group } else { &[] };
        self.access = Access::Started {
            group: Ranks::from_slice(group),
            awaited: Ranks::from_slice(awaited),
        };
        Ok(())
    }

    /// Returns those of the group whose `MPI_Win_post` has not been seen.
    pub(crate) fn awaited(&mut self) -> Option<&mut Ranks> {
        match &mut self.access {
            Access::Started { awaited, .. } => Some(awaited),
            _ => None,
        }
    }

    /// Whether an access to a target waits for its `MPI_Win_post`.
    pub(crate) fn awaits(&self, target: Rank) -> bool {
        matches!(&self.access, Access::Started { awaited, .. } if awaited.contains(&target))
    }

    /// Returns the group of the epoch that `MPI_Win_complete` ends.
    pub(crate) fn started(&self) -> Result<&[Rank], Error> {
        match &self.access {
            Access::Started { group, .. } => Ok(group),
            _ => self.refuse("MPI_Win_complete needs an epoch begun by MPI_Win_start"),
        }
    }

    /// Whether an epoch to a group is open.
    pub(crate) fn is_started(&self) -> bool {
        matches!(self.access, Access::Started { .. })
    }

    /// Whether an epoch between fences is open.
    #[inline]
    pub(crate) fn is_fenced(&self) -> bool {
        matches!(self.access, Access::Fence(_))
    }

    /// Ends the epoch to a group. Returns the group.
    pub(crate) fn complete(&mut self) -> Result<Ranks, Error> {
        self.started()?;
        self.permits.void_all();
        match std::mem::take(&mut self.access) {
            Access::Started { group, .. } => Ok(group),
            _ => Ok(Ranks::new()),
        }
    }

    pub(crate) fn post(&mut self, group: &[Rank]) -> Result<(), Error> {
        if self.exposed.is_some() {
            return Err(Error::Epoch(
                "MPI_Win_post comes before the MPI_Win_wait that ends the last one".into(),
            ));
        }
        if self.access == Access::Fence(true) {
            return self.refuse("MPI_Win_post cannot be called here");
        }
        if self.access == Access::Fence(false) {
            self.access = Access::None;
        }
        self.exposed = Some(Ranks::from_slice(group));
        Ok(())
    }

    /// Returns the group that the window is open to.
    pub(crate) fn exposed(&self) -> Result<&[Rank], Error> {
        let text = "the window was not opened by MPI_Win_post";
        let exposed = self.exposed.as_deref();
        exposed.ok_or_else(|| Error::Epoch(text.into()))
    }

    /// Ends the exposure. Returns its group.
    pub(crate) fn withdraw(&mut self) -> Result<Ranks, Error> {
        self.exposed()?;
        Ok(self.exposed.take().unwrap_or_default())
    }

    /// Counts one more locked target.
    pub(crate) fn lock(&mut self) -> Result<(), Error> {
        self.check_locks("MPI_Win_lock")?;
        if let Access::Locked(count) = &mut self.access {
            *count += 1;
            return Ok(());
        }
        self.check_idle("MPI_Win_lock")?;
        self.access = Access::Locked(1);
        Ok(())
    }

    /// Counts one locked target less.
    #[inline]
    pub(crate) fn unlock(&mut self, target: Rank) {
        self.permits.void(target);
        if let Access::Locked(count) = &mut self.access {
            *count -= 1;
            if *count == 0 {
                self.access = Access::None;
            }
        }
    }

    pub(crate) fn lock_all(&mut self) -> Result<(), Error> {
        self.check_locks("MPI_Win_lock_all")?;
        self.check_idle("MPI_Win_lock_all")?;
        self.access = Access::LockedAll;
        Ok(())
    }

    /// Whether all targets are locked.
    pub(crate) fn is_locked_all(&self) -> bool {
        matches!(self.access, Access::LockedAll)
    }

    pub(crate) fn check_unlock_all(&self) -> Result<(), Error> {
        match self.access {
            Access::LockedAll => Ok(()),
            _ => self.refuse("MPI_Win_unlock_all needs an epoch begun by MPI_Win_lock_all"),
        }
    }

    pub(crate) fn unlocked_all(&mut self) {
        self.permits.void_all();
        self.access = Access::None;
    }

    /// Checks that targets are locked: one by one, or all.
    pub(crate) fn check_passive(&self, call: &str) -> Result<(), Error> {
        match self.access {
            Access::Locked(_) | Access::LockedAll => Ok(()),
            _ => self.refuse(&format!("{call} needs a lock")),
        }
    }

    /// Checks that a target is locked: by itself, as `locked` says, or with all.
    pub(crate) fn check_locked(&self, target: Rank, locked: bool, call: &str) -> Result<(), Error> {
        match self.is_locked(locked) {
            true => Ok(()),
            false => self.refuse(&format!("{call} needs a lock of {target}")),
        }
    }

    /// Whether a target is locked: by itself, as `locked` says, or with all.
    #[inline]
    pub(crate) fn is_locked(&self, locked: bool) -> bool {
        match self.access {
            Access::LockedAll => true,
            Access::Locked(_) => locked,
            _ => false,
        }
    }

    /// Checks that the window may be freed.
    pub(crate) fn check_free(&self) -> Result<(), Error> {
        if self.exposed.is_some() {
            let text = "the window is open since MPI_Win_post; MPI_Win_wait ends that";
            return Err(Error::Epoch(text.into()));
        }
        match self.access {
            Access::None | Access::Fence(false) => Ok(()),
            Access::Fence(true) => Err(Error::Epoch(
                "the window cannot be freed: no MPI_Win_fence has ended the accesses since the last"
                    .into(),
            )),
            _ => self.refuse("the window cannot be freed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permit::Permit;

    #[test]
    fn an_access_needs_an_epoch_for_its_target() {
        let mut epochs = Epochs::default();
        assert!(epochs.operate(Rank(1), false).is_err());
        epochs.fenced(true);
        assert!(
            epochs.check_free().is_ok(),
            "nothing was accessed since the fence"
        );
        assert_eq!(epochs.operate(Rank(1), false), Ok(true));
        assert!(epochs.lock().is_err() && epochs.start(&[], true).is_err());
        assert!(epochs.check_free().is_err(), "an access is not ended");
        epochs.fenced(true);
        epochs.join(1);
        epochs.lock().unwrap();
        assert!(epochs.operate(Rank(1), false).is_err());
        assert_eq!(epochs.operate(Rank(1), true), Ok(true));
        assert!(epochs.check_fence().is_err() && epochs.check_free().is_err());
        epochs.unlock(Rank(0));
        assert!(epochs.check_free().is_ok());
        epochs.lock_all().unwrap();
        assert!(epochs.lock().is_err() && epochs.lock_all().is_err());
        assert_eq!(epochs.operate(Rank(3), false), Ok(true));
        epochs.unlocked_all();
        assert!(epochs.check_unlock_all().is_err());
    }

    #[test]
    fn a_started_epoch_waits_for_those_that_post() {
        let mut epochs = Epochs::default();
        assert!(epochs.started().is_err());
        epochs.start(&[Rank(1), Rank(2)], true).unwrap();
        assert_eq!(epochs.operate(Rank(1), false), Ok(false));
        assert!(epochs.operate(Rank(0), false).is_err());
        epochs.awaited().unwrap().retain(|rank| *rank != Rank(1));
        assert_eq!(epochs.operate(Rank(1), false), Ok(true));
        epochs.post(&[Rank(2)]).unwrap();
        assert!(epochs.post(&[]).is_err());
        assert_eq!(epochs.complete().unwrap()[..], [Rank(1), Rank(2)]);
        assert!(epochs.complete().is_err());
        assert!(epochs.check_fence().is_err(), "still exposed");
        assert_eq!(epochs.withdraw().unwrap()[..], [Rank(2)]);
        assert!(epochs.exposed().is_err() && epochs.withdraw().is_err());
        epochs.check_fence().unwrap();
    }

    /// Whatever ends an epoch ends what it allowed, and nothing else does.
    #[test]
    fn a_permit_holds_until_its_epoch_ends() {
        let holds = |epochs: &Epochs| epochs.permits().allow(0, Permit::ACCESS);
        let mut epochs = Epochs::default();
        epochs.join(2);
        let given = |epochs: &mut Epochs, end: &dyn Fn(&mut Epochs)| {
            epochs.permits().note(Rank(0), Permit::ACCESS);
            epochs.post(&[Rank(1)]).unwrap();
            epochs.withdraw().unwrap();
            assert!(
                holds(epochs),
                "the end of an exposure is no end of accesses"
            );
            end(epochs);
            assert!(!holds(epochs));
        };
        given(&mut epochs, &|epochs| epochs.fenced(true));
        epochs.fenced(false);
        epochs.start(&[Rank(0)], false).unwrap();
        given(&mut epochs, &|epochs| drop(epochs.complete().unwrap()));
        epochs.lock_all().unwrap();
        given(&mut epochs, &|epochs| epochs.unlocked_all());
        epochs.lock().unwrap();
        epochs.lock().unwrap();
        given(&mut epochs, &|epochs| {
            epochs.unlock(Rank(1));
            assert!(holds(epochs), "it is the lock of another target");
            epochs.unlock(Rank(0));
        });
    }
}
