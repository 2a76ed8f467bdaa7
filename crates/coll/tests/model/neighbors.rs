//! Whether exchanges with neighbours pay that go by routes, on networks of several kinds: which of
//! them do was chosen by that.

use std::fmt::Write;
use std::sync::Arc;

use coll::rules::Neighbor;
use coll::{Blocks, Neighbors, Nodes, Routes, Rules};

use crate::clock::{Link, Machine, Model};
use crate::nodes::{INSIDE, NETWORKS};

/// Ranks along each dimension of a grid, the last of which lie in one node as far as they fit.
const GRIDS: [[u32; 3]; 4] = [[1, 1, 16], [1, 8, 4], [4, 4, 4], [6, 4, 3]];
/// Ranks of a node.
const EACH: [u32; 4] = [2, 4, 8, 16];
/// Bytes of a block.
const BYTES: [usize; 4] = [8, 64, 256, 2048];
/// Factor over the time of a message for each edge that a choice may take, and microseconds
/// besides.
const TOLERANCE: f64 = 1.1;
const SLACK: f64 = 1.0;
/// The mean of that factor over all cases of a network.
const MEAN_MAX: f64 = 0.97;

/// Neighbours of a rank: those that share a side with it (6 at most), a corner (26), or any.
#[derive(Clone, Copy, Debug)]
enum Stencil {
    Sides,
    Corners,
    Scattered,
}

fn around(stencil: Stencil, dims: [u32; 3], rank: u32) -> Vec<u32> {
    let size = dims.iter().product::<u32>();
    let at = |rank: u32| {
        let plane = dims[1] * dims[2];
        [rank / plane, rank / dims[2] % dims[1], rank % dims[2]]
    };
    let own = at(rank);
    let others = (0..size).filter(|other| *other != rank);
    let is_near = |other: &u32| {
        let steps = at(*other)
            .into_iter()
            .zip(own)
            .map(|(one, two)| one.abs_diff(two));
        match stencil {
            Stencil::Sides => steps.sum::<u32>() == 1,
            Stencil::Corners => steps.max() == Some(1),
            // Equal in both directions.
            Stencil::Scattered => (rank.min(*other) * 31 + rank.max(*other) * 17).is_multiple_of(5),
        }
    };
    others.filter(is_near).collect()
}

/// The neighbours of a rank, and its routes.
fn neighbors(map: &[u32], graph: &[Vec<u32>], rank: u32) -> (Neighbors, Option<Arc<Routes>>) {
    let of = |rank: u32| {
        let peers: Arc<[Option<u32>]> = graph[rank as usize].iter().map(|it| Some(*it)).collect();
        Neighbors {
            sources: peers.clone(),
            destinations: peers,
            cartesian: false,
        }
    };
    let nodes = Nodes::new(rank, map).map(Arc::new);
    let routes = nodes.and_then(|nodes| {
        let around: Vec<_> = nodes.own_members().iter().map(|rank| of(*rank)).collect();
        Routes::new(&nodes, &around).map(Arc::new)
    });
    (of(rank), routes)
}

/// Microseconds of an exchange: with a message for each edge, and as chosen.
fn times(between: Link, each: u32, graph: &[Vec<u32>], bytes: usize) -> [f64; 2] {
    let size = graph.len() as u32;
    let map: Vec<u32> = (0..size).map(|rank| rank / each).collect();
    let machine = Machine {
        node_of: map.clone(),
        inside: INSIDE,
        between,
    };
    let model = Model::new(bytes * size as usize).on(machine);
    let all: Vec<_> = (0..size).map(|rank| neighbors(&map, graph, rank)).collect();
    [Some(Neighbor::Linear), None].map(|way| {
        model.microseconds(size, &|port, team, _| {
            let rules = Rules {
                neighbor_alltoall_algorithm: way,
                ..Rules::default()
            };
            let (own, routes) = all[team.rank as usize].clone();
            let edges = own.sources.len();
            let send = Blocks::even(model.send(bytes * edges), edges as u32);
            let recv = Blocks::even(model.recv(bytes * edges), edges as u32);
            coll::neighbor_alltoall(port, &rules, team, own, routes.as_ref(), send, recv)
        })
    })
}

#[test]
fn what_goes_by_routes_takes_no_longer_than_a_message_for_each_edge() {
    let mut faults = String::new();
    for (network, between) in NETWORKS {
        let (mut sum, mut count) = (0.0, 0);
        let stencils = [Stencil::Sides, Stencil::Corners, Stencil::Scattered];
        for (dims, stencil) in GRIDS
            .into_iter()
            .flat_map(|dims| stencils.map(|it| (dims, it)))
        {
            let size = dims.iter().product();
            let graph: Vec<_> = (0..size).map(|rank| around(stencil, dims, rank)).collect();
            for (each, bytes) in EACH.into_iter().flat_map(|each| BYTES.map(|it| (each, it))) {
                let [linear, chosen] = times(between, each, &graph, bytes);
                sum += chosen / linear;
                count += 1;
                if chosen > TOLERANCE * linear + SLACK {
                    let _ = writeln!(
                        faults,
                        "{network}, {dims:?} {stencil:?}, {each} on a node, {bytes} bytes: \
                         {chosen:.1} us instead of {linear:.1}"
                    );
                }
            }
        }
        let mean = sum / f64::from(count);
        assert!(
            mean <= MEAN_MAX,
            "{network}: {mean:.3} of the time without routes"
        );
    }
    assert!(faults.is_empty(), "{faults}");
}
