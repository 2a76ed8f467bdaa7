//! A file in memory, and tiles of it that ranks share.
#![allow(dead_code)]

use std::io::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use base::Mutex;
use datatype::constants::MPI_BYTE;
use datatype::{predefined, Datatype};
use io::{
    Direction, Lock, Neighbours, PendingWork, Remote, Representation, Run, Storage, View, Work,
};
use memory::{Payload, UserBuf};

/// A file in memory. Accesses that touch `broken` fail.
#[derive(Default)]
pub struct MemoryFile {
    pub bytes: Mutex<Vec<u8>>,
    pub broken: Option<u64>,
    pub has_locks: bool,
    /// Locks that were taken so far.
    pub locks: AtomicUsize,
    locked: Mutex<Vec<Run>>,
    /// Whether work beside is carried out as late as it may be, and not at once.
    pub puts_off: bool,
    /// Work that was put off so far.
    pub late: AtomicUsize,
}

/// Work that is carried out when somebody waits for its end.
struct Late(Option<Work>);

impl PendingWork for Late {
    fn end(mut self: Box<Self>) -> Result<()> {
        self.0.take().unwrap()()
    }
}

impl Drop for Late {
    fn drop(&mut self) {
        if let Some(work) = self.0.take() {
            let _ = work();
        }
    }
}

/// Processes of which some reach each other: those that are alike in a bit of their ranks. All
/// are this process.
pub struct Near {
    pub rank: u32,
    pub bit: u32,
    /// Copies until one fails, and each third one from there.
    pub good: AtomicUsize,
    pub copies: AtomicUsize,
}

impl Neighbours for Near {
    fn reaches(&self, rank: u32) -> bool {
        (self.rank ^ rank) >> self.bit & 1 == 0
    }

    fn copy(
        &self,
        rank: u32,
        direction: Direction,
        local: &[UserBuf],
        remote: &[Remote],
    ) -> Result<()> {
        assert!(self.reaches(rank) && rank != self.rank);
        let bytes = |local: &[UserBuf]| local.iter().map(UserBuf::len).sum::<usize>() as u64;
        assert_eq!(
            bytes(local),
            remote.iter().map(|part| part.length).sum::<u64>()
        );
        let copies = self.copies.fetch_add(1, Ordering::Relaxed);
        let good = self.good.load(Ordering::Relaxed);
        let fails = copies >= good && (copies - good).is_multiple_of(3);
        let mut remote = remote.iter().copied();
        let mut there = Remote {
            address: 0,
            length: 0,
        };
        for part in local {
            for at in 0..part.len() {
                while there.length == 0 {
                    there = remote.next().unwrap();
                }
                // SAFETY: a byte of an area of the test, which lives until all ranks are done.
                let byte = unsafe { UserBuf::new(there.address as *mut u8, 1) };
                match direction {
                    Direction::Write => part.part(at, 1).copy_from(&byte),
                    Direction::Read => byte.copy_from(&part.part(at, 1)),
                }
                there.address += 1;
                there.length -= 1;
                if fails {
                    return Err(Error::from_raw_os_error(libc::EFAULT));
                }
            }
        }
        Ok(())
    }
}

impl MemoryFile {
    pub fn new(bytes: &[u8]) -> MemoryFile {
        MemoryFile {
            bytes: Mutex::new(bytes.to_vec()),
            has_locks: true,
            ..MemoryFile::default()
        }
    }

    pub fn content(&self) -> Vec<u8> {
        self.bytes.lock().clone()
    }

    fn check(&self, offset: u64, len: usize) -> Result<()> {
        let range = offset..offset + len as u64;
        match self.broken.is_some_and(|broken| range.contains(&broken)) {
            true => Err(Error::from_raw_os_error(libc::ENOSPC)),
            false => Ok(()),
        }
    }
}

struct Held<'a>(&'a MemoryFile, Run);

impl Lock for Held<'_> {}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.locked.lock().retain(|run| *run != self.1);
    }
}

impl Storage for MemoryFile {
    fn read(&self, offset: u64, into: UserBuf) -> Result<usize> {
        self.check(offset, into.len())?;
        let bytes = self.bytes.lock();
        let from = (offset as usize).min(bytes.len());
        let len = into.len().min(bytes.len() - from);
        into.write(0, &bytes[from..from + len]);
        Ok(len)
    }

    fn write(&self, offset: u64, from: UserBuf) -> Result<()> {
        self.check(offset, from.len())?;
        let mut bytes = self.bytes.lock();
        let end = offset as usize + from.len();
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        from.read(0, &mut bytes[offset as usize..end]);
        Ok(())
    }

    fn beside(&self, work: Work) -> Box<dyn PendingWork> {
        if self.puts_off {
            self.late.fetch_add(1, Ordering::Relaxed);
            return Box::new(Late(Some(work)));
        }
        Box::new(Late(Some(Box::new({
            let done = work();
            move || done
        }))))
    }

    fn lock<'a>(&'a self, range: Run) -> Result<Box<dyn Lock + 'a>> {
        if !self.has_locks {
            return Err(ErrorKind::Unsupported.into());
        }
        let mut locked = self.locked.lock();
        let free = |run: &Run| run.end() <= range.offset || range.end() <= run.offset;
        assert!(locked.iter().all(free), "two locks of one range");
        locked.push(range);
        self.locks.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(Held(self, range)))
    }
}

/// A tile of a file: each block belongs to a rank, or to nobody (where its owner is no rank).
#[derive(Clone, Debug)]
pub struct Tile {
    pub displacement: u64,
    pub blocks: Vec<(u32, u64)>,
}

impl Tile {
    /// The view of a rank: its blocks of each tile.
    pub fn view(&self, rank: u32) -> View {
        let (mut at, mut lengths, mut places) = (0, vec![], vec![]);
        for (owner, length) in &self.blocks {
            if *owner == rank {
                places.push(at);
                lengths.push(*length as i64);
            }
            at += *length as i64;
        }
        let byte = predefined(MPI_BYTE).unwrap();
        let blocks = Arc::new(Datatype::hindexed(&lengths, &places, byte).unwrap());
        let tile = Arc::new(Datatype::resized(&blocks, 0, at).unwrap());
        View::new(self.displacement, byte, &tile, Representation::Native).unwrap()
    }

    /// The positions in the file of `bytes` of a rank's data behind the first `from`.
    pub fn positions(&self, rank: u32, from: usize, bytes: usize) -> Vec<u64> {
        let one = |(owner, length): &(u32, u64)| vec![*owner; *length as usize];
        let owners: Vec<u32> = self.blocks.iter().flat_map(one).collect();
        if !owners.contains(&rank) {
            return vec![];
        }
        let all = (0..).filter(|at: &usize| owners[at % owners.len()] == rank);
        let all = all.map(|at| self.displacement + at as u64);
        all.skip(from).take(bytes).collect()
    }
}

/// Unpacks into a buffer of memory.
pub fn fill(buffer: &datatype::Buffer, bytes: &[u8]) {
    assert_eq!(buffer.unpack(0, Payload::from(bytes)), bytes.len());
}
