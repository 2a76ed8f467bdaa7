//! The table of nodes.

use std::sync::Arc;

use crate::{Port, Team};

/// The nodes of a communicator's ranks, as one of them sees them. Equal at all ranks but for the
/// own position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nodes {
    /// The node of each rank. Nodes are numbered in the order of their first ranks.
    node_of: Box<[u32]>,
    /// The ranks of each node, ascending.
    members: Box<[Arc<[u32]>]>,
    /// The first rank of each node.
    leaders: Arc<[u32]>,
    /// The ranks with this one's position on all nodes, where all nodes have as many ranks.
    column: Option<Arc<[u32]>>,
    /// The own node, and the position there.
    own: u32,
    position: u32,
    in_order: bool,
}

/// The two parts of a communicator that a rank takes part in.
pub(super) struct Parts {
    /// The ranks of its node.
    pub inside: (Port, Team),
    /// One rank of each node, where this rank is the one of its node.
    pub between: Option<(Port, Team)>,
    /// The position of the node's leader inside.
    pub leader: u32,
}

impl Nodes {
    /// Returns the table for a rank, from a name of each rank's node. `None` where nothing is
    /// gained by it: all ranks are on one node, or each is on a node of its own.
    pub fn new(rank: u32, names: &[u32]) -> Option<Nodes> {
        let mut numbers = std::collections::HashMap::new();
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut node_of = Vec::with_capacity(names.len());
        for (rank, name) in (0..).zip(names) {
            let node = *numbers.entry(*name).or_insert(members.len());
            if node == members.len() {
                members.push(Vec::new());
            }
            members[node].push(rank);
            node_of.push(node as u32);
        }
        if members.len() < 2 || members.len() == names.len() {
            return None;
        }
        let own = *node_of.get(rank as usize)?;
        let position = members[own as usize].iter().position(|one| *one == rank)?;
        let alike = members.iter().all(|node| node.len() == members[0].len());
        let column = alike.then(|| members.iter().map(|node| node[position]).collect());
        Some(Nodes {
            in_order: node_of.is_sorted(),
            leaders: members.iter().map(|node| node[0]).collect(),
            column,
            own,
            position: position as u32,
            node_of: node_of.into(),
            members: members.into_iter().map(Arc::from).collect(),
        })
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.node_of.len() as u32
    }

    /// Returns the number of nodes.
    pub fn count(&self) -> u32 {
        self.members.len() as u32
    }

    /// Returns the number of ranks of the node that has most.
    pub(crate) fn largest(&self) -> usize {
        self.members
            .iter()
            .map(|node| node.len())
            .max()
            .unwrap_or(0)
    }

    /// Whether the ranks of each node follow each other, and the nodes too.
    pub fn is_in_order(&self) -> bool {
        self.in_order
    }

    /// Returns the node of a rank.
    pub(super) fn node_of(&self, rank: u32) -> u32 {
        self.node_of[rank as usize]
    }

    /// Returns the ranks of a node.
    pub(super) fn members(&self, node: u32) -> &Arc<[u32]> {
        &self.members[node as usize]
    }

    /// Returns the ranks of the own node.
    pub fn own_members(&self) -> &Arc<[u32]> {
        self.members(self.own)
    }

    /// Returns the own node.
    pub(super) fn own(&self) -> u32 {
        self.own
    }

    /// Returns the position of this rank among those of its node.
    pub fn inside_position(&self) -> u32 {
        self.position
    }

    /// Returns the ranks of the own node as a team, and the port among them.
    pub fn inside(&self, port: &Port) -> (Port, Team) {
        let members = self.own_members();
        let team = Team {
            rank: self.position,
            size: members.len() as u32,
        };
        (port.among(members), team)
    }

    /// Whether all nodes have as many ranks.
    pub(super) fn has_columns(&self) -> bool {
        self.column.is_some()
    }

    /// Returns the ranks at the own position of all nodes, where all have as many ranks.
    pub(super) fn column(&self, port: &Port) -> Option<(Port, Team)> {
        let column = self.column.as_ref()?;
        Some((port.among(column), self.team_between()))
    }

    /// Returns the ranks at a position of all nodes, where all have as many ranks.
    pub(super) fn column_members(&self, position: u32) -> Vec<u32> {
        let members = self.members.iter();
        let at = |node: &Arc<[u32]>| node.get(position as usize).copied();
        members.filter_map(at).collect()
    }

    /// Returns all ranks, node by node.
    pub(super) fn row(&self, port: &Port) -> (Port, Team) {
        if self.in_order {
            let rank = self.own_members()[self.position as usize];
            let size = self.ranks();
            return (port.clone(), Team { rank, size });
        }
        self.row_of(port, 0..self.count(), 0)
    }

    /// Returns the place of a rank in [`Nodes::row`].
    pub(super) fn place_in_row(&self, rank: u32) -> u32 {
        let node = self.node_of(rank);
        let before: usize = (0..node).map(|node| self.members(node).len()).sum();
        let inside = self.members(node).iter().position(|one| *one == rank);
        (before + inside.unwrap_or(0)) as u32
    }

    /// Returns all ranks, node by node, from the one of `root` on, which comes first.
    pub(super) fn row_from(&self, port: &Port, root: u32) -> (Port, Team) {
        let first = self.node_of(root);
        let nodes = (first..self.count()).chain(0..first);
        let members = self.members(first);
        let begin = members.iter().position(|rank| *rank == root).unwrap_or(0);
        self.row_of(port, nodes, begin)
    }

    /// Returns the ranks of these nodes; those of the first begin at a position.
    fn row_of(&self, port: &Port, nodes: impl Iterator<Item = u32>, begin: usize) -> (Port, Team) {
        let mut row: Vec<u32> = Vec::with_capacity(self.node_of.len());
        for node in nodes {
            row.extend(self.members(node).iter());
            if row.len() == self.members(node).len() {
                row.rotate_left(begin);
            }
        }
        let own = self.own_members()[self.position as usize];
        let rank = row.iter().position(|rank| *rank == own).unwrap_or(0) as u32;
        let size = row.len() as u32;
        (port.among(&row.into()), Team { rank, size })
    }

    /// Returns the last ranks of the nodes, where this rank is that of its own.
    pub(super) fn lasts(&self, port: &Port) -> Option<(Port, Team)> {
        let is_last = self.position as usize + 1 == self.own_members().len();
        is_last.then(|| {
            let lasts = self.members.iter().map(|node| node[node.len() - 1]);
            (port.among(&lasts.collect()), self.team_between())
        })
    }

    fn team_between(&self) -> Team {
        Team {
            rank: self.own,
            size: self.count(),
        }
    }

    /// Returns the position of the rank that leads the own node: `root`, or else the first.
    pub fn leader_for(&self, root: u32) -> u32 {
        let leader = match self.own == self.node_of(root) {
            true => self.own_members().iter().position(|rank| *rank == root),
            false => None,
        };
        leader.unwrap_or(0) as u32
    }

    /// Whether this rank leads its node, where `root` leads its own.
    pub fn leads_for(&self, root: u32) -> bool {
        self.leader_for(root) == self.position
    }

    /// Whether a rank is this one.
    pub fn is_own_rank(&self, rank: u32) -> bool {
        self.own_members()[self.position as usize] == rank
    }

    /// Returns the parts in which `root` leads its node, and the first rank each other one.
    pub(super) fn parts(&self, port: &Port, root: u32) -> Parts {
        let root_node = self.node_of(root);
        let leader = self.leader_for(root);
        let between = (leader == self.position).then(|| {
            let leaders = match self.leaders[root_node as usize] == root {
                true => Arc::clone(&self.leaders),
                false => {
                    let mut leaders = self.leaders.to_vec();
                    leaders[root_node as usize] = root;
                    Arc::from(leaders)
                }
            };
            (port.among(&leaders), self.team_between())
        });
        Parts {
            inside: self.inside(port),
            between,
            leader,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_numbered_in_the_order_of_their_first_ranks() {
        let nodes = Nodes::new(3, &[7, 7, 2, 2, 2]).unwrap();
        assert_eq!((nodes.own, nodes.position), (1, 1));
        assert_eq!((nodes.ranks(), nodes.count()), (5, 2));
        assert!(nodes.is_in_order() && nodes.column.is_none());
        let cyclic = Nodes::new(2, &[0, 1, 0, 1]).unwrap();
        assert!(!cyclic.is_in_order());
        assert_eq!(cyclic.column.as_deref(), Some(&[2, 3][..]));
        assert_eq!(&*cyclic.leaders, [0, 1]);
    }

    #[test]
    fn one_node_or_one_rank_on_each_is_no_hierarchy() {
        assert_eq!(Nodes::new(0, &[4, 4, 4]), None);
        assert_eq!(Nodes::new(0, &[4, 5, 6]), None);
        assert_eq!(Nodes::new(0, &[4]), None);
    }
}
