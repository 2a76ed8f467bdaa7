//! Tests of every interleaving of the ring and the queue, over storage that loom observes.
//!
//! The storages here hand out line and cell numbers as addresses; payload lives in loom's
//! cells, so that a read which is not ordered after its write is found.
//! Run with `RUSTFLAGS="--cfg loom" cargo test -p oxmpi-sync --release --test loom`.
#![cfg(loom)]

use std::time::Duration;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use sync::atomic::{AtomicU32, AtomicU64, AtomicU8, Ordering};
use sync::journal::{Journal, Next};
use sync::rounds::{Board, RoundProgress};
use sync::turnstile::{self, Access, Desk, Ticket};
use sync::{fifo, ring, Entered, Gate, HasParking, Parking, Unparked};

const LINES: usize = 4;
/// More than lines: the ring wraps.
const RECORDS: u64 = 5;

struct Memory<const N: usize> {
    words: Vec<AtomicU64>,
    shared: AtomicU64,
    payload: Vec<UnsafeCell<u64>>,
}

unsafe impl<const N: usize> Sync for Memory<N> {}

fn memory<const N: usize>() -> Arc<Memory<N>> {
    Arc::new(Memory {
        words: (0..N).map(|_| AtomicU64::new(0)).collect(),
        shared: AtomicU64::new(0),
        payload: (0..N).map(|_| UnsafeCell::new(0)).collect(),
    })
}

impl<const N: usize> Memory<N> {
    fn write(&self, address: *mut u8, value: u64) {
        // SAFETY: loom checks that nobody else touches the cell meanwhile.
        self.payload[address as usize - 1].with_mut(|cell| unsafe { *cell = value });
    }

    fn read(&self, address: *const u8) -> u64 {
        // SAFETY: loom checks that nobody writes the cell meanwhile.
        self.payload[address as usize - 1].with(|cell| unsafe { *cell })
    }
}

#[derive(Clone)]
struct Ring<const N: usize = LINES>(Arc<Memory<N>>);

// SAFETY: words and payload are shared by all clones; addresses are line numbers plus one.
unsafe impl<const N: usize> ring::Lines for Ring<N> {
    fn lines(&self) -> usize {
        N
    }
    fn header(&self, line: usize) -> &AtomicU64 {
        &self.0.words[line]
    }
    fn payload(&self, line: usize) -> *mut u8 {
        (line + 1) as *mut u8
    }
    fn position(&self) -> &AtomicU64 {
        &self.0.shared
    }
}

#[derive(Clone)]
struct Queue<const N: usize>(Arc<Memory<N>>);

// SAFETY: words and payload are shared by all clones; addresses are cell numbers plus one.
unsafe impl<const N: usize> fifo::Cells for Queue<N> {
    fn cells(&self) -> usize {
        N
    }
    fn turn(&self, cell: usize) -> &AtomicU64 {
        &self.0.words[cell]
    }
    fn tail(&self) -> &AtomicU64 {
        &self.0.shared
    }
    fn bytes(&self, cell: usize) -> *mut u8 {
        (cell + 1) as *mut u8
    }
}

/// Five records through four lines: the ring wraps, is full and is empty in every way.
#[test]
fn the_ring_delivers_every_record_once_in_order() {
    pass_through_the_ring(0);
}

/// The ring delivers records that are each taken to be answered: the lap ends early where the
/// reader keeps up.
#[test]
fn a_ring_whose_laps_end_early_delivers_every_record_once_in_order() {
    pass_through_the_ring(u32::MAX);
}

fn pass_through_the_ring(answers: u32) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(move || {
        let ring = Ring::<LINES>(memory());
        let store = ring.clone();
        let writer = thread::spawn(move || {
            let mut writer = ring::Writer::new(store.clone(), LINES);
            (1..=RECORDS).for_each(|value| write_record(&store, &mut writer, value, answers));
        });
        read_records(&ring, RECORDS);
        writer.join().unwrap();
        // Three records, or two, and what is left behind them are a lap.
        assert_eq!(ring.0.shared.load(Ordering::Relaxed), RECORDS + 1);
    });
}

/// The ring becomes longer under way, wherever the reader is.
#[test]
fn a_ring_that_grows_loses_nothing() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let ring = Ring::<6>(memory());
        let store = ring.clone();
        let writer = thread::spawn(move || {
            let mut writer = ring::Writer::new(store.clone(), LINES);
            for value in 1..=RECORDS {
                if value > 2 && writer.lines() == LINES {
                    writer.grow(6);
                }
                write_record(&store, &mut writer, value, 0);
            }
        });
        read_records(&ring, RECORDS);
        writer.join().unwrap();
    });
}

/// Writes a value, waiting while the ring is full.
fn write_record<const N: usize>(
    store: &Ring<N>,
    writer: &mut ring::Writer<Ring<N>>,
    value: u64,
    answers: u32,
) {
    let mut room = loop {
        match writer.reserve(8) {
            Some(room) => break room,
            None => thread::yield_now(),
        }
    };
    if writer.may_turn(&room) {
        writer.turn(&mut room, answers);
    }
    store.0.write(room.address, value);
    writer.publish(room, value as u16);
}

/// Reads the values from 1 to `last`.
fn read_records<const N: usize>(ring: &Ring<N>, last: u64) {
    let mut reader = ring::Reader::new(ring.clone());
    let mut expected = 1;
    while expected <= last {
        match reader.peek().expect("a correct writer") {
            Some(record) => {
                assert_eq!(ring.0.read(record.payload), expected);
                assert_eq!((record.len, record.mark), (8, expected as u16));
                reader.release(record);
                expected += 1;
            }
            None => thread::yield_now(),
        }
    }
}

/// Writes the values, waiting while the queue is full.
fn write_all<const N: usize>(store: &Queue<N>, values: std::ops::Range<u64>) {
    for value in values {
        let claim = loop {
            match fifo::claim(store, 0) {
                Some(claim) => break claim,
                None => thread::yield_now(),
            }
        };
        store.0.write(claim.bytes, value);
        fifo::publish(store, claim);
    }
}

/// Reads that many values, waiting while the queue is empty.
fn read_all<const N: usize>(queue: &Queue<N>, count: usize) -> Vec<u64> {
    let mut reader = fifo::Reader::new(queue.clone());
    let mut seen = vec![];
    while seen.len() < count {
        match reader.peek() {
            Some(bytes) => {
                seen.push(queue.0.read(bytes));
                reader.release();
            }
            None => thread::yield_now(),
        }
    }
    seen
}

/// Two writers claim cells against each other; the reader keeps up or does not.
#[test]
fn the_queue_keeps_the_messages_of_two_writers_apart() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let queue = Queue::<4>(memory());
        let store = queue.clone();
        let one = thread::spawn(move || write_all(&store, 10..12));
        let store = queue.clone();
        let other = thread::spawn(move || write_all(&store, 20..21));
        one.join().unwrap();
        let seen = read_all(&queue, 3);
        other.join().unwrap();
        let of_one: Vec<_> = seen.iter().copied().filter(|value| *value < 20).collect();
        assert_eq!(of_one, [10, 11]);
        assert!(seen.contains(&20));
    });
}

/// More messages than cells: the writer meets a full queue, cells change hands.
#[test]
fn the_queue_is_full_until_the_reader_gives_a_cell_back() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let queue = Queue::<2>(memory());
        let store = queue.clone();
        let writer = thread::spawn(move || write_all(&store, 1..6));
        assert_eq!(read_all(&queue, 5), [1, 2, 3, 4, 5]);
        writer.join().unwrap();
    });
}

/// A writer dies with a cell in its hands, before or after it moved the tail: the others' messages
/// come through as soon as the reader learns of it.
#[test]
fn the_queue_goes_on_without_a_writer_that_died() {
    const DEAD: u32 = 1;
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let queue = Queue::<2>(memory());
        let store = queue.clone();
        let dead = thread::spawn(move || drop(fifo::claim(&store, DEAD)));
        let store = queue.clone();
        let writer = thread::spawn(move || write_all(&store, 1..2));
        let mut reader = fifo::Reader::new(queue.clone());
        let mut seen = vec![];
        while seen.is_empty() {
            match reader.peek() {
                Some(bytes) => {
                    seen.push(queue.0.read(bytes));
                    reader.release();
                }
                None if reader.skip(|name| name == DEAD) => {}
                None => thread::yield_now(),
            }
        }
        assert_eq!(seen, [1]);
        dead.join().unwrap();
        writer.join().unwrap();
    });
}

/// A reader of the journal sees whole records in their order, however often the writer laps it,
/// and learns of every gap.
#[test]
fn a_journal_shows_no_torn_record() {
    const KEPT: usize = 1;
    const WRITTEN: u64 = 3;
    loom::model(|| {
        let journal = Arc::new(Journal::new(KEPT));
        let mut cursor = journal.cursor();
        let writer = {
            let journal = journal.clone();
            thread::spawn(move || (1..=WRITTEN).for_each(|at| journal.append([at, at * 10])))
        };
        let mut expected = 1;
        let mut look = |expected: &mut u64| match journal.next(&mut cursor) {
            Next::Record([at, tenfold]) => {
                assert_eq!(tenfold, at * 10, "a torn record");
                assert!(at >= *expected, "{at} came after {expected} was due");
                assert!(
                    at == *expected || *expected == 0,
                    "a silent gap before {at}"
                );
                *expected = at + 1;
            }
            Next::Lost => *expected = 0,
            Next::Nothing => {}
        };
        (0..2).for_each(|_| look(&mut expected));
        writer.join().unwrap();
        (0..=KEPT).for_each(|_| look(&mut expected));
        assert!(
            expected == 0 || expected == WRITTEN + 1,
            "{expected} is due"
        );
    });
}

const MEMBERS: u32 = 2;

/// Marks and payloads of two members with some slots each, and what they have passed.
struct Table {
    depth: u64,
    marks: Vec<AtomicU64>,
    passed: Vec<AtomicU64>,
    payload: Vec<UnsafeCell<u64>>,
}

// SAFETY: the payload cells are watched by loom.
unsafe impl Sync for Table {}

impl Table {
    fn new(depth: u64) -> Arc<Table> {
        let slots = u64::from(MEMBERS) * depth;
        Arc::new(Table {
            depth,
            marks: (0..slots).map(|_| AtomicU64::new(0)).collect(),
            passed: (0..MEMBERS).map(|_| AtomicU64::new(0)).collect(),
            payload: (0..slots).map(|_| UnsafeCell::new(0)).collect(),
        })
    }

    fn cell(&self, member: u32, round: u64) -> &UnsafeCell<u64> {
        &self.payload[(u64::from(member) * self.depth + round % self.depth) as usize]
    }
}

// SAFETY: a word for each pair of numbers, zero at first.
unsafe impl Board for Table {
    fn members(&self) -> u32 {
        MEMBERS
    }
    fn depth(&self) -> u64 {
        self.depth
    }
    fn mark(&self, member: u32, slot: u64) -> &AtomicU64 {
        &self.marks[(u64::from(member) * self.depth + slot) as usize]
    }
    fn passed(&self, member: u32) -> &AtomicU64 {
        &self.passed[member as usize]
    }
}

fn show(table: &Table, turn: &mut RoundProgress, me: u32, round: u64) {
    while turn.may_fill(table, round).is_err() {
        sync::atomic::pause();
    }
    // SAFETY: loom checks that nobody reads the cell meanwhile.
    table
        .cell(me, round)
        .with_mut(|cell| unsafe { *cell = 100 * u64::from(me) + round });
    turn.show(table, round);
}

fn see(table: &Table, turn: &RoundProgress, other: u32, round: u64) {
    while !turn.shows(table, other, round).expect("no nonsense") {
        sync::atomic::pause();
    }
    // SAFETY: loom checks that nobody writes the cell meanwhile.
    let seen = table.cell(other, round).with(|cell| unsafe { *cell });
    assert_eq!(seen, 100 * u64::from(other) + round);
}

/// Both show and see in each round: nobody looks at what was passed.
#[test]
fn rounds_of_all_need_no_word_but_the_marks() {
    loom::model(|| {
        let table = Table::new(2);
        let member = |me: u32, table: Arc<Table>| {
            let mut turn = RoundProgress::new(me);
            for round in 0..3 {
                show(&table, &mut turn, me, round);
                see(&table, &turn, 1 - me, round);
                turn.pass(&*table, round);
                turn.all_passed(round);
            }
        };
        let other = table.clone();
        let thread = thread::spawn(move || member(1, other));
        member(0, table);
        thread.join().unwrap();
    });
}

/// One shows and the other only sees: a slot is filled again when it was passed.
fn stream(depth: u64, rounds: u64) {
    loom::model(move || {
        let table = Table::new(depth);
        let reader = table.clone();
        let thread = thread::spawn(move || {
            let mut turn = RoundProgress::new(1);
            let published = (0..rounds).filter(|round| {
                see(&reader, &turn, 0, *round);
                turn.pass(&*reader, *round)
            });
            published.count() as u64
        });
        let mut turn = RoundProgress::new(0);
        for round in 0..rounds {
            show(&table, &mut turn, 0, round);
        }
        assert_eq!(thread.join().unwrap(), rounds / (depth / 2));
    });
}

#[test]
fn a_slot_is_filled_again_only_when_it_was_passed() {
    stream(2, 3);
}

#[test]
fn a_reader_need_not_publish_each_round() {
    stream(4, 6);
}

const NAMES: u32 = 3;

/// A lock for three, and what it protects.
struct Booth {
    taken: AtomicU64,
    served: AtomicU32,
    held: Vec<AtomicU8>,
    waiting: Vec<AtomicU64>,
    value: UnsafeCell<u64>,
}

// SAFETY: loom watches the value.
unsafe impl Sync for Booth {}

// SAFETY: a word for each number, zero at first.
unsafe impl Desk for Booth {
    fn names(&self) -> u32 {
        NAMES
    }
    fn taken(&self) -> &AtomicU64 {
        &self.taken
    }
    fn served(&self) -> &AtomicU32 {
        &self.served
    }
    fn held(&self, name: u32) -> &AtomicU8 {
        &self.held[name as usize]
    }
    fn waiting(&self, slot: u32) -> &AtomicU64 {
        &self.waiting[slot as usize]
    }
}

impl Booth {
    fn new() -> Arc<Booth> {
        Arc::new(Booth {
            taken: AtomicU64::new(0),
            served: AtomicU32::new(0),
            held: (0..NAMES).map(|_| AtomicU8::new(0)).collect(),
            waiting: (0..turnstile::slots(NAMES))
                .map(|_| AtomicU64::new(0))
                .collect(),
            value: UnsafeCell::new(0),
        })
    }

    /// Enters, where `dead` may be in the way; a writer adds 1, a reader gives what it sees.
    fn visit(&self, name: u32, access: Access, dead: Option<u32>) -> u64 {
        let ticket = turnstile::take(self, name, access).expect("a ticket for each name");
        self.await_turn(&ticket, dead);
        let seen = self.act(access);
        turnstile::leave(self, ticket);
        seen
    }

    fn await_turn(&self, ticket: &Ticket, dead: Option<u32>) {
        while !turnstile::is_open(self, ticket) {
            if dead.is_some() {
                turnstile::pass_dead(self, |name| Some(name) == dead);
            }
            sync::atomic::pause();
        }
    }

    fn act(&self, access: Access) -> u64 {
        // SAFETY: loom checks that readers and writers keep apart.
        match access {
            Access::Shared => self.value.with(|value| unsafe { *value }),
            Access::Exclusive => self.value.with_mut(|value| unsafe {
                *value += 1;
                *value
            }),
        }
    }
}

/// Readers and writers, some coming twice.
#[test]
fn writers_are_alone_and_readers_are_not_in_their_way() {
    use Access::{Exclusive, Shared};
    for (one, two) in [
        (Exclusive, Exclusive),
        (Exclusive, Shared),
        (Shared, Shared),
    ] {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(2);
        model.check(move || {
            let booth = Booth::new();
            let other = booth.clone();
            let first = thread::spawn(move || {
                other.visit(0, one, None);
                other.visit(0, Shared, None)
            });
            booth.visit(1, two, None);
            let seen = booth.visit(2, Exclusive, None);
            first.join().unwrap();
            let writers = 1 + [one, two]
                .iter()
                .filter(|access| **access == Exclusive)
                .count();
            assert!((1..=writers as u64).contains(&seen));
            assert_eq!(booth.visit(2, Shared, None), writers as u64);
        });
    }
}

/// One dies with a ticket in its hand, before its turn or inside; the others go on.
#[test]
fn a_lock_goes_on_without_a_holder_that_died() {
    for access in [Access::Shared, Access::Exclusive] {
        for inside in [false, true] {
            let mut model = loom::model::Builder::new();
            model.preemption_bound = Some(2);
            model.check(move || {
                let booth = Booth::new();
                let other = booth.clone();
                let dead = thread::spawn(move || {
                    let ticket = turnstile::take(&*other, 0, access).expect("a ticket");
                    if inside {
                        turnstile::is_open(&*other, &ticket);
                    }
                });
                let other = booth.clone();
                let writer = thread::spawn(move || other.visit(1, Access::Exclusive, None));
                dead.join().unwrap();
                // Two that learn of it help each other.
                let seen = booth.visit(2, Access::Exclusive, Some(0));
                turnstile::pass_dead(&*booth, |name| name == 0);
                assert!((1..=2).contains(&seen));
                writer.join().unwrap();
                assert_eq!(booth.visit(2, Access::Shared, None), 2);
            });
        }
    }
}

/// A value that two gates of one lock guard: loom finds whoever reads or writes it beside another.
struct Guarded(UnsafeCell<u64>);

impl Guarded {
    fn add(&self) {
        // SAFETY: loom checks that nobody else touches the cell meanwhile.
        self.0.with_mut(|value| unsafe { *value += 1 });
    }
}

/// Two threads enter two gates of one lock, one inside the other and by themselves.
#[test]
fn gates_of_one_lock_let_in_one_thread_at_a_time() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let outer = Gate::shared(Guarded(UnsafeCell::new(0)));
        // SAFETY: it is shared at once.
        let inner = unsafe { Gate::beside(Guarded(UnsafeCell::new(0)), &outer) };
        inner.share();
        let gates = Arc::new((outer, inner));
        let work = |(outer, inner): &(Gate<Guarded>, Gate<Guarded>)| {
            let first = outer.enter();
            let second = inner.enter();
            first.add();
            second.add();
            drop(first);
            second.add();
            second.leave_idle();
            inner.enter().add();
        };
        let theirs = gates.clone();
        let other = thread::spawn(move || work(&theirs));
        work(&gates);
        other.join().unwrap();
        let value = |gate: &Gate<Guarded>| gate.enter().0.with(|value| unsafe { *value });
        assert_eq!((value(&gates.0), value(&gates.1)), (2, 6));
    });
}

#[derive(Default)]
struct Crowd {
    parking: Parking<Crowd>,
    arrived: bool,
}

impl HasParking for Crowd {
    fn parking(&mut self) -> &mut Parking<Crowd> {
        &mut self.parking
    }
}

/// A thread parks, or finds its condition true before; another makes the condition true.
#[test]
fn a_parked_thread_is_woken_once_its_condition_is_true() {
    loom::model(|| {
        let gate = Arc::new(Gate::shared(Crowd::default()));
        let theirs = gate.clone();
        let waiter = thread::spawn(move || {
            let crowd: Entered<'_, Crowd> = theirs.enter();
            if crowd.arrived {
                return;
            }
            let mut seen = false;
            let mut condition = |crowd: &mut Crowd| {
                seen = crowd.arrived;
                seen
            };
            let long = Duration::from_secs(1000);
            let end = crowd.park(&mut condition, (Duration::ZERO, long), |_, _| Some(long));
            assert_eq!(end, Unparked::Served);
            assert!(seen);
        });
        let nobody = gate.enter().serve();
        assert!(nobody.is_empty());
        let mut crowd = gate.enter();
        crowd.arrived = true;
        let served = crowd.serve();
        drop(crowd);
        served.wake();
        waiter.join().unwrap();
        assert!(gate.enter().parking.is_empty());
    });
}
