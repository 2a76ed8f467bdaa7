//! Functions of the user that MPI calls: for reductions, errors, requests, representations.
//!
//! MPI is given a function of this module and, as its state, the user's. Operations and error
//! handlers of the standard have no state: they are made by the extension that has one.

use std::ffi::c_void;
use std::mem::transmute;

use crate::extension;
use crate::generated::c;
use crate::generated::constants::MPI_ERR_ARG;
use crate::generated::types::{
    Comm, Datatype, Errhandler, File, Op, Request, Session, Status, Win,
};
use crate::handle::HandleOut;
use crate::interface::Abi;
use crate::interface::Kind;
use crate::status;
use crate::value::{error_in, finish};

/// Ends a state.
pub type Destructor = unsafe extern "C" fn(*mut c_void);
/// A function of an operation, with its state.
pub type Reduction = unsafe extern "C" fn(*mut c_void, *mut c_void, i64, Datatype, *mut c_void);
/// A function of an error handler, with its state.
pub type OnError<K> = unsafe extern "C" fn(K, i32, *mut c_void);
/// `MPIX_Op_create_x`.
pub type CreateOp =
    unsafe extern "C" fn(Reduction, Option<Destructor>, i32, *mut c_void, *mut Op) -> i32;
/// `MPIX_X_create_errhandler_x`.
pub type CreateHandler<K> =
    unsafe extern "C" fn(OnError<K>, Option<Destructor>, *mut c_void, *mut Errhandler) -> i32;

/// Calls the user's function, in several calls where the length is beyond its `int`.
unsafe extern "C" fn reduce<A: Abi>(
    invec: *mut c_void,
    inoutvec: *mut c_void,
    length: i64,
    datatype: Datatype,
    state: *mut c_void,
) {
    type User<H> = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i32, *mut H);
    let (mut done, mut lb, mut extent) = (0, 0, 0);
    let mut native = datatype.encode::<A>();
    // SAFETY: the state is the function that came with this one, and the elements are those that
    // MPI has.
    unsafe {
        let user = transmute::<*mut c_void, User<A::Handle>>(state);
        if length > i64::from(i32::MAX) {
            c::type_get_extent_c(datatype, &mut lb, &mut extent);
        }
        while done < length {
            let mut part = (length - done).min(i64::from(i32::MAX)) as i32;
            let ahead = (done * extent) as isize;
            let ends = [invec, inoutvec].map(|at| at.wrapping_byte_offset(ahead));
            user(ends[0], ends[1], &mut part, &mut native);
            done += i64::from(part);
        }
    }
}

unsafe extern "C" fn reduce_large<A: Abi>(
    invec: *mut c_void,
    inoutvec: *mut c_void,
    length: i64,
    datatype: Datatype,
    state: *mut c_void,
) {
    type User<H> = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i64, *mut H);
    let (mut length, mut native) = (length, datatype.encode::<A>());
    // SAFETY: the state is the function that came with this one.
    unsafe {
        let user = transmute::<*mut c_void, User<A::Handle>>(state);
        user(invec, inoutvec, &mut length, &mut native);
    }
}

/// Makes an operation of the user's function, and returns the standard's error code.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn op_create<A: Abi>(
    create: CreateOp,
    user: *mut c_void,
    commute: i32,
    op: *mut A::Handle,
    is_large: bool,
) -> i32 {
    let function: Reduction = match is_large {
        true => reduce_large::<A>,
        false => reduce::<A>,
    };
    if user.is_null() {
        return MPI_ERR_ARG;
    }
    // SAFETY: the caller promises a function and a place.
    unsafe {
        create(
            function,
            None,
            commute,
            user,
            HandleOut::<A, Op>::new(op).c(),
        )
    }
}

/// A kind of object that has error handlers.
pub trait Raises: Kind {
    /// The extension that makes them.
    const CREATE: CreateHandler<Self>;
}

impl Raises for Comm {
    const CREATE: CreateHandler<Comm> = extension::comm_create_errhandler_x;
}

impl Raises for Win {
    const CREATE: CreateHandler<Win> = extension::win_create_errhandler_x;
}

impl Raises for File {
    const CREATE: CreateHandler<File> = extension::file_create_errhandler_x;
}

impl Raises for Session {
    const CREATE: CreateHandler<Session> = extension::session_create_errhandler_x;
}

unsafe extern "C" fn on_error<A: Abi, K: Kind>(object: K, code: i32, state: *mut c_void) {
    let (mut native, mut code) = (object.encode::<A>(), finish::<A>(code));
    // SAFETY: the state is the function that came with this one, whose further arguments MPI does
    // not have.
    unsafe {
        let user =
            transmute::<*mut c_void, unsafe extern "C" fn(*mut K::Raw<A>, *mut i32, ...)>(state);
        user(&mut native, &mut code);
    }
}

/// Makes an error handler of the user's function, and returns the standard's error code.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn create_errhandler<A: Abi, K: Kind>(
    create: CreateHandler<K>,
    user: *mut c_void,
    errhandler: *mut A::Handle,
) -> i32 {
    if user.is_null() {
        return MPI_ERR_ARG;
    }
    // SAFETY: the caller promises a function and a place.
    unsafe {
        let mut made = HandleOut::<A, Errhandler>::new(errhandler);
        create(on_error::<A, K>, None, user, made.c())
    }
}

type Query<S> = unsafe extern "C" fn(*mut c_void, *mut S) -> i32;
type Free = unsafe extern "C" fn(*mut c_void) -> i32;
type Cancel = unsafe extern "C" fn(*mut c_void, i32) -> i32;

/// The functions of a generalized request.
struct Generalized<S> {
    query: Query<S>,
    free: Free,
    cancel: Cancel,
    state: *mut c_void,
}

unsafe extern "C" fn query<A: Abi>(state: *mut c_void, status: *mut Status) -> i32 {
    // SAFETY: the state is the one that came with this function, and lives until it is freed; zero
    // bytes are a status in each interface.
    unsafe {
        let of = &*state.cast::<Generalized<A::Status>>();
        let mut native: A::Status = std::mem::zeroed();
        let code = (of.query)(of.state, &mut native);
        let error = (*status).error;
        *status = status::standard::<A>(&mut native);
        (*status).error = error;
        returned::<A>(code)
    }
}

unsafe extern "C" fn free<A: Abi>(state: *mut c_void) -> i32 {
    // SAFETY: the state is the one that came with this function; MPI calls it last, and once.
    unsafe {
        let of = Box::from_raw(state.cast::<Generalized<A::Status>>());
        returned::<A>((of.free)(of.state))
    }
}

unsafe extern "C" fn cancel<A: Abi>(state: *mut c_void, complete: i32) -> i32 {
    // SAFETY: the state is the one that came with this function, and lives until it is freed.
    unsafe {
        let of = &*state.cast::<Generalized<A::Status>>();
        returned::<A>((of.cancel)(of.state, complete))
    }
}

/// Returns the standard's code for what a function of the user returned.
pub fn returned<A: Abi>(code: i32) -> i32 {
    match code {
        0 => 0,
        code => error_in::<A>(code),
    }
}

/// Makes a generalized request, and returns the standard's error code.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn grequest_start<A: Abi>(
    functions: [*mut c_void; 3],
    state: *mut c_void,
    request: *mut A::Handle,
) -> i32 {
    if functions.iter().any(|function| function.is_null()) {
        return MPI_ERR_ARG;
    }
    let [own_query, own_free, own_cancel] = functions;
    // SAFETY: the caller promises that the addresses are those of functions, and a place.
    unsafe {
        let made = Box::new(Generalized::<A::Status> {
            query: transmute::<*mut c_void, Query<A::Status>>(own_query),
            free: transmute::<*mut c_void, Free>(own_free),
            cancel: transmute::<*mut c_void, Cancel>(own_cancel),
            state,
        });
        let mut request = HandleOut::<A, Request>::new(request);
        let (query, free) = (query::<A> as *mut c_void, free::<A> as *mut c_void);
        let (cancel, made) = (cancel::<A> as *mut c_void, Box::into_raw(made).cast());
        c::grequest_start(query, free, cancel, made, request.c())
    }
}

/// The functions of a data representation, of which each may be null but the last.
struct Representation {
    read: *mut c_void,
    write: *mut c_void,
    extent: *mut c_void,
    state: *mut c_void,
}

unsafe extern "C" fn extent<A: Abi>(
    datatype: Datatype,
    extent: *mut i64,
    state: *mut c_void,
) -> i32 {
    type User<H> = unsafe extern "C" fn(H, *mut i64, *mut c_void) -> i32;
    // SAFETY: the state is the one that came with this function.
    unsafe {
        let of = &*state.cast::<Representation>();
        let user = transmute::<*mut c_void, User<A::Handle>>(of.extent);
        returned::<A>(user(datatype.encode::<A>(), extent, of.state))
    }
}

/// Calls the user's conversion, whose count is of type `N`.
unsafe extern "C" fn convert<A: Abi, N: Copy, const WRITES: bool>(
    userbuf: *mut c_void,
    datatype: Datatype,
    count: N,
    filebuf: *mut c_void,
    position: i64,
    state: *mut c_void,
) -> i32 {
    type User<H, N> = unsafe extern "C" fn(*mut c_void, H, N, *mut c_void, i64, *mut c_void) -> i32;
    // SAFETY: the state is the one that came with this function.
    unsafe {
        let of = &*state.cast::<Representation>();
        let user = transmute::<*mut c_void, User<A::Handle, N>>(match WRITES {
            true => of.write,
            false => of.read,
        });
        returned::<A>(user(
            userbuf,
            datatype.encode::<A>(),
            count,
            filebuf,
            position,
            of.state,
        ))
    }
}

/// Registers a data representation, which lives as long as the process, and returns the standard's
/// error code.
///
/// # Safety
/// The arguments are as MPI asks for them; `N` is the type of the conversions' counts.
pub unsafe fn register_datarep<A: Abi, N: Copy>(
    name: *const std::ffi::c_char,
    [read, write, extents]: [*mut c_void; 3],
    state: *mut c_void,
    is_large: bool,
) -> i32 {
    let made = Box::into_raw(Box::new(Representation {
        read,
        write,
        extent: extents,
        state,
    }));
    let given = |user: *mut c_void, own: *mut c_void| if user.is_null() { user } else { own };
    let read = given(read, convert::<A, N, false> as *mut c_void);
    let write = given(write, convert::<A, N, true> as *mut c_void);
    let extents = given(extents, extent::<A> as *mut c_void);
    // SAFETY: the caller promises that the name ends in a zero byte.
    unsafe {
        match is_large {
            true => c::register_datarep_c(name, read, write, extents, made.cast()),
            false => c::register_datarep(name, read, write, extents, made.cast()),
        }
    }
}
