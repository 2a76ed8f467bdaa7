//! Protection of the process's signal handlers.
//!
//! Libraries that libfabric loads install signal handlers: those of InfiniPath and Omni-Path for
//! `SIGSEGV`, `SIGINT`, `SIGTERM` and more, which print a backtrace and exit. They would replace
//! the handlers of memory debuggers, of runtimes with guard pages, and of programs that clean up on
//! SIGTERM. So the handlers of before are restored after loading.

use std::mem::MaybeUninit;

use libc::{c_int, sigaction};
use mca::Framework;

/// The signals that handlers are set for; those above are of real time.
const SIGNALS: std::ops::Range<c_int> = 1..32;

/// Runs `act`, and restores the handlers that it has replaced. A handler that another thread sets
/// meanwhile may be undone with them.
pub(crate) fn keep_handlers<T>(act: impl FnOnce() -> T) -> T {
    let before: Vec<_> = SIGNALS
        .filter_map(|signal| Some((signal, handler(signal)?)))
        .collect();
    let outcome = act();
    for (signal, old) in before {
        let replaced = |new: sigaction| new.sa_sigaction != old.sa_sigaction;
        if handler(signal).is_some_and(replaced) {
            Framework::Opal.debug(format_args!(
                "libfabric set a handler for signal {signal}: it is taken back"
            ));
            // SAFETY: the action is one that was set before; null asks for no answer.
            unsafe { sigaction(signal, &old, std::ptr::null_mut()) };
        }
    }
    outcome
}

/// Returns the action for a signal; `None` where that cannot be read.
fn handler(signal: c_int) -> Option<sigaction> {
    let mut action = MaybeUninit::uninit();
    // SAFETY: null sets nothing; `action` is room for the answer, which is complete on success.
    unsafe {
        let answer = sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        (answer == 0).then(|| action.assume_init())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn nothing(_: c_int) {}

    fn set(signal: c_int, to: libc::sighandler_t) {
        // SAFETY: `to` is the default or a function that does nothing, for a signal that nobody
        // in the tests sends or sets.
        unsafe { libc::signal(signal, to) };
    }

    /// Debian's libfabric loads libraries that set handlers for six signals. A user's program
    /// that received `SIGTERM` printed a backtrace instead of ending in its own way.
    #[test]
    fn what_is_replaced_is_put_back() {
        let ours = nothing as extern "C" fn(c_int) as libc::sighandler_t;
        for (old, new) in [(libc::SIG_DFL, ours), (ours, libc::SIG_DFL)] {
            undisturbed(|| {
                set(libc::SIGWINCH, old);
                let answer = keep_handlers(|| {
                    set(libc::SIGWINCH, new);
                    7
                });
                assert_eq!(answer, 7);
                handler(libc::SIGWINCH).map(|action| action.sa_sigaction) == Some(old)
            });
        }
        set(libc::SIGWINCH, libc::SIG_DFL);
        loading_libfabric_changes_nothing();
    }

    /// No test of its own: handlers are the whole process's.
    fn loading_libfabric_changes_nothing() {
        let all = || SIGNALS.map(|signal| handler(signal).map(|action| action.sa_sigaction));
        let before: Vec<_> = all().collect();
        let Ok(library) = crate::Library::load(None) else {
            return eprintln!("no libfabric here");
        };
        let _ = library.query(&crate::Hints::new(crate::caps::MSG));
        undisturbed(|| all().collect::<Vec<_>>() == before);
    }

    /// Other tests load libfabric meanwhile, and put back what they have found.
    fn undisturbed(mut test: impl FnMut() -> bool) {
        let again = || {
            std::thread::sleep(std::time::Duration::from_millis(5));
            test()
        };
        assert!(std::iter::repeat_with(again).take(200).any(|fine| fine));
    }
}
