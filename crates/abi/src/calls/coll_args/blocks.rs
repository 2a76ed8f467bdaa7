//! Buffers of collective calls: elements of one type, and blocks of them.

use std::ffi::c_void;

use datatype::Buffer;
use mpi::collective::Blocks;

use crate::args::{self, Counts, Datatype};
use crate::calls::buffers::{self, misplaced};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::runtime;

/// An argument triple: a buffer of one element type.
#[derive(Clone, Copy)]
pub(crate) struct Elements(pub *const c_void, pub i64, pub Datatype);

/// A buffer of blocks of one element type: address, counts, displacements in elements.
#[derive(Clone, Copy)]
pub(crate) struct Listed(pub *const c_void, pub Counts, pub Counts, pub Datatype);

/// A buffer of blocks: address, counts, displacements in bytes, types.
#[derive(Clone, Copy)]
pub(crate) struct Typed(
    pub *const c_void,
    pub Counts,
    pub Counts,
    pub *const Datatype,
);

impl Elements {
    pub(super) fn is_in_place(self) -> bool {
        self.0 as usize == MPI_IN_PLACE
    }

    /// # Safety
    /// As of [`buffers::buffer`].
    #[inline(always)]
    pub(super) unsafe fn buffer(self) -> Result<Buffer, Failure> {
        let Elements(address, count, datatype) = self;
        // SAFETY: promised by the caller.
        let buffer = unsafe { buffers::buffer(runtime::get(), address, count, datatype)? };
        // Elements of no bytes cannot be counted by their bytes.
        Ok(if buffer.is_empty() {
            Buffer::EMPTY
        } else {
            buffer
        })
    }

    /// The same to be received into: its bytes must not lie on each other (MPI 5.0, 5.1.11).
    ///
    /// # Safety
    /// As of [`buffers::buffer`].
    #[inline(always)]
    pub(super) unsafe fn room(self) -> Result<Buffer, Failure> {
        if !self.is_in_place() {
            buffers::check_room(runtime::get(), self.1, self.2)?;
        }
        // SAFETY: promised by the caller.
        unsafe { self.buffer() }
    }

    /// `None` for `MPI_IN_PLACE`.
    ///
    /// # Safety
    /// As of [`buffers::buffer`].
    #[inline(always)]
    pub(super) unsafe fn buffer_unless_in_place(self) -> Result<Option<Buffer>, Failure> {
        if self.is_in_place() {
            return Ok(None);
        }
        // SAFETY: promised by the caller.
        unsafe { self.buffer() }.map(Some)
    }

    /// `None` for `MPI_IN_PLACE`.
    ///
    /// # Safety
    /// As of [`buffers::buffer`].
    #[inline(always)]
    pub(super) unsafe fn room_unless_in_place(self) -> Result<Option<Buffer>, Failure> {
        if self.is_in_place() {
            return Ok(None);
        }
        // SAFETY: promised by the caller.
        unsafe { self.room() }.map(Some)
    }

    /// So many blocks of these elements, one after the other.
    #[inline(always)]
    pub(super) fn times(self, blocks: u32) -> Result<Elements, Failure> {
        let Elements(address, count, datatype) = self;
        let all = count.checked_mul(i64::from(blocks));
        let all = all.ok_or_else(|| {
            let text = format!("{blocks} blocks of {count} elements are more than 2^63");
            Failure::new(MPI_ERR_COUNT, text)
        })?;
        // A negative count stays negative, and is refused.
        let all = if count < 0 { count } else { all };
        Ok(Elements(address, all, datatype))
    }

    /// Blocks to be sent.
    ///
    /// # Safety
    /// As of [`buffers::buffer`], for all blocks.
    #[inline(always)]
    pub(super) unsafe fn blocks(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        let whole = unsafe { self.times(blocks)?.buffer()? };
        Ok(Blocks::even(whole, blocks))
    }

    /// Blocks to be received into.
    ///
    /// # Safety
    /// As of [`buffers::buffer`], for all blocks.
    #[inline(always)]
    pub(super) unsafe fn rooms(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        let whole = unsafe { self.times(blocks)?.room()? };
        Ok(Blocks::even(whole, blocks))
    }
}

/// Makes a block of elements a buffer: [`Elements::buffer`] or [`Elements::room`], which ask for
/// the same.
type Make = unsafe fn(Elements) -> Result<Buffer, Failure>;

impl Listed {
    pub(super) fn is_in_place(self) -> bool {
        self.0 as usize == MPI_IN_PLACE
    }

    /// Blocks to be sent.
    ///
    /// # Safety
    /// The lists have an entry per block, which tells where in memory it is valid.
    pub(super) unsafe fn blocks(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        unsafe { self.each(blocks, |elements| elements.buffer()) }
    }

    /// Blocks to be received into. Blocks that lie on each other are not found.
    ///
    /// # Safety
    /// As of [`Listed::blocks`].
    pub(super) unsafe fn rooms(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        unsafe { self.each(blocks, |elements| elements.room()) }
    }

    /// # Safety
    /// As of [`Listed::blocks`], for what `make` needs.
    unsafe fn each(self, blocks: u32, make: Make) -> Result<Blocks, Failure> {
        let Listed(address, counts, displs, datatype) = self;
        let blocks = blocks as usize;
        let extent = runtime::get().committed(datatype)?.extent();
        // SAFETY: promised by the caller.
        let counts = unsafe { counts.to_vec(blocks, "the list of counts")? };
        if self.is_in_place() && counts.iter().any(|count| *count > 0) {
            return Err(misplaced());
        }
        // SAFETY: as above.
        let displs = unsafe { displs.to_vec(blocks, "the list of displacements")? };
        let block = |(count, displ): (i64, i64)| {
            let place = block_address(address, count, displ.wrapping_mul(extent));
            // SAFETY: promised by the caller.
            unsafe { make(Elements(place, count, datatype)) }
        };
        let list: Result<Vec<Buffer>, _> = counts.into_iter().zip(displs).map(block).collect();
        Ok(Blocks::from(list?))
    }
}

impl Typed {
    pub(super) fn is_in_place(self) -> bool {
        self.0 as usize == MPI_IN_PLACE
    }

    /// Blocks to be sent.
    ///
    /// # Safety
    /// The lists have an entry per block, which tells where in memory it is valid.
    pub(super) unsafe fn blocks(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        unsafe { self.each(blocks, |elements| elements.buffer()) }
    }

    /// Blocks to be received into. Blocks that lie on each other are not found.
    ///
    /// # Safety
    /// As of [`Typed::blocks`].
    pub(super) unsafe fn rooms(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        unsafe { self.each(blocks, |elements| elements.room()) }
    }

    /// # Safety
    /// As of [`Typed::blocks`], for what `make` needs.
    unsafe fn each(self, blocks: u32, make: Make) -> Result<Blocks, Failure> {
        let Typed(address, counts, displs, types) = self;
        let blocks = blocks as usize;
        // SAFETY: promised by the caller.
        let counts = unsafe { counts.to_vec(blocks, "the list of counts")? };
        if self.is_in_place() && counts.iter().any(|count| *count > 0) {
            return Err(misplaced());
        }
        // SAFETY: as above.
        let displs = unsafe { displs.to_vec(blocks, "the list of displacements")? };
        // SAFETY: as above.
        let types = unsafe { args::array(types, blocks, "the list of datatypes")? };
        let block = |((count, displ), datatype): ((i64, i64), Datatype)| {
            // A type that nothing is sent of does not count; programs pass the null type.
            if count == 0 {
                return Ok(Buffer::EMPTY);
            }
            let place = block_address(address, count, displ);
            // SAFETY: promised by the caller.
            unsafe { make(Elements(place, count, datatype)) }
        };
        let blocks = counts.into_iter().zip(displs).zip(types);
        let list: Result<Vec<Buffer>, _> = blocks.map(block).collect();
        Ok(Blocks::from(list?))
    }
}

/// The address of a block, `ahead` bytes into the buffer. A null buffer stays null whatever the
/// displacement, unless types with absolute addresses make up for it, and an empty block has no
/// address that counts.
fn block_address(address: *const c_void, count: i64, ahead: i64) -> *const c_void {
    if count == 0 {
        return std::ptr::null();
    }
    if address.is_null() && (0..FIRST_PAGE_BYTES).contains(&ahead) {
        return std::ptr::null();
    }
    address.wrapping_byte_offset(ahead as isize)
}

/// No object of the user lies this close to address 0.
const FIRST_PAGE_BYTES: i64 = 4096;
