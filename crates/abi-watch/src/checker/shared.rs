//! The state of the checker.

use base::{Mutex, MutexGuard};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use abi_state::failure::On;
use abi_state::runtime;
use check::collective::Function;
use check::settings::Settings;

use super::announced::Draft;
use super::made::Made;
use super::operations::Operations;
use super::reports::{Origin, Reports};
use crate::addresses::Map;
use crate::call_site::CallSites;

/// The checker of this process.
pub(super) struct Checker {
    pub(super) settings: Settings,
    pub(super) reports: Arc<Reports>,
    /// Whether no more calls are announced: too many were not answered.
    pub(super) announces_no_more: AtomicBool,
    pub(super) state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) sites: CallSites,
    /// Calls under way.
    pub(super) calls: Vec<UnderWay>,
    /// The collective function of each function that was called, by the address of its name.
    pub(super) functions: Map<usize, Option<Function>>,
    pub(super) made: Made,
    pub(super) operations: Operations,
    /// Handles that the program has not freed, once it has ended its use of MPI.
    pub(super) leaks: Option<Vec<String>>,
    /// Whether the end was reported.
    pub(super) has_ended: bool,
}

/// A call under way.
pub(super) struct UnderWay {
    pub(super) thread: usize,
    pub(super) origin: Origin,
    /// The status of the message that it has received.
    pub(super) received: Option<pml::Status>,
    /// The collective call that it is.
    pub(super) draft: Option<Draft>,
}

impl Checker {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl Checker {
    /// Reports that the call under way has ended an epoch with accesses that conflict.
    pub(super) fn report_access(&self, text: &str) {
        let own = thread();
        let state = self.lock();
        let call = state.calls.iter().rfind(|call| call.thread == own);
        let origin = call.map(|call| call.origin);
        drop(state);
        if let Some(origin) = origin {
            self.reports.add(&origin, &format!(": {text}"));
        }
    }
}

/// Names the communicator of a call: ` on communicator MPI_COMM_WORLD`.
pub(super) fn comm_name(on: On) -> String {
    let On::Comm(handle) = on else {
        return String::new();
    };
    let tables = runtime::get().tables.enter();
    let comm = tables.comm(handle);
    comm.map_or_else(|_| String::new(), |comm| format!(" on {comm}"))
}

/// The calling thread.
pub(super) fn thread() -> usize {
    // SAFETY: pthread_self takes nothing and cannot fail.
    unsafe { libc::pthread_self() as usize }
}
