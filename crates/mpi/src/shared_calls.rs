//! Collectives of a communicator that go through shared memory: [`Comm`] as an [`Owner`], and the
//! starts of non-blocking and persistent calls.
//!
//! For blocking calls the processes wait until they have met; for the others they meet without
//! waiting, in a non-blocking collective of the library ([`Comm::meet_later`]).

use base::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::Arc;

use coll::{Blocks, Port, Rules, Running, Signature, Team};
use coll_sm::sequence::{CallStart, Joined, MemoryQuota, Sequence};
use coll_sm::{Exchanges, Handshake, NodeCall, Settings, STATUS_BYTES};
use datatype::Buffer;
use mca::Framework;
use pml::Pml;
use shm::handshake::{none, INVITATION_BYTES};
use shm::sharers::{Exchange, Sharers};

use crate::begin::Begin;
use crate::call::{Call, Label, Planes};
use crate::shared_memory::{
    AnyBegin, BegunCollective, JoinedSegment, Owner, SharedCall, SharedSequence,
};
use crate::{Comm, Error, Group, Process};

impl Owner for Comm {
    #[inline]
    fn process(&self) -> &Arc<Process> {
        Comm::process(self)
    }

    #[inline]
    fn rules(&self) -> &Rules {
        Comm::rules(self)
    }

    #[inline]
    fn group(&self) -> &Group {
        Comm::group(self)
    }

    #[inline]
    fn team(&self) -> Team {
        Comm::team(self)
    }

    #[inline]
    fn planes(&self) -> Planes {
        Comm::planes(self)
    }

    #[inline]
    fn is_revoked(&self) -> bool {
        Comm::is_revoked(self)
    }

    #[inline]
    fn count_shared_call(&self, signature: Signature) -> u64 {
        Comm::count_shared_call(self, signature)
    }

    fn blocking_label(count: u64, signature: Signature) -> Label {
        Comm::blocking_label(count, signature)
    }

    fn blocking_calls(&self) -> u64 {
        self.begun_calls()[0]
    }

    fn label_before(count: u64, signature: Signature) -> Label {
        Comm::label_before(count, signature)
    }

    fn run_labelled(
        &self,
        label: Label,
        begin: impl FnOnce(&Port) -> Running,
    ) -> Result<(), Error> {
        Comm::run_labelled(self, label, begin)
    }

    #[cold]
    fn join_segment<X: Exchange<Error = Error>>(
        &self,
        exchange: &X,
        team: Team,
        group: &Group,
        settings: Settings,
    ) -> Result<Option<JoinedSegment>, Error> {
        let process = self.process();
        let sharers = Sharers::all(team.size, team.rank);
        let crowded = process.is_crowded(group);
        let create = || Handshake::create(settings, team.size, crowded);
        let attach = |invitation: &_| Handshake::attach(settings, team.size, invitation);
        let mut handshake = sharers.invite(exchange, create, attach)?;
        let (failed_before, apart) = {
            let core = process.engine.enter();
            (core.failed().len(), process.first_apart(group, &core))
        };
        if let Some(peer) = apart {
            handshake.refuse(format!("messages to {peer} go another way"));
        }
        let part = match team.size == self.size() {
            true => "",
            false => " inside nodes",
        };
        if let Some(why) = handshake.failure() {
            Framework::Coll.info(format_args!("{self} goes by messages{part}: {why}"));
        }
        let statuses = sharers.exchange(exchange, &handshake.status())?;
        let copies = u64::from(handshake.may_copy(&statuses));
        let copies = sharers.exchange(exchange, &copies.to_le_bytes())?;
        let copies = copies.iter().all(|may| u64::from_le_bytes(*may) == 1);
        let member = handshake.complete(team.rank, &statuses, copies);
        if member.is_some() {
            let how = if copies { "with" } else { "without" };
            Framework::Coll.debug(format_args!(
                "{self} shares memory{part}, {how} single copies"
            ));
        }
        Ok(member.map(|member| JoinedSegment::new(member, failed_before)))
    }

    fn check_past(&self, core: &engine::Core) -> Result<(), Error> {
        Comm::check_past(self, core)
    }

    #[cold]
    fn share_memory(&self) -> Result<Option<JoinedSegment>, Error> {
        let settings = self.process().collectives.shared;
        self.join_segment(self, self.team(), self.group(), settings)
    }

    fn start(
        self: &Arc<Comm>,
        label: Label,
        begin: impl FnOnce(&Port) -> Running,
    ) -> Arc<Mutex<Call>> {
        Comm::start(self, label, begin)
    }
}

/// A collective that can be started again and again.
pub(crate) struct Repeated {
    comm: Arc<Comm>,
    /// The label of the call that made the request. All processes make their requests in one order,
    /// but start several in any order.
    label: Label,
    begin: Arc<dyn AnyBegin>,
    /// Its starts.
    sequence: Arc<SharedSequence<Comm>>,
}

impl Repeated {
    pub(crate) fn new(comm: Arc<Comm>, begin: impl Begin) -> Repeated {
        let label = comm.label_call(&begin);
        let possible = !comm.is_inter() && comm.process().may_share_collectives(comm.group());
        comm.persistent.fetch_add(1, Relaxed);
        Repeated {
            comm,
            label,
            begin: Arc::new(begin),
            sequence: Arc::new(Sequence::new(possible)),
        }
    }

    /// Starts the call.
    pub(crate) fn start(&self) -> BegunCollective<Comm> {
        let Repeated {
            comm,
            label,
            begin,
            sequence,
        } = self;
        loop {
            match comm.start_short(sequence, &**begin) {
                CallStart::Complete(Ok(())) => return BegunCollective::Complete(Ok(())),
                CallStart::Join => {
                    let (settings, quota) = comm.settings_for_one(&**begin);
                    comm.meet_later(sequence.clone(), *label, settings, quota);
                }
                started => {
                    let call = SharedCall::new(comm.clone(), *label, begin.clone());
                    return call.go_on(started, sequence);
                }
            }
        }
    }
}

impl Drop for Repeated {
    fn drop(&mut self) {
        self.comm.persistent.fetch_sub(1, Relaxed);
    }
}

impl Comm {
    /// Starts a non-blocking call.
    pub(crate) fn start_next<B: Begin>(self: &Arc<Comm>, begin: B) -> BegunCollective<Comm> {
        let sequence = self.sequence();
        loop {
            let started = self.start_short(sequence, &begin);
            let label = match &started {
                CallStart::Complete(Ok(())) => {
                    self.skip_label();
                    return BegunCollective::Complete(Ok(()));
                }
                CallStart::Join => {
                    let shared = self.process().collectives.shared;
                    let settings = shared.for_short_calls(self.size());
                    self.meet_later(sequence.clone(), self.own_label(), settings, None);
                    continue;
                }
                CallStart::Messages | CallStart::MessagesForNow => self.label_call(&begin),
                _ => self.label_shared(begin.node_call()),
            };
            let call = SharedCall::new(self.clone(), label, Arc::new(begin));
            return call.go_on(started, sequence);
        }
    }

    /// Returns the settings of a segment for the starts of one persistent request, and the quota
    /// that it takes.
    fn settings_for_one(&self, begin: &dyn AnyBegin) -> (Settings, Option<MemoryQuota>) {
        let shared = self.process().collectives.shared;
        let node_call = begin.any_node_call().unwrap_or(NodeCall::Barrier);
        let settings = shared.for_one_call(&node_call, self.rank(), self.size());
        let bytes = settings.segment_bytes(self.size());
        let quota = MemoryQuota::take(&self.room_taken, bytes, settings.memory);
        (settings, Some(quota))
    }

    /// Starts a call in a sequence, if it is so short that it may go through shared memory.
    #[inline]
    fn start_short<'a>(
        &self,
        sequence: &'a SharedSequence<Comm>,
        begin: &(impl AnyBegin + ?Sized),
    ) -> CallStart<'a, SharedCall<Comm>> {
        let settings = &self.process().collectives.shared;
        match begin.any_node_call() {
            Some(node_call) if settings.is_short(&node_call, self.rank(), self.size()) => {
                sequence.start(settings.threshold, &node_call, |rank| self.wake(rank))
            }
            _ => CallStart::Messages,
        }
    }

    /// Lets the processes meet to share memory for a sequence, without waiting.
    #[cold]
    fn meet_later(
        self: &Arc<Comm>,
        sequence: Arc<SharedSequence<Comm>>,
        label: Label,
        settings: Settings,
        quota: Option<MemoryQuota>,
    ) {
        let comm = self.clone();
        let meet = |port: &Port| -> Running {
            let port = port.clone();
            Box::pin(async move {
                match comm.meet_for_sequence(&port, settings, quota).await {
                    Ok(joined) => sequence.joined(joined),
                    Err(error) => sequence.fail(Error::from(error)),
                }
                Ok(())
            })
        };
        self.start(label, meet);
    }

    async fn meet_for_sequence(
        &self,
        port: &Port,
        settings: Settings,
        quota: Option<MemoryQuota>,
    ) -> Result<Option<Joined>, coll::Error> {
        let (process, team) = (self.process(), self.team());
        let rules = self.rules();
        let bytes = port.scratch(INVITATION_BYTES);
        let mut created = None;
        if team.rank == 0 {
            let crowded = process.is_crowded(self.group());
            let (handshake, invitation) = Handshake::create(settings, team.size, crowded);
            bytes.write(0, &invitation);
            created = Some(handshake);
        }
        coll::bcast(port, rules, team, 0, Buffer::bytes(bytes)).await?;
        let mut invitation = none();
        bytes.read(0, &mut invitation);
        let attach = || Handshake::attach(settings, team.size, &invitation);
        let mut handshake = created.unwrap_or_else(attach);
        let (failed_before, apart) = {
            let core = process.engine.enter();
            (
                core.failed().len(),
                process.first_apart(self.group(), &core),
            )
        };
        if let Some(peer) = apart {
            handshake.refuse(format!("messages to {peer} go another way"));
        }
        if quota.as_ref().is_some_and(MemoryQuota::is_exceeded) {
            let memory = settings.memory;
            let why = "have that much shared memory already";
            handshake.refuse(format!(
                "its persistent requests {why}: coll_sm_memory is {memory}"
            ));
        }
        if let Some(why) = handshake.failure() {
            Framework::Coll.info(format_args!(
                "calls that {self} starts go by messages: {why}"
            ));
        }
        let own = port.scratch(STATUS_BYTES);
        own.write(0, &handshake.status());
        let all = port.scratch(STATUS_BYTES * team.size as usize);
        let blocks = Blocks::even(Buffer::bytes(all), team.size);
        coll::allgather(port, rules, team, Some(Buffer::bytes(own)), blocks).await?;
        let status = |rank: usize| {
            let mut status = [0; STATUS_BYTES];
            all.read(rank * STATUS_BYTES, &mut status);
            status
        };
        let statuses: Vec<_> = (0..team.size as usize).map(status).collect();
        let member = handshake.complete(team.rank, &statuses, false);
        Ok(member.map(|member| Joined {
            exchanges: Exchanges::new(member),
            failed_before,
            _quota: quota,
        }))
    }
}
