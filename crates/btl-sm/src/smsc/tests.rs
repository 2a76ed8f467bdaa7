//! Tests of choice, trial and failover of components, and of real copies between processes.

mod processes;
mod transport;

use std::sync::Arc;

use mca::{ComponentList, Framework};
use memory::Scratch;

use super::fake::{Fake, KNEM_INLINE_COPY, XPMEM_ATTACH, XPMEM_GET, XPMEM_MAKE};
use super::*;
use crate::params::Settings as Params;

/// The default settings, with this list.
pub(super) fn settings(list: &str) -> Settings {
    Settings {
        wanted: ComponentList::parse(Framework::Smsc, list, COMPONENTS).unwrap(),
        off: None,
        ..Params::default().smsc
    }
}

/// A process that is its own peer.
pub(super) struct Case {
    pub(super) links: Links,
    pub(super) smsc: Smsc,
    _cookie: Box<u64>,
}

impl Case {
    pub(super) fn new(fake: &Fake, settings: &Settings) -> Case {
        Case::keeping(fake, settings, Caching::NONE)
    }

    pub(super) fn keeping(fake: &Fake, settings: &Settings, caching: Caching<'_>) -> Case {
        let cookie = Box::new(0x0123_4567_89ab_cdef);
        let mut smsc = Smsc::open(&Opening {
            system: Arc::new(fake.clone()),
            settings,
            cookie: &cookie,
            caching,
        });
        let peer = Peer {
            pid: std::process::id(),
            cookie: *cookie,
            probe: std::ptr::from_ref(&*cookie).expose_provenance() as u64,
        };
        let offers = smsc.offers();
        assert!(are_offers(&offers));
        let links = smsc.connect(&peer, &offers);
        Case {
            links,
            smsc,
            _cookie: cookie,
        }
    }

    /// Returns why a component is not used, here or for the pair.
    pub(super) fn reason(&self, name: &str) -> String {
        let here = self.smsc.choice().considered.iter();
        let here = here
            .filter(|(found, _)| *found == name)
            .map(|(_, verdict)| verdict.to_string());
        let pair = self
            .links
            .refused
            .iter()
            .filter(|(found, _)| *found == name);
        let all: Vec<String> = here.chain(pair.map(|(_, why)| why.clone())).collect();
        all.join("; ")
    }

    fn names(&self) -> Vec<&'static str> {
        self.links
            .links
            .iter()
            .map(|(mechanism, _)| mechanism.name())
            .collect()
    }
}

fn pattern(len: usize, seed: usize) -> Vec<u8> {
    (0..len)
        .map(|i| ((i + seed) / 7 * 13 % 249) as u8)
        .collect()
}

/// Memory that is registered for reading and writing, and the place `offset` bytes into it.
fn registered(case: &mut Case, memory: UserBuf, offset: u64) -> Target {
    let both = Access {
        read: true,
        write: true,
    };
    let region = case.smsc.register(memory, both, true).map(|made| made.0);
    let key = key::encode(memory, both, region).unwrap();
    key::locate(&key, offset, 0, Direction::Read).unwrap()
}

/// Gets from and puts to `memory`, and checks every byte.
fn expect_copies(case: &mut Case, len: usize, offset: usize, seed: usize) -> Result<(), Unreached> {
    let memory = Scratch::new(offset + len + 3);
    memory.buf().write(0, &pattern(offset + len + 3, seed));
    let target = registered(case, memory.buf(), offset as u64);
    let local = Scratch::new(len);
    case.links.copy(Direction::Read, local.buf(), &target)?;
    let mut got = vec![0; len];
    local.buf().read(0, &mut got);
    assert!(
        got == pattern(offset + len, seed)[offset..],
        "get of {len} at {offset}"
    );
    local.buf().write(0, &pattern(len, seed + 1000));
    case.links.copy(Direction::Write, local.buf(), &target)?;
    let mut after = vec![0; offset + len + 3];
    memory.buf().read(0, &mut after);
    let before = pattern(offset + len + 3, seed);
    assert!(
        after[..offset] == before[..offset],
        "bytes before a put of {len} at {offset}"
    );
    assert!(
        after[offset..offset + len] == pattern(len, seed + 1000),
        "put of {len} at {offset}"
    );
    assert!(
        after[offset + len..] == before[offset + len..],
        "bytes behind {len} at {offset}"
    );
    Ok(())
}

const SHAPES: [(usize, usize); 8] = [
    (0, 0),
    (1, 0),
    (1, 4095),
    (8, 1),
    (4096, 4096),
    (65_537, 13),
    (1 << 20, 1),
    (3_000_001, 77),
];

#[test]
fn the_best_that_there_is_comes_first() {
    let names = |list: &str, change: &dyn Fn(&Fake, &mut Settings)| {
        let (fake, mut settings) = (Fake::default(), settings(list));
        change(&fake, &mut settings);
        let case = Case::new(&fake, &settings);
        let mut winners = case.smsc.choice().winners.clone();
        winners.retain(|name| *name != "none");
        assert_eq!(case.names(), winners, "{list}");
        winners
    };
    let asis = |_: &Fake, _: &mut Settings| {};
    assert_eq!(names("", &asis), ["xpmem", "cma", "knem"]);
    assert_eq!(names("^xpmem", &asis), ["cma", "knem"]);
    assert_eq!(names("knem", &asis), ["knem"]);
    assert_eq!(names("cma,none", &asis), ["cma"]);
    assert!(names("none", &asis).is_empty());
    assert_eq!(names("^none", &asis), ["xpmem", "cma", "knem"]);
    let order = names("", &|_, settings| settings.priorities = [1, 2, 3]);
    assert_eq!(order, ["knem", "cma", "xpmem"]);
    let order = names("", &|_, settings| settings.priorities = [42, -1, 42]);
    assert_eq!(order, ["xpmem", "knem"]);
    let absent = names("", &|fake, _| fake.world().devices.clear());
    assert_eq!(absent, ["cma"]);
}

#[test]
fn each_refusal_has_its_reason() {
    let fake = Fake::default();
    fake.world().devices.remove("/dev/xpmem");
    fake.world().devices.insert("/dev/knem", libc::EACCES);
    let case = Case::new(&fake, &settings(""));
    assert_eq!(case.reason("xpmem"), "declined, there is no /dev/xpmem");
    assert!(case
        .reason("knem")
        .contains("/dev/knem cannot be opened: Permission denied"));
    assert_eq!(case.links.explain(), "cma");
    let case = Case::new(&fake, &settings("none"));
    assert_eq!(case.smsc.choice().winners, ["none"]);
    assert_eq!(case.links.explain(), "none");

    let fake = Fake::default();
    fake.world().failing.insert(XPMEM_MAKE, (0, libc::EFAULT));
    let case = Case::new(&fake, &settings(""));
    assert!(case.reason("xpmem").contains("cannot be made a segment"));

    let fake = Fake::default();
    fake.world().failing.insert(XPMEM_GET, (0, libc::EACCES));
    fake.world()
        .failing
        .insert(KNEM_INLINE_COPY, (0, libc::EPERM));
    fake.world().copy_fails = Some((0, libc::EPERM, 1));
    let case = Case::new(&fake, &settings(""));
    let explained = case.links.explain();
    for part in [
        "none (xpmem: there is no permit",
        "cma: the kernel forbids it",
        "knem: 8 bytes",
    ] {
        assert!(explained.contains(part), "{explained}");
    }
}

#[test]
fn bytes_that_are_not_the_peers_are_not_taken_for_it() {
    let fake = Fake::default();
    let mut case = Case::new(&fake, &settings(""));
    let offers = case.smsc.offers();
    let other = Box::new(5_u64);
    let peer = Peer {
        pid: std::process::id(),
        cookie: 6,
        probe: std::ptr::from_ref(&*other).expose_provenance() as u64,
    };
    let links = case.smsc.connect(&peer, &offers);
    assert!(links.is_empty());
    assert_eq!(links.explain().matches("is not what it said").count(), 3);
    // Offers of a peer that has less, and malformed ones.
    let links = case.smsc.connect(&peer, &[]);
    assert_eq!(links.explain().matches("does not have it open").count(), 3);
    let short = [1, 1, 9, 2, 2, 9, 9, 3, 0];
    assert!(are_offers(&short));
    let links = case.smsc.connect(&peer, &short);
    assert!(links.is_empty() && links.refused.len() == 3);
    assert!(!are_offers(&short[..8]) && !are_offers(&[1]) && !are_offers(&[1, 255]));
}

#[test]
fn every_byte_of_every_shape_by_each_component() {
    for list in ["xpmem", "cma", "knem"] {
        let fake = Fake::default();
        let mut case = Case::new(&fake, &settings(list));
        assert_eq!(case.names(), [list]);
        for (seed, (len, offset)) in SHAPES.into_iter().enumerate() {
            assert_eq!(
                expect_copies(&mut case, len, offset, seed),
                Ok(()),
                "{list}"
            );
        }
        drop(case);
        fake.expect_nothing_left();
    }
}

#[test]
fn copies_that_the_kernel_does_by_parts_are_whole() {
    let fake = Fake::default();
    fake.world().copy_bytes_max = 4099;
    let mut case = Case::new(&fake, &settings("cma"));
    for (seed, (len, offset)) in SHAPES.into_iter().enumerate() {
        fake.world().copy_fails = Some((3, libc::EINTR, 5));
        assert_eq!(expect_copies(&mut case, len, offset, seed), Ok(()));
    }
    fake.world().copy_bytes_max = 0;
    let copied = expect_copies(&mut case, 10, 0, 0);
    assert_eq!(
        copied,
        Err(Unreached::ByNone),
        "no progress is the end of it"
    );
}

/// A component that fails in mid-run or in mid-message is replaced by the next.
#[test]
fn what_fails_in_mid_run_is_taken_over_without_a_wrong_byte() {
    let fake = Fake::default();
    let mut case = Case::new(&fake, &settings(""));
    assert_eq!(expect_copies(&mut case, 100_000, 1, 1), Ok(()));
    assert_eq!(case.names(), ["xpmem", "cma", "knem"]);

    let attachments = XPMEM_ATTACH;
    fake.world().failing.insert(attachments, (0, libc::EPERM));
    // Memory that is attached goes on; more than that cannot be.
    assert_eq!(expect_copies(&mut case, 40 << 20, 5, 2), Ok(()));
    assert_eq!(case.names(), ["cma", "knem"]);
    assert!(case.reason("xpmem").contains("cannot be attached"));

    fake.world().copy_bytes_max = 1000;
    fake.world().copy_fails = Some((33, libc::EPERM, usize::MAX));
    assert_eq!(
        expect_copies(&mut case, 100_000, 7, 3),
        Ok(()),
        "withdrawn after 33000 bytes"
    );
    assert_eq!(case.names(), ["knem"]);
    assert!(case.links.need_region());

    fake.world()
        .failing
        .insert(KNEM_INLINE_COPY, (1, libc::EIO));
    assert_eq!(expect_copies(&mut case, 100, 0, 4), Err(Unreached::ByNone));
    assert!(case.links.is_empty());
    let explained = case.links.explain();
    for (name, why) in [
        ("xpmem", "attached"),
        ("cma", "permitted"),
        ("knem", "output"),
    ] {
        let why_not = case.reason(name);
        assert!(
            explained.contains(name) && why_not.contains(why),
            "{explained}"
        );
    }
}

#[test]
fn mappings_outlive_the_link_that_made_them() {
    let fake = Fake::default();
    let mut case = Case::new(&fake, &settings(""));
    let memory = Scratch::new(100);
    let target = registered(&mut case, memory.buf(), 10);
    let (mapped, number) = case.links.map(&target, 50).unwrap();
    fake.world().failing.insert(XPMEM_ATTACH, (0, libc::EPERM));
    assert_eq!(expect_copies(&mut case, 40 << 20, 5, 2), Ok(()));
    assert_eq!(case.names(), ["cma", "knem"]);
    assert!(case.links.map(&target, 50).is_none());
    memory.buf().write(59, &[77]);
    let mut seen = [0];
    mapped.read(49, &mut seen);
    assert_eq!(seen, [77]);
    assert!(!fake.world().attached.is_empty());
    case.links.unmap(number);
    drop(case);
    fake.expect_nothing_left();
}

#[test]
fn the_ends_of_peers_and_of_memory_are_distinguished() {
    for (code, wanted) in [
        (libc::ESRCH, Unreached::Gone),
        (libc::EFAULT, Unreached::Fault),
        (libc::ENOMEM, Unreached::ByNone),
    ] {
        let fake = Fake::default();
        let mut case = Case::new(&fake, &settings("cma"));
        fake.world().copy_fails = Some((0, code, 1));
        assert_eq!(expect_copies(&mut case, 10, 0, 0), Err(wanted));
        assert_eq!(
            expect_copies(&mut case, 10, 0, 0),
            Ok(()),
            "none of these is for ever"
        );
    }
    let fake = Fake::default();
    let mut case = Case::new(&fake, &settings("knem"));
    fake.world()
        .failing
        .insert(KNEM_INLINE_COPY, (0, libc::EIO));
    fake.world().dead = true;
    assert_eq!(expect_copies(&mut case, 10, 0, 0), Err(Unreached::Gone));
}

/// The devices of the machine, where it has them.
#[test]
fn the_devices_themselves() {
    for list in ["xpmem", "knem"] {
        let cookie = Box::new(99_u64);
        let mut smsc = Smsc::open(&Opening {
            system: Arc::new(Kernel),
            settings: &settings(list),
            cookie: &cookie,
            caching: Caching::NONE,
        });
        if let Some((_, Verdict::Declined(why))) = smsc
            .choice()
            .considered
            .iter()
            .find(|(name, _)| *name == list)
        {
            println!("skipped: {list}: {why}");
            continue;
        }
        let peer = Peer {
            pid: std::process::id(),
            cookie: *cookie,
            probe: std::ptr::from_ref(&*cookie).expose_provenance() as u64,
        };
        let offers = smsc.offers();
        let links = smsc.connect(&peer, &offers);
        let mut case = Case {
            links,
            smsc,
            _cookie: cookie,
        };
        for (seed, (len, offset)) in SHAPES.into_iter().enumerate() {
            assert_eq!(
                expect_copies(&mut case, len, offset, seed),
                Ok(()),
                "{list}"
            );
        }
    }
}
