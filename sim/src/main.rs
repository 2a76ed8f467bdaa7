//! Plays seeds: `oxmpi-sim FIRST [LAST]`, each as a job with messages, as one with windows and as
//! one whose ranks are started again. Prints the result of a single seed, or the first of several
//! that fails.

use std::process::ExitCode;

use sim::{restarts, run, windows, Pool, Scenario};

fn main() -> ExitCode {
    let numbers: Option<Vec<u64>> = std::env::args().skip(1).map(|a| a.parse().ok()).collect();
    let (first, last) = match numbers.as_deref() {
        Some([first]) => (*first, *first),
        Some([first, last]) => (*first, *last),
        _ => {
            eprintln!("usage: oxmpi-sim FIRST [LAST]: two seeds, whole numbers");
            return ExitCode::from(2);
        }
    };
    let mut pool = Pool::default();
    for seed in first..=last {
        if first == last {
            let scenario = Scenario::of(seed);
            println!("{:?}, {:?}", scenario.fault, scenario.net);
            println!(
                "unmatched bytes of a peer: at most {}",
                scenario.unexpected_limit
            );
        }
        let played = run(seed, &mut pool)
            .and_then(|summary| Ok((summary, windows::run(seed)?, restarts::run(seed)?)));
        match played {
            Ok((summary, rounds, restarts)) if first == last => {
                println!("{summary:?}");
                println!("windows: {rounds} rounds");
                println!("restarts: {restarts:?}");
            }
            Ok(_) => {}
            Err(what) => {
                eprintln!("{what}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
