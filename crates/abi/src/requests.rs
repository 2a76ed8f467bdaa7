//! Request handles, and waits for their requests.
//!
//! Most requests are plain messages. Their handles are the engine's own names of them
//! ([`message_of`]), so such a request is stored once, and waited for inside the engine. Other
//! requests (persistent, collective, generalized) are tested between two polls, with the tables
//! entered before the engine, the one order in which both are ever entered.

use base::Mutex;
use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;

use engine::Core;
use mpi::{Errhandler, Outcome, Process, Request, Sequenced, NO_PARTNER};
use pml::{Pml, RequestId};

use crate::args::{self, InOut};
use crate::failure::{Failure, On};
use crate::generated::constants::MPI_REQUEST_NULL;
use crate::generated::constants::{MPI_COMM_NULL, MPI_COMM_SELF, MPI_COMM_WORLD};
use crate::hooks;
use crate::runtime::Runtime;
use crate::stage::Stage;
use crate::tables::{self, Tables};

/// A request, and the communicator whose error handler hears of its failure.
pub struct Entry {
    /// The request.
    pub request: Request,
    /// The communicator it was started on, or what [`of_window`] makes of a
    /// window and [`of_file`] of a file.
    pub on: args::Comm,
    /// The copies of its buffers, where a layer above has some.
    pub stage: Option<Arc<Stage>>,
}

impl Entry {
    /// Returns a request as it is made.
    pub fn new(request: Request, on: args::Comm) -> Entry {
        Entry {
            request,
            on,
            stage: None,
        }
    }
}

/// The kind of the handles of plain messages: what stands beside it is the engine's name of the
/// request. See [`tables`] for handles and kinds.
const MESSAGE: u64 = 12 << 28;
const KIND_MASK: u64 = 0xF << 28;
/// The kinds of the handles of windows and of files.
const WINDOW: u64 = <args::Win as tables::Kind>::TAG << 28;
const FILE: u64 = <args::File as tables::Kind>::TAG << 28;

/// The plain message that a handle is for, if it is for one.
#[inline]
pub fn message_of(handle: args::Request) -> Option<RequestId> {
    let bits = handle.0 as u64;
    (bits & KIND_MASK == MESSAGE).then(|| RequestId::from_bits(bits & !KIND_MASK))
}

/// Handles of plain messages, by the slot in them.
#[derive(Default)]
pub struct Messages {
    /// The last handle of each slot, and the communicator it was started on.
    slots: Vec<(args::Request, args::Comm)>,
}

impl Messages {
    /// Makes the handle of a message; `None` where its name leaves no room for the kind.
    #[inline]
    fn handle(&mut self, message: RequestId, on: args::Comm) -> Option<args::Request> {
        let bits = message.bits();
        if bits & KIND_MASK != 0 {
            return None;
        }
        let slot = bits as u32 as usize;
        let handle = args::Request((bits | MESSAGE) as usize);
        match self.slots.get_mut(slot) {
            Some(known) => *known = (handle, on),
            None => self.grow(slot, (handle, on)),
        }
        Some(handle)
    }

    #[cold]
    fn grow(&mut self, slot: usize, known: (args::Request, args::Comm)) {
        let len = (slot + 1).next_power_of_two();
        self.slots.resize(len, (MPI_REQUEST_NULL, MPI_COMM_NULL));
        self.slots[slot] = known;
    }

    /// The communicator that the message of a handle was started on.
    fn on(&self, handle: args::Request) -> args::Comm {
        let slot = (handle.0 as u64 & !KIND_MASK) as u32 as usize;
        self.slots.get(slot).map_or(MPI_COMM_NULL, |known| known.1)
    }

    /// Returns the last handles of slots that were started on a communicator.
    fn started_on(&self, comm: args::Comm) -> impl Iterator<Item = args::Request> + '_ {
        let own = self.slots.iter().filter(move |(_, on)| *on == comm);
        own.map(|(handle, _)| *handle)
    }

    /// Returns the last handle of a slot, for a number that [`slot_of`] returned.
    pub fn handle_at(&self, slot: usize) -> args::Request {
        let known = self.slots.get(slot);
        known.map_or(args::Request(0), |known| known.0)
    }
}

/// Returns the slot of a plain message.
pub fn slot_of(message: RequestId) -> usize {
    message.bits() as u32 as usize
}

/// The handle of every send that was complete before it had a handle: all of them are alike. Its
/// slot is one that the table never uses.
pub const COMPLETE: args::Request = args::Request((5 << 28) | ((1 << 28) - 1));

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

    /// Whether it has only been told of a failure, and its request is still pending.
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

/// Marks a request as one of a window's: its errors go to the window's handler.
pub fn of_window(win: args::Win) -> args::Comm {
    args::Comm(win.0)
}

/// Marks a request as one of a file's: its errors go to the file's handler.
pub fn of_file(file: args::File) -> args::Comm {
    args::Comm(file.0)
}

/// Returns the object that a request was started on: a communicator, a window or a file, by the
/// kind in the handle.
fn object(on: args::Comm) -> On {
    match on.0 as u64 & KIND_MASK {
        WINDOW => On::Win(args::Win(on.0)),
        FILE => On::File(args::File(on.0)),
        _ => On::Comm(on),
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

    /// Keeps the error handler of an object whose handle is freed, as long as there may be requests
    /// of it: the object lives until they are complete, and its handler with it (MPI 5.0, 7.4.3).
    /// A handle is never that of another object as well.
    pub(crate) fn outlive(&mut self, on: args::Comm, errhandler: &Mutex<Errhandler>) {
        let requests = self.requests.iter().map(|(_, entry)| entry.on.0);
        let messages = self.messages.iter().map(|(_, (_, comm))| comm.0);
        // Some of these are over: the next message in the slot takes their place.
        let started = self.messages_started.slots.iter().map(|(_, on)| on.0);
        let used: HashSet<usize> = requests.chain(messages).chain(started).collect();
        self.outlived.retain(|handle, _| used.contains(handle));
        if used.contains(&on.0) {
            let errhandler = errhandler.lock().clone();
            self.outlived.insert(on.0, errhandler);
        }
    }

    /// Returns a communicator that a request is under way on, where there is one.
    pub(crate) fn open_request(&mut self, process: &Process) -> Option<args::Comm> {
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
                let told = pair.disturbance(&mut process.engine.enter());
                if let Some(outcome) = told {
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

    /// Gives a persistent request its operation back, which goes on: whoever waited for it was told
    /// of a failure.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_s_handle_says_which_it_is_and_where_it_was_started() {
        let mut messages = Messages::default();
        let message = RequestId::from_bits((7 << 32) | 5);
        let later = RequestId::from_bits((9 << 32) | 5);
        let handle = messages.handle(message, MPI_COMM_SELF).unwrap();
        assert!(handle.0 > 0xFFF);
        assert_eq!(message_of(handle), Some(message));
        assert_eq!(messages.on(handle), MPI_COMM_SELF);
        assert_eq!(messages.handle_at(slot_of(message)), handle);
        let other = messages.handle(later, MPI_COMM_SELF).unwrap();
        assert_ne!(handle, other);
        assert_eq!(messages.handle_at(slot_of(message)), other);
        for bits in [COMPLETE.0, MPI_REQUEST_NULL.0, 0, 5 << 28] {
            let none = args::Request(bits);
            assert_eq!(message_of(none), None);
        }
        assert_eq!(messages.handle_at(1 << 20), args::Request(0));
        let no_room = RequestId::from_bits((7 << 32) | (1 << 28));
        assert_eq!(messages.handle(no_room, MPI_COMM_SELF), None);
    }
}
