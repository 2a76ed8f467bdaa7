//! Messages that are to be sent again by the next life of their sender; see `restart`.

use std::collections::{BTreeMap, HashSet};

use base::{Key, PeerId, Rank};
use pml::{Context, Received};

use crate::wire::Envelope;

/// The owner of a message that is to be sent again.
#[derive(Clone, Copy)]
pub(crate) enum Awaited {
    /// Nobody yet: it is unexpected.
    Unexpected,
    /// A matched probe.
    Taken(Key),
    /// A receive.
    Receive(Key),
}

/// A communicator that was closed: its context, its peers, and the number of the next message of
/// each.
pub(crate) type Past = (Context, Box<[PeerId]>, Vec<u64>);

/// State for peers that come back.
#[derive(Default)]
pub(crate) struct Restarts {
    /// Receives that have matched a message which was not whole then.
    pub(crate) partial: Vec<(Key, PeerId, Envelope)>,
    /// Messages that are to be sent again, by context, sender and sequence number.
    pub(crate) awaited: BTreeMap<(Context, Rank, u64), Awaited>,
    pub(crate) past: Vec<Past>,
    /// Messages that an earlier life of this process has got and that do not come again, of
    /// communicators that are not open yet.
    pub(crate) got: BTreeMap<(Context, PeerId), Received>,
    /// Receives that were reading the memory of a peer which died. The end of that read may be
    /// reported later, so they get their message in fragments.
    pub(crate) were_reading: HashSet<Key>,
}
