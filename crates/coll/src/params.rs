//! Parameters that choose the algorithms of collectives, with the names that Open MPI gives them.

use mca::{Param, Registry};

use crate::names::{
    ALLGATHER, ALLGATHERV, ALLREDUCE, ALLTOALL, ALLTOALLV, BARRIER, BCAST, EXSCAN, GATHER,
    NEIGHBOR_ALLGATHER, NEIGHBOR_ALLTOALL, REDUCE, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, SCAN,
    SCATTER,
};
use crate::rules::{
    Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Gather, Neighbor,
    Reduce, ReduceScatter, Scan,
};
use crate::Rules;

const BCAST_SEGMENT: &str = "coll_tuned_bcast_algorithm_segmentsize";
const REDUCE_SEGMENT: &str = "coll_tuned_reduce_algorithm_segmentsize";
const ALLTOALL_REQUESTS: &str = "coll_tuned_alltoall_algorithm_max_requests";
const DYNAMIC: &str = "coll_tuned_use_dynamic_rules";
/// The parameter that names a file of rules ([`crate::table`]), empty for none. The code that
/// starts the process reads the file.
pub const RULES_FILE: &str = "coll_tuned_dynamic_rules_filename";

/// The parameter with the priority of collectives by node.
pub const HAN_PRIORITY: &str = "coll_han_priority";

/// The parameters. Those for an algorithm allow names and Open MPI's numbers; with `ignore` the
/// sizes of message and communicator decide.
pub const PARAMS: &[Param] = &[
    Param::int(
        HAN_PRIORITY,
        35,
        -1..=100,
        5,
        "Precedence of collectives by node on communicators over several nodes; they are used \
         where it is larger than coll_tuned_priority",
    ),
    Param::bool(
        DYNAMIC,
        false,
        5,
        "Accepted for programs started with Open MPI's parameters; changes nothing, as a chosen \
         algorithm or a file of rules counts without it",
    ),
    Param::text(
        RULES_FILE,
        "",
        5,
        "File of rules that choose algorithms by size of communicator and message, in either of \
         Open MPI's formats (numbers or JSON); a parameter that names an algorithm comes first",
    ),
    Param::choice(
        BARRIER,
        "ignore",
        Barrier::WORDS,
        5,
        "Algorithm of MPI_Barrier",
    ),
    Param::choice(BCAST, "ignore", Bcast::WORDS, 5, "Algorithm of MPI_Bcast"),
    Param::size(
        BCAST_SEGMENT,
        128 << 10,
        1..=1 << 30,
        5,
        "Bytes of a segment of the pipelined MPI_Bcast; a larger value sends fewer messages and \
         overlaps less",
    ),
    Param::choice(
        REDUCE,
        "ignore",
        Reduce::WORDS,
        5,
        "Algorithm of MPI_Reduce",
    ),
    Param::size(
        REDUCE_SEGMENT,
        64 << 10,
        1..=1 << 30,
        5,
        "Bytes of a segment of the pipelined MPI_Reduce; a larger value sends fewer messages \
         and overlaps less",
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
        "Algorithm of MPI_Allgather",
    ),
    Param::choice(
        ALLGATHERV,
        "ignore",
        Allgatherv::WORDS,
        5,
        "Algorithm of MPI_Allgatherv",
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
        "Steps of a pairwise MPI_Alltoall that are started before the first is complete; a \
         larger value overlaps more and takes more buffers at receivers",
    ),
    Param::choice(
        ALLTOALLV,
        "ignore",
        Alltoallv::WORDS,
        5,
        "Algorithm of MPI_Alltoallv and MPI_Alltoallw",
    ),
    Param::choice(
        REDUCE_SCATTER,
        "ignore",
        ReduceScatter::WORDS,
        5,
        "Algorithm of MPI_Reduce_scatter",
    ),
    Param::choice(
        REDUCE_SCATTER_BLOCK,
        "ignore",
        ReduceScatter::WORDS,
        5,
        "Algorithm of MPI_Reduce_scatter_block",
    ),
    Param::choice(SCAN, "ignore", Scan::WORDS, 5, "Algorithm of MPI_Scan"),
    Param::choice(EXSCAN, "ignore", Scan::WORDS, 5, "Algorithm of MPI_Exscan"),
    Param::choice(
        NEIGHBOR_ALLGATHER,
        "ignore",
        Neighbor::WORDS,
        5,
        "Algorithm of MPI_Neighbor_allgather",
    ),
    Param::choice(
        NEIGHBOR_ALLTOALL,
        "ignore",
        Neighbor::WORDS,
        5,
        "Algorithm of MPI_Neighbor_alltoall",
    ),
];

impl Rules {
    /// Returns the rules that the parameters of [`PARAMS`] set, without those of a file. They must
    /// be equal at all ranks of a job.
    pub fn of(registry: &Registry) -> Rules {
        Rules {
            nodes: None,
            choices: None,
            barrier_algorithm: Barrier::named(registry.choice(BARRIER)),
            bcast_algorithm: Bcast::named(registry.choice(BCAST)),
            reduce_algorithm: Reduce::named(registry.choice(REDUCE)),
            allreduce_algorithm: Allreduce::named(registry.choice(ALLREDUCE)),
            gather_algorithm: Gather::named(registry.choice(GATHER)),
            scatter_algorithm: Gather::named(registry.choice(SCATTER)),
            allgather_algorithm: Allgather::named(registry.choice(ALLGATHER)),
            allgatherv_algorithm: Allgatherv::named(registry.choice(ALLGATHERV)),
            alltoall_algorithm: Alltoall::named(registry.choice(ALLTOALL)),
            alltoallv_algorithm: Alltoallv::named(registry.choice(ALLTOALLV)),
            reduce_scatter_algorithm: ReduceScatter::named(registry.choice(REDUCE_SCATTER)),
            reduce_scatter_block_algorithm: ReduceScatter::named(
                registry.choice(REDUCE_SCATTER_BLOCK),
            ),
            scan_algorithm: Scan::named(registry.choice(SCAN)),
            exscan_algorithm: Scan::named(registry.choice(EXSCAN)),
            neighbor_allgather_algorithm: Neighbor::named(registry.choice(NEIGHBOR_ALLGATHER)),
            neighbor_alltoall_algorithm: Neighbor::named(registry.choice(NEIGHBOR_ALLTOALL)),
            bcast_segment_bytes: registry.size(BCAST_SEGMENT),
            reduce_segment_bytes: registry.size(REDUCE_SEGMENT),
            alltoall_max_requests: registry.size(ALLTOALL_REQUESTS),
            table: None,
            reports_to_tools: true,
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
        let rules = set("6").expect("a number of Open MPI");
        assert_eq!(rules.allreduce_algorithm, Some(Allreduce::Rabenseifner));
        assert_eq!(set("0").expect("no choice"), Rules::default());
        assert!(set("rign").is_err());
        assert!(set("99").is_err());
    }
}
