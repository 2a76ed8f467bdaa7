//! The parameters of the TCP transport, with Open MPI's names where it has them.

use std::net::IpAddr;
use std::time::Duration;

use mca::{Param, Registry};

use crate::address::LINKS_MAX;
use crate::pairing::{Network, Rail};
use crate::{pool, wire};

const INCLUDE: &str = "btl_tcp_if_include";
const EXCLUDE: &str = "btl_tcp_if_exclude";
const BANDWIDTH_OF: &str = "btl_tcp_bandwidth_<interface>";
const LATENCY_OF: &str = "btl_tcp_latency_<interface>";

/// Bytes of a message of 64 KiB with its headers. Programs often change their algorithms at that
/// size, so it should still be sent eagerly.
const EAGER_BYTES: usize = 65 << 10;

/// The parameters that users can set. Sizes are in bytes.
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
        "whether to warn of names in btl_tcp_if_exclude, btl_tcp_bandwidth_<interface> and \
         btl_tcp_latency_<interface> that match no interface",
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
        "connections for each pair of interfaces; of two processes with different values the \
         smaller one holds",
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
        "largest message, in bytes, that is sent without asking the receiver; larger values \
         save round trips but may copy more bytes twice",
    ),
    Param::size(
        "btl_tcp_rndv_eager_limit",
        32 << 10,
        0..=wire::FRAME_MAX,
        4,
        "bytes of a rendezvous message that are sent before the receiver replies; 0 for none",
    ),
    Param::size(
        "btl_tcp_max_send_size",
        128 << 10,
        4096..=wire::FRAME_MAX,
        4,
        "most bytes of one frame; longer messages are sent in several",
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
        "bytes of the read-ahead buffer of a connection; a larger buffer needs fewer system \
         calls for short messages",
    ),
    Param::int(
        "btl_tcp_free_list_num",
        8,
        0..=65536,
        5,
        "most free buffers to keep at first for frames larger than btl_tcp_endpoint_cache",
    ),
    Param::int(
        "btl_tcp_free_list_inc",
        32,
        0..=65536,
        5,
        "free buffers that are added to btl_tcp_free_list_num each time that proves too few",
    ),
    Param::int(
        "btl_tcp_free_list_max",
        -1,
        -1..=1 << 30,
        5,
        "most free buffers to keep for reuse; -1 for as many as were in use at the same time",
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
        "microseconds for the handshake of a connection, after which it is dropped, and for an \
         address to respond, after which it is given up",
    ),
    Param::int(
        "btl_tcp_reconnect_timeout",
        30_000_000,
        0..=86_400_000_000,
        3,
        "microseconds to reconnect to a peer whose connections have broken, before it counts as \
         dead",
    ),
    Param::bool(
        "btl_tcp_progress_thread",
        false,
        1,
        "whether a thread of the library keeps messages moving while the application computes",
    ),
    Param::bool(
        "btl_tcp_checksum",
        false,
        3,
        "whether all traffic carries checksums (CRC32C) besides TCP's own",
    ),
    Param::bool(
        "btl_tcp_encrypt",
        false,
        3,
        "whether all traffic is encrypted (ChaCha20-Poly1305), with keys derived from the job's \
         secret",
    ),
    Param::int(
        "btl_tcp_latency",
        30,
        0..=1_000_000,
        5,
        "one-way time of a small message, in microseconds, over every interface that has no \
         parameter of its own",
    ),
    Param::int(
        "btl_tcp_bandwidth",
        0,
        0..=10_000_000,
        5,
        "bandwidth in Mbit/s of every interface that has no parameter of its own; 0 asks the \
         interface",
    ),
    Param::int(
        BANDWIDTH_OF,
        0,
        0..=10_000_000,
        5,
        "bandwidth in Mbit/s of an interface (eth0), or of one of its links (eth0:1); 0 asks the \
         interface",
    ),
    Param::int(
        LATENCY_OF,
        0,
        0..=1_000_000,
        5,
        "one-way time of a small message, in microseconds, over an interface (eth0), or over one \
         of its links (eth0:1); 0 for btl_tcp_latency",
    ),
    Param::int(
        "btl_tcp_exclusivity",
        100,
        0..=65536,
        7,
        "a transport with a higher exclusivity is used instead of this one",
    ),
];

/// The settings of a transport. Sizes are in bytes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Interfaces or networks to use; empty means all.
    pub if_include: Vec<String>,
    /// Interfaces or networks not to use.
    pub if_exclude: Vec<String>,
    /// Whether to warn of excluded elements that match no interface.
    pub warn_all_unfound_interfaces: bool,
    /// The address family not to use, 4 or 6.
    pub disable_family: Option<u8>,
    /// Connections for each pair of interfaces, from 1.
    pub links: u8,
    /// Ports to listen on with IPv4.
    pub ports_v4: Ports,
    /// Ports to listen on with IPv6.
    pub ports_v6: Ports,
    /// Largest message that is sent eagerly.
    pub eager_limit: usize,
    /// Bytes of a rendezvous message's eager prefix, header included.
    pub rndv_eager_limit: usize,
    /// Largest message of one frame.
    pub max_send_size: usize,
    /// Size of the kernel's send buffer; 0 for the kernel's default.
    pub sndbuf: usize,
    /// Size of the kernel's receive buffer; 0 for the kernel's default.
    pub rcvbuf: usize,
    /// Size of the read-ahead buffer of a connection.
    pub endpoint_cache: usize,
    /// Whether the kernel may delay small segments.
    pub use_nagle: bool,
    /// Time after which a silent unauthenticated connection is dropped, or an address without a
    /// reply given up.
    pub handshake_timeout: Duration,
    /// Time for which a peer whose connections have broken is sought.
    pub reconnect_timeout: Duration,
    /// Whether all traffic is protected by checksums.
    pub checksum: bool,
    /// Whether all traffic is encrypted.
    pub encrypt: bool,
    /// One-way time of a small message, in nanoseconds.
    pub latency_ns: u32,
    /// Bandwidth in Mbit/s; 0 for that of the interface.
    pub bandwidth_mbit: u32,
    /// The user's figures for single interfaces (`eth0`) and links (`eth0:1`).
    pub figures: Vec<Figures>,
    /// Limits on the buffers that are kept for reuse.
    pub free_list: pool::Limits,
    /// Priority among transports that reach the same peer.
    pub exclusivity: u32,
}

/// A range of ports.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ports {
    /// The first one; 0 lets the system choose among all.
    pub min: u16,
    /// Number of ports, from `min` on.
    pub count: u16,
}

impl Ports {
    /// Returns the first port and how many there are from it on, at least one; `None` where the
    /// system chooses.
    pub fn range(self) -> Option<(u16, u32)> {
        let count = u32::from(self.count.max(1)).min(65536 - u32::from(self.min));
        (self.min > 0).then_some((self.min, count))
    }
}

impl Settings {
    /// Returns the settings that the parameters of [`PARAMS`] describe.
    ///
    /// # Errors
    /// When interfaces are both included and excluded, or a network is malformed.
    pub fn of(registry: &Registry) -> Result<Settings, mca::Error> {
        let timeout = registry.int("btl_tcp_handshake_timeout") as u64;
        let outage = registry.int("btl_tcp_reconnect_timeout") as u64;
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
            rndv_eager_limit: registry.size("btl_tcp_rndv_eager_limit"),
            max_send_size: registry.size("btl_tcp_max_send_size"),
            sndbuf: registry.size("btl_tcp_sndbuf"),
            rcvbuf: registry.size("btl_tcp_rcvbuf"),
            endpoint_cache: registry.size("btl_tcp_endpoint_cache"),
            use_nagle: registry.bool("btl_tcp_use_nagle"),
            handshake_timeout: Duration::from_micros(timeout),
            reconnect_timeout: Duration::from_micros(outage),
            checksum: registry.bool("btl_tcp_checksum"),
            encrypt: registry.bool("btl_tcp_encrypt"),
            latency_ns: registry.int("btl_tcp_latency") as u32 * 1000,
            bandwidth_mbit: registry.int("btl_tcp_bandwidth") as u32,
            figures: figures(registry),
            free_list: pool::Limits {
                first: registry.int("btl_tcp_free_list_num") as usize,
                step: registry.int("btl_tcp_free_list_inc") as usize,
                last: usize::try_from(registry.int("btl_tcp_free_list_max")).unwrap_or(usize::MAX),
            },
            exclusivity: registry.int("btl_tcp_exclusivity") as u32,
        })
    }
}

impl Settings {
    /// Whether this address's family is disabled.
    pub fn disables(&self, ip: IpAddr) -> bool {
        self.disable_family == Some(if ip.is_ipv4() { 4 } else { 6 })
    }

    /// Returns the user's bandwidth of an interface in Mbit/s.
    pub fn bandwidth_of(&self, interface: &str) -> Option<u32> {
        let own = self
            .figures_of(interface)
            .map(|figures| figures.bandwidth_mbit);
        [own, Some(self.bandwidth_mbit)]
            .into_iter()
            .flatten()
            .find(|mbit| *mbit > 0)
    }

    /// Returns the one-way time of a small message over an interface, in ns.
    pub fn latency_of(&self, interface: &str) -> u32 {
        let own = self.figures_of(interface).map(|figures| figures.latency_ns);
        own.filter(|ns| *ns > 0).unwrap_or(self.latency_ns)
    }

    /// Applies the user's figures for its link to a rail over our interface `name`.
    pub fn rate(&self, rail: &mut Rail, name: &str) {
        let link = format!("{name}:{}", rail.link);
        let Some(figures) = self.figures_of(&link) else {
            return;
        };
        if figures.bandwidth_mbit > 0 {
            rail.bandwidth_mbit = figures.bandwidth_mbit;
        }
        if figures.latency_ns > 0 {
            rail.latency_ns = figures.latency_ns;
        }
    }

    /// Returns the user's figures for an interface, or for a link of it (`eth0:1`).
    pub fn figures_of(&self, name: &str) -> Option<&Figures> {
        self.figures.iter().find(|figures| figures.name == name)
    }
}

/// The user's figures for one interface, or for one of its links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figures {
    /// The interface (`eth0`), or the link (`eth0:1`).
    pub name: String,
    /// Bandwidth in Mbit/s; 0 if not set.
    pub bandwidth_mbit: u32,
    /// One-way time of a small message in ns; 0 if not set.
    pub latency_ns: u32,
}

fn figures(registry: &Registry) -> Vec<Figures> {
    let mut all: Vec<Figures> = Vec::new();
    for (family, scale) in [(BANDWIDTH_OF, 1), (LATENCY_OF, 1000)] {
        for (name, value) in registry.members(family) {
            let mca::Value::Int(value) = value else {
                continue;
            };
            let at = all.iter().position(|figures| figures.name == name);
            let at = at.unwrap_or_else(|| {
                all.push(Figures {
                    name: name.into(),
                    bandwidth_mbit: 0,
                    latency_ns: 0,
                });
                all.len() - 1
            });
            let value = *value as u32 * scale;
            match family {
                LATENCY_OF => all[at].latency_ns = value,
                _ => all[at].bandwidth_mbit = value,
            }
        }
    }
    all
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::of(&Registry::new(&[PARAMS])).expect("the defaults are valid")
    }
}

/// Returns a list of interfaces, whose networks are all well-formed.
fn words(registry: &Registry, name: &str) -> Result<Vec<String>, mca::Error> {
    let words = registry.list(name);
    for word in words {
        if Network::parse(word).is_err() {
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
    fn an_interface_and_a_link_may_have_figures_of_their_own() {
        let settings = of(&[
            ("btl_tcp_bandwidth_eth0", "25000"),
            ("btl_tcp_latency_eth0", "5"),
            ("btl_tcp_latency_eth1", "90"),
            ("btl_tcp_bandwidth_eth0:1", "20000"),
            ("btl_tcp_bandwidth", "1000"),
            ("btl_tcp_latency", "40"),
        ])
        .unwrap();
        let figures = |name| (settings.bandwidth_of(name), settings.latency_of(name));
        assert_eq!(figures("eth0"), (Some(25000), 5000));
        assert_eq!(figures("eth1"), (Some(1000), 90_000));
        assert_eq!(figures("eth2"), (Some(1000), 40_000));
        let link = settings.figures_of("eth0:1").unwrap();
        assert_eq!((link.bandwidth_mbit, link.latency_ns), (20000, 0));
        let ip = IpAddr::from([10, 0, 0, 1]);
        let mut rail = Rail {
            local: ip,
            local_interface: 2,
            remote: (ip, 5000).into(),
            remote_interface: 2,
            link: 0,
            bandwidth_mbit: 12500,
            latency_ns: 5000,
            class: crate::pairing::Class::Shared,
        };
        settings.rate(&mut rail, "eth0");
        assert_eq!((rail.bandwidth_mbit, rail.latency_ns), (12500, 5000));
        rail.link = 1;
        settings.rate(&mut rail, "eth0");
        assert_eq!((rail.bandwidth_mbit, rail.latency_ns), (20000, 5000));
        let default = Settings::default();
        let figures = (default.bandwidth_of("eth0"), default.latency_of("eth0"));
        assert_eq!(figures, (None, 30_000));
        assert!(of(&[("btl_tcp_bandwidth_eth0", "-1")]).is_err());
    }

    #[test]
    fn the_defaults_are_what_users_know() {
        let settings = of(&[]).unwrap();
        assert_eq!((settings.links, settings.disable_family), (1, None));
        assert_eq!(
            (settings.ports_v4, settings.ports_v6),
            (settings.ports_v6, settings.ports_v4)
        );
        assert_eq!(
            settings.ports_v4,
            Ports {
                min: 0,
                count: 64511
            }
        );
        assert_eq!(
            (settings.sndbuf, settings.rcvbuf, settings.endpoint_cache),
            (0, 0, 30720)
        );
        let kept = settings.free_list;
        assert_eq!((kept.first, kept.step, kept.last), (8, 32, usize::MAX));
        assert_eq!(
            of(&[("btl_tcp_disable_family", "6")])
                .unwrap()
                .disable_family,
            Some(6)
        );
        let refused = of(&[("btl_tcp_disable_family", "5")]).unwrap_err();
        assert!(refused.contains("one of 0, 4, 6"), "{refused}");
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
