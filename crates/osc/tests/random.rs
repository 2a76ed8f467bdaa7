//! Random programs of one-sided operations, from seeds, against a sequential reference.
//!
//! All ranks run in one thread, each as an `async` block. Between them lie wires that are late, let
//! messages overtake each other, and are busy now and then, and lanes that put and get by
//! themselves: these are late, too, bring what they have taken when they are flushed, and refuse
//! things. Or all accumulates have one element and lanes do them, in steps. In every phase a rank
//! has a part of each memory for itself, in which all that it does must come out exactly; beside
//! those there are common cells, which all change by what commutes, and one that is changed under
//! exclusive locks alone.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::VecDeque;
use std::future::{poll_fn, Future};
use std::pin::Pin;
use std::ptr::without_provenance_mut;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use base::{PeerId, Rank};
use datatype::{predefined, Basic, Buffer, Datatype, Op};
use memory::{Payload, Scratch, Slot, UserBuf};
use osc::{Access, Error, Lock, Memory, OpId, Osc, Piece, Place, Step, WindowId};

const INT64: u32 = 0x258;
const UINT64: u32 = 0x259;
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

/// Bytes for a place of a rank's memory.
struct Taken {
    from: usize,
    to: usize,
    offset: usize,
    bytes: Vec<u8>,
}

/// All ranks, what is on its way between them, and what their memory must hold.
struct World {
    seed: u64,
    ranks: usize,
    oscs: Vec<RefCell<Osc>>,
    windows: Vec<WindowId>,
    memory: Vec<Scratch>,
    /// By sender and receiver.
    wires: Vec<RefCell<VecDeque<Vec<u8>>>>,
    /// Pieces that lanes have, and bytes that they have taken and not brought.
    lanes: RefCell<Vec<Moving>>,
    taken: RefCell<Vec<Taken>>,
    /// Steps of accumulates that lanes have, and by whom.
    steps: RefCell<Vec<(usize, Step)>>,
    model: RefCell<Vec<Vec<i64>>>,
    /// What ranks fetched from each counter.
    fetched: RefCell<Vec<i64>>,
    /// Ranks at the barrier, and barriers so far.
    waiting: Cell<usize>,
    barriers: Cell<u64>,
    /// By receiver and sender: how many messages the latter told at a fence.
    counts: RefCell<Vec<Vec<u32>>>,
    largest: usize,
    dice: Dice,
}

fn is_checked(seed: u64) -> bool {
    seed % 3 == 0
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
            let tell = |(osc, id): (&RefCell<Osc>, &WindowId)| osc.borrow_mut().tell_fences(*id);
            oscs.iter().zip(&windows).for_each(tell);
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
            lanes: RefCell::default(),
            taken: RefCell::default(),
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
        match self.dice.below(6) {
            0 => self.move_piece(),
            1 => self.flush_lane(a as usize),
            3 => self.take_step(a as usize),
            4 => self.do_step(),
            2 => self.offer(a as usize, b as usize),
            _ => self.deliver(a as usize, b as usize),
        }
    }

    /// A lane is done with a piece of its choice, or refuses it.
    fn move_piece(&self) {
        let mut lanes = self.lanes.borrow_mut();
        if lanes.is_empty() {
            return;
        }
        let chosen = self.dice.below(lanes.len() as u64) as usize;
        let moving = lanes.swap_remove(chosen);
        let (piece, offset) = (moving.piece, moving.piece.offset as usize);
        let moved = !self.dice.one_in(8);
        if moved && moving.puts {
            let mut bytes = vec![0; piece.local.len()];
            piece.local.read(0, &mut bytes);
            let (from, to) = (moving.from, moving.to);
            let taken = Taken {
                from,
                to,
                offset,
                bytes,
            };
            self.taken.borrow_mut().push(taken);
        } else if moved {
            let there = self.memory[moving.to].buf().part(offset, piece.local.len());
            piece.local.copy_from(&there);
        }
        let mut osc = self.oscs[moving.from].borrow_mut();
        osc.piece_done(moving.operation, moved);
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
        let mut steps = self.steps.borrow_mut();
        if steps.is_empty() {
            return;
        }
        let chosen = self.dice.below(steps.len() as u64) as usize;
        let (from, step) = steps.swap_remove(chosen);
        let memory = self.memory[step.target.index()].buf();
        let before = step.atomic.apply_to(memory.from(step.offset as usize));
        let before = before.expect("a word");
        step.atomic.width.store(before, step.result);
        self.oscs[from]
            .borrow_mut()
            .piece_done(step.operation, true);
    }

    /// A rank's lane to a target brings all that it has taken, where that is waited for.
    fn flush_lane(&self, from: usize) {
        let mut osc = self.oscs[from].borrow_mut();
        let Some((window, target, _)) = osc.unflushed(0) else {
            return;
        };
        self.taken.borrow_mut().retain(|taken| {
            let due = (taken.from, taken.to) == (from, target.index());
            if due {
                let memory = self.memory[taken.to].buf();
                memory.write(taken.offset, &taken.bytes);
            }
            !due
        });
        osc.flushed(window, target, Ok(()));
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
        let mut wire = self.wires[from * self.ranks + to].borrow_mut();
        let overtaken = usize::from(self.dice.one_in(4));
        let at = overtaken.min(wire.len().saturating_sub(1));
        if let Some(message) = wire.remove(at) {
            let mut osc = self.oscs[to].borrow_mut();
            let payload = Payload::from(&message[..]);
            osc.arrived(PeerId(from as u32), payload)
                .expect("honest peers");
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

/// An operation under way, and what it must bring.
struct Pending {
    target: usize,
    held: Option<OpId>,
    /// What is written or read; alive until the operation is complete.
    _sent: Scratch,
    got: Option<(Scratch, Vec<i64>)>,
    ticket: bool,
}

/// One rank of a program.
struct Actor<'a> {
    world: &'a World,
    rank: usize,
    dice: Dice,
    pending: Vec<Pending>,
    /// What each cell of this rank's parts is used for since the last flush.
    used: Vec<[Option<Kind>; PART]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Put,
    Get,
    Replace,
    Add,
    Sum,
    Xor,
    Ticket,
    Most,
}

const KINDS: [Kind; 8] = [
    Kind::Put,
    Kind::Get,
    Kind::Replace,
    Kind::Add,
    Kind::Sum,
    Kind::Xor,
    Kind::Ticket,
    Kind::Most,
];

fn row(kind: Kind) -> &'static Basic {
    // No network has the greater of two numbers without a sign.
    predefined(if kind == Kind::Most { UINT64 } else { INT64 })
        .and_then(|known| known.predefined())
        .expect("a predefined datatype")
}

/// Elements at cells: of a target's window, or of memory here.
fn spread(base: *mut u8, cells: &[usize]) -> Buffer {
    let at: Vec<i64> = cells.iter().map(|cell| *cell as i64).collect();
    let element = predefined(INT64).expect("a predefined datatype");
    let datatype = Datatype::indexed_block(1, &at, element).expect("small numbers");
    // SAFETY: the cells lie in a scratch that is kept, or nothing is accessed (`Place`).
    unsafe { Buffer::new(base, 1, &Arc::new(datatype)) }.expect("small numbers")
}

impl<'a> Actor<'a> {
    fn new(world: &'a World, rank: usize) -> Actor<'a> {
        Actor {
            world,
            rank,
            dice: Dice(Cell::new(world.seed * 1009 + rank as u64)),
            pending: vec![],
            used: vec![[None; PART]; world.ranks],
        }
    }

    fn osc(&self) -> RefMut<'a, Osc> {
        self.world.oscs[self.rank].borrow_mut()
    }

    fn id(&self) -> WindowId {
        self.world.windows[self.rank]
    }

    async fn until(&self, mut ask: impl FnMut(&mut Osc, WindowId) -> Result<bool, Error>) {
        let asked = |_: &mut Context| match ask(&mut self.osc(), self.id()) {
            Ok(true) => Poll::Ready(()),
            Ok(false) => Poll::Pending,
            Err(error) => panic!("rank {}: {error}", self.rank),
        };
        poll_fn(asked).await
    }

    async fn barrier(&self) {
        let world = self.world;
        let number = world.barriers.get();
        world.waiting.set(world.waiting.get() + 1);
        if world.waiting.get() == world.ranks {
            world.waiting.set(0);
            world.barriers.set(number + 1);
        }
        let through = |_: &mut Context| match world.barriers.get() > number {
            true => Poll::Ready(()),
            false => Poll::Pending,
        };
        poll_fn(through).await
    }

    async fn run(mut self) {
        for phase in 0..PHASES {
            let tickets = |row: &Vec<i64>| row[TICKETS];
            let before: Vec<i64> = self.world.model.borrow().iter().map(tickets).collect();
            self.barrier().await;
            // The same on all ranks.
            match Dice(Cell::new(self.world.seed * 31 + phase)).below(5) {
                0 => self.fences(phase).await,
                1 => self.posts(phase).await,
                2 => self.locks(phase, Lock::Exclusive).await,
                3 => self.locks(phase, Lock::Shared).await,
                _ => self.lock_all(phase).await,
            }
            self.barrier().await;
            if self.rank == 0 {
                self.world.compare(&before, phase);
            }
            self.barrier().await;
        }
        self.osc().begin_free(self.id()).expect("no epoch is open");
        self.until(|osc, id| osc.is_all_settled(id)).await;
        self.barrier().await;
        self.osc().close_window(self.id());
    }

    async fn fence(&mut self, open: bool) {
        match self.world.seed % 4 {
            0 => {
                self.begin_told_fence().await;
                self.osc().mark_fence(self.id());
                self.until(|osc, id| osc.is_fenced(id)).await;
            }
            1 => {
                self.begin_told_fence().await;
                self.tell_counts();
                self.barrier().await;
                let told = self.world.counts.borrow()[self.rank].clone();
                for (rank, number) in (0..).map(Rank).zip(told) {
                    self.until(|osc, id| osc.has_handled(id, rank, number))
                        .await;
                }
            }
            _ => {
                self.osc().begin_fence(self.id()).expect("no other epoch");
                self.until(|osc, id| osc.is_all_settled(id)).await;
                self.barrier().await;
            }
        }
        self.osc().end_fence(self.id(), open);
        self.settle(None);
    }

    async fn begin_told_fence(&mut self) {
        let confirm = self.dice.one_in(4);
        let begun = self.osc().begin_told_fence(self.id(), confirm);
        begun.expect("no other epoch");
        self.until(|osc, id| osc.is_all_sent(id)).await;
    }

    /// Tells all how many messages they have from this rank.
    fn tell_counts(&self) {
        for rank in 0..self.world.ranks {
            let number = self.osc().sent_to(self.id(), Rank(rank as u32));
            self.world.counts.borrow_mut()[rank][self.rank] = number;
        }
    }

    async fn fences(&mut self, phase: u64) {
        self.fence(true).await;
        for _ in 0..OPERATIONS {
            self.operate(phase, None).await;
        }
        self.fence(false).await;
    }

    async fn posts(&mut self, phase: u64) {
        let all: Vec<Rank> = (0..self.world.ranks as u32).map(Rank).collect();
        self.osc()
            .begin_post(self.id(), all.clone(), true)
            .expect("no other epoch");
        self.osc()
            .begin_start(self.id(), all, true)
            .expect("no other epoch");
        for _ in 0..OPERATIONS {
            self.operate(phase, None).await;
        }
        let confirm = self.dice.one_in(2);
        self.osc()
            .begin_complete(self.id(), confirm)
            .expect("it was started");
        self.until(|osc, id| osc.is_completable(id)).await;
        self.osc()
            .end_complete(self.id(), true)
            .expect("it was started");
        self.settle(None);
        self.until(|osc, id| osc.is_withdrawn(id)).await;
    }

    async fn locks(&mut self, phase: u64, lock: Lock) {
        for _ in 0..OPERATIONS {
            let target = self.dice.below(self.world.ranks as u64) as usize;
            let rank = Rank(target as u32);
            self.osc()
                .begin_lock(self.id(), rank, lock, true)
                .expect("not locked");
            if self.dice.one_in(2) {
                self.until(|osc, id| osc.is_granted(id, rank)).await;
            }
            for _ in 0..1 + self.dice.below(3) {
                self.operate(phase, Some(target)).await;
            }
            if lock == Lock::Exclusive {
                self.add_one_to_guarded(target).await;
            }
            self.until(|osc, id| osc.is_granted(id, rank)).await;
            self.osc()
                .begin_unlock(self.id(), rank)
                .expect("it is locked");
            self.until(|osc, id| osc.is_settled(id, rank)).await;
            self.settle(Some(target));
        }
    }

    async fn lock_all(&mut self, phase: u64) {
        self.osc()
            .begin_lock_all(self.id(), true)
            .expect("no other epoch");
        for _ in 0..OPERATIONS {
            self.operate(phase, None).await;
            let target = self.dice.below(self.world.ranks as u64) as usize;
            match self.dice.below(4) {
                0 => self.flush(target).await,
                1 => {
                    let call = ("flush_all", true);
                    self.osc()
                        .begin_flush(self.id(), None, call)
                        .expect("all are locked");
                    self.until(|osc, id| osc.is_all_settled(id)).await;
                    self.settle(None);
                }
                _ => {}
            }
        }
        self.until(|osc, id| osc.is_granted_all(id)).await;
        self.osc()
            .begin_unlock_all(self.id())
            .expect("all are locked");
        self.until(|osc, id| osc.is_all_settled(id)).await;
        self.settle(None);
    }

    async fn flush(&mut self, target: usize) {
        let rank = Rank(target as u32);
        let flushed = self
            .osc()
            .begin_flush(self.id(), Some(rank), ("flush", true));
        flushed.expect("it is locked");
        self.until(|osc, id| osc.is_settled(id, rank)).await;
        self.settle(Some(target));
    }

    /// Reads a cell and writes one more, which only an exclusive lock makes whole.
    async fn add_one_to_guarded(&mut self, target: usize) {
        let room = Scratch::new(8);
        let own = Buffer::bytes(room.buf());
        let into = own.clone();
        self.begin(target, Access::Get { into }, &[GUARDED], false)
            .await;
        self.flush(target).await;
        let value = read(room.buf(), 0) + 1;
        room.buf().write(0, &value.to_ne_bytes());
        self.begin(target, Access::Put { from: own }, &[GUARDED], false)
            .await;
        self.flush(target).await;
        self.world.model.borrow_mut()[target][GUARDED] += 1;
    }

    async fn begin(
        &self,
        target: usize,
        access: Access,
        cells: &[usize],
        held: bool,
    ) -> Option<OpId> {
        let rank = Rank(target as u32);
        self.until(|osc, id| osc.may_begin(id, rank)).await;
        let place = Place(spread(without_provenance_mut(0), cells));
        let mut pieces = Vec::new();
        let (puts, least) = (access.puts(), 1 + self.dice.below(16) as usize);
        if !self.world.is_checked() && self.dice.one_in(2) && access.cut(&place, least, &mut pieces)
        {
            let (from, to, count) = (self.rank, target, pieces.len());
            let mut osc = self.osc();
            let operation = osc.begin_on_lane(self.id(), rank, access, place, held, count);
            let moving = pieces.into_iter().map(|piece| Moving {
                from,
                to,
                operation,
                puts: puts == Some(true),
                piece,
            });
            self.world.lanes.borrow_mut().extend(moving);
            return Some(operation).filter(|_| held);
        }
        if self.world.is_by_words() && puts.is_none() {
            let word = access.word(&place, 0).expect("one element of 8 bytes");
            let mut osc = self.osc();
            let begun = osc.begin_on_word(self.id(), rank, access, place, word, held);
            return Some(begun).filter(|_| held);
        }
        self.osc().begin(self.id(), rank, access, place, held)
    }

    /// Draws an operation and begins it.
    async fn operate(&mut self, phase: u64, target: Option<usize>) {
        let any = self.dice.below(self.world.ranks as u64) as usize;
        let target = target.unwrap_or(any);
        let kind = KINDS[self.dice.below(KINDS.len() as u64) as usize];
        let mut cells = self.draw_cells(kind, target, phase);
        if self.world.is_by_words() && !matches!(kind, Kind::Put | Kind::Get) {
            cells.truncate(1);
        }
        if cells.is_empty() {
            return;
        }
        let values: Vec<i64> = cells.iter().map(|_| self.dice.below(1000) as i64).collect();
        let values = if kind == Kind::Ticket {
            vec![1]
        } else {
            values
        };
        let expected = self.apply(kind, target, &cells, &values);
        let gap = 1 + self.dice.below(2) as usize;
        let here: Vec<usize> = (0..cells.len()).map(|index| index * gap).collect();
        let [sent, got] = [(); 2].map(|()| Scratch::new(cells.len() * gap * 8));
        for (cell, value) in here.iter().zip(&values) {
            sent.buf().write(cell * 8, &value.to_ne_bytes());
        }
        let [from, into] = [&sent, &got].map(|room| spread(room.buf().address(), &here));
        let access = access(kind, from, into);
        let held = self.dice.one_in(3);
        let held = self.begin(target, access, &cells, held).await;
        let expected = here.into_iter().zip(expected);
        let mut spaced = vec![0; cells.len() * gap];
        expected.for_each(|(cell, value)| spaced[cell] = value);
        let reads = matches!(kind, Kind::Get | Kind::Add | Kind::Ticket);
        self.pending.push(Pending {
            target,
            held,
            _sent: sent,
            got: reads.then_some((got, spaced)),
            ticket: kind == Kind::Ticket,
        });
    }

    /// Cells for an operation: of this rank's part those that are free for it.
    fn draw_cells(&mut self, kind: Kind, target: usize, phase: u64) -> Vec<usize> {
        let some = |limit: usize, dice: &Dice| 0..1 + dice.below(limit as u64) as usize;
        match kind {
            Kind::Sum => some(4, &self.dice).map(|cell| SUMS + cell).collect(),
            Kind::Xor => some(4, &self.dice).map(|cell| XORS + cell).collect(),
            Kind::Ticket => vec![TICKETS],
            Kind::Most => some(4, &self.dice).map(|cell| MOST + cell).collect(),
            _ => {
                let accumulates = matches!(kind, Kind::Replace | Kind::Add);
                let part = COMMON + (self.rank + phase as usize) % self.world.ranks * PART;
                let (used, dice) = (&mut self.used[target], &self.dice);
                let chosen = (0..PART).filter(|_| dice.one_in(2)).filter(|cell| {
                    let before = used[*cell].replace(kind);
                    let free = before.is_none() || (accumulates && before == Some(kind));
                    if !free {
                        used[*cell] = before;
                    }
                    free
                });
                chosen.map(|cell| part + cell).collect()
            }
        }
    }

    /// What an operation does to the model; gives what was there before.
    fn apply(&self, kind: Kind, target: usize, cells: &[usize], values: &[i64]) -> Vec<i64> {
        let row = &mut self.world.model.borrow_mut()[target];
        let each = cells.iter().zip(values).map(|(cell, value)| {
            let before = row[*cell];
            match kind {
                Kind::Put | Kind::Replace => row[*cell] = *value,
                Kind::Get => {}
                Kind::Add | Kind::Sum | Kind::Ticket => row[*cell] += value,
                Kind::Xor => row[*cell] ^= value,
                Kind::Most => row[*cell] = row[*cell].max(*value),
            }
            before
        });
        each.collect()
    }

    /// What was begun toward a target, or toward all, is complete: looks at what it brought.
    fn settle(&mut self, target: Option<usize>) {
        let of_target = |to: usize| target.is_none_or(|target| to == target);
        let all = std::mem::take(&mut self.pending);
        let (done, rest) = all
            .into_iter()
            .partition(|pending| of_target(pending.target));
        self.pending = rest;
        for pending in Vec::from_iter(done) as Vec<Pending> {
            if let Some(held) = pending.held {
                let outcome = self.osc().outcome(held);
                assert!(matches!(outcome, Some(Ok(()))), "{outcome:?}");
            }
            let Some((got, expected)) = pending.got else {
                continue;
            };
            if pending.ticket {
                self.world.fetched.borrow_mut()[pending.target] += read(got.buf(), 0);
                continue;
            }
            let found: Vec<i64> = (0..expected.len())
                .map(|cell| read(got.buf(), cell))
                .collect();
            assert_eq!(
                found, expected,
                "seed {}, rank {}",
                self.world.seed, self.rank
            );
        }
        for to in (0..self.used.len()).filter(|to| of_target(*to)) {
            self.used[to] = [None; PART];
        }
    }
}

fn access(kind: Kind, from: Buffer, into: Buffer) -> Access {
    let accumulate = |op, before| Access::Accumulate {
        op,
        element: row(kind),
        from: from.clone(),
        before,
    };
    match kind {
        Kind::Put => Access::Put { from },
        Kind::Get => Access::Get { into },
        Kind::Replace => accumulate(Op::Replace, None),
        Kind::Sum => accumulate(Op::Sum, None),
        Kind::Xor => accumulate(Op::Bxor, None),
        Kind::Most => accumulate(Op::Max, None),
        Kind::Add | Kind::Ticket => accumulate(Op::Sum, Some(into)),
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
