//! Files: reads and writes (MPI 5.0, 14.4).
//!
//! All forms of an access end in [`access`], [`start`] or [`begin`].

use std::ffi::c_void;

use abi_state::args::{Elements, File, Out, Request};
use abi_state::buffers::of_nothing;
use abi_state::failure::Failure;
use abi_state::request_handle;
use abi_state::runtime::{self, Runtime, TypeRef};
use abi_state::status::OutStatus;
use datatype::Buffer;
use mpi::{Outcome, Request as Held};
use mpi_file::{Data, Direction, Position, Split, SplitKind};

use super::file::to_error;

/// Which way bytes go, and whether all processes of the file call.
#[derive(Clone, Copy)]
struct How {
    reads: bool,
    all: bool,
}

impl How {
    fn direction(self) -> Direction {
        match self.reads {
            true => Direction::Read,
            false => Direction::Write,
        }
    }
}

const READ: How = How {
    reads: true,
    all: false,
};
const WRITE: How = How {
    reads: false,
    all: false,
};
const READ_ALL: How = How {
    reads: true,
    all: true,
};
const WRITE_ALL: How = How {
    reads: false,
    all: true,
};

/// The elements of an access, or what is wrong with them.
struct Taken {
    direction: Direction,
    elements: Result<(Buffer, TypeRef), Failure>,
}

impl Taken {
    fn new(runtime: &Runtime, how: How, elements: Elements) -> Taken {
        let take = || {
            let buffer = match how.reads {
                true => elements.recv_buffer(runtime)?,
                false => elements.send_buffer(runtime)?,
            };
            let datatype = of_nothing(elements.count(), elements.datatype());
            Ok((buffer, runtime.committed(datatype)?))
        };
        Taken {
            direction: how.direction(),
            elements: take(),
        }
    }

    fn data(&self) -> Result<Data<'_>, Failure> {
        let (buffer, datatype) = self.elements.as_ref().map_err(Failure::clone)?;
        Ok(Data {
            direction: self.direction,
            buffer,
            datatype,
        })
    }
}

/// Reads or writes.
fn done(fh: File, how: How, at: Position, elements: Elements) -> Result<Outcome, Failure> {
    let runtime = runtime::get();
    let file = runtime.file(fh)?;
    let taken = Taken::new(runtime, how, elements);
    match (taken.data(), how.all) {
        (Ok(data), true) => Ok(file.access_all(at, data)),
        (Ok(data), false) => Ok(file.access(at, data)),
        (Err(failure), true) => Ok(file.give_up(at, how.direction(), to_error(failure))),
        (Err(failure), false) => Err(failure),
    }
}

/// Reads or writes, and stores the status.
fn access(
    fh: File,
    how: How,
    at: Position,
    elements: Elements,
    status: OutStatus,
) -> Result<(), Failure> {
    let outcome = done(fh, how, at, elements)?;
    let failure = outcome.result.clone().err().map(Failure::from);
    status.set_outcome(&outcome, failure)
}

/// Starts to read or write with all processes of the file.
fn started(fh: File, how: How, at: Position, elements: Elements) -> Result<Held, Failure> {
    let runtime = runtime::get();
    let file = runtime.file(fh)?;
    let taken = Taken::new(runtime, how, elements);
    Ok(match taken.data() {
        Ok(data) => file.start_all(at, data),
        Err(failure) => file.start_give_up(at, how.direction(), to_error(failure)),
    })
}

/// Starts to read or write, and stores a request.
fn start(
    fh: File,
    how: How,
    at: Position,
    elements: Elements,
    request: Out<Request>,
) -> Result<(), Failure> {
    let held = match how.all {
        true => started(fh, how, at, elements)?,
        false => {
            let runtime = runtime::get();
            let file = runtime.file(fh)?;
            file.start(at, Taken::new(runtime, how, elements).data()?)
        }
    };
    let mut tables = runtime::get().tables.enter();
    let handle = tables.request_handle(held, request_handle::of_file(fh))?;
    request.set(handle)
}

/// Begins a split collective.
fn begin(
    fh: File,
    how: How,
    kind: SplitKind,
    at: Position,
    elements: Elements,
) -> Result<(), Failure> {
    let file = runtime::get().file(fh)?;
    let split = Split {
        reads: how.reads,
        kind,
    };
    file.check_no_split()?;
    let access = started(fh, how, at, elements)?;
    Ok(file.begin_split(split, access)?)
}

/// Ends a split collective.
fn end(fh: File, how: How, kind: SplitKind, status: OutStatus) -> Result<(), Failure> {
    let file = runtime::get().file(fh)?;
    let split = Split {
        reads: how.reads,
        kind,
    };
    let outcome = file.end_split(split)?;
    let failure = outcome.result.clone().err().map(Failure::from);
    status.set_outcome(&outcome, failure)
}

/// `MPI_File_read_at` (MPI 5.0, 14.4.2).
pub fn file_read_at(
    fh: File,
    offset: i64,
    buf: Elements,
    status: OutStatus,
) -> Result<(), Failure> {
    access(fh, READ, Position::At(offset), buf, status)
}

/// `MPI_File_read_at_all` (MPI 5.0, 14.4.2).
pub fn file_read_at_all(
    fh: File,
    offset: i64,
    buf: Elements,
    status: OutStatus,
) -> Result<(), Failure> {
    access(fh, READ_ALL, Position::At(offset), buf, status)
}

/// `MPI_File_read` (MPI 5.0, 14.4.3).
pub fn file_read(fh: File, buf: Elements, status: OutStatus) -> Result<(), Failure> {
    access(fh, READ, Position::Individual, buf, status)
}

/// `MPI_File_read_all` (MPI 5.0, 14.4.3).
pub fn file_read_all(fh: File, buf: Elements, status: OutStatus) -> Result<(), Failure> {
    access(fh, READ_ALL, Position::Individual, buf, status)
}

/// `MPI_File_read_shared` (MPI 5.0, 14.4.4).
pub fn file_read_shared(fh: File, buf: Elements, status: OutStatus) -> Result<(), Failure> {
    access(fh, READ, Position::Shared, buf, status)
}

/// `MPI_File_iread_at` (MPI 5.0, 14.4.2).
pub fn file_iread_at(
    fh: File,
    offset: i64,
    buf: Elements,
    request: Out<Request>,
) -> Result<(), Failure> {
    start(fh, READ, Position::At(offset), buf, request)
}

/// `MPI_File_iread_at_all` (MPI 5.0, 14.4.2).
pub fn file_iread_at_all(
    fh: File,
    offset: i64,
    buf: Elements,
    request: Out<Request>,
) -> Result<(), Failure> {
    start(fh, READ_ALL, Position::At(offset), buf, request)
}

/// `MPI_File_iread` (MPI 5.0, 14.4.3).
pub fn file_iread(fh: File, buf: Elements, request: Out<Request>) -> Result<(), Failure> {
    start(fh, READ, Position::Individual, buf, request)
}

/// `MPI_File_iread_all` (MPI 5.0, 14.4.3).
pub fn file_iread_all(fh: File, buf: Elements, request: Out<Request>) -> Result<(), Failure> {
    start(fh, READ_ALL, Position::Individual, buf, request)
}

/// `MPI_File_iread_shared` (MPI 5.0, 14.4.4).
pub fn file_iread_shared(fh: File, buf: Elements, request: Out<Request>) -> Result<(), Failure> {
    start(fh, READ, Position::Shared, buf, request)
}

/// `MPI_File_read_ordered` (MPI 5.0, 14.4.4).
pub fn file_read_ordered(fh: File, buf: Elements, status: OutStatus) -> Result<(), Failure> {
    access(fh, READ_ALL, Position::Ordered, buf, status)
}

/// `MPI_File_read_at_all_begin` (MPI 5.0, 14.4.5).
pub fn file_read_at_all_begin(fh: File, offset: i64, buf: Elements) -> Result<(), Failure> {
    begin(fh, READ_ALL, SplitKind::AtAll, Position::At(offset), buf)
}

/// `MPI_File_read_all_begin` (MPI 5.0, 14.4.5).
pub fn file_read_all_begin(fh: File, buf: Elements) -> Result<(), Failure> {
    begin(fh, READ_ALL, SplitKind::All, Position::Individual, buf)
}

/// `MPI_File_read_ordered_begin` (MPI 5.0, 14.4.5).
pub fn file_read_ordered_begin(fh: File, buf: Elements) -> Result<(), Failure> {
    begin(fh, READ_ALL, SplitKind::Ordered, Position::Ordered, buf)
}

/// `MPI_File_read_at_all_end` (MPI 5.0, 14.4.5).
pub fn file_read_at_all_end(fh: File, _buf: *mut c_void, status: OutStatus) -> Result<(), Failure> {
    end(fh, READ_ALL, SplitKind::AtAll, status)
}

/// `MPI_File_read_all_end` (MPI 5.0, 14.4.5).
pub fn file_read_all_end(fh: File, _buf: *mut c_void, status: OutStatus) -> Result<(), Failure> {
    end(fh, READ_ALL, SplitKind::All, status)
}

/// `MPI_File_read_ordered_end` (MPI 5.0, 14.4.5).
pub fn file_read_ordered_end(
    fh: File,
    _buf: *mut c_void,
    status: OutStatus,
) -> Result<(), Failure> {
    end(fh, READ_ALL, SplitKind::Ordered, status)
}

/// `MPI_File_write_at` (MPI 5.0, 14.4.2).
pub fn file_write_at(
    fh: File,
    offset: i64,
    buf: Elements,
    status: OutStatus,
) -> Result<(), Failure> {
    access(fh, WRITE, Position::At(offset), buf, status)
}

/// `MPI_File_write_at_all` (MPI 5.0, 14.4.2).
pub fn file_write_at_all(
    fh: File,
    offset: i64,
    buf: Elements,
    status: OutStatus,
) -> Result<(), Failure> {
    access(fh, WRITE_ALL, Position::At(offset), buf, status)
}

/// `MPI_File_write` (MPI 5.0, 14.4.3).
pub fn file_write(fh: File, buf: Elements, status: OutStatus) -> Result<(), Failure> {
    access(fh, WRITE, Position::Individual, buf, status)
}

/// `MPI_File_write_all` (MPI 5.0, 14.4.3).
pub fn file_write_all(fh: File, buf: Elements, status: OutStatus) -> Result<(), Failure> {
    access(fh, WRITE_ALL, Position::Individual, buf, status)
}

/// `MPI_File_write_shared` (MPI 5.0, 14.4.4).
pub fn file_write_shared(fh: File, buf: Elements, status: OutStatus) -> Result<(), Failure> {
    access(fh, WRITE, Position::Shared, buf, status)
}

/// `MPI_File_iwrite_at` (MPI 5.0, 14.4.2).
pub fn file_iwrite_at(
    fh: File,
    offset: i64,
    buf: Elements,
    request: Out<Request>,
) -> Result<(), Failure> {
    start(fh, WRITE, Position::At(offset), buf, request)
}

/// `MPI_File_iwrite_at_all` (MPI 5.0, 14.4.2).
pub fn file_iwrite_at_all(
    fh: File,
    offset: i64,
    buf: Elements,
    request: Out<Request>,
) -> Result<(), Failure> {
    start(fh, WRITE_ALL, Position::At(offset), buf, request)
}

/// `MPI_File_iwrite` (MPI 5.0, 14.4.3).
pub fn file_iwrite(fh: File, buf: Elements, request: Out<Request>) -> Result<(), Failure> {
    start(fh, WRITE, Position::Individual, buf, request)
}

/// `MPI_File_iwrite_all` (MPI 5.0, 14.4.3).
pub fn file_iwrite_all(fh: File, buf: Elements, request: Out<Request>) -> Result<(), Failure> {
    start(fh, WRITE_ALL, Position::Individual, buf, request)
}

/// `MPI_File_iwrite_shared` (MPI 5.0, 14.4.4).
pub fn file_iwrite_shared(fh: File, buf: Elements, request: Out<Request>) -> Result<(), Failure> {
    start(fh, WRITE, Position::Shared, buf, request)
}

/// `MPI_File_write_ordered` (MPI 5.0, 14.4.4).
pub fn file_write_ordered(fh: File, buf: Elements, status: OutStatus) -> Result<(), Failure> {
    access(fh, WRITE_ALL, Position::Ordered, buf, status)
}

/// `MPI_File_write_at_all_begin` (MPI 5.0, 14.4.5).
pub fn file_write_at_all_begin(fh: File, offset: i64, buf: Elements) -> Result<(), Failure> {
    begin(fh, WRITE_ALL, SplitKind::AtAll, Position::At(offset), buf)
}

/// `MPI_File_write_all_begin` (MPI 5.0, 14.4.5).
pub fn file_write_all_begin(fh: File, buf: Elements) -> Result<(), Failure> {
    begin(fh, WRITE_ALL, SplitKind::All, Position::Individual, buf)
}

/// `MPI_File_write_ordered_begin` (MPI 5.0, 14.4.5).
pub fn file_write_ordered_begin(fh: File, buf: Elements) -> Result<(), Failure> {
    begin(fh, WRITE_ALL, SplitKind::Ordered, Position::Ordered, buf)
}

/// `MPI_File_write_at_all_end` (MPI 5.0, 14.4.5).
pub fn file_write_at_all_end(
    fh: File,
    _buf: *const c_void,
    status: OutStatus,
) -> Result<(), Failure> {
    end(fh, WRITE_ALL, SplitKind::AtAll, status)
}

/// `MPI_File_write_all_end` (MPI 5.0, 14.4.5).
pub fn file_write_all_end(fh: File, _buf: *const c_void, status: OutStatus) -> Result<(), Failure> {
    end(fh, WRITE_ALL, SplitKind::All, status)
}

/// `MPI_File_write_ordered_end` (MPI 5.0, 14.4.5).
pub fn file_write_ordered_end(
    fh: File,
    _buf: *const c_void,
    status: OutStatus,
) -> Result<(), Failure> {
    end(fh, WRITE_ALL, SplitKind::Ordered, status)
}
