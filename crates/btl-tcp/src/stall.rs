//! Detects connections that are established and break again without having carried anything.
//!
//! A path may let small packets pass and drop large ones: an interface whose MTU is larger than a
//! switch or a tunnel on the path allows, with the messages that would report it filtered out. The
//! handshake succeeds there, the first long frame never arrives, the kernel retransmits it without
//! success, and the next connection does the same. Nothing here can fix that, so it is logged, once
//! for each time that it begins.

use std::time::{Duration, Instant};

/// The progress of the exchange with a peer, in both directions. Any difference is progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marks {
    /// Frames that the peer has acknowledged.
    pub acked: u64,
    /// Frames that have come.
    pub come: u64,
    /// Pieces of reads that have not come.
    pub missing: usize,
    /// Replies still to be sent, and pieces that were on a connection that broke.
    pub owed: usize,
}

/// The record of a peer's connections since the last progress.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stall {
    /// Time since which there has been no progress, and the exchange's state then.
    since: Option<(Instant, Marks)>,
    /// Connections that have broken since.
    breaks: u32,
    warned: bool,
}

impl Stall {
    /// Records a broken connection, on which there was no reply for `silence` before. Returns
    /// whether to warn that nothing has been delivered for `patience` over several connections.
    pub fn broke(
        &mut self,
        now: Instant,
        silence: Duration,
        marks: Marks,
        patience: Duration,
    ) -> bool {
        let since = match self.since {
            Some((since, before)) if before == marks => since,
            _ => {
                let since = now.checked_sub(silence).unwrap_or(now);
                *self = Stall {
                    since: Some((since, marks)),
                    ..Stall::default()
                };
                since
            }
        };
        self.breaks += 1;
        let due = !self.warned && self.breaks > 1 && now.duration_since(since) >= patience;
        self.warned |= due;
        due
    }

    /// Whether the warning was given.
    #[cfg(test)]
    pub fn has_warned(&self) -> bool {
        self.warned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_reported_once_where_several_connections_deliver_nothing() {
        let (start, patience) = (Instant::now(), Duration::from_secs(30));
        let marks = |acked| Marks {
            acked,
            come: 7,
            missing: 0,
            owed: 0,
        };
        let mut stall = Stall::default();
        let mut broke = |secs, acked| {
            let (now, silence) = (start + Duration::from_secs(secs), Duration::from_secs(10));
            stall.broke(now, silence, marks(acked), patience)
        };
        assert!(
            !broke(100, 1),
            "once is no stall, however long it was silent"
        );
        assert!(!broke(110, 1), "too early");
        assert!(broke(120, 1));
        assert!(!broke(130, 1), "it is known");
        assert!(!broke(140, 2), "a frame was delivered");
        assert!(!broke(155, 2) && broke(160, 2), "it begins anew");
    }
}
