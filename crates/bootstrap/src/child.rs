//! Steps of a launcher in a child between fork and exec, and the mask of blocked signals.
//!
//! They are here and not in `launch` because they need unsafe code, which `launch` does not have.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::{getppid, set_parent_process_death_signal, Pid, Resource, Rlimit, Signal};
use rustix::thread::CpuSet;

/// How a child differs from its parent. The default changes nothing but that the child dies with
/// its parent.
#[derive(Default)]
pub struct Setup {
    /// The child begins a session, and with it a process group, of its own. Linux gives each
    /// session the same share of a core where others compute (sched(7), autogroup): ranks of one
    /// session have together that of one. But a yield gives the core to others of the session
    /// alone, so ranks that share cores want one in common.
    pub session: bool,
    /// Descriptors that stay open across exec, under their numbers.
    pub keep: Vec<OwnedFd>,
    /// The processors that the child may run on, counted as the system counts them; empty leaves
    /// them as they are.
    pub cpus: Vec<usize>,
    /// A pipe into which the child writes its process id before it becomes the program, as four
    /// bytes, little-endian. The reader knows of the program before that does anything.
    pub announce: Option<OwnedFd>,
    /// The limit of open files, where the parent has raised its own: (soft, hard).
    pub open_files: Option<(Option<u64>, Option<u64>)>,
    /// The signals that the child has blocked, where the parent has changed its own mask.
    pub blocked: Option<Mask>,
    /// The child stops before the first instruction of its program, until [`hold`] lets go of it,
    /// and any process of the user may debug it.
    pub stops: bool,
}

/// A mask of blocked signals.
#[derive(Clone, Copy)]
pub struct Mask(libc::sigset_t);

impl Mask {
    /// Lets `signals` through to the calling thread, and returns the mask that it had before.
    ///
    /// A mask lives on through `exec`: a program may be started by one that has blocked what it
    /// waits for by other means, as servers do.
    ///
    /// # Errors
    /// When one of them is no signal.
    pub fn unblock(signals: impl IntoIterator<Item = i32>) -> io::Result<Mask> {
        let (mut set, mut old) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: `set` is writable and has room for a set; the call fills it and cannot fail.
        unsafe { libc::sigemptyset(set.as_mut_ptr()) };
        for signal in signals {
            // SAFETY: the set has been filled above; a number that is no signal is refused.
            if unsafe { libc::sigaddset(set.as_mut_ptr(), signal) } != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        // SAFETY: `set` is filled, and `old` is writable and has room for a set.
        let error =
            unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, set.as_ptr(), old.as_mut_ptr()) };
        match error {
            // SAFETY: the call has succeeded, so it has filled `old`.
            0 => Ok(Mask(unsafe { old.assume_init() })),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }

    /// Makes this the mask of the calling thread.
    fn restore(&self) -> io::Result<()> {
        // SAFETY: the set is a filled one, and the call writes nowhere.
        let error =
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.0, std::ptr::null_mut()) };
        match error {
            0 => Ok(()),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

/// Makes the child of `command` apply `setup`, and makes the system kill it when the thread that
/// spawns it ends.
pub fn arrange(command: &mut Command, setup: Setup) {
    let parent = rustix::process::getpid();
    let mut cpus = CpuSet::new();
    setup.cpus.iter().for_each(|&cpu| cpus.set(cpu));
    let prepare = move || prepare(parent, &setup, &cpus);
    // SAFETY: between fork and exec only async-signal-safe calls are allowed, and no allocation.
    // `prepare` makes system calls directly and touches nothing but its arguments, which exist
    // since before the fork.
    unsafe { command.pre_exec(prepare) };
}

fn prepare(parent: Pid, setup: &Setup, cpus: &CpuSet) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() != Some(parent) {
        // The parent died before the call above could notice.
        return Err(rustix::io::Errno::SRCH.into());
    }
    if setup.session {
        rustix::process::setsid()?;
    }
    if let Some(pipe) = &setup.announce {
        let pid = rustix::process::getpid().as_raw_pid();
        rustix::io::write(pipe, &pid.to_le_bytes())?;
    }
    for fd in &setup.keep {
        rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::empty())?;
    }
    if let Some((soft, hard)) = setup.open_files {
        let limit = Rlimit {
            current: soft,
            maximum: hard,
        };
        rustix::process::setrlimit(Resource::Nofile, limit)?;
    }
    if !setup.cpus.is_empty() {
        rustix::thread::sched_setaffinity(None, cpus)?;
    }
    if setup.stops {
        be_traced()?;
    }
    match &setup.blocked {
        Some(mask) => mask.restore(),
        None => Ok(()),
    }
}

/// Lets the parent trace this process, and later any debugger, where the system lets only
/// ancestors (Yama).
fn be_traced() -> io::Result<()> {
    // SAFETY: neither call has an argument that it reads or writes through.
    unsafe {
        // Unknown to systems without Yama.
        libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0);
        match libc::ptrace(libc::PTRACE_TRACEME) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

/// Leaves a child that was started with [`Setup::stops`] stopped, for a debugger to attach to it.
/// SIGCONT lets it go on.
///
/// # Errors
/// When the child is no longer there, or the system refuses.
#[expect(
    clippy::disallowed_methods,
    reason = "the child stops at its exec, which has happened"
)]
pub fn hold(child: Pid) -> io::Result<()> {
    let pid = child.as_raw_pid();
    let mut status = 0;
    // SAFETY: `status` is a number that the call may write. The child is traced, so it stops at
    // `exec`, which has happened.
    if unsafe { libc::waitpid(pid, &mut status, libc::__WALL) } != pid {
        return Err(io::Error::last_os_error());
    }
    if !libc::WIFSTOPPED(status) {
        return Err(io::Error::other("it has ended before it could be stopped"));
    }
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: the child is in a stop of this tracer; the call takes no address.
    match unsafe { libc::ptrace(libc::PTRACE_DETACH, pid, none, libc::SIGSTOP) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
