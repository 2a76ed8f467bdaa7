//! xpmem over a device made of memory: what is attached, where, and for how long.

use memory::Scratch;

use super::device::NUMBERS;
use super::*;
use crate::smsc::fake::{
    Arena, Fake, XPMEM_ATTACH, XPMEM_DETACH, XPMEM_GET, XPMEM_MAKE, XPMEM_RELEASE, XPMEM_REMOVE,
};
use crate::smsc::tests::{settings, Case};

const PIECE: usize = 1 << 20;

/// Memory of 8 pieces that is attached elsewhere, and the way to it.
fn arena(change: impl FnOnce(&mut crate::smsc::Settings)) -> (Fake, Case, u64) {
    let fake = Fake::default();
    let arena = Arena::new(8 * PIECE);
    let start = arena.start;
    fake.world().arena = Some(arena);
    let mut settings = settings("xpmem");
    settings.xpmem_log_align = 20;
    change(&mut settings);
    let case = Case::new(&fake, &settings);
    (fake, case, start)
}

fn at(address: u64) -> Target {
    Target {
        address,
        region: None,
    }
}

fn memory(address: u64, len: usize) -> UserBuf {
    // SAFETY: of the arena, which lives as long as the test's system.
    unsafe { UserBuf::new(std::ptr::with_exposed_provenance_mut(address as usize), len) }
}

#[test]
fn the_numbers_are_those_of_the_header() {
    let wanted = [
        XPMEM_MAKE,
        XPMEM_REMOVE,
        XPMEM_GET,
        XPMEM_RELEASE,
        XPMEM_ATTACH,
        XPMEM_DETACH,
    ];
    assert_eq!(NUMBERS, wanted);
}

#[test]
fn every_byte_comes_from_where_it_is_attached() {
    let (fake, mut case, start) = arena(|_| {});
    let bytes: Vec<u8> = (0..8 * PIECE).map(|i| (i / 3 * 7 % 251) as u8).collect();
    memory(start, bytes.len()).write(0, &bytes);
    let ranges = [
        (0, 0),
        (0, 1),
        (PIECE - 1, 2),
        (12_345, 3 * PIECE + 7),
        (8 * PIECE - 1, 1),
        (0, 8 * PIECE),
        (PIECE / 2 + 3, 300_000),
    ];
    for (offset, len) in ranges {
        let local = Scratch::new(len);
        let place = at(start + offset as u64);
        case.links
            .copy(Direction::Read, local.buf(), &place)
            .unwrap();
        let mut got = vec![0; len];
        local.buf().read(0, &mut got);
        assert!(
            got == bytes[offset..offset + len],
            "{len} bytes at {offset}"
        );
    }
    let (offset, len) = (3 * PIECE - 77, PIECE + 154);
    let local = Scratch::new(len);
    local.buf().write(0, &vec![0xee; len]);
    let place = at(start + offset as u64);
    case.links
        .copy(Direction::Write, local.buf(), &place)
        .unwrap();
    let mut after = vec![0; 8 * PIECE];
    memory(start, after.len()).read(0, &mut after);
    assert!(after[offset..offset + len].iter().all(|b| *b == 0xee));
    assert!(after[..offset] == bytes[..offset] && after[offset + len..] == bytes[offset + len..]);
    assert!(
        fake.world().attached.iter().any(|a| a.0 != a.1),
        "at another address"
    );
    drop(case);
    fake.expect_nothing_left();
}

#[test]
fn what_is_attached_is_found_again_and_the_oldest_goes_first() {
    // One attachment is that of the probe.
    let (fake, mut case, start) = arena(|settings| settings.xpmem_attachments_max = 3);
    let mut touch = |piece: usize| {
        let before = fake.world().calls[&XPMEM_ATTACH];
        let local = Scratch::new(10);
        // The arena begins anywhere in its first piece of aligned memory.
        let address = (start + (piece * PIECE) as u64).next_multiple_of(PIECE as u64) + 5;
        case.links
            .copy(Direction::Read, local.buf(), &at(address))
            .unwrap();
        fake.world().calls[&XPMEM_ATTACH] > before
    };
    assert!(touch(0) && touch(1), "at first");
    assert!(!touch(0) && !touch(1), "again");
    assert!(!touch(0));
    assert!(touch(2) && touch(3));
    assert!(!touch(2) && !touch(3));
    assert!(touch(1), "1 was not used for longest and had to go");
    assert!(fake.world().attached.len() <= 3);
    drop(case);
    fake.expect_nothing_left();
}

#[test]
fn a_lack_of_memory_gives_up_old_attachments() {
    let (fake, mut case, start) = arena(|_| {});
    fake.world().attached_max = 2;
    for piece in [1, 3, 5, 1, 3] {
        let local = Scratch::new(2);
        let place = at(start + piece * PIECE as u64);
        memory(place.address, 2).write(0, &[piece as u8; 2]);
        case.links
            .copy(Direction::Read, local.buf(), &place)
            .unwrap();
        let mut got = [0; 2];
        local.buf().read(0, &mut got);
        assert_eq!(got, [piece as u8; 2]);
    }
    fake.world().attached_max = 0;
    let local = Scratch::new(2);
    let copied = case
        .links
        .copy(Direction::Read, local.buf(), &at(start + 7 * PIECE as u64));
    assert!(copied.is_err(), "no memory at all");
    assert!(!case.links.is_empty(), "a lack of memory passes");
    fake.world().attached_max = usize::MAX;
    let copied = case
        .links
        .copy(Direction::Read, local.buf(), &at(start + 7 * PIECE as u64));
    copied.unwrap();
}

#[test]
fn mapped_memory_stays_and_shows_what_the_peer_writes() {
    let (fake, mut case, start) = arena(|settings| settings.xpmem_attachments_max = 1);
    let (mapped, number) = case.links.map(&at(start + 100), 50).unwrap();
    for piece in 1..7 {
        let local = Scratch::new(1);
        let place = at(start + piece * PIECE as u64);
        case.links
            .copy(Direction::Read, local.buf(), &place)
            .unwrap();
    }
    memory(start + 100, 50).write(49, &[42]);
    let mut seen = [0];
    mapped.read(49, &mut seen);
    assert_eq!(seen, [42]);
    mapped.write(0, &[43]);
    memory(start + 100, 1).read(0, &mut seen);
    assert_eq!(seen, [43]);
    assert_eq!(mapped.len(), 50);
    case.links.unmap(number);
    let local = Scratch::new(1);
    case.links
        .copy(Direction::Read, local.buf(), &at(start + 7 * PIECE as u64))
        .unwrap();
    let kept = fake.world().attached.len();
    assert_eq!(kept, 1, "it does not stay any more");
    drop(case);
    fake.expect_nothing_left();
}

#[test]
fn nothing_is_attached_behind_the_end_of_memory() {
    let (fake, mut case, start) = arena(|_| {});
    let page = memory::page_bytes() as u64;
    let piece = PIECE as u64;
    let top = 10 * piece + 3 * page;
    let memory = memory_that_ends_at(&fake, top);
    assert_eq!(
        memory.window(piece + 5, piece + 6),
        Some((piece, 2 * piece))
    );
    assert_eq!(
        memory.window(10 * piece + 5, 10 * piece + 6),
        Some((10 * piece, top))
    );
    let beyond = memory.window(top + 1, top + page + 1);
    assert_eq!(
        beyond,
        Some((10 * piece, top + 2 * page)),
        "it may have grown since"
    );
    assert_eq!(memory.window(5, u64::MAX - 5), None);
    drop(memory);
    let local = Scratch::new(10);
    fake.world().top = start + 8 * piece;
    for outside in [start + 8 * piece, u64::MAX - 15, u64::MAX - 5, u64::MAX] {
        assert!(case
            .links
            .copy(Direction::Read, local.buf(), &at(outside))
            .is_err());
        assert!(case.links.map(&at(outside), 10).is_none());
    }
    case.links
        .copy(Direction::Read, local.buf(), &at(start + 9))
        .unwrap();
}

fn memory_that_ends_at(fake: &Fake, top: u64) -> Memory {
    let device: Arc<dyn Device> = fake.open(device::PATH).unwrap().into();
    let segment = fake.world().segments[0];
    Memory {
        permit: device::get(&*device, segment).unwrap(),
        device,
        system: Arc::new(fake.clone()),
        pid: 1,
        top,
        limits: Limits {
            align: PIECE as u64,
            chunk_bytes: 4096,
            attachments_max: 1,
        },
        attachments: Vec::new(),
        clock: 0,
    }
}

#[test]
fn a_dead_peer_is_gone_before_its_memory_is_touched() {
    let (fake, mut case, start) = arena(|_| {});
    let local = Scratch::new(10);
    case.links
        .copy(Direction::Read, local.buf(), &at(start))
        .unwrap();
    fake.world().dead = true;
    let copied = case.links.copy(Direction::Read, local.buf(), &at(start));
    assert_eq!(copied, Err(crate::smsc::Unreached::Gone));
}
