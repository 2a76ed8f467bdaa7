//! Choice buffers of `mpi_f08`: a descriptor of an array, which may be a section with gaps.
//!
//! A compiler passes `a(1:9:2, :)` without a copy: the descriptor ([`Array`]) has the first
//! element, and for each dimension its extent and the bytes from one element to the next. C wants
//! an address, a count and a datatype. Without gaps these are the caller's. With gaps, an entry
//! point does one of three things, which its row names:
//!
//! * [`Buffer::elements`]: the buffer is `count` elements of a datatype. A datatype is made that
//!   has the section's elements in their order, and one of it is sent. It works for calls that
//!   return before the memory is used.
//! * [`Buffer::whole`]: how much memory the call uses is not known here, or one datatype is for two
//!   buffers. The section is copied to memory without gaps, and back after the call. A call that
//!   returns before the memory is used is refused with `MPI_ERR_BUFFER`.
//! * [`Buffer::first`]: the call is about the address alone.
//!
//! The datatype of a section with gaps is made of blocks with a stride, dimension by dimension. No
//! level of it is contiguous: the extent of a block with gaps ends at its last element, not where
//! the next block begins.
//!
//! The crate has no state. A library of entry points says by [`Calls`] how it makes datatypes.

mod array;

use std::ffi::c_void;

pub use array::{Array, Gfortran, Standard};

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

/// When a call uses the memory of its buffers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Before it returns.
    Now,
    /// After it has returned, too.
    Later,
}

/// A choice buffer as C gets it.
pub struct Buffer<C: Calls> {
    address: *mut c_void,
    /// The datatype or the copy for a section with gaps.
    gaps: Option<Box<Gaps<C>>>,
}

enum Gaps<C: Calls> {
    /// This datatype is the section.
    Datatype(Part<C>),
    /// The section's elements without gaps, and where they belong.
    Copy(Vec<u64>, Shape),
    /// The call cannot do without them being together.
    Refused,
}

impl<C: Calls> Buffer<C> {
    /// A buffer of `count` elements of a datatype.
    ///
    /// # Safety
    /// The descriptor is a compiler's.
    #[inline]
    pub unsafe fn elements(
        of: *const C::Array,
        used: Use,
        count: i64,
        datatype: C::Datatype,
    ) -> Buffer<C> {
        // SAFETY: as the caller says.
        unsafe {
            match is_dense(&*of) {
                true => Buffer::first(of),
                false => Buffer::with_gaps(&*of, used, Some((count, datatype))),
            }
        }
    }

    /// A buffer of which the call alone knows how much it uses.
    ///
    /// # Safety
    /// The descriptor is a compiler's.
    #[inline]
    pub unsafe fn whole(of: *const C::Array, used: Use) -> Buffer<C> {
        // SAFETY: as the caller says.
        unsafe {
            match is_dense(&*of) {
                true => Buffer::first(of),
                false => Buffer::with_gaps(&*of, used, None),
            }
        }
    }

    /// A buffer whose address is all that a call wants.
    ///
    /// # Safety
    /// The descriptor is a compiler's.
    #[inline]
    pub unsafe fn first(of: *const C::Array) -> Buffer<C> {
        Buffer {
            // SAFETY: as the caller says.
            address: C::address(unsafe { (*of).first() }),
            gaps: None,
        }
    }

    #[cold]
    unsafe fn with_gaps(of: &C::Array, used: Use, typed: Option<(i64, C::Datatype)>) -> Buffer<C> {
        let shape = Shape::of(of);
        let made = typed.and_then(|(count, datatype)| shape.datatype::<C>(count, datatype));
        let mut address = of.first();
        let gaps = match (made, used) {
            (Some(datatype), _) => Gaps::Datatype(datatype),
            (None, Use::Now) => {
                let mut copy = vec![0u64; shape.bytes().div_ceil(8)];
                address = copy.as_mut_ptr().cast();
                // SAFETY: the descriptor's elements are the caller's, and the copy has room for
                // them all.
                unsafe { shape.gather(address.cast()) };
                Gaps::Copy(copy, shape)
            }
            (None, Use::Later) => Gaps::Refused,
        };
        Buffer {
            address,
            gaps: Some(Box::new(gaps)),
        }
    }

    /// Returns C's address.
    #[inline]
    pub fn address(&self) -> *mut c_void {
        self.address
    }

    /// Returns C's count for the caller's.
    #[inline]
    pub fn count<T: From<u8>>(&self, count: T) -> T {
        match self.gaps.as_deref() {
            Some(Gaps::Datatype(_)) => T::from(1),
            _ => count,
        }
    }

    /// Returns C's datatype for the caller's.
    #[inline]
    pub fn datatype(&self, datatype: C::Datatype) -> C::Datatype {
        match self.gaps.as_deref() {
            Some(Gaps::Datatype(made)) => made.0,
            _ => datatype,
        }
    }

    /// Whether the call cannot be made with this buffer.
    #[inline]
    pub fn is_refused(&self) -> bool {
        matches!(self.gaps.as_deref(), Some(Gaps::Refused))
    }
}

impl<C: Calls> Drop for Buffer<C> {
    #[inline]
    fn drop(&mut self) {
        if let Some(gaps) = self.gaps.take() {
            put_back(*gaps);
        }
    }
}

#[cold]
fn put_back<C: Calls>(gaps: Gaps<C>) {
    match gaps {
        // What still uses the datatype keeps it.
        Gaps::Datatype(_) | Gaps::Refused => {}
        // SAFETY: the section is the caller's, and the copy has all of its elements.
        Gaps::Copy(copy, shape) => unsafe { shape.scatter(copy.as_ptr().cast()) },
    }
}

/// Whether the elements lie one behind the other. Arrays of assumed size always do, and so do those
/// without elements.
#[inline]
fn is_dense(of: &impl Array) -> bool {
    let mut next = of.element() as isize;
    for at in 0..of.dimensions() {
        let (extent, stride) = of.dimension(at);
        match extent {
            extent if extent <= 0 => return true,
            1 => {}
            _ if stride != next => return is_empty(of),
            _ => {}
        }
        next *= extent;
    }
    true
}

#[cold]
fn is_empty(of: &impl Array) -> bool {
    (0..of.dimensions()).any(|at| of.dimension(at).0 <= 0)
}

/// A section with gaps.
struct Shape {
    base: *mut u8,
    element: usize,
    /// Extent and stride in bytes of each dimension, the innermost first; never empty.
    dimensions: Vec<(usize, isize)>,
}

/// A datatype that this crate has made, freed with this.
struct Part<C: Calls>(C::Datatype);

impl<C: Calls> Drop for Part<C> {
    fn drop(&mut self) {
        C::free(self.0);
    }
}

impl Shape {
    fn of(array: &impl Array) -> Shape {
        let dimensions = (0..array.dimensions()).map(|at| array.dimension(at));
        Shape {
            base: array.first().cast(),
            element: array.element(),
            dimensions: dimensions
                .map(|(extent, stride)| (extent as usize, stride))
                .collect(),
        }
    }

    fn elements(&self) -> usize {
        self.dimensions.iter().map(|(extent, _)| extent).product()
    }

    fn bytes(&self) -> usize {
        self.elements() * self.element
    }

    /// Calls `each` with the address of every element, in their order.
    fn walk(&self, mut each: impl FnMut(*mut u8)) {
        let mut at = vec![0; self.dimensions.len()];
        let mut address = self.base;
        for _ in 0..self.elements() {
            each(address);
            for (position, (extent, stride)) in at.iter_mut().zip(&self.dimensions) {
                *position += 1;
                address = address.wrapping_offset(*stride);
                if position != extent {
                    break;
                }
                address = address.wrapping_offset(-stride * *extent as isize);
                *position = 0;
            }
        }
    }

    /// Copies the section's elements to memory without gaps.
    ///
    /// # Safety
    /// The section is the caller's memory, and `to` has room for [`Self::bytes`].
    unsafe fn gather(&self, mut to: *mut u8) {
        let element = self.element;
        self.walk(|from| {
            // SAFETY: as the caller says; a section does not overlap a copy of it.
            unsafe { std::ptr::copy_nonoverlapping(from, to, element) };
            to = to.wrapping_add(element);
        });
    }

    /// Copies memory without gaps to the section's elements.
    ///
    /// # Safety
    /// The section is the caller's memory, and `from` has [`Self::bytes`].
    unsafe fn scatter(&self, mut from: *const u8) {
        let element = self.element;
        self.walk(|to| {
            // SAFETY: as the caller says; a section does not overlap a copy of it.
            unsafe { std::ptr::copy_nonoverlapping(from, to, element) };
            from = from.wrapping_add(element);
        });
    }

    /// A committed datatype of the first `count` elements of `datatype` in the section. `None`
    /// where the datatype has gaps of its own, or neither it nor an element is a multiple of the
    /// other.
    fn datatype<C: Calls>(&self, count: i64, datatype: C::Datatype) -> Option<Part<C>> {
        let (size, element) = (C::dense_size(datatype)?, self.element as i64);
        let count = count.max(0);
        let (whole, rest, unit) = match (element % size, size % element) {
            (0, _) => (count / (element / size), count % (element / size), datatype),
            (_, 0) => (count * (size / element), 0, C::BYTE),
            _ => return None,
        };
        let per_element = match unit == datatype {
            true => element / size,
            false => element,
        };
        let mut levels = vec![Part::<C>::strided(per_element, C::dense_size(unit)?, unit)?];
        for (extent, stride) in &self.dimensions {
            let below = levels.last()?.0;
            levels.push(Part::<C>::strided(*extent as i64, *stride as i64, below)?);
        }
        self.first(whole, rest, unit, &levels)
    }

    /// A committed datatype of the first `whole` elements and `rest` units of the one behind them.
    /// `levels[d]` has `d` dimensions in full.
    fn first<C: Calls>(
        &self,
        whole: i64,
        rest: i64,
        unit: C::Datatype,
        levels: &[Part<C>],
    ) -> Option<Part<C>> {
        let (mut parts, mut offsets) = (Vec::new(), Vec::new());
        let (mut left, mut offset) = (whole, 0i64);
        for (at, (_, stride)) in self.dimensions.iter().enumerate().rev() {
            let below: i64 = self.dimensions[..at]
                .iter()
                .map(|(n, _)| *n as i64)
                .product();
            let blocks = left / below;
            if blocks > 0 {
                parts.push(Part::<C>::strided(blocks, *stride as i64, levels[at].0)?);
                offsets.push(offset);
            }
            offset += blocks * *stride as i64;
            left %= below;
        }
        if rest > 0 {
            parts.push(Part::<C>::strided(rest, C::dense_size(unit)?, unit)?);
            offsets.push(offset);
        }
        let handles: Vec<C::Datatype> = parts.iter().map(|part: &Part<C>| part.0).collect();
        C::together(&offsets, &handles).map(Part)
    }
}

impl<C: Calls> Part<C> {
    /// `count` of a datatype, `stride` bytes apart.
    fn strided(count: i64, stride: i64, of: C::Datatype) -> Option<Part<C>> {
        C::strided(count, stride, of).map(Part)
    }
}

#[cfg(test)]
mod tests;
