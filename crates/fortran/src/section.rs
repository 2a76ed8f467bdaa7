//! Choice buffers of `mpi_f08`: what sections of arrays need of C.

use std::ffi::{c_char, c_void, CString};

use crate::convert::dense_size;
use crate::generated::c;
use crate::generated::constants::{MPI_BYTE, MPI_DATATYPE_NULL, MPI_SUCCESS};
use crate::generated::types::{Comm, Datatype, File, Request, Win};
use crate::handle::Handle;
use crate::sentinel;

use edge::section::{Copies, Refusal, Staged};

pub use edge::section::{Array, Use};

/// A descriptor, as compilers pass it to procedures with the binding label of C.
pub type Descriptor = edge::section::Standard;
/// A choice buffer as C gets it.
pub type Buffer = edge::section::Buffer<Own>;

/// This library.
pub struct Own;

impl edge::section::Calls for Own {
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

extern "C" {
    fn POXMPI_Refuse_buffer(
        call: *const c_char,
        kind: i32,
        object: usize,
        text: *const c_char,
    ) -> i32;
    fn POXMPI_Request_stage(
        copy_in: unsafe extern "C" fn(*mut c_void),
        copy_out: unsafe extern "C" fn(*mut c_void),
        destructor: Option<unsafe extern "C" fn(*mut c_void)>,
        state: *mut c_void,
        request: *mut Request,
    ) -> i32;
}

/// Has the error handler of an object hear why a buffer cannot be used, and returns the error's
/// code.
#[cold]
pub fn refuse(call: &str, on: On, why: &Refusal) -> i32 {
    let (kind, object) = match on {
        On::Comm(comm) => (1, comm.bits()),
        On::Win(win) => (2, win.bits()),
        On::File(file) => (3, file.bits()),
        On::Nothing => (0, 0),
    };
    let call = call.strip_prefix('P').unwrap_or(call);
    let text = |text: String| CString::new(text).unwrap_or_default();
    let (call, why) = (text(call.to_string()), text(why.to_string()));
    // SAFETY: both texts end in a zero byte; C checks the handle.
    unsafe { POXMPI_Refuse_buffer(call.as_ptr(), kind, object, why.as_ptr()) }
}

/// Leaves copies of a call's buffers to its request.
#[inline]
pub fn stage<const N: usize>(request: Request, copies: [Option<Staged>; N]) {
    if copies.iter().any(Option::is_some) {
        stage_all(request, copies.into_iter().flatten().collect());
    }
}

#[cold]
fn stage_all(mut request: Request, copies: Vec<Staged>) {
    let state = Copies::leak(copies);
    // SAFETY: the functions are those for this state, and the call has made the request just now.
    unsafe {
        POXMPI_Request_stage(
            Copies::copy_in,
            Copies::copy_out,
            Some(Copies::free),
            state,
            &mut request,
        )
    };
}
