//! Broadcast: among the leaders, then inside; long data in segments that do both at once.

use std::sync::Arc;

use datatype::Buffer;

use super::{part_rules, Nodes, CHAIN_MAX};
use crate::bcast::{any, forward, Links};
use crate::rules::Bcast;
use crate::{Error, Port};

pub(crate) async fn bcast(
    port: &Port,
    nodes: &Arc<Nodes>,
    root: u32,
    buffer: &Buffer,
    segment: usize,
) -> Result<(), Error> {
    let rules = part_rules();
    match rules.bcast(nodes.count(), buffer.len()) {
        Bcast::Binomial => {}
        _ if nodes.count() <= CHAIN_MAX => {
            return forward(port, &chain(nodes, root), buffer, segment).await;
        }
        _ => {}
    }
    let parts = nodes.parts(port, root);
    if let Some((between, team)) = &parts.between {
        any(between, &rules, *team, nodes.node_of(root), buffer).await?;
    }
    let (inside, team) = &parts.inside;
    any(inside, &rules, *team, parts.leader, buffer).await
}

/// A chain of the nodes, each of which is entered at one rank, and a chain inside each.
fn chain(nodes: &Nodes, root: u32) -> Links {
    let (own, count, first) = (nodes.own(), nodes.count(), nodes.node_of(root));
    let entry = |node: u32| match node == first {
        true => root,
        false => nodes.members(node)[0],
    };
    let members = nodes.own_members();
    let size = members.len();
    let at = |rank: u32| members.iter().position(|one| *one == rank).unwrap_or(0);
    let relative = (own + count - first) % count;
    let entered = at(entry(own));
    // Positions inside, counted from the one that is entered.
    let position = (nodes.inside_position() as usize + size - entered) % size;
    let inside = |position: usize| members[(entered + position) % size];
    let mut links = Links::default();
    if position == 0 {
        links.parent = (relative > 0).then(|| entry((own + count - 1) % count));
        if relative + 1 < count {
            links.children.push(entry((own + 1) % count));
        }
    } else {
        links.parent = Some(inside(position - 1));
    }
    if position + 1 < size {
        links.children.push(inside(position + 1));
    }
    links
}
