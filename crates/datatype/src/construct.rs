//! The constructors of derived datatypes (MPI 5.0, 5.1.2 and 5.1.7).
//!
//! Counts and lengths are elements, strides and displacements are elements of the old datatype
//! or, in the `h` forms, bytes. Every constructor takes the wide counts of the `_c` forms; a
//! datatype made through such a form is passed through [`Datatype::large`], so that the program
//! gets its arguments back as it passed them.

use std::sync::Arc;

use crate::combiner::Combiner;
use crate::datatype::Contents;
use crate::error::{mul, natural, Error};
use crate::type_map::{Joiner, TypeMap};
use crate::Datatype;

const DISPLACEMENT: &str = "a displacement in bytes";

impl Datatype {
    /// Returns `count` elements of `old`, one after the other.
    pub fn contiguous(count: i64, old: &Arc<Datatype>) -> Result<Datatype, Error> {
        natural(count, "count")?;
        let type_map = old.type_map.repeat(count, old.extent())?;
        Ok(made(
            type_map,
            Combiner::Contiguous,
            vec![count],
            vec![],
            old,
        ))
    }

    /// Returns `count` blocks of `length` elements, `stride` elements apart.
    pub fn vector(
        count: i64,
        length: i64,
        stride: i64,
        old: &Arc<Datatype>,
    ) -> Result<Datatype, Error> {
        let bytes = mul(stride, old.extent(), "the stride in bytes")?;
        let type_map = strided(count, length, bytes, old)?;
        Ok(made(
            type_map,
            Combiner::Vector,
            vec![count, length, stride],
            vec![],
            old,
        ))
    }

    /// Returns `count` blocks of `length` elements, `stride` bytes apart.
    pub fn hvector(
        count: i64,
        length: i64,
        stride: i64,
        old: &Arc<Datatype>,
    ) -> Result<Datatype, Error> {
        let type_map = strided(count, length, stride, old)?;
        Ok(made(
            type_map,
            Combiner::Hvector,
            vec![count, length],
            vec![stride],
            old,
        ))
    }

    /// Blocks of `lengths[i]` elements, `displacements[i]` elements from the start.
    pub fn indexed(
        lengths: &[i64],
        displacements: &[i64],
        old: &Arc<Datatype>,
    ) -> Result<Datatype, Error> {
        let offset = |at: &i64| mul(*at, old.extent(), DISPLACEMENT);
        let type_map = scattered(lengths, displacements, offset, old)?;
        let integers = [&[lengths.len() as i64], lengths, displacements].concat();
        Ok(made(type_map, Combiner::Indexed, integers, vec![], old))
    }

    /// Blocks of `lengths[i]` elements, `displacements[i]` bytes from the start.
    pub fn hindexed(
        lengths: &[i64],
        displacements: &[i64],
        old: &Arc<Datatype>,
    ) -> Result<Datatype, Error> {
        let type_map = scattered(lengths, displacements, |at| Ok(*at), old)?;
        let integers = [&[lengths.len() as i64], lengths].concat();
        Ok(made(
            type_map,
            Combiner::Hindexed,
            integers,
            displacements.to_vec(),
            old,
        ))
    }

    /// Blocks of `length` elements each, `displacements[i]` elements from the start.
    pub fn indexed_block(
        length: i64,
        displacements: &[i64],
        old: &Arc<Datatype>,
    ) -> Result<Datatype, Error> {
        let offset = |at: &i64| mul(*at, old.extent(), DISPLACEMENT);
        let lengths = vec![length; displacements.len()];
        let type_map = scattered(&lengths, displacements, offset, old)?;
        let integers = [&[displacements.len() as i64, length], displacements].concat();
        Ok(made(
            type_map,
            Combiner::IndexedBlock,
            integers,
            vec![],
            old,
        ))
    }

    /// Blocks of `length` elements each, `displacements[i]` bytes from the start.
    pub fn hindexed_block(
        length: i64,
        displacements: &[i64],
        old: &Arc<Datatype>,
    ) -> Result<Datatype, Error> {
        let lengths = vec![length; displacements.len()];
        let type_map = scattered(&lengths, displacements, |at| Ok(*at), old)?;
        let integers = vec![displacements.len() as i64, length];
        Ok(made(
            type_map,
            Combiner::HindexedBlock,
            integers,
            displacements.to_vec(),
            old,
        ))
    }

    /// Blocks of `lengths[i]` elements of `olds[i]`, `displacements[i]` bytes from the start
    /// (`MPI_Type_create_struct`). The extent is rounded up to the strictest alignment inside,
    /// as a C compiler would, unless the bounds of a part were set by hand.
    pub fn structure(
        lengths: &[i64],
        displacements: &[i64],
        olds: &[Arc<Datatype>],
    ) -> Result<Datatype, Error> {
        same_length(
            "block lengths and displacements",
            lengths.len(),
            displacements.len(),
        )?;
        same_length("block lengths and datatypes", lengths.len(), olds.len())?;
        let mut joined = Joiner::default();
        for ((&length, &at), old) in lengths.iter().zip(displacements).zip(olds) {
            natural(length, "block length")?;
            joined.push(&old.type_map, at, length, old.extent())?;
        }
        let type_map = joined.finish()?.padded()?;
        let integers = [&[lengths.len() as i64], lengths].concat();
        let (addresses, datatypes) = (displacements.to_vec(), olds.to_vec());
        let contents = Contents::new(Combiner::Struct, integers, addresses, datatypes);
        Ok(Datatype::derived(type_map, contents))
    }

    /// Returns `old` with lower bound `lb` and the given extent, which may be negative.
    pub fn resized(old: &Arc<Datatype>, lb: i64, extent: i64) -> Result<Datatype, Error> {
        let type_map = old.type_map.resized(lb, extent)?;
        Ok(made(
            type_map,
            Combiner::Resized,
            vec![],
            vec![lb, extent],
            old,
        ))
    }

    /// Returns a duplicate of the datatype, committed if `old` is.
    pub fn dup(old: &Arc<Datatype>) -> Datatype {
        let copy = made(old.type_map.clone(), Combiner::Dup, vec![], vec![], old);
        if old.is_committed() {
            copy.commit();
        }
        copy
    }
}

pub(crate) fn made(
    type_map: TypeMap,
    combiner: Combiner,
    integers: Vec<i64>,
    addresses: Vec<i64>,
    old: &Arc<Datatype>,
) -> Datatype {
    Datatype::derived(
        type_map,
        Contents::new(combiner, integers, addresses, vec![old.clone()]),
    )
}

fn strided(count: i64, length: i64, stride: i64, old: &Datatype) -> Result<TypeMap, Error> {
    natural(count, "count")?;
    natural(length, "block length")?;
    old.type_map
        .repeat(length, old.extent())?
        .repeat(count, stride)
}

fn scattered(
    lengths: &[i64],
    displacements: &[i64],
    offset: impl Fn(&i64) -> Result<i64, Error>,
    old: &Datatype,
) -> Result<TypeMap, Error> {
    same_length(
        "block lengths and displacements",
        lengths.len(),
        displacements.len(),
    )?;
    let mut joined = Joiner::default();
    joined.reserve(lengths.len());
    for (&length, at) in lengths.iter().zip(displacements) {
        natural(length, "block length")?;
        joined.push(&old.type_map, offset(at)?, length, old.extent())?;
    }
    joined.finish()
}

fn same_length(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected != found {
        return Err(Error::Lengths {
            what,
            expected,
            found,
        });
    }
    Ok(())
}
