//! The ranks of a job on one clock, and the messages between them.
//!
//! **Clocks.** The ranks of a host share its monotonic clock. Those of different hosts leave a
//! fence at nearly the same time, the first of the job and the last: the difference of the two
//! hosts' times at the first is the offset of their clocks, and the difference at the last gives
//! their drift. Then no message may arrive before it was sent: where one would, the offset is moved
//! as far as that takes.
//!
//! **Messages.** Between two ranks messages with one communicator and tag are received in the order
//! in which they were sent, in the order in which the receives were posted. So the n-th send is
//! that of the n-th receive. Where records were dropped, the last ones belong together, and pairs
//! that cannot be right (the receive ended before the send began, or the sizes differ) are left
//! out.

use std::collections::{BTreeMap, HashMap};

use crate::layout::{Kind, Record};
use crate::read::{Rank, Site, NANOS_MAX};

/// A trace of a job.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The ranks, by number.
    pub ranks: Vec<Line>,
    /// The messages that were matched, by the time of their sends.
    pub messages: Vec<Message>,
    /// Sends and receives that were not matched with each other.
    pub unmatched: [u64; 2],
    /// From the first record to the end of the last, in nanoseconds.
    pub span: u64,
}

/// One rank of a trace.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The recording of the rank.
    pub rank: Rank,
    /// The host that it ran on.
    pub host: String,
    /// Beginning and end of each record, in nanoseconds since the beginning of the trace.
    pub times: Vec<[u64; 2]>,
}

impl Line {
    /// The records that are calls, with their times.
    pub fn calls(&self) -> impl Iterator<Item = (&Record, [u64; 2])> {
        let all = self.rank.records.iter().zip(self.times.iter().copied());
        all.filter(|(record, _)| record.kind.is_call())
    }

    /// The site of a record.
    pub fn site(&self, record: &Record) -> &Site {
        self.rank.site(record)
    }
}

/// A message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// The positions in [`Trace::ranks`] of the sender and the receiver.
    pub ends: [usize; 2],
    /// The positions of their records.
    pub records: [usize; 2],
    /// When the send began and when the receive ended.
    pub times: [u64; 2],
    /// Bytes.
    pub bytes: u64,
    /// The tag.
    pub tag: i32,
}

/// The host of a rank: its number, and its name.
pub type Host = (u32, String);

/// Merges the recordings of the ranks of a job, each with its host.
pub fn merge(mut ranks: Vec<(Rank, Host)>) -> Trace {
    ranks.sort_by_key(|(rank, _)| rank.number);
    let mut offsets = offsets(&ranks);
    let pairs = pair(&ranks);
    hold_order(&ranks, &pairs, &mut offsets);
    let at = |rank: &Rank, host: u32, ticks: u64| {
        let nanos = rank.clock.nanos(ticks);
        offsets
            .get(&host)
            .map_or(nanos, |offset| offset.apply(nanos))
    };
    let begins = ranks.iter().flat_map(|(rank, host)| {
        let first = rank.records.first().into_iter().chain(&rank.pending);
        first.map(move |record| at(rank, host.0, record.begin))
    });
    let zero = begins.min().unwrap_or(0);
    let mut trace = Trace {
        unmatched: pairs.unmatched,
        ..Trace::default()
    };
    for (rank, host) in ranks {
        let time = |record: &Record| {
            let begin = (at(&rank, host.0, record.begin) - zero).max(0) as u64;
            [begin, begin + rank.clock.span(record.ticks)]
        };
        let times: Vec<[u64; 2]> = rank.records.iter().map(time).collect();
        let end = times.iter().map(|[_, end]| *end).max();
        trace.span = trace.span.max(end.unwrap_or(0));
        trace.ranks.push(Line {
            rank,
            host: host.1,
            times,
        });
    }
    let messages = pairs.pairs.iter().map(|pair| trace.message(pair)).collect();
    trace.messages = messages;
    trace.messages.sort_by_key(|message| message.times);
    trace
}

impl Trace {
    fn message(&self, pair: &Pair) -> Message {
        let [from, to] = pair.ends.map(|end| &self.ranks[end]);
        let [sent, received] = pair.records;
        Message {
            ends: pair.ends,
            records: pair.records,
            times: [from.times[sent][0], to.times[received][1]],
            bytes: to.rank.records[received].bytes,
            tag: from.rank.records[sent].tag,
        }
    }
}

/// How a host's clock becomes that of the first host.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Offset {
    /// Nanoseconds to add at this moment of the host's clock.
    add: i64,
    at: i64,
    /// Nanoseconds to add moreover for each nanosecond behind it.
    drift: f64,
}

impl Offset {
    fn apply(&self, nanos: i64) -> i64 {
        let drifted = ((nanos - self.at) as f64 * self.drift) as i64;
        let moment = nanos.saturating_add(self.add).saturating_add(drifted);
        moment.clamp(-NANOS_MAX, NANOS_MAX)
    }
}

/// Finds the offsets of all hosts but the first from the fences.
fn offsets(ranks: &[(Rank, Host)]) -> BTreeMap<u32, Offset> {
    // The first to leave a fence at a host has waited least for a processor.
    let mut fences: BTreeMap<u32, [Option<i64>; 2]> = BTreeMap::new();
    for (rank, (host, _)) in ranks {
        let entry = fences.entry(*host).or_default();
        for (at, ticks) in rank
            .fences
            .iter()
            .enumerate()
            .filter(|(_, ticks)| **ticks != 0)
        {
            let nanos = rank.clock.nanos(*ticks);
            entry[at] = Some(entry[at].map_or(nanos, |known| known.min(nanos)));
        }
    }
    let Some(first) = fences.values().next().copied() else {
        return BTreeMap::new();
    };
    let offset = |own: [Option<i64>; 2]| {
        let (Some(reference), Some(early)) = (first[0], own[0]) else {
            return Offset::default();
        };
        let add = reference - early;
        let drift = match (first[1], own[1]) {
            (Some(last), Some(late)) if late > early => {
                (last - late - add) as f64 / (late - early) as f64
            }
            _ => 0.0,
        };
        Offset {
            add,
            at: early,
            drift,
        }
    };
    fences
        .into_iter()
        .map(|(host, own)| (host, offset(own)))
        .collect()
}

/// A send and its receive.
struct Pair {
    ends: [usize; 2],
    records: [usize; 2],
}

struct Pairs {
    pairs: Vec<Pair>,
    unmatched: [u64; 2],
}

/// Messages that are in one order: sender, receiver, context of the communicator, tag.
type Channel = (u32, u32, u64, i32);

/// Finds which receive is that of which send.
fn pair(ranks: &[(Rank, Host)]) -> Pairs {
    let position: HashMap<u32, usize> = ranks
        .iter()
        .enumerate()
        .map(|(at, (rank, _))| (rank.number, at))
        .collect();
    let mut channels: BTreeMap<Channel, [Vec<(usize, usize)>; 2]> = BTreeMap::new();
    for (at, (rank, _)) in ranks.iter().enumerate() {
        for (nth, record) in rank.records.iter().enumerate() {
            let Some(peer) = u32::try_from(record.peer).ok() else {
                continue;
            };
            let Some(comm) = rank.comm(record) else {
                continue;
            };
            let (side, ends) = match record.kind {
                kind if kind.sends() => (0, (rank.number, peer)),
                kind if kind.receives() => (1, (peer, rank.number)),
                _ => continue,
            };
            let channel = (ends.0, ends.1, comm.context, record.tag);
            channels.entry(channel).or_default()[side].push((at, nth));
        }
    }
    let mut pairs = Pairs {
        pairs: Vec::new(),
        unmatched: [0; 2],
    };
    for (channel, [sends, receives]) in &channels {
        let is_cut = [channel.0, channel.1]
            .iter()
            .any(|number| position.get(number).is_none_or(|at| ranks[*at].0.is_cut()));
        let (skip_sent, skip_received) = match is_cut {
            true => {
                let both = sends.len().min(receives.len());
                (sends.len() - both, receives.len() - both)
            }
            false => (0, 0),
        };
        let mut matched = 0;
        for (sent, received) in sends[skip_sent..].iter().zip(&receives[skip_received..]) {
            let (send, receive) = (
                &ranks[sent.0].0.records[sent.1],
                &ranks[received.0].0.records[received.1],
            );
            if is_cut && send.bytes != receive.bytes {
                continue;
            }
            matched += 1;
            pairs.pairs.push(Pair {
                ends: [sent.0, received.0],
                records: [sent.1, received.1],
            });
        }
        pairs.unmatched[0] += (sends.len() - matched) as u64;
        pairs.unmatched[1] += (receives.len() - matched) as u64;
    }
    pairs
}

/// Moves the clocks of hosts so that no message between two of them ends before it began.
fn hold_order(ranks: &[(Rank, Host)], pairs: &Pairs, offsets: &mut BTreeMap<u32, Offset>) {
    let Some(first) = offsets.keys().next().copied() else {
        return;
    };
    let others: Vec<u32> = offsets
        .keys()
        .copied()
        .filter(|host| *host != first)
        .collect();
    for host in others {
        // How far this host's clock may be moved, by the messages to and from the first host.
        let (mut least, mut most) = (i64::MIN, i64::MAX);
        for pair in &pairs.pairs {
            let hosts = pair.ends.map(|end| ranks[end].1 .0);
            let [begin, end] = [0, 1].map(|side| {
                let rank = &ranks[pair.ends[side]].0;
                let record = &rank.records[pair.records[side]];
                let ticks = match side {
                    0 => record.begin,
                    _ => record.begin.saturating_add(record.ticks),
                };
                offsets[&hosts[side]].apply(rank.clock.nanos(ticks))
            });
            if hosts == [first, host] {
                least = least.max(begin - end);
            } else if hosts == [host, first] {
                most = most.min(end - begin);
            }
        }
        if let Some(offset) = offsets.get_mut(&host) {
            // Where both cannot be held, neither clock is right: stay in the middle.
            offset.add += match least > most {
                true => least / 2 + most / 2,
                false => 0.clamp(least, most),
            };
        }
    }
}

/// Whether a record is of a call that is collective over its communicator.
pub fn is_collective(function: &str) -> bool {
    let name = function.strip_prefix("MPI_").unwrap_or(function);
    const COLLECTIVE: [&str; 17] = [
        "Barrier",
        "Bcast",
        "Gather",
        "Gatherv",
        "Scatter",
        "Scatterv",
        "Allgather",
        "Allgatherv",
        "Alltoall",
        "Alltoallv",
        "Alltoallw",
        "Allreduce",
        "Reduce",
        "Reduce_scatter",
        "Reduce_scatter_block",
        "Scan",
        "Exscan",
    ];
    COLLECTIVE.contains(&name.trim_end_matches("_c"))
}

/// Time that ranks have waited for others, by (who waited, for whom), in nanoseconds.
///
/// A rank in a blocking receive or wait waits for the sender until that begins to send; a rank in a
/// blocking collective that synchronises all waits until the last one comes.
pub fn waits(trace: &Trace) -> BTreeMap<(usize, usize), u64> {
    let mut waits: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for message in &trace.messages {
        let [from, to] = message.ends;
        if from == to {
            continue;
        }
        let line = &trace.ranks[to];
        let arrived = line.times[message.records[1]][1];
        let sent = message.times[0];
        // The call in which the receive ended: its own, or the wait that took its request.
        let call = match line.rank.records[message.records[1]].kind {
            Kind::CallThatReceived => Some(line.times[message.records[1]]),
            _ => enclosing(line, arrived),
        };
        if let Some([begin, end]) = call {
            let late = sent.min(end).saturating_sub(begin);
            if late > 0 {
                *waits.entry((to, from)).or_default() += late;
            }
        }
    }
    for instance in collectives(trace).values() {
        let Some((last, latest)) = instance
            .iter()
            .map(|(rank, times)| (*rank, times[0]))
            .max_by_key(|(_, begin)| *begin)
        else {
            continue;
        };
        for (rank, [begin, end]) in instance.iter().filter(|(rank, _)| *rank != last) {
            let late = latest.min(*end).saturating_sub(*begin);
            if late > 0 {
                *waits.entry((*rank, last)).or_default() += late;
            }
        }
    }
    waits
}

/// The call of a rank that was under way at a moment.
fn enclosing(line: &Line, moment: u64) -> Option<[u64; 2]> {
    let behind = line.times.partition_point(|[begin, _]| *begin <= moment);
    let candidates = line.times[..behind]
        .iter()
        .zip(&line.rank.records[..behind]);
    let mut calls = candidates.rev().filter(|(_, record)| record.kind.is_call());
    // A call that began before is over before, but for the few that are nested.
    calls
        .by_ref()
        .take(4)
        .find(|(times, _)| times[1] >= moment)
        .map(|(times, _)| *times)
}

/// A collective that was called once: the ranks, each with the times of its call.
type Instance = Vec<(usize, [u64; 2])>;

/// The instances of collectives in which all wait for all, by communicator and position: who came
/// when. Only those of communicators none of whose members has dropped records.
fn collectives(trace: &Trace) -> BTreeMap<(u64, u64), Instance> {
    const ALL_WAIT: [&str; 8] = [
        "MPI_Barrier",
        "MPI_Allreduce",
        "MPI_Allgather",
        "MPI_Allgatherv",
        "MPI_Alltoall",
        "MPI_Alltoallv",
        "MPI_Alltoallw",
        "MPI_Reduce_scatter_block",
    ];
    let mut instances: BTreeMap<(u64, u64), Instance> = BTreeMap::new();
    if trace.ranks.iter().any(|line| line.rank.is_cut()) {
        return instances;
    }
    for (at, line) in trace.ranks.iter().enumerate() {
        let mut counts: HashMap<u64, u64> = HashMap::new();
        for (record, times) in line.calls() {
            let function = line.site(record).function.as_str();
            if !is_collective(function) {
                continue;
            }
            let Some(comm) = line.rank.comm(record) else {
                continue;
            };
            let count = counts.entry(comm.context).or_default();
            *count += 1;
            if ALL_WAIT.contains(&function) {
                instances
                    .entry((comm.context, *count))
                    .or_default()
                    .push((at, times));
            }
        }
    }
    instances
}
