//! The programs of an installation: `mpirun`, `oxmpi_info`, `oxmpi-perf`, the compiler wrappers.
#![forbid(unsafe_code)]

pub mod generated;
pub mod info;
pub mod mpirun;
pub mod perf;
pub mod wrapper;
