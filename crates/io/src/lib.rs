//! Planning of file access (MPI 5.0, chapter 14). No I/O but through [`Storage`], no clock, no
//! thread.
//!
//! * [`View`] places the elements of an access in the file: [`View::runs`] lists the bytes of
//!   any part of it, [`View::byte_offset`] and [`View::end`] convert between etypes and bytes.
//! * [`Representation`] is how data is stored in the file.
//! * [`hints`] has the info keys of files.
//! * [`plan`] decides how a collective access is made, and divides the file among aggregators;
//!   [`two_phase`] carries it out, as an algorithm over a port of `coll`.
//! * [`Storage`] is an open file, as the plans use it; [`Neighbours`] are processes whose memory
//!   an aggregator reaches.

#![forbid(unsafe_code)]

mod access;
mod aggregator;
mod client;
mod coverage;
mod error;
mod exchange;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod hints;
mod neighbours;
pub mod plan;
mod representation;
mod run;
mod runlist;
mod search;
mod storage;
pub mod two_phase;
mod view;
mod window;

pub use access::{Access, Failure, Independent, Outcome};
pub use error::Error;
pub use neighbours::{Neighbours, Remote};
pub use representation::{Conversions, Items, Registered, Representation, Representations};
pub use run::{Direction, Run};
pub use storage::{Lock, PendingWork, Storage, Work};
pub use view::{Runs, View};
