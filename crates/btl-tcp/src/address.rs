//! The address that a process gives its peers: its listening sockets and their interfaces.
//!
//! A head and up to [`ENTRIES_MAX`] entries, one for each listening socket:
//!
//! | bytes | field |
//! |---|---|
//! | 0 | version, 2 |
//! | 1 | number of entries |
//! | 2 | connections that the process wants for each pair of interfaces, from 1 |
//! | 3 | how it protects connections: 0 not, 1 by checksums, 2 by encryption |
//! | 4-7 | largest frame that the process sends |
//! | 8-23 | the network that its loopback addresses belong to (see [`crate::interfaces`]) |
//! | 24- | entries |
//!
//! | bytes of an entry | field |
//! |---|---|
//! | 0-15 | IP address; one of IPv4 has four bytes and zeros |
//! | 16-17 | port |
//! | 18 | family, 4 or 6 |
//! | 19 | prefix length of the address's network |
//! | 20-23 | the kernel's number of the interface: entries of one interface share a wire |
//! | 24-27 | bandwidth in Mbit/s; 0 if unknown |
//! | 28-31 | one-way time of a small message in ns |
//!
//! Integers are little-endian, the bytes of an IP address in their usual order.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use base::wire;

use crate::seal::Protection;
use crate::wire::{check_frame_max, Malformed};

/// Most entries of an address.
pub const ENTRIES_MAX: usize = 32;
/// Most connections for each pair of interfaces.
pub const LINKS_MAX: u8 = 16;

const VERSION: u8 = 2;
const HEAD_BYTES: usize = 24;
const ENTRY_BYTES: usize = 32;

/// The listening sockets of a process, and facts that a peer needs before it connects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// Largest frame that the process sends, in bytes without its header.
    pub frame_max: u32,
    /// Connections that it wants for each pair of interfaces, 1 to [`LINKS_MAX`].
    pub links: u8,
    /// Protection of its connections.
    pub protection: Protection,
    /// The network that its loopback addresses belong to.
    pub loopback: [u8; 16],
    /// The listening sockets of the process, in its order.
    pub entries: Vec<Entry>,
}

/// One listening socket, and the interface that it is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Address and port.
    pub socket: SocketAddr,
    /// Bits of the network's part of the address, 0 to 32 or 128.
    pub prefix: u8,
    /// The kernel's number of the interface.
    pub interface: u32,
    /// Bandwidth of the interface in Mbit/s; 0 if unknown.
    pub bandwidth_mbit: u32,
    /// One-way time of a small message in ns.
    pub latency_ns: u32,
}

impl Address {
    /// Encodes the address. At most [`ENTRIES_MAX`] entries are included.
    pub fn encode(&self) -> Vec<u8> {
        let entries = &self.entries[..self.entries.len().min(ENTRIES_MAX)];
        let mut bytes = vec![0; HEAD_BYTES];
        let protection = self.protection.number() as u8;
        bytes[..4].copy_from_slice(&[VERSION, entries.len() as u8, self.links, protection]);
        wire::write_u32(&mut bytes, 4, self.frame_max);
        bytes[8..24].copy_from_slice(&self.loopback);
        for entry in entries {
            bytes.extend_from_slice(&entry.encode());
        }
        bytes
    }

    /// Checks an address that a peer gave.
    pub fn decode(bytes: &[u8]) -> Result<Address, Malformed> {
        let length = Malformed::Length(bytes.len());
        let head = bytes.first_chunk::<HEAD_BYTES>().ok_or(length)?;
        if head[0] != VERSION {
            return Err(Malformed::Version(head[0], VERSION));
        }
        let entries = &bytes[HEAD_BYTES..];
        let count = head[1] as usize;
        if count > ENTRIES_MAX || entries.len() != count * ENTRY_BYTES {
            return Err(length);
        }
        if head[2] == 0 || head[2] > LINKS_MAX {
            return Err(Malformed::Value("number of links", head[2].into()));
        }
        let protection = Protection::of(head[3].into())
            .ok_or(Malformed::Value("kind of protection", head[3].into()))?;
        let frame_max = wire::read_u32(head, 4).ok_or(length)?;
        check_frame_max(frame_max)?;
        let mut loopback = [0; 16];
        loopback.copy_from_slice(&head[8..24]);
        let entries = entries.chunks_exact(ENTRY_BYTES);
        Ok(Address {
            frame_max,
            links: head[2],
            protection,
            loopback,
            entries: entries.map(Entry::decode).collect::<Result<_, _>>()?,
        })
    }
}

impl Entry {
    fn encode(&self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        match self.socket.ip() {
            IpAddr::V4(ip) => {
                bytes[..4].copy_from_slice(&ip.octets());
                bytes[18] = 4;
            }
            IpAddr::V6(ip) => {
                bytes[..16].copy_from_slice(&ip.octets());
                bytes[18] = 6;
            }
        }
        wire::write_u16(&mut bytes, 16, self.socket.port());
        bytes[19] = self.prefix;
        wire::write_u32(&mut bytes, 20, self.interface);
        wire::write_u32(&mut bytes, 24, self.bandwidth_mbit);
        wire::write_u32(&mut bytes, 28, self.latency_ns);
        bytes
    }

    fn decode(bytes: &[u8]) -> Result<Entry, Malformed> {
        let wrong = Malformed::Length(bytes.len());
        let bytes: &[u8; ENTRY_BYTES] = bytes.try_into().map_err(|_| wrong)?;
        let (ip, prefix_max) = match bytes[18] {
            4 if bytes[4..16].iter().any(|byte| *byte != 0) => return Err(Malformed::Reserved),
            4 => (
                IpAddr::from(Ipv4Addr::new(bytes[0], bytes[1], bytes[2], bytes[3])),
                32,
            ),
            6 => {
                let mut octets = [0; 16];
                octets.copy_from_slice(&bytes[..16]);
                (IpAddr::from(Ipv6Addr::from(octets)), 128)
            }
            other => return Err(Malformed::Value("family", other.into())),
        };
        if !is_host(ip) {
            return Err(Malformed::Value(
                "first byte of an IP address",
                bytes[0].into(),
            ));
        }
        let number = |at| wire::read_u32(bytes, at).unwrap_or_default();
        let port = u16::from_le_bytes([bytes[16], bytes[17]]);
        if port == 0 {
            return Err(Malformed::Value("port", 0));
        }
        if bytes[19] > prefix_max {
            return Err(Malformed::Value("prefix length", bytes[19].into()));
        }
        Ok(Entry {
            socket: SocketAddr::new(ip, port),
            prefix: bytes[19],
            interface: number(20),
            bandwidth_mbit: number(24),
            latency_ns: number(28),
        })
    }
}

/// Whether an address can be that of one host: not "any" (a connection to which would lead back to
/// this very host), no group, and not the other family in disguise.
fn is_host(ip: IpAddr) -> bool {
    let disguised = matches!(ip, IpAddr::V6(ip) if ip.to_ipv4_mapped().is_some());
    let everybody = matches!(ip, IpAddr::V4(ip) if ip.is_broadcast());
    !(ip.is_unspecified() || ip.is_multicast() || disguised || everybody)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn address(count: u8) -> Address {
        let entry = |n: u8| {
            let ip = match n % 2 {
                0 => IpAddr::from([0xfd77, 0, 0, 0, 0, 0, 0, u16::from(n)]),
                _ => IpAddr::from([10, 0, 0, n]),
            };
            Entry {
                socket: SocketAddr::new(ip, 1000 + u16::from(n)),
                prefix: n.min(32),
                interface: u32::from(n / 2),
                bandwidth_mbit: 10_000,
                latency_ns: 30_000 + u32::from(n),
            }
        };
        Address {
            frame_max: 128 << 10,
            links: 2,
            protection: Protection::Cipher,
            loopback: [7; 16],
            entries: (1..=count).map(entry).collect(),
        }
    }

    #[test]
    fn an_address_survives_and_every_truncation_is_refused() {
        for count in [0, 1, 2, 32] {
            let bytes = address(count).encode();
            assert_eq!(Address::decode(&bytes), Ok(address(count)));
            for len in 0..bytes.len() {
                let cut = Address::decode(&bytes[..len]);
                assert!(cut.is_err(), "{len} of {}", bytes.len());
            }
        }
        assert_eq!(address(33).encode(), address(32).encode());
    }

    #[test]
    fn a_damaged_address_is_refused_with_its_reason() {
        let damage = |at: usize, value: u8| {
            let mut bytes = address(2).encode();
            bytes[at] = value;
            Address::decode(&bytes)
        };
        let second = HEAD_BYTES + ENTRY_BYTES;
        assert_eq!(damage(0, 1), Err(Malformed::Version(1, 2)));
        assert_eq!(damage(1, 3), Err(Malformed::Length(88)));
        assert_eq!(damage(2, 0), Err(Malformed::Value("number of links", 0)));
        let kind = Malformed::Value("kind of protection", 3);
        assert_eq!(damage(3, 3), Err(kind));
        let frame_max = Malformed::Value("largest frame", 0xff02_0000);
        assert_eq!(damage(7, 0xff), Err(frame_max));
        let group = Malformed::Value("first byte of an IP address", 239);
        assert_eq!(damage(HEAD_BYTES, 239), Err(group));
        assert_eq!(damage(HEAD_BYTES + 5, 1), Err(Malformed::Reserved));
        assert_eq!(
            damage(HEAD_BYTES + 18, 5),
            Err(Malformed::Value("family", 5))
        );
        assert_eq!(
            damage(HEAD_BYTES + 19, 33),
            Err(Malformed::Value("prefix length", 33))
        );
        assert_eq!(
            damage(second + 19, 129),
            Err(Malformed::Value("prefix length", 129))
        );
    }

    #[test]
    fn addresses_that_are_no_hosts_are_refused() {
        for ip in [
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "::",
            "ff02::1",
            "::ffff:10.0.0.1",
        ] {
            let mut wrong = address(1);
            wrong.entries[0].socket.set_ip(ip.parse().unwrap());
            let refused = Address::decode(&wrong.encode());
            assert!(
                matches!(refused, Err(Malformed::Value(..))),
                "{ip}: {refused:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_address_or_refused(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..200),
            plausible: bool,
        ) {
            if plausible && bytes.len() >= HEAD_BYTES {
                let count = (bytes.len() - HEAD_BYTES) / ENTRY_BYTES;
                bytes.truncate(HEAD_BYTES + count * ENTRY_BYTES);
                bytes[..4].copy_from_slice(&[VERSION, count as u8, 1, 0]);
                bytes[7] = 0;
                for entry in bytes[HEAD_BYTES..].chunks_exact_mut(ENTRY_BYTES) {
                    entry[18] = 4 + 2 * (entry[18] % 2);
                    entry[19] %= 33;
                    if entry[18] == 4 { entry[4..16].fill(0); }
                }
            }
            if let Ok(address) = Address::decode(&bytes) {
                prop_assert_eq!(address.encode(), bytes);
            }
        }
    }
}
