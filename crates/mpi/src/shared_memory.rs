//! Decides when a communicator's collectives use shared memory (`coll_sm`), and runs them, for an
//! [`Owner`]: the communicator.
//!
//! A communicator has shared memory from its n-th blocking call on that could use it
//! (`coll_sm_threshold`), so that thousands of communicators cost nothing. All processes count
//! alike. Then process 0 creates a segment, the others attach it, and each learns whether all
//! could. If one could not, the communicator uses messages, and the log says why.
//!
//! Short calls that do not block have shared memory of their own: a [`Sequence`] for each
//! communicator's non-blocking calls, and one for the starts of each persistent request.

use base::Mutex;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use atomic_refcell::{AtomicRefCell, AtomicRefMut};
use coll::{Mismatch, Port, Rules, Running, Signature, Team};
use coll_sm::sequence::{CallStart, Progress, Sequence, StartedCall};
use coll_sm::{Member, NodeCall, Settings, Wait};
use pml::Pml;
use shm::sharers::Exchange;

use crate::begin::Begin;
use crate::call::{Call, Keeper, Label, Planes};
use crate::calls::Polled;
use crate::process::Process;
use crate::{Class, Error, Group};

/// Polls of the segment between two polls of the transports while others may access this process's
/// memory by messages: they wait for it.
const POLLS_EXPOSED: usize = 4;
/// Bytes of a vector up to which messages may carry a reduction before there is shared memory, and
/// yet return equal bits: rank 0 then combines all.
const IN_ORDER_MAX: usize = 64 << 10;
/// Empty polls between two polls of the messages of ranks that may have called another collective.
const EMPTY_POLLS_MAX: u32 = 1024;

/// A communicator, as its shared memory sees it.
pub(crate) trait Owner: Keeper + fmt::Display + Sized + 'static {
    fn process(&self) -> &Arc<Process>;
    fn rules(&self) -> &Rules;
    fn group(&self) -> &Group;
    fn team(&self) -> Team;
    fn planes(&self) -> Planes;
    fn is_revoked(&self) -> bool;

    /// Counts a blocking call through shared memory, and returns how many were before it.
    fn count_shared_call(&self, signature: Signature) -> u64;

    /// Returns the label that the blocking call of a count has where messages carry it.
    fn blocking_label(count: u64, signature: Signature) -> Label;

    /// Returns how many blocking calls have begun.
    fn blocking_calls(&self) -> u64;

    /// Returns the label of exchanges of some ranks before their part in a blocking call.
    fn label_before(count: u64, signature: Signature) -> Label;

    /// Runs a call to its end by messages.
    fn run_labelled(&self, label: Label, begin: impl FnOnce(&Port) -> Running)
        -> Result<(), Error>;

    /// Makes and shares a segment of a group of ranks that exchange numbers: all of the
    /// communicator, or those of a node. `None` when one of them could not.
    fn join_segment<X: Exchange<Error = Error>>(
        &self,
        exchange: &X,
        team: Team,
        group: &Group,
        settings: Settings,
    ) -> Result<Option<JoinedSegment>, Error>;

    /// Fails if a message shows that another rank has called something else in a call that is over
    /// here.
    fn check_past(&self, core: &engine::Core) -> Result<(), Error>;

    /// Makes and shares the segment of blocking calls. `None` when one process could not.
    fn share_memory(&self) -> Result<Option<JoinedSegment>, Error>;

    /// Starts a call by messages.
    fn start(
        self: &Arc<Self>,
        label: Label,
        begin: impl FnOnce(&Port) -> Running,
    ) -> Arc<Mutex<Call>>;

    #[cold]
    fn wake(&self, rank: u32) {
        let peer = self.group().peers()[rank as usize];
        self.process().engine.wake(peer);
    }

    /// Returns the error of the first process of the group that has died since there were
    /// `failed_before` failures.
    #[cold]
    fn find_lost(&self, core: &engine::Core, failed_before: usize) -> Option<Error> {
        let failed = &core.failed()[failed_before..];
        let mut members = failed.iter();
        let (peer, why) = members.find(|(peer, _)| self.group().contains(*peer))?;
        Some(Error::lost(*peer, why))
    }

    /// Searches for a message of a rank that has made another call of a number, one that is made of
    /// messages: nothing will come of it in shared memory.
    ///
    /// # Errors
    /// When a message shows that a call that is over here was another one elsewhere.
    #[cold]
    fn find_other_call(
        &self,
        core: &engine::Core,
        label: &Label,
    ) -> Result<Option<Mismatch>, Error> {
        let differs = |tag| label.other(tag).is_some();
        let Some(seen) = core.find_unexpected(self.planes().local, &differs) else {
            return self.check_past(core).map(|()| None);
        };
        let (Some(rank), Some(theirs)) = (seen.source, label.other(seen.tag)) else {
            return Ok(None);
        };
        let team = self.team();
        Ok(Some(Mismatch {
            peer: coll::Peer::from(rank.0).to_string(),
            theirs,
            rank: team.rank,
            ours: label.signature(),
            ranks: team.size,
        }))
    }

    /// Notifies the ranks that this one gives a call up, so that none waits for its messages.
    #[cold]
    fn give_up(&self, label: &Label, theirs: Option<Signature>) {
        let (plane, team) = (self.planes().local, self.team());
        let engine = &self.process().engine;
        label.give_up(engine, plane, (team.rank, team.size), theirs);
    }
}

/// Shared memory of a communicator.
pub(crate) struct Shared(AtomicRefCell<SegmentState>);

enum SegmentState {
    /// There is no segment yet, after this many calls.
    Untried(u32),
    /// The processes could not make a segment: there will be no other attempt.
    Refused,
    /// There can be no segment.
    Off,
    On(Box<JoinedSegment>),
}

/// Carrier of a call.
pub(crate) enum Carrier {
    /// Shared memory has carried it.
    Memory(Result<(), Error>),
    Messages,
    /// Messages, with the operands combined as shared memory does: by groups of this many ranks.
    InOrder(u32),
}

/// A segment that all processes of a communicator have attached.
pub(crate) struct JoinedSegment {
    member: Member,
    sharing: Sharing,
}

/// The processes that share a segment.
struct Sharing {
    /// Processes that the engine had given up before: others of their name may live now.
    failed_before: usize,
    /// The ranks; `None` for all of the communicator.
    ranks: Option<Arc<[u32]>>,
}

impl Shared {
    /// Returns the state of a new communicator; `possible` says whether there can be shared memory.
    pub(crate) fn new(possible: bool) -> Shared {
        Shared(AtomicRefCell::new(match possible {
            true => SegmentState::Untried(0),
            false => SegmentState::Off,
        }))
    }

    /// Returns what carried long data through shared memory, and why; `None` where nothing did.
    pub(crate) fn account(&self) -> Option<String> {
        match &*self.0.try_borrow().ok()? {
            SegmentState::On(joined) => joined.member.account(),
            _ => None,
        }
    }

    /// Whether there is memory.
    pub(crate) fn has_memory(&self) -> bool {
        let state = self.0.try_borrow();
        state.is_ok_and(|state| matches!(*state, SegmentState::On(_)))
    }

    /// Calls on one communicator follow each other (MPI 5.0, 6.14), so this hardly ever waits:
    /// only a thread that comes while another is about to return.
    #[inline]
    fn enter(&self, comm: &impl Owner) -> AtomicRefMut<'_, SegmentState> {
        match self.0.try_borrow_mut() {
            Ok(state) => state,
            Err(_) => comm.process().wait_until(|_| self.0.try_borrow_mut().ok()),
        }
    }

    /// Runs a call, if it goes through shared memory.
    #[inline]
    pub(crate) fn run(&self, comm: &impl Owner, node_call: &NodeCall) -> Carrier {
        let mut state = self.enter(comm);
        if matches!(*state, SegmentState::Off) || !node_call.is_served() {
            return Carrier::Messages;
        }
        match &mut *state {
            SegmentState::On(joined) => Carrier::Memory(joined.run(comm, node_call)),
            _ => match Shared::meet(comm, node_call, state, || comm.share_memory()) {
                Ok(mut joined) => Carrier::Memory(joined.run(comm, node_call)),
                Err(carrier) => carrier,
            },
        }
    }

    /// Returns the segment for the steps of a call, or what carries the call without one; `meet`
    /// makes and shares it.
    pub(crate) fn segment_for(
        &self,
        comm: &impl Owner,
        node_call: &NodeCall,
        meet: impl FnOnce() -> Result<Option<JoinedSegment>, Error>,
    ) -> Result<AtomicRefMut<'_, JoinedSegment>, Carrier> {
        let state = self.enter(comm);
        match *state {
            SegmentState::On(_) => on(state).ok_or(Carrier::Messages),
            _ => Shared::meet(comm, node_call, state, meet),
        }
    }

    /// Returns the segment for a call where there was none yet, or what carries the call without
    /// one. `meet` makes and shares it. A reduction returns the bits of the later ones: short
    /// vectors are combined in that order too, and for a long one the processes meet.
    #[cold]
    fn meet<'a>(
        comm: &impl Owner,
        node_call: &NodeCall,
        mut state: AtomicRefMut<'a, SegmentState>,
        meet: impl FnOnce() -> Result<Option<JoinedSegment>, Error>,
    ) -> Result<AtomicRefMut<'a, JoinedSegment>, Carrier> {
        let process = comm.process();
        let reduced = node_call
            .reduced()
            .filter(|_| !process.collectives.rules.choose_reductions());
        let by_messages = order_of(comm, node_call).map_or(Carrier::Messages, Carrier::InOrder);
        let long = reduced.is_some_and(|bytes| bytes > IN_ORDER_MAX);
        match &mut *state {
            SegmentState::Untried(calls)
                if *calls < process.collectives.shared.threshold && !long =>
            {
                *calls += 1;
                return Err(by_messages);
            }
            SegmentState::Untried(_) => {}
            _ => return Err(by_messages),
        }
        *state = match meet() {
            Ok(Some(joined)) => SegmentState::On(Box::new(joined)),
            Ok(None) => SegmentState::Refused,
            Err(error) => return Err(Carrier::Memory(Err(error))),
        };
        on(state).ok_or(by_messages)
    }
}

/// Returns the segment of a communicator, if it has one.
fn on(state: AtomicRefMut<'_, SegmentState>) -> Option<AtomicRefMut<'_, JoinedSegment>> {
    AtomicRefMut::filter_map(state, |state| match state {
        SegmentState::On(joined) => Some(&mut **joined),
        _ => None,
    })
}

/// Returns by groups of how many ranks messages combine the operands of a call, so that it returns
/// the bits that it would through shared memory; `None` where that does not matter.
fn order_of(comm: &impl Owner, node_call: &NodeCall) -> Option<u32> {
    let process = comm.process();
    let bytes = node_call.reduced().filter(|bytes| *bytes <= IN_ORDER_MAX)?;
    let crowded = || process.is_crowded(comm.group());
    let size = comm.team().size;
    let radix = || coll_sm::radix_for(&process.collectives.shared, size, crowded(), bytes);
    (!process.collectives.rules.choose_reductions()).then(radix)
}

impl JoinedSegment {
    pub(crate) fn new(member: Member, failed_before: usize) -> JoinedSegment {
        let sharing = Sharing {
            failed_before,
            ranks: None,
        };
        JoinedSegment { member, sharing }
    }

    /// Returns the segment of some ranks of a communicator, in their order.
    pub(crate) fn of_ranks(mut self, ranks: &Arc<[u32]>) -> JoinedSegment {
        self.sharing.ranks = Some(Arc::clone(ranks));
        self
    }

    /// Runs a whole call. In a place where the call is known nothing is left of the choice.
    #[inline(always)]
    fn run(&mut self, comm: &impl Owner, node_call: &NodeCall) -> Result<(), Error> {
        let count = comm.count_shared_call(node_call.signature());
        self.run_as(comm, (count, None), node_call)
    }

    /// Runs a step of the blocking call of a count and call signature.
    #[inline(never)]
    pub(crate) fn step(
        &mut self,
        comm: &impl Owner,
        call: (u64, Signature),
        step: &NodeCall,
    ) -> Result<(), Error> {
        self.member.step_of(call.1.function());
        self.run_as(comm, (call.0, Some(call.1)), step)
    }

    /// Gives up the segment after a failure in another step of a call, so that no other rank waits
    /// for this one.
    #[cold]
    pub(crate) fn give_up(&mut self, comm: &impl Owner, call: (u64, Signature), why: &Error) {
        let (count, whole) = (call.0, Some(call.1));
        let wait = SharedWait {
            lost: Cell::new(is_loss(why)),
            ..SharedWait::new(comm, (count, whole), &NodeCall::Barrier, &self.sharing)
        };
        self.member.give_up(&wait);
    }

    #[inline(always)]
    fn run_as(
        &mut self,
        comm: &impl Owner,
        call: (u64, Option<Signature>),
        node_call: &NodeCall,
    ) -> Result<(), Error> {
        let wait = SharedWait::new(comm, call, node_call, &self.sharing);
        let member = &mut self.member;
        let result = match *node_call {
            NodeCall::Barrier => member.barrier(&wait),
            NodeCall::Bcast(root, buffer) => member.bcast(&wait, root, buffer),
            NodeCall::Gather(root, send, recv) => member.gather(&wait, root, send, recv),
            NodeCall::Scatter(root, send, recv) => member.scatter(&wait, root, send, recv),
            NodeCall::Allgather(send, recv) => member.allgather(&wait, send, recv),
            NodeCall::Alltoall(send, recv) => member.alltoall(&wait, send, recv),
            NodeCall::Reduce(root, reduction, vector) => {
                member.reduce(&wait, root, reduction, vector)
            }
            NodeCall::Allreduce(reduction, vector) => member.allreduce(&wait, reduction, vector),
        };
        match result {
            Ok(()) => Ok(()),
            Err(error) => Err(Error::from(wait.explain(error))),
        }
    }
}

/// Whether a call has failed for a reason that all ranks learn of: a process that has failed, or
/// the revocation of the communicator.
pub(crate) fn is_loss(error: &Error) -> bool {
    matches!(error.class, Class::ProcFailed | Class::Revoked)
}

/// Waits in the engine for what other processes write into shared memory.
struct SharedWait<'a, C> {
    comm: &'a C,
    /// Number of earlier blocking calls.
    count: u64,
    /// The call signature of the call that `node_call` is a step of; `None` if it is the call.
    whole: Option<Signature>,
    node_call: &'a NodeCall<'a>,
    sharing: &'a Sharing,
    /// Whether a failure or a revocation has ended it.
    lost: Cell<bool>,
    /// Whether also a failure before the segment was there ends it.
    expects_loss: Cell<bool>,
    /// Empty polls since messages were last polled.
    empty_polls: Cell<u32>,
    /// Mismatch that a message has shown.
    found: Cell<Option<Mismatch>>,
}

impl<'a, C: Owner> SharedWait<'a, C> {
    #[inline(always)]
    fn new(
        comm: &'a C,
        (count, whole): (u64, Option<Signature>),
        node_call: &'a NodeCall<'a>,
        sharing: &'a Sharing,
    ) -> SharedWait<'a, C> {
        SharedWait {
            comm,
            count,
            whole,
            node_call,
            sharing,
            lost: Cell::new(false),
            expects_loss: Cell::new(false),
            empty_polls: Cell::new(0),
            found: Cell::new(None),
        }
    }

    /// Returns the rank in the communicator of a rank of the segment.
    fn rank_of(&self, rank: u32) -> u32 {
        let ranks = self.sharing.ranks.as_ref();
        ranks.map_or(rank, |ranks| ranks[rank as usize])
    }

    /// Returns how many failures do not end the wait.
    fn failed_before(&self) -> usize {
        match self.expects_loss.get() {
            true => 0,
            false => self.sharing.failed_before,
        }
    }

    fn called(&self) -> Signature {
        self.whole.unwrap_or_else(|| self.node_call.signature())
    }
}

/// Returns how often a wait polls the segment between two polls of the transports.
#[inline]
pub(crate) fn polls(process: &Process) -> usize {
    let polls = process.segment_polls();
    match polls > POLLS_EXPOSED && process.engine.enter().has_windows() {
        true => POLLS_EXPOSED,
        false => polls,
    }
}

impl<C: Owner> Wait for SharedWait<'_, C> {
    #[inline]
    fn until(
        &self,
        ready: impl FnMut() -> bool,
        mut note_sleep: impl FnMut(bool),
    ) -> Result<(), coll::Failure> {
        let stop = |core: &engine::Core| {
            if self.comm.is_revoked() {
                self.lost.set(true);
                let revoked = Error::revoked(self.comm);
                return Some(Box::new(revoked) as coll::Failure);
            }
            if core.failed().len() > self.failed_before() {
                let lost = self.comm.find_lost(core, self.failed_before());
                self.lost.set(lost.is_some());
                return lost.map(|error| Box::new(error) as coll::Failure);
            }
            self.empty_polls.set(self.empty_polls.get() + 1);
            match self.empty_polls.get() < EMPTY_POLLS_MAX {
                true => None,
                false => self.look_at_messages(core),
            }
        };
        let note_sleep = |asleep| {
            // Before and after a sleep.
            self.empty_polls.set(EMPTY_POLLS_MAX);
            note_sleep(asleep);
        };
        let process = self.comm.process();
        process.wait_for_segment(polls(process), ready, stop, note_sleep)
    }

    #[cold]
    fn wake(&self, rank: u32) {
        self.comm.wake(self.rank_of(rank));
    }

    fn signature(&self) -> Option<Signature> {
        Some(self.called())
    }

    fn has_lost(&self) -> bool {
        self.lost.get()
    }

    #[cold]
    fn expect_loss(&self) {
        self.expects_loss.set(true);
    }

    fn name(&self, rank: u32) -> coll::Peer {
        coll::Peer::from(self.rank_of(rank))
    }
}

impl<C: Owner> SharedWait<'_, C> {
    fn label(&self) -> Label {
        C::blocking_label(self.count, self.called())
    }

    /// Searches for a message of a rank that has made another call of this number, one that is made
    /// of messages: nothing will come of it here.
    #[cold]
    fn look_at_messages(&self, core: &engine::Core) -> Option<coll::Failure> {
        self.empty_polls.set(0);
        match self.comm.find_other_call(core, &self.label()) {
            Ok(None) => None,
            Ok(Some(found)) => {
                let text = found.to_string();
                self.found.set(Some(found));
                Some(text.into())
            }
            Err(error) => Some(Box::new(error)),
        }
    }

    /// Returns why the call has failed. Where ranks call differently, those that wait for messages
    /// are notified.
    #[cold]
    fn explain(&self, error: coll::Error) -> coll::Error {
        let error = match self.found.take() {
            Some(found) => coll::Error::Mismatch(Box::new(found)),
            None => error,
        };
        if let coll::Error::Mismatch(mismatch) = &error {
            self.comm.give_up(&self.label(), mismatch.theirs);
        }
        error
    }
}

/// A collective that can begin, whatever its type.
pub trait AnyBegin: Send + Sync {
    /// Begins it by messages; a reduction of `radix` combines as shared memory does.
    fn begin_by(&self, port: &Port, rules: &Rules, radix: Option<u32>) -> Running;
    /// Returns the call, if shared memory could serve it.
    fn any_node_call(&self) -> Option<NodeCall<'_>>;
    /// Returns the call signature of its messages.
    fn any_signature(&self, rules: &Rules) -> Signature;
}

impl<B: Begin> AnyBegin for B {
    fn begin_by(&self, port: &Port, rules: &Rules, radix: Option<u32>) -> Running {
        match radix {
            Some(radix) => self.clone().begin_in_order(port, rules, radix),
            None => self.clone().begin(port, rules),
        }
    }

    fn any_node_call(&self) -> Option<NodeCall<'_>> {
        self.node_call()
    }

    fn any_signature(&self, rules: &Rules) -> Signature {
        self.signature(rules)
    }
}

/// The calls of a communicator, or of a persistent request, that go through shared memory.
pub type SharedSequence<C> = Sequence<SharedCall<C>>;

/// A collective that was started and goes through shared memory.
pub struct SharedCall<C> {
    comm: Arc<C>,
    label: Label,
    begin: Arc<dyn AnyBegin>,
}

impl<C: Owner> Polled for SharedSequence<C> {
    fn advance(&self) -> Progress {
        Sequence::advance(self)
    }

    fn retire(&self) -> bool {
        Sequence::retire(self)
    }

    fn announce_sleep(&self) {
        Sequence::announce_sleep(self);
    }

    fn end_sleep(&self) {
        Sequence::end_sleep(self);
    }

    fn has_any(&self, planes: Planes) -> bool {
        let is_own = |call: &SharedCall<C>| call.comm.planes().local == planes.local;
        self.oldest(is_own) == Some(true)
    }
}

impl<C: Owner> StartedCall for SharedCall<C> {
    type ByMessages = Arc<Mutex<Call>>;
    type Error = Error;

    #[inline]
    fn node_call(&self) -> NodeCall<'_> {
        // Only calls with a node_call come here.
        self.begin.any_node_call().unwrap_or(NodeCall::Barrier)
    }

    #[cold]
    fn wake(&self, rank: u32) {
        self.comm.wake(rank);
    }

    fn begin_by_messages(&self) -> Arc<Mutex<Call>> {
        let rules = self.comm.rules();
        let radix = order_of(&*self.comm, &self.node_call());
        let begin = |port: &Port| self.begin.begin_by(port, rules, radix);
        // As on a rank that knew before the call that there is no shared memory.
        let label = self.label.with_signature(self.begin.any_signature(rules));
        self.comm.start(label, begin)
    }

    fn outcome(by_messages: &Arc<Mutex<Call>>) -> Option<Result<(), Error>> {
        let call = by_messages.try_lock()?;
        let outcome = || call.failure().cloned().map_or(Ok(()), Err);
        call.is_over().then(outcome)
    }

    #[cold]
    fn failed(&self, error: coll::Error) -> Error {
        let engine = &self.comm.process().engine;
        if let coll::Error::Mismatch(mismatch) = &error {
            self.comm.give_up(&self.label, mismatch.theirs);
        }
        engine.enter().note_failure();
        self.comm.note_failure();
        Error::from(error)
    }

    fn obstacle(&self, failed_before: usize, look: bool) -> Option<Error> {
        let core = self.comm.process().engine.enter();
        let lost = match core.failed().len() > failed_before {
            _ if self.comm.is_revoked() => Some(Error::revoked(&*self.comm)),
            true => self.comm.find_lost(&core, failed_before),
            false => None,
        };
        let found = match (lost, look) {
            (Some(error), _) => Err(error),
            (None, false) => return None,
            (None, true) => self.comm.find_other_call(&core, &self.label),
        };
        drop(core);
        let error = match found {
            Ok(None) => return None,
            Ok(Some(mismatch)) => {
                self.comm.give_up(&self.label, mismatch.theirs);
                Error::from(coll::Error::Mismatch(Box::new(mismatch)))
            }
            Err(error) => error,
        };
        self.comm.process().engine.enter().note_failure();
        self.comm.note_failure();
        Some(error)
    }
}

/// A collective that was started.
pub(crate) enum BegunCollective<C: Owner> {
    /// A call by messages.
    ByMessages(Arc<Mutex<Call>>),
    /// A call of a sequence, by its number.
    InSequence(Arc<SharedSequence<C>>, u64),
    /// A complete call.
    Complete(Result<(), Error>),
}

impl<C: Owner> SharedCall<C> {
    pub(crate) fn new(comm: Arc<C>, label: Label, begin: Arc<dyn AnyBegin>) -> SharedCall<C> {
        SharedCall { comm, label, begin }
    }

    /// Does with a call that is started what its sequence says.
    pub(crate) fn go_on(
        self,
        started: CallStart<SharedCall<C>>,
        sequence: &Arc<SharedSequence<C>>,
    ) -> BegunCollective<C> {
        match started {
            CallStart::Messages | CallStart::Join => {
                let rules = self.comm.rules();
                let begin = |port: &Port| self.begin.begin_by(port, rules, None);
                BegunCollective::ByMessages(self.comm.start(self.label, begin))
            }
            CallStart::MessagesForNow => BegunCollective::ByMessages(self.begin_by_messages()),
            CallStart::Complete(result) => {
                BegunCollective::Complete(result.map_err(|error| self.failed(error)))
            }
            CallStart::Broken(error) => BegunCollective::Complete(Err(error)),
            CallStart::Pending(ticket) => {
                let process = self.comm.process().clone();
                let (number, is_new) = ticket.queue(self);
                if is_new {
                    process.calls.poll(sequence.clone());
                }
                BegunCollective::InSequence(sequence.clone(), number)
            }
        }
    }
}
