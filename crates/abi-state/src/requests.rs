//! Waits for requests, by their handles ([`crate::request_handle`]).
//!
//! Plain messages are waited for inside the engine. Other requests (persistent, collective,
//! generalized) are tested between two polls, with the tables entered before the engine, the one
//! order in which both are ever entered.

use std::cell::Cell;

use engine::Core;
use mpi::{Outcome, Process, Request, Sequenced, NO_PARTNER};
use pml::{Pml, RequestId};

use crate::args::{self, InOut};
use crate::failure::Failure;
use crate::generated::constants::MPI_REQUEST_NULL;
use crate::generated::constants::{MPI_COMM_NULL, MPI_COMM_SELF, MPI_COMM_WORLD};
use crate::hooks;
use crate::request_handle::{message_of, object, Entry, COMPLETE};
use crate::runtime::Runtime;
use crate::tables::{self, Tables};

/// An ended operation, and the communicator it was started on.
pub struct Ended {
    /// How it ended.
    pub outcome: Outcome,
    /// The communicator.
    pub on: args::Comm,
}

impl Ended {
    /// The end of a null or inactive request.
    pub const EMPTY: Ended = Ended {
        outcome: NO_PARTNER,
        on: MPI_COMM_NULL,
    };

    /// The end of [`COMPLETE`]: it did not fail, so the communicator does not matter.
    const SENT: Ended = Ended {
        outcome: NO_PARTNER,
        on: MPI_COMM_SELF,
    };

    /// Whether nothing ended: the request was null or inactive.
    pub fn is_empty(&self) -> bool {
        self.on == MPI_COMM_NULL
    }

    /// Whether it has only announced a failure, and its request is still pending.
    fn goes_on(&self) -> bool {
        let error = self.outcome.result.as_ref().err();
        error.is_some_and(|error| error.class == mpi::Class::ProcFailedPending)
    }

    /// The failure to be reported, if the operation failed.
    pub fn failure(&self) -> Option<Failure> {
        let error = self.outcome.result.as_ref().err()?;
        Some(Failure::from(error.clone()).on(object(self.on)))
    }
}

/// State of the request of a handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestState {
    /// Null, or persistent and not started: nothing to wait for.
    Inactive,
    /// Pending.
    Pending,
    /// Complete, but not ended.
    Done,
}

impl Tables {
    /// A handle for a request.
    #[inline]
    pub fn request_handle(
        &mut self,
        request: Request,
        on: args::Comm,
    ) -> Result<args::Request, Failure> {
        if let Request::Done(outcome) = &request {
            if outcome.result.is_ok() && outcome.status == pml::Status::EMPTY {
                return Ok(COMPLETE);
            }
        }
        match request {
            Request::Message(message) => self.message_handle(message, on),
            request => self.requests.insert(Entry::new(request, on)),
        }
    }

    /// A handle for a plain message.
    #[inline]
    pub fn message_handle(
        &mut self,
        message: RequestId,
        on: args::Comm,
    ) -> Result<args::Request, Failure> {
        match self.messages_started.handle(message, on) {
            Some(handle) => Ok(handle),
            None => {
                let request = Request::Message(message);
                self.requests.insert(Entry::new(request, on))
            }
        }
    }

    /// Returns the requests that were started on a communicator and are pending.
    fn pending_on(&mut self, process: &Process, comm: args::Comm) -> Vec<args::Request> {
        let others = self.requests.iter().filter(|(_, entry)| entry.on == comm);
        let others = others.map(|(handle, _)| handle);
        let mut started: Vec<args::Request> = others
            .chain(self.messages_started.started_on(comm))
            .collect();
        // A message that is over may have left its handle in the slot.
        started.retain(|handle| self.state(process, *handle) == Ok(RequestState::Pending));
        started
    }

    /// Returns a communicator that a request is under way on, where there is one.
    pub fn open_request(&mut self, process: &Process) -> Option<args::Comm> {
        let made = self.comms.iter().map(|(handle, _)| handle);
        let mut comms: Vec<args::Comm> = made.collect();
        comms.extend([MPI_COMM_WORLD, MPI_COMM_SELF]);
        let has_open = |comm: &args::Comm| !self.pending_on(process, *comm).is_empty();
        comms.into_iter().find(has_open)
    }

    /// Returns the pending collective through shared memory of a handle, if it is for one.
    #[inline]
    fn sequenced(&mut self, handle: args::Request) -> Option<Sequenced> {
        self.requests.get(handle).ok()?.request.sequenced().cloned()
    }

    /// Whether a handle is of a request that was not ended or freed.
    pub fn is_open(&mut self, process: &Process, handle: args::Request) -> bool {
        handle != MPI_REQUEST_NULL && handle != COMPLETE && self.state(process, handle).is_ok()
    }

    /// How the operation of a handle stands.
    fn state(&mut self, process: &Process, handle: args::Request) -> Result<RequestState, Failure> {
        if handle == MPI_REQUEST_NULL {
            return Ok(RequestState::Inactive);
        }
        if handle == COMPLETE {
            return Ok(RequestState::Done);
        }
        if let Some(message) = message_of(handle) {
            let core = process.engine.enter();
            return match (core.is_open(message), core.is_done(message)) {
                (false, _) => Err(tables::unknown(handle)),
                (true, false) => Ok(RequestState::Pending),
                (true, true) => Ok(RequestState::Done),
            };
        }
        let entry = self.requests.get_mut(handle)?;
        if entry.request.is_inactive() {
            return Ok(RequestState::Inactive);
        }
        let done = entry.request.is_done(&mut process.engine.enter());
        Ok(if done {
            RequestState::Done
        } else {
            RequestState::Pending
        })
    }
}

impl Runtime {
    /// How the operation of a handle stands now.
    pub fn request_state(
        &self,
        process: &Process,
        handle: args::Request,
    ) -> Result<RequestState, Failure> {
        self.tables.enter().state(process, handle)
    }

    /// Waits for one operation and ends it. A request that is over becomes null.
    #[inline]
    pub fn wait_request(
        &self,
        process: &Process,
        request: InOut<args::Request>,
    ) -> Result<Ended, Failure> {
        let handle = request.get()?;
        if handle == MPI_REQUEST_NULL {
            return Ok(Ended::EMPTY);
        }
        if handle == COMPLETE {
            request.set(MPI_REQUEST_NULL)?;
            return Ok(Ended::SENT);
        }
        if let Some(message) = message_of(handle) {
            let ended = self.wait_message(process, handle, message)?;
            if !ended.goes_on() {
                request.set(MPI_REQUEST_NULL)?;
            }
            return Ok(ended);
        }
        self.wait_for_one_of(process, &[handle])?;
        self.end_request(process, request)
    }

    /// Waits for a plain message and ends it.
    fn wait_message(
        &self,
        process: &Process,
        handle: args::Request,
        message: RequestId,
    ) -> Result<Ended, Failure> {
        if !process.engine.enter().is_open(message) {
            return Err(tables::unknown(handle));
        }
        let outcome: Outcome = process.wait(message).into();
        let on = match &outcome.result {
            Ok(()) => MPI_COMM_SELF,
            Err(_) => self.tables.enter().messages_started.on(handle),
        };
        let ended = Ended { outcome, on };
        if !ended.goes_on() {
            hooks::ended(handle, &ended.outcome.status);
        }
        Ok(ended)
    }

    /// Waits until everything that was started on a communicator is complete. Nothing is ended: the
    /// requests stay with the program.
    pub fn wait_for_all_on(&self, process: &Process, comm: args::Comm) {
        loop {
            let pending = self.tables.enter().pending_on(process, comm);
            if pending.is_empty() {
                return;
            }
            for request in pending {
                // One that another thread ends meanwhile is over as well.
                let _ = self.wait_for_one_of(process, &[request]);
            }
        }
    }

    /// Waits until one of the operations is complete, and gives its position; `None` when all
    /// are inactive.
    pub fn wait_for_one_of(
        &self,
        process: &Process,
        handles: &[args::Request],
    ) -> Result<Option<usize>, Failure> {
        self.wait_for_one_unless(process, handles, |_| false)
    }

    /// Waits until an operation is complete, or until there have been other than `failures`
    /// failures, which becomes their number. Whether it is complete; an inactive one is.
    pub fn wait_unless_failures(
        &self,
        process: &Process,
        handle: args::Request,
        failures: &mut u64,
    ) -> Result<bool, Failure> {
        if handle == MPI_REQUEST_NULL || handle == COMPLETE {
            return Ok(true);
        }
        let mut changed = |core: &Core| {
            let known = std::mem::replace(failures, core.failures());
            known != *failures
        };
        if let Some(message) = message_of(handle) {
            if !process.engine.enter().is_open(message) {
                return Err(tables::unknown(handle));
            }
            return Ok(process.wait_until(|core| {
                core.watch(message);
                match core.is_done(message) {
                    true => Some(true),
                    false => changed(core).then_some(false),
                }
            }));
        }
        let mut complete = true;
        self.wait_for_one_unless(process, &[handle], |core| {
            complete = !changed(core);
            !complete
        })?;
        Ok(complete)
    }

    /// Whether the operation of a handle is complete and has failed.
    pub fn has_failed(&self, process: &Process, handle: args::Request) -> bool {
        if handle == MPI_REQUEST_NULL || handle == COMPLETE {
            return false;
        }
        if let Some(message) = message_of(handle) {
            return process.engine.enter().has_failed(message);
        }
        let mut tables = self.tables.enter();
        let entry = tables.requests.get_mut(handle);
        entry.is_ok_and(|entry| entry.request.has_failed(&mut process.engine.enter()))
    }

    /// Waits as [`Runtime::wait_for_one_of`] does, and no longer when `stop` says so: it gives
    /// `None` then, too.
    fn wait_for_one_unless(
        &self,
        process: &Process,
        handles: &[args::Request],
        mut stop: impl FnMut(&Core) -> bool + Send,
    ) -> Result<Option<usize>, Failure> {
        if let [handle] = handles {
            let call = self.tables.enter().sequenced(*handle);
            if let Some(call) = call {
                return Ok(call.wait(process, stop).then_some(0));
            }
        }
        let look = || -> Option<Result<Option<usize>, Failure>> {
            let mut tables = self.tables.enter();
            let mut pending = false;
            for (at, handle) in handles.iter().enumerate() {
                match tables.state(process, *handle) {
                    Ok(RequestState::Done) => return Some(Ok(Some(at))),
                    Ok(RequestState::Pending) => pending = true,
                    Ok(RequestState::Inactive) => {}
                    Err(failure) => return Some(Err(failure)),
                }
            }
            (!pending).then_some(Ok(None))
        };
        if let Some(found) = look() {
            return found;
        }
        let found = Cell::new(None);
        process.wait_between(
            |core| found.take().or_else(|| stop(core).then_some(Ok(None))),
            || {
                found.set(look());
                // What was found is taken at the next poll.
                let seen = found.take();
                let happened = seen.is_some();
                found.set(seen);
                happened
            },
        )
    }

    /// Ends an operation that is complete. A request that is over becomes null.
    pub fn end_request(
        &self,
        process: &Process,
        request: InOut<args::Request>,
    ) -> Result<Ended, Failure> {
        let handle = request.get()?;
        if handle == MPI_REQUEST_NULL {
            return Ok(Ended::EMPTY);
        }
        let mut ended = Ended::SENT;
        if let Some(message) = message_of(handle) {
            ended = self.wait_message(process, handle, message)?;
            if ended.goes_on() {
                return Ok(ended);
            }
        } else if handle != COMPLETE {
            let mut tables = self.tables.enter();
            let entry = tables.requests.get_mut(handle)?;
            let on = entry.on;
            if let Request::Persistent(persistent) = &mut entry.request {
                let active = persistent.take_active();
                let stage = entry.stage.clone();
                drop(tables);
                let Some(mut active) = active else {
                    return Ok(Ended::EMPTY);
                };
                let outcome = active.finish(process);
                let ended = Ended { outcome, on };
                match ended.goes_on() {
                    true => self.resume(handle, active),
                    false => {
                        stage.iter().for_each(|stage| stage.complete());
                        hooks::ended(handle, &ended.outcome.status);
                    }
                }
                return Ok(ended);
            }
            if let Request::Pair(pair) = &mut entry.request {
                let failure = pair.pending_failure(&mut process.engine.enter());
                if let Some(outcome) = failure {
                    return Ok(Ended { outcome, on });
                }
            }
            let mut entry = tables.requests.remove(handle)?;
            drop(tables);
            ended = Ended {
                outcome: entry.request.finish(process),
                on,
            };
            entry.stage.iter().for_each(|stage| stage.complete());
            hooks::ended(handle, &ended.outcome.status);
        }
        request.set(MPI_REQUEST_NULL)?;
        Ok(ended)
    }

    /// Gives a persistent request its operation back, which goes on: whoever waited for it got a
    /// failure.
    #[cold]
    fn resume(&self, handle: args::Request, active: Request) {
        let mut tables = self.tables.enter();
        if let Ok(entry) = tables.requests.get_mut(handle) {
            if let Request::Persistent(persistent) = &mut entry.request {
                persistent.resume(active);
            }
        }
    }
}
