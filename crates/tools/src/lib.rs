//! The programs of an installation: `mpirun`, `oxmpi_info`, `oxmpi-perf`, the compiler wrappers.
#![allow(clippy::disallowed_methods, reason = "programs may wait")]
#![forbid(unsafe_code)]

pub mod generated;
pub mod info;
pub mod mpirun;
pub mod perf;
pub mod wrapper;
