//! Fuzzing of the parsers of users' files and variables: called by the fuzz target, and by the test
//! that replays its corpus.

use crate::allocation::batch::{self, Given};
use crate::topology::Topology;
use crate::{hosts, rankfile};

pub use base::fuzz::Target;

/// The target, by the name of its corpus.
pub const TARGETS: &[Target] = &[("launch_files", files)];

/// Parses texts of users and batch systems; the first byte chooses the kind of text.
pub fn files(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(bytes);
    match (kind, kind % 4) {
        (b'B', _) => batch_files(&text),
        (_, 0) => drop(hosts::parse_file("file", &text)),
        (_, 1) => drop(hosts::parse_list("--host", &text)),
        (_, 2) => {
            let topology = Topology::regular(2, 4, 2);
            for line in rankfile::parse("file", &text).unwrap_or_default() {
                let _ = line.cpus(&topology, crate::topology::Unit::Core);
            }
        }
        _ => {
            let (nodes, tasks) = text.split_once(';').unwrap_or((&text, ""));
            granted(&|name: &str| match name {
                "SLURM_JOB_NODELIST" => Some(nodes.to_string()),
                _ => Some(tasks.to_string()),
            });
        }
    }
}

/// Reads a text as the file, the list of hosts or the resource set of each other system.
fn batch_files(text: &str) {
    for system in [
        &["FLUX_URI"][..],
        &["PBS_JOBID", "PBS_NODEFILE"],
        &["LSB_JOBID", "LSB_MCPU_HOSTS"],
    ] {
        granted(&|name: &str| system.contains(&name).then(|| text.to_string()));
    }
}

/// Reads an allocation of these variables, of which one may name a file with what it says itself.
fn granted(variable: &dyn Fn(&str) -> Option<String>) {
    let file = |name: &str| Ok(name.to_string());
    drop(batch::allocation(&Given {
        variable,
        file: &file,
        flux: &|| variable("FLUX_URI").ok_or_else(String::new),
        only: None,
    }));
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_corpora_pass() {
        base::fuzz::replay(super::TARGETS);
    }
}
