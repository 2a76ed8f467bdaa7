//! Opens the transport, and implements the transport contract.

use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{AmTag, PeerId};
use btl::{
    Access, Arrival, Caps, Carriage, Emulated, Error, Flow, Foreign, Hints, Interest, Presence,
    Reach, Registration, RemoteRange, Rma, RmaLimits, Sink, SleepKind, Started, Token, Waker,
};
use mca::Framework;
use memory::{Slot, UserBuf};

use crate::address::Address;
use crate::clock::Clock;
use crate::connector::{Connector, Names};
use crate::dialer::Dialer;
use crate::handshake::Identity;
use crate::interfaces::{self, Interface};
use crate::local::{resource, Local};
use crate::pairing::{Plan, RAILS_MAX};
use crate::params::Settings;
use crate::peer::{Link, Peer};
use crate::peers::{Introduced, Peers};
use crate::rma::{check_range, piece_bytes, GET_BYTES_MAX};
use crate::seal::Protection;
use crate::source::Source;
use crate::stream::Body;
use crate::sys::{self, Epoll, Event, Watch};
use crate::wire::{Kind, REQUEST_BYTES};

/// Bytes that may be buffered for one peer until it has acknowledged them.
const KEPT_BYTES: usize = 4 << 20;
/// Frames of the largest size that may be buffered for one peer, where that is more.
const KEPT_FRAMES: usize = 8;
/// Time that closing waits for accepted messages to leave.
const CLOSE_MAX: Duration = Duration::from_secs(1);

/// The configuration with which a transport is opened.
pub struct Config {
    /// This process.
    pub me: PeerId,
    /// The job's secret: any process that has it may connect.
    pub secret: [u8; 32],
    /// The job's number, which distinguishes jobs in notes; it is no secret.
    pub job: u64,
    /// Whether all peers are on this host. Then only the loopback interface is listened on, if it
    /// is there and the parameters do not say otherwise: no needless exposure.
    pub one_host: bool,
    /// The parameters.
    pub settings: Settings,
}

/// Opens the transport: listens, and is ready for peers.
///
/// # Errors
/// `Resource` when the parameters leave no interface to use, or when the system refuses a socket.
pub fn open(config: Config) -> Result<Transport, Error> {
    let Config {
        me,
        secret,
        job,
        one_host,
        settings,
    } = config;
    let epoll = Epoll::new().map_err(|error| resource("epoll set", &error))?;
    let clock = Clock::new().map_err(|error| resource("timer", &error))?;
    epoll
        .add(&clock, Watch::Read, Source::Timer.number())
        .map_err(|error| resource("place in an epoll set", &error))?;
    let protection = match (settings.encrypt, settings.checksum) {
        (true, _) => Protection::Cipher,
        (false, true) => Protection::Checksum,
        (false, false) => Protection::None,
    };
    let (local, listeners, chosen) = Local::open(&settings, one_host, protection, &epoll)?;
    let beginning = sys::random().map_err(|error| resource("random number", &error))?;
    let frame_max = settings.max_send_size as u32;
    let identity = Identity::new(&secret, job, me, frame_max, protection);
    let names = Names::new(u64::from_le_bytes(beginning));
    let (settings, epoll) = (Arc::new(settings), Arc::new(epoll));
    let dialer = Dialer::new(settings.clone(), epoll.clone());
    let mut connector = Connector::new(dialer, identity, names);
    connector.listen(listeners);
    Ok(Transport {
        caps: caps(&settings, &chosen),
        local,
        peers: Peers::new(&settings),
        settings,
        epoll,
        connector,
        clock,
        scratch: Vec::new(),
        closed: false,
    })
}

fn caps(settings: &Settings, interfaces: &[Interface]) -> Caps {
    let mbit = match settings.bandwidth_mbit {
        0 => interfaces::widest(interfaces, settings),
        set => set,
    };
    Caps {
        name: "tcp",
        eager_limit: settings.eager_limit.min(settings.max_send_size),
        cut: None,
        rndv_eager_limit: settings.rndv_eager_limit.min(settings.max_send_size),
        max_send_size: settings.max_send_size,
        ordered: true,
        keeps: true,
        batches: true,
        backs_off: false,
        shares_memory: false,
        get: Some(RmaLimits {
            max_bytes: GET_BYTES_MAX,
            alignment: 1,
        }),
        put: None,
        puts_land: false,
        atomics: false,
        emulated: Emulated::default(),
        latency_ns: settings.latency_ns,
        bandwidth_mbps: (mbit / 8).max(1),
        exclusivity: settings.exclusivity,
    }
}

/// The TCP transport of one process.
///
/// Its parts own their state: [`Peers`] what passes between processes, [`Connector`] how they meet,
/// [`Clock`] when something is due. The transport polls, and hands the parts each other.
pub struct Transport {
    caps: Caps,
    settings: Arc<Settings>,
    local: Local,
    epoll: Arc<Epoll>,
    pub(crate) peers: Peers,
    pub(crate) connector: Connector,
    pub(crate) clock: Clock,
    /// Buffer in which `send_packed` packs.
    scratch: Vec<u8>,
    closed: bool,
}

impl Transport {
    /// Introduces a peer by its address; one of another job by the agreement with it, too.
    fn introduce(
        &mut self,
        peer: PeerId,
        address: &[u8],
        foreign: Option<&Foreign>,
    ) -> Result<Reach, Error> {
        let address = Address::decode(address).map_err(|malformed| Error::Protocol {
            peer,
            what: format!("its address is {malformed}"),
        })?;
        let own = &self.connector.identity;
        if peer == own.me() {
            return Ok(Reach::Unreachable(
                "tcp does not connect a process to itself".into(),
            ));
        }
        let (theirs, ours) = (address.protection, self.local.address().protection);
        if theirs != ours {
            return Ok(Reach::Unreachable(format!(
                "it wants {theirs} on its connections, this process {ours}: set btl_tcp_checksum \
                 and btl_tcp_encrypt alike on all hosts"
            )));
        }
        let foreign = foreign.map(|foreign| Arc::new(own.for_foreign(foreign)));
        let lower = foreign.as_ref().unwrap_or(own).precedes(peer);
        match self.local.plan(peer, &address, lower, &self.settings) {
            Ok(Plan { mut rails, spares }) => {
                let shared = rails.len().min(RAILS_MAX);
                rails.extend(spares);
                rails.truncate(RAILS_MAX);
                let introduced = Introduced {
                    name: self.connector.names.draw(),
                    paths: rails.into(),
                    shared,
                    foreign,
                };
                self.peers.introduce(peer, introduced);
                Ok(Reach::Reachable)
            }
            Err(why) => Ok(Reach::Unreachable(why)),
        }
    }

    /// Checks that a message can be sent, and starts to connect where that has not been done.
    /// `Busy` when it has to wait.
    fn prepare(&mut self, peer: PeerId, len: usize) -> Result<Flow, Error> {
        let largest = self.caps.max_send_size;
        if len > largest {
            return Err(Error::TooLarge {
                peer,
                len,
                limit: largest,
            });
        }
        let known = self.peers.find(peer)?;
        known.check_usable()?;
        let limit = KEPT_BYTES.max(KEPT_FRAMES * largest);
        let has_room = known.outgoing.has_room(len, limit);
        if matches!(known.link, Link::Idle) {
            self.connector
                .dialer
                .search_for(&mut self.peers, peer, None);
            self.clock.start();
            self.peers.find(peer)?.check_usable()?;
        }
        Ok(if has_room { Flow::Sent } else { Flow::Busy })
    }

    #[inline]
    fn transmit(
        &mut self,
        peer: PeerId,
        kind: Kind,
        header: &[u8],
        body: Body<'_>,
    ) -> Result<Flow, Error> {
        // A peer that does not acknowledge at once is reminded, or its connection is replaced.
        self.clock.start();
        let known = self.peers.find(peer)?;
        let waits = known.send_now(kind, header, body);
        if let (true, Some(lead)) = (waits, known.rails.lead) {
            self.peers.write(peer, lead);
        }
        Ok(Flow::Sent)
    }

    /// Polls the epoll set once, and serves ready sources.
    fn poll(&mut self, sink: &mut dyn Sink) -> usize {
        let mut room: sys::EventBuffer = [MaybeUninit::uninit(); sys::EVENTS_MAX];
        let events = self.epoll.poll(&mut room).unwrap_or_else(|error| {
            Framework::Btl.warn(format_args!("polling connections failed: {error}"));
            &[]
        });
        let (mut count, mut tick) = (0, false);
        for event in events.iter().map(Event::from) {
            match Source::of(event.number) {
                Source::Timer => tick = true,
                Source::Listener(n) => {
                    self.connector.accept(n);
                    self.clock.start();
                }
                Source::Accepted(key) => {
                    self.connector.advance_accepted(&mut self.peers, key);
                    self.clock.start();
                }
                Source::Rail(peer, rail) => count += self.serve(peer, rail, event, sink),
            }
        }
        // Last: messages that came in time must not count as late.
        if tick {
            self.tick();
        }
        count
    }

    /// Serves a rail that is ready: a connection, or an attempt at one.
    fn serve(&mut self, peer: PeerId, rail: usize, event: Event, sink: &mut dyn Sink) -> usize {
        if self.connector.dialer.is_connecting()
            && self.connector.advance_dialed(&mut self.peers, peer, rail)
        {
            self.clock.start();
            return 0;
        }
        if event.writable {
            self.peers.write(peer, rail);
            // Pieces that this one leaves, others take.
            self.peers.share_out(peer);
        }
        match event.readable {
            true => self.receive(peer, rail, sink),
            false => 0,
        }
    }

    /// Reads one connection and delivers what is complete.
    #[inline]
    fn receive(&mut self, peer: PeerId, number: usize, sink: &mut dyn Sink) -> usize {
        let Some(received) = self.peers.receive(peer, number, sink) else {
            self.clock.pace.cool();
            return 0;
        };
        if received.moved {
            let is_incomplete = received.is_incomplete;
            self.clock.pace.moved((peer, number), is_incomplete);
        }
        if let Some(end) = received.end {
            let dialer = &mut self.connector.dialer;
            dialer.ended(&mut self.peers, (peer, number), end);
            self.clock.start();
        } else if received.needs_ticks {
            self.clock.start();
        }
        received.delivered
    }

    /// Checks deadlines, retries failed attempts, acknowledges frames, and listens again.
    fn tick(&mut self) {
        let checks_health = self.clock.begin_tick();
        let now = Instant::now();
        let (peers, connector) = (&mut self.peers, &mut self.connector);
        connector.drop_overdue(peers, now);
        let mut more = false;
        for peer in peers.ids() {
            more |= connector.tend(peers, peer, now, checks_health);
        }
        more |= connector.listen_again(peers, now);
        more |= connector.dialer.is_connecting();
        self.clock.end_tick(more, now);
    }

    fn report(&mut self, sink: &mut dyn Sink) -> usize {
        let count = self.peers.reports.len();
        for report in self.peers.reports.drain(..) {
            report.emit(sink);
        }
        count
    }
}

impl btl::Transport for Transport {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn address(&self) -> Vec<u8> {
        self.local.address().encode()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        self.introduce(peer, address, None)
    }

    fn expect_foreign(&mut self) -> Result<(), Error> {
        let (settings, first) = (&self.settings, self.connector.listeners().len());
        let listeners = self
            .local
            .listen_beyond_host(first, settings, &self.epoll)?;
        self.connector.listen(listeners);
        Ok(())
    }

    fn add_foreign(
        &mut self,
        peer: PeerId,
        foreign: &Foreign,
        address: &[u8],
    ) -> Result<Reach, Error> {
        self.introduce(peer, address, Some(foreign))
    }

    fn remove_peer(&mut self, peer: PeerId) {
        let Some(known) = self.peers.get_mut(peer) else {
            return;
        };
        if matches!(known.link, Link::Up) {
            known.say_goodbye();
            self.peers.write_all(peer);
            let known = self.peers.get(peer).into_iter();
            let connections = known.flat_map(|known| known.rails.connections());
            // Without a descriptor to spare it is closed at once.
            let streams = connections.filter_map(|(_, it)| it.stream.try_clone().ok());
            self.clock.drain(streams);
        }
        self.peers.remove(peer, "it was removed");
    }

    fn hints(&self, _peer: PeerId) -> Hints {
        Hints {
            reads: true,
            ..Hints::default()
        }
    }

    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        match self.prepare(peer, header.len() + payload.len())? {
            Flow::Busy => Ok(Flow::Busy),
            Flow::Sent => self.transmit(peer, Kind::Data(tag), header, Body::User(payload)),
        }
    }

    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        if self.prepare(peer, header.len() + len)? == Flow::Busy {
            return Ok(Flow::Busy);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        if scratch.len() < len {
            scratch.resize(len, 0);
        }
        pack(&mut Slot::from(&mut scratch[..len]));
        let flow = self.transmit(peer, Kind::Data(tag), header, Body::Own(&scratch[..len]));
        self.scratch = scratch;
        flow
    }

    fn batch(&mut self, peer: PeerId, open: bool) {
        let Some(known) = self.peers.get_mut(peer) else {
            return;
        };
        known.gathers = open;
        if !open {
            self.peers.write_lead(peer);
        }
    }

    fn is_kept(&self, peer: PeerId) -> bool {
        self.peers.get(peer).is_some_and(Peer::keeps)
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        if self.peers.is_silent(peer) {
            return Ok(Flow::Sent);
        }
        if let Link::Failed(error) = &self.peers.find(peer)?.link {
            return Err(error.clone());
        }
        self.peers.write_lead(peer);
        let known = self.peers.find(peer)?;
        // Without a connection it is unknown whether it has left.
        let left = match known.rails.lead {
            Some(_) => !known.is_leaving(),
            None => !known.outgoing.is_unacked(),
        };
        Ok(if left { Flow::Sent } else { Flow::Busy })
    }

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        let mut count = self.report(sink);
        if self.closed {
            return count;
        }
        self.clock.pace.begin();
        if let Some((peer, rail)) = self.clock.pace.hot() {
            count += self.receive(peer, rail, sink);
        }
        let urgent = self.peers.blocked() > 0 || self.connector.dialer.is_connecting();
        if self.clock.pace.is_due(self.peers.connections(), urgent) {
            count += self.poll(sink);
        }
        count + self.report(sink)
    }

    fn back_off(&mut self) {}

    fn moves(&self) -> u64 {
        self.clock.pace.moves()
    }

    fn is_live(&self) -> bool {
        !self.closed || !self.peers.reports.is_empty()
    }

    fn arm(&mut self, kind: SleepKind) -> Option<Waker> {
        if self.closed {
            return None;
        }
        self.clock.pace.armed = true;
        Some(match kind {
            SleepKind::Futex => Waker::Poll,
            SleepKind::Descriptors => {
                Waker::Descriptors(vec![(self.epoll.as_raw_fd(), Interest::Readable)])
            }
        })
    }

    fn disarm(&mut self) {
        self.clock.pace.armed = false;
    }

    /// Waits up to a second for accepted messages to leave; input meanwhile is dropped.
    #[expect(
        clippy::disallowed_methods,
        reason = "waits up to a second, as it closes, for sockets to take what was accepted"
    )]
    fn close(&mut self) {
        if self.closed {
            return;
        }
        self.peers.write_goodbyes();
        let end = Instant::now() + CLOSE_MAX;
        while self.peers.has_to_send() && Instant::now() < end {
            if self.poll(&mut Discard) == 0 {
                std::thread::sleep(Duration::from_micros(50));
            }
        }
        self.peers.close();
        self.connector.close();
        self.closed = true;
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        Some(self)
    }

    fn presence(&mut self) -> Option<&mut dyn Presence> {
        None
    }

    fn carriage(&mut self) -> Option<&mut dyn Carriage> {
        None
    }
}

impl Rma for Transport {
    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error> {
        Ok(self.peers.exports.register(memory, access))
    }

    fn deregister(&mut self, registration: Registration) {
        self.peers.deregister(&registration);
    }

    fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        if local.len() > GET_BYTES_MAX {
            let (len, limit) = (local.len(), GET_BYTES_MAX);
            return Err(Error::TooLarge { peer, len, limit });
        }
        let flow = self.prepare(peer, REQUEST_BYTES)?;
        let export = check_range(peer, &remote.key, remote.offset, local.len())?;
        if local.is_empty() {
            return Ok(Started::Done);
        }
        if flow == Flow::Busy || self.peers.reads.is_full() {
            return Ok(Started::Busy);
        }
        let known = self.peers.find(peer)?;
        let rails = known.rails.shared;
        let piece = piece_bytes(local.len(), rails);
        if piece < local.len() && rails > 1 {
            self.connector.dialer.widen(known, Instant::now());
        }
        let range = (export, remote.offset);
        let reads = &mut self.peers.reads;
        let request = reads.start(peer, local, range, piece, token);
        self.transmit(peer, Kind::Request, &request.encode(), Body::Own(&[]))
            .map(|_| Started::Pending)
    }

    fn loop_back(&mut self) -> Option<Result<(), String>> {
        Some(Err(btl::no_loop_back(self.caps.name)))
    }
}

/// A sink that drops input while the transport closes.
struct Discard;

impl Sink for Discard {
    fn deliver(&mut self, _: Arrival<'_>) {}
    fn done(&mut self, _: Token, _: Result<(), Error>) {}
    fn peer_failed(&mut self, _: PeerId, _: Error) {}
}
