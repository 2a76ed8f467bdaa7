//! Inter-communicators of two groups whose leaders share a communicator (MPI 5.0, 7.6.2).

use base::Rank;
use mpi::{Bridge, Comm, Error, InterCreated};
use pml::Tag;

use crate::unite::unite;

/// Returns the inter-communicator of the group of `comm` and another one, whose leaders reach each
/// other through `bridge` (MPI_Intercomm_create), which matters at the leader alone.
///
/// # Errors
/// When the groups overlap, or a message fails. An error in place of the bridge is reported to
/// the leader's group, which waits for it.
pub fn create_inter(
    comm: &Comm,
    leader: u32,
    bridge: Result<Option<(&Comm, Rank)>, Error>,
    tag: Tag,
) -> Result<Comm, Error> {
    match comm.create_inter_with(leader, bridge, tag)? {
        InterCreated::Made(made) => Ok(*made),
        InterCreated::Foreign(mut leaders) => {
            let leaders = leaders
                .as_mut()
                .map(|leaders| Ok(leaders as &mut dyn Bridge));
            unite(comm, leader, leaders)
        }
    }
}
