//! Fuzzing of the decoders of daemons' bytes and of users' files and variables: called by the fuzz
//! targets, and by the test that replays their corpus.

use std::collections::BTreeMap;

use crate::topology::Topology;
use crate::tree::order::Order;
use crate::tree::wire::{Down, Inbox, Up};
use crate::{hosts, rankfile, slurm};

pub use base::fuzz::Target;

/// The targets, by the names of their corpora.
pub const TARGETS: &[Target] = &[("launch_files", files), ("launch_tree", tree)];

/// Decodes messages between vertices of the tree; the first byte chooses the receiver. A message
/// that decodes is equal after encoding it.
pub fn tree(bytes: &[u8]) {
    let Some((listener, bytes)) = bytes.split_first() else {
        return;
    };
    match listener % 4 {
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
            let again = order.encode(&BTreeMap::new());
            let again = Order::decode(&again).expect("it was encoded here");
            assert_eq!(again.node_of(), order.node_of());
        }
        _ => {
            let Ok(topology) = Topology::decode(bytes) else {
                return;
            };
            let mut again = Vec::new();
            topology.encode(&mut again);
            assert_eq!(Topology::decode(&again).as_ref(), Ok(&topology));
        }
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

/// Parses texts of users and Slurm; the first byte chooses the kind of text.
pub fn files(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(bytes);
    match kind % 4 {
        0 => drop(hosts::parse_file("file", &text)),
        1 => drop(hosts::parse_list("--host", &text)),
        2 => {
            let topology = Topology::regular(2, 4, 2);
            for line in rankfile::parse("file", &text).unwrap_or_default() {
                let _ = line.cpus(&topology, crate::topology::Unit::Core);
            }
        }
        _ => {
            let (nodes, tasks) = text.split_once(';').unwrap_or((&text, ""));
            let variable = |name: &str| match name {
                slurm::NODES_VARIABLE => Some(nodes.to_string()),
                _ => Some(tasks.to_string()),
            };
            drop(slurm::allocation(&variable));
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
