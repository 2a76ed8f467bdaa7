//! The algorithms of each collective, and the words that select them.

/// Defines an algorithm enumeration with the words users select by: its own, and in brackets those
/// of Open MPI for algorithms that it stands in for. Where Open MPI counts an algorithm, its number
/// selects it as well.
macro_rules! algorithms {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$about:meta])* $variant:ident = $text:literal [$($alias:literal)*],)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[$about])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The words of a parameter: `ignore` (or 0), which leaves the choice to the tables,
            /// all names, and what else selects one.
            pub const WORDS: &'static [&'static str] =
                &["ignore", "0", $($text, $($alias,)*)*];

            /// The name users select by.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }

            /// Returns the algorithm that a word selects.
            pub fn named(word: &str) -> Option<$name> {
                match word {
                    $($text $(| $alias)* => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

algorithms! {
    /// Algorithms of MPI_BARRIER.
    Barrier {
        /// All ranks send to the first, which sends to all.
        Linear = "linear" ["1"],
        /// In log2 rounds each rank hears of twice as many.
        Dissemination = "bruck" ["2" "3" "4" "5" "double_ring" "recursive_doubling" "two_proc"],
        /// Up and down a tree: twice the rounds, half of the messages.
        Tree = "tree" ["6"],
    }
}

algorithms! {
    /// Algorithms of MPI_BCAST.
    Bcast {
        /// The root sends to all ranks.
        Linear = "basic_linear" ["1"],
        /// A tree of log2 levels.
        Binomial = "binomial" ["4" "5" "6" "7" "split_binary_tree" "binary_tree" "knomial"],
        /// Segments through a chain of ranks.
        Pipeline = "pipeline" ["2" "3" "chain"],
        /// Pieces to all ranks, then recursive doubling (a ring, where that cannot be).
        ScatterAllgather = "scatter_allgather" ["8"],
        /// Pieces to all ranks, then a ring.
        ScatterAllgatherRing = "scatter_allgather_ring" ["9"],
    }
}

algorithms! {
    /// Algorithms of MPI_REDUCE.
    Reduce {
        /// All ranks send to the root.
        Linear = "linear" ["1"],
        /// A tree of log2 levels.
        Binomial = "binomial" ["4" "5" "6" "8" "binary" "in-order_binary" "knomial"],
        /// Segments through a chain of ranks.
        Pipeline = "pipeline" ["2" "3" "chain"],
        /// Halving, then gathering.
        Rabenseifner = "rabenseifner" ["7"],
    }
}

algorithms! {
    /// Algorithms of MPI_ALLREDUCE.
    Allreduce {
        /// The whole vector in log2 rounds.
        RecursiveDoubling = "recursive_doubling" ["3"],
        /// Halving and back.
        Rabenseifner = "rabenseifner" ["6" "7" "allgather_reduce"],
        /// Pieces twice around a ring; only if the operator commutes.
        Ring = "ring" ["4" "5" "segmented_ring"],
        /// A reduction, then a broadcast.
        ReduceBcast = "nonoverlapping" ["1" "2" "basic_linear"],
    }
}

algorithms! {
    /// Algorithms of MPI_GATHER and MPI_SCATTER.
    Gather {
        /// The root exchanges a message with each rank.
        Linear = "basic_linear" ["1" "3" "linear_sync" "linear_nb"],
        /// A tree of log2 levels.
        Binomial = "binomial" ["2"],
    }
}

algorithms! {
    /// Algorithms of MPI_ALLGATHER.
    Allgather {
        /// All ranks send to all.
        Linear = "linear" ["1" "8" "direct-messaging"],
        /// In log2 rounds, for any number of ranks.
        Bruck = "bruck" ["2" "7" "bruck-k-fanout" "sparbit"],
        /// In log2 rounds and in place, for equal blocks and a power of two ranks.
        RecursiveDoubling = "recursive_doubling" ["3" "6" "two_proc"],
        /// Around a ring.
        Ring = "ring" ["4"],
        /// Neighbours exchange two blocks at a time: half the rounds of a ring, for an even number
        /// of ranks.
        NeighborExchange = "neighbor" ["5"],
    }
}

algorithms! {
    /// Algorithms of MPI_ALLGATHERV, which are those of [`Allgather`] that take any blocks.
    Allgatherv {
        /// All ranks send to all.
        Linear = "default" ["1" "linear"],
        /// In log2 rounds, for any number of ranks.
        Bruck = "bruck" ["2" "5" "6" "two_proc" "sparbit"],
        /// Around a ring.
        Ring = "ring" ["3"],
        /// See [`Allgather::NeighborExchange`].
        NeighborExchange = "neighbor" ["4"],
    }
}

algorithms! {
    /// Algorithms of MPI_ALLTOALL.
    Alltoall {
        /// All messages at once.
        Linear = "linear" ["1" "5" "two_proc"],
        /// One peer per step, a few steps at once.
        Pairwise = "pairwise" ["2" "4" "linear_sync"],
        /// In log2 rounds, each moving half of the data.
        Bruck = "modified_bruck" ["3"],
    }
}

algorithms! {
    /// Algorithms of MPI_ALLTOALLV and MPI_ALLTOALLW.
    Alltoallv {
        /// All messages at once.
        Linear = "basic_linear" ["1"],
        /// One peer per step, a few steps at once.
        Pairwise = "pairwise" ["2"],
    }
}

algorithms! {
    /// Algorithms of MPI_REDUCE_SCATTER and MPI_REDUCE_SCATTER_BLOCK.
    ReduceScatter {
        /// A reduction, then a scatter.
        ReduceThenScatter = "non-overlapping" ["1" "basic_linear"],
        /// Halving in log2 rounds.
        Butterfly = "butterfly" ["2" "4" "recursive_halving" "recursive_doubling"],
        /// One peer per step; only if the operator commutes.
        Pairwise = "ring" ["3"],
    }
}

algorithms! {
    /// Algorithms of MPI_SCAN and MPI_EXSCAN.
    Scan {
        /// From each rank to the next.
        Linear = "linear" ["1"],
        /// In log2 rounds.
        RecursiveDoubling = "recursive_doubling" ["2"],
    }
}
