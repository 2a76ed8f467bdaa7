//! [`Together`]: how the collective accesses of a file are made.

use std::sync::Arc;

use ::io::hints::Hints;
use ::io::plan::Settings;
use ::io::{Direction, Neighbours};

/// How the collective accesses of a file are made; equal on all processes.
#[derive(Clone)]
pub(crate) struct Together {
    pub(crate) read: Settings,
    pub(crate) write: Settings,
    /// The processes whose memory this one reaches.
    pub(crate) neighbours: Option<Arc<dyn Neighbours>>,
}

impl Together {
    pub(crate) fn settings(&self, direction: Direction) -> &Settings {
        match direction {
            Direction::Read => &self.read,
            Direction::Write => &self.write,
        }
    }

    /// No aggregators yet.
    pub(crate) fn undecided() -> Together {
        let hints = Hints::default();
        let settings = |direction| hints.settings(direction, Arc::new([]), 1, false);
        Together {
            read: settings(Direction::Read),
            write: settings(Direction::Write),
            neighbours: None,
        }
    }
}
