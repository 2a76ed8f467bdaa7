//! How a collective access is made: independently, or in two phases by aggregators.
//!
//! Each rank contributes its [`Reach`]; all have the same reaches then, and so come to the same
//! [`Plan`] without another message. In two phases the part of the file that the ranks reach is
//! divided into [`Domains`], one for each aggregator, and each domain into windows that fit the
//! aggregator's memory. In round k every aggregator handles its k-th window: it receives the data
//! of all ranks for it and writes them, or reads the file and sends each rank its data.

use std::fmt;
use std::sync::Arc;

use crate::{Direction, Run};

/// The value of a hint: `enable`, `disable` or `automatic`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Switch {
    /// Wherever it is possible.
    Enable,
    /// Never.
    Disable,
    /// Where it is faster.
    #[default]
    Automatic,
}

/// The part of the file that a rank's access reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Position of the first byte of data.
    pub first: u64,
    /// Position past the last byte of data; equal to `first` where there is no data.
    pub end: u64,
    /// Bytes of data.
    pub bytes: u64,
    /// Runs that the data is made of, about.
    pub runs: u64,
    /// Whether the data have positions in the file that do not ascend, or overlap.
    pub disordered: bool,
}

impl Reach {
    /// Bytes of a reach in a message.
    pub const BYTES: usize = 40;

    /// Returns the reach as a message carries it.
    pub fn encode(&self) -> [u8; Reach::BYTES] {
        let mut message = [0; Reach::BYTES];
        let disordered = self.disordered.into();
        let words = [self.first, self.end, self.bytes, self.runs, disordered];
        for (room, word) in message.chunks_mut(8).zip(words) {
            room.copy_from_slice(&word.to_le_bytes());
        }
        message
    }

    /// Returns the reach that a message carries.
    pub fn decode(message: &[u8; Reach::BYTES]) -> Reach {
        let word = |at: usize| {
            let bytes = message[at * 8..][..8].try_into();
            u64::from_le_bytes(bytes.expect("8 bytes"))
        };
        Reach {
            first: word(0),
            end: word(1).max(word(0)),
            bytes: word(2),
            runs: word(3),
            disordered: word(4) != 0,
        }
    }

    fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Whether reading all from the first to the last byte costs little more than the data.
    fn is_dense(&self) -> bool {
        is_dense(self.bytes, self.end - self.first)
    }
}

/// Whether `bytes` of data in a part of the file of `span` bytes are read with all between them.
pub fn is_dense(bytes: u64, span: u64) -> bool {
    span / SIEVED_GAPS <= bytes
}

/// Hints of a file on collective access. Equal on all ranks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Whether reads go through aggregators.
    pub read: Switch,
    /// Whether writes go through aggregators.
    pub write: Switch,
    /// The ranks that are aggregators; at least one.
    pub aggregators: Arc<[u32]>,
    /// Bytes of an aggregator's memory for file data.
    pub buffer_bytes: u64,
    /// Domains and windows begin at multiples of this many bytes: a stripe, or a block of the file
    /// system. At least 1.
    pub alignment: u64,
    /// Whether a call costs no more than copying a page: on a file system of the machine that all
    /// processes run on.
    pub calls_are_cheap: bool,
    /// Whether an aggregator reads, changes and writes back where data has gaps.
    pub sieve: Switch,
}

impl Settings {
    /// Returns the settings with `usual` in place of `automatic`.
    pub fn where_automatic(mut self, usual: Switch) -> Settings {
        for switch in [&mut self.read, &mut self.write] {
            if *switch == Switch::Automatic {
                *switch = usual;
            }
        }
        self
    }
}

/// How a collective access is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Nobody has data.
    Nothing,
    /// Each rank accesses the file by itself.
    Independent(Reason),
    /// Aggregators access the file.
    TwoPhase(Domains),
}

/// Why ranks access the file by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A hint disables aggregators.
    Disabled,
    /// There is one rank.
    Alone,
    /// A rank's data does not ascend in the file, or overlaps.
    Disordered,
    /// Each rank has a part of the file to itself.
    Apart,
    /// Most of the windows would be empty.
    Sparse,
    /// Runs are so long that calls for each take less time than moving the data to aggregators.
    Long,
    /// Gaps are so short that each rank reads them along in less time than data takes to come from
    /// aggregators.
    Dense,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Disabled => "disabled by romio_cb_read or romio_cb_write",
            Reason::Alone => "one process has the file",
            Reason::Disordered => "the positions of a rank's data do not ascend, or overlap",
            Reason::Apart => "the ranks' parts of the file do not interleave",
            Reason::Long => {
                "runs of a page or more, which calls of each rank move with one copy less"
            }
            Reason::Dense => "gaps that each rank reads along, with one copy less",
            Reason::Sparse => "the data are less than a hundredth of the part of the file",
        })
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plan::Nothing => f.write_str("nobody has data"),
            Plan::Independent(reason) => write!(f, "each process by itself: {reason}"),
            Plan::TwoPhase(domains) => {
                let ranks = domains.aggregators().iter().map(u32::to_string);
                let ranks: Vec<String> = ranks.collect();
                let (word, each) = match ranks.len() {
                    1 => ("rank", ""),
                    _ => ("ranks", " each"),
                };
                let (bytes, rounds) = (domains.domain(0).length, domains.rounds());
                let most = domains.window_bytes();
                write!(f, "through aggregators: {word} {}, ", ranks.join(" "))?;
                write!(f, "{bytes} bytes of the file{each}, ")?;
                match rounds {
                    1 => f.write_str("in one round"),
                    _ => write!(f, "in {rounds} rounds of {most} bytes"),
                }
            }
        }
    }
}

/// Bytes of a part of the file over those of its data, up to which reading the whole part costs
/// less than what it saves: calls, or a copy by way of an aggregator.
const SIEVED_GAPS: u64 = 4;

/// The bytes between the first and the last of all ranks over their data, from which on two phases
/// would mostly handle windows without data.
const SPARSE: u64 = 100;

impl Plan {
    /// Returns the plan for these reaches, one for each rank.
    pub fn new(reaches: &[Reach], settings: &Settings, direction: Direction) -> Plan {
        let mut order: Vec<&Reach> = reaches.iter().filter(|reach| !reach.is_empty()).collect();
        order.sort_by_key(|reach| reach.first);
        let Some(first) = order.first() else {
            return Plan::Nothing;
        };
        let switch = match direction {
            Direction::Read => settings.read,
            Direction::Write => settings.write,
        };
        let end = order.iter().map(|reach| reach.end).max().unwrap_or(0);
        let whole = Run {
            offset: first.first,
            length: end - first.first,
        };
        let bytes = order.iter().map(|reach| u128::from(reach.bytes)).sum();
        let reason = match switch {
            Switch::Disable => Some(Reason::Disabled),
            _ if order.iter().any(|reach| reach.disordered) => Some(Reason::Disordered),
            _ if u128::from(whole.length) / u128::from(SPARSE) > bytes => Some(Reason::Sparse),
            Switch::Enable => None,
            Switch::Automatic if reaches.len() == 1 => Some(Reason::Alone),
            Switch::Automatic => {
                let apart = |pair: &[&Reach]| pair[0].end <= pair[1].first;
                let runs = order.iter().map(|reach| u128::from(reach.runs.max(1)));
                let length = bytes / runs.sum::<u128>().max(1);
                match order.windows(2).all(apart) {
                    true => Some(Reason::Apart),
                    false => {
                        let is_long = length >= u128::from(SIEVE_BYTES);
                        let reads =
                            direction == Direction::Read && settings.sieve != Switch::Disable;
                        let is_dense = reads && order.iter().all(|reach| reach.is_dense());
                        let reason = match () {
                            () if is_long => Some(Reason::Long),
                            () if is_dense => Some(Reason::Dense),
                            () => None,
                        };
                        reason.filter(|_| settings.calls_are_cheap)
                    }
                }
            }
        };
        match reason {
            Some(reason) => Plan::Independent(reason),
            None => Plan::TwoPhase(Domains::new(whole, settings)),
        }
    }
}

/// The parts of the file that the aggregators handle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domains {
    whole: Run,
    /// Where the first domain would begin without regard to data: a multiple of the alignment.
    base: u64,
    /// Bytes of a domain.
    each: u64,
    /// Bytes of a window.
    window: u64,
    /// Windows of an aggregator that take turns.
    turns: u64,
    aggregators: Arc<[u32]>,
}

impl Domains {
    fn new(whole: Run, settings: &Settings) -> Domains {
        let align = settings.alignment.max(1);
        let base = whole.offset - whole.offset % align;
        let count = settings.aggregators.len().max(1) as u64;
        let each = (whole.end() - base).div_ceil(count);
        let each = each.checked_next_multiple_of(align).unwrap_or(each);
        let buffer = settings.buffer_bytes.max(1);
        let aligned = |bytes: u64| bytes / align * align;
        // One window for all, or two that take turns, each aligned where that is possible.
        let (window, turns) = match (buffer, buffer / 2) {
            _ if buffer >= each => (buffer, 1),
            (_, half) if aligned(half) > 0 => (aligned(half), 2),
            _ if aligned(buffer) > 0 => (aligned(buffer), 1),
            (_, half) if half > 0 => (half, 2),
            _ => (buffer, 1),
        };
        Domains {
            whole,
            base,
            each: each.max(1),
            window,
            turns,
            aggregators: settings.aggregators.clone(),
        }
    }

    /// The part of the file from the first to past the last byte of data.
    pub fn whole(&self) -> Run {
        self.whole
    }

    /// The aggregators that have a domain, in the order of their domains.
    pub fn aggregators(&self) -> &[u32] {
        let used = (self.whole.end() - self.base).div_ceil(self.each) as usize;
        &self.aggregators[..used.min(self.aggregators.len())]
    }

    /// Returns the part of the file that aggregator `index` handles.
    pub fn domain(&self, index: usize) -> Run {
        let from = self.base.saturating_add(self.each * index as u64);
        part(self.whole, from, self.each)
    }

    /// Returns how many rounds there are.
    pub fn rounds(&self) -> u64 {
        self.each
            .min(self.whole.end() - self.base)
            .div_ceil(self.window)
    }

    /// Returns the part of the file that aggregator `index` handles in a round; it may be empty.
    pub fn window(&self, index: usize, round: u64) -> Run {
        let domain = self.base.saturating_add(self.each * index as u64);
        let from = domain.saturating_add(round.saturating_mul(self.window));
        part(self.domain(index), from, self.window)
    }

    /// Returns how many windows of an aggregator take turns: 1 or 2.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns the bytes of memory that an aggregator needs for a window.
    pub fn window_bytes(&self) -> u64 {
        self.window.min(self.each)
    }
}

/// The bytes of `whole` in `from .. from + length`.
fn part(whole: Run, from: u64, length: u64) -> Run {
    let end = from.saturating_add(length).min(whole.end());
    let offset = from.clamp(whole.offset, whole.end());
    Run {
        offset,
        length: end.saturating_sub(offset),
    }
}

/// Returns whether any byte of a reach lies in `window`, judged by its first and last one.
pub(crate) fn reaches_into(reach: &Reach, window: Run) -> bool {
    !reach.is_empty() && reach.first < window.end() && window.offset < reach.end
}

/// Largest gap, in bytes, that is read for nothing rather than skipped with another call, and mean
/// length of a run below which data with gaps is read, changed and written back. A page: the
/// system reads whole pages, and a call takes about as long as copying one.
pub const SIEVE_BYTES: u64 = 4096;

/// Returns what to read for `runs`, which ascend: joins those between which a gap of no more than
/// `gap_max` bytes lies.
pub fn joined(runs: impl Iterator<Item = Run>, gap_max: u64) -> impl Iterator<Item = Run> {
    let mut runs = runs.peekable();
    std::iter::from_fn(move || {
        let mut run = runs.next()?;
        while let Some(next) = runs.next_if(|next| next.offset.saturating_sub(run.end()) <= gap_max)
        {
            run.length = next.end().max(run.end()) - run.offset;
        }
        Some(run)
    })
}

/// How data that ascends in the file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writing {
    /// Each run by a call of its own.
    Runs,
    /// The whole range is read, changed and written back, under a lock.
    Sieve,
}

/// Returns how `runs` runs with `bytes` of data are written.
pub fn writing(runs: u64, bytes: u64, sieve: Switch) -> Writing {
    match sieve {
        _ if runs <= 1 => Writing::Runs,
        Switch::Disable => Writing::Runs,
        Switch::Enable => Writing::Sieve,
        Switch::Automatic if bytes / runs < SIEVE_BYTES => Writing::Sieve,
        Switch::Automatic => Writing::Runs,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn settings(aggregators: u32, buffer_bytes: u64, alignment: u64) -> Settings {
        Settings {
            read: Switch::Automatic,
            write: Switch::Automatic,
            aggregators: (0..aggregators).collect(),
            buffer_bytes,
            alignment,
            calls_are_cheap: false,
            sieve: Switch::Automatic,
        }
    }

    fn reach(first: u64, end: u64, bytes: u64) -> Reach {
        Reach {
            first,
            end,
            bytes,
            runs: 1,
            disordered: false,
        }
    }

    proptest! {
        /// Every byte lies in one window of one aggregator, which begins where it is aligned.
        #[test]
        fn windows_cover_the_file_once(
            first in 0u64..200,
            length in 1u64..500,
            aggregators in 1u32..6,
            buffer in 1u64..70,
            align in 1u64..40,
        ) {
            let mut settings = settings(aggregators, buffer, align);
            settings.write = Switch::Enable;
            let reaches = [reach(first, first + length, length)];
            let Plan::TwoPhase(domains) = Plan::new(&reaches, &settings, Direction::Write) else {
                panic!("two phases were asked for");
            };
            let mut at = first;
            for index in 0..domains.aggregators().len() {
                prop_assert!(domains.domain(index).length > 0);
                for round in 0..domains.rounds() {
                    let window = domains.window(index, round);
                    prop_assert!(window.length <= domains.window_bytes());
                    prop_assert!(domains.turns() * domains.window_bytes() <= buffer);
                    if window.length == 0 {
                        continue;
                    }
                    prop_assert_eq!(window.offset, at);
                    let aligned = at % align == 0 || at == first;
                    prop_assert!(aligned || buffer < align);
                    at = window.end();
                }
                prop_assert_eq!(at, domains.domain(index).end());
            }
            prop_assert_eq!(at, first + length);
        }
    }

    #[test]
    fn only_ranges_that_interleave_are_worth_two_phases() {
        let settings = settings(2, 1 << 20, 4096);
        let plan = |reaches: &[Reach]| Plan::new(reaches, &settings, Direction::Read);
        let empty = reach(50, 50, 0);
        assert_eq!(plan(&[empty, empty]), Plan::Nothing);
        let apart = [reach(100, 200, 100), empty, reach(0, 100, 100)];
        assert_eq!(plan(&apart), Plan::Independent(Reason::Apart));
        let crossing = [reach(0, 199, 100), reach(100, 300, 100)];
        assert!(matches!(plan(&crossing), Plan::TwoPhase(_)));
        let sparse = [reach(0, 1 << 40, 100), reach(100, 300, 100)];
        assert_eq!(plan(&sparse), Plan::Independent(Reason::Sparse));
        let alone = [reach(0, 1000, 100)];
        assert_eq!(plan(&alone), Plan::Independent(Reason::Alone));
        let long = [reach(0, 20_000, 8192), reach(8192, 30_000, 8192)];
        assert!(matches!(plan(&long), Plan::TwoPhase(_)));
        let mut local = settings.clone();
        local.calls_are_cheap = true;
        let local_plan = |reaches: &[Reach]| Plan::new(reaches, &local, Direction::Read);
        assert_eq!(local_plan(&long), Plan::Independent(Reason::Long));
        let mut short = long;
        short[0].bytes = 4096;
        short[0].runs = 4;
        assert!(matches!(local_plan(&short), Plan::TwoPhase(_)));
        short[0].bytes = 8192;
        // Each rank reads what lies between, but no rank may write it.
        for reach in &mut short {
            reach.runs = 100;
        }
        assert_eq!(local_plan(&short), Plan::Independent(Reason::Dense));
        let written = Plan::new(&short, &local, Direction::Write);
        assert!(matches!(written, Plan::TwoPhase(_)));
        assert!(matches!(plan(&short), Plan::TwoPhase(_)));
        let mut disordered = crossing;
        disordered[1].disordered = true;
        assert_eq!(plan(&disordered), Plan::Independent(Reason::Disordered));
    }

    #[test]
    fn a_plan_says_who_accesses_what_or_why() {
        let mut settings = settings(3, 100, 10);
        settings.write = Switch::Enable;
        let plan = Plan::new(&[reach(5, 605, 600)], &settings, Direction::Write);
        let text = "through aggregators: ranks 0 1 2, 205 bytes of the file each, in 5 rounds of \
                    50 bytes";
        assert_eq!(plan.to_string(), text);
        let alone = Plan::Independent(Reason::Alone).to_string();
        assert_eq!(alone, "each process by itself: one process has the file");
    }

    #[test]
    fn a_reach_survives_its_message() {
        let mut reach = reach(1 << 40, (1 << 40) + 7, 5);
        assert_eq!(Reach::decode(&reach.encode()), reach);
        reach.disordered = true;
        assert_eq!(Reach::decode(&reach.encode()), reach);
    }

    #[test]
    fn runs_with_small_gaps_are_read_together() {
        let runs = [(0, 10), (12, 3), (20, 1), (21, 4)];
        let runs = runs.map(|(offset, length)| Run { offset, length });
        let read: Vec<Run> = joined(runs.into_iter(), 2).collect();
        let expected = [(0, 15), (20, 5)];
        assert_eq!(
            read,
            expected.map(|(offset, length)| Run { offset, length })
        );
    }
}
