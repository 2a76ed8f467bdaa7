//! Events of the library for tools: rare, and worth a callback of MPI_T.
//!
//! [`raise`] queues an event, from inside the engine or not, until a call of MPI is about to
//! return, when tools may be called ([`take`]). While no tool listens ([`enable`]), raising costs
//! one load. Events belong to the process, as a log does: transports, collectives and copies know
//! nothing of the listeners, and need no path to them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Mutex, PeerId};

/// An event for tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolEvent {
    /// The connection with a process has broken and was made again.
    ConnectedAgain(PeerId),
    /// A collective over messages goes by another algorithm than the last of its kind.
    AlgorithmChosen(Algorithm),
    /// A mechanism that has served, of this name, is not used any more.
    GivenUp(&'static str),
}

/// The choice of an algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Algorithm {
    /// The parameter that forces the algorithm of this collective.
    pub parameter: &'static str,
    /// The value of the parameter that would force this one.
    pub word: &'static str,
    /// The processes of the communicator.
    pub ranks: u32,
    /// The bytes that the rules count for it.
    pub bytes: usize,
}

/// Most events that wait to be taken; of more the oldest are dropped.
const PENDING_MAX: usize = 256;

static PENDING: Pending = Pending {
    is_enabled: AtomicBool::new(false),
    is_waiting: AtomicBool::new(false),
    state: Mutex::new(State {
        waiting: VecDeque::new(),
        dropped: 0,
        algorithms: BTreeMap::new(),
    }),
};

struct Pending {
    is_enabled: AtomicBool,
    is_waiting: AtomicBool,
    state: Mutex<State>,
}

struct State {
    waiting: VecDeque<ToolEvent>,
    dropped: u64,
    /// The algorithm that each collective went by last, by parameter.
    algorithms: BTreeMap<&'static str, &'static str>,
}

/// Declares whether a tool listens.
pub fn enable(is_enabled: bool) {
    let mut state = PENDING.state.lock();
    if is_enabled != PENDING.is_enabled.load(Ordering::Relaxed) {
        state.waiting.clear();
        state.algorithms.clear();
    }
    PENDING.is_enabled.store(is_enabled, Ordering::Relaxed);
}

/// Raises an event, if there is one, while a tool listens.
#[inline]
pub fn raise<N: Into<Option<ToolEvent>>>(event: impl FnOnce() -> N) {
    if PENDING.is_enabled.load(Ordering::Relaxed) {
        if let Some(event) = event().into() {
            keep(event);
        }
    }
}

#[cold]
fn keep(event: ToolEvent) {
    let mut state = PENDING.state.lock();
    if let ToolEvent::AlgorithmChosen(Algorithm {
        parameter, word, ..
    }) = event
    {
        if state.algorithms.insert(parameter, word) == Some(word) {
            return;
        }
    }
    if state.waiting.len() == PENDING_MAX {
        state.waiting.pop_front();
        state.dropped += 1;
    }
    state.waiting.push_back(event);
    // No order is needed: whoever takes them takes the lock.
    PENDING.is_waiting.store(true, Ordering::Relaxed);
}

/// Takes the events since the last time, in their order, and the number of older events dropped.
#[inline]
pub fn take() -> (Vec<ToolEvent>, u64) {
    match PENDING.is_waiting.load(Ordering::Relaxed) {
        true => take_waiting(),
        false => (Vec::new(), 0),
    }
}

#[cold]
fn take_waiting() -> (Vec<ToolEvent>, u64) {
    let mut state = PENDING.state.lock();
    PENDING.is_waiting.store(false, Ordering::Relaxed);
    let dropped = std::mem::take(&mut state.dropped);
    (state.waiting.drain(..).collect(), dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test only: the queue belongs to the process.
    #[test]
    fn events_wait_in_their_order_while_a_tool_listens() {
        let chosen = |word, bytes| {
            ToolEvent::AlgorithmChosen(Algorithm {
                parameter: "coll_x_algorithm",
                word,
                ranks: 2,
                bytes,
            })
        };
        raise(|| -> ToolEvent { unreachable!("no tool listens") });
        assert_eq!(take(), (vec![], 0));
        enable(true);
        for event in [chosen("ring", 1), chosen("ring", 2), chosen("tree", 3)] {
            raise(|| event);
        }
        raise(|| ToolEvent::GivenUp("cma"));
        let all = vec![
            chosen("ring", 1),
            chosen("tree", 3),
            ToolEvent::GivenUp("cma"),
        ];
        assert_eq!(take(), (all, 0));
        for peer in 0..PENDING_MAX as u32 + 3 {
            raise(|| ToolEvent::ConnectedAgain(PeerId(peer)));
        }
        let (waiting, dropped) = take();
        assert_eq!((waiting.len(), dropped), (PENDING_MAX, 3));
        assert_eq!(waiting[0], ToolEvent::ConnectedAgain(PeerId(3)));
        raise(|| chosen("tree", 3));
        enable(false);
        enable(true);
        raise(|| chosen("tree", 3));
        assert_eq!(
            take().0,
            [chosen("tree", 3)],
            "events of earlier listeners are forgotten"
        );
        enable(false);
    }
}
