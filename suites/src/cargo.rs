//! The steps that run Cargo, and the installation that later steps use.

use std::path::PathBuf;
use std::time::Duration;

use super::affected::{self, Selection};
use super::{ofi, pinned};
use crate::case::Case;
use crate::world::{Tally, World};
use xtask::shell::{by_workers, cargo, processors, Job};
use xtask::{fsio, install};

/// The layout of the sources.
pub fn format(_: &World) -> Result<Tally, String> {
    let job = Job::new(cargo()).args(["fmt", "--all", "--check"]);
    Ok(clean("cargo fmt --all", &job))
}

/// Generated files are fresh and the style holds.
pub fn style(_: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    tally.count("gen --check", xtask::gen::check());
    tally.count("tidy", xtask::tidy::check_repository());
    Ok(tally)
}

/// The lints of rustc and clippy.
pub fn clippy(_: &World) -> Result<Tally, String> {
    lints_of(&Selection::All)
}

/// The lints of the crates that depend on what differs from `main`.
pub fn clippy_changed(_: &World) -> Result<Tally, String> {
    lints_of(&affected::to_lint()?)
}

fn lints_of(packages: &Selection) -> Result<Tally, String> {
    let Some(packages) = arguments(packages) else {
        return Ok(Tally::default());
    };
    let job = Job::new(cargo())
        .arg("clippy")
        .args(packages)
        .args(["--all-targets", "--keep-going", "--message-format", "short"])
        .args(["--", "-D", "warnings"]);
    Ok(clean("clippy", &job))
}

/// The documentation, of private items too.
pub fn docs(_: &World) -> Result<Tally, String> {
    documentation_of(&Selection::All)
}

/// The documentation of the crates whose files differ from `main`.
pub fn docs_changed(_: &World) -> Result<Tally, String> {
    documentation_of(&affected::to_document()?)
}

fn documentation_of(packages: &Selection) -> Result<Tally, String> {
    let Some(packages) = arguments(packages) else {
        return Ok(Tally::default());
    };
    let job = Job::new(cargo())
        .arg("doc")
        .args(packages)
        .args(["--no-deps", "--keep-going", "--document-private-items"])
        .args(["--message-format", "short"])
        .env("RUSTDOCFLAGS", "-D warnings");
    Ok(clean("rustdoc", &job))
}

/// Returns Cargo's arguments for packages, after saying which they are; `None` for no package.
fn arguments(packages: &Selection) -> Option<Vec<String>> {
    let packages = match packages {
        Selection::All => return Some(vec!["--workspace".to_string()]),
        Selection::Packages(packages) => packages,
    };
    if packages.is_empty() {
        println!("      none: no crate differs from main");
        return None;
    }
    let names: Vec<&str> = packages.iter().map(String::as_str).collect();
    println!("      {}", names.join(", "));
    let arguments = packages.iter().flat_map(|name| ["-p", name]);
    Some(arguments.map(str::to_string).collect())
}

/// Counts a check that says what is wrong.
fn clean(name: &str, job: &Job) -> Tally {
    let mut tally = Tally::default();
    let job = job.clone().limit(Duration::from_secs(1800)).reporting();
    let outcome = job.run();
    let judged = outcome.and_then(|outcome| {
        let output = [outcome.out.as_str(), outcome.err.as_str()].concat();
        let is_fault = |line: &&str| line.contains(": error") || line.starts_with("Diff in ");
        let faults: Vec<&str> = output.lines().filter(is_fault).collect();
        match (outcome.succeeded(), faults.is_empty()) {
            (true, _) => Ok(()),
            (false, true) => Err(outcome.reason()),
            (false, false) => Err(format!("\n        {}", faults.join("\n        "))),
        }
    });
    tally.count(name, judged);
    tally
}

/// `cargo test` of every crate.
pub fn tests(_: &World) -> Result<Tally, String> {
    tests_of(&Selection::All)
}

/// `cargo test` of the crates that depend on what differs from `main`.
pub fn changed(_: &World) -> Result<Tally, String> {
    tests_of(&affected::to_test()?)
}

fn tests_of(packages: &Selection) -> Result<Tally, String> {
    if arguments(packages).is_none() {
        return Ok(Tally::default());
    }
    ofi::ready()?;
    let (own, others) = match packages {
        Selection::All => (OWN.to_vec(), Some(Vec::new())),
        Selection::Packages(names) => {
            let names = names.iter().map(String::as_str);
            let (own, others): (Vec<_>, Vec<_>) = names.partition(|name| OWN.contains(name));
            (own, (!others.is_empty()).then_some(others))
        }
    };
    let mut tally = Tally::default();
    if let Some(others) = others {
        let by_hand = BY_HAND.iter().flat_map(|name| ["--skip", name]);
        tally.add(side_by_side(&others, &[], &by_hand.collect::<Vec<_>>())?);
        tally.add(examples(&others)?);
    }
    if !own.is_empty() {
        tally.add(side_by_side(&own, &["--lib"], &[])?);
    }
    Ok(tally)
}

/// Runs the test programs of packages, of the workspace's default members where none is named:
/// several at a time, since tests that wait leave the processors to others. `targets` are options
/// of Cargo, `arguments` those of the programs.
fn side_by_side(packages: &[&str], targets: &[&str], arguments: &[&str]) -> Result<Tally, String> {
    let built = Job::new(cargo())
        .args([
            "test",
            "--no-run",
            "--message-format",
            "json-render-diagnostics",
        ])
        .args(packages.iter().flat_map(|name| ["-p", name]))
        .args(targets)
        .limit(Duration::from_secs(1500))
        .reporting()
        .ok()?;
    let programs: Vec<TestProgram> = built.out.lines().filter_map(TestProgram::read).collect();
    let run = |program: &TestProgram| {
        let job = Job::new(&program.file).folder(&program.folder);
        outcomes_of(&job.args(arguments).limit(Duration::from_secs(900)))
    };
    let mut tally = Tally::default();
    for outcome in by_workers(processors() * 3 / 2, &programs, run) {
        tally.add(outcome?);
    }
    if tally.passed == 0 && tally.failed.is_empty() {
        let names = packages.join(", ");
        tally.failed.push(format!("{names}: ran no test"));
    }
    Ok(tally)
}

/// Runs the examples in the documentation of packages. Most have none, and say so in their
/// manifests.
fn examples(packages: &[&str]) -> Result<Tally, String> {
    let packages = packages.iter().flat_map(|name| ["-p", name]);
    let job = Job::new(cargo()).args(["test", "--no-fail-fast", "--doc"]);
    outcomes_of(&job.args(packages).limit(Duration::from_secs(900)))
}

/// A test program that Cargo has built.
#[derive(Debug, PartialEq, Eq)]
struct TestProgram {
    file: PathBuf,
    /// The package's, in which Cargo runs it.
    folder: PathBuf,
}

impl TestProgram {
    /// Reads a message of Cargo; `None` for one about something else.
    fn read(message: &str) -> Option<TestProgram> {
        let message: serde_json::Value = serde_json::from_str(message).ok()?;
        if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
            return None;
        }
        let manifest = PathBuf::from(message["manifest_path"].as_str()?);
        Some(TestProgram {
            file: message["executable"].as_str()?.into(),
            folder: manifest.parent()?.into(),
        })
    }
}

/// Packages of which the unit tests run alone: `xtask` has no others, and those of `suites` are the
/// steps.
const OWN: &[&str] = &["xtask", "oxmpi-suites"];

/// Tests of crates that choose their number of rounds or inputs by the environment, with more.
pub fn long(_: &World) -> Result<Tally, String> {
    let packages = ["-p", "oxmpi-btl-tcp", "-p", "oxmpi-datatype"];
    let job = Job::new(cargo()).args(["test", "--no-fail-fast"]);
    of_cargo(&job.args(packages).env("OXMPI_TEST_LONG", "1"))
}

/// A minute of any bytes.
pub fn fuzz(_: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    tally.count("fuzz", xtask::fuzz::run(&xtask::usual()));
    Ok(tally)
}

/// `cargo xtask vm-rdma`, with the installation of a release.
pub fn vm_rdma(_: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    tally.count("vm-rdma", crate::vm_rdma::run(&xtask::usual()));
    Ok(tally)
}

/// Suites that need a newer libfabric or a device, and the transport's over `sockets`: they take 40
/// seconds, and the provider stalls in one of some hundred streams ([`stall`]). The C programs run
/// over it, both ways. [`libfabric`] runs all of these but for the device's
/// (`cargo xtask vm-rdma`).
const BY_HAND: &[&str] = &["tests::other::", "verbs", "tests::system::sockets::"];

/// All suites over libfabric: over the system's, over the one that a Python package brings, and
/// over a device that pins memory, by the providers that are quick.
///
/// The system's is asked for by its name alone, by which the loader gives out what it has: once
/// another of that name is loaded, it is that one. So its suites run in a process of their own.
pub fn libfabric(_: &World) -> Result<Tally, String> {
    ofi::ready()?;
    let suites = |library: Option<PathBuf>, arguments: &[&str]| {
        let mut job = Job::new(cargo())
            .args(["test", "--no-fail-fast"])
            .args([
                "-p",
                "oxmpi-ofi",
                "-p",
                "oxmpi-btl-ofi",
                "-p",
                "oxmpi-mtl-ofi",
            ])
            .args(["--", "--skip", "verbs"])
            .args(arguments)
            .limit(Duration::from_secs(3600));
        if let Some(library) = library {
            job = job.env("OXMPI_TEST_LIBFABRIC", library);
        }
        job
    };
    let mut tally = of_cargo(&suites(None, &["--skip", "tests::other::"]))?;
    let newer = suites(Some(ofi::newer()?), &["--skip", "tests::system::"]);
    tally.add(of_cargo(&newer)?);
    let quick = ["other::tcp_rxm", "other::shm", "tests::rxm"];
    let pinned = suites(Some(pinned::library()?), &quick);
    tally.add(of_cargo(&pinned.env(pinned::UNLIMITED, "1"))?);
    tally.count("`sockets` alone still stalls", stall());
    Ok(tally)
}

/// Checks that the reason to leave out the suites over `sockets` holds: a stream over libfabric
/// alone never ends (`tests/libfabric/closed_window.c`).
fn stall() -> Result<(), String> {
    const STALLED: i32 = 3;
    let source = fsio::root().join("tests/libfabric/closed_window.c");
    let program = fsio::target_dir().join("test/bin/closed_window");
    Job::new("cc")
        .args(["-O1", "-o"])
        .args([&program, &source])
        .arg("-lfabric")
        .ok()?;
    let streams = ["sockets", "0", "200"];
    let outcome = Job::new(&program).args(streams).run()?;
    match outcome.code {
        STALLED => Ok(()),
        0 => Err("it stalls no more: take `tests::system::sockets::` out of `BY_HAND`".into()),
        _ => Err(outcome.reason()),
    }
}

/// The tests that loom runs, optimised, in a folder of their own: the flag would rebuild everything
/// else.
pub fn loom(_: &World) -> Result<Tally, String> {
    let job = Job::new(cargo())
        .args(["test", "--release", "-p", "oxmpi-sync", "--test", "loom"])
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("RUSTFLAGS", "--cfg loom")
        .env("CARGO_TARGET_DIR", fsio::target_dir().join("loom"))
        .limit(Duration::from_secs(900));
    of_cargo(&job)
}

/// Jobs of eight ranks from 10,000 seeds, of which the tests of `rust` play a tenth.
pub fn simulation() -> Result<Vec<Case>, String> {
    const SEEDS: usize = 10_000;
    const SEEDS_EACH: usize = 500;
    const KEEPS_MEMORY: [&str; 2] = ["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"];
    let case = |first: usize| {
        let last = first + SEEDS_EACH - 1;
        let name = format!("seeds {first} to {last}");
        Case::new(name, 2 * processors(), move |world| {
            let program = install::built(install::PROFILE).join("oxmpi-sim");
            world.once(&program, || install::simulation().map(drop))?;
            let seeds = [first.to_string(), last.to_string()];
            // A job allocates and frees megabytes, which the next can have without the kernel.
            let job = KEEPS_MEMORY.iter();
            let job = job.fold(Job::new(&program), |job, name| job.env(name, "1000000000"));
            job.args(seeds).ok().map(drop)
        })
    };
    Ok((0..SEEDS).step_by(SEEDS_EACH).map(case).collect())
}

/// `cargo xtask install`, unless an installation was given.
pub fn install(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    tally.count("install", world.install());
    let missing = ["mpirun", "mpicc"]
        .into_iter()
        .find(|name| !world.bin(name).exists());
    tally.count(
        "programs are there",
        match missing {
            Some(name) => Err(format!("{} is missing", world.bin(name).display())),
            None => Ok(()),
        },
    );
    Ok(tally)
}

/// Counts what the test runners of `job` say; none is an error.
pub fn of_cargo(job: &Job) -> Result<Tally, String> {
    let mut tally = outcomes_of(job)?;
    if tally.passed == 0 && tally.failed.is_empty() {
        tally.failed.push(format!("{}: ran no test", job.line()));
    }
    Ok(tally)
}

/// Counts what the test runners of `job` say.
fn outcomes_of(job: &Job) -> Result<Tally, String> {
    let outcome = job.run()?;
    let mut tally = Tally::default();
    for line in outcome.out.lines() {
        if let Some(counts) = line.strip_prefix("test result: ") {
            tally.passed += count_before(counts, " passed");
        }
        let failed = line
            .strip_prefix("test ")
            .and_then(|l| l.strip_suffix(" ... FAILED"));
        if let Some(name) = failed {
            tally.failed.push(name.to_string());
        }
    }
    if !outcome.succeeded() {
        let why = [panics(&outcome.err), panics(&outcome.out), outcome.reason()].concat();
        tally.failed.push(format!("{}: {why}", job.line()));
    }
    Ok(tally)
}

/// Returns where tests panicked, and with which text.
fn panics(text: &str) -> String {
    let mut lines = text.lines();
    let mut found = String::new();
    while let Some(line) = lines.find(|line| line.contains("panicked at ")) {
        let said = lines.next().unwrap_or_default();
        found += &format!("{line} {said}\n      ");
    }
    found
}

fn count_before(text: &str, word: &str) -> usize {
    let number = text
        .split(word)
        .next()
        .and_then(|head| head.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_found_among_what_cargo_builds() {
        let message = |reason: &str, test: bool, executable: &str| {
            format!(
                r#"{{"reason":"{reason}","manifest_path":"/w/crates/a/Cargo.toml",
                "profile":{{"test":{test}}},"executable":{executable}}}"#
            )
        };
        let read = |reason, test, file| TestProgram::read(&message(reason, test, file));
        let program = TestProgram {
            file: "/w/target/a-1".into(),
            folder: "/w/crates/a".into(),
        };
        let file = r#""/w/target/a-1""#;
        assert_eq!(read("compiler-artifact", true, file), Some(program));
        assert_eq!(read("compiler-artifact", false, file), None);
        assert_eq!(read("compiler-artifact", true, "null"), None);
        assert_eq!(read("build-finished", true, file), None);
        assert_eq!(TestProgram::read("running 3 tests"), None);
    }
}
