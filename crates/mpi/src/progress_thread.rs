//! The progress thread, which polls while the application computes (`--mca
//! btl_tcp_progress_thread 1`, or `--mca osc_progress_thread 1`).
//!
//! It moves point-to-point messages and memory accesses only: user-defined operators and error
//! handlers always run in the application's own threads. It enters the engine by its gate as every
//! thread does, so the gate is shared as long as the thread exists, whatever the thread level.

use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;

use crate::{Error, Process};

/// The progress thread. It ends when this is dropped.
pub(crate) struct ProgressThread {
    stop: Arc<AtomicBool>,
    /// Doorbell: a byte written here ends the thread's sleep.
    bell: UnixStream,
    thread: Option<JoinHandle<()>>,
}

impl ProgressThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system refuses a thread or a pair of sockets.
    pub(crate) fn start(process: &Arc<Process>) -> Result<ProgressThread, Error> {
        process.engine.share();
        let (bell, ear) = UnixStream::pair().map_err(Error::other)?;
        let stop = Arc::new(AtomicBool::new(false));
        let (process, stopped) = (Arc::downgrade(process), stop.clone());
        let body = move || run(&process, &stopped, &ear);
        let thread = sync::thread::spawn("oxmpi-progress", body).map_err(Error::other)?;
        let thread = Some(thread);
        Ok(ProgressThread { stop, bell, thread })
    }
}

impl Drop for ProgressThread {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        // A full bell rings as well as one more.
        let _ = self.bell.write(&[0]);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(process: &Weak<Process>, stop: &AtomicBool, ear: &UnixStream) {
    while !stop.load(Ordering::Acquire) {
        let Some(process) = process.upgrade() else {
            return;
        };
        process.engine.assist(ear.as_raw_fd());
    }
}
