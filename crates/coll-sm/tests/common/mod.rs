//! Helpers of the tests: ranks as threads over one segment, and memory with data in it.
#![allow(dead_code)]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier, OnceLock};
use std::task::Poll;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use base::Mutex;
use coll_sm::{
    Copies, Exchange, Exchanges, Handshake, Member, NodeCall, Settings, Wait, STATUS_BYTES,
};
use datatype::{predefined, Buffer, Datatype};
use memory::{Payload, Scratch};
use shm::handshake::{self, Invitation};

/// Longest sleep of a rank; a longer one means that nobody woke it, and fails the test.
const NOT_WOKEN: Duration = Duration::from_secs(20);

/// Returns settings with slots and limits so small that little data takes every path.
pub fn tight() -> Settings {
    Settings {
        threshold: 0,
        memory: 16 << 20,
        slot_bytes: 1 << 10,
        copies: Copies::From(12 << 10),
        ..Settings::default()
    }
}

/// Waits as an engine does: polls some times, then sleeps until woken.
pub struct Waiter {
    threads: Arc<Vec<OnceLock<Thread>>>,
    /// Polls before a sleep.
    looks: u32,
    pub sleeps: AtomicU32,
    /// The call signature that the rank reports.
    pub calls: Option<coll::Signature>,
}

impl Wait for Waiter {
    fn until(
        &self,
        mut ready: impl FnMut() -> bool,
        mut note_sleep: impl FnMut(bool),
    ) -> Result<(), coll::Failure> {
        loop {
            for _ in 0..self.looks {
                if ready() {
                    return Ok(());
                }
                thread::yield_now();
            }
            note_sleep(true);
            let found = ready();
            if !found {
                self.sleeps.fetch_add(1, Ordering::Relaxed);
                let before = Instant::now();
                thread::park_timeout(NOT_WOKEN);
                if before.elapsed() >= NOT_WOKEN && !ready() {
                    note_sleep(false);
                    return Err("nobody came".into());
                }
                assert!(before.elapsed() < NOT_WOKEN, "a sleeper was not woken");
            }
            note_sleep(false);
            if found {
                return Ok(());
            }
        }
    }

    fn wake(&self, rank: u32) {
        if let Some(thread) = self.threads[rank as usize].get() {
            thread.unpark();
        }
    }

    fn signature(&self) -> Option<coll::Signature> {
        self.calls
    }
}

/// One rank of a test, as its program sees it.
pub struct Rank {
    pub rank: u32,
    pub size: u32,
    pub member: Member,
    /// The end of a second segment, for short calls.
    pub exchanges: Exchanges,
    pub waiter: Waiter,
}

impl Rank {
    /// Makes a blocking call.
    pub fn call(&mut self, node_call: NodeCall) -> Result<(), coll::Error> {
        let Rank { member, waiter, .. } = self;
        match node_call {
            NodeCall::Barrier => member.barrier(waiter),
            NodeCall::Bcast(root, buffer) => member.bcast(waiter, root, buffer),
            NodeCall::Gather(root, send, recv) => member.gather(waiter, root, send, recv),
            NodeCall::Scatter(root, send, recv) => member.scatter(waiter, root, send, recv),
            NodeCall::Allgather(send, recv) => member.allgather(waiter, send, recv),
            NodeCall::Alltoall(send, recv) => member.alltoall(waiter, send, recv),
            NodeCall::Reduce(root, reduction, vector) => {
                member.reduce(waiter, root, reduction, vector)
            }
            NodeCall::Allreduce(reduction, vector) => member.allreduce(waiter, reduction, vector),
        }
    }

    /// Makes a short call, and waits for it.
    pub fn call_short(&mut self, node_call: NodeCall) -> Result<(), coll::Error> {
        let mut exchange = self.exchanges.begin();
        self.complete(&mut exchange, node_call)
    }

    /// Waits for a short call, the oldest under way.
    pub fn complete(
        &mut self,
        exchange: &mut Exchange,
        node_call: NodeCall,
    ) -> Result<(), coll::Error> {
        loop {
            let Rank {
                exchanges, waiter, ..
            } = self;
            let poll = exchanges.poll(exchange, &node_call, |rank| waiter.wake(rank));
            if let Poll::Ready(result) = poll {
                return result;
            }
            let awaits = || exchanges.awaits(exchange, &node_call);
            let note_sleep = |asleep| match (asleep, awaits()) {
                (true, awaited) => exchanges.announce_sleep(awaited.unwrap_or(0)),
                (false, _) => exchanges.end_sleep(),
            };
            waiter.until(|| awaits().is_none(), note_sleep).unwrap();
        }
    }
}

/// State that the ranks of a test exchange during their handshake.
struct Table {
    invitation: Mutex<Invitation>,
    statuses: Mutex<Vec<[u8; STATUS_BYTES]>>,
    barrier: Barrier,
}

/// Runs `program` on `size` ranks. `looks` is how often a rank polls before it sleeps.
pub fn run(
    size: u32,
    settings: Settings,
    crowded: bool,
    looks: u32,
    program: impl Fn(Rank) + Sync,
) {
    let threads: Arc<Vec<OnceLock<Thread>>> =
        Arc::new((0..size).map(|_| OnceLock::new()).collect());
    let table = Table {
        invitation: Mutex::new(handshake::none()),
        statuses: Mutex::new(vec![[0; STATUS_BYTES]; size as usize]),
        barrier: Barrier::new(size as usize),
    };
    thread::scope(|scope| {
        for rank in 0..size {
            let (threads, table, program) = (threads.clone(), &table, &program);
            scope.spawn(move || {
                let _ = threads[rank as usize].set(thread::current());
                let member = share(rank, size, settings, crowded, table);
                let short = settings.for_short_calls(size);
                let exchanges = Exchanges::new(share(rank, size, short, crowded, table));
                let waiter = Waiter {
                    threads,
                    looks,
                    sleeps: AtomicU32::new(0),
                    calls: None,
                };
                program(Rank {
                    rank,
                    size,
                    member,
                    exchanges,
                    waiter,
                });
            });
        }
    });
}

fn share(rank: u32, size: u32, settings: Settings, crowded: bool, table: &Table) -> Member {
    let mut created = None;
    if rank == 0 {
        let (handshake, invitation) = Handshake::create(settings, size, crowded);
        *table.invitation.lock() = invitation;
        created = Some(handshake);
    }
    table.barrier.wait();
    let invitation = *table.invitation.lock();
    let attach = || Handshake::attach(settings, size, &invitation);
    let handshake = created.unwrap_or_else(attach);
    assert_eq!(handshake.failure(), None);
    table.statuses.lock()[rank as usize] = handshake.status();
    table.barrier.wait();
    let statuses = table.statuses.lock().clone();
    let copies = handshake.may_copy(&statuses);
    // Once it is complete no rank can try any more.
    table.barrier.wait();
    assert_eq!(copies, settings.copies != Copies::Never);
    let member = handshake.complete(rank, &statuses, copies);
    table.barrier.wait();
    member.expect("all are in")
}

/// A generator of pseudo-random numbers (xorshift with a multiplier).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Returns `len` bytes that depend on `tag`.
pub fn data(tag: u64, len: usize) -> Vec<u8> {
    let mut random = Random::new(tag + 1);
    (0..len).map(|_| random.next() as u8).collect()
}

/// Returns a datatype of eight bytes: without gaps, or two ints with gaps.
pub fn element(gaps: bool) -> Arc<Datatype> {
    let int = predefined(0x209).expect("MPI_INT");
    match gaps {
        false => Arc::new(Datatype::contiguous(2, int).unwrap()),
        true => {
            let vector = Arc::new(Datatype::vector(2, 1, 3, int).unwrap());
            Arc::new(Datatype::resized(&vector, 0, 24).unwrap())
        }
    }
}

/// Value of every byte outside the data; none of these may change.
const UNTOUCHED: u8 = 0xa5;
const GUARD: usize = 64;

/// Memory with elements, and guard bytes on both sides.
pub struct Area {
    memory: Scratch,
    pub buffer: Buffer,
    datatype: Arc<Datatype>,
    count: usize,
}

impl Area {
    pub fn new(datatype: &Arc<Datatype>, bytes: usize) -> Area {
        let count = bytes / datatype.size() as usize;
        assert_eq!(bytes % datatype.size() as usize, 0);
        let span = datatype.span_bytes(count);
        let memory = Scratch::new(span + 2 * GUARD);
        memory.buf().write(0, &vec![UNTOUCHED; span + 2 * GUARD]);
        let buffer = Buffer::over(memory.buf().part(GUARD, span), count, datatype).unwrap();
        Area {
            memory,
            buffer,
            datatype: datatype.clone(),
            count,
        }
    }

    pub fn holding(datatype: &Arc<Datatype>, packed: &[u8]) -> Area {
        let area = Area::new(datatype, packed.len());
        assert_eq!(area.buffer.unpack(0, Payload::from(packed)), packed.len());
        area
    }

    pub fn packed(&self) -> Vec<u8> {
        let mut packed = vec![0; self.buffer.len()];
        self.buffer.pack_into(0, &mut packed);
        packed
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.memory.buf().len()];
        self.memory.buf().read(0, &mut image);
        image
    }

    /// Checks that the data is `packed` and that no other byte has changed.
    #[track_caller]
    pub fn expect(&self, packed: &[u8], what: &str) {
        assert!(self.packed() == packed, "{what}: wrong data");
        let expected = Area::new(&self.datatype, self.count * self.datatype.size() as usize);
        expected.buffer.unpack(0, Payload::from(packed));
        assert!(
            self.image() == expected.image(),
            "{what}: a byte outside the data changed"
        );
    }
}
