//! Tests of the limits on messages that a peer leaves here: a peer that exceeds them is broken.

use base::{Key, PeerId, Rank, RemoteKey, Service};
use datatype::Buffer;
use memory::{Payload, Scratch, UserBuf};
use pml::{CommId, Context, Failure, Outcome, Pattern, RequestId};

use crate::driver::{Config, Driver, Violation};
use crate::protocol::Protocol;
use crate::wire::{Envelope, Header};

const PEER: PeerId = PeerId(1);

/// Payload bytes of each eager message, and its cost in the window.
const BYTES: usize = 100;
const COST: u64 = 164;

/// Eager messages of the peer that fit the limit, and messages of it that may be ahead of others.
const BUFFERED: u64 = 6;
const AHEAD: usize = 3;

struct NoKeys;

impl Driver for NoKeys {
    fn register(&mut self, _: PeerId, _: UserBuf) -> Option<RemoteKey> {
        None
    }
    fn deregister(&mut self, _: PeerId, _: RemoteKey) {}
    fn now(&self) -> u64 {
        0
    }
    fn served(&mut self, _: PeerId, _: Service) {}
}

/// Returns a process with small limits, among three.
fn process() -> Protocol {
    let limits = Config {
        unexpected_limit: COST,
        buffered_limit: BUFFERED * COST,
        ahead_limit: AHEAD,
    };
    Protocol::new(limits, 3)
}

fn open(protocol: &mut Protocol, context: u64) -> CommId {
    let peers = (0..3).map(PeerId).collect();
    protocol.open_comm(Context(context), Rank(0), peers)
}

fn envelope(context: u64, sequence: u64) -> Envelope {
    Envelope {
        context: Context(context),
        source: Rank(1),
        tag: 5,
        sequence,
        mark: 0,
    }
}

fn arrive(protocol: &mut Protocol, header: Header, payload: usize) -> Result<(), Violation> {
    let mut message = header.encode().as_bytes().to_vec();
    message.resize(message.len() + payload, 0xa5);
    protocol.arrived(PEER, Payload::from(&message[..]), &mut NoKeys)
}

fn eager(protocol: &mut Protocol, context: u64, sequence: u64) -> Result<(), Violation> {
    let envelope = envelope(context, sequence);
    arrive(protocol, Header::Eager { envelope }, BYTES)
}

fn rts(protocol: &mut Protocol, context: u64, sequence: u64) -> Result<(), Violation> {
    let header = Header::Rts {
        envelope: envelope(context, sequence),
        sender: Key::from_bits(sequence),
        total: 1 << 20,
        key: None,
        sent: 0,
    };
    arrive(protocol, header, 0)
}

fn receive(protocol: &mut Protocol, comm: CommId) {
    let room = Scratch::new(BYTES);
    let any = Pattern {
        source: None,
        tag: None,
    };
    let request = protocol.begin_recv(comm, any, Buffer::bytes(room.buf()));
    let outcome = protocol.outcome(request).expect("complete");
    assert_eq!((outcome.result, outcome.status.bytes), (Ok(()), 100));
}

/// A peer that ignored its window could fill this process's memory. What it may leave here counts
/// over all communicators, and a message counts until it is received.
#[test]
fn a_peer_beyond_its_window_is_refused() {
    let mut protocol = process();
    let limit = BUFFERED * COST;
    let comm = open(&mut protocol, 8);
    for sequence in 0..BUFFERED - 1 {
        assert_eq!(eager(&mut protocol, 8, sequence), Ok(()), "{sequence}");
    }
    // Not open yet: it counts as well.
    assert_eq!(eager(&mut protocol, 12, 0), Ok(()));
    let beyond = Err(Violation::Unexpected { limit });
    assert_eq!(eager(&mut protocol, 8, BUFFERED - 1), beyond);
    assert_eq!(eager(&mut protocol, 12, 1), beyond);
    assert_eq!(rts(&mut protocol, 12, 1), Ok(()), "without a payload");
    receive(&mut protocol, comm);
    assert_eq!(eager(&mut protocol, 8, BUFFERED - 1), Ok(()));
    assert_eq!(eager(&mut protocol, 8, BUFFERED), beyond);
    let other = open(&mut protocol, 12);
    assert_eq!(eager(&mut protocol, 8, BUFFERED), beyond, "counted once");
    receive(&mut protocol, other);
    for _ in 0..BUFFERED - 1 {
        receive(&mut protocol, comm);
    }
    for sequence in 0..BUFFERED {
        let received = eager(&mut protocol, 8, BUFFERED + sequence);
        assert_eq!(received, Ok(()), "{sequence}");
    }
    assert_eq!(eager(&mut protocol, 8, 2 * BUFFERED), beyond);
}

/// RTS headers cost no window, so a peer could send any number of them to a communicator that is
/// never opened, or leave out the message that all others wait for.
#[test]
fn messages_ahead_of_others_are_limited() {
    let mut protocol = process();
    let beyond = Err(Violation::Ahead { limit: AHEAD });
    for sequence in 0..AHEAD as u64 {
        assert_eq!(rts(&mut protocol, 8 + sequence, 0), Ok(()));
    }
    assert_eq!(rts(&mut protocol, 20, 0), beyond, "a context more");
    assert_eq!(rts(&mut protocol, 8, 1), beyond, "a message more");
    for context in 8..8 + AHEAD as u64 {
        open(&mut protocol, context);
    }
    for sequence in 2..2 + AHEAD as u64 {
        assert_eq!(rts(&mut protocol, 8, sequence), Ok(()), "{sequence}");
    }
    assert_eq!(rts(&mut protocol, 8, 9), beyond);
    // The message in between lets the others have their turn.
    assert_eq!(rts(&mut protocol, 8, 1), Ok(()));
    assert_eq!(rts(&mut protocol, 8, 9), Ok(()));
}

/// A message that is withdrawn, or received after a matched probe, counts no longer.
#[test]
fn withdrawn_and_probed_messages_leave_room_for_others() {
    let mut protocol = process();
    let comm = open(&mut protocol, 8);
    let any = Pattern {
        source: None,
        tag: None,
    };
    for sequence in 0..3 * BUFFERED {
        let header = Header::EagerAck {
            envelope: envelope(8, sequence),
            sender: Key::from_bits(sequence),
        };
        assert_eq!(arrive(&mut protocol, header, BYTES), Ok(()), "{sequence}");
        if sequence % 2 == 0 {
            let sender = Key::from_bits(sequence);
            let withdrawn = arrive(&mut protocol, Header::Withdraw { sender }, 0);
            assert_eq!(withdrawn, Ok(()));
        } else {
            let (message, _) = protocol.matched_probe(comm, any).expect("a message");
            let room = Scratch::new(BYTES);
            let request = protocol.begin_matched_recv(message, Buffer::bytes(room.buf()));
            let outcome = protocol.outcome(request.expect("a message"));
            assert!(outcome.expect("complete").result.is_ok());
        }
    }
}

/// Returns the pending receive of a message in a communicator, from a source or any.
fn post(protocol: &mut Protocol, comm: CommId, source: Option<u32>, room: &Scratch) -> RequestId {
    let pattern = Pattern {
        source: source.map(Rank),
        tag: None,
    };
    protocol.begin_recv(comm, pattern, Buffer::bytes(room.buf()))
}

/// A receive from any source may be one that a dead member would have served: each wait reports the
/// death until the application acknowledges it. The receive stays posted.
#[test]
fn a_receive_from_any_source_reports_a_death_until_it_is_acknowledged() {
    let mut protocol = process();
    let (comm, apart) = (open(&mut protocol, 8), PeerId(2));
    let (room, later) = (Scratch::new(BYTES), Scratch::new(BYTES));
    let any = post(&mut protocol, comm, None, &room);
    let named = post(&mut protocol, comm, Some(2), &later);
    protocol.peer_failed(apart, "it was killed", &mut NoKeys);
    let lost = protocol.outcome(named).expect("complete").result;
    assert!(matches!(lost, Err(Failure::PeerFailed { peer, .. }) if peer == apart));
    let reports_death = |outcome: Option<Outcome>| {
        let result = outcome.expect("reported").result;
        matches!(result, Err(Failure::Pending { peer, .. }) if peer == apart)
    };
    assert!(protocol.is_done(any) && reports_death(protocol.outcome(any)));
    assert!(reports_death(protocol.outcome(any)), "reported again");
    let second = post(&mut protocol, comm, None, &later);
    assert!(
        reports_death(protocol.outcome(second)),
        "begun after the death"
    );

    protocol.acknowledge(comm);
    assert!(!protocol.is_done(any) && !protocol.is_done(second));
    assert_eq!(eager(&mut protocol, 8, 0), Ok(()));
    let received = protocol.outcome(any).expect("complete");
    assert_eq!((received.result, received.status.bytes), (Ok(()), 100));
    assert!(!protocol.is_done(second));
    assert!(protocol.cancel(second));
    assert!(
        protocol
            .outcome(second)
            .expect("cancelled")
            .status
            .cancelled
    );
    assert_eq!(protocol.open_requests(), 0);
}

/// A message that comes while its receive reports a death completes it.
#[test]
fn a_receive_that_reported_a_death_takes_the_message_of_another() {
    let mut protocol = process();
    let comm = open(&mut protocol, 8);
    let room = Scratch::new(BYTES);
    let any = post(&mut protocol, comm, None, &room);
    protocol.peer_failed(PeerId(2), "it was killed", &mut NoKeys);
    assert_eq!(eager(&mut protocol, 8, 0), Ok(()));
    let received = protocol.outcome(any).expect("complete");
    assert_eq!((received.result, received.status.bytes), (Ok(()), 100));
    assert_eq!(protocol.open_requests(), 0);
}

/// A revoked communicator ends what waits and refuses what begins, and others go on. Its messages
/// are held until it is closed; their sender has the room again then.
#[test]
fn a_revoked_communicator_ends_its_receives_and_no_others() {
    let mut protocol = process();
    let (comm, other) = (open(&mut protocol, 8), open(&mut protocol, 12));
    let rooms: Vec<Scratch> = (0..4).map(|_| Scratch::new(BYTES)).collect();
    let any = post(&mut protocol, comm, None, &rooms[0]);
    let named = post(&mut protocol, comm, Some(1), &rooms[1]);
    let apart = post(&mut protocol, other, None, &rooms[2]);
    let held = protocol.revoke(comm).expect("an open communicator");
    let begun = post(&mut protocol, comm, None, &rooms[3]);
    for request in [any, named, begun] {
        let result = protocol.outcome(request).expect("complete").result;
        assert!(matches!(result, Err(Failure::Revoked)), "{result:?}");
    }
    assert!(matches!(
        protocol.hopeless(comm, None),
        Some(Failure::Revoked)
    ));
    assert_eq!(protocol.revoke(comm), None);
    assert!(!protocol.is_done(apart));

    for sequence in 0..BUFFERED {
        assert_eq!(eager(&mut protocol, 8, sequence), Ok(()), "{sequence}");
    }
    let limit = BUFFERED * COST;
    let beyond = Err(Violation::Unexpected { limit });
    assert_eq!(eager(&mut protocol, 8, BUFFERED), beyond);
    protocol.close_comm(held);
    assert_eq!(eager(&mut protocol, 12, 0), Ok(()));
    assert_eq!(protocol.outcome(apart).expect("complete").result, Ok(()));
    assert_eq!(protocol.open_requests(), 0);
}

/// A sender may learn that a communicator was revoked after the receiver has closed it: its message
/// is withdrawn all the same, since it waits for that.
#[test]
fn a_message_of_a_closed_communicator_can_be_withdrawn() {
    let mut protocol = process();
    let comm = open(&mut protocol, 8);
    assert_eq!(rts(&mut protocol, 8, 0), Ok(()));
    let sender = Key::from_bits(0);
    let held = protocol.revoke(comm).expect("an open communicator");
    protocol.close_comm(held);
    assert!(!protocol.has_frames());
    assert_eq!(
        arrive(&mut protocol, Header::Withdraw { sender }, 0),
        Ok(())
    );
    assert!(protocol.has_frames(), "the sender is notified");
    let other = Key::from_bits(7);
    let mut protocol = process();
    let withdraw = Header::Withdraw { sender: other };
    assert_eq!(arrive(&mut protocol, withdraw, 0), Ok(()));
    assert!(!protocol.has_frames(), "its end was reported already");
}
