//! Buffers of the application, which the library reads and writes by copying.

use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::{copy, non_temporal, Stores};

/// A contiguous run of the application's memory: an address and a length in bytes.
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
// SAFETY: as stated at `Send`; all access goes through raw copies, never through references.
unsafe impl Sync for UserBuf {}

impl UserBuf {
    /// No bytes at all. Valid for every operation of length 0.
    pub const EMPTY: UserBuf = UserBuf {
        address: ptr::null_mut(),
        len: 0,
    };

    /// Trusts the caller about a contiguous run of memory.
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
        if offset > self.len || len > self.len - offset {
            outside(offset, len, self.len);
        }
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
        // SAFETY: `part` checked the bounds; `new` promised that the memory is valid; `bytes`
        // allows the overlap that an application may create.
        unsafe { copy::bytes(bytes.as_ptr(), room.address, bytes.len()) }
    }

    /// Copies bytes from `offset` on into `into`, filling it.
    ///
    /// # Panics
    /// When the buffer has fewer.
    #[inline]
    pub fn read(&self, offset: usize, into: &mut [u8]) {
        let from = self.part(offset, into.len());
        // SAFETY: as in `write`.
        unsafe { copy::bytes(from.address, into.as_mut_ptr(), into.len()) }
    }

    /// Copies as many bytes as both hold from `from`; overlap is allowed.
    #[inline]
    pub fn copy_from(&self, from: &UserBuf) {
        // SAFETY: both lengths were promised by `new`, and the smaller one is copied.
        unsafe { copy::bytes(from.address, self.address, self.len.min(from.len)) }
    }

    /// Copies as many bytes as both hold by the given stores, without overlap: for memory that
    /// another core reads.
    #[inline]
    pub fn copy_from_by(&self, stores: Stores, from: &UserBuf) {
        let len = self.len.min(from.len);
        match stores {
            // SAFETY: as in `copy_from`; the caller says that nothing overlaps.
            Stores::Cached => unsafe { copy::shared(from.address, self.address, len) },
            // SAFETY: as in `copy_from`.
            Stores::Past => unsafe { non_temporal::copy(from.address, self.address, len) },
        }
    }

    /// Replaces the 32-bit word at `offset` by what `change` makes of it, in one step that no
    /// other atomic access to the word comes between. Gives the word as it was; `None` when it
    /// does not lie inside, or not at a multiple of its size.
    #[inline]
    pub fn update_u32(&self, offset: usize, change: impl Fn(u32) -> u32) -> Option<u32> {
        let address = self.word(offset, size_of::<u32>())?;
        // SAFETY: `word` checked the bounds and the alignment; `new` promised that the memory
        // is valid and may be accessed from any thread. Who reads or writes the word without
        // atomics meanwhile breaks the rules of the operation (MPI 5.0, 12.7) and gets an
        // undefined value, never anything beyond the word.
        let word = unsafe { AtomicU32::from_ptr(address.cast()) };
        let changed = |old| Some(change(old));
        word.fetch_update(Ordering::AcqRel, Ordering::Acquire, changed)
            .ok()
    }

    /// Replaces the 64-bit word at `offset` in one step, as [`UserBuf::update_u32`] does.
    #[inline]
    pub fn update_u64(&self, offset: usize, change: impl Fn(u64) -> u64) -> Option<u64> {
        let address = self.word(offset, size_of::<u64>())?;
        // SAFETY: as in `update_u32`.
        let word = unsafe { AtomicU64::from_ptr(address.cast()) };
        let changed = |old| Some(change(old));
        word.fetch_update(Ordering::AcqRel, Ordering::Acquire, changed)
            .ok()
    }

    /// The address of the word of `size` bytes at `offset`; `None` when it is not a word's.
    fn word(&self, offset: usize, size: usize) -> Option<*mut u8> {
        let inside = offset <= self.len && size <= self.len - offset;
        let address = self.address.wrapping_add(offset);
        (inside && address.addr().is_multiple_of(size)).then_some(address)
    }
}

/// Apart from [`UserBuf::part`], which is short without it.
#[cold]
#[inline(never)]
fn outside(offset: usize, len: usize, of: usize) -> ! {
    panic!("part {offset}+{len} of a buffer of {of} bytes")
}

impl fmt::Debug for UserBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:p}+{}", self.address, self.len)
    }
}

#[cfg(test)]
mod tests {
    use crate::Scratch;

    #[test]
    fn only_whole_words_at_multiples_of_their_size_are_updated() {
        let scratch = Scratch::new(16);
        let buf = scratch.buf();
        buf.write(0, &[0xff; 16]);
        assert_eq!(
            buf.update_u32(4, |word| word.wrapping_add(2)),
            Some(u32::MAX)
        );
        assert_eq!(buf.update_u64(8, |word| word & 7), Some(u64::MAX));
        for offset in [1, 2, 3, 13, 16, 17, usize::MAX - 3] {
            assert_eq!(buf.update_u32(offset, |_| 0), None, "4 bytes at {offset}");
        }
        for offset in [4, 12, 16, 1 << 40, usize::MAX - 7] {
            assert_eq!(buf.update_u64(offset, |_| 0), None, "8 bytes at {offset}");
        }
        assert_eq!(
            buf.from(4).update_u64(0, |_| 0),
            None,
            "the buffer itself is odd"
        );
        let mut bytes = [0; 16];
        buf.read(0, &mut bytes);
        assert_eq!(bytes[..4], [0xff; 4]);
        assert_eq!(bytes[4..8], 1u32.to_le_bytes());
        assert_eq!(bytes[8..], 7u64.to_le_bytes());
    }
}
