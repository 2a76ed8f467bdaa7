//! `cargo xtask <command>`: the project's own commands.
//!
//! [`COMMANDS`] is the only list of them. What runs tests is the package `suites`, which depends on
//! this one: its commands are started as a program of their own.

#![forbid(unsafe_code)]

use std::os::unix::process::CommandExt;
use std::process::{Command as Process, ExitCode};

use xtask::{bench, demo, fuzz, gen, install, package, shell, tidy, wheel};

/// A command: its name, one line of help, and what it does with the arguments after the name.
type Command = (
    &'static str,
    &'static str,
    fn(&[String]) -> Result<(), String>,
);

const COMMANDS: &[Command] = &[
    (
        "demo",
        "build, install, and let four ranks draw target/demo/heat.png",
        demo::run,
    ),
    (
        "gen",
        "write the files made from spec/ (--check: only say which are stale)",
        gen::run,
    ),
    (
        "install",
        "build for release and lay out an installation (--prefix DIR)",
        install::run,
    ),
    (
        "wheel",
        "pack an installation for pip (manylinux_2_28, by cargo-zigbuild) into target/wheels/",
        wheel::run,
    ),
    (
        "deb",
        "pack an installation as Debian packages into target/debs/ (--profile NAME)",
        package::deb,
    ),
    (
        "tarball",
        "pack an installation that may be unpacked anywhere into target/tarballs/ (--profile NAME)",
        package::tarball,
    ),
    (
        "bench",
        "measure oxmpi beside other MPI libraries (--quick, --suite S, --peers A,B)",
        bench::run,
    ),
    (
        "test",
        "run a tier of the tests (quick, all; --only TEXT, --list) or one of them (c, sim, mpich)",
        |args| suites("test", args),
    ),
    (
        "fuzz",
        "any bytes for what reads peers' bytes (--seconds N, --only TEXT, --list, --keep)",
        fuzz::run,
    ),
    (
        "conformance",
        "run MPICH's test suite on oxmpi or a peer (--peer KEY, --folder NAME, --document)",
        |args| suites("conformance", args),
    ),
    ("tidy", "check the style that tools can check", tidy::run),
    (
        "vm-rdma",
        "test over RDMA, in a virtual machine with a device in software (by hand; --list)",
        |args| suites("vm-rdma", args),
    ),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(name) = args.first() else {
        print_help();
        return ExitCode::from(2);
    };
    if matches!(name.as_str(), "help" | "-h" | "--help") {
        print_help();
        return ExitCode::SUCCESS;
    }
    let Some((_, _, run)) = COMMANDS.iter().find(|(known, _, _)| known == name) else {
        eprintln!("xtask: no command `{name}`; `cargo xtask help` lists them");
        return ExitCode::from(2);
    };
    match run(&args[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("xtask {name}: {text}");
            ExitCode::FAILURE
        }
    }
}

/// Becomes the program of the package `suites`, which Cargo brings up to date first.
fn suites(command: &str, args: &[String]) -> Result<(), String> {
    let mut cargo = Process::new(shell::cargo());
    cargo.args(["run", "--quiet", "--package", "oxmpi-suites", "--", command]);
    Err(format!("cannot run Cargo: {}", cargo.args(args).exec()))
}

fn print_help() {
    println!("usage: cargo xtask <command> [options]\n");
    for (name, help, _) in COMMANDS {
        println!("  {name:<11} {help}");
    }
}
