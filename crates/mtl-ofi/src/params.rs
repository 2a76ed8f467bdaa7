//! The parameters, by Open MPI's names where it has them.

use mca::{Param, Registry};
use ofi::Progress;

/// What users can set.
pub const PARAMS: &[Param] = &[
    Param::int(
        "mtl_ofi_priority",
        25,
        0..=1000,
        3,
        "precedence of matching by libfabric, and so of cm, among the point-to-point layers",
    ),
    Param::choice(
        "mtl_ofi_tag_mode",
        "auto",
        &["auto", "ofi_tag_full", "ofi_tag_1", "ofi_tag_2"],
        6,
        "how the network's tags are divided: ofi_tag_full and ofi_tag_1 carry every MPI tag, \
         ofi_tag_2 carries tags of 20 bits and leaves more to communicators; auto means \
         ofi_tag_full where the provider has 57 bits or more",
    ),
    Param::int(
        "mtl_ofi_progress_event_cnt",
        100,
        1..=65536,
        6,
        "most completions that one look at the network takes in",
    ),
    Param::choice(
        "mtl_ofi_data_progress",
        "unspec",
        &["unspec", "auto", "manual"],
        9,
        "who moves data on: the provider (auto), this library (manual), or as suits the provider",
    ),
    Param::choice(
        "mtl_ofi_claim",
        "auto",
        &["auto", "0", "1"],
        9,
        "whether matched probes use FI_CLAIM: auto means on the providers where it works",
    ),
];

/// The values of the parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Precedence among networks that match.
    pub priority: i64,
    /// Most completions of one look.
    pub events: usize,
    /// Who moves data on; `None` leaves it to the provider.
    pub data_progress: Option<Progress>,
    /// Whether `FI_CLAIM` is used; `None` where it is known to work.
    pub claim: Option<bool>,
}

impl Settings {
    /// The values of a registry that was made with [`PARAMS`].
    pub fn of(registry: &Registry) -> Settings {
        Settings {
            priority: registry.int("mtl_ofi_priority"),
            events: registry.int("mtl_ofi_progress_event_cnt") as usize,
            data_progress: match registry.choice("mtl_ofi_data_progress") {
                "auto" => Some(Progress::Auto),
                "manual" => Some(Progress::Manual),
                _ => None,
            },
            claim: match registry.choice("mtl_ofi_claim") {
                "0" => Some(false),
                "1" => Some(true),
                _ => None,
            },
        }
    }
}

/// Whether receives that name their sender keep their order with those that do not: libfabric's
/// own matching, which most software providers of 2.x use, prefers the former.
pub(crate) fn keeps_order(provider: &str, version: &str) -> bool {
    is_hardware(provider) || version.starts_with("1.")
}

/// Why a provider's matching cannot be relied on.
pub(crate) fn mismatches(provider: &str, version: &str) -> Result<(), String> {
    let why = match provider {
        "shm" if version.starts_with("1.") => {
            "in libfabric 1.x it does not find messages that came early by a mask"
        }
        "tcp" | "net" => {
            "it reads no further where 64 messages wait for a receive; use tcp;ofi_rxm"
        }
        _ if provider.ends_with("ofi_rxd") => {
            "a short message overtakes the long one that was sent before it"
        }
        _ => return Ok(()),
    };
    Err(why.into())
}

/// Whether `FI_CLAIM` works on a provider: `ofi_rxm` of 1.x cuts messages of some tens of KiB into
/// parts; one that is claimed when only its first part is there never becomes whole, or crashes.
pub(crate) fn claims(provider: &str, version: &str) -> bool {
    !(provider.ends_with("ofi_rxm") && version.starts_with("1."))
}

/// Whether a provider's network matches in hardware, or in a library made for matching.
pub(crate) fn is_hardware(provider: &str) -> bool {
    ["psm", "psm2", "psm3", "opx", "gni", "cxi", "bgq"].contains(&provider)
}
