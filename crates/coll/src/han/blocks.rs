//! Gather, scatter, allgather and alltoall: the blocks of a node travel together.
//!
//! At a leader, blocks lie in the order of the nodes, the ranks of each ascending. Where that is
//! the order of the ranks and the blocks are of one length, it is the user's buffer itself;
//! otherwise they go through scratch memory.

use std::sync::Arc;

use datatype::Buffer;
use memory::UserBuf;

use super::{part_rules, Nodes};
use crate::data::{bytes_of, copy, scratch};
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

    /// Returns what a rank holds that leads no node: nothing.
    fn nothing() -> ByNode {
        ByNode {
            whole: Buffer::EMPTY,
            nodes: Blocks::from(Vec::new()),
            ranks: Blocks::from(Vec::new()),
            is_apart: false,
        }
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

/// The blocks that pass a rank in a gather, scatter or allgather by the leaders.
pub struct LedBlocks {
    held: ByNode,
    /// The own block that goes to the leader; `None` if it is in the leader's memory already.
    own: Option<Buffer>,
    /// The own node.
    node: u32,
}

impl LedBlocks {
    /// Returns the block that this rank passes to the step inside its node; `None` in place.
    pub fn own(&self) -> Option<&Buffer> {
        self.own.as_ref()
    }

    /// Returns the blocks of the ranks of this node together, at the leader.
    pub fn of_node(&self) -> Buffer {
        self.held.nodes.block(self.node)
    }

    /// Returns the blocks of all ranks together.
    pub fn all(&self) -> &Buffer {
        &self.held.whole
    }

    /// Copies all blocks to the user's memory, where they are not in it.
    ///
    /// # Errors
    /// When the blocks of the user have other lengths.
    pub fn copy_to(&self, all: &Blocks) -> Result<(), Error> {
        self.held.copy_to(all)
    }

    /// Returns the blocks of each node.
    pub(super) fn by_node(&self) -> &Blocks {
        &self.held.nodes
    }

    /// Returns the block of each rank of this node.
    fn of_members(&self, nodes: &Nodes) -> Blocks {
        self.held.of_members(nodes.own_members())
    }
}

/// Returns what passes a rank in a gather to `root`, of blocks of `len` bytes; where memory is
/// needed for them, in scratch memory of the port. `send` is `None` in place, at the root.
///
/// # Errors
/// When there are too few blocks.
pub fn to_gather(
    port: &Port,
    nodes: &Nodes,
    (root, len): (u32, usize),
    send: Option<&Buffer>,
    recv: Option<&Blocks>,
) -> Result<LedBlocks, Error> {
    let held = match recv {
        Some(all) if nodes.is_own_rank(root) => ByNode::new(port, nodes, all)?,
        _ if nodes.leads_for(root) => ByNode::of_own(port, nodes, len)?,
        _ => ByNode::nothing(),
    };
    let own = match (send, recv) {
        // In place the own block is where it belongs, or has to come into the other memory.
        (None, Some(all)) if held.is_apart => Some(all.block(root)),
        (send, _) => send.cloned(),
    };
    Ok(LedBlocks {
        held,
        own,
        node: nodes.own(),
    })
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
    let blocks = to_gather(port, nodes, (root, len), send.as_ref(), recv.as_ref())?;
    let (inside, team) = nodes.inside(port);
    let own = nodes.leads_for(root).then(|| blocks.of_members(nodes));
    let leader = nodes.leader_for(root);
    crate::gatherv(&inside, team, leader, blocks.own.clone(), own).await?;
    gather_between(port, nodes, root, &blocks.held.nodes).await?;
    match &recv {
        Some(all) if nodes.is_own_rank(root) => blocks.copy_to(all),
        _ => Ok(()),
    }
}

/// The step of a gather among the leaders, if this rank is one. `held` has the blocks of each node.
pub(super) async fn gather_between(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    held: &Blocks,
) -> Result<(), Error> {
    let Some((between, leaders)) = nodes.parts(port, root).between else {
        return Ok(());
    };
    let (node, mine) = (nodes.node_of(root), held.block(leaders.rank));
    match leaders.rank == node {
        true => crate::gatherv(&between, leaders, node, None, Some(held.clone())).await,
        false => crate::gatherv(&between, leaders, node, Some(mine), None).await,
    }
}

/// Returns what passes a rank in a scatter from `root`, as [`to_gather`] does.
///
/// # Errors
/// When there are too few blocks.
pub fn to_scatter(
    port: &Port,
    nodes: &Nodes,
    (root, len): (u32, usize),
    send: Option<&Blocks>,
) -> Result<LedBlocks, Error> {
    let held = match send {
        Some(all) if nodes.is_own_rank(root) => {
            let held = ByNode::new(port, nodes, all)?;
            held.copy_from(all)?;
            held
        }
        _ if nodes.leads_for(root) => ByNode::of_own(port, nodes, len)?,
        _ => ByNode::nothing(),
    };
    Ok(LedBlocks {
        held,
        own: None,
        node: nodes.own(),
    })
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
    let blocks = to_scatter(port, nodes, (root, len), send.as_ref())?;
    scatter_between(port, nodes, root, &blocks.held.nodes).await?;
    let (inside, team) = nodes.inside(port);
    let own = nodes.leads_for(root).then(|| blocks.of_members(nodes));
    crate::scatterv(&inside, team, nodes.leader_for(root), own, recv).await
}

/// The step of a scatter among the leaders, if this rank is one. `held` has the blocks of each
/// node.
pub(super) async fn scatter_between(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    held: &Blocks,
) -> Result<(), Error> {
    let Some((between, leaders)) = nodes.parts(port, root).between else {
        return Ok(());
    };
    let (node, mine) = (nodes.node_of(root), held.block(leaders.rank));
    match leaders.rank == node {
        true => crate::scatterv(&between, leaders, node, Some(held.clone()), None).await,
        false => crate::scatterv(&between, leaders, node, None, Some(mine)).await,
    }
}

/// Whether an allgather of `bytes` goes by columns.
pub(super) fn goes_by_columns(nodes: &Nodes, bytes: usize) -> bool {
    let is_long = bytes.saturating_mul(nodes.largest()) > LED_NODE_MAX;
    is_long && bytes >= LED_GATHERED_MAX * nodes.ranks() as usize && nodes.has_columns()
}

/// Returns what passes a rank in an allgather, as [`to_gather`] does.
///
/// # Errors
/// When there are too few blocks.
pub fn to_allgather(
    port: &Port,
    nodes: &Nodes,
    send: Option<&Buffer>,
    recv: &Blocks,
) -> Result<LedBlocks, Error> {
    recv.expect(nodes.ranks())?;
    let held = ByNode::new(port, nodes, recv)?;
    let position = nodes.inside_position();
    let own = match send {
        None if held.is_apart || position != 0 => {
            Some(recv.block(nodes.own_members()[position as usize]))
        }
        send => send.cloned(),
    };
    Ok(LedBlocks {
        held,
        own,
        node: nodes.own(),
    })
}

/// Gathers all blocks at all ranks. `send` is `None` in place.
pub(crate) async fn allgather(
    port: &Port,
    nodes: &Arc<Nodes>,
    send: Option<Buffer>,
    recv: &Blocks,
) -> Result<(), Error> {
    if goes_by_columns(nodes, recv.len()) {
        if let Some(column) = nodes.column(port) {
            return allgather_by_columns(port, nodes, &column, send, recv).await;
        }
    }
    let blocks = to_allgather(port, nodes, send.as_ref(), recv)?;
    let (inside, team) = nodes.inside(port);
    let own = (team.rank == 0).then(|| blocks.of_members(nodes));
    crate::gatherv(&inside, team, 0, blocks.own.clone(), own).await?;
    allgather_between(port, nodes, &blocks.held.nodes).await?;
    if !blocks.all().is_empty() {
        crate::bcast::any(&inside, &part_rules(), team, 0, blocks.all()).await?;
    }
    blocks.copy_to(recv)
}

/// The step of an allgather among the leaders, if this rank is one. `held` has the blocks of each
/// node.
pub(super) async fn allgather_between(
    port: &Port,
    nodes: &Arc<Nodes>,
    held: &Blocks,
) -> Result<(), Error> {
    let Some((between, leaders)) = nodes.parts(port, nodes.own_members()[0]).between else {
        return Ok(());
    };
    let algorithm = match leaders.size {
        // As many messages as in two rounds, at once.
        3 => Allgather::Linear,
        nodes => part_rules().allgatherv(nodes, held.len()),
    };
    crate::allgather::flat(&between, algorithm, leaders, None, held.clone()).await
}

/// Gathers long blocks at all ranks: each with the ranks of its position on the other nodes, then
/// those of each node inside.
async fn allgather_by_columns(
    port: &Port,
    nodes: &Arc<Nodes>,
    (column, leaders): &(Port, Team),
    send: Option<Buffer>,
    recv: &Blocks,
) -> Result<(), Error> {
    recv.expect(nodes.ranks())?;
    let (inside, team) = nodes.inside(port);
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
        crate::allgather::flat(&inside, Allgather::Ring, team, None, theirs).await?;
    }
    Ok(())
}

/// The memory of a leader in an alltoall: for each rank of its node, one after the other, the
/// blocks for all ranks, and those from all ranks.
pub struct LedExchange {
    sent: Buffer,
    received: Buffer,
    /// Bytes of a block.
    len: usize,
}

impl LedExchange {
    /// Returns all blocks that the ranks of the node send.
    pub fn sent(&self) -> &Buffer {
        &self.sent
    }

    /// Returns all blocks that the ranks of the node receive.
    pub fn received(&self) -> &Buffer {
        &self.received
    }

    /// Returns what each of `members` ranks sends, or receives.
    fn rows(whole: &Buffer, members: usize) -> Result<Blocks, Error> {
        let memory = whole.contiguous().ok_or_else(missing)?;
        let row = whole.len() / members;
        let rows = (0..members).map(|at| Buffer::bytes(memory.part(at * row, row)));
        Ok(Blocks::from(rows.collect::<Vec<_>>()))
    }
}

/// Returns the memory for an alltoall of blocks of `len` bytes, as [`to_gather`] does, at a leader;
/// `None` at others.
pub fn to_alltoall(port: &Port, nodes: &Nodes, len: usize) -> Option<LedExchange> {
    let size = nodes.own_members().len() * nodes.ranks() as usize * len;
    (nodes.inside_position() == 0).then(|| LedExchange {
        sent: scratch(port, size),
        received: scratch(port, size),
        len,
    })
}

/// Exchanges blocks of `len` bytes between all ranks; the leaders do it for their nodes.
pub(crate) async fn alltoall(
    port: &Port,
    nodes: &Arc<Nodes>,
    len: usize,
    send: &Blocks,
    recv: &Blocks,
) -> Result<(), Error> {
    let all = |blocks: &Blocks| blocks.range(0, nodes.ranks()).ok_or_else(missing);
    let (send, recv) = (all(send)?, all(recv)?);
    let (inside, team) = nodes.inside(port);
    let Some(held) = to_alltoall(port, nodes, len) else {
        crate::gatherv(&inside, team, 0, Some(send), None).await?;
        return crate::scatterv(&inside, team, 0, None, Some(recv)).await;
    };
    let members = nodes.own_members().len();
    let rows = LedExchange::rows(&held.sent, members)?;
    crate::gatherv(&inside, team, 0, Some(send), Some(rows)).await?;
    alltoall_between(port, nodes, &held).await?;
    let rows = LedExchange::rows(&held.received, members)?;
    crate::scatterv(&inside, team, 0, Some(rows), Some(recv)).await
}

/// The step of an alltoall among the leaders, if this rank is one: each sends to each other one the
/// blocks for its node, by source, then by destination.
pub(super) async fn alltoall_between(
    port: &Port,
    nodes: &Arc<Nodes>,
    held: &LedExchange,
) -> Result<(), Error> {
    let Some((between, leaders)) = nodes.parts(port, nodes.own_members()[0]).between else {
        return Ok(());
    };
    let (ranks, len, size) = (nodes.ranks() as usize, held.len, held.sent.len());
    let (packed, arrived) = (port.scratch(size), port.scratch(size));
    let sent = held.sent.contiguous().ok_or_else(missing)?;
    let received = held.received.contiguous().ok_or_else(missing)?;
    let block = |memory: UserBuf, row: usize, rank: u32| {
        Buffer::bytes(memory.part((row * ranks + rank as usize) * len, len))
    };
    let members = nodes.own_members().len();
    let (mut sends, mut recvs, mut at) = (Vec::new(), Vec::new(), 0);
    for node in 0..nodes.count() {
        let begin = at;
        for source in 0..members {
            for rank in nodes.members(node).iter() {
                copy(&block(sent, source, *rank), &bytes_of(packed, at..at + len))?;
                at += len;
            }
        }
        sends.push(bytes_of(packed, begin..at));
        recvs.push(bytes_of(arrived, begin..at));
    }
    let (sends, recvs) = (Blocks::from(sends), Blocks::from(recvs));
    crate::alltoallv(&between, &part_rules(), leaders, Some(sends), recvs).await?;
    let mut at = 0;
    for node in 0..nodes.count() {
        for source in nodes.members(node).iter() {
            for rank in 0..members {
                copy(
                    &bytes_of(arrived, at..at + len),
                    &block(received, rank, *source),
                )?;
                at += len;
            }
        }
    }
    Ok(())
}
