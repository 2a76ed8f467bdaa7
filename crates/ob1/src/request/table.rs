//! Test of the request states: puts a request into every state and applies every event to it.
//!
//! [`ROWS`] has the expected results. The table in the documentation of [`crate::request`] lists
//! the same rows, and a test compares the two. Where a state has no row for an event, [`EVENTS`]
//! has the result: the request stays as it is, or, for a reply or a part of a message that no
//! request expects, the event is refused as a violation of the protocol and has no effect.

use base::{Cut, Key, PeerId, Rank, RemoteKey, Service};
use datatype::Buffer;
use memory::{Payload, Scratch, UserBuf};
use pml::{CommId, Context, Failure, Mode, Pattern, RequestId};

use crate::driver::{Config, Driver, Limits, Violation};
use crate::peer::Outgoing;
use crate::protocol::Protocol;
use crate::request::Phase;
use crate::wire::{Envelope, Header, FRAGMENT_BYTES};

/// States of a request, as the table counts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Queued,
    QueuedSynchronous,
    Pipelined,
    Buffered,
    Unmatched,
    Rendezvous,
    Streaming,
    Posted,
    Gathering,
    Reading,
    Collecting,
    Done,
}

/// Events that may concern a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    TookOne,
    TookLast,
    TookLastAndBuffers,
    Left,
    Cts,
    CtsBeyond,
    Fin,
    FinByOther,
    Cancelled,
    Withdrawn,
    Eager,
    EagerAck,
    Readable,
    Unreadable,
    WithAll,
    FirstPart,
    NextPart,
    LastPart,
    PartBeyond,
    ReadDone,
    ReadRefused,
    Fragment,
    LastFragment,
    FragmentBeyond,
    PeerFailed,
    PeerLeft,
}

/// Effect of an event on a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// None: the state stays.
    Stays,
    To(State),
    /// The request is complete, and cancelled.
    Cancelled,
    /// The request is complete with an error.
    Failed,
    /// The event is refused as a violation of the protocol.
    Refused,
}

use Event::*;
use Next::{Failed, Refused, Stays, To};
use State::*;

/// Every state.
const STATES: &[State] = &[
    Queued,
    QueuedSynchronous,
    State::Pipelined,
    Buffered,
    Unmatched,
    Rendezvous,
    Streaming,
    Posted,
    Gathering,
    Reading,
    Collecting,
    Done,
];

/// Every event: its name in the table, and its effect in states that have no row for it.
const EVENTS: &[(Event, &str, Next)] = &[
    (TookOne, "the lane took a frame that is not the last", Stays),
    (TookLast, "the lane took the last frame", Stays),
    (
        TookLastAndBuffers,
        "a lane that buffers messages took the last frame",
        Stays,
    ),
    (Left, "the lane no longer buffers it", Stays),
    (Cts, "CTS", Refused),
    (CtsBeyond, "CTS for more bytes than there are", Refused),
    (Fin, "FIN", Refused),
    (FinByOther, "FIN of another peer", Refused),
    (Event::Cancelled, "cancelled", Stays),
    (Withdrawn, "WITHDRAWN", Refused),
    (Eager, "EAGER", Stays),
    (EagerAck, "EAGER_ACK", Stays),
    (Readable, "RTS with a key", Stays),
    (Unreadable, "RTS without a key", Stays),
    (WithAll, "RTS with the whole message", Stays),
    (FirstPart, "LONG", Stays),
    (NextPart, "MORE that is not the last", Refused),
    (LastPart, "the last MORE", Refused),
    (PartBeyond, "MORE than there is", Refused),
    (ReadDone, "the read is done", Stays),
    (ReadRefused, "the read was refused", Stays),
    (Fragment, "FRAGMENT that is not the last", Refused),
    (LastFragment, "the last FRAGMENT", Refused),
    (FragmentBeyond, "FRAGMENT behind the end", Refused),
    (PeerFailed, "the peer failed", Failed),
    (PeerLeft, "the peer left", Failed),
];

/// A state, an event, its effect on the request, and the message sent in consequence.
type Row = (State, Event, Next, &'static str);

/// The effects that differ from the last column of [`EVENTS`].
const ROWS: &[Row] = &[
    (Queued, TookLast, To(Done), ""),
    (Queued, TookLastAndBuffers, To(Buffered), ""),
    (QueuedSynchronous, TookLast, To(Unmatched), ""),
    (QueuedSynchronous, TookLastAndBuffers, To(Unmatched), ""),
    (QueuedSynchronous, Event::Cancelled, Stays, "WITHDRAW"),
    (State::Pipelined, TookLast, To(Done), ""),
    (State::Pipelined, TookLastAndBuffers, To(Buffered), ""),
    (Buffered, Left, To(Done), ""),
    (Unmatched, Fin, To(Done), ""),
    (Unmatched, Event::Cancelled, Stays, "WITHDRAW"),
    (Unmatched, Withdrawn, Next::Cancelled, ""),
    (Rendezvous, Cts, To(Streaming), "FRAGMENT"),
    (Rendezvous, Fin, To(Done), ""),
    (Rendezvous, Event::Cancelled, Stays, "WITHDRAW"),
    (Rendezvous, Withdrawn, Next::Cancelled, ""),
    (Streaming, TookLast, To(Done), ""),
    (Streaming, TookLastAndBuffers, To(Buffered), ""),
    (Posted, Eager, To(Done), ""),
    (Posted, EagerAck, To(Done), "FIN"),
    (Posted, Readable, To(Reading), "a read"),
    (Posted, Unreadable, To(Collecting), "CTS"),
    (Posted, WithAll, To(Done), "FIN"),
    (Posted, FirstPart, To(Gathering), ""),
    (Posted, Event::Cancelled, Next::Cancelled, ""),
    (Posted, PeerLeft, Stays, ""),
    (Gathering, FirstPart, Refused, ""),
    (Gathering, NextPart, Stays, ""),
    (Gathering, LastPart, To(Done), ""),
    (Reading, ReadDone, To(Done), "FIN"),
    (Reading, ReadRefused, To(Collecting), "CTS"),
    (Collecting, Fragment, Stays, ""),
    (Collecting, LastFragment, To(Done), ""),
    (Done, PeerFailed, Stays, ""),
    (Done, PeerLeft, Stays, ""),
];

/// Returns the expected effect of an event in a state, and the message sent.
fn cell(state: State, event: Event) -> (Next, &'static str) {
    // A message of a single frame has only a last frame.
    let event = match (state, event) {
        (Queued | QueuedSynchronous, TookOne) => TookLast,
        _ => event,
    };
    let row = ROWS.iter().find(|row| (row.0, row.1) == (state, event));
    match row {
        Some(&(_, _, next, sent)) => (next, sent),
        None => {
            let (_, _, next) = EVENTS.iter().find(|known| known.0 == event).expect("known");
            (*next, "")
        }
    }
}

#[test]
fn every_event_has_its_effect_in_every_state() {
    for &state in STATES {
        for &(event, ..) in EVENTS {
            let mut world = World::in_state(state);
            let (next, sent) = cell(state, event);
            let (seen, queued) = world.meet(state, event);
            assert_eq!((seen, &queued[..]), (next, sent), "{state:?}, {event:?}");
            world.check_registrations();
        }
    }
}

/// Checks that no row is there twice, or repeats the default of [`EVENTS`].
#[test]
fn every_row_differs_from_the_default() {
    for (at, row) in ROWS.iter().enumerate() {
        let same = |other: &&Row| (other.0, other.1) == (row.0, row.1);
        assert_eq!(
            ROWS.iter().position(|other| same(&other)),
            Some(at),
            "{row:?}"
        );
        let (_, _, usual) = EVENTS.iter().find(|known| known.0 == row.1).expect("known");
        assert!(row.2 != *usual || !row.3.is_empty(), "{row:?}");
    }
}

/// Checks that the documentation of [`crate::request`] lists these rows.
#[test]
fn the_documentation_shows_the_table() {
    let source = include_str!("../request.rs");
    let shown: Vec<&str> = source
        .lines()
        .filter(|line| line.starts_with("//! |") && !line.starts_with("//! |-"))
        .collect();
    let mut wanted = vec!["//! | state | event | next | sent |".to_string()];
    let mut last = None;
    for &(state, event, next, sent) in ROWS {
        let name = match last.replace(state) {
            Some(before) if before == state => String::new(),
            _ => format!("{} ", name(state)),
        };
        let (_, event, _) = EVENTS.iter().find(|known| known.0 == event).expect("known");
        let next = match next {
            Stays => "stays".to_string(),
            To(state) => self::name(state),
            Next::Cancelled => "`Done`, cancelled".to_string(),
            Failed => "`Done` with an error".to_string(),
            Refused => "refused".to_string(),
        };
        let sent = match sent {
            "" => String::new(),
            sent => format!("{sent} "),
        };
        wanted.push(format!("//! | {name}| {event} | {next} | {sent}|"));
    }
    assert!(shown == wanted, "it should be\n{}", wanted.join("\n"));
}

/// Returns the name of a state in the documentation.
fn name(state: State) -> String {
    match state {
        QueuedSynchronous => "`Queued`, synchronous".to_string(),
        state => format!("`{state:?}`"),
    }
}

const PEER: PeerId = PeerId(1);
const OTHER: PeerId = PeerId(2);

/// Bytes of a message in one frame, of one that is cut, and of a part or fragment of the latter.
const SHORT: usize = 10;
const TOTAL: usize = 300;
const PART: usize = 100;

/// The number of the peer's request, in the headers of its messages.
const SENDER: u64 = 7;

/// A driver that counts registrations.
#[derive(Default)]
struct Keys(usize);

impl Driver for Keys {
    fn register(&mut self, _: PeerId, _: UserBuf) -> Option<RemoteKey> {
        self.0 += 1;
        RemoteKey::new(&[1, 2, 3])
    }
    fn deregister(&mut self, _: PeerId, _: RemoteKey) {
        self.0 -= 1;
    }
    fn now(&self) -> u64 {
        0
    }
    fn served(&mut self, _: PeerId, _: Service) {}
}

/// A process with one request, and the state that its simulated peer needs.
struct World {
    protocol: Protocol,
    keys: Keys,
    comm: CommId,
    request: RequestId,
    _memory: Scratch,
    /// Sequence number of the peer's next message.
    sequence: u64,
}

impl World {
    /// Returns a process whose request is in `state`.
    fn in_state(state: State) -> World {
        let config = Config::new(1 << 20);
        let mut protocol = Protocol::new(config, 3);
        let cut = Cut {
            part: PART,
            longest: 1000,
        };
        for peer in [PEER, OTHER] {
            let limits = Limits {
                eager_limit: 100,
                cut: (state == State::Pipelined).then_some(cut),
                rndv_eager_limit: 0,
                max_send: PART + FRAGMENT_BYTES + 16,
                can_get: true,
                buffers: state == Buffered,
                measured_min: None,
            };
            protocol.set_limits(peer, limits);
        }
        let peers = vec![PeerId(0), PEER, OTHER];
        let comm = protocol.open_comm(Context(8), Rank(0), peers);
        let memory = Scratch::new(TOTAL);
        let mut keys = Keys::default();
        let (len, mode) = match state {
            Queued | Buffered => (SHORT, Mode::Standard),
            QueuedSynchronous | Unmatched => (SHORT, Mode::Synchronous),
            _ => (TOTAL, Mode::Standard),
        };
        let buffer = Buffer::bytes(memory.buf().part(0, len));
        let pattern = Pattern {
            source: Some(Rank(1)),
            tag: Some(5),
        };
        let request = match state {
            Posted | Gathering | Reading | Collecting | Done => {
                protocol.begin_recv(comm, pattern, buffer)
            }
            _ => protocol.begin_send(comm, Rank(1), 5, buffer, mode, &mut keys),
        };
        let mut world = World {
            protocol,
            keys,
            comm,
            request,
            _memory: memory,
            sequence: 0,
        };
        match state {
            Buffered | Unmatched | Rendezvous => world.take_frames(usize::MAX),
            Streaming => {
                world.take_frames(usize::MAX);
                world.happen(Cts).expect("a rendezvous");
            }
            Gathering => world.happen(FirstPart).expect("posted"),
            Reading => world.happen(Readable).expect("posted"),
            Collecting => world.happen(Unreadable).expect("posted"),
            Done => world.happen(Eager).expect("posted"),
            Queued | QueuedSynchronous | State::Pipelined | Posted => {}
        }
        if matches!(state, Reading | Collecting) {
            world.take_frames(usize::MAX);
        }
        assert_eq!(world.state(), state, "a state that is set up");
        world
    }

    fn key(&self) -> Key {
        self.request.key()
    }

    fn phase(&self) -> Phase {
        let entry = self.protocol.requests.get(self.key());
        entry.expect("the request").phase
    }

    fn state(&self) -> State {
        match self.phase() {
            Phase::Queued { synchronous, .. } if synchronous => QueuedSynchronous,
            Phase::Queued { .. } => Queued,
            Phase::Pipelined { .. } => State::Pipelined,
            Phase::Buffered { .. } => Buffered,
            Phase::Unmatched { .. } => Unmatched,
            Phase::Rendezvous { .. } => Rendezvous,
            Phase::Streaming { .. } => Streaming,
            Phase::Posted { .. } | Phase::Disturbed { .. } => Posted,
            Phase::Gathering { .. } => Gathering,
            Phase::Reading { .. } => Reading,
            Phase::Collecting { .. } => Collecting,
            Phase::Done => Done,
        }
    }

    /// Applies an event. Returns its effect on the request, and the names of the frames queued
    /// since. Checks that a refused event has queued none and changed nothing.
    fn meet(&mut self, before: State, event: Event) -> (Next, String) {
        let queued = self.protocol.queued(PEER);
        let outcome = self.happen(event);
        let sent = self.queue_behind(queued);
        let after = self.state();
        let next = match outcome {
            Err(_) => {
                assert_eq!(after, before, "{event:?} was refused and did something");
                Refused
            }
            Ok(()) if after == before => Stays,
            Ok(()) if after == Done => self.end(),
            Ok(()) => To(after),
        };
        (next, sent)
    }

    /// Returns how the request is complete.
    fn end(&mut self) -> Next {
        let outcome = self.protocol.outcome(self.request).expect("complete");
        assert!(!self.protocol.is_open(self.request), "it was taken");
        match outcome.result {
            Ok(()) if outcome.status.cancelled => Next::Cancelled,
            Ok(()) => To(Done),
            Err(Failure::PeerFailed { peer: PEER, .. }) => {
                assert_eq!(
                    outcome.status.bytes, 0,
                    "bytes of a message that did not arrive"
                );
                Failed
            }
            Err(failure) => panic!("{failure}"),
        }
    }

    /// Returns the names of the frames queued for the peer's lane behind the `first` ones.
    fn queue_behind(&self, first: usize) -> String {
        let queue = self.protocol.peers[PEER.index()].queue.iter();
        let words = queue.skip(first).map(|outgoing| match outgoing {
            Outgoing::Control(header) => self.name_of(Payload::from(header.as_bytes())),
            Outgoing::Eager(..) => "EAGER",
            Outgoing::Pipelined(..) => "LONG",
            Outgoing::Rts(..) => "RTS",
            Outgoing::Stream(..) => "FRAGMENT",
            Outgoing::Get(..) => "a read",
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// Returns the name of a control message, and checks the fields that concern the request.
    fn name_of(&self, header: Payload<'_>) -> &'static str {
        let (header, _) = Header::decode(header).expect("a header");
        match header {
            Header::Withdraw { sender } if sender == self.key() => "WITHDRAW",
            Header::Fin { sender } if sender.bits() == SENDER => "FIN",
            Header::Cts {
                sender,
                receiver,
                bytes,
            } => {
                assert_eq!((sender.bits(), receiver), (SENDER, self.key()));
                assert_eq!(bytes, TOTAL as u64);
                "CTS"
            }
            other => panic!("{other:?}"),
        }
    }

    /// Lets the lane accept up to `most` frames.
    fn take_frames(&mut self, most: usize) {
        for _ in 0..most {
            if self.protocol.next_frame(PEER).is_none() {
                return;
            }
            self.protocol.frame_sent(PEER);
        }
    }

    /// Checks that memory is registered exactly while an RTS has announced its key.
    fn check_registrations(&self) {
        let entry = self.protocol.requests.get(self.key());
        let phase = entry.map(|entry| entry.phase);
        let announced = matches!(phase, Some(Phase::Rendezvous { .. }));
        assert_eq!(self.keys.0, usize::from(announced));
    }

    fn envelope(&mut self) -> Envelope {
        self.sequence += 1;
        Envelope {
            context: Context(8),
            source: Rank(1),
            tag: 5,
            sequence: self.sequence - 1,
            mark: 0,
        }
    }

    fn arrive(&mut self, from: PeerId, header: Header, payload: usize) -> Result<(), Violation> {
        let mut message = header.encode().as_bytes().to_vec();
        message.resize(message.len() + payload, 0xa5);
        let message = Payload::from(&message[..]);
        self.protocol.arrived(from, message, &mut self.keys)
    }

    fn long(&mut self) -> Header {
        Header::Long {
            envelope: self.envelope(),
            total: TOTAL as u64,
            sent: 0,
        }
    }

    fn happen(&mut self, event: Event) -> Result<(), Violation> {
        let (own, sender) = (self.key(), Key::from_bits(SENDER));
        let clear = |bytes: usize| Header::Cts {
            sender: own,
            receiver: sender,
            bytes: bytes as u64,
        };
        let fragment = |offset: usize| Header::Fragment {
            receiver: own,
            offset: offset as u64,
        };
        let rendezvous = |envelope, total: usize, key: Option<RemoteKey>| Header::Rts {
            envelope,
            sender,
            total: total as u64,
            key,
            sent: 0,
        };
        match event {
            TookOne => self.take_frames(1),
            TookLast => self.take_frames(usize::MAX),
            TookLastAndBuffers => {
                self.protocol.peers[PEER.index()].buffers = true;
                self.take_frames(usize::MAX);
            }
            Left => drop(self.protocol.release_buffered(|_| false)),
            Cts => return self.arrive(PEER, clear(TOTAL), 0),
            CtsBeyond => return self.arrive(PEER, clear(TOTAL + 1), 0),
            Fin => return self.arrive(PEER, Header::Fin { sender: own }, 0),
            FinByOther => return self.arrive(OTHER, Header::Fin { sender: own }, 0),
            Event::Cancelled => drop(self.protocol.cancel(self.request)),
            Withdrawn => return self.arrive(PEER, Header::Withdrawn { sender: own }, 0),
            Eager => {
                let envelope = self.envelope();
                return self.arrive(PEER, Header::Eager { envelope }, SHORT);
            }
            EagerAck => {
                let envelope = self.envelope();
                return self.arrive(PEER, Header::EagerAck { envelope, sender }, SHORT);
            }
            Readable => {
                let header = rendezvous(self.envelope(), TOTAL, RemoteKey::new(&[9]));
                return self.arrive(PEER, header, 0);
            }
            Unreadable => {
                let header = rendezvous(self.envelope(), TOTAL, None);
                return self.arrive(PEER, header, 0);
            }
            WithAll => {
                let header = rendezvous(self.envelope(), SHORT, None);
                return self.arrive(PEER, header, SHORT);
            }
            FirstPart => {
                let header = self.long();
                return self.arrive(PEER, header, PART);
            }
            NextPart => return self.arrive(PEER, Header::More, PART),
            LastPart => return self.arrive(PEER, Header::More, TOTAL - PART),
            PartBeyond => return self.arrive(PEER, Header::More, TOTAL),
            ReadDone => self.protocol.get_done(self.request, false, &mut self.keys),
            ReadRefused => self.protocol.get_done(self.request, true, &mut self.keys),
            Fragment => return self.arrive(PEER, fragment(PART), PART),
            LastFragment => return self.arrive(PEER, fragment(0), TOTAL),
            FragmentBeyond => return self.arrive(PEER, fragment(TOTAL - PART + 1), PART),
            PeerFailed => self.protocol.peer_failed(PEER, "it died", &mut self.keys),
            PeerLeft => self.protocol.forget_peer(PEER, &mut self.keys),
        }
        Ok(())
    }
}

/// Checks that a complete request leaves nothing behind: nothing is queued for it, and the process
/// can exchange further messages with the peer.
#[test]
fn after_every_end_the_next_message_goes_through() {
    for &(state, event, next, _) in ROWS {
        if !matches!(next, To(Done) | Next::Cancelled) || event == TookLastAndBuffers {
            continue;
        }
        let mut world = World::in_state(state);
        world.meet(state, event);
        world.take_frames(usize::MAX);
        assert_eq!(world.protocol.open_requests(), 0, "{state:?}, {event:?}");
        assert!(!world.protocol.has_frames(), "{state:?}, {event:?}");
        let room = Scratch::new(SHORT);
        let pattern = Pattern {
            source: None,
            tag: None,
        };
        let buffer = Buffer::bytes(room.buf());
        let next = world.protocol.begin_recv(world.comm, pattern, buffer);
        world.happen(Eager).expect("the peer's next message");
        let outcome = world.protocol.outcome(next).expect("complete");
        assert_eq!(outcome.status.bytes, SHORT as u64, "{state:?}, {event:?}");
    }
}
