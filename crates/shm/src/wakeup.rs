//! Sleep and wake-up of the processes that share a segment.
//!
//! A sleeper announces its sleep in the segment and polls once more; a waker changes something and
//! then checks for sleepers. Either the waker sees the announcement or the sleeper sees the change,
//! if both sides order their store before their load. **The sleeper pays for that** with a barrier
//! on all cores (membarrier(2)); the waker's part is an instruction that the compiler must not
//! move. Where the kernel refuses a process its part in such barriers, all use fences
//! ([`WakeOrder`]).
//!
//! A process has one word to sleep on, and wakes by messages or by a doorbell, outside this module.
//! [`Sleepers`] records which members of a segment sleep, and for whose change.

use std::sync::atomic::{compiler_fence, fence, Ordering};

use sync::atomic::AtomicU32;
use sync::barrier;

/// The order between a sleeper's announcement and a waker's check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WakeOrder {
    fences: bool,
}

impl WakeOrder {
    /// Registers this process for the barriers of sleepers. Where the kernel refuses, fences take
    /// their place, which all other processes must then use, too.
    pub fn register() -> WakeOrder {
        let fences = !barrier::register();
        WakeOrder { fences }
    }

    /// Returns the order between processes, one of which needs fences if `fences`.
    pub fn between(fences: bool) -> WakeOrder {
        WakeOrder { fences }
    }

    /// Whether fences take the place of barriers.
    pub fn fences(self) -> bool {
        self.fences
    }

    /// Orders a sleeper's announcement before its last poll.
    pub fn before_last_poll(self) {
        match self.fences {
            true => fence(Ordering::SeqCst),
            false => barrier::expedited(),
        }
    }

    /// Orders a waker's change before its check for sleepers.
    #[inline]
    pub fn before_check(self) {
        match self.fences {
            true => fence(Ordering::SeqCst),
            // The sleeper's barrier binds the core, not the compiler.
            false => compiler_fence(Ordering::SeqCst),
        }
    }
}

/// The words that announce the sleepers of a segment to its members. All are 0 at first, and used
/// for nothing else.
pub trait Sleepers {
    /// Number of members.
    fn members(&self) -> u32;

    /// Number of members that sleep, or are about to.
    fn asleep(&self) -> &AtomicU32;

    /// One more than the member whose change `member` sleeps for; 0 while it is awake, and once it
    /// has been woken.
    fn awaited(&self, member: u32) -> &AtomicU32;

    /// Announces that `me` is about to sleep until `awaited` changes something. The caller polls
    /// once more before it sleeps.
    fn announce_sleep(&self, order: WakeOrder, me: u32, awaited: u32) {
        self.awaited(me).store(awaited + 1, Ordering::SeqCst);
        self.asleep().fetch_add(1, Ordering::SeqCst);
        order.before_last_poll();
    }

    /// Clears the announcement, after the sleep.
    fn end_sleep(&self, me: u32) {
        self.awaited(me).store(0, Ordering::Relaxed);
        self.asleep().fetch_sub(1, Ordering::Relaxed);
    }

    /// Wakes the members that sleep until `changed` changes something, after that change.
    #[inline]
    fn wake_sleepers(&self, order: WakeOrder, changed: u32, wake: impl FnMut(u32)) {
        order.before_check();
        if self.asleep().load(Ordering::Relaxed) != 0 {
            self.wake_each(changed, wake);
        }
    }

    /// Wakes each member that sleeps for `changed`, once.
    #[cold]
    #[inline(never)]
    fn wake_each(&self, changed: u32, mut wake: impl FnMut(u32)) {
        for member in 0..self.members() {
            let (awaited, name) = (self.awaited(member), changed + 1);
            // Most sleep for others: a comparison leaves their line where it is.
            let claim = |word: &AtomicU32| {
                word.compare_exchange(name, 0, Ordering::SeqCst, Ordering::Relaxed)
            };
            if awaited.load(Ordering::Relaxed) == name && claim(awaited).is_ok() {
                wake(member);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    #[derive(Default)]
    struct Board {
        asleep: AtomicU32,
        awaited: [AtomicU32; 4],
    }

    impl Sleepers for Board {
        fn members(&self) -> u32 {
            4
        }
        fn asleep(&self) -> &AtomicU32 {
            &self.asleep
        }
        fn awaited(&self, member: u32) -> &AtomicU32 {
            &self.awaited[member as usize]
        }
    }

    fn woken(board: &Board, changed: u32) -> Vec<u32> {
        let mut woken = Vec::new();
        board.wake_sleepers(WakeOrder::between(true), changed, |member| {
            woken.push(member)
        });
        woken
    }

    #[test]
    fn those_who_sleep_for_a_member_are_woken_once() {
        let (board, order) = (Board::default(), WakeOrder::between(true));
        assert_eq!(woken(&board, 2), [0; 0]);
        board.announce_sleep(order, 0, 2);
        board.announce_sleep(order, 1, 3);
        board.announce_sleep(order, 3, 2);
        assert_eq!(woken(&board, 2), [0, 3]);
        assert_eq!(woken(&board, 2), [0; 0], "they have been woken");
        assert_eq!(woken(&board, 3), [1]);
        (0..4)
            .filter(|member| *member != 2)
            .for_each(|member| board.end_sleep(member));
        assert_eq!(board.asleep.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn who_woke_up_by_itself_is_not_woken() {
        let (board, order) = (Board::default(), WakeOrder::between(true));
        board.announce_sleep(order, 0, 2);
        board.announce_sleep(order, 1, 2);
        board.end_sleep(0);
        assert_eq!(woken(&board, 2), [1]);
    }

    /// Two threads take turns, each asleep until the other has changed its number: a wake-up that
    /// is missed ends the test after the longest sleep.
    fn take_turns(order: WakeOrder) {
        const TURNS: u64 = 2000;
        const MISSED: Duration = Duration::from_secs(20);
        let (board, numbers) = (Board::default(), [AtomicU64::new(0), AtomicU64::new(0)]);
        let turn = |me: u32, other: &thread::Thread| {
            let (mine, theirs) = (&numbers[me as usize], &numbers[1 - me as usize]);
            for turn in 1..=TURNS {
                let is_due = || theirs.load(Ordering::Acquire) + u64::from(me == 0) >= turn;
                while !is_due() {
                    board.announce_sleep(order, me, 1 - me);
                    let before = Instant::now();
                    if !is_due() {
                        thread::park_timeout(MISSED);
                    }
                    board.end_sleep(me);
                    assert!(before.elapsed() < MISSED, "member {me} was not woken");
                }
                mine.store(turn, Ordering::Release);
                board.wake_sleepers(order, me, |_| other.unpark());
            }
        };
        thread::scope(|scope| {
            let (first, turn) = (thread::current(), &turn);
            let second = scope.spawn(move || turn(1, &first));
            turn(0, second.thread());
        });
    }

    #[test]
    fn no_wake_up_is_missed() {
        take_turns(WakeOrder::between(true));
        take_turns(WakeOrder::register());
    }
}
