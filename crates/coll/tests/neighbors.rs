//! Tests of neighbourhood collectives on Cartesian grids and arbitrary graphs.

mod common;

use std::sync::Arc;

use coll::{Blocks, Neighbors};
use common::{data, element, intra, Area, Random, ELEMENT};

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
                coll::neighbor_alltoall(port, team, neighbors[rank].clone(), send, recv)
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
            coll::neighbor_alltoall(port, team, of(team.rank), send, recv)
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
            coll::neighbor_allgather(port, team, neighbors, sends[rank].buffer.clone(), recv)
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
