//! Addresses, and memory that MPI allocates for the user (MPI 5.0, 5.1.5 and 9.2).

use std::ffi::c_void;

use abi_state::args::{Info, Out};
use abi_state::failure::Failure;
use abi_state::generated::constants::MPI_ERR_ARG;
use abi_state::runtime;

use super::info;

/// `MPI_Get_address`: the address of a location in the caller's memory.
pub fn get_address(location: *const c_void, address: Out<i64>) -> Result<(), Failure> {
    address.set(location as i64)
}

/// `MPI_Alloc_mem`: allocates from the pool that `info` names. `baseptr` is where the address goes.
/// Freed by `MPI_Free_mem`.
pub fn alloc_mem(size: i64, info: Info, baseptr: Out<usize>) -> Result<(), Failure> {
    let Ok(bytes) = usize::try_from(size) else {
        return Err(Failure::new(
            MPI_ERR_ARG,
            format!("size is {size} bytes, less than zero"),
        ));
    };
    let info = info::hints(info)?;
    let mut memory = runtime::get().user_memory();
    let given = memory.allocate(bytes, &info)?;
    drop(memory);
    let address = given.as_ptr() as usize;
    let stored = baseptr.set(address);
    if stored.is_err() {
        runtime::get().user_memory().free(address)?;
    }
    stored
}

/// `MPI_Free_mem`: what `MPI_Alloc_mem` gave, or null.
pub fn free_mem(base: *mut c_void) -> Result<(), Failure> {
    Ok(runtime::get().user_memory().free(base as usize)?)
}
