//! Jobs over four hosts, by every launcher that users have.
//!
//! The hosts are made on this machine (`tests/hosts/testhosts`), with Slurm on them
//! (`tests/hosts/testslurm`). The launchers are this project's and those of Debian's packages. Each
//! one starts a program that says where it is, programs that check their data, and a part of
//! mpi4py's tests; each ends a job of which a rank dies.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::programs::{compile, none_left};
use super::{Tally, World};
use crate::fsio;
use crate::peers;
use crate::shell::{self, Job, Outcome};
use crate::third_party::Suite;

/// How many hosts there are, and ranks on each.
const HOSTS: usize = 4;
const RANKS_EACH: usize = 2;
const RANKS: usize = HOSTS * RANKS_EACH;

/// What the hosts and launchers need: a program that tells whether it is there, and the packages.
const NEEDS: &[(&str, &[&str])] = &[
    ("ip", &["iproute2"]),
    ("sshd", &["openssh-server"]),
    ("sysctl", &["procps"]),
    (
        "slurmctld",
        &["slurmctld", "slurmd", "slurm-client", "munge", "libpmix2"],
    ),
    ("mpiexec.hydra", &["mpich"]),
    ("mpirun.openmpi", &["openmpi-bin"]),
];

/// Programs that check what they receive, and assume nothing about who shares a host.
const PROGRAMS: &[&str] = &[
    "collectives",
    "p2p_order",
    "p2p_requests",
    "p2p_modes",
    "session_basic",
];

/// mpi4py's test files that continuous integration has time for, and how many ranks run them.
const MODULES: &[&str] = &["test_p2p_buf", "test_cco_buf"];
const MODULE_RANKS: usize = 4;

/// A way to start ranks on all hosts.
struct Launcher {
    name: &'static str,
    /// The words before the program, for a number of ranks on each host.
    words: fn(&Cluster, usize) -> Vec<String>,
    /// The exit code of a job that called MPI_Abort with 9; some launchers lose it.
    aborted: i32,
}

const LAUNCHERS: &[Launcher] = &[
    Launcher {
        name: "mpirun",
        words: |cluster, each| {
            let mut words = vec![cluster.mpirun.display().to_string()];
            words.extend(["--hostfile", &cluster.hostfile(each)].map(String::from));
            words
        },
        aborted: 9,
    },
    Launcher {
        name: "srun --mpi=pmi2",
        words: |_, each| srun("pmi2", each),
        // PMI-2 has no word for the code.
        aborted: 137,
    },
    Launcher {
        name: "srun --mpi=pmix",
        words: |_, each| srun("pmix", each),
        aborted: 9,
    },
    Launcher {
        name: "MPICH's mpiexec",
        words: |cluster, each| {
            let hosts = cluster.hosts(",", |host| host);
            vec![
                "mpiexec.hydra".to_string(),
                "-hosts".to_string(),
                hosts,
                "-ppn".to_string(),
                each.to_string(),
            ]
        },
        aborted: 9,
    },
    Launcher {
        name: "Open MPI's mpirun",
        words: |cluster, each| {
            let hosts = cluster.hosts(",", |host| format!("{host}:{each}"));
            let words = ["mpirun.openmpi", "--allow-run-as-root", "--host", &hosts];
            let passed = ["-x", "OXMPI_EXPLAIN", "-x", "LD_LIBRARY_PATH"];
            words.iter().chain(&passed).map(|w| w.to_string()).collect()
        },
        aborted: 9,
    },
];

fn srun(kind: &str, each: usize) -> Vec<String> {
    vec![
        "srun".to_string(),
        format!("--nodes={HOSTS}"),
        format!("--ntasks-per-node={each}"),
        format!("--mpi={kind}"),
    ]
}

/// What continuous integration runs.
pub fn run(world: &World) -> Result<Tally, String> {
    over(world, MODULES)
}

/// All of mpi4py's files.
pub fn all(world: &World) -> Result<Tally, String> {
    over(world, crate::third_party::MPI4PY_MODULES)
}

fn over(world: &World, modules: &[&str]) -> Result<Tally, String> {
    ready()?;
    let suite = Suite::ready(world)?;
    let root = fsio::root();
    let hello = compile(world, &root.join("examples/hello.c"), &[])?;
    let fail = compile(world, &root.join("tests/environment/fail.c"), &[])?;
    let programs: Result<Vec<PathBuf>, String> = PROGRAMS
        .iter()
        .map(|name| compile(world, &root.join(format!("tests/c/{name}.c")), &[]))
        .collect();
    let programs = programs?;
    let cluster = Cluster::up(world)?;
    let mut tally = Tally::default();
    for launcher in LAUNCHERS {
        let mut count = |what: &str, answer| {
            tally.count(&format!("{what} by {}", launcher.name), answer);
        };
        let start = |each: usize| cluster.start(launcher, each);
        let said = start(RANKS_EACH).arg(&hello).ok();
        count("hello", said.and_then(|outcome| all_said_hello(&outcome)));
        let told = start(RANKS_EACH).env("OXMPI_EXPLAIN", "json").arg(&hello);
        count("lanes", told.ok().and_then(|outcome| lanes(&outcome)));
        for (name, program) in PROGRAMS.iter().zip(&programs) {
            count(name, start(RANKS_EACH).arg(program).ok().map(drop));
        }
        for (how, code) in [("mpi_abort", Some(launcher.aborted)), ("kill", None)] {
            for place in ["barrier", "finalize"] {
                let job = start(RANKS_EACH).arg(&fail).args([how, place]);
                let ended = job.limit(END_LIMIT).run();
                let ended = ended.and_then(|outcome| has_ended(&outcome, code, &fail));
                count(&format!("{how} in {place}"), ended);
            }
        }
        for module in modules {
            let job = start(MODULE_RANKS / HOSTS);
            suite.judge(module, job, &format!("by {}", launcher.name), &mut tally);
        }
    }
    refusals(&cluster, &hello, &mut tally);
    Ok(tally)
}

/// How long a job may take of which a rank dies. Slurm gives processes seconds to end.
const END_LIMIT: Duration = Duration::from_secs(15);

/// Fetches what lacks.
fn ready() -> Result<(), String> {
    let there = |name: &str| {
        let more = ["/usr/sbin", "/sbin"].map(|folder| Path::new(folder).join(name));
        shell::find(name).is_some() || more.iter().any(|path| path.exists())
    };
    let missing: Vec<&str> = NEEDS
        .iter()
        .filter(|(name, _)| !there(name))
        .flat_map(|(_, packages)| packages.iter().copied())
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => peers::apt_install(&missing),
    }
}

/// The hosts, for as long as this lives.
struct Cluster {
    scripts: PathBuf,
    /// Where their state lies.
    state: PathBuf,
    mpirun: PathBuf,
    library: PathBuf,
}

impl Cluster {
    fn up(world: &World) -> Result<Cluster, String> {
        let cluster = Cluster {
            scripts: fsio::root().join("tests/hosts"),
            state: fsio::target_dir().join("test/hosts"),
            mpirun: world.bin("mpirun"),
            library: world.prefix.join("lib"),
        };
        fsio::make_folder(&cluster.state)?;
        let up = cluster.script("testslurm").args(["up", &HOSTS.to_string()]);
        up.limit(Duration::from_secs(120)).ok()?;
        Ok(cluster)
    }

    fn script(&self, name: &str) -> Job {
        // Hosts see no folder below /tmp but these.
        let shared = [fsio::root(), fsio::target_dir(), self.library.clone()];
        let shared: Vec<_> = shared.iter().map(|path| path.to_string_lossy()).collect();
        Job::new(self.scripts.join(name))
            .env("TMPDIR", &self.state)
            .env("TESTHOSTS_SHARE", shared.join(":"))
    }

    /// `words` on the first host.
    fn on_first(&self, words: &[String]) -> Job {
        self.script("testhosts")
            .args(["run", "node1"])
            .args(words)
            .env("LD_LIBRARY_PATH", &self.library)
            .limit(Duration::from_secs(120))
    }

    /// The start of `each` ranks on each host; the program is still to be named.
    fn start(&self, launcher: &Launcher, each: usize) -> Job {
        let ranks = (each * HOSTS).to_string();
        let words = (launcher.words)(self, each);
        self.on_first(&words).args(["-n", &ranks])
    }

    fn hosts<T: AsRef<str>>(&self, between: &str, form: impl Fn(String) -> T) -> String {
        let hosts = (1..=HOSTS).map(|host| form(format!("node{host}")).as_ref().to_string());
        hosts.collect::<Vec<_>>().join(between)
    }

    /// A file that names the hosts with their slots.
    fn hostfile(&self, each: usize) -> String {
        let path = self.state.join(format!("hostfile-{each}"));
        let text = self.hosts("\n", |host| format!("{host} slots={each}"));
        // What cannot be written the launcher will not find, and say so.
        let _ = fsio::write(&path, &format!("{text}\n"));
        path.display().to_string()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for name in ["testslurm", "testhosts"] {
            let down = self.script(name).arg("down");
            let _ = down.limit(Duration::from_secs(60)).run();
        }
    }
}

/// The host of a rank: launchers fill one after the other.
fn host_of(rank: usize) -> String {
    format!("node{}", 1 + rank / RANKS_EACH)
}

fn all_said_hello(outcome: &Outcome) -> Result<(), String> {
    let missing = (0..RANKS)
        .map(|rank| format!("hello from rank {rank} of {RANKS} on {}", host_of(rank)))
        .find(|line| outcome.out.lines().filter(|said| said == line).count() != 1);
    match missing {
        None => Ok(()),
        Some(line) => Err(format!("`{line}` was not said once: {}", outcome.out)),
    }
}

/// Ranks of one host talk over shared memory, those of different ones over TCP.
fn lanes(outcome: &Outcome) -> Result<(), String> {
    let mut lines = outcome.err.lines().chain(outcome.out.lines());
    let told: Value = lines
        .find(|line| line.starts_with("{\"oxmpi_explain\""))
        .and_then(|line| serde_json::from_str(line).ok())
        .ok_or("no line of JSON tells of the lanes")?;
    for rank in 0..RANKS {
        let process = &told["processes"][rank];
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

/// A job of which a rank died is over, on all hosts.
fn has_ended(outcome: &Outcome, code: Option<i32>, program: &Path) -> Result<(), String> {
    let right = code.map_or(outcome.code != 0, |code| outcome.code == code);
    match right && !outcome.timed_out {
        true => none_left(program),
        false => Err(format!("expected {code:?}: {}", outcome.reason())),
    }
}

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
    let none = cluster.on_first(&srun("none", 1)).arg(hello);
    tally.count("srun --mpi=none", refused(none, "srun --mpi=pmi2"));
    let pmix = cluster.on_first(&srun("pmix", 1));
    let pmix = pmix.env("OXMPI_PMIX_LIBRARY", "/nowhere/libpmix.so.2");
    tally.count(
        "no libpmix",
        refused(pmix.arg(hello), "/nowhere/libpmix.so.2"),
    );
}
