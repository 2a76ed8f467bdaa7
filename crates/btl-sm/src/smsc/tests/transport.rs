//! Tests of the components behind the transport: the content of keys, and errors without
//! components.

use base::PeerId;
use btl::{Error, RemoteRange, Rma as _, Started, Token, Transport};

use super::*;
use crate::address::Address;
use crate::{open, Config, Sm};

const BOTH: Access = Access {
    read: true,
    write: true,
};

/// Two instances, each with its list, on one machine.
fn pair(fake: &Fake, lists: [&str; 2]) -> [Sm; 2] {
    let instance = |at: usize| {
        let params = Params {
            smsc: settings(lists[at]),
            ..Params::default()
        };
        let config = Config {
            me: PeerId(at as u32),
            generation: 0,
            attach_late: false,
            crowded: false,
            settings: params,
            system: Arc::new(fake.clone()),
        };
        open(config).unwrap()
    };
    [instance(0), instance(1)]
}

fn introduce(to: &mut Sm, other: &Sm) {
    let reach = to.add_peer(other.me, &other.address()).unwrap();
    assert_eq!(reach, btl::Reach::Reachable);
}

/// Reads 1000 bytes of `of`, and checks them.
fn read(by: &mut Sm, of: &mut Sm) -> Result<(), Error> {
    let (theirs, ours) = (Scratch::new(1003), Scratch::new(1000));
    theirs.buf().write(0, &pattern(1003, 5));
    let registration = of.register(theirs.buf(), BOTH).unwrap();
    let remote = RemoteRange {
        key: registration.key,
        offset: 3,
    };
    let started = by.get(of.me, ours.buf(), remote, Token(1));
    of.deregister(registration);
    assert_eq!(started?, Started::Done);
    let mut got = vec![0; 1000];
    ours.buf().read(0, &mut got);
    assert!(got == pattern(1003, 5)[3..]);
    Ok(())
}

#[test]
fn who_can_only_use_regions_has_its_peer_make_them() {
    let fake = Fake::default();
    let [mut maker, mut reader] = pair(&fake, ["cma,knem", "knem"]);
    let memory = Scratch::new(100);
    let key_bytes = |maker: &mut Sm| {
        let registration = maker.register(memory.buf(), BOTH).unwrap();
        let bytes = registration.key.as_bytes().len();
        maker.deregister(registration);
        bytes
    };
    introduce(&mut maker, &reader);
    assert_eq!(
        maker.hints(reader.me).explain.unwrap(),
        "knem (cma: the peer does not have it open)"
    );
    drop(maker);
    let [mut maker, _] = pair(&fake, ["cma,knem", "none"]);
    assert_eq!(key_bytes(&mut maker), 16, "nobody asked");
    introduce(&mut reader, &maker);
    assert_eq!(key_bytes(&mut maker), 24, "the reader did");
    read(&mut reader, &mut maker).unwrap();
    assert_eq!(fake.world().flags.len(), 3, "two looks, and what was read");
}

#[test]
fn when_nothing_is_left_the_layers_above_get_an_error() {
    let fake = Fake::default();
    let [mut one, mut other] = pair(&fake, ["cma,knem", "cma,knem"]);
    introduce(&mut one, &other);
    introduce(&mut other, &one);
    read(&mut one, &mut other).unwrap();
    fake.world().copy_fails = Some((0, libc::EPERM, usize::MAX));
    // The message that it fails with was registered without a region.
    let lost = read(&mut one, &mut other);
    assert!(matches!(lost, Err(Error::Unsupported { .. })), "{lost:?}");
    read(&mut one, &mut other).expect("the next one has a region");
    assert!(one.hints(other.me).reads);
    fake.world()
        .failing
        .insert(KNEM_INLINE_COPY, (0, libc::EIO));
    let lost = read(&mut one, &mut other);
    assert!(matches!(lost, Err(Error::Unsupported { .. })), "{lost:?}");
    assert!(!one.hints(other.me).reads);
    let explained = one.hints(other.me).explain.unwrap();
    assert!(
        explained.starts_with("none (cma: Operation not permitted"),
        "{explained}"
    );
}

#[test]
fn a_peer_that_has_ended_is_gone() {
    let fake = Fake::default();
    let [mut one, mut other] = pair(&fake, ["xpmem", "xpmem"]);
    introduce(&mut one, &other);
    read(&mut one, &mut other).unwrap();
    fake.world().dead = true;
    let lost = read(&mut one, &mut other);
    assert!(matches!(lost, Err(Error::PeerGone { .. })), "{lost:?}");
    // What is dropped lets go of everything, in whichever order.
    drop(other);
    drop(one);
    fake.expect_nothing_left();
}

#[test]
fn addresses_with_offers_that_are_none_are_refused() {
    let fake = Fake::default();
    let [one, _] = pair(&fake, ["", ""]);
    let good = one.address();
    let address = Address::decode(&good).unwrap();
    assert_eq!(address.encode(), good);
    let without = good.len() - address.offers.len();
    for len in 0..good.len() {
        let offers = good.get(without..len);
        let whole = offers.is_some_and(are_offers);
        assert_eq!(
            Address::decode(&good[..len]).is_some(),
            whole,
            "{len} bytes"
        );
    }
    let mut longer = good.clone();
    longer.extend([9, 3, 1, 2]);
    assert!(Address::decode(&longer).is_none());
    longer.push(3);
    assert!(
        Address::decode(&longer).is_some(),
        "a component of a later version"
    );
}
