//! Reductions: inside to the leaders, among them, and for all back inside; of long vectors each
//! rank of a node takes a piece.

use std::sync::Arc;

use datatype::Buffer;

use super::{is_in_pieces, part_rules, rules_between, Nodes};
use crate::data::{copy, share};
use crate::{Blocks, Counts, ReduceScatterArgs};
use crate::{Error, Port, Reduction, Team, Vector};

/// Most bytes that the vectors of all leaders may have for each leader to get all of them, where
/// their number is no power of two: that takes fewer rounds, and more bytes.
const COLLECTED_MAX: usize = 32 << 10;

pub(crate) async fn reduce(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    let rules = part_rules();
    let parts = nodes.parts(port, root);
    let (inside, team) = &parts.inside;
    let Some((between, leaders)) = &parts.between else {
        return crate::reduce::any(inside, &rules, *team, parts.leader, reduction, vector).await;
    };
    // The result has room at the root only.
    let sum = match &vector.recv {
        Some(recv) => recv.clone(),
        None => reduction.scratch(port, vector.count),
    };
    let here = Vector {
        recv: Some(sum.clone()),
        ..vector.clone()
    };
    crate::reduce::any(inside, &rules, *team, parts.leader, reduction, &here).await?;
    let node = nodes.node_of(root);
    let of_node = match leaders.rank == node {
        true => Vector {
            send: None,
            recv: Some(sum),
            count: vector.count,
        },
        false => Vector {
            send: Some(sum),
            recv: None,
            count: vector.count,
        },
    };
    let rules = rules_between(nodes.count(), vector.bytes());
    crate::reduce::any(between, &rules, *leaders, node, reduction, &of_node).await
}

pub(crate) async fn allreduce(
    port: &Port,
    nodes: &Arc<Nodes>,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    let rules = part_rules();
    let recv = vector.result()?;
    let in_pieces = is_in_pieces(nodes.count(), recv.len());
    if in_pieces && reduction.commutative() && vector.count >= nodes.ranks() as usize {
        if let Some(lane) = nodes.lane(port) {
            return by_lanes(port, nodes, &lane, reduction, vector).await;
        }
    }
    let parts = nodes.parts(port, nodes.own_members()[0]);
    let (inside, team) = &parts.inside;
    let own = match &parts.between {
        Some(_) => vector.clone(),
        None => Vector {
            send: Some(vector.mine()?.clone()),
            recv: None,
            count: vector.count,
        },
    };
    crate::reduce::any(inside, &rules, *team, 0, reduction, &own).await?;
    if let Some((between, leaders)) = &parts.between {
        sum_up(between, *leaders, reduction, recv, vector.count).await?;
    }
    crate::bcast::any(inside, &rules, *team, 0, recv).await
}

/// Sums up a vector of each rank of a team, in place.
async fn sum_up(
    port: &Port,
    team: Team,
    reduction: &Reduction,
    vector: &Buffer,
    count: usize,
) -> Result<(), Error> {
    let all = vector.len().saturating_mul(team.size as usize);
    if !team.size.is_power_of_two() && all <= COLLECTED_MAX {
        return collect(port, team, reduction, vector, count).await;
    }
    let in_place = Vector {
        send: None,
        recv: Some(vector.clone()),
        count,
    };
    crate::allreduce::any(port, &part_rules(), team, reduction, &in_place).await
}

/// Every rank gets the vectors of all in ceil(log2 ranks) rounds, and combines them in order.
async fn collect(
    port: &Port,
    team: Team,
    reduction: &Reduction,
    vector: &Buffer,
    count: usize,
) -> Result<(), Error> {
    let vectors: Vec<Buffer> = (0..team.size)
        .map(|_| reduction.scratch(port, count))
        .collect();
    let blocks = Blocks::from(vectors.clone());
    crate::allgather::bruck(port, team, Some(vector.clone()), blocks).await?;
    let (last, lower) = vectors.split_last().expect("a team has ranks");
    for source in lower.iter().rev() {
        reduction.combine(source, last, count)?;
    }
    copy(last, vector)
}

/// Each rank of a node sums up a piece inside, then with the ranks of its position on the other
/// nodes; the pieces come together inside.
async fn by_lanes(
    port: &Port,
    nodes: &Arc<Nodes>,
    (lane, leaders): &(Port, Team),
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    let rules = part_rules();
    let (inside, team) = nodes.inside(port);
    let (recv, count) = (vector.result()?, vector.count);
    let ranges = (0..team.size).map(|rank| share(count, team.size, rank));
    let counts: Arc<[usize]> = ranges.clone().map(|range| range.len()).collect();
    let own = counts[team.rank as usize];
    let piece = reduction.scratch(port, own);
    let dealt = ReduceScatterArgs {
        send: Some(vector.mine()?.clone()),
        recv: piece.clone(),
        counts: Counts::Listed(counts),
    };
    crate::reduce_scatter::any(&inside, &rules, team, reduction, &dealt).await?;
    sum_up(lane, *leaders, reduction, &piece, own).await?;
    let blocks = ranges.map(|range| reduction.part(recv, range.start, range.len()));
    let blocks = Blocks::from(blocks.collect::<Vec<_>>());
    let algorithm = rules.allgatherv(team.size, recv.len());
    crate::allgather::flat(&inside, algorithm, team, Some(piece), blocks).await
}
