//! User functions and lists of texts of Fortran: generalized requests, representations of
//! data, and programs that are spawned.

use std::ffi::{c_char, c_void};
use std::mem::transmute;

use crate::by_hand::{self, Program, Programs};
use crate::callback::returned;
use crate::fortran::Text;
use crate::generated::c;
use crate::generated::types::{Comm, Datatype, Request, Status};
use crate::handle::{handle_in, HandleOut};
use crate::interface::Abi;
use crate::status;
use crate::value::{finish, len, rank_in};

type Query<S> = unsafe extern "C" fn(*mut i64, *mut S, *mut i32);
type Free = unsafe extern "C" fn(*mut i64, *mut i32);
type Cancel = unsafe extern "C" fn(*mut i64, *mut i32, *mut i32);

/// The procedures of a generalized request.
struct Generalized<S> {
    query: Query<S>,
    free: Free,
    cancel: Cancel,
    state: i64,
}

unsafe extern "C" fn query<A: Abi>(state: *mut c_void, status: *mut Status) -> i32 {
    // SAFETY: the state is the one that came with this function, and lives until it is freed; zero
    // bytes are a status in each interface.
    unsafe {
        let of = &mut *state.cast::<Generalized<A::Status>>();
        let (mut native, mut code): (A::Status, i32) = (std::mem::zeroed(), 0);
        (of.query)(&mut of.state, &mut native, &mut code);
        let error = (*status).error;
        *status = status::standard::<A>(&mut native);
        (*status).error = error;
        returned::<A>(code)
    }
}

unsafe extern "C" fn free<A: Abi>(state: *mut c_void) -> i32 {
    // SAFETY: the state is the one that came with this function; MPI calls it last, and once.
    unsafe {
        let mut of = Box::from_raw(state.cast::<Generalized<A::Status>>());
        let mut code = 0;
        (of.free)(&mut of.state, &mut code);
        returned::<A>(code)
    }
}

unsafe extern "C" fn cancel<A: Abi>(state: *mut c_void, complete: i32) -> i32 {
    // SAFETY: the state is the one that came with this function, and lives until it is freed.
    unsafe {
        let of = &mut *state.cast::<Generalized<A::Status>>();
        let (mut complete, mut code) = (complete, 0);
        (of.cancel)(&mut of.state, &mut complete, &mut code);
        returned::<A>(code)
    }
}

/// Makes a generalized request.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn grequest_start<A: Abi>(
    functions: [*mut c_void; 3],
    state: i64,
    request: *mut A::Handle,
) -> i32 {
    // SAFETY: the addresses are those of the user's procedures, and the rest is as the caller says.
    let code = unsafe {
        let made = Box::into_raw(Box::new(Generalized::<A::Status> {
            query: transmute::<*mut c_void, Query<A::Status>>(functions[0]),
            free: transmute::<*mut c_void, Free>(functions[1]),
            cancel: transmute::<*mut c_void, Cancel>(functions[2]),
            state,
        }));
        c::grequest_start(
            query::<A> as *mut c_void,
            free::<A> as *mut c_void,
            cancel::<A> as *mut c_void,
            made.cast(),
            HandleOut::<A, Request>::new(request).c(),
        )
    };
    finish::<A>(code)
}

type Conversion = unsafe extern "C" fn(
    *mut c_void,
    *mut i32,
    *mut i32,
    *mut c_void,
    *mut i64,
    *mut i64,
    *mut i32,
);
type Extent = unsafe extern "C" fn(*mut i32, *mut i64, *mut i64, *mut i32);

/// The procedures of a data representation.
struct Representation {
    read: Option<Conversion>,
    write: Option<Conversion>,
    extent: Extent,
    state: i64,
}

unsafe extern "C" fn convert<A: Abi<Handle = i32>, const WRITES: bool>(
    userbuf: *mut c_void,
    datatype: Datatype,
    count: i32,
    filebuf: *mut c_void,
    position: i64,
    state: *mut c_void,
) -> i32 {
    // SAFETY: the state is the one that came with this function, and lives as long as the process.
    unsafe {
        let of = &*state.cast::<Representation>();
        let user = if WRITES { of.write } else { of.read };
        let (mut datatype, mut count) = (A::encode(datatype), count);
        let (mut position, mut state, mut code) = (position, of.state, 0);
        if let Some(user) = user {
            user(
                userbuf,
                &mut datatype,
                &mut count,
                filebuf,
                &mut position,
                &mut state,
                &mut code,
            );
        }
        returned::<A>(code)
    }
}

unsafe extern "C" fn extent<A: Abi<Handle = i32>>(
    datatype: Datatype,
    extent: *mut i64,
    state: *mut c_void,
) -> i32 {
    // SAFETY: as of `convert`.
    unsafe {
        let of = &*state.cast::<Representation>();
        let (mut datatype, mut state, mut code) = (A::encode(datatype), of.state, 0);
        (of.extent)(&mut datatype, extent, &mut state, &mut code);
        returned::<A>(code)
    }
}

/// Registers a data representation, which lives as long as the process. A conversion may be `none`,
/// `MPI_CONVERSION_FN_NULL`.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn register_datarep<A: Abi<Handle = i32>>(
    name: Text,
    [read, write, extents]: [*mut c_void; 3],
    none: *mut c_void,
    state: i64,
) -> i32 {
    // SAFETY: the addresses are those of the user's procedures, and the rest is as the caller says.
    unsafe {
        let given = |user: *mut c_void| (user != none).then(|| transmute::<_, Conversion>(user));
        let made = Box::new(Representation {
            read: given(read),
            write: given(write),
            extent: transmute::<*mut c_void, Extent>(extents),
            state,
        });
        let or_null = |is_given, own| if is_given { own } else { std::ptr::null_mut() };
        let code = c::register_datarep(
            name.c(),
            or_null(made.read.is_some(), convert::<A, false> as *mut c_void),
            or_null(made.write.is_some(), convert::<A, true> as *mut c_void),
            extent::<A> as *mut c_void,
            Box::into_raw(made).cast(),
        );
        finish::<A>(code)
    }
}

/// Texts of one length, as C has lists of them.
struct Texts {
    _texts: Vec<Text>,
    list: Vec<*mut c_char>,
}

impl Texts {
    /// Returns this many texts, or those before the first blank one.
    ///
    /// # Safety
    /// `at` is the address of texts of `length` bytes, of which each is `stride` behind the one
    /// before.
    unsafe fn new(at: *const u8, length: usize, stride: usize, count: Option<usize>) -> Texts {
        let mut texts = Vec::new();
        while count.is_none_or(|count| texts.len() < count) {
            // SAFETY: as the caller says.
            let text = unsafe { Text::new(at.add(texts.len() * stride), length, true) };
            if count.is_none() && text.is_empty() {
                break;
            }
            texts.push(text);
        }
        let mut list: Vec<_> = texts.iter().map(|text| text.c().cast_mut()).collect();
        list.push(std::ptr::null_mut());
        Texts {
            _texts: texts,
            list,
        }
    }
}

/// A CHARACTER: its address and its length.
pub type Character = (*const u8, usize);

/// `MPI_COMM_SPAWN`.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn spawn<A: Abi<Handle = i32>>(
    (command, argv): (Character, Character),
    maxprocs: i32,
    info: i32,
    (root, comm): (i32, i32),
    made: *mut i32,
    codes: *mut i32,
) -> i32 {
    // SAFETY: as the caller says.
    unsafe {
        let command = Text::new(command.0, command.1, true);
        let mut given = match A::is_absent(argv.0.cast()) {
            true => None,
            false => Some(Texts::new(argv.0, argv.1, argv.1, None)),
        };
        let argv = given.as_mut().map(|texts| texts.list.as_mut_ptr());
        let program = Program {
            command: command.c(),
            argv: argv.unwrap_or(std::ptr::null_mut()),
            maxprocs,
        };
        by_hand::spawn::<A>(program, info, root, comm, made, present::<A>(codes))
    }
}

/// Returns the address of a list that may be a constant instead.
fn present<A: Abi>(list: *mut i32) -> *mut i32 {
    match A::is_absent(list.cast()) {
        true => std::ptr::null_mut(),
        false => list,
    }
}

/// `MPI_COMM_SPAWN_MULTIPLE`, whose argument lists are the rows of an array.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn spawn_multiple<A: Abi<Handle = i32>>(
    (count, commands, argvs): (i32, Character, Character),
    maxprocs: *const i32,
    infos: *const i32,
    (root, comm): (i32, i32),
    made: *mut i32,
    codes: *mut i32,
) -> i32 {
    let own = (handle_in::<A, Comm>(comm), rank_in::<A>(root));
    let rows = if by_hand::is_root(own.0, own.1) {
        len(count)
    } else {
        0
    };
    // SAFETY: as the caller says.
    unsafe {
        let mut commands = Texts::new(commands.0, commands.1, commands.1, Some(rows));
        let row = |of: usize| Texts::new(argvs.0.add(of * argvs.1), argvs.1, rows * argvs.1, None);
        let mut given: Vec<Texts> = match A::is_absent(argvs.0.cast()) {
            true => Vec::new(),
            false => (0..rows).map(row).collect(),
        };
        let mut lists: Vec<_> = given.iter_mut().map(|of| of.list.as_mut_ptr()).collect();
        let argvs = match lists.is_empty() {
            true => std::ptr::null_mut(),
            false => lists.as_mut_ptr(),
        };
        let programs = Programs {
            count,
            commands: commands.list.as_mut_ptr(),
            argvs,
            maxprocs,
        };
        by_hand::spawn_multiple::<A>(programs, infos, root, comm, made, present::<A>(codes))
    }
}
