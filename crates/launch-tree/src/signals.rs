//! Signals to the launcher, as a descriptor that the event loop polls.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use bootstrap::child::Mask;
use signal_hook::consts::{
    SIGALRM, SIGCHLD, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2,
    SIGWINCH, SIGXFSZ,
};

/// Signals that end the job.
pub const ENDING: [i32; 4] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
/// Signals that are passed on to the ranks.
pub const FORWARDED: [i32; 6] = [SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH, SIGTSTP, SIGCONT];

/// Whether a signal to a daemon is meant for the job: one that ends it, or one that a user has
/// asked the batch system for. Others hold for the daemon's own host.
pub(crate) fn is_for_job(signal: i32) -> bool {
    ENDING.contains(&signal) || [SIGUSR1, SIGUSR2, SIGALRM].contains(&signal)
}

/// Signals that have arrived, each at most once until it is taken.
pub struct Signals {
    /// Becomes readable when a signal arrives.
    wake: UnixStream,
    pending: Vec<(i32, Arc<AtomicBool>)>,
    /// The signals that were blocked before: what is started gets them back.
    given: Mask,
}

impl Signals {
    /// Starts to catch signals. Those that the launcher was started to ignore (nohup) stay so;
    /// those that its parent had blocked are let through, or it would never learn of an end.
    pub fn catch() -> io::Result<Signals> {
        let (wake, poke) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        poke.set_nonblocking(true)?;
        // A file of output that has come to its limit is an error then, and no end.
        signal_hook::flag::register(SIGXFSZ, Arc::default())?;
        let ignored = ignored();
        let mut pending = Vec::new();
        for signal in ENDING.into_iter().chain(FORWARDED).chain([SIGCHLD]) {
            if signal != SIGCHLD && ignored & (1 << (signal - 1)) != 0 {
                continue;
            }
            // Handlers run in the order of registration: the flag is up before the poke wakes.
            let flag = Arc::new(AtomicBool::new(false));
            signal_hook::flag::register(signal, Arc::clone(&flag))?;
            signal_hook::low_level::pipe::register(signal, poke.try_clone()?)?;
            pending.push((signal, flag));
        }
        // With their handlers in place: some may be waiting.
        let given = Mask::unblock(pending.iter().map(|(signal, _)| *signal))?;
        Ok(Signals {
            wake,
            pending,
            given,
        })
    }

    /// The signals that this process was started to block.
    pub(crate) fn given(&self) -> Mask {
        self.given
    }

    /// The signals that arrived since the last call.
    pub fn take(&mut self) -> Vec<i32> {
        let mut pokes = [0; 64];
        while matches!(self.wake.read(&mut pokes), Ok(n) if n > 0) {}
        let arrived = self
            .pending
            .iter()
            .filter(|(_, flag)| flag.swap(false, Ordering::SeqCst));
        arrived.map(|(signal, _)| *signal).collect()
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}

/// The signals that this process ignores, as bits from signal 1 on.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}
