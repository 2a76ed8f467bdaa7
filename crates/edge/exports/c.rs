//! The functions of C that no row can say, for the interface of the library that has this file
//! among its modules.

use std::ffi::{c_char, c_void};

use edge::attribute::{create_keyval, get, set};
use edge::by_hand::*;
use edge::callback::*;
use edge::export;
use edge::extension::op_create_x;
use edge::rows::*;

use crate::Interface as A;

type H = <A as Abi>::Handle;
type F = <A as Abi>::File;
type P = *mut c_void;

export!([MPI_Wtime PMPI_Wtime] () -> f64 {
    c::wtime()
});
export!([MPI_Wtick PMPI_Wtick] () -> f64 {
    c::wtick()
});
export!([MPI_Aint_add PMPI_Aint_add] (base: i64, disp: i64) -> i64 {
    c::aint_add(base, disp)
});
export!([MPI_Aint_diff PMPI_Aint_diff] (a: i64, b: i64) -> i64 {
    c::aint_diff(a, b)
});
export!([MPI_Pcontrol PMPI_Pcontrol] (level: i32) on {} {
    c::pcontrol(level)
});
export!([MPI_Get_version PMPI_Get_version] (version: *mut i32, subversion: *mut i32) on {} {
    get_version::<A>(version, subversion)
});
export!([MPI_Get_library_version PMPI_Get_library_version] (
    version: *mut c_char, resultlen: *mut i32
) on {} {
    get_library_version::<A>(version, resultlen)
});
export!([MPI_Get_address PMPI_Get_address] (location: *const c_void, address: *mut i64) on {} {
    c::get_address(location, address)
});
export!([MPI_Op_create PMPI_Op_create] (user: P, commute: i32, op: *mut H) on {} {
    op_create::<A>(op_create_x, user, commute, op, false)
});
export!([MPI_Op_create_c PMPI_Op_create_c] (user: P, commute: i32, op: *mut H) on {} {
    op_create::<A>(op_create_x, user, commute, op, true)
});
export!([MPI_Comm_create_errhandler PMPI_Comm_create_errhandler] (user: P, made: *mut H) on {} {
    create_errhandler::<A, Comm>(Comm::CREATE, user, made)
});
export!([MPI_Errhandler_create PMPI_Errhandler_create] (user: P, made: *mut H) on {} {
    create_errhandler::<A, Comm>(Comm::CREATE, user, made)
});
export!([MPI_Win_create_errhandler PMPI_Win_create_errhandler] (user: P, made: *mut H) on {} {
    create_errhandler::<A, Win>(Win::CREATE, user, made)
});
export!([MPI_File_create_errhandler PMPI_File_create_errhandler] (user: P, made: *mut H) on {} {
    create_errhandler::<A, File>(File::CREATE, user, made)
});
export!([MPI_Session_create_errhandler PMPI_Session_create_errhandler] (
    user: P, made: *mut H
) on {} {
    create_errhandler::<A, Session>(Session::CREATE, user, made)
});
export!([MPI_Grequest_start PMPI_Grequest_start] (
    query: P, free: P, cancel: P, state: P, request: *mut H
) on {} {
    grequest_start::<A>([query, free, cancel], state, request)
});
export!([MPI_Register_datarep PMPI_Register_datarep] (
    name: *const c_char, read: P, write: P, extent: P, state: P
) on {} {
    register_datarep::<A, i32>(name, [read, write, extent], state, false)
});
export!([MPI_Register_datarep_c PMPI_Register_datarep_c] (
    name: *const c_char, read: P, write: P, extent: P, state: P
) on {} {
    register_datarep::<A, i64>(name, [read, write, extent], state, true)
});
export!([MPI_Comm_create_keyval PMPI_Comm_create_keyval] (
    copy: P, delete: P, key: *mut i32, state: P
) on {} {
    create_keyval::<A, Comm>(copy, delete, key, state)
});
export!([MPI_Keyval_create PMPI_Keyval_create] (copy: P, delete: P, key: *mut i32, state: P) on {} {
    create_keyval::<A, Comm>(copy, delete, key, state)
});
export!([MPI_Type_create_keyval PMPI_Type_create_keyval] (
    copy: P, delete: P, key: *mut i32, state: P
) on {} {
    create_keyval::<A, Datatype>(copy, delete, key, state)
});
export!([MPI_Win_create_keyval PMPI_Win_create_keyval] (
    copy: P, delete: P, key: *mut i32, state: P
) on {} {
    create_keyval::<A, Win>(copy, delete, key, state)
});
export!([MPI_Comm_get_attr PMPI_Comm_get_attr] (
    of: H, key: i32, value: P, flag: *mut i32
) on { handle_in::<A, Comm>(of) } {
    get::<A, Comm>(handle_in::<A, Comm>(of), key, value, flag)
});
export!([MPI_Attr_get PMPI_Attr_get] (
    of: H, key: i32, value: P, flag: *mut i32
) on { handle_in::<A, Comm>(of) } {
    get::<A, Comm>(handle_in::<A, Comm>(of), key, value, flag)
});
export!([MPI_Type_get_attr PMPI_Type_get_attr] (of: H, key: i32, value: P, flag: *mut i32) on {} {
    get::<A, Datatype>(handle_in::<A, Datatype>(of), key, value, flag)
});
export!([MPI_Win_get_attr PMPI_Win_get_attr] (
    of: H, key: i32, value: P, flag: *mut i32
) on { handle_in::<A, Win>(of) } {
    get::<A, Win>(handle_in::<A, Win>(of), key, value, flag)
});
export!([MPI_Comm_set_attr PMPI_Comm_set_attr] (
    of: H, key: i32, value: P
) on { handle_in::<A, Comm>(of) } {
    set::<A, Comm>(handle_in::<A, Comm>(of), key, value)
});
export!([MPI_Attr_put PMPI_Attr_put] (of: H, key: i32, value: P) on { handle_in::<A, Comm>(of) } {
    set::<A, Comm>(handle_in::<A, Comm>(of), key, value)
});
export!([MPI_Type_set_attr PMPI_Type_set_attr] (of: H, key: i32, value: P) on {} {
    set::<A, Datatype>(handle_in::<A, Datatype>(of), key, value)
});
export!([MPI_Win_set_attr PMPI_Win_set_attr] (
    of: H, key: i32, value: P
) on { handle_in::<A, Win>(of) } {
    set::<A, Win>(handle_in::<A, Win>(of), key, value)
});
export!([MPI_Comm_spawn PMPI_Comm_spawn] (
    command: *const c_char, argv: *mut *mut c_char, maxprocs: i32, info: H, root: i32, comm: H,
    made: *mut H, codes: *mut i32
) on { handle_in::<A, Comm>(comm) } {
    let program = Program { command, argv, maxprocs };
    spawn::<A>(program, info, root, comm, made, codes)
});
export!([MPI_Comm_spawn_multiple PMPI_Comm_spawn_multiple] (
    count: i32, commands: *mut *mut c_char, argvs: *mut *mut *mut c_char, maxprocs: *const i32,
    infos: *const H, root: i32, comm: H, made: *mut H, codes: *mut i32
) on { handle_in::<A, Comm>(comm) } {
    let programs = Programs { count, commands, argvs, maxprocs };
    spawn_multiple::<A>(programs, infos, root, comm, made, codes)
});
export!([MPI_Type_get_contents PMPI_Type_get_contents] (
    of: H, integers: i32, addresses: i32, types: i32, array_of_integers: *mut i32,
    array_of_addresses: *mut i64, array_of_datatypes: *mut H
) on {} {
    let (of, lengths) = (handle_in::<A, Datatype>(of), [integers, addresses, types]);
    contents::<A>(of, lengths, array_of_integers, array_of_addresses, array_of_datatypes)
});
export!([MPI_Type_get_contents_c PMPI_Type_get_contents_c] (
    of: H, integers: i64, addresses: i64, counts: i64, types: i64, array_of_integers: *mut i32,
    array_of_addresses: *mut i64, array_of_counts: *mut i64, array_of_datatypes: *mut H
) on {} {
    let code = c::type_get_contents_c(
        handle_in::<A, Datatype>(of), integers, addresses, counts, types,
        array_of_integers, array_of_addresses, array_of_counts,
        HandlesOut::<A, Datatype>::new(array_of_datatypes, len(types)).c(),
    );
    if code == 0 {
        let integers = List::new(array_of_integers, len(integers));
        constants::<A>(handle_in::<A, Datatype>(of), integers);
    }
    code
});
export!([MPI_Address PMPI_Address] (location: *const c_void, address: *mut i64) on {} {
    c::get_address(location, address)
});
export!([MPI_Type_extent PMPI_Type_extent] (of: H, extent: *mut i64) on {} {
    let mut lb = 0;
    let of = handle_in::<A, Datatype>(of);
    c::type_get_extent(of, &mut lb, extent)
});
export!([MPI_Type_lb PMPI_Type_lb] (of: H, lb: *mut i64) on {} {
    let mut extent = 0;
    let of = handle_in::<A, Datatype>(of);
    c::type_get_extent(of, lb, &mut extent)
});
export!([MPI_Type_ub PMPI_Type_ub] (of: H, ub: *mut i64) on {} {
    let mut lb = 0;
    let of = handle_in::<A, Datatype>(of);
    let code = c::type_get_extent(of, &mut lb, ub);
    if code == 0 {
        *ub = (*ub).wrapping_add(lb);
    }
    code
});
export!([MPI_Type_hvector PMPI_Type_hvector] (
    count: i32, length: i32, stride: i64, of: H, made: *mut H
) on {} {
    let of = handle_in::<A, Datatype>(of);
    let mut made = HandleOut::<A, Datatype>::new(made);
    c::type_create_hvector(count, length, stride, of, made.c())
});
export!([MPI_Type_hindexed PMPI_Type_hindexed] (
    count: i32, lengths: *const i32, displs: *const i64, of: H, made: *mut H
) on {} {
    let of = handle_in::<A, Datatype>(of);
    let mut made = HandleOut::<A, Datatype>::new(made);
    c::type_create_hindexed(count, lengths, displs, of, made.c())
});
export!([MPI_Type_struct PMPI_Type_struct] (
    count: i32, lengths: *const i32, displs: *const i64, types: *const H, made: *mut H
) on {} {
    let types = Handles::<A, Datatype>::new(types, len(count));
    let mut made = HandleOut::<A, Datatype>::new(made);
    c::type_create_struct(count, lengths, displs, types.c(), made.c())
});
export!([MPI_Errhandler_get PMPI_Errhandler_get] (
    comm: H, found: *mut H
) on { handle_in::<A, Comm>(comm) } {
    let mut found = HandleOut::<A, Errhandler>::new(found);
    c::comm_get_errhandler(handle_in::<A, Comm>(comm), found.c())
});
export!([MPI_Errhandler_set PMPI_Errhandler_set] (
    comm: H, errhandler: H
) on { handle_in::<A, Comm>(comm) } {
    let errhandler = handle_in::<A, Errhandler>(errhandler);
    c::comm_set_errhandler(handle_in::<A, Comm>(comm), errhandler)
});
export!([MPI_Comm_c2f PMPI_Comm_c2f] (of: H) -> i32 {
    c2f::<A, Comm>(of)
});
export!([MPI_Group_c2f PMPI_Group_c2f] (of: H) -> i32 {
    c2f::<A, Group>(of)
});
export!([MPI_Type_c2f PMPI_Type_c2f] (of: H) -> i32 {
    c2f::<A, Datatype>(of)
});
export!([MPI_Op_c2f PMPI_Op_c2f] (of: H) -> i32 {
    c2f::<A, Op>(of)
});
export!([MPI_Request_c2f PMPI_Request_c2f] (of: H) -> i32 {
    c2f::<A, Request>(of)
});
export!([MPI_Message_c2f PMPI_Message_c2f] (of: H) -> i32 {
    c2f::<A, Message>(of)
});
export!([MPI_Errhandler_c2f PMPI_Errhandler_c2f] (of: H) -> i32 {
    c2f::<A, Errhandler>(of)
});
export!([MPI_Info_c2f PMPI_Info_c2f] (of: H) -> i32 {
    c2f::<A, Info>(of)
});
export!([MPI_Win_c2f PMPI_Win_c2f] (of: H) -> i32 {
    c2f::<A, Win>(of)
});
export!([MPI_Session_c2f PMPI_Session_c2f] (of: H) -> i32 {
    c2f::<A, Session>(of)
});
export!([MPI_File_c2f PMPI_File_c2f] (of: F) -> i32 {
    c2f::<A, File>(of)
});
export!([MPI_Comm_f2c PMPI_Comm_f2c] (of: i32) -> H {
    f2c::<A, Comm>(of)
});
export!([MPI_Group_f2c PMPI_Group_f2c] (of: i32) -> H {
    f2c::<A, Group>(of)
});
export!([MPI_Type_f2c PMPI_Type_f2c] (of: i32) -> H {
    f2c::<A, Datatype>(of)
});
export!([MPI_Op_f2c PMPI_Op_f2c] (of: i32) -> H {
    f2c::<A, Op>(of)
});
export!([MPI_Request_f2c PMPI_Request_f2c] (of: i32) -> H {
    f2c::<A, Request>(of)
});
export!([MPI_Message_f2c PMPI_Message_f2c] (of: i32) -> H {
    f2c::<A, Message>(of)
});
export!([MPI_Errhandler_f2c PMPI_Errhandler_f2c] (of: i32) -> H {
    f2c::<A, Errhandler>(of)
});
export!([MPI_Info_f2c PMPI_Info_f2c] (of: i32) -> H {
    f2c::<A, Info>(of)
});
export!([MPI_Win_f2c PMPI_Win_f2c] (of: i32) -> H {
    f2c::<A, Win>(of)
});
export!([MPI_Session_f2c PMPI_Session_f2c] (of: i32) -> H {
    f2c::<A, Session>(of)
});
export!([MPI_File_f2c PMPI_File_f2c] (of: i32) -> F {
    f2c::<A, File>(of)
});
export!([MPI_Status_c2f PMPI_Status_c2f] (
    of: *const <A as Abi>::Status, to: *mut <A as Abi>::Status
) on {} {
    copy_status::<A>(of, to)
});
export!([MPI_Status_f2c PMPI_Status_f2c] (
    of: *const <A as Abi>::Status, to: *mut <A as Abi>::Status
) on {} {
    copy_status::<A>(of, to)
});
