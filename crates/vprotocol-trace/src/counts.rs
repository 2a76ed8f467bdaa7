//! Counts of events.

use std::collections::BTreeMap;
use std::fmt;

use vprotocol::Call;

/// An event that is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Event {
    /// A send began.
    Send,
    /// A receive from one source began.
    NamedRecv,
    /// A receive from any source began.
    WildRecv,
    /// A receive of a message that a matched probe took began.
    MatchedRecv,
    /// The outcome of a request was taken.
    Complete,
    /// The outcome of a cancelled request was taken.
    Cancelled,
    /// The outcome of a failed request was taken.
    Failed,
    /// A request was asked to be cancelled.
    Cancel,
    /// A request was detached.
    Detach,
    /// A peer was introduced.
    AddPeer,
    /// A peer was removed.
    RemovePeer,
    /// A peer was given up.
    PeerFailed,
    /// A communicator was opened.
    OpenComm,
    /// A communicator was closed.
    CloseComm,
    /// The program got a result that depends on timing.
    Observed(Call),
}

impl Event {
    /// Returns the word for the event.
    pub fn name(self) -> &'static str {
        match self {
            Event::Send => "sends",
            Event::NamedRecv => "named receives",
            Event::WildRecv => "wildcard receives",
            Event::MatchedRecv => "matched receives",
            Event::Complete => "completed",
            Event::Cancelled => "cancelled",
            Event::Failed => "failed",
            Event::Cancel => "cancels",
            Event::Detach => "detached",
            Event::AddPeer => "peers added",
            Event::RemovePeer => "peers removed",
            Event::PeerFailed => "peers failed",
            Event::OpenComm => "communicators opened",
            Event::CloseComm => "communicators closed",
            Event::Observed(call) => call.name(),
        }
    }
}

/// How often each event was seen, and the bytes of its buffers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    events: BTreeMap<Event, (u64, u64)>,
}

impl Counts {
    /// Counts an event with a buffer of `bytes`.
    pub fn add(&mut self, event: Event, bytes: u64) {
        let (count, sum) = self.events.entry(event).or_default();
        *count += 1;
        *sum += bytes;
    }

    /// Returns how often an event was seen.
    pub fn of(&self, event: Event) -> u64 {
        self.events.get(&event).map_or(0, |(count, _)| *count)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (event, (count, bytes))) in self.events.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{count} {}", event.name())?;
            if *bytes > 0 {
                write!(f, " ({bytes} bytes)")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_listed_in_order_with_their_bytes() {
        let mut counts = Counts::default();
        counts.add(Event::Observed(Call::Any), 0);
        counts.add(Event::Send, 8);
        counts.add(Event::Send, 16);
        assert_eq!(counts.to_string(), "2 sends (24 bytes), 1 any");
        assert_eq!(counts.of(Event::Send), 2);
        assert_eq!(counts.of(Event::Complete), 0);
    }
}
