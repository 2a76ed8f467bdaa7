//! Pointers to single values. The constructor's caller guarantees the memory; a null pointer is an
//! error, with the name of the parameter, when the value is read or stored.

use super::null;
use crate::failure::Failure;
use crate::generated::constants::MPI_UNDEFINED;

/// A value that the caller gives behind a pointer.
#[derive(Clone, Copy, Debug)]
pub struct In<T> {
    slot: *const T,
    name: &'static str,
}

/// A slot for a value that the call gives.
#[derive(Clone, Copy, Debug)]
pub struct Out<T> {
    slot: *mut T,
    name: &'static str,
}

/// A value behind a pointer that the caller gives and the call replaces.
#[derive(Clone, Copy, Debug)]
pub struct InOut<T>(Out<T>);

/// A pointer to integers, of `int` or of 64 bits.
#[derive(Clone, Copy, Debug)]
pub enum IntPtr {
    /// To C's `int`.
    Narrow(*mut i32),
    /// To `MPI_Count` or `MPI_Aint`.
    Wide(*mut i64),
}

/// A slot for a count, of `int` or of a 64-bit integer.
#[derive(Clone, Copy, Debug)]
pub struct OutCount(Width);

/// A count behind a pointer that the call replaces, of `int` or of a 64-bit integer.
#[derive(Clone, Copy, Debug)]
pub struct InOutCount(Width);

#[derive(Clone, Copy, Debug)]
enum Width {
    Narrow(InOut<i32>),
    Wide(InOut<i64>),
}

impl<T: Copy> In<T> {
    /// Returns the value that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to a `T` as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(slot: *const T, name: &'static str) -> In<T> {
        In { slot, name }
    }

    /// Returns the value; `MPI_ERR_ARG` where C passed a null pointer.
    #[inline]
    pub fn get(self) -> Result<T, Failure> {
        if self.slot.is_null() {
            return Err(null(self.name));
        }
        // SAFETY: it is not null, so it points to a value (`In::new`).
        Ok(unsafe { self.slot.read() })
    }
}

impl<T> Out<T> {
    /// Returns the slot that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to room for a `T` as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(slot: *mut T, name: &'static str) -> Out<T> {
        Out { slot, name }
    }

    /// Whether C passed a null pointer.
    #[inline]
    pub fn is_null(&self) -> bool {
        self.slot.is_null()
    }

    /// Fails with `MPI_ERR_ARG` where C passed a null pointer.
    #[inline]
    pub fn check(&self) -> Result<(), Failure> {
        match self.is_null() {
            true => Err(null(self.name)),
            false => Ok(()),
        }
    }

    /// Stores the value; `MPI_ERR_ARG` where C passed a null pointer.
    #[inline]
    pub fn set(self, value: T) -> Result<(), Failure> {
        self.check()?;
        // SAFETY: it is not null, so it points to room for a value (`Out::new`).
        unsafe { self.slot.write(value) };
        Ok(())
    }
}

impl<T: Copy> InOut<T> {
    /// Returns the slot that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to a `T`, which may be replaced as long as the call takes.
    #[inline(always)]
    pub unsafe fn new(slot: *mut T, name: &'static str) -> InOut<T> {
        // SAFETY: the caller promises more than is asked for.
        InOut(unsafe { Out::new(slot, name) })
    }

    /// Returns the value; `MPI_ERR_ARG` where C passed a null pointer.
    #[inline]
    pub fn get(self) -> Result<T, Failure> {
        self.0.check()?;
        // SAFETY: it is not null, so it points to a value (`InOut::new`).
        Ok(unsafe { self.0.slot.read() })
    }

    /// Replaces the value; `MPI_ERR_ARG` where C passed a null pointer.
    #[inline]
    pub fn set(self, value: T) -> Result<(), Failure> {
        self.0.set(value)
    }

    /// Whether C passed a null pointer.
    #[inline]
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }
}

impl IntPtr {
    /// Returns a pointer to C's `int`.
    #[inline(always)]
    pub fn narrow(first: *const i32) -> IntPtr {
        IntPtr::Narrow(first.cast_mut())
    }

    /// Returns a pointer to `MPI_Count` or `MPI_Aint`.
    #[inline(always)]
    pub fn wide(first: *const i64) -> IntPtr {
        IntPtr::Wide(first.cast_mut())
    }
}

impl OutCount {
    /// Returns the slot that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to room for an integer of its width, as long as the call
    /// takes.
    #[inline(always)]
    pub unsafe fn new(slot: IntPtr, name: &'static str) -> OutCount {
        // SAFETY: the caller promises the room, and nothing is read.
        OutCount(unsafe { Width::new(slot, name) })
    }

    /// Stores the value, or `MPI_UNDEFINED` where the slot is too narrow for it, as `MPI_Get_count`
    /// does (MPI 5.0, 3.2.5).
    #[inline]
    pub fn set(self, value: i64) -> Result<(), Failure> {
        self.0.set(value)
    }
}

impl From<Out<i64>> for OutCount {
    fn from(slot: Out<i64>) -> OutCount {
        OutCount(Width::Wide(InOut(slot)))
    }
}

impl InOutCount {
    /// Returns the slot that a parameter points to.
    ///
    /// # Safety
    /// A pointer that is not null points to an integer of its width, which may be replaced as long
    /// as the call takes.
    #[inline(always)]
    pub unsafe fn new(slot: IntPtr, name: &'static str) -> InOutCount {
        // SAFETY: promised by the caller.
        InOutCount(unsafe { Width::new(slot, name) })
    }

    /// Returns the value; `MPI_ERR_ARG` where C passed a null pointer.
    #[inline]
    pub fn get(self) -> Result<i64, Failure> {
        match self.0 {
            Width::Narrow(slot) => slot.get().map(i64::from),
            Width::Wide(slot) => slot.get(),
        }
    }

    /// Replaces the value, with `MPI_UNDEFINED` where the slot is too narrow.
    #[inline]
    pub fn set(self, value: i64) -> Result<(), Failure> {
        self.0.set(value)
    }
}

impl Width {
    /// # Safety
    /// A pointer that is not null points to room for an integer of its width, and to an integer if
    /// `InOut::get` is called.
    #[inline(always)]
    unsafe fn new(slot: IntPtr, name: &'static str) -> Width {
        // SAFETY: promised by the caller.
        unsafe {
            match slot {
                IntPtr::Narrow(slot) => Width::Narrow(InOut::new(slot, name)),
                IntPtr::Wide(slot) => Width::Wide(InOut::new(slot, name)),
            }
        }
    }

    #[inline]
    fn set(self, value: i64) -> Result<(), Failure> {
        match self {
            Width::Narrow(slot) => slot.set(i32::try_from(value).unwrap_or(MPI_UNDEFINED)),
            Width::Wide(slot) => slot.set(value),
        }
    }
}
