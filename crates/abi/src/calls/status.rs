//! The public fields of a status, for languages that cannot name them (MPI 5.0, 3.2.5).

use abi_state::args::{In, InOut, Out, Status};
use abi_state::failure::Failure;

/// `MPI_Status_get_source`.
pub fn status_get_source(status: In<Status>, source: Out<i32>) -> Result<(), Failure> {
    source.set(status.get()?.source)
}

/// `MPI_Status_get_tag`.
pub fn status_get_tag(status: In<Status>, tag: Out<i32>) -> Result<(), Failure> {
    tag.set(status.get()?.tag)
}

/// `MPI_Status_get_error`.
pub fn status_get_error(status: In<Status>, error: Out<i32>) -> Result<(), Failure> {
    error.set(status.get()?.error)
}

/// `MPI_Status_set_source`.
pub fn status_set_source(status: InOut<Status>, source: i32) -> Result<(), Failure> {
    change(status, |status| status.source = source)
}

/// `MPI_Status_set_tag`.
pub fn status_set_tag(status: InOut<Status>, tag: i32) -> Result<(), Failure> {
    change(status, |status| status.tag = tag)
}

/// `MPI_Status_set_error`.
pub fn status_set_error(status: InOut<Status>, error: i32) -> Result<(), Failure> {
    change(status, |status| status.error = error)
}

fn change(status: InOut<Status>, change: impl FnOnce(&mut Status)) -> Result<(), Failure> {
    let mut copy = status.get()?;
    change(&mut copy);
    status.set(copy)
}
