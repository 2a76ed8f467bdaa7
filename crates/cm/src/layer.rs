//! The layer [`crate::Cm`]: its tables, its network, and its polls.

use std::sync::Arc;

use base::Counters;
use memory::Scratch;
use mtl::{Error, Transport};
use pml::{CommId, RequestId};

use crate::request::{Request, Role, Unreleased};
use crate::settings::Settings;
use crate::state::State;

/// Why a peer is not reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreachable {
    /// The network has no path to it: one clause.
    Refused(String),
    /// The address is malformed, or resources are exhausted.
    Failed(Error),
}

/// The communicator of active messages, with the receives that are posted in it.
pub(crate) struct Channel {
    pub(crate) comm: CommId,
    pub(crate) posted: Vec<(RequestId, Scratch)>,
}

impl Channel {
    /// Returns how many requests are its own.
    pub(crate) fn posts(&self) -> usize {
        self.posted.len()
    }
}

/// The point-to-point state of one process, and its network. Its methods are those of
/// [`pml::Pml`].
pub struct Cm {
    pub(crate) network: Box<dyn Transport>,
    pub(crate) state: State,
    /// Receives from dead peers that are abandoned in the end.
    pub(crate) unreleased: Vec<Unreleased>,
    /// Dropped last: the network may write to the buffers of its receives.
    pub(crate) channel: Option<Channel>,
}

impl Cm {
    /// Returns the state of a process over an opened network.
    ///
    /// # Errors
    /// When the network's labels are too short for what they must hold: one clause.
    pub fn new(network: Box<dyn Transport>, settings: Settings) -> Result<Cm, String> {
        let state = State::new(network.caps(), settings)?;
        Ok(Cm {
            network,
            state,
            unreleased: Vec::new(),
            channel: None,
        })
    }

    /// Returns the counters of this process, which tools read.
    pub fn counters(&self) -> &Arc<Counters> {
        &self.state.counters
    }

    /// Returns the name of the network.
    pub fn name(&self) -> &'static str {
        self.network.caps().name
    }

    /// Returns how many requests of the layer above are not gone.
    pub(crate) fn user_requests(&self) -> usize {
        self.state.requests.len() - self.state.orphans - self.own_requests()
    }

    /// Returns how many of those the layer above may still query: not detached ones.
    pub(crate) fn held_by_user(&self) -> usize {
        let held = |entry: &&Request| match entry.role {
            Role::Send { .. } | Role::Recv { .. } | Role::Done(_) => !entry.detached,
            Role::Acknowledgement { .. }
            | Role::Peek { .. }
            | Role::Claimed { .. }
            | Role::Orphan => false,
        };
        let requests = self.state.requests.iter().map(|(_, entry)| entry);
        requests.filter(held).count() - self.own_requests()
    }

    /// Returns how many requests are those of the active messages.
    fn own_requests(&self) -> usize {
        self.channel.as_ref().map_or(0, Channel::posts)
    }

    /// Moves everything that can move. Returns the number of events.
    #[inline]
    pub(crate) fn poll(&mut self) -> usize {
        let reports = self.network.progress(&mut self.state);
        if self.state.has_deferred() {
            return reports + self.follow_up();
        }
        reports
    }

    /// Does what the reports could not do while the network was borrowed: reply, cancel, retry.
    #[cold]
    fn follow_up(&mut self) -> usize {
        while let Some((peer, why)) = self.state.lost_peers.pop() {
            self.lose_peer(peer, &why);
        }
        for token in std::mem::take(&mut self.state.to_cancel) {
            self.network.cancel(token);
        }
        self.offer_receives() + self.offer_sends()
    }
}
