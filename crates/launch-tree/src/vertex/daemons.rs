//! The daemons below a vertex: their start, and what they say.

use std::io;
use std::ops::Range;

use base::Clock;

use super::Vertex;
use crate::link::{Link, LinkEvent};
use crate::plm::call::Calls;
use crate::plm::{Agent, Starting};
use crate::poll::Source;
use crate::starter::Starter;
use crate::wire::{Begin, Down, Up};

impl Vertex {
    /// Starts a daemon on another host while the job runs. Returns its vertex, and the failure if
    /// it could not be started.
    pub fn add(&mut self, agent: &Agent, host: String) -> (u32, Option<Up>) {
        if self.hosts.is_empty() {
            // The root's own.
            self.hosts.push(String::new());
        }
        let vertex = self.shape.add();
        self.hosts.push(host);
        self.agent.get_or_insert_with(|| agent.clone());
        let failures = self.start_daemons(agent, vertex..vertex + 1);
        (vertex, failures.into_iter().next())
    }

    /// Starts the daemons of these vertices, which are children of this one. Returns the failures.
    pub(super) fn start_daemons(&mut self, agent: &Agent, vertices: Range<u32>) -> Vec<Up> {
        let host = |vertex: u32| (vertex, &self.hosts[vertex as usize][..]);
        let (bad, hosts): (Vec<_>, Vec<_>) = vertices
            .map(host)
            .partition(|(_, host)| host.starts_with('-'));
        let no_name = |(vertex, host)| failed(vertex, format!("{host:?} is no name of a host"));
        let mut messages: Vec<Up> = bad.into_iter().map(no_name).collect();
        if hosts.is_empty() {
            return messages;
        }
        if agent.calls() && self.calls.is_none() {
            match Calls::listen(&self.poll) {
                Ok(calls) => self.calls = Some(calls),
                Err(error) => {
                    let text = |host| format!("host {host} cannot connect to this one: {error}");
                    let all = hosts
                        .iter()
                        .map(|&(vertex, host)| failed(vertex, text(host)));
                    messages.extend(all);
                    return messages;
                }
            }
        }
        let invitation = self.calls.as_ref().map(Calls::invitation);
        for starting in agent.commands(&hosts, invitation) {
            let vertices = starting.vertices.clone();
            if let Err(error) = self.start(agent, starting) {
                let (name, why) = (agent.name(), &agent.passed_over);
                messages.extend(vertices.into_iter().map(|vertex| {
                    let host = &self.hosts[vertex as usize];
                    let text = format!("cannot reach host {host}: cannot run {name}: {error}{why}");
                    failed(vertex, text)
                }));
            }
        }
        messages
    }

    /// Runs a command that starts daemons.
    fn start(&mut self, agent: &Agent, starting: Starting) -> io::Result<()> {
        let Starting { vertices, command } = starting;
        let number = self.starters.len() as u32;
        let blocked = self.signals.given();
        let (starter, mut streams) = Starter::run(number, command, agent, blocked, &self.poll)?;
        self.starters.push(starter);
        let now = self.clock.now();
        for vertex in vertices {
            let place = (vertex, &self.hosts[vertex as usize][..]);
            let link = Link::new(place, number, streams.take(), &self.poll, now)?;
            self.links.push(link);
        }
        Ok(())
    }

    pub(super) fn take_link(&mut self, stream: usize, vertex: u32) -> Vec<Up> {
        let now = self.clock.now();
        let Some(link) = self.links.iter_mut().find(|link| link.vertex == vertex) else {
            return Vec::new();
        };
        match stream {
            0 => {
                let starter = &mut self.starters[link.starter as usize];
                let events = link.receive(starter, &self.poll, now);
                events
                    .into_iter()
                    .filter_map(|event| self.handle_message(vertex, event))
                    .collect()
            }
            _ => {
                link.flush(&self.poll, now);
                Vec::new()
            }
        }
    }

    /// Handles a connection that may be a daemon's. Returns the messages that go up.
    pub(super) fn take_call(&mut self, source: Source) -> Vec<Up> {
        let Some(calls) = &mut self.calls else {
            return Vec::new();
        };
        let Source::Call(number) = source else {
            calls.accept(&self.poll, self.clock.now());
            return Vec::new();
        };
        let is_meant = |link: &Link, host: &str| link.awaits_call() && link.is_at(host);
        let links = &self.links;
        let called = calls.take(number, &self.poll, |host| {
            links.iter().any(|link| is_meant(link, host))
        });
        let Some((socket, host)) = called else {
            return Vec::new();
        };
        let mut links = self.links.iter_mut();
        let Some(link) = links.find(|link| is_meant(link, &host)) else {
            return Vec::new();
        };
        match link.attach(socket, &self.poll) {
            // What it has sent already is no event of the poll.
            Ok(()) => {
                let vertex = link.vertex;
                self.take_link(0, vertex)
            }
            Err(error) => {
                link.kill(&mut self.starters[link.starter as usize]);
                let text = format!("host {host} cannot go on: {error}");
                let vertex = link.vertex;
                vec![Up::Lost { vertex, text }]
            }
        }
    }

    /// Handles a message from the daemon of `vertex`. Returns the message that goes up, if any.
    fn handle_message(&mut self, vertex: u32, event: LinkEvent) -> Option<Up> {
        match event {
            LinkEvent::Greeting => {
                let begin = Down::Begin(Begin {
                    vertex,
                    // One that starts late has none below it.
                    radix: match self.shape.is_late(vertex) {
                        true => u32::MAX,
                        false => self.shape.radix(),
                    },
                    hosts: self.hosts.clone(),
                    agent: self.agent.clone()?,
                });
                self.say(vertex, &begin.encode().into());
                None
            }
            LinkEvent::Message(Up::Beat | Up::Bye) => None,
            LinkEvent::Message(message) if !self.is_allowed(vertex, &message) => {
                let link = self.links.iter_mut().find(|link| link.vertex == vertex)?;
                link.kill(&mut self.starters[link.starter as usize]);
                let host = &link.host;
                let text = format!("host {host} cannot go on: it spoke for another");
                Some(Up::Lost { vertex, text })
            }
            LinkEvent::Message(message) => Some(message),
            LinkEvent::Gone(text) => Some(Up::Lost { vertex, text }),
        }
    }

    /// Whether the daemon of `vertex` may send this message, which may only be about itself and
    /// those below it.
    fn is_allowed(&self, vertex: u32, message: &Up) -> bool {
        let is_below = |v: u32| {
            v < self.shape.vertices() && (v == vertex || self.shape.next_hop(vertex, v).is_some())
        };
        // A process of a part that is forgotten here is nobody's: what is said of it comes late.
        let is_its = |rank: u32| self.vertex_of(rank).is_none_or(is_below);
        match message {
            Up::Ready(hosts) => hosts.iter().all(|host| is_below(host.vertex)),
            Up::Event(event) => event.rank().is_some_and(is_its),
            Up::Fence(ranks) => ranks.iter().all(|(rank, _)| is_its(*rank)),
            Up::Meet(gathering) => gathering.entries.iter().all(|entry| is_its(entry.0)),
            Up::Output { rank, .. }
            | Up::Request { rank, .. }
            | Up::Recording { rank, .. }
            | Up::Log { rank, .. } => is_its(*rank),
            Up::Failed { vertex, .. } | Up::Lost { vertex, .. } | Up::Signal { vertex, .. } => {
                is_below(*vertex)
            }
            Up::InputAccepted(_) | Up::InputClosed | Up::Say(_) | Up::Bye | Up::Beat => true,
        }
    }
}

/// The report that a daemon could not be started.
fn failed(vertex: u32, text: String) -> Up {
    Up::Failed {
        vertex,
        part: None,
        text,
    }
}
