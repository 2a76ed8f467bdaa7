//! Non-blocking accesses of one process (`MPI_File_iread_at` and the like).
//!
//! A contiguous access goes to the ring where there is one, any other to a thread. Short accesses
//! are over when their call returns: bytes in the cache of the file system are copied sooner than
//! a thread wakes.

use std::fmt;
use std::sync::{Arc, OnceLock};

use io_posix::Transfer;
use sync::Alarm;

use crate::access::outcome;
use crate::access_report::Calls;
use crate::background::{Files, Pending};
use crate::disk::KernelAccess;
use crate::failure::failed;
use crate::{Data, File, Position};
use mpi::{Class, Error, Outcome, Request};
use mpi_components::files::admits_carrier;

/// Largest access, in bytes, that is over when its call returns: copying as much takes about as
/// long as waking a thread twice.
const SHORT_BYTES: u64 = 64 << 10;

impl File {
    /// Starts to read or write. The file pointer moves at once, by all elements.
    pub fn start(&self, at: Position, data: Data<'_>) -> Request {
        let access_report = self.access_report(data.direction, Calls::Nonblocking);
        let report = |how: fmt::Arguments<'_>| {
            access_report.iter().for_each(|access| access.report(&how));
        };
        let short = data.buffer.len() as u64 <= SHORT_BYTES;
        // Conversions may be functions of the program, which expect its threads.
        let converts = self.converts(data.direction);
        if short || converts {
            match converts {
                true => report(format_args!("within the call: the representation converts")),
                false => report(format_args!("within the call: at most {SHORT_BYTES} bytes")),
            }
            return Request::Done(self.access(at, data));
        }
        match self.begin(at, data, &report) {
            Ok(pending) => Request::Background(Box::new(pending)),
            Err(error) => Request::Done(Outcome::failed(error)),
        }
    }

    /// Starts an access, and reports what carries it.
    fn begin(
        &self,
        at: Position,
        data: Data<'_>,
        report: &dyn Fn(fmt::Arguments<'_>),
    ) -> Result<Pending, Error> {
        let (view, start) = self.claim(at, data)?;
        let from = view.data_position(start)?;
        if at == Position::Individual {
            self.advance(&view, start, data.buffer.len() as u64);
        }
        let process = self.process();
        let files = process.service::<Files>();
        let (disk, workers) = (self.disk.clone(), &files.workers);
        let (buffer, direction) = (data.buffer.clone(), data.direction);
        let access = disk.kernel_access(&view, from, &buffer)?;
        let ended: Arc<OnceLock<Outcome>> = Arc::default();
        let alarm = process.engine.alarm();
        let ender = Ender::new(alarm, &ended)?;
        let (run, memory) = match access {
            KernelAccess::Single(run, memory) => (run, memory),
            KernelAccess::Multiple(why) => {
                report(format_args!("by threads: {why}"));
                let job = move || ender.end(disk.transfer(&view, from, &buffer, direction));
                workers.run(Box::new(job));
                return Ok(Pending::new(ended, None));
            }
        };
        let transfer = Transfer {
            file: disk.file.clone(),
            direction,
            offset: run.offset,
            memory,
            ended: Box::new(move |moved| {
                let why = |why| failed(direction.act(), &disk.path, run.offset, run.length, &why);
                ender.end(moved.map_err(why));
            }),
        };
        let admits = admits_carrier(&process.registry, "uring");
        let ring = files.ring(admits, alarm);
        let left = match &ring {
            Ok(ring) => ring
                .start(transfer)
                .err()
                .map(|left| (left, "the ring is full")),
            Err(why) => Some((transfer, *why)),
        };
        match left {
            None => {
                report(format_args!("by io_uring"));
                Ok(Pending::new(ended, ring.ok()))
            }
            Some((transfer, why)) => {
                report(format_args!("by threads: {why}"));
                workers.run(Box::new(move || transfer.carry_out()));
                Ok(Pending::new(ended, None))
            }
        }
    }
}

/// Ends an access: with the bytes that it has transferred, or with an error where whatever carries
/// it drops it, so that no wait lasts forever.
struct Ender {
    alarm: Arc<Alarm>,
    ended: Arc<OnceLock<Outcome>>,
}

impl Ender {
    /// # Errors
    /// When the system refuses a descriptor to be woken by.
    fn new(alarm: &Arc<Alarm>, ended: &Arc<OnceLock<Outcome>>) -> Result<Ender, Error> {
        alarm.expect().map_err(Error::other)?;
        Ok(Ender {
            alarm: alarm.clone(),
            ended: ended.clone(),
        })
    }

    fn end(self, moved: Result<u64, Error>) {
        let _ = self.ended.set(outcome(moved));
    }
}

impl Drop for Ender {
    fn drop(&mut self) {
        let lost = || outcome(Err(Error::new(Class::Intern, LOST.to_string())));
        let _ = self.ended.get_or_init(lost);
        self.alarm.ring();
        self.alarm.met();
    }
}

/// The error of an access that nothing carries any more.
const LOST: &str = "the library has given up an access to a file: its thread has failed";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_that_is_dropped_ends_with_an_error() {
        let alarm: Arc<Alarm> = Arc::default();
        let begin = || {
            let ended: Arc<OnceLock<Outcome>> = Arc::default();
            (Ender::new(&alarm, &ended).unwrap(), ended)
        };
        let (ender, ended) = begin();
        assert!(alarm.descriptor().is_some());
        // As a thread that panics drops its job.
        let job = move || ender.end(Ok(7));
        drop(job);
        let class = ended.get().unwrap().result.as_ref().unwrap_err().class;
        assert_eq!(class, Class::Intern);
        assert!(alarm.descriptor().is_none(), "its end is still expected");
        let (ender, ended) = begin();
        ender.end(Ok(7));
        assert!(ended.get().unwrap().result.is_ok());
        assert!(alarm.descriptor().is_none());
    }
}
