//! The constructor of a datatype, stored for `MPI_Type_get_envelope` and `MPI_Type_get_contents`.

use std::sync::Arc;

use crate::Datatype;

/// The constructor of a datatype; the values are those of the MPI ABI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
#[allow(missing_docs)] // The variants are the constants MPI_COMBINER_x.
pub enum Combiner {
    Named = 101,
    Dup = 102,
    Contiguous = 103,
    Vector = 104,
    Hvector = 105,
    Indexed = 106,
    Hindexed = 107,
    IndexedBlock = 108,
    HindexedBlock = 109,
    Struct = 110,
    Subarray = 111,
    Darray = 112,
    F90Real = 113,
    F90Complex = 114,
    F90Integer = 115,
    Resized = 116,
    ValueIndex = 117,
}

/// The arguments of a constructor, in the order in which MPI 5.0, 5.1.13 lists them.
#[derive(Debug)]
pub struct Contents {
    /// The constructor.
    pub combiner: Combiner,
    /// Arguments of type `int`.
    pub integers: Vec<i64>,
    /// Arguments of type `MPI_Aint`.
    pub addresses: Vec<i64>,
    /// Arguments of type `MPI_Count`; only constructors of the `_c` form have any.
    pub counts: Vec<i64>,
    /// Arguments that are datatypes.
    pub datatypes: Vec<Arc<Datatype>>,
}

impl Contents {
    pub(crate) fn new(
        combiner: Combiner,
        integers: Vec<i64>,
        addresses: Vec<i64>,
        datatypes: Vec<Arc<Datatype>>,
    ) -> Contents {
        Contents {
            combiner,
            integers,
            addresses,
            counts: Vec::new(),
            datatypes,
        }
    }

    /// Returns the arguments in the form of the constructor's `_c` function.
    pub(crate) fn into_large(mut self) -> Contents {
        let integers = std::mem::take(&mut self.integers);
        match self.combiner {
            Combiner::Subarray => {
                let last = integers.len() - 1;
                self.integers = vec![integers[0], integers[last]];
                self.counts = integers[1..last].to_vec();
            }
            Combiner::Darray => {
                let sizes = 3 + integers[2] as usize;
                self.integers = [&integers[..3], &integers[sizes..]].concat();
                self.counts = integers[3..sizes].to_vec();
            }
            Combiner::F90Real | Combiner::F90Complex | Combiner::F90Integer => {
                self.integers = integers;
            }
            _ => {
                self.counts = integers;
                self.counts.append(&mut self.addresses);
            }
        }
        self
    }
}
