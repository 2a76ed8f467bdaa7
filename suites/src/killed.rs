//! Processes that connect, spawn and disconnect, of which one is killed at a random moment: the
//! others end, or get their error, within a second, and nothing is left of any of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::ports::jobs::source;
use super::programs::{self, TCP};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{by_workers, Job, Outcome};

/// How long a job may take to end after a death; beside other programs, so more than a second.
const END_LIMIT: Duration = Duration::from_secs(2);
/// How long a group waits for one that does not come: it cannot know that the other has died.
const PATIENCE: Duration = Duration::from_secs(1);
const HANG: Duration = Duration::from_secs(20);

/// Exit codes: of a job that got an error or needed none, that aborted itself then, and of a job or
/// process that was killed.
const CODES: [i32; 3] = [0, 7, 128 + 9];

/// Processes that connect, and the one of them that is killed.
struct Case {
    /// The programs' parts, which run beside each other.
    sides: &'static [&'static str],
    /// Ranks of each; 0: a process without `mpirun`.
    ranks: usize,
    options: &'static [&'static str],
    victim: &'static str,
}

const PORTS: &[&str] = &["server", "client"];
const SPAWN: &[&str] = &["parent"];
const SM: &[&str] = &["--mca", "btl", "sm,self"];
const RECOVERY: &[&str] = &["--enable-recovery"];

/// Processes that connect: sides, ranks, options, victims.
type Setting = (
    &'static [&'static str],
    usize,
    &'static [&'static str],
    &'static [&'static str],
);

const SETTINGS: &[Setting] = &[
    (PORTS, 1, SM, &["server0", "client0"]),
    (PORTS, 2, SM, &["server0", "server1", "client0", "client1"]),
    (PORTS, 1, TCP, &["server0", "client0"]),
    (PORTS, 2, TCP, &["server0", "server1", "client0", "client1"]),
    (PORTS, 0, &[], &["server0", "client0"]),
    (SPAWN, 0, &[], &["child0", "child1", "launcher", "parent0"]),
    (SPAWN, 1, &[], &["child0", "child1", "launcher", "parent0"]),
    (SPAWN, 2, &[], &["child1", "launcher", "parent0", "parent1"]),
    (SPAWN, 1, RECOVERY, &["child0", "child1", "parent0"]),
    (SPAWN, 2, RECOVERY, &["child0", "parent1", "launcher"]),
];

fn cases() -> Vec<Case> {
    let of_setting = |&(sides, ranks, options, victims): &Setting| {
        victims.iter().map(move |&victim| Case {
            sides,
            ranks,
            options,
            victim,
        })
    };
    SETTINGS.iter().flat_map(of_setting).collect()
}

/// Every third case, each from one seed.
pub fn run(world: &World) -> Result<Tally, String> {
    each(world, (0..cases().len()).step_by(3))
}

/// Every case, from several seeds each.
pub fn all(world: &World) -> Result<Tally, String> {
    each(world, 0..100)
}

fn each(world: &World, seeds: impl Iterator<Item = usize>) -> Result<Tally, String> {
    let program = source(world, "killed_anytime")?;
    let (cases, mut tally) = (cases(), Tally::default());
    for seed in seeds {
        let case = &cases[seed % cases.len()];
        let name = format!(
            "{} of {} ranks {:?} is killed, seed {seed}",
            case.victim, case.ranks, case.options
        );
        tally.count(&name, case.run(world, &program, seed));
    }
    Ok(tally)
}

impl Case {
    fn run(&self, world: &World, program: &Path, seed: usize) -> Result<(), String> {
        let folder = Scratch::new(seed)?;
        let job = |side: &str| {
            let job = match self.ranks {
                0 => Job::new(program),
                ranks => programs::mpirun(world, ranks, self.options).arg(program),
            };
            let job = job.args([side, self.victim, &seed.to_string()]);
            let job = job.arg(&folder.path).env("TMPDIR", &folder.path);
            job.env("LD_LIBRARY_PATH", world.prefix.join("lib"))
        };
        let run = |side: &&str| (job(side).limit(HANG).run(), SystemTime::now());
        let outcomes = by_workers(self.sides.len(), self.sides, run);
        let died = fs::metadata(folder.path.join("death")).and_then(|death| death.modified());
        for (outcome, ended) in outcomes {
            let outcome = outcome?;
            let took = died
                .as_ref()
                .ok()
                .and_then(|died| ended.duration_since(*died).ok());
            judge(&outcome, took.unwrap_or_default())?;
            outcome.none_left()?;
        }
        folder.nothing_left()
    }
}

/// Whether a job ended as it should, a while after the death.
fn judge(outcome: &Outcome, after: Duration) -> Result<(), String> {
    if outcome.timed_out || !CODES.contains(&outcome.code) {
        return Err(outcome.reason());
    }
    let nobody_came = [" in time", "took too long"].map(|text| outcome.out.contains(text));
    let limit = match nobody_came {
        [false, false] => END_LIMIT,
        _ => END_LIMIT + PATIENCE,
    };
    match after <= limit {
        true => Ok(()),
        false => Err(format!(
            "ended {:.1} s after the death: {}",
            after.as_secs_f64(),
            outcome.reason()
        )),
    }
}

/// A folder for files that the programs exchange, and for temporary files.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn new(seed: usize) -> Result<Scratch, String> {
        let name = format!("killed-{}-{seed}", std::process::id());
        let path = fsio::target_dir().join("test").join(name);
        fsio::make_folder(&path)?;
        Ok(Scratch { path })
    }

    /// Fails where the programs have left a file here, or in `/dev/shm`.
    fn nothing_left(&self) -> Result<(), String> {
        let names = |folder: &Path| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
            names.collect::<Vec<String>>()
        };
        let mut left = names(&self.path);
        left.retain(|name| !["death", "new", "port"].contains(&&name[..]));
        let shared = names(Path::new("/dev/shm")).into_iter();
        left.extend(shared.filter(|name| name.contains("oxmpi")));
        match left.is_empty() {
            true => Ok(()),
            false => Err(format!("files were left behind: {}", left.join(", "))),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is in the folder of builds.
        let _ = fs::remove_dir_all(&self.path);
    }
}
