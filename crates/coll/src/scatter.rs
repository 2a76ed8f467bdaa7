//! Scatter: a block of one rank to every one.

use datatype::Buffer;

use crate::data::{bytes_of, copy, Blocks};
use crate::gather::missing;
use crate::port::Op;
use crate::rules::{Gather, Rules};
use crate::team::doublings;
use crate::{Error, Inter, InterRoot, Peer, Port, Running, Team};

/// Scatters equal blocks by an algorithm without nodes.
pub(crate) fn flat(
    port: &Port,
    algorithm: Gather,
    team: Team,
    root: u32,
    send: Option<Blocks>,
    recv: Option<Buffer>,
) -> Running {
    match algorithm {
        Gather::Linear => running!(port, linear(&port, team, root, send, recv)),
        Gather::Binomial | Gather::Hierarchical => {
            running!(port, binomial(&port, team, root, send, recv))
        }
    }
}

/// MPI_SCATTERV on an intra-communicator (MPI 5.0, 6.6). `send` has a
/// block per rank at the root, and is `None` elsewhere; `recv` is `None` for `MPI_IN_PLACE`, which
/// only the root may use.
pub fn scatterv(
    port: &Port,
    team: Team,
    root: u32,
    send: Option<Blocks>,
    recv: Option<Buffer>,
) -> Running {
    running!(port, linear(&port, team, root, send, recv))
}

/// MPI_SCATTER on an inter-communicator; `send` (at the root) has a block per remote rank.
pub fn inter_scatter(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    root: InterRoot,
    send: Option<Buffer>,
    recv: Option<Buffer>,
) -> Running {
    let block = match (root, &send) {
        (InterRoot::Here, Some(send)) => send.len() / inter.remote_size as usize,
        _ => recv.as_ref().map_or(0, Buffer::len),
    };
    let receivers = if root == InterRoot::Here {
        inter.remote_size
    } else {
        inter.local_size
    };
    match rules.scatter(receivers, block) {
        Gather::Linear => {
            let send = send.map(|whole| Blocks::even(whole, inter.remote_size));
            running!(port, inter_linear(&port, root, send, recv))
        }
        Gather::Binomial | Gather::Hierarchical => {
            running!(port, inter_through_leader(&port, inter, root, send, recv))
        }
    }
}

/// MPI_SCATTERV on an inter-communicator; `send` (at the root) has a block per remote rank.
pub fn inter_scatterv(
    port: &Port,
    root: InterRoot,
    send: Option<Blocks>,
    recv: Option<Buffer>,
) -> Running {
    running!(port, inter_linear(&port, root, send, recv))
}

/// Runs the scatter that the rules choose, as a part of another collective; `even` says whether the
/// blocks of all ranks are equal.
pub(crate) async fn any(
    port: &Port,
    rules: &Rules,
    team: Team,
    root: u32,
    send: Option<Blocks>,
    recv: Option<Buffer>,
    even: bool,
) -> Result<(), Error> {
    let block = recv.as_ref().map_or(0, Buffer::len);
    match rules.scatter(team.size, block) {
        Gather::Binomial if even => binomial(port, team, root, send, recv).await,
        _ => linear(port, team, root, send, recv).await,
    }
}

/// The root sends to all ranks: no byte travels twice.
async fn linear(
    port: &Port,
    team: Team,
    root: u32,
    send: Option<Blocks>,
    recv: Option<Buffer>,
) -> Result<(), Error> {
    if team.rank != root {
        let recv = recv.ok_or_else(missing)?;
        if recv.is_empty() {
            return Ok(());
        }
        return port.wait(port.recv(root, &recv)).await;
    }
    let send = send.ok_or_else(missing)?;
    send.expect(team.size)?;
    let others = (1..team.size).map(|relative| team.absolute(relative, root));
    let outgoing = send_each(port, others.map(Peer::from), &send);
    if let Some(recv) = recv {
        copy(&send.block(root), &recv)?;
    }
    port.all(outgoing).await
}

/// Posts the sending of every block that is not empty.
fn send_each(port: &Port, peers: impl Iterator<Item = Peer>, send: &Blocks) -> Vec<Op> {
    let blocks = peers.map(|peer| (peer, send.block(peer.rank)));
    let blocks = blocks.filter(|(_, block)| !block.is_empty());
    blocks
        .map(|(peer, block)| port.send(peer, &block))
        .collect()
}

async fn inter_linear(
    port: &Port,
    root: InterRoot,
    send: Option<Blocks>,
    recv: Option<Buffer>,
) -> Result<(), Error> {
    match root {
        InterRoot::Elsewhere => Ok(()),
        InterRoot::Here => {
            let send = send.ok_or_else(missing)?;
            port.all(send_each(port, (0..send.count()).map(Peer::remote), &send))
                .await
        }
        InterRoot::Remote(root) => {
            let recv = recv.ok_or_else(missing)?;
            if recv.is_empty() {
                return Ok(());
            }
            port.wait(port.recv(Peer::remote(root), &recv)).await
        }
    }
}

async fn inter_through_leader(
    port: &Port,
    inter: Inter,
    root: InterRoot,
    send: Option<Buffer>,
    recv: Option<Buffer>,
) -> Result<(), Error> {
    match root {
        InterRoot::Elsewhere => Ok(()),
        InterRoot::Here => {
            let send = send.ok_or_else(missing)?;
            if send.is_empty() {
                return Ok(());
            }
            port.wait(port.send(Peer::remote(0), &send)).await
        }
        InterRoot::Remote(root) => {
            let recv = recv.ok_or_else(missing)?;
            if recv.is_empty() {
                return Ok(());
            }
            let team = inter.local();
            let mut all = None;
            if team.rank == 0 {
                let packed = crate::data::scratch(port, recv.len() * team.size as usize);
                port.wait(port.recv(Peer::remote(root), &packed)).await?;
                all = Some(Blocks::even(packed, team.size));
            }
            binomial(port, team, 0, all, Some(recv)).await
        }
    }
}

/// A binomial tree; each node is given the packed blocks of a range of ranks, counted from the
/// root, and hands parts of it on.
async fn binomial(
    port: &Port,
    team: Team,
    root: u32,
    send: Option<Blocks>,
    recv: Option<Buffer>,
) -> Result<(), Error> {
    if team.rank == root {
        return binomial_root(port, team, send.ok_or_else(missing)?, recv).await;
    }
    let recv = recv.ok_or_else(missing)?;
    let block = recv.len();
    if block == 0 {
        return Ok(());
    }
    let relative = team.relative(root);
    let reach = 1 << relative.trailing_zeros();
    let parent = team.absolute(relative - reach, root);
    let held = reach.min(team.size - relative) as usize;
    if held == 1 {
        return port.wait(port.recv(parent, &recv)).await;
    }
    let packed = port.scratch(held * block);
    port.wait(port.recv(parent, &Buffer::bytes(packed))).await?;
    let mut outgoing = Vec::new();
    for mask in doublings(reach)
        .rev()
        .filter(|mask| relative + mask < team.size)
    {
        let (from, end) = (mask as usize * block, held.min(2 * mask as usize) * block);
        let child = team.absolute(relative + mask, root);
        outgoing.push(port.send(child, &bytes_of(packed, from..end)));
    }
    copy(&bytes_of(packed, 0..block), &recv)?;
    port.all(outgoing).await
}

async fn binomial_root(
    port: &Port,
    team: Team,
    send: Blocks,
    recv: Option<Buffer>,
) -> Result<(), Error> {
    let root = team.rank;
    let mut outgoing = Vec::new();
    if !send.is_empty() {
        let range = |first, count| send.range(first, count).ok_or_else(missing);
        for mask in doublings(team.size).rev() {
            let child = team.absolute(mask, root);
            let count = mask.min(team.size - mask);
            if child + count <= team.size {
                outgoing.push(port.send(child, &range(child, count)?));
                continue;
            }
            // At most one child's range goes past the last rank.
            let before = team.size - child;
            let edge = before as usize * send.block_len(0);
            let bytes = port.scratch(count as usize * send.block_len(0));
            copy(&range(child, before)?, &bytes_of(bytes, 0..edge))?;
            copy(
                &range(0, count - before)?,
                &bytes_of(bytes, edge..bytes.len()),
            )?;
            outgoing.push(port.send(child, &Buffer::bytes(bytes)));
        }
    }
    if let Some(recv) = recv {
        copy(&send.block(root), &recv)?;
    }
    port.all(outgoing).await
}
