//! Asking datatypes: sizes, bounds, names, and how they were made (MPI 5.0, 5.1.7 to 5.1.13).

use std::ffi::c_char;
use std::sync::Arc;

use datatype::{Combiner, Contents, Datatype as Type};

use super::type_create::old;
use crate::args::{self, Datatype, OutCount};
use crate::failure::Failure;
use crate::generated::constants::{
    MPI_DATATYPE_NULL, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_MAX_OBJECT_NAME,
};
use crate::runtime;

/// `MPI_Type_size`: `MPI_UNDEFINED` where it does not fit.
pub unsafe fn type_size(datatype: Datatype, size: OutCount) -> Result<(), Failure> {
    let bytes = old(datatype)?.size();
    // SAFETY: MPI's caller gives a place for a count.
    unsafe { size.set(bytes, "size") }
}

/// `MPI_Type_size_x`, deprecated.
pub unsafe fn type_size_x(datatype: Datatype, size: *mut i64) -> Result<(), Failure> {
    // SAFETY: passed on as it came.
    unsafe { type_size(datatype, OutCount::wide(size)) }
}

/// `MPI_Type_get_extent`.
pub unsafe fn type_get_extent(
    datatype: Datatype,
    lb: OutCount,
    extent: OutCount,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    // SAFETY: MPI's caller gives places for two addresses.
    unsafe {
        lb.set(found.lb(), "lb")?;
        extent.set(found.extent(), "extent")
    }
}

/// `MPI_Type_get_extent_x`, deprecated.
pub unsafe fn type_get_extent_x(
    datatype: Datatype,
    lb: *mut i64,
    extent: *mut i64,
) -> Result<(), Failure> {
    // SAFETY: passed on as it came.
    unsafe { type_get_extent(datatype, OutCount::wide(lb), OutCount::wide(extent)) }
}

/// `MPI_Type_get_true_extent`.
pub unsafe fn type_get_true_extent(
    datatype: Datatype,
    true_lb: OutCount,
    true_extent: OutCount,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    // SAFETY: MPI's caller gives places for two addresses.
    unsafe {
        true_lb.set(found.true_lb(), "true_lb")?;
        true_extent.set(found.true_extent(), "true_extent")
    }
}

/// `MPI_Type_get_true_extent_x`, deprecated.
pub unsafe fn type_get_true_extent_x(
    datatype: Datatype,
    true_lb: *mut i64,
    true_extent: *mut i64,
) -> Result<(), Failure> {
    let (lb, extent) = (OutCount::wide(true_lb), OutCount::wide(true_extent));
    // SAFETY: passed on as it came.
    unsafe { type_get_true_extent(datatype, lb, extent) }
}

/// `MPI_Type_get_name`. The null datatype has a name, too.
pub unsafe fn type_get_name(
    datatype: Datatype,
    type_name: *mut c_char,
    resultlen: *mut i32,
) -> Result<(), Failure> {
    let name = match datatype {
        MPI_DATATYPE_NULL => "MPI_DATATYPE_NULL".to_owned(),
        datatype => old(datatype)?.name(),
    };
    let room = MPI_MAX_OBJECT_NAME as usize;
    // SAFETY: MPI's caller gives room for MPI_MAX_OBJECT_NAME bytes and a place for an integer.
    unsafe { args::write_text(type_name, room, resultlen, &name, "type_name") }
}

/// `MPI_Type_set_name`.
pub unsafe fn type_set_name(datatype: Datatype, type_name: *const c_char) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives a string.
    let name = unsafe { args::text(type_name, "type_name") }?;
    if name.len() >= MPI_MAX_OBJECT_NAME as usize {
        let text = format!(
            "the name has {} bytes; MPI_MAX_OBJECT_NAME - 1 fit",
            name.len()
        );
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    old(datatype)?.set_name(&name);
    Ok(())
}

/// `MPI_Type_get_envelope`.
pub unsafe fn type_get_envelope(
    datatype: Datatype,
    num_integers: *mut i32,
    num_addresses: *mut i32,
    num_datatypes: *mut i32,
    combiner: *mut i32,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    let contents = small_contents(&found)?;
    // SAFETY: MPI's caller gives places for four integers.
    unsafe {
        args::write(num_integers, contents.integers.len() as i32, "num_integers")?;
        args::write(
            num_addresses,
            contents.addresses.len() as i32,
            "num_addresses",
        )?;
        args::write(
            num_datatypes,
            contents.datatypes.len() as i32,
            "num_datatypes",
        )?;
        args::write(combiner, contents.combiner as i32, "combiner")
    }
}

/// `MPI_Type_get_envelope_c`.
pub unsafe fn type_get_envelope_c(
    datatype: Datatype,
    num_integers: *mut i64,
    num_addresses: *mut i64,
    num_large_counts: *mut i64,
    num_datatypes: *mut i64,
    combiner: *mut i32,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    let contents = found.contents();
    // SAFETY: MPI's caller gives places for five integers.
    unsafe {
        args::write(num_integers, contents.integers.len() as i64, "num_integers")?;
        args::write(
            num_addresses,
            contents.addresses.len() as i64,
            "num_addresses",
        )?;
        args::write(
            num_large_counts,
            contents.counts.len() as i64,
            "num_large_counts",
        )?;
        args::write(
            num_datatypes,
            contents.datatypes.len() as i64,
            "num_datatypes",
        )?;
        args::write(combiner, contents.combiner as i32, "combiner")
    }
}

/// `MPI_Type_get_contents`. The user frees the derived datatypes among the results.
pub unsafe fn type_get_contents(
    datatype: Datatype,
    max_integers: i32,
    max_addresses: i32,
    max_datatypes: i32,
    array_of_integers: *mut i32,
    array_of_addresses: *mut i64,
    array_of_datatypes: *mut Datatype,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    let contents = made_of(small_contents(&found)?)?;
    let integers = as_int(&contents.integers)?;
    // SAFETY: MPI's caller gives arrays as long as it says.
    unsafe {
        fill(
            array_of_integers,
            max_integers.into(),
            &integers,
            "integers",
        )?;
        fill(
            array_of_addresses,
            max_addresses.into(),
            &contents.addresses,
            "addresses",
        )?;
        fill_types(
            array_of_datatypes,
            max_datatypes.into(),
            &contents.datatypes,
        )
    }
}

/// `MPI_Type_get_contents_c`. As there.
pub unsafe fn type_get_contents_c(
    datatype: Datatype,
    max_integers: i64,
    max_addresses: i64,
    max_large_counts: i64,
    max_datatypes: i64,
    array_of_integers: *mut i32,
    array_of_addresses: *mut i64,
    array_of_large_counts: *mut i64,
    array_of_datatypes: *mut Datatype,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    let contents = made_of(found.contents())?;
    let integers = as_int(&contents.integers)?;
    // SAFETY: MPI's caller gives arrays as long as it says.
    unsafe {
        fill(array_of_integers, max_integers, &integers, "integers")?;
        fill(
            array_of_addresses,
            max_addresses,
            &contents.addresses,
            "addresses",
        )?;
        fill(
            array_of_large_counts,
            max_large_counts,
            &contents.counts,
            "large_counts",
        )?;
        fill_types(array_of_datatypes, max_datatypes, &contents.datatypes)
    }
}

/// The contents, where the small functions can tell them.
fn small_contents(datatype: &Type) -> Result<&Contents, Failure> {
    let contents = datatype.contents();
    if !contents.counts.is_empty() {
        let text = "the datatype was made with large counts; use the function's _c form";
        return Err(Failure::new(MPI_ERR_TYPE, text));
    }
    Ok(contents)
}

/// The contents, where there are any.
fn made_of(contents: &Contents) -> Result<&Contents, Failure> {
    if contents.combiner == Combiner::Named {
        let text = "a predefined datatype has no contents; look at its envelope first";
        return Err(Failure::new(MPI_ERR_TYPE, text));
    }
    Ok(contents)
}

/// Arguments that were of type `int`.
fn as_int(values: &[i64]) -> Result<Vec<i32>, Failure> {
    let int = |value: &i64| {
        i32::try_from(*value).map_err(|_| {
            let text = format!("{value} does not fit an int; use the function's _c form");
            Failure::new(MPI_ERR_TYPE, text)
        })
    };
    values.iter().map(int).collect()
}

/// # Safety
/// A place that is not null has room for `most` elements.
unsafe fn fill<T: Copy>(place: *mut T, most: i64, values: &[T], what: &str) -> Result<(), Failure> {
    if (values.len() as i64) > most {
        let text = format!("max_{what} is {most}, but there are {}", values.len());
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    for (at, value) in values.iter().enumerate() {
        let place = if place.is_null() {
            place
        } else {
            place.wrapping_add(at)
        };
        // SAFETY: there are no more values than the room that the caller promises.
        unsafe { args::write(place, *value, &format!("array_of_{what}")) }?;
    }
    Ok(())
}

/// # Safety
/// A place that is not null has room for `most` handles.
unsafe fn fill_types(
    place: *mut Datatype,
    most: i64,
    datatypes: &[Arc<Type>],
) -> Result<(), Failure> {
    if (datatypes.len() as i64) > most || place.is_null() && !datatypes.is_empty() {
        let text = format!(
            "no room for {} datatypes: max_datatypes is {most}",
            datatypes.len()
        );
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    let mut tables = runtime::get().tables.enter();
    let handles = datatypes
        .iter()
        .map(|datatype| tables.datatype_handle(datatype));
    let handles = handles.collect::<Result<Vec<_>, Failure>>()?;
    // SAFETY: passed on from the caller.
    unsafe { fill(place, most, &handles, "datatypes") }
}
