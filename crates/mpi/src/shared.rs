//! Decides when a communicator's collectives use shared memory (`coll_sm`), and runs them.
//!
//! A communicator has shared memory from its n-th blocking call on that could use it
//! (`coll_sm_threshold`), so that thousands of communicators cost nothing. All processes count
//! alike. Then process 0 creates a segment, the others attach it, and each learns whether all
//! could. If one could not, the communicator goes on by messages, and the log says why.

use std::cell::Cell;

use atomic_refcell::{AtomicRefCell, AtomicRefMut};
use coll::{Blocks, Function, Mismatch, Reduction, Signature, Vector};
use coll_sm::{Handshake, Member, Wait};
use datatype::Buffer;
use pml::Pml;

use crate::call::Label;
use crate::segment::{first_apart, Sharers};
use crate::{Comm, Error, Group, Process};

/// Polls of the segment between two polls of the transports while others may access this process's
/// memory by messages: they wait for it.
const POLLS_EXPOSED: usize = 4;
/// Bytes of a vector up to which messages may carry a reduction before there is shared memory, and
/// yet return equal bits: rank 0 then combines all.
const IN_ORDER_MAX: usize = 64 << 10;
/// Empty polls between two polls of the messages of ranks that may have called another collective.
const VAIN_MAX: u32 = 1024;

/// A blocking collective call that shared memory serves, with its arguments.
pub enum Shape<'a> {
    /// `MPI_Barrier`.
    Barrier,
    /// `MPI_Bcast` from a root.
    Bcast(u32, &'a Buffer),
    /// `MPI_Gather` to a root: what this process sends, and all blocks.
    Gather(u32, Option<&'a Buffer>, Option<&'a Buffer>),
    /// `MPI_Scatter` from a root: all blocks, and where this process's goes.
    Scatter(u32, Option<&'a Buffer>, Option<&'a Buffer>),
    /// `MPI_Allgather` of blocks of one length.
    Allgather(Option<&'a Buffer>, &'a Blocks),
    /// `MPI_Alltoall` of blocks of one length.
    Alltoall(Option<&'a Blocks>, &'a Blocks),
    /// `MPI_Reduce` to a root.
    Reduce(u32, &'a Reduction, &'a Vector),
    /// `MPI_Allreduce`.
    Allreduce(&'a Reduction, &'a Vector),
}

impl Shape<'_> {
    /// Whether it is served, which depends on what all processes know.
    fn is_served(&self) -> bool {
        match self {
            Shape::Reduce(_, reduction, _) | Shape::Allreduce(reduction, _) => {
                coll_sm::can_reduce(&reduction.datatype)
            }
            Shape::Allgather(_, blocks) | Shape::Alltoall(_, blocks) => {
                matches!(blocks, Blocks::Even { .. })
            }
            _ => true,
        }
    }
}

impl Shape<'_> {
    /// The bytes of a vector that is reduced.
    fn reduced(&self) -> Option<usize> {
        match self {
            Shape::Reduce(_, _, vector) | Shape::Allreduce(_, vector) => {
                let operand = vector.send.as_ref().or(vector.recv.as_ref());
                Some(operand.map_or(0, Buffer::len))
            }
            _ => None,
        }
    }

    /// Returns the call signature that all processes must agree on. A call through shared memory
    /// sees lengths that differ anyway.
    fn signature(&self) -> Signature {
        let rooted = |function, root| Signature::new(function).with_root(Some(root));
        match *self {
            Shape::Barrier => Signature::new(Function::Barrier),
            Shape::Bcast(root, _) => rooted(Function::Bcast, root),
            Shape::Gather(root, ..) => rooted(Function::Gather, root),
            Shape::Scatter(root, ..) => rooted(Function::Scatter, root),
            Shape::Allgather(..) => Signature::new(Function::Allgather),
            Shape::Alltoall(..) => Signature::new(Function::Alltoall),
            Shape::Reduce(root, reduction, _) => {
                let signature = Signature::new(Function::Reduce).with_operator(reduction);
                signature.with_root(Some(root))
            }
            Shape::Allreduce(reduction, _) => {
                Signature::new(Function::Allreduce).with_operator(reduction)
            }
        }
    }
}

/// Shared memory of a communicator.
pub(crate) struct Shared(AtomicRefCell<SegmentState>);

enum SegmentState {
    /// No segment yet, after this many calls.
    Untried(u32),
    /// The processes could not make a segment: there will be no other attempt.
    Refused,
    /// There can be none.
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

struct JoinedSegment {
    member: Member,
    /// Processes that the engine had given up before: others of their name may live now.
    failed_before: usize,
}

impl Shared {
    /// Returns the state of a new communicator of one group.
    pub(crate) fn new(process: &Process, group: &Group, is_inter: bool) -> Shared {
        let nodes = &process.identity.nodes;
        let node = |peer: &base::PeerId| nodes.get(peer.index());
        let peers = group.peers();
        let together = peers.len() > 1 && peers.iter().all(|peer| node(peer) == node(&peers[0]));
        let possible = together && !is_inter && process.shared.is_enabled();
        Shared(AtomicRefCell::new(match possible {
            true => SegmentState::Untried(0),
            false => SegmentState::Off,
        }))
    }

    /// Calls on one communicator follow each other (MPI 5.0, 6.14), so hardly anybody waits here:
    /// only a thread that comes while another is about to return.
    #[inline]
    fn enter(&self, comm: &Comm) -> AtomicRefMut<'_, SegmentState> {
        match self.0.try_borrow_mut() {
            Ok(state) => state,
            Err(_) => comm.process().wait_until(|_| self.0.try_borrow_mut().ok()),
        }
    }

    /// Runs a call, if it goes through shared memory.
    #[inline]
    pub(crate) fn run(&self, comm: &Comm, shape: &Shape) -> Carrier {
        let mut state = self.enter(comm);
        if matches!(*state, SegmentState::Off) || !shape.is_served() {
            return Carrier::Messages;
        }
        match &mut *state {
            SegmentState::On(joined) => Carrier::Memory(joined.run(comm, shape)),
            _ => self.run_apart(comm, shape, state),
        }
    }

    /// Runs a call where there is no shared memory yet. A reduction returns the bits of the later
    /// ones: short vectors are combined in that order too, and for a long one the processes meet.
    #[cold]
    fn run_apart(
        &self,
        comm: &Comm,
        shape: &Shape,
        mut state: AtomicRefMut<SegmentState>,
    ) -> Carrier {
        let process = comm.process();
        let reduced = shape
            .reduced()
            .filter(|_| !process.rules.choose_reductions());
        let by_messages = match reduced {
            Some(bytes) if bytes <= IN_ORDER_MAX => {
                let (settings, crowded) = (&process.shared, !process.engine.spins());
                Carrier::InOrder(coll_sm::radix_for(settings, comm.size(), crowded, bytes))
            }
            _ => Carrier::Messages,
        };
        let long = reduced.is_some_and(|bytes| bytes > IN_ORDER_MAX);
        match &mut *state {
            SegmentState::Untried(calls) if *calls < process.shared.threshold && !long => {
                *calls += 1;
                return by_messages;
            }
            SegmentState::Untried(_) => {}
            _ => return by_messages,
        }
        match comm.share_memory() {
            Ok(Some(mut joined)) => {
                let result = joined.run(comm, shape);
                *state = SegmentState::On(Box::new(joined));
                Carrier::Memory(result)
            }
            Ok(None) => {
                *state = SegmentState::Refused;
                by_messages
            }
            Err(error) => Carrier::Memory(Err(error)),
        }
    }
}

impl JoinedSegment {
    #[inline]
    fn run(&mut self, comm: &Comm, shape: &Shape) -> Result<(), Error> {
        let process = comm.process();
        let wait = SharedWait {
            process,
            shape,
            comm,
            count: comm.count_shared_call(shape.signature()),
            failed_before: self.failed_before,
            polls: polls(process),
            vain: Cell::new(0),
            found: Cell::new(None),
        };
        let member = &mut self.member;
        let result = match *shape {
            Shape::Barrier => member.barrier(&wait),
            Shape::Bcast(root, buffer) => member.bcast(&wait, root, buffer),
            Shape::Gather(root, send, recv) => member.gather(&wait, root, send, recv),
            Shape::Scatter(root, send, recv) => member.scatter(&wait, root, send, recv),
            Shape::Allgather(send, recv) => member.allgather(&wait, send, recv),
            Shape::Alltoall(send, recv) => member.alltoall(&wait, send, recv),
            Shape::Reduce(root, reduction, vector) => member.reduce(&wait, root, reduction, vector),
            Shape::Allreduce(reduction, vector) => member.allreduce(&wait, reduction, vector),
        };
        match result {
            Ok(()) => Ok(()),
            Err(error) => Err(Error::from(wait.explain(error))),
        }
    }
}

/// Waits in the engine for what other processes write into shared memory.
struct SharedWait<'a> {
    process: &'a Process,
    shape: &'a Shape<'a>,
    comm: &'a Comm,
    /// How many blocking calls were before this one.
    count: u64,
    failed_before: usize,
    polls: usize,
    /// Empty polls since messages were last polled.
    vain: Cell<u32>,
    /// Mismatch that a message has shown.
    found: Cell<Option<Mismatch>>,
}

/// Returns how often a wait polls the segment between two polls of the transports.
fn polls(process: &Process) -> usize {
    let polls = process.segment_polls();
    match polls > POLLS_EXPOSED && process.engine.enter().has_windows() {
        true => POLLS_EXPOSED,
        false => polls,
    }
}

impl Wait for SharedWait<'_> {
    #[inline]
    fn until(
        &self,
        ready: impl FnMut() -> bool,
        mut doze: impl FnMut(bool),
    ) -> Result<(), coll::Failure> {
        let stop = |core: &engine::Core| {
            if core.failed().len() > self.failed_before {
                let lost = self.lost(core);
                return lost.map(|error| Box::new(error) as coll::Failure);
            }
            self.vain.set(self.vain.get() + 1);
            match self.vain.get() < VAIN_MAX {
                true => None,
                false => self.look_at_messages(core),
            }
        };
        let doze = |asleep| {
            // Before and after a sleep.
            self.vain.set(VAIN_MAX);
            doze(asleep);
        };
        (self.process).wait_for_segment(self.polls, ready, stop, doze)
    }

    #[cold]
    fn wake(&self, rank: u32) {
        let group = self.comm.group();
        self.process.engine.wake(group.peers()[rank as usize]);
    }

    fn signature(&self) -> Option<Signature> {
        Some(self.shape.signature())
    }
}

impl SharedWait<'_> {
    fn label(&self) -> Label {
        Comm::blocking_label(self.count, self.shape.signature())
    }

    /// Searches for a message of a rank that has made another call of this number, one that is made
    /// of messages: nothing will come of it here.
    #[cold]
    fn look_at_messages(&self, core: &engine::Core) -> Option<coll::Failure> {
        self.vain.set(0);
        let (label, plane) = (self.label(), self.comm.planes().local);
        let differs = |tag| label.other(tag).is_some();
        let Some(seen) = core.find_unexpected(plane, &differs) else {
            let past = self.comm.check_past(core);
            return past.err().map(|error| Box::new(error) as coll::Failure);
        };
        let found = Mismatch {
            peer: coll::Peer::from(seen.source?.0).to_string(),
            theirs: label.other(seen.tag)?,
            rank: self.comm.rank(),
            ours: Some(self.shape.signature()),
            ranks: self.comm.size(),
        };
        let text = found.to_string();
        self.found.set(Some(found));
        Some(text.into())
    }

    /// Why the call has failed. Where ranks call differently, those that wait for messages hear it.
    #[cold]
    fn explain(&self, error: coll::Error) -> coll::Error {
        let error = match self.found.take() {
            Some(found) => coll::Error::Mismatch(Box::new(found)),
            None => error,
        };
        if let coll::Error::Mismatch(mismatch) = &error {
            let (plane, team) = (self.comm.planes().local, self.comm.team());
            let team = (team.rank, team.size);
            self.label()
                .give_up(&self.process.engine, plane, team, mismatch);
        }
        error
    }

    /// The first process of the group that has died.
    #[cold]
    fn lost(&self, core: &engine::Core) -> Option<Error> {
        let failed = &core.failed()[self.failed_before..];
        let (peer, why) = failed
            .iter()
            .find(|(peer, _)| self.comm.group().contains(*peer))?;
        Some(Error::lost(*peer, why))
    }
}

impl Comm {
    /// Creates or attaches the communicator's segment. `None` when one process could not.
    #[cold]
    fn share_memory(&self) -> Result<Option<JoinedSegment>, Error> {
        let process = self.process();
        let (settings, sharers) = (process.shared, Sharers::all(self));
        let create = || Handshake::create(settings, self.size(), !process.engine.spins());
        let attach = |invitation: &_| Handshake::attach(settings, self.size(), invitation);
        let mut handshake = sharers.invite(self, create, attach)?;
        let (failed_before, apart) = {
            let core = process.engine.enter();
            (core.failed().len(), first_apart(self, &core))
        };
        if let Some(peer) = apart {
            handshake.refuse(format!("messages to {peer} go another way"));
        }
        if let Some(why) = handshake.failure() {
            log::info!(target: "coll::sm", "{self} goes by messages: {why}");
        }
        let statuses = sharers.exchange(self, &handshake.status())?;
        let copies = u64::from(handshake.may_copy(&statuses));
        let copies = sharers.exchange(self, &copies.to_le_bytes())?;
        let copies = copies.iter().all(|may| u64::from_le_bytes(*may) == 1);
        let member = handshake.complete(self.rank(), &statuses, copies);
        if member.is_some() {
            let how = if copies { "with" } else { "without" };
            log::debug!(target: "coll::sm", "{self} shares memory, {how} single copies");
        }
        Ok(member.map(|member| JoinedSegment {
            member,
            failed_before,
        }))
    }
}
