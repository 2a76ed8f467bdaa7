//! Kinds of waits, by the names of calls.

/// Whether a call waits for all processes of its communicator or window.
pub(super) fn is_collective(call: &str) -> bool {
    const CALLS: [&str; 46] = [
        "MPI_Allgather",
        "MPI_Allgatherv",
        "MPI_Allreduce",
        "MPI_Alltoall",
        "MPI_Alltoallv",
        "MPI_Alltoallw",
        "MPI_Barrier",
        "MPI_Bcast",
        "MPI_Cart_create",
        "MPI_Cart_sub",
        "MPI_Comm_create",
        "MPI_Comm_disconnect",
        "MPI_Comm_dup",
        "MPI_Comm_dup_with_info",
        "MPI_Comm_free",
        "MPI_Comm_spawn",
        "MPI_Comm_spawn_multiple",
        "MPI_Comm_split",
        "MPI_Comm_split_type",
        "MPI_Dist_graph_create",
        "MPI_Dist_graph_create_adjacent",
        "MPI_Exscan",
        "MPI_Finalize",
        "MPI_Gather",
        "MPI_Gatherv",
        "MPI_Graph_create",
        "MPI_Init",
        "MPI_Intercomm_merge",
        "MPI_Neighbor_allgather",
        "MPI_Neighbor_allgatherv",
        "MPI_Neighbor_alltoall",
        "MPI_Neighbor_alltoallv",
        "MPI_Neighbor_alltoallw",
        "MPI_Reduce",
        "MPI_Reduce_scatter",
        "MPI_Reduce_scatter_block",
        "MPI_Scan",
        "MPI_Scatter",
        "MPI_Scatterv",
        "MPI_Win_allocate",
        "MPI_Win_allocate_shared",
        "MPI_Win_create",
        "MPI_Win_create_dynamic",
        "MPI_Win_fence",
        "MPI_Win_free",
        "MPIX_Comm_shrink",
    ];
    CALLS.contains(&plain(call))
}

pub(super) fn is_lock(call: &str) -> bool {
    matches!(call, "MPI_Win_lock" | "MPI_Win_lock_all")
}

/// Whether a call waits for one message alone.
pub(super) fn waits_for_one(call: &str) -> bool {
    is_one_message(call) || matches!(call, "MPI_Wait")
}

/// Whether a call sends or receives one message.
fn is_one_message(call: &str) -> bool {
    const CALLS: [&str; 6] = [
        "MPI_Bsend",
        "MPI_Mrecv",
        "MPI_Recv",
        "MPI_Rsend",
        "MPI_Send",
        "MPI_Ssend",
    ];
    CALLS.contains(&plain(call))
}

/// Whether a call waits for one message after the other, for nothing else.
pub(super) fn is_messages(call: &str) -> bool {
    is_one_message(call) || matches!(plain(call), "MPI_Sendrecv" | "MPI_Sendrecv_replace")
}

/// Whether a call looks and returns, so that the program may do something else next.
pub(super) fn polls(call: &str) -> bool {
    const CALLS: [&str; 11] = [
        "MPI_Improbe",
        "MPI_Iprobe",
        "MPI_Parrived",
        "MPI_Request_get_status",
        "MPI_Request_get_status_all",
        "MPI_Request_get_status_any",
        "MPI_Request_get_status_some",
        "MPI_Test",
        "MPI_Testall",
        "MPI_Testany",
        "MPI_Testsome",
    ];
    CALLS.contains(&call) || call == "MPI_Win_test"
}

/// Returns the name of a call without what marks large counts.
fn plain(call: &str) -> &str {
    call.strip_suffix("_c").unwrap_or(call)
}
