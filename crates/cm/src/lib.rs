//! Point-to-point messages over a network that matches by itself (`cm`).
//!
//! [`Cm`] is a [`pml::Pml`] that matches nothing itself: it converts communicator, tag and mode to
//! a label ([`Layout`]), passes sends and receives to a [`mtl::Transport`], and stores their state
//! for MPI. It owns its network, since there is no protocol between the two.
//!
//! * **Synchronous sends** carry a bit in their label. The receiver replies with an empty message
//!   whose label has the acknowledgement bit; the sender has a receive posted for it. Sends of one
//!   label to one peer are matched in order, so it does not matter which of them an acknowledgement
//!   is counted for.
//! * **Buffers with gaps** go through a copy without gaps.
//! * **Back-pressure**: sends that the network is too busy for wait in a queue per peer, receives
//!   in one queue, since the order of posting counts across peers.
//! * **Completion**: a request is complete when the network has reported its operation, also if the
//!   request was cancelled. Only then may the application's memory be used for something else. The
//!   exception are requests that name a dead peer: the network may never report them, and they
//!   complete without its report (see `loss`).
#![forbid(unsafe_code)]

mod active;
mod comm;
mod contract;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod label;
mod loss;
mod probe;
mod recv;
mod request;
mod send;
mod state;

use base::PeerId;
use mtl::{Error, Transport};
use pml::Context;

pub use label::{Layout, TagMode};

use active::Channel;
use request::{Request, Role};
use state::State;

/// Settings of a [`Cm`].
pub struct Settings {
    /// This process.
    pub me: PeerId,
    /// How labels are divided.
    pub tags: TagMode,
    /// Processes of the job.
    pub peers: usize,
    /// Brings a context down to a number of bits. Whoever names contexts knows how to keep those
    /// of one job apart; where two of a process cannot be, the second is refused.
    pub fold: fn(Context, peers: usize, bits: u32) -> u64,
}

/// Why a peer is not reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreachable {
    /// The network has no path to it: one clause.
    Refused(String),
    /// The address is malformed, or resources are exhausted.
    Failed(Error),
}

/// The point-to-point state of one process, and its network. Its methods are those of
/// [`pml::Pml`].
pub struct Cm {
    network: Box<dyn Transport>,
    state: State,
    /// The last to go: the network may write to what it has posted.
    channel: Option<Channel>,
}

impl Cm {
    /// The state of a process over an opened network.
    ///
    /// # Errors
    /// When the network's labels are too short for what they must hold: one clause.
    pub fn new(network: Box<dyn Transport>, settings: Settings) -> Result<Cm, String> {
        let state = State::new(network.caps(), settings)?;
        Ok(Cm {
            network,
            state,
            channel: None,
        })
    }

    /// The name of the network.
    pub fn name(&self) -> &'static str {
        self.network.caps().name
    }

    /// Returns how many requests of the layer above are not gone.
    fn user_requests(&self) -> usize {
        self.state.requests.len() - self.state.orphans - self.own_requests()
    }

    /// Returns how many of them somebody may still ask about.
    fn held_by_user(&self) -> usize {
        let held = |entry: &&Request| match entry.role {
            Role::Send { .. } | Role::Recv { .. } | Role::Done(_) => !entry.detached,
            Role::Await { .. } | Role::Look { .. } | Role::Claimed { .. } | Role::Orphan => false,
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
    fn poll(&mut self) -> usize {
        let reports = self.network.progress(&mut self.state);
        if self.state.has_late() {
            return reports + self.follow_up();
        }
        reports
    }

    /// Does what the reports could not do while the network was borrowed: reply, cancel, retry.
    #[cold]
    fn follow_up(&mut self) -> usize {
        while let Some((peer, why)) = self.state.lost.pop() {
            self.lose_peer(peer, &why);
        }
        for token in std::mem::take(&mut self.state.withdrawn) {
            self.network.cancel(token);
        }
        self.offer_receives() + self.offer_sends()
    }
}

#[cfg(test)]
mod tests;
