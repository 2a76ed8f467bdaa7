//! Selection of the interfaces to listen on, with their speed and network.
//!
//! The user's lists (`btl_tcp_if_include`, `btl_tcp_if_exclude`) choose by name or by network.
//! Without them every interface that is up and has a carrier serves; which of them lead to a peer
//! is decided for each peer ([`crate::pairing`]).
//!
//! Unsuitable addresses are left out: IPv6 addresses that are link-local, that the kernel has not
//! yet found to be unique, or that it changes from time to time.
//!
//! A loopback address is valid only within one boot of one kernel and one network namespace, which
//! [`loopback_id`] identifies.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::os::unix::fs::MetadataExt;

use mca::Framework;

use crate::address::ENTRIES_MAX;
use crate::pairing::{Network, BANDWIDTH_UNKNOWN};
use crate::params::Settings;
use crate::sys;
pub use crate::sys::Interface;

/// Bandwidth in Mbit/s of the loopback interface.
const BANDWIDTH_LOOPBACK: u32 = 20_000;

/// Returns the addresses of this machine that can serve a job at all.
///
/// # Errors
/// When the system does not report them.
pub fn find() -> io::Result<Vec<Interface>> {
    let unfit = fs::read_to_string("/proc/net/if_inet6").unwrap_or_default();
    let unfit = unfit_addresses(&unfit);
    let mut found = sys::interfaces()?;
    found.retain(|interface| match interface.address {
        IpAddr::V4(_) => true,
        IpAddr::V6(ip) => !ip.is_unicast_link_local() && !unfit.contains(&ip),
    });
    Ok(found)
}

/// The addresses of IPv6 that `/proc/net/if_inet6` marks as temporary, deprecated, or not (yet)
/// found to be unique.
fn unfit_addresses(table: &str) -> Vec<Ipv6Addr> {
    const TEMPORARY: u32 = 0x01;
    const DUPLICATE: u32 = 0x08;
    const DEPRECATED: u32 = 0x20;
    const TENTATIVE: u32 = 0x40;
    let unfit = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [address, _, _, _, flags, _] = words[..] else {
            return None;
        };
        let flags = u32::from_str_radix(flags, 16).ok()?;
        let address = u128::from_str_radix(address, 16).ok()?;
        let bad = flags & (TEMPORARY | DUPLICATE | DEPRECATED | TENTATIVE) != 0;
        bad.then(|| Ipv6Addr::from_bits(address))
    };
    table.lines().filter_map(unfit).collect()
}

/// Returns the interfaces that the user's lists admit, or the fault of a list.
///
/// An element is an interface's name, whole, or a network (`10.1.0.0/16`, `fd77::/64`, or an
/// address alone).
pub fn select(found: Vec<Interface>, settings: &Settings) -> Result<Vec<Interface>, String> {
    let (include, exclude) = (&settings.if_include, &settings.if_exclude);
    if !include.is_empty() && !exclude.is_empty() {
        return Err("btl_tcp_if_include and btl_tcp_if_exclude are both set: unset one".into());
    }
    let there = describe(&found);
    let mut found = found;
    found.retain(|interface| !settings.disables(interface.address));
    for word in include {
        if !found.iter().any(|interface| meant(word, interface)) {
            return Err(format!(
                "btl_tcp_if_include: no interface `{word}`; available: {there}"
            ));
        }
    }
    if settings.warn_all_unfound_interfaces {
        let own = |word: &str| found.iter().any(|interface| meant(word, interface));
        for word in exclude.iter().filter(|word| !own(word)) {
            Framework::Btl.warn(format_args!(
                "btl_tcp_if_exclude: no interface `{word}`; available: {there}"
            ));
        }
        let names = settings.figures.iter().map(|figures| figures.name.as_str());
        for name in names.filter(|name| !own(name.split(':').next().unwrap_or(name))) {
            Framework::Btl.warn(format_args!(
                "parameters of `{name}` are set: no such interface; available: {there}"
            ));
        }
    }
    let any =
        |words: &[String], interface: &Interface| words.iter().any(|word| meant(word, interface));
    let mut chosen: Vec<Interface> = Vec::new();
    for interface in found {
        let admitted = match include.is_empty() {
            true => interface.running || interface.loopback,
            false => any(include, &interface),
        };
        let twice = || chosen.iter().any(|chosen| is_enough(chosen, &interface));
        if admitted && !any(exclude, &interface) && !twice() {
            chosen.push(interface);
        }
    }
    if chosen.is_empty() {
        return Err(format!(
            "the parameters exclude every interface; available: {there}"
        ));
    }
    chosen.truncate(ENTRIES_MAX);
    Ok(chosen)
}

/// Whether a list's element names an interface. A malformed network names none.
fn meant(word: &str, interface: &Interface) -> bool {
    match Network::parse(word) {
        Ok(Some(network)) => network.contains(interface.address),
        Ok(None) => {
            // The kernel's tools call a further address of eth0 `eth0:1`.
            let name = interface.name.as_str();
            name == word || name.split(':').next() == Some(word)
        }
        Err(_) => false,
    }
}

/// Retains of the chosen interfaces only those that no other host can reach, if there is one.
/// Returns the others.
pub fn stay_within_host(chosen: &mut Vec<Interface>) -> Vec<Interface> {
    if !chosen.iter().any(|interface| interface.loopback) {
        return Vec::new();
    }
    let (within, beyond) = std::mem::take(chosen)
        .into_iter()
        .partition(|interface| interface.loopback);
    *chosen = within;
    beyond
}

/// Whether one address makes another superfluous: one of the same network, or the loopback's of
/// the other family.
fn is_enough(chosen: &Interface, another: &Interface) -> bool {
    let (ip, prefix) = (chosen.address, chosen.prefix);
    let same_network = prefix == another.prefix && Network { ip, prefix }.contains(another.address);
    chosen.index == another.index && (same_network || chosen.loopback && another.address.is_ipv6())
}

/// Lists the interfaces with their addresses, for messages.
fn describe(found: &[Interface]) -> String {
    let mut parts: Vec<(&str, Vec<String>)> = Vec::new();
    for interface in found {
        let address = format!("{}/{}", interface.address, interface.prefix);
        match parts.iter_mut().find(|(name, _)| *name == interface.name) {
            Some((_, addresses)) => addresses.push(address),
            None => parts.push((&interface.name, vec![address])),
        }
    }
    let texts = parts
        .into_iter()
        .map(|(name, addresses)| format!("{name} ({})", addresses.join(" ")));
    match texts.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "none that is up".into(),
        some => some,
    }
}

/// Returns an identifier of the loopback network that this process sees.
pub fn loopback_id() -> [u8; 16] {
    let boot = fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let namespace = fs::metadata("/proc/self/ns/net").map_or((0, 0), |m| (m.dev(), m.ino()));
    let mut hasher = blake3::Hasher::new_derive_key("oxmpi btl tcp loopback network, version 1");
    hasher
        .update(&namespace.0.to_le_bytes())
        .update(&namespace.1.to_le_bytes())
        .update(&boot);
    let mut id = [0; 16];
    id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    id
}

/// The bandwidth of an interface in Mbit/s: what the user says, else what the kernel says; 0
/// where it is unknown.
pub fn bandwidth(interface: &Interface, settings: &Settings) -> u32 {
    let by_kernel = || {
        if interface.loopback {
            return BANDWIDTH_LOOPBACK;
        }
        // Virtual interfaces report -1, or refuse.
        let name = interface.name.split(':').next().unwrap_or_default();
        let speed = fs::read_to_string(format!("/sys/class/net/{name}/speed"));
        speed
            .ok()
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(0)
    };
    settings
        .bandwidth_of(&interface.name)
        .unwrap_or_else(by_kernel)
}

/// The bandwidth of the fastest of the interfaces, in Mbit/s.
pub fn widest(interfaces: &[Interface], settings: &Settings) -> u32 {
    let all = interfaces.iter().map(|it| bandwidth(it, settings));
    match all.max().unwrap_or(0) {
        0 => BANDWIDTH_UNKNOWN,
        known => known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Vec<Interface> {
        let interface = |index, name: &str, address: &str, prefix| Interface {
            name: name.into(),
            index,
            address: address.parse().unwrap(),
            prefix,
            loopback: name == "lo",
            running: name != "docker0",
        };
        vec![
            interface(1, "lo", "127.0.0.1", 8),
            interface(2, "eth0", "10.1.2.3", 16),
            interface(3, "eth1", "192.168.7.1", 24),
            interface(4, "docker0", "172.17.0.1", 16),
            interface(1, "lo", "::1", 128),
            interface(2, "eth0", "fd77::3", 64),
            interface(2, "eth0", "fd77::4", 64),
            interface(2, "eth0:1", "10.9.2.3", 16),
        ]
    }

    fn chosen(settings: &Settings) -> Result<Vec<String>, String> {
        let chosen = select(found(), settings)?;
        Ok(chosen.iter().map(|it| it.address.to_string()).collect())
    }

    fn addresses(include: &[&str], exclude: &[&str]) -> Result<Vec<String>, String> {
        let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
        chosen(&Settings {
            if_include: words(include),
            if_exclude: words(exclude),
            ..Settings::default()
        })
    }

    #[test]
    fn words_choose_interfaces_by_name_or_network() {
        // Not what has no carrier, nor a second address of a network, nor the loopback twice.
        let all = [
            "127.0.0.1",
            "10.1.2.3",
            "192.168.7.1",
            "fd77::3",
            "10.9.2.3",
        ];
        assert_eq!(addresses(&[], &[]).unwrap(), all);
        let eth0 = ["10.1.2.3", "fd77::3", "10.9.2.3"];
        assert_eq!(addresses(&["eth0"], &[]).unwrap(), eth0);
        assert_eq!(addresses(&["eth0:1"], &[]).unwrap(), ["10.9.2.3"]);
        assert_eq!(
            addresses(&["eth1", "10.1.0.0/16"], &[]).unwrap(),
            ["10.1.2.3", "192.168.7.1"]
        );
        assert_eq!(addresses(&["10.1.2.3"], &[]).unwrap(), ["10.1.2.3"]);
        assert_eq!(addresses(&["fd00::/8"], &[]).unwrap(), ["fd77::3"]);
        assert_eq!(addresses(&["fd77::4"], &[]).unwrap(), ["fd77::4"]);
        assert_eq!(addresses(&["docker0"], &[]).unwrap(), ["172.17.0.1"]);
        assert_eq!(addresses(&["::1"], &[]).unwrap(), ["::1"]);
        assert_eq!(addresses(&["0.0.0.0/0"], &[]).unwrap().len(), 5);
        let none_of_eth0 = ["127.0.0.1", "192.168.7.1"];
        assert_eq!(addresses(&[], &["eth0"]).unwrap(), none_of_eth0);
        // The beginning of a name is no name; what is not there need not be excluded.
        assert_eq!(addresses(&[], &["eth", "sppp", "1.0.0.0/8"]).unwrap(), all);
        assert_eq!(addresses(&[], &["127.0.0.1/8", "::1"]).unwrap(), all[1..]);
    }

    #[test]
    fn a_job_on_one_host_stays_there() {
        let within = |exclude: &str| {
            let settings = Settings {
                if_exclude: vec![exclude.to_string()],
                ..Settings::default()
            };
            let mut chosen = select(found(), &settings).unwrap();
            stay_within_host(&mut chosen);
            let addresses = chosen.iter().map(|it| it.address.to_string());
            addresses.collect::<Vec<_>>()
        };
        assert_eq!(within("docker0"), ["127.0.0.1"]);
        assert_eq!(within("lo"), addresses(&[], &["lo"]).unwrap());
    }

    #[test]
    fn families_can_be_disabled() {
        let without = |family| {
            let disable_family = Some(family);
            chosen(&Settings {
                disable_family,
                ..Settings::default()
            })
            .unwrap()
        };
        assert_eq!(
            without(6),
            ["127.0.0.1", "10.1.2.3", "192.168.7.1", "10.9.2.3"]
        );
        assert_eq!(without(4), ["::1", "fd77::3"]);
    }

    #[test]
    fn wrong_words_are_named() {
        let error = addresses(&["eth9"], &[]).unwrap_err();
        assert!(error.contains("no interface `eth9`"), "{error}");
        let error = addresses(&["eth"], &[]).unwrap_err();
        let list = "lo (127.0.0.1/8 ::1/128), eth0 (10.1.2.3/16 fd77::3/64";
        assert!(error.contains(list), "{error}");
        let error = addresses(&["10.200.0.0/16"], &[]).unwrap_err();
        assert!(error.contains("no interface `10.200.0.0/16`"), "{error}");
        let error = addresses(&["lo"], &["eth0"]).unwrap_err();
        assert!(error.contains("both set"), "{error}");
        let error = addresses(&[], &["0.0.0.0/0", "::/0"]).unwrap_err();
        assert!(error.contains("exclude every interface"), "{error}");
    }

    #[test]
    fn networks_are_distinguished_from_names() {
        for name in ["eth0", "eth0:1", "1eth", "enp3s0f1np1", "eth0.100", "face"] {
            assert_eq!(Network::parse(name), Ok(None), "{name}");
        }
        let malformed = [
            "10.1.0.0/33",
            "10.1",
            "10.1.2.3.4",
            "fd77::/129",
            "eth0/16",
            "10.1.0.0/",
            "10.1.0.0/x",
        ];
        for word in malformed {
            let error = Network::parse(word).unwrap_err();
            assert!(
                error.contains(&format!("{word} is not a network")),
                "{error}"
            );
        }
        let network = Network::parse("fd77::/64").unwrap().unwrap();
        assert_eq!((network.ip.is_ipv6(), network.prefix), (true, 64));
        assert_eq!(Network::parse("10.1.2.3").unwrap().unwrap().prefix, 32);
    }

    #[test]
    fn addresses_that_may_vanish_are_unfit() {
        let table = "\
            fe8000000000000000fc00fffe000001 04 40 20 80     eth0\n\
            fd000000000000000000000000000002 04 40 00 82     eth0\n\
            fd000000000000000000000000000003 04 40 00 01     eth0\n\
            fd000000000000000000000000000004 04 40 00 e0     eth0\n\
            garbage\n";
        let unfit = unfit_addresses(table);
        let expected: Vec<Ipv6Addr> = vec!["fd00::3".parse().unwrap(), "fd00::4".parse().unwrap()];
        assert_eq!(unfit, expected);
    }
}
