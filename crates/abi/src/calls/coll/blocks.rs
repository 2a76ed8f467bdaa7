//! Buffers of collective calls: one block of elements, and a block per process or neighbour.
//!
//! C describes blocks in three ways, which are the implementations of [`BlockBuffer`]: [`Elements`]
//! for blocks of one count and type, [`Listed`] for counts and displacements, [`Typed`] for a type
//! of each block too. The collective decides how many blocks there are, as MPI defines; the callers
//! of `Elements::new`, [`Listed::new`] and [`Typed::new`] guarantee the memory of that many.

use std::ffi::c_void;

use abi_state::args::{Datatype, Elements, OpenCounts, OpenList};
use abi_state::buffers::misplaced;
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::runtime;
use datatype::Buffer;
use mpi::collective::Blocks;

/// A buffer of blocks, as arguments describe it.
pub(crate) trait BlockBuffer: Copy {
    /// Whether the address is `MPI_IN_PLACE`.
    fn is_in_place(self) -> bool;

    /// Returns the buffers of this many blocks, each made by `make`.
    fn blocks(self, blocks: u32, make: MakeBuffer) -> Result<Blocks, Failure>;

    /// Returns this many blocks to send.
    #[inline(always)]
    fn send_blocks(self, blocks: u32) -> Result<Blocks, Failure> {
        self.blocks(blocks, Elements::send_block)
    }

    /// Returns this many blocks to send; `None` for `MPI_IN_PLACE`.
    #[inline(always)]
    fn send_blocks_unless_in_place(self, blocks: u32) -> Result<Option<Blocks>, Failure> {
        if self.is_in_place() {
            return Ok(None);
        }
        self.send_blocks(blocks).map(Some)
    }

    /// Returns this many blocks to receive into. Overlap of two listed blocks is not detected.
    #[inline(always)]
    fn recv_blocks(self, blocks: u32) -> Result<Blocks, Failure> {
        self.blocks(blocks, Elements::recv_block)
    }
}

/// Makes a buffer of elements: [`Elements::send_block`] or [`Elements::recv_block`].
type MakeBuffer = fn(Elements) -> Result<Buffer, Failure>;

/// A buffer of blocks of one element type: address, counts, displacements in elements.
#[derive(Clone, Copy)]
pub(crate) struct Listed {
    address: *const c_void,
    counts: OpenCounts,
    displs: OpenCounts,
    datatype: Datatype,
}

/// A buffer of blocks: address, counts, displacements in bytes, types.
#[derive(Clone, Copy)]
pub(crate) struct Typed {
    address: *const c_void,
    counts: OpenCounts,
    displs: OpenCounts,
    types: OpenList<Datatype>,
}

impl BlockBuffer for Elements {
    #[inline(always)]
    fn is_in_place(self) -> bool {
        Elements::is_in_place(self)
    }

    #[inline(always)]
    fn blocks(self, blocks: u32, make: MakeBuffer) -> Result<Blocks, Failure> {
        Ok(Blocks::even(make(self.times(blocks)?)?, blocks))
    }
}

impl Listed {
    /// Returns the blocks that four arguments name.
    ///
    /// # Safety
    /// The lists are null or have an entry for each block that MPI asks for; each block is memory
    /// as for [`Elements::new`].
    #[inline(always)]
    pub(crate) unsafe fn new(
        address: *const c_void,
        counts: OpenCounts,
        displs: OpenCounts,
        datatype: Datatype,
    ) -> Listed {
        Listed {
            address,
            counts,
            displs,
            datatype,
        }
    }
}

impl BlockBuffer for Listed {
    fn is_in_place(self) -> bool {
        self.address as usize == MPI_IN_PLACE
    }

    fn blocks(self, blocks: u32, make: MakeBuffer) -> Result<Blocks, Failure> {
        let Listed {
            address, datatype, ..
        } = self;
        let extent = runtime::get().committed(datatype)?.extent();
        let lists = (self.counts, self.displs);
        // SAFETY: the lists have an entry for each block (`Listed::new`).
        let (counts, displs) = unsafe { entries(blocks, lists, self.is_in_place())? };
        let block = |(count, displ): (i64, i64)| {
            let address = block_address(address, count, displ.wrapping_mul(extent));
            // SAFETY: the lists have each block's place in memory (`Listed::new`).
            make(unsafe { Elements::new(address, count, datatype) })
        };
        let list: Result<Vec<Buffer>, _> = counts.into_iter().zip(displs).map(block).collect();
        Ok(Blocks::from(list?))
    }
}

impl Typed {
    /// Returns the blocks that four arguments name.
    ///
    /// # Safety
    /// The lists are null or have an entry for each block that MPI asks for; each block is memory
    /// as for [`Elements::new`].
    #[inline(always)]
    pub(crate) unsafe fn new(
        address: *const c_void,
        counts: OpenCounts,
        displs: OpenCounts,
        types: OpenList<Datatype>,
    ) -> Typed {
        Typed {
            address,
            counts,
            displs,
            types,
        }
    }
}

impl BlockBuffer for Typed {
    fn is_in_place(self) -> bool {
        self.address as usize == MPI_IN_PLACE
    }

    fn blocks(self, blocks: u32, make: MakeBuffer) -> Result<Blocks, Failure> {
        let lists = (self.counts, self.displs);
        // SAFETY: the lists have an entry for each block (`Typed::new`).
        let (counts, displs, types) = unsafe {
            let (counts, displs) = entries(blocks, lists, self.is_in_place())?;
            let types = self.types.with_length(blocks as usize).to_vec()?;
            (counts, displs, types)
        };
        let block = |((count, displ), datatype): ((i64, i64), Datatype)| {
            // The type of an empty block is not significant; programs pass the null type.
            if count == 0 {
                return Ok(Buffer::EMPTY);
            }
            let address = block_address(self.address, count, displ);
            // SAFETY: the lists have each block's place in memory (`Typed::new`).
            make(unsafe { Elements::new(address, count, datatype) })
        };
        let blocks = counts.into_iter().zip(displs).zip(types);
        let list: Result<Vec<Buffer>, _> = blocks.map(block).collect();
        Ok(Blocks::from(list?))
    }
}

/// Returns the counts and displacements of blocks; fails where `MPI_IN_PLACE` has a block of more
/// than no elements.
///
/// # Safety
/// The lists are null or have an entry for each block.
unsafe fn entries(
    blocks: u32,
    (counts, displs): (OpenCounts, OpenCounts),
    in_place: bool,
) -> Result<(Vec<i64>, Vec<i64>), Failure> {
    let blocks = blocks as usize;
    // SAFETY: promised by the caller.
    let counts = unsafe { counts.with_length(blocks).to_vec()? };
    if in_place && counts.iter().any(|count| *count > 0) {
        return Err(misplaced());
    }
    // SAFETY: as above.
    let displs = unsafe { displs.with_length(blocks).to_vec()? };
    Ok((counts, displs))
}

/// Returns the address of a block, `ahead` bytes into the buffer. It is null for an empty block,
/// and for a block of a null buffer unless the displacement is an absolute address itself.
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
