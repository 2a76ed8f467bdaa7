//! The suites, as in `--suite`: which cases each has.

use super::cases::{Case, CASES};
use super::shared;

/// The names of suites.
pub const NAMES: &[&str] = &[
    "all", "pt2pt", "coll", "op", "pack", "rma", "io", "start", "few", "many", "over", "sm", "tcp",
    "ofi", "shared",
];

/// Suites that are made of others: all that there is, and what one machine does.
const TOGETHER: &[(&str, &[&str])] = &[
    (
        "all",
        &["pt2pt", "tcp", "coll", "op", "pack", "rma", "few", "over"],
    ),
    ("sm", &["pt2pt", "coll", "op", "pack", "rma", "few", "over"]),
    ("start", &["few", "many"]),
];

/// The cases of a suite; none where there is no such suite.
pub fn of(suite: &str) -> Vec<&'static Case> {
    let together = TOGETHER.iter().find(|(name, _)| *name == suite);
    let is_in = |case: &&Case| match together {
        Some((_, suites)) => suites.contains(&case.suite),
        None => case.suite == suite,
    };
    match suite {
        "shared" => shared::cases(),
        _ => CASES.iter().filter(is_in).collect(),
    }
}
