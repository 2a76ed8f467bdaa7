//! Calls by leaders, for a driver that carries their steps inside nodes by itself, as through
//! shared memory: which calls these are, and their steps between nodes.
//!
//! Each node decides for itself what carries its inner steps: those between nodes are the same.

use std::sync::Arc;

use datatype::Buffer;

use super::{barrier as barriers, bcast as broadcasts, blocks, reduce as reductions};
use super::{LedBlocks, LedExchange, Nodes};
use crate::rules::{Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce};
use crate::{Port, Reduction, Rules, Running, Vector};

pub use super::blocks::{to_allgather, to_alltoall, to_gather, to_scatter};
pub use super::reduce::{to_allreduce, to_reduce};

/// Most bytes of a call whose inner steps a driver carries: longer vectors are better cut into
/// pieces.
const CARRIED_MAX: usize = 64 << 10;

impl Rules {
    /// Whether a barrier of this many ranks goes by the leaders of nodes.
    pub fn leads_barrier(&self, ranks: u32) -> bool {
        self.barrier(ranks) == Barrier::Hierarchical
    }

    /// Whether a broadcast of `bytes` goes by the leaders of nodes.
    pub fn leads_bcast(&self, ranks: u32, bytes: usize) -> bool {
        let led = |nodes: &Arc<Nodes>| broadcasts::is_led(nodes, bytes);
        self.bcast(ranks, bytes) == Bcast::Hierarchical && self.nodes.as_ref().is_some_and(led)
    }

    /// Whether a reduction of `bytes` goes by the leaders of nodes.
    pub fn leads_reduce(&self, ranks: u32, bytes: usize, commutative: bool) -> bool {
        let led = |nodes: &Arc<Nodes>| reductions::is_led(nodes, bytes);
        let choice = self.reduce(ranks, bytes, commutative);
        choice == Reduce::Hierarchical && self.nodes.as_ref().is_some_and(led)
    }

    /// Whether an allreduce of `count` elements, together `bytes`, goes by the leaders of nodes.
    pub fn leads_allreduce(
        &self,
        ranks: u32,
        (count, bytes): (usize, usize),
        commutative: bool,
    ) -> bool {
        let led = |nodes: &Arc<Nodes>| {
            bytes <= CARRIED_MAX && !reductions::goes_by_columns(nodes, (count, bytes), commutative)
        };
        let choice = self.allreduce(ranks, bytes, commutative);
        choice == Allreduce::Hierarchical && self.nodes.as_ref().is_some_and(led)
    }
}

impl Rules {
    /// Whether a gather of blocks of `block` bytes goes by the leaders of nodes.
    pub fn leads_gather(&self, ranks: u32, block: usize) -> bool {
        self.gather(ranks, block) == Gather::Hierarchical
    }

    /// Whether a scatter of blocks of `block` bytes goes by the leaders of nodes.
    pub fn leads_scatter(&self, ranks: u32, block: usize) -> bool {
        self.scatter(ranks, block) == Gather::Hierarchical
    }

    /// Whether an allgather of `bytes` from all ranks goes by the leaders of nodes.
    pub fn leads_allgather(&self, ranks: u32, bytes: usize) -> bool {
        let led =
            |nodes: &Arc<Nodes>| bytes <= CARRIED_MAX && !blocks::goes_by_columns(nodes, bytes);
        let choice = self.allgather(ranks, bytes);
        choice == Allgather::Hierarchical && self.nodes.as_ref().is_some_and(led)
    }

    /// Whether an alltoall of blocks of `block` bytes goes by the leaders of nodes.
    pub fn leads_alltoall(&self, ranks: u32, block: usize) -> bool {
        self.alltoall(ranks, block) == Alltoall::Hierarchical
    }
}

/// The step between nodes of a barrier, for each leader.
pub fn barrier(port: &Port, nodes: &Arc<Nodes>) -> Running {
    let nodes = Arc::clone(nodes);
    running!(port, barriers::between(&port, &nodes))
}

/// The step between nodes of a broadcast, for each leader.
pub fn bcast(port: &Port, nodes: &Arc<Nodes>, root: u32, buffer: &Buffer) -> Running {
    let (nodes, buffer) = (Arc::clone(nodes), buffer.clone());
    running!(port, broadcasts::between(&port, &nodes, root, &buffer))
}

/// The step between nodes of a reduction, for each leader.
pub fn reduce(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    reduction: &Reduction,
    sum: Vector,
) -> Running {
    let (nodes, reduction) = (Arc::clone(nodes), reduction.clone());
    running!(
        port,
        reductions::between(&port, &nodes, root, &reduction, &sum)
    )
}

/// The step between nodes of an allreduce, for each leader, in place in its vector's result.
pub fn allreduce(
    port: &Port,
    nodes: &Arc<Nodes>,
    reduction: &Reduction,
    vector: &Vector,
) -> Running {
    let (nodes, reduction, vector) = (Arc::clone(nodes), reduction.clone(), vector.clone());
    running!(
        port,
        reductions::all_between(&port, &nodes, &reduction, &vector)
    )
}

/// The step between nodes of a gather, for each leader.
pub fn gather(port: &Port, nodes: &Arc<Nodes>, root: u32, led: &LedBlocks) -> Running {
    let (nodes, held) = (Arc::clone(nodes), led.by_node().clone());
    running!(port, blocks::gather_between(&port, &nodes, root, &held))
}

/// The step between nodes of a scatter, for each leader.
pub fn scatter(port: &Port, nodes: &Arc<Nodes>, root: u32, led: &LedBlocks) -> Running {
    let (nodes, held) = (Arc::clone(nodes), led.by_node().clone());
    running!(port, blocks::scatter_between(&port, &nodes, root, &held))
}

/// The step between nodes of an allgather, for each leader.
pub fn allgather(port: &Port, nodes: &Arc<Nodes>, led: &LedBlocks) -> Running {
    let (nodes, held) = (Arc::clone(nodes), led.by_node().clone());
    running!(port, blocks::allgather_between(&port, &nodes, &held))
}

/// The step between nodes of an alltoall, for a leader that has received what its node sends.
pub fn alltoall(port: &Port, nodes: &Arc<Nodes>, held: LedExchange) -> Running {
    let nodes = Arc::clone(nodes);
    running!(port, blocks::alltoall_between(&port, &nodes, &held))
}
