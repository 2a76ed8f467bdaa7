//! Helpers of the tests: engines that are introduced to each other, and operations on them.

use base::{Cut, PeerId, Rank};
use bml::Bml;
use btl_sim::{Config, Gets, Net};
use datatype::Buffer;
use engine::{Core, Engine, Settings};
use memory::Scratch;
use pml::Tag;
use pml::{CommId, Context, MessageId, Mode, Outcome, Pattern, Pml, RequestId, Started, Status};
use sync::{Gate, Patience};

/// Rounds of progress after which something counts as stuck.
const ROUNDS_MAX: usize = 20_000;

/// Messages of any sender and tag.
pub const ANY: Pattern = Pattern {
    source: None,
    tag: None,
};

/// Messages of a sender with a tag.
pub fn from(source: u32, tag: Tag) -> Pattern {
    Pattern {
        source: Some(Rank(source)),
        tag: Some(tag),
    }
}

/// The lanes that differ in how messages go over them, by name. Each is calm: nothing is refused
/// and nothing is late.
pub fn lanes() -> Vec<(&'static str, Config)> {
    let calm = || Config {
        straggler_percent: 0,
        busy_percent: 0,
        queue_messages_max: 1000,
        ..Config::of(7)
    };
    let cut = Cut {
        part: 500,
        longest: 20_000,
    };
    let config = |change: &dyn Fn(&mut Config)| {
        let mut config = calm();
        change(&mut config);
        config
    };
    vec![
        ("reads", calm()),
        ("fragments", config(&|c| c.gets = Gets::None)),
        ("refused reads", config(&|c| c.gets = Gets::Failing(100))),
        ("a front, and reads", config(&|c| c.rndv_eager_limit = 1000)),
        (
            "a front, and fragments",
            config(&|c| (c.rndv_eager_limit, c.gets) = (1000, Gets::None)),
        ),
        ("parts", config(&|c| c.cut = Some(cut))),
        (
            "a lane that keeps messages",
            config(&|c| (c.keeps, c.gets) = (true, Gets::None)),
        ),
        (
            "a lane without order",
            config(&|c| (c.ordered, c.straggler_percent) = (false, 40)),
        ),
        (
            "a busy lane",
            config(&|c| (c.busy_percent, c.queue_messages_max) = (60, 2)),
        ),
    ]
}

/// A request and the memory that it uses.
pub struct Posted {
    pub request: RequestId,
    pub memory: Scratch,
}

impl Posted {
    /// The first bytes of the memory.
    pub fn bytes(&self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.memory.buf().read(0, &mut bytes);
        bytes
    }
}

/// Returns the bytes of a message from a rank under a tag.
pub fn content(from: usize, tag: Tag, len: usize) -> Vec<u8> {
    let seed = (from as u8).wrapping_mul(89) ^ tag as u8;
    (0..len)
        .map(|at| seed ^ (at as u8).wrapping_mul(7) ^ (at >> 8) as u8)
        .collect()
}

/// Engines of processes that are one communicator.
pub struct World {
    pub net: Net,
    pub engines: Vec<Engine>,
    pub comms: Vec<CommId>,
    /// The processes that take part in progress.
    pub alive: Vec<bool>,
    /// Sends whose memory must stay.
    sent: Vec<Posted>,
}

impl World {
    pub fn new(size: usize, config: Config) -> World {
        World::with_window(size, config, 1 << 20)
    }

    /// Opens engines among which a peer may leave `unexpected_limit` bytes unmatched.
    pub fn with_window(size: usize, config: Config, unexpected_limit: u64) -> World {
        let net = Net::new(config);
        let open = |me| {
            let settings = Settings {
                peers: size,
                own: None,
                unexpected_limit,
                patience: Patience::measure(1, 1),
            };
            let endpoint = Box::new(net.open(PeerId(me)));
            Engine::new(Bml::new(vec![endpoint]), settings, Gate::shared)
        };
        let engines: Vec<Engine> = (0..size as u32).map(open).collect();
        let comms = meet(&engines);
        World {
            alive: vec![true; size],
            net,
            engines,
            comms,
            sent: Vec::new(),
        }
    }

    /// Starts a send of [`content`]; `None` when it is complete.
    pub fn send(
        &mut self,
        me: usize,
        to: u32,
        tag: Tag,
        len: usize,
        mode: Mode,
    ) -> Option<RequestId> {
        let memory = Scratch::new(len);
        memory.buf().write(0, &content(me, tag, len));
        let buffer = Buffer::bytes(memory.buf());
        let comm = self.comms[me];
        let mut core = self.engines[me].enter();
        let started = core.start_send(comm, Rank(to), tag, buffer, mode);
        drop(core);
        let request = match started {
            Started::Complete => None,
            Started::Pending(request) => Some(request),
        };
        if let Some(request) = request {
            self.sent.push(Posted { request, memory });
        } else {
            // Its buffer may be reused: nothing of it is read any more.
            memory.buf().write(0, &vec![0xee; len]);
        }
        request
    }

    /// Starts a receive into `room` bytes.
    pub fn recv(&mut self, me: usize, pattern: Pattern, room: usize) -> Posted {
        let memory = Scratch::new(room);
        let buffer = Buffer::bytes(memory.buf());
        let comm = self.comms[me];
        let request = self.engines[me].enter().start_recv(comm, pattern, buffer);
        Posted { request, memory }
    }

    /// Receives a message that a matched probe took.
    pub fn recv_matched(&mut self, me: usize, message: MessageId, room: usize) -> Posted {
        let memory = Scratch::new(room);
        let buffer = Buffer::bytes(memory.buf());
        let request = self.engines[me].enter().start_matched_recv(message, buffer);
        let request = request.expect("a message that nobody received");
        Posted { request, memory }
    }

    pub fn probe(&mut self, me: usize, pattern: Pattern) -> Option<Status> {
        let comm = self.comms[me];
        self.engines[me].enter().probe(comm, pattern)
    }

    pub fn matched_probe(&mut self, me: usize, pattern: Pattern) -> Option<(MessageId, Status)> {
        let comm = self.comms[me];
        self.engines[me].enter().matched_probe(comm, pattern)
    }

    pub fn cancel(&mut self, me: usize, request: RequestId) -> bool {
        self.engines[me].enter().cancel(request)
    }

    pub fn outcome(&mut self, me: usize, request: RequestId) -> Option<Outcome> {
        self.engines[me].enter().outcome(request)
    }

    /// How many messages wait at a process for a receive.
    pub fn unexpected(&self, me: usize) -> usize {
        let comm = self.comms[me];
        self.engines[me].enter().unexpected_len(comm)
    }

    /// Ends a process without a word.
    pub fn kill(&mut self, victim: usize) {
        self.net.kill(PeerId(victim as u32));
        self.alive[victim] = false;
    }

    /// One round: the network's next moment, and progress of all that live. Whether anything
    /// happened.
    pub fn round(&mut self) -> bool {
        let mut happened = self.net.step();
        for (engine, alive) in self.engines.iter().zip(&self.alive) {
            happened |= *alive && engine.progress();
        }
        happened
    }

    /// The first `steps` steps of a number of rounds: the network's next moment is one, and the
    /// progress of each process.
    pub fn steps(&mut self, steps: usize) {
        let actors = self.engines.len() + 1;
        for step in 0..steps {
            match step % actors {
                0 => drop(self.net.step()),
                process => drop(self.engines[process - 1].progress()),
            }
        }
    }

    /// Rounds until something is found.
    pub fn until<T>(&mut self, what: &str, mut look: impl FnMut(&mut World) -> Option<T>) -> T {
        for _ in 0..ROUNDS_MAX {
            if let Some(found) = look(self) {
                return found;
            }
            self.round();
        }
        panic!("stuck: {what}");
    }

    /// Waits for a request.
    pub fn wait(&mut self, me: usize, request: RequestId) -> Outcome {
        self.until("a request", |world| world.outcome(me, request))
    }

    /// Waits for a send that began as [`World::send`] says.
    pub fn wait_send(&mut self, me: usize, request: Option<RequestId>) {
        if let Some(request) = request {
            let outcome = self.wait(me, request);
            assert_eq!(outcome.result, Ok(()), "a send");
        }
    }

    /// Waits for a receive, and compares what it got: [`content`] of a message.
    pub fn wait_recv(&mut self, me: usize, posted: &Posted, source: u32, tag: Tag, len: usize) {
        let outcome = self.wait(me, posted.request);
        let wanted = Status {
            source: Some(Rank(source)),
            tag,
            bytes: len as u64,
            ..Status::EMPTY
        };
        assert_eq!((outcome.status, outcome.result), (wanted, Ok(())));
        let bytes = posted.bytes(len);
        assert!(bytes == content(source as usize, tag, len), "other bytes");
    }

    /// Rounds until nothing moves: what was begun and not waited for is done, or stuck for good.
    pub fn settle(&mut self) {
        let mut idle = 0;
        for _ in 0..ROUNDS_MAX {
            idle = if self.round() { 0 } else { idle + 1 };
            if idle > 200 {
                return;
            }
        }
        panic!("something moves for ever");
    }

    /// Whether nothing is left of what was exchanged.
    pub fn check_is_idle(&mut self) {
        self.settle();
        let size = self.engines.len();
        for me in (0..size).filter(|me| self.alive[*me]) {
            let mut core = self.engines[me].enter();
            assert_eq!(core.open_requests(), 0, "requests of {me}");
            assert!(core.is_flushed(size as u32), "frames of {me}");
            drop(core);
            assert_eq!(self.unexpected(me), 0, "messages at {me}");
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // A message under way touches no memory once the processes are gone.
        for peer in 0..self.engines.len() as u32 {
            self.net.kill(PeerId(peer));
        }
    }
}

/// Introduces all to all, and opens a communicator of all.
pub fn meet(engines: &[Engine]) -> Vec<CommId> {
    let addresses: Vec<Vec<u8>> = engines.iter().map(Engine::address).collect();
    let peers: Vec<PeerId> = (0..engines.len() as u32).map(PeerId).collect();
    let open = |(me, engine): (usize, &Engine)| {
        for (peer, address) in peers.iter().zip(&addresses) {
            engine.add_peer(*peer, address).expect("a lane");
        }
        let mut core: sync::Entered<'_, Core> = engine.enter();
        core.open_comm(Context(8), Rank(me as u32), peers.clone())
    };
    engines.iter().enumerate().map(open).collect()
}
