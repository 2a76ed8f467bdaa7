//! Operations and limits of the emulation, shared by its origin and target sides.

use base::PeerId;
use btl::{Atomic, Error, Flow};
use memory::UserBuf;

/// Requests of one origin to one target that may be unanswered.
pub(super) const WINDOW: usize = 32;

/// Rounds of progress between two checks of peers that owe replies: a peer that closed in good
/// order is not reported by its transport.
pub(super) const CHECK_INTERVAL: u32 = 256;

/// The smallest largest message over which anything is emulated, in bytes.
pub(crate) const MESSAGE_BYTES_MIN: usize = 128;

/// Sends requests and replies.
pub(crate) trait Messenger {
    /// Sends one message, as [`btl::Transport::send`] does.
    fn send(&mut self, peer: PeerId, header: &[u8], payload: UserBuf) -> Result<Flow, Error>;

    /// The largest message to a peer, header and payload.
    fn message_bytes_max(&self, peer: PeerId) -> usize;

    /// Whether the peer is still there, as far as the lane knows without a message.
    fn check(&mut self, peer: PeerId) -> Result<(), Error>;
}

/// An operation on a peer's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OperationKind {
    /// Read into this.
    Get(UserBuf),
    /// Written from this.
    Put(UserBuf),
    /// A machine word is changed, and its value before goes here.
    Atomic(Atomic, Option<UserBuf>),
}

impl OperationKind {
    /// Returns its name, for errors.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            OperationKind::Get(_) => "get",
            OperationKind::Put(_) => "put",
            OperationKind::Atomic(..) => "atomic",
        }
    }

    /// Returns how many bytes of the peer's memory it reads or changes.
    pub(super) fn len(&self) -> usize {
        match self {
            OperationKind::Get(local) | OperationKind::Put(local) => local.len(),
            OperationKind::Atomic(atomic, _) => atomic.width.bytes(),
        }
    }
}
