//! The choice among the transports that reach a peer, and its reasons.

use base::wire::{read_u32, write_u32};
use base::PeerId;
use btl::{Caps, Reach};

const FACTS_BYTES: usize = 12;

/// The numbers by which transports to a peer are compared.
///
/// Both ends know the numbers of both, and compare the worse of each pair, so their orders are
/// equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Priority: a transport with a higher one excludes those with lower ones.
    pub exclusivity: u32,
    /// Approximate one-way time of a small message, in nanoseconds.
    pub latency_ns: u32,
    /// Approximate bandwidth, in MB/s (10^6 bytes).
    pub bandwidth_mbps: u32,
}

/// The transports that were considered for a peer, and the choice among them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The peer.
    pub peer: PeerId,
    /// The transport of the message lane; `None` when nothing carries messages to the peer.
    pub lane: Option<&'static str>,
    /// The transport over which the peer's memory is reached.
    pub memory: Option<&'static str>,
    /// Whether that transport can read the peer's memory, so that large messages need no fragments.
    pub reads: bool,
    /// The mechanism of that transport, with the reasons against better ones; `None` if it has one
    /// only.
    pub through: Option<String>,
    /// Bytes from which on messages are read by the receiver; shorter ones are copied by both
    /// sides.
    pub reads_from: usize,
    /// Every transport that is open here, the best first.
    pub considered: Vec<Considered>,
}

/// A transport that could carry a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Considered {
    /// The transport.
    pub name: &'static str,
    /// Whether the transport reaches the peer, as it has reported.
    pub reach: Reach,
    /// The combined numbers of both ends, or those of this end if the other has not opened the
    /// transport; `None` if it was not compared.
    pub facts: Option<Facts>,
}

impl Facts {
    /// Returns the numbers of one end.
    pub fn of(caps: &Caps) -> Facts {
        Facts {
            exclusivity: caps.exclusivity,
            latency_ns: caps.latency_ns,
            bandwidth_mbps: caps.bandwidth_mbps,
        }
    }

    /// Encodes the numbers, of 4 bytes each in their order here, and `address` behind them.
    pub(crate) fn before(self, address: Vec<u8>) -> Vec<u8> {
        let mut bytes = vec![0; FACTS_BYTES];
        write_u32(&mut bytes, 0, self.exclusivity);
        write_u32(&mut bytes, 4, self.latency_ns);
        write_u32(&mut bytes, 8, self.bandwidth_mbps);
        bytes.extend(address);
        bytes
    }

    /// Decodes a peer's numbers, and returns the bytes behind them.
    pub(crate) fn split(bytes: &[u8]) -> Option<(Facts, &[u8])> {
        let facts = Facts {
            exclusivity: read_u32(bytes, 0)?,
            latency_ns: read_u32(bytes, 4)?,
            bandwidth_mbps: read_u32(bytes, 8)?,
        };
        Some((facts, &bytes[FACTS_BYTES..]))
    }

    /// Combines the numbers of both ends.
    pub(crate) fn with(self, other: Facts) -> Facts {
        Facts {
            exclusivity: self.exclusivity.min(other.exclusivity),
            latency_ns: self.latency_ns.max(other.latency_ns),
            bandwidth_mbps: self.bandwidth_mbps.min(other.bandwidth_mbps),
        }
    }

    /// Returns the sort key of a transport: the least goes first.
    pub(crate) fn order(self, name: &'static str) -> impl Ord {
        (
            std::cmp::Reverse(self.exclusivity),
            self.latency_ns,
            std::cmp::Reverse(self.bandwidth_mbps),
            name,
        )
    }
}

impl std::fmt::Display for Choice {
    /// `peer 1 by sm (self: it is another process; tcp: could, but sm goes first)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let chosen = self.lane.unwrap_or("nothing");
        write!(f, "{} by {chosen}", self.peer)?;
        let others = || self.considered.iter().filter(|other| other.name != chosen);
        for (at, other) in others().enumerate() {
            f.write_str(if at == 0 { " (" } else { "; " })?;
            match &other.reach {
                Reach::Reachable => write!(f, "{}: could, but {chosen} goes first", other.name)?,
                Reach::Unreachable(why) => write!(f, "{}: {why}", other.name)?,
            }
        }
        match others().next() {
            Some(_) => f.write_str(")"),
            None => Ok(()),
        }
    }
}
