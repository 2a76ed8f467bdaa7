//! Detects connections that are established and break again without having carried anything.
//!
//! A path may let small packets pass and drop large ones: an interface whose MTU is larger than a
//! switch or a tunnel on the path allows, with the messages that would report it filtered out. The
//! handshake succeeds there, the first long frame never arrives, the kernel retransmits it without
//! success, and the next connection does the same. Nothing here can fix that, so it is logged, once
//! for each time that it begins.

use std::time::{Duration, Instant};

use base::PeerId;

use crate::component::Transport;

/// The progress of the exchange with a peer, in both directions. Any difference is progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Marks {
    /// Frames that the peer has acknowledged.
    acked: u64,
    /// Frames that have come.
    come: u64,
    /// Pieces of reads that have not come.
    missing: usize,
    /// Replies still to be sent, and pieces that were on a connection that broke.
    owed: usize,
}

/// The record of a peer's connections since the last progress.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stall {
    /// Time since which there has been no progress, and the exchange's state then.
    since: Option<(Instant, Marks)>,
    /// Connections that have broken since.
    breaks: u32,
    told: bool,
}

impl Stall {
    /// Records a broken connection, on which there was no reply for `silence` before. Returns
    /// whether to warn that nothing has been delivered for `patience` over several connections.
    fn broke(&mut self, now: Instant, silence: Duration, marks: Marks, patience: Duration) -> bool {
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
        let due = !self.told && self.breaks > 1 && now.duration_since(since) >= patience;
        self.told |= due;
        due
    }

    /// Whether the warning was given.
    #[cfg(test)]
    pub fn is_told(&self) -> bool {
        self.told
    }
}

impl Transport {
    /// Warns the user where connections with a peer break one after the other, and nothing that
    /// waits for it, or for this process, is ever delivered.
    pub(crate) fn watch_for_stall(&mut self, peer: PeerId, silence: Duration) {
        let missing = self.reads.missing(peer);
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        let owed = endpoint.owed.len() + endpoint.again.len();
        if missing + owed == 0 && !endpoint.outgoing.is_unacked() {
            endpoint.stall = Stall::default();
            return;
        }
        let marks = Marks {
            acked: endpoint.outgoing.acked_count(),
            come: endpoint.incoming.next(),
            missing,
            owed,
        };
        let patience = self.settings.reconnect_timeout;
        if endpoint
            .stall
            .broke(Instant::now(), silence, marks, patience)
        {
            let path = endpoint.paths.first();
            let place = path.map_or(String::new(), |path| format!(" at {}", path.remote.ip()));
            log::warn!(
                "{peer}{place}: connections are made and break, and for {} s nothing was \
                 delivered; the path may drop large packets: compare the MTU of the interfaces \
                 with what passes (`ping -M do -s 1472`), or use others (btl_tcp_if_include)",
                patience.as_secs()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_once_where_several_connections_deliver_nothing() {
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
