//! The order of locks, and [`Process::lock`], which checks it.
//!
//! At `MPI_THREAD_MULTIPLE` the engine's gate and that of the tables of handles (in `abi`) have one
//! lock. It comes after the mutexes that threads hold while they enter the engine. A thread takes
//! locks in this order:
//!
//! 1. `everybody` of `mpi_dynamic`, and the provider of the [`Link`](crate::membership::Link);
//! 2. one of `faults`, `known`, a pending [`Call`](crate::call::Call) and a buffer of buffered
//!    sends ([`BsendBuffer`](crate::BsendBuffer));
//! 3. `foreign`, then `spawns` of `mpi_dynamic`;
//! 4. the gates, that of the tables first;
//! 5. all other mutexes, with which nothing is entered.
//!
//! So a thread that is inside a gate takes none of the first three kinds, unless it only tries to,
//! and does nothing that may take one: it makes no communicator, window or file, does not drop the
//! last reference to one, and makes no progress beyond the engine ([`Process::progress`]).

use base::{Mutex, MutexGuard};

use crate::Process;

impl Process {
    /// Locks a mutex that threads hold while they enter the engine.
    ///
    /// # Panics
    /// In debug builds, when the caller is inside the engine or the tables of handles: a thread
    /// that has the mutex may wait for the caller there.
    pub fn lock<'a, T>(&self, mutex: &'a Mutex<T>) -> MutexGuard<'a, T> {
        debug_assert!(
            !self.engine.is_locked_here(),
            "a mutex that comes before the gates is locked inside one"
        );
        mutex.lock()
    }
}
