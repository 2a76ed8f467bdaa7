//! News: what happens rarely in the library and is worth telling a tool.
//!
//! Whoever learns of it tells it ([`tell`]), from inside the engine or not; it lies here until a
//! call of MPI is about to return, when tools may be called ([`take`]). While no tool listens
//! ([`want`]) telling costs one load. News belong to the process, as a log does: transports,
//! collectives and copies know nothing of who listens, and need no way to it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Mutex, PeerId};

/// Something that has happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// A connection with a process has broken, and there is one again.
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

/// News that wait to be taken; of more the oldest are dropped.
const WAITING_MAX: usize = 256;

static BOARD: Board = Board {
    is_wanted: AtomicBool::new(false),
    is_waiting: AtomicBool::new(false),
    state: Mutex::new(State {
        waiting: VecDeque::new(),
        dropped: 0,
        algorithms: BTreeMap::new(),
    }),
};

struct Board {
    is_wanted: AtomicBool,
    is_waiting: AtomicBool,
    state: Mutex<State>,
}

struct State {
    waiting: VecDeque<News>,
    dropped: u64,
    /// The algorithm that each collective went by last, by parameter.
    algorithms: BTreeMap<&'static str, &'static str>,
}

/// Says whether anybody listens.
pub fn want(is_wanted: bool) {
    let mut state = BOARD.state.lock();
    if is_wanted != BOARD.is_wanted.load(Ordering::Relaxed) {
        state.waiting.clear();
        state.algorithms.clear();
    }
    BOARD.is_wanted.store(is_wanted, Ordering::Relaxed);
}

/// Tells what has happened, if anything, where somebody listens.
#[inline]
pub fn tell<N: Into<Option<News>>>(news: impl FnOnce() -> N) {
    if BOARD.is_wanted.load(Ordering::Relaxed) {
        if let Some(news) = news().into() {
            keep(news);
        }
    }
}

#[cold]
fn keep(news: News) {
    let mut state = BOARD.state.lock();
    if let News::AlgorithmChosen(Algorithm {
        parameter, word, ..
    }) = news
    {
        if state.algorithms.insert(parameter, word) == Some(word) {
            return;
        }
    }
    if state.waiting.len() == WAITING_MAX {
        state.waiting.pop_front();
        state.dropped += 1;
    }
    state.waiting.push_back(news);
    // No order is needed: whoever takes them takes the lock.
    BOARD.is_waiting.store(true, Ordering::Relaxed);
}

/// Takes what has happened since the last time, in its order, and how many older news were dropped.
#[inline]
pub fn take() -> (Vec<News>, u64) {
    match BOARD.is_waiting.load(Ordering::Relaxed) {
        true => take_waiting(),
        false => (Vec::new(), 0),
    }
}

#[cold]
fn take_waiting() -> (Vec<News>, u64) {
    let mut state = BOARD.state.lock();
    BOARD.is_waiting.store(false, Ordering::Relaxed);
    let dropped = std::mem::take(&mut state.dropped);
    (state.waiting.drain(..).collect(), dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test: the board is the process's.
    #[test]
    fn news_wait_in_their_order_while_somebody_listens() {
        let chosen = |word, bytes| {
            News::AlgorithmChosen(Algorithm {
                parameter: "coll_x_algorithm",
                word,
                ranks: 2,
                bytes,
            })
        };
        tell(|| -> News { unreachable!("nobody listens") });
        assert_eq!(take(), (vec![], 0));
        want(true);
        for news in [chosen("ring", 1), chosen("ring", 2), chosen("tree", 3)] {
            tell(|| news);
        }
        tell(|| News::GivenUp("cma"));
        let all = vec![chosen("ring", 1), chosen("tree", 3), News::GivenUp("cma")];
        assert_eq!(take(), (all, 0));
        for peer in 0..WAITING_MAX as u32 + 3 {
            tell(|| News::ConnectedAgain(PeerId(peer)));
        }
        let (waiting, dropped) = take();
        assert_eq!((waiting.len(), dropped), (WAITING_MAX, 3));
        assert_eq!(waiting[0], News::ConnectedAgain(PeerId(3)));
        tell(|| chosen("tree", 3));
        want(false);
        want(true);
        tell(|| chosen("tree", 3));
        assert_eq!(take().0, [chosen("tree", 3)], "what was told to others");
        want(false);
    }
}
