//! Queries of datatypes: sizes, bounds, names, envelope and contents (MPI 5.0, 5.1.7 to 5.1.13).

use std::sync::Arc;

use abi_state::args::{Datatype, Out, OutCount, OutList, OutText, Text};
use abi_state::failure::Failure;
use abi_state::generated::constants::{
    MPI_DATATYPE_NULL, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_MAX_OBJECT_NAME,
};
use abi_state::runtime;
use datatype::{Combiner, Contents, Datatype as Type};

use super::type_create::old;

/// `MPI_Type_size`: `MPI_UNDEFINED` where it does not fit.
pub fn type_size(datatype: Datatype, size: OutCount) -> Result<(), Failure> {
    let bytes = old(datatype)?.size();
    size.set(bytes)
}

/// `MPI_Type_size_x`, deprecated.
pub fn type_size_x(datatype: Datatype, size: Out<i64>) -> Result<(), Failure> {
    type_size(datatype, OutCount::from(size))
}

/// `MPI_Type_get_extent`.
pub fn type_get_extent(datatype: Datatype, lb: OutCount, extent: OutCount) -> Result<(), Failure> {
    let found = old(datatype)?;
    lb.set(found.lb())?;
    extent.set(found.extent())
}

/// `MPI_Type_get_extent_x`, deprecated.
pub fn type_get_extent_x(
    datatype: Datatype,
    lb: Out<i64>,
    extent: Out<i64>,
) -> Result<(), Failure> {
    type_get_extent(datatype, OutCount::from(lb), OutCount::from(extent))
}

/// `MPI_Type_get_true_extent`.
pub fn type_get_true_extent(
    datatype: Datatype,
    true_lb: OutCount,
    true_extent: OutCount,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    true_lb.set(found.true_lb())?;
    true_extent.set(found.true_extent())
}

/// `MPI_Type_get_true_extent_x`, deprecated.
pub fn type_get_true_extent_x(
    datatype: Datatype,
    true_lb: Out<i64>,
    true_extent: Out<i64>,
) -> Result<(), Failure> {
    let (lb, extent) = (OutCount::from(true_lb), OutCount::from(true_extent));
    type_get_true_extent(datatype, lb, extent)
}

/// `MPI_Type_get_name`. The null datatype has a name, too.
pub fn type_get_name(
    datatype: Datatype,
    type_name: OutText,
    resultlen: Out<i32>,
) -> Result<(), Failure> {
    let name = match datatype {
        MPI_DATATYPE_NULL => "MPI_DATATYPE_NULL".to_owned(),
        datatype => old(datatype)?.name(),
    };
    type_name.set(&name, resultlen)
}

/// `MPI_Type_set_name`.
pub fn type_set_name(datatype: Datatype, type_name: Text) -> Result<(), Failure> {
    let name = type_name.get()?;
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
pub fn type_get_envelope(
    datatype: Datatype,
    num_integers: Out<i32>,
    num_addresses: Out<i32>,
    num_datatypes: Out<i32>,
    combiner: Out<i32>,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    let contents = small_contents(&found)?;
    num_integers.set(contents.integers.len() as i32)?;
    num_addresses.set(contents.addresses.len() as i32)?;
    num_datatypes.set(contents.datatypes.len() as i32)?;
    combiner.set(contents.combiner as i32)
}

/// `MPI_Type_get_envelope_c`.
pub fn type_get_envelope_c(
    datatype: Datatype,
    num_integers: Out<i64>,
    num_addresses: Out<i64>,
    num_large_counts: Out<i64>,
    num_datatypes: Out<i64>,
    combiner: Out<i32>,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    let contents = found.contents();
    num_integers.set(contents.integers.len() as i64)?;
    num_addresses.set(contents.addresses.len() as i64)?;
    num_large_counts.set(contents.counts.len() as i64)?;
    num_datatypes.set(contents.datatypes.len() as i64)?;
    combiner.set(contents.combiner as i32)
}

/// `MPI_Type_get_contents`. The user frees the derived datatypes among the results.
pub fn type_get_contents(
    datatype: Datatype,
    max_integers: i32,
    max_addresses: i32,
    max_datatypes: i32,
    array_of_integers: OutList<i32>,
    array_of_addresses: OutList<i64>,
    array_of_datatypes: OutList<Datatype>,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    let contents = made_of(small_contents(&found)?)?;
    let integers = as_int(&contents.integers)?;
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

/// `MPI_Type_get_contents_c`. As there.
pub fn type_get_contents_c(
    datatype: Datatype,
    max_integers: i64,
    max_addresses: i64,
    max_large_counts: i64,
    max_datatypes: i64,
    array_of_integers: OutList<i32>,
    array_of_addresses: OutList<i64>,
    array_of_large_counts: OutList<i64>,
    array_of_datatypes: OutList<Datatype>,
) -> Result<(), Failure> {
    let found = old(datatype)?;
    let contents = made_of(found.contents())?;
    let integers = as_int(&contents.integers)?;
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

/// Returns the contents, where the small functions can hold them.
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

fn fill<T: Copy>(place: OutList<T>, most: i64, values: &[T], what: &str) -> Result<(), Failure> {
    if (values.len() as i64) > most {
        let text = format!("max_{what} is {most}, but there are {}", values.len());
        return Err(Failure::new(MPI_ERR_ARG, text));
    }
    place.fill(values)
}

fn fill_types(place: OutList<Datatype>, most: i64, datatypes: &[Arc<Type>]) -> Result<(), Failure> {
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
    fill(place, most, &handles, "datatypes")
}
