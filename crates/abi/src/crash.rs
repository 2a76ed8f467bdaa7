//! The stack of a process that crashes, where the user asks for it (`mpirun --backtrace`, parameter
//! `opal_signal`).
//!
//! A handler prints the calls that led to the signal on standard error; then the signal acts as it
//! would have without it, so that the exit code and the core file are the same. Signals that the
//! program handles itself are left to it, as is a handler that it sets later.
//!
//! The handler calls what may be called in a handler, but for glibc's `backtrace`, whose library is
//! loaded beforehand, and `backtrace_symbols_fd`, which asks the loader for names.

use std::ffi::c_int;
use std::fmt::{self, Write};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use mpi::Process;
use mpi_components::params::{self, CRASH_SIGNALS};

/// Calls that are shown.
const DEPTH: usize = 64;

/// Bytes of the stack that the handler runs on: the thread's own may be what has overflowed.
const STACK_BYTES: usize = 128 << 10;

/// State of the handler, which has no argument of its own.
struct Crash {
    rank: AtomicU32,
    /// Whether the handlers are set.
    ready: AtomicBool,
    /// Whether a thread is printing.
    prints: AtomicBool,
}

static CRASH: Crash = Crash {
    rank: AtomicU32::new(0),
    ready: AtomicBool::new(false),
    prints: AtomicBool::new(false),
};

/// Sets the handlers that the user asks for, once.
pub(crate) fn open(process: &Process) {
    let wanted = process.registry.text(CRASH_SIGNALS);
    if wanted.is_empty() {
        return;
    }
    CRASH.rank.store(process.identity.peer.0, Ordering::Relaxed);
    if CRASH.ready.swap(true, Ordering::Relaxed) {
        return;
    }
    let mut first: [*mut libc::c_void; 1] = [ptr::null_mut()];
    // SAFETY: the array has room for one address. The first call loads the unwinder, which a
    // handler may not do.
    unsafe { libc::backtrace(first.as_mut_ptr(), 1) };
    take_stack();
    for signal in params::signals(wanted).unwrap_or_default() {
        handle(signal);
    }
}

/// Gives this thread a stack for handlers, unless it has one.
fn take_stack() {
    let mut own = MaybeUninit::<libc::stack_t>::uninit();
    // SAFETY: `own` is writable; the first argument may be null.
    let found = unsafe { libc::sigaltstack(ptr::null(), own.as_mut_ptr()) } == 0;
    // SAFETY: the call has succeeded, so it has filled `own`.
    if !found || unsafe { own.assume_init() }.ss_flags & libc::SS_DISABLE == 0 {
        return;
    }
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: memory of its own is asked for, at any address.
    let memory = unsafe { libc::mmap(ptr::null_mut(), STACK_BYTES, protection, kind, -1, 0) };
    if memory == libc::MAP_FAILED {
        return;
    }
    let stack = libc::stack_t {
        ss_sp: memory,
        ss_flags: 0,
        ss_size: STACK_BYTES,
    };
    // SAFETY: the memory is this thread's alone, and stays until the process ends.
    unsafe { libc::sigaltstack(&stack, ptr::null_mut()) };
}

/// Handles a signal that nobody handles.
fn handle(signal: i32) {
    let mut old = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: `old` is writable; the second argument may be null.
    let found = unsafe { libc::sigaction(signal, ptr::null(), old.as_mut_ptr()) } == 0;
    // SAFETY: the call has succeeded, so it has filled `old`.
    if !found || unsafe { old.assume_init() }.sa_sigaction != libc::SIG_DFL {
        return;
    }
    let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut libc::c_void) = show;
    // SAFETY: all zeros are a value of this structure, with no signal in its mask.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = handler as libc::sighandler_t;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the handler has the form that SA_SIGINFO asks for.
    unsafe { libc::sigaction(signal, &action, ptr::null_mut()) };
}

/// The handler.
#[expect(
    clippy::disallowed_methods,
    reason = "this thread has crashed, and another one prints its stack and ends the process"
)]
extern "C" fn show(signal: c_int, facts: *mut libc::siginfo_t, _: *mut libc::c_void) {
    if CRASH.prints.swap(true, Ordering::AcqRel) {
        // Another thread prints, and ends the process then.
        loop {
            // SAFETY: the call takes no address.
            unsafe { libc::pause() };
        }
    }
    // SAFETY: the system passes a filled structure; each signal that a fault raises has an address.
    let (code, address) = unsafe { ((*facts).si_code, (*facts).si_addr()) };
    let was_sent = code <= 0;
    let mut text = Line::default();
    let rank = CRASH.rank.load(Ordering::Relaxed);
    // SAFETY: the call takes no address.
    let pid = unsafe { libc::getpid() };
    let name = name(signal);
    // A line that is too long is cut.
    let _ = match was_sent {
        true => write!(text, "rank {rank}: process {pid} got signal {signal}{name}"),
        false => write!(
            text,
            "rank {rank}: process {pid} got signal {signal}{name} at address {address:p}"
        ),
    };
    let _ = text.write_str("; its stack (`addr2line -Cfe FILE +OFFSET` prints the lines):\n");
    text.print();
    let mut calls: [*mut libc::c_void; DEPTH] = [ptr::null_mut(); DEPTH];
    // SAFETY: the array has room for `DEPTH` addresses; the first of them is this function.
    unsafe {
        let found = libc::backtrace(calls.as_mut_ptr(), DEPTH as c_int);
        let own = c_int::from(found > 0);
        libc::backtrace_symbols_fd(calls.as_ptr().add(own as usize), found - own, 2);
        libc::signal(signal, libc::SIG_DFL);
        if was_sent || signal == libc::SIGABRT {
            // It arrives as soon as this handler returns; a fault is repeated by itself.
            libc::raise(signal);
        }
    }
}

/// Returns the name of a signal, in brackets.
fn name(signal: c_int) -> &'static str {
    match signal {
        libc::SIGILL => " (SIGILL)",
        libc::SIGABRT => " (SIGABRT)",
        libc::SIGBUS => " (SIGBUS)",
        libc::SIGFPE => " (SIGFPE)",
        libc::SIGSEGV => " (SIGSEGV)",
        _ => "",
    }
}

/// A line that is put together without the heap.
struct Line {
    bytes: [u8; 256],
    length: usize,
}

impl Default for Line {
    fn default() -> Line {
        Line {
            bytes: [0; 256],
            length: 0,
        }
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = &mut self.bytes[self.length..];
        let taken = text.len().min(room.len());
        room[..taken].copy_from_slice(&text.as_bytes()[..taken]);
        self.length += taken;
        Ok(())
    }
}

impl Line {
    fn print(&self) {
        // SAFETY: `length` bytes are filled. Nobody reads the line when standard error is closed.
        unsafe { libc::write(2, self.bytes.as_ptr().cast(), self.length) };
    }
}
