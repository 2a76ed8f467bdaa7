//! The output of the ranks: on its way to the user, and whether all of it has arrived.

use std::collections::BTreeSet;

use base::Clock;

use super::{Runner, Running, CREDIT_BYTES_MIN, PARTING};
use launch_job::{Event, RankState};
use launch_tree::wire::Down;

impl Runner<'_> {
    /// Whether the job has gone well and everything that these ranks printed has arrived: a host
    /// that is lost then takes nothing with it.
    pub(super) fn is_complete(&self, ranks: &[u32]) -> bool {
        self.running.as_ref().is_some_and(|running| {
            let printing = running.printing();
            running.has_gone_well() && !ranks.iter().any(|rank| printing.contains(rank))
        })
    }

    /// Fails a job that has gone well, but whose hosts have not sent all that their ranks printed.
    pub(super) fn check_output(&mut self) {
        let ranks = self.missing_output();
        if !ranks.is_empty() {
            let seconds = PARTING.as_secs();
            let of = |rank: &u32| self.running.as_ref().map(|running| running.host(*rank).1);
            let hosts: BTreeSet<String> = ranks.iter().filter_map(of).collect();
            let hosts = hosts.into_iter().collect::<Vec<_>>().join(", ");
            let text =
                format!("host {hosts}: output is missing {seconds} s after the end of all ranks");
            self.notify(Event::Lost { ranks, text });
        }
    }

    /// Returns the ranks of a job that has gone well whose output has not arrived to its end.
    pub(super) fn missing_output(&self) -> Vec<u32> {
        let gone_well = self.running.as_ref().filter(|r| r.has_gone_well());
        gone_well.map(Running::printing).unwrap_or_default()
    }

    /// Passes on what a rank printed.
    pub(super) fn take_output(&mut self, rank: u32, stream: usize, bytes: &[u8]) {
        let now = self.vertex.clock.now();
        let Some(running) = &mut self.running else {
            return;
        };
        if running.vertex(rank).is_none() {
            return;
        }
        let to = running.shown_as(stream);
        let trouble = running.files.write(rank, to, bytes);
        if !(running.start().plan.front.files_only && running.files.take(to)) {
            let (merger, sink) = (&mut running.mergers[to], &mut self.sinks[to]);
            match bytes {
                [] => merger.close(rank, sink.queue()),
                bytes => merger.push(rank, bytes, now, sink.queue()),
            }
            sink.flush();
        }
        if let Some(vertex) = running.vertex(rank) {
            running.owed[vertex as usize][stream] += bytes.len();
        }
        running.copies.note_printed(rank, stream, bytes.len());
        if bytes.is_empty() {
            self.end_output(rank, stream);
        }
        if let Some(text) = trouble {
            self.say(&text);
        }
    }

    /// Notes that the end of a process's output has arrived.
    fn end_output(&mut self, number: u32, stream: usize) {
        let Some(running) = &mut self.running else {
            return;
        };
        let Some(open) = running.printing.get_mut(&number) else {
            return;
        };
        open[stream] = false;
        if open.contains(&true) {
            return;
        }
        running.printing.remove(&number);
        if number >= running.start().plan.size() {
            running
                .mergers
                .iter_mut()
                .for_each(|merger| merger.remove(number));
            running.files.remove(number);
            self.drop_silent_parts();
        }
    }

    /// Expects no more output of processes that were lost with their host and are not started
    /// again.
    pub(super) fn end_output_of(&mut self, lost: &[u32]) {
        let has_ended = |number: &&u32| {
            let running = self.running.as_ref();
            running.and_then(|r| r.job.life(**number)) == Some(RankState::Exited)
        };
        let ended: Vec<u32> = lost.iter().filter(has_ended).copied().collect();
        for number in ended {
            self.end_output(number, 0);
            self.end_output(number, 1);
        }
    }

    /// Notifies hosts how much of their output has gone out, so that they go on.
    pub(super) fn give_credit(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        let mut credits = Vec::new();
        for stream in [0, 1] {
            if self.sinks[running.shown_as(stream)].is_full() {
                continue;
            }
            for (vertex, owed) in running.owed.iter_mut().enumerate() {
                if owed[stream] >= CREDIT_BYTES_MIN {
                    credits.push(Down::Credit {
                        vertex: vertex as u32,
                        stream,
                        bytes: std::mem::take(&mut owed[stream]) as u32,
                    });
                }
            }
        }
        for credit in credits {
            self.vertex.give(&credit);
        }
    }
}
