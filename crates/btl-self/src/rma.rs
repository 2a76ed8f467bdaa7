//! Registered memory of this process, read and written by this process.

use base::wire::{read_u64, write_u64};
use base::PeerId;
use btl::{Access, Error, Registration, RemoteKey, RemoteRange};
use memory::UserBuf;

use crate::component::Loopback;

impl Loopback {
    pub(crate) fn note(&mut self, memory: UserBuf, _access: Access) -> Registration {
        let id = self.next_key;
        self.next_key += 1;
        self.registered.insert(id, memory);
        let mut key = [0; 8];
        write_u64(&mut key, 0, id);
        let key = RemoteKey::new(&key).expect("8 bytes are few enough");
        Registration { memory, key, id }
    }

    /// The registered bytes that a range of `len` bytes names.
    pub(crate) fn range(
        &self,
        peer: PeerId,
        remote: RemoteRange,
        len: usize,
    ) -> Result<UserBuf, Error> {
        self.check_peer(peer)?;
        let id = read_u64(remote.key.as_bytes(), 0);
        let Some(memory) = id.and_then(|id| self.registered.get(&id)) else {
            return Err(Error::Protocol { peer, what: "a key that is none".into() });
        };
        let end = remote.offset.checked_add(len as u64);
        if end.is_none_or(|end| end > memory.len() as u64) {
            return Err(Error::OutOfRange { peer, offset: remote.offset, len });
        }
        Ok(memory.part(remote.offset as usize, len))
    }
}
