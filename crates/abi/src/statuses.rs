//! Statuses of Fortran in C (MPI 5.0, 19.3.5). They are of the standard but not of its ABI, which
//! knows no `MPI_Fint`. A Fortran status has the integers of a C status, so each conversion copies.
//!
//! C knows Fortran's `MPI_STATUS_IGNORE` by its address, which is in these variables: that of a
//! cell that nobody uses, until the Fortran library stores that of its own when it is loaded.

use abi_state::args::Status;
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::MPI_ERR_ARG;

use crate::entry::entry;
use crate::wall;

/// A status that nobody fills.
#[repr(transparent)]
pub struct Cell(Status);

static mut CELLS: [Cell; 4] = [const { Cell(Status::EMPTY) }; 4];

macro_rules! addresses {
    ($($name:ident $at:literal;)*) => {
        $(#[no_mangle]
        #[allow(non_upper_case_globals)]
        static mut $name: *mut Cell = (&raw mut CELLS).cast::<Cell>().wrapping_add($at);)*
    };
}

addresses! {
    MPI_F_STATUS_IGNORE 0;
    MPI_F_STATUSES_IGNORE 1;
    MPI_F08_STATUS_IGNORE 2;
    MPI_F08_STATUSES_IGNORE 3;
}

/// Whether the address is one that stands for a status that is ignored.
fn is_ignored(at: *const Status) -> bool {
    // SAFETY: the variables are written when a library is loaded, before its functions are called.
    let constants = unsafe {
        [
            MPI_F_STATUS_IGNORE,
            MPI_F_STATUSES_IGNORE,
            MPI_F08_STATUS_IGNORE,
            MPI_F08_STATUSES_IGNORE,
        ]
    };
    at.is_null() || constants.contains(&at.cast_mut().cast())
}

/// Copies a status; both are there.
///
/// # Safety
/// An address is one of the constants, or that of a status.
unsafe fn copy(from: *const Status, to: *mut Status) -> Result<(), Failure> {
    for (at, name) in [
        (from, "the status to convert"),
        (to.cast_const(), "the new status"),
    ] {
        if is_ignored(at) {
            let text = format!("{name} is an MPI_STATUS_IGNORE; pass the address of a status");
            return Err(Failure::new(MPI_ERR_ARG, text));
        }
    }
    // SAFETY: as the caller says; the two may be one.
    unsafe { std::ptr::copy(from, to, 1) };
    Ok(())
}

macro_rules! conversions {
    ($($name:ident $profiled:ident;)*) => {
        $(entry!($name $profiled(from: *const Status, to: *mut Status) -> i32 {
            wall::call(&stringify!($name), On::Nothing, || copy(from, to))
        });)*
    };
}

conversions! {
    MPI_Status_f2c PMPI_Status_f2c;
    MPI_Status_c2f PMPI_Status_c2f;
    MPI_Status_f082c PMPI_Status_f082c;
    MPI_Status_c2f08 PMPI_Status_c2f08;
    MPI_Status_f2f08 PMPI_Status_f2f08;
    MPI_Status_f082f PMPI_Status_f082f;
}
