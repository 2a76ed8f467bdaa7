//! Lists of edges, as processes exchange them.

use datatype::Buffer;
use memory::Scratch;

use super::{DistGraph, Edges};
use crate::Error;

/// Bytes of an edge: the rank at the other end, and the weight.
const EDGE_BYTES: usize = 8;

/// A list of edges, each the rank at the other end and a weight, for or from each of several
/// processes. Those that lead to a process come before those that leave it.
pub struct EdgeLists {
    room: Scratch,
    /// Starts of the lists of each process, in edges, and the end of the last one.
    starts: Vec<usize>,
}

impl EdgeLists {
    /// Returns room for lists of these lengths.
    pub fn new(counts: Vec<usize>) -> EdgeLists {
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

    /// Returns one list: the edges of a process.
    pub fn of(graph: &DistGraph) -> EdgeLists {
        let (sources, destinations) = (&graph.sources, &graph.destinations);
        let list = EdgeLists::new(vec![sources.len() + destinations.len()]);
        let edges = |of: &Edges| std::iter::zip(of.ranks.clone(), of.weights.clone());
        let edges = edges(sources).chain(edges(destinations));
        for (index, edge) in edges.enumerate() {
            list.set(0, index, edge);
        }
        list
    }

    /// Returns the memory of all lists.
    pub fn whole(&self) -> Buffer {
        Buffer::bytes(self.room.buf())
    }

    /// Returns the memory of each list.
    pub fn blocks(&self) -> coll::Blocks {
        let list = |bounds: &[usize]| {
            let (start, end) = (bounds[0] * EDGE_BYTES, bounds[1] * EDGE_BYTES);
            Buffer::bytes(self.room.buf().part(start, end - start))
        };
        coll::Blocks::from(self.starts.windows(2).map(list).collect::<Vec<_>>())
    }

    /// Writes an edge of a list.
    ///
    /// # Panics
    /// When there is no room for it.
    pub fn set(&self, peer: u32, index: usize, (rank, weight): (i32, i32)) {
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

    /// Returns the edges of a list by direction, from how many it has of each.
    fn list(&self, peer: usize, (to, from): (usize, usize)) -> [Vec<(i32, i32)>; 2] {
        let edges = |range: std::ops::Range<usize>| range.map(|at| self.get(peer, at)).collect();
        [edges(0..to), edges(to..to + from)]
    }

    /// Returns the graph of the edges of one list, in a communicator of `size` processes.
    ///
    /// # Errors
    /// `Rank` or `Arg` for edges that there cannot be.
    pub fn member(
        &self,
        peer: usize,
        counts: (usize, usize),
        size: u32,
    ) -> Result<DistGraph, Error> {
        let [sources, destinations] = self.list(peer, counts).map(|edges| {
            let (ranks, weights): (Vec<i32>, Vec<i32>) = edges.into_iter().unzip();
            Edges::new(&ranks, Some(&weights), size)
        });
        Ok(DistGraph {
            sources: sources?,
            destinations: destinations?,
            weighted: true,
        })
    }

    /// Returns the graph of the edges of all lists, which are those of one process.
    pub fn graph(&self, counts: &[(usize, usize)], weighted: bool) -> DistGraph {
        let lists = counts.iter().enumerate();
        let lists: Vec<_> = lists
            .map(|(peer, counts)| self.list(peer, *counts))
            .collect();
        let edges = |way: usize| {
            lists
                .iter()
                .flat_map(|list| list[way].iter().copied())
                .collect()
        };
        DistGraph {
            sources: Edges::gathered(edges(0)),
            destinations: Edges::gathered(edges(1)),
            weighted,
        }
    }
}
