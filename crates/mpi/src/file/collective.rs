//! An access of all processes together.

use std::sync::Arc;

use ::io::View;
use datatype::Buffer;

use super::disk::Direction;
use super::File;
use crate::Error;

impl File {
    /// Transfers all of `buffer` with the other processes; returns the bytes transferred. `place`
    /// is the view, and the data before the access in it, or why this process has no part.
    pub(super) fn transfer_all(
        &self,
        place: Result<(Arc<View>, u64), Error>,
        buffer: &Buffer,
        direction: Direction,
    ) -> Result<u64, Error> {
        let (view, from) = place?;
        self.disk.transfer(&view, from, buffer, direction)
    }
}
