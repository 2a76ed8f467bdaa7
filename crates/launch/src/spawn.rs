//! Plans the parts that processes of a job ask for.
//!
//! A part is planned as if `mpirun` had been started with its programs: the same hosts, policy,
//! environment and parameters, changed by what the info keys of its programs say. The slots that
//! processes of the job have are taken; when none is left, hosts get more ranks than slots.
//!
//! | info key                                      | meaning, in `mpirun`'s options              |
//! |-----------------------------------------------|---------------------------------------------|
//! | `host`, `hosts`, `host_list`, `add-host`      | `--host`                                    |
//! | `hostfile`, `add-hostfile`                    | `--hostfile`                                |
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

use bootstrap::spawn::{Refusal, Spawn};

use crate::allocation::Node;
use crate::hosts::same_name;
use crate::plan::{self, Plan, World};
use crate::policy::MapBy;
use crate::request::{Request, Show};
use crate::topology::Topology;
use crate::Error;

/// The planner of the parts of a job.
pub(crate) struct Spawner<'a> {
    /// The job as it was started.
    pub(crate) request: &'a Request,
    pub(crate) world: &'a World,
    /// Checks the parameters.
    pub(crate) judge: &'a dyn Fn(&mca::Sources) -> Result<(), String>,
    /// The hosts of the job, with their processors where they are known.
    pub(crate) hosts: Vec<(Node, Option<Topology>)>,
}

impl Spawner<'_> {
    /// Plans a part; `used` are the processes that each host has. Placements name hosts by their
    /// indices in the job, `start` is the plan of its first part.
    pub(crate) fn plan(&self, spawn: &Spawn, used: &[u32], start: &Plan) -> Result<Plan, Refusal> {
        let mut request = self.base();
        for (at, program) in spawn.programs.iter().enumerate() {
            let app = info::app(&mut request, program, spawn)
                .map_err(|error| refusal(Some(at as u32), &error))?;
            request.apps.push(app);
        }
        let plan = self
            .make(&request, used)
            .map_err(|error| refusal(None, &error))?;
        self.fit(plan, start)
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
        if let Some(first) = self.request.apps.first() {
            request.inherit = first.inherit.clone().unwrap_or(request.inherit);
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
        let first = self.request.apps.first();
        for app in &mut request.apps {
            if app.hosts.is_empty() {
                app.hosts.clone_from(&own);
            }
            let env: Vec<_> = first.iter().flat_map(|first| first.env.clone()).collect();
            app.env.splice(0..0, env);
        }
        let taken = |node: &Node| self.find(node).map_or(0, |at| used[at]);
        let draft = plan::draft_beside(&request, self.world, self.judge, &taken)?;
        let topology = |node: &Node| self.find(node).and_then(|at| self.hosts[at].1.clone());
        let topologies: Vec<_> = draft.allocation.nodes.iter().map(topology).collect();
        draft.finish(&topologies)
    }

    /// Makes a plan one of the job's: with its hosts and room.
    fn fit(&self, mut plan: Plan, start: &Plan) -> Result<Plan, Refusal> {
        let mut at = Vec::new();
        for node in &plan.nodes {
            let found = self.find(node).ok_or_else(|| Refusal {
                program: None,
                reason: format!("host {}: it has no process of the job yet", node.name),
            })?;
            at.push(found as u32);
        }
        for placement in &mut plan.placements {
            placement.node = at[placement.node as usize];
        }
        plan.nodes = self.hosts.iter().map(|(node, _)| node.clone()).collect();
        plan.universe = start.universe;
        plan.front = start.front.clone();
        Ok(plan)
    }

    /// The index of a host among those of the job.
    fn find(&self, node: &Node) -> Option<usize> {
        self.hosts.iter().position(|(known, _)| match node.here {
            true => known.here,
            false => !known.here && same_name(&known.name, &node.name),
        })
    }
}

fn refusal(program: Option<u32>, error: &Error) -> Refusal {
    Refusal {
        program,
        reason: error.to_string(),
    }
}
