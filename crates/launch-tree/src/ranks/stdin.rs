//! The standard input of a rank: inherited, or written to its pipe here.
//!
//! A rank on the launcher's machine inherits the descriptor, unless that is a terminal or the rank
//! may be started again: its next life is sent what the earlier ones were. Else `mpirun` reads the
//! input and sends it here; a [`StdinPipe`] writes it to the rank's pipe, and reports how much the
//! rank has accepted, so that only a limited amount is read ahead.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::process::ChildStdin;

use crate::poll::{Poll, Source, Until};
use crate::ranks::process::Input;
use crate::wire::Up;

/// How a rank on this machine that reads is to get its input. One that may be started again gets it
/// by a pipe: its next life is sent the same.
pub fn input(restarts: bool) -> Input {
    match restarts || rustix::termios::isatty(io::stdin()) {
        true => Input::Pipe,
        false => Input::Same,
    }
}

/// The end of the carried input, at the rank's own host.
pub(crate) struct StdinPipe {
    /// Closed when the input has come to its end and everything is handed over.
    pipe: Option<ChildStdin>,
    waiting: Vec<u8>,
    ended: bool,
    watched: bool,
}

impl StdinPipe {
    pub(crate) fn new(pipe: ChildStdin) -> io::Result<StdinPipe> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(StdinPipe {
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
            poll.watch(pipe.as_fd(), Source::StdinPipe, Until::Writable, behind);
        }
    }
}
