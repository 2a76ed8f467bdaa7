//! The hosts of a job, and the shares of its programs in them.

use serde::{Deserialize, Serialize};

use super::names::OwnNames;
use crate::hosts::same_name;

/// One host of a job. Only its name goes to other hosts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Node {
    /// The host's name or address as the user wrote it first.
    pub name: String,
    /// The account to use there; `None` for that of the user.
    #[serde(skip)]
    pub user: Option<String>,
    /// How many ranks it has room for; `None` for one to each of its cores.
    #[serde(skip)]
    pub slots: Option<u32>,
    /// How many ranks it takes at most.
    #[serde(skip)]
    pub max_slots: Option<u32>,
    /// Whether it is the machine that this launcher runs on.
    #[serde(skip)]
    pub here: bool,
}

impl Node {
    /// The host with its account, as the remote shell takes it.
    pub fn account(&self) -> String {
        match &self.user {
            Some(user) => format!("{user}@{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A host that a program may run on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostShare {
    /// The host's index in [`Allocation::nodes`](super::Allocation::nodes).
    pub node: usize,
    /// How many ranks of the program it takes before it counts as full, if that was given.
    pub slots: Option<u32>,
}

/// Returns the index of the host with a name, which may be a name of this machine.
pub(super) fn find_name(nodes: &[Node], name: &str, own: &OwnNames) -> Option<usize> {
    let found = nodes.iter().position(|node| same_name(&node.name, name));
    found.or_else(|| {
        let here = nodes.iter().position(|node| node.here);
        here.filter(|_| own.has(name))
    })
}
