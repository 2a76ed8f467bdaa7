//! Tests of the cost of collectives: consecutive rounds of messages, and messages per rank.

mod common;

use coll::rules::{Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce, ReduceScatter};
use coll::{Blocks, Counts, Port, ReduceScatterArgs, Rules, Running, Team, Vector};
use common::{cost, element, log2_up, Area, Sums};

const SIZES: [u32; 9] = [1, 2, 3, 5, 8, 13, 16, 17, 100];
const COUNT: usize = 4;

type Begin = fn(&Port, Team) -> Running;

/// Memory that is never released: this is a test.
fn room(blocks: u32) -> datatype::Buffer {
    Box::leak(Box::new(Area::new(&element(0), COUNT * blocks as usize)))
        .buffer
        .clone()
}

fn vector() -> Vector {
    Vector {
        send: Some(room(1)),
        recv: Some(room(1)),
        count: COUNT,
    }
}

/// Each collective that promises it, in its form of few rounds.
fn logarithmic() -> Vec<(&'static str, Begin)> {
    fn rules() -> Rules {
        Rules {
            bcast_algorithm: Some(Bcast::Binomial),
            reduce_algorithm: Some(Reduce::Binomial),
            allreduce_algorithm: Some(Allreduce::RecursiveDoubling),
            gather_algorithm: Some(Gather::Binomial),
            scatter_algorithm: Some(Gather::Binomial),
            allgather_algorithm: Some(Allgather::Bruck),
            alltoall_algorithm: Some(Alltoall::Bruck),
            reduce_scatter_block_algorithm: Some(ReduceScatter::Butterfly),
            ..Rules::default()
        }
    }
    vec![
        ("barrier", |port, team| coll::barrier(port, team)),
        ("bcast", |port, team| {
            coll::bcast(port, &rules(), team, 0, room(1))
        }),
        ("reduce", |port, team| {
            coll::reduce(port, &rules(), team, 0, Sums::Affine.reduction(), vector())
        }),
        ("allreduce", |port, team| {
            coll::allreduce(port, &rules(), team, Sums::Affine.reduction(), vector())
        }),
        ("gather", |port, team| {
            let recv = (team.rank == 0).then(|| room(team.size));
            coll::gather(port, &rules(), team, 0, Some(room(1)), recv)
        }),
        ("scatter", |port, team| {
            let send = (team.rank == 0).then(|| room(team.size));
            coll::scatter(port, &rules(), team, 0, send, Some(room(1)))
        }),
        ("allgather", |port, team| {
            let recv = Blocks::even(room(team.size), team.size);
            coll::allgather(port, &rules(), team, Some(room(1)), recv)
        }),
        ("alltoall", |port, team| {
            let blocks = || Blocks::even(room(team.size), team.size);
            coll::alltoall(port, &rules(), team, Some(blocks()), blocks())
        }),
        ("reduce_scatter", |port, team| {
            let (send, recv) = (Some(room(team.size)), room(1));
            let dealt = ReduceScatterArgs {
                send,
                recv,
                counts: Counts::Even(COUNT),
            };
            coll::reduce_scatter(port, &rules(), team, Sums::Affine.reduction(), dealt)
        }),
        ("scan", |port, team| {
            coll::scan(port, &rules(), team, Sums::Affine.reduction(), vector())
        }),
        ("exscan", |port, team| {
            coll::exscan(port, &rules(), team, Sums::Affine.reduction(), vector())
        }),
    ]
}

/// A size that is no power of two may cost two more rounds, for folding and unfolding.
#[test]
fn rounds_and_messages_grow_with_the_logarithm() {
    for (name, begin) in logarithmic() {
        for size in SIZES {
            let (rounds, sends) = cost(size, begin);
            let limit = log2_up(size) + 2;
            assert!(
                rounds <= limit,
                "{name} of {size} took {rounds} rounds, limit {limit}"
            );
            assert!(
                sends <= limit,
                "{name} of {size} sent {sends} messages, limit {limit}"
            );
        }
    }
}

#[test]
fn rounds_of_powers_of_two_are_exact() {
    for (name, begin) in logarithmic() {
        for size in [2, 8, 64] {
            let (rounds, _) = cost(size, begin);
            // An exclusive scan first hands everything one rank up.
            let more = name == "exscan" && size > 2;
            let expected = size.ilog2() as usize + more as usize;
            assert_eq!(rounds, expected, "{name} of {size}");
        }
    }
}

/// The algorithms that the rules choose for short messages have few rounds on many ranks.
#[test]
fn short_messages_never_get_a_ring_of_many_ranks() {
    let rules = Rules::default();
    for ranks in [100, 1000, 100_000] {
        assert_eq!(rules.bcast(ranks, 8), Bcast::Binomial);
        assert_eq!(rules.reduce(ranks, 8, true), Reduce::Binomial);
        assert_eq!(
            rules.allreduce(ranks, 8, true),
            Allreduce::RecursiveDoubling
        );
        assert_eq!(rules.gather(ranks, 8), Gather::Binomial);
        assert_eq!(rules.alltoall(ranks, 8), Alltoall::Bruck);
        assert_eq!(
            rules.allgather(ranks, 8 * 100),
            Allgather::RecursiveDoubling
        );
        assert_eq!(
            rules.reduce_scatter(ranks, 8 * 100, true),
            ReduceScatter::Butterfly
        );
    }
}

#[test]
fn nobody_leaves_a_barrier_before_the_last_has_entered() {
    for size in 2..=17 {
        for late in 0..size {
            for &algorithm in Barrier::ALL {
                common::barrier_with_a_late_rank(size, late, algorithm);
            }
        }
    }
}
