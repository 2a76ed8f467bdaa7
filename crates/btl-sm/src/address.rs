//! The address that peers attach a process by: where its segment is, what lies where in it, and who
//! may attach.

use base::wire::{read_u32, read_u64, write_u32, write_u64};

use crate::segment::Layout;
use crate::smsc;

/// What a peer needs to attach: it travels through the exchange of addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    /// The machine and its process namespace, hashed: only equal ones can attach.
    pub(crate) machine: u64,
    pub(crate) pid: u32,
    /// Descriptor of the segment.
    pub(crate) segment_fd: u32,
    /// Descriptor of the bell's writing end.
    pub(crate) bell_fd: u32,
    /// A number that the segment begins with, so that no other is taken for it.
    pub(crate) cookie: u64,
    /// Where in the process the cookie can be read, to try whether reading is allowed.
    pub(crate) probe: u64,
    /// Who may attach.
    pub(crate) owner: Owner,
    pub(crate) layout: Layout,
    /// What the single-copy components offer ([`crate::smsc`]).
    pub(crate) offers: Vec<u8>,
}

/// Bytes before the offers, which go to the end.
const ADDRESS_BYTES: usize = 76;

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
        bytes.extend(&self.offers);
        bytes
    }

    /// `None` when the bytes are not an address.
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
            layout,
            offers: offers.to_vec(),
        })
    }
}

/// Who may look into a process, as far as its owner decides that (ptrace(2), access mode checks).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    /// The user, where the process has one and the same in all respects.
    pub(crate) user: u32,
    /// The group likewise.
    pub(crate) group: u32,
    /// Whether the process is as its user made it: neither hidden nor of several users.
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
