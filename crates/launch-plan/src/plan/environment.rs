//! The environment variables of ranks.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use bootstrap::native;

use super::world::World;
use crate::request::{Inherit, Request};
use crate::Error;

/// Prefixes of variables of an outer launcher. A rank that inherited one would believe to be part
/// of the outer job.
const STALE_PREFIXES: [&str; 12] = [
    "PMI_",
    "PMIX_",
    "OMPI_COMM_WORLD_",
    "OMPI_UNIVERSE_SIZE",
    "OMPI_APP_CTX_NUM_PROCS",
    "OMPI_FIRST_RANKS",
    "OMPI_NUM_APP_CTX",
    "MPI_LOCALRANKID",
    "MPI_LOCALNRANKS",
    "HYDI_CONTROL_FD",
    bootstrap::native::FD_VARIABLE,
    bootstrap::SINGLETON_VARIABLE,
];

/// Prefixes of variables about the host, the login or the step of a batch job that a process is
/// in. On another host they would be wrong.
const HOST_PREFIXES: [&str; 16] = [
    "HOSTNAME",
    "HOST=",
    "SSH_",
    "DBUS_SESSION_BUS_ADDRESS",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "SYSTEMD_",
    "WINDOWID",
    "XDG_RUNTIME_DIR",
    "XDG_SESSION_",
    "SLURMD_",
    "SLURM_GTIDS",
    "SLURM_LOCALID",
    "SLURM_NODEID",
    "SLURM_PROCID",
    "SLURM_TASK_PID",
];

/// Prefixes of variables by which a batch system gives a job devices of a host, credentials of its
/// network or access to the system, others on each.
const BATCH_PREFIXES: [&str; 9] = [
    "CUDA_VISIBLE_DEVICES=",
    "FLUX_URI=",
    "GPU_DEVICE_ORDINAL=",
    "HIP_VISIBLE_DEVICES=",
    "PALS_",
    "ROCR_VISIBLE_DEVICES=",
    "SLINGSHOT_",
    "SLURM_STEP_GPUS=",
    "ZE_AFFINITY_MASK=",
];

/// True for a variable that holds for one host only, and is not to be taken to another.
pub fn is_of_one_host(name: &OsStr) -> bool {
    begins(name, &HOST_PREFIXES)
}

/// True for a variable that holds for one host only where a batch system starts the daemons: it
/// gives each the variables of its host, those with the devices of the job there among them.
pub fn is_of_one_host_of_batch(name: &OsStr) -> bool {
    is_of_one_host(name) || begins(name, &BATCH_PREFIXES)
}

fn begins(name: &OsStr, prefixes: &[&str]) -> bool {
    let whole = [name.as_bytes(), b"="].concat();
    let begins = |prefix: &&str| whole.starts_with(prefix.as_bytes());
    prefixes.iter().any(begins)
}

/// Prefixes of variables that a program keeps even when it is to inherit none.
const KEPT_PREFIXES: [&str; 6] = [
    "PATH=",
    "LD_LIBRARY_PATH=",
    "HOME=",
    "OXMPI_",
    "OMPI_MCA_",
    "PMIX_MCA_",
];

/// Leaves of a program's environment what it inherits.
pub(super) fn restrict(env: &mut BTreeMap<OsString, OsString>, inherit: &Inherit) {
    if let Inherit::Only(names) = inherit {
        let kept = |name: &OsString| {
            let whole = [name.as_bytes(), b"="].concat();
            let is_kept = |prefix: &&str| whole.starts_with(prefix.as_bytes());
            KEPT_PREFIXES.iter().any(is_kept) || names.contains(name)
        };
        env.retain(|name, _| kept(name));
    }
}

/// Puts a folder before those of a list such as `PATH`.
pub(crate) fn prepend(env: &mut BTreeMap<OsString, OsString>, name: &str, folder: &OsStr) {
    let old = env.get(OsStr::new(name)).filter(|old| !old.is_empty());
    let mut list = OsString::from(folder);
    if let Some(old) = old {
        list.push(":");
        list.push(old);
    }
    env.insert(name.into(), list);
}

/// The environment of all programs: the launcher's, less what an outer launcher left, with the
/// parameters.
pub(super) fn shared(
    request: &Request,
    world: &World,
    check: &dyn Fn(&mca::Sources) -> Result<(), String>,
) -> Result<BTreeMap<OsString, OsString>, Error> {
    let mut sources =
        mca::Sources::from_process(&world.prefix).with_command_line(request.parameters.clone());
    for files in &request.tune {
        sources = sources.with_tune(files);
    }
    check(&sources).map_err(Error::Parameters)?;
    let forward = sources
        .forward()
        .map_err(|e| Error::Parameters(one_line(&e.to_string())))?;
    let mut env = world.env.clone();
    env.retain(|name, _| {
        !STALE_PREFIXES
            .iter()
            .any(|prefix| name.as_bytes().starts_with(prefix.as_bytes()))
    });
    // How the launcher reaches other hosts is nothing to its ranks.
    let is_own = |name: &str| {
        let mut own = mca::launcher::PARAMS.iter().map(|param| param.name);
        own.any(|own| {
            name.strip_suffix(own)
                .is_some_and(|opens| opens.ends_with('_'))
        })
    };
    for (name, value) in forward.into_iter().filter(|(name, _)| !is_own(name)) {
        env.insert(name.into(), value.into());
    }
    env.remove(OsStr::new(native::RECOVERY_VARIABLE));
    if request.keep_going {
        env.insert(native::RECOVERY_VARIABLE.into(), "1".into());
    }
    if let Some(prefix) = &request.prefix {
        prepend(&mut env, "PATH", format!("{prefix}/bin").as_ref());
        prepend(
            &mut env,
            "LD_LIBRARY_PATH",
            format!("{prefix}/lib").as_ref(),
        );
    }
    Ok(env)
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

/// Which rank a process is.
pub(super) struct Identity {
    pub rank: u32,
    pub size: u32,
    /// The rank's number among those of its host.
    pub local_rank: u32,
    /// How many ranks its host has.
    pub local_size: u32,
    pub node: u32,
    pub universe: u32,
}

/// Returns the variables that programs and scripts read their rank from, under the names of several
/// MPI libraries.
pub(super) fn identity(own: &Identity) -> Vec<(&'static str, String)> {
    let groups: [(u32, &[&'static str]); 6] = [
        (
            own.rank,
            &["OXMPI_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK"],
        ),
        (
            own.size,
            &["OXMPI_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"],
        ),
        (
            own.local_rank,
            &[
                "OXMPI_LOCAL_RANK",
                "OMPI_COMM_WORLD_LOCAL_RANK",
                "OMPI_COMM_WORLD_NODE_RANK",
                "MPI_LOCALRANKID",
            ],
        ),
        (
            own.local_size,
            &[
                "OXMPI_LOCAL_SIZE",
                "OMPI_COMM_WORLD_LOCAL_SIZE",
                "MPI_LOCALNRANKS",
            ],
        ),
        (own.node, &["OXMPI_NODE"]),
        (own.universe, &["OMPI_UNIVERSE_SIZE"]),
    ];
    let named = |(value, names): (u32, &[&'static str])| -> Vec<_> {
        names
            .iter()
            .map(|name| (*name, value.to_string()))
            .collect()
    };
    groups.into_iter().flat_map(named).collect()
}
