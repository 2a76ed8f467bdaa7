//! Routines that MPI 3.0 removed, for programs in Fortran that were never changed since: C has
//! their successors. Their addresses and extents are default integers.

use std::ffi::c_void;

use edge::export;
use edge::fortran::attribute::{create, get, set};
use edge::fortran::{triples, upper_bound, NarrowOut, Widened};
use edge::generated::constants::MPI_MAX_OBJECT_NAME;
use edge::rows::*;

use crate::Fortran as A;

type P = *mut c_void;
type N = *const i32;
type R = *mut i32;

export!([MPI_Get_address(mpi_address_) PMPI_Get_address(pmpi_address_)] (
    location: P, address: R, ierror: R
) ierror on {} {
    call(buffer_in::<A, _>(location), NarrowOut::new(address).c())
});
export!([MPI_Type_get_extent(mpi_type_extent_) PMPI_Type_get_extent(pmpi_type_extent_)] (
    of: N, extent: R, ierror: R
) ierror on {} {
    call(handle_in::<A, _>(read(of)), &mut 0, NarrowOut::new(extent).c())
});
export!([MPI_Type_get_extent(mpi_type_lb_) PMPI_Type_get_extent(pmpi_type_lb_)] (
    of: N, lb: R, ierror: R
) ierror on {} {
    call(handle_in::<A, _>(read(of)), NarrowOut::new(lb).c(), &mut 0)
});
export!([MPI_Type_get_extent(mpi_type_ub_) PMPI_Type_get_extent(pmpi_type_ub_)] (
    of: N, ub: R, ierror: R
) ierror on {} {
    upper_bound(ub, |lb, extent| call(handle_in::<A, _>(read(of)), lb, extent))
});
export!([MPI_Type_create_hvector(mpi_type_hvector_) PMPI_Type_create_hvector(pmpi_type_hvector_)] (
    count: N, length: N, stride: N, of: N, made: R, ierror: R
) ierror on {} {
    let (of, mut made) = (handle_in::<A, _>(read(of)), HandleOut::<A, _>::new(made));
    call(read(count), read(length), i64::from(read(stride)), of, made.c())
});
export!([MPI_Type_create_hindexed(mpi_type_hindexed_)
    PMPI_Type_create_hindexed(pmpi_type_hindexed_)] (
    count: N, lengths: N, displs: N, of: N, made: R, ierror: R
) ierror on {} {
    let displs = Widened::new(displs, len(read(count)));
    let (of, mut made) = (handle_in::<A, _>(read(of)), HandleOut::<A, _>::new(made));
    call(read(count), lengths, displs.c(), of, made.c())
});
export!([MPI_Type_create_struct(mpi_type_struct_) PMPI_Type_create_struct(pmpi_type_struct_)] (
    count: N, lengths: N, displs: N, types: N, made: R, ierror: R
) ierror on {} {
    let parts = Parts::new(triples([lengths, displs, types], len(read(count))));
    // A negative count is refused by C.
    let left = read(count).min(parts.types.len() as i32);
    let types = Handles::<A, Datatype>::new(parts.types.as_ptr(), parts.types.len());
    let (lengths, displs) = (parts.lengths.as_ptr(), parts.displacements.as_ptr());
    let mut made = HandleOut::<A, Datatype>::new(made);
    match call(left, lengths, displs, types.c(), made.c()) {
        0 => bounded(&mut *made.c(), &parts),
        code => code,
    }
});
export!([MPI_Type_get_name(mpi_type_get_name_ mpi_type_get_name_f08_)
    PMPI_Type_get_name(pmpi_type_get_name_ pmpi_type_get_name_f08_)] (
    of: N, name: *mut u8, resultlen: R, ierror: R, length: usize
) ierror on {} {
    let mut text = CharacterOut::new(name, length, MPI_MAX_OBJECT_NAME as usize);
    if let Some(name) = mark(read(of)) {
        text.set(name);
        Out::new(resultlen).set(name.len() as i32);
        return 0;
    }
    call(handle_in::<A, _>(read(of)), text.c(), resultlen)
});
export!([MPI_Comm_get_errhandler(mpi_errhandler_get_)
    PMPI_Comm_get_errhandler(pmpi_errhandler_get_)] (
    comm: N, made: R, ierror: R
) ierror on { handle_in::<A, Comm>(read(comm)) } {
    call(handle_in::<A, _>(read(comm)), HandleOut::<A, _>::new(made).c())
});
export!([MPI_Comm_set_errhandler(mpi_errhandler_set_)
    PMPI_Comm_set_errhandler(pmpi_errhandler_set_)] (
    comm: N, errhandler: N, ierror: R
) ierror on { handle_in::<A, Comm>(read(comm)) } {
    call(handle_in::<A, _>(read(comm)), handle_in::<A, _>(read(errhandler)))
});
export!([COMM(mpi_keyval_create_) PCOMM(pmpi_keyval_create_)] (
    copy: P, delete: P, key: R, state: N, ierror: R
) ierror on {} {
    create::<A, _, i32>(call, [copy, delete], key, read(state))
});
export!([COMM(mpi_attr_get_) PCOMM(pmpi_attr_get_)] (
    comm: N, key: N, value: R, flag: R, ierror: R
) ierror on { handle_in::<A, Comm>(read(comm)) } {
    get::<A, _, i32>(call, handle_in::<A, _>(read(comm)), read(key), value, flag)
});
export!([COMM(mpi_attr_put_) PCOMM(pmpi_attr_put_)] (
    comm: N, key: N, value: N, ierror: R
) ierror on { handle_in::<A, Comm>(read(comm)) } {
    set::<A, _>(call, handle_in::<A, _>(read(comm)), read(key), read(value))
});

/// `MPI_LB` and `MPI_UB`, which `mpif.h` has for these routines: in a structure, the displacement
/// of one is a bound of it. `PMPI_Type_fromint` gives nothing for these numbers, so that other
/// routines refuse them.
const MARKS: [(i32, &str); 2] = [(-201, "MPI_LB"), (-202, "MPI_UB")];

/// Returns the name of a mark, or none for any other number.
fn mark(number: i32) -> Option<&'static str> {
    let mut marks = MARKS.iter();
    marks
        .find(|(mark, _)| *mark == number)
        .map(|(_, name)| *name)
}

/// The lists of `MPI_Type_create_struct` without marks, and the bounds that the marks give.
#[derive(Default)]
struct Parts {
    lengths: Vec<i32>,
    displacements: Vec<i64>,
    types: Vec<i32>,
    lb: Option<i64>,
    ub: Option<i64>,
}

impl Parts {
    fn new(parts: impl Iterator<Item = (i32, i32, i32)>) -> Parts {
        let mut all = Parts::default();
        for (length, displacement, number) in parts {
            let at = i64::from(displacement);
            match mark(number) {
                None => {
                    all.lengths.push(length);
                    all.displacements.push(at);
                    all.types.push(number);
                }
                Some(_) if length <= 0 => {}
                Some("MPI_LB") => all.lb = Some(all.lb.map_or(at, |lb| lb.min(at))),
                Some(_) => all.ub = Some(all.ub.map_or(at, |ub| ub.max(at))),
            }
        }
        all
    }
}

/// Gives a structure the bounds of its marks, and returns an error code.
fn bounded(made: &mut Datatype, parts: &Parts) -> i32 {
    if parts.lb.is_none() && parts.ub.is_none() {
        return 0;
    }
    let (mut lb, mut extent, mut inner) = (0, 0, *made);
    // SAFETY: the datatype is the call's own, which this frees and makes anew, and C writes two
    // numbers here.
    unsafe {
        let mut code = c::type_get_extent(inner, &mut lb, &mut extent);
        let low = parts.lb.unwrap_or(lb);
        let high = parts.ub.unwrap_or(lb + extent);
        if code == 0 {
            code = c::type_create_resized(inner, low, high - low, made);
        }
        c::type_free(&mut inner);
        code
    }
}
