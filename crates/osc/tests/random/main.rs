//! Random programs of one-sided operations, from seeds, against a sequential reference.
//!
//! All ranks run in one thread, each as an `async` block. Between them lie wires that are late, let
//! messages overtake each other, and are busy now and then, and lanes that put and get by
//! themselves: these are late, too, bring what they have taken when they are flushed, and refuse
//! things. Contiguous accesses are offered to them at once as well. Or all accumulates have one
//! element and lanes do them, in steps. In every phase a rank has a part of each memory for itself,
//! in which all that it does must come out exactly; beside those there are common cells, which all
//! change by what commutes, and one that is changed under exclusive locks alone.

mod actor;

use std::cell::{Cell, RefCell, RefMut};
use std::collections::VecDeque;
use std::future::{poll_fn, Future};
use std::pin::Pin;
use std::ptr::without_provenance_mut;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use base::{PeerId, Rank};
use btl::Atomic;
use datatype::constants::{MPI_INT64_T, MPI_UINT64_T};
use datatype::{predefined, Basic, Buffer, Datatype, Op};
use memory::{Payload, Scratch, Slot, UserBuf};
use osc::{
    choose, Access, Carrier, Error, Flushed, LaneMin, Lock, Memory, OpId, Osc, Piece, TargetBytes,
};
use osc::{AccessStart, LaneStep, Reach, Verb, WindowId};

use actor::Actor;

const SEEDS: u64 = 300;
const PHASES: u64 = 5;
const OPERATIONS: usize = 12;
const PART: usize = 10;

/// The common cells; the parts begin behind them.
const SUMS: usize = 0;
const XORS: usize = 4;
const TICKETS: usize = 8;
const GUARDED: usize = 9;
const MOST: usize = 10;
const COMMON: usize = 14;

/// Turns after which a program counts as stuck.
const TURNS_MAX: u32 = 4_000_000;

/// Numbers from a seed (splitmix64).
struct Dice(Cell<u64>);

impl Dice {
    fn below(&self, limit: u64) -> u64 {
        self.0.set(self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mut z = self.0.get();
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn one_in(&self, limit: u64) -> bool {
        self.below(limit) == 0
    }
}

/// A piece of an operation that a lane does.
struct Moving {
    from: usize,
    to: usize,
    operation: OpId,
    puts: bool,
    piece: Piece,
}

/// An act of a lane between the memory of two ranks.
#[derive(Clone, Copy)]
enum LaneAct {
    Put(UserBuf),
    Get(UserBuf),
    Change(Atomic, Option<UserBuf>),
}

/// An access that a lane does in one act.
struct Single {
    from: usize,
    to: usize,
    id: OpId,
    act: LaneAct,
    offset: usize,
    /// Whether what it puts is there once it is done, without a flush.
    lands: bool,
}

/// Bytes for an offset in a rank's memory.
struct TakenBytes {
    from: usize,
    to: usize,
    offset: usize,
    bytes: Vec<u8>,
}

/// All ranks, the messages between them, and the expected content of their memory.
struct World {
    seed: u64,
    ranks: usize,
    oscs: Vec<RefCell<Osc>>,
    windows: Vec<WindowId>,
    memory: Vec<Scratch>,
    /// By sender and receiver.
    wires: Vec<RefCell<VecDeque<Vec<u8>>>>,
    /// The wire that is later than the others: whose messages come when others have long gone on.
    slow: usize,
    /// Pieces that lanes have, and bytes that they have taken and not brought.
    lanes: RefCell<Vec<Moving>>,
    taken: RefCell<Vec<TakenBytes>>,
    /// Accesses that lanes have as one act.
    singles: RefCell<Vec<Single>>,
    /// Steps of accumulates that lanes have, and by whom.
    steps: RefCell<Vec<(usize, LaneStep)>>,
    model: RefCell<Vec<Vec<i64>>>,
    /// The values that ranks fetched from each counter.
    fetched: RefCell<Vec<i64>>,
    /// Ranks at the barrier, and barriers so far.
    waiting: Cell<usize>,
    barriers: Cell<u64>,
    /// By receiver and sender: how many messages the latter reported at a fence.
    counts: RefCell<Vec<Vec<u32>>>,
    largest: usize,
    dice: Dice,
}

fn is_checked(seed: u64) -> bool {
    seed.is_multiple_of(3)
}

fn is_by_words(seed: u64) -> bool {
    seed % 3 == 1
}

impl World {
    fn new(seed: u64) -> World {
        let dice = Dice(Cell::new(seed));
        let ranks = 1 + dice.below(4) as usize;
        let cells = COMMON + ranks * PART;
        let memory: Vec<Scratch> = (0..ranks).map(|_| Scratch::new(cells * 8)).collect();
        let oscs: Vec<RefCell<Osc>> = (0..ranks).map(|_| RefCell::default()).collect();
        let open = |(osc, memory): (&RefCell<Osc>, &Scratch)| {
            osc.borrow_mut().open_window(Memory::Fixed(memory.buf()))
        };
        let windows: Vec<WindowId> = oscs.iter().zip(&memory).map(open).collect();
        if is_checked(seed) {
            // No access of these programs conflicts with another.
            let check =
                |(osc, id): (&RefCell<Osc>, &WindowId)| osc.borrow_mut().check_conflicts(*id);
            oscs.iter().zip(&windows).for_each(check);
        }
        if seed % 4 < 2 {
            let notify =
                |(osc, id): (&RefCell<Osc>, &WindowId)| osc.borrow_mut().notify_fences(*id);
            oscs.iter().zip(&windows).for_each(notify);
        }
        let member = |(rank, window): (usize, &WindowId)| (PeerId(rank as u32), window.name());
        let members: Vec<_> = windows.iter().enumerate().map(member).collect();
        for (osc, window) in oscs.iter().zip(&windows) {
            osc.borrow_mut().join(*window, &members);
        }
        World {
            seed,
            ranks,
            oscs,
            windows,
            memory,
            wires: (0..ranks * ranks).map(|_| RefCell::default()).collect(),
            slow: seed as usize % (ranks * ranks),
            lanes: RefCell::default(),
            taken: RefCell::default(),
            singles: RefCell::default(),
            steps: RefCell::default(),
            model: RefCell::new(vec![vec![0; cells]; ranks]),
            fetched: RefCell::new(vec![0; ranks]),
            waiting: Cell::new(0),
            barriers: Cell::new(0),
            counts: RefCell::new(vec![vec![0; ranks]; ranks]),
            largest: 256 << dice.below(4),
            dice,
        }
    }

    /// Whether accesses are compared with each other, and all go by messages.
    fn is_checked(&self) -> bool {
        is_checked(self.seed)
    }

    /// Whether accumulates have one element each, and lanes do them.
    fn is_by_words(&self) -> bool {
        is_by_words(self.seed)
    }

    /// A rank offers something to a wire, or a wire delivers something.
    fn move_something(&self) {
        let (a, b) = (
            self.dice.below(self.ranks as u64),
            self.dice.below(self.ranks as u64),
        );
        match self.dice.below(7) {
            0 => self.move_piece(),
            5 => self.end_single(),
            1 => self.flush_lane(a as usize),
            3 => self.take_step(a as usize),
            4 => self.do_step(),
            2 => self.offer(a as usize, b as usize),
            _ => self.deliver(a as usize, b as usize),
        }
    }

    /// One of what lanes have, of their choice.
    fn draw<T>(&self, of: &RefCell<Vec<T>>) -> Option<T> {
        let mut all = of.borrow_mut();
        let len = all.len() as u64;
        (len > 0).then(|| all.swap_remove(self.dice.below(len) as usize))
    }

    /// A lane is done with a piece of its choice, or refuses it.
    fn move_piece(&self) {
        let Some(moving) = self.draw(&self.lanes) else {
            return;
        };
        let (piece, offset) = (moving.piece, moving.piece.offset as usize);
        let moved = !self.dice.one_in(8);
        let act = match moving.puts {
            true => LaneAct::Put(piece.local),
            false => LaneAct::Get(piece.local),
        };
        if moved {
            self.act((moving.from, moving.to), act, offset);
        }
        let mut osc = self.oscs[moving.from].borrow_mut();
        match moved {
            true => drop(osc.lane_done(moving.operation)),
            false => osc.lane_failed(moving.operation, "refused".into()),
        }
    }

    /// A lane does something between two ranks. What it puts it brings when it is flushed.
    fn act(&self, (from, to): (usize, usize), act: LaneAct, offset: usize) {
        let there = self.memory[to].buf().from(offset);
        match act {
            LaneAct::Put(local) => {
                let mut bytes = vec![0; local.len()];
                local.read(0, &mut bytes);
                let taken = TakenBytes {
                    from,
                    to,
                    offset,
                    bytes,
                };
                self.taken.borrow_mut().push(taken);
            }
            LaneAct::Get(local) => local.copy_from(&there.part(0, local.len())),
            LaneAct::Change(atomic, result) => {
                let before = atomic.apply_to(there).expect("a word");
                if let Some(result) = result {
                    atomic.width.store(before, result);
                }
            }
        }
    }

    /// A lane does an access.
    fn do_single(&self, single: &Single) {
        let memory = self.memory[single.to].buf();
        match single.act {
            LaneAct::Put(from) if single.lands => memory.from(single.offset).copy_from(&from),
            act => self.act((single.from, single.to), act, single.offset),
        }
    }

    /// An access is offered to a lane, which may do it at once, or refuse it, or be busy.
    fn start_single(&self, single: Single) -> Option<btl::Started> {
        match self.dice.below(8) {
            0 => None,
            1 => Some(btl::Started::Busy),
            2 => {
                self.do_single(&single);
                Some(btl::Started::Done)
            }
            _ => {
                self.singles.borrow_mut().push(single);
                Some(btl::Started::Pending)
            }
        }
    }

    /// A lane is done with an access of its choice, or refuses its bytes after all.
    fn end_single(&self) {
        let Some(single) = self.draw(&self.singles) else {
            return;
        };
        let mut osc = self.oscs[single.from].borrow_mut();
        if !matches!(single.act, LaneAct::Change(..)) && self.dice.one_in(8) {
            return osc.lane_failed(single.id, "refused".into());
        }
        self.do_single(&single);
        osc.lane_done(single.id);
    }

    /// A poll for the end of an access may see it before the lane reports it.
    fn see_end(&self, id: OpId, from: usize) {
        if self.dice.one_in(2) {
            return;
        }
        let is_it = |single: &Single| single.id == id && single.from == from;
        let at = self.singles.borrow().iter().position(is_it);
        let single = self
            .singles
            .borrow_mut()
            .swap_remove(at.expect("its lane has it"));
        self.do_single(&single);
        let mut osc = self.oscs[from].borrow_mut();
        if osc.lane_done(id) {
            let target = Rank(single.to as u32);
            let flushed = osc.how_flushed(self.windows[from], target);
            assert_eq!(flushed, Flushed::Done, "nothing is left to be waited for");
        }
    }

    /// A rank hands a step of an accumulate to its lane, which may be busy.
    fn take_step(&self, from: usize) {
        let mut osc = self.oscs[from].borrow_mut();
        let Some(step) = osc.next_step() else { return };
        match self.dice.one_in(4) {
            true => osc.step_busy(step.operation),
            false => self.steps.borrow_mut().push((from, step)),
        }
    }

    /// A lane does a step of its choice.
    fn do_step(&self) {
        let Some((from, step)) = self.draw(&self.steps) else {
            return;
        };
        let memory = self.memory[step.target.index()].buf();
        let before = step.atomic.apply_to(memory.from(step.offset as usize));
        let before = before.expect("a word");
        step.atomic.width.store(before, step.result);
        self.oscs[from].borrow_mut().lane_done(step.operation);
    }

    /// A rank's lane to a target brings all that it has taken, where that is waited for.
    fn flush_lane(&self, from: usize) {
        let mut osc = self.oscs[from].borrow_mut();
        let Some((window, target, _)) = osc.unflushed(0) else {
            return;
        };
        self.bring(from, target.index());
        osc.flushed(window, target, Ok(()));
    }

    /// A rank's lane to a target brings all that it has taken.
    fn bring(&self, from: usize, to: usize) {
        self.taken.borrow_mut().retain(|taken| {
            let due = (taken.from, taken.to) == (from, to);
            if due {
                let memory = self.memory[to].buf();
                memory.write(taken.offset, &taken.bytes);
            }
            !due
        });
    }

    fn offer(&self, from: usize, to: usize) {
        let mut osc = self.oscs[from].borrow_mut();
        let peer = PeerId(to as u32);
        let listed = (0..)
            .map_while(|at| osc.ready_peer(at))
            .any(|ready| ready == peer);
        if !listed {
            return;
        }
        let Some(frame) = osc.next_frame(peer, self.largest) else {
            return;
        };
        if self.dice.one_in(4) {
            // Busy: it is offered again.
            return;
        }
        let mut message = frame.header.to_vec();
        let mut data = vec![0; frame.len];
        frame.pack(&mut Slot::from(&mut data[..]));
        message.extend(data);
        assert!(
            message.len() <= self.largest,
            "a message of {} bytes",
            message.len()
        );
        osc.frame_sent(peer);
        self.wires[from * self.ranks + to]
            .borrow_mut()
            .push_back(message);
    }

    fn deliver(&self, from: usize, to: usize) {
        let number = from * self.ranks + to;
        if number == self.slow && !self.dice.one_in(50) {
            return;
        }
        let mut wire = self.wires[number].borrow_mut();
        let overtaken = usize::from(self.dice.one_in(4));
        let at = overtaken.min(wire.len().saturating_sub(1));
        if let Some(message) = wire.remove(at) {
            let mut osc = self.oscs[to].borrow_mut();
            let payload = Payload::from(&message[..]);
            osc.arrived(PeerId(from as u32), payload)
                .expect("honest peers");
            drop(wire);
            self.reply(to, &mut osc);
        }
    }

    /// Sends the reply to the message just handled at once, unless its lane is busy, or nobody
    /// polls.
    fn reply(&self, from: usize, osc: &mut Osc) {
        if self.dice.one_in(4) {
            return;
        }
        if self.dice.one_in(2) {
            osc.cut_reply(self.largest);
        }
        while let Some(reply) = osc.reply() {
            if reply.len() > self.largest || self.dice.one_in(4) {
                return osc.queue_reply();
            }
            let head = reply.head();
            let mut message = head.to_vec();
            message.resize(reply.len(), 0);
            reply.pack(&mut Slot::from(&mut message[head.len()..]));
            let to = reply.peer.index();
            osc.reply_sent();
            self.wires[from * self.ranks + to]
                .borrow_mut()
                .push_back(message);
        }
    }

    fn cell(&self, rank: usize, cell: usize) -> i64 {
        let mut bytes = [0; 8];
        self.memory[rank].buf().read(cell * 8, &mut bytes);
        i64::from_ne_bytes(bytes)
    }

    /// Compares all memory with the model, once all are at a barrier.
    fn compare(&self, tickets_before: &[i64], phase: u64) {
        let model = self.model.borrow();
        for rank in 0..self.ranks {
            for (cell, expected) in model[rank].iter().enumerate() {
                let found = self.cell(rank, cell);
                let (seed, ranks) = (self.seed, self.ranks);
                assert_eq!(
                    found, *expected,
                    "seed {seed}, {ranks} ranks, phase {phase}: cell {cell} of rank {rank}"
                );
            }
            // Each value of a counter was fetched by one alone.
            let (before, after) = (tickets_before[rank], model[rank][TICKETS]);
            let sum = (before + after - 1) * (after - before) / 2;
            assert_eq!(std::mem::take(&mut self.fetched.borrow_mut()[rank]), sum);
        }
    }
}

fn read(from: UserBuf, cell: usize) -> i64 {
    let mut bytes = [0; 8];
    from.read(cell * 8, &mut bytes);
    i64::from_ne_bytes(bytes)
}

/// Runs a program to its end, in an order of the seed's choice.
fn program(seed: u64) {
    let world = World::new(seed);
    let actor =
        |rank| Some(Box::pin(Actor::new(&world, rank).run()) as Pin<Box<dyn Future<Output = ()>>>);
    let mut actors: Vec<_> = (0..world.ranks).map(actor).collect();
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..TURNS_MAX {
        if actors.iter().all(Option::is_none) {
            assert!(world
                .oscs
                .iter()
                .all(|osc| osc.borrow().open_windows() == 0));
            return;
        }
        if world.dice.one_in(4) {
            let slot = &mut actors[world.dice.below(world.ranks as u64) as usize];
            if let Some(actor) = slot {
                if actor.as_mut().poll(&mut context).is_ready() {
                    *slot = None;
                }
            }
        } else {
            world.move_something();
        }
    }
    panic!("seed {seed}: the program of {} ranks is stuck", world.ranks);
}

#[test]
fn random_programs_do_what_a_sequential_one_does() {
    (0..SEEDS).for_each(program);
}
