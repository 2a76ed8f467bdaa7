//! The pairing of our interfaces with a peer's.
//!
//! [`pair`] is a pure function of both sides' listening sockets and of the kernel's routes. Its
//! [`Plan`] has the *rails* to make, one for each pair of interfaces and link, best first, and the
//! *spares* to try when none of the rails comes about.
//!
//! * **Pairs are of interfaces, not of addresses.** An interface takes part in one pair at most,
//!   with the best of its addresses: two connections over one wire would not be two rails.
//! * **The pairs are those whose sum of quality times bandwidth is largest.** Both sides find the
//!   same ones from the same facts, whatever their order: the process with the lower
//!   [`base::PeerId`] is always the left one. Only the kernels' routes may differ; so a rail is a
//!   proposal by the connecting side, and proved by the handshake, as all that addresses say.
//! * **Rails are of one class.** Where two interfaces are on one network, no pair that needs a
//!   router is a rail, and no wire slower than a tenth of the best.
//! * **An address that both sides have is nobody's.** Bridges that software makes
//!   (`docker0`, `virbr0`) have the same address everywhere and lead to no other host. The same
//!   holds for an address that the kernel says is our own.
//! * **Within one network namespace there is one pair**, the loopback interface where both
//!   admit it: all other addresses lead over it anyway.

use std::cmp::Reverse;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::address::{Address, Entry};

/// Most rails of a peer.
pub const RAILS_MAX: usize = 64;
/// Bandwidth in Mbit/s that is assumed where it is unknown.
pub const BANDWIDTH_UNKNOWN: u32 = 100;
/// How many times slower than the best rail another may be.
const SLOWER_MAX: u32 = 10;

/// The kernel's route from one of our addresses to one of the peer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KernelRoute {
    /// Unknown; the networks decide.
    Unknown,
    /// Over the interface of our address, with no router between.
    Direct,
    /// Over the interface of our address, by a router.
    Router,
    /// Over another interface.
    Elsewhere,
    /// Nowhere: the address is our own.
    Own,
    /// Nowhere: there is no route.
    Nowhere,
}

/// The quality of a pair, as a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// It may lead to the peer.
    Doubtful,
    /// A router leads to the peer.
    Routed,
    /// Both are on one network.
    Shared,
    /// Both processes are in one network namespace.
    Host,
}

/// A connection to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rail {
    /// The address to connect from (with port 0); unspecified where it does not matter.
    pub local: IpAddr,
    /// The kernel's number of our interface.
    pub local_interface: u32,
    /// Where to connect to.
    pub remote: SocketAddr,
    /// The peer's number of its interface.
    pub remote_interface: u32,
    /// Index among the connections of this pair of interfaces, from 0.
    pub link: u8,
    /// The slower side's bandwidth in Mbit/s, shared among the links; from 1.
    pub bandwidth_mbit: u32,
    /// The slower side's one-way time of a small message in ns.
    pub latency_ns: u32,
    /// The quality of the pair.
    pub class: Class,
}

impl fmt::Display for Rail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = match self.class {
            Class::Doubtful => "perhaps",
            Class::Routed => "by a router",
            Class::Shared => "one network",
            Class::Host => "one host",
        };
        if self.class != Class::Host {
            write!(f, "{} to ", self.local)?;
        }
        write!(
            f,
            "{} ({class}, {} Mbit/s, {} ns)",
            self.remote, self.bandwidth_mbit, self.latency_ns
        )
    }
}

/// The connections with a peer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// To make, best first: widest, then quickest. Never empty.
    pub rails: Vec<Rail>,
    /// To try one after the other when no rail can be made, best first. One for each of the
    /// peer's addresses that no rail leads to.
    pub spares: Vec<Rail>,
}

/// Returns the connections between us and a peer; the error is the reason that there can be none.
///
/// `lower`: whether our id is the lower one. `route` is queried for pairs of addresses of one
/// family, ours first.
pub fn pair(
    ours: &Address,
    theirs: &Address,
    lower: bool,
    route: &mut dyn FnMut(&Entry, &Entry) -> KernelRoute,
) -> Result<Plan, String> {
    if theirs.entries.is_empty() {
        return Err("it listens on no address".into());
    }
    let links = ours.links.min(theirs.links).max(1);
    let together = ours.loopback == theirs.loopback;
    let mut routes = match together {
        true => within_host(ours, theirs),
        false => between_hosts(ours, theirs, route),
    };
    if routes.is_empty() {
        return Err(why_none(ours, theirs, together));
    }
    // Ties go to the earlier entry of the left side, then of the right one.
    routes.sort_by_key(|route| match lower {
        true => (route.ours, route.theirs),
        false => (route.theirs, route.ours),
    });
    let chosen = choose(&routes, lower, together);
    let mut plan = Plan {
        rails: Vec::new(),
        spares: Vec::new(),
    };
    for route in &chosen {
        plan.rails
            .extend((0..links).map(|link| route.rail(ours, theirs, link, links)));
    }
    // Stable: what is equal stays in the order that both sides have.
    plan.rails.sort_by_key(|rail| {
        let wide = Reverse(rail.bandwidth_mbit);
        (Reverse(rail.class), wide, rail.latency_ns)
    });
    routes.sort_by_key(|route| Reverse((route.class, route.weight)));
    for route in routes {
        let remote = theirs.entries[route.theirs].socket;
        let mut planned = plan.rails.iter().chain(&plan.spares);
        if planned.all(|rail| rail.remote != remote) {
            plan.spares.push(route.rail(ours, theirs, 0, 1));
        }
    }
    Ok(plan)
}

/// A pair of addresses that may serve.
#[derive(Clone, Copy, Debug)]
struct Route {
    /// Our entry.
    ours: usize,
    /// The peer's entry.
    theirs: usize,
    /// The numbers of the interfaces, the left side's first.
    interfaces: (u32, u32),
    class: Class,
    /// Quality times bandwidth.
    weight: u64,
}

impl Route {
    fn rail(&self, ours: &Address, theirs: &Address, link: u8, links: u8) -> Rail {
        let (local, remote) = (&ours.entries[self.ours], &theirs.entries[self.theirs]);
        let from = match (self.class, remote.socket.ip()) {
            (Class::Host, IpAddr::V4(_)) => Ipv4Addr::UNSPECIFIED.into(),
            (Class::Host, IpAddr::V6(_)) => Ipv6Addr::UNSPECIFIED.into(),
            _ => local.socket.ip(),
        };
        Rail {
            local: from,
            local_interface: local.interface,
            remote: remote.socket,
            remote_interface: remote.interface,
            link,
            bandwidth_mbit: (bandwidth(local, remote) / u32::from(links)).max(1),
            latency_ns: local.latency_ns.max(remote.latency_ns),
            class: self.class,
        }
    }
}

/// Returns the pairs of addresses within one network namespace. The best is that of the loopback.
fn within_host(ours: &Address, theirs: &Address) -> Vec<Route> {
    pairs(ours, theirs)
        .filter(|(_, local, _, remote)| is_loopback(local) == is_loopback(remote))
        .map(|(at, local, other, remote)| {
            let quality = match (is_loopback(local), local.interface == remote.interface) {
                (true, _) => 1_000_000,
                (_, true) => 1000,
                _ => 1,
            };
            Route {
                ours: at,
                theirs: other,
                interfaces: (0, 0),
                class: Class::Host,
                weight: quality * u64::from(bandwidth(local, remote)),
            }
        })
        .collect()
}

/// Returns the pairs of addresses of two hosts that may lead from one to the other.
fn between_hosts(
    ours: &Address,
    theirs: &Address,
    route: &mut dyn FnMut(&Entry, &Entry) -> KernelRoute,
) -> Vec<Route> {
    let has = |address: &Address, ip: IpAddr| address.entries.iter().any(|e| e.socket.ip() == ip);
    pairs(ours, theirs)
        .filter(|(_, local, _, remote)| !is_loopback(local) && !is_loopback(remote))
        .filter(|(_, local, _, remote)| {
            !has(theirs, local.socket.ip()) && !has(ours, remote.socket.ip())
        })
        .filter_map(|(at, local, other, remote)| {
            let (class, quality) = judge(local, remote, route(local, remote))?;
            Some(Route {
                ours: at,
                theirs: other,
                interfaces: (local.interface, remote.interface),
                class,
                weight: quality * u64::from(bandwidth(local, remote)),
            })
        })
        .collect()
}

/// Returns all pairs of entries of one family.
fn pairs<'a>(
    ours: &'a Address,
    theirs: &'a Address,
) -> impl Iterator<Item = (usize, &'a Entry, usize, &'a Entry)> {
    let ours = ours.entries.iter().enumerate();
    ours.flat_map(move |(at, local)| {
        let theirs = theirs.entries.iter().enumerate();
        theirs.map(move |(other, remote)| (at, local, other, remote))
    })
    .filter(|(_, local, _, remote)| local.socket.is_ipv4() == remote.socket.is_ipv4())
}

/// Returns the quality of a pair of addresses of two hosts; `None` where it cannot serve.
fn judge(local: &Entry, remote: &Entry, route: KernelRoute) -> Option<(Class, u64)> {
    let private = is_private(local.socket.ip()) || is_private(remote.socket.ip());
    let shared = (Class::Shared, if private { 90 } else { 100 });
    // Two private networks are often not connected, whatever the default route says.
    let routed = (Class::Routed, if private { 50 } else { 80 });
    match (route, share_network(local, remote)) {
        (KernelRoute::Own | KernelRoute::Nowhere, _) => None,
        (KernelRoute::Unknown | KernelRoute::Direct, true) => Some(shared),
        (KernelRoute::Elsewhere, _) => Some((Class::Doubtful, 10)),
        (KernelRoute::Router | KernelRoute::Unknown | KernelRoute::Direct, _) => Some(routed),
    }
}

/// Returns the pairs that become rails: an assignment of interfaces, and of that the best class.
fn choose(routes: &[Route], lower: bool, together: bool) -> Vec<Route> {
    // Of each pair of interfaces the best pair of addresses, the earlier of equals.
    let mut best: Vec<Route> = Vec::new();
    for route in routes {
        match best.iter_mut().find(|it| it.interfaces == route.interfaces) {
            Some(known) if (known.class, known.weight) < (route.class, route.weight) => {
                *known = *route;
            }
            Some(_) => {}
            None => best.push(*route),
        }
    }
    if together {
        return best;
    }
    let sides = |route: &Route| match (lower, route.interfaces) {
        (true, (ours, theirs)) => (ours, theirs),
        (false, (ours, theirs)) => (theirs, ours),
    };
    let sorted = |mut numbers: Vec<u32>| {
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    };
    let left = sorted(best.iter().map(|route| sides(route).0).collect());
    let right = sorted(best.iter().map(|route| sides(route).1).collect());
    let mut weights = vec![vec![0; right.len()]; left.len()];
    let place = |route: &Route| {
        let (l, r) = sides(route);
        let at = |list: &[u32], n| list.binary_search(&n).unwrap_or_default();
        (at(&left, l), at(&right, r))
    };
    for route in &best {
        let (l, r) = place(route);
        weights[l][r] = route.weight;
    }
    let partners = assign(&weights);
    best.retain(|route| {
        let (l, r) = place(route);
        partners[l] == Some(r)
    });
    let class = best.iter().map(|route| route.class).max();
    best.retain(|route| Some(route.class) == class);
    let widest = best.iter().map(|route| route.weight).max().unwrap_or(0);
    best.retain(|route| route.weight >= widest / u64::from(SLOWER_MAX));
    best
}

/// Returns each row's column, so that the sum of the weights is largest; a weight of 0 makes no
/// pair.
///
/// The method of Kuhn and Munkres: rows come in one after the other, and each pushes others
/// aside along the path that costs least, for which potentials keep the reduced costs from
/// being negative.
fn assign(weights: &[Vec<u64>]) -> Vec<Option<usize>> {
    let (rows, columns) = (weights.len(), weights.first().map_or(0, Vec::len));
    let size = rows.max(columns);
    let top = weights.iter().flatten().copied().max().unwrap_or(0) as i64;
    // A square of costs from 0 up: missing rows and columns cost the same anywhere.
    let cost = |row: usize, column: usize| {
        let weight = weights.get(row).and_then(|row| row.get(column));
        top - weight.map_or(0, |weight| *weight as i64)
    };
    let (mut of_row, mut of_column) = (vec![0i64; size], vec![0i64; size + 1]);
    // Row of each column. The last one stands for the row that comes in.
    let mut owner: Vec<Option<usize>> = vec![None; size + 1];
    for row in 0..size {
        let mut at = size;
        owner[at] = Some(row);
        let (mut least, mut from) = (vec![i64::MAX; size], vec![size; size]);
        let mut seen = vec![false; size + 1];
        while let Some(holder) = owner[at] {
            seen[at] = true;
            let (mut step, mut next) = (i64::MAX, at);
            for column in (0..size).filter(|column| !seen[*column]) {
                let reduced = cost(holder, column) - of_row[holder] - of_column[column];
                if reduced < least[column] {
                    (least[column], from[column]) = (reduced, at);
                }
                if least[column] < step {
                    (step, next) = (least[column], column);
                }
            }
            for column in 0..=size {
                match (seen[column], owner[column]) {
                    (true, Some(holder)) => {
                        of_row[holder] += step;
                        of_column[column] -= step;
                    }
                    (false, _) if column < size => least[column] -= step,
                    _ => {}
                }
            }
            at = next;
        }
        while at != size {
            owner[at] = owner[from[at]];
            at = from[at];
        }
        owner[size] = None;
    }
    let mut partners = vec![None; rows];
    for (column, owner) in owner.iter().enumerate().take(columns) {
        if let Some(row) = owner.filter(|row| *row < rows && weights[*row][column] > 0) {
            partners[row] = Some(column);
        }
    }
    partners
}

fn why_none(ours: &Address, theirs: &Address, together: bool) -> String {
    let list = |address: &Address| {
        let ips = address.entries.iter().map(|e| e.socket.ip().to_string());
        ips.collect::<Vec<_>>().join(", ")
    };
    if !together && theirs.entries.iter().all(is_loopback) {
        return "it listens only on a loopback interface that is not shared".into();
    }
    format!(
        "no route from our addresses ({}) to its addresses ({})",
        list(ours),
        list(theirs)
    )
}

/// Returns the slower side's bandwidth; a side that does not know its own believes the other.
fn bandwidth(local: &Entry, remote: &Entry) -> u32 {
    match (local.bandwidth_mbit, remote.bandwidth_mbit) {
        (0, 0) => BANDWIDTH_UNKNOWN,
        (0, known) | (known, 0) => known,
        (one, other) => one.min(other),
    }
}

fn is_loopback(entry: &Entry) -> bool {
    entry.socket.ip().is_loopback()
}

/// Whether both are on one network, where the masks differ on the smaller one.
fn share_network(one: &Entry, other: &Entry) -> bool {
    let prefix = one.prefix.max(other.prefix);
    Network {
        ip: one.socket.ip(),
        prefix,
    }
    .contains(other.socket.ip())
}

/// Whether an address means something only within an organisation, or a machine.
fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let shared_by_providers = ip.octets()[0] == 100 && ip.octets()[1] & 0xc0 == 64;
            ip.is_private() || ip.is_link_local() || shared_by_providers
        }
        IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

/// A network: all addresses whose first `prefix` bits are those of `ip`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    /// An address in it.
    pub ip: IpAddr,
    /// Bits that its addresses have in common, 0 to 32 or 128.
    pub prefix: u8,
}

impl Network {
    /// Parses a list's element as a network; `None` when it is an interface's name.
    ///
    /// # Errors
    /// The fault of an element that looks like a network.
    pub fn parse(word: &str) -> Result<Option<Network>, String> {
        let (address, prefix) = match word.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (word, None),
        };
        let malformed = || format!("{word} is not a network such as 10.1.0.0/16 or fd77::/64");
        let ip: IpAddr = match address.parse() {
            Ok(ip) => ip,
            Err(_) => {
                let digits = word.starts_with(|first: char| first.is_ascii_digit());
                let looks_so = prefix.is_some() || digits && word.contains('.');
                return if looks_so { Err(malformed()) } else { Ok(None) };
            }
        };
        let widest = if ip.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            None => Some(widest),
            Some(prefix) => prefix.parse().ok().filter(|prefix| *prefix <= widest),
        };
        let prefix = prefix.ok_or_else(malformed)?;
        Ok(Some(Network { ip, prefix }))
    }

    /// Whether an address is in the network. One of the other family is not.
    pub fn contains(&self, ip: IpAddr) -> bool {
        let prefix = u32::from(self.prefix);
        match (self.ip, ip) {
            (IpAddr::V4(own), IpAddr::V4(ip)) => {
                let mask = u32::MAX.checked_shl(32 - prefix.min(32)).unwrap_or(0);
                (own.to_bits() ^ ip.to_bits()) & mask == 0
            }
            (IpAddr::V6(own), IpAddr::V6(ip)) => {
                let mask = u128::MAX.checked_shl(128 - prefix.min(128)).unwrap_or(0);
                (own.to_bits() ^ ip.to_bits()) & mask == 0
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
