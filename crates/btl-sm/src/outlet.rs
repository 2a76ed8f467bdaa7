//! This process's ring in a peer's segment, and its growth.
//!
//! The first long piece makes a ring grow, so that both sides can copy at the same time. Messages
//! in alternating directions use only its first lines, which stay in the nearest caches. A ring
//! that carries much data becomes longer than a second-level cache: a line has then left the
//! reader's cache when the writer returns to it, and the writer's when the reader does, and both
//! find it in the cache that they share. Fetching a line from the other core's own cache takes four
//! times as long (`docs/notebook/2026-11-shared-memory.md`).
//!
//! Where the cores share no cache, stores past the caches fill a long ring sooner. Which kind of
//! store is faster is measured while running ([`memory::Choice`]).

use std::sync::atomic::Ordering;

use btl::Alias;
use memory::Choice;
use sync::{ring, LINE_BYTES};

use crate::params::Settings;
use crate::segment::{lines_in, Claimed, Claims, RingLines, View};
use crate::segment::{RING_DEAD, RING_LEFT, RING_READY};

/// Bytes of a message from which on its payload begins with a line of the ring: copies between
/// memory that is aligned alike are faster, and a line more or less does not count. What is shorter
/// says nothing about how long the ring should be.
const ALIGNED_BYTES_MIN: usize = 1024;

/// A piece is long from this part of the first ring on.
const LONG_PART: usize = 8;

/// A ring becomes large when it has carried its large size this many times: the cost of its memory
/// is then little beside the copies.
const LARGE_AFTER: usize = 2;

/// Lengths of rings, in lines.
pub(crate) struct Sizes {
    first: usize,
    grown: usize,
    large: usize,
}

impl Sizes {
    pub(crate) fn of(settings: &Settings) -> Sizes {
        Sizes {
            first: lines_in(settings.ring_bytes),
            grown: lines_in(settings.ring_grown_bytes),
            large: lines_in(settings.ring_large_bytes),
        }
    }
}

/// This process's ring at a peer.
pub(crate) struct Outlet {
    pub(crate) writer: ring::Writer<RingLines>,
    pub(crate) index: u32,
    pub(crate) choice: Choice,
    /// Bytes of a message from which on the ring is to grow first.
    grows_from: usize,
    /// Bytes that it has carried in messages that are not short.
    carried: usize,
    /// Carried bytes that make the ring large.
    large_after: usize,
    /// Records received from the peer at the last check for replies.
    received: u32,
}

impl Outlet {
    /// Claims a ring in a peer's segment and reserves its memory. `None` when there is no ring or
    /// no memory left; messages to the peer then stay in the queue.
    pub(crate) fn claim(
        view: &View,
        me: Alias,
        queued_before: u64,
        sizes: &Sizes,
    ) -> Option<Outlet> {
        let lines = sizes.first.min(view.layout.ring_lines as usize);
        let (index, how) = view.claim_ring(me)?;
        let (at, len) = view.layout.ring_part(index, lines);
        let reserved = view.segment().reserve(at, len).is_ok();
        view.ring_queued_before(index)
            .store(queued_before, Ordering::Relaxed);
        let state = if reserved { RING_READY } else { RING_DEAD };
        // adopted: the row becomes visible with its state.
        view.ring_state(index).store(state, Ordering::Release);
        if how == Claimed::Again {
            view.claims().fetch_add(Claims::AGAIN, Ordering::Release);
        }
        let unless = |done: bool, bytes| if done { usize::MAX } else { bytes };
        reserved.then(|| Outlet {
            writer: ring::Writer::new(view.ring(index), lines),
            index,
            choice: Choice::default(),
            grows_from: unless(sizes.grown <= lines, lines * LINE_BYTES / LONG_PART),
            carried: 0,
            large_after: unless(sizes.large <= lines, sizes.large * LINE_BYTES * LARGE_AFTER),
            received: 0,
        })
    }

    /// Leaves the ring to its owner: nothing is written to it any more.
    pub(crate) fn leave(&self, view: &View) {
        // left: what was written before is there for the owner, and nothing comes after.
        view.ring_state(self.index)
            .store(RING_LEFT, Ordering::Release);
    }

    /// Reserves room for a message of `len` bytes, of which `head` are its header; see
    /// [`ring::Writer::reserve`].
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        view: &View,
        sizes: &Sizes,
        (head, len): (usize, usize),
    ) -> Option<ring::Reservation> {
        if len < ALIGNED_BYTES_MIN {
            return self.writer.reserve(len);
        }
        if len >= self.grows_from || self.carried >= self.large_after {
            self.grow(view, sizes);
        }
        let room = self.writer.reserve_aligned(head, len);
        if room.is_some() {
            self.carried = self.carried.saturating_add(len);
        }
        room
    }

    /// Ends the lap behind a record, where the peer has replied to those before: `received` is the
    /// number of its records received here.
    #[cold]
    pub(crate) fn turn(&mut self, room: &mut ring::Reservation, received: Option<u32>) {
        let answers = received.map_or(0, |received| received.wrapping_sub(self.received));
        self.received = received.unwrap_or(self.received);
        self.writer.turn(room, answers);
    }

    /// Grows the ring as far as is due, or as it may (`Layout::lines_of`). Without memory for that,
    /// it stays as it is.
    #[cold]
    fn grow(&mut self, view: &View, sizes: &Sizes) {
        let due = if self.carried >= self.large_after {
            self.large_after = usize::MAX;
            sizes.large
        } else {
            self.grows_from = usize::MAX;
            sizes.grown
        };
        let lines = due.min(view.layout.lines_of(self.index));
        let (at, len) = view.layout.ring_part(self.index, lines);
        if lines > self.writer.lines() && view.segment().reserve(at, len).is_ok() {
            self.writer.grow(lines);
        }
    }
}

#[cfg(test)]
mod tests;
