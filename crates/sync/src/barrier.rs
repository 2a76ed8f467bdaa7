//! Memory barriers on all cores that run a registered process (membarrier(2)).
//!
//! A sleeper sets its flag and calls [`expedited`]; a sender then needs only a plain load of
//! the flag after its store. One side pays a system call, rarely; the other pays nothing.

/// Asks that barriers of other processes reach this one. False where the kernel cannot.
pub fn register() -> bool {
    membarrier(libc::MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED)
}

/// A full barrier on all cores that run a registered process.
pub fn expedited() {
    membarrier(libc::MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

/// A full barrier on all cores that run a thread of this process. The slow form, for kernels
/// without the fast one, needs Linux 4.3.
pub fn own_threads() {
    let fast = membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
        && membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    if !fast {
        membarrier(libc::MEMBARRIER_CMD_GLOBAL);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "membarrier(2) waits for no other thread"
)]
fn membarrier(command: libc::c_int) -> bool {
    // SAFETY: membarrier takes integers and touches no memory of ours.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}
