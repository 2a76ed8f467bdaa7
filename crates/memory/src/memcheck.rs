//! Informs valgrind's memcheck of what it cannot see, where a process runs under it.
//!
//! A request to valgrind is a sequence of instructions that have no effect together, and that it
//! knows (`valgrind/valgrind.h`). Elsewhere they cost a nanosecond.

/// The request that memory counts as initialised (`valgrind/memcheck.h`).
const MAKE_MEM_DEFINED: usize = 0x4d43_0002;

/// Has memcheck take memory for initialised: other processes write it, which memcheck does not see.
/// The memory is not accessed.
pub fn make_defined(address: usize, bytes: usize) {
    request([MAKE_MEM_DEFINED, address, bytes, 0, 0, 0]);
}

#[cfg(target_arch = "x86_64")]
fn request(words: [usize; 6]) {
    // SAFETY: the rotations add up to nothing, and exchanging a register with itself does nothing.
    // Valgrind reads the words, and leaves its answer in rdx.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") words.as_ptr(),
            inout("rdx") 0usize => _,
            options(nostack),
        );
    }
}

#[cfg(target_arch = "aarch64")]
fn request(words: [usize; 6]) {
    // SAFETY: the rotations add up to nothing, and a register or itself is itself. Valgrind reads
    // the words, and leaves its answer in x3.
    unsafe {
        std::arch::asm!(
            "ror x12, x12, #3",
            "ror x12, x12, #13",
            "ror x12, x12, #51",
            "ror x12, x12, #61",
            "orr x10, x10, x10",
            in("x4") words.as_ptr(),
            inout("x3") 0usize => _,
            options(nostack),
        );
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn request(_words: [usize; 6]) {}
