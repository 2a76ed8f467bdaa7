//! Common parts of collectives and windows through shared memory: creating and attaching a segment,
//! and waiting for what others write there.

use engine::Core;
use shm::handshake::{self, Invitation};

use crate::{Comm, Error, Process};

/// Polls of a segment between two polls of the transports, where there is a core for each process.
pub(crate) const POLLS: usize = 48;

impl Process {
    /// Returns how often a wait polls a segment between two polls of the transports.
    pub(crate) fn segment_polls(&self) -> usize {
        match self.engine.spins() {
            true => POLLS,
            false => 1,
        }
    }

    /// Waits until `ready` finds in a segment what it waits for, polled `polls` times between two
    /// polls of the transports, or until `stop` returns why not. `doze(true)` is called before a
    /// sleep, and `doze(false)` after it.
    #[inline]
    pub(crate) fn wait_for_segment<E>(
        &self,
        polls: usize,
        mut ready: impl FnMut() -> bool,
        mut stop: impl FnMut(&Core) -> Option<E>,
        doze: impl FnMut(bool),
    ) -> Result<(), E> {
        let poll = |core: &mut Core| {
            if (0..polls).any(|_| ready()) {
                return Some(Ok(()));
            }
            stop(core).map(Err)
        };
        self.wait_until_woken(poll, doze)
    }
}

/// The processes of a communicator that come to share a segment: its ranks, rising. All processes
/// of the communicator take part at the same time, each with those that it shares one with.
pub(crate) struct Sharers {
    ranks: Vec<u32>,
    /// The position of this process among them.
    own: u32,
    /// Whether these are all processes of the communicator.
    are_all: bool,
}

impl Sharers {
    /// Returns all processes of a communicator.
    pub(crate) fn all(comm: &Comm) -> Sharers {
        Sharers {
            ranks: (0..comm.size()).collect(),
            own: comm.rank(),
            are_all: true,
        }
    }

    /// Returns those of a communicator that are on this process's node.
    pub(crate) fn on_this_node(comm: &Comm) -> Sharers {
        let nodes = comm.process().nodes_of(comm.group().peers());
        let here = nodes[comm.rank() as usize];
        let ranks = nodes.iter().zip(0..).filter(|(node, _)| **node == here);
        let ranks: Vec<u32> = ranks.map(|(_, rank)| rank).collect();
        let own = ranks.binary_search(&comm.rank()).unwrap_or(0) as u32;
        Sharers {
            ranks,
            own,
            are_all: false,
        }
    }

    /// The ranks, rising.
    pub(crate) fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The position of this process among them.
    pub(crate) fn own(&self) -> u32 {
        self.own
    }

    /// Has the first of them create a segment and the others attach it.
    ///
    /// # Errors
    /// When a message fails.
    pub(crate) fn invite<H>(
        &self,
        comm: &Comm,
        create: impl FnOnce() -> (H, Invitation),
        attach: impl FnOnce(&Invitation) -> H,
    ) -> Result<H, Error> {
        let (created, invitation) = match self.own {
            0 => {
                let (handshake, invitation) = create();
                (Some(handshake), invitation)
            }
            _ => (None, handshake::none()),
        };
        let words = words(&invitation);
        let told = match self.are_all {
            true => comm.share_values(&words)?,
            // Each node has another one.
            false => comm.collect(&words)?.swap_remove(self.ranks[0] as usize),
        };
        Ok(created.unwrap_or_else(|| attach(&bytes(&told))))
    }

    /// Sends `own` to all processes of the communicator, and returns what these have sent, in the
    /// order of their ranks.
    ///
    /// # Errors
    /// When a message fails.
    pub(crate) fn exchange<const N: usize>(
        &self,
        comm: &Comm,
        own: &[u8; N],
    ) -> Result<Vec<[u8; N]>, Error> {
        let rows = comm.collect(&words(own))?;
        let rows = self.ranks.iter().map(|rank| bytes(&rows[*rank as usize]));
        Ok(rows.collect())
    }
}

/// Returns bytes, a multiple of 8, as the words that communicators exchange.
fn words(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    bytes.chunks_exact(8).map(word).collect()
}

fn bytes<const N: usize>(words: &[u64]) -> [u8; N] {
    let mut bytes = [0; N];
    for (room, word) in bytes.chunks_exact_mut(8).zip(words) {
        room.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// Returns the first process of a communicator that messages reach otherwise than through shared
/// memory: it could not be woken when it sleeps for a segment.
pub(crate) fn first_apart(comm: &Comm, core: &Core) -> Option<base::PeerId> {
    let own = comm.process().identity.peer;
    let mut others = comm.group().peers().iter().filter(|peer| **peer != own);
    others.find(|peer| !core.shares_memory(**peer)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_travel_as_words_and_come_back() {
        let sent: [u8; 24] = std::array::from_fn(|at| at as u8 + 200);
        assert_eq!(words(&sent).len(), 3);
        assert_eq!(bytes::<24>(&words(&sent)), sent);
    }
}
