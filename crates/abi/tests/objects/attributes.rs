//! Tests of attributes, and of their copy and delete functions.

use super::*;

/// Sum of the values that [`delete`] was called with.
static DELETED: AtomicUsize = AtomicUsize::new(0);

/// Copies a value plus the extra state; fails with 4711 for the value 13.
unsafe extern "C" fn copy(
    comm: Comm,
    _keyval: i32,
    extra: *mut c_void,
    value: *mut c_void,
    out: *mut c_void,
    flag: *mut i32,
) -> i32 {
    let mut size = 0;
    // The standard lets copy functions call MPI.
    ok!(MPI_Comm_size(comm, &mut size));
    // SAFETY: the library passes addresses of a pointer and of an integer.
    unsafe {
        out.cast::<usize>().write(value as usize + extra as usize);
        flag.write(1);
    }
    if value as usize == 13 {
        return 4711;
    }
    MPI_SUCCESS
}

/// Adds a value to [`DELETED`]; refuses to delete 99.
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
        // SAFETY: the value of these attributes is the address of an integer (MPI 5.0, 9.1.2).
        assert_eq!((unsafe { *value }, flag), (expected, 1));
    }
    let code = c::MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, null_mut());
    assert_eq!(code, MPI_ERR_KEYVAL);
}

#[test]
fn datatypes_have_attributes_of_their_own() {
    start();
    let (mut keyval, mut flag, mut value, mut copy) = (0, 0, 0usize, Datatype(0));
    // SAFETY: MPI_TYPE_DUP_FN stands for a function; the library compares it and never calls it.
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
