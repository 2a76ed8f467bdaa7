//! `cargo xtask <command>`: the project's own commands.
//!
//! Each command is one module with a `run(&[String]) -> Result<(), String>`; the text of the error
//! is the one line that the user sees. [`COMMANDS`] is the only list of them.

#![forbid(unsafe_code)]

mod bench;
mod conformance;
mod demo;
mod fsio;
mod fuzz;
mod gen;
mod install;
mod names;
mod package;
mod peers;
mod progress;
mod shell;
mod test;
mod third_party;
mod tidy;
mod vm_rdma;
mod wheel;
mod world;

use std::process::ExitCode;

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
        test::run,
    ),
    (
        "fuzz",
        "any bytes for what reads peers' bytes (--seconds N, --only TEXT, --list, --keep)",
        fuzz::run,
    ),
    (
        "conformance",
        "run MPICH's test suite on oxmpi or a peer (--peer KEY, --folder NAME, --document)",
        conformance::run,
    ),
    ("tidy", "check the style that tools can check", tidy::run),
    (
        "vm-rdma",
        "test over RDMA, in a virtual machine with a device in software (by hand; --list)",
        vm_rdma::run,
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

fn print_help() {
    println!("usage: cargo xtask <command> [options]\n");
    for (name, help, _) in COMMANDS {
        println!("  {name:<11} {help}");
    }
}
