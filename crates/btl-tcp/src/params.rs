//! The parameters, by Open MPI's names where it has them.

use std::net::IpAddr;
use std::time::Duration;

use mca::{Param, Registry};

use crate::address::LINKS_MAX;
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
        "interfaces or networks (eth0,10.1.0.0/16,fd77::/64) to use; excludes btl_tcp_if_exclude",
    ),
    Param::list(
        EXCLUDE,
        "",
        1,
        "interfaces or networks not to use; the loopback interface is used only within a host",
    ),
    Param::bool(
        "btl_tcp_warn_all_unfound_interfaces",
        false,
        2,
        "whether to warn of words of btl_tcp_if_exclude that mean no interface",
    ),
    Param::choice(
        "btl_tcp_disable_family",
        "0",
        &["0", "4", "6"],
        2,
        "the family of addresses not to use: 4 for IPv4, 6 for IPv6, 0 for none",
    ),
    Param::int(
        "btl_tcp_links",
        1,
        1..=LINKS_MAX as i64,
        4,
        "connections for each pair of interfaces; of two processes the smaller number counts",
    ),
    Param::int(
        "btl_tcp_port_min_v4",
        0,
        0..=65535,
        2,
        "first port to listen on with IPv4; 0 lets the system choose",
    ),
    Param::int(
        "btl_tcp_port_range_v4",
        64511,
        1..=65535,
        2,
        "number of ports, from btl_tcp_port_min_v4 on, to choose from",
    ),
    Param::int(
        "btl_tcp_port_min_v6",
        0,
        0..=65535,
        2,
        "first port to listen on with IPv6; 0 lets the system choose",
    ),
    Param::int(
        "btl_tcp_port_range_v6",
        64511,
        1..=65535,
        2,
        "number of ports, from btl_tcp_port_min_v6 on, to choose from",
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
    /// Interfaces or networks not to use.
    pub if_exclude: Vec<String>,
    /// Whether to warn of excluded words that mean no interface.
    pub warn_all_unfound_interfaces: bool,
    /// The family of addresses not to use, 4 or 6.
    pub disable_family: Option<u8>,
    /// Connections for each pair of interfaces, from 1.
    pub links: u8,
    /// Where to listen with IPv4.
    pub ports_v4: Ports,
    /// Where to listen with IPv6.
    pub ports_v6: Ports,
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

/// Ports to choose from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ports {
    /// The first one; 0 lets the system choose among all.
    pub min: u16,
    /// How many there are, from `min` on.
    pub count: u16,
}

impl Ports {
    /// The first port and how many there are from it on, at least one; `None` where the system
    /// chooses.
    pub fn range(self) -> Option<(u16, u32)> {
        let count = u32::from(self.count.max(1)).min(65536 - u32::from(self.min));
        (self.min > 0).then_some((self.min, count))
    }
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
            warn_all_unfound_interfaces: registry.bool("btl_tcp_warn_all_unfound_interfaces"),
            disable_family: match registry.choice("btl_tcp_disable_family") {
                "4" => Some(4),
                "6" => Some(6),
                _ => None,
            },
            links: registry.int("btl_tcp_links") as u8,
            ports_v4: ports(registry, "btl_tcp_port_min_v4", "btl_tcp_port_range_v4"),
            ports_v6: ports(registry, "btl_tcp_port_min_v6", "btl_tcp_port_range_v6"),
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

impl Settings {
    /// Whether addresses of this one's family are not to be used.
    pub fn disables(&self, ip: IpAddr) -> bool {
        self.disable_family == Some(if ip.is_ipv4() { 4 } else { 6 })
    }

    /// The bandwidth in Mbit/s that the user ascribes to an interface.
    pub fn bandwidth_of(&self, _interface: &str) -> Option<u32> {
        (self.bandwidth_mbit > 0).then_some(self.bandwidth_mbit)
    }

    /// The one-way time of a small message over an interface, in ns.
    pub fn latency_of(&self, _interface: &str) -> u32 {
        self.latency_ns
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
            let allowed = "interface names, and networks such as 10.1.0.0/16 or fd77::/64".into();
            return Err(bad(registry, name, word, allowed));
        }
    }
    Ok(words.to_vec())
}

fn ports(registry: &Registry, min: &str, range: &str) -> Ports {
    Ports {
        min: registry.int(min) as u16,
        count: registry.int(range) as u16,
    }
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
        assert_eq!((settings.ports_v4.min, settings.use_nagle), (5000, true));
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
