//! The carriage of long messages between this process and a peer: pieces through the ring and
//! blocks, which both sides copy, or an announcement after which the receiver has them copied once
//! by a single-copy component ([`crate::smsc`]).
//!
//! Which one is faster depends on the machine and the length, so it is measured
//! ([`shm::carriage`]). The receiver holds a chooser for each size class of each peer's messages,
//! and writes its wishes beside the ring that the peer sends through; the peer reads them when it
//! sends. Before there is a ring nothing is announced. Where both send, one of them decides for
//! both ([`crate::both_ways`]).

use std::sync::atomic::Ordering;
use std::sync::Arc;

use base::{Clock, PeerId, Service};
use btl::Carriage;
use shm::carriage::{class_of, CLASS_MIN_BYTES};

use crate::carried::{READ, RING};
use crate::component::Sm;
use crate::params::Rule;

impl Carriage for Sm {
    fn clock(&self) -> Arc<dyn Clock + Send + Sync> {
        Arc::new(shm::clock::Shared)
    }

    fn measured_min(&self) -> usize {
        CLASS_MIN_BYTES
    }

    fn announces(&mut self, peer: PeerId, bytes: usize) -> bool {
        let Some(class) = class_of(bytes) else {
            return false;
        };
        match self.settings.rule {
            Rule::Ring => false,
            Rule::Read(_) => true,
            Rule::Measured => match self.paths.get_mut(peer.index()) {
                Some(Some(path)) => {
                    let reads = path.follow(class, bytes) == READ;
                    if let (true, Some(blocks)) = (reads, &mut path.blocks) {
                        blocks.pass();
                    }
                    reads
                }
                _ => false,
            },
        }
    }

    fn served(&mut self, peer: PeerId, service: Service) {
        let class = class_of(service.bytes).filter(|_| self.settings.rule == Rule::Measured);
        let (Some(class), Some(row)) = (class, self.inbox.row_of(peer)) else {
            return;
        };
        if self.introduced.has(peer) && self.attach_now(peer).is_err() {
            return;
        }
        let Some(Some(path)) = self.paths.get_mut(peer.index()) else {
            return;
        };
        if path.links.is_empty() && path.carried.from.is_none() {
            return;
        }
        let mechanism = if service.announced { READ } else { RING };
        let wish = path.carried.served(class, mechanism, service, path.leads);
        let (word, wish) = (self.own.ring_wish(row, class), wish.to_word());
        if word.load(Ordering::Relaxed) != wish {
            word.store(wish, Ordering::Relaxed);
        }
    }

    fn account(&self, peer: PeerId) -> Option<String> {
        let path = self.paths.get(peer.index())?.as_ref()?;
        let reader = path.links.best().map_or("read", |best| best.name());
        let from = path.carried.from.iter().flat_map(|classes| classes.used());
        let both = path.carried.both.iter().flat_map(|both| both.used());
        let from = from.map(|used| (used, ""));
        let both = both.map(|used| (used, " both ways"));
        let mut clauses = Vec::new();
        for ((class, chooser), ways) in from.chain(both) {
            let rate = |mechanism, name: &str| match chooser.rate(mechanism) {
                _ if chooser.is_refused(mechanism) => format!("{name} refused"),
                Some(rate) => format!("{name} {:.1} GB/s", rate as f64 / 1000.0),
                None => format!("{name} not tried"),
            };
            let kept = [("ring", reader), (reader, "ring")][chooser.kept()].0;
            let from = (CLASS_MIN_BYTES >> 10) << class;
            clauses.push(format!(
                "{from} KiB{ways} by {kept} ({}, {})",
                rate(RING, "ring"),
                rate(READ, reader)
            ));
        }
        (!clauses.is_empty()).then(|| clauses.join("; "))
    }
}

impl Sm {
    /// Lets a peer know that nothing can read its memory any more.
    #[cold]
    pub(crate) fn refuse_reading(&mut self, peer: PeerId) {
        let row = self.inbox.row_of(peer);
        let Some(Some(path)) = self.paths.get_mut(peer.index()) else {
            return;
        };
        if !path.links.is_empty() || !path.carried.refuse() {
            return;
        }
        if let (Some(row), Some(classes)) = (row, &path.carried.from) {
            for (class, chooser) in classes.used() {
                let word = self.own.ring_wish(row, class);
                word.store(chooser.wish().to_word(), Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests;
