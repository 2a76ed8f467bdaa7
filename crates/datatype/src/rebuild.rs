//! A datatype over other predefined datatypes, made by the same calls of constructors: how MPI
//! describes the layout of a file in another data representation (MPI 5.0, 14.5.1).

use std::collections::HashMap;
use std::sync::Arc;

use crate::array::{Dimension, Distribution, Order};
use crate::combiner::Combiner;
use crate::datatype::Contents;
use crate::error::Error;
use crate::Datatype;

impl Datatype {
    /// Returns the datatype that the calls which made `self` make when `leaf` takes the place of
    /// each predefined datatype.
    ///
    /// # Errors
    /// The errors of `leaf`; an overflow where the new datatype does not fit.
    pub fn rebuilt<E: From<Error>>(
        self: &Arc<Datatype>,
        mut leaf: impl FnMut(&Arc<Datatype>) -> Result<Arc<Datatype>, E>,
    ) -> Result<Arc<Datatype>, E> {
        // A datatype made from a datatype made from ... may be a long chain: no recursion.
        let mut built: HashMap<*const Datatype, Arc<Datatype>> = HashMap::new();
        let mut pending = vec![self.clone()];
        while let Some(top) = pending.last().cloned() {
            let olds = &top.contents().datatypes;
            let missing = |old: &&Arc<Datatype>| !built.contains_key(&Arc::as_ptr(old));
            let missing: Vec<_> = olds.iter().filter(missing).cloned().collect();
            if top.predefined().is_none() && !missing.is_empty() {
                pending.extend(missing);
                continue;
            }
            pending.pop();
            let new = match top.predefined() {
                Some(_) => leaf(&top)?,
                None => {
                    let new = |old: &Arc<Datatype>| built[&Arc::as_ptr(old)].clone();
                    let olds: Vec<_> = olds.iter().map(new).collect();
                    Arc::new(construct(top.contents(), &olds)?)
                }
            };
            built.insert(Arc::as_ptr(&top), new);
        }
        Ok(built[&Arc::as_ptr(self)].clone())
    }
}

/// Calls the constructor of `contents` with other datatypes.
fn construct(contents: &Contents, olds: &[Arc<Datatype>]) -> Result<Datatype, Error> {
    // The `_c` form has all numbers in `counts`, the other form first the integers.
    let numbers = [
        &contents.integers[..],
        &contents.addresses,
        &contents.counts,
    ];
    let numbers = numbers.concat();
    let old = &olds[0];
    let list = |first: usize, length: usize| &numbers[first..first + length];
    match contents.combiner {
        Combiner::Contiguous => Datatype::contiguous(numbers[0], old),
        Combiner::Vector => Datatype::vector(numbers[0], numbers[1], numbers[2], old),
        Combiner::Hvector => Datatype::hvector(numbers[0], numbers[1], numbers[2], old),
        Combiner::Indexed | Combiner::Hindexed | Combiner::Struct => {
            let count = numbers[0] as usize;
            let (lengths, places) = (list(1, count), list(1 + count, count));
            match contents.combiner {
                Combiner::Indexed => Datatype::indexed(lengths, places, old),
                Combiner::Hindexed => Datatype::hindexed(lengths, places, old),
                _ => Datatype::structure(lengths, places, olds),
            }
        }
        Combiner::IndexedBlock => Datatype::indexed_block(numbers[1], &numbers[2..], old),
        Combiner::HindexedBlock => Datatype::hindexed_block(numbers[1], &numbers[2..], old),
        Combiner::Resized => Datatype::resized(old, numbers[0], numbers[1]),
        Combiner::Subarray => subarray(contents, old),
        Combiner::Darray => darray(contents, old),
        // The predefined datatypes are not derived.
        Combiner::Dup
        | Combiner::Named
        | Combiner::F90Real
        | Combiner::F90Complex
        | Combiner::F90Integer
        | Combiner::ValueIndex => Ok(Datatype::dup(old)),
    }
}

fn subarray(contents: &Contents, old: &Arc<Datatype>) -> Result<Datatype, Error> {
    let integers = &contents.integers;
    let count = integers[0] as usize;
    let sizes = match contents.counts.is_empty() {
        true => &integers[1..],
        false => &contents.counts[..],
    };
    let list = |index: usize| &sizes[index * count..][..count];
    let order = order(integers[integers.len() - 1])?;
    Datatype::subarray(list(0), list(1), list(2), order, old)
}

fn darray(contents: &Contents, old: &Arc<Datatype>) -> Result<Datatype, Error> {
    let integers = &contents.integers;
    let count = integers[2] as usize;
    let (sizes, rest) = match contents.counts.is_empty() {
        true => integers[3..].split_at(count),
        false => (&contents.counts[..], &integers[3..]),
    };
    let dimension = |at: usize| {
        let distribution = Distribution::from_constant(rest[at] as i32);
        Some(Dimension {
            size: sizes[at],
            distribution: distribution?,
            argument: rest[count + at],
            processes: rest[2 * count + at],
        })
    };
    let dimensions: Option<Vec<Dimension>> = (0..count).map(dimension).collect();
    let dimensions = dimensions.ok_or(Error::Argument {
        what: "a distribution",
        value: -1,
        must: "it has to be one of MPI's",
    })?;
    let order = order(integers[integers.len() - 1])?;
    Datatype::darray(integers[0], integers[1], &dimensions, order, old)
}

fn order(value: i64) -> Result<Order, Error> {
    Order::from_constant(value as i32).ok_or(Error::Argument {
        what: "the order of an array",
        value,
        must: "it has to be MPI_ORDER_C or MPI_ORDER_FORTRAN",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{predefined, DEFAULT_ARGUMENT};

    /// `MPI_INT`, and `MPI_BYTE`.
    use crate::constants::{MPI_BYTE as BYTE, MPI_INT as INT};

    /// Rebuilds over integers of three bytes, or over themselves.
    fn over(datatype: &Arc<Datatype>, bytes: i64) -> Arc<Datatype> {
        let byte = predefined(BYTE).unwrap();
        let leaf = Arc::new(Datatype::contiguous(bytes, byte).unwrap());
        let rebuilt = datatype.rebuilt(|old| {
            assert_eq!(old.predefined().unwrap().handle, INT);
            Ok::<_, Error>(leaf.clone())
        });
        rebuilt.unwrap()
    }

    fn runs(datatype: &Datatype) -> Vec<(i64, u64)> {
        let mut runs = Vec::new();
        datatype.runs(0, 2 * datatype.size() as u64, &mut |at, len| {
            runs.push((at, len))
        });
        runs
    }

    #[test]
    fn every_constructor_is_called_again() {
        let int = predefined(INT).unwrap();
        let dimension = |size, distribution, processes| Dimension {
            size,
            distribution,
            argument: DEFAULT_ARGUMENT,
            processes,
        };
        let grid = [
            dimension(9, Distribution::Cyclic, 2),
            dimension(10, Distribution::Block, 3),
        ];
        let all = || {
            [
                Datatype::contiguous(3, int),
                Datatype::vector(3, 2, 5, int),
                Datatype::hvector(3, 2, 40, int),
                Datatype::indexed(&[2, 1], &[1, 7], int),
                Datatype::hindexed(&[2, 1], &[8, 40], int),
                Datatype::indexed_block(2, &[1, 7], int),
                Datatype::hindexed_block(2, &[8, 40], int),
                Datatype::structure(&[1, 2], &[4, 32], &[int.clone(), int.clone()]),
                Datatype::resized(int, -4, 48),
                Datatype::subarray(&[5, 6], &[2, 3], &[1, 2], Order::C, int),
                Datatype::subarray(&[5, 6], &[2, 3], &[1, 2], Order::Fortran, int),
                Datatype::darray(6, 4, &grid, Order::C, int),
                Ok(Datatype::dup(int)),
            ]
        };
        for (small, large) in all().into_iter().zip(all()) {
            for datatype in [small.unwrap(), large.unwrap().large()] {
                let datatype = Arc::new(datatype);
                let outer = Arc::new(Datatype::contiguous(2, &datatype).unwrap());
                for datatype in [&datatype, &outer] {
                    let same = over(datatype, 4);
                    assert_eq!(runs(&same), runs(datatype), "{datatype:?}");
                    assert_eq!(same.extent(), datatype.extent(), "{datatype:?}");
                }
            }
        }
    }

    #[test]
    fn displacements_in_elements_shrink_with_the_elements() {
        let int = predefined(INT).unwrap();
        let vector = Arc::new(Datatype::vector(2, 1, 5, int).unwrap());
        assert_eq!(runs(&over(&vector, 3)), [(0, 3), (15, 6), (33, 3)]);
        let bytes = Arc::new(Datatype::hvector(2, 1, 20, int).unwrap());
        assert_eq!(runs(&over(&bytes, 3)), [(0, 3), (20, 6), (43, 3)]);
    }

    #[test]
    fn a_long_chain_takes_no_stack() {
        let mut chain = predefined(INT).unwrap().clone();
        for _ in 0..200_000 {
            chain = Arc::new(Datatype::dup(&chain));
        }
        assert_eq!(over(&chain, 3).size(), 3);
    }
}
