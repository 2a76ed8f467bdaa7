//! The address that this process publishes: its point-to-point layer, and that layer's addresses.
//!
//! The first byte names the layer. Behind it are, for `ob1`, the addresses of the lanes; for `cm`,
//! the network's name (its length in one byte) and its address there. So two processes that chose
//! differently find out when they meet, not when a message is lost.

use base::PeerId;

use crate::error::Error;

const OB1: u8 = 1;
const CM: u8 = 2;

pub(crate) fn of_lanes(address: &[u8]) -> Vec<u8> {
    [&[OB1], address].concat()
}

pub(crate) fn of_network(name: &str, address: &[u8]) -> Vec<u8> {
    [&[CM, name.len() as u8], name.as_bytes(), address].concat()
}

/// The addresses of a peer's lanes.
pub(crate) fn lanes(peer: PeerId, published: &[u8]) -> Result<&[u8], Error> {
    match published.split_first() {
        Some((&OB1, address)) => Ok(address),
        _ => Err(other_layer(peer, published, "ob1".into())),
    }
}

/// A peer's address on the network of a name.
pub(crate) fn network<'a>(
    peer: PeerId,
    name: &str,
    published: &'a [u8],
) -> Result<&'a [u8], Error> {
    match parts(published) {
        Some((theirs, address)) if theirs == name.as_bytes() => Ok(address),
        _ => Err(other_layer(peer, published, format!("cm ({name})"))),
    }
}

fn parts(published: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&CM, rest) = published.split_first()? else {
        return None;
    };
    let (len, rest) = rest.split_first()?;
    rest.split_at_checked(usize::from(*len))
}

fn other_layer(peer: PeerId, published: &[u8], ours: String) -> Error {
    let theirs = match (published.first(), parts(published)) {
        (Some(&OB1), _) => "ob1".to_string(),
        (_, Some((name, _))) => format!("cm ({})", String::from_utf8_lossy(name)),
        _ => "nothing that is known here".to_string(),
    };
    Error::OtherLayer { peer, theirs, ours }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_that_differ_are_an_error() {
        let (ob1, cm) = (of_lanes(b"lanes"), of_network("ofi", b"there"));
        assert_eq!(lanes(PeerId(1), &ob1), Ok(&b"lanes"[..]));
        assert_eq!(network(PeerId(1), "ofi", &cm), Ok(&b"there"[..]));
        for error in [
            lanes(PeerId(1), &cm).unwrap_err(),
            network(PeerId(1), "ofi", &ob1).unwrap_err(),
            network(PeerId(1), "sim", &cm).unwrap_err(),
        ] {
            assert!(error.to_string().contains("--mca pml"), "{error}");
        }
        for damaged in [&[][..], &[CM], &[CM, 9, b'o'], &[7, 7]] {
            assert!(lanes(PeerId(1), damaged).is_err());
            assert!(network(PeerId(1), "ofi", damaged).is_err());
        }
    }
}
