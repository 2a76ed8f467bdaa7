//! Programs to start, as PMIx takes them (PMIx 4.1, 3.2.12 and 12.2).

use std::alloc::{handle_alloc_error, Layout};
use std::ffi::CStr;
use std::path::Path;
use std::{mem, ptr};

use libc::{c_char, c_int};
use rustix::fs::Access;

use super::data::{directive, terminated, ByteObject, Data, Info, STRING};

/// A program to start.
pub(super) struct Command {
    pub(super) program: String,
    /// The arguments after the name.
    pub(super) arguments: Vec<String>,
    /// Variables beside those that the server gives, as `NAME=VALUE`.
    pub(super) environment: Vec<String>,
    pub(super) directory: String,
    /// Processes to start.
    pub(super) count: i32,
    /// Keys of the standard with texts.
    pub(super) hints: Vec<(&'static CStr, String)>,
}

impl Command {
    /// Returns why this host cannot run the program, where no hint names other hosts.
    pub(super) fn missing_here(&self) -> Option<String> {
        if !self.hints.is_empty() {
            return None;
        }
        let directory = Path::new(&self.directory);
        if !directory.is_dir() {
            let directory = &self.directory;
            return Some(format!("there is no working directory {directory}"));
        }
        let program = &self.program;
        let can_run = |path: &Path| {
            let path = directory.join(path);
            path.is_file() && rustix::fs::access(&path, Access::EXEC_OK).is_ok()
        };
        if program.contains('/') {
            let is_there = can_run(Path::new(program));
            return (!is_there).then(|| format!("{program} is no program that can be run here"));
        }
        let path = environment::var_os("PATH").unwrap_or_default();
        let mut folders = std::env::split_paths(&path);
        let is_there = folders.any(|folder| can_run(&folder.join(program)));
        let is_there = is_there || can_run(Path::new(program));
        (!is_there).then(|| format!("{program} is not found on PATH"))
    }
}

/// `pmix_app_t`. All that it points to is memory of the C library's `malloc`: PMIx adds variables
/// to the environment by `realloc`.
#[repr(C)]
pub(super) struct App {
    program: *mut c_char,
    arguments: *mut *mut c_char,
    environment: *mut *mut c_char,
    directory: *mut c_char,
    count: c_int,
    infos: *mut Info,
    infos_count: usize,
}

const _: () = assert!(mem::size_of::<App>() == 56);

impl App {
    pub(super) fn new(command: &Command) -> App {
        let arguments = [std::slice::from_ref(&command.program), &command.arguments].concat();
        App {
            program: text(&command.program),
            arguments: list(&arguments),
            environment: list(&command.environment),
            directory: text(&command.directory),
            count: command.count,
            infos: infos(&command.hints),
            infos_count: command.hints.len(),
        }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        // SAFETY: all was made by `App::new` or put in its place by PMIx, which lets go of it when
        // its call returns: memory of `malloc`, lists that end with null, and `infos_count` infos
        // that hold texts.
        unsafe {
            for list in [self.arguments, self.environment] {
                let mut place = list;
                while !(*place).is_null() {
                    libc::free((*place).cast());
                    place = place.add(1);
                }
                libc::free(list.cast());
            }
            for index in 0..self.infos_count {
                libc::free((*self.infos.add(index)).value.data.bytes.bytes.cast());
            }
            libc::free(self.infos.cast());
            libc::free(self.program.cast());
            libc::free(self.directory.cast());
        }
    }
}

/// Returns zeroed memory of the C library for `count` values, at least one.
fn allocate<T>(count: usize) -> *mut T {
    // SAFETY: `calloc` has no requirements.
    let memory = unsafe { libc::calloc(count, mem::size_of::<T>()) };
    if memory.is_null() {
        handle_alloc_error(Layout::array::<T>(count).unwrap_or(Layout::new::<T>()));
    }
    memory.cast()
}

/// Returns a copy of a text, terminated.
fn text(text: &str) -> *mut c_char {
    let text = terminated(text);
    let bytes = text.as_bytes_with_nul();
    let copy: *mut c_char = allocate(bytes.len());
    // SAFETY: `copy` is new and has room for the bytes.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr().cast(), copy, bytes.len()) };
    copy
}

/// Returns a list of copies, which ends with null.
fn list(texts: &[String]) -> *mut *mut c_char {
    let list: *mut *mut c_char = allocate(texts.len() + 1);
    for (index, word) in texts.iter().enumerate() {
        // SAFETY: the list is new and has a place for each text; the last place stays null.
        unsafe { *list.add(index) = text(word) };
    }
    list
}

/// Returns the hints as directives; null without any. PMIx searches an array for its end where its
/// length is 0.
fn infos(hints: &[(&'static CStr, String)]) -> *mut Info {
    if hints.is_empty() {
        return ptr::null_mut();
    }
    let infos: *mut Info = allocate(hints.len());
    for (index, (key, value)) in hints.iter().enumerate() {
        let mut info = directive(key, STRING, 0);
        let bytes = text(value);
        info.value.data = Data {
            bytes: ByteObject { bytes, size: 0 },
        };
        // SAFETY: the array is new and has a place for each hint.
        unsafe { infos.add(index).write(info) };
    }
    infos
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_app_holds_what_the_command_says() {
        let command = Command {
            program: "worker".to_string(),
            arguments: vec!["-n".to_string(), String::new()],
            environment: vec!["A=b".to_string()],
            directory: "/tmp".to_string(),
            count: 3,
            hints: vec![(c"pmix.host", "n02".to_string())],
        };
        let app = App::new(&command);
        // SAFETY: lists that end with null, of terminated texts, by `App::new`.
        let read = |list: *mut *mut c_char| unsafe {
            let places = (0..).map(|index| *list.add(index));
            let texts = places.take_while(|place| !place.is_null());
            let texts = texts.map(|place| CStr::from_ptr(place).to_str().unwrap().to_string());
            texts.collect::<Vec<_>>()
        };
        assert_eq!(read(app.arguments), ["worker", "-n", ""]);
        assert_eq!(read(app.environment), ["A=b"]);
        // SAFETY: one info, whose value is a terminated text.
        let (key, host) = unsafe {
            let info = &*app.infos;
            let host = info.value.data.bytes.bytes;
            (CStr::from_ptr(info.key.as_ptr()), CStr::from_ptr(host))
        };
        assert_eq!((key, host), (c"pmix.host", c"n02"));
        assert_eq!((app.count, app.infos_count), (3, 1));
        let plain = App::new(&Command {
            hints: Vec::new(),
            ..command
        });
        assert!(plain.infos.is_null());
    }

    #[test]
    fn what_cannot_be_run_here_is_named_unless_it_is_for_other_hosts() {
        let command = |program: &str, directory: &str| Command {
            program: program.to_string(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: directory.to_string(),
            count: 1,
            hints: Vec::new(),
        };
        for (program, directory) in [("/bin/sh", "/tmp"), ("sh", "/tmp"), ("./sh", "/bin")] {
            assert_eq!(command(program, directory).missing_here(), None);
        }
        for (program, directory, named) in [
            ("/no/such", "/tmp", "/no/such"),
            ("/tmp", "/", "/tmp"),
            ("no-such-program", "/tmp", "no-such-program"),
            ("sh", "/no/folder", "/no/folder"),
        ] {
            let why = command(program, directory).missing_here().expect(program);
            assert!(why.contains(named), "{why}");
        }
        let elsewhere = Command {
            hints: vec![(c"pmix.host", "n02".to_string())],
            ..command("/no/such", "/tmp")
        };
        assert_eq!(elsewhere.missing_here(), None);
    }
}
