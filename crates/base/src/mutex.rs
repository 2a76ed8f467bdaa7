//! Locks that a panic does not poison.
//!
//! A panic is reported where the call began ([`crate::wall()`]): MPI then aborts the process, the
//! low layer for C fails all later calls. Until then other threads run, and so does the exit of the
//! process, which notifies the launcher. A lock that refused them would hide the first fault behind
//! a second one, so a lock whose holder has panicked is handed on. Otherwise these are the standard
//! library's.
#![expect(
    clippy::disallowed_types,
    reason = "everybody else has the types of this module"
)]

use std::sync::{self, PoisonError, TryLockError};
use std::time::Duration;

pub use std::sync::MutexGuard;

/// Lock around a value, like that of the standard library but without poisoning.
#[derive(Debug, Default)]
pub struct Mutex<T>(sync::Mutex<T>);

impl<T> Mutex<T> {
    /// Returns an unlocked lock around `value`.
    pub const fn new(value: T) -> Mutex<T> {
        Mutex(sync::Mutex::new(value))
    }

    /// Waits until no other thread holds the lock, and takes it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lock, or returns `None` where a thread holds it.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Returns the value, which no other thread can reach.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value and ends the lock.
    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Condition variable for a [`Mutex`].
#[derive(Debug, Default)]
pub struct Condvar(sync::Condvar);

impl Condvar {
    /// Releases the lock until another thread notifies; may return without that.
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.0.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// Releases the lock until another thread notifies or the time is over; may return without
    /// either. The flag is true where the time is over.
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        time: Duration,
    ) -> (MutexGuard<'a, T>, bool) {
        let waited = self.0.wait_timeout(guard, time);
        let (guard, result) = waited.unwrap_or_else(PoisonError::into_inner);
        (guard, result.timed_out())
    }

    /// Wakes one thread that waits.
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Wakes every thread that waits.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_holder_leaves_the_lock_usable() {
        let mut mutex = Mutex::new(1);
        std::thread::scope(|scope| {
            let holder = scope.spawn(|| {
                *mutex.lock() += 1;
                let _guard = mutex.lock();
                panic!("the holder of a lock panics in this test");
            });
            assert!(holder.join().is_err());
        });
        assert!(mutex.0.is_poisoned());
        assert_eq!(*mutex.lock(), 2);
        assert_eq!(mutex.try_lock().as_deref(), Some(&2));
        assert_eq!(*mutex.get_mut(), 2);
        assert_eq!(mutex.into_inner(), 2);
    }

    #[test]
    fn a_held_lock_is_not_taken_by_trying() {
        let mutex = Mutex::new(());
        let guard = mutex.lock();
        assert!(mutex.try_lock().is_none());
        drop(guard);
        assert!(mutex.try_lock().is_some());
    }

    #[test]
    fn a_waiter_is_woken_or_learns_that_its_time_is_over() {
        let (mutex, condition) = (Mutex::new(false), Condvar::default());
        let (guard, timed_out) = condition.wait_timeout(mutex.lock(), Duration::from_millis(1));
        assert!(timed_out && !*guard);
        drop(guard);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                *mutex.lock() = true;
                condition.notify_all();
            });
            let mut guard = mutex.lock();
            while !*guard {
                guard = condition.wait(guard);
            }
        });
    }
}
