//! Fuzzing of the decoders of a peer's bytes: called by the fuzz targets, and by the test that
//! replays their corpora.

use std::cell::RefCell;

use base::PeerId;
use btl::{Arrival, Error, RemoteKey, Sink, Token};
use memory::Payload;
use ofi::Filter;

use crate::component::Transport;
use crate::reassembly::HEADROOM;
use crate::wire::{Address, Header, Window, HEADER_BYTES, NOTE_BYTES};
use crate::{Config, Settings};

pub use base::fuzz::Target;

/// The targets, by the names of their corpora.
pub const TARGETS: &[Target] = &[("ofi_wire", wire), ("ofi_messages", messages)];

/// The peer that sends.
const PEER: PeerId = PeerId(1);

/// Receives that are posted: buffers are made in chunks of 16, so some stay free for what the
/// target brings.
const RECEIVES: usize = 17;

/// Bytes as an address, a header, a note and a key: each is refused, or says the same when it is
/// encoded again. No range that a key allows ends behind its memory.
pub fn wire(bytes: &[u8]) {
    if let Some(address) = Address::decode(bytes) {
        assert!(address.window >= 2);
        assert_eq!(address.encode(), bytes);
    }
    if let Some((header, payload)) = Header::split(Payload::from(bytes), None) {
        assert_eq!(header.encode(), bytes[..HEADER_BYTES]);
        assert_eq!(payload.len(), bytes.len() - HEADER_BYTES);
        assert!(header.is_of_life(header.epoch) && header.ahead_of(header.number) == 0);
    }
    if let Some((note, _)) = bytes.split_first_chunk::<NOTE_BYTES>() {
        let note = u64::from_le_bytes(*note);
        let header = Header::of_note(note);
        assert_eq!(header.note(), note);
        assert!(header.is_of_life(header.epoch) && header.ahead_of(header.number) == 0);
    }
    let (key, range) = bytes.split_at(bytes.len().min(26));
    let key = RemoteKey::new(key).expect("at most 32 bytes");
    if let Some(window) = Window::decode(&key) {
        assert_eq!(window.encode(), key);
        if let Some((range, _)) = range.split_first_chunk::<16>() {
            let range = u128::from_le_bytes(*range);
            let (offset, len) = (range as u64, (range >> 64) as usize);
            let inside = u128::from(offset) + len as u128 <= u128::from(window.len);
            assert_eq!(window.at(offset, len).is_some(), inside);
        }
    }
}

/// Messages of a peer, as the provider hands them over, each after a byte that says what it is and
/// one that gives its length. The peer's epoch and number are put right where a bit says so, and
/// the number is then one of the next: hardly anything would be accepted otherwise.
///
/// Without libfabric nothing is done.
pub fn messages(bytes: &[u8]) {
    thread_local! {
        static PAIR: RefCell<Option<FuzzedPair>> = RefCell::new(FuzzedPair::new());
    }
    PAIR.with_borrow_mut(|pair| {
        if let Some(pair) = pair {
            pair.receive_all(bytes);
        }
    });
}

/// A process, and the peer whose address it knows.
struct FuzzedPair {
    own: Transport,
    peer: Transport,
    /// The epoch under which the peer was introduced last.
    epoch: u32,
}

impl FuzzedPair {
    fn new() -> Option<FuzzedPair> {
        let open = |me| {
            let filter = Filter {
                library: None,
                include: vec!["tcp;ofi_rxm".into()],
                exclude: Vec::new(),
            };
            let config = Config {
                me: PeerId(me),
                local_rank: 0,
                opening: None,
                filter,
                settings: Settings {
                    receives: RECEIVES,
                    ..Settings::default()
                },
                monitor: None,
            };
            crate::open(config).ok()
        };
        Some(FuzzedPair {
            own: open(0)?,
            peer: open(1)?,
            epoch: 0,
        })
    }

    fn receive_all(&mut self, mut bytes: &[u8]) {
        self.epoch = self.epoch.wrapping_add(1);
        let mut address = self.peer.address.clone();
        address.epoch = self.epoch;
        assert_eq!(self.own.introduce_at(PEER, address), btl::Reach::Reachable);
        let mut sink = Limit(self.own.caps.max_send_size);
        while let Some(([kind, len, ahead], rest)) = bytes.split_first_chunk() {
            let len = rest.len().min(usize::from(*len));
            let (message, rest) = rest.split_at(len);
            bytes = rest;
            self.take(*kind, *ahead, message.to_vec(), &mut sink);
            self.own.poll(&mut sink);
        }
    }

    fn take(&mut self, kind: u8, ahead: u8, mut message: Vec<u8>, sink: &mut Limit) {
        let own = &mut self.own;
        let next = own.peers.get(PEER).map_or(0, |peer| peer.incoming.next());
        let number = next.wrapping_add(u32::from(ahead));
        let mut note = None;
        if kind & 1 != 0 && message.len() >= NOTE_BYTES {
            let payload = message.split_off(NOTE_BYTES);
            let bytes = message.try_into().expect("eight bytes");
            let mut header = Header::of_note(u64::from_le_bytes(bytes));
            if kind & 2 != 0 {
                (header.from, header.epoch, header.number) = (PEER, self.epoch, number);
            }
            note = Some(header.note());
            message = payload;
        } else if kind & 2 != 0 && message.len() >= HEADER_BYTES {
            message[..4].copy_from_slice(&self.epoch.to_le_bytes());
            message[4..8].copy_from_slice(&PEER.0.to_le_bytes());
            message[8..12].copy_from_slice(&number.to_le_bytes());
        }
        if kind & 4 != 0 {
            // As long as the message can be.
            message.resize(own.address.room as usize, 7);
        }
        let slot = own.receives.take_unused(&mut own.device);
        let slot = slot.expect("a buffer that is not posted");
        let memory = own.receives.memory(slot).from(HEADROOM);
        let len = message.len().min(memory.len());
        memory.write(0, &message[..len]);
        // SAFETY: the slot is this function's until it is given back below.
        let payload = unsafe { Payload::new(memory.address(), len) };
        own.handle_message(payload, Some(slot), note, None, sink);
        own.receives.free(slot);
    }
}

/// Takes messages of the peer up to a length.
struct Limit(usize);

impl Sink for Limit {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        assert_eq!(arrival.from, PEER);
        assert!(
            arrival.payload.len() <= self.0,
            "{} bytes",
            arrival.payload.len()
        );
        drop(arrival.payload.to_vec());
    }
    fn done(&mut self, _: Token, _: Result<(), Error>) {}
    fn peer_failed(&mut self, peer: PeerId, _: Error) {
        assert_eq!(peer, PEER);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Kind;

    #[test]
    fn the_corpora_pass() {
        base::fuzz::replay(TARGETS);
    }

    /// Messages that are put right are received, in order: the target reaches what it is for.
    #[test]
    fn messages_that_are_put_right_are_handed_up() {
        let Some(mut pair) = FuzzedPair::new() else {
            return eprintln!("no provider tcp;ofi_rxm");
        };
        let header = Header {
            epoch: 0,
            from: PeerId(0),
            number: 0,
            tag: 1,
            kind: Kind::Message,
            credit: 0,
            more: false,
            is_note: false,
        };
        let mut script = Vec::new();
        for ahead in [1, 0, 0] {
            script.extend([2, HEADER_BYTES as u8, ahead]);
            script.extend(header.encode());
        }
        script.extend([3, NOTE_BYTES as u8, 0]);
        script.extend(header.note().to_le_bytes());
        pair.receive_all(&script);
        let peer = pair.own.peers.get(PEER).expect("introduced");
        assert_eq!(
            (peer.incoming.next(), peer.incoming.has_stored()),
            (4, false)
        );
    }
}
