//! Tests of neighbourhood collectives on Cartesian grids and arbitrary graphs.

mod common;

use std::sync::Arc;

use coll::rules::Neighbor;
use coll::{Blocks, Neighbors, Nodes, Port, Routes, Rules, Running, Team};
use common::{data, element, intra, Actor, Area, Network, Random, ELEMENT};

/// The neighbours of a rank in a grid of one row per dimension, row-major.
fn grid(dims: &[u32], periodic: bool, rank: u32) -> Neighbors {
    let mut neighbors = Vec::new();
    let mut stride = dims.iter().product::<u32>();
    for &dim in dims {
        stride /= dim;
        let at = rank / stride % dim;
        let place = |to: u32| Some(rank - at * stride + to * stride);
        let below = if at > 0 {
            Some(at - 1)
        } else {
            periodic.then_some(dim - 1)
        };
        let above = if at + 1 < dim {
            Some(at + 1)
        } else {
            periodic.then_some(0)
        };
        neighbors.push(below.and_then(place));
        neighbors.push(above.and_then(place));
    }
    let neighbors: Arc<[Option<u32>]> = neighbors.into();
    Neighbors {
        sources: neighbors.clone(),
        destinations: neighbors,
        cartesian: true,
    }
}

fn lists(areas: &[Area]) -> Blocks {
    Blocks::from(
        areas
            .iter()
            .map(|area| area.buffer.clone())
            .collect::<Vec<_>>(),
    )
}

/// Bytes sent through a side (2 d: negative direction of dimension d, 2 d + 1: positive).
fn through(rank: u32, side: usize) -> Vec<u8> {
    data(
        rank as usize * 10 + side,
        (rank as usize + side) % 3 * ELEMENT,
    )
}

/// A periodic dimension of one or two processes has the same process on both sides; what leaves
/// a process in one direction must still arrive at the other from the opposite one.
#[test]
fn what_leaves_in_one_direction_comes_in_from_the_opposite_one() {
    let shapes: [&[u32]; 9] = [
        &[1],
        &[2],
        &[3],
        &[5],
        &[1, 1],
        &[2, 2],
        &[2, 3],
        &[1, 4, 2],
        &[2, 2, 2],
    ];
    for dims in shapes {
        for periodic in [false, true] {
            let size = dims.iter().product();
            let sides = dims.len() * 2;
            let neighbors: Vec<_> = (0..size).map(|rank| grid(dims, periodic, rank)).collect();
            let sends: Vec<Vec<Area>> = (0..size)
                .map(|rank| {
                    let area = |side| Area::holding(&element(rank), &through(rank, side));
                    (0..sides).map(area).collect()
                })
                .collect();
            let expected = |rank: u32, side: usize| {
                let source = neighbors[rank as usize].sources[side];
                source.map_or(vec![], |source| through(source, side ^ 1))
            };
            let recvs: Vec<Vec<Area>> = (0..size)
                .map(|rank| {
                    let count = |side| expected(rank, side).len() / ELEMENT;
                    (0..sides)
                        .map(|side| Area::new(&element(rank + 1), count(side)))
                        .collect()
                })
                .collect();
            intra(size, 11, |port, team| {
                let rank = team.rank as usize;
                let (send, recv) = (lists(&sends[rank]), lists(&recvs[rank]));
                coll::neighbor_alltoall(
                    port,
                    &Rules::default(),
                    team,
                    neighbors[rank].clone(),
                    None,
                    send,
                    recv,
                )
            });
            for (rank, areas) in recvs.iter().enumerate() {
                for (side, area) in areas.iter().enumerate() {
                    let what = format!("{dims:?} periodic {periodic} rank {rank} side {side}");
                    area.expect(&expected(rank as u32, side), &what);
                }
            }
        }
    }
}

#[test]
fn a_random_graph_with_loops_and_double_edges() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let size = 1 + random.below(9) as u32;
        let edges: Vec<(u32, u32)> = (0..random.below(40))
            .map(|_| {
                (
                    random.below(size as usize) as u32,
                    random.below(size as usize) as u32,
                )
            })
            .collect();
        let of = |rank: u32| {
            let sources = edges.iter().filter(|edge| edge.1 == rank);
            let destinations = edges.iter().filter(|edge| edge.0 == rank);
            Neighbors {
                sources: sources.map(|edge| Some(edge.0)).collect(),
                destinations: destinations.map(|edge| Some(edge.1)).collect(),
                cartesian: false,
            }
        };
        let indexed = || edges.iter().copied().enumerate();
        let len = |index: usize| index % 4 * ELEMENT;
        let sends: Vec<Vec<Area>> = (0..size)
            .map(|rank| {
                let own = indexed().filter(|(_, edge)| edge.0 == rank);
                own.map(|(i, _)| Area::holding(&element(rank), &data(i, len(i))))
                    .collect()
            })
            .collect();
        let recvs: Vec<Vec<Area>> = (0..size)
            .map(|rank| {
                let own = indexed().filter(|(_, edge)| edge.1 == rank);
                own.map(|(i, _)| Area::new(&element(rank + 1), len(i) / ELEMENT))
                    .collect()
            })
            .collect();
        intra(size, seed, |port, team| {
            let rank = team.rank as usize;
            let (send, recv) = (lists(&sends[rank]), lists(&recvs[rank]));
            coll::neighbor_alltoall(
                port,
                &Rules::default(),
                team,
                of(team.rank),
                None,
                send,
                recv,
            )
        });
        for rank in 0..size {
            let own = indexed().filter(|(_, edge)| edge.1 == rank);
            for ((index, _), area) in own.zip(&recvs[rank as usize]) {
                area.expect(
                    &data(index, len(index)),
                    &format!("seed {seed} edge {index}"),
                );
            }
        }
    }
}

#[test]
fn neighbor_allgather_gives_all_neighbours_the_same_block() {
    for (dims, periodic) in [(vec![4], true), (vec![3, 2], false), (vec![2, 2], true)] {
        let size: u32 = dims.iter().product();
        let block = |rank: u32| data(rank as usize, 3 * ELEMENT);
        let sends: Vec<_> = (0..size)
            .map(|rank| Area::holding(&element(rank), &block(rank)))
            .collect();
        let sides = 2 * dims.len();
        let recvs: Vec<_> = (0..size)
            .map(|rank| Area::holding(&element(rank + 1), &vec![9; 3 * ELEMENT * sides]))
            .collect();
        intra(size, 4, |port, team| {
            let rank = team.rank as usize;
            let recv = Blocks::even(recvs[rank].buffer.clone(), sides as u32);
            let neighbors = grid(&dims, periodic, team.rank);
            coll::neighbor_allgather(
                port,
                &Rules::default(),
                team,
                neighbors,
                None,
                sends[rank].buffer.clone(),
                recv,
            )
        });
        for rank in 0..size {
            let sources = grid(&dims, periodic, rank).sources;
            let blocks = sources.iter().map(|source| match source {
                Some(source) => block(*source),
                None => vec![9; 3 * ELEMENT],
            });
            let expected = blocks.collect::<Vec<_>>().concat();
            recvs[rank as usize].expect(&expected, "a block per neighbour, none from outside");
        }
    }
}

/// A topology, and the node of each rank.
struct Place {
    around: Vec<Neighbors>,
    map: Vec<u32>,
}

/// A random graph with loops and double edges, each of which leads from somewhere to somewhere.
fn random_graph(random: &mut Random, size: usize) -> Vec<Neighbors> {
    let count = random.below(6 * size);
    let edges: Vec<_> = (0..count)
        .map(|_| (random.below(size) as u32, random.below(size) as u32))
        .collect();
    let of = |rank| Neighbors {
        sources: edges
            .iter()
            .filter(|it| it.1 == rank)
            .map(|it| Some(it.0))
            .collect(),
        destinations: edges
            .iter()
            .filter(|it| it.0 == rank)
            .map(|it| Some(it.1))
            .collect(),
        cartesian: false,
    };
    (0..size as u32).map(of).collect()
}

impl Place {
    fn random(seed: u64) -> Place {
        let mut random = Random::new(seed);
        let dims: Vec<u32> = (0..1 + random.below(3))
            .map(|_| 1 + random.below(4) as u32)
            .collect();
        let size: u32 = dims.iter().product();
        let around = match seed % 2 {
            0 => random_graph(&mut random, size as usize),
            _ => (0..size)
                .map(|rank| grid(&dims, seed % 4 == 1, rank))
                .collect(),
        };
        let nodes = 1 + random.below(5);
        let map = (0..size).map(|_| random.below(nodes) as u32).collect();
        Place { around, map }
    }

    fn size(&self) -> u32 {
        self.map.len() as u32
    }

    /// The routes of a rank, which it finds from the neighbours of its node alone.
    fn routes(&self, rank: u32) -> Option<Arc<Routes>> {
        let nodes = Nodes::new(rank, &self.map).map(Arc::new)?;
        let members = nodes.own_members().iter();
        let around: Vec<_> = members
            .map(|rank| self.around[*rank as usize].clone())
            .collect();
        Routes::new(&nodes, &around).map(Arc::new)
    }

    /// Runs a call at all ranks. Returns how many messages each pair of nodes had.
    fn run(&self, seed: u64, begin: impl Fn(&Port, Team) -> Running) -> Vec<usize> {
        let size = self.size();
        let actor = |rank| Actor::new(0, rank, |port| begin(port, Team { rank, size }));
        let mut network = Network::new((0..size).map(actor).collect(), seed);
        network.run();
        let node = |rank: u32| self.map[rank as usize] as usize;
        let mut crossed = vec![0; 25];
        for actor in &network.actors {
            for (to, _) in &actor.sent {
                if node(actor.rank) != node(*to) {
                    crossed[5 * node(actor.rank) + node(*to)] += 1;
                }
            }
        }
        crossed
    }

    /// The edge that each block comes in by: the rank, and the place among those of the rank.
    fn incoming(&self, rank: u32) -> Vec<Option<(u32, usize)>> {
        let own = &self.around[rank as usize];
        let swap = usize::from(own.cartesian);
        let mut found: Vec<Option<(u32, usize)>> = vec![None; own.sources.len()];
        for slot in (0..found.len()).map(|slot| slot ^ swap) {
            found[slot] = own.sources[slot].map(|source| {
                let edges = self.around[source as usize].destinations.iter().enumerate();
                let mut edges = edges
                    .filter(|(_, to)| **to == Some(rank))
                    .map(|(at, _)| (source, at));
                let before = found.iter().flatten().filter(|it| it.0 == source).count();
                edges.nth(before).expect("an edge has two ends")
            });
        }
        found
    }
}

fn rules(way: Option<Neighbor>) -> Rules {
    Rules {
        neighbor_allgather_algorithm: way,
        neighbor_alltoall_algorithm: way,
        ..Rules::default()
    }
}

/// On random maps of random graphs and grids: each rank gets the block of each edge, whichever way
/// it goes; by routes one message goes from a node to another, however many edges lead there.
fn each_edge_brings_its_block(same: bool) {
    for seed in 0..400 {
        let place = Place::random(seed);
        let count = seed as usize % 4;
        let block = |rank: u32, edge: usize| {
            let edge = if same { 0 } else { edge };
            data(rank as usize * 100 + edge, count * ELEMENT)
        };
        for way in [None, Some(Neighbor::Hierarchical), Some(Neighbor::Linear)] {
            let sent = |rank: u32| {
                let edges = place.around[rank as usize].destinations.len();
                let edges = if same { 1 } else { edges };
                let blocks: Vec<_> = (0..edges).map(|edge| block(rank, edge)).collect();
                Area::holding(&element(rank), &blocks.concat())
            };
            let sends: Vec<_> = (0..place.size()).map(sent).collect();
            let recvs = empty(&place, count);
            let crossed = place.run(seed, |port, team| {
                let (rules, rank) = (rules(way), team.rank as usize);
                let (around, routes) = (place.around[rank].clone(), place.routes(team.rank));
                let (send, recv) = (sends[rank].buffer.clone(), recvs[rank].buffer.clone());
                let recv = Blocks::even(recv, around.sources.len() as u32);
                if same {
                    return coll::neighbor_allgather(
                        port,
                        &rules,
                        team,
                        around,
                        routes.as_ref(),
                        send,
                        recv,
                    );
                }
                let send = Blocks::even(send, around.destinations.len() as u32);
                coll::neighbor_alltoall(port, &rules, team, around, routes.as_ref(), send, recv)
            });
            let what = format!("seed {seed}, {way:?}");
            expect(&place, &recvs, count, &what, block);
            if way == Some(Neighbor::Hierarchical) && Nodes::new(0, &place.map).is_some() {
                let most = crossed.iter().max();
                assert!(
                    most <= Some(&1),
                    "{what}: {crossed:?} messages between nodes"
                );
            }
        }
    }
}

#[test]
fn alltoall_by_routes_brings_each_edge_its_block() {
    each_edge_brings_its_block(false);
}

#[test]
fn allgather_by_routes_brings_each_edge_its_block() {
    each_edge_brings_its_block(true);
}

/// Areas for the blocks that come in, which hold what stays where there is no neighbour.
fn empty(place: &Place, count: usize) -> Vec<Area> {
    let sources = place.around.iter().map(|around| around.sources.len());
    (0..)
        .zip(sources)
        .map(|(rank, edges)| Area::holding(&element(rank + 1), &vec![9; edges * count * ELEMENT]))
        .collect()
}

fn expect(
    place: &Place,
    recvs: &[Area],
    count: usize,
    what: &str,
    block: impl Fn(u32, usize) -> Vec<u8>,
) {
    for (rank, area) in (0..).zip(recvs) {
        let blocks = place.incoming(rank).into_iter().map(|edge| match edge {
            Some((source, at)) => block(source, at),
            None => vec![9; count * ELEMENT],
        });
        area.expect(
            &blocks.collect::<Vec<_>>().concat(),
            &format!("{what}, rank {rank}"),
        );
    }
}
