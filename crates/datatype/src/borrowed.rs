//! [`Borrowed`]: elements that are packed or unpacked as a whole, within one call.
//!
//! A [`Buffer`](crate::Buffer) serves messages, whose elements outlive the call: it needs a
//! reference count and finds positions by division, which takes longer than a short copy.

use memory::UserBuf;

use crate::buffer::packed_bytes;
use crate::kernel::Row;
use crate::{Datatype, Error};

/// Elements in memory whose datatype is borrowed.
pub struct Borrowed<'a> {
    base: *mut u8,
    count: usize,
    len: usize,
    datatype: &'a Datatype,
}

impl<'a> Borrowed<'a> {
    /// Returns `count` elements of `datatype`, the first at `base`; fails as [`Buffer::new`] does.
    ///
    /// # Safety
    /// See [`Buffer::new`], for the lifetime of the value.
    ///
    /// [`Buffer::new`]: crate::Buffer::new
    #[inline]
    pub unsafe fn new(base: *mut u8, count: i64, datatype: &'a Datatype) -> Result<Self, Error> {
        let len = packed_bytes(count, datatype)?;
        Ok(Borrowed {
            base,
            count: count as usize,
            len,
            datatype,
        })
    }

    /// Packed bytes.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.len
    }

    /// Packs all elements.
    ///
    /// # Panics
    /// When `into` is shorter than [`Borrowed::bytes`].
    #[inline]
    pub fn pack(&self, into: &UserBuf) {
        assert!(self.len <= into.len(), "the caller has compared them");
        // SAFETY: `new`'s caller promised the elements; the room was compared.
        let mut sink = unsafe { Row::gather(self.base, into.address(), self.len) };
        let (layout, extent) = (self.datatype.layout(), self.datatype.extent());
        layout.walk_whole(0, extent, self.count, &mut sink);
    }

    /// Unpacks all elements.
    ///
    /// # Panics
    /// When `from` is shorter than [`Borrowed::bytes`].
    #[inline]
    pub fn unpack(&self, from: &UserBuf) {
        assert!(self.len <= from.len(), "the caller has compared them");
        // SAFETY: as in `pack`.
        let mut sink = unsafe { Row::scatter(self.base, from.address(), self.len) };
        let (layout, extent) = (self.datatype.layout(), self.datatype.extent());
        layout.walk_whole(0, extent, self.count, &mut sink);
    }
}
