//! Plans the parts that processes of a job ask for.
//!
//! `docs/paths.md` has the way of a spawn, of which this is a step.
//!
//! # The plan of a part
//!
//! A part is planned as if `mpirun` had been started with its programs: the same hosts, policy and
//! parameters, and the environment of the program that asks, changed by what the info keys of the
//! part's programs say. The slots that processes of the job have are taken; when none is left,
//! hosts get more ranks than slots.
//!
//! | info key                                      | meaning, in `mpirun`'s options              |
//! |-----------------------------------------------|---------------------------------------------|
//! | `host`, `hosts`, `host_list`                  | `--host`                                    |
//! | `hostfile`                                    | `--hostfile`                                |
//! | `add-host`, `add-hostfile`                    | hosts for it that the job may not have yet   |
//! | `wdir`, `wd`                                  | `--wdir`                                    |
//! | `path`                                        | `--path`                                    |
//! | `map_by`, `mapby`, `map-by`                   | `--map-by`                                  |
//! | `rank_by`, `rank-by`                          | `--rank-by`                                 |
//! | `bind_to`, `bind-to`                          | `--bind-to`                                 |
//! | `npernode`, `ppr`                             | this many ranks to each host in turn        |
//! | `soft`                                        | the numbers of ranks that will do           |
//! | `env`                                         | `NAME=VALUE` lines for the environment      |
//! | `mpi_initial_errhandler`                      | `--initial-errhandler`                      |
//! | `file`                                        | a file with lines `KEY = VALUE` of the above |
//!
//! Other keys have no effect (MPI 5.0, 10.2).

mod info;

use std::collections::BTreeSet;

use bootstrap::spawn::{Refusal, Spawn};

use launch_plan::allocation::Node;
use launch_plan::hosts::same_name;
use launch_plan::plan::{self, Front, Plan, World};
use launch_plan::policy::MapBy;
use launch_plan::request::{AppRequest, Request, Show};
use launch_plan::topology::Topology;
use launch_plan::Error;
use launch_tree::plm::Agent;
use launch_tree::shape::ROOT;

/// The planner of the parts of a job.
pub(crate) struct Spawner<'a> {
    /// The job as it was started.
    pub(crate) request: &'a Request,
    pub(crate) world: &'a World,
    /// Checks the parameters.
    pub(crate) judge: &'a dyn Fn(&mca::Sources) -> Result<(), String>,
    /// Returns how daemons are started on other hosts.
    pub(crate) agent: &'a dyn Fn() -> Result<Agent, Error>,
    /// The hosts of the job; placements name them by their indices.
    pub(crate) hosts: Vec<JobHost>,
}

/// A host of the job.
pub(crate) struct JobHost {
    pub(crate) node: Node,
    /// Its processors, where they are known.
    pub(crate) topology: Option<Topology>,
    /// The vertex of its daemon.
    pub(crate) vertex: u32,
    pub(crate) state: DaemonState,
}

/// The state of a host's daemon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DaemonState {
    /// It was started, and is not ready.
    Starting,
    Ready,
    /// It could not be started, or has ended.
    Lost,
}

/// A request for a part on hosts whose daemons are not ready.
pub(crate) struct PendingSpawn {
    /// The process that asks, and its name of the request.
    pub(crate) number: u32,
    pub(crate) ticket: u32,
    pub(crate) spawn: Spawn,
    /// The vertices of the daemons.
    pub(crate) vertices: BTreeSet<u32>,
}

/// The outcome of planning a part.
pub(crate) enum Planned {
    Part(Box<Plan>),
    /// Hosts of the part whose daemons are not ready.
    Waits(Vec<Node>),
}

impl Spawner<'_> {
    /// Plans a part that a process of the program `parent` asks for; `used` are the processes that
    /// each host has. Placements name hosts by their indices in the job, `start` is the plan of its
    /// first part.
    pub(crate) fn plan(
        &self,
        spawn: &Spawn,
        parent: &AppRequest,
        used: &[u32],
        start: &Plan,
    ) -> Result<Planned, Refusal> {
        let mut request = self.base();
        for (at, program) in spawn.programs.iter().enumerate() {
            let app = info::app(&mut request, program, spawn)
                .map_err(|error| refusal(Some(at as u32), &error))?;
            request.apps.push(app.inheriting(parent));
        }
        let plan = self
            .make(&request, used)
            .map_err(|error| refusal(None, &error))?;
        let is_ready = |node: &&Node| {
            let known = self.find(node).map(|at| self.hosts[at].state);
            known == Some(DaemonState::Ready)
        };
        let missing = hosts_of(&plan).into_iter().map(|at| &plan.nodes[at]);
        let missing: Vec<Node> = missing.filter(|node| !is_ready(node)).cloned().collect();
        match missing.is_empty() {
            true => self
                .fit(plan, start)
                .map(|plan| Planned::Part(Box::new(plan))),
            false => Ok(Planned::Waits(missing)),
        }
    }

    /// The request of the job without its programs.
    fn base(&self) -> Request {
        let mut request = Request {
            apps: Vec::new(),
            stdin: None,
            show: Show::default(),
            notes: Vec::new(),
            timeout: None,
            ..self.request.clone()
        };
        if matches!(request.policy.map, MapBy::RankFile | MapBy::Sequence) {
            // The file places the ranks of the first part.
            (request.policy.map, request.policy.file) = (MapBy::Slot, None);
        }
        request
    }

    fn make(&self, request: &Request, used: &[u32]) -> Result<Plan, Error> {
        let mut request = request.clone();
        let own: Vec<_> = self
            .request
            .apps
            .iter()
            .flat_map(|app| app.hosts.clone())
            .collect();
        for app in &mut request.apps {
            // Hosts that the keys name are not among those of the start.
            let has_own =
                !request.added.is_empty() || request.host_files != self.request.host_files;
            if app.hosts.is_empty() && !has_own {
                app.hosts.clone_from(&own);
            }
        }
        let taken = |node: &Node| self.find(node).map_or(0, |at| used[at]);
        let draft = plan::draft_beside(&request, self.world, self.judge, &taken)?;
        let topology = |node: &Node| {
            self.find(node)
                .and_then(|at| self.hosts[at].topology.clone())
        };
        let topologies: Vec<_> = draft.allocation.nodes.iter().map(topology).collect();
        draft.finish(&topologies)
    }

    /// Makes a plan one of the job's: with its hosts and room.
    fn fit(&self, mut plan: Plan, start: &Plan) -> Result<Plan, Refusal> {
        let mut at = vec![0; plan.nodes.len()];
        for own in hosts_of(&plan) {
            let node = &plan.nodes[own];
            let found = self.find(node).ok_or_else(|| Refusal {
                program: None,
                reason: format!("host {} has no daemon of the job", node.name),
            })?;
            at[own] = found as u32;
        }
        for placement in &mut plan.placements {
            placement.node = at[placement.node as usize];
        }
        plan.nodes = self.hosts.iter().map(|known| known.node.clone()).collect();
        plan.universe = start.universe;
        let programs = plan.front.programs;
        plan.front = Front {
            programs,
            ..start.front.clone()
        };
        Ok(plan)
    }

    /// The index of a host among those of the job.
    fn find(&self, node: &Node) -> Option<usize> {
        self.hosts.iter().position(|known| {
            let (is_lost, known) = (known.state == DaemonState::Lost, &known.node);
            match node.here {
                true => !is_lost && known.here,
                false => !is_lost && !known.here && same_name(&known.name, &node.name),
            }
        })
    }

    /// The index of a host, which becomes one of the job's if it is not. A daemon of this vertex
    /// is to be started there, unless it is this machine and ranks here are the launcher's own.
    pub(crate) fn add(
        &mut self,
        node: &Node,
        starts_here: bool,
        vertex: impl FnOnce() -> u32,
    ) -> usize {
        if let Some(at) = self.find(node) {
            return at;
        }
        let (vertex, state) = match node.here && !starts_here {
            true => (ROOT, DaemonState::Ready),
            false => (vertex(), DaemonState::Starting),
        };
        self.hosts.push(JobHost {
            node: node.clone(),
            topology: (vertex == ROOT).then(|| self.world.topology.clone()),
            vertex,
            state,
        });
        self.hosts.len() - 1
    }

    /// The vertex of each host.
    pub(crate) fn vertices(&self) -> Vec<u32> {
        self.hosts.iter().map(|known| known.vertex).collect()
    }

    /// The host of a vertex other than the root.
    pub(crate) fn at_vertex(&mut self, vertex: u32) -> Option<&mut JobHost> {
        let mut hosts = self.hosts.iter_mut();
        hosts.find(|known| known.vertex == vertex && vertex != ROOT)
    }
}

/// The indices of the hosts that have a process of the plan.
fn hosts_of(plan: &Plan) -> BTreeSet<usize> {
    let placements = plan.placements.iter();
    placements
        .map(|placement| placement.node as usize)
        .collect()
}

fn refusal(program: Option<u32>, error: &Error) -> Refusal {
    Refusal {
        program,
        reason: error.to_string(),
    }
}
