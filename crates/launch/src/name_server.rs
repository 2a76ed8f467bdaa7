//! The name server: keeps the names that processes of several jobs publish (`oxmpi-server`).
//!
//! It takes the options of Open MPI's `ompi-server` and Hydra's `hydra_nameserver` where they mean
//! something here. Whoever wants to publish or look up proves that it knows the server's key
//! ([`bootstrap::names`]). Names end with the connection of the process that has published them, so
//! no job leaves any, and the server leaves nothing: it has no file but that with its URI, which it
//! removes.

use std::io::{self, BufRead, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Mutex;
use bootstrap::names::{Names, Server, DEFAULT_PORT};
use bootstrap::port::{is_busy, IncomingConnections, PortKey, PortName, Session};
use bootstrap::Secret;
use rustix::event::{PollFd, PollFlags, Timespec};

use crate::message;
use launch_job::exit::EXIT_USAGE;
use launch_tree::poll::{Poll, Source, Until};
use launch_tree::signals::{self, Signals};

/// The argument that makes the launcher a name server.
pub const ARGUMENT: &str = "--serve-names";
/// The names of programs by which it is called, too.
pub const PROGRAMS: [&str; 3] = ["oxmpi-server", "ompi-server", "hydra_nameserver"];

/// Most connections that are accepted between two steps of those that are there.
const ACCEPTS_MAX: usize = 64;
/// Stack of the thread of a connection.
const STACK_BYTES: usize = 256 << 10;

const HELP: &str = "\
Usage: {name} [OPTIONS]

Keeps the names that MPI_Publish_name publishes, for jobs that find it by
mpirun --name-server HOST:PORT or --name-server file:FILE, until it is ended.

  -r, --report-uri FILE   write where it is, with its key, to FILE (- for standard output)
  -p, --port PORT         listen at PORT (default: 6392, or any with --report-uri)
      --daemonize         go on in the background once it listens
  -h, --help              print this
  -V, --version           print the version

Without FILE the key is in ~/.oxmpi/name-server.key, where jobs of the same user find it.
";

/// The server as the command line describes it.
#[derive(Default, PartialEq, Eq, Debug)]
struct Options {
    report: Option<String>,
    port: Option<u16>,
    daemonize: bool,
    help: bool,
    version: bool,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with('-') => (name, Some(value.to_string())),
                _ => (argument.as_str(), None),
            };
            let name = name.trim_start_matches('-');
            let mut value = || {
                let value = value.clone().or_else(|| arguments.next().cloned());
                value.ok_or_else(|| format!("option {argument} needs a value"))
            };
            match name {
                _ if !argument.starts_with('-') => {
                    return Err(format!("unknown argument {argument:?} (see --help)"));
                }
                "r" | "report-uri" => options.report = Some(value()?),
                "p" | "port" => {
                    let text = value()?;
                    let port = text.parse().ok();
                    let wanted = "a port from 0 to 65535";
                    options.port =
                        Some(port.ok_or_else(|| format!("--port {text:?} should be {wanted}"))?);
                }
                "daemonize" => options.daemonize = true,
                // What its own name or the launcher's first argument says.
                "no-daemonize" | "d" | "debug" | "serve-names" => {}
                "h" | "help" => options.help = true,
                "V" | "version" => options.version = true,
                _ => return Err(format!("unknown option {argument:?} (see --help)")),
            }
        }
        Ok(options)
    }
}

/// Runs the server, whose own name is `name`. Returns its exit code.
pub(crate) fn main(name: &str, arguments: &[String]) -> i32 {
    let said = Options::parse(arguments).map_err(|error| (EXIT_USAGE, error));
    let result = said.and_then(|options| match options {
        Options { help: true, .. } => print(&HELP.replace("{name}", name)),
        Options { version: true, .. } => {
            print(&format!("{name} (oxmpi) {}\n", env!("CARGO_PKG_VERSION")))
        }
        Options {
            daemonize: true, ..
        } => in_background(name, arguments).map_err(|error| (1, error)),
        options => serve(name, &options).map_err(|error| (1, error)),
    });
    match result {
        Ok(()) => 0,
        Err((code, error)) => {
            message::print(name, &error);
            code
        }
    }
}

fn print(text: &str) -> Result<(), (i32, String)> {
    // Nobody reads it when standard output is closed.
    let _ = io::stdout().write_all(text.as_bytes());
    Ok(())
}

/// Starts the server in the background, and returns once it listens.
fn in_background(name: &str, arguments: &[String]) -> Result<(), String> {
    let failed = |error: io::Error| format!("starting a server in the background: {error}");
    let own = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(own);
    command
        .arg0(name)
        .arg(ARGUMENT)
        .args(
            arguments
                .iter()
                .filter(|word| *word != "--daemonize" && *word != ARGUMENT),
        )
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .process_group(0);
    let mut child = command.spawn().map_err(failed)?;
    let mut line = String::new();
    if let Some(output) = child.stdout.take() {
        io::BufReader::new(output)
            .read_line(&mut line)
            .map_err(failed)?;
    }
    match line.is_empty() {
        // It has said why on standard error.
        true => Err("the server in the background has ended".to_string()),
        false => print(&line).map_err(|(_, error)| error),
    }
}

fn serve(name: &str, options: &Options) -> Result<(), String> {
    let mut signals = Signals::catch().map_err(|error| format!("catching signals: {error}"))?;
    let (port, key) = match options.report {
        // Whoever knows the file needs no other.
        Some(_) => (0, Server::own_key().or_else(|_| random())?),
        None => (DEFAULT_PORT, Server::own_key()?),
    };
    let port = options.port.unwrap_or(port);
    let listener = listen(port).map_err(|error| format!("listening at port {port}: {error}"))?;
    let polled = listener.set_nonblocking(true);
    polled.map_err(|error| format!("listening at port {port}: {error}"))?;
    let at = listener.local_addr().map_err(|error| error.to_string())?;
    let place = PortName {
        addresses: own_addresses(at.port()),
        key,
    };
    let report = Report::write(options.report.as_deref(), &place)?;
    let shown = match options.report.as_deref() {
        Some("-") => place.text(),
        _ => format!("{name}: names are kept at {}:{}", host(), at.port()),
    };
    // The user may have closed it.
    let _ = writeln!(io::stdout(), "{shown}");
    let _ = io::stdout().flush();
    std::thread::spawn(move || serve_all(&listener, key));
    wait_for_end(&mut signals)?;
    drop(report);
    Ok(())
}

fn wait_for_end(signals: &mut Signals) -> Result<(), String> {
    let mut poll = Poll::new().map_err(|error| error.to_string())?;
    let watched = poll.add(&*signals, Source::Signals, Until::Readable);
    watched.map_err(|error| error.to_string())?;
    loop {
        poll.wait(None);
        let arrived = signals.take();
        if arrived
            .iter()
            .any(|signal| signals::ENDING.contains(signal))
        {
            return Ok(());
        }
    }
}

fn random() -> Result<[u8; 32], String> {
    let Secret(key) = Secret::random().map_err(|error| error.to_string())?;
    Ok(key)
}

fn listen(port: u16) -> io::Result<TcpListener> {
    // Of both protocols, or where the system has no IPv6 of the old one.
    let both = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port));
    both.or_else(|error| match error.kind() {
        io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied => Err(error),
        _ => TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)),
    })
}

fn host() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}

/// The file with the server's URI, which is removed with this value.
struct Report(Option<PathBuf>);

impl Report {
    fn write(path: Option<&str>, place: &PortName) -> Result<Report, String> {
        let Some(path) = path.filter(|path| *path != "-") else {
            return Ok(Report(None));
        };
        let refused = |error: io::Error| format!("file of the URI {path:?}: {error}");
        // Whoever reads it finds all of it or nothing.
        let draft = format!("{path}.{}", std::process::id());
        let made = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&draft);
        let written = made.and_then(|mut file| file.write_all((place.text() + "\n").as_bytes()));
        let moved = written.and_then(|()| std::fs::rename(&draft, path));
        if let Err(error) = moved {
            let _ = std::fs::remove_file(&draft);
            return Err(refused(error));
        }
        Ok(Report(Some(path.into())))
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // Another server may have written its own there since: then it is its own to remove.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Lets in all who prove that they know the key, and serves each by a thread. Those who have not
/// are polled here, and keep nobody waiting.
fn serve_all(listener: &TcpListener, key: [u8; 32]) {
    let (names, key) = (Arc::<Mutex<Names>>::default(), PortKey::new(&key));
    let mut incoming = IncomingConnections::default();
    let mut owner = 0;
    loop {
        await_any(listener, &incoming);
        for _ in 0..ACCEPTS_MAX {
            if !incoming.has_room() {
                break;
            }
            match listener.accept() {
                Ok((stream, _)) => {
                    // An error concerns this connection alone.
                    let _ = incoming.admit(stream, &key);
                }
                Err(error) if is_busy(&error) => break,
                // For want of descriptors, say: it may be better in a moment.
                Err(_) if incoming.crowd_out(&key) => {}
                Err(_) => {
                    std::thread::sleep(Duration::from_millis(100));
                    break;
                }
            }
        }
        incoming.advance(&key);
        while let Some((stream, session)) = incoming.take() {
            owner += 1;
            let names = Arc::clone(&names);
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            // Where there is no thread for it, the connection is closed.
            let _ = thread.spawn(move || serve_one(stream, &session, owner, &names));
        }
    }
}

/// Waits until somebody connects or says something, or the time of a guest is over.
fn await_any(listener: &TcpListener, incoming: &IncomingConnections) {
    let listener = incoming.has_room().then(|| listener.as_fd());
    let all = listener.into_iter().chain(incoming.watched());
    let mut all: Vec<PollFd<'_>> = all
        .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN))
        .collect();
    let left = incoming.deadline().map(|deadline| {
        let left = deadline.saturating_duration_since(Instant::now());
        Timespec {
            tv_sec: left.as_secs() as i64 + 1,
            tv_nsec: 0,
        }
    });
    // An interrupted wait is a short one.
    let _ = rustix::event::poll(&mut all, left.as_ref());
}

fn serve_one(stream: TcpStream, session: &Session, owner: u64, names: &Mutex<Names>) {
    let Ok(mut client) = Server::of_client(stream, session) else {
        return;
    };
    let names = || names.lock();
    while client
        .serve(|question| names().ask(owner, question))
        .is_ok()
    {}
    names().leave(owner);
}

/// The addresses of this machine, those that others reach first.
fn own_addresses(port: u16) -> Vec<SocketAddr> {
    let read = |path: &str| std::fs::read_to_string(Path::new(path)).unwrap_or_default();
    let mut all = of_old_protocol(&read("/proc/net/fib_trie"));
    all.extend(of_new_protocol(&read("/proc/net/if_inet6")));
    all.retain(|address| !address.is_loopback());
    all.push(Ipv4Addr::LOCALHOST.into());
    let port_of = |address| SocketAddr::new(address, port);
    all.into_iter().map(port_of).collect()
}

/// The addresses in the kernel's table of routes: each stands a line above its kind.
fn of_old_protocol(table: &str) -> Vec<IpAddr> {
    let mut found = Vec::new();
    let lines = table.lines();
    for (line, kind) in lines.clone().zip(lines.skip(1)) {
        let address = line.trim().strip_prefix("|-- ");
        let address = address.and_then(|text| text.parse::<IpAddr>().ok());
        let is_own = kind.trim() == "/32 host LOCAL";
        found.extend(address.filter(|address| is_own && !found.contains(address)));
    }
    found
}

/// The global addresses in the kernel's list: 32 digits, then index, prefix, scope in hexadecimal.
fn of_new_protocol(list: &str) -> Vec<IpAddr> {
    let address = |line: &str| {
        let mut words = line.split_whitespace();
        let number = u128::from_str_radix(words.next()?, 16).ok()?;
        let scope = words.nth(2)?;
        (scope == "00").then(|| IpAddr::from(Ipv6Addr::from(number)))
    };
    list.lines().filter_map(address).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Options, String> {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        Options::parse(&words)
    }

    #[test]
    fn options_of_other_name_servers_are_understood_and_wrong_ones_named() {
        let wanted = Options {
            report: Some("uri".into()),
            port: Some(7000),
            ..Options::default()
        };
        for line in [
            "--no-daemonize -r uri -p 7000",
            "-report-uri uri -port=7000 -d",
            "--serve-names --report-uri=uri --port 7000",
        ] {
            assert_eq!(parsed(line).unwrap(), wanted, "{line}");
        }
        for (line, named) in [
            ("--port moon", "moon"),
            ("--port 70000", "70000"),
            ("-r", "-r"),
            ("--moon", "--moon"),
            ("moon", "moon"),
        ] {
            let error = parsed(line).unwrap_err();
            assert!(error.contains(named) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn addresses_of_the_machine_are_found_in_the_kernels_tables() {
        let lines = [
            "Main:",
            "     |-- 10.0.0.7",
            "        /32 host LOCAL",
            "     |-- 10.0.0.255",
            "        /32 link BROADCAST",
            "Local:",
            "     |-- 10.0.0.7",
            "        /32 host LOCAL",
        ];
        let table = lines.join("\n");
        assert_eq!(
            of_old_protocol(&table),
            ["10.0.0.7".parse::<IpAddr>().unwrap()]
        );
        let list = "fd770000000000000000000000000001 02 40 00 80 eth0\n\
                    fe800000000000000000000000000001 02 40 20 80 eth0\n\
                    00000000000000000000000000000001 01 80 10 80 lo\nnonsense\n";
        assert_eq!(
            of_new_protocol(list),
            ["fd77::1".parse::<IpAddr>().unwrap()]
        );
        assert!(own_addresses(7).iter().all(|address| address.port() == 7));
    }
}
