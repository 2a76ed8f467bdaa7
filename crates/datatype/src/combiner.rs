//! [`Combiner`]: the constructors of datatypes.

use crate::constants::*;

/// The constructor of a datatype; the values are those of the MPI ABI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
#[allow(missing_docs)] // The variants are the constants MPI_COMBINER_x.
pub enum Combiner {
    Named = MPI_COMBINER_NAMED,
    Dup = MPI_COMBINER_DUP,
    Contiguous = MPI_COMBINER_CONTIGUOUS,
    Vector = MPI_COMBINER_VECTOR,
    Hvector = MPI_COMBINER_HVECTOR,
    Indexed = MPI_COMBINER_INDEXED,
    Hindexed = MPI_COMBINER_HINDEXED,
    IndexedBlock = MPI_COMBINER_INDEXED_BLOCK,
    HindexedBlock = MPI_COMBINER_HINDEXED_BLOCK,
    Struct = MPI_COMBINER_STRUCT,
    Subarray = MPI_COMBINER_SUBARRAY,
    Darray = MPI_COMBINER_DARRAY,
    F90Real = MPI_COMBINER_F90_REAL,
    F90Complex = MPI_COMBINER_F90_COMPLEX,
    F90Integer = MPI_COMBINER_F90_INTEGER,
    Resized = MPI_COMBINER_RESIZED,
    ValueIndex = MPI_COMBINER_VALUE_INDEX,
}
