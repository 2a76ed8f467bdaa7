//! Making datatypes (MPI 5.0, 5.1 and 19.1.9).
//!
//! A `_c` function of its own stands only where the small and the large form have the same C
//! types: the datatype must tell `MPI_Type_get_contents` which of them made it.

use std::sync::Arc;

use datatype::{Combiner, Datatype as Type, Dimension, Distribution, Order, TypeClass};
use mpi::Attributes;

use crate::args::{self, Counts, Datatype};
use crate::failure::Failure;
use crate::generated::constants::{
    MPI_DATATYPE_NULL, MPI_ERR_ARG, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_UNDEFINED,
};
use crate::runtime::{self, TypeRef};
use crate::tables::{self, TypeEntry};

/// `MPI_Type_contiguous`.
pub unsafe fn type_contiguous(
    count: i64,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let made = Type::contiguous(count, &*old(oldtype)?)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { give(made, newtype) }
}

/// `MPI_Type_contiguous_c`.
pub unsafe fn type_contiguous_c(
    count: i64,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let made = Type::contiguous(count, &*old(oldtype)?)?.large();
    // SAFETY: as in `type_contiguous`.
    unsafe { give(made, newtype) }
}

/// `MPI_Type_vector`.
pub unsafe fn type_vector(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let made = Type::vector(count, blocklength, stride, &*old(oldtype)?)?;
    // SAFETY: as in `type_contiguous`.
    unsafe { give(made, newtype) }
}

/// `MPI_Type_vector_c`.
pub unsafe fn type_vector_c(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let made = Type::vector(count, blocklength, stride, &*old(oldtype)?)?.large();
    // SAFETY: as in `type_contiguous`.
    unsafe { give(made, newtype) }
}

/// `MPI_Type_create_hvector`.
pub unsafe fn type_create_hvector(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let made = Type::hvector(count, blocklength, stride, &*old(oldtype)?)?;
    // SAFETY: as in `type_contiguous`.
    unsafe { give(made, newtype) }
}

/// `MPI_Type_create_hvector_c`.
pub unsafe fn type_create_hvector_c(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let made = Type::hvector(count, blocklength, stride, &*old(oldtype)?)?.large();
    // SAFETY: as in `type_contiguous`.
    unsafe { give(made, newtype) }
}

/// `MPI_Type_indexed`.
pub unsafe fn type_indexed(
    count: i64,
    array_of_blocklengths: Counts,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let length = natural(count, "count")?;
    // SAFETY: MPI's caller gives arrays of `count` elements, and a place for a handle.
    unsafe {
        let lengths = array_of_blocklengths.to_vec(length, "array_of_blocklengths")?;
        let places = array_of_displacements.to_vec(length, "array_of_displacements")?;
        let made = Type::indexed(&lengths, &places, &*old(oldtype)?)?;
        give(sized(made, array_of_blocklengths), newtype)
    }
}

/// `MPI_Type_create_hindexed`.
pub unsafe fn type_create_hindexed(
    count: i64,
    array_of_blocklengths: Counts,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let length = natural(count, "count")?;
    // SAFETY: as in `type_indexed`.
    unsafe {
        let lengths = array_of_blocklengths.to_vec(length, "array_of_blocklengths")?;
        let places = array_of_displacements.to_vec(length, "array_of_displacements")?;
        let made = Type::hindexed(&lengths, &places, &*old(oldtype)?)?;
        give(sized(made, array_of_blocklengths), newtype)
    }
}

/// `MPI_Type_create_indexed_block`.
pub unsafe fn type_create_indexed_block(
    count: i64,
    blocklength: i64,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let length = natural(count, "count")?;
    // SAFETY: as in `type_indexed`.
    unsafe {
        let places = array_of_displacements.to_vec(length, "array_of_displacements")?;
        let made = Type::indexed_block(blocklength, &places, &*old(oldtype)?)?;
        give(sized(made, array_of_displacements), newtype)
    }
}

/// `MPI_Type_create_hindexed_block`.
pub unsafe fn type_create_hindexed_block(
    count: i64,
    blocklength: i64,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    // SAFETY: as in `type_indexed`.
    unsafe {
        let made = hindexed_block(count, blocklength, array_of_displacements, oldtype)?;
        give(made, newtype)
    }
}

/// `MPI_Type_create_hindexed_block_c`.
pub unsafe fn type_create_hindexed_block_c(
    count: i64,
    blocklength: i64,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    // SAFETY: as in `type_indexed`.
    unsafe {
        let made = hindexed_block(count, blocklength, array_of_displacements, oldtype)?;
        give(made.large(), newtype)
    }
}

/// `MPI_Type_create_struct`.
pub unsafe fn type_create_struct(
    count: i64,
    array_of_blocklengths: Counts,
    array_of_displacements: Counts,
    array_of_types: *const Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let length = natural(count, "count")?;
    // SAFETY: as in `type_indexed`.
    unsafe {
        let lengths = array_of_blocklengths.to_vec(length, "array_of_blocklengths")?;
        let places = array_of_displacements.to_vec(length, "array_of_displacements")?;
        let handles = args::array(array_of_types, length, "array_of_types")?;
        let olds = handles
            .into_iter()
            .map(|handle| Ok(Arc::clone(&*old(handle)?)));
        let olds = olds.collect::<Result<Vec<_>, Failure>>()?;
        let made = Type::structure(&lengths, &places, &olds)?;
        give(sized(made, array_of_blocklengths), newtype)
    }
}

/// `MPI_Type_create_subarray`.
pub unsafe fn type_create_subarray(
    ndims: i32,
    array_of_sizes: Counts,
    array_of_subsizes: Counts,
    array_of_starts: Counts,
    order: i32,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let dimensions = dimensions(ndims)?;
    // SAFETY: MPI's caller gives arrays of `ndims` elements, and a place for a handle.
    unsafe {
        let sizes = array_of_sizes.to_vec(dimensions, "array_of_sizes")?;
        let subsizes = array_of_subsizes.to_vec(dimensions, "array_of_subsizes")?;
        let starts = array_of_starts.to_vec(dimensions, "array_of_starts")?;
        let order = order_of(order)?;
        let made = Type::subarray(&sizes, &subsizes, &starts, order, &*old(oldtype)?)?;
        give(sized(made, array_of_sizes), newtype)
    }
}

/// `MPI_Type_create_darray`.
pub unsafe fn type_create_darray(
    size: i32,
    rank: i32,
    ndims: i32,
    array_of_gsizes: Counts,
    array_of_distribs: *const i32,
    array_of_dargs: *const i32,
    array_of_psizes: *const i32,
    order: i32,
    oldtype: Datatype,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let count = dimensions(ndims)?;
    // SAFETY: MPI's caller gives arrays of `ndims` elements, and a place for a handle.
    unsafe {
        let sizes = array_of_gsizes.to_vec(count, "array_of_gsizes")?;
        let distributions = args::array(array_of_distribs, count, "array_of_distribs")?;
        let arguments = args::array(array_of_dargs, count, "array_of_dargs")?;
        let processes = args::array(array_of_psizes, count, "array_of_psizes")?;
        let dimension = |at: usize| {
            let distribution = Distribution::from_constant(distributions[at]);
            Ok(Dimension {
                size: sizes[at],
                distribution: distribution.ok_or_else(|| no_distribution(distributions[at]))?,
                argument: i64::from(arguments[at]),
                processes: i64::from(processes[at]),
            })
        };
        let dimensions = (0..count)
            .map(dimension)
            .collect::<Result<Vec<_>, Failure>>()?;
        let (size, rank) = (i64::from(size), i64::from(rank));
        let made = Type::darray(size, rank, &dimensions, order_of(order)?, &*old(oldtype)?)?;
        give(sized(made, array_of_gsizes), newtype)
    }
}

/// `MPI_Type_create_resized`.
pub unsafe fn type_create_resized(
    oldtype: Datatype,
    lb: i64,
    extent: i64,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let made = Type::resized(&*old(oldtype)?, lb, extent)?;
    // SAFETY: as in `type_contiguous`.
    unsafe { give(made, newtype) }
}

/// `MPI_Type_create_resized_c`.
pub unsafe fn type_create_resized_c(
    oldtype: Datatype,
    lb: i64,
    extent: i64,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let made = Type::resized(&*old(oldtype)?, lb, extent)?.large();
    // SAFETY: as in `type_contiguous`.
    unsafe { give(made, newtype) }
}

/// `MPI_Type_dup`. Attributes are copied as their functions say.
pub unsafe fn type_dup(oldtype: Datatype, newtype: *mut Datatype) -> Result<(), Failure> {
    let copy = Type::dup(&*old(oldtype)?);
    if newtype.is_null() {
        return Err(no_place());
    }
    let attributes = runtime::get()
        .tables
        .enter()
        .type_attributes(oldtype)?
        .clone();
    // Functions of the user run here: no table is entered.
    let attributes = mpi::attr::copy_all(&attributes, oldtype.0)?;
    let entry = TypeEntry::new(Arc::new(copy), attributes);
    let handle = runtime::get().tables.enter().datatypes.insert(entry)?;
    // SAFETY: as in `type_contiguous`.
    unsafe { args::write(newtype, handle, "newtype") }
}

/// `MPI_Type_create_f90_real`.
pub unsafe fn type_create_f90_real(p: i32, r: i32, newtype: *mut Datatype) -> Result<(), Failure> {
    let make = |p, r| Type::f90_real(p, r, i64::from(MPI_UNDEFINED));
    // SAFETY: as in `type_contiguous`.
    unsafe { give_sized(Combiner::F90Real, p, r, make, newtype) }
}

/// `MPI_Type_create_f90_complex`.
pub unsafe fn type_create_f90_complex(
    p: i32,
    r: i32,
    newtype: *mut Datatype,
) -> Result<(), Failure> {
    let make = |p, r| Type::f90_complex(p, r, i64::from(MPI_UNDEFINED));
    // SAFETY: as in `type_contiguous`.
    unsafe { give_sized(Combiner::F90Complex, p, r, make, newtype) }
}

/// `MPI_Type_create_f90_integer`.
pub unsafe fn type_create_f90_integer(r: i32, newtype: *mut Datatype) -> Result<(), Failure> {
    let make = |_, r| Type::f90_integer(r);
    // SAFETY: as in `type_contiguous`.
    unsafe { give_sized(Combiner::F90Integer, 0, r, make, newtype) }
}

/// `MPI_Type_match_size`: a predefined datatype.
pub unsafe fn type_match_size(
    typeclass: i32,
    size: i32,
    datatype: *mut Datatype,
) -> Result<(), Failure> {
    let Some(class) = TypeClass::from_constant(typeclass) else {
        let text = format!("{typeclass} is not one of MPI_TYPECLASS_*");
        return Err(Failure::new(MPI_ERR_ARG, text));
    };
    let Some(found) = datatype::match_size(class, i64::from(size)) else {
        let text = format!("no datatype of the class {} has {size} bytes", class.name());
        return Err(Failure::new(MPI_ERR_ARG, text));
    };
    let handle = runtime::get().tables.enter().datatype_handle(found)?;
    // SAFETY: as in `type_contiguous`.
    unsafe { args::write(datatype, handle, "datatype") }
}

/// `MPI_Type_get_value_index`: a predefined datatype, or `MPI_DATATYPE_NULL` where MPI has no such
/// pair.
pub unsafe fn type_get_value_index(
    value_type: Datatype,
    index_type: Datatype,
    pair_type: *mut Datatype,
) -> Result<(), Failure> {
    let (value, index) = (old(value_type)?, old(index_type)?);
    let handle = match datatype::value_index(&value, &index) {
        Some(pair) => runtime::get().tables.enter().datatype_handle(pair)?,
        None => MPI_DATATYPE_NULL,
    };
    // SAFETY: as in `type_contiguous`.
    unsafe { args::write(pair_type, handle, "pair_type") }
}

/// `MPI_Type_commit`.
pub unsafe fn type_commit(datatype: *mut Datatype) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives the place of a handle.
    let handle = unsafe { args::read(datatype.cast_const(), "datatype") }?;
    old(handle)?.commit();
    Ok(())
}

/// `MPI_Type_free`. Operations under way, and datatypes made from it, keep it.
pub unsafe fn type_free(datatype: *mut Datatype) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives the place of a handle.
    let handle = unsafe { args::read(datatype.cast_const(), "datatype") }?;
    let found = old(handle)?;
    let runtime = runtime::get();
    let mut tables = runtime.tables.enter();
    if tables::predefined(handle).is_some() || tables.lasting_handle(&found) == Some(handle) {
        let text = format!("'{}' is predefined and cannot be freed", found.name());
        return Err(Failure::new(MPI_ERR_TYPE, text));
    }
    let attributes = tables.type_attributes(handle)?.clone();
    drop(tables);
    // Functions of the user run here: no table is entered.
    mpi::attr::delete_all(&attributes, handle.0)?;
    let gone = runtime.tables.enter().free_datatype(handle)?;
    drop(gone);
    // SAFETY: as above.
    unsafe { args::write(datatype, MPI_DATATYPE_NULL, "datatype") }
}

/// The datatype that an argument names.
pub(super) fn old(handle: Datatype) -> Result<TypeRef, Failure> {
    runtime::get().datatype(handle)
}

/// Gives the user a handle for a new datatype.
///
/// # Safety
/// The place may be written where it is not null.
unsafe fn give(made: Type, place: *mut Datatype) -> Result<(), Failure> {
    if place.is_null() {
        return Err(no_place());
    }
    let entry = TypeEntry::new(Arc::new(made), Attributes::default());
    let handle = runtime::get().tables.enter().datatypes.insert(entry)?;
    // SAFETY: the caller promises it.
    unsafe { args::write(place, handle, "newtype") }
}

/// Gives the user the handle for a datatype of given precision and range, always the same.
///
/// # Safety
/// The place may be written where it is not null.
unsafe fn give_sized(
    combiner: Combiner,
    precision: i32,
    range: i32,
    make: impl FnOnce(i64, i64) -> Result<Type, datatype::Error>,
    place: *mut Datatype,
) -> Result<(), Failure> {
    let key = (combiner as i32, precision, range);
    let mut tables = runtime::get().tables.enter();
    let handle = match tables.sized_types.get(&key) {
        Some(handle) => *handle,
        None => {
            let made = make(i64::from(precision), i64::from(range))?;
            let entry = TypeEntry::new(Arc::new(made), Attributes::default());
            let handle = tables.datatypes.insert(entry)?;
            tables.sized_types.insert(key, handle);
            handle
        }
    };
    // SAFETY: the caller promises it.
    unsafe { args::write(place, handle, "newtype") }
}

/// # Safety
/// An array that is not null has `count` elements.
unsafe fn hindexed_block(
    count: i64,
    length: i64,
    displacements: Counts,
    oldtype: Datatype,
) -> Result<Type, Failure> {
    let blocks = natural(count, "count")?;
    // SAFETY: the caller promises it.
    let places = unsafe { displacements.to_vec(blocks, "array_of_displacements") }?;
    Ok(Type::hindexed_block(length, &places, &*old(oldtype)?)?)
}

/// The datatype, told to be made by the `_c` form where its arrays were wide.
fn sized(made: Type, array: Counts) -> Type {
    if array.is_wide() {
        made.large()
    } else {
        made
    }
}

fn natural(count: i64, what: &str) -> Result<usize, Failure> {
    usize::try_from(count)
        .map_err(|_| Failure::new(MPI_ERR_COUNT, format!("{what} is {count}, below zero")))
}

fn dimensions(ndims: i32) -> Result<usize, Failure> {
    usize::try_from(ndims)
        .map_err(|_| Failure::new(MPI_ERR_ARG, format!("ndims is {ndims}, below zero")))
}

fn order_of(order: i32) -> Result<Order, Failure> {
    Order::from_constant(order).ok_or_else(|| {
        let text = format!("order is {order}, not MPI_ORDER_C or MPI_ORDER_FORTRAN");
        Failure::new(MPI_ERR_ARG, text)
    })
}

#[cold]
fn no_distribution(value: i32) -> Failure {
    let text = format!("{value} is not one of MPI_DISTRIBUTE_NONE, _BLOCK and _CYCLIC");
    Failure::new(MPI_ERR_ARG, text)
}

#[cold]
fn no_place() -> Failure {
    Failure::new(MPI_ERR_ARG, "newtype is a null pointer")
}
