//! Choice buffers of `mpi_f08`: a descriptor of an array, which may be a section with gaps.
//!
//! A compiler passes `a(1:9:2, :)` without a copy: the descriptor ([`Array`]) has the first
//! element, and for each dimension its extent and the bytes from one element to the next. C wants
//! an address, a count and a datatype. Without gaps these are the caller's. With gaps, an entry
//! point does one of three things, which its row names:
//!
//! * [`Buffer::elements`]: the buffer is `count` elements of a datatype. A datatype is made that
//!   has the section's elements in their order, and one of it is sent.
//! * [`Buffer::whole`]: how much memory the call uses is not known here, or one datatype is for two
//!   buffers. The section is copied to memory without gaps. The elements that the call has changed
//!   there are copied back when it is complete: after the call, or with its request ([`Staged`]). A
//!   call that returns before and has no request is refused with `MPI_ERR_BUFFER`.
//! * [`Buffer::first`]: the call is about the address alone.
//!
//! The datatype of a section with gaps is made of blocks with a stride, dimension by dimension. No
//! level of it is contiguous: the extent of a block with gaps ends at its last element, not where
//! the next block begins.
//!
//! A descriptor whose address is null has no elements, whatever its extents say: those of an array
//! that is not allocated are not set. One that no array can have is refused ([`Refusal`]).
//!
//! Nothing here has a state. A library of entry points says by [`Calls`] how it makes datatypes.

mod array;
mod calls;
#[doc(hidden)]
pub mod fuzz;
mod shape;
mod staged;
mod standard;

use std::ffi::c_void;

pub use array::{Array, Gfortran, Standard};
pub use calls::Calls;
pub use shape::Refusal;
use shape::{is_dense_after_all, Part, Shape};
pub use staged::{Copies, Staged};
pub use standard::{refuse, stage, Native};

/// When a call uses the memory of its buffers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Before it returns.
    Now,
    /// Until its request is complete.
    Staged,
    /// After it has returned; how long is not known.
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
    /// The section's elements without gaps, for a call that has used them when it returns.
    Copy(Staged),
    /// The section's elements without gaps, for a call that has a request.
    Staged(Staged),
    /// The call cannot be made with this buffer.
    Refused(Refusal),
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
        count: impl Into<i64>,
        datatype: C::Datatype,
    ) -> Buffer<C> {
        // SAFETY: as the caller says.
        unsafe {
            match is_dense(&*of) && !(*of).first().is_null() {
                true => Buffer::first(of),
                false => Buffer::with_gaps(&*of, used, Some((count.into(), datatype))),
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
        let mut address = of.first();
        let gaps = match Gaps::of(of, used, typed) {
            // SAFETY: as the caller says.
            Ok(None) => return unsafe { Buffer::first(of) },
            Ok(Some(gaps)) => gaps,
            Err(refusal) => Gaps::Refused(refusal),
        };
        let mut gaps = Box::new(gaps);
        if let Gaps::Copy(staged) | Gaps::Staged(staged) = &mut *gaps {
            // SAFETY: the descriptor's elements are the caller's.
            unsafe { staged.copy_in() };
            address = staged.address();
        }
        Buffer {
            address,
            gaps: Some(gaps),
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

    /// Returns why the call cannot be made with this buffer.
    #[inline]
    pub fn refusal(&self) -> Option<&Refusal> {
        match self.gaps.as_deref() {
            Some(Gaps::Refused(refusal)) => Some(refusal),
            _ => None,
        }
    }

    /// Takes the copy out that the request of the call uses until it is complete.
    #[inline]
    pub fn take_staged(&mut self) -> Option<Staged> {
        match self.gaps.as_deref() {
            Some(Gaps::Staged(_)) => match self.gaps.take().map(|gaps| *gaps) {
                Some(Gaps::Staged(staged)) => Some(staged),
                _ => None,
            },
            _ => None,
        }
    }
}

impl<C: Calls> Gaps<C> {
    /// Returns what stands for an array that is not simply contiguous; `None` where its address
    /// does. Looks at the descriptor alone.
    fn of(
        of: &C::Array,
        used: Use,
        typed: Option<(i64, C::Datatype)>,
    ) -> Result<Option<Gaps<C>>, Refusal> {
        if of.first().is_null() && typed.is_some_and(|(count, _)| count > 0) {
            return Err(Refusal::Unallocated);
        }
        if is_dense_after_all(of) {
            return Ok(None);
        }
        let shape = Shape::new(of)?;
        let made = match typed {
            Some((count, datatype)) => shape.datatype::<C>(count, datatype)?,
            None => None,
        };
        Ok(Some(match (made, used) {
            (Some(datatype), _) => Gaps::Datatype(datatype),
            (None, Use::Now) => Gaps::Copy(Staged::new(shape)?),
            (None, Use::Staged) => Gaps::Staged(Staged::new(shape)?),
            (None, Use::Later) => return Err(shape.refusal()),
        }))
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
        // What still uses the datatype keeps it. A call that has failed has no request.
        Gaps::Datatype(_) | Gaps::Refused(_) | Gaps::Staged(_) => {}
        // SAFETY: the section is the caller's.
        Gaps::Copy(staged) => unsafe { staged.copy_out() },
    }
}

/// Whether the elements lie one behind the other. Arrays of assumed size always do, and so do those
/// without elements.
#[inline]
fn is_dense(of: &impl Array) -> bool {
    let mut next = of.element() as isize;
    if of.dimensions() > array::RANK_MAX {
        return false;
    }
    for at in 0..of.dimensions() {
        let (extent, stride) = of.dimension(at);
        match extent {
            extent if extent <= 0 => return true,
            1 => {}
            _ if stride != next => return is_dense_after_all(of),
            _ => {}
        }
        next = next.wrapping_mul(extent);
    }
    true
}

#[cfg(test)]
mod tests;
