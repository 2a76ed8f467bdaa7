//! The parameters of matching over libfabric, with Open MPI's names where it has them.

use mca::{Param, Registry};
use ofi::Progress;

/// The parameters that users can set.
pub const PARAMS: &[Param] = &[
    Param::int(
        "mtl_ofi_priority",
        25,
        0..=1000,
        3,
        "Precedence of matching by libfabric, and so of the layer cm, among the point-to-point \
         layers: the largest is chosen",
    ),
    Param::choice(
        "mtl_ofi_tag_mode",
        "auto",
        &["auto", "ofi_tag_full", "ofi_tag_1", "ofi_tag_2"],
        6,
        "How the network's tags are divided: ofi_tag_full and ofi_tag_1 carry every MPI tag, \
         ofi_tag_2 carries tags of 20 bits and leaves more bits to communicators; auto means \
         ofi_tag_full where the provider has 57 bits or more",
    ),
    Param::int(
        "mtl_ofi_progress_event_cnt",
        100,
        1..=65536,
        6,
        "Largest number of completions that one poll of the network handles: a larger one saves \
         calls, and delays other transports and threads",
    ),
    Param::choice(
        "mtl_ofi_data_progress",
        "unspec",
        &["unspec", "auto", "manual"],
        9,
        "Which party makes progress on data: the provider (auto), this library (manual), or what \
         the provider prefers (unspec)",
    ),
    Param::choice(
        "mtl_ofi_claim",
        "auto",
        &["auto", "0", "1"],
        9,
        "Whether matched probes use FI_CLAIM (1) or receive the message at once (0); auto means 1 \
         with the providers where it works",
    ),
];

/// The values of the parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Precedence among networks that match.
    pub priority: i64,
    /// Most completions of one poll.
    pub events: usize,
    /// The party that makes progress on data; `None` leaves it to the provider.
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
