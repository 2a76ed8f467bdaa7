//! Names as lines of a file that only its user can read, for processes of several hosts.
//!
//! ```text
//! JOB or -  HOST  PROCESS  PORT  NAME
//! ```
//!
//! A process locks the file before it changes it, and then removes the lines of processes of this
//! host that have ended.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use environment::{check_own, Others};
use mca::Framework;
use rustix::fs::{flock, FlockOperation};

use super::service::Service;

/// Most bytes of the file that are read.
const FILE_BYTES_MAX: u64 = 16 << 20;

struct Line {
    job: String,
    host: String,
    process: u32,
    port: String,
    name: String,
}

impl Line {
    fn parse(text: &str) -> Option<Line> {
        let mut words = text.splitn(5, '\t');
        let mut word = || words.next().map(str::to_string);
        Some(Line {
            job: word()?,
            host: word()?,
            process: word()?.parse().ok()?,
            port: word()?,
            name: word()?,
        })
    }

    fn text(&self) -> String {
        let Line {
            job,
            host,
            process,
            port,
            name,
        } = self;
        format!("{job}\t{host}\t{process}\t{port}\t{name}\n")
    }

    fn is_of(&self, service: &Service) -> bool {
        self.job == scope(service) && self.name == escaped(&service.name)
    }

    /// Whether its process may still be there.
    fn is_alive(&self, host: &str) -> bool {
        self.host != host || shm::process::is_alive(self.process)
    }

    fn is_own(&self, host: &str) -> bool {
        self.host == host && self.process == std::process::id()
    }
}

/// Adds a line. False when the service has one.
pub(super) fn publish(path: &Path, service: &Service, port: &str) -> io::Result<bool> {
    change(path, true, |lines, host| {
        if lines.iter().any(|line| line.is_of(service)) {
            return false;
        }
        lines.push(Line {
            job: scope(service),
            host: host.to_string(),
            process: std::process::id(),
            port: port.replace(['\t', '\n'], " "),
            name: escaped(&service.name),
        });
        true
    })
}

/// Returns the port of a service's line.
pub(super) fn look_up(path: &Path, service: &Service) -> io::Result<Option<String>> {
    let mut found = None;
    change(path, false, |lines, _| {
        found = lines
            .iter()
            .find(|line| line.is_of(service))
            .map(|line| line.port.clone());
        false
    })?;
    Ok(found)
}

/// Removes the line of a service and port. False when there is no such line.
pub(super) fn remove(path: &Path, service: &Service, port: &str) -> io::Result<bool> {
    change(path, false, |lines, _| {
        let before = lines.len();
        lines.retain(|line| !line.is_of(service) || line.port != port);
        lines.len() < before
    })
}

/// Removes all lines of this process, as far as the file can be reached.
pub(super) fn remove_own(path: &Path) {
    let removed = change(path, false, |lines, host| {
        let before = lines.len();
        lines.retain(|line| !line.is_own(host));
        lines.len() < before
    });
    if let Err(error) = removed {
        let path = path.display();
        Framework::Mpi.info(format_args!("names in {path} stay published: {error}"));
    }
}

/// Reads the file, has `act` change its lines, and writes it if `act` returns true. A file that is
/// not there has no lines; it is made where `makes` says so.
#[expect(
    clippy::disallowed_methods,
    reason = "waits for another process that reads or writes the list"
)]
fn change(
    path: &Path,
    makes: bool,
    act: impl FnOnce(&mut Vec<Line>, &str) -> bool,
) -> io::Result<bool> {
    let host = host();
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create(makes)
        .truncate(false)
        .mode(0o600)
        .open(path);
    let mut file = match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !makes => {
            return Ok(act(&mut Vec::new(), &host));
        }
        opened => opened?,
    };
    check_own(&file, Others::MayNothing)?;
    flock(&file, FlockOperation::LockExclusive)?;
    let mut text = String::new();
    (&file).take(FILE_BYTES_MAX).read_to_string(&mut text)?;
    let mut lines = parse(&text)?;
    lines.retain(|line| line.is_alive(&host));
    let changed = act(&mut lines, &host);
    if changed {
        let text: String = lines.iter().map(Line::text).collect();
        file.seek(SeekFrom::Start(0))?;
        file.set_len(0)?;
        file.write_all(text.as_bytes())?;
    }
    Ok(changed)
}

/// Reads the lines of the file. A file with anything else was not meant to be one of names, and
/// stays as it is.
fn parse(text: &str) -> io::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for text in text.split_inclusive('\n') {
        match (text.strip_suffix('\n'), Line::parse(text.trim_end())) {
            (Some(_), Some(line)) => lines.push(line),
            // The process that wrote it was killed meanwhile.
            (None, _) if text.contains('\t') => {}
            _ => {
                // Behind this sign a port's name has its key.
                let shown = text.trim_end().split('#').next().unwrap_or_default();
                let shown: String = shown.chars().take(32).collect();
                let why = format!("its line `{shown}` is not a published name");
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
        }
    }
    Ok(lines)
}

fn scope(service: &Service) -> String {
    service
        .job
        .map_or_else(|| "-".to_string(), |job| format!("{job:x}"))
}

fn escaped(name: &str) -> String {
    name.escape_default().to_string()
}

/// A word for this host and its boot.
fn host() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    boot.trim().to_string()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn service(name: &str, job: Option<u64>) -> Service {
        Service {
            name: name.to_string(),
            job,
        }
    }

    #[test]
    fn names_are_found_by_scope_and_removed() {
        let path = std::env::temp_dir().join(format!("oxmpi-names-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let (all, own) = (service("a\tb\n", None), service("a\tb\n", Some(7)));
        assert_eq!(look_up(&path, &all).unwrap(), None);
        assert!(!path.exists(), "a look makes no file");
        assert!(publish(&path, &all, "one").unwrap());
        assert!(!publish(&path, &all, "two").unwrap());
        assert!(publish(&path, &own, "three").unwrap());
        assert_eq!(look_up(&path, &all).unwrap().as_deref(), Some("one"));
        assert_eq!(look_up(&path, &own).unwrap().as_deref(), Some("three"));
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert!(!remove(&path, &all, "three").unwrap() && remove(&path, &all, "one").unwrap());
        // A process that has ended, on this host and on another.
        let line = |host: &str, name: &str| format!("-\t{host}\t999999999\tport\t{name}\n");
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += &(line(&host(), "gone") + &line("elsewhere", "there") + "-\thalf a li");
        std::fs::write(&path, text).unwrap();
        assert_eq!(look_up(&path, &service("gone", None)).unwrap(), None);
        assert!(look_up(&path, &service("there", None)).unwrap().is_some());
        remove_own(&path);
        assert_eq!(look_up(&path, &own).unwrap(), None);
        // What is no file of names is not made one.
        for other in ["oxmp:127.0.0.1:80#00\n", "export A=1\n", "\n", "short"] {
            std::fs::write(&path, other).unwrap();
            assert!(publish(&path, &all, "one").is_err(), "{other}");
            assert!(look_up(&path, &all).is_err(), "{other}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
        }
        std::fs::write(&path, "").unwrap();
        let mut open = std::fs::metadata(&path).unwrap().permissions();
        open.set_mode(0o666);
        std::fs::set_permissions(&path, open).unwrap();
        assert!(publish(&path, &all, "one").is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
