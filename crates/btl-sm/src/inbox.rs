//! The receive side: delivers all messages that arrive in this process's own segment.

use std::sync::atomic::Ordering;

use base::wire::read_u32;
use base::{AmTag, PeerId};
use btl::{Alias, Arrival, Error, Sink};
use mca::Framework;
use memory::Payload;
use sync::{fifo, ring};

use crate::blocks::{self, Blocks};
use crate::params::MAX_SEND_BYTES;
use crate::segment::{Claims, RingLines, View, CELL_HEAD_BYTES, CELL_PAYLOAD_BYTES};
use crate::segment::{RING_DEAD, RING_LEFT, RING_NONE, RING_READY};

/// Most records taken from one ring before the next one has its turn.
const BURST_MAX: usize = 32;

/// Bytes of a record from which on it counts as long: a copy of it costs more than another poll.
const LONG_BYTES: usize = 2048;

/// Polls that skip a ring whose stream of records was just taken up to its end. A reader right
/// behind the writer takes away every line that the writer is about to fill, and both wait for that
/// line to travel: a record then takes twice as long.
const REST_POLLS: u32 = 48;

/// Records that must have arrived meanwhile for the stream to count as going on.
const STREAM_MIN: usize = 8;

/// Empty polls of a ring after which it counts as silent.
const SILENT_AFTER: u32 = 256;

/// Silent rings visited per poll: the cost of a poll does not grow with the number of peers, and
/// the first message of one that was silent waits a few polls at most.
const SILENT_PER_POLL: usize = 8;

/// Polls between two visits of a queue that no peer should use any more.
const QUEUE_POLL_INTERVAL: u32 = 256;

/// Removed peers that are remembered as gone.
const GONE_MAX: usize = 1024;

/// The receive side of this process's own segment.
pub(crate) struct Inbox {
    queue: fifo::Reader<View>,
    /// Rings of peers; those that are not silent come first.
    rings: Vec<Inlet>,
    /// Number of rings that are not silent.
    lively: usize,
    /// The silent ring that was visited last, counted from the first silent one.
    turn: usize,
    /// Whether every poll visits all rings, as before a sleep.
    thorough: bool,
    /// Rows of the ring table adopted so far, up to the first that is claimed and not ready.
    rows_seen: u32,
    /// Rows behind that one whose rings were adopted.
    rows_ahead: Vec<u32>,
    /// Rows of peers that were removed and may still write.
    rows_leaving: Vec<u32>,
    /// Rows that were freed, and may be claimed again.
    rows_freed: Vec<u32>,
    /// The counts of claims up to which all rings were adopted.
    claims_seen: Claims,
    /// State of each sender; `None` for processes that were not introduced.
    senders: Vec<Option<Sender>>,
    /// Processes that are gone: what they have claimed they will never fill. The last ones of
    /// those that were removed.
    gone: Vec<Alias>,
    /// Number of other processes that were introduced.
    others: usize,
    /// Rings whose peers have messages in the queue that come first.
    held_back: usize,
    polls: u32,
}

/// The blocks of each peer, which hold the messages that its ring only announces.
pub(crate) trait PeerBlocks {
    /// Returns what this process shares with a peer whose ring has this row; `None` for one that is
    /// not attached.
    fn blocks_of(&mut self, peer: PeerId, row: u32) -> Option<&mut Option<Box<Blocks>>>;
}

/// A ring that a peer claimed.
struct Inlet {
    from: PeerId,
    /// The ring's row.
    row: u32,
    reader: ring::Reader<RingLines>,
    /// Messages of the peer that must have arrived through the queue before.
    after: u64,
    /// Records to take at once. It grows while they keep coming; a lone record is delivered without
    /// reading the line behind it, which would take that line from the writer.
    burst: usize,
    /// Empty polls since the last record.
    in_vain: u32,
    /// Polls that skip the ring from now on.
    rest: u32,
    /// Whether the ring was skipped before this visit.
    rested: bool,
    /// The blocks of a dead peer, whose last messages are still unread.
    inherited: Option<Box<Blocks>>,
}

impl Inlet {
    /// Adapts burst and pause to the `taken` records of a visit.
    #[inline]
    fn pace(&mut self, taken: usize) {
        let burst = self.burst;
        if taken == burst {
            self.burst = (burst * 2).min(BURST_MAX);
        } else if taken == 0 || (self.rested && taken < STREAM_MIN) {
            self.burst = 1;
        } else if burst == BURST_MAX {
            self.rest = REST_POLLS;
        }
        self.rested = self.rest != 0;
    }

    /// Takes the message in a block that a record hands over.
    fn take_block(
        &mut self,
        record: ring::Record,
        peers: &mut impl PeerBlocks,
        sink: &mut dyn Sink,
    ) -> Result<(), blocks::Wrong> {
        let shared = peers.blocks_of(self.from, self.row);
        let blocks = shared.unwrap_or(&mut self.inherited);
        let blocks = blocks.as_mut().ok_or(blocks::Wrong)?;
        // SAFETY: the record's bytes lie in the ring and stay until `release`.
        let note = unsafe { Payload::new(record.payload, record.len) };
        let (payload, name) = blocks.record(note)?;
        self.reader.release(record);
        sink.deliver(Arrival {
            from: self.from,
            tag: AmTag(record.mark as u8),
            payload,
        });
        blocks.keep(name);
        Ok(())
    }
}

/// Progress of one sender through the queue.
#[derive(Default)]
struct Sender {
    /// The generation of its number: which of the processes that have had it this is.
    generation: u8,
    messages: u64,
    /// The beginning of a message that comes in several cells.
    partial: Vec<u8>,
}

impl Inbox {
    pub(crate) fn new(queue: fifo::Reader<View>) -> Inbox {
        Inbox {
            queue,
            rings: Vec::new(),
            lively: 0,
            turn: 0,
            thorough: false,
            rows_seen: 0,
            rows_ahead: Vec::new(),
            rows_leaving: Vec::new(),
            rows_freed: Vec::new(),
            claims_seen: Claims::default(),
            senders: Vec::new(),
            gone: Vec::new(),
            others: 0,
            held_back: 0,
            polls: 0,
        }
    }

    /// Expects messages of a peer, by its alias here. `other`: it is not this process itself.
    pub(crate) fn admit(&mut self, alias: Alias, other: bool) {
        let peer = alias.peer();
        if self.senders.len() <= peer.index() {
            self.senders.resize_with(peer.index() + 1, || None);
        }
        let sender = &mut self.senders[peer.index()];
        self.others += usize::from(other && sender.is_none());
        sender.get_or_insert_default().generation = alias.generation();
        self.gone.retain(|gone| *gone != alias);
    }

    /// Frees the rings of earlier lives of a rank, which write nothing any more: whether they were
    /// adopted, or claimed by a life that was killed before this process has seen them, or before
    /// it could make them ready.
    pub(crate) fn bury_before(&mut self, own: &View, alias: Alias) {
        let is_earlier = |peer: Alias| peer.peer() == alias.peer() && peer != alias;
        let all = 0..own.layout.rings;
        for row in all.filter(|row| own.ring_peer(*row).is_some_and(is_earlier)) {
            let state = own.ring_state(row);
            // adopted: see `Outlet::claim`.
            match state.load(Ordering::Acquire) {
                RING_READY => state.store(RING_LEFT, Ordering::Release),
                RING_NONE => own.free_ring(row),
                _ => {}
            }
        }
        self.free_rows(own);
    }

    /// A process is gone: what is behind the cell that it may have claimed waits no longer.
    pub(crate) fn pass_over(&mut self, peer: PeerId) {
        let sender = self.senders.get(peer.index()).and_then(Option::as_ref);
        let alias = sender.map(|sender| Alias::new(peer, sender.generation));
        if let Some(alias) = alias.filter(|alias| !self.gone.contains(alias)) {
            if self.gone.len() == GONE_MAX {
                self.gone.remove(0);
            }
            self.gone.push(alias);
        }
    }

    /// Expects nothing more of a peer; it may be introduced again, as another instance that
    /// counts from 0. What is left of it in the queue is dropped, unless it is introduced before.
    /// The peer's ring is freed as soon as the peer writes nothing any more.
    pub(crate) fn dismiss(&mut self, own: &View, peer: PeerId, other: bool) {
        self.pass_over(peer);
        let Some(sender) = self.senders.get_mut(peer.index()) else {
            return;
        };
        self.others -= usize::from(other && sender.is_some());
        *sender = None;
        let (held_back, leaving) = (&mut self.held_back, &mut self.rows_leaving);
        self.rings.retain(|inlet| {
            let stays = inlet.from != peer;
            *held_back -= usize::from(!stays && inlet.after != 0);
            if !stays {
                leaving.push(inlet.row);
            }
            stays
        });
        self.free_rows(own);
        // The order is another one now; those that are not silent will be found again.
        self.lively = 0;
    }

    /// Frees the rings of removed peers that have left them.
    fn free_rows(&mut self, own: &View) {
        let freed = &mut self.rows_freed;
        self.rows_leaving.retain(|row| {
            // left: see `Outlet::leave`.
            let left = own.ring_state(*row).load(Ordering::Acquire) == RING_LEFT;
            if left {
                own.free_ring(*row);
                freed.push(*row);
            }
            !left
        });
    }

    /// Whether a record of a peer lies in its ring.
    pub(crate) fn has_record(&mut self, peer: PeerId) -> bool {
        let mut rings = self.rings.iter_mut();
        let inlet = rings.find(|inlet| inlet.from == peer);
        inlet.is_some_and(|inlet| inlet.reader.peek() != Ok(None))
    }

    /// Returns how many records of a peer have arrived, if its ring is among the first ones.
    pub(crate) fn received_from(&self, peer: PeerId) -> Option<u32> {
        let mut first = self.rings.iter().take(SILENT_PER_POLL);
        let inlet = first.find(|inlet| inlet.from == peer)?;
        Some(inlet.reader.records())
    }

    /// The row of a peer's ring in the own segment.
    pub(crate) fn row_of(&self, peer: PeerId) -> Option<u32> {
        let inlet = self.rings.iter().find(|inlet| inlet.from == peer)?;
        Some(inlet.row)
    }

    /// Keeps the blocks that a dead peer's last messages lie in.
    pub(crate) fn inherit(&mut self, own: &View, peer: PeerId, blocks: Option<Box<Blocks>>) {
        if let Some(inlet) = self.rings.iter_mut().find(|inlet| inlet.from == peer) {
            inlet.inherited = blocks;
            own.ring_state(inlet.row)
                .store(RING_LEFT, Ordering::Release);
        }
    }

    /// Whether a peer was introduced by this alias, so that its messages are delivered.
    pub(crate) fn expects(&self, alias: Alias) -> bool {
        let sender = self.senders.get(alias.peer().index());
        let sender = sender.and_then(Option::as_ref);
        sender.is_some_and(|sender| sender.generation == alias.generation())
    }

    /// Sets whether every poll visits all rings, as before a sleep, or some of the silent ones.
    pub(crate) fn be_thorough(&mut self, thorough: bool) {
        self.thorough = thorough;
    }

    /// Whether any peer may send here.
    pub(crate) fn expects_any(&self) -> bool {
        !self.senders.is_empty()
    }

    #[inline]
    pub(crate) fn progress(
        &mut self,
        own: &View,
        peers: &mut impl PeerBlocks,
        sink: &mut dyn Sink,
    ) -> usize {
        if own.claims().load(Ordering::Relaxed) != self.claims_seen.0 {
            self.adopt_rings(own);
        }
        let mut reports = 0;
        self.polls = self.polls.wrapping_add(1);
        if self.queue_matters() {
            reports += self.drain_queue(sink);
        }
        let mut at = 0;
        while at < self.lively {
            reports += self.drain_ring(at, peers, sink);
            let inlet = self.rings.get(at);
            if inlet.is_some_and(|inlet| inlet.in_vain > SILENT_AFTER) && at < self.lively {
                // The last lively ring takes its slot, and this poll has not visited that one yet.
                self.lively -= 1;
                self.rings.swap(at, self.lively);
            } else {
                at += 1;
            }
        }
        if self.lively < self.rings.len() {
            reports += self.visit_silent(peers, sink);
        }
        reports
    }

    /// Visits some of the silent rings, or all of them.
    #[cold]
    fn visit_silent(&mut self, peers: &mut impl PeerBlocks, sink: &mut dyn Sink) -> usize {
        let mut reports = 0;
        let silent = self.rings.len() - self.lively;
        let (mut turn, visits) = match self.thorough {
            true => (0, silent),
            false => (self.turn, silent.min(SILENT_PER_POLL)),
        };
        for _ in 0..visits {
            // There are fewer where one has woken, or was closed.
            let at = match self.lively + turn {
                at if at < self.rings.len() => at,
                _ => self.lively,
            };
            if at >= self.rings.len() {
                break;
            }
            turn = at - self.lively + 1;
            let rings = self.rings.len();
            let taken = self.drain_ring(at, peers, sink);
            reports += taken;
            if taken > 0 && self.rings.len() == rings {
                // The first silent ring takes the slot of the one that has woken.
                self.rings.swap(self.lively, at);
                self.lively += 1;
                turn -= 1;
            }
        }
        self.turn = turn;
        reports
    }

    /// Whether anything can be in the queue: a peer with a ring puts nothing there any more.
    #[inline]
    fn queue_matters(&self) -> bool {
        self.rings.len() < self.others
            || self.held_back != 0
            || self.polls.is_multiple_of(QUEUE_POLL_INTERVAL)
    }

    #[cold]
    fn adopt_rings(&mut self, own: &View) {
        // claimed again: see `Outlet::claim`.
        let claims = Claims(own.claims().load(Ordering::Acquire));
        let claimed = claims.rings().min(own.layout.rings);
        self.free_rows(own);
        let freed = std::mem::take(&mut self.rows_freed);
        for row in freed {
            if !self.adopt_ring(own, row) {
                self.rows_freed.push(row);
            }
        }
        let mut waits = false;
        for row in self.rows_seen..claimed {
            let ahead = self.rows_ahead.contains(&row);
            if !ahead && !self.adopt_ring(own, row) {
                // Claimed, but not ready yet, or never, should the peer have died.
                waits = true;
            } else if !waits {
                self.rows_seen = row + 1;
            } else if !ahead {
                self.rows_ahead.push(row);
            }
        }
        let seen = self.rows_seen;
        self.rows_ahead.retain(|row| *row >= seen);
        self.claims_seen = claims.with_rings(seen);
    }

    /// Adopts a ring. False when it is not ready, or its writer was not introduced: the layers
    /// above do not know that process, so its messages wait in the ring until it is.
    fn adopt_ring(&mut self, own: &View, row: u32) -> bool {
        // adopted: see `Outlet::claim`.
        match own.ring_state(row).load(Ordering::Acquire) {
            state @ (RING_READY | RING_LEFT) => {
                let alias = own.ring_peer(row);
                let Some(alias) = alias.filter(|alias| self.expects(*alias)) else {
                    // One that has left was removed before its ring was adopted.
                    if state == RING_LEFT {
                        self.rows_leaving.push(row);
                    }
                    return state == RING_LEFT;
                };
                let from = alias.peer();
                let after = own.ring_queued_before(row).load(Ordering::Relaxed);
                self.held_back += usize::from(after != 0);
                self.rings.push(Inlet {
                    from,
                    row,
                    reader: ring::Reader::new(own.ring(row)),
                    after,
                    burst: 1,
                    in_vain: 0,
                    rest: 0,
                    rested: false,
                    inherited: None,
                });
                let last = self.rings.len() - 1;
                self.rings.swap(self.lively, last);
                self.lively += 1;
                true
            }
            RING_DEAD => true,
            _ => false,
        }
    }

    #[inline]
    fn drain_ring(&mut self, at: usize, peers: &mut impl PeerBlocks, sink: &mut dyn Sink) -> usize {
        let inlet = &mut self.rings[at];
        if inlet.rest != 0 && !self.thorough {
            inlet.rest -= 1;
            // Records may lie in it: a caller that polls until nothing moves is not done.
            return 1;
        }
        let from = inlet.from;
        if inlet.after != 0 {
            let sender = self.senders.get(from.index()).and_then(Option::as_ref);
            if sender.is_none_or(|sender| sender.messages < inlet.after) {
                return 0;
            }
            inlet.after = 0;
            self.held_back -= 1;
        }
        let mut taken = 0;
        let burst = inlet.burst;
        while taken < burst {
            match inlet.reader.peek() {
                Ok(None) => break,
                Ok(Some(record)) if record.mark >= blocks::LENT => {
                    match inlet.take_block(record, peers, sink) {
                        Ok(()) => taken += 1,
                        Err(blocks::Wrong) => return self.close_ring(at, sink) + taken,
                    }
                    if !sink.wants_more() {
                        inlet.in_vain = 0;
                        return taken;
                    }
                }
                Ok(Some(record)) => {
                    // SAFETY: the record's bytes lie in the ring and stay until `release`.
                    let payload = unsafe { Payload::new(record.payload, record.len) };
                    let tag = AmTag(record.mark as u8);
                    sink.deliver(Arrival { from, tag, payload });
                    inlet.reader.release(record);
                    taken += 1;
                    let may_be_enough = record.len >= LONG_BYTES || !tag.is_two_sided();
                    if may_be_enough && !sink.wants_more() {
                        inlet.in_vain = 0;
                        return taken;
                    }
                }
                Err(ring::Corrupt) => return self.close_ring(at, sink) + taken,
            }
        }
        inlet.in_vain = match taken {
            0 => inlet.in_vain.saturating_add(1),
            _ => 0,
        };
        inlet.pace(taken);
        taken
    }

    #[cold]
    fn close_ring(&mut self, at: usize, sink: &mut dyn Sink) -> usize {
        let inlet = self.rings.remove(at);
        self.lively -= usize::from(at < self.lively);
        self.held_back -= usize::from(inlet.after != 0);
        let peer = inlet.from;
        sink.peer_failed(
            peer,
            Error::Protocol {
                peer,
                what: "a malformed record".into(),
            },
        );
        1
    }

    #[inline]
    fn drain_queue(&mut self, sink: &mut dyn Sink) -> usize {
        let mut reports = 0;
        loop {
            while let Some(cell) = self.queue.peek() {
                reports += self.take_cell(cell, sink);
                self.queue.release();
            }
            if self.gone.is_empty() || !self.skip_claimed() {
                return reports;
            }
        }
    }

    #[cold]
    fn skip_claimed(&mut self) -> bool {
        let gone = &self.gone;
        self.queue
            .skip(|name| gone.contains(&Alias::from_bits(name)))
    }

    #[cold]
    fn take_cell(&mut self, cell: *const u8, sink: &mut dyn Sink) -> usize {
        // SAFETY: the cell lies in the segment and is ours until it is released.
        let cell = unsafe { Payload::new(cell, CELL_HEAD_BYTES + CELL_PAYLOAD_BYTES) };
        let Some(head) = cell.head::<CELL_HEAD_BYTES>() else {
            return 0;
        };
        let alias = Alias::from_bits(read_u32(&head, 8).unwrap_or(u32::MAX));
        let from = alias.peer();
        let len = usize::from(u16::from_le_bytes([head[12], head[13]]));
        let (tag, more) = (AmTag(head[14]), head[15] != 0);
        let sender = self.senders.get_mut(from.index()).and_then(Option::as_mut);
        let sender = sender.filter(|sender| sender.generation == alias.generation());
        let Some(sender) = sender else {
            Framework::Btl.warn(format_args!(
                "message of {alias}, who is not introduced, dropped"
            ));
            return 0;
        };
        if len > CELL_PAYLOAD_BYTES {
            let what = format!("a queue cell of {len} bytes");
            sink.peer_failed(from, Error::Protocol { peer: from, what });
            return 1;
        }
        let payload = cell.part(CELL_HEAD_BYTES, len);
        if more || !sender.partial.is_empty() {
            let whole = sender.partial.len() + len;
            if whole > MAX_SEND_BYTES {
                sender.partial = Vec::new();
                let what = format!("a message of {whole} bytes in cells, {MAX_SEND_BYTES} allowed");
                sink.peer_failed(from, Error::Protocol { peer: from, what });
                return 1;
            }
            payload.append_to(&mut sender.partial);
            if more {
                // Nothing to deliver yet, but the sender goes on: a waiting caller polls again
                // soon.
                return 1;
            }
        }
        sender.messages += 1;
        if sender.partial.is_empty() {
            sink.deliver(Arrival { from, tag, payload });
        } else {
            let whole = std::mem::take(&mut sender.partial);
            sink.deliver(Arrival {
                from,
                tag,
                payload: Payload::from(&whole[..]),
            });
        }
        1
    }
}

#[cfg(test)]
mod tests;
