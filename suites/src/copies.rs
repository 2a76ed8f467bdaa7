//! Tests of copies between processes by each component of `smsc`: forced, excluded, disabled, with
//! and without a device. The job itself reports what the machine lacks (`--explain`), and the test
//! checks that report.

use std::path::Path;

use serde_json::Value;

use super::programs::{compile, mpirun};
use crate::case::Case;
use crate::world::World;
use xtask::fsio;
use xtask::shell::{processors, Job};

/// A list of components, and what reads memory then: the best that there is.
const LISTS: &[(&str, &[&str])] = &[
    ("xpmem", &["xpmem"]),
    ("cma", &["cma"]),
    ("knem", &["knem"]),
    ("none", &[]),
    ("^cma", &["xpmem", "knem"]),
    ("^xpmem,knem", &["cma"]),
    ("knem,cma", &["cma"]),
];

/// Settings of what carries long messages, and what reads memory then.
const FORCED: &[(&str, &[&str])] = &[("cma", &["cma"]), ("none", &[]), ("emulated", &[])];

/// The parameter of such settings.
const MECHANISM: &str = "btl_sm_single_copy_mechanism";

/// Programs that move large messages, and one that puts and gets in windows.
const PROGRAMS: &[&str] = &[
    "big",
    "p2p_requests",
    "copies_withdrawn",
    "carried",
    "rma_random",
];

/// Each list, each setting and each program; knem over a device that is stood in for; and a setting
/// that asks for what the machine lacks.
pub fn run() -> Result<Vec<Case>, String> {
    let at_a_time = 2 * processors();
    let mut cases = Vec::new();
    for name in PROGRAMS {
        let lists = LISTS.iter().map(|way| ("smsc", way));
        let forced = FORCED.iter().map(|way| (MECHANISM, way));
        for (parameter, (value, components)) in lists.chain(forced) {
            let title = format!("{name} with {parameter} {value}");
            cases.push(Case::new(title, at_a_time, move |world| {
                let options = ["--mca", parameter, value];
                judge(&job(world, name, &options)?, components)
            }));
        }
        let title = format!("{name} over a stand-in for /dev/knem");
        let work = |world: &World| over_device(world, name);
        cases.push(Case::new(title, at_a_time, work));
    }
    let title = "a mechanism that is not there";
    cases.push(Case::new(title, at_a_time, lacking));
    Ok(cases)
}

/// Two ranks of a program of `tests/c`, which report their paths.
fn job(world: &World, name: &str, options: &[&str]) -> Result<Job, String> {
    let program = compile(world, &fsio::root().join(format!("tests/c/{name}.c")), &[])?;
    let options = [&["--explain=json"], options].concat();
    Ok(mpirun(world, 2, &options).arg(program))
}

/// A program over a library that stands in for the device, and a file for what it has open.
fn over_device(world: &World, name: &str) -> Result<(), String> {
    let source = fsio::root().join("tests/environment/knem_device.c");
    let device = compile(world, &source, &["-shared", "-fPIC"])?;
    let regions = fsio::target_dir().join(format!("test/knem-regions-{name}"));
    // What an earlier run has left.
    let _ = std::fs::remove_file(&regions);
    let preload = format!("LD_PRELOAD={}", device.display());
    let shared = format!("KNEM_REGIONS={}", regions.display());
    let options = ["--mca", MECHANISM, "knem", "-x", &preload, "-x", &shared];
    judge(&job(world, name, &options)?, &["knem"])?;
    used(&regions)
}

/// Whether a job whose messages are to go by knem ends with an error that says what else there is,
/// unless the machine has it.
fn lacking(world: &World) -> Result<(), String> {
    let program = compile(world, &fsio::root().join("tests/c/p2p_requests.c"), &[])?;
    let outcome = mpirun(world, 2, &["--mca", MECHANISM, "knem"])
        .arg(&program)
        .run()?;
    if Path::new("/dev/knem").exists() && outcome.succeeded() {
        return Ok(());
    }
    let says = |what: &str| outcome.err.contains(what);
    match !outcome.succeeded() && says(MECHANISM) && says("`knem`") && says("available: ") {
        true => Ok(()),
        false => Err(format!("no such error: {}", outcome.reason())),
    }
}

/// Whether a job succeeds and says that its ranks read each other's memory by the best of these
/// components that it has.
fn judge(job: &Job, components: &[&str]) -> Result<(), String> {
    let outcome = job.ok()?;
    let line = outcome.err.lines().find(|line| line.starts_with('{'));
    let report: Value = line
        .and_then(|line| serde_json::from_str(line).ok())
        .ok_or(format!("no line of JSON: {}", outcome.reason()))?;
    for rank in 0..2 {
        let process = &report["processes"][rank];
        let ways = process["ways"].as_array().into_iter().flatten();
        let mut through = ways.filter_map(|way| way["through"].as_str());
        let through = through
            .next()
            .ok_or(format!("no path is reported: {process}"))?;
        let by = through.split(' ').next().unwrap_or_default();
        let lacks = |name: &&str| lacks(process, through, name);
        let best = components
            .iter()
            .find(|name| !lacks(name))
            .unwrap_or(&"none");
        if by != *best {
            return Err(format!(
                "rank {rank} by {through}, not by {best}: {process}"
            ));
        }
    }
    Ok(())
}

/// Whether a process says why it does not use a component: at all, or with its peer.
fn lacks(process: &Value, through: &str, name: &str) -> bool {
    let frameworks = process["frameworks"].as_array().into_iter().flatten();
    let mut considered = frameworks
        .filter(|framework| framework["framework"] == "smsc")
        .flat_map(|framework| framework["considered"].as_array().into_iter().flatten());
    let declined = considered.any(|one| one["name"] == name && one["verdict"] == "declined");
    declined || through.contains(&format!("{name}: "))
}

/// Whether regions were made.
fn used(regions: &Path) -> Result<(), String> {
    let bytes = fsio::read_bytes(regions)?;
    let made = bytes
        .first_chunk()
        .map_or(0, |count| u32::from_le_bytes(*count));
    // Two are those that peers read to try.
    match made > 2 {
        true => Ok(()),
        false => Err(format!("{made} regions were made")),
    }
}
