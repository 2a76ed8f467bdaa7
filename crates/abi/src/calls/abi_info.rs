//! What the ABI leaves open, as info objects (MPI 5.0, 20.2 and 20.5).
//!
//! C's sizes are fixed. Those of Fortran are the compiler's: a Fortran binding tells them before
//! anything else happens. The datatypes here have the common ones, and no other can be told.

use std::ffi::c_void;

use super::info;
use crate::args::{self, Info};
use crate::failure::Failure;
use crate::generated::constants::{MPI_ERR_ABI, MPI_ERR_ARG, MPI_INFO_NULL};
use crate::runtime;

/// Bytes of the Fortran types that datatypes are for.
const FORTRAN: [(&str, &str); 4] = [
    ("mpi_logical_size", "4"),
    ("mpi_integer_size", "4"),
    ("mpi_real_size", "4"),
    ("mpi_double_precision_size", "8"),
];

/// `MPI_Abi_get_info`: bytes of C's integer types.
pub unsafe fn abi_get_info(info: *mut Info) -> Result<(), Failure> {
    let mut sizes = mpi::Info::new();
    for key in ["mpi_aint_size", "mpi_count_size", "mpi_offset_size"] {
        sizes.set(key, "8")?;
    }
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { info::give(info, sizes) }
}

/// `MPI_Abi_get_fortran_info`: `MPI_INFO_NULL` until they were told.
pub unsafe fn abi_get_fortran_info(info: *mut Info) -> Result<(), Failure> {
    let told = runtime::get().anytime.enter().fortran_info.clone();
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe {
        match told {
            Some(told) => info::give(info, told),
            None => args::write(info, MPI_INFO_NULL, "info"),
        }
    }
}

/// `MPI_Abi_set_fortran_info`: once, and only what the datatypes are for.
pub unsafe fn abi_set_fortran_info(info: Info) -> Result<(), Failure> {
    let told = info::hints(info)?;
    for (key, bytes) in FORTRAN {
        if let Some(value) = told.get(key)?.filter(|value| *value != bytes) {
            let text = format!("{key} is {value}; this library has Fortran types of {bytes} bytes");
            return Err(Failure::new(MPI_ERR_ABI, text));
        }
    }
    let mut anytime = runtime::get().anytime.enter();
    if anytime.fortran_info.is_some() {
        return Err(Failure::new(
            MPI_ERR_ABI,
            "the sizes of Fortran types were told before",
        ));
    }
    anytime.fortran_info = Some(told);
    Ok(())
}

/// `MPI_Abi_get_fortran_booleans`.
pub unsafe fn abi_get_fortran_booleans(
    logical_size: i32,
    logical_true: *mut c_void,
    logical_false: *mut c_void,
    is_set: *mut i32,
) -> Result<(), Failure> {
    let told = runtime::get().anytime.enter().fortran_booleans;
    let bytes = logical_bytes(logical_size)?;
    // SAFETY: MPI's caller gives places for two values of that size and for an integer.
    unsafe {
        if let Some((set_bytes, yes, no)) = told {
            if set_bytes != bytes {
                let text =
                    format!("logical_size is {bytes}, but values of {set_bytes} bytes were set");
                return Err(Failure::new(MPI_ERR_ARG, text));
            }
            store(logical_true, bytes, yes)?;
            store(logical_false, bytes, no)?;
        }
        args::write(is_set, i32::from(told.is_some()), "is_set")
    }
}

/// `MPI_Abi_set_fortran_booleans`: once.
pub unsafe fn abi_set_fortran_booleans(
    logical_size: i32,
    logical_true: *mut c_void,
    logical_false: *mut c_void,
) -> Result<(), Failure> {
    let bytes = logical_bytes(logical_size)?;
    // SAFETY: MPI's caller gives two values of that size.
    let (yes, no) = unsafe { (load(logical_true, bytes)?, load(logical_false, bytes)?) };
    let mut anytime = runtime::get().anytime.enter();
    if anytime.fortran_booleans.is_some() {
        return Err(Failure::new(
            MPI_ERR_ABI,
            "the Fortran truth values were told before",
        ));
    }
    anytime.fortran_booleans = Some((bytes, yes, no));
    Ok(())
}

fn logical_bytes(size: i32) -> Result<usize, Failure> {
    if ![1, 2, 4, 8, 16].contains(&size) {
        let text = format!("logical_size is {size}; it has to be 1, 2, 4, 8 or 16");
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    Ok(size as usize)
}

/// # Safety
/// A place that is not null has `bytes` bytes, at most 16.
unsafe fn load(place: *const c_void, bytes: usize) -> Result<u128, Failure> {
    // SAFETY: the caller promises it.
    let bytes = unsafe { args::array(place.cast::<u8>(), bytes, "a truth value") }?;
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(&bytes);
    Ok(u128::from_le_bytes(all))
}

/// # Safety
/// A place that is not null has `bytes` bytes, at most 16.
unsafe fn store(place: *mut c_void, bytes: usize, value: u128) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::new(MPI_ERR_ARG, "a truth value is a null pointer"));
    }
    let value = value.to_le_bytes();
    // SAFETY: the caller promises the room, and no more is written.
    unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), place.cast::<u8>(), bytes) };
    Ok(())
}
