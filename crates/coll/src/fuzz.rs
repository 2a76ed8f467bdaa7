//! Fuzzing of the parser of users' files of rules: called by the fuzz target, and by the test that
//! replays its corpus.

use std::sync::Arc;

use crate::table::Table;
use crate::Rules;

pub use base::fuzz::Target;

/// The fuzz targets, by the names of their corpora.
pub const TARGETS: &[Target] = &[("coll_rules", rules)];

/// Parses `bytes` as a file of rules, and checks that a valid one chooses an algorithm for
/// communicators and messages of any size.
pub fn rules(bytes: &[u8]) {
    let content = String::from_utf8_lossy(bytes);
    let table = match Table::parse("rules", &content) {
        Ok(table) => table,
        Err(error) => {
            assert!(error.line >= 1 && error.line <= content.lines().count().max(1));
            return;
        }
    };
    let again = Table::parse("again", &content).expect("it was understood before");
    assert_eq!(table.fingerprint(), again.fingerprint());
    let rules = Rules {
        table: Some(Arc::new(table)),
        ..Rules::default()
    };
    for ranks in [1, 2, 63, 64, u32::MAX] {
        for bytes in [0, 1, 8191, 8192, usize::MAX] {
            rules.bcast(ranks, bytes);
            rules.alltoall(ranks, bytes);
            rules.allgatherv(ranks, bytes);
            assert!(rules.bcast_segment(ranks, bytes) > 0);
            assert!(rules.reduce_segment(ranks, bytes) > 0);
            assert!(rules.alltoall_window(ranks, bytes) > 0);
        }
        assert!(rules.alltoallv_window(ranks) > 0);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_corpora_pass() {
        base::fuzz::replay(super::TARGETS);
    }
}
