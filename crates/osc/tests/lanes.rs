//! Operations that a lane does, beside those that go by messages: what synchronises waits for both.

use base::{PeerId, Rank};
use datatype::Buffer;
use memory::{Payload, Scratch, Slot, UserBuf};
use osc::wire::{Header, Kind};
use osc::{Access, Error, Lock, Memory, OpId, Osc, Place, WindowId};

const BYTES: usize = 256;
const ORIGIN: usize = 0;
const TARGET: usize = 1;

/// An origin and a target, whose messages are moved when a test says so.
struct Pair {
    osc: [Osc; 2],
    windows: [WindowId; 2],
    memory: [Scratch; 2],
}

impl Pair {
    fn new() -> Pair {
        let memory = [Scratch::new(BYTES), Scratch::new(BYTES)];
        let mut osc = [Osc::default(), Osc::default()];
        let windows = [ORIGIN, TARGET].map(|i| osc[i].open_window(Memory::Fixed(memory[i].buf())));
        let members = [0, 1].map(|peer| (PeerId(peer), windows[peer as usize].name()));
        for (osc, window) in osc.iter_mut().zip(windows) {
            osc.join(window, &members);
        }
        Pair {
            osc,
            windows,
            memory,
        }
    }

    /// Moves all messages of one process to the other; what they were.
    fn carry(&mut self, from: usize) -> Vec<Kind> {
        let (to, mut kinds) = (1 - from, Vec::new());
        while let Some(peer) = self.osc[from].ready_peer(0) {
            let Some(frame) = self.osc[from].next_frame(peer, 4096) else {
                continue;
            };
            let mut data = vec![0; frame.len];
            frame.pack(&mut Slot::from(&mut data[..]));
            let bytes = [frame.header, &data].concat();
            let payload = Payload::from(&bytes[..]);
            kinds.push(Header::decode(&payload).unwrap().kind);
            self.osc[from].frame_sent(peer);
            self.osc[to].arrived(PeerId(from as u32), payload).unwrap();
        }
        kinds
    }

    fn lock(&mut self) {
        let window = self.windows[ORIGIN];
        let osc = &mut self.osc[ORIGIN];
        osc.begin_lock(window, Rank(1), Lock::Exclusive, true)
            .unwrap();
        self.carry(ORIGIN);
        self.carry(TARGET);
        assert_eq!(self.osc[ORIGIN].is_granted(window, Rank(1)), Ok(true));
    }

    /// Begins a put of bytes to place 8 that a lane does.
    fn put(&mut self, from: UserBuf, pieces: usize) -> OpId {
        let osc = &mut self.osc[ORIGIN];
        let window = self.windows[ORIGIN];
        assert_eq!(osc.may_begin(window, Rank(1)), Ok(true));
        let place = Place(Buffer::bytes(at(8, from.len())));
        let from = Buffer::bytes(from);
        osc.begin_on_lane(window, Rank(1), Access::Put { from }, place, false, pieces)
    }

    fn settled(&mut self) -> Result<bool, Error> {
        self.osc[ORIGIN].is_settled(self.windows[ORIGIN], Rank(1))
    }
}

/// A place in a window, of which only the address counts.
fn at(offset: usize, len: usize) -> UserBuf {
    // SAFETY: it is not touched: places are only asked where they are.
    unsafe { UserBuf::new(std::ptr::without_provenance_mut(offset), len) }
}

#[test]
fn a_lock_goes_back_behind_what_lanes_bring() {
    let mut pair = Pair::new();
    pair.lock();
    let put = pair.put(pair.memory[ORIGIN].buf().part(0, 16), 2);
    let window = pair.windows[ORIGIN];
    pair.osc[ORIGIN].begin_unlock(window, Rank(1)).unwrap();
    assert_eq!(pair.carry(ORIGIN), [], "pieces are under way");
    assert_eq!(pair.osc[ORIGIN].unflushed(0), None);
    assert!(pair.osc[ORIGIN].has_unflushed());
    // Whoever drives it has looked, and need not before a piece ends.
    pair.osc[ORIGIN].await_pieces();
    assert!(!pair.osc[ORIGIN].has_unflushed() && pair.osc[ORIGIN].awaits_flush());
    for _ in 0..2 {
        assert_eq!(pair.settled(), Ok(false));
        pair.osc[ORIGIN].piece_done(put, true);
    }
    assert_eq!(pair.carry(ORIGIN), [], "the lane is not flushed");
    assert!(pair.osc[ORIGIN].has_unflushed());
    let due = pair.osc[ORIGIN].unflushed(0);
    assert_eq!(due, Some((window, Rank(1), PeerId(1))));
    assert_eq!(pair.settled(), Ok(false));
    pair.osc[ORIGIN].flushed(window, Rank(1), Ok(()));
    assert_eq!(pair.carry(ORIGIN), [Kind::Unlock]);
    assert_eq!(pair.settled(), Ok(true));
    assert!(!pair.osc[ORIGIN].has_unflushed() && pair.osc[ORIGIN].is_idle());
}

#[test]
fn what_a_lane_refuses_goes_by_messages_and_is_confirmed() {
    let mut pair = Pair::new();
    pair.lock();
    let bytes: Vec<u8> = (1..=16).collect();
    pair.memory[ORIGIN].buf().write(0, &bytes);
    let put = pair.put(pair.memory[ORIGIN].buf().part(0, 16), 2);
    let window = pair.windows[ORIGIN];
    let flush = (Some(Rank(1)), ("MPI_Win_flush", true));
    pair.osc[ORIGIN]
        .begin_flush(window, flush.0, flush.1)
        .unwrap();
    pair.osc[ORIGIN].piece_done(put, false);
    pair.osc[ORIGIN].piece_done(put, true);
    pair.osc[ORIGIN].flushed(window, Rank(1), Ok(()));
    assert_eq!(pair.settled(), Ok(false), "nobody has confirmed it");
    assert_eq!(pair.carry(ORIGIN), [Kind::Put, Kind::Flush]);
    assert_eq!(pair.carry(TARGET), [Kind::Ack]);
    assert_eq!(pair.settled(), Ok(true));
    let mut seen = [0; 16];
    pair.memory[TARGET].buf().read(8, &mut seen);
    assert_eq!(&seen[..], bytes);
}

#[test]
fn the_end_of_a_peer_ends_what_lanes_do() {
    let mut pair = Pair::new();
    pair.lock();
    let put = pair.put(pair.memory[ORIGIN].buf().part(0, 16), 1);
    let window = pair.windows[ORIGIN];
    pair.osc[ORIGIN].begin_unlock(window, Rank(1)).unwrap();
    pair.osc[ORIGIN].await_pieces();
    pair.osc[ORIGIN].peer_failed(PeerId(1), "killed");
    assert!(
        pair.osc[ORIGIN].has_unflushed(),
        "nobody would look at the lane"
    );
    assert!(pair.osc[ORIGIN].is_done(put));
    // The lane tells of it later, and cannot be flushed.
    pair.osc[ORIGIN].piece_done(put, false);
    assert!(pair.osc[ORIGIN].unflushed(0).is_some());
    pair.osc[ORIGIN].flushed(window, Rank(1), Err("killed".into()));
    let lost = Err(Error::PeerFailed {
        peer: PeerId(1),
        why: "killed".into(),
    });
    assert_eq!(pair.settled(), lost);
    assert!(pair.osc[ORIGIN].is_idle());
}
