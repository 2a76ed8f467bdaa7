//! `oxmpi-perf`: measures the low layer, without MPI.
//!
//! Of two processes (sides) one measures and the other *serves*, that is, replies. By default the
//! program starts the serving side itself, as a second process on this machine; with `--listen` and
//! a host they run on two machines. With `--btl self` there is one process, its own peer.
//!
//! 1. [`options`] parses the command line;
//! 2. [`control`] connects the two sides beside the measured network, by pipes or TCP. Over it they
//!    exchange addresses, and notice when the other side ends;
//! 3. [`link`] is the trait of the measured operations. [`layer`] implements it over the low layer,
//!    [`raw`] over libfabric itself, [`sockets`] over a socket;
//! 4. [`serve`] is the serving side, controlled by messages over the low layer;
//! 5. [`cases`] are the measurements, [`figures`] the results of one;
//! 6. [`report`] prints them, [`plot`] draws them.
//!
//! Before a size is measured, it is tried with known data, and every byte is checked.

pub mod cases;
mod control;
mod error;
pub mod figures;
mod layer;
mod link;
pub mod options;
mod plot;
mod raw;
mod report;
pub mod samples;
mod serve;
mod sides;
mod sockets;

pub use error::Error;
pub use options::{parse, Request};
pub use sides::run;
