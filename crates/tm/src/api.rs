//! The functions of the library, as `tm.h` of PBS Professional, OpenPBS and Torque declares them.

use std::ffi::{c_char, c_int, c_void, CString};
use std::path::{Path, PathBuf};
use std::ptr;

use libloading::{Library, Symbol};

/// The names of the library: PBS Professional's and OpenPBS's, and Torque's.
const NAMES: [&str; 4] = ["libpbs.so", "libpbs.so.0", "libtorque.so", "libtorque.so.2"];
/// The file that says where PBS is installed.
const CONFIGURATION: &str = "/etc/pbs.conf";

/// A handle of something that will happen.
pub(crate) type Event = c_int;

/// A process. The headers have 32 bits for it; where a release had more, they are here too.
#[repr(transparent)]
#[derive(Default)]
pub(crate) struct Task(u64);

/// Room for `struct tm_roots`, which is of no interest here: 40 bytes at most.
type Roots = [u64; 16];

type Init = unsafe extern "C" fn(*mut c_void, *mut Roots) -> c_int;
type Spawn = unsafe extern "C" fn(
    c_int,
    *mut *mut c_char,
    *mut *mut c_char,
    c_int,
    *mut Task,
    *mut Event,
) -> c_int;
type Obit = unsafe extern "C" fn(u64, *mut c_int, *mut Event) -> c_int;
type Poll = unsafe extern "C" fn(Event, *mut Event, c_int, *mut c_int) -> c_int;
type Finalize = unsafe extern "C" fn() -> c_int;

/// The interface, open. There is one at a time in a process.
pub(crate) struct Session {
    library: Library,
    spawn: Spawn,
    obit: Obit,
    poll: Poll,
}

/// Whether the library can be had.
///
/// # Errors
/// Why not, as a clause.
pub fn is_there() -> Result<(), String> {
    load().map(drop)
}

fn load() -> Result<Library, String> {
    environment::unless_secure()?;
    for file in files() {
        // SAFETY: what the library runs when it is loaded is trusted as any library of the system
        // is: it is the batch system's own, from where that or the user has put it.
        if let Ok(library) = unsafe { Library::new(&file) } {
            return Ok(library);
        }
    }
    Err("there is no libpbs.so or libtorque.so".to_string())
}

/// The files to try: those of the installation that PBS names, and those that the loader finds.
fn files() -> Vec<PathBuf> {
    let text = std::fs::read_to_string(CONFIGURATION).unwrap_or_default();
    let of_file = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("PBS_EXEC="));
    let of_variable = environment::var_os("PBS_EXEC").map(PathBuf::from);
    let folder = of_variable.or_else(|| of_file.map(PathBuf::from));
    let inside = folder.iter().flat_map(|folder| {
        let lib = folder.join("lib");
        NAMES.iter().map(move |name| lib.join(name))
    });
    let anywhere = NAMES.iter().map(|name| Path::new(name).to_path_buf());
    inside.chain(anywhere).collect()
}

impl Session {
    /// Opens the interface, which a process of a job may.
    ///
    /// # Errors
    /// Why it cannot, in words for the user.
    pub(crate) fn open() -> Result<Session, String> {
        let library = load()?;
        // SAFETY: the types are those of `tm.h`, see above; `tm_task_id` is passed in a register,
        // of which the callee reads as much as its own type has.
        let session = unsafe {
            let init: Init = find(&library, "tm_init")?;
            let mut roots: Roots = [0; 16];
            let error = init(ptr::null_mut(), &mut roots);
            if error != 0 {
                return Err(format!(
                    "tm_init failed (error {error}): is this process in a job?"
                ));
            }
            Session {
                spawn: find(&library, "tm_spawn")?,
                obit: find(&library, "tm_obit")?,
                poll: find(&library, "tm_poll")?,
                library,
            }
        };
        Ok(session)
    }

    /// Begins to start a process on a node. Returns the event of its start, with which `task` is
    /// filled: the caller keeps that in its place until then.
    ///
    /// # Errors
    /// The interface's number of the error.
    pub(crate) fn spawn(
        &mut self,
        words: &[CString],
        environment: &[CString],
        node: c_int,
        task: &mut Task,
    ) -> Result<Event, c_int> {
        let pointers = |strings: &[CString]| -> Vec<*mut c_char> {
            let each = strings.iter().map(|string| string.as_ptr().cast_mut());
            each.chain([ptr::null_mut()]).collect()
        };
        let (mut argv, mut envp) = (pointers(words), pointers(environment));
        let mut event = 0;
        // SAFETY: both lists end with a null pointer and live through the call, which sends the
        // strings and changes none. `task` is a place for its number.
        let error = unsafe {
            (self.spawn)(
                words.len() as c_int,
                argv.as_mut_ptr(),
                envp.as_mut_ptr(),
                node,
                task,
                &mut event,
            )
        };
        outcome(error, event)
    }

    /// Begins to wait for the end of a process. Returns the event of its end, with which `code` is
    /// filled: the caller keeps that in its place until then.
    ///
    /// # Errors
    /// The interface's number of the error.
    pub(crate) fn watch(&mut self, task: &Task, code: &mut c_int) -> Result<Event, c_int> {
        let mut event = 0;
        // SAFETY: `code` is a place for a number, and the caller keeps it.
        let error = unsafe { (self.obit)(task.0, code, &mut event) };
        outcome(error, event)
    }

    /// Waits for the next event. Returns it, and the number of the error that it brings, 0 where it
    /// brings none.
    ///
    /// # Errors
    /// When the batch system is gone, in words for the user.
    pub(crate) fn wait(&mut self) -> Result<(Event, c_int), String> {
        let (mut event, mut error) = (0, 0);
        // SAFETY: both are places for a number. The null event stands for any.
        let failed = unsafe { (self.poll)(0, &mut event, 1, &mut error) };
        match failed {
            0 => Ok((event, error)),
            _ => Err(format!(
                "the batch system does not answer (error {failed} of tm_poll)"
            )),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the type is that of `tm.h`; nothing is asked of the interface afterwards.
        if let Ok(finalize) = unsafe { find::<Finalize>(&self.library, "tm_finalize") } {
            // SAFETY: as above.
            unsafe { finalize() };
        }
    }
}

fn outcome(error: c_int, event: Event) -> Result<Event, c_int> {
    match error {
        0 => Ok(event),
        _ => Err(error),
    }
}

/// Finds a function.
///
/// # Safety
/// `F` is the type of the function with this name.
unsafe fn find<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: the caller's.
    let found: Result<Symbol<'_, F>, _> = unsafe { library.get(name.as_bytes()) };
    found
        .map(|symbol| *symbol)
        .map_err(|_| format!("the library has no {name}"))
}
