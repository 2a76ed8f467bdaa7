//! The protocol's report of what is not complete, for the report of a stuck job.

use base::{Key, PeerId};
use pml::{Context, Tag};

use crate::matching::Matching;
use crate::protocol::Protocol;
use crate::request::{Phase, Request};

/// A request that is not complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pending {
    /// Whether the request is a send.
    pub sends: bool,
    /// The other process; `None` for a receive from any.
    pub peer: Option<PeerId>,
    /// The tag; `None` for a receive with any, and where it is not known any more.
    pub tag: Option<Tag>,
    /// Bytes of the message, or of the room for it.
    pub bytes: u64,
    /// The context of its communicator, where it is known.
    pub context: Option<Context>,
    /// Whether the request is queued, because the lane is busy.
    pub queued: bool,
    /// Whether a caller waits for this request alone.
    pub watched: bool,
}

/// A message that no receive has accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// Its sender.
    pub from: PeerId,
    /// Its tag.
    pub tag: Tag,
    /// Bytes of it.
    pub bytes: u64,
    /// The context of its communicator.
    pub context: Context,
}

impl Protocol {
    /// Returns the requests that are not complete, the one that a caller waits for first.
    pub fn pending(&self) -> Vec<Pending> {
        let open = self
            .requests
            .iter()
            .filter(|(_, request)| !request.is_done());
        let mut pending: Vec<Pending> = open
            .map(|(key, request)| self.describe(key, request))
            .collect();
        pending.sort_by_key(|one| !one.watched);
        pending
    }

    fn describe(&self, key: Key, request: &Request) -> Pending {
        let origin = self.origins.get(key);
        let mut pending = Pending {
            sends: true,
            peer: request.depends_on(),
            tag: origin.map(|origin| origin.tag),
            bytes: request.buffer.len() as u64,
            context: origin.map(|origin| origin.context),
            queued: matches!(
                request.phase,
                Phase::Queued { .. } | Phase::Pipelined { .. }
            ),
            watched: self.watched == Some(key),
        };
        match request.phase {
            Phase::Posted { comm, source } => {
                let matching = self.comms.get(comm);
                pending.sends = false;
                pending.peer = source.and_then(|s| matching?.peers.get(s.index()).copied());
                pending.tag = matching.and_then(|m| m.tag_of(key));
                pending.context = matching.map(|m| m.context);
            }
            Phase::Gathering { .. } | Phase::Reading { .. } | Phase::Collecting { .. } => {
                pending.sends = false;
                pending.tag = Some(request.status.tag);
            }
            _ => {}
        }
        pending
    }

    /// Returns the messages that no receive has accepted, those for communicators that are not open
    /// here among them.
    pub fn waiting(&self) -> Vec<Waiting> {
        let of_comms = self
            .comms
            .iter()
            .flat_map(|(_, matching)| matching.waiting());
        let orphans = self.orphans.iter().map(Waiting::of);
        of_comms.chain(orphans).collect()
    }
}

impl Matching {
    fn waiting(&self) -> impl Iterator<Item = Waiting> + '_ {
        self.unexpected().map(Waiting::of)
    }
}

impl Waiting {
    fn of(message: &crate::matching::Unexpected) -> Waiting {
        Waiting {
            from: message.from,
            tag: message.envelope.tag,
            bytes: message.held.len(),
            context: message.envelope.context,
        }
    }
}
