//! Attaching and detaching the buffer of buffered sends (MPI 5.0, 3.6).

use std::ffi::c_void;
use std::sync::Arc;

use memory::UserBuf;
use mpi::{Bsend, BsendPlace, Process};

use super::buffers::refuse_in_place;
use super::comm::{find, lock};
use super::session;
use crate::args::{self, Comm, OutCount, Request, Session};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::runtime;

/// Attaches a buffer where none is.
unsafe fn attach(place: &BsendPlace, address: *mut c_void, size: i64) -> Result<(), Failure> {
    let Ok(size) = usize::try_from(size) else {
        return Err(Failure::new(MPI_ERR_ARG, format!("size is {size}")));
    };
    refuse_in_place(address, size)?;
    let mut place = lock(place);
    if place.is_some() {
        return Err(Failure::new(MPI_ERR_BUFFER, "a buffer is attached already"));
    }
    *place = Some(if address == MPI_BUFFER_AUTOMATIC as *mut c_void {
        Bsend::automatic()
    } else if address.is_null() && size > 0 {
        return Err(Failure::new(MPI_ERR_ARG, "buffer is a null pointer"));
    } else {
        // SAFETY: MPI's caller gives `size` bytes that are the library's until detached.
        Bsend::attached(unsafe { UserBuf::new(address.cast(), size) })
    });
    Ok(())
}

/// Waits until the messages of a buffer have gone, and gives the buffer back.
unsafe fn detach(
    process: &Process,
    place: &BsendPlace,
    address: *mut c_void,
    size: OutCount,
) -> Result<(), Failure> {
    let Some(mut bsend) = lock(place).take() else {
        return Err(Failure::new(MPI_ERR_BUFFER, "no buffer is attached"));
    };
    bsend.flush(process);
    let (memory, len) = match bsend.memory() {
        Some(memory) => (memory.address().cast(), memory.len() as i64),
        None => (MPI_BUFFER_AUTOMATIC as *mut c_void, 0),
    };
    // SAFETY: MPI's caller gives places for an address and a count.
    unsafe {
        args::write(address.cast::<*mut c_void>(), memory, "buffer_addr")?;
        size.set(len, "size")
    }
}

/// Waits until the messages of a buffer have gone, and takes it away: what it belongs to goes.
pub(crate) fn release(process: &Process, place: &BsendPlace) {
    if let Some(mut bsend) = lock(place).take() {
        bsend.flush(process);
    }
}

fn flush(process: &Process, place: &BsendPlace) {
    if let Some(bsend) = lock(place).as_mut() {
        bsend.flush(process);
    }
}

/// Gives a request for a flush; its errors go to `comm`'s handler.
unsafe fn give(flush: mpi::Request, comm: Comm, request: *mut Request) -> Result<(), Failure> {
    let handle = runtime::get().tables.enter().request_handle(flush, comm)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(request, handle, "request") }
}

/// `MPI_Buffer_attach` (MPI 5.0, 3.6).
pub unsafe fn buffer_attach(buffer: *mut c_void, size: i64) -> Result<(), Failure> {
    // SAFETY: passed on from MPI's caller.
    unsafe { attach(&runtime::get().process()?.bsend, buffer, size) }
}

/// `MPI_Buffer_detach` (MPI 5.0, 3.6).
pub unsafe fn buffer_detach(buffer_addr: *mut c_void, size: OutCount) -> Result<(), Failure> {
    let process = runtime::get().process()?;
    // SAFETY: passed on from MPI's caller.
    unsafe { detach(process, &process.bsend, buffer_addr, size) }
}

/// `MPI_Buffer_flush` (MPI 5.0, 3.6).
pub unsafe fn buffer_flush() -> Result<(), Failure> {
    let process = runtime::get().process()?;
    flush(process, &process.bsend);
    Ok(())
}

/// `MPI_Buffer_iflush` (MPI 5.0, 3.6).
pub unsafe fn buffer_iflush(request: *mut Request) -> Result<(), Failure> {
    let process = runtime::get().process()?.clone();
    let flush = Bsend::start_flush(process, |process| &process.bsend);
    // SAFETY: passed on from MPI's caller.
    unsafe { give(flush, MPI_COMM_SELF, request) }
}

/// `MPI_Comm_attach_buffer` (MPI 5.0, 3.6).
pub unsafe fn comm_attach_buffer(
    comm: Comm,
    buffer: *mut c_void,
    size: i64,
) -> Result<(), Failure> {
    let comm = find(runtime::get(), comm)?;
    // SAFETY: passed on from MPI's caller.
    unsafe { attach(&comm.bsend, buffer, size) }
}

/// `MPI_Comm_detach_buffer` (MPI 5.0, 3.6).
pub unsafe fn comm_detach_buffer(
    comm: Comm,
    buffer_addr: *mut c_void,
    size: OutCount,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let comm = find(runtime, comm)?;
    // SAFETY: passed on from MPI's caller.
    unsafe { detach(runtime.process()?, &comm.bsend, buffer_addr, size) }
}

/// `MPI_Comm_flush_buffer` (MPI 5.0, 3.6).
pub unsafe fn comm_flush_buffer(comm: Comm) -> Result<(), Failure> {
    let runtime = runtime::get();
    let comm = find(runtime, comm)?;
    flush(runtime.process()?, &comm.bsend);
    Ok(())
}

/// `MPI_Comm_iflush_buffer` (MPI 5.0, 3.6).
pub unsafe fn comm_iflush_buffer(comm: Comm, request: *mut Request) -> Result<(), Failure> {
    let flush = Bsend::start_flush(find(runtime::get(), comm)?, |comm| &comm.bsend);
    // SAFETY: passed on from MPI's caller.
    unsafe { give(flush, comm, request) }
}

/// `MPI_Session_attach_buffer` (MPI 5.0, 3.6): for messages on communicators that come from a
/// group of the session and have no buffer of their own.
pub unsafe fn session_attach_buffer(
    session: Session,
    buffer: *mut c_void,
    size: i64,
) -> Result<(), Failure> {
    let session = session::find(runtime::get(), session)?;
    // SAFETY: passed on from MPI's caller.
    unsafe { attach(&session.bsend, buffer, size) }
}

/// `MPI_Session_detach_buffer` (MPI 5.0, 3.6).
pub unsafe fn session_detach_buffer(
    session: Session,
    buffer_addr: *mut c_void,
    size: OutCount,
) -> Result<(), Failure> {
    let session = session::find(runtime::get(), session)?;
    // SAFETY: passed on from MPI's caller.
    unsafe { detach(session.process(), &session.bsend, buffer_addr, size) }
}

/// `MPI_Session_flush_buffer` (MPI 5.0, 3.6).
pub unsafe fn session_flush_buffer(session: Session) -> Result<(), Failure> {
    let session = session::find(runtime::get(), session)?;
    flush(session.process(), &session.bsend);
    Ok(())
}

/// `MPI_Session_iflush_buffer` (MPI 5.0, 3.6).
pub unsafe fn session_iflush_buffer(
    session: Session,
    request: *mut Request,
) -> Result<(), Failure> {
    let session = session::find(runtime::get(), session)?;
    let place: Arc<BsendPlace> = session.bsend.clone();
    let flush = Bsend::start_flush(place, |place| place);
    // SAFETY: passed on from MPI's caller.
    unsafe { give(flush, MPI_COMM_SELF, request) }
}
