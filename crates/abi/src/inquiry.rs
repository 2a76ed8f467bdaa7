//! Answers about handles, for accounts of what the process waits for (`mpi::Inquiry`).

use abi_state::args::{Comm, Win};
use abi_state::runtime;
use bootstrap::account::{Lock, Object};
use mpi::{Inquiry, Request};

use crate::wall;

/// The answers of this library.
pub const INQUIRY: Inquiry = Inquiry {
    call,
    name,
    locks,
    is_generalized,
};

/// Returns the function that the process is in, with its communicator or window.
fn call() -> Option<(&'static str, Option<Object>)> {
    let (name, handle) = wall::current()?;
    let tables = runtime::get().tables.enter();
    let comm = tables.comm(Comm(handle)).ok();
    let window = tables.wins.get(Win(handle)).ok();
    let object = comm.map(|comm| comm.for_account());
    let object = object.or_else(|| Some(window?.window.for_account()));
    let is_end = name == "MPI_Finalize";
    let world = tables.world.as_ref().filter(|_| is_end);
    let object = object.or_else(|| Some(world?.for_account()));
    Some((name, object))
}

/// Returns the name of the communicator of a context.
fn name(context: u64) -> Option<String> {
    let tables = runtime::get().tables.enter();
    let own = tables.comms.iter().map(|(_, comm)| comm);
    let predefined = tables.world.iter().chain(&tables.this);
    let mut all = predefined.chain(own);
    let comm = all.find(|comm| comm.context() == context)?;
    Some(comm.for_account().name)
}

/// Returns the locks of windows that this process has or wants.
fn locks() -> Vec<Lock> {
    let tables = runtime::get().tables.enter();
    let windows: Vec<_> = tables.wins.iter().map(|(_, entry)| entry.clone()).collect();
    drop(tables);
    let locks = windows
        .iter()
        .flat_map(|entry| entry.window.locks_for_account());
    locks.collect()
}

/// Returns whether there is a generalized request.
fn is_generalized() -> bool {
    let tables = runtime::get().tables.enter();
    let mut requests = tables.requests.iter().map(|(_, entry)| &entry.request);
    requests.any(|request| matches!(request, Request::Generalized(_)))
}
