//! Tests of collectives that reduce data, against a naive reference that combines in rank order.

mod common;

use std::sync::Arc;

use coll::rules::{Allreduce, Reduce, ReduceScatter, Scan};
use coll::{Counts, ReduceScatterArgs, Rules, Vector};
use common::{data, intra, Area, Sums};
use memory::Payload;

const SIZES: std::ops::RangeInclusive<u32> = 1..=17;
const COUNTS: [usize; 5] = [0, 1, 3, 16, 50];

/// The contributions of all ranks, and the areas that hold them.
fn contributions(way: Sums, size: u32, count: usize) -> (Vec<Vec<u8>>, Vec<Area>) {
    let vector = |rank| data(rank as usize + count, count * way.size());
    let vectors: Vec<_> = (0..size).map(vector).collect();
    let datatype = way.reduction().datatype;
    let areas = vectors
        .iter()
        .map(|vector| Area::holding(&datatype, vector))
        .collect();
    (vectors, areas)
}

fn empty(way: Sums, size: u32, count: usize) -> Vec<Area> {
    (0..size)
        .map(|_| Area::new(&way.reduction().datatype, count))
        .collect()
}

#[test]
fn reduce_combines_at_every_root() {
    for size in SIZES {
        for root in 0..size {
            for (seed, &algorithm) in Reduce::ALL.iter().enumerate() {
                for way in Sums::ALL {
                    for in_place in [false, true] {
                        let count = COUNTS[(root as usize + seed) % COUNTS.len()];
                        check_reduce(size, root, algorithm, way, count, in_place);
                    }
                }
            }
        }
    }
}

fn check_reduce(size: u32, root: u32, algorithm: Reduce, way: Sums, count: usize, in_place: bool) {
    let rules = Rules {
        reduce_algorithm: Some(algorithm),
        // So that there are several, and a last one that is shorter.
        reduce_segment_bytes: 20,
        ..Rules::default()
    };
    let (vectors, sends) = contributions(way, size, count);
    let recv = Area::new(&way.reduction().datatype, count);
    let result = if in_place {
        &sends[root as usize]
    } else {
        &recv
    };
    intra(size, u64::from(root), |port, team| {
        let at_root = team.rank == root;
        let send = sends[team.rank as usize].buffer.clone();
        let send = (!(at_root && in_place)).then_some(send);
        let vector = Vector {
            send,
            recv: at_root.then(|| result.buffer.clone()),
            count,
        };
        coll::reduce(port, &rules, team, root, way.reduction(), vector)
    });
    let what = format!("{algorithm:?} {way:?} of {size} to {root} x{count} {in_place}");
    let expected = if count == 0 {
        vec![]
    } else {
        way.reference(&vectors)
    };
    result.expect(&expected, &what);
    for rank in (0..size).filter(|rank| !in_place || *rank != root) {
        sends[rank as usize].expect(&vectors[rank as usize], &what);
    }
}

#[test]
fn allreduce_combines_everywhere() {
    for size in SIZES.chain([31, 32, 33, 63]) {
        for count in COUNTS {
            for &algorithm in Allreduce::ALL {
                for way in Sums::ALL {
                    check_allreduce(size, algorithm, way, count);
                }
            }
        }
    }
}

/// Groups of ranks, and groups of groups, with incomplete ones at the end.
#[test]
fn allreduce_in_order_combines_everywhere() {
    for size in [1, 2, 3, 8, 9, 16, 17, 33, 63] {
        for (radix, way) in [2, 3, 8, 63]
            .into_iter()
            .flat_map(|r| Sums::ALL.iter().map(move |w| (r, *w)))
        {
            let (vectors, sends) = contributions(way, size, 5);
            let recvs = empty(way, size, 5);
            intra(size, u64::from(radix), |port, team| {
                let rank = team.rank as usize;
                let vector = Vector {
                    send: Some(sends[rank].buffer.clone()),
                    recv: Some(recvs[rank].buffer.clone()),
                    count: 5,
                };
                let rules = Rules::default();
                coll::allreduce_in_order(port, &rules, team, radix, way.reduction(), vector)
            });
            let what = format!("{way:?} of {size} by {radix}");
            let expected = way.reference(&vectors);
            for rank in 0..size as usize {
                recvs[rank].expect(&expected, &what);
                sends[rank].expect(&vectors[rank], &what);
            }
        }
    }
}

fn check_allreduce(size: u32, algorithm: Allreduce, way: Sums, count: usize) {
    let rules = Rules {
        allreduce_algorithm: Some(algorithm),
        ..Rules::default()
    };
    let (vectors, sends) = contributions(way, size, count);
    let recvs = empty(way, size, count);
    let what = format!("{algorithm:?} {way:?} of {size} x{count}");
    let run = |in_place: bool| {
        intra(size, count as u64, |port, team| {
            let rank = team.rank as usize;
            let send = sends[rank].buffer.clone();
            let vector = match in_place {
                true => Vector {
                    send: None,
                    recv: Some(send),
                    count,
                },
                false => {
                    let recv = Some(recvs[rank].buffer.clone());
                    Vector {
                        send: Some(send),
                        recv,
                        count,
                    }
                }
            };
            coll::allreduce(port, &rules, team, way.reduction(), vector)
        });
    };
    let expected = way.reference(&vectors);
    run(false);
    for rank in 0..size as usize {
        recvs[rank].expect(&expected, &what);
        sends[rank].expect(&vectors[rank], &what);
    }
    run(true);
    for send in &sends {
        send.expect(&expected, &format!("{what} in place"));
    }
}

#[test]
fn reductions_by_the_rules_combine_long_vectors() {
    for size in [2, 3, 4, 6, 9] {
        for count in [5_000, 100_000] {
            let (vectors, sends) = contributions(Sums::Sum, size, count);
            let recvs = empty(Sums::Sum, size, count);
            let expected = Sums::Sum.reference(&vectors);
            let vector = |rank: u32| {
                let (send, recv) = (&sends[rank as usize], &recvs[rank as usize]);
                let (send, recv) = (Some(send.buffer.clone()), Some(recv.buffer.clone()));
                Vector { send, recv, count }
            };
            let rules = Rules::default();
            intra(size, 4, |port, team| {
                let sum = Sums::Sum.reduction();
                coll::allreduce(port, &rules, team, sum, vector(team.rank))
            });
            for recv in &recvs {
                recv.expect(&expected, "allreduce of a long vector");
            }
            recvs[0]
                .buffer
                .unpack(0, Payload::from(&vec![0; expected.len()][..]));
            intra(size, 4, |port, team| {
                let sum = Sums::Sum.reduction();
                let recv = (team.rank == 0).then(|| recvs[0].buffer.clone());
                let vector = Vector {
                    recv,
                    ..vector(team.rank)
                };
                coll::reduce(port, &rules, team, 0, sum, vector)
            });
            recvs[0].expect(&expected, "reduce of a long vector");
        }
    }
}

/// Floating-point sums depend on the order, and must still be the same everywhere.
#[test]
fn all_ranks_get_the_same_bits() {
    let double = datatype::predefined(0x214)
        .expect("a predefined type")
        .clone();
    assert_eq!(double.name(), "MPI_DOUBLE");
    let count = 33;
    for size in SIZES {
        for &algorithm in Allreduce::ALL {
            let rules = Rules {
                allreduce_algorithm: Some(algorithm),
                ..Rules::default()
            };
            let vector = |rank: usize| -> Vec<u8> {
                let value =
                    |at: usize| ((rank * 31 + at) as f64 * 0.1).sin() * 1e3_f64.powi(at as i32 % 5);
                (0..count).flat_map(|at| value(at).to_ne_bytes()).collect()
            };
            let areas: Vec<_> = (0..size as usize)
                .map(|rank| Area::holding(&double, &vector(rank)))
                .collect();
            intra(size, 2, |port, team| {
                let reduction = coll::Reduction {
                    operator: coll::Operator::Predefined(datatype::Op::Sum),
                    datatype: double.clone(),
                    vectors: datatype::Vectors::best(),
                };
                let recv = Some(areas[team.rank as usize].buffer.clone());
                let vector = Vector {
                    send: None,
                    recv,
                    count,
                };
                coll::allreduce(port, &rules, team, reduction, vector)
            });
            for area in &areas {
                area.expect(&areas[0].packed(), &format!("{algorithm:?} of {size}"));
            }
        }
    }
}

#[test]
fn reduce_scatter_deals_the_result_out() {
    for size in SIZES {
        for &algorithm in ReduceScatter::ALL {
            for way in Sums::ALL {
                for block in [0, 1, 7] {
                    check_dealt(size, algorithm, way, &vec![block; size as usize], true);
                }
                for seed in 0..3 {
                    let count = |rank: usize| (rank * 7 + seed * 5) % 4;
                    let counts: Vec<_> = (0..size as usize).map(count).collect();
                    check_dealt(size, algorithm, way, &counts, false);
                }
            }
        }
    }
}

fn check_dealt(size: u32, algorithm: ReduceScatter, way: Sums, counts: &[usize], even: bool) {
    let rules = Rules {
        reduce_scatter_algorithm: Some(algorithm),
        reduce_scatter_block_algorithm: Some(algorithm),
        ..Rules::default()
    };
    let total = counts.iter().sum();
    let (vectors, sends) = contributions(way, size, total);
    let datatype = way.reduction().datatype;
    let recvs: Vec<_> = counts
        .iter()
        .map(|count| Area::new(&datatype, *count))
        .collect();
    let dealt_counts = match even {
        true => Counts::Even(counts[0]),
        false => Counts::Listed(Arc::from(counts)),
    };
    let run = |in_place: bool| {
        intra(size, total as u64, |port, team| {
            let rank = team.rank as usize;
            let (send, recv) = (sends[rank].buffer.clone(), recvs[rank].buffer.clone());
            let (send, recv) = if in_place {
                (None, send)
            } else {
                (Some(send), recv)
            };
            let dealt = ReduceScatterArgs {
                send,
                recv,
                counts: dealt_counts.clone(),
            };
            coll::reduce_scatter(port, &rules, team, way.reduction(), dealt)
        });
    };
    let result = way.reference(&vectors);
    let what = format!("{algorithm:?} {way:?} of {size} x{counts:?}");
    run(false);
    let mut at = 0;
    for rank in 0..size as usize {
        let bytes = counts[rank] * way.size();
        recvs[rank].expect(&result[at..at + bytes], &what);
        sends[rank].expect(&vectors[rank], &what);
        at += bytes;
    }
    run(true);
    let mut at = 0;
    for rank in 0..size as usize {
        let bytes = counts[rank] * way.size();
        assert_eq!(
            sends[rank].packed()[..bytes],
            result[at..at + bytes],
            "{what} in place"
        );
        at += bytes;
    }
}

#[test]
fn scan_and_exscan_combine_the_ranks_below() {
    for size in SIZES.chain([31, 32, 33, 63]) {
        for count in COUNTS {
            for way in Sums::ALL {
                for in_place in [false, true] {
                    for &algorithm in Scan::ALL {
                        check_scan(size, way, count, in_place, true, algorithm);
                        check_scan(size, way, count, in_place, false, algorithm);
                    }
                }
            }
        }
    }
}

fn check_scan(
    size: u32,
    way: Sums,
    count: usize,
    in_place: bool,
    inclusive: bool,
    algorithm: Scan,
) {
    let rules = Rules {
        scan_algorithm: Some(algorithm),
        exscan_algorithm: Some(algorithm),
        ..Rules::default()
    };
    let (vectors, sends) = contributions(way, size, count);
    let recvs = empty(way, size, count);
    intra(size, count as u64, |port, team| {
        let rank = team.rank as usize;
        let (send, recv) = (sends[rank].buffer.clone(), recvs[rank].buffer.clone());
        let vector = match in_place {
            true => Vector {
                send: None,
                recv: Some(send),
                count,
            },
            false => Vector {
                send: Some(send),
                recv: Some(recv),
                count,
            },
        };
        match inclusive {
            true => coll::scan(port, &rules, team, way.reduction(), vector),
            false => coll::exscan(port, &rules, team, way.reduction(), vector),
        }
    });
    let results = if in_place { &sends } else { &recvs };
    let what = format!("scan {way:?} of {size} x{count} {in_place} {inclusive}");
    for rank in 0..size as usize {
        let end = if inclusive { rank + 1 } else { rank };
        if end > 0 {
            results[rank].expect(&way.reference(&vectors[..end]), &what);
        }
        if !in_place {
            sends[rank].expect(&vectors[rank], &what);
        }
    }
    if !inclusive && in_place {
        sends[0].expect(&vectors[0], "exscan leaves rank 0 alone");
    }
}
