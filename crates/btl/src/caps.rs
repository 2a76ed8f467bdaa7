//! Capabilities of a transport.

use base::Cut;

/// Limits of `get` or `put`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RmaLimits {
    /// Most bytes of one operation.
    pub max_bytes: usize,
    /// Addresses and lengths must be multiples of this power of two; 1 means any.
    pub alignment: usize,
}

/// Accesses to memory that are emulated by active messages, because the transport itself lacks
/// them. They need the target's `progress`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Emulated {
    /// Whether `get` is emulated.
    pub get: bool,
    /// Whether `put` is emulated.
    pub put: bool,
    /// Whether `atomic` is emulated.
    pub atomics: bool,
}

/// Facts about a transport, constant after opening. Sizes are bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Caps {
    /// The component's name, as users write it in `--mca btl`.
    pub name: &'static str,
    /// Largest message (header and payload) that is worth sending eagerly.
    pub eager_limit: usize,
    /// How to cut messages for pipelined eager sends, also those longer than `eager_limit`; `None`:
    /// they are sent whole. Only where messages are `ordered`.
    pub cut: Option<Cut>,
    /// Bytes of a rendezvous message's eager prefix, worth sending along with the RTS: they travel
    /// while the receiver asks for the rest. At most `max_send_size`.
    pub rndv_eager_limit: usize,
    /// Largest message (header and payload) of `send` and `send_packed`; 0 where there are no
    /// messages at all, only access to memory.
    pub max_send_size: usize,
    /// Whether one peer's messages arrive in the order in which they were accepted.
    pub ordered: bool,
    /// Whether a message that `send` accepted may stay buffered in this process until some
    /// `progress` sends it (see `is_kept`). A caller that stops polling meanwhile makes the peer
    /// wait.
    pub keeps: bool,
    /// Whether `batch` gathers short messages.
    pub batches: bool,
    /// Whether an empty poll of all transports should be followed by `back_off`.
    pub backs_off: bool,
    /// Whether messages go through memory that both processes share, and `presence` shows the
    /// peers' waiting: a peer that sleeps, or whose helper thread does, can be woken.
    pub shares_memory: bool,
    /// Limits of `get`; `None` where the transport has no `get`.
    pub get: Option<RmaLimits>,
    /// Limits of `put`; `None` where the transport has no `put`.
    pub put: Option<RmaLimits>,
    /// Whether a complete `put` is visible at the peer without `flush`. Meaningful only with `put`.
    pub puts_land: bool,
    /// Whether `atomic` works, on words of both widths.
    pub atomics: bool,
    /// Accesses that are emulated by active messages.
    pub emulated: Emulated,
    /// Rough one-way time of a small message, in nanoseconds, for choosing among transports.
    pub latency_ns: u32,
    /// Rough bandwidth, in MB/s (10^6 bytes), for choosing and for sharing a load.
    pub bandwidth_mbps: u32,
    /// Rank among transports: the higher hides the lower from the peers both reach.
    pub exclusivity: u32,
}
