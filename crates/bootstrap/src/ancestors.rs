//! Detects a process that inherited the launcher's variables from a rank and is no rank itself.
//!
//! The connection to the launcher is found by environment variables, which every child inherits. An
//! MPI program that a rank starts by itself is a job of its own; if it took itself for that rank,
//! it would wait for ever at the first fence. A wrapper between the launcher and a rank has the
//! variables too, but has not used them; if it has closed the connection to the launcher, that is
//! an error, and never N jobs of one rank.

use std::fs;
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};

/// Returns the ancestor of this process that is the rank, if there is one: it was started with
/// these `marks` (variables and their values), and has used them, which `is_rank` finds out from
/// its folder in `/proc`. Shells in between have not used them.
pub(crate) fn find_rank(marks: &[(&str, &str)], is_rank: impl Fn(&Path) -> bool) -> Option<u32> {
    let mut pid = parent_of(Path::new("/proc/self"))?;
    while pid > 1 {
        let process = PathBuf::from(format!("/proc/{pid}"));
        // The environment that the process was started with; unreadable where it is another's.
        let environ = fs::read(process.join("environ")).ok()?;
        if !marks.iter().all(|(name, value)| has(&environ, name, value)) {
            return None;
        }
        if is_rank(&process) {
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

/// Returns the file of a library that the nearest ancestor has loaded which has one of this name.
/// It counts for nothing where the caller may be another user.
pub(crate) fn library_of_launcher(library: &str) -> Option<PathBuf> {
    if environment::is_secure() {
        return None;
    }
    let mut pid = parent_of(Path::new("/proc/self"))?;
    while pid > 1 {
        let process = PathBuf::from(format!("/proc/{pid}"));
        let maps = fs::read_to_string(process.join("maps")).unwrap_or_default();
        if let Some(file) = file_in(&maps, library) {
            return Some(file);
        }
        pid = parent_of(&process)?;
    }
    None
}

/// The file of this name in a table of what a process has mapped: each line ends with a path.
fn file_in(maps: &str, library: &str) -> Option<PathBuf> {
    let is_it = |path: &&str| {
        let name = path.rsplit('/').next();
        name.is_some_and(|name| name.starts_with(library)) && !path.ends_with(" (deleted)")
    };
    let mut paths = maps
        .lines()
        .filter_map(|line| line.find('/').map(|at| &line[at..]));
    paths.find(is_it).map(PathBuf::from)
}

/// Whether a process has the socket with this number under another descriptor than `number`, under
/// which the launcher leaves it: the native provider moves it away, and nobody else has a reason
/// to.
pub(crate) fn has_moved(process: &Path, number: RawFd, socket: u64) -> bool {
    let socket = format!("socket:[{socket}]");
    descriptors(process)
        .any(|(name, target)| target.as_os_str() == socket.as_str() && name.parse() != Ok(number))
}

/// Whether a process does not pass the socket `number` on to its children, as an MPI library does.
pub(crate) fn is_close_on_exec(process: &Path, number: &str) -> bool {
    let target = fs::read_link(process.join("fd").join(number)).unwrap_or_default();
    let info = fs::read_to_string(process.join("fdinfo").join(number)).unwrap_or_default();
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u64::from_str_radix(flags.trim(), 8).ok());
    target.to_string_lossy().starts_with("socket:")
        && flags.is_some_and(|flags| flags & libc::O_CLOEXEC as u64 != 0)
}

/// Whether a process has a TCP connection to a port with this number, on any host.
pub(crate) fn is_connected_to(process: &Path, port: u16) -> bool {
    let tables = ["net/tcp", "net/tcp6"].map(|name| fs::read_to_string(process.join(name)));
    let sockets: Vec<String> = tables
        .into_iter()
        .flatten()
        .flat_map(|table| inodes_of(&table, port))
        .map(|inode| format!("socket:[{inode}]"))
        .collect();
    descriptors(process).any(|(_, target)| {
        sockets
            .iter()
            .any(|socket| target.as_os_str() == socket.as_str())
    })
}

/// The open descriptors of a process: the number, and what it leads to.
fn descriptors(process: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let all = fs::read_dir(process.join("fd")).into_iter().flatten();
    all.flatten().filter_map(|fd| {
        let name = fd.file_name().to_string_lossy().into_owned();
        Some((name, fs::read_link(fd.path()).ok()?))
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
    #[test]
    fn a_library_is_found_among_what_is_mapped() {
        let maps = "7f00-7f10 r-xp 00000000 08:01 42   /opt/x y/lib/libpmix.so.2.13.11\n\
                    7f20-7f30 rw-p 00000000 00:00 0    [heap]\n\
                    7f40-7f50 r--p 00000000 08:01 43   /opt/libother.so.1 (deleted)\n\
                    7f60-7f70 rw-p 00000000 00:00 0\n";
        let found = super::file_in(maps, "libpmix.so");
        assert_eq!(
            found.as_deref(),
            Some(Path::new("/opt/x y/lib/libpmix.so.2.13.11"))
        );
        assert_eq!(super::file_in(maps, "libother.so"), None);
        assert_eq!(super::file_in(maps, "libpmi.so"), None);
        let of_nobody = super::library_of_launcher("libnobody-has-this.so");
        assert_eq!(of_nobody, None);
    }

    use std::net::{TcpListener, TcpStream};
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;

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
            find_rank(&[("PMIX_NAMESPACE", "no job is called so")], |_| true),
            None
        );
    }

    #[test]
    fn the_nearest_that_is_seated_is_named() {
        let parent = std::os::unix::process::parent_id();
        assert_eq!(find_rank(&[], |_| true), (parent > 1).then_some(parent));
        assert_eq!(find_rank(&[], |_| false), None);
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
    fn sockets_are_seen_under_their_numbers() {
        let (socket, _other) = UnixStream::pair().unwrap();
        let number = socket.as_raw_fd();
        let inode = rustix::fs::fstat(&socket).unwrap().st_ino;
        assert!(!has_moved(Path::new(SELF), number, inode));
        assert!(is_close_on_exec(Path::new(SELF), &number.to_string()));
        let _second = socket.try_clone().unwrap();
        assert!(has_moved(Path::new(SELF), number, inode));
        rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::empty()).unwrap();
        assert!(!is_close_on_exec(Path::new(SELF), &number.to_string()));
        assert!(
            !is_close_on_exec(Path::new(SELF), "987654") && !is_close_on_exec(Path::new(SELF), "x")
        );
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
