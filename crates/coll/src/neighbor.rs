//! Collectives among the neighbours of a process topology (MPI 5.0, 8.6).

use std::collections::VecDeque;
use std::sync::Arc;

use datatype::Buffer;

use crate::data::{copy, Blocks};
use crate::{Error, Port, Running, Team};

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

/// MPI_NEIGHBOR_ALLGATHER and MPI_NEIGHBOR_ALLGATHERV: one block to all destinations.
pub fn neighbor_allgather(
    port: &Port,
    team: Team,
    neighbors: Neighbors,
    send: Buffer,
    recv: Blocks,
) -> Running {
    let send = Blocks::from(vec![send; neighbors.destinations.len()]);
    running!(port, exchange(&port, team, neighbors, send, recv))
}

/// MPI_NEIGHBOR_ALLTOALL, MPI_NEIGHBOR_ALLTOALLV and MPI_NEIGHBOR_ALLTOALLW: a block to each
/// destination.
pub fn neighbor_alltoall(
    port: &Port,
    team: Team,
    neighbors: Neighbors,
    send: Blocks,
    recv: Blocks,
) -> Running {
    running!(port, exchange(&port, team, neighbors, send, recv))
}

/// The order in which to receive, so that it is the order in which the sources send.
///
/// Only the order between the same two processes matters. In a Cartesian dimension of one or
/// two processes both neighbours are the same process; what it sends in the negative direction,
/// first, comes in here from the positive direction.
fn receive_order(neighbors: &Neighbors) -> impl Iterator<Item = u32> {
    let swap = neighbors.cartesian as u32;
    (0..neighbors.sources.len() as u32).map(move |index| index ^ swap)
}

/// All messages at once: a window could deadlock in an arbitrary graph.
async fn exchange(
    port: &Port,
    team: Team,
    neighbors: Neighbors,
    send: Blocks,
    recv: Blocks,
) -> Result<(), Error> {
    send.expect(neighbors.destinations.len() as u32)?;
    recv.expect(neighbors.sources.len() as u32)?;
    if neighbors.cartesian && !neighbors.sources.len().is_multiple_of(2) {
        return Err(Error::Arguments(
            "a Cartesian topology has two neighbours per dimension",
        ));
    }
    let mut messages = Vec::new();
    let mut from_self = VecDeque::new();
    for index in receive_order(&neighbors) {
        let block = recv.block(index);
        match neighbors.sources[index as usize] {
            Some(source) if source == team.rank => from_self.push_back(block),
            Some(source) if !block.is_empty() => messages.push(port.recv(source, &block)),
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
            Some(destination) if !block.is_empty() => {
                messages.push(port.send(destination, &block));
            }
            _ => {}
        }
    }
    port.all(messages).await
}

const UNPAIRED: Error =
    Error::Arguments("this process is its own destination more often than its own source");
