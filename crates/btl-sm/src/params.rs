//! The parameters of the shared-memory transport.
//!
//! A setting that tunes itself, or that no machine was found to want otherwise, has no parameter:
//! it is a field of [`Settings`] with a constant beside it, for tests to change.

use mca::{Framework, Origin, Param, Registry};

use crate::smsc::{self, Mechanism};

/// Smallest put or get of a window that is one copy by the kernel, of a target that does not wait
/// in a call. Not measured: what a message would take there is the time until the target calls,
/// while the copy takes a few times a message's at worst (1.6 us for one byte, 5 for 64 KiB).
const WINDOW_MIN: usize = 32 << 10;

/// Bytes of a ring from its first long piece on: twelve of the largest pieces.
const RING_GROWN_BYTES: usize = 393_216;

/// Bytes of a ring that has carried twice as many in messages of 1 KiB or more: more than the
/// second-level cache of either side.
const RING_LARGE_BYTES: usize = 1 << 21;

/// Rings of a process that may become large. More of them leave the second-level caches by their
/// number.
const RING_LARGE_MAX: u32 = 8;

/// Smallest message or part of one that lies in a block. Where both sides send at once, 4 KiB are a
/// quarter faster through rings.
const BLOCK_MIN: usize = 8192;

/// Smallest message that lies in a block while the two sides alternate. The address of a block is a
/// line more to fetch; what is shorter does not make up for it.
const BLOCK_TURN_MIN: usize = 4096;

/// Largest put or get of a window that goes by messages while its target waits in a call and
/// handles them: through all of it the target has to help.
const WINDOW_ATTENDED_MAX: usize = 4 << 20;

/// Priorities of xpmem, CMA and knem: the component with the highest is used first.
const PRIORITIES: [i32; Mechanism::COUNT] = [42, 37, 23];

/// Alignment of attached memory of peers, as a power of two. Larger attachments serve more later
/// messages but take more address space.
const XPMEM_LOG_ALIGN: u32 = 23;

/// Bytes of attached memory copied between two checks that the peer is alive.
const XPMEM_CHUNK_BYTES: usize = 262_144;

/// Attachments of one peer's memory that are cached.
const XPMEM_ATTACHMENTS_MAX: usize = 128;

/// Largest value of `btl_sm_max_send_size`: no peer sends a longer message.
pub(crate) const MAX_SEND_BYTES: usize = 1 << 20;

/// Every parameter, with its default and its range.
pub const PARAMS: &[Param] = &[
    Param::size(
        "btl_sm_eager_limit",
        262_144 + 40,
        64..=(1 << 20),
        4,
        "largest message, in bytes with its header, that is sent without asking the receiver; \
         larger values save round trips but may copy more bytes twice",
    ),
    Param::size(
        "btl_sm_eager_part",
        16_384,
        0..=(1 << 20),
        5,
        "bytes of each part of a pipelined eager message, which both sides copy at the same \
         time; larger parts cost less each but overlap less; 0 sends every eager message whole",
    ),
    Param::size(
        "btl_sm_max_send_size",
        // What follows a header of 24 bytes is a whole number of lines.
        32_768 + 64 + 24,
        1024..=MAX_SEND_BYTES,
        4,
        "largest fragment, in bytes with its header, of a message that is sent in fragments; \
         larger fragments cost less each but overlap less",
    ),
    Param::size(
        "btl_sm_ring_size",
        // Two of the largest pieces.
        73_728,
        4096..=(1 << 26),
        5,
        "bytes of the ring through which one peer sends to this process; a larger ring takes \
         more messages before the peer must wait",
    ),
    Param::size(
        "btl_sm_blocks_size",
        262_144,
        0..=(1 << 26),
        5,
        "bytes of the blocks that each of two processes contributes for longer messages between \
         them, shared by both directions; more take more messages before the rings do, but more \
         cache; 0 sends everything through the rings",
    ),
    Param::int(
        "btl_sm_ring_threshold",
        16,
        0..=1_000_000,
        5,
        "messages that a peer sends through the shared queue before it claims a ring; a larger \
         value saves rings for peers that talk much",
    ),
    Param::int(
        "btl_sm_ring_max",
        256,
        0..=4096,
        5,
        "most rings in the segment of one process; more serve more peers that talk much, and take \
         more memory; further peers share the queue",
    ),
    Param::int(
        "btl_sm_queue_cells",
        128,
        2..=65_536,
        5,
        "cells of a process's shared queue, rounded up to a power of two; more cells take more \
         messages before senders must wait",
    ),
    Param::list(
        "smsc",
        "",
        2,
        "single-copy components that may be used (a,b) or not (^a,b); more of them leave more to \
         choose from; known: xpmem, cma, knem, none",
    ),
    Param::choice(
        "btl_sm_single_copy_mechanism",
        "auto",
        &["auto", "xpmem", "cma", "knem", "emulated", "none"],
        4,
        "what carries messages of 32 KiB and more between two processes: a single-copy component, \
         none (copies through shared memory), or auto, whichever is measured to be the fastest",
    ),
    Param::int(
        "btl_sm_exclusivity",
        65_535,
        0..=65_536,
        7,
        "a transport with a higher exclusivity is used instead of this one; a larger value puts \
         this one before more others",
    ),
];

/// The rule that decides what carries long messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// The measured times.
    Measured,
    /// A setting: none is announced.
    Ring,
    /// A setting: all are announced that have a size class, and read by this component.
    Read(Mechanism),
}

/// The parameters' values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Largest eager message, header included, in bytes.
    pub eager_limit: usize,
    /// Bytes of a part of an eager message, 0 to send it whole.
    pub eager_part: usize,
    /// Bytes of a rendezvous message's eager prefix, header included.
    pub rndv_eager_limit: usize,
    /// Largest piece of a message, header included, in bytes.
    pub max_send_size: usize,
    /// Bytes of a ring.
    pub ring_bytes: usize,
    /// Bytes of a ring that has grown: no less.
    pub ring_grown_bytes: usize,
    /// Bytes of a ring that has carried much; a ring that is not to become large has fewer.
    pub ring_large_bytes: usize,
    /// Rings of a segment that may become large.
    pub ring_large_max: u32,
    /// Bytes of the blocks beside a ring.
    pub blocks_bytes: usize,
    /// Bytes of a message from which on it lies in a block.
    pub block_min: usize,
    /// Bytes of a message from which on it lies in a block where both sides send in turn.
    pub block_turn_min: usize,
    /// Messages through the queue before a peer claims a ring.
    pub ring_threshold: u32,
    /// Most rings in a segment.
    pub ring_max: u32,
    /// Cells of the queue.
    pub queue_cells: u32,
    /// Bytes from which on windows' puts and gets are copies by the kernel.
    pub window_min: usize,
    /// Bytes up to which windows' puts and gets go by messages to a target that waits for some.
    pub window_attended_max: usize,
    /// Precedence among transports that reach the same peer.
    pub exclusivity: u32,
    /// The rule that decides what carries long messages.
    pub(crate) rule: Rule,
    /// Single-copy components.
    pub(crate) smsc: smsc::Settings,
}

impl Settings {
    /// Reads the settings from the registry.
    ///
    /// # Errors
    /// When the list of single-copy components names one that there is not.
    pub fn of(registry: &Registry) -> Result<Settings, mca::Error> {
        let ring_bytes = registry.size("btl_sm_ring_size");
        Ok(Settings {
            eager_limit: registry.size("btl_sm_eager_limit"),
            eager_part: registry.size("btl_sm_eager_part"),
            // The reply to an RTS comes sooner than a copy of that is made.
            rndv_eager_limit: 0,
            max_send_size: registry.size("btl_sm_max_send_size"),
            ring_bytes,
            ring_grown_bytes: RING_GROWN_BYTES.max(ring_bytes),
            ring_large_bytes: RING_LARGE_BYTES.max(ring_bytes),
            ring_large_max: RING_LARGE_MAX,
            blocks_bytes: registry.size("btl_sm_blocks_size"),
            block_min: BLOCK_MIN,
            block_turn_min: BLOCK_TURN_MIN,
            ring_threshold: registry.int("btl_sm_ring_threshold") as u32,
            ring_max: registry.int("btl_sm_ring_max") as u32,
            queue_cells: registry.int("btl_sm_queue_cells") as u32,
            window_min: WINDOW_MIN,
            window_attended_max: WINDOW_ATTENDED_MAX,
            exclusivity: registry.int("btl_sm_exclusivity") as u32,
            rule: rule(registry),
            smsc: single_copy(registry)?,
        })
    }
}

/// Returns whether a parameter names the single-copy component that carries long messages.
pub fn names_single_copy(registry: &Registry) -> bool {
    matches!(rule(registry), Rule::Read(_))
}

/// Returns what decides about long messages: a component that is named, or the measured times.
fn rule(registry: &Registry) -> Rule {
    match registry.choice("btl_sm_single_copy_mechanism") {
        // What Open MPI emulates by two copies.
        "emulated" | "none" => Rule::Ring,
        named => Mechanism::named(named).map_or(Rule::Measured, Rule::Read),
    }
}

fn single_copy(registry: &Registry) -> Result<smsc::Settings, mca::Error> {
    let mut settings = smsc::Settings {
        wanted: registry.components(Framework::Smsc, smsc::COMPONENTS)?,
        off: None,
        priorities: PRIORITIES,
        xpmem_log_align: XPMEM_LOG_ALIGN,
        xpmem_chunk_bytes: XPMEM_CHUNK_BYTES,
        xpmem_attachments_max: XPMEM_ATTACHMENTS_MAX,
        knem_dma_min: 0,
    };
    if *registry.origin("smsc") != Origin::Default {
        return Ok(settings);
    }
    const NAME: &str = "btl_sm_single_copy_mechanism";
    match registry.choice(NAME) {
        // What Open MPI emulates by two copies.
        named @ ("emulated" | "none") => {
            settings.off = Some(format!("{NAME} is {named}, {}", registry.origin(NAME)));
        }
        named => {
            if let Some(at) = Mechanism::named(named).map(Mechanism::position) {
                settings.priorities[at] = i32::MAX;
            }
        }
    }
    Ok(settings)
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::of(&Registry::new(&[PARAMS])).expect("the defaults are valid")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smsc(settings: &[(&str, &str)]) -> smsc::Settings {
        let settings = settings
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        let nothing = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
        let sources = mca::Sources::new("/p", nothing).with_command_line(settings);
        let registry = Registry::load(&[PARAMS], &sources).expect("parameters");
        Settings::of(&registry).expect("settings").smsc
    }

    #[test]
    fn open_mpi_s_older_parameter_prefers_or_switches_off() {
        let old = "btl_vader_single_copy_mechanism";
        let why = |value: &str| smsc(&[(old, value)]).off;
        let expected = |value| format!("btl_sm_single_copy_mechanism is {value}, command line");
        assert_eq!(why("none"), Some(expected("none")));
        assert_eq!(why("emulated"), Some(expected("emulated")));
        let knem = smsc(&[(old, "knem")]);
        assert!(knem.priorities[2] > knem.priorities[0] && knem.wanted.admits("cma"));
        assert_eq!(
            smsc(&[(old, "none"), ("smsc", "cma")]),
            smsc(&[("smsc", "cma")])
        );
        assert_eq!(smsc(&[(old, "auto")]), Settings::default().smsc);
        assert_eq!(smsc(&[]).priorities, [42, 37, 23]);
    }

    /// No other constants are parameters: the rest tunes itself.
    #[test]
    fn there_are_no_more_than_twelve_parameters() {
        assert!(PARAMS.len() <= 12, "{}", PARAMS.len());
    }
}
