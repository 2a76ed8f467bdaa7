//! A daemon, which runs the ranks of another host for `mpirun`. It makes no decisions.
//!
//! It reads its position in the tree and what to start from standard input, and reports events on
//! standard output. When that connection closes, or is silent for too long, it ends all processes
//! that it has started: a job never outlives its launcher.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use base::{Clock, Instant};
use rustix::io::Errno;
use rustix::process::Signal;

use crate::job::{self, signal_name};
use crate::outbox::Outbox;
use crate::plan::is_of_one_host;
use crate::poll::{Poll, Source, Until};
use crate::signals;
use crate::topology::Topology;
use crate::tree::link::BEAT_EVERY;
use crate::tree::order::Order;
use crate::tree::relay::Relay;
use crate::tree::vertex::Vertex;
use crate::tree::wire::{self, Begin, Down, Host, Inbox, Up};
use crate::Error;

/// How much longer the vertex above may be silent than one below: to take a job down for nothing
/// is worse than to notice late that nobody waits for it.
const PATIENCE_WITH_PARENT: u32 = 2;
/// How long the vertex above may be silent before this one's place is known.
const SILENCE_AT_FIRST: Duration = Duration::from_secs(60);
/// How long those below may take to say goodbye, and the vertex above to hear it.
const PARTING: Duration = Duration::from_secs(2);

/// Runs a daemon. Returns its exit code.
pub fn main() -> i32 {
    let Ok(mut daemon) = Daemon::start() else {
        return 1;
    };
    let code = daemon.run();
    // Also when nobody is left to hear of it.
    daemon.vertex.give(&Down::Signal(Signal::KILL.as_raw()));
    daemon.vertex.finish_crew();
    daemon.vertex.close();
    code
}

struct Daemon {
    vertex: Vertex,
    parent: Parent,
    relay: Relay,
    /// This vertex and its host as the user calls it, once known.
    place: Option<(u32, String)>,
    /// Time at which it is over in any case, once the order to finish has come.
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
            place: None,
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
                self.parent.heard = self.vertex.clock.now();
            }
            for source in ready {
                match source {
                    Source::Signals => self.take_signals(),
                    Source::Parent(0) => self.hear(),
                    Source::Parent(_) => self.parent.flush(&self.vertex.poll),
                    _ => {
                        let words = self.vertex.take(source);
                        self.tell(words);
                    }
                }
            }
            let words = self.vertex.tick();
            self.tell(words);
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

    /// Says goodbye when that is due; true once it has been heard.
    fn part(&mut self, now: Instant) -> bool {
        let Some(by) = self.finish_by else {
            return false;
        };
        if !self.parted && (self.vertex.is_alone() || now >= by) {
            self.parted = true;
            self.finish_by = Some(now.after(PARTING));
            self.parent.say(&Up::Bye, &self.vertex.poll);
        }
        self.parted && (!self.parent.outbox.is_behind() || now >= by)
    }

    fn take_signals(&mut self) {
        let arrived = self.vertex.signals.take();
        let words = self.vertex.look_for_exits();
        self.tell(words);
        for signal in arrived {
            if signals::ENDING.contains(&signal) {
                let name = signal_name(signal);
                self.fail(&format!("mpirun's daemon got signal {name}"));
            }
        }
    }

    /// Hears what comes from above.
    fn hear(&mut self) {
        let now = self.vertex.clock.now();
        match self.parent.hear(now) {
            Ok(words) => words.into_iter().for_each(|word| self.obey(word)),
            Err(wire::Malformed(_)) => self.parent.closed = true,
        }
    }

    fn obey(&mut self, word: Down) {
        let words = self.vertex.give(&word);
        self.tell(words);
        let kept = self.relay.down(&word);
        self.say(kept);
        match word {
            Down::Begin(begin) if self.place.is_none() => self.begin(begin),
            Down::Launch(order) => self.launch(&order),
            Down::Signal(signal) => self.parent.stops |= signal == job::SIGTSTP,
            Down::Finish => {
                let words = self.vertex.finish_crew();
                self.tell(words);
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
        self.place = Some((vertex, name.clone()));
        self.parent.silence = begin.agent.silence * PATIENCE_WITH_PARENT;
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
        let words = self.vertex.begin(begin);
        self.relay = Relay::new(self.vertex.hosts_below());
        self.tell(words);
        self.tell(vec![Up::Ready(vec![host])]);
    }

    fn launch(&mut self, order: &[u8]) {
        let order = match Order::decode(order) {
            Ok(mut order) => {
                add_own_env(&mut order);
                Arc::new(order)
            }
            Err(wire::Malformed(detail)) => return self.fail(&format!("it was sent {detail}")),
        };
        let shape = self.vertex.shape();
        let Some((own, _)) = self.place else { return };
        let below = shape.subtree(own);
        let ranks = (0..order.plan.size()).filter(|&rank| {
            order
                .vertex(rank)
                .is_some_and(|at| below.binary_search(&at).is_ok())
        });
        self.relay.expect(ranks);
        if let Err(error) = std::env::set_current_dir(&order.directory) {
            let directory = order.directory.display();
            return self.fail(&format!("working directory {directory}: {error}"));
        }
        let words = self.vertex.launch(order);
        self.tell(words);
    }

    /// Reports that this host cannot go on.
    fn fail(&mut self, what: &str) {
        let Some((vertex, name)) = &self.place else {
            self.parent.closed = true;
            return;
        };
        let text = format!("host {name}: {what}");
        let vertex = *vertex;
        self.tell(vec![Up::Failed { vertex, text }]);
    }

    fn tell(&mut self, words: Vec<Up>) {
        for word in words {
            let now = self.relay.up(word);
            self.say(now);
        }
    }

    fn say(&mut self, words: Vec<Up>) {
        for word in words {
            self.parent.say(&word, &self.vertex.poll);
        }
    }
}

/// Adds what only this host knows to the environment of the ranks.
fn add_own_env(order: &mut Order) {
    for (name, value) in std::env::vars_os().filter(|(name, _)| is_of_one_host(name)) {
        for app in &mut order.plan.apps {
            app.env.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
}

/// The connection to the vertex above.
struct Parent {
    inbox: Inbox,
    outbox: Outbox,
    heard: Instant,
    spoken: Instant,
    /// How long it may be silent.
    silence: Duration,
    /// Whether it announced to stop, and will be silent until it goes on.
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
            heard: now,
            spoken: now,
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

    fn hear(&mut self, now: Instant) -> Result<Vec<Down>, wire::Malformed> {
        let mut words = Vec::new();
        let mut chunk = [0; 16 * 1024];
        loop {
            match rustix::io::read(io::stdin(), &mut chunk) {
                Ok(n) if n > 0 => {
                    (self.heard, self.stops) = (now, false);
                    self.inbox.push(&chunk[..n]);
                    while let Some((kind, body)) = self.inbox.frame()? {
                        words.push(Down::decode(kind, body)?);
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(words),
                Ok(_) | Err(_) => {
                    self.closed = true;
                    return Ok(words);
                }
            }
        }
    }

    fn say(&mut self, word: &Up, poll: &Poll) {
        self.outbox.push(word.encode().into());
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
        if now.since(self.spoken) >= BEAT_EVERY && !self.outbox.is_behind() {
            self.spoken = now;
            self.say(&Up::Beat, poll);
        }
    }

    fn is_gone(&self, now: Instant) -> bool {
        self.closed || !self.stops && now.since(self.heard) >= self.silence
    }
}
