//! Tests of collectives of inter-communicators.

mod common;

use std::sync::Arc;

use coll::rules::Gather;
use coll::{Blocks, Counts, InterRoot, ReduceScatterArgs, Rules, Vector};
use common::{data, element, inter, Area, Sums, ELEMENT};
use datatype::Buffer;

const SIZES: [[u32; 2]; 9] = [
    [1, 1],
    [1, 2],
    [2, 1],
    [3, 2],
    [4, 4],
    [5, 8],
    [7, 3],
    [1, 9],
    [13, 6],
];

/// The root argument of a rank, for a root in `root_group`.
fn root_for(group: usize, rank: u32, root_group: usize, root: u32) -> InterRoot {
    match (group == root_group, rank == root) {
        (true, true) => InterRoot::Here,
        (true, false) => InterRoot::Elsewhere,
        (false, _) => InterRoot::Remote(root),
    }
}

/// Calls `check` for every pair of sizes and every root in either group.
fn every_root(mut check: impl FnMut([u32; 2], usize, u32)) {
    for sizes in SIZES {
        for group in 0..2 {
            for root in 0..sizes[group] {
                check(sizes, group, root);
            }
        }
    }
}

/// For each group, an area per rank.
fn areas(sizes: [u32; 2], mut make: impl FnMut(usize, u32) -> Area) -> [Vec<Area>; 2] {
    [0, 1].map(|group: usize| (0..sizes[group]).map(|rank| make(group, rank)).collect())
}

fn block(group: usize, rank: u32, len: usize) -> Vec<u8> {
    data(group * 1000 + rank as usize, len)
}

fn blocks_of(group: usize, size: u32, len: usize) -> Vec<Vec<u8>> {
    (0..size).map(|rank| block(group, rank, len)).collect()
}

fn packed(buffer: &Buffer) -> Vec<u8> {
    let mut bytes = vec![0; buffer.len()];
    buffer.pack_into(0, &mut bytes);
    bytes
}

#[test]
fn barrier_and_bcast_cross_over() {
    for sizes in SIZES {
        inter(sizes, 1, |port, _, inter| coll::inter_barrier(port, inter));
    }
    every_root(|sizes, root_group, root| {
        for count in [0, 1, 9, 3000] {
            let sent = data(7, count * ELEMENT);
            let holds = |group, rank| group == root_group && rank == root;
            let areas = areas(sizes, |group, rank| match holds(group, rank) {
                true => Area::holding(&element(rank), &sent),
                false => Area::holding(&element(rank), &vec![1; sent.len()]),
            });
            inter(sizes, count as u64, |port, group, inter| {
                let role = root_for(group, inter.rank, root_group, root);
                let buffer = areas[group][inter.rank as usize].buffer.clone();
                coll::inter_bcast(port, &Rules::default(), inter, role, buffer)
            });
            for area in &areas[1 - root_group] {
                area.expect(&sent, "bcast to the other group");
            }
            for (rank, area) in areas[root_group].iter().enumerate() {
                if rank as u32 != root {
                    area.expect(&vec![1; sent.len()], "the root's group gets nothing");
                }
            }
        }
    });
}

#[test]
fn gather_and_scatter_cross_over() {
    every_root(|sizes, root_group, root| {
        for (seed, &algorithm) in Gather::ALL.iter().enumerate() {
            for count in [0, 4] {
                check_gather(sizes, root_group, root, algorithm, count, seed as u64);
                check_scatter(sizes, root_group, root, algorithm, count, seed as u64);
            }
        }
        check_uneven(sizes, root_group, root);
    });
}

fn check_gather(
    sizes: [u32; 2],
    root_group: usize,
    root: u32,
    algorithm: Gather,
    count: usize,
    seed: u64,
) {
    let rules = Rules {
        gather_algorithm: Some(algorithm),
        ..Rules::default()
    };
    let remote = sizes[1 - root_group];
    let sends = areas(sizes, |group, rank| {
        Area::holding(&element(rank), &block(group, rank, count * ELEMENT))
    });
    let recv = Area::new(&element(1), count * remote as usize);
    inter(sizes, seed, |port, group, inter| {
        let role = root_for(group, inter.rank, root_group, root);
        let send = Some(sends[group][inter.rank as usize].buffer.clone());
        let recv = (role == InterRoot::Here).then(|| recv.buffer.clone());
        coll::inter_gather(port, &rules, inter, role, send, recv)
    });
    recv.expect(
        &blocks_of(1 - root_group, remote, count * ELEMENT).concat(),
        "gather",
    );
}

fn check_scatter(
    sizes: [u32; 2],
    root_group: usize,
    root: u32,
    algorithm: Gather,
    count: usize,
    seed: u64,
) {
    let rules = Rules {
        scatter_algorithm: Some(algorithm),
        ..Rules::default()
    };
    let remote = sizes[1 - root_group];
    let blocks = blocks_of(1 - root_group, remote, count * ELEMENT);
    let send = Area::holding(&element(1), &blocks.concat());
    let recvs = areas(sizes, |_, rank| Area::new(&element(rank), count));
    inter(sizes, seed, |port, group, inter| {
        let role = root_for(group, inter.rank, root_group, root);
        let send = (role == InterRoot::Here).then(|| send.buffer.clone());
        let recv = Some(recvs[group][inter.rank as usize].buffer.clone());
        coll::inter_scatter(port, &rules, inter, role, send, recv)
    });
    for (recv, block) in recvs[1 - root_group].iter().zip(&blocks) {
        recv.expect(block, "scatter");
    }
}

fn check_uneven(sizes: [u32; 2], root_group: usize, root: u32) {
    let len = |rank: u32| (rank as usize * 3 % 5) * ELEMENT;
    let remote = sizes[1 - root_group];
    let there: Vec<_> = (0..remote)
        .map(|rank| Area::holding(&element(rank), &block(0, rank, len(rank))))
        .collect();
    let here: Vec<_> = (0..remote)
        .map(|rank| Area::new(&element(1), len(rank) / 8))
        .collect();
    let list = || {
        Blocks::from(
            here.iter()
                .map(|area| area.buffer.clone())
                .collect::<Vec<_>>(),
        )
    };
    let mine = |group: usize, rank: u32| {
        (group != root_group).then(|| there[rank as usize].buffer.clone())
    };
    inter(sizes, 3, |port, group, inter| {
        let role = root_for(group, inter.rank, root_group, root);
        let recv = (role == InterRoot::Here).then(list);
        coll::inter_gatherv(port, role, mine(group, inter.rank), recv)
    });
    for (rank, area) in here.iter().enumerate() {
        area.expect(&block(0, rank as u32, len(rank as u32)), "gatherv");
    }
    for area in &there {
        area.buffer
            .unpack(0, memory::Payload::from(&vec![0; area.buffer.len()][..]));
    }
    inter(sizes, 4, |port, group, inter| {
        let role = root_for(group, inter.rank, root_group, root);
        let send = (role == InterRoot::Here).then(list);
        coll::inter_scatterv(port, role, send, mine(group, inter.rank))
    });
    for (rank, area) in there.iter().enumerate() {
        area.expect(&block(0, rank as u32, len(rank as u32)), "scatterv");
    }
}

#[test]
fn allgather_gives_each_group_the_other_ones_blocks() {
    for sizes in SIZES {
        for counts in [[0, 0], [3, 3], [0, 2], [5, 1]] {
            let sends = areas(sizes, |group, rank| {
                Area::holding(&element(rank), &block(group, rank, counts[group] * ELEMENT))
            });
            let recvs = areas(sizes, |group, rank| {
                let total = counts[1 - group] * sizes[1 - group] as usize;
                Area::new(&element(rank + 1), total)
            });
            let check = |what: &str| {
                for group in 0..2 {
                    let len = counts[1 - group] * ELEMENT;
                    let expected = blocks_of(1 - group, sizes[1 - group], len).concat();
                    for recv in &recvs[group] {
                        recv.expect(&expected, what);
                        let zeros = vec![0; recv.buffer.len()];
                        recv.buffer.unpack(0, memory::Payload::from(&zeros[..]));
                    }
                }
            };
            let buffers = |group: usize, rank: u32| {
                let rank = rank as usize;
                (
                    sends[group][rank].buffer.clone(),
                    recvs[group][rank].buffer.clone(),
                )
            };
            inter(sizes, 3, |port, group, inter| {
                let (send, recv) = buffers(group, inter.rank);
                coll::inter_allgather(port, &Rules::default(), inter, send, recv)
            });
            check("allgather");
            inter(sizes, 5, |port, group, inter| {
                let (send, recv) = buffers(group, inter.rank);
                let recv = Blocks::even(recv, inter.remote_size);
                coll::inter_allgatherv(port, &Rules::default(), inter, send, recv)
            });
            check("allgatherv");
        }
    }
}

#[test]
fn alltoall_crosses_over_with_any_lengths() {
    for sizes in SIZES {
        // From rank `from` of group `group` to rank `to` of the other one.
        let len = |group: usize, from: u32, to: u32| {
            (group + from as usize * 2 + to as usize) % 4 * ELEMENT
        };
        let bytes = |group: usize, from: u32, to: u32| {
            data(
                group * 999 + from as usize * 31 + to as usize,
                len(group, from, to),
            )
        };
        let sends = [0, 1].map(|group| {
            let row = |rank: u32| -> Vec<Area> {
                let area = |to| Area::holding(&element(to), &bytes(group, rank, to));
                (0..sizes[1 - group]).map(area).collect()
            };
            (0..sizes[group]).map(row).collect::<Vec<_>>()
        });
        let recvs = [0, 1].map(|group| {
            let row = |rank: u32| -> Vec<Area> {
                let area = |from| Area::new(&element(from + 1), len(1 - group, from, rank) / 8);
                (0..sizes[1 - group]).map(area).collect()
            };
            (0..sizes[group]).map(row).collect::<Vec<_>>()
        });
        let list = |areas: &[Area]| {
            Blocks::from(
                areas
                    .iter()
                    .map(|area| area.buffer.clone())
                    .collect::<Vec<_>>(),
            )
        };
        for window in [1, 16] {
            let rules = Rules {
                alltoall_max_requests: window,
                ..Rules::default()
            };
            inter(sizes, window as u64, |port, group, inter| {
                let rank = inter.rank as usize;
                let (send, recv) = (list(&sends[group][rank]), list(&recvs[group][rank]));
                coll::inter_alltoall(port, &rules, inter, send, recv)
            });
            for (group, rows) in recvs.iter().enumerate() {
                for (rank, row) in rows.iter().enumerate() {
                    for (from, area) in row.iter().enumerate() {
                        area.expect(&bytes(1 - group, from as u32, rank as u32), "alltoall");
                    }
                }
            }
        }
    }
}

#[test]
fn reductions_cross_over() {
    for way in Sums::ALL {
        let datatype = way.reduction().datatype;
        for count in [0, 1, 12, 5000] {
            let len = count * way.size();
            every_root(|sizes, root_group, root| {
                if count == 5000 && root > 0 {
                    return;
                }
                let sends = areas(sizes, |group, rank| {
                    Area::holding(&datatype, &block(group, rank, len))
                });
                let recv = Area::new(&datatype, count);
                inter(sizes, 3, |port, group, inter| {
                    let role = root_for(group, inter.rank, root_group, root);
                    let send = sends[group][inter.rank as usize].buffer.clone();
                    let vector = match role {
                        InterRoot::Here => Vector {
                            send: None,
                            recv: Some(recv.buffer.clone()),
                            count,
                        },
                        _ => Vector {
                            send: Some(send),
                            recv: None,
                            count,
                        },
                    };
                    let rules = Rules::default();
                    coll::inter_reduce(port, &rules, inter, role, way.reduction(), vector)
                });
                let remote = blocks_of(1 - root_group, sizes[1 - root_group], len);
                recv.expect(&way.reference(&remote), "reduce");
            });
            for sizes in SIZES {
                check_allreduce(sizes, way, count);
            }
        }
    }
}

fn check_allreduce(sizes: [u32; 2], way: Sums, count: usize) {
    let datatype = way.reduction().datatype;
    let len = count * way.size();
    let sends = areas(sizes, |group, rank| {
        Area::holding(&datatype, &block(group, rank, len))
    });
    let recvs = areas(sizes, |_, _| Area::new(&datatype, count));
    inter(sizes, 3, |port, group, inter| {
        let rank = inter.rank as usize;
        let send = Some(sends[group][rank].buffer.clone());
        let vector = Vector {
            send,
            recv: Some(recvs[group][rank].buffer.clone()),
            count,
        };
        coll::inter_allreduce(port, &Rules::default(), inter, way.reduction(), vector)
    });
    for group in 0..2 {
        let expected = way.reference(&blocks_of(1 - group, sizes[1 - group], len));
        for recv in &recvs[group] {
            recv.expect(&expected, "allreduce");
        }
    }
}

#[test]
fn reduce_scatter_deals_the_other_groups_result_out() {
    for way in Sums::ALL {
        for sizes in SIZES {
            // Both groups must agree on the total.
            let total = (sizes[0] * sizes[1]) as usize;
            check_dealt(
                sizes,
                way,
                [0, 1].map(|g| vec![total / sizes[g] as usize; sizes[g] as usize]),
                true,
            );
            let uneven = [0, 1].map(|group: usize| {
                let mut counts = vec![0; sizes[group] as usize];
                for element in 0..total {
                    counts[element * element % sizes[group] as usize] += 1;
                }
                counts
            });
            check_dealt(sizes, way, uneven, false);
        }
    }
}

fn check_dealt(sizes: [u32; 2], way: Sums, counts: [Vec<usize>; 2], even: bool) {
    let datatype = way.reduction().datatype;
    let len = counts[0].iter().sum::<usize>() * way.size();
    let sends = areas(sizes, |group, rank| {
        Area::holding(&datatype, &block(group, rank, len))
    });
    let recvs = areas(sizes, |group, rank| {
        Area::new(&datatype, counts[group][rank as usize])
    });
    inter(sizes, 8, |port, group, inter| {
        let rank = inter.rank as usize;
        let counts = match even {
            true => Counts::Even(counts[group][0]),
            false => Counts::Listed(Arc::from(&counts[group][..])),
        };
        let send = Some(sends[group][rank].buffer.clone());
        let dealt = ReduceScatterArgs {
            send,
            recv: recvs[group][rank].buffer.clone(),
            counts,
        };
        coll::inter_reduce_scatter(port, &Rules::default(), inter, way.reduction(), dealt)
    });
    for group in 0..2 {
        let result = way.reference(&blocks_of(1 - group, sizes[1 - group], len));
        let mut at = 0;
        for (recv, count) in recvs[group].iter().zip(&counts[group]) {
            let bytes = count * way.size();
            assert_eq!(packed(&recv.buffer), result[at..at + bytes]);
            at += bytes;
        }
    }
}
