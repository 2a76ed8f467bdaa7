//! Tests of messages in pieces, over providers that accept nothing before both ends are connected.
//!
//! A piece that did not end its message was reported by neither end: their drivers took the time
//! between two pieces for idle time, and their waits climbed to naps of milliseconds.

use super::*;

/// Longer than any provider copies at once, with its header; two pieces.
const HEADER: [u8; 48] = [1; 48];
const PAYLOAD_BYTES: usize = 4096;

/// Gathers messages.
#[derive(Default)]
struct Messages(Vec<Vec<u8>>);

impl Sink for Messages {
    fn deliver(&mut self, arrival: btl::Arrival<'_>) {
        self.0.push(arrival.payload.to_vec());
    }

    fn done(&mut self, token: Token, _: Result<(), Error>) {
        panic!("{token:?} was never started");
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        panic!("{peer} failed: {error}");
    }
}

#[test]
fn each_piece_of_a_message_is_an_event_at_both_ends() {
    for provider in ["shm", "tcp;ofi_rxm"] {
        let fixture = Over {
            which: Which::System,
            provider,
            settings: mode(Mode::TwoSided),
        };
        match fixture.lacks() {
            Some(why) => eprintln!("left out: {why}"),
            None => count_events(&fixture),
        }
    }
}

fn count_events(fixture: &Over) {
    let [mut from, mut to] = pace::introduced(fixture);
    let most = from
        .sends
        .limits()
        .piece_max
        .expect("a provider that copies short messages");
    let payload = vec![7; most.max(PAYLOAD_BYTES)];
    let scratch = memory::Scratch::new(payload.len());
    scratch.buf().write(0, &payload);
    let sent = from.send(PeerId(1), AmTag::PML, &HEADER, scratch.buf());
    assert_eq!(sent, Ok(Flow::Sent));
    let waits = from
        .peers
        .get(PeerId(1))
        .is_some_and(|peer| peer.has_unsent());
    assert!(
        waits,
        "the provider accepts a message before it has connected"
    );
    let (mut events, mut messages) = ([0; 2], Messages::default());
    let since = std::time::Instant::now();
    while messages.0.is_empty() {
        events[0] += from.progress(&mut Messages::default());
        events[1] += to.progress(&mut messages);
        assert!(since.elapsed() < Duration::from_secs(60), "{events:?}");
    }
    assert_eq!(messages.0, [[&HEADER[..], &payload].concat()]);
    assert_eq!(events, [2, 2], "{}: two pieces", fixture.provider);
}
