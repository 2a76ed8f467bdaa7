//! Gather, scatter, allgather and alltoall: the blocks of a node travel together.
//!
//! At a leader, blocks lie in the order of the nodes, the ranks of each ascending. Where that is
//! the order of the ranks and the blocks are of one length, it is the user's buffer itself;
//! otherwise they go through scratch memory.

use std::sync::Arc;

use datatype::Buffer;

use super::{part_rules, Nodes};
use crate::data::{copy, scratch};
use crate::gather::missing;
use crate::rules::Allgather;
use crate::{Blocks, Error, Port, Team};

/// Most bytes that the ranks of a node get from an allgather by its leader, and most bytes of a
/// block, on average: longer ones may each be a message between columns.
const LED_NODE_MAX: usize = 128 << 10;
const LED_GATHERED_MAX: usize = 4 << 10;

/// Blocks of all ranks, by node.
struct ByNode {
    /// All blocks, one after the other.
    whole: Buffer,
    /// The blocks of each node together.
    nodes: Blocks,
    /// The block of each rank.
    ranks: Blocks,
    /// Whether these are other memory than the user's.
    is_apart: bool,
}

impl ByNode {
    /// Returns the memory for blocks of these lengths at the leader of a node; that of the user
    /// where it serves.
    fn new(port: &Port, nodes: &Nodes, all: &Blocks) -> Result<ByNode, Error> {
        if let (true, Blocks::Even { whole, .. }) = (nodes.is_in_order(), all) {
            let of_node = |node: u32| {
                let members = nodes.members(node);
                all.range(members[0], members.len() as u32)
            };
            let of_nodes: Option<Vec<Buffer>> = (0..nodes.count()).map(of_node).collect();
            return Ok(ByNode {
                whole: whole.clone(),
                nodes: Blocks::from(of_nodes.ok_or_else(missing)?),
                ranks: all.clone(),
                is_apart: false,
            });
        }
        ByNode::apart(port, nodes, |rank| all.block_len(rank))
    }

    /// Returns scratch memory for blocks of `len` bytes of the own node's ranks alone.
    fn of_own(port: &Port, nodes: &Nodes, len: usize) -> Result<ByNode, Error> {
        ByNode::apart(port, nodes, |rank| {
            match nodes.node_of(rank) == nodes.own() {
                true => len,
                false => 0,
            }
        })
    }

    /// Returns scratch memory for the blocks.
    fn apart(port: &Port, nodes: &Nodes, len: impl Fn(u32) -> usize) -> Result<ByNode, Error> {
        let total = (0..nodes.ranks()).map(&len).sum();
        let whole = scratch(port, total);
        let memory = whole.contiguous().ok_or_else(missing)?;
        let mut ranks = vec![Buffer::EMPTY; nodes.ranks() as usize];
        let mut of_nodes = Vec::new();
        let mut at = 0;
        for node in 0..nodes.count() {
            let begin = at;
            for rank in nodes.members(node).iter() {
                ranks[*rank as usize] = Buffer::bytes(memory.part(at, len(*rank)));
                at += len(*rank);
            }
            of_nodes.push(Buffer::bytes(memory.part(begin, at - begin)));
        }
        Ok(ByNode {
            whole,
            nodes: Blocks::from(of_nodes),
            ranks: Blocks::from(ranks),
            is_apart: true,
        })
    }

    /// Returns the blocks of a node's ranks.
    fn of_members(&self, members: &[u32]) -> Blocks {
        let blocks = members.iter().map(|rank| self.ranks.block(*rank));
        Blocks::from(blocks.collect::<Vec<_>>())
    }

    /// Copies all blocks to the user's.
    fn copy_to(&self, all: &Blocks) -> Result<(), Error> {
        if self.is_apart {
            for rank in 0..all.count() {
                copy(&self.ranks.block(rank), &all.block(rank))?;
            }
        }
        Ok(())
    }

    /// Copies all blocks from the user's.
    fn copy_from(&self, all: &Blocks) -> Result<(), Error> {
        if self.is_apart {
            for rank in 0..all.count() {
                copy(&all.block(rank), &self.ranks.block(rank))?;
            }
        }
        Ok(())
    }
}

/// Gathers blocks of `len` bytes. `send` is `None` in place, at the root.
pub(crate) async fn gather(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    len: usize,
    send: Option<Buffer>,
    recv: Option<Blocks>,
) -> Result<(), Error> {
    let parts = nodes.parts(port, root);
    let (inside, team) = &parts.inside;
    let Some((between, leaders)) = &parts.between else {
        return crate::gatherv(inside, *team, parts.leader, send, None).await;
    };
    let node = nodes.node_of(root);
    let held = match &recv {
        Some(all) if leaders.rank == node => ByNode::new(port, nodes, all)?,
        _ => ByNode::of_own(port, nodes, len)?,
    };
    let own = held.of_members(nodes.own_members());
    let send = match (send, &recv) {
        // In place the own block is where it belongs, or has to come into the other memory.
        (None, Some(all)) if held.is_apart => Some(all.block(root)),
        (send, _) => send,
    };
    crate::gatherv(inside, *team, parts.leader, send, Some(own)).await?;
    match (leaders.rank == node, &recv) {
        (true, Some(all)) => {
            crate::gatherv(between, *leaders, node, None, Some(held.nodes.clone())).await?;
            held.copy_to(all)
        }
        _ => {
            let mine = held.nodes.block(leaders.rank);
            crate::gatherv(between, *leaders, node, Some(mine), None).await
        }
    }
}

/// Scatters blocks of `len` bytes. `recv` is `None` in place, at the root.
pub(crate) async fn scatter(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    len: usize,
    send: Option<Blocks>,
    recv: Option<Buffer>,
) -> Result<(), Error> {
    let parts = nodes.parts(port, root);
    let (inside, team) = &parts.inside;
    let Some((between, leaders)) = &parts.between else {
        return crate::scatterv(inside, *team, parts.leader, None, recv).await;
    };
    let node = nodes.node_of(root);
    let held = match &send {
        Some(all) if leaders.rank == node => {
            let held = ByNode::new(port, nodes, all)?;
            held.copy_from(all)?;
            held
        }
        _ => ByNode::of_own(port, nodes, len)?,
    };
    match leaders.rank == node {
        true => {
            crate::scatterv(between, *leaders, node, Some(held.nodes.clone()), None).await?;
        }
        false => {
            let mine = held.nodes.block(leaders.rank);
            crate::scatterv(between, *leaders, node, None, Some(mine)).await?;
        }
    }
    let own = held.of_members(nodes.own_members());
    crate::scatterv(inside, *team, parts.leader, Some(own), recv).await
}

/// Gathers all blocks at all ranks. `send` is `None` in place.
pub(crate) async fn allgather(
    port: &Port,
    nodes: &Arc<Nodes>,
    rank: u32,
    send: Option<Buffer>,
    recv: &Blocks,
) -> Result<(), Error> {
    recv.expect(nodes.ranks())?;
    let rules = part_rules();
    let parts = nodes.parts(port, nodes.own_members()[0]);
    let is_long = recv.len() * nodes.largest() > LED_NODE_MAX;
    if is_long && recv.len() >= LED_GATHERED_MAX * nodes.ranks() as usize {
        if let Some(column) = nodes.column(port) {
            return allgather_by_columns(nodes, &column, &parts.inside, send, recv).await;
        }
    }
    let (inside, team) = &parts.inside;
    let held = ByNode::new(port, nodes, recv)?;
    let send = match send {
        None if held.is_apart || team.rank != 0 => Some(recv.block(rank)),
        send => send,
    };
    let own = (team.rank == 0).then(|| held.of_members(nodes.own_members()));
    crate::gatherv(inside, *team, 0, send, own).await?;
    if let Some((between, leaders)) = &parts.between {
        let algorithm = match leaders.size {
            // As many messages as in two rounds, at once.
            3 => Allgather::Linear,
            nodes => rules.allgatherv(nodes, recv.len()),
        };
        let blocks = held.nodes.clone();
        crate::allgather::flat(between, algorithm, *leaders, None, blocks).await?;
    }
    if !held.whole.is_empty() {
        crate::bcast::any(inside, &rules, *team, 0, &held.whole).await?;
    }
    held.copy_to(recv)
}

/// Gathers long blocks at all ranks: each with the ranks of its position on the other nodes, then
/// those of each node inside.
async fn allgather_by_columns(
    nodes: &Arc<Nodes>,
    (column, leaders): &(Port, Team),
    inside: &(Port, Team),
    send: Option<Buffer>,
    recv: &Blocks,
) -> Result<(), Error> {
    let (inside, team) = inside;
    let blocks_of = |ranks: &[u32]| {
        let blocks = ranks.iter().map(|rank| recv.block(*rank));
        Blocks::from(blocks.collect::<Vec<_>>())
    };
    let mine = blocks_of(&nodes.column_members(team.rank));
    let algorithm = match leaders.size {
        2 => Allgather::Linear,
        _ => Allgather::Ring,
    };
    crate::allgather::flat(column, algorithm, *leaders, send, mine).await?;
    for node in 0..nodes.count() {
        let theirs = blocks_of(nodes.members(node));
        crate::allgather::flat(inside, Allgather::Ring, *team, None, theirs).await?;
    }
    Ok(())
}

/// Exchanges blocks of `len` bytes between all ranks; the leaders do it for their nodes.
///
/// A leader holds the blocks of its node's ranks by rank, then by destination, and sends to each
/// other leader those for its node, in the same order.
pub(crate) async fn alltoall(
    port: &Port,
    nodes: &Arc<Nodes>,
    len: usize,
    send: &Blocks,
    recv: &Blocks,
) -> Result<(), Error> {
    let ranks = nodes.ranks() as usize;
    let all = |blocks: &Blocks| blocks.range(0, nodes.ranks()).ok_or_else(missing);
    let (send, recv) = (all(send)?, all(recv)?);
    let parts = nodes.parts(port, nodes.own_members()[0]);
    let (inside, team) = &parts.inside;
    let Some((between, leaders)) = &parts.between else {
        crate::gatherv(inside, *team, 0, Some(send.clone()), None).await?;
        return crate::scatterv(inside, *team, 0, None, Some(recv.clone())).await;
    };
    let members = nodes.own_members();
    let rows = |memory: &Buffer| -> Result<Vec<Buffer>, Error> {
        let memory = memory.contiguous().ok_or_else(missing)?;
        let row = |at: usize| Buffer::bytes(memory.part(at * ranks * len, ranks * len));
        Ok((0..members.len()).map(row).collect())
    };
    let size = members.len() * ranks * len;
    let (outgoing, incoming) = (scratch(port, size), scratch(port, size));
    let (packed, unpacked) = (scratch(port, size), scratch(port, size));
    let (from_rows, to_rows) = (rows(&outgoing)?, rows(&unpacked)?);
    let own = Blocks::from(from_rows.clone());
    crate::gatherv(inside, *team, 0, Some(send.clone()), Some(own)).await?;
    // By destination's node, then by source, then by destination.
    let (mut sends, mut recvs) = (Vec::new(), Vec::new());
    let (to, from) = (
        packed.contiguous().ok_or_else(missing)?,
        incoming.contiguous().ok_or_else(missing)?,
    );
    let block = |row: &Buffer, rank: u32| -> Result<Buffer, Error> {
        let row = row.contiguous().ok_or_else(missing)?;
        Ok(Buffer::bytes(row.part(rank as usize * len, len)))
    };
    let mut at = 0;
    for node in 0..nodes.count() {
        let theirs = nodes.members(node);
        let bytes = members.len() * theirs.len() * len;
        sends.push(Buffer::bytes(to.part(at, bytes)));
        recvs.push(Buffer::bytes(from.part(at, bytes)));
        for row in &from_rows {
            for rank in theirs.iter() {
                copy(&block(row, *rank)?, &Buffer::bytes(to.part(at, len)))?;
                at += len;
            }
        }
    }
    let (sends, recvs) = (Blocks::from(sends), Blocks::from(recvs));
    let rules = part_rules();
    crate::alltoallv(between, &rules, *leaders, Some(sends), recvs).await?;
    // What came of a node is by source, then by destination among the ranks here.
    let mut at = 0;
    for node in 0..nodes.count() {
        for source in nodes.members(node).iter() {
            for row in &to_rows {
                copy(&Buffer::bytes(from.part(at, len)), &block(row, *source)?)?;
                at += len;
            }
        }
    }
    let own = Blocks::from(to_rows);
    crate::scatterv(inside, *team, 0, Some(own), Some(recv.clone())).await
}
