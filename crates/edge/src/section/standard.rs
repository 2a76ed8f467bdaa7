//! Functions of the standard library that sections of arrays need.

use std::ffi::{c_void, CString};
use std::marker::PhantomData;

use crate::extension;
use crate::generated::c;
use crate::generated::constants::{MPI_BYTE, MPI_DATATYPE_NULL};
use crate::generated::types::{Datatype, Request};
use crate::interface::Abi;
use crate::wall::On;

use super::{Calls, Copies, Refusal, Staged};

/// The Fortran of an interface.
pub struct Native<A>(PhantomData<A>);

impl<A: Abi> Calls for Native<A> {
    type Datatype = Datatype;
    type Array = A::Descriptor;
    const BYTE: Datatype = MPI_BYTE;

    #[inline]
    fn address(at: *mut c_void) -> *mut c_void {
        A::buffer(at)
    }

    fn dense_size(of: Datatype) -> Option<i64> {
        dense_size(of)
    }

    fn strided(count: i64, stride: i64, of: Datatype) -> Option<Datatype> {
        let mut made = MPI_DATATYPE_NULL;
        // SAFETY: the place is that of a handle.
        let code = unsafe { c::type_create_hvector_c(count, 1, stride, of, &mut made) };
        (code == 0).then_some(made)
    }

    fn together(offsets: &[i64], of: &[Datatype]) -> Option<Datatype> {
        let (lengths, many) = (vec![1i64; of.len()], of.len() as i64);
        let (lengths, offsets, of) = (lengths.as_ptr(), offsets.as_ptr(), of.as_ptr());
        let mut made = MPI_DATATYPE_NULL;
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

/// Calls the error handler of an object with the reason why a buffer cannot be used, and returns
/// the standard's error code.
#[cold]
pub fn refuse(call: &str, on: impl Into<On>, why: &Refusal) -> i32 {
    let (kind, object) = match on.into() {
        On::Comm(comm) => (1, comm.0),
        On::Win(win) => (2, win.0),
        On::File(file) => (3, file.0),
        On::Session(_) | On::Nothing => (0, 0),
    };
    let text = |text: String| CString::new(text).unwrap_or_default();
    let (call, why) = (text(call.to_string()), text(why.to_string()));
    // SAFETY: both texts end in a zero byte, and the standard library checks the handle.
    unsafe { extension::refuse_buffer(call.as_ptr(), kind, object, why.as_ptr()) }
}

/// Returns the size of a datatype that has no gaps and begins at its first byte.
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
        let free = Some(Copies::free as unsafe extern "C" fn(*mut c_void));
        extension::request_stage(Copies::copy_in, Copies::copy_out, free, state, &mut request)
    };
}
