//! The key of registered memory: what a peer needs to find it, whichever component it uses.
//!
//! ```text
//! byte  what
//! 0     address, 56 bits; then what peers may do, 8 bits
//! 8     length in bytes, 48 bits; then pages from the region's beginning to the memory's, 16 bits
//! 16    the region's cookie, where knem has made one
//! ```
//!
//! A region is whole pages, so where the memory begins in it is that many pages and the address's
//! offset in its page. A key is an allegation: `locate` takes nothing that its own bounds deny.

use base::wire::{read_u64, write_u64};
use btl::{Access, RemoteKey};
use memory::UserBuf;
use shm::Direction;

use super::component::{Region, Target};

/// Bits of a key that say what peers may do.
const MAY_READ: u64 = 1;
const MAY_WRITE: u64 = 2;

const ADDRESS_BITS: u32 = 56;
const LEN_BITS: u32 = 48;

/// Bytes of a key without a cookie, and with one.
const BARE_BYTES: usize = 16;
const WITH_COOKIE_BYTES: usize = 24;

/// Most pages that memory may begin behind its region.
pub(crate) const LEAD_PAGES_MAX: u64 = u16::MAX as u64;

/// Encodes the key of some memory; `None` where its length or its offset in the region exceeds the
/// key's fields.
pub(crate) fn encode(memory: UserBuf, access: Access, region: Option<Region>) -> Option<RemoteKey> {
    let page = memory::page_bytes() as u64;
    let (address, len) = (memory.address().addr() as u64, memory.len() as u64);
    let rights = u64::from(access.read) * MAY_READ + u64::from(access.write) * MAY_WRITE;
    let lead = region.map_or(0, |region| region.offset / page);
    if low_bits(len, LEN_BITS) != len || lead > LEAD_PAGES_MAX {
        return None;
    }
    let mut key = [0; WITH_COOKIE_BYTES];
    // The top byte of an address is at most a tag, which is not part of where it points.
    let place = low_bits(address, ADDRESS_BITS) | rights << ADDRESS_BITS;
    write_u64(&mut key, 0, place);
    write_u64(&mut key, 8, len | lead << LEN_BITS);
    match region {
        Some(region) => write_u64(&mut key, 16, region.cookie),
        None => return RemoteKey::new(&key[..BARE_BYTES]),
    }
    RemoteKey::new(&key)
}

/// Returns the target of `len` bytes at `offset` of registered memory; `None` where the key is
/// malformed, or does not allow the access.
pub(crate) fn locate(
    key: &RemoteKey,
    offset: u64,
    len: usize,
    direction: Direction,
) -> Option<Target> {
    let bytes = key.as_bytes();
    if bytes.len() != BARE_BYTES && bytes.len() != WITH_COOKIE_BYTES {
        return None;
    }
    let (place, extent) = (read_u64(bytes, 0)?, read_u64(bytes, 8)?);
    let (address, rights) = (low_bits(place, ADDRESS_BITS), place >> ADDRESS_BITS);
    let (whole, lead) = (low_bits(extent, LEN_BITS), extent >> LEN_BITS);
    let needed = if direction == Direction::Read {
        MAY_READ
    } else {
        MAY_WRITE
    };
    let end = offset.checked_add(len as u64)?;
    if rights & needed == 0 || end > whole {
        return None;
    }
    let page = memory::page_bytes() as u64;
    Some(Target {
        // Below 2^57: no sum of these can overflow.
        address: address + offset,
        region: read_u64(bytes, 16).map(|cookie| Region {
            cookie,
            offset: lead * page + address % page + offset,
        }),
    })
}

fn low_bits(value: u64, bits: u32) -> u64 {
    value & ((1 << bits) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Access = Access {
        read: true,
        write: false,
    };

    fn memory(address: usize, len: usize) -> UserBuf {
        // SAFETY: the address is only encoded, never used.
        unsafe { UserBuf::new(std::ptr::without_provenance_mut(address), len) }
    }

    #[test]
    fn a_key_has_address_and_offset_in_the_region() {
        let page = memory::page_bytes() as u64;
        let region = Region {
            cookie: 0xfeed_0123_4567_89ab,
            offset: 7 * page + 0x123,
        };
        let base = 0x7fff_0000_0000 + 0x123;
        let key = encode(memory(base, 1 << 33), READ, Some(region)).unwrap();
        assert_eq!(
            key.as_bytes().len(),
            24,
            "leaves room for a handle of 8 bytes"
        );
        let target = locate(&key, 3 << 31, 5, Direction::Read).unwrap();
        assert_eq!(target.address, base as u64 + (3 << 31));
        let wanted = Region {
            offset: region.offset + (3 << 31),
            ..region
        };
        assert_eq!(target.region, Some(wanted));
    }

    #[test]
    fn what_a_key_does_not_allow_is_nowhere() {
        let key = encode(memory(4096, 100), READ, None).unwrap();
        assert!(locate(&key, 0, 100, Direction::Read).is_some_and(|t| t.region.is_none()));
        assert_eq!(locate(&key, 100, 0, Direction::Read).unwrap().address, 4196);
        assert!(
            locate(&key, 0, 100, Direction::Write).is_none(),
            "read-only memory"
        );
        for (offset, len) in [(0, 101), (1, 100), (101, 0), (u64::MAX, 1), (u64::MAX, 0)] {
            assert!(
                locate(&key, offset, len, Direction::Read).is_none(),
                "{len} at {offset}"
            );
        }
        for len in (0..=32).filter(|len| *len != 16 && *len != 24) {
            let key = RemoteKey::new(&[0xff; 32][..len]).unwrap();
            assert!(
                locate(&key, 0, 0, Direction::Read).is_none(),
                "a key of {len} bytes"
            );
        }
        assert!(encode(memory(0, 1 << 48), READ, None).is_none());
        let far = Region {
            cookie: 1,
            offset: (LEAD_PAGES_MAX + 1) * memory::page_bytes() as u64,
        };
        assert!(encode(memory(0, 1), READ, Some(far)).is_none());
    }
}
