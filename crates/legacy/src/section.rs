//! Choice buffers of MPICH's `mpi_f08`, which come by gfortran's descriptors: what sections of
//! arrays need of the standard library.

use std::ffi::c_void;
use std::marker::PhantomData;

use crate::generated::c;
use crate::generated::types::{Comm, Datatype, File, Win};
use crate::interface::Abi;

pub use section::Use;

/// A descriptor.
pub type Descriptor = section::Gfortran;
/// A choice buffer as the standard library gets it, of an interface's Fortran.
pub type Buffer<A> = section::Buffer<Native<A>>;

/// `MPI_BYTE`, `MPI_DATATYPE_NULL`, `MPI_COMM_SELF` and `MPI_ERR_BUFFER` of the standard.
const BYTE: Datatype = Datatype(0x247);
const NO_DATATYPE: Datatype = Datatype(0x200);
const COMM_SELF: Comm = Comm(0x102);
const ERR_BUFFER: i32 = 1;

/// The Fortran of an interface.
pub struct Native<A>(PhantomData<A>);

impl<A: Abi> section::Calls for Native<A> {
    type Datatype = Datatype;
    type Array = Descriptor;
    const BYTE: Datatype = BYTE;

    #[inline]
    fn address(at: *mut c_void) -> *mut c_void {
        A::buffer(at)
    }

    fn dense_size(of: Datatype) -> Option<i64> {
        let (mut size, mut lb, mut extent) = (0, 0, 0);
        // SAFETY: the places are those of numbers.
        let codes = unsafe {
            [
                c::type_size_c(of, &mut size),
                c::type_get_extent_c(of, &mut lb, &mut extent),
            ]
        };
        (codes == [0, 0] && lb == 0 && size == extent && size > 0).then_some(size)
    }

    fn strided(count: i64, stride: i64, of: Datatype) -> Option<Datatype> {
        let mut made = NO_DATATYPE;
        // SAFETY: the place is that of a handle.
        let code = unsafe { c::type_create_hvector_c(count, 1, stride, of, &mut made) };
        (code == 0).then_some(made)
    }

    fn together(offsets: &[i64], of: &[Datatype]) -> Option<Datatype> {
        let (lengths, many) = (vec![1i64; of.len()], of.len() as i64);
        let (lengths, offsets, of) = (lengths.as_ptr(), offsets.as_ptr(), of.as_ptr());
        let mut made = NO_DATATYPE;
        // SAFETY: the arrays are of the length that is passed.
        let codes = unsafe {
            [
                c::type_create_struct_c(many, lengths, offsets, of, &mut made),
                c::type_commit(&mut made),
            ]
        };
        (codes == [0, 0]).then_some(made)
    }

    fn free(mut of: Datatype) {
        // SAFETY: the datatype is one that this has made.
        unsafe { c::type_free(&mut of) };
    }
}

/// The object whose error handler hears of an error.
#[derive(Clone, Copy)]
pub enum On {
    /// A communicator.
    Comm(Comm),
    /// A window.
    Win(Win),
    /// A file.
    File(File),
    /// None of these: `MPI_COMM_SELF`.
    Nothing,
}

/// Has the error handler of an object hear that a buffer cannot be used, and returns the standard's
/// error code.
#[cold]
pub fn refuse(on: On) -> i32 {
    // SAFETY: the standard library checks the handles.
    unsafe {
        match on {
            On::Comm(comm) => c::comm_call_errhandler(comm, ERR_BUFFER),
            On::Win(win) => c::win_call_errhandler(win, ERR_BUFFER),
            On::File(file) => c::file_call_errhandler(file, ERR_BUFFER),
            On::Nothing => c::comm_call_errhandler(COMM_SELF, ERR_BUFFER),
        }
    };
    ERR_BUFFER
}
