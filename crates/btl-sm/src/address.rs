//! The address of a process: its segment, the segment's layout, and who may attach it.

use base::wire::{read_u32, read_u64, write_u32, write_u64};

use crate::segment::Layout;
use crate::smsc;

/// The data that a peer needs to attach; it travels through the address exchange.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    /// The machine and its process namespace, hashed: only equal ones can attach.
    pub(crate) machine: u64,
    pub(crate) pid: u32,
    /// Descriptor of the segment.
    pub(crate) segment_fd: u32,
    /// Descriptor of the doorbell's writing end.
    pub(crate) bell_fd: u32,
    /// The number that the segment begins with, to identify it.
    pub(crate) cookie: u64,
    /// Address of the cookie in the process, to test whether reading is allowed.
    pub(crate) probe: u64,
    /// The generation of the process's number at the ranks of its world.
    pub(crate) generation: u8,
    /// The user and group whose processes may attach.
    pub(crate) owner: Owner,
    pub(crate) layout: Layout,
    /// Offers of the single-copy components ([`crate::smsc`]).
    pub(crate) offers: Vec<u8>,
}

/// Bytes before the offers, which go to the end.
const ADDRESS_BYTES: usize = 80;

impl Address {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; ADDRESS_BYTES];
        write_u64(&mut bytes, 0, self.machine);
        write_u32(&mut bytes, 8, self.pid);
        write_u32(&mut bytes, 12, self.segment_fd);
        write_u32(&mut bytes, 16, self.bell_fd);
        write_u32(&mut bytes, 20, self.layout.cells);
        write_u64(&mut bytes, 24, self.cookie);
        write_u64(&mut bytes, 32, self.probe);
        write_u32(&mut bytes, 40, self.layout.rings);
        write_u32(&mut bytes, 44, self.layout.ring_lines);
        write_u32(&mut bytes, 48, self.layout.blocks);
        write_u32(&mut bytes, 52, self.layout.block_bytes);
        write_u32(&mut bytes, 56, self.layout.large_rings);
        write_u32(&mut bytes, 60, self.layout.large_lines);
        write_u32(&mut bytes, 64, self.owner.user);
        write_u32(&mut bytes, 68, self.owner.group);
        write_u32(&mut bytes, 72, u32::from(self.owner.is_plain));
        write_u32(&mut bytes, 76, self.generation.into());
        bytes.extend(&self.offers);
        bytes
    }

    /// Decodes an address; `None` when the bytes are malformed.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Address> {
        let layout = Layout {
            cells: read_u32(bytes, 20)?,
            rings: read_u32(bytes, 40)?,
            ring_lines: read_u32(bytes, 44)?,
            blocks: read_u32(bytes, 48)?,
            block_bytes: read_u32(bytes, 52)?,
            large_rings: read_u32(bytes, 56)?,
            large_lines: read_u32(bytes, 60)?,
        };
        let offers = bytes.get(ADDRESS_BYTES..)?;
        if !smsc::are_offers(offers) || !layout.is_possible() {
            return None;
        }
        Some(Address {
            machine: read_u64(bytes, 0)?,
            pid: read_u32(bytes, 8)?,
            segment_fd: read_u32(bytes, 12)?,
            bell_fd: read_u32(bytes, 16)?,
            cookie: read_u64(bytes, 24)?,
            probe: read_u64(bytes, 32)?,
            owner: Owner {
                user: read_u32(bytes, 64)?,
                group: read_u32(bytes, 68)?,
                is_plain: read_u32(bytes, 72)? == 1,
            },
            generation: read_u32(bytes, 76)?.try_into().ok()?,
            layout,
            offers: offers.to_vec(),
        })
    }
}

/// User and group of a process, which decide who may access its memory (ptrace(2), access mode
/// checks).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    /// The effective user; `is_plain`: the real and the saved one equal it.
    pub(crate) user: u32,
    /// The effective group, likewise.
    pub(crate) group: u32,
    /// Whether the process is dumpable, with one user and one group in all respects.
    pub(crate) is_plain: bool,
}

impl Owner {
    pub(crate) fn this_process() -> Owner {
        let (mut users, mut groups) = ([0; 3], [0; 3]);
        let [real, effective, saved] = &mut users;
        // SAFETY: the three numbers live through the call.
        let users_known = unsafe { libc::getresuid(real, effective, saved) } == 0;
        let [real, effective, saved] = &mut groups;
        // SAFETY: as above.
        let groups_known = unsafe { libc::getresgid(real, effective, saved) } == 0;
        // SAFETY: this only asks.
        let is_open = unsafe { libc::prctl(libc::PR_GET_DUMPABLE) } == 1;
        let are_equal = |ids: [u32; 3]| ids[0] == ids[1] && ids[1] == ids[2];
        Owner {
            user: users[1],
            group: groups[1],
            is_plain: users_known
                && groups_known
                && is_open
                && are_equal(users)
                && are_equal(groups),
        }
    }
}
