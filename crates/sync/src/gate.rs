//! The one lock.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A door to a value that lets one caller in at a time.
///
/// Below `MPI_THREAD_MULTIPLE` the application promises that calls do not overlap (MPI 5.0,
/// 11.6.2), and entering costs one predictable branch and two plain stores. With
/// [`Gate::share`] entering takes a mutex.
pub struct Gate<T> {
    shared: AtomicBool,
    mutex: Mutex<()>,
    /// Whether somebody is inside, while the gate is not shared.
    occupied: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only through `Entered`, of which there is one at a time: the
// mutex sees to it when shared, and else the application's promise that calls do not overlap
// (`Gate::new`, `Gate::unshare`).
unsafe impl<T: Send> Sync for Gate<T> {}

impl<T> Gate<T> {
    /// A gate that is not shared yet.
    ///
    /// # Safety
    /// Until [`Gate::share`] is called, `enter` is never called by two threads at once.
    pub unsafe fn new(value: T) -> Gate<T> {
        Gate {
            shared: AtomicBool::new(false),
            mutex: Mutex::new(()),
            occupied: AtomicBool::new(false),
            value: UnsafeCell::new(value),
        }
    }

    /// A gate that threads may enter at any time.
    pub fn shared(value: T) -> Gate<T> {
        // SAFETY: it is shared before anyone can reach it.
        let gate = unsafe { Gate::new(value) };
        gate.share();
        gate
    }

    /// Lets threads enter at any time from now on. Called before a second thread may.
    pub fn share(&self) {
        self.shared.store(true, Ordering::Release);
    }

    /// Makes entering cheap again, until [`Gate::share`].
    ///
    /// # Safety
    /// No thread is inside, and until [`Gate::share`] is called, `enter` is never called by two
    /// threads at once.
    pub unsafe fn unshare(&self) {
        self.shared.store(false, Ordering::Release);
    }

    /// Whether threads may enter at any time.
    pub fn is_shared(&self) -> bool {
        self.shared.load(Ordering::Relaxed)
    }

    /// Enters; leaves when the value is dropped.
    ///
    /// # Panics
    /// When the caller is inside already.
    #[inline]
    pub fn enter(&self) -> Entered<'_, T> {
        let guard = if self.shared.load(Ordering::Relaxed) {
            Some(self.lock())
        } else {
            None
        };
        if self.occupied.load(Ordering::Relaxed) {
            entered_twice();
        }
        self.occupied.store(true, Ordering::Relaxed);
        Entered {
            gate: self,
            _guard: guard,
        }
    }

    #[cold]
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cold]
fn entered_twice() -> ! {
    panic!("a call from inside a call, or from two threads below MPI_THREAD_MULTIPLE");
}

/// Being inside a [`Gate`].
pub struct Entered<'a, T> {
    gate: &'a Gate<T>,
    _guard: Option<MutexGuard<'a, ()>>,
}

impl<T> Deref for Entered<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: one `Entered` exists at a time, see `Gate`.
        unsafe { &*self.gate.value.get() }
    }
}

impl<T> DerefMut for Entered<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: one `Entered` exists at a time, see `Gate`, and it is borrowed exclusively.
        unsafe { &mut *self.gate.value.get() }
    }
}

impl<T> Drop for Entered<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.gate.occupied.store(false, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_shared_gate_lets_one_thread_in_at_a_time() {
        // SAFETY: shared before the threads start.
        let gate = unsafe { Gate::new(0u64) };
        gate.share();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        let mut inside = gate.enter();
                        let seen = *inside;
                        *inside = seen + 1;
                    }
                });
            }
        });
        assert_eq!(*gate.enter(), 40_000);
    }

    #[test]
    #[should_panic(expected = "from inside a call")]
    fn entering_twice_is_refused() {
        // SAFETY: one thread.
        let gate = unsafe { Gate::new(()) };
        let _inside = gate.enter();
        let _again = gate.enter();
    }
}
