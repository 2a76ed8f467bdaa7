//! Error handlers: creating, attaching and calling them (MPI 5.0, 9.3).

use abi_state::args::{Comm, Errhandler, File, InOut, Out, Session, Win};
use abi_state::args::{CommErrhandlerFunction, FileErrhandlerFunction};
use abi_state::args::{SessionErrhandlerFunction, WinErrhandlerFunction};
use abi_state::callback::OnError;
use abi_state::failure::Failure;
use abi_state::generated::constants::{
    MPI_COMM_SELF, MPI_ERRHANDLER_NULL, MPI_ERRORS_ABORT, MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN,
    MPI_ERR_ARG, MPI_ERR_ERRHANDLER, MPI_FILE_NULL,
};
use abi_state::runtime;
use abi_state::tables::ErrhandlerEntry;
use mpi_local::errhandler::Kind;

use crate::wall;

/// `MPI_Comm_create_errhandler`.
pub fn comm_create_errhandler(
    comm_errhandler_fn: CommErrhandlerFunction,
    errhandler: Out<Errhandler>,
) -> Result<(), Failure> {
    create(comm_errhandler_fn.map(OnError::Comm), errhandler)
}

/// `MPI_Win_create_errhandler`.
pub fn win_create_errhandler(
    win_errhandler_fn: WinErrhandlerFunction,
    errhandler: Out<Errhandler>,
) -> Result<(), Failure> {
    create(win_errhandler_fn.map(OnError::Win), errhandler)
}

/// `MPI_File_create_errhandler`.
pub fn file_create_errhandler(
    file_errhandler_fn: FileErrhandlerFunction,
    errhandler: Out<Errhandler>,
) -> Result<(), Failure> {
    create(file_errhandler_fn.map(OnError::File), errhandler)
}

/// `MPI_Session_create_errhandler`.
pub fn session_create_errhandler(
    session_errhandler_fn: SessionErrhandlerFunction,
    errhandler: Out<Errhandler>,
) -> Result<(), Failure> {
    create(session_errhandler_fn.map(OnError::Session), errhandler)
}

/// `MPI_Errhandler_free`. Predefined handlers may be freed too, since the functions that return a
/// handler return them like any other.
pub fn errhandler_free(errhandler: InOut<Errhandler>) -> Result<(), Failure> {
    let handle = errhandler.get()?;
    if ![MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ABORT, MPI_ERRORS_RETURN].contains(&handle) {
        let mut anytime = runtime::get().anytime.enter();
        let entry = anytime.errhandlers.get_mut(handle)?;
        entry.given -= 1;
        let gone = match entry.given {
            0 => Some(anytime.errhandlers.remove(handle)?),
            _ => None,
        };
        // What ends the function's state runs outside of the tables.
        drop(anytime);
        drop(gone);
    }
    errhandler.set(MPI_ERRHANDLER_NULL)
}

/// `MPI_Comm_set_errhandler`.
pub fn comm_set_errhandler(comm: Comm, errhandler: Errhandler) -> Result<(), Failure> {
    let new = look_up(errhandler, Kind::Comm)?;
    on_comm(comm, |place| *place = new)?;
    if comm == MPI_COMM_SELF {
        runtime::get().tables.enter().this_has_errhandler = true;
    }
    Ok(())
}

/// `MPI_Comm_get_errhandler`.
pub fn comm_get_errhandler(comm: Comm, errhandler: Out<Errhandler>) -> Result<(), Failure> {
    let attached = on_comm(comm, |place| place.clone())?;
    give(&attached, errhandler)
}

/// `MPI_Comm_call_errhandler`.
pub fn comm_call_errhandler(comm: Comm, errorcode: i32) -> Result<(), Failure> {
    let attached = on_comm(comm, |place| place.clone())?;
    call("MPI_Comm_call_errhandler", &attached, comm.0, errorcode);
    Ok(())
}

/// `MPI_Win_set_errhandler`.
pub fn win_set_errhandler(win: Win, errhandler: Errhandler) -> Result<(), Failure> {
    let new = look_up(errhandler, Kind::Win)?;
    on_win(win, |place| *place = new)
}

/// `MPI_Win_get_errhandler`.
pub fn win_get_errhandler(win: Win, errhandler: Out<Errhandler>) -> Result<(), Failure> {
    let attached = on_win(win, |place| place.clone())?;
    give(&attached, errhandler)
}

/// `MPI_Win_call_errhandler`.
pub fn win_call_errhandler(win: Win, errorcode: i32) -> Result<(), Failure> {
    let attached = on_win(win, |place| place.clone())?;
    call("MPI_Win_call_errhandler", &attached, win.0, errorcode);
    Ok(())
}

/// `MPI_Session_set_errhandler`.
pub fn session_set_errhandler(session: Session, errhandler: Errhandler) -> Result<(), Failure> {
    let new = look_up(errhandler, Kind::Session)?;
    on_session(session, |place| *place = new)
}

/// `MPI_Session_get_errhandler`.
pub fn session_get_errhandler(
    session: Session,
    errhandler: Out<Errhandler>,
) -> Result<(), Failure> {
    let attached = on_session(session, |place| place.clone())?;
    give(&attached, errhandler)
}

/// `MPI_Session_call_errhandler`.
pub fn session_call_errhandler(session: Session, errorcode: i32) -> Result<(), Failure> {
    let attached = on_session(session, |place| place.clone())?;
    call(
        "MPI_Session_call_errhandler",
        &attached,
        session.0,
        errorcode,
    );
    Ok(())
}

/// `MPI_File_set_errhandler`. That of `MPI_FILE_NULL` is the one that new files get.
pub fn file_set_errhandler(file: File, errhandler: Errhandler) -> Result<(), Failure> {
    let new = look_up(errhandler, Kind::File)?;
    on_file(file, |place| *place = new)
}

/// `MPI_File_get_errhandler`.
pub fn file_get_errhandler(file: File, errhandler: Out<Errhandler>) -> Result<(), Failure> {
    let attached = on_file(file, |place| place.clone())?;
    give(&attached, errhandler)
}

/// `MPI_File_call_errhandler`.
pub fn file_call_errhandler(fh: File, errorcode: i32) -> Result<(), Failure> {
    let attached = on_file(fh, |place| place.clone())?;
    call("MPI_File_call_errhandler", &attached, fh.0, errorcode);
    Ok(())
}

pub(crate) fn create(function: Option<OnError>, place: Out<Errhandler>) -> Result<(), Failure> {
    let Some(function) = function else {
        return Err(Failure::new(
            MPI_ERR_ARG,
            "the error handler function is a null pointer",
        ));
    };
    let entry = ErrhandlerEntry {
        errhandler: mpi::Errhandler::User(std::sync::Arc::new(function)),
        given: 1,
    };
    let handle = runtime::get().anytime.enter().errhandlers.insert(entry)?;
    place.set(handle)
}

pub(crate) fn look_up(handle: Errhandler, kind: Kind) -> Result<mpi::Errhandler, Failure> {
    let errhandler = runtime::get().anytime.enter().errhandler(handle)?;
    if !errhandler.suits(kind) {
        let text = format!(
            "{:#x} is not an error handler for a {}",
            handle.0,
            kind.name()
        );
        return Err(Failure::new(MPI_ERR_ERRHANDLER, text));
    }
    Ok(errhandler)
}

fn give(errhandler: &mpi::Errhandler, place: Out<Errhandler>) -> Result<(), Failure> {
    let handle = runtime::get()
        .anytime
        .enter()
        .errhandler_handle(errhandler)?;
    place.set(handle)
}

fn on_comm<T>(comm: Comm, look: impl FnOnce(&mut mpi::Errhandler) -> T) -> Result<T, Failure> {
    let tables = runtime::get().tables.enter();
    let mut place = tables.comm(comm)?.errhandler.lock();
    Ok(look(&mut place))
}

fn on_win<T>(win: Win, look: impl FnOnce(&mut mpi::Errhandler) -> T) -> Result<T, Failure> {
    let tables = runtime::get().tables.enter();
    let mut place = tables.wins.get(win)?.window.errhandler.lock();
    Ok(look(&mut place))
}

fn on_session<T>(
    session: Session,
    look: impl FnOnce(&mut mpi::Errhandler) -> T,
) -> Result<T, Failure> {
    let tables = runtime::get().tables.enter();
    let mut place = tables.sessions.get(session)?.errhandler.lock();
    Ok(look(&mut place))
}

fn on_file<T>(file: File, look: impl FnOnce(&mut mpi::Errhandler) -> T) -> Result<T, Failure> {
    let mut tables = runtime::get().tables.enter();
    if file == MPI_FILE_NULL {
        let place = &mut tables.file_errhandler;
        return Ok(look(place.get_or_insert(mpi::Errhandler::Return)));
    }
    let mut place = tables.files.get(file)?.errhandler.lock();
    Ok(look(&mut place))
}

/// Does what a handler says for an error code of the user's choice. What the user's function
/// makes of the code is nobody's business here.
fn call(name: &'static str, errhandler: &mpi::Errhandler, handle: usize, code: i32) {
    let failure = Failure::new(code, "the program called the error handler itself");
    wall::handle_by(name, errhandler, handle, &failure);
}
