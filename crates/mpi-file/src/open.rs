//! Opening, closing and deleting files (MPI 5.0, 14.2).
//!
//! The first rank opens the file, and creates it where it is to be created; the others open it
//! once they learn that this went well, and all agree on the outcome. So a file that may not exist
//! before is created once, and no process goes on with a file that another one does not have.

use base::Mutex;
use mca::Framework;
use std::path::Path;
use std::sync::Arc;

use ::io::hints::{HintResult, Hints};
use ::io::View;
use io_posix::{split, Filesystem, OpenFile, OpenOptions, Striping};

use crate::collective_settings::CollectiveSettings;
use crate::disk::Disk;
use crate::failure::refused;
use crate::pointer::SharedPointer;
use crate::{File, Mode, State, Types};
use mpi::{Class, Comm, Errhandler, Error, Info};
use mpi_components::files as components;

/// Permissions of a new file, less the mask of the process, where no hint gives any.
const PERMISSIONS_USUAL: u32 = 0o666;

/// Variable of the environment that names a file of hints, as ROMIO has it.
const HINTS_FILE: &str = "ROMIO_HINTS";

/// Arguments of a process that opens a file.
pub(crate) struct Request {
    name: String,
    hints: Hints,
    mode: Mode,
    permissions: u32,
}

impl File {
    /// Opens a file; all processes of the communicator call it. `asked` is the name and the mode,
    /// or what is wrong with the arguments, which all receive then. New files get `errhandler`.
    ///
    /// # Errors
    /// `NotSame` for different modes; what the system reports, to all processes.
    pub fn open(
        comm: &Comm,
        asked: Result<(String, i32), Error>,
        info: &Info,
        errhandler: Errhandler,
    ) -> Result<File, Error> {
        if comm.is_inter() {
            let text = format!("{comm} is an inter-communicator");
            return Err(Error::new(Class::Comm, text));
        }
        comm.process().check_logged("a file")?;
        let asked = asked.and_then(|(name, bits)| {
            let mode = Mode::new(bits)?;
            let hints = hints_of(split(&name).1, info);
            let permissions = hints.permissions().unwrap_or(PERMISSIONS_USUAL) & 0o777;
            Ok(Request {
                hints,
                name,
                mode,
                permissions,
            })
        });
        let (comm, _making) = comm.duplicate_for_object()?;
        // No process may wait in an access for one that learned of a death earlier and gave up.
        comm.need_all();
        let asked = agree(&comm, asked, |asked| asked.mode.bits() as u64, "amode")?;
        let disk = open_disk(&comm, &asked)?;
        let shared = SharedPointer::make(&comm)?;
        let view = View::default();
        let given = Types {
            etype: view.etype().clone(),
            filetype: view.filetype().clone(),
        };
        let file = File {
            mode: asked.mode,
            disk: Arc::new(Disk::new(comm.process(), disk, split(&asked.name).1)),
            shared,
            state: Mutex::new(State {
                view: Arc::new(view),
                given,
                position: 0,
                split: None,
            }),
            errhandler: Mutex::new(errhandler),
            hints: Mutex::new(asked.hints),
            collective: Mutex::new(CollectiveSettings::undecided()),
            reported: Arc::default(),
            comm: Arc::new(comm),
        };
        file.apply_opening_hints()?;
        file.to_start()?;
        Ok(file)
    }

    /// Whether the file may be closed.
    ///
    /// # Errors
    /// While a split collective is to be ended.
    pub fn check_close(&self) -> Result<(), Error> {
        self.check_no_split()
    }

    /// Closes the file, and deletes it if its mode has `MPI_MODE_DELETE_ON_CLOSE`; collective.
    ///
    /// # Errors
    /// When a process has failed, or the file cannot be deleted. It is closed in any case.
    pub fn close(&self) -> Result<(), Error> {
        let freed = self.shared.free();
        if !self.mode.deletes() {
            return match self.comm.size() {
                1 => freed,
                _ => freed.and(self.collect(0).map(drop)),
            };
        }
        // The file is deleted only after all processes have finished writing it.
        let met = freed.and(self.collect(0).map(drop));
        let deleted = match self.comm.rank() {
            0 => io_posix::delete(&self.disk.path)
                .map_err(|why| refused("delete", &self.disk.path, &why)),
            _ => Ok(()),
        };
        let outcome = self.comm.share_values(&[code(&deleted)])?;
        met?;
        deleted?;
        same_failure(&outcome, || {
            format!("rank 0 could not delete `{}`", self.disk.path)
        })
    }
}

/// Deletes a file (`MPI_File_delete`).
///
/// # Errors
/// What the system reports.
pub fn delete(name: &str) -> Result<(), Error> {
    let (_, path) = split(name);
    if Path::new(path).is_dir() {
        let text = format!("delete `{path}`: it is a directory");
        return Err(Error::new(Class::BadFile, text));
    }
    io_posix::delete(path).map_err(|error| refused("delete", path, &error))
}

/// Agrees that no process has failed, and that an argument is equal at all. `value` is what
/// all compare.
///
/// # Errors
/// This process's own; `NotSame` where values differ; the class of another process's failure.
pub(crate) fn agree<T>(
    comm: &Comm,
    own: Result<T, Error>,
    value: impl Fn(&T) -> u64,
    what: &str,
) -> Result<T, Error> {
    let show = |value: u64| Some(value as i64);
    agree_on(comm, own, |own| [value(own)], [(what, show)])
}

/// Gives what the number of an argument is to the user, if that says anything.
pub(crate) type Shown<V> = fn(u64) -> Option<V>;

/// Agrees on several arguments at once; see [`agree`]. Each has a name.
pub(crate) fn agree_on<T, V: ToString, const N: usize>(
    comm: &Comm,
    own: Result<T, Error>,
    values: impl Fn(&T) -> [u64; N],
    arguments: [(&str, Shown<V>); N],
) -> Result<T, Error> {
    if comm.size() == 1 {
        return own;
    }
    let numbers = own.as_ref().map_or([0; N], values);
    let row: Vec<u64> = [code(&own)].into_iter().chain(numbers).collect();
    let rows = comm.collect(&row)?;
    let own = own?;
    if let Some(rank) = rows.iter().position(|row| row[0] != 0) {
        let class = Class::from_code(rows[rank][0] as i32).unwrap_or(Class::Other);
        return Err(Error::new(
            class,
            format!("rank {rank} of {comm} failed here"),
        ));
    }
    for (at, (what, show)) in arguments.into_iter().enumerate() {
        let value = |rank: usize| rows[rank][at + 1];
        let Some(rank) = (0..rows.len()).find(|rank| value(*rank) != value(0)) else {
            continue;
        };
        let text = match (show(value(0)), show(value(rank))) {
            (Some(first), Some(other)) => {
                let (first, other) = (first.to_string(), other.to_string());
                format!("{what} is {first} at rank 0 and {other} at rank {rank} of {comm}")
            }
            _ => format!("{what} is another at rank {rank} of {comm} than at rank 0"),
        };
        return Err(Error::new(Class::NotSame, text));
    }
    Ok(own)
}

/// The class of a failure as a number for the others, 0 for none.
pub(crate) fn code<T>(result: &Result<T, Error>) -> u64 {
    result
        .as_ref()
        .err()
        .map_or(0, |error| error.class.code() as u64)
}

/// Fails with the class that another process has sent.
pub(crate) fn same_failure(outcome: &[u64], text: impl FnOnce() -> String) -> Result<(), Error> {
    match outcome[0] {
        0 => Ok(()),
        code => {
            let class = Class::from_code(code as i32).unwrap_or(Class::Other);
            Err(Error::new(class, text()))
        }
    }
}

fn open_disk(comm: &Comm, asked: &Request) -> Result<OpenFile, Error> {
    let (forced, path) = split(&asked.name);
    let mut options = asked.mode.options(asked.permissions);
    options.striping = striping(&asked.hints);
    let open = |options: OpenOptions, forced: Option<Filesystem>| {
        let opened = OpenFile::open(path, options, forced);
        let mut opened = opened.map_err(|error| refused("open", path, &error))?;
        if forced.is_none() {
            let own = opened.filesystem();
            opened.take_for(components::file_system(&comm.process().registry, own));
        }
        if options.write {
            // The lock is held from here on.
            opened.refresh();
        }
        Ok(opened)
    };
    if comm.size() == 1 {
        return open(options, forced);
    }
    let first = (comm.rank() == 0).then(|| open(options, forced));
    let outcome = comm.share_values(&[first.as_ref().map_or(0, code)])?;
    let opened = match first {
        Some(opened) => opened,
        None => {
            same_failure(&outcome, || format!("rank 0 could not open `{path}`"))?;
            let options = OpenOptions {
                create: false,
                exclusive: false,
                ..options
            };
            open(options, forced).or_else(|error| {
                // The file is there; a client of NFS may remember that it was not, and asks the
                // server when it may create one.
                let create = asked.mode.options(asked.permissions).create;
                let on_nfs = || Filesystem::around(path).is_ok_and(|fs| fs == Filesystem::Nfs);
                match error.class == Class::NoSuchFile && create && on_nfs() {
                    true => open(OpenOptions { create, ..options }, forced),
                    false => Err(error),
                }
            })
        }
    };
    if outcome[0] != 0 {
        return opened;
    }
    agree(comm, opened, |_| 0, "the file")
}

/// Returns the stripes that hints ask for.
fn striping(hints: &Hints) -> Option<Striping> {
    let number = |key| hints.given(key).and(hints.number(key));
    let (count, unit) = (number("striping_factor"), number("striping_unit"));
    let first = number("start_iodevice");
    count.or(unit).or(first)?;
    Some(Striping {
        count: count.unwrap_or(0).try_into().unwrap_or(u16::MAX),
        unit: unit.unwrap_or(0).try_into().unwrap_or(0),
        first: first.and_then(|first| first.try_into().ok()),
    })
}

/// Returns the hints of a file that is to be opened: those of the program, then those of the file
/// that the environment names.
fn hints_of(name: &str, info: &Info) -> Hints {
    let mut hints = Hints::default();
    for (key, value) in info.iter() {
        note(key, value, hints.take(key, value));
    }
    if let Some(path) = environment::var_os(HINTS_FILE) {
        match std::fs::read_to_string(&path) {
            Ok(text) => hints.take_file(&text),
            Err(error) => Framework::Io.warn(format_args!(
                "{HINTS_FILE}: {}: {error}",
                path.to_string_lossy()
            )),
        }
    }
    hints.report("filename", name.to_string());
    hints
}

/// Logs why a hint is not in force.
pub(crate) fn note(key: &str, value: &str, taken: HintResult) {
    match taken {
        HintResult::InForce => {}
        HintResult::UnknownKey => Framework::Io.debug(format_args!(
            "hint `{key}` of a file is ignored: unknown key"
        )),
        HintResult::WrongValue(kind) => {
            let words = kind.words();
            Framework::Io.info(format_args!(
                "hint `{key}` of a file: `{value}` is ignored; values: {words}"
            ));
        }
        HintResult::TooLate => {
            Framework::Io.debug(format_args!(
                "hint `{key}` of a file is ignored: it takes effect only when the file is opened"
            ));
        }
    }
}
