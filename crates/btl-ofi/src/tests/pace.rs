//! Tests of long puts over `ofi_rxd`, which loses datagrams if many are in flight.

use std::time::Instant;

use super::help::Ends;
use super::*;

const PUTS: usize = 32;
const BYTES: usize = 1 << 20;

/// On a busy machine; it takes a second.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn introduced(fixture: &Over) -> [crate::Transport; 2] {
    let open = |me| fixture.open_one(PeerId(me)).unwrap();
    let mut both = [open(0), open(1)];
    let addresses = [0, 1].map(|one: usize| both[one].address());
    for (me, one) in both.iter_mut().enumerate() {
        let other = 1 - me;
        let reach = one.add_peer(PeerId(other as u32), &addresses[other]);
        assert_eq!(reach, Ok(Reach::Reachable));
    }
    both
}

#[test]
fn a_put_over_rxd_has_one_piece_under_way() {
    let fixture = Over {
        which: Which::System,
        provider: "udp;ofi_rxd",
        settings: mode(Mode::Both),
    };
    if let Some(why) = fixture.lacks() {
        eprintln!("left out: {why}");
        return;
    }
    let [mut origin, mut target] = introduced(&fixture);
    let (memory, from) = (memory::Scratch::new(BYTES), memory::Scratch::new(BYTES));
    let bytes: Vec<u8> = (0..BYTES).map(|n| (n * 7 + n / 4096) as u8).collect();
    from.buf().write(0, &bytes);
    let access = Access {
        read: false,
        write: true,
    };
    let registration = target.register(memory.buf(), access).unwrap();
    let range = RemoteRange {
        key: registration.key,
        offset: 0,
    };
    let (mut ends, mut begun, since) = (Ends::default(), 0, Instant::now());
    while ends.0 < PUTS {
        if begun < PUTS {
            let put = origin.put(PeerId(1), from.buf(), range, Token(begun as u64));
            begun += usize::from(put == Ok(Started::Pending));
        }
        let under_way: Vec<_> = origin.transfers.iter().collect();
        assert!(under_way.len() <= 4);
        assert!(under_way.iter().all(|transfer| transfer.pieces <= 1));
        assert!(
            begun > 1 || under_way.iter().all(|transfer| transfer.posted < BYTES),
            "it has pieces"
        );
        origin.progress(&mut ends);
        target.progress(&mut Ends::default());
        assert!(
            since.elapsed() < PATIENCE,
            "{} of {begun} have ended",
            ends.0
        );
    }
    let mut arrived = vec![0; BYTES];
    memory.buf().read(0, &mut arrived);
    assert!(arrived == bytes);
    target.deregister(registration);
}
