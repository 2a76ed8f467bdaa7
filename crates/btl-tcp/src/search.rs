//! Search for a peer: when each of its addresses is tried, and when the peer is given up.
//!
//! Paths are tried in rounds, best first, the next one as soon as one has failed or has been
//! silent for a moment; whichever proves itself first is taken. Between rounds there is a pause,
//! which grows.
//!
//! A peer is given up when
//!
//! * **nothing listens where it did.** Its listening sockets live as long as its process, so a
//!   refusal by the peer's own host is news of its death. One round more confirms it;
//! * **it cannot be reached for the time of the parameter**, or, where it never was, for
//!   `FIRST_TIME` times as long. A process may compute outside MPI while other programs fill the
//!   queue of its listener, and then the kernel drops connections as a network does that is cut.
//!   Within a host nothing else does, and the first search has no end;
//! * it was never reached, and the listener there hangs up, again and again.
//!
//! A peer that accepts connections and does not speak is busy outside MPI, and is never given up:
//! its host replies.

use std::time::{Duration, Instant};

use crate::attempt::Trouble;
use crate::clock::TICK;
use crate::descriptor_shortage::is_shortage;
use crate::pairing;

/// Time that a path may be silent before the next is tried beside it.
pub const SILENT: Duration = Duration::from_millis(300);
/// Rounds after which a peer that was never reached, and hangs up, is given up.
const ROUNDS_MAX: u32 = 20;
/// The longest pause between two rounds.
const PAUSE_MAX: Duration = Duration::from_secs(1);
/// Rounds in a row without a listener, after which that is believed.
const REFUSALS: u32 = 2;

/// Counts of failed attempts of one round, by cause.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Troubles {
    /// Nothing listens there.
    pub refused: u32,
    /// Nothing listens where the peer did before.
    pub vanished: u32,
    /// A listener hung up.
    pub hung_up: u32,
    /// Another process listens.
    pub other_processes: u32,
    /// There was no reply, or this process lacks something.
    pub silent: u32,
}

/// The progress of the search for a peer. The paths are tried in rounds, one after the other.
pub struct PeerSearch {
    /// Time since which nothing came from the peer.
    pub since: Instant,
    /// Whether there was a connection before.
    pub again: bool,
    /// The path that is tried next in this round.
    pub next: usize,
    /// Time of the last try.
    pub tried_at: Instant,
    /// Time of the next round, during a pause.
    pub pause_until: Option<Instant>,
    /// Rounds that are over.
    pub rounds: u32,
    /// Latest rounds in a row where all paths refused or led to other processes, or a listener
    /// vanished.
    pub refusals: u32,
    /// Whether in the last round another process answered, so that the handshake failed.
    pub answered_by_others: bool,
    /// Reason that the last attempt was not even begun, where that was for want of a descriptor.
    pub wants: Option<String>,
    /// Whether the user was warned of its long silence.
    pub warned: bool,
    /// Failures of this round's paths.
    pub troubles: Troubles,
    /// The last trouble, as text.
    pub last: String,
}

impl PeerSearch {
    /// Creates a search that begins. `lost`: the reason that a former connection is gone, if any.
    pub fn new(lost: Option<String>) -> PeerSearch {
        let now = Instant::now();
        PeerSearch {
            since: now,
            again: lost.is_some(),
            next: 0,
            tried_at: now,
            pause_until: None,
            rounds: 0,
            refusals: 0,
            answered_by_others: false,
            wants: None,
            warned: false,
            troubles: Troubles::default(),
            last: lost.unwrap_or_default(),
        }
    }

    /// Records the failure of an attempt. `proven`: whether the peer was there once.
    pub fn note(&mut self, path: Option<&pairing::Rail>, proven: bool, trouble: &Trouble) {
        let troubles = &mut self.troubles;
        match trouble {
            Trouble::Connect(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
                troubles.refused += 1;
                troubles.vanished += u32::from(proven);
            }
            Trouble::Connect(_) | Trouble::Local(_) => troubles.silent += 1,
            Trouble::HungUp => troubles.hung_up += 1,
            Trouble::Refused(_) => troubles.other_processes += 1,
        }
        self.wants = match trouble {
            Trouble::Local(error) if is_shortage(error) => Some(error.to_string()),
            _ => None,
        };
        self.last = match path {
            Some(path) => format!("{}: {trouble}", path.remote),
            None => trouble.to_string(),
        };
    }

    /// Ends a round: whether to give up. `outage`: how long the peer may be out of reach.
    pub fn is_hopeless(&mut self, outage: Duration) -> bool {
        let Troubles {
            refused,
            vanished,
            hung_up,
            other_processes,
            silent,
        } = std::mem::take(&mut self.troubles);
        self.rounds += 1;
        let absent = refused + other_processes > 0 && hung_up + silent == 0;
        self.answered_by_others = other_processes > 0 && refused == 0;
        self.refusals = match absent || vanished > 0 {
            true => self.refusals + 1,
            false => 0,
        };
        let hung_up_on = !self.again && hung_up > 0 && self.rounds >= ROUNDS_MAX;
        self.refusals >= REFUSALS || hung_up_on || self.since.elapsed() >= outage
    }

    /// Returns the reason for giving up the peer, which has `paths` paths.
    pub fn end(&self, paths: usize) -> String {
        let last = &self.last;
        match (self.again, self.refusals > 0) {
            (true, true) if self.answered_by_others => format!(
                "its connections broke, and the handshake fails with whoever answers at its \
                 addresses: another process, or what passes there is damaged; {last}"
            ),
            (true, true) => format!("its process has ended; {last}"),
            (true, false) => format!(
                "its connections broke, and for {:.1} s it was not reached at any of its {paths} \
                 addresses; {last}",
                self.since.elapsed().as_secs_f32()
            ),
            _ => format!("none of its {paths} addresses works; {last}"),
        }
    }

    /// Returns the pause before the next round.
    pub fn pause(&self) -> Duration {
        (TICK * (1 << (self.rounds - 1).min(5))).min(PAUSE_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    const OUTAGE: Duration = Duration::from_secs(30);

    fn refused() -> Trouble {
        Trouble::Connect(Error::from(ErrorKind::ConnectionRefused))
    }

    fn silent() -> Trouble {
        Trouble::Connect(Error::from(ErrorKind::TimedOut))
    }

    #[test]
    fn nobody_where_the_peer_was_is_its_end_after_a_second_look() {
        let mut search = PeerSearch::new(Some("reset".into()));
        for _ in 0..100 {
            search.note(None, false, &silent());
            search.note(None, false, &refused());
            assert!(
                !search.is_hopeless(OUTAGE),
                "another may live at a strange address"
            );
        }
        search.note(None, false, &silent());
        search.note(None, true, &refused());
        assert!(!search.is_hopeless(OUTAGE));
        search.note(None, true, &refused());
        assert!(search.is_hopeless(OUTAGE));
    }

    #[test]
    fn a_cut_network_has_its_time() {
        let mut search = PeerSearch::new(Some("reset".into()));
        for trouble in [silent(), Trouble::HungUp].iter().cycle().take(200) {
            search.note(None, true, trouble);
            assert!(!search.is_hopeless(OUTAGE));
        }
        assert!(search.is_hopeless(Duration::ZERO));
        assert_eq!(search.pause(), PAUSE_MAX);
    }

    #[test]
    fn who_hangs_up_from_the_first_is_given_up() {
        let mut search = PeerSearch::new(None);
        for round in 1.. {
            search.note(None, false, &Trouble::HungUp);
            if search.is_hopeless(OUTAGE) {
                assert_eq!(round, ROUNDS_MAX);
                break;
            }
        }
    }

    /// A handshake that was damaged in transit was once reported as the end of the peer's process.
    #[test]
    fn a_failed_handshake_is_not_reported_as_the_end_of_a_process() {
        let explained = |trouble: fn() -> Trouble| {
            let mut search = PeerSearch::new(Some("reset".into()));
            for _ in 0..REFUSALS {
                search.note(None, true, &trouble());
                search.is_hopeless(OUTAGE);
            }
            search.end(1)
        };
        let refusal = explained(|| Trouble::Refused(crate::handshake::Refusal::Magic));
        assert!(refusal.contains("the handshake fails"), "{refusal}");
        assert!(explained(refused).starts_with("its process has ended"));
    }
}
