//! A cache beside a model of memory in which every page has a version.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use base::Mutex;
use proptest::prelude::*;

use super::{Access, Cache, Lease, Limits, Registrar};
use crate::release::{Released, Watch};
use crate::{page_bytes, UserBuf};

const PAGES: usize = 16;

/// A registration as the network sees it: which version of each page it pinned.
#[derive(Clone, Debug)]
struct Pinned {
    pages: Range<usize>,
    access: Access,
    versions: Vec<u32>,
}

/// Memory whose pages change their version when they are released, and a network with room for
/// a number of registrations.
#[derive(Default)]
struct World {
    versions: [u32; PAGES],
    pinned: BTreeMap<u64, Pinned>,
    next: u64,
    room: usize,
    /// From this page on nothing may be written.
    read_only_from: usize,
}

#[derive(Clone)]
struct Network(Rc<RefCell<World>>);

#[derive(Debug, PartialEq)]
enum Refused {
    Full,
    ReadOnly,
}

impl Registrar for Network {
    type Handle = u64;
    type Error = Refused;

    fn register(&mut self, memory: UserBuf, access: Access) -> Result<u64, Refused> {
        let mut world = self.0.borrow_mut();
        let start = memory.address() as usize / page_bytes();
        let pages = start..start + memory.len() / page_bytes();
        if access.allows(Access::REMOTE_WRITE) && pages.end > world.read_only_from {
            return Err(Refused::ReadOnly);
        }
        if world.pinned.len() >= world.room {
            return Err(Refused::Full);
        }
        world.next += 1;
        let (key, versions) = (world.next, world.versions[pages.clone()].to_vec());
        world.pinned.insert(
            key,
            Pinned {
                pages,
                access,
                versions,
            },
        );
        Ok(key)
    }

    fn deregister(&mut self, handle: u64) {
        let known = self.0.borrow_mut().pinned.remove(&handle);
        assert!(known.is_some(), "{handle} was deregistered twice");
    }

    fn is_lack_of_resources(error: &Refused) -> bool {
        *error == Refused::Full
    }
}

/// Reports by hand; refuses to watch the last page.
#[derive(Clone, Default)]
struct ByHand(Arc<Mutex<Vec<Released>>>);

impl Watch for ByHand {
    fn watch(&mut self, range: &Range<usize>) -> bool {
        range.end < PAGES * page_bytes()
    }

    fn drain(&mut self, report: &mut dyn FnMut(Released)) {
        let reports = std::mem::take(&mut *self.0.lock());
        reports.into_iter().for_each(report);
    }
}

#[derive(Clone, Debug)]
enum Act {
    Acquire { pages: Range<usize>, access: Access },
    Release { which: usize },
    Unmap { pages: Range<usize> },
    Lose { page: usize },
    Room { room: usize },
}

fn pages() -> impl Strategy<Value = Range<usize>> {
    (0..PAGES, 1..6usize).prop_map(|(start, len)| start..(start + len).min(PAGES))
}

fn access() -> impl Strategy<Value = Access> {
    prop_oneof![
        Just(Access::REMOTE_READ),
        Just(Access::REMOTE_WRITE),
        Just(Access::REMOTE_READ.with(Access::REMOTE_WRITE)),
        Just(Access::LOCAL_READ),
    ]
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        6 => (pages(), access()).prop_map(|(pages, access)| Act::Acquire { pages, access }),
        6 => (0..8usize).prop_map(|which| Act::Release { which }),
        2 => pages().prop_map(|pages| Act::Unmap { pages }),
        1 => (0..PAGES).prop_map(|page| Act::Lose { page }),
        1 => (1..8usize).prop_map(|room| Act::Room { room }),
    ];
    prop::collection::vec(act, 1..80)
}

fn buffer(pages: &Range<usize>) -> UserBuf {
    let page = page_bytes();
    // From the middle of the first page to the middle of the last: the cache rounds outwards.
    let (start, len) = (pages.start * page + page / 2, (pages.len() - 1) * page + 1);
    // SAFETY: the address is only a number here: nothing in these tests goes to the memory.
    unsafe { UserBuf::new(start as *mut u8, len) }
}

/// A cache, the world around it and the leases that are out.
struct Play {
    network: Network,
    reports: ByHand,
    cache: Cache<u64>,
    leases: Vec<(Lease, u64)>,
}

impl Play {
    fn new(limits: Limits, watched: bool) -> Play {
        let network = Network(Rc::default());
        network.0.borrow_mut().room = usize::MAX;
        network.0.borrow_mut().read_only_from = usize::MAX;
        let reports = ByHand::default();
        let watch = watched.then(|| Box::new(reports.clone()) as Box<dyn Watch + Send>);
        Play {
            network,
            reports,
            cache: Cache::new(limits, watch),
            leases: Vec::new(),
        }
    }

    /// Acquires, and checks what was given: alive, wide enough, allowed, and not stale.
    fn acquire(&mut self, pages: &Range<usize>, access: Access) -> Result<u64, Refused> {
        let leased_before = self.leases.len();
        let outcome = self
            .cache
            .acquire(buffer(pages), access, &mut self.network.clone());
        let world = self.network.0.borrow();
        let lease = match outcome {
            Ok(lease) => lease,
            Err(Refused::Full) => {
                assert!(leased_before >= world.room, "idle ones were not given up");
                return Err(Refused::Full);
            }
            Err(error) => return Err(error),
        };
        let key = *self.cache.handle(&lease);
        let memory = self.cache.memory(&lease);
        let pinned = &world.pinned[&key];
        assert_eq!(memory.address() as usize, pinned.pages.start * page_bytes());
        assert_eq!(memory.len(), pinned.pages.len() * page_bytes());
        assert!(pinned.pages.start <= pages.start && pages.end <= pinned.pages.end);
        assert!(pinned.access.allows(access), "{pinned:?} for {access:?}");
        for page in pages.clone() {
            let seen = pinned.versions[page - pinned.pages.start];
            assert_eq!(seen, world.versions[page], "page {page} is stale");
        }
        drop(world);
        self.leases.push((lease, key));
        Ok(key)
    }

    fn release(&mut self, which: usize) {
        if self.leases.is_empty() {
            return;
        }
        let (lease, _) = self.leases.swap_remove(which % self.leases.len());
        self.cache.release(lease, &mut self.network.clone());
    }

    fn unmap(&mut self, pages: &Range<usize>) {
        let mut world = self.network.0.borrow_mut();
        pages.clone().for_each(|page| world.versions[page] += 1);
        let range = pages.start * page_bytes()..pages.end * page_bytes();
        self.reports.0.lock().push(Released::Range(range));
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Acquire { pages, access } => drop(self.acquire(pages, *access)),
            Act::Release { which } => self.release(*which),
            Act::Unmap { pages } => self.unmap(pages),
            Act::Lose { page } => {
                self.network.0.borrow_mut().versions[*page] += 1;
                self.reports.0.lock().push(Released::Unknown);
            }
            Act::Room { room } => self.network.0.borrow_mut().room = *room,
        }
        let world = self.network.0.borrow();
        for (_, key) in &self.leases {
            assert!(world.pinned.contains_key(key), "a leased one was ended");
        }
        let stats = self.cache.stats();
        assert_eq!(stats.registered_count.get(), world.pinned.len() as u64);
        let pinned = world.pinned.values();
        let bytes: usize = pinned.map(|pinned| pinned.pages.len() * page_bytes()).sum();
        assert_eq!(stats.registered_bytes.get(), bytes as u64);
        assert!(stats.idle_count.get() <= self.cache.limits.idle_count_max as u64);
        assert!(stats.idle_bytes.get() <= self.cache.limits.idle_bytes_max as u64);
        assert_eq!(
            stats.idle_count.get() == 0,
            self.cache.idle.oldest().is_none()
        );
    }

    fn end(mut self) {
        while !self.leases.is_empty() {
            self.release(0);
        }
        self.cache.clear(&mut self.network.clone());
        assert!(self.network.0.borrow().pinned.is_empty());
        let stats = self.cache.stats();
        assert_eq!(
            (stats.registered_count.get(), stats.registered_bytes.get()),
            (0, 0)
        );
        assert_eq!((stats.idle_count.get(), stats.idle_bytes.get()), (0, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_handed_out_is_alive_wide_enough_allowed_and_never_stale(
        acts in acts(),
        idle_count_max in 0..8usize,
        idle_pages_max in 0..24usize,
        read_only_from in 8..=PAGES,
        watched: bool,
    ) {
        let idle_bytes_max = idle_pages_max * page_bytes();
        let mut play = Play::new(Limits { idle_count_max, idle_bytes_max }, watched);
        play.network.0.borrow_mut().read_only_from = read_only_from;
        acts.iter().for_each(|act| play.act(act));
        play.end();
    }
}

const PLENTY: Limits = Limits {
    idle_count_max: 100,
    idle_bytes_max: usize::MAX,
};

#[test]
fn parts_of_what_is_registered_are_hits_idle_or_leased() {
    let mut play = Play::new(PLENTY, true);
    let first = play.acquire(&(2..8), Access::REMOTE_READ).unwrap();
    assert_eq!(play.acquire(&(3..5), Access::REMOTE_READ), Ok(first));
    play.release(0);
    play.release(0);
    assert_eq!(play.acquire(&(7..8), Access::REMOTE_READ), Ok(first));
    assert_ne!(play.acquire(&(7..9), Access::REMOTE_READ), Ok(first));
    let stats = play.cache.stats();
    assert_eq!((stats.hits.get(), stats.misses.get()), (2, 2));
    play.end();
}

#[test]
fn more_access_registers_the_whole_range_again_and_ends_the_old_one_after_its_lease() {
    let mut play = Play::new(PLENTY, true);
    let both = Access::REMOTE_READ.with(Access::REMOTE_WRITE);
    let old = play.acquire(&(2..8), Access::REMOTE_READ).unwrap();
    let new = play.acquire(&(3..5), Access::REMOTE_WRITE).unwrap();
    assert_ne!(old, new);
    assert_eq!(play.acquire(&(2..8), both), Ok(new));
    assert_eq!(play.network.0.borrow().pinned.len(), 2);
    let at = play.leases.iter().position(|(_, key)| *key == old).unwrap();
    play.release(at);
    assert!(!play.network.0.borrow().pinned.contains_key(&old));
    assert_eq!(play.cache.stats().upgrades.get(), 1);
    play.end();
}

#[test]
fn the_one_idle_longest_makes_room() {
    let mut play = Play::new(PLENTY, true);
    play.network.0.borrow_mut().room = 3;
    for page in [1, 4, 7] {
        play.acquire(&(page..page + 1), Access::REMOTE_READ)
            .unwrap();
        play.release(0);
    }
    play.acquire(&(1..2), Access::REMOTE_READ).unwrap();
    play.release(0);
    play.acquire(&(10..11), Access::REMOTE_READ).unwrap();
    let world = play.network.0.borrow();
    let mut left: Vec<usize> = world.pinned.values().map(|one| one.pages.start).collect();
    left.sort_unstable();
    assert_eq!(left, [1, 7, 10]);
    drop(world);
    assert_eq!(play.cache.stats().evictions.get(), 1);
    play.end();
}

#[test]
fn without_a_watch_nothing_is_kept_or_shared() {
    let mut play = Play::new(PLENTY, false);
    let first = play.acquire(&(2..4), Access::REMOTE_READ).unwrap();
    assert_ne!(play.acquire(&(2..4), Access::REMOTE_READ), Ok(first));
    play.release(0);
    play.release(0);
    assert!(play.network.0.borrow().pinned.is_empty());
    assert_eq!(play.cache.stats().unwatched.get(), 2);
    play.end();
}

#[test]
fn an_address_at_the_end_of_the_address_space_is_an_error_of_the_registrar() {
    let mut play = Play::new(PLENTY, true);
    play.network.0.borrow_mut().room = 0;
    // SAFETY: only a number.
    let buffer = unsafe { UserBuf::new((usize::MAX - 10) as *mut u8, usize::MAX) };
    let network = &mut play.network.clone();
    let refused = play.cache.acquire(buffer, Access::NONE, network);
    assert_eq!(refused.unwrap_err(), Refused::Full);
}
