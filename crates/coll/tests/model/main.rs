//! Cost of collectives by a model of messages (`clock`), whether the rules choose well by it, and
//! its drawing, `docs/collectives.svg`.

mod cases;
mod clock;
mod draw;
mod neighbors;
mod nodes;
mod scale;

use cases::ALL;
use clock::Model;
use coll::Rules;
use draw::Times;

const RANKS: [u32; 11] = [2, 3, 4, 5, 6, 8, 16, 24, 32, 64, 128];
const BYTES: [usize; 7] = [1 << 9, 1 << 11, 1 << 13, 1 << 15, 1 << 17, 1 << 19, 1 << 21];
/// Factor over the best algorithm that the chosen one may take by the model.
const TOLERANCE: f64 = 1.5;

#[test]
fn the_rules_choose_what_is_nearly_best_by_the_model() {
    let model = Model::new(1 << 21);
    let mut worse = Vec::new();
    for case in &ALL {
        for ranks in RANKS {
            for bytes in BYTES {
                let cost = |algorithm| (case.cost)(&model, algorithm, ranks, bytes);
                let costs: Vec<f64> = (0..case.algorithms.len()).map(cost).collect();
                let chosen = (case.chosen)(&Rules::default(), ranks, bytes);
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

/// The results behind the drawing are stored beside it: those on many ranks take long. Here those
/// on few are simulated anew, which depend on all of the algorithms and of the model.
///
/// `OXMPI_DRAW=1` simulates and draws again, and writes after every result; `OXMPI_DRAW=on` goes on
/// from what is there. In the end that is 4096 ranks, 4 GiB of memory, and some minutes.
#[test]
fn the_drawing_is_of_these_algorithms() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/");
    let (table, drawing) = (
        format!("{folder}collectives.tsv"),
        format!("{folder}collectives.svg"),
    );
    let model = Model::new(1 << 20);
    let kept = || Times::parse(&std::fs::read_to_string(&table).unwrap());
    if let Some(how) = std::env::var_os("OXMPI_DRAW") {
        let mut times = if how == "on" {
            kept()
        } else {
            Times::default()
        };
        let write = |times: &Times| {
            std::fs::write(&table, times.text()).unwrap();
            std::fs::write(&drawing, draw::svg(times)).unwrap();
        };
        for (all, power) in [false, true]
            .into_iter()
            .flat_map(|all| (1..=draw::LAST).map(move |power| (all, power)))
        {
            times.simulate(&model, power, all, &write);
        }
    }
    let (kept, quick) = (kept(), Times::quick(&model));
    let differences = quick.differences(&kept).join("\n");
    assert!(
        differences.is_empty(),
        "{table} is stale: run this test with OXMPI_DRAW=1\n{differences}"
    );
    let drawn = std::fs::read_to_string(&drawing).unwrap_or_default();
    assert!(
        drawn == draw::svg(&kept),
        "{drawing} is stale: run this test with OXMPI_DRAW=on"
    );
}
