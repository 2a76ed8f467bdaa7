//! What request handles stand for, and waiting for them.
//!
//! Most requests are plain messages: they are waited for inside the engine, by number. Whatever
//! else there is (persistent, collective, generalized requests) is looked at between two polls,
//! with the tables entered before the engine, the one order in which both are ever entered.

use std::cell::Cell;

use mpi::{Outcome, Process, Request, NO_PARTNER};
use pml::RequestId;

use crate::args;
use crate::failure::{Failure, On};
use crate::generated::constants::{MPI_COMM_NULL, MPI_COMM_SELF, MPI_REQUEST_NULL};
use crate::runtime::Runtime;
use crate::tables::Tables;

/// A request, and the communicator whose error handler hears of its failure.
pub struct Entry {
    /// The request.
    pub request: Request,
    /// The communicator it was started on.
    pub on: args::Comm,
}

/// The handle of every send that was complete before it had a handle: all of them are alike. Its
/// place is one that the table never gives out.
pub const COMPLETE: args::Request = args::Request((5 << 28) | ((1 << 28) - 1));

/// An ended operation, and the communicator it was started on.
pub struct Ended {
    /// How it ended.
    pub outcome: Outcome,
    /// The communicator.
    pub on: args::Comm,
}

impl Ended {
    /// Of a null or inactive request.
    pub const EMPTY: Ended = Ended {
        outcome: NO_PARTNER,
        on: MPI_COMM_NULL,
    };

    /// Of [`COMPLETE`]: it did not fail, so the communicator does not matter.
    const SENT: Ended = Ended {
        outcome: NO_PARTNER,
        on: MPI_COMM_SELF,
    };

    /// Whether nothing ended: the request was null or inactive.
    pub fn is_empty(&self) -> bool {
        self.on == MPI_COMM_NULL
    }

    /// The failure to be reported, if the operation failed.
    pub fn failure(&self) -> Option<Failure> {
        let error = self.outcome.result.as_ref().err()?;
        Some(Failure::from(error.clone()).on(On::Comm(self.on)))
    }
}

/// What a look at a handle finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Null, or persistent and not started: nothing to wait for.
    Inactive,
    /// Under way.
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
        self.requests.insert(Entry { request, on })
    }

    /// How the operation of a handle stands.
    fn state(&mut self, process: &Process, handle: args::Request) -> Result<State, Failure> {
        if handle == MPI_REQUEST_NULL {
            return Ok(State::Inactive);
        }
        if handle == COMPLETE {
            return Ok(State::Done);
        }
        let entry = self.requests.get_mut(handle)?;
        if entry.request.is_inactive() {
            return Ok(State::Inactive);
        }
        let done = entry.request.is_done(&mut process.engine.enter());
        Ok(if done { State::Done } else { State::Pending })
    }
}

impl Runtime {
    /// How the operation of a handle stands now.
    pub fn request_state(
        &self,
        process: &Process,
        handle: args::Request,
    ) -> Result<State, Failure> {
        self.tables.enter().state(process, handle)
    }

    /// Waits for one operation and ends it. A request that is over becomes null.
    ///
    /// # Safety
    /// `slot` points to a handle.
    #[inline]
    pub unsafe fn wait_request(
        &self,
        process: &Process,
        slot: *mut args::Request,
    ) -> Result<Ended, Failure> {
        // SAFETY: promised by the caller.
        let handle = unsafe { slot.read() };
        if handle == MPI_REQUEST_NULL {
            return Ok(Ended::EMPTY);
        }
        if handle == COMPLETE {
            // SAFETY: promised by the caller.
            unsafe { slot.write(MPI_REQUEST_NULL) };
            return Ok(Ended::SENT);
        }
        let plain = self.plain_message(handle)?;
        if let Some((message, on)) = plain {
            let outcome = process.wait(message).into();
            self.tables.enter().requests.remove(handle)?;
            // SAFETY: promised by the caller.
            unsafe { slot.write(MPI_REQUEST_NULL) };
            return Ok(Ended { outcome, on });
        }
        self.wait_for_one_of(process, &[handle])?;
        // SAFETY: promised by the caller.
        unsafe { self.end_request(process, slot) }
    }

    fn plain_message(
        &self,
        handle: args::Request,
    ) -> Result<Option<(RequestId, args::Comm)>, Failure> {
        let tables = self.tables.enter();
        let entry = tables.requests.get(handle)?;
        Ok(match entry.request {
            Request::Message(message) => Some((message, entry.on)),
            _ => None,
        })
    }

    /// Waits until one of the operations is complete, and gives its position; `None` when all
    /// are inactive.
    pub fn wait_for_one_of(
        &self,
        process: &Process,
        handles: &[args::Request],
    ) -> Result<Option<usize>, Failure> {
        let look = || -> Option<Result<Option<usize>, Failure>> {
            let mut tables = self.tables.enter();
            let mut pending = false;
            for (at, handle) in handles.iter().enumerate() {
                match tables.state(process, *handle) {
                    Ok(State::Done) => return Some(Ok(Some(at))),
                    Ok(State::Pending) => pending = true,
                    Ok(State::Inactive) => {}
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
            |_| found.take(),
            || {
                found.set(look());
                // What was found is taken at the next look.
                let seen = found.take();
                let happened = seen.is_some();
                found.set(seen);
                happened
            },
        )
    }

    /// Ends an operation that is complete. A request that is over becomes null.
    ///
    /// # Safety
    /// `slot` points to a handle.
    pub unsafe fn end_request(
        &self,
        process: &Process,
        slot: *mut args::Request,
    ) -> Result<Ended, Failure> {
        // SAFETY: promised by the caller.
        let handle = unsafe { slot.read() };
        if handle == MPI_REQUEST_NULL {
            return Ok(Ended::EMPTY);
        }
        let mut ended = Ended::SENT;
        if handle != COMPLETE {
            let mut tables = self.tables.enter();
            let entry = tables.requests.get_mut(handle)?;
            let on = entry.on;
            if let Request::Persistent(persistent) = &mut entry.request {
                let active = persistent.take_active();
                drop(tables);
                return Ok(active.map_or(Ended::EMPTY, |mut active| {
                    let outcome = active.finish(process);
                    Ended { outcome, on }
                }));
            }
            let mut entry = tables.requests.remove(handle)?;
            drop(tables);
            ended = Ended {
                outcome: entry.request.finish(process),
                on,
            };
        }
        // SAFETY: promised by the caller.
        unsafe { slot.write(MPI_REQUEST_NULL) };
        Ok(ended)
    }
}
