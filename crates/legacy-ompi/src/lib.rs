//! `libmpi.so.40`: programs of Open MPI on the MPI 5.0 standard ABI.
//!
//! Handles are addresses. A predefined object is data of this library, whose first word is the
//! standard's handle ([`object`]). Any other handle is the standard's with its lowest bit set,
//! which no address of an object has.

mod cxx;
mod generated;
mod interface;
mod object;

use std::ffi::{c_char, c_void};

use edge::c;
use edge::generated::values::THREAD_LEVEL;
use edge::value::{finish, number_in, NumbersOut};

use crate::interface::OpenMpi;

#[used]
#[link_section = ".init_array"]
static ON_LOAD: extern "C" fn() = on_load;

extern "C" fn on_load() {
    edge::table::load(on_load as *const c_void, edge::c::NAMES);
}

edge::entries!(crate::interface::OpenMpi);
edge::early_entries!(crate::interface::OpenMpi);
edge::by_hand_entries!(crate::interface::OpenMpi);
edge::fortran_entries!(crate::interface::Fortran);
edge::fortran_by_hand!(crate::interface::Fortran);

/// Exports the comparisons of handles of `mpi_f08`, each by its two names.
macro_rules! comparisons {
    ($($equal:ident $differ:ident;)*) => {
        $(
            #[doc = "Compares two handles.\n\n# Safety\nFortran calls it with handles."]
            #[no_mangle]
            unsafe extern "C" fn $equal(one: *const i32, other: *const i32) -> i32 {
                // SAFETY: as the caller says.
                i32::from(unsafe { *one == *other })
            }

            #[doc = "Compares two handles.\n\n# Safety\nFortran calls it with handles."]
            #[no_mangle]
            unsafe extern "C" fn $differ(one: *const i32, other: *const i32) -> i32 {
                // SAFETY: as the caller says.
                i32::from(unsafe { *one != *other })
            }
        )*
    };
}

comparisons! {
    __mpi_f08_types_MOD_ompi_comm_op_eq __mpi_f08_types_MOD_ompi_comm_op_ne;
    __mpi_f08_types_MOD_ompi_datatype_op_eq __mpi_f08_types_MOD_ompi_datatype_op_ne;
    __mpi_f08_types_MOD_ompi_errhandler_op_eq __mpi_f08_types_MOD_ompi_errhandler_op_ne;
    __mpi_f08_types_MOD_ompi_file_op_eq __mpi_f08_types_MOD_ompi_file_op_ne;
    __mpi_f08_types_MOD_ompi_group_op_eq __mpi_f08_types_MOD_ompi_group_op_ne;
    __mpi_f08_types_MOD_ompi_info_op_eq __mpi_f08_types_MOD_ompi_info_op_ne;
    __mpi_f08_types_MOD_ompi_message_op_eq __mpi_f08_types_MOD_ompi_message_op_ne;
    __mpi_f08_types_MOD_ompi_op_op_eq __mpi_f08_types_MOD_ompi_op_op_ne;
    __mpi_f08_types_MOD_ompi_request_op_eq __mpi_f08_types_MOD_ompi_request_op_ne;
    __mpi_f08_types_MOD_ompi_win_op_eq __mpi_f08_types_MOD_ompi_win_op_ne;
}

/// Whether the library was built with CUDA, by Open MPI's extension.
#[no_mangle]
#[allow(non_snake_case)]
extern "C" fn MPIX_Query_cuda_support() -> i32 {
    0
}

/// Initialises MPI, as Open MPI's `MPI_Init` and `MPI_Init_thread` call it. Programs that load an
/// MPI library by its name tell Open MPI from others by this symbol (NEURON).
///
/// # Safety
/// `provided` is a place.
#[no_mangle]
unsafe extern "C" fn ompi_mpi_init(
    mut argc: i32,
    mut argv: *mut *mut c_char,
    requested: i32,
    provided: *mut i32,
    _again: bool,
) -> i32 {
    let requested = number_in::<OpenMpi>(&THREAD_LEVEL, requested);
    // SAFETY: as the caller says.
    unsafe {
        let provided = NumbersOut::<OpenMpi>::new(&THREAD_LEVEL, provided, 1);
        finish::<OpenMpi>(c::init_thread(
            &mut argc,
            &mut argv,
            requested,
            provided.c(),
        ))
    }
}

/// Exports the functions that attribute keys are made with where nothing, or the same, is copied.
macro_rules! attribute_functions {
    ($($duplicate:ident $keep:ident $delete:ident;)*) => {
        $(
            #[doc = "Copies an attribute as it is.\n\n# Safety\nMPI calls it with places."]
            #[no_mangle]
            unsafe extern "C" fn $duplicate(
                object: usize,
                key: i32,
                state: *mut c_void,
                value: *mut c_void,
                copied: *mut c_void,
                flag: *mut i32,
            ) -> i32 {
                // SAFETY: as the caller says.
                unsafe { edge::attribute::same(object, key, state, value, copied, flag) }
            }

            #[doc = "Copies no attribute.\n\n# Safety\nMPI calls it with places."]
            #[no_mangle]
            unsafe extern "C" fn $keep(
                _object: usize,
                _key: i32,
                _state: *mut c_void,
                _value: *mut c_void,
                _copied: *mut c_void,
                flag: *mut i32,
            ) -> i32 {
                // SAFETY: as the caller says.
                unsafe { *flag = 0 };
                0
            }

            #[doc = "Does nothing at the end of an attribute."]
            #[no_mangle]
            extern "C" fn $delete(
                _object: usize,
                _key: i32,
                _value: *mut c_void,
                _state: *mut c_void,
            ) -> i32 {
                0
            }
        )*
    };
}

attribute_functions! {
    OMPI_C_MPI_DUP_FN OMPI_C_MPI_NULL_COPY_FN OMPI_C_MPI_NULL_DELETE_FN;
    OMPI_C_MPI_COMM_DUP_FN OMPI_C_MPI_COMM_NULL_COPY_FN OMPI_C_MPI_COMM_NULL_DELETE_FN;
    OMPI_C_MPI_TYPE_DUP_FN OMPI_C_MPI_TYPE_NULL_COPY_FN OMPI_C_MPI_TYPE_NULL_DELETE_FN;
    OMPI_C_MPI_WIN_DUP_FN OMPI_C_MPI_WIN_NULL_COPY_FN OMPI_C_MPI_WIN_NULL_DELETE_FN;
}
