//! Operations on the state behind the gate that take several steps.

use base::{AmTag, PeerId};
use bml::Choice;
use btl::{Foreign, Transport};
use memory::UserBuf;
use osc::OpId;
use pml::Pml;
use sync::Entered;

use crate::error::Error;
use crate::pml::Core;

impl Core {
    /// Forgets a peer that has left and may come back as another instance, after everything that
    /// it sent was taken in.
    pub(crate) fn forget_peer(&mut self, peer: PeerId) {
        self.drain();
        self.remove_peer(peer);
    }

    /// Introduces a peer of another job; see [`crate::Engine::add_foreign`].
    pub(crate) fn add_foreign(
        &mut self,
        peer: PeerId,
        foreign: &Foreign,
        address: &[u8],
    ) -> Result<Choice, Error> {
        match self.lanes_mut() {
            Some(lanes) => lanes.introduce(peer, Some(foreign), address),
            None => Err(Error::NoForeign),
        }
    }

    /// Opens transports and prepares all for peers of other jobs.
    pub(crate) fn expect_foreign(
        &mut self,
        transports: Vec<Box<dyn Transport>>,
    ) -> Result<(), Error> {
        let lanes = self.lanes_mut().ok_or(Error::NoForeign)?;
        for transport in transports {
            lanes.bml.open(transport);
        }
        lanes.bml.expect_foreign().map_err(Error::Transport)
    }

    /// Returns whether everything for some peers has left; see [`Pml::is_flushed`].
    pub fn is_flushed_to(&mut self, peers: &[PeerId]) -> bool {
        match self.lanes_mut() {
            Some(lanes) => lanes.is_flushed_to(peers.iter().copied()),
            None => true,
        }
    }

    /// Gives up a peer that has died, after everything that it sent was taken in. Its lane is
    /// closed: what a transport has accepted for it may never leave otherwise.
    pub(crate) fn lose_peer(&mut self, peer: PeerId, why: &str) {
        self.drain();
        if let Some(lanes) = self.lanes_mut() {
            // A transport that had sent the peer nothing could not distinguish death and exit.
            lanes.left.retain(|left| *left != peer);
        }
        self.peer_failed(peer, why);
        if let Some(lanes) = self.lanes_mut() {
            lanes.bml.remove_peer(peer);
        }
    }

    /// Takes in everything that has arrived. Transports that skip polls while nothing comes leave
    /// none out when they are armed; a long message may take several polls that report nothing.
    pub(crate) fn drain(&mut self) {
        const IDLE_POLLS: usize = 32;
        drop(self.arm());
        let mut idle = 0;
        while idle < IDLE_POLLS {
            idle = match self.progress_all() {
                0 => idle + 1,
                _ => 0,
            };
        }
        self.disarm();
    }

    /// Notifies all peers whether this process does nothing but wait for messages; see
    /// [`btl::Presence::set_waiting`].
    pub(crate) fn attend(&mut self, attends: bool) {
        if let Some(lanes) = self.lanes_mut() {
            lanes.bml.set_waiting(attends);
        }
    }

    /// Ends a peer's sleep, by an empty message.
    pub(crate) fn wake(&mut self, peer: PeerId) {
        if let Some(lanes) = self.lanes_mut() {
            // A lane without room has woken the peer already, and one that is gone wakes nobody.
            let _ = lanes.bml.send(peer, AmTag::WAKE, &[], UserBuf::EMPTY);
        }
    }

    /// Returns what carries long messages of a peer now, as one clause, where that is measured.
    pub fn carriage_account(&mut self, peer: PeerId) -> Option<String> {
        self.lanes_mut()?.bml.carriage_account(peer)
    }

    /// Returns whether messages of this process to a peer go through memory that both share, and a
    /// peer that sleeps can be woken.
    pub fn shares_memory(&self, peer: PeerId) -> bool {
        self.lanes()
            .and_then(|lanes| lanes.bml.caps(peer))
            .is_some_and(|caps| caps.shares_memory)
    }

    /// Returns whether any window is open.
    #[inline]
    pub fn has_windows(&mut self) -> bool {
        self.osc().open_windows() > 0
    }

    /// Returns whether a one-sided operation is complete. One that is gone is.
    pub fn is_access_done(&mut self, access: OpId) -> bool {
        self.osc().is_done(access)
    }

    /// Takes the outcome of a complete one-sided operation, which is gone after this. `None` while
    /// it is under way.
    pub fn access_outcome(&mut self, access: OpId) -> Option<Result<(), osc::Error>> {
        self.osc().outcome(access)
    }

    /// Returns the outcome of a complete one-sided operation, which stays.
    pub fn peek_access_outcome(&mut self, access: OpId) -> Option<Result<(), osc::Error>> {
        self.osc().peek_outcome(access)
    }

    /// Removes a one-sided operation by itself once it is complete.
    pub fn detach_access(&mut self, access: OpId) {
        self.osc().detach_operation(access);
    }
}

/// Leaves the gate after a poll. Threads whose condition has become true by it are woken.
pub(crate) fn leave_after_poll(mut core: Entered<'_, Core>, happened: bool) {
    if happened && !core.crowd.parking.is_empty() {
        let served = core.serve();
        drop(core);
        served.wake();
    }
}
