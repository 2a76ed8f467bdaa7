//! Whether going by node pays, on networks of several kinds: the constants of `han` were chosen by
//! that.

use std::fmt::Write;

use crate::cases::{Case, ALL};
use crate::clock::{Link, Machine, Model};

/// Messages inside a node, by shared memory.
pub const INSIDE: Link = Link {
    overhead: 150_000,
    latency: 100_000,
    beta: 125,
};

/// Networks: InfiniBand or Slingshot at 100 Gbit/s, Ethernet with TCP at 10 and at 1 Gbit/s.
pub const NETWORKS: [(&str, Link); 3] = [
    (
        "100 Gbit/s",
        Link {
            overhead: 300_000,
            latency: 1_000_000,
            beta: 80,
        },
    ),
    (
        "10 Gbit/s",
        Link {
            overhead: 3_000_000,
            latency: 10_000_000,
            beta: 800,
        },
    ),
    (
        "1 Gbit/s",
        Link {
            overhead: 5_000_000,
            latency: 50_000_000,
            beta: 8000,
        },
    ),
];

/// Nodes, and ranks on each.
const SHAPES: [(u32, u32); 8] = [
    (2, 2),
    (3, 2),
    (2, 8),
    (3, 4),
    (4, 8),
    (5, 3),
    (8, 4),
    (16, 4),
];
/// Bytes of a vector or of a block.
const BYTES: [usize; 7] = [8, 1 << 9, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20];
/// Bytes of all blocks that are still tried.
const BYTES_MAX: usize = 1 << 21;
/// Factor over the best of all algorithms that the chosen one may take, and microseconds
/// besides: on the fastest network the leaders' messages inside a node count, and few of them are
/// worth most messages between nodes.
const TOLERANCE: f64 = 1.5;
const SLACK: f64 = 3.0;
/// The mean of that factor over all cases of a network.
const MEAN_MAX: f64 = 1.08;

/// The cost of a choice.
struct Regret {
    /// Its time over that of the best algorithm.
    factor: f64,
    /// A line where that is too much.
    fault: Option<String>,
}

/// Compares the chosen algorithm with all others.
fn regret(model: &Model, case: &Case, ranks: u32, bytes: usize) -> Regret {
    let cost = |algorithm| (case.cost)(model, algorithm, ranks, bytes);
    let by_node = case.algorithms.len();
    let costs: Vec<f64> = (0..=by_node).map(cost).collect();
    let chosen = (case.chosen)(&model.rules(0), ranks, bytes);
    let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let at = costs.iter().position(|cost| *cost == best).unwrap_or(0);
    let name = |at: usize| case.algorithms.get(at).unwrap_or(&"han");
    let fault = || {
        let (of, chosen, taken) = (case.name, name(chosen), costs[chosen]);
        let other = name(at);
        format!("{of} of {bytes} bytes: {chosen} takes {taken:.1} us, {other} {best:.1}")
    };
    Regret {
        factor: costs[chosen] / best,
        fault: (costs[chosen] > TOLERANCE * best + SLACK).then(fault),
    }
}

/// Compares the choices on a shape of nodes.
fn regrets(between: Link, (nodes, each): (u32, u32)) -> Vec<Regret> {
    let ranks = nodes * each;
    let model = Model::new(BYTES_MAX).on(Machine {
        node_of: (0..ranks).map(|rank| rank / each).collect(),
        inside: INSIDE,
        between,
    });
    let mut all = Vec::new();
    for case in &ALL {
        let blocks = if case.is_of_blocks { ranks as usize } else { 1 };
        let sizes = BYTES.map(|bytes| bytes * blocks);
        let sizes = sizes.into_iter().filter(|bytes| *bytes <= BYTES_MAX);
        all.extend(sizes.map(|bytes| regret(&model, case, ranks, bytes)));
    }
    all
}

#[test]
fn what_goes_by_node_is_nearly_as_fast_as_the_best() {
    let mut faults = String::new();
    for (network, between) in NETWORKS {
        let (mut sum, mut count) = (0.0, 0);
        for shape in SHAPES {
            for regret in regrets(between, shape) {
                sum += regret.factor;
                count += 1;
                if let Some(fault) = regret.fault {
                    let _ = writeln!(faults, "{shape:?}, {network}: {fault}");
                }
            }
        }
        let mean = sum / f64::from(count);

        assert!(mean <= MEAN_MAX, "{network}: {mean:.3} times the best time");
    }
    assert!(faults.is_empty(), "{faults}");
}
