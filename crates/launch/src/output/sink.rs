//! The launcher's own standard output or error, written without blocking on its reader.
//!
//! The descriptor is shared with others (a shell, a terminal), so it is not made non-blocking;
//! instead it is polled for readiness, and then written to in pieces that a ready pipe takes whole.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::event::{poll, PollFd, PollFlags};
use rustix::io::Errno;

use launch_tree::poll::{is_ready, Until};
use launch_tree::signals::{self, Signals};

/// How much a pipe that is ready takes at once, in bytes.
const PIECE_BYTES: usize = 4096;
/// How much may wait before the ranks have to, in bytes.
const WAITING_BYTES_MAX: usize = 1 << 20;

/// A stream to the user.
pub(crate) struct Sink {
    stream: Stream,
    waiting: Vec<u8>,
    /// Why it takes no more.
    broken: Option<Errno>,
}

enum Stream {
    Out(io::Stdout),
    Err(io::Stderr),
}

impl Sink {
    pub(crate) fn stdout() -> Sink {
        Sink {
            stream: Stream::Out(io::stdout()),
            waiting: Vec::new(),
            broken: None,
        }
    }

    pub(crate) fn stderr() -> Sink {
        Sink {
            stream: Stream::Err(io::stderr()),
            waiting: Vec::new(),
            broken: None,
        }
    }

    /// Where to append what is to go out at the next flush.
    pub(crate) fn queue(&mut self) -> &mut Vec<u8> {
        &mut self.waiting
    }

    /// Writes what the reader takes at this moment.
    pub(crate) fn flush(&mut self) {
        let mut written = 0;
        while written < self.waiting.len()
            && self.broken.is_none()
            && is_ready(&*self, Until::Writable)
        {
            let end = self.waiting.len().min(written + PIECE_BYTES);
            match rustix::io::write(&*self, &self.waiting[written..end]) {
                Ok(n) => written += n,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(error) => self.broken = Some(error),
            }
        }
        self.waiting.drain(..written);
        if self.broken.is_some() {
            self.waiting.clear();
        }
    }

    /// Whether something waits for the reader.
    pub(crate) fn is_behind(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether so much waits that the ranks must print no more.
    pub(crate) fn is_full(&self) -> bool {
        self.waiting.len() > WAITING_BYTES_MAX
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_unread(&self) -> bool {
        self.broken == Some(Errno::PIPE)
    }

    /// Returns the error that prevents writing, such as a full disk, unless the reader has gone.
    pub(crate) fn trouble(&self) -> Option<String> {
        let error = self.broken.filter(|_| !self.is_unread())?;
        let name = match &self.stream {
            Stream::Out(_) => "output",
            Stream::Err(_) => "error",
        };
        Some(format!("standard {name}: {}", io::Error::from(error)))
    }

    /// Whether somebody may wait for the beginning of a line, a prompt, rather than for its end: at
    /// a terminal, and at a pipe unless lines have tags, which nobody replies to.
    pub(crate) fn shows_prompts(&self, has_tags: bool) -> bool {
        let is_file = |found: rustix::fs::Stat| {
            rustix::fs::FileType::from_raw_mode(found.st_mode) == rustix::fs::FileType::RegularFile
        };
        let is_file = rustix::fs::fstat(self).is_ok_and(is_file);
        rustix::termios::isatty(self) || !has_tags && !is_file
    }

    /// Waits until the reader takes more; false when a signal wants it to give up.
    pub(crate) fn wait(&self, signals: &mut Signals) -> bool {
        let mut fds = [
            PollFd::new(self, PollFlags::OUT),
            PollFd::new(signals, PollFlags::IN),
        ];
        let _ = poll(&mut fds, None);
        !signals
            .take()
            .iter()
            .any(|signal| signals::ENDING.contains(signal))
    }
}

impl AsFd for Sink {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match &self.stream {
            Stream::Out(stream) => stream.as_fd(),
            Stream::Err(stream) => stream.as_fd(),
        }
    }
}
