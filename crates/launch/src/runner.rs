//! The event loop of `mpirun`: one thread that waits for all events.
//!
//! It is the root of the tree of hosts (`launch_tree`), and often the only vertex. It sleeps
//! until a rank sends a message, prints or exits, a daemon sends a message, a signal arrives or a
//! deadline passes; passes the event to the job; and executes the job's actions. It never blocks:
//! what cannot be written now is queued, and while much is queued the ranks' output is not read.

mod added_hosts;
mod debuggers;
mod printed;
mod questions;
mod requests;
mod restart;
mod traces;
mod waits;

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use base::{Clock, Instant};
use bootstrap::names::Names;
use bootstrap::native::wire::Reply;

use crate::debuggers::Debuggers;
use crate::output::sink::Sink;
use crate::output::Files;
use crate::output::Merger;
use crate::spawn::{PendingSpawn, Spawner};
use crate::stdin::StdinReader;
use launch_job::parts::{Action, Parts};
use launch_job::{signal_name, Event, FailurePolicy, Job};
use launch_plan::Error;
use launch_tree::order::Order;
use launch_tree::poll::{Source, Until};
use launch_tree::ranks::journal::Copies;
use launch_tree::ranks::WINDOW_BYTES;
use launch_tree::shape::ROOT;
use launch_tree::signals;
use launch_tree::vertex::Vertex;
use launch_tree::wire::{Begin, Down, Host, Up};
use questions::Questions;
use traces::Traces;

/// How often a launcher in the background checks whether it may read from its terminal.
const LOOK_FOR_FOREGROUND: Duration = Duration::from_millis(300);
/// Time that the other hosts may take to end all processes and send their goodbye.
const PARTING: Duration = Duration::from_secs(5);
/// How long after the first host that cannot be had the others are still listened to: where one
/// name is wrong others are too, and users want to know all at once.
const LAST_REFUSALS: Duration = Duration::from_secs(2);
/// Within this time the daemons of all hosts get a signal that a batch system sends to them.
const SAME_SIGNAL: Duration = Duration::from_secs(1);
/// Least output, in bytes, whose end is reported to its host: less is not worth a message.
const CREDIT_BYTES_MIN: usize = WINDOW_BYTES / 4;

/// A launcher.
pub struct Runner<'a> {
    name: String,
    vertex: Vertex,
    /// The launcher's own standard output and error.
    sinks: [Sink; 2],
    sinks_watched: [bool; 2],
    /// The job, once it is known what to start.
    running: Option<Running<'a>>,
    /// Whether the other hosts have daemons, which have to be parted from.
    has_others: bool,
    /// The last signal that a daemon has got, and when.
    signalled: Option<(i32, Instant)>,
    /// The debuggers that show ranks.
    debuggers: Option<Debuggers>,
}

/// A job under way.
struct Running<'a> {
    /// The orders of the parts, by the number of each one's first process.
    orders: BTreeMap<u32, Arc<Order>>,
    /// The process ids of the processes that have been started.
    pids: BTreeMap<u32, u32>,
    /// How many parts there were.
    parts: u32,
    spawner: Spawner<'a>,
    /// Questions to the processes about their waits.
    questions: Questions,
    /// Requests for parts on hosts whose daemons are not ready.
    waiting: Vec<PendingSpawn>,
    job: Parts,
    /// The names that processes of the job have published.
    names: Names,
    mergers: [Merger; 2],
    /// The files that output goes to.
    files: Files,
    stdin_reader: Option<StdinReader>,
    /// The trace of the job, until it is written.
    traces: Option<Traces>,
    /// State of ranks that outlives their hosts.
    copies: Copies,
    /// Output of each vertex that has gone out and was not reported to it.
    owed: Vec<[usize; 2]>,
    /// The processes, by number, of whose standard output or error the end has not arrived.
    printing: BTreeMap<u32, [bool; 2]>,
}

impl Running<'_> {
    /// The order of the first part.
    fn start(&self) -> &Arc<Order> {
        &self.orders[&0]
    }

    /// The vertex of a process.
    fn vertex(&self, number: u32) -> Option<u32> {
        let (first, order) = self.orders.range(..=number).next_back()?;
        order.vertex(number - first)
    }

    /// The clock and the name of a process's host: daemons beside this process share its clock.
    fn host(&self, number: u32) -> (u32, String) {
        let Some((first, order)) = self.orders.range(..=number).next_back() else {
            return Default::default();
        };
        let plan = &order.plan;
        let placement = plan.placements.get((number - first) as usize);
        let node = placement.and_then(|placement| plan.nodes.get(placement.node as usize));
        let vertex = self.vertex(number).filter(|_| order.shares.is_empty());
        (
            vertex.unwrap_or(ROOT),
            node.map_or_else(String::new, |node| node.name.clone()),
        )
    }

    /// The stream that a stream of the ranks is shown as.
    fn shown_as(&self, stream: usize) -> usize {
        match self.start().plan.front.merge {
            true => 0,
            false => stream,
        }
    }

    /// Whether all ranks have ended without a failure.
    fn has_gone_well(&self) -> bool {
        self.job.finished() == Some(0)
    }

    /// Returns the processes whose output has not arrived to its end.
    fn printing(&self) -> Vec<u32> {
        self.printing.keys().copied().collect()
    }
}

impl<'a> Runner<'a> {
    /// A launcher that calls itself `name`.
    ///
    /// # Errors
    /// When the system refuses what any launcher needs.
    pub fn new(name: &str) -> Result<Runner<'a>, Error> {
        Ok(Runner {
            name: name.to_string(),
            vertex: Vertex::new()?,
            sinks: [Sink::stdout(), Sink::stderr()],
            sinks_watched: [false, false],
            running: None,
            has_others: false,
            signalled: None,
            debuggers: None,
        })
    }

    /// Starts the daemons of other hosts and waits until all are ready. The hosts by vertex, from
    /// vertex 1 on.
    ///
    /// # Errors
    /// The exit code when that failed or the user gave up; all daemons are gone then, and the
    /// user knows why: of each host that answered within [`LAST_REFUSALS`] of the first refusal.
    pub fn gather_hosts(&mut self, begin: Begin) -> Result<Vec<Host>, i32> {
        let mut silent: BTreeSet<u32> = (ROOT + 1..begin.hosts.len() as u32).collect();
        self.has_others = true;
        let mut ready: Vec<Host> = Vec::new();
        let mut refused_until = None;
        let mut words = self.vertex.begin(begin);
        loop {
            for word in words {
                match word {
                    Up::Ready(hosts) => ready.extend(hosts),
                    Up::Failed { vertex, text, .. } | Up::Lost { vertex, text } => {
                        self.say(&text);
                        let below = self.vertex.shape().subtree(vertex);
                        silent.retain(|vertex| !below.contains(vertex));
                        let until = self.vertex.clock.now().after(LAST_REFUSALS);
                        refused_until.get_or_insert(until);
                    }
                    Up::Signal { signal, .. } if signals::ENDING.contains(&signal) => {
                        self.finish();
                        return Err(128 + signal);
                    }
                    _ => {}
                }
            }
            silent.retain(|vertex| ready.iter().all(|host| host.vertex != *vertex));
            match refused_until {
                None if silent.is_empty() => {
                    ready.sort_by_key(|host| host.vertex);
                    return Ok(ready);
                }
                Some(until) if silent.is_empty() || self.vertex.clock.now() >= until => {
                    self.finish();
                    return Err(1);
                }
                _ => {}
            }
            words = Vec::new();
            let sources = self.vertex.wait(refused_until);
            self.vertex.was_away();
            for source in sources {
                if source == Source::Signals {
                    if let Some(signal) = self.ending_signal() {
                        self.finish();
                        return Err(128 + signal);
                    }
                }
                words.extend(self.vertex.take(source));
            }
            words.extend(self.vertex.tick());
        }
    }

    /// Shows ranks in debuggers.
    pub(crate) fn debug(&mut self, debuggers: Debuggers) {
        self.debuggers = Some(debuggers);
    }

    /// The first rank will be the process at the other end of this socket.
    pub(crate) fn serve(&mut self, socket: UnixStream) {
        self.vertex.serve(socket);
    }

    fn ending_signal(&mut self) -> Option<i32> {
        let arrived = self.vertex.signals.take();
        arrived
            .into_iter()
            .find(|signal| signals::ENDING.contains(signal))
    }

    /// Ends the daemons of other hosts: there is nothing to start.
    pub fn dismiss(mut self) {
        self.finish();
    }

    /// Runs a job. Returns its exit code.
    ///
    /// # Errors
    /// When the files for its output cannot be made; nothing was started then, and no daemon is
    /// left.
    pub(crate) fn run(mut self, order: Order, spawner: Spawner<'a>) -> Result<i32, Error> {
        let order = Arc::new(order);
        if let Err(error) = self.prepare(&order, spawner) {
            self.finish();
            return Err(error);
        }
        for report in &order.plan.front.reports {
            self.show(report);
        }
        for note in &order.plan.front.notes {
            self.say(note);
        }
        if self.has_others {
            let own = std::env::vars_os().collect();
            self.vertex.give(&Down::Launch(
                order.encode(&own, self.vertex.is_of_one_host()),
            ));
        }
        let words = self.vertex.launch(order);
        self.take_all(words);
        let code = self.watch();
        if code != 0 && mpir::is_being_debugged() {
            mpir::abort(&format!("the job has ended with code {code}"));
        }
        self.finish();
        let has_trace = self.write_trace();
        // What hosts still owed when their ranks had ended may have been lost with them.
        let verdict = self.running.as_ref().and_then(|r| r.job.finished());
        Ok(match verdict.unwrap_or(code) {
            0 if !has_trace => 1,
            0 => self.lost_output(),
            code => code,
        })
    }

    /// The exit code of a job that has gone well: output that was lost is a failure.
    fn lost_output(&mut self) -> i32 {
        if let Some(text) = self.trouble_of_sinks() {
            self.say(&text);
            return 1;
        }
        let files = self.running.as_ref().map(|running| &running.files);
        i32::from(files.is_some_and(Files::have_lost))
    }

    /// Writes the trace of a job that has ended. Returns whether all of it could be written.
    fn write_trace(&mut self) -> bool {
        let Some(traces) = self.running.as_mut().and_then(|r| r.traces.take()) else {
            return true;
        };
        let running = self.running.as_ref();
        let report = traces.write(|number| running.map(|r| r.host(number)).unwrap_or_default());
        report.said.iter().for_each(|line| self.say(line));
        report.table.lines().for_each(|line| self.show(line));
        self.empty_sinks();
        !report.has_failed
    }

    fn trouble_of_sinks(&self) -> Option<String> {
        self.sinks.iter().find_map(Sink::trouble)
    }

    fn prepare(&mut self, order: &Arc<Order>, spawner: Spawner<'a>) -> Result<(), Error> {
        let plan = &order.plan;
        let files = Files::create(plan)?;
        let traces = Traces::open(&plan.front.tracing)?;
        let job = self.job_of(order, plan.front.timeout);
        let job = job.with_policy(match plan.front.keep_going {
            false => FailurePolicy::End,
            true if plan.logs_messages() => FailurePolicy::Restart {
                copies_logs: plan.copies_logs(),
            },
            true => FailurePolicy::GoOn,
        });
        let vertices = order.vertices();
        let carries = |rank: u32| {
            let is_pipe = launch_tree::ranks::stdin::input(plan.logs_messages())
                == launch_tree::ranks::process::Input::Pipe;
            order
                .vertex(rank)
                .is_some_and(|vertex| vertex != ROOT || is_pipe)
        };
        let tags = plan.front.tags;
        let merger = |label, stream: usize| {
            let prompts = self.sinks[stream].shows_prompts(tags.is_any());
            Merger::new(label, tags, prompts, plan.size())
        };
        let now = self.vertex.clock.now();
        self.running = Some(Running {
            job: Parts::new(job, plan.size()),
            questions: Questions::every(plan.front.report_deadlock, now),
            names: Names::default(),
            mergers: [merger("stdout", 0), merger("stderr", 1)],
            files,
            stdin_reader: (plan.stdin.filter(|&rank| carries(rank)))
                .map(|rank| StdinReader::new(rank, plan.logs_messages())),
            owed: vec![[0; 2]; vertices as usize],
            printing: (0..plan.size()).map(|rank| (rank, [true; 2])).collect(),
            traces,
            copies: Copies::default(),
            orders: BTreeMap::from([(0, Arc::clone(order))]),
            pids: BTreeMap::new(),
            parts: 1,
            spawner,
            waiting: Vec::new(),
        });
        Ok(())
    }

    /// The state of a part that is about to be started.
    fn job_of(&self, order: &Order, limit: Option<Duration>) -> Job {
        let plan = &order.plan;
        let programs = (0..plan.size()).map(|rank| plan.app(rank).name.to_string_lossy().into());
        let job = Job::new(programs.collect(), limit, self.vertex.clock.now());
        if !self.has_others {
            return job;
        }
        // Of processes that share one machine the user need not know.
        let named = plan.nodes.iter().filter(|_| order.shares.is_empty());
        let names = named.map(|node| node.name.clone()).collect();
        job.across(order.node_of(), names)
    }

    /// Waits and acts until the job is over.
    fn watch(&mut self) -> i32 {
        loop {
            if let Some(code) = self.running.as_ref().map_or(Some(0), |r| r.job.finished()) {
                return code;
            }
            self.watch_streams();
            let until = self.deadline();
            let sources = self.vertex.wait(until);
            self.vertex.was_away();
            sources.into_iter().for_each(|source| self.handle(source));
            self.pass_time();
        }
    }

    fn handle(&mut self, source: Source) {
        match source {
            Source::Signals => self.take_signals(),
            Source::Sink(stream) => self.sinks[stream].flush(),
            Source::Stdin => self.read_input(),
            _ => {
                let words = self.vertex.take(source);
                self.take_all(words);
            }
        }
    }

    /// Returns the time of the next event; `None` if no event has a time.
    fn deadline(&self) -> Option<Instant> {
        let running = self.running.as_ref()?;
        let merging = running.mergers.iter().filter_map(Merger::deadline);
        let stdin_reader = running.stdin_reader.as_ref();
        let now = self.vertex.clock.now();
        let look = stdin_reader.is_some_and(StdinReader::waits_for_foreground);
        let look = look.then(|| now.after(LOOK_FOR_FOREGROUND));
        let input = stdin_reader
            .is_some_and(StdinReader::is_ready)
            .then_some(now);
        merging
            .chain(running.questions.deadline(running.job.deadline()))
            .chain(look)
            .chain(input)
            .min()
    }

    fn pass_time(&mut self) {
        let now = self.vertex.clock.now();
        if let Some(running) = &mut self.running {
            let streams = running.mergers.iter_mut().zip(&mut self.sinks);
            for ((merger, sink), was_behind) in streams.zip(self.sinks_watched) {
                if was_behind || sink.is_behind() {
                    merger.hold(now);
                }
                merger.tick(now, sink.queue());
                sink.flush();
            }
        }
        let words = self.vertex.tick();
        self.take_all(words);
        self.give_credit();
        let Some(running) = &self.running else { return };
        let is_due = running.job.deadline().is_some_and(|at| now >= at);
        if !running.job.is_ending() {
            if self.sinks[0].is_unread() {
                // Nobody reads what the job prints: end it as a shell would end a pipeline.
                const SIGPIPE: i32 = 13;
                self.notify(Event::Interrupted { signal: SIGPIPE });
            } else if let Some(text) = self.trouble_of_sinks() {
                self.notify(Event::Unwritable { text });
            }
        }
        self.question();
        if is_due && !self.ask_at_limit() {
            self.notify(Event::Time);
        }
    }

    fn take_signals(&mut self) {
        let arrived = self.vertex.signals.take();
        if arrived.contains(&signal_hook::consts::SIGCHLD) {
            let words = self.vertex.check_exits();
            self.take_all(words);
        }
        arrived
            .into_iter()
            .for_each(|signal| self.take_signal(signal));
    }

    /// Takes a signal that the daemon of a host has got. A batch system sends it to the daemons of
    /// all hosts at the same time, and one is enough.
    fn take_signal_of(&mut self, vertex: u32, signal: i32) {
        let now = self.vertex.clock.now();
        let earlier = self.signalled.replace((signal, now));
        let is_same = |(last, at): (i32, Instant)| last == signal && now.since(at) < SAME_SIGNAL;
        if !earlier.is_some_and(is_same) {
            let (host, name) = (self.vertex.host(vertex), signal_name(signal));
            match signals::ENDING.contains(&signal) {
                true => {
                    self.say(&format!("host {host}: mpirun's daemon got signal {name}"));
                    self.notify(Event::Interrupted { signal });
                }
                false => self.vertex.give_signal_of_daemon(signal),
            }
        }
    }

    fn take_signal(&mut self, signal: i32) {
        if signals::ENDING.contains(&signal) {
            self.notify(Event::Interrupted { signal });
        } else if signal == signal_hook::consts::SIGUSR1 && self.reports_waits() {
            self.ask(false);
        } else if signals::FORWARDED.contains(&signal) {
            self.vertex.give(&Down::Signal(signal));
            if signal == signal_hook::consts::SIGTSTP {
                // The ranks are notified; now stop as the user wished, until continued.
                let own = rustix::process::getpid();
                let _ = rustix::process::kill_process(own, rustix::process::Signal::STOP);
            }
        }
    }

    /// Whether SIGUSR1 asks what the ranks wait for, instead of being passed on.
    fn reports_waits(&self) -> bool {
        let running = self.running.as_ref();
        running.is_some_and(|running| running.questions.are_wanted())
    }

    fn take_all(&mut self, words: Vec<Up>) {
        words.into_iter().for_each(|word| self.take(word));
    }

    /// Handles a message from this host or another.
    fn take(&mut self, word: Up) {
        match word {
            Up::Event(Event::Started { rank, pid }) => {
                self.notify(Event::Started { rank, pid });
                self.note_started(rank, pid);
            }
            Up::Event(event) => self.notify(event),
            Up::Fence(ranks) => {
                let fences = ranks.into_iter();
                fences.for_each(|(rank, entries)| self.notify(Event::Fence { rank, entries }));
            }
            Up::Meet(gathering) => {
                let events = gathering.into_events();
                events.into_iter().for_each(|event| self.notify(event));
            }
            Up::Output {
                rank,
                stream,
                bytes,
            } => self.take_output(rank, stream, &bytes),
            Up::InputAccepted(bytes) => {
                if let Some(stdin_reader) = self.stdin_reader() {
                    stdin_reader.taken(bytes);
                }
            }
            Up::InputClosed => {
                if let Some(stdin_reader) = self.stdin_reader() {
                    stdin_reader.stop();
                }
            }
            Up::Say(text) => self.say(&text),
            Up::Request { rank, frame } => self.take_request(rank, frame),
            Up::Recording { rank, at, bytes } => {
                if let Some(traces) = self.running.as_mut().and_then(|r| r.traces.as_mut()) {
                    traces.take(rank, at, &bytes);
                }
            }
            Up::Failed { vertex, text, .. } | Up::Lost { vertex, text } if self.is_idle(vertex) => {
                self.lose_idle_host(vertex, &text);
            }
            Up::Failed { vertex, part, text } => {
                let mut ranks = self.ranks_below(vertex, false);
                if let Some(order) = part.and_then(|part| self.order(part)) {
                    ranks.retain(|rank| order.numbers().contains(rank));
                }
                self.notify(Event::Refused { ranks, text });
            }
            Up::Log {
                rank,
                token,
                fresh,
                stores,
            } => self.take_log((rank, token), fresh, &stores),
            Up::Lost { vertex, text } => {
                let ranks = self.ranks_below(vertex, true);
                if !self.is_complete(&ranks) {
                    let lost = ranks.clone();
                    self.notify(Event::Lost { ranks, text });
                    self.end_output_of(&lost);
                }
            }
            Up::Ready(hosts) => hosts.iter().for_each(|host| self.welcome_host(host)),
            Up::Signal { vertex, signal } => self.take_signal_of(vertex, signal),
            Up::Bye | Up::Beat => {}
        }
    }

    /// The ranks of a vertex, and of those below it where `all`.
    fn ranks_below(&self, vertex: u32, all: bool) -> Vec<u32> {
        let Some(running) = &self.running else {
            return Vec::new();
        };
        let vertices = match all {
            true => self.vertex.shape().subtree(vertex),
            false => vec![vertex],
        };
        let numbers = running.orders.values().flat_map(|order| order.numbers());
        let is_there = |number: &u32| {
            let vertex = running.vertex(*number);
            vertex.is_some_and(|vertex| vertices.contains(&vertex))
        };
        numbers.filter(is_there).collect()
    }

    fn order(&self, first: u32) -> Option<Arc<Order>> {
        self.running.as_ref()?.orders.get(&first).cloned()
    }

    fn stdin_reader(&mut self) -> Option<&mut StdinReader> {
        self.running.as_mut()?.stdin_reader.as_mut()
    }

    fn notify(&mut self, event: Event) {
        let now = self.vertex.clock.now();
        let Some(running) = &mut self.running else {
            return;
        };
        if let Event::Finalize { rank } | Event::Exited { rank, .. } = &event {
            running.names.leave(u64::from(*rank));
        }
        let actions = running.job.on(event, now);
        actions.into_iter().for_each(|action| self.act(action));
    }

    fn act(&mut self, action: Action) {
        let word = match action {
            Action::Release { first, body } => Down::Release { first, body },
            Action::Met { tickets, values } => Down::Met { tickets, values },
            Action::Unmet {
                number,
                ticket,
                why,
            } => reply(number, &Reply::Unmet { ticket, why }),
            Action::Spawned {
                number,
                ticket,
                outcome,
            } => reply(number, &Reply::Spawned { ticket, outcome }),
            Action::Reply {
                number,
                reply: frame,
            } => reply(number, &frame),
            Action::Restart { number, life } => return self.restart(number, life),
            Action::Hurry => Down::Hurry,
            Action::Gone { number: rank, why } => Down::Gone { rank, why },
            Action::Signal { first, signal } => Down::SignalPart { first, signal },
            Action::Forget { first } => return self.forget(first),
            Action::Say(text) => return self.say(&text),
        };
        let words = self.vertex.give(&word);
        self.take_all(words);
    }

    /// Prints a text for the user, on a line of its own.
    fn say(&mut self, text: &str) {
        self.show(&format!("{}: {text}", self.name));
    }

    /// Shows the user a line that speaks for itself.
    fn show(&mut self, text: &str) {
        let line = base::system::plain(text) + "\n";
        self.sinks[1].queue().extend_from_slice(line.as_bytes());
        self.sinks[1].flush();
    }

    fn read_input(&mut self) {
        let Some(stdin_reader) = self.stdin_reader() else {
            return;
        };
        let rank = stdin_reader.rank;
        if let Some(bytes) = stdin_reader.read() {
            let words = self.vertex.give(&Down::Input { rank, bytes });
            self.take_all(words);
        }
    }

    /// Waits for what matters at this moment: a sink that is behind, and the input while somebody
    /// wants it.
    fn watch_streams(&mut self) {
        for stream in [0, 1] {
            let (sink, behind) = (&self.sinks[stream], self.sinks[stream].is_behind());
            if std::mem::replace(&mut self.sinks_watched[stream], behind) != behind {
                let source = Source::Sink(stream);
                self.vertex
                    .poll
                    .watch(sink.as_fd(), source, Until::Writable, behind);
            }
        }
        let Some(stdin_reader) = self.running.as_mut().and_then(|r| r.stdin_reader.as_mut()) else {
            return;
        };
        stdin_reader.watch(&self.vertex.poll);
        if stdin_reader.is_ready() {
            self.read_input();
        }
    }

    /// Ends what is left on all hosts, and lets out what ranks printed last.
    fn finish(&mut self) {
        if let Some(debuggers) = &mut self.debuggers {
            debuggers.close();
        }
        self.vertex.give(&Down::Finish);
        self.vertex.drop_silent();
        let words = self.vertex.finish_local_ranks();
        self.take_all(words);
        let by = self.vertex.clock.now().after(PARTING);
        while !self.vertex.is_alone() && self.vertex.clock.now() < by {
            self.watch_streams();
            for source in self.vertex.wait(Some(by)) {
                if source == Source::Signals {
                    if let Some(signal) = self.ending_signal() {
                        if !self.missing_output().is_empty() {
                            self.notify(Event::Interrupted { signal });
                        }
                        self.vertex.close();
                        break;
                    }
                }
                self.handle(source);
            }
            let words = self.vertex.tick();
            self.take_all(words);
        }
        self.check_output();
        self.vertex.close();
        self.empty_sinks();
    }

    fn empty_sinks(&mut self) {
        if let Some(running) = &mut self.running {
            for (merger, sink) in running.mergers.iter_mut().zip(&mut self.sinks) {
                merger.close_all(sink.queue());
            }
        }
        for sink in &mut self.sinks {
            sink.flush();
            while sink.is_behind() && sink.wait(&mut self.vertex.signals) {
                sink.flush();
            }
        }
    }
}

/// A frame for a process.
fn reply(rank: u32, reply: &Reply) -> Down {
    let mut frame = Vec::new();
    reply.encode(&mut frame);
    Down::Reply { rank, frame }
}
