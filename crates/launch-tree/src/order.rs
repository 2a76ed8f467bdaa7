//! The order to start a job, sent to every vertex: the plan, and the positions of hosts in the
//! tree.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use bootstrap::Secret;

use crate::codec::{Reader, Write};
use crate::shape::ROOT;
use crate::wire::Malformed;
use launch_plan::allocation::Node;
use launch_plan::map::Placement;
use launch_plan::plan::{is_of_one_host, App, Plan};

/// A plan and the places of its hosts.
#[derive(Clone, Debug)]
pub struct Order {
    /// The program and node of each rank.
    pub plan: Plan,
    /// The vertex of each node.
    pub vertex_of: Vec<u32>,
    /// The first rank of each vertex, where processes of one machine share its ranks; else empty.
    pub shares: Vec<u32>,
    /// The launcher's working directory, which is that of the ranks as well.
    pub directory: PathBuf,
    /// Which part of the job it starts.
    pub part: Part,
}

/// The position of a part in its job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The number of the part, counted from 1.
    pub number: u32,
    /// The number in the job of its first process.
    pub first: u32,
    /// The number in the job of the process that has asked for it.
    pub parent: Option<u32>,
}

impl Part {
    /// The processes that a job is started with.
    pub const START: Part = Part {
        number: 1,
        first: 0,
        parent: None,
    };

    /// Text behind a rank's number in messages for the user.
    pub fn suffix(&self) -> String {
        match self.number {
            1 => String::new(),
            number => format!(" of part {number}"),
        }
    }
}

/// Stands for "nobody" in the place of a parent.
const NO_PARENT: u32 = u32::MAX;

/// The vertex of each node: this machine is the root, the others follow in their order.
pub fn vertices_of(nodes: &[Node]) -> Vec<u32> {
    let mut next = ROOT;
    let vertex = |node: &Node| match node.here {
        true => ROOT,
        false => {
            next += 1;
            next
        }
    };
    nodes.iter().map(vertex).collect()
}

impl Order {
    /// The order for a plan; `directory` is the launcher's.
    pub fn new(plan: Plan, directory: PathBuf) -> Order {
        Order {
            vertex_of: vertices_of(&plan.nodes),
            plan,
            shares: Vec::new(),
            directory,
            part: Part::START,
        }
    }

    /// The numbers in the job of its processes.
    pub fn numbers(&self) -> std::ops::Range<u32> {
        self.part.first..self.part.first + self.plan.size()
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> u32 {
        let last = self.vertex_of.iter().max().map_or(1, |last| last + 1);
        last.max(self.shares.len() as u32)
    }

    /// The vertex that a rank runs at; `None` when there is no such rank.
    pub fn vertex(&self, rank: u32) -> Option<u32> {
        let placement = self.plan.placements.get(rank as usize)?;
        if !self.shares.is_empty() {
            let upto = self.shares.partition_point(|&first| first <= rank);
            return Some(upto as u32 - 1);
        }
        self.vertex_of.get(placement.node as usize).copied()
    }

    /// The ranks of a vertex, in order.
    pub fn ranks_at(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        (0..self.plan.size()).filter(move |&rank| self.vertex(rank) == Some(vertex))
    }

    /// The node of each rank.
    pub fn node_of(&self) -> Vec<u32> {
        self.plan
            .placements
            .iter()
            .map(|placement| placement.node)
            .collect()
    }

    /// The order with a rank on another node, which is not bound to a core there.
    pub fn moved(&self, rank: u32, node: u32) -> Order {
        let mut order = self.clone();
        if let Some(placement) = order.plan.placements.get_mut(rank as usize) {
            placement.node = node;
            placement.cpus.clear();
        }
        order
    }

    /// Encodes the order. Variables of this host are left out where they are what `own`, the
    /// launcher's own environment, says.
    pub fn encode(&self, own: &BTreeMap<OsString, OsString>) -> Vec<u8> {
        let (mut out, plan) = (Vec::new(), &self.plan);
        out.os(self.directory.as_os_str());
        out.count(plan.nodes.len());
        for (node, &vertex) in plan.nodes.iter().zip(&self.vertex_of) {
            out.text(&node.name);
            out.u32(vertex);
        }
        out.count(self.shares.len());
        self.shares.iter().for_each(|first| out.u32(*first));
        out.count(plan.placements.len());
        plan.placements
            .iter()
            .for_each(|placement| encode_placement(placement, &mut out));
        out.u32(self.part.number);
        out.u32(self.part.first);
        out.u32(self.part.parent.unwrap_or(NO_PARENT));
        out.u32(plan.universe);
        out.u64(plan.job);
        out.bytes(&plan.secret.0);
        out.u32(plan.stdin.unwrap_or(u32::MAX));
        out.u8(plan.verbose.into());
        out.u8(plan.oversubscribes.into());
        out.count(plan.apps.len());
        for app in &plan.apps {
            let goes = |name: &OsStr, value: &OsString| {
                !is_of_one_host(name) || own.get(name) != Some(value)
            };
            encode_app(app, &goes, &mut out);
        }
        out
    }

    /// Reads an order.
    ///
    /// # Errors
    /// When the bytes are malformed, or name ranks without program, node or vertex.
    pub fn decode(bytes: &[u8]) -> Result<Order, Malformed> {
        let mut reader = Reader::new(bytes);
        let order = read(&mut reader).and_then(|order| reader.end(order));
        let order = order.filter(Order::is_whole);
        order.ok_or_else(|| Malformed(format!("malformed order ({} bytes)", bytes.len())))
    }

    fn is_whole(&self) -> bool {
        let apps = self.plan.apps.len();
        let placements = &self.plan.placements;
        let count = u32::try_from(placements.len()).ok();
        count.is_some_and(|count| self.part.first.checked_add(count).is_some())
            && placements
                .iter()
                .all(|placement| (placement.app as usize) < apps)
            && self.shares.first().is_none_or(|&first| first == 0)
            && self.shares.is_sorted()
            && placements
                .iter()
                .all(|placement| (placement.node as usize) < self.vertex_of.len())
    }
}

fn read(reader: &mut Reader) -> Option<Order> {
    let directory = reader.os()?.into();
    let nodes = reader.list(|r| Some((r.text()?, r.u32()?)))?;
    let (names, vertex_of): (Vec<String>, Vec<u32>) = nodes.into_iter().unzip();
    let shares = reader.list(Reader::u32)?;
    let node = |name| Node {
        name,
        user: None,
        slots: None,
        max_slots: None,
        here: false,
    };
    let placements = reader.list(read_placement)?;
    let part = Part {
        number: reader.u32()?,
        first: reader.u32()?,
        parent: Some(reader.u32()?).filter(|&parent| parent != NO_PARENT),
    };
    let plan = Plan {
        nodes: names.into_iter().map(node).collect(),
        placements,
        universe: reader.u32()?,
        job: reader.u64()?,
        secret: Secret(reader.bytes()?.try_into().ok()?),
        stdin: Some(reader.u32()?).filter(|&rank| rank != u32::MAX),
        verbose: reader.u8()? != 0,
        oversubscribes: reader.u8()? != 0,
        apps: reader.list(read_app)?,
        front: Default::default(),
    };
    Some(Order {
        plan,
        vertex_of,
        shares,
        directory,
        part,
    })
}

fn encode_placement(placement: &Placement, out: &mut Vec<u8>) {
    out.u32(placement.app);
    out.u32(placement.node);
    out.u32(placement.local_rank);
    out.count(placement.cpus.len());
    placement.cpus.iter().for_each(|cpu| out.u32(*cpu));
}

fn read_placement(reader: &mut Reader) -> Option<Placement> {
    Some(Placement {
        app: reader.u32()?,
        node: reader.u32()?,
        local_rank: reader.u32()?,
        cpus: reader.list(Reader::u32)?,
    })
}

fn encode_app(app: &App, goes: &dyn Fn(&OsStr, &OsString) -> bool, out: &mut Vec<u8>) {
    out.os(&app.name);
    out.count(app.arguments.len());
    app.arguments.iter().for_each(|argument| out.os(argument));
    let env: Vec<_> = app
        .env
        .iter()
        .filter(|(name, value)| goes(name, value))
        .collect();
    out.count(env.len());
    for (name, value) in env {
        out.os(name);
        out.os(value);
    }
    out.u8(app.directory.is_some().into());
    if let Some(directory) = &app.directory {
        out.os(directory.as_os_str());
    }
}

fn read_app(reader: &mut Reader) -> Option<App> {
    let name = reader.os()?;
    Some(App {
        path: PathBuf::from(&name),
        name,
        arguments: reader.list(Reader::os)?,
        env: reader
            .list(|r| Some((r.os()?, r.os()?)))?
            .into_iter()
            .collect(),
        directory: reader.option(|r| r.os().map(PathBuf::from))?,
    })
}
