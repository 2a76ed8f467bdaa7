//! Reduction whose result every rank gets, with equal bits.

use datatype::Buffer;

use crate::data::{copy, share};
use crate::halving::{Cuts, Halving};
use crate::reduce::{to_leader, Vector};
use crate::reduction::{Reduction, Side};
use crate::rules::{Allreduce, Rules};
use crate::team::{doublings, Fold, Role};
use crate::{Error, Inter, Peer, Port, Running, Team};

/// Reduces for all by an algorithm without nodes.
pub(crate) fn flat(
    port: &Port,
    rules: &Rules,
    algorithm: Allreduce,
    team: Team,
    reduction: Reduction,
    vector: Vector,
) -> Running {
    match algorithm {
        Allreduce::RecursiveDoubling | Allreduce::Hierarchical => {
            running!(port, recursive_doubling(&port, team, &reduction, &vector))
        }
        Allreduce::Rabenseifner => running!(port, rabenseifner(&port, team, &reduction, &vector)),
        Allreduce::Ring => running!(port, ring(&port, team, &reduction, &vector)),
        Allreduce::ReduceBcast => {
            let rules = rules.clone();
            running!(port, reduce_bcast(&port, &rules, team, &reduction, &vector))
        }
    }
}

/// The reduction that the rules choose, as a part of another collective.
pub(crate) async fn any(
    port: &Port,
    rules: &Rules,
    team: Team,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    match rules.allreduce(team.size, vector.bytes(), reduction.commutative()) {
        Allreduce::RecursiveDoubling | Allreduce::Hierarchical => {
            recursive_doubling(port, team, reduction, vector).await
        }
        Allreduce::Rabenseifner => rabenseifner(port, team, reduction, vector).await,
        Allreduce::Ring => ring(port, team, reduction, vector).await,
        Allreduce::ReduceBcast => reduce_bcast(port, rules, team, reduction, vector).await,
    }
}

/// See [`crate::allreduce_in_order`].
pub(crate) async fn in_order(
    port: &Port,
    rules: &Rules,
    team: Team,
    radix: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    if team.size == 2 {
        // Both combine the lower rank's vector with the higher one's, in one exchange.
        return recursive_doubling(port, team, reduction, vector).await;
    }
    let recv = vector.result()?;
    match team.rank {
        0 => {
            let result = fold_groups(port, team, radix, reduction, vector).await?;
            copy(&result, recv)?;
        }
        _ => port.wait(port.send(0, vector.mine()?)).await?,
    }
    crate::bcast::any(port, rules, team, 0, recv).await
}

/// Combines the vectors that all ranks send to rank 0, from the last rank down.
async fn fold_groups(
    port: &Port,
    team: Team,
    radix: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<Buffer, Error> {
    let (count, mine) = (vector.count, vector.mine()?);
    // By level: the combined vector of a group that is not complete.
    let mut begun: Vec<Option<Buffer>> = Vec::new();
    let mut spare = Vec::new();
    let mut result = mine.clone();
    for rank in (0..team.size).rev() {
        let mut value = spare
            .pop()
            .unwrap_or_else(|| reduction.scratch(port, count));
        match rank {
            0 => copy(mine, &value)?,
            _ => port.wait(port.recv(rank, &value)).await?,
        }
        let (mut level, mut width) = (0, 1_u64);
        while width < u64::from(team.size) {
            width *= u64::from(radix);
            begun.resize(begun.len().max(level + 1), None);
            if let Some(higher) = begun[level].take() {
                reduction.absorb(&higher, &value, count, Side::Lower)?;
                spare.push(std::mem::replace(&mut value, higher));
            }
            if !u64::from(rank).is_multiple_of(width) {
                begun[level] = Some(value.clone());
                break;
            }
            level += 1;
        }
        result = value;
    }
    Ok(result)
}

/// MPI_ALLREDUCE on an inter-communicator: each group gets the other's result.
pub fn inter_allreduce(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    reduction: Reduction,
    vector: Vector,
) -> Running {
    let rules = rules.clone();
    running!(
        port,
        inter_through_leaders(&port, &rules, inter, &reduction, &vector)
    )
}

async fn inter_through_leaders(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    let recv = vector.result()?;
    if let Some(ours) = to_leader(port, rules, inter.local(), reduction, vector).await? {
        port.exchange(Peer::remote(0), &ours, Peer::remote(0), recv)
            .await?;
    }
    crate::bcast::any(port, rules, inter.local(), 0, recv).await
}

/// In round k each rank exchanges the whole vector with the peer 2^k away.
///
/// Both peers compute the same sum, so both combine in rank order.
async fn recursive_doubling(
    port: &Port,
    team: Team,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    let (recv, count) = (vector.result()?, vector.count);
    if let Some(send) = &vector.send {
        copy(send, recv)?;
    }
    if team.size == 1 {
        return Ok(());
    }
    let fold = Fold::new(team, 0);
    let (index, neighbour) = match fold.role(team.rank) {
        Role::Folded { into } => {
            port.wait(port.send(into, recv)).await?;
            return port.wait(port.recv(into, recv)).await;
        }
        Role::Survivor { index, neighbour } => (index, neighbour),
    };
    let spare = reduction.scratch(port, count);
    if let Some(neighbour) = neighbour {
        port.wait(port.recv(neighbour, &spare)).await?;
        reduction.absorb(recv, &spare, count, reduction.side(Side::Higher))?;
    }
    for mask in doublings(fold.survivors) {
        let partner = fold.rank(index ^ mask);
        port.exchange(partner, recv, partner, &spare).await?;
        let side = if index & mask != 0 {
            Side::Lower
        } else {
            Side::Higher
        };
        reduction.absorb(recv, &spare, count, side)?;
    }
    match neighbour {
        Some(neighbour) => port.wait(port.send(neighbour, recv)).await,
        None => Ok(()),
    }
}

/// Halving and the same steps back: every piece of the result is computed once.
async fn rabenseifner(
    port: &Port,
    team: Team,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    let halving = Halving {
        port,
        reduction,
        team,
        fold: Fold::new(team, 0),
        mine: vector.send.as_ref(),
        acc: vector.result()?,
        cuts: Cuts::Anywhere(vector.count),
    };
    halving.reduce_scatter().await?;
    halving.allgather().await
}

/// Every piece of the vector travels once around the ring to be combined, once to be known.
///
/// The order of combination differs from piece to piece, so the operator has to commute.
async fn ring(
    port: &Port,
    team: Team,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    if vector.is_empty() {
        return Ok(());
    }
    let (recv, count, size) = (vector.result()?, vector.count, team.size);
    if size == 1 {
        return match &vector.send {
            Some(send) => copy(send, recv),
            None => Ok(()),
        };
    }
    let (left, right) = (team.minus(1), team.plus(1));
    let elements = |step: u32| share(count, size, team.minus(step % size));
    let cut = |buffer: &Buffer, step: u32| {
        let elements = elements(step);
        reduction.part(buffer, elements.start, elements.len())
    };
    let spare = match vector.send {
        None => Some(reduction.scratch(port, count.div_ceil(size as usize))),
        Some(_) => None,
    };
    for step in 0..size - 1 {
        let (combined, next) = (cut(recv, step), cut(recv, step + 1));
        let len = elements(step + 1).len();
        match (&vector.send, &spare) {
            (Some(send), _) => {
                let outgoing = if step == 0 { cut(send, 0) } else { combined };
                port.exchange(right, &outgoing, left, &next).await?;
                reduction.combine(&cut(send, step + 1), &next, len)?;
            }
            (None, Some(spare)) => {
                let incoming = reduction.part(spare, 0, len);
                port.exchange(right, &combined, left, &incoming).await?;
                reduction.combine(&incoming, &next, len)?;
            }
            (None, None) => unreachable!("in place there is a spare piece"),
        }
    }
    // The piece one to the right of the own one is complete here.
    for step in 0..size - 1 {
        let (outgoing, incoming) = (cut(recv, step + size - 1), cut(recv, step + size));
        port.exchange(right, &outgoing, left, &incoming).await?;
    }
    Ok(())
}

async fn reduce_bcast(
    port: &Port,
    rules: &Rules,
    team: Team,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    let recv = vector.result()?;
    let own = if team.rank == 0 {
        vector.clone()
    } else {
        Vector {
            send: Some(vector.mine()?.clone()),
            recv: None,
            count: vector.count,
        }
    };
    crate::reduce::any(port, rules, team, 0, reduction, &own).await?;
    crate::bcast::any(port, rules, team, 0, recv).await
}
