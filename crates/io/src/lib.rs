//! Planning of file access (MPI 5.0, chapter 14). No I/O, no clock, no thread.
//!
//! * [`View`] places the elements of an access in the file: [`View::runs`] lists the bytes of
//!   any part of it, [`View::byte_offset`] and [`View::end`] convert between etypes and bytes.
//! * [`Representation`] is how data is stored in the file.

#![forbid(unsafe_code)]

mod error;
mod representation;
mod view;

pub use error::Error;
pub use representation::Representation;
pub use view::{Run, Runs, View};
