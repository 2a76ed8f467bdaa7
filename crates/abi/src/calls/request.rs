//! Waiting for requests, testing, starting, cancelling and freeing them (MPI 5.0, 3.7 and 3.9).

use std::ops::Range;

use mpi::{Process, Request as Held};
use pml::{Pml, RequestId};

use super::grequest;
use crate::args::{self, Request, Status};
use crate::failure::{Failure, On};
use crate::generated::constants::*;
use crate::requests::{message_of, Ended, State, COMPLETE};
use crate::runtime::{self, Runtime};
use crate::status;
use crate::tables;

/// Stores the status of one ended operation, and tells its failure.
unsafe fn report(place: *mut Status, ended: &Ended) -> Result<(), Failure> {
    if ended.is_empty() {
        // SAFETY: passed on from MPI's caller: a status or none.
        unsafe { status::store_empty(place) };
        return Ok(());
    }
    // SAFETY: passed on from MPI's caller: a status or none.
    unsafe { status::store_outcome(place, &ended.outcome, ended.failure()) }
}

/// The handles of an array.
unsafe fn handles(count: i32, requests: *const Request) -> Result<Vec<Request>, Failure> {
    let Ok(count) = usize::try_from(count) else {
        return Err(Failure::new(MPI_ERR_COUNT, format!("{count} requests")));
    };
    // SAFETY: MPI's caller gives that many handles.
    unsafe { args::array(requests, count, "array_of_requests") }
}

/// The place of an array's element, or null where the array is.
unsafe fn element<T>(array: *mut T, at: usize) -> *mut T {
    if array.is_null() {
        return array;
    }
    // SAFETY: MPI's caller gives an array that has this element.
    unsafe { array.add(at) }
}

/// `MPI_Wait` (MPI 5.0, 3.7.3).
#[inline]
pub unsafe fn wait(request: *mut Request, status: *mut Status) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    if request.is_null() {
        return Err(Failure::new(MPI_ERR_ARG, "request is a null pointer"));
    }
    // SAFETY: MPI's caller gives a handle, and a status or none.
    unsafe {
        let ended = runtime.wait_request(process, request)?;
        report(status, &ended)
    }
}

/// Ends the operation of a handle if it is complete.
unsafe fn try_end(
    runtime: &Runtime,
    process: &Process,
    slot: *mut Request,
) -> Result<Option<Ended>, Failure> {
    // SAFETY: MPI's caller gives a handle.
    let handle = unsafe { args::read(slot, "request")? };
    match runtime.request_state(process, handle)? {
        State::Inactive => Ok(Some(Ended::EMPTY)),
        State::Pending => Ok(None),
        // SAFETY: as above.
        State::Done => unsafe { runtime.end_request(process, slot).map(Some) },
    }
}

/// `MPI_Test` (MPI 5.0, 3.7.3).
pub unsafe fn test(
    request: *mut Request,
    flag: *mut i32,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let poll = process.poll();
    // SAFETY: MPI's caller gives a handle, a place for an integer, and a status or none.
    unsafe {
        let ended = try_end(runtime, process, request)?;
        args::write(flag, i32::from(ended.is_some()), "flag")?;
        if ended.is_none() {
            poll.found_nothing();
        }
        ended.map_or(Ok(()), |ended| report(status, &ended))
    }
}

/// The end of a call that ended several operations: `MPI_ERR_IN_STATUS` when one failed, with
/// every status telling how its own ended (MPI 5.0, 3.7.5).
struct Several {
    failed: Option<Failure>,
    statuses: *mut Status,
}

impl Several {
    fn new(statuses: *mut Status) -> Several {
        Several {
            failed: None,
            statuses,
        }
    }

    /// Notes that an operation has neither ended nor failed (MPI 5.0, 3.7.5).
    unsafe fn note_pending(&self, at: usize) {
        // SAFETY: MPI's caller gives an array of statuses with this element, or none.
        unsafe {
            let place = element(self.statuses, at);
            if !place.is_null() {
                (*place).error = MPI_ERR_PENDING;
            }
        }
    }

    /// Notes the end of one operation, whose status is the one at `at`.
    unsafe fn note(&mut self, at: usize, ended: &Ended) {
        let failure = ended.failure();
        // SAFETY: MPI's caller gives an array of statuses with this element, or none.
        let place = unsafe { element(self.statuses, at) };
        if !place.is_null() {
            let code = failure.as_ref().map_or(MPI_SUCCESS, |failure| failure.code);
            // SAFETY: as above.
            unsafe {
                status::store(place, &Status::of(&ended.outcome.status));
                (*place).error = code;
            }
        }
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
pub unsafe fn waitall(
    count: i32,
    array_of_requests: *mut Request,
    array_of_statuses: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let Ok(count) = usize::try_from(count) else {
        return Err(Failure::new(MPI_ERR_COUNT, format!("{count} requests")));
    };
    if array_of_requests.is_null() && count > 0 {
        return Err(args::null("array_of_requests"));
    }
    let mut several = Several::new(array_of_statuses);
    let (mut at, mut complete, mut failures) = (0, false, 0);
    loop {
        // SAFETY: MPI's caller gives `count` handles and as many statuses, or none.
        unsafe {
            let next = end_complete(process, array_of_requests, at..count, array_of_statuses);
            if next == at && complete {
                let ended = runtime.end_request(process, array_of_requests.add(at))?;
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
            let handle = array_of_requests.add(at).read();
            complete = runtime.wait_unless_failures(process, handle, &mut failures)?;
            if !complete && any_failed(runtime, process, array_of_requests, rest.clone()) {
                return leave(runtime, process, array_of_requests, rest, several);
            }
        }
    }
}

/// Whether one of the operations has failed.
///
/// # Safety
/// There are handles at all positions.
#[cold]
unsafe fn any_failed(
    runtime: &Runtime,
    process: &Process,
    requests: *const Request,
    mut range: Range<usize>,
) -> bool {
    // SAFETY: promised by the caller.
    range.any(|at| runtime.has_failed(process, unsafe { requests.add(at).read() }))
}

/// Ends those of several operations that are complete, since one has failed and the others may
/// depend on it: they stay pending, and can be waited for later (MPI 5.0, 3.7.5).
///
/// # Safety
/// There are handles at all positions, and statuses, if any.
#[cold]
unsafe fn leave(
    runtime: &Runtime,
    process: &Process,
    requests: *mut Request,
    range: Range<usize>,
    mut several: Several,
) -> Result<(), Failure> {
    // What is on its way already is taken in, but nothing is waited for.
    let _ = (0..POLLS_MAX).all(|_| process.engine.progress());
    process.progress();
    for at in range {
        // SAFETY: promised by the caller.
        unsafe {
            let slot = requests.add(at);
            match runtime.request_state(process, slot.read())? {
                State::Pending => several.note_pending(at),
                _ => several.note(at, &runtime.end_request(process, slot)?),
            }
        }
    }
    several.finish()
}

/// How often messages are polled at most before a call leaves operations behind.
const POLLS_MAX: usize = 1000;

/// Ends plain messages one after the other, as long as they are complete and did not fail. Gives
/// the position of the first that is not such a one. The engine is entered once for them all.
///
/// # Safety
/// There are handles at all positions, and statuses, if any.
unsafe fn end_complete(
    process: &Process,
    requests: *mut Request,
    range: Range<usize>,
    statuses: *mut Status,
) -> usize {
    let mut core = process.engine.enter();
    for at in range.clone() {
        // SAFETY: promised by the caller.
        let slot = unsafe { &mut *requests.add(at) };
        let known = match message_of(*slot) {
            Some(message) => core.take_success(message),
            None if *slot == COMPLETE => Some(pml::Status::EMPTY),
            None => None,
        };
        let Some(known) = known else { return at };
        *slot = MPI_REQUEST_NULL;
        if !statuses.is_null() {
            // SAFETY: promised by the caller.
            unsafe {
                let place = statuses.add(at);
                status::store(place, &Status::of(&known));
                (*place).error = MPI_SUCCESS;
            }
        }
    }
    range.end
}

/// `MPI_Testall` (MPI 5.0, 3.7.5).
pub unsafe fn testall(
    count: i32,
    array_of_requests: *mut Request,
    flag: *mut i32,
    array_of_statuses: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let poll = process.poll();
    // SAFETY: passed on from MPI's caller.
    let handles = unsafe { handles(count, array_of_requests)? };
    let mut all = true;
    for handle in &handles {
        all &= runtime.request_state(process, *handle)? != State::Pending;
    }
    if !all {
        poll.found_nothing();
    }
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(flag, i32::from(all), "flag")? };
    let mut several = Several::new(array_of_statuses);
    let every = 0..handles.len();
    if !all {
        let failed = |handle: &Request| runtime.has_failed(process, *handle);
        let failures = process.engine.enter().failures();
        return match failures > 0 && handles.iter().any(failed) {
            // SAFETY: MPI's caller gives `count` handles and as many statuses, or none.
            true => unsafe { leave(runtime, process, array_of_requests, every, several) },
            false => Ok(()),
        };
    }
    for at in every {
        // SAFETY: MPI's caller gives `count` handles and as many statuses, or none.
        unsafe {
            let ended = runtime.end_request(process, array_of_requests.add(at))?;
            several.note(at, &ended);
        }
    }
    several.finish()
}

/// `MPI_Waitany` (MPI 5.0, 3.7.5).
pub unsafe fn waitany(
    count: i32,
    array_of_requests: *mut Request,
    indx: *mut i32,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    // SAFETY: passed on from MPI's caller.
    let handles = unsafe { handles(count, array_of_requests)? };
    let found = runtime.wait_for_one_of(process, &handles)?;
    // SAFETY: passed on from MPI's caller.
    unsafe { end_one(runtime, process, array_of_requests, found, indx, status) }
}

/// Ends the operation at a position, and tells the position.
unsafe fn end_one(
    runtime: &Runtime,
    process: &Process,
    requests: *mut Request,
    found: Option<usize>,
    indx: *mut i32,
    status: *mut Status,
) -> Result<(), Failure> {
    let position = found.map_or(MPI_UNDEFINED, |at| at as i32);
    // SAFETY: MPI's caller gives the handles, a place for an integer, and a status or none.
    unsafe {
        args::write(indx, position, "index")?;
        let ended = match found {
            None => Ended::EMPTY,
            Some(at) => runtime.end_request(process, requests.add(at))?,
        };
        report(status, &ended)
    }
}

/// What a look at several handles finds.
enum Look {
    AllInactive,
    Nothing,
    Complete(Vec<usize>),
}

fn look(runtime: &Runtime, process: &Process, handles: &[Request]) -> Result<Look, Failure> {
    let mut complete = Vec::new();
    let mut pending = false;
    for (at, handle) in handles.iter().enumerate() {
        match runtime.request_state(process, *handle)? {
            State::Inactive => {}
            State::Pending => pending = true,
            State::Done => complete.push(at),
        }
    }
    Ok(match (complete.is_empty(), pending) {
        (false, _) => Look::Complete(complete),
        (true, true) => Look::Nothing,
        (true, false) => Look::AllInactive,
    })
}

/// `MPI_Testany` (MPI 5.0, 3.7.5).
pub unsafe fn testany(
    count: i32,
    array_of_requests: *mut Request,
    indx: *mut i32,
    flag: *mut i32,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let poll = process.poll();
    // SAFETY: passed on from MPI's caller.
    let handles = unsafe { handles(count, array_of_requests)? };
    let found = match look(runtime, process, &handles)? {
        Look::Nothing => {
            poll.found_nothing();
            // SAFETY: MPI's caller gives places for two integers.
            return unsafe {
                args::write(indx, MPI_UNDEFINED, "index")?;
                args::write(flag, 0, "flag")
            };
        }
        Look::AllInactive => None,
        Look::Complete(complete) => complete.first().copied(),
    };
    // SAFETY: passed on from MPI's caller.
    unsafe {
        args::write(flag, 1, "flag")?;
        end_one(runtime, process, array_of_requests, found, indx, status)
    }
}

/// Ends all operations that are complete, and tells how many and which.
unsafe fn end_some(
    runtime: &Runtime,
    process: &Process,
    requests: *mut Request,
    complete: &[usize],
    outcount: *mut i32,
    indices: *mut i32,
    statuses: *mut Status,
) -> Result<(), Failure> {
    let mut several = Several::new(statuses);
    for (nth, at) in complete.iter().enumerate() {
        // SAFETY: MPI's caller gives the handles, and room for as many indices and statuses.
        unsafe {
            let ended = runtime.end_request(process, requests.add(*at))?;
            args::write(element(indices, nth), *at as i32, "array_of_indices")?;
            several.note(nth, &ended);
        }
    }
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(outcount, complete.len() as i32, "outcount")? };
    several.finish()
}

/// `MPI_Waitsome` (MPI 5.0, 3.7.5).
pub unsafe fn waitsome(
    incount: i32,
    array_of_requests: *mut Request,
    outcount: *mut i32,
    array_of_indices: *mut i32,
    array_of_statuses: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    // SAFETY: passed on from MPI's caller.
    let handles = unsafe { handles(incount, array_of_requests)? };
    if runtime.wait_for_one_of(process, &handles)?.is_none() {
        // SAFETY: MPI's caller gives a place for an integer.
        return unsafe { args::write(outcount, MPI_UNDEFINED, "outcount") };
    }
    let Look::Complete(complete) = look(runtime, process, &handles)? else {
        // Another thread ended what was found.
        // SAFETY: MPI's caller gives a place for an integer.
        return unsafe { args::write(outcount, 0, "outcount") };
    };
    let (indices, statuses) = (array_of_indices, array_of_statuses);
    // SAFETY: passed on from MPI's caller.
    unsafe {
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
}

/// `MPI_Testsome` (MPI 5.0, 3.7.5).
pub unsafe fn testsome(
    incount: i32,
    array_of_requests: *mut Request,
    outcount: *mut i32,
    array_of_indices: *mut i32,
    array_of_statuses: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let poll = process.poll();
    // SAFETY: passed on from MPI's caller.
    let handles = unsafe { handles(incount, array_of_requests)? };
    let complete = match look(runtime, process, &handles)? {
        // SAFETY: MPI's caller gives a place for an integer.
        Look::AllInactive => unsafe {
            return args::write(outcount, MPI_UNDEFINED, "outcount");
        },
        Look::Nothing => {
            poll.found_nothing();
            Vec::new()
        }
        Look::Complete(complete) => complete,
    };
    let (indices, statuses) = (array_of_indices, array_of_statuses);
    // SAFETY: passed on from MPI's caller.
    unsafe {
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
}

/// The status of a complete operation, which stays as it is.
fn peek(runtime: &Runtime, process: &Process, handle: Request) -> Result<Status, Failure> {
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
    Ok(Status::of(&outcome.status))
}

/// `MPI_Request_get_status` (MPI 5.0, 3.7.6).
pub unsafe fn request_get_status(
    request: Request,
    flag: *mut i32,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let poll = process.poll();
    let state = runtime.request_state(process, request)?;
    match state {
        State::Pending => poll.found_nothing(),
        // SAFETY: MPI's caller gives a status or none.
        State::Inactive => unsafe { status::store_empty(status) },
        State::Done => {
            let known = peek(runtime, process, request)?;
            // SAFETY: as above.
            unsafe { status::store(status, &known) };
        }
    }
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(flag, i32::from(state != State::Pending), "flag") }
}

/// `MPI_Request_get_status_all` (MPI 5.0, 3.7.6).
pub unsafe fn request_get_status_all(
    count: i32,
    array_of_requests: *const Request,
    flag: *mut i32,
    array_of_statuses: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let poll = process.poll();
    // SAFETY: passed on from MPI's caller.
    let handles = unsafe { handles(count, array_of_requests)? };
    let mut all = true;
    for handle in &handles {
        all &= runtime.request_state(process, *handle)? != State::Pending;
    }
    if !all {
        poll.found_nothing();
    }
    for (at, handle) in handles.iter().enumerate().filter(|_| all) {
        // SAFETY: MPI's caller gives as many statuses, or none.
        let place = unsafe { element(array_of_statuses, at) };
        if runtime.request_state(process, *handle)? == State::Inactive {
            // SAFETY: as above.
            unsafe { status::store_empty(place) };
            continue;
        }
        let known = peek(runtime, process, *handle)?;
        // SAFETY: as above.
        unsafe { status::store(place, &known) };
    }
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(flag, i32::from(all), "flag") }
}

/// `MPI_Request_get_status_any` (MPI 5.0, 3.7.6).
pub unsafe fn request_get_status_any(
    count: i32,
    array_of_requests: *const Request,
    indx: *mut i32,
    flag: *mut i32,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let poll = process.poll();
    // SAFETY: passed on from MPI's caller.
    let handles = unsafe { handles(count, array_of_requests)? };
    let found = look(runtime, process, &handles)?;
    let mut position = MPI_UNDEFINED;
    match &found {
        Look::Nothing => poll.found_nothing(),
        // SAFETY: MPI's caller gives a status or none.
        Look::AllInactive => unsafe { status::store_empty(status) },
        Look::Complete(complete) => {
            position = complete[0] as i32;
            let known = peek(runtime, process, handles[complete[0]])?;
            // SAFETY: as above.
            unsafe { status::store(status, &known) };
        }
    }
    let flagged = !matches!(found, Look::Nothing);
    // SAFETY: MPI's caller gives places for two integers.
    unsafe {
        args::write(indx, position, "index")?;
        args::write(flag, i32::from(flagged), "flag")
    }
}

/// `MPI_Request_get_status_some` (MPI 5.0, 3.7.6).
pub unsafe fn request_get_status_some(
    incount: i32,
    array_of_requests: *const Request,
    outcount: *mut i32,
    array_of_indices: *mut i32,
    array_of_statuses: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let process = runtime.process()?;
    let poll = process.poll();
    // SAFETY: passed on from MPI's caller.
    let handles = unsafe { handles(incount, array_of_requests)? };
    let complete = match look(runtime, process, &handles)? {
        // SAFETY: MPI's caller gives a place for an integer.
        Look::AllInactive => unsafe {
            return args::write(outcount, MPI_UNDEFINED, "outcount");
        },
        Look::Nothing => {
            poll.found_nothing();
            Vec::new()
        }
        Look::Complete(complete) => complete,
    };
    for (nth, at) in complete.iter().enumerate() {
        let known = peek(runtime, process, handles[*at])?;
        // SAFETY: MPI's caller gives room for as many indices and statuses as handles.
        unsafe {
            args::write(
                element(array_of_indices, nth),
                *at as i32,
                "array_of_indices",
            )?;
            status::store(element(array_of_statuses, nth), &known);
        }
    }
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(outcount, complete.len() as i32, "outcount") }
}

/// `MPI_Start` (MPI 5.0, 3.9).
pub unsafe fn start(request: *mut Request) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a handle.
    let handle = unsafe { args::read(request, "request")? };
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
    drop(tables);
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
pub unsafe fn startall(count: i32, array_of_requests: *mut Request) -> Result<(), Failure> {
    // SAFETY: passed on from MPI's caller.
    let handles = unsafe { handles(count, array_of_requests)? };
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
pub unsafe fn cancel(request: *mut Request) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a handle.
    let handle = unsafe { args::read(request, "request")? };
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
    entry.request.cancel(&mut process.engine.enter());
    Ok(())
}

/// `MPI_Request_free` (MPI 5.0, 3.7.3).
pub unsafe fn request_free(request: *mut Request) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a handle.
    let handle = unsafe { args::read(request, "request")? };
    let runtime = runtime::get();
    let process = runtime.process()?;
    if let Some(message) = message_of(handle) {
        open_message(process, handle, message)?.detach(message);
    } else if handle != COMPLETE {
        let mut tables = runtime.tables.enter();
        if let Held::Generalized(generalized) = &tables.requests.get(handle)?.request {
            let generalized = generalized.clone();
            drop(tables);
            // SAFETY: MPI's caller gives a place for a handle.
            unsafe { args::write(request, MPI_REQUEST_NULL, "request")? };
            return grequest::free(generalized, handle);
        }
        let mut entry = tables.requests.remove(handle)?;
        drop(tables);
        entry.request.forget(&mut process.engine.enter());
    }
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(request, MPI_REQUEST_NULL, "request") }
}
