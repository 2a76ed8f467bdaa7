//! The wall between C or Fortran and the conversions: no panic passes it.
//!
//! Every exported function ends in one of these ([`crate::export!`]). A panic is a fault of this
//! library in a conversion, before or after the call of the standard library, whose state is whole:
//! so it becomes `MPI_ERR_INTERN`, which the error handler of the call's object gets.

use crate::argument::Out;
use crate::generated::c;
use crate::generated::constants::{MPI_COMM_SELF, MPI_ERR_INTERN};
use crate::generated::types::{Comm, Datatype, File, Session, Win};
use crate::interface::Abi;
use crate::value::finish;

/// The object whose error handler gets an error.
#[derive(Clone, Copy)]
pub enum On {
    /// A communicator.
    Comm(Comm),
    /// A window.
    Win(Win),
    /// A file.
    File(File),
    /// A session.
    Session(Session),
    /// None of these: `MPI_COMM_SELF`.
    Nothing,
}

macro_rules! objects {
    ($($kind:ty => $on:expr;)*) => {
        $(impl From<$kind> for On {
            fn from(object: $kind) -> On {
                $on(object)
            }
        })*
    };
}

objects! {
    Comm => On::Comm;
    Win => On::Win;
    File => On::File;
    Session => On::Session;
    Datatype => |_| On::Nothing;
    () => |()| On::Nothing;
}

/// Runs what a function does that returns an error code: `body` returns the standard's.
#[inline(always)]
pub fn code<A: Abi, T: Into<On>>(
    name: &str,
    on: impl FnOnce() -> T,
    body: impl FnOnce() -> i32,
) -> i32 {
    finish::<A>(base::wall(body, |why| fault(name, why, || on().into())))
}

/// Runs what a subroutine does that stores an error code: `body` returns the standard's.
///
/// # Safety
/// `ierror` is null or the address of an INTEGER.
#[inline(always)]
pub unsafe fn store<A: Abi, T: Into<On>>(
    name: &str,
    ierror: *mut i32,
    on: impl FnOnce() -> T,
    body: impl FnOnce() -> i32,
) {
    // SAFETY: the caller promises what it requires.
    unsafe { Out::new(ierror) }.set(code::<A, T>(name, on, body));
}

/// Runs what a function does that returns no error code.
#[inline(always)]
pub fn value<T>(name: &str, body: impl FnOnce() -> T) -> T {
    base::wall(body, |why| {
        report(name, why);
        std::process::abort()
    })
}

/// Reports a panic, and raises it at an object that is decoded only now, which may panic too.
#[cold]
#[inline(never)]
fn fault(name: &str, why: &str, on: impl FnOnce() -> On) -> i32 {
    report(name, why);
    // SAFETY: the standard library checks the handle.
    let code = unsafe {
        match base::wall(on, |_| On::Nothing) {
            On::Comm(comm) => c::comm_call_errhandler(comm, MPI_ERR_INTERN),
            On::Win(win) => c::win_call_errhandler(win, MPI_ERR_INTERN),
            On::File(file) => c::file_call_errhandler(file, MPI_ERR_INTERN),
            On::Session(session) => c::session_call_errhandler(session, MPI_ERR_INTERN),
            On::Nothing => c::comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_INTERN),
        }
    };
    match code {
        0 => MPI_ERR_INTERN,
        code => code,
    }
}

fn report(name: &str, why: &str) {
    eprintln!("{name}: MPI_ERR_INTERN: a fault in oxmpi: {why}");
}
