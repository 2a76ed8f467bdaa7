//! Determines the hosts of a job and the slots of each. No I/O.
//!
//! The hosts come from the first of these sources that names any: the batch system, the host files
//! of the command line, `--host`, the default host file that the environment names (Kubernetes
//! operators set one). Without any the job runs on this machine only. Of the first three, a later
//! source selects from the hosts of an earlier one: in an allocation a host file can only leave
//! hosts out, and so can `--host` beside a file. Each program of a job may select its own hosts.

pub(crate) mod batch;
mod flux;
mod host_list;
mod names;
mod node;
mod pool;
mod slurm;

use std::collections::HashMap;

use crate::hosts::{first_of_name, same_name, Entry, Host, Slots};
use crate::Error;

pub use batch::{BatchSystem, Granted, FLUX_RESOURCES};
pub use flux::{flux_hosts, FluxHost};
pub use names::{is_own_name, Here, OwnNames};
use node::find_name;
pub use node::{HostShare, Node};
use pool::{choose_all, Pool};
pub use slurm::component_of as slurm_component_of;

/// The hosts of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// Hosts that some program of the job may run on; no host is there twice.
    pub nodes: Vec<Node>,
    /// Hosts that each program may run on; at least one.
    pub parts: Vec<Vec<HostShare>>,
    /// Whether any source names hosts; otherwise this machine is the only one.
    pub is_explicit: bool,
}

impl Allocation {
    /// True when no other machine is part of the job.
    pub fn is_local(&self) -> bool {
        self.nodes.iter().all(|node| node.here)
    }

    /// Returns the index of a host that is named among those of the job; `None` when it is not
    /// there.
    pub fn find(&self, host: &Host, own: &OwnNames) -> Option<usize> {
        match host {
            Host::Name(name) => find_name(&self.nodes, name, own),
            Host::Nth(nth) => Some(*nth as usize).filter(|&nth| nth < self.nodes.len()),
            Host::Empty(_) => None,
        }
    }

    /// Returns this machine's index among the hosts, if it is one of them.
    pub fn here(&self) -> Option<usize> {
        self.nodes.iter().position(|node| node.here)
    }
}

/// The hosts of a job as options, files and variables name them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HostSources {
    /// The hosts that a batch system has allocated.
    pub batch: Option<Granted>,
    /// The hosts of the host files, all files together, in the order of the command line.
    pub files: Option<Vec<Entry>>,
    /// The hosts of the file that the environment names.
    pub default_file: Option<Vec<Entry>>,
    /// The hosts of each program's `--host`; as many as there are programs.
    pub hosts: Vec<Vec<Entry>>,
    /// No rank may run on this machine.
    pub no_local: bool,
}

/// Finds which of the names in `sources` mean this machine.
pub fn own_names(sources: &HostSources, here: &Here<'_>) -> OwnNames {
    let granted = sources.batch.iter().map(|granted| &granted.entries);
    let files = sources.files.iter().chain(&sources.default_file);
    let entries = granted.chain(files).chain(&sources.hosts).flatten();
    let names = entries.filter_map(|entry| match &entry.host {
        Host::Name(name) => Some(name.as_str()),
        _ => None,
    });
    OwnNames::among(names, here)
}

/// Finds the hosts of a job. `name` is what this machine calls itself.
pub fn resolve(sources: &HostSources, name: &str, own: &OwnNames) -> Result<Allocation, Error> {
    let listed: Vec<Entry> = sources.hosts.iter().flatten().cloned().collect();
    let base = match sources {
        HostSources {
            batch: Some(granted),
            ..
        } => Some((granted.system.allocation(), &granted.entries)),
        HostSources {
            files: Some(nodes), ..
        } => Some(("the host file", nodes)),
        HostSources {
            default_file: Some(nodes),
            ..
        } => Some(("the default host file", nodes)),
        _ => None,
    };
    let (mut pool, parts) = match base {
        Some((source, entries)) => {
            let pool = Pool::new(source, merge(entries, false, own)?);
            let filter = sources
                .batch
                .is_some()
                .then_some(sources.files.as_ref())
                .flatten();
            choose_all(pool, filter, &sources.hosts, own)?
        }
        None if !listed.is_empty() => {
            let mut pool = Pool::new("--host", merge(&listed, true, own)?);
            pool.bare_counts = true;
            choose_all(pool, None, &sources.hosts, own)?
        }
        None => {
            let alone = vec![this_machine(name)];
            choose_all(Pool::new("this machine", alone), None, &sources.hosts, own)?
        }
    };
    let is_explicit = base.is_some() || !listed.is_empty();
    let parts = pool.keep_used(parts, sources.no_local)?;
    Ok(Allocation {
        nodes: pool.nodes,
        parts,
        is_explicit,
    })
}

fn this_machine(name: &str) -> Node {
    Node {
        name: name.to_string(),
        user: None,
        slots: None,
        max_slots: None,
        here: true,
    }
}

/// Makes nodes of entries; a host that is named again gets what is said each time. A host without
/// a count has one slot for each time that it is named, or as many as it has cores when it is
/// named once and that does not count (`bare_counts`).
fn merge(entries: &[Entry], bare_counts: bool, own: &OwnNames) -> Result<Vec<Node>, Error> {
    struct Seen {
        node: Node,
        sources: Option<u32>,
        bare: u32,
        all: bool,
    }
    let mut seen: Vec<Seen> = Vec::new();
    // For the first part of a name, or an address, those that have been seen.
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    let mut here: Option<usize> = None;
    for entry in entries {
        let Host::Name(name) = &entry.host else {
            return Err(Error::NoHostList);
        };
        let is_here = own.has(name);
        let alike = alike.entry(first_of_name(name)).or_default();
        let by_name = alike
            .iter()
            .find(|&&at| same_name(&seen[at].node.name, name));
        let known = here.filter(|_| is_here).or(by_name.copied());
        let at = known.unwrap_or_else(|| {
            let node = Node {
                here: is_here,
                ..this_machine(name)
            };
            let (sources, bare, all) = (None, 0, false);
            seen.push(Seen {
                node,
                sources,
                bare,
                all,
            });
            alike.push(seen.len() - 1);
            seen.len() - 1
        });
        here = here.or(is_here.then_some(at));
        let Seen {
            node,
            sources,
            bare,
            all,
        } = &mut seen[at];
        node.user = node.user.take().or(entry.user.clone());
        node.max_slots = match (node.max_slots, entry.max_slots) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        match entry.slots {
            Slots::Unspecified => *bare += 1,
            Slots::All => *all = true,
            Slots::Count(count) => *sources = Some(sources.unwrap_or(0).saturating_add(count)),
        }
    }
    let finish = |s: Seen| {
        let counts = bare_counts || s.bare > 1 || s.sources.is_some();
        let slots = match (s.sources, s.bare) {
            (None, 0) => None,
            (None, _) if !counts => None,
            (sources, bare) => Some(sources.unwrap_or(0).saturating_add(bare)),
        };
        Node {
            slots: slots.filter(|_| !s.all),
            ..s.node
        }
    };
    Ok(seen.into_iter().map(finish).collect())
}

#[cfg(test)]
mod tests;
