//! `libmpi.so.40`: programs of Open MPI on the MPI 5.0 standard ABI.
//!
//! Handles are addresses. A predefined object is data of this library, whose first word is the
//! standard's handle ([`object`]). Any other handle is the standard's with its lowest bit set,
//! which no address of an object has.

#[path = "../../edge/exports/c.rs"]
mod by_hand;
#[path = "../../edge/exports/generated/c_rows.rs"]
mod c_rows;
mod cxx;
#[path = "../../edge/exports/generated/early_rows.rs"]
mod early_rows;
#[path = "../../edge/exports/fortran.rs"]
mod fortran_by_hand;
#[path = "../../edge/exports/generated/fortran_rows.rs"]
mod fortran_rows;
mod generated;
mod interface;
mod object;

use std::ffi::{c_char, c_void};

use edge::export;
use edge::generated::values::THREAD_LEVEL;
use edge::rows::{c, number_in, read, NumberOut, Out};

use interface::{Fortran, OpenMpi as Interface};

#[used]
#[link_section = ".init_array"]
static ON_LOAD: extern "C" fn() = on_load;

extern "C" fn on_load() {
    edge::table::load(on_load as *const c_void);
}

type A = Interface;
type P = *mut c_void;

// The comparisons of handles of `mpi_f08`.
export!([
    __mpi_f08_types_MOD_ompi_comm_op_eq
    __mpi_f08_types_MOD_ompi_datatype_op_eq
    __mpi_f08_types_MOD_ompi_errhandler_op_eq
    __mpi_f08_types_MOD_ompi_file_op_eq
    __mpi_f08_types_MOD_ompi_group_op_eq
    __mpi_f08_types_MOD_ompi_info_op_eq
    __mpi_f08_types_MOD_ompi_message_op_eq
    __mpi_f08_types_MOD_ompi_op_op_eq
    __mpi_f08_types_MOD_ompi_request_op_eq
    __mpi_f08_types_MOD_ompi_win_op_eq
] (one: *const i32, other: *const i32) -> i32 {
    i32::from(read(one) == read(other))
});
export!([
    __mpi_f08_types_MOD_ompi_comm_op_ne
    __mpi_f08_types_MOD_ompi_datatype_op_ne
    __mpi_f08_types_MOD_ompi_errhandler_op_ne
    __mpi_f08_types_MOD_ompi_file_op_ne
    __mpi_f08_types_MOD_ompi_group_op_ne
    __mpi_f08_types_MOD_ompi_info_op_ne
    __mpi_f08_types_MOD_ompi_message_op_ne
    __mpi_f08_types_MOD_ompi_op_op_ne
    __mpi_f08_types_MOD_ompi_request_op_ne
    __mpi_f08_types_MOD_ompi_win_op_ne
] (one: *const i32, other: *const i32) -> i32 {
    i32::from(read(one) != read(other))
});

// Whether the library was built with CUDA, by Open MPI's extension.
export!([MPIX_Query_cuda_support] () -> i32 { 0 });

// Initialises MPI, as Open MPI's `MPI_Init` and `MPI_Init_thread` call it. Programs that load an
// MPI library by its name recognise Open MPI by this symbol (NEURON).
export!([ompi_mpi_init] (
    argc: i32, argv: *mut *mut c_char, requested: i32, provided: *mut i32, _again: bool
) on {} {
    let (mut argc, mut argv) = (argc, argv);
    let requested = number_in::<A>(&THREAD_LEVEL, requested);
    let mut provided = NumberOut::<A>::of(&THREAD_LEVEL, Out::new(provided));
    c::init_thread(&mut argc, &mut argv, requested, provided.c())
});

// The functions that attribute keys are made with where nothing, or the same, is copied.
export!([OMPI_C_MPI_DUP_FN
    OMPI_C_MPI_COMM_DUP_FN
    OMPI_C_MPI_TYPE_DUP_FN
    OMPI_C_MPI_WIN_DUP_FN] (
    object: usize, key: i32, state: P, value: P, copied: P, flag: *mut i32
) -> i32 {
    edge::attribute::same(object, key, state, value, copied, flag)
});
export!([OMPI_C_MPI_NULL_COPY_FN
    OMPI_C_MPI_COMM_NULL_COPY_FN
    OMPI_C_MPI_TYPE_NULL_COPY_FN
    OMPI_C_MPI_WIN_NULL_COPY_FN] (
    _object: usize, _key: i32, _state: P, _value: P, _copied: P, flag: *mut i32
) -> i32 {
    Out::new(flag).set(0);
    0
});
export!([OMPI_C_MPI_NULL_DELETE_FN
    OMPI_C_MPI_COMM_NULL_DELETE_FN
    OMPI_C_MPI_TYPE_NULL_DELETE_FN
    OMPI_C_MPI_WIN_NULL_DELETE_FN] (
    _object: usize, _key: i32, _value: P, _state: P
) -> i32 {
    0
});
