//! Starts the library's own threads inside the application's process.

use std::io;
use std::mem;
use std::ptr;
use std::thread::{Builder, JoinHandle};

/// Prefix of the names of the library's threads, which distinguishes them from the application's.
pub const PREFIX: &str = "oxmpi-";

/// Starts a thread that takes no signals: those are for the application's threads, whose handlers
/// may rely on where they run.
///
/// # Errors
/// When the system refuses a thread.
pub fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    // SAFETY: a set is plain bits, for which zero is a value.
    let (mut all, mut before) = unsafe { mem::zeroed::<(libc::sigset_t, libc::sigset_t)>() };
    // SAFETY: both are places for a set; the mask is that of this thread, which the new one
    // inherits.
    unsafe {
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
    }
    let spawned = Builder::new().name(name.into()).spawn(run);
    // SAFETY: `before` is what the call above wrote.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut()) };
    spawned
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_thread_blocks_signals_and_its_maker_does_not() {
        fn is_blocked() -> bool {
            let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("SigBlk:"));
            let mask = u64::from_str_radix(line.unwrap().trim(), 16).unwrap();
            mask & 1 << (libc::SIGUSR1 - 1) != 0
        }
        let (sender, receiver) = std::sync::mpsc::channel();
        let thread = super::spawn("test", move || sender.send(is_blocked()).unwrap()).unwrap();
        assert!(receiver.recv().unwrap());
        thread.join().unwrap();
        assert!(!is_blocked());
    }
}
