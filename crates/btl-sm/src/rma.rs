//! Reading and writing a peer's memory with `process_vm_readv(2)` and `process_vm_writev(2)`
//! (cross-memory attach, CMA).
//!
//! A key is the address and the length of what was registered, and what peers may do with it;
//! nothing is pinned. The kernel copies at most about 2 GiB per call, and less when it is
//! interrupted, so calls are repeated until all is done.

use std::io;

use base::wire::{read_u64, write_u64};
use base::PeerId;
use btl::{Access, Error, Registration, RemoteKey, RemoteRange, Started};
use memory::UserBuf;

use crate::component::Sm;
use crate::segment::Address;

/// Bytes asked of the kernel at once: below its limit, and a whole number of pages.
const COPY_BYTES_MAX: usize = 1 << 30;

/// Bits of a key that say what peers may do.
const MAY_READ: u64 = 1;
const MAY_WRITE: u64 = 2;
const KEY_BYTES: usize = 24;

/// Which way bytes go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// From the peer.
    Get,
    /// To the peer.
    Put,
}

/// Whether this process may read the peer's memory: tried with the 8 bytes of its cookie.
pub(crate) fn probe(address: &Address) -> bool {
    let mut seen = [0u8; 8];
    // SAFETY: `seen` lives through the call.
    let local = unsafe { UserBuf::new(seen.as_mut_ptr(), seen.len()) };
    copy(address.pid, Way::Get, local, address.probe).is_ok()
        && u64::from_ne_bytes(seen) == address.cookie
}

/// Copies between `local` and as many bytes at `remote` in process `pid`.
fn copy(pid: u32, way: Way, local: UserBuf, remote: u64) -> io::Result<()> {
    let mut done = 0;
    while done < local.len() {
        let part = local.part(done, (local.len() - done).min(COPY_BYTES_MAX));
        let here = libc::iovec {
            iov_base: part.address().cast(),
            iov_len: part.len(),
        };
        let there = libc::iovec {
            iov_base: std::ptr::without_provenance_mut((remote + done as u64) as usize),
            iov_len: part.len(),
        };
        let pid = pid as i32;
        // SAFETY: `here` is memory that `UserBuf` vouches for; the kernel checks `there`
        // against the other process.
        let copied = unsafe {
            match way {
                Way::Get => libc::process_vm_readv(pid, &here, 1, &there, 1, 0),
                Way::Put => libc::process_vm_writev(pid, &here, 1, &there, 1, 0),
            }
        };
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

/// The address in the peer that a range of `len` bytes begins at, if its key allows the way.
fn locate(peer: PeerId, remote: RemoteRange, way: Way, len: usize) -> Result<u64, Error> {
    let key = remote.key.as_bytes();
    let field = |at| read_u64(key, at);
    let outside = Error::OutOfRange {
        peer,
        offset: remote.offset,
        len,
    };
    let (Some(address), Some(whole), Some(rights)) = (field(0), field(8), field(16)) else {
        return Err(outside);
    };
    let needed = if way == Way::Get { MAY_READ } else { MAY_WRITE };
    let end = remote.offset.checked_add(len as u64);
    if rights & needed == 0 || end.is_none_or(|end| end > whole) {
        return Err(Error::OutOfRange {
            peer,
            offset: remote.offset,
            len,
        });
    }
    Ok(address.wrapping_add(remote.offset))
}

impl Sm {
    pub(crate) fn note(&mut self, memory: UserBuf, access: Access) -> Registration {
        let rights = u64::from(access.read) * MAY_READ + u64::from(access.write) * MAY_WRITE;
        let mut key = [0; KEY_BYTES];
        write_u64(&mut key, 0, memory.address() as u64);
        write_u64(&mut key, 8, memory.len() as u64);
        write_u64(&mut key, 16, rights);
        let key = RemoteKey::new(&key).expect("24 bytes are few enough");
        Registration { memory, key, id: 0 }
    }

    pub(crate) fn copy_remote(
        &mut self,
        peer: PeerId,
        way: Way,
        local: UserBuf,
        remote: RemoteRange,
    ) -> Result<Started, Error> {
        let Some(Some(endpoint)) = self.endpoints.get_mut(peer.index()) else {
            return Err(Error::Unreachable { peer });
        };
        if !endpoint.readable {
            return Err(Error::Unsupported {
                peer,
                what: "access to its memory",
            });
        }
        let address = locate(peer, remote, way, local.len())?;
        match copy(endpoint.pid, way, local, address) {
            Ok(()) => Ok(Started::Done),
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Err(Error::PeerGone {
                peer,
                how: "its process has ended".into(),
            }),
            Err(error) if error.raw_os_error() == Some(libc::EFAULT) => {
                // The peer's memory, or ours, is not what the caller says it is.
                Err(Error::OutOfRange {
                    peer,
                    offset: remote.offset,
                    len: local.len(),
                })
            }
            Err(error) => {
                // Permission can be withdrawn in mid-run; the layers above have another way.
                log::info!(target: "btl::sm", "access to the memory of {peer} failed: {error}");
                endpoint.readable = false;
                Err(Error::Unsupported {
                    peer,
                    what: "access to its memory",
                })
            }
        }
    }
}
