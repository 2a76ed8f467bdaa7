//! Events: what is rare and worth a callback (MPI 5.0, 15.3.8). None is on the path of a message.

use base::tool_event::ToolEvent;
use mca::Framework;

use crate::control::Controls;
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
    pub framework: Framework,
    /// Audience, 1 to 9, as that of a parameter.
    pub level: u8,
    /// The elements of the event, each with its type and its name.
    pub elements: &'static [(Type, &'static str)],
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

/// Position of the event of a connection that was made again.
pub const CONNECTED_AGAIN: usize = 3;
/// Position of the event of a collective whose algorithm has changed.
pub const ALGORITHM_CHOSEN: usize = 4;
/// Position of the event of a mechanism that is not used any more.
pub const GIVEN_UP: usize = 5;

/// Mechanisms that may be given up, by the number that the event reports.
const MECHANISMS: [&str; 4] = ["xpmem", "cma", "knem", "collective_copies"];

/// All types of events.
pub const ALL: &[Event] = &[
    Event {
        name: "call_failed",
        help: "An MPI call has failed, before its error handler is called: the error code",
        framework: Framework::Mpi,
        level: 1,
        elements: &[(Type::Int, "error_code")],
    },
    Event {
        name: "peer_failed",
        help: "A call has failed since processes were given up: how many were, in all",
        framework: Framework::Pml,
        level: 1,
        elements: &[(Type::Count, "given_up")],
    },
    Event {
        name: "control_written",
        help: "A tool has written a control variable: its index",
        framework: Framework::Mca,
        level: 4,
        elements: &[(Type::Int, "control")],
    },
    Event {
        name: "connected_again",
        help: "A connection of TCP that broke was made again: the number of the process, which is \
               its rank in the world where it is one of this job's",
        framework: Framework::Btl,
        level: 4,
        elements: &[(Type::Int, "process")],
    },
    Event {
        name: "algorithm_chosen",
        help:
            "A collective over messages goes by another algorithm than the last of its kind: the \
               index of the control variable that forces its algorithm, the value that would force \
               this one (-1: none does), the processes of the communicator, and the bytes that \
               were counted",
        framework: Framework::Coll,
        level: 4,
        elements: &[
            (Type::Int, "control"),
            (Type::Int, "value"),
            (Type::Int, "ranks"),
            (Type::Count, "bytes"),
        ],
    },
    Event {
        name: "mechanism_given_up",
        help: "Something that has served is not used any more: 0 for copies between processes by \
               xpmem, 1 by cma, 2 by knem, 3 for copies by the kernel within collectives",
        framework: Framework::Smsc,
        level: 4,
        elements: &[(Type::Int, "mechanism")],
    },
];

/// Returns the MPI_T event of an event of the library, and the values of its elements.
pub fn of_tool_event(event: &ToolEvent, controls: &Controls) -> (usize, Vec<i64>) {
    let position = |at: Option<usize>| at.map_or(-1, |at| at as i64);
    match event {
        ToolEvent::ConnectedAgain(peer) => (CONNECTED_AGAIN, vec![i64::from(peer.0)]),
        ToolEvent::AlgorithmChosen(choice) => {
            let control = controls.find(choice.parameter);
            let words = control.map(|at| &controls.all()[at].words);
            let value = words.and_then(|words| crate::position(words.iter().copied(), choice.word));
            let (ranks, bytes) = (i64::from(choice.ranks), choice.bytes as i64);
            let elements = vec![position(control), position(value), ranks, bytes];
            (ALGORITHM_CHOSEN, elements)
        }
        ToolEvent::GivenUp(name) => {
            let at = crate::position(MECHANISMS, name);
            (GIVEN_UP, vec![position(at)])
        }
    }
}

impl Event {
    /// Returns the displacement of each element in a copy of an event, and the size of the copy.
    pub fn layout(&self) -> (Vec<usize>, usize) {
        let mut end = 0usize;
        let mut displacements = Vec::new();
        for (ty, _) in self.elements {
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
        let (ty, _) = *ALL[self.event].elements.get(at)?;
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
        let places = [
            CALL_FAILED,
            PEER_FAILED,
            CONTROL_WRITTEN,
            CONNECTED_AGAIN,
            ALGORITHM_CHOSEN,
            GIVEN_UP,
        ];
        let names = [
            "call_failed",
            "peer_failed",
            "control_written",
            "connected_again",
            "algorithm_chosen",
            "mechanism_given_up",
        ];
        assert_eq!(names.map(find), places.map(Some));
        assert_eq!(ALL.len(), places.len());
    }

    #[test]
    fn mechanisms_have_the_numbers_that_the_help_says() {
        let parts = [
            "0 for copies between processes by xpmem",
            "1 by cma",
            "2 by knem",
            "3 for ",
        ];
        let controls = Controls::new(&mca::Registry::new(&[]), |_| false);
        for (number, (part, name)) in parts.iter().zip(MECHANISMS).enumerate() {
            assert!(ALL[GIVEN_UP].help.contains(part), "{part}");
            let (event, elements) = of_tool_event(&ToolEvent::GivenUp(name), &controls);
            assert_eq!((event, elements), (GIVEN_UP, vec![number as i64]));
        }
    }

    #[test]
    fn an_algorithm_is_reported_by_its_parameter_and_its_word() {
        const WORDS: &[&str] = &["ignore", "linear", "ring"];
        const PARAMS: &[mca::Param] = &[
            mca::Param::choice("coll_a_algorithm", "ignore", WORDS, 5, "a"),
            mca::Param::choice("coll_b_algorithm", "ignore", WORDS, 5, "b"),
        ];
        let controls = Controls::new(&mca::Registry::new(&[PARAMS]), |_| false);
        let chosen = |word| {
            let algorithm = base::tool_event::Algorithm {
                parameter: "coll_b_algorithm",
                word,
                ranks: 3,
                bytes: 1 << 33,
            };
            of_tool_event(&ToolEvent::AlgorithmChosen(algorithm), &controls).1
        };
        let control = controls.find("coll_b_algorithm").unwrap() as i64;
        assert_eq!(chosen("ring"), [control, 2, 3, 1 << 33]);
        assert_eq!(chosen("another"), [control, -1, 3, 1 << 33]);
    }

    #[test]
    fn elements_lie_at_their_displacements() {
        const EVENT: Event = Event {
            name: "",
            help: "",
            framework: Framework::Mpi,
            level: 1,
            elements: &[(Type::Int, "a"), (Type::Count, "b"), (Type::Char, "c")],
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
