//! `MPI_Register_datarep`: procedures that convert the data of files. A representation lives as
//! long as the program, and so do its procedures.

use std::ffi::c_void;

use crate::convert::{finish, read};
use crate::generated::c;
use crate::generated::constants::{MPI_CONVERSION_FN_NULL, MPI_SUCCESS};
use crate::generated::types::Datatype;
use crate::handle::Handle;
use crate::text::Text;

type Extent = unsafe extern "C" fn(*mut i32, *mut i64, *mut i64, *mut i32);
type Conversion<T> =
    unsafe extern "C" fn(*mut c_void, *mut i32, *mut T, *mut c_void, *mut i64, *mut i64, *mut i32);

/// The user's procedures, whose counts are integers of this type.
struct Functions<T> {
    read: Conversion<T>,
    write: Conversion<T>,
    extent: Extent,
    state: i64,
}

unsafe extern "C" fn extent<T>(datatype: Datatype, extent: *mut i64, state: *mut c_void) -> i32 {
    let (mut number, mut code) = (datatype.to_fortran(), MPI_SUCCESS);
    // SAFETY: the state is the one that came with this function, and is never freed.
    unsafe {
        let of = &mut *state.cast::<Functions<T>>();
        (of.extent)(&mut number, extent, &mut of.state, &mut code);
    }
    code
}

macro_rules! conversion {
    ($name:ident $field:ident) => {
        unsafe extern "C" fn $name<T>(
            userbuf: *mut c_void,
            datatype: Datatype,
            count: T,
            filebuf: *mut c_void,
            position: i64,
            state: *mut c_void,
        ) -> i32 {
            let (mut number, mut code) = (datatype.to_fortran(), MPI_SUCCESS);
            let (mut count, mut position) = (count, position);
            // SAFETY: the state is the one that came with this function, and is never freed.
            unsafe {
                let of = &mut *state.cast::<Functions<T>>();
                (of.$field)(
                    userbuf,
                    &mut number,
                    &mut count,
                    filebuf,
                    &mut position,
                    &mut of.state,
                    &mut code,
                );
            }
            code
        }
    };
}

conversion!(convert_read read);
conversion!(convert_write write);

/// `MPI_CONVERSION_FN_NULL`, and the one of the large-count form: known by their addresses.
#[no_mangle]
extern "C" fn mpi_conversion_fn_null_() {}

/// See [`mpi_conversion_fn_null_`].
#[no_mangle]
extern "C" fn mpi_conversion_fn_null_c_() {
    // Not of the same code as the other, for a linker may make one function of two.
    std::hint::black_box(MPI_CONVERSION_FN_NULL);
}

fn is_null(function: *mut c_void) -> bool {
    let nulls = [
        mpi_conversion_fn_null_ as extern "C" fn() as usize,
        mpi_conversion_fn_null_c_ as extern "C" fn() as usize,
    ];
    nulls.contains(&(function as usize))
}

/// Exports the subroutines that register a representation, with counts of a type.
macro_rules! registrations {
    ($($c:ident $count:ty, $($name:ident)+;)+) => {
        $($(#[no_mangle]
        unsafe extern "C" fn $name(
            datarep: *const u8,
            read_fn: *mut c_void,
            write_fn: *mut c_void,
            extent_fn: *mut c_void,
            extra_state: *const i64,
            ierror: *mut i32,
            datarep_length: usize,
        ) {
            // SAFETY: the caller gives each argument as the interface declares it; the addresses
            // are those of procedures.
            unsafe {
                let functions = Functions::<$count> {
                    read: std::mem::transmute::<*mut c_void, Conversion<$count>>(read_fn),
                    write: std::mem::transmute::<*mut c_void, Conversion<$count>>(write_fn),
                    extent: std::mem::transmute::<*mut c_void, Extent>(extent_fn),
                    state: read(extra_state),
                };
                let code = c::$c(
                    Text::new(datarep, datarep_length).c(),
                    if is_null(read_fn) { None } else { Some(convert_read::<$count>) },
                    if is_null(write_fn) { None } else { Some(convert_write::<$count>) },
                    Some(extent::<$count>),
                    Box::into_raw(Box::new(functions)).cast(),
                );
                finish(ierror, code);
            }
        })+)+
    };
}

registrations! {
    MPI_Register_datarep i32, mpi_register_datarep_ mpi_register_datarep_f08_;
    PMPI_Register_datarep i32, pmpi_register_datarep_ pmpi_register_datarep_f08_;
    MPI_Register_datarep_c i64, mpi_register_datarep_c_f08_;
    PMPI_Register_datarep_c i64, pmpi_register_datarep_c_f08_;
}
