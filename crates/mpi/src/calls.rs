//! Pending non-blocking collectives, which every wait of the process also advances.
//!
//! Those that go through shared memory are in sequences ([`coll_sm::sequence`]), which are polled
//! as long as a call is under way in them.
//!
//! A call by messages has a number that its messages are started with. When one of them ends, the
//! point-to-point layer reports the number, and that call goes on; so a waiting call costs nothing,
//! and many calls take a time that grows with their number.
//!
//! Where nothing moves, the oldest call of a communicator checks whether its messages will come
//! ([`Call::look_around`]), of one communicator after the other. Those behind it come later on all
//! ranks, so what is wrong with them shows once they are the oldest.
//!
//! Where messages are logged so that a rank can be started again, calls of a communicator go one
//! after the other, those that block behind those that were started before: its messages to each
//! rank are in an order that does not depend on time then, and its next life sends them in that
//! order, too. All ranks start them in one order, so none waits for a rank that waits for it.

use base::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use engine::Engine;
use pml::Pml;

use crate::call::{Call, CallStorage, Planes};
use coll_sm::sequence::Progress;

/// Bits of a number's count. The bits above them hold the communicator's slot.
const COUNT_BITS: u32 = 40;
/// Storages of calls that are over which are kept for the next ones. Each has the scratch memory of
/// a call, whose pages the system would have to clear again.
const STORAGES_MAX: usize = 2;
/// Marks the numbers of exchanges beside the calls of the program ([`crate::agreement`]): those
/// calls do not wait for them, and nobody waits for what they wait for.
const ASIDE: u64 = 1 << 63;

/// A sequence that waits poll.
pub(crate) trait Polled: Send + Sync {
    /// Polls the sequence once.
    fn advance(&self) -> Progress;
    /// Ends the polls, unless a call has come in the meantime. Whether they are ended.
    fn retire(&self) -> bool;
    /// Announces that this process sleeps, to those that it may have to wake for.
    fn announce_sleep(&self);
    /// Ends what [`Polled::announce_sleep`] began.
    fn end_sleep(&self);
    /// Whether a call on these planes is under way.
    fn has_any(&self, planes: Planes) -> bool;
}

/// The calls of a process.
#[derive(Default)]
pub(crate) struct Calls {
    /// Calls of a communicator proceed one after the other.
    ordered: bool,
    state: Mutex<PendingCalls>,
    /// Number of calls under way.
    len: AtomicUsize,
    /// Storages of calls that are over.
    storages: Mutex<Vec<CallStorage>>,
    /// The sequences in which a call may be under way.
    sequences: Mutex<Vec<Arc<dyn Polled>>>,
    /// Number of these sequences.
    polled: AtomicUsize,
}

#[derive(Default)]
struct PendingCalls {
    /// Calls by number: those of a communicator follow each other, the oldest first.
    under_way: BTreeMap<u64, Arc<Mutex<Call>>>,
    /// Calls that have to continue, and that another thread held.
    due: Vec<u64>,
    /// Number of calls begun.
    begun: u64,
    /// Start of the search for the next call to check.
    turn: u64,
}

impl Calls {
    /// Returns no calls. Where they are `ordered`, those of a communicator go one after the other.
    pub(crate) fn new(ordered: bool) -> Calls {
        Calls {
            ordered,
            ..Calls::default()
        }
    }

    /// Whether a call that blocks has to wait for those of its communicator that were started.
    pub(crate) fn are_ordered(&self) -> bool {
        self.ordered && self.len.load(Ordering::Relaxed) != 0
    }

    /// Takes on a call and lets it begin.
    pub(crate) fn begin(&self, engine: &Engine, planes: Planes, call: Call) -> Arc<Mutex<Call>> {
        let mut state = self.state.lock();
        let place = (planes.local.key().index() as u64) << COUNT_BITS;
        let place = if call.is_aside() {
            place | ASIDE
        } else {
            place
        };
        let number = place | (state.begun % (1 << COUNT_BITS));
        state.begun += 1;
        let call = Arc::new(Mutex::new(call.owned_by(number)));
        // No other thread has it yet; one that is notified of its messages finds it taken.
        let mut begun = call.lock();
        let waits = self.ordered && state.under_way.range(place..number).next().is_some();
        state.under_way.insert(number, call.clone());
        self.len.store(state.under_way.len(), Ordering::Relaxed);
        drop(state);
        if !waits {
            begun.advance(engine);
        }
        if begun.is_over() {
            self.end(number, &mut begun);
        }
        drop(begun);
        call
    }

    /// Whether any call of a communicator is under way.
    pub(crate) fn has_any(&self, planes: Planes) -> bool {
        let place = (planes.local.key().index() as u64) << COUNT_BITS;
        let state = self.state.lock();
        let mut own = state.under_way.range(place..place + (1 << COUNT_BITS));
        if own.next().is_some() {
            return true;
        }
        drop(state);
        let in_sequences = self.sequences.lock().clone();
        in_sequences.iter().any(|sequence| sequence.has_any(planes))
    }

    /// Adds a sequence to those that waits poll.
    pub(crate) fn poll(&self, sequence: Arc<dyn Polled>) {
        let mut sequences = self.sequences.lock();
        sequences.push(sequence);
        self.polled.store(sequences.len(), Ordering::Relaxed);
    }

    /// Continues every call whose messages have ended or whose data is there. Returns whether one
    /// was continued.
    #[inline]
    pub(crate) fn advance(&self, engine: &Engine) -> bool {
        let by_messages = self.len.load(Ordering::Relaxed) != 0 && self.advance_some(engine);
        let in_memory = self.polled.load(Ordering::Relaxed) != 0 && self.advance_sequences();
        by_messages | in_memory
    }

    /// Polls every sequence. Whether a call completed.
    #[cold]
    fn advance_sequences(&self) -> bool {
        let mut happened = false;
        self.each_sequence(|sequence| {
            let progress = sequence.advance();
            happened |= progress == Progress::Some;
            progress != Progress::Idle
        });
        happened
    }

    /// Calls `visit` for every sequence. One for which it returns false is polled no more, unless a
    /// call has come in the meantime.
    fn each_sequence(&self, mut visit: impl FnMut(&dyn Polled) -> bool) {
        let mut at = 0;
        loop {
            // Nothing is locked while operators of the application run.
            let Some(sequence) = self.sequences.lock().get(at).cloned() else {
                return;
            };
            if visit(&*sequence) {
                at += 1;
                continue;
            }
            let mut sequences = self.sequences.lock();
            let found = sequences.iter().position(|one| Arc::ptr_eq(one, &sequence));
            match found {
                Some(found) if sequence.retire() => _ = sequences.swap_remove(found),
                _ => at += 1,
            }
            self.polled.store(sequences.len(), Ordering::Relaxed);
        }
    }

    /// Announces, before a sleep and after it, that the process sleeps, to those that it may have
    /// to wake for. Calls go on once more in between.
    #[inline]
    pub(crate) fn announce_sleep(&self, engine: &Engine, asleep: bool) {
        if self.polled.load(Ordering::Relaxed) != 0 {
            self.announce_in_sequences(engine, asleep);
        }
    }

    #[cold]
    fn announce_in_sequences(&self, engine: &Engine, asleep: bool) {
        self.each_sequence(|sequence| {
            match asleep {
                true => sequence.announce_sleep(),
                false => sequence.end_sleep(),
            }
            true
        });
        if asleep {
            self.advance(engine);
        }
    }

    #[cold]
    fn advance_some(&self, engine: &Engine) -> bool {
        let due = self.take_due(engine);
        if due.is_empty() {
            return self.look_around(engine);
        }
        for number in due {
            self.advance_one(engine, number, |_| true);
        }
        true
    }

    /// Continues calls whose messages have ended, from a thread that is not the application's: none
    /// that runs a user-defined operator. Returns whether one was continued.
    pub(crate) fn advance_for_others(&self, engine: &Engine) -> bool {
        if !self.has_messages() {
            return false;
        }
        let due = self.take_due(engine).into_iter();
        let advance = |number| self.advance_one(engine, number, |call| !call.runs_user_code());
        due.map(advance).filter(|advanced| *advanced).count() > 0
    }

    /// Whether any call is under way that is made of messages.
    pub(crate) fn has_messages(&self) -> bool {
        self.len.load(Ordering::Relaxed) != 0
    }

    /// Takes the numbers of the calls that have to continue, so that nothing is locked while
    /// operators of the application run.
    fn take_due(&self, engine: &Engine) -> Vec<u64> {
        let mut due = std::mem::take(&mut self.state.lock().due);
        engine.enter().take_ended(&mut due);
        due.sort_unstable();
        due.dedup();
        due
    }

    /// Continues a call if `may` says so. One that is not continued stays due.
    fn advance_one(&self, engine: &Engine, number: u64, may: impl Fn(&Call) -> bool) -> bool {
        let call = self.state.lock().under_way.get(&number).cloned();
        let Some(call) = call else { return false };
        // A thread that has it may have seen its messages before this one ended.
        let Some(mut call) = call.try_lock().filter(|call| may(call)) else {
            self.state.lock().due.push(number);
            return false;
        };
        call.advance(engine);
        if call.is_over() {
            self.end(number, &mut call);
        }
        true
    }

    /// Lets the oldest call of the next communicator check its messages. Returns whether that ended
    /// it.
    fn look_around(&self, engine: &Engine) -> bool {
        let mut state = self.state.lock();
        let PendingCalls {
            under_way, turn, ..
        } = &mut *state;
        let mut calls = under_way.range(*turn..ASIDE);
        let next = calls.next().or(under_way.range(..ASIDE).next());
        let Some((&number, call)) = next else {
            return false;
        };
        *turn = ((number >> COUNT_BITS) + 1) << COUNT_BITS;
        let call = call.clone();
        drop(state);
        let Some(mut call) = call.try_lock() else {
            return false;
        };
        let ended = call.look_around(engine);
        if ended {
            self.end(number, &mut call);
        }
        ended
    }

    /// Gives up what is beside the calls of the program.
    pub(crate) fn abandon_aside(&self, engine: &Engine) {
        let state = self.state.lock();
        let aside: Vec<_> = state
            .under_way
            .range(ASIDE..)
            .map(|(number, call)| (*number, call.clone()))
            .collect();
        drop(state);
        for (number, call) in aside {
            let mut call = call.lock();
            call.abandon(engine);
            self.end(number, &mut call);
        }
    }

    /// Returns storage for the next call.
    pub(crate) fn storage(&self) -> CallStorage {
        self.storages.lock().pop().unwrap_or_default()
    }

    /// Ends a call that is over.
    fn end(&self, number: u64, call: &mut Call) {
        if let Some(storage) = call.take_storage() {
            let mut storages = self.storages.lock();
            if storages.len() < STORAGES_MAX {
                storages.push(storage);
            }
        }
        let mut state = self.state.lock();
        state.under_way.remove(&number);
        self.len.store(state.under_way.len(), Ordering::Relaxed);
        if self.ordered {
            let place = number >> COUNT_BITS;
            let next = state
                .under_way
                .range(number..)
                .next()
                .map(|(next, _)| *next);
            state
                .due
                .extend(next.filter(|next| next >> COUNT_BITS == place));
        }
    }
}
