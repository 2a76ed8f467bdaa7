//! Barrier: nobody leaves before everybody has entered.

use datatype::Buffer;
use memory::UserBuf;

use crate::team::doublings;
use crate::{Error, Inter, Peer, Port, Running, Team};

/// MPI_BARRIER on an intra-communicator (MPI 5.0, 6.3).
pub fn barrier(port: &Port, team: Team) -> Running {
    running!(port, dissemination(&port, team))
}

/// MPI_BARRIER on an inter-communicator: nobody leaves before the whole other group entered.
pub fn inter_barrier(port: &Port, inter: Inter) -> Running {
    running!(port, inter_leaders(&port, inter))
}

/// After round k a rank has heard, directly or not, of the 2^(k+1) - 1 ranks to its left.
async fn dissemination(port: &Port, team: Team) -> Result<(), Error> {
    let empty = Buffer::bytes(UserBuf::EMPTY);
    for distance in doublings(team.size) {
        port.exchange(team.plus(distance), &empty, team.minus(distance), &empty)
            .await?;
    }
    Ok(())
}

/// The first ranks of both groups tell each other that their groups are complete.
///
/// The local barrier before makes the news true; the one after spreads it.
async fn inter_leaders(port: &Port, inter: Inter) -> Result<(), Error> {
    let empty = Buffer::bytes(UserBuf::EMPTY);
    dissemination(port, inter.local()).await?;
    if inter.rank == 0 {
        port.exchange(Peer::remote(0), &empty, Peer::remote(0), &empty)
            .await?;
    }
    crate::bcast::binomial(port, inter.local(), 0, &empty).await
}
