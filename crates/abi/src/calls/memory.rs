//! Addresses, and memory that MPI allocates for the user (MPI 5.0, 5.1.5 and 9.2).

use std::ffi::c_void;

use crate::args::{self, Info};
use crate::failure::Failure;
use crate::generated::constants::{MPI_ERR_ARG, MPI_ERR_NO_MEM};

/// Two cache lines: what wide vector units and the prefetcher of pairs of lines like.
const ALIGNMENT_BYTES: usize = 128;

/// `MPI_Get_address`: the address of a place in the caller's memory.
pub unsafe fn get_address(location: *const c_void, address: *mut i64) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a place for an address; the location is not looked at.
    unsafe { args::write(address, location as i64, "address") }
}

/// `MPI_Alloc_mem`: memory from the C library. `baseptr` is where its address goes; no key of
/// `info` is known. Freed by `MPI_Free_mem`.
pub unsafe fn alloc_mem(size: i64, _info: Info, baseptr: *mut c_void) -> Result<(), Failure> {
    let Ok(bytes) = usize::try_from(size) else {
        return Err(Failure::new(
            MPI_ERR_ARG,
            format!("size is {size} bytes, less than zero"),
        ));
    };
    let mut memory = std::ptr::null_mut();
    // SAFETY: `memory` is a place for a pointer, and the alignment is a power of two.
    let failed = unsafe { libc::posix_memalign(&mut memory, ALIGNMENT_BYTES, bytes) } != 0;
    if failed {
        return Err(Failure::new(
            MPI_ERR_NO_MEM,
            format!("no memory for {bytes} bytes"),
        ));
    }
    // SAFETY: MPI's caller gives a place for a pointer, which C's signature calls `void*`.
    let stored = unsafe { args::write(baseptr.cast::<*mut c_void>(), memory, "baseptr") };
    if stored.is_err() {
        // SAFETY: the memory was allocated above, and nobody else has its address.
        unsafe { libc::free(memory) };
    }
    stored
}

/// `MPI_Free_mem`.
pub unsafe fn free_mem(base: *mut c_void) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives what `MPI_Alloc_mem` gave, once; freeing null does nothing.
    unsafe { libc::free(base) };
    Ok(())
}
