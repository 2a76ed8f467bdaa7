//! Runs cases by `libtest-mimic`, as named tests that Cargo, nextest and editors list and filter.
//!
//! A name begins with the step's, whose dashes part it: the program `rma_basic` of the step `c-sm`
//! on two ranks is `c::sm::rma_basic::2`. In brackets before it stands the narrowest tier that runs
//! the step. What the tier `ci` does not run is ignored unless it is asked for.
//!
//! `libtest-mimic` counts a step whose cases are known only while it runs as one test. [`Suite`]
//! counts cases, and prints a line for each step that has ended.

use std::cmp::Reverse;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use xtask::install::PROFILE;
use xtask::shell::{self, processors};

use crate::case::{Case, Group, Needs};
use crate::gate::Gate;
use crate::steps::{Step, Tier, INSTALL, PREPARED, STEPS};
use crate::world::{Tally, World};
use crate::{conformance, third_party};

/// Tests that wait for room or run: more than ever fit the machine.
const THREADS: usize = 16;

/// The variable with the profile of the installation under test, where Cargo starts the tests.
const OF_PROFILE: &str = "OXMPI_TEST_PROFILE";

/// How the cases under a name went.
pub struct Row {
    pub name: String,
    pub tally: Tally,
    /// From the beginning of its first case to the end of its last.
    pub took: Duration,
    /// Time for which processors were idle meanwhile, all together.
    idle: Duration,
    left: usize,
    begun: Option<Moment>,
}

/// A point in time, and how long processors have been idle until then.
#[derive(Clone, Copy)]
struct Moment {
    at: Instant,
    idle: Duration,
}

/// State that the tests of a run share.
struct Suite {
    world: World,
    gate: Gate,
    rows: Mutex<Vec<Row>>,
    begun: Moment,
    /// Builds what later steps need, until the step that installs.
    ahead: Mutex<Option<JoinHandle<()>>>,
}

/// Runs the cases of every step for `cargo test`, as the arguments of the process say.
pub fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = arguments.test_threads.or(Some(THREADS));
    let profile = match std::env::var(OF_PROFILE) {
        Ok(profile) => profile.leak(),
        Err(_) => PROFILE,
    };
    let suite = Suite::new(World::new(None, profile));
    let mut trials = Vec::new();
    for step in STEPS {
        match step.group() {
            Ok(group) => trials.extend(suite.trials(group, Some(step))),
            Err(why) => {
                eprintln!("{}: {why}", step.name);
                return ExitCode::FAILURE;
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Runs groups of cases in this order, on an installation; returns how they went.
pub fn run(world: World, groups: Vec<Group>) -> Vec<Row> {
    let suite = Suite::new(world);
    // What later steps need takes longer to build than the steps before the installation.
    let is_long = groups.iter().any(|group| group.name == PREPARED);
    let is_ahead = is_long && groups[0].needs == Needs::Sources;
    let mut trials = Vec::new();
    for group in groups {
        trials.extend(suite.trials(group, None));
    }
    if is_ahead {
        let ahead = std::thread::spawn(|| suite.prepare());
        *suite.ahead() = Some(ahead);
    }
    let threads = THREADS.to_string();
    let arguments = Arguments::from_iter(["suites", "--test-threads", &threads]);
    let _ = libtest_mimic::run(&arguments, trials);
    let rows = std::mem::take(&mut *suite.rows());
    if rows.len() > 1 {
        let (took, idle) = suite.begun.elapsed();
        println!("\n{}", account(&rows, took, idle, processors()));
    }
    rows
}

/// Says where the time of a run went: how long processors were idle, the groups beside which they
/// were so for longest, and the longest groups.
fn account(rows: &[Row], took: Duration, idle: Duration, processors: usize) -> String {
    const SHOWN: usize = 5;
    let most = |time: fn(&Row) -> Duration| {
        let mut rows: Vec<&Row> = rows.iter().collect();
        rows.sort_by_key(|row| Reverse(time(row)));
        let shown = rows.iter().take(SHOWN);
        let shown = shown.map(|row| format!("{} {:.0} s", row.name, time(row).as_secs_f64()));
        shown.collect::<Vec<_>>().join(", ")
    };
    format!(
        "{processors} processors, idle for {:.0} of {:.0} s; most beside {}\nlongest: {}",
        idle.as_secs_f64(),
        took.as_secs_f64() * processors as f64,
        most(|row| row.idle),
        most(|row| row.took)
    )
}

impl Moment {
    fn now() -> Moment {
        Moment {
            at: Instant::now(),
            idle: shell::idle(),
        }
    }

    /// Returns the time since then, and for how much of it processors were idle.
    fn elapsed(&self) -> (Duration, Duration) {
        let idle = shell::idle().saturating_sub(self.idle);
        (self.at.elapsed(), idle)
    }
}

impl Row {
    /// A row that has ended.
    pub fn new(name: &str, tally: Tally, took: Duration) -> Row {
        Row {
            name: name.to_string(),
            tally,
            took,
            idle: Duration::ZERO,
            left: 0,
            begun: None,
        }
    }
}

impl Suite {
    /// It lives as long as the process, whose threads share it.
    fn new(world: World) -> &'static Suite {
        Box::leak(Box::new(Suite {
            world,
            gate: Gate::default(),
            rows: Mutex::default(),
            begun: Moment::now(),
            ahead: Mutex::default(),
        }))
    }

    /// Returns the trials of a group; of a step with its tier.
    fn trials(&'static self, group: Group, step: Option<&Step>) -> Vec<Trial> {
        let path = group.name.replace('-', "::");
        let mut rows = self.rows();
        let (row, needs) = (rows.len(), group.needs);
        rows.push(Row {
            left: group.cases.len(),
            ..Row::new(&group.name, Tally::default(), Duration::ZERO)
        });
        let trial = |case: Case| {
            let trial =
                Trial::ignorable_test(case.path(&path), move || self.run(row, needs, &case));
            match step {
                Some(step) => trial
                    .with_kind(step.narrowest())
                    .with_ignored_flag(!step.tiers.contains(&Tier::Ci)),
                None => trial,
            }
        };
        group.cases.into_iter().map(trial).collect()
    }

    fn run(&self, row: usize, needs: Needs, case: &Case) -> Result<Completion, Failed> {
        let _room = self.gate.enter(case.at_a_time);
        let begun = Moment::now();
        let is_install = self.rows()[row].name == INSTALL;
        if let Some(ahead) = self.ahead().take_if(|_| is_install) {
            // Should it have panicked, the steps report what they lack.
            let _ = ahead.join();
        }
        let work = || match needs {
            Needs::Sources => case.run(&self.world),
            Needs::Installation => match self.world.install() {
                Ok(()) => case.run(&self.world),
                Err(why) => Tally::not_run(why),
            },
        };
        let tally = catch_unwind(AssertUnwindSafe(work));
        let tally = tally.unwrap_or_else(|_| Tally::not_run("it panicked".to_string()));
        let ended = match (&tally.failed[..], &tally.known[..], tally.passed) {
            ([], [known, ..], 0) => Ok(Completion::ignored_with(known)),
            ([], ..) => Ok(Completion::Completed),
            (failed, ..) => Err(failed.join("\n").into()),
        };
        self.note(row, begun, tally);
        ended
    }

    /// Adds a case that has ended to its row, and prints the row that it was the last of.
    fn note(&self, row: usize, begun: Moment, tally: Tally) {
        let mut rows = self.rows();
        let all = rows.len();
        let of_step = &mut rows[row];
        let first = *of_step.begun.get_or_insert(begun);
        of_step.tally.add(tally);
        of_step.left -= 1;
        if of_step.left == 0 {
            (of_step.took, of_step.idle) = first.elapsed();
            println!(
                "[{}/{all}] {}: {} passed, {} failed in {:.1} s, {:.0} s idle ({:.0} s so far)",
                row + 1,
                of_step.name,
                of_step.tally.passed,
                of_step.tally.failed.len(),
                of_step.took.as_secs_f64(),
                of_step.idle.as_secs_f64(),
                self.begun.at.elapsed().as_secs_f64()
            );
        }
    }

    /// Makes and fetches, beside the first steps, what later ones need. What fails here is tried
    /// again by the step that needs it, which reports it.
    fn prepare(&self) {
        if self.world.install().is_ok() {
            third_party::prepare(&self.world);
            let _ = conformance::prepare(&self.world);
        }
    }

    fn rows(&self) -> MutexGuard<'_, Vec<Row>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ahead(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_begins_with_what_took_and_idled_for_longest() {
        let row = |name, took, idle| Row {
            idle: Duration::from_secs(idle),
            ..Row::new(name, Tally::default(), Duration::from_secs(took))
        };
        let rows = [
            row("a", 1, 0),
            row("b", 9, 3),
            row("c", 8, 7),
            row("d", 2, 1),
            row("e", 3, 2),
            row("f", 4, 4),
        ];
        let (took, idle) = (Duration::from_secs(30), Duration::from_secs(18));
        assert_eq!(
            account(&rows, took, idle, 2),
            "2 processors, idle for 18 of 60 s; most beside c 7 s, f 4 s, b 3 s, e 2 s, d 1 s\n\
             longest: b 9 s, c 8 s, f 4 s, e 3 s, d 2 s"
        );
    }
}
