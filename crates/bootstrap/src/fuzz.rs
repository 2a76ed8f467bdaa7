//! Fuzzing of the decoders of launchers' and ranks' bytes: called by the fuzz targets, and by the
//! test that replays their corpus.

use crate::native::wire::{released, Reply, Request};

pub use base::fuzz::Target;

/// The targets, by the names of their corpora.
pub const TARGETS: &[Target] = &[("bootstrap_native", native), ("bootstrap_pmi", pmi)];

/// Decodes frames of this project's launcher and its ranks; the first byte chooses the receiving
/// side. A frame that decodes is equal after encoding it, and when it arrives byte by byte.
pub fn native(bytes: &[u8]) {
    let Some((side, bytes)) = bytes.split_first() else {
        return;
    };
    match side % 3 {
        0 => stream(bytes, Request::decode, Request::encode),
        1 => stream(bytes, Reply::decode, Reply::encode),
        _ => {
            let _ = released(bytes, |_, key, value| {
                assert!(key.len() + value.len() <= bytes.len());
            });
        }
    }
}

/// Decodes a stream at once and in pieces.
fn stream<T: PartialEq + std::fmt::Debug, E>(
    bytes: &[u8],
    decode: impl Fn(&mut Vec<u8>) -> Result<Option<T>, E>,
    encode: impl Fn(&T, &mut Vec<u8>),
) {
    let mut left = bytes.to_vec();
    let mut whole = Vec::new();
    while let Ok(Some(decoded)) = decode(&mut left) {
        let mut again = Vec::new();
        encode(&decoded, &mut again);
        let redecoded = decode(&mut again).ok().flatten();
        assert_eq!(redecoded.as_ref(), Some(&decoded));
        assert!(again.is_empty());
        whole.push(decoded);
    }
    let (mut arrived, mut pieces) = (Vec::new(), Vec::new());
    'all: for byte in bytes {
        arrived.push(*byte);
        loop {
            match decode(&mut arrived) {
                Ok(Some(decoded)) => pieces.push(decoded),
                Ok(None) => break,
                Err(_) => break 'all,
            }
        }
    }
    assert_eq!(pieces, whole);
}

/// Decodes replies of foreign launchers.
pub fn pmi(bytes: &[u8]) {
    crate::pmi::fuzz(bytes);
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_corpora_pass() {
        base::fuzz::replay(super::TARGETS);
    }
}
