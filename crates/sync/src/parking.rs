//! Threads that wait behind a gate while another thread polls for all of them.
//!
//! Of the threads of a process that wait, one polls. The others leave their conditions behind the
//! gate and sleep ([`Entered::park`]); whoever polls checks the conditions ([`Entered::serve`]) and
//! wakes the threads whose conditions are true, and no others.
//!
//! ```text
//! waiter   gate:  place -> list                     poller  gate:  poll, check conditions
//!          sleep until its state is FREED                          place -> out of the list
//!                                                                  state = FREED      Release
//!          state == FREED ?       Acquire                   unpark, outside the gate
//! ```
//!
//! A place is on the stack of its thread, which stays in [`Entered::park`] until its place is out
//! of the list: it was freed, or the thread has taken it out itself, inside the gate.

use std::ptr::NonNull;
use std::time::{Duration, Instant};

use crate::atomic::{pause, AtomicBool, Ordering};
use crate::gate::Entered;
use crate::sleeper::{self, Sleeper};

/// A state behind a gate that has a list of parked threads.
pub trait HasParking: Sized {
    /// Returns the list.
    fn parking(&mut self) -> &mut Parking<Self>;
}

/// A condition that other threads check, inside the gate.
type Condition<'a, C> = dyn FnMut(&mut C) -> bool + Send + 'a;

/// The threads that wait for a poller to find their conditions true.
pub struct Parking<C> {
    /// The parked threads in the order of their arrival.
    parked: Vec<NonNull<ParkedThread<C>>>,
}

// SAFETY: a place is reached only by whoever has the list exclusively, and its condition is `Send`.
unsafe impl<C> Send for Parking<C> {}

impl<C> Default for Parking<C> {
    fn default() -> Parking<C> {
        Parking { parked: Vec::new() }
    }
}

impl<C> Parking<C> {
    /// Returns whether no thread is parked.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.parked.is_empty()
    }
}

/// A parked thread.
struct ParkedThread<C> {
    /// Whether the place is out of the list, set by whoever took it out for the thread.
    freed: AtomicBool,
    /// Whether the thread is to decide at once whether it stays.
    called: AtomicBool,
    thread: Sleeper,
    condition: *mut Condition<'static, C>,
}

/// Polls of a place from one read of the clock to the next.
const POLLS_PER_READ: u32 = 64;

impl<C> ParkedThread<C> {
    /// Spins until something has happened to the place; true where nothing has until `end`.
    fn spin(&self, end: Instant) -> bool {
        while Instant::now() < end {
            for _ in 0..POLLS_PER_READ {
                if self.freed.load(Ordering::Relaxed) || self.called.load(Ordering::Relaxed) {
                    return false;
                }
                pause();
            }
        }
        true
    }
}

/// Why a thread is parked no longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unparked {
    /// The thread's condition was true.
    Served,
    /// The thread has left by itself, and its condition was not true.
    Left,
}

/// Threads to be woken once the gate is left.
#[must_use = "the threads sleep until they are woken"]
pub struct Served(Vec<Sleeper>);

impl Served {
    /// No thread.
    pub const NONE: Served = Served(Vec::new());

    /// Returns whether there is no thread to be woken.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Wakes the threads.
    pub fn wake(self) {
        self.0.into_iter().for_each(Sleeper::wake);
    }
}

impl<C: HasParking> Entered<'_, C> {
    /// Leaves the gate, spins for `spin`, and then sleeps until a poller has found `condition` true
    /// or `stays` returns nothing. That is called inside the gate, first after `first`, then after
    /// each pause that it returns, and when the thread is called ([`Entered::call_last`]), which
    /// its argument says.
    pub fn park(
        mut self,
        condition: &mut Condition<'_, C>,
        (spin, first): (Duration, Duration),
        mut stays: impl FnMut(&mut C, bool) -> Option<Duration>,
    ) -> Unparked {
        let condition: *mut Condition<'_, C> = condition;
        let place = ParkedThread {
            freed: AtomicBool::new(false),
            called: AtomicBool::new(false),
            thread: Sleeper::current(),
            // SAFETY: only the lifetime changes. The condition outlives this call, and is reached
            // only through the list, which it leaves before the call returns.
            condition: unsafe {
                std::mem::transmute::<*mut Condition<'_, C>, *mut Condition<'static, C>>(condition)
            },
        };
        let at = NonNull::from(&place);
        self.parking().parked.push(at);
        let gate = self.leave();
        let mut due = Instant::now() + spin + first;
        let sleeps_from = due - first;
        loop {
            if spin.is_zero() || place.spin(sleeps_from) {
                sleeper::sleep(due.saturating_duration_since(Instant::now()));
            }
            // freed: what the poller did before is seen.
            if place.freed.load(Ordering::Acquire) {
                return Unparked::Served;
            }
            let called = place.called.load(Ordering::Relaxed);
            if !called && Instant::now() < due {
                continue;
            }
            let mut inside = gate.enter();
            if place.freed.load(Ordering::Acquire) {
                return Unparked::Served;
            }
            place.called.store(false, Ordering::Relaxed);
            // SAFETY: the condition is alive, and others reach it inside the gate only.
            let is_true = unsafe { (*condition)(&mut inside) };
            match stays(&mut inside, called) {
                Some(pause) if !is_true => due = Instant::now() + pause,
                _ => {
                    inside.parking().parked.retain(|other| *other != at);
                    return match is_true {
                        true => Unparked::Served,
                        false => Unparked::Left,
                    };
                }
            }
        }
    }

    /// Calls the thread that was parked last; see [`Entered::park`].
    pub fn call_last(&mut self) -> Served {
        let last = self.parking().parked.last();
        // SAFETY: a place in the list is alive: see `park`.
        let last = last.map(|place| unsafe { place.as_ref() });
        let call = |place: &ParkedThread<C>| {
            place.called.store(true, Ordering::Relaxed);
            place.thread.clone()
        };
        Served(last.map(call).into_iter().collect())
    }

    /// Checks the conditions of parked threads, and takes those out of the list whose condition is
    /// true. They are to be woken after the gate is left.
    pub fn serve(&mut self) -> Served {
        let mut served = Vec::new();
        let mut parked = std::mem::take(&mut self.parking().parked);
        parked.retain(|place| {
            // SAFETY: a place in the list is alive: see `park`, which cannot take it out meanwhile.
            // Its condition is alive with it, and nobody else reaches it: this thread is inside.
            let (place, is_true) = unsafe {
                let place = place.as_ref();
                (place, (*place.condition)(self))
            };
            if is_true {
                served.push(place.thread.clone());
                // The last access: the thread may return from now on.
                place.freed.store(true, Ordering::Release);
            }
            !is_true
        });
        self.parking().parked = parked;
        Served(served)
    }
}
