//! Array arguments. The constructor's caller guarantees the memory; a null pointer is an error,
//! with the name of the parameter, when an element is read or stored.
//!
//! An array knows its length if an argument states it. If MPI derives the length from something
//! else (the size of a communicator, the sum of another array), the array is open, and the call
//! passes the length.

use super::{null, InOut, IntPtr};
use crate::failure::Failure;

/// An array that the caller gives.
#[derive(Clone, Copy, Debug)]
pub struct List<T> {
    first: *const T,
    length: usize,
    name: &'static str,
}

/// An array that the caller gives, of a length that is not an argument.
#[derive(Clone, Copy, Debug)]
pub struct OpenList<T> {
    first: *const T,
    name: &'static str,
}

/// Room for an array that the call gives, of a length that is not an argument.
#[derive(Clone, Copy, Debug)]
pub struct OpenOutList<T> {
    first: *mut T,
    name: &'static str,
}

/// Room for an array that the call gives.
#[derive(Clone, Copy, Debug)]
pub struct OutList<T> {
    first: *mut T,
    length: usize,
    name: &'static str,
}

/// An array that the caller gives, and whose elements the call replaces.
#[derive(Clone, Copy, Debug)]
pub struct InOutList<T>(OutList<T>);

/// An array of counts or displacements, of `int` or of a 64-bit integer.
#[derive(Clone, Copy, Debug)]
pub enum Counts {
    /// An array of C's `int`.
    Narrow(List<i32>),
    /// An array of `MPI_Count` or `MPI_Aint`.
    Wide(List<i64>),
}

/// An array of counts or displacements, of a length that is not an argument.
#[derive(Clone, Copy, Debug)]
pub enum OpenCounts {
    /// An array of C's `int`.
    Narrow(OpenList<i32>),
    /// An array of `MPI_Count` or `MPI_Aint`.
    Wide(OpenList<i64>),
}

/// No array of the user lies this close to address 0; the addresses that MPI gives a meaning do.
const FIRST_PAGE_BYTES: usize = 4096;

/// Elements of an array whose length argument is this; none where it is negative, which the call
/// refuses.
fn elements(length: i64) -> usize {
    usize::try_from(length).unwrap_or(0)
}

impl<T: Copy> List<T> {
    /// Returns the array that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null, nor one of MPI's constants, points to `length` elements as long
    /// as the call takes.
    #[inline(always)]
    pub unsafe fn new(first: *const T, length: i64, name: &'static str) -> List<T> {
        List {
            first,
            length: elements(length),
            name,
        }
    }

    /// Whether the address is this constant of MPI's.
    pub fn is(self, constant: usize) -> bool {
        self.first as usize == constant
    }

    /// The name of the parameter.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Copies the elements; `MPI_ERR_ARG` for a null pointer, or a constant of MPI's, where there
    /// should be some.
    pub fn to_vec(self) -> Result<Vec<T>, Failure> {
        if (self.first as usize) < FIRST_PAGE_BYTES && self.length > 0 {
            return Err(null(self.name));
        }
        // SAFETY: where an element is read, the array is neither null nor a constant, and has this
        // many (`List::new`); C's arrays are aligned.
        let element = |at| unsafe { self.first.add(at).read() };
        Ok((0..self.length).map(element).collect())
    }
}

impl<T: Copy> OpenList<T> {
    /// Returns the array that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null, nor one of MPI's constants, points to as many elements as MPI
    /// says as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(first: *const T, name: &'static str) -> OpenList<T> {
        OpenList { first, name }
    }

    /// Returns the array with its length.
    ///
    /// # Safety
    /// MPI says that there are `length` elements.
    pub unsafe fn with_length(self, length: usize) -> List<T> {
        List {
            first: self.first,
            length,
            name: self.name,
        }
    }
}

impl<T> OpenOutList<T> {
    /// Returns the room that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null, nor one of MPI's constants, points to room for as many elements
    /// as MPI says as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(first: *mut T, name: &'static str) -> OpenOutList<T> {
        OpenOutList { first, name }
    }

    /// Returns the room with its length.
    ///
    /// # Safety
    /// MPI says that there is room for `length` elements.
    pub unsafe fn with_length(self, length: usize) -> OutList<T> {
        OutList {
            first: self.first,
            length,
            name: self.name,
        }
    }
}

impl<T> OutList<T> {
    /// Returns the room that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null, nor one of MPI's constants, points to room for `length` elements
    /// as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(first: *mut T, length: i64, name: &'static str) -> OutList<T> {
        OutList {
            first,
            length: elements(length),
            name,
        }
    }

    /// Whether the address is this constant of MPI's.
    #[inline]
    pub fn is(&self, constant: usize) -> bool {
        self.first as usize == constant
    }

    /// Whether C passed a null pointer.
    #[inline]
    pub fn is_null(&self) -> bool {
        self.first.is_null()
    }

    /// Stores an element; `MPI_ERR_ARG` for a null pointer.
    ///
    /// # Panics
    /// There is no room for an element at this position.
    #[inline]
    pub fn set(&self, at: usize, value: T) -> Result<(), Failure> {
        assert!(
            at < self.length,
            "{} has {} elements",
            self.name,
            self.length
        );
        if self.is_null() {
            return Err(null(self.name));
        }
        // SAFETY: there is room for this element (`OutList::new`).
        unsafe { self.first.add(at).write(value) };
        Ok(())
    }

    /// Stores as many of the values as there is room for; `MPI_ERR_ARG` for a null pointer.
    pub fn fill(&self, values: &[T]) -> Result<(), Failure>
    where
        T: Copy,
    {
        let values = values.iter().take(self.length).enumerate();
        values
            .into_iter()
            .try_for_each(|(at, value)| self.set(at, *value))
    }
}

impl<T: Copy> InOutList<T> {
    /// Returns the array that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to `length` elements, which may be replaced as long as the
    /// call takes.
    #[inline(always)]
    pub unsafe fn new(first: *mut T, length: i64, name: &'static str) -> InOutList<T> {
        // SAFETY: the caller promises more than is asked for.
        InOutList(unsafe { OutList::new(first, length, name) })
    }

    /// Fails with `MPI_ERR_ARG` for a null pointer where there should be elements.
    #[inline]
    pub fn check(&self) -> Result<(), Failure> {
        match self.0.is_null() && self.0.length > 0 {
            true => Err(null(self.0.name)),
            false => Ok(()),
        }
    }

    /// Copies the elements; `MPI_ERR_ARG` for a null pointer where there should be some.
    pub fn to_vec(self) -> Result<Vec<T>, Failure> {
        // SAFETY: there are this many elements (`InOutList::new`).
        unsafe { List::new(self.0.first, self.0.length as i64, self.0.name) }.to_vec()
    }

    /// Stores as many of the values as there is room for; `MPI_ERR_ARG` for a null pointer.
    pub fn fill(&self, values: &[T]) -> Result<(), Failure> {
        self.0.fill(values)
    }

    /// Returns an element; `MPI_ERR_ARG` for a null pointer.
    ///
    /// # Panics
    /// There is no element at this position.
    #[inline]
    pub fn get(&self, at: usize) -> Result<T, Failure> {
        assert!(at < self.0.length);
        if self.0.is_null() {
            return Err(null(self.0.name));
        }
        // SAFETY: the element is there (`InOutList::new`).
        Ok(unsafe { self.0.first.add(at).read() })
    }

    /// Replaces an element; `MPI_ERR_ARG` for a null pointer.
    ///
    /// # Panics
    /// There is no element at this position.
    #[inline]
    pub fn set(&self, at: usize, value: T) -> Result<(), Failure> {
        self.0.set(at, value)
    }

    /// Returns an element as a value of its own.
    ///
    /// # Panics
    /// There is no element at this position.
    #[inline]
    pub fn at(&self, at: usize) -> InOut<T> {
        assert!(at < self.0.length);
        let element = match self.0.is_null() {
            true => self.0.first,
            false => self.0.first.wrapping_add(at),
        };
        // SAFETY: the element is there, or the array is null and so is the element
        // (`InOutList::new`).
        unsafe { InOut::new(element, self.0.name) }
    }
}

impl Counts {
    /// Returns the array that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to `length` integers of its width as long as the call
    /// takes.
    #[inline(always)]
    pub unsafe fn new(first: IntPtr, length: i64, name: &'static str) -> Counts {
        // SAFETY: promised by the caller.
        unsafe {
            match first {
                IntPtr::Narrow(first) => Counts::Narrow(List::new(first, length, name)),
                IntPtr::Wide(first) => Counts::Wide(List::new(first, length, name)),
            }
        }
    }

    /// Whether it is of 64-bit integers.
    pub fn is_wide(self) -> bool {
        matches!(self, Counts::Wide(_))
    }

    /// Copies the elements; `MPI_ERR_ARG` for a null pointer where there should be some.
    pub fn to_vec(self) -> Result<Vec<i64>, Failure> {
        match self {
            Counts::Narrow(list) => Ok(list.to_vec()?.into_iter().map(i64::from).collect()),
            Counts::Wide(list) => list.to_vec(),
        }
    }
}

impl OpenCounts {
    /// Returns the array that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to as many integers of its width as MPI says, as long as
    /// the call takes.
    #[inline(always)]
    pub unsafe fn new(first: IntPtr, name: &'static str) -> OpenCounts {
        // SAFETY: promised by the caller.
        unsafe {
            match first {
                IntPtr::Narrow(first) => OpenCounts::Narrow(OpenList::new(first, name)),
                IntPtr::Wide(first) => OpenCounts::Wide(OpenList::new(first, name)),
            }
        }
    }

    /// Returns the array with its length.
    ///
    /// # Safety
    /// MPI says that there are `length` elements.
    pub unsafe fn with_length(self, length: usize) -> Counts {
        // SAFETY: promised by the caller.
        unsafe {
            match self {
                OpenCounts::Narrow(list) => Counts::Narrow(list.with_length(length)),
                OpenCounts::Wide(list) => Counts::Wide(list.with_length(length)),
            }
        }
    }
}
