//! Environment variables of other launchers that set options. The command line has precedence.

use super::apply::{allocations, launcher, parameter};
use crate::hosts::COUNT_MAX;
use crate::policy::MapBy;
use crate::request::Request;
use crate::Error;

/// Variables, and the parameter that each sets. Those of Open MPI's own parameters whose names
/// oxmpi knows are read elsewhere, with all parameters.
const PARAMETERS: [(&str, &str); 15] = [
    (
        "OMPI_MCA_rmaps_base_mapping_policy",
        "rmaps_base_mapping_policy",
    ),
    (
        "OMPI_MCA_rmaps_base_ranking_policy",
        "rmaps_base_ranking_policy",
    ),
    (
        "OMPI_MCA_rmaps_base_oversubscribe",
        "rmaps_base_oversubscribe",
    ),
    (
        "OMPI_MCA_hwloc_base_binding_policy",
        "hwloc_base_binding_policy",
    ),
    (
        "PRTE_MCA_rmaps_default_mapping_policy",
        "rmaps_default_mapping_policy",
    ),
    (
        "PRTE_MCA_rmaps_default_ranking_policy",
        "rmaps_default_ranking_policy",
    ),
    (
        "PRTE_MCA_hwloc_default_binding_policy",
        "hwloc_default_binding_policy",
    ),
    ("PRTE_MCA_plm", "plm"),
    ("PRTE_MCA_plm_ssh_agent", "plm_ssh_agent"),
    ("PRTE_MCA_plm_ssh_args", "plm_ssh_args"),
    ("PRTE_MCA_plm_ssh_no_tree_spawn", "plm_ssh_no_tree_spawn"),
    ("HYDRA_LAUNCHER_EXEC", "plm_rsh_agent"),
    ("HYDRA_LAUNCH_EXTRA_ARGS", "plm_rsh_args"),
    ("I_MPI_HYDRA_BOOTSTRAP_EXEC", "plm_rsh_agent"),
    ("I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS", "plm_rsh_args"),
];

/// A function that sets an option by a value.
type Setter = fn(&mut Request, &str, &str) -> Result<(), Error>;

/// Variables that have the value of an option. Of an option the last one counts.
const OPTIONS: [(&str, Setter); 5] = [
    ("HYDRA_BOOTSTRAP", launcher),
    ("HYDRA_LAUNCHER", launcher),
    ("I_MPI_HYDRA_BOOTSTRAP", launcher),
    ("HYDRA_RMK", allocations),
    ("I_MPI_HYDRA_RMK", allocations),
];

/// Variables with the number of ranks for each host; Intel MPI has words for it too.
const PER_HOST: [&str; 2] = ["I_MPI_PERHOST", "HYDRA_PPN"];

/// Applies the variables to a request.
pub(super) fn apply(
    request: &mut Request,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<(), Error> {
    let said = |name: &str| variable(name).filter(|value| !value.is_empty());
    for (name, what) in PARAMETERS {
        if let Some(value) = said(name) {
            parameter(request, name, what, &value)?;
        }
    }
    for (name, set) in OPTIONS {
        // A module of another MPI library sets it, which may know systems that this one does not.
        if let Some(Err(why)) = said(name).map(|value| set(request, name, &value)) {
            request.notes.push(format!("ignored: {why}"));
        }
    }
    let counts = PER_HOST.iter().find_map(|name| said(name)?.parse().ok());
    if let Some(count @ 1..=COUNT_MAX) = counts {
        request.policy.map = MapBy::Rounds(count);
    }
    Ok(())
}
