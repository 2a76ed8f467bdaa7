//! Published names: the questions of processes to a launcher or a name server, and the table of
//! names that both keep.

mod server;

use std::collections::BTreeMap;

use base::wire::read_u32;
use serde::{Deserialize, Serialize};

pub use server::{NameStore, Server, DEFAULT_PORT, KEY_FILE, STRING_BYTES_MAX};

/// Most bytes of a service's name and of a port's name together.
pub const NAMES_BYTES_MAX: usize = 16 << 10;

/// A question of a process about a published name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Question {
    /// Publish a port under the name of a service.
    Publish {
        /// The service.
        service: String,
        /// The port's name.
        port: String,
    },
    /// Find the port of a service.
    LookUp {
        /// The service.
        service: String,
    },
    /// Withdraw a name that this process has published.
    Withdraw {
        /// The service.
        service: String,
        /// The port's name.
        port: String,
    },
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The name is published, or withdrawn.
    Done,
    /// Another port is published under the name already.
    Taken,
    /// The port that is published under the name.
    Found(String),
    /// Nothing is published under the name, or not this port by this process.
    Unknown,
}

/// Published names with their owners.
#[derive(Default)]
pub struct Names {
    /// The port of each service, and the number of its owner.
    entries: BTreeMap<String, (String, u64)>,
}

impl Names {
    /// Answers a question of the process with the number `owner`.
    pub fn ask(&mut self, owner: u64, question: Question) -> Answer {
        match question {
            Question::Publish { service, port } => match self.entries.contains_key(&service) {
                true => Answer::Taken,
                false => {
                    self.entries.insert(service, (port, owner));
                    Answer::Done
                }
            },
            Question::LookUp { service } => match self.entries.get(&service) {
                Some((port, _)) => Answer::Found(port.clone()),
                None => Answer::Unknown,
            },
            Question::Withdraw { service, port } => {
                match self.entries.get(&service) == Some(&(port, owner)) {
                    true => {
                        self.entries.remove(&service);
                        Answer::Done
                    }
                    false => Answer::Unknown,
                }
            }
        }
    }

    /// Withdraws all names of an owner, which has ended.
    pub fn leave(&mut self, owner: u64) {
        self.entries.retain(|_, (_, by)| *by != owner);
    }
}

const PUBLISH: u8 = 0;
const LOOK_UP: u8 = 1;
const WITHDRAW: u8 = 2;

const DONE: u8 = 0;
const TAKEN: u8 = 1;
const FOUND: u8 = 2;
const UNKNOWN: u8 = 3;

/// The form of questions and answers between a process and a name server, which may be of another
/// version.
impl Question {
    /// Returns the bytes of the names in it.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Question::LookUp { service } => service.len(),
            Question::Publish { service, port } | Question::Withdraw { service, port } => {
                service.len() + port.len()
            }
        }
    }

    /// Appends the question: its kind, the length of the service's name, that name, the port's.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let (kind, service, port) = match self {
            Question::Publish { service, port } => (PUBLISH, service, port.as_str()),
            Question::LookUp { service } => (LOOK_UP, service, ""),
            Question::Withdraw { service, port } => (WITHDRAW, service, port.as_str()),
        };
        out.push(kind);
        out.extend_from_slice(&(service.len() as u32).to_le_bytes());
        out.extend_from_slice(service.as_bytes());
        out.extend_from_slice(port.as_bytes());
    }

    /// Reads a question that ends where `bytes` do; `None` when it is malformed or too long.
    pub fn decode(bytes: &[u8]) -> Option<Question> {
        let (kind, rest) = bytes.split_first()?;
        let length = read_u32(rest, 0)? as usize;
        if rest.len() - 4 > NAMES_BYTES_MAX {
            return None;
        }
        let (service, port) = rest[4..].split_at_checked(length)?;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let (service, port) = (text(service)?, text(port)?);
        match *kind {
            PUBLISH => Some(Question::Publish { service, port }),
            LOOK_UP if port.is_empty() => Some(Question::LookUp { service }),
            WITHDRAW => Some(Question::Withdraw { service, port }),
            _ => None,
        }
    }
}

impl Answer {
    /// Appends the answer: its kind, and the port's name where there is one.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Answer::Done => out.push(DONE),
            Answer::Taken => out.push(TAKEN),
            Answer::Found(port) => {
                out.push(FOUND);
                out.extend_from_slice(port.as_bytes());
            }
            Answer::Unknown => out.push(UNKNOWN),
        }
    }

    /// Reads an answer that ends where `bytes` do.
    pub fn decode(bytes: &[u8]) -> Option<Answer> {
        let (kind, rest) = bytes.split_first()?;
        match (*kind, rest) {
            (DONE, []) => Some(Answer::Done),
            (TAKEN, []) => Some(Answer::Taken),
            (FOUND, port) => Some(Answer::Found(String::from_utf8(port.to_vec()).ok()?)),
            (UNKNOWN, []) => Some(Answer::Unknown),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn publish(service: &str, port: &str) -> Question {
        let (service, port) = (service.to_string(), port.to_string());
        Question::Publish { service, port }
    }

    fn look_up(service: &str) -> Question {
        let service = service.to_string();
        Question::LookUp { service }
    }

    fn withdraw(service: &str, port: &str) -> Question {
        let (service, port) = (service.to_string(), port.to_string());
        Question::Withdraw { service, port }
    }

    #[test]
    fn a_name_has_one_owner_who_alone_withdraws_it() {
        let mut names = Names::default();
        assert_eq!(names.ask(1, look_up("a")), Answer::Unknown);
        assert_eq!(names.ask(1, publish("a", "one")), Answer::Done);
        assert_eq!(names.ask(2, publish("a", "two")), Answer::Taken);
        assert_eq!(names.ask(2, look_up("a")), Answer::Found("one".into()));
        assert_eq!(names.ask(2, withdraw("a", "one")), Answer::Unknown);
        assert_eq!(names.ask(1, withdraw("a", "two")), Answer::Unknown);
        assert_eq!(names.ask(1, withdraw("a", "one")), Answer::Done);
        assert_eq!(names.ask(2, publish("a", "two")), Answer::Done);
        names.leave(1);
        assert_eq!(names.ask(3, look_up("a")), Answer::Found("two".into()));
        names.leave(2);
        assert_eq!(names.ask(3, look_up("a")), Answer::Unknown);
    }

    #[test]
    fn questions_and_answers_come_back_and_nonsense_is_refused() {
        for question in [publish("a b", "oxmpi:#"), look_up("a"), withdraw("", "p")] {
            let mut bytes = Vec::new();
            question.encode(&mut bytes);
            assert_eq!(Question::decode(&bytes), Some(question));
            for length in 0..5 {
                assert_eq!(Question::decode(&bytes[..length]), None);
            }
        }
        for answer in [
            Answer::Done,
            Answer::Taken,
            Answer::Found("p".into()),
            Answer::Unknown,
        ] {
            let mut bytes = Vec::new();
            answer.encode(&mut bytes);
            assert_eq!(Answer::decode(&bytes), Some(answer));
        }
        let mut long = Vec::new();
        publish("a", &"p".repeat(NAMES_BYTES_MAX)).encode(&mut long);
        let absurd = [&[PUBLISH][..], &u32::MAX.to_le_bytes(), b"abc"].concat();
        for bytes in [
            &long[..],
            &absurd,
            &[9, 0, 0, 0, 0],
            &[LOOK_UP, 0, 0, 0, 0, 1],
        ] {
            assert_eq!(Question::decode(bytes), None);
        }
        for bytes in [&[][..], &[DONE, 1], &[4], &[FOUND, 0xff]] {
            assert_eq!(Answer::decode(bytes), None);
        }
    }
}
