//! Functions that no row can say: those that return a number, those that MPI 3.0 removed,
//! conversions for Fortran, and those with arguments that count at one rank alone. They return the
//! standard's error codes.

use std::ffi::c_char;

use crate::argument::{List, Out};
use crate::generated::c;
use crate::generated::constants::{
    MPI_COMBINER_DARRAY, MPI_COMBINER_SUBARRAY, MPI_ERR_ARG, MPI_INFO_NULL, MPI_SUCCESS,
};
use crate::generated::types::{Comm, Datatype, Info};
use crate::generated::values::{DISTRIBUTION, DISTRIBUTION_ARGUMENT, ERROR, ORDER};
use crate::handle::{handle_in, HandleOut, Handles, HandlesOut};
use crate::interface::{Abi, Kind, Library};
use crate::value::{len, number_out, rank_in, sum, NumbersOut};

/// # Safety
/// The addresses are null or those of numbers.
pub unsafe fn get_version<A: Library>(version: *mut i32, subversion: *mut i32) -> i32 {
    // SAFETY: the caller promises these places.
    unsafe {
        Out::new(version).set(A::VERSION.0);
        Out::new(subversion).set(A::VERSION.1);
    }
    MPI_SUCCESS
}

/// Gives the text of the interface, which is shorter than any interface's room for it.
///
/// # Safety
/// The addresses are null or those of memory as MPI asks for it.
pub unsafe fn get_library_version<A: Library>(version: *mut c_char, resultlen: *mut i32) -> i32 {
    if version.is_null() || resultlen.is_null() {
        return MPI_ERR_ARG;
    }
    let text = A::LIBRARY;
    // SAFETY: the caller promises these places, and the interface room for its own text.
    let (memory, length) = unsafe {
        let memory = List::new(version.cast::<u8>(), text.len() + 1);
        (memory, Out::new(resultlen))
    };
    let bytes = text.bytes().chain([0]).enumerate();
    bytes.for_each(|(at, byte)| memory.set(at, byte));
    length.set(text.len() as i32);
    MPI_SUCCESS
}

/// Returns the handle that the interface's Fortran has.
pub fn c2f<A: Abi, K: Kind>(of: K::Raw<A>) -> i32
where
    K::Raw<A::Fortran>: Into<i32>,
{
    handle_in::<A, K>(of).encode::<A::Fortran>().into()
}

/// Returns the handle that C has.
pub fn f2c<A: Abi, K: Kind>(of: i32) -> K::Raw<A>
where
    i32: Into<K::Raw<A::Fortran>>,
{
    handle_in::<A::Fortran, K>(of.into()).encode::<A>()
}

/// Copies a status: Fortran's is the same memory.
///
/// # Safety
/// The addresses are those of statuses.
pub unsafe fn copy_status<A: Abi>(from: *const A::Status, to: *mut A::Status) -> i32 {
    if from.is_null() || to.is_null() || A::is_ignored(from) {
        return MPI_ERR_ARG;
    }
    // SAFETY: neither is null, so both are addresses of statuses.
    unsafe { std::ptr::copy(from, to, 1) };
    MPI_SUCCESS
}

/// Whether this process is the root of a collective call.
pub fn is_root(comm: Comm, root: i32) -> bool {
    let mut own = -1;
    // SAFETY: the place is that of an integer.
    unsafe { c::comm_rank(comm, &mut own) };
    own == root
}

/// A program that is spawned.
pub struct Program {
    /// The argument of MPI of this name.
    pub command: *const c_char,
    /// The argument of MPI of this name.
    pub argv: *mut *mut c_char,
    /// The argument of MPI of this name.
    pub maxprocs: i32,
}

/// Programs that are spawned.
pub struct Programs {
    /// The argument of MPI of this name.
    pub count: i32,
    /// The argument of MPI of this name.
    pub commands: *mut *mut c_char,
    /// The argument of MPI of this name.
    pub argvs: *mut *mut *mut c_char,
    /// The argument of MPI of this name.
    pub maxprocs: *const i32,
}

/// `MPI_Comm_spawn`, whose info counts at the root alone.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn spawn<A: Abi>(
    program: Program,
    info: A::Handle,
    root: i32,
    comm: A::Handle,
    made: *mut A::Handle,
    codes: *mut i32,
) -> i32 {
    let (comm, root) = (handle_in::<A, Comm>(comm), rank_in::<A>(root));
    let info = match is_root(comm, root) {
        true => handle_in::<A, Info>(info),
        false => MPI_INFO_NULL,
    };
    let Program {
        command,
        argv,
        maxprocs,
    } = program;
    // SAFETY: the caller promises these arguments.
    unsafe {
        let mut made = HandleOut::<A, Comm>::new(made);
        let mut codes = NumbersOut::<A>::of(&ERROR, List::new(codes, len(maxprocs)));
        let (made, codes) = (made.c(), codes.c());
        c::comm_spawn(command, argv, maxprocs, info, root, comm, made, codes)
    }
}

/// `MPI_Comm_spawn_multiple`, whose arrays count at the root alone.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn spawn_multiple<A: Abi>(
    programs: Programs,
    infos: *const A::Handle,
    root: i32,
    comm: A::Handle,
    made: *mut A::Handle,
    codes: *mut i32,
) -> i32 {
    let (comm, root) = (handle_in::<A, Comm>(comm), rank_in::<A>(root));
    let Programs {
        count,
        commands,
        argvs,
        maxprocs,
    } = programs;
    let at_root = if is_root(comm, root) { len(count) } else { 0 };
    // SAFETY: the caller promises these arguments.
    unsafe {
        let infos = Handles::<A, Info>::new(infos, at_root);
        let mut made = HandleOut::<A, Comm>::new(made);
        let mut codes = NumbersOut::<A>::of(&ERROR, List::new(codes, sum(maxprocs, at_root)));
        let (infos, made, codes) = (infos.c(), made.c(), codes.c());
        c::comm_spawn_multiple(
            count, commands, argvs, maxprocs, infos, root, comm, made, codes,
        )
    }
}

/// `MPI_Type_get_contents`.
///
/// # Safety
/// The arrays are as long as the numbers say.
pub unsafe fn contents<A: Abi>(
    of: Datatype,
    [integers, addresses, types]: [i32; 3],
    array_of_integers: *mut i32,
    array_of_addresses: *mut i64,
    array_of_datatypes: *mut A::Handle,
) -> i32 {
    // SAFETY: the caller promises these arrays.
    unsafe {
        let mut types_out = HandlesOut::<A, Datatype>::new(array_of_datatypes, len(types));
        let (numbers, places) = (array_of_integers, array_of_addresses);
        let made = types_out.c();
        let code = c::type_get_contents(of, integers, addresses, types, numbers, places, made);
        if code == MPI_SUCCESS {
            constants::<A>(of, List::new(array_of_integers, len(integers)));
        }
        code
    }
}

/// Converts the constants among the integers that a datatype was made with (MPI 5.0, 5.1.13).
pub fn constants<A: Abi>(of: Datatype, integers: List<i32>) {
    let (mut counts, mut combiner) = ([0i64; 4], 0);
    let [a, b, d, e] = &mut counts;
    // SAFETY: the places are those of numbers.
    if unsafe { c::type_get_envelope_c(of, a, b, d, e, &mut combiner) } != MPI_SUCCESS {
        return;
    }
    let number = |at| integers.get(at).map_or(0, len);
    let convert = |at, group| {
        if let Some(standard) = integers.get(at) {
            integers.set(at, number_out::<A>(group, standard));
        }
    };
    match combiner {
        MPI_COMBINER_SUBARRAY => convert(1 + 3 * number(0), &ORDER),
        MPI_COMBINER_DARRAY => {
            let dimensions = number(2);
            for i in 0..dimensions {
                convert(3 + dimensions + i, &DISTRIBUTION);
                convert(3 + 2 * dimensions + i, &DISTRIBUTION_ARGUMENT);
            }
            convert(3 + 4 * dimensions, &ORDER);
        }
        _ => {}
    }
}
