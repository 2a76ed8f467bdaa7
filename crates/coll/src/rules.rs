//! Chooses the algorithm of a collective by communicator size and message size.
//!
//! All ranks must choose alike, so only values that all know may decide: the number of ranks, the
//! bytes of the type signature, and whether the operator commutes. A parameter can force the
//! algorithm of a collective; if that algorithm cannot serve a call, the most similar one that can
//! is used. Without such a parameter a user's file of rules decides ([`Table`]), then the tables
//! here.

use std::sync::Arc;

use base::tool_event::{self, Algorithm, ToolEvent};

use crate::han::{Chosen, Routes};
use crate::names::parameter;
use crate::table::{Collective, Rule, Table};
use crate::{Choices, Nodes};

pub use crate::algorithms::{
    Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Gather, Neighbor,
    Reduce, ReduceScatter, Scan,
};

/// The choice of algorithms. `Rules::default()` decides by the tables of this module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Forces the algorithm of MPI_BARRIER.
    pub barrier_algorithm: Option<Barrier>,
    /// Forces the algorithm of MPI_BCAST.
    pub bcast_algorithm: Option<Bcast>,
    /// Bytes of a segment of a pipelined broadcast.
    pub bcast_segment_bytes: usize,
    /// Forces the algorithm of MPI_REDUCE.
    pub reduce_algorithm: Option<Reduce>,
    /// Bytes of a segment of a pipelined reduction.
    pub reduce_segment_bytes: usize,
    /// Forces the algorithm of MPI_ALLREDUCE.
    pub allreduce_algorithm: Option<Allreduce>,
    /// Forces the algorithm of MPI_GATHER.
    pub gather_algorithm: Option<Gather>,
    /// Forces the algorithm of MPI_SCATTER.
    pub scatter_algorithm: Option<Gather>,
    /// Forces the algorithm of MPI_ALLGATHER.
    pub allgather_algorithm: Option<Allgather>,
    /// Forces the algorithm of MPI_ALLGATHERV.
    pub allgatherv_algorithm: Option<Allgatherv>,
    /// Forces the algorithm of MPI_ALLTOALL.
    pub alltoall_algorithm: Option<Alltoall>,
    /// Forces the algorithm of MPI_ALLTOALLV and MPI_ALLTOALLW.
    pub alltoallv_algorithm: Option<Alltoallv>,
    /// Number of steps of a pairwise alltoall that are in flight at once.
    pub alltoall_max_requests: usize,
    /// Forces the algorithm of MPI_REDUCE_SCATTER.
    pub reduce_scatter_algorithm: Option<ReduceScatter>,
    /// Forces the algorithm of MPI_REDUCE_SCATTER_BLOCK.
    pub reduce_scatter_block_algorithm: Option<ReduceScatter>,
    /// Forces the algorithm of MPI_SCAN.
    pub scan_algorithm: Option<Scan>,
    /// Forces the algorithm of MPI_EXSCAN.
    pub exscan_algorithm: Option<Scan>,
    /// Forces the algorithm of MPI_NEIGHBOR_ALLGATHER.
    pub neighbor_allgather_algorithm: Option<Neighbor>,
    /// Forces the algorithm of MPI_NEIGHBOR_ALLTOALL.
    pub neighbor_alltoall_algorithm: Option<Neighbor>,
    /// The user's file of rules, for collectives without a forced algorithm.
    pub table: Option<Arc<Table>>,
    /// The nodes of the communicator that the rules are for; `None` where they are no matter.
    pub nodes: Option<Arc<Nodes>>,
    /// Whether the choices are reported to tools.
    pub reports_to_tools: bool,
    /// Takes note of the choices, for a report.
    pub choices: Option<Arc<Choices>>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            barrier_algorithm: None,
            bcast_algorithm: None,
            bcast_segment_bytes: 128 << 10,
            reduce_algorithm: None,
            reduce_segment_bytes: 64 << 10,
            allreduce_algorithm: None,
            gather_algorithm: None,
            scatter_algorithm: None,
            allgather_algorithm: None,
            allgatherv_algorithm: None,
            alltoall_algorithm: None,
            alltoallv_algorithm: None,
            alltoall_max_requests: 16,
            reduce_scatter_algorithm: None,
            reduce_scatter_block_algorithm: None,
            scan_algorithm: None,
            exscan_algorithm: None,
            neighbor_allgather_algorithm: None,
            neighbor_alltoall_algorithm: None,
            table: None,
            nodes: None,
            reports_to_tools: true,
            choices: None,
        }
    }
}

/// Most ranks, most bytes, and the algorithm for them. The first row that fits decides.
type Row<A> = (u32, usize, A);

const ANY: u32 = u32::MAX;
const ALL: usize = usize::MAX;

const BCAST: &[Row<Bcast>] = &[
    (2, ALL, Bcast::Binomial),
    (ANY, 12 << 10, Bcast::Binomial),
    (4, 512 << 10, Bcast::Binomial),
    (ANY, 512 << 10, Bcast::ScatterAllgather),
    (8, ALL, Bcast::Pipeline),
    (ANY, ALL, Bcast::ScatterAllgatherRing),
];

/// For sizes that are no powers of two: what was scattered goes around a ring.
const BCAST_UNEVEN: &[Row<Bcast>] = &[
    (ANY, 12 << 10, Bcast::Binomial),
    (3, 256 << 10, Bcast::Binomial),
    (3, ALL, Bcast::Pipeline),
    (12, 512 << 10, Bcast::ScatterAllgather),
    (ANY, 64 << 10, Bcast::Binomial),
    (ANY, 512 << 10, Bcast::ScatterAllgather),
    (8, ALL, Bcast::Pipeline),
    (ANY, ALL, Bcast::ScatterAllgatherRing),
];

const REDUCE: &[Row<Reduce>] = &[
    (12, 32 << 10, Reduce::Binomial),
    (ANY, 16 << 10, Reduce::Binomial),
    (8, 1 << 20, Reduce::Rabenseifner),
    (8, ALL, Reduce::Pipeline),
    (ANY, ALL, Reduce::Rabenseifner),
];

/// For sizes that are no powers of two: folding moves whole vectors, a chain does not.
const REDUCE_UNEVEN: &[Row<Reduce>] = &[
    (12, 32 << 10, Reduce::Binomial),
    (ANY, 16 << 10, Reduce::Binomial),
    (3, ALL, Reduce::Pipeline),
    (8, 256 << 10, Reduce::Rabenseifner),
    (8, ALL, Reduce::Pipeline),
    (ANY, 1 << 20, Reduce::Rabenseifner),
    (64, ALL, Reduce::Pipeline),
    (ANY, ALL, Reduce::Rabenseifner),
];

const ALLREDUCE: &[Row<Allreduce>] = &[
    (ANY, 16 << 10, Allreduce::RecursiveDoubling),
    (ANY, ALL, Allreduce::Rabenseifner),
];

/// For sizes that are no powers of two: folding moves whole vectors, the ring does not.
const ALLREDUCE_UNEVEN: &[Row<Allreduce>] = &[
    (ANY, 16 << 10, Allreduce::RecursiveDoubling),
    (4, ALL, Allreduce::Ring),
    (8, 64 << 10, Allreduce::Rabenseifner),
    (8, ALL, Allreduce::Ring),
    (ANY, 128 << 10, Allreduce::Rabenseifner),
    (64, ALL, Allreduce::Ring),
    (ANY, 4 << 20, Allreduce::Rabenseifner),
    (ANY, ALL, Allreduce::Ring),
];

/// Rows by the bytes of one block. A tree copies blocks on the way, which long ones do not pay
/// back; with many ranks, fewer messages at the root pay back more.
const GATHER: &[Row<Gather>] = &[
    (4, ALL, Gather::Linear),
    (64, 4 << 10, Gather::Binomial),
    (64, ALL, Gather::Linear),
    (ANY, 64 << 10, Gather::Binomial),
    (ANY, ALL, Gather::Linear),
];

/// Rows by the bytes of all blocks.
const ALLGATHER: &[Row<Allgather>] = &[
    (2, ALL, Allgather::RecursiveDoubling),
    (8, 64 << 10, Allgather::RecursiveDoubling),
    (16, 256 << 10, Allgather::RecursiveDoubling),
    (64, 1 << 20, Allgather::RecursiveDoubling),
    (ANY, 4 << 20, Allgather::RecursiveDoubling),
    (ANY, ALL, Allgather::Ring),
];

/// Rows by the bytes of one block.
const ALLTOALL: &[Row<Alltoall>] = &[
    (8, 4 << 10, Alltoall::Linear),
    (32, 256, Alltoall::Bruck),
    (ANY, 512, Alltoall::Bruck),
    (64, 4 << 10, Alltoall::Linear),
    (ANY, ALL, Alltoall::Pairwise),
];

const REDUCE_SCATTER: &[Row<ReduceScatter>] = &[(ANY, ALL, ReduceScatter::Butterfly)];

/// For sizes that are no powers of two.
const REDUCE_SCATTER_UNEVEN: &[Row<ReduceScatter>] = &[
    (ANY, 4 << 10, ReduceScatter::Butterfly),
    (3, ALL, ReduceScatter::Pairwise),
    (8, 16 << 10, ReduceScatter::Butterfly),
    (8, ALL, ReduceScatter::Pairwise),
    (ANY, 128 << 10, ReduceScatter::Butterfly),
    (64, ALL, ReduceScatter::Pairwise),
    (ANY, 4 << 20, ReduceScatter::Butterfly),
    (ANY, ALL, ReduceScatter::Pairwise),
];

/// Bytes of a block up to which blocks go through the leaders of nodes: a longer one costs more to
/// copy there than a message of its own costs.
const LED_BLOCK_MAX: usize = 4 << 10;
/// Bytes of a rank's blocks for a node up to which an alltoall goes through the leaders, which copy
/// each block twice at either end.
const LED_EXCHANGE_MAX: usize = 2 << 10;

fn look_up<A: Copy>(table: &[Row<A>], ranks: u32, bytes: usize) -> A {
    let row = table.iter().find(|row| ranks <= row.0 && bytes <= row.1);
    row.expect("the last row fits all").2
}

/// The table for a number of ranks: one for powers of two, one for others.
fn table_for<A: Copy>(ranks: u32, even: &[Row<A>], uneven: &[Row<A>], bytes: usize) -> A {
    match ranks.is_power_of_two() {
        true => look_up(even, ranks, bytes),
        false => look_up(uneven, ranks, bytes),
    }
}

impl Rules {
    /// Returns the algorithm of a barrier.
    pub fn barrier(&self, ranks: u32) -> Barrier {
        let choice = self
            .barrier_algorithm
            .or_else(|| self.by_table(Collective::Barrier, Barrier::ALL, ranks, 0));
        let choice = self.or_by_nodes(choice, Barrier::Hierarchical, ranks, || true);
        let choice = choice.unwrap_or(Barrier::Dissemination);
        self.report(Collective::Barrier, ranks, 0, || choice.name());
        choice
    }

    /// Returns the algorithm for a buffer of `bytes`.
    pub fn bcast(&self, ranks: u32, bytes: usize) -> Bcast {
        let choice = self
            .bcast_algorithm
            .or_else(|| self.by_table(Collective::Bcast, Bcast::ALL, ranks, bytes));
        let choice = self.or_by_nodes(choice, Bcast::Hierarchical, ranks, || true);
        let choice = choice.unwrap_or_else(|| table_for(ranks, BCAST, BCAST_UNEVEN, bytes));
        self.report(Collective::Bcast, ranks, bytes, || choice.name());
        choice
    }

    /// Returns the algorithm for a buffer of `bytes` in a part of another collective, which has no
    /// nodes of its own.
    pub(crate) fn flat_bcast(&self, ranks: u32, bytes: usize) -> Bcast {
        match self.bcast(ranks, bytes) {
            Bcast::Hierarchical => table_for(ranks, BCAST, BCAST_UNEVEN, bytes),
            choice => choice,
        }
    }

    /// Whether a user has chosen algorithms of reductions.
    pub fn choose_reductions(&self) -> bool {
        let reduce = self.reduce_algorithm.is_some();
        reduce || self.allreduce_algorithm.is_some() || self.table.is_some()
    }

    /// Returns the algorithm for a vector of `bytes`.
    pub fn reduce(&self, ranks: u32, bytes: usize, commutative: bool) -> Reduce {
        let choice = self
            .reduce_algorithm
            .or_else(|| self.by_table(Collective::Reduce, Reduce::ALL, ranks, bytes));
        let choice = self.or_in_order(choice, Reduce::Hierarchical, ranks, commutative);
        let choice = choice.unwrap_or_else(|| table_for(ranks, REDUCE, REDUCE_UNEVEN, bytes));
        self.report(Collective::Reduce, ranks, bytes, || choice.name());
        choice
    }

    /// See [`Rules::flat_bcast`].
    pub(crate) fn flat_reduce(&self, ranks: u32, bytes: usize) -> Reduce {
        match self.reduce(ranks, bytes, true) {
            Reduce::Hierarchical => table_for(ranks, REDUCE, REDUCE_UNEVEN, bytes),
            choice => choice,
        }
    }

    /// Returns the algorithm for a vector of `bytes`.
    pub fn allreduce(&self, ranks: u32, bytes: usize, commutative: bool) -> Allreduce {
        let choice = self
            .allreduce_algorithm
            .or_else(|| self.by_table(Collective::Allreduce, Allreduce::ALL, ranks, bytes));
        let choice = self.or_in_order(choice, Allreduce::Hierarchical, ranks, commutative);
        let choice = choice.unwrap_or_else(|| table_for(ranks, ALLREDUCE, ALLREDUCE_UNEVEN, bytes));
        let choice = match choice {
            Allreduce::Ring if !commutative => Allreduce::Rabenseifner,
            choice => choice,
        };
        self.report(Collective::Allreduce, ranks, bytes, || choice.name());
        choice
    }

    /// For blocks of `block` bytes.
    pub fn gather(&self, ranks: u32, block: usize) -> Gather {
        let bytes = all_of(ranks, block);
        let choice = self
            .gather_algorithm
            .or_else(|| self.by_table(Collective::Gather, Gather::ALL, ranks, bytes));
        let pays = || block <= LED_BLOCK_MAX;
        let choice = self.or_by_nodes(choice, Gather::Hierarchical, ranks, pays);
        let choice = choice.unwrap_or_else(|| look_up(GATHER, ranks, block));
        self.report(Collective::Gather, ranks, bytes, || choice.name());
        choice
    }

    /// For blocks of `block` bytes.
    pub fn scatter(&self, ranks: u32, block: usize) -> Gather {
        let bytes = all_of(ranks, block);
        let choice = self
            .scatter_algorithm
            .or_else(|| self.by_table(Collective::Scatter, Gather::ALL, ranks, bytes));
        let pays = || block <= LED_BLOCK_MAX;
        let choice = self.or_by_nodes(choice, Gather::Hierarchical, ranks, pays);
        let choice = choice.unwrap_or_else(|| look_up(GATHER, ranks, block));
        self.report(Collective::Scatter, ranks, bytes, || choice.name());
        choice
    }

    /// For `bytes` in all blocks together.
    pub fn allgather(&self, ranks: u32, bytes: usize) -> Allgather {
        let choice = self
            .allgather_algorithm
            .or_else(|| self.by_table(Collective::Allgather, Allgather::ALL, ranks, bytes));
        let choice = self.or_by_nodes(choice, Allgather::Hierarchical, ranks, || true);
        let choice = choice.unwrap_or_else(|| look_up(ALLGATHER, ranks, bytes));
        self.report(Collective::Allgather, ranks, bytes, || choice.name());
        choice
    }

    /// For any blocks, of `bytes` together.
    pub fn allgatherv(&self, ranks: u32, bytes: usize) -> Allgather {
        let by_table = || self.by_table(Collective::Allgatherv, Allgatherv::ALL, ranks, bytes);
        let choice = match self.allgatherv_algorithm.or_else(by_table) {
            Some(Allgatherv::Linear) => Allgather::Linear,
            Some(Allgatherv::Bruck) => Allgather::Bruck,
            Some(Allgatherv::Ring) => Allgather::Ring,
            Some(Allgatherv::NeighborExchange) => Allgather::NeighborExchange,
            None if self.spans(ranks) => Allgather::Hierarchical,
            None => look_up(ALLGATHER, ranks, bytes),
        };
        self.report(Collective::Allgatherv, ranks, bytes, || choice.name());
        choice
    }

    /// Returns the algorithm of an alltoallv, whose lengths no rank knows altogether.
    pub fn alltoallv(&self, ranks: u32) -> Alltoallv {
        let choice = self
            .alltoallv_algorithm
            .or_else(|| self.by_table(Collective::Alltoallv, Alltoallv::ALL, ranks, 0))
            .unwrap_or(Alltoallv::Pairwise);
        self.report(Collective::Alltoallv, ranks, 0, || choice.name());
        choice
    }

    /// Returns the algorithm for a vector of `bytes`.
    pub fn scan(&self, ranks: u32, bytes: usize) -> Scan {
        let choice = self
            .scan_algorithm
            .or_else(|| self.by_table(Collective::Scan, Scan::ALL, ranks, bytes));
        let choice = self.or_in_order(choice, Scan::Hierarchical, ranks, false);
        let choice = choice.unwrap_or(Scan::RecursiveDoubling);
        self.report(Collective::Scan, ranks, bytes, || choice.name());
        choice
    }

    /// Returns the algorithm for a vector of `bytes`.
    pub fn exscan(&self, ranks: u32, bytes: usize) -> Scan {
        let choice = self
            .exscan_algorithm
            .or_else(|| self.by_table(Collective::Exscan, Scan::ALL, ranks, bytes));
        let choice = self.or_in_order(choice, Scan::Hierarchical, ranks, false);
        let choice = choice.unwrap_or(Scan::RecursiveDoubling);
        self.report(Collective::Exscan, ranks, bytes, || choice.name());
        choice
    }

    /// For blocks of `block` bytes.
    pub fn alltoall(&self, ranks: u32, block: usize) -> Alltoall {
        let bytes = all_of(ranks, block);
        let choice = self
            .alltoall_algorithm
            .or_else(|| self.by_table(Collective::Alltoall, Alltoall::ALL, ranks, bytes));
        let largest = || self.nodes.as_ref().map_or(0, |nodes| nodes.largest());
        let pays = || block.saturating_mul(largest()) <= LED_EXCHANGE_MAX;
        let choice = self.or_by_nodes(choice, Alltoall::Hierarchical, ranks, pays);
        let choice = choice.unwrap_or_else(|| match look_up(ALLTOALL, ranks, block) {
            // It moves blocks over nodes that they are not for.
            Alltoall::Bruck if self.spans(ranks) => Alltoall::Pairwise,
            choice => choice,
        });
        self.report(Collective::Alltoall, ranks, bytes, || choice.name());
        choice
    }

    /// Returns the algorithm for a contribution of `bytes`.
    pub fn reduce_scatter(&self, ranks: u32, bytes: usize, commutative: bool) -> ReduceScatter {
        let of = Collective::ReduceScatter;
        let choice = self
            .reduce_scatter_algorithm
            .or_else(|| self.by_table(of, ReduceScatter::ALL, ranks, bytes));
        self.dealing(of, choice, (ranks, bytes), commutative)
    }

    /// Returns the algorithm of a reduce_scatter of equal blocks.
    pub fn reduce_scatter_block(
        &self,
        ranks: u32,
        bytes: usize,
        commutative: bool,
    ) -> ReduceScatter {
        let of = Collective::ReduceScatterBlock;
        let choice = self
            .reduce_scatter_block_algorithm
            .or_else(|| self.by_table(of, ReduceScatter::ALL, ranks, bytes));
        self.dealing(of, choice, (ranks, bytes), commutative)
    }

    /// Returns the routes that an exchange with neighbours goes by, of blocks of `block` bytes or
    /// of any lengths; `None` where each edge has a message of its own. Ranks may choose
    /// differently but for the edges between the same nodes.
    pub(crate) fn neighbors(
        &self,
        of: Collective,
        ranks: u32,
        block: Option<usize>,
        routes: Option<&Arc<Routes>>,
    ) -> Option<Chosen> {
        let (block, routes) = block.zip(routes)?;
        let forced = match of {
            Collective::NeighborAllgather => self.neighbor_allgather_algorithm,
            _ => self.neighbor_alltoall_algorithm,
        };
        let users = forced.or_else(|| self.by_table(of, Neighbor::ALL, ranks, block));
        let chosen = match users {
            Some(Neighbor::Linear) => None,
            users => routes.choose(block, users.is_some()),
        };
        let choice = chosen
            .as_ref()
            .map_or(Neighbor::Linear, |_| Neighbor::Hierarchical);
        self.report(of, ranks, block, || choice.name());
        chosen
    }

    /// Bytes of a segment of a broadcast of `bytes`.
    pub(crate) fn bcast_segment(&self, ranks: u32, bytes: usize) -> usize {
        let rule = match self.bcast_algorithm {
            None => self.rule(Collective::Bcast, ranks, bytes),
            Some(_) => None,
        };
        given(rule.map(|rule| rule.segment), self.bcast_segment_bytes)
    }

    /// Bytes of a segment of a reduction of `bytes`.
    pub(crate) fn reduce_segment(&self, ranks: u32, bytes: usize) -> usize {
        let rule = match self.reduce_algorithm {
            None => self.rule(Collective::Reduce, ranks, bytes),
            Some(_) => None,
        };
        given(rule.map(|rule| rule.segment), self.reduce_segment_bytes)
    }

    /// Steps in flight at once of an exchange of blocks of `block` bytes.
    pub(crate) fn alltoall_window(&self, ranks: u32, block: usize) -> usize {
        let rule = match self.alltoall_algorithm {
            None => self.rule(Collective::Alltoall, ranks, all_of(ranks, block)),
            Some(_) => None,
        };
        given(rule.map(|rule| rule.requests), self.alltoall_max_requests)
    }

    /// Returns how many steps of an alltoallv are in flight at once.
    pub(crate) fn alltoallv_window(&self, ranks: u32) -> usize {
        let rule = match self.alltoallv_algorithm {
            None => self.rule(Collective::Alltoallv, ranks, 0),
            Some(_) => None,
        };
        given(rule.map(|rule| rule.requests), self.alltoall_max_requests)
    }

    fn dealing(
        &self,
        of: Collective,
        choice: Option<ReduceScatter>,
        (ranks, bytes): (u32, usize),
        commutative: bool,
    ) -> ReduceScatter {
        let hierarchical = ReduceScatter::Hierarchical;
        let choice = self.or_in_order(choice, hierarchical, ranks, commutative);
        let choice = choice
            .unwrap_or_else(|| table_for(ranks, REDUCE_SCATTER, REDUCE_SCATTER_UNEVEN, bytes));
        let choice = match choice {
            ReduceScatter::Pairwise if !commutative => ReduceScatter::Butterfly,
            choice => choice,
        };
        self.report(of, ranks, bytes, || choice.name());
        choice
    }

    /// Returns the user's choice, or else the hierarchical algorithm where it pays; `None` where
    /// the tables decide, as they do where a user has chosen that without nodes.
    fn or_by_nodes<A: Copy + PartialEq>(
        &self,
        users: Option<A>,
        hierarchical: A,
        ranks: u32,
        pays: impl FnOnce() -> bool,
    ) -> Option<A> {
        match (self.spans(ranks), users) {
            (false, Some(users)) if users == hierarchical => None,
            (true, None) => pays().then_some(hierarchical),
            (_, users) => users,
        }
    }

    /// Does as [`Rules::or_by_nodes`] for an algorithm that combines the ranks of a node before
    /// those of others: only where the operator does not see that, or a user's choice either.
    fn or_in_order<A: Copy + PartialEq>(
        &self,
        users: Option<A>,
        hierarchical: A,
        ranks: u32,
        sees_none: bool,
    ) -> Option<A> {
        let in_order = sees_none || self.has_ranks_in_order();
        let choice = self.or_by_nodes(users, hierarchical, ranks, || in_order);
        choice.filter(|choice| *choice != hierarchical || in_order)
    }

    /// Whether the nodes are those of a communicator of that many ranks.
    fn spans(&self, ranks: u32) -> bool {
        self.nodes
            .as_ref()
            .is_some_and(|nodes| nodes.ranks() == ranks)
    }

    /// Whether the ranks of each node follow each other.
    fn has_ranks_in_order(&self) -> bool {
        self.nodes.as_ref().is_none_or(|nodes| nodes.is_in_order())
    }

    /// Reports a choice to tools, and to those that take note of it.
    #[inline]
    fn report(&self, of: Collective, ranks: u32, bytes: usize, word: impl Fn() -> &'static str) {
        if let Some(choices) = &self.choices {
            choices.note(of, word(), bytes);
        }
        let choice = || Algorithm {
            parameter: parameter(of),
            word: word(),
            ranks,
            bytes,
        };
        tool_event::raise(|| {
            let choice = self.reports_to_tools.then(choice);
            choice.map(ToolEvent::AlgorithmChosen)
        });
    }

    fn rule(&self, of: Collective, ranks: u32, bytes: usize) -> Option<&Rule> {
        self.table.as_deref()?.rule(of, ranks, bytes)
    }

    fn by_table<A: Copy>(&self, of: Collective, all: &[A], ranks: u32, bytes: usize) -> Option<A> {
        self.rule(of, ranks, bytes)?.algorithm(all)
    }
}

/// The bytes of the blocks of all ranks.
fn all_of(ranks: u32, block: usize) -> usize {
    block.saturating_mul(ranks as usize)
}

/// Returns the number of a rule, or the parameter's where the rule has none.
fn given(rule: Option<usize>, parameter: usize) -> usize {
    let rule = rule.filter(|number| *number > 0);
    rule.unwrap_or(parameter).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_algorithms() {
        for algorithm in Bcast::ALL {
            assert_eq!(Bcast::named(algorithm.name()), Some(*algorithm));
        }
        assert_eq!(Allreduce::named("bruck"), None);
    }

    #[test]
    fn users_of_open_mpi_may_go_on_with_its_words_and_numbers() {
        assert_eq!(Bcast::named("6"), Some(Bcast::Binomial));
        assert_eq!(Bcast::named("chain"), Some(Bcast::Pipeline));
        assert_eq!(Allreduce::named("4"), Some(Allreduce::Ring));
        assert_eq!(Allgather::named("5"), Some(Allgather::NeighborExchange));
        assert_eq!(Alltoall::named("3"), Some(Alltoall::Bruck));
        assert_eq!(Bcast::named("0"), None);
        for count in 1..=9 {
            assert!(Bcast::named(&count.to_string()).is_some(), "{count}");
        }
    }

    #[test]
    fn a_ring_is_never_chosen_for_an_operator_that_does_not_commute() {
        let rules = Rules {
            allreduce_algorithm: Some(Allreduce::Ring),
            ..Rules::default()
        };
        assert_eq!(rules.allreduce(3, 1 << 20, false), Allreduce::Rabenseifner);
        assert_eq!(rules.allreduce(3, 1 << 20, true), Allreduce::Ring);
        assert_eq!(
            Rules::default().allreduce(6, 1 << 20, true),
            Allreduce::Ring
        );
        let chosen = Rules::default().reduce_scatter(6, 1 << 20, false);
        assert_eq!(chosen, ReduceScatter::Butterfly);
    }
}
