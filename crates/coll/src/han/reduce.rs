//! Reductions: inside to the leaders, among them, and for all back inside; of long vectors each
//! rank of a node takes a piece.

use std::sync::Arc;

use datatype::Buffer;

use super::{part_rules, row_segment, Nodes};
use crate::data::{copy, share};
use crate::reduce::{binomial, linear, pipeline, rabenseifner};
use crate::rules::Allreduce;
use crate::{Blocks, Counts, ReduceScatterArgs};
use crate::{Error, Port, Reduction, Rules, Team, Vector};

/// Most bytes of a reduction that goes by the leaders, each of which combines whole vectors.
const LED_MAX: usize = 16 << 10;

/// Most bytes of the vectors of all ranks of a node that go by the leader, where each rank could
/// take a piece.
const NODE_MAX: usize = 32 << 10;

/// Most bytes that the vectors of all leaders may have for each leader to get all of them, where
/// their number is no power of two: that takes fewer rounds, and more bytes.
const COLLECTED_MAX: usize = 32 << 10;

/// How a reduction by the leaders combines the ranks of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inside {
    /// By the algorithm that is fastest.
    ByTree,
    /// From the last rank down, as through shared memory (`coll_sm`), with the same bits.
    InOrder,
}

/// The arguments of a rank for the steps of a reduction by the leaders.
pub struct LedReduction {
    /// The step inside its node, to the leader.
    pub inside: Vector,
    /// The step between nodes, where this rank is a leader.
    pub between: Option<Vector>,
}

pub(crate) async fn reduce(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
    order: Inside,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    let segment = row_segment(nodes.ranks(), vector.bytes());
    if !is_led(nodes, vector.bytes()) {
        let (row, team) = nodes.row(port);
        let root = nodes.place_in_row(root);
        return match segment {
            Some(segment) => pipeline(&row, team, root, reduction, vector, segment).await,
            None => rabenseifner(&row, team, root, reduction, vector).await,
        };
    }
    let led = to_reduce(port, nodes, root, reduction, vector);
    let (inside, team) = nodes.inside(port);
    let leader = nodes.leader_for(root);
    match order {
        Inside::ByTree => binomial(&inside, team, leader, reduction, &led.inside).await?,
        Inside::InOrder => linear(&inside, team, leader, reduction, &led.inside).await?,
    }
    match &led.between {
        Some(sum) => between(port, nodes, root, reduction, sum).await,
        None => Ok(()),
    }
}

/// Whether a reduction of `bytes` goes by the leaders.
pub(super) fn is_led(nodes: &Nodes, bytes: usize) -> bool {
    bytes <= LED_MAX && row_segment(nodes.ranks(), bytes).is_none()
}

/// Returns what this rank passes to the steps of a reduction to `root` by the leaders. Where the
/// sum of a node has no place in the arguments it is in scratch memory of the port.
pub fn to_reduce(
    port: &Port,
    nodes: &Nodes,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> LedReduction {
    let count = vector.count;
    let at = |send: Option<Buffer>, recv: Option<Buffer>| Vector { send, recv, count };
    if !nodes.leads_for(root) {
        let inside = at(vector.send.clone(), None);
        return LedReduction {
            inside,
            between: None,
        };
    }
    // The result has room at the root only.
    let (sum, between) = match (nodes.is_own_rank(root), &vector.recv) {
        (true, Some(recv)) => (recv.clone(), at(None, Some(recv.clone()))),
        _ => {
            let sum = reduction.scratch(port, count);
            (sum.clone(), at(Some(sum), None))
        }
    };
    LedReduction {
        inside: at(vector.send.clone(), Some(sum)),
        between: Some(between),
    }
}

/// The step among the leaders, if this rank is one.
pub(super) async fn between(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    reduction: &Reduction,
    sum: &Vector,
) -> Result<(), Error> {
    match nodes.parts(port, root).between {
        Some((between, leaders)) => {
            binomial(&between, leaders, nodes.node_of(root), reduction, sum).await
        }
        None => Ok(()),
    }
}

pub(crate) async fn allreduce(
    port: &Port,
    nodes: &Arc<Nodes>,
    reduction: &Reduction,
    vector: &Vector,
    order: Inside,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    let rules = part_rules();
    let recv = vector.result()?;
    let length = (vector.count, recv.len());
    if goes_by_columns(nodes, length, reduction.commutative()) {
        if let Some(column) = nodes.column(port) {
            return by_columns(port, nodes, &column, reduction, vector).await;
        }
    }
    let (inside, team) = nodes.inside(port);
    let own = to_allreduce(nodes, vector);
    match order {
        Inside::ByTree => crate::reduce::any(&inside, &rules, team, 0, reduction, &own).await?,
        Inside::InOrder => linear(&inside, team, 0, reduction, &own).await?,
    }
    all_between(port, nodes, reduction, vector).await?;
    crate::bcast::any(&inside, &rules, team, 0, recv).await
}

/// Returns what this rank passes to the step inside its node of an allreduce by the leaders, the
/// first of which is the root. Its sum goes where the result goes.
pub fn to_allreduce(nodes: &Nodes, vector: &Vector) -> Vector {
    match nodes.inside_position() {
        0 => vector.clone(),
        _ => Vector {
            send: vector.mine().ok().cloned(),
            recv: None,
            count: vector.count,
        },
    }
}

/// Whether an allreduce of `count` elements, together `bytes`, goes by columns.
pub(super) fn goes_by_columns(
    nodes: &Nodes,
    (count, bytes): (usize, usize),
    commutative: bool,
) -> bool {
    let is_long = bytes.saturating_mul(nodes.largest()) > NODE_MAX;
    is_long && commutative && count >= nodes.ranks() as usize && nodes.has_columns()
}

/// The step among the leaders, if this rank is one.
pub(super) async fn all_between(
    port: &Port,
    nodes: &Arc<Nodes>,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    match nodes.parts(port, nodes.own_members()[0]).between {
        Some((between, leaders)) => {
            sum_up(&between, leaders, reduction, vector.result()?, vector.count).await
        }
        None => Ok(()),
    }
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

/// Returns how columns sum up a vector of `bytes` in all. They share what connects their node,
/// so that the bytes count: two nodes exchange short ones at once, others halve them or send them
/// around a ring, since folding would move whole pieces.
fn between_columns(nodes: u32, bytes: usize) -> Allreduce {
    match nodes {
        2 if bytes <= 64 << 10 => Allreduce::RecursiveDoubling,
        _ if nodes.is_power_of_two() => Allreduce::Rabenseifner,
        ..=8 => Allreduce::Ring,
        _ => part_rules().allreduce(nodes, bytes, true),
    }
}

/// Each rank of a node sums up a piece inside, then with the ranks of its position on the other
/// nodes; the pieces come together inside.
async fn by_columns(
    port: &Port,
    nodes: &Arc<Nodes>,
    (column, leaders): &(Port, Team),
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
    let between = Rules {
        allreduce_algorithm: Some(between_columns(leaders.size, recv.len())),
        ..part_rules()
    };
    let in_place = Vector {
        send: None,
        recv: Some(piece.clone()),
        count: own,
    };
    crate::allreduce::any(column, &between, *leaders, reduction, &in_place).await?;
    let blocks = ranges.map(|range| reduction.part(recv, range.start, range.len()));
    let blocks = Blocks::from(blocks.collect::<Vec<_>>());
    let algorithm = rules.allgatherv(team.size, recv.len());
    crate::allgather::flat(&inside, algorithm, team, Some(piece), blocks).await
}
