//! Tests of sequences: jobs of a few ranks in one thread, in orders drawn from seeds.

use std::cell::RefCell;
use std::rc::Rc;

use coll::Blocks;
use datatype::Buffer;
use memory::Scratch;

use super::*;
use crate::{Handshake, Settings};

const THRESHOLD: u32 = 3;

/// An allgather, or a broadcast from a root.
struct FakeCall {
    root: Option<u32>,
    own: Buffer,
    all: Blocks,
    _memory: [Scratch; 2],
    obstacle: Rc<RefCell<Option<String>>>,
}

fn sent(rank: u32, number: u64) -> [u8; 8] {
    (number * 100 + u64::from(rank)).to_le_bytes()
}

fn read(buffer: &Buffer) -> [u8; 8] {
    let mut bytes = [0; 8];
    buffer.pack_into(0, &mut bytes);
    bytes
}

impl FakeCall {
    fn new(rank: &Rank, number: u64) -> FakeCall {
        let memory = [Scratch::new(8), Scratch::new(8 * rank.size as usize)];
        let [own, all] = [&memory[0], &memory[1]].map(|memory| Buffer::bytes(memory.buf()));
        memory[0].buf().write(0, &sent(rank.rank, number));
        FakeCall {
            root: (!number.is_multiple_of(3)).then_some(number as u32 % rank.size),
            own,
            all: Blocks::even(all, rank.size),
            _memory: memory,
            obstacle: rank.obstacle.clone(),
        }
    }

    /// Checks that what the call of a number brings is here.
    fn check(&self, number: u64) {
        match self.root {
            Some(root) => assert_eq!(read(&self.own), sent(root, number), "call {number}"),
            None => (0..self.all.count()).for_each(|rank| {
                let block = read(&self.all.block(rank));
                assert_eq!(block, sent(rank, number), "call {number}, block {rank}");
            }),
        }
    }
}

impl StartedCall for Rc<FakeCall> {
    type ByMessages = ();
    type Error = String;

    fn node_call(&self) -> NodeCall<'_> {
        match self.root {
            Some(root) => NodeCall::Bcast(root, &self.own),
            None => NodeCall::Allgather(Some(&self.own), &self.all),
        }
    }
    fn wake(&self, _: u32) {}
    fn begin_by_messages(&self) {}
    fn outcome(_: &()) -> Option<Result<(), String>> {
        Some(Ok(()))
    }
    fn failed(&self, error: coll::Error) -> String {
        error.to_string()
    }
    fn obstacle(&self, _: usize, _: bool) -> Option<String> {
        self.obstacle.borrow().clone()
    }
}

/// A call that goes through shared memory: its number in the program, and in the sequence unless it
/// completed at once.
type Begun = (u64, Option<u64>, Rc<FakeCall>);

/// One rank of a job, with the calls that it has started.
struct Rank {
    rank: u32,
    size: u32,
    sequence: Sequence<Rc<FakeCall>>,
    obstacle: Rc<RefCell<Option<String>>>,
    started: u64,
    joins: bool,
    calls: Vec<Begun>,
}

impl Rank {
    fn job(size: u32) -> Vec<Rank> {
        let rank = |rank| Rank {
            rank,
            size,
            sequence: Sequence::new(true),
            obstacle: Rc::default(),
            started: 0,
            joins: false,
            calls: Vec::new(),
        };
        (0..size).map(rank).collect()
    }

    /// Starts the next call of the program. Returns whether it went by messages.
    fn start(&mut self) -> bool {
        let number = self.started;
        self.started += 1;
        let call = Rc::new(FakeCall::new(self, number));
        let place = loop {
            match self.sequence.start(THRESHOLD, &call.node_call(), |_| ()) {
                CallStart::MessagesForNow => return true,
                CallStart::Join => self.joins = true,
                CallStart::Complete(result) => {
                    result.unwrap();
                    break None;
                }
                CallStart::Pending(ticket) => break Some(ticket.queue(call.clone()).0),
                CallStart::Messages | CallStart::Broken(_) => panic!("no such start"),
            }
        };
        self.calls.push((number, place, call));
        false
    }

    fn is_complete(&self, place: Option<u64>) -> bool {
        place.is_none_or(|place| self.sequence.outcome(place).is_some())
    }

    /// How a call ended, by its index.
    fn outcome(&self, at: usize) -> Option<Result<(), String>> {
        match self.calls[at].1 {
            Some(place) => self.sequence.outcome(place),
            None => Some(Ok(())),
        }
    }
}

/// The handshake of all ranks.
fn meet(size: u32) -> Vec<Joined> {
    let settings = Settings::default().for_short_calls(size);
    let (first, invitation) = Handshake::create(settings, size, false);
    let attach = |_| Handshake::attach(settings, size, &invitation);
    let all: Vec<_> = [first].into_iter().chain((1..size).map(attach)).collect();
    let statuses: Vec<_> = all.iter().map(Handshake::status).collect();
    let join = |(rank, one): (u32, Handshake)| Joined {
        exchanges: Exchanges::new(one.complete(rank, &statuses, false).unwrap()),
        failed_before: 0,
        _quota: None,
    };
    (0..).zip(all).map(join).collect()
}

fn next(state: &mut u64, below: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state % below as u64) as usize
}

/// Plays a job in an order drawn from a seed: starts, polls, and the handshake, which ends at each
/// rank at another time.
fn play(seed: u64, size: u32) {
    const CALLS: u64 = 100;
    let mut random = seed * 2 + 1;
    let mut job = Rank::job(size);
    let mut met: Vec<Option<Joined>> = Vec::new();
    for _ in 0..100_000 {
        let at = next(&mut random, size as usize);
        match next(&mut random, 4) {
            0 => _ = job[at].sequence.advance(),
            1 if met.is_empty() && job.iter().all(|rank| rank.joins) => {
                met = meet(size).into_iter().map(Some).collect();
            }
            1 => {
                if let Some(joined) = met.get_mut(at).and_then(Option::take) {
                    job[at].sequence.joined(Some(joined));
                }
            }
            _ if job[at].started < CALLS => {
                let by_messages = job[at].start();
                assert_eq!(by_messages, job[at].started <= THRESHOLD.into());
            }
            _ => {}
        }
        for (number, place, call) in &job[at].calls {
            if job[at].is_complete(*place) {
                call.check(*number);
            }
        }
        let is_over = |rank: &Rank| {
            let mut places = rank.calls.iter().map(|(_, place, _)| *place);
            rank.started == CALLS && places.all(|place| rank.is_complete(place))
        };
        if job.iter().all(is_over) {
            for rank in &job {
                assert_eq!(rank.sequence.advance(), Progress::Idle);
                assert!(rank.sequence.retire());
            }
            return;
        }
    }
    panic!("seed {seed}, {size} ranks: not complete");
}

#[test]
fn calls_complete_in_any_order_of_starts_and_polls() {
    for seed in 1..20 {
        for size in 2..=4 {
            play(seed, size);
        }
    }
}

#[test]
fn where_a_process_refuses_the_calls_that_queued_go_by_messages() {
    let mut job = Rank::job(2);
    let rank = &mut job[0];
    let by_messages: Vec<bool> = (0..6).map(|_| rank.start()).collect();
    assert_eq!(by_messages, [true, true, true, false, false, false]);
    assert!(rank.joins && !rank.sequence.is_due(0, 1));
    assert_eq!(rank.sequence.advance(), Progress::Nothing);
    rank.sequence.joined(None);
    assert!(rank.sequence.is_due(2, 1) && !rank.is_complete(Some(0)));
    assert_eq!(rank.sequence.advance(), Progress::Some);
    assert!((0..3).all(|place| rank.is_complete(Some(place))));
    assert!(rank.start(), "later ones go by messages");
}

#[test]
fn an_obstacle_fails_the_calls_that_wait_and_later_ones_but_none_that_is_here() {
    let mut job = Rank::job(2);
    for rank in &mut job {
        (0..5).for_each(|_| _ = rank.start());
    }
    for (rank, joined) in job.iter().zip(meet(2)) {
        rank.sequence.joined(Some(joined));
        rank.sequence.advance();
    }
    let [one, other] = &mut job[..] else {
        panic!("two ranks");
    };
    // Four calls that the other rank never starts, among them an allgather.
    (0..4).for_each(|_| _ = one.start());
    let has_died = "rank 1 has died".to_string();
    for rank in [&*one, &*other] {
        *rank.obstacle.borrow_mut() = Some(has_died.clone());
        rank.sequence.advance();
        rank.sequence.advance();
        assert_eq!(
            (rank.outcome(0), rank.outcome(1)),
            (Some(Ok(())), Some(Ok(())))
        );
        rank.calls[..2]
            .iter()
            .for_each(|(number, _, call)| call.check(*number));
    }
    let (_, place, _) = one.calls.last().unwrap();
    let failed = Err(has_died);
    assert_eq!(one.outcome(one.calls.len() - 1), Some(failed.clone()));
    assert_eq!(one.sequence.take_outcome(place.unwrap()), failed);
    let call = Rc::new(FakeCall::new(one, 9));
    let later = one.sequence.start(THRESHOLD, &call.node_call(), |_| ());
    assert!(matches!(later, CallStart::Broken(_)));
}
