//! Fault tolerance of communicators (ULFM): revoke, agree, shrink, and knowledge of failures.
//!
//! The protocols are those of [`ft`]; this drives them. Each communicator is registered under its
//! context while it is open ([`Faults::open`]). Messages of `ft` and deaths are taken in wherever a
//! process waits or tests ([`Process::attend_faults`]), also for communicators that nobody uses at
//! the time. A communicator that is freed stays as long as others may need this member, up to
//! `FREED_MAX` of them; beyond that the oldest gives all that it knows to its members and goes.

use std::sync::atomic::Ordering;
use std::sync::Arc;

use base::{PeerId, Rank};
use ft::{Member, Ranks, Value, Vote};
use pml::{CommId, Context, Pml, Status};

use crate::call::first_lost;
use crate::faults::{rank_of, Entry, Faults, Outgoing, NOBODY};
use crate::outcome::{Outcome, NO_PARTNER};
use crate::request::{Decision, Request};
use crate::{Class, Comm, Error, Group, Process};

impl Process {
    /// Takes in messages of `ft` and deaths, and sends what follows. Whether anything came.
    #[cold]
    pub(crate) fn attend_faults(&self) -> bool {
        let mut faults = self.lock(&self.recovery.faults);
        let mut core = self.engine.enter();
        let arrived = core.take_faults();
        let (failed, fresh) = failures(&core, faults.reported);
        faults.reported = core.failed().len();
        drop(core);
        let mut out = Outgoing::new();
        let has_come = !arrived.is_empty() || !fresh.is_empty();
        for (from, bytes) in arrived {
            faults.arrived(from, &bytes, &failed, &mut out);
        }
        if !fresh.is_empty() {
            let contexts: Vec<u64> = faults.comms.keys().copied().collect();
            for context in contexts {
                let entry = faults.comms.get_mut(&context).expect("it was just there");
                let Some(member) = &mut entry.member else {
                    continue;
                };
                let ranks = fresh.iter().filter_map(|peer| rank_of(&entry.peers, *peer));
                ranks.for_each(|rank| member.died(rank));
                faults.collect(context, &mut out);
            }
        }
        self.settle_faults(&mut faults, out);
        has_come
    }

    /// Sends messages, and has communicators follow that were revoked by others. Those on which
    /// objects of them are being made are revoked as well, everywhere: who has made the object
    /// already must not wait for this process, which gives it up.
    fn settle_faults(&self, faults: &mut Faults, mut out: Outgoing) {
        let mut core = self.engine.enter();
        loop {
            core.send_faults(std::mem::take(&mut out));
            let given_up = faults.follow(&mut core);
            if given_up.is_empty() {
                return;
            }
            let (failed, _) = failures(&core, 0);
            for context in given_up {
                faults.revoke(context, &failed, &mut out);
            }
        }
    }

    /// Acts on the member of a communicator, and sends what follows.
    fn with_member<T>(&self, context: u64, act: impl FnOnce(&mut Member) -> T) -> Option<T> {
        let mut faults = self.lock(&self.recovery.faults);
        let (failed, _) = failures(&self.engine.enter(), 0);
        let done = act(faults.comms.get_mut(&context)?.member(&failed));
        let mut out = Outgoing::new();
        faults.collect(context, &mut out);
        self.settle_faults(&mut faults, out);
        Some(done)
    }

    /// Removes the foreign processes that have died and that no communicator has any more, so that
    /// a job that replaces the dead for ever has no more state each time.
    fn forget_dead(&self) {
        let faults = self.lock(&self.recovery.faults);
        // Those that the members of all communicators know of.
        let dead: Vec<PeerId> = {
            let core = self.engine.enter();
            let reported = core.failed().iter().take(faults.reported);
            reported.map(|(peer, _)| *peer).collect()
        };
        drop(faults);
        let removed = self
            .lock(&self.peers.foreign)
            .sweep_those(|peer| dead.contains(&peer));
        if removed.is_empty() {
            return;
        }
        // Their numbers are those of others from now on.
        let mut faults = self.lock(&self.recovery.faults);
        for entry in faults.comms.values_mut() {
            let gone = entry.peers.iter_mut().filter(|peer| removed.contains(peer));
            gone.for_each(|peer| *peer = NOBODY);
        }
        drop(faults);
        removed
            .iter()
            .for_each(|peer| self.engine.remove_peer(*peer));
        let services = self.services.all();
        services
            .iter()
            .for_each(|service| service.removed_foreign(self));
    }

    /// Returns the name of a process, by which all order processes alike.
    fn name_of(&self, peer: PeerId) -> (u64, u32) {
        let own = (self.identity.job, peer.0);
        if self.is_own(peer) {
            return own;
        }
        let name = self.lock(&self.peers.foreign).name(peer);
        name.map_or(own, |name| (name.world, name.rank))
    }

    /// Returns the decision of an agreement, once it has one.
    fn decision(&self, context: u64, number: u32) -> Option<Value> {
        let faults = self.lock(&self.recovery.faults);
        let member = faults.comms.get(&context)?.member.as_ref()?;
        member.decision(number).cloned()
    }
}

/// Returns the peers that have died, and those of them that come after the first `reported`
/// entries.
fn failures(core: &engine::Core, reported: usize) -> (Vec<PeerId>, Vec<PeerId>) {
    let died = |(peer, _): &&(PeerId, String)| !core.has_left(*peer);
    let peers =
        |list: &[(PeerId, String)]| list.iter().filter(died).map(|(peer, _)| *peer).collect();
    (peers(core.failed()), peers(&core.failed()[reported..]))
}

/// An object is being made of a communicator, on a duplicate that is the object's own. Until this
/// is dropped the duplicate is revoked with the communicator.
pub struct Making<'a> {
    of: &'a Comm,
    on: u64,
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        let process = self.of.process();
        let mut faults = process.lock(&process.recovery.faults);
        if let Some(entry) = faults.comms.get_mut(&self.of.context()) {
            entry.making.retain(|context| *context != self.on);
        }
    }
}

/// Makes an outcome of a decision.
type Conclude = Box<dyn FnOnce(&Comm, &Value) -> Outcome + Send>;

/// A pending agreement.
struct Agreed {
    comm: Arc<Comm>,
    number: u32,
    conclude: Option<Conclude>,
}

impl Decision for Agreed {
    /// Another thread that is at it is about to report it.
    fn is_done(&self) -> bool {
        let faults = self.comm.process().recovery.faults.try_lock();
        let of = |faults: &Faults| {
            let member = faults.comms.get(&self.comm.context())?.member.as_ref()?;
            member.decision(self.number).map(|_| ())
        };
        faults.is_some_and(|faults| of(&faults).is_some())
    }

    fn finish(&mut self) -> Outcome {
        let value = self
            .comm
            .process()
            .decision(self.comm.context(), self.number);
        match (self.conclude.take(), value) {
            (Some(conclude), Some(value)) => conclude(&self.comm, &value),
            _ => NO_PARTNER,
        }
    }
}

impl Comm {
    /// Makes the communicator known to fault tolerance.
    pub(crate) fn register(&self, planes: Vec<CommId>) {
        let process = self.process();
        let own = process.identity.peer;
        let mut groups = vec![self.group().peers()];
        groups.extend(self.remote_group().map(Group::peers));
        // Both groups of an inter-communicator must come to one order. All of the remote group of
        // one that was shrunk may have failed.
        groups.sort_by_key(|group| group.first().map(|peer| process.name_of(*peer)));
        let peers = groups.concat();
        let entry = Entry {
            me: rank_of(&peers, own).unwrap_or(0),
            peers,
            member: None,
            planes,
            held: Vec::new(),
            revoked: self.revoked().clone(),
            is_freed: false,
            making: Vec::new(),
        };
        let context = self.context();
        let mut faults = process.lock(&process.recovery.faults);
        faults.open(context, entry);
        if !faults.early.is_empty() {
            let (failed, _) = failures(&process.engine.enter(), 0);
            let mut out = Outgoing::new();
            for (from, rank, message) in faults.early.take(context) {
                faults.take((context, from, rank), message, &failed, &mut out);
            }
            process.settle_faults(&mut faults, out);
        }
    }

    /// Returns a duplicate for an object that is made of this communicator (a window, a file), to
    /// be the object's own. It is revoked with this one as long as the second value lives.
    ///
    /// # Errors
    /// See [`Comm::duplicate`].
    pub fn duplicate_for_object(&self) -> Result<(Comm, Making<'_>), Error> {
        let made = self.duplicate()?;
        let on = made.context();
        self.revoke_with(on);
        Ok((made, Making { of: self, on }))
    }

    /// Adds the context of a communicator that is revoked with this one.
    pub fn revoke_with(&self, on: u64) {
        let process = self.process();
        let mut faults = process.lock(&process.recovery.faults);
        let mut out = Outgoing::new();
        match faults.comms.get_mut(&self.context()) {
            Some(entry) if !self.is_revoked() => entry.making.push(on),
            // It was revoked since the duplicate began.
            _ => {
                let (failed, _) = failures(&process.engine.enter(), 0);
                faults.revoke(on, &failed, &mut out);
            }
        }
        process.settle_faults(&mut faults, out);
    }

    /// Ends the registration.
    pub(crate) fn unregister(&self) {
        let process = self.process();
        let mut out = Outgoing::new();
        let mut faults = process.lock(&process.recovery.faults);
        let held = faults.close(self.context(), &mut out);
        drop(faults);
        let mut core = process.engine.enter();
        if !out.is_empty() {
            core.send_faults(out);
        }
        held.into_iter().for_each(|comm| core.close_comm(comm));
    }

    /// Whether the communicator was revoked.
    #[inline]
    pub fn is_revoked(&self) -> bool {
        self.revoked().load(Ordering::Relaxed)
    }

    /// Fails on a revoked communicator.
    ///
    /// # Errors
    /// `Revoked`.
    #[inline]
    pub fn check_revoked(&self) -> Result<(), Error> {
        match self.is_revoked() {
            true => Err(Error::revoked(self)),
            false => Ok(()),
        }
    }

    /// Fails on a communicator that was revoked, or of which a member is known to have failed:
    /// nothing is made of such a one.
    ///
    /// # Errors
    /// `Revoked`, or `ProcFailed`, which names the member.
    pub fn check_members(&self) -> Result<(), Error> {
        self.check_revoked()?;
        let groups = [Some(self.group()), self.remote_group()];
        self.check_living(groups.into_iter().flatten())
    }

    /// Fails where a member of these groups is known to have failed.
    ///
    /// # Errors
    /// `ProcFailed`, which names the member.
    pub(crate) fn check_living<'a>(
        &self,
        mut groups: impl Iterator<Item = &'a Group>,
    ) -> Result<(), Error> {
        let core = self.process().engine.enter();
        if core.failed().is_empty() {
            return Ok(());
        }
        match groups.find_map(|group| first_lost(&core, group)) {
            Some((peer, why, _)) => Err(Error::lost(peer, why)),
            None => Ok(()),
        }
    }

    /// Revokes the communicator at all members (`MPIX_Comm_revoke`).
    ///
    /// # Errors
    /// Over a network that matches.
    pub fn revoke(&self) -> Result<(), Error> {
        self.need_lanes()?;
        self.process().with_member(self.context(), Member::revoke);
        Ok(())
    }

    /// Whether the communicator was revoked here or anywhere, as far as it is known here.
    pub fn ask_revoked(&self) -> bool {
        self.process().poll();
        self.process().attend_faults();
        self.is_revoked()
    }

    fn need_lanes(&self) -> Result<(), Error> {
        match self.process().engine.enter().tolerates_faults() {
            true => Ok(()),
            false => Err(Error::new(
                Class::UnsupportedOperation,
                "the `pml` component `cm` has no fault tolerance; `--mca pml ob1` has",
            )),
        }
    }

    /// Returns the members that are known to have failed (`MPIX_Comm_get_failed`), in the order in
    /// which that became known.
    pub fn failed_group(&self) -> Group {
        self.process().poll();
        self.process().attend_faults();
        Group::new(self.failed_members())
    }

    fn failed_members(&self) -> Vec<PeerId> {
        let core = self.process().engine.enter();
        let is_in = |peer: &PeerId| {
            let remote = self.remote_group();
            self.group().contains(*peer) || remote.is_some_and(|group| group.contains(*peer))
        };
        let (failed, _) = failures(&core, 0);
        let mut members = Vec::new();
        for peer in failed.into_iter().filter(is_in) {
            if !members.contains(&peer) {
                members.push(peer);
            }
        }
        members
    }

    /// Acknowledges the first `count` failures of [`Comm::failed_group`] (`MPIX_Comm_ack_failed`).
    /// Returns how many are acknowledged.
    pub fn acknowledge(&self, count: usize) -> usize {
        let all = self.failed_members();
        let mut acked = self.acked().lock();
        for peer in all.iter().take(count) {
            if !acked.contains(peer) {
                acked.push(*peer);
            }
        }
        if all.iter().all(|peer| acked.contains(peer)) {
            self.process().engine.enter().acknowledge(self.messages());
        }
        acked.len()
    }

    /// Returns the acknowledged failures (`MPIX_Comm_failure_get_acked`).
    pub fn acked_group(&self) -> Group {
        Group::new(self.acked().lock().clone())
    }

    fn vote(&self, flags: u32, context: u64) -> Result<u32, Error> {
        self.need_lanes()?;
        let process = self.process();
        process.attend_faults();
        let acked = self.acked().lock().clone();
        let peers = match process
            .lock(&process.recovery.faults)
            .comms
            .get(&self.context())
        {
            Some(entry) => entry.peers.clone(),
            None => Vec::new(),
        };
        let acked: Ranks = acked
            .iter()
            .filter_map(|peer| rank_of(&peers, *peer))
            .collect();
        let vote = Vote {
            flags,
            acked,
            context,
        };
        let begun = process.with_member(self.context(), |member| member.begin(vote));
        begun.ok_or_else(|| Error::new(Class::Comm, "a communicator that is not open"))
    }

    /// Waits for the decision of an agreement.
    fn await_decision(&self, number: u32) -> Value {
        let process = self.process();
        let mut decided = None;
        let taken = std::cell::Cell::new(None);
        process.wait_between(
            |_| taken.take(),
            || {
                process.attend_faults();
                if decided.is_none() {
                    decided = process.decision(self.context(), number);
                    taken.set(decided.clone());
                    return decided.is_some();
                }
                false
            },
        )
    }

    /// Agrees with all members that live on the bitwise AND of their flags (`MPIX_Comm_agree`).
    /// The second value says how it ended: with an error, the same everywhere, where a member has
    /// failed that not all have acknowledged.
    ///
    /// # Errors
    /// Over a network that matches.
    pub fn agree(&self, flags: u32) -> Result<(u32, Result<(), Error>), Error> {
        let value = self.await_decision(self.vote(flags, 0)?);
        Ok((value.flags, self.judge(&value)))
    }

    /// Starts an agreement; `deliver` gets the flags when it ends (`MPIX_Comm_iagree`).
    ///
    /// # Errors
    /// Over a network that matches.
    pub fn start_agree(
        self: &Arc<Comm>,
        flags: u32,
        deliver: impl FnOnce(u32) + Send + 'static,
    ) -> Result<Request, Error> {
        let number = self.vote(flags, 0)?;
        let conclude = move |comm: &Comm, value: &Value| {
            deliver(value.flags);
            Outcome {
                status: Status::EMPTY,
                result: comm.judge(value),
            }
        };
        Ok(Request::Agreed(Box::new(Agreed {
            comm: self.clone(),
            number,
            conclude: Some(Box::new(conclude)),
        })))
    }

    fn judge(&self, value: &Value) -> Result<(), Error> {
        match value.failed.is_subset(&value.acked) {
            true => Ok(()),
            false => {
                let unacked = value
                    .failed
                    .iter()
                    .filter(|rank| !value.acked.contains(*rank));
                let ranks: Vec<String> = unacked.map(|rank| rank.to_string()).collect();
                let text = format!(
                    "in {self}, failed members whose failure not all have acknowledged: {}",
                    ranks.join(", ")
                );
                Err(Error::new(Class::ProcFailed, text))
            }
        }
    }

    /// Returns a communicator of the members that have not failed (`MPIX_Comm_shrink`).
    ///
    /// # Errors
    /// Over a network that matches.
    pub fn shrink(&self) -> Result<Comm, Error> {
        let value = self.await_decision(self.vote(u32::MAX, self.new_context().0)?);
        self.process().forget_dead();
        let (group, rank, remote) = self.survivors(&value);
        let (process, context) = (self.process(), Context(value.offer.1));
        Ok(Comm::open_with(
            process, context, group, rank, remote, None, "",
        ))
    }

    /// Starts to shrink: the communicator may be used when the request is complete
    /// (`MPIX_Comm_ishrink`). `deliver` gets it then.
    ///
    /// # Errors
    /// Over a network that matches.
    pub fn start_shrink(
        self: &Arc<Comm>,
        deliver: impl FnOnce(Comm) -> Result<(), Error> + Send + 'static,
    ) -> Result<Request, Error> {
        let number = self.vote(u32::MAX, self.new_context().0)?;
        let conclude = move |comm: &Comm, value: &Value| {
            let (group, rank, remote) = comm.survivors(value);
            let context = Context(value.offer.1);
            let made = Comm::open_with(comm.process(), context, group, rank, remote, None, "");
            Outcome {
                status: Status::EMPTY,
                result: deliver(made),
            }
        };
        Ok(Request::Agreed(Box::new(Agreed {
            comm: self.clone(),
            number,
            conclude: Some(Box::new(conclude)),
        })))
    }

    /// Returns the members of a shrunk communicator, this process's rank, and the remote members.
    fn survivors(&self, value: &Value) -> (Group, Rank, Option<Group>) {
        let process = self.process();
        let faults = process.lock(&process.recovery.faults);
        let members = faults
            .comms
            .get(&self.context())
            .map(|entry| entry.peers.clone());
        let members = members.unwrap_or_default();
        let failed: Vec<PeerId> = value
            .failed
            .iter()
            .map(|rank| members[rank as usize])
            .collect();
        let left = |group: &Group| {
            let peers = group.peers().iter().filter(|peer| !failed.contains(peer));
            group.related(peers.copied().collect())
        };
        let group = left(self.group());
        let rank = group.rank(process.identity.peer).unwrap_or(Rank(0));
        (group, rank, self.remote_group().map(left))
    }
}
