//! The table of the compared collectives, with every algorithm of each.

use coll::rules::{Allgather, Allreduce, Alltoall, Bcast, Gather, Reduce, ReduceScatter};
use coll::{Blocks, Counts, ReduceScatterArgs, Rules, Vector};

use crate::clock::Model;

/// A collective and what decides about its algorithm.
pub struct Case {
    pub name: &'static str,
    pub algorithms: &'static [&'static str],
    /// Whether the bytes are of the blocks of all ranks.
    pub is_of_blocks: bool,
    /// Microseconds of an algorithm by ranks and bytes in all.
    pub cost: fn(&Model, usize, u32, usize) -> f64,
    /// The algorithm that the rules choose: that of the place after all of these is the one that
    /// goes by nodes.
    pub chosen: fn(&Rules, u32, usize) -> usize,
}

fn place<A: PartialEq>(all: &[A], chosen: A) -> usize {
    let place = all.iter().position(|algorithm| *algorithm == chosen);
    place.expect("one of all algorithms")
}

/// An operator is given whole elements of four bytes.
fn vector(model: &Model, bytes: usize, receives: bool) -> Vector {
    Vector {
        send: Some(model.send(bytes)),
        recv: receives.then(|| model.recv(bytes)),
        count: bytes / 4,
    }
}

pub const BCAST: Case = Case {
    name: "MPI_Bcast",
    is_of_blocks: false,
    algorithms: &[
        "basic_linear",
        "binomial",
        "pipeline",
        "scatter_allgather",
        "scatter_allgather_ring",
    ],
    cost: |model, algorithm, ranks, bytes| {
        let rules = |rank| Rules {
            bcast_algorithm: Some(Bcast::ALL[algorithm]),
            ..model.rules(rank)
        };
        model.microseconds(ranks, &|port, team, _| {
            coll::bcast(port, &rules(team.rank), team, 0, model.recv(bytes))
        })
    },
    chosen: |rules, ranks, bytes| place(Bcast::ALL, rules.bcast(ranks, bytes)),
};

pub const REDUCE: Case = Case {
    name: "MPI_Reduce",
    is_of_blocks: false,
    algorithms: &["linear", "binomial", "pipeline", "rabenseifner"],
    cost: |model, algorithm, ranks, bytes| {
        let rules = |rank| Rules {
            reduce_algorithm: Some(Reduce::ALL[algorithm]),
            ..model.rules(rank)
        };
        model.microseconds(ranks, &|port, team, reduction| {
            let vector = vector(model, bytes, team.rank == 0);
            coll::reduce(port, &rules(team.rank), team, 0, reduction, vector)
        })
    },
    chosen: |rules, ranks, bytes| place(Reduce::ALL, rules.reduce(ranks, bytes, true)),
};

pub const ALLREDUCE: Case = Case {
    name: "MPI_Allreduce",
    is_of_blocks: false,
    algorithms: &[
        "recursive_doubling",
        "rabenseifner",
        "ring",
        "nonoverlapping",
    ],
    cost: |model, algorithm, ranks, bytes| {
        let rules = |rank| Rules {
            allreduce_algorithm: Some(Allreduce::ALL[algorithm]),
            ..model.rules(rank)
        };
        model.microseconds(ranks, &|port, team, reduction| {
            coll::allreduce(
                port,
                &rules(team.rank),
                team,
                reduction,
                vector(model, bytes, true),
            )
        })
    },
    chosen: |rules, ranks, bytes| {
        let chosen = rules.allreduce(ranks, bytes, true);
        place(Allreduce::ALL, chosen)
    },
};

pub const GATHER: Case = Case {
    name: "MPI_Gather",
    is_of_blocks: true,
    algorithms: &["basic_linear", "binomial"],
    cost: |model, algorithm, ranks, bytes| {
        let rules = |rank| Rules {
            gather_algorithm: Some(Gather::ALL[algorithm]),
            ..model.rules(rank)
        };
        model.microseconds(ranks, &|port, team, _| {
            let send = Some(model.send(bytes / ranks as usize));
            let whole = bytes / ranks as usize * ranks as usize;
            let recv = (team.rank == 0).then(|| model.recv(whole));
            coll::gather(port, &rules(team.rank), team, 0, send, recv)
        })
    },
    chosen: |rules, ranks, bytes| place(Gather::ALL, rules.gather(ranks, bytes / ranks as usize)),
};

pub const ALLGATHER: Case = Case {
    name: "MPI_Allgather",
    is_of_blocks: true,
    algorithms: &["linear", "bruck", "recursive_doubling", "ring", "neighbor"],
    cost: |model, algorithm, ranks, bytes| {
        let rules = |rank| Rules {
            allgather_algorithm: Some(Allgather::ALL[algorithm]),
            ..model.rules(rank)
        };
        model.microseconds(ranks, &|port, team, _| {
            let block = bytes / ranks as usize;
            let recv = Blocks::even(model.recv(block * ranks as usize), ranks);
            coll::allgather(port, &rules(team.rank), team, Some(model.send(block)), recv)
        })
    },
    chosen: |rules, ranks, bytes| place(Allgather::ALL, rules.allgather(ranks, bytes)),
};

pub const ALLTOALL: Case = Case {
    name: "MPI_Alltoall",
    is_of_blocks: true,
    algorithms: &["linear", "pairwise", "modified_bruck"],
    cost: |model, algorithm, ranks, bytes| {
        let rules = |rank| Rules {
            alltoall_algorithm: Some(Alltoall::ALL[algorithm]),
            ..model.rules(rank)
        };
        model.microseconds(ranks, &|port, team, _| {
            let whole = bytes / ranks as usize * ranks as usize;
            let send = Blocks::even(model.send(whole), ranks);
            let recv = Blocks::even(model.recv(whole), ranks);
            coll::alltoall(port, &rules(team.rank), team, Some(send), recv)
        })
    },
    chosen: |rules, ranks, bytes| {
        let chosen = rules.alltoall(ranks, bytes / ranks as usize);
        place(Alltoall::ALL, chosen)
    },
};

pub const REDUCE_SCATTER: Case = Case {
    name: "MPI_Reduce_scatter_block",
    is_of_blocks: true,
    algorithms: &["non-overlapping", "butterfly", "ring"],
    cost: |model, algorithm, ranks, bytes| {
        let rules = |rank| Rules {
            reduce_scatter_block_algorithm: Some(ReduceScatter::ALL[algorithm]),
            // What the first is made of.
            reduce_algorithm: Some(Reduce::Binomial),
            scatter_algorithm: Some(Gather::Binomial),
            ..model.rules(rank)
        };
        model.microseconds(ranks, &|port, team, reduction| {
            let count = bytes / 4 / ranks as usize;
            let dealt = ReduceScatterArgs {
                send: Some(model.send(4 * count * ranks as usize)),
                recv: model.recv(4 * count),
                counts: Counts::Even(count),
            };
            coll::reduce_scatter(port, &rules(team.rank), team, reduction, dealt)
        })
    },
    chosen: |rules, ranks, bytes| {
        let chosen = rules.reduce_scatter_block(ranks, bytes, true);
        place(ReduceScatter::ALL, chosen)
    },
};

pub const ALL: [Case; 7] = [
    BCAST,
    REDUCE,
    ALLREDUCE,
    GATHER,
    ALLGATHER,
    ALLTOALL,
    REDUCE_SCATTER,
];
