//! One vertex of the tree, `mpirun` or a daemon: its ranks, the daemons below it, and its poll.
//!
//! All events become messages that go up, which the owner of the vertex forwards or handles.
//! Messages that come down are passed to [`Vertex::give`], which executes what concerns this host
//! and forwards what concerns others.

mod daemons;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use base::{Clock, Instant, Monotonic};
use bootstrap::native::wire::{Reply, Request};
use rustix::event::Timespec;

use crate::link::{Link, LinkEvent};
use crate::order::Order;
use crate::plm::call::Calls;
use crate::plm::Agent;
use crate::poll::{Poll, Source, Until};
use crate::queries::{self, Asked, Queries};
use crate::ranks::descriptors;
use crate::ranks::process::OpenFiles;
use crate::ranks::strays;
use crate::ranks::{self, LocalRanks};
use crate::shape::{Shape, ROOT};
use crate::signals::Signals;
use crate::starter::Starter;
use crate::wire::{Begin, Down, Up};
use launch_plan::plan::{is_of_one_host, is_of_one_host_of_batch};
use launch_plan::Error;
use launch_report::process::activity;
use launch_report::waits;

/// After a pause of this length the neighbours are not to blame for their silence.
const PAUSE: Duration = Duration::from_secs(2);

/// How often adopted processes are reaped at most.
const REAP_EVERY: Duration = Duration::from_millis(50);

/// A vertex.
pub struct Vertex {
    /// The clock of the loop.
    pub clock: Monotonic,
    /// All descriptors that the loop waits for.
    pub poll: Poll,
    /// Signals to this process.
    pub signals: Signals,
    number: u32,
    shape: Shape,
    agent: Option<Agent>,
    hosts: Vec<String>,
    links: Vec<Link>,
    /// The commands that start, or have started, the daemons of the links.
    starters: Vec<Starter>,
    /// The daemons that connect to this vertex, where such are started.
    calls: Option<Calls>,
    local_ranks: Option<LocalRanks>,
    /// The parts of the job, by the number of their first process.
    orders: BTreeMap<u32, Arc<Order>>,
    /// The limit of open files that this process was started with, if it has changed it.
    open_files: Option<OpenFiles>,
    /// The socket of a process that this launcher serves, until the job begins.
    served: Option<UnixStream>,
    /// Those who ask about a process here.
    queries: Queries,
    /// Children of this process beside ranks and agents.
    helpers: BTreeSet<u32>,
    /// When adopted processes may be reaped again.
    reap_at: Instant,
    /// The last turn of the loop.
    turned: Instant,
}

impl Vertex {
    /// Returns a vertex that has no place yet.
    pub fn new() -> Result<Vertex, Error> {
        strays::adopt();
        let open_files = descriptors::make_own_room()?;
        let signals = Signals::catch().map_err(Error::system("catching signals"))?;
        let poll = Poll::new()?;
        poll.add(&signals, Source::Signals, Until::Readable)
            .map_err(Error::system::<io::Error>("preparing to wait"))?;
        let clock = Monotonic::start();
        Ok(Vertex {
            helpers: BTreeSet::new(),
            reap_at: clock.now(),
            turned: clock.now(),
            clock,
            queries: Queries::listen(&poll),
            poll,
            signals,
            number: 0,
            shape: Shape::new(1, 1),
            agent: None,
            hosts: Vec::new(),
            links: Vec::new(),
            starters: Vec::new(),
            calls: None,
            local_ranks: None,
            orders: BTreeMap::new(),
            open_files,
            served: None,
        })
    }

    /// The first rank will be the process at the other end of this socket.
    pub fn serve(&mut self, socket: UnixStream) {
        self.served = Some(socket);
    }

    /// Takes a position in the tree and starts the daemons below it. Returns the failures.
    pub fn begin(&mut self, begin: Begin) -> Vec<Up> {
        self.number = begin.vertex;
        self.shape = Shape::new(begin.hosts.len() as u32, begin.radix);
        self.hosts = begin.hosts;
        let children = self.shape.children(self.number);
        let messages = self.start_daemons(&begin.agent, children);
        self.agent = Some(begin.agent);
        messages
    }

    /// Returns the number of hosts from here down.
    pub(crate) fn hosts_below(&self) -> usize {
        self.shape.subtree(self.number).len()
    }

    /// Returns the user's name of a host.
    pub fn host(&self, vertex: u32) -> &str {
        self.hosts.get(vertex as usize).map_or("", String::as_str)
    }

    /// Returns the function that knows which variables hold for one host only.
    pub fn is_of_one_host(&self) -> fn(&OsStr) -> bool {
        match self.agent.as_ref().is_some_and(Agent::calls) {
            true => is_of_one_host_of_batch,
            false => is_of_one_host,
        }
    }

    /// Returns the shape of the tree at its start.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Begins to start the processes of a part on this host. Returns the events, failures among
    /// them; those of the rest come with the next turns of the loop.
    pub fn launch(&mut self, order: Arc<Order>) -> Vec<Up> {
        let blocked = self.signals.given();
        let first = order.part.first;
        let given = (blocked, self.open_files);
        let local_ranks = self
            .local_ranks
            .get_or_insert_with(|| LocalRanks::new(given, self.served.take()));
        self.orders.insert(first, Arc::clone(&order));
        match local_ranks.start(order, self.number) {
            Ok(()) => self.start_some(),
            Err(error) => vec![self.cannot_start(first, &error.to_string())],
        }
    }

    /// Starts some of the processes that are to be started on this host.
    fn start_some(&mut self) -> Vec<Up> {
        let Some(local_ranks) = &mut self.local_ranks else {
            return Vec::new();
        };
        let (mut messages, failed) = local_ranks.start_some(&self.poll, &self.clock);
        let failed = failed.map(|(first, error)| self.cannot_start(first, &error.to_string()));
        messages.extend(failed);
        messages
    }

    /// Returns the report that processes of a part cannot be started here.
    fn cannot_start(&self, first: u32, why: &str) -> Up {
        let text = match self.number {
            ROOT => why.to_string(),
            other => format!("host {}: {why}", self.hosts[other as usize]),
        };
        Up::Failed {
            vertex: self.number,
            part: Some(first),
            text,
        }
    }

    /// The vertex of a process; `None` when there is no such process.
    fn vertex_of(&self, number: u32) -> Option<u32> {
        let (first, order) = self.orders.range(..=number).next_back()?;
        order.vertex(number - first)
    }

    /// Waits until descriptors are ready, or until `until`. Returns those that are ready.
    pub fn wait(&mut self, until: Option<Instant>) -> Vec<Source> {
        let now = self.clock.now();
        let links = self.links.iter().map(|link| link.deadline(now));
        let inspections = self
            .local_ranks
            .as_ref()
            .and_then(LocalRanks::next_inspection);
        let asking = self.queries.deadline();
        let starting = self.local_ranks.as_ref().map(LocalRanks::is_starting);
        let until = until
            .into_iter()
            .chain(links)
            .chain(inspections)
            .chain(asking)
            .chain(starting.filter(|is_starting| *is_starting).map(|_| now))
            .min();
        let patience = until.map(|until| {
            let left = until.since(now);
            Timespec {
                tv_sec: left.as_secs() as i64,
                tv_nsec: left.subsec_nanos().into(),
            }
        });
        self.poll.wait(patience)
    }

    /// Whether this vertex did not run for some time since the last call, because it was stopped or
    /// starved. To be called at least once per turn of the loop.
    pub fn was_away(&mut self) -> bool {
        let now = self.clock.now();
        let away = now.since(std::mem::replace(&mut self.turned, now)) > PAUSE;
        if away {
            self.links.iter_mut().for_each(|link| link.forgive(now));
        }
        away
    }

    /// Handles a ready descriptor of a rank or daemon. Returns the messages that go up.
    pub fn take(&mut self, source: Source) -> Vec<Up> {
        match source {
            Source::Connection(rank) => {
                let messages = self
                    .with_local_ranks(|local_ranks, poll| local_ranks.take_messages(rank, poll));
                self.answer_queries(rank, &messages);
                messages
            }
            Source::QueryListener => {
                self.queries.accept(&self.poll, self.clock.now());
                Vec::new()
            }
            Source::Query(number) => {
                self.ask_for_query(number);
                Vec::new()
            }
            Source::Printed(stream, rank) => self
                .with_local_ranks(|local_ranks, poll| local_ranks.take_output(stream, rank, poll)),
            Source::Journal(rank) => {
                self.with_local_ranks(|local_ranks, _| local_ranks.take_tokens(rank))
            }
            Source::StdinPipe => self.with_local_ranks(|local_ranks, poll| local_ranks.feed(poll)),
            Source::Link(stream, vertex) => self.take_link(stream, vertex),
            Source::Complaint(number) => {
                if let Some(starter) = self.starters.get_mut(number as usize) {
                    starter.read(&self.poll);
                }
                Vec::new()
            }
            Source::CallListener | Source::Call(_) => self.take_call(source),
            Source::Signals | Source::Sink(_) | Source::Stdin | Source::Parent(_) => Vec::new(),
        }
    }

    fn with_local_ranks(&mut self, act: impl FnOnce(&mut LocalRanks, &Poll) -> Vec<Up>) -> Vec<Up> {
        match &mut self.local_ranks {
            Some(local_ranks) => act(local_ranks, &self.poll),
            None => Vec::new(),
        }
    }

    /// Asks the process that a query is about.
    fn ask_for_query(&mut self, number: u32) {
        let Some(pid) = self.queries.question(number, &self.poll) else {
            return;
        };
        let found = self.local_ranks.as_mut().and_then(|ranks| ranks.find(pid));
        match found {
            None => {
                let why = format!("process {pid} is no rank of the job of its mpirun");
                self.queries.answer(number, &queries::refusal(&why));
            }
            Some((rank, false)) => {
                let text = waits::state_of(rank, pid, false, activity(pid));
                self.queries.answer(number, &text);
            }
            Some((rank, true)) => {
                self.queries.wait_for(number, Asked { pid, rank });
                if let Some(local_ranks) = &mut self.local_ranks {
                    local_ranks.send_frame(
                        rank,
                        &ranks::frame(&Reply::Ask { question: 0 }),
                        &self.poll,
                    );
                }
            }
        }
    }

    /// Answers the queries about a process with the account that it has sent.
    fn answer_queries(&mut self, rank: u32, messages: &[Up]) {
        let askers = self.queries.askers(rank);
        if askers.is_empty() {
            return;
        }
        let mut accounts = messages.iter().filter_map(|message| match message {
            Up::Request { frame, .. } => match Request::decode(&mut frame.clone()) {
                Ok(Some(Request::Account(account))) => Some(account),
                _ => None,
            },
            _ => None,
        });
        if let Some(account) = accounts.next_back() {
            for (number, asked) in askers {
                let text = waits::queues(rank, asked.pid, &account);
                self.queries.answer(number, &text);
            }
        }
    }

    /// Answers the queries that are due: their processes have not answered.
    fn end_queries_due(&mut self, now: Instant) {
        for (number, asked) in self.queries.due(now) {
            let text = match asked {
                Some(Asked { pid, rank }) => waits::state_of(rank, pid, true, activity(pid)),
                None => String::new(),
            };
            self.queries.answer(number, &text);
        }
    }

    fn say(&mut self, vertex: u32, frame: &Arc<[u8]>) {
        let now = self.clock.now();
        if let Some(link) = self.links.iter_mut().find(|link| link.vertex == vertex) {
            link.say(Arc::clone(frame), &self.poll, now);
        }
    }

    /// Checks which ranks and remote shells have exited.
    pub fn check_exits(&mut self) -> Vec<Up> {
        let mut messages =
            self.with_local_ranks(|local_ranks, poll| local_ranks.check_exits(None, poll));
        messages.extend(self.tick());
        self.reap_adopted();
        messages
    }

    /// Reaps processes that this one has adopted, but not at every moment: there may be many.
    fn reap_adopted(&mut self) {
        let now = self.clock.now();
        if now >= self.reap_at {
            self.reap_at = now.after(REAP_EVERY);
            let ranks = self.local_ranks.iter().flat_map(LocalRanks::children);
            let starters = self.starters.iter().map(Starter::pid);
            let own = ranks.chain(starters).chain(self.helpers.iter().copied());
            strays::reap(&own.collect());
        }
    }

    /// Notes children that this process reaps itself.
    pub fn note_helpers(&mut self, pids: impl Iterator<Item = u32>) {
        self.helpers.extend(pids);
    }

    /// Ends all ranks here: the launcher is gone.
    pub(crate) fn end_local_ranks(&mut self) -> Vec<Up> {
        if let Some(local_ranks) = &mut self.local_ranks {
            local_ranks.end();
        }
        self.finish_local_ranks()
    }

    /// Does the periodic work: starts processes, sends heartbeats, detects silent daemons, and
    /// inspections at programs that do not connect.
    pub fn tick(&mut self) -> Vec<Up> {
        // The process may have been stopped since the turn began.
        self.was_away();
        let now = self.clock.now();
        self.end_queries_due(now);
        let mut messages = self.start_some();
        messages.extend(self.with_local_ranks(|local_ranks, _| local_ranks.inspect(now)));
        let Some(agent) = &self.agent else {
            return messages;
        };
        if let Some(calls) = &mut self.calls {
            calls.drop_late(now);
        }
        let beat: Arc<[u8]> = Down::Beat.encode().into();
        for link in &mut self.links {
            if link.wants_beat(now) {
                link.say(Arc::clone(&beat), &self.poll, now);
            }
            let starter = &mut self.starters[link.starter as usize];
            if let Some(LinkEvent::Gone(text)) = link.check((agent, starter), &self.poll, now) {
                let vertex = link.vertex;
                messages.push(Up::Lost { vertex, text });
            }
        }
        messages
    }

    /// Executes a message from above, and forwards it. Returns the messages that go up in
    /// consequence.
    pub fn give(&mut self, message: &Down) -> Vec<Up> {
        match message {
            Down::Launch(_) | Down::Hurry | Down::Finish => self.forward(message),
            Down::Signal(signal) => {
                if let Some(local_ranks) = &mut self.local_ranks {
                    local_ranks.signal(*signal);
                }
                self.forward(message);
            }
            Down::SignalPart { first, signal } => {
                self.forward(message);
                let local_ranks = self.local_ranks.as_mut();
                if local_ranks.is_some_and(|ranks| ranks.signal_part(*first, *signal)) {
                    return vec![self.cannot_start(*first, "the job ends while it starts")];
                }
            }
            Down::Release { first, body } => {
                self.forward(message);
                if let Some(local_ranks) = &mut self.local_ranks {
                    local_ranks.release(*first, body, &self.poll);
                }
            }
            Down::Reply { rank, frame } => self.reply(*rank, frame, message),
            Down::Forget { first } => {
                self.forward(message);
                let messages =
                    self.with_local_ranks(|local_ranks, poll| local_ranks.forget(*first, poll));
                self.orders.remove(first);
                return messages;
            }
            Down::Gone { rank, why } => {
                self.forward(message);
                if let Some(local_ranks) = &mut self.local_ranks {
                    local_ranks.lose(*rank, why, &self.poll);
                }
            }
            Down::Restart { .. } | Down::Move { .. } | Down::Adopt { .. } | Down::Logged { .. } => {
                return self.give_restart(message)
            }
            Down::Met { tickets, values } => self.meet(tickets, values),
            Down::Input { rank, bytes } => {
                return match self.vertex_of(*rank) {
                    Some(at) if at == self.number => self.with_local_ranks(|local_ranks, poll| {
                        local_ranks.input(*rank, bytes, poll)
                    }),
                    Some(at) => {
                        self.send_to_vertex(at, message);
                        Vec::new()
                    }
                    None => Vec::new(),
                }
            }
            Down::Credit {
                vertex,
                stream,
                bytes,
            } => match (*vertex == self.number, &mut self.local_ranks) {
                (true, Some(local_ranks)) => {
                    local_ranks.credit(*stream, *bytes as usize, &self.poll)
                }
                (true, None) => {}
                (false, _) => self.send_to_vertex(*vertex, message),
            },
            Down::Begin(_) | Down::Beat => {}
        }
        Vec::new()
    }

    /// Passes on a signal that a daemon has got from a batch system to all ranks that do not have
    /// it yet.
    pub fn give_signal_of_daemon(&mut self, signal: i32) {
        let have = self.agent.as_ref().is_some_and(Agent::signals_ranks);
        match (have, &mut self.local_ranks) {
            (true, Some(local_ranks)) => local_ranks.signal(signal),
            (true, None) => {}
            (false, _) => {
                self.give(&Down::Signal(signal));
            }
        }
    }

    /// Executes a message about a process that is started again, or forwards it.
    fn give_restart(&mut self, message: &Down) -> Vec<Up> {
        match message {
            Down::Restart { rank, life } => return self.restart((*rank, *life), message),
            Down::Move { rank, node } => {
                self.forward(message);
                self.relocate(*rank, *node);
            }
            Down::Adopt {
                rank,
                life,
                printed,
                stores,
            } => return self.adopt((*rank, *life), (*printed, stores), message),
            Down::Logged { rank, token } => match (self.vertex_of(*rank), &mut self.local_ranks) {
                (Some(at), Some(local_ranks)) if at == self.number => {
                    local_ranks.logged(*rank, *token);
                }
                (Some(at), _) => self.send_to_vertex(at, message),
                (None, _) => {}
            },
            _ => {}
        }
        Vec::new()
    }

    /// Passes a frame to a process here or below; `message` is what it came in.
    fn reply(&mut self, number: u32, frame: &[u8], message: &Down) {
        match (self.vertex_of(number), &mut self.local_ranks) {
            (Some(at), Some(local_ranks)) if at == self.number => {
                local_ranks.send_frame(number, &frame.into(), &self.poll);
            }
            (Some(at), _) => self.send_to_vertex(at, message),
            (None, _) => {}
        }
    }

    fn forward(&mut self, message: &Down) {
        if self.links.is_empty() {
            return;
        }
        let (frame, now): (Arc<[u8]>, _) = (message.encode().into(), self.clock.now());
        for link in &mut self.links {
            link.say(Arc::clone(&frame), &self.poll, now);
        }
    }

    fn send_to_vertex(&mut self, vertex: u32, message: &Down) {
        if let Some(child) = self.shape.next_hop(self.number, vertex) {
            self.say(child, &message.encode().into());
        }
    }

    /// Starts a rank that was killed again, where it is one of this host.
    fn restart(&mut self, (rank, life): (u32, u32), message: &Down) -> Vec<Up> {
        if self.vertex_of(rank) != Some(self.number) {
            self.forward(message);
            return Vec::new();
        }
        let Some(local_ranks) = &mut self.local_ranks else {
            return Vec::new();
        };
        let (mut messages, started) = local_ranks.restart(rank, life, &self.poll);
        messages.extend(started.err().map(|why| self.failed_again(rank, &why)));
        messages
    }

    /// Starts a rank whose host was lost, where it is to be on this one.
    fn adopt(
        &mut self,
        (rank, life): (u32, u32),
        left: ([u64; 2], &[(u64, u64)]),
        message: &Down,
    ) -> Vec<Up> {
        match self.vertex_of(rank) {
            Some(at) if at == self.number => {}
            Some(at) => {
                self.send_to_vertex(at, message);
                return Vec::new();
            }
            None => return Vec::new(),
        }
        let order = self.orders.range(..=rank).next_back();
        let Some(order) = order.map(|(_, order)| Arc::clone(order)) else {
            return Vec::new();
        };
        let given = (self.signals.given(), self.open_files);
        let local_ranks = self
            .local_ranks
            .get_or_insert_with(|| LocalRanks::new(given, None));
        let started = local_ranks.adopt(&order, (rank, life), left, self.number, &self.poll);
        vec![started.unwrap_or_else(|why| self.failed_again(rank, &why))]
    }

    /// Returns the report that a rank could not be started again here.
    fn failed_again(&self, rank: u32, why: &Error) -> Up {
        let host = match self.number {
            ROOT => String::new(),
            other => format!(" on {}", self.hosts[other as usize]),
        };
        Up::Failed {
            vertex: self.number,
            part: None,
            text: format!("rank {rank} cannot be started again{host}: {why}"),
        }
    }

    /// Notes that a process is on another node from now on.
    fn relocate(&mut self, number: u32, node: u32) {
        if let Some((first, order)) = self.orders.range_mut(..=number).next_back() {
            *order = Arc::new(order.moved(number - first, node));
        }
    }

    /// Whether a process can be started at a vertex: its daemon is there.
    pub fn is_up(&self, vertex: u32) -> bool {
        let hop = self.shape.next_hop(self.number, vertex);
        let link = |hop: u32| self.links.iter().find(|link| link.vertex == hop);
        vertex == self.number || hop.and_then(link).is_some_and(Link::is_up)
    }

    /// Notifies the members of a meeting that are here and below that it is complete.
    fn meet(&mut self, tickets: &[(u32, u32)], values: &[Vec<u8>]) {
        let mut below: Vec<(u32, Vec<(u32, u32)>)> = Vec::new();
        for &(rank, ticket) in tickets {
            let Some(at) = self.vertex_of(rank) else {
                continue;
            };
            if let (true, Some(local_ranks)) = (at == self.number, &mut self.local_ranks) {
                let values = values.to_vec();
                let frame = ranks::frame(&Reply::Met { ticket, values });
                local_ranks.send_frame(rank, &frame, &self.poll);
            } else if let Some(child) = self.shape.next_hop(self.number, at) {
                match below.iter_mut().find(|(vertex, _)| *vertex == child) {
                    Some((_, tickets)) => tickets.push((rank, ticket)),
                    None => below.push((child, vec![(rank, ticket)])),
                }
            }
        }
        for (child, tickets) in below {
            let values = values.to_vec();
            let message = Down::Met { tickets, values };
            self.say(child, &message.encode().into());
        }
    }

    /// Ends all processes that the ranks here have left behind. Returns the last output.
    pub fn finish_local_ranks(&mut self) -> Vec<Up> {
        match self.local_ranks.take() {
            Some(mut local_ranks) => local_ranks.finish(&self.poll),
            None => Vec::new(),
        }
    }

    /// Whether all daemons below have sent their goodbye or are gone.
    pub fn is_alone(&self) -> bool {
        self.links.iter().all(Link::is_over)
    }

    /// Kills daemons that have not sent a message yet, since nothing can be sent to them.
    pub fn drop_silent(&mut self) {
        let links = self.links.iter_mut();
        for link in links.filter(|link| !link.is_up() && !link.is_over()) {
            link.kill(&mut self.starters[link.starter as usize]);
        }
    }

    /// Closes the connections to all daemons below. Those that still run end because of that.
    pub fn close(&mut self) {
        self.links.clear();
        // Not before the connections, by whose end they end.
        self.calls = None;
        self.starters.clear();
    }
}
