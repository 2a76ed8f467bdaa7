//! Prefix reductions: every rank gets the combination of the ranks up to itself.

use std::collections::VecDeque;

use datatype::Buffer;

use crate::data::copy;
use crate::reduce::Vector;
use crate::reduction::{Reduction, Side};
use crate::rules::Scan;
use crate::team::doublings;
use crate::{Error, Port, Team};

/// Receives of a pipelined scan that are posted at once.
const SEGMENTS_AHEAD: usize = 4;

/// Ranks 0 to this one. All ranks have a receive buffer.
pub(crate) async fn inclusive(
    port: &Port,
    way: Scan,
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
    let ranks = 0..team.size;
    prefix(port, way, reduction, acc, vector.count, ranks, team.rank).await
}

/// Ranks 0 to the one before; rank 0 gets nothing. Each rank sends its data one rank up, then the
/// ranks above 0 scan what they received.
pub(crate) async fn exclusive(
    port: &Port,
    way: Scan,
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
    let ranks = 1..team.size;
    prefix(port, way, reduction, acc, vector.count, ranks, team.rank).await
}

/// A chain of the ranks in their order, through which the prefixes run in segments: a rank combines
/// one and sends it on while the next is under way. Each byte passes between two neighbours once.
pub(crate) async fn pipeline(
    port: &Port,
    team: Team,
    reduction: &Reduction,
    vector: &Vector,
    segment: usize,
    is_exclusive: bool,
) -> Result<(), Error> {
    let (count, mine) = (vector.count, vector.mine()?);
    let before = team.rank.checked_sub(1);
    let after = (team.rank + 1 < team.size).then_some(team.rank + 1);
    let in_place = vector.send.is_none();
    // The prefix up to the rank before this one, and up to this one.
    let lower = match (before, is_exclusive && !in_place) {
        (None, _) => Buffer::EMPTY,
        (Some(_), true) => vector.result()?.clone(),
        (Some(_), false) => reduction.scratch(port, count),
    };
    let upper = match is_exclusive {
        true => reduction.scratch(port, count),
        false => vector.result()?.clone(),
    };
    let size = (reduction.datatype.size() as usize).max(1);
    let step = (segment / size).clamp(1, count);
    let part = |buffer: &Buffer, from: usize| reduction.part(buffer, from, step.min(count - from));
    let (mut expected, mut sends) = (VecDeque::new(), Vec::new());
    let mut ahead = (0..count).step_by(step);
    for from in (0..count).step_by(step) {
        let sum = part(&upper, from);
        if is_exclusive || !in_place {
            copy(&part(mine, from), &sum)?;
        }
        if let Some(before) = before {
            while expected.len() < SEGMENTS_AHEAD {
                let Some(next) = ahead.next() else { break };
                expected.push_back(port.recv(before, &part(&lower, next)));
            }
            if let Some(next) = expected.pop_front() {
                port.wait(next).await?;
            }
            let theirs = part(&lower, from);
            reduction.absorb(&sum, &theirs, step.min(count - from), Side::Lower)?;
            if is_exclusive && in_place {
                copy(&theirs, &part(vector.result()?, from))?;
            }
        }
        sends.extend(after.map(|after| port.send(after, &sum)));
    }
    port.all(sends).await
}

/// `acc` becomes the combination of what the ranks from the first of `ranks` to this one have.
async fn prefix(
    port: &Port,
    way: Scan,
    reduction: &Reduction,
    acc: &Buffer,
    count: usize,
    ranks: std::ops::Range<u32>,
    rank: u32,
) -> Result<(), Error> {
    match way {
        Scan::Linear => chain(port, reduction, acc, count, ranks, rank).await,
        Scan::RecursiveDoubling | Scan::Hierarchical => {
            doubling(port, reduction, acc, count, ranks, rank).await
        }
    }
}

/// Each rank takes in what the one before has, and passes it on.
async fn chain(
    port: &Port,
    reduction: &Reduction,
    acc: &Buffer,
    count: usize,
    ranks: std::ops::Range<u32>,
    rank: u32,
) -> Result<(), Error> {
    if rank > ranks.start {
        let spare = reduction.scratch(port, count);
        port.wait(port.recv(rank - 1, &spare)).await?;
        reduction.absorb(acc, &spare, count, Side::Lower)?;
    }
    match rank + 1 < ranks.end {
        true => port.wait(port.send(rank + 1, acc)).await,
        false => Ok(()),
    }
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
