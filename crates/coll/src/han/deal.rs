//! Reductions whose result is dealt out: inside, then between.

use std::sync::Arc;

use datatype::Buffer;

use super::{part_rules, Nodes};
use crate::data::copy;
use crate::reduce_scatter::any;
use crate::rules::ReduceScatter;
use crate::{Blocks, Counts, Error, Port, ReduceScatterArgs, Reduction, Rules, Team, Vector};

/// Most bytes that all ranks of a node deal out and the leader combines, where each rank could take
/// some.
const NODE_MAX: usize = 8 << 10;

/// Deals out a reduction: of long vectors each rank of a node takes the blocks of the ranks with
/// its position on all nodes, of others the leader takes all.
pub(crate) async fn reduce_scatter(
    port: &Port,
    nodes: &Arc<Nodes>,
    reduction: &Reduction,
    dealt: &ReduceScatterArgs,
) -> Result<(), Error> {
    let Some(edges) = dealt.edges(nodes.ranks())? else {
        return Ok(());
    };
    let column = match dealt.whole().len() * nodes.largest() > NODE_MAX {
        true => nodes.column(port),
        false => None,
    };
    match column {
        Some(column) => by_columns(port, nodes, &column, reduction, dealt, &edges).await,
        None => by_leaders(port, nodes, reduction, dealt, &edges).await,
    }
}

/// Each rank of a node sums up inside what is for the ranks with its position on all nodes, then
/// with these.
async fn by_columns(
    port: &Port,
    nodes: &Arc<Nodes>,
    (column, leaders): &(Port, Team),
    reduction: &Reduction,
    dealt: &ReduceScatterArgs,
    edges: &[usize],
) -> Result<(), Error> {
    let (inside, team) = nodes.inside(port);
    let of_column =
        |position: u32| (0..nodes.count()).map(move |node| nodes.members(node)[position as usize]);
    let of_columns: Vec<u32> = (0..team.size).flat_map(of_column).collect();
    let turned = in_order_of(port, &of_columns, reduction, dealt.whole(), edges)?;
    let counts: Arc<[usize]> = of_column(team.rank)
        .map(|rank| dealt.counts.of(rank))
        .collect();
    let sum = |position| of_column(position).map(|rank| dealt.counts.of(rank)).sum();
    let piece = reduction.scratch(port, counts.iter().sum());
    let here = ReduceScatterArgs {
        send: Some(turned),
        recv: piece.clone(),
        counts: Counts::Listed((0..team.size).map(sum).collect()),
    };
    any(&inside, &part_rules(), team, reduction, &here).await?;
    let between = ReduceScatterArgs {
        send: Some(piece),
        recv: dealt.block(reduction, nodes.own_members()[team.rank as usize]),
        counts: Counts::Listed(counts),
    };
    let ring = !leaders.size.is_power_of_two() && reduction.commutative();
    let rules = Rules {
        reduce_scatter_algorithm: ring.then_some(ReduceScatter::Pairwise),
        ..part_rules()
    };
    any(column, &rules, *leaders, reduction, &between).await
}

/// The leader of a node sums up all of it inside, then what is for the node between; it deals that
/// out inside.
async fn by_leaders(
    port: &Port,
    nodes: &Arc<Nodes>,
    reduction: &Reduction,
    dealt: &ReduceScatterArgs,
    edges: &[usize],
) -> Result<(), Error> {
    let rules = part_rules();
    let members = nodes.own_members();
    let parts = nodes.parts(port, members[0]);
    let (inside, team) = &parts.inside;
    let total = edges[edges.len() - 1];
    let sum = parts
        .between
        .as_ref()
        .map(|_| reduction.scratch(port, total));
    let here = Vector {
        send: Some(dealt.whole().clone()),
        recv: sum.clone(),
        count: total,
    };
    crate::reduce::any(inside, &rules, *team, parts.leader, reduction, &here).await?;
    let mut own = None;
    if let (Some((between, leaders)), Some(sum)) = (&parts.between, sum) {
        let by_node: Vec<u32> = (0..nodes.count())
            .flat_map(|node| nodes.members(node).iter().copied())
            .collect();
        let sum = match nodes.is_in_order() {
            true => sum,
            false => in_order_of(port, &by_node, reduction, &sum, edges)?,
        };
        let of_node = |node: u32| -> usize {
            let members = nodes.members(node).iter();
            members.map(|rank| dealt.counts.of(*rank)).sum()
        };
        let counts: Arc<[usize]> = (0..nodes.count()).map(of_node).collect();
        let piece = reduction.scratch(port, counts[leaders.rank as usize]);
        let between_them = ReduceScatterArgs {
            send: Some(sum),
            recv: piece.clone(),
            counts: Counts::Listed(counts),
        };
        any(between, &rules, *leaders, reduction, &between_them).await?;
        let mut at = 0;
        let block = |rank: &u32| {
            let count = dealt.counts.of(*rank);
            at += count;
            reduction.part(&piece, at - count, count)
        };
        own = Some(Blocks::from(members.iter().map(block).collect::<Vec<_>>()));
    }
    let block = dealt.block(reduction, members[team.rank as usize]);
    crate::scatterv(inside, *team, parts.leader, own, Some(block)).await
}

/// Returns a copy of a vector with the blocks of these ranks one behind the other.
fn in_order_of(
    port: &Port,
    ranks: &[u32],
    reduction: &Reduction,
    whole: &Buffer,
    edges: &[usize],
) -> Result<Buffer, Error> {
    let turned = reduction.scratch(port, edges[edges.len() - 1]);
    let mut at = 0;
    for rank in ranks {
        let begin = edges[*rank as usize];
        let count = edges[*rank as usize + 1] - begin;
        let from = reduction.part(whole, begin, count);
        copy(&from, &reduction.part(&turned, at, count))?;
        at += count;
    }
    Ok(turned)
}
