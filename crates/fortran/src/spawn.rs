//! `MPI_Comm_spawn` and `MPI_Comm_spawn_multiple`: lists of texts that end in a blank one, and
//! arguments that count at the root alone. Texts have no blanks around them (MPI 5.0, 11.8.2).

use std::ffi::c_char;

use crate::convert::{elements, finish, read};
use crate::generated::c;
use crate::generated::constants::MPI_INFO_NULL;
use crate::generated::types::{Comm, Info};
use crate::handle::{handle, HandleOut};
use crate::sentinel::{error_codes, is_argv_null, is_argvs_null};
use crate::text::stripped;

/// Texts as C has them, and the list of their addresses that ends in a null pointer.
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

    /// `count` texts, or up to a blank one where that is `None`; `step` bytes apart.
    ///
    /// # Safety
    /// The array is the caller's, and ends as said.
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

macro_rules! spawn {
    ($($c:ident $($name:ident)+;)+) => {
        $($(#[no_mangle]
        unsafe extern "C" fn $name(
            command: *const u8,
            argv: *const u8,
            maxprocs: *const i32,
            info: *const i32,
            root: *const i32,
            comm: *const i32,
            intercomm: *mut i32,
            array_of_errcodes: *mut i32,
            ierror: *mut i32,
            command_length: usize,
            argv_length: usize,
        ) {
            // SAFETY: the caller gives each argument as the interface declares it; what counts at
            // the root alone is read there alone.
            unsafe {
                let at_root = is_root(handle(comm), read(root));
                let command = match at_root {
                    true => List::read(command, command_length, 0, Some(1)),
                    false => List::new(vec![vec![0]]),
                };
                let argv = match at_root && !is_argv_null(argv) {
                    true => Some(List::read(argv, argv_length, argv_length, None)),
                    false => None,
                };
                let argv = argv.as_ref().map_or(std::ptr::null_mut(), |list| {
                    list.addresses.as_ptr().cast_mut()
                });
                let code = c::$c(
                    command.addresses[0],
                    argv,
                    read(maxprocs),
                    if at_root { handle(info) } else { MPI_INFO_NULL },
                    read(root),
                    handle(comm),
                    HandleOut::new(intercomm).c(),
                    error_codes(array_of_errcodes),
                );
                finish(ierror, code);
            }
        })+)+
    };
}

spawn! {
    MPI_Comm_spawn mpi_comm_spawn_ mpi_comm_spawn_f08_;
    PMPI_Comm_spawn pmpi_comm_spawn_ pmpi_comm_spawn_f08_;
}

/// The argument lists of several programs, which Fortran has as `argv(count, *)`.
///
/// # Safety
/// The array is the caller's, and each list ends in a blank text.
unsafe fn lists(at: *const u8, length: usize, count: usize) -> Vec<List> {
    let list = |i: usize| {
        // SAFETY: as the caller says.
        unsafe { List::read(at.add(i * length), length, count * length, None) }
    };
    (0..count).map(list).collect()
}

macro_rules! spawn_multiple {
    ($($c:ident $($name:ident)+;)+) => {
        $($(#[no_mangle]
        unsafe extern "C" fn $name(
            count: *const i32,
            array_of_commands: *const u8,
            array_of_argv: *const u8,
            array_of_maxprocs: *const i32,
            array_of_info: *const i32,
            root: *const i32,
            comm: *const i32,
            intercomm: *mut i32,
            array_of_errcodes: *mut i32,
            ierror: *mut i32,
            command_length: usize,
            argv_length: usize,
        ) {
            // SAFETY: the caller gives each argument as the interface declares it; what counts at
            // the root alone is read there alone.
            unsafe {
                let programs = match is_root(handle(comm), read(root)) {
                    true => elements(i64::from(read(count))),
                    false => 0,
                };
                let commands =
                    List::read(array_of_commands, command_length, command_length, Some(programs));
                let argvs = match is_argvs_null(array_of_argv) {
                    true => Vec::new(),
                    false => lists(array_of_argv, argv_length, programs),
                };
                let mut argv: Vec<*mut *mut c_char> =
                    argvs.iter().map(|list| list.addresses.as_ptr().cast_mut()).collect();
                let infos: Vec<Info> =
                    (0..programs).map(|i| handle(array_of_info.add(i))).collect();
                let code = c::$c(
                    read(count),
                    commands.addresses.as_ptr().cast_mut(),
                    if argv.is_empty() { std::ptr::null_mut() } else { argv.as_mut_ptr() },
                    array_of_maxprocs,
                    infos.as_ptr(),
                    read(root),
                    handle(comm),
                    HandleOut::new(intercomm).c(),
                    error_codes(array_of_errcodes),
                );
                finish(ierror, code);
            }
        })+)+
    };
}

spawn_multiple! {
    MPI_Comm_spawn_multiple mpi_comm_spawn_multiple_ mpi_comm_spawn_multiple_f08_;
    PMPI_Comm_spawn_multiple pmpi_comm_spawn_multiple_ pmpi_comm_spawn_multiple_f08_;
}
