//! Detects dead connections from the kernel's statistics.
//!
//! If the network of a connection is cut, the kernel retransmits for a quarter of an hour before it
//! reports an error. So while data is outstanding, the transport asks its kernel whether the peer's
//! kernel still replies. A peer that computes and does not read is not given up: its kernel
//! replies.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use base::wire::{read_u32, read_u64};
use socket2::{SockRef, TcpKeepalive};

use crate::sys;

/// Unacknowledged retransmissions from which a connection may count as cut.
const REPEATS: u8 = 2;

// Offsets in the kernel's `tcp_info`.
const RETRANSMITS: usize = 2;
const PROBES: usize = 3;
const MSS: usize = 16;
const UNACKED: usize = 24;
const LAST_ACK: usize = 56;
const NOT_SENT: usize = 144;
const DELIVERY_RATE: usize = 160;

/// The kernel's statistics of a connection.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Health {
    /// Retransmissions, or probes for room, since the last reply.
    pub repeats: u8,
    /// Time since the other side's kernel last replied.
    pub silence: Duration,
    /// Bytes that the kernel holds for the other side.
    pub held_bytes: u64,
    /// Bytes a second that arrived lately; 0 where that is not known.
    pub rate: u64,
}

/// Returns the bytes that the kernel has accepted for a connection and has not sent; 0 where it
/// does not say. Its request SIOCOUTQNSD says the same, and valgrind does not know that one.
pub fn unsent_bytes(socket: &impl AsFd) -> usize {
    let (info, len) = sys::tcp_info(socket).unwrap_or(([0; 256], 0));
    read_u32(&info[..len.min(info.len())], NOT_SENT).map_or(0, |bytes| bytes as usize)
}

impl Health {
    /// Queries the kernel about a socket.
    pub fn of(socket: &impl AsFd) -> io::Result<Health> {
        let (info, len) = sys::tcp_info(socket)?;
        Ok(Health::decode(&info[..len.min(info.len())]))
    }

    fn decode(info: &[u8]) -> Health {
        let number = |at| read_u32(info, at).unwrap_or(0);
        let byte = |at: usize| info.get(at).copied().unwrap_or(0);
        let sent = u64::from(number(UNACKED)) * u64::from(number(MSS));
        Health {
            repeats: byte(RETRANSMITS).max(byte(PROBES)),
            silence: Duration::from_millis(number(LAST_ACK).into()),
            held_bytes: sent + u64::from(number(NOT_SENT)),
            rate: read_u64(info, DELIVERY_RATE).unwrap_or(0),
        }
    }

    /// Whether the last segment is retransmitted again and again.
    pub fn is_unanswered(&self) -> bool {
        self.repeats >= REPEATS
    }
}

/// Watches for a cut, from one check to the next.
#[derive(Clone, Copy, Default, Debug)]
pub struct Watcher {
    /// Time since which there has been no reply. The kernel's figure alone would not do: on a
    /// connection that was idle the last reply is old.
    unanswered_since: Option<Instant>,
}

impl Watcher {
    /// Checks for a cut: whether there has been no reply for `patience`.
    pub fn is_cut(&mut self, health: &Health, now: Instant, patience: Duration) -> bool {
        if !health.is_unanswered() {
            self.unanswered_since = None;
            return false;
        }
        let since = *self.unanswered_since.get_or_insert(now);
        now.duration_since(since) >= patience && health.silence >= patience
    }
}

/// Returns how long a silent network is tolerated, where an outage may last `outage`.
pub fn patience(outage: Duration) -> Duration {
    (outage / 3).clamp(Duration::from_secs(1), Duration::from_secs(10))
}

/// Makes the kernel probe the other side's kernel now and then during silence.
pub fn keep_alive(socket: &impl AsFd, patience: Duration) -> io::Result<()> {
    const QUESTIONS: u32 = 3;
    let second = Duration::from_secs(1);
    let keepalive = TcpKeepalive::new()
        .with_time((patience / 2).max(second))
        .with_interval((patience / (2 * QUESTIONS)).max(second))
        .with_retries(QUESTIONS);
    SockRef::from(socket).set_tcp_keepalive(&keepalive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_does_not_read_is_not_cut_off() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let here = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (there, _) = listener.accept().unwrap();
        keep_alive(&here, Duration::from_secs(10)).unwrap();
        here.set_nonblocking(true).unwrap();
        let mut held = 0;
        while let Ok(more) = io::Write::write(&mut &here, &[7; 100_000]) {
            held += more;
        }
        std::thread::sleep(Duration::from_millis(300));
        let health = Health::of(&here).unwrap();
        assert!(
            health.held_bytes > 0 && health.held_bytes <= held as u64,
            "{health:?}"
        );
        assert!(!health.is_unanswered(), "{health:?}");
        drop(there);
    }

    #[test]
    fn only_repetitions_without_an_answer_for_long_are_a_cut() {
        let health = |repeats, secs| Health {
            repeats,
            silence: Duration::from_secs(secs),
            ..Health::default()
        };
        let patience = patience(Duration::from_secs(30));
        assert_eq!(patience, Duration::from_secs(10));
        let (mut watcher, start) = (Watcher::default(), Instant::now());
        let mut look = |secs, health: Health| {
            let now = start + Duration::from_secs(secs);
            watcher.is_cut(&health, now, patience)
        };
        assert!(!look(0, health(5, 3600)), "it was idle before");
        assert!(!look(9, health(9, 3609)), "too early");
        assert!(look(10, health(9, 3610)));
        assert!(!look(11, health(1, 100)), "nothing was repeated");
        assert!(!look(12, health(2, 100)), "it has answered meanwhile");
        assert!(!look(30, health(2, 9)), "an answer came");
        assert_eq!(
            Health::decode(&[1, 2, 3]),
            Health {
                repeats: 3,
                ..Health::default()
            }
        );
    }
}
