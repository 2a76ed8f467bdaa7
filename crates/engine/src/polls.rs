//! Polls of calls that test and return, which also yield the core from time to time.
//!
//! An application that loops over `MPI_Test` waits just as in `MPI_Wait`. If it shares its core
//! with the peer that it waits for, each step of the exchange would take a slice of the scheduler.
//! So such calls climb the wait ladder ([`sync::Ladder`]), one step for each call. An application
//! that computes between its tests should not be delayed: it yields only where a yield is cheap,
//! and never sleeps.

use std::time::{Duration, Instant};

use sync::{Contention, Ladder, Step};

/// Two polls that are no further apart have no work of the application between them.
const RAPID: Duration = Duration::from_micros(5);

/// Polls in a row that found nothing.
#[derive(Default)]
pub(crate) struct Polls {
    series: Option<Series>,
    /// The end of the last poll that could have slept.
    last: Option<Instant>,
}

struct Series {
    ladder: Ladder,
    spin: BriefSpin,
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
    /// Restarts the ladder, since something happened.
    #[inline]
    pub(crate) fn restart(&mut self, contention: &Contention) {
        if let Some(series) = self.series.take() {
            series.spin.note(contention);
        }
    }

    /// Returns what to do after an empty poll, before the call returns.
    #[inline]
    pub(crate) fn step(&mut self, contention: &Contention) -> Step {
        let is_contended = contention.is_contended();
        let series = self.series.get_or_insert_with(|| Series {
            ladder: Ladder::new(contention.patience()),
            spin: BriefSpin::Unknown,
        });
        let step = series.ladder.step();
        series.spin = series.spin.after(step, is_contended);
        step
    }

    /// Restarts the ladder where a yield has shown that no other thread wants the core.
    pub(crate) fn restart_spin(&mut self) {
        self.series = None;
    }

    /// Notes the end of a poll that could have slept.
    pub(crate) fn could_have_slept(&mut self) {
        self.last = Some(Instant::now());
    }

    /// Returns whether the application did nothing else since the last poll that could have slept.
    pub(crate) fn are_rapid(&self) -> bool {
        self.last.is_some_and(|last| last.elapsed() <= RAPID)
    }
}

#[cfg(test)]
mod tests {
    use sync::Patience;

    use super::*;

    #[test]
    fn polls_on_a_core_of_its_own_spin_and_those_on_a_crowded_node_yield_at_once() {
        let (own, crowded) = ((2, 2), (8, 2));
        for ((ranks, cores), first) in [(own, Step::Spin), (crowded, Step::Yield)] {
            let contention = Contention::new(Patience::measure(ranks, cores));
            let mut polls = Polls::default();
            assert_eq!(polls.step(&contention), first);
            polls.restart(&contention);
            assert_eq!(polls.step(&contention), first);
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
