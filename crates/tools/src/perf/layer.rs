//! One of the two measured processes, over the low layer (`bml`), without MPI.

use std::collections::VecDeque;

use base::{AmTag, PeerId};
use bml::{Bml, Exposed, RemoteMemory};
use btl::{Arrival, Atomic, AtomicOp, Flow, Sink, Started, Token, Transport, Width};
use mca::{Registry, Sources};
use memory::Scratch;

use super::control::{bytes_of, hex, Control};
use super::link::{Access, Begun, Link, WORD_BYTES};
use super::Error;

/// Tags of the active messages.
const DATA: AmTag = AmTag(AmTag::USER.0);
const CONTROL: AmTag = AmTag(AmTag::USER.0 + 1);

/// Setup of a process, equal on both except for their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) me: PeerId,
    pub(crate) other: PeerId,
    pub(crate) btl: String,
    pub(crate) provider: Option<String>,
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) secret: [u8; 32],
    /// Bytes of memory that the other process reads and writes.
    pub(crate) bytes: usize,
}

/// A process with an opened low layer, connected to the other one.
pub(crate) struct Layer {
    bml: Bml,
    inbox: Inbox,
    other: PeerId,
    loopback: bool,
    message_bytes_max: usize,
    outgoing: Scratch,
    result: Scratch,
    theirs: RemoteMemory,
    /// Exposed memory, owned here as long as the other process may access it.
    _memory: Scratch,
    _exposed: Exposed,
}

/// Received messages.
struct Inbox {
    arrived: u64,
    completed: u64,
    last_len: usize,
    incoming: Scratch,
    control: VecDeque<Vec<u8>>,
    failed: Option<btl::Error>,
}

impl Sink for Inbox {
    #[inline]
    fn deliver(&mut self, arrival: Arrival<'_>) {
        if arrival.tag == DATA {
            arrival.payload.copy_to_user(self.incoming.buf());
            self.last_len = arrival.payload.len();
            self.arrived += 1;
        } else if arrival.tag == CONTROL {
            self.control.push_back(arrival.payload.to_vec());
        }
    }

    #[inline]
    fn done(&mut self, _token: Token, outcome: Result<(), btl::Error>) {
        self.completed += 1;
        self.failed = outcome.err().or(self.failed.take());
    }

    fn peer_failed(&mut self, _peer: PeerId, error: btl::Error) {
        self.failed.get_or_insert(error);
    }
}

impl Layer {
    /// Opens the transport, and exchanges addresses and keys with the other process.
    pub(crate) fn meet(setup: &Setup, control: Option<&mut Control>) -> Result<Layer, Error> {
        let mut bml = Bml::new(transports(setup)?);
        let memory = Scratch::new(setup.bytes + WORD_BYTES);
        // The other process may be ready first; its first control message is then buffered here.
        let mut inbox = Inbox::new(0);
        let (exposed, pack) = match control {
            None => {
                let own = bml.address();
                introduce(&mut bml, setup, &own)?;
                let exposed = expose(&mut bml, &memory)?;
                let pack = exposed.pack();
                (exposed, pack)
            }
            Some(control) => {
                control.send(&serde_json::json!({ "address": hex(&bml.address()) }))?;
                let theirs = field_bytes(&control.receive(|| ())?, "address")?;
                introduce(&mut bml, setup, &theirs)?;
                let exposed = expose(&mut bml, &memory)?;
                control.send(&serde_json::json!({ "memory": hex(&exposed.pack()) }))?;
                let reply = control.receive(|| {
                    bml.progress(&mut inbox);
                })?;
                (exposed, field_bytes(&reply, "memory")?)
            }
        };
        let theirs = bml.import(setup.other, &pack)?;
        let own = bml.caps(setup.other).filter(|caps| caps.name == setup.btl);
        let message_bytes_max = own.map_or(0, |caps| caps.max_send_size);
        let room = setup.bytes.max(message_bytes_max);
        inbox.incoming = Scratch::new(room);
        Ok(Layer {
            bml,
            inbox,
            other: setup.other,
            loopback: setup.me == setup.other,
            message_bytes_max,
            outgoing: Scratch::new(room),
            result: Scratch::new(8),
            theirs,
            _memory: memory,
            _exposed: exposed,
        })
    }

    /// Returns the names of the operations that the transport lacks and that messages emulate.
    pub(crate) fn emulated(&self) -> Vec<&'static str> {
        let caps = self.bml.rma_caps(self.other);
        let flags = caps.map(|caps| caps.emulated).unwrap_or_default();
        let each = [
            (flags.get, "get"),
            (flags.put, "put"),
            (flags.atomics, "atomics"),
        ];
        each.into_iter()
            .filter(|(is, _)| *is)
            .map(|(_, name)| name)
            .collect()
    }

    /// Sends the other process a control message over the measured transport.
    pub(crate) fn send_control(&mut self, text: &str) -> Result<(), Error> {
        super::link::until(self, "room for a control message", |layer| {
            let nothing = memory::UserBuf::EMPTY;
            let flow = layer
                .bml
                .send(layer.other, CONTROL, text.as_bytes(), nothing)?;
            Ok(flow == Flow::Sent)
        })
    }

    /// Removes and returns the next control message from the other process.
    pub(crate) fn take_control(&mut self) -> Option<String> {
        let bytes = self.inbox.control.pop_front()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Whether all messages have left this process.
    pub(crate) fn has_left(&mut self) -> bool {
        !matches!(self.bml.flush(self.other), Ok(Flow::Busy))
    }

    pub(crate) fn close(&mut self) {
        self.bml.close();
    }

    fn word(&self) -> u64 {
        let mut bytes = [0; 8];
        self.result.buf().read(0, &mut bytes);
        u64::from_ne_bytes(bytes)
    }
}

impl Inbox {
    fn new(room: usize) -> Inbox {
        Inbox {
            arrived: 0,
            completed: 0,
            last_len: 0,
            incoming: Scratch::new(room),
            control: VecDeque::new(),
            failed: None,
        }
    }
}

impl Link for Layer {
    fn is_loopback(&self) -> bool {
        self.loopback
    }

    fn message_bytes_max(&self) -> usize {
        self.message_bytes_max
    }

    #[inline]
    fn send(&mut self, len: usize) -> Result<bool, Error> {
        let payload = self.outgoing.buf().part(0, len);
        Ok(self.bml.send(self.other, DATA, &[], payload)? == Flow::Sent)
    }

    #[inline]
    fn begin(&mut self, access: Access) -> Result<Begun, Error> {
        let (other, token) = (self.other, Token(0));
        let (width, word) = (Width::Eight, self._memory.buf().len() - WORD_BYTES);
        let change = |op, operand| Atomic { op, width, operand };
        let atomic = match access {
            Access::Get(len) => {
                let local = self.inbox.incoming.buf().part(0, len);
                return Ok(begun(self.bml.get(
                    other,
                    local,
                    self.theirs.at(0),
                    token,
                )?));
            }
            Access::Put(len) => {
                let local = self.outgoing.buf().part(0, len);
                return Ok(begun(self.bml.put(
                    other,
                    local,
                    self.theirs.at(0),
                    token,
                )?));
            }
            Access::Add(operand) => change(AtomicOp::Add, operand),
            Access::Swap(operand) => change(AtomicOp::Swap, operand),
            Access::CompareSwap(expected, operand) => {
                change(AtomicOp::CompareSwap(expected), operand)
            }
        };
        let (result, place) = (Some(self.result.buf()), self.theirs.at(word as u64));
        Ok(begun(self.bml.atomic(other, atomic, result, place, token)?))
    }

    #[inline]
    fn poll(&mut self) -> Result<usize, Error> {
        let happened = self.bml.progress(&mut self.inbox);
        match self.inbox.failed.take() {
            None => Ok(happened),
            Some(error) => Err(error.into()),
        }
    }

    #[inline]
    fn arrived(&self) -> u64 {
        self.inbox.arrived
    }

    #[inline]
    fn completed(&self) -> u64 {
        self.inbox.completed
    }

    #[inline]
    fn is_flushed(&mut self) -> Result<bool, Error> {
        Ok(self.bml.flush(self.other)? == Flow::Sent)
    }

    fn fill(&mut self, bytes: &[u8]) {
        self.outgoing.buf().write(0, bytes);
    }

    fn received(&self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.inbox.incoming.buf().read(0, &mut bytes);
        bytes
    }

    fn fetched(&self) -> u64 {
        self.word()
    }

    #[inline]
    fn echo(&mut self, len: usize) -> Result<bool, Error> {
        let payload = self.inbox.incoming.buf().part(0, len);
        Ok(self.bml.send(self.other, DATA, &[], payload)? == Flow::Sent)
    }

    fn last_len(&self) -> usize {
        self.inbox.last_len
    }
}

fn begun(started: Started) -> Begun {
    match started {
        Started::Done => Begun::Done,
        Started::Pending => Begun::Pending,
        Started::Busy => Begun::Busy,
    }
}

fn field_bytes(value: &serde_json::Value, field: &'static str) -> Result<Vec<u8>, Error> {
    bytes_of(value, field).ok_or_else(|| Error::OtherSide {
        how: format!("peer sent no {field}"),
    })
}

fn introduce(bml: &mut Bml, setup: &Setup, address: &[u8]) -> Result<(), Error> {
    let choice = bml.add_peer(setup.other, address)?;
    if bml.rma_caps(setup.other).is_some() {
        return Ok(());
    }
    let reason = |each: &bml::Considered| match &each.reach {
        btl::Reach::Unreachable(why) => format!("{}: {why}", each.name),
        btl::Reach::Reachable => format!("{}: nothing can be done over it", each.name),
    };
    let reasons: Vec<String> = choice.considered.iter().map(reason).collect();
    Err(Error::setup(
        "the way to the other side",
        reasons.join("; "),
    ))
}

fn expose(bml: &mut Bml, memory: &Scratch) -> Result<Exposed, Error> {
    let both = btl::Access {
        read: true,
        write: true,
    };
    Ok(bml.expose(memory.buf(), both)?)
}

/// Returns the parameters of a process.
pub(crate) fn registry(setup: &Setup) -> Result<Registry, Error> {
    let tables = &[
        btl_sm::PARAMS,
        btl_tcp::PARAMS,
        btl_ofi::PARAMS,
        ofi::PARAMS,
    ];
    let program = std::env::current_exe().unwrap_or_default();
    let prefix = program.ancestors().nth(2).unwrap_or(&program);
    let provider = setup.provider.iter();
    let include = |name: &String| ("opal_common_ofi_provider_include".to_string(), name.clone());
    let settings = setup.settings.iter().cloned().chain(provider.map(include));
    let sources = Sources::from_process(prefix).with_command_line(settings);
    let registry = Registry::load(tables, &sources);
    registry.map_err(|why| Error::setup("the parameters", why))
}

/// Opens the transport, and TCP as well if the transport carries no messages, for control messages.
fn transports(setup: &Setup) -> Result<Vec<Box<dyn Transport>>, Error> {
    let measured = open(setup)?;
    if measured.caps().max_send_size > 0 {
        return Ok(vec![measured]);
    }
    let btl = "tcp".into();
    let beside = Setup {
        btl,
        ..setup.clone()
    };
    Ok(vec![measured, open(&beside)?])
}

/// Opens the transport under test.
fn open(setup: &Setup) -> Result<Box<dyn Transport>, Error> {
    let registry = registry(setup)?;
    let me = setup.me;
    let wrong =
        |why: &dyn std::fmt::Display| Error::setup(format!("the transport {}", setup.btl), why);
    match setup.btl.as_str() {
        "self" => Ok(Box::new(btl_self::open(me))),
        "sm" => {
            let config = btl_sm::Config::new(me, &registry).map_err(|why| wrong(&why))?;
            Ok(Box::new(btl_sm::open(config).map_err(|why| wrong(&why))?))
        }
        "tcp" => {
            let config = btl_tcp::Config {
                me,
                secret: setup.secret,
                job: 0,
                one_host: false,
                settings: btl_tcp::Settings::of(&registry).map_err(|why| wrong(&why))?,
            };
            Ok(Box::new(btl_tcp::open(config).map_err(|why| wrong(&why))?))
        }
        "ofi" => {
            let config = btl_ofi::Config {
                me,
                local_rank: me.index(),
                opening: None,
                filter: ofi::Filter::of(&registry).map_err(|why| wrong(&why))?,
                settings: btl_ofi::Settings::of(&registry),
                monitor: None,
            };
            Ok(Box::new(btl_ofi::open(config).map_err(|why| wrong(&why))?))
        }
        _ => Err(wrong(&"there is no such transport")),
    }
}
