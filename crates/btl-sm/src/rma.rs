//! Reading a peer's memory with `process_vm_readv(2)` (cross-memory attach, CMA).
//!
//! A key is the address and the length of what was registered; nothing is pinned. The kernel
//! copies at most about 2 GiB per call, and less when it is interrupted, so reads are repeated
//! until all is there.

use std::io;

use base::wire::{read_u64, write_u64};
use base::PeerId;
use btl::{Access, Error, Registration, RemoteKey, RemoteRange, Started};
use memory::UserBuf;

use crate::component::Sm;
use crate::segment::Address;

/// Bytes asked of the kernel at once: below its limit, and a whole number of pages.
const READ_BYTES_MAX: usize = 1 << 30;

/// Whether this process may read the peer's memory: tried with the 8 bytes of its cookie.
pub(crate) fn probe(address: &Address) -> bool {
    let mut seen = [0u8; 8];
    // SAFETY: `seen` lives through the call.
    let local = unsafe { UserBuf::new(seen.as_mut_ptr(), seen.len()) };
    matches!(read(address.pid, local, address.probe), Ok(()))
        && u64::from_ne_bytes(seen) == address.cookie
}

/// Reads `local.len()` bytes at `remote` in process `pid`.
fn read(pid: u32, local: UserBuf, remote: u64) -> io::Result<()> {
    let mut done = 0;
    while done < local.len() {
        let part = local.part(done, (local.len() - done).min(READ_BYTES_MAX));
        let here = libc::iovec {
            iov_base: part.address().cast(),
            iov_len: part.len(),
        };
        let there = libc::iovec {
            iov_base: std::ptr::without_provenance_mut((remote + done as u64) as usize),
            iov_len: part.len(),
        };
        // SAFETY: `here` is memory that `UserBuf` vouches for; the kernel checks `there`
        // against the other process.
        let copied = unsafe { libc::process_vm_readv(pid as i32, &here, 1, &there, 1, 0) };
        match copied {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n if n > 0 => done += n as usize,
            _ => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
    Ok(())
}

impl Sm {
    pub(crate) fn register_readable(
        &mut self,
        memory: UserBuf,
        access: Access,
    ) -> Result<Registration, Error> {
        if access.write {
            let why = "peers can only read".to_string();
            return Err(Error::Registration {
                len: memory.len(),
                why,
            });
        }
        let mut key = [0; 16];
        write_u64(&mut key, 0, memory.address() as u64);
        write_u64(&mut key, 8, memory.len() as u64);
        let key = RemoteKey::new(&key).expect("16 bytes are few enough");
        Ok(Registration { memory, key, id: 0 })
    }

    pub(crate) fn read_remote(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
    ) -> Result<Started, Error> {
        let Some(Some(endpoint)) = self.endpoints.get_mut(peer.index()) else {
            return Err(Error::Unreachable { peer });
        };
        if !endpoint.readable {
            return Err(Error::Unsupported { peer, what: "get" });
        }
        let key = remote.key.as_bytes();
        let (Some(address), Some(len)) = (read_u64(key, 0), read_u64(key, 8)) else {
            return Err(Error::Protocol {
                peer,
                what: "a key that is none".into(),
            });
        };
        let end = remote.offset.checked_add(local.len() as u64);
        if end.is_none_or(|end| end > len) {
            return Err(Error::OutOfRange {
                peer,
                offset: remote.offset,
                len: local.len(),
            });
        }
        match read(endpoint.pid, local, address.wrapping_add(remote.offset)) {
            Ok(()) => Ok(Started::Done),
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Err(Error::PeerGone {
                peer,
                how: "its process has ended".into(),
            }),
            Err(error) => {
                // Permission can be withdrawn in mid-run; the layers above have another way.
                log::info!(target: "btl::sm", "reading the memory of {peer} failed: {error}");
                endpoint.readable = false;
                Err(Error::Unsupported { peer, what: "get" })
            }
        }
    }
}
