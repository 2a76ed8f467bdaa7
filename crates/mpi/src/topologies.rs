//! Creation of communicators with a topology (MPI 5.0, 8.5), of the first processes of another one.
//!
//! Ranks are not reordered, even if the program allows it.

use datatype::Buffer;
use memory::Scratch;

use mpi_local::topo::{contributed, Cart, DistGraph, Edges, Graph, Topology};

use crate::{Class, Comm, Error};

/// Bytes of the head of a message of [`Comm::dist_graph`]: how many edges lead to its receiver, and
/// how many leave from there. Then come the edges, in that order.
const HEAD_BYTES: usize = 16;
/// The rank at the other end of an edge, and its weight.
const EDGE_BYTES: usize = 8;

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
        self.with_topology(Topology::Cart(cart), size)
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
        Ok(made.with_own_topology(Topology::Cart(part.cart)))
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
        self.with_topology(Topology::Graph(graph), size)
    }

    /// A graph of which every process gives its own edges (`MPI_Dist_graph_create_adjacent`).
    ///
    /// # Errors
    /// `Comm` in an inter-communicator, and when a message fails.
    pub fn dist_graph_adjacent(&self, graph: DistGraph) -> Result<Comm, Error> {
        self.one_group()?;
        let made = self.with_topology(Topology::DistGraph(graph), self.size())?;
        Ok(made.expect("all processes are members"))
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
            usize::try_from(u64::from_le_bytes(bytes))
                .ok()
                .filter(|count| *count < EDGES_MAX)
        };
        let row = |peer: usize| {
            let at = peer * HEAD_BYTES;
            number(at).zip(number(at + 8)).ok_or_else(|| {
                let text = format!("rank {peer} announced more than {EDGES_MAX} edges");
                Error::new(Class::Intern, text)
            })
        };
        (0..size as usize).map(row).collect()
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

/// Largest number of edges; no process has memory for more.
const EDGES_MAX: usize = 1 << 40;

/// EdgeLists of edges for, or from, every process.
struct EdgeLists {
    room: Scratch,
    /// Starts of the lists of each process, in edges, and the end of the last one.
    starts: Vec<usize>,
}

impl EdgeLists {
    fn new(counts: Vec<usize>) -> EdgeLists {
        let mut starts = vec![0];
        let mut end = 0;
        for count in counts {
            end += count;
            starts.push(end);
        }
        EdgeLists {
            room: Scratch::new(end * EDGE_BYTES),
            starts,
        }
    }

    fn blocks(&self) -> coll::Blocks {
        let list = |bounds: &[usize]| {
            let (start, end) = (bounds[0] * EDGE_BYTES, bounds[1] * EDGE_BYTES);
            Buffer::bytes(self.room.buf().part(start, end - start))
        };
        coll::Blocks::from(self.starts.windows(2).map(list).collect::<Vec<_>>())
    }

    fn set(&self, peer: u32, index: usize, (rank, weight): (i32, i32)) {
        let at = (self.starts[peer as usize] + index) * EDGE_BYTES;
        self.room.buf().write(at, &rank.to_le_bytes());
        self.room.buf().write(at + 4, &weight.to_le_bytes());
    }

    fn get(&self, peer: usize, index: usize) -> (i32, i32) {
        let at = (self.starts[peer] + index) * EDGE_BYTES;
        let mut bytes = [0; EDGE_BYTES];
        self.room.buf().read(at, &mut bytes);
        let word = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        (i32::from_le_bytes(word(0)), i32::from_le_bytes(word(4)))
    }

    /// Returns the graph of the edges that all processes sent.
    fn graph(&self, counts: &[(usize, usize)], weighted: bool) -> DistGraph {
        let (mut sources, mut destinations) = (Vec::new(), Vec::new());
        for (peer, (to, from)) in counts.iter().enumerate() {
            sources.extend((0..*to).map(|index| self.get(peer, index)));
            destinations.extend((*to..to + from).map(|index| self.get(peer, index)));
        }
        DistGraph {
            sources: Edges::gathered(sources),
            destinations: Edges::gathered(destinations),
            weighted,
        }
    }
}
