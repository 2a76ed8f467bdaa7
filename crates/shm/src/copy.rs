//! Reading and writing another process's memory with one copy by the kernel: process_vm_readv(2)
//! and process_vm_writev(2), cross-memory attach.
//!
//! The address of the data comes from its owner and is untrusted: the kernel checks it against the
//! other process, and a wrong one is an error and nothing else. Whether the kernel allows the
//! access at all depends on users, namespaces, filters and Yama; no call reports that for certain,
//! so a process finds out by reading a number that it knows ([`Probe`]).

use std::io;

use base::wire::{read_u64, write_u64};
use memory::UserBuf;

use crate::cookie;

/// Bytes asked of the kernel at once: below its limit of about 2 GiB, and a whole number of pages.
const CALL_BYTES_MAX: usize = 1 << 30;

/// Direction of a copy, seen from the process that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Copies from the other process.
    Read,
    /// Copies to the other process.
    Write,
}

/// Most runs of a list in a call (`UIO_MAXIOV` of Linux).
const RUNS_MAX: usize = 1024;

/// Copies between the bytes of `local` and as many of `remote`, runs of memory of process `pid` by
/// address and length.
///
/// # Errors
/// The system's; [`io::ErrorKind::UnexpectedEof`] where it copies nothing.
pub fn copy_lists(
    pid: u32,
    direction: Direction,
    local: &[UserBuf],
    remote: &[(u64, u64)],
) -> io::Result<()> {
    let here = local
        .iter()
        .map(|part| (part.address() as u64, part.len() as u64));
    let (mut here, mut there) = (Runs::new(here), Runs::new(remote.iter().copied()));
    while !here.left().is_empty() && !there.left().is_empty() {
        let (ours, theirs) = (here.left(), there.left());
        let counts = (ours.len() as libc::c_ulong, theirs.len() as libc::c_ulong);
        // SAFETY: the first list is of memory that `UserBuf` vouches for; the kernel checks the
        // second one against the other process.
        let copied = unsafe {
            let (ours, theirs, pid) = (ours.as_ptr(), theirs.as_ptr(), pid as i32);
            match direction {
                Direction::Read => libc::process_vm_readv(pid, ours, counts.0, theirs, counts.1, 0),
                Direction::Write => {
                    libc::process_vm_writev(pid, ours, counts.0, theirs, counts.1, 0)
                }
            }
        };
        match usize::try_from(copied) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(copied) => {
                here.advance(copied);
                there.advance(copied);
            }
            Err(_) => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
    Ok(())
}

/// Runs of memory of which the first bytes are done.
struct Runs {
    runs: Vec<libc::iovec>,
    first: usize,
}

impl Runs {
    fn new(runs: impl Iterator<Item = (u64, u64)>) -> Runs {
        let run = |(address, length): (u64, u64)| libc::iovec {
            iov_base: std::ptr::without_provenance_mut(address as usize),
            iov_len: length as usize,
        };
        Runs {
            runs: runs.filter(|run| run.1 > 0).map(run).collect(),
            first: 0,
        }
    }

    /// The runs of the next call.
    fn left(&self) -> &[libc::iovec] {
        let left = &self.runs[self.first..];
        &left[..left.len().min(RUNS_MAX)]
    }

    fn advance(&mut self, mut bytes: usize) {
        while let Some(run) = self.runs.get_mut(self.first) {
            if bytes < run.iov_len {
                run.iov_base = run.iov_base.wrapping_byte_add(bytes);
                run.iov_len -= bytes;
                return;
            }
            bytes -= run.iov_len;
            self.first += 1;
        }
    }
}

/// Copies between `local` and as many bytes at `remote` in process `pid`.
///
/// # Errors
/// The system's; [`io::ErrorKind::UnexpectedEof`] where it copies nothing.
pub fn copy(pid: u32, direction: Direction, local: UserBuf, remote: u64) -> io::Result<()> {
    copy_by(local, remote, |part, at| call(pid, direction, part, at))
}

/// Copies all of `local` by calls that each copy as much as they can. The kernel copies less than
/// it was asked for when it is interrupted or meets a page that is not there.
///
/// # Errors
/// The first error of a call, except that it was interrupted; [`io::ErrorKind::UnexpectedEof`]
/// where a call copies nothing.
pub fn copy_by(
    local: UserBuf,
    remote: u64,
    mut call: impl FnMut(UserBuf, u64) -> io::Result<usize>,
) -> io::Result<()> {
    let mut done = 0;
    while done < local.len() {
        let part = local.part(done, (local.len() - done).min(CALL_BYTES_MAX));
        match call(part, remote.wrapping_add(done as u64)) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(copied) => done += copied,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Copies once between `local` and `remote` in process `pid`, and returns how many bytes were
/// copied, which may be fewer than `local` has.
///
/// # Errors
/// The system's.
pub fn call(pid: u32, direction: Direction, local: UserBuf, remote: u64) -> io::Result<usize> {
    let here = libc::iovec {
        iov_base: local.address().cast(),
        iov_len: local.len(),
    };
    let there = libc::iovec {
        iov_base: std::ptr::without_provenance_mut(remote as usize),
        iov_len: local.len(),
    };
    let pid = pid as i32;
    // SAFETY: `here` is memory that `UserBuf` vouches for; the kernel checks `there` against the
    // other process.
    let copied = unsafe {
        match direction {
            Direction::Read => libc::process_vm_readv(pid, &here, 1, &there, 1, 0),
            Direction::Write => libc::process_vm_writev(pid, &here, 1, &there, 1, 0),
        }
    };
    usize::try_from(copied).map_err(|_| io::Error::last_os_error())
}

/// A number at a known address, by which other processes find out whether they may read this one's
/// memory. It must live until all have tried.
#[derive(Debug)]
pub struct Probe(Box<u64>);

/// Bytes of an encoded probe.
pub const PROBE_BYTES: usize = 16;

impl Probe {
    /// Makes a probe of this process.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Probe {
        Probe(Box::new(cookie()))
    }

    /// The number.
    pub fn number(&self) -> &u64 {
        &self.0
    }

    /// The number's address in this process.
    pub fn address(&self) -> u64 {
        std::ptr::from_ref(&*self.0) as u64
    }

    /// Returns what other processes need to try it.
    pub fn encode(&self) -> [u8; PROBE_BYTES] {
        let mut bytes = [0; PROBE_BYTES];
        write_u64(&mut bytes, 0, *self.0);
        write_u64(&mut bytes, 8, self.address());
        bytes
    }
}

/// Whether this process may read the memory of process `pid`, which sent `probe`.
pub fn may_read(pid: u32, probe: &[u8]) -> bool {
    let (Some(number), Some(address)) = (read_u64(probe, 0), read_u64(probe, 8)) else {
        return false;
    };
    let mut seen = [0u8; 8];
    // SAFETY: `seen` lives through the call.
    let local = unsafe { UserBuf::new(seen.as_mut_ptr(), seen.len()) };
    copy(pid, Direction::Read, local, address).is_ok() && u64::from_ne_bytes(seen) == number
}

#[cfg(test)]
mod tests {
    use memory::Scratch;

    use super::*;

    #[test]
    fn bytes_are_read_and_written_where_they_lie() {
        let (here, there) = (Scratch::new(10_000), Scratch::new(10_000));
        let (own, remote) = (std::process::id(), there.buf().address() as u64);
        there.buf().write(0, &[7; 10_000]);
        copy(own, Direction::Read, here.buf(), remote).unwrap();
        let mut seen = [0; 10_000];
        here.buf().read(0, &mut seen);
        assert!(seen == [7; 10_000]);
        here.buf().write(0, &[9; 10]);
        copy(own, Direction::Write, here.buf().part(0, 10), remote + 5).unwrap();
        there.buf().read(0, &mut seen);
        assert!(seen[..5] == [7; 5] && seen[5..15] == [9; 10] && seen[15..] == [7; 9985]);
    }

    #[test]
    fn lists_are_copied_whatever_their_cuts() {
        const BYTES: usize = 9000;
        let (here, there) = (Scratch::new(2 * BYTES), Scratch::new(2 * BYTES));
        let data: Vec<u8> = (0..2 * BYTES).map(|at| (at * 7 + at / 256) as u8).collect();
        // Each second byte here, and each second three bytes there: more runs than a call takes.
        let local: Vec<UserBuf> = (0..BYTES).map(|at| here.buf().part(2 * at, 1)).collect();
        let start = there.buf().address() as u64;
        let remote: Vec<(u64, u64)> = (0..BYTES as u64 / 3)
            .map(|at| (start + 6 * at, 3))
            .collect();
        there.buf().write(0, &data);
        copy_lists(std::process::id(), Direction::Read, &local, &remote).unwrap();
        for at in 0..BYTES {
            let mut byte = [0];
            here.buf().read(2 * at, &mut byte);
            assert_eq!(byte[0], data[at / 3 * 6 + at % 3], "byte {at}");
        }
        there.buf().write(0, &vec![0; 2 * BYTES]);
        copy_lists(std::process::id(), Direction::Write, &local, &remote).unwrap();
        let mut seen = vec![0; 2 * BYTES];
        there.buf().read(0, &mut seen);
        for (at, byte) in seen.iter().enumerate() {
            let expected = if at % 6 < 3 { data[at] } else { 0 };
            assert_eq!(*byte, expected, "byte {at}");
        }
        let wrong = copy_lists(std::process::id(), Direction::Read, &local, &[(8, 9000)]);
        assert_eq!(wrong.unwrap_err().raw_os_error(), Some(libc::EFAULT));
    }

    #[test]
    fn a_wrong_address_or_process_is_an_error() {
        let here = Scratch::new(8);
        let read =
            |pid, at| copy(pid, Direction::Read, here.buf(), at).map_err(|e| e.raw_os_error());
        assert_eq!(read(std::process::id(), 8), Err(Some(libc::EFAULT)));
        assert_eq!(read(i32::MAX as u32, 8), Err(Some(libc::ESRCH)));
    }

    #[test]
    fn short_and_interrupted_calls_are_repeated_and_an_empty_one_ends_the_copy() {
        let here = Scratch::new(100);
        let mut calls = Vec::new();
        let copied = copy_by(here.buf(), 1000, |part, at| {
            calls.push((part.len(), at));
            match calls.len() {
                1 => Err(io::ErrorKind::Interrupted.into()),
                2 => Ok(30),
                _ => Ok(part.len()),
            }
        });
        copied.unwrap();
        assert_eq!(calls, [(100, 1000), (100, 1000), (70, 1030)]);
        let nothing = copy_by(here.buf(), 0, |_, _| Ok(0)).unwrap_err();
        assert_eq!(nothing.kind(), io::ErrorKind::UnexpectedEof);
        let mut left = 1;
        let refused = copy_by(here.buf(), 0, |_, _| match left {
            0 => Err(io::Error::from_raw_os_error(libc::EPERM)),
            _ => {
                left -= 1;
                Ok(1)
            }
        });
        assert_eq!(refused.unwrap_err().raw_os_error(), Some(libc::EPERM));
    }

    #[test]
    fn a_probe_is_read_by_its_number_and_address() {
        let probe = Probe::new();
        let own = std::process::id();
        assert!(may_read(own, &probe.encode()));
        let mut other = probe.encode();
        other[0] ^= 2;
        assert!(!may_read(own, &other), "another number is there");
        let mut elsewhere = probe.encode();
        elsewhere[8..].copy_from_slice(&8u64.to_le_bytes());
        assert!(!may_read(own, &elsewhere), "nothing is there");
        assert!(!may_read(own, &probe.encode()[..15]), "no probe");
    }
}
