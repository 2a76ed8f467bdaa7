//! Events of a job, and the actions that they call for.

use bootstrap::codec;
use bootstrap::native::wire::{Meet, Reply};
use serde::{Deserialize, Serialize};

/// Events of a job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Event {
    /// The rank's process exists.
    Started {
        /// The rank.
        rank: u32,
        /// The rank's process id.
        pid: u32,
    },
    /// A process of the rank has sent a hello.
    Hello {
        /// The rank.
        rank: u32,
        /// The process id; differs from the started process if that is a shell.
        pid: u32,
    },
    /// The rank entered a fence with these entries.
    Fence {
        /// The rank.
        rank: u32,
        /// The rank's published values, in wire form.
        entries: Vec<u8>,
    },
    /// The rank entered a meeting.
    Meet {
        /// The rank.
        rank: u32,
        /// The meeting, and the rank's value.
        meet: Meet,
    },
    /// The rank has finished with its peers.
    Finalize {
        /// The rank.
        rank: u32,
    },
    /// The rank requests that the job end.
    Abort {
        /// The rank.
        rank: u32,
        /// The exit code for the job.
        code: i32,
        /// Whether the end of another rank may be the cause.
        in_doubt: bool,
        /// The rank's text for the user; may be empty.
        #[serde(with = "codec::reason")]
        reason: String,
    },
    /// The rank sent what the protocol does not allow.
    Malformed {
        /// The rank.
        rank: u32,
        /// The message.
        #[serde(with = "codec::reason")]
        detail: String,
    },
    /// The rank's process ended.
    Exited {
        /// The rank.
        rank: u32,
        /// How it ended.
        how: How,
    },
    /// A host cannot start its ranks, or cannot go on; ranks that it has started are still
    /// reported.
    Refused {
        /// The host's ranks.
        ranks: Vec<u32>,
        /// The error.
        text: String,
    },
    /// A host is gone with its ranks.
    Lost {
        /// The ranks.
        ranks: Vec<u32>,
        /// The cause, as far as it is known.
        text: String,
    },
    /// The launcher got a signal to end the job; SIGPIPE when nobody reads its output.
    Interrupted {
        /// The signal's number.
        signal: i32,
    },
    /// The output of the ranks cannot be written.
    Unwritable {
        /// Where, and why.
        text: String,
    },
    /// Time passed.
    Time,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum How {
    /// With an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
}

/// Actions for the driver of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Send all ranks what all published.
    Release {
        /// The body of the frame.
        body: Vec<u8>,
    },
    /// Send the members of a meeting what all of them brought.
    Met {
        /// The members, and what each called the meeting.
        tickets: Vec<(u32, u32)>,
        /// The values, in the order of the members.
        values: Vec<Vec<u8>>,
    },
    /// Order all hosts to delay no message.
    Hurry,
    /// Notify all other ranks that one has died; those that send their hello later are notified
    /// after their welcome.
    Gone {
        /// The rank that died.
        rank: u32,
        /// How: one clause.
        why: String,
    },
    /// Send a frame to one rank.
    Reply {
        /// The rank.
        rank: u32,
        /// The frame.
        reply: Reply,
    },
    /// Start a rank that was killed again.
    Restart {
        /// The rank.
        rank: u32,
        /// The number of its life, counted from 1.
        life: u32,
    },
    /// Send a signal to the process groups of all ranks.
    SignalAll {
        /// The signal's number.
        signal: i32,
    },
    /// Print a text for the user.
    Say(String),
}

impl Event {
    /// The rank that it is about, where it is about one.
    pub fn rank(&self) -> Option<u32> {
        match self {
            Event::Started { rank, .. }
            | Event::Hello { rank, .. }
            | Event::Fence { rank, .. }
            | Event::Meet { rank, .. }
            | Event::Finalize { rank }
            | Event::Abort { rank, .. }
            | Event::Malformed { rank, .. }
            | Event::Exited { rank, .. } => Some(*rank),
            Event::Refused { .. }
            | Event::Lost { .. }
            | Event::Interrupted { .. }
            | Event::Unwritable { .. }
            | Event::Time => None,
        }
    }

    /// The ranks that it is about.
    pub(super) fn ranks(&self) -> Vec<u32> {
        match self {
            Event::Refused { ranks, .. } | Event::Lost { ranks, .. } => ranks.clone(),
            event => event.rank().into_iter().collect(),
        }
    }

    /// Returns whether a daemon reports it: it is about a rank, and no fence or meeting, which
    /// daemons gather.
    pub fn is_of_daemon(&self) -> bool {
        let is_gathered = matches!(self, Event::Fence { .. } | Event::Meet { .. });
        self.rank().is_some() && !is_gathered
    }

    /// The event with another number for the rank that it is about.
    pub fn renumbered(mut self, number: impl Fn(u32) -> u32) -> Event {
        match &mut self {
            Event::Started { rank, .. }
            | Event::Hello { rank, .. }
            | Event::Fence { rank, .. }
            | Event::Meet { rank, .. }
            | Event::Finalize { rank }
            | Event::Abort { rank, .. }
            | Event::Malformed { rank, .. }
            | Event::Exited { rank, .. } => *rank = number(*rank),
            Event::Refused { .. }
            | Event::Lost { .. }
            | Event::Interrupted { .. }
            | Event::Unwritable { .. }
            | Event::Time => {}
        }
        self
    }
}
