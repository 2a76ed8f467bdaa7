//! All the concurrency there is, in one place.
//!
//! * [`ring`]: messages from one writer to one reader through shared memory;
//! * [`fifo`]: messages from many writers to one reader through shared memory;
//! * [`rounds`]: what the members of a group show each other, in step;
//! * [`turnstile`]: a fair lock for readers and writers, whose holders may die;
//! * [`journal`]: records from one writer that waits for nobody, for readers that may come late;
//! * [`Gate`]: the one lock, which costs a branch while only one thread calls;
//! * [`Ladder`]: how long to spin, when to yield, when to sleep: for everything that blocks;
//! * [`futex`], [`poll`], [`barrier`]: sleeping and being woken across processes;
//! * [`thread`]: threads that the application does not notice.
//!
//! Atomics come from [`atomic`], which is loom's under `--cfg loom`: every interleaving of the
//! rings and queues is explored there, over storage that loom can watch.

pub mod atomic;
pub mod barrier;
mod contention;
pub mod fifo;
pub mod futex;
mod gate;
pub mod journal;
mod ladder;
pub mod poll;
pub mod ring;
pub mod rounds;
pub mod thread;
pub mod turnstile;

pub use contention::{Contention, Pace};
pub use gate::{Entered, Gate};
pub use ladder::{Ladder, Patience, Step};

/// Bytes that travel together between cores.
pub const LINE_BYTES: usize = 64;
