//! Faults of the system at every point of an access: each call of `system.rs` fails in each way,
//! one call at a time until a run meets no more of them. Whatever fails, every access ends once.

use std::io::{Error, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Mutex, MutexGuard};
use io::Direction;
use memory::Scratch;

use crate::{OpenFile, OpenOptions, Ring, Transfer, Workers};

/// Where the system is asked for something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Point {
    /// io_uring_setup(2).
    Open,
    /// io_uring_register(2).
    Register,
    /// Room in the queue of a ring.
    Push,
    /// io_uring_enter(2).
    Submit,
    /// The kernel's report of an entry.
    End,
    /// A call of an open file.
    Call,
    /// A new thread.
    Thread,
}

/// A fault: at a point, this many calls fail like this, from the call of this number on.
#[derive(Clone, Copy, Debug)]
struct Fault {
    point: Point,
    first: usize,
    many: usize,
    /// The error's number; 0 for a call that does nothing and says so.
    error: i32,
}

struct Plan {
    fault: Option<Fault>,
    /// Most bytes of a transfer, so that each access takes several.
    bytes_max: usize,
    calls: [usize; 7],
}

static PLAN: Mutex<Option<Plan>> = Mutex::new(None);

/// Held by a test whose calls of the system no plan of another test may meet.
static ALONE: Mutex<()> = Mutex::new(());

pub(crate) fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock()
}

fn plan() -> MutexGuard<'static, Option<Plan>> {
    PLAN.lock()
}

/// Counts a call; returns the error's number where it is to fail.
fn failure(point: Point) -> Option<i32> {
    let mut plan = plan();
    let plan = plan.as_mut()?;
    let call = plan.calls[point as usize];
    plan.calls[point as usize] += 1;
    let fault = plan.fault.filter(|fault| fault.point == point)?;
    (fault.first..fault.first.saturating_add(fault.many))
        .contains(&call)
        .then_some(fault.error)
}

pub(crate) fn bytes_max() -> Option<usize> {
    plan().as_ref().map(|plan| plan.bytes_max)
}

pub(crate) fn refuse(point: Point) -> Result<()> {
    failure(point).map_or(Ok(()), |error| Err(Error::from_raw_os_error(error)))
}

pub(crate) fn call() -> Option<isize> {
    let error = failure(Point::Call)?;
    // SAFETY: the place of this thread's error number can be written.
    unsafe { *libc::__errno_location() = error };
    Some(if error == 0 { 0 } else { -1 })
}

pub(crate) fn submit() -> Option<Result<usize>> {
    failure(Point::Submit).map(|error| match error {
        0 => Ok(0),
        error => Err(Error::from_raw_os_error(error)),
    })
}

pub(crate) fn end() -> Option<i32> {
    failure(Point::End).map(|error| -error)
}

const PART: usize = 4096;
/// Bytes of an access: three transfers.
const BYTES: usize = 3 * PART - 100;
const ACCESSES: usize = 4;

/// The result of a run with a fault.
struct Run {
    calls: [usize; 7],
    /// Accesses that ended with an error.
    failed: usize,
    /// Whether all others transferred what they were to.
    is_right: bool,
}

/// How an access of the scenario ended.
type End = Arc<Mutex<Option<Result<u64>>>>;

/// Begins an access by the ring, or by threads where the ring does not take it.
fn begin(ring: Option<&Ring>, workers: &Workers, transfer: Transfer) {
    let left = match ring {
        Some(ring) => ring.start(transfer).err(),
        None => Some(transfer),
    };
    if let Some(transfer) = left {
        workers.run(Box::new(move || transfer.carry_out()));
    }
}

/// A file, what carries its accesses, and their memory.
struct Scenario {
    file: Arc<OpenFile>,
    alarm: sync::Alarm,
    ring: Option<Ring>,
    workers: Workers,
    memories: Vec<Scratch>,
}

impl Scenario {
    fn new() -> Scenario {
        let path = std::env::temp_dir().join(format!("io-posix-faults-{}", std::process::id()));
        let access = OpenOptions {
            read: true,
            write: true,
            create: true,
            permissions: 0o600,
            ..OpenOptions::default()
        };
        let file = OpenFile::open(path.to_str().unwrap(), access, None).unwrap();
        std::fs::remove_file(&path).unwrap();
        let alarm = sync::Alarm::default();
        alarm.expect().unwrap();
        Scenario {
            file: Arc::new(file),
            alarm,
            ring: None,
            workers: Workers::default(),
            memories: (0..ACCESSES).map(|_| Scratch::new(BYTES)).collect(),
        }
    }

    /// Makes all accesses in a direction, and returns how they ended.
    fn access(&self, direction: Direction, fault: Option<Fault>) -> Vec<Result<u64>> {
        let ends: Vec<End> = self.memories.iter().map(|_| End::default()).collect();
        for (i, (memory, end)) in self.memories.iter().zip(&ends).enumerate() {
            let end = end.clone();
            let transfer = Transfer {
                file: self.file.clone(),
                direction,
                offset: (i * BYTES) as u64,
                memory: memory.buf(),
                ended: Box::new(move |moved| {
                    let before = end.lock().replace(moved);
                    assert!(before.is_none(), "an access ended twice");
                }),
            };
            begin(self.ring.as_ref(), &self.workers, transfer);
        }
        wait(self.ring.as_ref(), &ends, fault);
        let taken = ends.iter().map(|end| end.lock().take());
        taken.map(Option::unwrap).collect()
    }
}

fn content(access: usize) -> Vec<u8> {
    let byte = |at| (at * 7 + access * 31) as u8;
    (0..BYTES).map(byte).collect()
}

fn bytes_of(memory: &Scratch) -> Vec<u8> {
    let mut bytes = vec![0; BYTES];
    memory.buf().read(0, &mut bytes);
    bytes
}

/// Writes parts of a file and reads them, by a ring or by threads, while a second thread also takes
/// in ends.
fn scenario(fault: Option<Fault>, by_ring: bool) -> Run {
    let mut on = Scenario::new();
    *plan() = Some(Plan {
        fault,
        bytes_max: PART,
        calls: [0; 7],
    });
    if by_ring {
        on.ring = Ring::open(on.alarm.event().unwrap()).ok();
    }
    for (i, memory) in on.memories.iter().enumerate() {
        memory.buf().write(0, &content(i));
    }
    let written = on.access(Direction::Write, fault);
    // Whoever still used the memory of an access that is over would write this.
    for memory in &on.memories {
        memory.buf().write(0, &[0xee; BYTES]);
    }
    let read = on.access(Direction::Read, fault);
    on.workers.finish();
    on.ring = None;
    let calls = plan().take().unwrap().calls;
    let (mut failed, mut is_right) = (0, true);
    for (i, (written, read)) in written.iter().zip(&read).enumerate() {
        let is_short = matches!(read, Ok(bytes) if *bytes < BYTES as u64);
        failed += usize::from(written.is_err()) + usize::from(read.is_err() || is_short);
        if written.is_err() {
            continue;
        }
        if read.is_ok() && !is_short {
            is_right &= bytes_of(&on.memories[i]) == content(i);
        }
        let kept = Scratch::new(BYTES);
        is_right &= on.file.read((i * BYTES) as u64, kept.buf()).unwrap() == BYTES;
        is_right &= bytes_of(&kept) == content(i);
    }
    Run {
        calls,
        failed,
        is_right,
    }
}

/// Waits for all ends as a process with two threads does.
fn wait(ring: Option<&Ring>, ends: &[End], fault: Option<Fault>) {
    let has_all = || ends.iter().all(|end| end.lock().is_some());
    let late = Instant::now() + Duration::from_secs(10);
    let look = || {
        while !has_all() {
            ring.iter().for_each(|ring| ring.reap());
            assert!(Instant::now() < late, "an access does not end: {fault:?}");
            std::thread::yield_now();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(look);
        look();
    });
}

/// Errors that a point has, and whether they are an access's own: others must not be noticed.
const FAULTS: [(Point, &[i32], bool); 9] = [
    (
        Point::Open,
        &[libc::ENOSYS, libc::EPERM, libc::ENOMEM],
        false,
    ),
    (Point::Register, &[libc::ENOMEM], false),
    (Point::Push, &[libc::EAGAIN], false),
    (
        Point::Submit,
        &[0, libc::EINTR, libc::EAGAIN, libc::EBUSY, libc::ENOMEM],
        false,
    ),
    (Point::End, &[libc::EINTR, libc::EAGAIN], false),
    (
        Point::End,
        &[0, libc::EIO, libc::ENOSPC, libc::EDQUOT, libc::EFBIG],
        true,
    ),
    (Point::Call, &[libc::EINTR], false),
    (
        Point::Call,
        &[0, libc::EIO, libc::ENOSPC, libc::EDQUOT, libc::EFBIG],
        true,
    ),
    (Point::Thread, &[libc::EAGAIN], false),
];

/// Runs the scenario with a fault at each call of a point. Returns how many calls it had.
fn walk(point: Point, error: i32, is_reported: bool, many: usize, by_ring: bool) -> usize {
    for first in 0.. {
        let fault = Fault {
            point,
            first,
            many,
            error,
        };
        let run = scenario(Some(fault), by_ring);
        assert!(run.is_right, "wrong bytes: {fault:?}");
        assert!(is_reported || run.failed == 0, "an error: {fault:?}");
        if run.calls[point as usize] <= first {
            return first;
        }
        assert!(!is_reported || run.failed > 0, "no error: {fault:?}");
    }
    0
}

#[test]
fn whatever_fails_every_access_ends_once() {
    let _alone = alone();
    let alarm = sync::Alarm::default();
    alarm.expect().unwrap();
    let is_missing = Ring::open(alarm.event().unwrap()).is_err();
    let mut met = [0; 7];
    for (point, errors, is_reported) in FAULTS {
        for error in errors {
            // A fault for good, or of one call; a signal does not interrupt for good.
            for many in [1, usize::MAX] {
                for by_ring in [true, false] {
                    if (many, *error) != (usize::MAX, libc::EINTR) || point == Point::End {
                        met[point as usize] += walk(point, *error, is_reported, many, by_ring);
                    }
                }
            }
        }
    }
    // Some kernels forbid rings; then the points of threads are left.
    let mut points = met.iter().skip(if is_missing { 5 } else { 0 });
    assert!(points.all(|calls| *calls > 0), "not met: {met:?}");
}

#[test]
fn an_access_makes_no_call_of_the_system_that_has_no_point() {
    for (name, text) in [
        ("ring.rs", include_str!("ring.rs")),
        ("workers.rs", include_str!("workers.rs")),
    ] {
        for call in ["IoUring", "thread::spawn", "libc::p", "syscall"] {
            assert!(!text.contains(call), "{name} calls `{call}` past system.rs");
        }
    }
}

#[test]
fn a_job_that_panics_keeps_no_other_waiting() {
    let _alone = alone();
    let workers = Workers::default();
    let (sender, ended_jobs) = std::sync::mpsc::channel();
    for _ in 0..20 {
        workers.run(Box::new(|| {
            std::panic::resume_unwind(Box::new("as a test"))
        }));
    }
    for job in 0..20 {
        let sender = sender.clone();
        workers.run(Box::new(move || sender.send(job).unwrap()));
    }
    for _ in 0..20 {
        let ended = ended_jobs.recv_timeout(Duration::from_secs(10));
        assert!(ended.is_ok(), "no thread is left");
    }
}
