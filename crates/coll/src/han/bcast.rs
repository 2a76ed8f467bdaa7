//! Broadcast: short data among the leaders, then inside; long data through the row of all ranks.

use std::sync::Arc;

use datatype::Buffer;

use super::{row_segment, Nodes, ROW_LEAST, ROW_MOST};
use crate::bcast::{binomial, forward, pipeline, Links};
use crate::{Error, Port};

/// Most bytes that go by the leaders, each of which sends them on as a whole.
const LED_MAX: usize = 64 << 10;

/// Segments of data that goes down a tree of nodes: some for each level.
const TREE_SEGMENTS: usize = 32;

pub(crate) async fn bcast(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    buffer: &Buffer,
) -> Result<(), Error> {
    if let Some(segment) = row_segment(nodes.ranks(), buffer.len()) {
        let (row, team) = nodes.row_from(port, root);
        return pipeline(&row, team, 0, buffer, segment).await;
    }
    if !is_led(nodes, buffer.len()) {
        let segment = (buffer.len() / TREE_SEGMENTS).clamp(ROW_LEAST, ROW_MOST);
        return forward(port, &tree(nodes, root), buffer, segment).await;
    }
    between(port, nodes, root, buffer).await?;
    let (inside, team) = nodes.inside(port);
    binomial(&inside, team, nodes.leader_for(root), buffer).await
}

/// Whether a broadcast of `bytes` goes by the leaders.
pub(super) fn is_led(nodes: &Nodes, bytes: usize) -> bool {
    bytes <= LED_MAX && row_segment(nodes.ranks(), bytes).is_none()
}

/// The step among the leaders, if this rank is one.
pub(super) async fn between(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    buffer: &Buffer,
) -> Result<(), Error> {
    match nodes.parts(port, root).between {
        Some((between, team)) => binomial(&between, team, nodes.node_of(root), buffer).await,
        None => Ok(()),
    }
}

/// A binary tree of the nodes, each of which is entered at one rank, and a chain inside each.
fn tree(nodes: &Nodes, root: u32) -> Links {
    let (own, count, first) = (nodes.own(), nodes.count(), nodes.node_of(root));
    let node = |relative: u32| (first + relative) % count;
    let entry = |node: u32| match node == first {
        true => root,
        false => nodes.members(node)[0],
    };
    let members = nodes.own_members();
    let size = members.len();
    let at = |rank: u32| members.iter().position(|one| *one == rank).unwrap_or(0);
    let entered = at(entry(own));
    // Positions inside, counted from the one that is entered.
    let position = (nodes.inside_position() as usize + size - entered) % size;
    let inside = |position: usize| members[(entered + position) % size];
    let mut links = Links::default();
    if position == 0 {
        let relative = (own + count - first) % count;
        links.parent = (relative > 0).then(|| entry(node((relative - 1) / 2)));
        let below = [2 * relative + 1, 2 * relative + 2];
        let below = below.into_iter().filter(|relative| *relative < count);
        links
            .children
            .extend(below.map(|relative| entry(node(relative))));
    } else {
        links.parent = Some(inside(position - 1));
    }
    if position + 1 < size {
        links.children.push(inside(position + 1));
    }
    links
}
