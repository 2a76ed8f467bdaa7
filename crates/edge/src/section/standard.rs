//! Choice buffers of MPICH's `mpi_f08`, which come by gfortran's descriptors: what sections of
//! arrays need of the standard library.

use std::ffi::{c_char, c_void, CString};
use std::marker::PhantomData;
use std::mem::transmute;

use crate::generated::c;
use crate::generated::types::{Comm, Datatype, File, Request, Win};
use crate::interface::Abi;
use crate::table::{self, REFUSE_BUFFER, REQUEST_STAGE};

use super::{Calls, Copies, Gfortran, Refusal, Staged};

/// `MPI_BYTE` and `MPI_DATATYPE_NULL` of the standard.
const BYTE: Datatype = Datatype(0x247);
const NO_DATATYPE: Datatype = Datatype(0x200);

/// The Fortran of an interface.
pub struct Native<A>(PhantomData<A>);

impl<A: Abi> Calls for Native<A> {
    type Datatype = Datatype;
    type Array = Gfortran;
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

type RefuseBuffer = unsafe extern "C" fn(*const c_char, i32, usize, *const c_char) -> i32;
type OnState = unsafe extern "C" fn(*mut c_void);
type RequestStage =
    unsafe extern "C" fn(OnState, OnState, Option<OnState>, *mut c_void, *mut Request) -> i32;

/// Has the error handler of an object hear why a buffer cannot be used, and returns the standard's
/// error code. `name` is that of the entry point.
#[cold]
pub fn refuse(name: &str, on: On, why: &Refusal) -> i32 {
    let (kind, object) = match on {
        On::Comm(comm) => (1, comm.0),
        On::Win(win) => (2, win.0),
        On::File(file) => (3, file.0),
        On::Nothing => (0, 0),
    };
    let text = |text: String| CString::new(text).unwrap_or_default();
    let (call, why) = (text(call_of(name)), text(why.to_string()));
    // SAFETY: the extension has this type; both texts end in a zero byte, and the standard library
    // checks the handle.
    unsafe {
        let refuse = transmute::<usize, RefuseBuffer>(table::extension(REFUSE_BUFFER));
        refuse(call.as_ptr(), kind, object, why.as_ptr())
    }
}

/// Returns the function that an entry point is for: `MPI_Send` for `pmpi_send_f08ts_`.
fn call_of(name: &str) -> String {
    let name = name.trim_start_matches('p').trim_start_matches("mpi_");
    let (name, is_large) = match name.strip_suffix("_f08ts_large_") {
        Some(name) => (name, true),
        None => (name.trim_end_matches("_f08ts_"), false),
    };
    let (first, rest) = name.split_at(name.len().min(1));
    let suffix = if is_large { "_c" } else { "" };
    format!("MPI_{}{rest}{suffix}", first.to_uppercase())
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
    // SAFETY: the extension has this type; the functions are those for this state, and the call has
    // made the request just now.
    unsafe {
        let stage = transmute::<usize, RequestStage>(table::extension(REQUEST_STAGE));
        let free = Some(Copies::free as OnState);
        stage(Copies::copy_in, Copies::copy_out, free, state, &mut request)
    };
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_entry_point_is_for_a_function() {
        for (name, call) in [
            ("mpi_send_f08ts_", "MPI_Send"),
            ("pmpi_ireduce_scatter_f08ts_large_", "MPI_Ireduce_scatter_c"),
        ] {
            assert_eq!(super::call_of(name), call);
        }
    }
}
