//! Prefix reductions: inside, then the sums of whole nodes between their last ranks, then inside
//! again what the nodes before have. Long data runs through the row of all ranks.

use std::sync::Arc;

use datatype::Buffer;

use super::{part_rules, row_segment, Nodes};
use crate::data::copy;
use crate::reduction::Side;
use crate::rules::Scan;
use crate::scan::{exclusive, inclusive, pipeline};
use crate::{Error, Port, Reduction, Vector};

/// Every rank gets the combination of the ranks up to itself. The ranks of each node follow each
/// other.
pub(crate) async fn scan(
    port: &Port,
    nodes: &Arc<Nodes>,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    if let Some(segment) = row_segment(nodes.ranks(), vector.bytes()) {
        let (row, team) = nodes.row(port);
        return pipeline(&row, team, reduction, vector, segment, false).await;
    }
    let (inside, team) = nodes.inside(port);
    let acc = vector.result()?;
    inclusive(&inside, Scan::RecursiveDoubling, team, reduction, vector).await?;
    match before(port, nodes, reduction, acc, vector.count).await? {
        Some(before) => reduction.absorb(acc, &before, vector.count, Side::Lower),
        None => Ok(()),
    }
}

/// Every rank gets the combination of the ranks before itself; the first nothing, and it need not
/// have a buffer for that. The ranks of each node follow each other.
pub(crate) async fn exscan(
    port: &Port,
    nodes: &Arc<Nodes>,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    if let Some(segment) = row_segment(nodes.ranks(), vector.bytes()) {
        let (row, team) = nodes.row(port);
        return pipeline(&row, team, reduction, vector, segment, true).await;
    }
    let (inside, team) = nodes.inside(port);
    let count = vector.count;
    let is_first = team.rank == 0;
    // In place, the scan overwrites what the sum of the node needs.
    let sum = reduction.scratch(port, count);
    copy(vector.mine()?, &sum)?;
    exclusive(&inside, Scan::RecursiveDoubling, team, reduction, vector).await?;
    if !is_first {
        reduction.absorb(&sum, vector.result()?, count, Side::Lower)?;
    }
    match before(port, nodes, reduction, &sum, count).await? {
        Some(before) if is_first => copy(&before, vector.result()?),
        Some(before) => reduction.absorb(vector.result()?, &before, count, Side::Lower),
        None => Ok(()),
    }
}

/// Returns the combination of all nodes before this one, of whose ranks the last has that of the
/// own; `None` at the first node.
async fn before(
    port: &Port,
    nodes: &Arc<Nodes>,
    reduction: &Reduction,
    own: &Buffer,
    count: usize,
) -> Result<Option<Buffer>, Error> {
    let before = reduction.scratch(port, count);
    if let Some((between, lasts)) = &nodes.lasts(port) {
        let sums = Vector {
            send: Some(own.clone()),
            recv: Some(before.clone()),
            count,
        };
        exclusive(between, Scan::RecursiveDoubling, *lasts, reduction, &sums).await?;
    }
    if nodes.own() == 0 {
        return Ok(None);
    }
    let (inside, team) = nodes.inside(port);
    crate::bcast::any(&inside, &part_rules(), team, team.size - 1, &before).await?;
    Ok(Some(before))
}
