//! Tests of the low layer as installed: header, library and pkg-config file, and the C example over
//! each kind of transport.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ofi;
use crate::case::Case;
use crate::peers;
use crate::world::World;
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

/// As many of its cases run at a time: one of them waits for its limits.
const AT_A_TIME: usize = 4;

/// The header is read, the example compiled against the installation, and run.
pub fn run() -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (compiler, options) in READERS {
        let name = format!("the header by {compiler}");
        cases.push(Case::new(name, AT_A_TIME, move |world| {
            let read = Job::new(compiler)
                .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
                .args(*options)
                .arg(world.prefix.join("include/oxmpi/bml.h"));
            read.ok().map(drop)
        }));
    }
    for (arguments, processes, carrier) in RUNS {
        let name = format!("low_layer {}", arguments.join(" "));
        cases.push(Case::new(name.trim_end(), AT_A_TIME, move |world| {
            all_right(&compile(world)?, arguments, *processes, carrier)
        }));
    }
    cases.push(Case::new("too few descriptors", AT_A_TIME, |world| {
        few_descriptors(&compile(world)?)
    }));
    let name = "a transport that there is not";
    cases.push(Case::new(name, AT_A_TIME, |world| {
        let wrong = Job::new(compile(world)?).args(["-n", "2", "smm"]).run()?;
        let error = "no transport `smm`; there are self, sm, tcp, ofi";
        match wrong.code == 1 && wrong.err.contains(error) {
            true => Ok(()),
            false => Err(wrong.reason()),
        }
    }));
    Ok(cases
        .into_iter()
        .map(|case| case.after(ofi::ready))
        .collect())
}

/// `sockets` waits for ever for a connection that it has no descriptor for. Under each limit both
/// processes end, well or with what is missing.
fn few_descriptors(program: &Path) -> Result<(), String> {
    let mut reports = 0;
    for limit in 8..=22 {
        let inner = format!("ulimit -n {limit} && exec \"$0\" -n 2 ofi sockets");
        let job = Job::new("sh").args(["-c", &inner]).arg(program);
        let outcome = job.limit(Duration::from_secs(10)).run()?;
        if outcome.timed_out || outcome.code > 1 {
            return Err(format!("{limit} descriptors: {}", outcome.reason()));
        }
        reports += usize::from(outcome.err.contains("descriptors are left (ulimit -n)"));
    }
    match reports {
        0 => Err("no run reported the limit of descriptors".into()),
        _ => Ok(()),
    }
}

/// As its users would: with what pkg-config says, which the program finds the library by, too.
fn compile(world: &World) -> Result<PathBuf, String> {
    let folder = fsio::target_dir().join("test/bin");
    let program = folder.join("low_layer");
    let make = || {
        if shell::find("pkg-config").is_none() {
            peers::apt_install(&["pkgconf"])?;
        }
        fsio::make_folder(&folder)?;
        let flags = Job::new("pkg-config")
            .args(["--cflags", "--libs", "oxmpi-bml"])
            .env("PKG_CONFIG_PATH", world.prefix.join("lib/pkgconfig"))
            .ok()?;
        let cc = Job::new("cc").args(["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]);
        let cc = cc.arg("-o").arg(&program);
        let cc = cc.arg(fsio::root().join("examples/low_layer.c"));
        cc.args(flags.out.split_whitespace()).ok().map(drop)
    };
    world.once(&program, make).map(|()| program.clone())
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
