//! Tests of handles of every kind: valid, invalid, predefined, and as integers.

use super::*;

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
    let is_standard = |(name, _): &(&str, i32)| name.starts_with("MPI_");
    let (standard, further): (Vec<_>, Vec<_>) = known.into_iter().partition(is_standard);
    assert_eq!(standard, ERROR_CLASSES);
    let tolerance = [
        ("MPIX_ERR_PROC_FAILED", 101),
        ("MPIX_ERR_PROC_FAILED_PENDING", 102),
        ("MPIX_ERR_REVOKED", 103),
    ];
    assert_eq!(further, tolerance);
    assert_eq!(mpi::Info::KEY_BYTES_MAX, MPI_MAX_INFO_KEY as usize);
    assert_eq!(mpi::Info::VALUE_BYTES_MAX, MPI_MAX_INFO_VAL as usize);
    let longest = mpi::Class::ALL.iter().map(|class| class.text().len()).max();
    assert!(longest.unwrap() < MPI_MAX_ERROR_STRING as usize);
}
