//! From a request to what each rank will run, in two steps.
//!
//! [`draft`] finds the hosts, the parameters and the environment: all that can be wrong with a
//! request before other hosts are asked. A [`Draft`] becomes a [`Plan`] when it is known which
//! processors the hosts have ([`Draft::finish`]); for a job on this machine alone that is at once
//! ([`make`]). So a job starts whole or not at all.

mod environment;
mod files;
mod program;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use bootstrap::Secret;

use crate::allocation::{self, Allocation, Here, Node};
use crate::command_line::{seconds, slots, wrong};
use crate::map::fixed::Fixed;
use crate::map::{self, Place, Program, Room};
use crate::request::{Request, Tags};
use crate::topology::Topology;
use crate::{display, Error};

pub use environment::is_of_one_host;
pub use program::locate;

/// A job that can be started.
#[derive(Debug)]
pub struct Plan {
    /// The programs.
    pub apps: Vec<App>,
    /// The hosts. Some may have no rank.
    pub nodes: Vec<Node>,
    /// For each rank where it runs and what; as many as there are ranks.
    pub places: Vec<Place>,
    /// How many ranks there is room for, told to programs as the size of the universe.
    pub universe: u32,
    /// The number that tells this job from others.
    pub job: u64,
    /// The job's key.
    pub secret: Secret,
    /// The rank that gets the standard input.
    pub stdin: Option<u32>,
    /// Say what is started.
    pub verbose: bool,
    /// What only the launcher itself needs to know.
    pub front: Front,
}

/// What the launcher that the user has started does beside running ranks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Front {
    /// How each line of output is opened.
    pub tags: Tags,
    /// Error output is printed as output.
    pub merge: bool,
    /// Patterns of the files that standard output and error go to, see [`crate::outfile`].
    pub files: [Option<String>; 2],
    /// What goes to files does not go to the terminal.
    pub files_only: bool,
    /// When the job is ended at the latest.
    pub timeout: Option<Duration>,
    /// The other ranks go on when one fails.
    pub keep_going: bool,
    /// What to tell the user before the start, in lines.
    pub notes: Vec<String>,
    /// What the user has asked to see before the start, in lines to be printed as they are.
    pub reports: Vec<String>,
}

/// One program of a job.
#[derive(Debug)]
pub struct App {
    /// Its name as the user wrote it; becomes its argument 0.
    pub name: OsString,
    /// The file, where this machine runs it; else its name. See [`locate`].
    pub path: PathBuf,
    /// Its arguments after the name.
    pub arguments: Vec<OsString>,
    /// Its whole environment, but for what differs from rank to rank.
    pub env: BTreeMap<OsString, OsString>,
    /// Its working directory, where that is not the launcher's.
    pub directory: Option<PathBuf>,
}

/// What a plan is made from beside the request.
pub struct World {
    /// The launcher's environment.
    pub env: BTreeMap<OsString, OsString>,
    /// This machine's processors.
    pub topology: Topology,
    /// This machine's name.
    pub host: String,
    /// True for the name or address of a host that leads to this machine.
    pub leads_here: fn(&str) -> bool,
    /// Where the installation lies that this launcher is part of.
    pub prefix: PathBuf,
}

/// A job of which the hosts are known, but not where each rank runs.
#[derive(Debug)]
pub struct Draft {
    /// The hosts.
    pub allocation: Allocation,
    /// Where the installation lies on other hosts, where the user has said so.
    pub prefix: Option<String>,
    /// The launcher's own file on other hosts, where the user has said so.
    pub launch_agent: Option<String>,
    request: Request,
    apps: Vec<App>,
    timeout: Option<Duration>,
    /// The places of the ranks, where a file says them.
    fixed: Option<Vec<Fixed>>,
}

impl Plan {
    /// How many ranks there are.
    pub fn size(&self) -> u32 {
        self.places.len() as u32
    }

    /// The program of a rank.
    pub fn app(&self, rank: u32) -> &App {
        &self.apps[self.places[rank as usize].app as usize]
    }

    /// How many ranks a host has.
    pub fn size_on(&self, node: u32) -> u32 {
        let here = self.places.iter().filter(|place| place.node == node);
        here.count() as u32
    }

    /// The variables that differ from rank to rank.
    pub fn identity_env(&self, rank: u32) -> Vec<(&'static str, String)> {
        let place = &self.places[rank as usize];
        environment::identity(&environment::Identity {
            rank,
            size: self.size(),
            local_rank: place.local_rank,
            local_size: self.size_on(place.node),
            node: place.node,
            universe: self.universe,
        })
    }
}

impl World {
    /// That of this process.
    pub fn of_process() -> World {
        let own = std::env::current_exe().unwrap_or_default();
        World {
            // The launcher is `bin/mpirun` in it.
            prefix: own
                .ancestors()
                .nth(2)
                .map(PathBuf::from)
                .unwrap_or_default(),
            env: std::env::vars_os().collect(),
            topology: Topology::of_this_machine(),
            host: rustix::system::uname()
                .nodename()
                .to_string_lossy()
                .into_owned(),
            leads_here: |_| false,
        }
    }

    fn text(&self, name: &str) -> Option<String> {
        self.env
            .get(OsStr::new(name))
            .map(|value| value.to_string_lossy().into_owned())
    }
}

/// Makes the plan of a job on this machine alone.
pub fn make(
    request: &Request,
    world: &World,
    check: &dyn Fn(&mca::Sources) -> Result<(), String>,
) -> Result<Plan, Error> {
    let draft = draft(request, world, check)?;
    if let Some(other) = draft.allocation.nodes.iter().find(|node| !node.here) {
        return Err(Error::OtherHost {
            host: other.name.clone(),
        });
    }
    draft.finish(&[Some(world.topology.clone())])
}

/// Finds the hosts and the environment of a job, or says what is wrong with the request. `check`
/// judges the parameters.
pub fn draft(
    request: &Request,
    world: &World,
    check: &dyn Fn(&mca::Sources) -> Result<(), String>,
) -> Result<Draft, Error> {
    let here = Here {
        name: &world.host,
        leads_here: &world.leads_here,
    };
    let files = files::read(request, world)?;
    let allocation = allocation::resolve(&files.said, &here)?;
    if let Some(other) = allocation
        .nodes
        .iter()
        .find(|node| request.only_here && !node.here)
    {
        return Err(Error::OtherHost {
            host: other.name.clone(),
        });
    }
    let shared = environment::shared(request, world, check)?;
    let mut apps = Vec::new();
    for app in &request.apps {
        let mut app = program::describe(app, request, &shared, world);
        if allocation.is_local() {
            app.path = locate(&app)?;
        }
        apps.push(app);
    }
    Ok(Draft {
        fixed: files.fixed(&allocation, &here)?,
        allocation,
        prefix: request.prefix.clone(),
        launch_agent: request.launch_agent.clone(),
        request: request.clone(),
        apps,
        timeout: timeout(request, world)?,
    })
}

impl Draft {
    /// True when [`Draft::finish`] has to know the processors of all hosts.
    pub fn needs_topologies(&self) -> bool {
        let slots = self.allocation.nodes.iter().map(|node| node.slots);
        map::needs_topologies(&self.request.policy, slots)
    }

    /// Says where each rank runs. `topologies` are the processors of each host, in the order of
    /// the allocation; where they are not needed they may be missing.
    pub fn finish(self, topologies: &[Option<Topology>]) -> Result<Plan, Error> {
        let topologies = self.usable(topologies)?;
        let map = self.map(&topologies)?;
        let size = map.places.len() as u32;
        if let Some(rank) = self.request.stdin.filter(|&rank| rank >= size && rank > 0) {
            return Err(wrong(
                "--stdin",
                &rank.to_string(),
                format!("a rank below {size}"),
            ));
        }
        let random = Error::system::<std::io::Error>("asking the system for random numbers");
        let key = Secret::random().map_err(&random)?;
        let job = Secret::random().map_err(&random)?;
        let Draft {
            request,
            apps,
            timeout,
            allocation,
            ..
        } = self;
        let mut plan = Plan {
            apps,
            nodes: allocation.nodes,
            universe: map.slots.max(size),
            places: map.places,
            job: u64::from_le_bytes(job.0[..8].try_into().expect("8 of 32 bytes")),
            secret: key,
            stdin: request.stdin,
            verbose: request.verbose && !request.quiet,
            front: Front {
                tags: request.output.tags,
                merge: request.output.merge,
                files: request.output.files.clone(),
                files_only: request.output.files_only,
                timeout,
                keep_going: request.keep_going,
                ..Front::default()
            },
        };
        plan.front.reports = reports(&request, &plan, &topologies);
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

    fn map(&self, topologies: &[Option<Topology>]) -> Result<map::Map, Error> {
        let unknown = Topology::regular(1, 1, 1);
        let topology = |at: usize| topologies.get(at).and_then(Option::as_ref);
        let nodes = self.allocation.nodes.iter().enumerate();
        let rooms = nodes.map(|(at, node)| Room {
            name: &node.name,
            slots: node.slots,
            max_slots: node.max_slots,
            topology: topology(at).unwrap_or(&unknown),
        });
        let rooms: Vec<Room> = rooms.collect();
        let (policy, programs) = (&self.request.policy, self.programs());
        match &self.fixed {
            Some(fixed) => map::fixed::map(policy, &rooms, &programs, fixed),
            None => map::map(policy, &rooms, &programs, self.allocation.is_said),
        }
    }

    fn programs(&self) -> Vec<Program> {
        let alone = self.request.apps.len() == 1;
        let programs = self.request.apps.iter().zip(&self.allocation.parts);
        programs
            .map(|(app, parts)| Program {
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

fn reports(request: &Request, plan: &Plan, topologies: &[Option<Topology>]) -> Vec<String> {
    let mut lines = Vec::new();
    if request.show.allocation {
        lines.extend(display::allocation(&plan.nodes));
    }
    if request.show.map {
        lines.extend(display::map(plan));
    }
    if request.show.bindings {
        lines.extend(display::bindings(plan, topologies));
    }
    lines
}

#[cfg(test)]
mod tests;
