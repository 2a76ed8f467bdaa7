//! Access to this process's own memory.

use base::PeerId;
use btl::{Access, Atomic, Error, Registration, RemoteRange, Rma, Started, Token};
use memory::UserBuf;

use crate::Loopback;

impl Rma for Loopback {
    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error> {
        Ok(self.regions.register(memory, access))
    }

    fn deregister(&mut self, registration: Registration) {
        self.regions.deregister(registration.id);
    }

    fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        self.check(peer)?;
        local.copy_from(&self.regions.readable(peer, &remote, local.len())?);
        Ok(Started::Done)
    }

    fn put(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        self.check(peer)?;
        self.regions
            .writable(peer, &remote, local.len())?
            .copy_from(&local);
        Ok(Started::Done)
    }

    /// Done by a processor instruction, so that it is atomic with all such instructions.
    fn atomic(
        &mut self,
        peer: PeerId,
        atomic: Atomic,
        result: Option<UserBuf>,
        remote: RemoteRange,
        _token: Token,
    ) -> Result<Started, Error> {
        self.check(peer)?;
        let (size, offset) = (atomic.width.bytes(), remote.offset);
        if let Some(room) = result.filter(|room| room.len() < size) {
            let limit = room.len();
            return Err(Error::TooLarge {
                peer,
                len: size,
                limit,
            });
        }
        let word = self.regions.changeable(peer, &remote, size)?;
        let unaligned = Error::Unaligned { peer, offset, size };
        let old = atomic.apply_to(word).ok_or(unaligned)?;
        if let Some(room) = result {
            atomic.width.store(old, room);
        }
        Ok(Started::Done)
    }

    fn loop_back(&mut self) -> Option<Result<(), String>> {
        Some(Err(btl::no_loop_back(self.caps.name)))
    }
}
