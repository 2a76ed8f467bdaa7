//! Tests of collectives that move data without combining it, against a naive reference.

mod common;

use coll::rules::{Allgather, Allgatherv, Alltoall, Alltoallv, Barrier, Bcast, Gather};
use coll::{Blocks, Rules};
use common::{data, element, intra, Area, ELEMENT};
use datatype::Buffer;

const SIZES: std::ops::RangeInclusive<u32> = 1..=17;
const COUNTS: [usize; 4] = [0, 1, 5, 40];

/// Ranks alternate between two datatypes of one signature, and so do sides.
fn kind(rank: u32, seed: u64) -> u32 {
    rank + seed as u32
}

#[test]
fn barrier_waits_for_everybody() {
    for size in SIZES {
        intra(size, u64::from(size), coll::barrier);
        for &algorithm in Barrier::ALL {
            let rules = Rules {
                barrier_algorithm: Some(algorithm),
                ..Rules::default()
            };
            intra(size, u64::from(size), |port, team| {
                coll::barrier_by(port, &rules, team)
            });
        }
    }
}

#[test]
fn bcast_reaches_every_rank_from_every_root() {
    for size in SIZES {
        for root in 0..size {
            for (seed, &algorithm) in Bcast::ALL.iter().enumerate() {
                let count = COUNTS[(root as usize + seed) % COUNTS.len()];
                check_bcast(size, root, algorithm, count, seed as u64);
            }
        }
    }
}

#[test]
fn bcast_by_the_rules_moves_long_data() {
    for size in [2, 3, 4, 5, 9, 16] {
        for count in [1, 2000, 40_000, 150_000] {
            let sent = data(count, count * ELEMENT);
            let areas: Vec<_> = (0..size)
                .map(|rank| Area::new(&element(rank), count))
                .collect();
            areas[1].buffer.unpack(0, memory::Payload::from(&sent[..]));
            intra(size, 3, |port, team| {
                let buffer = areas[team.rank as usize].buffer.clone();
                coll::bcast(port, &Rules::default(), team, 1, buffer)
            });
            for area in &areas {
                area.expect(&sent, &format!("bcast of {count} elements among {size}"));
            }
        }
    }
}

fn check_bcast(size: u32, root: u32, algorithm: Bcast, count: usize, seed: u64) {
    let rules = Rules {
        bcast_algorithm: Some(algorithm),
        bcast_segment_bytes: 20,
        ..Rules::default()
    };
    let sent = data(count, count * ELEMENT);
    let area = |rank| match rank == root {
        true => Area::holding(&element(kind(rank, seed)), &sent),
        false => Area::new(&element(kind(rank, seed)), count),
    };
    let areas: Vec<_> = (0..size).map(area).collect();
    intra(size, seed, |port, team| {
        coll::bcast(
            port,
            &rules,
            team,
            root,
            areas[team.rank as usize].buffer.clone(),
        )
    });
    for (rank, area) in areas.iter().enumerate() {
        area.expect(
            &sent,
            &format!("{algorithm:?} rank {rank} of {size} root {root} x{count}"),
        );
    }
}

/// One area per rank with a block of its own, and what all blocks make together.
fn contributions(size: u32, count: usize, seed: u64) -> (Vec<Area>, Vec<u8>) {
    let blocks: Vec<_> = (0..size)
        .map(|rank| data(rank as usize + 100 * count, count * ELEMENT))
        .collect();
    let areas = blocks.iter().zip(0..);
    let areas = areas.map(|(block, rank)| Area::holding(&element(kind(rank, seed)), block));
    (areas.collect(), blocks.concat())
}

#[test]
fn gather_collects_at_every_root() {
    for size in SIZES {
        for root in 0..size {
            for (seed, &algorithm) in Gather::ALL.iter().enumerate() {
                for in_place in [false, true] {
                    let count = COUNTS[(root as usize + seed) % COUNTS.len()];
                    check_gather(size, root, algorithm, count, seed as u64, in_place);
                }
            }
        }
    }
}

fn check_gather(size: u32, root: u32, algorithm: Gather, count: usize, seed: u64, in_place: bool) {
    let rules = Rules {
        gather_algorithm: Some(algorithm),
        ..Rules::default()
    };
    let (sends, all) = contributions(size, count, seed);
    let recv = Area::new(&element(kind(root, seed + 1)), count * size as usize);
    if in_place {
        let mut before = vec![0; all.len()];
        let own = root as usize * count * ELEMENT..(root as usize + 1) * count * ELEMENT;
        before[own.clone()].copy_from_slice(&all[own]);
        recv.buffer.unpack(0, memory::Payload::from(&before[..]));
    }
    intra(size, seed, |port, team| {
        let at_root = team.rank == root;
        let send = sends[team.rank as usize].buffer.clone();
        let send = (!(at_root && in_place)).then_some(send);
        let recv = at_root.then(|| recv.buffer.clone());
        coll::gather(port, &rules, team, root, send, recv)
    });
    recv.expect(&all, &format!("{algorithm:?} of {size} to {root} x{count}"));
}

#[test]
fn scatter_deals_out_from_every_root() {
    for size in SIZES {
        for root in 0..size {
            for (seed, &algorithm) in Gather::ALL.iter().enumerate() {
                for in_place in [false, true] {
                    let count = COUNTS[(root as usize + seed) % COUNTS.len()];
                    check_scatter(size, root, algorithm, count, seed as u64, in_place);
                }
            }
        }
    }
}

fn check_scatter(size: u32, root: u32, algorithm: Gather, count: usize, seed: u64, in_place: bool) {
    let rules = Rules {
        scatter_algorithm: Some(algorithm),
        ..Rules::default()
    };
    let all = data(count + 7, count * ELEMENT * size as usize);
    let send = Area::holding(&element(kind(root, seed + 1)), &all);
    let recvs: Vec<_> = (0..size)
        .map(|rank| Area::new(&element(kind(rank, seed)), count))
        .collect();
    intra(size, seed, |port, team| {
        let at_root = team.rank == root;
        let recv = recvs[team.rank as usize].buffer.clone();
        let recv = (!(at_root && in_place)).then_some(recv);
        let send = at_root.then(|| send.buffer.clone());
        coll::scatter(port, &rules, team, root, send, recv)
    });
    let what = format!("{algorithm:?} of {size} from {root} x{count}");
    send.expect(&all, &what);
    for (rank, recv) in recvs.iter().enumerate() {
        if !(in_place && rank as u32 == root) {
            recv.expect(
                &all[rank * count * ELEMENT..(rank + 1) * count * ELEMENT],
                &what,
            );
        }
    }
}

#[test]
fn allgather_collects_everywhere() {
    for size in SIZES.chain([31, 32, 33]) {
        for count in COUNTS {
            for (seed, &algorithm) in Allgather::ALL.iter().enumerate() {
                for in_place in [false, true] {
                    check_allgather(size, algorithm, count, seed as u64, in_place);
                }
            }
        }
    }
}

fn check_allgather(size: u32, algorithm: Allgather, count: usize, seed: u64, in_place: bool) {
    let rules = Rules {
        allgather_algorithm: Some(algorithm),
        ..Rules::default()
    };
    let (sends, all) = contributions(size, count, seed);
    let block = count * ELEMENT;
    let recv = |rank: u32| {
        let mut before = vec![0; all.len()];
        if in_place {
            let own = rank as usize * block..(rank as usize + 1) * block;
            before[own.clone()].copy_from_slice(&all[own]);
        }
        Area::holding(&element(kind(rank, seed + 1)), &before)
    };
    let recvs: Vec<_> = (0..size).map(recv).collect();
    intra(size, seed, |port, team| {
        let rank = team.rank as usize;
        let send = (!in_place).then(|| sends[rank].buffer.clone());
        let recv = Blocks::even(recvs[rank].buffer.clone(), size);
        coll::allgather(port, &rules, team, send, recv)
    });
    for (rank, recv) in recvs.iter().enumerate() {
        recv.expect(
            &all,
            &format!("{algorithm:?} rank {rank} of {size} x{count}"),
        );
    }
}

/// A buffer of elements, cut into blocks with a gap of one element between them.
fn listed(area: &Area, counts: &[usize]) -> Blocks {
    let per_count = area.buffer.count() / counts.iter().map(|n| n + 1).sum::<usize>();
    let mut at = 0;
    let mut block = |count: &usize| {
        let block = area.buffer.elements(at * per_count, count * per_count);
        at += count + 1;
        block
    };
    Blocks::from(counts.iter().map(&mut block).collect::<Vec<_>>())
}

fn packed(buffer: &Buffer) -> Vec<u8> {
    let mut bytes = vec![0; buffer.len()];
    buffer.pack_into(0, &mut bytes);
    bytes
}

fn uneven(seed: usize, ranks: u32) -> Vec<usize> {
    (0..ranks as usize)
        .map(|rank| (rank * 7 + seed * 5) % 6)
        .collect()
}

fn room_for(counts: &[usize], kind: u32) -> Area {
    let elements: usize = counts.iter().map(|count| count + 1).sum();
    Area::holding(&element(kind), &data(kind as usize, elements * ELEMENT))
}

#[test]
fn allgatherv_gatherv_and_scatterv_take_uneven_blocks() {
    for size in SIZES {
        for (seed, &algorithm) in Allgatherv::ALL.iter().enumerate() {
            let counts = uneven(seed, size);
            let rules = Rules {
                allgatherv_algorithm: Some(algorithm),
                ..Rules::default()
            };
            let sent: Vec<_> = (0..size as usize)
                .map(|rank| data(rank + 50, counts[rank] * ELEMENT))
                .collect();
            let sends: Vec<_> = sent
                .iter()
                .zip(0..)
                .map(|(b, r)| Area::holding(&element(r), b))
                .collect();
            let rooms: Vec<_> = (0..size).map(|rank| room_for(&counts, rank)).collect();
            let recvs: Vec<_> = rooms.iter().map(|room| listed(room, &counts)).collect();
            intra(size, seed as u64, |port, team| {
                let rank = team.rank as usize;
                let send = Some(sends[rank].buffer.clone());
                coll::allgather(port, &rules, team, send, recvs[rank].clone())
            });
            for recv in &recvs {
                for rank in 0..size {
                    assert_eq!(packed(&recv.block(rank)), sent[rank as usize]);
                }
            }
            let root = seed as u32 % size;
            check_gatherv(size, root, &counts, &sends, &sent);
            check_scatterv(size, root, &counts, &sends, &recvs[0]);
        }
    }
}

fn check_gatherv(size: u32, root: u32, counts: &[usize], sends: &[Area], sent: &[Vec<u8>]) {
    let room = room_for(counts, 1);
    let recv = listed(&room, counts);
    intra(size, 5, |port, team| {
        let send = Some(sends[team.rank as usize].buffer.clone());
        coll::gatherv(
            port,
            team,
            root,
            send,
            (team.rank == root).then(|| recv.clone()),
        )
    });
    for rank in 0..size {
        assert_eq!(packed(&recv.block(rank)), sent[rank as usize]);
    }
}

/// Sends the blocks back to where they came from, over what is there.
fn check_scatterv(size: u32, root: u32, counts: &[usize], back: &[Area], blocks: &Blocks) {
    let places: Vec<_> = back.iter().map(|area| area.packed()).collect();
    let rooms: Vec<_> = (0..size)
        .map(|rank| Area::new(&element(rank + 1), counts[rank as usize]))
        .collect();
    intra(size, 6, |port, team| {
        let send = (team.rank == root).then(|| blocks.clone());
        let recv = Some(rooms[team.rank as usize].buffer.clone());
        coll::scatterv(port, team, root, send, recv)
    });
    for (room, place) in rooms.iter().zip(&places) {
        room.expect(place, "scatterv");
    }
}

#[test]
fn alltoall_transposes_the_blocks() {
    for size in SIZES.chain([31, 32, 33]) {
        for count in COUNTS {
            for (seed, &algorithm) in Alltoall::ALL.iter().enumerate() {
                check_alltoall(size, algorithm, count, seed as u64);
            }
        }
    }
}

fn check_alltoall(size: u32, algorithm: Alltoall, count: usize, seed: u64) {
    let rules = Rules {
        alltoall_algorithm: Some(algorithm),
        alltoall_max_requests: 2,
        ..Rules::default()
    };
    let block = |from: u32, to: u32| data((from * 64 + to) as usize, count * ELEMENT);
    let row = |rank: u32| {
        (0..size)
            .map(|to| block(rank, to))
            .collect::<Vec<_>>()
            .concat()
    };
    let column = |rank: u32| {
        (0..size)
            .map(|from| block(from, rank))
            .collect::<Vec<_>>()
            .concat()
    };
    let sends: Vec<_> = (0..size)
        .map(|rank| Area::holding(&element(kind(rank, seed)), &row(rank)))
        .collect();
    let total = count * size as usize;
    let recvs: Vec<_> = (0..size)
        .map(|rank| Area::new(&element(kind(rank, seed + 1)), total))
        .collect();
    intra(size, seed, |port, team| {
        let rank = team.rank as usize;
        let send = Blocks::even(sends[rank].buffer.clone(), size);
        let recv = Blocks::even(recvs[rank].buffer.clone(), size);
        coll::alltoall(port, &rules, team, Some(send), recv)
    });
    for rank in 0..size {
        let what = format!("{algorithm:?} rank {rank} of {size} x{count}");
        recvs[rank as usize].expect(&column(rank), &what);
        sends[rank as usize].expect(&row(rank), &what);
    }
    intra(size, seed, |port, team| {
        let whole = sends[team.rank as usize].buffer.clone();
        coll::alltoall(port, &rules, team, None, Blocks::even(whole, size))
    });
    for rank in 0..size {
        sends[rank as usize].expect(&column(rank), "alltoall in place");
    }
}

#[test]
fn alltoallv_takes_uneven_blocks() {
    for size in SIZES {
        for (window, &algorithm) in [1, 3, 100, 4].iter().zip(Alltoallv::ALL.iter().cycle()) {
            let window = *window;
            let rules = Rules {
                alltoallv_algorithm: Some(algorithm),
                alltoall_max_requests: window,
                ..Rules::default()
            };
            let count = |from: u32, to: u32| ((from * 5 + to * 3) % 4) as usize;
            let block = |from: u32, to: u32| data((from * 64 + to) as usize, count(from, to) * 8);
            let to_all = |rank| (0..size).map(|to| count(rank, to)).collect::<Vec<_>>();
            let of_all = |rank| (0..size).map(|from| count(from, rank)).collect::<Vec<_>>();
            let outgoing: Vec<_> = (0..size).map(|r| room_for(&to_all(r), r)).collect();
            let incoming: Vec<_> = (0..size).map(|r| room_for(&of_all(r), r + 1)).collect();
            let sends: Vec<_> = (0..size)
                .map(|r| listed(&outgoing[r as usize], &to_all(r)))
                .collect();
            let recvs: Vec<_> = (0..size)
                .map(|r| listed(&incoming[r as usize], &of_all(r)))
                .collect();
            for from in 0..size {
                for to in 0..size {
                    let bytes = block(from, to);
                    let buffer = sends[from as usize].block(to);
                    assert_eq!(
                        buffer.unpack(0, memory::Payload::from(&bytes[..])),
                        bytes.len()
                    );
                }
            }
            intra(size, window as u64, |port, team| {
                let rank = team.rank as usize;
                let (send, recv) = (Some(sends[rank].clone()), recvs[rank].clone());
                coll::alltoallv(port, &rules, team, send, recv)
            });
            for from in 0..size {
                for to in 0..size {
                    assert_eq!(packed(&recvs[to as usize].block(from)), block(from, to));
                }
            }
        }
    }
}

#[test]
fn alltoallv_in_place_swaps_blocks_of_symmetric_lengths() {
    for size in SIZES {
        let count = |a: u32, b: u32| ((a + b) % 4) as usize;
        let counts = |rank| (0..size).map(|peer| count(rank, peer)).collect::<Vec<_>>();
        let rooms: Vec<_> = (0..size).map(|r| room_for(&counts(r), r)).collect();
        let blocks: Vec<_> = (0..size)
            .map(|r| listed(&rooms[r as usize], &counts(r)))
            .collect();
        let before: Vec<Vec<_>> = blocks
            .iter()
            .map(|list| (0..size).map(|peer| packed(&list.block(peer))).collect())
            .collect();
        intra(size, 9, |port, team| {
            let recv = blocks[team.rank as usize].clone();
            coll::alltoallv(port, &Rules::default(), team, None, recv)
        });
        for a in 0..size {
            for b in 0..size {
                assert_eq!(
                    packed(&blocks[a as usize].block(b)),
                    before[b as usize][a as usize]
                );
            }
        }
    }
}
