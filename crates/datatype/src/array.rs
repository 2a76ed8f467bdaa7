//! Datatypes for parts of arrays: `MPI_Type_create_subarray` and `MPI_Type_create_darray`
//! (MPI 5.0, 5.1.3 and 5.1.4).
//!
//! Both are built from the fastest dimension outwards, each level a repetition of the one
//! inside, and end with the bounds of the whole array set by hand.

use std::sync::Arc;

use crate::combiner::Combiner;
use crate::constants::{
    MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_NONE,
    MPI_ORDER_C, MPI_ORDER_FORTRAN,
};
use crate::datatype::Contents;
use crate::error::{add, mul, natural, Error};
use crate::type_map::{Joiner, TypeMap};
use crate::Datatype;

const ARRAY: &str = "the size of the array in bytes";

/// The order of an array's dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Order {
    /// The last dimension is the fastest, as in C (`MPI_ORDER_C`).
    C = MPI_ORDER_C,
    /// The first dimension is the fastest, as in Fortran (`MPI_ORDER_FORTRAN`).
    Fortran = MPI_ORDER_FORTRAN,
}

impl Order {
    /// Returns the order of an ABI constant.
    pub fn from_constant(value: i32) -> Option<Order> {
        [Order::C, Order::Fortran]
            .into_iter()
            .find(|order| *order as i32 == value)
    }

    /// The dimensions, fastest first.
    fn dimensions(self, count: usize) -> Box<dyn Iterator<Item = usize>> {
        match self {
            Order::C => Box::new((0..count).rev()),
            Order::Fortran => Box::new(0..count),
        }
    }
}

/// The distribution of a dimension of a distributed array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Distribution {
    /// The dimension is not distributed (`MPI_DISTRIBUTE_NONE`).
    None = MPI_DISTRIBUTE_NONE,
    /// One block for each process (`MPI_DISTRIBUTE_BLOCK`).
    Block = MPI_DISTRIBUTE_BLOCK,
    /// Blocks in turn (`MPI_DISTRIBUTE_CYCLIC`).
    Cyclic = MPI_DISTRIBUTE_CYCLIC,
}

impl Distribution {
    /// The distribution of an ABI constant.
    pub fn from_constant(value: i32) -> Option<Distribution> {
        [
            Distribution::None,
            Distribution::Block,
            Distribution::Cyclic,
        ]
        .into_iter()
        .find(|distribution| *distribution as i32 == value)
    }
}

/// The value for "no argument" of a distribution (`MPI_DISTRIBUTE_DFLT_DARG`).
pub const DEFAULT_ARGUMENT: i64 = MPI_DISTRIBUTE_DFLT_DARG as i64;

/// One dimension of a distributed array.
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    /// Elements of the whole array.
    pub size: i64,
    /// The distribution of the elements.
    pub distribution: Distribution,
    /// The block size, or [`DEFAULT_ARGUMENT`].
    pub argument: i64,
    /// Processes of the grid in this dimension.
    pub processes: i64,
}

impl Datatype {
    /// The part of an array of `sizes` that starts at `starts` and is `subsizes` large. The
    /// extent is that of the whole array.
    pub fn subarray(
        sizes: &[i64],
        subsizes: &[i64],
        starts: &[i64],
        order: Order,
        old: &Arc<Datatype>,
    ) -> Result<Datatype, Error> {
        check_subarray(sizes, subsizes, starts)?;
        let mut type_map = old.type_map.clone();
        let (mut stride, mut offset) = (old.extent(), 0);
        for at in order.dimensions(sizes.len()) {
            type_map = type_map.repeat(subsizes[at], stride)?;
            offset = add(offset, mul(starts[at], stride, ARRAY)?, ARRAY)?;
            stride = mul(stride, sizes[at], ARRAY)?;
        }
        let type_map = framed(&type_map, offset, stride)?;
        let dimensions = sizes.len() as i64;
        let integers = [&[dimensions], sizes, subsizes, starts, &[order as i64]].concat();
        let contents = Contents::new(Combiner::Subarray, integers, vec![], vec![old.clone()]);
        Ok(Datatype::derived(type_map, contents))
    }

    /// The part of a distributed array that process `rank` of `processes` holds. The processes
    /// form a grid whose last dimension is the fastest, whatever the order of the array.
    pub fn darray(
        processes: i64,
        rank: i64,
        dimensions: &[Dimension],
        order: Order,
        old: &Arc<Datatype>,
    ) -> Result<Datatype, Error> {
        check_darray(processes, rank, dimensions)?;
        let coordinates = coordinates(rank, dimensions);
        let mut type_map = old.type_map.clone();
        let mut stride = old.extent();
        for at in order.dimensions(dimensions.len()) {
            type_map = dealt(&type_map, &dimensions[at], coordinates[at], stride)?;
            stride = mul(stride, dimensions[at].size, ARRAY)?;
        }
        let type_map = framed(&type_map, 0, stride)?;
        let column = |field: fn(&Dimension) -> i64| dimensions.iter().map(field);
        let mut integers = vec![processes, rank, dimensions.len() as i64];
        integers.extend(column(|dimension| dimension.size));
        integers.extend(column(|dimension| dimension.distribution as i64));
        integers.extend(column(|dimension| dimension.argument));
        integers.extend(column(|dimension| dimension.processes));
        integers.push(order as i64);
        let contents = Contents::new(Combiner::Darray, integers, vec![], vec![old.clone()]);
        Ok(Datatype::derived(type_map, contents))
    }
}

/// Returns the type map moved by `offset`, in the frame of an array of `extent` bytes.
fn framed(type_map: &TypeMap, offset: i64, extent: i64) -> Result<TypeMap, Error> {
    let mut joined = Joiner::default();
    joined.push(type_map, offset, 1, 0)?;
    joined.finish()?.resized(0, extent)
}

fn check_subarray(sizes: &[i64], subsizes: &[i64], starts: &[i64]) -> Result<(), Error> {
    let lists = [
        ("sizes and subsizes", subsizes),
        ("sizes and starts", starts),
    ];
    for (what, list) in lists {
        if list.len() != sizes.len() {
            return Err(Error::Lengths {
                what,
                expected: sizes.len(),
                found: list.len(),
            });
        }
    }
    if sizes.is_empty() {
        let must = "it has to be at least 1";
        return Err(Error::Argument {
            what: "the number of dimensions",
            value: 0,
            must,
        });
    }
    for ((&size, &subsize), &start) in sizes.iter().zip(subsizes).zip(starts) {
        within(
            "the size of a dimension",
            size,
            1,
            i64::MAX,
            "it has to be at least 1",
        )?;
        within(
            "a subsize",
            subsize,
            1,
            size,
            "it has to be from 1 to the size",
        )?;
        let must = "the part has to lie inside the array";
        within("a start", start, 0, size - subsize, must)?;
    }
    Ok(())
}

fn check_darray(processes: i64, rank: i64, dimensions: &[Dimension]) -> Result<(), Error> {
    let least = "it has to be at least 1";
    within("the number of processes", processes, 1, i64::MAX, least)?;
    let must = "it has to be below the number of processes";
    within("rank", rank, 0, processes - 1, must)?;
    within(
        "the number of dimensions",
        dimensions.len() as i64,
        1,
        i64::MAX,
        least,
    )?;
    let mut grid = 1i64;
    for dimension in dimensions {
        within(
            "the size of a dimension",
            dimension.size,
            1,
            i64::MAX,
            least,
        )?;
        within(
            "the processes of a dimension",
            dimension.processes,
            1,
            i64::MAX,
            least,
        )?;
        if dimension.distribution == Distribution::None {
            let must = "it has to be 1 for a dimension that is not distributed";
            within(
                "the processes of a dimension",
                dimension.processes,
                1,
                1,
                must,
            )?;
        } else if dimension.argument != DEFAULT_ARGUMENT {
            within(
                "a distribution argument",
                dimension.argument,
                1,
                i64::MAX,
                least,
            )?;
        }
        if dimension.distribution == Distribution::Block {
            let room = block_size(dimension).saturating_mul(dimension.processes);
            let must = "it has to hold the dimension in one block a process";
            if room < dimension.size {
                let value = dimension.argument;
                return Err(Error::Argument {
                    what: "a distribution argument",
                    value,
                    must,
                });
            }
        }
        grid = grid.saturating_mul(dimension.processes);
    }
    let must = "it has to be the product of the processes of the dimensions";
    within("the number of processes", processes, grid, grid, must)
}

fn within(
    what: &'static str,
    value: i64,
    least: i64,
    most: i64,
    must: &'static str,
) -> Result<(), Error> {
    if value < least || value > most {
        return Err(Error::Argument { what, value, must });
    }
    Ok(())
}

/// Returns a rank's coordinates in the grid; the last dimension is the fastest.
fn coordinates(rank: i64, dimensions: &[Dimension]) -> Vec<i64> {
    let mut left = rank;
    let mut coordinates = vec![0; dimensions.len()];
    for (at, dimension) in dimensions.iter().enumerate().rev() {
        coordinates[at] = left % dimension.processes;
        left /= dimension.processes;
    }
    coordinates
}

/// Elements in a block of a dimension.
fn block_size(dimension: &Dimension) -> i64 {
    let Dimension {
        size,
        distribution,
        argument,
        processes,
    } = *dimension;
    match (distribution, argument) {
        (Distribution::None, _) => size,
        (Distribution::Block, DEFAULT_ARGUMENT) => {
            size / processes + (size % processes != 0) as i64
        }
        (Distribution::Cyclic, DEFAULT_ARGUMENT) => 1,
        _ => argument,
    }
}

/// Returns the share of a dimension at `coordinate`: whole blocks at a fixed distance, and perhaps
/// a shorter last one. Elements of the dimension are `stride` bytes apart.
fn dealt(
    inner: &TypeMap,
    dimension: &Dimension,
    coordinate: i64,
    stride: i64,
) -> Result<TypeMap, Error> {
    let block = natural(block_size(dimension), "block size")?.min(dimension.size);
    let first = block.saturating_mul(coordinate);
    if first >= dimension.size {
        return inner.repeat(0, stride);
    }
    let round = block.saturating_mul(dimension.processes);
    let mine = dimension.size - first;
    let (rounds, rest) = (mine / round, (mine % round).min(block));
    let (whole, part) = if rest == block {
        (rounds + 1, 0)
    } else {
        (rounds, rest)
    };
    let apart = if whole > 1 || part > 0 {
        mul(round.min(mine), stride, ARRAY)?
    } else {
        0
    };
    let blocks = inner.repeat(block, stride)?.repeat(whole, apart)?;
    let last = inner.repeat(part, stride)?;
    let start = mul(first, stride, ARRAY)?;
    let mut joined = Joiner::default();
    joined.push(&blocks, start, 1, 0)?;
    joined.push(&last, add(start, mul(whole, apart, ARRAY)?, ARRAY)?, 1, 0)?;
    joined.finish()
}
