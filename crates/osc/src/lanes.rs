//! Acts of lanes, without the target's help: the steps that are due, and flushes.
//!
//! Accesses of lanes are counted beside those that go by messages, and synchronisation waits for
//! both: a lane's part first, since the release of a lock, or the control message that ends an
//! epoch, must not arrive before the bytes.

use base::{PeerId, Rank};

use crate::operation::{LaneStep, OpId, State};
use crate::{Error, Osc, WindowId};

impl Osc {
    /// Whether steps of accumulates are due.
    #[inline]
    pub fn has_steps(&self) -> bool {
        !self.steps.due.is_empty()
    }

    /// Returns how many steps are due, at most.
    pub fn steps(&self) -> usize {
        self.steps.due.len()
    }

    /// Returns the next step that is due. The caller hands it to the lane and reports its end
    /// ([`Osc::lane_done`], [`Osc::lane_failed`]), or hands it back ([`Osc::step_busy`]).
    pub fn next_step(&mut self) -> Option<LaneStep> {
        loop {
            let key = self.steps.due.pop_front()?;
            let Some(known) = self.operations.get(key) else {
                continue;
            };
            let State::Steps(steps) = &known.state else {
                continue;
            };
            let course = &steps.course;
            return Some(LaneStep {
                operation: OpId(key),
                window: known.window,
                target: known.target,
                peer: known.peer,
                offset: course.word.offset,
                atomic: course.atomic,
                result: course.result.part(0, course.word.width.bytes()),
            });
        }
    }

    /// Makes a step due again, behind the others: its lane was too busy.
    pub fn step_busy(&mut self, operation: OpId) {
        self.steps.due.push_back(operation.0);
    }

    /// Has the lane's accesses to a target flushed, where there are any; returns whether a flush is
    /// under way. See [`Osc::unflushed`].
    pub(crate) fn begin_flush_lane(&mut self, window: WindowId, rank: Rank) -> bool {
        let target = self.window(window).target(rank);
        let busy = target.on_lane > 0;
        if target.flush.begun(busy) {
            self.unflushed.push((window, rank));
            self.flush_due = true;
        }
        self.window(window).target(rank).flush.is_under_way()
    }

    /// Whether lanes are to be flushed, and some of them may be by now.
    #[inline]
    pub fn has_unflushed(&self) -> bool {
        self.flush_due
    }

    /// Whether anything waits for a lane's flush.
    pub fn awaits_flush(&self) -> bool {
        !self.unflushed.is_empty()
    }

    /// Records that all lanes to be flushed wait for pieces: [`Osc::has_unflushed`] is false until
    /// one has ended, so that a waiter need not test again and again.
    pub fn await_pieces(&mut self) {
        self.flush_due = false;
    }

    /// Returns the `at`th target whose lane is to be flushed and has done all its pieces;
    /// [`Osc::flushed`] reports its flush.
    pub fn unflushed(&self, at: usize) -> Option<(WindowId, Rank, PeerId)> {
        let due = |&(window, rank): &(WindowId, Rank)| {
            let state = self.windows.get(window.0)?;
            let target = &state.targets[rank.index()];
            (target.on_lane == 0).then_some((window, rank, target.peer))
        };
        self.unflushed.iter().filter_map(due).nth(at)
    }

    /// Records that everything that a lane did at a target is there; or cannot be, with why.
    pub fn flushed(&mut self, window: WindowId, rank: Rank, outcome: Result<(), String>) {
        self.unflushed.retain(|due| *due != (window, rank));
        self.flush_due = !self.unflushed.is_empty();
        let Some(state) = self.windows.get_mut(window.0) else {
            return;
        };
        let target = state.target(rank);
        let then_unlock = target.flush.flushed();
        if let Err(why) = outcome {
            let peer = target.peer;
            target.note(Error::PeerFailed { peer, why });
        }
        if then_unlock {
            self.send_unlock(window, rank);
        }
    }
}
