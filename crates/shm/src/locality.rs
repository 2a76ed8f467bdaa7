//! Which processes of a group share a node: the same answer at all of them.
//!
//! Whether memory carries a collective or a window is decided before any message of it, so all
//! members have to come to the same decision, or they wait for each other forever. Within one world
//! the launcher has numbered the nodes. Processes of several worlds have no numbers in common, so
//! each process states its [`Locality`] in its card, with its address. The decision is a function
//! of what the members have stated, and never of what one process has found out about another.

use std::collections::{BTreeMap, BTreeSet};

use base::wire::{read_u32, read_u64};

/// Bytes of a locality as it travels.
pub const LOCALITY_BYTES: usize = 24;

/// Node of a process and how it would share memory there, as it states itself.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Locality {
    /// A digest of the machine ([`crate::machine()`]).
    pub machine: u64,
    /// The number of its node in its world.
    pub node: u32,
    /// A digest of how it runs collectives through shared memory (`coll_sm::Settings::digest`);
    /// 0 where it does not.
    pub collectives: u64,
    /// Number of cores that it may use.
    pub cores: u32,
}

impl Locality {
    /// Returns the bytes that travel.
    pub fn encode(&self) -> [u8; LOCALITY_BYTES] {
        let mut bytes = [0; LOCALITY_BYTES];
        bytes[..8].copy_from_slice(&self.machine.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.node.to_le_bytes());
        bytes[12..20].copy_from_slice(&self.collectives.to_le_bytes());
        bytes[20..].copy_from_slice(&self.cores.to_le_bytes());
        bytes
    }

    /// Returns the locality of such bytes; `None` if there are too few.
    pub fn decode(bytes: &[u8]) -> Option<Locality> {
        Some(Locality {
            machine: read_u64(bytes, 0)?,
            node: read_u32(bytes, 8)?,
            collectives: read_u64(bytes, 12)?,
            cores: read_u32(bytes, 20)?,
        })
    }
}

/// The locality of a process with its world, which all others know alike.
#[derive(Clone, Copy)]
pub struct PlacedProcess {
    /// A name of its world.
    pub world: u64,
    /// Its own statement.
    pub locality: Locality,
}

/// Numbers the nodes of processes of several worlds.
///
/// Processes of different worlds are on one node where they state one machine. Those of one world
/// are moreover on the node that their launcher says, so that they are in no communicator together
/// and in another one apart; where it has several nodes on one machine, as when hosts are emulated,
/// the first of them is the one that the first of another world is on.
pub fn number(stated: &[PlacedProcess]) -> Vec<u32> {
    let mut nodes: BTreeMap<(u64, u64), BTreeSet<u32>> = BTreeMap::new();
    for PlacedProcess { world, locality } in stated {
        let of_world = nodes.entry((*world, locality.machine)).or_default();
        of_world.insert(locality.node);
    }
    let place = |PlacedProcess { world, locality }: &PlacedProcess| {
        let of_world = &nodes[&(*world, locality.machine)];
        (locality.machine, of_world.range(..locality.node).count())
    };
    let places: BTreeSet<(u64, usize)> = stated.iter().map(place).collect();
    let number = |one: &PlacedProcess| places.range(..place(one)).count() as u32;
    stated.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(world: u64, machine: u64, node: u32) -> PlacedProcess {
        PlacedProcess {
            world,
            locality: Locality {
                machine,
                node,
                collectives: 1,
                cores: 2,
            },
        }
    }

    #[test]
    fn a_locality_comes_back_as_it_went() {
        let locality = Locality {
            machine: u64::MAX - 1,
            node: 7,
            collectives: 1 << 40,
            cores: 3,
        };
        let bytes = locality.encode();
        assert_eq!(Locality::decode(&bytes), Some(locality));
        assert_eq!(Locality::decode(&bytes[..LOCALITY_BYTES - 1]), None);
    }

    #[test]
    fn worlds_on_one_machine_are_on_one_node_whatever_their_numbers() {
        let all = [stated(1, 5, 0), stated(2, 5, 3), stated(1, 5, 0)];
        assert_eq!(number(&all), [0, 0, 0]);
        let apart = [stated(1, 9, 0), stated(2, 5, 0), stated(1, 5, 1)];
        assert_eq!(number(&apart), [1, 0, 0]);
    }

    #[test]
    fn nodes_of_a_launcher_on_one_machine_stay_distinct() {
        let all = [stated(1, 5, 0), stated(1, 5, 4), stated(2, 5, 2)];
        assert_eq!(number(&all), [0, 1, 0]);
        // Processes on one node in a communicator are so in any smaller one.
        assert_eq!(number(&[all[0], all[2]]), [0, 0]);
        assert_eq!(number(&[stated(1, 5, 4), stated(1, 6, 4)]), [0, 1]);
    }

    #[test]
    fn numbers_do_not_depend_on_the_order() {
        let mut all = vec![
            stated(1, 9, 0),
            stated(2, 5, 0),
            stated(1, 5, 1),
            stated(1, 9, 2),
        ];
        let numbers = number(&all);
        all.reverse();
        let mut reversed = number(&all);
        reversed.reverse();
        assert_eq!(numbers, reversed);
        assert_eq!(numbers, [1, 0, 0, 2]);
    }
}
