//! The parameters of a simulated network.

use std::ops::Range;

/// Which `get`s work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gets {
    /// `Caps::get` is `None`.
    None,
    /// Every `get` works, for pairs where `can_get` is true: this percentage of all.
    Pairs(u8),
    /// This percentage fails as unsupported, some at once and some in flight, as where a system
    /// takes back a permission.
    Failing(u8),
}

/// The network and its hardships. Sizes are bytes, times nanoseconds.
#[derive(Clone, Debug)]
pub struct Config {
    /// Seed of everything random.
    pub seed: u64,
    /// Time that a message takes.
    pub delay_ns: Range<u64>,
    /// Percentage of messages that take ten times as long.
    pub straggler_percent: u8,
    /// Whether messages from one endpoint to another stay in order.
    pub ordered: bool,
    /// Whether an endpoint counts a message as buffered until its peer has taken it.
    pub keeps: bool,
    /// Percentage of sends and transfers that are refused as busy without need.
    pub busy_percent: u8,
    /// Most messages in flight from one endpoint to another; beyond them it is busy.
    pub queue_messages_max: usize,
    /// Largest eager message.
    pub eager_limit: usize,
    /// See [`btl::Caps::cut`].
    pub cut: Option<btl::Cut>,
    /// See [`btl::Caps::rndv_eager_limit`].
    pub rndv_eager_limit: usize,
    /// Largest message.
    pub max_send_size: usize,
    /// Which `get`s work.
    pub gets: Gets,
    /// Percentage of messages that are to be announced where there is a choice; `None`: there is no
    /// [`btl::Carriage`].
    pub announced_percent: Option<u8>,
    /// Whether there is `put`.
    pub puts: bool,
    /// Most bytes of one transfer.
    pub transfer_bytes_max: usize,
}

impl Config {
    /// Returns a network of a seed with some of everything that is hard.
    pub fn of(seed: u64) -> Config {
        Config {
            seed,
            delay_ns: 500..20_000,
            straggler_percent: 2,
            ordered: true,
            keeps: false,
            busy_percent: 5,
            queue_messages_max: 32,
            eager_limit: 4096,
            cut: None,
            rndv_eager_limit: 0,
            max_send_size: 32 << 10,
            gets: Gets::Pairs(100),
            announced_percent: None,
            puts: true,
            transfer_bytes_max: 1 << 20,
        }
    }
}
