//! Translates libfabric's completions into the events of the `mtl` contract.

use base::{Key, PeerId};
use mca::Framework;
use mtl::{Envelope, Error, Sink, Started, Token};
use ofi::Completion;

use crate::endpoint::{failed, Claimed, Endpoint, Kind, Operation, Report, NO_MESSAGE};
use crate::wire::ReceivedData;

/// libfabric's code for a message that was longer than its receive.
const TRUNCATED: i32 = 265;

impl Endpoint {
    /// Reads completions and reports them. Returns the number of reports.
    pub(crate) fn poll(&mut self, sink: &mut dyn Sink) -> usize {
        if self.endpoint.is_none() {
            return 0;
        }
        let mut count = match self.take_completions(sink) {
            Some(count) => count,
            None => {
                let endpoint = self.endpoint.as_ref();
                self.idle.pause();
                self.idle.nap(|| endpoint?.sleepable());
                0
            }
        };
        self.send_shutdown_replies();
        // As many as there are now: a claim that the network is too busy for comes again.
        for _ in 0..self.reports.len() {
            if let Some(report) = self.reports.pop_front() {
                count += self.report(report, sink);
            }
        }
        count
    }

    /// Handles completions that libfabric has read, up to the limit of one poll; `None` where there
    /// are no completions.
    #[inline]
    fn take_completions(&mut self, sink: &mut dyn Sink) -> Option<usize> {
        let (mut count, mut left) = (None, self.events);
        while left > 0 {
            let endpoint = self.endpoint.as_mut()?;
            match endpoint.poll(left) {
                Ok(false) => break,
                Ok(true) => left = endpoint.left(),
                Err(error) => {
                    self.break_down(&error);
                    break;
                }
            }
            let reports = count.get_or_insert(0);
            while let Some(completion) = self.endpoint.as_mut().and_then(ofi::Endpoint::ended) {
                *reports += self.complete(&completion, sink);
            }
        }
        count
    }

    #[inline]
    fn complete(&mut self, completion: &Completion, sink: &mut dyn Sink) -> usize {
        let key = Key::from_bits(completion.token);
        let Some(operation) = self.operations.remove(key) else {
            return 0;
        };
        if operation.muted {
            return 0;
        }
        let token = operation.token;
        match operation.kind {
            Kind::Send { to } => {
                let result = match &completion.outcome {
                    Ok(()) => Ok(()),
                    Err(failure) => Err(failed(failure, Some(to))),
                };
                sink.sent(token, result);
            }
            Kind::Recv { from, room } => {
                if completion
                    .outcome
                    .as_ref()
                    .is_err_and(|failure| failure.is_cancelled())
                {
                    sink.cancelled(token);
                } else {
                    let result = self.received(completion, from, room);
                    sink.received(token, result);
                }
            }
            Kind::Shutdown { to } => {
                self.shutdown_message_sent(to, completion);
                return 0;
            }
            Kind::PeerShutdown { at } => {
                self.peer_shut_down(at, completion);
                return 0;
            }
            Kind::Fetch { claim } => return self.fetched(claim, completion, sink),
            Kind::Peek { .. } => return self.peeked(operation, completion, sink),
        }
        1
    }

    /// Reports a receive that completed.
    #[inline]
    fn received(
        &mut self,
        completion: &Completion,
        from: Option<PeerId>,
        room: usize,
    ) -> Result<Envelope, Error> {
        let len = match &completion.outcome {
            Ok(()) => completion.len as u64,
            // Providers disagree about the length here; some do not report how much was cut.
            Err(failure) if failure.code == TRUNCATED => room as u64 + failure.cut.max(1) as u64,
            Err(failure) => return Err(failed(failure, from)),
        };
        let envelope = self.envelope(completion, from, len);
        if let Some(from) = envelope.from {
            self.meet(from);
        }
        Ok(envelope)
    }

    /// Returns the envelope of a message of at least `len` bytes.
    #[inline]
    fn envelope(&self, completion: &Completion, from: Option<PeerId>, len: u64) -> Envelope {
        // The sender's own number takes precedence over the provider's: after a peek some leave an
        // old address in the completion.
        let data = ReceivedData::decode(completion.data, self.data_bytes);
        let source = completion
            .source
            .and_then(|of| self.peers_by_address.get(&of));
        Envelope {
            from: from.or(data.map(|data| data.from)).or(source.copied()),
            bits: completion.tag,
            note: data.and_then(|data| data.note),
            len: data
                .and_then(|data| data.len)
                .map_or(len, |data| len.max(data)),
        }
    }

    /// Reports the result of a peek.
    fn peeked(
        &mut self,
        operation: Operation,
        completion: &Completion,
        sink: &mut dyn Sink,
    ) -> usize {
        let Kind::Peek { selector, claim } = operation.kind else {
            return 0;
        };
        let token = operation.token;
        if let Err(failure) = &completion.outcome {
            if failure.code != NO_MESSAGE && !failure.is_cancelled() {
                Framework::Mtl.warn(format_args!("a peek at messages failed: {}", failure.text));
            }
            sink.peeked(token, None);
            return 1;
        }
        let found = self.envelope(completion, selector.from, completion.len as u64);
        if claim && !self.claim {
            return self.report(Report::Claim(token, found), sink);
        }
        if claim {
            self.claimed
                .insert(token.0, Claimed::InProvider(completion.op));
        }
        sink.peeked(token, Some(found));
        1
    }

    /// Handles the arrival of a message that was claimed by receiving it.
    fn fetched(&mut self, claim: u64, completion: &Completion, sink: &mut dyn Sink) -> usize {
        // One whose receive was cancelled is dropped, and its memory with it.
        let Some(Claimed::InFlight { room, wanted }) = self.claimed.remove(&claim) else {
            return 0;
        };
        let result = self.received(completion, None, room.buf().len());
        match wanted {
            Some((into, token)) => {
                into.copy_from(&room.buf());
                sink.received(token, result);
                1
            }
            None => {
                self.claimed
                    .insert(claim, Claimed::Arrived { room, result });
                0
            }
        }
    }

    fn report(&mut self, report: Report, sink: &mut dyn Sink) -> usize {
        match report {
            Report::Sent(token, result) => sink.sent(token, result),
            Report::Received(token, result) => sink.received(token, result),
            Report::Cancelled(token) => sink.cancelled(token),
            Report::Peeked(token, found) => sink.peeked(token, found),
            Report::PeerFailed(peer, error) => sink.peer_failed(peer, error),
            Report::Claim(token, found) => match self.fetch(token, &found) {
                Ok(Started::Busy) => {
                    self.reports.push_back(Report::Claim(token, found));
                    return 0;
                }
                Ok(_) => sink.peeked(token, Some(found)),
                Err(error) => {
                    Framework::Mtl.warn(format_args!("a matched probe failed: {error}"));
                    sink.peeked(token, None);
                }
            },
        }
        1
    }

    /// Handles a failed completion queue: nothing in flight will be reported by it. Reported once.
    #[cold]
    fn break_down(&mut self, error: &ofi::Error) {
        if std::mem::replace(&mut self.broken, true) {
            return;
        }
        let why = error.to_string();
        Framework::Mtl.error(format_args!("{} failed: {why}", self.provider()));
        for (_, operation) in self.operations.iter() {
            let error = Error::Resource {
                what: "completions of libfabric".into(),
                why: why.to_string(),
            };
            let token: Token = operation.token;
            self.reports.push_back(match operation.kind {
                _ if operation.muted => continue,
                Kind::Send { .. } => Report::Sent(token, Err(error)),
                Kind::Recv { .. } => Report::Received(token, Err(error)),
                Kind::Peek { .. } => Report::Peeked(token, None),
                Kind::Fetch { .. } | Kind::Shutdown { .. } | Kind::PeerShutdown { .. } => continue,
            });
        }
        for peer in (0..self.peers.len() as u32).map(PeerId) {
            let how = format!("libfabric failed: {why}");
            let gone = Error::PeerGone { peer, how };
            self.reports.push_back(Report::PeerFailed(peer, gone));
        }
    }
}
