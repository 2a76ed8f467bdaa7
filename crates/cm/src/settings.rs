//! Settings of the layer `cm`.

use base::PeerId;
use pml::Context;

use crate::label::TagMode;

/// Settings of a [`crate::Cm`].
pub struct Settings {
    /// This process.
    pub me: PeerId,
    /// How labels are divided.
    pub tags: TagMode,
    /// Processes of the job.
    pub peers: usize,
    /// Folds a context to a number of bits. The layer that names contexts knows how to keep those
    /// of one job distinct; where two of a process cannot be, the second is refused.
    pub fold: fn(Context, peers: usize, bits: u32) -> u64,
}
