//! [`Client`]: the part of a rank that has data.

use coll::port::Op;
use coll::Error;
use datatype::Buffer;
use memory::UserBuf;

use crate::access::{Failure, Outcome};
use crate::aggregator::Aggregator;
use crate::exchange::{answer, header, receipt, Exchange, ScratchBuffer, OFFERED_RUN};
use crate::plan::reaches_into;
use crate::runlist::Writer;
use crate::{Direction, Run};

/// The part of a rank as the owner of data.
pub(crate) struct Client<'a> {
    pub(crate) exchange: &'a Exchange<'a>,
    /// For each aggregator, by its index.
    peers: Vec<Peer>,
    writer: Writer,
    pub(crate) outcome: Outcome,
    /// The list of the runs that this rank has in its own window, if it is an aggregator.
    pub(crate) own_list: Vec<u8>,
    /// The aggregators, by their indices, that this rank's memory was offered to in this round.
    offered: Vec<usize>,
}

/// An aggregator, as a client sees it.
#[derive(Default)]
struct Peer {
    /// Bytes of the access's data before the window of the round, and before its end.
    from: u64,
    to: u64,
    header: ScratchBuffer,
    list: ScratchBuffer,
    packed: ScratchBuffer,
    answer: ScratchBuffer,
}

impl<'a> Client<'a> {
    pub(crate) fn new(exchange: &'a Exchange<'a>, outcome: Outcome) -> Client<'a> {
        let aggregators = exchange.domains.aggregators().len();
        let peers = (0..aggregators).map(|index| {
            let from = exchange.data_before(exchange.domains.domain(index).offset);
            Peer {
                from,
                to: from,
                ..Peer::default()
            }
        });
        Client {
            exchange,
            peers: peers.collect(),
            writer: Writer::default(),
            outcome,
            own_list: Vec::new(),
            offered: Vec::new(),
        }
    }

    /// Announces to the aggregators this rank's runs in their windows, with their memory here; or,
    /// in a write, sends the data.
    pub(crate) fn ask(&mut self, round: u64, direction: Direction) -> Result<Vec<Op>, Error> {
        let (exchange, mut sent) = (self.exchange, Vec::new());
        let port = exchange.port;
        for index in 0..self.peers.len() {
            let window = exchange.domains.window(index, round);
            let peer = &mut self.peers[index];
            peer.from = peer.to;
            if !reaches_into(exchange.own(), window) {
                continue;
            }
            peer.to = exchange.data_before(window.end());
            let (from, bytes) = (peer.from, peer.to - peer.from);
            self.writer.restart(window.offset);
            let position = exchange.access.position + from;
            let runs = exchange.access.view.data_runs(position, bytes);
            let wrong = "a position of the access does not fit, which was checked";
            let mut count = 0;
            for run in runs.map_err(|_| Error::Arguments(wrong))? {
                self.writer.push(run);
                count += 1;
            }
            let (list, data) = self.writer.finish();
            let to = exchange.domains.aggregators()[index];
            if to == exchange.team.rank {
                self.own_list = list.to_vec();
                continue;
            }
            let mut lists = list.to_vec();
            let mut lengths = header::Lengths {
                list: list.len() as u64,
                memory: 0,
                data,
            };
            // Runs of the file that are too short go faster as a message.
            let memory = match data / count.max(1) >= OFFERED_RUN as u64 {
                true => exchange.offered(to, from, data),
                false => None,
            };
            if let Some(list) = memory.and_then(|memory| listed(&mut self.writer, &memory)) {
                lengths.memory = list.len() as u64;
                lists.extend(list);
            }
            let header = peer.header.of(port, header::BYTES);
            header::write(header, lengths, &lists);
            sent.push(port.send(to, &Buffer::bytes(header)));
            if lists.len() > header::INLINE_MAX {
                let room = peer.list.of(port, lists.len());
                room.write(0, &lists);
                sent.push(port.send(to, &Buffer::bytes(room)));
            }
            if direction == Direction::Read || data == 0 {
                continue;
            }
            match lengths.memory > 0 {
                true => self.offered.push(index),
                false => {
                    let data = exchange.outgoing(from, bytes, &mut peer.packed);
                    sent.push(port.send(to, &data));
                }
            }
        }
        Ok(sent)
    }

    /// Waits until each aggregator that was to read this rank's memory has done so, and sends the
    /// data to those that could not.
    pub(crate) async fn settle(&mut self) -> Result<Vec<Op>, Error> {
        let (exchange, mut sent) = (self.exchange, Vec::new());
        let (port, aggregators) = (exchange.port, exchange.domains.aggregators());
        let mut receipts = Vec::new();
        for index in std::mem::take(&mut self.offered) {
            let room = self.peers[index].answer.of(port, receipt::BYTES);
            let op = port.recv(aggregators[index], &Buffer::bytes(room));
            receipts.push((index, room, op));
        }
        for (index, room, op) in receipts {
            port.wait(op).await?;
            let peer = &mut self.peers[index];
            if !receipt::read(room) {
                let bytes = peer.to - peer.from;
                let data = exchange.outgoing(peer.from, bytes, &mut peer.packed);
                sent.push(port.send(aggregators[index], &data));
            }
        }
        Ok(sent)
    }

    /// Receives what was asked for in this round.
    pub(crate) async fn receive(&mut self, round: u64) -> Result<(), Error> {
        let exchange = self.exchange;
        let port = exchange.port;
        let mut asked = Vec::new();
        for (index, peer) in self.peers.iter_mut().enumerate() {
            let window = exchange.domains.window(index, round);
            let aggregator = exchange.domains.aggregators()[index];
            let is_asked = reaches_into(exchange.own(), window) && peer.to > peer.from;
            if is_asked && aggregator != exchange.team.rank {
                let answer = peer.answer.of(port, answer::BYTES);
                let op = port.recv(aggregator, &Buffer::bytes(answer));
                asked.push((index, aggregator, answer, op));
            }
        }
        let mut received = Vec::new();
        let mut packed = Vec::new();
        for (index, aggregator, answer, op) in asked {
            port.wait(op).await?;
            let answer = answer::read(answer);
            let peer = &mut self.peers[index];
            let end = exchange.data_before(answer.end);
            let bytes = end.clamp(peer.from, peer.to) - peer.from;
            if let Some(error) = answer.error {
                let rank = aggregator;
                let failure = Failure::Aggregator { rank, error };
                self.outcome.failure.get_or_insert(failure);
                continue;
            }
            self.outcome.bytes += bytes;
            if bytes == 0 || answer.delivered {
                continue;
            }
            let (into, is_packed) = exchange.incoming(peer.from, bytes, &mut peer.packed);
            received.push(port.recv(aggregator, &Buffer::bytes(into)));
            if is_packed {
                packed.push((peer.from, into));
            }
        }
        port.all(received).await?;
        for (from, data) in packed {
            exchange.access.buffer.unpack_from_user(from as usize, data);
        }
        Ok(())
    }

    /// Learns from the aggregators that have this rank's data whether it was written, or from all.
    pub(crate) async fn finish(&mut self) -> Result<(), Error> {
        let exchange = self.exchange;
        let mut answers = Vec::new();
        for (index, peer) in self.peers.iter_mut().enumerate() {
            let aggregator = exchange.domains.aggregators()[index];
            let has_data = reaches_into(exchange.own(), exchange.domains.domain(index));
            if (has_data || exchange.ends_together) && aggregator != exchange.team.rank {
                let room = peer.answer.of(exchange.port, answer::BYTES);
                let op = exchange.port.recv(aggregator, &Buffer::bytes(room));
                answers.push((aggregator, has_data, room, op));
            }
        }
        for (rank, has_data, room, op) in answers {
            exchange.port.wait(op).await?;
            if let Some(error) = answer::read(room).error {
                let failure = Failure::Aggregator { rank, error };
                if has_data {
                    self.outcome.failure.get_or_insert(failure);
                }
            }
        }
        self.outcome.bytes = exchange.own().bytes;
        Ok(())
    }

    /// Takes over what failed at this rank as an aggregator.
    pub(crate) fn take_in(&mut self, aggregator: &mut Option<Aggregator<'_>>) {
        if let Some(error) = aggregator.as_mut().and_then(Aggregator::take_error) {
            self.outcome.failure.get_or_insert(Failure::Here(error));
        }
    }
}

/// Returns the list of the runs of memory; `None` where they do not ascend.
fn listed(writer: &mut Writer, memory: &[UserBuf]) -> Option<Vec<u8>> {
    writer.restart(0);
    let mut at = 0;
    for part in memory {
        let run = Run {
            offset: part.address() as u64,
            length: part.len() as u64,
        };
        if run.offset < at {
            return None;
        }
        at = run.end();
        writer.push(run);
    }
    Some(writer.finish().0.to_vec())
}
