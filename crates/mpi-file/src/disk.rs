//! [`Disk`]: transfers between the elements of a buffer and the runs of a view.
//!
//! Contiguous memory is read and written where it lies; other elements go through a buffer of
//! bounded size. Many short runs that lie close together are read at once, with what lies in
//! between (*sieving*). Writes never write what they were not given, as another process may write
//! the bytes between at the same time, unless the hint `romio_ds_write` asks for it: each write
//! then locks the range that it writes.

use base::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{sync_channel, Receiver};
use std::sync::{Arc, Weak};

use ::io::hints::Hints;
use ::io::plan::{is_dense, Switch};
use ::io::{PendingWork, Run, View, Work};
use datatype::Buffer;
use io_posix::{LockKind, OpenFile};
use memory::{Scratch, UserBuf};

use crate::background::Files;
use crate::failure::failed;
use mpi::{Error, Process};

pub(crate) use ::io::Direction;

/// Most runs that are read at once.
const BATCH_RUNS: usize = 4096;
/// Mean length of runs from which each is read by a call of its own: a call takes about as long as
/// reading this much from the cache of a file system in memory, and somewhat longer than that of
/// one on a device.
const SIEVED_BYTES: u64 = 4096;
/// Most bytes that are read at once with what lies between: they stay in a cache until they are
/// taken out.
const SIEVED_MAX: u64 = 512 << 10;

/// Hints about independent accesses.
#[derive(Clone, Copy)]
struct Tuning {
    /// Bytes of a read of several runs, and of the buffer that elements with gaps are read through.
    read_bytes: u64,
    /// Bytes of the buffer that elements with gaps are packed into.
    write_bytes: u64,
    /// Reads take gaps along.
    sieve: Switch,
    /// Writes read, change and write back gaps, under a lock.
    fills_gaps: bool,
}

impl Tuning {
    fn of(hints: &Hints) -> Tuning {
        let bytes = |key| hints.number(key).unwrap_or(1).max(1);
        Tuning {
            read_bytes: bytes("ind_rd_buffer_size"),
            write_bytes: bytes("ind_wr_buffer_size"),
            sieve: hints.switch("romio_ds_read"),
            fills_gaps: hints.switch("romio_ds_write") == Switch::Enable,
        }
    }
}

/// The open file of one process. Shared with accesses that are under way.
pub(crate) struct Disk {
    pub(crate) file: Arc<OpenFile>,
    /// The name without a prefix that forces the file system.
    pub(crate) path: String,
    /// The threads of the process. An access under way does not keep them alive.
    files: Weak<Files>,
    tuning: Mutex<Tuning>,
    /// Accesses of different processes to the same bytes are ordered.
    atomic: AtomicBool,
    /// Held by an access in atomic mode: locks of the file do not part threads.
    turn: Mutex<()>,
}

impl Disk {
    pub(crate) fn new(process: &Arc<Process>, file: OpenFile, path: &str) -> Disk {
        Disk {
            files: Arc::downgrade(&process.service()),
            file: Arc::new(file),
            path: path.to_string(),
            tuning: Mutex::new(Tuning::of(&Hints::default())),
            atomic: AtomicBool::new(false),
            turn: Mutex::default(),
        }
    }

    /// Takes what hints say of independent accesses.
    pub(crate) fn tune(&self, hints: &Hints) {
        *self.tuning.lock() = Tuning::of(hints);
    }

    pub(crate) fn is_atomic(&self) -> bool {
        self.atomic.load(Ordering::Relaxed)
    }

    pub(crate) fn set_atomic(&self, atomic: bool) {
        self.atomic.store(atomic, Ordering::Relaxed);
    }

    /// Transfers all of `buffer`, beginning with data byte `from` of the view, and returns the
    /// bytes transferred: fewer where a read meets the end of the file.
    pub(crate) fn transfer(
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
        let _turn = self.is_atomic().then(|| self.turn.lock());
        let _range = match self.is_atomic() {
            true => Some(self.lock_range(view, from, bytes, direction)?),
            false => None,
        };
        let mut runs = view.data_runs(from, bytes)?;
        if direction == Direction::Read {
            self.file.refresh();
        }
        let moved = match direction {
            Direction::Write if !self.is_atomic() && self.tuning.lock().fills_gaps => {
                self.write_locked(&mut runs, buffer)
            }
            Direction::Write => self.write_runs(runs, buffer),
            Direction::Read => self.read_runs(&mut runs, buffer),
        }?;
        if direction == Direction::Write {
            let whole = |why| failed("write", &self.path, 0, moved, &why);
            self.file.publish().map_err(whole)?;
        }
        Ok(moved)
    }

    /// Returns whether an access is one that the kernel can carry out alone.
    ///
    /// # Errors
    /// When a position does not fit.
    pub(crate) fn kernel_access(
        &self,
        view: &View,
        from: u64,
        buffer: &Buffer,
    ) -> Result<KernelAccess, Error> {
        let bytes = buffer.len() as u64;
        let run = view.data_runs(from, bytes)?.next();
        let run = run.filter(|run| run.length == bytes);
        Ok(match run.zip(buffer.contiguous()) {
            _ if self.is_atomic() => KernelAccess::Multiple("atomic mode"),
            _ if self.file.is_cached_apart() => {
                KernelAccess::Multiple("hosts cache the file apart")
            }
            _ if self.tuning.lock().fills_gaps => {
                KernelAccess::Multiple("romio_ds_write locks the range")
            }
            None => KernelAccess::Multiple("the data has gaps in memory or in the file"),
            Some((run, memory)) => KernelAccess::Single(run, memory),
        })
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
        let mut bounce = Bounce::new(buffer, self.tuning.lock().write_bytes);
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

    /// Writes runs that lie close together as one, with what the file has between them, under a
    /// lock of exactly that range. Where the file cannot be locked or read, each run by itself.
    fn write_locked(
        &self,
        runs: &mut impl Iterator<Item = Run>,
        buffer: &Buffer,
    ) -> Result<u64, Error> {
        let most = self.tuning.lock().write_bytes;
        let (mut batch, mut room) = (Batch::default(), GrowingBuffer::default());
        let mut bounce = Bounce::new(buffer, most);
        let mut done = 0;
        while batch.fill(runs, most) {
            // Locks of a file do not part threads.
            let _turn = self.turn.lock();
            let whole = match batch.runs.is_sorted_by_key(|run| run.offset) {
                true => batch.whole(),
                false => Run::default(),
            };
            let locked = self.file.lock(whole, LockKind::Exclusive);
            let into = match batch.runs.len() > 1 && locked.is_ok() && whole.length > 0 {
                true => self.old_bytes(whole, &mut room),
                false => None,
            };
            for run in &batch.runs {
                let mut moved = 0;
                while moved < run.length {
                    let part = bounce.packed(done, run.length - moved);
                    let at = run.offset + moved;
                    match into {
                        Some(into) => {
                            let place = (at - whole.offset) as usize;
                            into.part(place, part.len()).copy_from(&part);
                        }
                        None => self.write_part(at, part)?,
                    }
                    moved += part.len() as u64;
                    done += part.len() as u64;
                }
            }
            if let Some(into) = into {
                self.write_part(whole.offset, into)?;
            }
        }
        Ok(done)
    }

    /// Reads what the file has in a range, and zeros behind its end; `None` where it cannot be
    /// read.
    fn old_bytes(&self, range: Run, room: &mut GrowingBuffer) -> Option<UserBuf> {
        const ZEROS: [u8; 4096] = [0; 4096];
        let into = room.of(range.length as usize);
        let mut there = self.file.read(range.offset, into).ok()?;
        while there < into.len() {
            let zeros = &ZEROS[..ZEROS.len().min(into.len() - there)];
            into.write(there, zeros);
            there += zeros.len();
        }
        Some(into)
    }

    fn write_part(&self, at: u64, part: UserBuf) -> Result<(), Error> {
        let written = self.file.write(at, part);
        written.map_err(|why| failed("write", &self.path, at, part.len() as u64, &why))
    }

    fn read_runs(
        &self,
        runs: &mut impl Iterator<Item = Run>,
        buffer: &Buffer,
    ) -> Result<u64, Error> {
        let tuning = *self.tuning.lock();
        let mut batch = Batch::default();
        let mut reader = Reader {
            disk: self,
            buffer,
            contiguous: buffer.contiguous(),
            room: GrowingBuffer::default(),
            tuning,
            done: 0,
        };
        while batch.fill(runs, tuning.read_bytes.min(SIEVED_MAX)) {
            if reader.read(&batch)? < batch.data {
                break;
            }
        }
        Ok(reader.done)
    }
}

/// A read of many runs.
struct Reader<'a> {
    disk: &'a Disk,
    buffer: &'a Buffer,
    contiguous: Option<UserBuf>,
    room: GrowingBuffer,
    tuning: Tuning,
    /// Bytes of data that were read.
    done: u64,
}

impl Reader<'_> {
    /// Reads the runs of a batch: all at once with what lies between, or each by itself. Returns
    /// the bytes of data: fewer where the file ends.
    fn read(&mut self, batch: &Batch) -> Result<u64, Error> {
        if batch.is_sieved(self.tuning.sieve, self.disk.file.is_in_memory()) {
            return self.part(batch.whole(), &batch.runs);
        }
        let most = match self.contiguous {
            Some(_) => u64::MAX,
            None => self.tuning.read_bytes,
        };
        let mut read = 0;
        for run in &batch.runs {
            let mut part = Run { length: 0, ..*run };
            while part.end() < run.end() {
                part.offset = part.end();
                part.length = most.min(run.end() - part.offset);
                let there = self.part(part, &[part])?;
                read += there;
                if there < part.length {
                    return Ok(read);
                }
            }
        }
        Ok(read)
    }

    /// Reads a part of the file, and takes out `runs`. Returns the bytes of data.
    fn part(&mut self, part: Run, runs: &[Run]) -> Result<u64, Error> {
        let length = part.length as usize;
        let direct = self.contiguous.filter(|_| runs.len() == 1);
        let into = match direct {
            Some(memory) => memory.part(self.done as usize, length),
            None => self.room.of(length),
        };
        let disk = self.disk;
        let read = disk.file.read(part.offset, into);
        let read =
            read.map_err(|why| failed("read", &disk.path, part.offset, part.length, &why))?;
        if direct.is_some() {
            self.done += read as u64;
            return Ok(read as u64);
        }
        let before = self.done;
        for run in runs {
            let at = run.offset - part.offset;
            let there = (read as u64).saturating_sub(at).min(run.length);
            let from = into.part(at as usize, there as usize);
            self.buffer.unpack_from_user(self.done as usize, from);
            self.done += there;
            if there < run.length {
                break;
            }
        }
        Ok(self.done - before)
    }
}

/// Memory that grows.
#[derive(Default)]
struct GrowingBuffer(Option<Scratch>);

impl GrowingBuffer {
    /// Returns `len` bytes, whose content is arbitrary.
    fn of(&mut self, len: usize) -> UserBuf {
        if self.0.as_ref().is_none_or(|room| room.buf().len() < len) {
            self.0 = Some(Scratch::new(len));
        }
        let room = self.0.as_ref().map(Scratch::buf);
        room.unwrap_or(UserBuf::EMPTY).part(0, len)
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

    fn refresh(&self) {
        self.file.refresh();
    }

    fn publish(&self) -> std::io::Result<()> {
        self.file.publish()
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the channel has room for the one message that it carries"
    )]
    fn beside(&self, work: Work) -> Box<dyn PendingWork> {
        let (send, receive) = sync_channel(1);
        let job: Box<dyn FnOnce() + Send> = Box::new(move || {
            // The receiver is gone only if the access was dropped.
            let _ = send.send(work());
        });
        match self.files.upgrade() {
            Some(files) => files.workers.run(job),
            None => job(),
        }
        Box::new(ThreadWork(Some(receive)))
    }
}

/// Number of system calls that an access takes.
pub(crate) enum KernelAccess {
    /// One call, for one run of the file and contiguous memory, without a lock.
    Single(Run, UserBuf),
    /// Several calls or a lock, and why.
    Multiple(&'static str),
}

/// Work that a thread does; the channel delivers its result.
struct ThreadWork(Option<Receiver<std::io::Result<()>>>);

impl ThreadWork {
    #[expect(
        clippy::disallowed_methods,
        reason = "waits for a thread that writes a window of an aggregator, or has"
    )]
    fn wait(&mut self) -> std::io::Result<()> {
        let ended = self.0.take().and_then(|receive| receive.recv().ok());
        ended.unwrap_or_else(|| {
            Err(std::io::Error::other(
                "the thread that was to write has panicked",
            ))
        })
    }
}

impl PendingWork for ThreadWork {
    fn end(mut self: Box<Self>) -> std::io::Result<()> {
        self.wait()
    }
}

impl Drop for ThreadWork {
    fn drop(&mut self) {
        if self.0.is_some() {
            let _ = self.wait();
        }
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
    /// Takes the next runs, which span `most` bytes, or one longer run; whether there are any.
    fn fill(&mut self, runs: &mut impl Iterator<Item = Run>, most: u64) -> bool {
        self.runs.clear();
        self.data = 0;
        while let Some(run) = self.next.take().or_else(|| runs.next()) {
            let fits = self
                .runs
                .first()
                .is_none_or(|first| run.offset >= first.offset && run.end() - first.offset <= most);
            if !fits || self.runs.len() == BATCH_RUNS {
                self.next = Some(run);
                break;
            }
            self.runs.push(run);
            self.data += run.length;
        }
        !self.runs.is_empty()
    }

    /// From the first to past the last run.
    fn whole(&self) -> Run {
        let offset = self.runs[0].offset;
        Run {
            offset,
            length: self.runs[self.runs.len() - 1].end() - offset,
        }
    }

    /// Whether the runs are so short and so close that reading all between them takes less time.
    fn is_sieved(&self, sieve: Switch, in_memory: bool) -> bool {
        let count = self.runs.len() as u64;
        if count < 2 || !self.runs.is_sorted_by_key(|run| run.offset) {
            return false;
        }
        match sieve {
            Switch::Enable => true,
            Switch::Disable => false,
            Switch::Automatic => {
                let length = self.data / count;
                let short = length < SIEVED_BYTES || (length == SIEVED_BYTES && !in_memory);
                short && is_dense(self.data, self.whole().length)
            }
        }
    }
}

/// The packed bytes of a buffer: where they lie, or a part of them at a time.
struct Bounce<'a> {
    buffer: &'a Buffer,
    most: u64,
    contiguous: Option<UserBuf>,
    scratch: Option<Scratch>,
    /// Packed bytes that the scratch holds: the first, and how many.
    first: u64,
    held: u64,
}

impl<'a> Bounce<'a> {
    /// Packs `most` bytes at a time.
    fn new(buffer: &'a Buffer, most: u64) -> Bounce<'a> {
        Bounce {
            buffer,
            most,
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
        let room = (self.buffer.len() as u64).min(self.most);
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
