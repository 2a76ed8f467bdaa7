//! Fuzzing of the parsers of users' files and variables: called by the fuzz target, and by the test
//! that replays its corpus.

use crate::allocation::slurm;
use crate::topology::Topology;
use crate::{hosts, rankfile};

pub use base::fuzz::Target;

/// The target, by the name of its corpus.
pub const TARGETS: &[Target] = &[("launch_files", files)];

/// Parses texts of users and Slurm; the first byte chooses the kind of text.
pub fn files(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(bytes);
    match kind % 4 {
        0 => drop(hosts::parse_file("file", &text)),
        1 => drop(hosts::parse_list("--host", &text)),
        2 => {
            let topology = Topology::regular(2, 4, 2);
            for line in rankfile::parse("file", &text).unwrap_or_default() {
                let _ = line.cpus(&topology, crate::topology::Unit::Core);
            }
        }
        _ => {
            let (nodes, tasks) = text.split_once(';').unwrap_or((&text, ""));
            let variable = |name: &str| match name {
                slurm::NODES_VARIABLE => Some(nodes.to_string()),
                _ => Some(tasks.to_string()),
            };
            drop(slurm::allocation(&variable));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_corpora_pass() {
        base::fuzz::replay(super::TARGETS);
    }
}
