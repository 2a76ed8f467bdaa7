//! Sending, receiving and probing (MPI 5.0, chapter 3).
//!
//! Each call decodes its arguments, and then says what it wants of `mpi`. The buffer is decoded
//! first and the communicator last, so that the tables are entered once and left before
//! anything is waited for.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use base::Rank;
use datatype::Buffer;
use mpi::{Operation, Persistent, Request as Started, SendMode};
use pml::Started as Sending;
use pml::{CommId, Mode, Pattern, Pml, Tag};

use super::buffers::{buffer, room};
use crate::args::{self, Comm, Datatype, Message, Request, Status};
use crate::failure::{Failure, On};
use crate::generated::constants::*;
use crate::requests::COMPLETE;
use crate::runtime::{self, Runtime};
use crate::status;

/// The receiver that an argument names; `None` for `MPI_PROC_NULL`.
#[inline]
fn destination(comm: &mpi::Comm, dest: i32) -> Result<Option<Rank>, Failure> {
    if dest == MPI_PROC_NULL {
        return Ok(None);
    }
    comm.far_rank(dest).map(Some).map_err(Failure::from)
}

/// What a receive accepts; `None` for `MPI_PROC_NULL`.
#[inline]
fn pattern(comm: &mpi::Comm, source: i32, tag: i32) -> Result<Option<Pattern>, Failure> {
    let tag = match tag {
        MPI_ANY_TAG => None,
        tag => Some(checked_tag(tag)?),
    };
    let source = match source {
        MPI_PROC_NULL => return Ok(None),
        MPI_ANY_SOURCE => None,
        source => Some(comm.far_rank(source)?),
    };
    Ok(Some(Pattern { source, tag }))
}

#[inline]
fn checked_tag(tag: i32) -> Result<Tag, Failure> {
    let bound = runtime::get().values.tag_ub.load(Ordering::Relaxed);
    if tag as u32 > bound as u32 {
        return Err(bad_tag(tag, bound));
    }
    Ok(Tag::from(tag))
}

#[cold]
fn bad_tag(tag: i32, bound: i32) -> Failure {
    Failure::new(
        MPI_ERR_TAG,
        format!("tag is {tag}; tags are from 0 to MPI_TAG_UB, {bound}"),
    )
}

/// Where a message goes: the plane of its communicator and the receiver.
#[inline]
fn route(runtime: &Runtime, comm: Comm, dest: i32) -> Result<(CommId, Option<Rank>), Failure> {
    let tables = runtime.tables.enter();
    let comm = tables.comm(comm)?;
    Ok((comm.messages(), destination(comm, dest)?))
}

#[inline]
fn accept(
    runtime: &Runtime,
    comm: Comm,
    source: i32,
    tag: i32,
) -> Result<(CommId, Option<Pattern>), Failure> {
    let tables = runtime.tables.enter();
    let comm = tables.comm(comm)?;
    Ok((comm.messages(), pattern(comm, source, tag)?))
}

/// `MPI_Send` (MPI 5.0, 3.2.1).
#[inline]
pub unsafe fn send(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
) -> Result<(), Failure> {
    // SAFETY: passed on from MPI's caller.
    unsafe { send_in_mode(buf, count, datatype, dest, tag, comm, Mode::Standard) }
}

/// `MPI_Ssend` (MPI 5.0, 3.4).
pub unsafe fn ssend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
) -> Result<(), Failure> {
    // SAFETY: passed on from MPI's caller.
    unsafe { send_in_mode(buf, count, datatype, dest, tag, comm, Mode::Synchronous) }
}

/// `MPI_Rsend` (MPI 5.0, 3.4).
pub unsafe fn rsend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
) -> Result<(), Failure> {
    // SAFETY: passed on from MPI's caller.
    unsafe { send_in_mode(buf, count, datatype, dest, tag, comm, Mode::Standard) }
}

#[inline]
unsafe fn send_in_mode(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
    mode: Mode,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, to) = route(runtime, comm, dest)?;
    let tag = checked_tag(tag)?;
    // SAFETY: passed on from MPI's caller.
    let buffer = unsafe { buffer(runtime, buf, count, datatype)? };
    let Some(to) = to else { return Ok(()) };
    let sent = runtime.process()?.send(plane, to, tag, buffer, mode);
    sent.map_err(|failure| mpi::Error::from(failure).into())
}

/// `MPI_Bsend` (MPI 5.0, 3.4).
pub unsafe fn bsend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let comm = runtime.tables.enter().comm(comm)?.clone();
    let to = destination(&comm, dest)?;
    let tag = checked_tag(tag)?;
    // SAFETY: passed on from MPI's caller.
    let buffer = unsafe { buffer(runtime, buf, count, datatype)? };
    match to {
        Some(to) => comm.send_buffered(to, tag, buffer).map_err(Failure::from),
        None => Ok(()),
    }
}

/// `MPI_Recv` (MPI 5.0, 3.2.4).
#[inline]
pub unsafe fn recv(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    source: i32,
    tag: i32,
    comm: Comm,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, pattern) = accept(runtime, comm, source, tag)?;
    // SAFETY: passed on from MPI's caller.
    let buffer = unsafe { room(runtime, buf, count, datatype)? };
    let Some(pattern) = pattern else {
        // SAFETY: MPI's caller gives a status or none.
        unsafe { status::store(status, &Status::PROC_NULL) };
        return Ok(());
    };
    let outcome = runtime.process()?.recv(plane, pattern, buffer);
    // SAFETY: MPI's caller gives a status or none.
    unsafe { status::store(status, &Status::of(&outcome.status)) };
    outcome
        .result
        .map_err(|failure| mpi::Error::from(failure).into())
}

/// Starts a send and gives its request.
#[inline]
unsafe fn start_send(
    (buf, count, datatype): (*const c_void, i64, Datatype),
    dest: i32,
    tag: i32,
    comm: Comm,
    mode: SendMode,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: passed on from MPI's caller.
    let buffer = unsafe { buffer(runtime, buf, count, datatype)? };
    let mut tables = runtime.tables.enter();
    let object = tables.comm(comm)?;
    let to = destination(object, dest)?;
    let tag = checked_tag(tag)?;
    let handle = match (mode, to) {
        (SendMode::Standard | SendMode::Ready, Some(to)) => {
            let mut core = object.process().engine.enter();
            match core.start_send(object.messages(), to, tag, buffer, Mode::Standard) {
                Sending::Complete => COMPLETE,
                Sending::Pending(message) => {
                    drop(core);
                    tables.message_handle(message, comm)?
                }
            }
        }
        _ => {
            let started = object.start_send(to, tag, buffer, mode)?;
            tables.request_handle(started, comm)?
        }
    };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(request, handle, "request") }
}

/// `MPI_Isend` (MPI 5.0, 3.7.2).
pub unsafe fn isend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let what = (buf, count, datatype);
    // SAFETY: passed on from MPI's caller.
    unsafe { start_send(what, dest, tag, comm, SendMode::Standard, request) }
}

/// `MPI_Issend` (MPI 5.0, 3.7.2).
pub unsafe fn issend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let what = (buf, count, datatype);
    // SAFETY: passed on from MPI's caller.
    unsafe { start_send(what, dest, tag, comm, SendMode::Synchronous, request) }
}

/// `MPI_Irsend` (MPI 5.0, 3.7.2).
pub unsafe fn irsend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let what = (buf, count, datatype);
    // SAFETY: passed on from MPI's caller.
    unsafe { start_send(what, dest, tag, comm, SendMode::Ready, request) }
}

/// `MPI_Ibsend` (MPI 5.0, 3.7.2).
pub unsafe fn ibsend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let what = (buf, count, datatype);
    // SAFETY: passed on from MPI's caller.
    unsafe { start_send(what, dest, tag, comm, SendMode::Buffered, request) }
}

/// `MPI_Irecv` (MPI 5.0, 3.7.2).
#[inline]
pub unsafe fn irecv(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    source: i32,
    tag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: passed on from MPI's caller.
    let buffer = unsafe { room(runtime, buf, count, datatype)? };
    let mut tables = runtime.tables.enter();
    let object = tables.comm(comm)?;
    let handle = match pattern(object, source, tag)? {
        None => tables.request_handle(from_nobody(), comm)?,
        Some(pattern) => {
            let mut core = object.process().engine.enter();
            let message = core.start_recv(object.messages(), pattern, buffer);
            drop(core);
            tables.message_handle(message, comm)?
        }
    };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(request, handle, "request") }
}

/// A complete receive from `MPI_PROC_NULL`. Its source is told from a send's by being asked for.
fn from_nobody() -> Started {
    Started::Done(mpi::FROM_NOBODY)
}

/// Makes a persistent send.
unsafe fn send_init_in_mode(
    (buf, count, datatype): (*const c_void, i64, Datatype),
    dest: i32,
    tag: i32,
    comm: Comm,
    mode: SendMode,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: passed on from MPI's caller.
    let buffer = unsafe { buffer(runtime, buf, count, datatype)? };
    let mut tables = runtime.tables.enter();
    let object = tables.comm(comm)?.clone();
    let to = destination(&object, dest)?;
    let tag = checked_tag(tag)?;
    let made = Persistent::request(Operation::Send {
        comm: object,
        to,
        tag,
        buffer,
        mode,
    });
    let handle = tables.request_handle(made, comm)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(request, handle, "request") }
}

/// `MPI_Send_init` (MPI 5.0, 3.9).
pub unsafe fn send_init(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let what = (buf, count, datatype);
    // SAFETY: passed on from MPI's caller.
    unsafe { send_init_in_mode(what, dest, tag, comm, SendMode::Standard, request) }
}

/// `MPI_Ssend_init` (MPI 5.0, 3.9).
pub unsafe fn ssend_init(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let what = (buf, count, datatype);
    // SAFETY: passed on from MPI's caller.
    unsafe { send_init_in_mode(what, dest, tag, comm, SendMode::Synchronous, request) }
}

/// `MPI_Rsend_init` (MPI 5.0, 3.9).
pub unsafe fn rsend_init(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let what = (buf, count, datatype);
    // SAFETY: passed on from MPI's caller.
    unsafe { send_init_in_mode(what, dest, tag, comm, SendMode::Ready, request) }
}

/// `MPI_Bsend_init` (MPI 5.0, 3.9).
pub unsafe fn bsend_init(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let what = (buf, count, datatype);
    // SAFETY: passed on from MPI's caller.
    unsafe { send_init_in_mode(what, dest, tag, comm, SendMode::Buffered, request) }
}

/// `MPI_Recv_init` (MPI 5.0, 3.9).
pub unsafe fn recv_init(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    source: i32,
    tag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: passed on from MPI's caller.
    let buffer = unsafe { room(runtime, buf, count, datatype)? };
    let mut tables = runtime.tables.enter();
    let object = tables.comm(comm)?.clone();
    let pattern = pattern(&object, source, tag)?;
    let made = Persistent::request(Operation::Recv {
        comm: object,
        pattern,
        buffer,
    });
    let handle = tables.request_handle(made, comm)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(request, handle, "request") }
}

/// `MPI_Probe` (MPI 5.0, 3.8.1).
pub unsafe fn probe(source: i32, tag: i32, comm: Comm, status: *mut Status) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, pattern) = accept(runtime, comm, source, tag)?;
    let known = match pattern {
        None => Status::PROC_NULL,
        Some(pattern) => Status::of(&runtime.process()?.probe(plane, pattern)),
    };
    // SAFETY: MPI's caller gives a status or none.
    unsafe { status::store(status, &known) };
    Ok(())
}

/// `MPI_Iprobe` (MPI 5.0, 3.8.1).
pub unsafe fn iprobe(
    source: i32,
    tag: i32,
    comm: Comm,
    flag: *mut i32,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, pattern) = accept(runtime, comm, source, tag)?;
    let known = match pattern {
        None => Some(Status::PROC_NULL),
        Some(pattern) => runtime
            .process()?
            .try_probe(plane, pattern)
            .map(|known| Status::of(&known)),
    };
    if let Some(known) = &known {
        // SAFETY: MPI's caller gives a status or none.
        unsafe { status::store(status, known) };
    }
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(flag, i32::from(known.is_some()), "flag") }
}

/// `MPI_Mprobe` (MPI 5.0, 3.8.2).
pub unsafe fn mprobe(
    source: i32,
    tag: i32,
    comm: Comm,
    message: *mut Message,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, pattern) = accept(runtime, comm, source, tag)?;
    let (handle, known) = match pattern {
        None => (MPI_MESSAGE_NO_PROC, Status::PROC_NULL),
        Some(pattern) => {
            let (taken, known) = runtime.process()?.matched_probe(plane, pattern);
            let handle = runtime.tables.enter().messages.insert((taken, comm))?;
            (handle, Status::of(&known))
        }
    };
    // SAFETY: MPI's caller gives a status or none, and a place for a handle.
    unsafe {
        status::store(status, &known);
        args::write(message, handle, "message")
    }
}

/// `MPI_Improbe` (MPI 5.0, 3.8.2).
pub unsafe fn improbe(
    source: i32,
    tag: i32,
    comm: Comm,
    flag: *mut i32,
    message: *mut Message,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, pattern) = accept(runtime, comm, source, tag)?;
    let found = match pattern {
        None => Some((MPI_MESSAGE_NO_PROC, Status::PROC_NULL)),
        Some(pattern) => match runtime.process()?.try_matched_probe(plane, pattern) {
            None => None,
            Some((taken, known)) => {
                let handle = runtime.tables.enter().messages.insert((taken, comm))?;
                Some((handle, Status::of(&known)))
            }
        },
    };
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(flag, i32::from(found.is_some()), "flag")? };
    let Some((handle, known)) = found else {
        return Ok(());
    };
    // SAFETY: MPI's caller gives a status or none, and a place for a handle.
    unsafe {
        status::store(status, &known);
        args::write(message, handle, "message")
    }
}

/// Starts to receive a message that a matched probe took; `None` for one from nobody.
unsafe fn start_matched(
    runtime: &Runtime,
    (buf, count, datatype): (*mut c_void, i64, Datatype),
    message: *mut Message,
) -> Result<Option<(pml::RequestId, Comm)>, Failure> {
    // SAFETY: passed on from MPI's caller.
    let buffer = unsafe { room(runtime, buf, count, datatype)? };
    // SAFETY: MPI's caller gives a handle.
    let handle = unsafe { args::read(message, "message")? };
    let found = match handle {
        MPI_MESSAGE_NO_PROC => None,
        handle => {
            let (taken, comm) = runtime.tables.enter().messages.remove(handle)?;
            let started = runtime.process()?.start_matched_recv(taken, buffer);
            Some((
                started.map_err(|error| Failure::from(error).on(On::Comm(comm)))?,
                comm,
            ))
        }
    };
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(message, MPI_MESSAGE_NULL, "message")? };
    Ok(found)
}

/// `MPI_Mrecv` (MPI 5.0, 3.8.3).
pub unsafe fn mrecv(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    message: *mut Message,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: passed on from MPI's caller.
    let started = unsafe { start_matched(runtime, (buf, count, datatype), message)? };
    let Some((started, comm)) = started else {
        // SAFETY: MPI's caller gives a status or none.
        unsafe { status::store(status, &Status::PROC_NULL) };
        return Ok(());
    };
    let outcome = runtime.process()?.wait(started);
    // SAFETY: MPI's caller gives a status or none.
    unsafe { status::store(status, &Status::of(&outcome.status)) };
    let result = outcome.result.map_err(mpi::Error::from);
    result.map_err(|error| Failure::from(error).on(On::Comm(comm)))
}

/// `MPI_Imrecv` (MPI 5.0, 3.8.3).
pub unsafe fn imrecv(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    message: *mut Message,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: passed on from MPI's caller.
    let started = unsafe { start_matched(runtime, (buf, count, datatype), message)? };
    let (started, comm) = match started {
        Some((started, comm)) => (Started::Message(started), comm),
        None => (from_nobody(), MPI_COMM_SELF),
    };
    let handle = runtime.tables.enter().request_handle(started, comm)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(request, handle, "request") }
}

/// `MPI_Sendrecv` (MPI 5.0, 3.10).
pub unsafe fn sendrecv(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    dest: i32,
    sendtag: i32,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    source: i32,
    recvtag: i32,
    comm: Comm,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: passed on from MPI's caller.
    let outgoing = unsafe { buffer(runtime, sendbuf, sendcount, sendtype)? };
    // SAFETY: passed on from MPI's caller.
    let incoming = unsafe { room(runtime, recvbuf, recvcount, recvtype)? };
    let object = runtime.tables.enter().comm(comm)?.clone();
    let to = destination(&object, dest)?;
    let pattern = pattern(&object, source, recvtag)?;
    let sendtag = checked_tag(sendtag)?;
    let outcome = object.exchange(to, sendtag, outgoing, pattern, incoming)?;
    let known = match outcome {
        Some(status) => Status::of(&status),
        None => Status::PROC_NULL,
    };
    // SAFETY: MPI's caller gives a status or none.
    unsafe { status::store(status, &known) };
    Ok(())
}

/// `MPI_Sendrecv_replace` (MPI 5.0, 3.10).
pub unsafe fn sendrecv_replace(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    sendtag: i32,
    source: i32,
    recvtag: i32,
    comm: Comm,
    status: *mut Status,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: passed on from MPI's caller.
    let incoming = unsafe { room(runtime, buf, count, datatype)? };
    let copy = memory::Scratch::new(incoming.len());
    incoming.pack_to_user(0, copy.buf());
    let object = runtime.tables.enter().comm(comm)?.clone();
    let to = destination(&object, dest)?;
    let pattern = pattern(&object, source, recvtag)?;
    let sendtag = checked_tag(sendtag)?;
    let outgoing = Buffer::bytes(copy.buf());
    let outcome = object.exchange(to, sendtag, outgoing, pattern, incoming)?;
    let known = match outcome {
        Some(status) => Status::of(&status),
        None => Status::PROC_NULL,
    };
    // SAFETY: MPI's caller gives a status or none.
    unsafe { status::store(status, &known) };
    Ok(())
}

/// `MPI_Isendrecv` (MPI 5.0, 3.10).
pub unsafe fn isendrecv(
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    dest: i32,
    sendtag: i32,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    source: i32,
    recvtag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: passed on from MPI's caller.
    let outgoing = unsafe { buffer(runtime, sendbuf, sendcount, sendtype)? };
    // SAFETY: passed on from MPI's caller.
    let incoming = unsafe { room(runtime, recvbuf, recvcount, recvtype)? };
    let mut tables = runtime.tables.enter();
    let object = tables.comm(comm)?;
    let to = destination(object, dest)?;
    let pattern = pattern(object, source, recvtag)?;
    let received = match pattern {
        None => from_nobody(),
        pattern => object.start_recv(pattern, incoming),
    };
    let sent = object.start_send(to, checked_tag(sendtag)?, outgoing, SendMode::Standard)?;
    let handle = tables.request_handle(Started::pair(sent, received, None), comm)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(request, handle, "request") }
}

/// `MPI_Isendrecv_replace` (MPI 5.0, 3.10).
pub unsafe fn isendrecv_replace(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    dest: i32,
    sendtag: i32,
    source: i32,
    recvtag: i32,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: passed on from MPI's caller.
    let incoming = unsafe { room(runtime, buf, count, datatype)? };
    let copy = memory::Scratch::new(incoming.len());
    incoming.pack_to_user(0, copy.buf());
    let mut tables = runtime.tables.enter();
    let object = tables.comm(comm)?;
    let to = destination(object, dest)?;
    let pattern = pattern(object, source, recvtag)?;
    let outgoing = Buffer::bytes(copy.buf());
    let sent = object.start_send(to, checked_tag(sendtag)?, outgoing, SendMode::Standard)?;
    let received = match pattern {
        None => from_nobody(),
        pattern => object.start_recv(pattern, incoming),
    };
    let handle = tables.request_handle(Started::pair(sent, received, Some(copy)), comm)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(request, handle, "request") }
}
