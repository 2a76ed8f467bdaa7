//! Binding: assigns each rank its processors.
//!
//! A rank is bound to an object of the requested kind that overlaps the object it is mapped to: the
//! first that has a processor left. If a host has more ranks than processors for that, its ranks
//! are not bound, since ranks bound to one processor only slow each other down; the user may allow
//! it. Processes of other parts of the job count as if they were bound.

use super::types::{Assignment, HostCapacity};
use crate::policy::{Bind, Policy};
use crate::topology::{Topology, Unit};

/// The processors of each rank; adds to `notes` what could not be granted.
pub(super) fn bind(
    policy: &Policy,
    rooms: &[HostCapacity],
    assignments: &[Assignment],
    notes: &mut Vec<String>,
) -> Vec<Vec<u32>> {
    let mut cpus = vec![Vec::new(); assignments.len()];
    let Bind::To(unit) = policy.bind() else {
        return cpus;
    };
    // Binding that only follows from where ranks are put is not worth a note.
    let is_asked = policy.bind.is_some() || policy.processors.is_some();
    let mut ranks_of: Vec<Vec<usize>> = vec![Vec::new(); rooms.len()];
    for (rank, assignment) in assignments.iter().enumerate() {
        ranks_of[assignment.node].push(rank);
    }
    for (room, ranks) in rooms.iter().zip(&ranks_of) {
        let mut machine = Machine::new(room.topology, policy, unit);
        let other = Assignment {
            node: 0,
            object: None,
        };
        let others = (0..room.used).all(|_| machine.serve(other).is_some());
        let serve = |&rank: &usize| machine.serve(assignments[rank]).filter(|_| others);
        let bound: Option<Vec<Vec<u32>>> = ranks.iter().map(serve).collect();
        match bound {
            Some(bound) => ranks
                .iter()
                .zip(bound)
                .for_each(|(&rank, own)| cpus[rank] = own),
            None if is_asked && !policy.if_supported => {
                let places = room.topology.count(policy.processor);
                let what = plural(policy.processor, places);
                let many = ranks.len();
                let wanted = match policy.processors {
                    Some(each) => format!(" with {each} each"),
                    None => String::new(),
                };
                notes.push(format!(
                    "{}: {many} ranks{wanted} on {places} {what}: its ranks are not bound \
                     (--bind-to {}:overload-allowed binds them all the same)",
                    room.name,
                    unit.name()
                ));
            }
            None => {}
        }
    }
    cpus
}

fn plural(unit: Unit, count: u32) -> &'static str {
    match (unit, count) {
        (Unit::Thread, 1) => "hardware thread",
        (Unit::Thread, _) => "hardware threads",
        (_, 1) => "core",
        _ => "cores",
    }
}

/// A host while its processors are given away.
struct Machine<'a> {
    topology: &'a Topology,
    /// Cores or hardware threads: what is counted.
    processors: Vec<Vec<u32>>,
    /// How many ranks have each of them.
    taken: Vec<u32>,
    /// The kind of object to bind to.
    unit: Unit,
    each: Option<u32>,
    overload: bool,
    /// The processors of each object of that kind.
    objects: Vec<Vec<u32>>,
    /// Ranks for which each host has processors.
    room: Vec<u32>,
    /// How many ranks are bound to each.
    bound: Vec<u32>,
}

impl<'a> Machine<'a> {
    fn new(topology: &'a Topology, policy: &Policy, unit: Unit) -> Machine<'a> {
        // A single hardware thread can only be bound to when those are what counts.
        let counted = policy.processor.max(match unit {
            Unit::Thread => Unit::Thread,
            _ => Unit::Core,
        });
        let processors = topology.objects(counted);
        let mut room = vec![0; topology.count(unit) as usize];
        let mut last = None;
        for thread in topology.threads() {
            // Those of a processor are side by side, in one object or in several.
            let here = Some((thread.number(unit), thread.number(counted)));
            if last != here {
                room[thread.number(unit) as usize] += 1;
                last = here;
            }
        }
        Machine {
            topology,
            taken: vec![0; processors.len()],
            processors,
            unit,
            each: policy.processors,
            overload: policy.overload,
            objects: topology.objects(unit),
            bound: vec![0; room.len()],
            room,
        }
    }

    /// The processors of the next rank; `None` when there are too few.
    fn serve(&mut self, assignment: Assignment) -> Option<Vec<u32>> {
        let near: Option<Vec<u32>> = assignment
            .object
            .map(|(unit, object)| self.topology.objects(unit)[object as usize].clone());
        let is_near = |cpus: &[u32]| {
            near.as_ref()
                .is_none_or(|near| cpus.iter().any(|cpu| near.contains(cpu)))
        };
        match self.each {
            Some(each) => {
                let own: Vec<usize> = (0..self.processors.len())
                    .filter(|&at| is_near(&self.processors[at]))
                    .collect();
                self.take(own, each as usize)
            }
            None => {
                let near = (0..self.objects.len()).filter(|&at| is_near(&self.objects[at]));
                self.bind_to(near.collect())
            }
        }
    }

    /// Binds to `each` of the processors `own`, those with the fewest ranks first.
    fn take(&mut self, mut own: Vec<usize>, each: usize) -> Option<Vec<u32>> {
        own.sort_by_key(|&at| (self.taken[at], at));
        own.truncate(each);
        if own.len() < each || own.iter().any(|&at| self.taken[at] > 0) && !self.overload {
            return None;
        }
        own.iter().for_each(|&at| self.taken[at] += 1);
        let mut cpus: Vec<u32> = own
            .iter()
            .flat_map(|&at| self.processors[at].clone())
            .collect();
        if self.unit < Unit::Core {
            // Bound to wider objects: all of those that the processors are in.
            let has_one = |object: &&Vec<u32>| object.iter().any(|cpu| cpus.contains(cpu));
            cpus = self
                .objects
                .iter()
                .filter(has_one)
                .flatten()
                .copied()
                .collect();
        }
        Some(sorted(cpus))
    }

    /// Binds to one of the objects `near`: the first with a processor for one more rank, else the
    /// one with the fewest ranks.
    fn bind_to(&mut self, near: Vec<usize>) -> Option<Vec<u32>> {
        let free = near
            .iter()
            .copied()
            .find(|&at| self.bound[at] < self.room[at]);
        let at = match free {
            Some(at) => at,
            None if self.overload => near.into_iter().min_by_key(|&at| self.bound[at])?,
            None => return None,
        };
        self.bound[at] += 1;
        Some(sorted(self.objects[at].clone()))
    }
}

fn sorted(mut cpus: Vec<u32>) -> Vec<u32> {
    cpus.sort_unstable();
    cpus
}
