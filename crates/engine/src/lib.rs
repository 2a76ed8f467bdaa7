//! Progress: connects the point-to-point protocol to the transports, polls, and waits.
//!
//! An [`Engine`] connects two layers that do not know each other: the BML moves bytes and knows no
//! MPI messages, and the protocol `ob1` knows messages and performs no I/O. Every blocking call of
//! the library waits in [`Engine::wait_until`], on one wait ladder.
//!
//! ```text
//! send:  ob1 makes a frame -> bml sends it         (busy: it stays in a queue of ob1)
//! poll:  bml -> Router -> ob1                      (replies are added to ob1's queues)
//!        then the queues are drained to the bml
//! wait:  poll, check the condition, spin or yield or sleep, repeat
//! ```
//!
//! All state is a [`Core`] behind one gate. A waiting thread releases the gate between two checks
//! of its condition. At `MPI_THREAD_MULTIPLE` one of the threads that wait polls for all (`among`).
//!
//! The files have levels, and use only files of the lines above their own:
//!
//! ```text
//! error, polls, helper_timer, accesses,    values
//! crowd, quiet
//! address, router, network, ob1            a layer and what it moves messages over
//! plain                                    the chosen layer, one branch
//! pml                                      Core: that layer, or one of vprotocol over it
//! core, onesided                           acts on a Core
//! engine                                   the gate, and the wait
//! pt2pt, sleep, progress, among            acts on an Engine
//! helper, progress_thread                  threads that poll beside the application
//! ```
#![forbid(unsafe_code)]

mod accesses;
mod address;
mod among;
mod core;
mod crowd;
mod engine;
mod error;
mod fault_queue;
mod faults;
mod helper;
mod helper_timer;
mod neighbour;
mod network;
mod ob1;
mod onesided;
mod plain;
mod pml;
mod polls;
mod progress;
mod progress_thread;
mod pt2pt;
mod quiet;
mod router;
mod sleep;

pub use crate::accesses::WordMemory;
pub use crate::engine::Engine;
pub use crate::error::Error;
pub use crate::helper::{HelperThread, OwnWord, Watch};
pub use crate::ob1::{Ob1, Settings};
pub use crate::onesided::start::{Begun, WindowLane};
pub use crate::plain::Plain;
pub use crate::pml::{Core, Decorate, Decorated};
pub use crate::progress_thread::{Host, ProgressThread};
pub use ::ob1::{Pending, Waiting};
pub use btl::Least;
