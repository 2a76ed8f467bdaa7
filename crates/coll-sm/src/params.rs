//! The parameters of collectives through shared memory. They choose algorithms, so they must be
//! equal at all ranks of a job.

use base::Fnv;
use mca::{Framework, Param, Registry};
use sync::LINE_BYTES;

use crate::segment::{Layout, DEPTH};

const PRIORITY: &str = "coll_sm_priority";
const THRESHOLD: &str = "coll_sm_threshold";
const MEMORY: &str = "coll_sm_memory";
const SLOT: &str = "coll_sm_slot_size";
const COPIES: &str = "coll_sm_single_copy";

/// The parameter with the priority of the algorithms that are made of messages.
pub const TUNED_PRIORITY: &str = "coll_tuned_priority";

/// The components of the framework `coll`.
pub const TABLE: [(&str, &str); 3] = [
    ("sm", "collectives through shared memory within a node"),
    ("han", "collectives over several nodes, by node"),
    ("tuned", "collectives over point-to-point messages"),
];
const COMPONENTS: &[&str] = &mca::names(&TABLE);

/// Whether a communicator over several nodes has collectives by node: the list of components admits
/// `han`, and its priority is above that of messages.
///
/// # Errors
/// When the list names a component that there is not.
pub fn goes_by_nodes(registry: &Registry) -> Result<bool, mca::Error> {
    let list = registry.components(Framework::Coll, COMPONENTS)?;
    Ok(list.admits("han") && registry.int(coll::HAN_PRIORITY) > registry.int(TUNED_PRIORITY))
}

/// Every parameter, with its default and its range.
pub const PARAMS: &[Param] = &[
    Param::list(
        "coll",
        "",
        2,
        "Collective components to use, `a,b`, or not to use, `^a,b`; known: sm (through shared \
         memory, inside a node), han (by messages that go between nodes once for a node, where \
         nodes have several ranks), tuned (by messages, which also serves all that others do not)",
    ),
    Param::int(
        PRIORITY,
        40,
        -1..=100,
        5,
        "Precedence of collectives through shared memory; they are used where it is larger than \
         coll_tuned_priority",
    ),
    Param::int(
        TUNED_PRIORITY,
        30,
        -1..=100,
        5,
        "Precedence of collectives by messages, which serve in any case what shared memory \
         cannot",
    ),
    Param::int(
        THRESHOLD,
        8,
        0..=1_000_000,
        5,
        "Blocking collectives of a communicator, short non-blocking ones, and starts of a \
         persistent one that go by messages before each of the three gets shared memory; a larger \
         value saves memory in programs with many short-lived communicators; the first blocking \
         reduction of more than 64 KiB gets it at once",
    ),
    Param::size(
        MEMORY,
        // Of two ranks it is half of that, and so more than their second-level caches together.
        8 << 20,
        64 << 10..=1 << 30,
        5,
        "Most bytes of shared memory of one communicator's blocking collectives; a smaller value \
         makes slots smaller, and a communicator whose slots would have less than 1 KiB does \
         without; non-blocking collectives have slots of up to 32 KiB beside them",
    ),
    Param::size(
        SLOT,
        128 << 10,
        1 << 10..=128 << 10,
        5,
        "Most bytes of data in one of the 16 slots that a rank has in the shared memory of a \
         communicator; a larger value moves long vectors in fewer steps",
    ),
    Param::choice(
        COPIES,
        "auto",
        &["auto", "always", "never"],
        5,
        "Whether ranks read long data from each other's memory (process_vm_readv) instead of \
         through slots: auto (by measured times, from 32 KiB on), always (from 4 KiB on), never",
    ),
];

/// Bytes of a rank's data from which on it is copied directly where that is forced.
const FORCED_MIN: usize = 4 << 10;

/// Data that the ranks read directly from each other's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copies {
    /// Data that is faster so, by measured times.
    Measured,
    /// This many bytes of a rank, and more.
    From(usize),
    /// None.
    Never,
}

/// The parameters' values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Whether the list of components admits `sm`.
    pub admitted: bool,
    /// The priority.
    pub priority: i32,
    /// The priority of the algorithms that are made of messages, which this one must exceed.
    pub tuned_priority: i32,
    /// Calls of a communicator before it gets a segment.
    pub threshold: u32,
    /// Most bytes of a segment.
    pub memory: usize,
    /// Bytes of data in a slot.
    pub slot_bytes: usize,
    /// Data that is read directly from other ranks' memory, where that is possible.
    pub copies: Copies,
}

impl Settings {
    /// Reads the settings from the registry. `direct`: whether copies by the kernel are wanted;
    /// without them nothing is read directly.
    ///
    /// # Errors
    /// When the list of components names one that there is not, or copies are forced that are not
    /// wanted.
    pub fn of(registry: &Registry, direct: bool) -> Result<Settings, mca::Error> {
        let admitted = registry
            .components(Framework::Coll, COMPONENTS)?
            .admits("sm");
        let copies = match registry.choice(COPIES) {
            "auto" if direct => Copies::Measured,
            "always" if direct => Copies::From(FORCED_MIN),
            "always" => return Err(not_there(registry)),
            _ => Copies::Never,
        };
        Ok(Settings {
            admitted,
            priority: registry.int(PRIORITY) as i32,
            tuned_priority: registry.int(TUNED_PRIORITY) as i32,
            threshold: registry.int(THRESHOLD) as u32,
            memory: registry.size(MEMORY),
            slot_bytes: registry.size(SLOT),
            copies,
        })
    }

    /// Bytes of data in a slot of a communicator of `ranks` ranks.
    pub(crate) fn slot_bytes_for(&self, ranks: u32) -> usize {
        let share = self.memory / (ranks as usize * DEPTH as usize);
        self.slot_bytes.min(share) / LINE_BYTES * LINE_BYTES
    }

    /// Bytes of the segment of a communicator of `ranks` ranks.
    pub fn segment_bytes(&self, ranks: u32) -> usize {
        let slot_bytes = self.slot_bytes_for(ranks) as u32;
        Layout { ranks, slot_bytes }.len()
    }

    /// Returns a digest of the settings that all ranks must have alike; 0 where communicators do
    /// not go through shared memory.
    pub fn digest(&self) -> u64 {
        if !self.is_enabled() {
            return 0;
        }
        let copies = match self.copies {
            Copies::Measured => 0,
            Copies::Never => 1,
            Copies::From(bytes) => bytes as u64,
        };
        let words = [
            self.threshold.into(),
            self.memory as u64,
            self.slot_bytes as u64,
            copies,
        ];
        // Never 0.
        Fnv::of(words.into_iter().flat_map(u64::to_le_bytes)) | 1
    }

    /// Whether communicators of one node go through shared memory.
    pub fn is_enabled(&self) -> bool {
        self.admitted && self.priority > self.tuned_priority
    }
}

/// Returns the error of copies that are forced where `smsc` leaves them out.
fn not_there(registry: &Registry) -> mca::Error {
    mca::Error::BadValue {
        name: COPIES.into(),
        text: "always".into(),
        origin: registry.origin(COPIES).clone(),
        allowed: "auto or never, since smsc leaves out cma, which these copies need".into(),
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::of(&Registry::new(&[PARAMS]), true).expect("the defaults are valid")
    }
}
