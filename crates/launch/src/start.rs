//! Starts a job from a request: makes the draft, starts the daemons on other hosts, makes the plan,
//! and runs the job.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::os::unix::net::UnixStream;
use std::path::Path;

use bootstrap::names::{NameStore, Server};

use crate::debuggers::Debuggers;
use crate::message::{self, fail};
use crate::runner::Runner;
use crate::spawn::{DaemonState, JobHost, Spawner};
use launch_plan::allocation::Node;
use launch_plan::plan::{self, World};
use launch_plan::request::Request;
use launch_plan::tools;
use launch_plan::topology::Topology;
use launch_plan::Error;
use launch_tree::order::{vertices_of, Order};
use launch_tree::plm::Settings;
use launch_tree::plm::{self, Agent, Facts};
use launch_tree::ranks::capacity;
use launch_tree::ranks::descriptors;
use launch_tree::shape::ROOT;
use launch_tree::wire::{Begin, Host};

/// Checks the parameters of `--mca`, `--tune` and the environment before anything is started. The
/// result has at least [`mca::launcher::PARAMS`].
pub type Check<'a> = &'a dyn Fn(&mca::Sources) -> Result<mca::Registry, String>;

/// Runs a job as it was requested. Returns the exit code.
pub(crate) fn run(name: &str, request: &Request, check: Check) -> i32 {
    run_with(name, request, check, None)
}

/// Runs a job as it was requested, the only rank of which is there already: the process at the
/// other end of `served`, where that is a socket. Returns the exit code.
pub(crate) fn run_with(
    name: &str,
    request: &Request,
    check: Check,
    served: Option<UnixStream>,
) -> i32 {
    let job = Starter {
        name,
        request,
        check,
    };
    job.run(served).unwrap_or_else(|stop| match stop {
        Stop::JobHost(code) => code,
        Stop::Error(error) => fail(name, &error),
    })
}

/// Where the kernel has the devices of a Slingshot network.
const SLINGSHOT: &str = "/sys/class/cxi";

/// Why nothing was started.
enum Stop {
    /// The user knows already; the exit code.
    JobHost(i32),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

struct Starter<'a> {
    name: &'a str,
    request: &'a Request,
    check: Check<'a>,
}

impl Starter<'_> {
    fn run(&self, served: Option<UnixStream>) -> Result<i32, Stop> {
        let world = World {
            leads_here: plm::leads_here,
            flux: Box::new(plm::flux_resources()),
            ..World::of_process()
        };
        let settings = RefCell::new(None);
        let judge = |sources: &mca::Sources| {
            let registry = (self.check)(sources)?;
            let warning = check_name_server(&registry)?;
            for line in warning.into_iter().chain(registry.report()) {
                message::print(self.name, &line);
            }
            settings.replace(Some(Settings::from(&registry)));
            Ok(())
        };
        let draft = plan::draft(self.request, &world, &judge)?;
        for env in draft.environments() {
            tools::check(&self.request.tools, env, &world.prefix)?;
        }
        let debuggers = self.request.gdb.as_ref().map(|_| Debuggers::new());
        let mut runner = Runner::new(self.name)?;
        if let Some(debuggers) = debuggers.transpose()? {
            runner.debug(debuggers);
        }
        if let Some(socket) = served {
            runner.serve(socket);
        }
        let settings = settings.take();
        let agent = || self.agent(settings.as_ref(), &world);
        let is_local = draft.allocation.is_local();
        let nodes = draft.allocation.nodes.clone();
        let mut starts_here = false;
        let hosts = match settings.as_ref().filter(|_| !is_local) {
            Some(settings) => {
                let agent = agent()?;
                starts_here = agent.starts_here();
                let begin = position_of_root(&nodes, settings.radix, agent);
                runner.gather_hosts(begin).map_err(Stop::JobHost)?
            }
            None => Vec::new(),
        };
        let vertices = vertices_of(&nodes, starts_here);
        let topologies = topologies(&vertices, &hosts, &world);
        let directory = std::env::current_dir().unwrap_or_else(|_| "/".into());
        match draft.finish(&topologies) {
            Ok(plan) => {
                let mut order = Order {
                    vertex_of: vertices.clone(),
                    ..Order::new(plan, directory)
                };
                if let Some(settings) = settings.as_ref().filter(|_| is_local) {
                    share(&mut order, &mut runner, settings)?;
                }
                let spawner = Spawner {
                    request: self.request,
                    world: &world,
                    judge: &|sources| (self.check)(sources).map(|_| ()),
                    agent: &agent,
                    hosts: known(nodes, topologies, vertices),
                };
                Ok(runner.run(order, spawner)?)
            }
            Err(error) => {
                runner.dismiss();
                Err(error.into())
            }
        }
    }
}

impl Starter<'_> {
    /// Returns how daemons are started on other hosts.
    fn agent(&self, settings: Option<&Settings>, world: &World) -> Result<Agent, Error> {
        let missing = || Error::Parameters("no launch agent configured (plm_rsh_agent)".into());
        let settings = settings.ok_or_else(missing)?;
        let (start, choice) = plm::choose(&Facts {
            settings,
            variable: &|name| world.text(name),
            file: &|name| std::fs::read_to_string(name),
            tm: &tm::is_there,
            flux: &world.flux,
            has_slingshot: Path::new(SLINGSHOT).exists(),
            path: world.env.get(OsStr::new("PATH")).map(OsString::as_os_str),
        })?;
        if self.request.verbose || self.request.explains {
            message::print(self.name, &choice);
        }
        Agent::new((start, &choice), self.request, settings)
    }
}

/// Checks what a parameter says about published names before anything is started: what makes no
/// sense is an error. A server that cannot be reached is a warning, which is returned: the job may
/// not use names.
fn check_name_server(registry: &mca::Registry) -> Result<Option<String>, String> {
    const NAME_SERVER: &str = "mpi_name_server";
    if !registry.declares(NAME_SERVER) {
        return Ok(None);
    }
    let refused = |why: String| format!("{NAME_SERVER}: {why}");
    Ok(
        match NameStore::parse(registry.text(NAME_SERVER)).map_err(refused)? {
            NameStore::Server(place) => Server::connect(&place).err().map(|why| {
                format!("warning: {NAME_SERVER}: {why}; the job starts without published names")
            }),
            NameStore::File(path) if !path.exists() => Some(format!(
                "warning: {NAME_SERVER}: there is no file {}: it will be made for published names",
                path.display()
            )),
            NameStore::Default | NameStore::File(_) => None,
        },
    )
}

/// Shares the ranks of this machine among daemons beside this process, where it alone may not have
/// descriptors for all of them.
fn share(order: &mut Order, runner: &mut Runner, settings: &Settings) -> Result<(), Stop> {
    let shares = descriptors::shares(order.plan.size())?;
    if shares.len() > 1 {
        capacity::check_plan(&order.plan)?;
        let here = order.plan.nodes.first().map(|node| node.name.as_str());
        let beside = vec![here.unwrap_or("localhost").to_string(); shares.len() - 1];
        let begin = Begin {
            vertex: ROOT,
            radix: u32::MAX,
            hosts: [String::new()].into_iter().chain(beside).collect(),
            agent: Agent::beside(settings),
        };
        runner.gather_hosts(begin).map_err(Stop::JobHost)?;
        order.shares = shares;
    }
    Ok(())
}

/// Returns the root's position in the tree, from which all others follow.
fn position_of_root(nodes: &[Node], radix: u32, agent: Agent) -> Begin {
    let starts_here = agent.starts_here();
    let others = nodes.iter().filter(|node| !node.here || starts_here);
    Begin {
        vertex: ROOT,
        radix: match agent.starts_all() {
            true => u32::MAX,
            false => radix,
        },
        hosts: [String::new()]
            .into_iter()
            .chain(others.map(Node::account))
            .collect(),
        agent,
    }
}

/// The hosts that a job is started on.
fn known(nodes: Vec<Node>, topologies: Vec<Option<Topology>>, vertices: Vec<u32>) -> Vec<JobHost> {
    let hosts = nodes.into_iter().zip(topologies).zip(vertices);
    hosts
        .map(|((node, topology), vertex)| JobHost {
            node,
            topology,
            vertex,
            state: DaemonState::Ready,
        })
        .collect()
}

/// The processors of the nodes of these vertices, as far as they are known.
fn topologies(vertices: &[u32], hosts: &[Host], world: &World) -> Vec<Option<Topology>> {
    let topology = |&vertex: &u32| match vertex {
        ROOT => Some(world.topology.clone()),
        other => {
            let host = hosts.iter().find(|host| host.vertex == other)?;
            Topology::decode(&host.topology).ok()
        }
    };
    vertices.iter().map(topology).collect()
}
