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
}

/// Empty polls on a contended core, in bursts.
struct Series {
    began: Instant,
    /// When the burst began.
    since: Instant,
    /// Polls of the burst so far.
    polls: u32,
}

/// Whether a spin on a contended core brings what is waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BriefSpin {
    /// The core is not contended, nothing was waited for yet, or there is no spin.
    Unknown,
    /// Spinning.
    Begun,
    /// It ended before anything arrived.
    Failed,
}

impl BriefSpin {
    /// Returns the state after a step of a wait that spins briefly where `is_brief`.
    #[inline]
    pub(crate) fn after(self, step: Step, is_brief: bool) -> BriefSpin {
        match (step, self) {
            _ if !is_brief => BriefSpin::Unknown,
            (Step::Spin, BriefSpin::Unknown) => BriefSpin::Begun,
            (Step::Spin, now) => now,
            (Step::Yield | Step::Sleep, _) => BriefSpin::Failed,
        }
    }

    /// Records the result at the end of a wait.
    #[inline]
    pub(crate) fn note(self, contention: &Contention) {
        match self {
            BriefSpin::Unknown => {}
            BriefSpin::Begun => contention.note_spin(true),
            BriefSpin::Failed => contention.note_spin(false),
        }
    }
}

impl Polls {
    /// Begins anew: something happened, or a yield has shown that nobody else wants the core.
    #[inline]
    pub(crate) fn restart(&mut self) {
        (self.ladder, self.series) = (None, None);
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
        let series = self
            .series
            .get_or_insert_with(|| Series::begin(Instant::now()));
        series.polls += 1;
        match series.polls.is_multiple_of(POLLS_PER_LOOK) {
            true => series.look(Instant::now(), contention.may_yield()),
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
        }
    }

    fn begin_burst(&mut self, now: Instant) {
        (self.since, self.polls) = (now, 0);
    }

    /// Returns what to do after a poll, at the end of a burst or on the way.
    #[cold]
    fn look(&mut self, now: Instant, may_yield: bool) -> Step {
        let (polls, taken) = (self.polls, now - self.since);
        if polls < BURST && taken < BURST_TIME {
            return Step::Spin;
        }
        self.begin_burst(now);
        let is_idle = !may_yield || now - self.began >= IDLE;
        match is_idle && taken <= polls * RAPID {
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
            let step = series.look(now, may_yield);
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
    fn a_spin_that_ends_before_anything_comes_fails() {
        let after = |steps: &[Step]| {
            let mut spin = BriefSpin::Unknown;
            steps.iter().for_each(|step| spin = spin.after(*step, true));
            spin
        };
        assert!(after(&[]) == BriefSpin::Unknown);
        assert!(after(&[Step::Spin, Step::Spin]) == BriefSpin::Begun);
        assert!(after(&[Step::Spin, Step::Yield, Step::Spin]) == BriefSpin::Failed);
        assert!(BriefSpin::Unknown.after(Step::Spin, false) == BriefSpin::Unknown);
    }
}
