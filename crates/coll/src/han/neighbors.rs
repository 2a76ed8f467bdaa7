//! Exchanges of equal blocks with the neighbours of a topology: all that goes from one node to
//! another goes in one message.
//!
//! ```text
//!   node 0              node 1
//!    0 --+              +--> 4       0 -> 4, 0 -> 5, 1 -> 4, 2 -> 7: the edges of a route
//!    1 --+--> 2 ===> 5 -+--> 5       2: the collector
//!    2 --+              +--> 7       5: the dealer
//! ```
//!
//! Collectors and dealers of the routes to different nodes are different ranks where a node has
//! enough of them that have such edges. Only these know the length of a block, so no other rank can
//! stand in.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use datatype::Buffer;
use memory::UserBuf;

use super::Nodes;
use crate::data::copy;
use crate::neighbor::{direct, receive_order, Outgoing};
use crate::port::Op;
use crate::{Blocks, Error, Neighbors, Port, Team};

/// Most bytes of a message that pays: more take longer to copy at either end than the messages that
/// it stands for.
const MESSAGE_MAX: usize = 4 << 10;

/// The routes between the own node and others that a rank has edges on.
#[derive(Debug)]
pub struct Routes {
    nodes: Arc<Nodes>,
    /// To other nodes, ascending.
    outward: Box<[Route]>,
    /// From other nodes, ascending.
    inward: Box<[Route]>,
}

/// All edges from one node to another. Ranks of both nodes find the same route, each from the edges
/// of its own node.
#[derive(Debug)]
struct Route {
    /// The node at the other end.
    far: u32,
    /// The rank that collects the blocks and sends them to the dealer.
    collector: u32,
    /// The rank that deals the blocks out.
    dealer: u32,
    /// Source and destination of each edge, ascending.
    edges: Box<[(u32, u32)]>,
    /// The sources, with the places of their edges.
    sources: Box<[(u32, Range<usize>)]>,
    /// The destinations.
    destinations: Box<[u32]>,
    /// The places of the own blocks, in the order of the edges: among those of all destinations, or
    /// of all sources.
    own: Box<[u32]>,
    /// Most edges of one rank.
    busiest: usize,
}

/// The routes that an exchange goes by.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    routes: Arc<Routes>,
    block: usize,
    /// Whether all routes are taken, or those that pay.
    all: bool,
}

impl Routes {
    /// Returns the routes of this rank, from the neighbours of each rank of its node, by position;
    /// `None` where no edge of its own leads to another node or comes from there.
    pub fn new(nodes: &Arc<Nodes>, around: &[Neighbors]) -> Option<Routes> {
        let (mut outward, mut inward) = (BTreeMap::new(), BTreeMap::new());
        let members = nodes.own_members();
        for (rank, neighbors) in members.iter().zip(around) {
            let far = |peer: &Option<u32>| {
                let peer = (*peer)?;
                let node = nodes.node_of(peer);
                (node != nodes.own()).then_some((node, peer))
            };
            for (node, peer) in neighbors.destinations.iter().filter_map(far) {
                let edges: &mut Vec<_> = outward.entry(node).or_default();
                edges.push((*rank, peer));
            }
            for (node, peer) in neighbors.sources.iter().filter_map(far) {
                let edges: &mut Vec<_> = inward.entry(node).or_default();
                edges.push((peer, *rank));
            }
        }
        let own = around.get(nodes.inside_position() as usize)?;
        let places = |far: u32, peers: &[Option<u32>], order: &mut dyn Iterator<Item = u32>| {
            let is_far = |peer: u32| nodes.node_of(peer) == far;
            let peer = |place: &u32| peers[*place as usize];
            let mut places: Vec<u32> = order.filter(|it| peer(it).is_some_and(is_far)).collect();
            places.sort_by_key(peer);
            places
        };
        let outward = outward.into_iter().map(|(far, edges)| {
            let peers = &own.destinations;
            let own = places(far, peers, &mut (0..peers.len() as u32));
            Route::new(far, (nodes.own(), far), edges, own)
        });
        let inward = inward.into_iter().map(|(far, edges)| {
            let own = places(far, &own.sources, &mut receive_order(own));
            Route::new(far, (far, nodes.own()), edges, own)
        });
        let is_own = |route: &Route| !route.own.is_empty();
        let routes = Routes {
            outward: outward.filter(is_own).collect(),
            inward: inward.filter(is_own).collect(),
            nodes: Arc::clone(nodes),
        };
        (!routes.outward.is_empty() || !routes.inward.is_empty()).then_some(routes)
    }

    /// Returns what of an exchange of blocks of `block` bytes goes by routes: what pays, or
    /// everything; `None` for nothing.
    pub(crate) fn choose(self: &Arc<Routes>, block: usize, all: bool) -> Option<Chosen> {
        let chosen = Chosen {
            routes: Arc::clone(self),
            block,
            all,
        };
        let mut routes = self.outward.iter().chain(&self.inward);
        (block > 0 && routes.any(|route| chosen.takes(route))).then_some(chosen)
    }
}

impl Route {
    fn new(far: u32, (from, to): (u32, u32), mut edges: Vec<(u32, u32)>, own: Vec<u32>) -> Route {
        edges.sort_unstable();
        let mut sources: Vec<(u32, Range<usize>)> = Vec::new();
        for (place, (source, _)) in edges.iter().enumerate() {
            match sources.last_mut() {
                Some((last, places)) if last == source => places.end = place + 1,
                _ => sources.push((*source, place..place + 1)),
            }
        }
        let mut destinations: Vec<u32> = edges.iter().map(|edge| edge.1).collect();
        destinations.sort_unstable();
        let most_in = destinations
            .chunk_by(|one, next| one == next)
            .map(<[u32]>::len);
        let most_out = sources.iter().map(|(_, places)| places.len());
        let busiest = most_in.chain(most_out).max().unwrap_or(0);
        destinations.dedup();
        Route {
            far,
            collector: sources[to as usize % sources.len()].0,
            dealer: destinations[from as usize % destinations.len()],
            edges: edges.into(),
            sources: sources.into(),
            destinations: destinations.into(),
            own: own.into(),
            busiest,
        }
    }

    /// Whether blocks of `block` bytes take less time than by a message for each edge. By the model
    /// (`tests/model`) they do on all networks where the busiest rank is spared some messages
    /// between nodes, and collector and dealer get few inside instead.
    fn pays(&self, block: usize) -> bool {
        let inside = self.sources.len().max(self.destinations.len());
        let bytes = self.edges.len().saturating_mul(block);
        bytes <= MESSAGE_MAX && self.busiest >= 2 && 2 * self.busiest >= inside
    }

    /// Returns the places in the message of what a source sends: one block for each edge, or the
    /// one that all its destinations get.
    fn places_of(&self, source: u32, same: bool) -> Range<usize> {
        let at = self.sources.partition_point(|(rank, _)| *rank < source);
        match same {
            true => at..at + 1,
            false => self.sources[at].1.clone(),
        }
    }

    /// Returns how many blocks the message has.
    fn blocks(&self, same: bool) -> usize {
        match same {
            true => self.sources.len(),
            false => self.edges.len(),
        }
    }

    /// Returns the places in the message of what a destination gets, in the order of its edges.
    fn places_for(&self, destination: u32, same: bool) -> impl Iterator<Item = usize> + '_ {
        let edges = self.edges.iter().enumerate();
        let own = edges.filter(move |(_, edge)| edge.1 == destination);
        own.map(move |(place, edge)| match same {
            true => self.places_of(edge.0, true).start,
            false => place,
        })
    }
}

impl Chosen {
    fn takes(&self, route: &Route) -> bool {
        self.all || route.pays(self.block)
    }

    fn outward(&self) -> impl Iterator<Item = &Route> {
        self.routes.outward.iter().filter(|route| self.takes(route))
    }

    fn inward(&self) -> impl Iterator<Item = &Route> {
        self.routes.inward.iter().filter(|route| self.takes(route))
    }

    /// Whether the block of an edge from or to a peer goes by a route.
    fn has(&self, peer: u32, is_source: bool) -> bool {
        let node = self.routes.nodes.node_of(peer);
        let routes = match is_source {
            true => &self.routes.inward,
            false => &self.routes.outward,
        };
        let route = routes.binary_search_by_key(&node, |route| route.far);
        route.is_ok_and(|at| self.takes(&routes[at]))
    }
}

/// Exchanges blocks with the neighbours, some of them by routes.
///
/// Between two ranks messages go in this order: blocks of edges between them, blocks for a
/// collector by ascending node, blocks of a dealer by ascending node.
pub(crate) async fn exchange(
    port: &Port,
    team: Team,
    around: &Neighbors,
    chosen: &Chosen,
    send: &Outgoing,
    recv: &Blocks,
) -> Result<(), Error> {
    let mut rest = direct(port, team, around, send, recv, |peer, is_source| {
        !chosen.has(peer, is_source)
    })?;
    let call = Call {
        port,
        rank: team.rank,
        block: chosen.block,
        same: matches!(send, Outgoing::Same(_)),
        send,
        recv,
    };
    let mut collected = Vec::new();
    for route in chosen.outward() {
        match route.collector == team.rank {
            true => collected.push(call.collect(route)?),
            false => rest.push(port.send(route.collector, &call.pack(route)?)),
        }
    }
    let (dealt, delivered): (Vec<_>, Vec<_>) =
        chosen.inward().partition(|route| route.dealer == team.rank);
    let of_node = |route: &'_ Route| (route.collector, route.blocks(call.same));
    let dealt: Vec<_> = dealt
        .into_iter()
        .map(|it| call.expect(it, of_node(it)))
        .collect();
    let own = |route: &'_ Route| (route.dealer, route.own.len());
    let delivered: Vec<_> = delivered
        .into_iter()
        .map(|it| call.expect(it, own(it)))
        .collect();
    for bundle in collected {
        port.all(bundle.awaited).await?;
        rest.push(port.send(bundle.route.dealer, &Buffer::bytes(bundle.message)));
    }
    for bundle in dealt {
        port.all(bundle.awaited).await?;
        call.deal(bundle.route, bundle.message, &mut rest)?;
    }
    for bundle in delivered {
        port.all(bundle.awaited).await?;
        call.unpack(bundle.route, bundle.message, 0..)?;
    }
    port.all(rest).await
}

/// An exchange at one rank.
struct Call<'a> {
    port: &'a Port,
    rank: u32,
    /// Bytes of a block.
    block: usize,
    /// Whether all destinations of a rank get the same block.
    same: bool,
    send: &'a Outgoing,
    recv: &'a Blocks,
}

/// A message of a route, and what it waits for.
struct Bundle<'a> {
    route: &'a Route,
    message: UserBuf,
    awaited: Vec<Op>,
}

impl Call<'_> {
    fn part(&self, message: UserBuf, place: usize, blocks: usize) -> Buffer {
        Buffer::bytes(message.part(place * self.block, blocks * self.block))
    }

    /// Returns the own blocks of a route, one behind the other.
    fn pack(&self, route: &Route) -> Result<Buffer, Error> {
        if let Outgoing::Same(block) = self.send {
            return Ok(block.clone());
        }
        let packed = self.port.scratch(route.own.len() * self.block);
        for (place, own) in route.own.iter().enumerate() {
            copy(&self.send.block(*own), &self.part(packed, place, 1))?;
        }
        Ok(Buffer::bytes(packed))
    }

    /// Begins to collect the message of a route.
    fn collect<'r>(&self, route: &'r Route) -> Result<Bundle<'r>, Error> {
        let message = self.port.scratch(route.blocks(self.same) * self.block);
        let mut awaited = Vec::new();
        for (source, _) in &route.sources {
            let places = route.places_of(*source, self.same);
            let part = self.part(message, places.start, places.len());
            match *source == self.rank {
                true => copy(&self.pack(route)?, &part)?,
                false => awaited.push(self.port.recv(*source, &part)),
            }
        }
        Ok(Bundle {
            route,
            message,
            awaited,
        })
    }

    /// Begins to receive some blocks of a route.
    fn expect<'r>(&self, route: &'r Route, (from, blocks): (u32, usize)) -> Bundle<'r> {
        let message = self.port.scratch(blocks * self.block);
        Bundle {
            route,
            message,
            awaited: vec![self.port.recv(from, &Buffer::bytes(message))],
        }
    }

    /// Deals out the message of a route.
    fn deal(&self, route: &Route, message: UserBuf, sent: &mut Vec<Op>) -> Result<(), Error> {
        for destination in &route.destinations {
            let places = route.places_for(*destination, self.same);
            if *destination == self.rank {
                self.unpack(route, message, places)?;
                continue;
            }
            let places: Vec<usize> = places.collect();
            let packed = self.port.scratch(places.len() * self.block);
            for (at, place) in places.iter().enumerate() {
                copy(&self.part(message, *place, 1), &self.part(packed, at, 1))?;
            }
            sent.push(self.port.send(*destination, &Buffer::bytes(packed)));
        }
        Ok(())
    }

    /// Copies the own blocks of a route out of a message that has them at these places.
    fn unpack(
        &self,
        route: &Route,
        message: UserBuf,
        places: impl Iterator<Item = usize>,
    ) -> Result<(), Error> {
        for (place, own) in places.zip(&route.own) {
            copy(&self.part(message, place, 1), &self.recv.block(*own))?;
        }
        Ok(())
    }
}
