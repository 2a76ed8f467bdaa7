//! The standard input of a job: inherited by a rank, or read here and forwarded.
//!
//! A rank on this machine inherits the descriptor, unless that is a terminal: a rank is in a
//! process group of its own, and only the foreground group may read from a terminal. So a terminal
//! is read here ([`Typist`]), and only while the launcher is in the foreground: a background job
//! must not be stopped for reading. To a rank on another host the input is always forwarded. A
//! [`Feed`] on the rank's host writes it to the rank's pipe, and reports how much the rank has
//! accepted, so that only a limited amount is read ahead.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::process::ChildStdin;

use rustix::io::Errno;

use crate::poll::{Poll, Source, Until};
use crate::rank::Input;
use crate::tree::wire::Up;

/// How much is read ahead of the rank, in bytes.
const AHEAD_BYTES_MAX: usize = 64 * 1024;

/// How a rank on this machine that reads is to get its input.
pub(crate) fn input() -> Input {
    match rustix::termios::isatty(io::stdin()) {
        true => Input::Pipe,
        false => Input::Same,
    }
}

/// The reader of the launcher's own standard input.
pub(crate) struct Typist {
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

impl Typist {
    pub(crate) fn new(rank: u32) -> Typist {
        Typist {
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
                let added = poll.add(io::stdin(), Source::Terminal, Until::Readable);
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
                Some(chunk[..n].to_vec())
            }
            Err(Errno::INTR | Errno::AGAIN) => None,
            Ok(_) | Err(_) => {
                self.ended = true;
                Some(Vec::new())
            }
        }
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

/// The end of the carried input, at the rank's own host.
pub(crate) struct Feed {
    /// Closed when the input has come to its end and everything is handed over.
    pipe: Option<ChildStdin>,
    waiting: Vec<u8>,
    ended: bool,
    watched: bool,
}

impl Feed {
    pub(crate) fn new(pipe: ChildStdin) -> io::Result<Feed> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Feed {
            pipe: Some(pipe),
            waiting: Vec::new(),
            ended: false,
            watched: false,
        })
    }

    /// Takes in what was typed; nothing is the end.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Up> {
        self.ended |= bytes.is_empty();
        self.waiting.extend_from_slice(bytes);
        self.write()
    }

    /// Hands over what the rank will take, and reports how much that was.
    pub(crate) fn write(&mut self) -> Vec<Up> {
        let Some(pipe) = &mut self.pipe else {
            return Vec::new();
        };
        let (mut written, mut deaf) = (0, false);
        while written < self.waiting.len() {
            match pipe.write(&self.waiting[written..]) {
                Ok(n) => written += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => {
                    deaf = true;
                    break;
                }
            }
        }
        self.waiting.drain(..written);
        if deaf {
            self.pipe = None;
            self.waiting = Vec::new();
            return vec![Up::InputClosed];
        }
        if self.ended && self.waiting.is_empty() {
            self.pipe = None;
        }
        match written {
            0 => Vec::new(),
            n => vec![Up::InputAccepted(n as u32)],
        }
    }

    /// Waits for the rank while something waits for it.
    pub(crate) fn watch(&mut self, poll: &Poll) {
        let behind = !self.waiting.is_empty();
        if let (Some(pipe), true) = (&self.pipe, self.watched != behind) {
            self.watched = behind;
            poll.watch(pipe.as_fd(), Source::Feed, Until::Writable, behind);
        }
    }
}

fn in_foreground() -> bool {
    let own = rustix::process::getpgrp();
    rustix::termios::tcgetpgrp(io::stdin()).is_ok_and(|front| front == own)
}
