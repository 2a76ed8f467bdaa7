//! Synchronisation of windows (MPI 5.0, 12.5).

use std::sync::atomic::Ordering;

use base::Rank;
use osc::{Osc, Ranks, WindowId};

use crate::{Direct, Flavor, Lock, Window};
use mpi::{collective, Class, Error, Group};

/// Most processes of a window of which each sends each other a message at a fence.
const MARKED_MAX: u32 = 8;

/// Calls that have nothing to wait for, until one of them moves messages: of a window in memory
/// that all have in common, where one takes some 5 ns and to poll for messages ten times as long,
/// and of one whose accesses may be among those messages.
const CALLS_UNMOVED: u32 = 128;
const CALLS_UNMOVED_BY_MESSAGES: u32 = 8;

impl Window {
    /// Waits until something is true of the window.
    pub(super) fn until(
        &self,
        mut ask: impl FnMut(&mut Osc, WindowId) -> Result<bool, osc::Error> + Send,
    ) -> Result<(), Error> {
        let id = self.id;
        self.process().wait_until(|core| match ask(core.osc(), id) {
            Ok(true) => Some(Ok(())),
            Ok(false) => self.comm.check_revoked().err().map(Err),
            Err(error) => Some(Err(Error::from(error))),
        })
    }

    /// Whether it is time to move messages, as a call is over that had nothing to wait for. A
    /// process that reads a window again and again for what another process is to write there may
    /// be what that one waits for: the access itself may be a message.
    #[inline(always)]
    pub fn owes_progress(&self) -> bool {
        // A call that two threads count as one makes the next poll late, and no more.
        let left = self.unmoved.load(Ordering::Relaxed).wrapping_sub(1);
        self.unmoved.store(left, Ordering::Relaxed);
        left == 0
    }

    /// Moves messages, and non-blocking collectives, where [`Window::owes_progress`].
    pub fn make_progress(&self) {
        let calls = match self.common {
            Some(_) => CALLS_UNMOVED,
            None => CALLS_UNMOVED_BY_MESSAGES,
        };
        self.unmoved.store(calls, Ordering::Relaxed);
        self.process().poll();
    }

    /// Moves messages where it is time, for a call that has not checked [`Window::owes_progress`].
    pub(super) fn keep_moving(&self) {
        if self.owes_progress() {
            self.make_progress();
        }
    }

    /// `MPI_Win_fence`; with `last` no access follows (`MPI_MODE_NOSUCCEED`).
    ///
    /// # Errors
    /// When another kind of epoch is open, or an access has failed.
    pub fn fence(&self, last: bool) -> Result<(), Error> {
        let end = |osc: &mut Osc| osc.end_fence(self.id, !last);
        if self.notifies_fences() {
            return self.notified_fence(end);
        }
        let met = match self.direct() {
            Some(_) => {
                self.with(|osc| osc.begin_fence(self.id))?;
                // A process that is through the barrier sees what all did before it.
                self.comm.call(collective::barrier(&self.comm))
            }
            None => {
                self.with(|osc| osc.begin_fence(self.id))?;
                let settled = self.until(|osc, id| osc.is_all_settled(id));
                settled.and(self.comm.call(collective::barrier(&self.comm)))
            }
        };
        self.with(end);
        met
    }

    /// Whether each notifies each other at a fence of its messages: by words in memory where they
    /// have these, and by a message where few have the window. Between two processes that takes one
    /// message delay, where a confirmation and a barrier take three; of many a barrier needs fewer
    /// messages.
    pub(super) fn notifies_fences(&self) -> bool {
        self.direct().is_none() && (self.locks.is_some() || self.comm.size() <= MARKED_MAX)
    }

    /// Runs a fence that notifies each process, and what is to be done at its end. Mostly there is
    /// nothing to wait for but the others: then it goes twice through the engine's gate, and no
    /// more.
    fn notified_fence(&self, end: impl FnOnce(&mut Osc) + Send) -> Result<(), Error> {
        // Elsewhere every access has been checked here.
        let confirm = self.flavor == Flavor::Dynamic;
        let sent = self.with(|osc| {
            osc.begin_notified_fence(self.id, Rank(self.rank()), confirm)?;
            let sent = osc.is_all_sent(self.id);
            if !matches!(sent, Ok(false)) {
                self.announce_sent(osc);
            }
            Ok::<_, Error>(sent)
        })?;
        let sent = match sent {
            Ok(false) => {
                let sent = self.until(|osc, id| osc.is_all_sent(id));
                self.with(|osc| self.announce_sent(osc));
                sent
            }
            sent => sent.map(drop).map_err(Error::from),
        };
        let met = match &self.locks {
            None => self.until_and(|osc, id| osc.is_fenced(id), end),
            Some(words) => match self.comm.call(collective::barrier(&self.comm)) {
                Ok(()) => {
                    let sent = |rank: Rank| words.member.sent_here(rank.0);
                    self.until_and(|osc, id| osc.has_handled(id, sent), end)
                }
                Err(why) => {
                    self.with(end);
                    Err(why)
                }
            },
        };
        sent.and(met)
    }

    /// Announces to each process how many messages it is to handle before it leaves the fence.
    fn announce_sent(&self, osc: &mut Osc) {
        match &self.locks {
            None => osc.mark_fence(self.id),
            Some(words) => osc.publish_sent(self.id, |rank, number| {
                words.member.publish_sent(rank.0, number);
            }),
        }
    }

    /// Waits until something is true of the window, and has something done then, though it should
    /// fail: behind one gate where there is nothing to wait for.
    fn until_and(
        &self,
        mut ask: impl FnMut(&mut Osc, WindowId) -> Result<bool, osc::Error> + Send,
        then: impl FnOnce(&mut Osc) + Send,
    ) -> Result<(), Error> {
        let mut then = Some(then);
        let mut look = |osc: &mut Osc, id| {
            let answer = ask(osc, id);
            if !matches!(answer, Ok(false)) {
                then.take().into_iter().for_each(|then| then(osc));
            }
            answer
        };
        let ended = match self.with(|osc| look(osc, self.id)) {
            Ok(false) => self.until(&mut look),
            answer => answer.map(drop).map_err(Error::from),
        };
        // Not yet where the wait has ended since the window is revoked.
        then.into_iter().for_each(|then| self.with(then));
        ended
    }

    /// The ranks that the members of a group have in the window.
    fn ranks_of(&self, group: &Group) -> Result<Ranks, Error> {
        let rank = |peer: &base::PeerId| {
            self.group().rank(*peer).ok_or_else(|| {
                let text = format!("the group has a process that is not in {self}");
                Error::new(Class::Group, text)
            })
        };
        group.peers().iter().map(rank).collect()
    }

    /// `MPI_Win_post`. Without `notify` the group knows already (`MPI_MODE_NOCHECK`).
    ///
    /// # Errors
    /// When an epoch is in the way, or the group is not part of the window's.
    pub fn post(&self, group: &Group, notify: bool) -> Result<(), Error> {
        let ranks = self.ranks_of(group)?;
        let Some(direct) = self.direct() else {
            let posted = self.with(|osc| osc.begin_post(self.id, &ranks, notify));
            return posted.map_err(Error::from);
        };
        self.with(|osc| osc.begin_post(self.id, &ranks, false))?;
        direct.post(&self.comm, &ranks);
        Ok(())
    }

    /// `MPI_Win_start`. Unless `check`, the group has posted (`MPI_MODE_NOCHECK`).
    /// Returns at once: a target that has not posted is waited for where it matters.
    ///
    /// # Errors
    /// See [`Window::post`].
    pub fn start(&self, group: &Group, check: bool) -> Result<(), Error> {
        let ranks = self.ranks_of(group)?;
        // Posts in shared memory are counted in any case.
        let check = check || self.direct().is_some();
        let begun = self.with(|osc| osc.begin_start(self.id, &ranks, check));
        begun.map_err(Error::from)
    }

    /// `MPI_Win_complete`.
    ///
    /// # Errors
    /// When no group was started, or an access has failed.
    pub fn complete(&self) -> Result<(), Error> {
        if let Some(direct) = self.direct() {
            let (group, awaited) = self.with(|osc| {
                let awaited = osc.take_awaited_posts(self.id);
                let group = osc.end_complete(self.id, false);
                group.map(|group| (group, awaited))
            })?;
            return direct.complete(&self.comm, &group, &awaited);
        }
        // Elsewhere every access has been checked here.
        let confirm = self.flavor == Flavor::Dynamic;
        self.with(|osc| osc.begin_complete(self.id, confirm))?;
        let completed = self.until(|osc, id| osc.is_completable(id));
        self.with(|osc| osc.end_complete(self.id, true))?;
        completed
    }

    /// `MPI_Win_wait`.
    ///
    /// # Errors
    /// When nothing was posted, or one of the group has failed.
    pub fn wait(&self) -> Result<(), Error> {
        let Some(direct) = self.direct() else {
            return self.until(|osc, id| osc.is_withdrawn(id));
        };
        let group = self.with(|osc| osc.end_exposure(self.id))?;
        direct.wait(&self.comm, &group)
    }

    /// `MPI_Win_test`.
    ///
    /// # Errors
    /// See [`Window::wait`].
    pub fn test(&self) -> Result<bool, Error> {
        let found = self.process().test(|| match self.direct() {
            Some(direct) => match self.with(|osc| osc.check_exposed(self.id)) {
                Ok(()) => direct.member.is_completed().then(|| self.wait()),
                Err(wrong) => Some(Err(wrong.into())),
            },
            None => match self.with(|osc| osc.is_withdrawn(self.id)) {
                Ok(withdrawn) => withdrawn.then_some(Ok(())),
                Err(wrong) => Some(Err(wrong.into())),
            },
        });
        found.transpose().map(|found| found.is_some())
    }

    /// `MPI_Win_lock`. Unless `check`, no other process wants the lock (`MPI_MODE_NOCHECK`).
    ///
    /// # Errors
    /// When another epoch is in the way, or the target has failed.
    pub fn lock(&self, target: Rank, lock: Lock, check: bool) -> Result<(), Error> {
        let id = self.id;
        let Some(locks) = self.lock_memory() else {
            return self.lock_by_messages(target, lock, check);
        };
        self.with(|osc| osc.begin_lock(id, target, lock, false))?;
        let granted = match check {
            true => self.take_lock(locks, target, lock),
            false => Ok(()),
        };
        if granted.is_err() {
            self.with(|osc| osc.abandon_lock(id, target));
        }
        granted
    }

    /// Takes a lock in memory. Where messages carry the window, the target has to be alive.
    fn take_lock(&self, locks: &Direct, target: Rank, lock: Lock) -> Result<(), Error> {
        locks.lock(&self.comm, target, lock)?;
        if self.direct().is_some() {
            return Ok(());
        }
        let alive = self.with(|osc| osc.check_target(self.id, target));
        if alive.is_err() {
            locks.unlock(&self.comm, target);
        }
        Ok(alive?)
    }

    fn lock_by_messages(&self, target: Rank, lock: Lock, check: bool) -> Result<(), Error> {
        let id = self.id;
        self.with(|osc| osc.begin_lock(id, target, lock, check))?;
        let granted = self.until(|osc, id| osc.is_granted(id, target));
        if granted.is_err() {
            self.with(|osc| osc.abandon_lock(id, target));
        }
        granted
    }

    /// `MPI_Win_unlock`.
    ///
    /// # Errors
    /// When the target is not locked, or an access has failed.
    pub fn unlock(&self, target: Rank) -> Result<(), Error> {
        self.keep_moving();
        self.with(|osc| osc.begin_unlock(self.id, target))?;
        let settled = match self.direct() {
            Some(_) => Ok(()),
            None => self.until(|osc, id| osc.is_settled(id, target)),
        };
        if let Some(locks) = self.lock_memory() {
            locks.unlock(&self.comm, target);
        }
        settled
    }

    /// `MPI_Win_lock_all`.
    ///
    /// # Errors
    /// See [`Window::lock`].
    pub fn lock_all(&self, check: bool) -> Result<(), Error> {
        if let Some(locks) = self.lock_memory() {
            self.with(|osc| osc.begin_lock_all(self.id, false))?;
            let mut targets = (0..self.comm.size()).map(Rank).filter(|_| check);
            return targets.try_for_each(|target| self.take_lock(locks, target, Lock::Shared));
        }
        self.with(|osc| osc.begin_lock_all(self.id, check))?;
        self.until(|osc, id| osc.is_granted_all(id))
    }

    /// `MPI_Win_unlock_all`.
    ///
    /// # Errors
    /// See [`Window::unlock`].
    pub fn unlock_all(&self) -> Result<(), Error> {
        self.keep_moving();
        self.with(|osc| osc.begin_unlock_all(self.id))?;
        let settled = match self.direct() {
            Some(_) => Ok(()),
            None => self.until(|osc, id| osc.is_all_settled(id)),
        };
        if let Some(locks) = self.lock_memory() {
            let targets = (0..self.comm.size()).map(Rank);
            targets.for_each(|target| locks.unlock(&self.comm, target));
        }
        settled
    }

    /// `MPI_Win_flush`, or without a target `MPI_Win_flush_all`.
    ///
    /// # Errors
    /// When there is no lock, or an access has failed.
    pub fn flush(&self, target: Option<Rank>) -> Result<(), Error> {
        let call = match target {
            Some(_) => "MPI_Win_flush",
            None => "MPI_Win_flush_all",
        };
        let id = self.id;
        self.keep_moving();
        self.with(|osc| osc.begin_flush(id, target, (call, true)))?;
        if let Some(direct) = self.direct() {
            direct.flush();
            return Ok(());
        }
        self.until(|osc, id| match target {
            Some(target) => osc.is_settled(id, target),
            None => osc.is_all_settled(id),
        })
    }

    /// `MPI_Win_flush_local`, or without a target `MPI_Win_flush_local_all`.
    ///
    /// # Errors
    /// See [`Window::flush`].
    pub fn flush_local(&self, target: Option<Rank>) -> Result<(), Error> {
        let call = match target {
            Some(_) => "MPI_Win_flush_local",
            None => "MPI_Win_flush_local_all",
        };
        let id = self.id;
        self.keep_moving();
        self.with(|osc| osc.begin_flush(id, target, (call, false)))?;
        self.until(|osc, id| match target {
            Some(target) => osc.is_local_done(id, target),
            None => osc.is_all_local_done(id),
        })
    }

    /// `MPI_Win_sync`: the copies of the window that are one here see each other's changes. Also
    /// takes in what has arrived.
    pub fn sync(&self) {
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        self.process().poll();
    }
}
