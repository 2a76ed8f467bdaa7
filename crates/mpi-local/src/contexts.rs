//! The numbers of communicators' contexts.
//!
//! A context is made of the process that named it (24 bits), its number there (26 bits), the
//! number of a duplicate (12 bits: see [`TWIN_LEVELS`]), and the plane (2 bits, which only the
//! communicator knows). Where a communicator has members of several worlds, the first 50 bits are
//! random ([`foreign`]).

use base::PeerId;
use pml::Context;

/// The context of the world communicator, which no other one gets, since names begin later.
pub const WORLD: Context = Context(0);
/// The context of the communicator of everybody: of a process that no job has.
pub const EVERYBODY: Context = Context(((1 << 24) - 1) << PEER_SHIFT);
/// The name of a process's own communicator.
pub const SELF_NAME: u32 = 1;
/// The first name of those that a process makes later.
pub const FIRST_NAME: u32 = 2;

const PEER_SHIFT: u32 = 40;
const NAME_SHIFT: u32 = 14;
/// Positions in a context of the numbers of duplicates and of duplicates of duplicates, as the
/// lowest bit of each and how many such duplicates there can be.
pub const TWIN_LEVELS: [(u32, u64); 2] = [(8, 63), (2, 63)];

/// The highest bit of contexts with foreign members, whose next 49 bits are random.
const FOREIGN: u64 = 1 << 63;

/// Returns the context of a process that names it and its number there.
pub fn named(peer: PeerId, name: u32) -> Context {
    Context((u64::from(peer.0) << PEER_SHIFT) | (u64::from(name) << NAME_SHIFT))
}

/// Draws a context for a communicator with foreign members, which no process has numbers for.
pub fn foreign() -> Context {
    Context(FOREIGN | (shm::cookie() >> 15) << NAME_SHIFT)
}
