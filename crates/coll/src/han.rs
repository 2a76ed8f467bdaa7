//! Hierarchical algorithms (`han`, Open MPI's name for them): ranks of one node combine what they
//! send to other nodes.
//!
//! ```text
//!    node 0          node 1          node 2
//!  +---------+     +---------+     +---------+
//!  | 0  1  2 |     | 3  4  5 |     | 6  7  8 |     inside: over memory, by messages
//!  +-|-------+     +-|-------+     +-|-------+
//!    0 <-----------> 3 <-----------> 6              between: the leaders, over the network
//! ```
//!
//! Each collective is made of the algorithms of this crate, run among the ranks of a node
//! ([`Nodes::inside`]) and among one rank of each node ([`Nodes::parts`]), over a port that
//! translates their ranks ([`crate::Port::among`]). So short data crosses between nodes once for
//! each node and round, instead of once for each rank: a barrier, broadcast or sum of few bytes
//! takes ceil(log2 nodes) rounds of one message per node.
//!
//! * The leader of a node is its first rank; the root is that of its own node.
//! * Operators see the ranks in order as long as the ranks of each node follow each other
//!   ([`Nodes::is_in_order`]); where they do not, an operator that does not commute goes through
//!   flat algorithms.
//! * Which calls go this way depends on the nodes, the bytes and the operator alone, so that the
//!   same reduction has the same bits each time.

mod barrier;
mod bcast;
mod blocks;
mod deal;
mod nodes;
mod reduce;
mod scan;

pub(crate) use barrier::barrier;
pub(crate) use bcast::bcast;
pub(crate) use blocks::{allgather, alltoall, gather, scatter};
pub(crate) use deal::reduce_scatter;
pub use nodes::Nodes;
pub(crate) use reduce::{allreduce, reduce};
pub(crate) use scan::{exscan, scan};

use crate::rules::{Allreduce, Reduce};
use crate::Rules;

/// Most nodes that long data passes one behind the other: each byte crosses between two nodes once,
/// where shorter ways move some of it twice.
const CHAIN_MAX: u32 = 8;

/// Returns the rules for the parts of a hierarchical collective: those of the tables, not of the
/// user, whose choices are about whole communicators.
fn part_rules() -> Rules {
    Rules {
        reports_to_tools: false,
        ..Rules::default()
    }
}

/// Whether a reduction of so many bytes between nodes is one of pieces, for which each rank of a
/// node works.
fn is_in_pieces(nodes: u32, bytes: usize) -> bool {
    let way = part_rules().allreduce(nodes, bytes, true);
    way != Allreduce::RecursiveDoubling
}

/// Returns the rules for a reduction between nodes, see [`CHAIN_MAX`].
fn rules_between(nodes: u32, bytes: usize) -> Rules {
    let rules = part_rules();
    let is_long = rules.flat_reduce(nodes, bytes) == Reduce::Rabenseifner;
    Rules {
        reduce_algorithm: (is_long && nodes <= CHAIN_MAX).then_some(Reduce::Pipeline),
        ..rules
    }
}
