//! `MPI_Register_datarep`: procedures that convert the data of files. A representation lives as
//! long as the program, and so do its procedures.

use std::ffi::c_void;
use std::mem::transmute;

use crate::callback::returned;
use crate::generated::constants::MPI_SUCCESS;
use crate::generated::types::Datatype;
use crate::interface::Abi;

type UserExtent = unsafe extern "C" fn(*mut i32, *mut i64, *mut i64, *mut i32);
type UserConversion<T> =
    unsafe extern "C" fn(*mut c_void, *mut i32, *mut T, *mut c_void, *mut i64, *mut i64, *mut i32);

/// A conversion as C has it, with counts of a type.
pub type Conversion<T> =
    unsafe extern "C" fn(*mut c_void, Datatype, T, *mut c_void, i64, *mut c_void) -> i32;
/// The function that gives the extent of a datatype, as C has it.
pub type Extent = unsafe extern "C" fn(Datatype, *mut i64, *mut c_void) -> i32;

/// The user's procedures.
struct Procedures<T> {
    read: UserConversion<T>,
    write: UserConversion<T>,
    extent: UserExtent,
    state: i64,
}

unsafe extern "C" fn extent<A: Abi<Handle = i32>, T>(
    datatype: Datatype,
    extent: *mut i64,
    state: *mut c_void,
) -> i32 {
    let (mut number, mut code) = (A::encode(datatype), MPI_SUCCESS);
    // SAFETY: the state is the one that came with this function, and is never freed.
    unsafe {
        let of = &mut *state.cast::<Procedures<T>>();
        (of.extent)(&mut number, extent, &mut of.state, &mut code);
    }
    returned::<A>(code)
}

unsafe extern "C" fn convert<A: Abi<Handle = i32>, T, const WRITES: bool>(
    userbuf: *mut c_void,
    datatype: Datatype,
    mut count: T,
    filebuf: *mut c_void,
    mut position: i64,
    state: *mut c_void,
) -> i32 {
    let (mut number, mut code) = (A::encode(datatype), MPI_SUCCESS);
    let (number, count, position) = (&mut number, &mut count, &mut position);
    // SAFETY: the state is the one that came with this function, and is never freed.
    unsafe {
        let of = &mut *state.cast::<Procedures<T>>();
        let user = if WRITES { of.write } else { of.read };
        user(
            userbuf,
            number,
            count,
            filebuf,
            position,
            &mut of.state,
            &mut code,
        );
    }
    returned::<A>(code)
}

/// The arguments of C for a representation.
pub struct Representation<T> {
    /// Converts what was read, unless nothing does.
    pub read: Option<Conversion<T>>,
    /// Converts what is written, unless nothing does.
    pub write: Option<Conversion<T>>,
    /// Gives the extent of a datatype.
    pub extent: Extent,
    /// The state that these functions get.
    pub state: *mut c_void,
}

/// Returns the arguments of C for the user's procedures. One in `nulls` is
/// `MPI_CONVERSION_FN_NULL`.
///
/// # Safety
/// The addresses are those of procedures with counts of this type.
pub unsafe fn representation<A: Abi<Handle = i32>, T>(
    [read, write, extents]: [*mut c_void; 3],
    nulls: &[usize],
    state: i64,
) -> Representation<T> {
    // SAFETY: the caller promises these addresses. Those of no procedure are not called.
    let made = unsafe {
        Procedures::<T> {
            read: transmute::<*mut c_void, UserConversion<T>>(read),
            write: transmute::<*mut c_void, UserConversion<T>>(write),
            extent: transmute::<*mut c_void, UserExtent>(extents),
            state,
        }
    };
    let given = |user: *mut c_void, own| (!nulls.contains(&(user as usize))).then_some(own);
    Representation {
        read: given(read, convert::<A, T, false> as Conversion<T>),
        write: given(write, convert::<A, T, true> as Conversion<T>),
        extent: extent::<A, T>,
        state: Box::into_raw(Box::new(made)).cast(),
    }
}
