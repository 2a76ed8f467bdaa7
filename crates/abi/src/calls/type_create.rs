//! Constructors of datatypes (MPI 5.0, 5.1 and 19.1.9).
//!
//! A `_c` function is separate only if the small and the large form have equal C types: the
//! datatype must know for `MPI_Type_get_contents` which of them made it.

use std::sync::Arc;

use abi_state::args::{Counts, Datatype, InOut, List, Out};
use abi_state::failure::Failure;
use abi_state::generated::constants::{
    MPI_DATATYPE_NULL, MPI_ERR_ARG, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_UNDEFINED,
};
use abi_state::runtime::{self, TypeRef};
use abi_state::tables::{self, TypeEntry};
use datatype::{Combiner, Datatype as Type, Dimension, Distribution, Order, TypeClass};
use mpi::Attributes;

/// `MPI_Type_contiguous`.
pub fn type_contiguous(
    count: i64,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let made = Type::contiguous(count, &*old(oldtype)?)?;
    give(made, newtype)
}

/// `MPI_Type_contiguous_c`.
pub fn type_contiguous_c(
    count: i64,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let made = Type::contiguous(count, &*old(oldtype)?)?.large();
    give(made, newtype)
}

/// `MPI_Type_vector`.
pub fn type_vector(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let made = Type::vector(count, blocklength, stride, &*old(oldtype)?)?;
    give(made, newtype)
}

/// `MPI_Type_vector_c`.
pub fn type_vector_c(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let made = Type::vector(count, blocklength, stride, &*old(oldtype)?)?.large();
    give(made, newtype)
}

/// `MPI_Type_create_hvector`.
pub fn type_create_hvector(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let made = Type::hvector(count, blocklength, stride, &*old(oldtype)?)?;
    give(made, newtype)
}

/// `MPI_Type_create_hvector_c`.
pub fn type_create_hvector_c(
    count: i64,
    blocklength: i64,
    stride: i64,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let made = Type::hvector(count, blocklength, stride, &*old(oldtype)?)?.large();
    give(made, newtype)
}

/// `MPI_Type_indexed`.
pub fn type_indexed(
    count: i64,
    array_of_blocklengths: Counts,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    natural(count, "count")?;
    let lengths = array_of_blocklengths.to_vec()?;
    let places = array_of_displacements.to_vec()?;
    let made = Type::indexed(&lengths, &places, &*old(oldtype)?)?;
    give(sized(made, array_of_blocklengths), newtype)
}

/// `MPI_Type_create_hindexed`.
pub fn type_create_hindexed(
    count: i64,
    array_of_blocklengths: Counts,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    natural(count, "count")?;
    let lengths = array_of_blocklengths.to_vec()?;
    let places = array_of_displacements.to_vec()?;
    let made = Type::hindexed(&lengths, &places, &*old(oldtype)?)?;
    give(sized(made, array_of_blocklengths), newtype)
}

/// `MPI_Type_create_indexed_block`.
pub fn type_create_indexed_block(
    count: i64,
    blocklength: i64,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    natural(count, "count")?;
    let places = array_of_displacements.to_vec()?;
    let made = Type::indexed_block(blocklength, &places, &*old(oldtype)?)?;
    give(sized(made, array_of_displacements), newtype)
}

/// `MPI_Type_create_hindexed_block`.
pub fn type_create_hindexed_block(
    count: i64,
    blocklength: i64,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let made = hindexed_block(count, blocklength, array_of_displacements, oldtype)?;
    give(made, newtype)
}

/// `MPI_Type_create_hindexed_block_c`.
pub fn type_create_hindexed_block_c(
    count: i64,
    blocklength: i64,
    array_of_displacements: Counts,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let made = hindexed_block(count, blocklength, array_of_displacements, oldtype)?;
    give(made.large(), newtype)
}

/// `MPI_Type_create_struct`.
pub fn type_create_struct(
    count: i64,
    array_of_blocklengths: Counts,
    array_of_displacements: Counts,
    array_of_types: List<Datatype>,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    natural(count, "count")?;
    let lengths = array_of_blocklengths.to_vec()?;
    let places = array_of_displacements.to_vec()?;
    let handles = array_of_types.to_vec()?;
    let olds = handles
        .into_iter()
        .map(|handle| Ok(Arc::clone(&*old(handle)?)));
    let olds = olds.collect::<Result<Vec<_>, Failure>>()?;
    let made = Type::structure(&lengths, &places, &olds)?;
    give(sized(made, array_of_blocklengths), newtype)
}

/// `MPI_Type_create_subarray`.
pub fn type_create_subarray(
    ndims: i32,
    array_of_sizes: Counts,
    array_of_subsizes: Counts,
    array_of_starts: Counts,
    order: i32,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    dimensions(ndims)?;
    let sizes = array_of_sizes.to_vec()?;
    let subsizes = array_of_subsizes.to_vec()?;
    let starts = array_of_starts.to_vec()?;
    let order = order_of(order)?;
    let made = Type::subarray(&sizes, &subsizes, &starts, order, &*old(oldtype)?)?;
    give(sized(made, array_of_sizes), newtype)
}

/// `MPI_Type_create_darray`.
pub fn type_create_darray(
    size: i32,
    rank: i32,
    ndims: i32,
    array_of_gsizes: Counts,
    array_of_distribs: List<i32>,
    array_of_dargs: List<i32>,
    array_of_psizes: List<i32>,
    order: i32,
    oldtype: Datatype,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let count = dimensions(ndims)?;
    let sizes = array_of_gsizes.to_vec()?;
    let distributions = array_of_distribs.to_vec()?;
    let arguments = array_of_dargs.to_vec()?;
    let processes = array_of_psizes.to_vec()?;
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

/// `MPI_Type_create_resized`.
pub fn type_create_resized(
    oldtype: Datatype,
    lb: i64,
    extent: i64,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let made = Type::resized(&*old(oldtype)?, lb, extent)?;
    give(made, newtype)
}

/// `MPI_Type_create_resized_c`.
pub fn type_create_resized_c(
    oldtype: Datatype,
    lb: i64,
    extent: i64,
    newtype: Out<Datatype>,
) -> Result<(), Failure> {
    let made = Type::resized(&*old(oldtype)?, lb, extent)?.large();
    give(made, newtype)
}

/// `MPI_Type_dup`. Attributes are copied as their functions say.
pub fn type_dup(oldtype: Datatype, newtype: Out<Datatype>) -> Result<(), Failure> {
    let copy = Type::dup(&*old(oldtype)?);
    let attributes = runtime::get()
        .tables
        .enter()
        .type_attributes(oldtype)?
        .clone();
    // This calls user-defined functions: no table is entered.
    let attributes = mpi_local::attr::copy_all(&attributes, oldtype.0)?;
    let entry = TypeEntry::new(Arc::new(copy), attributes);
    let handle = runtime::get().tables.enter().datatypes.insert(entry)?;
    newtype.set(handle)
}

/// `MPI_Type_create_f90_real`.
pub fn type_create_f90_real(p: i32, r: i32, newtype: Out<Datatype>) -> Result<(), Failure> {
    let make = |p, r| Type::f90_real(p, r, i64::from(MPI_UNDEFINED));
    give_sized(Combiner::F90Real, p, r, make, newtype)
}

/// `MPI_Type_create_f90_complex`.
pub fn type_create_f90_complex(p: i32, r: i32, newtype: Out<Datatype>) -> Result<(), Failure> {
    let make = |p, r| Type::f90_complex(p, r, i64::from(MPI_UNDEFINED));
    give_sized(Combiner::F90Complex, p, r, make, newtype)
}

/// `MPI_Type_create_f90_integer`.
pub fn type_create_f90_integer(r: i32, newtype: Out<Datatype>) -> Result<(), Failure> {
    let make = |_, r| Type::f90_integer(r);
    give_sized(Combiner::F90Integer, 0, r, make, newtype)
}

/// `MPI_Type_match_size`: a predefined datatype.
pub fn type_match_size(typeclass: i32, size: i32, datatype: Out<Datatype>) -> Result<(), Failure> {
    let Some(class) = TypeClass::from_constant(typeclass) else {
        let text = format!("{typeclass} is not one of MPI_TYPECLASS_*");
        return Err(Failure::new(MPI_ERR_ARG, text));
    };
    let Some(found) = datatype::match_size(class, i64::from(size)) else {
        let text = format!("no datatype of the class {} has {size} bytes", class.name());
        return Err(Failure::new(MPI_ERR_ARG, text));
    };
    let handle = runtime::get().tables.enter().datatype_handle(found)?;
    datatype.set(handle)
}

/// `MPI_Type_get_value_index`: a predefined datatype, or `MPI_DATATYPE_NULL` where MPI has no such
/// pair.
pub fn type_get_value_index(
    value_type: Datatype,
    index_type: Datatype,
    pair_type: Out<Datatype>,
) -> Result<(), Failure> {
    let (value, index) = (old(value_type)?, old(index_type)?);
    let handle = match datatype::value_index(&value, &index) {
        Some(pair) => runtime::get().tables.enter().datatype_handle(pair)?,
        None => MPI_DATATYPE_NULL,
    };
    pair_type.set(handle)
}

/// `MPI_Type_commit`.
pub fn type_commit(datatype: InOut<Datatype>) -> Result<(), Failure> {
    let handle = datatype.get()?;
    old(handle)?.commit();
    Ok(())
}

/// `MPI_Type_free`. The datatype lives on while pending operations or other datatypes use it.
pub fn type_free(datatype: InOut<Datatype>) -> Result<(), Failure> {
    let handle = datatype.get()?;
    let found = old(handle)?;
    let runtime = runtime::get();
    let mut tables = runtime.tables.enter();
    if tables::predefined(handle).is_some() || tables.lasting_handle(&found) == Some(handle) {
        let text = format!("'{}' is predefined and cannot be freed", found.name());
        return Err(Failure::new(MPI_ERR_TYPE, text));
    }
    let attributes = tables.type_attributes(handle)?.clone();
    drop(tables);
    // This calls user-defined functions: no table is entered.
    mpi_local::attr::delete_all(&attributes, handle.0)?;
    let gone = runtime.tables.enter().free_datatype(handle)?;
    drop(gone);
    datatype.set(MPI_DATATYPE_NULL)
}

/// Returns the datatype of a handle.
pub(super) fn old(handle: Datatype) -> Result<TypeRef, Failure> {
    runtime::get().datatype(handle)
}

/// Stores a handle for a new datatype.
fn give(made: Type, newtype: Out<Datatype>) -> Result<(), Failure> {
    let entry = TypeEntry::new(Arc::new(made), Attributes::default());
    let handle = runtime::get().tables.enter().datatypes.insert(entry)?;
    newtype.set(handle)
}

/// Stores the handle of a datatype with a given precision and range; equal arguments give one
/// handle.
fn give_sized(
    combiner: Combiner,
    precision: i32,
    range: i32,
    make: impl FnOnce(i64, i64) -> Result<Type, datatype::Error>,
    newtype: Out<Datatype>,
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
    newtype.set(handle)
}

fn hindexed_block(
    count: i64,
    length: i64,
    displacements: Counts,
    oldtype: Datatype,
) -> Result<Type, Failure> {
    natural(count, "count")?;
    let places = displacements.to_vec()?;
    Ok(Type::hindexed_block(length, &places, &*old(oldtype)?)?)
}

/// Returns the datatype, marked as made by the `_c` form if its arrays were wide.
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
