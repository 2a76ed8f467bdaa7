//! The measurements: the operations that are repeated, and their timing.

use std::time::{Duration, Instant};

use base::Random;

use super::link::{complete, send, until, Access, Begun, Link, PollLimit};
use super::samples::Samples;
use super::Error;

/// Operations that take less than this are timed in groups: reading the clock takes time, too.
const GROUP_NS: f64 = 2000.0;
/// The largest such group.
const GROUP_MAX: usize = 64;

/// Measurements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    /// Active messages to and fro.
    MessageLatency,
    /// Active messages one way.
    MessageBandwidth,
    /// A write, until it is visible.
    PutLatency,
    /// Writes, until all are visible.
    PutBandwidth,
    /// A read.
    GetLatency,
    /// Reads.
    GetBandwidth,
    /// A fetch-and-add.
    FetchAdd,
    /// A compare-and-swap.
    CompareSwap,
    /// A swap.
    Swap,
    /// Fetch-and-adds.
    FetchAddRate,
}

/// All of them, by the names that users give.
pub const CASES: [(&str, Case); 10] = [
    ("am_lat", Case::MessageLatency),
    ("am_bw", Case::MessageBandwidth),
    ("put_lat", Case::PutLatency),
    ("put_bw", Case::PutBandwidth),
    ("get_lat", Case::GetLatency),
    ("get_bw", Case::GetBandwidth),
    ("fadd_lat", Case::FetchAdd),
    ("cswap_lat", Case::CompareSwap),
    ("swap_lat", Case::Swap),
    ("fadd_rate", Case::FetchAddRate),
];

impl Case {
    /// Returns the case's name.
    pub fn name(self) -> &'static str {
        let found = CASES.iter().find(|(_, case)| *case == self);
        found.map_or("", |(name, _)| *name)
    }

    /// Whether many operations are pending at once.
    pub fn is_stream(self) -> bool {
        matches!(
            self,
            Case::MessageBandwidth | Case::PutBandwidth | Case::GetBandwidth | Case::FetchAddRate
        )
    }

    /// Whether the case measures messages, not one-sided accesses.
    pub fn is_message(self) -> bool {
        matches!(self, Case::MessageLatency | Case::MessageBandwidth)
    }

    /// Whether the case is about a 64-bit word.
    pub fn is_atomic(self) -> bool {
        matches!(
            self,
            Case::FetchAdd | Case::CompareSwap | Case::Swap | Case::FetchAddRate
        )
    }
}

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Operations that count.
    pub iterations: usize,
    /// Operations before them.
    pub warm_up: usize,
    /// Operations pending at once in a stream.
    pub window: usize,
    /// Most time.
    pub limit: Duration,
}

/// Times one case.
pub(crate) fn measure<L: Link>(
    link: &mut L,
    case: Case,
    bytes: usize,
    plan: &Plan,
) -> Result<Samples, Error> {
    let per_step = if case.is_stream() { plan.window } else { 1 };
    // Only half of a round trip is one way.
    let both_ways = case == Case::MessageLatency && !link.is_loopback();
    let divisor = if both_ways { 2.0 } else { per_step as f64 };
    let began = Instant::now();
    let steps = plan.warm_up.div_ceil(per_step).max(1);
    let mut warmed = 0;
    while warmed < steps && began.elapsed() < plan.limit {
        step(link, case, bytes, plan.window)?;
        warmed += 1;
    }
    let mean = began.elapsed().as_nanos() as f64 / warmed.max(1) as f64;
    let group = ((GROUP_NS / mean.max(1.0)).ceil() as usize).clamp(1, GROUP_MAX);
    let mut samples = Samples::default();
    let began = Instant::now();
    while samples.operations < plan.iterations && began.elapsed() < plan.limit {
        let start = Instant::now();
        for _ in 0..group {
            step(link, case, bytes, plan.window)?;
        }
        let time = start.elapsed().as_nanos() as f64;
        samples.times.push(time / group as f64 / divisor);
        samples.operations += group * per_step;
    }
    Ok(samples)
}

/// Does one step of a measurement.
#[inline]
fn step<L: Link>(link: &mut L, case: Case, bytes: usize, window: usize) -> Result<(), Error> {
    match case {
        Case::MessageLatency => {
            let wanted = link.arrived() + 1;
            send(link, bytes)?;
            until(link, "a reply", |link| Ok(link.arrived() >= wanted))
        }
        Case::MessageBandwidth => {
            let answers = if link.is_loopback() { window as u64 } else { 1 };
            let wanted = link.arrived() + answers;
            for _ in 0..window {
                send(link, bytes)?;
            }
            until(link, "a reply", |link| Ok(link.arrived() >= wanted))
        }
        Case::PutLatency => {
            complete(link, Access::Put(bytes))?;
            until(link, "a flush", L::is_flushed)
        }
        Case::PutBandwidth => {
            all(link, Access::Put(bytes), window)?;
            until(link, "a flush", L::is_flushed)
        }
        Case::GetLatency => complete(link, Access::Get(bytes)),
        Case::GetBandwidth => all(link, Access::Get(bytes), window),
        Case::FetchAdd => complete(link, Access::Add(1)),
        Case::FetchAddRate => all(link, Access::Add(1), window),
        Case::Swap => complete(link, Access::Swap(1)),
        Case::CompareSwap => {
            let word = link.fetched();
            complete(link, Access::CompareSwap(word, word))
        }
    }
}

/// Starts as many operations as a window holds, and polls until all are complete.
fn all<L: Link>(link: &mut L, access: Access, window: usize) -> Result<(), Error> {
    let (before, mut pending) = (link.completed(), 0);
    for _ in 0..window {
        let mut limit = PollLimit::of("an operation to start");
        loop {
            match link.begin(access)? {
                Begun::Done => break,
                Begun::Pending => {
                    pending += 1;
                    break;
                }
                Begun::Busy => {
                    if link.poll()? == 0 {
                        limit.count_empty()?;
                    }
                }
            }
        }
    }
    until(link, "all operations", |link| {
        Ok(link.completed() - before >= pending)
    })
}

/// Tries one case with data that is known, and checks every byte. Messages are returned as they
/// are.
pub(crate) fn verify<L: Link>(link: &mut L, case: Case, bytes: usize) -> Result<(), Error> {
    let mut random = Random::new(bytes as u64 ^ 0x5eed);
    let data: Vec<u8> = (0..bytes).map(|_| random.bits() as u8).collect();
    link.fill(&data);
    if case.is_atomic() {
        return verify_atomics(link);
    }
    if case.is_message() {
        step(link, Case::MessageLatency, bytes, 1)?;
    } else {
        step(link, Case::PutLatency, bytes, 1)?;
        step(link, Case::GetLatency, bytes, 1)?;
    }
    let got = link.received(bytes);
    match got
        .iter()
        .zip(&data)
        .position(|(got, wanted)| got != wanted)
    {
        None => Ok(()),
        Some(at) => Err(Error::Data {
            what: format!("{} of {bytes} bytes", case.name()),
            at,
        }),
    }
}

fn verify_atomics<L: Link>(link: &mut L) -> Result<(), Error> {
    let steps = [
        (Access::Swap(100), None),
        (Access::Add(5), Some(100)),
        (Access::CompareSwap(105, 7), Some(105)),
        (Access::CompareSwap(1, 9), Some(7)),
        (Access::Add(u64::MAX), Some(7)),
        (Access::Swap(1), Some(6)),
    ];
    for (access, wanted) in steps {
        complete(link, access)?;
        let fetched = link.fetched();
        if wanted.is_some_and(|wanted| wanted != fetched) {
            let what = format!("{access:?}, which fetched {fetched}");
            return Err(Error::Data { what, at: 0 });
        }
    }
    Ok(())
}
