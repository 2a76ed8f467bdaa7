//! [`Buffer`]: the elements of a message in memory, with pack and unpack.
//!
//! A buffer is (address, count, datatype). The caller of its unsafe constructor guarantees the
//! memory once; afterwards everything is safe. A message is a sequence of `len` packed bytes, any
//! part of which can be packed or unpacked, in any order and from the middle of an element, so the
//! fragments of a pipelined message may arrive in any order. A buffer without gaps is just a
//! [`UserBuf`], and making one touches no reference count.

use std::sync::Arc;

use memory::{Payload, Slot, UserBuf};

use crate::error::{natural, Error};
use crate::kernel::{List, Mirror, Row};
use crate::layout::Sink;
use crate::Datatype;

/// Bytes on the stack that a copy between two buffers with gaps goes through.
const BOUNCE: usize = 8192;

/// The elements of a message in memory.
#[derive(Clone, Debug)]
pub struct Buffer(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Contiguous(UserBuf),
    Typed(Typed),
}

/// Elements with gaps.
#[derive(Clone, Debug)]
struct Typed {
    /// The address of the first element, not of its first byte.
    base: *mut u8,
    len: usize,
    datatype: Arc<Datatype>,
}

// SAFETY: an address, a length and a shared datatype. Whoever made the buffer promised that the
// memory may be used from any thread that drives the operation, as for `UserBuf`.
unsafe impl Send for Typed {}
// SAFETY: as stated at `Send`; all access goes through raw copies, never through references.
unsafe impl Sync for Typed {}

impl Typed {
    fn count(&self) -> usize {
        self.len / self.datatype.size() as usize
    }

    fn walk<S: Sink>(&self, from: usize, to: usize, sink: &mut S) {
        let (layout, extent) = (self.datatype.layout(), self.datatype.extent());
        match from == 0 && to == self.len {
            true => layout.walk_whole(0, extent, self.count(), sink),
            false => layout.walk_items(0, extent, from, to, sink),
        }
    }

    /// Gathers packed bytes from `position` on.
    ///
    /// # Safety
    /// `into` has room for `len` bytes, and `position + len <= self.len`.
    unsafe fn gather(&self, position: usize, into: *mut u8, len: usize) {
        // SAFETY: the buffer's maker promised the elements; the room is promised by the caller.
        let mut sink = unsafe { Row::gather(self.base, into, self.len) };
        self.walk(position, position + len, &mut sink);
    }

    /// Scatters packed bytes from `position` on.
    ///
    /// # Safety
    /// `from` has `len` bytes, and `position + len <= self.len`.
    unsafe fn scatter(&self, position: usize, from: *const u8, len: usize) {
        // SAFETY: as in `gather`.
        let mut sink = unsafe { Row::scatter(self.base, from, self.len) };
        self.walk(position, position + len, &mut sink);
    }
}

impl Buffer {
    /// No elements.
    pub const EMPTY: Buffer = Buffer(Kind::Contiguous(UserBuf::EMPTY));

    /// Bytes without gaps.
    #[inline]
    pub fn bytes(bytes: UserBuf) -> Buffer {
        Buffer(Kind::Contiguous(bytes))
    }

    /// Returns `count` elements of `datatype`, the first at `base`, as MPI's calls take them.
    /// `base` may be anything (also `MPI_BOTTOM`) when the datatype's displacements make up for it.
    ///
    /// Fails when `count` is negative or the elements would cover more than 2^63 bytes.
    ///
    /// # Safety
    /// The memory of the elements is valid as [`UserBuf::new`] asks, until the operation that
    /// the buffer is handed to has completed.
    #[inline]
    pub unsafe fn new(
        base: *mut u8,
        count: i64,
        datatype: &Arc<Datatype>,
    ) -> Result<Buffer, Error> {
        // SAFETY: passed on from the caller.
        match unsafe { Buffer::contiguous_memory(base, count, datatype) } {
            Some(bytes) => Ok(Buffer(Kind::Contiguous(bytes))),
            // SAFETY: as above.
            None => unsafe { Buffer::with_gaps(base, count, datatype) },
        }
    }

    /// Returns the memory of elements that are one contiguous run, as [`Buffer::new`] would, for
    /// fast paths. `None` for elements with gaps, and where `new` would fail.
    ///
    /// # Safety
    /// See [`Buffer::new`].
    #[inline]
    pub unsafe fn contiguous_memory(
        base: *mut u8,
        count: i64,
        datatype: &Datatype,
    ) -> Option<UserBuf> {
        // A negative count is a very large one.
        if count as u64 > datatype.contiguous_max as u64 {
            return None;
        }
        let len = datatype.size().checked_mul(count)?;
        let address = base.wrapping_offset(datatype.true_lb() as isize);
        // SAFETY: that many elements are this one run; the caller vouches for it.
        Some(unsafe { UserBuf::new(address, len as usize) })
    }

    /// # Safety
    /// See [`Buffer::new`].
    #[inline(never)]
    unsafe fn with_gaps(
        base: *mut u8,
        count: i64,
        datatype: &Arc<Datatype>,
    ) -> Result<Buffer, Error> {
        let len = packed_bytes(count, datatype)?;
        Ok(Buffer(Kind::Typed(Typed {
            base,
            len,
            datatype: datatype.clone(),
        })))
    }

    /// Returns `count` elements of `datatype` in memory that was vouched for, the lowest byte of
    /// data at its start. Fails when the memory has less than [`Datatype::span_bytes`].
    pub fn over(room: UserBuf, count: usize, datatype: &Arc<Datatype>) -> Result<Buffer, Error> {
        let overflow = Error::Overflow {
            what: "the memory of the elements",
        };
        let count = i64::try_from(count).map_err(|_| overflow.clone())?;
        let (low, covered) = datatype.span(count).ok_or(overflow)?;
        if covered as u64 > room.len() as u64 {
            return Err(Error::Room {
                needed: covered as usize,
                room: room.len(),
            });
        }
        let base = room.address().wrapping_offset(low.wrapping_neg() as isize);
        // SAFETY: the elements cover `covered` bytes from the start of `room`, which has them,
        // and the maker of `room` vouched for those.
        unsafe { Buffer::new(base, count, datatype) }
    }

    /// Number of elements. A buffer without gaps has forgotten its datatype: its elements are
    /// bytes.
    pub fn count(&self) -> usize {
        match &self.0 {
            Kind::Contiguous(bytes) => bytes.len(),
            Kind::Typed(typed) => typed.count(),
        }
    }

    /// The elements `first .. first + count`, counted as [`Buffer::count`] does.
    ///
    /// # Panics
    /// When there are fewer.
    pub fn elements(&self, first: usize, count: usize) -> Buffer {
        let typed = match &self.0 {
            Kind::Contiguous(bytes) => return Buffer::bytes(bytes.part(first, count)),
            Kind::Typed(typed) => typed,
        };
        let all = typed.count();
        assert!(
            first <= all && count <= all - first,
            "elements {first}+{count} of a buffer of {all}"
        );
        let ahead = first as i64 * typed.datatype.extent();
        let base = typed.base.wrapping_offset(ahead as isize);
        // SAFETY: these elements are some of those that the buffer's maker promised.
        let part = unsafe { Buffer::new(base, count as i64, &typed.datatype) };
        part.expect("a part spans no more than the whole, which was checked")
    }

    /// The memory from the lowest byte of data to past the highest, gaps included. For
    /// reductions, which know the datatype.
    pub fn span(&self) -> UserBuf {
        let typed = match &self.0 {
            Kind::Contiguous(bytes) => return *bytes,
            Kind::Typed(typed) => typed,
        };
        let span = typed.datatype.span(typed.count() as i64);
        let (low, covered) = span.expect("checked when the buffer was made");
        // SAFETY: the maker promised the elements. The gaps between them lie in the same
        // object of the application, and whoever uses a span writes only data.
        unsafe { UserBuf::new(typed.base.wrapping_offset(low as isize), covered as usize) }
    }

    /// Packed bytes of all elements.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Contiguous(bytes) => bytes.len(),
            Kind::Typed(typed) => typed.len,
        }
    }

    /// Whether there are no bytes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes, when they have no gaps.
    #[inline]
    pub fn contiguous(&self) -> Option<UserBuf> {
        match &self.0 {
            Kind::Contiguous(bytes) => Some(*bytes),
            Kind::Typed(_) => None,
        }
    }

    /// Packs from packed byte `position` on into `slot`, from its byte `at` to its end, and
    /// returns how many bytes that were: as many as there are, or as have room.
    #[inline]
    pub fn pack(&self, position: usize, slot: &mut Slot<'_>, at: usize) -> usize {
        let len = self.left(position).min(slot.len().saturating_sub(at));
        match &self.0 {
            _ if len == 0 => {}
            Kind::Contiguous(bytes) => slot.write_user(at, bytes.part(position, len)),
            // SAFETY: `len` is no more than the room from `at` on and than the bytes left.
            Kind::Typed(typed) => unsafe {
                typed.gather(position, slot.address().add(at), len);
            },
        }
        len
    }

    /// Packs from packed byte `position` on into `into`, and returns how many bytes that were:
    /// as many as there are, or as have room.
    #[inline]
    pub fn pack_into(&self, position: usize, into: &mut [u8]) -> usize {
        self.pack(position, &mut Slot::from(into), 0)
    }

    /// Packs from packed byte `position` on into `into`, and returns how many bytes that were.
    pub fn pack_to_user(&self, position: usize, into: UserBuf) -> usize {
        let len = self.left(position).min(into.len());
        match &self.0 {
            _ if len == 0 => {}
            Kind::Contiguous(bytes) => into.copy_from(&bytes.part(position, len)),
            // SAFETY: `len` is no more than the room and than the bytes left; the maker of
            // `into` vouched for it.
            Kind::Typed(typed) => unsafe { typed.gather(position, into.address(), len) },
        }
        len
    }

    /// Unpacks a fragment that starts at packed byte `position`, and returns how many of its
    /// bytes the buffer took; fewer than it has mean that the message is too long.
    #[inline]
    pub fn unpack(&self, position: usize, from: Payload<'_>) -> usize {
        let len = self.left(position).min(from.len());
        match &self.0 {
            _ if len == 0 => {}
            Kind::Contiguous(bytes) => from.part(0, len).copy_to_user(bytes.part(position, len)),
            // SAFETY: `len` is no more than the fragment has and than the bytes left.
            Kind::Typed(typed) => unsafe { typed.scatter(position, from.address(), len) },
        }
        len
    }

    /// Unpacks from memory that was vouched for; otherwise as [`Buffer::unpack`].
    pub fn unpack_from_user(&self, position: usize, from: UserBuf) -> usize {
        // SAFETY: the maker of `from` promised that it is readable during this call.
        self.unpack(position, unsafe {
            Payload::new(from.address(), from.len())
        })
    }

    /// Appends to `into` the contiguous runs that hold the `len` packed bytes from `position` on,
    /// in packed order. For transports that read and write memory by lists.
    pub fn segments(&self, position: usize, len: usize, into: &mut Vec<UserBuf>) {
        let len = self.left(position).min(len);
        match &self.0 {
            _ if len == 0 => {}
            Kind::Contiguous(bytes) => into.push(bytes.part(position, len)),
            Kind::Typed(typed) => {
                // SAFETY: the buffer's maker promised the elements.
                let mut sink = unsafe { List::new(typed.base, into) };
                typed.walk(position, position + len, &mut sink);
            }
        }
    }

    fn left(&self, position: usize) -> usize {
        self.len().saturating_sub(position)
    }
}

/// The packed bytes of `count` elements, which the address space has room for.
#[inline]
pub(crate) fn packed_bytes(count: i64, datatype: &Datatype) -> Result<usize, Error> {
    natural(count, "count")?;
    let overflow = Error::Overflow {
        what: "the memory of the elements",
    };
    datatype.span(count).ok_or(overflow.clone())?;
    let len = datatype.size().checked_mul(count).ok_or(overflow)?;
    Ok(len as usize)
}

impl From<UserBuf> for Buffer {
    #[inline]
    fn from(bytes: UserBuf) -> Buffer {
        Buffer::bytes(bytes)
    }
}

/// Copies a message within the process, and returns its bytes. When `to` is too small, the bytes
/// that fit are copied and the error holds both lengths.
pub fn copy(from: &Buffer, to: &Buffer) -> Result<usize, Error> {
    let len = from.len().min(to.len());
    match (&from.0, &to.0) {
        _ if len == 0 => {}
        (Kind::Contiguous(bytes), _) => {
            to.unpack_from_user(0, *bytes);
        }
        (_, Kind::Contiguous(bytes)) => {
            from.pack_to_user(0, *bytes);
        }
        (Kind::Typed(a), Kind::Typed(b)) if Arc::ptr_eq(&a.datatype, &b.datatype) => {
            // SAFETY: both makers promised their elements, and `len` fits both.
            let mut sink = unsafe { Mirror::new(a.base, b.base) };
            a.walk(0, len, &mut sink);
        }
        _ => bounce(from, to, len),
    }
    if from.len() > len {
        return Err(Error::Truncated {
            bytes: from.len(),
            room: len,
        });
    }
    Ok(len)
}

fn bounce(from: &Buffer, to: &Buffer, len: usize) {
    let mut room = [0u8; BOUNCE];
    let mut position = 0;
    while position < len {
        let part = &mut room[..BOUNCE.min(len - position)];
        from.pack_into(position, part);
        position += to.unpack(position, Payload::from(&*part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{predefined, Order};
    use memory::Scratch;

    #[test]
    fn a_buffer_is_small_and_a_contiguous_one_borrows_no_datatype() {
        assert!(size_of::<Buffer>() <= 24);
        let int = predefined(0x209).unwrap();
        let counted = Arc::strong_count(int);
        let scratch = Scratch::new(64);
        let buffer = Buffer::over(scratch.buf(), 16, int).unwrap();
        assert_eq!(Arc::strong_count(int), counted);
        assert_eq!(buffer.contiguous(), Some(scratch.buf()));
    }

    /// A face of a cube that is one run, at a displacement, in an element that is longer.
    #[test]
    fn one_element_without_gaps_is_contiguous_and_two_are_not() {
        let scratch = Scratch::new(64);
        let row = Datatype::subarray(
            &[4, 4],
            &[1, 4],
            &[2, 0],
            Order::C,
            predefined(0x209).unwrap(),
        );
        let row = Arc::new(row.unwrap());
        let (low, base) = (row.true_lb() as usize, scratch.buf().address());
        assert_eq!(low, 32);
        // SAFETY: the scratch memory has the one element; nothing is done with the others.
        let made = |count| unsafe { Buffer::new(base, count, &row) };
        let one = made(1).unwrap().contiguous();
        assert_eq!(one, Some(scratch.buf().part(low, 16)));
        assert_eq!(made(0).unwrap().contiguous().unwrap().len(), 0);
        assert!(made(2).unwrap().contiguous().is_none());
        assert!(made(-1).is_err() && made(i64::MAX).is_err());
    }

    #[test]
    fn a_column_packs_from_the_middle_of_an_element() {
        let scratch = Scratch::new(48);
        scratch.buf().write(0, &(0..48).collect::<Vec<u8>>());
        let column = Arc::new(Datatype::vector(3, 1, 4, predefined(0x209).unwrap()).unwrap());
        let buffer = Buffer::over(scratch.buf(), 1, &column).unwrap();
        let mut packed = [0; 7];
        assert_eq!(buffer.pack_into(2, &mut packed), 7);
        assert_eq!(packed, [2, 3, 16, 17, 18, 19, 32]);
        assert_eq!(buffer.unpack(10, Payload::from(&[7u8, 8, 9][..])), 2);
        let mut end = [0; 4];
        scratch.buf().read(32, &mut end);
        assert_eq!(end, [32, 33, 7, 8]);
    }
}
