//! Accesses of one process that do not block (`MPI_File_iread_at` and its kin).
//!
//! A contiguous access goes to the ring where there is one, any other to a thread. Short accesses
//! are over when their call returns: bytes in the cache of the file system are copied sooner than
//! a thread wakes.

use std::sync::{Arc, OnceLock};

use io_posix::Transfer;
use sync::Alarm;

use super::access::outcome;
use super::components::admits_carrier;
use super::failure::failed;
use super::{Data, File, Position};
use crate::background::Pending;
use crate::process::other;
use crate::{Error, Outcome, Request};

/// Largest access, in bytes, that is over when its call returns: copying as much takes about as
/// long as waking a thread twice.
const SHORT_BYTES: u64 = 64 << 10;

impl File {
    /// Starts to read or write. The file pointer moves at once, by all elements.
    pub fn start(&self, at: Position, data: Data<'_>) -> Request {
        let short = data.buffer.len() as u64 <= SHORT_BYTES;
        // Conversions may be functions of the program, which expect its threads.
        if short || self.converts(data.direction) {
            return Request::Done(self.access(at, data));
        }
        match self.begin(at, data) {
            Ok(pending) => Request::Background(Box::new(pending)),
            Err(error) => Request::Done(error.into_outcome()),
        }
    }

    fn begin(&self, at: Position, data: Data<'_>) -> Result<Pending<Outcome>, Error> {
        let (view, start) = self.claim(at, data)?;
        let from = view.data_position(start)?;
        if at == Position::Individual {
            self.advance(&view, start, data.buffer.len() as u64);
        }
        let process = self.process();
        let (disk, workers) = (self.disk.clone(), &process.background.workers);
        let (buffer, direction) = (data.buffer.clone(), data.direction);
        let one = disk.as_one(&view, from, &buffer)?;
        let ended: Arc<OnceLock<Outcome>> = Arc::default();
        let alarm = process.engine.alarm();
        let tell = teller(alarm, &ended)?;
        let Some((run, memory)) = one else {
            let job = move || tell(disk.transfer(&view, from, &buffer, direction));
            workers.run(Box::new(job));
            return Ok(Pending::new(ended, None));
        };
        let transfer = Transfer {
            file: disk.file.clone(),
            direction,
            offset: run.offset,
            memory,
            ended: Box::new(move |moved| {
                let why = |why| failed(direction.act(), &disk.path, run.offset, run.length, &why);
                tell(moved.map_err(why));
            }),
        };
        let admits = admits_carrier(&process.registry, "uring");
        let ring = process.background.ring(admits, alarm);
        let left = match &ring {
            Some(ring) => ring.start(transfer).err(),
            None => Some(transfer),
        };
        match left {
            None => Ok(Pending::new(ended, ring)),
            Some(transfer) => {
                workers.run(Box::new(move || transfer.carry_out()));
                Ok(Pending::new(ended, None))
            }
        }
    }
}

/// Returns the function that is called once with the bytes that an access has transferred.
///
/// # Errors
/// When the system refuses a descriptor to be woken by.
fn teller(
    alarm: &Arc<Alarm>,
    ended: &Arc<OnceLock<Outcome>>,
) -> Result<impl FnOnce(Result<u64, Error>) + Send + 'static, Error> {
    alarm.expect().map_err(other)?;
    let (alarm, ended) = (alarm.clone(), ended.clone());
    Ok(move |moved| {
        let _ = ended.set(outcome(moved));
        alarm.ring();
        alarm.met();
    })
}
