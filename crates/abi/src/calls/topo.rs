//! Process topologies (MPI 5.0, 8.5).

use abi_state::args::{Comm, InOutList, Info, List, OpenList, Out, OutList};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::hooks;
use abi_state::runtime;
use mpi_local::topo::{self, Cart, DistGraph, Edges, Graph, Topology};

use super::comm::hand_out;
use super::info;

/// `MPI_Topo_test` (MPI 5.0, 8.5.5).
pub fn topo_test(comm: Comm, status: Out<i32>) -> Result<(), Failure> {
    let kind = match runtime::get().comm(comm)?.topology() {
        None => MPI_UNDEFINED,
        Some(Topology::Cart(_)) => MPI_CART,
        Some(Topology::Graph(_)) => MPI_GRAPH,
        Some(Topology::DistGraph(_)) => MPI_DIST_GRAPH,
    };
    status.set(kind)
}

/// `MPI_Dims_create` (MPI 5.0, 8.5.2).
pub fn dims_create(nnodes: i32, ndims: i32, dims: InOutList<i32>) -> Result<(), Failure> {
    check_dimensions(ndims)?;
    let mut values = dims.to_vec()?;
    topo::dims_create(nnodes, &mut values)?;
    dims.fill(&values)
}

/// `MPI_Cart_create` (MPI 5.0, 8.5.1).
pub fn cart_create(
    comm_old: Comm,
    ndims: i32,
    dims: List<i32>,
    periods: List<i32>,
    _reorder: i32,
    comm_cart: Out<Comm>,
) -> Result<(), Failure> {
    let old = runtime::get().comm(comm_old)?;
    let cart = cart(ndims, dims, periods)?;
    hooks::joins(comm_old);
    let made = old.cart(cart)?;
    hand_out(runtime::get(), &old, made, comm_cart)
}

/// `MPI_Cart_map` (MPI 5.0, 8.5.8): ranks stay as they are.
pub fn cart_map(
    comm: Comm,
    ndims: i32,
    dims: List<i32>,
    periods: List<i32>,
    newrank: Out<i32>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let sides = dims.to_vec()?;
    if sides.contains(&0) && sides.iter().all(|side| *side >= 0) {
        // A grid without nodes: nobody is in it.
        return newrank.set(MPI_UNDEFINED);
    }
    let size = cart(ndims, dims, periods)?.size();
    map(&comm, size, MPI_ERR_DIMS, newrank)
}

/// `MPI_Cartdim_get` (MPI 5.0, 8.5.5).
pub fn cartdim_get(comm: Comm, ndims: Out<i32>) -> Result<(), Failure> {
    let dims = runtime::get().comm(comm)?.grid()?.dims().len() as i32;
    ndims.set(dims)
}

/// `MPI_Cart_get` (MPI 5.0, 8.5.5).
pub fn cart_get(
    comm: Comm,
    _maxdims: i32,
    dims: OutList<i32>,
    periods: OutList<i32>,
    coords: OutList<i32>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let grid = comm.grid()?;
    let closed: Vec<i32> = grid
        .periods()
        .iter()
        .map(|closed| i32::from(*closed))
        .collect();
    let place = grid.coords(comm.rank())?;
    dims.fill(grid.dims())?;
    periods.fill(&closed)?;
    coords.fill(&place)
}

/// `MPI_Cart_rank` (MPI 5.0, 8.5.5).
pub fn cart_rank(comm: Comm, coords: OpenList<i32>, rank: Out<i32>) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let grid = comm.grid()?;
    // SAFETY: there is a coordinate for each dimension (MPI 5.0, 8.5.5).
    let coords = unsafe { coords.with_length(grid.dims().len()) }.to_vec()?;
    let found = grid.rank(&coords)? as i32;
    rank.set(found)
}

/// `MPI_Cart_coords` (MPI 5.0, 8.5.5).
pub fn cart_coords(
    comm: Comm,
    rank: i32,
    _maxdims: i32,
    coords: OutList<i32>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let grid = comm.grid()?;
    let place = grid.coords(comm.near_rank(rank)?)?;
    coords.fill(&place)
}

/// `MPI_Cart_shift` (MPI 5.0, 8.5.6).
pub fn cart_shift(
    comm: Comm,
    direction: i32,
    disp: i32,
    rank_source: Out<i32>,
    rank_dest: Out<i32>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let (source, dest) = comm.grid()?.shift(comm.rank(), direction, disp)?;
    let rank = |rank: Option<u32>| rank.map_or(MPI_PROC_NULL, |rank| rank as i32);
    rank_source.set(rank(source))?;
    rank_dest.set(rank(dest))
}

/// `MPI_Cart_sub` (MPI 5.0, 8.5.7).
pub fn cart_sub(comm: Comm, remain_dims: OpenList<i32>, newcomm: Out<Comm>) -> Result<(), Failure> {
    let old = runtime::get().comm(comm)?;
    let dims = old.grid()?.dims().len();
    // SAFETY: there is a flag for each dimension (MPI 5.0, 8.5.7).
    let remain = flags(unsafe { remain_dims.with_length(dims) }.to_vec()?);
    hooks::joins(comm);
    let made = old.cart_sub(&remain)?;
    hand_out(runtime::get(), &old, Some(made), newcomm)
}

/// `MPI_Graph_create` (MPI 5.0, 8.5.3).
pub fn graph_create(
    comm_old: Comm,
    nnodes: i32,
    indx: List<i32>,
    edges: OpenList<i32>,
    _reorder: i32,
    comm_graph: Out<Comm>,
) -> Result<(), Failure> {
    let old = runtime::get().comm(comm_old)?;
    let graph = graph(nnodes, indx, edges)?;
    hooks::joins(comm_old);
    let made = old.graph(graph)?;
    hand_out(runtime::get(), &old, made, comm_graph)
}

/// `MPI_Graph_map` (MPI 5.0, 8.5.8): ranks stay as they are.
pub fn graph_map(
    comm: Comm,
    nnodes: i32,
    indx: List<i32>,
    edges: OpenList<i32>,
    newrank: Out<i32>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let size = graph(nnodes, indx, edges)?.size();
    map(&comm, size, MPI_ERR_TOPOLOGY, newrank)
}

/// `MPI_Graphdims_get` (MPI 5.0, 8.5.5).
pub fn graphdims_get(comm: Comm, nnodes: Out<i32>, nedges: Out<i32>) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let graph = comm.whole_graph()?;
    nnodes.set(graph.size() as i32)?;
    nedges.set(graph.edges().len() as i32)
}

/// `MPI_Graph_get` (MPI 5.0, 8.5.5).
pub fn graph_get(
    comm: Comm,
    _maxindex: i32,
    _maxedges: i32,
    indx: OutList<i32>,
    edges: OutList<i32>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let graph = comm.whole_graph()?;
    indx.fill(graph.index())?;
    edges.fill(graph.edges())
}

/// `MPI_Graph_neighbors_count` (MPI 5.0, 8.5.5).
pub fn graph_neighbors_count(comm: Comm, rank: i32, nneighbors: Out<i32>) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let count = comm
        .whole_graph()?
        .neighbor_list(comm.near_rank(rank)?)?
        .len() as i32;
    nneighbors.set(count)
}

/// `MPI_Graph_neighbors` (MPI 5.0, 8.5.5).
pub fn graph_neighbors(
    comm: Comm,
    rank: i32,
    _maxneighbors: i32,
    neighbors: OutList<i32>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let list = comm.whole_graph()?.neighbor_list(comm.near_rank(rank)?)?;
    neighbors.fill(list)
}

/// `MPI_Dist_graph_create_adjacent` (MPI 5.0, 8.5.4). No key of `info` is known.
pub fn dist_graph_create_adjacent(
    comm_old: Comm,
    indegree: i32,
    sources: List<i32>,
    sourceweights: List<i32>,
    outdegree: i32,
    destinations: List<i32>,
    destweights: List<i32>,
    info: Info,
    _reorder: i32,
    comm_dist_graph: Out<Comm>,
) -> Result<(), Failure> {
    let old = runtime::get().comm(comm_old)?;
    info::check(info)?;
    let size = old.size();
    check_not_negative(indegree, "the degree")?;
    let sources = edges(sources, sourceweights, size)?;
    check_not_negative(outdegree, "the degree")?;
    let graph = DistGraph {
        sources,
        destinations: edges(destinations, destweights, size)?,
        weighted: !sourceweights.is(MPI_UNWEIGHTED) || !destweights.is(MPI_UNWEIGHTED),
    };
    hooks::joins(comm_old);
    let made = old.dist_graph_adjacent(graph)?;
    hand_out(runtime::get(), &old, Some(made), comm_dist_graph)
}

/// `MPI_Dist_graph_create` (MPI 5.0, 8.5.4). No key of `info` is known.
pub fn dist_graph_create(
    comm_old: Comm,
    n: i32,
    sources: List<i32>,
    degrees: List<i32>,
    destinations: OpenList<i32>,
    weights: OpenList<i32>,
    info: Info,
    _reorder: i32,
    comm_dist_graph: Out<Comm>,
) -> Result<(), Failure> {
    let old = runtime::get().comm(comm_old)?;
    info::check(info)?;
    check_not_negative(n, "n")?;
    let (sources, degrees) = (sources.to_vec()?, degrees.to_vec()?);
    let mut all: i32 = 0;
    for &degree in &degrees {
        check_not_negative(degree, "a degree")?;
        all = all.checked_add(degree).ok_or_else(|| {
            Failure::new(MPI_ERR_ARG, "the degrees add up to more than an int counts")
        })?;
    }
    // SAFETY: there are as many edges as the degrees add up to (MPI 5.0, 8.5.4).
    let (destinations, weights) = unsafe {
        let all = all as usize;
        (destinations.with_length(all), weights.with_length(all))
    };
    let ends = edges(destinations, weights, old.size())?;
    let starts = Edges::new(&sources, None, old.size())?.ranks;
    let sources = starts.iter().zip(&degrees);
    let sources = sources.flat_map(|(rank, degree)| (0..*degree).map(|_| *rank as u32));
    let list: Vec<(u32, u32, i32)> = sources
        .zip(ends.ranks.iter().zip(&ends.weights))
        .map(|(source, (rank, weight))| (source, *rank as u32, *weight))
        .collect();
    hooks::joins(comm_old);
    let made = old.dist_graph(&list, !weights.is(MPI_UNWEIGHTED))?;
    hand_out(runtime::get(), &old, Some(made), comm_dist_graph)
}

/// `MPI_Dist_graph_neighbors_count` (MPI 5.0, 8.5.5).
pub fn dist_graph_neighbors_count(
    comm: Comm,
    indegree: Out<i32>,
    outdegree: Out<i32>,
    weighted: Out<i32>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let graph = comm.own_edges()?;
    indegree.set(graph.sources.len() as i32)?;
    outdegree.set(graph.destinations.len() as i32)?;
    weighted.set(i32::from(graph.weighted))
}

/// `MPI_Dist_graph_neighbors` (MPI 5.0, 8.5.5). Weights are stored where the graph has some.
pub fn dist_graph_neighbors(
    comm: Comm,
    _maxindegree: i32,
    sources: OutList<i32>,
    sourceweights: OutList<i32>,
    _maxoutdegree: i32,
    destinations: OutList<i32>,
    destweights: OutList<i32>,
) -> Result<(), Failure> {
    let comm = runtime::get().comm(comm)?;
    let graph = comm.own_edges()?;
    sources.fill(&graph.sources.ranks)?;
    destinations.fill(&graph.destinations.ranks)?;
    if graph.weighted && wants_weights(&sourceweights) {
        sourceweights.fill(&graph.sources.weights)?;
    }
    if graph.weighted && wants_weights(&destweights) {
        destweights.fill(&graph.destinations.weights)?;
    }
    Ok(())
}

fn cart(ndims: i32, dims: List<i32>, periods: List<i32>) -> Result<Cart, Failure> {
    check_dimensions(ndims)?;
    let dims = dims.to_vec()?;
    let periods = flags(periods.to_vec()?);
    Ok(Cart::new(&dims, &periods)?)
}

fn graph(nnodes: i32, index: List<i32>, edges: OpenList<i32>) -> Result<Graph, Failure> {
    check_not_negative(nnodes, "nnodes")?;
    let index = index.to_vec()?;
    let ends = index.last().map_or(0, |last| (*last).max(0)) as usize;
    // SAFETY: there are as many edges as the last index says (MPI 5.0, 8.5.3).
    let edges = unsafe { edges.with_length(ends) }.to_vec()?;
    Ok(Graph::new(&index, &edges)?)
}

/// The edges to or from a process.
fn edges(ranks: List<i32>, weights: List<i32>, size: u32) -> Result<Edges, Failure> {
    let ranks = ranks.to_vec()?;
    let weights = if weights.is(MPI_UNWEIGHTED) {
        None
    } else if weights.is(MPI_WEIGHTS_EMPTY) {
        Some(Vec::new())
    } else {
        Some(weights.to_vec()?)
    };
    Ok(Edges::new(&ranks, weights.as_deref(), size)?)
}

fn wants_weights(weights: &OutList<i32>) -> bool {
    !weights.is(MPI_UNWEIGHTED) && !weights.is(MPI_WEIGHTS_EMPTY)
}

/// The rank in a topology of `size` processes.
fn map(comm: &mpi::Comm, size: u32, too_large: i32, newrank: Out<i32>) -> Result<(), Failure> {
    if size > comm.size() {
        let text = format!(
            "a topology of {size} processes in {comm} of {}",
            comm.size()
        );
        return Err(Failure::new(too_large, text));
    }
    let rank = if comm.rank() < size {
        comm.rank() as i32
    } else {
        MPI_UNDEFINED
    };
    newrank.set(rank)
}

fn check_dimensions(ndims: i32) -> Result<(), Failure> {
    match ndims {
        0.. => Ok(()),
        _ => Err(Failure::new(
            MPI_ERR_DIMS,
            format!("ndims is {ndims}, below zero"),
        )),
    }
}

fn check_not_negative(value: i32, what: &str) -> Result<(), Failure> {
    match value {
        0.. => Ok(()),
        _ => Err(Failure::new(
            MPI_ERR_ARG,
            format!("{what} is {value}, below zero"),
        )),
    }
}

fn flags(values: Vec<i32>) -> Vec<bool> {
    values.into_iter().map(|value| value != 0).collect()
}
