//! Arguments and environment of `srun`, which starts daemons as a step of the job.
//!
//! One step has the daemons of all hosts below a vertex, or of those in one component of a
//! heterogeneous job: a step costs the controller of the cluster some milliseconds, whatever its
//! size, and one for each host would cost them for each. One for the whole job would be fewer
//! still, but `mpirun` would then be connected to all hosts, where the tree has it connected to
//! those of its first level.

use std::collections::BTreeMap;
use std::process::Command;

use launch_plan::allocation::slurm_component_of;

/// Variables by which a user or `sbatch` shapes steps, the daemons' too unless they are taken away:
/// one process for each host is what is wanted, without a binding or limits of its own, and with
/// the streams as they are. What limits the whole job stays.
const MISLEADING: [&str; 49] = [
    "SLURM_ARRAY_INX",
    "SLURM_CPUS_PER_GPU",
    "SLURM_CPUS_PER_TASK",
    "SLURM_CPU_FREQ_REQ",
    "SLURM_DEPENDENCY",
    "SLURM_DISTRIBUTION",
    "SLURM_EPILOG",
    "SLURM_EXACT",
    "SLURM_EXCLUSIVE",
    "SLURM_EXPORT_ENV",
    "SLURM_GPUS_PER_SOCKET",
    "SLURM_GPUS_PER_TASK",
    "SLURM_GPU_BIND",
    "SLURM_HINT",
    "SLURM_HOSTFILE",
    "SLURM_IMMEDIATE",
    "SLURM_JOB_NUM_NODES",
    "SLURM_LABELIO",
    "SLURM_MULTI_PROG",
    "SLURM_NNODES",
    "SLURM_NODELIST",
    "SLURM_NPROCS",
    "SLURM_NTASKS",
    "SLURM_NTASKS_PER_CORE",
    "SLURM_NTASKS_PER_GPU",
    "SLURM_NTASKS_PER_NODE",
    "SLURM_NTASKS_PER_SOCKET",
    "SLURM_NTASKS_PER_TRES",
    "SLURM_OPEN_MODE",
    "SLURM_PRESERVE_ENV",
    "SLURM_PROFILE",
    "SLURM_PROLOG",
    "SLURM_PTY",
    "SLURM_REMOTE_CWD",
    "SLURM_RESV_PORTS",
    "SLURM_SPREAD_JOB",
    "SLURM_SRUN_EXPORT_ENV",
    "SLURM_STDERRMODE",
    "SLURM_STDINMODE",
    "SLURM_STDOUTMODE",
    "SLURM_STEP_ID",
    "SLURM_TASKS_PER_NODE",
    "SLURM_TASK_EPILOG",
    "SLURM_TASK_PROLOG",
    "SLURM_THREADS_PER_CORE",
    "SLURM_TRES_PER_TASK",
    "SLURM_UNBUFFEREDIO",
    "SLURM_WAIT",
    "SLURM_WORKING_DIR",
];

/// Divides hosts into those of each component of a heterogeneous job, which `srun` starts steps in
/// one by one.
pub(super) fn by_component<'a>(hosts: &[(u32, &'a str)]) -> Vec<Vec<(u32, &'a str)>> {
    let mut divided = BTreeMap::<_, Vec<_>>::new();
    for &(vertex, host) in hosts {
        let group = divided.entry(component_of(host)).or_default();
        group.push((vertex, host));
    }
    divided.into_values().collect()
}

/// Returns the component of a heterogeneous job that has a host; `None` in other jobs.
fn component_of(host: &str) -> Option<usize> {
    slurm_component_of(host, &|name| std::env::var(name).ok())
}

/// Adds what starts one process on each of the `hosts`, which are of one component of the job.
pub(super) fn arrange(command: &mut Command, hosts: &[&str]) {
    for name in MISLEADING {
        command.env_remove(name);
    }
    // As variables, for releases without the options: `srun` passes over those that it lacks.
    command.env("SLURM_OVERLAP", "1");
    command.env("SLURM_CPU_BIND", "none");
    command.args([
        format!("--nodes={}", hosts.len()),
        format!("--ntasks={}", hosts.len()),
        "--ntasks-per-node=1".to_string(),
        format!("--nodelist={}", hosts.join(",")),
        "--mpi=none".to_string(),
        "--kill-on-bad-exit=1".to_string(),
        "--export=ALL".to_string(),
        "--input=none".to_string(),
        "--job-name=oxmpi".to_string(),
    ]);
    let component = hosts.first().and_then(|host| component_of(host));
    command.args(component.map(|number| format!("--het-group={number}")));
}
