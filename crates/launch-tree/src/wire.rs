//! The protocol between vertices of the tree: frames of one byte of kind, four bytes of body
//! length and the body, little-endian, over the standard input and output of a remote shell.
//!
//! A daemon opens with [`MAGIC`], its version and a newline ([`greeting`]). All that comes before
//! is what the other host's shell has printed, and is skipped. The parent replies with
//! [`Down::Begin`]; versions are compared before that, so frames need not be compatible.
//!
//! Messages that go [`Up`] come from the ranks or are about hosts; messages that go [`Down`] are
//! for everybody, or are routed by rank or vertex. A decoder takes any bytes.

mod inbox;

use bootstrap::native::wire::Meet;

use crate::codec::{Reader, Write};
use launch_job::{Event, How};

pub(crate) use inbox::Inbox;

/// The first bytes of a daemon. They do not occur in text.
pub const MAGIC: &[u8] = b"\x00oxmpi\x01daemon\x02";

/// The version of the frames; counted up with every change of them.
pub const VERSION: u32 = 7;

/// The longest greeting after the magic bytes.
pub const GREETING_BYTES_MAX: usize = 256;

const HEADER_BYTES: usize = 5;
const REASON_BYTES_MAX: usize = 4096;
/// Stands for "no part in particular".
const NO_PART: u32 = u32::MAX;

/// Messages towards `mpirun`.
#[derive(Clone, PartialEq, Eq, Debug)]
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
        bytes: Vec<u8>,
    },
    /// A process requests a part, or takes back its side of a link: the frame that it sent, in the
    /// form of `bootstrap::native::wire::Request`.
    Request {
        /// The process.
        rank: u32,
        /// The frame.
        frame: Vec<u8>,
    },
    /// Bytes of what a rank has recorded of its calls.
    Recording {
        /// The rank.
        rank: u32,
        /// Where they belong. Those at 0 begin a new recording.
        at: u64,
        /// The bytes.
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
    /// All ranks from here down have ended and nothing more will come.
    Bye,
    /// Heartbeat: the sender is there.
    Beat,
}

/// A host that is ready.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    /// The host's vertex.
    pub vertex: u32,
    /// The host's own name.
    pub name: String,
    /// The host's processors, in the form of `topology`.
    pub topology: Vec<u8>,
}

/// Some of the members that have come to a meeting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gathering {
    /// The members.
    pub members: Vec<u32>,
    /// Key that distinguishes it from other meetings of the same members.
    pub key: Vec<u8>,
    /// The ranks that have come, each with its name of the meeting and its value.
    pub entries: Vec<(u32, u32, Vec<u8>)>,
}

/// Messages from `mpirun`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Down {
    /// The daemon's position in the tree.
    Begin(Begin),
    /// The order to start, in the form of [`crate::order`].
    Launch(Vec<u8>),
    /// A fence of a part is complete.
    Release {
        /// The number of the part's first process.
        first: u32,
        /// The body as in `bootstrap::native::wire::Reply::Release`.
        body: Vec<u8>,
    },
    /// A frame for one process, in the form of `bootstrap::native::wire::Reply`.
    Reply {
        /// The process.
        rank: u32,
        /// The frame.
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
#[derive(Clone, PartialEq, Eq, Debug)]
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
        let mut out = header(self.kind());
        match self {
            Up::Ready(hosts) => {
                out.count(hosts.len());
                for host in hosts {
                    out.u32(host.vertex);
                    out.text(&host.name);
                    out.bytes(&host.topology);
                }
            }
            Up::Event(event) => encode_event(event, &mut out),
            Up::Fence(ranks) => {
                out.count(ranks.len());
                for (rank, entries) in ranks {
                    out.u32(*rank);
                    out.bytes(entries);
                }
            }
            Up::Meet(gathering) => gathering.encode(&mut out),
            Up::Output {
                rank,
                stream,
                bytes,
            } => {
                out.u32(*rank);
                out.u8(*stream as u8);
                out.extend_from_slice(bytes);
            }
            Up::Request { rank, frame } => {
                out.u32(*rank);
                out.extend_from_slice(frame);
            }
            Up::Recording { rank, at, bytes } => {
                out.u32(*rank);
                out.u64(*at);
                out.extend_from_slice(bytes);
            }
            Up::Log {
                rank,
                token,
                fresh,
                stores,
            } => {
                out.u32(*rank);
                out.u64(*token);
                out.u8(u8::from(*fresh));
                encode_stores(stores, &mut out);
            }
            Up::InputAccepted(bytes) => out.u32(*bytes),
            Up::Say(text) => out.text(text),
            Up::Failed { vertex, part, text } => {
                out.u32(*vertex);
                out.u32(part.unwrap_or(NO_PART));
                out.text(text);
            }
            Up::Lost { vertex, text } => {
                out.u32(*vertex);
                out.text(text);
            }
            Up::InputClosed | Up::Bye | Up::Beat => {}
        }
        finish(out)
    }

    /// Decodes the message in a frame of this kind with this body.
    pub fn decode(kind: u8, body: &[u8]) -> Result<Up, Malformed> {
        let mut reader = Reader::new(body);
        let word = Up::read(kind, &mut reader).and_then(|word| reader.end(word));
        word.ok_or_else(|| malformed(kind, body))
    }

    fn kind(&self) -> u8 {
        match self {
            Up::Ready(_) => b'R',
            Up::Event(_) => b'E',
            Up::Fence(_) => b'F',
            Up::Meet(_) => b'M',
            Up::Output { .. } => b'O',
            Up::Request { .. } => b'Q',
            Up::Recording { .. } => b'C',
            Up::Log { .. } => b'J',
            Up::InputAccepted(_) => b'T',
            Up::InputClosed => b'D',
            Up::Say(_) => b'S',
            Up::Failed { .. } => b'X',
            Up::Lost { .. } => b'L',
            Up::Bye => b'Y',
            Up::Beat => b'B',
        }
    }

    fn read(kind: u8, reader: &mut Reader) -> Option<Up> {
        Some(match kind {
            b'R' => Up::Ready(reader.list(|r| {
                Some(Host {
                    vertex: r.u32()?,
                    name: r.text()?,
                    topology: r.bytes()?.to_vec(),
                })
            })?),
            b'E' => Up::Event(read_event(reader)?),
            b'F' => Up::Fence(reader.list(|r| Some((r.u32()?, r.bytes()?.to_vec())))?),
            b'M' => Up::Meet(Gathering::read(reader)?),
            b'O' => Up::Output {
                rank: reader.u32()?,
                stream: stream(reader)?,
                bytes: reader.rest().to_vec(),
            },
            b'Q' => Up::Request {
                rank: reader.u32()?,
                frame: reader.rest().to_vec(),
            },
            b'C' => Up::Recording {
                rank: reader.u32()?,
                at: reader.u64()?,
                bytes: reader.rest().to_vec(),
            },
            b'J' => Up::Log {
                rank: reader.u32()?,
                token: reader.u64()?,
                fresh: reader.u8()? != 0,
                stores: read_stores(reader)?,
            },
            b'T' => Up::InputAccepted(reader.u32()?),
            b'D' => Up::InputClosed,
            b'S' => Up::Say(reader.text()?),
            b'X' => Up::Failed {
                vertex: reader.u32()?,
                part: Some(reader.u32()?).filter(|&part| part != NO_PART),
                text: reader.text()?,
            },
            b'L' => Up::Lost {
                vertex: reader.u32()?,
                text: reader.text()?,
            },
            b'Y' => Up::Bye,
            b'B' => Up::Beat,
            _ => return None,
        })
    }
}

impl Down {
    /// Encodes the message as a frame.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = header(self.kind());
        match self {
            Down::Begin(begin) => {
                out.u32(begin.vertex);
                out.u32(begin.radix);
                out.count(begin.hosts.len());
                begin.hosts.iter().for_each(|host| out.text(host));
                begin.agent.encode(&mut out);
            }
            Down::Launch(body) => out.extend_from_slice(body),
            Down::Release {
                first: number,
                body: bytes,
            }
            | Down::Reply {
                rank: number,
                frame: bytes,
            } => {
                out.u32(*number);
                out.extend_from_slice(bytes);
            }
            Down::Met { tickets, values } => {
                out.count(tickets.len());
                for (rank, ticket) in tickets {
                    out.u32(*rank);
                    out.u32(*ticket);
                }
                out.count(values.len());
                values.iter().for_each(|value| out.bytes(value));
            }
            Down::Gone { rank, why } => {
                out.u32(*rank);
                out.text(why);
            }
            Down::Restart { .. } | Down::Move { .. } | Down::Adopt { .. } | Down::Logged { .. } => {
                self.encode_restart(&mut out)
            }
            Down::Signal(signal) => out.i32(*signal),
            Down::SignalPart { first, signal } => {
                out.u32(*first);
                out.i32(*signal);
            }
            Down::Forget { first } => out.u32(*first),
            Down::Input { rank, bytes } => {
                out.u32(*rank);
                out.extend_from_slice(bytes);
            }
            Down::Credit {
                vertex,
                stream,
                bytes,
            } => {
                out.u32(*vertex);
                out.u8(*stream as u8);
                out.u32(*bytes);
            }
            Down::Hurry | Down::Finish | Down::Beat => {}
        }
        finish(out)
    }

    /// Encodes the fields of a message about a process that is started again.
    fn encode_restart(&self, out: &mut Vec<u8>) {
        match self {
            Down::Restart { rank, life } => {
                out.u32(*rank);
                out.u32(*life);
            }
            Down::Move { rank, node } => {
                out.u32(*rank);
                out.u32(*node);
            }
            Down::Adopt {
                rank,
                life,
                printed,
                stores,
            } => {
                out.u32(*rank);
                out.u32(*life);
                printed.iter().for_each(|bytes| out.u64(*bytes));
                encode_stores(stores, out);
            }
            Down::Logged { rank, token } => {
                out.u32(*rank);
                out.u64(*token);
            }
            _ => {}
        }
    }

    /// Decodes the message in a frame of this kind with this body.
    pub fn decode(kind: u8, body: &[u8]) -> Result<Down, Malformed> {
        let mut reader = Reader::new(body);
        let word = Down::read(kind, &mut reader).and_then(|word| reader.end(word));
        word.ok_or_else(|| malformed(kind, body))
    }

    fn kind(&self) -> u8 {
        match self {
            Down::Begin(_) => b'b',
            Down::Launch(_) => b'l',
            Down::Release { .. } => b'r',
            Down::Reply { .. } => b'q',
            Down::Met { .. } => b'm',
            Down::Gone { .. } => b'g',
            Down::Restart { .. } => b'a',
            Down::Move { .. } => b'n',
            Down::Adopt { .. } => b'd',
            Down::Logged { .. } => b'j',
            Down::Signal(_) => b's',
            Down::SignalPart { .. } => b'p',
            Down::Forget { .. } => b'o',
            Down::Hurry => b'h',
            Down::Input { .. } => b'i',
            Down::Credit { .. } => b'c',
            Down::Finish => b'f',
            Down::Beat => b't',
        }
    }

    fn read(kind: u8, reader: &mut Reader) -> Option<Down> {
        Some(match kind {
            b'b' => Down::Begin(Begin {
                vertex: reader.u32()?,
                radix: reader.u32()?,
                hosts: reader.list(Reader::text)?,
                agent: crate::plm::Agent::read(reader)?,
            }),
            b'l' => Down::Launch(reader.rest().to_vec()),
            b'r' => Down::Release {
                first: reader.u32()?,
                body: reader.rest().to_vec(),
            },
            b'q' => Down::Reply {
                rank: reader.u32()?,
                frame: reader.rest().to_vec(),
            },
            b'm' => Down::Met {
                tickets: reader.list(|r| Some((r.u32()?, r.u32()?)))?,
                values: reader.list(|r| r.bytes().map(<[u8]>::to_vec))?,
            },
            b'g' => Down::Gone {
                rank: reader.u32()?,
                why: reader.text()?,
            },
            b'a' => Down::Restart {
                rank: reader.u32()?,
                life: reader.u32()?,
            },
            b'n' => Down::Move {
                rank: reader.u32()?,
                node: reader.u32()?,
            },
            b'd' => Down::Adopt {
                rank: reader.u32()?,
                life: reader.u32()?,
                printed: [reader.u64()?, reader.u64()?],
                stores: read_stores(reader)?,
            },
            b'j' => Down::Logged {
                rank: reader.u32()?,
                token: reader.u64()?,
            },
            b's' => Down::Signal(reader.i32()?),
            b'p' => Down::SignalPart {
                first: reader.u32()?,
                signal: reader.i32()?,
            },
            b'o' => Down::Forget {
                first: reader.u32()?,
            },
            b'h' => Down::Hurry,
            b'i' => Down::Input {
                rank: reader.u32()?,
                bytes: reader.rest().to_vec(),
            },
            b'c' => Down::Credit {
                vertex: reader.u32()?,
                stream: stream(reader)?,
                bytes: reader.u32()?,
            },
            b'f' => Down::Finish,
            b't' => Down::Beat,
            _ => return None,
        })
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

    fn encode(&self, out: &mut Vec<u8>) {
        out.count(self.members.len());
        self.members.iter().for_each(|member| out.u32(*member));
        out.bytes(&self.key);
        out.count(self.entries.len());
        for (rank, ticket, value) in &self.entries {
            out.u32(*rank);
            out.u32(*ticket);
            out.bytes(value);
        }
    }

    fn read(reader: &mut Reader) -> Option<Gathering> {
        Some(Gathering {
            members: reader.list(Reader::u32)?,
            key: reader.bytes()?.to_vec(),
            entries: reader.list(|r| Some((r.u32()?, r.u32()?, r.bytes()?.to_vec())))?,
        })
    }
}

/// Encodes an event of a rank, other than fences and meetings, which are gathered.
fn encode_event(event: &Event, out: &mut Vec<u8>) {
    match event {
        Event::Started { rank, pid } => numbers(out, 0, &[*rank, *pid]),
        Event::Hello { rank, pid } => numbers(out, 1, &[*rank, *pid]),
        Event::Finalize { rank } => numbers(out, 2, &[*rank]),
        Event::Abort {
            rank,
            code,
            in_doubt,
            reason,
        } => {
            numbers(out, 3, &[*rank, *code as u32, u32::from(*in_doubt)]);
            out.text(clip(reason));
        }
        Event::Malformed { rank, detail } => {
            numbers(out, 4, &[*rank]);
            out.text(clip(detail));
        }
        Event::Exited { rank, how } => match how {
            How::Code(code) => numbers(out, 5, &[*rank, *code as u32]),
            How::Signal(signal) => numbers(out, 6, &[*rank, *signal as u32]),
        },
        other => unreachable!("{other:?} has a word of its own or is the root's"),
    }
}

fn read_event(reader: &mut Reader) -> Option<Event> {
    let (kind, rank) = (reader.u8()?, reader.u32()?);
    Some(match kind {
        0 => Event::Started {
            rank,
            pid: reader.u32()?,
        },
        1 => Event::Hello {
            rank,
            pid: reader.u32()?,
        },
        2 => Event::Finalize { rank },
        3 => Event::Abort {
            rank,
            code: reader.i32()?,
            in_doubt: reader.u32()? != 0,
            reason: reader.text()?,
        },
        4 => Event::Malformed {
            rank,
            detail: reader.text()?,
        },
        5 => Event::Exited {
            rank,
            how: How::Code(reader.i32()?),
        },
        6 => Event::Exited {
            rank,
            how: How::Signal(reader.i32()?),
        },
        _ => return None,
    })
}

fn encode_stores(stores: &[(u64, u64)], out: &mut Vec<u8>) {
    out.count(stores.len());
    for (at, word) in stores {
        out.u64(*at);
        out.u64(*word);
    }
}

fn read_stores(reader: &mut Reader) -> Option<Vec<(u64, u64)>> {
    reader.list(|r| Some((r.u64()?, r.u64()?)))
}

fn numbers(out: &mut Vec<u8>, kind: u8, numbers: &[u32]) {
    out.u8(kind);
    numbers.iter().for_each(|n| out.u32(*n));
}

/// The beginning of a text, cut between two letters.
fn clip(text: &str) -> &str {
    let mut end = text.len().min(REASON_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn stream(reader: &mut Reader) -> Option<usize> {
    reader.u8().filter(|&n| n < 2).map(usize::from)
}

fn header(kind: u8) -> Vec<u8> {
    vec![kind, 0, 0, 0, 0]
}

fn finish(mut frame: Vec<u8>) -> Vec<u8> {
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
