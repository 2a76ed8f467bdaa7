//! Transfers in flight: gets, puts and atomic operations, in pieces.
//!
//! A transfer owns what it needs: the local registration where there must be one, and the position
//! at the peer, checked against the peer's key. It ends when its last piece has, or at once when
//! its peer is lost; pieces that end later find their transfer gone and change nothing.

use std::collections::VecDeque;

use base::{Key, PeerId, Slab};
use btl::{Access, Atomic, AtomicOp, Error, RemoteRange, Sink, Started, Token};
use memory::rcache;
use memory::UserBuf;
use ofi::{flags, Failure, Posted, Remote};

use crate::atomic;
use crate::cells::Cells;
use crate::device::OpenDevice;
use crate::op::{Op, NUMBERS};
use crate::peer::Peer;
use crate::peers::PeerTable;
use crate::reports::PendingReports;
use crate::transfer::{access_error, locate, Transfer, TransferKind};

/// Limits on what is in flight.
#[derive(Clone, Copy)]
pub(crate) struct TransferLimits {
    /// Most bytes of a piece of a get.
    pub(crate) get_bytes: usize,
    /// Most bytes of a piece of a put.
    pub(crate) put_bytes: usize,
    /// Most pieces of one put that are in flight.
    pub(crate) put_pieces: usize,
    /// Most transfers with one peer that are in flight.
    pub(crate) per_peer: usize,
}

/// A transfer to be started.
pub(crate) struct TransferRequest {
    pub(crate) kind: TransferKind,
    pub(crate) peer: PeerId,
    pub(crate) local: UserBuf,
    pub(crate) range: RemoteRange,
    pub(crate) token: Token,
}

/// The transfers of a transport.
pub(crate) struct TransferTable {
    limits: TransferLimits,
    table: Slab<Transfer>,
    /// The words of atomic operations.
    cells: Cells,
    /// Transfers with pieces that could not be posted yet.
    waiting: VecDeque<Key>,
}

impl TransferTable {
    pub(crate) fn new(limits: TransferLimits) -> TransferTable {
        TransferTable {
            limits,
            table: Slab::default(),
            cells: Cells::default(),
            waiting: VecDeque::new(),
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Whether pieces are still to be posted.
    pub(crate) fn has_unposted(&self) -> bool {
        !self.waiting.is_empty()
    }

    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Transfer> {
        self.table.iter().map(|(_, transfer)| transfer)
    }

    /// Returns the peers of transfers that began `polls` or more before the count was `now`.
    pub(crate) fn late(&self, now: u32, polls: u32) -> Vec<PeerId> {
        let late = self.table.iter().filter_map(|(_, transfer)| {
            let waited = now.wrapping_sub(transfer.since);
            (waited >= polls).then_some(transfer.peer)
        });
        late.collect()
    }

    #[inline]
    fn piece_max(&self, kind: TransferKind) -> usize {
        match kind {
            TransferKind::Get => self.limits.get_bytes,
            _ => self.limits.put_bytes,
        }
    }

    /// Returns a peer's address, and whether the limit of transfers is reached, so that some must
    /// complete before another with it begins.
    #[inline]
    fn aim(&self, peers: &mut PeerTable, peer: PeerId) -> Result<(ofi::Address, bool), Error> {
        let none_left = self.table.len() >= NUMBERS;
        let known = peers.reachable(peer)?;
        Ok((
            known.address,
            none_left || known.transfers >= self.limits.per_peer,
        ))
    }

    /// Starts a get or a put; `now` is the count of polls.
    #[inline(always)]
    pub(crate) fn begin(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        request: TransferRequest,
        now: u32,
    ) -> Result<Started, Error> {
        let (kind, peer, local) = (request.kind, request.peer, request.local);
        let (address, is_full) = self.aim(peers, peer)?;
        let remote = locate(
            (peer, address),
            &request.range,
            local.len(),
            |access| match kind {
                TransferKind::Get => access.read,
                _ => access.write,
            },
        )?;
        if local.is_empty() {
            return Ok(Started::Done);
        }
        if is_full {
            return Ok(Started::Busy);
        }
        let access = match kind {
            TransferKind::Get => rcache::Access::LOCAL_WRITE,
            _ => rcache::Access::LOCAL_READ,
        };
        let context = device.context_of_caller();
        let lease = device.lease_local(context, local, access)?;
        let mut transfer = Transfer {
            kind,
            peer,
            token: Some(request.token),
            local,
            lease,
            remote,
            offset: request.range.offset,
            context,
            since: now,
            posted: 0,
            pieces: 0,
            failed: None,
        };
        if local.len() > self.piece_max(kind) {
            let key = self.table.insert(transfer);
            return self.launch(device, peers, peer, key);
        }
        // It is one piece. The bookkeeping is done while it is in flight.
        let op = Op::Piece {
            transfer: self.table.next_key(),
        };
        let known = (local, &transfer.lease);
        let outcome = device.post((kind, context), known, remote, op.token());
        if let Ok(Posted::Taken(_)) = outcome {
            (transfer.posted, transfer.pieces) = (local.len(), 1);
            count(peers, peer);
            self.table.insert(transfer);
            return Ok(Started::Pending);
        }
        let key = self.table.insert(transfer);
        self.launch_in_part(device, peers, key, outcome.map(drop))
    }

    /// Starts an atomic operation. The word's old value is always fetched: its arrival says that
    /// the operation is done at the target. Without a token there is no report.
    #[inline(never)]
    pub(crate) fn begin_atomic(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        (peer, range, token): (PeerId, RemoteRange, Option<Token>),
        (atomic, result): (Atomic, Option<UserBuf>),
        now: u32,
    ) -> Result<Started, Error> {
        let len = atomic.width.bytes();
        let both = |access: Access| access.read && access.write;
        let (address, is_full) = self.aim(peers, peer)?;
        let remote = locate((peer, address), &range, len, both)?;
        if remote.at % len as u64 != 0 {
            let offset = range.offset;
            return Err(Error::OutOfRange { peer, offset, len });
        }
        if is_full {
            return Ok(Started::Busy);
        }
        let context = device.context_of_caller();
        let transfer = self.table.next_key();
        self.cells
            .provide(transfer.index(), device.registrar(context))?;
        match self.post_atomic(device, (transfer, context), remote, atomic) {
            Ok(Posted::Taken(_)) => {}
            Ok(Posted::Busy) => return Ok(Started::Busy),
            Err(error) => return Err(refusal(peers, peer, range.offset, len, &error)),
        }
        // The bookkeeping is done while it is in flight.
        count(peers, peer);
        self.table.insert(Transfer {
            kind: TransferKind::Atomic,
            peer,
            token,
            local: result.unwrap_or(UserBuf::EMPTY),
            lease: None,
            remote,
            offset: range.offset,
            context,
            since: now,
            posted: result.map_or(0, |result| result.len()),
            pieces: 1,
            failed: None,
        });
        Ok(Started::Pending)
    }

    /// Posts the operation of a future transfer, which has a cell.
    #[inline(always)]
    fn post_atomic(
        &mut self,
        device: &mut OpenDevice,
        (transfer, context): (Key, usize),
        remote: Remote,
        atomic: Atomic,
    ) -> Result<Posted, ofi::Error> {
        let expected = match atomic.op {
            AtomicOp::CompareSwap(expected) => Some(expected),
            _ => None,
        };
        let values = (atomic.operand, expected);
        let len = atomic.width.bytes();
        let words = self.cells.words(transfer.index(), len, values);
        let what = atomic::native(atomic.op, atomic.width);
        let (token, done) = (Op::Piece { transfer }.token(), flags::DELIVERY_COMPLETE);
        device
            .context(context)
            .atomic(remote, what, words, done, token)
    }

    /// Posts as much of a new transfer as possible.
    fn launch(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        peer: PeerId,
        key: Key,
    ) -> Result<Started, Error> {
        match self.post_pieces(device, key) {
            Ok(true) => {
                count(peers, peer);
                Ok(Started::Pending)
            }
            outcome => self.launch_in_part(device, peers, key, outcome.map(drop)),
        }
    }

    /// Continues with a new transfer of which not all pieces could be posted.
    #[cold]
    fn launch_in_part(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        key: Key,
        outcome: Result<(), ofi::Error>,
    ) -> Result<Started, Error> {
        let Some(transfer) = self.table.get(key) else {
            return Ok(Started::Busy);
        };
        let (peer, untouched) = (transfer.peer, transfer.pieces == 0);
        if untouched {
            let offset = transfer.offset;
            let len = transfer.local.len();
            if let Some(transfer) = self.table.remove(key) {
                device.release(transfer.context, transfer.lease);
            }
            return match outcome {
                Ok(()) => Ok(Started::Busy),
                Err(error) => Err(refusal(peers, peer, offset, len, &error)),
            };
        }
        if let Err(error) = outcome {
            self.fail(peers, key, &error);
        }
        count(peers, peer);
        if self.table.get(key).is_some_and(|t| !t.is_posted()) {
            self.waiting.push_back(key);
        }
        Ok(Started::Pending)
    }

    /// Posts pieces until all are posted, the limit in flight is reached or the provider is busy;
    /// returns whether all are.
    fn post_pieces(&mut self, device: &mut OpenDevice, key: Key) -> Result<bool, ofi::Error> {
        let limits = self.limits;
        let Some(transfer) = self.table.get_mut(key) else {
            return Ok(false);
        };
        let (limit, most) = match transfer.kind {
            TransferKind::Get => (limits.get_bytes, usize::MAX),
            TransferKind::Put => (limits.put_bytes, limits.put_pieces),
            TransferKind::Atomic => (limits.put_bytes, usize::MAX),
        };
        let token = Op::Piece { transfer: key }.token();
        let by = (transfer.kind, transfer.context);
        while !transfer.is_posted() {
            if transfer.pieces >= most {
                return Ok(false);
            }
            let len = limit.min(transfer.local.len() - transfer.posted);
            let local = transfer.local.part(transfer.posted, len);
            let mut remote = transfer.remote;
            remote.at = remote.at.wrapping_add(transfer.posted as u64);
            if device.post(by, (local, &transfer.lease), remote, token)? == Posted::Busy {
                return Ok(false);
            }
            transfer.posted += len;
            transfer.pieces += 1;
        }
        Ok(true)
    }

    /// Posts pieces that could not be posted before.
    #[inline]
    pub(crate) fn retry(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        reports: &mut PendingReports,
    ) {
        for _ in 0..self.waiting.len() {
            let Some(key) = self.waiting.pop_front() else {
                return;
            };
            if let Err(error) = self.post_pieces(device, key) {
                self.fail(peers, key, &error);
            }
            self.settle(device, peers, reports, key);
            if self.table.get(key).is_some_and(|t| !t.is_posted()) {
                self.waiting.push_back(key);
            }
        }
    }

    /// Handles a piece's completion. Returns the number of events: a piece that is not the last of
    /// its transfer is one, too.
    #[inline]
    pub(crate) fn piece_ended(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        reports: &mut PendingReports,
        (key, outcome): (Key, &Result<(), Box<Failure>>),
        sink: &mut dyn Sink,
    ) -> usize {
        let is_whole = |transfer: &Transfer| outcome.is_ok() && transfer.ends_well_with_a_piece();
        let Some(mut transfer) = self.table.remove_if(key, is_whole) else {
            self.piece_noted(device, peers, reports, (key, outcome));
            return 1;
        };
        take_result(&self.cells, key, &mut transfer);
        let Some(token) = close(device, peers, transfer) else {
            return 0;
        };
        sink.done(token, Ok(()));
        1
    }

    /// Whether a completion still to be handled ends the transfer of this token without error. If
    /// so, the transfer is not reported any more: the caller knows.
    #[inline]
    pub(crate) fn ends_unreported(&mut self, op: Op, token: Token) -> bool {
        let Op::Piece { transfer: key } = op else {
            return false;
        };
        let Some(transfer) = self.table.get_mut(key) else {
            return false;
        };
        let ends = transfer.token == Some(token) && transfer.ends_well_with_a_piece();
        if ends {
            transfer.token = None;
            take_result(&self.cells, key, transfer);
        }
        ends
    }

    /// Handles a piece that failed or does not complete its transfer.
    #[cold]
    fn piece_noted(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        reports: &mut PendingReports,
        (key, outcome): (Key, &Result<(), Box<Failure>>),
    ) {
        let Some(transfer) = self.table.get_mut(key) else {
            return;
        };
        transfer.pieces -= 1;
        if let Err(failure) = outcome {
            let (peer, offset, len) = (transfer.peer, transfer.offset, transfer.local.len());
            let how = failure.text.clone();
            let error = verdict(peers, peer, offset, len, failure.code, how);
            if let Error::PeerGone { .. } = error {
                // All transfers with it end as that is followed up.
                peers.lose(peer, error);
                return;
            }
            transfer.failed.get_or_insert(Box::new(error));
        }
        self.settle(device, peers, reports, key);
    }

    /// Handles a piece that could not be posted.
    fn fail(&mut self, peers: &mut PeerTable, key: Key, error: &ofi::Error) {
        let Some(transfer) = self.table.get_mut(key) else {
            return;
        };
        let (peer, offset, len) = (transfer.peer, transfer.offset, transfer.local.len());
        let error = refusal(peers, peer, offset, len, error);
        transfer.failed.get_or_insert(Box::new(error));
    }

    /// Completes a transfer whose last piece has ended.
    fn settle(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        reports: &mut PendingReports,
        key: Key,
    ) {
        let Some(transfer) = self.table.get_mut(key) else {
            return;
        };
        if transfer.pieces == 0 && transfer.is_posted() {
            let outcome = transfer.failed.take().map_or(Ok(()), |error| Err(*error));
            self.finish(device, peers, reports, (key, outcome));
        }
    }

    /// Completes a transfer; the next poll reports it.
    fn finish(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        reports: &mut PendingReports,
        (key, outcome): (Key, Result<(), Error>),
    ) {
        let Some(transfer) = self.table.remove(key) else {
            return;
        };
        if transfer.kind == TransferKind::Atomic && transfer.pieces > 0 {
            self.cells.abandon(key.index());
        }
        if let Some(token) = close(device, peers, transfer) {
            reports.add_done(token, outcome);
        }
    }

    /// Ends all transfers with a peer.
    pub(crate) fn end_all(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        reports: &mut PendingReports,
        (peer, error): (PeerId, &Error),
    ) {
        let of_peer = |(key, transfer): (Key, &Transfer)| (transfer.peer == peer).then_some(key);
        let keys: Vec<_> = self.table.iter().filter_map(of_peer).collect();
        for key in keys {
            self.finish(device, peers, reports, (key, Err(error.clone())));
        }
    }

    /// Ends the registrations of the words.
    pub(crate) fn withdraw(&mut self) {
        self.cells.withdraw();
    }
}

/// Counts a transfer that has begun.
#[inline]
fn count(peers: &mut PeerTable, peer: PeerId) {
    if let Some(known) = peers.get_mut(peer) {
        known.count_transfer();
    }
}

/// Ends a transfer that was counted; returns the token to report.
#[inline(always)]
fn close(device: &mut OpenDevice, peers: &mut PeerTable, transfer: Transfer) -> Option<Token> {
    if let Some(known) = peers.get_mut(transfer.peer) {
        known.count_ended_transfer();
    }
    device.release(transfer.context, transfer.lease);
    transfer.token
}

/// Copies the word's old value to the caller's memory, once, which the transfer no longer touches
/// then. Other transfers have no such value.
#[inline(always)]
fn take_result(cells: &Cells, key: Key, transfer: &mut Transfer) {
    if transfer.kind != TransferKind::Atomic {
        return;
    }
    let into = std::mem::replace(&mut transfer.local, UserBuf::EMPTY);
    transfer.posted = 0;
    match into.len() {
        4 => into.copy_from(&cells.result(key.index(), 4)),
        8 => into.copy_from(&cells.result(key.index(), 8)),
        _ => {}
    }
}

/// Returns the error for a refused call; loses the peer where the refusal means that it is gone.
fn refusal(
    peers: &mut PeerTable,
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
            verdict(peers, peer, offset, len, code, error.to_string())
        }
    };
    if let Error::PeerGone { .. } = error {
        peers.lose(peer, error.clone());
    }
    error
}

/// Returns the error for a failed access. Providers report a peer that is gone as if its memory had
/// never been registered, so the peer's own state is checked first.
fn verdict(
    peers: &PeerTable,
    peer: PeerId,
    offset: u64,
    len: usize,
    code: i32,
    how: String,
) -> Error {
    match peers.get(peer).and_then(Peer::absence) {
        Some(why) => Error::PeerGone { peer, how: why },
        None => access_error(peer, offset, len, code, how),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: TransferLimits = TransferLimits {
        get_bytes: 100,
        put_bytes: 100,
        put_pieces: 1,
        per_peer: 2,
    };

    fn transfer(peer: u32, since: u32, pieces: usize) -> Transfer {
        let remote = Remote {
            peer: ofi::Address::ANY,
            at: 0,
            key: 0,
        };
        Transfer {
            kind: TransferKind::Put,
            peer: PeerId(peer),
            token: Some(Token(u64::from(since))),
            local: UserBuf::EMPTY,
            lease: None,
            remote,
            offset: 0,
            context: 0,
            since,
            posted: 0,
            pieces,
            failed: None,
        }
    }

    #[test]
    fn transfers_are_late_by_the_polls_since_they_began() {
        let mut transfers = TransferTable::new(LIMITS);
        transfers.table.insert(transfer(1, u32::MAX - 9, 1));
        transfers.table.insert(transfer(2, 5, 1));
        assert_eq!(transfers.late(10, 20), [PeerId(1)], "the count has wrapped");
        assert_eq!(transfers.late(10, 5), [PeerId(1), PeerId(2)]);
        assert_eq!(transfers.late(10, 21), []);
    }

    #[test]
    fn a_transfer_ends_unreported_with_its_last_piece_and_its_token_alone() {
        let mut transfers = TransferTable::new(LIMITS);
        let one = transfers.table.insert(transfer(1, 6, 1));
        let two = transfers.table.insert(transfer(1, 7, 2));
        let mut ends = |key, token| {
            let op = Op::Piece { transfer: key };
            transfers.ends_unreported(op, Token(token))
        };
        assert!(!ends(one, 7), "another transfer's token");
        assert!(!ends(two, 7), "a piece is in flight behind it");
        assert!(ends(one, 6));
        assert!(!ends(one, 6), "the caller knows already");
    }

    #[test]
    fn a_peer_has_as_many_transfers_as_the_limit_says() {
        let (transfers, mut peers) = (TransferTable::new(LIMITS), PeerTable::default());
        peers.insert(PeerId(1), crate::peer::tests::peer(2));
        for is_full in [false, false, true] {
            let aimed = transfers.aim(&mut peers, PeerId(1));
            assert_eq!(aimed, Ok((ofi::Address::ANY, is_full)));
            count(&mut peers, PeerId(1));
        }
    }
}
