//! Decides how often the transport polls the kernel.

use base::PeerId;

/// The pace of polls of the epoll set. An empty poll's system call is the cost of an idle transport
/// to the others, so the more polls were empty, the fewer make it; and the connection that
/// delivered last is read directly, which saves one call per message; not where connections take
/// turns, since then that would mostly find nothing.
#[derive(Default)]
pub struct Pace {
    /// The connection that delivered last.
    last: Option<(PeerId, usize)>,
    /// That connection, where it is to be read directly.
    hot: Option<(PeerId, usize)>,
    /// Polls since the last that found something.
    quiet: u32,
    /// Polls since the epoll set was polled.
    skipped: u32,
    /// Whether the driver is about to sleep: no poll may skip.
    pub armed: bool,
    /// Reads that left a long message or reply incomplete; wraps.
    moves: u64,
}

impl Pace {
    /// Empty polls after which no connection is read directly any more.
    const HOT_POLLS: u32 = 4096;

    /// Returns the connection to read directly, by its peer and rail.
    #[inline]
    pub fn hot(&self) -> Option<(PeerId, usize)> {
        self.hot
    }

    /// Returns how many reads left a long message or reply incomplete; wraps.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Records that a connection has brought something. `incomplete`: of a long message or reply.
    #[inline]
    pub fn moved(&mut self, connection: (PeerId, usize), incomplete: bool) {
        let takes_turns = self.last.is_some_and(|last| last != connection);
        self.hot = (!takes_turns).then_some(connection);
        self.last = Some(connection);
        self.quiet = 0;
        self.moves = self.moves.wrapping_add(incomplete.into());
    }

    /// Reads no connection directly: the one that delivered last is gone.
    pub fn cool(&mut self) {
        (self.hot, self.last) = (None, None);
    }

    /// Begins a poll. If it finds anything the count of quiet ones starts again.
    pub fn begin(&mut self) {
        self.quiet = self.quiet.saturating_add(1);
        if self.quiet > Pace::HOT_POLLS {
            self.hot = None;
        }
    }

    /// Whether this poll includes the epoll set.
    pub fn is_due(&mut self, connections: usize, urgent: bool) -> bool {
        let interval = match (self.hot, connections) {
            _ if urgent || self.armed => 1,
            // Only new connections can be found by polling the set.
            (Some(_), 1) => 16,
            (Some(_), _) => 2,
            (None, 0) => 1 + (self.quiet / 16).min(63),
            (None, _) => 1 + (self.quiet / 64).min(15),
        };
        self.skipped += 1;
        if self.skipped < interval {
            return false;
        }
        self.skipped = 0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_that_take_turns_are_not_read_directly() {
        let mut pace = Pace::default();
        let (one, other) = ((PeerId(1), 0), (PeerId(2), 0));
        let hot = [one, one, other, one, one].map(|connection| {
            pace.moved(connection, false);
            pace.hot()
        });
        assert_eq!(hot, [Some(one), Some(one), None, None, Some(one)]);
        pace.cool();
        assert_eq!(pace.hot(), None);
    }
}
