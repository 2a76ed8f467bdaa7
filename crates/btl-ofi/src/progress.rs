//! The receive side: handles completions, and delivers received messages.
//!
//! Received data is untrusted: the header or the note must be whole, of a peer that was introduced
//! under the epoch that the header bears, and from the address that the peer has, where the
//! provider reports it. Everything else is dropped and logged. Messages of processes that have not
//! been introduced yet wait for that, as many as a peer may have in flight.

use base::{AmTag, PeerId};
use btl::{Arrival, Error, Sink};
use mca::Framework;
use memory::Payload;
use ofi::{Completion, Failure};

use crate::buffers::Slot;
use crate::component::Transport;
use crate::help::POLLS_MAX;
use crate::op::Op;
use crate::peer::{Peer, PeerState};
use crate::peers::PeerTable;
use crate::reassembly::HEADROOM;
use crate::wire::{Header, Kind};

impl Transport {
    /// Polls once, as `btl::Transport::progress` says.
    pub(crate) fn poll(&mut self, sink: &mut dyn Sink) -> usize {
        let mut events = 0;
        if !self.peers.is_closed() {
            self.receives.post_spare(&mut self.device);
            let mut found = false;
            for n in 0..self.device.context_count() {
                match self.device.context(n).poll(self.settings.burst) {
                    Ok(false) => {}
                    Ok(true) => {
                        found = true;
                        events += self.take_completions(n, sink);
                    }
                    Err(error) => self.break_down(&error),
                }
            }
            if !self.early.is_empty() {
                events += self.handle_early(sink);
            }
            if self.peers.has_lost() {
                // Nothing is retried with a peer that is gone.
                self.follow_losses();
            }
            events += self.retry_refused();
            self.found = found;
            if !found {
                self.follow_empty_poll();
            }
            events += self.help.extra_event();
        }
        if self.peers.has_lost() {
            self.follow_losses();
        }
        match self.reports.is_empty() {
            true => events,
            false => events + self.reports.deliver(sink),
        }
    }

    /// Follows an empty poll: pauses where no transfer waits, otherwise asks peers for help when it
    /// is due.
    #[inline]
    fn follow_empty_poll(&mut self) {
        let waits = !self.transfers.is_empty();
        // The pause helps senders; a transfer's completion is nobody's send, so it keeps polling.
        if !waits {
            self.idle.pause();
        }
        if waits && self.help.count_poll() {
            self.request_help(POLLS_MAX);
        }
    }

    /// Handles completions that a context has read, and those behind them.
    #[inline]
    fn take_completions(&mut self, context: usize, sink: &mut dyn Sink) -> usize {
        let mut events = 0;
        loop {
            while let Some(completion) = self.device.context(context).ended() {
                events += self.ended(&completion, sink);
            }
            let left = self.device.context(context).left();
            if left == 0 || !self.reads_on(context, left) {
                return events;
            }
        }
    }

    /// Whether a context has read more.
    #[cold]
    fn reads_on(&mut self, context: usize, most: usize) -> bool {
        match self.device.context(context).poll(most) {
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
    fn retry_refused(&mut self) -> usize {
        let mut sent = 0;
        self.receives.retry(&mut self.device);
        if self.sends.has_pending() {
            sent = self.sends.retry(&mut self.device, &mut self.peers);
            self.sends.pay(&mut self.device, &mut self.peers);
        }
        if !self.leavers.is_empty() {
            self.reply_to_leavers();
        }
        if self.help.has_unasked() {
            self.send_help_requests();
        }
        if self.transfers.has_unposted() {
            let (device, peers) = (&mut self.device, &mut self.peers);
            self.transfers.retry(device, peers, &mut self.reports);
        }
        sent
    }

    /// Requests help with the transfers that have waited for `polls` polls.
    #[cold]
    pub(crate) fn request_help(&mut self, polls: u32) {
        // Without messages there is nothing to ask with.
        if self.caps.max_send_size == 0 {
            return;
        }
        let late = self.transfers.late(self.help.polls(), polls);
        self.help.request(&mut self.peers, late);
        self.send_help_requests();
    }

    #[cold]
    fn send_help_requests(&mut self) {
        let (sends, device) = (&mut self.sends, &mut self.device);
        self.help.send(&mut self.peers, |peers, peer| {
            sends.send_control(device, peers, peer, Kind::Help)
        });
    }

    /// Handles a broken completion queue: no completion will come any more.
    #[cold]
    fn break_down(&mut self, error: &ofi::Error) {
        Framework::Btl.warn(format_args!("the transport is broken: {error}"));
        let how = format!("this process receives nothing more: {error}");
        let peers: Vec<_> = self.peers.iter().map(|(peer, _)| peer).collect();
        for peer in peers {
            let how = how.clone();
            self.peers.lose(peer, Error::PeerGone { peer, how });
        }
    }

    /// Handles a completion. Returns the number of events.
    #[inline]
    fn ended(&mut self, completion: &Completion, sink: &mut dyn Sink) -> usize {
        match Op::of(completion.token) {
            Some(Op::Piece { transfer }) => {
                let (device, peers) = (&mut self.device, &mut self.peers);
                let piece = (transfer, &completion.outcome);
                self.transfers
                    .piece_ended(device, peers, &mut self.reports, piece, sink)
            }
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
                self.sends.free(slot);
                peer
            }
            Op::Control { slot } => {
                self.sends.free(slot);
                if let Err(failure) = outcome {
                    // A peer that ends accepts none any more.
                    Framework::Btl.info(format_args!(
                        "a message about credit is lost: {}",
                        failure.text
                    ));
                }
                return;
            }
            Op::Short { peer } => peer,
            _ => return,
        };
        if let Some(known) = self.peers.get_mut(peer) {
            known.count_completed();
        }
        if let Err(failure) = outcome {
            // The order of all that follow is broken.
            let how = failure.text.clone();
            self.peers.lose(peer, Error::PeerGone { peer, how });
        }
    }

    /// Handles a receive's completion.
    fn received(&mut self, slot: Slot, completion: &Completion, sink: &mut dyn Sink) -> usize {
        let mut events = 0;
        match &completion.outcome {
            Ok(()) => {
                let memory = self.receives.memory(slot).from(HEADROOM);
                let len = completion.len.min(memory.len());
                // SAFETY: the slot is this transport's own and no operation's: its receive is
                // complete, and it is posted again only after the payload's last use below.
                let payload = unsafe { Payload::new(memory.address(), len) };
                let note = self.receives.note_of(completion);
                events = self.handle_message(payload, Some(slot), note, completion.source, sink);
            }
            Err(failure) if failure.is_cancelled() => {
                self.receives.free(slot);
                return 0;
            }
            // The failure does not name the sender.
            Err(failure) => Framework::Btl.info(format_args!(
                "a message that came in is lost: {}",
                failure.text
            )),
        }
        self.receives.give_back(&mut self.device, slot);
        events
    }

    /// Handles a message that came in, in a slot behind the headroom.
    pub(crate) fn handle_message(
        &mut self,
        message: Payload<'_>,
        slot: Option<Slot>,
        note: Option<u64>,
        source: Option<ofi::Address>,
        sink: &mut dyn Sink,
    ) -> usize {
        let Some((header, payload)) = Header::split(message, note) else {
            Framework::Btl.warn(format_args!(
                "{} bytes that are no message were dropped",
                message.len()
            ));
            return 0;
        };
        let from = header.from;
        let Some(peer) = self.peers.get_mut(from) else {
            self.early.store(from, message, note);
            return 0;
        };
        if !header.is_of_life(peer.epoch()) {
            Framework::Btl.warn(format_args!(
                "a message of an earlier life of {from} was dropped"
            ));
            return 0;
        }
        let source = self.receives.trusted_source(source);
        if source.is_some_and(|source| source != peer.address) {
            Framework::Btl.warn(format_args!(
                "a message that says it is of {from} was dropped: it is not"
            ));
            return 0;
        }
        if peer.state != PeerState::Here {
            return 0;
        }
        peer.earn(header.credit);
        let (ahead, tag) = (peer.incoming.missing_before(&header), AmTag(header.tag));
        match header.kind {
            Kind::Credit => 0,
            Kind::Help => {
                peer.has_requested_help = true;
                self.help.requested();
                1
            }
            Kind::Shutdown => {
                peer.incoming.end_at(header.number);
                self.let_go(from);
                0
            }
            Kind::Message if ahead == 0 => {
                let slot = slot.filter(|_| header.is_note);
                let count = self.take_in(from, (tag, header.more), payload, slot, sink);
                count + self.handed_up(from, sink)
            }
            Kind::Message if ahead <= self.receives.window() => {
                let bytes = payload.to_vec().into();
                peer.incoming.store(ahead, tag, header.more, bytes);
                1
            }
            Kind::Message => {
                let next = peer.incoming.next();
                let what = format!("a message {ahead} after message {next}");
                self.peers.lose(from, Error::Protocol { peer: from, what });
                0
            }
        }
    }

    /// Handles a message, or a piece of one, that is due. `slot` is where it arrived, behind the
    /// headroom. Returns the number of events: a piece with more to follow is one, since its sender
    /// goes on and whoever waits for the message should poll again soon.
    #[inline]
    fn take_in(
        &mut self,
        from: PeerId,
        (tag, more): (AmTag, bool),
        payload: Payload<'_>,
        slot: Option<Slot>,
        sink: &mut dyn Sink,
    ) -> usize {
        let whole = |known: &Peer| known.incoming.pieces.is_idle();
        if !more && self.peers.get(from).is_some_and(whole) {
            sink.deliver(Arrival { from, tag, payload });
            return 1;
        }
        self.join(from, (tag, more), payload, slot, sink)
    }

    fn join(
        &mut self,
        from: PeerId,
        (tag, more): (AmTag, bool),
        payload: Payload<'_>,
        slot: Option<Slot>,
        sink: &mut dyn Sink,
    ) -> usize {
        let limit = self.caps.max_send_size;
        let Some(known) = self.peers.get_mut(from) else {
            return 0;
        };
        let room = slot.map(|slot| self.receives.memory(slot));
        let deliver = |payload: Payload<'_>| sink.deliver(Arrival { from, tag, payload });
        let pieces = &mut known.incoming.pieces;
        match pieces.add(payload, more, room, limit, deliver) {
            Ok(()) => 1,
            Err(len) => {
                // Nothing of it that came out of order is handed up, either.
                known.incoming.clear();
                let what = format!("a message in pieces of {len} bytes, {limit} is the most");
                self.peers.lose(from, Error::Protocol { peer: from, what });
                0
            }
        }
    }

    /// Follows the delivery of a message: hands up those that came out of order and are due now.
    #[inline]
    fn handed_up(&mut self, from: PeerId, sink: &mut dyn Sink) -> usize {
        let Some(peer) = self.peers.get_mut(from) else {
            return 0;
        };
        let mut events = 0;
        peer.incoming.count();
        if peer.incoming.has_stored() {
            events = self.hand_up_next(from, sink);
        }
        let Some(peer) = self.peers.get_mut(from) else {
            return events;
        };
        let (owed, ends) = (peer.incoming.owed(), peer.incoming.has_end());
        if owed >= self.receives.window().div_ceil(2) {
            self.sends.owe(from);
        }
        if ends {
            self.let_go(from);
        }
        events
    }

    /// Hands up the messages that are due now.
    #[cold]
    fn hand_up_next(&mut self, from: PeerId, sink: &mut dyn Sink) -> usize {
        let mut events = 0;
        let next = |peers: &mut PeerTable| peers.get_mut(from)?.incoming.take_due();
        while let Some((tag, more, bytes)) = next(&mut self.peers) {
            events += self.take_in(from, (tag, more), Payload::from(&bytes[..]), None, sink);
            if let Some(peer) = self.peers.get_mut(from) {
                peer.incoming.count();
            }
        }
        events
    }

    /// Handles the messages of peers that have been introduced since those came.
    #[cold]
    fn handle_early(&mut self, sink: &mut dyn Sink) -> usize {
        let mut events = 0;
        let peers = &self.peers;
        for (note, message) in self.early.take(|from| peers.contains(from)) {
            events += self.handle_message(Payload::from(&message[..]), None, note, None, sink);
        }
        events
    }
}
