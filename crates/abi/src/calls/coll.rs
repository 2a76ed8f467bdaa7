//! Collectives (MPI 5.0, chapter 6 and 8.6).
//!
//! The blocking, non-blocking and persistent forms of a collective share one function in
//! [`moving`], [`reducing`] or [`neighbors`], which decodes the arguments and returns a [`Begin`].
//! The entry points pass it to [`run`], [`start`] or [`keep`]. Arguments that are not significant
//! at this process (MPI 5.0, 6.2.3: "significant only at root") are not read. The tables are never
//! entered while a collective runs.

mod blocks;
pub mod moving;
pub mod neighbors;
pub mod reducing;

use abi_state::args::{Comm, Info, Out, Request};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::hooks;
use abi_state::runtime;
use mpi::collective::{Begin, Root, RootedRole};
use mpi::Persistent;

pub(crate) use self::blocks::{Listed, Typed};
use super::info;

/// Runs a collective to its end.
#[inline(always)]
pub(crate) fn run<B: Begin>(
    on: Comm,
    act: impl FnOnce(&mpi::Comm) -> Result<B, Failure>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(on)?;
    let begin = act(&comm)?;
    hooks::joins(on);
    comm.call(begin).map_err(Failure::from)
}

/// Starts a collective and stores its request.
pub(crate) fn start<B: Begin>(
    on: Comm,
    request: Out<Request>,
    act: impl FnOnce(&mpi::Comm) -> Result<B, Failure>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(on)?;
    let begin = act(&comm)?;
    hooks::joins(on);
    // Operators of the user run in here, so the tables are entered afterwards.
    let started = comm.start_collective(begin);
    let handle = runtime::get().tables.enter().request_handle(started, on)?;
    request.set(handle)
}

/// Stores a request that begins the collective whenever it is started.
pub(crate) fn keep<B: Begin>(
    on: Comm,
    info: Info,
    request: Out<Request>,
    act: impl FnOnce(&mpi::Comm) -> Result<B, Failure>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(on)?;
    // In turn with the other processes' calls, as the starts need not be.
    let begin = act(&comm)?;
    hooks::joins(on);
    let kept = Persistent::collective(comm, begin);
    info::check(info)?;
    let mut tables = runtime::get().tables.enter();
    let handle = tables.request_handle(kept, on)?;
    request.set(handle)
}

/// The part that a root argument gives this process.
#[inline(always)]
fn part(comm: &mpi::Comm, root: i32) -> Result<RootedRole, Failure> {
    let root = match root {
        MPI_ROOT => Root::Here,
        MPI_PROC_NULL => Root::Elsewhere,
        rank => Root::Rank(rank),
    };
    RootedRole::of(comm, root).map_err(Failure::from)
}

/// Returns the value of `make` where it is significant.
#[inline]
fn when<T>(counts: bool, make: impl FnOnce() -> Result<T, Failure>) -> Result<Option<T>, Failure> {
    match counts {
        true => make().map(Some),
        false => Ok(None),
    }
}
