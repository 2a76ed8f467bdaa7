//! The C library's heap.

/// Gives free pages of the C library's heap back to the system.
///
/// The C library keeps what is freed below an allocation that stays, so after a burst of small
/// allocations nothing may come back by itself. The call looks at all of the heap and takes
/// milliseconds where that is large: it is for the end of such a burst. Without glibc nothing is
/// done.
pub fn give_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: malloc_trim takes a number and touches no memory that is allocated.
    unsafe {
        libc::malloc_trim(0);
    }
}
