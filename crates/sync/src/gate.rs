//! The gate: the one lock, which costs a branch while a single thread calls.
//!
//! The state of a process is behind one gate. It becomes shared, which means a lock, when a second
//! thread may call; that works even while the only thread is inside.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{compiler_fence, AtomicBool, AtomicU8, Ordering};
use std::sync::Arc;

use crate::barrier;
use crate::lock::Lock;

/// A door to a value that lets one caller in at a time.
///
/// Below `MPI_THREAD_MULTIPLE` the application promises that calls do not overlap (MPI 5.0,
/// 11.6.2), and entering costs predictable branches and two plain stores. With [`Gate::share`]
/// entering takes a lock.
///
/// A gate may be shared while the one thread that used it is inside: another session begins. That
/// thread says that it is inside before it looks whether the gate is shared; `share` has a barrier
/// on all threads of the process between saying so and the first look inside. So one of the two
/// sees the other (as in Dekker's algorithm, with the cost on the side that is rare): the thread
/// steps back and takes the lock, or those with the lock wait until it has left.
///
/// [`Gate::admit`] is the same for turns of another thread, until the admission ends.
pub struct Gate<T> {
    /// Why the lock is to be taken: [`SHARED`], and [`ADMITTED`] for each admission.
    guarded: AtomicU8,
    lock: Arc<Lock>,
    /// Whether somebody is inside, while the gate is not shared.
    occupied: AtomicBool,
    /// Whether somebody is inside who has the lock, which may be that of another gate, too.
    locked: AtomicBool,
    value: UnsafeCell<T>,
}

/// Threads enter at any time.
const SHARED: u8 = 1;
/// One for each thread that is admitted; the bits above count them.
const ADMITTED: u8 = 2;

// SAFETY: the value is reached only through `Entered`, of which there is one at a time: the
// lock sees to it when guarded, and else the application's promise that calls do not overlap
// (`Gate::new`, `Gate::unshare`), where no thread is admitted.
unsafe impl<T: Send> Sync for Gate<T> {}

impl<T> Gate<T> {
    /// A gate that is not shared yet.
    ///
    /// # Safety
    /// Until [`Gate::share`] is called, `enter` is never called by two threads at once, but by
    /// those that [`Gate::admit`] has admitted.
    pub unsafe fn new(value: T) -> Gate<T> {
        Gate {
            guarded: AtomicU8::new(0),
            lock: Arc::default(),
            occupied: AtomicBool::new(false),
            locked: AtomicBool::new(false),
            value: UnsafeCell::new(value),
        }
    }

    /// A gate that is not shared yet, and has the lock of another gate. A thread inside one of them
    /// enters the other at once, and others enter neither.
    ///
    /// # Safety
    /// The condition of [`Gate::new`].
    pub unsafe fn beside<U>(value: T, other: &Gate<U>) -> Gate<T> {
        // SAFETY: the caller sees to it.
        let gate = unsafe { Gate::new(value) };
        Gate {
            lock: other.lock.clone(),
            ..gate
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
        self.guarded.fetch_or(SHARED, Ordering::SeqCst);
        self.await_guard();
    }

    /// From here on whoever enters takes the lock, or is seen to be inside. Also where it was
    /// guarded before: whoever did that may not have got to the barrier yet.
    fn await_guard(&self) {
        barrier::own_threads();
    }

    /// Lets the calling thread enter as often as it wants beside the one that the gate is for,
    /// whether or not it is shared, until the returned value is dropped. That thread takes the lock
    /// meanwhile, and pays nothing afterwards. Costs a system call. At most 127 threads are
    /// admitted at a time.
    pub fn admit(&self) -> Admission<'_, T> {
        self.guarded.fetch_add(ADMITTED, Ordering::SeqCst);
        self.await_guard();
        Admission(self)
    }

    /// Makes entering cheap again, until [`Gate::share`].
    ///
    /// # Safety
    /// No thread is inside, and until [`Gate::share`] is called, `enter` is never called by two
    /// threads at once.
    pub unsafe fn unshare(&self) {
        self.guarded.fetch_and(!SHARED, Ordering::Release);
    }

    /// Whether threads may enter at any time.
    pub fn is_shared(&self) -> bool {
        self.guarded.load(Ordering::Relaxed) & SHARED != 0
    }

    /// Whether the calling thread has the lock: it is inside this gate, or one that has the same
    /// lock.
    pub fn is_locked_here(&self) -> bool {
        self.lock.is_held()
    }

    #[inline]
    fn is_guarded(&self) -> bool {
        // left: what an admitted thread has done is seen by who enters alone after it.
        self.guarded.load(Ordering::Acquire) != 0
    }

    /// Enters; leaves when the value is dropped.
    ///
    /// # Panics
    /// When the caller is inside already.
    #[inline]
    pub fn enter(&self) -> Entered<'_, T> {
        let has_lock = if self.is_guarded() {
            self.lock();
            true
        } else {
            self.enter_alone()
        };
        Entered {
            gate: self,
            has_lock,
        }
    }

    /// Enters a gate that was not guarded a moment ago. Returns whether that took the lock.
    #[inline]
    fn enter_alone(&self) -> bool {
        if self.occupied.load(Ordering::Relaxed) {
            entered_twice();
        }
        self.occupied.store(true, Ordering::Relaxed);
        // The barrier that goes with it is in `await_guard`.
        compiler_fence(Ordering::SeqCst);
        if self.is_guarded() {
            self.step_back();
            return true;
        }
        false
    }

    /// The gate was guarded while this thread entered it as if it were alone.
    #[cold]
    fn step_back(&self) {
        self.occupied.store(false, Ordering::Release);
        self.lock();
    }

    fn lock(&self) {
        self.lock.enter();
        self.enter_locked();
    }

    /// Enters with the lock.
    #[inline]
    fn enter_locked(&self) {
        if self.locked.load(Ordering::Relaxed) {
            self.lock.leave();
            entered_twice();
        }
        self.locked.store(true, Ordering::Relaxed);
        // left: see the end of `Entered`.
        if self.occupied.load(Ordering::Acquire) {
            self.await_leaving();
        }
    }

    #[cold]
    /// Waits for whoever entered before the gate was guarded.
    fn await_leaving(&self) {
        // left: see the end of `Entered`.
        while self.occupied.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
    }
}

#[cold]
fn entered_twice() -> ! {
    panic!("a call from inside a call, or from two threads below MPI_THREAD_MULTIPLE");
}

/// Being inside a [`Gate`].
pub struct Entered<'a, T> {
    gate: &'a Gate<T>,
    /// Whether it has the lock, since the gate is guarded.
    has_lock: bool,
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
        match self.has_lock {
            true => {
                self.gate.locked.store(false, Ordering::Relaxed);
                self.gate.lock.leave();
            }
            // left: see `await_leaving`.
            false => self.gate.occupied.store(false, Ordering::Release),
        }
    }
}

impl<'a, T> Entered<'a, T> {
    /// Leaves, and returns the gate.
    pub fn leave(self) -> &'a Gate<T> {
        self.gate
    }

    /// Leaves since there is nothing to do here: threads that sleep before a shared gate go first.
    pub fn leave_idle(self) {
        let gate = self.gate;
        match self.has_lock {
            true => {
                std::mem::forget(self);
                gate.locked.store(false, Ordering::Relaxed);
                gate.lock.leave_idle();
            }
            false => drop(self),
        }
    }
}

/// The right of a thread to enter a [`Gate`] that is not for it.
pub struct Admission<'a, T>(&'a Gate<T>);

impl<T> Admission<'_, T> {
    /// Enters, as [`Gate::enter`] does.
    pub fn enter(&self) -> Entered<'_, T> {
        self.0.enter()
    }
}

impl<T> Drop for Admission<'_, T> {
    fn drop(&mut self) {
        // left: see `is_guarded`.
        self.0.guarded.fetch_sub(ADMITTED, Ordering::Release);
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

    /// Threads of the library's own go in now and then, beside the one that the gate is for, which
    /// is inside most of the time; in half of the rounds the gate is shared on the way.
    #[test]
    fn admitted_threads_and_the_one_user_of_a_gate_exclude_each_other() {
        const TURNS: usize = 300;
        for round in 0..20 {
            // SAFETY: one thread enters.
            let gate = unsafe { Gate::new(0u64) };
            let count = |value: &mut u64| {
                let seen = std::hint::black_box(*value);
                (0..20).for_each(|_| std::hint::spin_loop());
                *value = seen + 1;
            };
            let over = AtomicBool::new(false);
            let entered = std::thread::scope(|scope| {
                let user = scope.spawn(|| {
                    let mut entered = 0;
                    while !over.load(Ordering::Relaxed) {
                        count(&mut gate.enter());
                        entered += 1;
                    }
                    entered
                });
                let enter = |turns: usize| {
                    for _ in 0..TURNS / turns {
                        let admission = gate.admit();
                        (0..turns).for_each(|_| count(&mut admission.enter()));
                    }
                };
                let admitted = [1, 1, 10, 10].map(|turns| scope.spawn(move || enter(turns)));
                if round % 2 == 1 {
                    gate.share();
                }
                admitted.into_iter().for_each(|one| one.join().unwrap());
                over.store(true, Ordering::Relaxed);
                user.join().unwrap()
            });
            assert_eq!(*gate.enter(), entered + 4 * TURNS as u64, "round {round}");
            assert_eq!(gate.is_shared(), round % 2 == 1);
        }
    }

    /// The threads sleep before the gate by turns: one goes in and out without a pause.
    #[test]
    fn a_thread_that_goes_in_and_out_keeps_no_other_one_out() {
        const ENTRIES: u32 = 50;
        let gate = Gate::shared(0);
        let stay = || (0..500).for_each(|_| std::hint::spin_loop());
        let over = AtomicBool::new(false);
        let began = std::time::Instant::now();
        let enter = || {
            for _ in 0..ENTRIES {
                *gate.enter() += 1;
                stay();
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    let _inside = gate.enter();
                    stay();
                }
            });
            let others = [scope.spawn(enter), scope.spawn(enter)];
            others.into_iter().for_each(|other| other.join().unwrap());
            over.store(true, Ordering::Relaxed);
        });
        assert_eq!(*gate.enter(), 2 * ENTRIES);
        // A turn takes a tenth of a millisecond; a scheduler's slice, where cores are scarce.
        assert!(began.elapsed() < std::time::Duration::from_secs(5));
    }

    #[test]
    fn gates_of_one_lock_are_entered_one_inside_the_other_and_not_twice() {
        let outer = Gate::shared(0);
        // SAFETY: it is shared at once.
        let inner = unsafe { Gate::beside(0, &outer) };
        inner.share();
        let twice = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _outer = outer.enter();
            let _inner = inner.enter();
            drop(outer.enter());
        }));
        assert!(twice.is_err());
        // The panic has left nobody inside.
        std::thread::scope(|scope| {
            let other = scope.spawn(|| *inner.enter() + *outer.enter());
            assert_eq!(other.join().unwrap(), 0);
        });
        let within = outer.enter();
        assert!(inner.is_locked_here());
        std::thread::scope(|scope| {
            let other = scope.spawn(|| inner.is_locked_here());
            assert!(!other.join().unwrap());
        });
        drop(within);
        assert!(!inner.is_locked_here());
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
