//! mpirun, oxmpi_info and the compiler wrappers.
#![forbid(unsafe_code)]

pub mod generated;
pub mod info;
pub mod mpirun;
pub mod wrapper;
