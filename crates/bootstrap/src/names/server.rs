//! The name server: where it is, and a connection to it.
//!
//! Both sides prove in the handshake of a port that they know the server's key. After it each
//! message is its length, a mac with its number under the key of its direction, and its bytes.
//!
//! The key stands in the server's URI, which looks like the name of a port, or in a file of the
//! user ([`KEY_FILE`]), so that a host and a port are enough.

use std::fmt::{self, Write as _};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::wire::read_u32;
use environment::{open_own, Others};
use rustix::net::sockopt;

use super::{Answer, Question, NAMES_BYTES_MAX};
use crate::port::{PortKey, PortName, Refusal, Session, Side, CHALLENGE_BYTES};
use crate::Secret;

/// The port of a name server where none is named: that of Hydra's.
pub const DEFAULT_PORT: u16 = 6392;
/// The file with the key of the user's name servers, in the user's home directory.
pub const KEY_FILE: &str = ".oxmpi/name-server.key";
/// Most bytes of a message.
pub const STRING_BYTES_MAX: usize = NAMES_BYTES_MAX + 64;

/// Beginning of the name of a port, and of the URI of a server.
const URI_PREFIX: &str = "oxmpi:";
/// Beginning of a path.
const FILE_PREFIX: &str = "file:";
/// Time limit of connecting to one address.
const DIAL_PATIENCE: Duration = Duration::from_secs(3);
/// Time limit of an answer of the server.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time without messages after which the system probes a client's host.
const SILENCE: Duration = Duration::from_secs(60);
/// Most bytes that are read of a file with a key.
const KEY_BYTES_MAX: u64 = 256;
/// Attempts of a client that finds the server crowded.
const TRIES_MAX: usize = 5;
const MAC_BYTES: usize = 32;
const HEAD_BYTES: usize = 4 + MAC_BYTES;

/// Location of published names, by the parameter for it.
pub enum NameStore {
    /// The launcher: the parameter is not set.
    Default,
    /// In a file.
    File(PathBuf),
    /// At a name server.
    Server(PortName),
}

impl NameStore {
    /// Reads a parameter: `file:PATH`, `HOST:PORT`, `HOST`, or a server's URI, which may also stand
    /// in the file.
    ///
    /// # Errors
    /// One sentence when the text has another form, or the location cannot be used.
    pub fn parse(text: &str) -> Result<NameStore, String> {
        if text.is_empty() {
            return Ok(NameStore::Default);
        }
        if let Some(path) = text.strip_prefix(FILE_PREFIX) {
            return of_file(path);
        }
        if text.starts_with(URI_PREFIX) {
            return uri(text).map(NameStore::Server);
        }
        let addresses = resolve(text)?;
        let path = key_path().ok_or("HOME is not set, which has the key of name servers")?;
        let key = read_key(&path).map_err(|error| {
            format!(
                "no key for the name server {text}: {}: {error}; start oxmpi-server as this user, \
                 or name a file with its URI",
                path.display()
            )
        })?;
        Ok(NameStore::Server(PortName { addresses, key }))
    }
}

fn uri(text: &str) -> Result<PortName, String> {
    let name = PortName::parse(text)
        .ok()
        .filter(|name| !name.addresses.is_empty());
    name.ok_or_else(|| {
        let shown = PortName::cut(text);
        format!("`{shown}` is not the URI of a name server (oxmpi:ADDRESS:PORT#KEY)")
    })
}

/// Returns the name store that a file is, or the server whose URI it holds.
fn of_file(path: &str) -> Result<NameStore, String> {
    if path.is_empty() {
        return Err("file: without a path".to_string());
    }
    let refused = |error: &dyn std::fmt::Display| format!("{path}: {error}");
    let mut start = Vec::new();
    match open_own(Path::new(path), Others::MayNothing) {
        Ok(file) => {
            let read = file.take(2048).read_to_end(&mut start);
            read.map_err(|error| refused(&error))?;
        }
        // Names may be published there.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(refused(&error)),
    }
    let start = String::from_utf8_lossy(&start);
    match start.lines().next() {
        Some(line) if line.starts_with(URI_PREFIX) => uri(line.trim_end())
            .map(NameStore::Server)
            .map_err(|why| refused(&why)),
        // Lines of names have tabs.
        Some(line) if !line.contains('\t') => Err(refused(&format!(
            "its first line, `{}`, is neither the URI of a name server (oxmpi:ADDRESS:PORT#KEY) \
             nor a published name",
            PortName::cut(line)
        ))),
        _ => Ok(NameStore::File(path.into())),
    }
}

/// The addresses of `HOST:PORT` or `HOST`.
fn resolve(text: &str) -> Result<Vec<SocketAddr>, String> {
    let wanted = "HOST:PORT, HOST, file:PATH or the URI of a name server";
    let (host, port) = match text.rsplit_once(':') {
        // An address of IPv6 without a port.
        Some((host, _)) if host.contains(':') && !host.starts_with('[') => (text, DEFAULT_PORT),
        Some((host, port)) if !text.ends_with(']') => {
            let port = port.parse().ok().filter(|&port| port != 0);
            (
                host,
                port.ok_or_else(|| format!("`{text}` is not {wanted}"))?,
            )
        }
        _ => (text, DEFAULT_PORT),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '%');
    if host.is_empty() || !host.chars().all(is_host) {
        return Err(format!("`{text}` is not {wanted}"));
    }
    let found = (host, port).to_socket_addrs();
    let found: Vec<SocketAddr> = found
        .map_err(|error| format!("host {host} of the name server cannot be found: {error}"))?
        .collect();
    match found.is_empty() {
        true => Err(format!("host {host} of the name server has no address")),
        false => Ok(found),
    }
}

/// The user's file with the key of name servers.
fn key_path() -> Option<PathBuf> {
    let home = environment::var_os("HOME").filter(|home| !home.is_empty())?;
    Some(Path::new(&home).join(KEY_FILE))
}

fn read_key(path: &Path) -> io::Result<[u8; 32]> {
    let mut text = String::new();
    let file = open_own(path, Others::MayNothing)?;
    file.take(KEY_BYTES_MAX).read_to_string(&mut text)?;
    let digits = text.trim();
    let mut key = [0; 32];
    let is_key = digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_key {
        return Err(io::Error::other("it holds no key (64 hexadecimal digits)"));
    }
    for (at, byte) in key.iter_mut().enumerate() {
        let digits = &digits[2 * at..2 * at + 2];
        *byte = u8::from_str_radix(digits, 16).map_err(io::Error::other)?;
    }
    Ok(key)
}

/// Returns the key of the user's name servers, from a file that is made where it is not there.
///
/// # Errors
/// One sentence when the file can be neither read nor made.
pub(super) fn own_key() -> Result<[u8; 32], String> {
    let path = key_path().ok_or("HOME is not set, which has the key of name servers")?;
    let refused = |error: io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        let mut builder = fs::DirBuilder::new();
        builder
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(refused)?;
    }
    let made = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path);
    match made {
        Ok(mut file) => {
            let Secret(key) = Secret::random().map_err(refused)?;
            let mut text = String::new();
            key.iter().for_each(|byte| {
                let _ = write!(text, "{byte:02x}");
            });
            file.write_all(format!("{text}\n").as_bytes())
                .map_err(refused)?;
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(refused(error)),
    }
    read_key(&path).map_err(refused)
}

/// A connection to a name server, or of a server to a client. What a process has published there
/// is withdrawn when it is closed.
pub struct Server {
    stream: TcpStream,
    /// Keys to what this side sends and receives.
    keys: ([u8; 32], [u8; 32]),
    /// Messages sent and received so far.
    counts: (u64, u64),
}

impl Server {
    /// Returns the key of the user's name servers; see [`KEY_FILE`].
    ///
    /// # Errors
    /// One sentence when the file can be neither read nor made.
    pub fn own_key() -> Result<[u8; 32], String> {
        own_key()
    }

    /// Connects to a server, by the first of its addresses at which somebody knows the key.
    ///
    /// # Errors
    /// One sentence when nobody does.
    pub fn connect(place: &PortName) -> Result<Server, String> {
        let (key, until) = (PortKey::new(&place.key), Instant::now() + PATIENCE);
        let mut failures = Vec::new();
        for address in &place.addresses {
            let mut tried = dial(address, &key, until);
            for _ in 1..TRIES_MAX {
                if !matches!(tried, Err(Failure::Refused(Refusal::Crowded))) {
                    break;
                }
                tried = dial(address, &key, until);
            }
            match tried {
                Ok(server) => return Ok(server),
                Err(failure) => failures.push(format!("{address}: {failure}")),
            }
        }
        Err(format!(
            "the name server cannot be reached: {} (is oxmpi-server running there?)",
            failures.join("; ")
        ))
    }

    /// Returns, at the server, the connection to a client that has proved that it knows the key.
    ///
    /// # Errors
    /// The system's.
    pub fn of_client(stream: TcpStream, session: &Session) -> io::Result<Server> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        // It may be silent from now on, for as long as it holds names and its host is there.
        sockopt::set_socket_keepalive(&stream, true)?;
        sockopt::set_tcp_keepidle(&stream, SILENCE)?;
        Ok(Server::new(stream, session, Side::Server))
    }

    fn new(stream: TcpStream, session: &Session, side: Side) -> Server {
        Server {
            stream,
            keys: session.keys(side),
            counts: (0, 0),
        }
    }

    /// Asks the server a question.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn ask(&mut self, question: &Question) -> io::Result<Answer> {
        let mut bytes = Vec::new();
        question.encode(&mut bytes);
        self.send(&bytes)?;
        let answer = Answer::decode(&self.receive(Some(Instant::now() + PATIENCE))?);
        answer.ok_or_else(|| io::Error::other("malformed answer"))
    }

    /// Receives, at the server, the client's next question, and sends the result of `answer`.
    ///
    /// # Errors
    /// When the client has closed the connection, or sends a malformed question.
    pub fn serve(&mut self, answer: impl FnOnce(Question) -> Answer) -> io::Result<()> {
        let question = Question::decode(&self.receive(None)?);
        let question = question.ok_or_else(|| io::Error::other("malformed question"))?;
        let mut bytes = Vec::new();
        answer(question).encode(&mut bytes);
        self.send(&bytes)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut out = (bytes.len() as u32).to_le_bytes().to_vec();
        out.extend_from_slice(mac(&self.keys.0, self.counts.0, bytes).as_bytes());
        out.extend_from_slice(bytes);
        self.counts.0 += 1;
        self.stream.write_all(&out)
    }

    /// Receives a message, before a deadline where there is one.
    fn receive(&mut self, until: Option<Instant>) -> io::Result<Vec<u8>> {
        let mut read = |bytes: &mut [u8]| match until {
            Some(until) => read_until(&mut self.stream, bytes, until),
            None => self.stream.read_exact(bytes),
        };
        let mut head = [0; HEAD_BYTES];
        read(&mut head)?;
        let length = read_u32(&head, 0).unwrap_or(u32::MAX) as usize;
        if length > STRING_BYTES_MAX {
            return Err(io::Error::other(format!(
                "a message of {length} bytes; at most {STRING_BYTES_MAX} are accepted"
            )));
        }
        let mut bytes = vec![0; length];
        read(&mut bytes)?;
        let mut received = [0; MAC_BYTES];
        received.copy_from_slice(&head[4..]);
        let expected = mac(&self.keys.1, self.counts.1, &bytes);
        self.counts.1 += 1;
        match expected == blake3::Hash::from_bytes(received) {
            true => Ok(bytes),
            false => Err(io::Error::other(
                "a message was altered on its way: its authentication code does not match",
            )),
        }
    }
}

/// The reason that an attempt to connect to a server failed.
enum Failure {
    /// It was closed before a whole answer came.
    Closed,
    Refused(Refusal),
    /// The answer was made without the key.
    Stranger,
    System(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => Failure::Closed,
            _ => Failure::System(error),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Closed => write!(f, "the server closed the connection without an answer"),
            Failure::Refused(Refusal::WrongKey) => write!(f, "the server has another key"),
            Failure::Refused(Refusal::Crowded) => {
                write!(
                    f,
                    "too many clients have connected that have not shown the server's key"
                )
            }
            Failure::Stranger => write!(f, "whoever answers there does not know the key"),
            Failure::System(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                    write!(f, "the server did not answer in time")
                }
                _ => write!(f, "{error}"),
            },
        }
    }
}

/// Connects to an address, handshake included, before `until`.
fn dial(address: &SocketAddr, key: &PortKey, until: Instant) -> Result<Server, Failure> {
    let left = time_until(until)?;
    let mut stream = TcpStream::connect_timeout(address, left.min(DIAL_PATIENCE))?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let Secret(nonce) = Secret::random()?;
    let hello = key.hello(&nonce);
    stream.write_all(&hello)?;
    let mut challenge = [0; CHALLENGE_BYTES];
    read_until(&mut stream, &mut challenge, until)?;
    let proof = key.prove(&hello, &challenge);
    let proof = proof.ok_or_else(|| match Refusal::read(&challenge) {
        Some(refusal) => Failure::Refused(refusal),
        None => Failure::Stranger,
    })?;
    stream.write_all(&proof)?;
    let session = key.session(&hello, &challenge);
    Ok(Server::new(stream, &session, Side::Client))
}

/// Returns the time that is left until a deadline, or an error where it has passed.
fn time_until(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    match left.is_zero() {
        true => Err(io::ErrorKind::TimedOut.into()),
        false => Ok(left),
    }
}

/// Fills `bytes` before a deadline, however slowly they come.
fn read_until(stream: &mut TcpStream, bytes: &mut [u8], until: Instant) -> io::Result<()> {
    let mut got = 0;
    while got < bytes.len() {
        stream.set_read_timeout(Some(time_until(until)?))?;
        match stream.read(&mut bytes[got..]) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(more) => got += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn mac(key: &[u8; 32], count: u64, bytes: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_keyed(key);
    hasher.update(&count.to_le_bytes()).update(bytes);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;
    use crate::port::IncomingConnections;
    use std::net::TcpListener;
    use std::os::unix::fs::PermissionsExt;

    fn error_of(text: &str) -> String {
        NameStore::parse(text).err().expect(text)
    }

    #[test]
    fn malformed_locations_are_refused_in_a_sentence_without_the_key() {
        let key = "ab".repeat(32);
        for text in [
            "file:",
            "host:0",
            "host:99999",
            "host:moon",
            "a b",
            "http://host/",
            "oxmpi:",
            &format!("oxmpi:#{key}"),
            &format!("oxmpi:host:1#{key}"),
            "no-such-host.invalid:80",
        ] {
            let error = error_of(text);
            assert!(!error.contains(&key) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_file_with_a_uri_is_a_server_and_any_other_is_a_list() {
        let path = std::env::temp_dir().join(format!("oxmpi-place-{}", std::process::id()));
        let text = format!("file:{}", path.display());
        assert!(matches!(NameStore::parse(&text), Ok(NameStore::File(_))));
        let name = PortName {
            addresses: vec!["127.0.0.1:80".parse().unwrap()],
            key: [7; 32],
        };
        let write = |text: &str, mode| {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        };
        write(&(name.text() + "\nmore\n"), 0o600);
        assert!(matches!(NameStore::parse(&text), Ok(NameStore::Server(found)) if found == name));
        for mode in [0o666, 0o644, 0o660] {
            write(&name.text(), mode);
            let error = error_of(&text);
            assert!(
                error.contains("others may") && error.contains("place"),
                "{error}"
            );
        }
        // A misspelt URI is no file of names, and its key is not shown.
        for misspelt in [&name.text()[1..], "OXMPI:1#07", "", "\n"] {
            write(&format!("{misspelt}\n"), 0o600);
            let error = error_of(&text);
            assert!(
                error.contains("neither") && !error.contains("07"),
                "{error}"
            );
        }
        write("-\thost\t1\tport\tname\n", 0o600);
        assert!(matches!(NameStore::parse(&text), Ok(NameStore::File(_))));
        write("oxmpi:garbage\n", 0o600);
        let error = error_of(&text);
        assert!(
            error.contains("oxmpi:garbage") && error.contains("place"),
            "{error}"
        );
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn the_error_says_whether_a_server_is_silent_or_has_closed() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, key) = (listener.local_addr().unwrap(), PortKey::new(&[1; 32]));
        let error = |until: Duration| {
            let tried = dial(&address, &key, Instant::now() + until);
            tried.err().expect("nobody serves").to_string()
        };
        assert!(error(Duration::from_millis(50)).contains("in time"));
        // The first is taken from the queue and closed while the second waits.
        std::thread::scope(|scope| {
            scope.spawn(|| (0..2).for_each(|_| drop(listener.accept().unwrap())));
            let closed = error(PATIENCE);
            assert!(closed.contains("closed the connection"), "{closed}");
        });
    }

    #[test]
    fn a_client_with_the_key_is_answered_and_one_with_another_is_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let place = |key| PortName {
            addresses: vec![listener.local_addr().unwrap()],
            key: [key; 32],
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let key = PortKey::new(&[1; 32]);
                let mut incoming = IncomingConnections::default();
                for _ in 0..2 {
                    let (stream, _) = listener.accept().unwrap();
                    incoming.admit(stream, &key).unwrap();
                    while incoming.watched().next().is_some() {
                        incoming.advance(&key);
                    }
                }
                let (stream, session) = incoming.take().unwrap();
                let mut client = Server::of_client(stream, &session).unwrap();
                let mut names = Names::default();
                while client.serve(|question| names.ask(1, question)).is_ok() {}
            });
            let error = Server::connect(&place(2)).err().unwrap();
            assert!(error.contains("the server has another key"), "{error}");
            let mut server = Server::connect(&place(1)).unwrap();
            let (service, port) = ("a".to_string(), "p".to_string());
            let question = Question::LookUp {
                service: service.clone(),
            };
            assert_eq!(server.ask(&question).unwrap(), Answer::Unknown);
            let publish = Question::Publish { service, port };
            assert_eq!(server.ask(&publish).unwrap(), Answer::Done);
            assert_eq!(server.ask(&question).unwrap(), Answer::Found("p".into()));
        });
    }
}
