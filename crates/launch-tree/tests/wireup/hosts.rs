//! The hosts: what `mpirun` and its daemons do at a start, with the crate's own relays, words and
//! job, but for processes and descriptors.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use base::Instant;
use launch_job::{Action, Event, Job};
use launch_tree::plm::{Agent, Start};
use launch_tree::relay::Relay;
use launch_tree::shape::{Shape, ROOT};
use launch_tree::wire::{Begin, Down, Host, Up};

/// Phases of a start, in this order.
pub const PHASES: [&str; 5] = ["start", "ready", "launch", "fence", "release"];

/// Cost of a start.
pub struct Cost {
    /// For each round the phase of its messages and how many there were.
    pub rounds: Vec<(&'static str, usize)>,
    /// Counts of each kind of control message over the connection above each host.
    pub words: HashMap<&'static str, Vec<usize>>,
    /// The most connections that any host has.
    pub connections_max: usize,
}

impl Cost {
    /// How many rounds a phase took.
    pub fn rounds_of(&self, phase: &str) -> usize {
        self.rounds
            .iter()
            .filter(|(name, _)| *name == phase)
            .count()
    }
}

/// A message, which arrives in the next round.
enum Message {
    /// The remote shell starts a daemon.
    Start,
    /// A daemon greets.
    Greeting,
    Up(Vec<u8>),
    Down(Vec<u8>),
}

/// A message and its ends.
struct Sent {
    from: u32,
    to: u32,
    phase: &'static str,
    message: Message,
}

struct World {
    shape: Shape,
    relays: Vec<Relay>,
    ranks_each: u32,
    job: Job,
    ready: usize,
    released: HashSet<u32>,
    /// The body of the release at the first host that has got it.
    published: Vec<u8>,
    sent: Vec<Sent>,
    words: HashMap<&'static str, Vec<usize>>,
}

/// Starts a job of `ranks_each` ranks on each of `hosts` other hosts.
pub fn wire_up(hosts: u32, ranks_each: u32, radix: u32) -> Cost {
    let shape = Shape::new(hosts + 1, radix);
    let size = hosts * ranks_each;
    let node_of = (0..size).map(|rank| rank / ranks_each).collect();
    let names = (1..=hosts).map(|host| format!("n{host}")).collect();
    let programs = vec!["program".to_string(); size as usize];
    let mut world = World {
        shape,
        relays: (0..=hosts)
            .map(|vertex| Relay::new(shape.subtree(vertex).len()))
            .collect(),
        ranks_each,
        job: Job::new(programs, None, Instant(0)).across(node_of, names),
        ready: 0,
        released: HashSet::new(),
        published: Vec::new(),
        sent: Vec::new(),
        words: HashMap::new(),
    };
    world.start_children(ROOT);
    let mut rounds = Vec::new();
    while !world.sent.is_empty() {
        let arriving = std::mem::take(&mut world.sent);
        rounds.push((arriving[0].phase, arriving.len()));
        arriving.into_iter().for_each(|sent| world.deliver(sent));
    }
    assert_eq!(world.released.len(), hosts as usize, "all got everything");
    let links = |vertex| shape.children(vertex).len() + usize::from(vertex != ROOT);
    Cost {
        rounds,
        words: world.words,
        connections_max: (0..=hosts).map(links).max().unwrap_or(0),
    }
}

impl World {
    fn deliver(&mut self, sent: Sent) {
        let (from, at) = (sent.from, sent.to);
        match sent.message {
            Message::Start => self.send(at, from, "start", Message::Greeting),
            Message::Greeting => {
                let begin = Down::Begin(Begin {
                    vertex: from,
                    radix: self.shape.radix(),
                    hosts: vec![String::new(); self.shape.vertices() as usize],
                    agent: Agent {
                        start: Start::Shell(vec!["ssh".to_string()]),
                        passed_over: String::new(),
                        program: "mpirun".to_string(),
                        patience: Duration::from_secs(60),
                        silence: Duration::from_secs(6),
                    },
                });
                self.send(at, from, "start", Message::Down(begin.encode()));
            }
            Message::Up(frame) => {
                let word = Up::decode(frame[0], &frame[5..]).unwrap();
                match at {
                    ROOT => self.root(word),
                    _ => self.up(at, word),
                }
            }
            Message::Down(frame) => {
                let word = Down::decode(frame[0], &frame[5..]).unwrap();
                self.down(at, word);
            }
        }
    }

    fn send(&mut self, from: u32, to: u32, phase: &'static str, message: Message) {
        self.sent.push(Sent {
            from,
            to,
            phase,
            message,
        });
    }

    fn start_children(&mut self, at: u32) {
        for child in self.shape.children(at) {
            self.send(at, child, "start", Message::Start);
        }
    }

    /// A word from here or below goes on its way up.
    fn up(&mut self, at: u32, word: Up) {
        let parent = self.shape.parent(at).expect("not the root");
        for word in self.relays[at as usize].up(word) {
            let kind = match &word {
                Up::Ready(_) => "ready",
                // What ranks do goes along with the fence, and nobody waits for it.
                _ => "fence",
            };
            if matches!(word, Up::Ready(_) | Up::Fence(_)) {
                self.count(kind, at);
            }
            self.send(at, parent, kind, Message::Up(word.encode()));
        }
    }

    fn count(&mut self, kind: &'static str, below: u32) {
        let hosts = self.shape.vertices() as usize - 1;
        let counts = self.words.entry(kind).or_insert_with(|| vec![0; hosts]);
        counts[below as usize - 1] += 1;
    }

    fn pass_on(&mut self, at: u32, kind: &'static str, word: &Down) {
        for child in self.shape.children(at) {
            self.count(kind, child);
            self.send(at, child, kind, Message::Down(word.encode()));
        }
    }

    fn down(&mut self, at: u32, word: Down) {
        assert!(self.relays[at as usize].down(&word).is_empty());
        match word {
            Down::Begin(begin) => {
                assert_eq!(begin.vertex, at);
                self.start_children(at);
                let host = Host {
                    vertex: at,
                    name: format!("n{at}"),
                    topology: Vec::new(),
                };
                self.up(at, Up::Ready(vec![host]));
            }
            Down::Launch(_) => {
                self.pass_on(at, "launch", &word);
                self.start_ranks(at);
            }
            Down::Release { ref body, .. } => {
                if self.published.is_empty() {
                    let size = (self.shape.vertices() - 1) * self.ranks_each;
                    let mut ranks = HashSet::new();
                    bootstrap::native::wire::released(body, |rank, key, value| {
                        assert_eq!((key, value), ("address", &rank.to_le_bytes()[..]));
                        ranks.insert(rank);
                    })
                    .unwrap();
                    assert_eq!(ranks.len(), size as usize);
                    self.published.clone_from(body);
                }
                assert!(*body == self.published, "all hosts get equal bytes");
                self.pass_on(at, "release", &word);
                self.released.insert(at);
            }
            other => panic!("{other:?} is not for a start"),
        }
    }

    fn ranks_of(&self, vertex: u32) -> std::ops::Range<u32> {
        (vertex - 1) * self.ranks_each..vertex * self.ranks_each
    }

    /// The ranks start, say hello and enter their first fence.
    fn start_ranks(&mut self, at: u32) {
        let below = self.shape.subtree(at);
        let below = below.into_iter().flat_map(|vertex| self.ranks_of(vertex));
        let below: Vec<u32> = below.collect();
        self.relays[at as usize].expect(0, below);
        for rank in self.ranks_of(at) {
            let pid = 1000 + rank;
            self.up(at, Up::Event(Event::Started { rank, pid }));
            self.up(at, Up::Event(Event::Hello { rank, pid }));
            let mut entries = Vec::new();
            let address = rank.to_le_bytes();
            bootstrap::native::wire::push_entry(&mut entries, "address", &address);
            self.up(at, Up::Fence(vec![(rank, entries)]));
        }
    }

    /// A word has reached `mpirun`.
    fn root(&mut self, word: Up) {
        let events = match word {
            Up::Ready(hosts) => {
                self.ready += hosts.len();
                if self.ready + 1 == self.shape.vertices() as usize {
                    self.pass_on(ROOT, "launch", &Down::Launch(Vec::new()));
                }
                Vec::new()
            }
            Up::Event(event) => vec![event],
            Up::Fence(ranks) => {
                let fence = |(rank, entries)| Event::Fence { rank, entries };
                ranks.into_iter().map(fence).collect()
            }
            other => panic!("{other:?} is not for a start"),
        };
        for event in events {
            for action in self.job.on(event, Instant(0)) {
                match action {
                    Action::Release { body } => {
                        self.pass_on(ROOT, "release", &Down::Release { first: 0, body });
                    }
                    other => panic!("{other:?} is not for a start"),
                }
            }
        }
    }
}
