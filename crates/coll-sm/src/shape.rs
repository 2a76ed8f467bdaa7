//! Calls that shared memory can serve, with their arguments.

use coll::{Blocks, Function, Reduction, Signature, Vector};
use datatype::Buffer;

use crate::can_reduce;

/// A collective call within a node, with the arguments of one rank.
#[derive(Clone, Copy)]
pub enum Shape<'a> {
    /// `MPI_Barrier`.
    Barrier,
    /// `MPI_Bcast` from a root.
    Bcast(u32, &'a Buffer),
    /// `MPI_Gather` to a root: what this rank sends, and all blocks.
    Gather(u32, Option<&'a Buffer>, Option<&'a Buffer>),
    /// `MPI_Scatter` from a root: all blocks, and where this rank's goes.
    Scatter(u32, Option<&'a Buffer>, Option<&'a Buffer>),
    /// `MPI_Allgather` of blocks of one length.
    Allgather(Option<&'a Buffer>, &'a Blocks),
    /// `MPI_Alltoall` of blocks of one length.
    Alltoall(Option<&'a Blocks>, &'a Blocks),
    /// `MPI_Reduce` to a root.
    Reduce(u32, &'a Reduction, &'a Vector),
    /// `MPI_Allreduce`.
    Allreduce(&'a Reduction, &'a Vector),
}

impl Shape<'_> {
    /// Whether it is served, which depends on what all ranks know.
    pub fn is_served(&self) -> bool {
        match self {
            Shape::Reduce(_, reduction, _) | Shape::Allreduce(reduction, _) => {
                can_reduce(&reduction.datatype)
            }
            Shape::Allgather(_, blocks) | Shape::Alltoall(_, blocks) => {
                matches!(blocks, Blocks::Even { .. })
            }
            _ => true,
        }
    }

    /// Returns the bytes of a vector that is reduced; `None` for other calls.
    pub fn reduced(&self) -> Option<usize> {
        match self {
            Shape::Reduce(_, _, vector) | Shape::Allreduce(_, vector) => {
                let operand = vector.send.as_ref().or(vector.recv.as_ref());
                Some(operand.map_or(0, Buffer::len))
            }
            _ => None,
        }
    }

    /// Returns the most bytes that a rank of `size` shows to the others, a number that all of them
    /// know; `None` where an argument is missing that counts.
    pub(crate) fn shown_max(&self, rank: u32, size: u32) -> Option<usize> {
        let others = size as usize - 1;
        let part = |all: &Buffer| all.len() / size as usize;
        match *self {
            Shape::Barrier => Some(0),
            Shape::Bcast(_, buffer) => Some(buffer.len()),
            Shape::Gather(root, _, all) if root == rank => all.map(part),
            Shape::Gather(_, own, _) => own.map(Buffer::len),
            Shape::Scatter(root, all, _) if root == rank => Some(part(all?) * others),
            Shape::Scatter(_, _, own) => Some(own?.len() * others),
            Shape::Allgather(_, blocks) => Some(blocks.block_len(rank)),
            Shape::Alltoall(_, blocks) => Some(blocks.block_len(rank) * others),
            Shape::Reduce(..) | Shape::Allreduce(..) => self.reduced(),
        }
    }

    /// Returns the call signature that all ranks must agree on. A call through shared memory sees
    /// lengths that differ anyway.
    #[inline]
    pub fn signature(&self) -> Signature {
        let rooted = |function, root| Signature::new(function).with_root(Some(root));
        match *self {
            Shape::Barrier => Signature::new(Function::Barrier),
            Shape::Bcast(root, _) => rooted(Function::Bcast, root),
            Shape::Gather(root, ..) => rooted(Function::Gather, root),
            Shape::Scatter(root, ..) => rooted(Function::Scatter, root),
            Shape::Allgather(..) => Signature::new(Function::Allgather),
            Shape::Alltoall(..) => Signature::new(Function::Alltoall),
            Shape::Reduce(root, reduction, _) => {
                let signature = Signature::new(Function::Reduce).with_operator(reduction);
                signature.with_root(Some(root))
            }
            Shape::Allreduce(reduction, _) => {
                Signature::new(Function::Allreduce).with_operator(reduction)
            }
        }
    }
}
