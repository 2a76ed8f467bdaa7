//! Messages of `ft` that wait: for the layer above, or for a lane.

use std::collections::VecDeque;

use base::PeerId;

/// Messages of `ft` in both directions.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) arrived: Vec<(PeerId, Vec<u8>)>,
    /// Messages whose lanes were busy.
    pub(crate) queued: VecDeque<(PeerId, Vec<u8>)>,
}
