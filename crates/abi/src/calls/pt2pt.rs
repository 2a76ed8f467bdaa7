//! Send, receive and probe (MPI 5.0, chapter 3).
//!
//! With a predefined datatype a call enters the tables once, to look up the communicator, and
//! leaves them before it waits; a derived datatype is looked up separately. [`send`] and [`recv`]
//! look up the communicator first and the buffer second; the other calls do it the other way round,
//! and those that create a request stay in the tables for its handle. If several arguments are
//! wrong, this order decides which error is raised.
//!
//! All send modes share a function: `MPI_Ssend` is [`send`] with another mode.

use std::sync::atomic::Ordering;

use abi_state::args::{Comm, Elements, InOut, Message, Out, Request, Status};
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::*;
use abi_state::hooks;
use abi_state::request_handle::COMPLETE;
use abi_state::runtime::{self, Runtime};
use abi_state::status::OutStatus;
use base::Rank;
use datatype::Buffer;
use mpi::{Operation, Persistent, Request as Started, SendMode};
use pml::Started as Sending;
use pml::{CommId, Mode, Pattern, Pml, Tag};

/// The receiver that an argument names; `None` for `MPI_PROC_NULL`.
#[inline(always)]
fn destination(comm: &mpi::Comm, dest: i32) -> Result<Option<Rank>, Failure> {
    if dest == MPI_PROC_NULL {
        return Ok(comm.check_revoked().map(|()| None)?);
    }
    comm.far_rank(dest).map(Some).map_err(Failure::from)
}

/// Returns the messages that a receive accepts; `None` for `MPI_PROC_NULL`.
#[inline]
fn pattern(comm: &mpi::Comm, source: i32, tag: i32) -> Result<Option<Pattern>, Failure> {
    let tag = match tag {
        MPI_ANY_TAG => None,
        tag => Some(checked_tag(tag)?),
    };
    let source = match source {
        MPI_PROC_NULL => return nobody(comm),
        MPI_ANY_SOURCE => None,
        source => Some(comm.far_rank(source)?),
    };
    Ok(Some(Pattern { source, tag }))
}

/// Returns that nobody is meant, unless the communicator is revoked.
#[cold]
fn nobody(comm: &mpi::Comm) -> Result<Option<Pattern>, Failure> {
    comm.check_revoked()?;
    Ok(None)
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
///
/// Inlined, as is `accept`: the call takes a twentieth of the path of a short message.
#[inline(always)]
fn route(runtime: &Runtime, comm: Comm, dest: i32) -> Result<(CommId, Option<Rank>), Failure> {
    let tables = runtime.tables.enter();
    let comm = tables.comm(comm)?;
    Ok((comm.messages(), destination(comm, dest)?))
}

#[inline(always)]
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

/// `MPI_Send` (MPI 5.0, 3.2.1), and in other modes `MPI_Bsend`, `MPI_Ssend` and `MPI_Rsend` (3.4).
#[inline(always)]
pub fn send(
    mode: SendMode,
    what: Elements,
    dest: i32,
    tag: i32,
    comm: Comm,
) -> Result<(), Failure> {
    match mode {
        SendMode::Standard | SendMode::Ready => send_now::<false>(what, dest, tag, comm),
        SendMode::Synchronous => send_now::<true>(what, dest, tag, comm),
        SendMode::Buffered => send_buffered(what, dest, tag, comm),
    }
}

/// Sends without a buffer of the user's. The mode is constant, for the path of a short message has
/// less to decide then.
#[inline]
fn send_now<const SYNCHRONOUS: bool>(
    what: Elements,
    dest: i32,
    tag: i32,
    comm: Comm,
) -> Result<(), Failure> {
    let mode = match SYNCHRONOUS {
        true => Mode::Synchronous,
        false => Mode::Standard,
    };
    let runtime = runtime::get();
    let (plane, to) = route(runtime, comm, dest)?;
    let tag = checked_tag(tag)?;
    let buffer = what.send_buffer(runtime)?;
    let Some(to) = to else { return Ok(()) };
    let sent = runtime.process()?.send(plane, to, tag, buffer, mode);
    sent.map_err(|failure| mpi::Error::from(failure).into())
}

#[inline(never)]
fn send_buffered(what: Elements, dest: i32, tag: i32, comm: Comm) -> Result<(), Failure> {
    let runtime = runtime::get();
    let comm = runtime.tables.enter().comm(comm)?.clone();
    let to = destination(&comm, dest)?;
    let tag = checked_tag(tag)?;
    let buffer = what.send_buffer(runtime)?;
    match to {
        Some(to) => comm.send_buffered(to, tag, buffer).map_err(Failure::from),
        None => Ok(()),
    }
}

/// `MPI_Recv` (MPI 5.0, 3.2.4).
#[inline]
pub fn recv(
    into: Elements,
    source: i32,
    tag: i32,
    comm: Comm,
    status: OutStatus,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, pattern) = accept(runtime, comm, source, tag)?;
    let buffer = into.recv_buffer(runtime)?;
    let Some(pattern) = pattern else {
        status.set(&Status::PROC_NULL);
        return Ok(());
    };
    let outcome = runtime.process()?.recv(plane, pattern, buffer);
    hooks::received(&outcome.status);
    status.set(&Status::of(&outcome.status));
    outcome
        .result
        .map_err(|failure| mpi::Error::from(failure).into())
}

/// `MPI_Isend`, and in other modes `MPI_Ibsend`, `MPI_Issend` and `MPI_Irsend` (MPI 5.0, 3.7.2).
#[inline]
pub fn isend(
    mode: SendMode,
    what: Elements,
    dest: i32,
    tag: i32,
    comm: Comm,
    request: Out<Request>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let buffer = what.send_buffer(runtime)?;
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
                    object.process().leave_pending();
                    tables.message_handle(message, comm)?
                }
            }
        }
        _ => {
            // A buffer of buffered sends is locked before the tables are entered.
            let object = object.clone();
            drop(tables);
            let started = object.start_send(to, tag, buffer, mode)?;
            let handle = runtime.tables.enter().request_handle(started, comm)?;
            return request.set(handle);
        }
    };
    request.set(handle)
}

/// `MPI_Irecv` (MPI 5.0, 3.7.2).
#[inline]
pub fn irecv(
    into: Elements,
    source: i32,
    tag: i32,
    comm: Comm,
    request: Out<Request>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let buffer = into.recv_buffer(runtime)?;
    let mut tables = runtime.tables.enter();
    let object = tables.comm(comm)?;
    let handle = match pattern(object, source, tag)? {
        None => tables.request_handle(from_nobody(), comm)?,
        Some(pattern) => {
            let (process, bytes) = (object.process(), buffer.len());
            let mut core = process.engine.enter();
            let message = core.start_recv(object.messages(), pattern, buffer);
            drop(core);
            process.leave_receive_pending(bytes);
            tables.message_handle(message, comm)?
        }
    };
    request.set(handle)
}

/// Returns a complete receive from `MPI_PROC_NULL`, whose status names that source, unlike a
/// send's.
fn from_nobody() -> Started {
    Started::Done(mpi::FROM_NOBODY)
}

/// `MPI_Send_init`, and in other modes `MPI_Bsend_init`, `MPI_Ssend_init` and `MPI_Rsend_init`
/// (MPI 5.0, 3.9).
pub fn send_init(
    mode: SendMode,
    what: Elements,
    dest: i32,
    tag: i32,
    comm: Comm,
    request: Out<Request>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let buffer = what.send_buffer(runtime)?;
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
    request.set(handle)
}

/// `MPI_Recv_init` (MPI 5.0, 3.9).
pub fn recv_init(
    into: Elements,
    source: i32,
    tag: i32,
    comm: Comm,
    request: Out<Request>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let buffer = into.recv_buffer(runtime)?;
    let mut tables = runtime.tables.enter();
    let object = tables.comm(comm)?.clone();
    let pattern = pattern(&object, source, tag)?;
    let made = Persistent::request(Operation::Recv {
        comm: object,
        pattern,
        buffer,
    });
    let handle = tables.request_handle(made, comm)?;
    request.set(handle)
}

/// `MPI_Probe` (MPI 5.0, 3.8.1).
pub fn probe(source: i32, tag: i32, comm: Comm, status: OutStatus) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, pattern) = accept(runtime, comm, source, tag)?;
    let known = match pattern {
        None => Status::PROC_NULL,
        Some(pattern) => {
            let found = runtime.process()?.probe(plane, pattern);
            Status::of(&found.map_err(mpi::Error::from)?)
        }
    };
    status.set(&known);
    Ok(())
}

/// `MPI_Iprobe` (MPI 5.0, 3.8.1).
pub fn iprobe(
    source: i32,
    tag: i32,
    comm: Comm,
    flag: Out<i32>,
    status: OutStatus,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, pattern) = accept(runtime, comm, source, tag)?;
    let known = match pattern {
        None => Some(Status::PROC_NULL),
        Some(pattern) => runtime
            .process()?
            .try_probe(plane, pattern)
            .map_err(mpi::Error::from)?
            .map(|known| Status::of(&known)),
    };
    if let Some(known) = &known {
        status.set(known);
    }
    flag.set(i32::from(known.is_some()))
}

/// `MPI_Mprobe` (MPI 5.0, 3.8.2).
pub fn mprobe(
    source: i32,
    tag: i32,
    comm: Comm,
    message: Out<Message>,
    status: OutStatus,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, pattern) = accept(runtime, comm, source, tag)?;
    let (handle, known) = match pattern {
        None => (MPI_MESSAGE_NO_PROC, Status::PROC_NULL),
        Some(pattern) => {
            let found = runtime.process()?.matched_probe(plane, pattern);
            let (taken, known) = found.map_err(mpi::Error::from)?;
            let handle = runtime.tables.enter().messages.insert((taken, comm))?;
            (handle, Status::of(&known))
        }
    };
    status.set(&known);
    message.set(handle)
}

/// `MPI_Improbe` (MPI 5.0, 3.8.2).
pub fn improbe(
    source: i32,
    tag: i32,
    comm: Comm,
    flag: Out<i32>,
    message: Out<Message>,
    status: OutStatus,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (plane, pattern) = accept(runtime, comm, source, tag)?;
    let found = match pattern {
        None => Some((MPI_MESSAGE_NO_PROC, Status::PROC_NULL)),
        Some(pattern) => match (runtime.process()?)
            .try_matched_probe(plane, pattern)
            .map_err(mpi::Error::from)?
        {
            None => None,
            Some((taken, known)) => {
                let handle = runtime.tables.enter().messages.insert((taken, comm))?;
                Some((handle, Status::of(&known)))
            }
        },
    };
    flag.set(i32::from(found.is_some()))?;
    let Some((handle, known)) = found else {
        return Ok(());
    };
    status.set(&known);
    message.set(handle)
}

/// Starts to receive a message that a matched probe took; `None` for one from nobody.
fn start_matched(
    runtime: &Runtime,
    into: Elements,
    message: InOut<Message>,
) -> Result<Option<(pml::RequestId, Comm)>, Failure> {
    let buffer = into.recv_buffer(runtime)?;
    let handle = message.get()?;
    let found = match handle {
        MPI_MESSAGE_NO_PROC => None,
        handle => {
            let (taken, comm) = runtime.tables.enter().messages.remove(handle)?;
            hooks::takes_matched(comm);
            let started = runtime.process()?.start_matched_recv(taken, buffer);
            Some((
                started.map_err(|error| Failure::from(error).on(On::Comm(comm)))?,
                comm,
            ))
        }
    };
    message.set(MPI_MESSAGE_NULL)?;
    Ok(found)
}

/// `MPI_Mrecv` (MPI 5.0, 3.8.3).
pub fn mrecv(into: Elements, message: InOut<Message>, status: OutStatus) -> Result<(), Failure> {
    let runtime = runtime::get();
    let started = start_matched(runtime, into, message)?;
    let Some((started, comm)) = started else {
        status.set(&Status::PROC_NULL);
        return Ok(());
    };
    let outcome = runtime.process()?.wait(started);
    hooks::received(&outcome.status);
    status.set(&Status::of(&outcome.status));
    let result = outcome.result.map_err(mpi::Error::from);
    result.map_err(|error| Failure::from(error).on(On::Comm(comm)))
}

/// `MPI_Imrecv` (MPI 5.0, 3.8.3).
pub fn imrecv(
    into: Elements,
    message: InOut<Message>,
    request: Out<Request>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let started = start_matched(runtime, into, message)?;
    let (started, comm) = match started {
        Some((started, comm)) => (Started::Message(started), comm),
        None => (from_nobody(), MPI_COMM_SELF),
    };
    let handle = runtime.tables.enter().request_handle(started, comm)?;
    request.set(handle)
}

/// `MPI_Sendrecv` (MPI 5.0, 3.10).
pub fn sendrecv(
    outgoing: Elements,
    dest: i32,
    sendtag: i32,
    incoming: Elements,
    source: i32,
    recvtag: i32,
    comm: Comm,
    status: OutStatus,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let buffers = (
        outgoing.send_buffer(runtime)?,
        incoming.recv_buffer(runtime)?,
    );
    let (to, from) = ((dest, sendtag), (source, recvtag));
    exchange(comm, to, from, buffers, status)
}

/// `MPI_Sendrecv_replace` (MPI 5.0, 3.10).
pub fn sendrecv_replace(
    elements: Elements,
    dest: i32,
    sendtag: i32,
    source: i32,
    recvtag: i32,
    comm: Comm,
    status: OutStatus,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let incoming = elements.recv_buffer(runtime)?;
    let copy = memory::Scratch::new(incoming.len());
    incoming.pack_to_user(0, copy.buf());
    let (to, from) = ((dest, sendtag), (source, recvtag));
    exchange(
        comm,
        to,
        from,
        (Buffer::bytes(copy.buf()), incoming),
        status,
    )
}

/// `MPI_Isendrecv` (MPI 5.0, 3.10).
pub fn isendrecv(
    outgoing: Elements,
    dest: i32,
    sendtag: i32,
    incoming: Elements,
    source: i32,
    recvtag: i32,
    comm: Comm,
    request: Out<Request>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let buffers = (
        outgoing.send_buffer(runtime)?,
        incoming.recv_buffer(runtime)?,
    );
    let (to, from) = ((dest, sendtag), (source, recvtag));
    start_exchange(comm, to, from, buffers, None, request)
}

/// `MPI_Isendrecv_replace` (MPI 5.0, 3.10).
pub fn isendrecv_replace(
    elements: Elements,
    dest: i32,
    sendtag: i32,
    source: i32,
    recvtag: i32,
    comm: Comm,
    request: Out<Request>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let incoming = elements.recv_buffer(runtime)?;
    let copy = memory::Scratch::new(incoming.len());
    incoming.pack_to_user(0, copy.buf());
    let (to, from) = ((dest, sendtag), (source, recvtag));
    let buffers = (Buffer::bytes(copy.buf()), incoming);
    start_exchange(comm, to, from, buffers, Some(copy), request)
}

/// Sends the first buffer to a rank with a tag, and receives the second from a rank with a tag.
#[inline]
fn exchange(
    comm: Comm,
    (dest, sendtag): (i32, i32),
    (source, recvtag): (i32, i32),
    (outgoing, incoming): (Buffer, Buffer),
    status: OutStatus,
) -> Result<(), Failure> {
    let object = runtime::get().tables.enter().comm(comm)?.clone();
    let to = destination(&object, dest)?;
    let pattern = pattern(&object, source, recvtag)?;
    let sendtag = checked_tag(sendtag)?;
    let outcome = object.exchange(to, sendtag, outgoing, pattern, incoming)?;
    let known = match outcome {
        Some(status) => {
            hooks::received(&status);
            Status::of(&status)
        }
        None => Status::PROC_NULL,
    };
    status.set(&known);
    Ok(())
}

/// Starts what [`exchange`] does; the first buffer may be in `copy`, which the request owns.
fn start_exchange(
    comm: Comm,
    (dest, sendtag): (i32, i32),
    (source, recvtag): (i32, i32),
    (outgoing, incoming): (Buffer, Buffer),
    copy: Option<memory::Scratch>,
    request: Out<Request>,
) -> Result<(), Failure> {
    let mut tables = runtime::get().tables.enter();
    let object = tables.comm(comm)?;
    let to = destination(object, dest)?;
    let pattern = pattern(object, source, recvtag)?;
    let sendtag = checked_tag(sendtag)?;
    let received = match pattern {
        None => from_nobody(),
        pattern => object.start_recv(pattern, incoming),
    };
    let sent = object.start_send(to, sendtag, outgoing, SendMode::Standard)?;
    let handle = tables.request_handle(Started::pair(sent, received, copy), comm)?;
    request.set(handle)
}
