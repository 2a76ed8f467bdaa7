//! Sequences: started collectives that go through shared memory, each where it stands in its turn.
//!
//! All processes start the non-blocking calls of a communicator in one order, and so the starts of
//! one persistent request. Such calls are a *sequence*, with a segment of its own
//! ([`crate::Exchanges`]): it shares no slot with blocking calls or other sequences, so nothing
//! that was started and is not complete can keep others from going on.
//!
//! ```text
//! Untried   the first calls go by messages, as those of a communicator that makes few
//! Joining   the processes meet by messages; calls queue
//! Joined    calls queue, show their data as slots get free, and complete in order
//! Refused   a process has no shared memory: calls go by messages, those that queued as well
//! Broken    a process has died or called differently: calls fail
//! Off       there can be no shared memory
//! ```
//!
//! All processes count calls alike, so each call goes the same way everywhere. A call that is
//! short ([`crate::Settings::is_short`]) counts, all others go by messages.
//!
//! This module is the state machine; what it needs of a communicator is a [`StartedCall`].

use base::{Mutex, MutexGuard};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::task::Poll;

use crate::{Exchange, Exchanges, NodeCall};

/// A call that was started.
pub trait StartedCall {
    /// The call, made of messages.
    type ByMessages;
    /// Error of a call that failed.
    type Error: Clone;

    /// The arguments.
    fn node_call(&self) -> NodeCall<'_>;
    /// Wakes a rank that sleeps.
    fn wake(&self, rank: u32);
    /// Begins it by messages.
    fn begin_by_messages(&self) -> Self::ByMessages;
    /// Returns the result of a call that was begun by messages; `None` while it is pending.
    fn outcome(by_messages: &Self::ByMessages) -> Option<Result<(), Self::Error>>;
    /// Records that the call failed, and returns the error to report.
    fn failed(&self, error: coll::Error) -> Self::Error;
    /// Returns why it will not complete: a process has died since there were `failed_before`
    /// failures, or, where the call is to `look`, has called something else.
    fn obstacle(&self, failed_before: usize, look: bool) -> Option<Self::Error>;
}

/// Empty polls between two searches for messages of processes that have called something else.
const POLLS_PER_LOOK: u32 = 64;

/// Calls that were started in one order.
pub struct Sequence<C: StartedCall>(Mutex<State<C>>);

struct State<C: StartedCall> {
    memory: Memory<C::Error>,
    /// The calls that are not complete, the oldest first.
    queue: VecDeque<Queued<C>>,
    /// Calls of the queue, from its front, that have shown their data.
    shown: usize,
    /// The number of the front of the queue: how many calls are complete.
    complete: u64,
    /// Errors of complete calls that were not queried yet.
    failed: BTreeMap<u64, C::Error>,
    /// Queued calls that were begun by messages after all.
    by_messages: BTreeMap<u64, C::ByMessages>,
    /// Whether waits poll the sequence.
    is_polled: bool,
    /// Threads that sleep and have announced it in the segment.
    asleep: u32,
    /// Empty polls since a call last completed.
    idle: u32,
}

enum Memory<E> {
    Off,
    Untried(u32),
    Joining,
    Joined(Box<Joined>),
    Refused,
    Broken(E),
}

/// Shared memory of a sequence.
pub struct Joined {
    /// The segment of this process.
    pub exchanges: Exchanges,
    /// Number of processes that the engine had given up before the segment was made.
    pub failed_before: usize,
    /// Memory that the segment takes, where it is limited.
    pub _quota: Option<MemoryQuota>,
}

/// Memory that a sequence has taken of the limit for a communicator's persistent requests. Freed
/// when it is dropped.
pub struct MemoryQuota {
    taken: Arc<AtomicUsize>,
    bytes: usize,
    most: usize,
}

impl MemoryQuota {
    /// Takes `bytes` of a limit of `most`, which may be exceeded.
    pub fn take(taken: &Arc<AtomicUsize>, bytes: usize, most: usize) -> MemoryQuota {
        taken.fetch_add(bytes, Ordering::Relaxed);
        let taken = taken.clone();
        MemoryQuota { taken, bytes, most }
    }

    /// Whether the limit is exceeded.
    pub fn is_exceeded(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.most
    }
}

impl Drop for MemoryQuota {
    fn drop(&mut self) {
        self.taken.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

struct Queued<C> {
    call: C,
    exchange: Option<Exchange>,
}

/// The result of starting a call.
pub enum CallStart<'a, C: StartedCall> {
    /// The call is to go by messages, as there can be no shared memory.
    Messages,
    /// The call is to go by messages, while others of the sequence may go through shared memory.
    MessagesForNow,
    /// The processes are to join a segment first, and the call is to be started again.
    Join,
    /// The call is complete.
    Complete(Result<(), coll::Error>),
    /// The call fails, as an earlier one broke the sequence.
    Broken(C::Error),
    /// The call is to be queued.
    Pending(Ticket<'a, C>),
}

/// The position of a started call in its sequence.
pub struct Ticket<'a, C: StartedCall> {
    state: MutexGuard<'a, State<C>>,
    exchange: Option<Exchange>,
}

impl<C: StartedCall> Ticket<'_, C> {
    /// Queues the call, and returns its number, and whether waits have to poll the sequence from
    /// now on.
    pub fn queue(mut self, call: C) -> (u64, bool) {
        let exchange = self.exchange;
        let state = &mut *self.state;
        let number = state.complete + state.queue.len() as u64;
        state.shown += usize::from(exchange.as_ref().is_some_and(Exchange::is_shown));
        state.queue.push_back(Queued { call, exchange });
        (number, !std::mem::replace(&mut state.is_polled, true))
    }
}

/// The result of a poll of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// A call completed.
    Some,
    /// No call completed.
    Nothing,
    /// No call is under way.
    Idle,
}

impl<C: StartedCall> Sequence<C> {
    /// Returns an empty sequence; `possible` says whether there can be shared memory.
    pub fn new(possible: bool) -> Sequence<C> {
        Sequence(Mutex::new(State {
            memory: match possible {
                true => Memory::Untried(0),
                false => Memory::Off,
            },
            queue: VecDeque::new(),
            shown: 0,
            complete: 0,
            failed: BTreeMap::new(),
            by_messages: BTreeMap::new(),
            is_polled: false,
            asleep: 0,
            idle: 0,
        }))
    }

    #[inline]
    fn lock(&self) -> MutexGuard<'_, State<C>> {
        self.0.lock()
    }

    /// `None` while another thread has it, which advances it.
    #[inline]
    fn try_lock(&self) -> Option<MutexGuard<'_, State<C>>> {
        self.0.try_lock()
    }

    /// Starts a short call; `threshold` calls go by messages first. `wake` wakes a rank that
    /// sleeps.
    #[inline]
    pub fn start(
        &self,
        threshold: u32,
        node_call: &NodeCall,
        wake: impl Fn(u32),
    ) -> CallStart<'_, C> {
        let mut guard = self.lock();
        let state = &mut *guard;
        let mut exchange = None;
        match &mut state.memory {
            // Calls before it begin first.
            Memory::Joined(joined) if state.shown == state.queue.len() => {
                let begun = exchange.insert(joined.exchanges.begin());
                if !state.queue.is_empty() {
                    joined.exchanges.show(begun, node_call, wake);
                } else if let Poll::Ready(result) = joined.exchanges.poll(begun, node_call, wake) {
                    state.complete += 1;
                    return CallStart::Complete(result);
                }
            }
            Memory::Joined(_) | Memory::Joining => {}
            Memory::Untried(calls) if *calls < threshold => {
                *calls += 1;
                return CallStart::MessagesForNow;
            }
            Memory::Untried(_) => {
                state.memory = Memory::Joining;
                return CallStart::Join;
            }
            Memory::Refused => return CallStart::MessagesForNow,
            Memory::Broken(error) => return CallStart::Broken(error.clone()),
            Memory::Off => return CallStart::Messages,
        }
        CallStart::Pending(Ticket {
            state: guard,
            exchange,
        })
    }

    /// Ends `Joining`; `None` where a process has no shared memory.
    pub fn joined(&self, joined: Option<Joined>) {
        let mut state = self.lock();
        if let Memory::Joining = state.memory {
            state.memory = match joined {
                Some(joined) => Memory::Joined(Box::new(joined)),
                None => Memory::Refused,
            };
        }
    }

    /// Fails all calls, and all that are started later.
    pub fn fail(&self, error: C::Error) {
        self.lock().fail(error);
    }

    /// Lets the calls go on as far as they can, and returns whether the call of a number is
    /// complete. Operators of the application run in here.
    #[inline]
    pub fn completes(&self, number: u64) -> bool {
        self.try_lock().is_some_and(|mut state| {
            state.go_on();
            state.outcome(number).is_some()
        })
    }

    /// Lets the calls go on as far as they can. Operators of the application run in here.
    pub fn advance(&self) -> Progress {
        match self.try_lock() {
            Some(mut state) => state.advance(),
            None => Progress::Nothing,
        }
    }

    /// Whether a poll of a waiting call would make progress: it is complete, or the oldest call can
    /// go on. Checked up to `polls` times.
    #[inline]
    pub fn is_due(&self, number: u64, polls: usize) -> bool {
        let state = self.try_lock();
        state.is_some_and(|state| (0..polls).any(|_| state.is_due(number)))
    }

    /// Returns how a call ended; `None` while it is pending.
    pub fn outcome(&self, number: u64) -> Option<Result<(), C::Error>> {
        self.try_lock()?.outcome(number)
    }

    /// Returns how a complete call ended, the last time that anybody asks for it.
    pub fn take_outcome(&self, number: u64) -> Result<(), C::Error> {
        let mut state = self.lock();
        if state.failed.is_empty() && state.by_messages.is_empty() {
            return Ok(());
        }
        let outcome = state.outcome(number);
        state.failed.remove(&number);
        state.by_messages.remove(&number);
        outcome.unwrap_or(Ok(()))
    }

    /// Returns what `of` says of the oldest call under way.
    pub fn oldest<T>(&self, of: impl FnOnce(&C) -> T) -> Option<T> {
        self.lock().queue.front().map(|queued| of(&queued.call))
    }

    /// Ends the polls of waits, unless a call is under way or another thread has the sequence, for
    /// which the caller must not wait. Whether they ended.
    pub fn retire(&self) -> bool {
        let Some(mut state) = self.try_lock() else {
            return false;
        };
        let idle = state.queue.is_empty() && state.asleep == 0;
        state.is_polled = !idle;
        idle
    }

    /// Announces, before a sleep, for whom the oldest call waits. The caller advances the sequence
    /// once more.
    #[cold]
    pub fn announce_sleep(&self) {
        let Some(mut state) = self.try_lock() else {
            return;
        };
        state.idle = POLLS_PER_LOOK;
        let (Some(awaited), Memory::Joined(joined)) = (state.awaited(), &state.memory) else {
            return;
        };
        joined.exchanges.announce_sleep(awaited);
        state.asleep += 1;
    }

    /// Clears the announcements, after a sleep. Never waits, since the caller may be in the engine,
    /// which another thread that has the sequence may want to enter; what is left then is cleared
    /// after the next sleep, and costs a wake-up at most.
    #[cold]
    pub fn end_sleep(&self) {
        let Some(mut state) = self.try_lock() else {
            return;
        };
        if let Memory::Joined(joined) = &state.memory {
            (0..state.asleep).for_each(|_| joined.exchanges.end_sleep());
            state.asleep = 0;
        }
        state.idle = POLLS_PER_LOOK;
    }
}

impl<C: StartedCall> State<C> {
    fn advance(&mut self) -> Progress {
        let before = self.complete;
        self.go_on();
        if self.complete != before {
            self.idle = 0;
            return Progress::Some;
        }
        let Some(front) = self.queue.front() else {
            return Progress::Idle;
        };
        if let Memory::Joined(joined) = &self.memory {
            let look = self.idle >= POLLS_PER_LOOK;
            self.idle = if look { 0 } else { self.idle + 1 };
            if let Some(error) = front.call.obstacle(joined.failed_before, look) {
                return self.meet_obstacle(error);
            }
        }
        Progress::Nothing
    }

    /// Fails all calls for an obstacle, unless the others had shown before what the oldest needs.
    #[cold]
    fn meet_obstacle(&mut self, error: C::Error) -> Progress {
        let before = self.complete;
        self.go_on();
        if self.complete == before {
            self.fail(error);
        }
        Progress::Some
    }

    fn go_on(&mut self) {
        match &self.memory {
            Memory::Joined(_) => {
                while self.complete_oldest() {}
                self.show_next();
            }
            Memory::Refused => {
                for queued in self.queue.drain(..) {
                    let begun = queued.call.begin_by_messages();
                    self.by_messages.insert(self.complete, begun);
                    self.complete += 1;
                }
            }
            _ => {}
        }
    }

    /// Completes the oldest call if all that it needs is there. Whether it did.
    fn complete_oldest(&mut self) -> bool {
        let (Memory::Joined(joined), Some(oldest)) = (&mut self.memory, self.queue.front_mut())
        else {
            return false;
        };
        let Queued { call, exchange } = oldest;
        let exchanges = &mut joined.exchanges;
        let exchange = exchange.get_or_insert_with(|| exchanges.begin());
        let result = exchanges.poll(exchange, &call.node_call(), |rank| call.wake(rank));
        let Poll::Ready(result) = result else {
            self.shown = self.shown.max(usize::from(exchange.is_shown()));
            return false;
        };
        if let Err(error) = result {
            self.failed.insert(self.complete, call.failed(error));
        }
        self.queue.pop_front();
        self.shown = self.shown.saturating_sub(1);
        self.complete += 1;
        true
    }

    /// Shows the data of calls behind the oldest, as far as slots are free.
    fn show_next(&mut self) {
        let Memory::Joined(joined) = &mut self.memory else {
            return;
        };
        while let Some(Queued { call, exchange }) = self.queue.get_mut(self.shown) {
            let exchanges = &mut joined.exchanges;
            let exchange = exchange.get_or_insert_with(|| exchanges.begin());
            if !exchanges.show(exchange, &call.node_call(), |rank| call.wake(rank)) {
                return;
            }
            self.shown += 1;
        }
    }

    #[inline]
    fn is_due(&self, number: u64) -> bool {
        if number < self.complete {
            return self.outcome(number).is_some();
        }
        match &self.memory {
            Memory::Joined(_) => self.awaited().is_none(),
            Memory::Joining => false,
            _ => true,
        }
    }

    /// Returns the rank that the oldest call waits for; `None` where it can go on.
    #[inline]
    fn awaited(&self) -> Option<u32> {
        let Memory::Joined(joined) = &self.memory else {
            return None;
        };
        let Queued { call, exchange } = self.queue.front()?;
        joined
            .exchanges
            .awaits(exchange.as_ref()?, &call.node_call())
    }

    fn outcome(&self, number: u64) -> Option<Result<(), C::Error>> {
        if number >= self.complete {
            return None;
        }
        match self.by_messages.get(&number) {
            Some(begun) => C::outcome(begun),
            None => Some(
                self.failed
                    .get(&number)
                    .map_or(Ok(()), |error| Err(error.clone())),
            ),
        }
    }

    #[cold]
    fn fail(&mut self, error: C::Error) {
        for _ in self.queue.drain(..) {
            self.failed.insert(self.complete, error.clone());
            self.complete += 1;
        }
        self.shown = 0;
        if let Memory::Joined(joined) = &self.memory {
            (0..self.asleep).for_each(|_| joined.exchanges.end_sleep());
        }
        self.asleep = 0;
        self.memory = Memory::Broken(error);
    }
}

#[cfg(test)]
mod tests;
