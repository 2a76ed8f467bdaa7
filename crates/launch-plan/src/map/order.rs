//! Numbers the ranks of one program.

use std::collections::HashMap;

use super::types::{Assignment, HostCapacity};
use crate::policy::{Policy, RankBy};
use crate::topology::Unit;

/// The spots in the order of their ranks.
pub(super) fn order(
    policy: &Policy,
    rooms: &[HostCapacity],
    assignments: Vec<Assignment>,
) -> Vec<Assignment> {
    let Some(rank) = policy.rank else {
        return assignments;
    };
    let mut turns: HashMap<(usize, u32), u32> = HashMap::new();
    let mut keyed: Vec<([u32; 3], Assignment)> = Vec::with_capacity(assignments.len());
    for assignment in assignments {
        let node = assignment.node as u32;
        let object = match rank {
            RankBy::Slot | RankBy::Node => 0,
            RankBy::Fill | RankBy::Span => assignment.object.map_or(0, |(_, object)| object),
            RankBy::Unit(unit) => object_of(&rooms[assignment.node], assignment, unit),
        };
        let turn = turns.entry((assignment.node, object)).or_default();
        let is_wider = |unit| assignment.object.is_some_and(|(put_on, _)| put_on < unit);
        let key = match rank {
            RankBy::Slot => [node, 0, 0],
            RankBy::Fill => [node, object, 0],
            RankBy::Node | RankBy::Span => [*turn, node, object],
            // The units of one object come before those of the next.
            RankBy::Unit(unit) if is_wider(unit) => [node, object, 0],
            RankBy::Unit(_) => [node, *turn, object],
        };
        *turn += 1;
        keyed.push((key, assignment));
    }
    keyed.sort_by_key(|(key, _)| *key);
    keyed
        .into_iter()
        .map(|(_, assignment)| assignment)
        .collect()
}

/// Returns the object of this kind that the spot is on; the spot's own where that is wider.
fn object_of(room: &HostCapacity, assignment: Assignment, unit: Unit) -> u32 {
    let Some((put_on, object)) = assignment.object else {
        return 0;
    };
    let mut threads = room.topology.threads().iter();
    let first = threads.find(|thread| thread.number(put_on) == object);
    match first {
        Some(thread) if put_on >= unit => thread.number(unit),
        _ => object,
    }
}
