//! Attaching and detaching the buffer of buffered sends (MPI 5.0, 3.6).

use std::ffi::c_void;
use std::sync::Mutex;

use memory::UserBuf;
use mpi::{Bsend, Process};

use super::comm::{find, lock};
use crate::args::{self, Comm, OutCount, Request};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::runtime;

/// Attaches a buffer where none is.
unsafe fn attach(
    place: &Mutex<Option<Bsend>>,
    address: *mut c_void,
    size: i64,
) -> Result<(), Failure> {
    let Ok(size) = usize::try_from(size) else {
        return Err(Failure::new(MPI_ERR_ARG, format!("size is {size}")));
    };
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
    place: &Mutex<Option<Bsend>>,
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

fn flush(process: &Process, place: &Mutex<Option<Bsend>>) {
    if let Some(bsend) = lock(place).as_mut() {
        bsend.flush(process);
    }
}

/// Flushing waits for other processes' progress only, so it is done at once.
unsafe fn start_flush(comm: Comm, request: *mut Request) -> Result<(), Failure> {
    let done = mpi::Request::Done(mpi::NO_PARTNER);
    let handle = runtime::get().tables.enter().request_handle(done, comm)?;
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
    let process = runtime::get().process()?;
    flush(process, &process.bsend);
    // SAFETY: passed on from MPI's caller.
    unsafe { start_flush(MPI_COMM_SELF, request) }
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
    // SAFETY: passed on from MPI's caller.
    unsafe {
        comm_flush_buffer(comm)?;
        start_flush(comm, request)
    }
}
