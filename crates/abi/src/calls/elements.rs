//! What a status tells of the message: elements, and whether there was one (MPI 5.0, 3.2.5, 3.8.4,
//! 5.1.11 and 13.3).

use crate::args::{self, Datatype, OutCount, Status};
use crate::failure::Failure;
use crate::generated::constants::{MPI_ERR_ARG, MPI_ERR_COUNT, MPI_UNDEFINED};
use crate::runtime;

/// `MPI_Get_count`: whole elements, or `MPI_UNDEFINED`.
pub unsafe fn get_count(
    status: *const Status,
    datatype: Datatype,
    count: OutCount,
) -> Result<(), Failure> {
    let datatype = runtime::get().datatype(datatype)?;
    // SAFETY: MPI's caller gives a status and a place for a count.
    unsafe {
        let bytes = args::read(status, "status")?.bytes();
        let found = datatype.count_in(bytes).unwrap_or(i64::from(MPI_UNDEFINED));
        count.set(found, "count")
    }
}

/// `MPI_Get_elements`: basic elements, or `MPI_UNDEFINED`.
pub unsafe fn get_elements(
    status: *const Status,
    datatype: Datatype,
    count: OutCount,
) -> Result<(), Failure> {
    let datatype = runtime::get().datatype(datatype)?;
    // SAFETY: MPI's caller gives a status and a place for a count.
    unsafe {
        let bytes = args::read(status, "status")?.bytes();
        let found = datatype
            .elements_in(bytes)
            .unwrap_or(i64::from(MPI_UNDEFINED));
        count.set(found, "count")
    }
}

/// `MPI_Get_elements_x`, deprecated.
pub unsafe fn get_elements_x(
    status: *const Status,
    datatype: Datatype,
    count: *mut i64,
) -> Result<(), Failure> {
    // SAFETY: passed on as it came.
    unsafe { get_elements(status, datatype, OutCount::wide(count)) }
}

/// `MPI_Status_set_elements`: what `MPI_Get_elements` is to tell.
pub unsafe fn status_set_elements(
    status: *mut Status,
    datatype: Datatype,
    count: i64,
) -> Result<(), Failure> {
    let datatype = runtime::get().datatype(datatype)?;
    if count < 0 {
        return Err(Failure::new(MPI_ERR_COUNT, format!("count is {count}")));
    }
    let Some(bytes) = bytes_of(&datatype, count) else {
        let text = format!(
            "{count} elements of '{}' are no number of bytes",
            datatype.name()
        );
        return Err(Failure::new(MPI_ERR_ARG, text));
    };
    // SAFETY: MPI's caller gives a status that may be written.
    unsafe {
        let mut copy = args::read(status.cast_const(), "status")?;
        copy.set_bytes(bytes);
        args::write(status, copy, "status")
    }
}

/// `MPI_Status_set_elements_x`, deprecated.
pub unsafe fn status_set_elements_x(
    status: *mut Status,
    datatype: Datatype,
    count: i64,
) -> Result<(), Failure> {
    // SAFETY: passed on as it came.
    unsafe { status_set_elements(status, datatype, count) }
}

/// `MPI_Status_set_cancelled`.
pub unsafe fn status_set_cancelled(status: *mut Status, flag: i32) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a status that may be written.
    unsafe {
        let mut copy = args::read(status.cast_const(), "status")?;
        copy.set_cancelled(flag != 0);
        args::write(status, copy, "status")
    }
}

/// `MPI_Test_cancelled`.
pub unsafe fn test_cancelled(status: *const Status, flag: *mut i32) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a status and a place for an integer.
    unsafe {
        let cancelled = args::read(status, "status")?.cancelled();
        args::write(flag, i32::from(cancelled), "flag")
    }
}

/// The largest basic element.
const ELEMENT_BYTES_MAX: i64 = 32;

/// The bytes that the first `count` basic elements of a row of elements take.
fn bytes_of(datatype: &datatype::Datatype, count: i64) -> Option<i64> {
    let each = datatype.elements();
    if each == 0 {
        return (count == 0).then_some(0);
    }
    let whole = (count / each).checked_mul(datatype.size())?;
    let part = count % each;
    // How many elements so many bytes hold never falls, so the place can be searched for; only
    // where an element ends does the datatype tell a number.
    let held = |bytes: i64| {
        let ends = (bytes - ELEMENT_BYTES_MAX).max(0)..=bytes;
        ends.rev()
            .find_map(|bytes| datatype.elements_in(bytes))
            .unwrap_or(0)
    };
    let (mut low, mut high) = (0, datatype.size());
    while low < high {
        let middle = low + (high - low) / 2;
        match held(middle) < part {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    whole.checked_add(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use datatype::predefined;
    use std::sync::Arc;

    #[test]
    fn elements_of_mixed_sizes_are_weighed_one_by_one() {
        let types = [0x214, 0x209, 0x243].map(|handle| predefined(handle).unwrap().clone());
        let mixed = datatype::Datatype::structure(&[1, 2, 3], &[0, 8, 16], &types).unwrap();
        let mixed = Arc::new(mixed);
        let ends = [0, 8, 12, 16, 17, 18, 19, 27, 31];
        for (count, bytes) in ends.into_iter().enumerate() {
            assert_eq!(
                bytes_of(&mixed, count as i64),
                Some(bytes),
                "{count} elements"
            );
            assert_eq!(mixed.elements_in(bytes), Some(count as i64));
        }
        let nothing = datatype::Datatype::contiguous(0, &types[0]).unwrap();
        assert_eq!(
            (bytes_of(&nothing, 0), bytes_of(&nothing, 1)),
            (Some(0), None)
        );
    }
}
