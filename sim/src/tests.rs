//! Tests many seeds, and that equal seeds give equal runs.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{run, Pool};

/// Seeds that an optimized build plays, and another.
const SEEDS: u64 = if cfg!(debug_assertions) {
    1_000
} else {
    10_000
};

#[test]
fn no_message_is_lost_doubled_or_reordered() {
    let next = AtomicU64::new(0);
    let start = std::time::Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let (mut pool, mut messages) = (Pool::default(), 0);
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= SEEDS {
                return messages;
            }
            let played = catch_unwind(AssertUnwindSafe(|| run(seed, &mut pool)));
            let summary = played.unwrap_or_else(|_| panic!("seed {seed} panicked"));
            messages += summary.unwrap_or_else(|what| panic!("{what}")).messages;
        }
    };
    let messages: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("all seeds pass"))
            .sum()
    });
    let took = start.elapsed();
    println!(
        "{SEEDS} seeds, {messages} messages, {:.1} s",
        took.as_secs_f64()
    );
    assert!(messages > SEEDS * 50);
}

#[test]
fn the_same_seed_is_the_same_run() {
    let mut pool = Pool::default();
    for seed in 0..50 {
        let first = run(seed, &mut pool).unwrap_or_else(|what| panic!("{what}"));
        let again = run(seed, &mut pool).unwrap_or_else(|what| panic!("{what}"));
        assert_eq!(first, again, "seed {seed}");
        let other = run(seed + 1, &mut pool).unwrap_or_else(|what| panic!("{what}"));
        assert_ne!(
            first.fingerprint, other.fingerprint,
            "seed {seed} and the next"
        );
    }
}
