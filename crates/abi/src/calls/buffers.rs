//! Argument triples (address, count, datatype) made into buffers.

use std::ffi::c_void;

use datatype::Buffer;

use crate::args::Datatype;
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::runtime::Runtime;
use crate::tables;

/// The elements of an argument triple.
///
/// Inlined, so that the buffer of a predefined type stays in registers.
///
/// # Safety
/// MPI's caller gives `count` elements of the datatype at `address`, valid until the operation
/// is complete.
#[inline(always)]
pub(crate) unsafe fn buffer(
    runtime: &Runtime,
    address: *const c_void,
    count: i64,
    datatype: Datatype,
) -> Result<Buffer, Failure> {
    if let Some(datatype) = tables::predefined(datatype) {
        if count >= 0 && address as usize > MPI_IN_PLACE {
            // SAFETY: promised by the caller.
            let made = unsafe { Buffer::new(address.cast_mut().cast(), count, datatype) };
            return made.map_err(Failure::from);
        }
    }
    // SAFETY: promised by the caller.
    unsafe { unusual_buffer(runtime, address, count, datatype) }
}

/// The same for derived datatypes, empty buffers and wrong arguments.
#[inline(never)]
unsafe fn unusual_buffer(
    runtime: &Runtime,
    address: *const c_void,
    count: i64,
    datatype: Datatype,
) -> Result<Buffer, Failure> {
    if count < 0 {
        return Err(negative_count(count));
    }
    let known = runtime.committed(of_nothing(count, datatype))?;
    if address as usize == MPI_IN_PLACE && count > 0 && known.size() > 0 {
        return Err(misplaced());
    }
    if address.is_null() && count > 0 && known.predefined().is_some() {
        return Err(null_buffer(count));
    }
    // SAFETY: promised by the caller.
    unsafe { Buffer::new(address.cast_mut().cast(), count, &known) }.map_err(Failure::from)
}

/// The datatype of `count` elements, which is not asked for where there are none: programs pass
/// `MPI_DATATYPE_NULL` with a message that is only a signal. Any other handle has to be right.
fn of_nothing(count: i64, datatype: Datatype) -> Datatype {
    match (count, datatype) {
        (0, MPI_DATATYPE_NULL) => MPI_BYTE,
        _ => datatype,
    }
}

/// The elements of an argument triple that are received into.
///
/// # Safety
/// As of [`buffer`].
#[inline(always)]
pub(crate) unsafe fn room(
    runtime: &Runtime,
    address: *mut c_void,
    count: i64,
    datatype: Datatype,
) -> Result<Buffer, Failure> {
    check_room(runtime, count, datatype)?;
    // SAFETY: promised by the caller.
    unsafe { buffer(runtime, address, count, datatype) }
}

/// Refuses elements that nothing can be received into.
#[inline(always)]
pub(crate) fn check_room(runtime: &Runtime, count: i64, datatype: Datatype) -> Result<(), Failure> {
    match tables::predefined(datatype) {
        Some(_) => Ok(()),
        None => refuse_overlap(runtime, count, datatype),
    }
}

/// Bytes that lie on each other cannot be received into (MPI 5.0, 5.1.11).
#[inline(never)]
fn refuse_overlap(runtime: &Runtime, count: i64, datatype: Datatype) -> Result<(), Failure> {
    let known = runtime.committed(of_nothing(count, datatype))?;
    if !known.overlaps(count) {
        return Ok(());
    }
    let text = format!(
        "{count} elements of datatype {:#x} have bytes that lie on each other, so nothing can be \
         received into them",
        datatype.0
    );
    Err(Failure::new(MPI_ERR_TYPE, text))
}

/// Refuses `MPI_IN_PLACE` for memory that is no argument triple. No bytes may lie anywhere: in Rust
/// an empty list of bytes begins at address 1.
pub(crate) fn refuse_in_place(address: *const c_void, bytes: usize) -> Result<(), Failure> {
    match address as usize == MPI_IN_PLACE && bytes > 0 {
        true => Err(misplaced()),
        false => Ok(()),
    }
}

#[cold]
pub(crate) fn misplaced() -> Failure {
    Failure::new(
        MPI_ERR_BUFFER,
        "MPI_IN_PLACE is not allowed for this buffer",
    )
}

#[cold]
fn negative_count(count: i64) -> Failure {
    Failure::new(MPI_ERR_COUNT, format!("count is {count}"))
}

#[cold]
fn null_buffer(count: i64) -> Failure {
    Failure::new(
        MPI_ERR_BUFFER,
        format!("the buffer of {count} elements is a null pointer"),
    )
}
