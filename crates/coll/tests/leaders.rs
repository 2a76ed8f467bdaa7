//! Calls by leaders whose inner steps a driver carries: together with the steps between nodes they
//! do what the whole call by messages does, to the bit.

mod common;

use std::sync::Arc;

use coll::{
    between, Blocks, Error, Nodes, Operator, Port, Reduction, Rules, Running, Team, Vector,
};
use common::{blocks_of_all, data, element, intra, Area, ELEMENT};
use datatype::{Buffer, Datatype, Op};
use memory::{Payload, UserBuf};

fn maps() -> Vec<Vec<u32>> {
    vec![
        vec![0, 0, 0, 1, 1, 1],
        vec![0, 0, 0, 0, 1, 1, 1, 2],
        vec![0, 1, 0, 1, 0, 1, 2, 2, 2],
        (0..15).map(|rank| rank / 5).collect(),
    ]
}

fn rules(map: &[u32], rank: u32) -> Rules {
    Rules {
        nodes: Nodes::new(rank, map).map(Arc::new),
        ..Rules::default()
    }
}

fn nodes(rules: &Rules) -> Arc<Nodes> {
    Arc::clone(rules.nodes.as_ref().expect("there are several nodes"))
}

/// Sums of doubles, whose bits show in which order they were added.
fn sums() -> Reduction {
    let double = datatype::predefined(0x214).expect("MPI_DOUBLE").clone();
    Reduction {
        operator: Operator::Predefined(Op::Sum),
        datatype: double,
        vectors: datatype::Vectors::best(),
    }
}

/// The numbers of a rank, whose sum depends on the order.
fn contribution(datatype: &Arc<Datatype>, rank: u32, count: usize) -> Area {
    let number = |at: usize| [0.1, 1e3 / 7.0, -3e8 / 11.0][(rank as usize + at) % 3] * at as f64;
    let bytes: Vec<u8> = (1..=count)
        .flat_map(|at| number(at).to_ne_bytes())
        .collect();
    Area::holding(datatype, &bytes)
}

/// How a reduction is made.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Way {
    ByTree,
    InOrder,
    InSteps,
}

/// The steps of an allreduce, those inside nodes as shared memory would carry them.
async fn allreduce_in_steps(
    port: &Port,
    nodes: &Arc<Nodes>,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    let ((inside, team), flat) = (nodes.inside(port), Rules::default());
    let own = between::to_allreduce(nodes, vector);
    coll::reduce_in_order(&inside, &flat, team, 0, reduction.clone(), own).await?;
    if nodes.inside_position() == 0 {
        between::allreduce(port, nodes, reduction, vector).await?;
    }
    let result = vector.recv.clone().expect("a result");
    coll::bcast(&inside, &flat, team, 0, result).await
}

async fn reduce_in_steps(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    reduction: &Reduction,
    vector: &Vector,
) -> Result<(), Error> {
    let ((inside, team), flat) = (nodes.inside(port), Rules::default());
    let steps = between::to_reduce(port, nodes, root, reduction, vector);
    let leader = nodes.leader_for(root);
    coll::reduce_in_order(
        &inside,
        &flat,
        team,
        leader,
        reduction.clone(),
        steps.inside,
    )
    .await?;
    match steps.between {
        Some(sum) => between::reduce(port, nodes, root, reduction, sum).await,
        None => Ok(()),
    }
}

fn allreduce(map: &[u32], way: Way, count: usize) -> Vec<Vec<u8>> {
    let reduction = sums();
    let size = map.len() as u32;
    let sends: Vec<_> = (0..size)
        .map(|rank| contribution(&reduction.datatype, rank, count))
        .collect();
    let recvs: Vec<_> = sends
        .iter()
        .map(|_| Area::new(&reduction.datatype, count))
        .collect();
    intra(size, 7, |port, team| {
        let (rules, rank) = (rules(map, team.rank), team.rank as usize);
        let vector = Vector {
            send: Some(sends[rank].buffer.clone()),
            recv: Some(recvs[rank].buffer.clone()),
            count,
        };
        let reduction = reduction.clone();
        match way {
            Way::ByTree => coll::allreduce(port, &rules, team, reduction, vector),
            Way::InOrder => coll::allreduce_in_order(port, &rules, team, 8, reduction, vector),
            Way::InSteps => {
                assert!(rules.leads_allreduce(size, (count, vector.bytes()), true));
                let (port, nodes) = (port.clone(), nodes(&rules));
                Box::pin(
                    async move { allreduce_in_steps(&port, &nodes, &reduction, &vector).await },
                ) as Running
            }
        }
    });
    recvs.iter().map(Area::packed).collect()
}

fn reduce(map: &[u32], way: Way, root: u32, count: usize) -> Vec<u8> {
    let reduction = sums();
    let size = map.len() as u32;
    let sends: Vec<_> = (0..size)
        .map(|rank| contribution(&reduction.datatype, rank, count))
        .collect();
    let recv = Area::new(&reduction.datatype, count);
    intra(size, 8, |port, team| {
        let rules = rules(map, team.rank);
        let vector = Vector {
            send: Some(sends[team.rank as usize].buffer.clone()),
            recv: (team.rank == root).then(|| recv.buffer.clone()),
            count,
        };
        let reduction = reduction.clone();
        match way {
            Way::ByTree => coll::reduce(port, &rules, team, root, reduction, vector),
            Way::InOrder => coll::reduce_in_order(port, &rules, team, root, reduction, vector),
            Way::InSteps => {
                assert!(rules.leads_reduce(size, vector.bytes(), true));
                let (port, nodes) = (port.clone(), nodes(&rules));
                Box::pin(
                    async move { reduce_in_steps(&port, &nodes, root, &reduction, &vector).await },
                ) as Running
            }
        }
    });
    recv.packed()
}

#[test]
fn an_allreduce_has_the_same_bits_by_messages_and_in_steps() {
    let mut trees_differ = false;
    for map in maps() {
        for count in [1, 6, 100] {
            let in_order = allreduce(&map, Way::InOrder, count);
            let what = format!("{map:?} x{count}");
            assert!(in_order.iter().all(|one| *one == in_order[0]), "{what}");
            assert_eq!(allreduce(&map, Way::InSteps, count), in_order, "{what}");
            trees_differ |= allreduce(&map, Way::ByTree, count) != in_order;
        }
    }
    assert!(trees_differ, "these numbers do not show the order");
}

#[test]
fn a_reduction_has_the_same_bits_by_messages_and_in_steps() {
    let mut trees_differ = false;
    for map in maps() {
        for root in 0..map.len() as u32 {
            let in_order = reduce(&map, Way::InOrder, root, 6);
            let what = format!("{map:?} root {root}");
            assert_eq!(reduce(&map, Way::InSteps, root, 6), in_order, "{what}");
            trees_differ |= reduce(&map, Way::ByTree, root, 6) != in_order;
        }
    }
    assert!(trees_differ, "these numbers do not show the order");
}

#[test]
fn a_broadcast_and_a_barrier_end_in_steps() {
    for map in maps() {
        let size = map.len() as u32;
        for root in 0..size {
            let sent = data(3, 100);
            let byte = datatype::predefined(0x247).expect("MPI_BYTE");
            let area = |rank: u32| match rank == root {
                true => Area::holding(byte, &sent),
                false => Area::new(byte, sent.len()),
            };
            let areas: Vec<_> = (0..size).map(area).collect();
            intra(size, u64::from(root), |port, team| {
                let buffer = areas[team.rank as usize].buffer.clone();
                let rules = rules(&map, team.rank);
                assert!(rules.leads_bcast(size, buffer.len()) && rules.leads_barrier(size));
                let (port, nodes) = (port.clone(), nodes(&rules));
                Box::pin(async move { bcast_and_meet(&port, &nodes, root, &buffer).await })
                    as Running
            });
            for (rank, area) in areas.iter().enumerate() {
                area.expect(&sent, &format!("{map:?} rank {rank} root {root}"));
            }
        }
    }
}

async fn bcast_and_meet(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    buffer: &Buffer,
) -> Result<(), Error> {
    let ((inside, team), flat) = (nodes.inside(port), Rules::default());
    let leader = nodes.leader_for(root);
    if leader == nodes.inside_position() {
        between::bcast(port, nodes, root, buffer).await?;
    }
    coll::bcast(&inside, &flat, team, leader, buffer.clone()).await?;
    meet(&inside, team).await?;
    if nodes.inside_position() == 0 {
        between::barrier(port, nodes).await?;
    }
    meet(&inside, team).await
}

async fn meet(inside: &Port, team: Team) -> Result<(), Error> {
    let empty = Buffer::bytes(UserBuf::EMPTY);
    coll::barrier_by(inside, &Rules::default(), team).await?;
    coll::bcast(inside, &Rules::default(), team, 0, empty).await
}

#[test]
fn long_vectors_do_not_go_by_leaders() {
    let rules = rules(&[0, 0, 1, 1], 0);
    assert!(!rules.leads_allreduce(4, (100_000, 800_000), true));
    assert!(!rules.leads_allreduce(4, (100_000, 800_000), false));
    assert!(!rules.leads_reduce(4, 800_000, true));
    assert!(!rules.leads_bcast(4, 800_000));
    assert!(rules.leads_allreduce(4, (8, 64), true));
    // The ranks of another communicator.
    assert!(!rules.leads_barrier(3));
}

async fn gather_in_steps(
    port: &Port,
    nodes: &Arc<Nodes>,
    (root, len): (u32, usize),
    send: Option<Buffer>,
    recv: Option<Blocks>,
) -> Result<(), Error> {
    let ((inside, team), flat) = (nodes.inside(port), Rules::default());
    let (leader, shape) = (nodes.leader_for(root), (root, len));
    let blocks = between::to_gather(port, nodes, shape, send.as_ref(), recv.as_ref())?;
    let held = nodes.leads_for(root).then(|| blocks.of_node());
    coll::gather(&inside, &flat, team, leader, blocks.own().cloned(), held).await?;
    between::gather(port, nodes, root, &blocks).await?;
    recv.map_or(Ok(()), |recv| blocks.copy_to(&recv))
}

async fn scatter_in_steps(
    port: &Port,
    nodes: &Arc<Nodes>,
    (root, len): (u32, usize),
    send: Option<Blocks>,
    recv: Option<Buffer>,
) -> Result<(), Error> {
    let ((inside, team), flat) = (nodes.inside(port), Rules::default());
    let blocks = between::to_scatter(port, nodes, (root, len), send.as_ref())?;
    between::scatter(port, nodes, root, &blocks).await?;
    let held = nodes.leads_for(root).then(|| blocks.of_node());
    coll::scatter(&inside, &flat, team, nodes.leader_for(root), held, recv).await
}

async fn allgather_in_steps(
    port: &Port,
    nodes: &Arc<Nodes>,
    send: Option<Buffer>,
    recv: &Blocks,
) -> Result<(), Error> {
    let ((inside, team), flat) = (nodes.inside(port), Rules::default());
    let blocks = between::to_allgather(port, nodes, send.as_ref(), recv)?;
    let held = (team.rank == 0).then(|| blocks.of_node());
    coll::gather(&inside, &flat, team, 0, blocks.own().cloned(), held).await?;
    between::allgather(port, nodes, &blocks).await?;
    coll::bcast(&inside, &flat, team, 0, blocks.all().clone()).await?;
    blocks.copy_to(recv)
}

#[test]
fn a_gather_and_a_scatter_move_every_block_in_steps() {
    for (map, count) in maps()
        .into_iter()
        .flat_map(|map| [(map.clone(), 1), (map, 60)])
    {
        let size = map.len() as u32;
        for (root, in_place) in (0..size).flat_map(|root| [(root, false), (root, true)]) {
            let what = format!("{map:?} root {root} x{count} {in_place}");
            let (sends, all) = blocks_of_all(size, count);
            let whole = Area::new(&element(root + 1), count * size as usize);
            let blocks = Blocks::even(whole.buffer.clone(), size);
            let own = blocks.block(root);
            own.unpack(0, Payload::from(&sends[root as usize].packed()[..]));
            let shape = (root, count * ELEMENT);
            intra(size, u64::from(root), |port, team| {
                let rules = rules(&map, team.rank);
                assert!(rules.leads_gather(size, shape.1) && rules.leads_scatter(size, shape.1));
                let at_root = team.rank == root;
                let send = sends[team.rank as usize].buffer.clone();
                let send = (!(at_root && in_place)).then_some(send);
                let recv = at_root.then(|| blocks.clone());
                let (port, nodes) = (port.clone(), nodes(&rules));
                Box::pin(async move { gather_in_steps(&port, &nodes, shape, send, recv).await })
                    as Running
            });
            whole.expect(&all, &what);
            let recvs: Vec<_> = (0..size)
                .map(|rank| Area::new(&element(rank), count))
                .collect();
            intra(size, u64::from(root), |port, team| {
                let at_root = team.rank == root;
                let recv = recvs[team.rank as usize].buffer.clone();
                let recv = (!(at_root && in_place)).then_some(recv);
                let send = at_root.then(|| blocks.clone());
                let (port, nodes) = (port.clone(), nodes(&rules(&map, team.rank)));
                Box::pin(async move { scatter_in_steps(&port, &nodes, shape, send, recv).await })
                    as Running
            });
            for rank in (0..size).filter(|rank| !in_place || *rank != root) {
                recvs[rank as usize].expect(&sends[rank as usize].packed(), &what);
            }
        }
    }
}

#[test]
fn an_allgather_brings_every_block_in_steps() {
    for (map, in_place) in maps()
        .into_iter()
        .flat_map(|map| [(map.clone(), false), (map, true)])
    {
        let (size, count) = (map.len() as u32, 9);
        let (sends, all) = blocks_of_all(size, count);
        let wholes: Vec<_> = (0..size)
            .map(|rank| Area::new(&element(rank + 1), count * size as usize))
            .collect();
        intra(size, 5, |port, team| {
            let rank = team.rank as usize;
            let recv = Blocks::even(wholes[rank].buffer.clone(), size);
            let own = recv.block(team.rank);
            own.unpack(0, Payload::from(&sends[rank].packed()[..]));
            let send = (!in_place).then(|| sends[rank].buffer.clone());
            let rules = rules(&map, team.rank);
            assert!(rules.leads_allgather(size, recv.len()));
            let (port, nodes) = (port.clone(), nodes(&rules));
            Box::pin(async move { allgather_in_steps(&port, &nodes, send, &recv).await }) as Running
        });
        for (rank, whole) in wholes.iter().enumerate() {
            whole.expect(&all, &format!("{map:?} rank {rank} {in_place}"));
        }
    }
}

async fn alltoall_in_steps(
    port: &Port,
    nodes: &Arc<Nodes>,
    send: &Buffer,
    recv: &Buffer,
) -> Result<(), Error> {
    let ((inside, team), flat) = (nodes.inside(port), Rules::default());
    let held = between::to_alltoall(port, nodes, recv.len() / nodes.ranks() as usize);
    let sent = held.as_ref().map(|held| held.sent().clone());
    let received = held.as_ref().map(|held| held.received().clone());
    coll::gather(&inside, &flat, team, 0, Some(send.clone()), sent).await?;
    if let Some(held) = held {
        between::alltoall(port, nodes, held).await?;
    }
    coll::scatter(&inside, &flat, team, 0, received, Some(recv.clone())).await
}

#[test]
fn an_alltoall_moves_every_block_in_steps() {
    for map in maps() {
        let (size, count) = (map.len(), 5);
        let block = |from: usize, to: usize| data(from * 100 + to, count * ELEMENT);
        let row = |from: usize| {
            (0..size)
                .flat_map(|to| block(from, to))
                .collect::<Vec<u8>>()
        };
        let sends: Vec<_> = (0..size)
            .map(|from| Area::holding(&element(from as u32), &row(from)))
            .collect();
        let recvs: Vec<_> = (0..size)
            .map(|to| Area::new(&element(to as u32 + 1), count * size))
            .collect();
        intra(size as u32, 6, |port, team| {
            let rank = team.rank as usize;
            let rules = rules(&map, team.rank);
            assert!(rules.leads_alltoall(size as u32, count * ELEMENT));
            let (send, recv) = (sends[rank].buffer.clone(), recvs[rank].buffer.clone());
            let (port, nodes) = (port.clone(), nodes(&rules));
            Box::pin(async move { alltoall_in_steps(&port, &nodes, &send, &recv).await }) as Running
        });
        for (to, recv) in recvs.iter().enumerate() {
            let all: Vec<u8> = (0..size).flat_map(|from| block(from, to)).collect();
            recv.expect(&all, &format!("{map:?} rank {to}"));
        }
    }
}
