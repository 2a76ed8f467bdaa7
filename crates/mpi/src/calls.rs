//! Pending non-blocking collectives, which every wait of the process also advances.
//!
//! A call has a number that its messages are started with. When one of them ends, the
//! point-to-point layer reports the number, and that call goes on; so a waiting call costs nothing,
//! and many calls take a time that grows with their number.
//!
//! Where nothing moves, the oldest call of a communicator checks whether its messages will come
//! ([`Call::look_around`]), of one communicator after the other. Those behind it come later on all
//! ranks, so what is wrong with them shows once they are the oldest.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use engine::Engine;
use pml::Pml;

use crate::call::{Call, Planes};
use crate::process::lock;

/// Bits of a number's count. The bits above them hold the communicator's slot.
const COUNT_BITS: u32 = 40;

/// The calls of a process.
#[derive(Default)]
pub(crate) struct Calls {
    state: Mutex<PendingCalls>,
    /// How many there are.
    len: AtomicUsize,
}

#[derive(Default)]
struct PendingCalls {
    /// By number: those of a communicator follow each other, the oldest first.
    under_way: BTreeMap<u64, Arc<Mutex<Call>>>,
    /// Calls that have to go on, and that another thread had.
    due: Vec<u64>,
    /// How many have begun.
    begun: u64,
    /// Where the search for the next call to check begins.
    turn: u64,
}

impl Calls {
    /// Takes on a call and lets it begin.
    pub(crate) fn begin(&self, engine: &Engine, planes: Planes, call: Call) -> Arc<Mutex<Call>> {
        let mut state = lock(&self.state);
        let place = (planes.local.key().index() as u64) << COUNT_BITS;
        let number = place | (state.begun % (1 << COUNT_BITS));
        state.begun += 1;
        let call = Arc::new(Mutex::new(call.owned_by(number)));
        // Nobody else has it yet. A thread that hears of its messages meanwhile finds it taken.
        let mut begun = lock(&call);
        state.under_way.insert(number, call.clone());
        self.len.store(state.under_way.len(), Ordering::Relaxed);
        drop(state);
        begun.advance(engine);
        if begun.is_over() {
            self.end(number);
        }
        drop(begun);
        call
    }

    /// Whether any call of a communicator is under way.
    pub(crate) fn has_any(&self, planes: Planes) -> bool {
        let place = (planes.local.key().index() as u64) << COUNT_BITS;
        let state = lock(&self.state);
        let mut own = state.under_way.range(place..place + (1 << COUNT_BITS));
        own.next().is_some()
    }

    /// Lets every call go on whose messages have ended. Whether one did.
    #[inline]
    pub(crate) fn advance(&self, engine: &Engine) -> bool {
        self.len.load(Ordering::Relaxed) != 0 && self.advance_some(engine)
    }

    #[cold]
    fn advance_some(&self, engine: &Engine) -> bool {
        // Taken out, so that nothing is locked while operators of the application run.
        let mut due = std::mem::take(&mut lock(&self.state).due);
        engine.enter().take_ended(&mut due);
        if due.is_empty() {
            return self.look_around(engine);
        }
        due.sort_unstable();
        due.dedup();
        for number in due {
            let call = lock(&self.state).under_way.get(&number).cloned();
            let Some(call) = call else { continue };
            let Ok(mut call) = call.try_lock() else {
                // Whoever has it may have seen its messages before this one ended.
                lock(&self.state).due.push(number);
                continue;
            };
            call.advance(engine);
            if call.is_over() {
                self.end(number);
            }
        }
        true
    }

    /// Has the oldest call of the next communicator check its messages. Returns whether that ended
    /// it.
    fn look_around(&self, engine: &Engine) -> bool {
        let mut state = lock(&self.state);
        let PendingCalls {
            under_way, turn, ..
        } = &mut *state;
        let next = under_way.range(*turn..).next().or(under_way.iter().next());
        let Some((&number, call)) = next else {
            return false;
        };
        *turn = ((number >> COUNT_BITS) + 1) << COUNT_BITS;
        let call = call.clone();
        drop(state);
        let Ok(mut call) = call.try_lock() else {
            return false;
        };
        let ended = call.look_around(engine);
        if ended {
            self.end(number);
        }
        ended
    }

    fn end(&self, number: u64) {
        let mut state = lock(&self.state);
        state.under_way.remove(&number);
        self.len.store(state.under_way.len(), Ordering::Relaxed);
    }
}
