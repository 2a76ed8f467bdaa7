//! Progress: the mechanisms that move messages, and which thread drives each of them.
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
//! | the same (6) | a peer, or nobody | the application computes | its helper thread |
//! | progress thread (4) | any peer | the target computes | the target's progress thread |
//! | asking to stay awake (5) | the origin | the target sleeps in a call | the target |
//!
//! 1. [`btl::Transport::back_off`]: an empty poll leaves the core to that thread.
//! 2. [`btl::Presence::set_waiting`]: origins send what [`btl::Hints::waiting_max`] says.
//! 3. [`btl::Presence::wake_helper`]: the origin wakes it after 100 us of empty polls.
//! 4. `osc_progress_thread`, `btl_tcp_progress_thread`: it polls all the time.
//! 5. `btl-ofi`, `help`: the origin asks by a message after 256 empty polls.
//! 6. [`crate::Engine::help`]: a turn now and then while operations are pending.
//!
//! `docs/progress.md` says when each of them is in use, and what it costs.
//!
//! # The helper thread
//!
//! A thread that takes in what is done to this process's windows while the application computes,
//! and moves on what the application has started: messages that peers have to ask for, and
//! collectives of several rounds.
//!
//! For windows it sleeps until a process on the same node has polled for a reply without success,
//! and so costs nothing as long as replies come: the application has the engine to itself until
//! then, and again afterwards ([`sync::Gate::admit`]).
//!
//! ```text
//! origin                                     target
//!                                            the thread: word = HELPER_ASLEEP, sleeps
//! polls, and nothing comes for 100 us
//! wake_helpers: clears the word, wakes it -> one turn in the engine, beside the application
//! the reply                               <-
//! ```
//!
//! For pending operations it takes a turn by itself, unless the application has polled since the
//! last one or sleeps in a wait. Turns follow each other quickly while they find something, and
//! ever more slowly while they do not (`Pauses`): after the first tenths of a second of a wait it
//! takes about two hundredths of a core at most, also where wake-ups are dear.

use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::PeerId;
use btl::FutexWord;
use pml::Pml;

use crate::core::leave_after_poll;
use crate::engine::Engine;
use crate::helper_timer::{HelperTimer, TESTS, YIELDS, YIELDS_CROWDED};
use crate::pml::Core;

/// Consecutive empty polls that end a turn. More than one, since a poll skips some silent peers.
const EMPTY_POLLS: usize = 32;
/// As many where nobody waits for the turn.
const EMPTY_POLLS_HELP: usize = 2;
/// Polls of a turn at most, so that the application gets the engine back.
const POLLS_MAX: usize = 1024;

impl Core {
    /// Whether peers that share memory with this process owe it replies to its accesses.
    pub(crate) fn awaits_accesses(&self) -> bool {
        let Some(lanes) = self.lanes() else {
            return false;
        };
        let (osc, bml) = (&lanes.osc, &lanes.bml);
        let shares = |peer| bml.caps(peer).is_some_and(|caps| caps.shares_memory);
        osc.open_windows() > 0 && osc.awaited().any(shares)
    }

    /// Wakes the helper threads of peers that owe replies, if that is due after an empty poll.
    #[cold]
    fn wake_helpers(&mut self, timer: &mut HelperTimer, patience: Duration) {
        let Some(lanes) = self.lanes_mut() else {
            return;
        };
        if lanes.osc.open_windows() > 0 && timer.is_due(Instant::now(), patience) {
            let owing = lanes.osc.awaited();
            owing.for_each(|peer| lanes.bml.wake_helper(peer));
        }
    }

    /// Counts an empty poll of a caller that may poll again at once (`MPI_Test`).
    #[inline]
    pub(crate) fn polled_empty(&mut self) {
        if self.has_windows() && self.helper_timer.polled_empty() {
            let mut timer = std::mem::take(&mut self.helper_timer);
            self.wake_helpers(&mut timer, TESTS);
            self.helper_timer = timer;
        }
    }
}

impl Engine {
    /// Wakes the helper threads of peers that owe replies, after an empty poll of a wait before a
    /// yield.
    #[cold]
    pub(crate) fn wake_helpers(&self, core: &mut Core, timer: &mut HelperTimer) {
        let patience = match self.spins() {
            true => YIELDS,
            false => YIELDS_CROWDED,
        };
        core.wake_helpers(timer, patience);
    }

    /// The word on which a helper thread may sleep; see [`btl::Presence::helper_word`].
    pub fn helper_word(&self) -> Option<Arc<dyn FutexWord>> {
        self.enter().lanes_mut()?.bml.helper_word()
    }

    /// Whether a peer may wake the helper thread of this process.
    pub fn may_be_woken_by(&self, peer: PeerId) -> bool {
        self.enter().shares_memory(peer)
    }

    /// One turn of the helper thread: moves everything that can move, whether or not the gate is
    /// shared. Arms no doorbell: another thread may be asleep on it.
    pub fn stand_in(&self) {
        let admission = self.gate.admit();
        let mut core = admission.enter();
        self.move_all(EMPTY_POLLS, || core.progress_all() > 0);
    }

    /// Polls until nothing has moved for `idle` polls. Returns whether anything has.
    fn move_all(&self, idle: usize, mut poll: impl FnMut() -> bool) -> bool {
        let (mut polls, mut empty) = (0, 0);
        while empty < idle && polls < POLLS_MAX {
            polls += 1;
            empty = match poll() {
                false => empty + 1,
                true => {
                    self.quiet.end();
                    0
                }
            };
        }
        polls > idle
    }

    /// One turn of the helper thread for operations that the application has started: moves
    /// everything that can move, unless the application polls or sleeps in a wait, and calls
    /// `between` outside the gate after each poll, which says whether it has moved anything.
    /// `polls` is the application's count of polls at the last turn; it is changed to today's.
    pub fn help(&self, polls: &mut u64, mut between: impl FnMut() -> bool) -> Help {
        let now = self.counters.polls.get();
        let polled = std::mem::replace(polls, now) != now;
        if self.asleep.load(Ordering::SeqCst) > 0 {
            return Help::Asleep;
        }
        if polled || self.alarm.expect().is_err() {
            return Help::Needless;
        }
        // A thread that falls asleep from now on listens to the alarm as well: either this sees it
        // asleep, or it sees that the alarm is expected.
        let help = match self.asleep.load(Ordering::SeqCst) {
            0 => self.help_admitted(&mut between),
            _ => Help::Asleep,
        };
        self.alarm.met();
        help
    }

    fn help_admitted(&self, between: &mut impl FnMut() -> bool) -> Help {
        let admission = self.gate.admit();
        let moved = self.move_all(EMPTY_POLLS_HELP, || {
            let mut core = admission.enter();
            let happened = core.progress_all() > 0;
            leave_after_poll(core, happened);
            between() | happened
        });
        if moved {
            self.alarm.ring();
        }
        let open = admission.enter().open_requests();
        match (moved, open) {
            (true, _) => Help::Moved,
            (false, 0) => Help::NothingPending,
            (false, _) => Help::Nothing,
        }
    }
}

/// The outcome of a helper thread's turn for pending operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Help {
    /// The application polls by itself.
    Needless,
    /// The application sleeps in a wait, and wakes up by itself.
    Asleep,
    /// Something has moved.
    Moved,
    /// Nothing has moved.
    Nothing,
    /// Nothing has moved, and no message is pending.
    NothingPending,
}
