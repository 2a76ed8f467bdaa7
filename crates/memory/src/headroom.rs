//! Checks that this process can get more memory, descriptors and threads, before they are needed.
//!
//! An allocator that gets nothing from the system ends the process, and so do some libraries. Where
//! that must be an error instead, the caller checks first: [`check`] maps that much memory and
//! unmaps it. That respects the user's limits (`ulimit -v`, `ulimit -d`) and a kernel that does not
//! overcommit, but not the limit of a control group, at which the kernel kills the process.
//!
//! The checks are made before libfabric is loaded (`libnuma`, which libfabric loads, ends the
//! process where it gets no memory), before a provider opens a device or maps a peer, and before
//! transports are opened. `cargo xtask test --only limits` starts jobs under every limit, and
//! `--only faults` lets each system call and each call of libfabric fail in turn.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd};
use std::ptr;
use std::sync::{mpsc, Arc};
use std::thread::Builder;

use base::Mutex;

/// Checks that `bytes` bytes can be allocated now. Other threads may take them meanwhile.
///
/// # Errors
/// [`io::ErrorKind::OutOfMemory`], with how much is missing and which limits may be the reason.
pub fn check(bytes: usize) -> io::Result<()> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping at an address of the kernel's choice affects no other memory.
    let address = unsafe { libc::mmap(ptr::null_mut(), bytes, access, kind, -1, 0) };
    if address == libc::MAP_FAILED {
        let mebibytes = bytes.div_ceil(1 << 20);
        let what = format!("less than {mebibytes} MiB of memory are left (ulimit -v, ulimit -d)");
        return Err(io::Error::new(io::ErrorKind::OutOfMemory, what));
    }
    // SAFETY: mapped above, and nobody else knows the address.
    unsafe { libc::munmap(address, bytes) };
    Ok(())
}

/// Checks that `count` descriptors can be opened now. Other threads may take them meanwhile.
///
/// # Errors
/// The system's, with how many are missing and which limit may be the reason.
pub fn check_descriptors(count: usize) -> io::Result<()> {
    let mut opened = Vec::with_capacity(count);
    for _ in 0..count {
        // SAFETY: eventfd takes numbers.
        let descriptor = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) };
        if descriptor < 0 {
            let error = io::Error::last_os_error();
            let what = format!("less than {count} descriptors are left (ulimit -n): {error}");
            return Err(io::Error::new(error.kind(), what));
        }
        // SAFETY: the descriptor is new and belongs to nobody else.
        opened.push(unsafe { OwnedFd::from_raw_fd(descriptor) });
    }
    Ok(())
}

/// Checks that `count` threads can be started now, with stacks as C libraries give them.
///
/// # Errors
/// The system's, with how many are wanted and which limits may be the reason.
#[expect(
    clippy::disallowed_methods,
    reason = "the threads that it starts, to see whether they can be, end at once"
)]
pub fn check_threads(count: usize) -> io::Result<()> {
    /// The usual limit of a stack (`ulimit -s`), which is what C libraries take.
    const STACK_BYTES: usize = 8 << 20;
    // The threads end when the sender is dropped, so all exist at the same time.
    let (sender, receiver) = mpsc::channel::<()>();
    let receiver = Arc::new(Mutex::new(receiver));
    let start = |_| {
        let receiver = receiver.clone();
        let wait = move || receiver.lock().recv();
        Builder::new().stack_size(STACK_BYTES).spawn(wait)
    };
    let (started, refused): (Vec<_>, Vec<_>) = (0..count).map(start).partition(Result::is_ok);
    drop(sender);
    for thread in started.into_iter().flatten() {
        // The thread does nothing that can panic.
        let _ = thread.join();
    }
    match refused.into_iter().find_map(Result::err) {
        None => Ok(()),
        Some(error) => {
            let what = format!("{count} threads cannot be started (ulimit -u, -v): {error}");
            Err(io::Error::new(error.kind(), what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused_and_what_is_there_is_not() {
        assert!(check(1 << 20).is_ok());
        let refused = check(1 << 60).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::OutOfMemory);
        assert!(refused.to_string().contains("ulimit -v"), "{refused}");
        assert!(check_descriptors(2).is_ok());
        assert!(check_threads(2).is_ok());
        let refused = check_descriptors(1 << 21).unwrap_err();
        assert!(refused.to_string().contains("ulimit -n"), "{refused}");
    }
}
