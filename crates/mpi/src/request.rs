//! Requests: pending operations that a program can wait for (MPI 5.0, 3.7 and 3.9).

use base::Mutex;
use std::sync::Arc;

use base::Rank;
use coll::{Port, Running};
use datatype::Buffer;
use engine::Core;
use memory::Scratch;
use pml::{Pattern, Pml, RequestId, Tag};

use crate::begin::Begin;
use crate::call::{Call, Label};
use crate::outcome::{Outcome, SendMode, FROM_NOBODY, NO_PARTNER};
use crate::partitioned::{Pairing, Transfers};
use crate::shared_calls::Repeated;
use crate::shared_memory::{self, BegunCollective, SharedSequence};
use crate::{Class, Comm, Error, Process};

/// A pending operation whose end the application will test or wait for.
pub enum Request {
    /// Complete already.
    Done(Outcome),
    /// A message.
    Message(RequestId),
    /// A partitioned operation.
    Partitioned(Box<Transfers>),
    /// A non-blocking collective by messages.
    Collective(Collective),
    /// A non-blocking collective through shared memory.
    Sequenced(Sequenced),
    /// A non-blocking collective whose end is for the library to interpret.
    Concluding(Box<Concluding>),
    /// An access to a window.
    Access(osc::OpId),
    /// An operation that can be started again and again.
    Persistent(Box<Persistent>),
    /// An operation of the application's own.
    Generalized(Arc<dyn Generalized>),
    /// An access to a file that proceeds while the application computes.
    Background(Box<dyn Background>),
    /// A send and a receive that are one operation, and the memory that the send needs.
    Pair(Box<Pair>),
    /// An agreement of a communicator's members.
    Agreed(Box<dyn Decision>),
    /// Something else that the library waits for.
    Other(Box<dyn FnMut(&mut Core) -> bool + Send>),
}

/// A decision that the members of a communicator come to.
pub trait Decision: Send {
    /// Whether it is made.
    fn is_done(&self) -> bool;

    /// Returns the outcome, once it is made.
    fn finish(&mut self) -> Outcome;
}

/// An operation that proceeds while the application computes, without the engine.
pub trait Background: Send {
    /// Whether it is over.
    fn is_over(&self) -> bool;

    /// Returns the outcome; `None` before the end.
    fn outcome(&self) -> Option<Outcome>;
}

/// The halves of a non-blocking send-receive.
pub struct Pair {
    sent: Request,
    received: Request,
    /// The half that has not failed was cancelled.
    withdrawn: bool,
    _copy: Option<Scratch>,
}

impl Pair {
    /// Whether both halves are complete. A half that the failure of the other has made pointless is
    /// cancelled.
    fn is_done(&mut self, core: &mut Core) -> bool {
        if self.pending_failure(core).is_some() {
            return true;
        }
        let (sent, received) = (self.sent.is_done(core), self.received.is_done(core));
        if sent != received && !self.withdrawn {
            let (ended, other) = match sent {
                true => (&mut self.sent, &mut self.received),
                false => (&mut self.received, &mut self.sent),
            };
            let result = ended.peek(core).result;
            if result.is_err_and(|error| error.class != Class::Truncate) {
                other.withdraw(core);
                self.withdrawn = true;
                return self.sent.is_done(core) && self.received.is_done(core);
            }
        }
        sent && received
    }

    /// Returns the outcome `MPI_ERR_PROC_FAILED_PENDING` while the receive goes on, if it is from
    /// any source and a process that may have been its sender has failed.
    pub fn pending_failure(&mut self, core: &mut Core) -> Option<Outcome> {
        if !self.received.is_done(core) {
            return None;
        }
        let outcome = self.received.peek(core);
        let is_pending = |error: &Error| error.class == Class::ProcFailedPending;
        outcome
            .result
            .as_ref()
            .is_err_and(is_pending)
            .then_some(outcome)
    }
}

/// A pending non-blocking collective, made of messages.
pub struct Collective(Arc<Mutex<Call>>);

/// A pending collective call, and what makes an outcome of its result.
pub struct Concluding {
    call: Arc<Mutex<Call>>,
    conclude: Option<Conclude>,
}

/// Makes an outcome of the result of a call.
pub type Conclude = Box<dyn FnOnce(Result<(), Error>) -> Outcome + Send>;

impl Concluding {
    fn finish(&mut self) -> Outcome {
        let result = self.call.lock().take_result().unwrap_or(Ok(()));
        match self.conclude.take() {
            Some(conclude) => conclude(result),
            None => NO_PARTNER,
        }
    }
}

/// A pending non-blocking collective that goes through shared memory.
#[derive(Clone)]
pub struct Sequenced {
    sequence: Arc<SharedSequence<Comm>>,
    number: u64,
}

impl Sequenced {
    /// Waits until the call is complete, and no longer when `stop` says so. Whether it is complete.
    #[inline]
    pub fn wait(&self, process: &Process, mut stop: impl FnMut(&Core) -> bool + Send) -> bool {
        // Outside the engine: operators of the application run in here.
        if self.sequence.completes(self.number) {
            return true;
        }
        let polls = shared_memory::polls(process);
        loop {
            let is_due = |core: &mut Core| match self.sequence.is_due(self.number, polls) {
                true => Some(true),
                false => stop(core).then_some(false),
            };
            if !process.wait_until(is_due) {
                return false;
            }
            if self.sequence.completes(self.number) {
                return true;
            }
        }
    }

    /// Returns how the call ended; `None` while it is pending.
    fn outcome(&self) -> Option<Result<(), Error>> {
        self.sequence.outcome(self.number)
    }
}

/// A collective that a persistent request starts.
pub struct RepeatedCollective(Repeated);

/// An operation that the application completes itself (MPI 5.0, 13.2).
pub trait Generalized: Send + Sync {
    /// Whether the application has called it complete.
    fn is_complete(&self) -> bool;
    /// Returns the status by the application's callback.
    fn query(&self) -> Outcome;
    /// Lets the application free its state; runs its callback, once, as the last of all.
    ///
    /// # Errors
    /// The error that the application returns.
    fn free(&self) -> Result<(), Error>;
    /// Calls it complete.
    fn complete(&self);
    /// Runs the application's callback that cancels.
    ///
    /// # Errors
    /// The error that the application returns.
    fn cancel(&self) -> Result<(), Error>;
}

/// An operation that can be started again and again.
pub struct Persistent {
    operation: Operation,
    active: Option<Request>,
}

/// Operation that a persistent request starts each time.
pub enum Operation {
    /// Sends.
    Send {
        /// The communicator.
        comm: Arc<Comm>,
        /// The receiver; `None` for `MPI_PROC_NULL`.
        to: Option<Rank>,
        /// The tag.
        tag: Tag,
        /// The elements to send.
        buffer: Buffer,
        /// How.
        mode: SendMode,
    },
    /// Receives.
    Recv {
        /// The communicator.
        comm: Arc<Comm>,
        /// The messages to accept; `None` for `MPI_PROC_NULL`.
        pattern: Option<Pattern>,
        /// The memory to receive into.
        buffer: Buffer,
    },
    /// Runs a collective.
    Collective(RepeatedCollective),
    /// Sends in partitions (MPI 5.0, 4.2).
    PartitionedSend {
        /// The communicator.
        comm: Arc<Comm>,
        /// The receiver and the tag ([`Comm::pair`]); `None` for `MPI_PROC_NULL`.
        to: Option<Arc<Pairing>>,
        /// The memory of all partitions.
        buffer: Buffer,
        /// Which partitions are ready.
        ready: Vec<bool>,
    },
    /// Receives in partitions.
    PartitionedRecv {
        /// The communicator.
        comm: Arc<Comm>,
        /// The sender and the tag ([`Comm::pair`]); `None` for `MPI_PROC_NULL`.
        from: Option<Arc<Pairing>>,
        /// The memory of all partitions.
        buffer: Buffer,
        /// Number of partitions.
        partitions: usize,
    },
}

impl Operation {
    fn is_partitioned(&self) -> bool {
        matches!(
            self,
            Operation::PartitionedSend { .. } | Operation::PartitionedRecv { .. }
        )
    }
}

impl Comm {
    /// Starts a collective and gives its request.
    pub fn start_collective(self: &Arc<Comm>, begin: impl Begin) -> Request {
        Request::of_collective(self.start_next(begin))
    }

    pub(crate) fn start_labelled(
        self: &Arc<Comm>,
        label: Label,
        begin: impl FnOnce(&Port) -> Running,
    ) -> Request {
        Request::Collective(Collective(self.start(label, begin)))
    }
}

impl Request {
    fn of_collective(begun: BegunCollective<Comm>) -> Request {
        match begun {
            BegunCollective::ByMessages(call) => Request::Collective(Collective(call)),
            BegunCollective::InSequence(sequence, number) => {
                Request::Sequenced(Sequenced { sequence, number })
            }
            BegunCollective::Complete(Ok(())) => Request::Done(NO_PARTNER),
            BegunCollective::Complete(Err(error)) => Request::Done(Outcome::failed(error)),
        }
    }

    /// A call whose end `conclude` interprets.
    pub fn concluding(call: Arc<Mutex<Call>>, conclude: Conclude) -> Request {
        Request::Concluding(Box::new(Concluding {
            call,
            conclude: Some(conclude),
        }))
    }

    /// An operation made of a send and a receive. Its status is that of the receive.
    pub fn pair(sent: Request, received: Request, copy: Option<Scratch>) -> Request {
        Request::Pair(Box::new(Pair {
            sent,
            received,
            withdrawn: false,
            _copy: copy,
        }))
    }

    /// Whether the operation is complete; an inactive persistent one is.
    #[inline]
    pub fn is_done(&mut self, core: &mut Core) -> bool {
        match self {
            Request::Done(_) => true,
            Request::Message(request) => core.is_done(*request),
            Request::Partitioned(transfers) => transfers.are_over(core),
            // Another thread that advances it will be done with it soon.
            Request::Collective(Collective(call)) => {
                call.try_lock().is_some_and(|call| call.is_over())
            }
            Request::Concluding(pending) => {
                let call = pending.call.try_lock();
                call.is_some_and(|call| call.is_over())
            }
            Request::Sequenced(call) => call.outcome().is_some(),
            Request::Access(access) => core.is_access_done(*access),
            Request::Persistent(persistent) => persistent
                .active
                .as_mut()
                .is_none_or(|active| active.is_done(core)),
            Request::Generalized(generalized) => generalized.is_complete(),
            Request::Background(pending) => pending.is_over(),
            Request::Pair(pair) => pair.is_done(core),
            Request::Agreed(agreed) => agreed.is_done(),
            Request::Other(done) => done(core),
        }
    }

    /// Returns the collective through shared memory that it is, or has started.
    #[inline]
    pub fn sequenced(&self) -> Option<&Sequenced> {
        match self {
            Request::Sequenced(call) => Some(call),
            Request::Persistent(persistent) => match &persistent.active {
                Some(Request::Sequenced(call)) => Some(call),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether waiting for it can be left out: a persistent request that was not started.
    pub fn is_inactive(&self) -> bool {
        match self {
            Request::Persistent(persistent) => persistent.active.is_none(),
            _ => false,
        }
    }

    /// The outcome of a complete operation. A persistent request is inactive afterwards, any
    /// other is over. Calls no user code but that of a generalized request.
    pub fn finish(&mut self, process: &Process) -> Outcome {
        match self {
            Request::Done(outcome) => outcome.clone(),
            Request::Message(request) => process.wait(*request).into(),
            Request::Partitioned(transfers) => {
                process.wait_until(|core| transfers.are_over(core).then_some(()));
                transfers.outcome()
            }
            Request::Collective(Collective(call)) => match call.lock().take_result() {
                Some(Err(error)) => Outcome::failed(error),
                _ => NO_PARTNER,
            },
            Request::Concluding(pending) => pending.finish(),
            Request::Sequenced(Sequenced { sequence, number }) => {
                match sequence.take_outcome(*number) {
                    Ok(()) => NO_PARTNER,
                    Err(error) => Outcome::failed(error),
                }
            }
            Request::Access(access) => {
                let mut core = process.engine.enter();
                let ended = core.access_outcome(*access);
                accessed(ended)
            }
            Request::Persistent(persistent) => match persistent.active.take() {
                Some(mut active) => active.finish(process),
                None => NO_PARTNER,
            },
            Request::Generalized(generalized) => {
                let asked = generalized.query();
                // The error of the callback that was called last counts (MPI 5.0, 13.2).
                let result = generalized.free().and(asked.result);
                Outcome { result, ..asked }
            }
            Request::Pair(pair) => {
                let sent = pair.sent.finish(process).result;
                let received = pair.received.finish(process);
                Outcome {
                    result: sent.and(received.result),
                    ..received
                }
            }
            Request::Background(pending) => pending.outcome().unwrap_or(NO_PARTNER),
            Request::Agreed(agreed) => agreed.finish(),
            Request::Other(_) => NO_PARTNER,
        }
    }

    /// The outcome of a complete operation, which stays as it is.
    pub fn peek(&self, core: &mut Core) -> Outcome {
        match self {
            Request::Done(outcome) => outcome.clone(),
            Request::Message(request) => core
                .peek_outcome(*request)
                .map_or(NO_PARTNER, Outcome::from),
            Request::Partitioned(transfers) => transfers.outcome(),
            Request::Persistent(persistent) => match &persistent.active {
                Some(active) => active.peek(core),
                None => NO_PARTNER,
            },
            Request::Pair(pair) => {
                let received = pair.received.peek(core);
                let sent = pair.sent.peek(core).result;
                Outcome {
                    result: sent.and(received.result),
                    ..received
                }
            }
            Request::Access(access) => accessed(core.peek_access_outcome(*access)),
            Request::Collective(Collective(call)) => {
                let failure = call.try_lock().and_then(|call| call.failure().cloned());
                failure.map_or(NO_PARTNER, Outcome::failed)
            }
            Request::Sequenced(call) => match call.outcome() {
                Some(Err(error)) => Outcome::failed(error),
                _ => NO_PARTNER,
            },
            Request::Background(pending) => pending.outcome().unwrap_or(NO_PARTNER),
            Request::Generalized(_) | Request::Agreed(_) | Request::Other(_) => NO_PARTNER,
            // The result is known; the bytes are known when the request is finished.
            Request::Concluding(pending) => {
                let call = pending.call.try_lock();
                let failure = call.and_then(|call| call.failure().cloned());
                failure.map_or(NO_PARTNER, Outcome::failed)
            }
        }
    }

    /// Whether the operation is complete and has failed.
    pub fn has_failed(&mut self, core: &mut Core) -> bool {
        self.is_done(core) && self.peek(core).result.is_err()
    }

    /// Waits until the operation is complete.
    pub fn wait(&mut self, process: &Process) -> Outcome {
        if let Request::Message(request) = self {
            return process.wait(*request).into();
        }
        match self.sequenced() {
            Some(call) => _ = call.wait(process, |_| false),
            None => process.wait_until(|core| self.is_done(core).then_some(())),
        }
        self.finish(process)
    }

    /// Requests that the operation be cancelled; its status shows whether it was. Of what MPI does
    /// not let a program cancel, says so.
    ///
    /// # Errors
    /// `Request` for a partitioned operation, a collective or an access to a window.
    pub fn cancel(&mut self, core: &mut Core) -> Result<(), Error> {
        if let Some(what) = self.irrevocable() {
            let text = format!("the request is of {what}, which cannot be cancelled");
            return Err(Error::new(Class::Request, text));
        }
        self.withdraw(core);
        Ok(())
    }

    /// Fails if the request must not be freed yet: an active partitioned one, whose counterpart
    /// would wait for partitions that nobody can make ready any more.
    ///
    /// # Errors
    /// `Request`.
    pub fn check_free(&self) -> Result<(), Error> {
        match self {
            Request::Persistent(persistent)
                if persistent.is_active() && persistent.operation.is_partitioned() =>
            {
                let text = "the request is of a partitioned operation that was started: complete \
                            it by MPI_Wait or MPI_Test first";
                Err(Error::new(Class::Request, text))
            }
            _ => Ok(()),
        }
    }

    /// Returns its kind, if it can never be cancelled (MPI 5.0, 4.2.1, 6.12 and 12.3.5).
    fn irrevocable(&self) -> Option<&'static str> {
        match self {
            Request::Persistent(persistent) => match &persistent.operation {
                operation if operation.is_partitioned() => Some("a partitioned operation"),
                Operation::Collective(_) => Some("a collective operation"),
                _ => None,
            },
            Request::Collective(_)
            | Request::Sequenced(_)
            | Request::Concluding(_)
            | Request::Agreed(_) => Some("a collective operation"),
            Request::Access(_) => Some("an access to a window"),
            _ => None,
        }
    }

    fn withdraw(&mut self, core: &mut Core) {
        match self {
            Request::Message(request) => {
                core.cancel(*request);
            }
            Request::Persistent(persistent) => {
                if let Some(active) = &mut persistent.active {
                    active.withdraw(core);
                }
            }
            _ => {}
        }
    }

    /// Lets the operation end by itself: it will not be tested.
    ///
    /// The value is dropped afterwards, outside the engine: it may hold the last reference to a
    /// communicator, which enters the engine to close.
    pub fn forget(&mut self, core: &mut Core) {
        match self {
            Request::Message(request) => core.detach(*request),
            Request::Partitioned(transfers) => transfers.each(|request| core.detach(request)),
            Request::Access(access) => core.detach_access(*access),
            Request::Pair(pair) => {
                pair.sent.forget(core);
                pair.received.forget(core);
            }
            Request::Persistent(persistent) => {
                if let Some(active) = &mut persistent.active {
                    active.forget(core);
                }
            }
            _ => {}
        }
    }
}

/// Returns the outcome of an access to a window, which receives nothing that a status could hold.
fn accessed(ended: Option<Result<(), osc::Error>>) -> Outcome {
    match ended {
        Some(Err(error)) => Outcome::failed(error.into()),
        _ => NO_PARTNER,
    }
}

impl Persistent {
    /// Returns the request of a collective that is not started.
    pub fn collective(comm: Arc<Comm>, begin: impl Begin) -> Request {
        let call = RepeatedCollective(Repeated::new(comm, begin));
        Persistent::request(Operation::Collective(call))
    }

    /// Returns the request of a persistent operation that is not started.
    pub fn request(operation: Operation) -> Request {
        Request::Persistent(Box::new(Persistent {
            operation,
            active: None,
        }))
    }

    /// Whether it was started and not completed.
    pub fn is_active(&self) -> bool {
        self.active.is_some()
    }

    /// Starts the operation.
    ///
    /// # Errors
    /// In buffered mode, when there is no room.
    pub fn start(&mut self) -> Result<(), Error> {
        let active = match &mut self.operation {
            Operation::Send {
                comm,
                to,
                tag,
                buffer,
                mode,
            } => comm.start_send(*to, *tag, buffer.clone(), *mode)?,
            Operation::Recv {
                comm,
                pattern,
                buffer,
            } => comm.start_recv(*pattern, buffer.clone()),
            Operation::Collective(RepeatedCollective(call)) => Request::of_collective(call.start()),
            Operation::PartitionedSend {
                comm,
                to,
                buffer,
                ready,
            } => {
                ready.fill(false);
                match to {
                    None => Request::Done(NO_PARTNER),
                    Some(to) => {
                        let core = &mut comm.process().engine.enter();
                        let transfers = Transfers::send(core, comm, to, buffer, ready.len());
                        Request::Partitioned(Box::new(transfers))
                    }
                }
            }
            Operation::PartitionedRecv {
                comm, from, buffer, ..
            } => match from {
                None => Request::Done(FROM_NOBODY),
                Some(from) => {
                    let core = &mut comm.process().engine.enter();
                    let transfers = Transfers::recv(core, comm, from, buffer);
                    Request::Partitioned(Box::new(transfers))
                }
            },
        };
        self.active = Some(active);
        Ok(())
    }

    /// Takes out what was started; the request is inactive then.
    pub fn take_active(&mut self) -> Option<Request> {
        self.active.take()
    }

    /// Takes what was started back: it is not over.
    pub fn resume(&mut self, active: Request) {
        self.active = Some(active);
    }

    /// Returns the operation that each start begins.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// Marks a partition as ready (MPI 5.0, 4.2.2), and sends what waited for it last.
    ///
    /// # Errors
    /// One clause, when the request is not a started partitioned send, or there is no such
    /// partition, or it was ready before.
    pub fn partition_ready(&mut self, partition: usize) -> Result<(), String> {
        let Operation::PartitionedSend { comm, ready, .. } = &mut self.operation else {
            return Err("the request is not a partitioned send".into());
        };
        let Some(active) = &mut self.active else {
            return Err("the partitioned send was not started".into());
        };
        let count = ready.len();
        match ready.get_mut(partition) {
            None => return Err(format!("partition {partition} of {count}")),
            Some(true) => return Err(format!("partition {partition} was ready before")),
            Some(ready) => *ready = true,
        }
        if let Request::Partitioned(transfers) = active {
            let core = &mut comm.process().engine.enter();
            transfers.ready(core, partition, count);
        }
        Ok(())
    }

    /// Whether a partition of a started partitioned receive is here now.
    ///
    /// # Errors
    /// One clause, when the request is not a partitioned receive or there is no such partition.
    pub fn partition_arrived(&mut self, partition: usize) -> Result<bool, String> {
        let Operation::PartitionedRecv {
            comm, partitions, ..
        } = &self.operation
        else {
            return Err("the request is not a partitioned receive".into());
        };
        if partition >= *partitions {
            return Err(format!("partition {partition} of {partitions}"));
        }
        match &mut self.active {
            Some(Request::Partitioned(transfers)) => {
                let core = &mut comm.process().engine.enter();
                Ok(transfers.has(core, partition, *partitions))
            }
            _ => Ok(true),
        }
    }
}
