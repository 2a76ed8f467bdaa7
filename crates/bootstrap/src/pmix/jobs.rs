//! Jobs that a PMIx server starts for a process of another one, and whether they have ended.

use std::ffi::{c_char, c_int, CStr};
use std::{mem, ptr};

use super::app::{App, Command};
use super::data::{
    directive, terminated, ByteObject, Data, DataArray, Info, Proc, Question, Value,
};
use super::data::{DATA_ARRAY, INFO, NAMESPACE_BYTES, PROC_INFO, STRING};
use super::sys::{check, text, Session};

/// `pmix_proc_info_t`.
#[repr(C)]
struct Process {
    process: Proc,
    host: *mut c_char,
    program: *mut c_char,
    pid: c_int,
    exit_code: c_int,
    state: u8,
}

const _: () = assert!(mem::size_of::<Process>() == 296);

/// States of a process that runs (`PMIX_PROC_STATE_PREPPED` to `PMIX_PROC_STATE_UNTERMINATED`).
/// Open MPI 4 reports state 0 of a process that has ended.
const RUNNING: std::ops::RangeInclusive<u8> = 1..=15;

/// A job that was started, by its namespace.
pub(super) struct Job {
    namespace: [c_char; NAMESPACE_BYTES],
}

impl Job {
    fn name(&self) -> String {
        // SAFETY: `Session::spawn` has had it filled in with a terminated text.
        unsafe { text(self.namespace.as_ptr()) }
    }
}

impl Session {
    /// Has the server start a job of these programs, on slots that are taken where there are no
    /// others; returns when it has.
    pub(super) fn spawn(&self, commands: &[Command], map_by: &str) -> Result<Job, i32> {
        let apps: Vec<App> = commands.iter().map(App::new).collect();
        let map_by = terminated(map_by);
        let placed = with_text(c"pmix.mapby", &map_by);
        let mut job = Job {
            namespace: [0; NAMESPACE_BYTES],
        };
        // SAFETY: the apps are complete, and of the C library, where PMIx may replace their parts;
        // the info holds a terminated text; the namespace, for the job's terminated name, is one
        // byte longer than the longest.
        check(unsafe {
            let place = job.namespace.as_mut_ptr();
            (self.library().spawn)(&placed, 1, apps.as_ptr(), apps.len(), place)
        })?;
        Ok(job)
    }

    /// Whether a process of a job has ended; false where the server does not report it.
    pub(super) fn has_ended(&self, job: &Job) -> bool {
        let name = job.name();
        match self.query(c"pmix.qry.ns", None) {
            Some(JobReport::Names(names)) => !names.split(',').any(|known| known == name),
            // Open MPI 4 has no list of jobs, but one of a job's processes.
            _ => match self.query(c"pmix.qry.ptable", Some(&name)) {
                Some(JobReport::States(states)) => {
                    states.iter().any(|state| !RUNNING.contains(state))
                }
                _ => false,
            },
        }
    }

    fn query(&self, key: &CStr, job: Option<&str>) -> Option<JobReport> {
        let query = self.library().query?;
        let job = job.map(terminated);
        let mut qualifier = job.as_ref().map(|job| with_text(c"pmix.nspace", job));
        let mut keys = [key.as_ptr().cast_mut(), ptr::null_mut()];
        let mut question = Question {
            keys: keys.as_mut_ptr(),
            qualifiers: qualifier.as_mut().map_or(ptr::null_mut(), |info| info),
            qualifiers_count: usize::from(qualifier.is_some()),
        };
        let (mut infos, mut count) = (ptr::null_mut(), 0);
        // SAFETY: a list of one key that ends with null and at most one qualifier with a terminated
        // text, all of which the library reads; it writes the place and length of its answer.
        let status = unsafe { query(&mut question, 1, &mut infos, &mut count) };
        check(status).ok().filter(|()| !infos.is_null())?;
        // SAFETY: the library has made `count` infos for its caller, who uses them no more.
        unsafe { taken(infos, count) }
    }
}

/// A server's report about jobs.
#[derive(Debug, PartialEq, Eq)]
enum JobReport {
    /// The names of all jobs, with commas between them.
    Names(String),
    /// The states of a job's processes.
    States(Vec<u8>),
}

/// Returns an info with a text, which has to live as long.
fn with_text(key: &CStr, text: &CStr) -> Info {
    let mut info = directive(key, STRING, 0);
    let bytes = text.as_ptr().cast_mut();
    info.value.data = Data {
        bytes: ByteObject { bytes, size: 0 },
    };
    info
}

/// Reads the first info of an answer, and frees all of them.
///
/// # Safety
/// PMIx has made `count` infos for its caller, who does not use them any more.
unsafe fn taken(infos: *mut Info, count: usize) -> Option<JobReport> {
    let mut report = None;
    for at in 0..count {
        // SAFETY: promised by the caller.
        let value = unsafe { &(*infos.add(at)).value };
        // SAFETY: as above, for a value that nobody reads afterwards.
        report = report.or(unsafe { taken_value(value) });
    }
    // SAFETY: PMIx allocates arrays with malloc.
    unsafe { libc::free(infos.cast()) };
    report
}

/// Reads a value and frees what it points to.
///
/// # Safety
/// The member of the union that the kind names is set, and PMIx has made what it points to for the
/// caller, who does not use it any more.
unsafe fn taken_value(value: &Value) -> Option<JobReport> {
    // SAFETY: promised by the caller; PMIx allocates with malloc.
    unsafe {
        match value.kind {
            STRING => {
                let bytes = value.data.bytes.bytes;
                let names = text(bytes);
                libc::free(bytes.cast());
                Some(JobReport::Names(names))
            }
            DATA_ARRAY => {
                let array: *mut DataArray = value.data.place.cast();
                if array.is_null() {
                    return None;
                }
                let DataArray { kind, size, places } = array.read();
                let states = match kind {
                    INFO => (0..size).map(|at| &(*places.cast::<Info>().add(at)).value),
                    // An array that was not asked for is leaked.
                    _ => return None,
                };
                let states = states.filter_map(|value| match value.kind {
                    PROC_INFO => taken_process(value.data.place.cast()),
                    _ => None,
                });
                let report = JobReport::States(states.collect());
                libc::free(places);
                libc::free(array.cast());
                Some(report)
            }
            _ => None,
        }
    }
}

/// Returns the state of a process, and frees the report about it.
///
/// # Safety
/// `process` is null, or PMIx has made it for the caller, who does not use it any more.
unsafe fn taken_process(process: *mut Process) -> Option<u8> {
    if process.is_null() {
        return None;
    }
    // SAFETY: promised by the caller; PMIx allocates with malloc.
    unsafe {
        let state = (*process).state;
        libc::free((*process).host.cast());
        libc::free((*process).program.cast());
        libc::free(process.cast());
        Some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A zeroed value of the C library's heap.
    fn allocated<T>(count: usize) -> *mut T {
        // SAFETY: `calloc` has no requirements.
        let memory = unsafe { libc::calloc(count, mem::size_of::<T>()) };
        assert!(!memory.is_null());
        memory.cast()
    }

    #[test]
    fn the_states_of_processes_are_read_from_a_table() {
        let infos: *mut Info = allocated(1);
        let array: *mut DataArray = allocated(1);
        let places: *mut Info = allocated(2);
        // SAFETY: all is new memory with room for what is written; null pointers stay null.
        let report = unsafe {
            for (at, state) in [5, 0].into_iter().enumerate() {
                let process: *mut Process = allocated(1);
                (*process).state = state;
                (*process).host = libc::strdup(c"n01".as_ptr());
                (*places.add(at)).value.kind = PROC_INFO;
                (*places.add(at)).value.data.place = process.cast();
            }
            *array = DataArray {
                kind: INFO,
                size: 2,
                places: places.cast(),
            };
            (*infos).value.kind = DATA_ARRAY;
            (*infos).value.data.place = array.cast();
            taken(infos, 1)
        };
        assert_eq!(report, Some(JobReport::States(vec![5, 0])));
    }
}
