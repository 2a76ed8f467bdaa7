//! Synchronisation: fences, post and start, locks, and what confirms that operations are done.
//!
//! What blocks in MPI is two calls here: `begin_*`, and `is_*` until it is true. `is_*` fails when
//! what is waited for cannot come, since the peer has failed.

use base::Rank;

use crate::epoch::Ranks;
use crate::locks::Lock;
use crate::peer::Peer;
use crate::window::Partner;
use crate::wire::{Header, Kind};
use crate::{Error, Osc, WindowId};

impl Osc {
    fn everybody(&mut self, window: WindowId) -> impl Iterator<Item = Rank> {
        (0..self.window(window).partners.len() as u32).map(Rank)
    }

    /// Asks a target to confirm what nothing has confirmed.
    pub(crate) fn begin_confirm(&mut self, window: WindowId, target: Rank) {
        self.begin_flush_lane(window, target);
        let partner = self.window(window).partner(target);
        if std::mem::take(&mut partner.unconfirmed) {
            partner.told = false;
            partner.asked += 1;
            let (peer, name) = (partner.peer, partner.name);
            self.ask(peer, Header::new(Kind::Flush, name));
        }
    }

    /// Whether everything that was begun toward a target is complete there, and the lock given back
    /// where it was; see `begin_flush`, `begin_unlock`, `begin_fence`.
    ///
    /// # Errors
    /// When the peer has failed, or anything that nobody holds a request for has.
    pub fn is_settled(&mut self, window: WindowId, target: Rank) -> Result<bool, Error> {
        let partner = self.window(window).partner(target);
        let (settled, peer) = (partner.is_settled(), partner.peer);
        if !settled {
            return self.check_peer(peer).map(|()| false);
        }
        match partner.error.take() {
            Some(error) => Err(error),
            None => Ok(true),
        }
    }

    /// The same of all targets.
    ///
    /// # Errors
    /// As of [`Osc::is_settled`].
    pub fn is_all_settled(&mut self, window: WindowId) -> Result<bool, Error> {
        let partners = &self.window(window).partners;
        let open = partners.iter().find(|partner| !partner.is_settled());
        if let Some(peer) = open.map(|partner| partner.peer) {
            return self.check_peer(peer).map(|()| false);
        }
        for target in self.everybody(window) {
            self.is_settled(window, target)?;
        }
        Ok(true)
    }

    /// Whether the buffers of everything begun toward a target may be used again.
    ///
    /// # Errors
    /// When something that nobody holds a request for has failed.
    pub fn is_local_done(&mut self, window: WindowId, target: Rank) -> Result<bool, Error> {
        let partner = self.window(window).partner(target);
        match partner.error.take() {
            Some(error) => Err(error),
            None => Ok(partner.open == 0),
        }
    }

    /// The same of all targets.
    ///
    /// # Errors
    /// As of [`Osc::is_local_done`].
    pub fn is_all_local_done(&mut self, window: WindowId) -> Result<bool, Error> {
        for target in self.everybody(window) {
            if !self.is_local_done(window, target)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Begins a fence: everything is to be settled. The barrier is the caller's, and then
    /// [`Osc::end_fence`].
    ///
    /// # Errors
    /// When another kind of epoch is open.
    pub fn begin_fence(&mut self, window: WindowId) -> Result<(), Error> {
        self.window(window).epochs.check_fence()?;
        self.begin_settle(window);
        Ok(())
    }

    /// Says that the processes of a window tell each other at each fence what is to be waited for,
    /// so that accesses of two need no confirmation: [`Osc::begin_told_fence`], and once
    /// [`Osc::is_all_sent`] either a mark to each ([`Osc::mark_fence`], [`Osc::is_fenced`]) or how
    /// many messages each is to handle ([`Osc::tell_sent`], [`Osc::has_handled`]). All its
    /// processes say so.
    pub fn tell_fences(&mut self, window: WindowId) {
        self.window(window).tells_fences = true;
    }

    /// Begins a fence in which accesses need no confirmation, but for what a target may refuse,
    /// with `confirm`, and for what this process, `own`, did to its own memory. Of more than two
    /// processes all need one: who hears that another has come to the fence may read, at a third
    /// one, what that other has written there.
    ///
    /// # Errors
    /// As of [`Osc::begin_fence`].
    pub fn begin_told_fence(
        &mut self,
        window: WindowId,
        own: Rank,
        confirm: bool,
    ) -> Result<(), Error> {
        let state = self.window(window);
        state.epochs.check_fence()?;
        state.confirms = confirm || state.confirms_fences();
        state.partner(own).is_own = true;
        if state.confirms {
            self.begin_settle(window);
            return Ok(());
        }
        if state.partners.iter().any(Partner::is_lane_due) {
            for target in self.everybody(window) {
                self.begin_flush_lane(window, target);
            }
        }
        self.begin_confirm(window, own);
        Ok(())
    }

    /// Whether everything has left that was begun since, and answers have come; with
    /// confirmations, if these were wanted.
    ///
    /// # Errors
    /// When a target of them has failed, or anything that nobody holds a request for has.
    pub fn is_all_sent(&mut self, window: WindowId) -> Result<bool, Error> {
        let state = self.window(window);
        if state.confirms {
            return self.is_all_settled(window);
        }
        let partners = &mut state.partners;
        if partners.iter().all(Partner::is_sent_well) {
            return Ok(true);
        }
        let open = partners.iter().find(|partner| !partner.is_sent());
        if let Some(peer) = open.map(|partner| partner.peer) {
            return self.check_peer(peer).map(|()| false);
        }
        match partners.iter_mut().find_map(|partner| partner.error.take()) {
            Some(error) => Err(error),
            None => Ok(true),
        }
    }

    /// Tells all that this process has come to the fence, behind all that it did.
    pub fn mark_fence(&mut self, window: WindowId) {
        for target in self.everybody(window) {
            // It is handled after all that was sent before. What goes another way in the next epoch
            // knows nothing of that: it stays unconfirmed.
            self.tell(window, target, Kind::Fence);
        }
    }

    /// Has each process told how many messages it is to have handled, to have done all that has
    /// been sent to it; wraps.
    pub fn tell_sent(&mut self, window: WindowId, mut tell: impl FnMut(Rank, u32)) {
        let (state, peers) = self.with_peers(window);
        for (rank, partner) in (0..).map(Rank).zip(&mut state.partners) {
            // That it was brought there is known without a question, until the window ends, or
            // until something goes there another way.
            partner.told |= partner.unconfirmed;
            // Who is not listed has been sent nothing.
            tell(rank, peers.get(partner.peer.index()).map_or(0, Peer::sent));
        }
    }

    /// Whether so many messages as each process has `told` of have been handled here.
    ///
    /// # Errors
    /// When they have not, and it has failed.
    pub fn has_handled(
        &mut self,
        window: WindowId,
        told: impl Fn(Rank) -> u32,
    ) -> Result<bool, Error> {
        let (state, peers) = self.with_peers(window);
        let behind = (0..).map(Rank).zip(&state.partners).find(|(rank, of)| {
            let told = told(*rank);
            match peers.get(of.peer.index()) {
                Some(peer) => !peer.has_handled(told),
                None => told != 0,
            }
        });
        match behind.map(|(_, partner)| partner.peer) {
            Some(peer) => self.check_peer(peer).map(|()| false),
            None => Ok(true),
        }
    }

    /// Whether all have come to the fence; then it is over, and what they did is done here.
    ///
    /// # Errors
    /// When one that has not come has failed.
    pub fn is_fenced(&mut self, window: WindowId) -> Result<bool, Error> {
        let partners = &mut self.window(window).partners;
        if let Some(missing) = partners.iter().find(|partner| partner.fenced == 0) {
            let peer = missing.peer;
            return self.check_peer(peer).map(|()| false);
        }
        partners.iter_mut().for_each(|partner| partner.fenced -= 1);
        Ok(true)
    }

    /// Has all targets confirm what they have not.
    pub fn begin_settle(&mut self, window: WindowId) {
        for target in self.everybody(window) {
            self.begin_confirm(window, target);
        }
    }

    /// The fence is through. Unless `open`, no epoch begins (`MPI_MODE_NOSUCCEED`).
    pub fn end_fence(&mut self, window: WindowId, open: bool) {
        let state = self.window(window);
        state.epochs.fenced(open);
        if let Some(check) = &mut state.check {
            check.fenced();
        }
    }

    /// Opens the window to a group. Without `tell` its processes know already
    /// (`MPI_MODE_NOCHECK`).
    ///
    /// # Errors
    /// When it is open to a group, or a fence's epoch is.
    pub fn begin_post(
        &mut self,
        window: WindowId,
        group: &[Rank],
        tell: bool,
    ) -> Result<(), Error> {
        self.window(window).epochs.post(group)?;
        for &rank in group.iter().filter(|_| tell) {
            self.tell(window, rank, Kind::Post);
        }
        Ok(())
    }

    /// Sends a control message that needs no confirmation before the end of the window.
    fn tell(&mut self, window: WindowId, rank: Rank, kind: Kind) {
        let partner = self.window(window).partner(rank);
        partner.told = true;
        let (peer, name) = (partner.peer, partner.name);
        self.ask(peer, Header::new(kind, name));
    }

    /// Whether all of the group are done with the window; then the exposure has ended.
    ///
    /// # Errors
    /// When there is no exposure, or one of them has failed: then it has ended, too.
    pub fn is_withdrawn(&mut self, window: WindowId) -> Result<bool, Error> {
        let state = self.window(window);
        let partners = &state.partners;
        let mut group = state.epochs.exposed()?.iter().copied();
        let missing = group.find(|rank| partners[rank.index()].completed == 0);
        let Some(first) = missing else {
            let group = state.epochs.withdraw()?;
            if let Some(check) = &mut state.check {
                check.withdrawn(|rank| group.contains(&Rank(rank)));
            }
            for rank in group {
                state.partner(rank).completed -= 1;
            }
            return Ok(true);
        };
        let peer = state.partner(first).peer;
        let alive = self.check_peer(peer);
        if alive.is_err() {
            self.window(window).epochs.withdraw()?;
        }
        alive.map(|()| false)
    }

    /// Begins an epoch toward a group. Unless `check`, its processes are known to have posted
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

    /// The group of the epoch since `MPI_Win_start`; nobody where there is none.
    pub fn started(&mut self, window: WindowId) -> &[Rank] {
        self.window(window).epochs.started().unwrap_or_default()
    }

    /// Whether accesses to a target wait for its `MPI_Win_post`.
    pub fn awaits_post(&mut self, window: WindowId, target: Rank) -> bool {
        self.window(window).epochs.awaits(target)
    }

    /// Whether they do not any more.
    pub fn sees_post(&mut self, window: WindowId, target: Rank) -> bool {
        self.see_posts(window);
        !self.awaits_post(window, target)
    }

    /// Takes note of those of the started group that have posted meanwhile.
    pub(crate) fn see_posts(&mut self, window: WindowId) {
        let state = self.window(window);
        let partners = &mut state.partners;
        if let Some(awaited) = state.epochs.awaited() {
            awaited.retain(|rank| {
                let posted = &mut partners[rank.index()].posted;
                let seen = *posted > 0;
                *posted -= u64::from(seen);
                !seen
            });
        }
    }

    /// Whether `MPI_Win_complete` may go on: all of the group have posted, and everything toward
    /// them is settled as far as this process has to know.
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
            let peer = state.partner(rank).peer;
            return self.check_peer(peer).map(|()| false);
        }
        let confirms = state.confirms;
        let group = Ranks::from_slice(state.epochs.started()?);
        for rank in group {
            let ready = match confirms {
                true => self.is_settled(window, rank)?,
                // What is on its way arrives before the word that the epoch has ended.
                false => self.is_sent(window, rank)?,
            };
            if !ready {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether everything toward a target has left, or has been brought by its lane.
    fn is_sent(&mut self, window: WindowId, target: Rank) -> Result<bool, Error> {
        let partner = self.window(window).partner(target);
        if let Some(error) = partner.error.take() {
            return Err(error);
        }
        let (sent, peer) = (partner.is_sent(), partner.peer);
        if !sent {
            self.check_peer(peer)?;
        }
        Ok(sent)
    }

    /// Begins to end the epoch toward a started group: has it confirm what it may refuse.
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

    /// Ends the epoch toward a started group, and with `tell` tells it so. Gives the group.
    ///
    /// # Errors
    /// When no such epoch is open.
    pub fn end_complete(&mut self, window: WindowId, tell: bool) -> Result<Ranks, Error> {
        let group = self.window(window).epochs.complete()?;
        for &rank in group.iter().filter(|_| tell) {
            // It is told after all that was sent to it, and handles that before.
            self.window(window).partner(rank).unconfirmed = false;
            self.tell(window, rank, Kind::Complete);
        }
        Ok(group)
    }

    /// Whether the window is open to a group.
    ///
    /// # Errors
    /// When it is not.
    pub fn check_exposed(&mut self, window: WindowId) -> Result<(), Error> {
        self.window(window).epochs.exposed().map(drop)
    }

    /// Ends an exposure whose end somebody else waits for. Gives the group.
    ///
    /// # Errors
    /// When there is none.
    pub fn end_exposure(&mut self, window: WindowId) -> Result<Ranks, Error> {
        self.window(window).epochs.withdraw()
    }

    /// Asks for the lock of a target. Without `check` nobody else wants it (`MPI_MODE_NOCHECK`).
    ///
    /// # Errors
    /// When it is locked by this process, or another kind of epoch is open.
    pub fn begin_lock(
        &mut self,
        window: WindowId,
        target: Rank,
        lock: Lock,
        check: bool,
    ) -> Result<(), Error> {
        let state = self.window(window);
        if state.partner(target).lock.is_some() {
            let text = format!("this process has locked {target} already");
            return Err(Error::Epoch(text));
        }
        state.epochs.lock()?;
        self.ask_lock(window, target, lock, check);
        Ok(())
    }

    fn ask_lock(&mut self, window: WindowId, target: Rank, lock: Lock, check: bool) {
        let partner = self.window(window).partner(target);
        partner.lock = Some(lock);
        partner.granted = !check;
        partner.unchecked = !check;
        let (peer, name) = (partner.peer, partner.name);
        if check {
            let status = u32::from(lock == Lock::Exclusive);
            let header = Header {
                status,
                ..Header::new(Kind::Lock, name)
            };
            self.ask(peer, header);
        }
    }

    /// Whether the lock of a target is ours.
    ///
    /// # Errors
    /// When the target has failed.
    pub fn is_granted(&mut self, window: WindowId, target: Rank) -> Result<bool, Error> {
        let partner = self.window(window).partner(target);
        let (granted, peer) = (partner.granted, partner.peer);
        match granted {
            true => Ok(true),
            false => self.check_peer(peer).map(|()| false),
        }
    }

    /// Whether a target can still be reached, as far as is known: a lock that others keep tells
    /// nothing of that.
    ///
    /// # Errors
    /// When it has failed.
    pub fn check_target(&mut self, window: WindowId, target: Rank) -> Result<(), Error> {
        let peer = self.window(window).partner(target).peer;
        self.check_peer(peer)
    }

    /// Takes a lock back that could not be had.
    pub fn abandon_lock(&mut self, window: WindowId, target: Rank) {
        let state = self.window(window);
        state.partner(target).lock = None;
        state.epochs.unlock();
    }

    /// Begins to end the epoch of a lock. It has ended when the target is settled.
    ///
    /// # Errors
    /// When this process has not locked the target by itself.
    pub fn begin_unlock(&mut self, window: WindowId, target: Rank) -> Result<(), Error> {
        self.end_lock(window, target)?;
        self.return_lock(window, target);
        Ok(())
    }

    /// Ends the epoch of a lock that is kept elsewhere, where nothing went by messages.
    ///
    /// # Errors
    /// As of [`Osc::begin_unlock`].
    #[inline]
    pub fn end_lock(&mut self, window: WindowId, target: Rank) -> Result<(), Error> {
        let state = self.window(window);
        if state.epochs.is_locked_all() {
            let text = "MPI_Win_lock_all is ended by MPI_Win_unlock_all";
            return Err(Error::Epoch(text.into()));
        }
        let partner = &mut state.partners[target.index()];
        if partner.lock.take().is_none() {
            let text = format!("this process has not locked {target}");
            return Err(Error::Epoch(text));
        }
        partner.granted = false;
        state.epochs.unlock();
        Ok(())
    }

    fn return_lock(&mut self, window: WindowId, target: Rank) {
        let partner = self.window(window).partner(target);
        partner.lock = None;
        partner.granted = false;
        if partner.unchecked {
            return self.begin_confirm(window, target);
        }
        if self.begin_flush_lane(window, target) {
            self.window(window).partner(target).returning = true;
            return;
        }
        self.send_lock_back(window, target);
    }

    pub(crate) fn send_lock_back(&mut self, window: WindowId, target: Rank) {
        let partner = self.window(window).partner(target);
        let confirm = std::mem::take(&mut partner.unconfirmed);
        partner.asked += u64::from(confirm);
        partner.told = !confirm;
        let (peer, name) = (partner.peer, partner.name);
        let header = Header {
            token: u64::from(confirm),
            ..Header::new(Kind::Unlock, name)
        };
        self.ask(peer, header);
    }

    /// Asks for a shared lock of every target.
    ///
    /// # Errors
    /// When another epoch is open.
    pub fn begin_lock_all(&mut self, window: WindowId, check: bool) -> Result<(), Error> {
        self.window(window).epochs.lock_all()?;
        for target in self.everybody(window) {
            self.ask_lock(window, target, Lock::Shared, check);
        }
        Ok(())
    }

    /// Whether every target's lock is ours.
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

    /// Begins to end the epoch of all locks. It has ended when all targets are settled.
    ///
    /// # Errors
    /// When there is none.
    pub fn begin_unlock_all(&mut self, window: WindowId) -> Result<(), Error> {
        self.window(window).epochs.check_unlock_all()?;
        self.window(window).epochs.unlocked_all();
        for target in self.everybody(window) {
            self.return_lock(window, target);
        }
        Ok(())
    }

    /// Begins to complete everything toward a target, or toward all; `call` is the function's
    /// name, and `remote` whether it is to be complete there, too.
    ///
    /// # Errors
    /// When the target is not locked.
    pub fn begin_flush(
        &mut self,
        window: WindowId,
        target: Option<Rank>,
        (call, remote): (&str, bool),
    ) -> Result<(), Error> {
        let state = self.window(window);
        match target {
            Some(target) => {
                let locked = state.partner(target).lock.is_some();
                state.epochs.check_locked(target, locked, call)?;
            }
            None => state.epochs.check_passive(call)?,
        }
        // What is compared ends with a flush of either kind: its data may have been used.
        let remote = remote || state.check.is_some();
        match target {
            _ if !remote => {}
            Some(target) => self.begin_confirm(window, target),
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

    /// Begins to free the window: everything that was ever sent is to arrive before it is closed.
    ///
    /// # Errors
    /// When an epoch is open that has to be ended.
    pub fn begin_free(&mut self, window: WindowId) -> Result<(), Error> {
        self.window(window).epochs.check_free()?;
        for target in self.everybody(window) {
            let partner = self.window(window).partner(target);
            partner.unconfirmed |= partner.told;
            self.begin_confirm(window, target);
        }
        Ok(())
    }
}
