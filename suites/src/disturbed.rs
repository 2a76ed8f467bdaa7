//! Tests in which ranks are killed or stopped at any moment of an exchange that checks its data:
//! the others end with the reason, go on without the rank, or wait without using their cores.

use std::time::Duration;

use super::programs::{compile, mpirun};
use super::scarce::PLACES;
use crate::case::Case;
use crate::world::World;
use xtask::fsio;
use xtask::shell::{processors, Outcome};

/// Moments at which a rank is killed, for each of its acts. The program makes them of these
/// numbers.
const MOMENTS: usize = 32;

/// Ranks of a job, one of which is killed or stopped.
const RANKS: usize = 4;

/// How long a job may last in which somebody is killed within a tenth of a second.
const END_LIMIT: Duration = Duration::from_secs(10);

/// Options of the transports, so that messages of each may be cut short.
const WAYS: &[&[&str]] = &[
    &[],
    &["--mca", "smsc", "none"],
    &["--mca", "btl_sm_single_copy_mechanism", "cma"],
    // Few cells and no rings: many wait for each other, and are woken.
    &[
        "--mca",
        "btl_sm_ring_max",
        "0",
        "--mca",
        "btl_sm_queue_cells",
        "2",
    ],
];

/// Option of the jobs that go on without the dead and are notified of them.
const RECOVERY: &str = "--enable-recovery";

/// The last line of a job that has gone on without a rank.
const LOST: &str = "mpirun: the job lost rank 1; all others ended well";

/// A job: how it is disturbed, where, when, and with which options.
struct Disturbed {
    how: &'static str,
    place: &'static str,
    moment: usize,
    options: Vec<&'static str>,
}

/// Kills and stops.
pub fn run() -> Result<Vec<Case>, String> {
    let mut jobs = Vec::new();
    for place in PLACES {
        jobs.push(disturbed("not", place, 0, &[]));
        jobs.push(disturbed("stop", place, 2, &[]));
        jobs.push(disturbed("stop", place, 3, &["--mca", "smsc", "none"]));
        for moment in 0..MOMENTS {
            jobs.push(disturbed("kill", place, moment, &[]));
        }
    }
    for moment in 0..MOMENTS {
        jobs.push(disturbed("kill", "messages", moment, &[RECOVERY]));
    }
    let case = |job: Disturbed| {
        let name = format!("{} in {} at {}", job.how, job.place, job.moment);
        let name = [&[name.as_str()], &job.options[..]].concat().join(" ");
        Case::new(name, 2 * processors(), move |world| job.run(world))
    };
    Ok(jobs.into_iter().map(case).collect())
}

fn disturbed(
    how: &'static str,
    place: &'static str,
    moment: usize,
    options: &[&'static str],
) -> Disturbed {
    let ways = WAYS[moment % WAYS.len()];
    let options = match how {
        "kill" => [options, ways].concat(),
        _ => options.to_vec(),
    };
    Disturbed {
        how,
        place,
        moment,
        options,
    }
}

impl Disturbed {
    fn run(&self, world: &World) -> Result<(), String> {
        let source = fsio::root().join("tests/environment/disturbed.c");
        let program = compile(world, &source, &[])?;
        let job = mpirun(world, RANKS, &self.options).arg(program);
        let moment = self.moment.to_string();
        let outcome = job.args([self.how, self.place, &moment]).run()?;
        match self.how {
            "kill" => self.judge(&outcome),
            _ if outcome.succeeded() => outcome.none_left(),
            _ => Err(outcome.reason()),
        }
    }

    /// The job says which rank was killed, and nothing else; where the others go on they have had
    /// right data from each other, and an error for what they wanted of the dead.
    fn judge(&self, outcome: &Outcome) -> Result<(), String> {
        let said = "was killed by signal 9 (SIGKILL)";
        let goes_on = self.options.contains(&RECOVERY);
        let lines: Vec<&str> = outcome.err.lines().collect();
        let is_death = |line: &str| line.starts_with("mpirun: rank 1 ") && line.ends_with(said);
        let is_reported = match lines[..] {
            [line] => !goes_on && is_death(line),
            [line, lost] => goes_on && is_death(line) && lost == LOST,
            _ => false,
        };
        if outcome.code != if goes_on { 0 } else { 137 } || outcome.timed_out || !is_reported {
            return Err(outcome.reason());
        }
        if outcome.took > END_LIMIT {
            return Err(format!("took {:.1} s to end", outcome.took.as_secs_f64()));
        }
        let outlived = outcome.out.matches(" has outlived rank 1").count();
        if outlived != if goes_on { RANKS - 1 } else { 0 } {
            return Err(format!("{outlived} ranks went on: {}", outcome.out));
        }
        outcome.none_left()
    }
}
