//! A process's report of what it waits for, which a launcher requests when the job seems stuck.

use serde::{Deserialize, Serialize};

/// Most entries of a list in an account.
const ENTRIES_MAX: usize = 64;
/// Most bytes of a text in an account.
const TEXT_BYTES_MAX: usize = 256;

/// The waits of a process.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Account {
    /// The MPI function that it is in; empty where it is in none.
    #[serde(with = "short_text")]
    pub call: String,
    /// The communicator or window of that call.
    pub object: Option<Object>,
    /// The question that it answers.
    pub question: u32,
    /// Number of the wait that it is in, once nothing has happened in it for a moment; 0 while it
    /// polls or runs. Nothing has happened between two accounts with equal numbers.
    pub wait: u64,
    /// Time since something happened in that wait, in milliseconds.
    pub waited: u64,
    /// A counter that changes while parts of long messages arrive, which are no event of a wait.
    pub moves: u64,
    /// Whether a thread of the program may be outside of MPI while another one waits.
    pub has_threads_outside: bool,
    /// Whether anything but the processes of its part of the job may end the wait: other
    /// processes, or a file.
    pub is_open: bool,
    /// Messages that are not complete. The one that the call waits for is first, where it is known.
    #[serde(with = "short_list")]
    pub pending: Vec<Pending>,
    /// Messages that have arrived and that no receive has accepted.
    #[serde(with = "short_list")]
    pub unexpected: Vec<Unexpected>,
    /// Locks of windows that it holds.
    #[serde(with = "short_list")]
    pub locks: Vec<Lock>,
}

/// A communicator or a window, with its processes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Object {
    /// Number of the object, equal at all its processes.
    pub context: u64,
    /// Name of the object for the user.
    #[serde(with = "short_text")]
    pub name: String,
    /// Its processes, by rank in the world.
    pub members: Vec<u32>,
}

/// A message that is not complete.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pending {
    /// Whether this process sends it.
    pub sends: bool,
    /// The other process, by rank in the world; `None` for any.
    pub peer: Option<u32>,
    /// The tag; `None` for any.
    pub tag: Option<i64>,
    /// Bytes of the message, or of the room for it.
    pub bytes: u64,
    /// The number of its communicator.
    pub context: u64,
    /// The communicator as a user knows it.
    #[serde(with = "short_text")]
    pub comm: String,
    /// Whether the message is part of a collective call.
    pub collective: bool,
    /// Whether the message is queued here, because its receiver is busy.
    pub queued: bool,
    /// Whether the call waits for this message and for nothing else.
    pub watched: bool,
}

/// A message that no receive has accepted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Unexpected {
    /// The sender, by rank in the world.
    pub peer: u32,
    /// The tag.
    pub tag: i64,
    /// Bytes of the message.
    pub bytes: u64,
    /// The number of its communicator.
    pub context: u64,
    /// The communicator as a user knows it.
    #[serde(with = "short_text")]
    pub comm: String,
}

/// A window lock that a process holds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Lock {
    /// The number of the window.
    pub window: u64,
    /// The target's rank in the world.
    pub target: u32,
}

/// A text that is cut to its beginning. The receiver replaces characters that would move a cursor.
mod short_text {
    use serde::{de::Error, Deserialize, Deserializer, Serialize, Serializer};

    use super::TEXT_BYTES_MAX;
    use crate::codec::cut;

    pub(super) fn serialize<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
        cut(text, TEXT_BYTES_MAX).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
        let text = <&str>::deserialize(from)?;
        if text.len() > TEXT_BYTES_MAX {
            return Err(D::Error::custom("a longer text than is sent"));
        }
        Ok(text.replace(char::is_control, " "))
    }
}

/// A list of which the first entries are sent.
mod short_list {
    use serde::{de::Error, Deserialize, Deserializer, Serialize, Serializer};

    use super::ENTRIES_MAX;

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        list: &[T],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        list[..list.len().min(ENTRIES_MAX)].serialize(to)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<T>, D::Error> {
        let list = Vec::deserialize(from)?;
        match list.len() <= ENTRIES_MAX {
            true => Ok(list),
            false => Err(D::Error::custom("more entries than are sent")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec;
    use proptest::prelude::*;

    #[test]
    fn an_account_reads_back() {
        let object = Object {
            context: 7,
            name: "MPI_COMM_WORLD".into(),
            members: vec![0, 1, 2],
        };
        let pending = Pending {
            sends: true,
            peer: Some(1),
            tag: Some(-3),
            bytes: 9,
            context: 7,
            comm: "x".into(),
            collective: false,
            queued: true,
            watched: true,
        };
        let any = Pending {
            collective: true,
            ..Pending::default()
        };
        let account = Account {
            call: "MPI_Wait".into(),
            object: Some(object),
            question: 6,
            wait: 5,
            waited: 12,
            moves: 4,
            has_threads_outside: true,
            is_open: false,
            pending: vec![pending, any],
            unexpected: vec![Unexpected {
                peer: 2,
                tag: 5,
                ..Unexpected::default()
            }],
            locks: vec![Lock {
                window: 4,
                target: 1,
            }],
        };
        let mut bytes = Vec::new();
        codec::encode(&account, &mut bytes);
        assert_eq!(codec::decode(&bytes), Some(account));
        assert_eq!(codec::decode::<Account>(&bytes[..bytes.len() - 1]), None);
    }

    #[test]
    fn long_texts_and_lists_are_cut_and_texts_move_no_cursor() {
        let account = Account {
            call: "a\u{1b}[2J".into(),
            object: Some(Object {
                name: "\u{fc}".repeat(200),
                ..Object::default()
            }),
            locks: vec![Lock::default(); ENTRIES_MAX + 1],
            ..Account::default()
        };
        let mut bytes = Vec::new();
        codec::encode(&account, &mut bytes);
        let back: Account = codec::decode(&bytes).unwrap();
        assert_eq!(back.call, "a [2J");
        assert_eq!(back.object.unwrap().name, "\u{fc}".repeat(128));
        assert_eq!(back.locks.len(), ENTRIES_MAX);
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_account_or_refused(bytes: Vec<u8>) {
            let _ = codec::decode::<Account>(&bytes);
        }
    }
}
