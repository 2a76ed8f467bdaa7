//! Forced settings: what oxmpi could have chosen instead, each mechanism and each plausible length
//! at which it takes over.
//!
//! With `--regret` a case also runs under each setting of its suite, in turn with the rest. The
//! *regret* of a row is its value by default over that of the best setting. It says on any machine
//! whether the choice was right, without a peer: 1.00 is a choice that nothing beats.

use crate::peers::{Peer, Start};

/// A setting of oxmpi by options of `mpirun`.
struct Forced {
    /// The key of its figures.
    key: &'static str,
    /// The suites whose rows it may change.
    suites: &'static [&'static str],
    options: &'static [&'static str],
}

const fn forced(
    key: &'static str,
    suites: &'static [&'static str],
    options: &'static [&'static str],
) -> Forced {
    Forced {
        key,
        suites,
        options,
    }
}

/// Where messages are copied through shared memory, or by the kernel.
const MESSAGES: &[&str] = &["pt2pt", "coll"];

/// Settings of windows are those of accesses to memory of the program's own.
const FORCED: &[Forced] = &[
    forced("ring", MESSAGES, &["--mca", "smsc", "none"]),
    forced(
        "ring-whole",
        &["pt2pt"],
        &["--mca", "smsc", "none", "--mca", "btl_sm_eager_part", "0"],
    ),
    forced(
        "no-blocks",
        &["pt2pt"],
        &["--mca", "smsc", "none", "--mca", "btl_sm_blocks_size", "0"],
    ),
    forced(
        "kernel",
        MESSAGES,
        &["--mca", "btl_sm_single_copy_mechanism", "cma"],
    ),
    forced("by-messages", &["coll"], &["--mca", "coll", "^sm"]),
    forced(
        "slots",
        &["coll"],
        &["--mca", "coll_sm_single_copy", "never"],
    ),
    forced(
        "copies",
        &["coll"],
        &["--mca", "coll_sm_single_copy", "always"],
    ),
    forced("kernel", &["rma"], &["--mca", "osc_rdma_min", "0"]),
    forced("kernel-64K", &["rma"], &["--mca", "osc_rdma_min", "65536"]),
    forced(
        "by-messages",
        &["rma"],
        &["--mca", "osc_rdma_min", "2147483647"],
    ),
];

/// Returns oxmpi under each setting that may change the rows of a suite whose cases start so.
pub fn of(suite: &str, start: Start, oxmpi: &Peer) -> Vec<Peer> {
    let shares = !start.tcp && start.fabric.is_none() && start.ranks > 1;
    let changes = |forced: &&Forced| shares && forced.suites.contains(&suite);
    let under = |forced: &Forced| Peer {
        key: forced.key,
        options: forced.options,
        ..oxmpi.clone()
    };
    FORCED.iter().filter(changes).map(under).collect()
}

/// Whether figures of a key are those of oxmpi under a setting.
pub fn is_forced(key: &str) -> bool {
    FORCED.iter().any(|forced| forced.key == key)
}

/// Returns the library that a key's programs are made for.
pub fn library(key: &'static str) -> &'static str {
    match is_forced(key) {
        true => "oxmpi",
        false => key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_for_what_shares_memory() {
        let oxmpi = crate::peers::oxmpi_at(std::path::Path::new("/prefix"));
        let keys = |suite: &str, ranks: usize, tcp: bool| -> Vec<&str> {
            let start = Start {
                ranks,
                tcp,
                ..Start::default()
            };
            let forced = of(suite, start, &oxmpi);
            assert!(forced.iter().all(|peer| library(peer.key) == "oxmpi"));
            forced.iter().map(|peer| peer.key).collect()
        };
        assert!(keys("pt2pt", 2, false).contains(&"kernel"));
        assert!(keys("coll", 2, false).contains(&"by-messages"));
        assert!(keys("pt2pt", 2, true).is_empty() && keys("coll", 1, false).is_empty());
        assert!(keys("op", 2, false).is_empty());
        assert_eq!(library("mpich"), "mpich");
    }
}
