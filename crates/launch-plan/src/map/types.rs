//! The values that mapping works on: hosts, programs, assignments and placements.

use serde::{Deserialize, Serialize};

use crate::allocation::HostShare;
use crate::topology::{Topology, Unit};

/// A host as ranks are put on it.
#[derive(Clone, Copy, Debug)]
pub struct HostCapacity<'a> {
    /// The host's name, for messages.
    pub name: &'a str,
    /// How many ranks it has room for; `None` for one to each of its processors.
    pub slots: Option<u32>,
    /// How many ranks it takes at most.
    pub max_slots: Option<u32>,
    /// The host's processors.
    pub topology: &'a Topology,
    /// How many of its slots other processes of the job have.
    pub used: u32,
}

/// A program as its ranks are put on hosts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Demand {
    /// How many ranks run it; `None` for as many as there is room for.
    pub count: Option<u32>,
    /// The hosts that it may run on.
    pub parts: Vec<HostShare>,
}

/// The placement of a rank: host, processors and numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Placement {
    /// The program that it runs.
    pub app: u32,
    /// The rank's host.
    pub node: u32,
    /// The number of the rank among those of its host, from 0.
    pub local_rank: u32,
    /// The processors that it is bound to, as the system counts them; empty where it is not bound.
    pub cpus: Vec<u32>,
}

/// A map of all ranks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    /// The placements of the ranks, in rank order.
    pub placements: Vec<Placement>,
    /// How many slots there are.
    pub slots: u32,
    /// Warnings for the user, in lines.
    pub notes: Vec<String>,
}

/// The host or object that a rank is assigned to, before the rank has a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Assignment {
    pub(super) node: usize,
    /// The object on that host, if ranks are assigned to objects.
    pub(super) object: Option<(Unit, u32)>,
}
