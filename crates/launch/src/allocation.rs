//! Which hosts a job has, and how many ranks each has room for. No I/O.
//!
//! The hosts come from the first of these that says any: Slurm, the host files of the command
//! line, `--host`, the default host file that an environment names (the operator of Kubernetes
//! sets one), else this machine is the only one. What stands later in the list of Slurm, file,
//! `--host` chooses from what stands before it: under Slurm a host file can only leave hosts out,
//! and so can `--host` beside a file. Each program of a job may choose its own hosts.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::net::IpAddr;

use crate::hosts::{first_of_name, same_name, Entry, Host, Slots};
use crate::Error;

/// One host of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its name or address as the user wrote it first.
    pub name: String,
    /// The account to use there; `None` for that of the user.
    pub user: Option<String>,
    /// How many ranks it has room for; `None` for one to each of its cores.
    pub slots: Option<u32>,
    /// How many ranks it takes at most.
    pub max_slots: Option<u32>,
    /// It is the machine that this launcher runs on.
    pub here: bool,
}

/// A host that a program may run on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its place in [`Allocation::nodes`].
    pub node: usize,
    /// How many ranks of the program it takes before it counts as full, where that was said.
    pub slots: Option<u32>,
}

/// The hosts of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// Those that some program of the job may run on; no host is there twice.
    pub nodes: Vec<Node>,
    /// For each program the hosts that it may run on; at least one.
    pub parts: Vec<Vec<Part>>,
    /// Somebody has said which hosts there are; else this machine is the only one.
    pub is_said: bool,
}

impl Allocation {
    /// True when no other machine is part of the job.
    pub fn is_local(&self) -> bool {
        self.nodes.iter().all(|node| node.here)
    }

    /// The place of a host that is named among those of the job; `None` when it is not there.
    pub fn find(&self, host: &Host, own: &OwnNames) -> Option<usize> {
        match host {
            Host::Name(name) => find_name(&self.nodes, name, own),
            Host::Nth(nth) => Some(*nth as usize).filter(|&nth| nth < self.nodes.len()),
            Host::Empty(_) => None,
        }
    }

    /// This machine's place among the hosts, if it is one of them.
    pub fn here(&self) -> Option<usize> {
        self.nodes.iter().position(|node| node.here)
    }
}

/// What has been said about the hosts of a job.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// The hosts that Slurm has given.
    pub slurm: Option<Vec<Entry>>,
    /// The hosts of the host files, all files together, in the order of the command line.
    pub files: Option<Vec<Entry>>,
    /// The hosts of the file that the environment names.
    pub default_file: Option<Vec<Entry>>,
    /// The hosts of each program's `--host`; as many as there are programs.
    pub hosts: Vec<Vec<Entry>>,
    /// No rank may run on this machine.
    pub no_local: bool,
}

/// How to tell which names mean this machine.
pub struct Here<'a> {
    /// This machine's own name.
    pub name: &'a str,
    /// True for a name or address that leads to this machine; may take a while.
    pub leads_here: fn(&str) -> bool,
}

/// How many names are looked up at a time.
const LOOK_UPS: usize = 32;

/// The names that mean this machine, among those of a job.
pub struct OwnNames(HashSet<String>);

impl OwnNames {
    /// Finds them among `names`. Names are only looked up when none of them is this machine's for
    /// certain: most lists have one name for each host.
    fn among<'n>(names: impl Iterator<Item = &'n str>, here: &Here<'_>) -> OwnNames {
        let names: BTreeSet<&str> = names.collect();
        let is_certain = |name: &str| {
            let is_address = name.parse::<IpAddr>().is_ok();
            is_own_name(name, here.name) || is_address && (here.leads_here)(name)
        };
        let (certain, others): (Vec<&str>, Vec<&str>) =
            names.into_iter().partition(|name| is_certain(name));
        if !certain.is_empty() {
            return OwnNames(certain.into_iter().map(String::from).collect());
        }
        let share = others.len().div_ceil(LOOK_UPS).max(1);
        let look_up = |names: &[&str]| -> Vec<String> {
            let own = names.iter().filter(|name| (here.leads_here)(name));
            own.map(|name| name.to_string()).collect()
        };
        let found = std::thread::scope(|scope| {
            let threads = others
                .chunks(share)
                .map(|names| scope.spawn(move || look_up(names)));
            let threads: Vec<_> = threads.collect();
            // A thread that panicked has found nothing.
            let results = threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_default());
            results.flatten().collect()
        });
        OwnNames(found)
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// True for a name that means the machine called `own` whatever the network says.
pub fn is_own_name(name: &str, own: &str) -> bool {
    matches!(name, "localhost" | "localhost.localdomain" | "::1")
        || name.starts_with("127.") && name.parse::<IpAddr>().is_ok()
        || same_name(name, own)
}

/// Finds which of the names that were said mean this machine.
pub fn own_names(said: &Said, here: &Here<'_>) -> OwnNames {
    let lists = [&said.slurm, &said.files, &said.default_file];
    let entries = lists.into_iter().flatten().chain(&said.hosts).flatten();
    let names = entries.filter_map(|entry| match &entry.host {
        Host::Name(name) => Some(name.as_str()),
        _ => None,
    });
    OwnNames::among(names, here)
}

/// Finds the hosts of a job. `name` is what this machine calls itself.
pub fn resolve(said: &Said, name: &str, own: &OwnNames) -> Result<Allocation, Error> {
    let listed: Vec<Entry> = said.hosts.iter().flatten().cloned().collect();
    let base = match said {
        Said {
            slurm: Some(nodes), ..
        } => Some(("Slurm's allocation", nodes)),
        Said {
            files: Some(nodes), ..
        } => Some(("the host file", nodes)),
        Said {
            default_file: Some(nodes),
            ..
        } => Some(("the default host file", nodes)),
        _ => None,
    };
    let (mut pool, parts) = match base {
        Some((source, entries)) => {
            let pool = Pool::new(source, merge(entries, false, own)?);
            let filter = said
                .slurm
                .is_some()
                .then_some(said.files.as_ref())
                .flatten();
            choose_all(pool, filter, &said.hosts, own)?
        }
        None if !listed.is_empty() => {
            let mut pool = Pool::new("--host", merge(&listed, true, own)?);
            pool.bare_counts = true;
            choose_all(pool, None, &said.hosts, own)?
        }
        None => {
            let alone = vec![this_machine(name)];
            choose_all(Pool::new("this machine", alone), None, &said.hosts, own)?
        }
    };
    let is_said = base.is_some() || !listed.is_empty();
    let parts = pool.keep_used(parts, said.no_local)?;
    Ok(Allocation {
        nodes: pool.nodes,
        parts,
        is_said,
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
        said: Option<u32>,
        bare: u32,
        all: bool,
    }
    let mut seen: Vec<Seen> = Vec::new();
    // For the first part of a name, or an address, those that have been seen.
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    let mut here: Option<usize> = None;
    for entry in entries {
        let Host::Name(name) = &entry.host else {
            return Err(Error::NoPlaces);
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
            let (said, bare, all) = (None, 0, false);
            seen.push(Seen {
                node,
                said,
                bare,
                all,
            });
            alike.push(seen.len() - 1);
            seen.len() - 1
        });
        here = here.or(is_here.then_some(at));
        let Seen {
            node,
            said,
            bare,
            all,
        } = &mut seen[at];
        node.user = node.user.take().or(entry.user.clone());
        node.max_slots = match (node.max_slots, entry.max_slots) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        match entry.slots {
            Slots::Unsaid => *bare += 1,
            Slots::All => *all = true,
            Slots::Count(count) => *said = Some(said.unwrap_or(0).saturating_add(count)),
        }
    }
    let finish = |s: Seen| {
        let counts = bare_counts || s.bare > 1 || s.said.is_some();
        let slots = match (s.said, s.bare) {
            (None, 0) => None,
            (None, _) if !counts => None,
            (said, bare) => Some(said.unwrap_or(0).saturating_add(bare)),
        };
        Node {
            slots: slots.filter(|_| !s.all),
            ..s.node
        }
    };
    Ok(seen.into_iter().map(finish).collect())
}

fn find_name(nodes: &[Node], name: &str, own: &OwnNames) -> Option<usize> {
    let found = nodes.iter().position(|node| same_name(&node.name, name));
    found.or_else(|| {
        let here = nodes.iter().position(|node| node.here);
        here.filter(|_| own.has(name))
    })
}

/// The hosts that programs choose from.
struct Pool {
    /// What they come from, for messages.
    name: &'static str,
    nodes: Vec<Node>,
    /// Which of them a program has chosen.
    used: Vec<bool>,
    /// A program that names a host once, without a count, has one slot there, not all of them.
    bare_counts: bool,
}

/// Lets a file choose first, where one does, and then each program.
fn choose_all(
    mut pool: Pool,
    file: Option<&Vec<Entry>>,
    hosts: &[Vec<Entry>],
    own: &OwnNames,
) -> Result<(Pool, Vec<Vec<Part>>), Error> {
    if let Some(entries) = file {
        let chosen = pool.choose(entries, own)?;
        let nodes = chosen.iter().map(|part| {
            let node = pool.nodes[part.node].clone();
            // A file may leave slots out, not add any.
            let slots = match (node.slots, part.slots) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            Node { slots, ..node }
        });
        pool = Pool::new(pool.name, nodes.collect());
    }
    let parts = hosts.iter().map(|entries| pool.choose(entries, own));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    Ok((pool, parts))
}

impl Pool {
    fn new(name: &'static str, nodes: Vec<Node>) -> Pool {
        let used = vec![false; nodes.len()];
        Pool {
            name,
            nodes,
            used,
            bare_counts: false,
        }
    }

    /// The hosts that `entries` name, or all when those are none.
    fn choose(&mut self, entries: &[Entry], own: &OwnNames) -> Result<Vec<Part>, Error> {
        let mut chosen: Vec<(usize, Slots, u32)> = Vec::new();
        let mut add = |used: &mut Vec<bool>, node: usize, slots: Slots| {
            used[node] = true;
            match chosen.iter_mut().find(|(known, _, _)| *known == node) {
                Some((_, known, times)) => {
                    *known = add_slots(*known, slots);
                    *times += 1;
                }
                None => chosen.push((node, slots, 1)),
            }
        };
        if entries.is_empty() {
            (0..self.nodes.len()).for_each(|node| add(&mut self.used, node, Slots::All));
        }
        for entry in entries {
            match &entry.host {
                Host::Name(name) => {
                    let node = self.find(name, own)?;
                    add(&mut self.used, node, entry.slots);
                }
                Host::Nth(nth) if (*nth as usize) < self.nodes.len() => {
                    add(&mut self.used, *nth as usize, entry.slots);
                }
                Host::Nth(nth) => return Err(self.too_few(format!("+n{nth}"))),
                Host::Empty(many) => {
                    let free = (0..self.nodes.len()).filter(|&node| !self.used[node]);
                    let wanted = many.map_or(usize::MAX, |many| many as usize);
                    let free: Vec<usize> = free.take(wanted).collect();
                    if free.is_empty() || many.is_some_and(|many| free.len() < many as usize) {
                        let many = many.map_or(String::new(), |many| format!(":{many}"));
                        return Err(self.too_few(format!("+e{many}")));
                    }
                    free.into_iter()
                        .for_each(|node| add(&mut self.used, node, Slots::All));
                }
            }
        }
        let bare_counts = self.bare_counts;
        let part = |(node, slots, times)| Part {
            node,
            slots: match slots {
                Slots::Count(count) => Some(count),
                Slots::Unsaid if times > 1 || bare_counts => Some(times),
                _ => None,
            },
        };
        Ok(chosen.into_iter().map(part).collect())
    }

    fn find(&self, name: &str, own: &OwnNames) -> Result<usize, Error> {
        find_name(&self.nodes, name, own).ok_or_else(|| Error::HostNotAllocated {
            host: name.to_string(),
            source: self.name,
        })
    }

    fn too_few(&self, wanted: String) -> Error {
        Error::TooFewHosts {
            wanted,
            source: self.name,
            there_are: self.nodes.len(),
        }
    }

    /// Forgets the hosts that no program may run on.
    fn keep_used(
        &mut self,
        mut parts: Vec<Vec<Part>>,
        no_local: bool,
    ) -> Result<Vec<Vec<Part>>, Error> {
        if no_local {
            let nodes = &self.nodes;
            parts
                .iter_mut()
                .for_each(|parts| parts.retain(|part| !nodes[part.node].here));
        }
        if parts.iter().any(Vec::is_empty) {
            return Err(Error::NothingLeft);
        }
        let mut kept: Vec<usize> = parts.iter().flatten().map(|part| part.node).collect();
        kept.sort_unstable();
        kept.dedup();
        for part in parts.iter_mut().flatten() {
            part.node = kept.binary_search(&part.node).unwrap_or(0);
        }
        self.nodes = kept.iter().map(|&node| self.nodes[node].clone()).collect();
        self.used = vec![true; self.nodes.len()];
        Ok(parts)
    }
}

fn add_slots(a: Slots, b: Slots) -> Slots {
    match (a, b) {
        (Slots::Count(a), Slots::Count(b)) => Slots::Count(a.saturating_add(b)),
        (Slots::Count(a), _) | (_, Slots::Count(a)) => Slots::Count(a.saturating_add(1)),
        (Slots::All, _) | (_, Slots::All) => Slots::All,
        _ => Slots::Unsaid,
    }
}

#[cfg(test)]
mod tests;
