//! Cross-memory attach: process_vm_readv(2) and process_vm_writev(2).
//!
//! The kernel lets a process do that to those it may trace. Under the Yama module
//! (`kernel.yama.ptrace_scope` 1) these are its descendants alone, unless the other process allows
//! more, so a process with this component does. Other obstacles (a user namespace, a seccomp
//! filter, a process that may not be dumped, `ptrace_scope` 2) are found by reading 8 bytes and
//! comparing them. kcmp(2) would be no substitute: it asks for less than reading does, so it says
//! yes where Yama says no.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use base::wire::read_u64;
use memory::UserBuf;
use shm::Direction;

use super::component::{Component, Failure, Link, Opening, Peer, Target};
use super::system::System;

struct Cma {
    system: Arc<dyn System>,
    /// The user namespace of this process; 0 where it is unknown.
    namespace: u64,
}

/// The memory of one peer.
struct Memory {
    system: Arc<dyn System>,
    pid: u32,
}

pub(super) fn open(opening: &Opening<'_>) -> Result<Box<dyn Component>, String> {
    allow_reading();
    Ok(Box::new(Cma {
        system: opening.system.clone(),
        namespace: user_namespace(),
    }))
}

/// Lets peers read this process's memory where the Yama module restricts that to descendants.
/// Without Yama the call fails, and there is nothing to allow.
fn allow_reading() {
    // SAFETY: prctl with integer arguments.
    unsafe {
        libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0);
    }
}

fn user_namespace() -> u64 {
    std::fs::metadata("/proc/self/ns/user").map_or(0, |namespace| namespace.ino())
}

impl Component for Cma {
    fn offer(&self) -> Vec<u8> {
        self.namespace.to_le_bytes().to_vec()
    }

    fn connect(&mut self, peer: &Peer, offer: &[u8]) -> Result<Box<dyn Link>, String> {
        let theirs = read_u64(offer, 0).filter(|_| offer.len() == 8);
        let theirs = theirs.ok_or("what it offers is no namespace")?;
        let memory = Memory {
            system: self.system.clone(),
            pid: peer.pid,
        };
        let mut seen = [0; 8];
        // SAFETY: `seen` lives through the call.
        let local = unsafe { UserBuf::new(seen.as_mut_ptr(), seen.len()) };
        match memory.copy_all(Direction::Read, local, peer.probe) {
            Ok(()) if u64::from_ne_bytes(seen) == peer.cookie => Ok(Box::new(memory)),
            Ok(()) => Err("what was read there is not what it said".into()),
            Err(error) => Err(self.explain(&error, theirs)),
        }
    }
}

impl Cma {
    /// Explains why the kernel refuses, as far as is known.
    fn explain(&self, error: &io::Error, theirs: u64) -> String {
        match error.raw_os_error() {
            Some(libc::EPERM) if theirs != self.namespace => {
                "the kernel forbids it: it is in another user namespace".into()
            }
            Some(libc::EPERM) => match ptrace_scope() {
                Some(scope) if scope > 1 => {
                    format!("the kernel forbids it: kernel.yama.ptrace_scope is {scope}")
                }
                _ => "the kernel forbids it (a container's filter, or a process that may not be \
                      traced)"
                    .into(),
            },
            Some(libc::ENOSYS) => "the kernel has no process_vm_readv(2)".into(),
            _ => format!("8 bytes could not be read: {error}"),
        }
    }
}

fn ptrace_scope() -> Option<u32> {
    let text = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").ok()?;
    text.trim().parse().ok()
}

impl Memory {
    fn copy_all(&self, direction: Direction, local: UserBuf, remote: u64) -> io::Result<()> {
        shm::copy::copy_by(local, remote, |part, at| {
            self.system.copy(self.pid, direction, part, at)
        })
    }
}

impl Link for Memory {
    fn copy(
        &mut self,
        direction: Direction,
        local: UserBuf,
        target: &Target,
    ) -> Result<(), Failure> {
        let copied = self.copy_all(direction, local, target.address);
        copied.map_err(|error| match error.raw_os_error() {
            Some(libc::ESRCH) => Failure::Gone,
            // The peer's memory, or ours, is not what the caller says it is.
            Some(libc::EFAULT) => Failure::Fault,
            Some(libc::ENOMEM) => Failure::NotThis(error.to_string()),
            _ => Failure::Refused(error.to_string()),
        })
    }
}
