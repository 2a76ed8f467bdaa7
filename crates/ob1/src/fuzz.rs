//! Fuzzing with any bytes from a peer: called by the fuzz target, and by the test that replays its
//! corpus.

use base::{Cut, Key, PeerId, Rank, RemoteKey, Service};
use datatype::Buffer;
use memory::{Payload, Scratch, UserBuf};
use pml::{CommId, Context, Mode, Pattern, RequestId, Tag};

use crate::wire::{decode_eager, decode_more, Header};
use crate::{Config, Driver, Frame, Limits, Protocol};

pub use base::fuzz::Target;

/// The targets, by the names of their corpora.
pub const TARGETS: &[Target] = &[("ob1_wire", wire), ("ob1_messages", messages)];

/// Bytes as a message: it has no header, or one that says the same when it is encoded again, and
/// its payload follows. What reads the two frequent headers by themselves agrees.
pub fn wire(bytes: &[u8]) {
    let message = Payload::from(bytes);
    let decoded = Header::decode(message);
    let eager = decode_eager(message).map(|(envelope, payload)| (envelope, payload.to_vec()));
    match &decoded {
        Some((Header::Eager { envelope }, payload)) => {
            assert_eq!(eager, Some((*envelope, payload.to_vec())));
        }
        _ => assert!(eager.is_none()),
    }
    let is_more = matches!(decoded, Some((Header::More, _)));
    assert_eq!(decode_more(message).is_some(), is_more);
    if let Some((header, payload)) = decoded {
        let encoded = header.encode();
        let len = encoded.as_bytes().len();
        assert_eq!(payload.to_vec(), bytes[len..]);
        let again = Header::decode(Payload::from(encoded.as_bytes()));
        assert_eq!(again.map(|(header, _)| header), Some(header));
    }
}

/// Bytes of each buffer, and of what lies before and behind it.
const ROOM: usize = 200;
const GUARD: usize = 16;

/// Most requests under way.
const REQUESTS_MAX: usize = 64;

const PEER: PeerId = PeerId(1);

/// Plays a script of messages from a broken peer to a process that sends, receives, probes and
/// cancels. No message writes beside a buffer, no frame reads beside one, and what is
/// registered for the peer is deregistered.
///
/// The first byte chooses the lane. A step is a byte that says what is done, and arguments; a step
/// whose arguments are cut off is the last.
pub fn messages(bytes: &[u8]) {
    let Some((shape, script)) = bytes.split_first() else {
        return;
    };
    let mut world = World::new(*shape);
    let mut script = Script(script);
    while world.step(&mut script).is_some() {
        world.collect();
    }
    for peer in [PEER, PeerId(2)] {
        world.protocol.peer_failed(peer, "the end", &mut world.keys);
    }
    world.collect();
    assert_eq!(world.keys.0, 0, "registrations that were never ended");
}

/// Counts what is registered.
struct Keys(usize);

impl Driver for Keys {
    fn register(&mut self, _: PeerId, memory: UserBuf) -> Option<RemoteKey> {
        self.0 += 1;
        RemoteKey::new(&(memory.len() as u64).to_le_bytes())
    }
    fn deregister(&mut self, _: PeerId, _: RemoteKey) {
        self.0 -= 1;
    }
    fn now(&self) -> u64 {
        1000
    }
    fn served(&mut self, _: PeerId, _: Service) {}
}

/// A process that sends to a peer and receives from it.
struct World {
    protocol: Protocol,
    keys: Keys,
    comms: [CommId; 2],
    requests: Vec<(RequestId, Scratch)>,
    claimed: Vec<pml::MessageId>,
    /// The numbers of the peer's next messages.
    sequences: [u64; 2],
}

impl World {
    fn new(shape: u8) -> World {
        let config = Config {
            buffered_limit: 1 << 20,
            ahead_limit: 20,
            ..Config::new(if shape & 1 != 0 { 1 << 20 } else { 500 })
        };
        let mut protocol = Protocol::new(config, 3);
        let cut = Cut {
            part: 30,
            longest: 150,
        };
        for peer in [PEER, PeerId(2)] {
            let limits = Limits {
                eager_limit: 100,
                cut: (shape & 2 != 0).then_some(cut),
                rndv_eager_limit: if shape & 4 != 0 { 120 } else { 0 },
                max_send: 128,
                can_get: shape & 8 != 0,
                buffers: shape & 16 != 0,
                measured_min: (shape & 32 != 0).then_some(40),
            };
            protocol.set_limits(peer, limits);
        }
        let mut open = |context| {
            let peers = vec![PeerId(0), PEER, PeerId(2)];
            protocol.open_comm(Context(context), Rank(0), peers)
        };
        World {
            comms: [open(0), open(1)],
            protocol,
            keys: Keys(0),
            requests: Vec::new(),
            claimed: Vec::new(),
            sequences: [0; 2],
        }
    }

    fn step(&mut self, script: &mut Script) -> Option<()> {
        let [what] = script.take()?;
        let comm = self.comms[usize::from(what >> 7)];
        match what & 0x3f {
            0 => self.message(what, script)?,
            1 => self.send(comm, script)?,
            2..=4 => self.receive(what & 0x3f, comm, script)?,
            5 => self.frames(script)?,
            6 => {
                let [which] = script.take()?;
                if let Some(request) = self.request(which) {
                    self.protocol.cancel(request);
                }
            }
            7 => {
                let [which] = script.take()?;
                if let Some(request) = self.request(which) {
                    let refused = what & 0x80 != 0;
                    self.protocol.get_done(request, refused, &mut self.keys);
                }
            }
            8 => drop(self.protocol.release_buffered(|_| what & 0x80 != 0)),
            9 => self.protocol.forget_peer(PeerId(2), &mut self.keys),
            10 => {
                let [which] = script.take()?;
                if let Some(request) = self.request(which) {
                    self.protocol.detach(request);
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// A request that was begun.
    fn request(&self, which: u8) -> Option<RequestId> {
        let at = usize::from(which) % self.requests.len().max(1);
        self.requests.get(at).map(|(request, _)| *request)
    }

    /// A message of the peer: a header of 96 bytes or less, as it comes or, where a bit says so,
    /// with the number that is next and the names of requests that there are.
    fn message(&mut self, what: u8, script: &mut Script) -> Option<()> {
        let [kind, head, payload, which] = script.take()?;
        let head = usize::from(head) % 97;
        let mut message = script.up_to(head);
        if let Some(first) = message.first_mut() {
            *first = kind % 13;
        }
        let at = usize::from(what >> 7);
        if what & 0x40 != 0 && message.len() >= 32 {
            self.put_right(&mut message, kind % 13, at, which);
        }
        message.resize(message.len() + usize::from(payload), 0xa5);
        let message = Payload::from(&message[..]);
        let outcome = self.protocol.arrived(PEER, message, &mut self.keys);
        if outcome.is_ok() && what & 0x40 != 0 && matches!(kind % 13, 1..=3 | 8) {
            self.sequences[at] += 1;
        }
        Some(())
    }

    /// Writes the envelope of the next message, or the key of a request.
    fn put_right(&self, message: &mut [u8], kind: u8, at: usize, which: u8) {
        let request = self.request(which).map_or(0, RequestId::bits);
        match kind {
            1..=3 | 8 => {
                message[4..8].copy_from_slice(&1u32.to_le_bytes());
                message[9..16].fill(0);
                message[16..24].copy_from_slice(&(at as u64).to_le_bytes());
                message[24..32].copy_from_slice(&self.sequences[at].to_le_bytes());
                if let Some(total) = message.get_mut(41..48) {
                    total.fill(0);
                }
                if kind == 8 && message.len() >= 40 {
                    message[33..40].fill(0);
                }
            }
            _ => {
                message[8..16].copy_from_slice(&request.to_le_bytes());
                message[17..24].fill(0);
                message[25..32].fill(0);
            }
        }
    }

    fn send(&mut self, comm: CommId, script: &mut Script) -> Option<()> {
        let [to, len, tag] = script.take()?;
        let to = Rank(1 + u32::from(to % 2));
        let mode = [Mode::Standard, Mode::Synchronous][usize::from(tag & 1)];
        if self.requests.len() < REQUESTS_MAX {
            let data = guarded();
            let buffer = Buffer::bytes(data.buf().part(GUARD, usize::from(len).min(ROOM)));
            let (protocol, keys, tag) = (&mut self.protocol, &mut self.keys, Tag::from(tag >> 1));
            let request = protocol.begin_send(comm, to, tag, buffer, mode, keys);
            self.requests.push((request, data));
        }
        Some(())
    }

    /// A receive, a probe or a matched probe with its receive.
    fn receive(&mut self, how: u8, comm: CommId, script: &mut Script) -> Option<()> {
        let [source, tag, len] = script.take()?;
        let pattern = Pattern {
            source: u32::from(source % 4).checked_sub(1).map(Rank),
            tag: tag.checked_sub(1).map(Tag::from),
        };
        let room = guarded();
        let buffer = Buffer::bytes(room.buf().part(GUARD, usize::from(len).min(ROOM)));
        let request = match how {
            2 if self.requests.len() < REQUESTS_MAX => {
                Some(self.protocol.begin_recv(comm, pattern, buffer))
            }
            3 => {
                let found = self.protocol.matched_probe(comm, pattern);
                self.claimed.extend(found.map(|(message, _)| message));
                None
            }
            4 if self.requests.len() < REQUESTS_MAX => {
                let message = self.claimed.pop()?;
                self.protocol.begin_matched_recv(message, buffer)
            }
            _ => None,
        };
        self.requests.extend(request.map(|request| (request, room)));
        Some(())
    }

    /// Takes what waits for the lanes: bytes of buffers are read as a lane does.
    fn frames(&mut self, script: &mut Script) -> Option<()> {
        let [most] = script.take()?;
        for peer in [PEER, PeerId(2)] {
            for _ in 0..most {
                match self.protocol.next_frame(peer) {
                    Some(Frame::Send {
                        header,
                        buffer,
                        offset,
                        len,
                    }) => {
                        assert!(header.as_bytes().len() + len <= 128, "longer than the lane");
                        assert!(offset + len <= buffer.len(), "behind the buffer");
                        let mut bytes = vec![0; len];
                        buffer.pack_into(offset, &mut bytes);
                    }
                    Some(Frame::Get { local, offset, .. }) => {
                        assert!(offset as usize + local.len() <= ROOM);
                    }
                    None => break,
                }
                self.protocol.frame_sent(peer);
            }
        }
        Some(())
    }

    /// Takes what is complete. Nothing was written beside a buffer.
    fn collect(&mut self) {
        let protocol = &mut self.protocol;
        self.requests.retain(|(request, memory)| {
            for at in [0, GUARD + ROOM] {
                let mut around = [0; GUARD];
                memory.buf().read(at, &mut around);
                assert_eq!(around, [0x5a; GUARD], "bytes beside a buffer");
            }
            let outcome = protocol.outcome(*request);
            if let Some(outcome) = &outcome {
                assert!(outcome.status.bytes <= ROOM as u64, "{outcome:?}");
            }
            outcome.is_none() && protocol.is_open(*request) || protocol.keeps_buffer(*request)
        });
    }
}

impl Protocol {
    /// Whether a request is not gone, so that its buffer may be used.
    fn keeps_buffer(&self, request: RequestId) -> bool {
        let key = Key::from_bits(request.bits());
        self.requests.get(key).is_some()
    }
}

/// A buffer, and what lies around it.
fn guarded() -> Scratch {
    let memory = Scratch::new(ROOM + 2 * GUARD);
    memory.buf().write(0, &[0x5a; ROOM + 2 * GUARD]);
    memory
}

/// The steps that are left.
struct Script<'a>(&'a [u8]);

impl Script<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    /// Takes the next `len` bytes, or those that are left.
    fn up_to(&mut self, len: usize) -> Vec<u8> {
        let (first, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        first.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpora_pass() {
        base::fuzz::replay(TARGETS);
    }
}
