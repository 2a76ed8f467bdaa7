//! Implements the transport contract.

use std::sync::Arc;

use base::{AmTag, PeerId, Registrations};
use btl::{
    Caps, Carriage, Error, Flow, Foreign, Hints, Least, Presence, Reach, Rma, Sink, SleepKind,
    Waker,
};
use memory::UserBuf;

use crate::device::OpenDevice;
use crate::early::EarlyMessages;
use crate::help::HelpRequests;
use crate::loopback::OwnAtomics;
use crate::peer::{Peer, PeerState};
use crate::peers::PeerTable;
use crate::receive_queue::ReceiveQueue;
use crate::reports::PendingReports;
use crate::send_queue::SendQueue;
use crate::transfers::TransferTable;
use crate::wire::Address;
use crate::Settings;

/// The transport of one process over one device.
///
/// Its parts own their state and know nothing of it; it hands them each other, polls
/// ([`crate::progress`]), and follows the loss of peers ([`crate::endpoint`]).
pub struct Transport {
    pub(crate) caps: Caps,
    pub(crate) me: PeerId,
    pub(crate) settings: Settings,
    /// The address that peers receive.
    pub(crate) address: Address,

    pub(crate) device: OpenDevice,
    pub(crate) peers: PeerTable,
    /// Messages of processes that have not been introduced yet.
    pub(crate) early: EarlyMessages,
    pub(crate) sends: SendQueue,
    pub(crate) receives: ReceiveQueue,
    pub(crate) transfers: TransferTable,
    pub(crate) help: HelpRequests,
    pub(crate) own_atomics: OwnAtomics,
    pub(crate) reports: PendingReports,
    /// Peers that left and wait for this process's shutdown message.
    pub(crate) leavers: Vec<PeerId>,

    /// The back-off after an empty poll.
    pub(crate) idle: ofi::IdleBackOff,
    /// Whether the last poll found anything.
    pub(crate) found: bool,
}

impl Transport {
    /// Returns the provider's whole name, such as `tcp;ofi_rxm`.
    pub fn provider(&self) -> &str {
        &self.address.provider
    }

    /// Returns the provider's device.
    pub fn device(&self) -> &ofi::Info {
        self.device.info()
    }

    /// Whether its contexts are those of a scalable endpoint.
    pub fn is_scalable(&self) -> bool {
        self.device.is_scalable()
    }

    /// Returns the number of transmit contexts in use.
    pub fn contexts(&self) -> usize {
        self.device.context_count()
    }

    /// Returns the counts of the registration cache.
    pub fn registrations(&self) -> &Arc<Registrations> {
        self.device.regions().stats()
    }

    /// Whether local memory is registered for every operation.
    pub fn registers_local(&self) -> bool {
        self.device.regions().is_local()
    }
}

impl btl::Transport for Transport {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn address(&self) -> Vec<u8> {
        self.address.encode()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        self.introduce(peer, address)
    }

    fn expect_foreign(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn add_foreign(
        &mut self,
        _peer: PeerId,
        _foreign: &Foreign,
        _address: &[u8],
    ) -> Result<Reach, Error> {
        Ok(Reach::Unreachable(
            "ofi does not reach processes of another job".into(),
        ))
    }

    fn remove_peer(&mut self, peer: PeerId) {
        self.dismiss(peer);
    }

    fn hints(&self, peer: PeerId) -> Hints {
        let alive = |peer: &Peer| peer.is_here();
        // Where a read is a system call, the limit was measured.
        let get_min = match self.device().quirks.reads_by_system_call {
            true => self.sends.limits().inject_max / 4 * 3,
            false => 0,
        };
        Hints {
            reads: self.caps.get.is_some() && self.peers.get(peer).is_some_and(alive),
            get_min,
            transfer_min: Least {
                put: 0,
                get: get_min,
            },
            ..Hints::default()
        }
    }

    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        let (device, peers) = (&mut self.device, &mut self.peers);
        self.sends.send(device, peers, peer, tag, header, payload)
    }

    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut memory::Slot<'_>),
    ) -> Result<Flow, Error> {
        let (device, peers) = (&mut self.device, &mut self.peers);
        self.sends
            .send_packed(device, peers, peer, tag, header, len, pack)
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        let known = self.peers.get(peer).ok_or(Error::Unreachable { peer })?;
        match (&known.state, known.under_way) {
            (PeerState::Removed, _) => Err(Error::Unreachable { peer }),
            (PeerState::Failed(how), _) => Err(Error::PeerGone {
                peer,
                how: how.clone(),
            }),
            (PeerState::Here | PeerState::Left, 0) => Ok(Flow::Sent),
            (PeerState::Here | PeerState::Left, _) => Ok(Flow::Busy),
        }
    }

    fn batch(&mut self, _peer: PeerId, _open: bool) {}

    fn is_kept(&self, _peer: PeerId) -> bool {
        false
    }

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        self.poll(sink)
    }

    fn back_off(&mut self) {
        if !self.peers.is_closed() && !self.found {
            self.idle.nap(|| self.device.sleepable());
        }
    }

    fn is_live(&self) -> bool {
        !self.peers.is_closed() && (!self.peers.is_empty() || !self.reports.is_empty())
    }

    /// The provider's descriptors report completions only, so all other pending work asks for an
    /// early poll.
    fn arm(&mut self, kind: SleepKind) -> Option<Waker> {
        if !btl::Transport::is_live(self) {
            return None;
        }
        self.help.before_sleep();
        if !self.transfers.is_empty() {
            self.request_help(0);
        }
        let pending = !self.reports.is_empty()
            || self.peers.has_lost()
            || self.transfers.has_unposted()
            || self.receives.has_unposted()
            || self.sends.has_pending()
            || !self.leavers.is_empty();
        if kind != SleepKind::Descriptors || pending {
            return Some(Waker::Poll);
        }
        match self.device.descriptors() {
            Some(descriptors) => Some(Waker::Descriptors(descriptors)),
            None => Some(Waker::Poll),
        }
    }

    fn disarm(&mut self) {}

    fn close(&mut self) {
        self.shut_down();
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        match self.caps.get {
            Some(_) => Some(self),
            None => None,
        }
    }

    fn presence(&mut self) -> Option<&mut dyn Presence> {
        None
    }

    fn carriage(&mut self) -> Option<&mut dyn Carriage> {
        None
    }
}

impl Drop for Transport {
    /// Endpoints are closed before the buffers that they may still write to are freed. Where a
    /// registration belongs to an endpoint, it goes first.
    fn drop(&mut self) {
        if self.settings.print_stats {
            let (provider, stats) = (self.provider(), self.registrations());
            eprintln!(
                "{}: registration cache of ofi ({provider}): {stats}",
                self.me
            );
        }
        if self.device.owns_regions_by_endpoint() {
            self.device.clear_regions();
            self.sends.withdraw();
            self.receives.withdraw();
            self.transfers.withdraw();
        }
        self.device.close();
    }
}
