//! The gate before the machine: tests pass in their order, each as soon as there is room for it.
//!
//! A test takes a share of the machine: one of a kind that runs four at a time takes a quarter. So
//! kinds mix where one ends and the next begins, and what measures time, which takes all, has
//! nothing beside it. Runners that give each test a process of its own decide themselves how many
//! run; among these a file keeps what is to be alone from the others.

use std::fs::File;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use xtask::fsio;

use crate::world;

/// Shares of the machine; every number of tests up to 10 divides it.
const MACHINE: usize = 2520;

/// Lets tests pass.
#[derive(Default)]
pub struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The number that the next to come gets.
    comes: usize,
    /// The number of the next to pass.
    passes: usize,
    /// Shares that are taken.
    taken: usize,
}

/// Permission of a test to run; dropping it returns its share.
pub struct Permit<'a> {
    gate: &'a Gate,
    share: usize,
    _beside: Option<File>,
}

impl Gate {
    /// Waits for the room of a test of which some run at a time.
    pub fn enter(&self, at_a_time: usize) -> Permit<'_> {
        let share = (MACHINE / at_a_time.max(1)).max(1);
        let mut state = self.state();
        let number = state.comes;
        state.comes += 1;
        while state.passes != number || state.taken + share > MACHINE {
            let woken = self.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        state.passes += 1;
        state.taken += share;
        self.changed.notify_all();
        Permit {
            gate: self,
            share,
            _beside: world::shared_run().and_then(|_| beside(at_a_time == 1)),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for all other processes to leave the machine, or for one that is alone to do so.
fn beside(is_alone: bool) -> Option<File> {
    let folder = fsio::target_dir().join("test");
    fsio::make_folder(&folder).ok()?;
    let file = File::create(folder.join("alone.lock")).ok()?;
    let locked = match is_alone {
        true => file.lock(),
        false => file.lock_shared(),
    };
    locked.ok().map(|()| file)
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.gate.state().taken -= self.share;
        self.gate.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn no_more_than_fit_are_inside_and_one_that_is_alone_has_nothing_beside_it() {
        let gate = Gate::default();
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for number in 0..40 {
                let (gate, inside, most) = (&gate, &inside, &most);
                scope.spawn(move || {
                    let is_alone = number % 8 == 0;
                    let room = gate.enter(if is_alone { 1 } else { 4 });
                    let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(now, Ordering::SeqCst);
                    assert!(now == 1 || !is_alone);
                    thread::yield_now();
                    inside.fetch_sub(1, Ordering::SeqCst);
                    drop(room);
                });
            }
        });
        assert!((1..=4).contains(&most.into_inner()));
        assert_eq!(gate.state().taken, 0);
    }

    #[test]
    fn nobody_overtakes() {
        let gate = Gate::default();
        let order = Mutex::new(Vec::new());
        thread::scope(|scope| {
            let first = gate.enter(2);
            // The second wants all, and waits for the first; the third would fit beside that.
            for (number, at_a_time) in [(2, 1), (3, 2)] {
                let (gate, order) = (&gate, &order);
                scope.spawn(move || {
                    let _room = gate.enter(at_a_time);
                    order.lock().unwrap().push(number);
                });
                while gate.state().comes < number {
                    thread::yield_now();
                }
            }
            drop(first);
        });
        assert_eq!(order.into_inner().unwrap(), [2, 3]);
    }
}
