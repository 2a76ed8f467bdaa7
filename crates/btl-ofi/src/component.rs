//! Implements the transport contract.

use std::collections::{HashMap, HashSet, VecDeque};

use base::{AmTag, Key, PeerId, Slab};
use btl::{
    Access, Atomic, Caps, Error, Flow, Hints, Interest, Least, Mapping, Polled, Presence, Reach,
    Registration, RemoteRange, Rma, Sink, SleepKind, Started, Token, Waker,
};
use memory::UserBuf;
use ofi::{mr_mode, Av, Endpoint};

use crate::buffers::{self, Buffers};
use crate::cells::Cells;
use crate::endpoint::{Peer, State};
use crate::help::Help;
use crate::loopback::Loopback;
use crate::peers::Peers;
use crate::progress::Kept;
use crate::rma::{Act, Memory, Transfer};
use crate::wire::Address;
use crate::Settings;

/// The transport of one process over one device.
pub struct Transport {
    pub(crate) caps: Caps,
    pub(crate) me: PeerId,
    pub(crate) settings: Settings,
    /// The address that peers receive.
    pub(crate) address: Address,

    /// The transmit contexts; the first also receives. Closed before everything below.
    pub(crate) contexts: Vec<Endpoint>,
    pub(crate) memory: Memory,
    pub(crate) av: Av,
    /// Each thread's context, where there are several.
    pub(crate) threads: HashMap<std::thread::ThreadId, usize>,

    pub(crate) peers: Peers,
    /// Messages of processes that have not been introduced yet.
    pub(crate) early: HashMap<PeerId, Vec<Kept>>,
    /// All earlier addresses of peers, where the provider never forgets one.
    pub(crate) seen: Option<HashSet<Vec<u8>>>,
    pub(crate) transfers: Slab<Transfer>,
    pub(crate) help: Help,

    pub(crate) sends: Buffers,
    pub(crate) receives: Buffers,
    /// The words of atomic operations.
    pub(crate) cells: Cells,
    /// Whether the provider names senders reliably by the table of peers.
    pub(crate) trusts_sources: bool,
    /// Most bytes of one operation of the provider.
    pub(crate) message_max: usize,
    /// Bytes that the provider copies at once.
    pub(crate) inject_max: usize,
    /// Whether headers travel beside messages, not in front of them.
    pub(crate) notes: bool,
    /// Whether notes of others may be read: some providers report data beside a message without
    /// any.
    pub(crate) takes_notes: bool,
    /// Bytes of a message with a note that the provider copies at once from the caller's memory.
    pub(crate) short_max: Option<usize>,
    /// Bytes of a piece, where messages that are longer go in pieces.
    pub(crate) piece_max: Option<usize>,
    /// Pieces of one put that may be in flight.
    pub(crate) put_pieces: usize,
    /// Receives that are to be posted.
    pub(crate) posts: usize,

    /// The back-off after an empty poll.
    pub(crate) rest: ofi::Rest,
    /// Whether the last poll found anything.
    pub(crate) found: bool,
    /// The receive buffer that came back last.
    pub(crate) spare: Option<buffers::Slot>,
    /// Receive buffers that the provider has refused.
    pub(crate) unposted: Vec<buffers::Slot>,
    /// Peers with a message that the provider has refused for now.
    pub(crate) stuck: VecDeque<PeerId>,
    /// Peers that wait for credit.
    pub(crate) debtors: Vec<PeerId>,
    /// Peers that left and wait for this process's shutdown message.
    pub(crate) partings: Vec<PeerId>,
    /// Transfers with pieces that could not be posted yet.
    pub(crate) waiting: VecDeque<Key>,
    pub(crate) reports: VecDeque<Report>,
    pub(crate) loopback: Loopback,
    pub(crate) closed: bool,
}

/// A report for the sink at the next `progress`.
pub(crate) enum Report {
    Done(Token, Result<(), Error>),
    Failed(PeerId, Error),
}

impl Transport {
    /// Returns the provider's whole name, such as `tcp;ofi_rxm`.
    pub fn provider(&self) -> &str {
        &self.address.provider
    }

    /// Returns the provider's device.
    pub fn device(&self) -> &ofi::Info {
        self.av.domain().info()
    }

    /// Whether its contexts are those of a scalable endpoint.
    pub fn is_scalable(&self) -> bool {
        self.contexts.iter().any(Endpoint::is_scalable)
    }

    /// Returns the number of transmit contexts in use.
    pub fn contexts(&self) -> usize {
        self.contexts.len()
    }

    /// Returns the statistics of the registration cache.
    pub fn cache_stats(&self) -> memory::rcache::Stats {
        self.memory.stats()
    }

    /// Whether local memory is registered for every operation.
    pub fn registers_local(&self) -> bool {
        self.memory.is_local()
    }

    /// Returns the calling thread's context: these are assigned in the order of first calls.
    #[inline]
    pub(crate) fn context(&mut self) -> usize {
        match self.contexts.len() {
            0 | 1 => 0,
            count => self.context_of_thread(count),
        }
    }

    #[inline(never)]
    fn context_of_thread(&mut self, count: usize) -> usize {
        /// Threads that are remembered; more than that means that most are gone.
        const THREADS_MAX: usize = 4096;
        if self.threads.len() > THREADS_MAX {
            self.threads.clear();
        }
        let next = self.threads.len() % count;
        *self
            .threads
            .entry(std::thread::current().id())
            .or_insert(next)
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

    fn remove_peer(&mut self, peer: PeerId) {
        self.dismiss(peer);
    }

    fn hints(&self, peer: PeerId) -> Hints {
        let alive = |peer: &Peer| matches!(peer.state, State::Here);
        // Where a read is a system call, the limit was measured.
        let get_min = match self.device().quirks.reads_by_system_call {
            true => self.inject_max / 4 * 3,
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
        self.send_whole(peer, tag, header, payload)
    }

    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut memory::Slot<'_>),
    ) -> Result<Flow, Error> {
        self.send_message(peer, tag, header, len, pack)
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        let known = self.peers.get(peer).ok_or(Error::Unreachable { peer })?;
        match (&known.state, known.under_way) {
            (State::Removed, _) => Err(Error::Unreachable { peer }),
            (State::Failed(how), _) => Err(Error::PeerGone {
                peer,
                how: how.clone(),
            }),
            (State::Here | State::Left, 0) => Ok(Flow::Sent),
            (State::Here | State::Left, _) => Ok(Flow::Busy),
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
        if !self.closed && !self.found {
            self.rest.nap(|| self.sleepable());
        }
    }

    fn is_live(&self) -> bool {
        !self.closed && (!self.peers.is_empty() || !self.reports.is_empty())
    }

    /// The provider's descriptors report completions only, so all other pending work asks for an
    /// early poll.
    fn arm(&mut self, kind: SleepKind) -> Option<Waker> {
        if !btl::Transport::is_live(self) {
            return None;
        }
        self.help.stir();
        if !self.transfers.is_empty() {
            self.ask_for_help(0);
        }
        let waits = !self.reports.is_empty()
            || !self.waiting.is_empty()
            || self.spare.is_some()
            || !self.unposted.is_empty()
            || !self.stuck.is_empty()
            || !self.debtors.is_empty()
            || !self.partings.is_empty();
        if kind != SleepKind::Descriptors || waits {
            return Some(Waker::Poll);
        }
        let mut descriptors = Vec::new();
        for context in &self.contexts {
            match context.descriptor() {
                Some(descriptor) if context.may_sleep() => {
                    descriptors.push((descriptor, Interest::Readable));
                }
                _ => return Some(Waker::Poll),
            }
        }
        Some(Waker::Descriptors(descriptors))
    }

    fn disarm(&mut self) {}

    fn close(&mut self) {
        self.say_farewell();
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
}

impl Rma for Transport {
    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error> {
        self.memory.export(&self.contexts[0], memory, access)
    }

    fn deregister(&mut self, registration: Registration) {
        self.memory.withdraw(&self.contexts[0], &registration);
    }

    fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        self.begin_transfer(Act::Get, peer, local, remote, token)
    }

    fn put(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        self.begin_transfer(Act::Put, peer, local, remote, token)
    }

    fn atomic(
        &mut self,
        peer: PeerId,
        atomic: Atomic,
        result: Option<UserBuf>,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        self.begin_atomic(peer, atomic, result, remote, Some(token))
    }

    fn loop_back(&mut self) -> Option<Result<(), String>> {
        self.try_loopback()
    }

    fn map(
        &mut self,
        _peer: PeerId,
        _remote: RemoteRange,
        _len: usize,
    ) -> Result<Option<Mapping>, Error> {
        Ok(None)
    }

    fn unmap(&mut self, _mapping: Mapping) {}

    fn poll_for(&mut self, token: Token, polls: u32) -> Polled {
        self.poll_transfer(token, polls)
    }
}

impl Drop for Transport {
    /// Endpoints are closed before the buffers that they may still write to are freed. Where a
    /// registration belongs to an endpoint, it goes first.
    fn drop(&mut self) {
        if self.settings.print_stats {
            let (provider, stats) = (self.provider(), self.cache_stats());
            eprintln!(
                "{}: registration cache of ofi ({provider}): {stats}",
                self.me
            );
        }
        if self.av.domain().info().demands(mr_mode::ENDPOINT) {
            self.memory.clear();
            self.sends.withdraw();
            self.receives.withdraw();
            self.cells.withdraw();
        }
        self.contexts.clear();
    }
}
