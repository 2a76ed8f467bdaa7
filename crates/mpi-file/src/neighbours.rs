//! [`NodeMemory`]: processes of a file whose memory this one reaches with one copy by the kernel
//! (process_vm_readv(2), the component `cma` of `smsc`).
//!
//! Whether the kernel allows that no call says for certain, so each aggregator reads a number in
//! the memory of every process of its node when the file is opened. Where one of a node cannot,
//! data on that node goes by messages. Memory that nobody reaches from outside (that of a device)
//! is found by the copy that fails, and goes as a message.

use std::io::{Error, ErrorKind, Result};
use std::sync::Arc;

use ::io::{Direction, Neighbours, Remote};
use mca::Framework;
use memory::UserBuf;
use shm::copy::{self, Probe};

use mpi::Comm;

/// 64-bit words of a process in the first exchange.
pub(crate) const WORDS: usize = 4;

/// Processes whose memory this one reaches.
pub(crate) struct NodeMemory {
    /// Process number by rank; 0 for a process that is not reached.
    pids: Vec<u32>,
    /// The number that others have read here; it lives as long as they may.
    _probe: Probe,
}

/// Returns whether this process takes part, its number, and its probe: what all collect.
pub(crate) fn offer(comm: &Comm, probe: &Probe) -> [u64; WORDS] {
    let registry = &comm.process().registry;
    let smsc = registry.components(Framework::Smsc, btl_sm::SINGLE_COPY);
    let wants = smsc.is_ok_and(|smsc| smsc.admits("cma"));
    [
        wants.into(),
        std::process::id().into(),
        *probe.number(),
        probe.address(),
    ]
}

/// Finds out, with all processes of the file, whose memory is reached. `nodes` and `offers` are
/// those of all by rank.
///
/// # Errors
/// When a process has failed.
pub(crate) fn meet(
    comm: &Comm,
    probe: Probe,
    nodes: &[u64],
    offers: &[[u64; WORDS]],
    aggregators: &[u32],
) -> std::result::Result<Option<Arc<dyn Neighbours>>, mpi::Error> {
    let own = comm.rank() as usize;
    let near = |rank: usize, other: usize| rank != other && nodes[rank] == nodes[other];
    let ranks = 0..nodes.len();
    let aggregates = |rank: &usize| aggregators.contains(&(*rank as u32));
    let of_use = |one: usize| ranks.clone().any(|other| near(one, other));
    if !ranks.clone().filter(aggregates).any(of_use) {
        return Ok(None);
    }
    let reached = |rank: usize| {
        let [wants, pid, number, address] = offers[rank];
        let probe = [number.to_le_bytes(), address.to_le_bytes()].concat();
        wants != 0 && copy::may_read(pid as u32, &probe)
    };
    let mut others = ranks.clone().filter(|rank| near(own, *rank));
    let all = offers[own][0] != 0 && (!aggregates(&own) || others.all(reached));
    let answers = comm.collect(&[u64::from(all)])?;
    let node = |rank: &usize| nodes[*rank] == nodes[own];
    let agreed = ranks.clone().filter(node).all(|rank| answers[rank][0] != 0);
    if !agreed {
        return Ok(None);
    }
    let pid = |rank: usize| match near(own, rank) {
        true => offers[rank][1] as u32,
        false => 0,
    };
    Ok(Some(Arc::new(NodeMemory {
        pids: ranks.map(pid).collect(),
        _probe: probe,
    })))
}

impl Neighbours for NodeMemory {
    fn reaches(&self, rank: u32) -> bool {
        self.pids.get(rank as usize).is_some_and(|pid| *pid != 0)
    }

    fn copy(
        &self,
        rank: u32,
        direction: Direction,
        local: &[UserBuf],
        remote: &[Remote],
    ) -> Result<()> {
        let pid = self.pids.get(rank as usize).filter(|pid| **pid != 0);
        let pid = *pid.ok_or_else(|| Error::from(ErrorKind::Unsupported))?;
        let remote: Vec<(u64, u64)> = remote.iter().map(|r| (r.address, r.length)).collect();
        // A write of the file reads the memory that has its data.
        let way = match direction {
            Direction::Write => copy::Direction::Read,
            Direction::Read => copy::Direction::Write,
        };
        let copied = copy::copy_lists(pid, way, local, &remote);
        copied.inspect_err(|why| {
            Framework::Fcoll.debug(format_args!(
                "memory of rank {rank} is not reached, and its data goes by messages: {why}"
            ));
        })
    }
}
