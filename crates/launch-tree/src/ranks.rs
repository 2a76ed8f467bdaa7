//! The ranks of this host: their processes, messages, output and exit.
//!
//! Processes are named by their numbers in the job, which in the first part are their ranks.

pub mod capacity;
mod connection;
pub mod descriptors;
mod exec_error;
pub mod guard;
mod inspection;
pub mod journal;
mod oom;
mod payload_log;
mod persistent;
pub mod process;
mod queue;
mod recording;
mod restart;
mod starting;
pub mod stdin;
pub mod strays;

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;

use bootstrap::child::Mask;
use bootstrap::native::release::{share, SHARED_MIN};
use bootstrap::native::wire::{self, Reply, Request, Welcome};
use rustix::buffer::spare_capacity;
use rustix::process::Signal;

use self::connection::{Connection, Received};
use self::guard::Guard;
use self::oom::Kills;
use self::persistent::{logs, PersistentState};
use self::process::{Input, OpenFiles, RankProcess, StartOptions};
use self::recording::Recording;
use self::stdin::StdinPipe;
use self::strays::Strays;
use crate::order::Order;
use crate::poll::{is_ready, Poll, Source, Until};
use crate::shape::ROOT;
use crate::wire::{Gathering, Up};
use launch_job::{check_meet, Event, How};
use launch_plan::Error;
use launch_report::other_mpi::Inspection;

/// Bytes of output of a stream that may be under way to the user before the ranks have to wait.
pub const WINDOW_BYTES: usize = 256 * 1024;

/// Bytes of a rank's output that are read at a time; on the heap, since the stack may be small.
const CHUNK_BYTES: usize = 64 * 1024;

/// The ranks of one host.
pub(crate) struct LocalRanks {
    /// In the order of their numbers.
    members: Vec<LocalRank>,
    /// The parts whose processes are being started, in their order.
    queue: VecDeque<queue::Queued>,
    /// The rank that reads standard input and the feed of its pipe, unless it inherits the input.
    feed: Option<(u32, StdinPipe)>,
    guard: Option<Guard>,
    streams: [Stream; 2],
    /// Frames about ranks that have died, here or elsewhere.
    gone: Vec<Arc<[u8]>>,
    /// The signals that this process was started to block; so are the ranks.
    blocked: Mask,
    /// The socket of the process that is the first rank, until that is added.
    served: Option<UnixStream>,
    /// The limit of open files that this process was started with, if it has changed it.
    open_files: Option<OpenFiles>,
    /// Whether this host has more ranks than cores.
    crowded: bool,
    /// Programs none of whose ranks has connected.
    inspections: Vec<Inspection>,
    strays: Strays,
    kills: Kills,
    /// The parts that are ended, by the number of their first process: their strays are too.
    ended: BTreeSet<u32>,
}

struct LocalRank {
    /// Its number in the job.
    rank: u32,
    /// The part that it is in.
    order: Arc<Order>,
    process: RankProcess,
    /// Whether it has sent a hello and not finalized since.
    greeted: bool,
    /// The id of the process that sent the hello, which may be one that the rank's has started.
    mpi_pid: Option<u32>,
    /// State that outlives its process, where it is started again when it is killed.
    persistent: Option<PersistentState>,
    /// The recording of its calls, until it has been sent.
    recording: Option<Recording>,
}

impl LocalRank {
    /// Returns the number of its program in its part.
    fn app(&self) -> u32 {
        let rank = self.rank - self.order.part.first;
        self.order.plan.placements[rank as usize].app
    }
}

/// The standard output or error of all ranks here.
#[derive(Default)]
struct Stream {
    /// Bytes of output that have not reached the user.
    underway: usize,
    /// Whether the ranks' pipes are not read at present.
    held: bool,
}

impl LocalRanks {
    /// Returns the ranks of a host that has none yet; they will have these signals blocked, and
    /// this limit of open files. Where `served` is a socket, the first of them is the process at
    /// its other end.
    pub(crate) fn new(
        (blocked, open_files): (Mask, Option<OpenFiles>),
        served: Option<UnixStream>,
    ) -> LocalRanks {
        LocalRanks {
            served,
            members: Vec::new(),
            queue: VecDeque::new(),
            feed: None,
            guard: None,
            streams: Default::default(),
            gone: Vec::new(),
            blocked,
            open_files,
            crowded: false,
            inspections: Vec::new(),
            strays: Strays::default(),
            kills: Kills::begin(),
            ended: BTreeSet::new(),
        }
    }

    fn start_rank(
        &mut self,
        order: &Arc<Order>,
        (rank, path): (u32, &Path),
        vertex: u32,
        poll: &Poll,
        events: &mut Vec<Up>,
    ) -> Result<(), Error> {
        let plan = &order.plan;
        let number = order.part.first + rank;
        if let Some(socket) = self.served.take() {
            return self.serve(order, socket, poll, events);
        }
        let input = match plan.stdin == Some(rank) {
            true if vertex == ROOT => stdin::input(plan.logs_messages()),
            true => Input::Pipe,
            false => Input::Null,
        };
        let announce = self.guard.as_ref().and_then(|guard| guard.pipe().ok());
        let mut persistent = match plan.logs_messages() {
            true => Some(PersistentState::new(
                plan.copies_logs() && vertex != ROOT,
                plan.app(rank),
            )?),
            false => None,
        };
        let (event_log, journal, payload_log) = logs(&mut persistent)?;
        let recording = plan
            .recording(rank)
            .map(|wanted| Recording::make(wanted, number, order.part.first, plan.size()));
        let tracing = Error::system::<io::Error>("making the memory of a trace");
        let recording = recording.transpose().map_err(&tracing)?;
        let shared = recording.as_ref().map(Recording::for_rank);
        let with = StartOptions {
            recording: shared.transpose().map_err(&tracing)?,
            path,
            input,
            announce,
            open_files: self.open_files,
            session: !self.crowded,
            blocked: self.blocked,
            event_log,
            journal,
            payload_log,
            life: 1,
        };
        let (process, stdin) = RankProcess::start(plan, rank, with)?;
        let waiting = Error::system::<io::Error>("preparing to wait");
        if let Some(pipe) = stdin {
            self.feed = Some((number, StdinPipe::new(pipe).map_err(&waiting)?));
        }
        let pid = process.pid();
        let lines = process::start_lines(plan, rank, &order.part.suffix(), pid, path);
        events.extend(lines.into_iter().map(Up::Say));
        self.members.push(LocalRank {
            rank: number,
            order: Arc::clone(order),
            process,
            greeted: false,
            mpi_pid: None,
            persistent,
            recording,
        });
        watch(&self.members[self.members.len() - 1], poll).map_err(&waiting)?;
        let rank = number;
        events.push(Up::Event(Event::Started { rank, pid }));
        Ok(())
    }

    /// Takes the process at the other end of `socket` for the only rank of a part.
    fn serve(
        &mut self,
        order: &Arc<Order>,
        socket: UnixStream,
        poll: &Poll,
        events: &mut Vec<Up>,
    ) -> Result<(), Error> {
        let process = RankProcess::serve(socket)?;
        let rank = order.part.first;
        poll.add(
            &process.connection,
            Source::Connection(rank),
            Until::Readable,
        )
        .map_err(Error::system::<io::Error>("preparing to wait"))?;
        let pid = process.pid();
        events.push(Up::Event(Event::Started { rank, pid }));
        // What it prints goes its own way.
        events.extend([0, 1].map(|stream| Up::Output {
            rank,
            stream,
            bytes: Vec::new(),
        }));
        self.members.push(LocalRank {
            rank,
            order: Arc::clone(order),
            process,
            greeted: false,
            mpi_pid: None,
            persistent: None,
            recording: None,
        });
        Ok(())
    }

    fn member(&mut self, rank: u32) -> Option<&mut LocalRank> {
        let at = self.members.binary_search_by_key(&rank, |m| m.rank).ok()?;
        Some(&mut self.members[at])
    }

    /// Returns the messages of a rank. If they may end the job, checks first whether a rank has
    /// died, since a peer that gives up may do so because of that death.
    pub(crate) fn take_messages(&mut self, rank: u32, poll: &Poll) -> Vec<Up> {
        let messages = self.receive(rank, poll);
        let may_end_job =
            |e: &Up| matches!(e, Up::Event(Event::Abort { .. } | Event::Malformed { .. }));
        let served = self.member(rank).map(|member| &member.process);
        let has_left = served.is_some_and(|p| p.is_served() && p.connection.is_closed());
        match has_left || messages.iter().any(may_end_job) {
            true => self.check_exits(Some((rank, messages)), poll),
            false => messages,
        }
    }

    /// Reads what a rank has printed, and reports to it how much that was, or counts on from `at`.
    fn report_printed(&mut self, rank: u32, at: Option<[u64; 2]>, poll: &Poll) -> Vec<Up> {
        let messages = self.take_all_output(rank, poll);
        let persistent = self
            .member(rank)
            .and_then(|member| member.persistent.as_mut());
        let printed = persistent.map_or([0; 2], |persistent| persistent.count_from(at));
        self.send_frame(rank, &frame(&Reply::PassedOn(printed)), poll);
        messages
    }

    /// Reads what is in the pipes of a rank.
    fn take_all_output(&mut self, rank: u32, poll: &Poll) -> Vec<Up> {
        let mut messages = Vec::new();
        for stream in [0, 1] {
            let is_filled = |member: &mut LocalRank| {
                let fd = member.process.stream(stream);
                fd.is_some_and(|fd| is_ready(fd, Until::Readable))
            };
            while self.member(rank).is_some_and(is_filled) {
                messages.extend(self.take_output(stream, rank, poll));
            }
        }
        messages
    }

    /// Returns the exits of ranks, together with `pending`, the messages of a rank that were
    /// received before. Ranks that a signal killed come first, since others may end because of
    /// them. The messages of a rank come before its exit.
    pub(crate) fn check_exits(&mut self, pending: Option<(u32, Vec<Up>)>, poll: &Poll) -> Vec<Up> {
        let members = self.members.iter_mut();
        let ends: Vec<(u32, How)> = members
            .filter_map(|m| {
                let how = m.process.poll_exit(m.greeted)?;
                Some((m.rank, how))
            })
            .collect();
        let mut batches: Vec<(u32, bool, Vec<Up>)> = Vec::new();
        let notes = self.last_inspections(&ends);
        batches.extend(pending.map(|(rank, messages)| (rank, false, messages)));
        for (rank, how) in ends {
            let mut messages = self.receive(rank, poll);
            messages.extend(self.recording(rank));
            messages.extend(self.kills.explain(how).map(|why| {
                let of = self
                    .member(rank)
                    .map_or(rank, |m| rank - m.order.part.first);
                Up::Say(format!("rank {of}: {why}"))
            }));
            messages.push(Up::Event(Event::Exited { rank, how }));
            let killed = matches!(how, How::Signal(_));
            match batches
                .iter_mut()
                .find(|(reporter, _, _)| *reporter == rank)
            {
                Some((_, first, earlier)) => {
                    *first = killed;
                    earlier.extend(messages);
                }
                None => batches.push((rank, killed, messages)),
            }
        }
        batches.sort_by_key(|(_, killed, _)| !killed);
        let messages = batches.into_iter().flat_map(|(_, _, messages)| messages);
        notes.into_iter().chain(messages).collect()
    }

    /// Returns the number of the rank that a process is, and whether it uses MPI now.
    pub(crate) fn find(&mut self, pid: u32) -> Option<(u32, bool)> {
        let is_it = |m: &&LocalRank| m.process.pid() == pid || m.mpi_pid == Some(pid);
        let member = self.members.iter().find(is_it)?;
        Some((member.rank, member.greeted))
    }

    /// Returns what a rank has recorded, as messages.
    fn recording(&mut self, rank: u32) -> Vec<Up> {
        let recording = self
            .member(rank)
            .and_then(|member| member.recording.as_ref());
        recording.map_or(Vec::new(), |recording| recording.messages(rank))
    }

    /// Receives the messages of a rank. A hello is answered here, since its reply is known.
    fn receive(&mut self, rank: u32, poll: &Poll) -> Vec<Up> {
        let Some(member) = self.member(rank) else {
            return Vec::new();
        };
        let connection = &mut member.process.connection;
        connection.flush();
        let mut messages = Vec::new();
        let (mut to_greet, mut has_greeted) = (false, false);
        let mut printed = Vec::new();
        for received in connection.receive() {
            messages.push(match received {
                Received::Request(Request::Printed(at)) => {
                    printed.push(at);
                    continue;
                }
                Received::Request(Request::Hello { pid, .. }) => {
                    member.mpi_pid = Some(pid);
                    to_greet |= !std::mem::replace(&mut member.greeted, true);
                    has_greeted = true;
                    Up::Event(Event::Hello { rank, pid })
                }
                Received::Request(Request::Fence(entries)) => Up::Fence(vec![(rank, entries)]),
                Received::Request(Request::Meet(meet)) => match check_meet(rank, &meet, u32::MAX) {
                    Ok(()) => Up::Meet(Gathering {
                        members: meet.members,
                        key: meet.key,
                        entries: vec![(rank, meet.ticket, meet.value)],
                    }),
                    Err(detail) => Up::Event(Event::Malformed { rank, detail }),
                },
                Received::Request(Request::Finalize) => {
                    member.greeted = false;
                    Up::Event(Event::Finalize { rank })
                }
                Received::Request(Request::Abort {
                    code,
                    in_doubt,
                    reason,
                }) => Up::Event(Event::Abort {
                    rank,
                    code,
                    in_doubt,
                    reason,
                }),
                Received::Request(
                    request @ (Request::Spawn { .. }
                    | Request::Unlink { .. }
                    | Request::Names { .. }
                    | Request::Account(_)),
                ) => {
                    let mut frame = Vec::new();
                    request.encode(&mut frame);
                    Up::Request { rank, frame }
                }
                Received::Malformed(detail) => Up::Event(Event::Malformed { rank, detail }),
            });
        }
        self.after_messages(rank, (to_greet, has_greeted), poll);
        for at in printed {
            messages.extend(self.report_printed(rank, at, poll));
        }
        messages
    }

    /// Sees to the connection of a rank that was read, and welcomes a rank that has come. Programs
    /// are not looked at any more once a rank of theirs has.
    fn after_messages(&mut self, rank: u32, (to_greet, has_greeted): (bool, bool), poll: &Poll) {
        let Some(member) = self.member(rank) else {
            return;
        };
        let connection = &member.process.connection;
        if connection.is_closed() {
            poll.remove(connection);
        } else if !connection.is_behind() {
            poll.change(connection, Source::Connection(rank), Until::Readable);
        }
        let welcome = to_greet.then(|| welcome(&member.order, rank));
        let (first, app) = (member.order.part.first, member.app());
        self.inspections
            .retain(|look| !(has_greeted && look.first == first && look.app == app));
        if let Some(welcome) = welcome {
            self.send_frame(rank, &welcome, poll);
            for gone in self.gone.clone() {
                self.send_frame(rank, &gone, poll);
            }
        }
    }

    /// Sends a frame to a rank of this host; has no effect for other ranks.
    pub(crate) fn send_frame(&mut self, rank: u32, frame: &Arc<[u8]>, poll: &Poll) {
        self.send_by(rank, poll, |connection| connection.send(Arc::clone(frame)));
    }

    fn send_by(&mut self, rank: u32, poll: &Poll, send: impl FnOnce(&mut Connection)) {
        if let Some(member) = self.member(rank) {
            let connection = &mut member.process.connection;
            send(connection);
            if connection.is_behind() {
                poll.change(&*connection, Source::Connection(rank), Until::Either);
            }
        }
    }

    /// Notifies all ranks of a part here that their fence is complete. They share a long release;
    /// where no memory can be had for that, each gets its own.
    pub(crate) fn release(&mut self, first: u32, body: &[u8], poll: &Poll) {
        let memory = match body.len() >= SHARED_MIN {
            true => share(body).ok().map(Arc::new),
            false => None,
        };
        let frame = frame(&match memory {
            Some(_) => Reply::SharedRelease {
                bytes: body.len() as u32,
            },
            None => Reply::Release(body.to_vec()),
        });
        for rank in self.ranks_of(first) {
            let frame = Arc::clone(&frame);
            self.send_by(rank, poll, |connection| match &memory {
                Some(memory) => connection.send_with(frame, Arc::clone(memory)),
                None => connection.send(frame),
            });
        }
    }

    /// Notifies the other ranks here that one has died. A rank that has not sent a hello yet, or
    /// sends another one, ignores frames before its welcome, and is notified again after it.
    pub(crate) fn lose(&mut self, lost: u32, why: &str, poll: &Poll) {
        let why = why.to_string();
        let gone = frame(&Reply::Gone { rank: lost, why });
        for rank in self.ranks().into_iter().filter(|rank| *rank != lost) {
            self.send_frame(rank, &gone, poll);
        }
        self.gone.push(gone);
    }

    /// Ends all ranks here: the launcher is gone.
    pub(crate) fn end(&mut self) {
        let parts: BTreeSet<u32> = self.members.iter().map(|m| m.order.part.first).collect();
        for first in parts {
            self.signal_part(first, Signal::KILL.as_raw());
        }
    }

    /// Sends a signal to the process groups of all ranks here.
    pub(crate) fn signal(&mut self, signal: i32) {
        let members = self.members.iter_mut();
        members.for_each(|m| m.process.signal(signal));
    }

    /// Sends a signal to the process groups of a part's ranks here. One that ends them ends the
    /// start of those that are not there yet; returns whether there were such.
    pub(crate) fn signal_part(&mut self, first: u32, signal: i32) -> bool {
        let members = self.members.iter_mut();
        let members = members.filter(|m| m.order.part.first == first);
        members.for_each(|m| m.process.signal(signal));
        let ends = [Signal::TERM, Signal::KILL].into_iter();
        let Some(signal) = ends.into_iter().find(|one| one.as_raw() == signal) else {
            return false;
        };
        self.ended.insert(first);
        let ranks = self.of_strays(first);
        self.strays.signal(&ranks, signal);
        self.drop_queued(first)
    }

    /// Returns the ranks of a part here, as their strays are found.
    fn of_strays(&self, first: u32) -> Vec<strays::StrayOwner> {
        let members = self.members.iter().filter(|m| m.order.part.first == first);
        members.filter_map(|m| m.process.of_strays()).collect()
    }

    /// Ends the strays of a part, where it was ended.
    fn end_strays(&mut self, first: u32) {
        if self.ended.remove(&first) {
            let ranks = self.of_strays(first);
            self.strays.end(&ranks);
        }
    }

    /// Returns the children that this process has for its ranks.
    pub(crate) fn children(&self) -> impl Iterator<Item = u32> + '_ {
        let ranks = self.members.iter().map(|member| member.process.pid());
        ranks.chain(self.guard.as_ref().map(Guard::pid))
    }

    /// The numbers of a part's ranks here.
    fn ranks_of(&self, first: u32) -> Vec<u32> {
        let members = self.members.iter().filter(|m| m.order.part.first == first);
        members.map(|m| m.rank).collect()
    }

    /// Ends what the ranks of a part have left behind, and releases them. Returns the last output.
    pub(crate) fn forget(&mut self, first: u32, poll: &Poll) -> Vec<Up> {
        let of_part = |m: &&mut LocalRank| m.order.part.first == first;
        let members = self.members.iter_mut().filter(of_part);
        members.for_each(|m| m.process.signal(Signal::KILL.as_raw()));
        self.end_strays(first);
        let mut messages = Vec::new();
        for rank in self.ranks_of(first) {
            for stream in [0, 1] {
                self.drain(stream, rank, poll, &mut messages);
            }
        }
        let members = std::mem::take(&mut self.members).into_iter();
        let (over, left): (Vec<_>, Vec<_>) =
            members.partition(|member| member.order.part.first == first);
        self.members = left;
        for mut member in over {
            // The guard first: the number of the group is free as soon as it is reaped.
            if let Some(guard) = &mut self.guard {
                guard.forget(member.process.group());
            }
            member.process.reap();
        }
        messages
    }

    fn ranks(&self) -> Vec<u32> {
        self.members.iter().map(|m| m.rank).collect()
    }

    /// Reads output of a rank.
    pub(crate) fn take_output(&mut self, stream: usize, rank: u32, poll: &Poll) -> Vec<Up> {
        let Some(member) = self.member(rank) else {
            return Vec::new();
        };
        let Some(fd) = member.process.stream(stream) else {
            return Vec::new();
        };
        let mut bytes = Vec::with_capacity(CHUNK_BYTES);
        match rustix::io::read(fd, spare_capacity(&mut bytes)) {
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => return Vec::new(),
            Ok(n) if n > 0 => {}
            _ => member.process.close_stream(stream),
        }
        let mut messages = Vec::new();
        if let Some(persistent) = &mut member.persistent {
            if !persistent.passes(stream, &mut bytes) {
                return Vec::new();
            }
            // What is printed may depend on events that no message has depended on yet.
            messages.extend(persistent.ship(rank, 0));
        }
        self.streams[stream].underway += bytes.len();
        self.hold(stream, poll);
        messages.push(Up::Output {
            rank,
            stream,
            bytes,
        });
        messages
    }

    /// Notes that this many bytes of the output of ranks here have reached the user.
    pub(crate) fn credit(&mut self, stream: usize, bytes: usize, poll: &Poll) {
        let underway = &mut self.streams[stream].underway;
        *underway = underway.saturating_sub(bytes);
        self.hold(stream, poll);
    }

    /// Reads the ranks' pipes only while the output under way is less than the window.
    fn hold(&mut self, stream: usize, poll: &Poll) {
        let full = self.streams[stream].underway >= WINDOW_BYTES;
        if std::mem::replace(&mut self.streams[stream].held, full) == full {
            return;
        }
        for member in &self.members {
            if let Some(fd) = member.process.stream(stream) {
                let source = Source::Printed(stream, member.rank);
                poll.watch(fd, source, Until::Readable, !full);
            }
        }
    }

    /// Passes standard input to the rank that reads it; no bytes mean its end.
    pub(crate) fn input(&mut self, rank: u32, bytes: &[u8], poll: &Poll) -> Vec<Up> {
        let feed = self.feed.as_mut().filter(|(reader, _)| *reader == rank);
        if let Some((_, feed)) = feed {
            let messages = feed.push(bytes);
            feed.watch(poll);
            return self.unless_again(rank, messages);
        }
        match self.keep_input(rank, bytes) {
            true => Vec::new(),
            false => self.unless_again(rank, vec![Up::InputClosed]),
        }
    }

    /// Leaves out that a rank reads no more where its next life may.
    fn unless_again(&mut self, rank: u32, mut messages: Vec<Up>) -> Vec<Up> {
        if self.member(rank).is_some_and(|m| m.persistent.is_some()) {
            messages.retain(|message| *message != Up::InputClosed);
        }
        messages
    }

    /// Writes buffered input to the rank that reads it, whose pipe has room again.
    pub(crate) fn feed(&mut self, poll: &Poll) -> Vec<Up> {
        let Some((reader, feed)) = &mut self.feed else {
            return Vec::new();
        };
        let (reader, messages) = (*reader, feed.write());
        feed.watch(poll);
        self.unless_again(reader, messages)
    }

    /// Ends all processes that the ranks have left behind. Returns the last output.
    pub(crate) fn finish(&mut self, poll: &Poll) -> Vec<Up> {
        self.signal(Signal::KILL.as_raw());
        for first in self.ended.clone() {
            self.end_strays(first);
        }
        let mut messages = Vec::new();
        for rank in self.ranks() {
            for stream in [0, 1] {
                self.drain(stream, rank, poll, &mut messages);
            }
        }
        self.members.iter_mut().for_each(|m| m.process.reap());
        if let Some(guard) = self.guard.take() {
            guard.dismiss();
        }
        messages
    }

    /// Reads the rest of a rank's pipe, without waiting for other processes that may hold it open.
    fn drain(&mut self, stream: usize, rank: u32, poll: &Poll, messages: &mut Vec<Up>) {
        let is_filled = |member: &mut LocalRank| {
            let fd = member.process.stream(stream);
            fd.is_some_and(|fd| is_ready(fd, Until::Readable))
        };
        while self.member(rank).is_some_and(is_filled) {
            messages.extend(self.take_output(stream, rank, poll));
        }
        if self
            .member(rank)
            .is_some_and(|m| m.process.stream(stream).is_some() || m.persistent.is_some())
        {
            messages.push(Up::Output {
                rank,
                stream,
                bytes: Vec::new(),
            });
        }
    }
}

/// Waits for the connection and the output of a rank.
fn watch(member: &LocalRank, poll: &Poll) -> io::Result<()> {
    let (process, rank) = (&member.process, member.rank);
    poll.add(
        &process.connection,
        Source::Connection(rank),
        Until::Readable,
    )?;
    for stream in [0, 1] {
        if let Some(fd) = process.stream(stream) {
            // An event of the pipe of an earlier life may come after the new one took its place.
            rustix::io::ioctl_fionbio(fd, true)?;
            poll.add(fd, Source::Printed(stream, rank), Until::Readable)?;
        }
    }
    if let Some(journal) = member
        .persistent
        .as_ref()
        .and_then(PersistentState::journal)
    {
        poll.add(journal, Source::Journal(rank), Until::Readable)?;
    }
    Ok(())
}

fn welcome(order: &Order, number: u32) -> Arc<[u8]> {
    let (plan, part) = (&order.plan, order.part);
    let rank = number - part.first;
    frame(&Reply::Welcome(Welcome {
        version: wire::VERSION,
        rank,
        size: plan.size(),
        appnum: plan.placements[rank as usize].app,
        universe: plan.universe,
        job: plan.job,
        secret: plan.secret.0,
        first: part.first,
        parent: part.parent,
        nodes: order.node_of(),
    }))
}

/// Encodes a message to a rank.
pub(crate) fn frame(reply: &Reply) -> Arc<[u8]> {
    let mut bytes = Vec::new();
    reply.encode(&mut bytes);
    bytes.into()
}
