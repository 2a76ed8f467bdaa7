//! What a transport can do, as a value.

use base::Cut;

/// Limits of `get` or `put`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RmaLimits {
    /// Most bytes of one operation.
    pub max_bytes: usize,
    /// Addresses and lengths must be multiples of this power of two; 1 means any.
    pub alignment: usize,
}

/// Which accesses to memory are made of active messages, because the transport itself lacks
/// them. They need the target's `progress`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Emulated {
    /// `get` is.
    pub get: bool,
    /// `put` is.
    pub put: bool,
    /// `atomic` is.
    pub atomics: bool,
}

/// Facts about a transport, constant after opening. Sizes are bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Caps {
    /// The component's name, as users write it in `--mca btl`.
    pub name: &'static str,
    /// Largest message (header and payload) that is worth sending unasked.
    pub eager_limit: usize,
    /// How to cut messages that go unasked, also longer ones than `eager_limit`; `None`: they go
    /// whole. Only where messages are `ordered`.
    pub cut: Option<Cut>,
    /// Bytes of a message too long for that which are worth sending along with its announcement:
    /// they are on their way while the receiver asks for the others. At most `max_send_size`.
    pub rndv_eager_limit: usize,
    /// Largest message (header and payload) of `send` and `send_packed`; 0 where there are no
    /// messages at all, only access to memory.
    pub max_send_size: usize,
    /// Whether one peer's messages arrive in the order in which they were accepted.
    pub ordered: bool,
    /// Whether what `send` took may stay in this process until some `progress` gets rid of it:
    /// `is_kept` tells. A caller that stops polling meanwhile lets the peer wait.
    pub keeps: bool,
    /// Whether `batch` gathers short messages.
    pub batches: bool,
    /// Whether an empty poll of all transports should be followed by `back_off`.
    pub backs_off: bool,
    /// Whether messages go through memory that both processes share, and `presence` tells what
    /// they see of each other: a peer that sleeps, or whose helper thread does, can be woken.
    pub shares_memory: bool,
    /// Limits of `get`; `None` where there is none.
    pub get: Option<RmaLimits>,
    /// Limits of `put`; `None` where there is none.
    pub put: Option<RmaLimits>,
    /// Whether the bytes of a `put` are at the peer once it is done, without `flush`. Only of one
    /// that has `put`.
    pub puts_land: bool,
    /// Whether `atomic` works, on words of both widths.
    pub atomics: bool,
    /// Which of these active messages stand in for.
    pub emulated: Emulated,
    /// Rough one-way time of a small message, in nanoseconds, for choosing among transports.
    pub latency_ns: u32,
    /// Rough bandwidth, in MB/s (10^6 bytes), for choosing and for sharing a load.
    pub bandwidth_mbps: u32,
    /// A transport with a higher one hides those with lower ones from the peers both reach.
    pub exclusivity: u32,
}
