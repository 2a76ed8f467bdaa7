//! Collectives among the neighbours of a process topology (MPI 5.0, 8.6).

use std::collections::VecDeque;
use std::sync::Arc;

use datatype::Buffer;

use crate::data::{copy, Blocks};
use crate::port::Op;
use crate::{Error, Port, Team};

/// The neighbours of this process in the communicator's topology.
#[derive(Clone, Debug)]
pub struct Neighbors {
    /// Sources of messages to this process, by receive block; `None` for `MPI_PROC_NULL`.
    pub sources: Arc<[Option<u32>]>,
    /// Destinations of this process, by send block; `None` for `MPI_PROC_NULL`.
    pub destinations: Arc<[Option<u32>]>,
    /// Whether they are those of a Cartesian topology: for each dimension the neighbour in the
    /// negative direction, then the one in the positive direction.
    pub cartesian: bool,
}

/// The blocks that a process sends to its destinations.
pub(crate) enum Outgoing {
    /// One block to all.
    Same(Buffer),
    /// A block to each.
    Each(Blocks),
}

impl Outgoing {
    /// Returns the block for a destination.
    pub fn block(&self, index: u32) -> Buffer {
        match self {
            Outgoing::Same(block) => block.clone(),
            Outgoing::Each(blocks) => blocks.block(index),
        }
    }

    /// Returns the length of a block, where all are equal and there is one.
    pub fn block_len(&self) -> Option<usize> {
        match self {
            Outgoing::Same(block) => Some(block.len()),
            Outgoing::Each(Blocks::Even {
                blocks, block_len, ..
            }) => (*blocks > 0).then_some(*block_len),
            Outgoing::Each(Blocks::Listed(_)) => None,
        }
    }
}

/// The order in which to receive, so that it is the order in which the sources send.
///
/// Only the order between the same two processes matters. In a Cartesian dimension of one or
/// two processes both neighbours are the same process; what it sends in the negative direction,
/// first, comes in here from the positive direction.
pub(crate) fn receive_order(neighbors: &Neighbors) -> impl Iterator<Item = u32> {
    let swap = neighbors.cartesian as u32;
    (0..neighbors.sources.len() as u32).map(move |index| index ^ swap)
}

/// All messages at once: a window could deadlock in an arbitrary graph.
pub(crate) async fn exchange(
    port: &Port,
    team: Team,
    neighbors: &Neighbors,
    send: &Outgoing,
    recv: &Blocks,
) -> Result<(), Error> {
    let messages = direct(port, team, neighbors, send, recv, |_, _| true)?;
    port.all(messages).await
}

/// Whether there is a block for each neighbour.
pub(crate) fn check(neighbors: &Neighbors, send: &Outgoing, recv: &Blocks) -> Result<(), Error> {
    if let Outgoing::Each(blocks) = send {
        blocks.expect(neighbors.destinations.len() as u32)?;
    }
    recv.expect(neighbors.sources.len() as u32)?;
    if neighbors.cartesian && !neighbors.sources.len().is_multiple_of(2) {
        return Err(Error::Arguments(
            "a Cartesian topology has two neighbours per dimension",
        ));
    }
    Ok(())
}

/// Posts a message for each edge that `goes`, which gets the peer and whether that is the source.
/// Blocks for this process itself are copied.
pub(crate) fn direct(
    port: &Port,
    team: Team,
    neighbors: &Neighbors,
    send: &Outgoing,
    recv: &Blocks,
    goes: impl Fn(u32, bool) -> bool,
) -> Result<Vec<Op>, Error> {
    let mut messages = Vec::new();
    let mut from_self = VecDeque::new();
    for index in receive_order(neighbors) {
        let block = recv.block(index);
        match neighbors.sources[index as usize] {
            Some(source) if source == team.rank => from_self.push_back(block),
            Some(source) if !block.is_empty() && goes(source, true) => {
                messages.push(port.recv(source, &block));
            }
            _ => {}
        }
    }
    for (index, destination) in neighbors.destinations.iter().enumerate() {
        let block = send.block(index as u32);
        match *destination {
            Some(destination) if destination == team.rank => {
                let incoming = from_self.pop_front();
                copy(&block, &incoming.ok_or(UNPAIRED)?)?;
            }
            Some(destination) if !block.is_empty() && goes(destination, false) => {
                messages.push(port.send(destination, &block));
            }
            _ => {}
        }
    }
    Ok(messages)
}

const UNPAIRED: Error =
    Error::Arguments("this process is its own destination more often than its own source");
