//! A daemon, which runs the ranks of another host for `mpirun`. It makes no decisions.
//!
//! It reads its position in the tree and what to start from standard input, and reports events on
//! standard output; where a batch system has started it, both become a connection to the vertex
//! above first ([`call`]). When that connection closes, or is silent for too long, it ends all
//! processes that it has started: a job never outlives its launcher.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use base::{Clock, Instant};
use rustix::io::Errno;

use crate::link::BEAT_EVERY;
use crate::order::Order;
use crate::outbox::Outbox;
use crate::plm::call;
use crate::poll::{Poll, Source, Until};
use crate::relay::Relay;
use crate::signals;
use crate::vertex::Vertex;
use crate::wire::{self, Begin, Down, Host, Inbox, Up};
use launch_job::SIGTSTP;
use launch_plan::topology::Topology;
use launch_plan::Error;

/// Time for which the parent may be silent before this daemon knows its position.
const SILENCE_AT_FIRST: Duration = Duration::from_secs(60);
/// Time that the children may take for their goodbye, and the parent to read this daemon's.
const PARTING: Duration = Duration::from_secs(2);

/// Runs a daemon. Returns its exit code. The `arguments` behind [`crate::plm::ARGUMENT`] are the
/// addresses of the vertex above, where this process has to connect to it.
pub fn main(arguments: &[String]) -> i32 {
    if let Some((addresses, rest)) = arguments.split_first() {
        if let Err(why) = call::call(addresses, rest) {
            // What started it shows that to the user.
            let _ = writeln!(io::stderr(), "mpirun's daemon: {why}");
            return 1;
        }
    }
    let Ok(mut daemon) = Daemon::start() else {
        return 1;
    };
    let code = daemon.run();
    // The ranks are killed also if no launcher is left.
    daemon.vertex.end_local_ranks();
    daemon.vertex.close();
    code
}

struct Daemon {
    vertex: Vertex,
    parent: Parent,
    relay: Relay,
    /// The number of this vertex and the user's name of its host, once known.
    position: Option<(u32, String)>,
    /// Deadline for the end, once the order to finish has arrived.
    finish_by: Option<Instant>,
    /// Whether it has sent its last message.
    parted: bool,
}

impl Daemon {
    fn start() -> Result<Daemon, Error> {
        let vertex = Vertex::new()?;
        let waiting = Error::system::<io::Error>("preparing to talk");
        let parent = Parent::new(&vertex.poll, vertex.clock.now()).map_err(&waiting)?;
        Ok(Daemon {
            vertex,
            parent,
            relay: Relay::new(1),
            position: None,
            finish_by: None,
            parted: false,
        })
    }

    fn run(&mut self) -> i32 {
        self.parent.greet(&self.vertex.poll);
        loop {
            let now = self.vertex.clock.now();
            let until = now.after(BEAT_EVERY);
            let ready = self
                .vertex
                .wait(Some(self.finish_by.map_or(until, |by| by.min(until))));
            if self.vertex.was_away() {
                self.parent.last_received = self.vertex.clock.now();
            }
            for source in ready {
                match source {
                    Source::Signals => self.take_signals(),
                    Source::Parent(0) => self.receive(),
                    Source::Parent(_) => self.parent.flush(&self.vertex.poll),
                    _ => {
                        let messages = self.vertex.take(source);
                        self.report(messages);
                    }
                }
            }
            let messages = self.vertex.tick();
            self.report(messages);
            let now = self.vertex.clock.now();
            self.parent.beat(&self.vertex.poll, now);
            if self.part(now) {
                return 0;
            }
            if self.parent.is_gone(now) {
                return 1;
            }
        }
    }

    /// Sends the goodbye when that is due. Returns true once it has been written.
    fn part(&mut self, now: Instant) -> bool {
        let Some(by) = self.finish_by else {
            return false;
        };
        if !self.parted && (self.vertex.is_alone() || now >= by) {
            self.parted = true;
            self.finish_by = Some(now.after(PARTING));
            self.parent.send(&Up::Bye, &self.vertex.poll);
        }
        self.parted && (!self.parent.outbox.is_behind() || now >= by)
    }

    fn take_signals(&mut self) {
        let arrived = self.vertex.signals.take();
        let messages = self.vertex.check_exits();
        self.report(messages);
        for signal in arrived
            .into_iter()
            .filter(|&signal| signals::is_for_job(signal))
        {
            match self.position {
                Some((vertex, _)) => self.report(vec![Up::Signal { vertex, signal }]),
                // There is no job yet.
                None => self.parent.closed |= signals::ENDING.contains(&signal),
            }
        }
    }

    /// Receives and executes messages from the parent.
    fn receive(&mut self) {
        let now = self.vertex.clock.now();
        match self.parent.receive(now) {
            Ok(messages) => messages
                .into_iter()
                .for_each(|message| self.execute(message)),
            Err(wire::Malformed(_)) => self.parent.closed = true,
        }
    }

    fn execute(&mut self, message: Down) {
        let messages = self.vertex.give(&message);
        self.report(messages);
        let released = self.relay.down(&message);
        self.send(released);
        match message {
            Down::Begin(begin) if self.position.is_none() => self.begin(begin),
            Down::Launch(order) => self.launch(&order),
            Down::Signal(signal) => self.parent.stops |= signal == SIGTSTP,
            Down::Finish => {
                let messages = self.vertex.finish_local_ranks();
                self.report(messages);
                self.vertex.drop_silent();
                self.finish_by = Some(self.vertex.clock.now().after(PARTING));
            }
            _ => {}
        }
    }

    fn begin(&mut self, begin: Begin) {
        let vertex = begin.vertex;
        let Some(name) = begin.hosts.get(vertex as usize) else {
            self.parent.closed = true;
            return;
        };
        self.position = Some((vertex, name.clone()));
        self.parent.silence = begin.agent.silence_of_parent();
        let mut topology = Vec::new();
        Topology::of_this_machine().encode(&mut topology);
        let host = Host {
            vertex,
            name: rustix::system::uname()
                .nodename()
                .to_string_lossy()
                .into_owned(),
            topology,
        };
        let messages = self.vertex.begin(begin);
        self.relay = Relay::new(self.vertex.hosts_below());
        self.report(messages);
        self.report(vec![Up::Ready(vec![host])]);
    }

    fn launch(&mut self, order: &[u8]) {
        let order = match Order::decode(order) {
            Ok(mut order) => {
                add_own_env(&mut order, self.vertex.is_of_one_host());
                Arc::new(order)
            }
            Err(wire::Malformed(detail)) => {
                return self.fail(None, &format!("it was sent {detail}"))
            }
        };
        let shape = self.vertex.shape();
        let Some((own, _)) = self.position else {
            return;
        };
        let below = shape.subtree(own);
        let ranks = (0..order.plan.size()).filter(|&rank| {
            order
                .vertex(rank)
                .is_some_and(|at| below.binary_search(&at).is_ok())
        });
        let first = order.part.first;
        self.relay.expect(first, ranks.map(|rank| first + rank));
        if let Err(error) = std::env::set_current_dir(&order.directory) {
            let directory = order.directory.display();
            return self.fail(
                Some(first),
                &format!("working directory {directory}: {error}"),
            );
        }
        let messages = self.vertex.launch(order);
        self.report(messages);
    }

    /// Reports that this host cannot go on with a part, or at all.
    fn fail(&mut self, part: Option<u32>, what: &str) {
        let Some((vertex, name)) = &self.position else {
            self.parent.closed = true;
            return;
        };
        let text = format!("host {name}: {what}");
        let vertex = *vertex;
        self.report(vec![Up::Failed { vertex, part, text }]);
    }

    fn report(&mut self, messages: Vec<Up>) {
        for message in messages {
            let now = self.relay.up(message);
            self.send(now);
        }
    }

    fn send(&mut self, messages: Vec<Up>) {
        for message in messages {
            self.parent.send(&message, &self.vertex.poll);
        }
    }
}

/// Adds what only this host knows to the environment of the ranks.
fn add_own_env(order: &mut Order, is_of_host: impl Fn(&OsStr) -> bool) {
    for (name, value) in std::env::vars_os().filter(|(name, _)| is_of_host(name)) {
        for app in &mut order.plan.apps {
            app.env.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
}

/// The connection to the parent vertex.
struct Parent {
    inbox: Inbox,
    outbox: Outbox,
    last_received: Instant,
    last_sent: Instant,
    /// Time for which the parent may be silent.
    silence: Duration,
    /// Whether the parent has announced that it stops, and is silent until it continues.
    stops: bool,
    closed: bool,
    watched: bool,
}

impl Parent {
    fn new(poll: &Poll, now: Instant) -> io::Result<Parent> {
        rustix::io::ioctl_fionbio(io::stdin(), true)?;
        rustix::io::ioctl_fionbio(io::stdout(), true)?;
        poll.add(io::stdin(), Source::Parent(0), Until::Readable)?;
        Ok(Parent {
            inbox: Inbox::default(),
            outbox: Outbox::default(),
            last_received: now,
            last_sent: now,
            silence: SILENCE_AT_FIRST,
            stops: false,
            closed: false,
            watched: false,
        })
    }

    fn greet(&mut self, poll: &Poll) {
        self.outbox.push(wire::greeting().into());
        self.flush(poll);
    }

    fn receive(&mut self, now: Instant) -> Result<Vec<Down>, wire::Malformed> {
        let mut messages = Vec::new();
        let mut chunk = [0; 16 * 1024];
        loop {
            match rustix::io::read(io::stdin(), &mut chunk) {
                Ok(n) if n > 0 => {
                    (self.last_received, self.stops) = (now, false);
                    self.inbox.push(&chunk[..n]);
                    while let Some((kind, body)) = self.inbox.frame()? {
                        messages.push(Down::decode(kind, body)?);
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(messages),
                Ok(_) | Err(_) => {
                    self.closed = true;
                    return Ok(messages);
                }
            }
        }
    }

    fn send(&mut self, message: &Up, poll: &Poll) {
        self.outbox.push(message.encode().into());
        self.flush(poll);
    }

    fn flush(&mut self, poll: &Poll) {
        self.closed |= self.outbox.flush(io::stdout()).is_err();
        let behind = self.outbox.is_behind();
        if std::mem::replace(&mut self.watched, behind) != behind {
            poll.watch(
                std::os::fd::AsFd::as_fd(&io::stdout()),
                Source::Parent(1),
                Until::Writable,
                behind,
            );
        }
    }

    fn beat(&mut self, poll: &Poll, now: Instant) {
        if now.since(self.last_sent) >= BEAT_EVERY && !self.outbox.is_behind() {
            self.last_sent = now;
            self.send(&Up::Beat, poll);
        }
    }

    fn is_gone(&self, now: Instant) -> bool {
        self.closed || !self.stops && now.since(self.last_received) >= self.silence
    }
}
