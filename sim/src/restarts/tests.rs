//! Tests many seeds, and that equal seeds give equal runs.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};

use super::run;

/// Seeds that an optimized build plays, and another.
const SEEDS: u64 = if cfg!(debug_assertions) {
    1_000
} else {
    10_000
};

#[test]
fn the_last_lives_make_one_history() {
    let next = AtomicU64::new(0);
    let (deaths, jumps) = (AtomicU64::new(0), AtomicU64::new(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= SEEDS {
            return;
        }
        let played = catch_unwind(AssertUnwindSafe(|| run(seed)));
        let played = played.unwrap_or_else(|_| panic!("seed {seed} panicked"));
        let summary = played.unwrap_or_else(|what| panic!("{what}"));
        deaths.fetch_add(summary.deaths as u64, Ordering::Relaxed);
        jumps.fetch_add(summary.jumps as u64, Ordering::Relaxed);
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker.join().expect("all seeds pass");
        }
    });
    let deaths = deaths.into_inner();
    assert!(deaths > SEEDS, "{deaths} deaths");
    let jumps = jumps.into_inner();
    assert!(jumps > SEEDS / 5, "{jumps} lives went on from a checkpoint");
}

#[test]
fn the_same_seed_is_the_same_run() {
    for seed in 0..50 {
        let first = run(seed).unwrap_or_else(|what| panic!("{what}"));
        let again = run(seed).unwrap_or_else(|what| panic!("{what}"));
        assert_eq!(first, again, "seed {seed}");
    }
}
