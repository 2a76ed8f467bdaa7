//! Partitioned communication (MPI 5.0, chapter 4).

use std::ffi::c_void;

use mpi::{Operation, Persistent, Request as Held, Side};

use super::buffers::buffer;
use super::comm::find;
use crate::args::{self, Comm, Datatype, Info, Request};
use crate::failure::{Failure, On};
use crate::generated::constants::*;
use crate::runtime::{self, Runtime};

/// All partitions as one buffer.
unsafe fn whole(
    runtime: &Runtime,
    (buf, partitions, count, datatype): (*const c_void, i32, i64, Datatype),
) -> Result<(datatype::Buffer, usize), Failure> {
    let Ok(parts) = usize::try_from(partitions) else {
        return Err(Failure::new(
            MPI_ERR_ARG,
            format!("partitions is {partitions}"),
        ));
    };
    let Some(total) = count.checked_mul(i64::from(partitions)) else {
        return Err(Failure::new(
            MPI_ERR_COUNT,
            format!("{partitions} times {count} elements"),
        ));
    };
    // SAFETY: MPI's caller gives that many elements.
    Ok((unsafe { buffer(runtime, buf, total, datatype)? }, parts))
}

fn tag_of(tag: i32) -> Result<i32, Failure> {
    match tag {
        tag if tag >= 0 => Ok(tag),
        tag => Err(Failure::new(MPI_ERR_TAG, format!("tag is {tag}"))),
    }
}

unsafe fn hand_out(
    runtime: &Runtime,
    operation: Operation,
    comm: Comm,
    request: *mut Request,
) -> Result<(), Failure> {
    let made = Persistent::request(operation);
    let handle = runtime.tables.enter().request_handle(made, comm)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { args::write(request, handle, "request") }
}

/// `MPI_Psend_init` (MPI 5.0, 4.2.1).
pub unsafe fn psend_init(
    buf: *const c_void,
    partitions: i32,
    count: i64,
    datatype: Datatype,
    dest: i32,
    tag: i32,
    comm: Comm,
    _info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let object = find(runtime, comm)?;
    // SAFETY: passed on from MPI's caller.
    let (buffer, parts) = unsafe { whole(runtime, (buf, partitions, count, datatype))? };
    let to = match dest {
        MPI_PROC_NULL => None,
        dest => Some(object.far_rank(dest)?),
    };
    let tag = tag_of(tag)?;
    let ready = vec![false; parts];
    let operation = Operation::PartitionedSend {
        to: to.map(|to| object.pair(Side::Send, to, tag)),
        comm: object,
        buffer,
        ready,
    };
    // SAFETY: passed on from MPI's caller.
    unsafe { hand_out(runtime, operation, comm, request) }
}

/// `MPI_Precv_init` (MPI 5.0, 4.2.1).
pub unsafe fn precv_init(
    buf: *mut c_void,
    partitions: i32,
    count: i64,
    datatype: Datatype,
    source: i32,
    tag: i32,
    comm: Comm,
    _info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let object = find(runtime, comm)?;
    // SAFETY: passed on from MPI's caller.
    let (buffer, partitions) = unsafe { whole(runtime, (buf, partitions, count, datatype))? };
    let from = match source {
        MPI_PROC_NULL => None,
        source => Some(object.far_rank(source)?),
    };
    let tag = tag_of(tag)?;
    let operation = Operation::PartitionedRecv {
        from: from.map(|from| object.pair(Side::Recv, from, tag)),
        comm: object,
        buffer,
        partitions,
    };
    // SAFETY: passed on from MPI's caller.
    unsafe { hand_out(runtime, operation, comm, request) }
}

/// Marks partitions as ready.
fn ready(partitions: impl Iterator<Item = i32>, request: Request) -> Result<(), Failure> {
    let runtime = runtime::get();
    let mut tables = runtime.tables.enter();
    let entry = tables.requests.get_mut(request)?;
    let on = On::Comm(entry.on);
    let Held::Persistent(persistent) = &mut entry.request else {
        return Err(Failure::new(MPI_ERR_REQUEST, "the request is not partitioned").on(on));
    };
    for partition in partitions {
        let index = usize::try_from(partition);
        let index = index.map_err(|_| Failure::new(MPI_ERR_ARG, format!("{partition}")).on(on))?;
        let marked = persistent.partition_ready(index);
        marked.map_err(|text| Failure::new(MPI_ERR_ARG, text).on(on))?;
    }
    Ok(())
}

/// `MPI_Pready` (MPI 5.0, 4.2.2).
pub unsafe fn pready(partition: i32, request: Request) -> Result<(), Failure> {
    ready(std::iter::once(partition), request)
}

/// `MPI_Pready_range` (MPI 5.0, 4.2.2).
pub unsafe fn pready_range(
    partition_low: i32,
    partition_high: i32,
    request: Request,
) -> Result<(), Failure> {
    ready(partition_low..=partition_high, request)
}

/// `MPI_Pready_list` (MPI 5.0, 4.2.2).
pub unsafe fn pready_list(
    length: i32,
    array_of_partitions: *const i32,
    request: Request,
) -> Result<(), Failure> {
    let len = usize::try_from(length)
        .map_err(|_| Failure::new(MPI_ERR_ARG, format!("length is {length}")))?;
    // SAFETY: MPI's caller gives that many integers.
    let partitions = unsafe { args::array(array_of_partitions, len, "array_of_partitions")? };
    ready(partitions.into_iter(), request)
}

/// `MPI_Parrived` (MPI 5.0, 4.2.2).
pub unsafe fn parrived(request: Request, partition: i32, flag: *mut i32) -> Result<(), Failure> {
    let runtime = runtime::get();
    let arrived = match request {
        MPI_REQUEST_NULL => true,
        request => {
            let mut tables = runtime.tables.enter();
            let entry = tables.requests.get_mut(request)?;
            let on = On::Comm(entry.on);
            let Held::Persistent(persistent) = &mut entry.request else {
                let text = "the request is not partitioned";
                return Err(Failure::new(MPI_ERR_REQUEST, text).on(on));
            };
            let index = usize::try_from(partition)
                .map_err(|_| Failure::new(MPI_ERR_ARG, format!("partition {partition}")))?;
            let arrived = persistent.partition_arrived(index);
            arrived.map_err(|text| Failure::new(MPI_ERR_ARG, text).on(on))?
        }
    };
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(flag, i32::from(arrived), "flag") }
}
