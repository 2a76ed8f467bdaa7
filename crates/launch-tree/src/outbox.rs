//! Queues of frames for readers that do not accept more at the moment. A frame for many readers is
//! stored once.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use bootstrap::native::release;
use rustix::io::Errno;

/// Frames that wait to be written.
#[derive(Default)]
pub(crate) struct Outbox {
    frames: VecDeque<Queued>,
    /// Bytes of the first frame that are written.
    written: usize,
}

/// A frame, and a descriptor that goes with its first byte.
struct Queued(Arc<[u8]>, Option<Arc<OwnedFd>>);

impl Outbox {
    pub(crate) fn push(&mut self, frame: Arc<[u8]>) {
        self.frames.push_back(Queued(frame, None));
    }

    /// Queues a frame for a socket, with a descriptor for its reader.
    pub(crate) fn push_with(&mut self, frame: Arc<[u8]>, descriptor: Arc<OwnedFd>) {
        self.frames.push_back(Queued(frame, Some(descriptor)));
    }

    /// Writes what `to`, which does not block, takes at this moment.
    ///
    /// # Errors
    /// The system's, when nobody will ever read; what waits is then forgotten.
    pub(crate) fn flush(&mut self, to: impl AsFd) -> io::Result<()> {
        while let Some(Queued(frame, descriptor)) = self.frames.front() {
            let sent = match descriptor {
                Some(descriptor) if self.written == 0 => release::send(&to, frame, descriptor),
                _ => rustix::io::write(&to, &frame[self.written..]),
            };
            match sent {
                Ok(n) => self.written += n,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(()),
                Err(error) => {
                    self.frames.clear();
                    self.written = 0;
                    return Err(error.into());
                }
            }
            if self.written == frame.len() {
                self.frames.pop_front();
                self.written = 0;
            }
        }
        Ok(())
    }

    /// Whether something waits.
    pub(crate) fn is_behind(&self) -> bool {
        !self.frames.is_empty()
    }
}
