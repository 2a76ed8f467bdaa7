//! Encoding of the addresses of all transports as one byte string.
//!
//! ```text
//! per transport: name length u8, name, address length u32, address
//! ```

use base::wire::{read_u32, write_u32};

/// Most bytes of a transport's name, and of an address.
const NAME_BYTES_MAX: usize = 64;
const ADDRESS_BYTES_MAX: usize = 64 * 1024;

pub(crate) fn encode<'a>(addresses: impl Iterator<Item = (&'a str, Vec<u8>)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, address) in addresses {
        assert!(name.len() <= NAME_BYTES_MAX && address.len() <= ADDRESS_BYTES_MAX);
        bytes.push(name.len() as u8);
        bytes.extend(name.as_bytes());
        let mut len = [0; 4];
        write_u32(&mut len, 0, address.len() as u32);
        bytes.extend(len);
        bytes.extend(address);
    }
    bytes
}

/// Decodes names and addresses; `None` when the bytes are malformed.
pub(crate) fn decode(mut bytes: &[u8]) -> Option<Vec<(&str, &[u8])>> {
    let mut addresses = Vec::new();
    while let Some((&name_len, rest)) = bytes.split_first() {
        let name_len = usize::from(name_len);
        let name = rest.get(..name_len)?;
        let rest = &rest[name_len..];
        let len = read_u32(rest, 0)? as usize;
        if name_len > NAME_BYTES_MAX || len > ADDRESS_BYTES_MAX {
            return None;
        }
        let address = rest.get(4..4 + len)?;
        addresses.push((std::str::from_utf8(name).ok()?, address));
        bytes = &rest[4 + len..];
    }
    Some(addresses)
}
