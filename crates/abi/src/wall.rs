//! The wall between C and Rust: no panic passes it, and each error becomes a code.
//!
//! Every entry point ends in one of these functions. [`call`] is for functions that return an error
//! code, [`tool`] for those of the tool interface (whose errors meet no error handler, MPI 5.0,
//! 15.3.9), [`value`] for those that return something else and cannot fail.

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::time::Duration;

use abi_state::failure::{self, Failure, On};
use abi_state::generated::constants::{MPI_ERR_INTERN, MPI_SUCCESS};
use abi_state::hooks::{self, Note};
use abi_state::runtime;
use mpi::Errhandler;

/// Runs the call behind `MPI_X`. Its failure goes to the error handler of `on`.
#[inline(always)]
pub fn call(
    name: &'static &'static str,
    on: On,
    body: impl FnOnce() -> Result<(), Failure>,
) -> i32 {
    call_noted(name, on, || Note::NONE, body)
}

/// Runs the call behind `MPI_X`, whose arguments hooks learn by a note.
#[inline(always)]
pub fn call_noted(
    name: &'static &'static str,
    on: On,
    note: impl FnOnce() -> Note,
    body: impl FnOnce() -> Result<(), Failure>,
) -> i32 {
    match hooks::is_active() {
        false => unwatched(name, on, body),
        true => {
            let (mut note, mut body) = (Some(note), Some(body));
            let mut note = || note.take().map_or(Note::NONE, |note| note());
            let mut body = || body.take().map_or(Ok(()), |body| body());
            watched(name, on, &mut note, &mut body)
        }
    }
}

/// Runs a call while something watches calls: out of line, so that others pay a branch only. It
/// takes its closures by reference: by value each would be built in memory for all calls, watched
/// or not, and read back before its arguments have left the store buffer. This function is cold,
/// and so is not optimised; what it calls is.
#[cold]
#[inline(never)]
fn watched(
    name: &'static &'static str,
    on: On,
    note: &mut dyn FnMut() -> Note,
    body: &mut dyn FnMut() -> Result<(), Failure>,
) -> i32 {
    watch(name, on, note, body)
}

#[inline(never)]
fn watch(
    name: &'static &'static str,
    on: On,
    note: &mut dyn FnMut() -> Note,
    body: &mut dyn FnMut() -> Result<(), Failure>,
) -> i32 {
    let note = note();
    let anchor = std::ptr::from_ref(&note).expose_provenance();
    let note = &note;
    let call = hooks::Call {
        name,
        on,
        note,
        anchor,
    };
    // What watches a call may take long, and ranks may ask what this one waits for.
    CURRENT.begin(name, on);
    let mut tokens = hooks::Tokens::default();
    let code = match hooks::begin(&call, &mut tokens) {
        None => unwatched(name, on, || body().or_else(hooks::fails)),
        Some(failure) => failed(name, on, failure),
    };
    hooks::end(&call, &tokens, code);
    code
}

#[inline(always)]
fn unwatched(
    name: &'static &'static str,
    on: On,
    body: impl FnOnce() -> Result<(), Failure>,
) -> i32 {
    CURRENT.begin(name, on);
    let code = match base::wall(body, |why| panicked(name, why)) {
        Ok(()) => MPI_SUCCESS,
        Err(failure) => failed(name, on, failure),
    };
    CURRENT.end();
    code
}

/// The call that the process is in, or the last begun where threads are in several.
static CURRENT: Current = Current {
    name: AtomicPtr::new(std::ptr::null_mut()),
    object: AtomicUsize::new(0),
};

/// A call of MPI, for accounts of what the process waits for. Written by plain stores at the
/// beginning and end of each call.
struct Current {
    /// The name, as a generated entry point gives it; null outside of calls.
    name: AtomicPtr<&'static str>,
    /// Handle of the communicator or window that the call is on; 0 for none.
    object: AtomicUsize,
}

impl Current {
    #[inline(always)]
    fn begin(&self, name: &'static &'static str, on: On) {
        let object = match on {
            On::Comm(comm) => comm.0,
            On::Win(win) => win.0,
            _ => 0,
        };
        self.object.store(object, Ordering::Relaxed);
        let name: *const &'static str = name;
        self.name.store(name.cast_mut(), Ordering::Relaxed);
    }

    #[inline(always)]
    fn end(&self) {
        self.name.store(std::ptr::null_mut(), Ordering::Relaxed);
    }
}

/// Returns the name of the call that the process is in, and the handle that it is on or 0.
pub fn current() -> Option<(&'static str, usize)> {
    let name = CURRENT.name.load(Ordering::Relaxed);
    // SAFETY: only `begin` stores an address, that of a constant.
    let name = unsafe { name.as_ref() }?;
    Some((name, CURRENT.object.load(Ordering::Relaxed)))
}

/// Runs the call behind `MPI_T_X`. Its failure is returned, and passed to no error handler.
#[inline(always)]
pub fn tool(name: &'static str, body: impl FnOnce() -> Result<(), Failure>) -> i32 {
    match base::wall(body, |why| panicked(name, why)) {
        Ok(()) => MPI_SUCCESS,
        Err(failure) => failure.code,
    }
}

/// Runs the call behind a function that returns no error code.
#[inline(always)]
pub fn value<T>(name: &'static str, body: impl FnOnce() -> T) -> T {
    base::wall(body, |why| panicked(name, why))
}

#[cold]
#[inline(never)]
fn failed(name: &'static str, on: On, failure: Failure) -> i32 {
    raise(name, failure.on.unwrap_or(on), failure)
}

/// Raises the failure of a call that a layer above has refused, and returns its caller's code.
#[cold]
pub fn refuse(name: &str, on: On, failure: Failure) -> i32 {
    base::wall(|| raise(name, on, failure), |why| panicked(name, why))
}

/// Hands a failure to the error handler of `on` and returns the code for the caller.
fn raise(name: &str, on: On, failure: Failure) -> i32 {
    runtime::get().tool.raise_failure(failure.code);
    let (errhandler, handle) = runtime::get().errhandler_of(on);
    let is_the_end = matches!(errhandler, Errhandler::Fatal | Errhandler::Abort);
    let comm = is_the_end.then(|| runtime::get().comm_name(on)).flatten();
    let failure = match comm {
        Some(comm) => failure.naming(&comm),
        None => failure,
    };
    let failure = match runtime::get().process() {
        Ok(process) => failure.spelled_out(process),
        Err(_) => failure,
    };
    handle_by(name, &errhandler, handle, &failure)
}

/// Does what an error handler says, for the object of a handle, and returns the code for the
/// caller.
pub(crate) fn handle_by(
    name: &str,
    errhandler: &Errhandler,
    handle: usize,
    failure: &Failure,
) -> i32 {
    runtime::get().note_failure();
    let mut anytime = runtime::get().anytime.enter();
    anytime.error_codes.note(failure.code, &failure.text);
    drop(anytime);
    match errhandler {
        Errhandler::Return => failure.code,
        Errhandler::User(function) => function.call(handle, failure.code),
        Errhandler::Fatal | Errhandler::Abort => end(name, failure),
    }
}

/// How long a launcher has to end this process once a peer is lost.
const ENDING: Duration = Duration::from_secs(1);

/// The end of a job that met an error nobody handles: one line, and the error class as exit code.
#[expect(
    clippy::disallowed_methods,
    reason = "gives the launcher time to report the peer that died, before this process aborts"
)]
fn end(name: &str, failure: &Failure) -> ! {
    if failure.code == mpi::Class::ProcFailed.code() && !failure.is_elsewhere {
        // The launcher reports which process failed and why, and ends the others: the user need not
        // read from each of them that it misses a peer. This line is for when it does not, as where
        // the job goes on without those that have died.
        match runtime::get().process() {
            Ok(process) => drop(process.outlives_peers(ENDING)),
            Err(_) => std::thread::sleep(ENDING),
        }
    }
    report(name, failure);
    runtime::get().abort(failure.code)
}

/// `rank 3 on n02: MPI_Send: MPI_ERR_RANK: rank 9 ...`
fn report(name: &str, failure: &Failure) {
    let line = line(name, failure);
    match runtime::get().identity() {
        Some(identity) => eprintln!("{identity}: {line}"),
        None => eprintln!("{line}"),
    }
}

/// Ends a process whose library broke its own rules. The signal notifies the launcher.
#[cold]
#[inline(never)]
fn panicked(name: &str, why: &str) -> ! {
    let text = format!("a fault in oxmpi: {why}");
    report(name, &Failure::new(MPI_ERR_INTERN, text));
    std::process::abort()
}

/// `MPI_Send: MPI_ERR_RANK: rank 9 ...`
pub(crate) fn line(name: &str, failure: &Failure) -> String {
    match failure::class_name(failure.code) {
        Some(class) => format!("{name}: {class}: {}", failure.text),
        None => format!("{name}: error code {}: {}", failure.code, failure.text),
    }
}
