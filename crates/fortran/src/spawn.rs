//! `MPI_Comm_spawn` and `MPI_Comm_spawn_multiple`: lists of texts that end in a blank one, and
//! arguments that count at the root alone. Texts have no blanks around them (MPI 5.0, 11.8.2). A
//! call for one program is read as a call for several whose count is 1.

use std::ffi::c_char;

use crate::convert::{elements, read};
use crate::entry::entry;
use crate::generated::c;
use crate::generated::constants::MPI_INFO_NULL;
use crate::generated::types::{Comm, Info};
use crate::handle::{handle, HandleOut};
use crate::sentinel::{error_codes, is_argv_null, is_argvs_null};
use crate::text::stripped;

/// Strings of C, and the array of their addresses, which ends in a null pointer.
struct List {
    texts: Vec<Vec<u8>>,
    addresses: Vec<*mut c_char>,
}

impl List {
    fn new(texts: Vec<Vec<u8>>) -> List {
        let mut list = List {
            texts,
            addresses: Vec::new(),
        };
        let addresses = list.texts.iter_mut().map(|text| text.as_mut_ptr().cast());
        list.addresses = addresses.chain([std::ptr::null_mut()]).collect();
        list
    }

    /// Reads `count` texts that lie `step` bytes apart, or those before the first blank one where
    /// `count` is `None`.
    ///
    /// # Safety
    /// The array is the caller's, and has that many texts or a blank one.
    unsafe fn read(at: *const u8, length: usize, step: usize, count: Option<usize>) -> List {
        let mut texts = Vec::new();
        while count.is_none_or(|count| texts.len() < count) {
            // SAFETY: as the caller says.
            let text = unsafe { stripped(at.add(texts.len() * step), length) };
            if text.is_empty() && count.is_none() {
                break;
            }
            let mut text = text.to_vec();
            text.push(0);
            texts.push(text);
        }
        List::new(texts)
    }
}

fn is_root(comm: Comm, root: i32) -> bool {
    let mut rank = -1;
    // SAFETY: the place is that of an integer.
    unsafe { c::PMPI_Comm_rank(comm, &mut rank) };
    rank == root
}

/// An array of CHARACTER, whose elements have one length.
struct Texts {
    at: *const u8,
    length: usize,
}

/// The programs that a call starts, as C's arguments; none where this process is not the root.
struct Programs {
    commands: List,
    /// Owns the arguments that `argvs` has the addresses of.
    _arguments: Vec<List>,
    argvs: Vec<*mut *mut c_char>,
    infos: Vec<Info>,
}

impl Programs {
    /// Reads the `count` programs that the root names; `argvs` is `argv(count, *)`, or `None` where
    /// no program has arguments.
    ///
    /// # Safety
    /// The arrays are the caller's; at the root they have `count` elements, and each list of
    /// arguments ends in a blank text.
    unsafe fn read(
        at_root: bool,
        count: i32,
        commands: Texts,
        argvs: Option<Texts>,
        infos: *const i32,
    ) -> Programs {
        let count = if at_root {
            elements(i64::from(count))
        } else {
            0
        };
        let list = |argvs: &Texts, i: usize| {
            let Texts { at, length } = *argvs;
            // SAFETY: as the caller says.
            unsafe { List::read(at.add(i * length), length, count * length, None) }
        };
        let arguments: Vec<List> = argvs.map_or_else(Vec::new, |argvs| {
            (0..count).map(|i| list(&argvs, i)).collect()
        });
        let addresses = |list: &List| list.addresses.as_ptr().cast_mut();
        let Texts { at, length } = commands;
        Programs {
            // SAFETY: as the caller says.
            commands: unsafe { List::read(at, length, length, Some(count)) },
            argvs: arguments.iter().map(addresses).collect(),
            _arguments: arguments,
            // SAFETY: as the caller says.
            infos: (0..count)
                .map(|i| unsafe { handle(infos.add(i)) })
                .collect(),
        }
    }

    /// Returns the only program's name, null where this process is not the root.
    fn command(&self) -> *mut c_char {
        self.commands.addresses[0]
    }

    /// Returns the only program's arguments, null where it has none.
    fn argv(&self) -> *mut *mut c_char {
        self.argvs.first().copied().unwrap_or(std::ptr::null_mut())
    }

    /// Returns the only program's info.
    fn info(&self) -> Info {
        self.infos.first().copied().unwrap_or(MPI_INFO_NULL)
    }

    fn commands(&self) -> *mut *mut c_char {
        self.commands.addresses.as_ptr().cast_mut()
    }

    /// Returns the programs' arguments, null where none has any.
    fn argvs(&self) -> *mut *mut *mut c_char {
        match self.argvs.is_empty() {
            true => std::ptr::null_mut(),
            false => self.argvs.as_ptr().cast_mut(),
        }
    }
}

entry!([MPI_Comm_spawn(mpi_comm_spawn_ mpi_comm_spawn_f08_)
PMPI_Comm_spawn(pmpi_comm_spawn_ pmpi_comm_spawn_f08_)]
(command: *const u8, argv: *const u8, maxprocs: *const i32, info: *const i32, root: *const i32,
    comm: *const i32, intercomm: *mut i32, array_of_errcodes: *mut i32, ierror: *mut i32,
    command_length: usize, argv_length: usize) ierror
[with programs = Programs::read(
    is_root(handle(comm), read(root)),
    1,
    Texts { at: command, length: command_length },
    (!is_argv_null(argv)).then_some(Texts { at: argv, length: argv_length }),
    info,
); (
    programs.command(),
    programs.argv(),
    read(maxprocs),
    programs.info(),
    read(root),
    handle(comm),
    HandleOut::new(intercomm).c(),
    error_codes(array_of_errcodes)
)]);

entry!([MPI_Comm_spawn_multiple(mpi_comm_spawn_multiple_ mpi_comm_spawn_multiple_f08_)
PMPI_Comm_spawn_multiple(pmpi_comm_spawn_multiple_ pmpi_comm_spawn_multiple_f08_)]
(count: *const i32, array_of_commands: *const u8, array_of_argv: *const u8,
    array_of_maxprocs: *const i32, array_of_info: *const i32, root: *const i32, comm: *const i32,
    intercomm: *mut i32, array_of_errcodes: *mut i32, ierror: *mut i32, command_length: usize,
    argv_length: usize) ierror
[with programs = Programs::read(
    is_root(handle(comm), read(root)),
    read(count),
    Texts { at: array_of_commands, length: command_length },
    (!is_argvs_null(array_of_argv))
        .then_some(Texts { at: array_of_argv, length: argv_length }),
    array_of_info,
); (
    read(count),
    programs.commands(),
    programs.argvs(),
    array_of_maxprocs,
    programs.infos.as_ptr(),
    read(root),
    handle(comm),
    HandleOut::new(intercomm).c(),
    error_codes(array_of_errcodes)
)]);
