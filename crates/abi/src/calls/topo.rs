//! Process topologies (MPI 5.0, 8.5).

use mpi::topo::{self, Cart, DistGraph, Edges, Graph, Topology};

use super::coll_args::comm as look_up;
use super::comm::hand_out;
use crate::args::{self, Comm, Info};
use crate::failure::Failure;
use crate::generated::constants::*;
use crate::runtime;

/// `MPI_Topo_test` (MPI 5.0, 8.5.5).
pub unsafe fn topo_test(comm: Comm, status: *mut i32) -> Result<(), Failure> {
    let kind = match look_up(comm)?.topology() {
        None => MPI_UNDEFINED,
        Some(Topology::Cart(_)) => MPI_CART,
        Some(Topology::Graph(_)) => MPI_GRAPH,
        Some(Topology::DistGraph(_)) => MPI_DIST_GRAPH,
    };
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(status, kind, "status") }
}

/// `MPI_Dims_create` (MPI 5.0, 8.5.2).
pub unsafe fn dims_create(nnodes: i32, ndims: i32, dims: *mut i32) -> Result<(), Failure> {
    let ndims = dimensions(ndims)?;
    // SAFETY: MPI's caller gives `ndims` integers.
    let mut values = unsafe { args::array(dims, ndims, "dims")? };
    topo::dims_create(nnodes, &mut values)?;
    // SAFETY: as above.
    unsafe { fill(dims, ndims as i32, &values, "dims") }
}

/// `MPI_Cart_create` (MPI 5.0, 8.5.1).
pub unsafe fn cart_create(
    comm_old: Comm,
    ndims: i32,
    dims: *const i32,
    periods: *const i32,
    _reorder: i32,
    comm_cart: *mut Comm,
) -> Result<(), Failure> {
    let old = look_up(comm_old)?;
    // SAFETY: MPI's caller gives `ndims` integers twice.
    let cart = unsafe { cart(ndims, dims, periods)? };
    let made = old.cart(cart)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { hand_out(runtime::get(), &old, made, comm_cart) }
}

/// `MPI_Cart_map` (MPI 5.0, 8.5.8): ranks stay as they are.
pub unsafe fn cart_map(
    comm: Comm,
    ndims: i32,
    dims: *const i32,
    periods: *const i32,
    newrank: *mut i32,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    // SAFETY: MPI's caller gives `ndims` integers.
    let sides = unsafe { args::array(dims, usize::try_from(ndims).unwrap_or(0), "dims")? };
    if sides.contains(&0) && sides.iter().all(|side| *side >= 0) {
        // A grid without places: nobody is in it.
        // SAFETY: MPI's caller gives a place for an integer.
        return unsafe { args::write(newrank, MPI_UNDEFINED, "newrank") };
    }
    // SAFETY: MPI's caller gives `ndims` integers twice.
    let size = unsafe { cart(ndims, dims, periods)? }.size();
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { map(&comm, size, MPI_ERR_DIMS, newrank) }
}

/// `MPI_Cartdim_get` (MPI 5.0, 8.5.5).
pub unsafe fn cartdim_get(comm: Comm, ndims: *mut i32) -> Result<(), Failure> {
    let dims = look_up(comm)?.grid()?.dims().len() as i32;
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(ndims, dims, "ndims") }
}

/// `MPI_Cart_get` (MPI 5.0, 8.5.5).
pub unsafe fn cart_get(
    comm: Comm,
    maxdims: i32,
    dims: *mut i32,
    periods: *mut i32,
    coords: *mut i32,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let grid = comm.grid()?;
    let closed: Vec<i32> = grid
        .periods()
        .iter()
        .map(|closed| i32::from(*closed))
        .collect();
    let place = grid.coords(comm.rank())?;
    // SAFETY: MPI's caller gives `maxdims` integers three times.
    unsafe {
        fill(dims, maxdims, grid.dims(), "dims")?;
        fill(periods, maxdims, &closed, "periods")?;
        fill(coords, maxdims, &place, "coords")
    }
}

/// `MPI_Cart_rank` (MPI 5.0, 8.5.5).
pub unsafe fn cart_rank(comm: Comm, coords: *const i32, rank: *mut i32) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let grid = comm.grid()?;
    // SAFETY: MPI's caller gives an integer per dimension.
    let coords = unsafe { args::array(coords, grid.dims().len(), "coords")? };
    let found = grid.rank(&coords)? as i32;
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(rank, found, "rank") }
}

/// `MPI_Cart_coords` (MPI 5.0, 8.5.5).
pub unsafe fn cart_coords(
    comm: Comm,
    rank: i32,
    maxdims: i32,
    coords: *mut i32,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let grid = comm.grid()?;
    let place = grid.coords(comm.near_rank(rank)?)?;
    // SAFETY: MPI's caller gives `maxdims` integers.
    unsafe { fill(coords, maxdims, &place, "coords") }
}

/// `MPI_Cart_shift` (MPI 5.0, 8.5.6).
pub unsafe fn cart_shift(
    comm: Comm,
    direction: i32,
    disp: i32,
    rank_source: *mut i32,
    rank_dest: *mut i32,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let (source, dest) = comm.grid()?.shift(comm.rank(), direction, disp)?;
    let rank = |rank: Option<u32>| rank.map_or(MPI_PROC_NULL, |rank| rank as i32);
    // SAFETY: MPI's caller gives places for two integers.
    unsafe {
        args::write(rank_source, rank(source), "rank_source")?;
        args::write(rank_dest, rank(dest), "rank_dest")
    }
}

/// `MPI_Cart_sub` (MPI 5.0, 8.5.7).
pub unsafe fn cart_sub(
    comm: Comm,
    remain_dims: *const i32,
    newcomm: *mut Comm,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let dims = comm.grid()?.dims().len();
    // SAFETY: MPI's caller gives an integer per dimension.
    let remain = flags(unsafe { args::array(remain_dims, dims, "remain_dims")? });
    let made = comm.cart_sub(&remain)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { hand_out(runtime::get(), &comm, Some(made), newcomm) }
}

/// `MPI_Graph_create` (MPI 5.0, 8.5.3).
pub unsafe fn graph_create(
    comm_old: Comm,
    nnodes: i32,
    indx: *const i32,
    edges: *const i32,
    _reorder: i32,
    comm_graph: *mut Comm,
) -> Result<(), Failure> {
    let old = look_up(comm_old)?;
    // SAFETY: MPI's caller gives `nnodes` integers, and as many as the last of them tells.
    let graph = unsafe { graph(nnodes, indx, edges)? };
    let made = old.graph(graph)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { hand_out(runtime::get(), &old, made, comm_graph) }
}

/// `MPI_Graph_map` (MPI 5.0, 8.5.8): ranks stay as they are.
pub unsafe fn graph_map(
    comm: Comm,
    nnodes: i32,
    indx: *const i32,
    edges: *const i32,
    newrank: *mut i32,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    // SAFETY: as in `graph_create`.
    let size = unsafe { graph(nnodes, indx, edges)? }.size();
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { map(&comm, size, MPI_ERR_TOPOLOGY, newrank) }
}

/// `MPI_Graphdims_get` (MPI 5.0, 8.5.5).
pub unsafe fn graphdims_get(comm: Comm, nnodes: *mut i32, nedges: *mut i32) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let graph = comm.whole_graph()?;
    // SAFETY: MPI's caller gives places for two integers.
    unsafe {
        args::write(nnodes, graph.size() as i32, "nnodes")?;
        args::write(nedges, graph.edges().len() as i32, "nedges")
    }
}

/// `MPI_Graph_get` (MPI 5.0, 8.5.5).
pub unsafe fn graph_get(
    comm: Comm,
    maxindex: i32,
    maxedges: i32,
    indx: *mut i32,
    edges: *mut i32,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let graph = comm.whole_graph()?;
    // SAFETY: MPI's caller gives `maxindex` and `maxedges` integers.
    unsafe {
        fill(indx, maxindex, graph.index(), "index")?;
        fill(edges, maxedges, graph.edges(), "edges")
    }
}

/// `MPI_Graph_neighbors_count` (MPI 5.0, 8.5.5).
pub unsafe fn graph_neighbors_count(
    comm: Comm,
    rank: i32,
    nneighbors: *mut i32,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let count = comm
        .whole_graph()?
        .neighbor_list(comm.near_rank(rank)?)?
        .len() as i32;
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(nneighbors, count, "nneighbors") }
}

/// `MPI_Graph_neighbors` (MPI 5.0, 8.5.5).
pub unsafe fn graph_neighbors(
    comm: Comm,
    rank: i32,
    maxneighbors: i32,
    neighbors: *mut i32,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let list = comm.whole_graph()?.neighbor_list(comm.near_rank(rank)?)?;
    // SAFETY: MPI's caller gives `maxneighbors` integers.
    unsafe { fill(neighbors, maxneighbors, list, "neighbors") }
}

/// `MPI_Dist_graph_create_adjacent` (MPI 5.0, 8.5.4). No key of `info` is known.
pub unsafe fn dist_graph_create_adjacent(
    comm_old: Comm,
    indegree: i32,
    sources: *const i32,
    sourceweights: *const i32,
    outdegree: i32,
    destinations: *const i32,
    destweights: *const i32,
    _info: Info,
    _reorder: i32,
    comm_dist_graph: *mut Comm,
) -> Result<(), Failure> {
    let old = look_up(comm_old)?;
    let size = old.size();
    // SAFETY: MPI's caller gives `indegree` and `outdegree` integers, each list twice.
    let graph = unsafe {
        DistGraph {
            sources: edges(indegree, sources, sourceweights, size)?,
            destinations: edges(outdegree, destinations, destweights, size)?,
            weighted: is_weighted(sourceweights) || is_weighted(destweights),
        }
    };
    let made = old.dist_graph_adjacent(graph)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { hand_out(runtime::get(), &old, Some(made), comm_dist_graph) }
}

/// `MPI_Dist_graph_create` (MPI 5.0, 8.5.4). No key of `info` is known.
pub unsafe fn dist_graph_create(
    comm_old: Comm,
    n: i32,
    sources: *const i32,
    degrees: *const i32,
    destinations: *const i32,
    weights: *const i32,
    _info: Info,
    _reorder: i32,
    comm_dist_graph: *mut Comm,
) -> Result<(), Failure> {
    let old = look_up(comm_old)?;
    let count = not_negative(n, "n")?;
    // SAFETY: MPI's caller gives `n` integers twice.
    let (sources, degrees) = unsafe {
        (
            args::array(sources, count, "sources")?,
            args::array(degrees, count, "degrees")?,
        )
    };
    let mut all: i32 = 0;
    for &degree in &degrees {
        not_negative(degree, "a degree")?;
        all = all.checked_add(degree).ok_or_else(|| {
            Failure::new(MPI_ERR_ARG, "the degrees add up to more than an int counts")
        })?;
    }
    // SAFETY: MPI's caller gives as many integers as the degrees add up to.
    let ends = unsafe { edges(all, destinations, weights, old.size())? };
    let starts = Edges::new(&sources, None, old.size())?.ranks;
    let sources = starts.iter().zip(&degrees);
    let sources = sources.flat_map(|(rank, degree)| (0..*degree).map(|_| *rank as u32));
    let list: Vec<(u32, u32, i32)> = sources
        .zip(ends.ranks.iter().zip(&ends.weights))
        .map(|(source, (rank, weight))| (source, *rank as u32, *weight))
        .collect();
    let made = old.dist_graph(&list, is_weighted(weights))?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { hand_out(runtime::get(), &old, Some(made), comm_dist_graph) }
}

/// `MPI_Dist_graph_neighbors_count` (MPI 5.0, 8.5.5).
pub unsafe fn dist_graph_neighbors_count(
    comm: Comm,
    indegree: *mut i32,
    outdegree: *mut i32,
    weighted: *mut i32,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let graph = comm.own_edges()?;
    // SAFETY: MPI's caller gives places for three integers.
    unsafe {
        args::write(indegree, graph.sources.len() as i32, "indegree")?;
        args::write(outdegree, graph.destinations.len() as i32, "outdegree")?;
        args::write(weighted, i32::from(graph.weighted), "weighted")
    }
}

/// `MPI_Dist_graph_neighbors` (MPI 5.0, 8.5.5). Weights are stored where the graph has some.
pub unsafe fn dist_graph_neighbors(
    comm: Comm,
    maxindegree: i32,
    sources: *mut i32,
    sourceweights: *mut i32,
    maxoutdegree: i32,
    destinations: *mut i32,
    destweights: *mut i32,
) -> Result<(), Failure> {
    let comm = look_up(comm)?;
    let graph = comm.own_edges()?;
    // SAFETY: MPI's caller gives `maxindegree` and `maxoutdegree` integers, each list twice
    // unless it wants no weights.
    unsafe {
        fill(sources, maxindegree, &graph.sources.ranks, "sources")?;
        fill(
            destinations,
            maxoutdegree,
            &graph.destinations.ranks,
            "destinations",
        )?;
        if graph.weighted && wants_weights(sourceweights) {
            fill(
                sourceweights,
                maxindegree,
                &graph.sources.weights,
                "sourceweights",
            )?;
        }
        if graph.weighted && wants_weights(destweights) {
            fill(
                destweights,
                maxoutdegree,
                &graph.destinations.weights,
                "destweights",
            )?;
        }
    }
    Ok(())
}

/// # Safety
/// The pointers are null or lead to `ndims` integers.
unsafe fn cart(ndims: i32, dims: *const i32, periods: *const i32) -> Result<Cart, Failure> {
    let ndims = dimensions(ndims)?;
    // SAFETY: promised by the caller.
    let dims = unsafe { args::array(dims, ndims, "dims")? };
    // SAFETY: as above.
    let periods = flags(unsafe { args::array(periods, ndims, "periods")? });
    Ok(Cart::new(&dims, &periods)?)
}

/// # Safety
/// `index` is null or leads to `nnodes` integers, `edges` to as many as the last of them tells.
unsafe fn graph(nnodes: i32, index: *const i32, edges: *const i32) -> Result<Graph, Failure> {
    let nodes = not_negative(nnodes, "nnodes")?;
    // SAFETY: promised by the caller.
    let index = unsafe { args::array(index, nodes, "index")? };
    let ends = index.last().map_or(0, |last| (*last).max(0)) as usize;
    // SAFETY: promised by the caller.
    let edges = unsafe { args::array(edges, ends, "edges")? };
    Ok(Graph::new(&index, &edges)?)
}

/// The edges to or from a process.
///
/// # Safety
/// The pointers are null, MPI's constants, or lead to `degree` integers.
unsafe fn edges(
    degree: i32,
    ranks: *const i32,
    weights: *const i32,
    size: u32,
) -> Result<Edges, Failure> {
    let degree = not_negative(degree, "the degree")?;
    // SAFETY: promised by the caller.
    let ranks = unsafe { args::array(ranks, degree, "the list of neighbours")? };
    let weights = match weights as usize {
        MPI_UNWEIGHTED => None,
        MPI_WEIGHTS_EMPTY => Some(Vec::new()),
        // SAFETY: promised by the caller.
        _ => Some(unsafe { args::array(weights, degree, "the list of weights")? }),
    };
    Ok(Edges::new(&ranks, weights.as_deref(), size)?)
}

fn is_weighted(weights: *const i32) -> bool {
    weights as usize != MPI_UNWEIGHTED
}

fn wants_weights(weights: *mut i32) -> bool {
    ![MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY].contains(&(weights as usize))
}

/// The rank in a topology of `size` processes.
///
/// # Safety
/// A `newrank` that is not null is a place for an integer.
unsafe fn map(
    comm: &mpi::Comm,
    size: u32,
    too_large: i32,
    newrank: *mut i32,
) -> Result<(), Failure> {
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
    // SAFETY: promised by the caller.
    unsafe { args::write(newrank, rank, "newrank") }
}

fn dimensions(ndims: i32) -> Result<usize, Failure> {
    usize::try_from(ndims)
        .map_err(|_| Failure::new(MPI_ERR_DIMS, format!("ndims is {ndims}, below zero")))
}

fn not_negative(value: i32, what: &str) -> Result<usize, Failure> {
    usize::try_from(value)
        .map_err(|_| Failure::new(MPI_ERR_ARG, format!("{what} is {value}, below zero")))
}

fn flags(values: Vec<i32>) -> Vec<bool> {
    values.into_iter().map(|value| value != 0).collect()
}

/// Stores as many of the values as there is room for.
///
/// # Safety
/// A `place` that is not null has room for `room` integers.
unsafe fn fill(
    place: *mut i32,
    room: i32,
    values: &[i32],
    what: &'static str,
) -> Result<(), Failure> {
    let room = usize::try_from(room).unwrap_or(0);
    for (at, value) in values.iter().take(room).enumerate() {
        // SAFETY: the caller promises room for it; a null pointer stays one only at 0, where
        // it is refused.
        unsafe { args::write(place.wrapping_add(at), *value, what)? };
    }
    Ok(())
}
