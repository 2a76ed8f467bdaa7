//! Graphs (MPI 5.0, 8.5.3 to 8.5.5).

use std::collections::BTreeMap;

use crate::{Class, Error};
use coll::Neighbors;

/// A graph that every process knows all of: neighbour lists one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// End of the neighbours of each node in `edges`.
    index: Vec<i32>,
    edges: Vec<i32>,
}

/// A graph of which a process knows the edges to and from itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DistGraph {
    /// Edges to this process.
    pub sources: Edges,
    /// Edges from this process.
    pub destinations: Edges,
    /// The program gave weights, even if none for this process.
    pub weighted: bool,
}

/// The edges of a process in one direction.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Edges {
    /// The ranks at the other ends.
    pub ranks: Vec<i32>,
    /// A weight for each; all 1 where the program gave none.
    pub weights: Vec<i32>,
}

impl Graph {
    /// A graph whose node `i` has the neighbours `edges[index[i - 1] .. index[i]]`.
    ///
    /// # Errors
    /// `Topology` when `index` decreases, does not end with the number of edges, or an edge leads
    /// to a node that does not exist.
    pub fn new(index: &[i32], edges: &[i32]) -> Result<Graph, Error> {
        let bad = |text: String| Error::new(Class::Topology, text);
        let mut before = 0;
        for (node, &end) in index.iter().enumerate() {
            if end < before {
                return Err(bad(format!(
                    "index[{node}] is {end}, less than {before} before it"
                )));
            }
            before = end;
        }
        if before as usize != edges.len() {
            return Err(bad(format!(
                "index ends with {before}, but there are {} edges",
                edges.len()
            )));
        }
        let nodes = index.len() as i64;
        if let Some(at) = edges
            .iter()
            .position(|edge| !(0..nodes).contains(&i64::from(*edge)))
        {
            let edge = edges[at];
            return Err(bad(format!(
                "edges[{at}] is {edge} in a graph of {nodes} nodes"
            )));
        }
        Ok(Graph {
            index: index.to_vec(),
            edges: edges.to_vec(),
        })
    }

    /// How many nodes there are.
    pub fn size(&self) -> u32 {
        self.index.len() as u32
    }

    /// Returns the ends of the neighbours of each node in [`Graph::edges`].
    pub fn index(&self) -> &[i32] {
        &self.index
    }

    /// The neighbours of all nodes.
    pub fn edges(&self) -> &[i32] {
        &self.edges
    }

    /// The neighbours of a node, as the program listed them.
    ///
    /// # Errors
    /// `Rank` for a node that does not exist.
    pub fn neighbor_list(&self, rank: u32) -> Result<&[i32], Error> {
        let node = rank as usize;
        let Some(end) = self.index.get(node) else {
            let text = format!("rank {rank} in a graph of {} nodes", self.size());
            return Err(Error::new(Class::Rank, text));
        };
        let start = if node == 0 { 0 } else { self.index[node - 1] };
        Ok(&self.edges[start as usize..*end as usize])
    }

    /// Returns the neighbours of a node for neighbourhood collectives, equal in both directions.
    pub(super) fn neighbors_of(&self, rank: u32) -> Result<Neighbors, Error> {
        let around = some(self.neighbor_list(rank)?);
        Ok(Neighbors {
            sources: around.clone().into(),
            destinations: around.into(),
            cartesian: false,
        })
    }
}

impl DistGraph {
    /// The neighbours of this process for neighbourhood collectives.
    pub fn neighbors(&self) -> Neighbors {
        Neighbors {
            sources: some(&self.sources.ranks).into(),
            destinations: some(&self.destinations.ranks).into(),
            cartesian: false,
        }
    }
}

impl Edges {
    /// Edges to or from `ranks`, each in a communicator of `size` processes.
    ///
    /// # Errors
    /// `Rank` for a rank that does not exist, `Arg` for a negative weight or too few of them.
    pub fn new(ranks: &[i32], weights: Option<&[i32]>, size: u32) -> Result<Edges, Error> {
        let wrong = |rank: &&i32| **rank < 0 || i64::from(**rank) >= i64::from(size);
        if let Some(rank) = ranks.iter().find(wrong) {
            let text = format!("an edge leads to rank {rank} of {size} processes");
            return Err(Error::new(Class::Rank, text));
        }
        let weights = weights.map_or(vec![1; ranks.len()], <[i32]>::to_vec);
        if weights.len() != ranks.len() {
            let text = format!("{} weights for {} edges", weights.len(), ranks.len());
            return Err(Error::new(Class::Arg, text));
        }
        if let Some(weight) = weights.iter().find(|weight| **weight < 0) {
            let text = format!("the weight of an edge is {weight}, below zero");
            return Err(Error::new(Class::Arg, text));
        }
        Ok(Edges {
            ranks: ranks.to_vec(),
            weights,
        })
    }

    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Whether there are no edges.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The edges that several processes contributed, as (other end, weight), in the order of the
    /// other ends; an edge that was given several times stays so.
    pub fn gathered(mut edges: Vec<(i32, i32)>) -> Edges {
        edges.sort_by_key(|(rank, _)| *rank);
        let (ranks, weights) = edges.into_iter().unzip();
        Edges { ranks, weights }
    }
}

/// Edges that one process contributes to `MPI_Dist_graph_create`, by the processes that they
/// touch: for each process the edges that lead to it, then those that leave it, as (other end,
/// weight).
pub type Contributed = BTreeMap<u32, (Vec<(i32, i32)>, Vec<(i32, i32)>)>;

/// Sorts edges `sources[i] -> destinations[i]` by the processes that they touch.
pub fn contributed(edges: impl IntoIterator<Item = (u32, u32, i32)>) -> Contributed {
    let mut sorted = Contributed::new();
    for (source, destination, weight) in edges {
        sorted
            .entry(destination)
            .or_default()
            .0
            .push((source as i32, weight));
        sorted
            .entry(source)
            .or_default()
            .1
            .push((destination as i32, weight));
    }
    sorted
}

fn some(ranks: &[i32]) -> Vec<Option<u32>> {
    ranks.iter().map(|rank| Some(*rank as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_those_of_the_list() {
        // The example of MPI 5.0, 8.5.3.
        let graph = Graph::new(&[2, 3, 4, 6], &[1, 3, 0, 3, 0, 2]).unwrap();
        assert_eq!(graph.size(), 4);
        let lists: [&[i32]; 4] = [&[1, 3], &[0], &[3], &[0, 2]];
        for (rank, list) in lists.into_iter().enumerate() {
            assert_eq!(graph.neighbor_list(rank as u32), Ok(list));
        }
        assert_eq!(graph.neighbor_list(4).unwrap_err().class, Class::Rank);
        assert_eq!(*graph.neighbors_of(3).unwrap().sources, [Some(0), Some(2)]);
    }

    #[test]
    fn bad_graphs_are_refused() {
        let bad: [(&[i32], &[i32]); 5] = [
            (&[2, 1], &[0, 1]),
            (&[1, 2], &[0]),
            (&[1, 2], &[0, 2]),
            (&[1, 2], &[0, -1]),
            (&[-1], &[]),
        ];
        for (index, edges) in bad {
            assert_eq!(Graph::new(index, edges).unwrap_err().class, Class::Topology);
        }
    }

    #[test]
    fn contributed_edges_reach_both_ends() {
        let sorted = contributed([(0, 1, 5), (2, 1, 6), (1, 1, 7)]);
        let (to, from) = &sorted[&1];
        assert_eq!((to, from), (&vec![(0, 5), (2, 6), (1, 7)], &vec![(1, 7)]));
        let edges = Edges::gathered(to.clone());
        assert_eq!((edges.ranks, edges.weights), (vec![0, 1, 2], vec![5, 7, 6]));
        assert_eq!(Edges::new(&[3], None, 3).unwrap_err().class, Class::Rank);
        assert_eq!(Edges::new(&[2], None, 3).unwrap().weights, [1]);
        assert_eq!(
            Edges::new(&[2], Some(&[-1]), 3).unwrap_err().class,
            Class::Arg
        );
    }
}
