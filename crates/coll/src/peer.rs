//! The peer of a message in a collective: a rank of the own or the remote group.

use std::fmt;

/// The other end of a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Peer {
    /// The rank in its group.
    pub rank: u32,
    /// Whether the group is the remote one of an inter-communicator.
    pub remote: bool,
}

impl Peer {
    /// A rank of the remote group of an inter-communicator.
    pub fn remote(rank: u32) -> Peer {
        Peer { rank, remote: true }
    }
}

impl From<u32> for Peer {
    /// A rank of the own group.
    fn from(rank: u32) -> Peer {
        Peer {
            rank,
            remote: false,
        }
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = if self.remote {
            " of the remote group"
        } else {
            ""
        };
        write!(f, "rank {}{group}", self.rank)
    }
}
