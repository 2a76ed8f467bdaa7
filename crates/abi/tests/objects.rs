//! MPI's local objects, called as C calls them, in a job of one process.
//!
//! Errors are returned, so that each test sees the class that a program would. What the user's
//! functions are told is written to places of the test that made them.

use std::ffi::{c_char, c_void, CStr, CString};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::Once;

use mpi_abi::args::*;
use mpi_abi::generated::constants::*;

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

#[test]
fn handles_that_name_nothing_become_the_class_of_their_kind() {
    start();
    let mut gone = Datatype(0);
    ok!(MPI_Type_contiguous(2, MPI_INT, &mut gone));
    let freed = gone;
    ok!(MPI_Type_free(&mut gone));
    assert_eq!(gone, MPI_DATATYPE_NULL);
    let mut info = Info(0);
    ok!(MPI_Info_create(&mut info));
    let (mut size, mut other) = (0, Datatype(0));
    for bad in [
        freed.0,
        0,
        1,
        0x100,
        0x200,
        0x204,
        0x2ff,
        info.0,
        usize::MAX,
        1 << 40,
    ] {
        let bad = Datatype(bad);
        assert_eq!(c::MPI_Type_size(bad, &mut size), MPI_ERR_TYPE);
        assert_eq!(c::MPI_Type_dup(bad, &mut other), MPI_ERR_TYPE);
        assert_eq!(c::MPI_Type_free(&mut { bad }), MPI_ERR_TYPE);
    }
    let mut length = 0;
    let info_as_comm = Comm(info.0);
    assert_eq!(c::MPI_Comm_size(info_as_comm, &mut size), MPI_ERR_COMM);
    assert_eq!(c::MPI_Comm_size(MPI_COMM_NULL, &mut size), MPI_ERR_COMM);
    assert_eq!(c::MPI_Group_rank(Group(freed.0), &mut size), MPI_ERR_GROUP);
    assert_eq!(c::MPI_Op_commutative(Op(info.0), &mut size), MPI_ERR_OP);
    assert_eq!(
        c::MPI_Info_get_nthkey(MPI_INFO_NULL, 0, null_mut()),
        MPI_ERR_INFO
    );
    assert_eq!(
        c::MPI_Errhandler_free(&mut Errhandler(freed.0)),
        MPI_ERR_ERRHANDLER
    );
    assert_eq!(c::MPI_Type_size(MPI_INT, null_mut()), MPI_ERR_ARG);
    assert_eq!(
        c::MPI_Type_get_name(MPI_INT, null_mut(), &mut length),
        MPI_ERR_ARG
    );
    ok!(MPI_Info_free(&mut info));
}

#[test]
fn predefined_objects_cannot_be_freed() {
    start();
    assert_eq!(c::MPI_Type_free(&mut { MPI_INT }), MPI_ERR_TYPE);
    assert_eq!(c::MPI_Op_free(&mut { MPI_SUM }), MPI_ERR_OP);
    assert_eq!(c::MPI_Info_free(&mut { MPI_INFO_ENV }), MPI_ERR_INFO);
    let (mut sized, mut again) = (Datatype(0), Datatype(0));
    ok!(MPI_Type_create_f90_real(15, 300, &mut sized));
    ok!(MPI_Type_create_f90_real(15, 300, &mut again));
    assert_eq!(sized, again);
    assert_eq!(c::MPI_Type_free(&mut again), MPI_ERR_TYPE);
    let (mut integers, mut combiner, mut none) = (0, 0, 9);
    ok!(MPI_Type_get_envelope(
        sized,
        &mut integers,
        &mut none,
        &mut none,
        &mut combiner
    ));
    assert_eq!((integers, none, combiner), (2, 0, MPI_COMBINER_F90_REAL));
    let mut digits = [0; 2];
    let at = digits.as_mut_ptr();
    ok!(MPI_Type_get_contents(
        sized,
        2,
        0,
        0,
        at,
        null_mut(),
        null_mut()
    ));
    assert_eq!(digits, [15, 300]);
    // Inside another datatype it is found again under its own handle.
    let (mut pair, mut inside) = (Datatype(0), Datatype(0));
    ok!(MPI_Type_contiguous(2, sized, &mut pair));
    ok!(MPI_Type_get_contents(
        pair,
        1,
        0,
        1,
        at,
        null_mut(),
        &mut inside
    ));
    assert_eq!(inside, sized);
    ok!(MPI_Type_free(&mut pair));
}

#[test]
fn a_datatype_tells_how_it_was_made() {
    start();
    let (mut small, mut large, mut scattered) = (Datatype(0), Datatype(0), Datatype(0));
    ok!(MPI_Type_contiguous(3, MPI_DOUBLE, &mut small));
    ok!(MPI_Type_contiguous_c(3, small, &mut large));
    let lengths: [i64; 2] = [1, 2];
    let places: [i64; 2] = [8, 40];
    let (at_lengths, at_places) = (lengths.as_ptr(), places.as_ptr());
    ok!(MPI_Type_create_hindexed_c(
        2,
        at_lengths,
        at_places,
        MPI_INT,
        &mut scattered
    ));
    let mut told = [-1; 4];
    let [a, b, d, combiner] = &mut told;
    ok!(MPI_Type_get_envelope(small, a, b, d, combiner));
    assert_eq!(told, [1, 0, 1, MPI_COMBINER_CONTIGUOUS]);
    let (mut wide, mut combiner) = ([-1; 4], 0);
    let [a, b, n, d] = &mut wide;
    ok!(MPI_Type_get_envelope_c(large, a, b, n, d, &mut combiner));
    assert_eq!((wide, combiner), ([0, 0, 1, 1], MPI_COMBINER_CONTIGUOUS));
    let [a, b, _, d] = &mut told;
    assert_eq!(
        c::MPI_Type_get_envelope(large, a, b, d, &mut combiner),
        MPI_ERR_TYPE
    );
    for datatype in [&mut small, &mut large, &mut scattered] {
        ok!(MPI_Type_free(datatype));
    }
}

#[test]
fn contents_are_handles_of_their_own() {
    start();
    let (mut small, mut large, mut scattered) = (Datatype(0), Datatype(0), Datatype(0));
    ok!(MPI_Type_contiguous(3, MPI_DOUBLE, &mut small));
    ok!(MPI_Type_contiguous_c(3, small, &mut large));
    let (lengths, places): ([i64; 2], [i64; 2]) = ([1, 2], [8, 40]);
    let (at_lengths, at_places) = (lengths.as_ptr(), places.as_ptr());
    ok!(MPI_Type_create_hindexed_c(
        2,
        at_lengths,
        at_places,
        MPI_INT,
        &mut scattered
    ));
    let (mut count, mut inside, mut name) = (0, Datatype(0), [0 as c_char; 128]);
    let no_integers = null_mut::<i32>();
    ok!(MPI_Type_get_contents_c(
        large,
        0,
        0,
        1,
        1,
        no_integers,
        null_mut(),
        &mut count,
        &mut inside
    ));
    assert_eq!(count, 3);
    assert!(inside != small && inside.0 > 0xFFF);
    let (mut size, mut length) = (0, 0);
    ok!(MPI_Type_size(inside, &mut size));
    assert_eq!(size, 24);
    ok!(MPI_Type_free(&mut inside));
    ok!(MPI_Type_size(small, &mut size));
    let (mut counts, mut base) = ([0; 5], Datatype(0));
    ok!(MPI_Type_get_contents_c(
        scattered,
        0,
        0,
        5,
        1,
        no_integers,
        null_mut(),
        counts.as_mut_ptr(),
        &mut base
    ));
    assert_eq!((counts, base), ([2, 1, 2, 8, 40], MPI_INT));
    assert_eq!(
        c::MPI_Type_get_contents(MPI_INT, 9, 9, 9, no_integers, null_mut(), null_mut()),
        MPI_ERR_TYPE
    );
    ok!(MPI_Type_get_name(MPI_INT, name.as_mut_ptr(), &mut length));
    assert_eq!((text(&name), length), ("MPI_INT", 7));
    for datatype in [&mut small, &mut large, &mut scattered] {
        ok!(MPI_Type_free(datatype));
    }
}

#[test]
fn sizes_and_kinds_find_predefined_datatypes() {
    start();
    let mut found = Datatype(0);
    ok!(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, &mut found));
    assert_eq!(found, MPI_INTEGER8);
    assert_eq!(
        c::MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &mut found),
        MPI_ERR_ARG
    );
    assert_eq!(c::MPI_Type_match_size(7, 4, &mut found), MPI_ERR_ARG);
    ok!(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &mut found));
    assert_eq!(found, MPI_DOUBLE_INT);
    ok!(MPI_Type_get_value_index(MPI_INT, MPI_DOUBLE, &mut found));
    assert_eq!(found, MPI_DATATYPE_NULL);
    let (mut huge, mut size, mut bytes) = (Datatype(0), 0, 0);
    ok!(MPI_Type_contiguous_c(1 << 40, MPI_INT, &mut huge));
    ok!(MPI_Type_size(huge, &mut size));
    ok!(MPI_Type_size_c(huge, &mut bytes));
    assert_eq!((size, bytes), (MPI_UNDEFINED, 1 << 42));
    ok!(MPI_Type_free(&mut huge));
    assert_eq!(
        c::MPI_Type_contiguous(-1, MPI_INT, &mut huge),
        MPI_ERR_COUNT
    );
    assert_eq!(
        c::MPI_Type_contiguous_c(i64::MAX, MPI_INT, &mut huge),
        MPI_ERR_VALUE_TOO_LARGE
    );
}

#[test]
fn packed_columns_come_back() {
    start();
    let (mut column, mut size, mut position) = (Datatype(0), 0, 0);
    ok!(MPI_Type_vector(3, 1, 2, MPI_INT, &mut column));
    let (matrix, mut back, mut packed) = ([1, 2, 3, 4, 5, 6], [0; 6], [0u8; 16]);
    let from = matrix.as_ptr().cast::<c_void>();
    let to = packed.as_mut_ptr().cast::<c_void>();
    let comm = MPI_COMM_SELF;
    assert_eq!(
        c::MPI_Pack(from, 1, column, to, 16, &mut position, comm),
        MPI_ERR_TYPE
    );
    ok!(MPI_Type_commit(&mut column));
    ok!(MPI_Pack_size(1, column, comm, &mut size));
    assert_eq!(size, 12);
    position = 4;
    ok!(MPI_Pack(from, 1, column, to, 16, &mut position, comm));
    assert_eq!(position, 16);
    assert_eq!(packed[4..], [1, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0]);
    assert_eq!(
        c::MPI_Pack(from, 1, column, to, 16, &mut position, comm),
        MPI_ERR_TRUNCATE
    );
    position = 4;
    let to_back = back.as_mut_ptr().cast::<c_void>();
    ok!(MPI_Unpack(to, 16, &mut position, to_back, 1, column, comm));
    assert_eq!((back, position), ([1, 0, 3, 0, 5, 0], 16));
    for bad in [-1, 17] {
        position = bad;
        let code = c::MPI_Unpack(to, 16, &mut position, to_back, 1, column, comm);
        assert_eq!(code, MPI_ERR_ARG);
    }
    position = 0;
    assert_eq!(
        c::MPI_Pack(null(), 1, MPI_INT, to, 16, &mut position, comm),
        MPI_ERR_BUFFER
    );
    assert_eq!(
        c::MPI_Pack(from, -1, MPI_INT, to, 16, &mut position, comm),
        MPI_ERR_COUNT
    );
    ok!(MPI_Type_free(&mut column));
}

#[test]
fn external32_is_big_endian() {
    start();
    let (value, mut back, mut packed, mut position) = (0x0102_0304, 0, [0u8; 4], 0);
    let (value_at, name) = (&value as *const i32, CString::new("external32").unwrap());
    let to = packed.as_mut_ptr().cast::<c_void>();
    let (rep, from) = (name.as_ptr(), value_at.cast::<c_void>());
    ok!(MPI_Pack_external(
        rep,
        from,
        1,
        MPI_INT,
        to,
        4,
        &mut position
    ));
    assert_eq!((packed, position), ([1, 2, 3, 4], 4));
    let code = c::MPI_Pack_external(rep, from, 1, MPI_INT, to, 4, &mut position);
    assert_eq!(code, MPI_ERR_TRUNCATE);
    position = 0;
    ok!(MPI_Unpack_external(
        rep,
        to,
        4,
        &mut position,
        place(&mut back),
        1,
        MPI_INT
    ));
    assert_eq!(back, value);
    let native = CString::new("native").unwrap();
    let code = c::MPI_Pack_external(native.as_ptr(), from, 1, MPI_INT, to, 4, &mut position);
    assert_eq!(code, MPI_ERR_ARG);
}

#[test]
fn a_status_counts_elements() {
    start();
    let (lengths, places) = ([1, 1], [0, 8]);
    let (types, mut pair) = ([MPI_DOUBLE, MPI_INT], Datatype(0));
    let (at_lengths, at_places) = (lengths.as_ptr(), places.as_ptr());
    ok!(MPI_Type_create_struct(
        2,
        at_lengths,
        at_places,
        types.as_ptr(),
        &mut pair
    ));
    let mut status = Status {
        source: 3,
        tag: 4,
        error: 5,
        internal: [0; 5],
    };
    let (mut count, mut elements, mut flag) = (0, 0, 9);
    for (set, whole) in [(4, 2), (3, MPI_UNDEFINED), (0, 0)] {
        ok!(MPI_Status_set_elements(&mut status, pair, set));
        ok!(MPI_Get_count(&status, pair, &mut count));
        ok!(MPI_Get_elements(&status, pair, &mut elements));
        assert_eq!((count, elements), (whole, set));
    }
    ok!(MPI_Status_set_elements_c(&mut status, MPI_BYTE, 1 << 33));
    ok!(MPI_Get_count(&status, MPI_BYTE, &mut count));
    assert_eq!(count, MPI_UNDEFINED);
    ok!(MPI_Get_count(&status, MPI_DOUBLE, &mut count));
    assert_eq!(count, 1 << 30);
    ok!(MPI_Test_cancelled(&status, &mut flag));
    assert_eq!(flag, 0);
    ok!(MPI_Status_set_cancelled(&mut status, 1));
    ok!(MPI_Test_cancelled(&status, &mut flag));
    assert_eq!(
        (flag, status.source, status.tag, status.error),
        (1, 3, 4, 5)
    );
    assert_eq!(
        c::MPI_Status_set_elements(&mut status, pair, -1),
        MPI_ERR_COUNT
    );
    assert_eq!(c::MPI_Get_count(null(), pair, &mut count), MPI_ERR_ARG);
    ok!(MPI_Type_free(&mut pair));
}

unsafe extern "C" fn subtract(
    from: *mut c_void,
    inout: *mut c_void,
    length: *mut i32,
    datatype: *mut Datatype,
) {
    // SAFETY: the library gives `length` elements, as MPI says.
    unsafe {
        assert_eq!(*datatype, MPI_INT);
        let (from, inout) = (from.cast::<i32>(), inout.cast::<i32>());
        for at in 0..*length as usize {
            *inout.add(at) = *from.add(at) - *inout.add(at);
        }
    }
}

/// The size of the datatype that the function below was called with.
static SIZE_SEEN: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" fn look(
    _from: *mut c_void,
    inout: *mut c_void,
    length: *mut i64,
    datatype: *mut Datatype,
) {
    let mut size = 0;
    // SAFETY: the library gives `length` elements of the datatype, whose handle is good.
    unsafe {
        ok!(MPI_Type_size(*datatype, &mut size));
        *inout.cast::<i32>() = *length as i32;
    }
    SIZE_SEEN.store(size, Ordering::Relaxed);
}

#[test]
fn user_operations_run_on_the_users_elements() {
    start();
    let (mut minus, mut seeing, mut commutes) = (Op(0), Op(0), 9);
    ok!(MPI_Op_create(Some(subtract), 0, &mut minus));
    ok!(MPI_Op_create_c(Some(look), 1, &mut seeing));
    ok!(MPI_Op_commutative(minus, &mut commutes));
    assert_eq!(commutes, 0);
    let (one, mut two) = ([10, 20, 30], [1, 2, 3]);
    let (from, to) = (
        one.as_ptr().cast::<c_void>(),
        two.as_mut_ptr().cast::<c_void>(),
    );
    ok!(MPI_Reduce_local(from, to, 3, MPI_INT, minus));
    assert_eq!(two, [9, 18, 27]);
    // The buffers of a datatype that begins before its address are those that the user passed.
    let (mut shifted, length, at) = (Datatype(0), 1i64, 4i64);
    ok!(MPI_Type_create_hindexed_c(
        1,
        &length,
        &at,
        MPI_INT,
        &mut shifted
    ));
    ok!(MPI_Type_commit(&mut shifted));
    ok!(MPI_Reduce_local(from, to, 1, shifted, seeing));
    assert_eq!((two, SIZE_SEEN.load(Ordering::Relaxed)), ([1, 18, 27], 4));
    ok!(MPI_Reduce_local(from, to, 3, MPI_INT, MPI_SUM));
    assert_eq!(two, [11, 38, 57]);
    assert_eq!(
        c::MPI_Reduce_local(from, to, 3, shifted, MPI_SUM),
        MPI_ERR_OP
    );
    assert_eq!(
        c::MPI_Reduce_local(from, to, 3, MPI_FLOAT, MPI_BAND),
        MPI_ERR_OP
    );
    assert_eq!(
        c::MPI_Reduce_local(from, to, 3, MPI_INT, MPI_REPLACE),
        MPI_ERR_OP
    );
    assert_eq!(
        c::MPI_Reduce_local(from, to, 3, MPI_INT, MPI_OP_NULL),
        MPI_ERR_OP
    );
    for op in [&mut minus, &mut seeing] {
        let freed = *op;
        ok!(MPI_Op_free(op));
        assert_eq!(*op, MPI_OP_NULL);
        assert_eq!(c::MPI_Reduce_local(from, to, 3, MPI_INT, freed), MPI_ERR_OP);
    }
    ok!(MPI_Type_free(&mut shifted));
}

/// Values that the copy and delete functions below were called with, added up.
static DELETED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn copy(
    comm: Comm,
    _keyval: i32,
    extra: *mut c_void,
    value: *mut c_void,
    out: *mut c_void,
    flag: *mut i32,
) -> i32 {
    let mut size = 0;
    // MPI may be called from here.
    ok!(MPI_Comm_size(comm, &mut size));
    // SAFETY: the library gives places for a pointer and an integer.
    unsafe {
        out.cast::<usize>().write(value as usize + extra as usize);
        flag.write(1);
    }
    if value as usize == 13 {
        return 4711;
    }
    MPI_SUCCESS
}

unsafe extern "C" fn delete(
    _comm: Comm,
    _keyval: i32,
    value: *mut c_void,
    _extra: *mut c_void,
) -> i32 {
    if value as usize == 99 {
        return MPI_ERR_OTHER;
    }
    DELETED.fetch_add(value as usize, Ordering::Relaxed);
    MPI_SUCCESS
}

#[test]
fn attributes_follow_their_functions() {
    start();
    let (mut keyval, mut flag, mut value, mut comm) = (0, 9, 0usize, Comm(0));
    let extra = 1000 as *mut c_void;
    ok!(MPI_Comm_create_keyval(
        Some(copy),
        Some(delete),
        &mut keyval,
        extra
    ));
    ok!(MPI_Comm_dup(MPI_COMM_SELF, &mut comm));
    ok!(MPI_Comm_get_attr(
        comm,
        keyval,
        place(&mut value),
        &mut flag
    ));
    assert_eq!(flag, 0);
    let set = |value: usize| c::MPI_Comm_set_attr(comm, keyval, value as *mut c_void);
    assert_eq!(set(5), MPI_SUCCESS);
    assert_eq!(set(7), MPI_SUCCESS);
    assert_eq!(DELETED.load(Ordering::Relaxed), 5);
    let mut again = Comm(0);
    ok!(MPI_Comm_dup(comm, &mut again));
    ok!(MPI_Comm_get_attr(
        again,
        keyval,
        place(&mut value),
        &mut flag
    ));
    assert_eq!((value, flag), (1007, 1));
    let freed = keyval;
    ok!(MPI_Comm_free_keyval(&mut keyval));
    assert_eq!(keyval, MPI_KEYVAL_INVALID);
    ok!(MPI_Comm_free(&mut again));
    assert_eq!(DELETED.load(Ordering::Relaxed), 5 + 1007);
    let set = |value: usize| c::MPI_Comm_set_attr(comm, freed, value as *mut c_void);
    assert_eq!(set(13), MPI_SUCCESS);
    assert_eq!(c::MPI_Comm_dup(comm, &mut again), 4711);
    assert_eq!(set(99), MPI_SUCCESS);
    assert_eq!(c::MPI_Comm_delete_attr(comm, freed), MPI_ERR_OTHER);
    ok!(MPI_Comm_get_attr(comm, freed, place(&mut value), &mut flag));
    assert_eq!((value, flag), (99, 1));
    for bad in [MPI_KEYVAL_INVALID, -1, i32::MAX] {
        let code = c::MPI_Comm_get_attr(comm, bad, place(&mut value), &mut flag);
        assert_eq!(code, MPI_ERR_KEYVAL);
    }
}

#[test]
fn predefined_attributes_are_addresses_of_integers() {
    start();
    let (mut value, mut flag) = (null::<i32>(), 0);
    for (keyval, expected) in [(MPI_TAG_UB, i32::MAX), (MPI_HOST, MPI_PROC_NULL)] {
        ok!(MPI_Comm_get_attr(
            MPI_COMM_WORLD,
            keyval,
            place(&mut value),
            &mut flag
        ));
        // SAFETY: MPI says that the value is the address of an integer.
        assert_eq!((unsafe { *value }, flag), (expected, 1));
    }
    let code = c::MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, null_mut());
    assert_eq!(code, MPI_ERR_KEYVAL);
}

#[test]
fn datatypes_have_attributes_of_their_own() {
    start();
    let (mut keyval, mut flag, mut value, mut copy) = (0, 0, 0usize, Datatype(0));
    // SAFETY: 1 is MPI_TYPE_DUP_FN, which the library never calls.
    let same = unsafe { std::mem::transmute::<usize, TypeCopyAttrFunction>(MPI_TYPE_DUP_FN) };
    ok!(MPI_Type_create_keyval(same, None, &mut keyval, null_mut()));
    ok!(MPI_Type_set_attr(MPI_SHORT, keyval, 42 as *mut c_void));
    ok!(MPI_Type_dup(MPI_SHORT, &mut copy));
    ok!(MPI_Type_get_attr(
        copy,
        keyval,
        place(&mut value),
        &mut flag
    ));
    assert_eq!((value, flag), (42, 1));
    ok!(MPI_Type_get_attr(
        MPI_INT,
        keyval,
        place(&mut value),
        &mut flag
    ));
    assert_eq!(flag, 0);
    let code = c::MPI_Comm_set_attr(MPI_COMM_SELF, keyval, null_mut());
    assert_eq!(code, MPI_ERR_KEYVAL);
    ok!(MPI_Type_free(&mut copy));
}

/// What the error handler below was called with.
static HANDLED: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

extern "C" fn handle(comm: *mut Comm, code: *mut i32) {
    // SAFETY: the library gives the places of a handle and an integer.
    let (comm, code) = unsafe { (*comm, *code) };
    HANDLED[0].store(comm.0, Ordering::Relaxed);
    HANDLED[1].store(code as usize, Ordering::Relaxed);
    let mut size = 0;
    // MPI may be called from here.
    ok!(MPI_Comm_size(comm, &mut size));
}

#[test]
fn error_handlers_hear_of_errors_on_their_object() {
    start();
    // SAFETY: a function that ignores the variadic rest may be called with it on this machine.
    let function = unsafe {
        std::mem::transmute::<extern "C" fn(*mut Comm, *mut i32), CommErrhandlerFunction>(handle)
    };
    let (mut made, mut got, mut comm) = (Errhandler(0), Errhandler(0), Comm(0));
    ok!(MPI_Comm_create_errhandler(function, &mut made));
    ok!(MPI_Comm_dup(MPI_COMM_SELF, &mut comm));
    ok!(MPI_Comm_get_errhandler(comm, &mut got));
    assert_eq!(got, MPI_ERRORS_RETURN);
    ok!(MPI_Errhandler_free(&mut got));
    ok!(MPI_Comm_set_errhandler(comm, made));
    ok!(MPI_Comm_get_errhandler(comm, &mut got));
    assert_eq!(got, made);
    ok!(MPI_Errhandler_free(&mut got));
    let kept = made;
    ok!(MPI_Errhandler_free(&mut made));
    assert_eq!(c::MPI_Errhandler_free(&mut { kept }), MPI_ERR_ERRHANDLER);
    let (mut value, mut flag) = (0usize, 0);
    let code = c::MPI_Comm_get_attr(comm, -1, place(&mut value), &mut flag);
    assert_eq!(code, MPI_ERR_KEYVAL);
    let heard = || {
        HANDLED
            .each_ref()
            .map(|place| place.load(Ordering::Relaxed))
    };
    assert_eq!(heard(), [comm.0, MPI_ERR_KEYVAL as usize]);
    ok!(MPI_Comm_call_errhandler(comm, 77));
    assert_eq!(heard(), [comm.0, 77]);
    // SAFETY: as above; the function is never called as a handler of windows.
    let function = unsafe {
        std::mem::transmute::<extern "C" fn(*mut Comm, *mut i32), WinErrhandlerFunction>(handle)
    };
    ok!(MPI_Win_create_errhandler(function, &mut made));
    assert_eq!(
        c::MPI_Comm_set_errhandler(MPI_COMM_SELF, made),
        MPI_ERR_ERRHANDLER
    );
    ok!(MPI_Errhandler_free(&mut made));
    ok!(MPI_File_get_errhandler(MPI_FILE_NULL, &mut got));
    assert_eq!(got, MPI_ERRORS_RETURN);
    ok!(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    ok!(MPI_Comm_free(&mut comm));
}

#[test]
fn added_errors_are_told_like_others() {
    start();
    let (mut class, mut code, mut found, mut length) = (0, 0, 0, 0);
    let mut room = [0 as c_char; MPI_MAX_ERROR_STRING as usize];
    ok!(MPI_Add_error_class(&mut class));
    ok!(MPI_Add_error_code(class, &mut code));
    assert!(class > MPI_ERR_LASTCODE && code > class);
    let sentence = CString::new("the kettle is empty").unwrap();
    ok!(MPI_Add_error_string(code, sentence.as_ptr()));
    ok!(MPI_Error_class(code, &mut found));
    assert_eq!(found, class);
    ok!(MPI_Error_string(code, room.as_mut_ptr(), &mut length));
    assert_eq!((text(&room), length), ("the kettle is empty", 19));
    let (mut last, mut flag) = (null::<i32>(), 0);
    ok!(MPI_Comm_get_attr(
        MPI_COMM_WORLD,
        MPI_LASTUSEDCODE,
        place(&mut last),
        &mut flag
    ));
    // SAFETY: MPI says that the value is the address of an integer.
    assert_eq!(unsafe { *last }, code);
    assert_eq!(c::MPI_Remove_error_class(class), MPI_ERR_ARG);
    assert_eq!(c::MPI_Remove_error_code(code), MPI_ERR_ARG);
    ok!(MPI_Remove_error_string(code));
    ok!(MPI_Remove_error_code(code));
    ok!(MPI_Remove_error_class(class));
    assert_eq!(c::MPI_Error_class(code, &mut found), MPI_ERR_ARG);
    ok!(MPI_Error_class(MPI_T_ERR_INVALID, &mut found));
    assert_eq!(found, MPI_T_ERR_INVALID);
}

#[test]
fn groups_and_infos_pass_through_c() {
    start();
    let (mut all, mut one, mut rank) = (Group(0), Group(0), 9);
    ok!(MPI_Comm_group(MPI_COMM_SELF, &mut all));
    ok!(MPI_Group_rank(all, &mut rank));
    assert_eq!(rank, 0);
    let (ranks, mut out) = ([0, MPI_PROC_NULL], [9, 9]);
    ok!(MPI_Group_incl(all, 1, ranks.as_ptr(), &mut one));
    ok!(MPI_Group_translate_ranks(
        one,
        2,
        ranks.as_ptr(),
        all,
        out.as_mut_ptr()
    ));
    assert_eq!(out, ranks);
    let empty = MPI_GROUP_EMPTY;
    ok!(MPI_Group_translate_ranks(
        one,
        1,
        ranks.as_ptr(),
        empty,
        out.as_mut_ptr()
    ));
    assert_eq!(out[0], MPI_UNDEFINED);
    assert_eq!(c::MPI_Group_incl(all, -1, null(), &mut one), MPI_ERR_ARG);
    assert_eq!(
        c::MPI_Group_incl(all, 1, [1].as_ptr(), &mut one),
        MPI_ERR_RANK
    );
    ok!(MPI_Group_free(&mut all));
    ok!(MPI_Group_free(&mut { MPI_GROUP_EMPTY }));

    let (mut info, mut flag, mut length) = (Info(0), 0, 4);
    let mut value = [0x55 as c_char; 8];
    let (key, ten) = (
        CString::new("key").unwrap(),
        CString::new("0123456789").unwrap(),
    );
    ok!(MPI_Info_create(&mut info));
    ok!(MPI_Info_set(info, key.as_ptr(), ten.as_ptr()));
    let at = value.as_mut_ptr();
    ok!(MPI_Info_get_string(
        info,
        key.as_ptr(),
        &mut length,
        at,
        &mut flag
    ));
    assert_eq!((text(&value), length, flag), ("012", 11, 1));
    ok!(MPI_Info_get_string(
        info,
        ten.as_ptr(),
        &mut length,
        at,
        &mut flag
    ));
    assert_eq!((length, flag), (11, 0));
    assert_eq!(
        c::MPI_Info_set(MPI_INFO_ENV, key.as_ptr(), ten.as_ptr()),
        MPI_ERR_INFO
    );
    ok!(MPI_Info_free(&mut info));
    ok!(MPI_Abi_get_info(&mut info));
    let mut name = [0 as c_char; 256];
    ok!(MPI_Info_get_nthkey(info, 0, name.as_mut_ptr()));
    assert_eq!(text(&name), "mpi_aint_size");
    ok!(MPI_Info_free(&mut info));
}

#[test]
fn integers_name_the_same_objects() {
    start();
    let (mut datatype, mut lb, mut extent) = (Datatype(0), 0, 0);
    ok!(MPI_Type_vector(2, 1, 3, MPI_INT, &mut datatype));
    let int = c::MPI_Type_toint(datatype);
    assert!(int >= 0x1000);
    assert_eq!(back::MPI_Type_fromint(int), datatype);
    ok!(MPI_Type_get_extent(
        back::MPI_Type_fromint(int),
        &mut lb,
        &mut extent
    ));
    assert_eq!((lb, extent), (0, 16));
    let mut gone = datatype;
    ok!(MPI_Type_free(&mut gone));
    assert_eq!(c::MPI_Type_toint(datatype), 0);
    assert_eq!(c::MPI_Type_toint(MPI_INT), MPI_INT.0 as i32);
    assert_eq!(back::MPI_Type_fromint(0x209), MPI_INT);
    assert_eq!(c::MPI_Comm_toint(MPI_COMM_WORLD), 0x101);
    assert_eq!(c::MPI_Group_toint(MPI_GROUP_NULL), 0x108);
    assert_eq!(back::MPI_Group_fromint(0x109), MPI_GROUP_EMPTY);
}

#[test]
fn classes_and_limits_are_those_of_the_abi() {
    let known: Vec<_> = mpi::Class::ALL
        .iter()
        .map(|class| (class.name(), class.code()))
        .collect();
    assert_eq!(known, ERROR_CLASSES);
    assert_eq!(mpi::Info::KEY_BYTES_MAX, MPI_MAX_INFO_KEY as usize);
    assert_eq!(mpi::Info::VALUE_BYTES_MAX, MPI_MAX_INFO_VAL as usize);
    let longest = mpi::Class::ALL.iter().map(|class| class.text().len()).max();
    assert!(longest.unwrap() < MPI_MAX_ERROR_STRING as usize);
}
