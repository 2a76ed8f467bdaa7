//! The parameters of the shared-memory transport.

use mca::{Param, Registry};

/// Every parameter, with its default and its range.
pub const PARAMS: &[Param] = &[
    Param::size(
        "btl_sm_eager_limit",
        16_376,
        64..=(1 << 20),
        4,
        "Largest message in bytes, header included, that is sent without asking the receiver",
    ),
    Param::size(
        "btl_sm_ring_size",
        // Small enough to stay in the first-level caches of both sides.
        32_768,
        4096..=(1 << 26),
        5,
        "Bytes of the ring that a peer gets in each process it sends to",
    ),
    Param::int(
        "btl_sm_ring_threshold",
        16,
        0..=1_000_000,
        5,
        "Messages that a peer sends through the shared queue before it gets a ring",
    ),
    Param::int(
        "btl_sm_ring_max",
        256,
        0..=4096,
        5,
        "Most rings in the segment of one process; further peers share the queue",
    ),
    Param::int(
        "btl_sm_queue_cells",
        128,
        2..=65_536,
        5,
        "Cells of the shared queue of a process; rounded up to a power of two",
    ),
    Param::list(
        "smsc",
        "",
        2,
        "Single-copy components to use, `a,b`, or not to use, `^a,b`; known: cma",
    ),
];

/// The parameters' values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Largest eager message, header included, in bytes.
    pub eager_limit: usize,
    /// Bytes of a ring.
    pub ring_bytes: usize,
    /// Messages through the queue before a peer claims a ring.
    pub ring_threshold: u32,
    /// Most rings in a segment.
    pub ring_max: u32,
    /// Cells of the queue.
    pub queue_cells: u32,
    /// Whether peers' memory may be read with `process_vm_readv`.
    pub cma: bool,
}

impl Settings {
    /// What the registry says.
    ///
    /// # Errors
    /// When the list of single-copy components names one that there is not.
    pub fn of(registry: &Registry) -> Result<Settings, mca::Error> {
        Ok(Settings {
            eager_limit: registry.size("btl_sm_eager_limit"),
            ring_bytes: registry.size("btl_sm_ring_size"),
            ring_threshold: registry.int("btl_sm_ring_threshold") as u32,
            ring_max: registry.int("btl_sm_ring_max") as u32,
            queue_cells: registry.int("btl_sm_queue_cells") as u32,
            cma: registry.components("smsc", &["cma"])?.admits("cma"),
        })
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::of(&Registry::new(&[PARAMS])).expect("the defaults are valid")
    }
}
