//! Fuzzing of the decoders of daemons' bytes: called by the fuzz target, and by the test that
//! replays its corpus.

use std::collections::BTreeMap;

use crate::order::Order;
use crate::plm::call;
use crate::wire::{Down, Inbox, Up};
use launch_plan::topology::Topology;

pub use base::fuzz::Target;

/// The target, by the name of its corpus.
pub const TARGETS: &[Target] = &[("launch_tree", tree)];

/// Decodes messages between vertices of the tree; the first byte chooses the receiver. A message
/// that decodes is equal after encoding it.
pub fn tree(bytes: &[u8]) {
    let Some((listener, bytes)) = bytes.split_first() else {
        return;
    };
    match listener % 5 {
        0 => frames(bytes, |kind, body| {
            let Ok(word) = Up::decode(kind, body) else {
                return;
            };
            let again = word.encode();
            assert_eq!(Up::decode(again[0], &again[5..]), Ok(word));
        }),
        1 => frames(bytes, |kind, body| {
            let Ok(word) = Down::decode(kind, body) else {
                return;
            };
            let again = word.encode();
            assert_eq!(Down::decode(again[0], &again[5..]), Ok(word));
        }),
        2 => {
            let Ok(order) = Order::decode(bytes) else {
                return;
            };
            assert!(order.node_of().len() == order.plan.placements.len());
            let again = order.encode(&BTreeMap::new(), |_| false);
            let again = Order::decode(&again).expect("it was encoded here");
            assert_eq!(again.node_of(), order.node_of());
        }
        3 => {
            let Ok(topology) = Topology::decode(bytes) else {
                return;
            };
            let mut again = Vec::new();
            topology.encode(&mut again);
            assert_eq!(Topology::decode(&again).as_ref(), Ok(&topology));
        }
        _ => call::read_anything(bytes),
    }
}

/// The frames of a stream that comes in pieces.
fn frames(bytes: &[u8], mut each: impl FnMut(u8, &[u8])) {
    let mut inbox = Inbox::default();
    for piece in bytes.chunks(7) {
        inbox.push(piece);
        loop {
            match inbox.frame() {
                Ok(Some((kind, body))) => each(kind, body),
                Ok(None) => break,
                Err(_) => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_corpora_pass() {
        base::fuzz::replay(super::TARGETS);
    }
}
