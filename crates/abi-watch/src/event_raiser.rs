//! Raises the events that tools subscribe to ([`base::tool_event`]). They are raised when a call of
//! MPI is about to return, since no lock is held there.

use abi_state::hooks::{self, Call, Slot, Token, Watcher};
use abi_state::runtime;

/// Has tools notified from now on.
pub fn open() {
    hooks::watch(Slot::EventRaiser, || Box::new(EventRaiser));
}

struct EventRaiser;

impl Watcher for EventRaiser {
    fn end(&self, _: &Call, _: &Token, _: i32) {
        runtime::get().tool.raise_news();
    }
}
