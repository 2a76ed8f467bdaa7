//! What collectives cost by a model of messages (`clock`), whether the rules choose well by it, and
//! the drawing of it, `docs/collectives.svg`.

mod cases;
mod clock;
mod draw;

use cases::ALL;
use clock::Memory;

const RANKS: [u32; 11] = [2, 3, 4, 5, 6, 8, 16, 24, 32, 64, 128];
const BYTES: [usize; 7] = [1 << 9, 1 << 11, 1 << 13, 1 << 15, 1 << 17, 1 << 19, 1 << 21];
/// How much longer than the best the chosen algorithm may take by the model.
const TOLERANCE: f64 = 1.5;

#[test]
fn the_rules_choose_what_is_nearly_best_by_the_model() {
    let memory = Memory::new(1 << 21);
    let mut worse = Vec::new();
    for case in &ALL {
        for ranks in RANKS {
            for bytes in BYTES {
                let cost = |algorithm| (case.cost)(&memory, algorithm, ranks, bytes);
                let costs: Vec<f64> = (0..case.algorithms.len()).map(cost).collect();
                let chosen = (case.chosen)(ranks, bytes);
                let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
                if costs[chosen] > TOLERANCE * best {
                    let better = costs.iter().position(|cost| *cost == best).unwrap_or(0);
                    worse.push(format!(
                        "{} of {bytes} bytes on {ranks}: {} takes {:.1} us, {} {best:.1}",
                        case.name, case.algorithms[chosen], costs[chosen], case.algorithms[better]
                    ));
                }
            }
        }
    }
    assert!(
        worse.is_empty(),
        "{} cases:\n{}",
        worse.len(),
        worse.join("\n")
    );
}

#[test]
fn the_drawing_is_of_these_algorithms() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/collectives.svg");
    let drawn = draw::svg();
    if std::env::var_os("OXMPI_DRAW").is_some() {
        std::fs::write(path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == drawn,
        "docs/collectives.svg is stale: run this test with OXMPI_DRAW=1"
    );
}
