//! Calls by the leaders of nodes ([`coll::between`]) in a communicator over several nodes, whose
//! steps inside a node go through memory that its ranks share.
//!
//! Each node decides for itself whether they do: what passes between nodes is the same. A step of
//! one call must not be taken for that of another ([`crate::Member::step_of`]).

use std::sync::Arc;

use coll::{between, Nodes, Port, Rules, Running};
use datatype::Buffer;

use crate::NodeCall;

/// Makes the steps of a call on one rank.
pub trait Steps {
    /// Why a step failed.
    type Error;

    /// Makes a step inside the node, whose leader is at a position of it.
    ///
    /// # Errors
    /// When the step fails.
    fn inside(&mut self, leader: u32, step: &NodeCall) -> Result<(), Self::Error>;

    /// Makes the step between nodes, by messages, if this rank is the leader.
    ///
    /// # Errors
    /// When the step fails.
    fn between(
        &mut self,
        leader: u32,
        begin: impl FnOnce(&Port) -> Running,
    ) -> Result<(), Self::Error>;
}

/// Whether a call of `ranks` ranks goes by leaders, and memory serves its steps inside nodes. All
/// ranks decide alike.
pub fn is_led(rules: &Rules, ranks: u32, call: &NodeCall) -> bool {
    let is_led = match call {
        NodeCall::Barrier => rules.leads_barrier(ranks),
        NodeCall::Bcast(_, buffer) => rules.leads_bcast(ranks, buffer.len()),
        NodeCall::Reduce(_, reduction, vector) => {
            let bytes = vector.bytes();
            bytes > 0 && rules.leads_reduce(ranks, bytes, reduction.commutative())
        }
        NodeCall::Allreduce(reduction, vector) => {
            let length = (vector.count, vector.bytes());
            length.1 > 0 && rules.leads_allreduce(ranks, length, reduction.commutative())
        }
        _ => false,
    };
    is_led && call.is_served()
}

/// Makes the steps of a call that [`is_led`].
///
/// # Errors
/// When a step fails; the later ones are not made.
pub fn run<S: Steps>(steps: &mut S, nodes: &Arc<Nodes>, call: &NodeCall) -> Result<(), S::Error> {
    match *call {
        NodeCall::Bcast(root, buffer) => {
            let leader = nodes.leader_for(root);
            steps.between(leader, |port| between::bcast(port, nodes, root, buffer))?;
            steps.inside(leader, &NodeCall::Bcast(leader, buffer))
        }
        NodeCall::Reduce(root, reduction, vector) => {
            let (leader, scratch) = (nodes.leader_for(root), Port::new());
            let parts = between::reduction(&scratch, nodes, root, reduction, vector);
            steps.inside(leader, &NodeCall::Reduce(leader, reduction, &parts.inside))?;
            match parts.between {
                Some(sum) => steps.between(leader, |port| {
                    between::reduce(port, nodes, root, reduction, sum)
                }),
                None => Ok(()),
            }
        }
        NodeCall::Allreduce(reduction, vector) => {
            let own = between::allreduction(nodes, vector);
            steps.inside(0, &NodeCall::Reduce(0, reduction, &own))?;
            steps.between(0, |port| between::allreduce(port, nodes, reduction, vector))?;
            let result = vector.recv.as_ref().unwrap_or(&Buffer::EMPTY);
            steps.inside(0, &NodeCall::Bcast(0, result))
        }
        // A barrier; no other call is led.
        _ => {
            steps.inside(0, &NodeCall::Barrier)?;
            steps.between(0, |port| between::barrier(port, nodes))?;
            steps.inside(0, &NodeCall::Barrier)
        }
    }
}
