//! A process's account of what it waits for, which a launcher asks for when nothing moves.

use base::wire::{read_u32, read_u64};

/// Most entries of a list in an account.
const ENTRIES_MAX: usize = 64;
/// Most bytes of a text in an account.
const TEXT_BYTES_MAX: usize = 256;
const NOTHING: u64 = u64::MAX;

/// The waits of a process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Account {
    /// The MPI function that it is in; empty where it is in none.
    pub call: String,
    /// The communicator or window of that call.
    pub object: Option<Object>,
    /// The question that it answers.
    pub question: u32,
    /// The wait that it is in, where nothing has happened in it for a moment. Equal in two
    /// accounts: nothing has happened in between. 0: it polls, or goes on.
    pub wait: u64,
    /// For how long nothing has happened in that wait, in milliseconds.
    pub waited: u64,
    /// Changes as long messages come in, of which parts are no event.
    pub moves: u64,
    /// Whether a thread of the program may be outside of MPI while another one waits.
    pub has_threads_outside: bool,
    /// Whether anything but the processes of its part of the job may end the wait: other
    /// processes, or a file.
    pub is_open: bool,
    /// Messages that are not complete; first the one that the call waits for, where it is known.
    pub pending: Vec<Pending>,
    /// Messages that have arrived and that no receive has accepted.
    pub unexpected: Vec<Unexpected>,
    /// Locks of windows that it has and has not given back.
    pub locks: Vec<Lock>,
}

/// A communicator or a window, with its processes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Object {
    /// A number that it has at all its processes.
    pub context: u64,
    /// How a user knows it.
    pub name: String,
    /// Its processes, by rank in the world.
    pub members: Vec<u32>,
}

/// A message that is not complete.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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
    pub comm: String,
    /// Whether it is part of a collective call.
    pub collective: bool,
    /// Whether it is queued here because its receiver takes nothing.
    pub queued: bool,
    /// Whether the call waits for this message and for nothing else.
    pub watched: bool,
}

/// A message that no receive has accepted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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
    pub comm: String,
}

/// A lock that a process has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lock {
    /// The number of the window.
    pub window: u64,
    /// The target's rank in the world.
    pub target: u32,
}

impl Account {
    /// Appends the account to `out`. Long lists and texts are cut.
    pub fn encode(&self, out: &mut Vec<u8>) {
        push_text(out, &self.call);
        push(out, u64::from(self.question));
        let numbers = [self.wait, self.waited, self.moves];
        numbers.iter().for_each(|number| push(out, *number));
        push(out, bits(&[self.has_threads_outside, self.is_open]));
        push(out, u64::from(self.object.is_some()));
        if let Some(object) = &self.object {
            push(out, object.context);
            push_text(out, &object.name);
            push(out, object.members.len() as u64);
            object
                .members
                .iter()
                .for_each(|rank| push(out, u64::from(*rank)));
        }
        let pending = &self.pending[..self.pending.len().min(ENTRIES_MAX)];
        push(out, pending.len() as u64);
        for one in pending {
            let flags = [one.sends, one.collective, one.queued, one.watched];
            push(out, bits(&flags));
            push(out, one.peer.map_or(NOTHING, u64::from));
            push(out, u64::from(one.tag.is_some()));
            push(out, one.tag.unwrap_or(0) as u64);
            push(out, one.bytes);
            push(out, one.context);
            push_text(out, &one.comm);
        }
        let unexpected = &self.unexpected[..self.unexpected.len().min(ENTRIES_MAX)];
        push(out, unexpected.len() as u64);
        for one in unexpected {
            push(out, u64::from(one.peer));
            push(out, one.tag as u64);
            push(out, one.bytes);
            push(out, one.context);
            push_text(out, &one.comm);
        }
        let locks = &self.locks[..self.locks.len().min(ENTRIES_MAX)];
        push(out, locks.len() as u64);
        for one in locks {
            push(out, one.window);
            push(out, u64::from(one.target));
        }
    }

    /// Reads an account; `None` where the bytes are malformed.
    pub fn decode(bytes: &[u8]) -> Option<Account> {
        let mut rest = Rest(bytes);
        let mut account = Account {
            call: rest.text()?,
            question: rest.rank()?,
            wait: rest.number()?,
            waited: rest.number()?,
            moves: rest.number()?,
            ..Account::default()
        };
        let flags = rest.number()?;
        account.has_threads_outside = flags & 1 != 0;
        account.is_open = flags & 2 != 0;
        if rest.number()? != 0 {
            let (context, name) = (rest.number()?, rest.text()?);
            let count = rest.count(usize::MAX)?;
            let members = (0..count).map(|_| rest.rank()).collect::<Option<_>>()?;
            account.object = Some(Object {
                context,
                name,
                members,
            });
        }
        for _ in 0..rest.count(ENTRIES_MAX)? {
            let flags = rest.number()?;
            let peer = match rest.number()? {
                NOTHING => None,
                peer => Some(u32::try_from(peer).ok()?),
            };
            let (has_tag, tag) = (rest.number()? != 0, rest.number()? as i64);
            account.pending.push(Pending {
                sends: flags & 1 != 0,
                collective: flags & 2 != 0,
                queued: flags & 4 != 0,
                watched: flags & 8 != 0,
                peer,
                tag: has_tag.then_some(tag),
                bytes: rest.number()?,
                context: rest.number()?,
                comm: rest.text()?,
            });
        }
        for _ in 0..rest.count(ENTRIES_MAX)? {
            account.unexpected.push(Unexpected {
                peer: rest.rank()?,
                tag: rest.number()? as i64,
                bytes: rest.number()?,
                context: rest.number()?,
                comm: rest.text()?,
            });
        }
        for _ in 0..rest.count(ENTRIES_MAX)? {
            account.locks.push(Lock {
                window: rest.number()?,
                target: rest.rank()?,
            });
        }
        rest.0.is_empty().then_some(account)
    }
}

fn push(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

/// Returns flags as a number, the first one as its lowest bit.
fn bits(flags: &[bool]) -> u64 {
    let flags = flags.iter().rev();
    flags.fold(0, |sum, flag| sum << 1 | u64::from(*flag))
}

fn push_text(out: &mut Vec<u8>, text: &str) {
    let mut end = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out.extend_from_slice(&(end as u32).to_le_bytes());
    out.extend_from_slice(&text.as_bytes()[..end]);
}

/// Bytes that are not read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn number(&mut self) -> Option<u64> {
        let number = read_u64(self.0, 0)?;
        self.0 = &self.0[8..];
        Some(number)
    }

    fn rank(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// Reads the length of a list, of which each entry has 8 bytes at least.
    fn count(&mut self, most: usize) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= most && count <= self.0.len() / 8).then_some(count)
    }

    /// Reads a text, without the characters that would move a cursor.
    fn text(&mut self) -> Option<String> {
        let bytes = read_u32(self.0, 0)? as usize;
        let text = self.0.get(4..4 + bytes)?;
        let text = String::from_utf8_lossy(text);
        self.0 = &self.0[4 + bytes..];
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        Some(text.chars().map(plain).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        account.encode(&mut bytes);
        assert_eq!(Account::decode(&bytes), Some(account));
        assert_eq!(Account::decode(&bytes[..bytes.len() - 1]), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_account_or_refused(bytes: Vec<u8>) {
            let _ = Account::decode(&bytes);
        }
    }
}
