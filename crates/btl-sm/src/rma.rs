//! Memory access by the single-copy components ([`crate::smsc`]): registrations, and reads and
//! writes of peers' memory.

use std::sync::atomic::Ordering;

use base::PeerId;
use btl::{Access, Error, Hints, Least, Mapping, Registration, RemoteRange, Rma, Started, Token};
use memory::UserBuf;
use shm::Direction;

use crate::component::Sm;
use crate::path::Path;
use crate::smsc::{key, Mechanism, Target, Unreached};

impl Rma for Sm {
    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error> {
        self.note(memory, access)
    }

    fn deregister(&mut self, registration: Registration) {
        self.smsc.deregister(registration.id);
    }

    fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        self.copy_remote(peer, Direction::Read, local, remote)
    }

    fn put(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        self.copy_remote(peer, Direction::Write, local, remote)
    }

    fn loop_back(&mut self) -> Option<Result<(), String>> {
        Some(Err(btl::no_loop_back(self.caps.name)))
    }

    fn map(
        &mut self,
        peer: PeerId,
        remote: RemoteRange,
        len: usize,
    ) -> Result<Option<Mapping>, Error> {
        self.map_remote(peer, remote, len)
    }

    fn unmap(&mut self, mapping: Mapping) {
        self.unmap_remote(mapping);
    }
}

impl Sm {
    /// Returns hints about the path to a peer, which depend on the component that copies its
    /// memory.
    pub(crate) fn hints_of(&self, peer: PeerId) -> Hints {
        let best = self.best_copy(peer);
        // Each copy by the kernel is a system call.
        let transfer_min = match best {
            Some(Mechanism::Cma | Mechanism::Knem) => self.settings.window_min,
            Some(Mechanism::Xpmem) | None => 0,
        };
        let explain = match self.paths.get(peer.index()) {
            Some(Some(path)) => Some(path.links.explain()),
            _ => self.introduced.explain_memory(peer),
        };
        Hints {
            reads: best.is_some(),
            // Decided by measured times ([`crate::carriage`]).
            get_min: 0,
            transfer_min: Least {
                put: transfer_min,
                get: transfer_min,
            },
            waiting_max: self.settings.window_attended_max,
            explain,
        }
    }

    pub(crate) fn note(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error> {
        let wanted = self.own.region_wanted().load(Ordering::Relaxed) != 0;
        let made = self.smsc.register(memory, access, wanted);
        let (region, id) = made.map_or((None, 0), |(region, number)| (Some(region), number));
        match key::encode(memory, access, region) {
            Some(key) => Ok(Registration { memory, key, id }),
            None => {
                self.smsc.deregister(id);
                let (len, why) = (memory.len(), "it is longer than a key can say".into());
                Err(Error::Registration { len, why })
            }
        }
    }

    pub(crate) fn copy_remote(
        &mut self,
        peer: PeerId,
        direction: Direction,
        local: UserBuf,
        remote: RemoteRange,
    ) -> Result<Started, Error> {
        let len = local.len();
        let (path, target) = self.locate(peer, direction, len, remote)?;
        let copied = path.links.copy(direction, local, &target);
        match copied {
            Ok(()) => Ok(Started::Done),
            Err(Unreached::Gone) => Err(Error::PeerGone {
                peer,
                how: "its process has ended".into(),
            }),
            Err(Unreached::Fault) => {
                let offset = remote.offset;
                Err(Error::OutOfRange { peer, offset, len })
            }
            Err(Unreached::ByNone) => {
                path.ask_for_regions();
                self.refuse_reading(peer);
                Err(no_access(peer))
            }
        }
    }

    pub(crate) fn map_remote(
        &mut self,
        peer: PeerId,
        remote: RemoteRange,
        len: usize,
    ) -> Result<Option<Mapping>, Error> {
        let (path, target) = match self.locate(peer, Direction::Read, len, remote) {
            Ok(place) => place,
            Err(Error::Unsupported { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mapped = path.links.map(&target, len);
        Ok(mapped.map(|(memory, number)| Mapping {
            peer,
            memory,
            number,
        }))
    }

    pub(crate) fn unmap_remote(&mut self, mapping: Mapping) {
        if let Some(Some(path)) = self.paths.get_mut(mapping.peer.index()) {
            path.links.unmap(mapping.number);
        }
    }

    /// The component that copies to and from a peer's memory, if one does.
    fn best_copy(&self, peer: PeerId) -> Option<Mechanism> {
        match self.paths.get(peer.index()) {
            Some(Some(path)) => path.links.best(),
            _ => self.introduced.best_copy(peer),
        }
    }

    /// Returns the peer and the address there of a range of `len` bytes, if its key allows this
    /// direction.
    fn locate(
        &mut self,
        peer: PeerId,
        direction: Direction,
        len: usize,
        remote: RemoteRange,
    ) -> Result<(&mut Path, Target), Error> {
        if self.introduced.has(peer) {
            self.attach_now(peer)?;
        }
        let Some(Some(path)) = self.paths.get_mut(peer.index()) else {
            return Err(Error::Unreachable { peer });
        };
        if path.links.is_empty() {
            return Err(no_access(peer));
        }
        let RemoteRange { key, offset } = remote;
        match key::locate(&key, offset, len, direction) {
            Some(target) => Ok((path, target)),
            None => Err(Error::OutOfRange { peer, offset, len }),
        }
    }
}

impl Path {
    /// Asks the peer to make its memory known to the kernel, where the link needs regions.
    pub(crate) fn ask_for_regions(&self) {
        if self.links.need_region() {
            self.view.region_wanted().store(1, Ordering::Relaxed);
        }
    }
}

fn no_access(peer: PeerId) -> Error {
    Error::Unsupported {
        peer,
        what: "access to its memory",
    }
}
