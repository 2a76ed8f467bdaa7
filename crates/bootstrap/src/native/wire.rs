//! The protocol between a rank and the native launcher: frames of one byte of kind, four bytes of
//! body length, and the body. All integers are little-endian.
//!
//! | frame    | from     | body                                                              |
//! |----------|----------|-------------------------------------------------------------------|
//! | hello    | rank     | version u32, process id u32                                       |
//! | welcome  | launcher | version u32, rank u32, size u32, appnum u32, universe u32, ...      |
//! |          |          | ... job u64, secret 32 bytes, first u32, parent u32, ...           |
//! |          |          | ... node u32 of each rank                                          |
//! | fence    | rank     | entries                                                           |
//! | release  | launcher | for each rank that published: rank u32, length u32, entries       |
//! | meet     | rank     | ticket u32, members u32, rank u32 of each, key length u32, key, value |
//! | met      | launcher | ticket u32, for each member in order: length u32, value           |
//! | unmet    | launcher | ticket u32, why (UTF-8)                                           |
//! | spawn    | rank     | ticket u32, programs as in `wire/spawn.rs`                        |
//! | spawned  | launcher | ticket u32, 1 and a part: first u32, count u32; or ...            |
//! |          |          | ... 0, program u32, why (UTF-8)                                   |
//! | unlink   | rank     | number u32 of the first process of a spawned part                 |
//! | names    | rank     | ticket u32, question as in [`crate::names`]                          |
//! | named    | launcher | ticket u32, answer as in [`crate::names`]                            |
//! | account  | rank     | as in [`crate::account`]                                          |
//! | printed  | rank     | nothing, or bytes u64 of either stream                            |
//! | passed   | launcher | bytes u64 of either stream                                        |
//! | tell     | launcher | question u32                                                      |
//! | gone     | launcher | rank u32, why (UTF-8)                                              |
//! | reborn   | launcher | as a release, of one rank                                         |
//! | abort    | rank     | code i32, reason (UTF-8)                                          |
//! | finalize | rank     | nothing                                                           |
//!
//! An entry is: key length u16, key, value length u32, value. `entries` are any number of these.
//! The launcher forwards them without reading them.
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
//! The launcher sends `tell` at any time after the welcome. A process that polls in a call of MPI
//! answers with an `account` of what it waits for, which has the number of the question; one that
//! computes does not.
//!
//! The launcher sends `gone` at any time after the welcome, when another rank has died and the job
//! goes on without it. After a later welcome it repeats `gone` for every rank that has died.
//!
//! Where ranks that were killed are started again, the launcher sends `reborn` when the next life
//! of one has entered its first fence. Fences that its earlier life has passed it passes at once.
//!
//! `printed` asks how many bytes of standard output and error the rank has printed so far, or says
//! how many come before the next: the next life of a rank goes on from a checkpoint.
//!
//! A decoder accepts any bytes and returns an error with a text for malformed ones, since the other
//! side may be another version or, behind a stale descriptor, an unrelated program.

mod spawn;

use base::wire::{read_i32, read_u16, read_u32, read_u64};

use crate::account::Account;
use crate::names::{Answer, Question};
use crate::spawn::{Part, Refusal, Spawn};
use spawn::REASON_BYTES_MAX;

/// Version of the format. A connection of two sides with different versions is refused.
pub const VERSION: u32 = 9;

/// Most bytes of a body that either side accepts.
pub const BODY_BYTES_MAX: usize = 1 << 30;

const HEADER_BYTES: usize = 5;
const SECRET_BYTES: usize = 32;

const HELLO: u8 = 0x41;
const FENCE: u8 = 0x42;
const ABORT: u8 = 0x43;
const FINALIZE: u8 = 0x44;
const MEET: u8 = 0x45;
const SPAWN: u8 = 0x46;
/// Not the first letter of a request of HTTP.
const UNLINK: u8 = 0x49;
const NAMES: u8 = 0x4a;
const ACCOUNT: u8 = 0x4b;
const PRINTED: u8 = 0x4c;
const WELCOME: u8 = 0x61;
const RELEASE: u8 = 0x62;
const MET: u8 = 0x63;
const GONE: u8 = 0x64;
const UNMET: u8 = 0x65;
const SPAWNED: u8 = 0x66;
const NAMED: u8 = 0x67;
const TELL: u8 = 0x68;
const REBORN: u8 = 0x69;
const PASSED_ON: u8 = 0x6a;

/// Stands for "nobody" where a welcome names the parent.
const NO_PARENT: u32 = u32::MAX;

/// Messages from a rank to the launcher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// A process has started to use the connection.
    Hello {
        /// The version of the process.
        version: u32,
        /// The rank's process id; differs from that of the launched process if that is a shell.
        pid: u32,
    },
    /// The process has entered a fence and publishes these encoded entries.
    Fence(Vec<u8>),
    /// The process requests that the job end.
    Abort {
        /// The exit code for the job.
        code: i32,
        /// Whether the end of another process may be the cause.
        in_doubt: bool,
        /// Text for the user; may be empty.
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
    /// The process tells what it waits for, as it was asked.
    Account(Account),
    /// The process asks how many bytes of its output and errors have been read, or says how many
    /// an earlier life of it had printed where it goes on.
    Printed(Option<[u64; 2]>),
}

/// The contribution of a rank to a meeting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meet {
    /// Number by which the rank recognises the reply.
    pub ticket: u32,
    /// The numbers of the members, each once, in an order that is equal at all of them.
    pub members: Vec<u32>,
    /// Key that distinguishes the meeting from others of the same members.
    pub key: Vec<u8>,
    /// The rank's value.
    pub value: Vec<u8>,
}

/// Messages from the launcher to a rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The reply to a hello.
    Welcome(Welcome),
    /// The fence is complete; [`released`] decodes the body.
    Release(Vec<u8>),
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
    /// The next life of another rank has published this; [`released`] decodes the body.
    Reborn(Vec<u8>),
    /// Another process has died.
    Gone {
        /// The number of the process.
        rank: u32,
        /// How it died: one clause.
        why: String,
    },
    /// The launcher asks what the process waits for.
    Tell {
        /// The number of the question.
        question: u32,
    },
    /// How many bytes of the rank's output and errors have been read.
    PassedOn([u64; 2]),
}

/// The identity of a rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Welcome {
    /// The version of the launcher.
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
            Request::Hello { version, pid } => {
                frame(out, HELLO, &[&version.to_le_bytes(), &pid.to_le_bytes()])
            }
            Request::Fence(entries) => frame(out, FENCE, &[entries]),
            Request::Abort {
                code,
                in_doubt,
                reason,
            } => {
                let reason = &reason.as_bytes()[..reason.len().min(REASON_BYTES_MAX)];
                let in_doubt = [u8::from(*in_doubt)];
                frame(out, ABORT, &[&code.to_le_bytes(), &in_doubt, reason])
            }
            Request::Meet(meet) => meet.encode(out),
            Request::Finalize => frame(out, FINALIZE, &[]),
            Request::Spawn { ticket, spawn } => {
                let mut body = ticket.to_le_bytes().to_vec();
                spawn::push_spawn(&mut body, spawn);
                frame(out, SPAWN, &[&body]);
            }
            Request::Unlink { part } => frame(out, UNLINK, &[&part.to_le_bytes()]),
            Request::Names { ticket, question } => {
                let mut body = ticket.to_le_bytes().to_vec();
                question.encode(&mut body);
                frame(out, NAMES, &[&body]);
            }
            Request::Account(account) => {
                let mut body = Vec::new();
                account.encode(&mut body);
                frame(out, ACCOUNT, &[&body]);
            }
            Request::Printed(at) => frame(out, PRINTED, &[&both(at.as_slice())]),
        }
    }

    /// Removes the first frame from `bytes`; `None` while the frame is incomplete.
    pub fn decode(bytes: &mut Vec<u8>) -> Result<Option<Request>, Malformed> {
        let known = |kind| {
            matches!(
                kind,
                HELLO
                    | FENCE
                    | ABORT
                    | FINALIZE
                    | MEET
                    | SPAWN
                    | UNLINK
                    | NAMES
                    | ACCOUNT
                    | PRINTED
            )
        };
        let Some((kind, body)) = take_frame(bytes, known)? else {
            return Ok(None);
        };
        let short = || Malformed(format!("request {kind:#x} with {} bytes", body.len()));
        Ok(Some(match kind {
            HELLO => Request::Hello {
                version: read_u32(&body, 0).ok_or_else(short)?,
                pid: read_u32(&body, 4).ok_or_else(short)?,
            },
            FENCE => Request::Fence(body),
            ABORT => Request::Abort {
                code: read_i32(&body, 0).ok_or_else(short)?,
                in_doubt: *body.get(4).ok_or_else(short)? != 0,
                reason: String::from_utf8_lossy(&body[5..]).into_owned(),
            },
            MEET => Request::Meet(Meet::decode(&body).ok_or_else(short)?),
            SPAWN => Request::Spawn {
                ticket: read_u32(&body, 0).ok_or_else(short)?,
                spawn: spawn::read_spawn(&body[4..]).ok_or_else(short)?,
            },
            UNLINK => Request::Unlink {
                part: read_u32(&body, 0).ok_or_else(short)?,
            },
            NAMES => Request::Names {
                ticket: read_u32(&body, 0).ok_or_else(short)?,
                question: Question::decode(&body[4..]).ok_or_else(short)?,
            },
            ACCOUNT => Request::Account(Account::decode(&body).ok_or_else(short)?),
            PRINTED if body.is_empty() => Request::Printed(None),
            PRINTED => Request::Printed(Some(read_both(&body).ok_or_else(short)?)),
            _ => Request::Finalize,
        }))
    }
}

impl Meet {
    fn encode(&self, out: &mut Vec<u8>) {
        let number = |n: usize| (n as u32).to_le_bytes();
        let members: Vec<u8> = self.members.iter().flat_map(|m| m.to_le_bytes()).collect();
        let head = [self.ticket.to_le_bytes(), number(self.members.len())].concat();
        let key = number(self.key.len());
        frame(out, MEET, &[&head, &members, &key, &self.key, &self.value]);
    }

    fn decode(body: &[u8]) -> Option<Meet> {
        let count = read_u32(body, 4)? as usize;
        let members_end = count.checked_mul(4)?.checked_add(8)?;
        let members = body.get(8..members_end)?.chunks_exact(4);
        let key_bytes = read_u32(body, members_end)? as usize;
        let key_end = key_bytes.checked_add(members_end + 4)?;
        Some(Meet {
            ticket: read_u32(body, 0)?,
            members: members.filter_map(|m| read_u32(m, 0)).collect(),
            key: body.get(members_end + 4..key_end)?.to_vec(),
            value: body.get(key_end..)?.to_vec(),
        })
    }
}

/// Decodes the values in the body of a `met`, which follow the ticket.
fn decode_values(body: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (mut values, mut at) = (Vec::new(), 4);
    while at < body.len() {
        let end = (read_u32(body, at)? as usize).checked_add(at + 4)?;
        values.push(body.get(at + 4..end)?.to_vec());
        at = end;
    }
    Some(values)
}

impl Reply {
    /// Appends the frame to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Reply::Welcome(w) => {
                let nodes: Vec<u8> = w.nodes.iter().flat_map(|n| n.to_le_bytes()).collect();
                let numbers = [w.version, w.rank, w.size, w.appnum, w.universe];
                let numbers: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
                let part = [w.first, w.parent.unwrap_or(NO_PARENT)].map(u32::to_le_bytes);
                frame(
                    out,
                    WELCOME,
                    &[
                        &numbers,
                        &w.job.to_le_bytes(),
                        &w.secret,
                        &part.concat(),
                        &nodes,
                    ],
                )
            }
            Reply::Release(body) => frame(out, RELEASE, &[body]),
            Reply::Reborn(body) => frame(out, REBORN, &[body]),
            Reply::Met { ticket, values } => {
                let mut body = ticket.to_le_bytes().to_vec();
                for value in values {
                    body.extend_from_slice(&(value.len() as u32).to_le_bytes());
                    body.extend_from_slice(value);
                }
                frame(out, MET, &[&body]);
            }
            Reply::Gone { rank, why } => {
                let why = &why.as_bytes()[..why.len().min(REASON_BYTES_MAX)];
                frame(out, GONE, &[&rank.to_le_bytes(), why])
            }
            Reply::Unmet { ticket, why } => {
                let why = &why.as_bytes()[..why.len().min(REASON_BYTES_MAX)];
                frame(out, UNMET, &[&ticket.to_le_bytes(), why])
            }
            Reply::Spawned { ticket, outcome } => {
                let mut body = ticket.to_le_bytes().to_vec();
                spawn::push_outcome(&mut body, outcome);
                frame(out, SPAWNED, &[&body]);
            }
            Reply::Named { ticket, answer } => {
                let mut body = ticket.to_le_bytes().to_vec();
                answer.encode(&mut body);
                frame(out, NAMED, &[&body]);
            }
            Reply::Tell { question } => frame(out, TELL, &[&question.to_le_bytes()]),
            Reply::PassedOn(at) => frame(out, PASSED_ON, &[&both(&[*at])]),
        }
    }

    /// Removes the first frame from `bytes`; `None` while the frame is incomplete.
    pub fn decode(bytes: &mut Vec<u8>) -> Result<Option<Reply>, Malformed> {
        let known = |kind| {
            matches!(
                kind,
                WELCOME
                    | RELEASE
                    | MET
                    | GONE
                    | UNMET
                    | SPAWNED
                    | NAMED
                    | TELL
                    | REBORN
                    | PASSED_ON
            )
        };
        let Some((kind, body)) = take_frame(bytes, known)? else {
            return Ok(None);
        };
        if kind == RELEASE {
            return Ok(Some(Reply::Release(body)));
        }
        if kind == REBORN {
            return Ok(Some(Reply::Reborn(body)));
        }
        let (reply, what) = match kind {
            MET => (decode_met(&body), "a met, cut short"),
            GONE => (decode_gone(&body), "a gone, cut short"),
            UNMET => (decode_unmet(&body), "an unmet, cut short"),
            SPAWNED => (decode_spawned(&body), "a spawned, cut short"),
            NAMED => (decode_named(&body), "a named that makes no sense"),
            TELL => (decode_tell(&body), "a tell, cut short"),
            PASSED_ON => (read_both(&body).map(Reply::PassedOn), "a passed, cut short"),
            _ => {
                let welcome = decode_welcome(&body).map(Reply::Welcome);
                (welcome, "a welcome that fits no job")
            }
        };
        let bytes = body.len();
        reply
            .map(Some)
            .ok_or_else(|| Malformed(format!("{what} ({bytes} bytes)")))
    }
}

/// Returns the bytes of the numbers of either stream.
fn both(numbers: &[[u64; 2]]) -> Vec<u8> {
    let numbers = numbers.iter().flatten();
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

fn read_both(body: &[u8]) -> Option<[u64; 2]> {
    Some([read_u64(body, 0)?, read_u64(body, 8)?])
}

fn decode_tell(body: &[u8]) -> Option<Reply> {
    let question = read_u32(body, 0)?;
    Some(Reply::Tell { question })
}

fn decode_met(body: &[u8]) -> Option<Reply> {
    Some(Reply::Met {
        ticket: read_u32(body, 0)?,
        values: decode_values(body)?,
    })
}

fn decode_gone(body: &[u8]) -> Option<Reply> {
    Some(Reply::Gone {
        rank: read_u32(body, 0)?,
        why: String::from_utf8_lossy(&body[4..]).into_owned(),
    })
}

fn decode_unmet(body: &[u8]) -> Option<Reply> {
    Some(Reply::Unmet {
        ticket: read_u32(body, 0)?,
        why: String::from_utf8_lossy(&body[4..]).into_owned(),
    })
}

fn decode_spawned(body: &[u8]) -> Option<Reply> {
    Some(Reply::Spawned {
        ticket: read_u32(body, 0)?,
        outcome: spawn::read_outcome(&body[4..])?,
    })
}

fn decode_named(body: &[u8]) -> Option<Reply> {
    Some(Reply::Named {
        ticket: read_u32(body, 0)?,
        answer: Answer::decode(&body[4..])?,
    })
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
    let cut = || Malformed("a release that ends in the middle".to_string());
    let mut at = 0;
    while at < body.len() {
        let rank = read_u32(body, at).ok_or_else(cut)?;
        let bytes = read_u32(body, at + 4).ok_or_else(cut)? as usize;
        let entries = body.get(at + 8..at + 8 + bytes).ok_or_else(cut)?;
        at += 8 + bytes;
        let mut at = 0;
        while at < entries.len() {
            let key_bytes = read_u16(entries, at).ok_or_else(cut)? as usize;
            let key = entries.get(at + 2..at + 2 + key_bytes).ok_or_else(cut)?;
            let key = std::str::from_utf8(key).map_err(|_| cut())?;
            at += 2 + key_bytes;
            let value_bytes = read_u32(entries, at).ok_or_else(cut)? as usize;
            let value = entries.get(at + 4..at + 4 + value_bytes).ok_or_else(cut)?;
            at += 4 + value_bytes;
            each(rank, key, value);
        }
    }
    Ok(())
}

fn decode_welcome(body: &[u8]) -> Option<Welcome> {
    let size = read_u32(body, 8)?;
    let part_at = 28 + SECRET_BYTES;
    let nodes = body.get(part_at + 8..)?;
    let welcome = Welcome {
        version: read_u32(body, 0)?,
        rank: read_u32(body, 4)?,
        size,
        appnum: read_u32(body, 12)?,
        universe: read_u32(body, 16)?,
        job: read_u64(body, 20)?,
        secret: body.get(28..part_at)?.try_into().ok()?,
        first: read_u32(body, part_at)?,
        parent: Some(read_u32(body, part_at + 4)?).filter(|&parent| parent != NO_PARENT),
        nodes: nodes
            .chunks_exact(4)
            .filter_map(|n| read_u32(n, 0))
            .collect(),
    };
    let fits = welcome.rank < size
        && welcome.first.checked_add(size).is_some()
        && nodes.len() == (size as usize).checked_mul(4)?;
    fits.then_some(welcome)
}

fn frame(out: &mut Vec<u8>, kind: u8, parts: &[&[u8]]) {
    let bytes: usize = parts.iter().map(|part| part.len()).sum();
    out.reserve(HEADER_BYTES + bytes);
    out.push(kind);
    out.extend_from_slice(&(bytes as u32).to_le_bytes());
    for part in parts {
        out.extend_from_slice(part);
    }
}

/// Kind and body of the first frame, when it is whole. An unknown kind or an absurd length is
/// an error at once, lest the reader wait for a gigabyte that never comes.
fn take_frame(
    bytes: &mut Vec<u8>,
    known: impl Fn(u8) -> bool,
) -> Result<Option<(u8, Vec<u8>)>, Malformed> {
    let Some(&kind) = bytes.first() else {
        return Ok(None);
    };
    if !known(kind) {
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
