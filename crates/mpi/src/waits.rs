//! Waiting and testing: the engine makes progress, and what does not move by messages alone
//! (reports of the launcher, non-blocking collectives) proceeds between its polls.

use std::cell::RefCell;

use engine::Core;

use crate::Process;

/// Polls of one test at most, so that a peer which sends without end does not keep it.
const TEST_POLLS_MAX: usize = 64;

/// Polls of a segment between two polls of the transports, where there is a core for each process.
pub const POLLS: usize = 48;

impl Process {
    /// Waits until `look` returns a value; non-blocking collectives go on meanwhile.
    #[inline]
    pub fn wait_until<T: Send>(&self, look: impl FnMut(&mut Core) -> Option<T> + Send) -> T {
        let announce_sleep = |asleep| self.calls.announce_sleep(&self.engine, asleep);
        let attend = || self.attend();
        self.engine.wait_for(look, attend, announce_sleep)
    }

    /// Waits until `look` returns a value; `between` is called between the polls, outside the
    /// engine, and says whether it changed anything.
    pub fn wait_between<T>(
        &self,
        look: impl FnMut(&mut Core) -> Option<T>,
        between: impl FnMut() -> bool,
    ) -> T {
        let between = RefCell::new(between);
        let announce_sleep = |asleep| {
            self.calls.announce_sleep(&self.engine, asleep);
            if asleep {
                // A call that completed meanwhile may be what is waited for.
                between.borrow_mut()();
            }
        };
        let attend = || self.attend() | between.borrow_mut()();
        self.engine.wait_until_woken(look, attend, announce_sleep)
    }

    /// Waits for something that no message brings; see `Engine::wait_until_woken`.
    #[inline]
    pub(crate) fn wait_until_woken<T>(
        &self,
        look: impl FnMut(&mut Core) -> Option<T>,
        mut note_sleep: impl FnMut(bool),
    ) -> T {
        let announce_sleep = |asleep| {
            self.calls.announce_sleep(&self.engine, asleep);
            note_sleep(asleep);
        };
        let engine = &self.engine;
        engine.wait_until_woken(look, || self.attend(), announce_sleep)
    }

    /// Moves messages and non-blocking collectives once. Whether any moved.
    pub fn progress(&self) -> bool {
        self.engine.progress() | self.attend()
    }

    /// Polls until `look` returns a value or nothing moves any more, for calls that test and return
    /// (`MPI_Test`, `MPI_Iprobe`). One poll takes only the first messages of a peer, and a program
    /// may rely on a test to find what was sent before a barrier, whatever was sent before it.
    #[inline]
    pub fn test<T>(&self, mut look: impl FnMut() -> Option<T>) -> Option<T> {
        for _ in 0..TEST_POLLS_MAX {
            let moved = self.progress();
            let found = look();
            if found.is_some() {
                return found;
            }
            if !moved {
                self.engine.polled_empty(true);
                return None;
            }
        }
        None
    }

    /// Polls once, for a call that does its work whether or not anything moves.
    #[inline]
    pub fn poll(&self) {
        if !self.progress() {
            self.engine.polled_empty(false);
        }
    }

    /// Advances non-blocking collectives, and receives events of peers. Returns whether anything
    /// changed.
    #[inline]
    fn attend(&self) -> bool {
        let sleeps = self.engine.sleeps();
        let received = self.link.is_poll_due(sleeps) && self.receive_events(sleeps);
        self.calls.advance(&self.engine) | received
    }

    /// Returns how often a wait polls a segment between two polls of the transports.
    pub fn segment_polls(&self) -> usize {
        match self.engine.spins() {
            true => POLLS,
            false => 1,
        }
    }

    /// Waits until `ready` finds in a segment what it waits for, polled `polls` times between two
    /// polls of the transports, or until `stop` returns an error. Calls `note_sleep(true)` before a
    /// sleep, and `note_sleep(false)` after it.
    #[inline]
    pub fn wait_for_segment<E>(
        &self,
        polls: usize,
        mut ready: impl FnMut() -> bool,
        mut stop: impl FnMut(&Core) -> Option<E>,
        note_sleep: impl FnMut(bool),
    ) -> Result<(), E> {
        let poll = |core: &mut Core| {
            if (0..polls).any(|_| ready()) {
                return Some(Ok(()));
            }
            stop(core).map(Err)
        };
        self.wait_until_woken(poll, note_sleep)
    }
}
