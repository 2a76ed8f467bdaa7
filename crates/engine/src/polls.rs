//! Polls of calls that test and return, which also leave the core to others from time to time.
//!
//! An application that loops over `MPI_Test` waits just as in `MPI_Wait`. If it shares its core
//! with the peer that it waits for, each step of the exchange would take a slice of the scheduler.
//! An application that works between its tests makes the same calls, and its work may be as short
//! as a poll: it should not be delayed. So what a poll gives away is bounded by what the polls
//! before it took:
//!
//! | on a contended core | follows |
//! |---|---|
//! | rapid polls, where spinning pays ([`Contention::may_spin`]) | nothing, for as long as a wait spins |
//! | a burst of empty polls | a yield, where yields are cheap: a fraction of the burst where nobody has work |
//! | bursts for [`IDLE`], with no time for work between the polls | a short sleep after each, which a message ends |
//! | a burst, and the last yield went to somebody who computes | the same |
//!
//! On a core of its own the process climbs the wait ladder ([`sync::Ladder`]), one step for each
//! call, and never sleeps.

use std::time::{Duration, Instant};

use sync::{Contention, Ladder, Step};

/// Polls of a burst at most: over shared memory they take about as long as a yield that goes to a
/// peer and comes back.
const BURST: u32 = 32;
/// How long a burst takes at most, where polls are slow.
const BURST_TIME: Duration = Duration::from_micros(4);
/// Polls of a burst from one read of the clock to the next.
const POLLS_PER_LOOK: u32 = 8;
/// Polls that are no further apart have no work of the application between them.
const RAPID: Duration = Duration::from_micros(5);
/// A series of empty polls that has lasted for longer waits for something that takes longer than a
/// message.
const IDLE: Duration = Duration::from_millis(1);

/// Polls in a row that found nothing.
#[derive(Default)]
pub(crate) struct Polls {
    /// On a core of its own.
    ladder: Option<Ladder>,
    /// On a contended one.
    series: Option<Series>,
    /// Whether the spin of the series that has ended last was futile, until that is noted.
    futile: Option<bool>,
}

/// Empty polls on a contended core, in bursts.
struct Series {
    began: Instant,
    /// When the burst began.
    since: Instant,
    /// Polls of the burst so far.
    polls: u32,
    spin: ContendedSpin,
}

/// The spin of a wait on a contended core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContendedSpin {
    /// The core is not contended, nothing was waited for yet, or there is no spin.
    Unknown,
    /// Under way; with the wait's last look at the clock, if there was one.
    Begun(Option<Instant>),
    /// It ended before anything arrived.
    Ended,
}

impl ContendedSpin {
    /// Returns the state after a step of a wait.
    #[inline]
    pub(crate) fn after(self, step: Step, ladder: &Ladder) -> ContendedSpin {
        match (step, self) {
            _ if !ladder.spins() => ContendedSpin::Unknown,
            (Step::Spin, ContendedSpin::Ended) => ContendedSpin::Ended,
            (Step::Spin, _) => ContendedSpin::Begun(ladder.looked()),
            (Step::Yield | Step::Sleep, _) => ContendedSpin::Ended,
        }
    }

    /// Records the result at the end of a wait.
    #[inline]
    pub(crate) fn note(self, contention: &Contention) {
        if let Some(futile) = self.is_futile() {
            contention.note_spin(futile);
        }
    }

    /// Whether it was futile, where a message comes now: it is over, or somebody else had the core.
    /// `None` where there was no spin.
    #[inline]
    fn is_futile(self) -> Option<bool> {
        match self {
            ContendedSpin::Unknown => None,
            ContendedSpin::Begun(looked) => Some(looked.is_some_and(sync::was_away_since)),
            ContendedSpin::Ended => Some(true),
        }
    }
}

impl Polls {
    /// Begins anew: something happened, or a yield has shown that nobody else wants the core.
    #[inline]
    pub(crate) fn restart(&mut self) {
        if let Some(series) = self.series.take() {
            self.futile = series.spin.is_futile();
        }
        self.ladder = None;
    }

    /// Returns what to do after an empty poll, before the call returns.
    #[inline]
    pub(crate) fn step(&mut self, contention: &Contention) -> Step {
        if !contention.is_contended() {
            self.series = None;
            let begin = || Ladder::new(contention.patience());
            return self.ladder.get_or_insert_with(begin).step();
        }
        self.ladder = None;
        if let Some(futile) = self.futile.take() {
            contention.note_spin(futile);
        }
        let series = self
            .series
            .get_or_insert_with(|| Series::begin(Instant::now()));
        series.polls += 1;
        match series.polls.is_multiple_of(POLLS_PER_LOOK) {
            true => {
                let spin = contention.patience().spin;
                series.look(Instant::now(), spin, contention.may_yield())
            }
            false => Step::Spin,
        }
    }

    /// Begins the next burst, after the core was left to others.
    pub(crate) fn begin_burst(&mut self) {
        if let Some(series) = &mut self.series {
            series.begin_burst(Instant::now());
        }
    }
}

impl Series {
    fn begin(now: Instant) -> Series {
        Series {
            began: now,
            since: now,
            polls: 0,
            spin: ContendedSpin::Unknown,
        }
    }

    fn begin_burst(&mut self, now: Instant) {
        (self.since, self.polls) = (now, 0);
    }

    /// Returns what to do after a poll, at the end of a burst or on the way. A series of rapid
    /// polls spins for up to `spin` first.
    #[cold]
    fn look(&mut self, now: Instant, spin: Duration, may_yield: bool) -> Step {
        let (polls, taken) = (self.polls, now - self.since);
        let has_begun = matches!(self.spin, ContendedSpin::Begun(_));
        let is_rapid = taken <= polls * RAPID || has_begun;
        let lasted = now - self.began;
        if is_rapid && lasted < spin {
            self.spin = ContendedSpin::Begun(Some(now));
            return Step::Spin;
        }
        if has_begun {
            self.spin = ContendedSpin::Ended;
        }
        if polls < BURST && taken < BURST_TIME {
            return Step::Spin;
        }
        self.begin_burst(now);
        let is_idle = !may_yield || lasted >= IDLE;
        match is_idle && is_rapid {
            true => Step::Sleep,
            false if may_yield => Step::Yield,
            false => Step::Spin,
        }
    }
}

#[cfg(test)]
mod tests {
    use sync::Patience;

    use super::*;

    #[test]
    fn polls_on_a_core_of_its_own_spin_and_those_on_a_crowded_node_yield_after_a_burst() {
        for ((ranks, cores), first) in [((2, 2), Step::Spin), ((8, 2), Step::Yield)] {
            let contention = Contention::new(Patience::measure(ranks, cores));
            let mut polls = Polls::default();
            for _ in 0..2 {
                let steps: Vec<Step> = (0..BURST).map(|_| polls.step(&contention)).collect();
                assert!(steps.contains(&first), "{steps:?}");
                assert!(steps[..POLLS_PER_LOOK as usize - 1]
                    .iter()
                    .all(|step| *step == Step::Spin));
                polls.restart();
            }
        }
    }

    /// Returns what follows each of `bursts` bursts whose polls are `apart`.
    fn after_bursts(bursts: u32, apart: Duration, may_yield: bool) -> Vec<Step> {
        let mut now = Instant::now();
        let mut series = Series::begin(now);
        let mut steps = vec![];
        while steps.len() < bursts as usize {
            now += apart;
            series.polls += 1;
            if !series.polls.is_multiple_of(POLLS_PER_LOOK) {
                continue;
            }
            let step = series.look(now, Duration::ZERO, may_yield);
            if series.polls == 0 {
                steps.push(step);
            }
        }
        steps
    }

    #[test]
    fn bursts_end_in_yields_and_in_sleeps_once_nothing_has_come_for_long() {
        let apart = Duration::from_nanos(100);
        let idle_after = (IDLE.as_nanos() / (apart * BURST).as_nanos()) as u32;
        let steps = after_bursts(idle_after + 3, apart, true);
        let yields = steps.iter().take_while(|step| **step == Step::Yield);
        assert!(yields.count().abs_diff(idle_after as usize) <= 1);
        assert_eq!(steps.last(), Some(&Step::Sleep));
        assert!(after_bursts(3, apart, false)
            .iter()
            .all(|step| *step == Step::Sleep));
    }

    #[test]
    fn an_application_that_works_between_its_polls_never_sleeps() {
        for (may_yield, step) in [(true, Step::Yield), (false, Step::Spin)] {
            let steps = after_bursts(500, 2 * RAPID, may_yield);
            assert!(steps.iter().all(|seen| *seen == step));
        }
    }

    #[test]
    fn rapid_polls_spin_first_where_that_pays() {
        let (spin, apart) = (3 * IDLE, Duration::from_nanos(100));
        let mut now = Instant::now();
        let mut series = Series::begin(now);
        let steps = spin.as_nanos() / (apart * POLLS_PER_LOOK).as_nanos();
        for _ in 0..steps - 1 {
            now += apart * POLLS_PER_LOOK;
            series.polls += POLLS_PER_LOOK;
            assert!(series.look(now, spin, true) == Step::Spin);
            assert_eq!(series.spin, ContendedSpin::Begun(Some(now)));
        }
        assert_eq!(series.spin.is_futile(), Some(false));
        assert_eq!(series.look(now + spin, spin, true), Step::Sleep);
        assert_eq!(series.spin.is_futile(), Some(true));
    }

    #[test]
    fn a_spin_that_ends_before_anything_comes_is_over() {
        let contention = Contention::new(Patience::measure(2, 2));
        let ladder = Ladder::new(contention.patience());
        let after = |steps: &[Step]| {
            let begin = ContendedSpin::Unknown;
            let states = steps.iter();
            states.fold(begin, |spin, step| spin.after(*step, &ladder))
        };
        assert_eq!(after(&[]), ContendedSpin::Unknown);
        let begun = ContendedSpin::Begun(None);
        assert_eq!(after(&[Step::Spin, Step::Spin]), begun);
        let ended = after(&[Step::Spin, Step::Yield, Step::Spin]);
        assert_eq!(ended, ContendedSpin::Ended);
        let crowded = Ladder::new(Patience::measure(8, 2));
        assert_eq!(begun.after(Step::Spin, &crowded), ContendedSpin::Unknown);
    }
}
