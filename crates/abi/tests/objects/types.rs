//! Tests of datatypes, packing, statuses and user-defined operations.

use super::*;

#[test]
fn a_datatype_reports_how_it_was_made() {
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
    let mut envelope = [-1; 4];
    let [a, b, d, combiner] = &mut envelope;
    ok!(MPI_Type_get_envelope(small, a, b, d, combiner));
    assert_eq!(envelope, [1, 0, 1, MPI_COMBINER_CONTIGUOUS]);
    let (mut wide, mut combiner) = ([-1; 4], 0);
    let [a, b, n, d] = &mut wide;
    ok!(MPI_Type_get_envelope_c(large, a, b, n, d, &mut combiner));
    assert_eq!((wide, combiner), ([0, 0, 1, 1], MPI_COMBINER_CONTIGUOUS));
    let [a, b, _, d] = &mut envelope;
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
    ok!(MPI_Pack_size(2, huge, MPI_COMM_SELF, &mut size));
    ok!(MPI_Pack_size_c(2, huge, MPI_COMM_SELF, &mut bytes));
    assert_eq!((size, bytes), (MPI_UNDEFINED, 1 << 43));
    ok!(MPI_Pack_size_c(1 << 22, huge, MPI_COMM_SELF, &mut bytes));
    assert_eq!(bytes, i64::from(MPI_UNDEFINED));
    let external = c"external32".as_ptr();
    ok!(MPI_Pack_external_size_c(external, 2, huge, &mut bytes));
    assert_eq!(bytes, 1 << 43);
    ok!(MPI_Pack_external_size_c(
        external,
        1 << 22,
        huge,
        &mut bytes
    ));
    assert_eq!(bytes, i64::from(MPI_UNDEFINED));
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
