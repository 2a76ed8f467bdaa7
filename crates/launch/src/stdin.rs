//! Reads the launcher's own standard input, for the rank that does not inherit it.
//!
//! A rank is in a session of its own, and only the foreground group of a terminal's session may
//! read from it. So a terminal is read here, and only while the launcher is in the foreground: a
//! background job must not be stopped for reading. To a rank on another host the input is always
//! forwarded.

use std::io;

use launch_tree::poll::{Poll, Source, Until};
use rustix::io::Errno;

/// How much is read ahead of the rank, in bytes.
const AHEAD_BYTES_MAX: usize = 64 * 1024;

/// How much of the input is kept for the next life of a rank that is started again, in bytes.
const KEPT_BYTES_MAX: usize = 16 << 20;

/// Input that a rank was sent, for its next life.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    /// Whether there was more than is kept.
    is_cut: bool,
}

/// The reader of the launcher's own standard input.
pub(crate) struct StdinReader {
    /// The input so far, where the rank may be started again.
    kept: Option<Kept>,
    /// The rank that it reads for.
    pub(crate) rank: u32,
    is_terminal: bool,
    /// Read and not yet taken by the rank, in bytes.
    ahead: usize,
    ended: bool,
    watched: bool,
    /// A file is always ready and cannot be waited for.
    is_file: bool,
}

impl StdinReader {
    /// A reader for a rank. The input is kept where the rank may be started again.
    pub(crate) fn new(rank: u32, restarts: bool) -> StdinReader {
        StdinReader {
            kept: restarts.then(Kept::default),
            rank,
            is_terminal: rustix::termios::isatty(io::stdin()),
            ahead: 0,
            ended: false,
            watched: false,
            is_file: false,
        }
    }

    /// Whether there is anything to read for: room ahead, a reader, and the right to read.
    fn wants_input(&self) -> bool {
        self.has_room() && (!self.is_terminal || in_foreground())
    }

    /// Whether the terminal would be read if the launcher were in the foreground. Nothing notifies
    /// it when it comes there, so it has to poll from time to time.
    pub(crate) fn waits_for_foreground(&self) -> bool {
        self.has_room() && self.is_terminal && !in_foreground()
    }

    /// Whether there is input at this moment without any waiting.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_file && self.has_room()
    }

    fn has_room(&self) -> bool {
        !self.ended && self.ahead < AHEAD_BYTES_MAX
    }

    /// Waits for input while there is anything to read for.
    pub(crate) fn watch(&mut self, poll: &Poll) {
        let wants = self.wants_input() && !self.is_file;
        if wants == self.watched {
            return;
        }
        self.watched = wants;
        match wants {
            true => {
                let added = poll.add(io::stdin(), Source::Stdin, Until::Readable);
                if added.is_err() {
                    (self.is_file, self.watched) = (true, false);
                }
            }
            false => poll.remove(io::stdin()),
        }
    }

    /// Reads once; nothing at the end of the input.
    pub(crate) fn read(&mut self) -> Option<Vec<u8>> {
        if !self.wants_input() {
            return None;
        }
        let mut chunk = [0; 16 * 1024];
        match rustix::io::read(io::stdin(), &mut chunk) {
            Ok(n) if n > 0 => {
                self.ahead += n;
                self.keep(&chunk[..n]);
                Some(chunk[..n].to_vec())
            }
            Err(Errno::INTR | Errno::AGAIN) => None,
            Ok(_) | Err(_) => {
                self.ended = true;
                Some(Vec::new())
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let Some(kept) = self.kept.as_mut().filter(|kept| !kept.is_cut) else {
            return;
        };
        if kept.bytes.len() + bytes.len() > KEPT_BYTES_MAX {
            *kept = Kept {
                bytes: Vec::new(),
                is_cut: true,
            };
        } else {
            kept.bytes.extend_from_slice(bytes);
        }
    }

    /// Begins anew, for the next life of the rank: returns what its earlier lives were sent, in
    /// messages, the last of them empty where that was all.
    ///
    /// # Errors
    /// Returns why they cannot be sent it again: it was too much to be kept.
    pub(crate) fn repeat(&mut self) -> Result<Vec<Vec<u8>>, String> {
        let kept = self.kept.take().unwrap_or_default();
        if kept.is_cut {
            self.kept = Some(kept);
            return Err(format!(
                "it has got more standard input than the {} MiB that are kept for its next life",
                KEPT_BYTES_MAX >> 20
            ));
        }
        self.ahead = kept.bytes.len();
        let mut messages = Vec::new();
        messages.extend((self.ahead > 0).then(|| kept.bytes.clone()));
        messages.extend(self.ended.then(Vec::new));
        self.kept = Some(kept);
        Ok(messages)
    }

    /// Notes that the rank has taken this many bytes.
    pub(crate) fn taken(&mut self, bytes: u32) {
        self.ahead = self.ahead.saturating_sub(bytes as usize);
    }

    /// Ends the reading: no rank reads any more.
    pub(crate) fn stop(&mut self) {
        self.ended = true;
    }
}

fn in_foreground() -> bool {
    let own = rustix::process::getpgrp();
    rustix::termios::tcgetpgrp(io::stdin()).is_ok_and(|front| front == own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_sent_again_up_to_a_bound() {
        let mut stdin_reader = StdinReader::new(0, true);
        stdin_reader.keep(b"one\n");
        stdin_reader.keep(b"two\n");
        stdin_reader.taken(8);
        assert_eq!(stdin_reader.repeat(), Ok(vec![b"one\ntwo\n".to_vec()]));
        assert_eq!(stdin_reader.ahead, 8);
        stdin_reader.keep(b"three\n");
        stdin_reader.ended = true;
        let all = vec![b"one\ntwo\nthree\n".to_vec(), Vec::new()];
        assert_eq!(stdin_reader.repeat(), Ok(all.clone()));
        assert_eq!(stdin_reader.repeat(), Ok(all));
        stdin_reader.keep(&vec![b'x'; KEPT_BYTES_MAX]);
        assert!(stdin_reader
            .repeat()
            .is_err_and(|why| why.contains("16 MiB")));
        assert!(stdin_reader.repeat().is_err());
        let mut fresh = StdinReader::new(0, true);
        assert_eq!(fresh.repeat(), Ok(Vec::new()));
    }
}
