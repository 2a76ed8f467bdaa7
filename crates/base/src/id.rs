//! Identifiers of processes, ranks and the layers that an active message is for.

use std::fmt;

/// A position inside one communicator, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rank(pub u32);

/// A peer's number at this process: a rank of its own world, or behind those a number that was
/// drawn when the process became known, which is of another job or of a later part of this one.
///
/// Numbers are dense, so tables by peer are small arrays, and nothing on the path of a message
/// knows of jobs. They are local: nothing above the transports sends one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PeerId(pub u32);

/// The layer above the transports that an active message is for. One byte on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AmTag(pub u8);

impl AmTag {
    /// Emulated put, get and atomics of transports that lack them.
    pub const RMA: AmTag = AmTag(0x10);
    /// Point-to-point messages.
    pub const PML: AmTag = AmTag(0x40);
    /// A message for no layer, which only ends a sleep.
    pub const WAKE: AmTag = AmTag(0x50);
    /// One-sided communication.
    pub const OSC: AmTag = AmTag(0x60);
    /// Revocation of communicators, and agreement.
    pub const FAULT: AmTag = AmTag(0x70);
    /// The first of the tags left to users of the low layer.
    pub const USER: AmTag = AmTag(0x80);

    /// Whether the layer's messages are matched and both directions carry data. A transport may
    /// then take several short ones before it asks whether the receiver wants more, and have a
    /// sender take in arrived messages before it sends on. The messages of other layers are
    /// requests, whose replies go first and which wait for nothing.
    #[inline]
    pub const fn is_two_sided(self) -> bool {
        self.0 == AmTag::PML.0
    }
}

impl Rank {
    /// The rank as an index into per-rank tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl PeerId {
    /// The peer as an index into per-peer tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {}", self.0)
    }
}

impl fmt::Display for PeerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "peer {}", self.0)
    }
}
