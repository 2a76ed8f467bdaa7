//! [`CollectiveSettings`]: how the collective accesses of a file are made.

use std::sync::Arc;

use ::io::hints::Hints;
use ::io::plan::Settings;
use ::io::{Direction, Neighbours};

/// How the collective accesses of a file are made; equal on all processes.
#[derive(Clone)]
pub(crate) struct CollectiveSettings {
    pub(crate) read: Settings,
    pub(crate) write: Settings,
    /// The processes whose memory this one reaches.
    pub(crate) neighbours: Option<Arc<dyn Neighbours>>,
}

impl CollectiveSettings {
    /// Returns the settings for one direction.
    pub(crate) fn settings(&self, direction: Direction) -> &Settings {
        match direction {
            Direction::Read => &self.read,
            Direction::Write => &self.write,
        }
    }

    /// Returns settings without aggregators, for a file that is being opened.
    pub(crate) fn undecided() -> CollectiveSettings {
        let hints = Hints::default();
        let settings = |direction| hints.settings(direction, Arc::new([]), 1, false);
        CollectiveSettings {
            read: settings(Direction::Read),
            write: settings(Direction::Write),
            neighbours: None,
        }
    }
}
