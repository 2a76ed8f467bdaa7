//! A violation that a rule has found.

use std::path::PathBuf;

/// A fault: the file, the line (from 1; 0 for the whole file) and what is wrong there.
pub struct Finding {
    pub path: PathBuf,
    pub line: usize,
    pub what: String,
}

/// A fault of a whole file or crate.
pub fn whole(path: PathBuf, what: &str) -> Finding {
    Finding {
        path,
        line: 0,
        what: what.to_string(),
    }
}
