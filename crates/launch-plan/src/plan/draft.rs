//! The draft of a plan: the hosts of a job, before their processors are known.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

use bootstrap::{RankSet, Secret};

use super::model::{App, Front, Plan};
use super::world::World;
use super::{environment, files, locate, program};
use crate::allocation::{self, Allocation, Here, Node};
use crate::command_line::{seconds, slots};
use crate::display;
use crate::error::invalid_value;
use crate::map::fixed::Fixed;
use crate::map::{self, Demand, HostCapacity, Map};
use crate::policy::Oversubscribe;
use crate::request::Request;
use crate::topology::Topology;
use crate::Error;

/// A job of which the hosts are known, but not where each rank runs.
#[derive(Debug)]
pub struct Draft {
    /// The hosts.
    pub allocation: Allocation,
    /// The prefix of the installation on other hosts, if the user has given it.
    pub prefix: Option<String>,
    /// The launcher's own file on other hosts, if the user has given it.
    pub launch_agent: Option<String>,
    request: Request,
    apps: Vec<App>,
    timeout: Option<Duration>,
    /// The placements of the ranks, if a file has them.
    fixed: Option<Vec<Fixed>>,
    /// The map, if it could be made without the processors of the hosts.
    map: Option<Map>,
    /// Lines about the hosts that the user requested.
    report: Vec<String>,
    /// The slots of each host that other processes of the job have.
    used: Vec<u32>,
}

/// Finds the hosts and the environment of a job, or returns what is wrong with the request. `check`
/// checks the parameters.
///
/// Where it is clear without asking the hosts where each rank runs, those without a rank are left
/// out: nothing needs to be started there.
pub fn draft(
    request: &Request,
    world: &World,
    check: &dyn Fn(&mca::Sources) -> Result<(), String>,
) -> Result<Draft, Error> {
    draft_beside(request, world, check, &|_| 0)
}

/// Finds the hosts and the environment of a part of a job, as [`draft`] does those of a job. `used`
/// returns the slots of a host that other parts have.
pub fn draft_beside(
    request: &Request,
    world: &World,
    check: &dyn Fn(&mca::Sources) -> Result<(), String>,
    used: &dyn Fn(&Node) -> u32,
) -> Result<Draft, Error> {
    let here = Here {
        name: &world.host,
        leads_here: world.leads_here,
    };
    let files = files::read(request, world)?;
    let own = allocation::own_names(&files.sources, &here);
    let allocation = allocation::resolve(&files.sources, &world.host, &own)?;
    let shared = environment::shared(request, world, check)?;
    let describe = |app| program::describe(app, request, &shared, world);
    let mut draft = Draft {
        fixed: files.fixed(&allocation, &own)?,
        report: match request.show.allocation {
            true => display::allocation(&allocation.nodes),
            false => Vec::new(),
        },
        used: allocation.nodes.iter().map(used).collect(),
        allocation,
        prefix: request.prefix.clone(),
        launch_agent: request.launch_agent.clone(),
        apps: request.apps.iter().map(describe).collect(),
        request: request.clone(),
        timeout: timeout(request, world)?,
        map: None,
    };
    if !draft.needs_topologies() {
        draft.map_hosts()?;
    }
    let mut others = draft.allocation.nodes.iter().filter(|node| !node.here);
    match others.next() {
        Some(other) if request.only_here => Err(Error::OtherHost {
            host: other.name.clone(),
        }),
        Some(_) => Ok(draft),
        None => {
            for app in &mut draft.apps {
                app.path = locate(app)?;
            }
            Ok(draft)
        }
    }
}

impl Draft {
    /// The environments of the programs.
    pub fn environments(&self) -> impl Iterator<Item = &BTreeMap<OsString, OsString>> {
        self.apps.iter().map(|app| &app.env)
    }

    /// True when [`Draft::finish`] has to know the processors of all hosts.
    pub fn needs_topologies(&self) -> bool {
        let by_line = self
            .fixed
            .iter()
            .flatten()
            .any(|fixed| fixed.line.is_some());
        let slots = self.allocation.nodes.iter().map(|node| node.slots);
        by_line || map::needs_topologies(&self.request.policy, slots)
    }

    /// Makes the map without knowing the hosts, and leaves out those that have no rank.
    fn map_hosts(&mut self) -> Result<(), Error> {
        let mut map = self.map(&[])?;
        let mut kept: Vec<usize> = map
            .placements
            .iter()
            .map(|placement| placement.node as usize)
            .collect();
        kept.sort_unstable();
        kept.dedup();
        let position_of = |node: usize| kept.binary_search(&node).ok();
        for placement in &mut map.placements {
            placement.node = position_of(placement.node as usize).unwrap_or(0) as u32;
        }
        for parts in &mut self.allocation.parts {
            parts.retain_mut(|part| match position_of(part.node) {
                Some(node) => {
                    part.node = node;
                    true
                }
                None => false,
            });
        }
        self.used = kept.iter().map(|&node| self.used[node]).collect();
        let nodes = std::mem::take(&mut self.allocation.nodes);
        let nodes = nodes.into_iter().enumerate();
        let nodes = nodes.filter(|(node, _)| kept.binary_search(node).is_ok());
        self.allocation.nodes = nodes.map(|(_, node)| node).collect();
        self.map = Some(map);
        Ok(())
    }

    /// Makes the plan. `topologies` are the processors of each host, in the order of the
    /// allocation; they may be missing if they are not needed.
    pub fn finish(self, topologies: &[Option<Topology>]) -> Result<Plan, Error> {
        let topologies = self.usable(topologies)?;
        let map = match &self.map {
            Some(map) => map.clone(),
            None => self.map(&topologies)?,
        };
        let size = map.placements.len() as u32;
        if let Some(rank) = self.request.stdin.filter(|&rank| rank >= size && rank > 0) {
            return Err(invalid_value(
                "--stdin",
                &rank.to_string(),
                format!("a rank below {size}"),
            ));
        }
        let shown = self.request.gdb.as_ref().and_then(RankSet::highest);
        if let Some(rank) = shown.filter(|rank| *rank >= size) {
            let wanted = format!("ranks below {size}");
            return Err(invalid_value("--gdb", &rank.to_string(), wanted));
        }
        let random = Error::system::<std::io::Error>("asking the system for random numbers");
        let key = Secret::random().map_err(&random)?;
        let job = Secret::random().map_err(&random)?;
        let Draft {
            request,
            apps,
            timeout,
            allocation,
            report,
            ..
        } = self;
        let mut plan = Plan {
            apps,
            nodes: allocation.nodes,
            universe: request.universe.unwrap_or(map.slots).max(size),
            placements: map.placements,
            job: u64::from_le_bytes(job.0[..8].try_into().expect("8 of 32 bytes")),
            secret: key,
            stdin: request.stdin,
            verbose: request.verbose && !request.quiet,
            oversubscribes: request.policy.oversubscribe == Oversubscribe::Allow,
            front: Front {
                tags: request.output.tags,
                merge: request.output.merge,
                files: request.output.files.clone(),
                files_only: request.output.files_only,
                timeout,
                report_deadlock: request.report_deadlock,
                tracing: request.tracing.clone(),
                gdb: request.gdb.clone(),
                keep_going: request.keep_going,
                programs: request.apps,
                ..Front::default()
            },
        };
        plan.front.reports = report;
        if request.show.map {
            plan.front.reports.extend(display::map(&plan));
        }
        if request.show.bindings {
            let lines = display::bindings(&plan, &topologies);
            plan.front.reports.extend(lines);
        }
        if !request.quiet {
            plan.front.notes = request.notes.into_iter().chain(map.notes).collect();
        }
        Ok(plan)
    }

    /// The processors that ranks may run on.
    fn usable(&self, topologies: &[Option<Topology>]) -> Result<Vec<Option<Topology>>, Error> {
        let Some(only) = &self.request.policy.only else {
            return Ok(topologies.to_vec());
        };
        let nodes = topologies.iter().zip(&self.allocation.nodes);
        let usable = nodes.map(|(topology, node)| {
            let Some(topology) = topology else {
                return Ok(None);
            };
            let part = topology.only(|thread| only.contains(&thread.cpu));
            let host = node.name.clone();
            part.map(Some).ok_or(Error::NoProcessor { host })
        });
        usable.collect()
    }

    fn map(&self, topologies: &[Option<Topology>]) -> Result<Map, Error> {
        let unknown = Topology::regular(1, 1, 1);
        let topology = |at: usize| topologies.get(at).and_then(Option::as_ref);
        let nodes = self.allocation.nodes.iter().enumerate();
        let rooms = nodes.map(|(at, node)| HostCapacity {
            name: &node.name,
            slots: node.slots,
            max_slots: node.max_slots,
            topology: topology(at).unwrap_or(&unknown),
            used: self.used[at],
        });
        let rooms: Vec<HostCapacity> = rooms.collect();
        let (policy, programs) = (&self.request.policy, self.programs());
        match &self.fixed {
            Some(fixed) => map::fixed::map(policy, &rooms, &programs, fixed),
            None => map::map(policy, &rooms, &programs, self.allocation.is_explicit),
        }
    }

    fn programs(&self) -> Vec<Demand> {
        let alone = self.request.apps.len() == 1;
        let programs = self.request.apps.iter().zip(&self.allocation.parts);
        programs
            .map(|(app, parts)| Demand {
                // As many as there is room for is a default for a job of one program only.
                count: app.count.or(match alone {
                    true => None,
                    false => Some(slots(app).unwrap_or(1)),
                }),
                parts: parts.clone(),
            })
            .collect()
    }
}

/// The option wins over the variable that MPICH and Open MPI have for it.
fn timeout(request: &Request, world: &World) -> Result<Option<Duration>, Error> {
    const VARIABLE: &str = "MPIEXEC_TIMEOUT";
    match (request.timeout, world.text(VARIABLE)) {
        (Some(timeout), _) => Ok(Some(timeout)),
        (None, Some(value)) => seconds(VARIABLE, &value),
        (None, None) => Ok(None),
    }
}
