//! A simulated transfer, as it waits in the calendar.

use base::PeerId;
use btl::{RemoteRange, Token};
use memory::UserBuf;

/// A `get` or `put` in flight.
pub(crate) struct Transfer {
    pub(crate) kind: TransferKind,
    pub(crate) owner: PeerId,
    /// The instances of owner and peer.
    pub(crate) instances: [u32; 2],
    pub(crate) peer: PeerId,
    pub(crate) local: UserBuf,
    pub(crate) remote: RemoteRange,
    pub(crate) token: Token,
    /// Whether it will turn out to be impossible.
    pub(crate) refused: bool,
}

/// The kind of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TransferKind {
    Get,
    Put,
}

impl TransferKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            TransferKind::Get => "get",
            TransferKind::Put => "put",
        }
    }
}
