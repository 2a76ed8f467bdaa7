//! `MPI_Comm_spawn` and `MPI_Comm_spawn_multiple`: lists of texts that end in a blank one, and
//! arguments that count at the root alone. Texts have no blanks around them (MPI 5.0, 11.8.2). A
//! call for one program is read as a call for several whose count is 1.

use std::ffi::c_char;

use super::Characters;
use crate::argument::{Form, List as Array};
use crate::by_hand::is_root;
use crate::generated::constants::MPI_INFO_NULL;
use crate::generated::types::{Comm, Info};
use crate::handle::HandleForm;
use crate::interface::Abi;
use crate::text::Text;
use crate::value::len;

/// Strings of C, and the array of their addresses, which ends in a null pointer.
struct List {
    _texts: Vec<Text>,
    addresses: Vec<*mut c_char>,
}

impl List {
    /// Reads `count` texts that lie `step` bytes apart, or those before the first blank one where
    /// `count` is `None`.
    ///
    /// # Safety
    /// The array is the caller's, and has that many texts or a blank one.
    unsafe fn read(at: *const u8, length: usize, step: usize, count: Option<usize>) -> List {
        let mut texts = Vec::new();
        while count.is_none_or(|count| texts.len() < count) {
            // SAFETY: no blank text ended the list before, so it has this one.
            let text = unsafe { Text::new(at.add(texts.len() * step), length, true) };
            if text.is_empty() && count.is_none() {
                break;
            }
            texts.push(text);
        }
        let addresses = texts.iter().map(|text| text.c().cast_mut());
        let addresses = addresses.chain([std::ptr::null_mut()]).collect();
        List {
            _texts: texts,
            addresses,
        }
    }
}

/// The programs that a call starts, as C's arguments; none where this process is not the root.
pub struct Programs {
    commands: List,
    /// Owns the arguments that `argvs` has the addresses of.
    _arguments: Vec<List>,
    argvs: Vec<*mut *mut c_char>,
    infos: Vec<Info>,
}

impl Programs {
    /// Reads the `count` programs that the root of a communicator names; `argvs` is
    /// `argv(count, *)`, or a constant where no program has arguments.
    ///
    /// # Safety
    /// The arrays are the caller's; at the root they have `count` elements, and each list of
    /// arguments ends in a blank text.
    pub unsafe fn read<A: Abi<Handle = i32>>(
        (comm, root): (Comm, i32),
        count: i32,
        commands: Characters,
        argvs: Characters,
        infos: *const i32,
    ) -> Programs {
        let count = if is_root(comm, root) { len(count) } else { 0 };
        let Characters { at, length } = argvs;
        // SAFETY: the caller promises these lists.
        let list = |i| unsafe { List::read(at.add(i * length), length, count * length, None) };
        let arguments: Vec<List> = match A::is_absent(at.cast()) {
            true => Vec::new(),
            false => (0..count).map(list).collect(),
        };
        let addresses = |list: &List| list.addresses.as_ptr().cast_mut();
        let Characters { at, length } = commands;
        // SAFETY: the caller promises these arrays.
        let (commands, infos) = unsafe {
            let commands = List::read(at, length, length, Some(count));
            (commands, Array::new(infos, count))
        };
        let form = HandleForm::<A, Info>::default();
        Programs {
            commands,
            argvs: arguments.iter().map(addresses).collect(),
            _arguments: arguments,
            infos: infos.iter().map(|info| form.standard(info)).collect(),
        }
    }

    /// Returns the only program's name, null where this process is not the root.
    pub fn command(&self) -> *mut c_char {
        self.commands.addresses[0]
    }

    /// Returns the only program's arguments, null where it has none.
    pub fn argv(&self) -> *mut *mut c_char {
        self.argvs.first().copied().unwrap_or(std::ptr::null_mut())
    }

    /// Returns the only program's info.
    pub fn info(&self) -> Info {
        self.infos.first().copied().unwrap_or(MPI_INFO_NULL)
    }

    /// Returns the names.
    pub fn commands(&self) -> *mut *mut c_char {
        self.commands.addresses.as_ptr().cast_mut()
    }

    /// Returns the programs' arguments, null where none has any.
    pub fn argvs(&self) -> *mut *mut *mut c_char {
        match self.argvs.is_empty() {
            true => std::ptr::null_mut(),
            false => self.argvs.as_ptr().cast_mut(),
        }
    }

    /// Returns the infos.
    pub fn infos(&self) -> *const Info {
        self.infos.as_ptr()
    }
}

/// Returns the address of a list of error codes, null where a constant stands for none.
pub fn error_codes<A: Abi>(list: *mut i32) -> *mut i32 {
    match A::is_absent(list.cast()) {
        true => std::ptr::null_mut(),
        false => list,
    }
}
