//! The parameters of the libfabric transport, with Open MPI's names where it has them.

use mca::{Param, Registry};
use ofi::Progress;

/// Largest message: 16 KiB behind a header of the layers above. Providers with a rendezvous at that
/// size get it in pieces.
const SEND_BYTES: usize = (16 << 10) + 64;

/// The parameters that users can set, in bytes unless the text says otherwise.
pub const PARAMS: &[Param] = &[
    Param::int(
        "btl_ofi_mode",
        2,
        0..=2,
        3,
        "what libfabric is used for: 0 access to memory, 1 messages, 2 both",
    ),
    Param::size(
        "btl_ofi_eager_limit",
        SEND_BYTES,
        256..=1 << 20,
        4,
        "largest message, in bytes, that is sent without asking the receiver; larger values \
         save round trips but may copy more bytes twice",
    ),
    Param::size(
        "btl_ofi_max_send_size",
        SEND_BYTES,
        1024..=1 << 20,
        4,
        "largest message, in bytes, of one send; every posted buffer is that large",
    ),
    Param::size(
        "btl_ofi_get_limit",
        8 << 20,
        4096..=1 << 30,
        4,
        "most bytes of one read of a peer's memory; longer ones are made of several",
    ),
    Param::size(
        "btl_ofi_put_limit",
        8 << 20,
        4096..=1 << 30,
        4,
        "most bytes of one write to a peer's memory, at most 65536 over ofi_rxd; \
            longer ones are made of several",
    ),
    Param::int(
        "btl_ofi_rd_num",
        64,
        2..=16384,
        5,
        "receives to post, and most messages that one peer may have in flight to this process; \
         more receives take more memory",
    ),
    Param::int(
        "btl_ofi_num_cq_read",
        64,
        1..=4096,
        5,
        "most completions to read in one call; larger values need fewer calls under load",
    ),
    Param::int(
        "btl_ofi_progress_threshold",
        64,
        1..=1 << 20,
        5,
        "most transfers with one peer in flight, at most 4 over ofi_rxd; further ones wait for \
         the completion of earlier ones",
    ),
    Param::bool(
        "btl_ofi_disable_sep",
        false,
        5,
        "whether to use a standard endpoint where the provider has scalable ones",
    ),
    Param::int(
        "btl_ofi_num_contexts_per_module",
        1,
        1..=256,
        5,
        "transmit contexts of a scalable endpoint; each thread uses one, so more contexts let \
         more threads transfer at the same time",
    ),
    Param::bool(
        "btl_ofi_disable_inject",
        false,
        5,
        "whether to send short messages without asking the provider to copy them immediately",
    ),
    Param::choice(
        "btl_ofi_progress_mode",
        "unspec",
        &["unspec", "auto", "manual"],
        5,
        "the party that makes progress on data: the provider (auto), this process when it polls \
         (manual), or as suits the provider (unspec)",
    ),
    Param::choice(
        "btl_ofi_wait_fd",
        "auto",
        &["auto", "0", "1"],
        5,
        "whether a waiting process sleeps on the provider's descriptor, which makes every \
         completion slower, instead of polling once per millisecond; auto: only where this \
         process sleeps while it waits",
    ),
    Param::bool(
        "btl_ofi_register_local",
        false,
        9,
        "whether to register local memory even where the provider does not demand it",
    ),
    Param::int(
        "btl_ofi_exclusivity",
        1024,
        0..=65536,
        7,
        "a transport with a higher exclusivity is used instead of this one",
    ),
];

/// The use made of libfabric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Access to memory.
    OneSided,
    /// Messages.
    TwoSided,
    /// Both.
    Both,
}

impl Mode {
    pub(crate) fn messages(self) -> bool {
        self != Mode::OneSided
    }

    pub(crate) fn memory(self) -> bool {
        self != Mode::TwoSided
    }
}

/// The values that a transport works with. Sizes are bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The use made of libfabric.
    pub mode: Mode,
    /// Largest message worth sending eagerly.
    pub eager_limit: usize,
    /// Largest message.
    pub max_send_size: usize,
    /// Most bytes of one read.
    pub get_limit: usize,
    /// Most bytes of one write.
    pub put_limit: usize,
    /// Receives posted, and messages of one peer in flight.
    pub receives: usize,
    /// Completions read at a time.
    pub burst: usize,
    /// Transfers with one peer in flight.
    pub transfers_max: usize,
    /// Whether scalable endpoints are used where there are any.
    pub scalable: bool,
    /// Transmit contexts of a scalable endpoint.
    pub contexts: usize,
    /// Whether short messages are copied by the provider at once.
    pub inject: bool,
    /// The party that makes progress; `None` leaves it to the provider.
    pub progress: Option<Progress>,
    /// Whether to sleep on the provider's descriptor. Where the parameter leaves that open, the
    /// opener decides by whether it will sleep.
    pub wait_fd: bool,
    /// Whether local memory is registered even where the provider does not demand it.
    pub register_local: bool,
    /// Rank among transports that reach the same peer.
    pub exclusivity: u32,
    /// Demands on registered memory that are met, of [`ofi::mr_mode`].
    pub mr_mode: u32,
    /// Completions that the queue holds; 0 leaves it to the provider.
    pub queue_size: usize,
    /// Limits on idle entries of the registration cache.
    pub cache: memory::rcache::Limits,
    /// Whether the registration cache prints its statistics on standard error at the end.
    pub print_stats: bool,
}

impl Settings {
    /// The values of a registry that was made with [`PARAMS`].
    pub fn of(registry: &Registry) -> Settings {
        let count = |name| registry.int(name) as usize;
        Settings {
            mode: match registry.int("btl_ofi_mode") {
                0 => Mode::OneSided,
                1 => Mode::TwoSided,
                _ => Mode::Both,
            },
            eager_limit: registry.size("btl_ofi_eager_limit"),
            max_send_size: registry.size("btl_ofi_max_send_size"),
            get_limit: registry.size("btl_ofi_get_limit"),
            put_limit: registry.size("btl_ofi_put_limit"),
            receives: count("btl_ofi_rd_num"),
            burst: count("btl_ofi_num_cq_read"),
            transfers_max: count("btl_ofi_progress_threshold"),
            scalable: !registry.bool("btl_ofi_disable_sep"),
            contexts: count("btl_ofi_num_contexts_per_module"),
            inject: !registry.bool("btl_ofi_disable_inject"),
            progress: match registry.choice("btl_ofi_progress_mode") {
                "auto" => Some(Progress::Auto),
                "manual" => Some(Progress::Manual),
                _ => None,
            },
            wait_fd: registry.choice("btl_ofi_wait_fd") == "1",
            register_local: registry.bool("btl_ofi_register_local"),
            exclusivity: registry.int("btl_ofi_exclusivity") as u32,
            mr_mode: ofi::Hints::new(0).mr_mode,
            queue_size: 0,
            cache: memory::rcache::Limits {
                idle_count_max: 1024,
                idle_bytes_max: 1 << 30,
            },
            print_stats: false,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::of(&Registry::new(&[PARAMS]))
    }
}
