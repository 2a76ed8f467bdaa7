//! Calls by the leaders of nodes ([`coll::between`]) in a communicator over several nodes, whose
//! steps inside a node go through memory that its ranks share.
//!
//! Each node decides for itself whether they do: what passes between nodes is the same. A step of
//! one call must not be taken for that of another ([`crate::Member::step_of`]).

use std::sync::Arc;

use coll::{between, Blocks, Nodes, Port, Rules, Running};
use datatype::Buffer;

use crate::NodeCall;

/// Makes the steps of a call on one rank.
pub trait Steps {
    /// Why a step failed.
    type Error: From<coll::Error>;

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
        NodeCall::Gather(..) => rules.leads_gather(ranks, block_of(call, ranks)),
        NodeCall::Scatter(..) => rules.leads_scatter(ranks, block_of(call, ranks)),
        NodeCall::Allgather(_, blocks) => rules.leads_allgather(ranks, blocks.len()),
        NodeCall::Alltoall(send, recv) => {
            send.is_some() && rules.leads_alltoall(ranks, recv.len() / ranks as usize)
        }
    };
    is_led && call.is_served()
}

/// Returns the bytes of a block of a gather or scatter of `ranks` ranks: that of this rank, or one
/// of those that the root has.
fn block_of(call: &NodeCall, ranks: u32) -> usize {
    match *call {
        NodeCall::Gather(_, own, all) | NodeCall::Scatter(_, all, own) => match (own, all) {
            (Some(own), _) => own.len(),
            (None, all) => all.map_or(0, Buffer::len) / ranks as usize,
        },
        _ => 0,
    }
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
            let parts = between::to_reduce(&scratch, nodes, root, reduction, vector);
            steps.inside(leader, &NodeCall::Reduce(leader, reduction, &parts.inside))?;
            match parts.between {
                Some(sum) => steps.between(leader, |port| {
                    between::reduce(port, nodes, root, reduction, sum)
                }),
                None => Ok(()),
            }
        }
        NodeCall::Allreduce(reduction, vector) => {
            let own = between::to_allreduce(nodes, vector);
            steps.inside(0, &NodeCall::Reduce(0, reduction, &own))?;
            steps.between(0, |port| between::allreduce(port, nodes, reduction, vector))?;
            let result = vector.recv.as_ref().unwrap_or(&Buffer::EMPTY);
            steps.inside(0, &NodeCall::Bcast(0, result))
        }
        NodeCall::Barrier => {
            steps.inside(0, &NodeCall::Barrier)?;
            steps.between(0, |port| between::barrier(port, nodes))?;
            steps.inside(0, &NodeCall::Barrier)
        }
        _ => move_blocks(steps, nodes, call),
    }
}

/// Makes the steps of a call that moves blocks and combines none.
fn move_blocks<S: Steps>(
    steps: &mut S,
    nodes: &Arc<Nodes>,
    call: &NodeCall,
) -> Result<(), S::Error> {
    match *call {
        NodeCall::Gather(root, send, recv) => {
            let (leader, scratch) = (nodes.leader_for(root), Port::new());
            let recv = recv.filter(|_| nodes.is_own_rank(root));
            let recv = recv.map(|recv| Blocks::even(recv.clone(), nodes.ranks()));
            let shape = (root, block_of(call, nodes.ranks()));
            let blocks = between::to_gather(&scratch, nodes, shape, send, recv.as_ref())?;
            let held = nodes.leads_for(root).then(|| blocks.of_node());
            let step = NodeCall::Gather(leader, blocks.own(), held.as_ref());
            steps.inside(leader, &step)?;
            steps.between(leader, |port| between::gather(port, nodes, root, &blocks))?;
            recv.map_or(Ok(()), |recv| Ok(blocks.copy_to(&recv)?))
        }
        NodeCall::Scatter(root, send, recv) => {
            let (leader, scratch) = (nodes.leader_for(root), Port::new());
            let send = send.filter(|_| nodes.is_own_rank(root));
            let send = send.map(|send| Blocks::even(send.clone(), nodes.ranks()));
            let shape = (root, block_of(call, nodes.ranks()));
            let blocks = between::to_scatter(&scratch, nodes, shape, send.as_ref())?;
            steps.between(leader, |port| between::scatter(port, nodes, root, &blocks))?;
            let held = nodes.leads_for(root).then(|| blocks.of_node());
            steps.inside(leader, &NodeCall::Scatter(leader, held.as_ref(), recv))
        }
        NodeCall::Allgather(send, recv) => {
            let scratch = Port::new();
            let blocks = between::to_allgather(&scratch, nodes, send, recv)?;
            let held = (nodes.inside_position() == 0).then(|| blocks.of_node());
            steps.inside(0, &NodeCall::Gather(0, blocks.own(), held.as_ref()))?;
            steps.between(0, |port| between::allgather(port, nodes, &blocks))?;
            steps.inside(0, &NodeCall::Bcast(0, blocks.all()))?;
            Ok(blocks.copy_to(recv)?)
        }
        NodeCall::Alltoall(send, recv) => {
            let (ranks, scratch) = (nodes.ranks() as usize, Port::new());
            let held = between::to_alltoall(&scratch, nodes, recv.len() / ranks);
            let sent = held.as_ref().map(|held| held.sent().clone());
            let received = held.as_ref().map(|held| held.received().clone());
            let own = send.and_then(Blocks::first);
            steps.inside(0, &NodeCall::Gather(0, own, sent.as_ref()))?;
            if let Some(held) = held {
                steps.between(0, |port| between::alltoall(port, nodes, held))?;
            }
            steps.inside(0, &NodeCall::Scatter(0, received.as_ref(), recv.first()))
        }
        // The others are not made of blocks.
        _ => Ok(()),
    }
}
