//! Measures how long messages take at their receiver, for lanes that choose by it what carries the
//! next ones ([`crate::Lane::measured_min`]).
//!
//! A message could begin when it was sent, and when this process was done with the one before. What
//! lies between that and its arrival counts, but no more than what follows its arrival: a receiver
//! that computes for a while finds messages that were sent long ago. Messages that no receive waits
//! for are not measured: their time is that of the program.

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
        };
        Some((one.peer, service))
    }

    /// Gives up what is measured of a peer that is gone.
    pub(crate) fn forget(&mut self, peer: PeerId) {
        self.running.retain(|one| one.peer != peer);
    }
}

#[cfg(test)]
mod tests {
    use base::Slab;

    use super::*;

    fn time(meter: &mut Meter, request: Key, now: u64) -> Option<u64> {
        meter
            .end(request, now)
            .map(|(_, service)| service.nanoseconds)
    }

    #[test]
    fn a_message_takes_from_when_it_could_begin_to_its_end() {
        let mut keys = Slab::default();
        let mut key = || keys.insert(());
        let mut meter = Meter::default();
        let begin = |meter: &mut Meter, request, sent, arrived| {
            meter.begin(Running {
                request,
                peer: PeerId(1),
                announced: true,
                bytes: 1 << 16,
                sent,
                arrived,
            });
        };
        // The way counts.
        let one = key();
        begin(&mut meter, one, 1000, 1100);
        assert!(meter.measures(one));
        assert_eq!(time(&mut meter, one, 1500), Some(500));
        assert_eq!(time(&mut meter, one, 1600), None);
        // It was sent while the one before was received.
        let two = key();
        begin(&mut meter, two, 1200, 1520);
        assert_eq!(time(&mut meter, two, 1600), Some(100));
        // It arrived with another, which came first.
        let (three, four) = (key(), key());
        begin(&mut meter, three, 1650, 1700);
        begin(&mut meter, four, 1660, 1710);
        assert_eq!(time(&mut meter, three, 1900), Some(250));
        assert_eq!(time(&mut meter, four, 2100), Some(200));
        // Its receiver was away, or its sender's clock is another.
        let (five, six) = (key(), key());
        begin(&mut meter, five, 2200, 9000);
        assert_eq!(time(&mut meter, five, 9100), Some(200));
        begin(&mut meter, six, u64::MAX, 9200);
        assert_eq!(time(&mut meter, six, 9300), Some(100));
    }

    #[test]
    fn measurements_of_a_peer_that_is_gone_are_given_up_and_their_number_is_bounded() {
        let mut keys = Slab::default();
        let mut meter = Meter::default();
        let mut begin = |meter: &mut Meter, peer| {
            let request = keys.insert(());
            meter.begin(Running {
                request,
                peer: PeerId(peer),
                announced: false,
                bytes: 1 << 16,
                sent: 0,
                arrived: 1,
            });
            request
        };
        let gone = begin(&mut meter, 1);
        let other = begin(&mut meter, 2);
        meter.forget(PeerId(1));
        assert!(!meter.measures(gone) && meter.measures(other));
        for _ in 0..RUNNING_MAX {
            begin(&mut meter, 3);
        }
        assert!(!meter.measures(other));
        assert_eq!(meter.running.len(), RUNNING_MAX);
    }
}
