//! Open MPI's parameter names: synonyms of oxmpi's, and those that only Open MPI has.
//!
//! Scripts, modules and site files set Open MPI's parameters. A parameter that oxmpi has too has
//! the same name here, or its old name is a synonym. Names of parts that oxmpi lacks are
//! recognised, so that they are not taken for typing errors. Names that a table of oxmpi declares
//! are never looked up here. In a family of names that oxmpi shares with Open MPI every known name
//! is listed, and any other name with that prefix is a typing error.

/// Open MPI's beginnings of names, each with what stands in its place here.
const SYNONYMS: &[(&str, &str)] = &[("btl_vader_", "btl_sm_")];

/// Open MPI's parameters that are called something else here. Its fast boxes are rings, which carry
/// messages of every size.
const RENAMED_PARAMETERS: &[(&str, &str)] = &[
    ("btl_sm_fbox_max", "btl_sm_ring_max"),
    ("btl_sm_fbox_size", "btl_sm_ring_size"),
    ("btl_sm_fbox_threshold", "btl_sm_ring_threshold"),
    (
        "btl_ofi_provider_exclude",
        "opal_common_ofi_provider_exclude",
    ),
    (
        "btl_ofi_provider_include",
        "opal_common_ofi_provider_include",
    ),
    (
        "mtl_ofi_provider_exclude",
        "opal_common_ofi_provider_exclude",
    ),
    (
        "mtl_ofi_provider_include",
        "opal_common_ofi_provider_include",
    ),
    ("orte_rsh_agent", "plm_rsh_agent"),
];

/// Open MPI's components under an older or another name: framework, older name, name here.
const RENAMED_COMPONENTS: &[(&str, &str, &str)] = &[
    ("btl", "vader", "sm"),
    ("fcoll", "dynamic", "two_phase"),
    ("fcoll", "dynamic_gen2", "two_phase"),
    ("fcoll", "static", "two_phase"),
    ("fcoll", "vulcan", "two_phase"),
    ("plm", "rsh", "ssh"),
    ("sharedfp", "addproc", "window"),
    ("sharedfp", "individual", "window"),
    ("sharedfp", "lockedfile", "window"),
    ("sharedfp", "sm", "window"),
];

/// Components that some release of Open MPI has.
#[rustfmt::skip]
const COMPONENTS: &[(&str, &[&str])] = &[
    ("allocator", &["basic", "bucket"]),
    ("btl", &[
        "ofi", "openib", "portals4", "scif", "self", "sm", "smcuda", "tcp", "ugni", "uct", "usnic",
    ]),
    ("coll", &[
        "accelerator", "acoll", "adapt", "basic", "cuda", "demo", "fca", "ftagree", "han", "hcoll",
        "inter", "libnbc", "monitoring", "portals4", "self", "sm", "sync", "tuned", "ucc", "ucg",
        "xhc",
    ]),
    ("fbtl", &["ime", "plfs", "posix", "pvfs2"]),
    ("fcoll", &["dynamic", "dynamic_gen2", "individual", "static", "two_phase", "vulcan"]),
    ("fs", &["gpfs", "ime", "lustre", "plfs", "pvfs2", "ufs"]),
    ("memory", &["linux", "malloc_hooks", "malloc_solaris", "patcher", "ptmalloc2", "ummunotify"]),
    ("mpool", &["gpusm", "grdma", "hugepage", "memkind", "rdma", "rgpusm", "sm", "udreg"]),
    ("mtl", &["mx", "mxm", "ofi", "portals", "portals4", "psm", "psm2"]),
    ("osc", &["monitoring", "portals4", "pt2pt", "rdma", "sm", "ubcl", "ucx"]),
    ("plm", &["alps", "isolated", "lsf", "pals", "rsh", "slurm", "ssh", "tm"]),
    ("pml", &["bfo", "cm", "monitoring", "ob1", "ubcl", "ucx", "v", "yalla"]),
    ("rcache", &["gpusm", "grdma", "rgpusm", "ucs", "udreg", "vma"]),
    ("sharedfp", &["addproc", "individual", "lockedfile", "sm"]),
    ("smsc", &["accelerator", "cma", "knem", "xpmem"]),
];

/// Frameworks, projects and components that only Open MPI has, with all that begins so. No name
/// that oxmpi declares begins like one of them.
#[rustfmt::skip]
const FAMILIES: &[&str] = &[
    "accelerator", "backtrace", "bcol", "btl_openib", "btl_portals4", "btl_scif", "btl_smcuda",
    "btl_uct", "btl_ugni", "btl_usnic", "coll_accelerator", "coll_acoll", "coll_adapt",
    "coll_basic", "coll_cuda", "coll_fca", "coll_ftagree", "coll_han_allgather",
    "coll_han_allreduce", "coll_han_barrier", "coll_han_bcast", "coll_han_dump", "coll_han_dynamic",
    "coll_han_gather", "coll_han_max", "coll_han_reduce", "coll_han_reproducible",
    "coll_han_scatter", "coll_han_use", "coll_han_verbose", "coll_hcoll", "coll_inter",
    "coll_libnbc", "coll_monitoring", "coll_portals4", "coll_self", "coll_sync", "coll_ucc",
    "coll_xhc", "common", "compress", "crcp", "crs", "dfs", "dl", "dpm", "errmgr", "ess", "event",
    "fbtl_ime", "fbtl_plfs", "fbtl_posix", "fbtl_pvfs2", "fcoll_dynamic", "fcoll_individual",
    "fcoll_static", "fcoll_two_phase", "fcoll_vulcan", "filem", "fs_gpfs", "fs_ime", "fs_lustre",
    "fs_plfs", "fs_pvfs2", "fs_ufs", "grpcomm", "hook", "hwloc", "if", "installdirs", "io_ompio",
    "io_romio", "io_romio314", "io_romio321", "io_romio341", "iof", "memchecker", "memcpy",
    "memory_patcher", "memory_ummunotify", "monitoring", "mpool_memkind", "mpool_rdma", "mpool_sm",
    "mpool_udreg", "mtl_mxm", "mtl_portals4", "mtl_psm", "mtl_psm2", "notifier", "odls", "ompi",
    "oob", "op_example", "orte", "osc_monitoring", "osc_portals4", "osc_pt2pt", "osc_ucx", "part",
    "patcher", "plm_alps", "plm_isolated", "plm_lsf", "plm_tm", "pmix",
    "pml_monitoring", "pml_ucx", "pml_yalla", "propagate", "prte", "pstat", "ptl", "pubsub", "qos",
    "ras", "rcache_gpusm", "rcache_rgpusm", "rcache_ucs", "rcache_udreg", "reachable", "regx",
    "rmaps", "rml", "routed", "rtc", "rte", "sbgp", "schizo", "scoll", "sec", "sensor",
    "sharedfp_addproc", "sharedfp_individual", "sharedfp_lockedfile", "sharedfp_sm", "shmem",
    "smsc_accelerator", "snapc", "spml", "sshmem", "sstore", "state", "threads", "timer", "topo",
    "vprotocol_example",
];

/// Names of Open MPI in families that oxmpi has too.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "allocator_base_verbose", "async_mpi_finalize", "async_mpi_init", "bml",
    "bml_r2_show_unreach_errors", "btl_base_exclude", "btl_base_include",
    "btl_base_thread_multiple_override", "btl_base_warn_component_unused",
    "btl_base_warn_peer_error", "btl_ofi_disable_hmem", "btl_ofi_provider_exclude",
    "btl_ofi_provider_include", "btl_ofi_verbose", "btl_self_free_list_inc",
    "btl_self_free_list_max", "btl_self_free_list_num", "btl_sm_backing_directory",
    "btl_sm_fbox_max", "btl_sm_fbox_size", "btl_sm_fbox_threshold", "btl_sm_fifo_size",
    "btl_sm_free_list_inc", "btl_sm_free_list_max", "btl_sm_free_list_num", "btl_sm_knem_dma_min",
    "btl_sm_log_align", "btl_sm_max_inline_send", "btl_sm_memcpy_limit", "btl_sm_num_fifos",
    "btl_sm_segment_size", "btl_sm_use_knem", "btl_tcp_if_seq", "btl_tcp_recv_timeout",
    "btl_tcp_tcp_not_use_nodelay", "coll_sm_comm_in_use_flags", "coll_sm_comm_num_segments",
    "coll_sm_control_size", "coll_sm_fragment_size", "coll_sm_info_num_procs",
    "coll_sm_shared_mem_used_data", "coll_sm_tree_degree", "coll_tuned_alltoall_intermediate_msg",
    "coll_tuned_alltoall_large_msg", "coll_tuned_alltoall_min_procs",
    "coll_tuned_alltoall_small_msg", "coll_tuned_init_chain_fanout", "coll_tuned_init_tree_fanout",
    "coll_tuned_scatter_intermediate_msg", "coll_tuned_scatter_large_msg",
    "coll_tuned_scatter_min_procs", "ft_cr_enabled", "io", "io_base_delete", "io_base_param",
    "mca_base_component_disable_dlopen", "mca_base_component_path",
    "mca_base_component_show_load_errors", "mca_base_component_track_load_errors",
    "mca_base_env_list", "mca_base_env_list_delimiter", "mca_base_envar_file_prefix",
    "mca_base_override_param_file", "mca_base_param_file_path", "mca_base_param_file_path_force",
    "mca_base_param_file_prefix", "mca_base_param_files", "mca_base_suppress_override_warning",
    "mca_component_disable_dlopen", "mca_component_path", "mca_component_show_load_errors",
    "mca_param_files", "mca_verbose", "mpi_abort_delay", "mpi_abort_print_stack",
    "mpi_add_procs_cutoff", "mpi_assert_no_any_source", "mpi_built_with_cuda_support",
    "mpi_comm_verbose", "mpi_compat_mpi3", "mpi_cuda_support", "mpi_dynamics_enabled",
    "mpi_event_tick_rate", "mpi_ft_detector", "mpi_ft_detector_period",
    "mpi_ft_detector_rdma_heartbeat", "mpi_ft_detector_thread", "mpi_ft_detector_timeout",
    "mpi_ft_enable", "mpi_ft_propagator_with_rbcast", "mpi_ft_reliable_bcast", "mpi_ft_verbose",
    "mpi_have_sparse_group_storage", "mpi_keep_fqdn_hostnames", "mpi_keep_hostnames",
    "mpi_keep_peer_hostnames", "mpi_leave_pinned_pipeline", "mpi_maffinity_alone",
    "mpi_no_free_handles", "mpi_oversubscribe", "mpi_paffinity_alone", "mpi_param_check",
    "mpi_pmix_connect_timeout", "mpi_preconnect_all", "mpi_preconnect_mpi", "mpi_show_mca_params",
    "mpi_show_mca_params_file", "mpi_show_mpi_alloc_mem_leaks", "mpi_spc_attach",
    "mpi_spc_dump_enabled", "mpi_spc_mmap_enabled", "mpi_use_sparse_group_storage",
    "mpi_warn_on_fork", "mpool_hugepage_priority", "mtl_ofi_av", "mtl_ofi_control_progress",
    "mtl_ofi_disable_hmem", "mtl_ofi_enable_sep", "mtl_ofi_num_ctxts", "mtl_ofi_provider_exclude",
    "mtl_ofi_provider_include", "mtl_ofi_thread_grouping", "mtl_ofi_verbose", "op",
    "op_avx_capabilities", "op_base_verbose", "opal_abort_delay", "opal_abort_print_stack",
    "opal_built_with_cuda_support", "opal_cuda_support", "opal_event_include", "opal_leave_pinned",
    "opal_leave_pinned_pipeline", "opal_max_thread_in_progress", "opal_net_private_ipv4",
    "opal_set_max_sys_limits", "opal_stacktrace_output", "opal_var_dump_color",
    "opal_warn_on_missing_libcuda", "osc_rdma_acc_use_amo", "osc_rdma_backing_directory",
    "osc_rdma_btls", "osc_rdma_buffer_size", "osc_rdma_locking_mode", "osc_rdma_max_attach",
    "osc_rdma_minimum_memory_alignment", "osc_rdma_mtls", "osc_rdma_network_max_amo",
    "osc_rdma_no_locks", "osc_rdma_priority", "osc_sm_backing_directory", "osc_sm_priority", "plm",
    "plm_base_verbose", "plm_rsh_assume_same_shell", "plm_rsh_chdir", "plm_rsh_daemonize_llspawn",
    "plm_rsh_daemonize_qrsh", "plm_rsh_delay", "plm_rsh_disable_llspawn", "plm_rsh_disable_qrsh",
    "plm_rsh_force_rsh", "plm_rsh_num_concurrent", "plm_rsh_pass_environ_mca_params",
    "plm_rsh_pass_libpath", "plm_rsh_priority", "plm_rsh_tree_spawn", "plm_slurm_priority",
    "pml_base_bsend_allocator",
    "pml_base_check_pml", "pml_base_warn_dep_cancel_send", "pml_base_wrapper",
    "pml_cm_free_list_inc", "pml_cm_free_list_max", "pml_cm_free_list_num",
    "pml_ob1_accelerator_events_max", "pml_ob1_allocator", "pml_ob1_eager_limit",
    "pml_ob1_free_list_inc", "pml_ob1_free_list_max", "pml_ob1_free_list_num", "pml_ob1_matching",
    "pml_ob1_max_rdma_per_request", "pml_ob1_max_send_per_range", "pml_ob1_rdma_put_retries_limit",
    "pml_ob1_rdma_retries_limit", "pml_ob1_recv_pipeline_depth", "pml_ob1_send_pipeline_depth",
    "pml_ob1_use_all_rdma", "pml_ob1_use_early_completion", "pml_ob1_verbose", "pml_v_output",
    "pml_v_vprotocol", "pml_wrapper", "rcache_base_verbose", "sharedfp_base_verbose",
    "smsc_cma_priority", "smsc_knem_dma_min", "smsc_knem_priority", "smsc_xpmem_log_align",
    "smsc_xpmem_memcpy_chunk_size", "smsc_xpmem_priority", "vprotocol_base_include_list",
];

/// Protections that only Open MPI gives, with what there is instead.
const PROTECTIONS: &[(&str, &str)] = &[
    ("crcp", NO_CHECKPOINTS),
    ("crs", NO_CHECKPOINTS),
    ("ft_cr_enabled", NO_CHECKPOINTS),
    (
        "mpi_ft_enable",
        "`mpirun --enable-recovery` lets a job go on without the ranks that fail",
    ),
    (
        "orte_enable_recovery",
        "ask for it by `mpirun --enable-recovery`",
    ),
    ("orte_max_restarts", "no rank is started again"),
    ("pml_v_vprotocol", "name the message log by `vprotocol`"),
    ("snapc", NO_CHECKPOINTS),
    ("sstore", NO_CHECKPOINTS),
];

const NO_CHECKPOINTS: &str = "jobs are not checkpointed; let the application save its state";

/// Requests that only Open MPI fulfils, or that oxmpi fulfils by other means, with those means.
#[rustfmt::skip]
const NOT_DONE: &[(&str, &str)] = &[
    ("allocator_base_verbose", "`mpool_base_verbose` shows what becomes of MPI_Alloc_mem"),
    ("btl_base_exclude", "name the transports in `btl`"),
    ("btl_base_include", "name the transports in `btl`"),
    ("coll_sync_barrier_after", "no barriers are added; a sender is held back without them"),
    ("coll_sync_barrier_before", "no barriers are added; a sender is held back without them"),
    ("hook_comm_method_display", "`mpirun --explain` shows what carries the messages"),
    ("hwloc_base_bind_to_core", "bind by `mpirun --bind-to core`"),
    ("hwloc_base_bind_to_socket", "bind by `mpirun --bind-to socket`"),
    ("hwloc_base_binding_policy", "bind by `mpirun --bind-to`"),
    ("hwloc_base_cpu_list", "name processors by `mpirun --cpu-set`"),
    ("hwloc_base_cpu_set", "name processors by `mpirun --cpu-set`"),
    ("hwloc_base_report_bindings", "ask for it by `mpirun --report-bindings`"),
    ("hwloc_base_slot_list", "name processors by `mpirun --cpu-set`"),
    ("hwloc_base_use_hwthreads_as_cpus", "ask for it by `mpirun --use-hwthread-cpus`"),
    ("mca_base_component_path", "all components are within the library"),
    ("mca_base_env_list", "hand variables on by `mpirun -x`"),
    ("mca_base_param_files", "name files by `mpirun --tune`"),
    ("memchecker", "a process under Valgrind is not watched over by the library"),
    ("mpi_abort_delay", "a process that aborts does not wait for a debugger"),
    ("mpi_abort_print_stack", "`mpirun --backtrace` shows the stack of a process that crashes"),
    ("mpi_no_free_handles", "handles are freed; `mpi_show_handle_leaks` lists those that are not"),
    ("mpi_paffinity_alone", "bind by `mpirun --bind-to core`"),
    ("mpi_preconnect_all", "processes connect when they first send"),
    ("mpi_preconnect_mpi", "processes connect when they first send"),
    ("mpi_show_mca_params", "`oxmpi_info --all` and `mpirun --explain` show the parameters"),
    ("mpi_show_mpi_alloc_mem_leaks", "`mpi_show_handle_leaks` lists the handles that leak"),
    ("mpi_spc_attach", "no counters are kept"),
    ("mpi_spc_dump_enabled", "no counters are kept"),
    ("op", "choose vector instructions by `op_avx_support`"),
    ("op_base_verbose", NO_RECORDS),
    ("opal_abort_delay", "a process that aborts does not wait for a debugger"),
    ("opal_abort_print_stack", "`mpirun --backtrace` shows the stack of a process that crashes"),
    ("opal_set_max_sys_limits", "set limits by `ulimit`"),
    ("orte_default_hostfile", "name hosts by `mpirun --hostfile`"),
    ("orte_launch_agent", "name it by `mpirun --launch-agent`"),
    ("orte_rankfile", "name it by `mpirun --rankfile`"),
    ("orte_startup_timeout", "set `plm_start_timeout`"),
    ("orte_tag_output", "ask for it by `mpirun --tag-output`"),
    ("orte_timestamp_output", "ask for it by `mpirun --timestamp-output`"),
    ("orte_xterm", "no terminals are opened"),
    ("plm_base_verbose", "`mpirun --verbose` prints what is started"),
    ("pml_monitoring_enable", "messages are not counted"),
    ("rcache_base_verbose", "`memory_base_verbose` shows what becomes of registrations"),
    ("rmaps_base_mapping_policy", "map ranks by `mpirun --map-by`"),
    ("rmaps_base_no_oversubscribe", "ask for it by `mpirun --nooversubscribe`"),
    ("rmaps_base_oversubscribe", "ask for it by `mpirun --oversubscribe`"),
    ("rmaps_base_pernode", "ask for it by `mpirun --pernode`"),
    ("rmaps_base_ranking_policy", "order ranks by `mpirun --rank-by`"),
    ("rmaps_ppr_pattern", "map ranks by `mpirun --map-by ppr:...`"),
    ("rmaps_rank_file_path", "name it by `mpirun --rankfile`"),
    ("sec", "processes prove who they are by a secret of the job"),
    ("sharedfp_base_verbose", NO_RECORDS),
    ("smsc_cma_priority", SINGLE_COPIES),
    ("smsc_knem_priority", SINGLE_COPIES),
    ("smsc_xpmem_priority", SINGLE_COPIES),
];

const NO_RECORDS: &str = "this framework records nothing";
const SINGLE_COPIES: &str = "name the component by `btl_sm_single_copy_mechanism`";

/// The collectives for which the component `tuned` of Open MPI has parameters.
#[rustfmt::skip]
const COLLECTIVES: &[&str] = &[
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast", "exscan",
    "gather", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "scatter",
];

/// Suffixes of the parameters that every transport of Open MPI has.
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

/// Suffixes that follow `_algorithm` in the names of the component `tuned`.
const OF_EACH_COLLECTIVE: &[&str] = &[
    "",
    "_chain_fanout",
    "_count",
    "_knomial_radix",
    "_max_requests",
    "_segmentsize",
    "_tree_fanout",
];

/// The effect that a parameter of Open MPI alone asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreign {
    /// Something that makes no difference to a program here.
    Unused,
    /// Something that oxmpi does not do, or does another way: which.
    NotDone(&'static str),
    /// A protection that oxmpi does not give. To go on would let the user believe in it.
    Refused(&'static str),
}

/// Returns what the parameter `name` asks for with the value `text`, if it is one of Open MPI's
/// or belongs to a part that only Open MPI has.
pub fn foreign(name: &str, text: &str) -> Option<Foreign> {
    let asks = |rows: &[(&str, &'static str)]| {
        let row = rows.iter().find(|row| row.0 == name);
        row.map(|row| row.1).filter(|_| !is_nothing(text))
    };
    if let Some(why) = asks(PROTECTIONS) {
        return Some(Foreign::Refused(why));
    }
    if let Some(instead) = asks(NOT_DONE) {
        return Some(Foreign::NotDone(instead));
    }
    // A framework's name with a value that is no component of it may be another one's, misspelt.
    let is_component = |word: &str| has_component(name, word.trim_start_matches('^'));
    let is_framework = COMPONENTS.iter().any(|row| row.0 == name);
    let strange = is_framework && !text.is_empty() && !text.split(',').any(is_component);
    if strange || !has_parameter(name) {
        return None;
    }
    let priority = name.ends_with("_priority") && !is_nothing(text);
    Some(match priority {
        true => Foreign::NotDone("there is no such component here to be preferred"),
        false => Foreign::Unused,
    })
}

/// Variables that `mpirun` of Open MPI 4 and 5 sets for its processes, whatever the user asks for;
/// those that end in `_` stand for all that begin so.
const OF_LAUNCHER: &[&str] = &[
    "OMPI_MCA_PREFIXES",
    "OMPI_MCA_cpu_type",
    "OMPI_MCA_ess",
    "OMPI_MCA_ess_",
    "OMPI_MCA_initial_wdir",
    "OMPI_MCA_mpi_oversubscribe",
    "OMPI_MCA_num_procs",
    "OMPI_MCA_orte_",
    "OMPI_MCA_pmix",
    "OMPI_MCA_rmaps_base_oversubscribe",
    "OMPI_MCA_shmem_RUNTIME_QUERY_hint",
];

/// Whether a variable shows that Open MPI's launcher has started this process.
pub(crate) fn is_launched(variable: &str) -> bool {
    variable == "OMPI_MCA_initial_wdir"
}

/// Whether Open MPI's launcher sets a variable for its processes: no wish of the user's.
pub(crate) fn is_set_by_launcher(variable: &str) -> bool {
    OF_LAUNCHER.iter().any(|name| match name.ends_with('_') {
        true => variable.starts_with(name),
        false => variable == *name,
    })
}

/// True for the values by which one asks for nothing.
fn is_nothing(text: &str) -> bool {
    let words = ["", "0", "-1", "false", "no", "off", "none"];
    let text = text.trim();
    text.starts_with('^') || words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// True when `name` is a parameter of Open MPI, or belongs to a part that only Open MPI has.
fn has_parameter(name: &str) -> bool {
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
    let of_collective = || {
        let rest = name.strip_prefix("coll_tuned_")?;
        let (collective, rest) = rest.split_once("_algorithm")?;
        Some(COLLECTIVES.contains(&collective) && OF_EACH_COLLECTIVE.contains(&rest))
    };
    NAMES.contains(&name)
        || FAMILIES.iter().any(in_family)
        || ["btl_ofi_", "btl_self_", "btl_sm_", "btl_tcp_"]
            .into_iter()
            .any(of_transport)
        || of_collective() == Some(true)
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
            "plm_lsf_debug",
            "btl_openib_allow_ib",
            "mpi_param_check",
            "btl_sm_free_list_max",
            "pml_ucx_tls",
            "io",
            "btl_tcp_latency_eth0",
            "opal_cuda_support",
            "coll_tuned_reduce_scatter_algorithm_tree_fanout",
        ];
        for name in known {
            assert_eq!(foreign(name, "1"), Some(Foreign::Unused), "{name}");
        }
        let typing_errors = [
            "plmx_rsh",
            "btl_tcp_if_inclde",
            "btl_opneib_x",
            "btl_ofi_disable_spe",
            "coll_tuned_algatherr_algorithm",
            "coll_tuned_prioritty",
            "mpi_yield",
            "mpool_hint",
            "opal_common_ofi_provider_inlcude",
            "osc_rdma_prio",
            "rcache_bse_max",
            "smsc_cma_mni",
            "iox",
            "",
        ];
        assert_eq!(foreign("plm", "rsh"), Some(Foreign::Unused));
        assert_eq!(foreign("plm", "ob1"), None);
        for name in typing_errors {
            assert_eq!(foreign(name, "1"), None, "{name} is known");
        }
    }

    #[test]
    fn what_is_not_done_is_distinguished_from_what_changes_nothing() {
        let refused = |name| matches!(foreign(name, "1"), Some(Foreign::Refused(_)));
        let not_done = |name| matches!(foreign(name, "1"), Some(Foreign::NotDone(_)));
        for (name, _) in PROTECTIONS {
            assert!(refused(name) && has_parameter(name), "{name}");
            for nothing in ["", "none", "0", "False", "^pessimist"] {
                assert_eq!(foreign(name, nothing), Some(Foreign::Unused), "{name}");
            }
        }
        for (name, _) in NOT_DONE {
            assert!(not_done(name) && has_parameter(name), "{name}");
        }
        assert!(not_done("coll_adapt_priority") && not_done("osc_rdma_priority"));
        assert_eq!(foreign("coll_hcoll_enable", "0"), Some(Foreign::Unused));
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
