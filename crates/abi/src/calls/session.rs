//! Sessions (MPI 5.0, 11.3).

use std::sync::Arc;

use abi_state::args::{Errhandler, Group, InOut, Info, Out, OutText, Session, Text};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::lives::User;
use abi_state::runtime;
use mpi::ThreadLevel;
use mpi_local::errhandler::Kind;

use super::info;
use super::{bsend, errhandler, group, init};

/// `MPI_Session_init` (MPI 5.0, 11.3.1). Local, and every level of thread support is provided, but
/// for the highest where calls are logged. An
/// error goes to the error handler that is given, which becomes the session's otherwise.
pub fn session_init(
    info: Info,
    errhandler: Errhandler,
    session: Out<Session>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let handler = errhandler::look_up(errhandler, Kind::Session)?;
    let level = ThreadLevel::asked_for(&info::hints(info)?)?;
    let threads = level == ThreadLevel::Multiple;
    let (process, _) = init::join(runtime, User::Session, threads)?;
    let level = match threads && !process.may_be_threaded() {
        true => ThreadLevel::Serialized,
        false => level,
    };
    let made = Arc::new(mpi::Session::new(process, level, handler));
    let handle = runtime.tables.enter().sessions.insert(made);
    if handle.is_err() {
        runtime.part()?;
    }
    session.set(handle?)
}

/// `MPI_Session_finalize` (MPI 5.0, 11.3.1). With the last session, where the world model is not
/// in use, everything goes that MPI has made; communicators that were not freed go with it.
pub fn session_finalize(session: InOut<Session>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let handle = session.get()?;
    let removed = runtime.tables.enter().sessions.remove(handle)?;
    let name = "MPI_Session_finalize";
    bsend::release(removed.process(), &removed.bsend);
    drop(removed);
    session.set(MPI_SESSION_NULL)?;
    runtime.part().map_err(|failure| {
        let text = format!("{name}: {}", failure.text);
        Failure::new(failure.code, text)
    })
}

/// `MPI_Session_get_num_psets` (MPI 5.0, 11.3.2). No key of `info` is known.
pub fn session_get_num_psets(
    session: Session,
    info: Info,
    npset_names: Out<i32>,
) -> Result<(), Failure> {
    let session = runtime::get().session(session)?;
    info::check(info)?;
    let count = session.psets().len();
    npset_names.set(count as i32)
}

/// `MPI_Session_get_nth_pset` (MPI 5.0, 11.3.2). `pset_len` is the room for the name and, on
/// return, what it needs, both with the closing zero; without room the name is not touched.
pub fn session_get_nth_pset(
    session: Session,
    info: Info,
    n: i32,
    pset_len: InOut<i32>,
    pset_name: OutText,
) -> Result<(), Failure> {
    let session = runtime::get().session(session)?;
    info::check(info)?;
    let mut psets = session.psets();
    let count = psets.len();
    let name = usize::try_from(n).ok().and_then(|n| psets.nth(n));
    let name = name.ok_or_else(|| {
        let text = format!("n is {n}, where there are {count} process sets");
        Failure::new(MPI_ERR_ARG, text)
    })?;
    let room = pset_len.get()?;
    let Ok(room) = usize::try_from(room) else {
        return Err(Failure::new(MPI_ERR_ARG, format!("pset_len is {room}")));
    };
    if room > 0 {
        pset_name.store(name)?;
    }
    pset_len.set(name.len() as i32 + 1)
}

/// `MPI_Session_get_info` (MPI 5.0, 11.3.1).
pub fn session_get_info(session: Session, info_used: Out<Info>) -> Result<(), Failure> {
    let runtime = runtime::get();
    let used = runtime.session(session)?.info()?;
    let handle = runtime.anytime.enter().infos.insert(used)?;
    info_used.set(handle)
}

/// `MPI_Session_get_pset_info` (MPI 5.0, 11.3.2).
pub fn session_get_pset_info(
    session: Session,
    pset_name: Text,
    info: Out<Info>,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    let session = runtime.session(session)?;
    let name = pset_name.get()?;
    let known = session.pset_info(&name)?;
    let handle = runtime.anytime.enter().infos.insert(known)?;
    info.set(handle)
}

/// `MPI_Group_from_session_pset` (MPI 5.0, 7.3.2).
pub fn group_from_session_pset(
    session: Session,
    pset_name: Text,
    newgroup: Out<Group>,
) -> Result<(), Failure> {
    let session = runtime::get().session(session)?;
    let name = pset_name.get()?;
    group::give(newgroup, session.group(&name)?)
}
