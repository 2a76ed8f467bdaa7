//! Memory exposed to peers, and access to theirs.
//!
//! The process that exposes memory does not know over which transport a peer will come, so its
//! exposure ([`Exposed::pack`]) names the memory for each of them, and for the emulation; the peer
//! picks what its own lane needs ([`Bml::import`]).
//!
//! **Atomics agree with each other.** A network card's atomics and the processor's do not, so
//! the card's are used only where every peer of the memory's owner comes over one and the same
//! transport that has them; otherwise everybody's are emulated, which means done by the owner's
//! processor. The owner decides that when it exposes the memory, so it introduces its peers
//! first.

use base::wire::read_u64;
use base::PeerId;
use btl::{Access, Atomic, Error, Mapping, Registration, RemoteKey, RemoteRange, Started, Token};
use mca::Framework;
use memory::UserBuf;

use crate::emulation::{Messenger, OperationKind, MESSAGE_BYTES_MIN};
use crate::{address, Bml};

/// Names of a pack's entries, beside those of transports.
const HANDLE: &str = "messages";
const ATOMICS: &str = "atomics";

/// Memory that peers can reach. Ends with [`Bml::withdraw`].
#[derive(Debug)]
pub struct Exposed {
    /// The memory.
    pub memory: UserBuf,
    registrations: Vec<(usize, &'static str, Registration)>,
    handle: Option<u64>,
    /// The transport whose own atomics all peers use.
    atomics: Option<&'static str>,
}

impl Exposed {
    /// Returns opaque bytes, at most a few hundred, for a peer to [`Bml::import`] the memory.
    pub fn pack(&self) -> Vec<u8> {
        let keys = self.registrations.iter();
        let keys = keys.map(|(_, name, r)| (*name, r.key.as_bytes().to_vec()));
        let handle = self.handle;
        let handle = handle.map(|handle| (HANDLE, handle.to_le_bytes().to_vec()));
        let atomics = self.atomics.map(|name| (ATOMICS, name.as_bytes().to_vec()));
        address::encode(keys.chain(handle).chain(atomics))
    }
}

/// A peer's exposed memory, as this process reaches it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemoteMemory {
    native: Option<RemoteKey>,
    native_atomics: bool,
    puts_land: bool,
    handle: Option<u64>,
}

impl RemoteMemory {
    /// Whether the lane itself reaches it, and not only the emulation.
    pub fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// Whether a complete put by the lane is visible there without [`Bml::flush`].
    #[inline]
    pub fn puts_land(&self) -> bool {
        self.puts_land
    }

    /// Returns the position `offset` bytes after the memory's start.
    #[inline]
    pub fn at(&self, offset: u64) -> Remote {
        Remote {
            memory: *self,
            offset,
        }
    }
}

/// A position in a peer's memory. The length is that of the local buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remote {
    memory: RemoteMemory,
    offset: u64,
}

impl From<RemoteRange> for Remote {
    /// Converts a range of memory that was registered for this process's lane alone
    /// ([`Bml::register`]).
    fn from(range: RemoteRange) -> Remote {
        let memory = RemoteMemory {
            native: Some(range.key),
            native_atomics: true,
            puts_land: false,
            handle: None,
        };
        memory.at(range.offset)
    }
}

impl Remote {
    fn native(&self) -> Option<RemoteRange> {
        let offset = self.offset;
        self.memory.native.map(|key| RemoteRange { key, offset })
    }
}

impl Bml {
    /// Makes memory reachable for all peers, over every transport that reaches one and can, and
    /// by emulation. The memory stays valid until [`Bml::withdraw`].
    ///
    /// # Errors
    /// When neither a transport nor the emulation can reach it.
    pub fn expose(&mut self, memory: UserBuf, access: Access) -> Result<Exposed, Error> {
        let (registrations, refusal) = self.register_everywhere(memory, access);
        let mut opened = self.lanes.opened.iter();
        let speaks = opened.any(|opened| opened.transport.caps().max_send_size > 0);
        if let (true, false, Some(error)) = (registrations.is_empty(), speaks, refusal) {
            return Err(error);
        }
        Ok(Exposed {
            memory,
            atomics: self.common_atomics(&registrations),
            registrations,
            handle: Some(self.emulation.expose(memory, access)),
        })
    }

    /// Makes memory reachable over transports alone: operations that they lack are refused, as by a
    /// lane ([`Error::Unsupported`]). For a caller that emulates these by its own messages.
    pub fn expose_natively(&mut self, memory: UserBuf, access: Access) -> Exposed {
        let (registrations, _) = self.register_everywhere(memory, access);
        Exposed {
            memory,
            atomics: self.common_atomics(&registrations),
            registrations,
            handle: None,
        }
    }

    /// Registers memory with all transports that reach a peer and can; returns the last refusal
    /// too.
    fn register_everywhere(
        &mut self,
        memory: UserBuf,
        access: Access,
    ) -> (Vec<(usize, &'static str, Registration)>, Option<Error>) {
        let mut registrations = Vec::new();
        let mut refusal = None;
        for (lane, opened) in self.lanes.opened.iter_mut().enumerate() {
            let caps = opened.transport.caps();
            let reaches = caps.get.is_some() || caps.put.is_some() || caps.atomics;
            if opened.reached == 0 || !reaches {
                continue;
            }
            let name = caps.name;
            let Some(rma) = opened.transport.rma() else {
                continue;
            };
            match rma.register(memory, access) {
                Ok(registration) => registrations.push((lane, name, registration)),
                Err(error) => {
                    Framework::Bml.info(format_args!("{name} cannot register memory: {error}"));
                    refusal = Some(error);
                }
            }
        }
        (registrations, refusal)
    }

    /// Returns the transport whose own atomics all peers can use.
    fn common_atomics(&self, all: &[(usize, &'static str, Registration)]) -> Option<&'static str> {
        let mut used = self.lanes.rma_lanes();
        let (only, None) = (used.next()?, used.next()) else {
            return None;
        };
        let (_, name, _) = all.iter().find(|(lane, ..)| *lane == only)?;
        self.lanes.caps(only)?.atomics.then_some(*name)
    }

    /// Ends an exposure by [`Bml::expose`]: peers' later accesses fail.
    pub fn withdraw(&mut self, exposed: Exposed) {
        if let Some(handle) = exposed.handle {
            self.emulation.withdraw(handle);
        }
        for (lane, _, registration) in exposed.registrations {
            self.lanes.deregister(lane, registration);
        }
    }

    /// Returns a peer's memory, from the bytes of its [`Exposed::pack`].
    ///
    /// # Errors
    /// When the bytes are malformed, or the peer was not introduced.
    pub fn import(&self, peer: PeerId, pack: &[u8]) -> Result<RemoteMemory, Error> {
        let lane = self.lanes.rma(peer).ok_or(Error::Unreachable { peer })?;
        let caps = self.lanes.transport(lane).caps();
        let name = caps.name;
        let Some(entries) = address::decode(pack) else {
            let what = "malformed description of exposed memory".into();
            return Err(Error::Protocol { peer, what });
        };
        let entry = |wanted: &str| {
            let found = entries.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, bytes)| *bytes)
        };
        let native = entry(name).and_then(RemoteKey::new);
        Ok(RemoteMemory {
            native,
            puts_land: native.is_some() && caps.puts_land,
            native_atomics: entry(ATOMICS) == Some(name.as_bytes()),
            handle: entry(HANDLE).and_then(|bytes| read_u64(bytes, 0)),
        })
    }

    /// Reads `local.len()` bytes of a peer's memory into `local`; see
    /// [`btl::Rma::get`].
    ///
    /// # Errors
    /// When the peer or the memory cannot be reached, or the range leaves it.
    #[inline]
    pub fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: impl Into<Remote>,
        token: Token,
    ) -> Result<Started, Error> {
        let remote = remote.into();
        let lane = self.lanes.rma_lane(peer)?;
        if let (Some(range), Some(rma)) = (remote.native(), lane.rma()) {
            match rma.get(peer, local, range, token) {
                Err(Error::Unsupported { .. }) => {}
                answer => return answer,
            }
        }
        self.emulate(peer, OperationKind::Get(local), &remote, token)
    }

    /// Writes `local` into a peer's memory; see [`btl::Rma::put`]. The buffer may be reused when
    /// the operation is complete; the bytes are visible after [`Bml::flush`].
    ///
    /// # Errors
    /// See [`Bml::get`].
    #[inline]
    pub fn put(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: impl Into<Remote>,
        token: Token,
    ) -> Result<Started, Error> {
        let remote = remote.into();
        let lane = self.lanes.rma_lane(peer)?;
        if let (Some(range), Some(rma)) = (remote.native(), lane.rma()) {
            match rma.put(peer, local, range, token) {
                Err(Error::Unsupported { .. }) => {}
                answer => return answer,
            }
        }
        self.emulate(peer, OperationKind::Put(local), &remote, token)
    }

    /// Maps `len` bytes of a peer's memory into this process; see [`btl::Rma::map`]. `None` where
    /// the lane cannot do that.
    ///
    /// # Errors
    /// See [`Bml::get`].
    pub fn map(
        &mut self,
        peer: PeerId,
        remote: impl Into<Remote>,
        len: usize,
    ) -> Result<Option<Mapping>, Error> {
        let lane = self.lanes.rma_lane(peer)?;
        match (remote.into().native(), lane.rma()) {
            (Some(range), Some(rma)) => rma.map(peer, range, len),
            _ => Ok(None),
        }
    }

    /// Ends a mapping by [`Bml::map`].
    pub fn unmap(&mut self, mapping: Mapping) {
        // Where the peer is gone its lanes are, and what was mapped over them.
        let lane = self.lanes.rma(mapping.peer);
        if let Some(rma) = lane.and_then(|lane| self.lanes.access(lane)) {
            rma.unmap(mapping);
        }
    }

    /// Changes a word of a peer's memory atomically; see [`btl::Rma::atomic`].
    ///
    /// # Errors
    /// See [`Bml::get`]; also when the address is no multiple of the word's size.
    pub fn atomic(
        &mut self,
        peer: PeerId,
        atomic: Atomic,
        result: Option<UserBuf>,
        remote: impl Into<Remote>,
        token: Token,
    ) -> Result<Started, Error> {
        let remote = remote.into();
        let lane = self.lanes.rma_lane(peer)?;
        let does = lane.caps().atomics && remote.memory.native_atomics;
        if let (Some(range), Some(rma)) = (remote.native().filter(|_| does), lane.rma()) {
            match rma.atomic(peer, atomic, result, range, token) {
                Err(Error::Unsupported { .. }) => {}
                answer => return answer,
            }
        }
        self.emulate(peer, OperationKind::Atomic(atomic, result), &remote, token)
    }

    /// Starts, by messages, an operation that a peer's lane lacks.
    #[inline(never)]
    fn emulate(
        &mut self,
        peer: PeerId,
        kind: OperationKind,
        remote: &Remote,
        token: Token,
    ) -> Result<Started, Error> {
        let what = kind.name();
        let speaks = self.lanes.message_bytes_max(peer) >= MESSAGE_BYTES_MIN;
        let Some(handle) = remote.memory.handle.filter(|_| speaks) else {
            return Err(Error::Unsupported { peer, what });
        };
        let range = (handle, remote.offset);
        self.emulation
            .start(&mut self.lanes, peer, kind, range, token)
    }
}
