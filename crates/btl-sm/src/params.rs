//! The parameters of the shared-memory transport.

use mca::{Param, Registry};

use crate::smsc;

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
        "Single-copy components to use, `a,b`, or not to use, `^a,b`; known: xpmem, cma, knem, \
         none",
    ),
    Param::int(
        "smsc_xpmem_priority",
        42,
        -1..=1000,
        4,
        "Priority of copies by /dev/xpmem; -1 never to use it",
    ),
    Param::int(
        "smsc_cma_priority",
        37,
        -1..=1000,
        4,
        "Priority of copies by process_vm_readv(2); -1 never to use it",
    ),
    Param::int(
        "smsc_knem_priority",
        23,
        -1..=1000,
        4,
        "Priority of copies by /dev/knem; -1 never to use it",
    ),
    Param::int(
        "smsc_xpmem_log_align",
        23,
        12..=25,
        5,
        "Memory of peers is attached at multiples of 2 to this power, in bytes",
    ),
    Param::size(
        "smsc_xpmem_memcpy_chunk_size",
        262_144,
        4096..=1 << 30,
        5,
        "Bytes of attached memory that are copied between two looks whether the peer is alive",
    ),
    Param::size(
        "smsc_xpmem_attachments_max",
        128,
        1..=1 << 20,
        5,
        "Attachments of one peer's memory that are kept",
    ),
    Param::size(
        "smsc_knem_dma_min",
        0,
        0..=usize::MAX,
        5,
        "Bytes from which on knem gives copies to a DMA engine; 0 never to do so",
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
    /// Single-copy components.
    pub(crate) smsc: smsc::Settings,
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
            smsc: smsc::Settings {
                wanted: registry.components("smsc", smsc::COMPONENTS)?,
                priorities: ["xpmem", "cma", "knem"]
                    .map(|name| registry.int(&format!("smsc_{name}_priority")) as i32),
                xpmem_log_align: registry.int("smsc_xpmem_log_align") as u32,
                xpmem_chunk_bytes: registry.size("smsc_xpmem_memcpy_chunk_size"),
                xpmem_attachments_max: registry.size("smsc_xpmem_attachments_max"),
                knem_dma_min: registry.size("smsc_knem_dma_min"),
            },
        })
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::of(&Registry::new(&[PARAMS])).expect("the defaults are valid")
    }
}
