//! How far an error reaches.

use crate::PeerId;

/// What an error takes down with it. Who handles an error asks this before anything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// One operation failed; everything else goes on.
    Operation,
    /// One way to a peer is gone; another may serve.
    Lane,
    /// A peer cannot be reached any more.
    Peer(PeerId),
    /// This process cannot go on communicating.
    Process,
}
