//! Elements of a message, by its status, and whether there was one (MPI 5.0, 3.2.5, 3.8.4, 5.1.11
//! and 13.3).

use abi_state::args::{Datatype, In, InOut, Out, OutCount, Status};
use abi_state::failure::Failure;
use abi_state::generated::constants::{MPI_ERR_ARG, MPI_ERR_COUNT, MPI_UNDEFINED};
use abi_state::runtime;

/// `MPI_Get_count`: whole elements, or `MPI_UNDEFINED`.
pub fn get_count(status: In<Status>, datatype: Datatype, count: OutCount) -> Result<(), Failure> {
    let datatype = runtime::get().datatype(datatype)?;
    let bytes = status.get()?.bytes();
    let found = datatype.count_in(bytes).unwrap_or(i64::from(MPI_UNDEFINED));
    count.set(found)
}

/// `MPI_Get_elements`: basic elements, or `MPI_UNDEFINED`.
pub fn get_elements(
    status: In<Status>,
    datatype: Datatype,
    count: OutCount,
) -> Result<(), Failure> {
    let datatype = runtime::get().datatype(datatype)?;
    let bytes = status.get()?.bytes();
    let found = datatype
        .elements_in(bytes)
        .unwrap_or(i64::from(MPI_UNDEFINED));
    count.set(found)
}

/// `MPI_Get_elements_x`, deprecated.
pub fn get_elements_x(
    status: In<Status>,
    datatype: Datatype,
    count: Out<i64>,
) -> Result<(), Failure> {
    get_elements(status, datatype, OutCount::from(count))
}

/// `MPI_Status_set_elements`: sets what `MPI_Get_elements` returns.
pub fn status_set_elements(
    status: InOut<Status>,
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
    let mut copy = status.get()?;
    copy.set_bytes(bytes);
    status.set(copy)
}

/// `MPI_Status_set_elements_x`, deprecated.
pub fn status_set_elements_x(
    status: InOut<Status>,
    datatype: Datatype,
    count: i64,
) -> Result<(), Failure> {
    status_set_elements(status, datatype, count)
}

/// `MPI_Status_set_cancelled`.
pub fn status_set_cancelled(status: InOut<Status>, flag: i32) -> Result<(), Failure> {
    let mut copy = status.get()?;
    copy.set_cancelled(flag != 0);
    status.set(copy)
}

/// `MPI_Test_cancelled`.
pub fn test_cancelled(status: In<Status>, flag: Out<i32>) -> Result<(), Failure> {
    let cancelled = status.get()?.cancelled();
    flag.set(i32::from(cancelled))
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
    // The number of elements never falls as bytes are added, so the offset can be searched for;
    // only where an element ends does the datatype return a number.
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
