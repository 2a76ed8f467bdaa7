//! The receive side: handles completions, and delivers received messages.
//!
//! Received data is untrusted: the header or the note must be whole, of a peer that was introduced
//! under the epoch that the header bears, and from the address that the peer has, where the
//! provider tells it. Everything else is dropped and logged. Messages of processes that have not
//! been introduced yet wait for that, as many as a peer may have in flight.

use std::os::fd::RawFd;

use base::{AmTag, PeerId};
use btl::{Error, Polled, Sink, Token};
use memory::Payload;
use ofi::{flags, Completion, Failure, Posted};

use crate::buffers::Slot;
use crate::component::{Report, Transport};
use crate::endpoint::{Peer, State};
use crate::op::Op;
use crate::pieces::HEADROOM;
use crate::wire::{Header, Kind};

/// A message that came before its sender was introduced, with its note.
pub(crate) type Kept = (Option<u64>, Box<[u8]>);

/// Processes that may send before they are introduced.
const STRANGERS_MAX: usize = 1 << 16;

impl Transport {
    /// One round, as `btl::Transport::progress` says.
    pub(crate) fn poll(&mut self, sink: &mut dyn Sink) -> usize {
        let mut reports = 0;
        if !self.closed {
            if let Some(slot) = self.spare.take() {
                self.post_receive(slot);
            }
            let mut found = false;
            for n in 0..self.contexts.len() {
                match self.contexts[n].poll(self.settings.burst) {
                    Ok(false) => {}
                    Ok(true) => {
                        found = true;
                        reports += self.take_completions(n, sink);
                    }
                    Err(error) => self.break_down(&error),
                }
            }
            if !self.early.is_empty() {
                reports += self.hear_early(sink);
            }
            reports += self.settle();
            self.found = found;
            if !found {
                self.look_on();
            }
            reports += self.help.stirred();
        }
        match self.reports.is_empty() {
            true => reports,
            false => reports + self.tell(sink),
        }
    }

    /// Polls for one transfer, as [`btl::Rma::poll_for`] says. Completions stay in libfabric's
    /// queue: a caller that waits for the transfer goes on, and the bookkeeping of its end follows
    /// at the next round.
    pub(crate) fn poll_transfer(&mut self, token: Token, polls: u32) -> Polled {
        let [context] = &mut self.contexts[..] else {
            return Polled::Other;
        };
        for _ in 0..polls {
            match context.poll(self.settings.burst) {
                Ok(false) => {}
                Ok(true) => {
                    let ended = context.sole_end().and_then(Op::of);
                    return match ended.is_some_and(|op| self.hush(op, token)) {
                        true => Polled::Ended,
                        false => Polled::Other,
                    };
                }
                // The next round reports that again.
                Err(_) => return Polled::Other,
            }
        }
        Polled::Nothing
    }

    /// Follows an empty poll: pauses where no transfer waits, otherwise asks peers for help when it
    /// is due.
    #[inline]
    fn look_on(&mut self) {
        let waits = !self.transfers.is_empty();
        // The pause helps senders; a transfer's completion is nobody's send, so it keeps polling.
        if !waits {
            self.rest.pause();
        }
        if waits && self.help.count() {
            self.ask_for_late();
        }
    }

    /// Returns the descriptor that becomes readable with the next completion, where one serves for
    /// all.
    pub(crate) fn sleepable(&self) -> Option<RawFd> {
        let [context] = &self.contexts[..] else {
            return None;
        };
        context.sleepable()
    }

    /// Handles completions that a context has read, and those behind them.
    #[inline]
    fn take_completions(&mut self, context: usize, sink: &mut dyn Sink) -> usize {
        let mut reports = 0;
        loop {
            while let Some(completion) = self.contexts[context].ended() {
                reports += self.ended(&completion, sink);
            }
            let left = self.contexts[context].left();
            if left == 0 || !self.reads_on(context, left) {
                return reports;
            }
        }
    }

    /// Whether a context has read more.
    #[cold]
    fn reads_on(&mut self, context: usize, most: usize) -> bool {
        match self.contexts[context].poll(most) {
            Ok(found) => found,
            Err(error) => {
                self.break_down(&error);
                false
            }
        }
    }

    /// Retries operations that the provider would not accept before. Returns the number of messages
    /// and pieces that it accepts now.
    #[inline]
    fn settle(&mut self) -> usize {
        let mut sent = 0;
        if !self.unposted.is_empty() {
            for slot in std::mem::take(&mut self.unposted) {
                self.post_receive(slot);
            }
        }
        if !self.stuck.is_empty() {
            sent = self.retry_messages();
        }
        if !self.debtors.is_empty() {
            self.pay_debts();
        }
        if !self.partings.is_empty() {
            self.answer_farewells();
        }
        if self.help.is_due() {
            self.ask();
        }
        if !self.waiting.is_empty() {
            self.retry_transfers();
        }
        sent
    }

    /// Hands over the gathered reports.
    fn tell(&mut self, sink: &mut dyn Sink) -> usize {
        let count = self.reports.len();
        for report in self.reports.drain(..) {
            match report {
                Report::Done(token, outcome) => sink.done(token, outcome),
                Report::Failed(peer, error) => sink.peer_failed(peer, error),
            }
        }
        count
    }

    /// Handles a broken completion queue: no completion will come any more.
    #[cold]
    fn break_down(&mut self, error: &ofi::Error) {
        log::warn!("the transport is broken: {error}");
        let how = format!("this process hears nothing more: {error}");
        let peers: Vec<_> = self.peers.iter().map(|(peer, _)| peer).collect();
        for peer in peers {
            let how = how.clone();
            self.lose(peer, Error::PeerGone { peer, how });
        }
    }

    /// Handles a completion. Returns the number of reports made at once.
    #[inline]
    fn ended(&mut self, completion: &Completion, sink: &mut dyn Sink) -> usize {
        match Op::of(completion.token) {
            Some(Op::Piece { transfer }) => self.piece_ended(transfer, &completion.outcome, sink),
            Some(Op::Receive { slot }) => self.received(slot, completion, sink),
            Some(op) => {
                self.sent(op, &completion.outcome);
                0
            }
            None => 0,
        }
    }

    /// Handles the completion of a send.
    fn sent(&mut self, op: Op, outcome: &Result<(), Box<Failure>>) {
        let peer = match op {
            Op::Send { peer, slot } => {
                self.sends.give_back(slot);
                peer
            }
            Op::Control { slot } => {
                self.sends.give_back(slot);
                if let Err(failure) = outcome {
                    // A peer that ends accepts none any more.
                    log::info!("a message about credit is lost: {}", failure.text);
                }
                return;
            }
            Op::Short { peer } => peer,
            _ => return,
        };
        if let Some(known) = self.peers.get_mut(peer) {
            known.under_way = known.under_way.saturating_sub(1);
        }
        if let Err(failure) = outcome {
            self.lose_by(peer, failure);
        }
    }

    /// Loses a peer to which a message failed, since the order of all that follow is broken.
    #[cold]
    pub(crate) fn lose_by(&mut self, peer: PeerId, failure: &Failure) {
        let how = failure.text.clone();
        self.lose(peer, Error::PeerGone { peer, how });
    }

    /// Handles a receive's completion. Its buffer is posted again when the next comes, or at the
    /// next poll: a reply to its message goes first.
    fn received(&mut self, slot: Slot, completion: &Completion, sink: &mut dyn Sink) -> usize {
        let mut reports = 0;
        match &completion.outcome {
            Ok(()) => {
                let memory = self.receives.memory(slot).from(HEADROOM);
                let len = completion.len.min(memory.len());
                // SAFETY: the slot is this transport's own and no operation's: its receive is
                // complete, and it is posted again only after the payload's last use below.
                let payload = unsafe { Payload::new(memory.address(), len) };
                let note = self.note_of(completion);
                reports = self.heard(payload, Some(slot), note, completion.source, sink);
            }
            Err(failure) if failure.is_cancelled() => {
                self.receives.give_back(slot);
                return 0;
            }
            // The failure does not name the sender.
            Err(failure) => log::info!("a message that came in is lost: {}", failure.text),
        }
        if let Some(before) = self.spare.replace(slot) {
            self.post_receive(before);
        }
        reports
    }

    /// Posts a buffer for the next message; later, where the provider is busy.
    pub(crate) fn post_receive(&mut self, slot: Slot) {
        let op = Op::Receive { slot };
        let (memory, mr) = self.receives.lent(slot);
        let memory = memory.from(HEADROOM);
        match self.contexts[0].receive(ofi::Address::ANY, memory, mr, op.token()) {
            Ok(Posted::Taken(_)) => return,
            Ok(Posted::Busy) => {}
            Err(error) => log::debug!("a receive was refused: {error}"),
        }
        self.unposted.push(slot);
    }

    /// Handles a message that came in, in a slot behind the headroom.
    pub(crate) fn heard(
        &mut self,
        message: Payload<'_>,
        slot: Option<Slot>,
        note: Option<u64>,
        source: Option<ofi::Address>,
        sink: &mut dyn Sink,
    ) -> usize {
        let Some((header, payload)) = Header::split(message, note) else {
            log::warn!("{} bytes that are no message were dropped", message.len());
            return 0;
        };
        let from = header.from;
        let window = self.posts as u32;
        let Some(peer) = self.peers.get_mut(from) else {
            return self.keep_early(from, message, note);
        };
        let source = source.filter(|_| self.trusts_sources);
        if !header.is_of_life(peer.epoch()) {
            log::warn!("a message of an earlier life of {from} was dropped");
            return 0;
        }
        if source.is_some_and(|source| source != peer.address) {
            log::warn!("a message that says it is of {from} was dropped: it is not");
            return 0;
        }
        if peer.state != State::Here {
            return 0;
        }
        peer.earn(header.credit);
        let (ahead, tag) = (header.ahead_of(peer.next_in), AmTag(header.tag));
        match header.kind {
            Kind::Credit => 0,
            Kind::Help => {
                peer.has_asked = true;
                self.help.give();
                1
            }
            Kind::Farewell => {
                peer.leaves_at = Some(header.number);
                self.part_with(from);
                0
            }
            Kind::Message if ahead == 0 => {
                let slot = slot.filter(|_| header.is_note);
                let count = self.take_in(from, (tag, header.more), payload, slot, sink);
                count + self.handed_up(from, sink)
            }
            Kind::Message if ahead <= window => {
                let number = peer.next_in.wrapping_add(ahead);
                let kept = (tag, header.more, payload.to_vec().into());
                peer.ahead.insert(number, kept);
                1
            }
            Kind::Message => {
                let what = format!("a message {ahead} after message {}", peer.next_in);
                self.lose(from, Error::Protocol { peer: from, what });
                0
            }
        }
    }

    /// Follows the delivery of a message: hands up those that came out of order and are due now.
    #[inline]
    fn handed_up(&mut self, from: PeerId, sink: &mut dyn Sink) -> usize {
        let window = self.posts as u32;
        let Some(peer) = self.peers.get_mut(from) else {
            return 0;
        };
        let mut count = 0;
        peer.next_in = peer.next_in.wrapping_add(1);
        peer.owed += 1;
        if !peer.ahead.is_empty() {
            count = self.hand_up_next(from, sink);
        }
        let Some(peer) = self.peers.get_mut(from) else {
            return count;
        };
        if peer.owed >= window.div_ceil(2) && !self.debtors.contains(&from) {
            self.debtors.push(from);
        }
        if peer.leaves_at.is_some() {
            self.part_with(from);
        }
        count
    }

    /// Hands up the messages that are due now.
    #[cold]
    fn hand_up_next(&mut self, from: PeerId, sink: &mut dyn Sink) -> usize {
        let mut count = 0;
        let next = |peer: &mut Peer| peer.ahead.remove(&peer.next_in);
        while let Some((tag, more, bytes)) = self.peers.get_mut(from).and_then(next) {
            count += self.take_in(from, (tag, more), Payload::from(&bytes[..]), None, sink);
            if let Some(peer) = self.peers.get_mut(from) {
                peer.next_in = peer.next_in.wrapping_add(1);
                peer.owed += 1;
            }
        }
        count
    }

    /// Returns the note that the sender put beside a message.
    #[inline]
    pub(crate) fn note_of(&self, completion: &Completion) -> Option<u64> {
        let has_note = self.takes_notes && completion.flags & flags::REMOTE_CQ_DATA != 0;
        has_note.then_some(completion.data)
    }

    #[cold]
    fn keep_early(&mut self, from: PeerId, message: Payload<'_>, note: Option<u64>) -> usize {
        let strangers = self.early.len();
        let known = self.early.contains_key(&from);
        if !known && strangers >= STRANGERS_MAX {
            log::warn!("a message of {from}, which was not introduced, was dropped");
            return 0;
        }
        let kept = self.early.entry(from).or_default();
        if kept.len() <= 2 * self.posts {
            kept.push((note, message.to_vec().into()));
        }
        0
    }

    /// Handles the messages of peers that have been introduced since those came.
    #[cold]
    fn hear_early(&mut self, sink: &mut dyn Sink) -> usize {
        let here = |peer: &&PeerId| self.peers.contains(**peer);
        let introduced: Vec<_> = self.early.keys().filter(here).copied().collect();
        let mut reports = 0;
        for peer in introduced {
            for (note, message) in self.early.remove(&peer).unwrap_or_default() {
                reports += self.heard(Payload::from(&message[..]), None, note, None, sink);
            }
        }
        reports
    }
}
