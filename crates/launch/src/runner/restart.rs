//! Ranks that are started again, on their hosts or on others, with the copies that `mpirun` has.

use std::sync::Arc;

use super::Runner;
use launch_job::Event;
use launch_tree::ranks::journal::{snapshot, Store};
use launch_tree::wire::{Down, Up};

impl Runner<'_> {
    /// Takes stores to the event log of a rank on another host, and answers it.
    pub(super) fn take_log(&mut self, (rank, token): (u32, u64), fresh: bool, stores: &[Store]) {
        let Some(running) = &mut self.running else {
            return;
        };
        if let Err(why) = running.copies.take(rank, fresh, stores) {
            let detail = format!("its event log cannot be copied: {why}");
            return self.notify(Event::Malformed { rank, detail });
        }
        if token != 0 {
            self.vertex.give(&Down::Logged { rank, token });
        }
    }

    /// Starts a rank again, on its host or, where that is lost, on another.
    pub(super) fn restart(&mut self, rank: u32, life: u32) {
        let input = match self
            .stdin_reader()
            .filter(|stdin_reader| stdin_reader.rank == rank)
        {
            Some(stdin_reader) => stdin_reader.repeat(),
            None => Ok(Vec::new()),
        };
        let vertex = self.running.as_ref().and_then(|r| r.vertex(rank));
        let is_up = vertex.is_some_and(|vertex| self.vertex.is_up(vertex));
        let started = input.and_then(|input| {
            let words = match is_up {
                true => self.vertex.give(&Down::Restart { rank, life }),
                false => self.restart_elsewhere(rank, life)?,
            };
            Ok((input, words))
        });
        match started {
            Ok((input, words)) => {
                self.take_all(words);
                for bytes in input {
                    let words = self.vertex.give(&Down::Input { rank, bytes });
                    self.take_all(words);
                }
            }
            Err(why) => {
                let text = format!("rank {rank} cannot be started again: {why}");
                let ranks = vec![rank];
                self.notify(Event::Refused { ranks, text });
            }
        }
    }

    /// Starts a rank on the host with the fewest of those that are left.
    fn restart_elsewhere(&mut self, rank: u32, life: u32) -> Result<Vec<Up>, String> {
        let none = || "no host of the job is left".to_string();
        let running = self.running.as_mut().ok_or_else(none)?;
        let (first, order) = running
            .orders
            .range_mut(..=rank)
            .next_back()
            .ok_or_else(none)?;
        let size_on = |node: &u32| order.plan.size_on(*node);
        let nodes = 0..order.vertex_of.len() as u32;
        let is_up = |node: &u32| self.vertex.is_up(order.vertex_of[*node as usize]);
        let node = nodes.filter(is_up).min_by_key(size_on).ok_or_else(none)?;
        *order = Arc::new(order.moved(rank - first, node));
        running.job.moved(rank, node);
        let log = running.copies.remove(rank);
        let stores = log.and_then(|log| snapshot(&log));
        let stores = stores.map_err(|why| format!("its event log cannot be read: {why}"))?;
        // It is copied afresh from its new host, but not before it logs anything.
        let copied = running.copies.take(rank, true, &stores);
        copied.map_err(|why| format!("its event log cannot be copied: {why}"))?;
        let printed = running.copies.printed(rank);
        self.vertex.give(&Down::Move { rank, node });
        let adopt = Down::Adopt {
            rank,
            life,
            printed,
            stores,
        };
        Ok(self.vertex.give(&adopt))
    }
}
