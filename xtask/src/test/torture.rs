//! Allocators against the registration cache: buffers that come and go, over libfabric with memory
//! registered for every transfer and the registrations kept.
//!
//! The programs are in `tests/torture`. Each run says how many turns it made; what is to be seen is
//! that every byte was right, that nobody hung, and that the caches did work: registrations were
//! found again, and those of freed memory were not.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::programs::{compile, compile_as, mpirun, none_left};
use super::{ofi, Tally, World};
use crate::shell::Job;
use crate::{fsio, peers};

/// Seconds for each run where [`SECONDS`] says nothing.
const SHORT: f64 = 1.0;

/// Seconds for each run by hand.
const LONG: f64 = 60.0;

/// The variable that sets the seconds for each run.
const SECONDS: &str = "OXMPI_TORTURE_SECONDS";

/// Transfers by remote access to memory, all of it registered, all registrations kept.
const CACHED: &[&str] = &[
    "--mca",
    "btl",
    "ofi,self",
    "--mca",
    "opal_common_ofi_provider_include",
    "tcp;ofi_rxm",
    "--mca",
    "btl_ofi_register_local",
    "1",
    "--mca",
    "mpi_leave_pinned",
    "1",
    "--mca",
    "rcache_grdma_print_stats",
    "1",
];

/// Allocators that are loaded first: the name, Debian's package, the file.
const ALLOCATORS: &[(&str, &str, &str)] = &[
    ("mimalloc", "libmimalloc2.0", "libmimalloc.so.2"),
    ("jemalloc", "libjemalloc2", "libjemalloc.so.2"),
];

/// One run of `buffers`.
struct Case {
    mode: &'static str,
    ranks: usize,
    threads: usize,
}

/// A few seconds of everything.
pub fn run(world: &World) -> Result<Tally, String> {
    let given = std::env::var(SECONDS).ok();
    let seconds = match given.as_deref().map(str::parse) {
        None => SHORT,
        Some(Ok(seconds)) => seconds,
        Some(Err(_)) => return Err(format!("{SECONDS} is not a number of seconds")),
    };
    all(world, seconds)
}

/// A minute of everything.
pub fn long(world: &World) -> Result<Tally, String> {
    all(world, LONG)
}

fn all(world: &World, seconds: f64) -> Result<Tally, String> {
    ofi::ready()?;
    let folder = fsio::root().join("tests/torture");
    let source = folder.join("buffers.c");
    let program = compile(world, &source, &[])?;
    let purging = compile(
        world,
        &folder.join("purging_malloc.c"),
        &["-shared", "-fPIC"],
    )?;
    let mut tally = Tally::default();
    let mut play = |name: &str, program: &Path, preload: Option<&Path>, case: &Case| {
        let what = format!(
            "{name}, {}, {} ranks, {} threads",
            case.mode, case.ranks, case.threads
        );
        let judged = one(world, program, preload, case, seconds);
        tally.count(&what, judged);
    };
    let mut allocators = vec![("plain", None), ("purging", Some(purging))];
    for (name, package, file) in ALLOCATORS {
        allocators.push((name, Some(library(package, file)?)));
    }
    for (name, preload) in &allocators {
        for case in cases(*name == "plain") {
            play(name, &program, preload.as_deref(), &case);
        }
    }
    let checked = compile_as("buffers_asan", world, &source, &["-fsanitize=address"])?;
    for mode in ["malloc", "sizes", "remap"] {
        let (ranks, threads) = (2, 3);
        let case = Case {
            mode,
            ranks,
            threads,
        };
        play("AddressSanitizer", &checked, None, &case);
    }
    Ok(tally)
}

/// What is tried with an allocator; mappings of the program's own do not depend on it.
fn cases(plain: bool) -> Vec<Case> {
    let case = |mode, ranks, threads| Case {
        mode,
        ranks,
        threads,
    };
    let mut cases = Vec::new();
    for ranks in [2, 4] {
        cases.extend([1, 3].map(|threads| case("malloc", ranks, threads)));
    }
    cases.extend([1, 3].map(|threads| case("sizes", 2, threads)));
    for mode in ["remap", "empty", "given"].into_iter().filter(|_| plain) {
        cases.extend([1, 3].map(|threads| case(mode, 2, threads)));
    }
    cases
}

/// Runs a case, and looks at what the caches say that they did.
fn one(
    world: &World,
    program: &Path,
    preload: Option<&Path>,
    case: &Case,
    seconds: f64,
) -> Result<(), String> {
    let mut job = mpirun(world, case.ranks, CACHED).limit(Duration::from_secs_f64(60.0 + seconds));
    if let Some(library) = preload {
        let preload = format!("LD_PRELOAD={}", library.display());
        job = job.args(["-x", &preload]);
    }
    let words = [case.mode, &seconds.to_string(), &case.threads.to_string()];
    // A leak in somebody else's library is not what is looked for here.
    let job = job.env("ASAN_OPTIONS", "detect_leaks=0").arg(program);
    let outcome = job.args(words).ok()?;
    none_left(program)?;
    if count(&outcome.err, "hits") == 0 {
        return Err(format!(
            "no registration was used again: {}",
            outcome.reason()
        ));
    }
    let gone = count(&outcome.err, "invalidations");
    // What plain malloc frees may stay mapped; the others are sure to have given pages back.
    let must = matches!(case.mode, "remap" | "empty") || program_purges(preload);
    match must && gone == 0 {
        true => Err(format!("no release was noticed: {}", outcome.reason())),
        false => Ok(()),
    }
}

fn program_purges(preload: Option<&Path>) -> bool {
    preload.is_some_and(|library| library.to_string_lossy().contains("purging"))
}

/// The sum of the numbers before `word` in the lines of the caches.
fn count(text: &str, word: &str) -> u64 {
    let of_caches = text
        .lines()
        .filter(|line| line.contains("registration cache"));
    let numbers = of_caches.filter_map(|line| {
        let before = line.split(&format!(" {word}")).next()?;
        before.split_whitespace().next_back()?.parse::<u64>().ok()
    });
    numbers.sum()
}

/// A library of a Debian package, which is installed where the loader does not know it.
fn library(package: &str, file: &str) -> Result<PathBuf, String> {
    let known = || -> Result<Option<PathBuf>, String> {
        let listed = Job::new("/sbin/ldconfig").arg("-p").ok()?.out;
        let mut lines = listed.lines();
        let line = lines.find(|line| line.split_whitespace().next() == Some(file));
        Ok(line.and_then(|line| Some(line.rsplit_once("=> ")?.1.into())))
    };
    if let Some(path) = known()? {
        return Ok(path);
    }
    peers::apt_install(&[package])?;
    known()?.ok_or_else(|| format!("package {package} has no {file}"))
}
