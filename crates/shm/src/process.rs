//! Checks whether another process still exists.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Whether a process of this number exists. It may not be the one that was meant: the kernel reuses
/// the numbers of processes that have ended.
pub fn is_alive(pid: u32) -> bool {
    // SAFETY: signal 0 only asks whether the process is there.
    let found = unsafe { libc::kill(pid as i32, 0) } == 0;
    found || io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}

/// Whether a process of this number has ended, also where its launcher keeps the number. Where the
/// kernel gives no descriptor of a process, see [`is_alive`].
#[expect(
    clippy::disallowed_methods,
    reason = "pidfd_open(2) does not wait, and the time limit of the poll is zero"
)]
pub fn has_ended(pid: u32) -> bool {
    // SAFETY: it makes a descriptor and touches no memory.
    let opened = unsafe { libc::syscall(libc::SYS_pidfd_open, pid as libc::pid_t, 0) };
    if opened < 0 {
        return !is_alive(pid);
    }
    // SAFETY: the descriptor was made above, and nobody else has it.
    let process = unsafe { OwnedFd::from_raw_fd(opened as i32) };
    let mut ended = libc::pollfd {
        fd: process.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: it writes into one entry, which lives on.
    unsafe { libc::poll(&mut ended, 1, 0) == 1 }
}

/// Returns the processor that the first thread of a process runs on, or has run on last; `None`
/// where the process is gone or the system does not say.
pub fn last_processor(pid: u32) -> Option<usize> {
    /// The place in proc_pid_stat(5), counted from what follows the program's name.
    const PROCESSOR: usize = 39 - 3;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may have blanks and brackets.
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(PROCESSOR)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_has_ended_before_it_was_waited_for_and_its_number_lives_until_then() {
        assert!(is_alive(std::process::id()));
        assert!(is_alive(1), "also one that may not be signalled");
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        assert!(is_alive(child.id()) && !has_ended(child.id()));
        drop(child.stdin.take());
        while !has_ended(child.id()) {
            std::thread::yield_now();
        }
        assert!(is_alive(child.id()), "nobody has waited for it");
        child.wait().unwrap();
        assert!(!is_alive(child.id()) && has_ended(child.id()));
    }

    #[test]
    fn a_process_is_on_the_processor_that_it_may_run_on() {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let allowed = status.split_once("Cpus_allowed_list:").unwrap().1.trim();
        let last = allowed.split(['\n', ' ']).next().unwrap();
        let last = last.rsplit([',', '-']).next().unwrap();
        let mut child = Command::new("taskset")
            .args(["-c", last, "sh", "-c", "echo; read line"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
        assert_eq!(last_processor(child.id()), Some(last.parse().unwrap()));
        drop(child.stdin.take());
        child.wait().unwrap();
        assert_eq!(last_processor(u32::MAX), None);
    }
}
