//! Which algorithm a collective uses: one table, from communicator size and message size.
//!
//! All ranks must choose alike, so only what they all know may decide: the number of ranks, the
//! bytes of the type signature, and whether the operator commutes. A choice can be forced for
//! a collective; where the forced algorithm cannot serve the call, its nearest relative does.

/// Defines an algorithm enumeration with the names users select by.
macro_rules! algorithms {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[$about])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The words of a parameter: `ignore`, which leaves the choice to the tables, and
            /// all names.
            pub const WORDS: &'static [&'static str] = &["ignore", $($text,)*];

            /// The name users select by.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }

            /// The algorithm of a name.
            pub fn named(name: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|algorithm| algorithm.name() == name)
            }
        }
    };
}

algorithms! {
    /// Algorithms of MPI_BCAST.
    Bcast {
        /// The root sends to everybody.
        Linear = "basic_linear",
        /// A tree of log2 levels.
        Binomial = "binomial",
        /// Segments through a chain of ranks.
        Pipeline = "pipeline",
        /// Pieces to everybody, then recursive doubling (a ring, where that cannot be).
        ScatterAllgather = "scatter_allgather",
        /// Pieces to everybody, then a ring.
        ScatterAllgatherRing = "scatter_allgather_ring",
    }
}

algorithms! {
    /// Algorithms of MPI_REDUCE.
    Reduce {
        /// A tree of log2 levels.
        Binomial = "binomial",
        /// Halving, then gathering.
        Rabenseifner = "rabenseifner",
    }
}

algorithms! {
    /// Algorithms of MPI_ALLREDUCE.
    Allreduce {
        /// The whole vector in log2 rounds.
        RecursiveDoubling = "recursive_doubling",
        /// Halving and back.
        Rabenseifner = "rabenseifner",
        /// Pieces twice around a ring; only if the operator commutes.
        Ring = "ring",
        /// A reduction, then a broadcast.
        ReduceBcast = "nonoverlapping",
    }
}

algorithms! {
    /// Algorithms of MPI_GATHER and MPI_SCATTER.
    Gather {
        /// The root talks to everybody.
        Linear = "basic_linear",
        /// A tree of log2 levels.
        Binomial = "binomial",
    }
}

algorithms! {
    /// Algorithms of MPI_ALLGATHER and MPI_ALLGATHERV.
    Allgather {
        /// Everybody sends to everybody.
        Linear = "linear",
        /// In log2 rounds, for any number of ranks.
        Bruck = "bruck",
        /// In log2 rounds and in place, for equal blocks and a power of two ranks.
        RecursiveDoubling = "recursive_doubling",
        /// Around a ring.
        Ring = "ring",
    }
}

algorithms! {
    /// Algorithms of MPI_ALLTOALL.
    Alltoall {
        /// All messages at once.
        Linear = "linear",
        /// One partner per step, a few steps at once.
        Pairwise = "pairwise",
        /// In log2 rounds, each moving half of the data.
        Bruck = "modified_bruck",
    }
}

algorithms! {
    /// Algorithms of MPI_REDUCE_SCATTER and MPI_REDUCE_SCATTER_BLOCK.
    ReduceScatter {
        /// Halving in log2 rounds.
        Butterfly = "butterfly",
        /// One partner per step; only if the operator commutes.
        Pairwise = "ring",
    }
}

/// The choice of algorithms. `Rules::default()` decides by the tables of this module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Forces the algorithm of MPI_BCAST.
    pub bcast_algorithm: Option<Bcast>,
    /// Bytes of a segment of a pipelined broadcast.
    pub bcast_segment_bytes: usize,
    /// Forces the algorithm of MPI_REDUCE.
    pub reduce_algorithm: Option<Reduce>,
    /// Forces the algorithm of MPI_ALLREDUCE.
    pub allreduce_algorithm: Option<Allreduce>,
    /// Forces the algorithm of MPI_GATHER.
    pub gather_algorithm: Option<Gather>,
    /// Forces the algorithm of MPI_SCATTER.
    pub scatter_algorithm: Option<Gather>,
    /// Forces the algorithm of MPI_ALLGATHER and MPI_ALLGATHERV.
    pub allgather_algorithm: Option<Allgather>,
    /// Forces the algorithm of MPI_ALLTOALL.
    pub alltoall_algorithm: Option<Alltoall>,
    /// How many steps of a pairwise alltoall are under way at once.
    pub alltoall_max_requests: usize,
    /// Forces the algorithm of MPI_REDUCE_SCATTER and MPI_REDUCE_SCATTER_BLOCK.
    pub reduce_scatter_algorithm: Option<ReduceScatter>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            bcast_algorithm: None,
            bcast_segment_bytes: 128 << 10,
            reduce_algorithm: None,
            allreduce_algorithm: None,
            gather_algorithm: None,
            scatter_algorithm: None,
            allgather_algorithm: None,
            alltoall_algorithm: None,
            alltoall_max_requests: 16,
            reduce_scatter_algorithm: None,
        }
    }
}

/// Up to so many ranks and so many bytes, this algorithm. The first row that fits decides.
type Row<A> = (u32, usize, A);

const ANY: u32 = u32::MAX;
const ALL: usize = usize::MAX;

const BCAST: &[Row<Bcast>] = &[
    (2, ALL, Bcast::Binomial),
    (ANY, 12 << 10, Bcast::Binomial),
    (4, 512 << 10, Bcast::Binomial),
    (ANY, 512 << 10, Bcast::ScatterAllgather),
    (8, ALL, Bcast::Pipeline),
    (ANY, ALL, Bcast::ScatterAllgatherRing),
];

const REDUCE: &[Row<Reduce>] = &[
    (ANY, 32 << 10, Reduce::Binomial),
    (ANY, ALL, Reduce::Rabenseifner),
];

const ALLREDUCE: &[Row<Allreduce>] = &[
    (ANY, 16 << 10, Allreduce::RecursiveDoubling),
    (ANY, ALL, Allreduce::Rabenseifner),
];

/// For sizes that are no powers of two: folding moves whole vectors, the ring does not.
const ALLREDUCE_UNEVEN: &[Row<Allreduce>] = &[
    (ANY, 16 << 10, Allreduce::RecursiveDoubling),
    (ANY, 128 << 10, Allreduce::Rabenseifner),
    (64, ALL, Allreduce::Ring),
    (ANY, 4 << 20, Allreduce::Rabenseifner),
    (ANY, ALL, Allreduce::Ring),
];

/// By the bytes of one block. A tree copies blocks on the way, which long ones do not pay back;
/// with many ranks, fewer messages at the root pay back more.
const GATHER: &[Row<Gather>] = &[
    (4, ALL, Gather::Linear),
    (64, 4 << 10, Gather::Binomial),
    (64, ALL, Gather::Linear),
    (ANY, 64 << 10, Gather::Binomial),
    (ANY, ALL, Gather::Linear),
];

/// By the bytes of all blocks.
const ALLGATHER: &[Row<Allgather>] = &[
    (2, ALL, Allgather::RecursiveDoubling),
    (ANY, 64 << 10, Allgather::RecursiveDoubling),
    (ANY, ALL, Allgather::Ring),
];

/// By the bytes of one block.
const ALLTOALL: &[Row<Alltoall>] = &[
    (8, 4 << 10, Alltoall::Linear),
    (ANY, 256, Alltoall::Bruck),
    (64, 4 << 10, Alltoall::Linear),
    (ANY, ALL, Alltoall::Pairwise),
];

const REDUCE_SCATTER: &[Row<ReduceScatter>] = &[(ANY, ALL, ReduceScatter::Butterfly)];

/// For sizes that are no powers of two.
const REDUCE_SCATTER_UNEVEN: &[Row<ReduceScatter>] = &[
    (ANY, 128 << 10, ReduceScatter::Butterfly),
    (64, ALL, ReduceScatter::Pairwise),
    (ANY, 4 << 20, ReduceScatter::Butterfly),
    (ANY, ALL, ReduceScatter::Pairwise),
];

fn look_up<A: Copy>(table: &[Row<A>], ranks: u32, bytes: usize) -> A {
    let row = table.iter().find(|row| ranks <= row.0 && bytes <= row.1);
    row.expect("the last row fits all").2
}

impl Rules {
    /// For a buffer of `bytes`.
    pub fn bcast(&self, ranks: u32, bytes: usize) -> Bcast {
        self.bcast_algorithm
            .unwrap_or_else(|| look_up(BCAST, ranks, bytes))
    }

    /// For a vector of `bytes`.
    pub fn reduce(&self, ranks: u32, bytes: usize) -> Reduce {
        self.reduce_algorithm
            .unwrap_or_else(|| look_up(REDUCE, ranks, bytes))
    }

    /// For a vector of `bytes`.
    pub fn allreduce(&self, ranks: u32, bytes: usize, commutative: bool) -> Allreduce {
        let table = if ranks.is_power_of_two() {
            ALLREDUCE
        } else {
            ALLREDUCE_UNEVEN
        };
        match self
            .allreduce_algorithm
            .unwrap_or_else(|| look_up(table, ranks, bytes))
        {
            Allreduce::Ring if !commutative => Allreduce::Rabenseifner,
            choice => choice,
        }
    }

    /// For blocks of `block` bytes.
    pub fn gather(&self, ranks: u32, block: usize) -> Gather {
        self.gather_algorithm
            .unwrap_or_else(|| look_up(GATHER, ranks, block))
    }

    /// For blocks of `block` bytes.
    pub fn scatter(&self, ranks: u32, block: usize) -> Gather {
        self.scatter_algorithm
            .unwrap_or_else(|| look_up(GATHER, ranks, block))
    }

    /// For `bytes` in all blocks together.
    pub fn allgather(&self, ranks: u32, bytes: usize) -> Allgather {
        self.allgather_algorithm
            .unwrap_or_else(|| look_up(ALLGATHER, ranks, bytes))
    }

    /// For blocks of `block` bytes.
    pub fn alltoall(&self, ranks: u32, block: usize) -> Alltoall {
        self.alltoall_algorithm
            .unwrap_or_else(|| look_up(ALLTOALL, ranks, block))
    }

    /// For a contribution of `bytes`.
    pub fn reduce_scatter(&self, ranks: u32, bytes: usize, commutative: bool) -> ReduceScatter {
        let uneven = !ranks.is_power_of_two();
        let table = if uneven {
            REDUCE_SCATTER_UNEVEN
        } else {
            REDUCE_SCATTER
        };
        match self
            .reduce_scatter_algorithm
            .unwrap_or_else(|| look_up(table, ranks, bytes))
        {
            ReduceScatter::Pairwise if !commutative => ReduceScatter::Butterfly,
            choice => choice,
        }
    }

    pub(crate) fn segment_bytes(&self) -> usize {
        self.bcast_segment_bytes.max(1)
    }

    pub(crate) fn window(&self) -> usize {
        self.alltoall_max_requests.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_algorithms() {
        for algorithm in Bcast::ALL {
            assert_eq!(Bcast::named(algorithm.name()), Some(*algorithm));
        }
        assert_eq!(Allreduce::named("bruck"), None);
    }

    #[test]
    fn a_ring_is_never_chosen_for_an_operator_that_does_not_commute() {
        let rules = Rules {
            allreduce_algorithm: Some(Allreduce::Ring),
            ..Rules::default()
        };
        assert_eq!(rules.allreduce(3, 1 << 20, false), Allreduce::Rabenseifner);
        assert_eq!(rules.allreduce(3, 1 << 20, true), Allreduce::Ring);
        assert_eq!(
            Rules::default().allreduce(6, 1 << 20, true),
            Allreduce::Ring
        );
        let chosen = Rules::default().reduce_scatter(6, 1 << 20, false);
        assert_eq!(chosen, ReduceScatter::Butterfly);
    }
}
