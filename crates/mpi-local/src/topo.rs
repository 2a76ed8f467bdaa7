//! Process topologies as data and arithmetic (MPI 5.0, 8): grids, graphs, and neighbours.
//!
//! A topology knows the ranks of its communicator and nothing else of it. The constructors check
//! their arguments, so later calls fail only for a rank or a dimension that does not exist.

mod cart;
mod dims;
mod graph;
mod lists;

pub use cart::{Cart, Sub};
pub use coll::Neighbors;
pub use dims::dims_create;
pub use graph::{contributed, Contributed, DistGraph, Edges, Graph};
pub use lists::EdgeLists;

use crate::Error;

/// The topology of a communicator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Topology {
    /// A grid.
    Cart(Cart),
    /// A graph that every process knows all of.
    Graph(Graph),
    /// A graph of which every process knows its own edges.
    DistGraph(DistGraph),
}

impl Topology {
    /// The neighbours of a rank for neighbourhood collectives, in the order of their blocks
    /// (MPI 5.0, 8.6). Of a distributed graph only the own ones are known.
    ///
    /// # Errors
    /// `Rank` for a rank that does not exist.
    pub fn neighbors(&self, rank: u32) -> Result<Neighbors, Error> {
        match self {
            Topology::Cart(cart) => cart.neighbors(rank),
            Topology::Graph(graph) => graph.neighbors_of(rank),
            Topology::DistGraph(graph) => Ok(graph.neighbors()),
        }
    }
}
