//! The state of the checker.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use check::collective::Function;
use check::settings::Settings;

use super::made::Made;
use super::operations::Operations;
use super::reports::{Origin, Reports};
use crate::addresses::Map;
use crate::call_site::CallSites;
use crate::failure::On;
use crate::runtime;

/// The checker of this process.
pub(super) struct Checker {
    pub(super) settings: Settings,
    pub(super) reports: Arc<Reports>,
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
    /// Whether the end was reported.
    pub(super) has_ended: bool,
}

/// A call under way.
pub(super) struct UnderWay {
    pub(super) thread: usize,
    pub(super) origin: Origin,
    /// The status of the message that it has received.
    pub(super) received: Option<pml::Status>,
}

impl Checker {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
