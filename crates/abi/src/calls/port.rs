//! Ports: groups of processes of different jobs connect (MPI 5.0, 11.9).

use std::os::fd::BorrowedFd;
use std::time::Duration;

use abi_state::args::{Comm, InOut, Info, Out, OutText, Text};
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::*;
use abi_state::runtime;
use mpi_dynamic::Terms;

use super::{comm, info};

/// The info key for the longest wait, in seconds.
const TIMEOUT_KEY: &str = "timeout";

/// The longest time that differs from no limit: a century, which any clock can add.
const TIMEOUT_MAX: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// `MPI_Open_port` (MPI 5.0, 11.9.2). No key of `info` is known.
pub fn open_port(info: Info, port_name: OutText) -> Result<(), Failure> {
    info::check(info)?;
    let name = mpi_dynamic::open_port(runtime::get().process()?)?;
    port_name.store(&name).map(drop)
}

/// `MPI_Close_port` (MPI 5.0, 11.9.2).
pub fn close_port(port_name: Text) -> Result<(), Failure> {
    let name = port_name.get()?;
    Ok(mpi_dynamic::close_port(runtime::get().process()?, &name)?)
}

/// `MPI_Comm_accept` (MPI 5.0, 11.9.2). Name and info matter at the root alone.
pub fn comm_accept(
    port_name: Text,
    info: Info,
    root: i32,
    comm: Comm,
    newcomm: Out<Comm>,
) -> Result<(), Failure> {
    meet(port_name, info, root, comm, newcomm, mpi_dynamic::accept)
}

/// `MPI_Comm_connect` (MPI 5.0, 11.9.3). Name and info matter at the root alone.
pub fn comm_connect(
    port_name: Text,
    info: Info,
    root: i32,
    comm: Comm,
    newcomm: Out<Comm>,
) -> Result<(), Failure> {
    meet(port_name, info, root, comm, newcomm, mpi_dynamic::connect)
}

/// `MPI_Comm_join` (MPI 5.0, 11.10.5).
pub fn comm_join(fd: i32, intercomm: Out<Comm>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let this = runtime.comm(MPI_COMM_SELF)?;
    if fd < 0 {
        let text = format!("{fd} is not a descriptor");
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    // SAFETY: it is not -1, and the caller keeps it open during the call (MPI 5.0, 11.10.5); what
    // it is gets checked.
    let socket = unsafe { BorrowedFd::borrow_raw(fd) };
    let made = mpi_dynamic::join_by(&this, socket)?;
    comm::hand_out(runtime, &this, Some(made), intercomm)
}

/// `MPI_Publish_name` (MPI 5.0, 11.9.4).
pub fn publish_name(service_name: Text, info: Info, port_name: Text) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (name, port) = (service_name.get()?, port_name.get()?);
    let given = info::hints(info)?;
    Ok(mpi_dynamic::publish_name(
        runtime.process()?,
        &name,
        &given,
        &port,
    )?)
}

/// `MPI_Lookup_name` (MPI 5.0, 11.9.4).
pub fn lookup_name(service_name: Text, info: Info, port_name: OutText) -> Result<(), Failure> {
    let runtime = runtime::get();
    let name = service_name.get()?;
    let given = info::hints(info)?;
    let port = mpi_dynamic::lookup_name(runtime.process()?, &name, &given)?;
    port_name.store(&port).map(drop)
}

/// `MPI_Unpublish_name` (MPI 5.0, 11.9.4).
pub fn unpublish_name(service_name: Text, info: Info, port_name: Text) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (name, port) = (service_name.get()?, port_name.get()?);
    let given = info::hints(info)?;
    Ok(mpi_dynamic::unpublish_name(
        runtime.process()?,
        &name,
        &given,
        &port,
    )?)
}

fn meet(
    port_name: Text,
    info: Info,
    root: i32,
    comm: Comm,
    newcomm: Out<Comm>,
    by: impl FnOnce(&mpi::Comm, u32, Result<Terms, mpi::Error>) -> Result<mpi::Comm, mpi::Error>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let own = comm::find_intra(runtime, comm)?;
    let given = u32::try_from(root).ok().filter(|root| *root < own.size());
    let root = given.ok_or_else(|| {
        let text = format!("root is {root}, in a communicator of {}", own.size());
        Failure::new(MPI_ERR_ROOT, text)
    })?;
    let terms = || {
        let (port, limit) = (port_name.get()?, timeout(info)?);
        Ok(Terms { port, limit })
    };
    let terms = match own.rank() == root {
        // The others wait for the root, which reports errors in its arguments to them.
        true => terms().map_err(Failure::into_error),
        false => Ok(Terms::default()),
    };
    let made = by(&own, root, terms)?;
    comm::hand_out(runtime, &own, Some(made), newcomm)
}

/// The longest wait by an info object; `None` where it says nothing.
fn timeout(info: Info) -> Result<Option<Duration>, Failure> {
    let given = info::hints(info)?;
    let Some(value) = given.get(TIMEOUT_KEY)? else {
        return Ok(None);
    };
    let seconds = value.trim().parse::<f64>().ok();
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let limit = limit.map(|limit| limit.min(TIMEOUT_MAX));
    limit.map(Some).ok_or_else(|| {
        let text = format!("info key {TIMEOUT_KEY}: `{value}` is not a number of seconds");
        Failure::new(MPI_ERR_INFO_VALUE, text)
    })
}

/// `MPI_Comm_disconnect` (MPI 5.0, 11.10.4): waits for all communication of both groups, pending
/// requests included, and removes the processes of other jobs that no communicator has any more.
pub fn comm_disconnect(comm: InOut<Comm>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let handle = comm.get()?;
    if handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF {
        let text = "MPI_COMM_WORLD and MPI_COMM_SELF cannot be disconnected";
        return Err(Failure::new(MPI_ERR_COMM, text).on(On::Comm(handle)));
    }
    let object = runtime.comm(handle)?;
    runtime.wait_for_all_on(object.process(), handle);
    let left = mpi_dynamic::settle_all(&object);
    left.map_err(|error| Failure::from(error).on(On::Comm(handle)))?;
    let process = object.process().clone();
    drop(object);
    comm::comm_free(comm)?;
    mpi_dynamic::forget_unused(&process);
    Ok(())
}
