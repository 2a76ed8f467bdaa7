//! Reads and writes: their checks, positions, and forms (MPI 5.0, 14.4).
//!
//! A form is a [`Position`] and whether all processes call it. All forms end in
//! `Disk::transfer` or, together, `File::transfer_all`, with a position in the data of the view.

use std::sync::Arc;

use ::io::View;
use datatype::Buffer;
use pml::Status;

use crate::disk::Direction;
use crate::file_data::FileData;
use crate::form::{Data, Position, Split};
use crate::manage::natural;
use crate::File;
use mpi::{Class, Error, Outcome, Request};

impl File {
    /// Reads or writes; the outcome has the bytes that were transferred.
    pub fn access(&self, at: Position, data: Data<'_>) -> Outcome {
        outcome(self.claim(at, data).and_then(|(view, start)| {
            let from = view.data_position(start)?;
            let stored = FileData::new(&view, data)?;
            let moved = self
                .disk
                .transfer(&view, from, stored.buffer(), data.direction)?;
            if at == Position::Individual {
                self.advance(&view, start, moved);
            }
            stored.finish(&view, moved)
        }))
    }

    /// Checks an access; returns the view and the etype at which it begins. The shared file pointer
    /// moves.
    pub(crate) fn claim(&self, at: Position, data: Data<'_>) -> Result<(Arc<View>, u64), Error> {
        let (view, etypes) = self.check(at, data)?;
        let start = match at {
            Position::At(offset) => natural(offset, "offset")?,
            Position::Individual => self.state.lock().position,
            Position::Shared => self.shared.add(etypes)?,
            Position::Ordered => return Err(wrong_form()),
        };
        Ok((view, start))
    }

    /// Reads or writes by a call that all processes of the file make.
    pub fn access_all(&self, at: Position, data: Data<'_>) -> Outcome {
        let checked = self.check(at, data);
        let start = self.start_together(at, checked.as_ref().map_or(0, |(_, etypes)| *etypes));
        let place = checked.and_then(|(view, _)| {
            let start = start?;
            let stored = FileData::new(&view, data)?;
            Ok((view.data_position(start)?, view, start, stored))
        });
        let (place, stored, view, start) = match place {
            Ok((from, view, start, stored)) => (Ok((view.clone(), from)), stored, view, start),
            Err(why) => return self.give_up_here(data.direction, why),
        };
        let moved = self.transfer_all(place, stored.buffer(), data.direction);
        outcome(moved.and_then(|moved| {
            if at == Position::Individual {
                self.advance(&view, start, moved);
            }
            stored.finish(&view, moved)
        }))
    }

    /// Starts to read or write by a call that all processes of the file make. The individual file
    /// pointer moves at once, by all elements.
    pub fn start_all(&self, at: Position, data: Data<'_>) -> Request {
        // Such data goes without messages (`File::transfer_all`), through memory of the call's.
        if self.converts(data.direction) {
            return Request::Done(self.access_all(at, data));
        }
        let checked = self.check(at, data);
        let start = self.start_together(at, checked.as_ref().map_or(0, |(_, etypes)| *etypes));
        let place = checked.and_then(|(view, _)| {
            let start = start?;
            let from = view.data_position(start)?;
            if at == Position::Individual {
                self.advance(&view, start, data.buffer.len() as u64);
            }
            Ok((view, from))
        });
        self.start_transfer_all(place, data.buffer, data.direction)
    }

    /// Takes part in a started access of all processes, as [`File::give_up`].
    pub fn start_give_up(&self, at: Position, direction: Direction, why: Error) -> Request {
        if self.converts(direction) {
            return Request::Done(self.give_up(at, direction, why));
        }
        let _ = self.start_together(at, 0);
        self.start_transfer_all(Err(why), &Buffer::EMPTY, direction)
    }

    /// Takes part in an access of all processes for one that has no data to it, since its
    /// arguments were wrong: the others must not wait for it.
    pub fn give_up(&self, at: Position, direction: Direction, why: Error) -> Outcome {
        let _ = self.start_together(at, 0);
        self.give_up_here(direction, why)
    }

    fn give_up_here(&self, direction: Direction, why: Error) -> Outcome {
        outcome(self.transfer_all(Err(why), &Buffer::EMPTY, direction))
    }

    /// Whether data in this direction differs in memory and file: in the views of all processes or
    /// of none, since they have one representation.
    pub(crate) fn converts(&self, direction: Direction) -> bool {
        self.view().0.representation().converts(direction)
    }

    /// The etype at which a collective access of this process begins.
    fn start_together(&self, at: Position, etypes: u64) -> Result<u64, Error> {
        match at {
            Position::At(offset) => natural(offset, "offset"),
            Position::Individual => Ok(self.state.lock().position),
            Position::Shared => Err(wrong_form()),
            Position::Ordered => self.take_turn(etypes),
        }
    }

    /// Keeps a collective access until its end is called.
    ///
    /// # Errors
    /// When another split collective was begun and not ended.
    pub fn begin_split(&self, split: Split, access: Request) -> Result<(), Error> {
        self.check_no_split()?;
        self.state.lock().split = Some((split, access));
        Ok(())
    }

    /// Ends a split collective.
    ///
    /// # Errors
    /// `Other` when none such was begun.
    pub fn end_split(&self, split: Split) -> Result<Outcome, Error> {
        let mut state = self.state.lock();
        match state.split.take() {
            Some((begun, mut access)) if begun == split => {
                drop(state);
                Ok(access.wait(self.process()))
            }
            other => {
                state.split = other;
                let text = format!("no split collective of this kind was begun on {self}");
                Err(Error::new(Class::Other, text))
            }
        }
    }

    /// Fails while a split collective is to be ended.
    ///
    /// # Errors
    /// `Other`, then.
    pub fn check_no_split(&self) -> Result<(), Error> {
        match &self.state.lock().split {
            None => Ok(()),
            Some(_) => {
                let text = format!("a split collective was begun on {self} and not ended");
                Err(Error::new(Class::Other, text))
            }
        }
    }

    /// Adds all processes' etypes to the shared pointer, and returns where this one's begin.
    fn take_turn(&self, etypes: u64) -> Result<u64, Error> {
        if self.comm.size() == 1 {
            return self.shared.add(etypes);
        }
        let counts = self.collect(etypes)?;
        let before: u64 = counts[..self.comm.rank() as usize].iter().sum();
        // Without an answer of the first process the others have nowhere to begin.
        let first = match self.comm.rank() {
            0 => self.shared.add(counts.iter().sum())?,
            _ => 0,
        };
        let first = self.comm.share_values(&[first])?[0];
        Ok(first + before)
    }

    /// Checks an access; returns the view and the etypes that it has.
    fn check(&self, at: Position, data: Data<'_>) -> Result<(Arc<View>, u64), Error> {
        match data.direction {
            Direction::Write => self.check_writable()?,
            Direction::Read if self.mode.reads() => {}
            Direction::Read => {
                let text = format!("{self} was opened with MPI_MODE_WRONLY");
                return Err(Error::new(Class::Access, text));
            }
        }
        if matches!(at, Position::At(_) | Position::Individual) {
            self.check_direct()?;
        }
        let view = self.view().0;
        let representation = view.representation();
        let bytes = representation.file_bytes(data.direction, data.datatype, data.count())?;
        let etype = view.etype_bytes();
        if bytes % etype != 0 {
            let text = format!("{bytes} bytes of data are not whole etypes of {etype} bytes");
            return Err(Error::new(Class::Arg, text));
        }
        Ok((view, bytes / etype))
    }

    /// Moves the individual pointer behind what was transferred.
    pub(crate) fn advance(&self, view: &View, start: u64, bytes: u64) {
        self.state.lock().position = start + bytes.div_ceil(view.etype_bytes());
    }
}

pub(crate) fn outcome(moved: Result<u64, Error>) -> Outcome {
    match moved {
        Ok(bytes) => Outcome {
            status: Status {
                bytes,
                ..Status::EMPTY
            },
            result: Ok(()),
        },
        Err(error) => Outcome::failed(error),
    }
}

fn wrong_form() -> Error {
    Error::new(
        Class::Intern,
        "ordered accesses are collective, shared ones are not",
    )
}
