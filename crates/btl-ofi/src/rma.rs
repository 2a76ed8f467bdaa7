//! Memory access: registrations, and transfers that are cut into pieces.
//!
//! A transfer owns what it needs: the local registration where there must be one, and the position
//! at the peer, checked against the peer's key. It ends when its last piece has, or at once when
//! its peer is lost; pieces that end later find their transfer gone and change nothing.

use std::sync::Arc;

use base::{Key, PeerId, Slab};
use btl::{Access, Error, Registration, RemoteRange, Sink, Started, Token};
use memory::rcache::{self, Cache, Lease, Limits, Registrar};
use memory::release::{Monitor, Watch};
use memory::UserBuf;
use ofi::{flags, mr_mode, Domain, Endpoint, Failure, Info, Mr, MrAccess, Posted, Remote};

use crate::component::{Report, Transport};
use crate::endpoint::Peer;
use crate::op::{Op, NUMBERS};
use crate::wire::Window;
use crate::Settings;

/// libfabric's code for "required key not available".
const NO_KEY: i32 = 266;

/// Keys of our own that are tried when one is in use.
const KEY_TRIES: usize = 64;

/// The kind of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    Get,
    Put,
    /// One word; the word as it was goes to the local memory.
    Atomic,
}

/// A transfer under way.
pub(crate) struct Transfer {
    pub(crate) act: Act,
    pub(crate) peer: PeerId,
    /// The token that is reported; `None` for a transfer of the transport's own.
    pub(crate) token: Option<Token>,
    /// The source or destination in this process.
    pub(crate) local: UserBuf,
    pub(crate) lease: Option<Lease>,
    pub(crate) remote: Remote,
    /// Offset of `remote` from the start of the peer's registration, in bytes.
    pub(crate) offset: u64,
    /// The context in use.
    pub(crate) context: usize,
    /// The count of polls as the transfer began ([`crate::help`]).
    pub(crate) since: u32,
    /// Bytes whose pieces the provider has accepted.
    pub(crate) posted: usize,
    /// Pieces that the provider has.
    pub(crate) pieces: usize,
    /// The first error.
    pub(crate) failed: Option<Box<Error>>,
}

impl Transfer {
    #[inline]
    fn is_posted(&self) -> bool {
        self.posted == self.local.len() || self.failed.is_some()
    }

    /// Whether the transfer is complete, without error, once one more piece has succeeded.
    #[inline]
    fn ends_well_with_a_piece(&self) -> bool {
        self.pieces == 1 && self.posted == self.local.len() && self.failed.is_none()
    }
}

impl Act {
    /// Returns the most bytes of a piece, also limited by one operation of the provider.
    #[inline]
    fn piece_max(self, settings: &Settings, message_max: usize) -> usize {
        let limit = match self {
            Act::Get => settings.get_limit,
            _ => settings.put_limit,
        };
        limit.min(message_max)
    }

    /// Posts a piece: between this memory and that.
    #[inline(always)]
    fn post(
        self,
        endpoint: &mut Endpoint,
        (local, mr): (UserBuf, Option<&Mr>),
        remote: Remote,
        token: u64,
    ) -> Result<Posted, ofi::Error> {
        match self {
            Act::Get => endpoint.read(remote, local, mr, token),
            _ => endpoint.write(remote, local, mr, flags::DELIVERY_COMPLETE, token),
        }
    }
}

/// Memory registered with the provider.
pub(crate) struct Memory {
    cache: Cache<Mr>,
    /// Registrations that peers may access, by number.
    exports: Slab<Lease>,
    keys: Keys,
    /// Whether local memory is registered for every operation.
    local: bool,
    /// Whether memory is named by its address at the peer.
    by_address: bool,
}

/// Keys of our own, for providers that do not make them.
struct Keys {
    next: u64,
    /// The largest key that fits.
    most: u64,
}

/// Registers memory with the device.
struct Network<'a> {
    domain: &'a Domain,
    endpoint: &'a Endpoint,
    keys: &'a mut Keys,
}

impl Registrar for Network<'_> {
    type Handle = Mr;
    type Error = ofi::Error;

    fn register(&mut self, memory: UserBuf, access: rcache::Access) -> Result<Mr, ofi::Error> {
        let mut tries = 0;
        loop {
            let key = self.keys.draw();
            let access = rights(access);
            match self
                .domain
                .register(memory, access, key, Some(self.endpoint))
            {
                Err(error) if error.code() == Some(NO_KEY) && tries < KEY_TRIES => tries += 1,
                outcome => return outcome,
            }
        }
    }

    fn deregister(&mut self, mr: Mr) {
        drop(mr);
    }

    fn is_lack_of_resources(error: &ofi::Error) -> bool {
        error.is_lack_of_resources()
    }
}

impl Keys {
    fn draw(&mut self) -> u64 {
        let key = self.next;
        self.next = if key >= self.most { 1 } else { key + 1 };
        key
    }
}

fn rights(access: rcache::Access) -> MrAccess {
    let table = [
        (rcache::Access::LOCAL_READ, MrAccess::SOURCE),
        (rcache::Access::LOCAL_WRITE, MrAccess::SINK),
        (rcache::Access::REMOTE_READ, MrAccess::REMOTE_READ),
        (rcache::Access::REMOTE_WRITE, MrAccess::REMOTE_WRITE),
    ];
    let granted = table.iter().filter(|(right, _)| access.allows(*right));
    granted.fold(MrAccess::NONE, |all, (_, right)| all.and(*right))
}

impl Memory {
    pub(crate) fn new(
        info: &Info,
        local: bool,
        limits: Limits,
        monitor: Option<Arc<Monitor>>,
    ) -> Memory {
        let watch = monitor.map(|monitor| Box::new(monitor.subscribe()) as Box<dyn Watch + Send>);
        let bits = 8 * info.mr_key_bytes.clamp(1, 8) as u32;
        Memory {
            cache: Cache::new(limits, watch),
            exports: Slab::default(),
            keys: Keys {
                next: 1,
                most: u64::MAX >> (64 - bits),
            },
            local,
            by_address: info.demands(mr_mode::VIRT_ADDR),
        }
    }

    pub(crate) fn is_local(&self) -> bool {
        self.local
    }

    pub(crate) fn stats(&self) -> rcache::Stats {
        self.cache.stats()
    }

    /// Makes memory reachable for peers.
    pub(crate) fn export(
        &mut self,
        endpoint: &Endpoint,
        memory: UserBuf,
        access: Access,
    ) -> Result<Registration, Error> {
        let mut window = Window {
            key: 0,
            base: 0,
            len: memory.len() as u64,
            access,
        };
        if memory.is_empty() {
            let (key, id) = (window.encode(), 0);
            return Ok(Registration { memory, key, id });
        }
        let mut wanted = rcache::Access::NONE;
        if access.read {
            wanted = wanted.with(rcache::Access::REMOTE_READ);
        }
        if access.write {
            wanted = wanted.with(rcache::Access::REMOTE_WRITE);
        }
        let lease = self.acquire(endpoint, memory, wanted)?;
        let start = memory.address() as u64;
        window.key = self.cache.handle(&lease).key();
        window.base = match self.by_address {
            true => start,
            false => start - self.cache.memory(&lease).address() as u64,
        };
        let (key, id) = (window.encode(), self.exports.insert(lease).bits());
        Ok(Registration { memory, key, id })
    }

    /// Ends a registration by `export`.
    pub(crate) fn withdraw(&mut self, endpoint: &Endpoint, registration: &Registration) {
        let lease = self.exports.remove(Key::from_bits(registration.id));
        self.release(endpoint, lease);
    }

    fn acquire(
        &mut self,
        endpoint: &Endpoint,
        memory: UserBuf,
        access: rcache::Access,
    ) -> Result<Lease, Error> {
        let mut network = Network {
            domain: endpoint.domain(),
            endpoint,
            keys: &mut self.keys,
        };
        let lease = self.cache.acquire(memory, access, &mut network);
        lease.map_err(|error| refused(memory, &error))
    }

    pub(crate) fn release(&mut self, endpoint: &Endpoint, lease: Option<Lease>) {
        let Some(lease) = lease else { return };
        let mut network = Network {
            domain: endpoint.domain(),
            endpoint,
            keys: &mut self.keys,
        };
        self.cache.release(lease, &mut network);
    }

    /// Returns the registration of local memory, where there must be one.
    pub(crate) fn lease_local(
        &mut self,
        endpoint: &Endpoint,
        memory: UserBuf,
        access: rcache::Access,
    ) -> Result<Option<Lease>, Error> {
        if !self.local || memory.is_empty() {
            return Ok(None);
        }
        self.acquire(endpoint, memory, access).map(Some)
    }

    /// Returns a function that registers the buffers of messages, where the provider demands it.
    pub(crate) fn local_registrar<'a>(
        &'a mut self,
        endpoint: &'a Endpoint,
    ) -> impl FnMut(UserBuf) -> Result<Option<Mr>, Error> + 'a {
        move |memory| {
            if !self.local {
                return Ok(None);
            }
            let both = rcache::Access::LOCAL_READ.with(rcache::Access::LOCAL_WRITE);
            let mut network = Network {
                domain: endpoint.domain(),
                endpoint,
                keys: &mut self.keys,
            };
            let mr = network.register(memory, both);
            mr.map(Some).map_err(|error| refused(memory, &error))
        }
    }

    #[inline(always)]
    fn mr(&self, lease: &Option<Lease>) -> Option<&Mr> {
        lease.as_ref().map(|lease| self.cache.handle(lease))
    }

    /// Ends all registrations.
    pub(crate) fn clear(&mut self) {
        self.cache = Cache::new(
            Limits {
                idle_count_max: 0,
                idle_bytes_max: 0,
            },
            None,
        );
    }
}

fn refused(memory: UserBuf, error: &ofi::Error) -> Error {
    Error::Registration {
        len: memory.len(),
        why: error.of_registration(),
    }
}

impl Transport {
    /// Starts a transfer.
    #[inline(always)]
    pub(crate) fn begin_transfer(
        &mut self,
        act: Act,
        peer: PeerId,
        local: UserBuf,
        range: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        let (limits, what) = match act {
            Act::Get => (self.caps.get, "get"),
            _ => (self.caps.put, "put"),
        };
        if limits.is_none() {
            return Err(Error::Unsupported { peer, what });
        }
        let (address, is_full) = self.aim(peer)?;
        let remote = place((peer, address), &range, local.len(), |access| match act {
            Act::Get => access.read,
            _ => access.write,
        })?;
        if local.is_empty() {
            return Ok(Started::Done);
        }
        if is_full {
            return Ok(Started::Busy);
        }
        let access = match act {
            Act::Get => rcache::Access::LOCAL_WRITE,
            _ => rcache::Access::LOCAL_READ,
        };
        let context = self.context();
        let lease = self
            .memory
            .lease_local(&self.contexts[context], local, access)?;
        let mut transfer = Transfer {
            act,
            peer,
            token: Some(token),
            local,
            lease,
            remote,
            offset: range.offset,
            context,
            since: self.help.looks(),
            posted: 0,
            pieces: 0,
            failed: None,
        };
        if local.len() > act.piece_max(&self.settings, self.message_max) {
            let key = self.transfers.insert(transfer);
            return self.launch(peer, key);
        }
        // It is one piece. The bookkeeping is done while it is in flight.
        let op = Op::Piece {
            transfer: self.transfers.next_key(),
        };
        let known = (local, self.memory.mr(&transfer.lease));
        let outcome = act.post(&mut self.contexts[context], known, remote, op.token());
        if let Ok(Posted::Taken(_)) = outcome {
            (transfer.posted, transfer.pieces) = (local.len(), 1);
            self.count(peer);
            self.transfers.insert(transfer);
            return Ok(Started::Pending);
        }
        let key = self.transfers.insert(transfer);
        self.launch_in_part(key, outcome.map(drop))
    }

    /// Returns a peer's address, and whether the limit of transfers is reached, so that some must
    /// complete before another with it begins.
    #[inline]
    pub(crate) fn aim(&mut self, peer: PeerId) -> Result<(ofi::Address, bool), Error> {
        let most = self.settings.transfers_max;
        let none_left = self.transfers.len() >= NUMBERS;
        let known = self.reachable(peer)?;
        Ok((known.address, none_left || known.transfers >= most))
    }

    /// Posts as much of a new transfer as possible.
    fn launch(&mut self, peer: PeerId, key: Key) -> Result<Started, Error> {
        match self.post_pieces(key) {
            Ok(true) => {
                self.count(peer);
                Ok(Started::Pending)
            }
            outcome => self.launch_in_part(key, outcome.map(drop)),
        }
    }

    /// Continues with a new transfer of which not all pieces could be posted.
    #[cold]
    fn launch_in_part(
        &mut self,
        key: Key,
        outcome: Result<(), ofi::Error>,
    ) -> Result<Started, Error> {
        let Some(transfer) = self.transfers.get(key) else {
            return Ok(Started::Busy);
        };
        let (peer, untouched) = (transfer.peer, transfer.pieces == 0);
        if untouched {
            let offset = transfer.offset;
            let len = transfer.local.len();
            if let Some(transfer) = self.transfers.remove(key) {
                self.give_back(transfer.context, transfer.lease);
            }
            return match outcome {
                Ok(()) => Ok(Started::Busy),
                Err(error) => Err(self.refusal(peer, offset, len, &error)),
            };
        }
        if let Err(error) = outcome {
            self.fail(key, &error);
        }
        self.count(peer);
        if self.transfers.get(key).is_some_and(|t| !t.is_posted()) {
            self.waiting.push_back(key);
        }
        Ok(Started::Pending)
    }

    /// Counts a transfer that has begun.
    #[inline]
    pub(crate) fn count(&mut self, peer: PeerId) {
        if let Some(known) = self.peers.get_mut(peer) {
            known.under_way += 1;
            known.transfers += 1;
        }
    }

    /// Posts pieces until all are posted, the limit in flight is reached or the provider is busy;
    /// returns whether all are.
    fn post_pieces(&mut self, key: Key) -> Result<bool, ofi::Error> {
        let Some(transfer) = self.transfers.get_mut(key) else {
            return Ok(false);
        };
        let limit = transfer.act.piece_max(&self.settings, self.message_max);
        let most = match transfer.act {
            Act::Put => self.put_pieces,
            Act::Get | Act::Atomic => usize::MAX,
        };
        let endpoint = &mut self.contexts[transfer.context];
        let token = Op::Piece { transfer: key }.token();
        let mr = self.memory.mr(&transfer.lease);
        while !transfer.is_posted() {
            if transfer.pieces >= most {
                return Ok(false);
            }
            let len = limit.min(transfer.local.len() - transfer.posted);
            let local = transfer.local.part(transfer.posted, len);
            let mut remote = transfer.remote;
            remote.at = remote.at.wrapping_add(transfer.posted as u64);
            if transfer.act.post(endpoint, (local, mr), remote, token)? == Posted::Busy {
                return Ok(false);
            }
            transfer.posted += len;
            transfer.pieces += 1;
        }
        Ok(true)
    }

    /// Posts pieces that could not be posted before.
    pub(crate) fn retry_transfers(&mut self) {
        for _ in 0..self.waiting.len() {
            let Some(key) = self.waiting.pop_front() else {
                return;
            };
            if let Err(error) = self.post_pieces(key) {
                self.fail(key, &error);
            }
            self.settle_transfer(key);
            if self.transfers.get(key).is_some_and(|t| !t.is_posted()) {
                self.waiting.push_back(key);
            }
        }
    }

    /// Handles a piece's completion. Returns the number of events: a piece that is not the last of
    /// its transfer is one, too.
    #[inline]
    pub(crate) fn piece_ended(
        &mut self,
        key: Key,
        outcome: &Result<(), Box<Failure>>,
        sink: &mut dyn Sink,
    ) -> usize {
        let is_whole = |transfer: &Transfer| outcome.is_ok() && transfer.ends_well_with_a_piece();
        let Some(mut transfer) = self.transfers.remove_if(key, is_whole) else {
            self.piece_noted(key, outcome);
            return 1;
        };
        self.cells.hand_over(key.index(), &mut transfer);
        let Some(token) = self.close_transfer(transfer) else {
            return 0;
        };
        sink.done(token, Ok(()));
        1
    }

    /// Whether a completion still to be handled ends the transfer of this token without error. If
    /// so, the transfer is not reported any more: the caller knows.
    #[inline]
    pub(crate) fn hush(&mut self, op: Op, token: Token) -> bool {
        let Op::Piece { transfer: key } = op else {
            return false;
        };
        let Some(transfer) = self.transfers.get_mut(key) else {
            return false;
        };
        let ends = transfer.token == Some(token) && transfer.ends_well_with_a_piece();
        if ends {
            transfer.token = None;
            self.cells.hand_over(key.index(), transfer);
        }
        ends
    }

    /// Handles a piece that failed or does not complete its transfer.
    #[cold]
    fn piece_noted(&mut self, key: Key, outcome: &Result<(), Box<Failure>>) {
        let Some(transfer) = self.transfers.get_mut(key) else {
            return;
        };
        transfer.pieces -= 1;
        match outcome {
            Ok(()) => self.settle_transfer(key),
            Err(failure) => self.piece_failed(key, failure),
        }
    }

    #[cold]
    fn piece_failed(&mut self, key: Key, failure: &Failure) {
        let Some(transfer) = self.transfers.get(key) else {
            return;
        };
        let (peer, offset, len) = (transfer.peer, transfer.offset, transfer.local.len());
        let error = self.verdict(peer, offset, len, failure.code, failure.text.clone());
        if let Error::PeerGone { .. } = error {
            self.lose(peer, error);
            return;
        }
        if let Some(transfer) = self.transfers.get_mut(key) {
            transfer.failed.get_or_insert(Box::new(error));
        }
        self.settle_transfer(key);
    }

    /// Handles a piece that could not be posted.
    fn fail(&mut self, key: Key, error: &ofi::Error) {
        let Some(transfer) = self.transfers.get(key) else {
            return;
        };
        let (peer, offset, len) = (transfer.peer, transfer.offset, transfer.local.len());
        let error = self.refusal(peer, offset, len, error);
        if let Some(transfer) = self.transfers.get_mut(key) {
            transfer.failed.get_or_insert(Box::new(error));
        }
    }

    /// Returns the error for a refused call; loses the peer where the refusal means that it is
    /// gone.
    pub(crate) fn refusal(
        &mut self,
        peer: PeerId,
        offset: u64,
        len: usize,
        error: &ofi::Error,
    ) -> Error {
        let error = match error.is_no_way() {
            true => Error::PeerGone {
                peer,
                how: format!("libfabric finds no way to it: {error}"),
            },
            false => {
                let code = error.code().unwrap_or(libc::ENOSYS);
                self.verdict(peer, offset, len, code, error.to_string())
            }
        };
        if let Error::PeerGone { .. } = error {
            self.lose(peer, error.clone());
        }
        error
    }

    /// Returns the error for a failed access. Providers report a peer that is gone as if its memory
    /// had never been registered, so the peer's own state is checked first.
    fn verdict(&self, peer: PeerId, offset: u64, len: usize, code: i32, how: String) -> Error {
        match self.peers.get(peer).and_then(Peer::absence) {
            Some(why) => Error::PeerGone { peer, how: why },
            None => translate(peer, offset, len, code, how),
        }
    }

    /// Completes a transfer whose last piece has ended.
    fn settle_transfer(&mut self, key: Key) {
        let Some(transfer) = self.transfers.get_mut(key) else {
            return;
        };
        if transfer.pieces == 0 && transfer.is_posted() {
            let outcome = transfer.failed.take().map_or(Ok(()), |error| Err(*error));
            self.finish(key, outcome);
        }
    }

    /// Completes a transfer; the next `progress` reports it.
    pub(crate) fn finish(&mut self, key: Key, outcome: Result<(), Error>) {
        let Some(transfer) = self.transfers.remove(key) else {
            return;
        };
        if transfer.act == Act::Atomic && transfer.pieces > 0 {
            self.cells.abandon(key.index());
        }
        if let Some(token) = self.close_transfer(transfer) {
            self.reports.push_back(Report::Done(token, outcome));
        }
    }

    /// Ends a transfer that was counted; returns the token to report.
    #[inline(always)]
    fn close_transfer(&mut self, transfer: Transfer) -> Option<Token> {
        if let Some(known) = self.peers.get_mut(transfer.peer) {
            known.under_way = known.under_way.saturating_sub(1);
            known.transfers = known.transfers.saturating_sub(1);
        }
        self.give_back(transfer.context, transfer.lease);
        transfer.token
    }

    /// Releases the registration of a transfer.
    #[inline(always)]
    fn give_back(&mut self, context: usize, lease: Option<Lease>) {
        if lease.is_some() {
            self.memory.release(&self.contexts[context], lease);
        }
    }

    /// Ends all transfers with a peer.
    pub(crate) fn end_transfers(&mut self, peer: PeerId, error: &Error) {
        let of_peer = |(key, transfer): (Key, &Transfer)| (transfer.peer == peer).then_some(key);
        let keys: Vec<_> = self.transfers.iter().filter_map(of_peer).collect();
        for key in keys {
            self.finish(key, Err(error.clone()));
        }
    }
}

/// Returns the position of a range at the peer, when it is inside the key's memory.
#[inline]
pub(crate) fn place(
    (peer, address): (PeerId, ofi::Address),
    range: &RemoteRange,
    len: usize,
    allowed: impl Fn(Access) -> bool,
) -> Result<Remote, Error> {
    let window = Window::decode(&range.key).filter(|window| allowed(window.access));
    match window.and_then(|window| Some((window.key, window.at(range.offset, len)?))) {
        Some((key, at)) => Ok(Remote {
            peer: address,
            at,
            key,
        }),
        None => Err(Error::OutOfRange {
            peer,
            offset: range.offset,
            len,
        }),
    }
}

/// Translates the code of a failed access.
fn translate(peer: PeerId, offset: u64, len: usize, code: i32, how: String) -> Error {
    /// "Key was rejected by service".
    const KEY_REJECTED: i32 = 129;
    match code {
        libc::EACCES
        | libc::EPERM
        | libc::EINVAL
        | libc::ERANGE
        | libc::EFAULT
        | libc::ENOENT
        | NO_KEY
        | KEY_REJECTED => Error::OutOfRange { peer, offset, len },
        libc::ENOMEM | libc::ENOSPC | libc::ENOBUFS => Error::Resource {
            what: format!("transfer of {len} bytes with {peer}"),
            why: how,
        },
        _ => Error::PeerGone { peer, how },
    }
}
