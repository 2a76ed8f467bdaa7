//! The protocol between vertices of the tree: frames of one byte of direction, four bytes of body
//! length, little-endian, and a message in the form of [`bootstrap::codec`], over the standard
//! input and output of a remote shell, or a connection in their place.
//!
//! A daemon opens with [`MAGIC`], its version and a newline ([`greeting`]). All that comes before
//! is what the other host's shell has printed, and is skipped. The parent replies with
//! [`Down::Begin`]; versions are compared before that, so frames need not be compatible.
//!
//! Messages that go [`Up`] come from the ranks or are about hosts; messages that go [`Down`] are
//! for everybody, or are routed by rank or vertex. A decoder takes any bytes.

mod inbox;

use bootstrap::codec;
use bootstrap::native::wire::Meet;
use serde::{Deserialize, Serialize};

use launch_job::Event;

pub(crate) use inbox::Inbox;

use crate::signals;

/// The first bytes of a daemon. They do not occur in text.
pub const MAGIC: &[u8] = b"\x00oxmpi\x01daemon\x02";

/// The version of the frames; counted up with every change of them.
pub const VERSION: u32 = 10;

/// The longest greeting after the magic bytes.
pub const GREETING_BYTES_MAX: usize = 256;

const HEADER_BYTES: usize = 5;
/// The first byte of a frame that goes up, and of one that goes down.
const UP: u8 = b'U';
const DOWN: u8 = b'D';

/// Messages to `mpirun`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Up {
    /// Hosts that have their daemons.
    Ready(Vec<Host>),
    /// A rank did something.
    Event(Event),
    /// Ranks that have entered a fence with these entries.
    Fence(Vec<(u32, Vec<u8>)>),
    /// Some members have come to a meeting.
    Meet(Gathering),
    /// A rank printed on its standard output (0) or error (1); nothing at its end.
    Output {
        /// The rank.
        rank: u32,
        /// Which stream.
        stream: usize,
        /// The output.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// A process requests a part, or takes back its side of a link: the frame that it sent, in the
    /// form of `bootstrap::native::wire::Request`.
    Request {
        /// The process.
        rank: u32,
        /// The frame.
        #[serde(with = "serde_bytes")]
        frame: Vec<u8>,
    },
    /// Bytes of what a rank has recorded of its calls.
    Recording {
        /// The rank.
        rank: u32,
        /// Where they belong. Those at 0 begin a new recording.
        at: u64,
        /// The bytes.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// Stores to the event log of a rank, for the copy of it.
    Log {
        /// The rank.
        rank: u32,
        /// The number by which the rank waits for the answer; 0: it does not.
        token: u64,
        /// Whether this is all that is in the log.
        fresh: bool,
        /// The position of each word, and the word.
        stores: Vec<(u64, u64)>,
    },
    /// The rank that reads has taken this many bytes of the standard input.
    InputAccepted(u32),
    /// The rank that reads will take no more.
    InputClosed,
    /// To be shown to the user.
    Say(String),
    /// A host cannot take part, or has had to give up.
    Failed {
        /// The host's vertex.
        vertex: u32,
        /// The number of the first process of the part that it cannot take part in; `None` where
        /// it has to give up all.
        part: Option<u32>,
        /// The host and what went wrong.
        text: String,
    },
    /// A host that took part is gone, and all below it.
    Lost {
        /// The host's vertex.
        vertex: u32,
        /// The cause, as far as it is known.
        text: String,
    },
    /// A host's daemon has got a signal that is meant for the job: a batch system sends it to the
    /// processes that it has started.
    Signal {
        /// The host's vertex.
        vertex: u32,
        /// The signal.
        signal: i32,
    },
    /// All ranks from here down have ended and nothing more will come.
    Bye,
    /// Heartbeat: the sender is there.
    Beat,
}

/// A host that is ready.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Host {
    /// The host's vertex.
    pub vertex: u32,
    /// The host's own name.
    pub name: String,
    /// The host's processors, in the form of `topology`.
    #[serde(with = "serde_bytes")]
    pub topology: Vec<u8>,
}

/// Some of the members that have come to a meeting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Gathering {
    /// The members.
    pub members: Vec<u32>,
    /// Key that distinguishes it from other meetings of the same members.
    #[serde(with = "serde_bytes")]
    pub key: Vec<u8>,
    /// The ranks that have come, each with its name of the meeting and its value.
    pub entries: Vec<(u32, u32, Vec<u8>)>,
}

/// Messages from `mpirun`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Down {
    /// The daemon's position in the tree.
    Begin(Begin),
    /// The order to start, in the form of [`crate::order`].
    Launch(#[serde(with = "serde_bytes")] Vec<u8>),
    /// A fence of a part is complete.
    Release {
        /// The number of the part's first process.
        first: u32,
        /// The body as in `bootstrap::native::wire::Reply::Release`.
        #[serde(with = "serde_bytes")]
        body: Vec<u8>,
    },
    /// A frame for one process, in the form of `bootstrap::native::wire::Reply`.
    Reply {
        /// The process.
        rank: u32,
        /// The frame.
        #[serde(with = "serde_bytes")]
        frame: Vec<u8>,
    },
    /// A meeting is complete.
    Met {
        /// The ranks to inform, each with its name of the meeting.
        tickets: Vec<(u32, u32)>,
        /// The values of the members, in their order.
        values: Vec<Vec<u8>>,
    },
    /// Notify all other ranks that one has died.
    Gone {
        /// The rank.
        rank: u32,
        /// How: one clause.
        why: String,
    },
    /// Start a process that was killed again.
    Restart {
        /// The process.
        rank: u32,
        /// The number of its life, counted from 1.
        life: u32,
    },
    /// A process is started again on another node from now on.
    Move {
        /// The process.
        rank: u32,
        /// The number of the node in its part.
        node: u32,
    },
    /// Start a process again whose host was lost.
    Adopt {
        /// The process.
        rank: u32,
        /// The number of its life, counted from 1.
        life: u32,
        /// Bytes of each stream that its lives have printed.
        printed: [u64; 2],
        /// Its event log: the position of each word, and the word.
        stores: Vec<(u64, u64)>,
    },
    /// The copy of the event log of a rank has the stores before a token.
    Logged {
        /// The rank.
        rank: u32,
        /// The token.
        token: u64,
    },
    /// Send a signal to all processes.
    Signal(i32),
    /// Send a signal to all processes of a part.
    SignalPart {
        /// The number of the part's first process.
        first: u32,
        /// The signal's number.
        signal: i32,
    },
    /// A part is over: end what its processes have left behind, and release it.
    Forget {
        /// The number of the part's first process.
        first: u32,
    },
    /// Delay no message from now on.
    Hurry,
    /// Standard input for a rank; nothing at its end.
    Input {
        /// The rank.
        rank: u32,
        /// The input.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// Credit: this many bytes of output of a host have gone to the user.
    Credit {
        /// The host's vertex.
        vertex: u32,
        /// Standard output (0) or error (1).
        stream: usize,
        /// How many.
        bytes: u32,
    },
    /// End all processes and send the goodbye.
    Finish,
    /// Heartbeat: the sender is there.
    Beat,
}

/// The position of a daemon in the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Begin {
    /// The daemon's own vertex.
    pub vertex: u32,
    /// How many children a vertex has at most.
    pub radix: u32,
    /// The names of all hosts, by vertex; that of vertex 0 is not used.
    pub hosts: Vec<String>,
    /// How other hosts are reached.
    pub agent: crate::plm::Agent,
}

/// The error of a decoder: why the bytes are malformed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed(pub String);

/// Returns the greeting of a daemon.
pub fn greeting() -> Vec<u8> {
    let version = format!("{} {VERSION}\n", env!("CARGO_PKG_VERSION"));
    [MAGIC, version.as_bytes()].concat()
}

/// Checks that a daemon's greeting after the magic bytes, without the newline, is of this version.
/// Otherwise returns it as printable text.
pub fn check_greeting(said: &[u8]) -> Result<(), String> {
    let own = format!("{} {VERSION}", env!("CARGO_PKG_VERSION"));
    if said == own.as_bytes() {
        return Ok(());
    }
    let shown: String = String::from_utf8_lossy(said)
        .chars()
        .filter(|c| !c.is_control())
        .take(64)
        .collect();
    Err(shown)
}

/// This version, as messages call it.
pub fn own_version() -> String {
    format!("{} {VERSION}", env!("CARGO_PKG_VERSION"))
}

impl Up {
    /// Encodes the message as a frame.
    pub fn encode(&self) -> Vec<u8> {
        frame(UP, self)
    }

    /// Decodes the message in a frame of this kind with this body.
    pub fn decode(kind: u8, body: &[u8]) -> Result<Up, Malformed> {
        let message = codec::decode(body).filter(|up: &Up| kind == UP && up.is_valid());
        message.ok_or_else(|| malformed(kind, body))
    }

    /// Returns whether a message that was decoded is one that a daemon sends.
    fn is_valid(&self) -> bool {
        match self {
            Up::Event(event) => event.is_of_daemon(),
            Up::Output { stream, .. } => *stream < 2,
            Up::Signal { signal, .. } => signals::is_for_job(*signal),
            _ => true,
        }
    }
}

impl Down {
    /// Encodes the message as a frame.
    pub fn encode(&self) -> Vec<u8> {
        frame(DOWN, self)
    }

    /// Decodes the message in a frame of this kind with this body.
    pub fn decode(kind: u8, body: &[u8]) -> Result<Down, Malformed> {
        let message = codec::decode(body).filter(|down: &Down| kind == DOWN && down.is_valid());
        message.ok_or_else(|| malformed(kind, body))
    }

    /// Returns whether a message that was decoded is one that `mpirun` sends.
    fn is_valid(&self) -> bool {
        match self {
            Down::Begin(begin) => begin.agent.is_whole(),
            Down::Credit { stream, .. } => *stream < 2,
            _ => true,
        }
    }
}

impl Gathering {
    /// One event for each that has come.
    pub fn into_events(self) -> Vec<Event> {
        let (members, key) = (self.members, self.key);
        let event = |(rank, ticket, value)| Event::Meet {
            rank,
            meet: Meet {
                ticket,
                members: members.clone(),
                key: key.clone(),
                value,
            },
        };
        self.entries.into_iter().map(event).collect()
    }
}

fn frame(kind: u8, message: &impl Serialize) -> Vec<u8> {
    let mut frame = vec![kind, 0, 0, 0, 0];
    codec::encode(message, &mut frame);
    let bytes = (frame.len() - HEADER_BYTES) as u32;
    frame[1..HEADER_BYTES].copy_from_slice(&bytes.to_le_bytes());
    frame
}

fn malformed(kind: u8, body: &[u8]) -> Malformed {
    Malformed(format!(
        "a frame of kind {kind:#x} with {} bytes that make no sense",
        body.len()
    ))
}

#[cfg(test)]
mod tests;
