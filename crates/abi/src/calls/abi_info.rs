//! Info objects of the properties that the ABI leaves open (MPI 5.0, 20.2 and 20.5).
//!
//! C's sizes are fixed. Those of Fortran are the compiler's: a Fortran binding sets them before
//! anything else happens. The datatypes here have the common ones, and no other can be set.

use abi_state::args::{self, Bytes, Info, Out};
use abi_state::failure::Failure;
use abi_state::generated::constants::{MPI_ERR_ABI, MPI_ERR_ARG, MPI_INFO_NULL};
use abi_state::runtime;

use super::info;

/// Bytes of the Fortran types that datatypes are for.
const FORTRAN: [(&str, &str); 4] = [
    ("mpi_logical_size", "4"),
    ("mpi_integer_size", "4"),
    ("mpi_real_size", "4"),
    ("mpi_double_precision_size", "8"),
];

/// `MPI_Abi_get_info`: bytes of C's integer types.
pub fn abi_get_info(info: Out<Info>) -> Result<(), Failure> {
    let mut sizes = mpi::Info::new();
    for key in ["mpi_aint_size", "mpi_count_size", "mpi_offset_size"] {
        sizes.set(key, "8")?;
    }
    info::give(info, sizes)
}

/// `MPI_Abi_get_fortran_info`: `MPI_INFO_NULL` until a Fortran binding set them.
pub fn abi_get_fortran_info(info: Out<Info>) -> Result<(), Failure> {
    let sizes = runtime::get().anytime.enter().fortran_info.clone();
    match sizes {
        Some(sizes) => info::give(info, sizes),
        None => info.set(MPI_INFO_NULL),
    }
}

/// `MPI_Abi_set_fortran_info`: once, and only what the datatypes are for.
pub fn abi_set_fortran_info(info: Info) -> Result<(), Failure> {
    let sizes = info::hints(info)?;
    for (key, bytes) in FORTRAN {
        if let Some(value) = sizes.get(key)?.filter(|value| *value != bytes) {
            let text = format!("{key} is {value}; this library has Fortran types of {bytes} bytes");
            return Err(Failure::new(MPI_ERR_ABI, text));
        }
    }
    let mut anytime = runtime::get().anytime.enter();
    if anytime.fortran_info.is_some() {
        return Err(Failure::new(
            MPI_ERR_ABI,
            "the sizes of Fortran types were set before",
        ));
    }
    anytime.fortran_info = Some(sizes);
    Ok(())
}

/// `MPI_Abi_get_fortran_booleans`.
pub fn abi_get_fortran_booleans(
    logical_true: Bytes,
    logical_false: Bytes,
    is_set: Out<i32>,
) -> Result<(), Failure> {
    let values = runtime::get().anytime.enter().fortran_booleans;
    let bytes = logical_bytes(logical_true)?;
    if let Some((set_bytes, yes, no)) = values {
        if set_bytes != bytes {
            let text = format!("logical_size is {bytes}, but values of {set_bytes} bytes were set");
            return Err(Failure::new(MPI_ERR_ARG, text));
        }
        store(logical_true, yes)?;
        store(logical_false, no)?;
    }
    is_set.set(i32::from(values.is_some()))
}

/// `MPI_Abi_set_fortran_booleans`: once.
pub fn abi_set_fortran_booleans(logical_true: Bytes, logical_false: Bytes) -> Result<(), Failure> {
    let bytes = logical_bytes(logical_true)?;
    let (yes, no) = (load(logical_true)?, load(logical_false)?);
    let mut anytime = runtime::get().anytime.enter();
    if anytime.fortran_booleans.is_some() {
        return Err(Failure::new(
            MPI_ERR_ABI,
            "the Fortran truth values were set before",
        ));
    }
    anytime.fortran_booleans = Some((bytes, yes, no));
    Ok(())
}

/// The size of a LOGICAL.
fn logical_bytes(logical: Bytes) -> Result<usize, Failure> {
    let size = logical.size();
    if ![1, 2, 4, 8, 16].contains(&size) {
        let text = format!("logical_size is {size}; it has to be 1, 2, 4, 8 or 16");
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    Ok(size as usize)
}

/// The value of a LOGICAL, of a size that was checked.
fn load(logical: Bytes) -> Result<u128, Failure> {
    check(logical)?;
    let bytes = logical_bytes(logical)?;
    let mut all = [0; 16];
    // SAFETY: the user gives this many bytes (`Bytes::new`), at most 16.
    unsafe { std::ptr::copy_nonoverlapping(logical.address().cast(), all.as_mut_ptr(), bytes) };
    Ok(u128::from_le_bytes(all))
}

/// Stores the value of a LOGICAL, of a size that was checked.
fn store(logical: Bytes, value: u128) -> Result<(), Failure> {
    check(logical)?;
    let bytes = logical_bytes(logical)?;
    let value = value.to_le_bytes();
    // SAFETY: the user gives room for this many bytes (`Bytes::new`), at most 16.
    unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), logical.address().cast(), bytes) };
    Ok(())
}

fn check(logical: Bytes) -> Result<(), Failure> {
    match logical.address().is_null() {
        true => Err(args::null("a truth value")),
        false => Ok(()),
    }
}
