//! Publishing through launchers whose keys cannot be written twice.
//!
//! Launchers cache values on each node, and several never update these. So each key is used once:
//! at each fence a process puts one block with everything published since the last one, under a key
//! with the number of the fence. A block names the fence of the block before it. Empty blocks are
//! put as well, so that nobody queries a key that may not exist.

use std::collections::hash_map::{Entry, HashMap};

use base::{wire, PeerId};

use crate::Error;

/// A process's own blocks, and those of its peers as far as they were fetched.
#[derive(Default)]
pub(crate) struct Blocks {
    /// Published since the last fence.
    pending: HashMap<String, Vec<u8>>,
    /// How many fences there were.
    fences: u32,
    /// The last fence at which this process published anything; 0 for none.
    last: u32,
    /// By peer and fence.
    known: HashMap<(PeerId, u32), Block>,
}

/// The values that a process published at one fence.
struct Block {
    /// At which fence it published before, counted from 1; 0 for none.
    before: u32,
    entries: HashMap<String, Vec<u8>>,
}

impl Blocks {
    pub(crate) fn publish(&mut self, key: &str, value: &[u8]) {
        self.pending.insert(key.to_string(), value.to_vec());
    }

    /// The block to put before the next fence, and that fence's number.
    pub(crate) fn seal(&mut self) -> (u32, Vec<u8>) {
        let block = Block {
            before: self.last,
            entries: std::mem::take(&mut self.pending),
        };
        let number = self.fences + 1;
        if !block.entries.is_empty() {
            self.last = number;
        }
        (number, block.encode())
    }

    /// Notes that the fence is complete.
    pub(crate) fn passed(&mut self) {
        self.fences += 1;
    }

    /// Returns what `peer` published under `key`. `get` fetches a block from the launcher.
    pub(crate) fn fetch(
        &mut self,
        peer: PeerId,
        key: &str,
        mut get: impl FnMut(u32) -> Result<Vec<u8>, Error>,
        broken: impl Fn(String) -> Error,
    ) -> Result<Option<Vec<u8>>, Error> {
        let mut number = self.fences;
        while number > 0 {
            let block = match self.known.entry((peer, number)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let block = Block::decode(&get(number)?);
                    // A block is made after the one that it names, so this walk ends.
                    let block = block.filter(|block| block.before < number);
                    let damaged = || broken(format!("what {peer} published came back damaged"));
                    place.insert(block.ok_or_else(damaged)?)
                }
            };
            if let Some(value) = block.entries.get(key) {
                return Ok(Some(value.clone()));
            }
            number = block.before;
        }
        Ok(None)
    }
}

impl Block {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = self.before.to_le_bytes().to_vec();
        for (key, value) in &self.entries {
            bytes.extend_from_slice(&(key.len() as u32).to_le_bytes());
            bytes.extend_from_slice(&(value.len() as u32).to_le_bytes());
            bytes.extend_from_slice(key.as_bytes());
            bytes.extend_from_slice(value);
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Block> {
        let before = wire::read_u32(bytes, 0)?;
        let mut entries = HashMap::new();
        let mut at = 4;
        while at < bytes.len() {
            let key_bytes = wire::read_u32(bytes, at)? as usize;
            let value_bytes = wire::read_u32(bytes, at + 4)? as usize;
            let key_at = at + 8;
            let value_at = key_at.checked_add(key_bytes)?;
            let end = value_at.checked_add(value_bytes)?;
            let key = std::str::from_utf8(bytes.get(key_at..value_at)?).ok()?;
            entries.insert(key.to_string(), bytes.get(value_at..end)?.to_vec());
            at = end;
        }
        Some(Block { before, entries })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(detail: String) -> Error {
        Error::Protocol {
            protocol: "test",
            detail,
        }
    }

    #[test]
    fn blocks_come_back_and_cut_ones_do_not() {
        let entries = [("a", &b""[..]), ("modex", &[7; 300]), ("k.2", b"x")];
        let entries = entries.map(|(key, value)| (key.to_string(), value.to_vec()));
        let block = Block {
            before: 3,
            entries: entries.into(),
        };
        let bytes = block.encode();
        let back = Block::decode(&bytes).unwrap();
        assert_eq!((back.before, &back.entries), (3, &block.entries));
        // Cut between two entries it is a shorter block, elsewhere none.
        let shorter = (0..bytes.len()).filter_map(|length| Block::decode(&bytes[..length]));
        assert_eq!(shorter.count(), 3);
        let mut absurd = bytes;
        absurd[4..8].fill(0xff);
        absurd[8..12].fill(0xff);
        assert!(Block::decode(&absurd).is_none());
    }

    #[test]
    fn the_last_value_before_a_fence_counts_and_each_block_is_asked_for_once() {
        let (mut blocks, mut store) = (Blocks::default(), HashMap::new());
        let mut fence = |blocks: &mut Blocks| {
            let (number, bytes) = blocks.seal();
            assert!(store.insert(number, bytes).is_none());
            blocks.passed();
            store.clone()
        };
        blocks.publish("a", b"1");
        blocks.publish("b", b"old");
        blocks.publish("b", b"2");
        fence(&mut blocks);
        fence(&mut blocks);
        blocks.publish("a", b"3");
        fence(&mut blocks);
        let store = fence(&mut blocks);
        let mut asked = Vec::new();
        for (key, value) in [("a", Some(&b"3"[..])), ("b", Some(b"2")), ("c", None)] {
            let get = |number| {
                asked.push(number);
                Ok(store[&number].clone())
            };
            let found = blocks.fetch(PeerId(1), key, get, broken).unwrap();
            assert_eq!(found.as_deref(), value, "{key}");
        }
        assert_eq!(asked, [4, 3, 1]);
        // A block that names itself as the one before it would be read for ever.
        let mut other = Blocks::default();
        other.passed();
        let endless = other.fetch(PeerId(0), "a", |_| Ok(1u32.to_le_bytes().into()), broken);
        assert!(endless.is_err());
    }
}
