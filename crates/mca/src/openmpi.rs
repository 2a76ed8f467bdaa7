//! What Open MPI calls things: the names that mean one of ours, and those that only it has.
//!
//! Scripts, modules and site files set Open MPI's parameters. Where oxmpi has the same thing it
//! has the same name or takes the old one; what belongs to parts that oxmpi does not have is
//! recognised here, so that it can be told from a typing error. A name that a table of oxmpi
//! declares is never looked up here.

/// Open MPI's beginnings of names, each with what stands in its place here.
const SYNONYMS: &[(&str, &str)] = &[("btl_vader_", "btl_sm_")];

/// Open MPI's parameters that are called something else here. Its fast boxes are rings, which carry
/// messages of every size.
const RENAMED_PARAMETERS: &[(&str, &str)] = &[
    ("btl_sm_fbox_max", "btl_sm_ring_max"),
    ("btl_sm_fbox_size", "btl_sm_ring_size"),
    ("btl_sm_fbox_threshold", "btl_sm_ring_threshold"),
];

/// Open MPI's components under an older name: framework, older name, name here.
const RENAMED_COMPONENTS: &[(&str, &str, &str)] = &[("btl", "vader", "sm")];

/// Components that some release of Open MPI has.
#[rustfmt::skip]
const COMPONENTS: &[(&str, &[&str])] = &[
    ("btl", &[
        "ofi", "openib", "portals4", "scif", "self", "sm", "smcuda", "tcp", "ugni", "uct", "usnic",
    ]),
    ("coll", &[
        "accelerator", "acoll", "adapt", "basic", "cuda", "demo", "fca", "ftagree", "han", "hcoll",
        "inter", "libnbc", "monitoring", "portals4", "self", "sm", "sync", "tuned", "ucc", "ucg",
        "xhc",
    ]),
    ("memory", &["linux", "malloc_hooks", "malloc_solaris", "patcher", "ptmalloc2", "ummunotify"]),
    ("osc", &["monitoring", "portals4", "pt2pt", "rdma", "sm", "ubcl", "ucx"]),
    ("pml", &["bfo", "cm", "monitoring", "ob1", "ubcl", "ucx", "v", "yalla"]),
    ("smsc", &["accelerator", "cma", "knem", "xpmem"]),
    ("vprotocol", &["example", "pessimist"]),
];

/// Frameworks, projects and components that only Open MPI has, with all that begins so.
#[rustfmt::skip]
const FAMILIES: &[&str] = &[
    "accelerator", "allocator", "backtrace", "bcol", "btl_ofi", "btl_openib", "btl_portals4",
    "btl_scif", "btl_smcuda", "btl_uct", "btl_ugni", "btl_usnic", "btl_vader", "coll_accelerator",
    "coll_acoll", "coll_adapt", "coll_basic", "coll_cuda", "coll_fca", "coll_ftagree", "coll_han",
    "coll_hcoll", "coll_inter", "coll_libnbc", "coll_monitoring", "coll_portals4", "coll_self",
    "coll_sm", "coll_sync", "coll_tuned", "coll_ucc", "coll_xhc", "common", "compress", "crcp",
    "crs", "dfs", "dl", "dpm", "errmgr", "ess", "event", "fbtl", "fcoll", "filem", "fs", "grpcomm",
    "hook", "hwloc", "if", "installdirs", "io", "iof", "mca", "memchecker", "memcpy",
    "memory_patcher", "memory_ummunotify", "monitoring", "mpool", "mtl", "notifier", "odls",
    "ompi", "oob", "op", "opal", "orte", "osc", "part", "patcher", "plm", "pmix", "pml_cm",
    "pml_monitoring", "pml_ucx", "pml_v", "pml_yalla", "propagate", "prte", "pstat", "ptl",
    "pubsub", "qos", "ras", "rcache", "reachable", "regx", "rmaps", "rml", "routed", "rtc", "rte",
    "sbgp", "schizo", "scoll", "sec", "sensor", "sharedfp", "shmem", "smsc", "snapc", "spml",
    "sshmem", "sstore", "state", "threads", "timer", "topo", "vprotocol",
];

/// Names of Open MPI in families that oxmpi has too.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "bml", "btl", "coll", "memory", "pml", "pml_wrapper",
    "async_mpi_finalize", "async_mpi_init", "bml_r2_show_unreach_errors", "btl_base_exclude",
    "btl_base_include", "btl_base_thread_multiple_override", "btl_base_warn_component_unused",
    "btl_base_warn_peer_error", "btl_self_free_list_inc", "btl_self_free_list_max",
    "btl_self_free_list_num", "btl_sm_backing_directory", "btl_sm_fbox_max", "btl_sm_fbox_size",
    "btl_sm_fbox_threshold", "btl_sm_fifo_size", "btl_sm_free_list_inc", "btl_sm_free_list_max",
    "btl_sm_free_list_num", "btl_sm_knem_dma_min", "btl_sm_log_align", "btl_sm_max_inline_send",
    "btl_sm_memcpy_limit", "btl_sm_num_fifos", "btl_sm_segment_size",
    "btl_sm_single_copy_mechanism", "btl_sm_use_knem", "btl_tcp_disable_family",
    "btl_tcp_endpoint_cache", "btl_tcp_free_list_inc", "btl_tcp_free_list_max",
    "btl_tcp_free_list_num", "btl_tcp_handshake_timeout", "btl_tcp_if_exclude",
    "btl_tcp_if_include", "btl_tcp_if_seq", "btl_tcp_links", "btl_tcp_port_min_v4",
    "btl_tcp_port_min_v6", "btl_tcp_port_range_v4", "btl_tcp_port_range_v6",
    "btl_tcp_progress_thread", "btl_tcp_rcvbuf", "btl_tcp_recv_timeout", "btl_tcp_sndbuf",
    "btl_tcp_tcp_not_use_nodelay", "btl_tcp_use_nagle", "btl_tcp_warn_all_unfound_interfaces",
    "memory_patcher_priority", "mpi_abort_delay", "mpi_abort_print_stack", "mpi_add_procs_cutoff",
    "mpi_assert_no_any_source", "mpi_built_with_cuda_support", "mpi_comm_verbose",
    "mpi_compat_mpi3", "mpi_cuda_support", "mpi_dynamics_enabled", "mpi_event_tick_rate",
    "mpi_ft_detector", "mpi_ft_detector_period", "mpi_ft_detector_rdma_heartbeat",
    "mpi_ft_detector_thread", "mpi_ft_detector_timeout", "mpi_ft_enable",
    "mpi_ft_propagator_with_rbcast", "mpi_ft_reliable_bcast", "mpi_ft_verbose",
    "mpi_have_sparse_group_storage", "mpi_keep_fqdn_hostnames", "mpi_keep_hostnames",
    "mpi_keep_peer_hostnames", "mpi_leave_pinned", "mpi_leave_pinned_pipeline",
    "mpi_maffinity_alone", "mpi_no_free_handles", "mpi_oversubscribe", "mpi_paffinity_alone",
    "mpi_param_check", "mpi_pmix_connect_timeout", "mpi_preconnect_all", "mpi_preconnect_mpi",
    "mpi_show_handle_leaks", "mpi_show_mca_params", "mpi_show_mca_params_file",
    "mpi_show_mpi_alloc_mem_leaks", "mpi_spc_attach", "mpi_spc_dump_enabled",
    "mpi_spc_mmap_enabled", "mpi_use_sparse_group_storage", "mpi_warn_on_fork",
    "mpi_yield_when_idle", "pml_base_bsend_allocator", "pml_base_check_pml",
    "pml_base_warn_dep_cancel_send", "pml_base_wrapper", "pml_ob1_accelerator_events_max",
    "pml_ob1_allocator", "pml_ob1_eager_limit", "pml_ob1_free_list_inc", "pml_ob1_free_list_max",
    "pml_ob1_free_list_num", "pml_ob1_matching", "pml_ob1_max_rdma_per_request",
    "pml_ob1_max_send_per_range", "pml_ob1_priority", "pml_ob1_rdma_put_retries_limit",
    "pml_ob1_rdma_retries_limit", "pml_ob1_recv_pipeline_depth", "pml_ob1_send_pipeline_depth",
    "pml_ob1_unexpected_limit", "pml_ob1_use_all_rdma", "pml_ob1_use_early_completion",
    "pml_ob1_verbose",
];

/// What every transport of Open MPI has a parameter for.
#[rustfmt::skip]
const OF_EACH_TRANSPORT: &[&str] = &[
    "accelerator_eager_limit", "accelerator_max_send_size", "accelerator_rdma_limit",
    "atomic_flags", "bandwidth", "cuda_eager_limit", "cuda_max_send_size", "cuda_rdma_limit",
    "eager_limit", "exclusivity", "flags", "get_alignment", "get_limit", "latency",
    "max_send_size", "min_rdma_pipeline_size", "multi_eager_limit", "put_alignment", "put_limit",
    "rdma_pipeline_frag_size", "rdma_pipeline_send_length", "rndv_eager_limit",
];

/// The name that Open MPI's parameter `name` has here; `name` itself where it is the same.
pub fn parameter_here(name: &str) -> String {
    let mut synonyms = SYNONYMS.iter();
    let newer = synonyms.find_map(|(theirs, here)| {
        let rest = name.strip_prefix(theirs)?;
        Some(format!("{here}{rest}"))
    });
    let name = newer.unwrap_or_else(|| name.to_string());
    let mut renamed = RENAMED_PARAMETERS.iter();
    match renamed.find(|(theirs, _)| *theirs == name) {
        Some((_, here)) => here.to_string(),
        None => name,
    }
}

/// True when `name` is a parameter of Open MPI, or belongs to a part that only Open MPI has.
pub fn has_parameter(name: &str) -> bool {
    let in_family = |family: &&str| {
        name.strip_prefix(*family)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    let of_transport = |transport: &str| {
        let rest = name.strip_prefix(transport);
        rest.is_some_and(|rest| {
            let numbers = ["bandwidth_", "latency_"];
            OF_EACH_TRANSPORT.contains(&rest) || numbers.iter().any(|n| rest.starts_with(n))
        })
    };
    NAMES.contains(&name)
        || FAMILIES.iter().any(in_family)
        || ["btl_self_", "btl_sm_", "btl_tcp_"]
            .into_iter()
            .any(of_transport)
}

/// The name that Open MPI's component `name` has here; `name` itself where it is the same.
pub fn component_here<'a>(framework: &str, name: &'a str) -> &'a str {
    let renamed = RENAMED_COMPONENTS
        .iter()
        .find(|row| row.0 == framework && row.1 == name);
    renamed.map_or(name, |row| row.2)
}

/// True when some release of Open MPI has this component.
pub fn has_component(framework: &str, name: &str) -> bool {
    let row = COMPONENTS.iter().find(|row| row.0 == framework);
    row.is_some_and(|row| row.1.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_scripts_are_known_and_typing_errors_are_not() {
        let known = [
            "orte_keep_fqdn_hostnames",
            "plm_rsh_agent",
            "btl_openib_allow_ib",
            "mpi_yield_when_idle",
            "btl_vader_single_copy_mechanism",
            "hwloc_base_binding_policy",
            "pml_ucx_tls",
            "io",
            "rmaps_base_oversubscribe",
            "btl_tcp_latency_eth0",
            "opal_cuda_support",
            "osc",
        ];
        for name in known {
            assert!(has_parameter(name), "{name} is not known");
        }
        let typing_errors = [
            "plmx_rsh",
            "btl_tcp_if_inclde",
            "btl_opneib_x",
            "mpi_yield",
            "iox",
            "",
        ];
        for name in typing_errors {
            assert!(!has_parameter(name), "{name} is known");
        }
    }

    #[test]
    fn older_names_mean_their_successors() {
        assert_eq!(
            parameter_here("btl_vader_eager_limit"),
            "btl_sm_eager_limit"
        );
        assert_eq!(
            parameter_here("btl_vader_fbox_threshold"),
            "btl_sm_ring_threshold"
        );
        assert_eq!(parameter_here("btl_sm_fbox_max"), "btl_sm_ring_max");
        assert_eq!(parameter_here("btl_tcp_links"), "btl_tcp_links");
        assert_eq!(component_here("btl", "vader"), "sm");
        assert_eq!(component_here("coll", "vader"), "vader");
        assert!(has_component("pml", "ucx") && !has_component("pml", "tcp"));
    }
}
