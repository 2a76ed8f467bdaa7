//! Lives of this process with MPI: periods in which MPI is initialised, one after the other.
//!
//! The world model and all sessions are the users of a life. The first user begins it, the last one
//! ends it. Only the membership in the job is left ([`Membership`]), from which the next user
//! begins the next life. An attempt that failed leaves everything as before, so it can be repeated.
//!
//! Users choose levels of thread support, each for its own calls only. So the gates are shared as
//! soon as there are two users, whatever they have chosen (MPI 5.0, 11.6.2).
//!
//! Under a launcher that does not let a process rejoin, a life that sessions have used does not end
//! with its last user, but waits for the next one; the launcher is notified when the process exits.

use base::{Mutex, MutexGuard};
use mca::Framework;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::Arc;

use mpi::{Activity, Inquiry, Membership, Options, Process};
use sync::Gate;

use crate::failure::Failure;
use crate::hooks;
use crate::installation::prefix;
use crate::leaks::Leaks;
use crate::tables::{Anytime, Tables};
use crate::tool::Tool;

/// A user of MPI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum User {
    /// `MPI_Init` to `MPI_Finalize`.
    World,
    /// `MPI_Session_init` to `MPI_Session_finalize`.
    Session,
}

/// The parts of the library that take part in the beginning and the end of a life.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The tool interface: parameters that tools have written.
    pub tool: &'a Tool,
    /// Objects, whose gate is shared where calls may overlap.
    pub tables: &'a Gate<Tables>,
    /// Objects that any thread may use at any time.
    pub anytime: &'a Gate<Anytime>,
}

/// Makes the gate of an engine.
pub type EngineGate = fn(engine::Core) -> Gate<engine::Core>;

/// The lives of this process, of which one at most is going on.
pub struct Lives {
    state: Mutex<LifeState>,
    /// The current life, for threads that only read it. Owned by `state`'s holder.
    current: AtomicPtr<Arc<Process>>,
    /// Calls [`Lives::leave_for_good`], where the process exits.
    at_exit: extern "C" fn(),
}

#[derive(Default)]
struct LifeState {
    /// The life that is going on, or that waits for its next user.
    process: Option<Arc<Process>>,
    /// Membership that the last life has left.
    membership: Option<Membership>,
    users: usize,
    had_sessions: bool,
    /// Whether the exit of the process will notify the launcher.
    leaves_at_exit: bool,
}

impl Lives {
    /// No life yet. `at_exit` calls [`Lives::leave_for_good`]: C's exit passes no argument.
    pub fn new(at_exit: extern "C" fn()) -> Lives {
        Lives {
            state: Mutex::default(),
            current: AtomicPtr::default(),
            at_exit,
        }
    }

    /// The life that is going on.
    #[inline]
    pub fn current(&self) -> Option<&Arc<Process>> {
        // SAFETY: the pointee is freed when the last user ends, and users promise that no call of
        // theirs is under way then (MPI 5.0, 11.2.2 and 11.3.1). A caller that is no user has
        // nothing to call.
        unsafe { self.current.load(Ordering::Acquire).as_ref() }
    }

    /// Adds a user, which begins a life if there is no current one. `threads`: whether the user
    /// calls from several threads at once. Also returns the activity of the users before it.
    pub fn join(
        &self,
        user: User,
        threads: bool,
        (inquiry, gate): (Inquiry, EngineGate),
        Around { tool, tables, .. }: Around,
    ) -> Result<(Arc<Process>, Activity), Failure> {
        let mut state = self.lock();
        let activity = match state.users {
            0 => Activity::None,
            _ => Activity::Receiving,
        };
        let process = match &state.process {
            Some(process) => {
                process.engine.share();
                tables.share();
                process.clone()
            }
            None => {
                let options = Options {
                    prefix: prefix(),
                    inquiry,
                    settings: tool.written(),
                    threads,
                    gate,
                };
                let started = Process::start(options, &mut state.membership);
                if state.membership.as_ref().is_some_and(|m| !m.can_return()) {
                    state.register_exit(self.at_exit);
                }
                let process = started?;
                tool.attach(&process);
                if user == User::World && !threads {
                    // SAFETY: below MPI_THREAD_MULTIPLE the application promises that its calls do
                    // not overlap (MPI 5.0, 11.6.2), and the gate is shared above before another
                    // user can call.
                    unsafe { tables.unshare() };
                }
                process
            }
        };
        state.process = Some(process.clone());
        state.users += 1;
        state.had_sessions |= user == User::Session;
        if self.current.load(Ordering::Relaxed).is_null() {
            let shown = Box::into_raw(Box::new(process.clone()));
            self.current.store(shown, Ordering::Release);
        }
        Ok((process, activity))
    }

    /// Counts a user out; the last one ends the life.
    pub fn part(&self, around: Around) -> Result<(), Failure> {
        let Around {
            tool,
            tables,
            anytime,
        } = around;
        let mut state = self.lock();
        state.users -= 1;
        if state.users > 0 {
            return Ok(());
        }
        hooks::ends(false);
        let process = state.process.clone();
        let is_wanted = |process: &Arc<Process>| process.registry.bool("mpi_show_handle_leaks");
        let wanted = tool.written_switch("mpi_show_handle_leaks");
        let reporter = process.filter(|process| wanted.unwrap_or_else(|| is_wanted(process)));
        if reporter.is_some() {
            warn_of(&Leaks::count(&tables.enter(), &anytime.enter()));
        }
        // What the application has not freed goes with the life that it belongs to.
        let left = tables.enter().take_communication();
        drop(left);
        tables.share();
        let shown = self.current.swap(std::ptr::null_mut(), Ordering::AcqRel);
        if !shown.is_null() {
            // SAFETY: it came from a box in `join`, and nobody reads it any more: see `current`.
            drop(unsafe { Box::from_raw(shown) });
        }
        let stays = |process: &Arc<Process>| state.had_sessions && !process.can_return();
        if state.process.as_ref().is_some_and(stays) {
            state.register_exit(self.at_exit);
            return Ok(());
        }
        let Some(process) = state.process.take() else {
            return Ok(());
        };
        let membership = process.leave();
        if reporter.is_some() {
            // Beside these two nobody has a hold on the process but the library's own objects.
            warn_of(&Leaks::within(&process, 2));
        }
        state.membership = membership?;
        Ok(())
    }

    /// Ends a life, or a place in the job, that waits for a user that will not come any more.
    pub fn leave_for_good(&self) {
        let mut state = self.lock();
        if state.users == 0 {
            // The process exits: nobody is left to receive errors.
            if let Some(process) = state.process.take() {
                let _ = process.leave();
            }
            if let Some(mut membership) = state.membership.take() {
                let _ = membership.pause();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, LifeState> {
        self.state.lock()
    }
}

impl LifeState {
    /// Has the launcher notified at the exit of the process.
    fn register_exit(&mut self, at_exit: extern "C" fn()) {
        if !std::mem::replace(&mut self.leaves_at_exit, true) {
            // SAFETY: the function is C's, takes nothing and stays while the library is loaded;
            // the C library calls it before it unloads this one.
            unsafe { libc::atexit(at_exit) };
        }
    }
}

fn warn_of(leaks: &Leaks) {
    if !leaks.is_empty() {
        Framework::Mpi.warn(format_args!("{leaks}"));
    }
}
