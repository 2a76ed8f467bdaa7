//! Functions that no row can say: those that return a number, those that MPI 3.0 removed,
//! conversions for Fortran, and those with arguments that count at one rank alone.

use std::ffi::c_char;

use crate::callback::ERR_ARG;
use crate::generated::c;
use crate::generated::types::{Comm, Datatype, Info};
use crate::generated::values::{DISTRIBUTION, DISTRIBUTION_ARGUMENT, ORDER};
use crate::handle::{handle_in, HandleOut, Handles, HandlesOut};
use crate::interface::{Abi, Kind};
use crate::value::{finish, len, number_out, rank_in, sum, NumbersOut};

/// Exports functions under the names of both prefixes.
#[macro_export]
macro_rules! export {
    ($($name:ident $profiled:ident($($param:ident: $ty:ty),*) -> $returns:ty $body:block)*) => {
        $(#[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) -> $returns {
            // SAFETY: the caller gives each argument as MPI asks for it.
            #[allow(unused_unsafe)]
            unsafe { $body }
        }

        #[no_mangle]
        unsafe extern "C" fn $profiled($($param: $ty),*) -> $returns {
            // SAFETY: the arguments are passed on as they came.
            unsafe { $name($($param),*) }
        })*
    };
}

/// Exports the functions of C that are no row.
#[macro_export]
macro_rules! by_hand_entries {
    ($abi:ty) => {
        const _: () = {
            use ::std::ffi::{c_char, c_void};
            use $crate::attribute::{create_keyval, get, set};
            use $crate::by_hand::*;
            use $crate::c;
            use $crate::callback::*;
            use $crate::convert::*;
            use $crate::types::*;
            type A = $abi;
            type H = <A as $crate::Abi>::Handle;
            type F = <A as $crate::Abi>::File;
            type P = *mut c_void;
            $crate::export! {
                MPI_Wtime PMPI_Wtime() -> f64 { c::wtime() }
                MPI_Wtick PMPI_Wtick() -> f64 { c::wtick() }
                MPI_Aint_add PMPI_Aint_add(base: i64, disp: i64) -> i64 { c::aint_add(base, disp) }
                MPI_Aint_diff PMPI_Aint_diff(a: i64, b: i64) -> i64 { c::aint_diff(a, b) }
                MPI_Pcontrol PMPI_Pcontrol(level: i32) -> i32 { c::pcontrol(level) }
                MPI_Get_version PMPI_Get_version(version: *mut i32, subversion: *mut i32) -> i32 {
                    get_version::<A>(version, subversion)
                }
                MPI_Get_library_version PMPI_Get_library_version(
                    version: *mut c_char, resultlen: *mut i32
                ) -> i32 { get_library_version::<A>(version, resultlen) }
                MPI_Get_address PMPI_Get_address(
                    location: *const c_void, address: *mut i64
                ) -> i32 { finish::<A>(c::get_address(location, address)) }
                MPI_Op_create PMPI_Op_create(user: P, commute: i32, op: *mut H) -> i32 {
                    op_create::<A>(user, commute, op, false)
                }
                MPI_Op_create_c PMPI_Op_create_c(user: P, commute: i32, op: *mut H) -> i32 {
                    op_create::<A>(user, commute, op, true)
                }
                MPI_Comm_create_errhandler PMPI_Comm_create_errhandler(
                    user: P, made: *mut H
                ) -> i32 { create_errhandler::<A, Comm>(user, made) }
                MPI_Errhandler_create PMPI_Errhandler_create(user: P, made: *mut H) -> i32 {
                    create_errhandler::<A, Comm>(user, made)
                }
                MPI_Win_create_errhandler PMPI_Win_create_errhandler(
                    user: P, made: *mut H
                ) -> i32 { create_errhandler::<A, Win>(user, made) }
                MPI_File_create_errhandler PMPI_File_create_errhandler(
                    user: P, made: *mut H
                ) -> i32 { create_errhandler::<A, File>(user, made) }
                MPI_Session_create_errhandler PMPI_Session_create_errhandler(
                    user: P, made: *mut H
                ) -> i32 { create_errhandler::<A, Session>(user, made) }
                MPI_Grequest_start PMPI_Grequest_start(
                    query: P, free: P, cancel: P, state: P, request: *mut H
                ) -> i32 { grequest_start::<A>([query, free, cancel], state, request) }
                MPI_Register_datarep PMPI_Register_datarep(
                    name: *const c_char, read: P, write: P, extent: P, state: P
                ) -> i32 { register_datarep::<A, i32>(name, [read, write, extent], state, false) }
                MPI_Register_datarep_c PMPI_Register_datarep_c(
                    name: *const c_char, read: P, write: P, extent: P, state: P
                ) -> i32 { register_datarep::<A, i64>(name, [read, write, extent], state, true) }
                MPI_Comm_create_keyval PMPI_Comm_create_keyval(
                    copy: P, delete: P, key: *mut i32, state: P
                ) -> i32 { create_keyval::<A, Comm>(copy, delete, key, state) }
                MPI_Keyval_create PMPI_Keyval_create(
                    copy: P, delete: P, key: *mut i32, state: P
                ) -> i32 { create_keyval::<A, Comm>(copy, delete, key, state) }
                MPI_Type_create_keyval PMPI_Type_create_keyval(
                    copy: P, delete: P, key: *mut i32, state: P
                ) -> i32 { create_keyval::<A, Datatype>(copy, delete, key, state) }
                MPI_Win_create_keyval PMPI_Win_create_keyval(
                    copy: P, delete: P, key: *mut i32, state: P
                ) -> i32 { create_keyval::<A, Win>(copy, delete, key, state) }
                MPI_Comm_get_attr PMPI_Comm_get_attr(
                    of: H, key: i32, value: P, flag: *mut i32
                ) -> i32 { get::<A, Comm>(handle_in::<A, Comm>(of), key, value, flag) }
                MPI_Attr_get PMPI_Attr_get(of: H, key: i32, value: P, flag: *mut i32) -> i32 {
                    get::<A, Comm>(handle_in::<A, Comm>(of), key, value, flag)
                }
                MPI_Type_get_attr PMPI_Type_get_attr(
                    of: H, key: i32, value: P, flag: *mut i32
                ) -> i32 { get::<A, Datatype>(handle_in::<A, Datatype>(of), key, value, flag) }
                MPI_Win_get_attr PMPI_Win_get_attr(
                    of: H, key: i32, value: P, flag: *mut i32
                ) -> i32 { get::<A, Win>(handle_in::<A, Win>(of), key, value, flag) }
                MPI_Comm_set_attr PMPI_Comm_set_attr(of: H, key: i32, value: P) -> i32 {
                    set::<A, Comm>(handle_in::<A, Comm>(of), key, value)
                }
                MPI_Attr_put PMPI_Attr_put(of: H, key: i32, value: P) -> i32 {
                    set::<A, Comm>(handle_in::<A, Comm>(of), key, value)
                }
                MPI_Type_set_attr PMPI_Type_set_attr(of: H, key: i32, value: P) -> i32 {
                    set::<A, Datatype>(handle_in::<A, Datatype>(of), key, value)
                }
                MPI_Win_set_attr PMPI_Win_set_attr(of: H, key: i32, value: P) -> i32 {
                    set::<A, Win>(handle_in::<A, Win>(of), key, value)
                }
                MPI_Comm_spawn PMPI_Comm_spawn(
                    command: *const c_char, argv: *mut *mut c_char, maxprocs: i32, info: H,
                    root: i32, comm: H, made: *mut H, codes: *mut i32
                ) -> i32 {
                    let program = Program { command, argv, maxprocs };
                    spawn::<A>(program, info, root, comm, made, codes)
                }
                MPI_Comm_spawn_multiple PMPI_Comm_spawn_multiple(
                    count: i32, commands: *mut *mut c_char, argvs: *mut *mut *mut c_char,
                    maxprocs: *const i32, infos: *const H, root: i32, comm: H, made: *mut H,
                    codes: *mut i32
                ) -> i32 {
                    let programs = Programs { count, commands, argvs, maxprocs };
                    spawn_multiple::<A>(programs, infos, root, comm, made, codes)
                }
                MPI_Type_get_contents PMPI_Type_get_contents(
                    of: H, integers: i32, addresses: i32, types: i32, array_of_integers: *mut i32,
                    array_of_addresses: *mut i64, array_of_datatypes: *mut H
                ) -> i32 {
                    let arrays = (array_of_integers, array_of_addresses, array_of_datatypes);
                    contents::<A>(of, [integers, addresses, types], arrays)
                }
                MPI_Type_get_contents_c PMPI_Type_get_contents_c(
                    of: H, integers: i64, addresses: i64, counts: i64, types: i64,
                    array_of_integers: *mut i32, array_of_addresses: *mut i64,
                    array_of_counts: *mut i64, array_of_datatypes: *mut H
                ) -> i32 {
                    let code = c::type_get_contents_c(
                        handle_in::<A, Datatype>(of), integers, addresses, counts, types,
                        array_of_integers, array_of_addresses, array_of_counts,
                        HandlesOut::<A, Datatype>::new(array_of_datatypes, len(types)).c(),
                    );
                    if code == 0 {
                        constants::<A>(handle_in::<A, Datatype>(of), array_of_integers);
                    }
                    finish::<A>(code)
                }
                MPI_Address PMPI_Address(location: *const c_void, address: *mut i64) -> i32 {
                    finish::<A>(c::get_address(location, address))
                }
                MPI_Type_extent PMPI_Type_extent(of: H, extent: *mut i64) -> i32 {
                    let mut lb = 0;
                    let of = handle_in::<A, Datatype>(of);
                    finish::<A>(c::type_get_extent(of, &mut lb, extent))
                }
                MPI_Type_lb PMPI_Type_lb(of: H, lb: *mut i64) -> i32 {
                    let mut extent = 0;
                    let of = handle_in::<A, Datatype>(of);
                    finish::<A>(c::type_get_extent(of, lb, &mut extent))
                }
                MPI_Type_ub PMPI_Type_ub(of: H, ub: *mut i64) -> i32 {
                    let mut lb = 0;
                    let of = handle_in::<A, Datatype>(of);
                    let code = c::type_get_extent(of, &mut lb, ub);
                    if code == 0 { *ub += lb; }
                    finish::<A>(code)
                }
                MPI_Type_hvector PMPI_Type_hvector(
                    count: i32, length: i32, stride: i64, of: H, made: *mut H
                ) -> i32 {
                    let of = handle_in::<A, Datatype>(of);
                    let mut made = HandleOut::<A, Datatype>::new(made);
                    finish::<A>(c::type_create_hvector(count, length, stride, of, made.c()))
                }
                MPI_Type_hindexed PMPI_Type_hindexed(
                    count: i32, lengths: *const i32, displs: *const i64, of: H, made: *mut H
                ) -> i32 {
                    let of = handle_in::<A, Datatype>(of);
                    let mut made = HandleOut::<A, Datatype>::new(made);
                    finish::<A>(c::type_create_hindexed(count, lengths, displs, of, made.c()))
                }
                MPI_Type_struct PMPI_Type_struct(
                    count: i32, lengths: *const i32, displs: *const i64, types: *const H,
                    made: *mut H
                ) -> i32 {
                    let types = Handles::<A, Datatype>::new(types, len(count));
                    let mut made = HandleOut::<A, Datatype>::new(made);
                    let code =
                        c::type_create_struct(count, lengths, displs, types.c(), made.c());
                    finish::<A>(code)
                }
                MPI_Errhandler_get PMPI_Errhandler_get(comm: H, found: *mut H) -> i32 {
                    let mut found = HandleOut::<A, Errhandler>::new(found);
                    finish::<A>(c::comm_get_errhandler(handle_in::<A, Comm>(comm), found.c()))
                }
                MPI_Errhandler_set PMPI_Errhandler_set(comm: H, errhandler: H) -> i32 {
                    let errhandler = handle_in::<A, Errhandler>(errhandler);
                    finish::<A>(c::comm_set_errhandler(handle_in::<A, Comm>(comm), errhandler))
                }
                MPI_Comm_c2f PMPI_Comm_c2f(of: H) -> i32 { c2f::<A, Comm>(of) }
                MPI_Group_c2f PMPI_Group_c2f(of: H) -> i32 { c2f::<A, Group>(of) }
                MPI_Type_c2f PMPI_Type_c2f(of: H) -> i32 { c2f::<A, Datatype>(of) }
                MPI_Op_c2f PMPI_Op_c2f(of: H) -> i32 { c2f::<A, Op>(of) }
                MPI_Request_c2f PMPI_Request_c2f(of: H) -> i32 { c2f::<A, Request>(of) }
                MPI_Message_c2f PMPI_Message_c2f(of: H) -> i32 { c2f::<A, Message>(of) }
                MPI_Errhandler_c2f PMPI_Errhandler_c2f(of: H) -> i32 {
                    c2f::<A, Errhandler>(of)
                }
                MPI_Info_c2f PMPI_Info_c2f(of: H) -> i32 { c2f::<A, Info>(of) }
                MPI_Win_c2f PMPI_Win_c2f(of: H) -> i32 { c2f::<A, Win>(of) }
                MPI_Session_c2f PMPI_Session_c2f(of: H) -> i32 { c2f::<A, Session>(of) }
                MPI_File_c2f PMPI_File_c2f(of: F) -> i32 { c2f::<A, File>(of) }
                MPI_Comm_f2c PMPI_Comm_f2c(of: i32) -> H { f2c::<A, Comm>(of) }
                MPI_Group_f2c PMPI_Group_f2c(of: i32) -> H { f2c::<A, Group>(of) }
                MPI_Type_f2c PMPI_Type_f2c(of: i32) -> H { f2c::<A, Datatype>(of) }
                MPI_Op_f2c PMPI_Op_f2c(of: i32) -> H { f2c::<A, Op>(of) }
                MPI_Request_f2c PMPI_Request_f2c(of: i32) -> H { f2c::<A, Request>(of) }
                MPI_Message_f2c PMPI_Message_f2c(of: i32) -> H { f2c::<A, Message>(of) }
                MPI_Errhandler_f2c PMPI_Errhandler_f2c(of: i32) -> H {
                    f2c::<A, Errhandler>(of)
                }
                MPI_Info_f2c PMPI_Info_f2c(of: i32) -> H { f2c::<A, Info>(of) }
                MPI_Win_f2c PMPI_Win_f2c(of: i32) -> H { f2c::<A, Win>(of) }
                MPI_Session_f2c PMPI_Session_f2c(of: i32) -> H { f2c::<A, Session>(of) }
                MPI_File_f2c PMPI_File_f2c(of: i32) -> F { f2c::<A, File>(of) }
                MPI_Status_c2f PMPI_Status_c2f(
                    of: *const <A as $crate::Abi>::Status, to: *mut <A as $crate::Abi>::Status
                ) -> i32 { copy_status::<A>(of, to) }
                MPI_Status_f2c PMPI_Status_f2c(
                    of: *const <A as $crate::Abi>::Status, to: *mut <A as $crate::Abi>::Status
                ) -> i32 { copy_status::<A>(of, to) }
            }
        };
    };
}

/// # Safety
/// The addresses are null or those of numbers.
pub unsafe fn get_version<A: Abi>(version: *mut i32, subversion: *mut i32) -> i32 {
    for (at, number) in [(version, A::VERSION.0), (subversion, A::VERSION.1)] {
        if !at.is_null() {
            // SAFETY: as the caller says.
            unsafe { *at = number };
        }
    }
    0
}

/// Gives the text of the interface, which is shorter than any interface's room for it.
///
/// # Safety
/// The addresses are null or those of memory as MPI asks for it.
pub unsafe fn get_library_version<A: Abi>(version: *mut c_char, resultlen: *mut i32) -> i32 {
    if version.is_null() || resultlen.is_null() {
        return finish::<A>(ERR_ARG);
    }
    let text = A::LIBRARY;
    // SAFETY: as the caller says.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), version, text.len());
        *version.add(text.len()) = 0;
        *resultlen = text.len() as i32;
    }
    0
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
        return finish::<A>(ERR_ARG);
    }
    // SAFETY: as the caller says.
    unsafe { std::ptr::copy(from, to, 1) };
    0
}

/// Whether this process is the root of a collective call.
pub(crate) fn is_root(comm: Comm, root: i32) -> bool {
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
    const INFO_NULL: usize = 0x130;
    let (comm, root) = (handle_in::<A, Comm>(comm), rank_in::<A>(root));
    let info = match is_root(comm, root) {
        true => handle_in::<A, Info>(info),
        false => Info(INFO_NULL),
    };
    let Program {
        command,
        argv,
        maxprocs,
    } = program;
    // SAFETY: as the caller says.
    let code = unsafe {
        let mut made = HandleOut::<A, Comm>::new(made);
        let errors = &crate::generated::values::ERROR;
        let codes = NumbersOut::<A>::new(errors, codes, len(maxprocs));
        c::comm_spawn(
            command,
            argv,
            maxprocs,
            info,
            root,
            comm,
            made.c(),
            codes.c(),
        )
    };
    finish::<A>(code)
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
    // SAFETY: as the caller says.
    let code = unsafe {
        let infos = Handles::<A, Info>::new(infos, at_root);
        let mut made = HandleOut::<A, Comm>::new(made);
        let errors = &crate::generated::values::ERROR;
        let codes = NumbersOut::<A>::new(errors, codes, sum(maxprocs, at_root));
        c::comm_spawn_multiple(
            count,
            commands,
            argvs,
            maxprocs,
            infos.c(),
            root,
            comm,
            made.c(),
            codes.c(),
        )
    };
    finish::<A>(code)
}

/// `MPI_Type_get_contents`.
///
/// # Safety
/// The arrays are as long as the numbers say.
pub unsafe fn contents<A: Abi>(
    of: A::Handle,
    [integers, addresses, types]: [i32; 3],
    (array_of_integers, array_of_addresses, array_of_datatypes): (
        *mut i32,
        *mut i64,
        *mut A::Handle,
    ),
) -> i32 {
    let of = handle_in::<A, Datatype>(of);
    // SAFETY: as the caller says.
    unsafe {
        let code = c::type_get_contents(
            of,
            integers,
            addresses,
            types,
            array_of_integers,
            array_of_addresses,
            HandlesOut::<A, Datatype>::new(array_of_datatypes, len(types)).c(),
        );
        if code == 0 {
            constants::<A>(of, array_of_integers);
        }
        finish::<A>(code)
    }
}

/// Converts the constants among the integers that a datatype was made with.
///
/// # Safety
/// The array has what the datatype's constructor says (MPI 5.0, 5.1.13).
pub unsafe fn constants<A: Abi>(of: Datatype, integers: *mut i32) {
    const SUBARRAY: i32 = 111;
    const DARRAY: i32 = 112;
    let (mut counts, mut combiner) = ([0i64; 4], 0);
    // SAFETY: the places are those of numbers; the rest as the caller says.
    unsafe {
        let [a, b, d, e] = &mut counts;
        if c::type_get_envelope_c(of, a, b, d, e, &mut combiner) != 0 || integers.is_null() {
            return;
        }
        let at = |i: usize| &mut *integers.add(i);
        match combiner {
            SUBARRAY => {
                let order = at(1 + 3 * len(*integers));
                *order = number_out::<A>(&ORDER, *order);
            }
            DARRAY => {
                let dimensions = len(*at(2));
                for i in 0..dimensions {
                    let kind = at(3 + dimensions + i);
                    *kind = number_out::<A>(&DISTRIBUTION, *kind);
                    let argument = at(3 + 2 * dimensions + i);
                    *argument = number_out::<A>(&DISTRIBUTION_ARGUMENT, *argument);
                }
                let order = at(3 + 4 * dimensions);
                *order = number_out::<A>(&ORDER, *order);
            }
            _ => {}
        }
    }
}
