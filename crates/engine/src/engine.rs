//! [`Engine`], and the wait that every blocking call uses.

use std::cell::Cell;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::Arc;
use std::time::Duration;

use base::{Clock, Counters, Monotonic, PeerId};
use bml::{Bml, Choice};
use btl::{Foreign, Transport};
use pml::Pml;
use sync::{Alarm, Contention, Entered, Gate, Ladder, Pace, Patience, Step};

use crate::core::leave_after_poll;
use crate::error::Error;
use crate::helper_timer::HelperTimer;
use crate::ob1::Settings;
use crate::plain::Plain;
use crate::pml::{Core, Decorate};
use crate::polls::ContendedSpin;
use crate::quiet::Quiet;

/// Polls on one step of the wait ladder, while no other thread may want to enter.
const POLLS_PER_STEP: usize = 16;

/// Polls before each yield where there is a core for each process: a yield takes as long as several
/// polls, and what a provider of libfabric does to this process's memory waits for one.
const POLLS_PER_YIELD: usize = 64;

/// Polls on one step where other processes want the core: messages arrive while this process has
/// yielded. A transport may skip every second poll.
const POLLS_CONTENDED: usize = 2;

/// Polls of a blocking receive before it becomes a wait; together about a microsecond.
const SHORT_POLLS: u32 = 24;

/// The engine of one process. Shared by reference; every method may be called by any thread
/// that the gate lets in.
pub struct Engine {
    pub(crate) gate: Gate<Core>,
    pub(crate) contention: Contention,
    /// Threads that wait, while several may.
    pub(crate) waiters: AtomicU32,
    /// The descriptor that also wakes a sleeper; [`NO_DESCRIPTOR`] when none does.
    pub(crate) watched: AtomicI32,
    /// Whether news at that descriptor are urgent: of processes that have failed, in a job that
    /// goes on.
    pub(crate) has_short_sleeps: AtomicBool,
    /// How often a thread has slept, or found after a yield that others had the core; wraps.
    pub(crate) sleeps: AtomicU32,
    /// Threads that sleep, or are about to.
    pub(crate) asleep: AtomicU32,
    /// The wait in which nothing happens.
    pub(crate) quiet: Quiet,
    clock: Monotonic,
    /// Counters that tools read at any time.
    pub(crate) counters: Arc<Counters>,
    /// Ends sleeps where a thread that works for this process outside of the gate rings.
    pub(crate) alarm: Arc<Alarm>,
}

/// No descriptor.
pub(crate) const NO_DESCRIPTOR: RawFd = -1;

/// A thread that waits.
///
/// Its end may enter the gate. It is always outside then: all guards of a wait come from
/// [`Waiter::enter`] or [`Waiter::hold`] and borrow the waiter, so that none outlives it.
pub(crate) struct Waiter<'a> {
    pub(crate) engine: &'a Engine,
    /// Whether the thread is counted in `waiters`, since several may wait.
    counted: bool,
    /// Whether the thread has notified the peers that it waits.
    attends: Cell<bool>,
    spin: Cell<ContendedSpin>,
    /// Whether the thread has slept since something happened.
    is_quiet: Cell<bool>,
}

impl<'a> Waiter<'a> {
    #[inline]
    pub(crate) fn join(engine: &'a Engine) -> Waiter<'a> {
        let counted = engine.gate.is_shared();
        if counted {
            engine.waiters.fetch_add(1, Ordering::Relaxed);
        }
        Waiter {
            engine,
            counted,
            attends: Cell::new(false),
            spin: Cell::new(ContendedSpin::Unknown),
            is_quiet: Cell::new(false),
        }
    }

    /// Enters the gate. The waiter cannot end before the guard does.
    #[inline]
    pub(crate) fn enter(&self) -> Entered<'_, Core> {
        self.engine.gate.enter()
    }

    /// Returns a guard, taken before the wait began, that cannot outlive the waiter.
    #[inline]
    pub(crate) fn hold<'w>(&'w self, core: Entered<'w, Core>) -> Entered<'w, Core> {
        core
    }

    /// Notes, before a sleep, since when nothing happens in this wait.
    pub(crate) fn fall_quiet(&self) {
        if !self.is_quiet.replace(true) || !self.engine.quiet.is_on() {
            self.engine.quiet.begin(self.engine.clock.now());
        }
    }

    /// Notes that something has happened, or that the wait is over.
    #[inline]
    pub(crate) fn end_quiet(&self) {
        if self.is_quiet.take() {
            self.engine.quiet.end();
        }
    }

    #[inline]
    pub(crate) fn end_quiet_if(&self, happened: bool) {
        if happened {
            self.end_quiet();
        }
    }

    /// Begins the wait anew, since something has happened.
    #[inline]
    pub(crate) fn restart(&self, ladder: &mut Ladder, helper_timer: &mut HelperTimer) {
        self.end_quiet();
        ladder.restart();
        helper_timer.restart();
    }

    /// Notes a step of the wait, for what spins on a contended core bring.
    #[inline]
    pub(crate) fn note_step(&self, step: Step, contended: bool, ladder: &Ladder) {
        let spin = match contended {
            true => self.spin.get().after(step, ladder),
            false => ContendedSpin::Unknown,
        };
        self.spin.set(spin);
    }

    #[inline]
    fn is_one_of_many(&self) -> bool {
        self.counted && self.engine.waiters.load(Ordering::Relaxed) > 1
    }

    /// Notifies the peers that this process handles accesses to its windows. Called once it has
    /// waited for a moment.
    #[inline]
    pub(crate) fn attend(&self, core: &mut Core) {
        if !self.attends.get() && core.has_windows() && self.engine.spins() {
            core.attend(true);
            self.attends.set(true);
        }
    }

    /// Notifies the peers that this process does not wait any more.
    #[inline]
    pub(crate) fn stop_attending(&self) {
        if self.attends.take() {
            self.enter().attend(false);
        }
    }

    /// Does what [`Waiter::stop_attending`] does, from inside the gate.
    #[inline]
    pub(crate) fn stop_attending_inside(&self, core: &mut Core) {
        if self.attends.take() {
            core.attend(false);
        }
    }
}

impl Drop for Waiter<'_> {
    #[inline]
    fn drop(&mut self) {
        self.stop_attending();
        self.end_quiet();
        self.spin.get().note(&self.engine.contention);
        if self.counted {
            self.engine.waiters.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Engine {
    /// Returns an engine over opened transports. `gate` makes the gate, as the thread level needs
    /// it.
    pub fn new(bml: Bml, settings: Settings, gate: impl FnOnce(Core) -> Gate<Core>) -> Engine {
        let plain = Plain::over_lanes(bml, &settings);
        Engine::over(plain, None, settings.patience, gate)
    }

    /// Returns an engine over a layer that moves messages; `decorate` puts one of `vprotocol` over
    /// it, where given. `gate` makes the gate, as the thread level needs it.
    pub fn over(
        plain: Plain,
        decorate: Option<Decorate>,
        patience: Patience,
        gate: impl FnOnce(Core) -> Gate<Core>,
    ) -> Engine {
        let core = Core::over(plain, decorate);
        let counters = core.counters();
        Engine {
            quiet: Quiet::default(),
            clock: Monotonic::start(),
            counters,
            gate: gate(core),
            contention: Contention::new(patience),
            waiters: AtomicU32::new(0),
            watched: AtomicI32::new(NO_DESCRIPTOR),
            has_short_sleeps: AtomicBool::new(false),
            sleeps: AtomicU32::new(0),
            asleep: AtomicU32::new(0),
            alarm: Arc::default(),
        }
    }

    /// Returns the counters of this process, which tools read without its gate.
    pub fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }

    /// Returns what peers need to reach this process.
    pub fn address(&self) -> Vec<u8> {
        self.gate.enter().address()
    }

    /// Introduces a peer by its address and chooses the lane to it.
    ///
    /// # Errors
    /// When the address is malformed, or when nothing reaches the peer.
    pub fn add_peer(&self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        self.gate.enter().add_peer(peer, address)
    }

    /// Prepares for peers of other jobs, and opens transports that were not needed before.
    ///
    /// # Errors
    /// When a network matches the messages, or a transport lacks what it needs.
    pub fn expect_foreign(&self, transports: Vec<Box<dyn Transport>>) -> Result<(), Error> {
        self.gate.enter().expect_foreign(transports)
    }

    /// Introduces a peer of another job by its address and the agreement with it, and chooses the
    /// lane to it.
    ///
    /// # Errors
    /// See [`Engine::add_peer`]; also when a network matches the messages.
    pub fn add_foreign(
        &self,
        peer: PeerId,
        foreign: &Foreign,
        address: &[u8],
    ) -> Result<Choice, Error> {
        self.gate.enter().add_foreign(peer, foreign, address)
    }

    /// Forgets a peer that has left its job in good order, so that it can be introduced again as
    /// another instance. All that it sent is taken in before.
    pub fn remove_peer(&self, peer: PeerId) {
        self.gate.enter().forget_peer(peer);
    }

    /// Gives up a peer that is known to have died: everything that it sent is taken in, then all
    /// that needs it fails, with `why` as the reason.
    pub fn lose_peer(&self, peer: PeerId, why: &str) {
        self.gate.enter().lose_peer(peer, why);
    }

    /// Returns the first peer of `wanted` that has failed, with what was seen of it. Transports
    /// look for failed peers as they do before a sleep. A peer that sent a shutdown message does
    /// not count: a process that waits with others at the launcher may be the last to learn
    /// that the wait is over.
    pub fn failed_of(&self, wanted: impl Fn(PeerId) -> bool) -> Option<(PeerId, String)> {
        let mut core = self.enter();
        drop(core.arm());
        core.progress_all();
        core.disarm();
        let died = |(peer, _): &&(PeerId, String)| wanted(*peer) && !core.has_left(*peer);
        core.failed().iter().find(died).cloned()
    }

    /// Returns whether several threads may be inside calls.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.gate.is_shared()
    }

    /// Wakes sleepers when a descriptor becomes readable, too; `None` ends that. The descriptor
    /// stays open until then, and the caller reads it after a sleep ([`Engine::sleeps`]).
    pub fn watch(&self, descriptor: Option<RawFd>) {
        let watched = descriptor.unwrap_or(NO_DESCRIPTOR);
        self.watched.store(watched, Ordering::Relaxed);
    }

    /// Limits, from now on, sleeps that the watched descriptor does not end.
    pub fn keep_sleeps_short(&self) {
        self.has_short_sleeps.store(true, Ordering::Relaxed);
    }

    /// Returns what ends the sleeps of this process from a thread that may not enter the engine:
    /// while a result is expected, sleeps are on descriptors.
    pub fn alarm(&self) -> &Arc<Alarm> {
        &self.alarm
    }

    /// Returns how often threads have slept here; wraps.
    #[inline]
    pub fn sleeps(&self) -> u32 {
        self.sleeps.load(Ordering::Relaxed)
    }

    /// Moves everything that can move, once. Returns whether anything happened.
    pub fn progress(&self) -> bool {
        let mut core = self.gate.enter();
        let happened = core.progress() > 0;
        match happened {
            true => {
                core.helper_timer.restart();
                core.polls.restart();
            }
            false => core.polled_empty(),
        }
        leave_after_poll(core, happened);
        happened
    }

    /// Waits until `condition` returns something, and polls between its calls.
    #[inline]
    pub fn wait_until<T>(&self, condition: impl FnMut(&mut Core) -> Option<T>) -> T {
        self.wait_until_with(condition, || false)
    }

    /// Waits as [`Engine::wait_until_woken`] does. Another thread may check the condition and call
    /// its own `between` meanwhile: what that does is of use to all.
    #[inline]
    pub fn wait_for<T: Send>(
        &self,
        condition: impl FnMut(&mut Core) -> Option<T> + Send,
        between: impl FnMut() -> bool,
        announce_sleep: impl FnMut(bool),
    ) -> T {
        match self.gate.is_shared() {
            true => self.wait_among(condition, between, announce_sleep),
            false => self.wait_until_woken(condition, between, announce_sleep),
        }
    }

    /// Waits as [`Engine::wait_until`] does. `between` is called outside the gate after each round
    /// of polls; it does what else has to go on, and returns whether it did anything.
    #[inline]
    pub fn wait_until_with<T>(
        &self,
        condition: impl FnMut(&mut Core) -> Option<T>,
        between: impl FnMut() -> bool,
    ) -> T {
        self.wait_until_woken(condition, between, |_| {})
    }

    /// Waits as [`Engine::wait_until_with`] does, for something that no message brings.
    /// `announce_sleep(true)` is called before a sleep, and `condition` checked once more after it:
    /// whatever makes the condition true has to wake this process then ([`Engine::wake`]).
    /// `announce_sleep(false)` is called afterwards.
    #[inline]
    pub fn wait_until_woken<T>(
        &self,
        mut condition: impl FnMut(&mut Core) -> Option<T>,
        mut between: impl FnMut() -> bool,
        mut announce_sleep: impl FnMut(bool),
    ) -> T {
        let waiter = Waiter::join(self);
        let mut helper_timer = HelperTimer::default();
        let mut contended = self.contention.is_contended();
        let mut ladder = Ladder::new(self.patience());
        let mut pace = Pace::default();
        let mut sleeps = 0;
        let mut step = Step::Spin;
        self.counters.waits.add(1);
        loop {
            let is_shared = self.gate.is_shared();
            let polls = polls_per_step(step, is_shared, contended);
            let mut core = waiter.enter();
            let mut happened = 0;
            for _ in 0..polls {
                if let Some(found) = condition(&mut core) {
                    return found;
                }
                happened += core.progress();
                if happened > 0 && step == Step::Yield {
                    // `between` may have waited for it.
                    break;
                }
            }
            waiter.attend(&mut core);
            if step != Step::Spin {
                self.wake_helpers(&mut core, &mut helper_timer);
            }
            let backs_off = core.backs_off();
            leave_after_poll(core, happened > 0);
            // `between` may report it to the launcher.
            waiter.end_quiet_if(happened > 0);
            if between() || happened > 0 {
                waiter.restart(&mut ladder, &mut helper_timer);
                sleeps = 0;
                // It may be what is waited for: the condition is checked first.
                step = Step::Spin;
                continue;
            }
            step = ladder.step();
            waiter.note_step(step, contended, &ladder);
            match step {
                // A thread that spins keeps others of its process from what they wait for.
                Step::Spin if waiter.is_one_of_many() => std::thread::yield_now(),
                // Without a pause: on some cores it takes as long as the message.
                Step::Spin => {}
                // The poll has yielded the core already. A yield would go to the same thread,
                // which may keep the core for as long as the scheduler lets it.
                Step::Yield if backs_off => {}
                Step::Yield => self.yield_core(contended || is_shared, &mut pace),
                Step::Sleep => {
                    waiter.fall_quiet();
                    waiter.stop_attending();
                    let found = self.sleep(&mut sleeps, &mut condition, &mut announce_sleep);
                    if let Some(found) = found {
                        return found;
                    }
                }
            }
            if self.contention.is_contended() != contended {
                contended = !contended;
                ladder.change(self.contention.patience());
            }
        }
    }

    /// Returns the number of the wait in which nothing happens, and for how long; `None` where
    /// nobody waits here, or something has happened since the last sleep. Two such numbers are
    /// equal where nothing has happened in between.
    pub fn quiet_wait(&self) -> Option<(u64, Duration)> {
        let (number, since) = self.quiet.now()?;
        Some((number, self.clock.now().since(since)))
    }

    /// Returns how many threads wait here, where several may.
    pub fn waiters(&self) -> u32 {
        self.waiters.load(Ordering::Relaxed)
    }

    /// Gives the core to others: at once where threads or processes are known to want it.
    fn yield_core(&self, is_wanted: bool, pace: &mut Pace) {
        self.counters.waits_yielded.add_shared(1);
        if is_wanted {
            self.contention.give_way();
        } else {
            pace.give_way(&self.contention);
        }
    }

    /// Returns how often a receive polls before it begins to wait: once where other threads may
    /// want to enter, or other processes want the core.
    #[inline]
    pub fn short_polls(&self) -> u32 {
        match self.contention.is_contended() || self.gate.is_shared() {
            true => 1,
            false => SHORT_POLLS,
        }
    }

    /// Ends the sleep of a peer that waits for something other than a message. It costs a peer that
    /// is awake one empty message.
    #[cold]
    pub fn wake(&self, peer: PeerId) {
        self.enter().wake(peer);
    }

    /// Sets how long waits stay awake, once it is known which processes share this one's cores.
    pub fn set_patience(&self, patience: Patience) {
        self.contention.set_patience(patience);
    }

    /// Returns whether a wait begins with spinning: there is a core for each process.
    pub fn spins(&self) -> bool {
        !self.contention.is_crowded()
    }

    /// Sends shutdown messages to all peers and releases what the transports hold. Called once
    /// everything that matters is complete.
    pub fn close(&self) {
        self.gate.enter().close();
    }

    /// Returns the state, for one query or one operation.
    #[inline]
    pub fn enter(&self) -> sync::Entered<'_, Core> {
        self.gate.enter()
    }

    /// Whether the calling thread has the lock of the gate, which may be that of another gate, too.
    pub fn is_locked_here(&self) -> bool {
        self.gate.is_locked_here()
    }

    /// Lets threads call at any time from now on.
    pub fn share(&self) {
        self.gate.share();
    }
}

/// Returns how often a wait polls after a step of its ladder before the next step.
#[inline]
fn polls_per_step(step: Step, is_shared: bool, contended: bool) -> usize {
    match step {
        _ if is_shared => 1,
        _ if contended => POLLS_CONTENDED,
        Step::Yield => POLLS_PER_YIELD,
        _ => POLLS_PER_STEP,
    }
}
