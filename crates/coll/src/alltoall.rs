//! Alltoall: a block of every rank to every other one.

use std::collections::VecDeque;

use crate::data::{bytes_of, copy, scratch, Blocks};
use crate::port::Op;
use crate::rules::{Alltoall, Alltoallv, Rules};
use crate::team::doublings;
use crate::{Error, Inter, Peer, Port, Running, Team};

/// Exchanges equal blocks by an algorithm without nodes. `send` is `None` for `MPI_IN_PLACE`.
pub(crate) fn flat(
    port: &Port,
    rules: &Rules,
    algorithm: Alltoall,
    team: Team,
    send: Option<Blocks>,
    recv: Blocks,
) -> Running {
    let Some(send) = send else {
        return running!(port, in_place(&port, team, recv));
    };
    let window = match algorithm {
        Alltoall::Bruck => return running!(port, bruck(&port, team, send, recv)),
        Alltoall::Linear => usize::MAX,
        Alltoall::Pairwise | Alltoall::Hierarchical => {
            rules.alltoall_window(team.size, recv.len() / team.size as usize)
        }
    };
    running!(port, pairwise(&port, team, send, recv, window))
}

/// MPI_ALLTOALLV and MPI_ALLTOALLW on an intra-communicator (MPI 5.0, 6.8).
pub fn alltoallv(
    port: &Port,
    rules: &Rules,
    team: Team,
    send: Option<Blocks>,
    recv: Blocks,
) -> Running {
    let window = match rules.alltoallv(team.size) {
        Alltoallv::Pairwise => rules.alltoallv_window(team.size),
        Alltoallv::Linear => usize::MAX,
    };
    match send {
        Some(send) => running!(port, pairwise(&port, team, send, recv, window)),
        None => running!(port, in_place(&port, team, recv)),
    }
}

/// MPI_ALLTOALL, MPI_ALLTOALLV and MPI_ALLTOALLW on an inter-communicator; both lists have a
/// block per remote rank.
pub fn inter_alltoall(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    send: Blocks,
    recv: Blocks,
) -> Running {
    let window = rules.alltoall_max_requests.max(1);
    running!(port, inter_pairwise(&port, inter, send, recv, window))
}

/// Messages under way, awaited in the order in which they were posted.
struct Window<'a> {
    port: &'a Port,
    limit: usize,
    ops: VecDeque<Op>,
}

impl Window<'_> {
    async fn add(&mut self, op: Option<Op>) -> Result<(), Error> {
        self.ops.extend(op);
        if self.ops.len() > self.limit {
            let oldest = self.ops.pop_front().expect("more than the limit");
            self.port.wait(oldest).await?;
        }
        Ok(())
    }

    async fn finish(self) -> Result<(), Error> {
        self.port.all(Vec::from(self.ops)).await
    }
}

/// In step k each rank sends to the rank k to the right and receives from the rank k to the left.
///
/// A window of steps is under way at once. Step k of a rank needs only step k of others, and all
/// ranks start their steps in the same order, so the oldest can always complete.
async fn pairwise(
    port: &Port,
    team: Team,
    send: Blocks,
    recv: Blocks,
    window: usize,
) -> Result<(), Error> {
    send.expect(team.size)?;
    recv.expect(team.size)?;
    let mut under_way = Window {
        port,
        limit: window.saturating_mul(2),
        ops: VecDeque::new(),
    };
    for step in 1..team.size {
        let (to, from) = (team.plus(step), team.minus(step));
        let (outgoing, incoming) = (send.block(to), recv.block(from));
        under_way
            .add((!incoming.is_empty()).then(|| port.recv(from, &incoming)))
            .await?;
        under_way
            .add((!outgoing.is_empty()).then(|| port.send(to, &outgoing)))
            .await?;
    }
    copy(&send.block(team.rank), &recv.block(team.rank))?;
    under_way.finish().await
}

/// In step k the ranks whose sum is k modulo the size exchange blocks, so that one block of
/// spare memory is enough.
async fn in_place(port: &Port, team: Team, recv: Blocks) -> Result<(), Error> {
    recv.expect(team.size)?;
    let longest = (0..team.size)
        .map(|rank| recv.block_len(rank))
        .max()
        .unwrap_or(0);
    let spare = port.scratch(longest);
    for step in 0..team.size {
        let partner = team.absolute(step, team.size - team.rank);
        let block = recv.block(partner);
        if partner == team.rank || block.is_empty() {
            continue;
        }
        let outgoing = bytes_of(spare, 0..block.len());
        copy(&block, &outgoing)?;
        port.exchange(partner, &outgoing, partner, &block).await?;
    }
    Ok(())
}

/// In round k all blocks whose distance to go has bit k set move 2^k to the right.
///
/// Blocks lie packed by the distance they have to go; in the end, by the distance they came.
async fn bruck(port: &Port, team: Team, send: Blocks, recv: Blocks) -> Result<(), Error> {
    send.expect(team.size)?;
    recv.expect(team.size)?;
    let (size, block) = (team.size, recv.block_len(0));
    if block == 0 {
        return Ok(());
    }
    let packed = port.scratch(block * size as usize);
    let at = |place: u32| bytes_of(packed, place as usize * block..(place as usize + 1) * block);
    for distance in 0..size {
        copy(&send.block(team.plus(distance)), &at(distance))?;
    }
    let half = block * (size as usize).div_ceil(2);
    let (outgoing, incoming) = (scratch(port, half), scratch(port, half));
    for mask in doublings(size) {
        let moving = || (0..size).filter(|distance| distance & mask != 0);
        let count = moving().count();
        let outgoing = outgoing.elements(0, count * block);
        let incoming = incoming.elements(0, count * block);
        for (index, distance) in moving().enumerate() {
            copy(&at(distance), &outgoing.elements(index * block, block))?;
        }
        port.exchange(team.plus(mask), &outgoing, team.minus(mask), &incoming)
            .await?;
        for (index, distance) in moving().enumerate() {
            copy(&incoming.elements(index * block, block), &at(distance))?;
        }
    }
    for distance in 0..size {
        copy(&at(distance), &recv.block(team.minus(distance)))?;
    }
    Ok(())
}

/// Like [`pairwise`], around a ring as long as the greater group.
async fn inter_pairwise(
    port: &Port,
    inter: Inter,
    send: Blocks,
    recv: Blocks,
    window: usize,
) -> Result<(), Error> {
    send.expect(inter.remote_size)?;
    recv.expect(inter.remote_size)?;
    let ring = Team {
        rank: inter.rank,
        size: inter.local_size.max(inter.remote_size),
    };
    let mut under_way = Window {
        port,
        limit: window.saturating_mul(2),
        ops: VecDeque::new(),
    };
    for step in 0..ring.size {
        let (to, from) = (ring.plus(step), ring.minus(step));
        if from < inter.remote_size && recv.block_len(from) > 0 {
            let op = port.recv(Peer::remote(from), &recv.block(from));
            under_way.add(Some(op)).await?;
        }
        if to < inter.remote_size && send.block_len(to) > 0 {
            let op = port.send(Peer::remote(to), &send.block(to));
            under_way.add(Some(op)).await?;
        }
    }
    under_way.finish().await
}
