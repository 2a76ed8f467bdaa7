//! The low layer: active messages, access to peers' memory, and progress, between processes,
//! without MPI.
//!
//! This is *public boundary 1*: a crate to build other things on than MPI. It needs no launcher
//! and has no global state; `examples/low_layer.rs` is a whole program on it. Its life:
//!
//! 1. a [`Bml`] is made of opened transports ([`Bml::new`]), each a [`btl::Transport`];
//! 2. peers need the bytes of [`Bml::address`]; the user of the layer exchanges them;
//! 3. [`Bml::add_peer`] introduces a peer to every transport and chooses its lanes;
//!    [`Bml::remove_peer`] forgets it;
//! 4. [`Bml::send`] and [`Bml::send_packed`] send active messages. [`Bml::expose`] makes memory
//!    reachable: what [`Exposed::pack`] gives is sent to peers, who [`Bml::import`] it and then
//!    [`Bml::get`], [`Bml::put`] and change words of it ([`Bml::atomic`]); [`Bml::flush`] says
//!    when all that is visible there;
//! 5. [`Bml::progress`] moves everything. Whatever comes in, over whichever transport, and
//!    whatever is complete goes to the [`btl::Sink`] that it borrows. [`Bml::wait`] does the
//!    same, and sleeps while nothing happens;
//! 6. [`Bml::close`] announces an orderly end to the peers.
//!
//! The rules are those of the transports (`btl`): a busy lane accepts nothing and says so; a
//! handler cannot send; what is accepted completes. Tags from [`AmTag::USER`] on are free for
//! users.
//!
//! **Lanes.** A peer has a lane for messages and one for memory, which may be different
//! transports. Of those that reach it, messages go over the one with the highest exclusivity,
//! then the lowest latency, that has messages at all; both ends compare the same numbers
//! ([`Facts`]), so they agree. Memory is reached over the best that can
//! read it, as long as it is no less exclusive than the message lane. What the memory lane cannot
//! do is emulated over the message lane (`emulation`).
//!
//! A transport that carries no lane of this process is polled only now and then: a peer may
//! have chosen it for the other direction.
//!
//! A `Bml` is used by one thread at a time.
#![forbid(unsafe_code)]

mod address;
mod choice;
mod emulation;
mod lanes;
mod native_atomics;
mod registry;
mod remote;
mod wait;

use std::sync::Arc;

use base::{AmTag, Clock, PeerId};
use btl::{
    Access, Caps, Error, Flow, Foreign, FutexWord, Hints, Polled, RemoteKey, Service, Sink, Token,
    Transport,
};
use memory::{Slot, UserBuf};

use emulation::Emulation;
use lanes::Lanes;

pub use choice::{Choice, Considered, Facts};
pub use native_atomics::WordLane;
pub use registry::Registrations;
pub use remote::{Exposed, Remote, RemoteMemory};
pub use wait::{must_look, sleep_on};

/// Opened transports and the lanes of each peer.
pub struct Bml {
    lanes: Lanes,
    registrations: Registrations,
    emulation: Emulation,
}

impl Bml {
    /// Creates a layer over these transports.
    pub fn new(transports: Vec<Box<dyn Transport>>) -> Bml {
        Bml {
            lanes: Lanes::new(transports),
            registrations: Registrations::default(),
            emulation: Emulation::default(),
        }
    }

    /// Returns the address by which peers reach this process over any of its transports.
    pub fn address(&self) -> Vec<u8> {
        self.lanes.address()
    }

    /// Introduces a peer by the bytes of its [`Bml::address`], and chooses its lanes. A peer that
    /// has restarted is removed first ([`Bml::remove_peer`]).
    ///
    /// # Errors
    /// For a malformed address. A peer that nothing reaches is a [`Choice`] without lane.
    pub fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        self.lanes.add_peer(peer, address, None)
    }

    /// Opens a transport beside those that are open. Peers that were introduced before do not get
    /// a lane over it.
    pub fn open(&mut self, transport: Box<dyn Transport>) {
        self.lanes.open(transport);
    }

    /// Prepares all transports for peers of other jobs; see [`Transport::expect_foreign`].
    ///
    /// # Errors
    /// The error of the first transport that fails.
    pub fn expect_foreign(&mut self) -> Result<(), Error> {
        let mut opened = self.lanes.opened.iter_mut();
        opened.try_for_each(|opened| opened.transport.expect_foreign())
    }

    /// Introduces a peer that was not started together with this process; see
    /// [`Transport::add_foreign`].
    ///
    /// # Errors
    /// See [`Bml::add_peer`].
    pub fn add_foreign(
        &mut self,
        peer: PeerId,
        foreign: &Foreign,
        address: &[u8],
    ) -> Result<Choice, Error> {
        self.lanes.add_peer(peer, address, Some(foreign))
    }

    /// Forgets a peer on every transport. Messages accepted for it may be lost; operations in
    /// flight with it complete with errors, as far as the transports know of them. It may be
    /// introduced again by another address.
    pub fn remove_peer(&mut self, peer: PeerId) {
        self.lanes.remove_peer(peer);
        let how = "it was removed".into();
        self.emulation.lost(peer, &Error::PeerGone { peer, how });
    }

    /// Returns the facts of the transport that carries a peer's messages.
    pub fn caps(&self, peer: PeerId) -> Option<&Caps> {
        self.lanes.caps(self.lanes.message(peer)?)
    }

    /// Returns the facts of the transport over which a peer's memory is reached; [`Caps::emulated`]
    /// says which operations the transport itself lacks.
    pub fn rma_caps(&self, peer: PeerId) -> Option<Caps> {
        let caps = self.lanes.caps(self.lanes.rma(peer)?)?;
        let messages = self.caps(peer).map_or(0, |caps| caps.max_send_size);
        Some(emulation::filled(caps, messages))
    }

    /// Returns advice on the path to a peer's memory; neutral where there is no path.
    pub fn hints(&self, peer: PeerId) -> Hints {
        let lane = self.lanes.rma(peer);
        lane.map_or_else(Hints::default, |lane| {
            self.lanes.transport(lane).hints(peer)
        })
    }

    /// Whether the next message of `bytes` bytes to a peer is to be announced, for the peer to read
    /// it: as measured ([`btl::Carriage::announces`]), or from a length on ([`Hints::get_min`]).
    pub fn announces(&mut self, peer: PeerId, bytes: usize) -> bool {
        let least = self.lanes.get_min(peer);
        match self.lanes.carriage(peer) {
            Some(carriage) => carriage.announces(peer, bytes),
            None => bytes >= least,
        }
    }

    /// Returns the bytes of messages of a peer from which on the time that they take is wanted;
    /// `None` where no such times are wanted.
    pub fn measured_min(&mut self, peer: PeerId) -> Option<usize> {
        let carriage = self.lanes.carriage(peer)?;
        Some(carriage.measured_min())
    }

    /// Returns the clock of such times; `None` where none are wanted.
    pub fn service_clock(&mut self, peer: PeerId) -> Option<Arc<dyn Clock + Send + Sync>> {
        let carriage = self.lanes.carriage(peer)?;
        Some(carriage.clock())
    }

    /// Records the time that a message of a peer took here; see [`btl::Carriage::served`].
    pub fn served(&mut self, peer: PeerId, service: Service) {
        if let Some(carriage) = self.lanes.carriage(peer) {
            carriage.served(peer, service);
        }
    }

    /// Returns what carries messages of a peer now, as one clause, where that is measured.
    pub fn carriage_account(&mut self, peer: PeerId) -> Option<String> {
        self.lanes.carriage(peer)?.account(peer)
    }

    /// Whether a one-sided transfer of `len` bytes is faster by messages right now, since the peer
    /// waits ([`Hints::waiting_max`]). A transfer of no bytes is.
    #[inline]
    pub fn prefers_messages(&mut self, peer: PeerId, len: usize) -> bool {
        self.lanes.prefers_messages(peer, len)
    }

    /// Notifies peers over all lanes whether this process does nothing but wait for messages; see
    /// [`btl::Presence::set_waiting`].
    pub fn set_waiting(&mut self, waits: bool) {
        for presence in self.lanes.presences() {
            presence.set_waiting(waits);
        }
    }

    /// Returns the futex word on which this process's helper thread may sleep; see
    /// [`btl::Presence::helper_word`].
    pub fn helper_word(&mut self) -> Option<Arc<dyn FutexWord>> {
        let presence = self.lanes.presences().next()?;
        Some(presence.helper_word())
    }

    /// Wakes the helper thread of a peer's process; see [`btl::Presence::wake_helper`].
    pub fn wake_helper(&mut self, peer: PeerId) {
        if let Some(presence) = self.lanes.presence(peer) {
            presence.wake_helper(peer);
        }
    }

    /// Sends an active message; see [`Transport::send`].
    ///
    /// # Errors
    /// When the peer is out of reach or gone, or the message too large.
    // Part of the one path of a short message: without this, a call that only passes on.
    #[inline(always)]
    pub fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        self.lanes
            .message_lane(peer)?
            .send(peer, tag, header, payload)
    }

    /// Sends an active message that `pack` writes; see [`Transport::send_packed`].
    ///
    /// # Errors
    /// See [`Bml::send`].
    pub fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.lanes
            .message_lane(peer)?
            .send_packed(peer, tag, header, len, pack)
    }

    /// Makes memory readable for one peer, over its memory lane alone: lighter than
    /// [`Bml::expose`], for data that is read once. Registering the same memory again shares
    /// the registration. Ends with [`Bml::deregister`].
    ///
    /// # Errors
    /// When the lane cannot register the memory.
    pub fn register(&mut self, peer: PeerId, memory: UserBuf) -> Result<RemoteKey, Error> {
        let lane = self.lanes.rma(peer).ok_or(Error::Unreachable { peer })?;
        let Some(rma) = self.lanes.access(lane) else {
            let what = "access to its memory";
            return Err(Error::Unsupported { peer, what });
        };
        let access = Access {
            read: true,
            write: false,
        };
        let registration = rma.register(memory, access)?;
        let key = registration.key;
        if let Some(spare) = self.registrations.add(lane, registration) {
            rma.deregister(spare);
        }
        Ok(key)
    }

    /// Ends a registration by [`Bml::register`], also when the peer is gone.
    pub fn deregister(&mut self, peer: PeerId, key: RemoteKey) {
        let chosen = self.lanes.rma(peer);
        let mut candidates = chosen.into_iter().chain(0..self.lanes.len());
        let found =
            candidates.find_map(|lane| Some((lane, self.registrations.release(lane, key)?)));
        if let Some((lane, Some(registration))) = found {
            self.lanes.deregister(lane, registration);
        }
    }

    /// Begins or ends a batch of short messages to a peer; see [`Transport::batch`].
    pub fn batch(&mut self, peer: PeerId, open: bool) {
        if let Some(lane) = self.lanes.message(peer) {
            let opened = &mut self.lanes.opened[lane];
            if opened.batches {
                opened.transport.batch(peer, open);
            }
        }
    }

    /// Whether a message for a peer is still buffered in this process; see [`Transport::is_kept`].
    pub fn is_kept(&self, peer: PeerId) -> bool {
        self.lanes.is_kept(peer)
    }

    /// Whether everything accepted for a peer has left, and its `put`s and `atomic`s are visible
    /// there; see [`Transport::flush`].
    ///
    /// # Errors
    /// When the peer is out of reach or gone.
    pub fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        let flow = self.lanes.flush(peer)?;
        match self.emulation.is_flushed(peer) {
            true => Ok(flow),
            false => Ok(Flow::Busy),
        }
    }

    /// Moves everything that can move. Returns how much happened: reports to the sink, and requests
    /// of peers that were served meanwhile. Backs off where nothing did and a lane wants it
    /// ([`Bml::backs_off`]).
    #[inline]
    pub fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        let happened = self.look(sink);
        self.lanes.polled(happened)
    }

    /// Whether an empty poll leaves the core to a thread of a lane's; see [`Transport::back_off`].
    #[inline]
    pub fn backs_off(&self) -> bool {
        self.lanes.backs_off()
    }

    /// Returns a number that changes as parts of messages come in; see [`Transport::moves`].
    pub fn moves(&self) -> u64 {
        self.lanes.moves()
    }

    #[inline]
    fn look(&mut self, sink: &mut dyn Sink) -> usize {
        if self.emulation.is_active() {
            return self.progress_emulating(sink);
        }
        self.lanes.progress(sink)
    }

    /// Polls for the completion of one access to a peer's memory ([`Bml::get`], [`Bml::put`]); see
    /// [`btl::Rma::poll_for`].
    #[inline]
    pub fn poll_for(&mut self, peer: PeerId, token: Token, polls: u32) -> Polled {
        let lane = self.lanes.rma(peer).filter(|_| !self.emulation.is_active());
        match lane.and_then(|lane| self.lanes.access(lane)) {
            Some(rma) => rma.poll_for(token, polls),
            None => Polled::Other,
        }
    }

    fn progress_emulating(&mut self, sink: &mut dyn Sink) -> usize {
        let mut filter = emulation::Filter {
            emulation: &mut self.emulation,
            above: sink,
            taken: 0,
        };
        let happened = self.lanes.progress(&mut filter);
        if !self.emulation.is_busy() {
            return happened;
        }
        self.emulation.pump(&mut self.lanes);
        happened + self.emulation.report(sink)
    }

    /// Moves everything that can move, over transports without a lane too, and does not back off.
    pub fn progress_all(&mut self, sink: &mut dyn Sink) -> usize {
        self.lanes.look_everywhere();
        self.look(sink)
    }

    /// Closes every transport, which announces an orderly end to all peers.
    pub fn close(&mut self) {
        self.lanes.close();
    }
}

#[cfg(test)]
mod tests;
