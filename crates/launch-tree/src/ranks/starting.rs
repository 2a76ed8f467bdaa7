//! The start of ranks: some at a time, so that between two of them the launcher handles signals,
//! failures and the time limit. A thousand forks may take many seconds.

use std::sync::Arc;
use std::time::Duration;

use base::Clock;

use super::queue::Queued;
use super::LocalRanks;
use crate::order::Order;
use crate::poll::Poll;
use crate::ranks::descriptors;
use crate::ranks::guard::Guard;
use crate::wire::Up;
use launch_plan::Error;

/// Time after which the start of ranks pauses for other events.
const TURN: Duration = Duration::from_millis(5);

impl LocalRanks {
    /// Accepts the processes of a part on `vertex`, which [`LocalRanks::start_some`] starts.
    ///
    /// # Errors
    /// When they cannot all be started; none is then.
    pub(crate) fn start(&mut self, order: Arc<Order>, vertex: u32) -> Result<(), Error> {
        let queued = Queued::new(order, vertex)?;
        let waiting = self.queue.iter().chain([&queued]);
        let all = self.members.len() + waiting.map(|queued| queued.ranks.len()).sum::<usize>();
        let open_files = descriptors::make_room(all as u32)?;
        self.open_files = self.open_files.or(open_files);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        self.crowded = all > cores;
        if self.guard.is_none() && !queued.ranks.is_empty() {
            // Without a guard the system still kills the ranks' first processes.
            self.guard = Guard::start().ok();
        }
        self.queue.push_back(queued);
        Ok(())
    }

    /// Whether processes are to be started.
    pub(crate) fn is_starting(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Starts processes for a while. Returns what is to be reported, and of which part a process
    /// could not be started and why; those of it that have started then still run, and are to be
    /// ended.
    pub(crate) fn start_some(
        &mut self,
        poll: &Poll,
        clock: &dyn Clock,
    ) -> (Vec<Up>, Option<(u32, Error)>) {
        let pause = clock.now().after(TURN);
        let mut messages = Vec::new();
        while let Some(queued) = self.queue.front_mut() {
            let (order, vertex) = (Arc::clone(&queued.order), queued.vertex);
            let Some(rank) = queued.ranks.pop_front() else {
                self.queue.pop_front();
                continue;
            };
            let app = order.plan.placements[rank as usize].app;
            let path = queued.paths[&app].clone();
            let started = self.start_rank(&order, (rank, &path), vertex, poll, &mut messages);
            if let Err(error) = started {
                self.queue.pop_front();
                return (messages, Some((order.part.first, error)));
            }
            // It may end before the next one is started.
            self.begin_inspection(&order, rank, clock.now());
            messages.extend(self.give_input(order.part.first + rank, poll));
            if clock.now() >= pause {
                break;
            }
        }
        (messages, None)
    }

    /// Starts no further process of a part. Returns whether there were such.
    pub(super) fn drop_queued(&mut self, first: u32) -> bool {
        let before = self.queue.len();
        self.queue.retain(|queued| queued.order.part.first != first);
        self.queue.len() < before
    }

    /// Keeps input for a rank that is still to be started. Returns whether it is.
    pub(super) fn keep_input(&mut self, number: u32, bytes: &[u8]) -> bool {
        let queued = self.queue.iter_mut().find(|queued| queued.has(number));
        queued
            .map(|queued| queued.input.push(bytes.into()))
            .is_some()
    }

    /// Gives a rank that has just been started the input that was kept for it.
    fn give_input(&mut self, number: u32, poll: &Poll) -> Vec<Up> {
        let is_reader = self.feed.as_ref().is_some_and(|(rank, _)| *rank == number);
        let queued = self.queue.front_mut().filter(|_| is_reader);
        let input = queued.map(|queued| std::mem::take(&mut queued.input));
        let input = input.into_iter().flatten();
        input
            .flat_map(|bytes| self.input(number, &bytes, poll))
            .collect()
    }
}
