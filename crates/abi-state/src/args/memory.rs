//! Buffer arguments: user memory, as address, count and datatype or as bytes.

use std::ffi::c_void;

use crate::args::Datatype;
use crate::generated::constants::{MPI_INT, MPI_IN_PLACE};

/// Elements of a datatype in user memory: an address, a count and a datatype, none of them checked.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    address: *mut c_void,
    count: i64,
    datatype: Datatype,
}

impl Elements {
    /// No elements at all.
    pub const NONE: Elements = Elements {
        address: std::ptr::null_mut(),
        count: 0,
        datatype: MPI_INT,
    };

    /// Returns the elements that three arguments name.
    ///
    /// # Safety
    /// The caller gives the memory that MPI asks for at these arguments, valid until the operation
    /// is complete: if the handle names a datatype, `count` elements of it; in a collective, as
    /// many blocks of them as MPI says.
    #[inline(always)]
    pub unsafe fn new(address: *const c_void, count: i64, datatype: Datatype) -> Elements {
        Elements {
            address: address.cast_mut(),
            count,
            datatype,
        }
    }

    /// Address of the first element.
    #[inline(always)]
    pub fn address(self) -> *mut c_void {
        self.address
    }

    /// Number of elements, as the user says.
    #[inline(always)]
    pub fn count(self) -> i64 {
        self.count
    }

    /// Handle of their datatype.
    #[inline(always)]
    pub fn datatype(self) -> Datatype {
        self.datatype
    }

    /// Whether the address is `MPI_IN_PLACE`.
    #[inline(always)]
    pub fn is_in_place(self) -> bool {
        self.address as usize == MPI_IN_PLACE
    }
}

/// Bytes of user memory: an address and a size, neither of them checked.
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    address: *mut c_void,
    size: i64,
}

impl Bytes {
    /// Returns the memory that two arguments name.
    ///
    /// # Safety
    /// The caller gives `size` bytes at `address`, unless that is null or one of MPI's constants,
    /// and they stay as long as MPI says.
    #[inline(always)]
    pub unsafe fn new(address: *const c_void, size: i64) -> Bytes {
        Bytes {
            address: address.cast_mut(),
            size,
        }
    }

    /// Address of the first byte.
    #[inline(always)]
    pub fn address(self) -> *mut c_void {
        self.address
    }

    /// Number of bytes, as the user says.
    #[inline(always)]
    pub fn size(self) -> i64 {
        self.size
    }
}
