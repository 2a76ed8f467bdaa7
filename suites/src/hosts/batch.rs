//! Jobs of Slurm and Grid Engine, on hosts that nothing but the batch system leads to: no sshd
//! runs.
//!
//! In each test a user has an allocation and starts `mpirun` in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::cluster::{self, Cluster, Shape};
use super::{all_said_hello_on, PROGRAMS};
use crate::conformance;
use crate::programs::{compile, none_left};
use crate::third_party::Suite;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{by_workers, install_script, Job, Outcome};

const HOSTS: usize = 3;

/// Two ranks on each host.
const ALL: Shape = Shape {
    hosts: HOSTS,
    each: 2,
};

/// How long a job that has ended may take to be gone from all hosts, where nothing else runs.
const GONE_LIMIT: Duration = Duration::from_secs(2);
/// That limit beside other tests.
const GONE_LIMIT_BESIDE: Duration = Duration::from_secs(15);

/// How long the ranks of a job that is ended sleep, in seconds; by this they are found.
const NAP: &str = "61.5";

/// Variables that a user's scripts may have set for the steps of a job, and not for daemons.
const OF_USERS: &[(&str, &str)] = &[
    ("SLURM_EXPORT_ENV", "NONE"),
    ("SLURM_LABELIO", "1"),
    ("SLURM_CPUS_PER_TASK", "2"),
    ("SLURM_DISTRIBUTION", "cyclic"),
    ("SLURM_NTASKS_PER_NODE", "2"),
    ("SLURM_MPI_TYPE", "pmi2"),
    ("SLURM_UNBUFFEREDIO", "1"),
    ("SLURM_EXACT", "1"),
];

/// A batch system that has the hosts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum System {
    Slurm,
    GridEngine,
}

impl System {
    fn name(self) -> &'static str {
        match self {
            System::Slurm => "Slurm",
            System::GridEngine => "Grid Engine",
        }
    }

    /// The component that starts daemons in its jobs.
    fn component(self) -> &'static str {
        match self {
            System::Slurm => "slurm",
            System::GridEngine => "sge",
        }
    }

    /// The script that starts it on the hosts.
    fn script(self) -> &'static str {
        match self {
            System::Slurm => "testslurm",
            System::GridEngine => "testsge",
        }
    }

    /// The words that run a command in an allocation of two ranks on each host, and wait for it.
    fn allocation(self) -> Vec<String> {
        let (hosts, ranks) = (HOSTS.to_string(), (ALL.hosts * ALL.each).to_string());
        let words = match self {
            System::Slurm => vec!["salloc", "--quiet", "-N", &hosts, "--ntasks-per-node=2"],
            System::GridEngine => vec!["qrsh", "-now", "n", "-cwd", "-V", "-pe", "mpi", &ranks],
        };
        words.into_iter().map(String::from).collect()
    }
}

/// The programs of Grid Engine, and its packages.
const NEEDS: &[(&str, &[&str])] = &[(
    "sge_qmaster",
    &["gridengine-master", "gridengine-exec", "gridengine-client"],
)];

/// Runs the tests of continuous integration.
pub fn run(world: &World) -> Result<Tally, String> {
    side_by_side(world, GONE_LIMIT_BESIDE, |batch, tally| {
        // Grid Engine takes seconds for each job.
        match batch.system {
            System::Slurm => {
                batch.programs(PROGRAMS, tally);
                batch.ends(&[300, 700], tally);
                batch.refusals(tally);
            }
            System::GridEngine => {
                batch.programs(&PROGRAMS[..1], tally);
                batch.ends(&[500], tally);
            }
        }
    })
}

/// Runs all tests: jobs are cancelled at more moments, and one comes to its time limit.
pub fn all(world: &World) -> Result<Tally, String> {
    let suite = Suite::ready(world)?;
    // Not by both at the same time.
    conformance::prepare(world)?;
    side_by_side(world, GONE_LIMIT, |batch, tally| {
        batch.programs(PROGRAMS, tally);
        batch.ends(&[0, 50, 100, 150, 200, 250, 300, 400, 600, 1000], tally);
        if batch.system == System::Slurm {
            tally.count("a time limit with a warning", batch.time_limit());
        }
        batch.refusals(tally);
        batch.mpi4py(&suite, tally);
        // Grid Engine takes seconds for each of hundreds of jobs.
        match batch.system {
            System::Slurm => batch.conformance(&["pt2pt", "spawn"], tally),
            System::GridEngine => batch.conformance(&["spawn"], tally),
        }
    })
}

/// Runs tests on hosts of each system at the same time: they wait for most of it.
fn side_by_side(
    world: &World,
    limit: Duration,
    test: impl Fn(&Batch<'_>, &mut Tally) + Sync,
) -> Result<Tally, String> {
    cluster::ready()?;
    cluster::ready_with(NEEDS)?;
    let systems = [System::Slurm, System::GridEngine];
    let of_each: Vec<Result<Tally, String>> = by_workers(systems.len(), &systems, |system| {
        let batch = Batch::new(world, *system, limit)?;
        let mut tally = Tally::default();
        test(&batch, &mut tally);
        Ok(tally)
    });
    let mut all = Tally::default();
    for tally in of_each {
        all.add(tally?);
    }
    Ok(all)
}

/// The hosts, and programs to run there.
struct Batch<'a> {
    system: System,
    /// How long a job that has ended may take to be gone.
    limit: Duration,
    world: &'a World,
    cluster: Cluster,
    hello: PathBuf,
    fail: PathBuf,
}

impl Batch<'_> {
    fn new(world: &World, system: System, limit: Duration) -> Result<Batch<'_>, String> {
        let compiled = |source: &str| compile(world, &fsio::root().join(source), &[]);
        Ok(Batch {
            system,
            limit,
            world,
            hello: compiled("examples/hello.c")?,
            fail: compiled("tests/environment/fail.c")?,
            cluster: Cluster::up_without_ssh(world, HOSTS, system.script())?,
        })
    }

    /// A command on the first host, as a user of the system gives it.
    fn user(&self, words: &[String]) -> Job {
        let job = self.cluster.on_first(words);
        job.env("SGE_ROOT", "/var/lib/gridengine")
    }

    /// `mpirun` in an allocation of two ranks on each of the hosts.
    fn mpirun(&self) -> Job {
        let mut words = self.system.allocation();
        words.push(self.cluster.mpirun.display().to_string());
        self.user(&words)
    }

    /// Counts a test by its name and the system's.
    fn count(&self, tally: &mut Tally, name: &str, answer: Result<(), String>) {
        tally.count(&format!("{name} by {}", self.system.name()), answer);
    }

    /// Trees of both shapes, and these programs that check their data.
    fn programs(&self, names: &[&str], tally: &mut Tally) {
        let hello = |job: Job| all_said_hello_on(&job.arg(&self.hello).ok()?, ALL);
        let explained = self.mpirun().arg("--explain").arg(&self.hello).ok();
        let choice = format!("plm: {} (", self.system.component());
        let said = explained.and_then(|outcome| {
            all_said_hello_on(&outcome, ALL)?;
            let is_said = outcome.err.contains(&choice);
            is_said.then_some(()).ok_or(outcome.err)
        });
        self.count(tally, "hello, and the choice explained", said);
        let by_levels = self.mpirun().args(["--mca", "plm_tree_radix", "1"]);
        self.count(
            tally,
            "hello by daemons that start daemons",
            hello(by_levels),
        );
        if self.system == System::Slurm {
            let job = self.mpirun();
            let misled = OF_USERS
                .iter()
                .fold(job, |job, (name, value)| job.env(*name, value));
            self.count(tally, "hello among variables of users", hello(misled));
            self.count(tally, "devices of each host", self.devices());
            self.count(tally, "processors of each host", self.processors());
            let here_too = self.mpirun().args(["--mca", "plm_daemon_here", "yes"]);
            self.count(tally, "hello by daemons on all hosts", hello(here_too));
            self.count(tally, "two components", self.components());
        }
        for name in names {
            let source = fsio::root().join(format!("tests/c/{name}.c"));
            let ended = compile(self.world, &source, &[])
                .and_then(|program| self.mpirun().arg(program).ok().map(drop));
            self.count(tally, name, ended);
        }
        self.count(tally, "spawn on a further host", self.spawn());
    }

    /// Ranks have the devices that the daemon of their host has. What starts the daemon says here
    /// what Slurm says where it has devices.
    fn devices(&self) -> Result<(), String> {
        let job = self.mpirun().env("CUDA_VISIBLE_DEVICES", "1");
        let job = job.args(["--map-by", "node", "-n", "3"]);
        let lines = ["node1 1", "node2 7", "node3 7"];
        self.within(
            "CUDA_VISIBLE_DEVICES=7",
            job,
            "$CUDA_VISIBLE_DEVICES",
            &lines,
        )
    }

    /// Ranks are bound inside of what the daemon of their host may use, also where it is started
    /// on all hosts, and their threads are as many as the user says.
    fn processors(&self) -> Result<(), String> {
        let job = self.mpirun().env("OMP_NUM_THREADS", "3");
        let job = job.args(["--mca", "plm_daemon_here", "yes", "--bind-to", "core"]);
        let job = job.args(["--map-by", "node", "-n", "3"]);
        let shown = "$(taskset -cp $$ | sed 's/.* //') $OMP_NUM_THREADS";
        let lines = ["node1 1 3", "node2 1 3", "node3 1 3"];
        self.within("taskset -c 1", job, shown, &lines)
    }

    /// Runs a job whose daemons are started behind these words, as a batch system gives limits, and
    /// which prints this behind the name of a host.
    fn within(&self, limit: &str, job: Job, shown: &str, lines: &[&str]) -> Result<(), String> {
        let agent = self.cluster.shared_file("agent");
        let mpirun = self.cluster.mpirun.display();
        let text = format!("#!/bin/sh\nexec env {limit} {mpirun} \"$@\"\n");
        install_script(&agent, &text)?;
        let job = job.arg("--launch-agent").arg(&agent);
        let script = format!("echo $(hostname) {shown}");
        let outcome = job.args(["sh", "-c", &script]).ok()?;
        let mut said: Vec<&str> = outcome.out.lines().collect();
        said.sort_unstable();
        match said == lines {
            true => Ok(()),
            false => Err(format!("{}{}", outcome.out, outcome.err)),
        }
    }

    /// A heterogeneous job of Slurm: two ranks on one host, and one on each of two others.
    fn components(&self) -> Result<(), String> {
        let hello = self.hello.display();
        let options = ["--wait", "-N1", ":", "-N2", "--ntasks-per-node=1"];
        self.submit("components", &options, &format!("MPIRUN {hello}"))?;
        let text = fs::read_to_string(self.cluster.shared_file("components.out"));
        let text = text.map_err(|error| error.to_string())?;
        let hosts = ["node1", "node1", "node2", "node3"].iter().enumerate();
        let mut lines = hosts.map(|(rank, host)| format!("hello from rank {rank} of 4 on {host}"));
        match lines.find(|line| !text.contains(line)) {
            None => Ok(()),
            Some(line) => Err(format!("`{line}` was not said: {text}")),
        }
    }

    /// A job on one host spawns processes on the two others.
    fn spawn(&self) -> Result<(), String> {
        let spread = compile(self.world, &fsio::root().join("tests/ports/spread.c"), &[])?;
        let job = self.mpirun().args(["-n", "1"]).arg(spread);
        let hosts = ["host", "node2:1,node3:1", "2", "node2", "node3"];
        job.args(hosts).ok().map(drop)
    }

    /// Ends of jobs, good ones and others; some are cancelled that many milliseconds after
    /// their start.
    fn ends(&self, moments: &[u64], tally: &mut Tally) {
        for (how, code) in [("mpi_abort", 9), ("exit", 3)] {
            let outcome = self.mpirun().arg(&self.fail).args([how, "barrier"]).run();
            let ended = outcome.and_then(|outcome| match outcome.code == code {
                true => self.nothing_stays(),
                false => Err(format!("expected {code}: {}", outcome.reason())),
            });
            self.count(tally, &format!("{how} of a rank"), ended);
        }
        for moment in moments {
            let name = format!("cancelled after {moment} ms");
            self.count(tally, &name, self.cancelled(Duration::from_millis(*moment)));
        }
        self.count(tally, "a killed daemon", self.killed_daemon());
        if self.system == System::Slurm {
            self.count(tally, "a signal to the step", self.signalled());
        }
    }

    /// Submits a script that runs `mpirun` with `words`. Returns the number of the job.
    fn submit(&self, name: &str, options: &[&str], words: &str) -> Result<String, String> {
        let file = self.cluster.shared_file(name);
        let mpirun = self.cluster.mpirun.display();
        let script = format!("#!/bin/sh\n{words}\n").replace("MPIRUN", &mpirun.to_string());
        fsio::write(&file, &script)?;
        let (hosts, ranks) = (HOSTS.to_string(), (ALL.hosts * ALL.each).to_string());
        let output = format!("{}.out", file.display());
        let own = match self.system {
            System::Slurm => {
                let own = [
                    "sbatch",
                    "--parsable",
                    "-N",
                    &hosts,
                    "--ntasks-per-node=2",
                    "-o",
                ];
                [&own[..], &[&output]].concat()
            }
            System::GridEngine => {
                let own = [
                    "qsub", "-terse", "-V", "-pe", "mpi", &ranks, "-j", "y", "-o",
                ];
                [&own[..], &[&output]].concat()
            }
        };
        let words: Vec<String> = [&own[..], options]
            .concat()
            .into_iter()
            .map(String::from)
            .collect();
        let outcome = self.user(&words).arg(&file).ok()?;
        Ok(outcome.out.trim().to_string())
    }

    /// Whether a job runs.
    fn is_running(&self, job: &str) -> bool {
        let (words, running): (&[&str], _) = match self.system {
            System::Slurm => (&["squeue", "-h", "-j", job, "-o", "%T"], "RUNNING"),
            System::GridEngine => (&["qstat", "-s", "r"], job),
        };
        self.on_first(words)
            .is_ok_and(|outcome| outcome.out.contains(running))
    }

    fn on_first(&self, words: &[&str]) -> Result<Outcome, String> {
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        self.user(&words).ok()
    }

    /// Waits for `is_there`, for a while.
    fn wait(&self, what: &str, is_there: impl Fn() -> bool) -> Result<(), String> {
        let begin = Instant::now();
        while !is_there() {
            if begin.elapsed() > Duration::from_secs(60) {
                return Err(format!("waited 60 s for {what}"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// A job that is cancelled at some moment of its start, or after that, leaves nothing.
    fn cancelled(&self, after: Duration) -> Result<(), String> {
        let job = self.submit("cancelled", &[], &format!("MPIRUN sleep {NAP}"))?;
        self.wait("the job to run", || self.is_running(&job))?;
        std::thread::sleep(after);
        let cancel = match self.system {
            System::Slurm => "scancel",
            System::GridEngine => "qdel",
        };
        self.on_first(&[cancel, &job])?;
        self.nothing_stays()
    }

    /// The loss of a daemon ends the job with a line that names its host.
    fn killed_daemon(&self) -> Result<(), String> {
        let job = self.mpirun().args(["sleep", NAP]);
        let (outcome, killed) = std::thread::scope(|scope| {
            let killer = scope.spawn(|| {
                let asleep = format!("pgrep -f '[s]leep {NAP}'");
                let started = || self.on("node2", &asleep).is_ok();
                self.wait("the ranks of node2", started)?;
                // The name alone: the command of the daemon is also part of a qrsh's.
                self.on("node2", "pkill -KILL -x mpirun").map(drop)
            });
            (job.run(), killer.join())
        });
        killed.map_err(|_| "the thread panicked")??;
        let outcome = outcome?;
        match outcome.code != 0 && outcome.err.contains("lost host node2") {
            true => self.nothing_stays(),
            false => Err(outcome.reason()),
        }
    }

    fn on(&self, host: &str, script: &str) -> Result<Outcome, String> {
        self.cluster
            .on(host, &["sh", "-c", script].map(String::from))
            .ok()
    }

    /// A signal that Slurm sends to the steps of a job arrives at all ranks, once.
    fn signalled(&self) -> Result<(), String> {
        let script = "trap \"echo usr1\" USR1; echo up; for i in $(seq 100); do sleep 0.1; done";
        let job = self.submit("signalled", &[], &format!("MPIRUN sh -c '{script}'"))?;
        let said = |word: &str| {
            let text = fs::read_to_string(self.cluster.shared_file("signalled.out"));
            text.unwrap_or_default()
                .lines()
                .filter(|line| *line == word)
                .count()
        };
        let ranks = ALL.hosts * ALL.each;
        self.wait("the ranks", || said("up") == ranks)?;
        self.on_first(&["scancel", "--signal=USR1", &job])?;
        let arrived = self.wait("the signal", || said("usr1") >= ranks);
        std::thread::sleep(Duration::from_millis(300));
        let count = said("usr1");
        self.on_first(&["scancel", &job])?;
        arrived?;
        match count == ranks {
            true => self.nothing_stays(),
            false => Err(format!("{count} signals for {ranks} ranks")),
        }
    }

    /// The warning before the end of the time that a job has reaches the script, which passes it
    /// on; a job that does not end then is ended.
    fn time_limit(&self) -> Result<(), String> {
        let script = "trap \"echo usr1\" USR1; echo up; for i in $(seq 2000); do sleep 0.1; done";
        let words =
            format!("MPIRUN sh -c '{script}' & trap \"kill -USR1 $!\" USR1; wait; wait; wait");
        let options = ["--time=0:01", "--signal=B:USR1@5"];
        let job = self.submit("limited", &options, &words)?;
        let begin = Instant::now();
        let state = || {
            let state = self.on_first(&["squeue", "-h", "-j", &job, "-o", "%T"]);
            state
                .map(|outcome| outcome.out.trim().to_string())
                .unwrap_or_default()
        };
        while !state().is_empty() && begin.elapsed() < Duration::from_secs(180) {
            std::thread::sleep(Duration::from_millis(500));
        }
        let text = fs::read_to_string(self.cluster.shared_file("limited.out"));
        let text = text.map_err(|error| error.to_string())?;
        match text.lines().filter(|line| *line == "usr1").count() == ALL.hosts * ALL.each {
            true => self.nothing_stays(),
            false => Err(text),
        }
    }

    /// Within its limit no rank, daemon or command is left on any host, and no job in the queue.
    fn nothing_stays(&self) -> Result<(), String> {
        let begin = Instant::now();
        let processes =
            format!("pgrep -fa '[d]aemon-of-job|[/]mpirun |[s]run -|[q]rsh |[s]leep {NAP}' || :");
        loop {
            // Grid Engine shows a job until the next report of its hosts.
            let mut left = match self.system {
                System::Slurm => self.on_first(&["squeue", "-h"])?.out,
                System::GridEngine => String::new(),
            };
            for host in 1..=HOSTS {
                left += &self.on(&format!("node{host}"), &processes)?.out;
            }
            if left.trim().is_empty() {
                break none_left(&self.hello);
            }
            if begin.elapsed() > self.limit {
                return Err(format!("left after {:?}: {left}", self.limit));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// A job that cannot be started says so in one line, with what was tried.
    fn refusals(&self, tally: &mut Tally) {
        let mut refused = |name: &str, job: Job, said: &[&str]| {
            let answer = job.run().and_then(|outcome| {
                let is_said = said.iter().all(|part| outcome.err.contains(part));
                match outcome.code != 0 && !outcome.timed_out && is_said {
                    true => Ok(()),
                    false => Err(format!("expected {said:?}: {}", outcome.reason())),
                }
            });
            self.count(tally, name, answer);
        };
        let hello = &self.hello;
        let other = self.mpirun().args(["--mca", "plm", "lsf"]).arg(hello);
        refused("another system's component", other, &["lsf", "LSB_JOBID"]);
        let none = self.mpirun().args(["--host", "node9"]).arg(hello);
        refused("a host that is not of the allocation", none, &["node9"]);
        let many = self
            .mpirun()
            .args(["-n", "100", "--nooversubscribe"])
            .arg(hello);
        refused("more ranks than slots", many, &["100", "slots"]);
        let gone = self
            .mpirun()
            .args(["--launch-agent", "/nowhere/mpirun"])
            .arg(hello);
        refused(
            "no mpirun on the other hosts",
            gone,
            &["node2", "/nowhere/mpirun"],
        );
        let missing = self.mpirun().arg("/nowhere/program");
        refused("no program", missing, &["/nowhere/program"]);
        if self.system == System::Slurm {
            let outside = self.cluster.mpirun.display().to_string();
            let outside = self
                .cluster
                .on_first(&[outside])
                .env("SLURM_JOB_ID", "99999");
            let outside = outside.env("SLURM_JOB_NODELIST", "node[1-3]");
            let outside = outside.env("SLURM_TASKS_PER_NODE", "1(x3)").arg(hello);
            refused("an allocation that has ended", outside, &["srun", "99999"]);
        }
    }

    /// The tests of MPICH's suite in these folders, with the ranks on all hosts.
    fn conformance(&self, folders: &[&str], tally: &mut Tally) {
        let by = format!("by {}", self.system.name());
        for folder in folders {
            let start = |ranks: usize, place: &Path| {
                let place = format!("--wdir={}", place.display());
                let job = self
                    .mpirun()
                    .args([&place, "--map-by", "node", "--oversubscribe"]);
                job.arg("-n").arg(ranks.to_string())
            };
            if let Err(why) = conformance::on_hosts(self.world, (folder, &by), start, tally) {
                self.count(tally, folder, Err(why));
            }
        }
    }

    /// Some of mpi4py's files.
    fn mpi4py(&self, suite: &Suite, tally: &mut Tally) {
        let by = format!("by {}", self.system.name());
        // What a rank writes there for those that it spawns is read on another host.
        let temporary = format!("TMPDIR={}", self.cluster.shared_file("").display());
        for module in ["test_p2p_buf", "test_cco_buf", "test_spawn"] {
            let job = self.mpirun().args(["-x", &temporary, "-n", "3"]);
            suite.judge(module, job, &by, tally);
        }
    }
}
