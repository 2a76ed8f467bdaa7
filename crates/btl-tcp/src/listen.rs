//! Listening sockets: one for each chosen address.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};

use socket2::{Domain, Protocol, Socket, Type};

use crate::attempt::set_buffers;
use crate::params::{Ports, Settings};
use crate::sys;

/// Connections that the kernel queues until they are accepted.
const BACKLOG: i32 = 1024;

/// Opens a socket that listens on one address, at a port of the range that is configured for its
/// family.
///
/// # Errors
/// The system's, or that the whole range is taken.
pub fn listen(ip: IpAddr, settings: &Settings) -> io::Result<TcpListener> {
    let (ports, family) = match ip {
        IpAddr::V4(_) => (settings.ports_v4, 4),
        IpAddr::V6(_) => (settings.ports_v6, 6),
    };
    match ports.range() {
        None => listen_at(SocketAddr::new(ip, 0), settings),
        Some(range) => {
            listen_within(ip, range, settings).map_err(|error| match error.raw_os_error() {
                Some(libc::EADDRINUSE) => exhausted(ports, family),
                _ => error,
            })
        }
    }
}

/// Opens a socket that listens at an address, or at any port for port 0.
fn listen_at(place: SocketAddr, settings: &Settings) -> io::Result<TcpListener> {
    let domain = Domain::for_address(place);
    let socket = Socket::new(domain, Type::STREAM.nonblocking(), Some(Protocol::TCP))?;
    set_buffers(&socket, settings)?;
    if place.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    if place.port() != 0 {
        // For a minute after a job its connections still bear the port. No listener can be
        // displaced so: then `listen` fails.
        socket.set_reuse_address(true)?;
    }
    socket.bind(&place.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

/// Listens at the first free port of a range.
fn listen_within(
    ip: IpAddr,
    (first, count): (u16, u32),
    settings: &Settings,
) -> io::Result<TcpListener> {
    // Each process begins at its own offset, so that many do not scan the same ports.
    let offset = u32::from_le_bytes(sys::random()?);
    for n in 0..count {
        let port = u32::from(first) + offset.wrapping_add(n) % count;
        match listen_at(SocketAddr::new(ip, port as u16), settings) {
            Err(error) if error.raw_os_error() == Some(libc::EADDRINUSE) => {}
            answer => return answer,
        }
    }
    Err(io::Error::from_raw_os_error(libc::EADDRINUSE))
}

fn exhausted(ports: Ports, family: u8) -> io::Error {
    let (first, count) = ports.range().unwrap_or_default();
    let last = u32::from(first) + count - 1;
    io::Error::new(
        io::ErrorKind::AddrInUse,
        format!(
            "all {count} ports from {first} to {last} are taken; widen the range \
             (btl_tcp_port_min_v{family}, btl_tcp_port_range_v{family})"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address of the loopback network that no other process of the tests uses.
    fn own_address(last: u8) -> IpAddr {
        let [_, _, high, low] = std::process::id().to_be_bytes();
        IpAddr::from([127, 1 + high % 250, low, last])
    }

    #[test]
    fn a_listener_is_on_one_address_and_in_its_range() {
        let mut settings = Settings::default();
        let ip = own_address(1);
        let any = listen(ip, &settings).unwrap().local_addr().unwrap();
        assert_eq!((any.ip(), any.port() > 0), (ip, true));
        settings.ports_v4 = Ports {
            min: 21_760,
            count: 2,
        };
        let held: Vec<TcpListener> = (0..2).map(|_| listen(ip, &settings).unwrap()).collect();
        let mut ports: Vec<u16> = held
            .iter()
            .map(|l| l.local_addr().unwrap().port())
            .collect();
        ports.sort();
        assert_eq!(ports, [21_760, 21_761]);
        let error = listen(ip, &settings).unwrap_err().to_string();
        assert!(
            error.contains("all 2 ports from 21760 to 21761 are taken"),
            "{error}"
        );
        assert!(error.contains("btl_tcp_port_range_v4"), "{error}");
        // The same port of another address is free.
        let other = own_address(2);
        assert_eq!(
            listen(other, &settings).unwrap().local_addr().unwrap().ip(),
            other
        );
    }

    /// The side that closes first keeps the port for a minute, in the state TIME_WAIT.
    #[test]
    fn a_port_whose_connections_were_closed_lately_is_free() {
        let settings = Settings {
            ports_v4: Ports {
                min: 21_780,
                count: 1,
            },
            ..Settings::default()
        };
        let ip = own_address(3);
        for _ in 0..2 {
            let listener = listen(ip, &settings).unwrap();
            let there = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            listener.set_nonblocking(false).unwrap();
            drop(listener.accept().unwrap());
            drop((listener, there));
        }
    }

    #[test]
    fn the_families_have_their_own_ranges() {
        let settings = Settings {
            ports_v6: Ports {
                min: 21_770,
                count: 1,
            },
            ..Settings::default()
        };
        let ip: IpAddr = "::1".parse().unwrap();
        let Ok(held) = listen(ip, &settings) else {
            // No IPv6 here.
            return;
        };
        assert_eq!(held.local_addr().unwrap().port(), 21_770);
        let error = listen(ip, &settings).unwrap_err().to_string();
        assert!(error.contains("btl_tcp_port_min_v6"), "{error}");
        assert!(listen(IpAddr::from([127, 0, 0, 1]), &settings).is_ok());
    }
}
