//! The account that a process gives the next life of a peer: which of its messages it has.
//!
//! ```text
//! for each communicator: context u64, next u64, count of missing u64, number u64 of each
//! ```

use pml::{Context, Received};

/// Returns an account as words.
pub fn words(received: &[Received]) -> Vec<u64> {
    let mut words = Vec::new();
    for one in received {
        words.extend([one.context.0, one.next, one.missing.len() as u64]);
        words.extend_from_slice(&one.missing);
    }
    words
}

/// Returns the account in words; `None` when it is malformed.
pub fn of_words(mut words: &[u64]) -> Option<Vec<Received>> {
    let mut received = Vec::new();
    while let [context, next, count, rest @ ..] = words {
        let (missing, rest) = rest.split_at_checked(*count as usize)?;
        received.push(Received {
            context: Context(*context),
            next: *next,
            missing: missing.to_vec(),
        });
        words = rest;
    }
    words.is_empty().then_some(received)
}

/// Encodes an account.
pub fn encode(received: &[Received]) -> Vec<u8> {
    let words = words(received).into_iter();
    words.flat_map(u64::to_le_bytes).collect()
}

/// Decodes an account; `None` when it is malformed.
pub fn decode(bytes: &[u8]) -> Option<Vec<Received>> {
    let (words, rest) = bytes.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    of_words(&words).filter(|_| rest.is_empty())
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
