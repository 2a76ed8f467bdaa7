//! Detects send and receive buffers of a collective that are the same memory (MPI 5.0, 6.2.3).
//!
//! Programs must pass `MPI_IN_PLACE` instead. Only buffers that begin at the same byte are
//! detected: the two buffers, or the buffer of one block and this process's block among those of
//! all. That is what programs pass that intend to work in place. Other overlaps are not detected.

use coll::Blocks;
use datatype::Buffer;

use crate::root::RootedRole;
use crate::{Class, Comm, Error};

/// Refuses elements to be sent that begin where those to be received do.
#[inline(always)]
pub(super) fn check_distinct(send: Option<&Buffer>, recv: Option<&Buffer>) -> Result<(), Error> {
    let (Some(send), Some(recv)) = (send, recv) else {
        return Ok(());
    };
    let same = send.span().address() == recv.span().address();
    match same && !send.is_empty() && !recv.is_empty() {
        true => Err(one_buffer()),
        false => Ok(()),
    }
}

/// Refuses a block that is this process's among those of all, or begins where they do.
#[inline(always)]
pub(super) fn check_distinct_from_all(
    comm: &Comm,
    own: Option<&Buffer>,
    all: &Blocks,
) -> Result<(), Error> {
    if own.is_none() || comm.is_inter() {
        return Ok(());
    }
    check_distinct(own, all.first())?;
    check_distinct(own, Some(&all.block(comm.rank())))
}

/// Refuses a root's own block that is among those of all, which are at the root alone.
#[inline(always)]
pub(super) fn check_distinct_at_root(
    role: RootedRole,
    own: Option<&Buffer>,
    all: Option<&Blocks>,
) -> Result<(), Error> {
    match (role, all) {
        (RootedRole::Intra(team, _), Some(all)) if own.is_some() => {
            check_distinct(own, all.first())?;
            check_distinct(own, Some(&all.block(team.rank)))
        }
        _ => Ok(()),
    }
}

#[cold]
fn one_buffer() -> Error {
    let text = "the send buffer is the receive buffer; pass MPI_IN_PLACE, or two buffers";
    Error::new(Class::Buffer, text)
}
