//! Plays seeds: `oxmpi-sim FIRST [LAST]`. Prints what each came to, or the first that fails.

use std::process::ExitCode;

use sim::{run, Pool, Scenario};

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
        match run(seed, &mut pool) {
            Ok(summary) if first == last => println!("{summary:?}"),
            Ok(_) => {}
            Err(what) => {
                eprintln!("{what}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
