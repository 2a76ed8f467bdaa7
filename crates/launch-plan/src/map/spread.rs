//! Assigns the ranks of one program to hosts and their objects.

use std::collections::HashMap;

use super::types::{Assignment, Demand, HostCapacity};
use crate::hosts::COUNT_MAX;
use crate::policy::{MapBy, Policy};
use crate::topology::Unit;
use crate::Error;

/// How many more ranks of a program a host takes.
#[derive(Clone, Copy)]
struct Left {
    node: usize,
    /// As long as it has free slots.
    free: u32,
    /// At most.
    most: u32,
}

/// The ranks of a program.
pub(super) struct Spread {
    /// Where they are, in the order in which they are put.
    pub assignments: Vec<Assignment>,
    /// Some host has more of them than it has free slots.
    pub oversubscribed: bool,
}

/// Puts the ranks of a program on hosts. `used` are the slots of each host that programs have
/// taken, and grows.
pub(super) fn spread(
    policy: &Policy,
    rooms: &[HostCapacity],
    slots: &[u32],
    program: &Demand,
    used: &mut [u32],
) -> Result<Spread, Error> {
    // With processors for each rank, a slot is a processor.
    let each = policy.processors.unwrap_or(1);
    let left = |part: &crate::allocation::HostShare| {
        let node = part.node;
        let free = slots[node].saturating_sub(used[node]);
        let most = rooms[node].max_slots.unwrap_or(u32::MAX);
        Left {
            node,
            free: free.min(part.slots.unwrap_or(u32::MAX)) / each,
            most: most.saturating_sub(used[node]) / each,
        }
    };
    let mut left: Vec<Left> = program.parts.iter().map(left).collect();
    left.iter_mut()
        .for_each(|left| left.free = left.free.min(left.most));
    let count = program
        .count
        .unwrap_or_else(|| natural_count(policy, rooms, &left));
    let before = left.clone();
    let nodes = match policy.map {
        MapBy::Each(size, unit) => {
            let assignments = each_object(count, size, unit, rooms, &left)?;
            return Ok(finish(assignments, &before, used, each));
        }
        MapBy::Slot if policy.span => in_order(deal(count, &mut left), &before),
        MapBy::Unit(unit) if policy.span => span(count, unit, rooms, &mut left),
        MapBy::Slot | MapBy::Unit(_) => fill(count, &mut left),
        MapBy::Node => deal(count, &mut left),
        MapBy::Rounds(size) => rounds(count, size, &mut left),
        MapBy::RankFile | MapBy::Sequence => unreachable!("a file says where ranks are put"),
    };
    let most = nodes.len() as u32;
    if most < count {
        return Err(Error::TooManyRanks { ranks: count, most });
    }
    let assignments = on_objects(policy, rooms, nodes);
    Ok(finish(assignments, &before, used, each))
}

fn finish(assignments: Vec<Assignment>, before: &[Left], used: &mut [u32], each: u32) -> Spread {
    let mut here = vec![0; used.len()];
    assignments
        .iter()
        .for_each(|assignment| here[assignment.node] += 1);
    let oversubscribed = before.iter().any(|left| here[left.node] > left.free);
    used.iter_mut()
        .zip(&here)
        .for_each(|(used, here)| *used += here * each);
    Spread {
        assignments,
        oversubscribed,
    }
}

/// How many ranks there are when nobody says: as many as there is room for.
fn natural_count(policy: &Policy, rooms: &[HostCapacity], left: &[Left]) -> u32 {
    let count = match policy.map {
        MapBy::Each(size, unit) => {
            let objects = left
                .iter()
                .map(|left| rooms[left.node].topology.count(unit));
            objects
                .map(|objects| u64::from(objects) * u64::from(size))
                .sum()
        }
        MapBy::Rounds(size) => left.len() as u64 * u64::from(size),
        _ => left.iter().map(|left| u64::from(left.free)).sum::<u64>(),
    };
    count.clamp(1, u64::from(COUNT_MAX)) as u32
}

/// Each host's free slots, then all hosts in turn. The ranks of a host are side by side.
fn fill(count: u32, left: &mut [Left]) -> Vec<usize> {
    let before = left.to_vec();
    let mut nodes = Vec::new();
    for left in left.iter_mut() {
        let take = left.free.min(count - nodes.len() as u32);
        nodes.extend(std::iter::repeat_n(left.node, take as usize));
        left.free -= take;
        left.most -= take;
    }
    nodes.extend(deal(count - nodes.len() as u32, left));
    in_order(nodes, &before)
}

/// One to each host in turn: those with free slots while there are any, then all that take more.
fn deal(count: u32, left: &mut [Left]) -> Vec<usize> {
    let mut nodes = Vec::new();
    while (nodes.len() as u32) < count {
        let any_free = left.iter().any(|left| left.free > 0);
        let before = nodes.len();
        for left in left.iter_mut() {
            let takes = if any_free {
                left.free > 0
            } else {
                left.most > 0
            };
            if takes && (nodes.len() as u32) < count {
                left.free = left.free.saturating_sub(1);
                left.most -= 1;
                nodes.push(left.node);
            }
        }
        if nodes.len() == before {
            break;
        }
    }
    nodes
}

/// Spreads ranks evenly over the objects of all hosts, with one more for the first ones. The ranks
/// of a host are adjacent.
fn span(count: u32, unit: Unit, rooms: &[HostCapacity], left: &mut [Left]) -> Vec<usize> {
    let before = left.to_vec();
    let objects = |left: &Left| rooms[left.node].topology.count(unit);
    let all: u32 = left.iter().map(objects).sum();
    let (few, mut more) = (count / all, count % all);
    let mut nodes = Vec::new();
    for left in left.iter_mut() {
        let own = objects(left);
        let extra = more.min(own);
        more -= extra;
        let take = (few.saturating_mul(own) + extra).min(left.most);
        nodes.extend(std::iter::repeat_n(left.node, take as usize));
        left.free = left.free.saturating_sub(take);
        left.most -= take;
    }
    nodes.extend(deal(count - nodes.len() as u32, left));
    in_order(nodes, &before)
}

/// `size` to each host in turn.
fn rounds(count: u32, size: u32, left: &mut [Left]) -> Vec<usize> {
    let mut nodes = Vec::new();
    while (nodes.len() as u32) < count && left.iter().any(|left| left.most > 0) {
        for left in left.iter_mut() {
            let take = size.min(left.most).min(count - nodes.len() as u32);
            left.most -= take;
            nodes.extend(std::iter::repeat_n(left.node, take as usize));
        }
    }
    nodes
}

/// `size` on each object of each host, up to `count` ranks.
fn each_object(
    count: u32,
    size: u32,
    unit: Unit,
    rooms: &[HostCapacity],
    left: &[Left],
) -> Result<Vec<Assignment>, Error> {
    let mut assignments = Vec::new();
    for left in left {
        let objects = rooms[left.node].topology.count(unit);
        let here = u64::from(objects) * u64::from(size);
        let here = here.min(u64::from(count) - assignments.len() as u64) as u32;
        if here > left.most {
            return Err(Error::TooManyRanks {
                ranks: here,
                most: left.most,
            });
        }
        let assignment = |nth: u32| Assignment {
            node: left.node,
            object: (unit != Unit::Node).then_some((unit, nth / size)),
        };
        assignments.extend((0..here).map(assignment));
    }
    match assignments.len() as u32 {
        made if made < count => Err(Error::TooManyRanks {
            ranks: count,
            most: made,
        }),
        _ => Ok(assignments),
    }
}

/// The ranks of each host side by side, hosts as the program has them.
fn in_order(mut nodes: Vec<usize>, hosts: &[Left]) -> Vec<usize> {
    let places: HashMap<usize, usize> = hosts.iter().map(|host| host.node).zip(0..).collect();
    nodes.sort_by_key(|node| places[node]);
    nodes
}

/// Puts the ranks of each host on its objects in turn.
fn on_objects(policy: &Policy, rooms: &[HostCapacity], nodes: Vec<usize>) -> Vec<Assignment> {
    let mut next = vec![0u32; rooms.len()];
    let assignment = |node: usize| {
        let MapBy::Unit(unit) = policy.map else {
            return Assignment { node, object: None };
        };
        let nth = next[node];
        next[node] += 1;
        let object = nth % rooms[node].topology.count(unit);
        Assignment {
            node,
            object: Some((unit, object)),
        }
    };
    nodes.into_iter().map(assignment).collect()
}
