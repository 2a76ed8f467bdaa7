//! `mpirun` and `mpiexec`: starts an MPI job on this machine. See the crate `launch`.
#![forbid(unsafe_code)]

fn main() {
    let arguments: Vec<_> = std::env::args_os().collect();
    std::process::exit(tools::mpirun::main(
        &arguments,
        mpi_components::params::TABLES,
        mpi_components::params::check_lists,
    ));
}
