//! mpi4py's tests of point-to-point calls, while a rank is killed at any moment and started again.

use std::path::Path;
use std::time::Duration;

use super::how::{LOGGED, TRANSPORTS};
use crate::programs::mpirun;
use crate::third_party::Suite;
use crate::world::{row, Tally, World};
use xtask::fsio;
use xtask::shell::{side_by_side, Job};

/// The test files, of which each seed takes one.
const MODULES: [&str; 4] = [
    "test_p2p_buf",
    "test_p2p_buf_matched",
    "test_p2p_obj",
    "test_p2p_obj_matched",
];

/// Ranks of each job.
const RANKS: usize = 3;

/// Time for one job: undisturbed the longest takes 40 s on a machine that others use.
const LIMIT: Duration = Duration::from_secs(300);

/// Jobs over each transport.
const SEEDS: u64 = 200;

/// Runs all seeds.
pub fn long(world: &World) -> Result<Tally, String> {
    seeds(world, SEEDS)
}

/// Runs a tenth of the seeds.
pub fn short(world: &World) -> Result<Tally, String> {
    seeds(world, SEEDS / 10)
}

fn seeds(world: &World, seeds: u64) -> Result<Tally, String> {
    let suite = Suite::ready(world)?;
    let mut tally = Tally::default();
    let mut again = 0;
    for (way, over) in TRANSPORTS {
        let mut undisturbed = Vec::new();
        for module in MODULES {
            let outcome = job(world, &suite, over, (usize::MAX, 0, module)).ok()?;
            let said = verdicts(&outcome.err);
            undisturbed.push((said, outcome.took));
        }
        let all: Vec<u64> = (0..seeds).collect();
        let play = |seed: u64| {
            let number = seed as usize % MODULES.len();
            let (expected, took) = &undisturbed[number];
            // Any moment of the job, by a multiplier that spreads the seeds.
            let part = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let millis = (took.as_millis() as u64 * part) >> 32;
            let victim = seed as usize / MODULES.len() % RANKS;
            let outcome = job(world, &suite, over, (victim, millis, MODULES[number])).run()?;
            let restarts = outcome.err.matches("is started again").count();
            // One that is killed when all have come to the end is not started again.
            let is_late = outcome
                .err
                .contains("it is not started again: all had come");
            let is_whole = outcome.succeeded() || is_late && outcome.code == 137;
            match is_whole && verdicts(&outcome.err) == *expected {
                true => Ok(restarts),
                false => Err(format!(
                    "{}, rank {victim} after {millis} ms: {}",
                    MODULES[number],
                    outcome.reason()
                )),
            }
        };
        let name = |seed| format!("seed {seed} over {way}");
        let outcomes = side_by_side(&all, |&seed| row(&name(seed), || play(seed)));
        for (seed, outcome) in all.into_iter().zip(outcomes) {
            again += *outcome.as_ref().unwrap_or(&0);
            tally.count(&name(seed), outcome.map(drop));
        }
    }
    println!("      {again} ranks were started again");
    Ok(tally)
}

fn job(
    world: &World,
    suite: &Suite,
    over: &str,
    (victim, millis, module): (usize, u64, &str),
) -> Job {
    let options = [&LOGGED[..], &["--oversubscribe", "--mca", "btl", over]].concat();
    let killed = fsio::root().join("tests/restart/killed.py");
    let job = mpirun(world, RANKS, &options).env("PYTHONHASHSEED", "0");
    let words = [victim.min(RANKS).to_string(), millis.to_string()];
    suite.within(
        world,
        job.limit(LIMIT),
        (Path::new(&killed), &words),
        module,
    )
}

/// Returns what the ranks say of their tests, without times, in order.
fn verdicts(text: &str) -> Vec<String> {
    let is_verdict = |line: &&str| {
        let words = ["Ran ", "OK", "FAILED"];
        words.iter().any(|word| line.starts_with(word))
    };
    let lines = text.lines().filter(is_verdict);
    let kept = lines.filter_map(|line| line.split(" in ").next());
    let mut all: Vec<String> = kept.map(String::from).collect();
    all.sort_unstable();
    all
}
