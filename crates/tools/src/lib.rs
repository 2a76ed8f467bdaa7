//! mpirun, oxmpi_info, oxmpi-perf and the compiler wrappers.
#![forbid(unsafe_code)]

pub mod generated;
pub mod info;
pub mod mpirun;
pub mod perf;
pub mod wrapper;
