//! Stress tests of the registration cache with several allocators: buffers that are allocated and
//! freed all the time, over libfabric with registered memory for every transfer.
//!
//! The programs are in `tests/torture`. Each run reports its number of turns. The test checks that
//! every byte was right, that nobody hung, and that the cache was used: registrations were found
//! again, and those of freed memory were not.

use std::path::PathBuf;
use std::time::Duration;

use super::ofi;
use super::programs::{compile, compile_as, mpirun};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{side_by_side, Job};

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

/// AddressSanitizer's allocator, which gives no memory out again for long.
const ASAN: &str = "AddressSanitizer";

/// An allocator under the program.
struct Allocator {
    name: &'static str,
    program: PathBuf,
    preload: Option<PathBuf>,
}

/// Report of a rank where the system has no userfaultfd for it, as in some containers.
const UNWATCHED: &str = "memory cannot be watched";

/// One run of `buffers`.
#[derive(Clone, Copy)]
struct Case {
    mode: &'static str,
    ranks: usize,
    threads: usize,
}

impl Case {
    /// Whether continuous integration runs it: each mode under each allocator, with three threads
    /// on two ranks, or with one on four. The other combinations differ by nothing but numbers.
    fn is_in_ci(&self) -> bool {
        (self.ranks == 2) == (self.threads == 3)
    }
}

/// A second of each case that continuous integration has time for.
pub fn run(world: &World) -> Result<Tally, String> {
    let given = std::env::var(SECONDS).ok();
    let seconds = match given.as_deref().map(str::parse) {
        None => SHORT,
        Some(Ok(seconds)) => seconds,
        Some(Err(_)) => return Err(format!("{SECONDS} is not a number of seconds")),
    };
    each(world, seconds, Case::is_in_ci)
}

/// A minute of everything.
pub fn long(world: &World) -> Result<Tally, String> {
    each(world, LONG, |_| true)
}

fn each(world: &World, seconds: f64, wanted: fn(&Case) -> bool) -> Result<Tally, String> {
    ofi::ready()?;
    let allocators = allocators(world)?;
    let of_allocator = |under| cases(under).into_iter().map(move |case| (under, case));
    let mut all: Vec<_> = allocators.iter().flat_map(of_allocator).collect();
    all.retain(|(_, case)| wanted(case));
    let mut tally = Tally::default();
    let answers = side_by_side(&all, |(under, case)| one(world, under, *case, seconds));
    for ((under, case), answer) in all.iter().zip(answers) {
        let Case {
            mode,
            ranks,
            threads,
        } = case;
        let what = format!("{}, {mode}, {ranks} ranks, {threads} threads", under.name);
        tally.count(&what, answer);
    }
    tally.count("userfaultfd denied", unwatched(world, seconds));
    Ok(tally)
}

fn allocators(world: &World) -> Result<Vec<Allocator>, String> {
    let folder = fsio::root().join("tests/torture");
    let source = folder.join("buffers.c");
    let program = compile(world, &source, &[])?;
    let under = |name, preload| Allocator {
        name,
        program: program.clone(),
        preload,
    };
    let flags = ["-shared", "-fPIC"];
    let purging = compile(world, &folder.join("purging_malloc.c"), &flags)?;
    let mut all = vec![under("plain", None), under("purging", Some(purging))];
    for (name, package, file) in ALLOCATORS {
        all.push(under(name, Some(library(package, file)?)));
    }
    all.push(Allocator {
        name: ASAN,
        program: compile_as("buffers_asan", world, &source, &["-fsanitize=address"])?,
        preload: None,
    });
    Ok(all)
}

/// Returns the cases of an allocator; mappings of the program's own do not depend on it.
fn cases(allocator: &Allocator) -> Vec<Case> {
    let case = |mode, ranks, threads| Case {
        mode,
        ranks,
        threads,
    };
    let mut cases = Vec::new();
    for ranks in [2, 4] {
        cases.extend([1, 3].map(|threads| case("malloc", ranks, threads)));
    }
    if allocator.name == ASAN {
        cases.extend([
            case("sizes", 2, 3),
            case("remap", 2, 3),
            case("remap", 4, 1),
        ]);
        return cases;
    }
    let own = ["remap", "empty", "given", "fixed", "child"]
        .into_iter()
        .filter(|_| allocator.name == "plain");
    for mode in ["sizes"].into_iter().chain(own) {
        cases.extend([1, 3].map(|threads| case(mode, 2, threads)));
    }
    if allocator.name == "plain" {
        cases.extend([1, 3].map(|threads| case("remap", 4, threads)));
    }
    cases
}

/// Runs a case, and checks what the caches say that they did.
fn one(world: &World, allocator: &Allocator, case: Case, seconds: f64) -> Result<(), String> {
    let mut job = mpirun(world, case.ranks, CACHED).limit(Duration::from_secs_f64(60.0 + seconds));
    if let Some(library) = &allocator.preload {
        let preload = format!("LD_PRELOAD={}", library.display());
        job = job.args(["-x", &preload]);
    }
    // A leak in somebody else's library is not what is looked for here.
    let job = job.env("ASAN_OPTIONS", "detect_leaks=0");
    let words = [case.mode, &seconds.to_string(), &case.threads.to_string()];
    let outcome = job.arg(&allocator.program).args(words).ok()?;
    outcome.none_left()?;
    let seen = |word| count(&outcome.err, word);
    let wrong = |what: String| Err(format!("{what}: {}", outcome.reason()));
    if seen("misses") == 0 {
        return wrong("no memory was registered".to_string());
    }
    if seen("registered") != seen("idle") {
        let used = seen("registered") - seen("idle");
        return wrong(format!("{used} registrations are in use at the end"));
    }
    if outcome.err.contains(UNWATCHED) {
        return match seen("hits") {
            0 => Ok(()),
            _ => wrong("a registration was used again that nobody watched".to_string()),
        };
    }
    // Whether memory that was registered is sure to have gone back to the system, and whether some
    // that is still registered is sure to have been sent again.
    let frees = allocator.name == "purging" || matches!(case.mode, "remap" | "empty" | "child");
    let reuses = !["purging", ASAN].contains(&allocator.name);
    if frees && seen("invalidations") == 0 {
        return wrong("no release was noticed".to_string());
    }
    if reuses && seen("hits") == 0 {
        return wrong("no registration was used again".to_string());
    }
    Ok(())
}

/// Where memory cannot be watched, everything is registered anew each time, and nothing is kept.
fn unwatched(world: &World, seconds: f64) -> Result<(), String> {
    let root = fsio::root();
    let deny = compile(world, &root.join("tests/environment/deny_watch.c"), &[])?;
    let program = compile(world, &root.join("tests/torture/buffers.c"), &[])?;
    let words = ["remap", &seconds.to_string(), "3"];
    let job = mpirun(world, 2, CACHED).limit(Duration::from_secs_f64(60.0 + seconds));
    let outcome = job.args([&deny, &program]).args(words).ok()?;
    let seen = |word| count(&outcome.err, word);
    match (seen("misses"), seen("hits"), seen("registered")) {
        (1.., 0, 0) => Ok(()),
        _ => Err(outcome.reason()),
    }
}

/// Returns the sum of the numbers before `word` in the lines of the caches.
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
