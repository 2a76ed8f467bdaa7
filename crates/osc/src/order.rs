//! The order of accesses that reach one target by different carriers.
//!
//! **No access overtakes an earlier one of this process to the same target that writes there**: a
//! put, an accumulate or a swap. The standard orders accumulates alone; programs rely on more, such
//! as a get that sees what was accumulated before it once `MPI_Win_flush_local` has returned.
//!
//! Messages are handled in the order in which they were sent, so an access by a message follows all
//! messages before it at no cost. An access by another carrier may arrive before them, and they
//! before the accesses that a lane has under way:
//!
//! | an access by | follows by itself | has to wait for |
//! |---|---|---|
//! | a message | messages | puts and changes of words that a lane has under way |
//! | a lane's put | puts of the lane | messages that nothing has confirmed, changes of words |
//! | a change of a word | changes of words | such messages, puts of the lane |
//! | a lane's get, a load or a store | nothing | such messages, all that a lane writes |
//!
//! A put or a get that would have to wait for messages goes by a message, too, and has them
//! confirmed by that: so unmixed accesses cost nothing, and mixed ones seldom wait.

use base::Rank;

use crate::phase::FlushPhase;
use crate::target::Target;
use crate::wire::{Header, Kind};
use crate::{Osc, WindowId};

/// The means by which an access reaches its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carrier {
    /// Active messages.
    Messages,
    /// A put by the target's lane.
    LanePut,
    /// A get by the target's lane.
    LaneGet,
    /// A change of a word by the transport that serves the words of the window.
    Word,
    /// Loads and stores in memory that this process shares with the target.
    Memory,
}

impl Target {
    /// Whether an access by a carrier, begun now, comes behind all that writes before it.
    #[inline]
    pub(crate) fn may_follow(&self, carrier: Carrier) -> bool {
        match carrier {
            Carrier::Messages => self.is_lane_through(),
            Carrier::LanePut => self.is_confirmed() && self.changes == 0,
            Carrier::Word => self.is_confirmed() && self.is_put(),
            Carrier::LaneGet | Carrier::Memory => self.is_confirmed() && self.is_lane_through(),
        }
    }

    /// Whether all that was written by messages is known to be there.
    #[inline]
    fn is_confirmed(&self) -> bool {
        !self.has_unconfirmed() && self.is_answered() && self.fetches == 0
    }

    /// Whether all that a lane writes is there.
    #[inline]
    pub(crate) fn is_lane_through(&self) -> bool {
        self.changes == 0 && self.is_put()
    }

    /// Whether all that a lane puts is there.
    #[inline]
    fn is_put(&self) -> bool {
        self.puts == 0 && self.flush == FlushPhase::Idle
    }

    /// Counts an access that a lane has begun to do.
    #[inline]
    pub(crate) fn enter_lane(&mut self, carrier: Carrier) {
        self.on_lane += 1;
        self.puts += u32::from(carrier == Carrier::LanePut);
        self.changes += u32::from(carrier == Carrier::Word);
    }

    /// Uncounts an access that a lane is done with.
    #[inline]
    pub(crate) fn leave_lane(&mut self, carrier: Carrier) {
        self.on_lane -= 1;
        self.puts -= u32::from(carrier == Carrier::LanePut);
        self.changes -= u32::from(carrier == Carrier::Word);
    }
}

impl Osc {
    /// Whether an access by a carrier may begin now and keeps the order. If not, requests the
    /// confirmation or the flush that it waits for: the result changes after some progress. A
    /// target that has failed is not waited for.
    pub fn may_follow(&mut self, window: WindowId, rank: Rank, carrier: Carrier) -> bool {
        let target = self.window(window).target(rank);
        if target.may_follow(carrier) {
            return true;
        }
        let (peer, name) = (target.peer, target.name);
        let lane_first = !target.is_lane_through();
        let asks = carrier != Carrier::Messages && target.has_unconfirmed() && target.is_answered();
        if asks {
            target.ask();
            self.ask(peer, Header::new(Kind::Flush, name));
        }
        if lane_first {
            self.begin_flush_lane(window, rank);
        }
        self.check_peer(peer).is_err()
    }
}
