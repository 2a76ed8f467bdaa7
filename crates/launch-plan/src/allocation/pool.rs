//! Selection of hosts from those available.

use super::names::OwnNames;
use super::node::{find_name, HostShare, Node};
use crate::hosts::{Entry, Host, Slots};
use crate::Error;

/// The hosts that programs choose from.
pub(super) struct Pool {
    /// Source of the hosts, for messages.
    name: &'static str,
    pub(super) nodes: Vec<Node>,
    /// Which of them a program has chosen.
    used: Vec<bool>,
    /// A program that names a host once, without a count, has one slot there, not all of them.
    pub(super) bare_counts: bool,
}

/// Lets a file choose first, where one does, and then each program.
pub(super) fn choose_all(
    mut pool: Pool,
    file: Option<&Vec<Entry>>,
    hosts: &[Vec<Entry>],
    own: &OwnNames,
) -> Result<(Pool, Vec<Vec<HostShare>>), Error> {
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
    pub(super) fn new(name: &'static str, nodes: Vec<Node>) -> Pool {
        let used = vec![false; nodes.len()];
        Pool {
            name,
            nodes,
            used,
            bare_counts: false,
        }
    }

    /// The hosts that `entries` name, or all when those are none.
    fn choose(&mut self, entries: &[Entry], own: &OwnNames) -> Result<Vec<HostShare>, Error> {
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
        let part = |(node, slots, times)| HostShare {
            node,
            slots: match slots {
                Slots::Count(count) => Some(count),
                Slots::Unspecified if times > 1 || bare_counts => Some(times),
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
    pub(super) fn keep_used(
        &mut self,
        mut parts: Vec<Vec<HostShare>>,
        no_local: bool,
    ) -> Result<Vec<Vec<HostShare>>, Error> {
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
        _ => Slots::Unspecified,
    }
}
