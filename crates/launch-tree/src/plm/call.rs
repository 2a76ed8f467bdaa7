//! Daemons that connect to the vertex above them, because the command that started them does not
//! carry their streams.
//!
//! The vertex listens on a port of its own and passes its addresses on the command line, and a
//! secret in the environment, which only the user's processes can read. Both sides prove that they
//! have the secret before anything else is said, so that nobody else on the network becomes a
//! daemon or a launcher. What follows is not encrypted, as between the ranks.
//!
//! ```text
//! vertex -> daemon   32 random bytes
//! daemon -> vertex   its host's name (a byte with the length before it), 32 random bytes, a proof
//! vertex -> daemon   a proof
//! ```
//!
//! A proof is the keyed BLAKE3 hash of who speaks, both random numbers and the name.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use base::Instant;
use bootstrap::Secret;

use crate::poll::{Poll, Source, Until};

/// The variable with the secret, in hexadecimal digits.
pub(crate) const SECRET_VARIABLE: &str = "OXMPI_DAEMON_SECRET";
/// The argument with the name of the daemon's host: this, and the name.
pub(crate) use tm::HOST_ARGUMENT;
/// The variable in which Slurm names the host of a step's process.
const SLURM_HOST: &str = "SLURMD_NODENAME";

/// Bytes of a random number, and of a proof.
const NUMBER_BYTES: usize = 32;
/// Most bytes that a daemon says before it is known.
const HELLO_BYTES_MAX: usize = 1 + u8::MAX as usize + 2 * NUMBER_BYTES;
/// How long a client may take to say who it is, and a vertex to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most clients at a time that have not said who they are.
const CLIENTS_MAX: usize = 256;
/// Most addresses that a vertex is called at.
const ADDRESSES_MAX: usize = 16;

/// Where a vertex is called, and the secret of those who may.
#[derive(Clone)]
pub(crate) struct Invitation {
    addresses: String,
    secret: Secret,
}

impl Invitation {
    /// One for these addresses.
    pub(crate) fn new(addresses: &[SocketAddr], secret: Secret) -> Invitation {
        let addresses: Vec<String> = addresses.iter().map(SocketAddr::to_string).collect();
        Invitation {
            addresses: addresses.join(","),
            secret,
        }
    }

    /// The addresses as an argument of a daemon.
    pub(crate) fn addresses(&self) -> &str {
        &self.addresses
    }

    /// The secret as the value of a variable.
    pub(crate) fn secret(&self) -> String {
        let digits = |byte: &u8| format!("{byte:02x}");
        self.secret.0.iter().map(digits).collect()
    }
}

/// The clients of a vertex that have not said yet whose daemons they are.
pub(crate) struct Calls {
    listener: TcpListener,
    invitation: Invitation,
    clients: Vec<Client>,
    next: u32,
}

struct Client {
    number: u32,
    socket: TcpStream,
    random: [u8; NUMBER_BYTES],
    said: Vec<u8>,
    until: Instant,
}

impl Calls {
    /// Listens on all interfaces.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn listen(poll: &Poll) -> io::Result<Calls> {
        // One socket for both families where the machine has IPv6.
        let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, 0))
            .or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)))?;
        listener.set_nonblocking(true)?;
        poll.add(&listener, Source::CallListener, Until::Readable)?;
        let local = listener.local_addr()?;
        let addresses = own_addresses()?.into_iter();
        let usable = addresses.filter(|address| address.is_ipv4() || local.is_ipv6());
        let with_port = usable.map(|address| SocketAddr::new(address, local.port()));
        let addresses: Vec<SocketAddr> = with_port.take(ADDRESSES_MAX).collect();
        Ok(Calls {
            listener,
            invitation: Invitation::new(&addresses, Secret::random()?),
            clients: Vec::new(),
            next: 0,
        })
    }

    /// The addresses and the secret that daemons are to be started with.
    pub(crate) fn invitation(&self) -> &Invitation {
        &self.invitation
    }

    /// Accepts the clients that have connected.
    pub(crate) fn accept(&mut self, poll: &Poll, now: Instant) {
        while let Ok((socket, _)) = self.listener.accept() {
            if self.clients.len() < CLIENTS_MAX {
                // A client that cannot be served tries another address, or is given up in time.
                let _ = self.welcome(socket, poll, now);
            }
        }
    }

    fn welcome(&mut self, mut socket: TcpStream, poll: &Poll, now: Instant) -> io::Result<()> {
        let random = Secret::random()?.0;
        socket.set_nodelay(true)?;
        socket.set_nonblocking(true)?;
        socket.write_all(&random)?;
        let number = self.next;
        self.next = self.next.wrapping_add(1);
        poll.add(&socket, Source::Call(number), Until::Readable)?;
        self.clients.push(Client {
            number,
            socket,
            random,
            said: Vec::new(),
            until: now.after(PATIENCE),
        });
        Ok(())
    }

    /// Reads what a client says. Returns its connection once it has proved that it is the daemon of
    /// a host, with the host's name; `is_awaited` knows which are missing.
    pub(crate) fn take(
        &mut self,
        number: u32,
        poll: &Poll,
        is_awaited: impl FnOnce(&str) -> bool,
    ) -> Option<(TcpStream, String)> {
        let at = self.clients.iter().position(|one| one.number == number)?;
        match self.clients[at].read(&self.invitation.secret) {
            Said::Nothing => None,
            Said::Nonsense => {
                self.clients.remove(at);
                None
            }
            Said::Daemon { host, answer } => {
                let mut client = self.clients.remove(at);
                poll.remove(&client.socket);
                let is_taken = is_awaited(&host) && client.socket.write_all(&answer).is_ok();
                is_taken.then_some((client.socket, host))
            }
        }
    }

    /// Drops clients that take too long.
    pub(crate) fn drop_late(&mut self, now: Instant) {
        self.clients.retain(|client| now < client.until);
    }
}

/// The meaning of what a client has said so far.
enum Said {
    Nothing,
    Nonsense,
    Daemon {
        host: String,
        answer: [u8; NUMBER_BYTES],
    },
}

impl Client {
    fn read(&mut self, secret: &Secret) -> Said {
        let mut chunk = [0; HELLO_BYTES_MAX];
        match self.socket.read(&mut chunk) {
            Ok(0) => return Said::Nonsense,
            Ok(n) => self.said.extend_from_slice(&chunk[..n]),
            Err(error) if is_later(&error) => return Said::Nothing,
            Err(_) => return Said::Nonsense,
        }
        understand(&self.said, &self.random, secret)
    }
}

fn is_later(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

/// Understands the first bytes of a client, who was sent `random`.
fn understand(said: &[u8], random: &[u8; NUMBER_BYTES], secret: &Secret) -> Said {
    let Some((&length, rest)) = said.split_first() else {
        return Said::Nothing;
    };
    let Some((name, rest)) = rest.split_at_checked(usize::from(length)) else {
        return Said::Nothing;
    };
    let Some((own, proof)) = rest.split_first_chunk::<NUMBER_BYTES>() else {
        return Said::Nothing;
    };
    let expected = prove(secret, Side::Daemon, (random, own), name);
    // Hashes are compared in constant time. What is longer than a proof was not asked for.
    match <&[u8; NUMBER_BYTES]>::try_from(proof) {
        Ok(proof) if expected == blake3::Hash::from_bytes(*proof) => {}
        Err(_) if proof.len() < NUMBER_BYTES => return Said::Nothing,
        _ => return Said::Nonsense,
    }
    match String::from_utf8(name.to_vec()) {
        Ok(host) => Said::Daemon {
            answer: *prove(secret, Side::Vertex, (random, own), name).as_bytes(),
            host,
        },
        Err(_) => Said::Nonsense,
    }
}

/// Reads any first bytes: who speaks so is no daemon, unless by the secret that is fixed here.
#[cfg(any(test, fuzzing))]
pub(crate) fn read_anything(said: &[u8]) {
    let (random, secret) = ([9; NUMBER_BYTES], Secret([7; NUMBER_BYTES]));
    if let Said::Daemon { host, .. } = understand(said, &random, &secret) {
        let (length, rest) = said.split_first().expect("it has said its name");
        assert_eq!(usize::from(*length), host.len());
        assert_eq!(rest.len(), host.len() + 2 * NUMBER_BYTES);
    }
}

#[derive(Clone, Copy)]
enum Side {
    Vertex,
    Daemon,
}

/// The proof of one side; the numbers are the vertex's and the daemon's.
fn prove(
    secret: &Secret,
    side: Side,
    (of_vertex, of_daemon): (&[u8; NUMBER_BYTES], &[u8; NUMBER_BYTES]),
    name: &[u8],
) -> blake3::Hash {
    let side: &[u8] = match side {
        Side::Vertex => b"vertex",
        Side::Daemon => b"daemon",
    };
    // Only the name has no fixed length, and it is last.
    let words = [side, of_vertex, of_daemon, name].concat();
    blake3::keyed_hash(&secret.0, &words)
}

/// The addresses of this machine at which others may reach it: loopback where there are no others.
fn own_addresses() -> io::Result<Vec<IpAddr>> {
    let is_of_link = |address: &IpAddr| match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    let all = if_addrs::get_if_addrs()?;
    let all = all.into_iter().map(|interface| interface.ip());
    let (own, others): (Vec<IpAddr>, Vec<IpAddr>) = all.partition(IpAddr::is_loopback);
    let others: Vec<IpAddr> = others.into_iter().filter(|one| !is_of_link(one)).collect();
    Ok(if others.is_empty() { own } else { others })
}

/// Connects a daemon to the vertex above at one of the `addresses`, and makes the connection the
/// standard input and output of this process. `arguments` are those behind [`super::ARGUMENT`].
///
/// # Errors
/// Why it cannot, in words for the user.
pub(crate) fn call(addresses: &str, arguments: &[String]) -> Result<(), String> {
    let secret = std::env::var(SECRET_VARIABLE).ok();
    let secret = secret.as_deref().and_then(read_secret);
    let secret = secret.ok_or_else(|| format!("{SECRET_VARIABLE} did not reach this host"))?;
    let of_argument = arguments
        .iter()
        .find_map(|word| word.strip_prefix(HOST_ARGUMENT));
    let of_slurm = || std::env::var(SLURM_HOST).ok();
    let own = || {
        rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned()
    };
    let host = of_argument
        .map(String::from)
        .or_else(of_slurm)
        .unwrap_or_else(own);
    let places: Result<Vec<SocketAddr>, _> = addresses.split(',').map(str::parse).collect();
    let places = places.map_err(|_| format!("{addresses:?} are no addresses"))?;
    let socket = first_answer(&places, &host, &secret)?;
    let taken = rustix::stdio::dup2_stdin(&socket).and(rustix::stdio::dup2_stdout(&socket));
    taken.map_err(|error| format!("cannot take the connection: {error}"))
}

fn read_secret(digits: &str) -> Option<Secret> {
    let mut bytes = [0; NUMBER_BYTES];
    if digits.len() != 2 * NUMBER_BYTES || !digits.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(Secret(bytes))
}

/// Connects to all places at the same time: a network that leads nowhere costs no time. Returns the
/// connection of the first that proves to be the vertex.
fn first_answer(places: &[SocketAddr], host: &str, secret: &Secret) -> Result<TcpStream, String> {
    let (connected, arrivals) = mpsc::channel();
    for &place in places {
        let connected = connected.clone();
        std::thread::spawn(move || {
            // Nobody takes what comes after the first that serves.
            let _ = connected.send((place, TcpStream::connect_timeout(&place, PATIENCE)));
        });
    }
    drop(connected);
    let mut failure = "it has no address".to_string();
    for (place, socket) in arrivals {
        match socket.and_then(|socket| introduce(socket, host, secret)) {
            Ok(socket) => return Ok(socket),
            Err(error) => failure = format!("{place}: {error}"),
        }
    }
    Err(format!(
        "cannot reach the mpirun that started it: {failure}"
    ))
}

/// Proves to a vertex to be the daemon of `host`, and has it prove what it is.
fn introduce(mut socket: TcpStream, host: &str, secret: &Secret) -> io::Result<TcpStream> {
    socket.set_nodelay(true)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    let (mut random, own) = ([0; NUMBER_BYTES], Secret::random()?.0);
    socket.read_exact(&mut random)?;
    let name = &host.as_bytes()[..host.len().min(u8::MAX.into())];
    let proof = prove(secret, Side::Daemon, (&random, &own), name);
    let length = [name.len() as u8];
    socket.write_all(&[&length[..], name, &own, proof.as_bytes()].concat())?;
    let mut answer = [0; NUMBER_BYTES];
    socket
        .read_exact(&mut answer)
        .map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                io::Error::other(format!("it awaits no daemon of host {host}"))
            }
            _ => error,
        })?;
    if prove(secret, Side::Vertex, (&random, &own), name) != blake3::Hash::from_bytes(answer) {
        return Err(io::Error::other("it does not have the secret of the job"));
    }
    socket.set_read_timeout(None)?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: Secret = Secret([7; 32]);

    fn hello(name: &str, random: &[u8; 32], secret: &Secret) -> Vec<u8> {
        let own = [3; 32];
        let proof = prove(secret, Side::Daemon, (random, &own), name.as_bytes());
        [&[name.len() as u8], name.as_bytes(), &own, proof.as_bytes()].concat()
    }

    #[test]
    fn only_who_has_the_secret_is_a_daemon() {
        let random = [9; 32];
        let said = hello("n1", &random, &SECRET);
        let input = [&[4], &said[..]].concat();
        base::fuzz::keep("launch_tree", "hello", &input);
        for end in 0..said.len() {
            let said_so = understand(&said[..end], &random, &SECRET);
            assert!(matches!(said_so, Said::Nothing), "{end}");
        }
        let said_so = understand(&said, &random, &SECRET);
        assert!(matches!(said_so, Said::Daemon { host, .. } if host == "n1"));
        // Another secret, another number, another name, and more than was asked for.
        let others = [
            hello("n1", &random, &Secret([8; 32])),
            hello("n1", &[8; 32], &SECRET),
            [&[2], &b"n2"[..], &said[3..]].concat(),
            [&said[..], b"x"].concat(),
        ];
        for (at, said) in others.iter().enumerate() {
            let said_so = understand(said, &random, &SECRET);
            assert!(matches!(said_so, Said::Nonsense), "{at}");
        }
    }

    #[test]
    fn a_daemon_and_its_vertex_find_each_other_among_strangers() {
        let mut poll = Poll::new().unwrap();
        let mut calls = Calls::listen(&poll).unwrap();
        let invitation = calls.invitation().clone();
        let secret = read_secret(&invitation.secret()).unwrap();
        let places: Vec<SocketAddr> = invitation
            .addresses()
            .split(',')
            .map(|one| one.parse().unwrap())
            .collect();
        let stranger = TcpStream::connect(places[0]).unwrap();
        let wrong = std::thread::spawn(move || first_answer(&places, "n7", &Secret([0; 32])));
        let places: Vec<SocketAddr> = invitation
            .addresses()
            .split(',')
            .map(|one| one.parse().unwrap())
            .collect();
        let daemon = std::thread::spawn(move || first_answer(&places, "n7", &secret));
        let found = loop {
            let now = Instant::default();
            let found = poll.wait(None).into_iter().find_map(|source| match source {
                Source::CallListener => {
                    calls.accept(&poll, now);
                    None
                }
                Source::Call(number) => calls.take(number, &poll, |host| host == "n7"),
                _ => None,
            });
            if let Some(found) = found {
                break found;
            }
        };
        assert_eq!(found.1, "n7");
        let mut theirs = daemon.join().unwrap().unwrap();
        (&found.0).write_all(b"hi").unwrap();
        let mut said = [0; 2];
        theirs.read_exact(&mut said).unwrap();
        assert_eq!(&said, b"hi");
        drop((calls, stranger));
        assert!(wrong.join().unwrap().is_err());
    }

    #[test]
    fn secrets_travel_as_digits() {
        let text = Invitation::new(&[], SECRET).secret();
        assert_eq!(read_secret(&text), Some(SECRET));
        for bad in [
            "",
            "07",
            &text[1..],
            &text.replace('7', "é"),
            &text.replace('7', "g"),
        ] {
            assert_eq!(read_secret(bad), None, "{bad}");
        }
    }
}
