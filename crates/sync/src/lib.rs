//! Lock-free algorithms, locks and waiting: all concurrent code of the library.
//!
//! * [`ring`]: messages from one writer to one reader through shared memory;
//! * [`fifo`]: messages from many writers to one reader through shared memory;
//! * [`rounds`]: exchange of data among the members of a group, in step;
//! * [`turnstile`]: a fair readers-writer lock, whose holders may die;
//! * [`journal`]: records from a writer that never waits, for readers that may lag behind;
//! * [`Gate`]: the lock around a process's state, which costs a branch while only one thread calls;
//! * [`Parking`]: threads that wait behind a gate while one of them polls for all;
//! * [`Ladder`]: spin, then yield, then sleep: the one way in which everything waits;
//! * [`futex`], [`poll`], [`barrier`]: sleep and wake-up across processes;
//! * [`Alarm`]: wake-up by a thread that may not enter the gate;
//! * [`thread`]: threads inside the application's process.
//!
//! Atomics come from [`atomic`], which under `--cfg loom` is loom's: loom explores every
//! interleaving of the rings and queues, over storage that it observes.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]

mod alarm;
pub mod atomic;
pub mod barrier;
mod contention;
pub mod fifo;
pub mod futex;
mod gate;
pub mod journal;
mod ladder;
mod lock;
mod parking;
pub mod poll;
pub mod ring;
pub mod rounds;
mod sleeper;
pub mod thread;
pub mod turnstile;

pub use alarm::Alarm;
pub use contention::{processor, was_away_since, Contention, Pace};
pub use gate::{Entered, Gate};
pub use ladder::{Ladder, Patience, Step};
pub use parking::{HasParking, Parking, Served, Unparked};

/// Bytes that travel together between cores.
pub const LINE_BYTES: usize = 64;
