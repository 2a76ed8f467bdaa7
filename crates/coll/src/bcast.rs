//! Broadcast: the data of one rank to all.
//!
//! The type signature is the same on all ranks while counts and types may differ (MPI 5.0, 6.4), so
//! data is cut in packed bytes.

use std::collections::VecDeque;

use datatype::Buffer;

use crate::data::{bytes_of, share, Stage};
use crate::rules::{Bcast, Rules};
use crate::team::doublings;
use crate::{Error, Inter, InterRoot, Peer, Port, Running, Team};

/// Segments that a rank of the pipeline holds at once.
const PIPELINE_DEPTH: usize = 4;

/// Broadcasts by an algorithm without nodes.
pub(crate) fn flat(
    port: &Port,
    rules: &Rules,
    algorithm: Bcast,
    team: Team,
    root: u32,
    buffer: Buffer,
) -> Running {
    match algorithm {
        Bcast::Linear => running!(port, linear(&port, team, root, &buffer)),
        Bcast::Binomial | Bcast::Hierarchical => {
            running!(port, binomial(&port, team, root, &buffer))
        }
        Bcast::Pipeline => {
            let segment = rules.bcast_segment(team.size, buffer.len());
            running!(port, pipeline(&port, team, root, &buffer, segment))
        }
        Bcast::ScatterAllgather => {
            running!(port, scatter_allgather(&port, team, root, &buffer, false))
        }
        Bcast::ScatterAllgatherRing => {
            running!(port, scatter_allgather(&port, team, root, &buffer, true))
        }
    }
}

/// MPI_BCAST on an inter-communicator: from one rank to all of the other group.
pub fn inter_bcast(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    root: InterRoot,
    buffer: Buffer,
) -> Running {
    let rules = rules.clone();
    running!(
        port,
        inter_through_leader(&port, &rules, inter, root, &buffer)
    )
}

async fn inter_through_leader(
    port: &Port,
    rules: &Rules,
    inter: Inter,
    root: InterRoot,
    buffer: &Buffer,
) -> Result<(), Error> {
    match root {
        InterRoot::Elsewhere => Ok(()),
        InterRoot::Here => port.wait(port.send(Peer::remote(0), buffer)).await,
        InterRoot::Remote(root) => {
            if inter.rank == 0 {
                port.wait(port.recv(Peer::remote(root), buffer)).await?;
            }
            any(port, rules, inter.local(), 0, buffer).await
        }
    }
}

/// The broadcast that the rules choose, as a part of another collective.
pub(crate) async fn any(
    port: &Port,
    rules: &Rules,
    team: Team,
    root: u32,
    buffer: &Buffer,
) -> Result<(), Error> {
    match rules.flat_bcast(team.size, buffer.len()) {
        Bcast::Linear => linear(port, team, root, buffer).await,
        Bcast::Binomial | Bcast::Hierarchical => binomial(port, team, root, buffer).await,
        Bcast::Pipeline => {
            let segment = rules.bcast_segment(team.size, buffer.len());
            pipeline(port, team, root, buffer, segment).await
        }
        Bcast::ScatterAllgather => scatter_allgather(port, team, root, buffer, false).await,
        Bcast::ScatterAllgatherRing => scatter_allgather(port, team, root, buffer, true).await,
    }
}

async fn linear(port: &Port, team: Team, root: u32, buffer: &Buffer) -> Result<(), Error> {
    if team.rank != root {
        return port.wait(port.recv(root, buffer)).await;
    }
    let others = (1..team.size).map(|relative| team.absolute(relative, root));
    let sends: Vec<_> = others.map(|rank| port.send(rank, buffer)).collect();
    port.all(sends).await
}

/// A binomial tree: a rank that has the data sends it on, to the farthest first.
pub(crate) async fn binomial(
    port: &Port,
    team: Team,
    root: u32,
    buffer: &Buffer,
) -> Result<(), Error> {
    let relative = team.relative(root);
    let mut reach = team.size.next_power_of_two();
    if relative != 0 {
        reach = 1 << relative.trailing_zeros();
        port.wait(port.recv(team.absolute(relative - reach, root), buffer))
            .await?;
    }
    let children = doublings(reach)
        .rev()
        .filter(|mask| mask + relative < team.size);
    if team.size <= 2 {
        // The usual pair of ranks needs no list.
        for mask in children {
            port.wait(port.send(team.absolute(relative + mask, root), buffer))
                .await?;
        }
        return Ok(());
    }
    let children = children.map(|mask| team.absolute(relative + mask, root));
    let sends: Vec<_> = children.map(|rank| port.send(rank, buffer)).collect();
    port.all(sends).await
}

/// A rank's neighbours in a tree that segments run down.
#[derive(Default)]
pub(crate) struct Links {
    /// Where the data comes from; `None` at the root.
    pub parent: Option<u32>,
    /// Where it goes.
    pub children: Vec<u32>,
}

/// A chain of ranks through which the segments run, one behind the other.
pub(crate) async fn pipeline(
    port: &Port,
    team: Team,
    root: u32,
    buffer: &Buffer,
    segment: usize,
) -> Result<(), Error> {
    let relative = team.relative(root);
    let links = Links {
        parent: (relative != 0).then(|| team.minus(1)),
        children: match relative + 1 == team.size {
            true => Vec::new(),
            false => vec![team.plus(1)],
        },
    };
    forward(port, &links, buffer, segment).await
}

/// Segments run down a tree, one behind the other.
pub(crate) async fn forward(
    port: &Port,
    links: &Links,
    buffer: &Buffer,
    segment: usize,
) -> Result<(), Error> {
    let stage = Stage::new(port, buffer, links.parent.is_none())?;
    let len = buffer.len();
    let segment = segment.max(1);
    let parts = (0..len.div_ceil(segment)).map(|index| {
        let from = index * segment;
        stage.part(from, segment.min(len - from))
    });
    let mut expected = VecDeque::new();
    let mut ahead = parts.clone();
    if let Some(parent) = links.parent {
        for part in ahead.by_ref().take(PIPELINE_DEPTH) {
            expected.push_back(port.recv(parent, &part));
        }
    }
    let sends_max = PIPELINE_DEPTH * links.children.len();
    let mut sends = VecDeque::new();
    for part in parts {
        if let (Some(parent), Some(next)) = (links.parent, expected.pop_front()) {
            port.wait(next).await?;
            if let Some(next) = ahead.next() {
                expected.push_back(port.recv(parent, &next));
            }
        }
        for child in &links.children {
            if sends.len() == sends_max {
                port.wait(sends.pop_front().expect("a full queue")).await?;
            }
            sends.push_back(port.send(*child, &part));
        }
    }
    port.all(Vec::from(sends)).await?;
    match links.parent {
        Some(_) => stage.finish(),
        None => Ok(()),
    }
}

/// Deals the bytes out to all ranks along a binomial tree, then collects them everywhere.
///
/// Piece `i` is dealt to the rank `i` places after the root.
async fn scatter_allgather(
    port: &Port,
    team: Team,
    root: u32,
    buffer: &Buffer,
    ring: bool,
) -> Result<(), Error> {
    let relative = team.relative(root);
    let stage = Stage::new(port, buffer, relative == 0)?;
    let (len, size) = (buffer.len(), team.size);
    let pieces = |first: u32, end: u32| {
        let end = end.min(size);
        bytes_of(
            stage.bytes,
            share(len, size, first).start..share(len, size, end - 1).end,
        )
    };

    let mut reach = size.next_power_of_two();
    if relative != 0 {
        reach = 1 << relative.trailing_zeros();
        let parent = team.absolute(relative - reach, root);
        port.wait(port.recv(parent, &pieces(relative, relative + reach)))
            .await?;
    }
    let mut sends = Vec::new();
    for mask in doublings(reach).rev().filter(|mask| mask + relative < size) {
        let child = relative + mask;
        sends.push(port.send(team.absolute(child, root), &pieces(child, child + mask)));
    }
    port.all(sends).await?;

    if ring || !size.is_power_of_two() {
        let (left, right) = (team.minus(1), team.plus(1));
        for step in 0..size - 1 {
            let outgoing = (relative + size - step) % size;
            let incoming = (relative + size - step - 1) % size;
            let (outgoing, incoming) = (
                pieces(outgoing, outgoing + 1),
                pieces(incoming, incoming + 1),
            );
            port.exchange(right, &outgoing, left, &incoming).await?;
        }
    } else {
        for mask in doublings(size) {
            let mine = relative & !(mask - 1);
            let theirs = mine ^ mask;
            let partner = team.absolute(relative ^ mask, root);
            let (outgoing, incoming) = (pieces(mine, mine + mask), pieces(theirs, theirs + mask));
            port.exchange(partner, &outgoing, partner, &incoming)
                .await?;
        }
    }
    stage.finish()
}
