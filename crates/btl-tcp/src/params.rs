//! The parameters, by Open MPI's names where it has them.

use std::time::Duration;

use mca::Param;

use crate::wire;

/// What users can set, in bytes unless the text says otherwise.
pub const PARAMS: &[Param] = &[
    Param::list(
        "btl_tcp_if_include",
        "",
        1,
        "interfaces or IPv4 networks (eth0,10.1.0.0/16) to use; excludes btl_tcp_if_exclude",
    ),
    Param::list(
        "btl_tcp_if_exclude",
        "",
        1,
        "beginnings of interface names, or IPv4 networks, not to use",
    ),
    Param::int(
        "btl_tcp_port_min_v4",
        0,
        0..=65535,
        2,
        "first port to listen on; 0 lets the system choose",
    ),
    Param::int(
        "btl_tcp_port_range_v4",
        64511,
        1..=65535,
        2,
        "number of ports, from btl_tcp_port_min_v4 on, to choose from",
    ),
    Param::size(
        "btl_tcp_eager_limit",
        64 << 10,
        256..=wire::FRAME_MAX,
        4,
        "largest message, in bytes, that is sent without asking the receiver",
    ),
    Param::size(
        "btl_tcp_max_send_size",
        128 << 10,
        4096..=wire::FRAME_MAX,
        4,
        "largest message, in bytes, of one frame",
    ),
    Param::size(
        "btl_tcp_sndbuf",
        0,
        0..=1 << 30,
        4,
        "the kernel's send buffer of a connection, in bytes; 0 leaves it to the kernel",
    ),
    Param::size(
        "btl_tcp_rcvbuf",
        0,
        0..=1 << 30,
        4,
        "the kernel's receive buffer of a connection, in bytes; 0 leaves it to the kernel",
    ),
    Param::size(
        "btl_tcp_endpoint_cache",
        30720,
        4096..=16 << 20,
        4,
        "read-ahead buffer of a connection, in bytes",
    ),
    Param::bool(
        "btl_tcp_use_nagle",
        false,
        4,
        "whether the kernel may delay small segments to join them",
    ),
    Param::int(
        "btl_tcp_handshake_timeout",
        10_000_000,
        1000..=3_600_000_000,
        4,
        "microseconds after which a connection that has not named itself is dropped, and \
         after which an address that does not answer is given up",
    ),
    Param::int(
        "btl_tcp_latency",
        30,
        0..=1_000_000,
        5,
        "one-way time of a small message, in microseconds, for choosing among transports",
    ),
    Param::int(
        "btl_tcp_bandwidth",
        0,
        0..=10_000_000,
        5,
        "bandwidth in Mbit/s, for choosing among transports; 0 asks the interface",
    ),
    Param::int(
        "btl_tcp_exclusivity",
        100,
        0..=65536,
        7,
        "a transport with a higher exclusivity is used instead of this one",
    ),
];

/// The values that a transport works with. Sizes are bytes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Interfaces or networks to use; empty means all.
    pub if_include: Vec<String>,
    /// Beginnings of interface names, or networks, not to use.
    pub if_exclude: Vec<String>,
    /// First port to listen on; 0 lets the system choose.
    pub port_min: u16,
    /// Ports to choose from, from `port_min` on.
    pub port_range: u16,
    /// Largest message worth sending unasked.
    pub eager_limit: usize,
    /// Largest message of one frame.
    pub max_send_size: usize,
    /// The kernel's send buffer; 0 leaves it to the kernel.
    pub sndbuf: usize,
    /// The kernel's receive buffer; 0 leaves it to the kernel.
    pub rcvbuf: usize,
    /// The read-ahead buffer of a connection.
    pub endpoint_cache: usize,
    /// Whether the kernel may delay small segments.
    pub use_nagle: bool,
    /// How long a stranger may stay silent, and an address unanswered.
    pub handshake_timeout: Duration,
    /// One-way time of a small message, in nanoseconds.
    pub latency_ns: u32,
    /// Bandwidth in Mbit/s; 0 asks the interface.
    pub bandwidth_mbit: u32,
    /// Rank among transports that reach the same peer.
    pub exclusivity: u32,
}

impl Settings {
    /// The values of a registry that was made with [`PARAMS`].
    pub fn from_registry(registry: &mca::Registry) -> Settings {
        Settings {
            if_include: registry.list("btl_tcp_if_include").to_vec(),
            if_exclude: registry.list("btl_tcp_if_exclude").to_vec(),
            port_min: registry.int("btl_tcp_port_min_v4") as u16,
            port_range: registry.int("btl_tcp_port_range_v4") as u16,
            eager_limit: registry.size("btl_tcp_eager_limit"),
            max_send_size: registry.size("btl_tcp_max_send_size"),
            sndbuf: registry.size("btl_tcp_sndbuf"),
            rcvbuf: registry.size("btl_tcp_rcvbuf"),
            endpoint_cache: registry.size("btl_tcp_endpoint_cache"),
            use_nagle: registry.bool("btl_tcp_use_nagle"),
            handshake_timeout: Duration::from_micros(
                registry.int("btl_tcp_handshake_timeout") as u64
            ),
            latency_ns: registry.int("btl_tcp_latency") as u32 * 1000,
            bandwidth_mbit: registry.int("btl_tcp_bandwidth") as u32,
            exclusivity: registry.int("btl_tcp_exclusivity") as u32,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::from_registry(&mca::Registry::new(&[PARAMS]))
    }
}
