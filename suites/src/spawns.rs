//! Processes that are spawned: a thousand times, beside other MPIs, and with any of those that take
//! part killed at a random moment (`tests/ports`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::programs::{compile, mpirun, TCP};
use crate::peers::{self, Dialect, Peer, Start};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{install_script, Job};

/// Time for a thousand spawns.
const LIMIT: Duration = Duration::from_secs(600);
/// How long a spawn of two may take, in seconds, and in proportion to the best of the peers.
const SPAWN_SECONDS_MAX: f64 = 0.05;
const SHARE_MAX: f64 = 0.5;
/// Random moments at which somebody is killed, for each kind of job.
const SEEDS: u64 = 100;
/// The latest moment, in milliseconds from the start.
const MOMENT_MAX: u64 = 500;
/// Time for all others to end.
const END: Duration = Duration::from_secs(1);

/// Runs all.
pub fn long(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let source = fsio::root().join("tests/ports/many_spawns.c");
    let program = compile(world, &source, &[])?;
    for (name, options) in [("sm", &[][..]), ("tcp", TCP)] {
        let job = mpirun(world, 1, options).limit(LIMIT).arg(&program);
        let answer = flat(job.args(["1000", "strict"]));
        tally.count(&format!("1,000 spawns, {name}"), answer);
    }
    let alone = Job::new(&program).limit(LIMIT).args(["1000", "strict"]);
    tally.count("1,000 spawns without mpirun", flat(alone));
    tally.count("spawn of two beside others", beside(world, &source));
    killed(world, &mut tally)?;
    Ok(tally)
}

fn flat(job: Job) -> Result<(), String> {
    let outcome = job.ok()?;
    println!("      {}", outcome.out.trim());
    outcome.none_left()
}

/// Compares the time of a spawn with other MPIs, in one run.
fn beside(world: &World, source: &Path) -> Result<(), String> {
    let folder = fsio::target_dir().join("test/spawns");
    let mut times = Vec::new();
    let all = [
        Ok(peers::oxmpi_at(&world.prefix)),
        peers::get("openmpi4"),
        peers::get("mpich"),
    ];
    for peer in all {
        let mut peer: Peer = peer?;
        if peer.dialect == Dialect::OpenMpi {
            peer.options = &["--oversubscribe"];
        }
        let program = folder.join(peer.key);
        peer.compile(source, &program, &[])?;
        let start = Start {
            ranks: 1,
            spawns: true,
            ..Start::default()
        };
        let outcome = peer.launch(start, &program, &["20"]).ok()?;
        let word = outcome.out.split_whitespace().nth(1).unwrap_or_default();
        let time: f64 = word.parse().map_err(|_| outcome.reason())?;
        println!("      {}: {time} s", peer.title);
        times.push(time);
    }
    let best = times[1..].iter().copied().fold(f64::INFINITY, f64::min);
    match times[0] <= SPAWN_SECONDS_MAX && times[0] <= SHARE_MAX * best {
        true => Ok(()),
        false => Err(format!("{} s, the best of the others {best} s", times[0])),
    }
}

/// The process that is killed.
#[derive(Clone, Copy, Debug)]
enum Victim {
    Parent,
    Child,
    Launcher,
    Daemon,
}

/// Kills processes at random moments: all others of the job end, and nothing is left.
fn killed(world: &World, tally: &mut Tally) -> Result<(), String> {
    let source = fsio::root().join("tests/ports/spawns_forever.c");
    let program = compile(world, &source, &[])?;
    let folder = fsio::target_dir().join("test/spawns");
    // In the place of ssh: the daemon runs on this machine.
    let agent = folder.join("agent");
    install_script(&agent, "#!/bin/sh\nexec sh -c \"$2\"\n")?;
    for victim in [
        Victim::Parent,
        Victim::Child,
        Victim::Launcher,
        Victim::Daemon,
    ] {
        let mut slowest = Duration::ZERO;
        let mut hits = 0;
        let mut answer = Ok(());
        for seed in 0..SEEDS {
            match kill_one(world, &program, &agent, victim, seed) {
                Ok(None) => {}
                Ok(Some(took)) => {
                    hits += 1;
                    slowest = slowest.max(took);
                }
                Err(why) => {
                    answer = Err(format!("seed {seed}: {why}"));
                    break;
                }
            }
        }
        println!("      {victim:?}: {hits} of {SEEDS} were there, all ended within {slowest:?}");
        // A victim that is never there would be a test of nothing.
        let answer = answer.and_then(|()| match hits * 4 >= SEEDS {
            true => Ok(()),
            false => Err(format!("only {hits} of {SEEDS} were there")),
        });
        tally.count(&format!("{victim:?} is killed"), answer);
    }
    Ok(())
}

/// A job under way, and all that carries its mark.
struct Running {
    launcher: Child,
    mark: String,
}

impl Running {
    /// The folders in `/proc` of all its processes that have not ended.
    fn processes(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let has_mark = |path: &PathBuf| {
            let environment = fs::read(path.join("environ")).unwrap_or_default();
            let mut entries = environment.split(|byte| *byte == 0);
            entries.any(|entry| entry == self.mark.as_bytes())
        };
        entries.map(|entry| entry.path()).filter(has_mark).collect()
    }

    /// The process to kill, if there is one now.
    fn victim(&self, victim: Victim, random: u64) -> Option<String> {
        let word = match victim {
            Victim::Launcher => return Some(self.launcher.id().to_string()),
            Victim::Parent => "parent",
            Victim::Child => "child",
            Victim::Daemon => "--daemon-of-job",
        };
        let is_it = |path: &PathBuf| {
            let line = fs::read(path.join("cmdline")).unwrap_or_default();
            let mut words = line.split(|byte| *byte == 0).skip(1);
            words.next() == Some(word.as_bytes())
        };
        let found: Vec<PathBuf> = self.processes().into_iter().filter(is_it).collect();
        let at = random as usize % found.len().max(1);
        let name = found.get(at)?.file_name()?;
        Some(name.to_string_lossy().into_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended; whatever is left then is the test's to report.
        let _ = self.launcher.kill();
        let _ = self.launcher.wait();
    }
}

/// Files that an MPI may leave.
fn files() -> BTreeSet<PathBuf> {
    let folders = ["/dev/shm", "/tmp"].into_iter();
    let entries = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let names = entries.map(|entry| entry.path());
    names
        .filter(|path| path.to_string_lossy().contains("oxmpi"))
        .collect()
}

/// One job of which one process is killed; returns how long the others took to end, or `None` where
/// there was none to kill.
fn kill_one(
    world: &World,
    program: &Path,
    agent: &Path,
    victim: Victim,
    seed: u64,
) -> Result<Option<Duration>, String> {
    let before = files();
    let mark = format!(
        "OXMPI_TEST_MARK=spawns-{}-{victim:?}-{seed}",
        std::process::id()
    );
    let (name, value) = mark.split_once('=').unwrap_or_default();
    let mut command = Command::new(world.bin("mpirun"));
    command.args(["-n", "2", "--host", "localhost:16"]);
    command.arg("--mca").arg("plm_rsh_agent").arg(agent);
    // A child that has disconnected may end as it likes.
    let life = match victim {
        Victim::Child => "stay",
        _ => "once",
    };
    command.arg(program).args(["parent", life]);
    if matches!(victim, Victim::Daemon) {
        command.arg("198.51.100.1:16");
    }
    let launcher = command
        .env(name, value)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("mpirun: {error}"))?;
    let running = Running { launcher, mark };
    // A number that the seed determines (splitmix64).
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    random = (random ^ (random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    random = (random ^ (random >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    sleep(Duration::from_millis(50 + (random >> 33) % MOMENT_MAX));
    let Some(process) = running.victim(victim, random >> 20) else {
        return Ok(None);
    };
    // It may have ended meanwhile, as children do.
    let is_hit = Job::new("kill").args(["-KILL", &process]).run()?.code == 0;
    if !is_hit {
        return Ok(None);
    }
    let killed = Instant::now();
    while !running.processes().is_empty() {
        if killed.elapsed() > END {
            let left = running.processes();
            let line =
                |path: &PathBuf| fs::read_to_string(path.join("cmdline")).unwrap_or_default();
            let left: Vec<String> = left.iter().map(line).collect();
            return Err(format!(
                "left after {END:?}: {}",
                left.join("; ").replace('\0', " ")
            ));
        }
        sleep(Duration::from_millis(2));
    }
    let took = killed.elapsed();
    let left: Vec<PathBuf> = files().difference(&before).cloned().collect();
    match left.is_empty() {
        true => Ok(Some(took)),
        false => Err(format!("files are left: {left:?}")),
    }
}
