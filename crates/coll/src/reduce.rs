//! Reduction to one rank.

use std::collections::VecDeque;

use datatype::Buffer;

use crate::data::copy;
use crate::halving::{Cuts, Halving};
use crate::reduction::{Reduction, Side};
use crate::rules::{Reduce, Rules};
use crate::team::Fold;
use crate::{Error, Inter, InterRoot, Peer, Port, Running, Team};

/// Segments that a rank of the pipeline expects at once.
const SEGMENTS_AHEAD: usize = 4;

/// The arguments of a reduction of one vector.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The contribution of this rank; `None` for `MPI_IN_PLACE`.
    pub send: Option<Buffer>,
    /// The buffer of the result, on the ranks that get one; holds the contribution if in place.
    pub recv: Option<Buffer>,
    /// Number of elements.
    pub count: usize,
}

impl Vector {
    /// Returns the contribution of this rank.
    pub(crate) fn mine(&self) -> Result<&Buffer, Error> {
        let own = self.send.as_ref().or(self.recv.as_ref());
        own.ok_or(Error::Arguments("a reduction needs a send buffer"))
    }

    pub(crate) fn result(&self) -> Result<&Buffer, Error> {
        self.recv
            .as_ref()
            .ok_or(Error::Arguments("this rank needs a receive buffer"))
    }

    /// Whether there is nothing to reduce, on any rank.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0 || self.mine().is_ok_and(|mine| mine.is_empty())
    }

    /// Bytes of this rank's contribution.
    pub fn bytes(&self) -> usize {
        self.mine().map_or(0, Buffer::len)
    }
}

/// See [`crate::reduce_in_order`].
pub(crate) async fn in_order(
    port: &Port,
    team: Team,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    match vector.is_empty() {
        true => Ok(()),
        false => linear(port, team, root, reduction, vector).await,
    }
}

/// MPI_REDUCE on an inter-communicator: the other group's data is combined at the root.
pub fn inter_reduce(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    root: InterRoot,
    reduction: Reduction,
    vector: Vector,
) -> Running {
    let rules = rules.clone();
    running!(
        port,
        inter_through_leader(&port, &rules, inter, root, &reduction, &vector)
    )
}

async fn inter_through_leader(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    root: InterRoot,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    match root {
        InterRoot::Elsewhere => Ok(()),
        InterRoot::Here => {
            if vector.result()?.is_empty() {
                return Ok(());
            }
            port.wait(port.recv(Peer::remote(0), vector.result()?))
                .await
        }
        InterRoot::Remote(root) => {
            if vector.is_empty() {
                return Ok(());
            }
            let result = to_leader(port, rules, inter.local(), reduction, vector).await?;
            match result {
                Some(result) => port.wait(port.send(Peer::remote(root), &result)).await,
                None => Ok(()),
            }
        }
    }
}

/// Reduces the group's send buffers; rank 0 returns the result, in scratch memory.
pub(crate) async fn to_leader(
    port: &Port,
    rules: &Rules,
    team: Team,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<Option<Buffer>, Error> {
    let recv = (team.rank == 0).then(|| reduction.scratch(port, vector.count));
    let send = Some(vector.mine()?.clone());
    let local = Vector {
        send,
        recv: recv.clone(),
        count: vector.count,
    };
    any(port, rules, team, 0, reduction, &local).await?;
    Ok(recv)
}

/// The reduction that the rules choose, as a part of another collective.
pub(crate) async fn any(
    port: &Port,
    rules: &Rules,
    team: Team,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    match rules.flat_reduce(team.size, vector.bytes()) {
        Reduce::Binomial | Reduce::Hierarchical => {
            binomial(port, team, root, reduction, vector).await
        }
        Reduce::Rabenseifner => rabenseifner(port, team, root, reduction, vector).await,
        Reduce::Linear => linear(port, team, root, reduction, vector).await,
        Reduce::Pipeline => {
            let segment = rules.reduce_segment(team.size, vector.bytes());
            pipeline(port, team, root, reduction, vector, segment).await
        }
    }
}

/// All ranks send to the root, which combines from the last rank down.
pub(crate) async fn linear(
    port: &Port,
    team: Team,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    let (count, mine) = (vector.count, vector.mine()?);
    if team.rank != root {
        return port.wait(port.send(root, mine)).await;
    }
    let recv = vector.result()?;
    // The own data is overwritten by that of higher ranks, in place.
    let mine = match vector.send {
        Some(_) => mine.clone(),
        None => {
            let kept = reduction.scratch(port, count);
            copy(mine, &kept)?;
            kept
        }
    };
    let spare = reduction.scratch(port, count);
    let last = team.size - 1;
    for rank in (0..team.size).rev() {
        let into = if rank == last { recv } else { &spare };
        match rank == root {
            true => copy(&mine, into)?,
            false => port.wait(port.recv(rank, into)).await?,
        }
        if rank != last {
            reduction.absorb(recv, &spare, count, Side::Lower)?;
        }
    }
    Ok(())
}

/// A chain of ranks through which segments run, each rank combining its own part into them.
///
/// The chain ends at the root if the operator commutes. Otherwise it goes from the last rank to
/// rank 0, which passes the result on.
pub(crate) async fn pipeline(
    port: &Port,
    team: Team,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
    segment: usize,
) -> Result<(), Error> {
    let end = if reduction.commutative() { root } else { 0 };
    let relative = team.relative(end);
    let (count, mine) = (vector.count, vector.mine()?);
    let (before, after) = (team.plus(1), team.minus(1));
    let is_first = relative + 1 == team.size;
    let acc = match &vector.recv {
        Some(recv) if relative == 0 && vector.send.is_some() => recv.clone(),
        _ => reduction.scratch(port, count),
    };
    let size = (reduction.datatype.size() as usize).max(1);
    let step = (segment / size).clamp(1, count);
    let mut expected = VecDeque::new();
    let mut ahead = (0..count).step_by(step);
    let mut sends = Vec::new();
    for from in (0..count).step_by(step) {
        let len = step.min(count - from);
        let part =
            |buffer: &Buffer, from: usize| reduction.part(buffer, from, step.min(count - from));
        let own = part(mine, from);
        if is_first {
            if team.size > 1 {
                sends.push(port.send(after, &own));
            } else {
                copy(&own, &part(&acc, from))?;
            }
            continue;
        }
        while expected.len() < SEGMENTS_AHEAD {
            let Some(next) = ahead.next() else { break };
            expected.push_back(port.recv(before, &part(&acc, next)));
        }
        if let Some(next) = expected.pop_front() {
            port.wait(next).await?;
        }
        let theirs = part(&acc, from);
        reduction.join(port, &own, &theirs, len, reduction.side(Side::Higher))?;
        if relative != 0 {
            sends.push(port.send(after, &theirs));
        }
    }
    port.all(sends).await?;
    if relative == 0 && root != team.rank {
        return port.wait(port.send(root, &acc)).await;
    }
    if relative == 0 && vector.send.is_none() {
        return copy(&acc, vector.result()?);
    }
    match root == team.rank && root != end {
        true => port.wait(port.recv(end, vector.result()?)).await,
        false => Ok(()),
    }
}

/// A binomial tree, whose nodes stand for contiguous ranges of ranks.
///
/// The tree starts at the root if the operator commutes. Otherwise it starts at rank 0, so that
/// no range wraps around, and rank 0 passes the result on.
pub(crate) async fn binomial(
    port: &Port,
    team: Team,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    let top = if reduction.commutative() { root } else { 0 };
    let relative = team.relative(top);
    let count = vector.count;
    let mine = vector.mine()?;
    // Where the result of this rank's subtree grows; none yet while it is `mine` itself.
    let mut acc: Option<Buffer> = match (&vector.send, &vector.recv) {
        (None, Some(recv)) if relative == 0 => Some(recv.clone()),
        _ => None,
    };
    let mut spare = None;
    let mut mask = 1;
    while mask < team.size && relative & mask == 0 {
        if relative + mask < team.size {
            let child = team.absolute(relative + mask, top);
            let side = reduction.side(Side::Higher);
            match &acc {
                None => {
                    let room = match &vector.recv {
                        Some(recv) if vector.send.is_some() => recv.clone(),
                        _ => reduction.scratch(port, count),
                    };
                    port.wait(port.recv(child, &room)).await?;
                    reduction.join(port, mine, &room, count, side)?;
                    acc = Some(room);
                }
                Some(acc) => {
                    let room = spare.get_or_insert_with(|| reduction.scratch(port, count));
                    port.wait(port.recv(child, room)).await?;
                    reduction.absorb(acc, room, count, side)?;
                }
            }
        }
        mask <<= 1;
    }
    let result = acc.as_ref().unwrap_or(mine);
    if relative != 0 {
        port.wait(port.send(team.absolute(relative - mask, top), result))
            .await?;
    } else if root != team.rank {
        port.wait(port.send(root, result)).await?;
    } else if acc.is_none() {
        copy(result, vector.result()?)?;
    }
    if root == team.rank && root != top {
        port.wait(port.recv(top, vector.result()?)).await?;
    }
    Ok(())
}

/// Halving until every survivor has a piece of the result, then collecting the pieces.
pub(crate) async fn rabenseifner(
    port: &Port,
    team: Team,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    let acc = match &vector.recv {
        Some(recv) if team.rank == root => recv.clone(),
        _ => reduction.scratch(port, vector.count),
    };
    let in_place = vector.send.is_none() && team.rank == root;
    let halving = Halving {
        port,
        reduction,
        team,
        fold: Fold::new(team, root),
        mine: if in_place { None } else { Some(vector.mine()?) },
        acc: &acc,
        cuts: Cuts::Anywhere(vector.count),
    };
    halving.reduce_scatter().await?;
    halving.gather(root).await
}
