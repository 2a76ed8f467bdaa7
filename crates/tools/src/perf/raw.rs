//! The measured operations over libfabric itself, with as little code as possible, so that the
//! comparison shows the overhead of the transport.
//!
//! Messages arrive in receives that are posted ahead. The buffer of the last message is not reused
//! before the next one arrives, so that the message can be sent back from it.
//!
//! For a fair comparison this loop must be as fast as libfabric's own `fi_pingpong` and
//! `fi_rdm_pingpong` with the same provider (`docs/performance.md`).

use memory::{Scratch, UserBuf};
use ofi::{caps, flags, mr_mode};
use ofi::{
    Address, AtomicOp, AtomicOperands, AtomicType, Av, Completion, Domain, Endpoint, Filter, Hints,
    Info, Library, Mr, MrAccess, Options, Posted, Remote,
};
use serde_json::json;

use super::control::{bytes_of, hex, Control};
use super::layer::{registry, Setup};
use super::link::{Access, Begun, Link, WORD_BYTES};
use super::Error;

/// Receives that are posted, and fewer where they would take more than `RECEIVE_BYTES` bytes.
const RECEIVES: usize = 64;
const RECEIVE_BYTES: usize = 16 << 20;
const RECEIVES_MIN: usize = 4;
/// Completions read at once.
const BURST: usize = 64;

/// Contexts of completions; receives have their number.
const SENT: u64 = 1 << 32;
const ACCESSED: u64 = 1 << 33;

/// A side over libfabric.
pub(crate) struct Raw {
    // In the order in which they must be closed: the registration may belong to the endpoint.
    mr: Mr,
    endpoint: Endpoint,
    other: Address,
    memory: Scratch,
    places: Places,
    inject_max: usize,
    needs_local: bool,
    message_bytes_max: usize,
    theirs: Theirs,
    arrived: u64,
    completed: u64,
    started: u64,
    last: Option<usize>,
    last_len: usize,
}

/// Offsets in the one registered memory.
#[derive(Clone, Copy)]
struct Places {
    bytes: usize,
    message: usize,
    receives: usize,
}

impl Places {
    fn new(bytes: usize, message: usize) -> Places {
        let message = message.next_multiple_of(64).max(64);
        Places {
            bytes: bytes.next_multiple_of(64).max(message),
            message,
            receives: (RECEIVE_BYTES / message).clamp(RECEIVES_MIN, RECEIVES),
        }
    }
    fn outgoing(&self) -> usize {
        0
    }
    fn incoming(&self) -> usize {
        self.bytes
    }
    /// Returns the offset of the memory that the other side reads and writes, its 64-bit word last.
    fn target(&self) -> usize {
        2 * self.bytes
    }
    /// The operand, the comparand and the result of atomic operations.
    fn words(&self) -> usize {
        3 * self.bytes + WORD_BYTES
    }
    fn receive(&self, number: usize) -> usize {
        self.words() + WORD_BYTES + number * self.message
    }
    fn total(&self) -> usize {
        self.receive(self.receives)
    }
}

/// The other side's memory.
#[derive(Clone, Copy)]
struct Theirs {
    key: u64,
    base: u64,
}

impl Raw {
    /// Opens an endpoint, and meets the other side.
    pub(crate) fn meet(
        setup: &Setup,
        message_bytes_max: usize,
        control: &mut Control,
    ) -> Result<Raw, Error> {
        let info = choose(setup)?;
        let domain = Domain::open(&info)?;
        let av = Av::open(&domain, 2)?;
        let mut endpoint = Endpoint::open(&info, &av, Options::default())?;
        let places = Places::new(setup.bytes, message_bytes_max);
        let memory = Scratch::new(places.total());
        let all = MrAccess::SOURCE
            .and(MrAccess::SINK)
            .and(MrAccess::REMOTE_READ)
            .and(MrAccess::REMOTE_WRITE);
        let mr = domain.register(memory.buf(), all, 1, Some(&endpoint))?;
        let base = match info.demands(mr_mode::VIRT_ADDR) {
            true => memory.buf().address() as u64,
            false => 0,
        };
        let needs_local = info.demands(mr_mode::LOCAL);
        for number in 0..places.receives {
            let room = memory.buf().part(places.receive(number), places.message);
            let mr = needs_local.then_some(&mr);
            let _ = endpoint.receive(Address::ANY, room, mr, number as u64)?;
        }
        let address = hex(&endpoint.address()?);
        control.send(&json!({ "address": address, "key": mr.key(), "base": base }))?;
        let reply = control.receive(|| ())?;
        let theirs = bytes_of(&reply, "address").and_then(|bytes| av.insert(&bytes).ok());
        let number = |field: &str| reply.get(field).and_then(serde_json::Value::as_u64);
        let (Some(other), Some(key), Some(base)) = (theirs, number("key"), number("base")) else {
            let how = "peer sent no libfabric address".into();
            return Err(Error::OtherSide { how });
        };
        Ok(Raw {
            mr,
            endpoint,
            other,
            memory,
            places,
            inject_max: info.inject_max,
            needs_local,
            message_bytes_max,
            theirs: Theirs { key, base },
            arrived: 0,
            completed: 0,
            started: 0,
            last: None,
            last_len: 0,
        })
    }

    fn part(&self, at: usize, len: usize) -> UserBuf {
        self.memory.buf().part(at, len)
    }

    fn post(&mut self, from: usize, len: usize) -> Result<bool, Error> {
        let data = self.part(from, len);
        let flags = if len <= self.inject_max {
            flags::INJECT
        } else {
            0
        };
        let mr = self.needs_local.then_some(&self.mr);
        let posted = self.endpoint.send(self.other, data, mr, flags, SENT)?;
        Ok(posted != Posted::Busy)
    }

    /// Handles a completion.
    #[inline]
    fn take(&mut self, completion: &Completion) -> Result<(), Error> {
        if let Err(failure) = &completion.outcome {
            return Err(Error::Fabric(failure.text.clone()));
        }
        match completion.token {
            SENT => {}
            ACCESSED => self.completed += 1,
            number => {
                self.arrived += 1;
                self.last_len = completion.len;
                if let Some(last) = self.last.replace(number as usize) {
                    self.receive(last)?;
                }
            }
        }
        Ok(())
    }

    fn receive(&mut self, number: usize) -> Result<(), Error> {
        let room = self.part(self.places.receive(number), self.places.message);
        let mr = self.needs_local.then_some(&self.mr);
        match self
            .endpoint
            .receive(Address::ANY, room, mr, number as u64)?
        {
            Posted::Taken(_) => Ok(()),
            Posted::Busy => Err(Error::Fabric("no room for a receive".into())),
        }
    }

    fn atomic(&mut self, access: Access) -> Result<Posted, Error> {
        let words = self.places.words();
        let (op, operand, compare) = match access {
            Access::Add(operand) => (AtomicOp::Sum, operand, None),
            Access::Swap(operand) => (AtomicOp::Write, operand, None),
            Access::CompareSwap(expected, operand) => {
                (AtomicOp::CompareSwap, operand, Some(expected))
            }
            Access::Get(_) | Access::Put(_) => unreachable!("no access to a word"),
        };
        let word = |at: usize| self.part(words + at, 8);
        word(0).write(0, &operand.to_ne_bytes());
        word(8).write(0, &compare.unwrap_or(0).to_ne_bytes());
        let local = AtomicOperands {
            operand: word(0),
            compare: compare.map(|_| word(8)),
            result: Some(word(16)),
            mr: self.needs_local.then_some(&self.mr),
        };
        let place = self.remote(self.places.target() + self.places.bytes);
        let what = (op, AtomicType::U64);
        let flags = flags::DELIVERY_COMPLETE;
        Ok(self.endpoint.atomic(place, what, local, flags, ACCESSED)?)
    }

    fn remote(&self, at: usize) -> Remote {
        Remote {
            peer: self.other,
            at: self.theirs.base + at as u64,
            key: self.theirs.key,
        }
    }
}

/// The provider that the transport over it chooses, too.
fn choose(setup: &Setup) -> Result<Info, Error> {
    let registry = registry(setup)?;
    let filter = Filter::of(&registry).map_err(|why| Error::setup("the providers", why))?;
    let library = Library::load(filter.library.as_deref())?;
    let messages = caps::MSG | caps::SOURCE;
    let mut seen = String::new();
    for wish in [messages | caps::RMA | caps::ATOMIC, messages | caps::RMA] {
        let hints = Hints {
            tx_flags: flags::DELIVERY_COMPLETE,
            ..Hints::new(wish)
        };
        let verdict = ofi::choose(&library, &hints, &filter, setup.me.index(), |_| Ok(()))?;
        seen = verdict.explain();
        if let Some(info) = verdict.infos.into_iter().next() {
            return Ok(info);
        }
    }
    Err(Error::setup("a provider of libfabric", seen))
}

impl Link for Raw {
    fn message_bytes_max(&self) -> usize {
        self.message_bytes_max
    }

    #[inline]
    fn send(&mut self, len: usize) -> Result<bool, Error> {
        self.post(self.places.outgoing(), len)
    }

    #[inline]
    fn begin(&mut self, access: Access) -> Result<Begun, Error> {
        let place = self.remote(self.places.target());
        let mr = self.needs_local.then_some(&self.mr);
        let posted = match access {
            Access::Get(len) => {
                let local = self.memory.buf().part(self.places.incoming(), len);
                self.endpoint.read(place, local, mr, ACCESSED)?
            }
            Access::Put(len) => {
                let local = self.memory.buf().part(self.places.outgoing(), len);
                let flags = flags::DELIVERY_COMPLETE;
                self.endpoint.write(place, local, mr, flags, ACCESSED)?
            }
            word => self.atomic(word)?,
        };
        if posted == Posted::Busy {
            return Ok(Begun::Busy);
        }
        self.started += 1;
        self.last = self.last.filter(|_| !matches!(access, Access::Get(_)));
        Ok(Begun::Pending)
    }

    #[inline]
    fn poll(&mut self) -> Result<usize, Error> {
        self.endpoint.poll(BURST)?;
        let mut happened = 0;
        while let Some(completion) = self.endpoint.ended() {
            self.take(&completion)?;
            happened += 1;
        }
        Ok(happened)
    }

    #[inline]
    fn arrived(&self) -> u64 {
        self.arrived
    }

    #[inline]
    fn completed(&self) -> u64 {
        self.completed
    }

    #[inline]
    fn is_flushed(&mut self) -> Result<bool, Error> {
        Ok(self.completed == self.started)
    }

    fn fill(&mut self, bytes: &[u8]) {
        self.memory.buf().write(self.places.outgoing(), bytes);
    }

    fn received(&self, len: usize) -> Vec<u8> {
        let at = match self.last {
            Some(number) => self.places.receive(number),
            None => self.places.incoming(),
        };
        let mut bytes = vec![0; len];
        self.memory.buf().read(at, &mut bytes);
        bytes
    }

    fn fetched(&self) -> u64 {
        let mut bytes = [0; 8];
        self.memory.buf().read(self.places.words() + 16, &mut bytes);
        u64::from_ne_bytes(bytes)
    }

    #[inline]
    fn echo(&mut self, len: usize) -> Result<bool, Error> {
        let from = self.last.map_or(0, |number| self.places.receive(number));
        self.post(from, len)
    }

    fn last_len(&self) -> usize {
        self.last_len
    }
}
