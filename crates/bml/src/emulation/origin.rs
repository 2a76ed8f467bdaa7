//! The origin side: cuts operations into requests, and handles the replies.
//!
//! | state of an operation | what ends it |
//! |---|---|
//! | unsent parts: in its peer's queue | a part is sent, while the window and the lane have room |
//! | all parts sent, some without reply | a reply; the last one completes it |
//! | refused: no more parts are sent | the replies to those that were |

use std::collections::{HashMap, VecDeque};

use base::{Key, PeerId, Slab};
use btl::{Error, Flow, Sink, Started, Token};
use mca::Framework;
use memory::{Payload, UserBuf};

use super::operation::{Messenger, OperationKind, CHECK_INTERVAL, MESSAGE_BYTES_MIN, WINDOW};
use super::wire::{Answer, Reason, ReplyKind, Request, RequestKind, REQUEST_BYTES};

/// Most operations with one peer; beyond them the result is `Busy`.
const OPERATIONS_MAX: usize = 1024;

/// Most bytes of a part, whatever a lane could carry.
const PART_BYTES_MAX: usize = 1 << 30;

/// Operations of this process on its peers' memory.
#[derive(Default)]
pub(super) struct Origin {
    operations: Slab<Operation>,
    /// The peers with operations.
    peers: HashMap<PeerId, PeerQueue>,
    /// Number of peers that have parts to send.
    unsent: usize,
    complete: VecDeque<(Token, Result<(), Error>)>,
    /// Rounds since the peers were last checked.
    rounds: u32,
}

/// A peer with operations.
#[derive(Default)]
struct PeerQueue {
    /// Operations with parts to send, oldest first.
    queue: VecDeque<Key>,
    /// Requests without a reply.
    flying: usize,
    operations: usize,
}

struct Operation {
    peer: PeerId,
    token: Token,
    kind: OperationKind,
    handle: u64,
    offset: u64,
    /// Bytes whose requests are sent.
    sent: usize,
    /// Whether all requests are sent: an operation on no bytes has one, too.
    all_sent: bool,
    /// Requests without a reply.
    flying: usize,
    refused: Option<Error>,
}

impl Origin {
    pub(super) fn start(
        &mut self,
        out: &mut dyn Messenger,
        peer: PeerId,
        kind: OperationKind,
        (handle, offset): (u64, u64),
        token: Token,
    ) -> Result<Started, Error> {
        check(peer, &kind, offset)?;
        let peer_queue = self.peers.entry(peer).or_default();
        if peer_queue.operations >= OPERATIONS_MAX {
            return Ok(Started::Busy);
        }
        let key = self.operations.insert(Operation {
            peer,
            token,
            kind,
            handle,
            offset,
            sent: 0,
            all_sent: false,
            flying: 0,
            refused: None,
        });
        peer_queue.operations += 1;
        self.unsent += usize::from(peer_queue.queue.is_empty());
        peer_queue.queue.push_back(key);
        if let Err(error) = self.push(out, peer) {
            let untouched = |operation: &&Operation| operation.flying == 0 && operation.sent == 0;
            if self.operations.get(key).filter(untouched).is_some() {
                self.cancel(peer, key);
                return Err(error);
            }
        }
        Ok(Started::Pending)
    }

    /// Withdraws the newest operation, of which nothing was sent.
    fn cancel(&mut self, peer: PeerId, key: Key) {
        self.operations.remove(key);
        let Some(peer_queue) = self.peers.get_mut(&peer) else {
            return;
        };
        peer_queue.queue.retain(|queued| *queued != key);
        peer_queue.operations -= 1;
        self.unsent -= usize::from(peer_queue.queue.is_empty());
        if peer_queue.operations == 0 {
            self.peers.remove(&peer);
        }
    }

    pub(super) fn pump(&mut self, out: &mut dyn Messenger) {
        if self.peers.is_empty() {
            return;
        }
        self.rounds = self.rounds.wrapping_add(1);
        if self.rounds.is_multiple_of(CHECK_INTERVAL) {
            self.look_after(out);
        }
        if self.unsent == 0 {
            return;
        }
        let waiting = self
            .peers
            .iter()
            .filter(|(_, peer_queue)| !peer_queue.queue.is_empty());
        let waiting: Vec<PeerId> = waiting.map(|(peer, _)| *peer).collect();
        for peer in waiting {
            if let Err(error) = self.push(out, peer) {
                self.lost(peer, &error);
            }
        }
    }

    /// Ends the operations with peers that are not there any more.
    #[cold]
    fn look_after(&mut self, out: &mut dyn Messenger) {
        let gone = |peer: &PeerId| out.check(*peer).err().map(|error| (*peer, error));
        let gone: Vec<_> = self.peers.keys().filter_map(gone).collect();
        for (peer, error) in gone {
            self.lost(peer, &error);
        }
    }

    /// Sends a peer's requests as far as the window and the lane have room.
    fn push(&mut self, out: &mut dyn Messenger, peer: PeerId) -> Result<(), Error> {
        let part_max = out.message_bytes_max(peer).min(PART_BYTES_MAX);
        loop {
            let Some(peer_queue) = self.peers.get_mut(&peer).filter(|p| p.flying < WINDOW) else {
                return Ok(());
            };
            let Some(&key) = peer_queue.queue.front() else {
                return Ok(());
            };
            let Some(operation) = self.operations.get_mut(key) else {
                return Ok(());
            };
            if operation.refused.is_none() {
                if part_max < MESSAGE_BYTES_MIN {
                    return Err(Error::Unreachable { peer });
                }
                let (request, payload) = operation.next(key, part_max - REQUEST_BYTES);
                if out.send(peer, &request.encode(), payload)? == Flow::Busy {
                    return Ok(());
                }
                operation.sent += request.len as usize;
                operation.flying += 1;
                peer_queue.flying += 1;
                operation.all_sent = operation.sent >= operation.kind.len();
            }
            if operation.all_sent || operation.refused.is_some() {
                operation.all_sent = true;
                peer_queue.queue.pop_front();
                self.unsent -= usize::from(peer_queue.queue.is_empty());
                self.finish_if_over(key);
            }
        }
    }

    pub(super) fn answered(&mut self, from: PeerId, answer: &Answer, body: Payload<'_>) {
        let key = Key::from_bits(answer.operation);
        let operation = self.operations.get_mut(key);
        let Some(operation) = operation.filter(|o| o.peer == from && o.flying > 0) else {
            Framework::Bml.debug(format_args!("{from} answers what nobody asks any more"));
            return;
        };
        if let Err(error) = operation.take(answer, body) {
            operation.refused.get_or_insert(error);
        }
        operation.flying -= 1;
        if let Some(peer_queue) = self.peers.get_mut(&from) {
            peer_queue.flying -= 1;
        }
        self.finish_if_over(key);
    }

    /// Completes an operation that has no request in flight and none to be sent.
    fn finish_if_over(&mut self, key: Key) {
        let over = |operation: &&Operation| operation.all_sent && operation.flying == 0;
        if self.operations.get(key).filter(over).is_none() {
            return;
        }
        let Some(operation) = self.operations.remove(key) else {
            return;
        };
        let outcome = operation.refused.map_or(Ok(()), Err);
        self.complete.push_back((operation.token, outcome));
        if let Some(peer_queue) = self.peers.get_mut(&operation.peer) {
            peer_queue.operations -= 1;
            if peer_queue.operations == 0 {
                self.peers.remove(&operation.peer);
            }
        }
    }

    pub(super) fn lost(&mut self, peer: PeerId, error: &Error) {
        let Some(peer_queue) = self.peers.remove(&peer) else {
            return;
        };
        self.unsent -= usize::from(!peer_queue.queue.is_empty());
        let theirs = self.operations.iter().filter(|(_, o)| o.peer == peer);
        let theirs: Vec<Key> = theirs.map(|(key, _)| key).collect();
        for key in theirs {
            if let Some(operation) = self.operations.remove(key) {
                self.complete
                    .push_back((operation.token, Err(error.clone())));
            }
        }
    }

    pub(super) fn has_unsent(&self) -> bool {
        // With a full window the peer waits for replies, and those wake.
        let waits =
            |peer_queue: &PeerQueue| !peer_queue.queue.is_empty() && peer_queue.flying < WINDOW;
        self.unsent > 0 && self.peers.values().any(waits)
    }

    pub(super) fn is_busy(&self) -> bool {
        !self.peers.is_empty() || !self.complete.is_empty()
    }

    pub(super) fn is_flushed(&self, peer: PeerId) -> bool {
        !self.peers.contains_key(&peer)
    }

    pub(super) fn report(&mut self, sink: &mut dyn Sink) -> usize {
        let count = self.complete.len();
        for (token, outcome) in self.complete.drain(..) {
            sink.done(token, outcome);
        }
        count
    }
}

impl Operation {
    /// Returns the next request, for at most `max` bytes, and its payload.
    fn next(&self, key: Key, max: usize) -> (Request, UserBuf) {
        let len = (self.kind.len() - self.sent).min(max);
        let (what, payload) = match self.kind {
            OperationKind::Get(_) => (RequestKind::Get, UserBuf::EMPTY),
            OperationKind::Put(local) => (RequestKind::Put, local.part(self.sent, len)),
            OperationKind::Atomic(atomic, _) => (RequestKind::Atomic(atomic), UserBuf::EMPTY),
        };
        let request = Request {
            what,
            operation: key.bits(),
            handle: self.handle,
            offset: self.offset + self.sent as u64,
            at: self.sent as u64,
            whole: self.kind.len() as u64,
            len: len as u32,
        };
        (request, payload)
    }

    /// Handles a reply.
    fn take(&mut self, answer: &Answer, body: Payload<'_>) -> Result<(), Error> {
        let (peer, offset, len) = (self.peer, self.offset, self.kind.len());
        match (answer.what, self.kind) {
            (ReplyKind::Refused(Reason::Outside), _) => {
                Err(Error::OutOfRange { peer, offset, len })
            }
            (ReplyKind::Refused(Reason::Unaligned), _) => {
                let size = len;
                Err(Error::Unaligned { peer, offset, size })
            }
            (ReplyKind::Data { at }, OperationKind::Get(local)) => {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                if at > self.sent || body.len() > self.sent - at {
                    let what = format!("{} bytes at {at} that were not asked for", body.len());
                    return Err(Error::Protocol { peer, what });
                }
                body.copy_to_user(local.part(at, body.len()));
                Ok(())
            }
            (ReplyKind::Done { .. }, OperationKind::Put(_)) => Ok(()),
            (ReplyKind::Done { word }, OperationKind::Atomic(atomic, result)) => {
                if let Some(room) = result {
                    atomic.width.store(word, room);
                }
                Ok(())
            }
            (ReplyKind::Data { .. } | ReplyKind::Done { .. }, _) => {
                let what = "an answer to another question".into();
                Err(Error::Protocol { peer, what })
            }
        }
    }
}

/// Refuses an operation that is invalid whatever the target has.
fn check(peer: PeerId, kind: &OperationKind, offset: u64) -> Result<(), Error> {
    let len = kind.len();
    if offset.checked_add(len as u64).is_none() {
        return Err(Error::OutOfRange { peer, offset, len });
    }
    match kind {
        OperationKind::Atomic(_, Some(room)) if room.len() < len => {
            let limit = room.len();
            Err(Error::TooLarge { peer, len, limit })
        }
        _ => Ok(()),
    }
}
