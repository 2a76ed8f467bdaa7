//! The ranks of this host: their processes, messages, output and exit.

use std::collections::hash_map::Entry;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bootstrap::child::Mask;
use bootstrap::native::wire::{self, Reply, Request, Welcome};
use rustix::buffer::spare_capacity;
use rustix::process::Signal;

use crate::connection::Heard;
use crate::descriptors;
use crate::guard::Guard;
use crate::job::{check_meet, Event, How};
use crate::plan::locate;
use crate::poll::{is_ready, Poll, Source, Until};
use crate::rank::{Input, OpenFiles, Process, With};
use crate::terminal::{self, Feed};
use crate::tree::order::Order;
use crate::tree::shape::ROOT;
use crate::tree::wire::{Gathering, Up};
use crate::Error;

/// Output of a stream, in bytes, that may be on its way to the user before the ranks have to wait.
pub(crate) const WINDOW_BYTES: usize = 256 * 1024;

/// How much of a rank's output is read at a time, in bytes; not on the stack, which may be small.
const CHUNK_BYTES: usize = 64 * 1024;

/// The ranks of one host.
pub(crate) struct Crew {
    order: Arc<Order>,
    /// In the order of their ranks.
    members: Vec<Member>,
    /// Where the rank that reads gets the input from, when somebody has to hand it on.
    feed: Option<(u32, Feed)>,
    guard: Option<Guard>,
    streams: [Stream; 2],
    /// Messages about ranks that died, here or elsewhere.
    gone: Vec<Arc<[u8]>>,
    /// The signals that this process was started to block; so are the ranks.
    blocked: Mask,
    /// The limit of open files that this process was started with, where it has another now.
    open_files: Option<OpenFiles>,
}

struct Member {
    rank: u32,
    process: Process,
    /// Whether it has said hello and not finalized since.
    greeted: bool,
}

/// The standard output or error of all ranks here.
#[derive(Default)]
struct Stream {
    /// Bytes that are on their way to the user.
    underway: usize,
    /// The ranks' pipes are not read at present.
    held: bool,
}

impl Crew {
    /// Starts the ranks of `vertex`, with these signals blocked. The events are to be reported in
    /// any case; with an error those that have started are still there, and are to be ended.
    pub(crate) fn start(
        order: Arc<Order>,
        vertex: u32,
        blocked: Mask,
        poll: &Poll,
    ) -> (Crew, Start) {
        let mut crew = Crew {
            members: Vec::new(),
            feed: None,
            guard: None,
            streams: Default::default(),
            gone: Vec::new(),
            blocked,
            open_files: None,
            order: Arc::clone(&order),
        };
        let mut told = Vec::new();
        let ranks: Vec<u32> = order.ranks_at(vertex).collect();
        let started = descriptors::make_room(ranks.len() as u32).and_then(|open_files| {
            crew.open_files = open_files;
            // Without a guard the system still kills the ranks' first processes.
            crew.guard = (!ranks.is_empty()).then(Guard::start).and_then(Result::ok);
            let paths = locate_all(&order, &ranks)?;
            let start = |rank: &u32| {
                let path = &paths[&order.plan.places[*rank as usize].app];
                crew.start_rank(*rank, path, vertex, poll, &mut told)
            };
            ranks.iter().try_for_each(start)
        });
        (crew, Start { told, started })
    }

    fn start_rank(
        &mut self,
        rank: u32,
        path: &Path,
        vertex: u32,
        poll: &Poll,
        told: &mut Vec<Up>,
    ) -> Result<(), Error> {
        let plan = &self.order.plan;
        let input = match plan.stdin == Some(rank) {
            true if vertex == ROOT => terminal::input(),
            true => Input::Pipe,
            false => Input::Null,
        };
        let announce = self.guard.as_ref().and_then(|guard| guard.pipe().ok());
        let with = With {
            path,
            input,
            announce,
            open_files: self.open_files,
            blocked: self.blocked,
        };
        let (process, stdin) = Process::start(plan, rank, with)?;
        let waiting = Error::system::<io::Error>("preparing to wait");
        if let Some(pipe) = stdin {
            self.feed = Some((rank, Feed::new(pipe).map_err(&waiting)?));
        }
        let pid = process.pid();
        if plan.verbose {
            let program = path.display();
            told.push(Up::Say(format!(
                "rank {rank}: process {pid} runs {program}"
            )));
        }
        self.members.push(Member {
            rank,
            process,
            greeted: false,
        });
        let process = &self.members[self.members.len() - 1].process;
        poll.add(
            &process.connection,
            Source::Connection(rank),
            Until::Readable,
        )
        .map_err(&waiting)?;
        for stream in [0, 1] {
            if let Some(fd) = process.stream(stream) {
                poll.add(fd, Source::Printed(stream, rank), Until::Readable)
                    .map_err(&waiting)?;
            }
        }
        told.push(Up::Event(Event::Started { rank, pid }));
        Ok(())
    }

    fn member(&mut self, rank: u32) -> Option<&mut Member> {
        let at = self.members.binary_search_by_key(&rank, |m| m.rank).ok()?;
        Some(&mut self.members[at])
    }

    /// Takes what a rank said. When that may end the job, first checks whether a rank has died: a
    /// peer that gives up may do so because of it.
    pub(crate) fn take_words(&mut self, rank: u32, poll: &Poll) -> Vec<Up> {
        let said = self.hear(rank, poll);
        let grave = |e: &Up| matches!(e, Up::Event(Event::Abort { .. } | Event::Nonsense { .. }));
        match said.iter().any(grave) {
            true => self.look_for_exits(Some((rank, said)), poll),
            false => said,
        }
    }

    /// Reports ranks that have exited, and what `spoke` says of a rank that was heard before. Ranks
    /// that a signal killed come first: others that end with them may do so because of them. What a
    /// rank said before it ended comes before its end.
    pub(crate) fn look_for_exits(&mut self, spoke: Option<(u32, Vec<Up>)>, poll: &Poll) -> Vec<Up> {
        let looks = self.members.iter_mut();
        let ends: Vec<(u32, How)> = looks
            .filter_map(|m| m.process.look().map(|how| (m.rank, how)))
            .collect();
        let mut batches: Vec<(u32, bool, Vec<Up>)> = Vec::new();
        batches.extend(spoke.map(|(rank, words)| (rank, false, words)));
        for (rank, how) in ends {
            let mut words = self.hear(rank, poll);
            words.push(Up::Event(Event::Exited { rank, how }));
            let killed = matches!(how, How::Signal(_));
            match batches.iter_mut().find(|(spoken, _, _)| *spoken == rank) {
                Some((_, first, said)) => {
                    *first = killed;
                    said.extend(words);
                }
                None => batches.push((rank, killed, words)),
            }
        }
        batches.sort_by_key(|(_, killed, _)| !killed);
        batches
            .into_iter()
            .flat_map(|(_, _, words)| words)
            .collect()
    }

    /// Reads what a rank says. Its hello is answered here: everything that it is to know is known.
    fn hear(&mut self, rank: u32, poll: &Poll) -> Vec<Up> {
        let size = self.order.plan.size();
        let Some(member) = self.member(rank) else {
            return Vec::new();
        };
        let connection = &mut member.process.connection;
        connection.flush();
        let mut words = Vec::new();
        let mut to_greet = false;
        for heard in connection.hear() {
            words.push(match heard {
                Heard::Request(Request::Hello { pid, .. }) => {
                    to_greet |= !std::mem::replace(&mut member.greeted, true);
                    Up::Event(Event::Hello { rank, pid })
                }
                Heard::Request(Request::Fence(entries)) => Up::Fence(vec![(rank, entries)]),
                Heard::Request(Request::Meet(meet)) => match check_meet(rank, &meet, size) {
                    Ok(()) => Up::Meet(Gathering {
                        members: meet.members,
                        key: meet.key,
                        seats: vec![(rank, meet.ticket, meet.value)],
                    }),
                    Err(detail) => Up::Event(Event::Nonsense { rank, detail }),
                },
                Heard::Request(Request::Finalize) => {
                    member.greeted = false;
                    Up::Event(Event::Finalize { rank })
                }
                Heard::Request(Request::Abort {
                    code,
                    in_doubt,
                    reason,
                }) => Up::Event(Event::Abort {
                    rank,
                    code,
                    in_doubt,
                    reason,
                }),
                Heard::Nonsense(detail) => Up::Event(Event::Nonsense { rank, detail }),
            });
        }
        let connection = &member.process.connection;
        if connection.is_closed() {
            poll.remove(connection);
        } else if !connection.is_behind() {
            poll.change(connection, Source::Connection(rank), Until::Readable);
        }
        if to_greet {
            let welcome = self.welcome(rank);
            self.answer(rank, &welcome, poll);
            for gone in self.gone.clone() {
                self.answer(rank, &gone, poll);
            }
        }
        words
    }

    fn welcome(&self, rank: u32) -> Arc<[u8]> {
        let plan = &self.order.plan;
        frame(&Reply::Welcome(Welcome {
            version: wire::VERSION,
            rank,
            size: plan.size(),
            appnum: plan.places[rank as usize].app,
            universe: plan.universe,
            job: plan.job,
            secret: plan.secret.0,
            nodes: self.order.node_of(),
        }))
    }

    /// Sends a rank a frame; nothing happens where it is not here.
    pub(crate) fn answer(&mut self, rank: u32, frame: &Arc<[u8]>, poll: &Poll) {
        if let Some(member) = self.member(rank) {
            let connection = &mut member.process.connection;
            connection.say(Arc::clone(frame));
            if connection.is_behind() {
                poll.change(&*connection, Source::Connection(rank), Until::Either);
            }
        }
    }

    /// Notifies all ranks here that a fence is over.
    pub(crate) fn release(&mut self, body: &[u8], poll: &Poll) {
        let frame = frame(&Reply::Release(body.to_vec()));
        for rank in self.ranks() {
            self.answer(rank, &frame, poll);
        }
    }

    /// Notifies the other ranks here that one has died. A rank that has not said hello yet, or
    /// comes back, skips what is before its welcome, and is notified again after it.
    pub(crate) fn lose(&mut self, lost: u32, why: &str, poll: &Poll) {
        let why = why.to_string();
        let gone = frame(&Reply::Gone { rank: lost, why });
        for rank in self.ranks().into_iter().filter(|rank| *rank != lost) {
            self.answer(rank, &gone, poll);
        }
        self.gone.push(gone);
    }

    /// Sends a signal to the process groups of all ranks here.
    pub(crate) fn signal(&self, signal: i32) {
        self.members.iter().for_each(|m| m.process.signal(signal));
    }

    fn ranks(&self) -> Vec<u32> {
        self.members.iter().map(|m| m.rank).collect()
    }

    /// Takes what a rank printed.
    pub(crate) fn take_output(&mut self, stream: usize, rank: u32, poll: &Poll) -> Vec<Up> {
        let Some(member) = self.member(rank) else {
            return Vec::new();
        };
        let Some(fd) = member.process.stream(stream) else {
            return Vec::new();
        };
        let mut bytes = Vec::with_capacity(CHUNK_BYTES);
        match rustix::io::read(fd, spare_capacity(&mut bytes)) {
            Err(rustix::io::Errno::INTR) => return Vec::new(),
            Ok(n) if n > 0 => {}
            _ => member.process.close_stream(stream),
        }
        self.streams[stream].underway += bytes.len();
        self.hold(stream, poll);
        vec![Up::Output {
            rank,
            stream,
            bytes,
        }]
    }

    /// Notes that this many bytes of what the ranks here printed have gone to the user.
    pub(crate) fn credit(&mut self, stream: usize, bytes: usize, poll: &Poll) {
        let underway = &mut self.streams[stream].underway;
        *underway = underway.saturating_sub(bytes);
        self.hold(stream, poll);
    }

    /// Reads the ranks' pipes while the user's output has room, and not otherwise.
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

    /// Hands standard input to the rank that reads; nothing ends it.
    pub(crate) fn input(&mut self, rank: u32, bytes: &[u8], poll: &Poll) -> Vec<Up> {
        match &mut self.feed {
            Some((reader, feed)) if *reader == rank => {
                let words = feed.push(bytes);
                feed.watch(poll);
                words
            }
            _ => vec![Up::Deaf],
        }
    }

    /// The rank that reads takes more.
    pub(crate) fn feed(&mut self, poll: &Poll) -> Vec<Up> {
        let Some((_, feed)) = &mut self.feed else {
            return Vec::new();
        };
        let words = feed.write();
        feed.watch(poll);
        words
    }

    /// Ends what the ranks have left behind. What they printed last.
    pub(crate) fn finish(&mut self, poll: &Poll) -> Vec<Up> {
        self.signal(Signal::KILL.as_raw());
        let mut words = Vec::new();
        for rank in self.ranks() {
            for stream in [0, 1] {
                self.drain(stream, rank, poll, &mut words);
            }
        }
        self.members.iter_mut().for_each(|m| m.process.bury());
        if let Some(guard) = self.guard.take() {
            guard.dismiss();
        }
        words
    }

    /// Takes what is left in a rank's pipe, without waiting for other processes that may hold it
    /// open.
    fn drain(&mut self, stream: usize, rank: u32, poll: &Poll, words: &mut Vec<Up>) {
        let is_filled = |member: &mut Member| {
            let fd = member.process.stream(stream);
            fd.is_some_and(|fd| is_ready(fd, Until::Readable))
        };
        while self.member(rank).is_some_and(is_filled) {
            words.extend(self.take_output(stream, rank, poll));
        }
        if self
            .member(rank)
            .is_some_and(|m| m.process.stream(stream).is_some())
        {
            words.push(Up::Output {
                rank,
                stream,
                bytes: Vec::new(),
            });
        }
    }
}

/// How a start went.
pub(crate) struct Start {
    /// Events to report.
    pub(crate) told: Vec<Up>,
    /// Whether all ranks were started.
    pub(crate) started: Result<(), Error>,
}

/// Encodes a message to a rank.
pub(crate) fn frame(reply: &Reply) -> Arc<[u8]> {
    let mut bytes = Vec::new();
    reply.encode(&mut bytes);
    bytes.into()
}

/// The files of the programs that these ranks run, so that none is started when one cannot be.
fn locate_all(order: &Order, ranks: &[u32]) -> Result<HashMap<u32, PathBuf>, Error> {
    let mut paths = HashMap::new();
    for &rank in ranks {
        let app = order.plan.places[rank as usize].app;
        if let Entry::Vacant(place) = paths.entry(app) {
            place.insert(locate(order.plan.app(rank))?);
        }
    }
    Ok(paths)
}
