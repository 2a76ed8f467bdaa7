//! The collectives that may go by nodes: chooses the algorithm of a call, and boxes it.

use std::sync::Arc;

use datatype::Buffer;

use crate::han::{self, Chosen, Inside};
use crate::neighbor::Outgoing;
use crate::rules::{
    Allgather, Allreduce, Alltoall, Barrier, Bcast, Gather, Reduce, ReduceScatter, Rules, Scan,
};
use crate::table::Collective;
use crate::{
    Blocks, Counts, Neighbors, Nodes, Port, ReduceScatterArgs, Reduction, Routes, Running, Team,
    Vector,
};

/// Boxes a hierarchical algorithm, which the rules choose where they have a table of nodes.
macro_rules! by_nodes {
    ($port:ident, $rules:ident, $nodes:ident => $algorithm:expr) => {{
        let ($port, $nodes) = ($port.clone(), $rules.nodes.clone());
        Box::pin(async move {
            let $nodes = $nodes.ok_or(crate::Error::Arguments("there is no table of nodes"))?;
            $algorithm.await
        })
    }};
}

/// MPI_BARRIER on an intra-communicator (MPI 5.0, 6.3), by the algorithm that the rules choose.
pub fn barrier_by(port: &Port, rules: &Rules, team: Team) -> Running {
    match rules.barrier(team.size) {
        Barrier::Hierarchical => by_nodes!(port, rules, nodes => han::barrier(&port, &nodes)),
        algorithm => crate::barrier::flat(port, algorithm, team),
    }
}

/// MPI_BCAST on an intra-communicator (MPI 5.0, 6.4).
pub fn bcast(port: &Port, rules: &Rules, team: Team, root: u32, buffer: Buffer) -> Running {
    match rules.bcast(team.size, buffer.len()) {
        Bcast::Hierarchical => by_nodes!(port, rules, nodes =>
            han::bcast(&port, &nodes, root, &buffer)),
        algorithm => crate::bcast::flat(port, rules, algorithm, team, root, buffer),
    }
}

/// MPI_REDUCE on an intra-communicator (MPI 5.0, 6.9.1).
pub fn reduce(
    port: &Port,
    rules: &Rules,
    team: Team,
    root: u32,
    reduction: Reduction,
    vector: Vector,
) -> Running {
    let (bytes, commutes) = (vector.bytes(), reduction.commutative());
    if rules.reduce(team.size, bytes, commutes) == Reduce::Hierarchical {
        return by_nodes!(port, rules, nodes =>
            han::reduce(&port, &nodes, root, &reduction, &vector, Inside::ByTree));
    }
    let rules = rules.clone();
    running!(
        port,
        crate::reduce::any(&port, &rules, team, root, &reduction, &vector)
    )
}

/// MPI_ALLREDUCE on an intra-communicator (MPI 5.0, 6.9.6). All ranks have a receive buffer.
pub fn allreduce(
    port: &Port,
    rules: &Rules,
    team: Team,
    reduction: Reduction,
    vector: Vector,
) -> Running {
    let bytes = vector.recv.as_ref().map_or(0, Buffer::len);
    match rules.allreduce(team.size, bytes, reduction.commutative()) {
        Allreduce::Hierarchical => by_nodes!(port, rules, nodes =>
            han::allreduce(&port, &nodes, &reduction, &vector, Inside::ByTree)),
        algorithm => crate::allreduce::flat(port, rules, algorithm, team, reduction, vector),
    }
}

/// MPI_REDUCE with the same bits as through shared memory (`coll_sm`): each lower rank is the left
/// operand, among the ranks of a node where it goes by nodes.
pub fn reduce_in_order(
    port: &Port,
    rules: &Rules,
    team: Team,
    root: u32,
    reduction: Reduction,
    vector: Vector,
) -> Running {
    if rules.leads_reduce(team.size, vector.bytes(), reduction.commutative()) {
        return by_nodes!(port, rules, nodes =>
            han::reduce(&port, &nodes, root, &reduction, &vector, Inside::InOrder));
    }
    running!(
        port,
        crate::reduce::in_order(&port, team, root, &reduction, &vector)
    )
}

/// MPI_ALLREDUCE with the same bits as through shared memory (`coll_sm`): of `radix` consecutive
/// ranks each lower one is the left operand, of as many consecutive groups likewise, and so on;
/// where it goes by nodes, among the ranks of each.
pub fn allreduce_in_order(
    port: &Port,
    rules: &Rules,
    team: Team,
    radix: u32,
    reduction: Reduction,
    vector: Vector,
) -> Running {
    let length = (vector.count, vector.bytes());
    if rules.leads_allreduce(team.size, length, reduction.commutative()) {
        return by_nodes!(port, rules, nodes =>
            han::allreduce(&port, &nodes, &reduction, &vector, Inside::InOrder));
    }
    let rules = rules.clone();
    running!(
        port,
        crate::allreduce::in_order(&port, &rules, team, radix, &reduction, &vector)
    )
}

/// MPI_REDUCE_SCATTER and MPI_REDUCE_SCATTER_BLOCK on an intra-communicator (MPI 5.0, 6.10).
pub fn reduce_scatter(
    port: &Port,
    rules: &Rules,
    team: Team,
    reduction: Reduction,
    dealt: ReduceScatterArgs,
) -> Running {
    let bytes = dealt.whole().len();
    let (size, commutes) = (team.size, reduction.commutative());
    let algorithm = match dealt.counts {
        Counts::Even(_) => rules.reduce_scatter_block(size, bytes, commutes),
        Counts::Listed(_) => rules.reduce_scatter(size, bytes, commutes),
    };
    match algorithm {
        ReduceScatter::Hierarchical => by_nodes!(port, rules, nodes =>
            han::reduce_scatter(&port, &nodes, &reduction, &dealt)),
        algorithm => crate::reduce_scatter::flat(port, rules, algorithm, team, reduction, dealt),
    }
}

/// An allgather among the ranks of this node, whose blocks may be of any lengths.
pub fn allgather_inside(port: &Port, nodes: &Nodes, send: Buffer, recv: Blocks) -> Running {
    let (inside, team) = nodes.inside(port);
    allgather(&inside, &Rules::default(), team, Some(send), recv)
}

/// MPI_SCAN (MPI 5.0, 6.11.1): ranks 0 to this one. All ranks have a receive buffer.
pub fn scan(
    port: &Port,
    rules: &Rules,
    team: Team,
    reduction: Reduction,
    vector: Vector,
) -> Running {
    match rules.scan(team.size, vector.bytes()) {
        Scan::Hierarchical => by_nodes!(port, rules, nodes =>
            han::scan(&port, &nodes, &reduction, &vector)),
        way => running!(
            port,
            crate::scan::inclusive(&port, way, team, &reduction, &vector)
        ),
    }
}

/// MPI_EXSCAN (MPI 5.0, 6.11.2): ranks 0 to the one before. Rank 0 gets nothing.
pub fn exscan(
    port: &Port,
    rules: &Rules,
    team: Team,
    reduction: Reduction,
    vector: Vector,
) -> Running {
    match rules.exscan(team.size, vector.bytes()) {
        Scan::Hierarchical => by_nodes!(port, rules, nodes =>
            han::exscan(&port, &nodes, &reduction, &vector)),
        way => running!(
            port,
            crate::scan::exclusive(&port, way, team, &reduction, &vector)
        ),
    }
}

/// MPI_GATHER on an intra-communicator (MPI 5.0, 6.5).
///
/// `send` is `None` for `MPI_IN_PLACE`, which only the root may use; `recv` is the whole receive
/// buffer at the root, and `None` elsewhere.
pub fn gather(
    port: &Port,
    rules: &Rules,
    team: Team,
    root: u32,
    send: Option<Buffer>,
    recv: Option<Buffer>,
) -> Running {
    let recv = recv.map(|whole| Blocks::even(whole, team.size));
    let block = match &recv {
        Some(recv) if team.rank == root => recv.block_len(0),
        _ => send.as_ref().map_or(0, Buffer::len),
    };
    match rules.gather(team.size, block) {
        Gather::Hierarchical => by_nodes!(port, rules, nodes =>
            han::gather(&port, &nodes, root, block, send, recv)),
        algorithm => crate::gather::flat(port, algorithm, team, root, send, recv),
    }
}

/// MPI_SCATTER on an intra-communicator (MPI 5.0, 6.6).
///
/// `send` is the whole send buffer at the root, and `None` elsewhere; `recv` is `None` for
/// `MPI_IN_PLACE`, which only the root may use.
pub fn scatter(
    port: &Port,
    rules: &Rules,
    team: Team,
    root: u32,
    send: Option<Buffer>,
    recv: Option<Buffer>,
) -> Running {
    let send = send.map(|whole| Blocks::even(whole, team.size));
    let block = match &send {
        Some(send) if team.rank == root => send.block_len(0),
        _ => recv.as_ref().map_or(0, Buffer::len),
    };
    match rules.scatter(team.size, block) {
        Gather::Hierarchical => by_nodes!(port, rules, nodes =>
            han::scatter(&port, &nodes, root, block, send, recv)),
        algorithm => crate::scatter::flat(port, algorithm, team, root, send, recv),
    }
}

/// MPI_ALLGATHER and MPI_ALLGATHERV on an intra-communicator (MPI 5.0, 6.7).
///
/// `send` is `None` for `MPI_IN_PLACE`: the own block is then in `recv` already.
pub fn allgather(
    port: &Port,
    rules: &Rules,
    team: Team,
    send: Option<Buffer>,
    recv: Blocks,
) -> Running {
    let algorithm = match recv {
        Blocks::Even { .. } => rules.allgather(team.size, recv.len()),
        Blocks::Listed(_) => rules.allgatherv(team.size, recv.len()),
    };
    match algorithm {
        Allgather::Hierarchical => by_nodes!(port, rules, nodes =>
            han::allgather(&port, &nodes, send, &recv)),
        algorithm => crate::allgather::flat(port, algorithm, team, send, recv),
    }
}

/// MPI_ALLTOALL on an intra-communicator (MPI 5.0, 6.8). `send` is `None` for `MPI_IN_PLACE`.
pub fn alltoall(
    port: &Port,
    rules: &Rules,
    team: Team,
    send: Option<Blocks>,
    recv: Blocks,
) -> Running {
    let block = recv.len() / team.size as usize;
    match (rules.alltoall(team.size, block), send) {
        (Alltoall::Hierarchical, Some(send)) => by_nodes!(port, rules, nodes =>
            han::alltoall(&port, &nodes, block, &send, &recv)),
        (algorithm, send) => crate::alltoall::flat(port, rules, algorithm, team, send, recv),
    }
}

/// MPI_NEIGHBOR_ALLGATHER and MPI_NEIGHBOR_ALLGATHERV (MPI 5.0, 8.6.1): one block to all
/// destinations. Those of one length come as [`Blocks::Even`], and may go by routes.
pub fn neighbor_allgather(
    port: &Port,
    rules: &Rules,
    team: Team,
    neighbors: Neighbors,
    routes: Option<&Arc<Routes>>,
    send: Buffer,
    recv: Blocks,
) -> Running {
    let send = Outgoing::Same(send);
    let block = block_len(&neighbors, &send, &recv);
    let chosen = rules.neighbors(Collective::NeighborAllgather, team.size, block, routes);
    among_neighbors(port, team, neighbors, chosen, send, recv)
}

/// MPI_NEIGHBOR_ALLTOALL, MPI_NEIGHBOR_ALLTOALLV and MPI_NEIGHBOR_ALLTOALLW (MPI 5.0, 8.6.2): a
/// block to each destination. The first has [`Blocks::Even`], and may go by routes.
pub fn neighbor_alltoall(
    port: &Port,
    rules: &Rules,
    team: Team,
    neighbors: Neighbors,
    routes: Option<&Arc<Routes>>,
    send: Blocks,
    recv: Blocks,
) -> Running {
    let send = Outgoing::Each(send);
    let block = block_len(&neighbors, &send, &recv);
    let chosen = rules.neighbors(Collective::NeighborAlltoall, team.size, block, routes);
    among_neighbors(port, team, neighbors, chosen, send, recv)
}

/// Returns the length of all blocks of a call; `None` where they may differ.
fn block_len(neighbors: &Neighbors, send: &Outgoing, recv: &Blocks) -> Option<usize> {
    match recv {
        Blocks::Even { .. } if neighbors.sources.is_empty() => send.block_len(),
        Blocks::Even { block_len, .. } => Some(*block_len),
        Blocks::Listed(_) => None,
    }
}

fn among_neighbors(
    port: &Port,
    team: Team,
    neighbors: Neighbors,
    chosen: Option<Chosen>,
    send: Outgoing,
    recv: Blocks,
) -> Running {
    let port = port.clone();
    Box::pin(async move {
        crate::neighbor::check(&neighbors, &send, &recv)?;
        match chosen {
            None => crate::neighbor::exchange(&port, team, &neighbors, &send, &recv).await,
            Some(chosen) => han::exchange(&port, team, &neighbors, &chosen, &send, &recv).await,
        }
    })
}
