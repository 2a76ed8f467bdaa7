//! The loop around the job: one thread that waits for everything at once.
//!
//! It starts the ranks, then sleeps until a rank speaks, prints, ends, a signal arrives or a
//! deadline passes; tells the job; and does what the job says. Nothing it does can block: what
//! cannot be written now is kept, and while much is kept no more is read from the ranks.

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use base::{Clock, Monotonic};
use bootstrap::native::wire::{self, Reply, Request, Welcome};
use rustix::event::Timespec;
use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};

use crate::connection::Heard;
use crate::guard::Guard;
use crate::job::{Action, Event, How, Job};
use crate::output::Merger;
use crate::plan::Plan;
use crate::poll::{is_ready, Poll, Source, Until};
use crate::rank::{Input, Process};
use crate::signals::{self, Signals};
use crate::sink::Sink;
use crate::terminal::{self, Carrier};
use crate::Error;

/// How often a launcher in the background looks whether it may read from its terminal.
const LOOK_FOR_FOREGROUND: Duration = Duration::from_millis(300);

/// Runs the job of `plan`; `name` is what the launcher calls itself. Returns the exit code.
pub fn run(name: &str, plan: Plan) -> Result<i32, Error> {
    let mut runner = Runner::start(name, plan)?;
    let code = runner.run();
    runner.finish();
    Ok(code)
}

struct Runner {
    name: String,
    plan: Plan,
    clock: Monotonic,
    job: Job,
    ranks: Vec<Process>,
    signals: Signals,
    poll: Poll,
    /// What the user sees: standard output and error.
    sinks: [Sink; 2],
    mergers: [Merger; 2],
    carrier: Option<Carrier>,
    guard: Option<Guard>,
    watched: Watched,
}

/// Which descriptors are waited for at present, of those for which that changes.
struct Watched {
    /// The ranks' output and error output.
    printed: [bool; 2],
    sinks: [bool; 2],
    terminal: bool,
    carrier: bool,
}

impl Runner {
    fn start(name: &str, plan: Plan) -> Result<Runner, Error> {
        let signals = Signals::catch().map_err(Error::system("catching signals"))?;
        let open_files = raise_open_files(plan.size())?;
        let clock = Monotonic::start();
        let programs = (0..plan.size()).map(|rank| plan.app(rank).name.to_string_lossy().into());
        let mut runner = Runner {
            name: name.to_string(),
            job: Job::new(programs.collect(), plan.front.timeout, clock.now()),
            clock,
            ranks: Vec::new(),
            signals,
            poll: Poll::new()?,
            sinks: [Sink::stdout(), Sink::stderr()],
            mergers: [
                Merger::new("stdout", plan.front.tags, plan.size()),
                Merger::new("stderr", plan.front.tags, plan.size()),
            ],
            carrier: None,
            guard: None,
            watched: Watched {
                printed: [true, true],
                sinks: [false, false],
                terminal: false,
                carrier: false,
            },
            plan,
        };
        runner
            .plan
            .front
            .notes
            .clone()
            .iter()
            .for_each(|note| runner.say(note));
        let started = runner.start_ranks(open_files);
        if started.is_err() {
            // Those that did start are ended: a job starts whole or not at all.
            runner.finish();
        }
        started.map(|()| runner)
    }

    fn start_ranks(&mut self, open_files: Option<OpenFiles>) -> Result<(), Error> {
        let waiting = Error::system::<io::Error>("preparing to wait");
        self.poll
            .add(&self.signals, Source::Signals, Until::Readable)
            .map_err(&waiting)?;
        for rank in 0..self.plan.size() {
            let input = match self.plan.stdin == Some(rank) {
                true => terminal::input(),
                false => Input::Null,
            };
            let (process, stdin) = Process::start(&self.plan, rank, input, open_files)?;
            if let Some(pipe) = stdin {
                self.carrier = Some(Carrier::new(pipe).map_err(&waiting)?);
            }
            let pid = process.pid();
            self.ranks.push(process);
            self.wait_for(rank).map_err(&waiting)?;
            self.tell(Event::Started { rank, pid });
            if self.plan.verbose {
                let program = self.plan.app(rank).path.display();
                self.say(&format!("rank {rank}: process {pid} runs {program}"));
            }
        }
        let groups: Vec<u32> = self.ranks.iter().map(Process::pid).collect();
        // Without a guard the system still kills the ranks' first processes.
        self.guard = Guard::start(&groups).ok();
        Ok(())
    }

    fn wait_for(&self, rank: u32) -> io::Result<()> {
        let process = &self.ranks[rank as usize];
        self.poll.add(
            &process.connection,
            Source::Connection(rank),
            Until::Readable,
        )?;
        for stream in [0, 1] {
            if let Some(fd) = process.stream(stream) {
                self.poll
                    .add(fd, Source::Printed(stream, rank), Until::Readable)?;
            }
        }
        Ok(())
    }

    /// Waits and acts until the job is over.
    fn run(&mut self) -> i32 {
        loop {
            if let Some(code) = self.job.finished() {
                return code;
            }
            self.watch_streams();
            for source in self.poll.wait(self.patience()) {
                match source {
                    Source::Signals => self.take_signals(),
                    Source::Connection(rank) => self.take_words(rank),
                    Source::Printed(stream, rank) => self.take_output(stream, rank),
                    Source::Sink(stream) => self.sinks[stream].flush(),
                    Source::Terminal => self.carrier.as_mut().map_or((), Carrier::read),
                    Source::Carrier => self.carrier.as_mut().map_or((), Carrier::write),
                }
            }
            self.pass_time();
        }
    }

    /// The time until the next deadline; `None` when there is none.
    fn patience(&self) -> Option<Timespec> {
        let merging = self.mergers.iter().filter_map(Merger::deadline);
        let waits = self
            .carrier
            .as_ref()
            .is_some_and(Carrier::waits_for_foreground);
        let look = waits.then(|| self.clock.now().after(LOOK_FOR_FOREGROUND));
        let next = merging.chain(self.job.deadline()).chain(look).min()?;
        let left = next.since(self.clock.now());
        Some(Timespec {
            tv_sec: left.as_secs() as i64,
            tv_nsec: left.subsec_nanos().into(),
        })
    }

    fn pass_time(&mut self) {
        let now = self.clock.now();
        for stream in [0, 1] {
            self.mergers[stream].tick(now, self.sinks[stream].queue());
            self.sinks[stream].flush();
        }
        if self.sinks[0].is_broken() && !self.job.is_ending() {
            // Nobody reads what the job prints: end it as a shell would end a pipeline.
            const SIGPIPE: i32 = 13;
            self.tell(Event::Interrupted { signal: SIGPIPE });
        }
        if self.job.deadline().is_some_and(|at| now >= at) {
            self.tell(Event::Time);
        }
    }

    fn take_signals(&mut self) {
        let arrived = self.signals.take();
        if arrived.contains(&signal_hook::consts::SIGCHLD) {
            self.look_for_exits(None);
        }
        for signal in arrived {
            if signals::ENDING.contains(&signal) {
                self.tell(Event::Interrupted { signal });
            } else if signals::FORWARDED.contains(&signal) {
                self.ranks.iter().for_each(|rank| rank.signal(signal));
                if signal == signal_hook::consts::SIGTSTP {
                    // The ranks are told; now stop as the user wished, until continued.
                    let own = rustix::process::getpid();
                    let _ = rustix::process::kill_process(own, rustix::process::Signal::STOP);
                }
            }
        }
    }

    /// Tells the job what a rank said. When that may end the job, first looks whether a rank has
    /// died: a peer that gives up may do so because of it.
    fn take_words(&mut self, rank: u32) {
        let said = self.hear(rank);
        let grave = |e: &Event| matches!(e, Event::Abort { .. } | Event::Nonsense { .. });
        if said.iter().any(grave) {
            self.look_for_exits(Some((rank, said)));
        } else {
            said.into_iter().for_each(|event| self.tell(event));
        }
    }

    /// Tells the job which ranks have ended, and what `spoke` says of a rank that was heard
    /// before. Ranks that a signal killed come first: others that end at the same time may do so
    /// because of them. What a rank said before it ended comes before its end.
    fn look_for_exits(&mut self, spoke: Option<(u32, Vec<Event>)>) {
        let ends: Vec<(u32, How)> = (0..self.ranks.len() as u32)
            .filter_map(|rank| self.ranks[rank as usize].look().map(|how| (rank, how)))
            .collect();
        let mut batches: Vec<(u32, bool, Vec<Event>)> = Vec::new();
        batches.extend(spoke.map(|(rank, events)| (rank, false, events)));
        for (rank, how) in ends {
            let mut events = self.hear(rank);
            events.push(Event::Exited { rank, how });
            let killed = matches!(how, How::Signal(_));
            match batches.iter_mut().find(|(spoken, _, _)| *spoken == rank) {
                Some((_, first, said)) => {
                    *first = killed;
                    said.extend(events);
                }
                None => batches.push((rank, killed, events)),
            }
        }
        batches.sort_by_key(|(_, killed, _)| !killed);
        for (_, _, events) in batches {
            events.into_iter().for_each(|event| self.tell(event));
        }
    }

    /// What a rank said, as events.
    fn hear(&mut self, rank: u32) -> Vec<Event> {
        let connection = &mut self.ranks[rank as usize].connection;
        connection.flush();
        let heard = connection.hear();
        if connection.is_closed() {
            self.poll.remove(&*connection);
        } else if !connection.is_behind() {
            self.poll
                .change(&*connection, Source::Connection(rank), Until::Readable);
        }
        let event = |heard| match heard {
            Heard::Request(Request::Hello { pid, .. }) => Event::Hello { rank, pid },
            Heard::Request(Request::Fence(entries)) => Event::Fence { rank, entries },
            Heard::Request(Request::Meet(meet)) => Event::Meet { rank, meet },
            Heard::Request(Request::Finalize) => Event::Finalize { rank },
            Heard::Request(Request::Abort { code, reason }) => Event::Abort { rank, code, reason },
            Heard::Nonsense(detail) => Event::Nonsense { rank, detail },
        };
        heard.into_iter().map(event).collect()
    }

    fn tell(&mut self, event: Event) {
        let actions = self.job.on(event, self.clock.now());
        actions.into_iter().for_each(|action| self.act(action));
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Welcome { rank } => {
                let welcome = self.welcome(rank);
                self.answer(rank, &welcome);
            }
            Action::Release { body } => {
                let release = Reply::Release(body);
                (0..self.plan.size()).for_each(|rank| self.answer(rank, &release));
            }
            Action::Met {
                rank,
                ticket,
                values,
            } => self.answer(rank, &Reply::Met { ticket, values }),
            Action::SignalAll { signal } => {
                self.ranks.iter().for_each(|rank| rank.signal(signal));
            }
            Action::Say(text) => self.say(&text),
        }
    }

    fn welcome(&self, rank: u32) -> Reply {
        Reply::Welcome(Welcome {
            version: wire::VERSION,
            rank,
            size: self.plan.size(),
            appnum: self.plan.places[rank as usize].app,
            universe: self.plan.universe,
            job: self.plan.job,
            secret: self.plan.secret.0,
            nodes: vec![0; self.plan.size() as usize],
        })
    }

    fn answer(&mut self, rank: u32, reply: &Reply) {
        let connection = &mut self.ranks[rank as usize].connection;
        connection.say(reply);
        if connection.is_behind() {
            self.poll
                .change(&*connection, Source::Connection(rank), Until::Either);
        }
    }

    /// Tells the user, on a line of its own.
    fn say(&mut self, text: &str) {
        let line = format!("{}: {text}\n", self.name);
        self.sinks[1].queue().extend_from_slice(line.as_bytes());
        self.sinks[1].flush();
    }

    /// Passes on what a rank printed.
    fn take_output(&mut self, stream: usize, rank: u32) {
        let process = &mut self.ranks[rank as usize];
        let Some(fd) = process.stream(stream) else {
            return;
        };
        let mut chunk = [0; 64 * 1024];
        let read = rustix::io::read(fd, &mut chunk);
        let (merger, sink) = (&mut self.mergers[stream], &mut self.sinks[stream]);
        match read {
            Ok(n) if n > 0 => {
                merger.push(rank as usize, &chunk[..n], self.clock.now(), sink.queue())
            }
            Err(rustix::io::Errno::INTR) => {}
            _ => {
                merger.close(rank as usize, sink.queue());
                process.close_stream(stream);
            }
        }
        sink.flush();
    }

    /// Waits for what matters at this moment: a sink that is behind is waited for, and its
    /// ranks' output is not; the terminal is read while somebody wants input.
    fn watch_streams(&mut self) {
        for stream in [0, 1] {
            let sink = &self.sinks[stream];
            let (behind, full) = (sink.is_behind(), sink.is_full());
            if self.watched.sinks[stream] != behind {
                self.watched.sinks[stream] = behind;
                self.poll
                    .watch(sink.as_fd(), Source::Sink(stream), Until::Writable, behind);
            }
            if self.watched.printed[stream] == full {
                self.watched.printed[stream] = !full;
                for (rank, process) in self.ranks.iter().enumerate() {
                    let source = Source::Printed(stream, rank as u32);
                    if let Some(fd) = process.stream(stream) {
                        self.poll.watch(fd, source, Until::Readable, !full);
                    }
                }
            }
        }
        let Some(carrier) = &self.carrier else { return };
        let (input, behind) = (carrier.wants_input(), carrier.is_behind());
        if self.watched.terminal != input {
            self.watched.terminal = input;
            self.poll.watch(
                io::stdin().as_fd(),
                Source::Terminal,
                Until::Readable,
                input,
            );
        }
        if let (Some(pipe), true) = (carrier.pipe(), self.watched.carrier != behind) {
            self.watched.carrier = behind;
            self.poll
                .watch(pipe, Source::Carrier, Until::Writable, behind);
        }
    }

    /// Ends what ranks have left behind, and lets out what they printed last.
    fn finish(&mut self) {
        self.ranks
            .iter()
            .for_each(|rank| rank.signal(rustix::process::Signal::KILL.as_raw()));
        for rank in 0..self.ranks.len() {
            for stream in [0, 1] {
                self.drain(stream, rank as u32);
            }
            self.ranks[rank].bury();
        }
        if let Some(guard) = self.guard.take() {
            guard.dismiss();
        }
        for sink in &mut self.sinks {
            while sink.is_behind() && sink.wait(&mut self.signals) {
                sink.flush();
            }
        }
    }

    /// Takes what is left in a rank's pipe, without waiting for who else may hold it open.
    fn drain(&mut self, stream: usize, rank: u32) {
        let is_filled = |process: &Process| {
            process
                .stream(stream)
                .is_some_and(|fd| is_ready(fd, Until::Readable))
        };
        while is_filled(&self.ranks[rank as usize]) {
            self.take_output(stream, rank);
        }
        self.mergers[stream].close(rank as usize, self.sinks[stream].queue());
        self.sinks[stream].flush();
    }
}

type OpenFiles = (Option<u64>, Option<u64>);

/// Makes room for the descriptors of so many ranks. The old limits, when they were changed: the
/// ranks get those back.
fn raise_open_files(ranks: u32) -> Result<Option<OpenFiles>, Error> {
    const PER_RANK: u64 = 3;
    const OWN: u64 = 64;
    let old = getrlimit(Resource::Nofile);
    let wanted = PER_RANK * u64::from(ranks) + OWN;
    if old.current.is_none_or(|soft| soft >= wanted) {
        return Ok(None);
    }
    if let Some(limit) = old.maximum.filter(|&hard| hard < wanted) {
        return Err(Error::OpenFiles {
            ranks,
            wanted,
            limit,
        });
    }
    let new = Rlimit {
        current: Some(wanted),
        maximum: old.maximum,
    };
    setrlimit(Resource::Nofile, new).map_err(Error::system("raising the limit of open files"))?;
    Ok(Some((old.current, old.maximum)))
}
