//! The checker of programs (`mpirun --check`): a watcher of calls that reports what MPI forbids and
//! no call finds out by itself. The crate `check` decides what is wrong; here are the handles, the
//! memory and the messages.
//!
//! * Ranks announce their collective calls to each other, and compare them ([`collectives`]).
//! * Buffers of operations under way are watched, and messages carry the type of what was sent
//!   ([`messages`], [`operations`]).
//! * What was made and not freed is reported at the end, with the place where it was made
//!   ([`leaks`]).
//!
//! Nothing that may enter the engine or the tables of handles is called while the checker's own
//! lock is held: [`Watcher::made`] is called with tables entered.

mod announced;
mod collectives;
mod leaks;
mod made;
mod messages;
mod operations;
mod reports;
mod shared;

use base::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use check::collective::Function;
use mpi::{Class, Process};

use abi_state::args::{Comm, Request};
use abi_state::failure::Failure;
use abi_state::generated::constants::{MPI_ERR_RMA_CONFLICT, MPI_SUCCESS};
use abi_state::hooks::{self, Call, Slot, Token, Watcher};
use announced::Draft;
use reports::{Origin, Reports};
use shared::{thread, Checker, UnderWay};

/// Failures that no difference between calls causes.
const DEATHS: [Class; 3] = [Class::ProcFailed, Class::ProcFailedPending, Class::Revoked];

/// Has the calls of this process checked, where the user wants that.
pub fn open(process: &Process) {
    let mut settings = mpi_components::params::checked(&process.registry).unwrap_or_default();
    if hooks::is_watched(Slot::Checker) || !settings.is_on() {
        return;
    }
    // Who sets that wants errors.
    settings.rma &= !process.registry.bool("osc_check");
    let identity = format!("rank {}", process.identity.peer.0);
    let checker = Checker {
        settings,
        reports: Arc::new(Reports::new(identity, settings.aborts)),
        announces_no_more: AtomicBool::new(false),
        state: Mutex::default(),
    };
    hooks::watch(Slot::Checker, || Box::new(checker));
}

impl Watcher for Checker {
    fn begin(&self, call: &Call, _: &mut Token) -> Result<(), Failure> {
        let mut guard = self.lock();
        let state = &mut *guard;
        let site = state.sites.caller(call.name, call.anchor);
        let origin = Origin {
            name: call.name,
            site,
        };
        let key = std::ptr::from_ref(call.name).addr();
        let function = *state
            .functions
            .entry(key)
            .or_insert_with(|| Function::of(call.name));
        let is_needed = self.settings.collectives || self.settings.buffers;
        let function = function.filter(|_| is_needed);
        state.calls.push(UnderWay {
            thread: thread(),
            origin,
            received: None,
            draft: function.map(|function| Draft::new(function, call.note)),
        });
        drop(guard);
        self.begin_operation(call, origin);
        Ok(())
    }

    fn end(&self, call: &Call, _: &Token, code: i32) {
        let mut state = self.lock();
        let own = thread();
        let at = state.calls.iter().rposition(|call| call.thread == own);
        let ended = at.map(|at| state.calls.remove(at));
        drop(state);
        if let (MPI_SUCCESS, Some(ended)) = (code, ended) {
            self.end_operation(call, &ended);
        }
        self.settle(call);
    }

    fn ended(&self, handle: Request, status: &pml::Status) {
        self.lock().operations.ended(handle, status);
    }

    fn completed(&self, handle: Request) {
        self.lock().operations.completed(handle);
    }

    fn received(&self, status: &pml::Status) {
        self.note_received(status);
    }

    fn takes_matched(&self, _comm: Comm) {}

    fn joins(&self, comm: Comm) {
        self.announce(comm);
    }

    fn frees(&self, comm: Comm) {
        collectives::await_announcements_on(comm);
    }

    fn fails(&self, failure: &Failure) -> bool {
        if self.settings.rma && failure.code == MPI_ERR_RMA_CONFLICT {
            self.report_access(&failure.text);
            return true;
        }
        // The death of a process says enough by itself.
        let class = Class::from_code(failure.code);
        if !class.is_some_and(|class| DEATHS.contains(&class)) {
            self.await_failed_call();
        }
        false
    }

    fn fence_is_over(&self, last: bool) {
        if last {
            self.report_end(true);
        }
    }

    fn has_started(&self, _name: &'static &'static str, _begin: u64) {}

    fn made(&self, kind: &'static str, handle: usize) {
        let mut state = self.lock();
        let own = thread();
        let call = state.calls.iter().rfind(|call| call.thread == own);
        if let Some(origin) = call.map(|call| call.origin) {
            state.made.object(kind, handle, origin);
        }
    }

    fn ends(&self, world: bool) {
        self.take_leaks(world);
        if !world {
            self.report_end(false);
        }
    }
}
