//! Reading and writing another rank's memory (`process_vm_readv(2)`, cross-memory attach).
//!
//! Where data lies is told in a slot, so it is an allegation: the kernel checks it against the
//! other process, and a wrong one is an error and nothing else.

use std::io;

use memory::UserBuf;

/// Bytes asked of the kernel at once: below its limit, and a whole number of pages.
const COPY_BYTES_MAX: usize = 1 << 30;

/// Which way bytes go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// From the other rank.
    Read,
    /// To the other rank.
    Write,
}

/// Copies between `local` and as many bytes at `remote` in process `pid`.
///
/// # Errors
/// The system's.
pub(crate) fn copy(pid: u32, way: Way, local: UserBuf, remote: u64) -> io::Result<()> {
    let mut done = 0;
    while done < local.len() {
        let part = local.part(done, (local.len() - done).min(COPY_BYTES_MAX));
        let here = libc::iovec {
            iov_base: part.address().cast(),
            iov_len: part.len(),
        };
        let there = libc::iovec {
            iov_base: std::ptr::without_provenance_mut(remote.wrapping_add(done as u64) as usize),
            iov_len: part.len(),
        };
        let pid = pid as i32;
        // SAFETY: `here` is memory that its maker vouched for; the kernel checks `there` against
        // the other process.
        let copied = unsafe {
            match way {
                Way::Read => libc::process_vm_readv(pid, &here, 1, &there, 1, 0),
                Way::Write => libc::process_vm_writev(pid, &here, 1, &there, 1, 0),
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

/// The 8 bytes at an address in a process, if they may be read.
pub(crate) fn probe(pid: u32, at: u64) -> Option<u64> {
    let mut seen = [0u8; 8];
    // SAFETY: `seen` lives through the call.
    let local = unsafe { UserBuf::new(seen.as_mut_ptr(), seen.len()) };
    copy(pid, Way::Read, local, at).ok()?;
    Some(u64::from_ne_bytes(seen))
}

/// A number that is unlikely to be met by chance; no secret.
pub(crate) fn number() -> u64 {
    let mut bytes = [0u8; 8];
    // SAFETY: the buffer has room for the 8 bytes asked for.
    let got = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    if got == bytes.len() as isize {
        return u64::from_ne_bytes(bytes);
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64) ^ (u64::from(std::process::id()) << 32)
}
