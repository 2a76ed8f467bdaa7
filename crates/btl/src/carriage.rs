//! The choice, by measured times, of what carries a long message to a peer.

use std::sync::Arc;

use base::{Clock, PeerId, Service};

/// The knowledge of a transport that has two ways for a long message about which one is faster:
/// messages through it, or an announcement after which the receiver reads the sender's memory
/// ([`crate::Rma::get`]).
///
/// The receiver of messages measures how long they take and reports that to the transport
/// ([`Carriage::served`]); the transport lets the sender know ([`Carriage::announces`]).
pub trait Carriage {
    /// Returns the clock by which the processes of the node measure: they agree on it.
    fn clock(&self) -> Arc<dyn Clock + Send + Sync>;

    /// Returns the bytes of messages from which on there is a choice, and times are wanted.
    fn measured_min(&self) -> usize;

    /// Whether the next message of `bytes` bytes to a peer is to be announced. Called once for each
    /// message that could be.
    fn announces(&mut self, peer: PeerId, bytes: usize) -> bool;

    /// Records the time that a message of a peer took here.
    fn served(&mut self, peer: PeerId, service: Service);

    /// Returns what carries messages of a peer now, and the measured rates, as one clause; `None`
    /// where nothing was measured.
    fn account(&self, peer: PeerId) -> Option<String>;
}
