//! Help with accesses to memory.
//!
//! Many providers move what a peer does to the memory of this process only while this process looks
//! at the network, and tell it nothing of that. Who waits here for something else would fall
//! asleep, and each access of the peer's then takes as long as a nap. So who has looked for the end
//! of an access for a while asks for help, by a message of the transport's own; and who is asked
//! stays awake for a while: before it sleeps, and at the look that follows, it says that something
//! has happened. Where the network needs no help, that costs a long access a message now and then.

use std::time::{Duration, Instant};

use base::PeerId;

use crate::component::Transport;
use crate::endpoint::State;
use crate::wire::Kind;

/// Looks for an access that has not ended before help is asked for: tens of microseconds.
const LOOKS_MAX: u32 = 256;
/// How long who was asked stays awake.
const HELP: Duration = Duration::from_millis(100);
/// How long a peer is not asked again: it is to be so before it falls asleep.
const ASKED: Duration = Duration::from_millis(50);
/// Looks that say that something has happened: the last before a sleep, and the next, which begins
/// the wait anew.
const STIRS: usize = 2;

/// Help asked for, and given.
#[derive(Default)]
pub(crate) struct Help {
    /// Looks while transfers were under way; wraps.
    looks: u32,
    /// Until when this process stays awake.
    until: Option<Instant>,
    stirs: usize,
    /// Peers to be asked as soon as the provider takes it: `shm` takes no message to a peer before
    /// the put on its way there has ended. The next one has help then.
    unasked: Vec<PeerId>,
}

impl Help {
    /// What a transfer remembers of when it began.
    #[inline]
    pub(crate) fn looks(&self) -> u32 {
        self.looks
    }

    /// Counts a look that has found no transfer's end; whether some may have waited for long.
    #[inline]
    pub(crate) fn count(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        self.looks.is_multiple_of(LOOKS_MAX)
    }

    /// Whether peers are to be asked that could not be.
    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        !self.unasked.is_empty()
    }

    /// A peer has asked.
    #[cold]
    pub(crate) fn give(&mut self) {
        self.until = Some(Instant::now() + HELP);
    }

    /// This process is about to sleep: it does not, while it helps.
    #[cold]
    pub(crate) fn stir(&mut self) {
        self.until = self.until.filter(|until| Instant::now() < *until);
        self.stirs = match self.until {
            Some(_) => STIRS,
            None => 0,
        };
    }

    /// What a look has to say besides its reports.
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
    /// Asks for help with the transfers that have waited for `looks` looks.
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

    /// Asks those that are to be asked, as far as the provider takes it.
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

    /// Asks for help with those that have waited for long.
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
