//! Ranks that are started again, here or after their host was lost.

use std::io;
use std::sync::Arc;

use super::{watch, LocalRank, LocalRanks};
use crate::order::Order;
use crate::poll::Poll;
use crate::ranks::journal::Store;
use crate::ranks::persistent::{logs, PersistentState};
use crate::ranks::process::{Input, RankProcess, StartOptions};
use crate::ranks::stdin::StdinPipe;
use crate::shape::ROOT;
use crate::wire::Up;
use launch_job::Event;
use launch_plan::plan::locate;
use launch_plan::Error;

/// The input of a rank that is started again: it is sent what its earlier life was.
fn input_of(order: &Order, rank: u32) -> Input {
    match order.plan.stdin == Some(rank) {
        true => Input::Pipe,
        false => Input::Null,
    }
}

impl LocalRanks {
    /// Starts a rank that was killed again. What it had printed is reported first. Also returns why
    /// it could not be started.
    pub(crate) fn restart(
        &mut self,
        rank: u32,
        life: u32,
        poll: &Poll,
    ) -> (Vec<Up>, Result<(), Error>) {
        let mut messages = self.take_all_output(rank, poll);
        let persistent = self
            .member(rank)
            .and_then(|member| member.persistent.as_mut());
        messages.extend(persistent.and_then(|persistent| persistent.ship_all(rank)));
        let started = self.start_again(rank, life, poll);
        let started = started.map(|pid| messages.push(Up::Event(Event::Started { rank, pid })));
        (messages, started)
    }

    /// Puts the process of a next life in the place of the one that has ended.
    fn start_again(&mut self, rank: u32, life: u32, poll: &Poll) -> Result<u32, Error> {
        let announce = self.guard.as_ref().and_then(|guard| guard.pipe().ok());
        let (open_files, blocked) = (self.open_files, self.blocked);
        let session = !self.crowded;
        let Some(at) = self.members.iter().position(|member| member.rank == rank) else {
            return Ok(0);
        };
        let member = &mut self.members[at];
        let order = Arc::clone(&member.order);
        let in_part = rank - order.part.first;
        let path = locate(order.plan.app(in_part))?;
        let recording = member.recording.as_ref().map(super::Recording::for_rank);
        let tracing = Error::system::<io::Error>("passing on the memory of a trace");
        let (event_log, journal, payload_log) = logs(&mut member.persistent)?;
        let with = StartOptions {
            recording: recording.transpose().map_err(tracing)?,
            path: &path,
            input: input_of(&order, in_part),
            announce,
            open_files,
            session,
            blocked,
            event_log,
            journal,
            payload_log,
            life,
        };
        let (process, stdin) = RankProcess::start(&order.plan, in_part, with)?;
        let mut before = std::mem::replace(&mut member.process, process);
        member.greeted = false;
        if let Some(persistent) = &mut member.persistent {
            persistent.begin_life();
        }
        let pid = member.process.pid();
        let waiting = Error::system::<io::Error>("preparing to wait");
        watch(member, poll).map_err(&waiting)?;
        if let Some(pipe) = stdin {
            self.feed = Some((rank, StdinPipe::new(pipe).map_err(waiting)?));
        }
        if let Some(guard) = &mut self.guard {
            guard.forget(before.group());
        }
        poll.remove(&before.connection);
        before.reap();
        Ok(pid)
    }

    /// Starts a rank here whose host was lost: its log has these stores, and its lives have printed
    /// so much.
    pub(crate) fn adopt(
        &mut self,
        order: &Arc<Order>,
        (rank, life): (u32, u32),
        (printed, stores): ([u64; 2], &[Store]),
        vertex: u32,
        poll: &Poll,
    ) -> Result<Up, Error> {
        let in_part = rank - order.part.first;
        let path = locate(order.plan.app(in_part))?;
        if self.guard.is_none() {
            self.guard = crate::ranks::guard::Guard::start().ok();
        }
        let copied = order.plan.copies_logs() && vertex != ROOT;
        let mut persistent = Some(PersistentState::moved(
            copied,
            order.plan.app(in_part),
            printed,
            stores,
        )?);
        let (event_log, journal, payload_log) = logs(&mut persistent)?;
        let with = StartOptions {
            recording: None,
            path: &path,
            input: input_of(order, in_part),
            announce: self.guard.as_ref().and_then(|guard| guard.pipe().ok()),
            open_files: self.open_files,
            session: !self.crowded,
            blocked: self.blocked,
            event_log,
            journal,
            payload_log,
            life,
        };
        let (process, stdin) = RankProcess::start(&order.plan, in_part, with)?;
        let waiting = Error::system::<io::Error>("preparing to wait");
        if let Some(pipe) = stdin {
            self.feed = Some((rank, StdinPipe::new(pipe).map_err(&waiting)?));
        }
        let pid = process.pid();
        let at = self.members.partition_point(|member| member.rank < rank);
        let member = LocalRank {
            rank,
            order: Arc::clone(order),
            process,
            greeted: false,
            mpi_pid: None,
            persistent,
            recording: None,
        };
        watch(&member, poll).map_err(waiting)?;
        self.members.insert(at, member);
        Ok(Up::Event(Event::Started { rank, pid }))
    }

    /// Takes the tokens of a rank.
    pub(crate) fn take_tokens(&mut self, rank: u32) -> Vec<Up> {
        let persistent = self.member(rank).and_then(|m| m.persistent.as_mut());
        let shipped = persistent.and_then(|persistent| persistent.take_tokens(rank));
        shipped.into_iter().collect()
    }

    /// Notifies a rank that the copy of its log has what was stored before a token.
    pub(crate) fn logged(&mut self, rank: u32, token: u64) {
        let persistent = self.member(rank).and_then(|m| m.persistent.as_ref());
        if let Some(persistent) = persistent {
            persistent.logged(token);
        }
    }
}
