//! Choice buffers of `mpi_f08`: what sections of arrays need of C.

use std::ffi::c_void;

use crate::convert::dense_size;
use crate::generated::c;
use crate::generated::constants::{MPI_BYTE, MPI_DATATYPE_NULL, MPI_ERR_BUFFER, MPI_SUCCESS};
use crate::generated::types::{Comm, Datatype, File, Win};
use crate::sentinel;

pub use section::{Array, Use};

/// A descriptor, as compilers pass it to procedures with the binding label of C.
pub type Descriptor = section::Standard;
/// A choice buffer as C gets it.
pub type Buffer = section::Buffer<Own>;

/// This library.
pub struct Own;

impl section::Calls for Own {
    type Datatype = Datatype;
    type Array = Descriptor;
    const BYTE: Datatype = MPI_BYTE;

    #[inline]
    fn address(at: *mut c_void) -> *mut c_void {
        sentinel::buffer_at(at)
    }

    fn dense_size(of: Datatype) -> Option<i64> {
        dense_size(of)
    }

    fn strided(count: i64, stride: i64, of: Datatype) -> Option<Datatype> {
        let mut made = MPI_DATATYPE_NULL;
        // SAFETY: the place is that of a handle.
        let code = unsafe { c::PMPI_Type_create_hvector_c(count, 1, stride, of, &mut made) };
        (code == MPI_SUCCESS).then_some(made)
    }

    fn together(offsets: &[i64], of: &[Datatype]) -> Option<Datatype> {
        let lengths = vec![1i64; of.len()];
        let mut made = MPI_DATATYPE_NULL;
        // SAFETY: the arrays are of the length that is passed.
        let codes = unsafe {
            [
                c::PMPI_Type_create_struct_c(
                    of.len() as i64,
                    lengths.as_ptr(),
                    offsets.as_ptr(),
                    of.as_ptr(),
                    &mut made,
                ),
                c::PMPI_Type_commit(&mut made),
            ]
        };
        (codes == [MPI_SUCCESS; 2]).then_some(made)
    }

    fn free(mut of: Datatype) {
        // SAFETY: the datatype is one that this has made.
        unsafe { c::PMPI_Type_free(&mut of) };
    }
}

/// The object whose error handler hears of an error.
#[derive(Clone, Copy)]
pub enum On {
    Comm(Comm),
    Win(Win),
    File(File),
    Nothing,
}

/// Has the error handler of an object hear that a buffer cannot be used, and returns the error's
/// code.
#[cold]
pub fn refuse(on: On) -> i32 {
    let code = MPI_ERR_BUFFER;
    // SAFETY: C checks the handles.
    unsafe {
        match on {
            On::Comm(comm) => c::PMPI_Comm_call_errhandler(comm, code),
            On::Win(win) => c::PMPI_Win_call_errhandler(win, code),
            On::File(file) => c::PMPI_File_call_errhandler(file, code),
            On::Nothing => {
                let comm = crate::generated::constants::MPI_COMM_SELF;
                c::PMPI_Comm_call_errhandler(comm, code)
            }
        }
    };
    code
}
