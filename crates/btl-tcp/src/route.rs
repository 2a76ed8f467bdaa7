//! Queries the kernel's route from one of our addresses to one of a peer's (rtnetlink(7)).
//!
//! One question is one message to the kernel, which replies at once and from memory: nothing leaves
//! the machine. Where no kernel replies (a sandbox), nothing is known, and the networks decide
//! alone. The processes of one host have the same addresses, so a reply is cached for a while: a
//! job of many ranks asks once for each pair of addresses, not of ranks.

use std::collections::HashMap;
use std::io::{self, Read};
use std::net::IpAddr;
use std::time::{Duration, Instant};

use base::wire;
use mca::Framework;
use socket2::{Domain, Socket, Type};

use crate::pairing::KernelRoute;

/// Bytes of a netlink message's header, and of the two kinds of body that are used here.
const HEADER_BYTES: usize = 16;
const ROUTE_BYTES: usize = 12;
const ERROR_BYTES: usize = 4;
/// Longest reply that is read.
const ANSWER_BYTES: usize = 4096;
/// The kernel replies before `send` returns; this is for one that only claims to be a kernel.
const PATIENCE: Duration = Duration::from_millis(200);

/// Time that a reply is valid: peers are introduced together, and routes may change later.
const FRESH: Duration = Duration::from_secs(5);

/// Queries the kernel's routes.
pub struct Routes {
    /// `None` once it has turned out that there is no reply.
    socket: Option<Socket>,
    questions: u32,
    /// The replies since `since`, by our address and the other.
    known: HashMap<(IpAddr, IpAddr), KernelRoute>,
    since: Instant,
}

impl Routes {
    /// Creates an empty cache, with a socket to the kernel.
    pub fn new() -> Routes {
        Routes {
            socket: connect().ok(),
            questions: 0,
            known: HashMap::new(),
            since: Instant::now(),
        }
    }

    /// Returns the kernel's path from `local`, an address of our interface number `interface`, to
    /// `remote`, an address of the same family.
    pub fn ask(&mut self, local: IpAddr, interface: u32, remote: IpAddr) -> KernelRoute {
        if self.since.elapsed() >= FRESH {
            self.known.clear();
            self.since = Instant::now();
        }
        if let Some(route) = self.known.get(&(local, remote)) {
            return *route;
        }
        let route = self.ask_kernel(local, interface, remote);
        self.known.insert((local, remote), route);
        route
    }

    fn ask_kernel(&mut self, local: IpAddr, interface: u32, remote: IpAddr) -> KernelRoute {
        let Some(socket) = &mut self.socket else {
            return KernelRoute::Unknown;
        };
        self.questions = self.questions.wrapping_add(1);
        match exchange(socket, self.questions, local, remote) {
            Ok(answer) => judge(&answer, self.questions, interface).unwrap_or(KernelRoute::Unknown),
            Err(error) => {
                Framework::Btl.debug(format_args!(
                    "the kernel does not report its routes: {error}"
                ));
                self.socket = None;
                KernelRoute::Unknown
            }
        }
    }
}

fn connect() -> io::Result<Socket> {
    let kind = Type::RAW.cloexec();
    let socket = Socket::new_raw(Domain::from(libc::AF_NETLINK), kind, None)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    Ok(socket)
}

fn exchange(
    socket: &mut Socket,
    number: u32,
    local: IpAddr,
    remote: IpAddr,
) -> io::Result<Vec<u8>> {
    let question = question(number, local, remote);
    let mut answer = vec![0; ANSWER_BYTES];
    socket.send(&question)?;
    loop {
        let len = socket.read(&mut answer)?;
        // A late reply belongs to an earlier question.
        if wire::read_u32(&answer, 8) == Some(number) {
            answer.truncate(len);
            return Ok(answer);
        }
    }
}

/// The message that asks for the route from `local` to `remote`.
fn question(number: u32, local: IpAddr, remote: IpAddr) -> Vec<u8> {
    let family = if remote.is_ipv4() {
        libc::AF_INET
    } else {
        libc::AF_INET6
    };
    let mut bytes = vec![0; HEADER_BYTES + ROUTE_BYTES];
    wire::write_u16(&mut bytes, 4, libc::RTM_GETROUTE);
    wire::write_u16(&mut bytes, 6, libc::NLM_F_REQUEST as u16);
    wire::write_u32(&mut bytes, 8, number);
    let bits = if remote.is_ipv4() { 32 } else { 128 };
    bytes[HEADER_BYTES..HEADER_BYTES + 3].copy_from_slice(&[family as u8, bits, bits]);
    for (kind, ip) in [(libc::RTA_DST, remote), (libc::RTA_SRC, local)] {
        let octets = match ip {
            IpAddr::V4(ip) => ip.octets().to_vec(),
            IpAddr::V6(ip) => ip.octets().to_vec(),
        };
        // Lengths and kinds are in the machine's order, here as in the kernel's messages.
        bytes.extend_from_slice(&(4 + octets.len() as u16).to_ne_bytes());
        bytes.extend_from_slice(&kind.to_ne_bytes());
        bytes.extend_from_slice(&octets);
    }
    let len = bytes.len() as u32;
    wire::write_u32(&mut bytes, 0, len);
    bytes
}

/// Parses the kernel's reply; `None` where it is malformed or decides nothing.
fn judge(answer: &[u8], number: u32, interface: u32) -> Option<KernelRoute> {
    let len = wire::read_u32(answer, 0)? as usize;
    let message = answer.get(..len)?;
    if wire::read_u32(message, 8)? != number {
        return None;
    }
    match wire::read_u16(message, 4)? {
        kind if i32::from(kind) == libc::NLMSG_ERROR => {
            let body = message.get(HEADER_BYTES..HEADER_BYTES + ERROR_BYTES)?;
            let error = i32::from_ne_bytes(body.try_into().ok()?);
            // Others (no permission, an option unknown) say nothing about the path.
            let no_way = [libc::ENETUNREACH, libc::EHOSTUNREACH, libc::ENETDOWN];
            no_way.contains(&-error).then_some(KernelRoute::Nowhere)
        }
        libc::RTM_NEWROUTE => route(message.get(HEADER_BYTES..)?, interface),
        _ => None,
    }
}

/// Parses a route: a head, and attributes of a length and a kind each.
fn route(body: &[u8], interface: u32) -> Option<KernelRoute> {
    let (head, mut rest) = body.split_at_checked(ROUTE_BYTES)?;
    match head[7] {
        libc::RTN_LOCAL => return Some(KernelRoute::Own),
        libc::RTN_UNICAST => {}
        // A route that forbids, or is for more than one host.
        _ => return Some(KernelRoute::Nowhere),
    }
    let (mut out, mut router) = (None, false);
    while rest.len() >= 4 {
        let len = usize::from(wire::read_u16(rest, 0)?);
        let value = rest.get(4..len)?;
        match wire::read_u16(rest, 2)? {
            libc::RTA_OIF => out = wire::read_u32(value, 0),
            libc::RTA_GATEWAY | libc::RTA_VIA => router = true,
            _ => {}
        }
        rest = rest.get(len.next_multiple_of(4)..).unwrap_or_default();
    }
    Some(match (out?, router) {
        (out, _) if out != interface => KernelRoute::Elsewhere,
        (_, true) => KernelRoute::Router,
        (_, false) => KernelRoute::Direct,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_kernel_knows_its_own_addresses() {
        let mut routes = Routes::new();
        let local = IpAddr::from([127, 0, 0, 1]);
        let route = routes.ask(local, 1, IpAddr::from([127, 0, 0, 1]));
        assert!(
            matches!(route, KernelRoute::Own | KernelRoute::Unknown),
            "{route:?}"
        );
        for interface in crate::interfaces::find().unwrap() {
            let route = routes.ask(interface.address, interface.index, interface.address);
            assert!(
                matches!(route, KernelRoute::Own | KernelRoute::Unknown),
                "{interface:?}: {route:?}"
            );
        }
    }

    #[test]
    fn an_answer_is_remembered_for_a_while() {
        let mut routes = Routes::new();
        let (local, remote) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 9]));
        let route = routes.ask(local, 1, remote);
        let asked = routes.questions;
        assert_eq!(routes.ask(local, 1, remote), route);
        assert_eq!(routes.questions, asked);
        let Some(before) = Instant::now().checked_sub(FRESH) else {
            return;
        };
        routes.since = before;
        assert_eq!(routes.ask(local, 1, remote), route);
        assert_eq!(routes.questions, asked + u32::from(routes.socket.is_some()));
    }

    /// An answer as the kernel would give it.
    fn answer(kind: u8, attributes: &[(u16, &[u8])]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER_BYTES + ROUTE_BYTES];
        wire::write_u16(&mut bytes, 4, libc::RTM_NEWROUTE);
        wire::write_u32(&mut bytes, 8, 5);
        bytes[HEADER_BYTES + 7] = kind;
        for (kind, value) in attributes {
            bytes.extend_from_slice(&(4 + value.len() as u16).to_ne_bytes());
            bytes.extend_from_slice(&kind.to_ne_bytes());
            bytes.extend_from_slice(value);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        let len = bytes.len() as u32;
        wire::write_u32(&mut bytes, 0, len);
        bytes
    }

    fn refusal(error: i32) -> Vec<u8> {
        let mut bytes = vec![0; HEADER_BYTES];
        wire::write_u32(&mut bytes, 0, 20);
        wire::write_u16(&mut bytes, 4, libc::NLMSG_ERROR as u16);
        wire::write_u32(&mut bytes, 8, 5);
        bytes.extend_from_slice(&(-error).to_ne_bytes());
        bytes
    }

    #[test]
    fn answers_are_understood() {
        let out = |n: u32| n.to_ne_bytes();
        let oif = libc::RTA_OIF;
        let direct = answer(
            libc::RTN_UNICAST,
            &[(libc::RTA_DST, &[10, 0, 0, 1]), (oif, &out(3))],
        );
        assert_eq!(judge(&direct, 5, 3), Some(KernelRoute::Direct));
        assert_eq!(judge(&direct, 5, 4), Some(KernelRoute::Elsewhere));
        assert_eq!(judge(&direct, 6, 3), None);
        // An attribute of odd length is padded.
        let gateway = [
            (99, &[1u8][..]),
            (libc::RTA_GATEWAY, &[10, 0, 0, 9]),
            (oif, &out(3)),
        ];
        let routed = answer(libc::RTN_UNICAST, &gateway);
        assert_eq!(judge(&routed, 5, 3), Some(KernelRoute::Router));
        let own = answer(libc::RTN_LOCAL, &[(oif, &out(1))]);
        assert_eq!(judge(&own, 5, 3), Some(KernelRoute::Own));
        let forbidden = answer(libc::RTN_BROADCAST, &[(oif, &out(3))]);
        assert_eq!(judge(&forbidden, 5, 3), Some(KernelRoute::Nowhere));
        assert_eq!(
            judge(&refusal(libc::ENETUNREACH), 5, 3),
            Some(KernelRoute::Nowhere)
        );
        assert_eq!(judge(&refusal(libc::EPERM), 5, 3), None);
    }

    proptest! {
        /// Whatever the answer is, it is judged or not, without a panic.
        #[test]
        fn any_answer_is_judged_or_none(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..120),
            plausible: bool,
        ) {
            if plausible && bytes.len() >= HEADER_BYTES + ROUTE_BYTES {
                let len = bytes.len() as u32;
                wire::write_u32(&mut bytes, 0, len);
                wire::write_u16(&mut bytes, 4, libc::RTM_NEWROUTE);
                wire::write_u32(&mut bytes, 8, 5);
                bytes[HEADER_BYTES + 7] = libc::RTN_UNICAST;
            }
            let _ = judge(&bytes, 5, 3);
        }
    }
}
