//! The table of the compared collectives, with every algorithm of each.

use coll::rules::{Allgather, Allreduce, Alltoall, Bcast, Gather, Reduce, ReduceScatter};
use coll::{Blocks, Counts, ReduceScatterArgs, Rules, Vector};

use crate::clock::{microseconds, Memory};

/// A collective and what decides about its algorithm.
pub struct Case {
    pub name: &'static str,
    pub algorithms: &'static [&'static str],
    /// Microseconds of an algorithm by ranks and bytes in all.
    pub cost: fn(&Memory, usize, u32, usize) -> f64,
    /// The algorithm that the rules choose.
    pub chosen: fn(u32, usize) -> usize,
}

fn place<A: PartialEq>(all: &[A], chosen: A) -> usize {
    let place = all.iter().position(|algorithm| *algorithm == chosen);
    place.expect("one of all algorithms")
}

/// An operator is given whole elements of four bytes.
fn vector(memory: &Memory, bytes: usize, receives: bool) -> Vector {
    Vector {
        send: Some(memory.send(bytes)),
        recv: receives.then(|| memory.recv(bytes)),
        count: bytes / 4,
    }
}

pub const BCAST: Case = Case {
    name: "MPI_Bcast",
    algorithms: &[
        "basic_linear",
        "binomial",
        "pipeline",
        "scatter_allgather",
        "scatter_allgather_ring",
    ],
    cost: |memory, algorithm, ranks, bytes| {
        let rules = Rules {
            bcast_algorithm: Some(Bcast::ALL[algorithm]),
            ..Rules::default()
        };
        microseconds(ranks, &|port, team, _| {
            coll::bcast(port, &rules, team, 0, memory.recv(bytes))
        })
    },
    chosen: |ranks, bytes| place(Bcast::ALL, Rules::default().bcast(ranks, bytes)),
};

pub const REDUCE: Case = Case {
    name: "MPI_Reduce",
    algorithms: &["linear", "binomial", "pipeline", "rabenseifner"],
    cost: |memory, algorithm, ranks, bytes| {
        let rules = Rules {
            reduce_algorithm: Some(Reduce::ALL[algorithm]),
            ..Rules::default()
        };
        microseconds(ranks, &|port, team, reduction| {
            let vector = vector(memory, bytes, team.rank == 0);
            coll::reduce(port, &rules, team, 0, reduction, vector)
        })
    },
    chosen: |ranks, bytes| place(Reduce::ALL, Rules::default().reduce(ranks, bytes, true)),
};

pub const ALLREDUCE: Case = Case {
    name: "MPI_Allreduce",
    algorithms: &[
        "recursive_doubling",
        "rabenseifner",
        "ring",
        "nonoverlapping",
    ],
    cost: |memory, algorithm, ranks, bytes| {
        let rules = Rules {
            allreduce_algorithm: Some(Allreduce::ALL[algorithm]),
            ..Rules::default()
        };
        microseconds(ranks, &|port, team, reduction| {
            coll::allreduce(port, &rules, team, reduction, vector(memory, bytes, true))
        })
    },
    chosen: |ranks, bytes| {
        let chosen = Rules::default().allreduce(ranks, bytes, true);
        place(Allreduce::ALL, chosen)
    },
};

pub const GATHER: Case = Case {
    name: "MPI_Gather",
    algorithms: &["basic_linear", "binomial"],
    cost: |memory, algorithm, ranks, bytes| {
        let rules = Rules {
            gather_algorithm: Some(Gather::ALL[algorithm]),
            ..Rules::default()
        };
        microseconds(ranks, &|port, team, _| {
            let send = Some(memory.send(bytes / ranks as usize));
            let whole = bytes / ranks as usize * ranks as usize;
            let recv = (team.rank == 0).then(|| memory.recv(whole));
            coll::gather(port, &rules, team, 0, send, recv)
        })
    },
    chosen: |ranks, bytes| {
        place(
            Gather::ALL,
            Rules::default().gather(ranks, bytes / ranks as usize),
        )
    },
};

pub const ALLGATHER: Case = Case {
    name: "MPI_Allgather",
    algorithms: &["linear", "bruck", "recursive_doubling", "ring", "neighbor"],
    cost: |memory, algorithm, ranks, bytes| {
        let rules = Rules {
            allgather_algorithm: Some(Allgather::ALL[algorithm]),
            ..Rules::default()
        };
        microseconds(ranks, &|port, team, _| {
            let block = bytes / ranks as usize;
            let recv = Blocks::even(memory.recv(block * ranks as usize), ranks);
            coll::allgather(port, &rules, team, Some(memory.send(block)), recv)
        })
    },
    chosen: |ranks, bytes| place(Allgather::ALL, Rules::default().allgather(ranks, bytes)),
};

pub const ALLTOALL: Case = Case {
    name: "MPI_Alltoall",
    algorithms: &["linear", "pairwise", "modified_bruck"],
    cost: |memory, algorithm, ranks, bytes| {
        let rules = Rules {
            alltoall_algorithm: Some(Alltoall::ALL[algorithm]),
            ..Rules::default()
        };
        microseconds(ranks, &|port, team, _| {
            let whole = bytes / ranks as usize * ranks as usize;
            let send = Blocks::even(memory.send(whole), ranks);
            let recv = Blocks::even(memory.recv(whole), ranks);
            coll::alltoall(port, &rules, team, Some(send), recv)
        })
    },
    chosen: |ranks, bytes| {
        let chosen = Rules::default().alltoall(ranks, bytes / ranks as usize);
        place(Alltoall::ALL, chosen)
    },
};

pub const REDUCE_SCATTER: Case = Case {
    name: "MPI_Reduce_scatter_block",
    algorithms: &["non-overlapping", "butterfly", "ring"],
    cost: |memory, algorithm, ranks, bytes| {
        let rules = Rules {
            reduce_scatter_block_algorithm: Some(ReduceScatter::ALL[algorithm]),
            // What the first is made of.
            reduce_algorithm: Some(Reduce::Binomial),
            scatter_algorithm: Some(Gather::Binomial),
            ..Rules::default()
        };
        microseconds(ranks, &|port, team, reduction| {
            let count = bytes / 4 / ranks as usize;
            let dealt = ReduceScatterArgs {
                send: Some(memory.send(4 * count * ranks as usize)),
                recv: memory.recv(4 * count),
                counts: Counts::Even(count),
            };
            coll::reduce_scatter(port, &rules, team, reduction, dealt)
        })
    },
    chosen: |ranks, bytes| {
        let chosen = Rules::default().reduce_scatter_block(ranks, bytes, true);
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
