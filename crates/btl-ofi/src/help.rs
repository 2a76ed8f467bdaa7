//! Requests to stay awake: keep a target polling while peers access its memory.
//!
//! Many providers execute a peer's accesses to this process's memory only while this process polls,
//! and do not report them. A process that waits for something else would fall asleep, and each
//! access of the peer would then take as long as a nap. So an origin that has polled for the
//! completion of an access for some time asks the target to stay awake, by a control message. The
//! target does so for [`HELP`]: at the last poll before a sleep, and at the one after it, it
//! reports an event, which restarts the wait. With providers that need no such help, a long access
//! costs a message now and then.

use std::time::{Duration, Instant};

use base::PeerId;

use crate::peers::PeerTable;

/// Polls for an access in flight before help is requested: tens of microseconds.
pub(crate) const POLLS_MAX: u32 = 256;
/// Time that a process asked for help stays awake.
const HELP: Duration = Duration::from_millis(100);
/// Time in which a peer is not asked again: shorter than it stays awake.
const ASKED: Duration = Duration::from_millis(50);
/// Polls that report an event: the last before a sleep, and the next, which restarts the wait.
const EXTRA_EVENTS: usize = 2;

/// Requests for help, from this process and to it.
#[derive(Default)]
pub(crate) struct HelpRequests {
    /// Polls while transfers were in flight; wraps.
    polls: u32,
    /// Time until which this process stays awake.
    awake_until: Option<Instant>,
    /// Polls that are still to report an event.
    extra_events: usize,
    /// Peers to be asked as soon as the provider accepts it: `shm` accepts no message to a peer
    /// before the put in flight there has ended. The next one has help then.
    unasked: Vec<PeerId>,
}

impl HelpRequests {
    /// Returns the count of polls, for a transfer to store as it begins.
    #[inline]
    pub(crate) fn polls(&self) -> u32 {
        self.polls
    }

    /// Counts a poll that found no transfer's end; returns whether some may have waited for long.
    #[inline]
    pub(crate) fn count_poll(&mut self) -> bool {
        self.polls = self.polls.wrapping_add(1);
        self.polls.is_multiple_of(POLLS_MAX)
    }

    /// Whether requests wait for the provider.
    #[inline]
    pub(crate) fn has_unasked(&self) -> bool {
        !self.unasked.is_empty()
    }

    /// Handles a peer's request.
    #[cold]
    pub(crate) fn requested(&mut self) {
        self.awake_until = Some(Instant::now() + HELP);
    }

    /// Keeps this process, which is about to sleep, awake while it helps.
    #[cold]
    pub(crate) fn before_sleep(&mut self) {
        self.awake_until = self.awake_until.filter(|until| Instant::now() < *until);
        self.extra_events = match self.awake_until {
            Some(_) => EXTRA_EVENTS,
            None => 0,
        };
    }

    /// Returns the events that a poll adds to its own to keep this process awake: 1, or 0.
    #[inline]
    pub(crate) fn extra_event(&mut self) -> usize {
        match self.extra_events {
            0 => 0,
            left => {
                self.extra_events = left - 1;
                1
            }
        }
    }

    /// Adds requests to these peers, except those that are gone or were asked a moment ago.
    #[cold]
    pub(crate) fn request(&mut self, peers: &mut PeerTable, targets: Vec<PeerId>) {
        let now = Instant::now();
        for peer in targets {
            let due = peers.get_mut(peer).filter(|known| {
                let asked = known
                    .help_requested
                    .is_some_and(|asked| now - asked < ASKED);
                known.is_here() && !asked
            });
            if let Some(known) = due {
                known.help_requested = Some(now);
                if !self.unasked.contains(&peer) {
                    self.unasked.push(peer);
                }
            }
        }
    }

    /// Sends the requests that wait. `ask` sends one, and returns whether the provider accepted it.
    #[cold]
    pub(crate) fn send(
        &mut self,
        peers: &mut PeerTable,
        mut ask: impl FnMut(&mut PeerTable, PeerId) -> bool,
    ) {
        for peer in std::mem::take(&mut self.unasked) {
            let here = peers.get(peer).is_some_and(|known| known.is_here());
            if here && !ask(peers, peer) {
                self.unasked.push(peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peer::tests::peer;

    #[test]
    fn a_process_asked_for_help_reports_an_event_before_it_sleeps_and_once_more() {
        let mut help = HelpRequests::default();
        help.before_sleep();
        assert_eq!(help.extra_event(), 0);
        help.requested();
        for _ in 0..2 {
            help.before_sleep();
            assert_eq!([0; 3].map(|_| help.extra_event()), [1, 1, 0]);
        }
        help.awake_until = Some(Instant::now());
        help.before_sleep();
        assert_eq!(help.extra_event(), 0, "the time is over");
    }

    #[test]
    fn a_peer_is_asked_once_in_a_while_and_until_the_provider_accepts_it() {
        let (mut help, mut peers, one) = (HelpRequests::default(), PeerTable::default(), PeerId(1));
        peers.insert(one, peer(2));
        help.request(&mut peers, vec![one, one, PeerId(7)]);
        help.send(&mut peers, |_, _| false);
        assert!(help.has_unasked());
        let mut asked = Vec::new();
        help.send(&mut peers, |_, peer| {
            asked.push(peer);
            true
        });
        assert_eq!(asked, [one]);
        help.request(&mut peers, vec![one]);
        assert!(!help.has_unasked(), "it was asked a moment ago");
    }
}
