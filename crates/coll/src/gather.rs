//! Gather: a block of every rank to one.

use datatype::Buffer;

use crate::data::{bytes_of, copy, Blocks};
use crate::port::Op;
use crate::rules::{Gather, Rules};
use crate::team::doublings;
use crate::{Error, Inter, InterRoot, Peer, Port, Running, Team};

/// Gathers equal blocks by an algorithm without nodes.
pub(crate) fn flat(
    port: &Port,
    algorithm: Gather,
    team: Team,
    root: u32,
    send: Option<Buffer>,
    recv: Option<Blocks>,
) -> Running {
    match algorithm {
        Gather::Linear => running!(port, linear(&port, team, root, send, recv)),
        Gather::Binomial | Gather::Hierarchical => {
            running!(port, binomial(&port, team, root, send, recv))
        }
    }
}

/// MPI_GATHERV on an intra-communicator (MPI 5.0, 6.5). `send` is `None` for `MPI_IN_PLACE`, which
/// only the root may use; `recv` has a block per rank at the root, and is `None` elsewhere.
pub fn gatherv(
    port: &Port,
    team: Team,
    root: u32,
    send: Option<Buffer>,
    recv: Option<Blocks>,
) -> Running {
    running!(port, linear(&port, team, root, send, recv))
}

/// MPI_GATHER on an inter-communicator; `recv` (at the root) has a block per remote rank.
pub fn inter_gather(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    root: InterRoot,
    send: Option<Buffer>,
    recv: Option<Buffer>,
) -> Running {
    let block = match (root, &recv) {
        (InterRoot::Here, Some(recv)) => recv.len() / inter.remote_size as usize,
        _ => send.as_ref().map_or(0, Buffer::len),
    };
    let senders = if root == InterRoot::Here {
        inter.remote_size
    } else {
        inter.local_size
    };
    match rules.gather(senders, block) {
        Gather::Linear => {
            let recv = recv.map(|whole| Blocks::even(whole, inter.remote_size));
            running!(port, inter_linear(&port, root, send, recv))
        }
        Gather::Binomial | Gather::Hierarchical => {
            running!(port, inter_through_leader(&port, inter, root, send, recv))
        }
    }
}

/// MPI_GATHERV on an inter-communicator; `recv` (at the root) has a block per remote rank.
pub fn inter_gatherv(
    port: &Port,
    root: InterRoot,
    send: Option<Buffer>,
    recv: Option<Blocks>,
) -> Running {
    running!(port, inter_linear(&port, root, send, recv))
}

pub(crate) fn missing() -> Error {
    Error::Arguments("a buffer that this rank's part needs is missing")
}

/// All ranks send to the root: no byte travels twice.
async fn linear(
    port: &Port,
    team: Team,
    root: u32,
    send: Option<Buffer>,
    recv: Option<Blocks>,
) -> Result<(), Error> {
    if team.rank != root {
        let send = send.ok_or_else(missing)?;
        if send.is_empty() {
            return Ok(());
        }
        return port.wait(port.send(root, &send)).await;
    }
    let recv = recv.ok_or_else(missing)?;
    recv.expect(team.size)?;
    let others = (1..team.size).map(|relative| team.absolute(relative, root));
    let incoming = receive_each(port, others.map(Peer::from), &recv);
    if let Some(send) = send {
        copy(&send, &recv.block(root))?;
    }
    port.all(incoming).await
}

/// Posts a receive for every block that is not empty.
pub(crate) fn receive_each(
    port: &Port,
    peers: impl Iterator<Item = Peer>,
    recv: &Blocks,
) -> Vec<Op> {
    let blocks = peers.map(|peer| (peer, recv.block(peer.rank)));
    let blocks = blocks.filter(|(_, block)| !block.is_empty());
    blocks
        .map(|(peer, block)| port.recv(peer, &block))
        .collect()
}

async fn inter_linear(
    port: &Port,
    root: InterRoot,
    send: Option<Buffer>,
    recv: Option<Blocks>,
) -> Result<(), Error> {
    match root {
        InterRoot::Elsewhere => Ok(()),
        InterRoot::Here => {
            let recv = recv.ok_or_else(missing)?;
            port.all(receive_each(
                port,
                (0..recv.count()).map(Peer::remote),
                &recv,
            ))
            .await
        }
        InterRoot::Remote(root) => {
            let send = send.ok_or_else(missing)?;
            if send.is_empty() {
                return Ok(());
            }
            port.wait(port.send(Peer::remote(root), &send)).await
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
            let recv = recv.ok_or_else(missing)?;
            if recv.is_empty() {
                return Ok(());
            }
            port.wait(port.recv(Peer::remote(0), &recv)).await
        }
        InterRoot::Remote(root) => {
            let send = send.ok_or_else(missing)?;
            let Some(all) = to_leader(port, inter.local(), send).await? else {
                return Ok(());
            };
            if all.is_empty() {
                return Ok(());
            }
            port.wait(port.send(Peer::remote(root), &all)).await
        }
    }
}

/// Gathers equal blocks; rank 0 returns them packed, in scratch memory.
pub(crate) async fn to_leader(
    port: &Port,
    team: Team,
    send: Buffer,
) -> Result<Option<Buffer>, Error> {
    let all = (team.rank == 0).then(|| crate::data::scratch(port, send.len() * team.size as usize));
    let recv = all.clone().map(|all| Blocks::even(all, team.size));
    binomial(port, team, 0, Some(send), recv).await?;
    Ok(all)
}

/// A binomial tree; each node collects the packed blocks of a range of ranks, counted from the
/// root.
async fn binomial(
    port: &Port,
    team: Team,
    root: u32,
    send: Option<Buffer>,
    recv: Option<Blocks>,
) -> Result<(), Error> {
    if team.rank == root {
        return binomial_root(port, team, send, recv.ok_or_else(missing)?).await;
    }
    let send = send.ok_or_else(missing)?;
    let block = send.len();
    if block == 0 {
        return Ok(());
    }
    let relative = team.relative(root);
    let reach = 1 << relative.trailing_zeros();
    let parent = team.absolute(relative - reach, root);
    let held = reach.min(team.size - relative) as usize;
    if held == 1 {
        return port.wait(port.send(parent, &send)).await;
    }
    let packed = port.scratch(held * block);
    let mut incoming = Vec::new();
    for mask in doublings(reach).filter(|mask| relative + mask < team.size) {
        let (from, end) = (mask as usize * block, held.min(2 * mask as usize) * block);
        let child = team.absolute(relative + mask, root);
        incoming.push(port.recv(child, &bytes_of(packed, from..end)));
    }
    copy(&send, &bytes_of(packed, 0..block))?;
    port.all(incoming).await?;
    port.wait(port.send(parent, &Buffer::bytes(packed))).await
}

async fn binomial_root(
    port: &Port,
    team: Team,
    send: Option<Buffer>,
    recv: Blocks,
) -> Result<(), Error> {
    let root = team.rank;
    if let Some(send) = send {
        copy(&send, &recv.block(root))?;
    }
    if recv.is_empty() {
        return Ok(());
    }
    let range = |first, count| recv.range(first, count).ok_or_else(missing);
    let mut incoming = Vec::new();
    let mut wrapped = None;
    for mask in doublings(team.size) {
        let child = team.absolute(mask, root);
        let count = mask.min(team.size - mask);
        if child + count <= team.size {
            incoming.push(port.recv(child, &range(child, count)?));
        } else {
            // At most one child's range goes past the last rank.
            let bytes = port.scratch(count as usize * recv.block_len(0));
            incoming.push(port.recv(child, &Buffer::bytes(bytes)));
            wrapped = Some((child, count, bytes));
        }
    }
    port.all(incoming).await?;
    if let Some((child, count, bytes)) = wrapped {
        let before = team.size - child;
        let edge = before as usize * recv.block_len(0);
        copy(&bytes_of(bytes, 0..edge), &range(child, before)?)?;
        copy(
            &bytes_of(bytes, edge..bytes.len()),
            &range(0, count - before)?,
        )?;
    }
    Ok(())
}
