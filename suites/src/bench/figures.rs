//! Values of measurements, by what they are of.

use std::collections::BTreeMap;

use super::places::Sample;

/// The values of one measurement on one peer; none where the peer could not do it.
pub type Figures = BTreeMap<(Point, &'static str), Vec<Sample>>;

/// Key of a value: the case's key, the program's name for it, and the size in bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    pub case: &'static str,
    pub name: String,
    pub bytes: u64,
}

/// The key of the case that measures parts of collectives.
pub const COLL_PARTS: &str = "coll-parts";
