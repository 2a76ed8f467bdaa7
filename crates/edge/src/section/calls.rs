//! [`Calls`]: what sections need of a library of entry points.

use std::ffi::c_void;

use super::array::Array;

/// How a library of entry points makes and asks for what a section needs.
pub trait Calls {
    /// A handle of a datatype.
    type Datatype: Copy + PartialEq;
    /// The descriptors that its callers pass.
    type Array: Array;
    /// `MPI_BYTE`.
    const BYTE: Self::Datatype;

    /// Returns C's address of a choice buffer, which may be a constant.
    fn address(at: *mut c_void) -> *mut c_void;
    /// Returns the size of a datatype that has no gaps and begins at its first byte.
    fn dense_size(of: Self::Datatype) -> Option<i64>;
    /// Makes a datatype of `count` of another one, `stride` bytes apart.
    fn strided(count: i64, stride: i64, of: Self::Datatype) -> Option<Self::Datatype>;
    /// Makes and commits a datatype of one of each of others, at these offsets.
    fn together(offsets: &[i64], of: &[Self::Datatype]) -> Option<Self::Datatype>;
    /// Frees a datatype that this has made.
    fn free(of: Self::Datatype);
}
