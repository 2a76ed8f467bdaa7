//! A short put that goes with the word that its epoch is over.

mod common;

use base::{PeerId, Rank};
use common::carry_one;
use memory::{Scratch, UserBuf};
use osc::wire::Kind;
use osc::{Act, Memory, Osc, Stretch, WindowId};

const RANKS: usize = 3;

/// Processes with a window each, of which the first accesses those of the others.
struct World {
    osc: [Osc; RANKS],
    windows: [WindowId; RANKS],
    memory: [Scratch; RANKS],
}

impl World {
    /// The others have posted, the first has started.
    fn new() -> World {
        let memory = [(); RANKS].map(|()| Scratch::new(64));
        let mut osc = [(); RANKS].map(|()| Osc::default());
        let windows: [WindowId; RANKS] =
            std::array::from_fn(|i| osc[i].open_window(Memory::Fixed(memory[i].buf())));
        let members: [_; RANKS] = std::array::from_fn(|i| (PeerId(i as u32), windows[i].name()));
        for (osc, window) in osc.iter_mut().zip(windows) {
            osc.join(window, &members);
        }
        let others: Vec<Rank> = (1..RANKS as u32).map(Rank).collect();
        osc[0]
            .begin_start(windows[0], &others, true)
            .expect("none is open");
        World {
            osc,
            windows,
            memory,
        }
    }

    fn post(&mut self, rank: usize) {
        let posted = self.osc[rank].begin_post(self.windows[rank], &[Rank(0)], true);
        posted.expect("none is open");
        self.carry(rank, 0);
    }

    /// Moves all messages of one process to another; what they were.
    fn carry(&mut self, from: usize, to: usize) -> Vec<(Kind, bool)> {
        let mut kinds = Vec::new();
        while (0..)
            .map_while(|at| self.osc[from].ready_peer(at))
            .any(|peer| peer.index() == to)
        {
            let header = carry_one(&mut self.osc, from, to);
            kinds.extend(header.map(|header| (header.kind, header.completes)));
        }
        kinds
    }

    fn keep(&mut self, target: usize, offset: u64, from: UserBuf) -> bool {
        let stretch = Stretch {
            offset,
            len: from.len(),
        };
        let toward = (self.windows[0], Rank(target as u32));
        self.osc[0].keep_put(toward, stretch, &Act::Put, from)
    }

    fn complete(&mut self) {
        let window = self.windows[0];
        self.osc[0]
            .begin_complete(window, false)
            .expect("it is started");
        assert_eq!(self.osc[0].is_completable(window), Ok(true));
        self.osc[0]
            .end_complete(window, true)
            .expect("it is started");
    }

    fn word(&self, rank: usize, offset: usize) -> u64 {
        let mut bytes = [0; 8];
        self.memory[rank].buf().read(offset, &mut bytes);
        u64::from_le_bytes(bytes)
    }
}

fn holding(word: u64) -> Scratch {
    let memory = Scratch::new(8);
    memory.buf().write(0, &word.to_le_bytes());
    memory
}

#[test]
fn it_tells_its_target_that_the_epoch_is_over() {
    let mut world = World::new();
    let (first, second) = (holding(7), holding(8));
    // Nobody has posted yet.
    assert!(world.keep(1, 16, first.buf()) && world.keep(2, 24, second.buf()));
    assert_eq!(world.carry(0, 1), []);
    for rank in [1, 2] {
        world.post(rank);
        let window = world.windows[rank];
        assert_eq!(world.osc[rank].is_withdrawn(window), Ok(false));
    }
    world.complete();
    // What is in them now comes too late.
    for room in [first, second] {
        room.buf().write(0, &[0xff; 8]);
    }
    for (rank, offset, word) in [(1, 16, 7), (2, 24, 8)] {
        assert_eq!(world.carry(0, rank), [(Kind::Put, true)]);
        assert_eq!(world.word(rank, offset), word);
        let window = world.windows[rank];
        assert_eq!(world.osc[rank].is_withdrawn(window), Ok(true));
    }
    assert!(world.osc.iter_mut().all(|osc| osc.is_idle()));
    // The next epoch has none.
    world.osc[0]
        .begin_start(world.windows[0], &[Rank(1)], true)
        .unwrap();
    world.post(1);
    world.complete();
    assert_eq!(world.carry(0, 1), [(Kind::Complete, false)]);
}

#[test]
fn one_short_put_of_a_started_epoch_is_kept_for_each_target() {
    let mut world = World::new();
    let (word, long) = (holding(7), Scratch::new(17));
    assert!(!world.keep(0, 0, word.buf()), "it is not of the group");
    assert!(!world.keep(1, 0, long.buf()), "it is not short");
    assert!(world.keep(1, 0, word.buf()) && !world.keep(1, 8, word.buf()));
    let stretch = Stretch { offset: 0, len: 8 };
    let get = Act::Get { into: word.buf() };
    let toward = (world.windows[0], Rank(2));
    assert!(!world.osc[0].keep_put(toward, stretch, &get, UserBuf::EMPTY));
    for rank in [1, 2] {
        world.post(rank);
    }
    world.complete();
    assert_eq!(world.carry(0, 1), [(Kind::Put, true)]);
    assert_eq!(world.carry(0, 2), [(Kind::Complete, false)]);
    world.osc[0].begin_lock_all(world.windows[0], true).unwrap();
    assert!(!world.keep(1, 0, word.buf()), "a flush may come");
}

#[test]
fn it_waits_its_turn_behind_what_was_sent_before() {
    let mut world = World::new();
    let (word, other) = (holding(7), holding(9));
    assert!(world.keep(1, 0, word.buf()));
    for rank in [1, 2] {
        world.post(rank);
    }
    let (window, to) = (world.windows[0], Rank(1));
    let from = datatype::Buffer::bytes(other.buf());
    let place = std::ptr::without_provenance_mut(8);
    // SAFETY: nothing is read or written there: it says where the bytes lie in the window.
    let place = osc::Place(datatype::Buffer::bytes(unsafe { UserBuf::new(place, 8) }));
    world.osc[0].begin(window, to, osc::Access::Put { from }, place, false);
    world.osc[0].begin_complete(window, false).unwrap();
    // The lane is busy: the put is queued, so nothing goes past it.
    assert_eq!(world.osc[0].is_completable(window), Ok(false));
    world.osc[0].end_complete(window, true).unwrap();
    let kinds = world.carry(0, 1);
    assert_eq!(kinds, [(Kind::Put, false), (Kind::Put, true)]);
    assert_eq!((world.word(1, 0), world.word(1, 8)), (7, 9));
}
