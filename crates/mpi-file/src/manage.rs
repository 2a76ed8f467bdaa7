//! Calls that concern a file as a whole: sizes, views, pointers, hints (MPI 5.0, 14.2 and 14.3).

use std::sync::Arc;

use ::io::hints::Hints;
use ::io::View;
use datatype::Datatype;

use crate::background::Files;
use crate::failure::refused;
use crate::open::{agree, agree_on, code, note, same_failure};
use crate::{File, State, Types};
use mpi::{Class, Error, Info};

/// Origin of a seek.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whence {
    /// The start of the view.
    Set,
    /// The pointer.
    Current,
    /// The end of the file.
    End,
}

impl Whence {
    /// Returns the name of the constant, of a value as a number.
    fn name(value: u64) -> Option<&'static str> {
        const NAMES: [&str; 3] = ["MPI_SEEK_SET", "MPI_SEEK_CUR", "MPI_SEEK_END"];
        NAMES.get(usize::try_from(value).ok()?).copied()
    }
}

/// Variable of the environment that has the hints in force printed, as ROMIO has it.
const PRINT_HINTS: &str = "ROMIO_PRINT_HINTS";

impl File {
    /// The size in bytes.
    ///
    /// # Errors
    /// What the system reports.
    pub fn size(&self) -> Result<u64, Error> {
        self.disk.file.refresh();
        self.disk
            .file
            .size()
            .map_err(|why| refused("size of", &self.disk.path, &why))
    }

    /// Cuts or extends the file; all its processes call it with one size.
    ///
    /// # Errors
    /// `Arg` for a negative size, `NotSame` for different ones, `UnsupportedOperation` for a
    /// sequential file; what the system reports.
    pub fn set_size(&self, size: i64) -> Result<(), Error> {
        self.change_size(size, "set the size of", |size| {
            self.disk.file.set_size(size)
        })
    }

    /// Reserves space for the first bytes; all processes call it with one size.
    ///
    /// # Errors
    /// See [`File::set_size`].
    pub fn preallocate(&self, size: i64) -> Result<(), Error> {
        self.change_size(size, "preallocate", |size| self.disk.file.preallocate(size))
    }

    fn change_size(
        &self,
        size: i64,
        act: &str,
        change: impl FnOnce(u64) -> std::io::Result<()>,
    ) -> Result<(), Error> {
        let own = self.check_writable().and_then(|()| self.check_direct());
        let own = own.and_then(|()| natural(size, "size"));
        let size = agree(&self.comm, own, |size| *size, "size")?;
        let done = match self.comm.rank() {
            0 => change(size).map_err(|why| refused(act, &self.disk.path, &why)),
            _ => Ok(()),
        };
        if self.comm.size() == 1 {
            return done;
        }
        let outcome = self.comm.share_values(&[code(&done)])?;
        done?;
        same_failure(&outcome, || format!("rank 0 could not {act} {self}"))
    }

    /// Transfers all written data to the device; collective.
    ///
    /// # Errors
    /// What the system reports.
    pub fn sync(&self) -> Result<(), Error> {
        let synced = match self.mode.writes() {
            true => self
                .disk
                .file
                .sync()
                .map_err(|why| refused("sync", &self.disk.path, &why)),
            false => Ok(()),
        };
        let agreed = agree(&self.comm, synced, |()| 0, "sync");
        self.disk.file.refresh();
        agreed
    }

    /// Orders accesses of different processes to the same bytes, or no longer does; all processes
    /// call it with one flag.
    ///
    /// # Errors
    /// `NotSame` for different flags.
    pub fn set_atomicity(&self, atomic: bool) -> Result<(), Error> {
        agree(&self.comm, Ok(()), |()| u64::from(atomic), "flag")?;
        self.disk.set_atomic(atomic);
        Ok(())
    }

    /// Sets the view; all processes call it. Both file pointers go to its start. `given` has the
    /// types and the representation's name, or what is wrong with the arguments; `displacement` is
    /// `None` for the shared file pointer's position in a sequential file.
    ///
    /// # Errors
    /// `NotSame` when the etypes differ in size or the representations by name; those of
    /// [`View::new`].
    pub fn set_view(
        &self,
        displacement: Option<i64>,
        given: Result<(Types, String), Error>,
        info: &Info,
    ) -> Result<(), Error> {
        let made = given.and_then(|(types, representation)| {
            let view = self.make_view(displacement, &types, &representation)?;
            Ok((view, types))
        });
        let compared = |(view, _): &(View, Types)| {
            let name = view.representation().name().bytes();
            let name = name.fold(0u64, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
            [view.etype_bytes(), name]
        };
        let bytes: fn(u64) -> Option<u64> = Some;
        // Of names only hashes are compared.
        let arguments = [("the size of the etype", bytes), ("datarep", |_| None)];
        let (view, given) = agree_on(&self.comm, made, compared, arguments)?;
        self.keep_hints(info)?;
        let mut state = self.state.lock();
        state.view = Arc::new(view);
        state.given = given;
        state.position = 0;
        drop(state);
        self.set_shared(0)
    }

    fn make_view(
        &self,
        displacement: Option<i64>,
        given: &Types,
        representation: &str,
    ) -> Result<View, Error> {
        self.check_no_split()?;
        let displacement = match displacement {
            Some(displacement) if !self.mode.is_sequential() => natural(displacement, "disp")?,
            Some(displacement) => {
                let text = format!(
                    "disp is {displacement}, but {self} is sequential: it must be \
                     MPI_DISPLACEMENT_CURRENT"
                );
                return Err(Error::new(Class::Disp, text));
            }
            None if self.mode.is_sequential() => {
                let view = self.view().0;
                view.byte_offset(self.shared.get()?)?
            }
            None => {
                let text =
                    format!("MPI_DISPLACEMENT_CURRENT is for sequential files, {self} is not");
                return Err(Error::new(Class::Disp, text));
            }
        };
        let overlap = given.etype.overlaps(1) || given.filetype.overlaps(1);
        if overlap && self.mode.writes() {
            let text = format!("{self} may be written, and bytes of the view overlap each other");
            return Err(Error::new(Class::Io, text));
        }
        let files = self.process().service::<Files>();
        let representation = files.representations.lock().named(representation)?;
        let etype = representation.in_file(&given.etype)?;
        let filetype = representation.in_file(&given.filetype)?;
        Ok(View::new(displacement, &etype, &filetype, representation)?)
    }

    /// Sets the individual file pointer.
    ///
    /// # Errors
    /// `Arg` for a position before the start.
    pub fn seek(&self, offset: i64, whence: Whence) -> Result<(), Error> {
        self.check_direct()?;
        let size = match whence {
            Whence::End => self.size()?,
            _ => 0,
        };
        let mut state = self.state.lock();
        let position = state.position;
        state.position = sought(&state, offset, whence, position, size)?;
        Ok(())
    }

    /// The individual file pointer, in etypes.
    ///
    /// # Errors
    /// `UnsupportedOperation` for a sequential file.
    pub fn position(&self) -> Result<u64, Error> {
        self.check_direct()?;
        Ok(self.state.lock().position)
    }

    /// Sets the shared file pointer; all processes call it with equal arguments.
    ///
    /// # Errors
    /// `NotSame` for different arguments, `Arg` for a position before the start,
    /// `UnsupportedOperation` for a sequential file.
    pub fn seek_shared(&self, offset: i64, whence: Result<Whence, Error>) -> Result<(), Error> {
        let given = [
            offset as u64,
            whence.as_ref().map_or(0, |whence| *whence as u64),
        ];
        // Pointer and end of the file may differ from process to process while others access the
        // file: the first process's count.
        let whence = self.check_direct().and(whence);
        let own = whence.and_then(|whence| match self.comm.rank() {
            0 => {
                let current = self.shared.get()?;
                let size = match whence {
                    Whence::End => self.size()?,
                    _ => 0,
                };
                sought(&self.state.lock(), offset, whence, current, size)
            }
            _ => Ok(0),
        });
        let number: fn(u64) -> Option<String> = |value| Some((value as i64).to_string());
        let name: fn(u64) -> Option<String> = |value| Whence::name(value).map(str::to_string);
        let arguments = [("offset", number), ("whence", name)];
        let to = agree_on(&self.comm, own, |_| given, arguments)?;
        self.set_shared(to)
    }

    /// The shared file pointer, in etypes.
    ///
    /// # Errors
    /// When the process that holds it has failed.
    pub fn position_shared(&self) -> Result<u64, Error> {
        self.shared.get()
    }

    /// Sets the shared pointer, at rank 0; collective, and returns once the pointer is set.
    fn set_shared(&self, to: u64) -> Result<(), Error> {
        let set = match self.comm.rank() {
            0 => self.shared.set(to),
            _ => Ok(()),
        };
        agree(&self.comm, set, |()| 0, "the shared file pointer")
    }

    /// Moves both file pointers to where they are when the file was opened.
    pub(crate) fn to_start(&self) -> Result<(), Error> {
        if !self.mode.appends() {
            return Ok(());
        }
        let end = self.size().map(|size| self.view().0.end(size));
        let end = agree(&self.comm, end, |_| 0, "the size")?;
        self.state.lock().position = end;
        self.set_shared(end)
    }

    /// The byte of the file at which an etype of the view lies.
    ///
    /// # Errors
    /// `Arg` for a negative offset, or one that does not fit.
    pub fn byte_offset(&self, offset: i64) -> Result<u64, Error> {
        self.check_direct()?;
        let offset = natural(offset, "offset")?;
        Ok(self.view().0.byte_offset(offset)?)
    }

    /// The extent that a datatype has in the file.
    ///
    /// # Errors
    /// `Conversion` where a function of the program fails.
    pub fn type_extent(&self, datatype: &Arc<Datatype>) -> Result<i64, Error> {
        let view = self.view().0;
        Ok(view.representation().in_file(datatype)?.extent())
    }

    /// Takes hints; all processes call it.
    ///
    /// # Errors
    /// When a process has failed.
    pub fn set_info(&self, given: &Info) -> Result<(), Error> {
        self.keep_hints(given)
    }

    /// Takes the hints that may change while the file is open, with all processes.
    pub(crate) fn keep_hints(&self, given: &Info) -> Result<(), Error> {
        let mut hints = self.hints.lock().clone();
        for (key, value) in given.iter() {
            note(key, value, hints.take(key, value));
        }
        *self.hints.lock() = hints;
        self.agree_on_collectives()
    }

    /// Decides with all processes what follows from the hints given when the file was opened.
    pub(crate) fn apply_opening_hints(&self) -> Result<(), Error> {
        let filesystem = self.disk.file.filesystem();
        let set = |hints: &mut Hints| hints.report("romio_filesystem_type", filesystem.to_string());
        set(&mut self.hints.lock());
        self.agree_on_collectives()?;
        let mut hints = self.hints.lock();
        hints.opened();
        if self.comm.rank() == 0 && environment::var_os(PRINT_HINTS).is_some() {
            print!("{}", hints.text());
        }
        Ok(())
    }

    /// Fails where the file may not be written.
    pub(crate) fn check_writable(&self) -> Result<(), Error> {
        match self.mode.writes() {
            true => Ok(()),
            false => {
                let text = format!("{self} was opened with MPI_MODE_RDONLY");
                Err(Error::new(Class::ReadOnly, text))
            }
        }
    }

    /// Fails where the file may only be read or written in sequence, by the shared file pointer.
    pub(crate) fn check_direct(&self) -> Result<(), Error> {
        match self.mode.is_sequential() {
            false => Ok(()),
            true => {
                let text = format!(
                    "{self} was opened with MPI_MODE_SEQUENTIAL: it can only be read or written \
                     in sequence, by the shared file pointer"
                );
                Err(Error::new(Class::UnsupportedOperation, text))
            }
        }
    }
}

/// The position that a seek leads to.
fn sought(
    state: &State,
    offset: i64,
    whence: Whence,
    current: u64,
    size: u64,
) -> Result<u64, Error> {
    let from = match whence {
        Whence::Set => 0,
        Whence::Current => current,
        Whence::End => state.view.end(size),
    };
    let to = i128::from(from) + i128::from(offset);
    u64::try_from(to).map_err(|_| {
        let text = format!("offset {offset} from etype {from} is before the start of the view");
        Error::new(Class::Arg, text)
    })
}

/// Returns a number that must not be negative.
pub(crate) fn natural(value: i64, what: &str) -> Result<u64, Error> {
    u64::try_from(value).map_err(|_| Error::new(Class::Arg, format!("{what} is {value}")))
}
