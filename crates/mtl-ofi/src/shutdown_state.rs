//! The state of a process that leaves, and the format of shutdown messages.
//!
//! ```text
//!  0        4                12
//!  | sender | the address     |    of the sender, as a digest: distinguishes its instances
//! ```

use std::time::Instant;

use base::{Fnv, PeerId};
use memory::Scratch;

/// Bytes of a shutdown message.
pub(crate) const SHUTDOWN_BYTES: usize = 12;

/// Receives posted for shutdown messages. Further ones wait at the provider.
pub(crate) const RECEIVES: usize = 8;

/// The state of an orderly shutdown.
pub(crate) struct ShutdownState {
    /// This process's shutdown message, the same for every peer.
    pub(crate) own: Scratch,
    /// The buffers of the receives of shutdown messages.
    pub(crate) buffers: Scratch,
    /// Whether the receives of shutdown messages are posted.
    pub(crate) posted: bool,
    /// Whether this process waits for replies before it closes: a message that comes meanwhile
    /// would fail in the provider.
    pub(crate) awaits_replies: bool,
    /// Peers that have left and got no reply, because the provider was busy.
    pub(crate) unreplied: Vec<PeerId>,
    /// The time since which nothing has moved, while this process leaves.
    pub(crate) idle_since: Option<Instant>,
}

/// The progress of the shutdown message to a peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ShutdownMessage {
    /// The message was not sent yet.
    Unsent,
    /// The provider has accepted it.
    Accepted,
    /// The message has arrived, or the peer was gone.
    Arrived,
}

impl ShutdownState {
    pub(crate) fn new(me: PeerId, address: &[u8], info: &ofi::Info) -> ShutdownState {
        let own = Scratch::new(SHUTDOWN_BYTES);
        own.buf().write(0, &me.0.to_le_bytes());
        own.buf()
            .write(4, &Fnv::of(address.iter().copied()).to_le_bytes());
        ShutdownState {
            own,
            buffers: Scratch::new(RECEIVES * SHUTDOWN_BYTES),
            posted: false,
            awaits_replies: info.quirks.closes_on_messages,
            unreplied: Vec::new(),
            idle_since: None,
        }
    }
}
