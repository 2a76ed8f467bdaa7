//! One vertex of the tree, `mpirun` or a daemon: its ranks, the daemons below it, and its poll.
//!
//! All events become messages that go up, which the owner of the vertex forwards or handles.
//! Messages that come down are passed to [`Vertex::give`], which executes what concerns this host
//! and forwards what concerns others.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use base::{Clock, Instant, Monotonic};
use bootstrap::native::wire::Reply;
use rustix::event::Timespec;

use super::agent::Agent;
use super::link::{Heard, Link};
use super::order::Order;
use super::shape::{Shape, ROOT};
use super::wire::{Begin, Down, Up};
use crate::crew::{self, Crew};
use crate::poll::{Poll, Source, Until};
use crate::signals::Signals;
use crate::Error;

/// After a pause of this length the neighbours are not to blame for their silence.
const PAUSE: Duration = Duration::from_secs(2);

/// A vertex.
pub(crate) struct Vertex {
    pub(crate) clock: Monotonic,
    pub(crate) poll: Poll,
    pub(crate) signals: Signals,
    number: u32,
    shape: Shape,
    agent: Option<Agent>,
    hosts: Vec<String>,
    links: Vec<Link>,
    crew: Option<Crew>,
    order: Option<Arc<Order>>,
    /// The last turn of the loop.
    turned: Instant,
}

impl Vertex {
    /// Returns a vertex that has no place yet.
    pub(crate) fn new() -> Result<Vertex, Error> {
        let signals = Signals::catch().map_err(Error::system("catching signals"))?;
        let poll = Poll::new()?;
        poll.add(&signals, Source::Signals, Until::Readable)
            .map_err(Error::system::<io::Error>("preparing to wait"))?;
        let clock = Monotonic::start();
        Ok(Vertex {
            turned: clock.now(),
            clock,
            poll,
            signals,
            number: 0,
            shape: Shape::new(1, 1),
            agent: None,
            hosts: Vec::new(),
            links: Vec::new(),
            crew: None,
            order: None,
        })
    }

    /// Takes a place in the tree and starts the daemons below it. Returns what went wrong.
    pub(crate) fn begin(&mut self, begin: Begin) -> Vec<Up> {
        self.number = begin.vertex;
        self.shape = Shape::new(begin.hosts.len() as u32, begin.radix);
        self.hosts = begin.hosts;
        let now = self.clock.now();
        let mut words = Vec::new();
        for vertex in self.shape.children(self.number) {
            let host = &self.hosts[vertex as usize];
            let blocked = self.signals.given();
            match Link::start(&begin.agent, vertex, host, blocked, &self.poll, now) {
                Ok(link) => self.links.push(link),
                Err(text) => words.push(Up::Failed { vertex, text }),
            }
        }
        self.agent = Some(begin.agent);
        words
    }

    /// How many hosts there are from here down.
    pub(crate) fn hosts_below(&self) -> usize {
        self.shape.subtree(self.number).len()
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// Starts the ranks of this host. What happened; where something went wrong, that too.
    pub(crate) fn launch(&mut self, order: Arc<Order>) -> Vec<Up> {
        let blocked = self.signals.given();
        let (crew, start) = Crew::start(Arc::clone(&order), self.number, blocked, &self.poll);
        self.crew = Some(crew);
        self.order = Some(order);
        let mut words = start.told;
        if let Err(error) = start.started {
            let vertex = self.number;
            let text = match self.number {
                ROOT => error.to_string(),
                other => format!("host {}: {error}", self.hosts[other as usize]),
            };
            words.push(Up::Failed { vertex, text });
        }
        words
    }

    /// Returns what is ready, at the latest at `until`.
    pub(crate) fn wait(&mut self, until: Option<Instant>) -> Vec<Source> {
        let now = self.clock.now();
        let links = self.links.iter().map(|link| link.deadline(now));
        let until = until.into_iter().chain(links).min();
        let patience = until.map(|until| {
            let left = until.since(now);
            Timespec {
                tv_sec: left.as_secs() as i64,
                tv_nsec: left.subsec_nanos().into(),
            }
        });
        self.poll.wait(patience)
    }

    /// Whether this vertex was away since the last call: stopped, or starved. To be called at least
    /// once a turn.
    pub(crate) fn was_away(&mut self) -> bool {
        let now = self.clock.now();
        let away = now.since(std::mem::replace(&mut self.turned, now)) > PAUSE;
        if away {
            self.links.iter_mut().for_each(|link| link.forgive(now));
        }
        away
    }

    /// Does what there is to do for a ready descriptor of the ranks or daemons.
    pub(crate) fn take(&mut self, source: Source) -> Vec<Up> {
        match source {
            Source::Connection(rank) => self.with_crew(|crew, poll| crew.take_words(rank, poll)),
            Source::Printed(stream, rank) => {
                self.with_crew(|crew, poll| crew.take_output(stream, rank, poll))
            }
            Source::Feed => self.with_crew(|crew, poll| crew.feed(poll)),
            Source::Link(way, vertex) => self.take_link(way, vertex),
            Source::Signals | Source::Sink(_) | Source::Terminal | Source::Parent(_) => Vec::new(),
        }
    }

    fn with_crew(&mut self, act: impl FnOnce(&mut Crew, &Poll) -> Vec<Up>) -> Vec<Up> {
        match &mut self.crew {
            Some(crew) => act(crew, &self.poll),
            None => Vec::new(),
        }
    }

    fn take_link(&mut self, way: usize, vertex: u32) -> Vec<Up> {
        let now = self.clock.now();
        let Some(link) = self.links.iter_mut().find(|link| link.vertex == vertex) else {
            return Vec::new();
        };
        match way {
            0 => {
                let heard = link.hear(&self.poll, now);
                heard
                    .into_iter()
                    .filter_map(|heard| self.understand(vertex, heard))
                    .collect()
            }
            1 => {
                link.hear_complaints(&self.poll);
                Vec::new()
            }
            _ => {
                link.flush(&self.poll, now);
                Vec::new()
            }
        }
    }

    /// Handles a message from below; returns what goes up.
    fn understand(&mut self, vertex: u32, heard: Heard) -> Option<Up> {
        match heard {
            Heard::Greeting => {
                let begin = Down::Begin(Begin {
                    vertex,
                    radix: self.shape.radix(),
                    hosts: self.hosts.clone(),
                    agent: self.agent.clone()?,
                });
                self.say(vertex, &begin.encode().into());
                None
            }
            Heard::Word(Up::Beat | Up::Bye) => None,
            Heard::Word(word) if !self.is_allowed(vertex, &word) => {
                let link = self.links.iter_mut().find(|link| link.vertex == vertex)?;
                link.kill();
                let host = &link.host;
                let text = format!("host {host} cannot go on: it spoke for another");
                Some(Up::Lost { vertex, text })
            }
            Heard::Word(word) => Some(word),
            Heard::Gone(text) => Some(Up::Lost { vertex, text }),
        }
    }

    /// Whether the daemon of `vertex` may say this: only of itself and of those below it.
    fn is_allowed(&self, vertex: u32, word: &Up) -> bool {
        let is_below = |v: u32| {
            v < self.shape.vertices() && (v == vertex || self.shape.toward(vertex, v).is_some())
        };
        let at = |rank: u32| self.order.as_ref().and_then(|order| order.vertex(rank));
        let is_its = |rank: u32| at(rank).is_some_and(is_below);
        match word {
            Up::Ready(hosts) => hosts.iter().all(|host| is_below(host.vertex)),
            Up::Event(event) => event.rank().is_some_and(is_its),
            Up::Fence(ranks) => ranks.iter().all(|(rank, _)| is_its(*rank)),
            Up::Meet(gathering) => gathering.seats.iter().all(|seat| is_its(seat.0)),
            Up::Output { rank, .. } => is_its(*rank),
            Up::Failed { vertex, .. } | Up::Lost { vertex, .. } => is_below(*vertex),
            Up::Taken(_) | Up::Deaf | Up::Say(_) | Up::Bye | Up::Beat => true,
        }
    }

    fn say(&mut self, vertex: u32, frame: &Arc<[u8]>) {
        let now = self.clock.now();
        if let Some(link) = self.links.iter_mut().find(|link| link.vertex == vertex) {
            link.say(Arc::clone(frame), &self.poll, now);
        }
    }

    /// Checks which ranks and remote shells have ended.
    pub(crate) fn look_for_exits(&mut self) -> Vec<Up> {
        let mut words = self.with_crew(|crew, poll| crew.look_for_exits(None, poll));
        words.extend(self.tick());
        words
    }

    /// Does what is due by the time: reports that it is there, and notices silent neighbours.
    pub(crate) fn tick(&mut self) -> Vec<Up> {
        // It may have been stopped since the turn began.
        self.was_away();
        let now = self.clock.now();
        let Some(agent) = &self.agent else {
            return Vec::new();
        };
        let beat: Arc<[u8]> = Down::Beat.encode().into();
        let mut words = Vec::new();
        for link in &mut self.links {
            if link.wants_beat(now) {
                link.say(Arc::clone(&beat), &self.poll, now);
            }
            if let Some(Heard::Gone(text)) = link.check_time(agent, now) {
                let vertex = link.vertex;
                words.push(Up::Lost { vertex, text });
            }
        }
        words
    }

    /// Does what a message from above wants of this host, and passes it on. Returns what comes of
    /// it.
    pub(crate) fn give(&mut self, word: &Down) -> Vec<Up> {
        match word {
            Down::Launch(_) | Down::Hurry | Down::Finish => self.pass_on(word),
            Down::Signal(signal) => {
                if let Some(crew) = &self.crew {
                    crew.signal(*signal);
                }
                self.pass_on(word);
            }
            Down::Release(body) => {
                self.pass_on(word);
                if let Some(crew) = &mut self.crew {
                    crew.release(body, &self.poll);
                }
            }
            Down::Gone { rank, why } => {
                self.pass_on(word);
                if let Some(crew) = &mut self.crew {
                    crew.lose(*rank, why, &self.poll);
                }
            }
            Down::Met { tickets, values } => self.meet(tickets, values),
            Down::Input { rank, bytes } => {
                return match self.order.as_ref().and_then(|order| order.vertex(*rank)) {
                    Some(at) if at == self.number => {
                        self.with_crew(|crew, poll| crew.input(*rank, bytes, poll))
                    }
                    Some(at) => {
                        self.send_toward(at, word);
                        Vec::new()
                    }
                    None => Vec::new(),
                }
            }
            Down::Credit {
                vertex,
                stream,
                bytes,
            } => match (*vertex == self.number, &mut self.crew) {
                (true, Some(crew)) => crew.credit(*stream, *bytes as usize, &self.poll),
                (true, None) => {}
                (false, _) => self.send_toward(*vertex, word),
            },
            Down::Begin(_) | Down::Beat => {}
        }
        Vec::new()
    }

    fn pass_on(&mut self, word: &Down) {
        if self.links.is_empty() {
            return;
        }
        let (frame, now): (Arc<[u8]>, _) = (word.encode().into(), self.clock.now());
        for link in &mut self.links {
            link.say(Arc::clone(&frame), &self.poll, now);
        }
    }

    fn send_toward(&mut self, vertex: u32, word: &Down) {
        if let Some(child) = self.shape.toward(self.number, vertex) {
            self.say(child, &word.encode().into());
        }
    }

    /// Notifies members of a meeting that are here, and below, that it is over.
    fn meet(&mut self, tickets: &[(u32, u32)], values: &[Vec<u8>]) {
        let Some(order) = self.order.clone() else {
            return;
        };
        let mut below: Vec<(u32, Vec<(u32, u32)>)> = Vec::new();
        for &(rank, ticket) in tickets {
            let Some(at) = order.vertex(rank) else {
                continue;
            };
            if let (true, Some(crew)) = (at == self.number, &mut self.crew) {
                let values = values.to_vec();
                let frame = crew::frame(&Reply::Met { ticket, values });
                crew.answer(rank, &frame, &self.poll);
            } else if let Some(child) = self.shape.toward(self.number, at) {
                match below.iter_mut().find(|(vertex, _)| *vertex == child) {
                    Some((_, tickets)) => tickets.push((rank, ticket)),
                    None => below.push((child, vec![(rank, ticket)])),
                }
            }
        }
        for (child, tickets) in below {
            let values = values.to_vec();
            let word = Down::Met { tickets, values };
            self.say(child, &word.encode().into());
        }
    }

    /// Ends what the ranks here have left behind. What they printed last.
    pub(crate) fn finish_crew(&mut self) -> Vec<Up> {
        match self.crew.take() {
            Some(mut crew) => crew.finish(&self.poll),
            None => Vec::new(),
        }
    }

    /// Whether all below have said goodbye or are gone.
    pub(crate) fn is_alone(&self) -> bool {
        self.links.iter().all(Link::is_over)
    }

    /// Drops daemons that have not sent a message yet: they are sent nothing either.
    pub(crate) fn drop_silent(&mut self) {
        let silent = self
            .links
            .iter_mut()
            .filter(|link| !link.is_up() && !link.is_over());
        silent.for_each(Link::kill);
    }

    /// Closes the connections to all below. Those that still run end by that.
    pub(crate) fn close(&mut self) {
        self.links.clear();
    }
}
