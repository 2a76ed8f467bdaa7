//! Prefix reductions: every rank gets the combination of the ranks up to itself.

use datatype::Buffer;

use crate::data::copy;
use crate::reduce::Vector;
use crate::reduction::{Reduction, Side};
use crate::team::doublings;
use crate::{Error, Port, Running, Team};

/// MPI_SCAN (MPI 5.0, 6.11.1): ranks 0 to this one. All ranks have a receive buffer.
pub fn scan(port: &Port, team: Team, reduction: Reduction, vector: Vector) -> Running {
    running!(port, inclusive(&port, team, &reduction, &vector))
}

/// MPI_EXSCAN (MPI 5.0, 6.11.2): ranks 0 to the one before. Rank 0 gets nothing.
pub fn exscan(port: &Port, team: Team, reduction: Reduction, vector: Vector) -> Running {
    running!(port, exclusive(&port, team, &reduction, &vector))
}

async fn inclusive(
    port: &Port,
    team: Team,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    let acc = vector.result()?;
    if let Some(send) = &vector.send {
        copy(send, acc)?;
    }
    doubling(port, reduction, acc, vector.count, 0..team.size, team.rank).await
}

/// Everybody hands its data one rank up, then the ranks above 0 scan what they got.
async fn exclusive(
    port: &Port,
    team: Team,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    let mut messages = Vec::new();
    if team.rank + 1 < team.size {
        let mut outgoing = vector.mine()?.clone();
        if vector.send.is_none() && team.rank > 0 {
            // The receive that comes next overwrites what is to be sent.
            let kept = reduction.scratch(port, vector.count);
            copy(&outgoing, &kept)?;
            outgoing = kept;
        }
        messages.push(port.send(team.rank + 1, &outgoing));
    }
    if team.rank > 0 {
        messages.push(port.recv(team.rank - 1, vector.result()?));
    }
    port.all(messages).await?;
    if team.rank == 0 {
        return Ok(());
    }
    let acc = vector.result()?;
    doubling(port, reduction, acc, vector.count, 1..team.size, team.rank).await
}

/// After round k `acc` holds the combination of the 2^(k+1) ranks up to this one.
async fn doubling(
    port: &Port,
    reduction: &Reduction,
    acc: &Buffer,
    count: usize,
    ranks: std::ops::Range<u32>,
    rank: u32,
) -> Result<(), Error> {
    let spare = reduction.scratch(port, count);
    for distance in doublings(ranks.len() as u32) {
        let above = (rank + distance < ranks.end).then_some(rank + distance);
        let below = (rank >= ranks.start + distance).then(|| rank - distance);
        match (above, below) {
            (Some(above), Some(below)) => port.exchange(above, acc, below, &spare).await?,
            (Some(above), None) => port.wait(port.send(above, acc)).await?,
            (None, Some(below)) => port.wait(port.recv(below, &spare)).await?,
            (None, None) => {}
        }
        if below.is_some() {
            reduction.absorb(acc, &spare, count, Side::Lower)?;
        }
    }
    Ok(())
}
