//! Whether this process only inherited its place from one that has taken it.
//!
//! PMIx finds its server by variables, which every child has as well. A program with MPI that a
//! rank starts would introduce itself as that rank again, and wait for ever at the first fence.

use std::fs;

/// The process, among those from which this one descends, that has this one's place: it has the
/// same `namespace` and `rank`, and the PMIx library loaded. Shells between them have not.
pub(super) fn seated(namespace: &str, rank: &str) -> Option<u32> {
    let mut pid = parent_of("self")?;
    while pid > 1 {
        let process = pid.to_string();
        // The environment that the process was started with; unreadable where it is another's.
        let environ = fs::read(format!("/proc/{process}/environ")).ok()?;
        if !has(&environ, "PMIX_NAMESPACE", namespace) || !has(&environ, "PMIX_RANK", rank) {
            return None;
        }
        let maps = fs::read(format!("/proc/{process}/maps")).unwrap_or_default();
        if maps.windows(LIBRARY.len()).any(|part| part == LIBRARY) {
            return Some(pid);
        }
        pid = parent_of(&process)?;
    }
    None
}

const LIBRARY: &[u8] = b"/libpmix.so";

fn parent_of(process: &str) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
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
    use super::*;

    #[test]
    fn variables_are_compared_whole() {
        let environ = b"A=1\0PMIX_RANK=12\0B=PMIX_RANK=1\0";
        assert!(has(environ, "PMIX_RANK", "12"));
        assert!(!has(environ, "PMIX_RANK", "1"));
        assert!(!has(environ, "PMIX_RANK", "123"));
    }

    #[test]
    fn the_parent_is_found_and_has_no_place_of_that_name() {
        assert_eq!(parent_of("self"), Some(std::os::unix::process::parent_id()));
        assert_eq!(seated("no job is called so", "0"), None);
    }
}
