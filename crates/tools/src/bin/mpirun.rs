//! `mpirun` and `mpiexec`: starts an MPI job on this machine. See the crate `launch`.
#![forbid(unsafe_code)]

/// The parameters of all components.
const TABLES: &[&[mca::Param]] = &[];

fn main() {
    let arguments: Vec<_> = std::env::args_os().collect();
    std::process::exit(tools::mpirun::main(&arguments, TABLES));
}
