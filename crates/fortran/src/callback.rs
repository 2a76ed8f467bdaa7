//! Procedures of the user that MPI calls: for reductions, errors, and generalized requests.
//!
//! A procedure of Fortran gets everything by address, and handles as INTEGER. So MPI is given a
//! function of this module, and the user's procedure as its state. Operations and error handlers of
//! the standard have no state: they are made by the extension that has one.

use std::ffi::c_void;

use crate::convert::{finish, logical, read, truth};
use crate::entry::entry;
use crate::generated::c;
use crate::generated::constants::MPI_SUCCESS;
use crate::generated::types::{Comm, Datatype, Errhandler, File, Op, Session, Status, Win};
use crate::handle::{Handle, HandleOut};

type Destructor = unsafe extern "C" fn(*mut c_void);
type Reduction = unsafe extern "C" fn(*mut c_void, *mut c_void, i64, Datatype, *mut c_void);
type OnError<H> = unsafe extern "C" fn(H, i32, *mut c_void);

extern "C" {
    fn MPIX_Op_create_x(
        function: Reduction,
        destructor: Option<Destructor>,
        commute: i32,
        state: *mut c_void,
        op: *mut Op,
    ) -> i32;
    fn PMPIX_Op_create_x(
        function: Reduction,
        destructor: Option<Destructor>,
        commute: i32,
        state: *mut c_void,
        op: *mut Op,
    ) -> i32;
}

/// The user's procedure for `MPI_Op_create`, and for its large form.
type User = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i32, *mut i32);
type UserLarge = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i64, *mut i32);

/// Calls the user's procedure, in several calls where the length is beyond its INTEGER.
unsafe extern "C" fn reduce(
    invec: *mut c_void,
    inoutvec: *mut c_void,
    length: i64,
    datatype: Datatype,
    state: *mut c_void,
) {
    let (mut done, mut lb, mut extent) = (0, 0, 0);
    let mut number = datatype.to_fortran();
    // SAFETY: the state is the procedure that came with this function, and the elements are those
    // that MPI has.
    unsafe {
        let user = std::mem::transmute::<*mut c_void, User>(state);
        if length > i64::from(i32::MAX) {
            c::PMPI_Type_get_extent_c(datatype, &mut lb, &mut extent);
        }
        while done < length {
            let mut part = (length - done).min(i64::from(i32::MAX)) as i32;
            let ahead = (done * extent) as isize;
            let ends = [invec, inoutvec].map(|at| at.wrapping_byte_offset(ahead));
            user(ends[0], ends[1], &mut part, &mut number);
            done += i64::from(part);
        }
    }
}

unsafe extern "C" fn reduce_large(
    invec: *mut c_void,
    inoutvec: *mut c_void,
    length: i64,
    datatype: Datatype,
    state: *mut c_void,
) {
    let (mut length, mut number) = (length, datatype.to_fortran());
    // SAFETY: the state is the procedure that came with this function.
    unsafe {
        let user = std::mem::transmute::<*mut c_void, UserLarge>(state);
        user(invec, inoutvec, &mut length, &mut number);
    }
}

/// Exports the subroutines that make operations.
macro_rules! operations {
    ($($function:ident $create:ident($($name:ident)+);)+) => {
        $($(#[no_mangle]
        unsafe extern "C" fn $name(
            user_fn: *mut c_void,
            commute: *const i32,
            op: *mut i32,
            ierror: *mut i32,
        ) {
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                let made = $create(
                    $function,
                    None,
                    truth(commute),
                    user_fn,
                    HandleOut::new(op).c(),
                );
                finish(ierror, made);
            }
        })+)+
    };
}

operations! {
    reduce MPIX_Op_create_x(mpi_op_create_ mpi_op_create_f08_);
    reduce PMPIX_Op_create_x(pmpi_op_create_ pmpi_op_create_f08_);
    reduce_large MPIX_Op_create_x(mpi_op_create_c_f08_);
    reduce_large PMPIX_Op_create_x(pmpi_op_create_c_f08_);
}

/// Calls the user's procedure for errors.
unsafe extern "C" fn on_error<H: Handle>(object: H, code: i32, state: *mut c_void) {
    let (mut number, mut code) = (object.to_fortran(), code);
    // SAFETY: the state is the procedure that came with this function.
    unsafe {
        let user =
            std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut i32, *mut i32)>(state);
        user(&mut number, &mut code);
    }
}

/// Exports the subroutines that make error handlers.
macro_rules! errhandlers {
    ($($kind:ident $create:ident($($name:ident)+);)+) => {
        extern "C" {
            $(fn $create(
                function: OnError<$kind>,
                destructor: Option<Destructor>,
                state: *mut c_void,
                errhandler: *mut Errhandler,
            ) -> i32;)+
        }

        $($(#[no_mangle]
        unsafe extern "C" fn $name(function: *mut c_void, errhandler: *mut i32, ierror: *mut i32) {
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                let place = &mut HandleOut::new(errhandler);
                finish(ierror, $create(on_error::<$kind>, None, function, place.c()));
            }
        })+)+
    };
}

errhandlers! {
    Comm MPIX_Comm_create_errhandler_x(
        mpi_comm_create_errhandler_ mpi_comm_create_errhandler_f08_ mpi_errhandler_create_);
    Comm PMPIX_Comm_create_errhandler_x(
        pmpi_comm_create_errhandler_ pmpi_comm_create_errhandler_f08_ pmpi_errhandler_create_);
    Win MPIX_Win_create_errhandler_x(
        mpi_win_create_errhandler_ mpi_win_create_errhandler_f08_);
    Win PMPIX_Win_create_errhandler_x(
        pmpi_win_create_errhandler_ pmpi_win_create_errhandler_f08_);
    File MPIX_File_create_errhandler_x(
        mpi_file_create_errhandler_ mpi_file_create_errhandler_f08_);
    File PMPIX_File_create_errhandler_x(
        pmpi_file_create_errhandler_ pmpi_file_create_errhandler_f08_);
    Session MPIX_Session_create_errhandler_x(
        mpi_session_create_errhandler_ mpi_session_create_errhandler_f08_);
    Session PMPIX_Session_create_errhandler_x(
        pmpi_session_create_errhandler_ pmpi_session_create_errhandler_f08_);
}

/// The procedures of a generalized request, and the state that they get.
struct Generalized {
    query: unsafe extern "C" fn(*mut i64, *mut Status, *mut i32),
    free: unsafe extern "C" fn(*mut i64, *mut i32),
    cancel: unsafe extern "C" fn(*mut i64, *mut i32, *mut i32),
    state: i64,
    /// The user's variable. It is written where a procedure changes its state, which old programs
    /// await, and not read after the call that makes the request: it may be gone by then.
    at: *mut i64,
}

impl Generalized {
    /// Calls a procedure with the state, and returns its error code.
    ///
    /// # Safety
    /// The variable is there if the procedure changes it.
    unsafe fn call(of: *mut Generalized, procedure: impl FnOnce(*mut i64, *mut i32)) -> i32 {
        let mut code = MPI_SUCCESS;
        // SAFETY: `of` lives until it is freed, and as the caller says.
        unsafe {
            let mut state = (*of).state;
            procedure(&mut state, &mut code);
            if state != (*of).state {
                (*of).state = state;
                *(*of).at = state;
            }
        }
        code
    }
}

unsafe extern "C" fn query(state: *mut c_void, status: *mut Status) -> i32 {
    let of = state.cast::<Generalized>();
    // SAFETY: the state is the one that came with this function, and lives until it is freed.
    unsafe { Generalized::call(of, |state, code| ((*of).query)(state, status, code)) }
}

unsafe extern "C" fn free(state: *mut c_void) -> i32 {
    let of = state.cast::<Generalized>();
    // SAFETY: the state is the one that came with this function; MPI calls it last, and once.
    unsafe {
        let code = Generalized::call(of, |state, code| ((*of).free)(state, code));
        drop(Box::from_raw(of));
        code
    }
}

unsafe extern "C" fn cancel(state: *mut c_void, complete: i32) -> i32 {
    let of = state.cast::<Generalized>();
    let mut complete = logical(complete);
    let complete = &raw mut complete;
    // SAFETY: the state is the one that came with this function, and lives until it is freed.
    unsafe { Generalized::call(of, |state, code| ((*of).cancel)(state, complete, code)) }
}

/// The state for a call that makes a request; it is leaked where the call fails.
///
/// # Safety
/// The addresses are those of the user's procedures.
unsafe fn generalized(
    query: *mut c_void,
    free: *mut c_void,
    cancel: *mut c_void,
    state: *mut i64,
) -> *mut c_void {
    // SAFETY: as the caller says.
    let made = unsafe {
        Generalized {
            query: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut i64, *mut Status, *mut i32),
            >(query),
            free: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut i64, *mut i32)>(
                free,
            ),
            cancel: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut i64, *mut i32, *mut i32),
            >(cancel),
            state: read(state),
            at: state,
        }
    };
    Box::into_raw(Box::new(made)).cast()
}

entry!([MPI_Grequest_start(mpi_grequest_start_ mpi_grequest_start_f08_)
PMPI_Grequest_start(pmpi_grequest_start_ pmpi_grequest_start_f08_)]
(query_fn: *mut c_void, free_fn: *mut c_void, cancel_fn: *mut c_void, state: *mut i64,
    request: *mut i32, ierror: *mut i32) ierror
[(
    Some(query),
    Some(free),
    Some(cancel),
    generalized(query_fn, free_fn, cancel_fn, state),
    HandleOut::new(request).c()
)]);
