//! Calls that shared memory can serve, with their arguments.

use coll::{Blocks, Function, Reduction, Signature, Vector};
use datatype::Buffer;

use crate::can_reduce;

/// A collective call within a node, with the arguments of one rank.
#[derive(Clone, Copy)]
pub enum NodeCall<'a> {
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

impl NodeCall<'_> {
    /// Whether shared memory serves the call, which all ranks decide alike.
    pub fn is_served(&self) -> bool {
        match self {
            NodeCall::Reduce(_, reduction, _) | NodeCall::Allreduce(reduction, _) => {
                can_reduce(&reduction.datatype)
            }
            NodeCall::Allgather(_, blocks) | NodeCall::Alltoall(_, blocks) => {
                matches!(blocks, Blocks::Even { .. })
            }
            _ => true,
        }
    }

    /// Returns the bytes of a vector that is reduced; `None` for other calls.
    pub fn reduced(&self) -> Option<usize> {
        match self {
            NodeCall::Reduce(_, _, vector) | NodeCall::Allreduce(_, vector) => {
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
            NodeCall::Barrier => Some(0),
            NodeCall::Bcast(_, buffer) => Some(buffer.len()),
            NodeCall::Gather(root, _, all) if root == rank => all.map(part),
            NodeCall::Gather(_, own, _) => own.map(Buffer::len),
            NodeCall::Scatter(root, all, _) if root == rank => Some(part(all?) * others),
            NodeCall::Scatter(_, _, own) => Some(own?.len() * others),
            NodeCall::Allgather(_, blocks) => Some(blocks.block_len(rank)),
            NodeCall::Alltoall(_, blocks) => Some(blocks.block_len(rank) * others),
            NodeCall::Reduce(..) | NodeCall::Allreduce(..) => self.reduced(),
        }
    }

    /// Returns the call signature that all ranks must agree on. A call through shared memory sees
    /// lengths that differ anyway.
    #[inline]
    pub fn signature(&self) -> Signature {
        let rooted = |function, root| Signature::new(function).with_root(Some(root));
        match *self {
            NodeCall::Barrier => Signature::new(Function::Barrier),
            NodeCall::Bcast(root, _) => rooted(Function::Bcast, root),
            NodeCall::Gather(root, ..) => rooted(Function::Gather, root),
            NodeCall::Scatter(root, ..) => rooted(Function::Scatter, root),
            NodeCall::Allgather(..) => Signature::new(Function::Allgather),
            NodeCall::Alltoall(..) => Signature::new(Function::Alltoall),
            NodeCall::Reduce(root, reduction, _) => {
                let signature = Signature::new(Function::Reduce).with_operator(reduction);
                signature.with_root(Some(root))
            }
            NodeCall::Allreduce(reduction, _) => {
                Signature::new(Function::Allreduce).with_operator(reduction)
            }
        }
    }
}
