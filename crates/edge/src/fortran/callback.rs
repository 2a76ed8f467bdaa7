//! Procedures of Fortran that MPI calls, with handles as INTEGER, everything by address: those of a
//! generalized request. Those of operations and error handlers have the same arguments as the
//! functions of C in an interface whose handles are INTEGER ([`crate::callback`]).

use std::ffi::c_void;
use std::mem::transmute;

use super::{read, TRUE};
use crate::argument::Out;
use crate::callback::returned;
use crate::generated::constants::MPI_SUCCESS;
use crate::generated::types::Status;
use crate::interface::Abi;
use crate::status;

type Query<S> = unsafe extern "C" fn(*mut i64, *mut S, *mut i32);
type Free = unsafe extern "C" fn(*mut i64, *mut i32);
type Cancel = unsafe extern "C" fn(*mut i64, *mut i32, *mut i32);

/// The procedures of a generalized request, and the state that they get.
struct Generalized<S> {
    query: Query<S>,
    free: Free,
    cancel: Cancel,
    state: i64,
    /// The user's variable. It is written where a procedure changes its state, which old programs
    /// await, and not read after the call that makes the request: it may be gone by then.
    at: Out<i64>,
}

impl<S> Generalized<S> {
    /// Calls a procedure with the state, and returns the standard's error code.
    fn call<A: Abi>(&mut self, procedure: impl FnOnce(&Self, *mut i64, *mut i32)) -> i32 {
        let (mut state, mut code) = (self.state, MPI_SUCCESS);
        procedure(self, &mut state, &mut code);
        if state != self.state {
            self.state = state;
            self.at.set(state);
        }
        returned::<A>(code)
    }
}

unsafe extern "C" fn query<A: Abi>(state: *mut c_void, status: *mut Status) -> i32 {
    // SAFETY: the state is the one that came with this function, and lives until it is freed; MPI
    // gives a status, and zero bytes are one in each interface.
    unsafe {
        let (of, status) = (&mut *state.cast::<Generalized<A::Status>>(), &mut *status);
        let mut native: A::Status = std::mem::zeroed();
        A::write(status, &mut native);
        let code = of.call::<A>(|of, state, code| (of.query)(state, &mut native, code));
        let error = status.error;
        *status = status::standard::<A>(&mut native);
        status.error = error;
        code
    }
}

unsafe extern "C" fn free<A: Abi>(state: *mut c_void) -> i32 {
    // SAFETY: the state is the one that came with this function; MPI calls it last, and once.
    unsafe {
        let mut of = Box::from_raw(state.cast::<Generalized<A::Status>>());
        of.call::<A>(|of, state, code| (of.free)(state, code))
    }
}

unsafe extern "C" fn cancel<A: Abi>(state: *mut c_void, complete: i32) -> i32 {
    let mut complete = i32::from(complete != 0) * TRUE;
    // SAFETY: the state is the one that came with this function, and lives until it is freed.
    unsafe {
        let of = &mut *state.cast::<Generalized<A::Status>>();
        of.call::<A>(|of, state, code| (of.cancel)(state, &mut complete, code))
    }
}

/// The functions of C for the procedures of a request: the query, the end, the cancellation.
pub type Functions = (
    unsafe extern "C" fn(*mut c_void, *mut Status) -> i32,
    unsafe extern "C" fn(*mut c_void) -> i32,
    unsafe extern "C" fn(*mut c_void, i32) -> i32,
);

/// Returns the functions for a call that makes a generalized request, and their state, which is
/// leaked where the call fails.
///
/// # Safety
/// The addresses are those of the user's procedures, and of an INTEGER.
pub unsafe fn generalized<A: Abi>(
    procedures: [*mut c_void; 3],
    state: *mut i64,
) -> (Functions, *mut c_void) {
    let [own_query, own_free, own_cancel] = procedures;
    // SAFETY: the caller promises these addresses.
    let made = unsafe {
        Generalized::<A::Status> {
            query: transmute::<*mut c_void, Query<A::Status>>(own_query),
            free: transmute::<*mut c_void, Free>(own_free),
            cancel: transmute::<*mut c_void, Cancel>(own_cancel),
            state: read(state),
            at: Out::new(state),
        }
    };
    let functions: Functions = (query::<A>, free::<A>, cancel::<A>);
    (functions, Box::into_raw(Box::new(made)).cast())
}
