//! Packing by hand: native (MPI 5.0, 5.2) and external32 (MPI 5.0, 5.3).

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use datatype::{Borrowed, Buffer};
use memory::UserBuf;

use super::buffers::{buffer, refuse_in_place};
use crate::args::{self, Comm, Datatype, OutCount};
use crate::failure::Failure;
use crate::generated::constants::{
    MPI_ERR_ARG, MPI_ERR_COUNT, MPI_ERR_TRUNCATE, MPI_IN_PLACE, MPI_UNDEFINED,
};
use crate::runtime;
use crate::tables::{self, Tables};

/// `MPI_Pack`. While no other thread may want the tables, the datatype is borrowed from them.
pub unsafe fn pack(
    inbuf: *const c_void,
    incount: i64,
    datatype: Datatype,
    outbuf: *mut c_void,
    outsize: i64,
    position: OutCount,
    comm: Comm,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives the elements, the buffer, and the place of a position.
    unsafe {
        let tables = runtime::get().tables.enter();
        let found = usable(&tables, inbuf, datatype, comm)?;
        if let Some(bytes) = stretch(inbuf, incount, found) {
            drop(tables);
            let room = window(outbuf, outsize, position)?;
            fits(bytes.len(), room.len())?;
            room.part(0, bytes.len()).copy_from(&bytes);
            return advance(position, bytes.len());
        }
        let from = match found {
            Some(found) if incount >= 0 => {
                let base = inbuf.cast_mut().cast();
                if !runtime::get().tables.is_shared() {
                    let elements = Borrowed::new(base, incount, found)?;
                    let room = window(outbuf, outsize, position)?;
                    fits(elements.bytes(), room.len())?;
                    elements.pack(&room);
                    return advance(position, elements.bytes());
                }
                let made = Buffer::new(base, incount, found)?;
                drop(tables);
                made
            }
            _ => {
                drop(tables);
                buffer(runtime::get(), inbuf, incount, datatype)?
            }
        };
        let room = window(outbuf, outsize, position)?;
        fits(from.len(), room.len())?;
        let packed = from.pack_to_user(0, room);
        advance(position, packed)
    }
}

/// `MPI_Unpack`.
pub unsafe fn unpack(
    inbuf: *const c_void,
    insize: i64,
    position: OutCount,
    outbuf: *mut c_void,
    outcount: i64,
    datatype: Datatype,
    comm: Comm,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives the elements, the buffer, and the place of a position.
    unsafe {
        let tables = runtime::get().tables.enter();
        let found = usable(&tables, outbuf, datatype, comm)?;
        if let Some(bytes) = stretch(outbuf, outcount, found) {
            drop(tables);
            let packed = window(inbuf.cast_mut(), insize, position)?;
            fits(bytes.len(), packed.len())?;
            bytes.copy_from(&packed.part(0, bytes.len()));
            return advance(position, bytes.len());
        }
        let to = match found {
            Some(found) if outcount >= 0 => {
                let base = outbuf.cast();
                if !runtime::get().tables.is_shared() {
                    let elements = Borrowed::new(base, outcount, found)?;
                    let packed = window(inbuf.cast_mut(), insize, position)?;
                    fits(elements.bytes(), packed.len())?;
                    elements.unpack(&packed);
                    return advance(position, elements.bytes());
                }
                let made = Buffer::new(base, outcount, found)?;
                drop(tables);
                made
            }
            _ => {
                drop(tables);
                buffer(runtime::get(), outbuf, outcount, datatype)?
            }
        };
        let packed = window(inbuf.cast_mut(), insize, position)?;
        fits(to.len(), packed.len())?;
        let taken = to.unpack_from_user(0, packed.part(0, to.len()));
        advance(position, taken)
    }
}

/// The size of what has more bytes than the largest count.
const UNDEFINED: i64 = MPI_UNDEFINED as i64;

/// `MPI_Pack_size`: exact.
pub unsafe fn pack_size(
    incount: i64,
    datatype: Datatype,
    comm: Comm,
    size: OutCount,
) -> Result<(), Failure> {
    known(comm)?;
    let each = runtime::get().datatype(datatype)?.size();
    if incount < 0 {
        return Err(Failure::new(MPI_ERR_COUNT, format!("incount is {incount}")));
    }
    let bytes = each.checked_mul(incount).unwrap_or(UNDEFINED);
    // SAFETY: MPI's caller gives a place for a size.
    unsafe { size.set(bytes, "size") }
}

/// `MPI_Pack_external`.
pub unsafe fn pack_external(
    datarep: *const c_char,
    inbuf: *const c_void,
    incount: i64,
    datatype: Datatype,
    outbuf: *mut c_void,
    outsize: i64,
    position: OutCount,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a string, the elements, the buffer, and the place of a position.
    unsafe {
        external32(datarep)?;
        let from = buffer(runtime::get(), inbuf, incount, datatype)?;
        let datatype = runtime::get().committed(datatype)?;
        let room = window(outbuf, outsize, position)?;
        fits(external_bytes(&from, incount, &datatype)?, room.len())?;
        let packed = datatype::pack_external(&from, &datatype, room)?;
        advance(position, packed)
    }
}

/// `MPI_Unpack_external`.
pub unsafe fn unpack_external(
    datarep: *const c_char,
    inbuf: *const c_void,
    insize: i64,
    position: OutCount,
    outbuf: *mut c_void,
    outcount: i64,
    datatype: Datatype,
) -> Result<(), Failure> {
    // SAFETY: as in `pack_external`.
    unsafe {
        external32(datarep)?;
        let to = buffer(runtime::get(), outbuf, outcount, datatype)?;
        let datatype = runtime::get().committed(datatype)?;
        let packed = window(inbuf.cast_mut(), insize, position)?;
        fits(external_bytes(&to, outcount, &datatype)?, packed.len())?;
        let taken = datatype::unpack_external(packed, &to, &datatype)?;
        advance(position, taken)
    }
}

/// `MPI_Pack_external_size`.
pub unsafe fn pack_external_size(
    datarep: *const c_char,
    incount: i64,
    datatype: Datatype,
    size: OutCount,
) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a string and a place for a size.
    unsafe {
        external32(datarep)?;
        let datatype = runtime::get().datatype(datatype)?;
        let bytes = match datatype::external_size(incount, &datatype) {
            Err(datatype::Error::Overflow { .. }) => UNDEFINED,
            other => other?,
        };
        size.set(bytes, "size")
    }
}

/// The datatype of a call, where nothing is wrong with it; looks after the communicator, too. Small
/// packs spend much of their time here: there is one look into the tables.
#[inline(always)]
fn usable(
    tables: &Tables,
    address: *const c_void,
    datatype: Datatype,
    comm: Comm,
) -> Result<Option<&Arc<datatype::Datatype>>, Failure> {
    tables.comm(comm)?;
    if let Some(predefined) = tables::predefined(datatype) {
        return Ok((address as usize > MPI_IN_PLACE).then_some(predefined));
    }
    let found = &tables.datatypes.get(datatype)?.datatype;
    let usable = found.is_committed() && address as usize != MPI_IN_PLACE;
    Ok(usable.then_some(found))
}

/// The elements as one stretch of memory, where they are one. It is made apart from other buffers
/// because those are moved about on their way here.
///
/// # Safety
/// As for `buffers::buffer`.
#[inline(always)]
unsafe fn stretch(
    address: *const c_void,
    count: i64,
    datatype: Option<&Arc<datatype::Datatype>>,
) -> Option<UserBuf> {
    // SAFETY: passed on from the caller.
    unsafe { Buffer::stretch(address.cast_mut().cast(), count, datatype?) }
}

/// The packed bytes from `position` to the end of a buffer.
///
/// # Safety
/// The buffer has `size` bytes, and a position is at the place where it is not null.
#[inline(always)]
unsafe fn window(address: *mut c_void, size: i64, position: OutCount) -> Result<UserBuf, Failure> {
    // SAFETY: the caller promises it.
    let at = unsafe { position.get("position") }?;
    if size < 0 {
        return Err(Failure::new(
            MPI_ERR_ARG,
            format!("the size of the buffer is {size}"),
        ));
    }
    if !(0..=size).contains(&at) {
        let text = format!("position is {at} in a packed buffer of {size} bytes");
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    if address as usize <= MPI_IN_PLACE && size > 0 {
        refuse_in_place(address, size as usize)?;
        let text = "the packed buffer is a null pointer";
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    // SAFETY: the caller promises the bytes, for the length of this call.
    Ok(unsafe { UserBuf::new(address.cast(), size as usize) }.from(at as usize))
}

/// # Safety
/// As for `window`.
unsafe fn advance(position: OutCount, by: usize) -> Result<(), Failure> {
    // SAFETY: the caller promises it.
    unsafe {
        let at = position.get("position")?;
        position.set(at + by as i64, "position")
    }
}

fn fits(needed: usize, room: usize) -> Result<(), Failure> {
    if needed > room {
        let text = format!("{needed} bytes are needed from the position on, {room} are there");
        return Err(Failure::new(MPI_ERR_TRUNCATE, text));
    }
    Ok(())
}

fn external_bytes(
    elements: &Buffer,
    count: i64,
    datatype: &datatype::Datatype,
) -> Result<usize, Failure> {
    if elements.is_empty() {
        return Ok(0);
    }
    Ok(datatype::external_size(count, datatype)? as usize)
}

fn known(comm: Comm) -> Result<(), Failure> {
    runtime::get().tables.enter().comm(comm).map(|_| ())
}

/// # Safety
/// A pointer that is not null points to a string.
unsafe fn external32(datarep: *const c_char) -> Result<(), Failure> {
    // SAFETY: the caller promises it.
    let name = unsafe { args::text(datarep, "datarep") }?;
    if name != "external32" {
        let text = format!("datarep is '{name}'; the only one is 'external32'");
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    Ok(())
}
