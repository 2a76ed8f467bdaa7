//! Tests of whole transports over the loopback interface, most of them in one thread.

mod breaks;
mod ends;
mod foreign;
mod messages;
mod reads;
mod unauthenticated;
mod waiting;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use base::{AmTag, PeerId};
use btl::{
    Access, Arrival, Error, Flow, Interest, Reach, RemoteRange, Rma as _, Sink, SleepKind, Started,
    Token, Transport as _, Waker,
};
use memory::{Scratch, UserBuf};

use crate::address::Address;
use crate::handshake::{ConnectionId, Identity, State, Verdict, CHALLENGE_BYTES};
use crate::seal::Protection;
use crate::wire::{Header, Kind};
use crate::{open, Config, Settings, Transport};

const SECRET: [u8; 32] = [42; 32];
const TAG: AmTag = AmTag(0x80);

/// A transport and what it has reported.
struct Node {
    transport: Transport,
    inbox: Inbox,
}

#[derive(Default)]
struct Inbox {
    arrivals: Vec<(PeerId, AmTag, Vec<u8>)>,
    done: Vec<(Token, Result<(), Error>)>,
    failed: Vec<(PeerId, Error)>,
}

impl Sink for Inbox {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.arrivals
            .push((arrival.from, arrival.tag, arrival.payload.to_vec()));
    }
    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        self.done.push((token, outcome));
    }
    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.failed.push((peer, error));
    }
}

impl Node {
    fn new(me: u32) -> Node {
        Node::with(me, SECRET, 1, |_| ())
    }

    fn with(me: u32, secret: [u8; 32], job: u64, change: impl FnOnce(&mut Settings)) -> Node {
        let mut settings = Settings {
            if_include: vec!["lo".into()],
            ..Settings::default()
        };
        change(&mut settings);
        let transport = open(Config {
            me: PeerId(me),
            secret,
            job,
            one_host: false,
            settings,
        })
        .unwrap();
        Node {
            transport,
            inbox: Inbox::default(),
        }
    }

    fn meet(&mut self, other: &Node) {
        let peer = other.transport.connector.identity.me();
        let reach = self
            .transport
            .add_peer(peer, &other.transport.address())
            .unwrap();
        assert_eq!(reach, Reach::Reachable);
    }

    fn send(&mut self, peer: u32, header: &[u8], payload: UserBuf) -> Result<Flow, Error> {
        self.transport.send(PeerId(peer), TAG, header, payload)
    }

    fn say(&mut self, peer: u32, text: &str) {
        assert_eq!(
            self.send(peer, text.as_bytes(), UserBuf::EMPTY),
            Ok(Flow::Sent)
        );
    }

    fn received(&self) -> Vec<&str> {
        let text = |bytes| std::str::from_utf8(bytes).unwrap();
        self.inbox
            .arrivals
            .iter()
            .map(|(_, _, bytes)| text(bytes))
            .collect()
    }

    fn progress(&mut self) {
        self.transport.progress(&mut self.inbox);
    }

    /// Returns the address at which the node listens.
    fn socket(&self) -> SocketAddr {
        let address = Address::decode(&self.transport.address()).unwrap();
        address.entries[0].socket
    }
}

fn pair() -> (Node, Node) {
    let (mut a, mut b) = (Node::new(0), Node::new(1));
    a.meet(&b);
    b.meet(&a);
    (a, b)
}

/// A pair with this many rails.
fn railed_pair(links: u8) -> (Node, Node) {
    let rails = |settings: &mut Settings| settings.links = links;
    let [mut a, mut b] = [0, 1].map(|me| Node::with(me, SECRET, 1, rails));
    a.meet(&b);
    b.meet(&a);
    (a, b)
}

/// A pair with a connection.
fn connected() -> (Node, Node) {
    let (mut a, mut b) = pair();
    a.say(1, "hello");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].received() == ["hello"]
    });
    b.inbox.arrivals.clear();
    (a, b)
}

fn until(nodes: &mut [&mut Node], mut over: impl FnMut(&mut [&mut Node]) -> bool) {
    let begin = Instant::now();
    while !over(nodes) {
        let waited = begin.elapsed();
        assert!(waited.as_secs() < 60, "it never comes to that");
        nodes.iter_mut().for_each(|node| node.progress());
        // It waits for a deadline then: the core is of more use to other tests.
        if waited.as_secs() > 0 {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Chooses a number of rounds: `OXMPI_TEST_LONG` in the environment asks for more of them.
fn rounds(few: usize, many: usize) -> usize {
    match std::env::var_os("OXMPI_TEST_LONG") {
        Some(_) => many,
        None => few,
    }
}

/// Returns the contents of message `n` of `len` bytes.
fn pattern(n: usize, len: usize) -> Vec<u8> {
    (0..len)
        .map(|at| (at.wrapping_mul(7) ^ (at >> 8) ^ n) as u8)
        .collect()
}

/// The state of a peer that connects for the first time.
const FRESH: State = State {
    name: 5,
    other: 0,
    due: 0,
};

/// A process of the tests' job that a test plays itself.
fn played(me: u32) -> Identity {
    Identity::new(&SECRET, 1, PeerId(me), 4096, Protection::None)
}

/// Drives one handshake by hand; returns the verdict, and the other side's reported state.
fn impostor(
    node: &mut Node,
    identity: &Identity,
    connection: ConnectionId,
    state: State,
) -> (TcpStream, Verdict, State) {
    let mut stream = TcpStream::connect(node.socket()).unwrap();
    let to = node.transport.connector.identity.me();
    let nonce = crate::sys::random().unwrap();
    let (greeted, hello) = identity.greet(to, connection, state, nonce);
    stream.write_all(&hello).unwrap();
    let mut challenge = [0; CHALLENGE_BYTES];
    receive(node, &mut stream, &mut challenge);
    let (proven, proof) = greeted.prove(identity, &challenge).unwrap();
    stream.write_all(&proof).unwrap();
    let mut verdict = [0];
    receive(node, &mut stream, &mut verdict);
    (stream, Verdict::decode(verdict[0]).unwrap(), proven.state)
}

/// A process that a test plays, let in.
fn let_in(node: &mut Node, identity: &Identity) -> TcpStream {
    let (stream, verdict, _) = impostor(node, identity, ConnectionId::default(), FRESH);
    assert_eq!(verdict, Verdict::Accept);
    stream
}

/// Returns the connections with a peer that are up.
fn connections(node: &Node, peer: u32) -> Vec<&TcpStream> {
    let known = node.transport.peers.get(PeerId(peer));
    let connections = known
        .into_iter()
        .flat_map(|known| known.rails.connections());
    connections
        .map(|(_, connection)| &*connection.stream)
        .collect()
}

/// The header of a frame.
fn header(kind: Kind, len: u32, seq: u64) -> [u8; 24] {
    Header {
        kind,
        len,
        seq,
        ack: 0,
    }
    .encode()
}

fn receive(node: &mut Node, stream: &mut TcpStream, into: &mut [u8]) {
    stream.set_nonblocking(true).unwrap();
    let (end, mut have) = (Instant::now() + Duration::from_secs(10), 0);
    while have < into.len() {
        assert!(Instant::now() < end, "no answer");
        node.progress();
        have += stream.read(&mut into[have..]).unwrap_or(0);
    }
    stream.set_nonblocking(false).unwrap();
}

/// Makes the end of a node's connections abrupt, so that thousands of tests leave no ports that
/// the system keeps for a minute.
fn reset(node: &Node) {
    for peer in node.transport.peers.ids() {
        for stream in connections(node, peer.0) {
            let abrupt = Some(Duration::ZERO);
            socket2::SockRef::from(stream).set_linger(abrupt).unwrap();
        }
    }
}
