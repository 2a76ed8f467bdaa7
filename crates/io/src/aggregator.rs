//! [`Aggregator`]: the part of a rank that accesses the file for all.

use std::io;

use coll::port::Op;
use coll::Error;
use datatype::Buffer;
use memory::UserBuf;

use crate::exchange::{answer, header, receipt, Exchange, ScratchBuffer};
use crate::plan::{Settings, Switch};
use crate::runlist::RunList;
use crate::window::{Window, SIEVE_CHUNK};
use crate::{Direction, PendingWork, Remote, Run};

/// Bytes from which on a window is written while the next one is filled: having another thread
/// write takes about as long as copying this much.
const BESIDE_MIN: u64 = 64 << 10;

/// The part of a rank that accesses the file for all.
pub(crate) struct Aggregator<'a> {
    exchange: &'a Exchange<'a>,
    /// Which of the aggregators this is.
    index: usize,
    /// Two windows take turns, so that one is filled while the other is written, or read while
    /// the data of the other is on its way. One where there is one round, or room for one alone.
    windows: Vec<Window>,
    /// Ranks with data in the window of the round, and the list of this rank's own.
    parts: Vec<Part>,
    own: RunList,
    /// Memory for the headers, lists and receipts of a round, and for its answers, which are on
    /// their way in the round behind it.
    headers: ScratchBuffer,
    lists: Vec<ScratchBuffer>,
    receipts: ScratchBuffer,
    answers: [ScratchBuffer; 2],
    error: Option<io::Error>,
    /// The window that is being written. It uses memory of the access: dropping it waits.
    writing: Option<Box<dyn PendingWork>>,
}

/// The runs of one rank in the window.
struct Part {
    rank: u32,
    list: RunList,
    /// Its memory, where that is to be read or written.
    memory: Vec<Remote>,
    /// Whether its memory was to be read and cannot be reached.
    missing: bool,
}

impl<'a> Aggregator<'a> {
    pub(crate) fn new(
        exchange: &'a Exchange<'a>,
        index: usize,
        settings: &Settings,
        direction: Direction,
    ) -> Aggregator<'a> {
        let bytes = exchange.domains.window_bytes() as usize;
        let chunk = match (settings.sieve, direction) {
            (Switch::Enable | Switch::Automatic, Direction::Write) => SIEVE_CHUNK as usize,
            _ => 0,
        };
        let old = exchange.port.scratch(chunk.min(bytes));
        exchange.access.storage.refresh();
        let window = |_| {
            let memory = exchange.port.scratch(bytes);
            Window::new(exchange.access.storage.clone(), settings.sieve, memory, old)
        };
        Aggregator {
            exchange,
            index,
            windows: (0..exchange.domains.turns()).map(window).collect(),
            parts: Vec::new(),
            own: RunList::default(),
            headers: ScratchBuffer::default(),
            lists: Vec::new(),
            receipts: ScratchBuffer::default(),
            answers: Default::default(),
            error: None,
            writing: None,
        }
    }

    /// Brings the data of all ranks for the window of a round into it: reads what lies in memory
    /// that can be reached, and posts messages for the rest, which it returns. `own` is the list of
    /// this rank's runs.
    pub(crate) async fn gather(&mut self, round: u64, own: &[u8]) -> Result<Vec<Op>, Error> {
        let (exchange, port) = (self.exchange, self.exchange.port);
        let part = exchange.domains.window(self.index, round);
        self.parts = self.parts(part).await?;
        self.parts.retain(|part| part.list.data() > 0);
        self.own = RunList::read(own, part).map_err(malformed)?;
        let window = &mut self.windows[(round % exchange.domains.turns()) as usize];
        window.restart(part);
        let mut posted = Vec::new();
        let receipts = self.receipts.of(port, self.parts.len() * receipt::BYTES);
        for (at, part) in self.parts.iter_mut().enumerate() {
            if part.memory.is_empty() {
                let memory = window.buffer_of(&part.list)?;
                posted.push(port.recv(part.rank, &memory));
                continue;
            }
            let taken = exchange.copy(part, Direction::Write, window, &part.list);
            part.missing = !taken;
            let room = receipts.part(at * receipt::BYTES, receipt::BYTES);
            receipt::write(room, taken);
            posted.push(port.send(part.rank, &Buffer::bytes(room)));
        }
        let mut at = exchange.data_before(part.offset) as usize;
        self.own.each(|run| {
            let memory = window.memory_of(run);
            exchange.access.buffer.pack_to_user(at, memory);
            at += memory.len();
        });
        Ok(posted)
    }

    /// Posts the receiving of data that was to be read from memory that is not reached.
    pub(crate) fn receive_missing(&mut self, round: u64) -> Result<Vec<Op>, Error> {
        let window = &self.windows[(round % self.exchange.domains.turns()) as usize];
        let missing = self.parts.iter().filter(|part| part.missing);
        let receive = |part: &Part| {
            let memory = window.buffer_of(&part.list)?;
            Ok(self.exchange.port.recv(part.rank, &memory))
        };
        missing.map(receive).collect()
    }

    /// Writes the window of a round, whose data has come, or begins to.
    pub(crate) fn write(&mut self, round: u64) {
        self.end_writing();
        if self.error.is_some() {
            return;
        }
        let lists = self.parts.iter().map(|part| &part.list).chain([&self.own]);
        let turns = self.windows.len() as u64;
        let window = &mut self.windows[(round % turns) as usize];
        let Some(complete) = window.complete(lists) else {
            return;
        };
        let is_last = round + 1 == self.exchange.domains.rounds();
        if is_last || turns == 1 || complete.bytes() < BESIDE_MIN {
            self.error = complete.write().err();
            return;
        }
        let storage = &self.exchange.access.storage;
        self.writing = Some(storage.beside(Box::new(|| complete.write())));
    }

    /// Waits until the window that is being written is.
    fn end_writing(&mut self) {
        if let Some(Err(error)) = self.writing.take().map(PendingWork::end) {
            self.error.get_or_insert(error);
        }
    }

    /// Reads what all ranks want of the window of a round, and posts their data. Returns the posted
    /// messages, and the bytes that this rank itself got. The messages of the round but one before
    /// are complete.
    pub(crate) async fn read(&mut self, round: u64, own: &[u8]) -> Result<(Vec<Op>, u64), Error> {
        let (exchange, port) = (self.exchange, self.exchange.port);
        let part = exchange.domains.window(self.index, round);
        let mut parts = self.parts(part).await?;
        parts.retain(|part| part.list.data() > 0);
        let own = RunList::read(own, part).map_err(malformed)?;
        let turn = (round % exchange.domains.turns()) as usize;
        let window = &mut self.windows[turn];
        window.restart(part);
        let lists = parts.iter().map(|part| &part.list).chain([&own]);
        let end = match window.read(lists) {
            Ok(end) => end,
            Err(error) => {
                self.error.get_or_insert(error);
                0
            }
        };
        let mut posted = Vec::new();
        let answers = self.answers[turn].of(port, parts.len() * answer::BYTES);
        for (at, part) in parts.iter().enumerate() {
            let room = answers.part(at * answer::BYTES, answer::BYTES);
            let list = part.list.before(end);
            let has_data = list.data() > 0 && self.error.is_none();
            let delivered = has_data
                && !part.memory.is_empty()
                && exchange.copy(part, Direction::Read, window, &list);
            answer::write(room, self.error.as_ref(), end, delivered);
            posted.push(port.send(part.rank, &Buffer::bytes(room)));
            if has_data && !delivered {
                posted.push(port.send(part.rank, &window.buffer_of(&list)?));
            }
        }
        if self.error.is_some() {
            return Ok((posted, 0));
        }
        let from = exchange.data_before(part.offset) as usize;
        let mut at = from;
        own.before(end).each(|run| {
            let memory = window.memory_of(run);
            at += exchange.access.buffer.unpack_from_user(at, memory);
        });
        Ok((posted, (at - from) as u64))
    }

    /// Reports to all clients whether the access failed. Returns the posted messages.
    pub(crate) fn finish(&mut self) -> Vec<Op> {
        self.end_writing();
        let (exchange, port) = (self.exchange, self.exchange.port);
        if let Err(error) = exchange.access.storage.publish() {
            self.error.get_or_insert(error);
        }
        let domain = exchange.domains.domain(self.index);
        let answer = self.answers[0].of(port, answer::BYTES);
        answer::write(answer, self.error.as_ref(), 0, false);
        let send = |rank| port.send(rank, &Buffer::bytes(answer));
        exchange.notified(domain).into_iter().map(send).collect()
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
        self.lists.resize_with(ranks.len(), ScratchBuffer::default);
        for (at, rank) in ranks.iter().enumerate() {
            let (lengths, inline) = header::read(header(at));
            // A run takes at least a byte of the window and no more than 30 of a list, and a run of
            // memory at least a byte of data.
            let most = window.length.saturating_mul(60);
            let len = lengths.lists().filter(|len| *len <= most);
            let len = len.ok_or(malformed(crate::Error::MalformedList))?;
            let room = match inline {
                Some(_) => UserBuf::EMPTY,
                None => self.lists[at].of(port, len as usize),
            };
            if inline.is_none() {
                pending.push(port.recv(*rank, &Buffer::bytes(room)));
            }
            lists.push((*rank, lengths, inline, room));
        }
        port.all(pending).await?;
        let part =
            |(rank, lengths, inline, room): (_, header::Lengths, Option<Vec<u8>>, UserBuf)| {
                let bytes = inline.unwrap_or_else(|| {
                    let mut bytes = vec![0; room.len()];
                    room.read(0, &mut bytes);
                    bytes
                });
                let (list, memory) = bytes.split_at(lengths.list as usize);
                let list = RunList::read(list, window).map_err(malformed)?;
                let memory = remote(memory, lengths.data).map_err(malformed)?;
                match list.data() == lengths.data {
                    true => Ok(Part {
                        rank,
                        list,
                        memory,
                        missing: false,
                    }),
                    false => Err(malformed(crate::Error::MalformedList)),
                }
            };
        lists.into_iter().map(part).collect()
    }
}

impl crate::exchange::Exchange<'_> {
    /// Copies the data of `list` between the window and a client's memory, to the file or from it.
    /// Whether that went well.
    fn copy(&self, part: &Part, direction: Direction, window: &Window, list: &RunList) -> bool {
        let Some(neighbours) = &self.access.neighbours else {
            return false;
        };
        let mut left = list.data();
        let cut = |run: &Remote| {
            let length = run.length.min(left);
            left -= length;
            (length > 0).then_some(Remote { length, ..*run })
        };
        let memory: Vec<Remote> = part.memory.iter().map_while(cut).collect();
        let local = window.parts_of(list);
        let copied = neighbours.copy(part.rank, direction, &local, &memory);
        copied.is_ok()
    }
}

/// Reads the list of a client's memory, of `data` bytes or none.
fn remote(list: &[u8], data: u64) -> Result<Vec<Remote>, crate::Error> {
    let everywhere = Run {
        offset: 0,
        length: u64::MAX,
    };
    let list = RunList::read(list, everywhere)?;
    if list.data() != data && list.data() > 0 {
        return Err(crate::Error::MalformedList);
    }
    let mut memory = Vec::new();
    list.each(|run| {
        memory.push(Remote {
            address: run.offset,
            length: run.length,
        });
    });
    Ok(memory)
}

fn malformed(_: crate::Error) -> Error {
    Error::Arguments("a rank sent a list of runs that do not lie in the aggregator's window")
}
