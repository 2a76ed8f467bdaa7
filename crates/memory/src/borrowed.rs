//! Memory that is borrowed for the duration of a call.

use std::marker::PhantomData;
use std::ptr;

use crate::{copy, non_temporal, Stores, UserBuf};

/// Bytes lent to a receive handler, often still inside a shared ring.
///
/// The peer that wrote them may be broken and write again, so they are only ever copied out,
/// never read in place: what was checked is what was copied.
#[derive(Clone, Copy)]
pub struct Payload<'a> {
    address: *const u8,
    len: usize,
    lent: PhantomData<&'a [u8]>,
}

impl<'a> Payload<'a> {
    /// Lends `len` bytes at `address`.
    ///
    /// # Safety
    /// The bytes stay readable for `'a`. They may change under the reader.
    #[inline]
    pub unsafe fn new(address: *const u8, len: usize) -> Payload<'a> {
        Payload {
            address,
            len,
            lent: PhantomData,
        }
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

    /// The part of `len` bytes from `offset`.
    ///
    /// # Panics
    /// When the part does not lie inside.
    #[inline]
    pub fn part(&self, offset: usize, len: usize) -> Payload<'a> {
        assert!(
            offset <= self.len && len <= self.len - offset,
            "part {offset}+{len} of a payload of {} bytes",
            self.len
        );
        Payload {
            address: self.address.wrapping_add(offset),
            len,
            lent: PhantomData,
        }
    }

    /// The first `at` bytes and the others; `None` when there are fewer.
    #[inline]
    pub fn split(&self, at: usize) -> Option<(Payload<'a>, Payload<'a>)> {
        (at <= self.len).then(|| (self.part(0, at), self.part(at, self.len - at)))
    }

    /// The first `N` bytes, copied; `None` when there are fewer. For headers.
    #[inline]
    pub fn head<const N: usize>(&self) -> Option<[u8; N]> {
        if self.len < N {
            return None;
        }
        let mut head = [0u8; N];
        // SAFETY: `N <= len`, and `new` promised that the bytes are readable for `'a`.
        unsafe { ptr::copy_nonoverlapping(self.address, head.as_mut_ptr(), N) };
        Some(head)
    }

    /// Copies the first `into.len()` bytes.
    ///
    /// # Panics
    /// When there are fewer.
    #[inline]
    pub fn copy_to(&self, into: &mut [u8]) {
        assert!(
            into.len() <= self.len,
            "{} bytes asked of {}",
            into.len(),
            self.len
        );
        // SAFETY: the length was just checked; `new` promised that the bytes are readable;
        // `into` is an exclusive borrow.
        unsafe { copy::bytes(self.address, into.as_mut_ptr(), into.len()) }
    }

    /// Copies as many bytes as `into` has room for, at its beginning.
    #[inline]
    pub fn copy_to_user(&self, into: UserBuf) {
        // SAFETY: the smaller of two promised lengths.
        unsafe { copy::bytes(self.address, into.address(), self.len.min(into.len())) }
    }

    /// All bytes, copied to the heap.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.append_to(&mut bytes);
        bytes
    }

    /// Appends all bytes to others.
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        bytes.reserve(self.len);
        let room = bytes.spare_capacity_mut().as_mut_ptr();
        // SAFETY: there is room for `len` bytes more, which this writes before they count; `new`
        // promised that those here are readable, and they are not the vector's, which is borrowed.
        unsafe {
            ptr::copy_nonoverlapping(self.address, room.cast(), self.len);
            bytes.set_len(bytes.len() + self.len);
        }
    }

    /// Where the bytes are, for copy kernels that check their own bounds.
    #[inline]
    pub fn address(&self) -> *const u8 {
        self.address
    }
}

impl<'a> From<&'a [u8]> for Payload<'a> {
    #[inline]
    fn from(bytes: &'a [u8]) -> Payload<'a> {
        Payload {
            address: bytes.as_ptr(),
            len: bytes.len(),
            lent: PhantomData,
        }
    }
}

/// Room lent to a sender, often inside a shared ring, to be filled from its start.
///
/// The borrow is exclusive on this side; a broken peer may still read or write the bytes,
/// so they are only ever written, never read back.
pub struct Slot<'a> {
    address: *mut u8,
    len: usize,
    lent: PhantomData<&'a mut [u8]>,
}

impl<'a> Slot<'a> {
    /// Lends room of `len` bytes at `address`.
    ///
    /// # Safety
    /// The bytes stay writable for `'a`, and nobody else on this side touches them meanwhile.
    #[inline]
    pub unsafe fn new(address: *mut u8, len: usize) -> Slot<'a> {
        Slot {
            address,
            len,
            lent: PhantomData,
        }
    }

    /// The room in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no room.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The room before `at`, and that from there on.
    ///
    /// # Panics
    /// When there is less.
    pub fn split(&mut self, at: usize) -> (Slot<'_>, Slot<'_>) {
        assert!(at <= self.len, "{at} of a slot of {}", self.len);
        let part = |address, len| Slot {
            address,
            len,
            lent: PhantomData,
        };
        (
            part(self.address, at),
            part(self.address.wrapping_add(at), self.len - at),
        )
    }

    /// Copies `bytes` to `offset`.
    ///
    /// # Panics
    /// When they do not fit.
    #[inline]
    pub fn write(&mut self, offset: usize, bytes: &[u8]) {
        assert!(
            offset <= self.len && bytes.len() <= self.len - offset,
            "{} bytes at {offset} of a slot of {}",
            bytes.len(),
            self.len
        );
        // SAFETY: bounds were just checked; `new` promised the memory.
        unsafe { copy::header(bytes.as_ptr(), self.address.add(offset), bytes.len()) }
    }

    /// Copies a contiguous run of the application's memory to `offset`.
    ///
    /// # Panics
    /// When it does not fit.
    #[inline]
    pub fn write_user(&mut self, offset: usize, from: UserBuf) {
        assert!(
            offset <= self.len && from.len() <= self.len - offset,
            "{} bytes at {offset} of a slot of {}",
            from.len(),
            self.len
        );
        // SAFETY: bounds were just checked; both ranges were promised by their makers.
        unsafe { copy::bytes(from.address(), self.address.add(offset), from.len()) }
    }

    /// Copies a contiguous run of the application's memory to `offset` by the given stores. A
    /// thread that sees a later store of this thread sees the bytes, too.
    ///
    /// # Panics
    /// When it does not fit.
    #[inline]
    pub fn write_user_by(&mut self, stores: Stores, offset: usize, from: UserBuf) {
        let room = self.len.checked_sub(offset);
        assert!(
            room.is_some_and(|room| from.len() <= room),
            "{} bytes at {offset} of a slot of {}",
            from.len(),
            self.len
        );
        let (from, to, len) = (
            from.address(),
            self.address.wrapping_add(offset),
            from.len(),
        );
        match stores {
            // SAFETY: bounds were just checked; both ranges were promised by their makers.
            Stores::Cached => unsafe { copy::shared(from, to, len) },
            // SAFETY: as above.
            Stores::Past => unsafe { non_temporal::copy(from, to, len) },
        }
    }

    /// Where the room is, for copy kernels that check their own bounds.
    #[inline]
    pub fn address(&mut self) -> *mut u8 {
        self.address
    }
}

impl<'a> From<&'a mut [u8]> for Slot<'a> {
    #[inline]
    fn from(bytes: &'a mut [u8]) -> Slot<'a> {
        Slot {
            address: bytes.as_mut_ptr(),
            len: bytes.len(),
            lent: PhantomData,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_splits_and_copies_what_it_holds() {
        let bytes: Vec<u8> = (0..20).collect();
        let payload = Payload::from(&bytes[..]);
        let (head, rest) = payload.split(8).unwrap();
        assert_eq!(head.head::<8>().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(rest.to_vec(), bytes[8..]);
        assert!(payload.split(21).is_none());
        assert!(rest.head::<13>().is_none());
    }

    #[test]
    fn every_short_length_is_copied_exactly() {
        let bytes: Vec<u8> = (1..=80).collect();
        for len in 0..=72 {
            let mut room = [0u8; 80];
            Slot::from(&mut room[..]).write(3, &bytes[..len]);
            assert_eq!(room[3..3 + len], bytes[..len], "{len} bytes");
            assert!(room[..3]
                .iter()
                .chain(&room[3 + len..])
                .all(|byte| *byte == 0));
        }
    }

    #[test]
    #[should_panic(expected = "5 bytes at 4 of a slot of 8")]
    fn a_slot_refuses_what_does_not_fit() {
        let mut room = [0u8; 8];
        Slot::from(&mut room[..]).write(4, &[1; 5]);
    }
}
