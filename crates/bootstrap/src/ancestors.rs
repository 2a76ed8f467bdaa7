//! Whether this process only inherited its place from one that has taken it.
//!
//! PMIx and a port of PMI are found by variables, which every child has as well. A program with MPI
//! that a rank starts would introduce itself as that rank again, and wait for ever at the first
//! fence. (A descriptor of PMI is no matter: a rank keeps it to itself.)

use std::fs;
use std::path::{Path, PathBuf};

/// The process, among those from which this one descends, that has this one's place: it was started
/// with the same `marks`, variables and their values, and `is_seated` says of its folder in `/proc`
/// that it has made use of them. Shells between them have not.
pub(crate) fn seated(marks: &[(&str, &str)], is_seated: impl Fn(&Path) -> bool) -> Option<u32> {
    let mut pid = parent_of(Path::new("/proc/self"))?;
    while pid > 1 {
        let process = PathBuf::from(format!("/proc/{pid}"));
        // The environment that the process was started with; unreadable where it is another's.
        let environ = fs::read(process.join("environ")).ok()?;
        if !marks.iter().all(|(name, value)| has(&environ, name, value)) {
            return None;
        }
        if is_seated(&process) {
            return Some(pid);
        }
        pid = parent_of(&process)?;
    }
    None
}

/// Whether a process has loaded a library of this name.
pub(crate) fn has_loaded(process: &Path, library: &str) -> bool {
    let maps = fs::read(process.join("maps")).unwrap_or_default();
    let library = library.as_bytes();
    maps.windows(library.len()).any(|part| part == library)
}

/// Whether a process has a TCP connection to a port of this number, wherever.
pub(crate) fn is_connected_to(process: &Path, port: u16) -> bool {
    let tables = ["net/tcp", "net/tcp6"].map(|name| fs::read_to_string(process.join(name)));
    let sockets: Vec<String> = tables
        .into_iter()
        .flatten()
        .flat_map(|table| inodes_of(&table, port))
        .map(|inode| format!("socket:[{inode}]"))
        .collect();
    let descriptors = fs::read_dir(process.join("fd")).into_iter().flatten();
    let mut targets = descriptors
        .flatten()
        .filter_map(|fd| fs::read_link(fd.path()).ok());
    targets.any(|target| {
        sockets
            .iter()
            .any(|socket| target.as_os_str() == socket.as_str())
    })
}

/// The inodes of established connections to the port, from a table of the kernel: a number, the
/// local address, the remote address, the state, and on to the inode in the tenth column.
fn inodes_of(table: &str, port: u16) -> Vec<String> {
    const ESTABLISHED: &str = "01";
    let rows = table
        .lines()
        .map(|row| row.split_whitespace().collect::<Vec<_>>());
    let wanted = rows.filter(|row| {
        let remote = row.get(2).and_then(|address| address.rsplit(':').next());
        let remote = remote.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        remote == Some(port) && row.get(3) == Some(&ESTABLISHED)
    });
    wanted
        .filter_map(|row| row.get(9).map(|inode| inode.to_string()))
        .collect()
}

fn parent_of(process: &Path) -> Option<u32> {
    let stat = fs::read_to_string(process.join("stat")).ok()?;
    // A name in parentheses, which may hold anything, the state, the parent.
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.split(' ').nth(1)?.parse().ok()
}

fn has(environ: &[u8], name: &str, value: &str) -> bool {
    let wanted = format!("{name}={value}");
    environ
        .split(|byte| *byte == 0)
        .any(|entry| entry == wanted.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    const SELF: &str = "/proc/self";

    #[test]
    fn variables_are_compared_whole() {
        let environ = b"A=1\0PMIX_RANK=12\0B=PMIX_RANK=1\0";
        assert!(has(environ, "PMIX_RANK", "12"));
        assert!(!has(environ, "PMIX_RANK", "1"));
        assert!(!has(environ, "PMIX_RANK", "123"));
    }

    #[test]
    fn the_parent_is_found_and_has_no_place_of_that_name() {
        let parent = std::os::unix::process::parent_id();
        assert_eq!(parent_of(Path::new(SELF)), Some(parent));
        assert_eq!(
            seated(&[("PMIX_NAMESPACE", "no job is called so")], |_| true),
            None
        );
    }

    #[test]
    fn the_nearest_that_is_seated_is_named() {
        let parent = std::os::unix::process::parent_id();
        assert_eq!(seated(&[], |_| true), (parent > 1).then_some(parent));
        assert_eq!(seated(&[], |_| false), None);
    }

    #[test]
    fn connections_are_seen_from_outside() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        assert!(!is_connected_to(Path::new(SELF), port));
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        assert!(is_connected_to(Path::new(SELF), port));
        drop(stream);
        assert!(!is_connected_to(Path::new(SELF), port));
    }

    #[test]
    fn rows_of_other_kinds_are_skipped() {
        let row = |remote: &str, state: &str| {
            format!("0: 0100007F:0050 {remote} {state} 0:0 0:0 0 0 0 4711 1 0 20\n")
        };
        let listens = row("00000000:1F90", "0A");
        assert_eq!(
            inodes_of(&format!("sl local\n{listens}\n:\n"), 8080),
            [""; 0]
        );
        assert_eq!(inodes_of(&row("0100007F:1F91", "01"), 8080), [""; 0]);
        assert_eq!(inodes_of(&row("0100007F:1F90", "01"), 8080), ["4711"]);
    }

    #[test]
    fn libraries_are_seen() {
        assert!(has_loaded(Path::new(SELF), "/libc.so"));
        assert!(!has_loaded(Path::new(SELF), "/libpmix.so"));
    }
}
