//! The table of endpoints.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use base::PeerId;

use crate::endpoint::Endpoint;

/// The endpoints, by peer.
pub type Endpoints = HashMap<PeerId, Endpoint, BuildHasherDefault<PeerHasher>>;

/// Hashes the number of a peer, which nobody outside the job chooses: one multiplication.
#[derive(Default)]
pub struct PeerHasher(u64);

impl Hasher for PeerHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        // An odd number whose bits are mixed: its product's upper bits depend on all of them.
        const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;
        self.0 = (self.0 ^ u64::from(number))
            .wrapping_mul(MIXER)
            .rotate_left(26);
    }
}
