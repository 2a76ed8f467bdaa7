//! Waits of several threads at `MPI_THREAD_MULTIPLE`: one polls for all.
//!
//! The thread that began to wait last polls: it is likely to have work again soon, and its core has
//! the engine's state in its cache. The others park ([`sync::Parking`]): they leave their
//! conditions behind the gate, and the poller wakes them once those are true. Where each process
//! has several cores, as many threads as have one spin for a while before they sleep.
//!
//! | what happens | what follows |
//! |---|---|
//! | a thread begins to wait | it polls; who polled before parks, and is woken for that where it sleeps |
//! | a poll finds something | now and then, and once polls are empty, the conditions are checked |
//! | a condition is true | its thread is woken, and returns with what the poller found for it |
//! | the poller leaves after a short wait | nobody polls: it is likely to wait again at once |
//! | it leaves after a long one, or threads are away for long | it calls the thread parked last to poll |
//! | nobody has polled for a millisecond | a parked thread notices, and polls |

use std::time::{Duration, Instant};

use pml::Pml;
use sync::{futex, Entered, Ladder, Served, Step};

use crate::crowd::POLLS_IDLE;
use crate::engine::{Engine, Waiter};
use crate::helper_timer::HelperTimer;
use crate::pml::Core;

/// A poller that has waited for longer, or whose threads were away for longer before, calls another
/// one to poll when it leaves: the call takes little beside that.
const LONG: Duration = Duration::from_micros(50);
/// How often a parked thread checks whether some thread polls.
const CHECK: Duration = Duration::from_millis(1);
const CHECK_MAX: Duration = Duration::from_millis(16);
/// Empty polls after which a poller that has woken others leaves its core to them.
const POLLS_OWED: u32 = 4;

/// Makes the caller the one that polls. Wakes the one that did, if it sleeps: it has to park, or
/// nobody would check its condition. Arrivals wake nobody while somebody polls.
fn begin_turn(core: &mut Core) -> u64 {
    let crowd = &mut core.crowd;
    if let Some(since) = crowd.free_since.take() {
        crowd.gap = since.elapsed();
    }
    crowd.turns += 1;
    crowd.poller = crowd.turns;
    if let Some(word) = crowd.bed.take() {
        crowd.armed = 0;
        core.disarm();
        futex::wake(word.word(), i32::MAX);
    }
    core.crowd.turns
}

/// Ends a turn. Calls another thread to poll, where that costs little beside what has passed.
fn end_turn(core: &mut Entered<'_, Core>, turn: u64, began: Instant) -> Served {
    let crowd = &mut core.crowd;
    if crowd.poller != turn {
        return Served::NONE;
    }
    crowd.poller = 0;
    if crowd.parking.is_empty() {
        return Served::NONE;
    }
    let now = Instant::now();
    crowd.free_since = Some(now);
    match crowd.gap >= LONG || now - began >= LONG {
        true => core.call_last(),
        false => Served::NONE,
    }
}

impl Engine {
    /// Waits as [`Engine::wait_for`] does, where several threads may wait.
    #[inline(never)]
    pub(crate) fn wait_among<T: Send>(
        &self,
        mut condition: impl FnMut(&mut Core) -> Option<T> + Send,
        mut between: impl FnMut() -> bool,
        mut announce_sleep: impl FnMut(bool),
    ) -> T {
        let mut core = self.gate.enter();
        if let Some(found) = condition(&mut core) {
            return found;
        }
        self.counters.waits.add(1);
        let waiter = Waiter::join(self);
        let mut core = waiter.hold(core);
        let mut wait = Wait::begin(&waiter, &mut core);
        loop {
            if let Some(found) = wait.poll(core, &mut condition, &mut between) {
                return found;
            }
            let found = wait.give_way(&mut condition, &mut announce_sleep);
            if let Some(found) = found {
                return found;
            }
            core = waiter.enter();
            if core.crowd.poller == wait.turn {
                continue;
            }
            if let Some(found) = condition(&mut core) {
                return found;
            }
            if let Some(found) = wait.park(core, &mut condition) {
                return found;
            }
            core = waiter.enter();
            if let Some(found) = condition(&mut core) {
                return found;
            }
            wait.begin_turn(&mut core);
        }
    }
}

/// A thread that waits, and its turn to poll.
struct Wait<'a> {
    waiter: &'a Waiter<'a>,
    helper_timer: HelperTimer,
    turn: u64,
    began: Instant,
    contended: bool,
    ladder: Ladder,
    step: Step,
    /// Sleeps since something happened.
    sleeps: u32,
    /// Polls since something happened.
    empty: u32,
    /// Polls since conditions of parked threads were checked.
    unchecked: u32,
    /// Whether threads were woken that may want this core.
    owes: bool,
    /// Whether the last poll was empty: the core may be left to others.
    gives_way: bool,
    /// Whether that poll has left it to others already.
    backs_off: bool,
}

impl<'a> Wait<'a> {
    fn begin(waiter: &'a Waiter<'a>, core: &mut Core) -> Wait<'a> {
        let engine = waiter.engine;
        Wait {
            waiter,
            helper_timer: HelperTimer::default(),
            turn: begin_turn(core),
            began: Instant::now(),
            contended: engine.contention.is_contended(),
            ladder: Ladder::new(engine.contention.patience_of_many()),
            step: Step::Spin,
            sleeps: 0,
            empty: 0,
            unchecked: 0,
            owes: false,
            gives_way: false,
            backs_off: false,
        }
    }

    /// Begins another turn of the same wait.
    fn begin_turn(&mut self, core: &mut Core) {
        self.turn = begin_turn(core);
        self.began = Instant::now();
        self.ladder.restart();
        self.step = Step::Spin;
        (self.sleeps, self.empty, self.unchecked, self.owes) = (0, 0, 0, false);
    }

    /// Polls once, and finds out what to do next. Returns what the condition has found.
    fn poll<T>(
        &mut self,
        mut core: Entered<'a, Core>,
        condition: &mut impl FnMut(&mut Core) -> Option<T>,
        between: &mut impl FnMut() -> bool,
    ) -> Option<T> {
        let happened = core.progress() > 0;
        let found = condition(&mut core);
        self.empty = if happened { 0 } else { self.empty + 1 };
        self.unchecked += 1;
        let mut served = Served::NONE;
        let pauses = self.step != Step::Spin;
        if core.crowd.is_check_due(self.unchecked, self.empty, pauses) {
            self.unchecked = 0;
            served = core.serve();
        }
        if found.is_some() {
            self.waiter.stop_attending_inside(&mut core);
            let called = end_turn(&mut core, self.turn, self.began);
            drop(core);
            served.wake();
            called.wake();
            return found;
        }
        self.waiter.attend(&mut core);
        if self.step != Step::Spin {
            let timer = &mut self.helper_timer;
            self.waiter.engine.wake_helpers(&mut core, timer);
        }
        let backs_off = core.backs_off();
        match self.empty >= POLLS_IDLE {
            true => core.leave_idle(),
            false => drop(core),
        }
        self.owes |= !served.is_empty();
        served.wake();
        // `between` may report it to the launcher.
        self.waiter.end_quiet_if(happened);
        if between() || happened {
            self.waiter
                .restart(&mut self.ladder, &mut self.helper_timer);
            self.sleeps = 0;
            self.step = Step::Spin;
            return None;
        }
        self.step = self.ladder.step();
        self.waiter
            .note_step(self.step, self.contended, &self.ladder);
        self.gives_way = true;
        self.backs_off = backs_off;
        None
    }

    /// Leaves the core to others, as the step of the ladder says. Returns what the condition has
    /// found before a sleep.
    fn give_way<T>(
        &mut self,
        condition: &mut impl FnMut(&mut Core) -> Option<T>,
        announce_sleep: &mut impl FnMut(bool),
    ) -> Option<T> {
        if !std::mem::take(&mut self.gives_way) {
            return None;
        }
        let engine = self.waiter.engine;
        match self.step {
            Step::Spin if self.owes && self.empty >= POLLS_OWED => std::thread::yield_now(),
            Step::Spin => {}
            // The poll has yielded the core already.
            Step::Yield if self.backs_off => {}
            Step::Yield => drop(engine.contention.give_way()),
            Step::Sleep => {
                self.waiter.fall_quiet();
                self.waiter.stop_attending();
                // Not while another thread polls: no doorbell would ring.
                let turn = self.turn;
                let mut awaited = |core: &mut Core| match core.crowd.poller == turn {
                    true => condition(core).map(Some),
                    false => Some(None),
                };
                let found = engine.sleep(&mut self.sleeps, &mut awaited, announce_sleep);
                if let Some(Some(found)) = found {
                    let mut core = engine.enter();
                    let called = end_turn(&mut core, turn, self.began);
                    drop(core);
                    called.wake();
                    return Some(found);
                }
            }
        }
        if engine.contention.is_contended() != self.contended {
            self.contended = !self.contended;
            self.ladder.change(engine.contention.patience_of_many());
        }
        None
    }

    /// Leaves polling to another thread, until the condition is true or this thread is to poll.
    fn park<T: Send>(
        &mut self,
        mut core: Entered<'_, Core>,
        condition: &mut (impl FnMut(&mut Core) -> Option<T> + Send),
    ) -> Option<T> {
        let engine = self.waiter.engine;
        self.waiter.stop_attending_inside(&mut core);
        let spin = core.crowd.spin(engine.contention.patience_of_many());
        let mut spins = !spin.is_zero();
        let (mut seen, mut pause) = (core.crowd.turns, CHECK);
        let stays = |core: &mut Core, called: bool| {
            if std::mem::take(&mut spins) {
                core.crowd.spinning -= 1;
            }
            let turns = std::mem::replace(&mut seen, core.crowd.turns);
            if core.crowd.poller == 0 && (called || turns == seen) {
                return None;
            }
            pause = (2 * pause).min(CHECK_MAX);
            Some(pause)
        };
        let mut found = None;
        let mut check = |core: &mut Core| {
            found = condition(core);
            found.is_some()
        };
        core.park(&mut check, (spin, CHECK), stays);
        if spins {
            engine.enter().crowd.spinning -= 1;
        }
        found
    }
}
