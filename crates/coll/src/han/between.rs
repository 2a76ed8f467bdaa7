//! Calls by leaders, for a driver that carries their steps inside nodes by itself, as through
//! shared memory: which calls these are, and their steps between nodes.
//!
//! Each node decides for itself what carries its inner steps: those between nodes are the same.

use std::sync::Arc;

use datatype::Buffer;

use super::reduce::LedReduction;
use super::Nodes;
use super::{barrier as barriers, bcast as broadcasts, reduce as reductions};
use crate::rules::{Allreduce, Barrier, Bcast, Reduce};
use crate::{Port, Reduction, Rules, Running, Vector};

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

/// Returns what this rank passes to the steps of a reduction to `root`. Where the sum of a node has
/// no place in the arguments it is in scratch memory of the port.
pub fn reduction(
    port: &Port,
    nodes: &Nodes,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> LedReduction {
    reductions::led(port, nodes, root, reduction, vector)
}

/// Returns what this rank passes to the step inside its node of an allreduce, whose root is the
/// leader. Its sum goes where the result goes.
pub fn allreduction(nodes: &Nodes, vector: &Vector) -> Vector {
    reductions::inside(nodes, vector)
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
