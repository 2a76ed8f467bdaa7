//! Observes the messages between the network and an engine, in order of arrival.

use std::sync::Arc;

use base::{AmTag, Mutex, PeerId};
use btl::{Arrival, Error, Sink, Token, Transport};
use ob1::wire::{Envelope, Header};

/// A message that an engine received.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObservedMessage {
    pub(crate) from: PeerId,
    pub(crate) envelope: Envelope,
    pub(crate) len: u64,
    /// Whether its bytes came with it.
    pub(crate) eager: bool,
}

/// Messages observed since the last drain.
#[derive(Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Vec<ObservedMessage>>>);

impl Notes {
    /// Moves all notes to `into`.
    pub(crate) fn drain(&self, into: &mut Vec<ObservedMessage>) {
        into.append(&mut self.0.lock());
    }

    fn add(&self, message: ObservedMessage) {
        self.0.lock().push(message);
    }
}

/// Transport that notes the messages of another one.
pub(crate) struct Tap {
    inner: Box<dyn Transport>,
    notes: Notes,
}

impl Tap {
    pub(crate) fn new(inner: Box<dyn Transport>) -> (Tap, Notes) {
        let notes = Notes::default();
        (
            Tap {
                inner,
                notes: notes.clone(),
            },
            notes,
        )
    }
}

struct Listener<'a> {
    sink: &'a mut dyn Sink,
    notes: &'a Notes,
}

impl Sink for Listener<'_> {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        if arrival.tag == AmTag::PML {
            let from = arrival.from;
            let (envelope, len, eager) = match Header::decode(arrival.payload) {
                Some((Header::Eager { envelope } | Header::EagerAck { envelope, .. }, rest)) => {
                    (envelope, rest.len() as u64, true)
                }
                Some((
                    Header::Long {
                        envelope, total, ..
                    },
                    _,
                )) => (envelope, total, true),
                Some((
                    Header::Rts {
                        envelope, total, ..
                    },
                    _,
                )) => (envelope, total, false),
                _ => return self.sink.deliver(arrival),
            };
            self.notes.add(ObservedMessage {
                from,
                envelope,
                len,
                eager,
            });
        }
        self.sink.deliver(arrival);
    }

    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        self.sink.done(token, outcome);
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.sink.peer_failed(peer, error);
    }

    fn wants_more(&self) -> bool {
        self.sink.wants_more()
    }
}

/// Finds the inner transport, for [`btl::forward!`].
macro_rules! inner {
    ([$($borrow:tt)+] $self:ident $($call:tt)+) => { $self.inner.$($call)+ };
}

impl Transport for Tap {
    btl::forward!(
        inner:
        caps, address, add_peer, expect_foreign, add_foreign, remove_peer, hints, send,
        send_packed, flush, batch, is_kept, back_off, is_live, arm, disarm, close, rma, presence,
        carriage,
    );

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        let notes = &self.notes;
        self.inner.progress(&mut Listener { sink, notes })
    }
}
