//! Conversion of buffer arguments to [`datatype::Buffer`]s.

use std::ffi::c_void;

use datatype::Buffer;
use memory::UserBuf;

use crate::args::{Bytes, Datatype, Elements};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::runtime::{self, Runtime};
use crate::tables;

impl Elements {
    /// Returns the elements as a buffer to send from.
    ///
    /// Inlined, so that the buffer of a predefined type stays in registers.
    #[inline(always)]
    pub fn send_buffer(self, runtime: &Runtime) -> Result<Buffer, Failure> {
        if let Some(datatype) = tables::predefined(self.datatype()) {
            if self.count() >= 0 && self.address() as usize > MPI_IN_PLACE {
                // SAFETY: MPI's caller gives these elements (`Elements::new`).
                let made = unsafe { Buffer::new(self.address().cast(), self.count(), datatype) };
                return made.map_err(Failure::from);
            }
        }
        self.unusual_buffer(runtime)
    }

    /// Returns elements of derived datatypes and empty buffers, or what is wrong.
    #[inline(never)]
    fn unusual_buffer(self, runtime: &Runtime) -> Result<Buffer, Failure> {
        let (address, count) = (self.address(), self.count());
        if count < 0 {
            return Err(negative_count(count));
        }
        let known = runtime.committed(of_nothing(count, self.datatype()))?;
        if self.is_in_place() && count > 0 && known.size() > 0 {
            return Err(misplaced());
        }
        if address.is_null() && count > 0 && known.predefined().is_some() {
            return Err(null_buffer(count));
        }
        // SAFETY: MPI's caller gives these elements (`Elements::new`).
        unsafe { Buffer::new(address.cast(), count, &known) }.map_err(Failure::from)
    }

    /// Returns the elements as a buffer to receive into.
    #[inline(always)]
    pub fn recv_buffer(self, runtime: &Runtime) -> Result<Buffer, Failure> {
        self.check_distinct(runtime)?;
        self.send_buffer(runtime)
    }

    /// Refuses elements that nothing can be received into.
    #[inline(always)]
    pub fn check_distinct(self, runtime: &Runtime) -> Result<(), Failure> {
        match tables::predefined(self.datatype()) {
            Some(_) => Ok(()),
            None => self.refuse_overlap(runtime),
        }
    }

    /// Bytes that lie on each other cannot be received into (MPI 5.0, 5.1.11).
    #[inline(never)]
    fn refuse_overlap(self, runtime: &Runtime) -> Result<(), Failure> {
        let count = self.count();
        let known = runtime.committed(of_nothing(count, self.datatype()))?;
        if !known.overlaps(count) {
            return Ok(());
        }
        let text = format!(
            "{count} elements of datatype {:#x} have bytes that lie on each other, so nothing can \
             be received into them",
            self.datatype().0
        );
        Err(Failure::new(MPI_ERR_TYPE, text))
    }

    /// Returns the elements as one block to send.
    #[inline(always)]
    pub fn send_block(self) -> Result<Buffer, Failure> {
        let buffer = self.send_buffer(runtime::get())?;
        // Elements of no bytes cannot be counted by their bytes.
        Ok(if buffer.is_empty() {
            Buffer::EMPTY
        } else {
            buffer
        })
    }

    /// Returns the elements as one block to receive into; fails where their bytes overlap (MPI 5.0,
    /// 5.1.11).
    #[inline(always)]
    pub fn recv_block(self) -> Result<Buffer, Failure> {
        if !self.is_in_place() {
            self.check_distinct(runtime::get())?;
        }
        self.send_block()
    }

    /// Returns the elements as one block to send; `None` for `MPI_IN_PLACE`.
    #[inline(always)]
    pub fn send_block_unless_in_place(self) -> Result<Option<Buffer>, Failure> {
        if self.is_in_place() {
            return Ok(None);
        }
        self.send_block().map(Some)
    }

    /// Returns the elements as one block to receive into; `None` for `MPI_IN_PLACE`.
    #[inline(always)]
    pub fn recv_block_unless_in_place(self) -> Result<Option<Buffer>, Failure> {
        if self.is_in_place() {
            return Ok(None);
        }
        self.recv_block().map(Some)
    }

    /// Returns the elements of this many consecutive blocks.
    #[inline(always)]
    pub fn times(self, blocks: u32) -> Result<Elements, Failure> {
        let count = self.count();
        let all = count.checked_mul(i64::from(blocks));
        let all = all.ok_or_else(|| {
            let text = format!("{blocks} blocks of {count} elements are more than 2^63");
            Failure::new(MPI_ERR_COUNT, text)
        })?;
        // A negative count stays negative, and is refused.
        let all = if count < 0 { count } else { all };
        // SAFETY: MPI's caller gives as many blocks as MPI says (`Elements::new`), which is how
        // many a call asks for.
        Ok(unsafe { Elements::new(self.address(), all, self.datatype()) })
    }
}

impl Bytes {
    /// Returns the memory. The call has looked at the address, and at the size, which `len` is.
    #[inline(always)]
    pub fn memory(self, len: usize) -> UserBuf {
        debug_assert_eq!(usize::try_from(self.size()), Ok(len));
        // SAFETY: MPI's caller gives these bytes (`Bytes::new`).
        unsafe { UserBuf::new(self.address().cast(), self.size().max(0) as usize) }
    }
}

/// Returns the datatype of `count` elements, which is not checked where there are none: programs
/// pass `MPI_DATATYPE_NULL` with a message that is only a signal. Any other handle has to be right.
pub fn of_nothing(count: i64, datatype: Datatype) -> Datatype {
    match (count, datatype) {
        (0, MPI_DATATYPE_NULL) => MPI_BYTE,
        _ => datatype,
    }
}

/// Refuses `MPI_IN_PLACE` for memory that is not of a datatype. No bytes may lie anywhere: in Rust
/// an empty list of bytes begins at address 1.
pub fn refuse_in_place(address: *const c_void, bytes: usize) -> Result<(), Failure> {
    match address as usize == MPI_IN_PLACE && bytes > 0 {
        true => Err(misplaced()),
        false => Ok(()),
    }
}

/// The failure of a call that was given `MPI_IN_PLACE` for another buffer.
#[cold]
pub fn misplaced() -> Failure {
    Failure::new(
        MPI_ERR_BUFFER,
        "MPI_IN_PLACE is not allowed for this buffer",
    )
}

#[cold]
fn negative_count(count: i64) -> Failure {
    Failure::new(MPI_ERR_COUNT, format!("count is {count}"))
}

#[cold]
fn null_buffer(count: i64) -> Failure {
    Failure::new(
        MPI_ERR_BUFFER,
        format!("the buffer of {count} elements is a null pointer"),
    )
}
