//! Parses the hosts that Slurm has allocated to a job, from the variables that it sets.

use super::host_list::{host_list, HOSTS_MAX};
use crate::hosts::{same_name, Entry, Host, Slots, COUNT_MAX};
use crate::Error;

/// The list of hosts; where it is missing or empty there is no allocation.
const NODES_VARIABLE: &str = "SLURM_JOB_NODELIST";
/// The tasks of each host, which are its slots.
const TASKS_VARIABLE: &str = "SLURM_TASKS_PER_NODE";
/// The processors of each host, which count where the tasks are not said.
const CPUS_VARIABLE: &str = "SLURM_JOB_CPUS_PER_NODE";

/// The number of components of a heterogeneous job. Each has variables of its own, with its number
/// behind the name.
const COMPONENTS_VARIABLE: &str = "SLURM_HET_SIZE";
/// The most components that are believed.
const COMPONENTS_MAX: usize = 1000;

/// Returns the hosts of the allocation that this process runs in, if it does; `variable` returns
/// one. Those of a heterogeneous job are the hosts of all its components.
pub fn allocation(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Vec<Entry>>, Error> {
    let components = components(variable);
    if components == 0 {
        return component(variable, "");
    }
    let mut all = Vec::new();
    for number in 0..components {
        all.extend(component(variable, &suffix(number))?.unwrap_or_default());
    }
    Ok((!all.is_empty()).then_some(all))
}

/// Returns the component of a heterogeneous job that has a host; `None` in other jobs, and where no
/// component has it. `variable` returns a variable of the environment.
pub fn component_of(host: &str, variable: &dyn Fn(&str) -> Option<String>) -> Option<usize> {
    let has_it = |number: &usize| {
        let list = variable(&format!("{NODES_VARIABLE}{}", suffix(*number)));
        let names = list.as_deref().and_then(host_list).unwrap_or_default();
        names.iter().any(|name| same_name(name, host))
    };
    (0..components(variable)).find(has_it)
}

fn components(variable: &dyn Fn(&str) -> Option<String>) -> usize {
    let said = variable(COMPONENTS_VARIABLE).and_then(|text| text.parse().ok());
    said.filter(|count| *count <= COMPONENTS_MAX).unwrap_or(0)
}

fn suffix(component: usize) -> String {
    format!("_HET_GROUP_{component}")
}

/// Returns the hosts that the variables with this suffix name, if there are such.
fn component(
    variable: &dyn Fn(&str) -> Option<String>,
    suffix: &str,
) -> Result<Option<Vec<Entry>>, Error> {
    let said = |name: &str| {
        let name = format!("{name}{suffix}");
        let value = variable(&name).filter(|value| !value.is_empty())?;
        Some((name, value))
    };
    let Some((nodes, list)) = said(NODES_VARIABLE) else {
        return Ok(None);
    };
    let refuse =
        |name: &str, value: &str, wanted: &str| crate::error::invalid_value(name, value, wanted);
    let names =
        host_list(&list).ok_or_else(|| refuse(&nodes, &list, "a list of hosts as n[1-3,7],m02"))?;
    let slots = match said(TASKS_VARIABLE).or_else(|| said(CPUS_VARIABLE)) {
        None => vec![Slots::Unspecified; names.len()],
        Some((name, value)) => {
            let counts =
                count_list(&value).ok_or_else(|| refuse(&name, &value, "counts as 2(x3),1"))?;
            if counts.len() != names.len() {
                let wanted = format!("a count for each of {} hosts", names.len());
                return Err(refuse(&name, &value, &wanted));
            }
            counts.into_iter().map(Slots::Count).collect()
        }
    };
    let entry = |(name, slots)| Entry {
        host: Host::Name(name),
        user: None,
        slots,
        max_slots: None,
    };
    Ok(Some(names.into_iter().zip(slots).map(entry).collect()))
}

/// Reads `2(x3),1`; `None` when it cannot be.
fn count_list(text: &str) -> Option<Vec<u32>> {
    let mut counts = Vec::new();
    for item in text.split(',') {
        let (count, times) = match item.split_once("(x") {
            Some((count, times)) => (count, times.strip_suffix(')')?.parse::<usize>().ok()?),
            None => (item, 1),
        };
        let count = count.parse().ok().filter(|n| (1..=COUNT_MAX).contains(n))?;
        if times > HOSTS_MAX - counts.len() {
            return None;
        }
        counts.extend(std::iter::repeat_n(count, times));
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_counts() {
        assert_eq!(count_list("2(x3),1").unwrap(), [2, 2, 2, 1]);
        assert_eq!(count_list("16").unwrap(), [16]);
        for bad in ["", "0", "2(x", "2(xa)", "x", "2(x99999999999)", "2,,1"] {
            assert_eq!(count_list(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_allocation_has_its_hosts_and_their_slots() {
        let with = |set: &'static [(&str, &str)]| {
            allocation(&move |name| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| value.to_string())
            })
        };
        assert_eq!(with(&[]).unwrap(), None);
        let slots = |set| {
            let entries: Vec<Entry> = with(set).unwrap().unwrap();
            entries.iter().map(|entry| entry.slots).collect::<Vec<_>>()
        };
        assert_eq!(slots(&[("SLURM_JOB_NODELIST", "n1")]), [Slots::Unspecified]);
        assert_eq!(
            slots(&[
                ("SLURM_JOB_NODELIST", "n[1-2]"),
                ("SLURM_TASKS_PER_NODE", "3,1"),
                ("SLURM_JOB_CPUS_PER_NODE", "8(x2)"),
            ]),
            [Slots::Count(3), Slots::Count(1)]
        );
        assert_eq!(
            slots(&[
                ("SLURM_JOB_NODELIST", "n[1-2]"),
                ("SLURM_JOB_CPUS_PER_NODE", "8(x2)")
            ]),
            [Slots::Count(8), Slots::Count(8)]
        );
        let said = with(&[
            ("SLURM_JOB_NODELIST", "n[1-2]"),
            ("SLURM_TASKS_PER_NODE", "3"),
        ]);
        let said = said.unwrap_err().to_string();
        assert!(
            said.contains("SLURM_TASKS_PER_NODE") && said.contains("2 hosts"),
            "{said}"
        );
        assert!(with(&[("SLURM_JOB_NODELIST", "n[1")]).is_err());
    }

    #[test]
    fn a_heterogeneous_job_has_the_hosts_of_all_components() {
        let set = [
            ("SLURM_JOB_NODELIST", "n1"),
            ("SLURM_TASKS_PER_NODE", "2"),
            ("SLURM_HET_SIZE", "2"),
            ("SLURM_JOB_NODELIST_HET_GROUP_0", "n1"),
            ("SLURM_TASKS_PER_NODE_HET_GROUP_0", "2"),
            ("SLURM_JOB_NODELIST_HET_GROUP_1", "g[2-3]"),
            ("SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1", "8(x2)"),
        ];
        let variable = |name: &str| {
            let found = set.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.to_string())
        };
        let entries = allocation(&variable).unwrap().unwrap();
        let entries: Vec<_> = entries
            .iter()
            .map(|e| (e.host.to_string(), e.slots))
            .collect();
        let expected = [("n1", 2), ("g2", 8), ("g3", 8)];
        assert_eq!(
            entries,
            expected.map(|(name, slots)| (name.to_string(), Slots::Count(slots)))
        );
        let of = |host| component_of(host, &variable);
        assert_eq!([of("n1"), of("g3.x"), of("g4")], [Some(0), Some(1), None]);
        assert_eq!(component_of("n1", &|_| None), None);
    }
}
