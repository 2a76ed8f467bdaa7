//! Checks whether another process still exists.

use std::io;

/// Whether a process of this number exists. It may not be the one that was meant: the kernel reuses
/// the numbers of processes that have ended.
pub fn is_alive(pid: u32) -> bool {
    // SAFETY: signal 0 only asks whether the process is there.
    let found = unsafe { libc::kill(pid as i32, 0) } == 0;
    found || io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_is_alive_until_it_was_waited_for() {
        assert!(is_alive(std::process::id()));
        assert!(is_alive(1), "also one that may not be signalled");
        let mut child = Command::new("true").spawn().unwrap();
        assert!(is_alive(child.id()));
        child.wait().unwrap();
        assert!(!is_alive(child.id()));
    }
}
