//! The agreement of two processes that were not started together.

use std::fmt;

use base::PeerId;

/// The agreement of this process with one peer of another job, or of a later part of its own.
///
/// A number of a peer ([`PeerId`]) is local to a process. The processes that were started together
/// number each other alike; others tell each other their numbers when they meet, and each message
/// carries the sender's number at the receiver.
#[derive(Clone, PartialEq, Eq)]
pub struct Foreign {
    /// The number by which the peer knows this process.
    pub known_as: PeerId,
    /// A number that tells connections by this agreement from those of the job. It guards nothing.
    pub realm: u64,
    /// The secret of the two groups that met: any process that has it may connect.
    pub secret: [u8; 32],
    /// Whether this process precedes the peer in an order that both know.
    pub is_first: bool,
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Foreign {{ {}, realm {:#x} }}",
            self.known_as, self.realm
        )
    }
}
