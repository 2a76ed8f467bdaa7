//! The account that a process gives the next life of a peer: which of its messages it has.
//!
//! ```text
//! for each communicator: context u64, next u64, count of missing u64, number u64 of each
//! ```

use base::wire::read_u64;
use pml::{Context, Received};

/// Encodes an account.
pub fn encode(received: &[Received]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for one in received {
        let words = [one.context.0, one.next, one.missing.len() as u64];
        for word in words.iter().chain(&one.missing) {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
    }
    bytes
}

/// Decodes an account; `None` when it is malformed.
pub fn decode(bytes: &[u8]) -> Option<Vec<Received>> {
    let mut received = Vec::new();
    let mut at = 0;
    let mut next = || {
        let word = read_u64(bytes, at);
        at += 8;
        word
    };
    while let Some(context) = next() {
        let (after, count) = (next()?, next()?);
        if count > bytes.len() as u64 / 8 {
            return None;
        }
        let missing = (0..count).map(|_| next()).collect::<Option<Vec<u64>>>()?;
        received.push(Received {
            context: Context(context),
            next: after,
            missing,
        });
    }
    bytes.len().is_multiple_of(8).then_some(received)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_comes_back_and_a_cut_one_does_not() {
        let one = |context, next, missing: &[u64]| Received {
            context: Context(context),
            next,
            missing: missing.to_vec(),
        };
        let account = [one(1, 9, &[3, 7]), one(2, 0, &[]), one(u64::MAX, 1, &[0])];
        let bytes = encode(&account);
        assert_eq!(decode(&bytes).as_deref(), Some(&account[..]));
        assert_eq!(decode(&[]), Some(vec![]));
        let whole = [0, 40, 64, bytes.len()];
        for len in (0..bytes.len()).filter(|len| !whole.contains(len)) {
            assert_eq!(decode(&bytes[..len]), None, "{len} bytes");
        }
        let mut absurd = bytes;
        absurd[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(decode(&absurd), None);
    }
}
