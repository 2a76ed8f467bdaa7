//! knem over a device made of memory: regions, and places inside them.

use std::ops::Range;

use memory::release::{Released, Watch};
use memory::Scratch;

use super::device::NUMBERS;
use super::*;
use crate::smsc::fake::{Fake, KNEM_CREATE, KNEM_DESTROY, KNEM_INFO, KNEM_INLINE_COPY};
use crate::smsc::key;
use crate::smsc::tests::{settings, Case};
use crate::smsc::{Caching, Unreached};

const BOTH: Access = Access {
    read: true,
    write: true,
};
const READ: Access = Access {
    read: true,
    write: false,
};

/// Says that it watches everything, and never reports.
struct Calm;

impl Watch for Calm {
    fn watch(&mut self, _: &Range<usize>) -> bool {
        true
    }
    fn drain(&mut self, _: &mut dyn FnMut(Released)) {}
}

fn keeping() -> Caching<'static> {
    Caching {
        limits: rcache::Limits {
            idle_count_max: 16,
            idle_bytes_max: 1 << 40,
        },
        watch: &|| Some(Box::new(Calm)),
    }
}

fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i / 5 * 11 % 253) as u8).collect()
}

/// The place `offset` bytes behind the beginning of registered memory, through a key.
fn place(memory: UserBuf, region: Region, offset: usize) -> Target {
    let key = key::encode(memory, BOTH, Some(region)).unwrap();
    key::locate(&key, offset as u64, 0, Direction::Read).unwrap()
}

#[test]
fn the_numbers_are_those_of_the_header() {
    let wanted = [KNEM_INFO, KNEM_CREATE, KNEM_DESTROY, KNEM_INLINE_COPY];
    assert_eq!(NUMBERS, wanted);
}

#[test]
fn places_inside_a_region_that_is_kept_are_found() {
    let fake = Fake::default();
    let mut case = Case::keeping(&fake, &settings("knem"), keeping());
    let whole = Scratch::new(200_000);
    let bytes = pattern(200_000);
    whole.buf().write(0, &bytes);
    let (_, number) = case.smsc.register(whole.buf(), READ, true).unwrap();
    case.smsc.deregister(number);
    let made = fake.world().calls[&KNEM_CREATE];
    for (from, len, offset) in [(0, 10, 0), (1, 100_000, 7), (77_777, 50_000, 49_999)] {
        let part = whole.buf().part(from, len);
        let (region, number) = case.smsc.register(part, READ, true).unwrap();
        let local = Scratch::new(len - offset);
        let target = place(part, region, offset);
        case.links
            .copy(Direction::Read, local.buf(), &target)
            .unwrap();
        let mut got = vec![0; len - offset];
        local.buf().read(0, &mut got);
        assert!(
            got == bytes[from + offset..from + len],
            "{len} bytes at {from}+{offset}"
        );
        case.smsc.deregister(number);
    }
    assert_eq!(
        fake.world().calls[&KNEM_CREATE],
        made,
        "the region was kept"
    );
    // What peers may write is another region.
    let part = whole.buf().part(5, 1000);
    let (region, _) = case.smsc.register(part, READ, true).unwrap();
    let local = Scratch::new(10);
    let put = case
        .links
        .copy(Direction::Write, local.buf(), &place(part, region, 3));
    assert_eq!(put, Err(Unreached::ByNone), "a region for reading");
    assert!(!case.links.is_empty(), "that was about the region alone");
    let (region, _) = case.smsc.register(part, BOTH, true).unwrap();
    local.buf().write(0, &[9; 10]);
    case.links
        .copy(Direction::Write, local.buf(), &place(part, region, 3))
        .unwrap();
    let mut got = [0; 12];
    whole.buf().read(7, &mut got);
    assert_eq!(
        (got[0], &got[1..11], got[11]),
        (bytes[7], &[9; 10][..], bytes[18])
    );
    drop(case);
    fake.expect_nothing_left();
}

#[test]
fn memory_far_behind_the_beginning_of_its_region_has_a_region_of_its_own() {
    let fake = Fake::default();
    let mut case = Case::keeping(&fake, &settings("knem"), keeping());
    let len = 300 << 20;
    // SAFETY: a new mapping; nothing is reserved for it but what is touched.
    let address = unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        libc::mmap(std::ptr::null_mut(), len, access, flags, -1, 0)
    };
    assert_ne!(address, libc::MAP_FAILED);
    // SAFETY: mapped until the end of the test.
    let whole = unsafe { UserBuf::new(address.cast(), len) };
    let (_, all) = case.smsc.register(whole, READ, true).unwrap();
    let part = whole.part((299 << 20) + 123, 5000);
    part.write(0, &pattern(5000));
    let (region, number) = case.smsc.register(part, READ, true).unwrap();
    assert_eq!(region.offset, 123);
    let local = Scratch::new(4000);
    case.links
        .copy(Direction::Read, local.buf(), &place(part, region, 1000))
        .unwrap();
    let mut got = vec![0; 4000];
    local.buf().read(0, &mut got);
    assert!(got == pattern(5000)[1000..]);
    case.smsc.deregister(number);
    case.smsc.deregister(all);
    drop(case);
    fake.expect_nothing_left();
    // SAFETY: mapped above, and of no more use.
    unsafe { libc::munmap(address, len) };
}

#[test]
fn large_copies_go_to_the_engine_until_it_fails() {
    let fake = Fake::default();
    fake.world().features = device::DMA;
    let mut settings = settings("knem");
    settings.knem_dma_min = 5000;
    let mut case = Case::new(&fake, &settings);
    let memory = Scratch::new(10_000);
    memory.buf().write(0, &pattern(10_000));
    let (region, _) = case.smsc.register(memory.buf(), READ, true).unwrap();
    let mut copy = |len: usize| {
        let local = Scratch::new(len);
        case.links
            .copy(
                Direction::Read,
                local.buf(),
                &place(memory.buf(), region, 1),
            )
            .unwrap();
        let mut got = vec![0; len];
        local.buf().read(0, &mut got);
        assert!(got == pattern(10_000)[1..=len]);
        fake.world().flags.last().copied()
    };
    assert_eq!(copy(4999), Some(0));
    assert_eq!(copy(5000), Some(device::DMA));
    fake.world().features = 0;
    assert_eq!(copy(5000), Some(0), "the processor does it");
    fake.world().features = device::DMA;
    assert_eq!(copy(5000), Some(0), "and from then on");
}

#[test]
fn an_engine_that_is_not_there_is_not_asked() {
    let fake = Fake::default();
    let mut settings = settings("knem");
    settings.knem_dma_min = 1;
    let mut case = Case::new(&fake, &settings);
    let memory = Scratch::new(100);
    let (region, _) = case.smsc.register(memory.buf(), READ, true).unwrap();
    let local = Scratch::new(100);
    case.links
        .copy(
            Direction::Read,
            local.buf(),
            &place(memory.buf(), region, 0),
        )
        .unwrap();
    assert!(fake.world().flags.iter().all(|flags| *flags == 0));
}

#[test]
fn regions_are_made_only_where_somebody_wants_them() {
    let fake = Fake::default();
    let mut case = Case::new(&fake, &settings("knem,cma"));
    let memory = Scratch::new(100);
    assert!(
        case.smsc.register(memory.buf(), READ, false).is_none(),
        "cma comes first"
    );
    assert!(
        case.smsc.register(memory.buf(), READ, true).is_some(),
        "a peer wants it"
    );
    let mut case = Case::new(&fake, &settings("knem"));
    assert!(
        case.smsc.register(memory.buf(), READ, false).is_some(),
        "peers most likely do"
    );
    assert!(case.links.need_region());
}

#[test]
fn a_driver_that_is_too_old_or_refuses_is_declined() {
    let fake = Fake::default();
    fake.world().abi = 0xb;
    let case = Case::new(&fake, &settings("knem"));
    assert!(case.reason("knem").contains("0xb of /dev/knem is too old"));
    fake.world().abi = 0xe;
    fake.world().failing.insert(KNEM_CREATE, (0, libc::ENOMEM));
    let case = Case::new(&fake, &settings("knem"));
    assert!(case.reason("knem").contains("cannot be made a region"));
    assert!(case.links.is_empty());
}

#[test]
fn memory_that_cannot_be_a_region_is_registered_without() {
    let fake = Fake::default();
    let mut case = Case::new(&fake, &settings("knem"));
    fake.world().failing.insert(KNEM_CREATE, (0, libc::EFAULT));
    let memory = Scratch::new(100);
    assert!(case.smsc.register(memory.buf(), READ, true).is_none());
    let target = Target {
        address: memory.buf().address().addr() as u64,
        region: None,
    };
    let copied = case.links.copy(Direction::Read, memory.buf(), &target);
    assert_eq!(copied, Err(Unreached::ByNone));
    assert!(!case.links.is_empty(), "the next memory may be");
}
