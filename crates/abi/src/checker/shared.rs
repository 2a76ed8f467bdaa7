//! The state of the checker.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use check::collective::Function;
use check::settings::Settings;

use super::made::Made;
use super::reports::{Origin, Reports};
use crate::addresses::Map;
use crate::call_site::CallSites;

/// The checker of this process.
pub(super) struct Checker {
    pub(super) settings: Settings,
    pub(super) reports: Arc<Reports>,
    pub(super) state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) sites: CallSites,
    /// Calls under way: the thread of each, and where it comes from.
    pub(super) calls: Vec<(usize, Origin)>,
    /// The collective function of each function that was called, by the address of its name.
    pub(super) functions: Map<usize, Option<Function>>,
    pub(super) made: Made,
    /// Whether the end was reported.
    pub(super) has_ended: bool,
}

impl Checker {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The calling thread.
pub(super) fn thread() -> usize {
    // SAFETY: pthread_self takes nothing and cannot fail.
    unsafe { libc::pthread_self() as usize }
}
