//! The parameters, by Open MPI's names where it has them.

use std::time::Duration;

use mca::{Param, Registry};

use crate::{interfaces, wire};

const INCLUDE: &str = "btl_tcp_if_include";
const EXCLUDE: &str = "btl_tcp_if_exclude";

/// A message of 64 KiB and its headers: at that size programs often change their ways, so it
/// should be on the fast side.
const EAGER_BYTES: usize = 65 << 10;

/// What users can set, in bytes unless the text says otherwise.
pub const PARAMS: &[Param] = &[
    Param::list(
        INCLUDE,
        "",
        1,
        "interfaces or IPv4 networks (eth0,10.1.0.0/16) to use; excludes btl_tcp_if_exclude",
    ),
    Param::list(
        EXCLUDE,
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
        EAGER_BYTES,
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
    ///
    /// # Errors
    /// When interfaces are both included and excluded, or a network is malformed.
    pub fn of(registry: &Registry) -> Result<Settings, mca::Error> {
        let timeout = registry.int("btl_tcp_handshake_timeout") as u64;
        Ok(Settings {
            if_include: words(registry, INCLUDE)?,
            if_exclude: match words(registry, EXCLUDE)? {
                some if !some.is_empty() && !registry.list(INCLUDE).is_empty() => {
                    let allowed = format!("nothing while {INCLUDE} is set");
                    return Err(bad(registry, EXCLUDE, &some.join(","), allowed));
                }
                words => words,
            },
            port_min: registry.int("btl_tcp_port_min_v4") as u16,
            port_range: registry.int("btl_tcp_port_range_v4") as u16,
            eager_limit: registry.size("btl_tcp_eager_limit"),
            max_send_size: registry.size("btl_tcp_max_send_size"),
            sndbuf: registry.size("btl_tcp_sndbuf"),
            rcvbuf: registry.size("btl_tcp_rcvbuf"),
            endpoint_cache: registry.size("btl_tcp_endpoint_cache"),
            use_nagle: registry.bool("btl_tcp_use_nagle"),
            handshake_timeout: Duration::from_micros(timeout),
            latency_ns: registry.int("btl_tcp_latency") as u32 * 1000,
            bandwidth_mbit: registry.int("btl_tcp_bandwidth") as u32,
            exclusivity: registry.int("btl_tcp_exclusivity") as u32,
        })
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::of(&Registry::new(&[PARAMS])).expect("the defaults are valid")
    }
}

/// A list of interfaces, each of whose networks is well-formed.
fn words(registry: &Registry, name: &str) -> Result<Vec<String>, mca::Error> {
    let words = registry.list(name);
    for word in words {
        if interfaces::network_of(word).is_err() {
            let allowed = "interface names, and networks such as 10.1.0.0/16".into();
            return Err(bad(registry, name, word, allowed));
        }
    }
    Ok(words.to_vec())
}

fn bad(registry: &Registry, name: &str, text: &str, allowed: String) -> mca::Error {
    let origin = registry.origin(name).clone();
    mca::Error::BadValue {
        name: name.into(),
        text: text.into(),
        origin,
        allowed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command_line: &[(&str, &str)]) -> Result<Settings, String> {
        let missing = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
        let settings = command_line
            .iter()
            .map(|(name, text)| (name.to_string(), text.to_string()));
        let sources = mca::Sources::new("/p", missing).with_command_line(settings);
        let registry = Registry::load(&[PARAMS], &sources).map_err(|errors| errors.to_string())?;
        Settings::of(&registry).map_err(|error| error.to_string())
    }

    #[test]
    fn settings_follow_the_parameters() {
        let settings = of(&[
            ("btl_tcp_if_include", "eth0,10.1.0.0/16"),
            ("btl_tcp_eager_limit", "8k"),
            ("btl_tcp_handshake_timeout", "2500000"),
            ("btl_tcp_port_min_v4", "5000"),
            ("btl_tcp_use_nagle", "yes"),
        ])
        .unwrap();
        assert_eq!(settings.if_include, ["eth0", "10.1.0.0/16"]);
        assert_eq!(
            (settings.eager_limit, settings.max_send_size),
            (8192, 131072)
        );
        assert_eq!(settings.handshake_timeout, Duration::from_millis(2500));
        assert_eq!((settings.port_min, settings.use_nagle), (5000, true));
    }

    #[test]
    fn what_contradicts_itself_is_refused_with_its_source() {
        let both = of(&[("btl_tcp_if_include", "lo"), ("btl_tcp_if_exclude", "eth")]).unwrap_err();
        assert!(both.contains("btl_tcp_if_exclude"), "{both}");
        assert!(
            both.contains("nothing while btl_tcp_if_include is set"),
            "{both}"
        );
        let network = of(&[("btl_tcp_if_include", "eth0,10.1.0.0/99")]).unwrap_err();
        assert!(
            network.contains("10.1.0.0/99") && network.contains("command line"),
            "{network}"
        );
        assert!(of(&[("btl_tcp_port_min_v4", "70000")]).is_err());
        assert!(of(&[("btl_tcp_max_send_size", "1g")]).is_err());
    }
}
