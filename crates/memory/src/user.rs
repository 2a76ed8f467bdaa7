//! The application's memory.

use std::fmt;
use std::ptr;

/// A stretch of the application's memory: an address and a length in bytes.
///
/// It owns nothing and borrows nothing. Whoever makes one promises that the memory stays valid
/// until the operation it is handed to has completed; MPI asks the same of the application
/// (MPI 5.0, 3.7.2: the buffer of a pending operation must not be freed).
/// Bounds are checked at every access, against the length that was promised.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UserBuf {
    address: *mut u8,
    len: usize,
}

// SAFETY: a `UserBuf` is an address and a length. The memory behind it belongs to the
// application, which promised (see `UserBuf::new`) that it may be used from any thread that
// drives the operation.
unsafe impl Send for UserBuf {}
// SAFETY: as for `Send`; all access goes through raw copies, never through references.
unsafe impl Sync for UserBuf {}

impl UserBuf {
    /// No bytes at all. Valid for every operation of length 0.
    pub const EMPTY: UserBuf = UserBuf {
        address: ptr::null_mut(),
        len: 0,
    };

    /// Takes the caller's word for a stretch of memory.
    ///
    /// # Safety
    /// `address .. address + len` is readable, and writable where the operation writes, until
    /// the operation that the value is handed to has completed; any thread may access it.
    #[inline]
    pub unsafe fn new(address: *mut u8, len: usize) -> UserBuf {
        UserBuf { address, len }
    }

    /// The length in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where the bytes are. For system calls and for transports that hand the address on.
    #[inline]
    pub fn address(&self) -> *mut u8 {
        self.address
    }

    /// The part of `len` bytes from `offset`.
    ///
    /// # Panics
    /// When the part does not lie inside.
    #[inline]
    pub fn part(&self, offset: usize, len: usize) -> UserBuf {
        assert!(
            offset <= self.len && len <= self.len - offset,
            "part {offset}+{len} of a buffer of {} bytes",
            self.len
        );
        UserBuf {
            address: self.address.wrapping_add(offset),
            len,
        }
    }

    /// The bytes from `offset` on.
    ///
    /// # Panics
    /// When `offset` is past the end.
    #[inline]
    pub fn from(&self, offset: usize) -> UserBuf {
        self.part(offset, self.len - offset)
    }

    /// Copies `bytes` into the buffer at `offset`.
    ///
    /// # Panics
    /// When they do not fit.
    #[inline]
    pub fn write(&self, offset: usize, bytes: &[u8]) {
        let room = self.part(offset, bytes.len());
        // SAFETY: `part` checked the bounds; `new` promised that the memory is valid; `copy`
        // allows the overlap that an application may create.
        unsafe { ptr::copy(bytes.as_ptr(), room.address, bytes.len()) }
    }

    /// Copies bytes from `offset` on into `into`, filling it.
    ///
    /// # Panics
    /// When the buffer has fewer.
    #[inline]
    pub fn read(&self, offset: usize, into: &mut [u8]) {
        let from = self.part(offset, into.len());
        // SAFETY: as in `write`.
        unsafe { ptr::copy(from.address, into.as_mut_ptr(), into.len()) }
    }

    /// Copies as many bytes as both hold from `from`; overlap is allowed.
    #[inline]
    pub fn copy_from(&self, from: &UserBuf) {
        // SAFETY: both lengths were promised by `new`, and the smaller one is copied.
        unsafe { ptr::copy(from.address, self.address, self.len.min(from.len)) }
    }
}

impl fmt::Debug for UserBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:p}+{}", self.address, self.len)
    }
}
