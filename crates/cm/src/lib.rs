//! Point-to-point messages over a network that matches by itself (`cm`).
//!
//! [`Cm`] offers what `ob1::Protocol` offers, under the same names and with the same types, but
//! matches nothing: it turns communicator, tag and mode into a label ([`Layout`]), hands sends
//! and receives to a [`mtl::Transport`], and keeps what MPI wants to know about them. Unlike
//! `ob1` it owns its network, since there is no protocol between the two.
//!
//! * **Synchronous sends** carry a bit in their label. Whoever receives one answers with an empty
//!   message whose label has the acknowledgement bit; the sender has a receive posted for it.
//!   Sends of one label to one peer are matched in order, so it does not matter which of them an
//!   acknowledgement is counted for.
//! * **Buffers with gaps** go through a copy without gaps.
//! * **Back-pressure**: sends that a peer's way is too busy for wait in a queue per peer, receives
//!   in one queue, since the order of posting counts across peers.
//! * **What the network keeps, it gives back**: a request is complete when the network has
//!   reported its operation, also where the request was cancelled. Only then may the application's
//!   memory be used for something else. The exception are requests that name a peer that died: the
//!   network may never report them, and they end without (see `loss`).
#![forbid(unsafe_code)]

mod active;
mod comm;
mod label;
mod loss;
mod probe;
mod recv;
mod request;
mod send;
mod state;

use base::PeerId;
use mtl::{Error, Reach, SleepKind, Transport, Waker};
use pml::{CommId, Context, Outcome, RequestId};

pub use label::{Layout, TagMode};
pub use send::Begun;

use active::Channel;
use state::State;

/// What a [`Cm`] is made with.
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

/// The point-to-point state of one process, and its network.
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

    /// Whether what is told of a message has the mark of its tag ([`pml::mark_of`]).
    pub fn tells_marks(&self) -> bool {
        self.network.caps().notes
    }

    /// The largest tag that fits a label (`MPI_TAG_UB`).
    pub fn tag_max(&self) -> i32 {
        self.state.layout.tag_max()
    }

    /// What peers need to reach this process.
    pub fn address(&self) -> Vec<u8> {
        self.network.address()
    }

    /// Introduces a peer by the address that its network gave.
    ///
    /// # Errors
    /// For a malformed address or exhausted resources.
    pub fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        self.state.make_room_for(peer);
        self.network.add_peer(peer, address)
    }

    /// Whether a request is complete. A request that is gone is.
    #[inline]
    pub fn is_done(&self, request: RequestId) -> bool {
        self.state.is_done(request)
    }

    /// Whether a request is under way or its outcome to be had, and somebody may still ask.
    pub fn is_open(&self, request: RequestId) -> bool {
        self.state.is_open(request)
    }

    /// How a complete request ended; it is gone after this. `None` while it is under way.
    #[inline]
    pub fn outcome(&mut self, request: RequestId) -> Option<Outcome> {
        self.state.outcome(request)
    }

    /// How a complete request ended, which it stays.
    pub fn peek_outcome(&self, request: RequestId) -> Option<Outcome> {
        self.state.peek_outcome(request)
    }

    /// How many failures there have been; see `ob1::Protocol::failures`.
    #[inline]
    pub fn failures(&self) -> u64 {
        self.state.failures
    }

    /// Counts a failure of something that is made of messages.
    pub fn note_failure(&mut self) {
        self.state.failures += 1;
    }

    /// Lets a request go by itself when it is complete (MPI 5.0, 3.7.3, MPI_Request_free).
    pub fn detach(&mut self, request: RequestId) {
        self.state.detach(request);
    }

    /// Has the end of a request told to `owner`; see [`Cm::report`].
    pub fn report(&mut self, request: RequestId, owner: u64) {
        if let Some(entry) = self.state.requests.get_mut(request.key()) {
            entry.owner = Some(owner);
        }
    }

    /// Whose requests have ended; see [`Cm::take_ended`].
    #[inline]
    pub fn take_ended(&mut self, owners: &mut Vec<u64>) {
        owners.append(&mut self.state.ended);
    }

    /// How many requests are not gone, those of the layer itself included.
    pub fn open_requests(&self) -> usize {
        let own = self.channel.as_ref().map_or(0, Channel::posts);
        self.state.requests.len() - self.state.orphans - own
    }

    /// Moves everything that can move. Returns the number of things that happened.
    #[inline]
    pub fn progress(&mut self) -> usize {
        let reports = self.network.progress(&mut self.state);
        if self.state.has_late() {
            return reports + self.follow_up();
        }
        reports
    }

    /// Whether a look in vain leaves the core by itself to who needs it; see [`Transport::rests`].
    #[inline]
    pub fn rests(&self) -> bool {
        self.network.rests()
    }

    /// What the reports could not do while the network was lent: answer, cancel, try again.
    #[cold]
    fn follow_up(&mut self) -> usize {
        while let Some((peer, why)) = self.state.lost.pop() {
            self.peer_failed(peer, &why);
        }
        for token in std::mem::take(&mut self.state.withdrawn) {
            self.network.cancel(token);
        }
        self.offer_receives() + self.offer_sends()
    }

    /// Whether something waits for the network to take it.
    #[inline]
    pub fn has_parked(&self) -> bool {
        self.state.has_parked()
    }

    /// Whether everything sent has left this process.
    pub fn is_flushed(&self) -> bool {
        !self.has_parked() && self.state.sending == 0
    }

    /// The peers that have failed.
    pub fn failed(&self) -> &[(PeerId, String)] {
        &self.state.news
    }

    /// Prepares for sleep; see `btl::Transport::arm`.
    pub fn arm(&mut self, kind: SleepKind) -> Option<Waker> {
        self.network.arm(kind)
    }

    /// Ends what [`Cm::arm`] began.
    pub fn disarm(&mut self) {
        self.network.disarm();
    }

    /// Begins to leave, or goes on with it; whether everything sent has arrived, so that this
    /// process may close. Peers that failed need nothing any more.
    pub fn depart(&mut self) -> bool {
        let peers = &self.state.peers;
        let failed = |peer: PeerId| peers.get(peer.index()).is_some_and(|p| p.failed.is_some());
        self.network.depart(&failed)
    }

    /// Leaves.
    pub fn close(&mut self) {
        self.network.close();
    }

    /// Opens a communicator: see `ob1::Protocol::open_comm`. Where the network cannot tell it from
    /// another one that is open, all its operations fail and say so.
    pub fn open_comm(&mut self, context: Context, _rank: base::Rank, peers: Vec<PeerId>) -> CommId {
        CommId::from_key(self.state.open_comm(context, peers))
    }

    /// Closes a communicator. Receives that wait in it may still complete.
    pub fn close_comm(&mut self, comm: CommId) {
        self.state.close_comm(comm.key());
    }
}

#[cfg(test)]
mod tests;
