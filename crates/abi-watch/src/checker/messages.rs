//! Calls that send and receive, as the checker follows them.

use std::sync::Arc;

use abi_state::args::{Comm, Request};
use abi_state::failure::On;
use abi_state::generated::constants::*;
use abi_state::hooks::{Call, Note, Role};
use abi_state::request_handle::{Entry, COMPLETE};
use abi_state::runtime;
use check::buffers::{Footprint, Use};
use check::collective::Function;
use check::mark::Mark;
use datatype::Datatype;
use mpi::NO_PARTNER;

use super::collectives::comm_of;
use super::operations::{
    collective_places, goes_on, mark_of, mismatch, overlap, places, slot, Conflict, Operation,
};
use super::reports::Origin;
use super::shared::{comm_name, thread, Checker, UnderWay};

impl Checker {
    /// Does what is due before a call: compares its buffers with those under way, and has messages
    /// say what they are made of.
    pub(super) fn begin_operation(&self, call: &Call, origin: Origin) {
        let note = call.note;
        if note.role == Role::Starts || ENDS.contains(call.name) {
            // SAFETY: MPI asks for that many requests there; null is refused by the call as well.
            let requests = unsafe { note.requests.get() };
            return self.begin_starts(call, &requests, origin);
        }
        if self.settings.buffers {
            self.check_places(&places(call), &origin);
        }
        if let (true, Role::Sends | Role::Exchanges, On::Comm(comm)) =
            (self.settings.types, note.role, call.on)
        {
            set_mark(comm, mark_of(&note.sent));
        }
    }

    fn begin_starts(&self, call: &Call, requests: &[Request], origin: Origin) {
        if call.note.role != Role::Starts {
            let operations = &mut self.lock().operations;
            return requests
                .iter()
                .for_each(|request| operations.forget(*request));
        }
        let mut guard = self.lock();
        let operations = &mut guard.operations;
        let mut conflicts = Vec::new();
        let mut marks: Vec<(Comm, Mark)> = Vec::new();
        for request in requests {
            let Some(operation) = operations.get(*request) else {
                continue;
            };
            let found = operations.conflicts(&operation.places);
            let others = found.into_iter();
            conflicts.extend(others.filter(|conflict| conflict.request != *request));
            let Some((comm, mark)) = operation.sends else {
                continue;
            };
            match marks.iter_mut().find(|(known, _)| *known == comm) {
                // Messages of one call that differ bear none.
                Some((_, known)) if *known != mark => *known = Mark::UNKNOWN,
                Some(_) => {}
                None => marks.push((comm, mark)),
            }
        }
        drop(guard);
        if self.settings.buffers {
            self.report_conflicts(conflicts, &origin);
        }
        if self.settings.types {
            marks.iter().for_each(|(comm, mark)| set_mark(*comm, *mark));
        }
    }

    /// Reports what the buffers of a call have in common with each other, and with those of
    /// operations under way.
    fn check_places(&self, places: &[(Footprint, Use)], origin: &Origin) {
        if let Some(text) = overlap(places) {
            self.reports.add(origin, &format!(": {text}"));
        }
        let conflicts = self.lock().operations.conflicts(places);
        self.report_conflicts(conflicts, origin);
    }

    /// Compares the buffers of a collective that is about to begin.
    pub(super) fn check_collective(&self, note: &Note, function: Function, on: Comm, at: &Origin) {
        if self.settings.buffers {
            self.check_places(&places_on(note, function, on), at);
        }
    }

    /// Reports conflicts with operations that are still there.
    fn report_conflicts(&self, conflicts: Vec<Conflict>, origin: &Origin) {
        for conflict in conflicts {
            let runtime = runtime::get();
            let Ok(process) = runtime.process() else {
                return;
            };
            let is_open = runtime.tables.enter().is_open(process, conflict.request);
            let mut guard = self.lock();
            let operations = &mut guard.operations;
            if !is_open {
                operations.release(conflict.slot);
                continue;
            }
            let other = operations.get(conflict.request).map(|other| other.origin);
            drop(guard);
            if let Some(other) = other {
                let text = conflict.text.replace("{}", &self.reports.describe(&other));
                self.reports.add(origin, &format!(": {text}"));
            }
        }
    }

    /// Does what is due behind a call that has succeeded: notes the requests that it has made or
    /// started, and compares the message that it has received.
    pub(super) fn end_operation(&self, call: &Call, ended: &UnderWay) {
        let (note, origin, received) = (call.note, ended.origin, ended.received.as_ref());
        match note.role {
            Role::Starts => {
                // SAFETY: the call has succeeded, and has found its requests there.
                for request in unsafe { note.requests.get() } {
                    let operations = &mut self.lock().operations;
                    if operations.get(request).is_some() {
                        operations.activate(slot(request.0));
                    }
                }
            }
            Role::Receives | Role::Exchanges => {
                let datatype = runtime::get().datatype(note.received.datatype);
                if let (true, Some(status), Ok(datatype)) =
                    (self.settings.types, received, datatype)
                {
                    if let Some(text) = mismatch(&datatype, status) {
                        let on = comm_name(call.on);
                        self.reports.add(&origin, &format!("{on}: {text}"));
                    }
                }
            }
            _ => {}
        }
        if makes_request(call) {
            self.note_requests(call, ended);
        }
    }

    /// Notes the requests that a call has made.
    fn note_requests(&self, call: &Call, ended: &UnderWay) {
        let (note, origin) = (call.note, ended.origin);
        let function = ended.draft.as_ref().map(|draft| draft.function);
        let used = |()| match (self.settings.buffers, function, call.on) {
            (false, ..) => Vec::new(),
            (true, Some(function), On::Comm(on)) if goes_on(function) => {
                places_on(note, function, on)
            }
            (true, ..) => places(call),
        };
        // SAFETY: the call has succeeded, and has stored its request there.
        for mut request in unsafe { note.requests.get() } {
            if request == MPI_REQUEST_NULL {
                continue;
            }
            if request == COMPLETE {
                let Some(own) = request_of_its_own(call.on) else {
                    continue;
                };
                request = own;
                // SAFETY: the call has just stored a request there.
                unsafe { note.requests.replace(request) };
            }
            let is_received = match note.role {
                Role::Posts | Role::PreparesReceive => true,
                Role::Sends => note.receives(),
                _ => false,
            };
            let wanted = (is_received && self.settings.types).then_some(note.received.datatype);
            let datatype = wanted.and_then(|datatype| runtime::get().datatype(datatype).ok());
            let datatype = datatype.map(|datatype| (*datatype).clone());
            self.note_request(call, request, origin, (datatype, used(())));
        }
    }

    fn note_request(
        &self,
        call: &Call,
        request: Request,
        origin: Origin,
        (receives, places): (Option<Arc<Datatype>>, Vec<(Footprint, Use)>),
    ) {
        let note = call.note;
        let is_persistent = call.name.ends_with("_init") || call.name.ends_with("_init_c");
        let sends = match (note.role, call.on) {
            (Role::PreparesSend, On::Comm(comm)) => Some((comm, mark_of(&note.sent))),
            _ => None,
        };
        let comm = comm_name(call.on);
        let comm = comm.strip_prefix(" on ").unwrap_or("nothing").to_string();
        self.lock().operations.insert(Operation {
            request,
            origin,
            comm,
            sends,
            receives,
            places,
            hash: None,
            is_persistent,
        });
    }

    /// Does what is due behind any call.
    pub(super) fn settle(&self, call: &Call) {
        let found = self.lock().operations.take_found();
        for (origin, text) in found {
            self.reports.add(&origin, &text);
        }
        if let (true, Role::Sends | Role::Exchanges, On::Comm(comm)) =
            (self.settings.types, call.note.role, call.on)
        {
            set_mark(comm, Mark::UNKNOWN);
        }
        if let (true, Role::Starts) = (self.settings.types, call.note.role) {
            // SAFETY: MPI asks for that many requests there.
            for request in unsafe { call.note.requests.get() } {
                let sends = self
                    .lock()
                    .operations
                    .get(request)
                    .and_then(|found| found.sends);
                if let Some((comm, _)) = sends {
                    set_mark(comm, Mark::UNKNOWN);
                }
            }
        }
    }

    /// Notes the status of the message that the call under way has received.
    pub(super) fn note_received(&self, status: &pml::Status) {
        let own = thread();
        let mut state = self.lock();
        let call = state.calls.iter_mut().rfind(|call| call.thread == own);
        if let Some(call) = call {
            call.received = Some(*status);
        }
    }
}

/// Returns the buffers that a collective uses; none on an inter-communicator.
fn places_on(note: &Note, function: Function, on: Comm) -> Vec<(Footprint, Use)> {
    match comm_of(on).filter(|comm| !comm.is_inter()) {
        None => Vec::new(),
        Some(comm) => {
            let root = note.sent.peer == comm.rank() as i32;
            collective_places(note, function, root, i64::from(comm.size()))
        }
    }
}

/// Functions that end requests in another way than by their completion.
const ENDS: [&str; 1] = ["MPI_Request_free"];

/// Functions that are called with requests instead of making some.
const USERS: [&str; 15] = [
    "MPI_Wait",
    "MPI_Test",
    "MPI_Start",
    "MPI_Cancel",
    "MPI_Request_free",
    "MPI_Waitall",
    "MPI_Waitany",
    "MPI_Waitsome",
    "MPI_Testall",
    "MPI_Testany",
    "MPI_Testsome",
    "MPI_Startall",
    "MPI_Request_get_status_all",
    "MPI_Request_get_status_any",
    "MPI_Request_get_status_some",
];

/// Whether a call makes a request.
fn makes_request(call: &Call) -> bool {
    !USERS.contains(call.name)
}

/// Makes a request of its own for a send that was complete at once: all of those have one handle.
fn request_of_its_own(on: On) -> Option<Request> {
    let On::Comm(on) = on else { return None };
    let request = mpi::Request::Done(NO_PARTNER);
    let mut tables = runtime::get().tables.enter();
    tables.requests.insert(Entry::new(request, on)).ok()
}

/// Has messages on a communicator say what they are made of. Not where threads may send at once:
/// they would speak for each other.
fn set_mark(comm: Comm, mark: Mark) {
    let runtime = runtime::get();
    let tables = runtime.tables.enter();
    let comm = tables.comm(comm).ok().cloned();
    let is_alone = !runtime.tables.is_shared();
    drop(tables);
    if let (Some(comm), true) = (comm, is_alone) {
        comm.set_mark(mark.0);
    }
}
