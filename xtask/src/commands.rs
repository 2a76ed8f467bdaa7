//! The commands: the only list of them.
//!
//! What tests and measures an installation is the package `suites`, which depends on this one: its
//! commands are started as a program of their own.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command as Process;

use crate::{demo, fuzz, gen, install, package, shell, tidy, wheel};

/// The project's own commands
#[derive(clap::Parser)]
#[command(name = "xtask", bin_name = "cargo xtask")]
pub enum Command {
    /// Build, install, and let four ranks draw target/demo/heat.png
    Demo(demo::Options),
    /// Write the files made from spec/, and the generated parts of documents
    Gen(gen::Options),
    /// Build for release and lay out an installation
    Install(install::Options),
    /// Pack an installation for pip (manylinux_2_28, by cargo-zigbuild) into target/wheels/
    Wheel(wheel::Options),
    /// Pack an installation as Debian packages into target/debs/
    Deb(package::Options),
    /// Pack an installation that may be unpacked anywhere into target/tarballs/
    Tarball(package::Options),
    /// Measure oxmpi beside other MPI libraries
    #[command(disable_help_flag = true)]
    Bench(Passed),
    /// Run a tier of the tests (quick, all) or one of them (c, sim, mpich, binaries)
    #[command(disable_help_flag = true)]
    Test(Passed),
    /// Feed any bytes to what reads peers' bytes
    Fuzz(fuzz::Options),
    /// Run MPICH's test suite on oxmpi or a peer
    #[command(disable_help_flag = true)]
    Conformance(Passed),
    /// Check the style that tools can check
    Tidy(tidy::Options),
    /// Test over RDMA, in a virtual machine with a device in software (by hand)
    #[command(disable_help_flag = true)]
    VmRdma(Passed),
}

/// Arguments of a command of the package `suites`.
#[derive(clap::Args)]
pub struct Passed {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

impl Command {
    /// Runs the command; the text of an error is the one line that the user sees.
    pub fn run(self) -> Result<(), String> {
        match self {
            Command::Demo(options) => demo::run(&options),
            Command::Gen(options) => gen::run(&options),
            Command::Install(options) => install::run(&options),
            Command::Wheel(options) => wheel::run(&options),
            Command::Deb(options) => package::deb(&options),
            Command::Tarball(options) => package::tarball(&options),
            Command::Bench(passed) => suites("bench", &passed),
            Command::Test(passed) => suites("test", &passed),
            Command::Fuzz(options) => fuzz::run(&options),
            Command::Conformance(passed) => suites("conformance", &passed),
            Command::Tidy(options) => tidy::run(&options),
            Command::VmRdma(passed) => suites("vm-rdma", &passed),
        }
    }
}

/// Becomes the program of the package `suites`, which Cargo brings up to date first.
fn suites(command: &str, passed: &Passed) -> Result<(), String> {
    let mut cargo = Process::new(shell::cargo());
    cargo.args(["run", "--quiet", "--package", "oxmpi-suites", "--", command]);
    Err(format!(
        "cannot run Cargo: {}",
        cargo.args(&passed.args).exec()
    ))
}
