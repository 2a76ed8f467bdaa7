//! Who makes progress for whom.
//!
//! Messages and accesses to memory move while somebody polls, and only threads of this library do.
//! Where the process that is to move something computes, or sleeps, another mechanism takes over:
//!
//! | mechanism | who waits | who computes or sleeps | who polls |
//! |---|---|---|---|
//! | wait ladder ([`crate::Engine::wait_until`]) | a thread here | | that thread |
//! | calls that test (`polls`) | the application | the application | each test, once |
//! | idle back-off (1) | a thread here | | a thread of the network provider |
//! | waiting flag (2) | the target | | the target |
//! | helper thread (3) | the origin | the target computes | the target's helper thread |
//! | progress thread (4) | any peer | the target computes | the target's progress thread |
//! | asking to stay awake (5) | the origin | the target sleeps in a call | the target |
//!
//! 1. [`btl::Transport::back_off`]: an empty poll leaves the core to that thread.
//! 2. [`btl::Presence::set_waiting`]: origins send what [`btl::Hints::waiting_max`] says.
//! 3. [`btl::Presence::wake_helper`]: the origin wakes it after 100 us of empty polls.
//! 4. `osc_progress_thread`, `btl_tcp_progress_thread`: it polls all the time.
//! 5. `btl-ofi`, `help`: the origin asks by a message after 256 empty polls.
//!
//! `docs/progress.md` says when each of them is in use, and what it costs.
//!
//! # The helper thread
//!
//! A thread that takes in what is done to this process's windows while the application computes.
//!
//! It sleeps until a process on the same node has waited for an answer in vain, and so costs
//! nothing as long as answers come: the engine is the application's own until then, and again
//! afterwards ([`sync::Gate::visit`]).
//!
//! ```text
//! origin                                     target
//!                                            the thread: standby = HELPER_ASLEEP, sleeps
//! waits, and nothing comes for 100 us
//! summon: clears standby, wakes it       ->  one turn in the engine, beside the application
//! the answer                             <-
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::PeerId;
use btl::FutexWord;
use pml::Pml;

use crate::engine::{Engine, Waiter};
use crate::helper_timer::{HelperTimer, TESTS, YIELDS, YIELDS_CROWDED};
use crate::pml::Core;

/// Looks in vain after which a turn ends: transports leave out some of what is silent.
const IDLE_LOOKS: usize = 32;
/// Most looks of a turn, so that the application has its own.
const LOOKS_MAX: usize = 1024;

impl Core {
    /// Whether peers that share memory with this process owe it answers to its accesses.
    pub(crate) fn awaits_accesses(&self) -> bool {
        let Some(lanes) = self.lanes() else {
            return false;
        };
        let (osc, bml) = (&lanes.osc, &lanes.bml);
        let shares = |peer| bml.caps(peer).is_some_and(|caps| caps.shares_memory);
        osc.open_windows() > 0 && osc.awaited().any(shares)
    }

    /// A look in vain: summons those who owe answers, once it is due.
    #[cold]
    fn summon(&mut self, timer: &mut HelperTimer, patience: Duration) {
        let Some(lanes) = self.lanes_mut() else {
            return;
        };
        if lanes.osc.open_windows() > 0 && timer.is_due(Instant::now(), patience) {
            let owing = lanes.osc.awaited();
            owing.for_each(|peer| lanes.bml.wake_helper(peer));
        }
    }

    /// The same for who has looked in vain and may do so again at once.
    #[inline]
    pub(crate) fn looked_in_vain(&mut self) {
        if self.has_windows() && self.helper_timer.polled_empty() {
            let mut timer = std::mem::take(&mut self.helper_timer);
            self.summon(&mut timer, TESTS);
            self.helper_timer = timer;
        }
    }
}

impl Waiter<'_> {
    /// Summons who is waited for, after a look in vain that the wait yields after.
    #[cold]
    pub(crate) fn summon(&mut self, core: &mut Core) {
        let patience = match self.engine.spins() {
            true => YIELDS,
            false => YIELDS_CROWDED,
        };
        core.summon(&mut self.helper_timer, patience);
    }
}

impl Engine {
    /// The word on which a thread may stand by; see [`btl::Presence::helper_word`].
    pub fn standby(&self) -> Option<Arc<dyn FutexWord>> {
        self.enter().lanes_mut()?.bml.helper_word()
    }

    /// Whether a peer may summon the thread that stands by here.
    pub fn may_be_summoned_by(&self, peer: PeerId) -> bool {
        self.enter().shares_memory(peer)
    }

    /// One turn of the thread that stands by: moves everything that can move, whether or not the
    /// gate is shared. It arms no bell: another thread may be asleep on it.
    pub fn stand_in(&self) {
        let mut core = self.gate.visit();
        let (mut looks, mut idle) = (0, 0);
        while idle < IDLE_LOOKS && looks < LOOKS_MAX {
            looks += 1;
            idle = match core.progress_all() {
                0 => idle + 1,
                _ => 0,
            };
        }
    }
}
