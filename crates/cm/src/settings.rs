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
    /// Brings a context down to a number of bits. Whoever names contexts knows how to keep those
    /// of one job apart; where two of a process cannot be, the second is refused.
    pub fold: fn(Context, peers: usize, bits: u32) -> u64,
}
