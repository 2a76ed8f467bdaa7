//! The shape of the tree: every vertex has up to `radix` children.
//!
//! Vertex 0 is `mpirun`, the others are the daemons of the other hosts, in the order of the
//! allocation. As in a heap, the children of `v` follow from its number, so that a vertex needs no
//! more than its own number, the radix and how many there are. Daemons that start while the job
//! runs have the numbers behind, and are children of the root; only the root knows of them.

use std::ops::Range;

/// The vertex of `mpirun` itself.
pub const ROOT: u32 = 0;

/// The form of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Those of the start.
    vertices: u32,
    radix: u32,
    /// Those that came later.
    late: u32,
}

impl Shape {
    /// A tree of `vertices`, the root among them, each with up to `radix` children.
    pub fn new(vertices: u32, radix: u32) -> Shape {
        Shape {
            vertices: vertices.max(1),
            radix: radix.max(1),
            late: 0,
        }
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> u32 {
        self.vertices + self.late
    }

    /// Adds a vertex below the root, after the start. Returns its number.
    pub fn add(&mut self) -> u32 {
        self.late += 1;
        self.vertices() - 1
    }

    /// Whether a vertex was added after the start.
    pub fn is_late(&self, vertex: u32) -> bool {
        vertex >= self.vertices
    }

    /// How many children a vertex has at most.
    pub fn radix(&self) -> u32 {
        self.radix
    }

    /// The children of `vertex` at the start.
    pub fn children(&self, vertex: u32) -> Range<u32> {
        let first = u64::from(vertex) * u64::from(self.radix) + 1;
        let end = first + u64::from(self.radix);
        let cut = |n: u64| n.min(u64::from(self.vertices)) as u32;
        cut(first)..cut(end)
    }

    /// The vertex above; `None` for the root.
    pub fn parent(&self, vertex: u32) -> Option<u32> {
        match vertex {
            ROOT => None,
            late if self.is_late(late) => Some(ROOT),
            vertex => Some((vertex - 1) / self.radix),
        }
    }

    /// Returns the child of `from` on the path down to `vertex`; `None` when it is not below.
    pub fn next_hop(&self, from: u32, vertex: u32) -> Option<u32> {
        let mut at = vertex;
        loop {
            let parent = self.parent(at)?;
            if parent == from {
                return Some(at);
            }
            at = parent;
        }
    }

    /// `vertex` and all below it, in the order of their numbers.
    pub fn subtree(&self, vertex: u32) -> Vec<u32> {
        let mut found = vec![vertex];
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            found.extend(self.children(at));
            next += 1;
        }
        if vertex == ROOT {
            found.extend(self.vertices..self.vertices());
        }
        found.sort_unstable();
        found
    }

    /// How many steps `vertex` is below the root.
    pub fn depth(&self, vertex: u32) -> u32 {
        let mut steps = 0;
        let mut at = vertex;
        while let Some(parent) = self.parent(at) {
            steps += 1;
            at = parent;
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_below_the_root_once() {
        for (vertices, radix) in [
            (1, 2),
            (2, 1),
            (5, 1),
            (64, 4),
            (65, 32),
            (1000, 32),
            (7, 99),
        ] {
            let shape = Shape::new(vertices, radix);
            assert_eq!(shape.subtree(ROOT), (0..vertices).collect::<Vec<_>>());
            for vertex in 1..vertices {
                let parent = shape.parent(vertex).unwrap();
                assert!(shape.children(parent).contains(&vertex));
                assert!(shape.children(vertex).len() <= radix as usize);
                let first = shape.next_hop(ROOT, vertex).unwrap();
                assert!(shape.subtree(first).contains(&vertex));
                assert_eq!(shape.next_hop(vertex, parent), None);
            }
        }
    }

    #[test]
    fn those_that_come_later_are_children_of_the_root() {
        let mut shape = Shape::new(5, 2);
        assert_eq!((shape.add(), shape.add()), (5, 6));
        assert_eq!(shape.subtree(ROOT), (0..7).collect::<Vec<_>>());
        assert_eq!(shape.subtree(1), [1, 3, 4]);
        for late in [5, 6] {
            assert!(shape.is_late(late) && !shape.is_late(4));
            assert_eq!(shape.subtree(late), [late]);
            assert_eq!(shape.next_hop(ROOT, late), Some(late));
            assert_eq!(shape.next_hop(2, late), None);
        }
        // As a daemon of the start sees it, which does not know them.
        assert_eq!(Shape::new(5, 2).next_hop(2, 6), None);
    }

    #[test]
    fn depth_grows_as_the_logarithm() {
        let deepest = |hosts, radix| Shape::new(hosts + 1, radix).depth(hosts);
        assert_eq!(deepest(4, 32), 1);
        assert_eq!(deepest(32, 32), 1);
        assert_eq!(deepest(33, 32), 2);
        assert_eq!(deepest(1000, 32), 2);
        assert_eq!(deepest(64, 4), 3);
    }

    #[test]
    fn the_largest_numbers_are_no_trouble() {
        let shape = Shape::new(u32::MAX, u32::MAX);
        assert_eq!(shape.children(ROOT).end, u32::MAX);
        assert!(shape.children(5).is_empty());
    }
}
