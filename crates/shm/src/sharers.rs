//! [`Sharers`]: the ranks of a communicator that come to share a segment, and what they exchange in
//! its [handshake], by the communicator's own means.

use crate::handshake::{self, Invitation};

/// A group of ranks that exchange numbers. All its ranks make the same calls.
pub trait Exchange {
    /// Why an exchange failed.
    type Error;

    /// Returns the numbers that rank 0 passes.
    ///
    /// # Errors
    /// When a message fails.
    fn share_first(&self, words: &[u64]) -> Result<Vec<u64>, Self::Error>;

    /// Returns the numbers that all ranks pass, by rank.
    ///
    /// # Errors
    /// When a message fails.
    fn share_all(&self, words: &[u64]) -> Result<Vec<Vec<u64>>, Self::Error>;
}

/// The processes of a communicator that come to share a segment: its ranks, rising. All processes
/// of the communicator take part at the same time, each with those that it shares one with.
pub struct Sharers {
    ranks: Vec<u32>,
    /// The position of this process among them.
    own: u32,
    /// Whether these are all processes of the communicator.
    are_all: bool,
}

impl Sharers {
    /// Returns all `size` ranks of a communicator, of which this process is `own`.
    pub fn all(size: u32, own: u32) -> Sharers {
        Sharers {
            ranks: (0..size).collect(),
            own,
            are_all: true,
        }
    }

    /// Returns the ranks that are on the node of `rank`, by the node of each.
    pub fn on_node_of(rank: u32, nodes: &[u32]) -> Sharers {
        let here = nodes[rank as usize];
        let ranks = nodes.iter().zip(0..).filter(|(node, _)| **node == here);
        let ranks: Vec<u32> = ranks.map(|(_, rank)| rank).collect();
        let own = ranks.binary_search(&rank).unwrap_or(0) as u32;
        Sharers {
            ranks,
            own,
            are_all: false,
        }
    }

    /// The ranks, rising.
    pub fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The position of this process among them.
    pub fn own(&self) -> u32 {
        self.own
    }

    /// Has the first of them create a segment and the others attach it.
    ///
    /// # Errors
    /// When a message fails.
    pub fn invite<H, G: Exchange>(
        &self,
        group: &G,
        create: impl FnOnce() -> (H, Invitation),
        attach: impl FnOnce(&Invitation) -> H,
    ) -> Result<H, G::Error> {
        let (created, invitation) = match self.own {
            0 => {
                let (handshake, invitation) = create();
                (Some(handshake), invitation)
            }
            _ => (None, handshake::none()),
        };
        let words = words(&invitation);
        let invited = match self.are_all {
            true => group.share_first(&words)?,
            // Each node has another one.
            false => group.share_all(&words)?.swap_remove(self.ranks[0] as usize),
        };
        Ok(created.unwrap_or_else(|| attach(&bytes(&invited))))
    }

    /// Sends `own` to all processes of the communicator, and returns what these have sent, in the
    /// order of their ranks.
    ///
    /// # Errors
    /// When a message fails.
    pub fn exchange<G: Exchange, const N: usize>(
        &self,
        group: &G,
        own: &[u8; N],
    ) -> Result<Vec<[u8; N]>, G::Error> {
        let rows = group.share_all(&words(own))?;
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
