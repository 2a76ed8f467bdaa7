//! The contract of an interface: its handles, constants and statuses, and the standard's for them.

use std::ffi::c_void;

use crate::constants::{Constants, Limits, Pairs};
use crate::generated::types;
use crate::lookup::Lookup;
use crate::section::Array;

/// An interface: how its programs, or those of its Fortran, see handles, constants and statuses.
pub trait Abi: Sized + 'static {
    /// A handle of anything but a file.
    type Handle: Copy;
    /// A handle of a file.
    type File: Copy;
    /// `MPI_Status`.
    type Status;
    /// How the interface's Fortran sees the same.
    type Fortran: Abi<Handle = i32, File = i32, Status = Self::Status>;
    /// The descriptors by which its Fortran passes choice buffers, if it has any.
    type Descriptor: Array;
    /// Bytes of texts, and the last error code.
    const LIMITS: Limits;

    /// Returns the constants of a kind.
    fn pairs(group: &'static Constants) -> Pairs;
    /// Returns the standard's handle.
    fn decode<K: Kind>(handle: Self::Handle) -> K;
    /// Returns the interface's handle.
    fn encode<K: Kind>(handle: K) -> Self::Handle;
    /// Returns the standard's handle of a file.
    fn decode_file(handle: Self::File) -> types::File;
    /// Returns the interface's handle of a file.
    fn encode_file(handle: types::File) -> Self::File;
    /// Returns the standard's address of a buffer, which may be a constant.
    fn buffer(address: *mut c_void) -> *mut c_void;
    /// Returns the interface's address of a buffer that the standard library gave.
    fn buffer_out(address: *mut c_void) -> *mut c_void {
        address
    }
    /// Returns the standard's address of weights, which may be a constant.
    fn weights(address: *mut i32) -> *mut i32;
    /// Returns C's number of an attribute key; where it differs, this says so.
    fn keyval(native: i32) -> i32 {
        native
    }
    /// Whether an address stands for no status, or for no statuses.
    fn is_ignored(status: *const Self::Status) -> bool;
    /// Whether an address stands for no list of arguments or of error codes.
    fn is_absent(_list: *const c_void) -> bool {
        false
    }
    /// Returns the standard's form of a status.
    fn read(status: &Self::Status) -> types::Status;
    /// Writes a status of the standard, but for its error code.
    fn write(from: &types::Status, to: &mut Self::Status);
    /// Returns the error code in a status.
    fn error(status: &mut Self::Status) -> &mut i32;
}

/// A library that stands in for another MPI's.
pub trait Library: Abi {
    /// The version of MPI that the interface's header states.
    const VERSION: (i32, i32);
    /// The text of `MPI_Get_library_version`. It begins as the interface's own library begins it,
    /// for programs that distinguish libraries by that, and names `oxmpi_info`, by which `mpirun`
    /// knows the libraries of this project.
    const LIBRARY: &'static str;

    /// Returns `MPI_T_PVAR_ALL_HANDLES`.
    fn all_pvars() -> usize;
}

/// Says of an interface's Fortran, in its `impl` of [`Abi`], what is there as it is in C.
#[macro_export]
macro_rules! as_in_c {
    ($c:ty) => {
        type Handle = i32;
        type File = i32;
        type Status = <$c as $crate::Abi>::Status;
        type Fortran = Self;
        const LIMITS: $crate::constants::Limits = <$c as $crate::Abi>::LIMITS;
        type Descriptor = $crate::section::Gfortran;

        fn pairs(group: &'static $crate::constants::Constants) -> $crate::constants::Pairs {
            <$c as $crate::Abi>::pairs(group)
        }

        fn read(status: &Self::Status) -> $crate::types::Status {
            <$c as $crate::Abi>::read(status)
        }

        fn write(from: &$crate::types::Status, to: &mut Self::Status) {
            <$c as $crate::Abi>::write(from, to);
        }

        fn error(status: &mut Self::Status) -> &mut i32 {
            <$c as $crate::Abi>::error(status)
        }
    };
}

/// A kind of handle of the standard.
pub trait Kind: Copy + PartialEq + 'static {
    /// How an interface sees it.
    type Raw<A: Abi>: Copy;
    /// The value that MPI never gives, in a place where it may or may not write.
    const UNWRITTEN: Self;
    /// MPICH's handles of predefined objects.
    const MPICH: &'static Lookup;
    /// The handles of predefined objects that Open MPI's Fortran has.
    const FORTRAN: &'static Lookup;
    /// Returns the handle of these bits.
    fn new(bits: usize) -> Self;
    /// Returns the bits.
    fn bits(self) -> usize;
    /// Returns the handle of an integer.
    fn from_int(number: i32) -> Self;
    /// Returns the integer of a handle.
    fn to_int(self) -> i32;
    /// Returns the standard's handle.
    fn decode<A: Abi>(raw: Self::Raw<A>) -> Self;
    /// Returns the interface's.
    fn encode<A: Abi>(self) -> Self::Raw<A>;
}
