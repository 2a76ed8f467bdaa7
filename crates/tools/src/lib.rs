//! mpirun, oxmpi_info and the compiler wrappers.
#![forbid(unsafe_code)]

pub mod generated;
pub mod info;
pub mod wrapper;
pub mod mpirun;
