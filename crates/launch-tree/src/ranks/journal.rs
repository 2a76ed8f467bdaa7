//! Copies of event logs on another host: the journal of a rank, as the daemon of its host ships it,
//! and the copies that `mpirun` keeps. See [`bootstrap::native::journal`].

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use bootstrap::native::journal::{self, TOKEN_BYTES};
use bootstrap::native::EVENT_LOG_BYTES;
use rustix::fs::{seek, MemfdFlags, SealFlags, SeekFrom};
use rustix::io::{pread, pwrite, Errno};

/// A store to an event log: the position of a word, and the word.
pub type Store = (u64, u64);

/// Bytes of a word.
const WORD: u64 = 8;

/// Makes memory that a rank maps and that outlives it. Its length is sealed.
pub(crate) fn make_memory(name: &str, bytes: usize) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let memory = rustix::fs::memfd_create(name, flags)?;
    rustix::fs::ftruncate(&memory, bytes as u64)?;
    rustix::fs::fcntl_add_seals(
        &memory,
        SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL,
    )?;
    Ok(memory)
}

/// Makes the memory of an event log.
pub(crate) fn make_event_log() -> io::Result<OwnedFd> {
    make_memory("oxmpi-event-log", EVENT_LOG_BYTES)
}

/// The journal of a rank of this host.
pub(crate) struct Journal {
    memory: OwnedFd,
    /// The socket to the present life.
    socket: Option<UnixStream>,
    /// Stores that were shipped.
    shipped: u64,
}

impl Journal {
    pub(crate) fn new() -> io::Result<Journal> {
        Ok(Journal {
            memory: make_memory("oxmpi-event-journal", journal::BYTES)?,
            socket: None,
            shipped: 0,
        })
    }

    /// Returns the socket and the memory for the next life of the rank.
    pub(crate) fn for_life(&mut self) -> io::Result<(OwnedFd, OwnedFd)> {
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        self.socket = Some(ours);
        Ok((theirs.into(), self.memory.try_clone()?))
    }

    /// Returns the socket that tokens come by.
    pub(crate) fn socket(&self) -> Option<BorrowedFd<'_>> {
        self.socket.as_ref().map(AsFd::as_fd)
    }

    /// Returns the last token that has come; `None` without one, and once the rank has closed the
    /// socket.
    pub(crate) fn token(&mut self) -> Option<u64> {
        let (mut last, mut bytes) = (None, [0; TOKEN_BYTES]);
        loop {
            let socket = self.socket.as_ref()?;
            match rustix::io::read(socket, &mut bytes) {
                Ok(TOKEN_BYTES) => last = Some(u64::from_ne_bytes(bytes)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return last,
                _ => self.socket = None,
            }
        }
    }

    /// Notifies the rank that the other host has what was stored before a token.
    pub(crate) fn answer(&self, token: u64) {
        if let Some(socket) = &self.socket {
            // Fails only for a rank that has ended.
            let _ = rustix::io::write(socket, &token.to_ne_bytes());
        }
    }

    /// Takes the stores that were not shipped, and the last one that was.
    pub(crate) fn stores(&mut self) -> io::Result<Vec<Store>> {
        let read = |at: usize| read_word(&self.memory, at as u64);
        let stores = read(0)?;
        let first = self.shipped.saturating_sub(1);
        if stores < first || stores - first > journal::STORES {
            return Err(io::Error::other("the journal of events is damaged"));
        }
        let taken = (first..stores).map(|store| {
            let place = journal::place(store);
            Ok((read(place)?, read(place + 1)?))
        });
        let taken = taken.collect::<io::Result<Vec<Store>>>()?;
        self.shipped = stores;
        Ok(taken)
    }
}

fn read_word(memory: &OwnedFd, at: u64) -> io::Result<u64> {
    let mut word = [0; WORD as usize];
    match pread(memory, &mut word, at * WORD)? {
        n if n == word.len() => Ok(u64::from_ne_bytes(word)),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Returns the words of an event log that are not zero.
pub fn snapshot(log: &OwnedFd) -> io::Result<Vec<Store>> {
    let (mut stores, mut at) = (Vec::new(), 0);
    let mut bytes = vec![0; 1 << 16];
    while let Ok(data) = seek(log, SeekFrom::Data(at)) {
        let end = seek(log, SeekFrom::Hole(data))?;
        at = data;
        while at < end {
            let len = bytes.len().min((end - at) as usize);
            let read = pread(log, &mut bytes[..len], at)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let words = bytes[..read].chunks_exact(WORD as usize);
            let words = words.map(|word| u64::from_ne_bytes(word.try_into().expect("8 bytes")));
            let positions = at / WORD..;
            stores.extend(positions.zip(words).filter(|(_, word)| *word != 0));
            at += read as u64;
        }
    }
    Ok(stores)
}

/// Makes stores to an event log, in order.
///
/// # Errors
/// When the system refuses; those that lie outside of the log are an error, too.
pub(crate) fn apply(log: &OwnedFd, stores: &[Store]) -> io::Result<()> {
    let mut rest = stores;
    while let Some((first, _)) = rest.first() {
        // Those that follow each other go at once.
        let run = rest
            .iter()
            .zip(0..)
            .take_while(|((at, _), n)| at.checked_sub(*n) == Some(*first));
        let run = run.count();
        let end = first
            .checked_add(run as u64)
            .and_then(|end| end.checked_mul(WORD));
        if end.is_none_or(|end| end > EVENT_LOG_BYTES as u64) {
            return Err(io::Error::other(format!(
                "an event log has no word {first}"
            )));
        }
        let bytes: Vec<u8> = rest[..run]
            .iter()
            .flat_map(|(_, word)| word.to_ne_bytes())
            .collect();
        if pwrite(log, &bytes, first * WORD)? != bytes.len() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        rest = &rest[run..];
    }
    Ok(())
}

/// State of ranks that `mpirun` has for the loss of their hosts, by their numbers.
#[derive(Default)]
pub struct Copies {
    /// Copies of their event logs.
    logs: BTreeMap<u32, OwnedFd>,
    /// Bytes of their standard output and error that have arrived.
    printed: BTreeMap<u32, [u64; 2]>,
}

impl Copies {
    /// Makes stores to the copy of a rank's log; where it is `fresh` they are all that is in it.
    pub fn take(&mut self, rank: u32, fresh: bool, stores: &[Store]) -> io::Result<()> {
        if fresh || !self.logs.contains_key(&rank) {
            self.logs.insert(rank, make_event_log()?);
        }
        apply(&self.logs[&rank], stores)
    }

    /// Notes that output of a rank has arrived.
    pub fn note_printed(&mut self, rank: u32, stream: usize, bytes: usize) {
        self.printed.entry(rank).or_default()[stream] += bytes as u64;
    }

    /// Returns the bytes of each stream that have arrived from a rank.
    pub fn printed(&self, rank: u32) -> [u64; 2] {
        self.printed.get(&rank).copied().unwrap_or_default()
    }

    /// Takes the log of a rank, for its next life on another host; an empty one where it had no
    /// event.
    pub fn remove(&mut self, rank: u32) -> io::Result<OwnedFd> {
        self.logs.remove(&rank).map_or_else(make_event_log, Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores as a rank does.
    fn store(memory: &OwnedFd, number: u64, (at, word): Store) {
        let place = journal::place(number) as u64;
        let write = |at: u64, word: u64| {
            assert_eq!(pwrite(memory, &word.to_ne_bytes(), at * WORD), Ok(8));
        };
        write(place, at);
        write(place + 1, word);
        write(0, number + 1);
    }

    #[test]
    fn a_log_comes_back_from_its_stores() {
        let mut journal = Journal::new().unwrap();
        let (_socket, memory) = journal.for_life().unwrap();
        let mut copies = Copies::default();
        for (number, one) in [(0, 7), (1, 1), (8, 3), (9, 4), (1, 2)]
            .into_iter()
            .enumerate()
        {
            store(&memory, number as u64, one);
        }
        copies.take(5, false, &journal.stores().unwrap()).unwrap();
        // The last one is replaced after it was shipped, and another one follows.
        store(&memory, 4, (1, 3));
        store(&memory, 5, (100_000, 9));
        let stores = journal.stores().unwrap();
        assert_eq!(stores, [(1, 3), (100_000, 9)]);
        copies.take(5, false, &stores).unwrap();
        let log = copies.remove(5).unwrap();
        let whole = [(0, 7), (1, 3), (8, 3), (9, 4), (100_000, 9)];
        assert_eq!(snapshot(&log).unwrap(), whole);
        copies.take(5, false, &[(2, 2)]).unwrap();
        copies.take(5, true, &whole).unwrap();
        assert_eq!(snapshot(&copies.remove(5).unwrap()).unwrap(), whole);
        assert_eq!(snapshot(&copies.remove(5).unwrap()).unwrap(), []);
    }

    #[test]
    fn stores_outside_of_a_log_and_a_damaged_journal_are_refused() {
        let mut copies = Copies::default();
        let words = EVENT_LOG_BYTES as u64 / WORD;
        assert!(copies.take(0, false, &[(words - 1, 1)]).is_ok());
        for at in [words, u64::MAX, u64::MAX / 8 + 1] {
            assert!(copies.take(0, false, &[(at, 1)]).is_err(), "{at}");
        }
        assert!(copies
            .take(0, false, &[(words - 1, 1), (words, 1)])
            .is_err());
        let mut journal = Journal::new().unwrap();
        let (_socket, memory) = journal.for_life().unwrap();
        let count = (journal::STORES + 1).to_ne_bytes();
        assert_eq!(pwrite(&memory, &count, 0), Ok(8));
        assert!(journal.stores().is_err());
    }

    #[test]
    fn tokens_come_and_are_answered() {
        let mut journal = Journal::new().unwrap();
        assert_eq!(journal.token(), None);
        let (socket, _memory) = journal.for_life().unwrap();
        assert_eq!(journal.token(), None);
        for token in [1u64, 2] {
            assert_eq!(rustix::io::write(&socket, &token.to_ne_bytes()), Ok(8));
        }
        assert_eq!(journal.token(), Some(2));
        journal.answer(2);
        let mut bytes = [0; 8];
        assert_eq!(rustix::io::read(&socket, &mut bytes), Ok(8));
        assert_eq!(u64::from_ne_bytes(bytes), 2);
        drop(socket);
        assert_eq!(journal.token(), None);
        assert!(journal.socket().is_none());
    }
}
