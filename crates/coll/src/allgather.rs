//! Allgather: a block of every rank to every rank.

use datatype::Buffer;

use crate::data::{bytes_of, copy, exchange_some, Blocks};
use crate::gather::{missing, receive_each, to_leader};
use crate::rules::{Allgather, Rules};
use crate::team::doublings;
use crate::{Error, Inter, Peer, Port, Running, Team};

/// Gathers for all by an algorithm without nodes; the own block is in `recv` where there is no
/// `send`.
pub(crate) fn flat(
    port: &Port,
    algorithm: Allgather,
    team: Team,
    send: Option<Buffer>,
    recv: Blocks,
) -> Running {
    match algorithm {
        Allgather::RecursiveDoubling
            if team.size.is_power_of_two() && matches!(recv, Blocks::Even { .. }) =>
        {
            running!(port, recursive_doubling(&port, team, send, recv))
        }
        Allgather::RecursiveDoubling | Allgather::Bruck | Allgather::Hierarchical => {
            running!(port, bruck(&port, team, send, recv))
        }
        Allgather::NeighborExchange if team.size.is_multiple_of(2) => {
            running!(port, neighbor_exchange(&port, team, send, recv))
        }
        Allgather::Ring | Allgather::NeighborExchange => {
            running!(port, ring(&port, team, send, recv))
        }
        Allgather::Linear => running!(port, linear(&port, team, send, recv)),
    }
}

/// MPI_ALLGATHER on an inter-communicator; `recv` has a block per remote rank.
pub fn inter_allgather(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    send: Buffer,
    recv: Buffer,
) -> Running {
    let rules = rules.clone();
    running!(
        port,
        inter_through_leaders(&port, &rules, inter, send, recv)
    )
}

/// MPI_ALLGATHERV on an inter-communicator; `recv` has a block per remote rank.
pub fn inter_allgatherv(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    send: Buffer,
    recv: Blocks,
) -> Running {
    let rules = rules.clone();
    running!(port, inter_uneven(&port, &rules, inter, send, recv))
}

async fn inter_through_leaders(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    send: Buffer,
    recv: Buffer,
) -> Result<(), Error> {
    let team = inter.local();
    if let Some(ours) = to_leader(port, team, send).await? {
        let peer = Peer::remote(0);
        exchange_some(port, peer, &ours, peer, &recv).await?;
    }
    if recv.is_empty() {
        return Ok(());
    }
    crate::bcast::any(port, rules, team, 0, &recv).await
}

/// Every rank knows the lengths in the other group only, so all blocks go straight to the first
/// rank of the other group, which spreads them there.
async fn inter_uneven(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    send: Buffer,
    recv: Blocks,
) -> Result<(), Error> {
    recv.expect(inter.remote_size)?;
    let packed = crate::data::scratch(port, recv.len());
    let packed_blocks = packed_blocks(&packed, &recv)?;
    let mut messages = Vec::new();
    if inter.rank == 0 {
        let peers = (0..inter.remote_size).map(Peer::remote);
        messages = receive_each(port, peers, &packed_blocks);
    }
    if !send.is_empty() {
        messages.push(port.send(Peer::remote(0), &send));
    }
    port.all(messages).await?;
    if recv.is_empty() {
        return Ok(());
    }
    crate::bcast::any(port, rules, inter.local(), 0, &packed).await?;
    for index in 0..recv.count() {
        copy(&packed_blocks.block(index), &recv.block(index))?;
    }
    Ok(())
}

/// The blocks of `like`, one after the other in packed bytes.
fn packed_blocks(packed: &Buffer, like: &Blocks) -> Result<Blocks, Error> {
    let bytes = packed.contiguous().ok_or_else(missing)?;
    let mut at = 0;
    let mut next = |index| {
        let range = at..at + like.block_len(index);
        at = range.end;
        bytes_of(bytes, range)
    };
    Ok(Blocks::from(
        (0..like.count()).map(&mut next).collect::<Vec<_>>(),
    ))
}

fn place_own(team: Team, send: &Option<Buffer>, recv: &Blocks) -> Result<(), Error> {
    recv.expect(team.size)?;
    match send {
        Some(send) => copy(send, &recv.block(team.rank)),
        None => Ok(()),
    }
}

/// In round k the peer 2^k away sends its aligned range of 2^k blocks for ours.
async fn recursive_doubling(
    port: &Port,
    team: Team,
    send: Option<Buffer>,
    recv: Blocks,
) -> Result<(), Error> {
    place_own(team, &send, &recv)?;
    if recv.is_empty() {
        return Ok(());
    }
    let range = |first, count| recv.range(first, count).ok_or_else(missing);
    for mask in doublings(team.size) {
        let partner = team.rank ^ mask;
        let mine = team.rank & !(mask - 1);
        let (outgoing, incoming) = (range(mine, mask)?, range(mine ^ mask, mask)?);
        port.exchange(partner, &outgoing, partner, &incoming)
            .await?;
    }
    Ok(())
}

/// In round k the rank 2^k to the right sends its blocks: its own and those after it.
///
/// The blocks lie packed, the own one first, and are sorted in the end.
pub(crate) async fn bruck(
    port: &Port,
    team: Team,
    send: Option<Buffer>,
    recv: Blocks,
) -> Result<(), Error> {
    place_own(team, &send, &recv)?;
    if team.size == 1 || recv.is_empty() {
        return Ok(());
    }
    let size = team.size;
    let mut edges = vec![0];
    for distance in 0..size {
        edges.push(edges[distance as usize] + recv.block_len(team.plus(distance)));
    }
    let packed = port.scratch(edges[size as usize]);
    let part = |from: u32, end: u32| bytes_of(packed, edges[from as usize]..edges[end as usize]);
    copy(&recv.block(team.rank), &part(0, 1))?;
    for mask in doublings(size) {
        let count = mask.min(size - mask);
        let (outgoing, incoming) = (part(0, count), part(mask, mask + count));
        port.exchange(team.minus(mask), &outgoing, team.plus(mask), &incoming)
            .await?;
    }
    for distance in 1..size {
        copy(
            &part(distance, distance + 1),
            &recv.block(team.plus(distance)),
        )?;
    }
    Ok(())
}

/// Every block goes once around the ring.
async fn ring(port: &Port, team: Team, send: Option<Buffer>, recv: Blocks) -> Result<(), Error> {
    place_own(team, &send, &recv)?;
    let (left, right) = (team.minus(1), team.plus(1));
    for step in 1..team.size {
        let outgoing = recv.block(team.minus(step - 1));
        let incoming = recv.block(team.minus(step));
        exchange_some(port, right, &outgoing, left, &incoming).await?;
    }
    Ok(())
}

/// Even ranks begin with the neighbour to the right, odd ones with that to the left, and then
/// alternate: in each round a pair of neighbours exchanges the two blocks that each received last.
///
/// Blocks go in pairs (of ranks 2k and 2k + 1): after the first round both of a pair have theirs.
/// The pair that a rank gets then comes from ever farther away, on either side in turn.
async fn neighbor_exchange(
    port: &Port,
    team: Team,
    send: Option<Buffer>,
    recv: Blocks,
) -> Result<(), Error> {
    place_own(team, &send, &recv)?;
    let partner = team.rank ^ 1;
    let own = (team.rank..team.rank + 1, partner..partner + 1);
    swap(port, partner, &recv, own.0, own.1).await?;
    let pairs = team.size / 2;
    let ring = Team {
        rank: team.rank / 2,
        size: pairs,
    };
    let blocks = |pair: u32| 2 * pair..2 * pair + 2;
    // Even ranks go on to the left, where the other side of the pair next to them is.
    let is_even = team.rank.is_multiple_of(2);
    let mut latest = ring.rank;
    for round in 1..pairs {
        let leftwards = is_even == (round % 2 == 1);
        let other = if leftwards {
            team.minus(1)
        } else {
            team.plus(1)
        };
        let partner = if team.size == 2 { partner } else { other };
        // What a pair got last lies as far from it as the rounds on that side.
        let distance = round.div_ceil(2);
        let side = if leftwards {
            ring.minus(distance)
        } else {
            ring.plus(distance)
        };
        swap(port, partner, &recv, blocks(latest), blocks(side)).await?;
        latest = side;
    }
    Ok(())
}

/// Exchanges a range of blocks for another one.
async fn swap(
    port: &Port,
    partner: u32,
    recv: &Blocks,
    give: std::ops::Range<u32>,
    take: std::ops::Range<u32>,
) -> Result<(), Error> {
    let mut messages = Vec::new();
    for (range, outgoing) in [(take, false), (give, true)] {
        let whole = recv.range(range.start, range.len() as u32);
        let pieces = match whole {
            Some(whole) => vec![whole],
            None => range.map(|index| recv.block(index)).collect(),
        };
        for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
            messages.push(match outgoing {
                true => port.send(partner, piece),
                false => port.recv(partner, piece),
            });
        }
    }
    port.all(messages).await
}

/// All ranks send to all, with no order between the messages.
async fn linear(port: &Port, team: Team, send: Option<Buffer>, recv: Blocks) -> Result<(), Error> {
    place_own(team, &send, &recv)?;
    let others = || (1..team.size).map(|distance| team.plus(distance));
    let mut messages = receive_each(port, others().map(Peer::from), &recv);
    let own = recv.block(team.rank);
    if !own.is_empty() {
        messages.extend(others().map(|rank| port.send(rank, &own)));
    }
    port.all(messages).await
}
