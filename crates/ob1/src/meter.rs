//! Measures how long messages take at their receiver, for lanes that choose by it what carries the
//! next ones ([`crate::Limits::measured_min`]).
//!
//! A message could begin when it was sent, and when this process was done with the one before. What
//! lies between that and its arrival counts, but no more than what follows its arrival: a receiver
//! that computes for a while finds messages that were sent long ago. Messages that no receive waits
//! for are not measured: their time is that of the program.
//!
//! The sender says which messages are measured, by saying when it sent them
//! ([`Protocol::sent_at`]): all after a change of length or mechanism, then a sample.
//!
//! [`Protocol::sent_at`]: crate::Protocol::sent_at

use base::{Key, PeerId, Service};

/// Most measurements under way; of more the oldest are given up.
const RUNNING_MAX: usize = 256;

/// The measurements under way.
#[derive(Default)]
pub(crate) struct Meter {
    running: Vec<Running>,
    /// When the last message that was measured ended.
    last_end: u64,
}

/// A message that has begun to arrive, for a receive.
pub(crate) struct Running {
    pub(crate) request: Key,
    pub(crate) peer: PeerId,
    pub(crate) announced: bool,
    pub(crate) bytes: usize,
    /// When it was sent, as its sender says.
    pub(crate) sent: u64,
    /// When its first frame arrived.
    pub(crate) arrived: u64,
    /// Messages of the peer before it that were not measured.
    pub(crate) unmeasured: u32,
}

impl Meter {
    /// Begins to measure a message.
    pub(crate) fn begin(&mut self, mut running: Running) {
        running.sent = running.sent.max(self.last_end).min(running.arrived);
        if self.running.len() >= RUNNING_MAX {
            self.running.remove(0);
        }
        self.running.push(running);
    }

    /// Returns whether a request's message is measured.
    pub(crate) fn measures(&self, request: Key) -> bool {
        self.running.iter().any(|one| one.request == request)
    }

    /// Ends the measurement of a message that has arrived whole.
    pub(crate) fn end(&mut self, request: Key, now: u64) -> Option<(PeerId, Service)> {
        let at = self.running.iter().position(|one| one.request == request)?;
        let one = self.running.remove(at);
        let began = one.arrived.max(self.last_end).min(now);
        let after = now - began;
        let before = match began == one.arrived {
            true => one.arrived - one.sent,
            // It has waited for the one before.
            false => 0,
        };
        self.last_end = now;
        let service = Service {
            announced: one.announced,
            bytes: one.bytes,
            nanoseconds: after + before.min(after),
            unmeasured: one.unmeasured,
        };
        Some((one.peer, service))
    }

    /// Gives up what is measured of a peer that is gone.
    pub(crate) fn forget(&mut self, peer: PeerId) {
        self.running.retain(|one| one.peer != peer);
    }
}

#[cfg(test)]
mod tests;
