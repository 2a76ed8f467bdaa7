//! A transport with emulated operations, so that the conformance suite runs over the emulation.

use std::collections::HashMap;

use base::{wire, AmTag, PeerId};
use btl::{
    Access, Atomic, Caps, Error, Flow, Hints, Mapping, Polled, Registration, RemoteKey,
    RemoteRange, Rma, RmaLimits, Sink, SleepKind, Started, Token, Transport, Waker,
};
use memory::UserBuf;

use crate::emulation::{filled, Emulation, Filter, Messenger, OperationKind};

/// Bytes of a key behind those of the transport's own: the handle.
const HANDLE_BYTES: usize = 8;

/// A transport whose holes among `get`, `put` and `atomic` are filled by active messages
/// ([`AmTag::RMA`]), wherever its messages are large enough. What it can do by itself, for a
/// pair of processes too, is left to it. Both ends must be wrapped alike.
pub(super) struct Emulated {
    inner: Box<dyn Transport>,
    caps: Caps,
    emulation: Emulation,
    /// The inner transport's registrations, by the handles that stand for them.
    natives: HashMap<u64, Registration>,
    /// Whether the driver is about to sleep.
    armed: bool,
}

impl Emulated {
    /// Fills the holes of a transport.
    pub(super) fn new(inner: Box<dyn Transport>) -> Emulated {
        let caps = filled(inner.caps(), inner.caps().max_send_size);
        Emulated {
            inner,
            caps,
            emulation: Emulation::default(),
            natives: HashMap::new(),
            armed: false,
        }
    }

    fn forget_native(&mut self, registration: Registration) {
        if let Some(rma) = self.inner.rma() {
            rma.deregister(registration);
        }
    }

    /// The inner transport's answer, or the emulation's where it has none for the peer.
    fn either(
        &mut self,
        peer: PeerId,
        kind: OperationKind,
        remote: RemoteRange,
        token: Token,
        native: Option<Result<Started, Error>>,
    ) -> Result<Started, Error> {
        match native {
            Some(Err(Error::Unsupported { .. })) | None => {}
            Some(answer) => return answer,
        }
        let RemoteRange { key, offset } = remote;
        let Some((_, handle)) = split(&key) else {
            let len = kind.len();
            return Err(Error::OutOfRange { peer, offset, len });
        };
        let mut out = Out(&mut *self.inner);
        self.emulation
            .start(&mut out, peer, kind, (handle, offset), token)
    }
}

/// The inner transport's part of a key, and the handle; `None` where it is too short.
fn split(key: &RemoteKey) -> Option<(RemoteKey, u64)> {
    let bytes = key.as_bytes();
    let border = bytes.len().checked_sub(HANDLE_BYTES)?;
    let handle = wire::read_u64(bytes, border)?;
    Some((RemoteKey::new(&bytes[..border])?, handle))
}

/// The range as the inner transport knows it.
fn inner_range(remote: &RemoteRange) -> RemoteRange {
    let key = split(&remote.key).map_or(remote.key, |(key, _)| key);
    RemoteRange {
        key,
        offset: remote.offset,
    }
}

fn check(peer: PeerId, len: usize, limits: Option<RmaLimits>) -> Result<(), Error> {
    match limits {
        Some(limits) if len > limits.max_bytes => {
            let limit = limits.max_bytes;
            Err(Error::TooLarge { peer, len, limit })
        }
        _ => Ok(()),
    }
}

/// The inner transport as the way out.
struct Out<'a>(&'a mut dyn Transport);

impl Messenger for Out<'_> {
    fn send(&mut self, peer: PeerId, header: &[u8], payload: UserBuf) -> Result<Flow, Error> {
        self.0.send(peer, AmTag::RMA, header, payload)
    }

    fn message_bytes_max(&self, _peer: PeerId) -> usize {
        self.0.caps().max_send_size
    }

    fn check(&mut self, peer: PeerId) -> Result<(), Error> {
        self.0.flush(peer).map(drop)
    }
}

/// Finds the inner transport, for [`btl::forward!`].
macro_rules! inner {
    ([$($borrow:tt)+] $self:ident $($call:tt)+) => { $self.inner.$($call)+ };
}

impl Transport for Emulated {
    btl::forward!(
        inner:
        address, add_peer, expect_foreign, add_foreign, send, send_packed, batch, is_kept,
        back_off, close, presence, carriage,
    );

    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn remove_peer(&mut self, peer: PeerId) {
        self.inner.remove_peer(peer);
        let how = "it was removed".into();
        self.emulation.lost(peer, &Error::PeerGone { peer, how });
    }

    fn hints(&self, peer: PeerId) -> Hints {
        let hints = self.inner.hints(peer);
        Hints {
            reads: hints.reads || self.caps.get.is_some(),
            ..hints
        }
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        let flow = self.inner.flush(peer)?;
        match self.emulation.is_flushed(peer) {
            true => Ok(flow),
            false => Ok(Flow::Busy),
        }
    }

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        let mut filter = Filter {
            emulation: &mut self.emulation,
            above: sink,
            taken: 0,
        };
        let mut reports = self.inner.progress(&mut filter);
        reports -= filter.taken;
        self.emulation.pump(&mut Out(&mut *self.inner));
        reports += self.emulation.report(sink);
        // Nothing wakes a sleeper whose answers wait for room.
        match self.armed && self.emulation.has_unsent() {
            true => reports.max(1),
            false => reports,
        }
    }

    fn is_live(&self) -> bool {
        self.inner.is_live() || self.emulation.is_busy()
    }

    fn arm(&mut self, kind: SleepKind) -> Option<Waker> {
        self.armed = true;
        let waker = self.inner.arm(kind);
        match self.emulation.has_unsent() {
            true => Some(Waker::Poll),
            false => waker,
        }
    }

    fn disarm(&mut self) {
        self.armed = false;
        self.inner.disarm();
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        Some(self)
    }
}

impl Rma for Emulated {
    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error> {
        let caps = self.inner.caps();
        let reaches = caps.get.is_some() || caps.put.is_some() || caps.atomics;
        let native = match self.inner.rma().filter(|_| reaches) {
            Some(rma) => Some(rma.register(memory, access)?),
            None => None,
        };
        let handle = self.emulation.expose(memory, access);
        let mut key = native
            .as_ref()
            .map_or(&[][..], |n| n.key.as_bytes())
            .to_vec();
        key.extend(handle.to_le_bytes());
        let Some(key) = RemoteKey::new(&key) else {
            self.emulation.withdraw(handle);
            native
                .into_iter()
                .for_each(|native| self.forget_native(native));
            let why = "the transport's keys leave no room for a handle".into();
            let len = memory.len();
            return Err(Error::Registration { len, why });
        };
        self.natives.extend(native.map(|native| (handle, native)));
        Ok(Registration {
            memory,
            key,
            id: handle,
        })
    }

    fn deregister(&mut self, registration: Registration) {
        self.emulation.withdraw(registration.id);
        if let Some(native) = self.natives.remove(&registration.id) {
            self.forget_native(native);
        }
    }

    fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        check(peer, local.len(), self.caps.get)?;
        let has = self.inner.caps().get.is_some() && self.inner.hints(peer).reads;
        let rma = self.inner.rma().filter(|_| has);
        let native = rma.map(|rma| rma.get(peer, local, inner_range(&remote), token));
        self.either(peer, OperationKind::Get(local), remote, token, native)
    }

    fn put(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        check(peer, local.len(), self.caps.put)?;
        let has = self.inner.caps().put.is_some();
        let rma = self.inner.rma().filter(|_| has);
        let native = rma.map(|rma| rma.put(peer, local, inner_range(&remote), token));
        self.either(peer, OperationKind::Put(local), remote, token, native)
    }

    fn atomic(
        &mut self,
        peer: PeerId,
        atomic: Atomic,
        result: Option<UserBuf>,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        let range = inner_range(&remote);
        let has = self.inner.caps().atomics;
        if let Some(rma) = self.inner.rma().filter(|_| has) {
            return rma.atomic(peer, atomic, result, range, token);
        }
        self.either(
            peer,
            OperationKind::Atomic(atomic, result),
            remote,
            token,
            None,
        )
    }

    fn map(
        &mut self,
        peer: PeerId,
        remote: RemoteRange,
        len: usize,
    ) -> Result<Option<Mapping>, Error> {
        match self.inner.rma() {
            Some(rma) => rma.map(peer, inner_range(&remote), len),
            None => Ok(None),
        }
    }

    fn unmap(&mut self, mapping: Mapping) {
        if let Some(rma) = self.inner.rma() {
            rma.unmap(mapping);
        }
    }

    fn loop_back(&mut self) -> Option<Result<(), String>> {
        Some(Err(btl::no_loop_back(self.caps.name)))
    }

    fn poll_for(&mut self, _token: Token, _polls: u32) -> Polled {
        Polled::Other
    }
}
