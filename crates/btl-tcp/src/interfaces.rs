//! Which interfaces are listened on, and which of a peer's addresses are tried, in which order.
//!
//! A loopback address means something only where it is the same loopback: the same boot of the
//! same kernel, and the same network namespace. [`loopback_id`] names that.

use std::cmp::Reverse;
use std::fs;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::unix::fs::MetadataExt;

use crate::sys::Interface;
use crate::wire::{Address, Entry, ENTRIES_MAX};

/// Bandwidth in Mbit/s where the interface does not tell.
const BANDWIDTH_UNKNOWN: u32 = 100;
/// Bandwidth in Mbit/s of the loopback interface.
const BANDWIDTH_LOOPBACK: u32 = 20_000;

/// The interfaces that the user's words admit, or what is wrong with the words.
///
/// An included word is an interface's name or an IPv4 network (`10.1.0.0/16`); an excluded one
/// is the beginning of a name, or a network. A word that begins with a digit is a network.
pub fn select(
    found: Vec<Interface>,
    include: &[String],
    exclude: &[String],
) -> Result<Vec<Interface>, String> {
    if !include.is_empty() && !exclude.is_empty() {
        return Err("btl_tcp_if_include and btl_tcp_if_exclude are both set: unset one".into());
    }
    let mut names: Vec<&str> = found
        .iter()
        .map(|interface| interface.name.as_str())
        .collect();
    names.dedup();
    let names = names.join(", ");
    let mut admitted = vec![include.is_empty(); found.len()];
    for word in include {
        let network = network_of(word)?;
        let mut matches = 0;
        for (interface, admitted) in found.iter().zip(&mut admitted) {
            let hit = match network {
                Some(network) => contains(network, interface.address),
                None => interface.name == *word,
            };
            *admitted |= hit;
            matches += usize::from(hit);
        }
        if matches == 0 {
            return Err(format!(
                "btl_tcp_if_include names {word}, which no interface is; those up are {names}"
            ));
        }
    }
    for word in exclude {
        let network = network_of(word)?;
        for (interface, admitted) in found.iter().zip(&mut admitted) {
            *admitted &= match network {
                Some(network) => !contains(network, interface.address),
                None => !interface.name.starts_with(word.as_str()),
            };
        }
    }
    let mut chosen: Vec<Interface> = found
        .into_iter()
        .zip(admitted)
        .filter_map(|(interface, admitted)| admitted.then_some(interface))
        .collect();
    if chosen.is_empty() {
        return Err(format!(
            "the parameters leave no interface; those up are {names}"
        ));
    }
    chosen.truncate(ENTRIES_MAX);
    Ok(chosen)
}

/// Where to connect to, best first; the error says why nowhere.
///
/// A shared loopback comes first: it is the fastest. Then the networks that both are on, the
/// longest prefix first, then the others in the peer's order: they may be routed.
pub fn candidates(
    ours: &[Interface],
    our_loopback: &[u8; 16],
    peer: &Address,
) -> Result<Vec<SocketAddrV4>, String> {
    if peer.entries.is_empty() {
        return Err("it listens on no address".into());
    }
    let together = peer.loopback == *our_loopback;
    let rank = |entry: &Entry| {
        let ip = *entry.socket.ip();
        if ip.is_loopback() {
            // Ours must be admitted too: the user may want the traffic on a real interface.
            let usable = together && ours.iter().any(|interface| interface.loopback);
            return usable.then_some((2, 0));
        }
        let shared = ours.iter().any(|interface| {
            interface.prefix == entry.prefix && contains((ip, entry.prefix), interface.address)
        });
        Some(if shared { (1, entry.prefix) } else { (0, 0) })
    };
    let mut ranked: Vec<((u8, u8), SocketAddrV4)> = peer
        .entries
        .iter()
        .filter_map(|entry| Some((rank(entry)?, entry.socket)))
        .collect();
    if ranked.is_empty() {
        return Err("it listens only on a loopback interface that is not shared".into());
    }
    ranked.sort_by_key(|(rank, _)| Reverse(*rank));
    Ok(ranked.into_iter().map(|(_, socket)| socket).collect())
}

/// Names the loopback network that this process sees.
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

/// The bandwidth of the fastest of the interfaces, in Mbit/s.
pub fn bandwidth(interfaces: &[Interface]) -> u32 {
    let speed = |interface: &Interface| {
        if interface.loopback {
            return BANDWIDTH_LOOPBACK;
        }
        // Virtual interfaces tell -1, or refuse.
        let told = fs::read_to_string(format!("/sys/class/net/{}/speed", interface.name));
        let told = told.ok().and_then(|text| text.trim().parse().ok());
        told.unwrap_or(BANDWIDTH_UNKNOWN)
    };
    interfaces
        .iter()
        .map(speed)
        .max()
        .unwrap_or(BANDWIDTH_UNKNOWN)
}

/// The network that a word means; `None` when it means a name.
pub fn network_of(word: &str) -> Result<Option<(Ipv4Addr, u8)>, String> {
    if !word.starts_with(|first: char| first.is_ascii_digit()) {
        return Ok(None);
    }
    let malformed = || format!("{word} is not an IPv4 network such as 10.1.0.0/16");
    let (address, prefix) = word.split_once('/').unwrap_or((word, "32"));
    let address = address.parse().map_err(|_| malformed())?;
    let prefix = prefix
        .parse()
        .ok()
        .filter(|prefix| *prefix <= 32)
        .ok_or_else(malformed)?;
    Ok(Some((address, prefix)))
}

fn contains((network, prefix): (Ipv4Addr, u8), address: Ipv4Addr) -> bool {
    let mask = u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0);
    (network.to_bits() ^ address.to_bits()) & mask == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Vec<Interface> {
        let interface = |name: &str, address: [u8; 4], prefix| Interface {
            name: name.into(),
            address: address.into(),
            prefix,
            loopback: name == "lo",
        };
        vec![
            interface("lo", [127, 0, 0, 1], 8),
            interface("eth0", [10, 1, 2, 3], 16),
            interface("eth1", [192, 168, 7, 1], 24),
        ]
    }

    fn names(include: &[&str], exclude: &[&str]) -> Result<Vec<String>, String> {
        let words = |words: &[&str]| {
            words
                .iter()
                .map(|word| word.to_string())
                .collect::<Vec<_>>()
        };
        let chosen = select(found(), &words(include), &words(exclude))?;
        Ok(chosen.into_iter().map(|interface| interface.name).collect())
    }

    #[test]
    fn words_choose_interfaces_by_name_or_network() {
        assert_eq!(names(&[], &[]).unwrap(), ["lo", "eth0", "eth1"]);
        assert_eq!(
            names(&["eth1", "10.0.0.0/8"], &[]).unwrap(),
            ["eth0", "eth1"]
        );
        assert_eq!(names(&["10.1.2.3"], &[]).unwrap(), ["eth0"]);
        assert_eq!(names(&[], &["eth", "1.0.0.0/8"]).unwrap(), ["lo"]);
        assert_eq!(names(&[], &["127.0.0.1/8"]).unwrap(), ["eth0", "eth1"]);
        assert_eq!(names(&["0.0.0.0/0"], &[]).unwrap().len(), 3);
    }

    #[test]
    fn wrong_words_are_named() {
        assert!(names(&["eth9"], &[])
            .unwrap_err()
            .contains("eth9, which no interface is"));
        assert!(names(&["eth"], &[])
            .unwrap_err()
            .contains("those up are lo, eth0, eth1"));
        assert!(names(&["10.1.0.0/33"], &[])
            .unwrap_err()
            .contains("10.1.0.0/33 is not"));
        assert!(names(&["10.1"], &[]).unwrap_err().contains("10.1 is not"));
        assert!(names(&["lo"], &["eth"]).unwrap_err().contains("both set"));
        assert!(names(&[], &["lo", "eth"])
            .unwrap_err()
            .contains("leave no interface"));
    }

    #[test]
    fn the_loopback_is_for_those_who_share_it() {
        let entry = |ip: [u8; 4], prefix| Entry {
            socket: SocketAddrV4::new(ip.into(), 5000),
            prefix,
        };
        let peer = Address {
            frame_max: 4096,
            loopback: [1; 16],
            entries: vec![
                entry([172, 17, 0, 1], 16),
                entry([10, 1, 9, 9], 16),
                entry([127, 0, 0, 1], 8),
                entry([192, 168, 7, 2], 24),
            ],
        };
        let ips = |ours: &[Interface], id| {
            let list = candidates(ours, &id, &peer).unwrap();
            list.into_iter()
                .map(|socket| socket.ip().octets()[0])
                .collect::<Vec<_>>()
        };
        assert_eq!(ips(&found(), [1; 16]), [127, 192, 10, 172]);
        assert_eq!(ips(&found(), [2; 16]), [192, 10, 172]);
        assert_eq!(ips(&found()[1..2], [1; 16]), [10, 172, 192]);
        let mut alone = peer.clone();
        alone.entries = vec![entry([127, 0, 0, 1], 8)];
        assert!(candidates(&found(), &[2; 16], &alone)
            .unwrap_err()
            .contains("not shared"));
    }
}
