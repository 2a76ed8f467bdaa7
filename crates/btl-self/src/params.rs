//! The parameters of the loopback transport.

/// Limits of the transport, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Params {
    /// Largest eager message (header and payload): beyond it one copy by `get` is cheaper than two
    /// through the queue.
    pub eager_limit: usize,
    /// Largest message (header and payload).
    pub max_send_size: usize,
    /// Bytes of all messages that wait to be delivered; beyond it the transport is busy.
    pub queue_bytes_max: usize,
    /// Precedence among transports that reach the process itself.
    pub exclusivity: u32,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            // Up to here a copy aside, where no receive waits, costs less than to ask for one.
            eager_limit: 33 << 10,
            max_send_size: 64 << 10,
            queue_bytes_max: 1 << 20,
            exclusivity: 65_536,
        }
    }
}
