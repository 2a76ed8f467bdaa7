//! A blocking receive that polls for a moment before it becomes a wait.

use datatype::Buffer;
use pml::{CommId, Pattern, Pml, RequestId, Status};

use crate::engine::Engine;

impl Engine {
    /// Starts a receive and polls for its message for a moment, without what a longer wait needs
    /// and without leaving the gate.
    ///
    /// # Errors
    /// Returns the request where the message has not arrived, or the receive has failed: wait for
    /// it.
    #[inline]
    pub fn try_recv(
        &self,
        comm: CommId,
        pattern: Pattern,
        buffer: Buffer,
    ) -> Result<Status, RequestId> {
        let mut core = self.enter();
        let request = core.start_recv(comm, pattern, buffer);
        core.watch(request);
        for _ in 0..self.short_polls() {
            if let Some(status) = core.take_success(request) {
                return Ok(status);
            }
            core.progress();
        }
        core.take_success(request).ok_or(request)
    }
}
