//! Registered memory: a table, looked up by keys that go stale.

use base::{wire, Key, PeerId, Slab};
use btl::{Access, Error, Registration, RemoteKey, RemoteRange};
use memory::UserBuf;

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

    /// Returns the memory of a range that may be read.
    pub(crate) fn readable(
        &self,
        peer: PeerId,
        range: &RemoteRange,
        len: usize,
    ) -> Result<UserBuf, Error> {
        self.find(peer, range, len, |access| access.read)
    }

    /// Returns the memory of a range that may be written.
    pub(crate) fn writable(
        &self,
        peer: PeerId,
        range: &RemoteRange,
        len: usize,
    ) -> Result<UserBuf, Error> {
        self.find(peer, range, len, |access| access.write)
    }

    /// Returns the memory of a range that may be read and written.
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
