//! Tests of requests to stay awake: over `shm` a put completes only once the target polls. A target
//! that slept in another wait made each put take as long as its nap.

use std::time::Instant;

use super::*;

/// Counts the completions of polls.
#[derive(Default)]
pub(super) struct Ends(pub(super) usize);

impl Sink for Ends {
    fn deliver(&mut self, _: btl::Arrival<'_>) {}

    fn done(&mut self, _: Token, outcome: Result<(), Error>) {
        assert_eq!(outcome, Ok(()));
        self.0 += 1;
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        panic!("{peer} failed: {error}");
    }
}

/// Returns the reports of a driver's polls as it is about to sleep: the last before the sleep, and
/// the two that follow.
fn before_a_sleep(transport: &mut dyn Transport) -> [usize; 3] {
    let mut ends = Ends::default();
    let _ = transport.arm(SleepKind::Descriptors);
    let found = [0; 3].map(|_| transport.progress(&mut ends));
    transport.disarm();
    found
}

#[test]
fn who_waits_for_an_access_keeps_its_peer_awake() {
    let mut fixture = Over {
        which: Which::System,
        provider: "shm",
        settings: mode(Mode::Both),
    };
    if let Some(why) = fixture.lacks() {
        eprintln!("left out: {why}");
        return;
    }
    let mut both = fixture.open(2);
    let addresses: Vec<_> = both.iter().map(|one| one.address()).collect();
    for (me, one) in both.iter_mut().enumerate() {
        let other = 1 - me;
        let reach = one.add_peer(PeerId(other as u32), &addresses[other]);
        assert_eq!(reach, Ok(Reach::Reachable));
    }
    let (memory, from) = (memory::Scratch::new(64), memory::Scratch::new(64));
    let access = Access {
        read: true,
        write: true,
    };
    let registration = rma(&mut both[1]).register(memory.buf(), access).unwrap();
    let range = RemoteRange {
        key: registration.key,
        offset: 0,
    };
    let mut ends = Ends::default();
    // The provider takes the first when both sides have met.
    while rma(&mut both[0]).put(PeerId(1), from.buf().part(0, 8), range, Token(1))
        == Ok(Started::Busy)
    {
        both[0].progress(&mut ends);
        both[1].progress(&mut Ends::default());
    }
    for _ in 0..10 {
        both[0].progress(&mut ends);
    }
    // It has waited for a moment: no peer is asked yet. The poll completes it there.
    assert_eq!(before_a_sleep(&mut *both[1]), [0, 0, 0]);
    while ends.0 == 0 {
        both[0].progress(&mut ends);
    }
    let begun = rma(&mut both[0]).put(PeerId(1), from.buf().part(0, 8), range, Token(2));
    assert_eq!(begun, Ok(Started::Pending));
    for _ in 0..1000 {
        both[0].progress(&mut ends);
    }
    assert_eq!(
        ends.0, 1,
        "over shm a put of this kind waits for its target"
    );
    let (mut asked, since) = (0, Instant::now());
    for _ in 0..100_000 {
        asked += both[1].progress(&mut Ends::default());
        both[0].progress(&mut ends);
        if (ends.0, asked) == (2, 1) {
            break;
        }
    }
    assert_eq!((ends.0, asked), (2, 1), "it is asked once");
    let found = [(); 2].map(|()| before_a_sleep(&mut *both[1]));
    // On a busy machine the time may be over by now.
    if since.elapsed() < Duration::from_millis(100) {
        assert_eq!(found, [[1, 1, 0]; 2]);
    }
    rma(&mut both[1]).deregister(registration);
}

fn rma(transport: &mut Box<dyn Transport>) -> &mut dyn Rma {
    transport.rma().expect("access to memory")
}
