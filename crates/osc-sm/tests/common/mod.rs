//! Helpers of the tests: ranks as threads over one segment.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier, OnceLock};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use base::Mutex;
use osc_sm::{Died, Handshake, Member, Plan, Wait};
use shm::handshake::{self, Invitation, Status, STATUS_BYTES};

/// Longest sleep: a rank that sleeps longer was not woken.
const NOT_WOKEN: Duration = Duration::from_secs(20);

/// Waits like an engine: awake for a few polls, then asleep until woken.
pub struct Waiter {
    table: Arc<Table>,
    looks: u32,
    reported: Cell<u64>,
}

impl Wait for Waiter {
    fn until(
        &self,
        mut ready: impl FnMut() -> bool,
        mut note_sleep: impl FnMut(bool),
    ) -> Result<(), Died> {
        loop {
            for _ in 0..self.looks {
                if ready() {
                    return Ok(());
                }
                let dead = self.table.dead.load(Ordering::Acquire);
                if dead != self.reported.replace(dead) {
                    return Err(Died);
                }
                thread::yield_now();
            }
            note_sleep(true);
            let found = ready();
            if !found {
                let before = Instant::now();
                thread::park_timeout(NOT_WOKEN);
                assert!(before.elapsed() < NOT_WOKEN, "a sleeper was not woken");
            }
            note_sleep(false);
            if found {
                return Ok(());
            }
        }
    }

    fn wake(&self, rank: u32) {
        if let Some(thread) = self.table.threads[rank as usize].get() {
            thread.unpark();
        }
    }

    fn is_dead(&self, rank: u32) -> bool {
        self.table.dead.load(Ordering::Acquire) & 1 << rank != 0
    }
}

/// A rank in a test; the window's rank of place p is p.
pub struct Rank {
    pub rank: u32,
    pub size: u32,
    pub member: Member,
    pub waiter: Waiter,
}

impl Rank {
    /// Waits for all that live.
    pub fn barrier(&self) {
        self.waiter.table.barrier.wait();
    }

    /// Makes all others believe that a rank has died.
    pub fn bury(&self, rank: u32) {
        let table = &self.waiter.table;
        table.dead.fetch_or(1 << rank, Ordering::AcqRel);
        let threads = table.threads.iter().filter_map(OnceLock::get);
        threads.for_each(Thread::unpark);
    }
}

/// State that the ranks of a test exchange beside the segment.
struct Table {
    invitation: Mutex<Invitation>,
    statuses: Mutex<Vec<Status>>,
    barrier: Barrier,
    threads: Vec<OnceLock<Thread>>,
    dead: AtomicU64,
}

/// Runs `program` on a thread for each place of a plan. `looks` is how often a rank polls before it
/// sleeps.
pub fn run(plan: &Plan, looks: u32, program: impl Fn(Rank) + Sync) {
    let size = plan.places.len() as u32;
    let table = Arc::new(Table {
        invitation: Mutex::new(handshake::none()),
        statuses: Mutex::new(vec![[0; STATUS_BYTES]; size as usize]),
        barrier: Barrier::new(size as usize),
        threads: (0..size).map(|_| OnceLock::new()).collect(),
        dead: AtomicU64::new(0),
    });
    thread::scope(|scope| {
        for rank in 0..size {
            let (table, program) = (table.clone(), &program);
            scope.spawn(move || {
                let _ = table.threads[rank as usize].set(thread::current());
                let member = share(plan, rank, &table).expect("all are in");
                let waiter = Waiter {
                    table,
                    looks,
                    reported: Cell::new(0),
                };
                program(Rank {
                    rank,
                    size,
                    member,
                    waiter,
                });
            });
        }
    });
}

fn share(plan: &Plan, place: u32, table: &Table) -> Result<Member, String> {
    let plan = plan.clone();
    let handshake = if place == 0 {
        let (handshake, invitation) = Handshake::create(plan);
        *table.invitation.lock() = invitation;
        table.barrier.wait();
        handshake
    } else {
        table.barrier.wait();
        let invitation = *table.invitation.lock();
        Handshake::attach(plan, place, &invitation)
    };
    table.statuses.lock()[place as usize] = handshake.status();
    table.barrier.wait();
    let statuses = table.statuses.lock().clone();
    handshake.complete(place, &statuses)
}
