//! Reads the hosts that Flux has allocated, from the resource set that `flux resource R` prints:
//! JSON as Flux's RFC 20 has it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::host_list::{host_list, number_list};
use crate::hosts::COUNT_MAX;

/// A host of Flux's allocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FluxHost {
    /// Its name.
    pub name: String,
    /// The rank of its broker, by which Flux's commands know it.
    pub rank: u32,
    /// How many cores of it the allocation has.
    pub cores: u32,
}

/// A resource set, as far as it is of interest.
#[derive(Deserialize)]
struct ResourceSet {
    version: u32,
    execution: Execution,
}

#[derive(Deserialize)]
struct Execution {
    #[serde(rename = "R_lite")]
    resources: Vec<Resources>,
    /// The hosts in the order of the ranks.
    nodelist: Vec<String>,
}

/// Resources that several ranks have alike.
#[derive(Deserialize)]
struct Resources {
    rank: String,
    children: Children,
}

#[derive(Deserialize)]
struct Children {
    #[serde(default)]
    core: String,
}

/// Returns the hosts of a resource set, in the order of their ranks.
///
/// # Errors
/// When the text is no resource set, with the reason.
pub fn flux_hosts(text: &str) -> Result<Vec<FluxHost>, String> {
    let set: ResourceSet = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if set.version != 1 {
        return Err(format!("a resource set of version {}, not 1", set.version));
    }
    let mut cores = BTreeMap::new();
    for resources in &set.execution.resources {
        let (ranks, own) = (&resources.rank, &resources.children.core);
        let list = |text: &str| number_list(text).ok_or_else(|| format!("no numbers: {text:?}"));
        let count = match own.is_empty() {
            true => 0,
            false => list(own)?.len() as u32,
        };
        cores.extend(list(ranks)?.into_iter().map(|rank| (rank, count)));
    }
    let mut names = Vec::new();
    for list in &set.execution.nodelist {
        names.extend(host_list(list).ok_or_else(|| format!("no list of hosts: {list:?}"))?);
    }
    if names.len() != cores.len() || names.is_empty() {
        let (hosts, ranks) = (names.len(), cores.len());
        return Err(format!("{hosts} hosts for {ranks} ranks"));
    }
    let host = |(name, (rank, cores)): (String, (u32, u32))| FluxHost {
        name,
        rank,
        cores: cores.min(COUNT_MAX),
    };
    Ok(names.into_iter().zip(cores).map(host).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET: &str = r#"{"version": 1, "execution": {
        "R_lite": [{"rank": "0,2", "children": {"core": "0-7", "gpu": "0"}},
                   {"rank": "5", "children": {"core": "2,4"}}],
        "starttime": 0.0, "expiration": 0.0, "nodelist": ["n[1-2]", "x"]},
        "scheduling": {"graph": {}}}"#;

    #[test]
    fn hosts_follow_the_order_of_their_ranks() {
        let hosts = flux_hosts(SET).unwrap();
        let hosts: Vec<_> = hosts
            .iter()
            .map(|h| (&h.name[..], h.rank, h.cores))
            .collect();
        assert_eq!(hosts, [("n1", 0, 8), ("n2", 2, 8), ("x", 5, 2)]);
    }

    #[test]
    fn what_is_no_resource_set_is_an_error_with_the_reason() {
        for (old, new, part) in [
            ("\"version\": 1", "\"version\": 2", "version 2"),
            ("\"0,2\"", "\"0-\"", "0-"),
            ("\"5\"", "\"2\"", "3 hosts for 2 ranks"),
            ("n[1-2]", "n[1-", "n[1-"),
            ("R_lite", "R", "R_lite"),
            ("{", "", "expected"),
        ] {
            let error = flux_hosts(&SET.replacen(old, new, 1)).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
