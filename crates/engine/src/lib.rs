//! One progress domain: the lanes, the point-to-point state, and the only loop that polls.
//!
//! An [`Engine`] brings together what may not know each other: the BML moves bytes and knows no
//! messages, the PML knows messages and moves nothing. Everything that blocks in this library
//! blocks in [`Engine::wait_until`], on one wait ladder.
//!
//! ```text
//! send:  pml says what to send -> bml sends it     (busy: it stays in the pml's queue)
//! poll:  bml -> Router -> pml                      (replies pile up in the pml's queues)
//!        then the queues are drained to the bml
//! wait:  poll, look, spin or yield or sleep, again
//! ```
//!
//! All state is behind one gate. It is left while the caller's conditions are not being looked
//! at, so threads take turns at `MPI_THREAD_MULTIPLE`.
#![forbid(unsafe_code)]

mod address;
mod core;
mod network;
mod ob1;
mod onesided;
mod pml;
mod polls;
mod pt2pt;
mod router;
mod sleep;
mod standby;

use std::fmt;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use ::pml::Pml;
use base::PeerId;
use bml::{Bml, Choice};
use cm::Cm;
use sync::{Contention, Gate, Ladder, Pace, Patience, Step};

use crate::network::Network;
pub use crate::ob1::{Ob1, Settings};
pub use crate::onesided::lanes::Way;
pub use crate::onesided::moves::{Found, Grace, PlainAccess, Sought};
pub use crate::onesided::words::Words;
pub use crate::pml::Core;
use crate::polls::BriefSpin;
use crate::standby::Summons;
pub use btl::Least;

/// Looks on one step of the wait ladder, while no other thread may want to enter.
const LOOKS_PER_STEP: usize = 16;

/// The same of who would yield though there is a core for each process: a yield takes as long as
/// some looks, and what a provider of libfabric does to this process's memory waits for one.
const LOOKS_PER_YIELD: usize = 64;

/// The same where others want the core: what comes here comes while it is given away.
const LOOKS_CONTENDED: usize = 4;

/// Looks for the message of a blocking receive before it is a wait; together about a microsecond.
const SHORT_LOOKS: u32 = 24;

/// Why an engine cannot do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// A transport failed.
    Transport(btl::Error),
    /// No transport reaches a peer: the choice says why.
    Unreachable(Choice),
    /// A peer moves its messages over another point-to-point layer.
    OtherLayer {
        /// The peer.
        peer: PeerId,
        /// What the peer uses: `ob1`, or `cm` with the network's name.
        theirs: String,
        /// What this process uses.
        ours: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Transport(error) => error.fmt(f),
            Error::Unreachable(choice) => {
                write!(f, "no transport reaches {}", choice.peer)?;
                for considered in &choice.considered {
                    if let btl::Reach::No(why) = &considered.reach {
                        write!(f, "; {}: {why}", considered.name)?;
                    }
                }
                Ok(())
            }
            Error::OtherLayer { peer, theirs, ours } => write!(
                f,
                "{peer} sends messages over {theirs}, this process over {ours}: choose one with \
                 `--mca pml`"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// The engine of one process. Shared by reference; every method may be called by any thread
/// that the gate lets in.
pub struct Engine {
    gate: Gate<Core>,
    contention: Contention,
    /// Threads that wait, while several may.
    waiters: AtomicU32,
    /// What else wakes a sleeper; [`NOTHING`] when nothing does.
    watched: AtomicI32,
    /// How often a thread has slept; wraps.
    sleeps: AtomicU32,
}

/// No descriptor.
const NOTHING: RawFd = -1;

/// A thread that waits.
struct Waiter<'a> {
    engine: &'a Engine,
    /// Whether it is counted, since several may wait.
    counted: bool,
    /// Whether it has told the peers.
    attends: bool,
    summons: Summons,
    spin: BriefSpin,
}

impl<'a> Waiter<'a> {
    #[inline]
    fn join(engine: &'a Engine) -> Waiter<'a> {
        let counted = engine.gate.is_shared();
        if counted {
            engine.waiters.fetch_add(1, Ordering::Relaxed);
        }
        Waiter {
            engine,
            counted,
            attends: false,
            summons: Summons::default(),
            spin: BriefSpin::Unknown,
        }
    }

    #[inline]
    fn is_one_of_many(&self) -> bool {
        self.counted && self.engine.waiters.load(Ordering::Relaxed) > 1
    }

    /// Lets the peers know that this process takes in what they do to its windows, once it has
    /// waited for a moment.
    #[inline]
    fn attend(&mut self, core: &mut Core) {
        if !self.attends && core.osc().open_windows() > 0 && self.engine.spins() {
            core.attend(true);
            self.attends = true;
        }
    }

    /// The same no longer.
    #[inline]
    fn look_away(&mut self) {
        if self.attends {
            self.engine.enter().attend(false);
            self.attends = false;
        }
    }
}

impl Drop for Waiter<'_> {
    #[inline]
    fn drop(&mut self) {
        self.look_away();
        self.spin.note(&self.engine.contention);
        if self.counted {
            self.engine.waiters.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Engine {
    /// An engine over opened transports. `gate` makes the gate: whoever knows the thread level
    /// answers for it.
    pub fn new(bml: Bml, settings: Settings, gate: impl FnOnce(Core) -> Gate<Core>) -> Engine {
        let core = Core::over_lanes(Ob1::new(bml, &settings));
        Engine::of(core, settings.patience, gate)
    }

    /// An engine over a network that matches. `gate` as for [`Engine::new`].
    pub fn over_network(
        cm: Cm,
        patience: Patience,
        gate: impl FnOnce(Core) -> Gate<Core>,
    ) -> Engine {
        Engine::of(Core::over_network(Network::new(cm)), patience, gate)
    }

    fn of(core: Core, patience: Patience, gate: impl FnOnce(Core) -> Gate<Core>) -> Engine {
        Engine {
            gate: gate(core),
            contention: Contention::new(patience),
            waiters: AtomicU32::new(0),
            watched: AtomicI32::new(NOTHING),
            sleeps: AtomicU32::new(0),
        }
    }

    /// What peers need to reach this process.
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

    /// Forgets a peer that has left its job in good order, so that it can be introduced again as
    /// another instance. All that it sent is taken in before.
    pub fn remove_peer(&self, peer: PeerId) {
        self.gate.enter().forget_peer(peer);
    }

    /// Gives up a peer of which somebody outside knows that it has died: all that it sent is taken
    /// in, then everything that needs it fails, with `why` as the reason.
    pub fn lose_peer(&self, peer: PeerId, why: &str) {
        self.gate.enter().lose_peer(peer, why);
    }

    /// The first peer of `wanted` that has failed, with what was seen of it. Has transports look
    /// for such as they do before a sleep. One that has said goodbye is none: who waits with others
    /// at the launcher may hear last that the wait is over.
    pub fn failed_of(&self, wanted: impl Fn(PeerId) -> bool) -> Option<(PeerId, String)> {
        let mut core = self.enter();
        drop(core.arm());
        core.progress_all();
        core.disarm();
        let died = |(peer, _): &&(PeerId, String)| wanted(*peer) && !core.has_left(*peer);
        core.failed().iter().find(died).cloned()
    }

    /// Whether several threads may be inside calls.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.gate.is_shared()
    }

    /// Has sleepers woken when a descriptor becomes readable, too; `None` ends that. It must stay
    /// open until then, and what there is to read be read after a sleep ([`Engine::sleeps`]).
    pub fn watch(&self, descriptor: Option<RawFd>) {
        let watched = descriptor.unwrap_or(NOTHING);
        self.watched.store(watched, Ordering::Relaxed);
    }

    /// How often threads have slept here; wraps.
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
                core.summons.restart();
                core.polls.restart(&self.contention);
            }
            false => core.looked_in_vain(),
        }
        happened
    }

    /// Waits until `look` finds what it looks for, with progress between the looks.
    #[inline]
    pub fn wait_until<T>(&self, look: impl FnMut(&mut Core) -> Option<T>) -> T {
        self.wait_until_with(look, || false)
    }

    /// The same; between the looks, outside the gate, `between` does what else has to go on and
    /// says whether it did anything.
    #[inline]
    pub fn wait_until_with<T>(
        &self,
        look: impl FnMut(&mut Core) -> Option<T>,
        between: impl FnMut() -> bool,
    ) -> T {
        self.wait_dozing(look, between, |_| {})
    }

    /// The same for what no message brings. `doze(true)` is called before a sleep, which is
    /// followed by a last look: whoever brings it meanwhile has to wake this process
    /// ([`Engine::wake`]). `doze(false)` is called afterwards.
    #[inline]
    pub fn wait_dozing<T>(
        &self,
        mut look: impl FnMut(&mut Core) -> Option<T>,
        mut between: impl FnMut() -> bool,
        mut doze: impl FnMut(bool),
    ) -> T {
        let mut waiter = Waiter::join(self);
        let mut contended = self.contention.is_contended();
        let mut ladder = Ladder::new(self.contention.patience());
        let mut pace = Pace::default();
        let mut sleeps = 0;
        let mut step = Step::Spin;
        loop {
            let is_shared = self.gate.is_shared();
            let looks = looks(step, is_shared, contended);
            let mut core = self.gate.enter();
            let mut happened = 0;
            for _ in 0..looks {
                if let Some(found) = look(&mut core) {
                    return found;
                }
                happened += core.progress();
                if happened > 0 && step == Step::Yield {
                    // What goes on between the looks may have waited for it.
                    break;
                }
            }
            waiter.attend(&mut core);
            if step != Step::Spin {
                waiter.summon(&mut core);
            }
            let rests = core.rests();
            drop(core);
            if between() || happened > 0 {
                ladder.restart();
                waiter.summons.restart();
                sleeps = 0;
                // It may be what is waited for: a look comes first.
                step = Step::Spin;
                continue;
            }
            step = ladder.step();
            waiter.spin = waiter.spin.after(step, contended);
            match step {
                // A thread that spins keeps others of its process from what they wait for.
                Step::Spin if waiter.is_one_of_many() => std::thread::yield_now(),
                // Without a pause: on some cores it takes as long as the message.
                Step::Spin => {}
                // It has given the core away already. A yield would be to the thread that it has
                // given it to, which may keep it for as long as the scheduler lets it.
                Step::Yield if rests => {}
                Step::Yield if contended || is_shared => {
                    self.contention.give_way();
                }
                Step::Yield => pace.give_way(&self.contention),
                Step::Sleep => {
                    waiter.look_away();
                    if let Some(found) = self.sleep(&mut sleeps, &mut look, &mut doze) {
                        return found;
                    }
                }
            }
            if self.contention.is_contended() != contended {
                contended = !contended;
                ladder = Ladder::new(self.contention.patience());
            }
        }
    }

    /// Looks of a receive before it begins to wait: one where other threads may want to enter, or
    /// other processes the core.
    #[inline]
    pub fn short_looks(&self) -> u32 {
        match self.contention.is_contended() || self.gate.is_shared() {
            true => 1,
            false => SHORT_LOOKS,
        }
    }

    /// Ends the sleep of a peer that waits for something other than a message; one that is awake
    /// hardly notices.
    #[cold]
    pub fn wake(&self, peer: PeerId) {
        self.enter().wake(peer);
    }

    /// Whether a wait begins with spinning: there is a core for each process.
    pub fn spins(&self) -> bool {
        !self.contention.is_crowded()
    }

    /// Says goodbye to all peers and gives back what the transports hold. Called once everything
    /// that matters is complete.
    pub fn close(&self) {
        self.gate.enter().close();
    }

    /// The state, for one look or one operation.
    #[inline]
    pub fn enter(&self) -> sync::Entered<'_, Core> {
        self.gate.enter()
    }

    /// Lets threads call at any time from now on.
    pub fn share(&self) {
        self.gate.share();
    }
}

/// How often a wait looks after a step of its ladder before it climbs on.
#[inline]
fn looks(step: Step, is_shared: bool, contended: bool) -> usize {
    match step {
        _ if is_shared => 1,
        _ if contended => LOOKS_CONTENDED,
        Step::Yield => LOOKS_PER_YIELD,
        _ => LOOKS_PER_STEP,
    }
}
