//! Bytes of calls, also of the collectives whose blocks have counts of their own.
//!
//! Their arrays have an entry for each process of the communicator, or for each neighbour. Those of
//! a gather or scatter count at the root alone: elsewhere a program may leave them out.

use abi_state::args;
use abi_state::generated::constants::{MPI_IN_PLACE, MPI_ROOT};
use abi_state::hooks::{Note, Side};
use abi_state::runtime;
use mpi::Comm;

/// Returns the bytes that a process sends in a call that has succeeded; those that it receives
/// where it sends none. Enters the tables of handles.
#[cold]
pub(super) fn bytes(note: &Note, handle: usize) -> u64 {
    let sizes = {
        let tables = runtime::get().tables.enter();
        let Ok(comm) = tables.comm(args::Comm(handle)) else {
            return 0;
        };
        [(&note.sent, true), (&note.received, false)]
            .map(|(side, goes)| (side, blocks(comm, note, side, goes)))
    };
    let of_side = |(side, blocks): (&Side, usize)| {
        if !side.has_counts() {
            return bytes_of(side);
        }
        // SAFETY: the call has succeeded, and these arrays count for it.
        let all = unsafe { side.blocks(blocks) };
        all.into_iter()
            .map(|(count, datatype)| {
                bytes_of(&Side {
                    count,
                    datatype,
                    ..Side::NONE
                })
            })
            .sum()
    };
    match of_side(sizes[0]) {
        0 => of_side(sizes[1]),
        sent => sent,
    }
}

/// How many blocks a side of a call has in this process; 0 where the arrays do not count.
fn blocks(comm: &Comm, note: &Note, side: &Side, goes: bool) -> usize {
    let is_root = match side.peer {
        Side::ABSENT => true,
        root if comm.is_inter() => root == MPI_ROOT,
        root => i64::from(root) == i64::from(comm.rank()),
    };
    if !is_root || side.buffer == MPI_IN_PLACE {
        return 0;
    }
    if note.neighbours {
        let neighbours = comm.topology().map(|own| own.neighbors(comm.rank()));
        let Some(Ok(neighbours)) = neighbours else {
            return 0;
        };
        return match goes {
            true => neighbours.destinations.len(),
            false => neighbours.sources.len(),
        };
    }
    // Blocks of a reduction are those of the own group.
    match note.op.0 == 0 {
        true => comm.far_group().size(),
        false => comm.size() as usize,
    }
}

/// The bytes of the elements of a side.
pub(super) fn bytes_of(side: &Side) -> u64 {
    if side.datatype.0 == 0 || side.buffer == MPI_IN_PLACE {
        return 0;
    }
    // A swap of one element has no count.
    let count = u64::try_from(side.count).unwrap_or(0);
    let datatype = runtime::get().datatype(side.datatype);
    datatype.map_or(0, |datatype| count.saturating_mul(datatype.size() as u64))
}
