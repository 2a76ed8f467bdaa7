//! `oxmpi-perf`: what the low layer does, measured without MPI.
//!
//! Two sides: the *asking* one measures, the *serving* one replies. By default the program starts
//! the serving side itself, as a second process of this machine; with `--listen` and a host they
//! run on two machines. With `--btl self` there is one side, which is its own peer.
//!
//! 1. [`options`] reads the command line;
//! 2. [`control`] is the way between the sides beside the network: pipes or a TCP connection.
//!    Over it they exchange addresses, and notice each other's end;
//! 3. [`link`] is what is measured: what a side does over a network, whatever that is.
//!    [`layer`] does it over the low layer, [`raw`] over libfabric itself, [`sockets`] over a
//!    socket;
//! 4. [`serve`] is the serving side: it does what it is told by messages over the low layer;
//! 5. [`cases`] are the measurements, [`figures`] what came out of one;
//! 6. [`report`] prints them, [`plot`] draws them.
//!
//! Every size is tried with known data before it is measured, and every byte checked.

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
