//! The parameters that choose algorithms, by the names that users of Open MPI know.

use mca::{Param, Registry};

use crate::rules::{Allgather, Allreduce, Alltoall, Bcast, Gather, Reduce, ReduceScatter};
use crate::Rules;

const BCAST: &str = "coll_tuned_bcast_algorithm";
const BCAST_SEGMENT: &str = "coll_tuned_bcast_algorithm_segmentsize";
const REDUCE: &str = "coll_tuned_reduce_algorithm";
const ALLREDUCE: &str = "coll_tuned_allreduce_algorithm";
const GATHER: &str = "coll_tuned_gather_algorithm";
const SCATTER: &str = "coll_tuned_scatter_algorithm";
const ALLGATHER: &str = "coll_tuned_allgather_algorithm";
const ALLTOALL: &str = "coll_tuned_alltoall_algorithm";
const ALLTOALL_REQUESTS: &str = "coll_tuned_alltoall_algorithm_max_requests";
const REDUCE_SCATTER: &str = "coll_tuned_reduce_scatter_algorithm";

/// Which algorithm each collective uses; `ignore` lets message and communicator size decide.
pub const PARAMS: &[Param] = &[
    Param::choice(BCAST, "ignore", Bcast::WORDS, 5, "Algorithm of MPI_Bcast"),
    Param::size(
        BCAST_SEGMENT,
        128 << 10,
        1..=1 << 30,
        5,
        "Bytes of a segment of the pipelined MPI_Bcast",
    ),
    Param::choice(
        REDUCE,
        "ignore",
        Reduce::WORDS,
        5,
        "Algorithm of MPI_Reduce",
    ),
    Param::choice(
        ALLREDUCE,
        "ignore",
        Allreduce::WORDS,
        5,
        "Algorithm of MPI_Allreduce",
    ),
    Param::choice(
        GATHER,
        "ignore",
        Gather::WORDS,
        5,
        "Algorithm of MPI_Gather",
    ),
    Param::choice(
        SCATTER,
        "ignore",
        Gather::WORDS,
        5,
        "Algorithm of MPI_Scatter",
    ),
    Param::choice(
        ALLGATHER,
        "ignore",
        Allgather::WORDS,
        5,
        "Algorithm of MPI_Allgather and MPI_Allgatherv",
    ),
    Param::choice(
        ALLTOALL,
        "ignore",
        Alltoall::WORDS,
        5,
        "Algorithm of MPI_Alltoall",
    ),
    Param::size(
        ALLTOALL_REQUESTS,
        16,
        1..=1 << 20,
        5,
        "Steps of a pairwise MPI_Alltoall that are under way at once",
    ),
    Param::choice(
        REDUCE_SCATTER,
        "ignore",
        ReduceScatter::WORDS,
        5,
        "Algorithm of MPI_Reduce_scatter and MPI_Reduce_scatter_block",
    ),
];

impl Rules {
    /// The choices of a registry that was made with [`PARAMS`]. All ranks of a job must have the
    /// same ones.
    pub fn of(registry: &Registry) -> Rules {
        Rules {
            bcast_algorithm: Bcast::named(registry.choice(BCAST)),
            bcast_segment_bytes: registry.size(BCAST_SEGMENT),
            reduce_algorithm: Reduce::named(registry.choice(REDUCE)),
            allreduce_algorithm: Allreduce::named(registry.choice(ALLREDUCE)),
            gather_algorithm: Gather::named(registry.choice(GATHER)),
            scatter_algorithm: Gather::named(registry.choice(SCATTER)),
            allgather_algorithm: Allgather::named(registry.choice(ALLGATHER)),
            alltoall_algorithm: Alltoall::named(registry.choice(ALLTOALL)),
            alltoall_max_requests: registry.size(ALLTOALL_REQUESTS),
            reduce_scatter_algorithm: ReduceScatter::named(registry.choice(REDUCE_SCATTER)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_of_the_parameters_are_those_of_the_rules() {
        let rules = Rules::of(&Registry::new(&[PARAMS]));
        assert_eq!(rules, Rules::default());
    }
    #[test]
    fn a_parameter_forces_an_algorithm() {
        let missing = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
        let set = |value: &str| {
            let settings = [(ALLREDUCE.to_string(), value.to_string())];
            let sources = mca::Sources::new("/p", missing).with_command_line(settings);
            Registry::load(&[PARAMS], &sources).map(|registry| Rules::of(&registry))
        };
        let rules = set("ring").expect("a known algorithm");
        assert_eq!(rules.allreduce(4, 8, true), Allreduce::Ring);
        assert!(set("rign").is_err());
    }
}
