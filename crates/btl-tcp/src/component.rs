//! Opens the transport, and implements the transport contract.

use std::collections::{HashSet, VecDeque};
use std::io::{self, Read as _};
use std::mem::MaybeUninit;
use std::net::{Shutdown, TcpListener};
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{AmTag, PeerId};
use btl::{
    Arrival, Caps, Carriage, Emulated, Error, Flow, Foreign, Hints, Interest, Presence, Reach, Rma,
    RmaLimits, Sink, SleepKind, Token, Waker,
};
use memory::{Slot, UserBuf};

use crate::address::{Address, Entry};
use crate::connect::Attempts;
use crate::deaf::Deaf;
use crate::endpoint::{Body, Endpoint, Link, Rail, RailState, Report, RAILS_MAX};
use crate::handshake::Identity;
use crate::interfaces::{self, Interface};
use crate::lifecycle::{Names, TICK};
use crate::linger::Lingering;
use crate::listen;
use crate::pace::Pace;
use crate::pairing::{self, Plan};
use crate::params::Settings;
use crate::peers::Endpoints;
use crate::pool::Pool;
use crate::progress::{End, Heard, Inbound, Opened};
use crate::rma::{self, Exports, Reads};
use crate::route::Routes;
use crate::seal::Protection;
use crate::sys::{self, Epoll, Event, Timer, Watch};
use crate::wire::Kind;

/// Bytes that may be buffered for one peer until it has acknowledged them.
const KEPT_BYTES: usize = 4 << 20;
/// Frames of the largest size that may be buffered for one peer, where that is more.
const KEPT_FRAMES: usize = 8;
/// Time that closing waits for accepted messages to leave.
const CLOSE_MAX: Duration = Duration::from_secs(1);

/// Most reads to discard input of a closing transport, from each connection.
const DRAINS_MAX: usize = 256;

/// The configuration with which a transport is opened.
pub struct Config {
    /// This process.
    pub me: PeerId,
    /// The job's secret: any process that has it may connect.
    pub secret: [u8; 32],
    /// The job's number, which tells jobs apart in notes; it guards nothing.
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
    let found = interfaces::find().map_err(|error| resource("interfaces", error))?;
    let mut chosen = interfaces::select(found, &settings).map_err(unusable)?;
    let mut unused = Vec::new();
    if one_host && settings.if_include.is_empty() {
        unused = interfaces::stay_within_host(&mut chosen);
    }
    let epoll = Epoll::new().map_err(|error| resource("epoll set", error))?;
    let timer = Timer::new().map_err(|error| resource("timer", error))?;
    epoll
        .add(&timer, Watch::Read, Source::Timer.number())
        .map_err(|error| resource("place in an epoll set", error))?;
    let (listeners, entries) = listen_on(&chosen, 0, &settings, &epoll)?;
    let protection = match (settings.encrypt, settings.checksum) {
        (true, _) => Protection::Cipher,
        (false, true) => Protection::Checksum,
        (false, false) => Protection::None,
    };
    let address = Address {
        frame_max: settings.max_send_size as u32,
        links: settings.links,
        protection,
        loopback: interfaces::loopback_id(),
        entries,
    };
    let beginning = sys::random().map_err(|error| resource("random number", error))?;
    let frame_max = settings.max_send_size as u32;
    Ok(Transport {
        caps: caps(&settings, &chosen),
        identity: Arc::new(Identity::new(&secret, job, me, frame_max, protection)),
        names: Names::new(u64::from_le_bytes(beginning)),
        address,
        interface_names: chosen.into_iter().map(|it| (it.index, it.name)).collect(),
        routes: Routes::new(),
        pool: Pool::new(settings.free_list),
        settings,
        deaf: Deaf::new(&epoll),
        epoll,
        timer,
        listeners,
        unused,
        attempts: Attempts::new(sys::descriptors()),
        endpoints: Endpoints::default(),
        reports: VecDeque::new(),
        reads: Reads::default(),
        exports: Exports::default(),
        readers: HashSet::new(),
        scratch: Vec::new(),
        lanes: 0,
        blocked: 0,
        ticks: 0,
        damaged: 0,
        pace: Pace::default(),
        lingering: Lingering::default(),
        closed: false,
    })
}

/// Opens listening sockets for a user's own protocol, by the parameters of this transport: on the
/// interfaces that other hosts may reach, or on the loopback interface where there are no others.
///
/// # Errors
/// See [`open`].
pub fn listeners(settings: &Settings) -> Result<Vec<TcpListener>, Error> {
    let found = interfaces::find().map_err(|error| resource("interfaces", error))?;
    let chosen = interfaces::select(found, settings).map_err(unusable)?;
    let beyond = chosen.iter().any(|interface| !interface.loopback);
    let chosen = chosen
        .iter()
        .filter(|interface| interface.loopback != beyond);
    let listen = |interface: &Interface| {
        let (ip, name) = (interface.address, &interface.name);
        let what = || format!("listening socket on {ip} ({name})");
        listen::listen(ip, settings).map_err(|error| resource(&what(), error))
    };
    chosen.map(listen).collect()
}

fn unusable(why: String) -> Error {
    Error::Resource {
        what: "interface for TCP".into(),
        why,
    }
}

/// Listens on the interfaces' addresses, and on no other. The listeners are counted from `first`.
fn listen_on(
    interfaces: &[Interface],
    first: usize,
    settings: &Settings,
    epoll: &Epoll,
) -> Result<(Vec<TcpListener>, Vec<Entry>), Error> {
    let (mut listeners, mut entries) = (Vec::new(), Vec::new());
    for interface in interfaces {
        let (ip, name) = (interface.address, &interface.name);
        let number = Source::Listener(first + listeners.len()).number();
        let listener = listen::listen(ip, settings)
            .and_then(|listener| {
                epoll.add(&listener, Watch::Read, number)?;
                Ok((listener.local_addr()?, listener))
            })
            .map_err(|error| resource(&format!("listening socket on {ip} ({name})"), error));
        let (socket, listener) = listener?;
        log::debug!("listening on {socket} ({name})");
        listeners.push(listener);
        entries.push(Entry {
            socket,
            prefix: interface.prefix,
            interface: interface.index,
            bandwidth_mbit: interfaces::bandwidth(interface, settings),
            latency_ns: settings.latency_of(name),
        });
    }
    Ok((listeners, entries))
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
            max_bytes: rma::GET_BYTES_MAX,
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

fn resource(what: &str, error: io::Error) -> Error {
    Error::Resource {
        what: what.into(),
        why: error.to_string(),
    }
}

/// The TCP transport of one process.
pub struct Transport {
    pub(crate) caps: Caps,
    pub(crate) identity: Arc<Identity>,
    pub(crate) names: Names,
    pub(crate) settings: Settings,
    /// The address that peers receive.
    pub(crate) address: Address,
    /// The names of our interfaces, by their numbers.
    interface_names: Vec<(u32, String)>,
    /// The kernel's routes to peers.
    routes: Routes,

    pub(crate) epoll: Epoll,
    pub(crate) timer: Timer,
    pub(crate) listeners: Vec<TcpListener>,
    /// Interfaces that are listened on as soon as peers may be on other hosts.
    unused: Vec<Interface>,
    /// Whether accepting waits, for want of descriptors.
    pub(crate) deaf: Deaf,

    pub(crate) attempts: Attempts,
    pub(crate) endpoints: Endpoints,
    pub(crate) reports: VecDeque<Report>,
    pool: Pool,
    /// The reads of peers' memory that are in flight.
    pub(crate) reads: Reads,
    /// The memory that peers may read.
    pub(crate) exports: Exports,
    /// The peers that have requested it; some may have had all.
    pub(crate) readers: HashSet<PeerId>,
    /// Buffer in which `send_packed` packs.
    scratch: Vec<u8>,

    /// Connections that are up.
    pub(crate) lanes: usize,
    /// Connections among `lanes` that wait for room to write.
    pub(crate) blocked: usize,
    /// Ticks so far.
    pub(crate) ticks: u32,
    /// Records that were damaged in transit.
    pub(crate) damaged: u64,
    pub(crate) pace: Pace,
    /// Connections with peers that were removed.
    pub(crate) lingering: Lingering,
    closed: bool,
}

/// The source of an event, by its number in the epoll set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Timer,
    Listener(usize),
    /// A rail of a peer.
    Lane(PeerId, usize),
    Attempt(base::Key),
}

impl Source {
    const LISTENER: u64 = 0b11 << 62;
    const LANE: u64 = 0b10 << 62;

    /// Returns the number of a source. A slab key has its top bit clear: it counts uses of a slot.
    pub(crate) fn number(self) -> u64 {
        match self {
            Source::Timer => u64::MAX,
            Source::Listener(n) => Source::LISTENER | n as u64,
            Source::Lane(peer, rail) => Source::LANE | (rail as u64) << 32 | u64::from(peer.0),
            Source::Attempt(key) => key.bits() & !(1 << 63),
        }
    }

    fn of(number: u64) -> Source {
        match number >> 62 {
            0b11 if number == u64::MAX => Source::Timer,
            0b11 => Source::Listener((number & !Source::LISTENER) as usize),
            0b10 => {
                let rail = (number & !Source::LANE) >> 32;
                Source::Lane(PeerId(number as u32), rail as usize)
            }
            _ => Source::Attempt(base::Key::from_bits(number)),
        }
    }
}

impl Transport {
    /// Returns the connections to make with a peer.
    fn plan(&mut self, peer: PeerId, theirs: &Address, lower: bool) -> Result<Plan, String> {
        let routes = &mut self.routes;
        let mut plan = pairing::pair(&self.address, theirs, lower, &mut |ours, theirs| {
            routes.ask(ours.socket.ip(), ours.interface, theirs.socket.ip())
        })?;
        for rail in &mut plan.rails {
            let number = rail.local_interface;
            if let Some((_, name)) = self
                .interface_names
                .iter()
                .find(|(index, _)| *index == number)
            {
                self.settings.rate(rail, name);
            }
            log::debug!("rail to {peer}: {rail}");
        }
        for spare in &plan.spares {
            log::debug!("spare path to {peer}: {spare}");
        }
        Ok(plan)
    }

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
        if peer == self.identity.me() {
            return Ok(Reach::Unreachable(
                "tcp does not connect a process to itself".into(),
            ));
        }
        let (theirs, ours) = (address.protection, self.address.protection);
        if theirs != ours {
            return Ok(Reach::Unreachable(format!(
                "it wants {theirs} on its connections, this process {ours}: set btl_tcp_checksum \
                 and btl_tcp_encrypt alike on all hosts"
            )));
        }
        let foreign = foreign.map(|foreign| Arc::new(self.identity.toward(foreign)));
        let lower = foreign.as_ref().unwrap_or(&self.identity).precedes(peer);
        match self.plan(peer, &address, lower) {
            Ok(Plan { mut rails, spares }) => {
                let shared = rails.len().min(RAILS_MAX);
                rails.extend(spares);
                rails.truncate(RAILS_MAX);
                let endpoint = self
                    .endpoints
                    .entry(peer)
                    .or_insert_with(|| Endpoint::new(peer, self.names.draw()));
                endpoint.foreign = foreign;
                endpoint.shared = shared;
                endpoint.paths = rails;
                Ok(Reach::Reachable)
            }
            Err(why) => Ok(Reach::Unreachable(why)),
        }
    }

    /// Checks that a message can be sent, and starts to connect where that has not been done.
    /// `Busy` when it has to wait.
    pub(crate) fn prepare(&mut self, peer: PeerId, len: usize) -> Result<Flow, Error> {
        if len > self.caps.max_send_size {
            return Err(Error::TooLarge {
                peer,
                len,
                limit: self.caps.max_send_size,
            });
        }
        let limit = KEPT_BYTES.max(KEPT_FRAMES * self.caps.max_send_size);
        let endpoint = self
            .endpoints
            .get(&peer)
            .ok_or(Error::Unreachable { peer })?;
        endpoint.check_usable()?;
        let has_room = endpoint.outgoing.has_room(len, limit);
        if matches!(endpoint.link, Link::Idle) {
            self.seek(peer, None);
            self.endpoints[&peer].check_usable()?;
        }
        Ok(if has_room { Flow::Sent } else { Flow::Busy })
    }

    #[inline]
    pub(crate) fn transmit(
        &mut self,
        peer: PeerId,
        kind: Kind,
        header: &[u8],
        body: Body<'_>,
    ) -> Result<Flow, Error> {
        let endpoint = self
            .endpoints
            .get_mut(&peer)
            .ok_or(Error::Unreachable { peer })?;
        // A peer that does not acknowledge at once is reminded, or its connection is replaced.
        self.timer.run(true, TICK);
        let waits = endpoint.send_now(kind, header, body);
        if let (true, Some(lead)) = (waits, endpoint.lead) {
            self.write(peer, lead);
        }
        Ok(Flow::Sent)
    }

    /// Polls the epoll set once, and serves ready sources.
    fn poll(&mut self, sink: &mut dyn Sink) -> usize {
        let mut room: sys::Room = [MaybeUninit::uninit(); sys::EVENTS_MAX];
        let events = self.epoll.poll(&mut room).unwrap_or_else(|error| {
            log::warn!("polling connections failed: {error}");
            &[]
        });
        let (mut count, mut tick) = (0, false);
        for event in events.iter().map(Event::from) {
            match Source::of(event.number) {
                Source::Timer => tick = true,
                Source::Listener(n) => self.accept(n),
                Source::Attempt(key) => self.advance(key),
                Source::Lane(peer, rail) => {
                    if event.writable {
                        self.write(peer, rail);
                        // Pieces that this one leaves, others take.
                        self.share_out(peer);
                    }
                    if event.readable {
                        count += self.receive(peer, rail, sink);
                    }
                }
            }
        }
        // Last: messages that came in time must not count as late.
        if tick {
            self.tick();
        }
        count
    }

    /// Reads one connection and delivers what is complete.
    fn receive(&mut self, peer: PeerId, number: usize, sink: &mut dyn Sink) -> usize {
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return 0;
        };
        let Some(Rail {
            state: RailState::Up(lane),
            ..
        }) = endpoint.rails.get_mut(number)
        else {
            return 0;
        };
        let mut heard = Heard::default();
        let mut inbound = Inbound {
            sink,
            pool: &mut self.pool,
            reads: &mut self.reads,
            exports: &self.exports,
            owed: &mut endpoint.owed,
            incoming: &mut endpoint.incoming,
            heard: &mut heard,
            reports: &mut self.reports,
        };
        let lane = &mut **lane;
        let pumped = match &mut lane.sealed {
            None => lane.receiver.pump(&mut &lane.stream, &mut inbound),
            Some(sealed) => {
                let mut stream = Opened(&lane.stream, sealed);
                lane.receiver.pump_all(&mut stream, &mut inbound)
            }
        };
        if !pumped.moved && pumped.end.is_none() {
            return 0;
        }
        self.pace.moved(peer, number);
        if lane.receiver.is_amid() || self.reads.missing(peer) > 0 {
            self.pace.moves = self.pace.moves.wrapping_add(1);
        }
        let unsent = endpoint.outgoing.acked(heard.ack).err();
        let answers = lane.answers_acked(heard.answers);
        if endpoint.has_pieces() {
            self.readers.insert(peer);
            self.write_all(peer);
        } else if endpoint.should_acknowledge(number) {
            self.write(peer, number);
        }
        self.after(peer, number, pumped.end, unsent.is_some() || !answers);
        pumped.delivered
    }

    /// Follows a read of a connection: handles its end, or arms the timer for an acknowledgement.
    #[inline]
    fn after(&mut self, peer: PeerId, number: usize, end: Option<End>, nonsense: bool) {
        if nonsense {
            let what = "it acknowledges what was never sent".into();
            return self.lose(peer, Error::Protocol { peer, what });
        }
        if let Some(end) = end {
            self.ended(peer, number, end);
        }
        let owes = |endpoint: &Endpoint| endpoint.incoming.owes();
        if self.endpoints.get(&peer).is_some_and(owes) {
            self.timer.run(true, TICK);
        }
    }

    fn report(&mut self, sink: &mut dyn Sink) -> usize {
        let count = self.reports.len();
        for report in self.reports.drain(..) {
            report.emit(sink);
        }
        count
    }

    /// Whether something accepted can still leave.
    fn has_to_send(&self) -> bool {
        self.endpoints
            .values()
            .any(|endpoint| match &endpoint.link {
                Link::Up => match endpoint.lead {
                    // Input after a shutdown message resets the connection, and the kernel then
                    // drops its buffers.
                    Some(_) => endpoint.is_leaving() || endpoint.is_held_by_kernel(),
                    None => endpoint.outgoing.is_unacked(),
                },
                Link::Seeking(_) => endpoint.outgoing.is_unacked(),
                _ => false,
            })
    }
}

impl btl::Transport for Transport {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn address(&self) -> Vec<u8> {
        self.address.encode()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        self.introduce(peer, address, None)
    }

    fn expect_foreign(&mut self) -> Result<(), Error> {
        let unused = std::mem::take(&mut self.unused);
        let (settings, epoll) = (&self.settings, &self.epoll);
        let listened = listen_on(&unused, self.listeners.len(), settings, epoll);
        let (listeners, entries) = match listened {
            Ok(opened) => opened,
            Err(error) => {
                self.unused = unused;
                return Err(error);
            }
        };
        self.listeners.extend(listeners);
        self.address.entries.extend(entries);
        let names = unused.into_iter().map(|it| (it.index, it.name));
        self.interface_names.extend(names);
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
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        if matches!(endpoint.link, Link::Up) {
            endpoint.say_goodbye();
            self.write_all(peer);
            self.linger(peer);
        }
        let error = Error::PeerGone {
            peer,
            how: "it was removed".into(),
        };
        self.unlink(peer, Link::Idle);
        self.endpoints.remove(&peer);
        self.reads.fail(peer, &error, &mut self.reports);
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
        let Some(endpoint) = self.endpoints.get_mut(&peer) else {
            return;
        };
        endpoint.gathers = open;
        if let (false, true, Some(lead)) = (open, endpoint.outgoing.has_unwritten(), endpoint.lead)
        {
            self.write(peer, lead);
        }
    }

    fn is_kept(&self, peer: PeerId) -> bool {
        let endpoint = self.endpoints.get(&peer);
        endpoint.is_some_and(Endpoint::keeps)
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        let endpoint = self
            .endpoints
            .get(&peer)
            .ok_or(Error::Unreachable { peer })?;
        if let Link::Failed(error) = &endpoint.link {
            return Err(error.clone());
        }
        if let (true, Some(lead)) = (endpoint.outgoing.has_unwritten(), endpoint.lead) {
            self.write(peer, lead);
        }
        let endpoint = &self.endpoints[&peer];
        // Without a connection it is unknown whether it has left.
        let left = match endpoint.lead {
            Some(_) => !endpoint.is_leaving(),
            None => !endpoint.outgoing.is_unacked(),
        };
        Ok(if left { Flow::Sent } else { Flow::Busy })
    }

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        let mut count = self.report(sink);
        if self.closed {
            return count;
        }
        self.pace.begin();
        if let Some((peer, rail)) = self.pace.hot {
            count += self.receive(peer, rail, sink);
        }
        let urgent = self.blocked > 0 || !self.attempts.is_empty();
        if self.pace.is_due(self.lanes, urgent) {
            count += self.poll(sink);
        }
        count + self.report(sink)
    }

    fn back_off(&mut self) {}

    fn moves(&self) -> u64 {
        self.pace.moves
    }

    fn is_live(&self) -> bool {
        !self.closed || !self.reports.is_empty()
    }

    fn arm(&mut self, kind: SleepKind) -> Option<Waker> {
        if self.closed {
            return None;
        }
        self.pace.armed = true;
        Some(match kind {
            SleepKind::Futex => Waker::Poll,
            SleepKind::Descriptors => {
                Waker::Descriptors(vec![(self.epoll.as_raw_fd(), Interest::Readable)])
            }
        })
    }

    fn disarm(&mut self) {
        self.pace.armed = false;
    }

    /// Waits up to a second for accepted messages to leave; input meanwhile is dropped.
    fn close(&mut self) {
        if self.closed {
            return;
        }
        self.write_goodbyes();
        let end = Instant::now() + CLOSE_MAX;
        while self.has_to_send() && Instant::now() < end {
            if self.poll(&mut Discard) == 0 {
                std::thread::sleep(Duration::from_micros(50));
            }
        }
        let peers: Vec<PeerId> = self.endpoints.keys().copied().collect();
        for peer in peers {
            let rails = self.endpoints.get(&peer).map_or(0, |peer| peer.rails.len());
            for number in 0..rails {
                let endpoint = self.endpoints.get_mut(&peer);
                if let Some(lane) = endpoint.and_then(|endpoint| endpoint.lane(number)) {
                    let _ = lane.stream.shutdown(Shutdown::Write);
                    // Closing with unread bytes would reset the connection, and the reset could
                    // overtake what was written.
                    let mut rest = [0; 16 << 10];
                    for _ in 0..DRAINS_MAX {
                        if !matches!((&lane.stream).read(&mut rest), Ok(1..)) {
                            break;
                        }
                    }
                }
            }
            self.unlink(peer, Link::Left);
        }
        for key in self.attempts.keys() {
            self.discard(key);
        }
        for peer in std::mem::take(&mut self.endpoints).into_keys() {
            let error = Error::PeerGone {
                peer,
                how: "this process has closed".into(),
            };
            self.reads.fail(peer, &error, &mut self.reports);
        }
        self.reports
            .retain(|report| matches!(report, Report::Done(..)));
        for listener in self.listeners.drain(..) {
            self.epoll.remove(&listener);
        }
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

/// A sink that drops input while the transport closes.
struct Discard;

impl Sink for Discard {
    fn deliver(&mut self, _: Arrival<'_>) {}
    fn done(&mut self, _: Token, _: Result<(), Error>) {}
    fn peer_failed(&mut self, _: PeerId, _: Error) {}
}
