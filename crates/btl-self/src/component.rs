//! Opening the transport.

use std::collections::{HashMap, VecDeque};

use base::{AmTag, PeerId};
use btl::{Caps, RmaLimits};
use memory::UserBuf;

/// Bytes of messages that may wait to be delivered; beyond them the transport is busy.
pub(crate) const QUEUE_BYTES_MAX: usize = 16 << 20;

/// The open transport.
pub struct Loopback {
    pub(crate) me: PeerId,
    pub(crate) caps: Caps,
    pub(crate) introduced: bool,
    /// Messages that wait to be delivered, and their bytes.
    pub(crate) queue: VecDeque<(AmTag, Vec<u8>)>,
    pub(crate) queued_bytes: usize,
    /// Registered memory by the number in its key.
    pub(crate) registered: HashMap<u64, UserBuf>,
    pub(crate) next_key: u64,
}

/// Opens the transport of process `me`.
pub fn open(me: PeerId) -> Loopback {
    let anything = Some(RmaLimits { max_bytes: usize::MAX, alignment: 1 });
    let caps = Caps {
        name: "self",
        eager_limit: 4096,
        max_send_size: 64 * 1024,
        ordered: true,
        zero_copy: false,
        get: anything,
        put: anything,
        latency_ns: 50,
        bandwidth_mbps: 20_000,
        exclusivity: 65_536,
    };
    Loopback {
        me,
        caps,
        introduced: false,
        queue: VecDeque::new(),
        queued_bytes: 0,
        registered: HashMap::new(),
        next_key: 1,
    }
}
