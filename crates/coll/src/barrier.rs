//! Barrier: no rank leaves before all have entered.

use datatype::Buffer;
use memory::UserBuf;

use crate::rules::Barrier;
use crate::team::doublings;
use crate::{Error, Inter, Peer, Port, Running, Team};

/// MPI_BARRIER on an intra-communicator (MPI 5.0, 6.3).
pub fn barrier(port: &Port, team: Team) -> Running {
    running!(port, dissemination(&port, team))
}

/// Waits for all ranks by an algorithm without nodes.
pub(crate) fn flat(port: &Port, algorithm: Barrier, team: Team) -> Running {
    match algorithm {
        Barrier::Dissemination | Barrier::Hierarchical => {
            running!(port, dissemination(&port, team))
        }
        Barrier::Tree => running!(port, tree(&port, team)),
        Barrier::Linear => running!(port, linear(&port, team)),
    }
}

/// MPI_BARRIER on an inter-communicator: no rank leaves before the whole other group entered.
pub fn inter_barrier(port: &Port, inter: Inter) -> Running {
    running!(port, inter_leaders(&port, inter))
}

/// After round k a rank knows, directly or not, that the 2^(k+1) - 1 ranks to its left entered.
pub(crate) async fn dissemination(port: &Port, team: Team) -> Result<(), Error> {
    let empty = Buffer::bytes(UserBuf::EMPTY);
    for distance in doublings(team.size) {
        port.exchange(team.plus(distance), &empty, team.minus(distance), &empty)
            .await?;
    }
    Ok(())
}

/// Up a binomial tree, and the first rank's release down again.
async fn tree(port: &Port, team: Team) -> Result<(), Error> {
    arrive(port, team).await?;
    let empty = Buffer::bytes(UserBuf::EMPTY);
    crate::bcast::binomial(port, team, 0, &empty).await
}

/// Each rank notifies its parent in a binomial tree once all below it have entered.
pub(crate) async fn arrive(port: &Port, team: Team) -> Result<(), Error> {
    let empty = Buffer::bytes(UserBuf::EMPTY);
    let reach = match team.rank {
        0 => team.size.next_power_of_two(),
        rank => 1 << rank.trailing_zeros(),
    };
    let children = doublings(reach).map(|mask| team.rank + mask);
    let children = children.filter(|child| *child < team.size);
    let arrivals: Vec<_> = children.map(|child| port.recv(child, &empty)).collect();
    port.all(arrivals).await?;
    match team.rank {
        0 => Ok(()),
        rank => port.wait(port.send(rank - reach, &empty)).await,
    }
}

async fn linear(port: &Port, team: Team) -> Result<(), Error> {
    let empty = Buffer::bytes(UserBuf::EMPTY);
    if team.rank != 0 {
        port.wait(port.send(0, &empty)).await?;
        return port.wait(port.recv(0, &empty)).await;
    }
    let others = || 1..team.size;
    let arrivals: Vec<_> = others().map(|rank| port.recv(rank, &empty)).collect();
    port.all(arrivals).await?;
    let releases: Vec<_> = others().map(|rank| port.send(rank, &empty)).collect();
    port.all(releases).await
}

/// The first ranks of both groups notify each other that their groups are complete.
///
/// The local barrier before makes the notification true; the one after spreads it.
async fn inter_leaders(port: &Port, inter: Inter) -> Result<(), Error> {
    let empty = Buffer::bytes(UserBuf::EMPTY);
    dissemination(port, inter.local()).await?;
    if inter.rank == 0 {
        port.exchange(Peer::remote(0), &empty, Peer::remote(0), &empty)
            .await?;
    }
    crate::bcast::binomial(port, inter.local(), 0, &empty).await
}
