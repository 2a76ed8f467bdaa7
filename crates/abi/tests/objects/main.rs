//! Tests of MPI's local objects through the C interface, in a job of one process.
//!
//! Errors are returned, so that each test sees the class that a program would. The
//! arguments of its callback functions are stored where the test that made them finds them.

use std::ffi::{c_char, c_void, CStr, CString};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::Once;

// The entry points, which the tests call by their C names.
use mpi_abi as _;

use abi_state::args::*;
use abi_state::generated::constants::*;

/// The functions that are called, with C's own types; checked against the header by the compiler
/// of the C tests.
macro_rules! functions {
    ($($name:ident($($arg:ident: $ty:ty),*);)*) => {
        #[allow(non_snake_case)]
        mod c {
            use super::*;
            mod raw {
                use super::*;
                extern "C" { $(pub fn $name($($arg: $ty),*) -> i32;)* }
            }
            $(pub fn $name($($arg: $ty),*) -> i32 {
                // SAFETY: the tests pass places of their own, as large as MPI asks, and handles
                // of any value, which the library has to check.
                unsafe { raw::$name($($arg),*) }
            })*
        }
    };
}

functions! {
    MPI_Init_thread(argc: *mut i32, argv: *mut c_void, required: i32, provided: *mut i32);
    MPI_Comm_set_errhandler(comm: Comm, errhandler: Errhandler);
    MPI_Comm_get_errhandler(comm: Comm, errhandler: *mut Errhandler);
    MPI_Comm_call_errhandler(comm: Comm, code: i32);
    MPI_Comm_create_errhandler(function: CommErrhandlerFunction, errhandler: *mut Errhandler);
    MPI_Win_create_errhandler(function: WinErrhandlerFunction, errhandler: *mut Errhandler);
    MPI_File_get_errhandler(file: File, errhandler: *mut Errhandler);
    MPI_Errhandler_free(errhandler: *mut Errhandler);
    MPI_Comm_dup(comm: Comm, newcomm: *mut Comm);
    MPI_Comm_free(comm: *mut Comm);
    MPI_Comm_size(comm: Comm, size: *mut i32);
    MPI_Comm_create_keyval(copy: CommCopyAttrFunction, delete: CommDeleteAttrFunction,
        keyval: *mut i32, extra: *mut c_void);
    MPI_Comm_free_keyval(keyval: *mut i32);
    MPI_Comm_set_attr(comm: Comm, keyval: i32, value: *mut c_void);
    MPI_Comm_get_attr(comm: Comm, keyval: i32, value: *mut c_void, flag: *mut i32);
    MPI_Comm_delete_attr(comm: Comm, keyval: i32);
    MPI_Type_create_keyval(copy: TypeCopyAttrFunction, delete: TypeDeleteAttrFunction,
        keyval: *mut i32, extra: *mut c_void);
    MPI_Type_set_attr(datatype: Datatype, keyval: i32, value: *mut c_void);
    MPI_Type_get_attr(datatype: Datatype, keyval: i32, value: *mut c_void, flag: *mut i32);
    MPI_Add_error_class(class: *mut i32);
    MPI_Add_error_code(class: i32, code: *mut i32);
    MPI_Add_error_string(code: i32, string: *const c_char);
    MPI_Remove_error_code(code: i32);
    MPI_Remove_error_string(code: i32);
    MPI_Remove_error_class(class: i32);
    MPI_Error_class(code: i32, class: *mut i32);
    MPI_Error_string(code: i32, string: *mut c_char, length: *mut i32);
    MPI_Group_incl(group: Group, n: i32, ranks: *const i32, newgroup: *mut Group);
    MPI_Comm_group(comm: Comm, group: *mut Group);
    MPI_Group_rank(group: Group, rank: *mut i32);
    MPI_Group_translate_ranks(one: Group, n: i32, ranks: *const i32, two: Group, out: *mut i32);
    MPI_Group_free(group: *mut Group);
    MPI_Group_toint(group: Group);
    MPI_Info_create(info: *mut Info);
    MPI_Info_set(info: Info, key: *const c_char, value: *const c_char);
    MPI_Info_get_string(info: Info, key: *const c_char, length: *mut i32, value: *mut c_char,
        flag: *mut i32);
    MPI_Info_get_nthkey(info: Info, n: i32, key: *mut c_char);
    MPI_Info_free(info: *mut Info);
    MPI_Type_contiguous(count: i32, old: Datatype, new: *mut Datatype);
    MPI_Type_contiguous_c(count: i64, old: Datatype, new: *mut Datatype);
    MPI_Type_vector(count: i32, length: i32, stride: i32, old: Datatype, new: *mut Datatype);
    MPI_Type_create_struct(count: i32, lengths: *const i32, places: *const i64,
        types: *const Datatype, new: *mut Datatype);
    MPI_Type_create_hindexed_c(count: i64, lengths: *const i64, places: *const i64,
        old: Datatype, new: *mut Datatype);
    MPI_Type_create_f90_real(p: i32, r: i32, new: *mut Datatype);
    MPI_Type_match_size(class: i32, size: i32, datatype: *mut Datatype);
    MPI_Type_get_value_index(value: Datatype, index: Datatype, pair: *mut Datatype);
    MPI_Type_dup(old: Datatype, new: *mut Datatype);
    MPI_Type_commit(datatype: *mut Datatype);
    MPI_Type_free(datatype: *mut Datatype);
    MPI_Type_size(datatype: Datatype, size: *mut i32);
    MPI_Type_size_c(datatype: Datatype, size: *mut i64);
    MPI_Type_get_extent(datatype: Datatype, lb: *mut i64, extent: *mut i64);
    MPI_Type_get_name(datatype: Datatype, name: *mut c_char, length: *mut i32);
    MPI_Type_get_envelope(datatype: Datatype, integers: *mut i32, addresses: *mut i32,
        datatypes: *mut i32, combiner: *mut i32);
    MPI_Type_get_envelope_c(datatype: Datatype, integers: *mut i64, addresses: *mut i64,
        counts: *mut i64, datatypes: *mut i64, combiner: *mut i32);
    MPI_Type_get_contents(datatype: Datatype, integers: i32, addresses: i32, datatypes: i32,
        at_integers: *mut i32, at_addresses: *mut i64, at_datatypes: *mut Datatype);
    MPI_Type_get_contents_c(datatype: Datatype, integers: i64, addresses: i64, counts: i64,
        datatypes: i64, at_integers: *mut i32, at_addresses: *mut i64, at_counts: *mut i64,
        at_datatypes: *mut Datatype);
    MPI_Pack(from: *const c_void, count: i32, datatype: Datatype, to: *mut c_void, size: i32,
        position: *mut i32, comm: Comm);
    MPI_Unpack(from: *const c_void, size: i32, position: *mut i32, to: *mut c_void, count: i32,
        datatype: Datatype, comm: Comm);
    MPI_Pack_size(count: i32, datatype: Datatype, comm: Comm, size: *mut i32);
    MPI_Pack_size_c(count: i64, datatype: Datatype, comm: Comm, size: *mut i64);
    MPI_Pack_external_size_c(datarep: *const c_char, count: i64, datatype: Datatype,
        size: *mut i64);
    MPI_Pack_external(datarep: *const c_char, from: *const c_void, count: i32,
        datatype: Datatype, to: *mut c_void, size: i64, position: *mut i64);
    MPI_Unpack_external(datarep: *const c_char, from: *const c_void, size: i64,
        position: *mut i64, to: *mut c_void, count: i32, datatype: Datatype);
    MPI_Op_create(function: UserFunction, commute: i32, op: *mut Op);
    MPI_Op_create_c(function: UserFunctionC, commute: i32, op: *mut Op);
    MPI_Op_commutative(op: Op, commute: *mut i32);
    MPI_Op_free(op: *mut Op);
    MPI_Reduce_local(from: *const c_void, inout: *mut c_void, count: i32, datatype: Datatype,
        op: Op);
    MPI_Get_count(status: *const Status, datatype: Datatype, count: *mut i32);
    MPI_Get_elements(status: *const Status, datatype: Datatype, count: *mut i32);
    MPI_Status_set_elements(status: *mut Status, datatype: Datatype, count: i32);
    MPI_Status_set_elements_c(status: *mut Status, datatype: Datatype, count: i64);
    MPI_Status_set_cancelled(status: *mut Status, flag: i32);
    MPI_Test_cancelled(status: *const Status, flag: *mut i32);
    MPI_Type_toint(datatype: Datatype);
    MPI_Comm_toint(comm: Comm);
    MPI_Abi_get_info(info: *mut Info);
}

#[allow(non_snake_case)]
mod back {
    use super::*;
    mod raw {
        use super::*;
        extern "C" {
            pub fn MPI_Type_fromint(datatype: i32) -> Datatype;
            pub fn MPI_Group_fromint(group: i32) -> Group;
        }
    }
    pub fn MPI_Type_fromint(datatype: i32) -> Datatype {
        // SAFETY: any integer will do.
        unsafe { raw::MPI_Type_fromint(datatype) }
    }
    pub fn MPI_Group_fromint(group: i32) -> Group {
        // SAFETY: any integer will do.
        unsafe { raw::MPI_Group_fromint(group) }
    }
}

/// Joins the job of one, with errors returned. Every test starts with it.
fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let mut level = 0;
        let code = c::MPI_Init_thread(null_mut(), null_mut(), MPI_THREAD_MULTIPLE, &mut level);
        assert_eq!((code, level), (MPI_SUCCESS, MPI_THREAD_MULTIPLE));
        for comm in [MPI_COMM_WORLD, MPI_COMM_SELF] {
            assert_eq!(
                c::MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN),
                MPI_SUCCESS
            );
        }
    });
}

/// A call that has to succeed.
macro_rules! ok {
    ($name:ident($($arg:expr),* $(,)?)) => {
        assert_eq!(c::$name($($arg),*), MPI_SUCCESS, stringify!($name))
    };
}

fn place<T>(value: &mut T) -> *mut c_void {
    (value as *mut T).cast()
}

fn text(room: &[c_char]) -> &str {
    // SAFETY: the tests fill their rooms with zeros first.
    unsafe { CStr::from_ptr(room.as_ptr()) }.to_str().unwrap()
}

// Below the macros that they use.
mod attributes;
mod errors;
mod handles;
mod types;
