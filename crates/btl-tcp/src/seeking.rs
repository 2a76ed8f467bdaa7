//! Search for a peer: when each of its addresses is tried, and when the peer is given up.
//!
//! Paths are tried in rounds, best first, the next one as soon as one has failed or has been
//! silent for a moment; whichever proves itself first is taken. Between rounds there is a pause,
//! which grows.
//!
//! A peer is given up when
//!
//! * **nobody listens where it did.** Its listening sockets live as long as its process, so a
//!   refusal by the peer's own host is news of its death. One round more confirms it;
//! * **it cannot be reached for the time of the parameter**, or, where it never was, for
//!   [`FIRST_TIME`] times as long. A process may compute outside MPI while strangers fill the queue
//!   of its listener, and then the kernel drops connections as a network does that is cut. Within
//!   a host nothing else does, and the first search has no end;
//! * it was never reached, and the listener there hangs up, again and again.
//!
//! A peer that accepts connections and does not speak is busy outside MPI, and is never given up:
//! its host replies.

use std::time::{Duration, Instant};

use base::{Key, PeerId};
use btl::Error;

use crate::component::{Source, Transport};
use crate::connect::{self, Trouble};
use crate::deaf::{is_want, want};
use crate::endpoint::{Endpoint, Link, RailState, Seek};
use crate::lifecycle::TICK;
use crate::pairing::{self, Class};
use crate::sys::Watch;

/// Time that a path may be silent before the next is tried beside it.
const SILENT: Duration = Duration::from_millis(300);
/// Rounds after which a peer that was never reached, and hangs up, is given up.
const ROUNDS_MAX: u32 = 20;
/// Factor on the time that a peer may be silent, where it was never reached.
const FIRST_TIME: u32 = 10;
/// The longest pause between two rounds.
const PAUSE_MAX: Duration = Duration::from_secs(1);
/// Rounds in a row without a listener, after which that is believed.
const REFUSALS: u32 = 2;
/// Pause between tries of a rail beside others that are up.
const RAIL_PAUSE: Duration = Duration::from_secs(1);

/// Counts of failed attempts of one round, by cause.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Troubles {
    /// Nobody listens there.
    pub refused: u32,
    /// Nobody listens where the peer did before.
    pub vanished: u32,
    /// A listener hung up.
    pub hung_up: u32,
    /// Another process listens.
    pub strangers: u32,
    /// There was no reply, or this process lacks something.
    pub silent: u32,
}

impl Seek {
    /// Creates a search that begins. `lost`: the reason that a former connection is gone, if any.
    pub fn new(lost: Option<String>) -> Seek {
        let now = Instant::now();
        Seek {
            since: now,
            again: lost.is_some(),
            next: 0,
            tried_at: now,
            pause_until: None,
            rounds: 0,
            refusals: 0,
            strange: false,
            wants: None,
            warned: false,
            troubles: Troubles::default(),
            last: lost.unwrap_or_default(),
        }
    }

    /// Records the failure of an attempt. `proven`: whether the peer was there once.
    fn note(&mut self, path: Option<&pairing::Rail>, proven: bool, trouble: &Trouble) {
        let troubles = &mut self.troubles;
        match trouble {
            Trouble::Connect(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
                troubles.refused += 1;
                troubles.vanished += u32::from(proven);
            }
            Trouble::Connect(_) | Trouble::Local(_) => troubles.silent += 1,
            Trouble::HungUp => troubles.hung_up += 1,
            Trouble::Refused(_) => troubles.strangers += 1,
        }
        self.wants = match trouble {
            Trouble::Local(error) if is_want(error) => Some(error.to_string()),
            _ => None,
        };
        self.last = match path {
            Some(path) => format!("{}: {trouble}", path.remote),
            None => trouble.to_string(),
        };
    }

    /// Ends a round: whether to give up. `outage`: how long the peer may be out of reach.
    fn is_hopeless(&mut self, outage: Duration) -> bool {
        let Troubles {
            refused,
            vanished,
            hung_up,
            strangers,
            silent,
        } = std::mem::take(&mut self.troubles);
        self.rounds += 1;
        let nobody = refused + strangers > 0 && hung_up + silent == 0;
        self.strange = strangers > 0 && refused == 0;
        self.refusals = match nobody || vanished > 0 {
            true => self.refusals + 1,
            false => 0,
        };
        let hung_up_on = !self.again && hung_up > 0 && self.rounds >= ROUNDS_MAX;
        self.refusals >= REFUSALS || hung_up_on || self.since.elapsed() >= outage
    }

    /// Returns the reason for giving up the peer, which has `paths` paths.
    fn end(&self, paths: usize) -> String {
        let last = &self.last;
        match (self.again, self.refusals > 0) {
            (true, true) if self.strange => format!(
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

    fn pause(&self) -> Duration {
        (TICK * (1 << (self.rounds - 1).min(5))).min(PAUSE_MAX)
    }
}

impl Transport {
    /// Starts to seek a peer. `lost`: the reason that a former connection is gone, if any.
    pub(crate) fn seek(&mut self, peer: PeerId, lost: Option<String>) {
        if let Some(endpoint) = self.endpoints.get_mut(&peer) {
            endpoint.link = Link::Seeking(Seek::new(lost));
            self.timer.run(true, TICK);
            self.dial_next(peer);
        }
    }

    /// Tries the path that is due, and if that fails at once, the next ones.
    pub(crate) fn dial_next(&mut self, peer: PeerId) {
        loop {
            let Some(endpoint) = self.endpoints.get_mut(&peer) else {
                return;
            };
            let Link::Seeking(seek) = &mut endpoint.link else {
                return;
            };
            if seek.pause_until.is_some() {
                return;
            }
            let number = seek.next;
            if number >= endpoint.paths.len() {
                return self.round_over(peer);
            }
            seek.next += 1;
            seek.tried_at = Instant::now();
            if matches!(endpoint.rail(number).state, RailState::Down) && self.dial(peer, number) {
                return;
            }
        }
    }

    /// Begins to connect a rail; false where that fails at once.
    fn dial(&mut self, peer: PeerId, number: usize) -> bool {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return false;
        };
        let Some(path) = endpoint.paths.get(number).copied() else {
            return false;
        };
        let now = Instant::now();
        endpoint.rail(number).tried_at = Some(now);
        let mut deadline = now + self.settings.handshake_timeout;
        if let Link::Seeking(Seek {
            again: true, since, ..
        }) = &endpoint.link
        {
            let end = *since + self.settings.reconnect_timeout;
            deadline = deadline.min(end.max(now + SILENT));
        }
        self.timer.run(true, TICK);
        let begun = connect::dial(&path, &self.settings).and_then(|stream| {
            let key = self.attempts.dialed(stream, peer, number, deadline);
            let number = Source::Attempt(key).number();
            let attempt = self.attempts.get_mut(key).expect("inserted above");
            match self.epoll.add(&*attempt, Watch::Write, number) {
                Ok(()) => Ok(key),
                Err(error) => {
                    self.discard(key);
                    Err(Trouble::Local(error))
                }
            }
        });
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return false;
        };
        match begun {
            Ok(key) => {
                endpoint.rail(number).state = RailState::Dialing(key);
                true
            }
            Err(trouble) => {
                endpoint.note(number, &trouble);
                if let Trouble::Local(error) = &trouble {
                    if is_want(error) {
                        self.tell_want(error);
                    }
                }
                false
            }
        }
    }

    /// Handles a failed attempt to connect.
    pub(crate) fn dial_failed(
        &mut self,
        peer: PeerId,
        number: usize,
        reached: bool,
        trouble: &Trouble,
    ) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        let rail = endpoint.rail(number);
        rail.state = RailState::Down;
        let long = rail.tried_at.is_some_and(|at| at.elapsed() > RAIL_PAUSE);
        endpoint.note(number, trouble);
        if let Link::Seeking(seek) = &mut endpoint.link {
            if reached && long {
                // Until now its host replied.
                seek.since = Instant::now();
            }
            self.dial_next(peer);
        }
    }

    /// Ends a round, in which all paths have been tried once more.
    fn round_over(&mut self, peer: PeerId) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        if endpoint.is_being_connected() {
            return;
        }
        let paths = endpoint.paths.len();
        let within_host = endpoint.paths.iter().any(|path| path.class == Class::Host);
        let Link::Seeking(seek) = &mut endpoint.link else {
            return;
        };
        let outage = self.settings.reconnect_timeout;
        let (handshake, silence) = (self.settings.handshake_timeout, seek.since.elapsed());
        let is_brief = seek.again || seek.wants.is_some();
        let limit = match (is_brief, within_host) {
            (true, _) => outage,
            (false, true) => Duration::MAX,
            (false, false) => handshake.max(outage.saturating_mul(FIRST_TIME)),
        };
        if !seek.is_hopeless(limit) {
            seek.pause_until = Some(Instant::now() + seek.pause());
            if silence >= outage && !std::mem::replace(&mut seek.warned, true) {
                let (silence, last) = (silence.as_secs_f32(), &seek.last);
                log::warn!(
                    "{peer} has answered at none of its {paths} addresses for {silence:.0} s \
                     ({last}): is a firewall between, or do strangers fill the queue of a process \
                     that computes? It is sought further"
                );
            }
            return;
        }
        if let Some(why) = &seek.wants {
            let why = want(why);
            return self.lose(peer, Error::Unconnected { peer, why });
        }
        let how = seek.end(paths);
        self.lose(peer, Error::PeerGone { peer, how });
    }

    /// Continues the search for a peer at a tick.
    pub(crate) fn go_on_seeking(&mut self, peer: PeerId, now: Instant) {
        let patience = self.settings.handshake_timeout;
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        endpoint.stop_awaiting(now, patience);
        let Link::Seeking(seek) = &mut endpoint.link else {
            return;
        };
        match seek.pause_until {
            Some(until) if now < until => return,
            Some(_) => (seek.pause_until, seek.next) = (None, 0),
            None if now < seek.tried_at + SILENT => return,
            None => {}
        }
        self.dial_next(peer);
    }

    /// Connects the rails that share large transfers and are down.
    pub(crate) fn widen(&mut self, peer: PeerId, now: Instant) {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        endpoint.wants_rails = false;
        let down = |number: &usize| {
            let rail = endpoint.rails.get(*number);
            rail.is_none_or(|rail| {
                let rests = rail.tried_at.is_some_and(|at| now < at + RAIL_PAUSE);
                matches!(rail.state, RailState::Down) && !rests
            })
        };
        let numbers: Vec<usize> = (0..endpoint.shared).filter(down).collect();
        for number in numbers {
            self.dial(peer, number);
        }
    }
}

impl Endpoint {
    fn note(&mut self, number: usize, trouble: &Trouble) {
        let proven = self.rail(number).round > 0;
        let path = self.paths.get(number);
        match path {
            Some(path) => log::debug!("{} at {}: {trouble}", self.peer, path.remote),
            None => log::debug!("{}: {trouble}", self.peer),
        }
        if let Link::Seeking(seek) = &mut self.link {
            seek.note(path, proven, trouble);
        }
    }

    /// Whether a connection is being made.
    pub fn is_being_connected(&self) -> bool {
        let comes =
            |state: &RailState| matches!(state, RailState::Dialing(_) | RailState::Awaiting(_));
        self.rails.iter().any(|rail| comes(&rail.state))
    }

    /// Gives up attempts that have taken too long, where other rails are up; the caller discards
    /// them. The listener there does not speak.
    pub fn stop_dialing(&mut self, now: Instant, patience: Duration) -> Vec<Key> {
        let mut late = Vec::new();
        for rail in &mut self.rails {
            let is_late = rail.tried_at.is_some_and(|at| now > at + patience);
            if let (RailState::Dialing(key), true) = (&rail.state, is_late) {
                late.push(*key);
                rail.state = RailState::Down;
            }
        }
        late
    }

    /// Stops awaiting connections that the peer has announced for too long.
    pub fn stop_awaiting(&mut self, now: Instant, patience: Duration) {
        for rail in &mut self.rails {
            let expired = |since: Instant| now.duration_since(since) > patience;
            if matches!(rail.state, RailState::Awaiting(since) if expired(since)) {
                rail.state = RailState::Down;
            }
        }
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
        let mut seek = Seek::new(Some("reset".into()));
        for _ in 0..100 {
            seek.note(None, false, &silent());
            seek.note(None, false, &refused());
            assert!(
                !seek.is_hopeless(OUTAGE),
                "another may live at a strange address"
            );
        }
        seek.note(None, false, &silent());
        seek.note(None, true, &refused());
        assert!(!seek.is_hopeless(OUTAGE));
        seek.note(None, true, &refused());
        assert!(seek.is_hopeless(OUTAGE));
    }

    #[test]
    fn a_cut_network_has_its_time() {
        let mut seek = Seek::new(Some("reset".into()));
        for trouble in [silent(), Trouble::HungUp].iter().cycle().take(200) {
            seek.note(None, true, trouble);
            assert!(!seek.is_hopeless(OUTAGE));
        }
        assert!(seek.is_hopeless(Duration::ZERO));
        assert_eq!(seek.pause(), PAUSE_MAX);
    }

    #[test]
    fn who_hangs_up_from_the_first_is_given_up() {
        let mut seek = Seek::new(None);
        for round in 1.. {
            seek.note(None, false, &Trouble::HungUp);
            if seek.is_hopeless(OUTAGE) {
                assert_eq!(round, ROUNDS_MAX);
                break;
            }
        }
    }

    /// A handshake that was damaged in transit was once reported as the end of the peer's process.
    #[test]
    fn a_handshake_that_fails_is_not_told_as_the_end_of_a_process() {
        let told = |trouble: fn() -> Trouble| {
            let mut seek = Seek::new(Some("reset".into()));
            for _ in 0..REFUSALS {
                seek.note(None, true, &trouble());
                seek.is_hopeless(OUTAGE);
            }
            seek.end(1)
        };
        let stranger = told(|| Trouble::Refused(crate::handshake::Refusal::Magic));
        assert!(stranger.contains("the handshake fails"), "{stranger}");
        assert!(told(refused).starts_with("its process has ended"));
    }
}
