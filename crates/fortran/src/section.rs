//! Choice buffers of `mpi_f08`: a descriptor of an array, which may be a section with gaps.
//!
//! A compiler passes `a(1:9:2, :)` without a copy: the descriptor has the first element, and for
//! each dimension its extent and the bytes from one element to the next. C wants an address, a
//! count and a datatype. Without gaps these are the caller's. With gaps, an entry point does one of
//! three things, which its row names:
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

use std::ffi::c_void;

use crate::convert::dense_size;
use crate::generated::c;
use crate::generated::constants::{MPI_DATATYPE_NULL, MPI_ERR_BUFFER, MPI_SUCCESS};
use crate::generated::types::{Comm, Datatype, File, Win};
use crate::sentinel;

/// The dimensions that an array can have.
const RANK_MAX: usize = 15;

/// One dimension of a descriptor (Fortran 2018, 18.5.3).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dimension {
    lower_bound: isize,
    extent: isize,
    /// Bytes from one element to the next.
    stride: isize,
}

/// `CFI_cdesc_t`: what a compiler passes for `type(*), dimension(..)`.
#[repr(C)]
pub struct Descriptor {
    /// The first element, in the order of elements.
    pub base_addr: *mut c_void,
    /// Bytes of an element.
    pub elem_len: usize,
    version: i32,
    rank: i8,
    attribute: i8,
    kind: i16,
    /// As many as `rank` says.
    dimensions: [Dimension; RANK_MAX],
}

/// When a call uses the memory of its buffers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Before it returns.
    Now,
    /// After it has returned, too.
    Later,
}

/// The object whose error handler hears of an error.
#[derive(Clone, Copy)]
pub enum On {
    Comm(Comm),
    Win(Win),
    File(File),
    Nothing,
}

/// A choice buffer as C gets it.
pub struct Buffer {
    address: *mut c_void,
    /// The datatype or the copy for a section with gaps.
    gaps: Option<Box<Gaps>>,
}

enum Gaps {
    /// This datatype is the section.
    Datatype(Datatype),
    /// The section's elements without gaps, and where they belong.
    Copy(Vec<u64>, Shape),
    /// The call cannot do without them being together.
    Refused,
}

/// Why a call is not made.
pub struct Refusal;

impl Buffer {
    /// A buffer of `count` elements of a datatype.
    ///
    /// # Safety
    /// The descriptor is a compiler's.
    #[inline]
    pub unsafe fn elements(
        of: *const Descriptor,
        used: Use,
        count: i64,
        datatype: Datatype,
    ) -> Buffer {
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
    pub unsafe fn whole(of: *const Descriptor, used: Use) -> Buffer {
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
    pub unsafe fn first(of: *const Descriptor) -> Buffer {
        Buffer {
            // SAFETY: as the caller says.
            address: sentinel::buffer_at(unsafe { (*of).base_addr }),
            gaps: None,
        }
    }

    #[cold]
    unsafe fn with_gaps(of: &Descriptor, used: Use, typed: Option<(i64, Datatype)>) -> Buffer {
        let shape = Shape::of(of);
        let made = typed.and_then(|(count, datatype)| shape.datatype(count, datatype));
        let mut address = of.base_addr;
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
    pub fn datatype(&self, datatype: Datatype) -> Datatype {
        match self.gaps.as_deref() {
            Some(Gaps::Datatype(made)) => *made,
            _ => datatype,
        }
    }

    /// Returns why the call cannot be made with this buffer.
    #[inline]
    pub fn refusal(&self) -> Option<Refusal> {
        match self.gaps.as_deref() {
            Some(Gaps::Refused) => Some(Refusal),
            _ => None,
        }
    }
}

impl Drop for Buffer {
    #[inline]
    fn drop(&mut self) {
        if let Some(gaps) = self.gaps.take() {
            put_back(*gaps);
        }
    }
}

#[cold]
fn put_back(gaps: Gaps) {
    match gaps {
        // SAFETY: the datatype is one that this module has made; what still uses it keeps it.
        Gaps::Datatype(mut made) => unsafe {
            c::PMPI_Type_free(&mut made);
        },
        // SAFETY: the section is the caller's, and the copy has all of its elements.
        Gaps::Copy(copy, shape) => unsafe { shape.scatter(copy.as_ptr().cast()) },
        Gaps::Refused => {}
    }
}

impl Refusal {
    /// Has the error handler of an object hear of it, and returns the error code.
    #[cold]
    pub fn raise(self, on: On) -> i32 {
        let code = MPI_ERR_BUFFER;
        // SAFETY: C checks the handles.
        unsafe {
            match on {
                On::Comm(comm) => c::PMPI_Comm_call_errhandler(comm, code),
                On::Win(win) => c::PMPI_Win_call_errhandler(win, code),
                On::File(file) => c::PMPI_File_call_errhandler(file, code),
                On::Nothing => {
                    let comm = crate::generated::constants::MPI_COMM_SELF;
                    c::PMPI_Comm_call_errhandler(comm, code)
                }
            }
        };
        code
    }
}

/// Whether the elements lie one behind the other. Arrays of assumed size always do, and so do those
/// without elements.
#[inline]
fn is_dense(of: &Descriptor) -> bool {
    let mut next = of.elem_len as isize;
    for dimension in &of.dimensions[..of.rank as usize] {
        match dimension.extent {
            extent if extent <= 0 => return true,
            1 => {}
            _ if dimension.stride != next => return is_empty(of),
            _ => {}
        }
        next *= dimension.extent;
    }
    true
}

#[cold]
fn is_empty(of: &Descriptor) -> bool {
    let mut dimensions = of.dimensions[..of.rank as usize].iter();
    dimensions.any(|dimension| dimension.extent <= 0)
}

/// A section with gaps.
struct Shape {
    base: *mut u8,
    element: usize,
    /// Extent and stride in bytes of each dimension, the innermost first; never empty.
    dimensions: Vec<(usize, isize)>,
}

/// The datatype of a part of a section, freed with this.
struct Part(Datatype);

impl Drop for Part {
    fn drop(&mut self) {
        // SAFETY: the datatype is one that this module has made.
        unsafe { c::PMPI_Type_free(&mut self.0) };
    }
}

impl Shape {
    fn of(descriptor: &Descriptor) -> Shape {
        let dimensions = &descriptor.dimensions[..descriptor.rank as usize];
        Shape {
            base: descriptor.base_addr.cast(),
            element: descriptor.elem_len,
            dimensions: dimensions
                .iter()
                .map(|dimension| (dimension.extent as usize, dimension.stride))
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
    fn datatype(&self, count: i64, datatype: Datatype) -> Option<Datatype> {
        let (size, element) = (dense_size(datatype)?, self.element as i64);
        let count = count.max(0);
        let (whole, rest, unit) = match (element % size, size % element) {
            (0, _) => (count / (element / size), count % (element / size), datatype),
            (_, 0) => (
                count * (size / element),
                0,
                crate::generated::constants::MPI_BYTE,
            ),
            _ => return None,
        };
        let per_element = match unit == datatype {
            true => element / size,
            false => element,
        };
        let mut levels = vec![Part::strided(per_element, size_of_unit(unit)?, unit)?];
        for (extent, stride) in &self.dimensions {
            let below = levels.last()?.0;
            levels.push(Part::strided(*extent as i64, *stride as i64, below)?);
        }
        self.first(whole, rest, unit, &levels)
    }

    /// A committed datatype of the first `whole` elements and `rest` units of the one behind them.
    /// `levels[d]` has `d` dimensions in full.
    fn first(&self, whole: i64, rest: i64, unit: Datatype, levels: &[Part]) -> Option<Datatype> {
        let (mut parts, mut offsets) = (Vec::new(), Vec::new());
        let (mut left, mut offset) = (whole, 0i64);
        for (at, (_, stride)) in self.dimensions.iter().enumerate().rev() {
            let below: i64 = self.dimensions[..at]
                .iter()
                .map(|(n, _)| *n as i64)
                .product();
            let blocks = left / below;
            if blocks > 0 {
                parts.push(Part::strided(blocks, *stride as i64, levels[at].0)?);
                offsets.push(offset);
            }
            offset += blocks * *stride as i64;
            left %= below;
        }
        if rest > 0 {
            parts.push(Part::strided(rest, size_of_unit(unit)?, unit)?);
            offsets.push(offset);
        }
        let handles: Vec<Datatype> = parts.iter().map(|part| part.0).collect();
        let lengths = vec![1i64; parts.len()];
        let mut made = MPI_DATATYPE_NULL;
        // SAFETY: the arrays are of the length that is passed.
        let codes = unsafe {
            [
                c::PMPI_Type_create_struct_c(
                    parts.len() as i64,
                    lengths.as_ptr(),
                    offsets.as_ptr(),
                    handles.as_ptr(),
                    &mut made,
                ),
                c::PMPI_Type_commit(&mut made),
            ]
        };
        (codes == [MPI_SUCCESS; 2]).then_some(made)
    }
}

fn size_of_unit(unit: Datatype) -> Option<i64> {
    dense_size(unit)
}

impl Part {
    /// `count` of a datatype, `stride` bytes apart.
    fn strided(count: i64, stride: i64, of: Datatype) -> Option<Part> {
        let mut made = MPI_DATATYPE_NULL;
        // SAFETY: the place is that of a handle.
        let code = unsafe { c::PMPI_Type_create_hvector_c(count, 1, stride, of, &mut made) };
        (code == MPI_SUCCESS).then_some(Part(made))
    }
}
