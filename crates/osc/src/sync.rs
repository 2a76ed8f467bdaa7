//! Synchronisation: fences, PSCW (`post`, `start`, `complete`, `wait`), locks and confirmations.
//!
//! A blocking call of MPI is two calls here: `begin_*`, and `is_*` until it is true. `is_*` fails
//! when the awaited event cannot come, since the peer has failed.

use base::Rank;

use crate::epoch::Ranks;
use crate::locks::Lock;
use crate::outbox::Peer;
use crate::permit::Permit;
use crate::phase::Release;
use crate::target::Target;
use crate::wire::{Header, Kind};
use crate::{Error, Osc, WindowId};

impl Osc {
    fn everybody(&mut self, window: WindowId) -> impl Iterator<Item = Rank> {
        (0..self.window(window).targets.len() as u32).map(Rank)
    }

    /// Asks a target to confirm what is unconfirmed, and has its lane flushed.
    pub(crate) fn begin_confirm(&mut self, window: WindowId, rank: Rank) {
        self.begin_flush_lane(window, rank);
        let target = self.window(window).target(rank);
        if target.ask_where_due() {
            let (peer, name) = (target.peer, target.name);
            self.ask(peer, Header::new(Kind::Flush, name));
        }
    }

    /// Whether everything begun at a target is complete there, and its lock released where that was
    /// begun; see `begin_flush`, `begin_unlock`, `begin_fence`.
    ///
    /// # Errors
    /// When the peer has failed, or an operation without a request has.
    pub fn is_settled(&mut self, window: WindowId, rank: Rank) -> Result<bool, Error> {
        let target = self.window(window).target(rank);
        let (settled, peer) = (target.is_settled(), target.peer);
        if !settled {
            return self.check_peer(peer).map(|()| false);
        }
        match target.error.take() {
            Some(error) => Err(error),
            None => Ok(true),
        }
    }

    /// Whether everything begun at all targets is complete there.
    ///
    /// # Errors
    /// See [`Osc::is_settled`].
    pub fn is_all_settled(&mut self, window: WindowId) -> Result<bool, Error> {
        let targets = &self.window(window).targets;
        let open = targets.iter().find(|target| !target.is_settled());
        if let Some(peer) = open.map(|target| target.peer) {
            return self.check_peer(peer).map(|()| false);
        }
        for rank in self.everybody(window) {
            self.is_settled(window, rank)?;
        }
        Ok(true)
    }

    /// Whether the buffers of everything begun at a target may be used again.
    ///
    /// # Errors
    /// When an operation without a request has failed.
    pub fn is_local_done(&mut self, window: WindowId, rank: Rank) -> Result<bool, Error> {
        let target = self.window(window).target(rank);
        match target.error.take() {
            Some(error) => Err(error),
            None => Ok(target.open == 0),
        }
    }

    /// Whether the buffers of everything begun at all targets may be used again.
    ///
    /// # Errors
    /// See [`Osc::is_local_done`].
    pub fn is_all_local_done(&mut self, window: WindowId) -> Result<bool, Error> {
        for target in self.everybody(window) {
            if !self.is_local_done(window, target)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Begins a fence: everything is to complete. The caller makes the barrier, and then calls
    /// [`Osc::end_fence`].
    ///
    /// # Errors
    /// When another kind of epoch is open.
    pub fn begin_fence(&mut self, window: WindowId) -> Result<(), Error> {
        self.window(window).epochs.check_fence()?;
        self.begin_settle(window);
        Ok(())
    }

    /// Has the processes of a window notify each other at each fence of what to wait for, so that
    /// accesses between two processes need no confirmation: [`Osc::begin_notified_fence`], and once
    /// [`Osc::is_all_sent`] either a mark to each ([`Osc::mark_fence`], [`Osc::is_fenced`]) or the
    /// number of messages that each is to handle ([`Osc::publish_sent`], [`Osc::has_handled`]). All
    /// processes of the window must call this.
    pub fn notify_fences(&mut self, window: WindowId) {
        self.window(window).notifies_fences = true;
    }

    /// Begins a fence in which only accesses of this process, `own`, to its own memory need
    /// confirmation. With `confirm`, where targets may refuse some, and with more than two
    /// processes all do: a process that learns of another's fence may read, at a third, what that
    /// other wrote there.
    ///
    /// # Errors
    /// See [`Osc::begin_fence`].
    pub fn begin_notified_fence(
        &mut self,
        window: WindowId,
        own: Rank,
        confirm: bool,
    ) -> Result<(), Error> {
        let state = self.window(window);
        state.epochs.check_fence()?;
        state.confirms = confirm || state.confirms_fences();
        state.target(own).is_own = true;
        if state.confirms {
            self.begin_settle(window);
            return Ok(());
        }
        if state.targets.iter().any(Target::is_lane_due) {
            for rank in self.everybody(window) {
                self.begin_flush_lane(window, rank);
            }
        }
        self.begin_confirm(window, own);
        Ok(())
    }

    /// Whether everything begun since has been sent, and its replies have arrived; with
    /// confirmations, where the fence asks for them.
    ///
    /// # Errors
    /// When a target of these has failed, or an operation without a request has.
    pub fn is_all_sent(&mut self, window: WindowId) -> Result<bool, Error> {
        let state = self.window(window);
        if state.confirms {
            return self.is_all_settled(window);
        }
        let targets = &mut state.targets;
        if targets.iter().all(Target::is_sent_well) {
            return Ok(true);
        }
        let open = targets.iter().find(|target| !target.is_sent());
        if let Some(peer) = open.map(|target| target.peer) {
            return self.check_peer(peer).map(|()| false);
        }
        match targets.iter_mut().find_map(|target| target.error.take()) {
            Some(error) => Err(error),
            None => Ok(true),
        }
    }

    /// Notifies all processes that this one has reached the fence, behind all its accesses.
    pub fn mark_fence(&mut self, window: WindowId) {
        for target in self.everybody(window) {
            // The mark is handled after all messages before it. An access by another carrier in the
            // next epoch does not know that: it stays unconfirmed.
            self.notify(window, target, Kind::Fence);
        }
    }

    /// Calls `publish` for each process with the number of messages sent to it, modulo 2^32: the
    /// process has to handle as many.
    pub fn publish_sent(&mut self, window: WindowId, mut publish: impl FnMut(Rank, u32)) {
        let (state, peers) = self.with_peers(window);
        for (rank, target) in (0..).map(Rank).zip(&mut state.targets) {
            // Accesses stay unconfirmed: one by another carrier does not know that they have
            // arrived, and neither does the end of the window. A peer that is not listed has been
            // sent nothing.
            publish(rank, peers.get(target.peer.index()).map_or(0, Peer::sent));
        }
    }

    /// Whether this process has handled as many messages of each process as `sent` returns.
    ///
    /// # Errors
    /// When a process whose messages are missing has failed.
    pub fn has_handled(
        &mut self,
        window: WindowId,
        sent: impl Fn(Rank) -> u32,
    ) -> Result<bool, Error> {
        let (state, peers) = self.with_peers(window);
        let behind = (0..).map(Rank).zip(&state.targets).find(|(rank, of)| {
            let sent = sent(*rank);
            match peers.get(of.peer.index()) {
                Some(peer) => !peer.has_handled(sent),
                None => sent != 0,
            }
        });
        match behind.map(|(_, target)| target.peer) {
            Some(peer) => self.check_peer(peer).map(|()| false),
            None => Ok(true),
        }
    }

    /// Whether all processes have reached the fence: the fence is complete then, and so are their
    /// accesses here.
    ///
    /// # Errors
    /// When a process that has not reached it has failed.
    pub fn is_fenced(&mut self, window: WindowId) -> Result<bool, Error> {
        let targets = &mut self.window(window).targets;
        if let Some(missing) = targets.iter().find(|target| target.fenced == 0) {
            let peer = missing.peer;
            return self.check_peer(peer).map(|()| false);
        }
        targets.iter_mut().for_each(|target| target.fenced -= 1);
        Ok(true)
    }

    /// Asks all targets to confirm what is unconfirmed.
    pub fn begin_settle(&mut self, window: WindowId) {
        for target in self.everybody(window) {
            self.begin_confirm(window, target);
        }
    }

    /// Ends the fence. Unless `open`, no epoch begins (`MPI_MODE_NOSUCCEED`).
    pub fn end_fence(&mut self, window: WindowId, open: bool) {
        let state = self.window(window);
        state.epochs.fenced(open);
        if let Some(check) = &mut state.check {
            check.fenced();
        }
    }

    /// Opens the window to a group, and with `notify` notifies its processes. Without, they know
    /// already (`MPI_MODE_NOCHECK`).
    ///
    /// # Errors
    /// When the window is exposed already, or a fence's epoch has been used.
    pub fn begin_post(
        &mut self,
        window: WindowId,
        group: &[Rank],
        notify: bool,
    ) -> Result<(), Error> {
        self.window(window).epochs.post(group)?;
        for &rank in group.iter().filter(|_| notify) {
            self.notify(window, rank, Kind::Post);
        }
        Ok(())
    }

    /// Sends a control message that needs no confirmation before the end of the window.
    fn notify(&mut self, window: WindowId, rank: Rank, kind: Kind) {
        let target = self.window(window).target(rank);
        target.unconfirmed.notice();
        let (peer, name) = (target.peer, target.name);
        self.ask(peer, Header::new(kind, name));
    }

    /// Whether all of the group are done with the window; then the exposure has ended.
    ///
    /// # Errors
    /// When no exposure is open, or one of the group has failed, which ends the exposure, too.
    pub fn is_withdrawn(&mut self, window: WindowId) -> Result<bool, Error> {
        let state = self.window(window);
        let targets = &state.targets;
        let mut group = state.epochs.exposed()?.iter().copied();
        let missing = group.find(|rank| targets[rank.index()].completed == 0);
        let Some(first) = missing else {
            let group = state.epochs.withdraw()?;
            if let Some(check) = &mut state.check {
                check.withdrawn(|rank| group.contains(&Rank(rank)));
            }
            for rank in group {
                state.target(rank).completed -= 1;
            }
            return Ok(true);
        };
        let peer = state.target(first).peer;
        let alive = self.check_peer(peer);
        if alive.is_err() {
            self.window(window).epochs.withdraw()?;
        }
        alive.map(|()| false)
    }

    /// Begins an access epoch to a group. Unless `check`, its processes are known to have posted
    /// (`MPI_MODE_NOCHECK`).
    ///
    /// # Errors
    /// When another epoch is open.
    pub fn begin_start(
        &mut self,
        window: WindowId,
        group: &[Rank],
        check: bool,
    ) -> Result<(), Error> {
        self.window(window).epochs.start(group, check)
    }

    /// Returns those of the group since `MPI_Win_start` whose `MPI_Win_post` has not been seen;
    /// nobody where no such epoch is open.
    #[inline]
    pub fn awaited_posts(&mut self, window: WindowId) -> &[Rank] {
        let awaited = self.window(window).epochs.awaited();
        awaited.map_or(&[], |awaited| awaited)
    }

    /// Takes them from the epoch: the caller has seen their `MPI_Win_post` elsewhere, or waits for
    /// it.
    pub fn take_awaited_posts(&mut self, window: WindowId) -> Ranks {
        let awaited = self.window(window).epochs.awaited();
        awaited.map_or_else(Ranks::new, std::mem::take)
    }

    /// Whether accesses to a target wait for its `MPI_Win_post`.
    pub fn awaits_post(&mut self, window: WindowId, target: Rank) -> bool {
        self.window(window).epochs.awaits(target)
    }

    /// Whether accesses to a target no longer wait for its `MPI_Win_post`.
    pub fn sees_post(&mut self, window: WindowId, target: Rank) -> bool {
        self.see_posts(window);
        !self.awaits_post(window, target)
    }

    /// Notes which processes of the started group have posted meanwhile.
    pub(crate) fn see_posts(&mut self, window: WindowId) {
        let state = self.window(window);
        let targets = &mut state.targets;
        if let Some(awaited) = state.epochs.awaited() {
            awaited.retain(|rank| {
                let posted = &mut targets[rank.index()].posted;
                let seen = *posted > 0;
                *posted -= u64::from(seen);
                !seen
            });
        }
    }

    /// Whether `MPI_Win_complete` may go on: all of the group have posted, and every access to them
    /// is sent, or confirmed where the epoch ends with confirmations.
    ///
    /// # Errors
    /// When no such epoch is open, one of the group has failed, or an operation has.
    pub fn is_completable(&mut self, window: WindowId) -> Result<bool, Error> {
        self.see_posts(window);
        let state = self.window(window);
        state.epochs.started()?;
        let awaited = state
            .epochs
            .awaited()
            .and_then(|awaited| awaited.first().copied());
        if let Some(rank) = awaited {
            let peer = state.target(rank).peer;
            return self.check_peer(peer).map(|()| false);
        }
        let confirms = state.confirms;
        let group = Ranks::from_slice(state.epochs.started()?);
        for rank in group {
            let ready = match confirms {
                true => self.is_settled(window, rank)?,
                // Messages on their way arrive before the `Complete` that ends the epoch.
                false => self.is_sent(window, rank)?,
            };
            if !ready {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all accesses to a target have been sent, or done by its lane.
    fn is_sent(&mut self, window: WindowId, rank: Rank) -> Result<bool, Error> {
        let target = self.window(window).target(rank);
        if let Some(error) = target.error.take() {
            return Err(error);
        }
        let (sent, peer) = (target.is_sent(), target.peer);
        if !sent {
            self.check_peer(peer)?;
        }
        Ok(sent)
    }

    /// Begins to end the epoch to a started group; with `confirm`, its accesses are confirmed.
    ///
    /// # Errors
    /// When no such epoch is open.
    pub fn begin_complete(&mut self, window: WindowId, confirm: bool) -> Result<(), Error> {
        let state = self.window(window);
        let confirm = confirm || state.check.is_some();
        state.confirms = confirm;
        let group = Ranks::from_slice(state.epochs.started()?);
        for rank in group {
            match confirm {
                true => self.begin_confirm(window, rank),
                false => drop(self.begin_flush_lane(window, rank)),
            }
        }
        Ok(())
    }

    /// Ends the epoch to a started group, and with `notify` notifies the group. Returns the group.
    ///
    /// # Errors
    /// When no such epoch is open.
    pub fn end_complete(&mut self, window: WindowId, notify: bool) -> Result<Ranks, Error> {
        let group = self.window(window).epochs.complete()?;
        for &rank in group.iter().filter(|_| notify) {
            // The target handles this after all messages sent to it before.
            self.window(window).target(rank).unconfirmed.completed();
            self.notify(window, rank, Kind::Complete);
        }
        Ok(group)
    }

    /// Checks that the window is open to a group.
    ///
    /// # Errors
    /// When it is not.
    pub fn check_exposed(&mut self, window: WindowId) -> Result<(), Error> {
        self.window(window).epochs.exposed().map(drop)
    }

    /// Ends an exposure whose end is awaited elsewhere. Returns the group.
    ///
    /// # Errors
    /// When no exposure is open.
    pub fn end_exposure(&mut self, window: WindowId) -> Result<Ranks, Error> {
        self.window(window).epochs.withdraw()
    }

    /// Requests the lock of a target. Unless `check`, no other process wants it
    /// (`MPI_MODE_NOCHECK`).
    ///
    /// # Errors
    /// When it is locked by this process, or another kind of epoch is open.
    #[inline]
    pub fn begin_lock(
        &mut self,
        window: WindowId,
        rank: Rank,
        lock: Lock,
        check: bool,
    ) -> Result<(), Error> {
        let state = self.window(window);
        if state.target(rank).lock.is_held() {
            let text = format!("this process has locked {rank} already");
            return Err(Error::Epoch(text));
        }
        state.epochs.lock()?;
        match check {
            true => self.request_lock(window, rank, lock),
            false => state.take_lock(rank),
        }
        Ok(())
    }

    fn request_lock(&mut self, window: WindowId, rank: Rank, lock: Lock) {
        let target = self.window(window).target(rank);
        target.lock.requested();
        let (peer, name) = (target.peer, target.name);
        let status = u32::from(lock == Lock::Exclusive);
        let header = Header {
            status,
            ..Header::new(Kind::Lock, name)
        };
        self.ask(peer, header);
    }

    /// Whether the lock of a target is granted.
    ///
    /// # Errors
    /// When the target has failed.
    pub fn is_granted(&mut self, window: WindowId, rank: Rank) -> Result<bool, Error> {
        let target = self.window(window).target(rank);
        let (waits, peer) = (target.lock.waits(), target.peer);
        match waits {
            false => Ok(true),
            true => self.check_peer(peer).map(|()| false),
        }
    }

    /// Checks that a target is not known to have failed, which a lock that others hold does not
    /// show.
    ///
    /// # Errors
    /// When the target has failed.
    pub fn check_target(&mut self, window: WindowId, rank: Rank) -> Result<(), Error> {
        let peer = self.window(window).target(rank).peer;
        self.check_peer(peer)
    }

    /// Withdraws the lock of a target, which could not be acquired.
    pub fn abandon_lock(&mut self, window: WindowId, rank: Rank) {
        let state = self.window(window);
        state.target(rank).lock.abandoned();
        state.epochs.unlock(rank);
    }

    /// Begins to end the epoch of a lock, which has ended once [`Osc::is_settled`] is true.
    ///
    /// # Errors
    /// When this process has not locked the target by itself.
    pub fn begin_unlock(&mut self, window: WindowId, rank: Rank) -> Result<(), Error> {
        let release = self.close_lock(window, rank)?;
        self.release_lock(window, rank, release);
        Ok(())
    }

    /// Ends the epoch of a lock that is in shared memory, where no access went by messages.
    ///
    /// # Errors
    /// See [`Osc::begin_unlock`].
    #[inline]
    pub fn end_lock(&mut self, window: WindowId, rank: Rank) -> Result<(), Error> {
        self.close_lock(window, rank).map(drop)
    }

    /// Ends the epoch of a lock. Returns what its release takes.
    #[inline]
    fn close_lock(&mut self, window: WindowId, rank: Rank) -> Result<Release, Error> {
        let state = self.window(window);
        if state.epochs.is_locked_all() {
            let text = "MPI_Win_lock_all is ended by MPI_Win_unlock_all";
            return Err(Error::Epoch(text.into()));
        }
        let Some(release) = state.targets[rank.index()].lock.released() else {
            let text = format!("this process has not locked {rank}");
            return Err(Error::Epoch(text));
        };
        state.epochs.unlock(rank);
        Ok(release)
    }

    fn release_lock(&mut self, window: WindowId, rank: Rank, release: Release) {
        if release == Release::Confirmation {
            return self.begin_confirm(window, rank);
        }
        self.begin_flush_lane(window, rank);
        if !self.window(window).target(rank).flush.unlock_behind() {
            self.send_unlock(window, rank);
        }
    }

    /// Sends the release of a lock, behind all accesses, which it has confirmed.
    pub(crate) fn send_unlock(&mut self, window: WindowId, rank: Rank) {
        let target = self.window(window).target(rank);
        let confirm = target.ask_where_due();
        if !confirm {
            target.unconfirmed.notice();
        }
        let (peer, name) = (target.peer, target.name);
        let header = Header {
            token: u64::from(confirm),
            ..Header::new(Kind::Unlock, name)
        };
        self.ask(peer, header);
    }

    /// Requests a shared lock of every target.
    ///
    /// # Errors
    /// When another epoch is open.
    pub fn begin_lock_all(&mut self, window: WindowId, check: bool) -> Result<(), Error> {
        self.window(window).epochs.lock_all()?;
        for target in self.everybody(window) {
            match check {
                true => self.request_lock(window, target, Lock::Shared),
                false => self.window(window).take_lock(target),
            }
        }
        Ok(())
    }

    /// Whether the lock of every target is granted.
    ///
    /// # Errors
    /// When a target has failed.
    pub fn is_granted_all(&mut self, window: WindowId) -> Result<bool, Error> {
        for target in self.everybody(window) {
            if !self.is_granted(window, target)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the targets whose locks this process has, or has asked for.
    pub fn lock_targets(&mut self, window: WindowId) -> Vec<Rank> {
        let everybody: Vec<Rank> = self.everybody(window).collect();
        let mut is_wanted = |rank: &Rank| self.window(window).target(*rank).lock.is_held();
        everybody.into_iter().filter(&mut is_wanted).collect()
    }

    /// Begins to end the epoch of all locks, which has ended once [`Osc::is_all_settled`] is true.
    ///
    /// # Errors
    /// When no such epoch is open.
    pub fn begin_unlock_all(&mut self, window: WindowId) -> Result<(), Error> {
        self.window(window).epochs.check_unlock_all()?;
        self.window(window).epochs.unlocked_all();
        for rank in self.everybody(window) {
            if let Some(release) = self.window(window).target(rank).lock.released() {
                self.release_lock(window, rank, release);
            }
        }
        Ok(())
    }

    /// Begins to complete all accesses to a target, or to all; `call` is the function's name, and
    /// `remote` asks for remote completion, too.
    ///
    /// # Errors
    /// When the target is not locked.
    pub fn begin_flush(
        &mut self,
        window: WindowId,
        rank: Option<Rank>,
        (call, remote): (&str, bool),
    ) -> Result<(), Error> {
        let state = self.window(window);
        match rank {
            Some(rank) => {
                let locked = state.target(rank).lock.is_held();
                state.epochs.check_locked(rank, locked, call)?;
                state.epochs.permits().note(rank, Permit::FLUSH);
            }
            None => state.epochs.check_passive(call)?,
        }
        // The comparison ends with a flush of either kind: its data may have been used.
        let remote = remote || state.check.is_some();
        match rank {
            _ if !remote => {}
            Some(rank) => self.begin_confirm(window, rank),
            None => self.begin_settle(window),
        }
        Ok(())
    }

    /// Whether the window may be freed.
    ///
    /// # Errors
    /// When an epoch is open that has to be ended.
    pub fn check_free(&mut self, window: WindowId) -> Result<(), Error> {
        self.window(window).epochs.check_free()
    }

    /// Begins to free the window: every message ever sent is to arrive before it is closed.
    ///
    /// # Errors
    /// When an epoch is open that has to be ended.
    pub fn begin_free(&mut self, window: WindowId) -> Result<(), Error> {
        self.window(window).epochs.check_free()?;
        for rank in self.everybody(window) {
            let target = self.window(window).target(rank);
            target.unconfirmed.freed();
            self.begin_confirm(window, rank);
        }
        Ok(())
    }
}
