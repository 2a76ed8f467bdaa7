//! Collectives that combine (MPI 5.0, 6.9 to 6.11).

use std::ffi::c_void;
use std::sync::Arc;

use mpi::collective::{self, Begin, Reduction, Vector};

use super::blocks::Elements;
use super::{part, when};
use crate::args::{Counts, Datatype, Op};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::runtime;

/// The vectors of a reduction: send buffer, receive buffer, count, type and operation.
#[derive(Clone, Copy)]
pub(crate) struct Reduced(
    pub *const c_void,
    pub *mut c_void,
    pub i64,
    pub Datatype,
    pub Op,
);

/// # Safety
/// As of [`super::bcast`].
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

/// # Safety
/// As of [`super::bcast`].
#[inline(always)]
pub(crate) unsafe fn allreduce(comm: &mpi::Comm, reduced: Reduced) -> Result<impl Begin, Failure> {
    let reduction = reduced.reduction()?;
    // SAFETY: promised by the caller.
    let vector = unsafe { reduced.vector(true)? };
    Ok(collective::allreduce(comm, reduction, vector)?)
}

/// # Safety
/// As of [`super::bcast`].
pub(crate) unsafe fn scan(comm: &mpi::Comm, reduced: Reduced) -> Result<impl Begin, Failure> {
    let reduction = reduced.reduction()?;
    // SAFETY: promised by the caller.
    let vector = unsafe { reduced.vector(true)? };
    Ok(collective::scan(comm, reduction, vector)?)
}

/// # Safety
/// As of [`super::bcast`].
pub(crate) unsafe fn exscan(comm: &mpi::Comm, reduced: Reduced) -> Result<impl Begin, Failure> {
    let reduction = reduced.reduction()?;
    // Rank 0 receives nothing, but in place it has its contribution there; one buffer for both is
    // refused there as elsewhere.
    let in_place = reduced.0 as usize == MPI_IN_PLACE;
    let receives = comm.rank() > 0 || in_place || reduced.0 == reduced.1.cast_const();
    // SAFETY: promised by the caller.
    let vector = unsafe { reduced.vector(receives)? };
    Ok(collective::exscan(comm, reduction, vector)?)
}

/// `reduced` has the count of one block.
///
/// # Safety
/// As of [`super::bcast`].
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
/// As of [`super::bcast`].
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

impl Reduced {
    /// Of a process that says `MPI_PROC_NULL`: its arguments do not count, and may not even fit
    /// each other.
    const NOTHING: Reduced = Reduced(std::ptr::null(), std::ptr::null_mut(), 0, MPI_INT, MPI_SUM);

    #[inline(always)]
    fn reduction(self) -> Result<Reduction, Failure> {
        reduction(self.3, self.4)
    }

    /// # Safety
    /// As [`buffer`](crate::calls::buffers::buffer) demands, for both buffers; the second counts if
    /// `receives`.
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

#[inline(always)]
fn reduction(datatype: Datatype, op: Op) -> Result<Reduction, Failure> {
    let runtime = runtime::get();
    let known = runtime.committed(datatype)?;
    let operator = runtime.operator(op, &known, datatype)?;
    let datatype = Arc::clone(&known);
    Ok(Reduction {
        operator,
        datatype,
        vectors: runtime.vectors(),
    })
}
