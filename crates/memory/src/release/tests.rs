//! Each way of giving memory back, children, the end, and addresses that change hands.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use base::Mutex;

use super::{Monitor, Released, Subscription, Watch};
use crate::mpool::{Hints, Pool, Settings};
use crate::rcache::{Access, Cache, Limits, Registrar};
use crate::{page_bytes, UserBuf};

/// Anonymous memory, written so that it is there.
fn map(pages: usize, sharing: i32) -> *mut u8 {
    let (len, access) = (pages * page_bytes(), libc::PROT_READ | libc::PROT_WRITE);
    let flags = sharing | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping, written within its length.
    unsafe {
        let at = libc::mmap(std::ptr::null_mut(), len, access, flags, -1, 0);
        assert_ne!(at, libc::MAP_FAILED);
        at.write_bytes(1, len);
        at.cast()
    }
}

/// A shared mapping of two pages of a file in memory.
fn memory_file() -> *mut u8 {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let len = 2 * page_bytes();
    // SAFETY: a new file, which nobody else has, and a new mapping of it.
    unsafe {
        let file = libc::memfd_create(c"test".as_ptr(), libc::MFD_CLOEXEC);
        assert_eq!(libc::ftruncate(file, len as libc::off_t), 0);
        let at = libc::mmap(std::ptr::null_mut(), len, access, libc::MAP_SHARED, file, 0);
        assert_ne!(at, libc::MAP_FAILED);
        libc::close(file);
        at.cast()
    }
}

fn private(pages: usize) -> *mut u8 {
    map(pages, libc::MAP_PRIVATE)
}

/// The address of a page of a mapping.
fn page(at: *mut u8, page: usize) -> *mut libc::c_void {
    at.wrapping_add(page * page_bytes()).cast()
}

fn range(at: *mut u8, pages: Range<usize>) -> Range<usize> {
    page(at, pages.start) as usize..page(at, pages.end) as usize
}

fn unmap(at: *mut u8, pages: Range<usize>) {
    // SAFETY: the callers' own mappings, which they do not use afterwards.
    let failed = unsafe { libc::munmap(page(at, pages.start), pages.len() * page_bytes()) };
    assert_eq!(failed, 0);
}

fn drained(subscription: &mut Subscription) -> Vec<Released> {
    let mut reports = Vec::new();
    subscription.drain(&mut |released| reports.push(released));
    reports
}

/// Fails when `work` has not ended after a while: where a thread hangs in the kernel, only
/// another one can see.
fn within(limit: Duration, work: impl FnOnce() + Send + 'static) {
    let (done, ended) = channel();
    let worker = thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
        eprintln!("hangs for {limit:?}");
        std::process::abort();
    }
    worker.join().unwrap();
}

/// A monitor; nothing where this machine forbids one, as some containers do.
fn monitor() -> Option<Arc<Monitor>> {
    let started = Monitor::start();
    started.inspect_err(|why| println!("skipped: {why}")).ok()
}

const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn every_way_of_giving_memory_back_is_reported() {
    within(LIMIT, || {
        let Some(monitor) = monitor() else { return };
        let mut subscription = monitor.subscribe();
        let at = private(16);
        assert!(subscription.watch(&range(at, 0..16)));
        assert_eq!(drained(&mut subscription), []);
        let one = page_bytes();
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let fixed = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let mut expect = |what: &str, pages: Range<usize>, done: bool| {
            assert!(done, "{what}");
            let reports = drained(&mut subscription);
            let gone = Released::Range(range(at, pages));
            assert!(reports.contains(&gone), "{what}: {reports:x?}");
        };
        // SAFETY: all of it happens to a mapping of this test, which is not used otherwise.
        unsafe {
            let done = libc::madvise(page(at, 1), one, libc::MADV_DONTNEED) == 0;
            expect("MADV_DONTNEED", 1..2, done);
            let done = libc::madvise(page(at, 2), one, libc::MADV_FREE) == 0;
            expect("MADV_FREE", 2..3, done);
            expect("munmap", 3..5, libc::munmap(page(at, 3), 2 * one) == 0);
            let over = libc::mmap(page(at, 6), one, access, fixed, -1, 0);
            expect("mmap at a fixed address", 6..7, over == page(at, 6));
            let less = libc::mremap(page(at, 7), 2 * one, one, 0);
            expect("mremap to less", 8..9, less == page(at, 7));
            let away = libc::mremap(page(at, 10), one, 4 * one, libc::MREMAP_MAYMOVE);
            expect("mremap elsewhere", 10..11, away != libc::MAP_FAILED);
            let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_DONTUNMAP;
            let anywhere = std::ptr::null_mut::<libc::c_void>();
            let emptied = libc::mremap(page(at, 12), one, one, flags, anywhere);
            let done = emptied != libc::MAP_FAILED;
            expect("mremap that leaves an empty page", 12..13, done);
            libc::munmap(away, 4 * one);
            libc::munmap(emptied, one);
        }
        unmap(at, 0..16);
    });
}

#[test]
fn memory_that_can_go_without_a_word_is_refused() {
    let Some(mut subscription) = monitor().map(|monitor| monitor.subscribe()) else {
        return;
    };
    let shared = map(2, libc::MAP_SHARED);
    assert!(!subscription.watch(&range(shared, 0..2)));
    unmap(shared, 0..2);
    let file = memory_file();
    assert!(!subscription.watch(&range(file, 0..2)));
    unmap(file, 0..2);
    // SAFETY: a segment of this test, attached and detached here.
    unsafe {
        let id = libc::shmget(libc::IPC_PRIVATE, 8192, 0o600 | libc::IPC_CREAT);
        let at = libc::shmat(id, std::ptr::null(), 0);
        assert_ne!(at as isize, -1);
        assert!(!subscription.watch(&range(at.cast(), 0..2)));
        libc::shmdt(at);
        libc::shmctl(id, libc::IPC_RMID, std::ptr::null_mut());
    }
    let hole = private(3);
    unmap(hole, 1..2);
    assert!(!subscription.watch(&range(hole, 0..3)));
    assert!(subscription.watch(&range(hole, 2..3)));
    let mut second = Monitor::start().unwrap().subscribe();
    assert!(!second.watch(&range(hole, 2..3)), "another one watches it");
    assert!(second.watch(&range(hole, 0..1)));
    unmap(hole, 2..3);
    let gone = Released::Range(range(hole, 2..3));
    assert_eq!(drained(&mut subscription), [gone]);
    unmap(hole, 0..1);
}

#[test]
fn each_subscriber_receives_everything_and_learns_what_it_missed() {
    within(LIMIT, || {
        let Some(monitor) = monitor() else { return };
        let (mut first, mut second) = (monitor.subscribe(), monitor.subscribe());
        let at = private(4);
        assert!(first.watch(&range(at, 0..4)));
        let address = at as usize;
        let release = move |page_at: usize| {
            let page = page(address as *mut u8, page_at);
            // SAFETY: a page of this test's mapping.
            unsafe { libc::madvise(page, page_bytes(), libc::MADV_DONTNEED) };
        };
        thread::scope(|scope| {
            scope.spawn(move || release(1));
        });
        let gone = [Released::Range(range(at, 1..2))];
        assert_eq!(drained(&mut first), gone);
        for _ in 0..5000 {
            release(2);
        }
        assert_eq!(drained(&mut second), [Released::Unknown]);
        assert_eq!(drained(&mut first), [Released::Unknown]);
        release(3);
        let gone = [Released::Range(range(at, 3..4))];
        assert_eq!(drained(&mut second), gone);
        assert_eq!(drained(&mut first), gone);
        unmap(at, 0..4);
    });
}

/// A child has a copy of the descriptor, which keeps the userfaultfd alive when the parent has
/// closed its own: nobody would read the events of memory that is still enrolled, and whoever
/// unmaps it would wait for ever. So also for memory that was moved.
#[test]
fn after_the_end_nobody_waits_even_with_a_child_that_has_the_descriptor() {
    within(LIMIT, || {
        let Some(monitor) = monitor() else { return };
        let mut subscription = monitor.subscribe();
        let at = private(400);
        assert!(subscription.watch(&range(at, 0..400)));
        let mut moved = Vec::new();
        let (one, anywhere) = (page_bytes(), std::ptr::null_mut::<libc::c_void>());
        // More than are remembered.
        for from in 1..300 {
            let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_DONTUNMAP;
            // SAFETY: a page of this test's mapping.
            let to = unsafe { libc::mremap(page(at, from), one, one, flags, anywhere) };
            assert_ne!(to, libc::MAP_FAILED);
            moved.push(to.cast::<u8>());
        }
        // SAFETY: the child calls only what may be called in a child of a program with threads.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: as above; the child unmaps its own copy, and waits to be ended.
            unsafe {
                libc::munmap(page(at, 0), page_bytes());
                libc::sleep(60);
                libc::_exit(0);
            }
        }
        assert!(monitor.withdraw_all());
        drop(monitor);
        drop(subscription);
        moved.iter().for_each(|at| unmap(*at, 0..1));
        unmap(at, 0..400);
        // SAFETY: the child is this test's.
        unsafe {
            libc::kill(child, libc::SIGKILL);
            libc::waitpid(child, std::ptr::null_mut(), 0);
        }
    });
}

#[test]
fn a_child_may_unmap_and_drop_what_it_inherited() {
    within(LIMIT, || {
        let Some(monitor) = monitor() else { return };
        let mut subscription = monitor.subscribe();
        let at = private(2);
        assert!(subscription.watch(&range(at, 0..2)));
        // SAFETY: as above. Dropping closes descriptors and frees nothing, for the parent has
        // another reference to the parts.
        let child = unsafe { libc::fork() };
        if child == 0 {
            unmap(at, 0..2);
            drop((subscription, monitor));
            // SAFETY: ends the child at once.
            unsafe { libc::_exit(7) };
        }
        let mut status = 0;
        // SAFETY: the child is this test's.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(libc::WEXITSTATUS(status), 7);
        assert_eq!(drained(&mut subscription), []);
        unmap(at, 0..2);
        let gone = Released::Range(range(at, 0..2));
        assert_eq!(drained(&mut subscription), [gone]);
    });
}

/// Where the administrator has set huge pages aside, the pool's memory is of those; a range of
/// usual pages in it is then watched in whole huge ones.
#[test]
fn memory_of_a_pool_is_watched_whatever_its_pages_are() {
    within(LIMIT, || {
        let Some(mut subscription) = monitor().map(|monitor| monitor.subscribe()) else {
            return;
        };
        let mut pool = Pool::new(Settings::default());
        let hints = Hints::parse("mpool=hugepage").unwrap();
        // Too large to be kept for the next request.
        let at = pool.allocate(100 << 20, 1, hints).unwrap().as_ptr();
        assert!(subscription.watch(&range(at, 3..5)));
        // SAFETY: given by the pool.
        unsafe { page(at, 4).cast::<u8>().write(1) };
        pool.free(at as usize).unwrap();
        let covers = |released: &Released| match released {
            Released::Range(gone) => {
                let watched = range(at, 3..5);
                gone.start <= watched.start && watched.end <= gone.end
            }
            Released::Unknown => false,
        };
        let reports = drained(&mut subscription);
        assert!(reports.iter().any(covers), "{reports:x?}");
    });
}

/// A network that notes what the first word of each page was when it was registered.
struct Snapshots {
    next: u64,
    words: HashMap<u64, Vec<u64>>,
}

impl Registrar for Snapshots {
    type Handle = u64;
    type Error = ();

    fn register(&mut self, memory: UserBuf, _: Access) -> Result<u64, ()> {
        let mut word = [0; 8];
        let offsets = (0..memory.len()).step_by(page_bytes());
        let words = offsets.map(|offset| {
            memory.read(offset, &mut word);
            u64::from_ne_bytes(word)
        });
        self.next += 1;
        self.words.insert(self.next, words.collect());
        Ok(self.next)
    }

    fn deregister(&mut self, handle: u64) {
        self.words.remove(&handle).expect("a live registration");
    }

    fn is_lack_of_resources((): &()) -> bool {
        false
    }
}

/// Threads that get each other's addresses from the kernel, write what was never written before,
/// and register it. A stale registration has the words of an earlier life of the pages.
#[test]
fn addresses_that_change_hands_are_registered_anew() {
    within(Duration::from_secs(60), || {
        let Some(monitor) = monitor() else { return };
        let limits = Limits {
            idle_count_max: 1000,
            idle_bytes_max: usize::MAX,
        };
        let cache = Cache::new(limits, Some(Box::new(monitor.subscribe())));
        let snapshots = Snapshots {
            next: 0,
            words: HashMap::new(),
        };
        let both = Arc::new(Mutex::new((cache, snapshots)));
        let lives = Arc::new(AtomicU64::new(1));
        let stop = Arc::new(AtomicBool::new(false));
        let thread = |number: usize| {
            let (both, lives, stop) = (both.clone(), lives.clone(), stop.clone());
            thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    live_and_die(&both, &lives, number);
                }
            })
        };
        let threads: Vec<_> = (0..4).map(thread).collect();
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(2) && threads.iter().all(|t| !t.is_finished()) {
            thread::sleep(Duration::from_millis(10));
        }
        stop.store(true, Ordering::Relaxed);
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
        let mut both = both.lock();
        let (cache, snapshots) = &mut *both;
        let stats = cache.stats();
        assert!(
            stats.hits.get() > 100 && stats.invalidations.get() > 100,
            "{stats:?}"
        );
        cache.clear(snapshots);
        assert!(snapshots.words.is_empty());
    });
}

/// Maps, registers, changes and unmaps once.
fn live_and_die(both: &Mutex<(Cache<u64>, Snapshots)>, lives: &AtomicU64, number: usize) {
    const PAGES: usize = 3;
    let at = private(PAGES);
    // SAFETY: the mapping just made.
    let whole = unsafe { UserBuf::new(at, PAGES * page_bytes()) };
    for turn in 0..4 {
        let life = lives.fetch_add(1, Ordering::Relaxed);
        for offset in (0..whole.len()).step_by(page_bytes()) {
            whole.write(offset, &life.to_ne_bytes());
        }
        // Twice: the second time it is there already.
        for _ in 0..2 {
            let mut both = both.lock();
            let (cache, snapshots) = &mut *both;
            let lease = cache.acquire(whole, Access::REMOTE_READ, snapshots);
            let lease = lease.unwrap();
            let seen = &snapshots.words[cache.handle(&lease)];
            assert_eq!(seen[..], [life; PAGES], "thread {number}, turn {turn}");
            cache.release(lease, snapshots);
        }
        // SAFETY: the mapping made above.
        unsafe { libc::madvise(at.cast(), whole.len(), libc::MADV_DONTNEED) };
    }
    unmap(at, 0..PAGES);
}
