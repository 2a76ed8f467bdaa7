//! Pack and unpack, native (MPI 5.0, 5.2) and external32 (MPI 5.0, 5.3).

use std::sync::Arc;

use abi_state::args::{Bytes, Comm, Datatype, Elements, InOutCount, OutCount, Text};
use abi_state::buffers::refuse_in_place;
use abi_state::failure::Failure;
use abi_state::generated::constants::{
    MPI_ERR_ARG, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TRUNCATE, MPI_IN_PLACE, MPI_UNDEFINED,
};
use abi_state::runtime;
use abi_state::tables::{self, Tables};
use datatype::{Borrowed, Buffer};
use memory::UserBuf;

/// `MPI_Pack`. While no other thread may want the tables, the datatype is borrowed from them.
pub fn pack(from: Elements, out: Bytes, position: InOutCount, comm: Comm) -> Result<(), Failure> {
    let tables = runtime::get().tables.enter();
    let found = usable(&tables, from, comm)?;
    if let Some(bytes) = contiguous(from, found) {
        drop(tables);
        let room = window(out, position)?;
        fits(bytes.len(), room.len())?;
        room.part(0, bytes.len()).copy_from(&bytes);
        return advance(position, bytes.len());
    }
    let from = match found {
        Some(found) if from.count() >= 0 => {
            let base = from.address().cast();
            if !runtime::get().tables.is_shared() {
                // SAFETY: MPI's caller gives these elements (`Elements::new`).
                let elements = unsafe { Borrowed::new(base, from.count(), found)? };
                let room = window(out, position)?;
                fits(elements.bytes(), room.len())?;
                elements.pack(&room);
                return advance(position, elements.bytes());
            }
            // SAFETY: MPI's caller gives these elements (`Elements::new`).
            let made = unsafe { Buffer::new(base, from.count(), found)? };
            drop(tables);
            made
        }
        _ => {
            drop(tables);
            from.send_buffer(runtime::get())?
        }
    };
    let room = window(out, position)?;
    fits(from.len(), room.len())?;
    let packed = from.pack_to_user(0, room);
    advance(position, packed)
}

/// `MPI_Unpack`.
pub fn unpack(
    packed: Bytes,
    position: InOutCount,
    to: Elements,
    comm: Comm,
) -> Result<(), Failure> {
    let tables = runtime::get().tables.enter();
    let found = usable(&tables, to, comm)?;
    if let Some(bytes) = contiguous(to, found) {
        drop(tables);
        let packed = window(packed, position)?;
        fits(bytes.len(), packed.len())?;
        bytes.copy_from(&packed.part(0, bytes.len()));
        return advance(position, bytes.len());
    }
    let to = match found {
        Some(found) if to.count() >= 0 => {
            let base = to.address().cast();
            if !runtime::get().tables.is_shared() {
                // SAFETY: MPI's caller gives these elements (`Elements::new`).
                let elements = unsafe { Borrowed::new(base, to.count(), found)? };
                let packed = window(packed, position)?;
                fits(elements.bytes(), packed.len())?;
                elements.unpack(&packed);
                return advance(position, elements.bytes());
            }
            // SAFETY: MPI's caller gives these elements (`Elements::new`).
            let made = unsafe { Buffer::new(base, to.count(), found)? };
            drop(tables);
            made
        }
        _ => {
            drop(tables);
            to.send_buffer(runtime::get())?
        }
    };
    let packed = window(packed, position)?;
    fits(to.len(), packed.len())?;
    let taken = to.unpack_from_user(0, packed.part(0, to.len()));
    advance(position, taken)
}

/// The size of what has more bytes than the largest count.
const UNDEFINED: i64 = MPI_UNDEFINED as i64;

/// `MPI_Pack_size`: exact.
pub fn pack_size(
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
    size.set(bytes)
}

/// `MPI_Pack_external`.
pub fn pack_external(
    datarep: Text,
    from: Elements,
    out: Bytes,
    position: InOutCount,
) -> Result<(), Failure> {
    external32(datarep)?;
    let buffer = from.send_buffer(runtime::get())?;
    let datatype = runtime::get().committed(from.datatype())?;
    let room = window(out, position)?;
    fits(
        external_bytes(&buffer, from.count(), &datatype)?,
        room.len(),
    )?;
    let packed = datatype::pack_external(&buffer, &datatype, room)?;
    advance(position, packed)
}

/// `MPI_Unpack_external`.
pub fn unpack_external(
    datarep: Text,
    packed: Bytes,
    position: InOutCount,
    to: Elements,
) -> Result<(), Failure> {
    external32(datarep)?;
    let buffer = to.send_buffer(runtime::get())?;
    let datatype = runtime::get().committed(to.datatype())?;
    let packed = window(packed, position)?;
    fits(
        external_bytes(&buffer, to.count(), &datatype)?,
        packed.len(),
    )?;
    let taken = datatype::unpack_external(packed, &buffer, &datatype)?;
    advance(position, taken)
}

/// `MPI_Pack_external_size`.
pub fn pack_external_size(
    datarep: Text,
    incount: i64,
    datatype: Datatype,
    size: OutCount,
) -> Result<(), Failure> {
    external32(datarep)?;
    let datatype = runtime::get().datatype(datatype)?;
    let bytes = match datatype::external_size(incount, &datatype) {
        Err(datatype::Error::Overflow { .. }) => UNDEFINED,
        other => other?,
    };
    size.set(bytes)
}

/// Returns the datatype of a call, where nothing is wrong with it; checks the communicator, too.
/// Small packs spend much of their time here: the tables are entered once.
#[inline(always)]
fn usable(
    tables: &Tables,
    elements: Elements,
    comm: Comm,
) -> Result<Option<&Arc<datatype::Datatype>>, Failure> {
    tables.comm(comm)?;
    if let Some(predefined) = tables::predefined(elements.datatype()) {
        return Ok((elements.address() as usize > MPI_IN_PLACE).then_some(predefined));
    }
    let found = &tables.datatypes.get(elements.datatype())?.datatype;
    let usable = found.is_committed() && !elements.is_in_place();
    Ok(usable.then_some(found))
}

/// Returns the elements as one contiguous run of memory, where they are one. It is made apart from
/// other buffers because those are moved about on their way here.
#[inline(always)]
fn contiguous(elements: Elements, datatype: Option<&Arc<datatype::Datatype>>) -> Option<UserBuf> {
    // SAFETY: MPI's caller gives these elements (`Elements::new`).
    unsafe { Buffer::contiguous_memory(elements.address().cast(), elements.count(), datatype?) }
}

/// The packed bytes from `position` to the end of a buffer.
#[inline(always)]
fn window(bytes: Bytes, position: InOutCount) -> Result<UserBuf, Failure> {
    let at = position.get()?;
    let size = bytes.size();
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
    if bytes.address() as usize <= MPI_IN_PLACE && size > 0 {
        refuse_in_place(bytes.address(), size as usize)?;
        let text = "the packed buffer is a null pointer";
        return Err(Failure::new(MPI_ERR_BUFFER, text));
    }
    Ok(bytes.memory(size as usize).from(at as usize))
}

fn advance(position: InOutCount, by: usize) -> Result<(), Failure> {
    let at = position.get()?;
    position.set(at + by as i64)
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

fn external32(datarep: Text) -> Result<(), Failure> {
    let name = datarep.get()?;
    if name != "external32" {
        let text = format!("datarep is '{name}'; the only one is 'external32'");
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    Ok(())
}
