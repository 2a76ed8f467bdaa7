//! The agreement of two processes that were not started together.

use std::fmt;

use base::PeerId;

/// The number by which a process is known at another one: that of the peer there, and its
/// generation, which distinguishes it from those that had the number before. Thus a message of one
/// that was removed, which arrives late, is not taken for one of its successor. Ranks of one world
/// number each other alike; the generation distinguishes a rank's lives, where it is started again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Alias(u32);

/// Bits of an alias that hold the number.
const NUMBER_BITS: u32 = 24;

impl Alias {
    /// Returns the alias of a peer. No process knows 2^24 peers.
    pub fn new(peer: PeerId, generation: u8) -> Alias {
        debug_assert!(peer.0 < 1 << NUMBER_BITS, "{peer}");
        Alias(u32::from(generation) << NUMBER_BITS | peer.0)
    }

    /// Returns the alias that travelled as a number.
    pub fn from_bits(bits: u32) -> Alias {
        Alias(bits)
    }

    /// Returns the alias as it travels.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Returns the number of the peer.
    pub fn peer(self) -> PeerId {
        PeerId(self.0 & ((1 << NUMBER_BITS) - 1))
    }

    /// Returns which of the processes that have had the number it is.
    pub fn generation(self) -> u8 {
        (self.0 >> NUMBER_BITS) as u8
    }
}

impl fmt::Display for Alias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of generation {}", self.peer(), self.generation())
    }
}

/// The agreement of this process with one peer of another job, or of a later part of its own.
///
/// A number of a peer ([`PeerId`]) is local to a process. The processes that were started together
/// number each other alike; others exchange their numbers when they meet, and each message
/// carries the sender's number at the receiver.
#[derive(Clone, PartialEq, Eq)]
pub struct Foreign {
    /// The alias by which the peer knows this process.
    pub known_as: Alias,
    /// The generation of the peer's number at this process.
    pub generation: u8,
    /// A number that distinguishes connections by this agreement from those of the job. It is no
    /// secret.
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
