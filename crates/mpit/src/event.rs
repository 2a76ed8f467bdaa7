//! Events: what is rare and worth a callback (MPI 5.0, 15.3.8). None is on the path of a message.

use crate::Type;

/// The name of the only source of events, whose clock counts nanoseconds.
pub const SOURCE: &str = "oxmpi";

/// Description of the source.
pub const SOURCE_HELP: &str = "Events of the library in this process, in their order";

/// Ticks of the source's clock in a second.
pub const TICKS_PER_SECOND: i64 = 1_000_000_000;

/// A type of event.
pub struct Event {
    /// The name.
    pub name: &'static str,
    /// When it is raised, and what its elements are.
    pub help: &'static str,
    /// The framework that raises it.
    pub framework: &'static str,
    /// Audience, 1 to 9, as that of a parameter.
    pub level: u8,
    /// Types of its elements.
    pub elements: &'static [Type],
}

/// An event of a [`Event`] that has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// Position of its type in [`ALL`].
    pub event: usize,
    /// When it happened, in nanoseconds.
    pub time: i64,
    /// Values of its elements.
    pub elements: Vec<i64>,
}

/// Position of the event of a call that has failed.
pub const CALL_FAILED: usize = 0;
/// Position of the event of a process that was given up.
pub const PEER_FAILED: usize = 1;
/// Position of the event of a control variable that was written.
pub const CONTROL_WRITTEN: usize = 2;

/// All types of events.
pub const ALL: &[Event] = &[
    Event {
        name: "call_failed",
        help: "An MPI call has failed, before its error handler is called: the error code",
        framework: "mpi",
        level: 1,
        elements: &[Type::Int],
    },
    Event {
        name: "peer_failed",
        help: "A call has failed since processes were given up: how many were, in all",
        framework: "pml",
        level: 1,
        elements: &[Type::Count],
    },
    Event {
        name: "control_written",
        help: "A tool has written a control variable: its index",
        framework: "mca",
        level: 4,
        elements: &[Type::Int],
    },
];

impl Event {
    /// Returns the displacement of each element in a copy of an event, and the size of the copy.
    pub fn layout(&self) -> (Vec<usize>, usize) {
        let mut end = 0usize;
        let mut displacements = Vec::new();
        for ty in self.elements {
            let size = size(*ty);
            end = end.next_multiple_of(size);
            displacements.push(end);
            end += size;
        }
        (displacements, end)
    }
}

impl Instance {
    /// Returns the bytes of an element, as C reads it.
    pub fn element(&self, at: usize) -> Option<Vec<u8>> {
        let ty = *ALL[self.event].elements.get(at)?;
        let value = *self.elements.get(at)?;
        Some(match ty {
            Type::Int => (value as i32).to_ne_bytes().to_vec(),
            Type::Count | Type::UnsignedLong => value.to_ne_bytes().to_vec(),
            Type::Char => vec![value as u8],
        })
    }

    /// Returns the bytes of all elements, at their displacements.
    pub fn copy(&self) -> Vec<u8> {
        let (displacements, size) = ALL[self.event].layout();
        let mut bytes = vec![0; size];
        for (at, displacement) in displacements.into_iter().enumerate() {
            if let Some(element) = self.element(at) {
                bytes[displacement..displacement + element.len()].copy_from_slice(&element);
            }
        }
        bytes
    }
}

/// Returns the position of a name.
pub fn find(name: &str) -> Option<usize> {
    crate::position(ALL.iter().map(|one| one.name), name)
}

fn size(ty: Type) -> usize {
    match ty {
        Type::Int => 4,
        Type::Count | Type::UnsignedLong => 8,
        Type::Char => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_those_of_the_names() {
        let places = [CALL_FAILED, PEER_FAILED, CONTROL_WRITTEN];
        let names = ["call_failed", "peer_failed", "control_written"];
        assert_eq!(names.map(find), places.map(Some));
        assert_eq!(ALL.len(), places.len());
    }

    #[test]
    fn elements_lie_at_their_displacements() {
        const EVENT: Event = Event {
            name: "",
            help: "",
            framework: "",
            level: 1,
            elements: &[Type::Int, Type::Count, Type::Char],
        };
        assert_eq!(EVENT.layout(), (vec![0, 8, 16], 17));
        let failed = Instance {
            event: CALL_FAILED,
            time: 0,
            elements: vec![-7],
        };
        assert_eq!(failed.copy(), (-7i32).to_ne_bytes());
        assert_eq!(failed.element(1), None);
    }
}
