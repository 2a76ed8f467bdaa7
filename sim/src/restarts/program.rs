//! The program of a job, drawn from its seed: rounds in which every rank knows how many messages it
//! will get, and takes them in by one of several means.

use std::future::Future;
use std::pin::{pin, Pin};
use std::task::{Context as Task, Poll};

use base::{PeerId, Random, Rank};
use pml::{Context, Mode, Pml, Tag};

use super::mpi::{end_turn, Comm, Mpi, Request};
use super::state::Disk;

/// Contexts of programs are below this.
pub(crate) const CONTEXTS: u64 = 1 << 20;

/// Longest message.
const LEN_MAX: usize = 12 << 10;

/// How a rank takes in the messages of a round that it receives from any source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    WaitAny,
    TestAny,
    WaitSome,
    TestSome,
    Probe,
    MatchedProbe,
    OneByOne,
    Test,
    /// As `WaitAny`, after a receive that was cancelled.
    Cancel,
}

const STYLES: [Style; 9] = [
    Style::WaitAny,
    Style::TestAny,
    Style::WaitSome,
    Style::TestSome,
    Style::Probe,
    Style::MatchedProbe,
    Style::OneByOne,
    Style::Test,
    Style::Cancel,
];

/// A message of a round.
#[derive(Clone, Copy, Debug)]
struct Message {
    from: usize,
    to: usize,
    len: usize,
    /// Whether its receiver names its sender.
    named: bool,
    synchronous: bool,
}

#[derive(Debug)]
struct Round {
    /// The round uses its own communicator only.
    apart: bool,
    /// Whether a collective runs beside it.
    collective: bool,
    styles: Vec<Style>,
    /// Ranks that save their state behind it.
    saved_by: Vec<bool>,
    messages: Vec<Message>,
}

/// The program of all ranks.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) ranks: usize,
    /// Whether ranks save their state; if so, the rounds of the prologue.
    pub(crate) saves: Option<usize>,
    rounds: Vec<Round>,
}

impl Plan {
    pub(crate) fn draw(ranks: usize, random: &mut Random) -> Plan {
        let rounds = 3 + random.index(6);
        Plan {
            ranks,
            saves: random.chance(50).then(|| random.index(3)),
            rounds: (0..rounds).map(|_| draw_round(ranks, random)).collect(),
        }
    }
}

fn draw_round(ranks: usize, random: &mut Random) -> Round {
    let mut messages = Vec::new();
    for from in 0..ranks {
        for to in 0..ranks {
            if to == from && !random.chance(12) {
                continue;
            }
            for _ in 0..random.below(3) {
                let len = match random.below(10) {
                    0..6 => random.index(60),
                    6..8 => random.index(1000),
                    _ => random.index(LEN_MAX),
                };
                messages.push(Message {
                    from,
                    to,
                    len,
                    named: random.chance(40),
                    synchronous: random.chance(15),
                });
            }
        }
    }
    Round {
        apart: random.chance(25),
        collective: random.chance(30),
        styles: (0..ranks)
            .map(|_| STYLES[random.index(STYLES.len())])
            .collect(),
        saved_by: (0..ranks).map(|_| random.chance(60)).collect(),
        messages,
    }
}

/// Runs the program of one rank.
pub(crate) async fn run(mpi: &Mpi, plan: &Plan, me: usize, disk: &Disk) {
    let open = |number: u64| {
        let peers = (0..plan.ranks as u32).map(PeerId).collect();
        let id = (mpi.engine.enter()).open_comm(Context(number), Rank(me as u32), peers);
        Comm { id, number }
    };
    let (world, collectives) = (open(4), open(5));
    // A lane may still send what a strand has sent.
    let mut memory = Vec::new();
    let mut first = 0;
    for (number, round) in plan.rounds.iter().enumerate() {
        if plan.saves == Some(number) {
            first = disk.restore(mpi).unwrap_or(0);
        }
        if number < first {
            continue;
        }
        let apart = round.apart.then(|| open(1000 + number as u64));
        let play = play(mpi, round, (number, me), apart.unwrap_or(world));
        if round.collective {
            let beside = mpi.beside();
            let collective = allreduce(&beside, collectives, (number as Tag, plan.ranks, me));
            both(pin!(play), pin!(collective)).await;
            mpi.see(beside.state.get());
            memory.push(beside);
        } else {
            play.await;
        }
        if let Some(apart) = apart {
            mpi.engine.enter().close_comm(apart.id);
        }
        if plan.saves.is_some_and(|prologue| number >= prologue) && round.saved_by[me] {
            disk.write(mpi, number + 1);
            end_turn().await;
            disk.checkpoint(mpi, number + 1);
        }
    }
}

async fn play(mpi: &Mpi, round: &Round, (number, me): (usize, usize), comm: Comm) {
    let (named, any) = (2 * number as Tag, 2 * number as Tag + 1);
    let mut sends = Vec::new();
    let mut receives = Vec::new();
    let mut expected = 0;
    for message in &round.messages {
        if message.from == me {
            let tag = if message.named { named } else { any };
            let mode = match message.synchronous {
                true => Mode::Synchronous,
                false => Mode::Standard,
            };
            sends.push(mpi.isend(comm, message.to, tag, message.len, mode));
        }
        if message.to == me && message.named {
            receives.push(mpi.irecv(comm, Some(message.from), named, LEN_MAX));
        }
        expected += usize::from(message.to == me && !message.named);
    }
    take_in(mpi, round.styles[me], comm, any, expected).await;
    mpi.does.set("waits for named receives");
    mpi.wait_all(&mut receives).await;
    mpi.does.set("waits for sends");
    mpi.wait_all(&mut sends).await;
}

/// Receives a number of messages from any source.
async fn take_in(mpi: &Mpi, style: Style, comm: Comm, tag: Tag, count: usize) {
    let post = || mpi.irecv(comm, None, tag, LEN_MAX);
    let mut left = count;
    match style {
        Style::OneByOne => {
            mpi.does.set("receives one by one");
            for _ in 0..count {
                mpi.wait(&mut post()).await;
            }
        }
        Style::Probe => {
            mpi.does.set("probes");
            while left > 0 {
                if let Some(source) = mpi.probe(comm, tag).await {
                    mpi.see(source as u64);
                    mpi.wait(&mut mpi.irecv(comm, Some(source), tag, LEN_MAX))
                        .await;
                    left -= 1;
                } else {
                    end_turn().await;
                }
            }
        }
        Style::MatchedProbe => {
            mpi.does.set("probes and takes");
            while left > 0 {
                if let Some(message) = mpi.matched_probe(comm, tag).await {
                    mpi.wait(&mut mpi.receive_taken(comm, message, LEN_MAX))
                        .await;
                    left -= 1;
                } else {
                    end_turn().await;
                }
            }
        }
        Style::Test => {
            mpi.does.set("tests");
            for _ in 0..count {
                let mut request = post();
                while mpi.test(&mut request).await.is_none() {
                    end_turn().await;
                }
            }
        }
        Style::Cancel => cancel_until(mpi, comm, tag, count).await,
        Style::WaitAny | Style::TestAny | Style::WaitSome | Style::TestSome => {
            mpi.does.set("any and some");
            let mut requests: Vec<Request> = (0..count).map(|_| post()).collect();
            while left > 0 {
                let found = match style {
                    Style::WaitAny => usize::from(mpi.any(&mut requests, true).await.is_some()),
                    Style::TestAny => usize::from(mpi.any(&mut requests, false).await.is_some()),
                    Style::WaitSome => mpi.some(&mut requests, true).await,
                    _ => mpi.some(&mut requests, false).await,
                };
                left -= found;
                if found == 0 {
                    end_turn().await;
                }
            }
        }
    }
}

/// Receives a number of messages by receives that it tries to cancel.
async fn cancel_until(mpi: &Mpi, comm: Comm, tag: Tag, mut left: usize) {
    mpi.does.set("cancels");
    while left > 0 {
        let mut request = mpi.irecv(comm, None, tag, LEN_MAX);
        end_turn().await;
        mpi.cancel(&request);
        if !mpi.wait(&mut request).await.cancelled {
            left -= 1;
        }
    }
}

/// A collective: each rank gets something of every other.
async fn allreduce(mpi: &Mpi, comm: Comm, (tag, ranks, me): (Tag, usize, usize)) {
    let mut distance = 1;
    while distance < ranks {
        let (to, from) = ((me + distance) % ranks, (me + ranks - distance) % ranks);
        let mut receive = mpi.irecv(comm, Some(from), tag, 64);
        let mut send = mpi.isend(comm, to, tag, 16, Mode::Standard);
        mpi.wait(&mut receive).await;
        mpi.wait(&mut send).await;
        distance *= 2;
    }
}

/// Runs two futures side by side.
async fn both(
    first: Pin<&mut impl Future<Output = ()>>,
    second: Pin<&mut impl Future<Output = ()>>,
) {
    let (mut first, mut second) = (first, second);
    let (mut one, mut other) = (false, false);
    std::future::poll_fn(|task: &mut Task<'_>| {
        one = one || first.as_mut().poll(task).is_ready();
        other = other || second.as_mut().poll(task).is_ready();
        match one && other {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    })
    .await;
}
