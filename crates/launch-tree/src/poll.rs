//! Waits for many descriptors at once (epoll(7)).

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::event::{PollFd, PollFlags, Timespec};

use launch_plan::Error;

/// The owner of a descriptor that became ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A signal arrived.
    Signals,
    /// The connection of a rank can be read or written.
    Connection(u32),
    /// The standard output (0) or error (1) of a rank can be read.
    Printed(usize, u32),
    /// The launcher's standard output (0) or error (1) can be written.
    Sink(usize),
    /// The launcher's own standard input can be read.
    Stdin,
    /// The standard input of a rank can be written.
    StdinPipe,
    /// The stream from a child vertex can be read (0), or the one to it written (1).
    Link(usize, u32),
    /// The error output of a command that starts daemons can be read.
    Complaint(u32),
    /// Somebody has connected who may be a daemon.
    CallListener,
    /// The connection of such a client can be read.
    Call(u32),
    /// The stream from the parent vertex can be read (0), or the one to it written (1).
    Parent(usize),
    /// A client has connected that asks about a process.
    QueryListener,
    /// The connection of such a client can be read.
    Query(u32),
    /// A rank wants another host to have its events.
    Journal(u32),
}

/// A set of descriptors to wait for.
pub struct Poll {
    epoll: OwnedFd,
    ready: Vec<epoll::Event>,
}

/// The events that end a wait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Something can be read.
    Readable,
    /// Something can be written.
    Writable,
    /// Something can be read or written.
    Either,
}

impl Poll {
    /// Makes an empty set.
    pub fn new() -> Result<Poll, Error> {
        let epoll = epoll::create(CreateFlags::CLOEXEC).map_err(Error::system("epoll_create"))?;
        Ok(Poll {
            epoll,
            ready: Vec::with_capacity(256),
        })
    }

    /// Waits for `fd` from now on. It is forgotten when it is closed.
    pub fn add(&self, fd: impl AsFd, source: Source, until: Until) -> io::Result<()> {
        Ok(epoll::add(
            &self.epoll,
            fd,
            EventData::new_u64(source.to_u64()),
            until.flags(),
        )?)
    }

    /// Waits for something else of `fd`.
    pub(crate) fn change(&self, fd: impl AsFd, source: Source, until: Until) {
        let data = EventData::new_u64(source.to_u64());
        // Fails only for a descriptor that is not waited for: one that has come to its end.
        let _ = epoll::modify(&self.epoll, fd, data, until.flags());
    }

    /// Begins to wait for `fd`, or ends it. A file, which is always ready, cannot be waited for
    /// and need not be.
    pub fn watch(&self, fd: BorrowedFd<'_>, source: Source, until: Until, on: bool) {
        if on {
            let _ = self.add(fd, source, until);
        } else {
            self.remove(fd);
        }
    }

    /// Waits for `fd` no more.
    pub fn remove(&self, fd: impl AsFd) {
        let _ = epoll::delete(&self.epoll, fd);
    }

    /// Returns what is ready, after at most `patience`; `None` has no limit.
    pub fn wait(&mut self, patience: Option<Timespec>) -> Vec<Source> {
        self.ready.clear();
        match epoll::wait(
            &self.epoll,
            spare_capacity(&mut self.ready),
            patience.as_ref(),
        ) {
            Ok(_) => {}
            // Interrupted: the signal is waiting to be taken.
            Err(_) => return Vec::new(),
        }
        self.ready
            .iter()
            .filter_map(|event| Source::from_u64(event.data.u64()))
            .collect()
    }
}

impl Until {
    fn flags(self) -> EventFlags {
        match self {
            Until::Readable => EventFlags::IN,
            Until::Writable => EventFlags::OUT,
            Until::Either => EventFlags::IN | EventFlags::OUT,
        }
    }
}

impl Source {
    fn to_u64(self) -> u64 {
        let (kind, number) = match self {
            Source::Signals => (0, 0),
            Source::Connection(rank) => (1, rank),
            Source::Printed(0, rank) => (2, rank),
            Source::Printed(_, rank) => (3, rank),
            Source::Sink(stream) => (4, stream as u32),
            Source::Stdin => (5, 0),
            Source::StdinPipe => (6, 0),
            Source::Parent(way) => (7, way as u32),
            Source::Link(way, vertex) => (8 + way as u64, vertex),
            Source::Complaint(starter) => (10, starter),
            Source::QueryListener => (11, 0),
            Source::Query(number) => (12, number),
            Source::Journal(rank) => (13, rank),
            Source::CallListener => (14, 0),
            Source::Call(number) => (15, number),
        };
        kind << 32 | u64::from(number)
    }

    fn from_u64(packed: u64) -> Option<Source> {
        let number = packed as u32;
        Some(match packed >> 32 {
            0 => Source::Signals,
            1 => Source::Connection(number),
            2 => Source::Printed(0, number),
            3 => Source::Printed(1, number),
            4 => Source::Sink(number as usize),
            5 => Source::Stdin,
            6 => Source::StdinPipe,
            7 => Source::Parent(number as usize),
            8 | 9 => Source::Link((packed >> 32) as usize - 8, number),
            10 => Source::Complaint(number),
            11 => Source::QueryListener,
            12 => Source::Query(number),
            13 => Source::Journal(number),
            14 => Source::CallListener,
            15 => Source::Call(number),
            _ => return None,
        })
    }
}

/// Whether `fd` is ready at this moment.
pub fn is_ready(fd: impl AsFd, until: Until) -> bool {
    let flags = match until {
        Until::Readable => PollFlags::IN,
        Until::Writable => PollFlags::OUT,
        Until::Either => PollFlags::IN | PollFlags::OUT,
    };
    let mut fds = [PollFd::new(&fd, flags)];
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    matches!(rustix::event::poll(&mut fds, Some(&now)), Ok(n) if n > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_come_back_as_they_went() {
        for source in [
            Source::Signals,
            Source::Connection(u32::MAX),
            Source::Printed(0, 7),
            Source::Printed(1, 8),
            Source::Sink(1),
            Source::Stdin,
            Source::StdinPipe,
            Source::Parent(1),
            Source::Link(0, 3),
            Source::Link(1, u32::MAX),
            Source::Complaint(3),
            Source::CallListener,
            Source::Call(u32::MAX),
            Source::QueryListener,
            Source::Query(u32::MAX),
            Source::Journal(5),
        ] {
            assert_eq!(Source::from_u64(source.to_u64()), Some(source));
        }
    }
}
