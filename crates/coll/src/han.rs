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
//! Each collective is made of the algorithms of this crate, run among some ranks over a port that
//! translates these ([`crate::Port::among`]):
//!
//! * *Leaders*: the ranks of a node ([`Nodes::inside`]), and one rank of each ([`Nodes::parts`]).
//!   So short data crosses between nodes once for each node and round, instead of once for each
//!   rank: a barrier, broadcast or sum of few bytes takes ceil(log2 nodes) rounds of one message
//!   per node.
//! * *Columns*: the ranks at one position of all nodes ([`Nodes::column`]), where these have
//!   equally many. So all share the work on long data, each byte of which crosses once.
//! * *Routes*: the edges of a topology from one node to another, whose blocks go in one message
//!   ([`Routes`]).
//! * The *row* of all ranks, node by node ([`Nodes::row`]), or a tree of the nodes with a chain
//!   inside each, through which long data runs in segments.
//!
//! In all of them:
//!
//! * The leader of a node is its first rank; the root is that of its own node.
//! * Operators see the ranks in order as long as the ranks of each node follow each other
//!   ([`Nodes::is_in_order`]); where they do not, an operator that does not commute goes through
//!   flat algorithms.
//! * Which calls go this way depends on the nodes, the bytes and the operator alone, so that the
//!   same reduction has the same bits each time.

mod barrier;
mod bcast;
pub mod between;
mod blocks;
mod deal;
mod neighbors;
mod nodes;
mod reduce;
mod scan;

pub(crate) use barrier::barrier;
pub(crate) use bcast::bcast;
pub(crate) use blocks::{allgather, alltoall, gather, scatter};
pub use blocks::{LedBlocks, LedExchange};
pub(crate) use deal::reduce_scatter;
pub use neighbors::Routes;
pub(crate) use neighbors::{exchange, Chosen};
pub use nodes::Nodes;
pub use reduce::LedReduction;
pub(crate) use reduce::{allreduce, reduce, Inside};
pub(crate) use scan::{exscan, scan};

use crate::Rules;

/// Returns the rules for the parts of a hierarchical collective: those of the tables, not of the
/// user, whose choices are about whole communicators.
fn part_rules() -> Rules {
    Rules {
        reports_to_tools: false,
        ..Rules::default()
    }
}

/// The fewest bytes of a segment of data that passes many ranks, and the most, which several
/// networks of a node may share.
const ROW_LEAST: usize = 8 << 10;
const ROW_MOST: usize = 128 << 10;

/// Returns the bytes of a segment where long data goes through the row of all ranks, node by node,
/// each of which sends a segment on while it receives the next; `None` where it has too few of
/// these to keep most ranks busy.
///
/// A long row wants short segments, and each costs the overhead of a message. By the model
/// (`tests/model`) this row is the best way between nodes for almost all long data on networks of 1
/// to 100 Gbit/s: each byte enters and leaves a node once, whatever else its ranks do.
fn row_segment(ranks: u32, bytes: usize) -> Option<usize> {
    let ranks = ranks as usize;
    let segments = bytes / ROW_LEAST;
    (3 * segments >= 2 * ranks).then(|| (bytes / (2 * ranks)).clamp(ROW_LEAST, ROW_MOST))
}
