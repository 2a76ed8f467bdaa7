//! Attaching and detaching the buffer of buffered sends (MPI 5.0, 3.6).

use std::ffi::c_void;
use std::sync::Arc;

use abi_state::args::{Bytes, Comm, Out, OutCount, Request, Session};
use abi_state::buffers::refuse_in_place;
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime;
use mpi::{Bsend, BsendBuffer, Process};

/// Attaches a buffer where none is.
fn attach(place: &BsendBuffer, buffer: Bytes) -> Result<(), Failure> {
    let (address, size) = (buffer.address(), buffer.size());
    let Ok(len) = usize::try_from(size) else {
        return Err(Failure::new(MPI_ERR_ARG, format!("size is {size}")));
    };
    refuse_in_place(address, len)?;
    let mut place = place.lock();
    if place.is_some() {
        return Err(Failure::new(MPI_ERR_BUFFER, "a buffer is attached already"));
    }
    *place = Some(if address == MPI_BUFFER_AUTOMATIC as *mut c_void {
        Bsend::automatic()
    } else if address.is_null() && size > 0 {
        return Err(Failure::new(MPI_ERR_BUFFER, "buffer is a null pointer"));
    } else {
        Bsend::attached(buffer.memory(len))
    });
    Ok(())
}

/// Waits until the messages of a buffer have gone, and gives the buffer back.
fn detach(
    process: &Process,
    place: &BsendBuffer,
    address: Out<usize>,
    size: OutCount,
) -> Result<(), Failure> {
    let Some(mut bsend) = place.lock().take() else {
        return Err(Failure::new(MPI_ERR_BUFFER, "no buffer is attached"));
    };
    process.empty_buffer(&mut bsend);
    let (memory, len) = match bsend.memory() {
        Some(memory) => (memory.address() as usize, memory.len() as i64),
        None => (MPI_BUFFER_AUTOMATIC, 0),
    };
    address.set(memory)?;
    size.set(len)
}

/// Waits until the messages of a buffer have gone, and takes it away: what it belongs to goes.
pub(crate) fn release(process: &Process, place: &BsendBuffer) {
    let bsend = place.lock().take();
    if let Some(mut bsend) = bsend {
        process.empty_buffer(&mut bsend);
    }
}

/// Gives a request for a flush; its errors go to `comm`'s handler.
fn give(flush: mpi::Request, comm: Comm, request: Out<Request>) -> Result<(), Failure> {
    let handle = runtime::get().tables.enter().request_handle(flush, comm)?;
    request.set(handle)
}

/// `MPI_Buffer_attach` (MPI 5.0, 3.6).
pub fn buffer_attach(buffer: Bytes) -> Result<(), Failure> {
    attach(&runtime::get().process()?.bsend, buffer)
}

/// `MPI_Buffer_detach` (MPI 5.0, 3.6).
pub fn buffer_detach(buffer_addr: Out<usize>, size: OutCount) -> Result<(), Failure> {
    let process = runtime::get().process()?;
    detach(process, &process.bsend, buffer_addr, size)
}

/// `MPI_Buffer_flush` (MPI 5.0, 3.6).
pub fn buffer_flush() -> Result<(), Failure> {
    let process = runtime::get().process()?;
    process.flush_buffer(&process.bsend);
    Ok(())
}

/// `MPI_Buffer_iflush` (MPI 5.0, 3.6).
pub fn buffer_iflush(request: Out<Request>) -> Result<(), Failure> {
    let process = runtime::get().process()?.clone();
    let flush = mpi::Request::flush_of(process, |process| &process.bsend);
    give(flush, MPI_COMM_SELF, request)
}

/// `MPI_Comm_attach_buffer` (MPI 5.0, 3.6).
pub fn comm_attach_buffer(comm: Comm, buffer: Bytes) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    attach(&comm.bsend, buffer)
}

/// `MPI_Comm_detach_buffer` (MPI 5.0, 3.6).
pub fn comm_detach_buffer(
    comm: Comm,
    buffer_addr: Out<usize>,
    size: OutCount,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let comm = runtime.comm(comm)?;
    detach(runtime.process()?, &comm.bsend, buffer_addr, size)
}

/// `MPI_Comm_flush_buffer` (MPI 5.0, 3.6).
pub fn comm_flush_buffer(comm: Comm) -> Result<(), Failure> {
    let runtime = runtime::get();
    let comm = runtime.comm(comm)?;
    runtime.process()?.flush_buffer(&comm.bsend);
    Ok(())
}

/// `MPI_Comm_iflush_buffer` (MPI 5.0, 3.6).
pub fn comm_iflush_buffer(comm: Comm, request: Out<Request>) -> Result<(), Failure> {
    let flush = mpi::Request::flush_of(runtime::get().comm(comm)?, |comm| &comm.bsend);
    give(flush, comm, request)
}

/// `MPI_Session_attach_buffer` (MPI 5.0, 3.6): for messages on communicators that come from a
/// group of the session and have no buffer of their own.
pub fn session_attach_buffer(session: Session, buffer: Bytes) -> Result<(), Failure> {
    let session = runtime::get().session(session)?;
    attach(&session.bsend, buffer)
}

/// `MPI_Session_detach_buffer` (MPI 5.0, 3.6).
pub fn session_detach_buffer(
    session: Session,
    buffer_addr: Out<usize>,
    size: OutCount,
) -> Result<(), Failure> {
    let session = runtime::get().session(session)?;
    detach(session.process(), &session.bsend, buffer_addr, size)
}

/// `MPI_Session_flush_buffer` (MPI 5.0, 3.6).
pub fn session_flush_buffer(session: Session) -> Result<(), Failure> {
    let session = runtime::get().session(session)?;
    session.process().flush_buffer(&session.bsend);
    Ok(())
}

/// `MPI_Session_iflush_buffer` (MPI 5.0, 3.6).
pub fn session_iflush_buffer(session: Session, request: Out<Request>) -> Result<(), Failure> {
    let session = runtime::get().session(session)?;
    let place: Arc<BsendBuffer> = session.bsend.clone();
    let flush = mpi::Request::flush_of(place, |place| place);
    give(flush, MPI_COMM_SELF, request)
}
