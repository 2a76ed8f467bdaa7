//! Collective algorithms, as state machines that perform no I/O.
//!
//! A collective is an `async fn` over a [`Port`], into which it posts messages. Its driver (the
//! engine's owner, or a test) polls a [`Collective`], carries the posted messages, and reports
//! their completions; there is no runtime and no thread. So one algorithm serves the blocking, the
//! non-blocking and the persistent call, and ten ranks run in one test thread.
//!
//! ```text
//! call:      bcast(&port, &rules, team, root, buffer)      -> Running
//! drive:     Collective::new(port, running)
//!            loop { poll; take_posted -> start messages; complete(slot, result) }
//! ```
//!
//! Rules for every algorithm:
//!
//! * Data moves as packed bytes: ranks may use different datatypes of one type signature.
//! * Between two processes messages match in the order of posting; no tags are needed inside one
//!   collective. Consecutive collectives must not match each other: the driver keeps them apart.
//! * No message goes to the rank itself.
//! * The choice of algorithm ([`Rules`]) depends only on what all ranks know.
//! * Operators see the ranks in order unless they commute, and two ranks that should get the same
//!   result get the same bits.
//!
//! Code map: [`port`] is the interface to the driver; `team`, `data`, `reduction` and `halving` are
//! shared by the algorithms; [`rules`] chooses, `params` and [`table`] let users choose;
//! `signature` detects calls that do not belong together; every other file is one collective, with
//! its inter-communicator form (`inter_*`). `han` makes collectives over several nodes of these,
//! and `calls` begins the one or the other.
#![forbid(unsafe_code)]

/// Boxes an algorithm that borrows the port it moves along.
macro_rules! running {
    ($port:ident, $algorithm:expr) => {{
        let $port = $port.clone();
        Box::pin(async move { $algorithm.await })
    }};
}

mod error;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod params;
pub mod port;
pub mod rules;
mod signature;
pub mod table;

mod algorithms;
mod choices;
mod data;
mod halving;
mod peer;
mod reduction;
mod team;

mod allgather;
mod allreduce;
mod alltoall;
mod barrier;
mod bcast;
mod calls;
mod gather;
mod han;
mod names;
mod neighbor;
mod reduce;
mod reduce_scatter;
mod scan;
mod scatter;

pub use allgather::{inter_allgather, inter_allgatherv};
pub use allreduce::inter_allreduce;
pub use alltoall::{alltoallv, inter_alltoall};
pub use barrier::{barrier, inter_barrier};
pub use bcast::inter_bcast;
pub use calls::{
    allgather, allgather_inside, allreduce, allreduce_in_order, alltoall, barrier_by, bcast,
    exscan, gather, neighbor_allgather, neighbor_alltoall, reduce, reduce_in_order, reduce_scatter,
    scan, scatter,
};
pub use choices::Choices;
pub use data::Blocks;
pub use error::{Error, Failure};
pub use gather::{gatherv, inter_gather, inter_gatherv};
pub use han::{between, LedBlocks, LedExchange, LedReduction, Nodes, Routes};
pub use neighbor::Neighbors;
pub use params::{HAN_PRIORITY, PARAMS, RULES_FILE};
pub use peer::Peer;
pub use port::{Collective, Port, Running};
pub use reduce::{inter_reduce, Vector};
pub use reduce_scatter::{inter_reduce_scatter, Counts, ReduceScatterArgs};
pub use reduction::{Combine, Operator, Reduction};
pub use rules::Rules;
pub use scatter::{inter_scatter, inter_scatterv, scatterv};
pub use signature::{Difference, Function, Mismatch, Signature};
pub use team::{Inter, InterRoot, Team};
