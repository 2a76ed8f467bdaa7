//! Names of the parameters that force the algorithm of a collective, as Open MPI has them.

use crate::table::Collective;

pub(crate) const BARRIER: &str = "coll_tuned_barrier_algorithm";
pub(crate) const BCAST: &str = "coll_tuned_bcast_algorithm";
pub(crate) const REDUCE: &str = "coll_tuned_reduce_algorithm";
pub(crate) const ALLREDUCE: &str = "coll_tuned_allreduce_algorithm";
pub(crate) const GATHER: &str = "coll_tuned_gather_algorithm";
pub(crate) const SCATTER: &str = "coll_tuned_scatter_algorithm";
pub(crate) const ALLGATHER: &str = "coll_tuned_allgather_algorithm";
pub(crate) const ALLGATHERV: &str = "coll_tuned_allgatherv_algorithm";
pub(crate) const ALLTOALL: &str = "coll_tuned_alltoall_algorithm";
pub(crate) const ALLTOALLV: &str = "coll_tuned_alltoallv_algorithm";
pub(crate) const REDUCE_SCATTER: &str = "coll_tuned_reduce_scatter_algorithm";
pub(crate) const REDUCE_SCATTER_BLOCK: &str = "coll_tuned_reduce_scatter_block_algorithm";
pub(crate) const SCAN: &str = "coll_tuned_scan_algorithm";
pub(crate) const EXSCAN: &str = "coll_tuned_exscan_algorithm";
pub(crate) const NEIGHBOR_ALLGATHER: &str = "coll_tuned_neighbor_allgather_algorithm";
pub(crate) const NEIGHBOR_ALLTOALL: &str = "coll_tuned_neighbor_alltoall_algorithm";

impl Collective {
    /// Returns the word for it, as in the name of its parameter.
    pub(crate) fn word(self) -> &'static str {
        let parameter = parameter(self);
        let word = parameter.strip_prefix("coll_tuned_");
        word.and_then(|word| word.strip_suffix("_algorithm"))
            .unwrap_or(parameter)
    }
}

/// Returns the parameter that forces the algorithm of a collective.
pub(crate) fn parameter(of: Collective) -> &'static str {
    match of {
        Collective::Allgather => ALLGATHER,
        Collective::Allgatherv => ALLGATHERV,
        Collective::Allreduce => ALLREDUCE,
        Collective::Alltoall => ALLTOALL,
        Collective::Alltoallv => ALLTOALLV,
        Collective::Barrier => BARRIER,
        Collective::Bcast => BCAST,
        Collective::Exscan => EXSCAN,
        Collective::Gather => GATHER,
        Collective::NeighborAllgather => NEIGHBOR_ALLGATHER,
        Collective::NeighborAlltoall => NEIGHBOR_ALLTOALL,
        Collective::Reduce => REDUCE,
        Collective::ReduceScatter => REDUCE_SCATTER,
        Collective::ReduceScatterBlock => REDUCE_SCATTER_BLOCK,
        Collective::Scan => SCAN,
        Collective::Scatter => SCATTER,
    }
}
