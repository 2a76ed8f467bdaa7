//! Tests of jobs over four hosts, by every supported launcher.
//!
//! The hosts are made on this machine (`tests/hosts/testhosts`), with Slurm on them
//! (`tests/hosts/testslurm`). The launchers are this project's and those of Debian's packages. Each
//! one starts a program that says where it is, programs that check their data, and a part of
//! mpi4py's tests; each ends a job of which a rank dies.

pub mod batch;
mod cluster;
mod dynamic;
mod launchers;
pub mod restarts;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::programs::{compile, none_left};
use super::windows;
use crate::bench::results;
use crate::conformance;
use crate::peers;
use crate::third_party::{Suite, MPI4PY_MODULES};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{by_workers, Job, Outcome};

use cluster::{Cluster, CutLink, Shape};
use launchers::{srun, Launcher, LAUNCHERS, NEWER};

/// How many hosts there are, and ranks on each.
const HOSTS: usize = 4;
const RANKS_EACH: usize = 2;
const RANKS: usize = HOSTS * RANKS_EACH;

const ALL: Shape = Shape {
    hosts: HOSTS,
    each: RANKS_EACH,
};

/// Two ranks on each of two hosts.
const HALF: Shape = Shape {
    hosts: 2,
    each: RANKS_EACH,
};

/// A rank on each host, as far as they go.
const fn one_each(hosts: usize) -> Shape {
    Shape { hosts, each: 1 }
}

/// Programs that check what they receive, and assume nothing about which ranks share a host.
const PROGRAMS: &[&str] = &[
    "collectives",
    "p2p_order",
    "p2p_requests",
    "p2p_modes",
    "session_basic",
];

/// Programs about windows that work on any hosts. The launcher makes no difference.
const WINDOW_PROGRAMS: &[&str] = &["rma_basic", "rma_errors", "rma_mixed", "rma_random"];

/// How long one of them, or one of mpi4py's files about them, may take: each access is a message
/// that somebody waits for, and machines that test are busy.
const WINDOWS_LIMIT: Duration = Duration::from_secs(300);

/// Benchmarks: the program, what it measures, on how many hosts, and how many figures come of it.
const BENCHMARKS: &[(&str, &str, usize, usize)] = &[
    ("pt2pt", "latency", 2, 12),
    ("pt2pt", "bandwidth", 2, 8),
    ("coll", "allreduce", HOSTS, 8),
];

/// mpi4py's test files that continuous integration has time for, by our own launcher and by others:
/// what travels between hosts does not depend on the launcher.
const MODULES: &[&str] = &["test_p2p_buf", "test_cco_buf"];
const MODULES_OF_OTHERS: &[&str] = &["test_p2p_buf"];

/// Runs the jobs of continuous integration.
pub fn run(world: &World) -> Result<Tally, String> {
    let ready = Ready::new(world)?;
    let mut tally = Tally::default();
    // Launchers wait most of the time, so all of them run at once.
    let of_each = by_workers(LAUNCHERS.len(), LAUNCHERS, |launcher| {
        let mut tally = Tally::default();
        let modules = match launcher.name == LAUNCHERS[0].name {
            true => MODULES,
            false => MODULES_OF_OTHERS,
        };
        ready.check(launcher, modules, &mut tally);
        tally
    });
    of_each.into_iter().for_each(|one| tally.add(one));
    ready.check_windows(&[HALF], &mut tally);
    refusals(&ready.cluster, &ready.hello, &mut tally);
    tally.count(
        "two jobs on two hosts",
        two_jobs(world, &ready.cluster, ["2", "10", "1000000"]),
    );
    tally.count("names of a job on two hosts", names(world, &ready.cluster));
    tally.count(
        "what collectives go by",
        chosen_by_node(world, &ready.cluster),
    );
    for who in ["node", "leader", "member"] {
        let what = format!("{who} dies in a collective");
        tally.count(&what, lost_in_collective(world, &ready.cluster, who));
    }
    dynamic::run(world, &ready.cluster, &mut tally)?;
    restarts::run(world, &ready.cluster, &mut tally)?;
    // The last, since a host is missing then.
    tally.count("a host is lost", lost_host(&ready.cluster));
    Ok(tally)
}

/// How long two jobs that exchange 1 GiB ten times may take.
const TWO_JOBS_LIMIT: Duration = Duration::from_secs(600);

/// Two jobs that find each other by a published name, each on a host of its own.
fn two_jobs(
    world: &World,
    cluster: &Cluster,
    [ranks, rounds, bytes]: [&str; 3],
) -> Result<(), String> {
    let source = fsio::root().join("tests/ports/two_jobs.c");
    let program = compile(world, &source, &[])?.display().to_string();
    let names = cluster.shared_file("names");
    let _ = fs::remove_file(&names);
    let server = format!("file:{}", names.display());
    let mpirun = cluster.mpirun.display().to_string();
    let sides = [("node1", "server"), ("node2", "client")];
    let outcomes = by_workers(sides.len(), &sides, |(host, side)| {
        let launcher = [&mpirun, "--name-server", &server, "-n", ranks];
        let words = [
            &launcher[..],
            &[&program, side, "jobs on hosts"],
            &[rounds, bytes],
        ];
        let words: Vec<String> = words.concat().into_iter().map(String::from).collect();
        cluster
            .on(host, &words)
            .limit(TWO_JOBS_LIMIT)
            .ok()
            .map(drop)
    });
    outcomes.into_iter().collect()
}

/// Names that processes of one job publish for each other, on two hosts.
fn names(world: &World, cluster: &Cluster) -> Result<(), String> {
    let source = fsio::root().join("tests/ports/names.c");
    let program = compile(world, &source, &[])?.display().to_string();
    let job = LAUNCHERS[0].start(cluster, HALF);
    job.arg(program).arg("a name").ok().map(drop)
}

/// Programs that spawn on two hosts, and two jobs there that exchange 1 GiB ten times.
pub fn ports(world: &World) -> Result<Tally, String> {
    let cluster = Cluster::up(world, 3)?;
    let mut tally = Tally::default();
    dynamic::long(world, &cluster, &mut tally)?;
    let answer = two_jobs(world, &cluster, ["1", "10", "1073741824"]);
    tally.count("ten times 1 GiB between two hosts", answer);
    conformance::on_hosts(
        world,
        ("spawn", "on two hosts"),
        |ranks, place| {
            let words = [
                cluster.mpirun.display().to_string(),
                format!("--wdir={}", place.display()),
            ];
            let hosts = ["--host", "node1:8,node2:8", "--map-by", "node", "-n"];
            let job = cluster.on_first(&words).args(hosts);
            job.arg(ranks.to_string())
        },
        &mut tally,
    )?;
    Ok(tally)
}

/// All of mpi4py's files.
pub fn all(world: &World) -> Result<Tally, String> {
    let ready = Ready::new(world)?;
    let mut tally = Tally::default();
    for launcher in LAUNCHERS {
        println!("  by {}", launcher.name);
        ready.check(launcher, MPI4PY_MODULES, &mut tally);
    }
    Ok(tally)
}

/// Programs about windows, each on a rank of every host and on two: some of its processes share
/// memory then and others do not. mpi4py's files about them too.
pub fn windows(world: &World) -> Result<Tally, String> {
    let ready = Ready::new(world)?;
    let mut tally = Tally::default();
    let shapes = [one_each(2), one_each(HOSTS), HALF];
    ready.check_windows(&shapes, &mut tally);
    for module in windows::MODULES {
        for shape in [one_each(2), HALF] {
            let job = LAUNCHERS[0].start(&ready.cluster, shape);
            let job = job.limit(WINDOWS_LIMIT);
            ready
                .suite
                .judge(module, job, &shape.description(), &mut tally);
        }
    }
    Ok(tally)
}

/// The launchers of the Python packages.
pub fn newer(world: &World) -> Result<Tally, String> {
    let ready = Ready::new(world)?;
    let mut tally = Tally::default();
    for (package, launcher) in NEWER {
        println!("  by {}", launcher.name);
        match peers::get(package) {
            Ok(_) => ready.check(launcher, &[], &mut tally),
            Err(why) => tally.count(launcher.name, Err(why)),
        }
    }
    Ok(tally)
}

/// The hosts, and what is to run on them.
struct Ready {
    suite: Suite,
    hello: PathBuf,
    fail: PathBuf,
    nested: PathBuf,
    programs: Vec<PathBuf>,
    window_programs: Vec<PathBuf>,
    benchmarks: Vec<PathBuf>,
    cluster: Cluster,
}

impl Ready {
    fn new(world: &World) -> Result<Ready, String> {
        cluster::ready()?;
        let compiled = |source: &str| compile(world, &fsio::root().join(source), &[]);
        let all = |folder: &str, names: &[&str]| {
            let programs = names
                .iter()
                .map(|name| compiled(&format!("{folder}/{name}.c")));
            programs.collect::<Result<Vec<PathBuf>, String>>()
        };
        let benchmarks: Vec<&str> = BENCHMARKS.iter().map(|(name, ..)| *name).collect();
        Ok(Ready {
            suite: Suite::ready(world)?,
            hello: compiled("examples/hello.c")?,
            fail: compiled("tests/environment/fail.c")?,
            nested: compiled("tests/environment/nested.c")?,
            programs: all("tests/c", PROGRAMS)?,
            window_programs: all("tests/c", WINDOW_PROGRAMS)?,
            benchmarks: all("benches/c", &benchmarks)?,
            cluster: Cluster::up(world, HOSTS)?,
        })
    }

    /// Returns the program that fails, under a name of a launcher's own, which distinguishes what
    /// one has left behind from what runs by another. A link, since nobody may write to a program
    /// that somebody still runs, and a dying process runs it for a while after `/proc` has ceased
    /// to show it.
    fn own_fail(&self, launcher: &Launcher) -> Result<PathBuf, String> {
        let plain = |letter: char| {
            if letter.is_alphanumeric() {
                letter
            } else {
                '-'
            }
        };
        let name: String = launcher.name.chars().map(plain).collect();
        let own = self.fail.with_file_name(format!("fail-{name}"));
        let renewed = match fs::remove_file(&own) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => fs::hard_link(&self.fail, &own),
        };
        renewed
            .map(|()| own.clone())
            .map_err(|error| format!("{}: {error}", own.display()))
    }

    /// Everything by one launcher.
    fn check(&self, launcher: &Launcher, modules: &[&str], tally: &mut Tally) {
        let mut count = |what: &str, answer| {
            tally.count(&format!("{what} by {}", launcher.name), answer);
        };
        let start = |shape| launcher.start(&self.cluster, shape);
        let said = start(ALL).arg(&self.hello).ok();
        count("hello", said.and_then(|outcome| all_said_hello(&outcome)));
        let explained = start(ALL).env("OXMPI_EXPLAIN", "json").arg(&self.hello);
        count("lanes", explained.ok().and_then(|outcome| lanes(&outcome)));
        for (name, program) in PROGRAMS.iter().zip(&self.programs) {
            count(name, start(ALL).arg(program).ok().map(drop));
        }
        for ((_, what, hosts, figures), program) in BENCHMARKS.iter().zip(&self.benchmarks) {
            let job = start(one_each(*hosts)).arg(program).arg(what);
            let measured = job.ok().and_then(|outcome| has_figures(&outcome, *figures));
            count(what, measured);
        }
        for (how, codes) in [("mpi_abort", launcher.aborted), ("kill", &[])] {
            for place in ["barrier", "finalize"] {
                let ended = self.own_fail(launcher).and_then(|fail| {
                    let job = start(ALL).arg(&fail).args([how, place]);
                    has_ended(&job.limit(END_LIMIT).run()?, codes, &fail)
                });
                count(&format!("{how} in {place}"), ended);
            }
        }
        let nested = start(one_each(2)).arg(&self.nested).arg(&self.hello);
        let nested = nested.ok().and_then(|outcome| {
            let said = |text: &str| outcome.out.contains(text);
            match said("nested: alone") && said("hello from rank 0 of 1 on node") {
                true => Ok(()),
                false => Err(outcome.reason()),
            }
        });
        count("a program of a rank's own", nested);
        for module in modules {
            let how = format!("by {}", launcher.name);
            self.suite
                .judge(module, start(one_each(HOSTS)), &how, tally);
        }
    }

    /// The programs about windows, on ranks placed in each of the `shapes`.
    fn check_windows(&self, shapes: &[Shape], tally: &mut Tally) {
        for (name, program) in WINDOW_PROGRAMS.iter().zip(&self.window_programs) {
            for shape in shapes {
                let job = LAUNCHERS[0].start(&self.cluster, *shape);
                let ended = job.arg(program).limit(WINDOWS_LIMIT).ok();
                tally.count(&format!("{name} {}", shape.description()), ended.map(drop));
            }
        }
    }
}

/// How long a job may take of which a rank dies. Over PMIx, a rank that is through its last fence
/// waits 10 s for others that never come, Slurm gives processes 5 s more to end, and the job may
/// have queued for hosts that still clear up after the one before it.
const END_LIMIT: Duration = Duration::from_secs(40);

/// The host of a rank: launchers fill one after the other.
fn host_of(rank: usize) -> String {
    format!("node{}", 1 + rank / RANKS_EACH)
}

fn all_said_hello(outcome: &Outcome) -> Result<(), String> {
    all_said_hello_on(outcome, ALL)
}

fn all_said_hello_on(outcome: &Outcome, shape: Shape) -> Result<(), String> {
    let ranks = shape.hosts * shape.each;
    let missing = (0..ranks)
        .map(|rank| format!("hello from rank {rank} of {ranks} on {}", host_of(rank)))
        .find(|line| outcome.out.lines().filter(|said| said == line).count() != 1);
    // A server of PMIx prints such lines where a process brings a library of another version.
    if let Some(line) = outcome.err.lines().find(|line| line.contains("PMIX ERROR")) {
        return Err(line.to_string());
    }
    match missing {
        None => Ok(()),
        Some(line) => Err(format!("`{line}` was not said once: {}", outcome.out)),
    }
}

/// Ranks of one host talk over shared memory, those of different ones over TCP.
fn lanes(outcome: &Outcome) -> Result<(), String> {
    let mut lines = outcome.err.lines().chain(outcome.out.lines());
    let report: Value = lines
        .find(|line| line.starts_with("{\"oxmpi_explain\""))
        .and_then(|line| serde_json::from_str(line).ok())
        .ok_or("no line of JSON reports the lanes")?;
    for rank in 0..RANKS {
        let process = &report["processes"][rank];
        for peer in 0..RANKS {
            let expected = match (peer == rank, host_of(peer) == host_of(rank)) {
                (true, _) => "self",
                (_, true) => "sm",
                _ => "tcp",
            };
            let ways = process["ways"].as_array().into_iter().flatten();
            let reaches = |way: &&Value| {
                let mut to = way["to"].as_array().into_iter().flatten();
                to.any(|to| to.as_u64() == Some(peer as u64))
            };
            let lane = ways.clone().find(reaches).map(|way| &way["messages"]);
            if lane.is_none_or(|lane| lane != expected) {
                return Err(format!(
                    "rank {rank} to {peer}: {lane:?} and not {expected}"
                ));
            }
        }
    }
    Ok(())
}

/// Checks that a benchmark has printed all its figures, and none of them is 0.
fn has_figures(outcome: &Outcome, count: usize) -> Result<(), String> {
    let figures = results(&outcome.out)?;
    let positive = figures.iter().filter(|(_, _, sample)| sample.value > 0.0);
    match positive.count() == count {
        true => Ok(()),
        false => Err(format!("not {count} figures: {}", outcome.out)),
    }
}

/// A job of which a rank died is over, on all hosts, with one of the codes; without any given, with
/// one that says failure.
fn has_ended(outcome: &Outcome, codes: &[i32], program: &Path) -> Result<(), String> {
    let right = match codes.is_empty() {
        true => outcome.code != 0,
        false => codes.contains(&outcome.code),
    };
    match right && !outcome.timed_out {
        true => none_left(program),
        false => Err(format!("expected one of {codes:?}: {}", outcome.reason())),
    }
}

/// Checks that the report says that collectives go by node, and through memory inside.
fn chosen_by_node(world: &World, cluster: &Cluster) -> Result<(), String> {
    let program = compile(world, &fsio::root().join("benches/c/coll.c"), &["-O2"])?;
    let job = LAUNCHERS[0].start(cluster, HALF).arg("--explain");
    let outcome = job.arg(program).arg("allreduce").limit(END_LIMIT).ok()?;
    let is_reported = |line: &str| line.contains("allreduce of ") && line.contains(" by han");
    match outcome
        .err
        .lines()
        .any(|line| is_reported(line) && line.contains("in memory inside nodes"))
    {
        true => Ok(()),
        false => Err(outcome.err),
    }
}

/// Checks that ranks survive those that die in the middle of collectives that go by node.
fn lost_in_collective(world: &World, cluster: &Cluster, who: &str) -> Result<(), String> {
    let source = fsio::root().join("tests/c/coll_node_dies.c");
    let program = compile(world, &source, &[])?;
    let job = LAUNCHERS[0].start(cluster, ALL).args(["--with-ft", "ulfm"]);
    job.arg(program).arg(who).limit(END_LIMIT).ok().map(drop)
}

/// Checks that the loss of a host in the middle of a job is reported, and ends it.
fn lost_host(cluster: &Cluster) -> Result<(), String> {
    let last = format!("node{HOSTS}");
    let job = LAUNCHERS[0].start(cluster, ALL).env(SILENCE.0, SILENCE.1);
    let job = job.args(["sleep", "60"]);
    let (outcome, crashed) = std::thread::scope(|scope| {
        let crash = scope.spawn(|| {
            std::thread::sleep(CRASH_AFTER);
            cluster.crash(&last)
        });
        (job.run(), crash.join())
    });
    crashed.map_err(|_| "the thread panicked")??;
    let outcome = outcome?;
    let is_reported = outcome.err.contains(&format!("lost host {last}"));
    match is_reported && outcome.code != 0 && outcome.took < CRASH_AFTER + LOST_LIMIT {
        true => Ok(()),
        false => Err(format!("after {:?}: {}", outcome.took, outcome.reason())),
    }
}

/// Cuts between hosts that a job outlives, with its data checked: both networks lose their carrier,
/// or a host its addresses. While one lasts the ranks exchange messages, or compute for longer than
/// it lasts.
pub fn cuts(world: &World) -> Result<Tally, String> {
    cluster::ready()?;
    let program = compile(
        world,
        &fsio::root().join("tests/environment/outlast.c"),
        &[],
    )?;
    let cluster = Cluster::up(world, 2)?;
    let mut tally = Tally::default();
    for (seconds, lasts) in [(10, "25"), (25, "60")] {
        for loses in [CutLink::Carrier, CutLink::Addresses] {
            for what in ["exchange", "compute"] {
                let job = LAUNCHERS[0].start(&cluster, HALF).arg(&program);
                let job = job.args([what, lasts]).limit(CUT_LIMIT);
                let outlasted = std::thread::scope(|scope| {
                    let cut = scope.spawn(|| {
                        std::thread::sleep(CRASH_AFTER);
                        cluster.cut("node2", loses, Duration::from_secs(seconds))
                    });
                    let ended = job.ok().map(drop);
                    cut.join().map_err(|_| "the thread panicked")?.and(ended)
                });
                let name = format!("{what}, {seconds} s without {loses:?}");
                tally.count(&name, outlasted);
            }
        }
    }
    Ok(tally)
}

/// How long a job with a cut may take.
const CUT_LIMIT: Duration = Duration::from_secs(150);

/// Seconds for which a host may be silent where one crashes.
const SILENCE: (&str, &str) = ("OXMPI_MCA_plm_heartbeat_timeout", "6");

/// When a host crashes after the start of a job, and how long the launcher may take to say so.
const CRASH_AFTER: Duration = Duration::from_secs(3);
const LOST_LIMIT: Duration = Duration::from_secs(12);

/// Environments that cannot be used: an error that says what to type, and never a job for each
/// process.
fn refusals(cluster: &Cluster, hello: &Path, tally: &mut Tally) {
    let refused = |job: Job, said: &str| {
        let outcome = job.run()?;
        let alone = outcome.out.contains(" of 1 on ");
        match outcome.code != 0 && !alone && outcome.err.contains(said) {
            true => Ok(()),
            false => Err(format!("expected `{said}`: {}", outcome.reason())),
        }
    };
    let none = cluster.on_first(&srun("none", one_each(HOSTS))).arg(hello);
    tally.count("srun --mpi=none", refused(none, "srun --mpi=pmi2"));
    let pmix = cluster.on_first(&srun("pmix", one_each(HOSTS)));
    let pmix = pmix.env("OXMPI_PMIX_LIBRARY", "/nowhere/libpmix.so.2");
    tally.count(
        "no libpmix",
        refused(pmix.arg(hello), "/nowhere/libpmix.so.2"),
    );
}
