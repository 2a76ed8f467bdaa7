//! Access to memory: a table of registrations, looked up by keys that go stale.

use base::{wire, Key, PeerId, Slab};
use btl::{
    Access, Atomic, Error, Mapping, Polled, Registration, RemoteKey, RemoteRange, Rma, Started,
    Token,
};
use memory::UserBuf;

use crate::Loopback;

/// The memory that this process lets itself read and write.
#[derive(Default)]
pub(crate) struct Regions(Slab<(UserBuf, Access)>);

impl Regions {
    pub(crate) fn register(&mut self, memory: UserBuf, access: Access) -> Registration {
        let id = self.0.insert((memory, access)).bits();
        let key = RemoteKey::new(&id.to_le_bytes()).expect("8 bytes");
        Registration { memory, key, id }
    }

    pub(crate) fn deregister(&mut self, id: u64) {
        self.0.remove(Key::from_bits(id));
    }

    /// The memory of a range that may be read.
    pub(crate) fn readable(
        &self,
        peer: PeerId,
        range: &RemoteRange,
        len: usize,
    ) -> Result<UserBuf, Error> {
        self.find(peer, range, len, |access| access.read)
    }

    /// The memory of a range that may be written.
    pub(crate) fn writable(
        &self,
        peer: PeerId,
        range: &RemoteRange,
        len: usize,
    ) -> Result<UserBuf, Error> {
        self.find(peer, range, len, |access| access.write)
    }

    /// The memory of a range that may be read and written.
    pub(crate) fn changeable(
        &self,
        peer: PeerId,
        range: &RemoteRange,
        len: usize,
    ) -> Result<UserBuf, Error> {
        self.find(peer, range, len, |access| access.read && access.write)
    }

    fn find(
        &self,
        peer: PeerId,
        range: &RemoteRange,
        len: usize,
        allowed: impl Fn(&Access) -> bool,
    ) -> Result<UserBuf, Error> {
        let outside = Error::OutOfRange {
            peer,
            offset: range.offset,
            len,
        };
        let id = wire::read_u64(range.key.as_bytes(), 0).map(Key::from_bits);
        let region = id.and_then(|id| self.0.get(id));
        let Some((memory, _)) = region.filter(|(_, access)| allowed(access)) else {
            return Err(outside);
        };
        let offset = usize::try_from(range.offset).unwrap_or(usize::MAX);
        if offset > memory.len() || len > memory.len() - offset {
            return Err(outside);
        }
        Ok(memory.part(offset, len))
    }
}

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

    fn map(
        &mut self,
        _peer: PeerId,
        _remote: RemoteRange,
        _len: usize,
    ) -> Result<Option<Mapping>, Error> {
        Ok(None)
    }

    fn unmap(&mut self, _mapping: Mapping) {}

    fn poll_for(&mut self, _token: Token, _polls: u32) -> Polled {
        Polled::Other
    }
}
