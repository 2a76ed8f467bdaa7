//! Partitioned communication (MPI 5.0, chapter 4).

use std::sync::Arc;

use abi_state::args::{Comm, Elements, Info, List, Out, Request};
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::*;
use abi_state::runtime::{self, Runtime};
use mpi::{Operation, Pairing, Persistent, Request as Held, Side};

use super::info;

/// All partitions, each of these elements, as one buffer.
fn whole(
    runtime: &Runtime,
    each: Elements,
    partitions: i32,
) -> Result<(datatype::Buffer, usize), Failure> {
    let count = each.count();
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
    // SAFETY: MPI's caller gives the elements of all partitions (MPI 5.0, 4.2.1).
    let whole = unsafe { Elements::new(each.address(), total, each.datatype()) };
    Ok((whole.send_buffer(runtime)?, parts))
}

/// Returns what a partitioned operation has in common with its counterpart at `rank`; `None` for
/// `MPI_PROC_NULL`.
fn pair(
    comm: &mpi::Comm,
    side: Side,
    rank: i32,
    tag: i32,
) -> Result<Option<Arc<Pairing>>, Failure> {
    let rank = match rank {
        MPI_PROC_NULL => None,
        rank => Some(comm.far_rank(rank)?),
    };
    if tag < 0 {
        return Err(Failure::new(MPI_ERR_TAG, format!("tag is {tag}")));
    }
    Ok(rank.map(|rank| comm.pair(side, rank, tag)))
}

/// Stores a persistent request for an operation.
fn give_request(
    runtime: &Runtime,
    operation: Operation,
    comm: Comm,
    request: Out<Request>,
) -> Result<(), Failure> {
    let made = Persistent::request(operation);
    let handle = runtime.tables.enter().request_handle(made, comm)?;
    request.set(handle)
}

/// `MPI_Psend_init` (MPI 5.0, 4.2.1).
pub fn psend_init(
    each: Elements,
    partitions: i32,
    dest: i32,
    tag: i32,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let object = runtime.comm(comm)?;
    info::check(info)?;
    let (buffer, parts) = whole(runtime, each, partitions)?;
    let operation = Operation::PartitionedSend {
        to: pair(&object, Side::Send, dest, tag)?,
        comm: object,
        buffer,
        ready: vec![false; parts],
    };
    give_request(runtime, operation, comm, request)
}

/// `MPI_Precv_init` (MPI 5.0, 4.2.1).
pub fn precv_init(
    each: Elements,
    partitions: i32,
    source: i32,
    tag: i32,
    comm: Comm,
    info: Info,
    request: Out<Request>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let object = runtime.comm(comm)?;
    info::check(info)?;
    let (buffer, partitions) = whole(runtime, each, partitions)?;
    let operation = Operation::PartitionedRecv {
        from: pair(&object, Side::Recv, source, tag)?,
        comm: object,
        buffer,
        partitions,
    };
    give_request(runtime, operation, comm, request)
}

/// Marks partitions as ready, unless they are named wrongly.
fn ready(
    partitions: Result<impl Iterator<Item = i32>, String>,
    request: Request,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let mut tables = runtime.tables.enter();
    let entry = tables.requests.get_mut(request)?;
    let on = On::Comm(entry.on);
    let Held::Persistent(persistent) = &mut entry.request else {
        return Err(Failure::new(MPI_ERR_REQUEST, "the request is not partitioned").on(on));
    };
    for partition in partitions.map_err(|text| Failure::new(MPI_ERR_ARG, text).on(on))? {
        let index = usize::try_from(partition);
        let index = index.map_err(|_| Failure::new(MPI_ERR_ARG, format!("{partition}")).on(on))?;
        let marked = persistent.partition_ready(index);
        marked.map_err(|text| Failure::new(MPI_ERR_ARG, text).on(on))?;
    }
    Ok(())
}

/// `MPI_Pready` (MPI 5.0, 4.2.2).
pub fn pready(partition: i32, request: Request) -> Result<(), Failure> {
    ready(Ok(std::iter::once(partition)), request)
}

/// `MPI_Pready_range` (MPI 5.0, 4.2.2).
pub fn pready_range(
    partition_low: i32,
    partition_high: i32,
    request: Request,
) -> Result<(), Failure> {
    let all = match partition_low <= partition_high {
        true => Ok(partition_low..=partition_high),
        false => Err(format!(
            "no partition is from {partition_low} to {partition_high}"
        )),
    };
    ready(all, request)
}

/// `MPI_Pready_list` (MPI 5.0, 4.2.2).
pub fn pready_list(
    length: i32,
    array_of_partitions: List<i32>,
    request: Request,
) -> Result<(), Failure> {
    let partitions = array_of_partitions.to_vec()?;
    let all = match length >= 0 {
        true => Ok(partitions.into_iter()),
        false => Err(format!("length is {length}")),
    };
    ready(all, request)
}

/// `MPI_Parrived` (MPI 5.0, 4.2.2).
pub fn parrived(request: Request, partition: i32, flag: Out<i32>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let arrived = match request {
        MPI_REQUEST_NULL => true,
        request => {
            // The poll is outside the tables: it takes in failures, and runs the user's operators.
            let look = || match has_arrived(runtime, request, partition) {
                Ok(false) => None,
                found => Some(found),
            };
            let found = look().or_else(|| runtime.process().ok()?.test(look));
            found.unwrap_or(Ok(false))?
        }
    };
    flag.set(i32::from(arrived))
}

/// Whether a partition of the receive of a handle is here now.
fn has_arrived(runtime: &Runtime, request: Request, partition: i32) -> Result<bool, Failure> {
    let mut tables = runtime.tables.enter();
    let entry = tables.requests.get_mut(request)?;
    let on = On::Comm(entry.on);
    let Held::Persistent(persistent) = &mut entry.request else {
        return Err(Failure::new(MPI_ERR_REQUEST, "the request is not partitioned").on(on));
    };
    let index = usize::try_from(partition)
        .map_err(|_| Failure::new(MPI_ERR_ARG, format!("partition {partition}")))?;
    let arrived = persistent.partition_arrived(index);
    arrived.map_err(|text| Failure::new(MPI_ERR_ARG, text).on(on))
}
