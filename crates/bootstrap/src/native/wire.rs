//! The protocol between a rank and the native launcher: frames of one byte of kind, four bytes of
//! body length, little-endian, and the body. A body is a value in the form of [`crate::codec`],
//! except for the version, whose form every version can read:
//!
//! | frame    | from     | body                                                              |
//! |----------|----------|-------------------------------------------------------------------|
//! | hello    | rank     | version u32, process id u32, little-endian                        |
//! | request  | rank     | any other [`Request`]                                             |
//! | welcome  | launcher | a [`Welcome`], which begins with the version u32, little-endian   |
//! | reply    | launcher | any other [`Reply`]                                               |
//!
//! A fence has the encoded entries of a rank, and its release for each rank that published: rank
//! u32, length u32, entries.
//!
//! An entry is: key length u16, key, value length u32, value; the launcher forwards entries without
//! reading them.
//!
//! A job has parts: the processes that it was started with, and those of each spawn. A *rank*
//! counts within its part, a *number* within the job: that of the part's first process plus the
//! rank. Meetings, deaths and spawns use numbers; fences are of a part and use ranks. Each part has
//! a job number and a secret of its own.
//!
//! A meeting is a fence of some processes. It is complete when every member has sent a `meet` with
//! an equal list of members and an equal key; each of them then gets the values of all. The ticket
//! is the number by which the rank recognises the `met`. A meeting of several parts that a member
//! can no longer come to ends with an `unmet`.
//!
//! A spawn is answered when all processes of the new part have sent their hello, or when it is
//! clear that one never will; nothing of the part is left then. A process sends `unlink` when it is
//! no longer connected to the other side of a spawn.
//!
//! The launcher sends `ask` at any time after the welcome. A process that polls in a call of MPI
//! answers with an `account` of what it waits for, which has the number of the question; one that
//! computes does not.
//!
//! The launcher sends `gone` at any time after the welcome, when another rank has died and the job
//! goes on without it. After a later welcome it repeats `gone` for every rank that has died.
//!
//! Where ranks that were killed are started again, the launcher sends `reborn` when the next life
//! of one has entered its first fence. Fences that its earlier life has passed are released at
//! once.
//!
//! `printed` asks how many bytes of standard output and error the rank has printed so far, or says
//! how many come before the next: the next life of a rank goes on from a checkpoint.
//!
//! A decoder accepts any bytes and returns an error with a text for malformed ones, since the other
//! side may be another version or, behind a stale descriptor, an unrelated program.

use std::ops::Range;

use base::wire::{read_u16, read_u32};
use serde::{Deserialize, Serialize};

use crate::account::Account;
use crate::codec;
use crate::names::{Answer, Question, NAMES_BYTES_MAX};
use crate::spawn::{Part, Refusal, Spawn};

/// Version of the format. A connection of two sides with different versions is refused.
pub const VERSION: u32 = 11;

/// Most bytes of a body that either side accepts.
pub const BODY_BYTES_MAX: usize = 1 << 30;

const HEADER_BYTES: usize = 5;
const SECRET_BYTES: usize = 32;

const HELLO: u8 = 0x41;
/// Not the first letter of a request of HTTP.
const REQUEST: u8 = 0x52;
const WELCOME: u8 = 0x61;
const REPLY: u8 = 0x72;

/// Messages from a rank to the launcher.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// A process has started to use the connection.
    Hello {
        /// The version of the process.
        version: u32,
        /// The rank's process id; differs from that of the launched process if that is a shell.
        pid: u32,
    },
    /// The process has entered a fence and publishes these encoded entries.
    Fence(#[serde(with = "serde_bytes")] Vec<u8>),
    /// The process requests that the job end.
    Abort {
        /// The exit code for the job.
        code: i32,
        /// Whether the end of another process may be the cause.
        in_doubt: bool,
        /// Text for the user; may be empty.
        #[serde(with = "codec::reason")]
        reason: String,
    },
    /// The process has entered a meeting.
    Meet(Meet),
    /// The process has finished with its peers, until it sends another hello.
    Finalize,
    /// The process requests that a part be started.
    Spawn {
        /// Number by which the rank recognises the reply.
        ticket: u32,
        /// The programs.
        spawn: Spawn,
    },
    /// The process is no longer connected to the other side of a spawn.
    Unlink {
        /// The number of the spawned part's first process.
        part: u32,
    },
    /// The process asks about a published name.
    Names {
        /// Number by which the rank recognises the reply.
        ticket: u32,
        /// The question.
        question: Question,
    },
    /// The process reports what it waits for, in answer to [`Reply::Ask`].
    Account(Account),
    /// The process asks how many bytes of its output and errors have been read, or says how many
    /// an earlier life of it had printed where it goes on.
    Printed(Option<[u64; 2]>),
}

/// The contribution of a rank to a meeting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Meet {
    /// Number by which the rank recognises the reply.
    pub ticket: u32,
    /// The numbers of the members, each once, in an order that is equal at all of them.
    pub members: Vec<u32>,
    /// Key that distinguishes the meeting from others of the same members.
    #[serde(with = "serde_bytes")]
    pub key: Vec<u8>,
    /// The rank's value.
    #[serde(with = "serde_bytes")]
    pub value: Vec<u8>,
}

/// Messages from the launcher to a rank.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The reply to a hello.
    Welcome(Welcome),
    /// The fence is complete; [`released`] decodes the body.
    Release(#[serde(with = "serde_bytes")] Vec<u8>),
    /// The fence is complete. The body lies in memory whose descriptor comes with the first byte of
    /// this frame ([`super::release`]).
    SharedRelease {
        /// The bytes of the body.
        bytes: u32,
    },
    /// A meeting is complete.
    Met {
        /// The ticket of the rank's [`Meet`].
        ticket: u32,
        /// The values of the members, in their order.
        values: Vec<Vec<u8>>,
    },
    /// A meeting is over, since a member will not come.
    Unmet {
        /// The ticket of the rank's [`Meet`].
        ticket: u32,
        /// The cause: one clause.
        #[serde(with = "codec::reason")]
        why: String,
    },
    /// The outcome of a spawn.
    Spawned {
        /// The ticket of the rank's [`Request::Spawn`].
        ticket: u32,
        /// The part, or the reason that it was not started.
        outcome: Result<Part, Refusal>,
    },
    /// The answer to a question about a published name.
    Named {
        /// The ticket of the rank's [`Request::Names`].
        ticket: u32,
        /// The answer.
        answer: Answer,
    },
    /// The next life of another rank has published values; [`released`] decodes the body.
    Reborn(#[serde(with = "serde_bytes")] Vec<u8>),
    /// Another process has died.
    Gone {
        /// The number of the process.
        rank: u32,
        /// How it died: one clause.
        #[serde(with = "codec::reason")]
        why: String,
    },
    /// The launcher asks what the process waits for.
    Ask {
        /// The number of the question.
        question: u32,
    },
    /// How many bytes of the rank's output and errors have been read.
    PassedOn([u64; 2]),
}

/// The identity of a rank.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Welcome {
    /// The version of the launcher.
    #[serde(with = "postcard::fixint::le")]
    pub version: u32,
    /// The rank in the world communicator.
    pub rank: u32,
    /// The number of ranks of the job.
    pub size: u32,
    /// The index of the rank's program in the job (`MPI_APPNUM`).
    pub appnum: u32,
    /// The number of ranks that the job's hosts have slots for (`MPI_UNIVERSE_SIZE`).
    pub universe: u32,
    /// The number of the job.
    pub job: u64,
    /// The job's secret.
    pub secret: [u8; SECRET_BYTES],
    /// The number in the job of the first process of the rank's part.
    pub first: u32,
    /// The number of the process that asked for the rank's part, where one did.
    pub parent: Option<u32>,
    /// The node of each rank.
    pub nodes: Vec<u32>,
}

/// The error of a decoder: why the bytes are malformed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed(pub String);

impl Request {
    /// Appends the frame to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Request::Hello { version, pid } => frame(out, HELLO, |body| {
                body.extend_from_slice(&version.to_le_bytes());
                body.extend_from_slice(&pid.to_le_bytes());
            }),
            request => frame(out, REQUEST, |body| codec::encode(request, body)),
        }
    }

    /// Removes the first frame from `bytes`; `None` while the frame is incomplete.
    pub fn decode(bytes: &mut Vec<u8>) -> Result<Option<Request>, Malformed> {
        let Some((kind, body)) = take_frame(bytes, [HELLO, REQUEST])? else {
            return Ok(None);
        };
        let request = match kind {
            HELLO => read_hello(&body),
            _ => codec::decode(&body).filter(Request::is_valid),
        };
        let malformed = || Malformed(format!("request {kind:#x} with {} bytes", body.len()));
        request.map(Some).ok_or_else(malformed)
    }

    /// Returns whether a request that was decoded is one that a rank sends.
    fn is_valid(&self) -> bool {
        match self {
            Request::Hello { .. } => false,
            Request::Names { question, .. } => question.bytes() <= NAMES_BYTES_MAX,
            _ => true,
        }
    }
}

/// Reads a hello of any version.
fn read_hello(body: &[u8]) -> Option<Request> {
    Some(Request::Hello {
        version: read_u32(body, 0)?,
        pid: read_u32(body, 4)?,
    })
}

impl Reply {
    /// Appends the frame to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Reply::Welcome(welcome) => frame(out, WELCOME, |body| codec::encode(welcome, body)),
            reply => frame(out, REPLY, |body| codec::encode(reply, body)),
        }
    }

    /// Removes the first frame from `bytes`; `None` while the frame is incomplete.
    pub fn decode(bytes: &mut Vec<u8>) -> Result<Option<Reply>, Malformed> {
        let Some((kind, body)) = take_frame(bytes, [WELCOME, REPLY])? else {
            return Ok(None);
        };
        if kind == WELCOME {
            check_version(read_u32(&body, 0))?;
        }
        let reply = match kind {
            WELCOME => codec::decode(&body)
                .filter(Welcome::fits)
                .map(Reply::Welcome),
            _ => codec::decode(&body).filter(|reply| !matches!(reply, Reply::Welcome(_))),
        };
        let malformed = || Malformed(format!("reply {kind:#x} with {} bytes", body.len()));
        reply.map(Some).ok_or_else(malformed)
    }
}

/// Refuses a welcome of another version, whose further fields mean anything.
fn check_version(version: Option<u32>) -> Result<(), Malformed> {
    match version {
        Some(version) if version != VERSION => Err(Malformed(format!(
            "a welcome of version {version} to a library of version {VERSION}: they are of \
             different installations"
        ))),
        _ => Ok(()),
    }
}

impl Welcome {
    /// Returns whether the numbers fit one another.
    fn fits(&self) -> bool {
        self.rank < self.size
            && self.first.checked_add(self.size).is_some()
            && self.nodes.len() == self.size as usize
    }
}

/// Appends one entry of a fence.
///
/// # Panics
/// When the key has more than 65535 bytes or the value more than 4 GiB; callers check both.
pub fn push_entry(entries: &mut Vec<u8>, key: &str, value: &[u8]) {
    let key_bytes = u16::try_from(key.len()).expect("checked by the caller");
    let value_bytes = u32::try_from(value.len()).expect("checked by the caller");
    entries.extend_from_slice(&key_bytes.to_le_bytes());
    entries.extend_from_slice(key.as_bytes());
    entries.extend_from_slice(&value_bytes.to_le_bytes());
    entries.extend_from_slice(value);
}

/// Appends the entries of one rank to the body of a release; appends nothing if there are none.
pub fn push_released(body: &mut Vec<u8>, rank: u32, entries: &[u8]) {
    if entries.is_empty() {
        return;
    }
    let bytes = u32::try_from(entries.len()).expect("a frame's body is shorter");
    body.extend_from_slice(&rank.to_le_bytes());
    body.extend_from_slice(&bytes.to_le_bytes());
    body.extend_from_slice(entries);
}

/// Calls `each` with rank, key and value of every entry in the body of a release.
pub fn released(body: &[u8], mut each: impl FnMut(u32, &str, &[u8])) -> Result<(), Malformed> {
    sections(body, |rank, place| {
        entries(&body[place], |key, value| each(rank, key, value))
    })
}

/// Calls `each` for every rank in the body of a release, with the place of its entries.
pub fn sections(
    body: &[u8],
    mut each: impl FnMut(u32, Range<usize>) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let mut at = 0;
    while at < body.len() {
        let rank = read_u32(body, at).ok_or_else(cut)?;
        let bytes = read_u32(body, at + 4).ok_or_else(cut)? as usize;
        let place = at + 8..at + 8 + bytes;
        if body.len() < place.end {
            return Err(cut());
        }
        at = place.end;
        each(rank, place)?;
    }
    Ok(())
}

/// Calls `each` with key and value of every entry of a rank.
pub fn entries(bytes: &[u8], mut each: impl FnMut(&str, &[u8])) -> Result<(), Malformed> {
    let mut at = 0;
    while at < bytes.len() {
        let key_bytes = read_u16(bytes, at).ok_or_else(cut)? as usize;
        let key = bytes.get(at + 2..at + 2 + key_bytes).ok_or_else(cut)?;
        let key = std::str::from_utf8(key).map_err(|_| cut())?;
        at += 2 + key_bytes;
        let value_bytes = read_u32(bytes, at).ok_or_else(cut)? as usize;
        let value = bytes.get(at + 4..at + 4 + value_bytes).ok_or_else(cut)?;
        at += 4 + value_bytes;
        each(key, value);
    }
    Ok(())
}

fn cut() -> Malformed {
    Malformed("a release that ends in the middle".to_string())
}

/// Appends a frame whose body `put` appends.
fn frame(out: &mut Vec<u8>, kind: u8, put: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len() + HEADER_BYTES;
    out.extend_from_slice(&[kind, 0, 0, 0, 0]);
    put(out);
    let bytes = (out.len() - start) as u32;
    out[start - 4..start].copy_from_slice(&bytes.to_le_bytes());
}

/// Kind and body of the first frame, when it is whole. An unknown kind or an absurd length is
/// an error at once, lest the reader wait for a gigabyte that never comes.
fn take_frame(bytes: &mut Vec<u8>, known: [u8; 2]) -> Result<Option<(u8, Vec<u8>)>, Malformed> {
    let Some(&kind) = bytes.first() else {
        return Ok(None);
    };
    if !known.contains(&kind) {
        return Err(Malformed(format!("a frame of unknown kind {kind:#x}")));
    }
    let Some(length) = read_u32(bytes, 1) else {
        return Ok(None);
    };
    let length = length as usize;
    if length > BODY_BYTES_MAX {
        return Err(Malformed(format!(
            "a frame of kind {kind:#x} with {length} bytes"
        )));
    }
    if bytes.len() < HEADER_BYTES + length {
        return Ok(None);
    }
    let rest = bytes.split_off(HEADER_BYTES + length);
    let mut body = std::mem::replace(bytes, rest);
    body.drain(..HEADER_BYTES);
    Ok(Some((kind, body)))
}

#[cfg(test)]
mod tests;
