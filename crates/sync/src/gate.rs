//! The one lock.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{compiler_fence, AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::barrier;

/// A door to a value that lets one caller in at a time.
///
/// Below `MPI_THREAD_MULTIPLE` the application promises that calls do not overlap (MPI 5.0,
/// 11.6.2), and entering costs predictable branches and two plain stores. With [`Gate::share`]
/// entering takes a mutex.
///
/// A gate may be shared while the one thread that used it is inside: another session begins. That
/// thread says that it is inside before it looks whether the gate is shared; `share` has a barrier
/// on all threads of the process between saying so and the first look inside. So one of the two
/// sees the other (as in Dekker's algorithm, with the cost on the side that is rare): the thread
/// steps back and takes the mutex, or those with the mutex wait until it has left.
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
        if !self.shared.swap(true, Ordering::SeqCst) {
            barrier::own_threads();
        }
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
            self.enter_alone()
        };
        Entered { gate: self, guard }
    }

    /// Enters a gate that is not shared; `None` of one that is. Shorter than [`Gate::enter`]: how
    /// to leave is known.
    ///
    /// # Panics
    /// When the caller is inside already.
    #[inline(always)]
    pub fn enter_unshared(&self) -> Option<Alone<'_, T>> {
        // Who gets a guard entered while the gate was being shared, and goes out again.
        let alone = !self.shared.load(Ordering::Relaxed) && self.enter_alone().is_none();
        alone.then(|| Alone { gate: self })
    }

    /// Enters a gate that was not shared a moment ago.
    #[inline]
    fn enter_alone(&self) -> Option<MutexGuard<'_, ()>> {
        if self.occupied.load(Ordering::Relaxed) {
            entered_twice();
        }
        self.occupied.store(true, Ordering::Relaxed);
        // The barrier that goes with it is in `share`.
        compiler_fence(Ordering::SeqCst);
        if self.shared.load(Ordering::Relaxed) {
            return Some(self.step_back());
        }
        None
    }

    /// The gate was shared while this thread entered it as if it were alone.
    #[cold]
    fn step_back(&self) -> MutexGuard<'_, ()> {
        self.occupied.store(false, Ordering::Release);
        self.lock()
    }

    #[cold]
    fn lock(&self) -> MutexGuard<'_, ()> {
        let guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        // left: whoever entered before the gate was shared.
        while self.occupied.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
        guard
    }
}

#[cold]
fn entered_twice() -> ! {
    panic!("a call from inside a call, or from two threads below MPI_THREAD_MULTIPLE");
}

/// Being inside a [`Gate`].
pub struct Entered<'a, T> {
    gate: &'a Gate<T>,
    /// The mutex, where the gate was shared.
    guard: Option<MutexGuard<'a, ()>>,
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
        if self.guard.is_none() {
            // left: see `lock`.
            self.gate.occupied.store(false, Ordering::Release);
        }
    }
}

/// Being inside a [`Gate`] that was not shared when it was entered.
pub struct Alone<'a, T> {
    gate: &'a Gate<T>,
}

impl<T> Deref for Alone<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: as for `Entered`.
        unsafe { &*self.gate.value.get() }
    }
}

impl<T> Drop for Alone<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.gate.occupied.store(false, Ordering::Release);
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

    /// A second session begins while the first one's thread goes in and out, below
    /// `MPI_THREAD_MULTIPLE` each.
    #[test]
    fn a_gate_may_be_shared_while_its_one_user_is_inside() {
        for round in 0..200 {
            // SAFETY: shared before the second thread enters.
            let gate = unsafe { Gate::new(0u64) };
            std::thread::scope(|scope| {
                let work = || {
                    for _ in 0..2_000 {
                        let mut inside = gate.enter();
                        let seen = std::hint::black_box(*inside);
                        *inside = seen + 1;
                    }
                };
                scope.spawn(work);
                for _ in 0..round * 10 {
                    std::hint::spin_loop();
                }
                gate.share();
                work();
            });
            assert_eq!(*gate.enter(), 4_000, "round {round}");
        }
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
