//! Parses the hosts that Slurm has allocated to a job, from the variables that it sets.

use crate::hosts::{same_name, Entry, Host, Slots, COUNT_MAX};
use crate::Error;

/// The list of hosts; where it is missing or empty there is no allocation.
const NODES_VARIABLE: &str = "SLURM_JOB_NODELIST";
/// The tasks of each host, which are its slots.
const TASKS_VARIABLE: &str = "SLURM_TASKS_PER_NODE";
/// The processors of each host, which count where the tasks are not said.
const CPUS_VARIABLE: &str = "SLURM_JOB_CPUS_PER_NODE";

/// The longest list of hosts that is believed.
const HOSTS_MAX: usize = 100_000;

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

/// Reads `n[1-3,7],m02,r[0-1]n[08-10]`; `None` when it cannot be.
fn host_list(text: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for item in split_outside_brackets(text)? {
        let mut grown = vec![String::new()];
        let mut rest = item;
        while !rest.is_empty() {
            let plain = rest.find('[').unwrap_or(rest.len());
            grown
                .iter_mut()
                .for_each(|name| name.push_str(&rest[..plain]));
            rest = &rest[plain..];
            if let Some(open) = rest.strip_prefix('[') {
                let (inside, after) = open.split_once(']')?;
                let numbers = numbers(inside)?;
                if grown.len().checked_mul(numbers.len())? > HOSTS_MAX {
                    return None;
                }
                let with = |name: &String| -> Vec<String> {
                    numbers
                        .iter()
                        .map(|number| format!("{name}{number}"))
                        .collect()
                };
                grown = grown.iter().flat_map(with).collect();
                rest = after;
            }
        }
        names.append(&mut grown);
    }
    let fine = |name: &String| !name.is_empty() && !name.starts_with('-');
    (names.len() <= HOSTS_MAX && names.iter().all(fine)).then_some(names)
}

fn split_outside_brackets(text: &str) -> Option<Vec<&str>> {
    let (mut items, mut from, mut inside) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '[' if !inside => inside = true,
            ']' if inside => inside = false,
            '[' | ']' => return None,
            ',' if !inside => {
                items.push(&text[from..at]);
                from = at + 1;
            }
            c if c.is_whitespace() => return None,
            _ => {}
        }
    }
    items.push(&text[from..]);
    (!inside).then_some(items)
}

/// Reads `1-3,07`; numbers keep the width that they are written with.
fn numbers(text: &str) -> Option<Vec<String>> {
    let mut numbers = Vec::new();
    for item in text.split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
        if !is_number(first) || !is_number(last) {
            return None;
        }
        let (low, high) = (first.parse::<u64>().ok()?, last.parse::<u64>().ok()?);
        if high < low || high - low >= HOSTS_MAX as u64 {
            return None;
        }
        let width = first.len();
        numbers.extend((low..=high).map(|number| format!("{number:0width$}")));
        if numbers.len() > HOSTS_MAX {
            return None;
        }
    }
    Some(numbers)
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
    fn lists_of_hosts() {
        for (text, names) in [
            ("n1", &["n1"][..]),
            ("n[1-3,7],m02", &["n1", "n2", "n3", "n7", "m02"]),
            ("n[08-10]", &["n08", "n09", "n10"]),
            ("a-b,c[1]x", &["a-b", "c1x"]),
            ("r[0-1]n[1-2]", &["r0n1", "r0n2", "r1n1", "r1n2"]),
        ] {
            assert_eq!(host_list(text).unwrap(), names, "{text}");
        }
        for bad in [
            "",
            "n[1-",
            "n[1-2]]",
            "n[]",
            "n[2-1]",
            "n[a-b]",
            "a,,b",
            "n[1[2]]",
            "-x",
            "a b",
            "n[0-99999999999]",
            "r[1-1000]n[1-1000]",
        ] {
            assert_eq!(host_list(bad), None, "{bad}");
        }
    }

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
