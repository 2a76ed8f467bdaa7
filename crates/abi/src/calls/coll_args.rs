//! Arguments of collective calls made into a collective that can begin.
//!
//! Every collective is decoded once, here, whether it blocks, is started or is persistent: a
//! function gives a [`Begin`], and [`run`], [`start`] and [`keep`] are what can be done with it.
//! Arguments that do not count at this process (MPI 5.0, 6.2.3: "significant only at root") are
//! not looked at. The tables are never entered while a collective runs.

use std::ffi::c_void;
use std::sync::Arc;

use datatype::Buffer;
use mpi::collective::{self, Begin, Blocks, Part, Reduction, Root, Vector};
use mpi::{Operation, Persistent};

use super::buffers;
use crate::args::{self, Comm, Counts, Datatype, Info, Op, Request};
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

/// The vectors of a reduction: send buffer, receive buffer, count, type and operation.
#[derive(Clone, Copy)]
pub(crate) struct Reduced(
    pub *const c_void,
    pub *mut c_void,
    pub i64,
    pub Datatype,
    pub Op,
);

/// The communicator of a handle, held while its collective runs.
#[inline(always)]
pub(crate) fn comm(handle: Comm) -> Result<Arc<mpi::Comm>, Failure> {
    runtime::get().tables.enter().comm(handle).cloned()
}

/// Runs a collective to its end.
#[inline(always)]
pub(crate) fn run(comm: &mpi::Comm, begin: impl Begin) -> Result<(), Failure> {
    comm.call(begin).map_err(Failure::from)
}

/// Starts a collective and stores its request.
///
/// # Safety
/// A `request` that is not null is a place for a handle.
pub(crate) unsafe fn start(
    comm: &Arc<mpi::Comm>,
    on: Comm,
    begin: impl Begin,
    request: *mut Request,
) -> Result<(), Failure> {
    refuse_null(request)?;
    // Operators of the user run in here, so the tables are entered afterwards.
    let started = comm.start_collective(begin);
    let handle = runtime::get().tables.enter().request_handle(started, on)?;
    // SAFETY: promised by the caller.
    unsafe { args::write(request, handle, "request") }
}

/// Stores a request that begins the collective whenever it is started.
///
/// # Safety
/// A `request` that is not null is a place for a handle.
pub(crate) unsafe fn keep(
    comm: Arc<mpi::Comm>,
    on: Comm,
    begin: impl Begin,
    info: Info,
    request: *mut Request,
) -> Result<(), Failure> {
    refuse_null(request)?;
    // In turn with the other processes' calls, as the starts need not be.
    let label = comm.label_call(&begin);
    let again = Box::new(move |port: &collective::Port| begin.clone().begin(port));
    let kept = Persistent::new(Operation::Collective {
        comm,
        label,
        begin: again,
    });
    if info != MPI_INFO_NULL && info != MPI_INFO_ENV {
        runtime::get().anytime.enter().infos.get(info)?;
    }
    let mut tables = runtime::get().tables.enter();
    let handle = tables.request_handle(kept, on)?;
    // SAFETY: promised by the caller.
    unsafe { args::write(request, handle, "request") }
}

fn refuse_null(request: *mut Request) -> Result<(), Failure> {
    if request.is_null() {
        return Err(Failure::new(MPI_ERR_ARG, "request is a null pointer"));
    }
    Ok(())
}

/// The part that a root argument gives this process.
#[inline(always)]
fn part(comm: &mpi::Comm, root: i32) -> Result<Part, Failure> {
    let root = match root {
        MPI_ROOT => Root::Here,
        MPI_PROC_NULL => Root::Elsewhere,
        rank => Root::Rank(rank),
    };
    Part::of(comm, root).map_err(Failure::from)
}

impl Elements {
    fn is_in_place(self) -> bool {
        self.0 as usize == MPI_IN_PLACE
    }

    /// # Safety
    /// As of [`buffers::buffer`].
    #[inline(always)]
    unsafe fn buffer(self) -> Result<Buffer, Failure> {
        let Elements(address, count, datatype) = self;
        if self.is_in_place() {
            return Err(misplaced());
        }
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
    unsafe fn room(self) -> Result<Buffer, Failure> {
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
    unsafe fn buffer_unless_in_place(self) -> Result<Option<Buffer>, Failure> {
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
    unsafe fn room_unless_in_place(self) -> Result<Option<Buffer>, Failure> {
        if self.is_in_place() {
            return Ok(None);
        }
        // SAFETY: promised by the caller.
        unsafe { self.room() }.map(Some)
    }

    /// So many blocks of these elements, one after the other.
    #[inline(always)]
    fn times(self, blocks: u32) -> Result<Elements, Failure> {
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
    unsafe fn blocks(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        let whole = unsafe { self.times(blocks)?.buffer()? };
        Ok(Blocks::even(whole, blocks))
    }

    /// Blocks to be received into.
    ///
    /// # Safety
    /// As of [`buffers::buffer`], for all blocks.
    #[inline(always)]
    unsafe fn rooms(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        let whole = unsafe { self.times(blocks)?.room()? };
        Ok(Blocks::even(whole, blocks))
    }
}

#[cold]
fn misplaced() -> Failure {
    Failure::new(
        MPI_ERR_BUFFER,
        "MPI_IN_PLACE is not allowed for this buffer",
    )
}

/// Makes a block of elements a buffer: [`Elements::buffer`] or [`Elements::room`], which ask for
/// the same.
type Make = unsafe fn(Elements) -> Result<Buffer, Failure>;

impl Listed {
    fn is_in_place(self) -> bool {
        self.0 as usize == MPI_IN_PLACE
    }

    /// Blocks to be sent.
    ///
    /// # Safety
    /// The lists have an entry per block, which tells where in memory it is valid.
    unsafe fn blocks(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        unsafe { self.each(blocks, |elements| elements.buffer()) }
    }

    /// Blocks to be received into. Blocks that lie on each other are not found.
    ///
    /// # Safety
    /// As of [`Listed::blocks`].
    unsafe fn rooms(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        unsafe { self.each(blocks, |elements| elements.room()) }
    }

    /// # Safety
    /// As of [`Listed::blocks`], for what `make` needs.
    unsafe fn each(self, blocks: u32, make: Make) -> Result<Blocks, Failure> {
        let Listed(address, counts, displs, datatype) = self;
        if self.is_in_place() {
            return Err(misplaced());
        }
        let blocks = blocks as usize;
        let extent = runtime::get().committed(datatype)?.extent();
        // SAFETY: promised by the caller.
        let counts = unsafe { counts.to_vec(blocks, "the list of counts")? };
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
    fn is_in_place(self) -> bool {
        self.0 as usize == MPI_IN_PLACE
    }

    /// Blocks to be sent.
    ///
    /// # Safety
    /// The lists have an entry per block, which tells where in memory it is valid.
    unsafe fn blocks(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        unsafe { self.each(blocks, |elements| elements.buffer()) }
    }

    /// Blocks to be received into. Blocks that lie on each other are not found.
    ///
    /// # Safety
    /// As of [`Typed::blocks`].
    unsafe fn rooms(self, blocks: u32) -> Result<Blocks, Failure> {
        // SAFETY: promised by the caller.
        unsafe { self.each(blocks, |elements| elements.room()) }
    }

    /// # Safety
    /// As of [`Typed::blocks`], for what `make` needs.
    unsafe fn each(self, blocks: u32, make: Make) -> Result<Blocks, Failure> {
        let Typed(address, counts, displs, types) = self;
        if self.is_in_place() {
            return Err(misplaced());
        }
        let blocks = blocks as usize;
        // SAFETY: promised by the caller.
        let counts = unsafe { counts.to_vec(blocks, "the list of counts")? };
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

impl Reduced {
    /// Of a process that says `MPI_PROC_NULL`: its arguments do not count, and may not even fit
    /// each other.
    const NOTHING: Reduced = Reduced(std::ptr::null(), std::ptr::null_mut(), 0, MPI_INT, MPI_SUM);

    #[inline(always)]
    fn reduction(self) -> Result<Reduction, Failure> {
        reduction(self.3, self.4)
    }

    /// # Safety
    /// As of [`buffers::buffer`], for both buffers; the second counts if `receives`.
    #[inline(always)]
    unsafe fn vector(self, receives: bool) -> Result<Vector, Failure> {
        let Reduced(sendbuf, recvbuf, count, datatype, _) = self;
        // SAFETY: promised by the caller.
        let send = unsafe { Elements(sendbuf, count, datatype).buffer_unless_in_place()? };
        let recv = match receives {
            // SAFETY: promised by the caller.
            true => Some(unsafe { Elements(recvbuf, count, datatype).room()? }),
            false => None,
        };
        let count = count as usize;
        Ok(Vector { send, recv, count })
    }
}

#[inline(always)]
fn reduction(datatype: Datatype, op: Op) -> Result<Reduction, Failure> {
    let runtime = runtime::get();
    let datatype = runtime.committed(datatype)?;
    let operator = runtime.operator(op, &datatype)?;
    let datatype = Arc::clone(&datatype);
    Ok(Reduction {
        operator,
        datatype,
        vectors: runtime.vectors(),
    })
}

/// # Safety
/// The buffer is as MPI_Bcast asks, valid until the collective is over. So it is for every
/// function below.
#[inline(always)]
pub(crate) unsafe fn bcast(
    comm: &mpi::Comm,
    elements: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    // SAFETY: promised by the caller.
    let buffer = unsafe {
        match (part.is_root(), part.has_block()) {
            (true, _) => elements.buffer()?,
            (false, true) => elements.room()?,
            (false, false) => Buffer::EMPTY,
        }
    };
    Ok(collective::bcast(comm, part, buffer))
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn gather(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(part.has_block(), || send.buffer_unless_in_place())?.flatten(),
            when(part.is_root(), || recv.times(part.blocks())?.room())?,
        )
    };
    Ok(collective::gather(comm, part, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn gatherv(
    comm: &mpi::Comm,
    send: Elements,
    recv: Listed,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(part.has_block(), || send.buffer_unless_in_place())?.flatten(),
            when(part.is_root(), || recv.rooms(part.blocks()))?,
        )
    };
    Ok(collective::gatherv(part, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn scatter(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(part.is_root(), || send.times(part.blocks())?.buffer())?,
            when(part.has_block(), || recv.room_unless_in_place())?.flatten(),
        )
    };
    Ok(collective::scatter(comm, part, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn scatterv(
    comm: &mpi::Comm,
    send: Listed,
    recv: Elements,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(part.is_root(), || send.blocks(part.blocks()))?,
            when(part.has_block(), || recv.room_unless_in_place())?.flatten(),
        )
    };
    Ok(collective::scatterv(part, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
#[inline(always)]
pub(crate) unsafe fn allgather(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
) -> Result<impl Begin, Failure> {
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe { (send.buffer_unless_in_place()?, recv.rooms(comm.blocks())?) };
    Ok(collective::allgather(comm, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn allgatherv(
    comm: &mpi::Comm,
    send: Elements,
    recv: Listed,
) -> Result<impl Begin, Failure> {
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe { (send.buffer_unless_in_place()?, recv.rooms(comm.blocks())?) };
    Ok(collective::allgather(comm, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
#[inline(always)]
pub(crate) unsafe fn alltoall(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
) -> Result<impl Begin, Failure> {
    let blocks = comm.blocks();
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(!send.is_in_place(), || send.blocks(blocks))?,
            recv.rooms(blocks)?,
        )
    };
    Ok(collective::alltoall(comm, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn alltoallv(
    comm: &mpi::Comm,
    send: Listed,
    recv: Listed,
) -> Result<impl Begin, Failure> {
    let blocks = comm.blocks();
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(!send.is_in_place(), || send.blocks(blocks))?,
            recv.rooms(blocks)?,
        )
    };
    Ok(collective::alltoall(comm, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn alltoallw(
    comm: &mpi::Comm,
    send: Typed,
    recv: Typed,
) -> Result<impl Begin, Failure> {
    let blocks = comm.blocks();
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            when(!send.is_in_place(), || send.blocks(blocks))?,
            recv.rooms(blocks)?,
        )
    };
    Ok(collective::alltoall(comm, send, recv)?)
}

/// # Safety
/// As of [`bcast`].
#[inline(always)]
pub(crate) unsafe fn reduce(
    comm: &mpi::Comm,
    reduced: Reduced,
    root: i32,
) -> Result<impl Begin, Failure> {
    let part = part(comm, root)?;
    let takes_part = part.is_root() || part.has_block();
    let reduced = if takes_part {
        reduced
    } else {
        Reduced::NOTHING
    };
    let reduction = reduced.reduction()?;
    let vector = match part.has_block() {
        // SAFETY: promised by the caller.
        true => unsafe { reduced.vector(part.is_root())? },
        // SAFETY: promised by the caller.
        false => unsafe { reduced.result_only(part.is_root())? },
    };
    Ok(collective::reduce(comm, part, reduction, vector)?)
}

impl Reduced {
    /// The vector of a process that contributes nothing.
    ///
    /// # Safety
    /// As of [`Reduced::vector`].
    unsafe fn result_only(self, receives: bool) -> Result<Vector, Failure> {
        let Reduced(_, recvbuf, count, datatype, _) = self;
        // SAFETY: promised by the caller.
        let recv = unsafe { when(receives, || Elements(recvbuf, count, datatype).room())? };
        let count = count.max(0) as usize;
        Ok(Vector {
            send: None,
            recv,
            count,
        })
    }
}

/// # Safety
/// As of [`bcast`].
#[inline(always)]
pub(crate) unsafe fn allreduce(comm: &mpi::Comm, reduced: Reduced) -> Result<impl Begin, Failure> {
    let reduction = reduced.reduction()?;
    // SAFETY: promised by the caller.
    let vector = unsafe { reduced.vector(true)? };
    Ok(collective::allreduce(comm, reduction, vector)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn scan(comm: &mpi::Comm, reduced: Reduced) -> Result<impl Begin, Failure> {
    let reduction = reduced.reduction()?;
    // SAFETY: promised by the caller.
    let vector = unsafe { reduced.vector(true)? };
    Ok(collective::scan(comm, reduction, vector)?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn exscan(comm: &mpi::Comm, reduced: Reduced) -> Result<impl Begin, Failure> {
    let reduction = reduced.reduction()?;
    // Rank 0 receives nothing, but in place it has its contribution there.
    let receives = comm.rank() > 0 || reduced.0 as usize == MPI_IN_PLACE;
    // SAFETY: promised by the caller.
    let vector = unsafe { reduced.vector(receives)? };
    Ok(collective::exscan(comm, reduction, vector)?)
}

/// `reduced` has the count of one block.
///
/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn reduce_scatter_block(
    comm: &mpi::Comm,
    reduced: Reduced,
) -> Result<impl Begin, Failure> {
    let Reduced(sendbuf, recvbuf, count, datatype, _) = reduced;
    let reduction = reduced.reduction()?;
    let (send, recv) = (
        Elements(sendbuf, count, datatype),
        Elements(recvbuf, count, datatype),
    );
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        match send.is_in_place() {
            true => (None, recv.times(comm.size())?.room()?),
            false => (Some(send.times(comm.size())?.buffer()?), recv.room()?),
        }
    };
    let counts = collective::Counts::Even(count as usize);
    Ok(collective::reduce_scatter(
        comm, reduction, send, recv, counts,
    )?)
}

/// `reduced` has no count; the counts are those of the blocks.
///
/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn reduce_scatter(
    comm: &mpi::Comm,
    reduced: Reduced,
    counts: Counts,
) -> Result<impl Begin, Failure> {
    let Reduced(sendbuf, recvbuf, _, datatype, _) = reduced;
    let reduction = reduced.reduction()?;
    // SAFETY: promised by the caller.
    let counts = unsafe { counts.to_vec(comm.size() as usize, "recvcounts")? };
    let mut all: i64 = 0;
    for (rank, &count) in counts.iter().enumerate() {
        let sum = all.checked_add(count).filter(|_| count >= 0);
        all = sum.ok_or_else(|| {
            let text = format!("recvcounts[{rank}] is {count}");
            Failure::new(MPI_ERR_COUNT, text)
        })?;
    }
    let mine = counts[comm.rank() as usize];
    let send = Elements(sendbuf, all, datatype);
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        match send.is_in_place() {
            true => (None, Elements(recvbuf, all, datatype).room()?),
            false => (
                Some(send.buffer()?),
                Elements(recvbuf, mine, datatype).room()?,
            ),
        }
    };
    let counts = counts.into_iter().map(|count| count as usize).collect();
    let counts = collective::Counts::Listed(counts);
    Ok(collective::reduce_scatter(
        comm, reduction, send, recv, counts,
    )?)
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn neighbor_allgather(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let sources = around.sources.len() as u32;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe { (send.buffer()?, recv.rooms(sources)?) };
    Ok(collective::neighbor_allgather(comm, around, send, recv))
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn neighbor_allgatherv(
    comm: &mpi::Comm,
    send: Elements,
    recv: Listed,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let sources = around.sources.len() as u32;
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe { (send.buffer()?, recv.rooms(sources)?) };
    Ok(collective::neighbor_allgather(comm, around, send, recv))
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn neighbor_alltoall(
    comm: &mpi::Comm,
    send: Elements,
    recv: Elements,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let (sources, destinations) = (around.sources.len(), around.destinations.len());
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            send.blocks(destinations as u32)?,
            recv.rooms(sources as u32)?,
        )
    };
    Ok(collective::neighbor_alltoall(comm, around, send, recv))
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn neighbor_alltoallv(
    comm: &mpi::Comm,
    send: Listed,
    recv: Listed,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let (sources, destinations) = (around.sources.len(), around.destinations.len());
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            send.blocks(destinations as u32)?,
            recv.rooms(sources as u32)?,
        )
    };
    Ok(collective::neighbor_alltoall(comm, around, send, recv))
}

/// # Safety
/// As of [`bcast`].
pub(crate) unsafe fn neighbor_alltoallw(
    comm: &mpi::Comm,
    send: Typed,
    recv: Typed,
) -> Result<impl Begin, Failure> {
    let around = comm.neighbors()?;
    let (sources, destinations) = (around.sources.len(), around.destinations.len());
    // SAFETY: promised by the caller.
    let (send, recv) = unsafe {
        (
            send.blocks(destinations as u32)?,
            recv.rooms(sources as u32)?,
        )
    };
    Ok(collective::neighbor_alltoall(comm, around, send, recv))
}

/// What `make` gives, where it counts.
#[inline]
fn when<T>(counts: bool, make: impl FnOnce() -> Result<T, Failure>) -> Result<Option<T>, Failure> {
    match counts {
        true => make().map(Some),
        false => Ok(None),
    }
}
