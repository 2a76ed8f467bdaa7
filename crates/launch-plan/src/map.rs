//! Mapping of ranks: assigns each rank a host, a number and processors. No I/O.
//!
//! 1. [`spread`] assigns the ranks of each program to hosts, or to objects of these, in the order
//!    of `--map-by`.
//! 2. [`order`] numbers the ranks as `--rank-by` says, those of a program after those of the
//!    programs before it.
//! 3. [`bind`] assigns processors as `--bind-to` says.
//!
//! A host gets as many ranks as it has slots. If the job has more ranks, all hosts get one more
//! each in turn, but never more than `max_slots`.

mod bind;
pub mod fixed;
mod order;
mod spread;
mod types;

use crate::policy::{Bind, MapBy, Oversubscribe, Policy};
use crate::topology::Unit;
use crate::Error;

use types::Assignment;
pub use types::{Demand, HostCapacity, Map, Placement};

/// True when a map cannot be made before the processors of all hosts are known.
pub fn needs_topologies(policy: &Policy, slots: impl IntoIterator<Item = Option<u32>>) -> bool {
    let by_object = match policy.map {
        MapBy::Unit(unit) | MapBy::Each(_, unit) => unit != Unit::Node,
        MapBy::RankFile => true,
        MapBy::Slot | MapBy::Node | MapBy::Rounds(_) | MapBy::Sequence => false,
    };
    let counts_room = slots.into_iter().any(|slots| slots.is_none());
    let by_processor = policy.bind() != Bind::None || policy.only.is_some();
    by_object || counts_room || by_processor
}

/// Makes the map. `slots_are_given` says whether the slots were given: more ranks than slots are
/// worth a note then.
pub fn map(
    policy: &Policy,
    rooms: &[HostCapacity],
    programs: &[Demand],
    slots_are_given: bool,
) -> Result<Map, Error> {
    let slots: Vec<u32> = rooms.iter().map(|room| slots_of(room, policy)).collect();
    let mut used: Vec<u32> = rooms.iter().map(|room| room.used).collect();
    let mut assignments: Vec<(u32, Assignment)> = Vec::new();
    let mut oversubscribed = false;
    for (app, program) in programs.iter().enumerate() {
        let spread = spread::spread(policy, rooms, &slots, program, &mut used)?;
        oversubscribed |= spread.oversubscribed;
        let ordered = order::order(policy, rooms, spread.assignments);
        assignments.extend(
            ordered
                .into_iter()
                .map(|assignment| (app as u32, assignment)),
        );
    }
    let mut notes = Vec::new();
    let room: u64 = slots.iter().map(|&slots| u64::from(slots)).sum();
    if oversubscribed {
        let (ranks, slots) = (assignments.len() as u32, room);
        match policy.oversubscribe {
            Oversubscribe::Forbid => return Err(Error::TooFewSlots { ranks, slots }),
            Oversubscribe::Warn if slots_are_given => {
                let each = match policy.processors {
                    Some(each) => format!(" with {each} processors each"),
                    None => String::new(),
                };
                notes.push(format!(
                    "{ranks} ranks{each} on {slots} slots: some hosts have more ranks than slots \
                     (--oversubscribe says that this is meant, --nooversubscribe refuses it)"
                ));
            }
            _ => {}
        }
    }
    let only: Vec<Assignment> = assignments
        .iter()
        .map(|(_, assignment)| *assignment)
        .collect();
    let cpus = bind::bind(policy, rooms, &only, &mut notes);
    Ok(Map {
        placements: placements(assignments, cpus, rooms.len()),
        slots: room.min(u64::from(u32::MAX)) as u32,
        notes,
    })
}

/// Returns the slots of a host: those given, or one for each processor.
fn slots_of(room: &HostCapacity, policy: &Policy) -> u32 {
    room.slots.unwrap_or(room.topology.room(policy.processor))
}

/// Returns the placements, with the number of each rank among those of its host.
fn placements(
    assignments: Vec<(u32, Assignment)>,
    cpus: Vec<Vec<u32>>,
    nodes: usize,
) -> Vec<Placement> {
    let mut next = vec![0; nodes];
    let placement = |((app, assignment), cpus): ((u32, Assignment), Vec<u32>)| {
        let local_rank = next[assignment.node];
        next[assignment.node] += 1;
        Placement {
            app,
            node: assignment.node as u32,
            local_rank,
            cpus,
        }
    };
    assignments.into_iter().zip(cpus).map(placement).collect()
}

#[cfg(test)]
mod tests;
