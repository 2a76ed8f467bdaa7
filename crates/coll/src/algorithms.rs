//! The algorithms of each collective, and the words that select them.

/// Defines an enumeration of algorithms. Each has a name and, in brackets, the further words that
/// select it: numbers and names of the Open MPI algorithms that it stands in for.
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
            /// All algorithms of the collective.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The values that the parameter allows: `ignore` or 0, which leaves the choice to
            /// the tables, and every word that selects an algorithm.
            pub const WORDS: &'static [&'static str] =
                &["ignore", "0", $($text, $($alias,)*)*];

            /// Returns the name of the algorithm, as users write it.
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
        /// In log2 rounds; after each a rank knows of twice as many that have entered.
        Dissemination = "bruck" ["2" "3" "4" "5" "double_ring" "recursive_doubling" "two_proc"],
        /// Up and down a tree: twice the rounds of dissemination, and fewer messages.
        Tree = "tree" ["6"],
        /// Among the ranks of each node, and among the nodes ([`crate::Nodes`]).
        Hierarchical = "han" [],
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
        /// The root scatters pieces, then recursive doubling; a ring, where that is impossible.
        ScatterAllgather = "scatter_allgather" ["8"],
        /// The root scatters pieces, then they go around a ring.
        ScatterAllgatherRing = "scatter_allgather_ring" ["9"],
        /// Among the ranks of each node, and among the nodes ([`crate::Nodes`]).
        Hierarchical = "han" [],
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
        /// Recursive halving, then a gather of the pieces.
        Rabenseifner = "rabenseifner" ["7"],
        /// Among the ranks of each node, and among the nodes ([`crate::Nodes`]).
        Hierarchical = "han" [],
    }
}

algorithms! {
    /// Algorithms of MPI_ALLREDUCE.
    Allreduce {
        /// Exchange of whole vectors in log2 rounds.
        RecursiveDoubling = "recursive_doubling" ["3"],
        /// Recursive halving, then an allgather of the pieces.
        Rabenseifner = "rabenseifner" ["6" "7" "allgather_reduce"],
        /// Pieces twice around a ring; only if the operator commutes.
        Ring = "ring" ["4" "5" "segmented_ring"],
        /// A reduction, then a broadcast.
        ReduceBcast = "nonoverlapping" ["1" "2" "basic_linear"],
        /// Among the ranks of each node, and among the nodes ([`crate::Nodes`]).
        Hierarchical = "han" [],
    }
}

algorithms! {
    /// Algorithms of MPI_GATHER and MPI_SCATTER.
    Gather {
        /// The root exchanges a message with each rank.
        Linear = "basic_linear" ["1" "3" "linear_sync" "linear_nb"],
        /// A tree of log2 levels.
        Binomial = "binomial" ["2"],
        /// Among the ranks of each node, and among the nodes ([`crate::Nodes`]).
        Hierarchical = "han" [],
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
        /// Each block goes around a ring.
        Ring = "ring" ["4"],
        /// Neighbours exchange two blocks at a time: half the rounds of a ring, for an even number
        /// of ranks.
        NeighborExchange = "neighbor" ["5"],
        /// Among the ranks of each node, and among the nodes ([`crate::Nodes`]).
        Hierarchical = "han" [],
    }
}

algorithms! {
    /// Algorithms of MPI_ALLGATHERV: those of [`Allgather`] that allow blocks of different lengths.
    Allgatherv {
        /// All ranks send to all.
        Linear = "default" ["1" "linear"],
        /// In log2 rounds, for any number of ranks.
        Bruck = "bruck" ["2" "5" "6" "two_proc" "sparbit"],
        /// Each block goes around a ring.
        Ring = "ring" ["3"],
        /// See [`Allgather::NeighborExchange`].
        NeighborExchange = "neighbor" ["4"],
    }
}

algorithms! {
    /// Algorithms of MPI_ALLTOALL.
    Alltoall {
        /// All messages are posted at once.
        Linear = "linear" ["1" "5" "two_proc"],
        /// One peer per step, a few steps at once.
        Pairwise = "pairwise" ["2" "4" "linear_sync"],
        /// In log2 rounds, each moving half of the data.
        Bruck = "modified_bruck" ["3"],
        /// Among the ranks of each node, and among the nodes ([`crate::Nodes`]).
        Hierarchical = "han" [],
    }
}

algorithms! {
    /// Algorithms of MPI_ALLTOALLV and MPI_ALLTOALLW.
    Alltoallv {
        /// All messages are posted at once.
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
        /// Recursive halving in log2 rounds.
        Butterfly = "butterfly" ["2" "4" "recursive_halving" "recursive_doubling"],
        /// One peer per step; only if the operator commutes.
        Pairwise = "ring" ["3"],
        /// Among the ranks of each node, and among the nodes ([`crate::Nodes`]).
        Hierarchical = "han" [],
    }
}

algorithms! {
    /// Algorithms of MPI_SCAN and MPI_EXSCAN.
    Scan {
        /// A chain: each rank sends to the next.
        Linear = "linear" ["1"],
        /// In log2 rounds.
        RecursiveDoubling = "recursive_doubling" ["2"],
        /// Among the ranks of each node, and among the nodes ([`crate::Nodes`]).
        Hierarchical = "han" [],
    }
}

algorithms! {
    /// Algorithms of MPI_NEIGHBOR_ALLGATHER and MPI_NEIGHBOR_ALLTOALL.
    Neighbor {
        /// A message for each edge, all at once.
        Linear = "linear" ["1"],
        /// One message from a node to another, for all edges between them ([`crate::Routes`]).
        Hierarchical = "han" [],
    }
}
