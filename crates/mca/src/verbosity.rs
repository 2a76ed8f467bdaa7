//! Words for verbosities.

/// The words for verbosities, with the numbers that they stand for.
pub const WORDS: &[(&str, i64)] = &[
    ("none", -1),
    ("error", 0),
    ("component", 10),
    ("warn", 20),
    ("info", 40),
    ("trace", 60),
    ("debug", 80),
    ("max", 100),
];
