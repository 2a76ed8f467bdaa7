//! Names as memory files, which others find among the open files of the user's processes.
//!
//! A memory file has no name in the file system: it shows in `/proc/PID/fd`, where only processes
//! of the same user see and open it, and it ends with the process that holds it.

use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use base::wire::read_u32;
use rustix::fs::{memfd_create, MemfdFlags};

use super::service::Service;

/// Most bytes of such a file.
const FILE_BYTES_MAX: u64 = 64 << 10;

/// Publishes a port. `None` when the service is published already.
pub(super) fn publish(service: &Service, port: &str) -> io::Result<Option<OwnedFd>> {
    if look_up(service)?.is_some() {
        return Ok(None);
    }
    let made = memfd_create(label(service), MemfdFlags::CLOEXEC)?;
    let mut file = fs::File::from(made);
    file.write_all(&encode(service, port))?;
    // Another process may have come to the same point at the same time: then none has it.
    match holders(service)?.len() {
        0 | 1 => Ok(Some(file.into())),
        _ => Ok(None),
    }
}

/// Returns the port that is published under a service.
pub(super) fn look_up(service: &Service) -> io::Result<Option<String>> {
    let ports = holders(service)?;
    Ok(ports.into_iter().next())
}

/// Whether a file says that a port is published under a service.
pub(super) fn is_of(file: &impl AsFd, service: &Service, port: &str) -> bool {
    let expected = encode(service, port);
    let mut bytes = vec![0; expected.len() + 1];
    let read = rustix::io::pread(file, &mut bytes, 0);
    read.is_ok_and(|len| bytes[..len] == expected)
}

/// The ports of all files with a service's name.
fn holders(service: &Service) -> io::Result<Vec<String>> {
    let link = PathBuf::from(format!("/memfd:{} (deleted)", label(service)));
    let user = rustix::process::geteuid().as_raw();
    let mut found = Vec::new();
    for process in fs::read_dir("/proc")?.flatten() {
        let path = process.path();
        let is_process = process.file_name().to_string_lossy().parse::<u32>().is_ok();
        // A process may end, or belong to somebody else: then it holds no name.
        let is_own = || fs::metadata(&path).is_ok_and(|metadata| metadata.uid() == user);
        if is_process && is_own() {
            found.extend(holder(&path.join("fd"), &link, service, user));
        }
    }
    Ok(found)
}

/// The port of the file with a service's name among the open files of a process. The file is to be
/// the user's as well: what a program was given by its caller may show among the files of another
/// user, whose rights it has.
fn holder(folder: &Path, link: &Path, service: &Service, user: u32) -> Option<String> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let mut named = entries.filter(|entry| fs::read_link(entry.path()).is_ok_and(|to| to == link));
    named.find_map(|entry| {
        let path = entry.path();
        let metadata = fs::metadata(&path).ok()?;
        (metadata.len() <= FILE_BYTES_MAX && metadata.uid() == user).then_some(())?;
        decode(&fs::read(&path).ok()?, service)
    })
}

/// The name of a service's file: a hash, since it has a limit.
fn label(service: &Service) -> String {
    let mut hasher = blake3::Hasher::new_derive_key("oxmpi name of a service, version 1");
    hasher.update(&service.job.unwrap_or(0).to_le_bytes());
    hasher.update(&[u8::from(service.job.is_some())]);
    hasher.update(service.name.as_bytes());
    let hash = hasher.finalize().to_hex();
    format!("oxmpi-name-{}", &hash[..32])
}

fn encode(service: &Service, port: &str) -> Vec<u8> {
    let mut bytes = (service.name.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(service.name.as_bytes());
    bytes.extend_from_slice(port.as_bytes());
    bytes
}

fn decode(bytes: &[u8], service: &Service) -> Option<String> {
    let end = (read_u32(bytes, 0)? as usize).checked_add(4)?;
    let name = bytes.get(4..end)?;
    (name == service.name.as_bytes()).then_some(())?;
    String::from_utf8(bytes[end..].to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(name: &str) -> Service {
        Service {
            name: format!("{name} of {}", std::process::id()),
            job: None,
        }
    }

    #[test]
    fn a_name_is_found_until_its_file_is_closed() {
        let one = service("found");
        assert_eq!(look_up(&one).unwrap(), None);
        let file = publish(&one, "port 7").unwrap().expect("nobody has it");
        assert_eq!(look_up(&one).unwrap().as_deref(), Some("port 7"));
        assert!(publish(&one, "port 8").unwrap().is_none());
        assert!(is_of(&file, &one, "port 7") && !is_of(&file, &one, "port 8"));
        let other = Service {
            job: Some(1),
            ..one.clone()
        };
        assert_eq!(look_up(&other).unwrap(), None, "it is not of that job");
        drop(file);
        assert_eq!(look_up(&one).unwrap(), None);
    }

    #[test]
    fn files_that_say_something_else_are_passed_over() {
        let (one, other) = (service("one"), service("other"));
        for bytes in [vec![], vec![255; 8], encode(&other, "port")] {
            let made = memfd_create(label(&one), MemfdFlags::CLOEXEC).unwrap();
            let mut file = fs::File::from(made);
            file.write_all(&bytes).unwrap();
            assert_eq!(look_up(&one).unwrap(), None);
        }
    }

    #[test]
    fn a_file_of_another_user_is_passed_over() {
        let one = service("given");
        let file = publish(&one, "port 7").unwrap().expect("nobody has it");
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
        // Only root can give files away.
        if std::os::unix::fs::chown(path, Some(12345), None).is_ok() {
            assert_eq!(look_up(&one).unwrap(), None);
        }
    }
}
