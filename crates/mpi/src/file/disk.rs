//! [`Disk`]: transfers between the elements of a buffer and the runs of a view.
//!
//! Contiguous memory is read and written where it lies; other elements go through a buffer of
//! bounded size. Many short runs that lie close together are read at once, with what lies in
//! between (*sieving*); writes never write what they were not given: another process may write the
//! bytes between at the same time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use ::io::{Run, View};
use datatype::Buffer;
use io_posix::{LockKind, OpenFile};
use memory::{Scratch, UserBuf};

use super::failure::failed;
use crate::process::lock;
use crate::Error;

pub(super) use ::io::Direction;

/// Bytes of the buffer that elements with gaps go through, and of a read of several runs at once.
const BOUNCE_BYTES: u64 = 4 << 20;
/// Most runs that are read at once.
const BATCH_RUNS: usize = 4096;
/// Mean length of runs from which each is read by a call of its own: a call takes about as long as
/// reading this much from the cache of the file system.
const SIEVED_BYTES: u64 = 4096;

/// The open file of one process. Shared with accesses that are under way.
pub(super) struct Disk {
    pub(super) file: Arc<OpenFile>,
    /// The name without a prefix that forces the file system.
    pub(super) path: String,
    /// Whether accesses of different processes to the same bytes are ordered.
    atomic: AtomicBool,
    /// Held by an access in atomic mode: locks of the file do not part threads.
    turn: Mutex<()>,
}

impl Disk {
    pub(super) fn new(file: OpenFile, path: &str) -> Disk {
        Disk {
            file: Arc::new(file),
            path: path.to_string(),
            atomic: AtomicBool::new(false),
            turn: Mutex::default(),
        }
    }

    pub(super) fn is_atomic(&self) -> bool {
        self.atomic.load(Ordering::Relaxed)
    }

    pub(super) fn set_atomic(&self, atomic: bool) {
        self.atomic.store(atomic, Ordering::Relaxed);
    }

    /// Transfers all of `buffer`, beginning with data byte `from` of the view, and returns the
    /// bytes transferred: fewer where a read meets the end of the file.
    pub(super) fn transfer(
        &self,
        view: &View,
        from: u64,
        buffer: &Buffer,
        direction: Direction,
    ) -> Result<u64, Error> {
        let bytes = buffer.len() as u64;
        if bytes == 0 {
            return Ok(0);
        }
        let _turn = self.is_atomic().then(|| lock(&self.turn));
        let _range = match self.is_atomic() {
            true => Some(self.lock_range(view, from, bytes, direction)?),
            false => None,
        };
        let mut runs = view.data_runs(from, bytes)?;
        match direction {
            Direction::Write => self.write_runs(runs, buffer),
            Direction::Read => self.read_runs(&mut runs, buffer),
        }
    }

    /// Returns the run of the file and the memory of an access that are contiguous and that no lock
    /// is held for; `None` for any other.
    ///
    /// # Errors
    /// When a position does not fit.
    pub(super) fn as_one(
        &self,
        view: &View,
        from: u64,
        buffer: &Buffer,
    ) -> Result<Option<(Run, UserBuf)>, Error> {
        let bytes = buffer.len() as u64;
        let run = view.data_runs(from, bytes)?.next();
        let run = run.filter(|run| run.length == bytes && !self.is_atomic());
        Ok(run.zip(buffer.contiguous()))
    }

    /// Locks the bytes from the first to the last of an access.
    fn lock_range(
        &self,
        view: &View,
        from: u64,
        bytes: u64,
        direction: Direction,
    ) -> Result<io_posix::RangeLock<'_>, Error> {
        let byte = |at: u64| view.data_runs(at, 1).map(|mut run| run.next());
        let none = Run {
            offset: 0,
            length: 0,
        };
        let (first, last) = (byte(from)?, byte(from + bytes - 1)?);
        let (first, last) = (first.unwrap_or(none), last.unwrap_or(none));
        let range = Run {
            offset: first.offset,
            length: last.end() - first.offset,
        };
        let kind = match direction {
            Direction::Read => LockKind::Shared,
            Direction::Write => LockKind::Exclusive,
        };
        let locked = self.file.lock(range, kind);
        locked.map_err(|why| failed("lock", &self.path, range.offset, range.length, &why))
    }

    fn write_runs(&self, runs: impl Iterator<Item = Run>, buffer: &Buffer) -> Result<u64, Error> {
        let mut bounce = Bounce::new(buffer);
        let mut done = 0;
        for run in runs {
            let mut written = 0;
            while written < run.length {
                let part = bounce.packed(done, run.length - written);
                let (at, bytes) = (run.offset + written, part.len() as u64);
                self.file
                    .write(at, part)
                    .map_err(|why| failed("write", &self.path, at, run.length - written, &why))?;
                written += bytes;
                done += bytes;
            }
        }
        Ok(done)
    }

    fn read_runs(
        &self,
        runs: &mut impl Iterator<Item = Run>,
        buffer: &Buffer,
    ) -> Result<u64, Error> {
        let mut batch = Batch::default();
        let mut scratch = None;
        let mut done = 0;
        while batch.fill(runs) {
            let wanted = batch.data;
            let read = match batch.is_sieved() {
                true => self.read_batch(&batch, buffer, done, &mut scratch)?,
                false => self.read_each(&batch, buffer, done, &mut scratch)?,
            };
            done += read;
            if read < wanted {
                break;
            }
        }
        Ok(done)
    }

    /// Reads everything from the first to the last run of a batch, and takes out what is wanted.
    fn read_batch(
        &self,
        batch: &Batch,
        buffer: &Buffer,
        position: u64,
        scratch: &mut Option<Scratch>,
    ) -> Result<u64, Error> {
        let room = scratch.get_or_insert_with(|| Scratch::new(BOUNCE_BYTES as usize));
        let (start, span) = (batch.start(), batch.span());
        let read = self
            .file
            .read(start, room.buf().part(0, span as usize))
            .map_err(|why| failed("read", &self.path, start, span, &why))?;
        let mut done = 0;
        for run in &batch.runs {
            let at = run.offset - start;
            let there = (read as u64).saturating_sub(at).min(run.length);
            let from = room.buf().part(at as usize, there as usize);
            buffer.unpack_from_user((position + done) as usize, from);
            done += there;
            if there < run.length {
                break;
            }
        }
        Ok(done)
    }

    /// Reads the runs of a batch one by one.
    fn read_each(
        &self,
        batch: &Batch,
        buffer: &Buffer,
        position: u64,
        scratch: &mut Option<Scratch>,
    ) -> Result<u64, Error> {
        let contiguous = buffer.contiguous();
        let mut done = 0;
        for run in &batch.runs {
            let mut at = run.offset;
            while at < run.end() {
                let place = (position + done) as usize;
                let (into, lent) = match contiguous {
                    Some(memory) => (memory.part(place, (run.end() - at) as usize), false),
                    None => {
                        let room =
                            scratch.get_or_insert_with(|| Scratch::new(BOUNCE_BYTES as usize));
                        let bytes = (run.end() - at).min(BOUNCE_BYTES);
                        (room.buf().part(0, bytes as usize), true)
                    }
                };
                let read = self
                    .file
                    .read(at, into)
                    .map_err(|why| failed("read", &self.path, at, run.end() - at, &why))?;
                if lent {
                    buffer.unpack_from_user(place, into.part(0, read));
                }
                done += read as u64;
                at += read as u64;
                if read < into.len() {
                    return Ok(done);
                }
            }
        }
        Ok(done)
    }
}

impl ::io::Storage for Disk {
    fn read(&self, offset: u64, into: UserBuf) -> std::io::Result<usize> {
        self.file.read(offset, into)
    }

    fn write(&self, offset: u64, from: UserBuf) -> std::io::Result<()> {
        self.file.write(offset, from)
    }

    fn lock<'a>(&'a self, range: Run) -> std::io::Result<Box<dyn ::io::Lock + 'a>> {
        ::io::Storage::lock(&*self.file, range)
    }
}

/// Runs that may be read by one call.
#[derive(Default)]
struct Batch {
    runs: Vec<Run>,
    /// Bytes of the runs.
    data: u64,
    /// The run behind them.
    next: Option<Run>,
}

impl Batch {
    /// Takes the next runs; whether there are any.
    fn fill(&mut self, runs: &mut impl Iterator<Item = Run>) -> bool {
        self.runs.clear();
        self.data = 0;
        while let Some(run) = self.next.take().or_else(|| runs.next()) {
            let fits = self.runs.first().is_none_or(|first| {
                run.offset >= first.offset && run.end() - first.offset <= BOUNCE_BYTES
            });
            if !fits || self.runs.len() == BATCH_RUNS {
                self.next = Some(run);
                break;
            }
            self.runs.push(run);
            self.data += run.length;
        }
        !self.runs.is_empty()
    }

    fn start(&self) -> u64 {
        self.runs[0].offset
    }

    fn span(&self) -> u64 {
        self.runs[self.runs.len() - 1].end() - self.start()
    }

    /// Whether the runs are so short and so close that reading all between them takes less time.
    fn is_sieved(&self) -> bool {
        let count = self.runs.len() as u64;
        let (is_ascending, data) = (self.runs.is_sorted_by_key(|run| run.offset), self.data);
        count > 1 && is_ascending && data / count < SIEVED_BYTES && self.span() <= data * 4
    }
}

/// The packed bytes of a buffer: where they lie, or a part of them at a time.
struct Bounce<'a> {
    buffer: &'a Buffer,
    contiguous: Option<UserBuf>,
    scratch: Option<Scratch>,
    /// Packed bytes that the scratch holds: the first, and how many.
    first: u64,
    held: u64,
}

impl<'a> Bounce<'a> {
    fn new(buffer: &'a Buffer) -> Bounce<'a> {
        Bounce {
            buffer,
            contiguous: buffer.contiguous(),
            scratch: None,
            first: 0,
            held: 0,
        }
    }

    /// Returns packed bytes from `position` on, `bytes` or fewer.
    fn packed(&mut self, position: u64, bytes: u64) -> UserBuf {
        if let Some(memory) = self.contiguous {
            return memory.part(position as usize, bytes as usize);
        }
        let room = (self.buffer.len() as u64).min(BOUNCE_BYTES);
        let scratch = (self.scratch).get_or_insert_with(|| Scratch::new(room as usize));
        if position < self.first || position >= self.first + self.held {
            self.first = position;
            self.held = self.buffer.pack_to_user(position as usize, scratch.buf()) as u64;
        }
        let at = position - self.first;
        let bytes = bytes.min(self.held - at);
        scratch.buf().part(at as usize, bytes as usize)
    }
}
