//! Observes the messages between the network and an engine, in order of arrival.

use std::sync::Arc;

use base::{AmTag, Mutex, PeerId};
use btl::{
    Arrival, Caps, Carriage, Error, Flow, Hints, Presence, Reach, Rma, Sink, SleepKind, Token,
    Transport, Waker,
};
use memory::{Slot, UserBuf};
use ob1::wire::{Envelope, Header};

/// A message that an engine was given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heard {
    pub(crate) from: PeerId,
    pub(crate) envelope: Envelope,
    pub(crate) len: u64,
    /// Whether its bytes came with it.
    pub(crate) eager: bool,
}

/// Messages heard since the last drain.
#[derive(Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Vec<Heard>>>);

impl Notes {
    /// Moves all notes to `into`.
    pub(crate) fn drain(&self, into: &mut Vec<Heard>) {
        into.append(&mut self.0.lock());
    }

    fn add(&self, heard: Heard) {
        self.0.lock().push(heard);
    }
}

/// A transport that is another one, overheard.
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
            self.notes.add(Heard {
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

impl Transport for Tap {
    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        let notes = &self.notes;
        self.inner.progress(&mut Listener { sink, notes })
    }

    fn caps(&self) -> &Caps {
        self.inner.caps()
    }

    fn address(&self) -> Vec<u8> {
        self.inner.address()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        self.inner.add_peer(peer, address)
    }

    fn expect_foreign(&mut self) -> Result<(), Error> {
        self.inner.expect_foreign()
    }

    fn add_foreign(
        &mut self,
        peer: PeerId,
        foreign: &btl::Foreign,
        address: &[u8],
    ) -> Result<Reach, Error> {
        self.inner.add_foreign(peer, foreign, address)
    }

    fn remove_peer(&mut self, peer: PeerId) {
        self.inner.remove_peer(peer);
    }

    fn hints(&self, peer: PeerId) -> Hints {
        self.inner.hints(peer)
    }

    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        self.inner.send(peer, tag, header, payload)
    }

    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.inner.send_packed(peer, tag, header, len, pack)
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        self.inner.flush(peer)
    }

    fn batch(&mut self, peer: PeerId, open: bool) {
        self.inner.batch(peer, open);
    }

    fn is_kept(&self, peer: PeerId) -> bool {
        self.inner.is_kept(peer)
    }

    fn back_off(&mut self) {
        self.inner.back_off();
    }

    fn is_live(&self) -> bool {
        self.inner.is_live()
    }

    fn arm(&mut self, kind: SleepKind) -> Option<Waker> {
        self.inner.arm(kind)
    }

    fn disarm(&mut self) {
        self.inner.disarm();
    }

    fn close(&mut self) {
        self.inner.close();
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        self.inner.rma()
    }

    fn presence(&mut self) -> Option<&mut dyn Presence> {
        self.inner.presence()
    }

    fn carriage(&mut self) -> Option<&mut dyn Carriage> {
        self.inner.carriage()
    }
}
