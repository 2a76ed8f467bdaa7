//! [`Shape`]: the elements of a section, and the datatypes and copies that are made of it.

use std::fmt;

use super::array::{Array, RANK_MAX};
use super::calls::Calls;

/// The end of the addresses that a process has, unless it asks for higher ones.
const ADDRESSES_END: u128 = match cfg!(target_arch = "x86_64") {
    true => 1 << 47,
    false => 1 << 48,
};

/// The reason why a call cannot be made with a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The array is not allocated, or the pointer not associated.
    Unallocated,
    /// No descriptor of a compiler's is like this.
    Nonsense(&'static str),
    /// The call uses more bytes than the section has.
    Small {
        /// Bytes of the section.
        has: u64,
        /// Bytes that the call uses.
        uses: u64,
    },
    /// There is no memory for a copy of this many bytes.
    NoMemory(u64),
    /// The call returns before it has used the buffer, and nothing reports when it has.
    Gaps {
        /// Extent and stride in bytes of each dimension.
        dimensions: Vec<(usize, isize)>,
        /// Bytes of an element.
        element: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unallocated => f.write_str("the array is not allocated"),
            Refusal::Nonsense(why) => write!(f, "the array's descriptor is invalid: {why}"),
            Refusal::Small { has, uses } => {
                write!(f, "the section has {has} bytes, and the call uses {uses}")
            }
            Refusal::NoMemory(bytes) => {
                write!(f, "no memory for a copy of the section of {bytes} bytes")
            }
            Refusal::Gaps {
                dimensions,
                element,
            } => {
                f.write_str("the section has gaps (")?;
                for (at, (extent, stride)) in dimensions.iter().enumerate() {
                    let separator = if at == 0 { "" } else { ", " };
                    write!(f, "{separator}extent {extent} and stride {stride}")?;
                }
                write!(
                    f,
                    " bytes, elements of {element}), and this call returns before it has used the \
                     memory: pass a contiguous array"
                )
            }
        }
    }
}

/// A section with gaps, whose elements do not overlap.
pub(crate) struct Shape {
    pub(crate) base: *mut u8,
    pub(crate) element: usize,
    /// Extent and stride in bytes of each dimension, the innermost first; never empty.
    pub(crate) dimensions: Vec<(usize, isize)>,
}

/// A datatype that this crate has made, freed with this.
pub(crate) struct Part<C: Calls>(pub(crate) C::Datatype);

impl<C: Calls> Drop for Part<C> {
    fn drop(&mut self) {
        C::free(self.0);
    }
}

/// Whether an array whose strides are not those of elements in a row has no gaps nevertheless: it
/// has no elements, or no memory.
///
/// gfortran 12 leaves the unit of strides unset where an assignment of an array expression
/// allocates the array. Such strides agree with each other and with no memory.
pub(crate) fn is_dense_after_all(of: &impl Array) -> bool {
    let all = || (0..of.dimensions()).map(|at| of.dimension(at));
    if of.dimensions() > RANK_MAX {
        return false;
    }
    if of.first().is_null() || all().any(|(extent, _)| extent <= 0) {
        return true;
    }
    let Some((_, unit)) = all().next() else {
        return true;
    };
    let mut next = unit;
    let agrees = all().all(|(extent, stride)| {
        let agrees = extent == 1 || stride == next;
        next = next.wrapping_mul(extent);
        agrees
    });
    agrees && Shape::new(of).is_err()
}

impl Shape {
    /// Returns the shape of an array that has elements.
    ///
    /// # Errors
    /// Where its elements cannot all be in memory, or overlap.
    pub(crate) fn new(array: &impl Array) -> Result<Shape, Refusal> {
        if array.dimensions() > RANK_MAX {
            return Err(Refusal::Nonsense("more than 15 dimensions"));
        }
        let element = array.element();
        let (mut below, mut above) = (0u128, element as u128);
        let mut elements = 1u128;
        let mut dimensions = Vec::new();
        for at in 0..array.dimensions() {
            let (extent, stride) = array.dimension(at);
            let extent = usize::try_from(extent).unwrap_or(0);
            let reach = (extent.saturating_sub(1) as u128) * stride.unsigned_abs() as u128;
            let side = if stride < 0 { &mut below } else { &mut above };
            *side = side.saturating_add(reach);
            elements = elements.saturating_mul(extent as u128);
            dimensions.push((extent, stride));
        }
        let base = array.first() as usize as u128;
        if below > base || base.saturating_add(above) > ADDRESSES_END {
            return Err(Refusal::Nonsense("its elements reach beyond all memory"));
        }
        if elements.saturating_mul(element as u128) > below + above {
            return Err(Refusal::Nonsense("its elements overlap"));
        }
        Ok(Shape {
            base: array.first().cast(),
            element,
            dimensions,
        })
    }

    fn elements(&self) -> usize {
        self.dimensions.iter().map(|(extent, _)| extent).product()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.elements() * self.element
    }

    /// Returns the refusal of these gaps.
    pub(crate) fn refusal(self) -> Refusal {
        Refusal::Gaps {
            dimensions: self.dimensions,
            element: self.element,
        }
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
    pub(crate) unsafe fn gather(&self, mut to: *mut u8) {
        let element = self.element;
        self.walk(|from| {
            // SAFETY: as the caller says; a section does not overlap a copy of it.
            unsafe { std::ptr::copy_nonoverlapping(from, to, element) };
            to = to.wrapping_add(element);
        });
    }

    /// Copies those of the elements in memory without gaps to the section that differ from the same
    /// elements of `before`, which is as long.
    ///
    /// # Safety
    /// The section is the caller's memory, and `from` has [`Self::bytes`].
    pub(crate) unsafe fn scatter(&self, from: &[u8], before: &[u8]) {
        let element = self.element;
        if element == 0 {
            return;
        }
        let mut elements = from.chunks_exact(element).zip(before.chunks_exact(element));
        self.walk(|to| match elements.next() {
            // SAFETY: as the caller says; a section does not overlap a copy of it.
            Some((new, old)) if new != old => unsafe {
                std::ptr::copy_nonoverlapping(new.as_ptr(), to, element);
            },
            _ => {}
        });
    }

    /// Returns a committed datatype of the first `count` elements of `datatype` in the section;
    /// `None` where the datatype has gaps of its own, or neither it nor an element is a multiple of
    /// the other.
    ///
    /// # Errors
    /// Where the section has fewer.
    pub(crate) fn datatype<C: Calls>(
        &self,
        count: i64,
        datatype: C::Datatype,
    ) -> Result<Option<Part<C>>, Refusal> {
        let Some(size) = C::dense_size(datatype) else {
            return Ok(None);
        };
        let (count, has) = (count.max(0), self.bytes() as u64);
        let uses = (count as u64).saturating_mul(size as u64);
        if uses > has {
            return Err(Refusal::Small { has, uses });
        }
        Ok(self.datatype_of(count, size, datatype))
    }

    fn datatype_of<C: Calls>(
        &self,
        count: i64,
        size: i64,
        datatype: C::Datatype,
    ) -> Option<Part<C>> {
        let element = self.element as i64;
        if element == 0 {
            return None;
        }
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
