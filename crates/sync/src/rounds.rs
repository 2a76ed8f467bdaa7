//! Rounds: exchange of data among the members of a group through shared memory, in step.
//!
//! Every member has a few slots that only it writes and all others read. A *round* uses slot
//! `round % depth` of each member that shows something in it: the owner fills the slot and then
//! sets its mark to `round + 1`. All members count rounds alike, so the mark says that the slot is
//! filled, and for which round. A member publishes how far it has *passed*: it will read no slot of
//! an earlier round any more. An owner fills a slot again only when all members have passed the
//! round that the slot was last used in.
//!
//! ```text
//! owner                                 reader
//! may_fill(round)   passed >= round - depth + 1, by all
//! fill the slot
//! show(round)       mark = round + 1 (Release)
//!                                       shows(owner, round)    mark == round + 1 (Acquire)
//!                                       read the slot
//!                                       pass(round)            passed = round + 1 (Release)
//! ```
//!
//! A member publishes its progress only at every half of its slots: an owner that is ahead polls
//! that word, and each write makes its line travel twice. So a member must not show rounds more
//! than half of the slots beyond what it has passed itself, or all would wait for progress that
//! no member publishes.
//!
//! Where every member waits for all others anyway, progress need not be read: a member that has
//! seen all marks of round n, which the others set after their last read of earlier rounds, knows
//! that all have passed these ([`RoundProgress::all_passed`]). So a barrier costs one line of
//! traffic per pair.
//!
//! Marks and counts of other members are untrusted: they are compared and never used as an index. A
//! mark beyond the awaited round is [`Corrupt`].

use crate::atomic::{AtomicU64, Ordering};

/// The words of all members.
///
/// # Safety
/// `mark(member, slot)` and `passed(member)` give the same word to all members for the same
/// numbers, different words for different numbers, all zero at first and used for nothing else.
pub unsafe trait Board {
    /// How many members there are.
    fn members(&self) -> u32;
    /// How many slots each member has; a power of two, at least 2.
    fn depth(&self) -> u64;
    /// The mark of a slot; `member` is below `members`, `slot` below `depth`.
    fn mark(&self, member: u32, slot: u64) -> &AtomicU64;
    /// How many rounds a member has passed.
    fn passed(&self, member: u32) -> &AtomicU64;
}

/// A member wrote an impossible value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Corrupt;

/// The progress of one member through the rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundProgress {
    me: u32,
    /// Rounds that all members are known to have passed.
    behind: u64,
    /// Rounds that this member has published as passed.
    published: u64,
}

impl RoundProgress {
    /// The beginning, for member `me`.
    pub fn new(me: u32) -> RoundProgress {
        RoundProgress {
            me,
            behind: 0,
            published: 0,
        }
    }

    /// Whether the own slot of `round` may be filled. If not, the member that is in the way.
    ///
    /// # Errors
    /// The member that has not passed the round that the slot was last used in.
    #[inline]
    pub fn may_fill(&mut self, board: &impl Board, round: u64) -> Result<(), u32> {
        if self.is_free(board, round) {
            return Ok(());
        }
        self.look_behind(board, round)
    }

    /// Whether the own slot of `round` may be filled, as far as is known without a look.
    #[inline]
    pub fn is_free(&self, board: &impl Board, round: u64) -> bool {
        round < self.behind + board.depth()
    }

    #[cold]
    fn look_behind(&mut self, board: &impl Board, round: u64) -> Result<(), u32> {
        let mut behind = round;
        for member in (0..board.members()).filter(|member| *member != self.me) {
            let passed = board.passed(member).load(Ordering::Acquire);
            if passed.saturating_add(board.depth()) <= round {
                return Err(member);
            }
            behind = behind.min(passed);
        }
        self.behind = self.behind.max(behind);
        Ok(())
    }

    /// Shows the own slot, which was filled for `round`.
    #[inline]
    pub fn show(&self, board: &impl Board, round: u64) {
        let slot = round & (board.depth() - 1);
        board
            .mark(self.me, slot)
            .store(round + 1, Ordering::Release);
    }

    /// Whether `member` shows its slot of `round`, a round that this member has not passed.
    ///
    /// # Errors
    /// When the member has gone on without waiting for this one, which only a broken one does.
    #[inline]
    pub fn shows(&self, board: &impl Board, member: u32, round: u64) -> Result<bool, Corrupt> {
        let slot = round & (board.depth() - 1);
        let mark = board.mark(member, slot).load(Ordering::Acquire);
        if mark > round + 1 {
            return Err(Corrupt);
        }
        Ok(mark == round + 1)
    }

    /// Notes that this member looks into no slot of `round` or an earlier one any more. Gives
    /// whether it published that.
    #[inline]
    pub fn pass(&mut self, board: &impl Board, round: u64) -> bool {
        let passed = round + 1;
        if passed < self.published + board.depth() / 2 {
            return false;
        }
        self.published = passed;
        board.passed(self.me).store(passed, Ordering::Release);
        true
    }

    /// Notes that all members have passed all rounds before `round`: each has shown something,
    /// directly or through others, that it showed only afterwards, and this member has seen it.
    #[inline]
    pub fn all_passed(&mut self, round: u64) {
        self.behind = self.behind.max(round);
    }
}
