//! Tests of collectives over several nodes: their data on every map of ranks to nodes, and the
//! messages and bytes that cross between nodes, counted.

mod common;

use std::fmt::Write;
use std::sync::Arc;

use coll::rules::{
    Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce, ReduceScatter, Scan,
};
use coll::{Blocks, Counts, Nodes, Port, ReduceScatterArgs, Rules, Running, Team, Vector};
use common::{blocks_of_all, data, element, intra, Actor, Area, Network, Random, Sums, ELEMENT};
use datatype::Buffer;
use memory::Payload;

/// Maps of ranks to nodes: blocks, in turn, uneven, mixed.
fn maps() -> Vec<Vec<u32>> {
    let mut maps = vec![
        vec![0, 0, 1, 1],
        vec![0, 1, 0, 1],
        vec![0, 0, 1, 1, 2, 2],
        vec![0, 1, 2, 0, 1, 2],
        vec![0, 1, 1, 1],
        vec![3, 3, 3, 9, 9, 5],
        vec![0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
        (0..20).map(|rank| rank / 4).collect(),
        (0..18).map(|rank| rank / 2).collect(),
    ];
    let mut random = Random::new(9);
    for _ in 0..12 {
        let (size, nodes) = (2 + random.below(14), 2 + random.below(5));
        maps.push((0..size).map(|_| random.below(nodes) as u32).collect());
    }
    maps
}

/// Rules for a rank that go by nodes where there is a hierarchy.
fn rules(map: &[u32], rank: u32) -> Rules {
    Rules {
        nodes: Nodes::new(rank, map).map(Arc::new),
        barrier_algorithm: Some(Barrier::Hierarchical),
        bcast_algorithm: Some(Bcast::Hierarchical),
        bcast_segment_bytes: 1000,
        reduce_algorithm: Some(Reduce::Hierarchical),
        allreduce_algorithm: Some(Allreduce::Hierarchical),
        gather_algorithm: Some(Gather::Hierarchical),
        scatter_algorithm: Some(Gather::Hierarchical),
        allgather_algorithm: Some(Allgather::Hierarchical),
        alltoall_algorithm: Some(Alltoall::Hierarchical),
        reduce_scatter_algorithm: Some(ReduceScatter::Hierarchical),
        reduce_scatter_block_algorithm: Some(ReduceScatter::Hierarchical),
        scan_algorithm: Some(Scan::Hierarchical),
        exscan_algorithm: Some(Scan::Hierarchical),
        ..Rules::default()
    }
}

/// Runs a collective on every map, from several roots, with counts of elements.
fn on_maps(counts: &[usize], mut check: impl FnMut(&[u32], u32, usize)) {
    for map in maps() {
        for count in counts {
            for root in 0..map.len() as u32 {
                check(&map, root, *count);
            }
        }
    }
}

fn size_of(map: &[u32]) -> u32 {
    map.len() as u32
}

#[test]
fn barrier_waits_for_everybody() {
    for map in maps() {
        intra(size_of(&map), 3, |port, team| {
            coll::barrier_by(port, &rules(&map, team.rank), team)
        });
    }
}

#[test]
fn bcast_reaches_every_rank_from_every_root() {
    on_maps(&[0, 1, 5, 20_000, 90_000], |map, root, count| {
        if count > 5 && root > 2 {
            return;
        }
        let sent = data(count, count * ELEMENT);
        let area = |rank: u32| match rank == root {
            true => Area::holding(&element(rank), &sent),
            false => Area::new(&element(rank), count),
        };
        let areas: Vec<_> = (0..size_of(map)).map(area).collect();
        intra(size_of(map), u64::from(root), |port, team| {
            let buffer = areas[team.rank as usize].buffer.clone();
            coll::bcast(port, &rules(map, team.rank), team, root, buffer)
        });
        for (rank, area) in areas.iter().enumerate() {
            area.expect(&sent, &format!("{map:?} rank {rank} root {root} x{count}"));
        }
    });
}

/// The contributions of all ranks, and the areas that hold them.
fn contributions(way: Sums, size: u32, count: usize) -> (Vec<Vec<u8>>, Vec<Area>) {
    let vector = |rank| data(rank as usize + count, count * way.size());
    let vectors: Vec<_> = (0..size).map(vector).collect();
    let datatype = way.reduction().datatype;
    let areas = vectors.iter();
    let areas = areas.map(|vector| Area::holding(&datatype, vector));
    let areas = areas.collect();
    (vectors, areas)
}

fn summed(way: Sums, vectors: &[Vec<u8>], count: usize) -> Vec<u8> {
    match count {
        0 => Vec::new(),
        _ => way.reference(vectors),
    }
}

#[test]
fn reduce_combines_at_every_root() {
    on_maps(&[0, 1, 5, 4000], |map, root, count| {
        for way in Sums::ALL {
            for in_place in [false, true] {
                let (vectors, sends) = contributions(way, size_of(map), count);
                let recv = Area::new(&way.reduction().datatype, count);
                let result = if in_place {
                    &sends[root as usize]
                } else {
                    &recv
                };
                intra(size_of(map), u64::from(root), |port, team| {
                    let at_root = team.rank == root;
                    let send = sends[team.rank as usize].buffer.clone();
                    let vector = Vector {
                        send: (!(at_root && in_place)).then_some(send),
                        recv: at_root.then(|| result.buffer.clone()),
                        count,
                    };
                    let rules = rules(map, team.rank);
                    coll::reduce(port, &rules, team, root, way.reduction(), vector)
                });
                let what = format!("{map:?} {way:?} root {root} x{count} {in_place}");
                result.expect(&summed(way, &vectors, count), &what);
                for (rank, send) in sends.iter().enumerate() {
                    if !(in_place && rank == root as usize) {
                        send.expect(&vectors[rank], &what);
                    }
                }
            }
        }
    });
}

#[test]
fn allreduce_combines_everywhere() {
    for map in maps() {
        for count in [0, 1, 3, 50, 3000, 9000] {
            for way in Sums::ALL {
                for in_place in [false, true] {
                    let (vectors, sends) = contributions(way, size_of(&map), count);
                    let datatype = way.reduction().datatype;
                    let recvs: Vec<_> = match in_place {
                        true => Vec::new(),
                        false => sends.iter().map(|_| Area::new(&datatype, count)).collect(),
                    };
                    let results = if in_place { &sends } else { &recvs };
                    intra(size_of(&map), count as u64, |port, team| {
                        let rank = team.rank as usize;
                        let vector = Vector {
                            send: (!in_place).then(|| sends[rank].buffer.clone()),
                            recv: Some(results[rank].buffer.clone()),
                            count,
                        };
                        let rules = rules(&map, team.rank);
                        coll::allreduce(port, &rules, team, way.reduction(), vector)
                    });
                    let expected = summed(way, &vectors, count);
                    for result in results {
                        result.expect(&expected, &format!("{map:?} {way:?} x{count} {in_place}"));
                    }
                }
            }
        }
    }
}

#[test]
fn scans_combine_the_ranks_up_to_each() {
    for map in maps() {
        let size = size_of(&map);
        let cases = [0, 1, 5, 4000, 20_000].into_iter().flat_map(|count| {
            let flags = [(false, false), (false, true), (true, false), (true, true)];
            flags.map(|flags| (count, flags))
        });
        for (count, (exclusive, in_place)) in cases {
            for way in Sums::ALL {
                let (vectors, sends) = contributions(way, size, count);
                let datatype = way.reduction().datatype;
                let recvs: Vec<_> = (0..size).map(|_| Area::new(&datatype, count)).collect();
                let results = if in_place { &sends } else { &recvs };
                intra(size, count as u64, |port, team| {
                    let rank = team.rank as usize;
                    // The receive buffer of the first rank of an exscan is not significant.
                    let gets = !(exclusive && rank == 0 && !in_place);
                    let vector = Vector {
                        send: (!in_place).then(|| sends[rank].buffer.clone()),
                        recv: gets.then(|| results[rank].buffer.clone()),
                        count,
                    };
                    let rules = rules(&map, team.rank);
                    match exclusive {
                        false => coll::scan(port, &rules, team, way.reduction(), vector),
                        true => coll::exscan(port, &rules, team, way.reduction(), vector),
                    }
                });
                for (rank, result) in results.iter().enumerate() {
                    let what = format!("{map:?} {way:?} rank {rank} x{count} {exclusive}");
                    match (exclusive, rank) {
                        (true, 0) => {}
                        (true, _) => result.expect(&summed(way, &vectors[..rank], count), &what),
                        (false, _) => result.expect(&summed(way, &vectors[..=rank], count), &what),
                    }
                }
            }
        }
    }
}

#[test]
fn reduce_scatter_deals_out_what_it_combines() {
    for map in maps() {
        let size = size_of(&map) as usize;
        let cases = [0, 1, 7, 700].into_iter().flat_map(|count| {
            let flags = [(false, false), (false, true), (true, false), (true, true)];
            flags.map(|flags| (count, flags))
        });
        for (count, (even, in_place)) in cases {
            let counts: Vec<usize> = (0..size)
                .map(|rank| {
                    if even {
                        count
                    } else {
                        count * (rank % 3) + rank % 2
                    }
                })
                .collect();
            let total = counts.iter().sum();
            for way in Sums::ALL {
                let (vectors, sends) = contributions(way, size as u32, total);
                let datatype = way.reduction().datatype;
                let recvs: Vec<_> = counts.iter().map(|n| Area::new(&datatype, *n)).collect();
                intra(size as u32, count as u64, |port, team| {
                    let rank = team.rank as usize;
                    let send = sends[rank].buffer.clone();
                    let dealt = ReduceScatterArgs {
                        send: (!in_place).then(|| send.clone()),
                        recv: if in_place {
                            send
                        } else {
                            recvs[rank].buffer.clone()
                        },
                        counts: match even {
                            true => Counts::Even(count),
                            false => Counts::Listed(counts.clone().into()),
                        },
                    };
                    let rules = rules(&map, team.rank);
                    coll::reduce_scatter(port, &rules, team, way.reduction(), dealt)
                });
                let all = summed(way, &vectors, total);
                let mut at = 0;
                for rank in 0..size {
                    let end = at + counts[rank] * way.size();
                    let what = format!("{map:?} {way:?} rank {rank} x{count} {even} {in_place}");
                    match in_place {
                        true => assert!(sends[rank].packed().starts_with(&all[at..end]), "{what}"),
                        false => recvs[rank].expect(&all[at..end], &what),
                    }
                    at = end;
                }
            }
        }
    }
}

#[test]
fn gather_collects_at_every_root_and_scatter_deals_out() {
    on_maps(&[0, 1, 7, 300], |map, root, count| {
        let size = size_of(map);
        for in_place in [false, true] {
            let what = format!("{map:?} root {root} x{count} {in_place}");
            let (sends, all) = blocks_of_all(size, count);
            let whole = Area::new(&element(root + 1), count * size as usize);
            let own = root as usize * count * ELEMENT..(root as usize + 1) * count * ELEMENT;
            if in_place {
                let mut before = vec![0; all.len()];
                before[own.clone()].copy_from_slice(&all[own.clone()]);
                whole.buffer.unpack(0, Payload::from(&before[..]));
            }
            intra(size, u64::from(root), |port, team| {
                let at_root = team.rank == root;
                let send = sends[team.rank as usize].buffer.clone();
                let send = (!(at_root && in_place)).then_some(send);
                let recv = at_root.then(|| whole.buffer.clone());
                coll::gather(port, &rules(map, team.rank), team, root, send, recv)
            });
            whole.expect(&all, &what);
            let recvs: Vec<_> = (0..size)
                .map(|rank| Area::new(&element(rank), count))
                .collect();
            intra(size, u64::from(root), |port, team| {
                let at_root = team.rank == root;
                let recv = recvs[team.rank as usize].buffer.clone();
                let recv = (!(at_root && in_place)).then_some(recv);
                let send = at_root.then(|| whole.buffer.clone());
                coll::scatter(port, &rules(map, team.rank), team, root, send, recv)
            });
            for rank in (0..size as usize).filter(|rank| !in_place || *rank != root as usize) {
                let own = rank * count * ELEMENT..(rank + 1) * count * ELEMENT;
                recvs[rank].expect(&all[own], &what);
            }
        }
    });
}

#[test]
fn allgather_collects_everywhere() {
    for map in maps() {
        let size = size_of(&map);
        for (count, even) in [0, 1, 7, 3000]
            .into_iter()
            .flat_map(|c| [(c, true), (c, false)])
        {
            for in_place in [false, true] {
                let counts: Vec<usize> = (0..size as usize)
                    .map(|rank| if even { count } else { count + rank % 3 })
                    .collect();
                let block = |rank: usize| data(rank + count, counts[rank] * ELEMENT);
                let blocks: Vec<_> = (0..size as usize).map(block).collect();
                let all = blocks.concat();
                let sends: Vec<_> = (0..size)
                    .map(|rank| Area::holding(&element(rank), &blocks[rank as usize]))
                    .collect();
                let wholes: Vec<_> = (0..size)
                    .map(|rank| Area::new(&element(rank + 1), counts.iter().sum()))
                    .collect();
                intra(size, count as u64, |port, team| {
                    let rank = team.rank as usize;
                    let whole = &wholes[rank].buffer;
                    let recv = match even {
                        true => Blocks::even(whole.clone(), size),
                        false => {
                            let mut at = 0;
                            let mut next = |count: &usize| {
                                at += count;
                                let (from, len) = ((at - count) * ELEMENT, count * ELEMENT);
                                match whole.contiguous() {
                                    Some(memory) => Buffer::bytes(memory.part(from, len)),
                                    None => whole.elements(at - count, *count),
                                }
                            };
                            Blocks::from(counts.iter().map(&mut next).collect::<Vec<_>>())
                        }
                    };
                    if in_place {
                        let own = recv.block(team.rank);
                        own.unpack(0, Payload::from(&blocks[rank][..]));
                    }
                    let send = (!in_place).then(|| sends[rank].buffer.clone());
                    let mut rules = rules(&map, team.rank);
                    rules.allgatherv_algorithm = None;
                    coll::allgather(port, &rules, team, send, recv)
                });
                for whole in &wholes {
                    whole.expect(&all, &format!("{map:?} x{count} {even} {in_place}"));
                }
            }
        }
    }
}

#[test]
fn alltoall_exchanges_every_block() {
    for map in maps() {
        let size = size_of(&map);
        for count in [0, 1, 7] {
            let row = |rank: u32| data(rank as usize + count, size as usize * count * ELEMENT);
            let rows: Vec<_> = (0..size).map(row).collect();
            let sends: Vec<_> = (0..size)
                .map(|rank| Area::holding(&element(rank), &rows[rank as usize]))
                .collect();
            let recvs: Vec<_> = (0..size)
                .map(|rank| Area::new(&element(rank + 1), size as usize * count))
                .collect();
            intra(size, count as u64, |port, team| {
                let area =
                    |areas: &[Area]| Blocks::even(areas[team.rank as usize].buffer.clone(), size);
                let rules = rules(&map, team.rank);
                coll::alltoall(port, &rules, team, Some(area(&sends)), area(&recvs))
            });
            for (rank, recv) in recvs.iter().enumerate() {
                let at = rank * count * ELEMENT..(rank + 1) * count * ELEMENT;
                let column: Vec<u8> = rows
                    .iter()
                    .flat_map(|row| row[at.clone()].to_vec())
                    .collect();
                recv.expect(&column, &format!("{map:?} rank {rank} x{count}"));
            }
        }
    }
}

/// Memory that is never released: this is a test.
fn room(bytes: usize) -> Buffer {
    let area = Box::leak(Box::new(Area::new(&element(0), bytes / ELEMENT)));
    area.buffer.clone()
}

/// The collectives whose crossings are counted, with a length in bytes: of the vector, or of a
/// block.
fn counted(name: &str, port: &Port, team: Team, rules: &Rules, bytes: usize) -> Running {
    let all = || room(bytes * team.size as usize);
    let at_root = team.rank == 0;
    let vector = |gets: bool| Vector {
        send: Some(room(bytes)),
        recv: gets.then(|| room(bytes)),
        count: bytes / 4,
    };
    let sum = Sums::Sum.reduction();
    match name {
        "barrier" => coll::barrier_by(port, rules, team),
        "bcast" => coll::bcast(port, rules, team, 0, room(bytes)),
        "reduce" => coll::reduce(port, rules, team, 0, sum, vector(at_root)),
        "allreduce" => coll::allreduce(port, rules, team, sum, vector(true)),
        "gather" => coll::gather(port, rules, team, 0, Some(room(bytes)), at_root.then(all)),
        "scatter" => coll::scatter(port, rules, team, 0, at_root.then(all), Some(room(bytes))),
        "allgather" => {
            let recv = Blocks::even(all(), team.size);
            coll::allgather(port, rules, team, Some(room(bytes)), recv)
        }
        "alltoall" => {
            let [send, recv] = [all(), all()].map(|all| Blocks::even(all, team.size));
            coll::alltoall(port, rules, team, Some(send), recv)
        }
        "reduce_scatter" => {
            let dealt = ReduceScatterArgs {
                send: Some(all()),
                recv: room(bytes),
                counts: Counts::Even(bytes / 4),
            };
            coll::reduce_scatter(port, rules, team, sum, dealt)
        }
        "scan" => coll::scan(port, rules, team, sum, vector(true)),
        "exscan" => coll::exscan(port, rules, team, sum, vector(true)),
        _ => unreachable!("{name}"),
    }
}

/// Returns the most messages that a node sends to others, and the bytes of all nodes together.
fn crossing(name: &str, map: &[u32], bytes: usize, nodes: bool) -> (usize, usize) {
    let size = size_of(map);
    let actor = |rank| {
        let rules = Rules {
            nodes: Nodes::new(rank, map).filter(|_| nodes).map(Arc::new),
            ..Rules::default()
        };
        Actor::new(0, rank, |port| {
            counted(name, port, Team { rank, size }, &rules, bytes)
        })
    };
    let mut network = Network::new((0..size).map(actor).collect(), 1);
    network.run();
    let mut messages = vec![0; size as usize];
    let mut crossed = 0;
    for actor in &network.actors {
        let node = map[actor.rank as usize];
        for (to, bytes) in &actor.sent {
            if map[*to as usize] != node {
                messages[node as usize] += 1;
                crossed += bytes;
            }
        }
    }
    (messages.into_iter().max().unwrap_or(0), crossed)
}

/// A line for each collective and length: on each shape the most messages of a node, and the bytes
/// of all, by nodes and flat.
fn table() -> String {
    let shapes: [(&str, Vec<u32>); 5] = [
        ("2 x 2", vec![0, 0, 1, 1]),
        ("3 x 2", vec![0, 0, 1, 1, 2, 2]),
        ("2 + 1", vec![0, 0, 1]),
        ("2 x 2 in turn", vec![0, 1, 0, 1]),
        ("4 x 8", (0..32).map(|rank| rank / 8).collect()),
    ];
    let rows: [(&str, &[usize]); 11] = [
        ("barrier", &[0]),
        ("bcast", &[8, 64 << 10, 1 << 20]),
        ("reduce", &[8, 64 << 10, 1 << 20]),
        ("allreduce", &[8, 64 << 10, 1 << 20]),
        ("gather", &[8, 64 << 10]),
        ("scatter", &[8, 64 << 10]),
        ("allgather", &[8, 64 << 10]),
        ("alltoall", &[8, 64 << 10]),
        ("reduce_scatter", &[8, 64 << 10]),
        ("scan", &[8, 64 << 10]),
        ("exscan", &[8, 64 << 10]),
    ];
    let mut text = String::from("collective\tbytes");
    for (shape, _) in &shapes {
        write!(text, "\t{shape}\tflat").unwrap();
    }
    text.push('\n');
    for (name, lengths) in rows {
        for bytes in lengths {
            write!(text, "{name}\t{bytes}").unwrap();
            for (_, map) in &shapes {
                for nodes in [true, false] {
                    let (messages, crossed) = crossing(name, map, *bytes, nodes);
                    write!(text, "\t{messages}: {crossed}").unwrap();
                }
            }
            text.push('\n');
        }
    }
    text
}

/// `CROSSINGS=write` writes the table anew.
#[test]
fn messages_and_bytes_between_nodes_are_those_of_the_table() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/crossings.tsv");
    let now = table();
    if std::env::var("CROSSINGS").is_ok_and(|value| value == "write") {
        std::fs::write(file, &now).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap_or_default(), now);
}

/// A short barrier, broadcast and sum take at most ceil(log2 nodes) messages of each node.
#[test]
fn short_calls_cross_once_for_each_node_and_round() {
    for nodes in 2..=17_u32 {
        for each in [2, 3, 8] {
            let map: Vec<u32> = (0..nodes * each).map(|rank| rank / each).collect();
            let rounds = nodes.next_power_of_two().ilog2() as usize;
            for name in ["barrier", "bcast", "allreduce"] {
                let (messages, _) = crossing(name, &map, 8, true);
                assert!(messages <= rounds, "{name}: {messages} on {nodes} x {each}");
            }
        }
    }
}
