//! The order to start a job, sent to every vertex: the plan, and the positions of hosts in the
//! tree.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use bootstrap::codec;
use serde::{Deserialize, Serialize};

use crate::shape::ROOT;
use crate::wire::Malformed;
use launch_plan::allocation::Node;
use launch_plan::plan::Plan;

/// A plan and the places of its hosts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    /// The program and node of each rank.
    pub plan: Plan,
    /// The vertex of each node.
    pub vertex_of: Vec<u32>,
    /// The first rank of each vertex, where processes of one machine share its ranks; else empty.
    pub shares: Vec<u32>,
    /// The launcher's working directory, which is that of the ranks as well.
    #[serde(with = "codec::path")]
    pub directory: PathBuf,
    /// Which part of the job it starts.
    pub part: PartPosition,
}

/// The position of a part in its job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PartPosition {
    /// The number of the part, counted from 1.
    pub number: u32,
    /// The number in the job of its first process.
    pub first: u32,
    /// The number in the job of the process that has asked for it.
    pub parent: Option<u32>,
}

impl PartPosition {
    /// The processes that a job is started with.
    pub const START: PartPosition = PartPosition {
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

/// The vertex of each node: this machine is the root, unless a daemon is started there too, and the
/// others follow in their order.
pub fn vertices_of(nodes: &[Node], starts_here: bool) -> Vec<u32> {
    let mut next = ROOT;
    let vertex = |node: &Node| match node.here && !starts_here {
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
            vertex_of: vertices_of(&plan.nodes, false),
            plan,
            shares: Vec::new(),
            directory,
            part: PartPosition::START,
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

    /// Encodes the order. Variables that hold for one host, as `is_of_host` knows, are left out
    /// where they are what `own`, the launcher's own environment, says.
    pub fn encode(
        &self,
        own: &BTreeMap<OsString, OsString>,
        is_of_host: impl Fn(&OsStr) -> bool,
    ) -> Vec<u8> {
        let mut order = self.clone();
        for app in &mut order.plan.apps {
            app.env
                .retain(|name, value| !is_of_host(name) || own.get(name) != Some(value));
        }
        let mut out = Vec::new();
        codec::encode(&order, &mut out);
        out
    }

    /// Reads an order.
    ///
    /// # Errors
    /// When the bytes are malformed, or name ranks without program, node or vertex.
    pub fn decode(bytes: &[u8]) -> Result<Order, Malformed> {
        let order = codec::decode(bytes).filter(Order::is_whole);
        let mut order =
            order.ok_or_else(|| Malformed(format!("malformed order ({} bytes)", bytes.len())))?;
        for app in &mut order.plan.apps {
            app.path = PathBuf::from(&app.name);
        }
        Ok(order)
    }

    fn is_whole(&self) -> bool {
        let apps = self.plan.apps.len();
        let placements = &self.plan.placements;
        let count = u32::try_from(placements.len()).ok();
        self.vertex_of.len() == self.plan.nodes.len()
            && count.is_some_and(|count| self.part.first.checked_add(count).is_some())
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

#[cfg(test)]
pub(crate) mod tests {
    use bootstrap::Secret;

    use super::*;
    use launch_plan::map::Placement;
    use launch_plan::plan::App;
    use launch_plan::plan::{is_of_one_host, is_of_one_host_of_batch};

    /// Three processes of one program on two hosts.
    pub(crate) fn order() -> Order {
        let node = |name: &str| Node {
            name: name.to_string(),
            user: None,
            slots: None,
            max_slots: None,
            here: false,
        };
        let placement = |node, local_rank| Placement {
            app: 0,
            node,
            local_rank,
            cpus: vec![local_rank, 9],
        };
        let app = App {
            name: "./a.out".into(),
            path: "./a.out".into(),
            arguments: vec!["-x".into()],
            env: [("A".into(), "1".into()), ("SSH_TTY".into(), "/h".into())].into(),
            directory: Some("/tmp".into()),
        };
        let plan = Plan {
            apps: vec![app],
            nodes: vec![node("n0"), node("n1")],
            placements: vec![placement(0, 0), placement(0, 1), placement(1, 0)],
            universe: 8,
            job: 5,
            secret: Secret([7; 32]),
            stdin: Some(0),
            verbose: false,
            oversubscribes: true,
            front: Default::default(),
        };
        Order::new(plan, "/w".into())
    }

    fn shown(order: &Order) -> String {
        format!("{order:?}")
    }

    #[test]
    fn an_order_comes_back_and_a_cut_one_is_refused() {
        let bytes = order().encode(&BTreeMap::new(), is_of_one_host);
        assert_eq!(shown(&Order::decode(&bytes).unwrap()), shown(&order()));
        for length in 0..bytes.len() {
            assert!(Order::decode(&bytes[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn an_order_for_what_is_not_there_is_refused() {
        let changes: [fn(&mut Order); 6] = [
            |order| order.plan.placements[1].app = 1,
            |order| order.plan.placements[1].node = 2,
            |order| order.vertex_of.truncate(1),
            |order| order.shares = vec![1, 2],
            |order| order.shares = vec![0, 2, 1],
            |order| order.part.first = u32::MAX,
        ];
        for change in changes {
            let mut bad = order();
            change(&mut bad);
            let bytes = bad.encode(&BTreeMap::new(), is_of_one_host);
            assert!(Order::decode(&bytes).is_err(), "{}", shown(&bad));
        }
    }

    #[test]
    fn devices_of_one_host_stay_there_where_a_batch_system_assigns_them() {
        let mut order = order();
        let (name, value) = (OsString::from("CUDA_VISIBLE_DEVICES"), OsString::from("0"));
        order.plan.apps[0].env.insert(name.clone(), value.clone());
        let own = BTreeMap::from([(name.clone(), value)]);
        let sent = |bytes: Vec<u8>| {
            let back = Order::decode(&bytes).unwrap();
            back.plan.apps[0].env.contains_key(&name)
        };
        assert!(sent(order.encode(&own, is_of_one_host)));
        assert!(!sent(order.encode(&own, is_of_one_host_of_batch)));
        // What the user has set otherwise goes everywhere.
        let other = BTreeMap::new();
        assert!(sent(order.encode(&other, is_of_one_host_of_batch)));
    }

    #[test]
    fn variables_of_one_host_stay_there() {
        let own = BTreeMap::from([("A".into(), "1".into()), ("SSH_TTY".into(), "/h".into())]);
        let back = Order::decode(&order().encode(&own, is_of_one_host)).unwrap();
        let sent: Vec<_> = back.plan.apps[0].env.keys().collect();
        assert_eq!(sent, ["A"]);
        let other = BTreeMap::from([("SSH_TTY".into(), "/other".into())]);
        let back = Order::decode(&order().encode(&other, is_of_one_host)).unwrap();
        assert_eq!(back.plan.apps[0].env.len(), 2);
    }
}
