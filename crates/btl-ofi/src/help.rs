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

use crate::component::Transport;
use crate::endpoint::State;
use crate::wire::Kind;

/// Polls for an access in flight before help is asked for: tens of microseconds.
const LOOKS_MAX: u32 = 256;
/// Time that a process asked for help stays awake.
const HELP: Duration = Duration::from_millis(100);
/// Time in which a peer is not asked again: shorter than it stays awake.
const ASKED: Duration = Duration::from_millis(50);
/// Polls that report an event: the last before a sleep, and the next, which restarts the wait.
const STIRS: usize = 2;

/// Requests for help, from this process and to it.
#[derive(Default)]
pub(crate) struct Help {
    /// Polls while transfers were in flight; wraps.
    looks: u32,
    /// Time until which this process stays awake.
    until: Option<Instant>,
    stirs: usize,
    /// Peers to be asked as soon as the provider accepts it: `shm` accepts no message to a peer
    /// before the put in flight there has ended. The next one has help then.
    unasked: Vec<PeerId>,
}

impl Help {
    /// Returns the count of polls, for a transfer to store as it begins.
    #[inline]
    pub(crate) fn looks(&self) -> u32 {
        self.looks
    }

    /// Counts a poll that found no transfer's end; whether some may have waited for long.
    #[inline]
    pub(crate) fn count(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        self.looks.is_multiple_of(LOOKS_MAX)
    }

    /// Whether requests for help wait for the provider.
    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        !self.unasked.is_empty()
    }

    /// Handles a peer's request for help.
    #[cold]
    pub(crate) fn give(&mut self) {
        self.until = Some(Instant::now() + HELP);
    }

    /// Keeps this process, which is about to sleep, awake while it helps.
    #[cold]
    pub(crate) fn stir(&mut self) {
        self.until = self.until.filter(|until| Instant::now() < *until);
        self.stirs = match self.until {
            Some(_) => STIRS,
            None => 0,
        };
    }

    /// Returns what a poll adds to its reports to keep this process awake for a peer: 1, or 0.
    #[inline]
    pub(crate) fn stirred(&mut self) -> usize {
        match self.stirs {
            0 => 0,
            stirs => {
                self.stirs = stirs - 1;
                1
            }
        }
    }
}

impl Transport {
    /// Asks for help with the transfers that have waited for `looks` polls.
    #[cold]
    pub(crate) fn ask_for_help(&mut self, looks: u32) {
        // Without messages there is nothing to ask with.
        if self.caps.max_send_size == 0 {
            return;
        }
        let now = self.help.looks;
        let late = self.transfers.iter().filter_map(|(_, transfer)| {
            let waited = now.wrapping_sub(transfer.since);
            (waited >= looks).then_some(transfer.peer)
        });
        let late: Vec<PeerId> = late.collect();
        let moment = Instant::now();
        for peer in late {
            let due = self.peers.get_mut(peer).filter(|known| {
                let asked = known.asked.is_some_and(|asked| moment - asked < ASKED);
                known.state == State::Here && !asked
            });
            if let Some(known) = due {
                known.asked = Some(moment);
                if !self.help.unasked.contains(&peer) {
                    self.help.unasked.push(peer);
                }
            }
        }
        self.ask();
    }

    /// Sends the pending requests for help, as far as the provider accepts them.
    #[cold]
    pub(crate) fn ask(&mut self) {
        for peer in std::mem::take(&mut self.help.unasked) {
            let known = self.peers.get(peer);
            let here = known.is_some_and(|known| known.state == State::Here);
            if here && !self.send_control(peer, Kind::Help) {
                self.help.unasked.push(peer);
            }
        }
    }

    /// Asks for help with transfers that have waited for long.
    #[cold]
    pub(crate) fn ask_for_late(&mut self) {
        self.ask_for_help(LOOKS_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_asked_stirs_before_it_sleeps_and_once_more() {
        let mut help = Help::default();
        help.stir();
        assert_eq!(help.stirred(), 0);
        help.give();
        for _ in 0..2 {
            help.stir();
            assert_eq!([0; 3].map(|_| help.stirred()), [1, 1, 0]);
        }
        help.until = Some(Instant::now());
        help.stir();
        assert_eq!(help.stirred(), 0, "the time is over");
    }
}
