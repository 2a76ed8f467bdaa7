//! [`Aggregator`]: the part of a rank that accesses the file for all.

use std::io;

use coll::port::Op;
use coll::Error;
use datatype::Buffer;
use memory::UserBuf;

use crate::coverage::Coverage;
use crate::exchange::{answer, header, Exchange, Room};
use crate::plan::{joined, writing, Settings, Switch, Writing, SIEVE_BYTES};
use crate::runlist::RunList;
use crate::Run;

/// Bytes that are read, changed and written back under one lock: few enough to stay in a cache
/// between the copies.
const SIEVE_CHUNK: u64 = 256 << 10;

/// The part of a rank that accesses the file for all.
pub(crate) struct Aggregator<'a> {
    exchange: &'a Exchange<'a>,
    /// Which of the aggregators this is.
    index: usize,
    sieve: Switch,
    /// File data of a window.
    window: UserBuf,
    coverage: Coverage,
    /// Memory for the headers, lists and answers of a round, and old data of a sieve.
    headers: Room,
    lists: Vec<Room>,
    answers: Room,
    old: Room,
    error: Option<io::Error>,
}

/// A rank's runs in the window.
struct Part {
    rank: u32,
    list: RunList,
}

impl<'a> Aggregator<'a> {
    pub(crate) fn new(
        exchange: &'a Exchange<'a>,
        index: usize,
        settings: &Settings,
    ) -> Aggregator<'a> {
        let bytes = exchange.domains.window_bytes() as usize;
        Aggregator {
            exchange,
            index,
            sieve: settings.sieve,
            window: exchange.port.scratch(bytes),
            coverage: Coverage::default(),
            headers: Room::default(),
            lists: Vec::new(),
            answers: Room::default(),
            old: Room::default(),
            error: None,
        }
    }

    /// Receives the data of all ranks for the window of a round, and writes it. `own` is the list
    /// of this rank's runs.
    pub(crate) async fn write(&mut self, round: u64, own: &[u8]) -> Result<(), Error> {
        let (exchange, port) = (self.exchange, self.exchange.port);
        let window = exchange.domains.window(self.index, round);
        let parts = self.parts(window).await?;
        let own = RunList::read(own, window).map_err(malformed)?;
        let mut received = Vec::new();
        for part in parts.iter().filter(|part| part.list.data() > 0) {
            let memory = self.memory(&part.list, window)?;
            received.push(port.recv(part.rank, &memory));
        }
        let mut at = exchange.data_before(window.offset) as usize;
        own.each(|run| {
            let memory = self.memory_of(run, window);
            exchange.access.buffer.pack_to_user(at, memory);
            at += memory.len();
        });
        port.all(received).await?;
        if self.error.is_none() {
            let lists = parts.iter().map(|part| &part.list).chain([&own]);
            self.error = self.write_window(window, lists).err();
        }
        Ok(())
    }

    /// Writes the runs of `lists`, whose data is in the window.
    fn write_window<'b>(
        &mut self,
        window: Run,
        lists: impl Iterator<Item = &'b RunList> + Clone,
    ) -> io::Result<()> {
        let Some(span) = self.cover(lists) else {
            return Ok(());
        };
        let (mut runs, mut bytes) = (0, 0);
        for run in self.coverage.runs() {
            (runs, bytes) = (runs + 1, bytes + run.length);
        }
        if writing(runs, bytes, self.sieve) == Writing::Sieve && self.write_sieved(window, span)? {
            return Ok(());
        }
        let storage = &self.exchange.access.storage;
        for run in self.coverage.runs() {
            storage.write(run.offset, self.memory_of(run, window))?;
        }
        Ok(())
    }

    /// Fills the gaps between the runs with what the file has there, and writes all as one. False
    /// where the file cannot be locked or read, and nothing was written.
    fn write_sieved(&mut self, window: Run, span: Run) -> io::Result<bool> {
        let storage = &self.exchange.access.storage;
        let old = self.old.of(self.exchange.port, SIEVE_CHUNK as usize);
        let mut runs = self.coverage.runs().peekable();
        let mut from = span.offset;
        while from < span.end() {
            let chunk = Run {
                offset: from,
                length: SIEVE_CHUNK.min(span.end() - from),
            };
            let locked = storage.lock(chunk);
            let old = old.part(0, chunk.length as usize);
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
                self.fill(window, chunk, old, at..to);
                at = run.end().min(chunk.end());
                if run.end() > chunk.end() {
                    break;
                }
                runs.next();
            }
            self.fill(window, chunk, old, at..chunk.end());
            storage.write(from, self.memory_of(chunk, window))?;
            from = chunk.end();
        }
        Ok(true)
    }

    /// Copies the old bytes of a gap into the window.
    fn fill(&self, window: Run, chunk: Run, old: UserBuf, gap: std::ops::Range<u64>) {
        let gap = Run {
            offset: gap.start,
            length: gap.end.saturating_sub(gap.start),
        };
        if gap.length > 0 {
            let old = old.part((gap.offset - chunk.offset) as usize, gap.length as usize);
            self.memory_of(gap, window).copy_from(&old);
        }
    }

    /// Reads what all ranks want of the window of a round, and posts their data. Returns the posted
    /// messages, and the bytes that this rank itself got.
    pub(crate) async fn read(&mut self, round: u64, own: &[u8]) -> Result<(Vec<Op>, u64), Error> {
        let (exchange, port) = (self.exchange, self.exchange.port);
        let window = exchange.domains.window(self.index, round);
        let mut parts = self.parts(window).await?;
        parts.retain(|part| part.list.data() > 0);
        let own = RunList::read(own, window).map_err(malformed)?;
        let lists = parts.iter().map(|part| &part.list).chain([&own]);
        let end = match self.read_window(window, lists) {
            Ok(end) => end,
            Err(error) => {
                self.error.get_or_insert(error);
                0
            }
        };
        let mut posted = Vec::new();
        let answers = self.answers.of(port, parts.len() * answer::BYTES);
        for (at, part) in parts.iter().enumerate() {
            let room = answers.part(at * answer::BYTES, answer::BYTES);
            answer::write(room, self.error.as_ref(), end);
            posted.push(port.send(part.rank, &Buffer::bytes(room)));
            let list = part.list.before(end);
            if list.data() > 0 && self.error.is_none() {
                let memory = self.memory(&list, window)?;
                posted.push(port.send(part.rank, &memory));
            }
        }
        if self.error.is_some() {
            return Ok((posted, 0));
        }
        let from = exchange.data_before(window.offset) as usize;
        let mut at = from;
        own.before(end).each(|run| {
            let memory = self.memory_of(run, window);
            at += exchange.access.buffer.unpack_from_user(at, memory);
        });
        Ok((posted, (at - from) as u64))
    }

    /// Reads the runs of `lists` into the window. Returns the position at which the file ends, or
    /// one behind all runs.
    fn read_window<'b>(
        &mut self,
        window: Run,
        lists: impl Iterator<Item = &'b RunList> + Clone,
    ) -> io::Result<u64> {
        let Some(span) = self.cover(lists) else {
            return Ok(window.end());
        };
        let gap_max = match self.sieve {
            Switch::Enable => span.length,
            Switch::Disable => 0,
            Switch::Automatic => SIEVE_BYTES,
        };
        for run in joined(self.coverage.runs(), gap_max) {
            let memory = self.memory_of(run, window);
            let read = self.exchange.access.storage.read(run.offset, memory)?;
            if read < memory.len() {
                return Ok(run.offset + read as u64);
            }
        }
        Ok(span.end())
    }

    /// Tells all clients how the access went. Returns the posted messages.
    pub(crate) fn finish(&mut self) -> Vec<Op> {
        let (exchange, port) = (self.exchange, self.exchange.port);
        let domain = exchange.domains.domain(self.index);
        let answer = self.answers.of(port, answer::BYTES);
        answer::write(answer, self.error.as_ref(), 0);
        let send = |rank| port.send(rank, &Buffer::bytes(answer));
        exchange.told(domain).into_iter().map(send).collect()
    }

    /// Returns the first failure to access the file.
    pub(crate) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Receives what the other ranks have or want in the window.
    async fn parts(&mut self, window: Run) -> Result<Vec<Part>, Error> {
        let (exchange, port) = (self.exchange, self.exchange.port);
        let ranks: Vec<u32> = exchange.clients(window).collect();
        let headers = self.headers.of(port, ranks.len() * header::BYTES);
        let header = |at: usize| headers.part(at * header::BYTES, header::BYTES);
        let receive = |(at, rank): (usize, &u32)| port.recv(*rank, &Buffer::bytes(header(at)));
        let received: Vec<Op> = ranks.iter().enumerate().map(receive).collect();
        port.all(received).await?;
        let mut lists = Vec::new();
        let mut pending = Vec::new();
        self.lists.resize_with(ranks.len(), Room::default);
        for (at, rank) in ranks.iter().enumerate() {
            let (len, data, inline) = header::read(header(at));
            // A run takes at least a byte of the window and no more than 30 of a list.
            if len > window.length.saturating_mul(30) {
                return Err(malformed(crate::Error::MalformedList));
            }
            let room = match inline {
                Some(_) => UserBuf::EMPTY,
                None => self.lists[at].of(port, len as usize),
            };
            if inline.is_none() {
                pending.push(port.recv(*rank, &Buffer::bytes(room)));
            }
            lists.push((*rank, data, inline, room));
        }
        port.all(pending).await?;
        let part = |(rank, data, inline, room): (u32, u64, Option<Vec<u8>>, UserBuf)| {
            let bytes = inline.unwrap_or_else(|| {
                let mut bytes = vec![0; room.len()];
                room.read(0, &mut bytes);
                bytes
            });
            let list = RunList::read(&bytes, window).map_err(malformed)?;
            match list.data() == data {
                true => Ok(Part { rank, list }),
                false => Err(malformed(crate::Error::MalformedList)),
            }
        };
        lists.into_iter().map(part).collect()
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

    /// The memory of the window that holds the data of `list`.
    fn memory(&self, list: &RunList, window: Run) -> Result<Buffer, Error> {
        let span = list.span().unwrap_or_default();
        let memory = self.memory_of(span, window);
        if span.length == list.data() {
            return Ok(Buffer::bytes(memory));
        }
        let datatype = list.datatype(span.offset)?;
        Ok(Buffer::over(memory, 1, &datatype)?)
    }

    /// The memory of the window that holds the data of `run`.
    fn memory_of(&self, run: Run, window: Run) -> UserBuf {
        let at = (run.offset - window.offset) as usize;
        self.window.part(at, run.length as usize)
    }
}

fn malformed(_: crate::Error) -> Error {
    Error::Arguments("a rank sent a list of runs that do not lie in the aggregator's window")
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
