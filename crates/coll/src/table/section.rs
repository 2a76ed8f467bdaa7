//! Rules of a file in either format, as both parsers build them, and the collectives and algorithms
//! that files may name.

use crate::algorithms::{
    Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Gather, Neighbor,
    Reduce, ReduceScatter, Scan,
};

/// The index of an algorithm in the list of all of its collective, by its word or number.
type IndexOf = fn(&str) -> Option<u8>;

macro_rules! index_of {
    ($algorithms:ident) => {
        Some(|word| $algorithms::named(word).map(|algorithm| algorithm as u8))
    };
}

/// Collectives that files may name, in the order of their numbers. Rules for those with only one
/// algorithm change nothing.
pub(super) const KNOWN: [(&str, Option<IndexOf>); 22] = [
    ("allgather", index_of!(Allgather)),
    ("allgatherv", index_of!(Allgatherv)),
    ("allreduce", index_of!(Allreduce)),
    ("alltoall", index_of!(Alltoall)),
    ("alltoallv", index_of!(Alltoallv)),
    ("alltoallw", None),
    ("barrier", index_of!(Barrier)),
    ("bcast", index_of!(Bcast)),
    ("exscan", index_of!(Scan)),
    ("gather", index_of!(Gather)),
    ("gatherv", None),
    ("reduce", index_of!(Reduce)),
    ("reduce_scatter", index_of!(ReduceScatter)),
    ("reduce_scatter_block", index_of!(ReduceScatter)),
    ("scan", index_of!(Scan)),
    ("scatter", index_of!(Gather)),
    ("scatterv", None),
    ("neighbor_allgather", index_of!(Neighbor)),
    ("neighbor_allgatherv", None),
    ("neighbor_alltoall", index_of!(Neighbor)),
    ("neighbor_alltoallv", None),
    ("neighbor_alltoallw", None),
];

/// The algorithm for messages of a range of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rule {
    /// The fewest bytes, and the most.
    pub(super) bytes: (usize, usize),
    /// The index in the list of all; `None` leaves the choice to the built-in tables.
    pub(super) algorithm: Option<u8>,
    /// Bytes of a segment; 0 leaves them as they are.
    pub segment: usize,
    /// Steps under way at once; 0 leaves them as they are.
    pub requests: usize,
}

/// Rules for communicators of a range of ranks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Section {
    /// The fewest ranks, and the most.
    pub(super) ranks: (u32, u32),
    pub(super) rules: Vec<Rule>,
}

impl Rule {
    /// The algorithm, out of all of its collective.
    pub fn algorithm<A: Copy>(&self, all: &[A]) -> Option<A> {
        all.get(usize::from(self.algorithm?)).copied()
    }
}

/// The line of a fault, and the fault.
pub(super) type Refusal = (usize, String);

/// The algorithm that a file names for a collective by its word or number: `None` for 0, and for
/// all of those that have one only.
pub(super) fn algorithm(collective: usize, word: &str) -> Result<Option<u8>, String> {
    let (name, index_of) = KNOWN[collective];
    let (Some(index_of), false) = (index_of, matches!(word, "0" | "ignore")) else {
        return Ok(None);
    };
    match index_of(word) {
        Some(index_of) => Ok(Some(index_of)),
        None => Err(format!(
            "`{word}` is no algorithm of {name}: `oxmpi_info --param coll tuned --level 9` lists \
             them, and 0 leaves the choice to the library"
        )),
    }
}
