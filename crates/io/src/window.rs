//! [`Window`]: file data of an aggregator's round, and how it comes from the file and goes there.

use std::io::Result;
use std::sync::Arc;

use coll::Error;
use datatype::Buffer;
use memory::UserBuf;

use crate::coverage::Coverage;
use crate::plan::{joined, writing, Switch, Writing, SIEVE_BYTES};
use crate::runlist::RunList;
use crate::{Run, Storage};

/// Bytes that are read, changed and written back under one lock: few enough to stay in a cache
/// between the copies.
pub(crate) const SIEVE_CHUNK: u64 = 256 << 10;

/// File data of a round: memory for a part of the file, and which bytes of it are somebody's.
pub(crate) struct Window {
    storage: Arc<dyn Storage>,
    sieve: Switch,
    memory: UserBuf,
    /// Memory for what the file has where a write fills gaps; empty where none may.
    old: UserBuf,
    /// The part of the file.
    part: Run,
    coverage: Coverage,
}

impl Window {
    pub(crate) fn new(
        storage: Arc<dyn Storage>,
        sieve: Switch,
        memory: UserBuf,
        old: UserBuf,
    ) -> Window {
        Window {
            storage,
            sieve,
            memory,
            old,
            part: Run::default(),
            coverage: Coverage::default(),
        }
    }

    /// Begins another part of the file.
    pub(crate) fn restart(&mut self, part: Run) {
        self.part = part;
    }

    /// Marks the runs of `lists`, and returns the range from the first to past the last.
    fn cover<'b>(&mut self, lists: impl Iterator<Item = &'b RunList> + Clone) -> Option<Run> {
        let spans = lists.clone().filter_map(RunList::span);
        let span = spans.reduce(|a, b| {
            let offset = a.offset.min(b.offset);
            Run {
                offset,
                length: a.end().max(b.end()) - offset,
            }
        })?;
        self.coverage.restart(span);
        lists.for_each(|list| list.each(|run| self.coverage.mark(run)));
        Some(span)
    }

    /// Prepares the writing of the runs of `lists`, whose data is in the window; `None` where there
    /// are none. A window is written once before it is used again.
    pub(crate) fn complete<'b>(
        &mut self,
        lists: impl Iterator<Item = &'b RunList> + Clone,
    ) -> Option<ToWrite> {
        let span = self.cover(lists)?;
        Some(ToWrite {
            window: Window {
                storage: self.storage.clone(),
                sieve: self.sieve,
                memory: self.memory,
                old: self.old,
                part: self.part,
                coverage: std::mem::take(&mut self.coverage),
            },
            span,
        })
    }

    /// Reads the runs of `lists` into the window. Returns the position at which the file ends, or
    /// one behind all runs.
    pub(crate) fn read<'b>(
        &mut self,
        lists: impl Iterator<Item = &'b RunList> + Clone,
    ) -> Result<u64> {
        let Some(span) = self.cover(lists) else {
            return Ok(self.part.end());
        };
        let gap_max = match self.sieve {
            Switch::Enable => span.length,
            Switch::Disable => 0,
            Switch::Automatic => SIEVE_BYTES,
        };
        for run in joined(self.coverage.runs(), gap_max) {
            let memory = self.memory_of(run);
            let read = self.storage.read(run.offset, memory)?;
            if read < memory.len() {
                return Ok(run.offset + read as u64);
            }
        }
        Ok(span.end())
    }

    /// The memory that holds the data of `list`.
    pub(crate) fn buffer_of(&self, list: &RunList) -> std::result::Result<Buffer, Error> {
        let span = list.span().unwrap_or_default();
        let memory = self.memory_of(span);
        if span.length == list.data() {
            return Ok(Buffer::bytes(memory));
        }
        let datatype = list.datatype(span.offset)?;
        Ok(Buffer::over(memory, 1, &datatype)?)
    }

    /// The memory that holds the data of each run of `list`.
    pub(crate) fn parts_of(&self, list: &RunList) -> Vec<UserBuf> {
        let mut parts = Vec::with_capacity(list.runs() as usize);
        list.each(|run| parts.push(self.memory_of(run)));
        parts
    }

    /// The memory that holds the data of `run`.
    pub(crate) fn memory_of(&self, run: Run) -> UserBuf {
        let at = (run.offset - self.part.offset) as usize;
        self.memory.part(at, run.length as usize)
    }
}

/// A window whose data is complete.
pub(crate) struct ToWrite {
    window: Window,
    /// From the first byte of data to past the last.
    span: Run,
}

impl ToWrite {
    /// Bytes from the first of the data to past the last.
    pub(crate) fn bytes(&self) -> u64 {
        self.span.length
    }

    /// Writes the data.
    pub(crate) fn write(self) -> Result<()> {
        let window = &self.window;
        let (mut runs, mut bytes) = (0, 0);
        for run in window.coverage.runs() {
            (runs, bytes) = (runs + 1, bytes + run.length);
        }
        if writing(runs, bytes, window.sieve) == Writing::Sieve && self.write_sieved()? {
            return Ok(());
        }
        for run in window.coverage.runs() {
            window.storage.write(run.offset, window.memory_of(run))?;
        }
        Ok(())
    }

    /// Fills the gaps between the runs with what the file has there, and writes all as one. False
    /// where the file cannot be locked or read, and nothing was written.
    fn write_sieved(&self) -> Result<bool> {
        let (window, span) = (&self.window, self.span);
        let storage = &window.storage;
        let mut runs = window.coverage.runs().peekable();
        let mut from = span.offset;
        while from < span.end() {
            let chunk = Run {
                offset: from,
                length: SIEVE_CHUNK.min(span.end() - from),
            };
            let locked = storage.lock(chunk);
            let old = window.old.part(0, chunk.length as usize);
            let read = locked.and_then(|lock| Ok((lock, storage.read(from, old)?)));
            let (_lock, read) = match read {
                Ok(read) => read,
                Err(_) if from == span.offset => return Ok(false),
                Err(error) => return Err(error),
            };
            zero(old.from(read));
            let mut at = from;
            while let Some(run) = runs.peek().filter(|run| run.offset < chunk.end()) {
                let to = run.offset.max(at);
                self.fill(chunk, old, at..to);
                at = run.end().min(chunk.end());
                if run.end() > chunk.end() {
                    break;
                }
                runs.next();
            }
            self.fill(chunk, old, at..chunk.end());
            storage.write(from, window.memory_of(chunk))?;
            from = chunk.end();
        }
        Ok(true)
    }

    /// Copies the old bytes of a gap into the window.
    fn fill(&self, chunk: Run, old: UserBuf, gap: std::ops::Range<u64>) {
        let gap = Run {
            offset: gap.start,
            length: gap.end.saturating_sub(gap.start),
        };
        if gap.length > 0 {
            let old = old.part((gap.offset - chunk.offset) as usize, gap.length as usize);
            self.window.memory_of(gap).copy_from(&old);
        }
    }
}

fn zero(memory: UserBuf) {
    const ZEROS: [u8; 4096] = [0; 4096];
    let mut at = 0;
    while at < memory.len() {
        let len = ZEROS.len().min(memory.len() - at);
        memory.write(at, &ZEROS[..len]);
        at += len;
    }
}
