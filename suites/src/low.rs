//! Tests of the low layer as installed: header, library and pkg-config file, and the C example over
//! each kind of transport.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ofi;
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job};

/// Arguments of the example, its number of processes, and the transports that each has to report.
const RUNS: &[(&[&str], usize, &str)] = &[
    (&[], 4, "messages by sm, memory by sm"),
    (&["-n", "1"], 1, "messages by self, memory by self"),
    (&["-n", "3", "tcp"], 3, "messages by tcp, memory by tcp"),
    (&["-n", "2"], 2, "messages by sm, memory by sm"),
    (
        &["-n", "2", "ofi", "tcp;ofi_rxm"],
        2,
        "messages by ofi, memory by ofi",
    ),
    (
        &["-n", "3", "ofi", "shm"],
        3,
        "messages by ofi, memory by ofi",
    ),
];

/// How the header is read: by which compiler and with which options.
const READERS: &[(&str, &[&str])] = &[
    ("cc", &["-std=c99", "-pedantic", "-x", "c"]),
    ("c++", &["-std=c++11", "-pedantic", "-x", "c++"]),
];

/// Reads the header, compiles the example against the installation, and runs it.
pub fn run(world: &World) -> Result<Tally, String> {
    ofi::ready()?;
    if shell::find("pkg-config").is_none() {
        peers::apt_install(&["pkgconf"])?;
    }
    let mut tally = Tally::default();
    let header = world.prefix.join("include/oxmpi/bml.h");
    for (compiler, options) in READERS {
        let read = Job::new(compiler)
            .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
            .args(*options)
            .arg(&header);
        tally.count(&format!("the header by {compiler}"), read.ok().map(drop));
    }
    let program = compile(world)?;
    for (arguments, processes, carrier) in RUNS {
        let name = format!("low_layer {}", arguments.join(" "));
        tally.count(&name, all_right(&program, arguments, *processes, carrier));
    }
    tally.count("too few descriptors", few_descriptors(&program));
    let wrong = Job::new(&program).args(["-n", "2", "smm"]).run()?;
    let told = wrong
        .err
        .contains("no transport `smm`; there are self, sm, tcp, ofi");
    let answer = match wrong.code == 1 && told {
        true => Ok(()),
        false => Err(wrong.reason()),
    };
    tally.count("a transport that there is not", answer);
    Ok(tally)
}

/// `sockets` waits for ever for a connection that it has no descriptor for. Under each limit both
/// processes end, well or with what is missing.
fn few_descriptors(program: &Path) -> Result<(), String> {
    let mut told = 0;
    for limit in 8..=22 {
        let inner = format!("ulimit -n {limit} && exec \"$0\" -n 2 ofi sockets");
        let job = Job::new("sh").args(["-c", &inner]).arg(program);
        let outcome = job.limit(Duration::from_secs(10)).run()?;
        if outcome.timed_out || outcome.code > 1 {
            return Err(format!("{limit} descriptors: {}", outcome.reason()));
        }
        told += usize::from(outcome.err.contains("descriptors are left (ulimit -n)"));
    }
    match told {
        0 => Err("no limit was told as what is missing".into()),
        _ => Ok(()),
    }
}

/// As its users would: with what pkg-config says, which the program finds the library by, too.
fn compile(world: &World) -> Result<PathBuf, String> {
    let folder = fsio::target_dir().join("test/bin");
    fsio::make_folder(&folder)?;
    let flags = Job::new("pkg-config")
        .args(["--cflags", "--libs", "oxmpi-bml"])
        .env("PKG_CONFIG_PATH", world.prefix.join("lib/pkgconfig"))
        .ok()?;
    let program = folder.join("low_layer");
    Job::new("cc")
        .args([
            "-std=gnu11",
            "-O1",
            "-g",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-o",
        ])
        .arg(&program)
        .arg(fsio::root().join("examples/low_layer.c"))
        .args(flags.out.split_whitespace())
        .ok()?;
    Ok(program)
}

fn all_right(
    program: &Path,
    arguments: &[&str],
    processes: usize,
    carrier: &str,
) -> Result<(), String> {
    let outcome = Job::new(program)
        .args(arguments)
        .limit(Duration::from_secs(60))
        .ok()?;
    let right = format!("of {processes}: all data right ({carrier}");
    match outcome.out.matches(&right).count() == processes {
        true => outcome.none_left(),
        false => Err(format!("`{right}` is missing: {}", outcome.reason())),
    }
}
