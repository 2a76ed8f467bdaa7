//! Synchronisation of windows, as the calls of MPI need it: acts on the one-sided state that are
//! whole in themselves.

use base::Rank;
use osc::{Lock, Osc, WindowId};

use crate::pml::Core;

impl Core {
    /// Runs an act on the one-sided state, then sends what it has left to be sent.
    #[inline]
    pub fn with_accesses<T>(&mut self, act: impl FnOnce(&mut Osc) -> T) -> T {
        let done = act(self.osc());
        self.send_accesses();
        done
    }

    /// Opens the epoch of a target's lock that is taken without a message. With `alive` the target
    /// must not be known to have failed, which a lock in shared memory does not show. Returns
    /// false, and nothing is done, where the epoch cannot be opened: the slow path finds the error.
    #[inline]
    pub fn open_lock(&mut self, window: WindowId, target: Rank, lock: Lock, alive: bool) -> bool {
        let osc = self.osc();
        let fails = alive && osc.check_target(window, target).is_err();
        !fails && osc.begin_lock(window, target, lock, false).is_ok()
    }

    /// Closes the epoch of a target's lock that is released without a message, where nothing is to
    /// be waited for any more. Returns false, and nothing is done, where there is no such epoch.
    #[inline]
    pub fn close_lock(&mut self, window: WindowId, target: Rank) -> bool {
        self.osc().end_lock(window, target).is_ok()
    }

    /// Closes a window: its words are served no more, and no peer may address it from then on.
    pub fn close_window(&mut self, window: WindowId) {
        self.leave_words(window);
        self.osc().close_window(window);
    }
}
