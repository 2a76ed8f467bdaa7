//! A map from a rank file, which says for each rank where it runs.

use super::{bind, placements, slots_of, Assignment, Demand, HostCapacity, Map};
use crate::policy::Policy;
use crate::rankfile::Line;
use crate::topology::Unit;
use crate::Error;

/// The place of a rank, as a file has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixed {
    /// The rank's host.
    pub node: usize,
    /// The rank's line in a rank file, which gives its processors too.
    pub line: Option<Line>,
}

/// Makes the map: the ranks of each program follow those of the one before it.
pub fn map(
    policy: &Policy,
    rooms: &[HostCapacity],
    programs: &[Demand],
    fixed: &[Fixed],
) -> Result<Map, Error> {
    let mut apps: Vec<u32> = Vec::new();
    for (app, program) in programs.iter().enumerate() {
        let rest = fixed.len().saturating_sub(apps.len()) as u32;
        let count = program.count.unwrap_or(rest);
        apps.extend(std::iter::repeat_n(app as u32, count as usize));
    }
    if apps.is_empty() || apps.len() > fixed.len() {
        return Err(Error::TooFewLines {
            ranks: apps.len().max(1) as u32,
            lines: fixed.len(),
        });
    }
    let plain = |fixed: &Fixed| Assignment {
        node: fixed.node,
        object: None,
    };
    let assignments: Vec<Assignment> = fixed[..apps.len()].iter().map(plain).collect();
    let mut notes = Vec::new();
    let mut cpus = bind::bind(policy, rooms, &assignments, &mut notes);
    let processor = policy.processor.max(Unit::Core);
    for (cpus, fixed) in cpus.iter_mut().zip(fixed) {
        if let Some(line) = &fixed.line {
            *cpus = line.cpus(rooms[fixed.node].topology, processor)?;
        }
    }
    let slots = rooms.iter().map(|room| slots_of(room, policy));
    Ok(Map {
        placements: placements(
            apps.into_iter().zip(assignments).collect(),
            cpus,
            rooms.len(),
        ),
        slots: slots.fold(0, u32::saturating_add),
        notes,
    })
}
