//! Creation of communicators with a topology (MPI 5.0, 8.5), of the first processes of another one.
//!
//! Ranks are not reordered, even if the program allows it.

use std::sync::Arc;

use coll::{Neighbors, Nodes, Routes};
use datatype::Buffer;
use memory::Scratch;

use mpi_local::topo::{contributed, Cart, DistGraph, EdgeLists, Graph, Topology};

use crate::numbers::Numbers;
use crate::{Class, Comm, Error};

/// Bytes of the head of a message of [`Comm::dist_graph`]: how many edges lead to its receiver, and
/// how many leave from there. Then come the edges, in that order.
const HEAD_BYTES: usize = 16;
/// Largest number of edges; no process has memory for more.
const EDGES_MAX: usize = 1 << 40;

impl Comm {
    /// A grid of the first processes (`MPI_Cart_create`). `None` beyond them.
    ///
    /// # Errors
    /// `Comm` in an inter-communicator, `Dims` when the grid is larger than the group, and when
    /// a message fails.
    pub fn cart(&self, cart: Cart) -> Result<Option<Comm>, Error> {
        self.one_group()?;
        let size = cart.size();
        if size > self.size() {
            let text = format!("a grid of {size} processes in {self} of {}", self.size());
            return Err(Error::new(Class::Dims, text));
        }
        let made = self.with_topology(Topology::Cart(cart), size)?;
        made.map(Comm::with_routes).transpose()
    }

    /// The part of the grid that remains for this process when some dimensions are dropped
    /// (`MPI_Cart_sub`).
    ///
    /// # Errors
    /// `Topology` where there is no grid, and when a message fails.
    pub fn cart_sub(&self, remain: &[bool]) -> Result<Comm, Error> {
        let part = self.grid()?.sub(self.rank(), remain)?;
        let made = self.split(Some(part.color as u32), part.rank as i32)?;
        let made = made.expect("everybody gave a colour");
        made.with_own_topology(Topology::Cart(part.cart))
            .with_routes()
    }

    /// A graph of the first processes (`MPI_Graph_create`). `None` beyond them.
    ///
    /// # Errors
    /// `Comm` in an inter-communicator, `Topology` when the graph has more nodes than the group
    /// processes, and when a message fails.
    pub fn graph(&self, graph: Graph) -> Result<Option<Comm>, Error> {
        self.one_group()?;
        let size = graph.size();
        if size > self.size() {
            let text = format!("a graph of {size} nodes in {self} of {}", self.size());
            return Err(Error::new(Class::Topology, text));
        }
        let made = self.with_topology(Topology::Graph(graph), size)?;
        made.map(Comm::with_routes).transpose()
    }

    /// A graph of which every process gives its own edges (`MPI_Dist_graph_create_adjacent`).
    ///
    /// # Errors
    /// `Comm` in an inter-communicator, and when a message fails.
    pub fn dist_graph_adjacent(&self, graph: DistGraph) -> Result<Comm, Error> {
        self.one_group()?;
        let made = self.with_topology(Topology::DistGraph(graph), self.size())?;
        made.expect("all processes are members").with_routes()
    }

    /// A graph of which every process gives any edges, as (source, destination, weight)
    /// (`MPI_Dist_graph_create`). Every process receives the edges that touch it.
    ///
    /// # Errors
    /// `Comm` in an inter-communicator, and when a message fails.
    pub fn dist_graph(&self, edges: &[(u32, u32, i32)], weighted: bool) -> Result<Comm, Error> {
        self.one_group()?;
        let contributed = contributed(edges.iter().copied());
        let none = (Vec::new(), Vec::new());
        let of = |peer: u32| contributed.get(&peer).unwrap_or(&none);
        let size = self.size();
        let heads = Scratch::new(HEAD_BYTES * size as usize);
        for peer in 0..size {
            let (to, from) = of(peer);
            let at = peer as usize * HEAD_BYTES;
            heads.buf().write(at, &(to.len() as u64).to_le_bytes());
            heads
                .buf()
                .write(at + 8, &(from.len() as u64).to_le_bytes());
        }
        let sent = (0..size)
            .map(|peer| of(peer).0.len() + of(peer).1.len())
            .collect();
        let outgoing = EdgeLists::new(sent);
        for peer in 0..size {
            let (to, from) = of(peer);
            for (index, edge) in to.iter().chain(from).enumerate() {
                outgoing.set(peer, index, *edge);
            }
        }
        let counts = self.swap_heads(&heads)?;
        let incoming = EdgeLists::new(counts.iter().map(|(to, from)| to + from).collect());
        let (team, rules) = (self.team(), self.rules().clone());
        let (send, recv) = (outgoing.blocks(), incoming.blocks());
        self.run(|port| coll::alltoallv(port, &rules, team, Some(send), recv))?;
        self.dist_graph_adjacent(incoming.graph(&counts, weighted))
    }

    /// Exchanges how many edges each process sends: to this one, and from it.
    fn swap_heads(&self, heads: &Scratch) -> Result<Vec<(usize, usize)>, Error> {
        let (size, team, rules) = (self.size(), self.team(), self.rules().clone());
        let theirs = Scratch::new(HEAD_BYTES * size as usize);
        let blocks = |room: &Scratch| coll::Blocks::even(Buffer::bytes(room.buf()), size);
        let (send, recv) = (blocks(heads), blocks(&theirs));
        self.run(|port| coll::alltoall(port, &rules, team, Some(send), recv))?;
        let number = |at: usize| {
            let mut bytes = [0; 8];
            theirs.buf().read(at, &mut bytes);
            edge_count(u64::from_le_bytes(bytes))
        };
        let row = |peer: usize| {
            let at = peer * HEAD_BYTES;
            Ok((number(at)?, number(at + 8)?))
        };
        (0..size as usize).map(row).collect()
    }

    /// Returns this communicator, which is not in use yet, with the routes of its topology to other
    /// nodes.
    fn with_routes(mut self) -> Result<Comm, Error> {
        let (Some(nodes), Some(topology)) = (self.rules().nodes.clone(), self.topology()) else {
            return Ok(self);
        };
        let around: Vec<Neighbors> = match topology {
            Topology::DistGraph(graph) => self.edges_inside(&nodes, graph)?,
            known => {
                let members = nodes.own_members().iter();
                members
                    .map(|rank| known.neighbors(*rank))
                    .collect::<Result<_, _>>()?
            }
        };
        self.routes = Routes::new(&nodes, &around).map(Arc::new);
        Ok(self)
    }

    /// Returns the neighbours of each rank of this node in a graph of which each knows its own.
    fn edges_inside(&self, nodes: &Arc<Nodes>, own: &DistGraph) -> Result<Vec<Neighbors>, Error> {
        let members = nodes.own_members();
        let heads = Numbers::new(2 * members.len());
        let head = Numbers::of(&[own.sources.len() as u64, own.destinations.len() as u64]);
        let all = coll::Blocks::even(heads.buffer(), members.len() as u32);
        self.run(|port| coll::allgather_inside(port, nodes, head.buffer(), all))?;
        let count = |row: Vec<u64>| Ok((edge_count(row[0])?, edge_count(row[1])?));
        let counts = heads.rows(2).into_iter().map(count);
        let counts: Vec<(usize, usize)> = counts.collect::<Result<_, Error>>()?;
        let lists = EdgeLists::new(counts.iter().map(|(to, from)| to + from).collect());
        let edges = EdgeLists::of(own);
        self.run(|port| coll::allgather_inside(port, nodes, edges.whole(), lists.blocks()))?;
        let graph = |(member, counts)| {
            let graph = lists.member(member, counts, self.size())?;
            Ok(graph.neighbors())
        };
        (0..).zip(counts).map(graph).collect()
    }

    /// The grid of the communicator.
    ///
    /// # Errors
    /// `Topology` where it has none.
    pub fn grid(&self) -> Result<&Cart, Error> {
        match self.topology() {
            Some(Topology::Cart(cart)) => Ok(cart),
            _ => Err(self.lacks("Cartesian topology")),
        }
    }

    /// The graph of the communicator.
    ///
    /// # Errors
    /// `Topology` where it has none.
    pub fn whole_graph(&self) -> Result<&Graph, Error> {
        match self.topology() {
            Some(Topology::Graph(graph)) => Ok(graph),
            _ => Err(self.lacks("graph topology")),
        }
    }

    /// The own edges in the distributed graph of the communicator.
    ///
    /// # Errors
    /// `Topology` where it has none.
    pub fn own_edges(&self) -> Result<&DistGraph, Error> {
        match self.topology() {
            Some(Topology::DistGraph(graph)) => Ok(graph),
            _ => Err(self.lacks("distributed graph topology")),
        }
    }

    fn lacks(&self, what: &str) -> Error {
        Error::new(Class::Topology, format!("{self} has no {what}"))
    }

    fn one_group(&self) -> Result<(), Error> {
        if self.is_inter() {
            let text = format!("{self} is an inter-communicator; a topology needs one group");
            return Err(Error::new(Class::Comm, text));
        }
        Ok(())
    }
}

/// Returns how many edges a process has announced.
fn edge_count(announced: u64) -> Result<usize, Error> {
    let count = usize::try_from(announced).ok();
    count.filter(|count| *count < EDGES_MAX).ok_or_else(|| {
        let text = format!("a process announced {announced} edges, more than {EDGES_MAX}");
        Error::new(Class::Intern, text)
    })
}
