//! Tests of copies between processes by each component of `smsc`: forced, excluded, disabled, with
//! and without a device. The job itself reports what the machine lacks (`--explain`), and the test
//! checks that report.

use std::path::Path;

use serde_json::Value;

use super::programs::{compile, mpirun};
use crate::fsio;
use crate::shell::Job;
use crate::world::{Tally, World};

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

/// Programs that move large messages, and one that puts and gets in windows.
const PROGRAMS: &[&str] = &["big", "p2p_requests", "copies_withdrawn", "rma_random"];

/// The kernel copies also what would come sooner in pieces.
const OPTIONS: &[&str] = &[
    "--explain=json",
    "--mca",
    "smsc_cma_min",
    "0",
    "--mca",
    "smsc_knem_min",
    "0",
];

/// Each list and each program; and knem over a device that is stood in for.
pub fn run(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let device = compile(
        world,
        &fsio::root().join("tests/environment/knem_device.c"),
        &["-shared", "-fPIC"],
    )?;
    let regions = fsio::target_dir().join("test/knem-regions");
    for name in PROGRAMS {
        let program = compile(world, &fsio::root().join(format!("tests/c/{name}.c")), &[])?;
        let job = |options: &[&str]| mpirun(world, 2, &[OPTIONS, options].concat());
        for (list, components) in LISTS {
            let job = job(&["--mca", "smsc", list]).arg(&program);
            tally.count(&format!("{name} with smsc {list}"), judge(&job, components));
        }
        let by_priority = job(&["--mca", "smsc_cma_priority", "-1"]).arg(&program);
        let answer = judge(&by_priority, &["xpmem", "knem"]);
        tally.count(&format!("{name} with no priority for cma"), answer);
        // What the stand-in has open is a plain file.
        let _ = std::fs::remove_file(&regions);
        let preload = format!("LD_PRELOAD={}", device.display());
        let shared = format!("KNEM_REGIONS={}", regions.display());
        let options = ["--mca", "smsc", "knem", "-x", &preload, "-x", &shared];
        let answer = judge(&job(&options).arg(&program), &["knem"]).and_then(|()| used(&regions));
        tally.count(&format!("{name} over a stand-in for /dev/knem"), answer);
    }
    Ok(tally)
}

/// Whether a job succeeds and says that its ranks read each other's memory by the best of these
/// components that it has.
fn judge(job: &Job, components: &[&str]) -> Result<(), String> {
    let outcome = job.ok()?;
    let line = outcome.err.lines().find(|line| line.starts_with('{'));
    let told: Value = line
        .and_then(|line| serde_json::from_str(line).ok())
        .ok_or(format!("no line of JSON: {}", outcome.reason()))?;
    for rank in 0..2 {
        let process = &told["processes"][rank];
        let ways = process["ways"].as_array().into_iter().flatten();
        let mut through = ways.filter_map(|way| way["through"].as_str());
        let through = through.next().ok_or(format!("no way is told: {process}"))?;
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
