//! Reduction whose result is scattered: each rank gets a block of it.

use std::sync::Arc;

use datatype::Buffer;

use crate::data::{copy, exchange_some, Blocks};
use crate::halving::{pieces_before, Cuts, Halving};
use crate::reduce::{to_leader, Vector};
use crate::reduction::Reduction;
use crate::rules::{ReduceScatter, Rules};
use crate::team::{Fold, Role};
use crate::{Error, Inter, Peer, Port, Running, Team};

/// The arguments of a reduction whose result is dealt out.
#[derive(Clone, Debug)]
pub struct ReduceScatterArgs {
    /// The contribution of this rank, for all ranks; `None` for `MPI_IN_PLACE`.
    pub send: Option<Buffer>,
    /// The buffer of this rank's block of the result. If in place, the whole contribution, of which
    /// the beginning is overwritten.
    pub recv: Buffer,
    /// Number of elements that each rank of the (local) group gets.
    pub counts: Counts,
}

/// Number of elements of a vector that each rank gets.
#[derive(Clone, Debug)]
pub enum Counts {
    /// One count for all ranks (MPI_REDUCE_SCATTER_BLOCK).
    Even(usize),
    /// A count for each rank (MPI_REDUCE_SCATTER).
    Listed(Arc<[usize]>),
}

impl Counts {
    pub(crate) fn of(&self, rank: u32) -> usize {
        match self {
            Counts::Even(count) => *count,
            Counts::Listed(list) => list[rank as usize],
        }
    }

    fn check(&self, ranks: u32) -> Result<(), Error> {
        match self {
            Counts::Listed(list) if list.len() != ranks as usize => Err(Error::Arguments(
                "the number of counts is not the number of ranks",
            )),
            _ => Ok(()),
        }
    }

    /// Returns where each rank's block begins, and the end of the last.
    fn edges(&self, ranks: u32) -> Vec<usize> {
        let mut edges = vec![0; ranks as usize + 1];
        for rank in 0..ranks {
            edges[rank as usize + 1] = edges[rank as usize] + self.of(rank);
        }
        edges
    }
}

impl ReduceScatterArgs {
    /// Returns the contribution of this rank.
    pub(crate) fn whole(&self) -> &Buffer {
        self.send.as_ref().unwrap_or(&self.recv)
    }

    /// Returns where the ranks' blocks begin in the whole, and its end, in elements; `None` when
    /// there is nothing to deal out.
    pub(crate) fn edges(&self, ranks: u32) -> Result<Option<Vec<usize>>, Error> {
        self.counts.check(ranks)?;
        let edges = self.counts.edges(ranks);
        let nothing = edges[ranks as usize] == 0 || self.whole().is_empty();
        Ok((!nothing).then_some(edges))
    }

    /// Reduces the contributions of a group, `count` elements each; rank 0 returns the result.
    async fn to_leader(
        &self,
        port: &Port,
        rules: &Rules,
        team: Team,
        reduction: &Reduction,
        count: usize,
    ) -> Result<Option<Buffer>, Error> {
        let vector = Vector {
            send: Some(self.whole().clone()),
            recv: None,
            count,
        };
        to_leader(port, rules, team, reduction, &vector).await
    }

    /// Returns the buffer for the block of this rank.
    pub(crate) fn block(&self, reduction: &Reduction, rank: u32) -> Buffer {
        match self.send {
            Some(_) => self.recv.clone(),
            None => reduction.part(&self.recv, 0, self.counts.of(rank)),
        }
    }
}

/// Begins one of the algorithms that know no nodes.
pub(crate) fn flat(
    port: &Port,
    rules: &Rules,
    algorithm: ReduceScatter,
    team: Team,
    reduction: Reduction,
    dealt: ReduceScatterArgs,
) -> Running {
    match algorithm {
        ReduceScatter::ReduceThenScatter => {
            let rules = rules.clone();
            running!(
                port,
                reduce_then_scatter(&port, &rules, team, &reduction, &dealt)
            )
        }
        ReduceScatter::Pairwise => running!(port, pairwise(&port, team, &reduction, &dealt)),
        ReduceScatter::Butterfly | ReduceScatter::Hierarchical => {
            running!(port, butterfly(&port, team, &reduction, &dealt))
        }
    }
}

/// Reduces and deals out in a part of another collective, by rules without nodes.
pub(crate) async fn any(
    port: &Port,
    rules: &Rules,
    team: Team,
    reduction: &Reduction,
    dealt: &ReduceScatterArgs,
) -> Result<(), Error> {
    let bytes = dealt.whole().len();
    match rules.reduce_scatter(team.size, bytes, reduction.commutative()) {
        ReduceScatter::Pairwise => pairwise(port, team, reduction, dealt).await,
        _ => butterfly(port, team, reduction, dealt).await,
    }
}

/// MPI_REDUCE_SCATTER and MPI_REDUCE_SCATTER_BLOCK on an inter-communicator: the other group's
/// result is dealt out to this group.
pub fn inter_reduce_scatter(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    reduction: Reduction,
    dealt: ReduceScatterArgs,
) -> Running {
    let rules = rules.clone();
    running!(
        port,
        inter_through_leaders(&port, &rules, inter, &reduction, &dealt)
    )
}

async fn inter_through_leaders(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    reduction: &Reduction,
    dealt: &ReduceScatterArgs,
) -> Result<(), Error> {
    let team = inter.local();
    let Some(edges) = dealt.edges(team.size)? else {
        return Ok(());
    };
    let count = edges[team.size as usize];
    let mut theirs = None;
    if let Some(ours) = dealt.to_leader(port, rules, team, reduction, count).await? {
        let room = reduction.scratch(port, count);
        port.exchange(Peer::remote(0), &ours, Peer::remote(0), &room)
            .await?;
        theirs = Some(deal(reduction, &dealt.counts, room, &edges));
    }
    let block = dealt.block(reduction, team.rank);
    let even = matches!(dealt.counts, Counts::Even(_));
    crate::scatter::any(port, rules, team, 0, theirs, Some(block), even).await
}

/// The whole result comes together at rank 0, which deals it out.
async fn reduce_then_scatter(
    port: &Port,
    rules: &Rules,
    team: Team,
    reduction: &Reduction,
    dealt: &ReduceScatterArgs,
) -> Result<(), Error> {
    let Some(edges) = dealt.edges(team.size)? else {
        return Ok(());
    };
    let count = edges[team.size as usize];
    let result = dealt.to_leader(port, rules, team, reduction, count).await?;
    let even = matches!(dealt.counts, Counts::Even(_));
    let all = result.map(|result| deal(reduction, &dealt.counts, result, &edges));
    let block = dealt.block(reduction, team.rank);
    crate::scatter::any(port, rules, team, 0, all, Some(block), even).await
}

/// A block of the result for each rank.
fn deal(reduction: &Reduction, counts: &Counts, result: Buffer, edges: &[usize]) -> Blocks {
    let part = |at: &[usize]| reduction.part(&result, at[0], at[1] - at[0]);
    match counts {
        Counts::Even(_) => Blocks::even(result, edges.len() as u32 - 1),
        Counts::Listed(_) => Blocks::from(edges.windows(2).map(part).collect::<Vec<_>>()),
    }
}

/// Halving, with the blocks laid out so that every survivor is left with the blocks of the ranks
/// it stands for. Serves all operators and sizes in log2 rounds.
async fn butterfly(
    port: &Port,
    team: Team,
    reduction: &Reduction,
    dealt: &ReduceScatterArgs,
) -> Result<(), Error> {
    let Some(edges) = dealt.edges(team.size)? else {
        return Ok(());
    };
    let count = edges[team.size as usize];
    let fold = Fold::new(team, 0);
    let survivors = fold.survivors;
    let ours = |index: u32| {
        let ranks = fold.stands_for(index);
        edges[ranks.start as usize]..edges[ranks.end as usize]
    };
    let rounds = survivors.ilog2();
    let place_of = |index: u32| pieces_before(index, rounds, survivors).start;

    let acc = reduction.scratch(port, count);
    let mut cuts = vec![0];
    for place in 0..survivors {
        // Reversing the bits of an index is its own inverse.
        let from = ours(place_of(place));
        let to = cuts[place as usize];
        let source = reduction.part(dealt.whole(), from.start, from.len());
        copy(&source, &reduction.part(&acc, to, from.len()))?;
        cuts.push(to + from.len());
    }
    let halving = Halving {
        port,
        reduction,
        team,
        fold,
        mine: None,
        acc: &acc,
        cuts: Cuts::At(&cuts),
    };
    halving.reduce_scatter().await?;

    let block = dealt.block(reduction, team.rank);
    match fold.role(team.rank) {
        Role::Folded { .. } if block.is_empty() => Ok(()),
        Role::Folded { into } => port.wait(port.recv(into, &block)).await,
        Role::Survivor { index, neighbour } => {
            let result = halving.result_of(index);
            let start = |rank: u32| {
                result.start + edges[rank as usize] - edges[fold.stands_for(index).start as usize]
            };
            let part = |rank: u32| reduction.part(&acc, start(rank), dealt.counts.of(rank));
            copy(&part(team.rank), &block)?;
            match neighbour {
                Some(other) if dealt.counts.of(other) > 0 => {
                    port.wait(port.send(other, &part(other))).await
                }
                _ => Ok(()),
            }
        }
    }
}

/// In step k each rank sends the rank k to the right its block, and combines the one from the rank
/// k to the left. Moves the fewest bytes at any size, but in as many messages as ranks.
async fn pairwise(
    port: &Port,
    team: Team,
    reduction: &Reduction,
    dealt: &ReduceScatterArgs,
) -> Result<(), Error> {
    let Some(edges) = dealt.edges(team.size)? else {
        return Ok(());
    };
    let whole = dealt.whole();
    let part = |rank: u32| {
        let start = edges[rank as usize];
        reduction.part(whole, start, edges[rank as usize + 1] - start)
    };
    let count = dealt.counts.of(team.rank);
    let acc = reduction.scratch(port, count);
    let spare = reduction.scratch(port, count);
    copy(&part(team.rank), &acc)?;
    for step in 1..team.size {
        let (to, from) = (team.plus(step), team.minus(step));
        exchange_some(port, to, &part(to), from, &spare).await?;
        reduction.combine(&spare, &acc, count)?;
    }
    copy(&acc, &dealt.block(reduction, team.rank))
}
