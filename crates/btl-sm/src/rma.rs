//! Memory that peers may read and write, and reading and writing theirs: by the single-copy
//! components ([`crate::smsc`]).

use std::sync::atomic::Ordering;

use base::PeerId;
use btl::{Access, Error, Mapping, Registration, RemoteRange, Started};
use memory::UserBuf;
use shm::Direction;

use crate::component::Sm;
use crate::endpoint::Endpoint;
use crate::smsc::{key, Target, Unreached};

impl Sm {
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
        let (endpoint, target) = self.locate(peer, direction, len, remote)?;
        let copied = endpoint.links.copy(direction, local, &target);
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
                endpoint.ask_for_regions();
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
        let (endpoint, target) = match self.locate(peer, Direction::Read, len, remote) {
            Ok(place) => place,
            Err(Error::Unsupported { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mapped = endpoint.links.map(&target, len);
        Ok(mapped.map(|(memory, number)| Mapping {
            peer,
            memory,
            number,
        }))
    }

    pub(crate) fn unmap_remote(&mut self, mapping: Mapping) {
        if let Some(Some(endpoint)) = self.endpoints.get_mut(mapping.peer.index()) {
            endpoint.links.unmap(mapping.number);
        }
    }

    /// The component that copies to and from a peer's memory, if one does.
    pub(crate) fn best_copy(&self, peer: PeerId) -> Option<&'static str> {
        match self.endpoints.get(peer.index()) {
            Some(Some(endpoint)) => endpoint.links.best(),
            _ => self.introduced.best_copy(peer),
        }
    }

    /// The peer and the place there that a range of `len` bytes begins at, if its key allows the
    /// way.
    fn locate(
        &mut self,
        peer: PeerId,
        direction: Direction,
        len: usize,
        remote: RemoteRange,
    ) -> Result<(&mut Endpoint, Target), Error> {
        if self.introduced.has(peer) {
            self.attach_now(peer)?;
        }
        let Some(Some(endpoint)) = self.endpoints.get_mut(peer.index()) else {
            return Err(Error::Unreachable { peer });
        };
        if endpoint.links.is_empty() {
            return Err(no_access(peer));
        }
        let RemoteRange { key, offset } = remote;
        match key::locate(&key, offset, len, direction) {
            Some(target) => Ok((endpoint, target)),
            None => Err(Error::OutOfRange { peer, offset, len }),
        }
    }
}

impl Endpoint {
    /// Has the peer make its memory known to the kernel, where that is what it takes to reach it.
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
