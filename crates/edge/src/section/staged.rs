//! [`Staged`]: a section's elements without gaps, for as long as a call uses them.

use std::ffi::c_void;

use super::shape::{Refusal, Shape};

/// A copy of a section, which C uses in its place.
pub struct Staged {
    shape: Shape,
    /// The elements as C has them, and as they were: what C did not change is not written, since
    /// the memory may be constant, or another thread's to read.
    copy: Vec<u64>,
    before: Vec<u64>,
}

// SAFETY: the section's memory is the call's until it is complete, whichever thread completes it.
unsafe impl Send for Staged {}

impl Staged {
    pub(crate) fn new(shape: Shape) -> Result<Staged, Refusal> {
        let bytes = shape.bytes();
        let memory = || -> Result<Vec<u64>, Refusal> {
            let mut memory = Vec::new();
            let words = bytes.div_ceil(8);
            let reserved = memory.try_reserve_exact(words);
            reserved.map_err(|_| Refusal::NoMemory(bytes as u64))?;
            memory.resize(words, 0);
            Ok(memory)
        };
        let (copy, before) = (memory()?, memory()?);
        Ok(Staged {
            shape,
            copy,
            before,
        })
    }

    /// Returns the address of the copy, which stays the same.
    pub(crate) fn address(&mut self) -> *mut c_void {
        self.copy.as_mut_ptr().cast()
    }

    /// Copies the section's elements to the memory that C uses.
    ///
    /// # Safety
    /// The section is the caller's memory, which nobody writes meanwhile.
    pub unsafe fn copy_in(&mut self) {
        let to = self.copy.as_mut_ptr().cast();
        // SAFETY: as the caller says; there is room for all elements.
        unsafe { self.shape.gather(to) };
        self.before.copy_from_slice(&self.copy);
    }

    /// Copies the elements that C has changed to the section.
    ///
    /// # Safety
    /// The section is the caller's memory, which nobody else uses where C has changed it.
    pub unsafe fn copy_out(&self) {
        // SAFETY: as the caller says.
        unsafe { (self.shape).scatter(bytes_of(&self.copy), bytes_of(&self.before)) };
    }
}

fn bytes_of(words: &[u64]) -> &[u8] {
    // SAFETY: the words are initialised, and any bytes are.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), std::mem::size_of_val(words)) }
}

/// The copies of a request's buffers, and the functions that C calls with their address
/// (`OXMPI_Request_stage`).
pub struct Copies(Vec<Staged>);

impl Copies {
    /// Returns the address of the copies, which [`Copies::free`] ends.
    pub fn leak(copies: Vec<Staged>) -> *mut c_void {
        Box::into_raw(Box::new(Copies(copies))).cast()
    }

    /// Called when the request is started once more.
    ///
    /// # Safety
    /// `copies` is of [`Copies::leak`].
    pub unsafe extern "C" fn copy_in(copies: *mut c_void) {
        // SAFETY: as the caller says; a request is started by one thread.
        for staged in unsafe { &mut (*copies.cast::<Copies>()).0 } {
            // SAFETY: a program does not write buffers of a request that it starts.
            unsafe { staged.copy_in() };
        }
    }

    /// Called when the request is complete.
    ///
    /// # Safety
    /// `copies` is of [`Copies::leak`].
    pub unsafe extern "C" fn copy_out(copies: *mut c_void) {
        // SAFETY: as the caller says; a request is completed once.
        for staged in unsafe { &(*copies.cast::<Copies>()).0 } {
            // SAFETY: a program does not use buffers of a request before it is complete.
            unsafe { staged.copy_out() };
        }
    }

    /// Called when the request is no more.
    ///
    /// # Safety
    /// `copies` is of [`Copies::leak`], and nothing uses it afterwards.
    pub unsafe extern "C" fn free(copies: *mut c_void) {
        // SAFETY: as the caller says.
        drop(unsafe { Box::from_raw(copies.cast::<Copies>()) });
    }
}
