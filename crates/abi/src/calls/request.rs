//! Waiting for requests, testing, starting, cancelling and freeing them (MPI 5.0, 3.7 and 3.9).
//!
//! A wait for several requests also ends when one of them fails, since the others may depend on it.
//! The point-to-point layer counts failures, and such a wait checks its requests when that count
//! has changed.

use std::ops::Range;

use abi_state::args::{InOut, InOutList, List, Out, OutList, Request, Status};
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::*;
use abi_state::hooks;
use abi_state::request_handle::{message_of, COMPLETE};
use abi_state::requests::{Ended, RequestState};
use abi_state::runtime::{self, Runtime};
use abi_state::stage::Stage;
use abi_state::status::{OutStatus, OutStatuses};
use abi_state::tables;
use mpi::{Process, Request as Held};
use pml::{Pml, RequestId};
use vprotocol::Call;

use super::grequest;

/// Stores the status of one ended operation, and returns its failure.
fn report(slot: OutStatus, ended: &Ended) -> Result<(), Failure> {
    if ended.is_empty() {
        slot.set_empty();
        return Ok(());
    }
    slot.set_outcome(&ended.outcome, ended.failure())
}

/// The length of an array of requests.
fn length(count: i32) -> Result<usize, Failure> {
    usize::try_from(count).map_err(|_| Failure::new(MPI_ERR_COUNT, format!("{count} requests")))
}

/// `MPI_Wait` (MPI 5.0, 3.7.3).
#[inline]
pub fn wait(request: InOut<Request>, status: OutStatus) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let ended = runtime.wait_request(process, request)?;
    report(status, &ended)
}

/// Ends the operation of a handle if it is complete.
fn try_end(
    runtime: &Runtime,
    process: &Process,
    request: InOut<Request>,
) -> Result<Option<Ended>, Failure> {
    let handle = request.get()?;
    match runtime.request_state(process, handle)? {
        RequestState::Inactive => Ok(Some(Ended::EMPTY)),
        RequestState::Pending => Ok(None),
        RequestState::Done => runtime.end_request(process, request).map(Some),
    }
}

/// `MPI_Test` (MPI 5.0, 3.7.3).
pub fn test(request: InOut<Request>, flag: Out<i32>, status: OutStatus) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let ended = match process.replay(Call::Test) {
        Some(found) if found.is_empty() => None,
        Some(_) => Some(runtime.wait_request(process, request)?),
        None => {
            let ended = process.test(|| try_end(runtime, process, request).transpose());
            let ended = ended.transpose()?;
            process.observe(Call::Test, || ended.iter().map(|_| 0).collect());
            ended
        }
    };
    flag.set(i32::from(ended.is_some()))?;
    ended.map_or(Ok(()), |ended| report(status, &ended))
}

/// The end of a call that ended several operations: `MPI_ERR_IN_STATUS` when one failed, where
/// each operation's status says how it ended (MPI 5.0, 3.7.5).
struct EndedRequests {
    failed: Option<Failure>,
    statuses: OutStatuses,
}

impl EndedRequests {
    fn new(statuses: OutStatuses) -> EndedRequests {
        EndedRequests {
            failed: None,
            statuses,
        }
    }

    /// Notes that an operation has neither ended nor failed (MPI 5.0, 3.7.5).
    fn note_pending(&self, at: usize) {
        self.statuses.at(at).set_error(MPI_ERR_PENDING);
    }

    /// Notes the end of one operation, whose status is the one at `at`.
    fn note(&mut self, at: usize, ended: &Ended) {
        let failure = ended.failure();
        let code = failure.as_ref().map_or(MPI_SUCCESS, |failure| failure.code);
        let status = Status::of(&ended.outcome.status);
        self.statuses.at(at).set_with_error(&status, code);
        self.failed = self.failed.take().or(failure);
    }

    fn finish(self) -> Result<(), Failure> {
        match self.failed {
            None => Ok(()),
            Some(failure) => Err(failure.coded(MPI_ERR_IN_STATUS)),
        }
    }
}

/// `MPI_Waitall` (MPI 5.0, 3.7.5).
pub fn waitall(
    count: i32,
    array_of_requests: InOutList<Request>,
    array_of_statuses: OutStatuses,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let count = length(count)?;
    array_of_requests.check()?;
    let mut several = EndedRequests::new(array_of_statuses);
    let (mut at, mut complete, mut failures) = (0, false, 0);
    loop {
        let next = end_complete(process, array_of_requests, at..count, array_of_statuses)?;
        if next == at && complete {
            let ended = runtime.end_request(process, array_of_requests.at(at))?;
            several.note(at, &ended);
            at += 1;
        } else {
            at = next;
        }
        let rest = at..count;
        if rest.is_empty() {
            return several.finish();
        }
        if several.failed.is_some() {
            return leave(runtime, process, array_of_requests, rest, several);
        }
        let handle = array_of_requests.get(at)?;
        complete = runtime.wait_unless_failures(process, handle, &mut failures)?;
        if !complete && any_failed(runtime, process, array_of_requests, rest.clone()) {
            return leave(runtime, process, array_of_requests, rest, several);
        }
    }
}

/// Whether one of the operations has failed.
#[cold]
fn any_failed(
    runtime: &Runtime,
    process: &Process,
    requests: InOutList<Request>,
    mut range: Range<usize>,
) -> bool {
    range.any(|at| {
        let handle = requests.get(at);
        handle.is_ok_and(|handle| runtime.has_failed(process, handle))
    })
}

/// Ends those of several operations that are complete, since one has failed and the others may
/// depend on it: they stay pending, and can be waited for later (MPI 5.0, 3.7.5).
#[cold]
fn leave(
    runtime: &Runtime,
    process: &Process,
    requests: InOutList<Request>,
    range: Range<usize>,
    mut several: EndedRequests,
) -> Result<(), Failure> {
    // Arrivals are taken in, but nothing is waited for.
    let _ = (0..POLLS_MAX).all(|_| process.engine.progress());
    process.progress();
    for at in range {
        let request = requests.at(at);
        match runtime.request_state(process, request.get()?)? {
            RequestState::Pending => several.note_pending(at),
            _ => several.note(at, &runtime.end_request(process, request)?),
        }
    }
    several.finish()
}

/// How often messages are polled at most before a call leaves operations behind.
const POLLS_MAX: usize = 1000;

/// Ends plain messages one after the other, as long as they are complete and did not fail. Gives
/// the position of the first that is not such a one. The engine is entered once for them all.
fn end_complete(
    process: &Process,
    requests: InOutList<Request>,
    range: Range<usize>,
    statuses: OutStatuses,
) -> Result<usize, Failure> {
    let mut core = process.engine.enter();
    for at in range.clone() {
        let handle = requests.get(at)?;
        let known = match message_of(handle) {
            Some(message) => core.take_success(message),
            None if handle == COMPLETE => Some(pml::Status::EMPTY),
            None => None,
        };
        let Some(known) = known else { return Ok(at) };
        hooks::ended(handle, &known);
        requests.set(at, MPI_REQUEST_NULL)?;
        if statuses.are_wanted() {
            let status = Status::of(&known);
            statuses.at(at).set_with_error(&status, MPI_SUCCESS);
        }
    }
    Ok(range.end)
}

/// `MPI_Testall` (MPI 5.0, 3.7.5).
pub fn testall(
    count: i32,
    array_of_requests: InOutList<Request>,
    flag: Out<i32>,
    array_of_statuses: OutStatuses,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let (handles, all) = poll_all(process, count, || array_of_requests.to_vec())?;
    flag.set(i32::from(all))?;
    let mut several = EndedRequests::new(array_of_statuses);
    let every = 0..handles.len();
    if !all {
        let failed = |handle: &Request| runtime.has_failed(process, *handle);
        let failures = process.engine.enter().failures();
        return match failures > 0 && handles.iter().any(failed) {
            true => leave(runtime, process, array_of_requests, every, several),
            false => Ok(()),
        };
    }
    for at in every {
        let ended = runtime.end_request(process, array_of_requests.at(at))?;
        several.note(at, &ended);
    }
    several.finish()
}

/// `MPI_Waitany` (MPI 5.0, 3.7.5).
pub fn waitany(
    count: i32,
    array_of_requests: InOutList<Request>,
    indx: Out<i32>,
    status: OutStatus,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    length(count)?;
    let handles = array_of_requests.to_vec()?;
    let found = match forced(runtime, process, Call::Any, &handles)? {
        Some(found) => found.into_iter().next(),
        None => {
            let found = runtime.wait_for_one_of(process, &handles)?;
            process.observe(Call::Any, || found.iter().map(|at| *at as u32).collect());
            found
        }
    };
    end_one(runtime, process, array_of_requests, found, indx, status)
}

/// Ends the operation at a position, and stores the position.
fn end_one(
    runtime: &Runtime,
    process: &Process,
    requests: InOutList<Request>,
    found: Option<usize>,
    indx: Out<i32>,
    status: OutStatus,
) -> Result<(), Failure> {
    let position = found.map_or(MPI_UNDEFINED, |at| at as i32);
    indx.set(position)?;
    let ended = match found {
        None => Ended::EMPTY,
        Some(at) => runtime.end_request(process, requests.at(at))?,
    };
    report(status, &ended)
}

/// Result of one poll of several requests.
enum PollResult {
    AllInactive,
    Nothing,
    Complete(Vec<usize>),
}

impl PollResult {
    /// Returns the positions of the complete operations; `None` where all requests are inactive.
    fn complete(self) -> Option<Vec<usize>> {
        match self {
            PollResult::AllInactive => None,
            PollResult::Nothing => Some(Vec::new()),
            PollResult::Complete(complete) => Some(complete),
        }
    }
}

/// Returns which of these requests are complete, without progress.
fn states(
    runtime: &Runtime,
    process: &Process,
    handles: &[Request],
) -> Result<PollResult, Failure> {
    let mut complete = Vec::new();
    let mut pending = false;
    for (at, handle) in handles.iter().enumerate() {
        match runtime.request_state(process, *handle)? {
            RequestState::Inactive => {}
            RequestState::Pending => pending = true,
            RequestState::Done => complete.push(at),
        }
    }
    Ok(match (complete.is_empty(), pending) {
        (false, _) => PollResult::Complete(complete),
        (true, true) => PollResult::Nothing,
        (true, false) => PollResult::AllInactive,
    })
}

/// Returns the positions that a call has to find, once those requests are complete; `None` where
/// it is free. There are none where nothing was complete at that time, or no request active.
fn forced(
    runtime: &Runtime,
    process: &Process,
    call: Call,
    handles: &[Request],
) -> Result<Option<Vec<usize>>, Failure> {
    let Some(found) = process.replay(call) else {
        return Ok(None);
    };
    let found: Vec<usize> = found.into_iter().map(|at| at as usize).collect();
    for at in &found {
        let wanted = handles.get(*at..*at + 1).unwrap_or_default();
        runtime.wait_for_one_of(process, wanted)?;
    }
    Ok(Some(found))
}

/// Makes progress. Returns the requests, and which of them are complete.
fn poll_each(
    process: &Process,
    call: Call,
    count: i32,
    requests: impl FnOnce() -> Result<Vec<Request>, Failure>,
) -> Result<(Vec<Request>, PollResult), Failure> {
    length(count)?;
    let handles = requests()?;
    if let Some(found) = forced(runtime::get(), process, call, &handles)? {
        let result = match found.is_empty() {
            false => PollResult::Complete(found),
            true => match states(runtime::get(), process, &handles)? {
                PollResult::AllInactive => PollResult::AllInactive,
                _ => PollResult::Nothing,
            },
        };
        return Ok((handles, result));
    }
    let found = process.test(|| match states(runtime::get(), process, &handles) {
        Ok(PollResult::Nothing) => None,
        found => Some(found),
    });
    let found = found.unwrap_or(Ok(PollResult::Nothing))?;
    process.observe(call, || match &found {
        PollResult::Complete(complete) => complete.iter().map(|at| *at as u32).collect(),
        PollResult::AllInactive | PollResult::Nothing => Vec::new(),
    });
    Ok((handles, found))
}

/// Makes progress. Returns the requests, and whether none of them is pending.
fn poll_all(
    process: &Process,
    count: i32,
    requests: impl FnOnce() -> Result<Vec<Request>, Failure>,
) -> Result<(Vec<Request>, bool), Failure> {
    length(count)?;
    let handles = requests()?;
    if let Some(found) = process.replay(Call::Test) {
        let all = !found.is_empty();
        for handle in handles.iter().filter(|_| all) {
            runtime::get().wait_for_one_of(process, std::slice::from_ref(handle))?;
        }
        return Ok((handles, all));
    }
    // Requests in front have completed for good.
    let mut complete = 0;
    let all = process.test(|| {
        while let Some(handle) = handles.get(complete) {
            match runtime::get().request_state(process, *handle) {
                Ok(RequestState::Pending) => return None,
                Ok(_) => complete += 1,
                Err(wrong) => return Some(Err(wrong)),
            }
        }
        Some(Ok(()))
    });
    let all = all.transpose()?.is_some();
    process.observe(Call::Test, || if all { vec![0] } else { Vec::new() });
    Ok((handles, all))
}

/// `MPI_Testany` (MPI 5.0, 3.7.5).
pub fn testany(
    count: i32,
    array_of_requests: InOutList<Request>,
    indx: Out<i32>,
    flag: Out<i32>,
    status: OutStatus,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let (_, found) = poll_each(process, Call::Any, count, || array_of_requests.to_vec())?;
    let found = match found {
        PollResult::Nothing => {
            indx.set(MPI_UNDEFINED)?;
            return flag.set(0);
        }
        PollResult::AllInactive => None,
        PollResult::Complete(complete) => complete.first().copied(),
    };
    flag.set(1)?;
    end_one(runtime, process, array_of_requests, found, indx, status)
}

/// Ends all operations that are complete, and stores how many and which.
fn end_some(
    runtime: &Runtime,
    process: &Process,
    requests: InOutList<Request>,
    complete: &[usize],
    outcount: Out<i32>,
    indices: OutList<i32>,
    statuses: OutStatuses,
) -> Result<(), Failure> {
    let mut several = EndedRequests::new(statuses);
    for (nth, at) in complete.iter().enumerate() {
        let ended = runtime.end_request(process, requests.at(*at))?;
        indices.set(nth, *at as i32)?;
        several.note(nth, &ended);
    }
    outcount.set(complete.len() as i32)?;
    several.finish()
}

/// Waits until one of the operations is complete, and returns which are; `None` when all are
/// inactive.
fn complete_of(
    runtime: &Runtime,
    process: &Process,
    handles: &[Request],
) -> Result<Option<Vec<usize>>, Failure> {
    if runtime.wait_for_one_of(process, handles)?.is_none() {
        return Ok(None);
    }
    Ok(match states(runtime, process, handles)? {
        PollResult::Complete(complete) => Some(complete),
        // Another thread ended what was found.
        _ => Some(Vec::new()),
    })
}

/// `MPI_Waitsome` (MPI 5.0, 3.7.5).
pub fn waitsome(
    incount: i32,
    array_of_requests: InOutList<Request>,
    outcount: Out<i32>,
    array_of_indices: OutList<i32>,
    array_of_statuses: OutStatuses,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    length(incount)?;
    let handles = array_of_requests.to_vec()?;
    let complete = match forced(runtime, process, Call::Some, &handles)? {
        Some(complete) if complete.is_empty() => return outcount.set(MPI_UNDEFINED),
        Some(complete) => complete,
        None => {
            let complete = complete_of(runtime, process, &handles)?;
            process.observe(Call::Some, || {
                complete.iter().flatten().map(|at| *at as u32).collect()
            });
            match complete {
                None => return outcount.set(MPI_UNDEFINED),
                Some(complete) => complete,
            }
        }
    };
    let (indices, statuses) = (array_of_indices, array_of_statuses);
    end_some(
        runtime,
        process,
        array_of_requests,
        &complete,
        outcount,
        indices,
        statuses,
    )
}

/// `MPI_Testsome` (MPI 5.0, 3.7.5).
pub fn testsome(
    incount: i32,
    array_of_requests: InOutList<Request>,
    outcount: Out<i32>,
    array_of_indices: OutList<i32>,
    array_of_statuses: OutStatuses,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let (_, found) = poll_each(process, Call::Some, incount, || array_of_requests.to_vec())?;
    let Some(complete) = found.complete() else {
        return outcount.set(MPI_UNDEFINED);
    };
    let (indices, statuses) = (array_of_indices, array_of_statuses);
    end_some(
        runtime,
        process,
        array_of_requests,
        &complete,
        outcount,
        indices,
        statuses,
    )
}

/// Returns the status of a complete operation, which stays as it is, and notes that the program has
/// received it.
fn peek(runtime: &Runtime, process: &Process, handle: Request) -> Result<Status, Failure> {
    hooks::completed(handle);
    if handle == MPI_REQUEST_NULL || handle == COMPLETE {
        return Ok(Status::EMPTY);
    }
    if let Some(message) = message_of(handle) {
        let outcome = process.engine.enter().peek_outcome(message);
        return Ok(outcome.map_or(Status::EMPTY, |outcome| Status::of(&outcome.status)));
    }
    let tables = runtime.tables.enter();
    let entry = tables.requests.get(handle)?;
    if let Held::Generalized(generalized) = &entry.request {
        let generalized = generalized.clone();
        drop(tables);
        let outcome = generalized.query();
        outcome.result?;
        return Ok(Status::of(&outcome.status));
    }
    let outcome = entry.request.peek(&mut process.engine.enter());
    let stage = entry.stage.clone();
    drop(tables);
    stage.iter().for_each(|stage| stage.complete());
    Ok(Status::of(&outcome.status))
}

/// `MPI_Request_get_status` (MPI 5.0, 3.7.6).
pub fn request_get_status(
    request: Request,
    flag: Out<i32>,
    status: OutStatus,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let state = match process.replay(Call::Test) {
        Some(found) if found.is_empty() => RequestState::Pending,
        Some(_) => {
            runtime.wait_for_one_of(process, &[request])?;
            runtime.request_state(process, request)?
        }
        None => {
            let state = process.test(|| match runtime.request_state(process, request) {
                Ok(RequestState::Pending) => None,
                state => Some(state),
            });
            let state = state.unwrap_or(Ok(RequestState::Pending))?;
            let found = state != RequestState::Pending;
            process.observe(Call::Test, || if found { vec![0] } else { Vec::new() });
            state
        }
    };
    match state {
        RequestState::Pending => {}
        RequestState::Inactive => status.set_empty(),
        RequestState::Done => {
            let known = peek(runtime, process, request)?;
            status.set(&known);
        }
    }
    flag.set(i32::from(state != RequestState::Pending))
}

/// `MPI_Request_get_status_all` (MPI 5.0, 3.7.6).
pub fn request_get_status_all(
    count: i32,
    array_of_requests: List<Request>,
    flag: Out<i32>,
    array_of_statuses: OutStatuses,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let (handles, all) = poll_all(process, count, || array_of_requests.to_vec())?;
    for (at, handle) in handles.iter().enumerate().filter(|_| all) {
        let slot = array_of_statuses.at(at);
        if runtime.request_state(process, *handle)? == RequestState::Inactive {
            slot.set_empty();
            continue;
        }
        let known = peek(runtime, process, *handle)?;
        slot.set(&known);
    }
    flag.set(i32::from(all))
}

/// `MPI_Request_get_status_any` (MPI 5.0, 3.7.6).
pub fn request_get_status_any(
    count: i32,
    array_of_requests: List<Request>,
    indx: Out<i32>,
    flag: Out<i32>,
    status: OutStatus,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let (handles, found) = poll_each(process, Call::Any, count, || array_of_requests.to_vec())?;
    let mut position = MPI_UNDEFINED;
    match &found {
        PollResult::Nothing => {}
        PollResult::AllInactive => status.set_empty(),
        PollResult::Complete(complete) => {
            position = complete[0] as i32;
            let known = peek(runtime, process, handles[complete[0]])?;
            status.set(&known);
        }
    }
    let flagged = !matches!(found, PollResult::Nothing);
    indx.set(position)?;
    flag.set(i32::from(flagged))
}

/// `MPI_Request_get_status_some` (MPI 5.0, 3.7.6).
pub fn request_get_status_some(
    incount: i32,
    array_of_requests: List<Request>,
    outcount: Out<i32>,
    array_of_indices: OutList<i32>,
    array_of_statuses: OutStatuses,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let (handles, found) = poll_each(process, Call::Some, incount, || array_of_requests.to_vec())?;
    let Some(complete) = found.complete() else {
        return outcount.set(MPI_UNDEFINED);
    };
    for (nth, at) in complete.iter().enumerate() {
        let known = peek(runtime, process, handles[*at])?;
        array_of_indices.set(nth, *at as i32)?;
        array_of_statuses.at(nth).set(&known);
    }
    outcount.set(complete.len() as i32)
}

/// `MPI_Start` (MPI 5.0, 3.9).
pub fn start(request: InOut<Request>) -> Result<(), Failure> {
    let handle = request.get()?;
    start_one(runtime::get(), handle)
}

fn start_one(runtime: &Runtime, handle: Request) -> Result<(), Failure> {
    let mut tables = runtime.tables.enter();
    let entry = match handle {
        COMPLETE => None,
        message if message_of(message).is_some() => None,
        handle => Some(tables.requests.get_mut(handle)?),
    };
    let Some(entry) = entry else {
        return Err(not_persistent());
    };
    let on = On::Comm(entry.on);
    let Held::Persistent(persistent) = &mut entry.request else {
        return Err(not_persistent().on(on));
    };
    if persistent.is_active() {
        let text = "the persistent request was started and not completed";
        return Err(Failure::new(MPI_ERR_REQUEST, text).on(on));
    }
    // A collective runs functions of the user: it starts with the tables left.
    let mut persistent = std::mem::replace(&mut entry.request, Held::Done(mpi::NO_PARTNER));
    let stage = entry.stage.clone();
    drop(tables);
    stage.iter().for_each(|stage| stage.start());
    let Held::Persistent(own) = &mut persistent else {
        return Err(not_persistent());
    };
    let started = own.start().map_err(|error| Failure::from(error).on(on));
    runtime.tables.enter().requests.get_mut(handle)?.request = persistent;
    started
}

#[cold]
fn not_persistent() -> Failure {
    Failure::new(MPI_ERR_REQUEST, "the request is not persistent")
}

/// `MPI_Startall` (MPI 5.0, 3.9).
pub fn startall(count: i32, array_of_requests: InOutList<Request>) -> Result<(), Failure> {
    length(count)?;
    let handles = array_of_requests.to_vec()?;
    handles
        .into_iter()
        .try_for_each(|handle| start_one(runtime::get(), handle))
}

/// The engine, where it knows the message of a handle.
fn open_message(
    process: &Process,
    handle: Request,
    message: RequestId,
) -> Result<sync::Entered<'_, engine::Core>, Failure> {
    let core = process.engine.enter();
    match core.is_open(message) {
        true => Ok(core),
        false => Err(tables::unknown(handle)),
    }
}

/// `MPI_Cancel` (MPI 5.0, 3.8.4).
pub fn cancel(request: InOut<Request>) -> Result<(), Failure> {
    let handle = request.get()?;
    let runtime = runtime::get();
    let process = runtime.process()?;
    if handle == COMPLETE {
        return Ok(());
    }
    if let Some(message) = message_of(handle) {
        open_message(process, handle, message)?.cancel(message);
        return Ok(());
    }
    let mut tables = runtime.tables.enter();
    let entry = tables.requests.get_mut(handle)?;
    if let Held::Generalized(generalized) = &entry.request {
        let generalized = generalized.clone();
        drop(tables);
        return generalized.cancel().map_err(Failure::from);
    }
    let on = On::Comm(entry.on);
    let cancelled = entry.request.cancel(&mut process.engine.enter());
    cancelled.map_err(|error| Failure::from(error).on(on))
}

/// `MPI_Request_free` (MPI 5.0, 3.7.3).
pub fn request_free(request: InOut<Request>) -> Result<(), Failure> {
    let handle = request.get()?;
    let runtime = runtime::get();
    let process = runtime.process()?;
    if let Some(message) = message_of(handle) {
        open_message(process, handle, message)?.detach(message);
    } else if handle != COMPLETE {
        let mut tables = runtime.tables.enter();
        let entry = tables.requests.get(handle)?;
        let on = On::Comm(entry.on);
        let may_go = entry.request.check_free();
        may_go.map_err(|error| Failure::from(error).on(on))?;
        if let Held::Generalized(generalized) = &entry.request {
            let generalized = generalized.clone();
            drop(tables);
            request.set(MPI_REQUEST_NULL)?;
            return grequest::free(generalized, handle);
        }
        let mut entry = tables.requests.remove(handle)?;
        drop(tables);
        entry.request.forget(&mut process.engine.enter());
        Stage::release(entry.stage);
    }
    request.set(MPI_REQUEST_NULL)
}
