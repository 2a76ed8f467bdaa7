//! Ranks on several hosts that are killed and started again by a log of messages, and hosts that
//! are lost with all their ranks: the job prints what it prints undisturbed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Cluster;
use crate::programs::compile;
use crate::restarts::{input_text, LOGGED, PROGRAMS, RANKS, STEPS};
use crate::world::{row, Tally, World};
use xtask::fsio;
use xtask::shell::{by_workers, Job, Outcome};

/// Where the ranks are: two on this host, one on each of the others.
const HOSTS: &str = "node1:2,node2:1,node3:1";

/// The option by which ranks outlive their hosts.
const PEER: [&str; 3] = ["--mca", "vprotocol_pessimist_stable", "peer"];

/// How many jobs run at a time: each waits for much of its time.
const AT_A_TIME: usize = 4;

/// Jobs of each program with the loss of a rank, and with that of a host, in the long form.
const SEEDS: u64 = 200;

/// When a host crashes that the others see silent then, and what a step waits so that the program
/// runs long enough.
const CRASH_AFTER: Duration = Duration::from_secs(3);
const PAUSE: &str = "100000";

/// Seconds for which a host may be silent there.
const SILENCE: &str = "4";

/// The loss in a job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loss {
    Rank,
    /// The daemon and all ranks of the host.
    Host,
}

/// A job, and what is lost in it.
#[derive(Clone, Copy)]
struct Case {
    program: &'static str,
    loses: Loss,
    victim: u64,
    step: u64,
    /// Deaths in a row.
    deaths: u64,
    /// Another rank that dies beside it, or whose host is lost.
    second: Option<u64>,
}

impl Case {
    const fn new(program: &'static str, loses: Loss, victim: u64) -> Case {
        Case {
            program,
            loses,
            victim,
            step: 17,
            deaths: 1,
            second: None,
        }
    }

    fn description(&self) -> String {
        let what = match self.loses {
            Loss::Rank => "rank",
            Loss::Host => "the host of rank",
        };
        let second = self
            .second
            .map_or(String::new(), |rank| format!(" and {rank}"));
        let (program, victim, step) = (self.program, self.victim, self.step);
        format!("{program} loses {what} {victim}{second} at step {step}")
    }

    /// Whether the launcher reported each restart.
    fn has_all_restarts(&self, said: &str) -> bool {
        let (what, times) = match self.loses {
            Loss::Rank => ("it is started again", self.deaths),
            Loss::Host => ("they are started again on other hosts", 1),
        };
        let all = times * (1 + u64::from(self.second.is_some()));
        let restarts = said.matches(what).count() as u64;
        // A worker that has come back may get fewer tasks, and not reach its step again; one whose
        // host is lost is reported by the line of the host.
        let least = if self.program == "workers" { 1 } else { all };
        (least..=all).contains(&restarts)
    }
}

/// A few jobs, and the loss of a host that cannot be outlived.
pub fn run(world: &World, cluster: &Cluster, tally: &mut Tally) -> Result<(), String> {
    let ready = Ready::new(world, cluster)?;
    let cases = [
        Case {
            step: 5,
            ..Case::new("workers", Loss::Rank, 2)
        },
        Case {
            second: Some(0),
            ..Case::new("started", Loss::Rank, 3)
        },
        Case::new("loops", Loss::Host, 2),
        Case {
            step: 5,
            second: Some(2),
            ..Case::new("workers", Loss::Host, 3)
        },
    ];
    ready.check(&cases, tally);
    tally.count("a host is lost without a copy", ready.without_copy());
    tally.count("standard input of a host that is lost", ready.input(world));
    Ok(())
}

/// Runs all seeds.
pub fn long(world: &World) -> Result<Tally, String> {
    seeds(world, SEEDS)
}

/// Runs a fifth of the seeds.
pub fn short(world: &World) -> Result<Tally, String> {
    seeds(world, SEEDS / 5)
}

/// Many jobs, each with a victim and a step by its seed; and hosts that crash and are silent then.
fn seeds(world: &World, seeds: u64) -> Result<Tally, String> {
    super::cluster::ready()?;
    let cluster = Cluster::up(world, 3)?;
    let ready = Ready::new(world, &cluster)?;
    let mut cases = Vec::new();
    for program in PROGRAMS {
        for seed in 0..seeds {
            // How many tasks a worker gets depends on the others.
            let steps = if program == "workers" { 6 } else { STEPS };
            let step = 1 + seed * 7 % steps;
            cases.push(Case {
                step,
                deaths: 1 + u64::from(seed % 5 == 0),
                second: (seed % 7 == 0).then_some((seed + 1) % RANKS as u64),
                ..Case::new(program, Loss::Rank, seed % RANKS as u64)
            });
            let victim = 2 + seed % 2;
            cases.push(Case {
                step,
                second: (seed % 5 == 0).then_some(5 - victim),
                ..Case::new(program, Loss::Host, victim)
            });
        }
    }
    let mut tally = Tally::default();
    run(world, &cluster, &mut tally)?;
    ready.check(&cases, &mut tally);
    tally.count("a host crashes", ready.crash());
    Ok(tally)
}

/// The hosts, the program, and what it prints undisturbed.
struct Ready<'a> {
    cluster: &'a Cluster,
    program: PathBuf,
    expected: Vec<(&'static str, String)>,
}

impl<'a> Ready<'a> {
    fn new(world: &World, cluster: &'a Cluster) -> Result<Ready<'a>, String> {
        let source = fsio::root().join("tests/restart/restart.c");
        let program = compile(world, &source, &[])?;
        let mut expected = Vec::new();
        for name in PROGRAMS {
            let job = crate::programs::mpirun(world, RANKS, &[]);
            expected.push((name, job.arg(&program).arg(name).ok()?.out));
        }
        Ok(Ready {
            cluster,
            program,
            expected,
        })
    }

    /// Returns the start of a job whose ranks are logged.
    fn job(&self, options: &[&str]) -> Job {
        let mpirun = self.cluster.mpirun.display().to_string();
        let words = [mpirun, "--host".to_string(), HOSTS.to_string()];
        let job = self.cluster.on_first(&words).args(LOGGED).args(options);
        job.args(["-n", &RANKS.to_string()])
    }

    fn check(&self, cases: &[Case], tally: &mut Tally) {
        let play = |case: &Case| row(&case.description(), || self.play(case));
        let outcomes = by_workers(AT_A_TIME, cases, play);
        for (case, outcome) in cases.iter().zip(outcomes) {
            tally.count(&case.description(), outcome);
        }
    }

    fn play(&self, case: &Case) -> Result<(), String> {
        let options: &[&str] = match case.loses {
            Loss::Rank => &[],
            Loss::Host => &PEER,
        };
        let mut job = self.job(options).args(host_dies(case.loses));
        job = job.arg(&self.program).arg(case.program);
        let numbers = [case.victim, case.step, case.deaths];
        for number in numbers.into_iter().chain(case.second) {
            job = job.arg(number.to_string());
        }
        let outcome = job.limit(Duration::from_secs(60)).ok()?;
        match self.is_right(case.program, &outcome) && case.has_all_restarts(&outcome.err) {
            true => Ok(()),
            false => Err(outcome.reason()),
        }
    }

    fn is_right(&self, program: &str, outcome: &Outcome) -> bool {
        let undisturbed = self.expected.iter().find(|(name, _)| *name == program);
        undisturbed.is_some_and(|(_, text)| *text == outcome.out)
    }

    /// A host is lost of whose events nobody has a copy: one line, and the job ends.
    fn without_copy(&self) -> Result<(), String> {
        let job = self.job(&[]).args(host_dies(Loss::Host));
        let outcome = job.arg(&self.program).args(["ring", "2", "17"]).run()?;
        let lines = outcome.err.lines().filter(|line| !line.is_empty()).count();
        let is_reported = outcome.err.contains("vprotocol_pessimist_stable peer");
        match outcome.code == 1 && !outcome.timed_out && is_reported && lines == 1 {
            true => super::none_left(Path::new(&self.program)),
            false => Err(outcome.reason()),
        }
    }

    /// The host is lost of the rank that reads standard input.
    fn input(&self, world: &World) -> Result<(), String> {
        let text = input_text();
        let job = crate::programs::mpirun(world, RANKS, &[]);
        let expected = job.arg(&self.program).arg("input").stdin(&text).ok()?.out;
        let mpirun = self.cluster.mpirun.display().to_string();
        let words = [mpirun, "--host".into(), "node2:1,node1:3".into()];
        let job = self.cluster.on_first(&words).args(LOGGED).args(PEER);
        let job = job.args(host_dies(Loss::Host)).args(["-n", "4"]);
        let job = job.arg(&self.program).args(["input", "0", "2500"]);
        let outcome = job.stdin(&text).ok()?;
        let is_reported = outcome
            .err
            .contains("they are started again on other hosts");
        match outcome.out == expected && is_reported {
            true => Ok(()),
            false => Err(outcome.reason()),
        }
    }

    /// A host loses its network, and all that runs there ends: nobody closes a connection.
    fn crash(&self) -> Result<(), String> {
        let silence = ["--mca", "plm_heartbeat_timeout", SILENCE];
        let job = self.job(&PEER).args(silence);
        let job = job.args(["-x", &format!("RESTART_PAUSE={PAUSE}")]);
        let job = job.arg(&self.program).arg("heat");
        let (outcome, crashed) = std::thread::scope(|scope| {
            let crash = scope.spawn(|| {
                std::thread::sleep(CRASH_AFTER);
                self.cluster.crash("node3")
            });
            (job.ok(), crash.join())
        });
        crashed.map_err(|_| "the thread panicked")??;
        let outcome = outcome?;
        let again = Case::new("heat", Loss::Host, 3).has_all_restarts(&outcome.err);
        match self.is_right("heat", &outcome) && again {
            true => Ok(()),
            false => Err(outcome.reason()),
        }
    }
}

/// The options of `mpirun` by which a victim takes its host with it.
fn host_dies(loses: Loss) -> &'static [&'static str] {
    match loses {
        Loss::Rank => &[],
        Loss::Host => &["-x", "RESTART_HOST=1"],
    }
}
