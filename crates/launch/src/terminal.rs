//! The standard input of a job: passed on as it is, or, from a terminal, carried.
//!
//! A rank is in a process group of its own, and only the group in the foreground may read from a
//! terminal. So where the standard input is a terminal the launcher reads it, and only while it
//! is itself in the foreground: a job in the background must not be stopped for reading.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::ChildStdin;

use crate::rank::Input;

/// How much is read ahead of the rank, in bytes.
const AHEAD_BYTES_MAX: usize = 64 * 1024;

/// How the rank that reads is to get its input.
pub(crate) fn input() -> Input {
    if rustix::termios::isatty(io::stdin()) {
        Input::Pipe
    } else {
        Input::Same
    }
}

/// The way from the terminal to a rank.
pub(crate) struct Carrier {
    /// Closed when the terminal has come to its end and everything is handed over.
    pipe: Option<ChildStdin>,
    ahead: Vec<u8>,
    ended: bool,
}

impl Carrier {
    pub(crate) fn new(pipe: ChildStdin) -> io::Result<Carrier> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Carrier {
            pipe: Some(pipe),
            ahead: Vec::new(),
            ended: false,
        })
    }

    /// Whether there is anything to read for: room ahead, a reader, and the right to read.
    pub(crate) fn wants_input(&self) -> bool {
        self.has_room() && in_foreground()
    }

    /// Whether the terminal would be read if the launcher were in the foreground. Nothing tells
    /// when it comes there, so it has to look from time to time.
    pub(crate) fn waits_for_foreground(&self) -> bool {
        self.has_room() && !in_foreground()
    }

    fn has_room(&self) -> bool {
        self.pipe.is_some() && !self.ended && self.ahead.len() < AHEAD_BYTES_MAX
    }

    /// Whether bytes wait for the rank to read.
    pub(crate) fn is_behind(&self) -> bool {
        self.pipe.is_some() && !self.ahead.is_empty()
    }

    /// The rank's end, while it is open.
    pub(crate) fn pipe(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Reads once from the terminal, which must be ready.
    pub(crate) fn read(&mut self) {
        let mut chunk = [0; 4096];
        match io::stdin().lock().read(&mut chunk) {
            Ok(0) => self.ended = true,
            Ok(n) => self.ahead.extend_from_slice(&chunk[..n]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.ended = true,
        }
        self.write();
    }

    /// Hands over what the rank will take.
    pub(crate) fn write(&mut self) {
        while let (Some(pipe), false) = (&mut self.pipe, self.ahead.is_empty()) {
            match pipe.write(&self.ahead) {
                Ok(n) => drop(self.ahead.drain(..n)),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                // The rank reads no more.
                Err(_) => self.pipe = None,
            }
        }
        if self.ended && self.ahead.is_empty() {
            self.pipe = None;
        }
    }
}

fn in_foreground() -> bool {
    let own = rustix::process::getpgrp();
    rustix::termios::tcgetpgrp(io::stdin()).is_ok_and(|front| front == own)
}
